//! The closed and honest answer: it holds, it is violated, or it is not known and why. With the `Result:` line and the
//! exit codes of the command line contract.

use crate::check::CheckKind;
use crate::property::Specification;
use crate::trace::{Trace, TracePlace};
use serde::{Deserialize, Serialize};

/// What an engine found out.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// No execution goes wrong, within the bounds and under the assumptions listed. Nothing else was assumed.
    Holds { bounds: Vec<Bound>, assumptions: Vec<Assumption>, invariants: Vec<Invariant> },
    /// An execution goes wrong; the trace was replayed on concrete values.
    Violated { kind: CheckKind, trace: Box<Trace> },
    /// Neither was shown.
    Unknown { reason: Reason, place: Option<TracePlace>, help: Option<String> },
}

/// A limit that the user set and that the answer rests on, such as the size of an input. A bound that merely was reached
/// makes the verdict `Unknown`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Bound {
    /// `loop iterations`, `processes`, `N`, …
    pub what: String,
    pub limit: String,
}

/// Something that the answer rests on and that was not shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Assumption {
    pub text: String,
    pub place: Option<TracePlace>,
}

/// A fact that holds whenever its place is reached; evidence for a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invariant {
    pub place: TracePlace,
    /// A C expression over the variables in scope there.
    pub expression: String,
}

/// Why the answer is not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "reason")]
pub enum Reason {
    /// A bound was reached: unrolling, depth, preemptions, concretised values.
    BoundReached {
        bound: Bound,
    },
    Timeout,
    OutOfMemory,
    /// The budget of work was used up.
    OutOfBudget,
    Interrupted,
    /// A construct that the tool does not support is reached.
    Unsupported {
        what: String,
    },
    /// A function without a body and without a model, which could change what the answer depends on.
    CallNotModelled {
        function: String,
    },
    /// A solver gave up on a query.
    SolverGaveUp {
        solver: String,
        why: String,
    },
    /// A query needs a solver that is not installed.
    SolverMissing {
        solver: String,
    },
    /// A violation was found that cannot be replayed on concrete values.
    PossibleViolation {
        kind: String,
    },
    /// Evidence that was given does not show what it claims.
    NotConfirmed {
        why: String,
    },
    /// No engine in use can answer this question.
    NoEngine {
        question: String,
    },
    /// An assertion of the tool itself failed.
    Internal {
        message: String,
    },
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::BoundReached { bound } => write!(f, "bound reached: {} {}", bound.what, bound.limit),
            Reason::Timeout => f.write_str("timeout"),
            Reason::OutOfMemory => f.write_str("out of memory"),
            Reason::OutOfBudget => f.write_str("out of budget"),
            Reason::Interrupted => f.write_str("interrupted"),
            Reason::Unsupported { what } => write!(f, "unsupported: {what}"),
            Reason::CallNotModelled { function } => write!(f, "no body and no model: {function}"),
            Reason::SolverGaveUp { solver, why } => write!(f, "{solver} gave up: {why}"),
            Reason::SolverMissing { solver } => write!(f, "needs the solver {solver}"),
            Reason::PossibleViolation { kind } => write!(f, "possible violation: {kind}"),
            Reason::NotConfirmed { why } => write!(f, "not confirmed: {why}"),
            Reason::NoEngine { question } => write!(f, "no engine for {question}"),
            Reason::Internal { message } => write!(f, "internal error: {message}"),
        }
    }
}

/// The exit codes of the command line contract.
pub mod exit_code {
    pub const HOLDS: i32 = 0;
    pub const VIOLATED: i32 = 1;
    pub const USAGE: i32 = 2;
    pub const UNKNOWN: i32 = 3;
    pub const DOES_NOT_COMPILE: i32 = 4;
    pub const INTERNAL_ERROR: i32 = 70;
    /// `run` gives the program's own code; this one stands for an error of ours or of the program's meaning.
    pub const RUN_ERROR: i32 = 125;
    pub const INTERRUPTED: i32 = 130;
}

impl Verdict {
    /// `TRUE`, `FALSE(what)`, `UNKNOWN (reason)`: on one line, whatever the reason's text holds.
    pub fn result(&self, specification: &Specification) -> String {
        let text = match self {
            Verdict::Holds { .. } => "TRUE".to_owned(),
            Verdict::Violated { kind, .. } => format!("FALSE({})", specification.word(*kind)),
            Verdict::Unknown { reason, .. } => format!("UNKNOWN ({reason})"),
        };
        text.replace(['\n', '\r'], " ")
    }

    /// The last line on stdout in the default format.
    pub fn result_line(&self, specification: &Specification) -> String {
        format!("Result: {}", self.result(specification))
    }

    pub fn exit_code(&self) -> i32 {
        match self {
            Verdict::Holds { .. } => exit_code::HOLDS,
            Verdict::Violated { .. } => exit_code::VIOLATED,
            Verdict::Unknown { reason: Reason::Interrupted, .. } => exit_code::INTERRUPTED,
            Verdict::Unknown { .. } => exit_code::UNKNOWN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_is_one_line() {
        let specification = Specification::from_name("valid-memsafety").unwrap();
        let holds = Verdict::Holds { bounds: vec![], assumptions: vec![], invariants: vec![] };
        assert_eq!(holds.result_line(&specification), "Result: TRUE");
        let violated = Verdict::Violated { kind: CheckKind::InvalidFree, trace: Box::default() };
        assert_eq!(violated.result_line(&specification), "Result: FALSE(valid-free)");
        assert_eq!(violated.exit_code(), 1);
        let reason = Reason::Internal { message: "two\nlines".into() };
        let unknown = Verdict::Unknown { reason, place: None, help: None };
        assert_eq!(unknown.result_line(&specification), "Result: UNKNOWN (internal error: two lines)");
        assert_eq!(unknown.exit_code(), 3);
    }
}
