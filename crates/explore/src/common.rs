//! What the threads of one search share.

use crate::options::{Found, Options};
use crate::path::Path;
use crate::system::System;
use crate::visited::Visited;
use quod_base::Fingerprint;
use quod_verdict::CancelToken;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) type Trail<S> = Arc<Path<<S as System>::Move, <S as System>::Process>>;
pub(crate) type FoundBy<S> = Found<<S as System>::Move, <S as System>::Finding>;

/// A state to be visited, and the moves to it.
pub(crate) struct Visit<S: System> {
    pub(crate) state: S::State,
    pub(crate) trail: Trail<S>,
    /// Where it was looked for already.
    pub(crate) key: Option<Fingerprint>,
    /// The thread that made the state.
    pub(crate) maker: u16,
    /// What is settled about processes on the way to a finding from here, see `Worker::expand_exactly`.
    pub(crate) settled: Option<Arc<[(S::Process, Fate)]>>,
}

/// What a process does on the rest of a shortest way.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    /// It moves no more.
    Rests,
    /// It moves again: else its last move would be in vain.
    Moves,
}

impl<S: System> Visit<S> {
    pub(crate) fn new(state: S::State, trail: Trail<S>, maker: u16) -> Self {
        Self { state, trail, key: None, maker, settled: None }
    }
}

/// Why a search ends before all states are visited.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum End {
    Cancelled = 1,
    Exhausted = 2,
    Enough = 4,
    Void = 8,
    /// A thread has panicked.
    Broken = 16,
}

pub(crate) struct Common<'a, S: System> {
    pub(crate) options: &'a Options,
    pub(crate) cancel: &'a CancelToken,
    pub(crate) visited: Visited,
    /// Threads that may take part.
    pub(crate) threads: usize,
    /// No move is made that the way to a finding can do without.
    pub(crate) is_exact: bool,
    depth_limit: AtomicU64,
    ends: AtomicU8,
    found: Mutex<Vec<FoundBy<S>>>,
    at: Mutex<Option<S::State>>,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a, S: System> Common<'a, S> {
    /// `longest`: where a way of that length is known, and shorter ones are looked for.
    pub(crate) fn new(options: &'a Options, cancel: &'a CancelToken, threads: usize, longest: Option<u64>) -> Self {
        let depth = options.depth.into_iter().chain(longest).min();
        Self {
            options,
            cancel,
            visited: Visited::new(),
            threads,
            is_exact: longest.is_some(),
            depth_limit: AtomicU64::new(depth.unwrap_or(u64::MAX)),
            ends: AtomicU8::new(0),
            found: Mutex::default(),
            at: Mutex::default(),
        }
    }

    pub(crate) fn depth_limit(&self) -> u64 {
        self.depth_limit.load(Ordering::Relaxed)
    }

    /// Takes a state with a key for a thread. False where it was met before, in a way that makes it needless.
    pub(crate) fn enter(&self, key: Fingerprint, visit: &Visit<S>, owner: u16) -> bool {
        let depth = visit.trail.length;
        if self.is_exact {
            let settled = visit.settled.iter().flat_map(|settled| settled.iter());
            let resting = settled.filter(|(_, fate)| *fate == Fate::Rests).map(|&(process, _)| process.into());
            return self.visited.enter_resting(key, depth, &resting.collect::<Vec<u64>>());
        }
        // Under a depth bound a state that is met nearer to the start has more room below it.
        let is_bounded = self.options.depth.is_some() || self.options.is_minimal;
        self.visited.enter(key, depth, owner, is_bounded)
    }

    pub(crate) fn end(&self, end: End) {
        self.ends.fetch_or(end as u8, Ordering::Relaxed);
    }

    pub(crate) fn is_ended(&self) -> bool {
        self.ends.load(Ordering::Relaxed) != 0
    }

    pub(crate) fn has_ended_by(&self, end: End) -> bool {
        self.ends.load(Ordering::Relaxed) & end as u8 != 0
    }

    /// Looks at all that ends a search.
    pub(crate) fn is_over(&self, system: &S) -> bool {
        if self.cancel.is_cancelled() {
            self.end(End::Cancelled);
        }
        if system.is_exhausted() {
            self.end(End::Exhausted);
        }
        if system.is_void() {
            self.end(End::Void);
        }
        self.is_ended()
    }

    /// The state that comes next when the search ends.
    pub(crate) fn stop_at(&self, state: S::State) {
        lock(&self.at).get_or_insert(state);
    }

    pub(crate) fn find(&self, found: FoundBy<S>) {
        let mut all = lock(&self.found);
        if self.options.is_minimal {
            let length = found.path.len() as u64;
            if all.first().is_some_and(|best| best.path.len() as u64 <= length) {
                return;
            }
            // States one step before are expanded: nobody may be able to move there.
            self.depth_limit.fetch_min(length, Ordering::Relaxed);
            *all = vec![found];
        } else if all.len() < self.options.findings {
            all.push(found);
            if all.len() == self.options.findings {
                self.end(End::Enough);
            }
        }
    }

    pub(crate) fn into_found(self) -> (Vec<FoundBy<S>>, Option<S::State>) {
        let found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        (found, self.at.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Ends the search of all threads when the one that holds it panics.
pub(crate) struct Guard<'a, 'b, S: System>(pub(crate) &'a Common<'b, S>);

impl<S: System> Drop for Guard<'_, '_, S> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end(End::Broken);
        }
    }
}
