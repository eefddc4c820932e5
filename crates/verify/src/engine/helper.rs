//! Engines of further threads: what they have to tell when they are done.
//!
//! Every engine of a search has its own machine, solver and caches. They share the pool of terms and what pointers to
//! functions stand for, so that a state means the same to all; and they begin with the same guess of what is written.

use super::system::QUERY_WORK;
use super::{Doubt, Engine};
use crate::written::Written;
use quod_base::Span;
use std::time::Duration;

/// What an engine found out beside its findings.
pub(crate) struct Summary {
    doubts: Vec<Doubt>,
    doubt_total: usize,
    queries: u64,
    steps: u64,
    solving: Duration,
    processes: usize,
    is_stopped: bool,
    stopped_at: Span,
    written: Written,
}

impl Engine<'_> {
    pub(super) fn begin_search(&mut self) {
        self.written.begin();
        self.show_nothing();
        self.helpers = 0;
        self.earlier_effort = self.total_effort();
    }

    /// Operations, with questions to the solver as operations.
    pub(super) fn total_effort(&self) -> u64 {
        self.machine.steps.saturating_add(self.queries.saturating_mul(QUERY_WORK))
    }

    pub(super) fn into_summary(self) -> Summary {
        Summary {
            doubts: self.doubts,
            doubt_total: self.doubt_total,
            queries: self.queries,
            steps: self.machine.steps,
            solving: self.solver.time(),
            processes: self.processes,
            is_stopped: self.is_stopped,
            stopped_at: self.stopped_at,
            written: self.written,
        }
    }

    /// Each doubt of another engine is one of this.
    pub(super) fn take_over(&mut self, summary: Summary) {
        self.helpers += 1;
        self.doubts.extend(summary.doubts);
        self.doubt_total += summary.doubt_total;
        self.queries += summary.queries;
        self.machine.steps += summary.steps;
        self.helpers_solving += summary.solving;
        self.processes = self.processes.max(summary.processes);
        if summary.is_stopped && !self.is_stopped {
            self.stopped_at = summary.stopped_at;
        }
        self.is_stopped |= summary.is_stopped;
        self.written.absorb(summary.written);
    }

    /// The doubt that is told: the first one, or, where several threads had doubts, that of the first place in the program.
    pub(super) fn first_doubt(&mut self) -> Option<Doubt> {
        if self.helpers > 0 {
            self.doubts.sort_by_cached_key(|(reason, span, _)| (*span, reason.to_string()));
        }
        self.doubts.drain(..).next()
    }
}
