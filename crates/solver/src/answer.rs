//! What a query is answered with.

use crate::embedded::Unsupported;
use quod_term::{Assignment, Term};

/// Values of symbols and tables of functions.
pub type Model = Assignment;

/// Can the terms hold together?
#[derive(Clone, Debug)]
pub enum Answer {
    /// Yes, for instance so. The model was evaluated: all terms are true in it.
    Sat(Model),
    /// No: already these of them cannot.
    Unsat(Vec<Term>),
    Unknown(Reason),
}

impl Answer {
    pub fn is_sat(&self) -> bool {
        matches!(self, Self::Sat(_))
    }
    pub fn is_unsat(&self) -> bool {
        matches!(self, Self::Unsat(_))
    }
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown(_))
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No decider reads this operator or sort.
    Unsupported(String),
    /// The logic is not decided completely and the tries ran out.
    Incomplete(String),
    /// The work that was allowed is done.
    Budget,
    Cancelled,
    /// A bug of ours; the query goes on with others.
    Internal(String),
    /// No solver process that could answer is installed; the text says how to get one.
    NoSolver(String),
}

impl From<Unsupported> for Reason {
    fn from(Unsupported(what): Unsupported) -> Self {
        Self::Unsupported(what)
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unsupported(what) => write!(f, "not supported: {what}"),
            Self::Incomplete(what) => write!(f, "incomplete: {what}"),
            Self::Budget => f.write_str("the budget ran out"),
            Self::Cancelled => f.write_str("cancelled"),
            Self::Internal(what) => write!(f, "internal error: {what}"),
            Self::NoSolver(help) => write!(f, "no solver process could answer; {help}"),
        }
    }
}
