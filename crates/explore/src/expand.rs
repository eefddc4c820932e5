//! One thread of a search: its system, and the expansion of states.

use crate::common::{Common, Fate, FoundBy, Trail, Visit};
use crate::options::{Found, Order, Statistics};
use crate::system::{Outcome, System};
use quod_base::Fingerprint;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// States that may follow one another without being stored.
const LONGEST_CHAIN: u32 = 64;

pub(crate) struct Worker<'a, 'b, S: System> {
    pub(crate) system: &'a mut S,
    pub(crate) common: &'a Common<'b, S>,
    pub(crate) index: u16,
    pub(crate) statistics: Statistics,
    /// Findings that nobody else knows of yet.
    pub(crate) found: Vec<FoundBy<S>>,
    pub(crate) depth_limit: u64,
    /// The depth of each state on the stack, where only that tells: without saved states, and for cycles.
    pub(crate) on_stack: Option<FxHashMap<Fingerprint, u64>>,
}

/// What is left of an expansion in which only an ample set has moved.
pub(crate) struct Rest<S: System> {
    pub(crate) state: S::State,
    pub(crate) trail: Trail<S>,
    ample: Vec<S::Process>,
    /// The states behind it that were not closed.
    pub(crate) open: Vec<Fingerprint>,
}

pub(crate) struct Expanded<S: System> {
    pub(crate) next: Vec<Visit<S>>,
    /// The only next state is a link of a chain.
    is_link: bool,
    /// The ample set that has moved, and the states behind it that are not closed.
    ample: Option<(Vec<S::Process>, Vec<Fingerprint>)>,
}

impl<S: System> Expanded<S> {
    fn full(next: Vec<Visit<S>>) -> Self {
        Self { next, is_link: false, ample: None }
    }
}

impl<'a, 'b, S: System> Worker<'a, 'b, S> {
    pub(crate) fn new(system: &'a mut S, common: &'a Common<'b, S>, index: usize) -> Self {
        let options = common.options;
        Self {
            system,
            common,
            index: index as u16,
            statistics: Statistics { threads: 1, ..Statistics::default() },
            found: Vec::new(),
            depth_limit: common.depth_limit(),
            on_stack: (!options.is_saved || options.finds_cycles).then(FxHashMap::default),
        }
    }

    /// The key of a state in what was visited; nothing where states are not matched.
    pub(crate) fn key(&mut self, visit: &mut Visit<S>) -> Option<Fingerprint> {
        if visit.key.is_some() {
            return visit.key;
        }
        let mut fingerprint = self.system.fingerprint(&visit.state)?;
        // What a bound still allows is part of what is stored.
        if self.common.options.preemptions.is_some() {
            let trail = &visit.trail;
            fingerprint = Fingerprint::of(&(fingerprint, trail.preemptions, trail.mover.map(Into::into)));
        }
        if self.common.options.is_compared {
            let text = self.system.record(&visit.state);
            let (own, is_collision) = self.common.visited.compared(fingerprint, text);
            self.statistics.collisions += u64::from(is_collision);
            fingerprint = own;
        }
        visit.key = Some(fingerprint);
        visit.key
    }

    /// Expands a state. Where one move of one process is all that need be looked at, the state behind it is expanded at once
    /// and not stored: nobody else meets it but by the same way. Now and then one is, so that every cycle is seen.
    pub(crate) fn expand_chain(&mut self, mut visit: Visit<S>) -> (Vec<Visit<S>>, Option<Rest<S>>) {
        let options = self.common.options;
        let is_plain = options.depth.is_none() && !options.is_minimal && !options.finds_cycles;
        let mut left = if is_plain { LONGEST_CHAIN } else { 0 };
        loop {
            let mut expanded = self.expand(&visit, left);
            if expanded.is_link
                && let Some(only) = expanded.next.pop()
            {
                visit = only;
                left -= 1;
                self.statistics.states += 1;
                self.statistics.deepest = self.statistics.deepest.max(visit.trail.length);
                continue;
            }
            let rest = expanded
                .ample
                .filter(|(_, open)| !open.is_empty() && self.common.threads > 1)
                .map(|(ample, open)| Rest { state: visit.state, trail: visit.trail, ample, open });
            return (expanded.next, rest);
        }
    }

    /// The states behind a state; `chain` links of a chain are left.
    pub(crate) fn expand(&mut self, visit: &Visit<S>, chain: u32) -> Expanded<S> {
        let Visit { state, trail, .. } = visit;
        if trail.length >= self.depth_limit {
            self.statistics.cut += 1;
            return Expanded::full(Vec::new());
        }
        let all = self.system.processes(state);
        let options = self.common.options;
        // A bounded number of preemptions leaves no room for other orders.
        let is_reduced = options.is_reduced && options.preemptions.is_none();
        if is_reduced && self.common.is_exact {
            return Expanded::full(self.expand_exactly(visit, all));
        }
        let ample = if is_reduced { self.system.ample(state, &all) } else { None };
        let mut next = Vec::new();
        let mut has_moved = false;
        if let Some(ample) = &ample {
            for &process in ample {
                has_moved |= self.moves(state, process, trail, false, &mut next);
            }
            if has_moved && chain > 0 && next.len() == 1 {
                self.statistics.reduced += 1;
                return Expanded { next, is_link: true, ample: None };
            }
            if has_moved && let Some(open) = self.open_behind(&mut next) {
                self.statistics.reduced += 1;
                return Expanded { next, is_link: false, ample: Some((ample.clone(), open)) };
            }
        }
        if options.preemptions.is_some() {
            return Expanded::full(self.expand_bounded(state, trail, &all));
        }
        for process in all {
            if ample.as_ref().is_none_or(|ample| !ample.contains(&process)) {
                has_moved |= self.moves(state, process, trail, false, &mut next);
            }
        }
        if !has_moved && let Some(finding) = self.system.at_end(state) {
            self.found.push(Found { path: trail.moves(), finding, cycle: None });
        }
        Expanded::full(next)
    }

    /// The moves of a state where none shall be made in vain, see `search.rs`.
    fn expand_exactly(&mut self, visit: &Visit<S>, mut left: Vec<S::Process>) -> Vec<Visit<S>> {
        let Visit { state, trail, .. } = visit;
        let mut settled: Vec<(S::Process, Fate)> = visit.settled.iter().flat_map(|all| all.iter().copied()).collect();
        left.retain(|&process| !settled.contains(&(process, Fate::Rests)));
        let mut next = Vec::new();
        let mut has_moved = false;
        while !left.is_empty() {
            let mut ample = self.system.ample(state, &left).unwrap_or_default();
            ample.retain(|process| left.contains(process));
            let is_ample = !ample.is_empty();
            let mut can_move = false;
            for &process in if is_ample { &ample } else { &left } {
                let first = next.len();
                can_move |= self.moves(state, process, trail, false, &mut next);
                let is_bound = is_ample || self.system.is_unseen(state, process);
                let others = settled.iter().copied().filter(|&(other, _)| other != process);
                let mut after: Vec<(S::Process, Fate)> =
                    others.chain(is_bound.then_some((process, Fate::Moves))).collect();
                after.sort_unstable();
                let after: Option<Arc<[_]>> = (!after.is_empty()).then(|| after.into());
                next[first..].iter_mut().for_each(|visit| visit.settled.clone_from(&after));
            }
            has_moved |= can_move;
            left.retain(|process| !ample.contains(process));
            if !is_ample || ample.iter().any(|&process| can_move && settled.contains(&(process, Fate::Moves))) {
                break;
            }
            // Who cannot move now need not rest.
            settled.extend(ample.into_iter().filter(|_| can_move).map(|process| (process, Fate::Rests)));
        }
        // Who rests could move.
        let is_nobody_resting = || settled.iter().all(|(_, fate)| *fate != Fate::Rests);
        if !has_moved
            && is_nobody_resting()
            && let Some(finding) = self.system.at_end(state)
        {
            self.found.push(Found { path: trail.moves(), finding, cycle: None });
        }
        next
    }

    /// The cycle proviso, see `search.rs`: nothing where the ample set alone will not do; else the states behind it that
    /// must be closed before the state itself is.
    fn open_behind(&mut self, next: &mut [Visit<S>]) -> Option<Vec<Fingerprint>> {
        let mut open = Vec::new();
        for visit in next {
            let key = self.key(visit)?;
            if let Some(on_stack) = &self.on_stack {
                if on_stack.contains_key(&key) {
                    return None;
                }
                continue;
            }
            match (self.common.options.order, self.common.visited.mark(key)) {
                (Order::DepthFirst, Some(mark)) if !mark.is_closed && mark.owner == self.index => return None,
                (Order::DepthFirst, Some(mark)) if mark.is_closed => {}
                (Order::BreadthFirst, Some(mark)) if mark.is_closed => return None,
                _ => open.push(key),
            }
        }
        Some(open)
    }

    /// The moves of all who have not moved.
    pub(crate) fn expand_rest(&mut self, rest: &Rest<S>) -> Vec<Visit<S>> {
        let mut next = Vec::new();
        self.statistics.completed += 1;
        for process in self.system.processes(&rest.state) {
            if !rest.ample.contains(&process) {
                self.moves(&rest.state, process, &rest.trail, false, &mut next);
            }
        }
        next
    }

    /// The process that moved last goes first; another one is a preemption where that one could have gone on.
    fn expand_bounded(&mut self, state: &S::State, trail: &Trail<S>, all: &[S::Process]) -> Vec<Visit<S>> {
        let mut next = Vec::new();
        let mut can_go_on = false;
        let mut has_moved = false;
        if let Some(last) = trail.mover.filter(|last| all.contains(last)) {
            can_go_on = self.moves(state, last, trail, false, &mut next);
            has_moved = can_go_on;
        }
        for &process in all.iter().filter(|&&process| Some(process) != trail.mover) {
            if can_go_on && self.common.options.preemptions.is_some_and(|bound| trail.preemptions >= bound) {
                self.statistics.preemptions_cut += 1;
                continue;
            }
            has_moved |= self.moves(state, process, trail, can_go_on, &mut next);
        }
        if !has_moved && let Some(finding) = self.system.at_end(state) {
            self.found.push(Found { path: trail.moves(), finding, cycle: None });
        }
        next
    }

    /// The outcomes of one process; whether there were any.
    fn moves(
        &mut self,
        state: &S::State,
        process: S::Process,
        trail: &Trail<S>,
        is_preempted: bool,
        next: &mut Vec<Visit<S>>,
    ) -> bool {
        let outcomes = self.system.outcomes(state, process);
        let has_moved = !outcomes.is_empty();
        for outcome in outcomes {
            self.statistics.moves += 1;
            match outcome {
                Outcome::Next(step, state) => {
                    let trail = trail.then(step, process, is_preempted);
                    next.push(Visit::new(state, trail, self.index));
                }
                Outcome::Found(step, finding) => {
                    let path = trail.then(step, process, is_preempted).moves();
                    self.found.push(Found { path, finding, cycle: None });
                }
            }
        }
        has_moved
    }
}
