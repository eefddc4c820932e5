//! The fork policy: one path, one state. A move of a process is run until its next interruptible point; on the way, each
//! open condition splits the state, and infeasible parts are dropped.

mod conclude;
mod ends;
mod helper;
mod options;
mod quantify;
mod questions;
mod run;
mod system;

pub(crate) use ends::leak;
pub use options::{ARGUMENT_LENGTH, ARGUMENTS, Certainty, Confirmed, Options, Outcome, Statistics};

use crate::limits;
use crate::race;
use crate::reduce::Looked;
use crate::replay;
use crate::states::Shown;
use crate::written::Written;
use quod_base::Span;
use quod_diag::Diagnostic;
use quod_exec::fault::Fault;
use quod_exec::machine::{Machine, Settings};
use quod_exec::state::{ProcessId, ProcessSet, State};
use quod_exec::symbolic::{Joint, SymbolicDomain, SymbolsOf};
use quod_explore::{Order, Outcome as Moved};
use quod_model::ir::{Arithmetic, FunctionKind, Program};
use quod_solver::{Model, Solver};
use quod_term::{Term, TermPool};
use quod_verdict::{CancelToken, CheckKind, KindSet, Reason};
use std::sync::Arc;
use std::time::Duration;

/// Operations that a process may make in one go where it runs alone.
const FUEL: u64 = 1 << 16;

/// Violations that are looked at, and operations, where the first violation could not be replayed.
const SECOND_LOOK: (usize, u64) = (64, 4_000_000);

pub(crate) fn verify(program: &Program, options: &Options) -> (Outcome, Statistics) {
    let (outcome, statistics) = verify_within(program, options, u64::MAX);
    let is_open = matches!(&outcome, Outcome::Unknown { reason: Reason::PossibleViolation { .. }, .. });
    if !is_open || options.errors > 1 || options.is_minimal || options.cancel.is_cancelled() {
        return (outcome, statistics);
    }
    // Which violation comes first depends on the order of the search; others may be such as can be replayed.
    let (errors, work) = SECOND_LOOK;
    match verify_within(program, &Options { errors, ..options.clone() }, work) {
        (Outcome::Violated { kind, certainty, diagnostic, schedule, evidence, .. }, second) => {
            (Outcome::Violated { kind, certainty, diagnostic, schedule, evidence, others: Vec::new() }, second)
        }
        _ => (outcome, statistics),
    }
}

/// As `verify`, for a bounded amount of work: operations, and questions to the solver as operations.
pub(crate) fn verify_within(program: &Program, options: &Options, work: u64) -> (Outcome, Statistics) {
    let aim = Aim { ends: Ends::Passed, work };
    let (outcome, statistics, _) = explore(Arc::new(TermPool::new()), program, options, aim, &mut None);
    (outcome, statistics)
}

/// What a search is for, and how long it may take.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Aim {
    pub(crate) ends: Ends,
    pub(crate) work: u64,
}

/// Whether the ends of executions are wanted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    Passed,
    Kept,
}

/// The end of an execution: under which conditions it is reached, and what the outputs are then.
pub(crate) struct Ending {
    pub(crate) path: Vec<Step>,
    pub(crate) conditions: Vec<Term>,
    pub(crate) inputs: Vec<quod_exec::symbolic::Input>,
    /// Nothing where an output is no number.
    pub(crate) outputs: Option<Vec<(String, Term)>>,
}

/// What the engines of all threads are made from.
struct Task<'p, 'o> {
    pool: Arc<TermPool>,
    joint: Arc<Joint>,
    program: &'p Program,
    options: &'o Options,
    aim: Aim,
}

impl<'p> Task<'p, '_> {
    /// An engine, and the state before the program begins.
    fn engine(&self, written: Written) -> (Engine<'p>, State<SymbolicDomain>) {
        let Self { program, options, .. } = *self;
        let is_ideal = program.arithmetic == Arithmetic::Ideal;
        let (pool, joint) = (self.pool.clone(), self.joint.clone());
        let mut domain = SymbolicDomain::beside(pool, joint, program.types.data_model, is_ideal);
        domain.keeps_undefined = options.kinds.contains(CheckKind::Uninitialised);
        let cancel = Some(options.cancel.flag());
        let settings = Settings { cancel, ..options.settings(program) };
        let (mut machine, state) = Machine::new(program, domain, settings, replay::silent());
        machine.stops = options.stops(program);
        machine.is_even = options.is_minimal || options.is_breadth_first;
        machine.gives_quantifiers = is_ideal;
        machine.domain.tells_scopes = machine.tells_scopes;
        machine.domain.casts_processes = quod_model::passes::processes::are_numbers(program);
        let engine = Engine {
            machine,
            solver: options.solver(self.pool.clone()),
            kinds: options.kinds,
            doubts: Vec::new(),
            doubt_total: 0,
            queries: 0,
            processes: 1,
            cancel: options.cancel.clone(),
            most_processes: options.processes,
            is_synchronous: options.is_synchronous,
            is_strict: options.is_strict,
            ends: self.aim.ends,
            work: self.aim.work,
            earlier_effort: 0,
            helpers: 0,
            helpers_solving: Duration::ZERO,
            arguments: limits::uses_arguments(program) && !options.has_any_arguments(program),
            is_reduced: options.is_reduced && options.preemptions.is_none(),
            is_shortest: options.is_minimal || options.is_breadth_first,
            written,
            shown: None,
            is_stopped: false,
            stopped_at: program.main.map_or(Span::NONE, |main| program.functions[main].span),
            looked: None,
            is_pruned: false,
            has_quantifiers: false,
            has_orders: program.functions.iter().any(|function| function.kind == FunctionKind::Order),
            is_active: false,
            race: None,
            symbols_of: SymbolsOf::default(),
            has_atomics: options.kinds.contains(CheckKind::DataRace) && race::has_atomics(program),
        };
        (engine, state)
    }
}

/// Searches a program; terms are made in the pool. What is to be shown of its states comes back in `shown`.
pub(crate) fn explore(
    pool: Arc<TermPool>,
    program: &Program,
    options: &Options,
    aim: Aim,
    shown: &mut Option<Shown>,
) -> (Outcome, Statistics, Vec<Ending>) {
    let task = Task { pool, joint: Arc::default(), program, options, aim };
    let (mut engine, mut state) = task.engine(Written::default());
    engine.shown = shown.take();
    quod_exec::begin(&mut engine.machine, &mut state);
    let initial = SearchState { state, is_exited: false };
    // A bounded amount of work, the list of all ends and that of the first states are the same in each run.
    let is_single = aim.work != u64::MAX || aim.ends == Ends::Kept || engine.shown.is_some();
    let usual = quod_explore::Options::default();
    let search_options = quod_explore::Options {
        order: if options.is_breadth_first { Order::BreadthFirst } else { Order::DepthFirst },
        depth: options.depth,
        findings: if aim.ends == Ends::Kept { usize::MAX } else { options.errors.max(1) },
        is_minimal: options.is_minimal || (options.is_breadth_first && options.errors <= 1 && aim.ends != Ends::Kept),
        is_reduced: options.is_reduced,
        is_saved: options.is_saved,
        finds_cycles: options.finds_cycles,
        preemptions: options.preemptions,
        is_compared: options.is_compared,
        threads: if is_single { 1 } else { options.threads },
        large: options.share_after.map_or(usual.large, |states| (states, u64::MAX)),
        is_mixed: options.share_after.is_some(),
    };
    let mut report = loop {
        engine.begin_search();
        engine.doubts = limits::unchecked(options).into_iter().collect();
        let written = engine.written.clone();
        let helper = || task.engine(written.clone()).0;
        let initial = vec![initial.clone()];
        let report = quod_explore::search_on_threads(&mut engine, &helper, initial, &search_options, &options.cancel);
        if !report.is_void {
            break report;
        }
    };
    *shown = engine.shown.take();
    let mut endings = Vec::new();
    let (ended, found) = report.found.into_iter().partition(|found| found.finding.end.is_some());
    report.found = found;
    let ended: Vec<quod_explore::Found<Step, Violation>> = ended;
    for found in ended {
        if let Some((conditions, outputs)) = found.finding.end {
            endings.push(Ending { path: found.path, conditions, inputs: found.finding.inputs, outputs });
        }
    }
    let mut statistics = Statistics {
        violation: None,
        may_be_shorter: search_options.is_minimal && (report.is_cancelled || report.is_exhausted),
        is_exhausted: false,
        search: report.statistics.clone(),
        solver_queries: engine.queries,
        solving: engine.solver.time() + engine.helpers_solving,
        steps: engine.machine.steps,
        processes: engine.processes,
        strategy: Vec::new(),
        facts: Vec::new(),
    };
    statistics.is_exhausted = report.is_exhausted;
    let outcome = engine.conclude(report, program, options);
    if let Outcome::Violated { schedule, .. } = &outcome {
        statistics.violation = Some(schedule.steps.len());
    }
    (outcome, statistics, endings)
}

/// A violation on a path, with values for its inputs.
pub(crate) struct Violation {
    fault: Box<Fault>,
    span: Span,
    inputs: Vec<quod_exec::symbolic::Input>,
    model: Model,
    /// No violation at all: the execution has ended, under these conditions and with these outputs.
    end: Option<End>,
    /// The condition is about nothing but inputs and `$abstract` functions: the model is an execution.
    pub(crate) is_exact: bool,
    /// Two processes that are about to race.
    pub(crate) race: Option<(ProcessId, ProcessId)>,
}

type End = (Vec<Term>, Option<Vec<(String, Term)>>);

/// A move in a trace: which process, and what it chose.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) process: ProcessId,
    pub(crate) choices: Vec<u32>,
    pub(crate) nature: Nature,
    /// Processes whose numbers are free afterwards.
    pub(crate) forgotten: ProcessSet,
}

impl Step {
    pub(crate) fn new(process: ProcessId, choices: Vec<u32>, nature: Nature) -> Self {
        Self { process, choices, nature, forgotten: ProcessSet::default() }
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Nature {
    /// To the next interruptible point.
    Whole,
    /// The process goes on with the same move in the next step.
    Part,
    /// Nothing moves: the state is looked at under a stronger condition.
    Split,
}

#[derive(Clone)]
pub(crate) struct SearchState {
    pub(crate) state: State<SymbolicDomain>,
    pub(crate) is_exited: bool,
}

type Doubt = (Reason, Span, Option<Diagnostic>);
pub(crate) type Outcomes = Vec<Moved<SearchState, Step, Violation>>;

pub(crate) struct Engine<'p> {
    pub(crate) machine: Machine<'p, SymbolicDomain>,
    solver: Solver,
    kinds: KindSet,
    /// Why the answer cannot be "holds".
    doubts: Vec<Doubt>,
    doubt_total: usize,
    queries: u64,
    processes: usize,
    pub(crate) cancel: CancelToken,
    most_processes: Option<usize>,
    pub(crate) is_synchronous: bool,
    is_strict: bool,
    ends: Ends,
    /// Operations that are allowed; a question to the solver counts as many.
    work: u64,
    /// Work that was done before this search began.
    earlier_effort: u64,
    /// Engines of other threads that were absorbed, and the time that they spent in their solvers.
    helpers: usize,
    helpers_solving: Duration,
    /// `main` looks at its arguments, of which only one list would be looked at.
    arguments: bool,
    /// Some moves go first and alone.
    pub(crate) is_reduced: bool,
    /// Violations are told by how many moves lead to them.
    pub(crate) is_shortest: bool,
    /// What is written while several processes run.
    pub(crate) written: Written,
    /// States are kept to be shown.
    pub(crate) shown: Option<Shown>,
    /// Something was left open because the search was cancelled.
    is_stopped: bool,
    /// Where a process was when the search was cancelled.
    stopped_at: Span,
    /// The moves that the reduction looked at, to be taken by the search.
    pub(crate) looked: Option<Looked>,
    /// An assumption has cut off executions since this was last cleared.
    pub(crate) is_pruned: bool,
    /// Some path condition has quantifiers.
    has_quantifiers: bool,
    /// The program has `$abstract` partial orders.
    has_orders: bool,
    /// Some process of the state that is expanded did something else than wait.
    is_active: bool,
    /// A race in the state that is expanded.
    pub(crate) race: Option<Violation>,
    symbols_of: SymbolsOf,
    pub(crate) has_atomics: bool,
}
