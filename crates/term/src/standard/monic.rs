//! Monics: products of primitive powers.

use super::one;
use super::polynomial::{Polynomial, monomial, split};
use crate::op::Op;
use crate::pool::{Division, Payload, Term, TermPool};
use crate::sort::Sort;
use quod_base::Rational;
use smallvec::SmallVec;

/// The most factors that a multiplication merges.
const FACTORS: usize = 64;

/// Primitives with their exponents, in order of the primitives' fingerprints. Under total division a primitive may occur
/// twice, as `p * p^-1`, which is 0 where `p` is.
pub(super) type Factors = SmallVec<[(Term, i32); 6]>;

fn base_and_exponent(pool: &TermPool, factor: Term) -> (Term, i32) {
    if pool.op(factor) == Op::Power
        && let Payload::Exponent(exponent) = pool.payload(factor)
    {
        return (pool.arg(factor, 0), *exponent);
    }
    (factor, 1)
}

/// The primitive powers of a monic.
pub(super) fn factors(pool: &TermPool, monic: Term) -> Factors {
    match pool.op(monic) {
        Op::Const => Factors::new(),
        Op::Mul => pool.args(monic).iter().map(|&factor| base_and_exponent(pool, factor)).collect(),
        _ => [base_and_exponent(pool, monic)].into_iter().collect(),
    }
}

/// The monic of factors that are in order.
pub(super) fn from_factors(pool: &TermPool, sort: Sort, factors: &[(Term, i32)]) -> Term {
    let power = |&(base, exponent): &(Term, i32)| {
        if exponent == 1 { base } else { pool.intern(Op::Power, Payload::Exponent(exponent), &[base], sort) }
    };
    match factors {
        [] => one(pool, sort),
        [factor] => power(factor),
        _ => {
            let args: SmallVec<[Term; 8]> = factors.iter().map(power).collect();
            pool.intern(Op::Mul, Payload::None, &args, sort)
        }
    }
}

/// The product of two lists in order.
fn merge(pool: &TermPool, left: &Factors, right: &Factors) -> Factors {
    let mut product = Factors::new();
    let (mut i, mut j) = (0, 0);
    while i < left.len() || j < right.len() {
        let take_left = match (left.get(i), right.get(j)) {
            (Some((a, _)), Some((b, _))) => a == b || pool.fingerprint(*a) < pool.fingerprint(*b),
            (left, _) => left.is_some(),
        };
        let (base, exponent) = if take_left {
            i += 1;
            left[i - 1]
        } else {
            j += 1;
            right[j - 1]
        };
        push_power(pool, &mut product, base, exponent);
    }
    product
}

/// Multiplies by a power of the last base or of one that comes after it.
fn push_power(pool: &TermPool, product: &mut Factors, base: Term, exponent: i32) {
    // At most two entries of one base stand at the end.
    let mut positive = exponent.max(0);
    let mut negative = (-exponent).max(0);
    while let Some(&(last, power)) = product.last() {
        if last != base {
            break;
        }
        product.pop();
        positive = positive.saturating_add(power.max(0));
        negative = negative.saturating_add((-power).max(0));
    }
    let net = positive - negative;
    if net != 0 {
        product.push((base, net));
    } else if pool.division() == Division::Total {
        product.push((base, 1));
        product.push((base, -1));
    }
}

/// The product of two monics.
pub(super) fn multiply_monics(pool: &TermPool, a: Term, b: Term) -> Term {
    if pool.is_constant(a) {
        return b;
    }
    if pool.is_constant(b) {
        return a;
    }
    let product = merge(pool, &factors(pool, a), &factors(pool, b));
    from_factors(pool, pool.sort(a), &product)
}

/// A monomial as coefficient and factors; a sum that becomes a factor gives its common factors away first.
fn parts(pool: &TermPool, term: Term) -> (Rational, Factors) {
    let (coefficient, monic) = split(pool, term);
    if pool.op(monic) == Op::Add {
        let (common, rest) = common_factors(pool, &Polynomial::of(pool, monic));
        if !common.is_empty() {
            let (inner, rest) = split(pool, rest.into_term(pool));
            let list = merge(pool, &common, &factors(pool, rest));
            return (&coefficient * &inner, list);
        }
    }
    (coefficient, factors(pool, monic))
}

/// Primitive powers that divide every monomial, and the quotient. Only positive powers are taken out under total
/// division, where `x * x^-1` is not 1.
pub(super) fn common_factors(pool: &TermPool, polynomial: &Polynomial) -> (Factors, Polynomial) {
    let mut lists = polynomial.monomials.iter().map(|(monic, _)| factors(pool, *monic));
    let Some(mut common) = lists.next() else { return (Factors::new(), polynomial.clone()) };
    let is_single = |list: &Factors, base: Term| list.iter().filter(|(other, _)| *other == base).count() == 1;
    let whole = common.clone();
    common.retain(|(base, _)| is_single(&whole, *base));
    for list in lists {
        if common.is_empty() {
            break;
        }
        common.retain(|(base, exponent)| {
            let found = list.iter().find(|(other, _)| other == base);
            match found {
                Some((_, power)) if is_single(&list, *base) && (*power > 0) == (*exponent > 0) => {
                    *exponent = if *power > 0 { (*exponent).min(*power) } else { (*exponent).max(*power) };
                    true
                }
                _ => false,
            }
        });
    }
    if common.is_empty() || polynomial.monomials.len() < 2 {
        return (Factors::new(), polynomial.clone());
    }
    let divide = |monic: Term| {
        let mut list = factors(pool, monic);
        for (base, exponent) in &mut list {
            if let Some((_, power)) = common.iter().find(|(other, _)| other == base) {
                *exponent -= power;
            }
        }
        list.retain(|(_, exponent)| *exponent != 0);
        from_factors(pool, polynomial.sort, &list)
    };
    let mut map = rustc_hash::FxHashMap::default();
    for (monic, coefficient) in &polynomial.monomials {
        *map.entry(divide(*monic)).or_insert(Rational::ZERO) += coefficient;
    }
    (common, Polynomial::from_map(pool, polynomial.sort, map))
}

pub(super) fn multiply(pool: &TermPool, args: &[Term]) -> Term {
    let sort = pool.sort(args[0]);
    let mut coefficient = Rational::ONE;
    let mut product = Factors::new();
    for &arg in args {
        let (factor, list) = parts(pool, arg);
        coefficient *= &factor;
        product = if product.len() + list.len() <= FACTORS {
            merge(pool, &product, &list)
        } else {
            // The longer product stays one primitive.
            let (long, short) = if product.len() >= list.len() { (product, list) } else { (list, product) };
            let opaque: Factors = [(from_factors(pool, sort, &long), 1)].into_iter().collect();
            merge(pool, &opaque, &short)
        };
    }
    if coefficient.is_zero() {
        return pool.number(Rational::ZERO, sort);
    }
    finish(pool, sort, coefficient, &product)
}

/// A coefficient times factors as a term; a single sum is a sum, not a product.
fn finish(pool: &TermPool, sort: Sort, coefficient: Rational, product: &Factors) -> Term {
    monomial(pool, &coefficient, from_factors(pool, sort, product))
}

pub(super) fn power(pool: &TermPool, base: Term, exponent: i32) -> Term {
    let sort = pool.sort(base);
    let (coefficient, mut list) = parts(pool, base);
    let magnitude = crate::eval::arith::power_limited(&coefficient, exponent.unsigned_abs());
    let scaled = list.iter().try_for_each(|(_, power)| power.checked_mul(exponent).map(|_| ()));
    let (Some(magnitude), Some(())) = (magnitude, scaled) else {
        return pool.intern(Op::Power, Payload::Exponent(exponent), &[base], sort);
    };
    let coefficient = if exponent < 0 { magnitude.recip().unwrap_or_default() } else { magnitude };
    for (_, power) in &mut list {
        *power *= exponent;
    }
    // `p * p^-1` to a negative power is `p^-1 * p`: the order of the pair is restored.
    for place in 1..list.len() {
        if list[place - 1].0 == list[place].0 && list[place - 1].1 < 0 {
            list.swap(place - 1, place);
        }
    }
    let mut reduced = Factors::new();
    for &(base, power) in &list {
        push_power(pool, &mut reduced, base, power);
    }
    finish(pool, sort, coefficient, &reduced)
}

pub(super) fn divide(pool: &TermPool, dividend: Term, divisor: Term) -> Term {
    multiply(pool, &[dividend, power(pool, divisor, -1)])
}
