//! Rules for shifts, division and remainder by constants.

use super::bv_define::zero_extend;
use super::rules;
use crate::bitvector::BitVector;
use crate::build::Application;
use crate::op::Op;
use crate::pool::{Term, TermPool};

rules! {
    shl_zero: BvShl, "(bvshl 0 a)" => "0", |pool, it| zero_left(pool, it);
    lshr_zero: BvLshr, "(bvlshr 0 a)" => "0", |pool, it| zero_left(pool, it);
    ashr_zero: BvAshr, "(bvashr 0 a)" => "0", |pool, it| zero_left(pool, it);
    ashr_ones: BvAshr, "(bvashr -1 a)" => "-1",
        |pool, it| pool.bv_constant(it.args[0])?.is_all_ones().then(|| it.args[0]);
    shl_none: BvShl, "(bvshl a 0)" => "a", |pool, it| by_none(pool, it);
    lshr_none: BvLshr, "(bvlshr a 0)" => "a", |pool, it| by_none(pool, it);
    ashr_none: BvAshr, "(bvashr a 0)" => "a", |pool, it| by_none(pool, it);
    shl_out: BvShl, "(bvshl a w)" => "0", |pool, it| amount(pool, it)?.is_none().then(|| pool.bv(pool.width(it.args[0]), 0));
    lshr_out: BvLshr, "(bvlshr a w)" => "0", |pool, it| amount(pool, it)?.is_none().then(|| pool.bv(pool.width(it.args[0]), 0));
    ashr_out: BvAshr, "(bvashr a w)" => "w copies of the sign", |pool, it| {
        let width = pool.width(it.args[0]);
        amount(pool, it)?.is_none().then(|| pool.sign_extend(width - 1, pool.extract(width - 1, width - 1, it.args[0])))
    };
    shl_constant: BvShl, "(bvshl a 3)" => "(bvmul 8 a)", |pool, it| {
        let by = amount(pool, it)??;
        let width = pool.width(it.args[0]);
        Some(pool.bv_mul(pool.bv_value(BitVector::one(width).shl_by(by)), it.args[0]))
    };
    lshr_constant: BvLshr, "(bvlshr a 3)" => "(concat 0 ((_ extract w-1 3) a))", |pool, it| {
        let by = amount(pool, it)??;
        Some(zero_extend(pool, by, pool.extract(pool.width(it.args[0]) - 1, by, it.args[0])))
    };
    ashr_constant: BvAshr, "(bvashr a 3)" => "((_ sign_extend 3) ((_ extract w-1 3) a))", |pool, it| {
        let by = amount(pool, it)??;
        Some(pool.sign_extend(by, pool.extract(pool.width(it.args[0]) - 1, by, it.args[0])))
    };
    udiv_one: BvUdiv, "(bvudiv a 1)" => "a", |pool, it| divisor(pool, it, BitVector::is_one);
    sdiv_one: BvSdiv, "(bvsdiv a 1)" => "a", |pool, it| divisor(pool, it, |value| value.is_one() && value.width() > 1);
    udiv_by_zero: BvUdiv, "(bvudiv a 0)" => "-1",
        |pool, it| divisor(pool, it, BitVector::is_zero).map(|a| pool.bv_value(BitVector::all_ones(pool.width(a))));
    urem_by_zero: BvUrem, "(bvurem a 0)" => "a", |pool, it| divisor(pool, it, BitVector::is_zero);
    srem_by_zero: BvSrem, "(bvsrem a 0)" => "a", |pool, it| divisor(pool, it, BitVector::is_zero);
    smod_by_zero: BvSmod, "(bvsmod a 0)" => "a", |pool, it| divisor(pool, it, BitVector::is_zero);
    urem_one: BvUrem, "(bvurem a 1)" => "0", |pool, it| divisor(pool, it, BitVector::is_one).map(|a| pool.bv(pool.width(a), 0));
    srem_one: BvSrem, "(bvsrem a 1)" => "0", |pool, it| divisor(pool, it, unit).map(|a| pool.bv(pool.width(a), 0));
    smod_one: BvSmod, "(bvsmod a 1)" => "0", |pool, it| divisor(pool, it, unit).map(|a| pool.bv(pool.width(a), 0));
    udiv_power: BvUdiv, "(bvudiv a 8)" => "(bvlshr a 3)", |pool, it| {
        let by = pool.bv_constant(it.args[1])?.power_of_two()?;
        Some(pool.bv_lshr(it.args[0], pool.bv(pool.width(it.args[0]), by.into())))
    };
    urem_power: BvUrem, "(bvurem a 8)" => "(concat 0 ((_ extract 2 0) a))", |pool, it| {
        let by = pool.bv_constant(it.args[1])?.power_of_two()?;
        let width = pool.width(it.args[0]);
        (by > 0).then(|| zero_extend(pool, width - by, pool.extract(by - 1, 0, it.args[0])))
    };
    urem_same: BvUrem, "(bvurem a a)" => "0", |pool, it| (it.args[0] == it.args[1]).then(|| pool.bv(pool.width(it.args[0]), 0));
    srem_same: BvSrem, "(bvsrem a a)" => "0", |pool, it| (it.args[0] == it.args[1]).then(|| pool.bv(pool.width(it.args[0]), 0));
    smod_same: BvSmod, "(bvsmod a a)" => "0", |pool, it| (it.args[0] == it.args[1]).then(|| pool.bv(pool.width(it.args[0]), 0));
    /// Division of numbers that both have zeros on top is done in the narrower width.
    udiv_narrow: BvUdiv, "(bvudiv (concat 0 a) (concat 0 b))" => "(concat 0 (bvudiv a b)), all ones for divisor 0", narrow;
    urem_narrow: BvUrem, "(bvurem (concat 0 a) (concat 0 b))" => "(concat 0 (bvurem a b))", narrow;
    int_to_bv_of_ubv: IntToBv, "((_ int_to_bv i) (ubv_to_int a))" => "a cut or extended with zeros to i bits", |pool, it| {
        let inner = it.args[0];
        if pool.op(inner) != Op::UbvToInt {
            return None;
        }
        let (a, width) = (pool.arg(inner, 0), it.sort.width()?);
        let from = pool.width(a);
        Some(if width <= from { pool.extract(width - 1, 0, a) } else { zero_extend(pool, width - from, a) })
    };
}

/// 1 or -1.
fn unit(value: &BitVector) -> bool {
    value.is_one() || value.is_all_ones()
}

fn zero_left(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    pool.bv_constant(it.args[0])?.is_zero().then(|| it.args[0])
}

fn by_none(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    pool.bv_constant(it.args[1])?.is_zero().then(|| it.args[0])
}

/// A constant shift: `Some(None)` when it shifts everything out.
fn amount(pool: &TermPool, it: &Application<'_>) -> Option<Option<u32>> {
    let value = pool.bv_constant(it.args[1])?;
    Some(value.to_u32().filter(|&by| by < value.width()))
}

/// The dividend when the divisor is a constant with the property.
fn divisor(pool: &TermPool, it: &Application<'_>, is: fn(&BitVector) -> bool) -> Option<Term> {
    is(pool.bv_constant(it.args[1])?).then(|| it.args[0])
}

fn zeros_on_top(pool: &TermPool, term: Term) -> u32 {
    match pool.bv_constant(term) {
        Some(value) => value.leading_zeros(),
        None if pool.op(term) == Op::Concat => {
            let top = pool.arg(term, 0);
            pool.bv_constant(top).map_or(0, |value| if value.is_zero() { value.width() } else { value.leading_zeros() })
        }
        None => 0,
    }
}

fn narrow(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    let width = pool.width(it.args[0]);
    let spare = zeros_on_top(pool, it.args[0]).min(zeros_on_top(pool, it.args[1])).min(width - 1);
    // Division by zero gives all ones, which depends on the width; only a divisor that is a constant is known not to be.
    let known = it.op == Op::BvUrem || pool.bv_constant(it.args[1]).is_some_and(|value| !value.is_zero());
    if spare == 0 || !known {
        return None;
    }
    let cut = |term| pool.extract(width - spare - 1, 0, term);
    let result = pool.well_sorted(it.op, (0, 0), &[cut(it.args[0]), cut(it.args[1])]);
    Some(zero_extend(pool, spare, result))
}
