//! Exact expansion of products and powers of sums, on demand.
//!
//! Sums of products are the common case (a matrix product): their monomials go straight into one table of coefficients.
//! The expansion of each product is kept in the pool, up to a bound, so that differences that share products share the
//! work: the entries of Strassen's product do.

use super::monic::{factors, from_factors, multiply_monics};
use super::polynomial::{Polynomial, split};
use crate::op::Op;
use crate::pool::{Division, Term, TermPool};
use quod_base::Rational;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Expands, and remembers what it expanded.
pub struct Expander<'a> {
    pool: &'a TermPool,
    /// Expansions of sums that are factors, and of monics that have one.
    known: FxHashMap<Term, Arc<Polynomial>>,
    /// How many products of monomials may still be made.
    budget: usize,
}

/// Products of monomials that one expansion may cost.
const BUDGET: usize = 1 << 24;

/// Expansions of products that a pool remembers.
#[derive(Default)]
pub(crate) struct Expansions {
    products: FxHashMap<Term, Arc<Polynomial>>,
    monomials: usize,
}

/// The most monomials that a pool remembers; then it starts anew.
const REMEMBERED: usize = 1 << 20;

impl Expansions {
    fn insert(&mut self, monic: Term, polynomial: Arc<Polynomial>) {
        if self.monomials + polynomial.monomials.len() > REMEMBERED {
            self.products.clear();
            self.monomials = 0;
        }
        self.monomials += polynomial.monomials.len();
        self.products.insert(monic, polynomial);
    }
}

impl<'a> Expander<'a> {
    pub fn new(pool: &'a TermPool) -> Self {
        Self { pool, known: FxHashMap::default(), budget: BUDGET }
    }

    /// The same polynomial without products of sums; `None` when that would be too large.
    pub fn expand(&mut self, polynomial: &Polynomial) -> Option<Polynomial> {
        let mut work: Vec<Term> = polynomial.monomials.iter().map(|(monic, _)| *monic).collect();
        while let Some(&monic) = work.last() {
            if self.known.contains_key(&monic) || !self.hides_sum(monic) || self.recalls(monic) {
                work.pop();
                continue;
            }
            // First the monics of the sums that are factors.
            let before = work.len();
            for (base, _) in factors(self.pool, monic) {
                if self.pool.op(base) == Op::Add && !self.known.contains_key(&base) {
                    let inner = Polynomial::of(self.pool, base);
                    let is_open = |monic: &Term| self.hides_sum(*monic) && !self.known.contains_key(monic);
                    let open: Vec<Term> = inner.monomials.iter().map(|(monic, _)| *monic).filter(is_open).collect();
                    if open.is_empty() {
                        let mut map = FxHashMap::default();
                        self.sum(&inner, &mut map)?;
                        let expanded = unordered(inner.sort, map);
                        self.known.insert(base, Arc::new(expanded));
                    }
                    work.extend(open);
                }
            }
            if work.len() > before {
                continue;
            }
            let expanded = Arc::new(self.product(monic)?);
            self.pool.expansions().insert(monic, expanded.clone());
            self.known.insert(monic, expanded);
            work.pop();
        }
        let mut map = FxHashMap::default();
        self.sum(polynomial, &mut map)?;
        Some(Polynomial::from_map(self.pool, polynomial.sort, map))
    }

    /// Whether the pool remembers the expansion; then it is known here, too.
    fn recalls(&mut self, monic: Term) -> bool {
        let found = self.pool.expansions().products.get(&monic).cloned();
        found.map(|polynomial| self.known.insert(monic, polynomial)).is_some()
    }

    /// The expansion of a term.
    pub fn expand_term(&mut self, term: Term) -> Option<Polynomial> {
        self.expand(&Polynomial::of(self.pool, term))
    }

    /// Whether a monic has a sum among its factors.
    fn hides_sum(&self, monic: Term) -> bool {
        match self.pool.op(monic) {
            Op::Add => true,
            Op::Mul | Op::Power => factors(self.pool, monic).iter().any(|(base, _)| self.pool.op(*base) == Op::Add),
            _ => false,
        }
    }

    /// Adds up monomials whose monics are expanded already.
    fn sum(&mut self, polynomial: &Polynomial, map: &mut FxHashMap<Term, Rational>) -> Option<()> {
        for (monic, coefficient) in &polynomial.monomials {
            match self.known.get(monic) {
                Some(inner) => {
                    self.budget = self.budget.checked_sub(inner.monomials.len())?;
                    let is_one = coefficient.is_one();
                    for (monic, inner) in &inner.monomials {
                        if is_one {
                            add_to(map, *monic, inner);
                        } else {
                            add_to(map, *monic, &(inner * coefficient));
                        }
                    }
                }
                None => add_to(map, *monic, coefficient),
            }
        }
        Some(())
    }

    /// The product of a monic's factors, the sums among them expanded already.
    fn product(&mut self, monic: Term) -> Option<Polynomial> {
        let sort = self.pool.sort(monic);
        let list = factors(self.pool, monic);
        let is_pair = |base: Term| list.iter().filter(|(other, _)| *other == base).count() > 1;
        let is_open = |&(base, exponent): &(Term, i32)| {
            exponent > 0
                && self.known.contains_key(&base)
                && !(is_pair(base) && self.pool.division() == Division::Total)
        };
        let plain: Vec<(Term, i32)> = list.iter().copied().filter(|factor| !is_open(factor)).collect();
        let rest = from_factors(self.pool, sort, &plain);
        let mut product = Polynomial { sort, monomials: vec![(rest, Rational::ONE)] };
        let open: Vec<(Arc<Polynomial>, i32)> = list
            .iter()
            .filter(|factor| is_open(factor))
            .map(|(base, exponent)| (self.known[base].clone(), *exponent))
            .collect();
        for (inner, exponent) in open {
            for _ in 0..exponent {
                product = self.times(&product, &inner)?;
            }
        }
        Some(product)
    }

    fn times(&mut self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        self.budget = self.budget.checked_sub(a.monomials.len() * b.monomials.len())?;
        let mut map: FxHashMap<Term, Rational> = FxHashMap::default();
        for (left, x) in &a.monomials {
            for (right, y) in &b.monomials {
                add_to(&mut map, multiply_monics(self.pool, *left, *right), &(x * y));
            }
        }
        Some(unordered(a.sort, map))
    }
}

/// A polynomial on the way: the order of its monomials does not matter yet.
fn unordered(sort: crate::sort::Sort, map: FxHashMap<Term, Rational>) -> Polynomial {
    Polynomial { sort, monomials: map.into_iter().filter(|(_, coefficient)| !coefficient.is_zero()).collect() }
}

fn add_to(map: &mut FxHashMap<Term, Rational>, monic: Term, coefficient: &Rational) {
    *map.entry(monic).or_insert(Rational::ZERO) += coefficient;
}

impl TermPool {
    /// The term with products and powers of sums multiplied out, at its top and inside sums and products; `None` when
    /// that would be too large.
    pub fn expand(&self, term: Term) -> Option<Term> {
        if !self.sort(term).is_arithmetic() {
            return Some(term);
        }
        Some(Expander::new(self).expand_term(term)?.into_term(self))
    }

    /// Coefficient and monic of a monomial; a constant's monic is the constant 1.
    pub fn as_monomial(&self, term: Term) -> (Rational, Term) {
        split(self, term)
    }

    /// Primitives and exponents of a monic.
    pub fn monic_factors(&self, monic: Term) -> Vec<(Term, i32)> {
        factors(self, monic).into_vec()
    }
}
