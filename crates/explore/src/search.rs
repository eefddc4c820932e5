//! Depth-first and breadth-first search with state matching.
//!
//! Reduction follows Peled's ample sets: where `System::ample` gives a subset, only that is expanded, unless one of its
//! moves leads to a state on the stack (the cycle proviso; breadth first: to any state seen before).

use crate::system::{Outcome, System};
use quod_base::Fingerprint;
use quod_verdict::CancelToken;
use rustc_hash::FxHashMap;
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
    /// Match states with all that were met, not only with those on the stack.
    pub is_saved: bool,
    /// Ask the system whether a cycle in the state space is a finding (depth first only).
    pub finds_cycles: bool,
    /// Switches away from a process that could go on; more are cut off, and counted.
    pub preemptions: Option<u32>,
    /// Keep states themselves, not only their fingerprints, and compare them.
    pub is_compared: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            order: Order::DepthFirst,
            depth: None,
            findings: 1,
            is_minimal: false,
            is_reduced: true,
            is_saved: true,
            finds_cycles: false,
            preemptions: None,
            is_compared: false,
        }
    }
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
    /// Moves that the bound on preemptions cut.
    pub preemptions_cut: u64,
    /// Different states with one fingerprint, where states are compared.
    pub collisions: u64,
}

/// A finding and the moves to it.
#[derive(Debug)]
pub struct Found<Move, Finding> {
    pub path: Vec<Move>,
    pub finding: Finding,
    /// The last moves, this many, lead back to the state before them.
    pub cycle: Option<u64>,
}

#[derive(Debug)]
pub struct Report<State, Move, Finding> {
    pub found: Vec<Found<Move, Finding>>,
    pub statistics: Statistics,
    /// Cancelled before the end.
    pub is_cancelled: bool,
    /// Ended because the work that was allowed was done.
    pub is_exhausted: bool,
    /// The state that came next when the search was cancelled.
    pub at: Option<State>,
    /// Given up before the end: see `System::is_void`.
    pub is_void: bool,
}

/// States that may follow one another without being stored.
const LONGEST_CHAIN: u32 = 64;

/// The moves to a state, shared between siblings.
struct Path<Move, Process> {
    last: Option<(Move, Rc<Path<Move, Process>>)>,
    length: u64,
    /// Who made the last move.
    mover: Option<Process>,
    preemptions: u32,
}

impl<Move: Clone, Process: Copy + Eq> Path<Move, Process> {
    /// One move further; `is_preempted` where the last mover could have gone on.
    fn then(self: &Rc<Self>, step: Move, mover: Process, is_preempted: bool) -> Rc<Self> {
        let is_switch = is_preempted && self.mover.is_some_and(|last| last != mover);
        let preemptions = self.preemptions + u32::from(is_switch);
        Rc::new(Self { last: Some((step, self.clone())), length: self.length + 1, mover: Some(mover), preemptions })
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

impl<Move, Process> Drop for Path<Move, Process> {
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
) -> Report<S::State, S::Move, S::Finding> {
    let mut search = Search {
        system,
        options,
        depth_limit: options.depth.unwrap_or(u64::MAX),
        seen: FxHashMap::default(),
        on_stack: FxHashMap::default(),
        kept: FxHashMap::default(),
        report: Report {
            found: Vec::new(),
            statistics: Statistics::default(),
            is_cancelled: false,
            is_exhausted: false,
            at: None,
            is_void: false,
        },
    };
    let root = Rc::new(Path { last: None, length: 0, mover: None, preemptions: 0 });
    match options.order {
        Order::DepthFirst => search.depth_first(initial, &root, cancel),
        Order::BreadthFirst => search.breadth_first(initial, &root, cancel),
    }
    search.report.statistics.saved = search.seen.len() as u64;
    search.report.is_void = search.system.is_void() && !search.has_enough();
    search.report
}

struct Search<'a, S: System> {
    system: &'a mut S,
    options: &'a Options,
    depth_limit: u64,
    /// The least depth at which a state was met.
    seen: FxHashMap<Fingerprint, u64>,
    /// The depth of each state on the stack.
    on_stack: FxHashMap<Fingerprint, u64>,
    /// States in full, where they are compared.
    kept: FxHashMap<Fingerprint, Vec<Box<[u8]>>>,
    report: Report<S::State, S::Move, S::Finding>,
}

type Trail<S> = Rc<Path<<S as System>::Move, <S as System>::Process>>;

/// An entry of the depth-first stack.
enum Entry<S: System> {
    Visit(S::State, Trail<S>),
    /// All below the state is done.
    Leave(Fingerprint),
}

impl<S: System> Search<'_, S> {
    fn depth_first(&mut self, initial: Vec<S::State>, root: &Trail<S>, cancel: &CancelToken) {
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
                self.report.at = Some(state);
                return;
            }
            let fingerprint = match self.enter(&state, &path) {
                Entering::Known(fingerprint) => {
                    self.close(&state, &path, fingerprint);
                    continue;
                }
                Entering::New(fingerprint) => fingerprint,
            };
            if let Some(fingerprint) = fingerprint {
                self.on_stack.insert(fingerprint, path.length);
                stack.push(Entry::Leave(fingerprint));
            }
            let next = self.expand_chain(state, path);
            stack.extend(next.into_iter().rev().map(|(state, path)| Entry::Visit(state, path)));
        }
    }

    fn breadth_first(&mut self, initial: Vec<S::State>, root: &Trail<S>, cancel: &CancelToken) {
        let mut queue: VecDeque<_> = initial.into_iter().map(|state| (state, root.clone())).collect();
        while let Some((state, path)) = queue.pop_front() {
            if self.is_over(cancel) {
                self.report.at = Some(state);
                return;
            }
            if let Entering::New(_) = self.enter(&state, &path) {
                queue.extend(self.expand(&state, &path, 0).1);
            }
        }
    }

    fn is_over(&mut self, cancel: &CancelToken) -> bool {
        self.report.is_cancelled |= cancel.is_cancelled();
        self.report.is_exhausted |= self.system.is_exhausted();
        self.report.is_cancelled || self.report.is_exhausted || self.has_enough() || self.system.is_void()
    }

    fn has_enough(&self) -> bool {
        self.report.found.len() >= self.options.findings && !self.options.is_minimal
    }

    /// A state that is on the stack was met again: the moves since then can be made for ever.
    fn close(&mut self, state: &S::State, path: &Trail<S>, fingerprint: Fingerprint) {
        if !self.options.finds_cycles {
            return;
        }
        if let Some(&start) = self.on_stack.get(&fingerprint)
            && let Some(finding) = self.system.at_cycle(state)
        {
            self.find(path.moves(), finding, Some(path.length - start));
        }
    }

    /// Has the state been met, and from no further away?
    fn enter(&mut self, state: &S::State, path: &Trail<S>) -> Entering {
        let statistics = &mut self.report.statistics;
        let depth = path.length;
        statistics.deepest = statistics.deepest.max(depth);
        let Some(mut fingerprint) = self.system.fingerprint(state) else {
            statistics.states += 1;
            return Entering::New(None);
        };
        // What a bound still allows is part of what is stored.
        if self.options.preemptions.is_some() {
            fingerprint = Fingerprint::of(&(fingerprint, path.preemptions, path.mover.map(Into::into)));
        }
        if self.options.is_compared {
            fingerprint = self.compared(state, fingerprint);
        }
        let statistics = &mut self.report.statistics;
        if !self.options.is_saved {
            if self.on_stack.contains_key(&fingerprint) {
                statistics.matches += 1;
                return Entering::Known(fingerprint);
            }
            statistics.states += 1;
            return Entering::New(Some(fingerprint));
        }
        // Under a depth bound a state that is met nearer to the start has more room below it.
        let is_bounded = self.options.depth.is_some() || self.options.is_minimal;
        match self.seen.get_mut(&fingerprint) {
            Some(known) if !is_bounded || *known <= depth => {
                statistics.matches += 1;
                Entering::Known(fingerprint)
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

    /// A fingerprint that belongs to this state alone.
    fn compared(&mut self, state: &S::State, fingerprint: Fingerprint) -> Fingerprint {
        let text = self.system.record(state);
        let same = self.kept.entry(fingerprint).or_default();
        let index = match same.iter().position(|kept| **kept == *text) {
            Some(index) => index,
            None => {
                self.report.statistics.collisions += u64::from(!same.is_empty());
                same.push(text.into_boxed_slice());
                same.len() - 1
            }
        };
        if index == 0 { fingerprint } else { Fingerprint::of(&(fingerprint, index)) }
    }

    /// Expands a state. Where one move of one process is all that need be looked at, the state behind it is expanded at once
    /// and not stored: nobody else meets it but by the same way. Now and then one is, so that every cycle is seen.
    fn expand_chain(&mut self, mut state: S::State, mut path: Trail<S>) -> Vec<(S::State, Trail<S>)> {
        let options = self.options;
        let is_plain = options.depth.is_none() && !options.is_minimal && !options.finds_cycles;
        let mut left = if is_plain { LONGEST_CHAIN } else { 0 };
        loop {
            let (is_link, mut next) = self.expand(&state, &path, left);
            if !is_link {
                return next;
            }
            let Some(only) = next.pop() else { return next };
            (state, path) = only;
            left -= 1;
            self.report.statistics.states += 1;
            self.report.statistics.deepest = self.report.statistics.deepest.max(path.length);
        }
    }

    /// The states behind a state. The first answer is true where the only one is a link of a chain, of which `chain` are left.
    fn expand(&mut self, state: &S::State, path: &Trail<S>, chain: u32) -> (bool, Vec<(S::State, Trail<S>)>) {
        if path.length >= self.depth_limit {
            self.report.statistics.cut += 1;
            return (false, Vec::new());
        }
        let all = self.system.processes(state);
        // A bounded number of preemptions leaves no room for other orders.
        let is_reduced = self.options.is_reduced && self.options.preemptions.is_none();
        let ample = if is_reduced { self.system.ample(state, &all) } else { None };
        let mut next = Vec::new();
        let mut has_moved = false;
        if let Some(ample) = &ample {
            let mut closes_cycle = false;
            for &process in ample {
                has_moved |= self.moves(state, process, path, false, &mut next);
            }
            if has_moved && chain > 0 && next.len() == 1 {
                return (true, next);
            }
            for (state, _) in &next {
                let fingerprint = self.system.fingerprint(state);
                closes_cycle |= fingerprint.is_none_or(|fingerprint| match self.options.order {
                    Order::DepthFirst => self.on_stack.contains_key(&fingerprint),
                    Order::BreadthFirst => self.seen.contains_key(&fingerprint),
                });
            }
            if has_moved && !closes_cycle {
                return (false, next);
            }
        }
        if self.options.preemptions.is_some() {
            return (false, self.expand_bounded(state, path, &all));
        }
        for process in all {
            if ample.as_ref().is_none_or(|ample| !ample.contains(&process)) {
                has_moved |= self.moves(state, process, path, false, &mut next);
            }
        }
        if !has_moved && let Some(finding) = self.system.at_end(state) {
            self.find(path.moves(), finding, None);
        }
        (false, next)
    }

    /// The process that moved last goes first; another one is a preemption where that one could have gone on.
    fn expand_bounded(&mut self, state: &S::State, path: &Trail<S>, all: &[S::Process]) -> Vec<(S::State, Trail<S>)> {
        let mut next = Vec::new();
        let mut can_go_on = false;
        let mut has_moved = false;
        if let Some(last) = path.mover.filter(|last| all.contains(last)) {
            can_go_on = self.moves(state, last, path, false, &mut next);
            has_moved = can_go_on;
        }
        for &process in all.iter().filter(|&&process| Some(process) != path.mover) {
            if can_go_on && self.options.preemptions.is_some_and(|bound| path.preemptions >= bound) {
                self.report.statistics.preemptions_cut += 1;
                continue;
            }
            has_moved |= self.moves(state, process, path, can_go_on, &mut next);
        }
        if !has_moved && let Some(finding) = self.system.at_end(state) {
            self.find(path.moves(), finding, None);
        }
        next
    }

    /// The outcomes of one process; whether there were any.
    fn moves(
        &mut self,
        state: &S::State,
        process: S::Process,
        path: &Trail<S>,
        is_preempted: bool,
        next: &mut Vec<(S::State, Trail<S>)>,
    ) -> bool {
        let outcomes = self.system.outcomes(state, process);
        let has_moved = !outcomes.is_empty();
        for outcome in outcomes {
            self.report.statistics.moves += 1;
            match outcome {
                Outcome::Next(step, state) => next.push((state, path.then(step, process, is_preempted))),
                Outcome::Found(step, finding) => {
                    self.find(path.then(step, process, is_preempted).moves(), finding, None)
                }
            }
        }
        has_moved
    }

    fn find(&mut self, path: Vec<S::Move>, finding: S::Finding, cycle: Option<u64>) {
        if self.options.is_minimal {
            let length = path.len() as u64;
            if self.report.found.first().is_some_and(|best| best.path.len() as u64 <= length) {
                return;
            }
            // States one step before are expanded: nobody may be able to move there.
            self.depth_limit = self.depth_limit.min(length);
            self.report.found = vec![Found { path, finding, cycle }];
        } else if self.report.found.len() < self.options.findings {
            self.report.found.push(Found { path, finding, cycle });
        }
    }
}

enum Entering {
    Known(Fingerprint),
    New(Option<Fingerprint>),
}
