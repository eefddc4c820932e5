//! A violation is believed when it happens on concrete values: the same moves of the same processes, with the values that
//! the solver's model gives to what the outside chose.

use crate::deadlock;
use crate::engine::{Nature, Options, Step as Move};
use crate::watch::{Watched, Watcher};
use quod_base::{Id, Span, Symbol};
use quod_diag::Diagnostic;
use quod_exec::domain::Domain;
use quod_exec::fault::Fault;
use quod_exec::inspect::Variable;
use quod_exec::machine::{Event, Machine, Observed};
use quod_exec::scalar::Scalar;
use quod_exec::state::{ProcessId, State, Status};
use quod_exec::symbolic::Input;
use quod_exec::{Captured, Concrete, InputValue, Inputs, Interpretation, Interpretations, Io};
use quod_model::ir::{FunctionId, Program, Storage};
use quod_model::passes::slice::OTHER_INPUT;
use quod_solver::{Model, Solver};
use quod_verdict::CheckKind;

/// Which process moves, what it chooses, and the values that it is given.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    pub(crate) steps: Vec<Move>,
    pub inputs: Vec<(Option<Symbol>, InputValue)>,
    /// Messages count as handed over where it ends.
    pub is_synchronous: bool,
    /// So many of the last steps lead back to where they began.
    pub cycle: Option<u64>,
    /// Who is blocked inside `$atomic` lets nobody in.
    pub is_strict: bool,
    /// Who is alone makes short moves, too.
    pub is_even: bool,
    /// Two processes that are about to race where it ends.
    pub race: Option<(u32, u32)>,
    /// What the model says of `$abstract` functions.
    pub functions: Interpretations,
    /// Some value of the model could not be written down: following the schedule shows nothing.
    pub is_rounded: bool,
}

/// A whole move.
#[derive(Clone, Debug, Default)]
pub struct ScheduledMove {
    pub process: u32,
    pub choices: Vec<u32>,
    /// Processes that have ended, and whose numbers are free after the move.
    pub forgotten: Vec<u32>,
}

/// Operations in one go.
pub(crate) const FUEL: u64 = 1 << 16;
/// Operations after which a replay is given up.
const LIMIT: u64 = 1 << 30;
/// The same for violations of a slice, which may lie behind loops that do not end.
const SLICE_LIMIT: u64 = 1 << 24;
/// Operations after which an execution that goes round is taken to do so for ever.
const ROUNDS: u64 = 1 << 22;
/// The same where each of them is shown.
const SHOWN_ROUNDS: u64 = 1 << 10;

impl Schedule {
    pub(crate) fn new(solver: &Solver, path: &[Move], inputs: &[Input], model: &Model) -> Self {
        let pool = solver.pool();
        let mut is_rounded = false;
        let mut value = |input: &Input| {
            if let Some(float) = float_of(pool, input, model) {
                return (input.name, InputValue::Float(float));
            }
            let value = quod_term::evaluate(pool, input.term, model);
            let value = value.and_then(|value| value_of(&value, input.scalar.is_signed()));
            is_rounded |= value.is_none();
            (input.name, value.unwrap_or(InputValue::Int(0)))
        };
        // Joined states list the inputs of all their ways.
        let is_asked = |input: &&Input| {
            let holds = |guard| quod_term::evaluate(pool, guard, model).and_then(|value| value.as_bool());
            input.guard.is_none_or(|guard| holds(guard) == Some(true))
        };
        let mut given = Vec::new();
        for input in inputs.iter().filter(is_asked) {
            let Some(array) = &input.array else {
                given.push(value(input));
                continue;
            };
            for index in 0..elements(pool, array, model).unwrap_or_default() {
                let term = pool.apply(&array.function, &[pool.int(index)]);
                given.push(value(&Input { term, array: None, ..input.clone() }));
            }
        }
        let is_long = |input: &Input| input.array.as_ref().is_some_and(|array| elements(pool, array, model).is_none());
        is_rounded |= inputs.iter().any(is_long);
        let inputs = given;
        let functions = interpretations(model, &mut is_rounded);
        let (steps, cycle) = (path.to_vec(), None);
        Self {
            steps,
            inputs,
            is_synchronous: false,
            cycle,
            is_strict: false,
            is_even: false,
            race: None,
            functions,
            is_rounded,
        }
    }
}

/// How many elements an array has in a model; nothing where there are too many to give them to a program.
fn elements(pool: &quod_term::TermPool, array: &quod_exec::symbolic::ArrayInput, model: &Model) -> Option<i64> {
    use num_traits::ToPrimitive;
    const MOST: i64 = 1 << 16;
    let size = quod_term::evaluate(pool, array.size, model)?;
    let quod_term::Value::Int(size) = size else { return None };
    let count = size.to_bigint()?.to_i64()? / i64::from(array.unit.max(1));
    (0..=MOST).contains(&count).then_some(count)
}

/// The tables of `$abstract` functions in a model.
fn interpretations(model: &Model, is_rounded: &mut bool) -> Interpretations {
    let mut found = Interpretations::new();
    #[allow(clippy::iter_over_hash_type)] // each has its own place in a map with an order
    for (function, table) in &model.functions {
        let Some(name) = function.name.as_str().strip_prefix(quod_exec::ABSTRACT) else { continue };
        let mut interpretation = Interpretation::default();
        let mut value = |value: &quod_term::Value| {
            let value = value_of(value, false);
            *is_rounded |= value.is_none();
            value.unwrap_or(InputValue::Int(0))
        };
        for (arguments, result) in &table.entries {
            interpretation.entries.push((arguments.iter().map(&mut value).collect(), value(result)));
        }
        interpretation.otherwise = table.otherwise.as_ref().map(value);
        found.insert(name.to_owned(), interpretation);
    }
    found
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

/// A value of a model as one that can be given to a program; nothing where it is too large or too fine for that.
fn value_of(value: &quod_term::Value, is_signed: bool) -> Option<InputValue> {
    Some(match value {
        quod_term::Value::BitVec(bits) if is_signed => InputValue::Int(bits.to_signed().try_into().ok()?),
        quod_term::Value::BitVec(bits) => InputValue::Int(bits.to_biguint().try_into().ok()?),
        quod_term::Value::Int(number) => InputValue::Int(number.to_bigint()?.try_into().ok()?),
        quod_term::Value::Real(number) => {
            use num_traits::ToPrimitive;
            let quotient = number.numerator().to_f64().unwrap_or(0.0) / number.denominator().to_f64().unwrap_or(1.0);
            let float = InputValue::Float(quotient);
            if float.rational().as_ref() == Some(number) {
                return Some(float);
            }
            let (numerator, denominator) = number.as_small()?;
            InputValue::Fraction(numerator, denominator)
        }
        quod_term::Value::Bool(value) => InputValue::Int(i128::from(*value)),
        _ => InputValue::Int(0),
    })
}

impl Schedule {
    /// The moves of a saved trace.
    pub fn of(
        moves: impl IntoIterator<Item = ScheduledMove>,
        inputs: Vec<(Option<Symbol>, InputValue)>,
        is_synchronous: bool,
    ) -> Self {
        let whole = |made: ScheduledMove| Move {
            forgotten: made.forgotten.iter().map(|&process| process as usize).collect(),
            ..Move::new(ProcessId::from_index(made.process as usize), made.choices, Nature::Whole)
        };
        Self { is_synchronous, ..Self::plain(moves.into_iter().map(whole).collect(), inputs) }
    }

    /// Moves and values, and nothing else.
    pub(crate) fn plain(steps: Vec<Move>, inputs: Vec<(Option<Symbol>, InputValue)>) -> Self {
        let functions = Interpretations::new();
        let (is_synchronous, is_strict, is_even) = (false, false, false);
        Self {
            steps,
            inputs,
            is_synchronous,
            is_strict,
            is_even,
            race: None,
            cycle: None,
            functions,
            is_rounded: false,
        }
    }

    /// Whole moves.
    pub fn moves(&self) -> Vec<ScheduledMove> {
        let joined = |moves: Vec<&Move>| ScheduledMove {
            process: moves.first().map_or(0, |first| first.process.index() as u32),
            choices: moves.iter().flat_map(|step| step.choices.iter().copied()).collect(),
            forgotten: moves.iter().flat_map(|step| step.forgotten.iter()).map(|id| id.index() as u32).collect(),
        };
        whole(&self.steps).into_iter().map(joined).collect()
    }

    /// How many of the moves are those of the cycle.
    pub fn moves_of_cycle(&self) -> Option<u64> {
        let stem = self.steps.len().saturating_sub(self.cycle? as usize);
        Some((whole(&self.steps).len() - whole(&self.steps[..stem]).len()).max(1) as u64)
    }
}

/// No input, and nobody reads what is written.
pub(crate) fn silent<'p>() -> Box<dyn Io + 'p> {
    Box::new(Captured::default())
}

/// What a replayed violation shows, for witnesses and tests.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// The values that functions of the outside gave, in order.
    pub observed: Vec<Observed>,
    /// The active calls where it happened, innermost first: function and place.
    pub backtrace: Vec<(FunctionId, Span)>,
    /// The process that did it; 0 runs `main`.
    pub process: usize,
    /// The most processes that there were.
    pub processes: usize,
    /// What went wrong, where it may be otherwise than the search had it.
    pub kind: Option<CheckKind>,
    /// Of an execution without end: how many of the values lead to what is repeated for ever, with the others each time.
    pub cycle: Option<usize>,
    /// Of a data race: the other process, and its active calls.
    pub other: Option<(usize, Vec<(FunctionId, Span)>)>,
}

/// The values of a schedule, as the concrete domain takes them.
pub(crate) fn given(schedule: &Schedule) -> Inputs {
    let mut inputs = Inputs { functions: Some(schedule.functions.clone()), ..Inputs::default() };
    for (name, value) in &schedule.inputs {
        inputs.given.entry(name.unwrap_or_else(|| "any".into())).or_default().push_back(*value);
    }
    inputs
}

/// Memory that no variable leads to.
fn lost(machine: &mut Machine<'_, Concrete>, state: &State<Concrete>) -> Option<Diagnostic> {
    let variables: Vec<_> = crate::held::variables(machine, state).into_iter().copied().collect();
    let (span, size) = state.memory.lost_object(&variables)?;
    Some(crate::paths::lost(span, size).into_diagnostic(span))
}

/// The diagnostic of the violation, if the schedule leads to one of this kind.
pub(crate) fn confirm(
    program: &Program,
    options: &Options,
    schedule: &Schedule,
    kind: CheckKind,
) -> Option<(Diagnostic, Evidence)> {
    follow(program, options, schedule, kind, LIMIT, None, None)
}

/// A schedule of a slice, with the inputs that only the rest of the program takes. `program` is the whole one in which those
/// calls have names of their own, so that they do not take what was meant for others.
pub(crate) fn complete(program: &Program, options: &Options, schedule: &Schedule, kind: CheckKind) -> Option<Schedule> {
    let (_, evidence) = follow(program, options, schedule, kind, SLICE_LIMIT, None, None)?;
    let is_seen = |name: Symbol| evidence.observed.iter().any(|seen| seen.function == name);
    let mut all = schedule.clone();
    all.inputs.retain(|(name, _)| !name.is_some_and(is_seen));
    all.inputs.extend(evidence.observed.iter().map(|seen| {
        let name = seen.function.as_str();
        (Some(Symbol::intern(name.strip_suffix(OTHER_INPUT).unwrap_or(name))), seen.value)
    }));
    Some(all)
}

/// Follows a schedule on concrete values and tells each step to who watches. Gives the diagnostic of the violation, if there
/// is one of this kind where the schedule ends.
pub fn walk(
    program: &Program,
    options: &Options,
    schedule: &Schedule,
    kind: CheckKind,
    watch: &mut dyn FnMut(Watched),
) -> Option<Diagnostic> {
    follow(program, options, schedule, kind, LIMIT, None, Some(watch)).map(|(diagnostic, _)| diagnostic)
}

/// The values of the program's `$output` variables where a schedule ends.
pub(crate) fn outputs(program: &Program, options: &Options, schedule: &Schedule) -> Vec<Variable> {
    let mut last = Vec::new();
    let mut watch = |watched: Watched| last = watched.variables;
    follow(program, options, schedule, CheckKind::Equivalence, LIMIT, None, Some(&mut watch));
    let is_output = |variable: &Variable| {
        let root = variable.name.split(['.', '[', '-']).next().unwrap_or_default();
        let mut outputs = program.globals.iter().filter(|global| global.storage == Storage::Output);
        variable.function.is_none() && outputs.any(|global| global.name.as_str() == root)
    };
    last.into_iter().filter(is_output).collect()
}

/// The schedule leads to a state in which both processes can move.
pub(crate) fn confirm_race(
    program: &Program,
    options: &Options,
    schedule: &Schedule,
    processes: (ProcessId, ProcessId),
) -> Option<Evidence> {
    follow(program, options, schedule, CheckKind::DataRace, LIMIT, Some(processes), None).map(|(_, evidence)| evidence)
}

fn follow(
    program: &Program,
    options: &Options,
    schedule: &Schedule,
    kind: CheckKind,
    limit: u64,
    race: Option<(ProcessId, ProcessId)>,
    mut watch: Option<&mut dyn FnMut(Watched)>,
) -> Option<(Diagnostic, Evidence)> {
    let domain = Concrete::new(program.types.data_model, 4 << 30, given(schedule));
    let settings = options.settings(program);
    let (mut machine, mut state) = Machine::new(program, domain, settings, silent());
    machine.stops = options.stops(program);
    machine.is_even = schedule.is_even;
    machine.observed = Some(Vec::new());
    quod_exec::begin(&mut machine, &mut state);
    let mut evidence = Evidence::default();
    let mut is_exited = false;
    let mut steps = schedule.steps.clone();
    if let Some(cycle) = schedule.cycle {
        // Twice around: what could be done once can be done again.
        steps.extend_from_within(steps.len().saturating_sub(cycle as usize)..);
    }
    let rounds = if watch.is_some() { SHOWN_ROUNDS } else { ROUNDS };
    for moves in whole(&steps) {
        let process = moves.first()?.process;
        let mut choices = moves.iter().flat_map(|step| step.choices.iter());
        let inside = state.processes.get(process.index())?;
        state.atomic_owner = (inside.atomic_depth > 0 || inside.atom_depth > 0).then_some(process);
        machine.has_moved = false;
        let mut watcher = watch.is_some().then(|| Watcher::new(&mut machine, &mut state, process));
        loop {
            if schedule.cycle.is_some() && machine.steps > rounds {
                return Some((endless(&machine, &state, process), evidence));
            }
            if machine.steps > limit {
                return None;
            }
            let event = machine.run_process(&mut state, process, if watch.is_some() { 1 } else { FUEL }, true);
            evidence.processes = evidence.processes.max(state.processes.len());
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
                    if is_boundary && machine.can_interrupt(&state, process) {
                        break;
                    }
                    machine.has_moved |= is_boundary;
                }
                Event::Fault(fault, span) => {
                    evidence.observed = machine.observed.take().unwrap_or_default();
                    evidence.backtrace = machine.backtrace(&state, process);
                    evidence.process = process.index();
                    if kind == CheckKind::LostMemory {
                        return lost(&mut machine, &state).map(|diagnostic| (diagnostic, evidence));
                    }
                    evidence.kind = Some(fault.kind);
                    // Without a question by name, whatever goes wrong there is what was looked for.
                    let is_wanted =
                        !options.is_asked && options.kinds.contains(fault.kind) && fault.kind != CheckKind::Unsupported;
                    return (fault.kind == kind || is_wanted).then(|| (fault.into_diagnostic(span), evidence));
                }
                Event::Exited(_) => {
                    is_exited = true;
                    break;
                }
                _ => return None,
            }
        }
        // The numbers of processes that start later are those of the search.
        if !moves.iter().all(|step| state.forget(step.forgotten)) {
            return None;
        }
    }
    evidence.observed = machine.observed.take().unwrap_or_default();
    let has_ended = is_exited || state.processes.iter().all(|process| process.status == Status::Ended);
    if kind == CheckKind::MemoryLeak && has_ended {
        let (span, size) = *machine.domain.heap_objects(&state.memory).first()?;
        return Some((crate::engine::leak(span, size).into_diagnostic(span), evidence));
    }
    if kind == CheckKind::LostMemory && has_ended {
        return lost(&mut machine, &state).map(|diagnostic| (diagnostic, evidence));
    }
    if is_exited {
        return None;
    }
    if kind == CheckKind::Termination && schedule.cycle.is_some() && !has_ended {
        return schedule.steps.last().map(|step| (endless(&machine, &state, step.process), evidence));
    }
    let kept = schedule.race.map(|(left, right)| [left, right].map(|id| ProcessId::from_index(id as usize)));
    if let Some((left, right)) = race.or_else(|| kept.map(|[left, right]| (left, right))) {
        for id in [left, right] {
            let mut probe = state.clone();
            machine.has_moved = false;
            let is_running = probe.processes.get(id.index())?.status == Status::Running;
            let event = machine.run_process(&mut probe, id, FUEL, true);
            if !is_running || matches!(event, Event::Blocked | Event::Fault(..) | Event::Vanished) {
                return None;
            }
        }
        evidence.process = left.index();
        evidence.backtrace = machine.backtrace(&state, left);
        evidence.other = Some((right.index(), machine.backtrace(&state, right)));
        return Some((Fault::new(kind, "data race").into_diagnostic(Span::NONE), evidence));
    }
    if kind != CheckKind::Deadlock {
        return None;
    }
    // All moves are made: is everyone blocked?
    let waiting = deadlock::stuck(&mut machine, &state, schedule.is_synchronous, schedule.is_strict)?;
    let span = machine.span(&state, waiting);
    let fault = Fault::new(kind, "deadlock: no process can move").label("one of them waits here");
    evidence.backtrace = vec![(program.initialiser, span)];
    Some((fault.into_diagnostic(span), evidence))
}

fn endless(
    machine: &Machine<'_, Concrete>,
    state: &quod_exec::state::State<Concrete>,
    process: ProcessId,
) -> Diagnostic {
    let span = machine.span(state, process);
    let fault = quod_exec::fault::Fault::new(CheckKind::Termination, "an execution does not end");
    fault.label("it comes back here for ever").into_diagnostic(span)
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
