//! Rules for floats: definitions, and what holds of every value, NaN and zeros included.

use super::rules;
use crate::build::Application;
use crate::op::Op;
use crate::pool::{Term, TermPool};

rules! {
    fp_definition: Fp, "(fp s e m)" => "((_ to_fp eb sb) (concat s e m))", |pool, it| {
        let bits = pool.well_sorted(Op::Concat, (0, 0), it.args);
        Some(pool.fp_from_bits(it.sort, bits))
    };
    fp_sub_definition: FpSub, "(fp.sub r a b)" => "(fp.add r a (fp.neg b))",
        |pool, it| Some(pool.fp_add(it.args[0], it.args[1], pool.fp_neg(it.args[2])));
    fp_geq_definition: FpGe, "(fp.geq a b)" => "(fp.leq b a)", |pool, it| Some(flipped(pool, it, Op::FpLe));
    fp_gt_definition: FpGt, "(fp.gt a b)" => "(fp.lt b a)", |pool, it| Some(flipped(pool, it, Op::FpLt));
    fp_leq_chain: FpLe, "(fp.leq a b c)" => "(and (fp.leq a b) (fp.leq b c))", chain;
    fp_lt_chain: FpLt, "(fp.lt a b c)" => "(and (fp.lt a b) (fp.lt b c))", chain;
    fp_eq_chain: FpEq, "(fp.eq a b c)" => "(and (fp.eq a b) (fp.eq b c))", chain;
    fp_neg_neg: FpNeg, "(fp.neg (fp.neg a))" => "a", |pool, it| inner(pool, it.args[0], Op::FpNeg);
    fp_abs_neg: FpAbs, "(fp.abs (fp.neg a))" => "(fp.abs a)", |pool, it| Some(pool.fp_abs(inner(pool, it.args[0], Op::FpNeg)?));
    fp_abs_abs: FpAbs, "(fp.abs (fp.abs a))" => "(fp.abs a)", |pool, it| inner(pool, it.args[0], Op::FpAbs).map(|_| it.args[0]);
    fp_lt_same: FpLt, "(fp.lt a a)" => "false", |pool, it| same(it).map(|_| pool.false_());
    fp_leq_same: FpLe, "(fp.leq a a)" => "(not (fp.isNaN a))", |pool, it| same(it).map(|a| pool.not(pool.fp_is_nan(a)));
    fp_eq_same: FpEq, "(fp.eq a a)" => "(not (fp.isNaN a))", |pool, it| same(it).map(|a| pool.not(pool.fp_is_nan(a)));
    fp_min_same: FpMin, "(fp.min a a)" => "a", |_, it| same(it);
    fp_max_same: FpMax, "(fp.max a a)" => "a", |_, it| same(it);
    fp_nan_sign: FpIsNan, "(fp.isNaN (fp.neg a))" => "(fp.isNaN a)", |pool, it| unsigned(pool, it.args[0]).map(|a| pool.fp_is_nan(a));
    fp_infinite_sign: FpIsInfinite, "(fp.isInfinite (fp.neg a))" => "(fp.isInfinite a)",
        |pool, it| unsigned(pool, it.args[0]).map(|a| pool.fp_is_infinite(a));
    fp_zero_sign: FpIsZero, "(fp.isZero (fp.neg a))" => "(fp.isZero a)", |pool, it| unsigned(pool, it.args[0]).map(|a| pool.fp_is_zero(a));
    fp_normal_sign: FpIsNormal, "(fp.isNormal (fp.neg a))" => "(fp.isNormal a)",
        |pool, it| unsigned(pool, it.args[0]).map(|a| pool.fp_is_normal(a));
    fp_subnormal_sign: FpIsSubnormal, "(fp.isSubnormal (fp.neg a))" => "(fp.isSubnormal a)",
        |pool, it| unsigned(pool, it.args[0]).map(|a| pool.fp_is_subnormal(a));
    fp_from_own_bits: FpFromBits, "((_ to_fp eb sb) (fp.to_ieee_bv a))" => "a", |pool, it| {
        let a = inner(pool, it.args[0], Op::FpToBits)?;
        (pool.sort(a) == it.sort).then_some(a)
    };
    fp_from_same_format: FpFromFp, "((_ to_fp eb sb) r a)" => "a of that format",
        |pool, it| (pool.sort(it.args[1]) == it.sort).then(|| it.args[1]);
    /// A wider format holds every value of the narrower one, so widening and coming back changes nothing.
    fp_widen_narrow: FpFromFp, "((_ to_fp eb sb) r ((_ to_fp wide) q a))" => "a of that format", |pool, it| {
        if pool.op(it.args[1]) != Op::FpFromFp {
            return None;
        }
        let a = pool.arg(it.args[1], 1);
        let ((exponent, significand), (wide_exponent, wide_significand)) =
            (it.sort.float_format()?, pool.sort(it.args[1]).float_format()?);
        (pool.sort(a) == it.sort && wide_exponent >= exponent && wide_significand >= significand).then_some(a)
    };
    /// Commutative up to nothing: the one NaN has no payload.
    fp_add_order: FpAdd, "(fp.add r b a)" => "(fp.add r a b) in order", in_order;
    fp_mul_order: FpMul, "(fp.mul r b a)" => "(fp.mul r a b) in order", in_order;
}

fn inner(pool: &TermPool, term: Term, op: Op) -> Option<Term> {
    (pool.op(term) == op).then(|| pool.arg(term, 0))
}

fn unsigned(pool: &TermPool, term: Term) -> Option<Term> {
    matches!(pool.op(term), Op::FpNeg | Op::FpAbs).then(|| pool.arg(term, 0))
}

fn same(it: &Application<'_>) -> Option<Term> {
    match *it.args {
        [a, b] if a == b => Some(a),
        _ => None,
    }
}

fn flipped(pool: &TermPool, it: &Application<'_>, op: Op) -> Term {
    let args: Vec<Term> = it.args.iter().rev().copied().collect();
    pool.well_sorted(op, (0, 0), &args)
}

fn chain(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    (it.args.len() > 2).then(|| {
        let pairs: Vec<Term> = it.args.windows(2).map(|pair| pool.well_sorted(it.op, (0, 0), pair)).collect();
        pool.and(&pairs)
    })
}

fn in_order(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    let [rounding, a, b] = *it.args else { return None };
    (pool.fingerprint(b) < pool.fingerprint(a)).then(|| pool.well_sorted(it.op, (0, 0), &[rounding, b, a]))
}
