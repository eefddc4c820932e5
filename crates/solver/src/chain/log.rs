//! A log of queries as SMT-LIB text, to be replayed by any solver.

use super::{Query, Stage, StageStatistics};
use crate::answer::Answer;
use quod_term::TermPool;
use std::sync::{Arc, Mutex};

/// Takes the text of each query, a whole script with `(check-sat)` and `(reset)`.
pub type LogSink = Arc<Mutex<dyn FnMut(&str) + Send>>;

pub struct Log {
    pool: Arc<TermPool>,
    sink: LogSink,
    inner: Box<dyn Stage>,
    statistics: StageStatistics,
}

impl Log {
    pub fn new(pool: Arc<TermPool>, sink: LogSink, inner: Box<dyn Stage>) -> Self {
        let statistics = StageStatistics { name: "log", ..StageStatistics::default() };
        Self { pool, sink, inner, statistics }
    }
}

impl Stage for Log {
    fn decide(&mut self, query: &Query<'_>) -> Answer {
        self.statistics.queries += 1;
        let answer = self.inner.check(query);
        let status = match &answer {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        let text = quod_term::smtlib::script(&self.pool, None, query.terms);
        if let Ok(mut sink) = self.sink.lock() {
            (*sink)(&format!("(set-info :status {status})\n{text}(reset)\n"));
        }
        answer
    }

    fn own_statistics(&mut self) -> &mut StageStatistics {
        &mut self.statistics
    }

    fn statistics(&self, into: &mut Vec<StageStatistics>) {
        into.push(self.statistics.clone());
        self.inner.statistics(into);
    }
}
