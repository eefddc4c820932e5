//! How much an engine may do: units of work, which are counted and therefore repeatable, and a wall clock and a
//! cancellation token, which only stop a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Set from elsewhere (Ctrl-C, another thread that has the answer) to end a run soon.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
    /// The flag itself, for loops that look at it all the time.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

/// Why a budget ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    OutOfWork,
    Timeout,
    Cancelled,
}

impl From<Stop> for crate::Reason {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::OutOfWork => crate::Reason::OutOfBudget,
            Stop::Timeout => crate::Reason::Timeout,
            Stop::Cancelled => crate::Reason::Interrupted,
        }
    }
}

/// Shared by the threads of one task.
#[derive(Debug)]
pub struct Budget {
    work_left: AtomicU64,
    spent: AtomicU64,
    deadline: Option<Instant>,
    cancel: CancelToken,
}

/// The clock is read once in so many units of work.
const CLOCK_INTERVAL: u64 = 1 << 12;

impl Budget {
    pub fn unlimited() -> Self {
        Self::new(None, None, CancelToken::default())
    }

    pub fn new(work: Option<u64>, time: Option<Duration>, cancel: CancelToken) -> Self {
        Self {
            work_left: AtomicU64::new(work.unwrap_or(u64::MAX)),
            spent: AtomicU64::new(0),
            deadline: time.and_then(|time| Instant::now().checked_add(time)),
            cancel,
        }
    }

    /// Counts work done. Cheap enough for each step of an execution.
    pub fn spend(&self, units: u64) -> Result<(), Stop> {
        let before = self.spent.fetch_add(units, Ordering::Relaxed);
        if before.saturating_add(units) > self.work_left.load(Ordering::Relaxed) {
            return Err(Stop::OutOfWork);
        }
        if before / CLOCK_INTERVAL != (before + units) / CLOCK_INTERVAL || units == 0 {
            return self.check();
        }
        Ok(())
    }

    /// Looks at the clock and the token.
    pub fn check(&self) -> Result<(), Stop> {
        if self.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stop::Timeout),
            _ => Ok(()),
        }
    }

    pub fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    pub fn cancel_token(&self) -> &CancelToken {
        &self.cancel
    }

    /// The time left before the deadline, for processes that are to be bounded by it.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends() {
        let budget = Budget::new(Some(10), None, CancelToken::default());
        assert_eq!(budget.spend(10), Ok(()));
        assert_eq!(budget.spend(1), Err(Stop::OutOfWork));
        assert_eq!(budget.spent(), 11);
    }

    #[test]
    fn cancelling_and_time_are_noticed() {
        let token = CancelToken::default();
        let budget = Budget::new(None, None, token.clone());
        assert_eq!(budget.spend(CLOCK_INTERVAL), Ok(()));
        token.cancel();
        assert_eq!(budget.spend(CLOCK_INTERVAL), Err(Stop::Cancelled));
        let budget = Budget::new(None, Some(Duration::ZERO), CancelToken::default());
        assert_eq!(budget.check(), Err(Stop::Timeout));
    }
}
