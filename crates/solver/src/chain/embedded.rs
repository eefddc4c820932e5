//! The stage of the embedded decider. What it cannot answer goes on to the next stage, if there is one.

use super::{Query, Stage, StageStatistics};
use crate::answer::{Answer, Reason};
use crate::embedded::{Embedded, EmbeddedLimits};
use crate::sat::Cancel;
use quod_term::TermPool;
use std::sync::Arc;

pub struct EmbeddedStage {
    pool: Arc<TermPool>,
    embedded: Embedded,
    cancel: Cancel,
    inner: Option<Box<dyn Stage>>,
    statistics: StageStatistics,
}

/// With more variables than this the solver starts anew: definitions of old queries would only take memory.
const MAX_VARIABLES: usize = 4_000_000;

impl EmbeddedStage {
    pub fn new(pool: Arc<TermPool>, cancel: Cancel, inner: Option<Box<dyn Stage>>) -> Self {
        let mut embedded = Embedded::new(pool.clone());
        embedded.set_cancel(cancel.clone());
        let statistics = StageStatistics { name: "embedded", ..StageStatistics::default() };
        Self { pool, embedded, cancel, inner, statistics }
    }

    /// A hard query in a decider of its own: its conjuncts are facts there, which learnt clauses need not mention.
    fn check_alone(&self, query: &Query<'_>) -> Answer {
        let mut alone = Embedded::new(self.pool.clone());
        alone.set_cancel(self.cancel.clone());
        alone.sat.deadline = query.limits.deadline;
        for &term in query.terms {
            if let Err(unsupported) = alone.assert_permanently(term) {
                return Answer::Unknown(unsupported.into());
            }
        }
        let limits = EmbeddedLimits { sat: query.limits.clone(), hand_over: u64::MAX, ..EmbeddedLimits::default() };
        match alone.check(&[], &limits) {
            Answer::Unsat(_) => Answer::Unsat(query.terms.to_vec()),
            answer => answer,
        }
    }
}

impl Stage for EmbeddedStage {
    fn decide(&mut self, query: &Query<'_>) -> Answer {
        self.statistics.queries += 1;
        if self.embedded.sat.variables() > MAX_VARIABLES {
            self.embedded = Embedded::new(self.pool.clone());
            self.embedded.set_cancel(self.cancel.clone());
        }
        let limits = EmbeddedLimits { sat: query.limits.clone(), ..EmbeddedLimits::default() };
        let mut answer = self.embedded.check(query.terms, &limits);
        if answer.is_unknown() && self.embedded.was_cut_short() && !self.cancel.is_cancelled() {
            answer = self.check_alone(query);
        }
        match answer {
            Answer::Unknown(Reason::Cancelled) => answer,
            Answer::Unknown(reason) => match &mut self.inner {
                Some(inner) => match inner.check(query) {
                    Answer::Unknown(Reason::NoSolver(help)) if matches!(reason, Reason::Unsupported(_)) => {
                        Answer::Unknown(Reason::NoSolver(format!("{reason}; {help}")))
                    }
                    Answer::Unknown(Reason::NoSolver(_)) => Answer::Unknown(reason),
                    answer => answer,
                },
                None => Answer::Unknown(reason),
            },
            answer => {
                self.statistics.answered += 1;
                answer
            }
        }
    }

    fn own_statistics(&mut self) -> &mut StageStatistics {
        &mut self.statistics
    }

    fn statistics(&self, into: &mut Vec<StageStatistics>) {
        into.push(self.statistics.clone());
        if let Some(inner) = &self.inner {
            inner.statistics(into);
        }
    }
}
