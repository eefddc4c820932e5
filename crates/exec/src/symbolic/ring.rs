//! Equality of sums and products of machine integers. What holds for all integers holds modulo every power of two: both
//! sides are read as polynomials over the integers, everything else in them as unknowns, and multiplied out.

use super::terms::SymbolicDomain;
use num_traits::ToPrimitive;
use quod_base::{Id, Rational};
use quod_term::{Op, Sort, Term};
use rustc_hash::FxHashMap;

/// Larger terms are left to the solver.
const MOST_TERMS: usize = 4096;

impl SymbolicDomain {
    /// Both bit-vectors are the same polynomial over the integers; false where that is not seen.
    pub(super) fn is_same_polynomial(&self, a: Term, b: Term) -> bool {
        let pool = &self.pool;
        let is_sum = |term: Term| matches!(pool.op(term), Op::BvAdd | Op::BvMul);
        if !is_sum(a) || !is_sum(b) {
            return false;
        }
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut work = vec![a, b];
        while let Some(&term) = work.last() {
            if done.contains_key(&term) {
                work.pop();
                continue;
            }
            if done.len() > MOST_TERMS {
                return false;
            }
            let args = if matches!(pool.op(term), Op::BvAdd | Op::BvMul | Op::BvNeg) { pool.args(term) } else { &[] };
            let open: Vec<Term> = args.iter().copied().filter(|arg| !done.contains_key(arg)).collect();
            if !open.is_empty() {
                work.extend(open);
                continue;
            }
            let parts: Vec<Term> = args.iter().map(|arg| done[arg]).collect();
            let number = pool.bv_constant(term).and_then(|bits| bits.to_biguint().to_i128());
            let integer = match (pool.op(term), number) {
                (Op::BvAdd, _) => pool.add(&parts),
                (Op::BvMul, _) => pool.mul(&parts),
                (Op::BvNeg, _) => pool.neg(parts[0]),
                (_, Some(number)) => pool.number(Rational::from(num_bigint::BigInt::from(number)), Sort::INT),
                _ => pool.symbol(format!("ring!{}", term.index()).as_str(), Sort::INT),
            };
            done.insert(term, integer);
            work.pop();
        }
        let difference = pool.sub(done[&a], done[&b]);
        pool.expand(difference).is_some_and(|expanded| expanded == pool.int(0))
    }
}
