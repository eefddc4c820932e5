//! Context simplification: each conjunct is simplified under the others, after section 2.3.3 of Siegel's paper on CIVL at
//! VerifyThis 2016.
//!
//! - intervals of linear forms: contradictory bounds are an answer, equal bounds a value, weaker bounds are dropped;
//! - a symbol with a concrete value, or equal to a term without it, is replaced everywhere and gone;
//! - numeric equalities are solved by Gaussian elimination with monics as unknowns ([`super::linear`]);
//! - complete writes to an array become a concrete array when the substituted terms are rebuilt (`term` does that).
//!
//! Each conjunct remembers which of the query's conjuncts went into it, so that cores stay small. Models are completed
//! with the replaced symbols and evaluated on the query itself.

use super::linear::LinearForm;
use super::{Query, Stage, StageStatistics};
use crate::answer::{Answer, Model};
use quod_base::Rational;
use quod_term::{Op, Sort, Term, TermPool, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub struct Context {
    pool: Arc<TermPool>,
    inner: Box<dyn Stage>,
    statistics: StageStatistics,
    /// What became of earlier queries: a path condition that grew goes on from there.
    memo: FxHashMap<Box<[Term]>, Arc<Simplified>>,
}

/// A conjunct and the numbers of the query's conjuncts that it follows from.
#[derive(Clone)]
struct Fact {
    term: Term,
    origins: Vec<u32>,
}

/// What is left to decide.
#[derive(Clone, Default)]
struct Simplified {
    facts: Vec<Fact>,
    /// Replaced symbols in the order of replacement: a later one may occur in an earlier one's term.
    replaced: Vec<Replaced>,
}

/// A symbol, the term that it equals, and why.
#[derive(Clone)]
struct Replaced {
    symbol: Term,
    value: Term,
    origins: Vec<u32>,
}

impl Replaced {
    fn map(&self) -> FxHashMap<Term, Term> {
        [(self.symbol, self.value)].into_iter().collect()
    }
}

/// More conjuncts than this are not worth the passes.
const MAX_FACTS: usize = 3000;
const MAX_PASSES: usize = 200;
/// How many conjuncts a path condition may have grown by since a query that is remembered.
const MEMO_STEPS: usize = 4;
const MAX_MEMO: usize = 256;

impl Context {
    pub fn new(pool: Arc<TermPool>, inner: Box<dyn Stage>) -> Self {
        let statistics = StageStatistics { name: "context", ..StageStatistics::default() };
        Self { pool, inner, statistics, memo: FxHashMap::default() }
    }

    /// The simplification of the query without its last few conjuncts, if it is known, and how many it had.
    fn known_prefix(&self, terms: &[Term]) -> (usize, Simplified) {
        let shortest = terms.len().saturating_sub(MEMO_STEPS).max(1);
        for length in (shortest..terms.len()).rev() {
            if let Some(known) = self.memo.get(&terms[..length]) {
                return (length, (**known).clone());
            }
        }
        (0, Simplified::default())
    }

    /// An error lists the conjuncts that contradict each other.
    fn simplify(&mut self, terms: &[Term]) -> Result<Arc<Simplified>, Vec<u32>> {
        if let Some(known) = self.memo.get(terms) {
            return Ok(known.clone());
        }
        let (length, Simplified { mut facts, mut replaced }) = self.known_prefix(terms);
        for (at, &term) in terms.iter().enumerate().skip(length) {
            let mut term = term;
            let mut origins = vec![at as u32];
            for step in &replaced {
                let changed = self.pool.substitute(term, &step.map());
                if changed != term {
                    origins = union(&origins, &step.origins);
                    term = changed;
                }
            }
            self.split(term, origins, &mut facts)?;
        }
        for _ in 0..MAX_PASSES {
            self.bounds(&mut facts)?;
            let Some((at, symbol, value)) = self.find_solved(&facts) else { break };
            let source = facts.swap_remove(at);
            let step = Replaced { symbol, value, origins: source.origins };
            let map = step.map();
            let mut next = Vec::with_capacity(facts.len());
            for fact in facts {
                let term = self.pool.substitute(fact.term, &map);
                if term == fact.term {
                    next.push(fact);
                    continue;
                }
                let origins = union(&fact.origins, &step.origins);
                self.split(term, origins, &mut next)?;
            }
            facts = next;
            replaced.push(step);
        }
        let simplified = Arc::new(Simplified { facts, replaced });
        if self.memo.len() >= MAX_MEMO {
            self.memo.clear();
        }
        self.memo.insert(terms.into(), simplified.clone());
        Ok(simplified)
    }

    fn split(&self, term: Term, origins: Vec<u32>, into: &mut Vec<Fact>) -> Result<(), Vec<u32>> {
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            if term == self.pool.false_() {
                return Err(origins);
            }
            if self.pool.op(term) == Op::And {
                work.extend(self.pool.args(term).iter().rev());
            } else if term != self.pool.true_() {
                into.push(Fact { term, origins: origins.clone() });
            }
        }
        Ok(())
    }

    /// A conjunct that determines a symbol: its place, the symbol and the term it equals.
    fn find_solved(&self, facts: &[Fact]) -> Option<(usize, Term, Term)> {
        for (at, fact) in facts.iter().enumerate() {
            let pool = &self.pool;
            match pool.op(fact.term) {
                Op::Symbol => return Some((at, fact.term, pool.true_())),
                Op::Not if pool.op(pool.arg(fact.term, 0)) == Op::Symbol => {
                    return Some((at, pool.arg(fact.term, 0), pool.false_()));
                }
                Op::Eq if pool.args(fact.term).len() == 2 => {
                    let (a, b) = (pool.arg(fact.term, 0), pool.arg(fact.term, 1));
                    if pool.sort(a).is_arithmetic() {
                        if let Some((symbol, value)) = self.solve_equation(a, b) {
                            return Some((at, symbol, value));
                        }
                        continue;
                    }
                    for (symbol, value) in [(a, b), (b, a)] {
                        if pool.op(symbol) == Op::Symbol && !self.occurs(symbol, value) {
                            return Some((at, symbol, value));
                        }
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn occurs(&self, symbol: Term, term: Term) -> bool {
        if self.pool.is_constant(term) {
            return false;
        }
        self.pool.subterms(&[term]).contains(&symbol)
    }

    /// One step of Gaussian elimination: a symbol with coefficient one (any for Real) that occurs nowhere else.
    fn solve_equation(&self, a: Term, b: Term) -> Option<(Term, Term)> {
        let pool = &self.pool;
        let sort = pool.sort(a);
        let form = LinearForm::of(pool, a).minus(&LinearForm::of(pool, b));
        for (place, (symbol, coefficient)) in form.monomials.iter().enumerate() {
            let is_unit = coefficient.abs().is_one();
            if pool.op(*symbol) != Op::Symbol || pool.sort(*symbol) != sort || sort == Sort::INT && !is_unit {
                continue;
            }
            let others = form.monomials.iter().enumerate().filter(|(other, _)| *other != place);
            if others.clone().any(|(_, (monic, _))| self.occurs(*symbol, *monic)) {
                continue;
            }
            let factor = -coefficient.recip()?;
            let mut parts: Vec<Term> =
                others.map(|(_, (monic, c))| pool.mul(&[pool.number(c * &factor, sort), *monic])).collect();
            parts.push(pool.number(&form.constant * &factor, sort));
            return Some((*symbol, pool.add(&parts)));
        }
        None
    }

    /// Interval analysis: one lower and one upper bound for each linear form.
    fn bounds(&self, facts: &mut Vec<Fact>) -> Result<(), Vec<u32>> {
        #[derive(Default)]
        struct Interval {
            lower: Option<(Rational, bool, usize)>,
            upper: Option<(Rational, bool, usize)>,
        }
        let pool = &self.pool;
        let mut intervals: FxHashMap<Term, Interval> = FxHashMap::default();
        let mut order: Vec<Term> = Vec::new();
        let mut dropped = vec![false; facts.len()];
        for (at, fact) in facts.iter().enumerate() {
            let (atom, holds) = match pool.op(fact.term) {
                Op::Not => (pool.arg(fact.term, 0), false),
                _ => (fact.term, true),
            };
            if !matches!(pool.op(atom), Op::Le | Op::Lt) || pool.args(atom).len() != 2 {
                continue;
            }
            let sort = pool.sort(pool.arg(atom, 0));
            let difference = LinearForm::of(pool, pool.arg(atom, 1)).minus(&LinearForm::of(pool, pool.arg(atom, 0)));
            // `0 <= difference` (or `<`), or its negation.
            let Some((form, factor)) = difference.direction(pool, sort) else { continue };
            let bound = -(&difference.constant / &factor);
            let is_strict = (pool.op(atom) == Op::Lt) == holds;
            let is_lower = factor.is_positive() == holds;
            let interval = intervals.entry(form).or_insert_with(|| {
                order.push(form);
                Interval::default()
            });
            let slot = if is_lower { &mut interval.lower } else { &mut interval.upper };
            // Under negation `0 <= d` becomes `d < 0`: strictness turns.
            let candidate = (bound, is_strict, at);
            let is_tighter = slot.as_ref().is_none_or(|old| {
                let better = if is_lower { candidate.0 > old.0 } else { candidate.0 < old.0 };
                better || candidate.0 == old.0 && candidate.1 && !old.1
            });
            if is_tighter {
                if let Some(old) = slot.replace(candidate) {
                    dropped[old.2] = true;
                }
            } else {
                dropped[at] = true;
            }
        }
        let mut values: Vec<Fact> = Vec::new();
        for form in order {
            let interval = &intervals[&form];
            let (Some(lower), Some(upper)) = (&interval.lower, &interval.upper) else { continue };
            let origins = || union(&facts[lower.2].origins, &facts[upper.2].origins);
            if lower.0 > upper.0 || lower.0 == upper.0 && (lower.1 || upper.1) {
                return Err(origins());
            }
            if lower.0 == upper.0 && pool.op(form) == Op::Symbol {
                let sort = pool.sort(form);
                if sort == Sort::INT && !lower.0.is_integer() {
                    return Err(origins());
                }
                values.push(Fact { term: pool.eq(form, pool.number(lower.0.clone(), sort)), origins: origins() });
                dropped[lower.2] = true;
                dropped[upper.2] = true;
            }
        }
        let mut keep = dropped.iter().map(|&dropped| !dropped);
        facts.retain(|_| keep.next().unwrap_or(true));
        facts.extend(values);
        Ok(())
    }

    fn complete(&self, mut model: Model, replaced: &[Replaced]) -> Option<Model> {
        for step in replaced.iter().rev() {
            let value = quod_term::evaluate(&self.pool, step.value, &model)?;
            model.set(step.symbol, value);
        }
        Some(model)
    }
}

fn union(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut all: Vec<u32> = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl Stage for Context {
    fn decide(&mut self, query: &Query<'_>) -> Answer {
        self.statistics.queries += 1;
        if query.terms.len() > MAX_FACTS {
            return self.inner.check(query);
        }
        let named = |origins: &[u32]| origins.iter().map(|&at| query.terms[at as usize]).collect::<Vec<_>>();
        let simplified = match self.simplify(query.terms) {
            Ok(simplified) => simplified,
            Err(origins) => {
                self.statistics.answered += 1;
                return Answer::Unsat(named(&origins));
            }
        };
        let terms: Vec<Term> = simplified.facts.iter().map(|fact| fact.term).collect();
        if simplified.replaced.is_empty() && terms.len() == query.terms.len() {
            return self.inner.check(query);
        }
        let answer = if terms.is_empty() {
            self.statistics.answered += 1;
            Answer::Sat(Model::default())
        } else {
            self.inner.check(&Query { terms: &terms, limits: query.limits })
        };
        match answer {
            Answer::Unsat(core) => {
                let mut origins = Vec::new();
                for fact in &simplified.facts {
                    if core.contains(&fact.term) {
                        origins = union(&origins, &fact.origins);
                    }
                }
                Answer::Unsat(if origins.is_empty() { query.terms.to_vec() } else { named(&origins) })
            }
            Answer::Sat(model) => {
                let completed = self.complete(model, &simplified.replaced).filter(|model| {
                    let holds =
                        |&term: &Term| matches!(quod_term::evaluate(&self.pool, term, model), Some(Value::Bool(true)));
                    query.terms.iter().all(holds)
                });
                match completed {
                    Some(model) => Answer::Sat(model),
                    // Partial division may simplify more than the evaluator allows: ask about the query as it is.
                    None => self.inner.check(query),
                }
            }
            unknown => unknown,
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
