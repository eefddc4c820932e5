//! Running for ever, on concrete values: a state that comes again. What the outside chose between the two can be chosen
//! again, so the program need never end.

use crate::replay::{Evidence, Schedule, given, silent};
use quod_base::fingerprint::FingerprintHasher;
use quod_base::{Fingerprint, Id, Symbol};
use quod_diag::Diagnostic;
use quod_exec::machine::{Event, Machine, Settings};
use quod_exec::state::{ProcessId, State};
use quod_exec::{Concrete, InputValue};
use quod_model::ir::{Call, Callee, Control, FunctionId, Program, Step};
use quod_verdict::{CheckKind, KindSet};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Operations in one go, and in all.
const FUEL: u64 = 1 << 16;
const LIMIT: u64 = 1 << 24;

/// Times that the outside may be asked in each round of a loop that is said to run for ever: `__VERIFIER_nondet_int` and its
/// like may say anything as often as they are asked. Functions of which nothing is known could end the program.
const MOST_ASKED: usize = 64;
const MOST_ASKED_OF_UNKNOWN: usize = 1;

fn most_asked(program: &Program) -> usize {
    let is_known = |name: &str| {
        name.starts_with("__VERIFIER_")
            || name.starts_with("__builtin_")
            || ["abort", "exit", "__assert_fail", "printf", "puts", "assert", "reach_error"].contains(&name)
            || quod_model::library::is_allocating(name)
            || quod_model::library::is_numeric(name)
    };
    let mut called = program.functions.iter().filter_map(|function| function.body.as_ref()).flat_map(|body| {
        body.locations.iter().filter_map(|location| match &location.control {
            Control::Step { step: Step::Call(Call { callee: Callee::Direct(callee), .. }), .. } => Some(*callee),
            _ => None,
        })
    });
    let is_unknown = |callee: FunctionId| {
        let function = &program.functions[callee];
        function.body.is_none() && !is_known(function.name.as_str())
    };
    if called.any(is_unknown) { MOST_ASKED_OF_UNKNOWN } else { MOST_ASKED }
}

/// The diagnostic of an endless execution, if the schedule's inputs lead to one, and what the outside gave: first on the way to
/// the state that comes again, then from there back to it.
pub(crate) fn confirm(program: &Program, kinds: KindSet, schedule: &Schedule) -> Option<(Diagnostic, Evidence)> {
    confirm_within(program, kinds, schedule, LIMIT)
}

/// What the outside may always say, for a start; and for how many operations that is tried.
const CONSTANTS: [i128; 3] = [0, 1, 2];
const CONSTANT_LIMIT: u64 = 1 << 20;

/// An endless execution in which the outside always says the same.
pub(crate) fn find(program: &Program, kinds: KindSet) -> Option<(Schedule, Diagnostic, Evidence)> {
    // What functions of which nothing is known do is not for guessing.
    if most_asked(program) < MOST_ASKED {
        return None;
    }
    let asked: Vec<Symbol> = program
        .functions
        .iter()
        .filter(|function| function.body.is_none() && function.name.as_str().starts_with("__VERIFIER_nondet_"))
        .map(|function| function.name)
        .collect();
    let constants = if asked.is_empty() { &CONSTANTS[..1] } else { &CONSTANTS[..] };
    constants.iter().find_map(|&constant| {
        let inputs = asked.iter().map(|&name| (Some(name), InputValue::Int(constant))).collect();
        let schedule = Schedule { inputs, ..Schedule::default() };
        let (diagnostic, evidence) = confirm_within(program, kinds, &schedule, CONSTANT_LIMIT)?;
        Some((schedule, diagnostic, evidence))
    })
}

fn confirm_within(
    program: &Program,
    kinds: KindSet,
    schedule: &Schedule,
    limit: u64,
) -> Option<(Diagnostic, Evidence)> {
    let domain = Concrete::new(program.types.data_model, 4 << 30, given(schedule));
    let settings = Settings { checks: kinds, is_driven: true, ..Settings::default() };
    let (mut machine, mut state) = Machine::new(program, domain, settings, silent());
    machine.stops = quod_exec::machine::Stops::Joins;
    quod_exec::begin(&mut machine, &mut state);
    let process = ProcessId::from_index(0);
    machine.observed = Some(Vec::new());
    let mut seen: FxHashMap<Fingerprint, usize> = FxHashMap::default();
    let mut visits = 0u64;
    while machine.steps < limit && state.processes.len() == 1 {
        machine.has_moved = false;
        match machine.run_process(&mut state, process, FUEL, true) {
            Event::Moved | Event::Yielded => {}
            Event::Paused => continue,
            _ => return None,
        }
        if !is_at_loop(&mut machine, &state) {
            continue;
        }
        visits += 1;
        if visits - (1 << visits.ilog2()) >= 64 {
            continue;
        }
        let asked = machine.observed.as_ref().map_or(0, Vec::len);
        if let Some(before) = seen.insert(fingerprint(&mut machine, &state)?, asked) {
            if asked - before > most_asked(program) {
                return None;
            }
            let span = machine.span(&state, process);
            let fault = quod_exec::fault::Fault::new(CheckKind::Termination, "the program can run for ever")
                .label("the same state comes here again and again");
            let observed = machine.observed.take().unwrap_or_default();
            let evidence = Evidence { observed, cycle: Some(before), processes: 1, ..Evidence::default() };
            return Some((fault.into_diagnostic(span), evidence));
        }
    }
    None
}

/// Rounds of a loop after which it is believed that it goes on.
const ROUNDS: usize = 300;

/// The diagnostic of an endless execution: the inputs from `first` on are those of one round, which is to go on and on.
pub(crate) fn confirm_rounds(
    program: &Program,
    kinds: KindSet,
    schedule: &Schedule,
    first: usize,
) -> Option<(Diagnostic, Evidence)> {
    let mut repeated = schedule.clone();
    let round = schedule.inputs.get(first..)?.to_vec();
    if round.len() > most_asked(program) {
        return None;
    }
    for _ in 0..ROUNDS {
        repeated.inputs.extend(round.iter().cloned());
    }
    let domain = Concrete::new(program.types.data_model, 4 << 30, given(&repeated));
    let settings = Settings { checks: kinds, is_driven: true, ..Settings::default() };
    let (mut machine, mut state) = Machine::new(program, domain, settings, silent());
    machine.stops = quod_exec::machine::Stops::Joins;
    quod_exec::begin(&mut machine, &mut state);
    let process = ProcessId::from_index(0);
    machine.observed = Some(Vec::new());
    // For each place how often it was met, and what had been given when it first was.
    let mut visits: FxHashMap<(usize, u32), (usize, usize)> = FxHashMap::default();
    while machine.steps < LIMIT && state.processes.len() == 1 {
        machine.has_moved = false;
        match machine.run_process(&mut state, process, FUEL, true) {
            Event::Moved | Event::Yielded => {}
            Event::Paused => continue,
            _ => return None,
        }
        let frames = &state.processes[0].frames;
        let frame = frames.last()?;
        let place = (frames.len(), frame.pc);
        let given = machine.observed.as_ref().map_or(0, Vec::len);
        let (count, stem) = visits.entry(place).or_insert((0, given));
        *count += 1;
        let (count, stem) = (*count, *stem);
        if count >= ROUNDS && is_at_loop(&mut machine, &state) {
            let span = machine.span(&state, process);
            let fault = quod_exec::fault::Fault::new(CheckKind::Termination, "the program can run for ever")
                .label("from every state that comes here a way leads back");
            let mut observed = machine.observed.take().unwrap_or_default();
            observed.truncate(stem + (given - stem) / (count - 1));
            let cycle = Some(stem);
            let evidence = Evidence { observed, cycle, processes: 1, ..Evidence::default() };
            return Some((fault.into_diagnostic(span), evidence));
        }
    }
    None
}

fn is_at_loop(machine: &mut Machine<'_, Concrete>, state: &State<Concrete>) -> bool {
    let Some(frame) = state.processes[0].frames.last() else { return false };
    let (function, pc) = (frame.function, frame.pc);
    machine.code(function).is_some_and(|code| code.flow().ends.get(pc as usize).copied().flatten().is_some())
}

/// All that the rest of the execution can depend on.
fn fingerprint(machine: &mut Machine<'_, Concrete>, state: &State<Concrete>) -> Option<Fingerprint> {
    let mut hasher = FingerprintHasher::default();
    let process = &state.processes[0];
    if !state.world.jumps.is_empty() || !process.thread_locals.is_empty() {
        return None;
    }
    if !state.world.is_untouched() {
        format!("{:?}", state.world).hash(&mut hasher);
    }
    for (index, frame) in process.frames.iter().enumerate() {
        (frame.function, frame.pc, frame.base, frame.environment).hash(&mut hasher);
        if frame.native.is_some() {
            format!("{:?}", frame.native).hash(&mut hasher);
            continue;
        }
        format!("{:?}", frame.extra).hash(&mut hasher);
        let end = process.frames.get(index + 1).map_or(process.registers.len(), |next| next.base as usize);
        let code = machine.code(frame.function)?;
        for (register, value) in process.registers[frame.base as usize..end].iter().enumerate() {
            if code.flow().is_live(frame.pc, register as u32) {
                (register, value.low, value.high).hash(&mut hasher);
            }
        }
    }
    format!("{:?}", state.environments).hash(&mut hasher);
    for (index, object) in state.memory.objects.iter().enumerate().filter(|(_, object)| object.is_live()) {
        (index, object.base, object.size, &object.bytes).hash(&mut hasher);
        if object.cells.is_some() {
            return None;
        }
    }
    Some(hasher.finish128())
}
