//! The chain: each stage answers what it can and asks the next one otherwise, as the solver chain of KLEE does.
//!
//! standard form → context simplification → slicing → cache → difference logic → guesses → embedded decider → portfolio
//!
//! A stage is a small decorator. Each counts what it saw and what it answered, and each can be left out.

pub mod cache;
pub mod context;
pub mod difference;
pub mod embedded;
pub mod guess;
mod linear;
pub mod log;
pub mod portfolio;
pub mod slice;
pub mod standard;

use crate::answer::Answer;
use crate::sat::Limits;
use quod_term::Term;
use std::time::Instant;

/// One question: can these terms hold together?
#[derive(Clone, Debug)]
pub struct Query<'a> {
    pub terms: &'a [Term],
    pub limits: &'a Limits,
}

/// What a stage has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StageStatistics {
    pub name: &'static str,
    pub queries: u64,
    /// Answered without asking the next stage.
    pub answered: u64,
    /// In this stage; in [`Stage::statistics`] with the stages behind it, which `Solver::statistics` takes off again.
    pub nanoseconds: u64,
}

/// A decorator of the chain.
pub trait Stage: Send {
    /// Answers, or asks the next stage.
    fn decide(&mut self, query: &Query<'_>) -> Answer;

    fn own_statistics(&mut self) -> &mut StageStatistics;

    /// Decides and keeps the time, that of the stages behind included.
    fn check(&mut self, query: &Query<'_>) -> Answer {
        let start = Instant::now();
        let answer = self.decide(query);
        self.own_statistics().nanoseconds += start.elapsed().as_nanos() as u64;
        answer
    }

    /// Own figures first, then those of the stages behind.
    fn statistics(&self, into: &mut Vec<StageStatistics>);
}
