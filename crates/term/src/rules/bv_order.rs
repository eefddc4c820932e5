//! Rules for `bvult` and `bvslt`.

use super::rules;
use crate::bitvector::BitVector;
use crate::build::Application;
use crate::op::Op;
use crate::pool::{Term, TermPool};

rules! {
    ult_same: BvUlt, "(bvult a a)" => "false", |pool, it| (it.args[0] == it.args[1]).then(|| pool.false_());
    slt_same: BvSlt, "(bvslt a a)" => "false", |pool, it| (it.args[0] == it.args[1]).then(|| pool.false_());
    ult_zero: BvUlt, "(bvult a 0)" => "false", |pool, it| pool.bv_constant(it.args[1])?.is_zero().then(|| pool.false_());
    ult_from_ones: BvUlt, "(bvult -1 a)" => "false", |pool, it| pool.bv_constant(it.args[0])?.is_all_ones().then(|| pool.false_());
    ult_from_zero: BvUlt, "(bvult 0 a)" => "(not (= a 0))",
        |pool, it| pool.bv_constant(it.args[0])?.is_zero().then(|| pool.ne(it.args[0], it.args[1]));
    ult_one: BvUlt, "(bvult a 1)" => "(= a 0)",
        |pool, it| pool.bv_constant(it.args[1])?.is_one().then(|| pool.eq(it.args[0], pool.bv(pool.width(it.args[0]), 0)));
    ult_ones: BvUlt, "(bvult a -1)" => "(not (= a -1))",
        |pool, it| pool.bv_constant(it.args[1])?.is_all_ones().then(|| pool.ne(it.args[0], it.args[1]));
    ult_from_below_ones: BvUlt, "(bvult -2 a)" => "(= a -1)", |pool, it| {
        let value = pool.bv_constant(it.args[0])?;
        let ones = value.add(&BitVector::one(value.width()));
        ones.is_all_ones().then(|| pool.eq(it.args[1], pool.bv_value(ones)))
    };
    slt_least: BvSlt, "(bvslt a min)" => "false", |pool, it| pool.bv_constant(it.args[1])?.is_min_signed().then(|| pool.false_());
    slt_from_greatest: BvSlt, "(bvslt max a)" => "false",
        |pool, it| pool.bv_constant(it.args[0])?.not().is_min_signed().then(|| pool.false_());
    slt_from_least: BvSlt, "(bvslt min a)" => "(not (= a min))",
        |pool, it| pool.bv_constant(it.args[0])?.is_min_signed().then(|| pool.ne(it.args[0], it.args[1]));
    slt_greatest: BvSlt, "(bvslt a max)" => "(not (= a max))",
        |pool, it| pool.bv_constant(it.args[1])?.not().is_min_signed().then(|| pool.ne(it.args[0], it.args[1]));
    ult_not: BvUlt, "(bvult (bvnot a) (bvnot b))" => "(bvult b a)", |pool, it| flip(pool, it).map(|(a, b)| pool.bv_ult(b, a));
    slt_not: BvSlt, "(bvslt (bvnot a) (bvnot b))" => "(bvslt b a)", |pool, it| flip(pool, it).map(|(a, b)| pool.bv_slt(b, a));
    /// Leading parts that are equal decide nothing; leading constants that differ decide all.
    ult_prefix: BvUlt, "(bvult (concat a b) (concat a c))" => "(bvult b c)", |pool, it| {
        let (a, b) = (it.args[0], it.args[1]);
        let (x, y) = (top(pool, a), top(pool, b));
        let width = pool.width(x).min(pool.width(y));
        if width == pool.width(a) || (pool.op(a) != Op::Concat && pool.op(b) != Op::Concat) {
            return None;
        }
        let (x, y) = (head(pool, a, width)?, head(pool, b, width)?);
        let rest = pool.width(a) - width;
        let tail = |term| pool.extract(rest - 1, 0, term);
        if x == y {
            return Some(pool.bv_ult(tail(a), tail(b)));
        }
        Some(pool.bool(pool.bv_constant(x)?.ucmp(pool.bv_constant(y)?).is_lt()))
    };
    slt_positive: BvSlt, "(bvslt (concat #b0 a) (concat #b0 b))" => "(bvult (concat #b0 a) (concat #b0 b))", |pool, it| {
        (sign(pool, it.args[0])? == sign(pool, it.args[1])?).then(|| pool.bv_ult(it.args[0], it.args[1]))
    };
    slt_signs: BvSlt, "(bvslt (concat #b1 a) (concat #b0 b))" => "true", |pool, it| {
        let (left, right) = (sign(pool, it.args[0])?, sign(pool, it.args[1])?);
        (left != right).then(|| pool.bool(left))
    };
    slt_sign_extend: BvSlt, "(bvslt ((_ sign_extend i) a) ((_ sign_extend i) b))" => "(bvslt a b)", |pool, it| {
        let cut = |term: Term| match pool.op(term) {
            Op::SignExtend => Some(pool.width(pool.arg(term, 0))),
            Op::Const => Some(signed_bits(pool.bv_constant(term)?)),
            _ => None,
        };
        let width = cut(it.args[0])?.max(cut(it.args[1])?);
        (width < pool.width(it.args[0]))
            .then(|| pool.bv_slt(pool.extract(width - 1, 0, it.args[0]), pool.extract(width - 1, 0, it.args[1])))
    };
}

fn flip(pool: &TermPool, it: &Application<'_>) -> Option<(Term, Term)> {
    let strip = |arg: Term| match pool.bv_constant(arg) {
        Some(value) => Some(pool.bv_value(value.not())),
        None => (pool.op(arg) == Op::BvNot).then(|| pool.arg(arg, 0)),
    };
    let (a, b) = (it.args[0], it.args[1]);
    (pool.op(a) == Op::BvNot || pool.op(b) == Op::BvNot).then_some(())?;
    Some((strip(a)?, strip(b)?))
}

fn top(pool: &TermPool, term: Term) -> Term {
    if pool.op(term) == Op::Concat { pool.arg(term, 0) } else { term }
}

/// The top `width` bits where they are a part, or a piece of a constant.
fn head(pool: &TermPool, term: Term, width: u32) -> Option<Term> {
    let part = top(pool, term);
    if pool.width(part) == width {
        return Some(part);
    }
    let value = pool.bv_constant(part)?;
    Some(pool.bv_value(value.extract(value.width() - 1, value.width() - width)))
}

/// The sign where it is known.
fn sign(pool: &TermPool, term: Term) -> Option<bool> {
    pool.bv_constant(top(pool, term)).map(BitVector::is_negative)
}

/// The fewest bits that hold the value in two's complement.
fn signed_bits(value: &BitVector) -> u32 {
    let magnitude = if value.is_negative() { value.not() } else { value.clone() };
    (value.width() - magnitude.leading_zeros() + 1).min(value.width())
}
