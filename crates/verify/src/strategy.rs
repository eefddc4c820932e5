//! Which engines look at a program, and for how long.
//!
//! A program of one process is first looked at path by path, with states matched: that finds shallow violations and
//! finishes programs whose states are few. Where there are too many paths, states are joined instead. A program that
//! starts processes goes to the model checker. Where that takes long, executions with few switches between few processes are
//! looked at for a while: most violations need no more, and only violations count there.

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
    let (end, statistics) = paths::explore(program, options, Policy::Fork, FORK_WORK);
    match end {
        End::Answer(outcome) => return (outcome, statistics),
        End::NotSequential => return processes(program, options),
        End::GaveUp => {}
    }
    match paths::explore(program, options, Policy::Merge, u64::MAX) {
        (End::Answer(outcome), statistics) => (outcome, statistics),
        (End::NotSequential | End::GaveUp, _) => processes(program, options),
    }
}

/// Operations of the first search of a program with several processes, before others are tried.
const FIRST_WORK: u64 = 2_000_000;
/// Searches for violations: switches away from a process that could go on, processes, and operations.
const HUNTS: &[(u32, usize, u64)] = &[(1, 3, 2_000_000), (2, 3, 6_000_000), (2, 5, 6_000_000), (3, 5, 6_000_000)];

fn processes(program: &Program, options: &Options) -> (Outcome, Statistics) {
    let is_open = options.preemptions.is_none() && options.processes.is_none() && options.is_reduced;
    if !is_open || options.finds_cycles || options.errors > 1 || options.is_compared || !options.is_saved {
        return engine::verify(program, options);
    }
    let (outcome, statistics) = engine::verify_within(program, options, FIRST_WORK);
    if !statistics.is_exhausted || matches!(outcome, Outcome::Violated { .. }) {
        return (outcome, statistics);
    }
    for &(switches, most, work) in HUNTS {
        if options.cancel.is_cancelled() {
            break;
        }
        let hunt = Options { preemptions: Some(switches), processes: Some(most), ..options.clone() };
        let found = engine::verify_within(program, &hunt, work);
        if matches!(found.0, Outcome::Violated { .. }) {
            return found;
        }
    }
    engine::verify(program, options)
}
