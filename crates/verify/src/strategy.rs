//! Which engines look at a program, and for how long.
//!
//! A program of one process is first looked at path by path, with states matched: that finds shallow violations and
//! finishes programs whose states are few. Where there are too many paths, states are joined instead. A program that
//! starts processes goes to the model checker.

use crate::engine::{self, Options, Outcome, Statistics};
use crate::paths::{self, End, Policy};
use quod_model::ir::{Arithmetic, Program};

/// Operations, and questions to the solver as operations, before paths are given up for joined states.
const FORK_WORK: u64 = 3_000_000;

pub fn verify(program: &Program, options: &Options) -> (Outcome, Statistics) {
    // Traces of a certain shape are the model checker's; so is the whole of CIVL-C.
    let is_plain = program.arithmetic == Arithmetic::Machine
        && options.is_asked
        && options.depth.is_none()
        && !options.is_breadth_first
        && !options.is_minimal;
    if !is_plain {
        return engine::verify(program, options);
    }
    let (end, first) = paths::explore(program, options, Policy::Fork, FORK_WORK);
    match end {
        End::Answer(outcome) => return (outcome, first),
        End::NotSequential => return engine::verify(program, options),
        End::GaveUp => {}
    }
    let (outcome, mut statistics) = match paths::explore(program, options, Policy::Merge, u64::MAX) {
        (End::Answer(outcome), statistics) => (outcome, statistics),
        (End::NotSequential | End::GaveUp, _) => engine::verify(program, options),
    };
    statistics.solver_queries += first.solver_queries;
    statistics.solving += first.solving;
    statistics.steps += first.steps;
    (outcome, statistics)
}
