//! The linear normal form of bit-vectors modulo 2^width.
//!
//! A sum is a constant plus monomials `c * m` with different `m`, in the order of their fingerprints, constant first; `m`
//! is a term or a product of terms. `a - b` is `a + (-1) * b` and, within a sum, `bvnot a` is `-1 - a`. Sums of sums are
//! merged while the result has at most [`PARTS`] monomials: beyond that the larger part stays one opaque term, so that a
//! long chain of additions does not copy itself at each step.

use super::rules;
use crate::bitvector::BitVector;
use crate::build::Application;
use crate::op::Op;
use crate::pool::{Payload, Term, TermPool};
use crate::sort::Sort;
use smallvec::SmallVec;

/// The most monomials of a merged sum.
const PARTS: usize = 12;
/// The most factors of a merged product.
const FACTORS: usize = 8;

rules! {
    bv_add_linear: BvAdd, "(bvadd a b)" => "the sum of their linear forms", add;
    bv_mul_linear: BvMul, "(bvmul a b)" => "constant times product of factors in order; a constant times a sum distributed", mul;
}

/// A constant plus coefficients of different terms.
#[derive(Clone)]
pub(super) struct Linear {
    constant: BitVector,
    parts: SmallVec<[(Term, BitVector); 8]>,
}

impl Linear {
    fn zero(width: u32) -> Self {
        Self { constant: BitVector::zero(width), parts: SmallVec::new() }
    }

    fn opaque(term: Term, width: u32) -> Self {
        Self { constant: BitVector::zero(width), parts: [(term, BitVector::one(width))].into_iter().collect() }
    }

    /// The form of a term, one level of sums and negations deep.
    fn of(pool: &TermPool, term: Term) -> Self {
        let width = pool.width(term);
        let mut form = Self::zero(width);
        match pool.op(term) {
            Op::BvAdd => pool.args(term).iter().for_each(|&arg| form.add_monomial(pool, arg)),
            Op::BvNot => {
                let inner = pool.arg(term, 0);
                if pool.op(inner) == Op::BvAdd {
                    pool.args(inner).iter().for_each(|&arg| form.add_monomial(pool, arg));
                } else {
                    form.add_monomial(pool, inner);
                }
                form.constant = form.constant.add(&BitVector::one(width));
                form.scale(&BitVector::all_ones(width));
            }
            _ => form.add_monomial(pool, term),
        }
        form
    }

    fn add_monomial(&mut self, pool: &TermPool, term: Term) {
        if let Some(value) = pool.bv_constant(term) {
            self.constant = self.constant.add(value);
            return;
        }
        if pool.op(term) == Op::BvMul
            && let Some(coefficient) = pool.bv_constant(pool.arg(term, 0))
        {
            self.add_part(pool.arg(term, 1), coefficient);
            return;
        }
        self.add_part(term, &BitVector::one(pool.width(term)));
    }

    fn add_part(&mut self, term: Term, coefficient: &BitVector) {
        match self.parts.iter().position(|(other, _)| *other == term) {
            Some(place) => {
                let sum = self.parts[place].1.add(coefficient);
                if sum.is_zero() {
                    self.parts.remove(place);
                } else {
                    self.parts[place].1 = sum;
                }
            }
            None if !coefficient.is_zero() => self.parts.push((term, coefficient.clone())),
            None => {}
        }
    }

    fn add(&mut self, other: &Self) {
        self.constant = self.constant.add(&other.constant);
        for (term, coefficient) in &other.parts {
            self.add_part(*term, coefficient);
        }
    }

    fn scale(&mut self, by: &BitVector) {
        self.constant = self.constant.mul(by);
        for (_, coefficient) in &mut self.parts {
            *coefficient = coefficient.mul(by);
        }
        self.parts.retain(|(_, coefficient)| !coefficient.is_zero());
    }

    fn into_term(mut self, pool: &TermPool) -> Term {
        let width = self.constant.width();
        self.parts.sort_by_key(|(term, _)| pool.fingerprint(*term));
        let mut args: SmallVec<[Term; 8]> = SmallVec::new();
        if !self.constant.is_zero() || self.parts.is_empty() {
            args.push(pool.bv_value(self.constant));
        }
        args.extend(self.parts.iter().map(|(term, coefficient)| monomial(pool, coefficient, *term)));
        if let [one] = *args {
            return one;
        }
        pool.intern(Op::BvAdd, Payload::None, &args, Sort::bit_vec(width))
    }
}

/// `coefficient * term`, as it is stored.
fn monomial(pool: &TermPool, coefficient: &BitVector, term: Term) -> Term {
    if coefficient.is_one() {
        return term;
    }
    pool.intern(Op::BvMul, Payload::None, &[pool.bv_value(coefficient.clone()), term], pool.sort(term))
}

fn add(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    let width = pool.width(it.args[0]);
    let mut sum = Linear::zero(width);
    for &arg in it.args {
        let form = Linear::of(pool, arg);
        if sum.parts.len() + form.parts.len() <= PARTS {
            sum.add(&form);
        } else if sum.parts.len() >= form.parts.len() {
            let left = std::mem::replace(&mut sum, form).into_term(pool);
            sum.add(&Linear::opaque(left, width));
        } else {
            sum.add(&Linear::opaque(arg, width));
        }
    }
    Some(sum.into_term(pool))
}

fn mul(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    let width = pool.width(it.args[0]);
    let mut coefficient = BitVector::one(width);
    let mut factors: SmallVec<[Term; 8]> = SmallVec::new();
    let mut add_factor = |factor: Term, factors: &mut SmallVec<[Term; 8]>| match pool.bv_constant(factor) {
        Some(value) => coefficient = coefficient.mul(value),
        None => factors.push(factor),
    };
    for &arg in it.args {
        if pool.op(arg) != Op::BvMul || factors.len() + pool.args(arg).len() > FACTORS {
            add_factor(arg, &mut factors);
            continue;
        }
        for &factor in pool.args(arg) {
            // A constant times a product: one level further.
            if pool.op(factor) == Op::BvMul && factors.len() + pool.args(factor).len() <= FACTORS {
                pool.args(factor).iter().for_each(|&inner| add_factor(inner, &mut factors));
            } else {
                add_factor(factor, &mut factors);
            }
        }
    }
    if coefficient.is_zero() || factors.is_empty() {
        return Some(pool.bv_value(coefficient));
    }
    if let [one] = *factors {
        let mut form = Linear::of(pool, one);
        form.scale(&coefficient);
        return Some(form.into_term(pool));
    }
    pool.order(&mut factors);
    let product = pool.intern(Op::BvMul, Payload::None, &factors, Sort::bit_vec(width));
    Some(monomial(pool, &coefficient, product))
}

/// Whether the linear form says more than the term itself.
fn is_linear(pool: &TermPool, term: Term) -> bool {
    match pool.op(term) {
        Op::BvAdd => true,
        Op::BvNot => true,
        Op::BvMul => pool.is_constant(pool.arg(term, 0)),
        _ => false,
    }
}

/// `a = b` as `positive monomials = negated negative monomials - constant`, after common parts are gone.
pub(super) fn cancel_equal(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    let [a, b] = *it.args else { return None };
    if !pool.sort(a).is_bit_vec() || !(is_linear(pool, a) || is_linear(pool, b)) {
        return None;
    }
    let minus_one = BitVector::all_ones(pool.width(a));
    let mut difference = Linear::of(pool, a);
    let mut right = Linear::of(pool, b);
    if difference.parts.len() + right.parts.len() > 2 * PARTS {
        return None;
    }
    right.scale(&minus_one);
    difference.add(&right);
    if difference.parts.is_empty() {
        return Some(pool.bool(difference.constant.is_zero()));
    }
    difference.parts.sort_by_key(|(term, _)| pool.fingerprint(*term));
    // The sign of the whole is free: the first coefficient that has a sign is made positive.
    let is_signed = |value: &BitVector| !value.is_min_signed();
    let flip = match difference.parts.iter().find(|(_, coefficient)| is_signed(coefficient)) {
        Some((_, coefficient)) => coefficient.is_negative(),
        None => difference.constant.is_negative() && is_signed(&difference.constant),
    };
    if flip {
        difference.scale(&minus_one);
    }
    let (mut left, mut right) = (Linear::zero(pool.width(a)), Linear::zero(pool.width(a)));
    right.constant = difference.constant.neg();
    for (term, coefficient) in &difference.parts {
        if coefficient.is_negative() && is_signed(coefficient) {
            right.add_part(*term, &coefficient.neg());
        } else {
            left.add_part(*term, coefficient);
        }
    }
    let (left, right) = (left.into_term(pool), right.into_term(pool));
    let is_unchanged = (left, right) == (a, b) || (left, right) == (b, a);
    (!is_unchanged).then(|| pool.eq(left, right))
}

/// `c * x = k`: for odd `c` a value of `x`; for even `c` false where `k` has fewer low zeros.
pub(super) fn divide_odd(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    let [a, b] = *it.args else { return None };
    let (product, value) = match (pool.bv_constant(a), pool.bv_constant(b)) {
        (Some(value), None) => (b, value),
        (None, Some(value)) => (a, value),
        _ => return None,
    };
    if pool.op(product) != Op::BvMul {
        return None;
    }
    let coefficient = pool.bv_constant(pool.arg(product, 0))?;
    if value.trailing_zeros() < coefficient.trailing_zeros() {
        return Some(pool.false_());
    }
    let inverse = coefficient.odd_inverse()?;
    Some(pool.eq(pool.arg(product, 1), pool.bv_value(value.mul(&inverse))))
}
