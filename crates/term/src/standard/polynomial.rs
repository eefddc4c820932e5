//! Polynomials as lists of monomials, and their terms.

use super::{EAGER, one};
use crate::op::Op;
use crate::pool::{Payload, Term, TermPool};
use crate::sort::Sort;
use quod_base::Rational;
use rustc_hash::FxHashMap;

/// A sum of coefficients times different monics; the monic of a constant is the constant 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polynomial {
    pub sort: Sort,
    /// No coefficient is zero. In order of the monics' fingerprints, the constant last, unless said otherwise.
    pub monomials: Vec<(Term, Rational)>,
}

/// A monomial's coefficient and monic; a constant's monic is the constant 1.
pub(super) fn split(pool: &TermPool, term: Term) -> (Rational, Term) {
    if let Some(value) = pool.value(term) {
        return (value.as_rational().cloned().unwrap_or_default(), one(pool, pool.sort(term)));
    }
    if pool.op(term) == Op::Mul
        && let Some(coefficient) = pool.value(pool.arg(term, 0)).and_then(|value| value.as_rational())
    {
        return (coefficient.clone(), pool.arg(term, 1));
    }
    (Rational::ONE, term)
}

/// The term of a monomial.
pub(super) fn monomial(pool: &TermPool, coefficient: &Rational, monic: Term) -> Term {
    let sort = pool.sort(monic);
    if coefficient.is_one() {
        return monic;
    }
    if coefficient.is_zero() || pool.is_constant(monic) {
        return pool.number(coefficient.clone(), sort);
    }
    pool.intern(Op::Mul, Payload::None, &[pool.number(coefficient.clone(), sort), monic], sort)
}

impl Polynomial {
    pub fn zero(sort: Sort) -> Self {
        Self { sort, monomials: Vec::new() }
    }

    /// The monomials of a term: of a sum those of its arguments, of others the one. Products are not expanded.
    pub fn of(pool: &TermPool, term: Term) -> Self {
        let sort = pool.sort(term);
        let (coefficient, monic) = split(pool, term);
        let monomials = if coefficient.is_zero() {
            Vec::new()
        } else if pool.op(monic) == Op::Add {
            let parts = pool.args(monic).iter().map(|&arg| split(pool, arg));
            parts.map(|(inner, monic)| (monic, &inner * &coefficient)).collect()
        } else {
            vec![(monic, coefficient)]
        };
        Self { sort, monomials }
    }

    pub fn is_zero(&self) -> bool {
        self.monomials.is_empty()
    }

    /// The value of a constant polynomial.
    pub fn as_constant(&self, pool: &TermPool) -> Option<Rational> {
        match self.monomials.as_slice() {
            [] => Some(Rational::ZERO),
            [(monic, coefficient)] if pool.is_constant(*monic) => Some(coefficient.clone()),
            _ => None,
        }
    }

    /// The constant part.
    pub fn constant(&self, pool: &TermPool) -> Rational {
        let last = self.monomials.last().filter(|(monic, _)| pool.is_constant(*monic));
        last.map_or(Rational::ZERO, |(_, coefficient)| coefficient.clone())
    }

    /// Whether the order of two monics is the stored one: by fingerprint, the constant last.
    fn is_before(pool: &TermPool, a: Term, b: Term) -> bool {
        match (pool.is_constant(a), pool.is_constant(b)) {
            (false, true) => true,
            (true, _) => false,
            _ => pool.fingerprint(a) < pool.fingerprint(b),
        }
    }

    /// Adds `factor * other`; both are in order.
    #[must_use]
    pub(super) fn plus(&self, pool: &TermPool, factor: &Rational, other: &Self) -> Self {
        let mut monomials = Vec::with_capacity(self.monomials.len() + other.monomials.len());
        let (mut left, mut right) = (self.monomials.iter().peekable(), other.monomials.iter().peekable());
        loop {
            match (left.peek(), right.peek()) {
                (Some((a, x)), Some((b, y))) if a == b => {
                    let sum = x + &(y * factor);
                    if !sum.is_zero() {
                        monomials.push((*a, sum));
                    }
                    left.next();
                    right.next();
                }
                (Some(&&(a, ref x)), Some((b, _))) if Self::is_before(pool, a, *b) => {
                    monomials.push((a, x.clone()));
                    left.next();
                }
                (_, Some(&&(b, ref y))) => {
                    monomials.push((b, y * factor));
                    right.next();
                }
                (Some(&&(a, ref x)), None) => {
                    monomials.push((a, x.clone()));
                    left.next();
                }
                (None, None) => break,
            }
        }
        Self { sort: self.sort, monomials }
    }

    /// From coefficients in any order.
    pub(super) fn from_map(pool: &TermPool, sort: Sort, map: FxHashMap<Term, Rational>) -> Self {
        let mut keyed: Vec<_> = map
            .into_iter()
            .filter(|(_, coefficient)| !coefficient.is_zero())
            .map(|(monic, coefficient)| ((pool.is_constant(monic), pool.fingerprint(monic)), monic, coefficient))
            .collect();
        keyed.sort_unstable_by_key(|(key, ..)| *key);
        Self { sort, monomials: keyed.into_iter().map(|(_, monic, coefficient)| (monic, coefficient)).collect() }
    }

    /// What is taken out so that the first coefficient is 1 (Real), or the coefficients are coprime and the first
    /// positive (Int).
    pub(super) fn content(&self) -> Rational {
        let Some((_, first)) = self.monomials.first() else { return Rational::ONE };
        if self.sort == Sort::REAL {
            return first.clone();
        }
        let divisor = self.monomials.iter().fold(Rational::ZERO, |divisor, (_, c)| divisor.gcd(c));
        if first.is_negative() { -divisor } else { divisor }
    }

    #[must_use]
    pub(super) fn scaled(&self, factor: &Rational) -> Self {
        if factor.is_one() {
            return self.clone();
        }
        let monomials = self.monomials.iter().map(|(monic, coefficient)| (*monic, coefficient * factor)).collect();
        Self { sort: self.sort, monomials }
    }

    /// The term in standard form.
    pub fn into_term(self, pool: &TermPool) -> Term {
        match self.monomials.as_slice() {
            [] => pool.number(Rational::ZERO, self.sort),
            [(monic, coefficient)] => monomial(pool, coefficient, *monic),
            _ => {
                let content = self.content();
                let sum = self.scaled(&content.recip().unwrap_or(Rational::ONE)).into_sum(pool);
                monomial(pool, &content, sum)
            }
        }
    }

    /// The `Add` of two or more monomials as they are.
    pub(super) fn into_sum(self, pool: &TermPool) -> Term {
        let args: Vec<Term> = self.monomials.iter().map(|(monic, c)| monomial(pool, c, *monic)).collect();
        pool.intern(Op::Add, Payload::None, &args, self.sort)
    }

    /// The polynomial with this term as its only monic.
    fn opaque(pool: &TermPool, term: Term) -> Self {
        let (coefficient, monic) = split(pool, term);
        Self { sort: pool.sort(term), monomials: vec![(monic, coefficient)] }
    }
}

pub(super) fn add(pool: &TermPool, args: &[Term]) -> Term {
    let sort = pool.sort(args[0]);
    if args.len() > 2 && args.len() <= EAGER {
        return add_many(pool, args, sort);
    }
    let mut sum = Polynomial::of(pool, args[0]);
    for &arg in &args[1..] {
        let form = Polynomial::of(pool, arg);
        if sum.monomials.len() + form.monomials.len() <= EAGER {
            sum = sum.plus(pool, &Rational::ONE, &form);
        } else if sum.monomials.len() >= form.monomials.len() {
            sum = Polynomial::opaque(pool, sum.into_term(pool)).plus(pool, &Rational::ONE, &form);
        } else {
            sum = sum.plus(pool, &Rational::ONE, &Polynomial::opaque(pool, arg));
        }
    }
    sum.into_term(pool)
}

/// One pass over many short summands.
fn add_many(pool: &TermPool, args: &[Term], sort: Sort) -> Term {
    let forms: Vec<Polynomial> = args.iter().map(|&arg| Polynomial::of(pool, arg)).collect();
    let total: usize = forms.iter().map(|form| form.monomials.len()).sum();
    let mut map = FxHashMap::default();
    for (form, &arg) in forms.into_iter().zip(args) {
        let monomials = if total > EAGER && form.monomials.len() > 4 {
            Polynomial::opaque(pool, arg).monomials
        } else {
            form.monomials
        };
        for (monic, coefficient) in monomials {
            *map.entry(monic).or_insert(Rational::ZERO) += &coefficient;
        }
    }
    Polynomial::from_map(pool, sort, map).into_term(pool)
}

/// `factor * term`.
pub(super) fn scale(pool: &TermPool, factor: &Rational, term: Term) -> Term {
    let (coefficient, monic) = split(pool, term);
    monomial(pool, &(&coefficient * factor), monic)
}
