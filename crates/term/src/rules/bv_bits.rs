//! Rules for bitwise operators, `concat` and `extract`: words as rows of parts.
//!
//! `zero_extend`, shifts by constants and masks of one run of ones become `concat` of `extract`s and zeros, so that
//! bytes that are taken apart and put together again meet as the word they came from.

use super::rules;
use crate::bitvector::BitVector;
use crate::build::Application;
use crate::op::Op;
use crate::pool::{Payload, Term, TermPool};
use smallvec::SmallVec;

/// The longest row that flattening makes.
const FLAT: usize = 64;

type Row = SmallVec<[Term; 8]>;

rules! {
    bv_not_not: BvNot, "(bvnot (bvnot a))" => "a",
        |pool, it| (pool.op(it.args[0]) == Op::BvNot).then(|| pool.arg(it.args[0], 0));
    bv_and_many: BvAnd, "(bvand a b c)" => "(bvand (bvand a b) c)", many;
    bv_or_many: BvOr, "(bvor a b c)" => "(bvor (bvor a b) c)", many;
    bv_xor_many: BvXor, "(bvxor a b c)" => "(bvxor (bvxor a b) c)", many;
    bv_and_same: BvAnd, "(bvand a a)" => "a", |_, it| same(it);
    bv_or_same: BvOr, "(bvor a a)" => "a", |_, it| same(it);
    bv_xor_same: BvXor, "(bvxor a a)" => "0", |pool, it| same(it).map(|a| pool.bv(pool.width(a), 0));
    bv_and_zero: BvAnd, "(bvand a 0)" => "0",
        |pool, it| with_constant(pool, it).filter(|(_, value)| value.is_zero()).map(|(_, value)| pool.bv_value(value.clone()));
    bv_and_ones: BvAnd, "(bvand a -1)" => "a",
        |pool, it| with_constant(pool, it).filter(|(_, value)| value.is_all_ones()).map(|(a, _)| a);
    bv_or_zero: BvOr, "(bvor a 0)" => "a",
        |pool, it| with_constant(pool, it).filter(|(_, value)| value.is_zero()).map(|(a, _)| a);
    bv_or_ones: BvOr, "(bvor a -1)" => "-1",
        |pool, it| with_constant(pool, it).filter(|(_, value)| value.is_all_ones()).map(|(_, value)| pool.bv_value(value.clone()));
    bv_xor_zero: BvXor, "(bvxor a 0)" => "a",
        |pool, it| with_constant(pool, it).filter(|(_, value)| value.is_zero()).map(|(a, _)| a);
    bv_xor_ones: BvXor, "(bvxor a -1)" => "(bvnot a)",
        |pool, it| with_constant(pool, it).filter(|(_, value)| value.is_all_ones()).map(|(a, _)| pool.bv_not(a));
    bv_xor_not: BvXor, "(bvxor (bvnot a) b)" => "(bvnot (bvxor a b))", |pool, it| {
        let place = it.args.iter().position(|&arg| pool.op(arg) == Op::BvNot)?;
        Some(pool.bv_not(pool.bv_xor(pool.arg(it.args[place], 0), it.args[1 - place])))
    };
    bv_and_complement: BvAnd, "(bvand a (bvnot a))" => "0",
        |pool, it| complements(pool, it).then(|| pool.bv(pool.width(it.args[0]), 0));
    bv_or_complement: BvOr, "(bvor a (bvnot a))" => "-1",
        |pool, it| complements(pool, it).then(|| pool.bv_value(BitVector::all_ones(pool.width(it.args[0]))));
    bv_and_nested_constant: BvAnd, "(bvand 3 (bvand 5 a))" => "(bvand 1 a)", |pool, it| nested_constant(pool, it, BitVector::and);
    bv_or_nested_constant: BvOr, "(bvor 3 (bvor 5 a))" => "(bvor 7 a)", |pool, it| nested_constant(pool, it, BitVector::or);
    bv_xor_nested_constant: BvXor, "(bvxor 3 (bvxor 5 a))" => "(bvxor 6 a)", |pool, it| nested_constant(pool, it, BitVector::xor);
    bv_and_absorb: BvAnd, "(bvand a (bvand a b))" => "(bvand a b)", absorb_same;
    bv_or_absorb: BvOr, "(bvor a (bvor a b))" => "(bvor a b)", absorb_same;
    bv_xor_cancel: BvXor, "(bvxor a (bvxor a b))" => "b", |pool, it| {
        let (outer, inner) = nested(pool, it)?;
        let args = pool.args(inner);
        let place = args.iter().position(|&arg| arg == outer)?;
        (args.len() == 2).then(|| args[1 - place])
    };
    bv_and_mask: BvAnd, "(bvand a #x0ff0)" => "(concat 0 ((_ extract 11 4) a) 0)", |pool, it| {
        let (a, mask) = with_constant(pool, it)?;
        let (low, high) = (mask.trailing_zeros(), mask.width() - mask.leading_zeros());
        if mask.is_zero() || mask.count_ones() != u64::from(high - low) {
            return None;
        }
        let zeros = |width| (width > 0).then(|| pool.bv(width, 0));
        let parts: Row = [zeros(mask.width() - high), Some(pool.extract(high - 1, low, a)), zeros(low)].into_iter().flatten().collect();
        Some(concat(pool, &parts))
    };
    /// `|` (and `^`, `+`) of words whose parts that may be set do not overlap.
    bv_or_rows: BvOr, "(bvor (concat 0 a) (concat b 0))" => "(concat b a)", join_rows;
    bv_xor_rows: BvXor, "(bvxor (concat 0 a) (concat b 0))" => "(concat b a)", join_rows;
    concat_flatten: Concat, "(concat a (concat b c))" => "(concat a b c)", |pool, it| {
        let is_nested = |&arg: &Term| pool.op(arg) == Op::Concat;
        if !it.args.iter().any(is_nested) {
            return None;
        }
        let total: usize = it.args.iter().map(|arg| if is_nested(arg) { pool.args(*arg).len() } else { 1 }).sum();
        if total > FLAT {
            return None;
        }
        let flat: Row = it.args.iter().flat_map(|arg| if is_nested(arg) { pool.args(*arg) } else { std::slice::from_ref(arg) }).copied().collect();
        Some(concat(pool, &flat))
    };
    concat_constants: Concat, "(concat #x0 #x1 a)" => "(concat #x01 a)",
        |pool, it| merge_neighbours(pool, it, |a, b| Some(pool.bv_value(pool.bv_constant(a)?.concat(pool.bv_constant(b)?))));
    concat_extracts: Concat, "(concat ((_ extract 7 4) a) ((_ extract 3 0) a))" => "((_ extract 7 0) a)",
        |pool, it| merge_neighbours(pool, it, |a, b| {
            let ((high, middle), (below, low)) = (pool.indices(a), pool.indices(b));
            let both = pool.op(a) == Op::Extract && pool.op(b) == Op::Extract && pool.arg(a, 0) == pool.arg(b, 0);
            (both && middle == below + 1).then(|| pool.extract(high, low, pool.arg(a, 0)))
        });
    extract_all: Extract, "((_ extract w-1 0) a)" => "a",
        |pool, it| (bounds(it) == (pool.width(it.args[0]) - 1, 0)).then(|| it.args[0]);
    extract_extract: Extract, "((_ extract i j) ((_ extract k l) a))" => "((_ extract i+l j+l) a)", |pool, it| {
        let [inner] = *args_of(pool, it.args[0], Op::Extract)? else { return None };
        let ((high, low), (_, base)) = (bounds(it), pool.indices(it.args[0]));
        Some(pool.extract(high + base, low + base, inner))
    };
    extract_concat: Extract, "((_ extract i j) (concat a b))" => "the parts within i and j", |pool, it| {
        let row = args_of(pool, it.args[0], Op::Concat)?;
        let (high, low) = bounds(it);
        let mut parts = Row::new();
        let mut top = pool.width(it.args[0]);
        for &part in row {
            let base = top - pool.width(part);
            if base <= high && low < top {
                parts.push(pool.extract(high.min(top - 1) - base, low.max(base) - base, part));
            }
            top = base;
        }
        Some(concat(pool, &parts))
    };
    extract_sign_extend: Extract, "((_ extract i j) ((_ sign_extend k) a))" => "within a, or of its sign", |pool, it| {
        let [inner] = *args_of(pool, it.args[0], Op::SignExtend)? else { return None };
        let ((high, low), width) = (bounds(it), pool.width(inner));
        if high < width {
            return Some(pool.extract(high, low, inner));
        }
        let low = low.min(width - 1);
        let (_, asked) = bounds(it);
        Some(pool.sign_extend(high - asked - (width - 1 - low), pool.extract(width - 1, low, inner)))
    };
    extract_shifted: Extract, "((_ extract i j) (bvmul 2^k a))" => "of a moved by k, zeros below", |pool, it| {
        let (a, by) = shifted(pool, it.args[0])?;
        let (high, low) = bounds(it);
        let width = high - low + 1;
        if high < by {
            return Some(pool.bv(width, 0));
        }
        if low >= by {
            return Some(pool.extract(high - by, low - by, a));
        }
        Some(pool.concat(pool.extract(high - by, 0, a), pool.bv(by - low, 0)))
    };
    extract_not: Extract, "((_ extract i j) (bvnot a))" => "(bvnot ((_ extract i j) a))", |pool, it| {
        let [inner] = *args_of(pool, it.args[0], Op::BvNot)? else { return None };
        let (high, low) = bounds(it);
        Some(pool.bv_not(pool.extract(high, low, inner)))
    };
    extract_bitwise_constant: Extract, "((_ extract i j) (bvand a 5))" => "(bvand ((_ extract i j) a) ((_ extract i j) 5))", |pool, it| {
        let inner = it.args[0];
        let op = pool.op(inner);
        if !matches!(op, Op::BvAnd | Op::BvOr | Op::BvXor) || !pool.args(inner).iter().any(|&arg| pool.is_constant(arg)) {
            return None;
        }
        let (high, low) = bounds(it);
        let parts: Row = pool.args(inner).iter().map(|&arg| pool.extract(high, low, arg)).collect();
        Some(pool.well_sorted(op, (0, 0), &parts))
    };
    /// The low bits of a sum or product depend on low bits only; worth it where the parts are extensions or constants.
    extract_low_arithmetic: Extract, "((_ extract i 0) (bvadd (concat 0 a) (concat 0 b)))" => "(bvadd a b) at that width", |pool, it| {
        let inner = it.args[0];
        let op = pool.op(inner);
        let (high, low) = bounds(it);
        let shrinks = |&arg: &Term| {
            let factors = if pool.op(arg) == Op::BvMul { pool.args(arg) } else { std::slice::from_ref(&arg) };
            factors.iter().all(|&factor| {
                matches!(pool.op(factor), Op::Const) || is_extension(pool, factor, high + 1)
            })
        };
        if low != 0 || !matches!(op, Op::BvAdd | Op::BvMul) || !pool.args(inner).iter().all(shrinks) {
            return None;
        }
        let parts: Row = pool.args(inner).iter().map(|&arg| low_bits(pool, high, arg)).collect();
        Some(pool.well_sorted(op, (0, 0), &parts))
    };
    sign_extend_none: SignExtend, "((_ sign_extend 0) a)" => "a", |_, it| (bounds(it).0 == 0).then(|| it.args[0]);
    sign_extend_sign_extend: SignExtend, "((_ sign_extend i) ((_ sign_extend j) a))" => "((_ sign_extend i+j) a)", |pool, it| {
        let [inner] = *args_of(pool, it.args[0], Op::SignExtend)? else { return None };
        Some(pool.sign_extend(bounds(it).0 + pool.indices(it.args[0]).0, inner))
    };
    sign_extend_positive: SignExtend, "((_ sign_extend i) (concat #b0 a))" => "(concat 0 #b0 a)", |pool, it| {
        let row = args_of(pool, it.args[0], Op::Concat)?;
        let top = pool.bv_constant(row[0])?;
        let mut parts: Row = row.into();
        parts[0] = pool.bv_value(top.sign_extend(bounds(it).0));
        Some(concat(pool, &parts))
    };
}

fn bounds(it: &Application<'_>) -> (u32, u32) {
    if let Payload::Indices(high, low) = it.payload { (*high, *low) } else { (0, 0) }
}

fn args_of(pool: &TermPool, term: Term, op: Op) -> Option<&[Term]> {
    (pool.op(term) == op).then(|| pool.args(term))
}

fn same(it: &Application<'_>) -> Option<Term> {
    match *it.args {
        [a, b] if a == b => Some(a),
        _ => None,
    }
}

fn many(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    let (&first, rest) = it.args.split_first()?;
    (rest.len() > 1).then(|| rest.iter().fold(first, |left, &arg| pool.well_sorted(it.op, (0, 0), &[left, arg])))
}

/// The other argument and the constant.
fn with_constant<'a>(pool: &'a TermPool, it: &Application<'_>) -> Option<(Term, &'a BitVector)> {
    let [a, b] = *it.args else { return None };
    if let Some(value) = pool.bv_constant(b) { Some((a, value)) } else { Some((b, pool.bv_constant(a)?)) }
}

fn complements(pool: &TermPool, it: &Application<'_>) -> bool {
    let [a, b] = *it.args else { return false };
    (pool.op(a) == Op::BvNot && pool.arg(a, 0) == b) || (pool.op(b) == Op::BvNot && pool.arg(b, 0) == a)
}

/// An argument, and the other one that has the same operator.
fn nested(pool: &TermPool, it: &Application<'_>) -> Option<(Term, Term)> {
    let [a, b] = *it.args else { return None };
    if pool.op(b) == it.op && pool.args(b).contains(&a) {
        Some((a, b))
    } else if pool.op(a) == it.op && pool.args(a).contains(&b) {
        Some((b, a))
    } else {
        None
    }
}

fn absorb_same(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    nested(pool, it).map(|(_, inner)| inner)
}

fn nested_constant(
    pool: &TermPool,
    it: &Application<'_>,
    combine: fn(&BitVector, &BitVector) -> BitVector,
) -> Option<Term> {
    let (inner, outer_value) = with_constant(pool, it)?;
    let [a, b] = *args_of(pool, inner, it.op)? else { return None };
    let (rest, value) = match pool.bv_constant(a) {
        Some(value) => (b, value),
        None => (a, pool.bv_constant(b)?),
    };
    Some(pool.well_sorted(it.op, (0, 0), &[rest, pool.bv_value(combine(value, outer_value))]))
}

/// `concat` of one or more parts.
pub(super) fn concat(pool: &TermPool, parts: &[Term]) -> Term {
    if let [one] = *parts { one } else { pool.well_sorted(Op::Concat, (0, 0), parts) }
}

fn merge_neighbours(pool: &TermPool, it: &Application<'_>, merge: impl Fn(Term, Term) -> Option<Term>) -> Option<Term> {
    let mut parts = Row::new();
    for &arg in it.args {
        match parts.last().and_then(|&last| merge(last, arg)) {
            Some(merged) => {
                parts.pop();
                parts.push(merged);
            }
            None => parts.push(arg),
        }
    }
    (parts.len() < it.args.len()).then(|| concat(pool, &parts))
}

/// Whether bits `from` and above are zero or copies of the sign.
fn is_extension(pool: &TermPool, term: Term, from: u32) -> bool {
    match pool.op(term) {
        Op::SignExtend => pool.width(pool.arg(term, 0)) <= from,
        Op::Concat => {
            let top = pool.arg(term, 0);
            pool.bv_constant(top).is_some_and(BitVector::is_zero) && pool.width(term) - pool.width(top) <= from
        }
        _ => false,
    }
}

/// Bits `high` down to 0 of a factor, a product of such, or a constant.
fn low_bits(pool: &TermPool, high: u32, term: Term) -> Term {
    if pool.op(term) == Op::BvMul {
        let factors: Row = pool.args(term).iter().map(|&factor| pool.extract(high, 0, factor)).collect();
        return pool.well_sorted(Op::BvMul, (0, 0), &factors);
    }
    pool.extract(high, 0, term)
}

/// `2^by * a` as `a` and `by`.
fn shifted(pool: &TermPool, term: Term) -> Option<(Term, u32)> {
    let [coefficient, a] = *args_of(pool, term, Op::BvMul)? else { return None };
    Some((a, pool.bv_constant(coefficient)?.power_of_two()?))
}

/// A word as parts from the top.
fn row_of(pool: &TermPool, term: Term) -> Row {
    let word = match shifted(pool, term) {
        Some((a, by)) => pool.concat(pool.extract(pool.width(a) - 1 - by, 0, a), pool.bv(by, 0)),
        None => term,
    };
    if pool.op(word) == Op::Concat { pool.args(word).into() } else { [word].into_iter().collect() }
}

/// Joins two rows whose parts line up at the cuts and are zero on one side.
fn join_rows(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    let [a, b] = *it.args else { return None };
    let has_row = |term: Term| pool.op(term) == Op::Concat || shifted(pool, term).is_some();
    if !has_row(a) && !has_row(b) {
        return None;
    }
    let row = |term: Term| row_of(pool, term);
    let is_zero = |term: Term| pool.bv_constant(term).is_some_and(BitVector::is_zero);
    let (mut left, mut right) = (row(a), row(b));
    left.reverse();
    right.reverse();
    let mut joined = Row::new();
    while let (Some(x), Some(y)) = (left.pop(), right.pop()) {
        let (wide_x, wide_y) = (pool.width(x), pool.width(y));
        // A zero part gives way to the other side's and may be cut; others must line up.
        let part = if is_zero(x) && wide_x >= wide_y {
            if wide_x > wide_y {
                left.push(pool.bv(wide_x - wide_y, 0));
            }
            y
        } else if is_zero(y) && wide_y >= wide_x {
            if wide_y > wide_x {
                right.push(pool.bv(wide_y - wide_x, 0));
            }
            x
        } else {
            return None;
        };
        joined.push(part);
    }
    Some(concat(pool, &joined))
}
