//! The solver that engines hold: the chain behind one small interface.

use crate::answer::{Answer, Model, Reason};
use crate::chain::cache::{Cache, Lookup};
use crate::chain::context::Context;
use crate::chain::difference::Difference;
use crate::chain::embedded::EmbeddedStage;
use crate::chain::guess::Guess;
use crate::chain::log::{Log, LogSink};
use crate::chain::portfolio::{Incidents, Portfolio};
use crate::chain::slice::Slice;
use crate::chain::standard::Standard;
use crate::chain::{Query, Stage, StageStatistics};
use crate::portfolio::Found;
use crate::portfolio::process::Bounds;
use crate::portfolio::race::Mode;
use crate::sat::{Cancel, Limits};
use quod_term::{Term, TermPool};
use std::sync::Arc;

/// Which stages stand in the chain, and how much one query may do.
#[derive(Clone)]
pub struct Options {
    pub context: bool,
    pub slicing: bool,
    pub cache: bool,
    pub embedded: bool,
    /// Solver processes, in order of preference; none: embedded deciders only.
    pub solvers: Vec<Found>,
    pub mode: Mode,
    /// Of one query to a solver process.
    pub bounds: Bounds,
    pub limits: Limits,
    /// Gets every query as SMT-LIB text.
    pub log: Option<LogSink>,
    /// Ends a running query within milliseconds.
    pub cancel: Cancel,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            context: true,
            slicing: true,
            cache: true,
            embedded: true,
            solvers: Vec::new(),
            mode: Mode::default(),
            bounds: Bounds::default(),
            limits: Limits::default(),
            log: None,
            cancel: Cancel::default(),
        }
    }
}

/// Whether a claim follows from a context.
#[derive(Clone, Debug)]
pub enum Validity {
    Valid,
    /// A model of the context in which the claim is false.
    Invalid(Model),
    Unknown(Reason),
}

/// Decides terms of one pool.
pub struct Solver {
    pool: Arc<TermPool>,
    chain: Box<dyn Stage>,
    cancel: Cancel,
    incidents: Incidents,
    pub limits: Limits,
}

impl Solver {
    pub fn new(pool: Arc<TermPool>) -> Self {
        Self::with_options(pool, &Options::default())
    }

    pub fn with_options(pool: Arc<TermPool>, options: &Options) -> Self {
        let cancel = options.cancel.clone();
        let portfolio =
            Portfolio::new(pool.clone(), &options.solvers, options.mode, options.bounds.clone(), cancel.clone());
        let incidents = portfolio.incidents();
        let mut chain: Box<dyn Stage> = Box::new(portfolio);
        if options.embedded {
            chain = Box::new(EmbeddedStage::new(pool.clone(), cancel.clone(), Some(chain)));
            chain = Box::new(Guess::new(pool.clone(), chain));
            chain = Box::new(Difference::new(pool.clone(), chain));
        }
        if options.cache {
            chain = Box::new(Cache::new(pool.clone(), Lookup::Related, chain));
        }
        if options.slicing {
            chain = Box::new(Slice::new(pool.clone(), chain));
        }
        if options.context {
            chain = Box::new(Context::new(pool.clone(), chain));
            if options.cache {
                chain = Box::new(Cache::new(pool.clone(), Lookup::Exact, chain));
            }
        }
        if let Some(sink) = &options.log {
            chain = Box::new(Log::new(pool.clone(), sink.clone(), chain));
        }
        chain = Box::new(Standard::new(pool.clone(), chain));
        Self { pool, chain, cancel, incidents, limits: options.limits.clone() }
    }

    pub fn pool(&self) -> &Arc<TermPool> {
        &self.pool
    }

    /// Can the terms hold together?
    pub fn check(&mut self, terms: &[Term]) -> Answer {
        self.chain.check(&Query { terms, limits: &self.limits })
    }

    /// Does the claim hold in every model of the context?
    pub fn is_valid(&mut self, context: &[Term], claim: Term) -> Validity {
        let mut terms = context.to_vec();
        terms.push(self.pool.not(claim));
        match self.check(&terms) {
            Answer::Sat(model) => Validity::Invalid(model),
            Answer::Unsat(_) => Validity::Valid,
            Answer::Unknown(reason) => Validity::Unknown(reason),
        }
    }

    /// Cancelling it from another thread ends a running query within milliseconds; `reset` it before the next one.
    pub fn cancel_handle(&self) -> Cancel {
        self.cancel.clone()
    }

    /// What went wrong with solver processes: deaths, garbage, models that are none.
    pub fn incidents(&self) -> Incidents {
        self.incidents.clone()
    }

    /// Wall time in all queries.
    pub fn time(&self) -> std::time::Duration {
        std::time::Duration::from_nanos(self.statistics().iter().map(|stage| stage.nanoseconds).sum())
    }

    /// By stage, the first one first.
    pub fn statistics(&self) -> Vec<StageStatistics> {
        let mut statistics = Vec::new();
        self.chain.statistics(&mut statistics);
        for at in 1..statistics.len() {
            let behind = statistics[at].nanoseconds;
            statistics[at - 1].nanoseconds = statistics[at - 1].nanoseconds.saturating_sub(behind);
        }
        statistics
    }
}
