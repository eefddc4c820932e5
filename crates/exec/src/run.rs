//! Runs a program on concrete values, with a scheduler for its processes.

use crate::concrete::{Concrete, Inputs};
use crate::domain::Domain;
use crate::fault::Fault;
use crate::io::Io;
use crate::library::native::Native;
use crate::machine::{Event, Machine, Settings};
use crate::state::{ProcessId, State, Status};
use quod_base::{Id, Span};
use quod_diag::Diagnostic;
use quod_model::ir::Program;
use quod_verdict::{CheckKind, KindSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub struct RunOptions {
    /// `argv`, the program's name first.
    pub arguments: Vec<Vec<u8>>,
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// Random schedules and unknown values; without it the first process that can move moves.
    pub seed: Option<u64>,
    pub inputs: Inputs,
    pub checks: KindSet,
    /// Operations after which the run is given up.
    pub step_limit: Option<u64>,
    /// Bytes that the program's objects may take together.
    pub memory_limit: u64,
    /// A request for more gives a null pointer.
    pub object_limit: u64,
    pub depth_limit: usize,
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            arguments: vec![b"program".to_vec()],
            environment: Vec::new(),
            seed: None,
            inputs: Inputs::default(),
            checks: KindSet::all(),
            step_limit: None,
            memory_limit: 4 << 30,
            object_limit: 2 << 30,
            depth_limit: 1 << 19,
            cancel: None,
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug)]
pub enum RunEnd {
    /// The program ended with this code.
    Exited(i32),
    /// It did something that is not allowed, or that the tool does not support (then the kind is `Unsupported`).
    Stopped {
        kind: CheckKind,
        diagnostic: Box<Diagnostic>,
    },
    /// An assumption was false: there is no such execution.
    Vanished,
    StepLimit,
    Cancelled,
}

#[derive(Clone, Debug)]
pub struct RunReport {
    pub end: RunEnd,
    /// Operations that were executed.
    pub steps: u64,
    pub processes: usize,
    /// Heap objects that were never freed: where each was allocated and its size.
    pub leaks: Vec<(Span, u64)>,
    /// `main` was called.
    pub has_begun: bool,
    /// Values that nobody gave, where they were asked for: of which input or function, in order.
    pub chosen: Vec<(quod_base::Symbol, crate::InputValue)>,
}

/// Operations of one process before another may run, where there are several.
const QUANTUM: u64 = 200;

pub fn run(program: &Program, io: &mut dyn Io, options: RunOptions) -> RunReport {
    let mut inputs = options.inputs;
    if inputs.seed.is_none() {
        inputs.seed = options.seed;
    }
    let keeps_chosen = inputs.most.is_some();
    let mut domain = Concrete::new(program.types.data_model, options.memory_limit, inputs);
    domain.given = keeps_chosen.then(Vec::new);
    let settings = Settings {
        checks: options.checks,
        maximal_depth: options.depth_limit,
        maximal_object: options.object_limit,
        cancel: options.cancel,
        is_driven: false,
        arguments: options.arguments,
        any_arguments: None,
        environment: options.environment,
    };
    let (mut machine, mut state) = Machine::new(program, domain, settings, Box::new(io));
    if let Some(seed) = options.seed {
        state.world.random ^= seed.wrapping_mul(0x2545_f491_4f6c_dd1d);
    }
    begin(&mut machine, &mut state);
    let limit = options.step_limit.unwrap_or(u64::MAX);
    let end = schedule(&mut machine, &mut state, options.seed.is_some(), limit);
    let first = state.processes.first().and_then(|process| process.frames.first());
    let first = first.and_then(|frame| frame.native.as_deref());
    RunReport {
        end,
        steps: machine.steps,
        processes: state.processes.len(),
        leaks: crate::domain::Domain::heap_objects(&machine.domain, &state.memory),
        has_begun: !matches!(first, Some(Native::Start { phase: 0 | 1 })),
        chosen: machine.domain.given.take().unwrap_or_default(),
    }
}

/// Puts the first process before the program's beginning: it initialises the globals, calls `main`, and exits.
pub fn begin<D: Domain>(machine: &mut Machine<'_, D>, state: &mut State<D>) {
    let initialiser = machine.program.initialiser;
    machine.push_native(state, ProcessId::from_index(0), initialiser, Native::Start { phase: 0 });
}

fn schedule(machine: &mut Machine<'_, Concrete>, state: &mut State<Concrete>, is_random: bool, limit: u64) -> RunEnd {
    let mut current = ProcessId::from_index(0);
    // Processes that could not move since the last move of any.
    let mut stuck = 0usize;
    loop {
        if machine.steps >= limit {
            return RunEnd::StepLimit;
        }
        let live = state.processes.iter().filter(|process| process.status == Status::Running).count();
        if live == 0 {
            // The main thread left with `pthread_exit`.
            return RunEnd::Exited(0);
        }
        let fuel = if live == 1 {
            1_000_000
        } else if is_random {
            1 + state.world.next_random() % QUANTUM
        } else {
            QUANTUM
        };
        let before = machine.steps;
        let event = machine.run_process(state, current, fuel, false);
        let moved = machine.steps > before;
        match event {
            Event::Moved | Event::Paused | Event::Yielded => {
                stuck = 0;
                state.world.time_passes = false;
            }
            Event::Ended => {
                if moved {
                    stuck = 0;
                } else {
                    stuck += 1;
                }
            }
            Event::Choose(alternatives) => {
                stuck = 0;
                let index = if is_random { state.world.next_random() as usize % alternatives.len() } else { 0 };
                if let Some(frame) = state.processes[current.index()].frames.last_mut() {
                    frame.pc = alternatives[index];
                }
                continue;
            }
            Event::Blocked => {
                // Guards cost operations, too: a blocked process has moved only if it got somewhere before.
                if machine.steps > before + 64 {
                    stuck = 0;
                } else {
                    stuck += 1;
                }
                if state.atomic_owner == Some(current) {
                    // A blocked atomic block lets others in.
                    state.atomic_owner = None;
                }
            }
            Event::Exited(code) => return RunEnd::Exited(code),
            Event::Fault(fault, span) => return stopped(machine, state, current, *fault, span),
            Event::Vanished => return RunEnd::Vanished,
            Event::Cancelled => return RunEnd::Cancelled,
            Event::Fork { condition, .. }
            | Event::Doubt { condition, .. }
            | Event::Assume { condition, .. }
            | Event::Values(condition) => match condition {},
            Event::Split(_) | Event::Pick(_) | Event::Quantify(_) => return RunEnd::Cancelled,
        }
        if stuck > 2 * state.processes.len() + 2 {
            if state.world.time_passes {
                return deadlock(machine, state);
            }
            state.world.time_passes = true;
            stuck = 0;
        }
        current = next(state, current, is_random);
    }
}

/// Who moves next: the owner of an atomic block, else the next in turn or any.
fn next(state: &mut State<Concrete>, current: ProcessId, is_random: bool) -> ProcessId {
    if let Some(owner) = state.atomic_owner
        && state.processes[owner.index()].status == Status::Running
    {
        return owner;
    }
    let count = state.processes.len();
    let start = if is_random { state.world.next_random() as usize % count } else { current.index() + 1 };
    (0..count)
        .map(|step| (start + step) % count)
        .find(|&index| state.processes[index].status == Status::Running)
        .map_or(current, ProcessId::from_index)
}

fn stopped(
    machine: &Machine<'_, Concrete>,
    state: &State<Concrete>,
    process: ProcessId,
    fault: Fault,
    span: Span,
) -> RunEnd {
    let kind = fault.kind;
    let mut diagnostic = fault.into_diagnostic(span);
    let trace = machine.backtrace(state, process);
    for (function, place) in trace.iter().skip(1).take(8) {
        let name = machine.program.functions[*function].name;
        diagnostic = diagnostic.label(*place, format!("called from `{name}`"));
    }
    if trace.len() > 9 {
        diagnostic = diagnostic.note(format!("{} more calls are active", trace.len() - 9));
    }
    if state.processes.len() > 1 {
        diagnostic = diagnostic.note(format!("this is process {} of {}", process.index(), state.processes.len()));
    }
    RunEnd::Stopped { kind, diagnostic: Box::new(diagnostic) }
}

fn deadlock(machine: &Machine<'_, Concrete>, state: &State<Concrete>) -> RunEnd {
    let waiting: Vec<ProcessId> = (0..state.processes.len())
        .map(ProcessId::from_index)
        .filter(|id| state.processes[id.index()].status == Status::Running)
        .collect();
    let mut fault = Fault::new(CheckKind::Deadlock, "deadlock: no process can move");
    let mut first = Span::NONE;
    for (index, &id) in waiting.iter().enumerate() {
        let span = machine.span(state, id);
        if index == 0 {
            first = span;
            fault = fault.label(format!("process {} waits here", id.index()));
        } else {
            fault = fault.place(span, format!("process {} waits here", id.index()));
        }
    }
    RunEnd::Stopped { kind: CheckKind::Deadlock, diagnostic: Box::new(fault.into_diagnostic(first)) }
}
