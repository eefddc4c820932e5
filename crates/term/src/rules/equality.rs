//! Rules for `=` and `distinct`. Equalities of numbers are put into standard form by `standard/`.

use super::{bv_linear, rules};
use crate::build::Application;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::value::Value;

rules! {
    eq_chain: Eq, "(= a b c)" => "(and (= a b) (= b c))", |pool, it| (it.args.len() > 2).then(|| {
        let pairs: Vec<Term> = it.args.windows(2).map(|pair| pool.eq(pair[0], pair[1])).collect();
        pool.and(&pairs)
    });
    eq_same: Eq, "(= a a)" => "true", |pool, it| (it.args[0] == it.args[1]).then(|| pool.true_());
    eq_values: Eq, "(= 1 2)" => "false", |pool, it| {
        (pool.is_constant(it.args[0]) && pool.is_constant(it.args[1]) && it.args[0] != it.args[1]).then(|| pool.false_())
    };
    eq_true: Eq, "(= a true)" => "a", |pool, it| beside(it, pool.true_());
    eq_false: Eq, "(= a false)" => "(not a)", |pool, it| beside(it, pool.false_()).map(|a| pool.not(a));
    eq_not: Eq, "(= (not a) b)" => "(not (= a b))", |pool, it| {
        let place = it.args.iter().position(|&arg| pool.op(arg) == Op::Not)?;
        Some(pool.not(pool.eq(pool.arg(it.args[place], 0), it.args[1 - place])))
    };
    eq_ite_values: Eq, "(= (ite c 1 2) 1)" => "c", |pool, it| {
        let (branch, other) = pick(it, |arg| pool.op(arg) == Op::Ite)?;
        let [condition, then, otherwise] = *pool.args(branch) else { return None };
        if ![other, then, otherwise].iter().all(|&arg| pool.is_constant(arg)) || then == otherwise {
            return None;
        }
        Some(if other == then {
            condition
        } else if other == otherwise {
            pool.not(condition)
        } else {
            pool.false_()
        })
    };
    eq_ite_branch: Eq, "(= (ite c a b) a)" => "(or c (= a b))", |pool, it| {
        let (branch, other) = pick(it, |arg| pool.op(arg) == Op::Ite)?;
        let [condition, then, otherwise] = *pool.args(branch) else { return None };
        if other == then {
            Some(pool.or(&[condition, pool.eq(then, otherwise)]))
        } else if other == otherwise {
            Some(pool.or(&[pool.not(condition), pool.eq(then, otherwise)]))
        } else {
            None
        }
    };
    eq_ite_same_condition: Eq, "(= (ite c a b) (ite c d e))" => "(ite c (= a d) (= b e))", |pool, it| {
        let [left, right] = *it.args else { return None };
        if pool.op(left) != Op::Ite || pool.op(right) != Op::Ite || pool.arg(left, 0) != pool.arg(right, 0) {
            return None;
        }
        let equal = |place| pool.eq(pool.arg(left, place), pool.arg(right, place));
        Some(pool.ite(pool.arg(left, 0), equal(1), equal(2)))
    };
    /// Equal parts that both sides add are taken away; two forms that differ by a constant differ.
    eq_bv_cancel: Eq, "(= (bvadd a c) (bvadd b c))" => "(= a b)", bv_linear::cancel_equal;
    eq_bv_odd: Eq, "(= (bvmul 3 x) 6)" => "(= x 2)", bv_linear::divide_odd;
    eq_bv_concat: Eq, "(= (concat a b) (concat c d))" => "(and (= a c) (= b d))", concat_equal;
    eq_bv_sign_extend: Eq, "(= ((_ sign_extend i) a) ((_ sign_extend i) b))" => "(= a b)", |pool, it| {
        let [left, right] = *it.args else { return None };
        let both = pool.op(left) == Op::SignExtend && pool.op(right) == Op::SignExtend;
        (both && pool.indices(left) == pool.indices(right)).then(|| pool.eq(pool.arg(left, 0), pool.arg(right, 0)))
    };
    eq_bv_sign_extend_value: Eq, "(= ((_ sign_extend i) a) 5)" => "(= a 5), or false out of range", |pool, it| {
        let (extended, other) = pick(it, |arg| pool.op(arg) == Op::SignExtend)?;
        let value = pool.bv_constant(other)?;
        let inner = pool.arg(extended, 0);
        let low = value.extract(pool.width(inner) - 1, 0);
        let fits = low.sign_extend(value.width() - low.width()) == *value;
        Some(if fits { pool.eq(inner, pool.bv_value(low)) } else { pool.false_() })
    };
    eq_constructors: Eq, "(= (cons a b) (cons c d))" => "(and (= a c) (= b d)), false for other constructors", |pool, it| {
        let ((left, first), (right, second)) = (made(pool, it.args[0])?, made(pool, it.args[1])?);
        if left != right {
            return Some(pool.false_());
        }
        Some(pool.and(&first.into_iter().zip(second).map(|(a, b)| pool.eq(a, b)).collect::<Vec<_>>()))
    };
    distinct_two: Distinct, "(distinct a b)" => "(not (= a b))",
        |pool, it| (it.args.len() == 2).then(|| pool.ne(it.args[0], it.args[1]));
    distinct_repeated: Distinct, "(distinct a a b)" => "false", |pool, it| {
        let mut sorted = it.args.to_vec();
        sorted.sort_unstable();
        sorted.windows(2).any(|pair| pair[0] == pair[1]).then(|| pool.false_())
    };
    /// More Booleans than there are values.
    distinct_bool: Distinct, "(distinct p q r)" => "false",
        |pool, it| (it.args.len() > 2 && pool.sort(it.args[0]).is_bool()).then(|| pool.false_());
}

/// The other argument of a pair with `known`.
fn beside(it: &Application<'_>, known: Term) -> Option<Term> {
    match *it.args {
        [a, b] if a == known => Some(b),
        [a, b] if b == known => Some(a),
        _ => None,
    }
}

/// One argument of a pair with a property, and the other.
fn pick(it: &Application<'_>, has: impl Fn(Term) -> bool) -> Option<(Term, Term)> {
    match *it.args {
        [a, b] if has(a) => Some((a, b)),
        [a, b] if has(b) => Some((b, a)),
        _ => None,
    }
}

/// The constructor and the parts of a tuple or datatype term that shows them.
fn made(pool: &TermPool, term: Term) -> Option<(u32, Vec<Term>)> {
    let constants = |values: &[Value]| values.iter().map(|value| pool.constant(value.clone())).collect();
    match pool.op(term) {
        Op::Construct => Some((pool.indices(term).0, pool.args(term).to_vec())),
        Op::MakeTuple => Some((0, pool.args(term).to_vec())),
        _ => match pool.value(term)? {
            Value::Datatype(_, place, fields) => Some((*place, constants(fields))),
            Value::Tuple(parts) => Some((0, constants(parts))),
            _ => None,
        },
    }
}

fn concat_equal(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    let [left, right] = *it.args else { return None };
    let cuts = |term: Term| -> Option<Vec<u32>> {
        if pool.op(term) != Op::Concat {
            return None;
        }
        let mut high = pool.width(term);
        let cuts = pool.args(term).iter().skip(1).map(|&part| pool.width(part));
        let mut places: Vec<u32> = Vec::new();
        high -= pool.width(pool.arg(term, 0));
        for width in cuts {
            places.push(high);
            high -= width;
        }
        Some(places)
    };
    let places = match (cuts(left), cuts(right)) {
        // A cut that both have splits without new extracts.
        (Some(a), Some(b)) => a.into_iter().filter(|place| b.contains(place)).collect(),
        (Some(a), None) if matches!(pool.value(right), Some(Value::BitVec(_))) => a,
        (None, Some(b)) if matches!(pool.value(left), Some(Value::BitVec(_))) => b,
        _ => return None,
    };
    if places.is_empty() {
        return None;
    }
    let mut high = pool.width(left);
    let mut parts = Vec::new();
    for place in places.into_iter().chain([0]) {
        parts.push(pool.eq(pool.extract(high - 1, place, left), pool.extract(high - 1, place, right)));
        high = place;
    }
    Some(pool.and(&parts))
}
