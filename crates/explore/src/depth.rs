//! Depth first. Each thread has a stack of its own; who has nothing to do gets states from the bottom of another's.

use crate::common::{Common, Guard, Visit, lock};
use crate::expand::{Rest, Worker};
use crate::options::{Found, Statistics};
use crate::system::System;
use quod_base::Fingerprint;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// States that are handed over at once.
const MOST_GIVEN: usize = 16;

/// States on their way from one thread to another.
pub(crate) struct Exchange<S: System> {
    inner: Mutex<Inner<S>>,
    wake: Condvar,
    /// Threads that wait for states, for a look without the lock.
    wanted: AtomicUsize,
}

struct Inner<S: System> {
    waiting: VecDeque<Visit<S>>,
    idle: usize,
    workers: usize,
}

impl<S: System> Exchange<S> {
    pub(crate) fn new() -> Self {
        let inner = Inner { waiting: VecDeque::new(), idle: 0, workers: 1 };
        Self { inner: Mutex::new(inner), wake: Condvar::new(), wanted: AtomicUsize::new(0) }
    }

    /// A thread will take part.
    pub(crate) fn join(&self) {
        lock(&self.inner).workers += 1;
    }

    /// A thread takes no part any more.
    pub(crate) fn leave(&self) {
        lock(&self.inner).workers -= 1;
        self.wake.notify_all();
    }

    /// Waits until all others have come, but not for ever.
    fn wait_for_others(&self) {
        let start = std::time::Instant::now();
        let is_here = || {
            let inner = lock(&self.inner);
            inner.idle + 1 >= inner.workers
        };
        while !is_here() && start.elapsed() < Duration::from_millis(300) {
            std::thread::yield_now();
        }
    }

    /// A state of another thread; nothing when the search is over.
    fn take(&self, common: &Common<'_, S>) -> Option<Visit<S>> {
        let mut inner = lock(&self.inner);
        inner.idle += 1;
        loop {
            if common.is_ended() || (inner.waiting.is_empty() && inner.idle >= inner.workers) {
                // All wait, or shall not go on: `idle` stays, so that the others see it.
                self.wanted.store(0, Ordering::Relaxed);
                self.wake.notify_all();
                return None;
            }
            if let Some(visit) = inner.waiting.pop_front() {
                inner.idle -= 1;
                self.wanted.store(inner.idle.saturating_sub(inner.waiting.len()), Ordering::Relaxed);
                return Some(visit);
            }
            self.wanted.store(inner.idle, Ordering::Relaxed);
            let waited = self.wake.wait_timeout(inner, Duration::from_millis(20));
            inner = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn give(&self, visits: impl Iterator<Item = Visit<S>>) {
        let mut inner = lock(&self.inner);
        inner.waiting.extend(visits);
        self.wanted.store(inner.idle.saturating_sub(inner.waiting.len()), Ordering::Relaxed);
        self.wake.notify_all();
    }
}

/// An entry of the stack.
enum Entry<S: System> {
    Visit(Visit<S>),
    /// All below the state is done. Where an ample set alone has moved, the others are looked at again.
    Leave(Option<Fingerprint>, Option<Box<Rest<S>>>),
    /// Handed over to another thread.
    Gone,
}

/// The stack of one thread.
struct Stack<S: System> {
    entries: Vec<Entry<S>>,
    visits: usize,
    /// No entry below this one is a visit.
    low: usize,
}

impl<S: System> Stack<S> {
    fn push(&mut self, entry: Entry<S>) {
        self.visits += usize::from(matches!(entry, Entry::Visit(_)));
        self.entries.push(entry);
    }

    fn push_all(&mut self, next: Vec<Visit<S>>) {
        next.into_iter().rev().for_each(|visit| self.push(Entry::Visit(visit)));
    }

    fn pop(&mut self) -> Option<Entry<S>> {
        let entry = self.entries.pop()?;
        self.visits -= usize::from(matches!(entry, Entry::Visit(_)));
        self.low = self.low.min(self.entries.len());
        Some(entry)
    }

    /// Takes states from the bottom: below them most is left to be done.
    fn give(&mut self, count: usize) -> Vec<Visit<S>> {
        let mut given = Vec::new();
        while given.len() < count && self.low < self.entries.len() {
            let entry = &mut self.entries[self.low];
            if matches!(entry, Entry::Visit(_))
                && let Entry::Visit(visit) = std::mem::replace(entry, Entry::Gone)
            {
                given.push(visit);
                self.visits -= 1;
            }
            self.low += 1;
        }
        given
    }
}

/// Searches from the initial states; `make` gives the systems of further threads.
pub(crate) fn search<S: System, M: Fn() -> S + Sync>(
    system: &mut S,
    make: Option<&M>,
    common: &Common<'_, S>,
    initial: Vec<Visit<S>>,
) -> Statistics {
    let exchange = Exchange::new();
    let mut stack = Stack { entries: Vec::new(), visits: 0, low: 0 };
    stack.push_all(initial);
    let mut worker = Worker::new(system, common, 0);
    let _guard = Guard(common);
    let make = make.filter(|_| common.threads > 1);
    if make.is_some() {
        let (states, effort) = common.options.large;
        worker.run(&mut stack, |worker| worker.statistics.states < states && worker.system.effort() < effort);
    } else {
        worker.run(&mut stack, |_| true);
    }
    if let Some(make) = make.filter(|_| !stack.entries.is_empty() && !common.is_ended()) {
        std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..common.threads)
                .filter_map(|index| {
                    exchange.join();
                    let exchange = &exchange;
                    let help = move || {
                        let _guard = Guard(common);
                        let mut system = make();
                        let mut worker = Worker::new(&mut system, common, index);
                        worker.run_with_others(Stack { entries: Vec::new(), visits: 0, low: 0 }, exchange);
                        (worker.statistics, system.summary())
                    };
                    let thread = crate::search::spawn(scope, help);
                    if thread.is_none() {
                        exchange.leave();
                    }
                    thread
                })
                .collect();
            if common.options.is_mixed {
                exchange.wait_for_others();
            }
            worker.run_with_others(stack, &exchange);
            for helper in helpers {
                let (statistics, summary) = helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                worker.statistics.add(&statistics);
                worker.system.absorb(summary);
            }
        });
    }
    worker.statistics
}

impl<S: System> Worker<'_, '_, S> {
    fn run_with_others(&mut self, mut stack: Stack<S>, exchange: &Exchange<S>) {
        loop {
            self.run(&mut stack, |_| exchange.wanted.load(Ordering::Relaxed) == 0);
            if self.common.is_ended() {
                // Wakes the others, and is waited for by nobody.
                exchange.leave();
                return;
            }
            if stack.visits > 1 {
                let count = (stack.visits / 2).min(MOST_GIVEN);
                exchange.give(stack.give(count).into_iter());
            } else if stack.entries.is_empty() {
                match exchange.take(self.common) {
                    Some(visit) => stack.push(Entry::Visit(visit)),
                    None => return,
                }
            } else {
                // Too little to share; a step further there may be more.
                self.step(&mut stack);
            }
        }
    }

    /// Visits states as long as there are any and `goes_on`.
    fn run(&mut self, stack: &mut Stack<S>, goes_on: impl Fn(&Self) -> bool) {
        while goes_on(self) && !stack.entries.is_empty() && !self.common.is_ended() {
            self.step(stack);
        }
    }

    fn step(&mut self, stack: &mut Stack<S>) {
        if self.common.options.is_mixed {
            std::thread::yield_now();
        }
        match stack.pop() {
            None | Some(Entry::Gone) => {}
            Some(Entry::Leave(key, rest)) => self.leave(key, rest, stack),
            Some(Entry::Visit(visit)) => self.visit(visit, stack),
        }
        for found in self.found.drain(..) {
            self.common.find(found);
        }
    }

    /// Closes a state, if all that it relies on is closed.
    fn leave(&mut self, key: Option<Fingerprint>, rest: Option<Box<Rest<S>>>, stack: &mut Stack<S>) {
        let is_closed = |key: &Fingerprint| self.common.visited.mark(*key).is_some_and(|mark| mark.is_closed);
        if let Some(rest) = rest
            && !rest.open.iter().all(is_closed)
        {
            let next = self.expand_rest(&rest);
            stack.push(Entry::Leave(key, None));
            return stack.push_all(next);
        }
        match (key, &mut self.on_stack) {
            (None, _) => {}
            (Some(key), Some(on_stack)) => drop(on_stack.remove(&key)),
            (Some(key), None) => self.common.visited.close(key),
        }
    }

    fn visit(&mut self, mut visit: Visit<S>, stack: &mut Stack<S>) {
        if self.common.is_over(self.system) {
            return self.common.stop_at(visit.state);
        }
        self.depth_limit = self.common.depth_limit();
        let (key, is_new) = self.enter(&mut visit);
        if !is_new {
            return self.meet_again(&visit);
        }
        if let (Some(key), Some(on_stack)) = (key, &mut self.on_stack) {
            on_stack.insert(key, visit.trail.length);
        }
        let (next, rest) = self.expand_chain(visit);
        if key.is_some() || rest.is_some() {
            stack.push(Entry::Leave(key, rest.map(Box::new)));
        }
        stack.push_all(next);
    }

    /// The key of a state, and whether it is to be visited: it was not met yet, or only from further away.
    fn enter(&mut self, visit: &mut Visit<S>) -> (Option<Fingerprint>, bool) {
        let depth = visit.trail.length;
        self.statistics.deepest = self.statistics.deepest.max(depth);
        let key = self.key(visit);
        let is_new = key.is_none_or(|key| match &self.on_stack {
            Some(on_stack) if !self.common.options.is_saved => !on_stack.contains_key(&key),
            _ => self.common.enter(key, visit, self.index),
        });
        self.statistics.states += u64::from(is_new);
        self.statistics.matches += u64::from(!is_new);
        (key, is_new)
    }

    /// A state that is on the stack was met again: the moves since then can be made for ever.
    fn meet_again(&mut self, visit: &Visit<S>) {
        let start = self.on_stack.as_ref().zip(visit.key).and_then(|(on_stack, key)| on_stack.get(&key).copied());
        if let Some(start) = start.filter(|_| self.common.options.finds_cycles)
            && let Some(finding) = self.system.at_cycle(&visit.state)
        {
            let cycle = Some(visit.trail.length - start);
            self.found.push(Found { path: visit.trail.moves(), finding, cycle });
        }
    }
}
