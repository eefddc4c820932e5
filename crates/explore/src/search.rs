//! Depth-first and breadth-first search with state matching.
//!
//! Reduction follows Peled's ample sets: where `System::ample` gives a subset, only that is expanded, unless one of its
//! moves leads to a state on the stack (the cycle proviso; breadth first: to any state seen before).

use crate::system::{Outcome, System};
use quod_base::Fingerprint;
use quod_verdict::CancelToken;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Order {
    DepthFirst,
    BreadthFirst,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub order: Order,
    /// Moves from the initial state; deeper states are cut off, and counted.
    pub depth: Option<u64>,
    /// Stop after so many findings.
    pub findings: usize,
    /// After a finding go on below its depth only, so that the last one is as short as any.
    pub is_minimal: bool,
    pub is_reduced: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// States that were expanded.
    pub states: u64,
    /// Fingerprints kept.
    pub saved: u64,
    /// Times that a state was met again.
    pub matches: u64,
    pub moves: u64,
    pub deepest: u64,
    /// States where the depth bound cut.
    pub cut: u64,
}

/// A finding and the moves to it.
#[derive(Debug)]
pub struct Found<Move, Finding> {
    pub path: Vec<Move>,
    pub finding: Finding,
}

#[derive(Debug)]
pub struct Report<Move, Finding> {
    pub found: Vec<Found<Move, Finding>>,
    pub statistics: Statistics,
    /// Cancelled before the end.
    pub is_cancelled: bool,
}

/// The moves to a state, shared between siblings.
struct Path<Move> {
    last: Option<(Move, Rc<Path<Move>>)>,
    length: u64,
}

impl<Move: Clone> Path<Move> {
    fn then(self: &Rc<Self>, step: Move) -> Rc<Self> {
        Rc::new(Self { last: Some((step, self.clone())), length: self.length + 1 })
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut at = self;
        while let Some((step, before)) = &at.last {
            moves.push(step.clone());
            at = before;
        }
        moves.reverse();
        moves
    }
}

impl<Move> Drop for Path<Move> {
    /// Long paths are taken apart in a loop, not on the stack.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some((_, path)) = next {
            next = Rc::try_unwrap(path).ok().and_then(|mut path| path.last.take());
        }
    }
}

/// Searches all states from the initial ones.
pub fn search<S: System>(
    system: &mut S,
    initial: Vec<S::State>,
    options: &Options,
    cancel: &CancelToken,
) -> Report<S::Move, S::Finding> {
    let mut search = Search {
        system,
        options,
        depth_limit: options.depth.unwrap_or(u64::MAX),
        seen: FxHashMap::default(),
        on_stack: FxHashSet::default(),
        report: Report { found: Vec::new(), statistics: Statistics::default(), is_cancelled: false },
    };
    let root = Rc::new(Path { last: None, length: 0 });
    match options.order {
        Order::DepthFirst => search.depth_first(initial, &root, cancel),
        Order::BreadthFirst => search.breadth_first(initial, &root, cancel),
    }
    search.report.statistics.saved = search.seen.len() as u64;
    search.report
}

struct Search<'a, S: System> {
    system: &'a mut S,
    options: &'a Options,
    depth_limit: u64,
    /// The least depth at which a state was met.
    seen: FxHashMap<Fingerprint, u64>,
    on_stack: FxHashSet<Fingerprint>,
    report: Report<S::Move, S::Finding>,
}

/// An entry of the depth-first stack.
enum Entry<S: System> {
    Visit(S::State, Rc<Path<S::Move>>),
    /// All below the state is done.
    Leave(Fingerprint),
}

impl<S: System> Search<'_, S> {
    fn depth_first(&mut self, initial: Vec<S::State>, root: &Rc<Path<S::Move>>, cancel: &CancelToken) {
        let mut stack: Vec<Entry<S>> =
            initial.into_iter().rev().map(|state| Entry::Visit(state, root.clone())).collect();
        while let Some(entry) = stack.pop() {
            let (state, path) = match entry {
                Entry::Leave(fingerprint) => {
                    self.on_stack.remove(&fingerprint);
                    continue;
                }
                Entry::Visit(state, path) => (state, path),
            };
            if self.is_over(cancel) {
                return;
            }
            let fingerprint = match self.enter(&state, path.length) {
                Entering::Known => continue,
                Entering::New(fingerprint) => fingerprint,
            };
            if let Some(fingerprint) = fingerprint {
                self.on_stack.insert(fingerprint);
                stack.push(Entry::Leave(fingerprint));
            }
            let next = self.expand(&state, &path);
            stack.extend(next.into_iter().rev().map(|(state, path)| Entry::Visit(state, path)));
        }
    }

    fn breadth_first(&mut self, initial: Vec<S::State>, root: &Rc<Path<S::Move>>, cancel: &CancelToken) {
        let mut queue: VecDeque<_> = initial.into_iter().map(|state| (state, root.clone())).collect();
        while let Some((state, path)) = queue.pop_front() {
            if self.is_over(cancel) {
                return;
            }
            if let Entering::New(_) = self.enter(&state, path.length) {
                queue.extend(self.expand(&state, &path));
            }
        }
    }

    fn is_over(&mut self, cancel: &CancelToken) -> bool {
        self.report.is_cancelled |= cancel.is_cancelled();
        self.report.is_cancelled || (self.report.found.len() >= self.options.findings && !self.options.is_minimal)
    }

    /// Has the state been met, and from no further away?
    fn enter(&mut self, state: &S::State, depth: u64) -> Entering {
        let statistics = &mut self.report.statistics;
        statistics.deepest = statistics.deepest.max(depth);
        let Some(fingerprint) = self.system.fingerprint(state) else {
            statistics.states += 1;
            return Entering::New(None);
        };
        // Under a depth bound a state that is met nearer to the start has more room below it.
        let is_bounded = self.options.depth.is_some() || self.options.is_minimal;
        match self.seen.get_mut(&fingerprint) {
            Some(known) if !is_bounded || *known <= depth => {
                statistics.matches += 1;
                Entering::Known
            }
            Some(known) => {
                *known = depth;
                statistics.states += 1;
                Entering::New(Some(fingerprint))
            }
            None => {
                self.seen.insert(fingerprint, depth);
                statistics.states += 1;
                Entering::New(Some(fingerprint))
            }
        }
    }

    fn expand(&mut self, state: &S::State, path: &Rc<Path<S::Move>>) -> Vec<(S::State, Rc<Path<S::Move>>)> {
        if path.length >= self.depth_limit {
            self.report.statistics.cut += 1;
            return Vec::new();
        }
        let all = self.system.processes(state);
        let ample = if self.options.is_reduced { self.system.ample(state, &all) } else { None };
        let mut next = Vec::new();
        let mut has_moved = false;
        if let Some(ample) = &ample {
            let mut closes_cycle = false;
            for &process in ample {
                has_moved |= self.moves(state, process, path, &mut next);
            }
            for (state, _) in &next {
                let fingerprint = self.system.fingerprint(state);
                closes_cycle |= fingerprint.is_none_or(|fingerprint| match self.options.order {
                    Order::DepthFirst => self.on_stack.contains(&fingerprint),
                    Order::BreadthFirst => self.seen.contains_key(&fingerprint),
                });
            }
            if has_moved && !closes_cycle {
                return next;
            }
        }
        for process in all {
            if ample.as_ref().is_none_or(|ample| !ample.contains(&process)) {
                has_moved |= self.moves(state, process, path, &mut next);
            }
        }
        if !has_moved && let Some(finding) = self.system.at_end(state) {
            self.find(path.moves(), finding);
        }
        next
    }

    /// The outcomes of one process; whether there were any.
    fn moves(
        &mut self,
        state: &S::State,
        process: S::Process,
        path: &Rc<Path<S::Move>>,
        next: &mut Vec<(S::State, Rc<Path<S::Move>>)>,
    ) -> bool {
        let outcomes = self.system.outcomes(state, process);
        let has_moved = !outcomes.is_empty();
        for outcome in outcomes {
            self.report.statistics.moves += 1;
            match outcome {
                Outcome::Next(step, state) => next.push((state, path.then(step))),
                Outcome::Found(step, finding) => self.find(path.then(step).moves(), finding),
            }
        }
        has_moved
    }

    fn find(&mut self, path: Vec<S::Move>, finding: S::Finding) {
        if self.options.is_minimal {
            let length = path.len() as u64;
            if self.report.found.first().is_some_and(|best| best.path.len() as u64 <= length) {
                return;
            }
            self.depth_limit = self.depth_limit.min(length.saturating_sub(1));
            self.report.found = vec![Found { path, finding }];
        } else if self.report.found.len() < self.options.findings {
            self.report.found.push(Found { path, finding });
        }
    }
}

enum Entering {
    Known,
    New(Option<Fingerprint>),
}
