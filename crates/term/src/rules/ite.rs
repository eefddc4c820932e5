//! Rules for `ite`.

use super::rules;
use crate::op::Op;

rules! {
    ite_true: Ite, "(ite true a b)" => "a", |pool, it| (it.args[0] == pool.true_()).then(|| it.args[1]);
    ite_false: Ite, "(ite false a b)" => "b", |pool, it| (it.args[0] == pool.false_()).then(|| it.args[2]);
    ite_same: Ite, "(ite c a a)" => "a", |_, it| (it.args[1] == it.args[2]).then(|| it.args[1]);
    ite_not: Ite, "(ite (not c) a b)" => "(ite c b a)", |pool, it| {
        (pool.op(it.args[0]) == Op::Not).then(|| pool.ite(pool.arg(it.args[0], 0), it.args[2], it.args[1]))
    };
    ite_condition_then: Ite, "(ite c c b)" => "(or c b)",
        |pool, it| (it.args[0] == it.args[1]).then(|| pool.or(&[it.args[0], it.args[2]]));
    ite_condition_else: Ite, "(ite c a c)" => "(and c a)",
        |pool, it| (it.args[0] == it.args[2]).then(|| pool.and(&[it.args[0], it.args[1]]));
    ite_then_true: Ite, "(ite c true b)" => "(or c b)",
        |pool, it| (it.args[1] == pool.true_()).then(|| pool.or(&[it.args[0], it.args[2]]));
    ite_then_false: Ite, "(ite c false b)" => "(and (not c) b)",
        |pool, it| (it.args[1] == pool.false_()).then(|| pool.and(&[pool.not(it.args[0]), it.args[2]]));
    ite_else_true: Ite, "(ite c a true)" => "(or (not c) a)",
        |pool, it| (it.args[2] == pool.true_()).then(|| pool.or(&[pool.not(it.args[0]), it.args[1]]));
    ite_else_false: Ite, "(ite c a false)" => "(and c a)",
        |pool, it| (it.args[2] == pool.false_()).then(|| pool.and(&[it.args[0], it.args[1]]));
    ite_complement: Ite, "(ite c a (not a))" => "(= c a)", |pool, it| {
        let [condition, then, otherwise] = *it.args else { return None };
        if pool.op(otherwise) == Op::Not && pool.arg(otherwise, 0) == then {
            Some(pool.eq(condition, then))
        } else if pool.op(then) == Op::Not && pool.arg(then, 0) == otherwise {
            Some(pool.not(pool.eq(condition, otherwise)))
        } else {
            None
        }
    };
    ite_nested_then: Ite, "(ite c (ite c a b) d)" => "(ite c a d)", |pool, it| {
        let inner = it.args[1];
        (pool.op(inner) == Op::Ite && pool.arg(inner, 0) == it.args[0])
            .then(|| pool.ite(it.args[0], pool.arg(inner, 1), it.args[2]))
    };
    ite_nested_else: Ite, "(ite c a (ite c b d))" => "(ite c a d)", |pool, it| {
        let inner = it.args[2];
        (pool.op(inner) == Op::Ite && pool.arg(inner, 0) == it.args[0])
            .then(|| pool.ite(it.args[0], it.args[1], pool.arg(inner, 2)))
    };
    ite_merge_then: Ite, "(ite c (ite d a b) b)" => "(ite (and c d) a b)", |pool, it| {
        let inner = it.args[1];
        (pool.op(inner) == Op::Ite && pool.arg(inner, 2) == it.args[2])
            .then(|| pool.ite(pool.and(&[it.args[0], pool.arg(inner, 0)]), pool.arg(inner, 1), it.args[2]))
    };
    ite_merge_else: Ite, "(ite c a (ite d a b))" => "(ite (or c d) a b)", |pool, it| {
        let inner = it.args[2];
        (pool.op(inner) == Op::Ite && pool.arg(inner, 1) == it.args[1])
            .then(|| pool.ite(pool.or(&[it.args[0], pool.arg(inner, 0)]), it.args[1], pool.arg(inner, 2)))
    };
}
