//! Numeric terms read as linear forms over monics.

use quod_base::Rational;
use quod_term::{Op, Sort, Term, TermPool};

/// `constant + sum of coefficient * monic`, monics in order of their fingerprints, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinearForm {
    pub(crate) monomials: Vec<(Term, Rational)>,
    pub(crate) constant: Rational,
}

impl LinearForm {
    pub(crate) fn of(pool: &TermPool, term: Term) -> Self {
        let mut form = Self::default();
        form.add(pool, term, &Rational::ONE);
        form.normalise(pool);
        form
    }

    fn add(&mut self, pool: &TermPool, term: Term, factor: &Rational) {
        let mut work = vec![(term, factor.clone())];
        while let Some((term, factor)) = work.pop() {
            if let Some(value) = pool.value(term).and_then(|value| value.as_rational()) {
                self.constant += &(value * &factor);
                continue;
            }
            match pool.op(term) {
                Op::Add => work.extend(pool.args(term).iter().map(|&arg| (arg, factor.clone()))),
                Op::Mul => {
                    let args = pool.args(term);
                    match pool.value(args[0]).and_then(|value| value.as_rational()) {
                        Some(value) if args.len() == 2 => work.push((args[1], &factor * value)),
                        Some(value) => self.monomials.push((pool.mul(&args[1..]), &factor * value)),
                        None => self.monomials.push((term, factor)),
                    }
                }
                _ => self.monomials.push((term, factor)),
            }
        }
    }

    fn normalise(&mut self, pool: &TermPool) {
        self.monomials.sort_by_key(|(monic, _)| pool.fingerprint(*monic));
        let mut merged: Vec<(Term, Rational)> = Vec::with_capacity(self.monomials.len());
        for (monic, coefficient) in self.monomials.drain(..) {
            match merged.last_mut() {
                Some((last, sum)) if *last == monic => *sum += &coefficient,
                _ => merged.push((monic, coefficient)),
            }
        }
        merged.retain(|(_, coefficient)| !coefficient.is_zero());
        self.monomials = merged;
    }

    pub(crate) fn minus(mut self, other: &Self) -> Self {
        if !other.monomials.is_empty() {
            // Both are in the same order of fingerprints, but merging needs the pool only for that order.
            for (monic, coefficient) in &other.monomials {
                match self.monomials.iter_mut().find(|(own, _)| own == monic) {
                    Some((_, sum)) => *sum -= coefficient,
                    None => self.monomials.push((*monic, -coefficient)),
                }
            }
            self.monomials.retain(|(_, coefficient)| !coefficient.is_zero());
        }
        self.constant -= &other.constant;
        self
    }

    /// The form without its constant, divided by its first coefficient, as a term; and that coefficient.
    pub(crate) fn direction(&self, pool: &TermPool, sort: Sort) -> Option<(Term, Rational)> {
        let (first, factor) = self.monomials.first()?;
        if self.monomials.len() == 1 {
            return Some((*first, factor.clone()));
        }
        // Integers stay integers: only the sign is taken out.
        let factor = match (sort == Sort::INT, factor.is_negative()) {
            (true, true) => Rational::MINUS_ONE,
            (true, false) => Rational::ONE,
            (false, _) => factor.clone(),
        };
        let parts: Vec<Term> = self
            .monomials
            .iter()
            .map(|(monic, coefficient)| pool.mul(&[pool.number(coefficient / &factor, sort), *monic]))
            .collect();
        Some((pool.add(&parts), factor))
    }
}
