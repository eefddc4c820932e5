//! Which engines look at a program, and for how long.
//!
//! A program of one process is first looked at path by path, with states matched: that finds shallow violations and
//! finishes programs whose states are few. Where there are too many paths, states are joined instead. Neither is better for
//! all programs, so they take turns, each with more work than before. A program that starts processes goes to the model
//! checker. Where that takes long, executions with few switches between few processes are looked at for a while: most
//! violations need no more, and only violations count there.

use crate::engine::{self, Options, Outcome, Statistics};
use crate::induction;
use crate::paths::{self, Effort, End, Policy};
use crate::sample;
use quod_base::Span;
use quod_model::ir::{Arithmetic, Program};
use quod_model::passes::slice::Slice;
use quod_verdict::{CheckKind, Reason};
use std::time::Duration;

/// Who looks, and for how many operations, with questions to the solver as operations; and the conflicts of one question
/// after which it stays open. A hard question of one policy is often an easy one of the other.
const TURNS: [(Policy, u64, u64); 5] = [
    (Policy::Fork, 30_000, 3_000),
    (Policy::Fork, 300_000, 3_000),
    (Policy::Merge, 1_000_000, 30_000),
    (Policy::Fork, 3_000_000, 30_000),
    (Policy::Merge, u64::MAX, u64::MAX),
];

/// Before which of these turns a few executions are made on concrete values.
const SAMPLE_TURN: usize = 1;
/// Before which of these turns induction is tried, and for how long.
const INDUCTION_TURNS: [(usize, u64); 2] = [(1, 300_000), (3, 2_000_000)];
/// The same for recursive programs, of which joined states say little.
const RECURSION_TURNS: [(usize, u64); 2] = [(1, 300_000), (2, 2_000_000)];

pub fn verify(program: &Program, options: &Options) -> (Outcome, Statistics) {
    verify_slice(program, options, None)
}

/// As `verify`, where a slice of the program is known. What holds for the slice holds for the program; what is violated in it
/// is replayed on the program. Where the slice does not tell, the whole program is looked at.
pub fn verify_slice(program: &Program, options: &Options, slice: Option<&Slice>) -> (Outcome, Statistics) {
    // Traces of a certain shape are the model checker's; so is the whole of CIVL-C.
    let is_plain = program.arithmetic == Arithmetic::Machine
        && options.is_asked
        && options.depth.is_none()
        && !options.is_breadth_first
        && !options.is_minimal;
    let mut lines = Vec::new();
    let mut solving = Duration::ZERO;
    if !is_plain {
        // Before the search, which may take all of the time.
        let is_small = program.arithmetic == Arithmetic::Ideal && !options.is_minimal && !options.is_breadth_first;
        let sampled = is_small.then(|| sample::look_small(program, options)).flatten();
        let (outcome, statistics) = check_model(program, options, lines, solving);
        return match (outcome, sampled) {
            // What is not supported may look like a fault where it is executed.
            (Outcome::Unknown { reason, .. }, Some(violated)) if !matches!(reason, Reason::Unsupported { .. }) => {
                (violated, statistics)
            }
            (outcome, _) => (outcome, statistics),
        };
    }
    if options.kinds.contains(CheckKind::Termination)
        && !crate::limits::uses_arguments(program)
        && let Some((schedule, diagnostic, evidence)) = crate::lasso::find(program, options.kinds)
    {
        lines.push("constant answers from outside: violated (termination)".into());
        let kind = CheckKind::Termination;
        let (certainty, evidence) = (crate::engine::Certainty::Concrete, Box::new(evidence));
        let outcome = Outcome::Violated { kind, certainty, diagnostic, schedule, evidence, others: Vec::new() };
        return (outcome, Statistics { strategy: lines, processes: 1, ..Statistics::default() });
    }
    let mut is_slice_over = false;
    let is_summed_up = options.sums_up && induction::is_recursive(program);
    let inductions = if is_summed_up { RECURSION_TURNS } else { INDUCTION_TURNS };
    let mut inductions = inductions.into_iter().filter(|_| induction::is_for(program, options.kinds)).peekable();
    let mut has_sampled = false;
    let parts = slice.map(Some).into_iter().chain([None]);
    let turns = parts.flat_map(|slice| TURNS.into_iter().enumerate().map(move |turn| (slice, turn)));
    for (slice, (turn, (policy, work, conflicts))) in turns {
        if turn == SAMPLE_TURN && !has_sampled {
            has_sampled = true;
            let (outcome, steps) = sample::look(program, options);
            let name = "a few executions";
            lines.push(match &outcome {
                Some(outcome) => format!("{name}: {} ({steps} operations)", answer(outcome)),
                None => format!("{name}: no violation ({steps} operations)"),
            });
            if let Some(outcome) = outcome {
                return (outcome, Statistics { strategy: lines, solving, steps, ..Statistics::default() });
            }
        }
        if let Some((_, work)) = inductions.next_if(|induction| induction.0 == turn)
            && let Some(proof) = proved(program, options, work, &mut lines, &mut solving)
        {
            return proof;
        }
        let name = match policy {
            Policy::Fork => "path by path",
            Policy::Merge => "states joined",
        };
        if slice.is_some() && is_slice_over {
            continue;
        }
        let (end, mut statistics) = paths::explore(program, slice, options, policy, Effort { work, conflicts });
        solving += statistics.solving;
        let work = figures(&statistics);
        let bound = statistics.strategy.pop().unwrap_or_default();
        match end {
            End::Answer(outcome) => {
                lines.push(format!("{name}: {} ({work}, {bound})", answer(&outcome)));
                let is_open = matches!(outcome, Outcome::Unknown { .. }) && !options.cancel.is_cancelled();
                if slice.is_some() && is_open {
                    is_slice_over = true;
                    continue;
                }
                // What no path can be followed through may still be proved.
                for (_, work) in inductions.by_ref().filter(|_| is_open) {
                    if let Some(proof) = proved(program, options, work, &mut lines, &mut solving) {
                        return proof;
                    }
                }
                return (outcome, Statistics { strategy: lines, solving, ..statistics });
            }
            End::NotSequential => {
                lines.push(format!("{name}: the program starts processes ({work})"));
                return hunt(program, options, lines, solving);
            }
            End::GaveUp => lines.push(format!("{name}: too many ({work}, {bound})")),
        }
    }
    check_model(program, options, lines, solving)
}

/// Induction alone: only ever `Holds`, or what is left open.
pub fn prove_by_induction(program: &Program, options: &Options) -> (Outcome, Statistics) {
    if program.arithmetic != Arithmetic::Machine || !options.is_asked || !induction::is_for(program, options.kinds) {
        let reason = Reason::NoEngine { question: "this by induction".into() };
        let lines = vec!["induction: not for this question".into()];
        let statistics = Statistics { strategy: lines, ..Statistics::default() };
        return (Outcome::Unknown { reason, span: Span::NONE, diagnostic: None }, statistics);
    }
    induct(program, options, INDUCTION_TURNS[1].1)
}

/// A proof by induction within an amount of work, if there is one.
fn proved(
    program: &Program,
    options: &Options,
    work: u64,
    lines: &mut Vec<String>,
    solving: &mut Duration,
) -> Option<(Outcome, Statistics)> {
    let (outcome, mut statistics) = induct(program, options, work);
    *solving += statistics.solving;
    lines.append(&mut statistics.strategy);
    let statistics = Statistics { strategy: lines.clone(), solving: *solving, ..statistics };
    matches!(outcome, Outcome::Holds).then_some((outcome, statistics))
}

fn induct(program: &Program, options: &Options, work: u64) -> (Outcome, Statistics) {
    let report = induction::prove(program, options, work);
    let (steps, queries) = (report.steps, report.queries);
    let figures = format!("{steps} operations, {queries} questions, {:.2} s solving", report.solving.as_secs_f64());
    let mut lines: Vec<String> = report.tries.iter().map(|line| format!("induction, {line}")).collect();
    if let Some((hints, time)) = report.horn {
        lines.push(format!("Horn clauses: {hints} conditions from Spacer ({:.2} s)", time.as_secs_f64()));
    }
    let outcome = match report.open {
        None => {
            lines.push(format!("induction: holds ({}, {figures})", report.level));
            for fact in report.facts.iter().take(24) {
                let name = program.functions[fact.function].name;
                lines.push(format!("  in a loop of {name}: {}", fact.expression));
            }
            Outcome::Holds
        }
        Some((what, span)) => {
            lines.push(format!("induction: open, {what} ({}, {figures})", report.level));
            let reason = if options.cancel.is_cancelled() {
                crate::limits::stopped(options)
            } else {
                Reason::NoEngine { question: format!("what induction leaves open: {what}") }
            };
            Outcome::Unknown { reason, span, diagnostic: None }
        }
    };
    let (solving, facts) = (report.solving, report.facts);
    (outcome, Statistics { strategy: lines, solving, steps, solver_queries: queries, facts, ..Statistics::default() })
}

/// Operations of the first search of a program with several processes, before others are tried.
const FIRST_WORK: u64 = 2_000_000;
/// Searches for violations: switches away from a process that could go on, processes, and operations.
const HUNTS: &[(u32, usize, u64)] = &[(1, 3, 2_000_000), (2, 3, 6_000_000), (2, 5, 6_000_000), (3, 5, 6_000_000)];

/// The search through the orders of processes, interrupted by searches that find violations sooner.
fn hunt(program: &Program, options: &Options, mut lines: Vec<String>, mut solving: Duration) -> (Outcome, Statistics) {
    let is_open = options.preemptions.is_none() && options.processes.is_none() && options.is_reduced;
    if !is_open || options.finds_cycles || options.errors > 1 || options.is_compared || !options.is_saved {
        return check_model(program, options, lines, solving);
    }
    let all = (None, None, FIRST_WORK);
    let few = HUNTS.iter().map(|&(switches, most, work)| (Some(switches), Some(most), work));
    for (switches, most, work) in [all].into_iter().chain(few) {
        let bounded = Options { preemptions: switches, processes: most, ..options.clone() };
        let (outcome, statistics) = engine::verify_within(program, &bounded, work);
        solving += statistics.solving;
        let name = match switches {
            Some(switches) => format!("orders with at most {switches} preemptions"),
            None => "all orders of processes".into(),
        };
        lines.push(format!("{name}: {} ({})", answer(&outcome), figures(&statistics)));
        let is_complete = switches.is_none() && !statistics.is_exhausted;
        if is_complete || matches!(outcome, Outcome::Violated { .. }) {
            return (outcome, Statistics { strategy: lines, solving, ..statistics });
        }
        if options.cancel.is_cancelled() {
            break;
        }
    }
    check_model(program, options, lines, solving)
}

/// The search through the orders of processes.
fn check_model(
    program: &Program,
    options: &Options,
    mut lines: Vec<String>,
    solving: Duration,
) -> (Outcome, Statistics) {
    let (outcome, statistics) = engine::verify(program, options);
    let solving = solving + statistics.solving;
    let figures = figures(&statistics);
    lines.push(format!("all orders of processes: {} ({figures})", answer(&outcome)));
    (outcome, Statistics { strategy: lines, solving, ..statistics })
}

fn answer(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Holds => "holds".into(),
        Outcome::Violated { kind, .. } => format!("violated ({kind})"),
        Outcome::Unknown { reason, .. } => format!("open ({reason})"),
    }
}

fn figures(statistics: &Statistics) -> String {
    let Statistics { search, steps, solver_queries, .. } = statistics;
    format!("{steps} operations, {} states, {solver_queries} questions", search.states)
}
