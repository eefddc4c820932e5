//! `quod compare`: do two programs give equal outputs for equal inputs? Both are searched; each end of the one is held
//! against each end of the other.

use crate::engine::{Aim, Ending, Ends, Options, Outcome, Statistics, explore};
use crate::limits;
use crate::replay::{self, Schedule};
use quod_base::Span;
use quod_diag::Diagnostic;
use quod_exec::fault::Fault;
use quod_exec::symbolic::Input;
use quod_model::ir::Program;
use quod_solver::{Answer, Solver};
use quod_term::{Term, TermPool};
use quod_verdict::{CheckKind, Reason};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What a comparison found.
pub struct Comparison {
    pub outcome: Outcome,
    /// Which of the two the outcome is about; neither where it is about both.
    pub side: Option<Side>,
    pub statistics: [Statistics; 2],
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Side {
    Specification,
    Implementation,
}

pub fn compare(specification: &Program, implementation: &Program, options: &Options) -> Comparison {
    let pool = Arc::new(TermPool::new());
    let aim = Aim { ends: Ends::Kept, work: u64::MAX };
    let (outcome, first, left) = explore(pool.clone(), specification, options, aim, &mut None);
    if !matches!(outcome, Outcome::Holds) {
        return Comparison { outcome, side: Some(Side::Specification), statistics: [first, Statistics::default()] };
    }
    let (outcome, second, right) = explore(pool.clone(), implementation, options, aim, &mut None);
    let statistics = [first, second];
    if !matches!(outcome, Outcome::Holds) {
        return Comparison { outcome, side: Some(Side::Implementation), statistics };
    }
    let mut solver = options.solver(pool.clone());
    for left in &left {
        for right in &right {
            if options.cancel.is_cancelled() {
                return Comparison { outcome: unknown(limits::stopped(options)), side: None, statistics };
            }
            let programs = [specification, implementation];
            if let Some(outcome) = differ(&pool, &mut solver, left, right, programs, options) {
                return Comparison { outcome, side: None, statistics };
            }
        }
    }
    Comparison { outcome: Outcome::Holds, side: None, statistics }
}

fn unknown(reason: Reason) -> Outcome {
    Outcome::Unknown { reason, span: Span::NONE, diagnostic: None }
}

/// What is found where two ends are reached with equal inputs; nothing where their outputs are equal.
fn differ(
    pool: &TermPool,
    solver: &mut Solver,
    left: &Ending,
    right: &Ending,
    programs: [&Program; 2],
    options: &Options,
) -> Option<Outcome> {
    let same = same_inputs(pool, &left.inputs, &right.inputs);
    let renamed = |term: Term| pool.substitute(term, &same);
    let (Some(ours), Some(theirs)) = (&left.outputs, &right.outputs) else {
        return Some(unknown(Reason::Unsupported { what: "an output that is no number".into() }));
    };
    let mut conditions = left.conditions.clone();
    conditions.extend(right.conditions.iter().map(|&condition| renamed(condition)));
    let mut differences = Vec::new();
    let mut shape = (ours.len() != theirs.len()).then_some("outputs of different shapes");
    for (name, term) in ours {
        match theirs.iter().find(|(other, _)| other == name) {
            Some((_, other)) => {
                let other = renamed(*other);
                if pool.sort(*term) == pool.sort(other) {
                    differences.push(pool.not(pool.eq(*term, other)));
                } else {
                    shape = shape.or(Some("outputs of different types"));
                }
            }
            None => shape = shape.or(Some("outputs of different shapes")),
        }
    }
    // Ends that no inputs lead both programs to need not be alike.
    if let Some(what) = shape {
        return match solver.check(&conditions) {
            Answer::Unsat(_) => None,
            _ => Some(unknown(Reason::Unsupported { what: what.into() })),
        };
    }
    conditions.push(pool.or(&differences));
    match solver.check(&conditions) {
        Answer::Unsat(_) => None,
        Answer::Unknown(reason) => {
            Some(unknown(Reason::SolverGaveUp { solver: "embedded".into(), why: reason.to_string() }))
        }
        Answer::Sat(model) => {
            let inputs: Vec<Input> =
                right.inputs.iter().map(|input| Input { term: renamed(input.term), ..input.clone() }).collect();
            let schedules = [
                Schedule::new(solver, &left.path, &left.inputs, &model),
                Schedule::new(solver, &right.path, &inputs, &model),
            ];
            Some(confirmed(programs, options, schedules))
        }
    }
}

/// The symbols of the one program's inputs by those of the other's: the same name, asked for as often.
fn same_inputs(pool: &TermPool, left: &[Input], right: &[Input]) -> FxHashMap<Term, Term> {
    let mut map = FxHashMap::default();
    for (index, input) in right.iter().enumerate().filter(|(_, input)| input.name.is_some()) {
        let before = right[..index].iter().filter(|other| other.name == input.name).count();
        let mut known = left.iter().filter(|other| other.name == input.name);
        if let Some(other) = known.nth(before).filter(|other| pool.sort(other.term) == pool.sort(input.term)) {
            map.insert(input.term, other.term);
        }
    }
    map
}

/// Both programs on the concrete inputs: do their outputs differ?
fn confirmed(programs: [&Program; 2], options: &Options, schedules: [Schedule; 2]) -> Outcome {
    let kind = CheckKind::Equivalence;
    let [ours, theirs] = [0, 1].map(|side| replay::outputs(programs[side], options, &schedules[side]));
    for variable in &ours {
        let other = theirs.iter().find(|other| other.name == variable.name);
        if let Some(other) = other.filter(|other| other.value != variable.value) {
            let [schedule, _] = schedules;
            let diagnostic = difference(programs[0], variable, other, &schedule);
            let (certainty, others, evidence) = (crate::engine::Certainty::Concrete, Vec::new(), Box::default());
            return Outcome::Violated { kind, certainty, diagnostic, schedule, others, evidence };
        }
    }
    unknown(Reason::PossibleViolation { kind: kind.word().into() })
}

fn difference(
    program: &Program,
    ours: &quod_exec::inspect::Variable,
    theirs: &quod_exec::inspect::Variable,
    schedule: &Schedule,
) -> Diagnostic {
    let root = ours.name.split(['.', '[']).next().unwrap_or_default();
    let span =
        program.globals.iter().find(|global| global.name.as_str() == root).map_or(Span::NONE, |found| found.span);
    let text =
        format!("`{}` is {} in the specification and {} in the implementation", ours.name, ours.value, theirs.value);
    let mut fault = Fault::new(CheckKind::Equivalence, "the programs give different outputs").label(text);
    for (name, value) in schedule.inputs.iter().filter_map(|(name, value)| Some(((*name)?, value))) {
        let value = value.to_string();
        fault = fault.note(format!("with the input {name} = {value}"));
    }
    fault.into_diagnostic(span)
}
