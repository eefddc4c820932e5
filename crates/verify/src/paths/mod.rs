//! Programs of one process: all of their paths, by *fork* (one path, one state, states matched by what they are whatever
//! its parts are called) or by *merge* (states that meet are joined, values that differ become `ite`).
//!
//! Both unwind loops step by step: a state that has gone around a loop more often than the present bound allows is put
//! aside; when all others are done, the bound grows and those go on where they stood. So shallow violations are found
//! first, nothing is done twice, and when nothing is left that was put aside, everything has been looked at.
//!
//! Under *merge* the state that is furthest behind in the program's weak topological order goes on first (see
//! `quod_exec::flow`), so that all ways through a branch or a loop are there when what follows it begins.

mod events;
mod item;
mod leaks;
mod questions;
mod recurrence;
pub(crate) mod shape;

use crate::engine::{Options, Outcome, Statistics, Step};
use crate::limits;
use crate::replay;
use item::Item;
pub(crate) use leaks::lost;
use quod_base::{Fingerprint, Span};
use quod_diag::Diagnostic;
use quod_exec::machine::{Machine, Settings};
use quod_exec::symbolic::SymbolicDomain;
use quod_model::ir::{Arithmetic, Program};
use quod_model::passes::slice::Slice;
use quod_solver::Solver;
use quod_term::TermPool;
use quod_verdict::{CheckKind, Reason};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    Fork,
    Merge,
}

/// How an exploration ended. There is one a run.
#[allow(clippy::large_enum_variant)]
pub(crate) enum End {
    Answer(Outcome),
    /// The program starts another process, or does something else that is not for this engine.
    NotSequential,
    /// The work that it was given is used up.
    GaveUp,
}

/// Work that a question to the solver counts as, in operations: itself, and each conjunct.
const QUESTION: u64 = 100;
const CONJUNCT: u64 = 5;
/// How much more may be done where there is one state only.
const ALONE: u64 = 10;
/// The same for a search that is to be short.
const ALONE_IN_LITTLE: u64 = 4;
const LITTLE: u64 = 100_000;
/// Violations that did not replay after which no more are tried.
const MOST_UNCONFIRMED: usize = 8;

/// How long a search may take.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Effort {
    /// Operations, with questions as operations.
    pub(crate) work: u64,
    /// Conflicts of one question.
    pub(crate) conflicts: u64,
}

type Doubt = (Reason, Span, Option<Diagnostic>);

pub(crate) struct Explorer<'p, 'o> {
    machine: Machine<'p, SymbolicDomain>,
    solver: Solver,
    effort: Effort,
    /// A question took more than it may.
    has_given_up: bool,
    /// The whole program: what is found is replayed on it.
    program: &'p Program,
    /// What of it is looked at.
    slice: Option<&'p Slice>,
    options: &'o Options,
    policy: Policy,
    /// States to go on with, by their place; under *fork* all have the same.
    waiting: BTreeMap<Vec<u32>, Vec<Item>>,
    /// States beyond the present bound.
    aside: Vec<Item>,
    bound: u64,
    /// States at loop heads that were gone on with.
    seen: FxHashSet<Fingerprint>,
    /// From one kept state to the next, where termination is asked for.
    edges: Vec<(Fingerprint, Fingerprint)>,
    symbols_of: quod_exec::symbolic::SymbolsOf,
    doubts: Vec<Doubt>,
    unconfirmed: usize,
    /// Questions about states that come back.
    recurrences: usize,
    queries: u64,
    /// What the questions count as.
    asked: u64,
    states: u64,
    matches: u64,
    outcome: Option<Outcome>,
    is_parallel: bool,
}

pub(crate) fn explore(
    program: &Program,
    slice: Option<&Slice>,
    options: &Options,
    policy: Policy,
    effort: Effort,
) -> (End, Statistics) {
    let pool = Arc::new(TermPool::new());
    let is_ideal = program.arithmetic == Arithmetic::Ideal;
    let mut domain = SymbolicDomain::new(pool.clone(), program.types.data_model, is_ideal);
    domain.keeps_undefined = options.kinds.contains(CheckKind::Uninitialised);
    domain.reads_wild = !options.kinds.contains(CheckKind::InvalidDeref);
    let settings =
        Settings { checks: options.kinds, is_driven: true, cancel: Some(options.cancel.flag()), ..Settings::default() };
    let (mut machine, mut state) =
        Machine::new(slice.map_or(program, |slice| &slice.program), domain, settings, replay::silent());
    machine.stops = quod_exec::machine::Stops::Joins;
    quod_exec::begin(&mut machine, &mut state);
    let mut explorer = Explorer {
        machine,
        solver: options.solver_within(pool, effort.conflicts),
        effort,
        has_given_up: false,
        program,
        slice,
        options,
        policy,
        waiting: BTreeMap::new(),
        aside: Vec::new(),
        bound: 2,
        seen: FxHashSet::default(),
        edges: Vec::new(),
        symbols_of: quod_exec::symbolic::SymbolsOf::default(),
        doubts: Vec::new(),
        unconfirmed: 0,
        recurrences: 0,
        queries: 0,
        asked: 0,
        states: 0,
        matches: 0,
        outcome: None,
        is_parallel: false,
    };
    explorer.put(Item::new(state));
    let end = explorer.search();
    let statistics = Statistics {
        search: quod_explore::Statistics {
            states: explorer.states,
            saved: explorer.seen.len() as u64,
            matches: explorer.matches,
            ..quod_explore::Statistics::default()
        },
        solver_queries: explorer.queries,
        solving: explorer.solver.time(),
        steps: explorer.machine.steps,
        processes: 1,
        violation: None,
        may_be_shorter: false,
        is_exhausted: false,
        strategy: vec![format!("loops unwound up to {} rounds", explorer.bound)],
        facts: Vec::new(),
    };
    (end, statistics)
}

impl Explorer<'_, '_> {
    fn search(&mut self) -> End {
        loop {
            let Some(mut entry) = self.waiting.first_entry() else {
                if self.aside.is_empty() {
                    return self.conclude();
                }
                self.bound = self.bound.saturating_mul(2);
                for item in std::mem::take(&mut self.aside) {
                    self.put(item);
                }
                continue;
            };
            let item = match self.policy {
                Policy::Fork => entry.get_mut().pop(),
                Policy::Merge => {
                    let items = entry.remove();
                    self.join(items)
                }
            };
            let Some(item) = item else {
                self.waiting.pop_first();
                continue;
            };
            let span = self.machine.span(&item.state, quod_base::Id::from_index(0));
            self.go_on(item);
            if let Some(outcome) = self.outcome.take() {
                return End::Answer(outcome);
            }
            if self.is_parallel {
                return End::NotSequential;
            }
            if self.options.cancel.is_cancelled() {
                let reason = limits::stopped(self.options);
                return End::Answer(Outcome::Unknown { reason, span, diagnostic: None });
            }
            // The only state there is would be gone on with by others in the same way: that takes longer.
            let spent = self.machine.steps.saturating_add(self.asked);
            if spent > self.effort.work {
                let is_alone = self.waiting.values().map(Vec::len).sum::<usize>() + self.aside.len() <= 1;
                // Where little is to be done, others come first all the same.
                let most = if self.effort.work < LITTLE { ALONE_IN_LITTLE } else { ALONE };
                if !is_alone || spent > self.effort.work.saturating_mul(most) {
                    return End::GaveUp;
                }
            }
        }
    }

    /// States that stand at the same place, joined where that can be done. The first is gone on with, the rest wait.
    fn join(&mut self, items: Vec<Item>) -> Option<Item> {
        let mut joined: Vec<Item> = Vec::new();
        for item in items {
            let is_live = crate::held::live(&mut self.machine, &item.state, 0);
            let found = joined.iter_mut().find_map(|other| {
                let state =
                    other.can_join(&item).then(|| self.machine.domain.join(&other.state, &item.state, &is_live))??;
                Some((other, state))
            });
            match found {
                Some((other, state)) => other.absorb(&item, state),
                None => joined.push(item),
            }
        }
        let first = joined.pop();
        for item in joined {
            self.put_apart(item);
        }
        first
    }

    fn doubt(&mut self, reason: Reason, span: Span, diagnostic: Option<Diagnostic>) {
        if self.doubts.len() < 100 {
            self.doubts.push((reason, span, diagnostic));
        }
    }

    fn conclude(&mut self) -> End {
        if limits::uses_arguments(self.program) {
            self.doubt(Reason::Unsupported { what: "the arguments of `main`".into() }, Span::NONE, None);
        }
        if self.asks(CheckKind::Termination) && has_cycle(&self.edges) {
            let reason = Reason::PossibleViolation { kind: CheckKind::Termination.word().into() };
            self.doubt(reason, Span::NONE, None);
        }
        if self.has_given_up && !self.doubts.is_empty() && self.effort.conflicts != u64::MAX {
            return End::GaveUp;
        }
        End::Answer(match self.doubts.drain(..).next() {
            Some((reason, span, diagnostic)) => Outcome::Unknown { reason, span, diagnostic },
            None => Outcome::Holds,
        })
    }

    fn asks(&self, kind: CheckKind) -> bool {
        self.options.kinds.contains(kind)
    }

    /// All that a replay needs to know: one process moves, and makes these choices.
    fn steps(choices: &[u32]) -> Vec<Step> {
        let process = quod_base::Id::from_index(0);
        vec![Step::new(process, choices.to_vec(), crate::engine::Nature::Whole)]
    }
}

/// Some way leads around.
fn has_cycle(edges: &[(Fingerprint, Fingerprint)]) -> bool {
    let mut next: FxHashMap<Fingerprint, Vec<Fingerprint>> = FxHashMap::default();
    let mut incoming: FxHashMap<Fingerprint, u32> = FxHashMap::default();
    for &(from, to) in edges {
        next.entry(from).or_default().push(to);
        incoming.entry(from).or_default();
        *incoming.entry(to).or_default() += 1;
    }
    #[allow(clippy::iter_over_hash_type)] // what is counted does not depend on the order
    let mut free: Vec<Fingerprint> =
        incoming.iter().filter(|(_, count)| **count == 0).map(|(&state, _)| state).collect();
    let mut done = 0;
    while let Some(state) = free.pop() {
        done += 1;
        for &to in next.get(&state).into_iter().flatten() {
            if let Some(count) = incoming.get_mut(&to) {
                *count -= 1;
                if *count == 0 {
                    free.push(to);
                }
            }
        }
    }
    done < incoming.len()
}

#[cfg(test)]
mod tests;
