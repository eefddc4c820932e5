//! `quod verify`: all executions of a program, for all inputs and all schedules.
//!
//! The question is a program (with its checks inserted) and the kinds of violation that are asked for. The engine drives
//! the executor on symbolic values, forks where a condition is open, asks the solver which ways are possible, and replays
//! what it finds on concrete values before it is reported.

pub mod abstraction;
mod compare;
mod deadlock;
mod engine;
mod fingerprint;
mod held;
mod induction;
mod lasso;
mod limits;
mod paths;
mod prove;
mod race;
mod reduce;
mod replay;
mod sample;
mod states;
mod strategy;
mod watch;
mod world;
mod written;

pub use compare::{Comparison, Side, compare};
pub use engine::{ARGUMENT_LENGTH, ARGUMENTS, Certainty, Confirmed, Options, Outcome, Statistics};
pub use prove::{Findings, ends_by, ends_soon, invariants, prove_first};
pub use replay::{Evidence, Schedule, ScheduledMove, walk};
pub use states::{ShownProcess, ShownState, states};
pub use strategy::{prove_by_induction, verify, verify_slice};
pub use watch::Watched;
