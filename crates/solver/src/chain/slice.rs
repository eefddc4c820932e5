//! Independence: conjuncts that share no symbol and no function are decided apart, smallest first, and the models
//! joined. Most queries differ from an earlier one in one part only; the parts meet the cache.

use super::{Query, Stage, StageStatistics};
use crate::answer::{Answer, Model};
use quod_base::Id;
use quod_term::{Function, Op, Term, TermPool};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub struct Slice {
    pool: Arc<TermPool>,
    inner: Box<dyn Stage>,
    statistics: StageStatistics,
    /// The symbols and functions of conjuncts seen before.
    known: FxHashMap<Term, Arc<[Free]>>,
    visited: Vec<u32>,
    epoch: u32,
}

/// What two conjuncts may share.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Free {
    Symbol(Term),
    Function(Arc<Function>),
}

impl Slice {
    pub fn new(pool: Arc<TermPool>, inner: Box<dyn Stage>) -> Self {
        let statistics = StageStatistics { name: "slicing", ..StageStatistics::default() };
        Self { pool, inner, statistics, known: FxHashMap::default(), visited: Vec::new(), epoch: 0 }
    }

    fn free(&mut self, term: Term) -> Arc<[Free]> {
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        self.epoch += 1;
        let mut found = Vec::new();
        let mut work = vec![term];
        while let Some(next) = work.pop() {
            if self.visited.len() <= next.index() {
                self.visited.resize(next.index() + 1 + next.index() / 4, 0);
            }
            if self.visited[next.index()] == self.epoch {
                continue;
            }
            self.visited[next.index()] = self.epoch;
            match self.pool.op(next) {
                Op::Symbol => found.push(Free::Symbol(next)),
                Op::Apply => found.extend(self.pool.function(next).map(|function| Free::Function(function.clone()))),
                _ => {}
            }
            work.extend_from_slice(self.pool.args(next));
        }
        let found: Arc<[Free]> = found.into();
        self.known.insert(term, found.clone());
        found
    }

    /// Groups of conjuncts, each in the order of the query.
    fn groups(&mut self, terms: &[Term]) -> Vec<Vec<Term>> {
        let mut parent: Vec<usize> = (0..terms.len()).collect();
        fn find(parent: &mut [usize], mut at: usize) -> usize {
            while parent[at] != at {
                parent[at] = parent[parent[at]];
                at = parent[at];
            }
            at
        }
        let mut owner: FxHashMap<Free, usize> = FxHashMap::default();
        for (at, &term) in terms.iter().enumerate() {
            for free in self.free(term).iter() {
                match owner.get(free) {
                    Some(&other) => {
                        let (a, b) = (find(&mut parent, at), find(&mut parent, other));
                        parent[a.max(b)] = a.min(b);
                    }
                    None => {
                        owner.insert(free.clone(), at);
                    }
                }
            }
        }
        let mut groups: Vec<Vec<Term>> = Vec::new();
        let mut place: FxHashMap<usize, usize> = FxHashMap::default();
        for (at, &term) in terms.iter().enumerate() {
            let root = find(&mut parent, at);
            let index = *place.entry(root).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[index].push(term);
        }
        groups.sort_by_key(Vec::len);
        groups
    }
}

impl Stage for Slice {
    fn decide(&mut self, query: &Query<'_>) -> Answer {
        self.statistics.queries += 1;
        if query.terms.len() < 2 {
            return self.inner.check(query);
        }
        let groups = self.groups(query.terms);
        if groups.len() == 1 {
            return self.inner.check(query);
        }
        let mut model = Model::default();
        let mut unknown = None;
        for group in groups {
            match self.inner.check(&Query { terms: &group, limits: query.limits }) {
                Answer::Unsat(core) => return Answer::Unsat(core),
                // Another part may still be contradictory.
                Answer::Unknown(reason) => unknown = unknown.or(Some(reason)),
                Answer::Sat(part) => {
                    // A part's model may speak of more symbols than the part has; only its own count.
                    for &term in &group {
                        for free in self.free(term).iter() {
                            match free {
                                Free::Symbol(symbol) => {
                                    if let Some(value) = part.symbols.get(symbol) {
                                        model.symbols.insert(*symbol, value.clone());
                                    }
                                }
                                Free::Function(function) => {
                                    if let Some(table) = part.functions.get(function) {
                                        model.functions.insert(function.clone(), table.clone());
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        match unknown {
            Some(reason) => Answer::Unknown(reason),
            None => Answer::Sat(model),
        }
    }

    fn own_statistics(&mut self) -> &mut StageStatistics {
        &mut self.statistics
    }

    fn statistics(&self, into: &mut Vec<StageStatistics>) {
        into.push(self.statistics.clone());
        self.inner.statistics(into);
    }
}
