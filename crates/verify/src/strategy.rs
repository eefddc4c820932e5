//! Which engines look at a program, and for how long.
//!
//! A program of one process is first looked at path by path, with states matched: that finds shallow violations and
//! finishes programs whose states are few. Where there are too many paths, states are joined instead. Neither is better for
//! all programs, so they take turns, each with more work than before. A program that starts processes goes to the model
//! checker.

use crate::engine::{self, Options, Outcome, Statistics};
use crate::paths::{self, End, Policy};
use quod_model::ir::{Arithmetic, Program};
use std::time::Duration;

/// Who looks, and for how many operations, with questions to the solver as operations.
const TURNS: [(Policy, u64); 4] =
    [(Policy::Fork, 300_000), (Policy::Merge, 1_000_000), (Policy::Fork, 3_000_000), (Policy::Merge, u64::MAX)];

pub fn verify(program: &Program, options: &Options) -> (Outcome, Statistics) {
    // Traces of a certain shape are the model checker's; so is the whole of CIVL-C.
    let is_plain = program.arithmetic == Arithmetic::Machine
        && options.is_asked
        && options.depth.is_none()
        && !options.is_breadth_first
        && !options.is_minimal;
    let mut lines = Vec::new();
    let mut solving = Duration::ZERO;
    if !is_plain {
        return check_model(program, options, lines, solving);
    }
    for (policy, work) in TURNS {
        let name = match policy {
            Policy::Fork => "path by path",
            Policy::Merge => "states joined",
        };
        let (end, mut statistics) = paths::explore(program, options, policy, work);
        solving += statistics.solving;
        let work = figures(&statistics);
        let bound = statistics.strategy.pop().unwrap_or_default();
        match end {
            End::Answer(outcome) => {
                lines.push(format!("{name}: {} ({work}, {bound})", answer(&outcome)));
                return (outcome, Statistics { strategy: lines, solving, ..statistics });
            }
            End::NotSequential => {
                lines.push(format!("{name}: the program starts processes ({work})"));
                break;
            }
            End::GaveUp => lines.push(format!("{name}: too many ({work}, {bound})")),
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
