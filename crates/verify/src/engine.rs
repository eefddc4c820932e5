//! The fork policy: one path, one state. A move of a process is run until its next interruptible point; on the way, each
//! open condition splits the state, and infeasible parts are dropped.

use crate::fingerprint;
use crate::replay::{self, Schedule};
use quod_base::{Fingerprint, Id, Span};
use quod_diag::Diagnostic;
use quod_exec::fault::Fault;
use quod_exec::machine::{Event, Machine, Settings};
use quod_exec::state::{ProcessId, State, Status};
use quod_exec::symbolic::{Memory, SymbolicDomain};
use quod_explore::{Order, Outcome as Moved, System};
use quod_model::ir::{Arithmetic, Program};
use quod_solver::{Answer, Model, Solver};
use quod_term::{Term, TermPool};
use quod_verdict::{CancelToken, CheckKind, KindSet, Reason};
use std::sync::Arc;

pub struct Options {
    /// What counts as a violation.
    pub kinds: KindSet,
    pub is_breadth_first: bool,
    pub is_minimal: bool,
    pub is_reduced: bool,
    pub depth: Option<u64>,
    pub cancel: CancelToken,
}

#[derive(Clone, Debug, Default)]
pub struct Statistics {
    pub search: quod_explore::Statistics,
    pub solver_queries: u64,
    pub steps: u64,
}

/// What was found, before it is put into words and files.
pub enum Outcome {
    Holds,
    /// Replayed on concrete values: the kind, its diagnostic, and the values that the outside chose.
    Violated {
        kind: CheckKind,
        diagnostic: Diagnostic,
        schedule: Schedule,
    },
    Unknown {
        reason: Reason,
        span: Span,
        diagnostic: Option<Diagnostic>,
    },
}

/// Operations that a process may make in one go where it runs alone.
const FUEL: u64 = 1 << 16;

pub fn verify(program: &Program, options: &Options) -> (Outcome, Statistics) {
    let pool = Arc::new(TermPool::new());
    let is_ideal = program.arithmetic == Arithmetic::Ideal;
    let domain = SymbolicDomain::new(pool.clone(), program.types.data_model, is_ideal);
    let settings = Settings { checks: options.kinds, ..Settings::default() };
    let (machine, mut state) = Machine::new(program, domain, settings, replay::silent());
    let mut engine = Engine {
        machine,
        solver: Solver::new(pool),
        kinds: options.kinds,
        doubts: Vec::new(),
        queries: 0,
        is_concurrent: replay::is_concurrent(program),
    };
    quod_exec::begin(&mut engine.machine, &mut state);
    let initial = vec![SearchState { state, is_exited: false }];
    let search_options = quod_explore::Options {
        order: if options.is_breadth_first { Order::BreadthFirst } else { Order::DepthFirst },
        depth: options.depth,
        findings: 1,
        is_minimal: options.is_minimal,
        is_reduced: options.is_reduced,
    };
    let report = quod_explore::search(&mut engine, initial, &search_options, &options.cancel);
    let statistics =
        Statistics { search: report.statistics.clone(), solver_queries: engine.queries, steps: engine.machine.steps };
    let outcome = engine.conclude(report, program, options);
    (outcome, statistics)
}

/// A violation on a path, with values for its inputs.
pub(crate) struct Violation {
    fault: Box<Fault>,
    span: Span,
    inputs: Vec<quod_exec::symbolic::Input>,
    model: Model,
}

/// A move in a trace: which process.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) process: ProcessId,
    pub(crate) choices: Vec<u32>,
}

#[derive(Clone)]
pub(crate) struct SearchState {
    pub(crate) state: State<SymbolicDomain>,
    is_exited: bool,
}

type Doubt = (Reason, Span, Option<Diagnostic>);

struct Engine<'p> {
    machine: Machine<'p, SymbolicDomain>,
    solver: Solver,
    kinds: KindSet,
    /// Why the answer cannot be "holds".
    doubts: Vec<Doubt>,
    queries: u64,
    is_concurrent: bool,
}

enum Feasible {
    Yes(Option<Model>),
    No,
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
                self.doubts.push((
                    Reason::SolverGaveUp { solver: "embedded".into(), why: reason.to_string() },
                    Span::NONE,
                    None,
                ));
                Feasible::Yes(None)
            }
        }
    }

    /// The state under a condition, if it is possible.
    fn under(&mut self, state: &SearchState, condition: Term) -> Option<SearchState> {
        match self.feasible(&state.state.memory, Some(condition)) {
            Feasible::No => None,
            Feasible::Yes(_) => {
                let mut state = state.clone();
                self.machine.domain.assume(&mut state.state.memory, condition);
                Some(state)
            }
        }
    }

    fn violation(
        &mut self,
        state: &SearchState,
        condition: Option<Term>,
        fault: Box<Fault>,
        span: Span,
    ) -> Option<Violation> {
        match self.feasible(&state.state.memory, condition) {
            Feasible::Yes(Some(model)) => {
                let inputs = state.state.memory.inputs().cloned().collect();
                Some(Violation { fault, span, inputs, model })
            }
            // The solver's doubt is recorded; without values there is nothing to replay.
            Feasible::Yes(None) | Feasible::No => None,
        }
    }

    /// A state goes on at `pc`: in the same move, or, where that ended it, as a state of its own.
    fn go_on(
        &mut self,
        mut state: SearchState,
        pc: u32,
        step: Step,
        is_alone: bool,
        work: &mut Vec<(SearchState, Vec<u32>)>,
        outcomes: &mut Vec<Moved<SearchState, Step, Violation>>,
    ) {
        let is_over = self.machine.resume_at(&mut state.state, step.process, pc);
        if is_over && !is_alone {
            outcomes.push(Moved::Next(step, state));
        } else {
            work.push((state, step.choices));
        }
    }

    fn doubt(&mut self, reason: Reason, span: Span, diagnostic: Option<Diagnostic>) {
        if self.doubts.len() < 100 {
            self.doubts.push((reason, span, diagnostic));
        }
    }

    fn conclude(
        &mut self,
        report: quod_explore::Report<Step, Violation>,
        program: &Program,
        options: &Options,
    ) -> Outcome {
        if let Some(found) = report.found.into_iter().next() {
            let schedule = Schedule::new(&self.solver, &found.path, &found.finding.inputs, &found.finding.model);
            let kind = found.finding.fault.kind;
            match replay::confirm(program, options.kinds, &schedule, kind) {
                Some(diagnostic) => return Outcome::Violated { kind, diagnostic, schedule },
                None => {
                    let diagnostic = found.finding.fault.into_diagnostic(found.finding.span);
                    let reason = Reason::PossibleViolation { kind: kind.word().into() };
                    return Outcome::Unknown { reason, span: found.finding.span, diagnostic: Some(diagnostic) };
                }
            }
        }
        if report.is_cancelled {
            return Outcome::Unknown { reason: Reason::Timeout, span: Span::NONE, diagnostic: None };
        }
        if report.statistics.cut > 0 {
            let limit = options.depth.map_or(String::new(), |depth| depth.to_string());
            let bound = quod_verdict::Bound { what: "depth".into(), limit };
            return Outcome::Unknown { reason: Reason::BoundReached { bound }, span: Span::NONE, diagnostic: None };
        }
        match self.doubts.drain(..).next() {
            Some((reason, span, diagnostic)) => Outcome::Unknown { reason, span, diagnostic },
            None => Outcome::Holds,
        }
    }
}

impl System for Engine<'_> {
    type State = SearchState;
    type Move = Step;
    type Finding = Violation;
    type Process = ProcessId;

    fn processes(&mut self, state: &SearchState) -> Vec<ProcessId> {
        if state.is_exited {
            return Vec::new();
        }
        let processes = &state.state.processes;
        if let Some(owner) = state.state.atomic_owner
            && processes[owner.index()].status == Status::Running
        {
            // Inside an atomic block nobody else moves, unless the block cannot go on.
            let mut probe = state.state.clone();
            if !matches!(self.machine.run_process(&mut probe, owner, FUEL, true), Event::Blocked) {
                return vec![owner];
            }
        }
        let is_running = |id: &ProcessId| processes[id.index()].status == Status::Running;
        let running: Vec<ProcessId> = (0..processes.len()).map(ProcessId::from_index).filter(is_running).collect();
        running
    }

    fn outcomes(&mut self, state: &SearchState, process: ProcessId) -> Vec<Moved<SearchState, Step, Violation>> {
        let is_alone = !self.is_concurrent;
        let mut outcomes = Vec::new();
        let mut start = state.clone();
        // A blocked block let others in; who goes on inside a block has it again.
        start.state.atomic_owner = (start.state.processes[process.index()].atomic_depth > 0).then_some(process);
        let mut work = vec![(start, Vec::new())];
        while let Some((mut state, choices)) = work.pop() {
            let step = Step { process, choices: choices.clone() };
            let event = self.machine.run_process(&mut state.state, process, FUEL, !is_alone);
            match event {
                Event::Moved | Event::Ended | Event::Yielded => outcomes.push(Moved::Next(step, state)),
                Event::Blocked | Event::Vanished => {}
                Event::Exited(_) => {
                    state.is_exited = true;
                    outcomes.push(Moved::Next(step, state));
                }
                Event::Fork { condition, yes, no } => {
                    let negated = self.machine.domain.pool.not(condition);
                    // Where one way is impossible, the other is the only one and needs no question.
                    let no_way = self.under(&state, negated);
                    let yes_way = match no_way {
                        Some(_) => self.under(&state, condition),
                        None => Some(state),
                    };
                    for (way, pc) in [(no_way, no), (yes_way, yes)] {
                        if let Some(way) = way {
                            self.go_on(way, pc, step.clone(), is_alone, &mut work, &mut outcomes);
                        }
                    }
                }
                Event::Split(conditions) => {
                    for condition in conditions.into_iter().rev() {
                        work.extend(self.under(&state, condition).map(|state| (state, choices.clone())));
                    }
                }
                Event::Choose(targets) => {
                    for (choice, target) in targets.into_iter().enumerate().rev() {
                        let mut step = step.clone();
                        step.choices.push(choice as u32);
                        self.go_on(state.clone(), target, step, is_alone, &mut work, &mut outcomes);
                    }
                }
                Event::Doubt { condition, fault, span, next } => {
                    let negated = self.machine.domain.pool.not(condition);
                    if let Some(violation) = self.violation(&state, Some(negated), fault, span) {
                        outcomes.push(Moved::Found(step.clone(), violation));
                    }
                    if let Some(state) = self.under(&state, condition) {
                        self.go_on(state, next, step, is_alone, &mut work, &mut outcomes);
                    }
                }
                Event::Assume { condition, next } => {
                    if let Some(state) = self.under(&state, condition) {
                        self.go_on(state, next, step, is_alone, &mut work, &mut outcomes);
                    }
                }
                Event::Fault(fault, span) => {
                    let kind = fault.kind;
                    if kind != CheckKind::Unsupported && self.kinds.contains(kind) {
                        outcomes.extend(
                            self.violation(&state, None, fault, span).map(|violation| Moved::Found(step, violation)),
                        );
                    } else {
                        let reason = Reason::Unsupported { what: fault.message.clone() };
                        self.doubt(reason, span, Some(fault.into_diagnostic(span)));
                    }
                }
                Event::Cancelled => {
                    self.doubt(Reason::Timeout, Span::NONE, None);
                }
            }
        }
        outcomes
    }

    fn at_end(&mut self, state: &SearchState) -> Option<Violation> {
        if state.is_exited || !self.kinds.contains(CheckKind::Deadlock) {
            return None;
        }
        let stuck = state.state.processes.iter().position(|process| process.status == Status::Running)?;
        let process = ProcessId::from_index(stuck);
        let span = self.machine.span(&state.state, process);
        let fault = Fault::new(CheckKind::Deadlock, "no process can move").label("one of them waits here");
        self.violation(state, None, Box::new(fault), span)
    }

    fn fingerprint(&mut self, state: &SearchState) -> Option<Fingerprint> {
        Some(fingerprint::of(&self.machine.domain.pool, &state.state, state.is_exited))
    }
}
