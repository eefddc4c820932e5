//! A violation is believed when it happens on concrete values: the same moves of the same processes, with the values that
//! the solver's model gives to what the outside chose.

use crate::deadlock;
use crate::engine::{Nature, Step as Move};
use crate::watch::{Watched, Watcher};
use quod_base::{Id, Span, Symbol};
use quod_diag::Diagnostic;
use quod_exec::domain::Domain;
use quod_exec::fault::Fault;
use quod_exec::inspect::{self, Variable};
use quod_exec::machine::{Event, Machine, Settings};
use quod_exec::scalar::Scalar;
use quod_exec::state::{ProcessId, State, Status};
use quod_exec::symbolic::Input;
use quod_exec::{Captured, Concrete, InputValue, Inputs, Io};
use quod_model::ir::{Program, Storage};
use quod_solver::{Model, Solver};
use quod_verdict::{CheckKind, KindSet};

/// Which process moves, what it chooses, and the values that it is given.
#[derive(Clone, Debug)]
pub struct Schedule {
    pub(crate) steps: Vec<Move>,
    pub inputs: Vec<(Option<Symbol>, InputValue)>,
    /// Messages count as handed over where it ends.
    pub is_synchronous: bool,
    /// Who is blocked inside `$atomic` lets nobody in.
    pub is_strict: bool,
}

impl Schedule {
    /// The moves of a saved trace.
    pub fn of(
        moves: impl IntoIterator<Item = (u32, Vec<u32>)>,
        inputs: Vec<(Option<Symbol>, InputValue)>,
        is_synchronous: bool,
    ) -> Self {
        let whole = |(process, choices): (u32, Vec<u32>)| Move {
            process: ProcessId::from_index(process as usize),
            choices,
            nature: Nature::Whole,
        };
        Self { steps: moves.into_iter().map(whole).collect(), inputs, is_synchronous, is_strict: false }
    }

    /// Whole moves: which process, and what it chooses.
    pub fn moves(&self) -> Vec<(u32, Vec<u32>)> {
        let joined = |moves: Vec<&Move>| {
            let process = moves.first().map_or(0, |first| first.process.index() as u32);
            (process, moves.iter().flat_map(|step| step.choices.iter().copied()).collect())
        };
        whole(&self.steps).into_iter().map(joined).collect()
    }
}

/// Operations in one go.
pub(crate) const FUEL: u64 = 1 << 16;
/// Operations after which a replay is given up.
const LIMIT: u64 = 1 << 30;

impl Schedule {
    pub(crate) fn new(solver: &Solver, path: &[Move], inputs: &[Input], model: &Model) -> Self {
        let pool = solver.pool();
        let value = |input: &Input| {
            if let Some(float) = float_of(pool, input, model) {
                return (input.name, InputValue::Float(float));
            }
            let value = quod_term::evaluate(pool, input.term, model);
            (input.name, value.map_or(InputValue::Int(0), |value| value_of(&value, input)))
        };
        Self { steps: path.to_vec(), inputs: inputs.iter().map(value).collect(), is_synchronous: false, is_strict: false }
    }
}

/// The value of a float or double.
fn float_of(pool: &quod_term::TermPool, input: &Input, model: &Model) -> Option<f64> {
    if !matches!(input.scalar, Scalar::F32 | Scalar::F64) {
        return None;
    }
    let quod_term::Value::BitVec(bits) = quod_term::evaluate(pool, pool.fp_to_bits(input.term), model)? else {
        return None;
    };
    let bits: u64 = bits.to_biguint().try_into().ok()?;
    Some(if input.scalar == Scalar::F32 { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits) })
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
        quod_term::Value::Real(number) => {
            use num_traits::ToPrimitive;
            let (above, below) = (number.numerator().to_f64(), number.denominator().to_f64());
            InputValue::Float(above.unwrap_or(0.0) / below.unwrap_or(1.0))
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
    walk(program, kinds, schedule, kind, None)
}

/// Follows a schedule on concrete values and tells each step to who watches. Gives the diagnostic of the violation, if there
/// is one of this kind where the schedule ends.
pub fn walk(
    program: &Program,
    kinds: KindSet,
    schedule: &Schedule,
    kind: CheckKind,
    watch: Option<&mut dyn FnMut(Watched)>,
) -> Option<Diagnostic> {
    let (mut machine, state, is_exited) = match drive(program, kinds, schedule, watch)? {
        Driven::Stopped(fault, span) => return (fault.kind == kind).then(|| fault.into_diagnostic(span)),
        Driven::Ended(machine, state, is_exited) => (*machine, *state, is_exited),
    };
    let has_ended = is_exited || state.processes.iter().all(|process| process.status == Status::Ended);
    if kind == CheckKind::MemoryLeak && has_ended {
        let (span, size) = *machine.domain.heap_objects(&state.memory).first()?;
        return Some(crate::engine::leak(span, size).into_diagnostic(span));
    }
    if is_exited || kind != CheckKind::Deadlock {
        return None;
    }
    // All moves are made: is everyone blocked?
    let waiting = deadlock::stuck(&mut machine, &state, schedule.is_synchronous, schedule.is_strict)?;
    let span = machine.span(&state, waiting);
    let fault = Fault::new(kind, "deadlock: no process can move").label("one of them waits here");
    Some(fault.into_diagnostic(span))
}

/// The values of the program's `$output` variables where a schedule ends.
pub(crate) fn outputs(program: &Program, kinds: KindSet, schedule: &Schedule) -> Option<Vec<Variable>> {
    let Driven::Ended(mut machine, mut state, true) = drive(program, kinds, schedule, None)? else { return None };
    let is_output = |variable: &Variable| {
        let root = variable.name.split(['.', '[', '-']).next().unwrap_or_default();
        let mut outputs = program.globals.iter().filter(|global| global.storage == Storage::Output);
        outputs.any(|global| global.name.as_str() == root)
    };
    Some(inspect::globals(&mut machine, &mut state).into_iter().filter(is_output).collect())
}

/// How following a schedule ended.
enum Driven<'p> {
    Stopped(Box<Fault>, Span),
    /// All moves are made; the program may have ended with the last.
    Ended(Box<Machine<'p, Concrete>>, Box<State<Concrete>>, bool),
}

fn drive<'p>(
    program: &'p Program,
    kinds: KindSet,
    schedule: &Schedule,
    mut watch: Option<&mut dyn FnMut(Watched)>,
) -> Option<Driven<'p>> {
    let mut inputs = Inputs::default();
    for (name, value) in &schedule.inputs {
        inputs.given.entry(name.unwrap_or_else(|| "any".into())).or_default().push_back(*value);
    }
    let domain = Concrete::new(program.types.data_model, 4 << 30, inputs);
    let settings = Settings { checks: kinds, is_driven: true, ..Settings::default() };
    let (mut machine, mut state) = Machine::new(program, domain, settings, silent());
    quod_exec::begin(&mut machine, &mut state);
    let mut is_exited = false;
    for moves in whole(&schedule.steps) {
        let process = moves.first()?.process;
        let mut choices = moves.iter().flat_map(|step| step.choices.iter());
        let inside = state.processes.get(process.index())?;
        state.atomic_owner = (inside.atomic_depth > 0 || inside.atom_depth > 0).then_some(process);
        machine.has_moved = false;
        let mut watcher = watch.is_some().then(|| Watcher::new(&mut machine, &mut state, process));
        loop {
            if machine.steps > LIMIT {
                return None;
            }
            let event = machine.run_process(&mut state, process, if watch.is_some() { 1 } else { FUEL }, true);
            if let (Some(watcher), Some(watch)) = (&mut watcher, &mut watch) {
                watcher.look(&mut machine, &mut state, !matches!(event, Event::Paused), watch);
            }
            match event {
                Event::Moved | Event::Yielded | Event::Ended => break,
                Event::Paused => {}
                Event::Pick(_) => state.world.pick = Some(i128::from(*choices.next()?)),
                Event::Choose(targets) => {
                    let target = *targets.get(*choices.next()? as usize)?;
                    let is_boundary = machine.resume_at(&mut state, process, target);
                    if is_boundary && state.atomic_owner != Some(process) && state.has_others(process) {
                        break;
                    }
                    machine.has_moved |= is_boundary;
                }
                Event::Fault(fault, span) => return Some(Driven::Stopped(fault, span)),
                Event::Exited(_) => {
                    is_exited = true;
                    break;
                }
                _ => return None,
            }
        }
    }
    Some(Driven::Ended(Box::new(machine), Box::new(state), is_exited))
}

/// The steps of whole moves: parts belong to what follows, and where nothing moved there is nothing to follow.
fn whole(steps: &[Move]) -> Vec<Vec<&Move>> {
    let mut all: Vec<Vec<&Move>> = Vec::new();
    let mut is_open = false;
    for step in steps.iter().filter(|step| step.nature != Nature::Split) {
        match all.last_mut() {
            Some(last) if is_open => last.push(step),
            _ => all.push(vec![step]),
        }
        is_open = step.nature == Nature::Part;
    }
    all
}
