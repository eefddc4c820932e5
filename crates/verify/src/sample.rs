//! A few executions on concrete values, zeros and random ones: many violations need no search, and lie behind more rounds of a
//! loop than a search goes through.

use crate::engine::{Nature, Options, Outcome, Step as Move};
use crate::limits::STEP_KINDS;
use crate::replay::{self, FUEL, Schedule};
use quod_base::Id;
use quod_exec::machine::{Event, Machine, Settings};
use quod_exec::state::ProcessId;
use quod_exec::{Concrete, Inputs};
use quod_model::ir::{Call, Callee, CivlExpr, Control, ExprKind, FunctionId, Program, Step};
use quod_verdict::CheckKind;

/// Seeds of the executions; the first has zeros only.
const SEEDS: [Option<u64>; 3] = [None, Some(1), Some(2)];
/// Operations of one of them.
const STEPS: u64 = 8_000_000;
/// Operations of all of them.
const ALL_STEPS: u64 = 12_000_000;
/// The same for executions with small numbers.
const SMALL_RUNS: u64 = 64;
const SMALL_STEPS: u64 = 400_000;
const SMALL_KINDS: &[CheckKind] = &[CheckKind::Assertion, CheckKind::DivisionByZero];

/// A violation that one of them shows, replayed; and how many operations were made.
pub(crate) fn look(program: &Program, options: &Options) -> (Option<Outcome>, u64) {
    let mut steps = 0;
    if !STEP_KINDS.iter().any(|&kind| options.kinds.contains(kind)) {
        return (None, steps);
    }
    for seed in SEEDS {
        let inputs = Inputs { seed, ..Inputs::default() };
        let (found, made, has_inputs) = run(program, options, inputs, STEPS);
        steps += made;
        let violation = found.and_then(|found| confirmed(program, options, found));
        if violation.is_some() {
            return (violation, steps);
        }
        // All executions are like this one, or too long.
        if !has_inputs || steps >= ALL_STEPS || options.cancel.is_cancelled() {
            break;
        }
    }
    (None, steps)
}

/// The same for CIVL-C, with small whole numbers: what the search cannot decide may still be seen to fail.
pub(crate) fn look_small(program: &Program, options: &Options) -> Option<Outcome> {
    if !SMALL_KINDS.iter().any(|&kind| options.kinds.contains(kind)) || rounds(program) {
        return None;
    }
    let mut steps = 0;
    for seed in 0..SMALL_RUNS {
        let inputs = Inputs { seed: Some(seed), most: Some(1 + seed / 8), ..Inputs::default() };
        let (found, made, has_inputs) = run(program, options, inputs, SMALL_STEPS.saturating_sub(steps));
        steps += made;
        let found = found.filter(|(_, kind)| SMALL_KINDS.contains(kind));
        let violation = found.and_then(|found| confirmed(program, options, found));
        if violation.is_some() || !has_inputs || steps >= SMALL_STEPS || options.cancel.is_cancelled() {
            return violation;
        }
    }
    None
}

/// The program calls functions whose values are rounded where it is executed: what fails then need not fail.
fn rounds(program: &Program) -> bool {
    let is_rounded = |name: &str| quod_exec::is_numeric(name) || name == "$pow";
    let is_function = |function: FunctionId| is_rounded(program.functions[function].name.as_str());
    let mut bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    bodies.any(|body| {
        let in_steps = body.locations.iter().any(|location| match &location.control {
            Control::Step { step: Step::Call(Call { callee: Callee::Direct(function), .. }), .. } => {
                is_function(*function)
            }
            Control::Step { step: Step::Builtin { name, .. }, .. } => is_rounded(name.as_str()),
            _ => false,
        });
        let is_part = |kind: &ExprKind| match kind {
            ExprKind::Function(function) => is_function(*function),
            ExprKind::Builtin { name, .. } | ExprKind::Civl(CivlExpr::Library { name, .. }) => {
                is_rounded(name.as_str())
            }
            _ => false,
        };
        in_steps || body.exprs.iter().any(|expr| is_part(&expr.kind))
    })
}

fn confirmed(program: &Program, options: &Options, (schedule, kind): (Schedule, CheckKind)) -> Option<Outcome> {
    let (diagnostic, evidence) = replay::confirm(program, options, &schedule, kind)?;
    let (certainty, evidence) = (crate::engine::Certainty::Concrete, Box::new(evidence));
    Some(Outcome::Violated { kind, certainty, diagnostic, schedule, evidence, others: Vec::new() })
}

/// One execution: what went wrong in it, its operations, and whether it was given anything.
fn run(program: &Program, options: &Options, inputs: Inputs, limit: u64) -> (Option<(Schedule, CheckKind)>, u64, bool) {
    let seed = inputs.seed;
    let domain = Concrete::new(program.types.data_model, 1 << 30, inputs);
    let settings =
        Settings { checks: options.kinds, is_driven: true, cancel: Some(options.cancel.flag()), ..Settings::default() };
    let (mut machine, mut state) = Machine::new(program, domain, settings, replay::silent());
    machine.stops = options.stops(program);
    machine.domain.given = Some(Vec::new());
    quod_exec::begin(&mut machine, &mut state);
    let process = ProcessId::from_index(0);
    let mut choices: Vec<u32> = Vec::new();
    let mut random = seed.unwrap_or(0);
    let mut found = None;
    while machine.steps < limit && state.processes.len() == 1 {
        match machine.run_process(&mut state, process, FUEL, true) {
            Event::Moved | Event::Yielded | Event::Paused => {}
            Event::Pick(count) if (1..1 << 31).contains(&count) => {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let pick = if seed.is_none() { 0 } else { (random >> 33) % count as u64 };
                choices.push(pick as u32);
                state.world.pick = Some(i128::from(pick));
            }
            Event::Fault(fault, _) => {
                if options.kinds.contains(fault.kind) && STEP_KINDS.contains(&fault.kind) {
                    found = Some(fault.kind);
                }
                break;
            }
            _ => break,
        }
    }
    let given = machine.domain.given.take().unwrap_or_default();
    let (has_inputs, count) = (!given.is_empty() || !choices.is_empty(), given.len() as u64);
    let schedule = found.map(|kind| {
        let steps = vec![Move::new(process, choices, Nature::Whole)];
        let inputs = given.into_iter().map(|(name, value)| (Some(name), value)).collect();
        let schedule = Schedule::plain(steps, inputs);
        (schedule, kind)
    });
    // Inputs are work, too.
    (schedule, machine.steps + 16 * count, has_inputs)
}
