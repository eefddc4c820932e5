//! First stage: the query as a set of conjuncts in a fixed order. The terms themselves are in standard form since they
//! were built; what that makes true, false or contradictory needs no solver.

use super::{Query, Stage, StageStatistics};
use crate::answer::{Answer, Model};
use quod_term::{Op, Term, TermPool};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub struct Standard {
    pool: Arc<TermPool>,
    inner: Box<dyn Stage>,
    statistics: StageStatistics,
    conjuncts: Vec<Term>,
    origin: FxHashMap<Term, Term>,
    /// What stands below a negation.
    negated: FxHashMap<Term, Term>,
}

impl Standard {
    pub fn new(pool: Arc<TermPool>, inner: Box<dyn Stage>) -> Self {
        let statistics = StageStatistics { name: "standard form", ..StageStatistics::default() };
        Self {
            pool,
            inner,
            statistics,
            conjuncts: Vec::new(),
            origin: FxHashMap::default(),
            negated: FxHashMap::default(),
        }
    }

    fn flatten(&mut self, terms: &[Term]) -> Option<Answer> {
        self.conjuncts.clear();
        self.origin.clear();
        self.negated.clear();
        let (truth, falsehood) = (self.pool.true_(), self.pool.false_());
        let mut work: Vec<(Term, Term)> = terms.iter().rev().map(|&term| (term, term)).collect();
        while let Some((term, origin)) = work.pop() {
            if term == truth {
                continue;
            }
            if term == falsehood {
                return Some(Answer::Unsat(vec![origin]));
            }
            if self.pool.op(term) == Op::And {
                work.extend(self.pool.args(term).iter().rev().map(|&arg| (arg, origin)));
                continue;
            }
            if self.origin.insert(term, origin).is_some() {
                continue;
            }
            // Of two complementary conjuncts one is the negation of the other, whichever comes first.
            let complement = if self.pool.op(term) == Op::Not {
                let positive = self.pool.arg(term, 0);
                self.negated.insert(positive, origin);
                self.origin.get(&positive)
            } else {
                self.negated.get(&term)
            };
            if let Some(&other) = complement {
                return Some(Answer::Unsat(if other == origin { vec![origin] } else { vec![other, origin] }));
            }
            self.conjuncts.push(term);
        }
        if self.conjuncts.is_empty() {
            return Some(Answer::Sat(Model::default()));
        }
        None
    }
}

impl Stage for Standard {
    fn decide(&mut self, query: &Query<'_>) -> Answer {
        self.statistics.queries += 1;
        if let Some(answer) = self.flatten(query.terms) {
            self.statistics.answered += 1;
            return answer;
        }
        let answer = self.inner.check(&Query { terms: &self.conjuncts, limits: query.limits });
        match answer {
            Answer::Unsat(core) => {
                let mut origins: Vec<Term> = core.iter().filter_map(|term| self.origin.get(term).copied()).collect();
                origins.sort_by_key(|&term| self.pool.fingerprint(term));
                origins.dedup();
                Answer::Unsat(origins)
            }
            other => other,
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
