//! The fork policy: one path, one state. A move of a process is run until its next interruptible point; on the way, each
//! open condition splits the state, and infeasible parts are dropped.

use crate::deadlock;
use crate::fingerprint;
use crate::limits;
use crate::race;
use crate::reduce::Looked;
use crate::replay::{self, Schedule};
use crate::states::Shown;
use crate::written::Written;
use quod_base::{Fingerprint, Id, Span};
use quod_diag::Diagnostic;
use quod_exec::domain::Domain;
use quod_exec::fault::Fault;
use quod_exec::machine::{Event, Machine, Settings, Stops};
use quod_exec::state::{ProcessId, State, Status};
use quod_exec::symbolic::{Memory, SymbolicDomain};
use quod_explore::{Order, Outcome as Moved, System};
use quod_model::ir::{Arithmetic, Program, Storage};
use quod_solver::{Answer, Model, Solver};
use quod_term::{Term, TermPool};
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
}

impl Options {
    /// A solver that stops when the search is cancelled.
    pub(crate) fn solver(&self, pool: Arc<TermPool>) -> Solver {
        let cancel = self.cancel.flag().into();
        let log = self.query_log.clone();
        Solver::with_options(pool, &quod_solver::Options { cancel, log, ..quod_solver::Options::default() })
    }

    /// A statement is a step for CIVL-C; for the competition, as in C, each access to memory is one.
    pub(crate) fn stops(&self, program: &Program) -> Stops {
        let is_c = self.is_asked && program.arithmetic == Arithmetic::Machine;
        if is_c { Stops::Accesses } else { Stops::Locations }
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
    /// Replayed on concrete values: the kind, its diagnostic, and the values that the outside chose.
    Violated {
        kind: CheckKind,
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

/// A violation that has been replayed.
pub struct Confirmed {
    pub kind: CheckKind,
    pub diagnostic: Diagnostic,
    pub schedule: Schedule,
    /// What the execution shows, for witnesses and tests.
    pub evidence: Box<replay::Evidence>,
}

/// Operations that a process may make in one go where it runs alone.
const FUEL: u64 = 1 << 16;
/// Values of one number, or ways of one choice, that are looked at; more is "unknown".
const MOST_VALUES: usize = 1 << 12;
/// Operations that a question to the solver counts as.
const QUERY_WORK: u64 = 2_000;
/// Open conditions in one go of a process that runs alone; then its states are kept.
const MOST_FORKS: u32 = 64;

pub(crate) fn verify(program: &Program, options: &Options) -> (Outcome, Statistics) {
    verify_within(program, options, u64::MAX)
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

/// Searches a program; terms are made in the pool. What is to be shown of its states comes back in `shown`.
pub(crate) fn explore(
    pool: Arc<TermPool>,
    program: &Program,
    options: &Options,
    aim: Aim,
    shown: &mut Option<Shown>,
) -> (Outcome, Statistics, Vec<Ending>) {
    let is_ideal = program.arithmetic == Arithmetic::Ideal;
    let mut domain = SymbolicDomain::new(pool.clone(), program.types.data_model, is_ideal);
    domain.keeps_undefined = options.kinds.contains(CheckKind::Uninitialised);
    let settings =
        Settings { checks: options.kinds, is_driven: true, cancel: Some(options.cancel.flag()), ..Settings::default() };
    let (mut machine, mut state) = Machine::new(program, domain, settings, replay::silent());
    machine.stops = options.stops(program);
    let mut engine = Engine {
        machine,
        solver: options.solver(pool),
        kinds: limits::looked_for(options),
        doubts: Vec::new(),
        doubt_total: 0,
        queries: 0,
        processes: 1,
        cancel: options.cancel.clone(),
        most_processes: options.processes,
        is_synchronous: options.is_synchronous,
        is_strict: options.is_strict,
        ends: aim.ends,
        work: aim.work,
        arguments: limits::uses_arguments(program),
        is_reduced: options.is_reduced && options.preemptions.is_none(),
        written: Written::default(),
        shown: shown.take(),
        is_stopped: false,
        stopped_at: program.main.map_or(Span::NONE, |main| program.functions[main].span),
        looked: None,
        is_pruned: false,
        is_active: false,
        race: None,
        has_atomics: options.kinds.contains(CheckKind::DataRace) && race::has_atomics(program),
    };
    quod_exec::begin(&mut engine.machine, &mut state);
    let initial = SearchState { state, is_exited: false };
    let search_options = quod_explore::Options {
        order: if options.is_breadth_first { Order::BreadthFirst } else { Order::DepthFirst },
        depth: options.depth,
        findings: if aim.ends == Ends::Kept { usize::MAX } else { options.errors.max(1) },
        is_minimal: options.is_minimal,
        is_reduced: options.is_reduced,
        is_saved: options.is_saved,
        finds_cycles: options.finds_cycles,
        preemptions: options.preemptions,
        is_compared: options.is_compared,
    };
    let mut report = loop {
        engine.written.begin();
        engine.show_nothing();
        engine.doubts = limits::unchecked(options).into_iter().collect();
        let report = quod_explore::search(&mut engine, vec![initial.clone()], &search_options, &options.cancel);
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
        is_exhausted: false,
        search: report.statistics.clone(),
        solver_queries: engine.queries,
        solving: engine.solver.time(),
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
    is_synchronous: bool,
    is_strict: bool,
    ends: Ends,
    /// Operations that are allowed; a question to the solver counts as many.
    work: u64,
    /// `main` looks at its arguments, of which only one list would be looked at.
    arguments: bool,
    /// Some moves go first and alone.
    pub(crate) is_reduced: bool,
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
    /// Some process of the state that is expanded did something else than wait.
    is_active: bool,
    /// A race in the state that is expanded.
    pub(crate) race: Option<Violation>,
    pub(crate) has_atomics: bool,
}

enum Feasible {
    Yes(Option<Model>),
    No,
}

/// A state in the middle of a move.
struct Work {
    state: SearchState,
    choices: Vec<u32>,
    has_moved: bool,
    /// Nothing has been done yet in this go.
    is_start: bool,
}

impl Engine<'_> {
    fn feasible(&mut self, memory: &Memory, more: Option<Term>) -> Feasible {
        let mut terms: Vec<Term> = memory.path_condition().collect();
        terms.extend(more);
        if terms.is_empty() {
            return Feasible::Yes(Some(Model::default()));
        }
        self.queries += 1;
        match self.solver.check(&terms) {
            Answer::Sat(model) => Feasible::Yes(Some(model)),
            Answer::Unsat(_) => Feasible::No,
            Answer::Unknown(reason) => {
                let reason = Reason::SolverGaveUp { solver: "embedded".into(), why: reason.to_string() };
                self.doubt(reason, Span::NONE, None);
                Feasible::Yes(None)
            }
        }
    }

    /// The state under a condition, if it is possible.
    fn under(&mut self, state: &SearchState, condition: Term) -> Option<SearchState> {
        match state.state.memory.decision(condition) {
            Some(true) => return Some(state.clone()),
            Some(false) => return None,
            None => {}
        }
        match self.feasible(&state.state.memory, Some(condition)) {
            Feasible::No => None,
            Feasible::Yes(_) => Some(self.assuming(state, condition)),
        }
    }

    fn assuming(&self, state: &SearchState, condition: Term) -> SearchState {
        let mut state = state.clone();
        self.machine.domain.assume(&mut state.state.memory, condition);
        if let Some((symbol, constant)) = self.machine.domain.definition(condition) {
            self.machine.domain.eliminate(&mut state.state, symbol, constant);
        }
        state
    }

    pub(crate) fn violation(
        &mut self,
        state: &SearchState,
        condition: Option<Term>,
        fault: Box<Fault>,
        span: Span,
    ) -> Option<Violation> {
        match self.feasible(&state.state.memory, condition) {
            Feasible::Yes(Some(model)) => {
                let inputs = state.state.memory.inputs().cloned().collect();
                Some(Violation { fault, span, inputs, model, end: None, race: None })
            }
            // The solver's doubt is recorded; without values there is nothing to replay.
            Feasible::Yes(None) | Feasible::No => None,
        }
    }

    /// All values that a term can have; none where there are too many or the solver gives up.
    fn values(&mut self, state: &SearchState, term: Term) -> Option<Vec<Term>> {
        let pool = self.machine.domain.pool.clone();
        let mut terms: Vec<Term> = state.state.memory.path_condition().collect();
        let mut constants = Vec::new();
        loop {
            self.queries += 1;
            match self.solver.check(&terms) {
                Answer::Unsat(_) => return Some(constants),
                Answer::Sat(model) if constants.len() < MOST_VALUES && !self.cancel.is_cancelled() => {
                    let value = quod_term::evaluate(&pool, term, &model)?;
                    let constant = pool.constant(value);
                    constants.push(constant);
                    terms.push(pool.not(pool.eq(term, constant)));
                }
                _ => return None,
            }
        }
    }

    /// Symbols of the term that the path condition leaves only one value get it.
    fn settle(&mut self, mut state: SearchState, term: Term) -> SearchState {
        const MOST_SYMBOLS: usize = 4;
        let pool = self.machine.domain.pool.clone();
        let symbols = pool.free_symbols(&[term]);
        if pool.op(term) == quod_term::Op::Symbol || symbols.len() > MOST_SYMBOLS {
            return state;
        }
        for symbol in symbols {
            let path: Vec<Term> = state.state.memory.path_condition().collect();
            self.queries += 2;
            let Answer::Sat(model) = self.solver.check(&path) else { return state };
            let Some(value) = quod_term::evaluate(&pool, symbol, &model) else { return state };
            let equation = pool.eq(symbol, pool.constant(value));
            let other: Vec<Term> = path.into_iter().chain([pool.not(equation)]).collect();
            if matches!(self.solver.check(&other), Answer::Unsat(_)) {
                state = self.assuming(&state, equation);
            }
        }
        state
    }

    pub(crate) fn asks(&self, kind: CheckKind) -> bool {
        self.kinds.contains(kind)
    }

    pub(crate) fn doubt_count(&self) -> usize {
        self.doubt_total
    }

    pub(crate) fn doubt(&mut self, reason: Reason, span: Span, diagnostic: Option<Diagnostic>) {
        self.doubt_total += 1;
        self.is_stopped |= self.cancel.is_cancelled();
        if self.doubts.len() < 100 {
            self.doubts.push((reason, span, diagnostic));
        }
    }

    /// A state goes on at `pc`: in the same move, or, where that ended it, as a state of its own.
    fn go_on(&mut self, mut item: Work, pc: u32, process: ProcessId, work: &mut Vec<Work>, outcomes: &mut Outcomes) {
        let state = &mut item.state.state;
        let is_boundary = self.machine.resume_at(state, process, pc);
        if is_boundary && state.atomic_owner != Some(process) && state.has_others(process) {
            self.machine.forget_temporaries(state, process);
            outcomes.push(Moved::Next(Step { process, choices: item.choices, nature: Nature::Whole }, item.state));
        } else {
            item.has_moved |= is_boundary;
            work.push(item);
        }
    }

    /// The process is blocked under what was found out on the way: the same state as before the move, knowing more.
    fn blocked(&mut self, start: &SearchState, item: &Work, process: ProcessId, outcomes: &mut Outcomes) {
        let (before, after) = (&start.state.memory, &item.state.state.memory);
        let more: Vec<Term> = after.path_condition().skip(before.path_condition().count()).collect();
        if more.is_empty() {
            return;
        }
        if before.fresh_count() != after.fresh_count() {
            let reason = Reason::Unsupported { what: "waiting for a condition on values made in the same move".into() };
            let span = self.machine.span(&item.state.state, process);
            return self.doubt(reason, span, None);
        }
        let mut state = start.clone();
        for condition in more {
            self.machine.domain.assume(&mut state.state.memory, condition);
        }
        outcomes.push(Moved::Next(Step { process, choices: Vec::new(), nature: Nature::Split }, state));
    }

    /// Nobody could move if messages were handed over.
    fn potential_deadlock(&mut self, state: &SearchState) -> Option<Violation> {
        if !self.kinds.contains(CheckKind::Deadlock) || state.is_exited {
            return None;
        }
        let waiting = deadlock::stuck(&mut self.machine, &state.state, true, self.is_strict)?;
        let span = self.machine.span(&state.state, waiting);
        let fault = Fault::new(CheckKind::Deadlock, "no process can move unless messages are kept on the way");
        self.violation(state, None, Box::new(fault.label("one of them waits here")), span)
    }

    /// The end of an execution, as a finding.
    fn end(&self, state: &SearchState) -> Violation {
        let memory = &state.state.memory;
        let program = self.machine.program;
        let mut outputs = Some(Vec::new());
        for (id, global) in program.globals.iter_enumerated() {
            if global.storage != Storage::Output {
                continue;
            }
            let address = self.machine.statics.globals.get(id.index());
            let contents = address.and_then(|address| self.machine.domain.contents(memory, address));
            match (&mut outputs, contents) {
                (Some(outputs), Some(cells)) => {
                    outputs.extend(cells.into_iter().map(|(at, term)| (format!("{}+{at}", global.name), term)));
                }
                _ => outputs = None,
            }
        }
        let end = Some((memory.path_condition().collect(), outputs));
        let fault = Box::new(Fault::new(CheckKind::Equivalence, "an execution ends"));
        let inputs = memory.inputs().cloned().collect();
        Violation { fault, span: Span::NONE, inputs, model: Model::default(), end, race: None }
    }

    /// The program ends here: what must not be left over?
    fn at_exit(&mut self, state: &SearchState, code: i32) -> Option<Violation> {
        const ABORTED: i32 = 134;
        if self.kinds.contains(CheckKind::LostMemory)
            && let Some((span, size)) = self.lost(state)
        {
            return self.violation(state, None, Box::new(crate::paths::lost(span, size)), span);
        }
        if !self.kinds.contains(CheckKind::MemoryLeak) {
            return None;
        }
        if code == ABORTED {
            if !self.machine.domain.heap_objects(&state.state.memory).is_empty() {
                let what = "memory that is left over when the program aborts".into();
                self.doubt(Reason::Unsupported { what }, Span::NONE, None);
            }
            return None;
        }
        let (span, size) = *self.machine.domain.heap_objects(&state.state.memory).first()?;
        let fault = leak(span, size);
        self.violation(state, None, Box::new(fault), span)
    }

    /// A heap object that no variable of any process leads to.
    fn lost(&mut self, state: &SearchState) -> Option<(Span, u64)> {
        let mut variables: Vec<&quod_exec::symbolic::Value> = Vec::new();
        for process in &state.state.processes {
            variables.extend(process.registers.iter().chain(&process.result));
            variables.extend(process.thread_locals.values());
        }
        self.machine.domain.lost_object(&state.state.memory, variables.into_iter())
    }

    pub(crate) fn run(&mut self, state: &SearchState, process: ProcessId) -> Outcomes {
        let mut outcomes = Vec::new();
        if self.is_synchronous
            && let Some(violation) = self.potential_deadlock(state)
        {
            outcomes.push(Moved::Found(Step { process, choices: Vec::new(), nature: Nature::Split }, violation));
        }
        let mut start = state.clone();
        // A blocked block let others in; who goes on inside a block has it again.
        let is_inside = {
            let process = &start.state.processes[process.index()];
            process.atomic_depth > 0 || process.atom_depth > 0
        };
        start.state.atomic_owner = is_inside.then_some(process);
        let mut forks = 0;
        let mut work = vec![Work { state: start.clone(), choices: Vec::new(), has_moved: false, is_start: true }];
        while let Some(mut item) = work.pop() {
            if self.cancel.is_cancelled() {
                // What is not looked at is not at rest.
                self.is_active = true;
                self.doubt(Reason::Timeout, Span::NONE, None);
                break;
            }
            self.machine.has_moved = item.has_moved;
            let event = self.machine.run_process(&mut item.state.state, process, FUEL, true);
            item.has_moved = self.machine.has_moved;
            self.is_active |= !matches!(event, Event::Blocked);
            self.processes = self.processes.max(item.state.state.processes.len());
            if let Some(limit) = self.most_processes.filter(|&limit| running(&item.state.state) > limit) {
                let bound = quod_verdict::Bound { what: "processes".into(), limit: limit.to_string() };
                let span = self.machine.span(&item.state.state, process);
                self.doubt(Reason::BoundReached { bound }, span, None);
                continue;
            }
            let step = |choices: &[u32], nature| Step { process, choices: choices.to_vec(), nature };
            if !matches!(event, Event::Moved | Event::Ended | Event::Yielded | Event::Blocked) {
                forks += 1;
            }
            match event {
                Event::Moved | Event::Ended | Event::Yielded => {
                    // Who yields inside an atomic block lets others in.
                    if matches!(event, Event::Yielded) {
                        item.state.state.atomic_owner = None;
                    }
                    self.machine.forget_temporaries(&mut item.state.state, process);
                    outcomes.push(Moved::Next(step(&item.choices, Nature::Whole), item.state));
                }
                Event::Paused => outcomes.push(Moved::Next(step(&item.choices, Nature::Part), item.state)),
                Event::Blocked => self.blocked(&start, &item, process, &mut outcomes),
                Event::Vanished => self.is_pruned = true,
                Event::Exited(code) => {
                    item.state.is_exited = true;
                    match self.at_exit(&item.state, code) {
                        Some(violation) => outcomes.push(Moved::Found(step(&item.choices, Nature::Whole), violation)),
                        None if self.ends == Ends::Kept => {
                            let end = self.end(&item.state);
                            outcomes.push(Moved::Found(step(&item.choices, Nature::Whole), end));
                        }
                        None => outcomes.push(Moved::Next(step(&item.choices, Nature::Whole), item.state)),
                    }
                }
                Event::Fork { condition, yes, no } => {
                    let negated = self.machine.domain.pool.not(condition);
                    // Where one way is impossible, the other is the only one and needs no question.
                    let no_way = self.under(&item.state, negated);
                    let yes_way = match no_way {
                        Some(_) => self.under(&item.state, condition),
                        None => {
                            self.machine.domain.note(&mut item.state.state.memory, condition);
                            Some(item.state.clone())
                        }
                    };
                    for (way, pc) in [(no_way, no), (yes_way, yes)] {
                        if let Some(state) = way {
                            let item = Work {
                                state,
                                choices: item.choices.clone(),
                                has_moved: item.has_moved,
                                is_start: false,
                            };
                            self.go_on(item, pc, process, &mut work, &mut outcomes);
                        }
                    }
                }
                Event::Split(conditions) => {
                    for condition in conditions.into_iter().rev() {
                        if let Some(state) = self.under(&item.state, condition) {
                            work.push(Work {
                                state,
                                choices: item.choices.clone(),
                                has_moved: item.has_moved,
                                is_start: false,
                            });
                        }
                    }
                }
                Event::Values(term) => match self.values(&item.state, term) {
                    Some(constants) => {
                        for constant in constants.into_iter().rev() {
                            let condition = self.machine.domain.pool.eq(term, constant);
                            let mut state = self.assuming(&item.state, condition);
                            // The condition may have been written otherwise (`N = 2` for `8 * N = 16`).
                            self.machine.domain.know(&mut state.state.memory, term, constant);
                            let state = self.settle(state, term);
                            work.push(Work {
                                state,
                                choices: item.choices.clone(),
                                has_moved: item.has_moved,
                                is_start: false,
                            });
                        }
                    }
                    None => {
                        let what = "a number that must be known here and can have too many values".into();
                        let span = self.machine.span(&item.state.state, process);
                        self.doubt(Reason::Unsupported { what }, span, None);
                    }
                },
                Event::Pick(count) => {
                    if count > MOST_VALUES as i128 {
                        let span = self.machine.span(&item.state.state, process);
                        self.doubt(Reason::Unsupported { what: format!("a choice of {count}") }, span, None);
                        continue;
                    }
                    // Ways that lead to the same choice meet there: the search knows its states.
                    let is_alone =
                        item.state.state.atomic_owner == Some(process) || !item.state.state.has_others(process);
                    if !item.is_start && is_alone {
                        outcomes.push(Moved::Next(step(&item.choices, Nature::Part), item.state));
                        continue;
                    }
                    for pick in (0..count).rev() {
                        let mut state = item.state.clone();
                        state.state.world.pick = Some(pick);
                        let choices = item.choices.iter().copied().chain([pick as u32]).collect();
                        work.push(Work { state, choices, has_moved: item.has_moved, is_start: false });
                    }
                }
                Event::Choose(targets) => {
                    for (choice, target) in targets.into_iter().enumerate().rev() {
                        let choices = item.choices.iter().copied().chain([choice as u32]).collect();
                        let item =
                            Work { state: item.state.clone(), choices, has_moved: item.has_moved, is_start: false };
                        self.go_on(item, target, process, &mut work, &mut outcomes);
                    }
                }
                Event::Doubt { condition, fault, span, next } => {
                    let negated = self.machine.domain.pool.not(condition);
                    if let Some(violation) = self.violation(&item.state, Some(negated), fault, span) {
                        outcomes.push(Moved::Found(step(&item.choices, Nature::Whole), violation));
                    }
                    if let Some(state) = self.under(&item.state, condition) {
                        self.go_on(Work { state, is_start: false, ..item }, next, process, &mut work, &mut outcomes);
                    }
                }
                Event::Assume { condition, next } => {
                    self.is_pruned = true;
                    if let Some(state) = self.under(&item.state, condition) {
                        self.go_on(Work { state, is_start: false, ..item }, next, process, &mut work, &mut outcomes);
                    }
                }
                Event::Fault(fault, _)
                    if fault.kind == CheckKind::UnreachableReached && !self.kinds.contains(fault.kind) =>
                {
                    // Behind an assertion that nobody asks for, or another call that does not return.
                    item.state.is_exited = true;
                    match self.at_exit(&item.state, 134) {
                        Some(violation) => outcomes.push(Moved::Found(step(&item.choices, Nature::Whole), violation)),
                        None => outcomes.push(Moved::Next(step(&item.choices, Nature::Whole), item.state)),
                    }
                }
                Event::Fault(fault, span) => {
                    let kind = fault.kind;
                    if kind != CheckKind::Unsupported && self.kinds.contains(kind) {
                        let violation = self.violation(&item.state, None, fault, span);
                        let found = violation.map(|found| Moved::Found(step(&item.choices, Nature::Whole), found));
                        outcomes.extend(found);
                    } else {
                        let reason = Reason::Unsupported { what: fault.message.clone() };
                        self.doubt(reason, span, Some(fault.into_diagnostic(span)));
                    }
                }
                Event::Cancelled => {
                    self.stopped_at = self.machine.span(&item.state.state, process);
                    self.doubt(Reason::Timeout, self.stopped_at, None);
                }
            }
            if forks >= MOST_FORKS {
                // Loops that fork for ever must come back to the search, which knows its states.
                for item in work.drain(..).rev() {
                    let step = Step { process, choices: item.choices, nature: Nature::Part };
                    outcomes.push(Moved::Next(step, item.state));
                }
            }
        }
        outcomes
    }

    /// Where the first process that has not ended stands.
    fn place(&self, state: &SearchState) -> Span {
        let processes = &state.state.processes;
        let running = processes.iter().position(|process| process.status == Status::Running);
        let span = running.map(|index| self.machine.span(&state.state, ProcessId::from_index(index)));
        span.filter(|span| *span != Span::NONE).unwrap_or(self.stopped_at)
    }

    fn conclude(
        &mut self,
        report: quod_explore::Report<SearchState, Step, Violation>,
        program: &Program,
        options: &Options,
    ) -> Outcome {
        let mut found = report.found;
        found.sort_by_key(|found| found.path.len());
        let mut confirmed: Vec<(Span, Confirmed)> = Vec::new();
        let mut unconfirmed = None;
        for found in found {
            let (kind, span) = (found.finding.fault.kind, found.finding.span);
            if confirmed.iter().any(|(at, known)| *at == span && known.kind == kind) {
                continue;
            }
            let mut schedule = Schedule::new(&self.solver, &found.path, &found.finding.inputs, &found.finding.model);
            schedule.is_synchronous = self.is_synchronous;
            schedule.cycle = found.cycle;
            schedule.is_strict = self.is_strict;
            let replayed = match found.finding.race {
                Some(processes) => replay::confirm_race(program, options, &schedule, processes)
                    .map(|evidence| (found.finding.fault.clone().into_diagnostic(span), evidence)),
                None => replay::confirm(program, options, &schedule, kind),
            };
            match replayed {
                Some((diagnostic, evidence)) => {
                    let evidence = Box::new(evidence);
                    confirmed.push((span, Confirmed { kind, diagnostic, schedule, evidence }));
                }
                None if unconfirmed.is_none() => unconfirmed = Some(found.finding),
                None => {}
            }
        }
        let mut confirmed = confirmed.into_iter().map(|(_, confirmed)| confirmed);
        if let Some(Confirmed { kind, diagnostic, schedule, evidence }) = confirmed.next() {
            return Outcome::Violated { kind, diagnostic, schedule, evidence, others: confirmed.collect() };
        }
        if let Some(finding) = unconfirmed {
            let reason = Reason::PossibleViolation { kind: finding.fault.kind.word().into() };
            let diagnostic = Some(finding.fault.into_diagnostic(finding.span));
            return Outcome::Unknown { reason, span: finding.span, diagnostic };
        }
        if report.is_cancelled || self.is_stopped {
            let reason = limits::stopped(options);
            let span = report.at.map_or(self.stopped_at, |state| self.place(&state));
            return Outcome::Unknown { reason, span, diagnostic: None };
        }
        if report.is_exhausted {
            let bound = quod_verdict::Bound { what: "work".into(), limit: self.work.to_string() };
            return Outcome::Unknown { reason: Reason::BoundReached { bound }, span: Span::NONE, diagnostic: None };
        }
        if report.statistics.cut > 0 {
            let limit = options.depth.map_or(String::new(), |depth| depth.to_string());
            let bound = quod_verdict::Bound { what: "depth".into(), limit };
            return Outcome::Unknown { reason: Reason::BoundReached { bound }, span: Span::NONE, diagnostic: None };
        }
        if report.statistics.preemptions_cut > 0 {
            let limit = options.preemptions.map_or(String::new(), |bound| bound.to_string());
            let bound = quod_verdict::Bound { what: "preemptions".into(), limit };
            return Outcome::Unknown { reason: Reason::BoundReached { bound }, span: Span::NONE, diagnostic: None };
        }
        if self.arguments {
            let what = "the arguments of `main`".into();
            self.doubt(Reason::Unsupported { what }, Span::NONE, None);
        }
        match self.doubts.drain(..).next() {
            Some((reason, span, diagnostic)) => Outcome::Unknown { reason, span, diagnostic },
            None => Outcome::Holds,
        }
    }
}

/// Processes that have not ended.
fn running(state: &State<SymbolicDomain>) -> usize {
    state.processes.iter().filter(|process| process.status == Status::Running).count()
}

pub(crate) fn leak(span: Span, size: u64) -> Fault {
    Fault::new(CheckKind::MemoryLeak, "memory is never freed")
        .label(format!("{size} bytes were allocated here and are left when the program ends"))
        .at(span)
}

impl System for Engine<'_> {
    type State = SearchState;
    type Move = Step;
    type Finding = Violation;
    type Process = ProcessId;

    fn processes(&mut self, state: &SearchState) -> Vec<ProcessId> {
        self.is_active = false;
        self.show(state);
        if state.is_exited {
            return Vec::new();
        }
        let processes = &state.state.processes;
        if let Some(owner) = state.state.atomic_owner
            && processes[owner.index()].status == Status::Running
        {
            if self.is_strict || !state.state.has_others(owner) {
                return vec![owner];
            }
            // Inside an atomic block nobody else moves, unless the block cannot go on.
            let mut probe = state.state.clone();
            self.machine.has_moved = false;
            if !matches!(self.machine.run_process(&mut probe, owner, FUEL, true), Event::Blocked) {
                return vec![owner];
            }
        }
        let is_running = |id: &ProcessId| processes[id.index()].status == Status::Running;
        let running: Vec<ProcessId> = (0..processes.len()).map(ProcessId::from_index).filter(is_running).collect();
        if self.kinds.contains(CheckKind::DataRace) {
            self.look_for_race(state, &running);
        }
        running
    }

    fn outcomes(&mut self, state: &SearchState, process: ProcessId) -> Outcomes {
        if let Some(race) = self.take_race() {
            // Nothing moves: the state itself is what is wrong.
            return vec![Moved::Found(Step { process, choices: Vec::new(), nature: Nature::Split }, race)];
        }
        // Made anew for each state that is expanded, in the same place: the address tells the state.
        if let Some(looked) = self.looked.as_mut().filter(|looked| std::ptr::eq(looked.state, state))
            && let Some(index) = looked.moves.iter().position(|(known, _)| *known == process)
        {
            return looked.moves.swap_remove(index).1;
        }
        self.run_visible(state, process)
    }

    fn ample(&mut self, state: &SearchState, processes: &[ProcessId]) -> Option<Vec<ProcessId>> {
        if self.race.is_some() {
            return None;
        }
        self.looked = None;
        if processes.len() < 2 {
            return None;
        }
        self.independent(state, processes).map(|process| vec![process])
    }

    fn at_end(&mut self, state: &SearchState) -> Option<Violation> {
        if state.is_exited {
            return None;
        }
        let Some(stuck) = state.state.processes.iter().position(|process| process.status == Status::Running) else {
            return self.at_exit(state, 0);
        };
        if self.kinds.contains(CheckKind::Termination) && !self.kinds.contains(CheckKind::Deadlock) {
            let what = "whether an execution that waits for ever has ended".into();
            self.doubt(Reason::Unsupported { what }, Span::NONE, None);
        }
        // Executions that ended in a doubt or an assumption have not come to rest here.
        if self.is_active || !self.kinds.contains(CheckKind::Deadlock) {
            return None;
        }
        let process = ProcessId::from_index(stuck);
        let span = self.machine.span(&state.state, process);
        let fault = Fault::new(CheckKind::Deadlock, "no process can move").label("one of them waits here");
        self.violation(state, None, Box::new(fault), span)
    }

    fn at_cycle(&mut self, state: &SearchState) -> Option<Violation> {
        if !self.kinds.contains(CheckKind::Termination) {
            return None;
        }
        let processes = &state.state.processes;
        let running = processes.iter().position(|process| process.status == Status::Running)?;
        let span = self.machine.span(&state.state, ProcessId::from_index(running));
        let fault =
            Fault::new(CheckKind::Termination, "an execution does not end").label("it comes back here for ever");
        self.violation(state, None, Box::new(fault), span)
    }

    fn is_void(&self) -> bool {
        self.written.is_void
    }

    fn is_exhausted(&self) -> bool {
        self.machine.steps.saturating_add(self.queries.saturating_mul(QUERY_WORK)) > self.work
    }

    fn record(&mut self, state: &SearchState) -> Vec<u8> {
        fingerprint::record(&state.state, state.is_exited)
    }

    fn fingerprint(&mut self, state: &SearchState) -> Option<Fingerprint> {
        Some(fingerprint::of(&self.machine.domain.pool, &state.state, state.is_exited))
    }
}
