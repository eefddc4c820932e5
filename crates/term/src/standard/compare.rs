//! Comparisons in standard form: `0 = p`, `0 <= m`, `0 < m`, and negations.

use super::expand::Expander;
use super::modular;
use super::monic::{Factors, common_factors, factors, from_factors, multiply_monics};
use super::polynomial::{Polynomial, split};
use crate::op::Op;
use crate::pool::{Division, Payload, Term, TermPool};
use crate::sort::Sort;
use quod_base::Rational;
use smallvec::SmallVec;

/// Whether a comparison with zero excludes zero.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Bound {
    /// `0 <= m`
    Closed,
    /// `0 < m`
    Open,
}

pub(super) fn equal(pool: &TermPool, a: Term, b: Term) -> Term {
    let difference = difference(pool, a, b);
    let difference = clear_denominators(pool, resolve(pool, difference), 1);
    equals_zero(pool, &difference)
}

pub(super) fn at_most(pool: &TermPool, a: Term, b: Term) -> Term {
    let difference = clear_denominators(pool, resolve(pool, difference(pool, b, a)), 2);
    has_sign(pool, &difference, Bound::Closed)
}

pub(super) fn below(pool: &TermPool, a: Term, b: Term) -> Term {
    let difference = clear_denominators(pool, resolve(pool, difference(pool, b, a)), 2);
    has_sign(pool, &difference, Bound::Open)
}

fn difference(pool: &TermPool, a: Term, b: Term) -> Polynomial {
    Polynomial::of(pool, a).plus(pool, &Rational::MINUS_ONE, &Polynomial::of(pool, b))
}

/// Expands products of sums where the difference looks constant; else leaves it as it is.
fn resolve(pool: &TermPool, difference: Polynomial) -> Polynomial {
    let hides_sum = |monic: Term| factors(pool, monic).iter().any(|(base, _)| pool.op(*base) == Op::Add);
    if !difference.monomials.iter().any(|(monic, _)| hides_sum(*monic)) {
        return difference;
    }
    let values = [1, 2].map(|seed| modular::evaluate(pool, &difference, seed));
    match values {
        [Some(first), Some(second)] if first == second => Expander::new(pool).expand(&difference).unwrap_or(difference),
        _ => difference,
    }
}

/// Under partial division, multiplies a sum by what stands below its monomials, to the given power.
fn clear_denominators(pool: &TermPool, difference: Polynomial, power: i32) -> Polynomial {
    if pool.division() == Division::Total || difference.sort != Sort::REAL || difference.monomials.len() < 2 {
        return difference;
    }
    let mut below: Vec<(Term, i32)> = Vec::new();
    for (monic, _) in &difference.monomials {
        for (base, exponent) in factors(pool, *monic).into_iter().filter(|(_, exponent)| *exponent < 0) {
            match below.iter_mut().find(|(other, _)| *other == base) {
                Some((_, most)) => *most = (*most).max(-exponent),
                None => below.push((base, -exponent)),
            }
        }
    }
    if below.is_empty() {
        return difference;
    }
    below.iter_mut().for_each(|(_, exponent)| *exponent = exponent.saturating_mul(power));
    below.sort_by_key(|(base, _)| pool.fingerprint(*base));
    let factor = from_factors(pool, difference.sort, &below);
    let mut map = rustc_hash::FxHashMap::default();
    for (monic, coefficient) in &difference.monomials {
        *map.entry(multiply_monics(pool, *monic, factor)).or_insert(Rational::ZERO) += coefficient;
    }
    resolve(pool, Polynomial::from_map(pool, difference.sort, map))
}

/// Coefficient and factors of a polynomial; what remains of a sum is one factor.
fn as_product(pool: &TermPool, polynomial: &Polynomial) -> (Rational, Factors) {
    if let [(monic, coefficient)] = polynomial.monomials.as_slice() {
        return (coefficient.clone(), factors(pool, *monic));
    }
    let (mut common, rest) = common_factors(pool, polynomial);
    let (coefficient, monic) = split(pool, rest.into_term(pool));
    common.extend(factors(pool, monic));
    (coefficient, common)
}

fn equals_zero(pool: &TermPool, polynomial: &Polynomial) -> Term {
    if let Some(value) = polynomial.as_constant(pool) {
        return pool.bool(value.is_zero());
    }
    let (_, product) = as_product(pool, polynomial);
    let is_relevant = |exponent: i32| exponent > 0 || pool.division() == Division::Total;
    let bases = product.iter().filter(|(_, exponent)| is_relevant(*exponent)).map(|(base, _)| *base);
    let atoms: SmallVec<[Term; 4]> = bases.map(|base| zero_atom(pool, base)).collect();
    pool.or(&atoms)
}

/// `0 = primitive`.
fn zero_atom(pool: &TermPool, primitive: Term) -> Term {
    let sort = pool.sort(primitive);
    if sort == Sort::INT && pool.op(primitive) == Op::Add {
        let polynomial = Polynomial::of(pool, primitive);
        let divisor = coefficients_divisor(pool, &polynomial);
        let is_multiple = polynomial.constant(pool).checked_div(&divisor).is_some_and(|quotient| quotient.is_integer());
        if !is_multiple {
            return pool.false_();
        }
    }
    let zero = pool.number(Rational::ZERO, sort);
    pool.intern_ordered(Op::Eq, &Payload::None, &[zero, primitive], Sort::BOOL)
}

/// The greatest common divisor of the coefficients without the constant.
fn coefficients_divisor(pool: &TermPool, polynomial: &Polynomial) -> Rational {
    let coefficients = polynomial.monomials.iter().filter(|(monic, _)| !pool.is_constant(*monic));
    let divisor = coefficients.fold(Rational::ZERO, |divisor, (_, coefficient)| divisor.gcd(coefficient));
    if divisor.is_zero() { Rational::ONE } else { divisor }
}

/// `0 <= polynomial` or `0 < polynomial`.
fn has_sign(pool: &TermPool, polynomial: &Polynomial, bound: Bound) -> Term {
    if let Some(value) = polynomial.as_constant(pool) {
        return pool.bool(if bound == Bound::Open { value.is_positive() } else { !value.is_negative() });
    }
    let (coefficient, product) = as_product(pool, polynomial);
    let (mut odd, mut even) = (Factors::new(), SmallVec::<[Term; 4]>::new());
    let mut place = 0;
    while let Some(&(base, _)) = product.get(place) {
        let run = product[place..].iter().take_while(|(other, _)| *other == base);
        let (count, sum) = run.fold((0, 0i64), |(count, sum), (_, exponent)| (count + 1, sum + i64::from(*exponent)));
        if sum % 2 == 0 {
            even.push(base);
        } else {
            odd.push((base, 1));
        }
        place += count;
    }
    let core = if odd.is_empty() {
        pool.bool(coefficient.is_positive())
    } else {
        odd.sort_by_key(|(base, _)| pool.fingerprint(*base));
        let monic = from_factors(pool, polynomial.sort, &odd);
        if coefficient.is_positive() {
            sign_atom(pool, monic, bound)
        } else {
            let opposite = if bound == Bound::Open { Bound::Closed } else { Bound::Open };
            pool.not(sign_atom(pool, monic, opposite))
        }
    };
    let mut parts: SmallVec<[Term; 4]> = even.iter().map(|&base| zero_atom(pool, base)).collect();
    if parts.is_empty() {
        return core;
    }
    match bound {
        Bound::Open => {
            parts.iter_mut().for_each(|part| *part = pool.not(*part));
            parts.push(core);
            pool.and(&parts)
        }
        Bound::Closed => {
            parts.push(core);
            pool.or(&parts)
        }
    }
}

/// `0 <= monic` or `0 < monic`, where no factor has a power.
fn sign_atom(pool: &TermPool, monic: Term, bound: Bound) -> Term {
    let sort = pool.sort(monic);
    let zero = pool.number(Rational::ZERO, sort);
    if sort == Sort::REAL {
        let op = if bound == Bound::Open { Op::Lt } else { Op::Le };
        return pool.intern(op, Payload::None, &[zero, monic], Sort::BOOL);
    }
    let mut polynomial = Polynomial::of(pool, monic);
    let constant = polynomial.constant(pool);
    if !constant.is_zero() {
        polynomial.monomials.pop();
    }
    let constant = if bound == Bound::Open { &constant - &Rational::ONE } else { constant };
    // 0 <= g * s + k over the integers is 0 <= s + floor(k / g).
    let divisor = coefficients_divisor(pool, &polynomial);
    let constant = (&constant / &divisor).floor();
    let is_negative = polynomial.monomials.first().is_some_and(|(_, coefficient)| coefficient.is_negative());
    let inverse = divisor.recip().unwrap_or(Rational::ONE);
    let (factor, constant) = if is_negative { (-inverse, &-constant - &Rational::ONE) } else { (inverse, constant) };
    let mut scaled = polynomial.scaled(&factor);
    if !constant.is_zero() {
        scaled.monomials.push((pool.one(sort), constant));
    }
    let atom = pool.intern(Op::Le, Payload::None, &[zero, scaled.into_term(pool)], Sort::BOOL);
    if is_negative { pool.not(atom) } else { atom }
}
