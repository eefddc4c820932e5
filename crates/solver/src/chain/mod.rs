//! The chain: each stage answers what it can and asks the next one otherwise, as the solver chain of KLEE does.
//!
//! standard form → context simplification → slicing → cache → difference logic → embedded decider → portfolio
//!
//! A stage is a small decorator. Each counts what it saw and what it answered, and each can be left out.

pub mod cache;
pub mod context;
pub mod difference;
pub mod embedded;
mod linear;
pub mod log;
pub mod portfolio;
pub mod slice;
pub mod standard;

use crate::answer::Answer;
use crate::sat::Limits;
use quod_term::Term;

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
    pub nanoseconds: u64,
}

/// A decorator of the chain.
pub trait Stage: Send {
    fn check(&mut self, query: &Query<'_>) -> Answer;

    /// Own figures first, then those of the stages behind.
    fn statistics(&self, into: &mut Vec<StageStatistics>);
}
