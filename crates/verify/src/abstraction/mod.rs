//! Proofs for all executions by abstract interpretation: intervals and congruences of machine integers, differences
//! between pairs of them, pointers as sets of objects and offsets, intervals of floats. What is claimed holds for every
//! execution; what is not understood is not claimed.
//!
//! `prove` says whether every check that is asked for is certainly passed, and gives the facts at the heads of loops.

mod analysis;
mod call;
mod condition;
mod evaluate;
mod facts_text;
mod float;
mod heap;
mod linear;
mod memory;
mod number;
mod order;
mod ranking;
mod reads;
mod state;
mod transfer;
mod value;
mod zone;

pub(crate) use ranking::decreases;

use crate::limits::STEP_KINDS;
use analysis::{Analysis, Facts, Failure, Stop};
use quod_base::Span;
use quod_model::ir::*;
use quod_model::passes::slice::Open;
use quod_verdict::{CancelToken, CheckKind, KindSet};
use state::{State, World};
use std::collections::{BTreeMap, BTreeSet};
use value::{Kind, ObjectKey};

/// What the abstract interpreter found out.
#[derive(Clone, Debug)]
pub struct Report {
    /// Every check is passed in every execution.
    pub is_proved: bool,
    /// What was not proved, or why the analysis ended; the first is enough to tell a user.
    pub open: Vec<(String, Span)>,
    pub invariants: Vec<LoopFact>,
    /// Locations executed.
    pub steps: u64,
    /// Where something may go wrong, if the analysis got to its end and understood what everything writes: the first thing to
    /// go wrong in an execution does so at one of these.
    pub places: Option<Open>,
    /// The proof takes for granted that reads far outside of memory end the program.
    pub assumes_reads: bool,
}

/// A fact at the head of a loop, over variables of its function and global ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopFact {
    pub function: FunctionId,
    pub head: LocationId,
    /// A C expression.
    pub expression: String,
}

/// What it looks for beside steps that fail, and in the library's functions as well.
const PROVABLE: &[CheckKind] = &[
    CheckKind::MemoryLeak,
    CheckKind::LostMemory,
    CheckKind::DataRace,
    CheckKind::Termination,
    CheckKind::Unsupported,
];

/// Locations executed before it is given up: so many, or a few times all of the program's.
const FUEL: u64 = 15_000;
const FUEL_A_LOCATION: u64 = 4;
const MOST_THRESHOLDS: usize = 600;

/// Why loops end, by their heads: relations between visits of them, as witnesses say it.
pub type Relations = BTreeMap<(FunctionId, LocationId), String>;

/// Tries to prove that no execution fails a check of these kinds.
pub fn prove(program: &Program, kinds: KindSet, cancel: &CancelToken) -> Report {
    prove_given(program, kinds, cancel, None)
}

/// As `prove`, where loops end for the reasons that are given or not at all.
pub(crate) fn prove_given(
    program: &Program,
    kinds: KindSet,
    cancel: &CancelToken,
    given: Option<&Relations>,
) -> Report {
    let mut report = Report {
        is_proved: false,
        open: Vec::new(),
        invariants: Vec::new(),
        steps: 0,
        places: None,
        assumes_reads: false,
    };
    if program.arithmetic != Arithmetic::Machine || !program.invariants.is_empty() {
        report.open.push(("only for machine arithmetic".into(), Span::NONE));
        return report;
    }
    if let Some(kind) = kinds.iter().find(|kind| !PROVABLE.contains(kind) && !STEP_KINDS.contains(kind)) {
        report.open.push((format!("not for {kind}"), Span::NONE));
        return report;
    }
    let Some(main) = program.main else {
        report.open.push(("a program without `main`".into(), Span::NONE));
        return report;
    };
    let mut world = World::new(program, thresholds(program));
    if kinds.contains(CheckKind::Termination) {
        // Pointers that are read through end before they wrap around (see `reads`), wherever their objects are.
        world.reach = ((1 << (program.types.data_model.pointer_bits() - 1)) - 1).min(1 << 62);
    }
    let locations: usize =
        program.functions.iter().filter_map(|function| Some(function.body.as_ref()?.locations.len())).sum();
    let fuel = FUEL.max(FUEL_A_LOCATION * locations as u64);
    for round in 0..2 {
        let mut analysis = Analysis::new(&world, kinds, cancel.clone(), fuel);
        analysis.given = given;
        if round == 1 {
            analysis.partition = switches(program);
            if analysis.partition.is_empty() {
                break;
            }
        }
        let result = whole(&mut analysis, main);
        report.steps += fuel - analysis.fuel;
        match result {
            Ok(facts) => {
                let is_proved = facts.failures.is_empty();
                let place = |failure: &Failure| failure.at.filter(|_| !failure.is_void);
                let places: Option<Open> = facts.failures.iter().map(place).collect();
                report.places = match (report.places.take(), places) {
                    (Some(one), Some(other)) => Some(one.intersection(&other).copied().collect()),
                    (one, other) => one.or(other),
                };
                report.open = facts.failures.into_iter().map(|failure| (failure.what, failure.span)).collect();
                report.invariants = facts_text::all(&world, facts.heads);
                let relations = std::mem::take(&mut analysis.relations).into_iter();
                report.invariants.extend(relations.map(|((function, head), expression)| LoopFact {
                    function,
                    head,
                    expression,
                }));
                if is_proved {
                    report.assumes_reads = analysis.has_assumed_reads;
                    report.is_proved = true;
                    return report;
                }
            }
            Err(Stop::Unsupported(what, span)) => {
                report.open.push((what, span));
                return report;
            }
            Err(Stop::OutOfBudget) => report.open.push(("the budget of the analysis".into(), Span::NONE)),
        }
        if cancel.is_cancelled() {
            break;
        }
    }
    report
}

/// From the start of the program to its end.
fn whole(analysis: &mut Analysis<'_, '_>, main: FunctionId) -> Result<Facts, Stop> {
    let program = analysis.world.program;
    let (starts, mut facts) = analysis.function(program.initialiser, State::default(), 0)?;
    for start in starts.into_values() {
        let mut start = start;
        analysis.world.end_objects(
            &mut start,
            &|key| matches!(key, ObjectKey::Local(owner, _) if owner == program.initialiser),
            false,
        );
        // The arguments of `main` are any: their objects are never written, so nothing is known of them.
        let (ends, found) = analysis.function(main, start, 0)?;
        facts.append(found);
        let span = program.functions[main].span;
        for mut end in ends.into_values() {
            // What only a variable of `main` pointed to is lost when `main` returns.
            analysis.world.end_objects(
                &mut end,
                &|key| matches!(key, ObjectKey::Local(..) | ObjectKey::Stack(..)),
                true,
            );
            analysis.end(&end, span, &mut facts);
        }
    }
    Ok(facts)
}

/// The numbers that a program names, and their neighbours: where widening stops.
fn thresholds(program: &Program) -> Vec<i128> {
    let mut numbers = BTreeSet::from([0, 1, -1]);
    for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
        for expr in body.exprs.iter() {
            if let ExprKind::Int(value) = expr.kind
                && value.abs() < 1 << 65
            {
                numbers.extend([value - 1, value, value + 1]);
            }
        }
        let cases = body.locations.iter().flat_map(|location| match &location.control {
            Control::Switch { cases, .. } => cases.as_slice(),
            _ => &[],
        });
        numbers.extend(cases.flat_map(|case| [case.low, case.high]).filter(|number| number.abs() < 1 << 65));
    }
    let all: Vec<i128> = numbers.into_iter().collect();
    let step = all.len().div_ceil(MOST_THRESHOLDS).max(1);
    all.into_iter().step_by(step).collect()
}

/// Variables that are only ever given constants (or conditions, or each other): what a program keeps its mode in.
fn switches(program: &Program) -> Vec<ObjectKey> {
    let mut candidates: BTreeSet<ObjectKey> = BTreeSet::new();
    let mut excluded: BTreeSet<ObjectKey> = BTreeSet::new();
    for (function, definition) in program.functions.iter_enumerated() {
        let Some(body) = &definition.body else { continue };
        let variable = |place: PlaceId| match body.places[place].kind {
            PlaceKind::Variable(VariableRef::Local(local)) => Some(ObjectKey::Local(function, local)),
            PlaceKind::Variable(VariableRef::Global(global)) => Some(ObjectKey::Global(global)),
            _ => None,
        };
        for location in body.locations.iter() {
            let Control::Step { step, .. } = &location.control else { continue };
            match step {
                Step::Assign { place, value } => {
                    let Some(key) = variable(*place) else { continue };
                    let is_int = matches!(Kind::of(&program.types, body.places[*place].ty), Some(Kind::Int(_)));
                    let mut value = *value;
                    while let ExprKind::Convert(operand) = body.exprs[value].kind {
                        value = operand;
                    }
                    if is_int && matches!(body.exprs[value].kind, ExprKind::Int(_)) {
                        candidates.insert(key);
                    } else {
                        excluded.insert(key);
                    }
                }
                Step::Call(Call { result: Some(place), .. })
                | Step::Builtin { result: Some(place), .. }
                | Step::Havoc { place, .. } => excluded.extend(variable(*place)),
                _ => {}
            }
        }
        for (id, local) in body.locals.iter_enumerated() {
            if local.is_address_taken || local.is_parameter || local.name.is_none() {
                excluded.insert(ObjectKey::Local(function, id));
            }
        }
    }
    candidates.into_iter().filter(|key| !excluded.contains(key)).take(64).collect()
}
