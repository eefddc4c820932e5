//! What a search is asked for, and what it answers.

use crate::replay::{self, Schedule};
use quod_base::Span;
use quod_diag::Diagnostic;
use quod_exec::machine::{AnyArguments, Settings, Stops};
use quod_model::ir::{Arithmetic, Program};
use quod_solver::Solver;
use quod_term::TermPool;
use quod_verdict::{CancelToken, CheckKind, KindSet, Reason};
use std::sync::Arc;

#[derive(Clone)]
pub struct Options {
    /// What counts as a violation.
    pub kinds: KindSet,
    pub is_breadth_first: bool,
    pub is_minimal: bool,
    pub is_reduced: bool,
    pub depth: Option<u64>,
    pub cancel: CancelToken,
    /// Recursive calls may be summed up by what is guessed of them. Who judges what others have found guesses nothing.
    pub sums_up: bool,
    /// Solvers that were found outside, for what the embedded one does not do.
    pub solvers: Vec<quod_solver::portfolio::Found>,
    /// Gets every query to the solver.
    pub query_log: Option<quod_solver::chain::log::LogSink>,
    /// Set by who cancels the search for want of memory.
    pub is_memory_over: Arc<std::sync::atomic::AtomicBool>,
    /// Messages count as handed over where deadlocks are looked for.
    pub is_synchronous: bool,
    /// Cycles of the state space are violations (of termination).
    pub finds_cycles: bool,
    /// Match states with all that were met, not only with those on the way to them.
    pub is_saved: bool,
    /// Compare states in full where their fingerprints are equal.
    pub is_compared: bool,
    /// Switches away from a process that could go on.
    pub preemptions: Option<u32>,
    /// Who is blocked inside `$atomic` lets nobody in: today's meaning, not that of 2016.
    pub is_strict: bool,
    /// Go on until so many violations are found.
    pub errors: usize,
    /// States with more processes than this are not looked at.
    pub processes: Option<usize>,
    /// Kinds that were asked for by name: what is not looked at among them makes the answer unknown.
    pub is_asked: bool,
    /// Threads of a search that has grown large.
    pub threads: usize,
    /// A search counts as large after so many states.
    pub share_after: Option<u64>,
    /// How many arguments `main` is given, where that was said.
    pub argument_count: Option<u32>,
}

/// Arguments of `main` that are looked at for CIVL-C: one to so many, of so many characters.
pub const ARGUMENTS: u32 = 4;
pub const ARGUMENT_LENGTH: u32 = 4;

impl Options {
    /// A question by name, with everything else as it is without options.
    pub fn new(kinds: KindSet, cancel: CancelToken) -> Self {
        Self {
            kinds,
            is_breadth_first: false,
            is_minimal: false,
            is_reduced: true,
            depth: None,
            cancel,
            sums_up: true,
            solvers: Vec::new(),
            query_log: None,
            is_memory_over: Arc::default(),
            is_synchronous: false,
            finds_cycles: false,
            is_saved: true,
            is_compared: false,
            preemptions: None,
            is_strict: false,
            errors: 1,
            processes: None,
            is_asked: true,
            threads: 1,
            share_after: None,
            argument_count: None,
        }
    }

    /// A solver that stops when the search is cancelled.
    pub(crate) fn solver(&self, pool: Arc<TermPool>) -> Solver {
        self.solver_within(pool, u64::MAX)
    }

    /// The same, with at most so many conflicts a question.
    pub(crate) fn solver_within(&self, pool: Arc<TermPool>, conflicts: u64) -> Solver {
        let cancel = self.cancel.flag().into();
        let log = self.query_log.clone();
        let limits = quod_solver::Limits::conflicts(conflicts);
        Solver::with_options(pool, &quod_solver::Options { cancel, log, limits, ..quod_solver::Options::default() })
    }

    /// What an execution is started with.
    pub(crate) fn settings(&self, program: &Program) -> Settings {
        let is_any = self.has_any_arguments(program);
        let limits = AnyArguments { most: ARGUMENTS, count: self.argument_count, length: ARGUMENT_LENGTH };
        let any_arguments = is_any.then_some(limits);
        Settings { checks: self.kinds, is_driven: true, any_arguments, ..Settings::default() }
    }

    /// `main` is given any arguments, up to a limit.
    pub fn has_any_arguments(&self, program: &Program) -> bool {
        program.arithmetic == Arithmetic::Ideal && !self.is_asked && crate::limits::uses_arguments(program)
    }

    /// A statement is a step in CIVL-C; in C each access to memory is one.
    pub(crate) fn stops(&self, program: &Program) -> Stops {
        if program.is_civl { Stops::Locations } else { Stops::Accesses }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Statistics {
    pub search: quod_explore::Statistics,
    pub solver_queries: u64,
    /// Time in the solver.
    pub solving: std::time::Duration,
    pub steps: u64,
    /// Most processes at once.
    pub processes: usize,
    /// Moves to the violation.
    pub violation: Option<usize>,
    /// A shortest violation was looked for, and the search was stopped before it was known to be one.
    pub may_be_shorter: bool,
    /// The search ended because it had done the work that it was allowed.
    pub(crate) is_exhausted: bool,
    /// Lines that say which searches were made, and how each ended.
    pub strategy: Vec<String>,
    /// Facts at the heads of loops that the proof rests on.
    pub facts: Vec<crate::abstraction::LoopFact>,
}

/// What was found, before it is put into words and files.
pub enum Outcome {
    Holds,
    /// The kind, its diagnostic, and the values that the outside chose.
    Violated {
        kind: CheckKind,
        certainty: Certainty,
        diagnostic: Diagnostic,
        schedule: Schedule,
        /// Further ones of other kinds or at other places, where more than one error was asked for.
        others: Vec<Confirmed>,
        /// What the execution shows, for witnesses and tests.
        evidence: Box<replay::Evidence>,
    },
    Unknown {
        reason: Reason,
        span: Span,
        diagnostic: Option<Diagnostic>,
    },
}

/// How a violation is known.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// It happened on concrete values.
    Concrete,
    /// It happened on concrete values, with functions about which the program says nothing as a model has them.
    Interpreted,
    /// A model shows it, whose values no execution can be given: reals without a short form.
    Proved,
}

/// A violation that is certain.
pub struct Confirmed {
    pub kind: CheckKind,
    pub certainty: Certainty,
    pub diagnostic: Diagnostic,
    pub schedule: Schedule,
    /// What the execution shows, for witnesses and tests.
    pub evidence: Box<replay::Evidence>,
}
