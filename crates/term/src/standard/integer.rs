//! Integer division, remainder, absolute value and conversions.

use super::monic::{factors, from_factors};
use super::polynomial::{Polynomial, monomial};
use crate::build::Application;
use crate::op::Op;
use crate::pool::{Payload, Term, TermPool};
use crate::sort::Sort;
use quod_base::Rational;
use rustc_hash::FxHashMap;

pub(super) fn normalise(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    let a = *it.args.first()?;
    match it.op {
        Op::IntDiv if it.args.len() > 2 => it.args.iter().copied().reduce(|left, right| pool.int_div(left, right)),
        Op::IntDiv => divide(pool, a, it.args[1]),
        Op::IntMod => remainder(pool, a, it.args[1]),
        Op::Abs => Some(pool.ite(pool.le(pool.number(Rational::ZERO, it.sort), a), a, pool.neg(a))),
        Op::Divisible => {
            let Payload::Indices(divisor, _) = it.payload else { return None };
            Some(pool.eq(pool.int_mod(a, pool.int((*divisor).into())), pool.int(0)))
        }
        Op::ToReal => to_real(pool, a),
        Op::ToInt => (pool.op(a) == Op::ToReal).then(|| pool.arg(a, 0)),
        Op::IsInt => {
            Some(if pool.op(a) == Op::ToReal { pool.true_() } else { pool.eq(pool.to_real(pool.to_int(a)), a) })
        }
        _ => None,
    }
}

fn number(pool: &TermPool, term: Term) -> Option<Rational> {
    pool.value(term)?.as_rational().cloned()
}

/// Splits into the part whose coefficients the divisor divides and the rest, coefficients from 0 to divisor - 1.
fn by_divisor(pool: &TermPool, term: Term, divisor: &Rational) -> (Polynomial, Polynomial) {
    let whole = Polynomial::of(pool, term);
    let (mut quotient, mut rest) = (Polynomial::zero(whole.sort), Polynomial::zero(whole.sort));
    for (monic, coefficient) in whole.monomials {
        let times = coefficient.div_euclid(divisor).unwrap_or_default();
        let left = &coefficient - &(&times * divisor);
        if !times.is_zero() {
            quotient.monomials.push((monic, times));
        }
        if !left.is_zero() {
            rest.monomials.push((monic, left));
        }
    }
    (quotient, rest)
}

/// `(k q + r) div k` is `q + r div k`; `a div -k` is `-(a div k)`; by zero 0.
fn divide(pool: &TermPool, a: Term, b: Term) -> Option<Term> {
    let divisor = number(pool, b)?;
    if divisor.is_zero() {
        return Some(pool.int(0));
    }
    if divisor.is_negative() {
        return Some(pool.neg(pool.int_div(a, pool.neg(b))));
    }
    let (quotient, rest) = by_divisor(pool, a, &divisor);
    if quotient.is_zero() {
        return None;
    }
    let rest = rest.into_term(pool);
    let below = match number(pool, rest) {
        Some(value) => pool.number(value.div_euclid(&divisor)?, Sort::INT),
        None => pool.intern(Op::IntDiv, Payload::None, &[rest, b], Sort::INT),
    };
    Some(pool.add(&[quotient.into_term(pool), below]))
}

/// `(k q + r) mod k` is `r mod k`; `a mod -k` is `a mod k`; by zero the dividend.
fn remainder(pool: &TermPool, a: Term, b: Term) -> Option<Term> {
    let divisor = number(pool, b)?;
    if divisor.is_zero() {
        return Some(a);
    }
    if divisor.is_negative() {
        return Some(pool.int_mod(a, pool.neg(b)));
    }
    // `(r mod k) mod k` is `r mod k`.
    if pool.op(a) == Op::IntMod && pool.arg(a, 1) == b {
        return Some(a);
    }
    let (quotient, rest) = by_divisor(pool, a, &divisor);
    if quotient.is_zero() {
        return None;
    }
    Some(pool.int_mod(rest.into_term(pool), b))
}

/// Goes down to the primitives: `to_real (x + 2 y)` is `to_real x + 2 * to_real y`.
fn to_real(pool: &TermPool, a: Term) -> Option<Term> {
    if !matches!(pool.op(a), Op::Add | Op::Mul | Op::Power) {
        return None;
    }
    let mut map: FxHashMap<Term, Rational> = FxHashMap::default();
    for (monic, coefficient) in Polynomial::of(pool, a).monomials {
        let mut list = factors(pool, monic);
        for (base, _) in &mut list {
            *base = pool.to_real(*base);
        }
        // A primitive that is a sum may get a coefficient taken out; `power` and `multiply` put that in order.
        let powers: Vec<Term> = list.iter().map(|&(base, exponent)| pool.power(base, exponent)).collect();
        let product = if powers.is_empty() { from_factors(pool, Sort::REAL, &[]) } else { pool.mul(&powers) };
        let (inner, monic) = super::polynomial::split(pool, product);
        *map.entry(monic).or_insert(Rational::ZERO) += &(&inner * &coefficient);
    }
    let terms: Vec<Term> = Polynomial::from_map(pool, Sort::REAL, map)
        .monomials
        .iter()
        .map(|(monic, c)| monomial(pool, c, *monic))
        .collect();
    Some(if terms.is_empty() { pool.real(Rational::ZERO) } else { pool.add(&terms) })
}
