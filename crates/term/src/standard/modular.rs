//! Polynomial identity by evaluation modulo the prime 2^61 - 1 at a point made from fingerprints: a fast pre-check.
//!
//! A difference that is not zero here is not the zero polynomial. One that is zero here is very likely, but not surely,
//! zero: it is worth the exact expansion. Never a proof.

use super::polynomial::Polynomial;
use crate::op::Op;
use crate::pool::{Payload, Term, TermPool};
use num_traits::ToPrimitive;
use quod_base::Rational;
use rustc_hash::FxHashMap;

const PRIME: u64 = (1 << 61) - 1;
/// The most nodes that one evaluation visits.
const NODES: usize = 200_000;

fn add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let folded = (product as u64 & PRIME) + (product >> 61) as u64;
    if folded >= PRIME { folded - PRIME } else { folded }
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base);
        }
        base = multiply(base, base);
        exponent >>= 1;
    }
    result
}

/// `None` where the denominator vanishes.
fn rational(value: &Rational) -> Option<u64> {
    let reduce = |big: num_bigint::BigInt| {
        let prime = num_bigint::BigInt::from(PRIME);
        (((big % &prime) + &prime) % &prime).to_u64()
    };
    let (numerator, denominator) = match value.as_small() {
        Some((n, d)) => (n.rem_euclid(PRIME as i64) as u64, d.rem_euclid(PRIME as i64) as u64),
        None => (reduce(value.numerator())?, reduce(value.denominator())?),
    };
    if denominator == 1 {
        return Some(numerator);
    }
    (denominator != 0).then(|| multiply(numerator, power(denominator, PRIME - 2)))
}

fn point(pool: &TermPool, primitive: Term, seed: u64) -> u64 {
    let fingerprint = pool.fingerprint(primitive).0;
    let mixed = (fingerprint as u64 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .wrapping_mul(0xd6e8_feb8_6659_fd93)
        .rotate_left(31)
        ^ (fingerprint >> 64) as u64;
    1 + mixed % (PRIME - 1)
}

/// The value of a polynomial at the point of the seed; `None` where it is too large or a denominator vanishes.
pub fn evaluate(pool: &TermPool, polynomial: &Polynomial, seed: u64) -> Option<u64> {
    let mut values = FxHashMap::default();
    let mut total = 0;
    for (monic, coefficient) in &polynomial.monomials {
        let value = evaluate_term(pool, *monic, seed, &mut values)?;
        total = add(total, multiply(rational(coefficient)?, value));
    }
    Some(total)
}

fn evaluate_term(pool: &TermPool, term: Term, seed: u64, values: &mut FxHashMap<Term, u64>) -> Option<u64> {
    let mut work = vec![(term, false)];
    while let Some((term, is_ready)) = work.pop() {
        if values.contains_key(&term) {
            continue;
        }
        if values.len() > NODES {
            return None;
        }
        let args = pool.args(term);
        let op = pool.op(term);
        if matches!(op, Op::Add | Op::Mul | Op::Power) && !is_ready {
            work.push((term, true));
            work.extend(args.iter().map(|&arg| (arg, false)));
            continue;
        }
        let value = match op {
            Op::Const => rational(pool.value(term)?.as_rational()?)?,
            Op::Add => args.iter().fold(0, |sum, arg| add(sum, values[arg])),
            Op::Mul => args.iter().fold(1, |product, arg| multiply(product, values[arg])),
            Op::Power => {
                let Payload::Exponent(exponent) = pool.payload(term) else { return None };
                let base = values[&args[0]];
                if *exponent < 0 && base == 0 {
                    return None;
                }
                power(base, i64::from(*exponent).rem_euclid((PRIME - 1) as i64) as u64)
            }
            _ => point(pool, term, seed),
        };
        values.insert(term, value);
    }
    values.get(&term).copied()
}

/// Whether two numeric terms differ as polynomials for certain; `false` says nothing.
pub fn surely_different(pool: &TermPool, a: Term, b: Term) -> bool {
    let difference = Polynomial::of(pool, a).plus(pool, &Rational::MINUS_ONE, &Polynomial::of(pool, b));
    matches!(evaluate(pool, &difference, 3), Some(value) if value != 0)
}
