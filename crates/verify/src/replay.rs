//! A violation is believed when it happens on concrete values: the same moves of the same processes, with the values that
//! the solver's model gives to what the outside chose.

use crate::engine::Step as Move;
use quod_base::{Id, Symbol};
use quod_diag::Diagnostic;
use quod_exec::machine::{Event, Machine, Settings};
use quod_exec::state::{ProcessId, State, Status};
use quod_exec::symbolic::Input;
use quod_exec::{Captured, Concrete, InputValue, Inputs, Io};
use quod_model::ir::{Body, Control, Location, Program, Step};
use quod_solver::{Model, Solver};
use quod_verdict::{CheckKind, KindSet};

/// Which process moves, what it chooses, and the values that it is given.
#[derive(Clone, Debug)]
pub struct Schedule {
    pub(crate) steps: Vec<Move>,
    pub inputs: Vec<(Option<Symbol>, InputValue)>,
}

/// Operations in one go.
const FUEL: u64 = 1 << 16;
/// Operations after which a replay is given up.
const LIMIT: u64 = 1 << 30;

impl Schedule {
    pub(crate) fn new(solver: &Solver, path: &[Move], inputs: &[Input], model: &Model) -> Self {
        let pool = solver.pool();
        let value = |input: &Input| {
            let value = quod_term::evaluate(pool, input.term, model);
            (input.name, value.map_or(InputValue::Int(0), |value| value_of(&value, input)))
        };
        Self { steps: path.to_vec(), inputs: inputs.iter().map(value).collect() }
    }
}

fn value_of(value: &quod_term::Value, input: &Input) -> InputValue {
    match value {
        quod_term::Value::BitVec(bits) if input.scalar.is_signed() => {
            InputValue::Int(bits.to_signed().try_into().unwrap_or(0))
        }
        quod_term::Value::BitVec(bits) => InputValue::Int(bits.to_biguint().try_into().unwrap_or(0)),
        quod_term::Value::Int(number) => {
            InputValue::Int(number.to_bigint().and_then(|number| number.try_into().ok()).unwrap_or(0))
        }
        quod_term::Value::Bool(value) => InputValue::Int(i128::from(*value)),
        _ => InputValue::Int(0),
    }
}

/// No input, and nobody reads what is written.
pub(crate) fn silent<'p>() -> Box<dyn Io + 'p> {
    Box::new(Captured::default())
}

/// The diagnostic of the violation, if the schedule leads to one of this kind.
pub(crate) fn confirm(program: &Program, kinds: KindSet, schedule: &Schedule, kind: CheckKind) -> Option<Diagnostic> {
    let mut inputs = Inputs::default();
    for (name, value) in &schedule.inputs {
        inputs.given.entry(name.unwrap_or_else(|| "any".into())).or_default().push_back(*value);
    }
    let domain = Concrete::new(program.types.data_model, 4 << 30, inputs);
    let settings = Settings { checks: kinds, ..Settings::default() };
    let (mut machine, mut state) = Machine::new(program, domain, settings, silent());
    quod_exec::begin(&mut machine, &mut state);
    if !is_concurrent(program) {
        return run_to_fault(&mut machine, &mut state, schedule, kind);
    }
    for step in &schedule.steps {
        let mut choices = step.choices.iter();
        state.atomic_owner = (state.processes[step.process.index()].atomic_depth > 0).then_some(step.process);
        loop {
            if machine.steps > LIMIT {
                return None;
            }
            match machine.run_process(&mut state, step.process, FUEL, true) {
                Event::Moved | Event::Yielded | Event::Ended => break,
                Event::Choose(targets) => {
                    let target = *targets.get(*choices.next()? as usize)?;
                    machine.resume_at(&mut state, step.process, target);
                }
                Event::Fault(fault, span) => return (fault.kind == kind).then(|| fault.into_diagnostic(span)),
                _ => return None,
            }
        }
    }
    if kind != CheckKind::Deadlock {
        return None;
    }
    // All moves are made: is everyone blocked?
    let mut waiting = None;
    for id in (0..state.processes.len()).map(ProcessId::from_index) {
        if state.processes[id.index()].status == Status::Running {
            let mut probe = state.clone();
            if !matches!(machine.run_process(&mut probe, id, FUEL, true), Event::Blocked) {
                return None;
            }
            waiting.get_or_insert(id);
        }
    }
    let span = machine.span(&state, waiting?);
    let fault = quod_exec::fault::Fault::new(kind, "deadlock: no process can move").label("one of them waits here");
    Some(fault.into_diagnostic(span))
}

/// One process alone: its choices are all that is to follow.
fn run_to_fault(
    machine: &mut Machine<'_, Concrete>,
    state: &mut State<Concrete>,
    schedule: &Schedule,
    kind: CheckKind,
) -> Option<Diagnostic> {
    let mut choices = schedule.steps.iter().flat_map(|step| step.choices.iter());
    let process = ProcessId::from_index(0);
    while machine.steps < LIMIT {
        match machine.run_process(state, process, FUEL, false) {
            Event::Moved | Event::Yielded => {}
            Event::Choose(targets) => {
                let target = *targets.get(*choices.next()? as usize)?;
                machine.resume_at(state, process, target);
            }
            Event::Fault(fault, span) => return (fault.kind == kind).then(|| fault.into_diagnostic(span)),
            _ => return None,
        }
    }
    None
}

/// Can the program have more than one process?
pub(crate) fn is_concurrent(program: &Program) -> bool {
    let starts_thread = |name: &str| matches!(name, "pthread_create" | "thrd_create");
    let has_spawn = |body: &Body| {
        let is_spawn = |location: &Location| matches!(location.control, Control::Step { step: Step::Spawn { .. }, .. });
        body.locations.iter().any(is_spawn)
    };
    program
        .functions
        .iter()
        .any(|function| starts_thread(function.name.as_str()) || function.body.as_ref().is_some_and(has_spawn))
}
