//! Rules for arrays, total and finite.

use super::rules;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::sort::Sort;
use crate::value::Value;

/// How far a read looks below writes whose index differs.
const DEPTH: usize = 1 << 20;

rules! {
    select_store: Select, "(select (store a i v) j)" => "v where i = j, (select a j) where they differ", |pool, it| {
        let (mut array, index) = (it.args[0], it.args[1]);
        for _ in 0..DEPTH {
            if pool.op(array) != Op::Store {
                break;
            }
            match compare(pool, pool.arg(array, 1), index) {
                Some(true) => return Some(pool.arg(array, 2)),
                Some(false) => array = pool.arg(array, 0),
                None => break,
            }
        }
        (array != it.args[0]).then(|| pool.select(array, index))
    };
    select_const: Select, "(select ((as const A) v) i)" => "v",
        |pool, it| (pool.op(it.args[0]) == Op::ConstArray).then(|| pool.arg(it.args[0], 0));
    select_uniform: Select, "(select {everywhere v} i)" => "v", |pool, it| match pool.value(it.args[0])? {
        Value::Array(array) if array.entries.is_empty() => Some(pool.constant(array.default.clone())),
        _ => None,
    };
    select_lambda: Select, "(select (lambda ((i I)) e) j)" => "e with j for i",
        |pool, it| {
            // An index with binders inside would shift levels under binders of the body, which `rebuild` does not see.
            let is_plain = pool.op(it.args[0]) == Op::Lambda && pool.binder_height(it.args[1]) == 0;
            is_plain.then(|| pool.instantiate(it.args[0], &[it.args[1]]))
        };
    store_store: Store, "(store (store a i v) i w)" => "(store a i w)", |pool, it| {
        let [array, index, element] = *it.args else { return None };
        (pool.op(array) == Op::Store && pool.arg(array, 1) == index)
            .then(|| pool.store(pool.arg(array, 0), index, element))
    };
    store_selected: Store, "(store a i (select a i))" => "a", |pool, it| {
        let [array, index, element] = *it.args else { return None };
        (pool.op(element) == Op::Select && *pool.args(element) == [array, index]).then_some(array)
    };
    store_default: Store, "(store ((as const A) v) i v)" => "((as const A) v)", |pool, it| {
        let [array, _, element] = *it.args else { return None };
        (pool.op(array) == Op::ConstArray && pool.arg(array, 0) == element).then_some(array)
    };
    eq_stores: Eq, "(= (store a i v) (store a i w))" => "(= v w)", |pool, it| {
        let [a, b] = *it.args else { return None };
        let both = pool.op(a) == Op::Store && pool.op(b) == Op::Store;
        (both && pool.args(a)[..2] == pool.args(b)[..2]).then(|| pool.eq(pool.arg(a, 2), pool.arg(b, 2)))
    };
    finite_length_make: FiniteLength, "(finite.length (finite.make n a))" => "(ite (< n 0) 0 n)", |pool, it| {
        let length = made_length(pool, it.args[0])?;
        Some(pool.ite(pool.lt(length, pool.int(0)), pool.int(0), length))
    };
    finite_length_write: FiniteLength, "(finite.length (finite.write a i v))" => "(finite.length a)",
        |pool, it| (pool.op(it.args[0]) == Op::FiniteWrite).then(|| pool.finite_length(pool.arg(it.args[0], 0)));
    finite_read_make: FiniteRead, "(finite.read (finite.make n a) i)" => "(select a i) within the bounds, else the default",
        |pool, it| {
            let length = made_length(pool, it.args[0])?;
            let inside = pool.and(&[pool.le(pool.int(0), it.args[1]), pool.lt(it.args[1], length)]);
            let default = pool.constant(Value::default_of(it.sort)?);
            Some(pool.ite(inside, pool.select(pool.arg(it.args[0], 1), it.args[1]), default))
        };
    finite_read_write_other: FiniteRead, "(finite.read (finite.write a 1 v) 2)" => "(finite.read a 2)", |pool, it| {
        let [array, index] = *it.args else { return None };
        if pool.op(array) != Op::FiniteWrite || compare(pool, pool.arg(array, 1), index) != Some(false) {
            return None;
        }
        Some(pool.finite_read(pool.arg(array, 0), index))
    };
    finite_read_write: FiniteRead, "(finite.read (finite.write a i v) i)" => "v within the bounds, else the default",
        |pool, it| {
            let [array, index] = *it.args else { return None };
            if pool.op(array) != Op::FiniteWrite || pool.arg(array, 1) != index {
                return None;
            }
            let length = pool.finite_length(pool.arg(array, 0));
            let inside = pool.and(&[pool.le(pool.int(0), index), pool.lt(index, length)]);
            Some(pool.ite(inside, pool.arg(array, 2), pool.constant(Value::default_of(it.sort)?)))
        };
    /// A write to a cell of a finite array that is made of a total one goes into that one: a complete sequence of writes
    /// becomes a concrete array.
    finite_write_make: FiniteWrite, "(finite.write (finite.make n a) i v)" => "(finite.make n (store a i v))", |pool, it| {
        let [array, index, element] = *it.args else { return None };
        let length = made_length(pool, array)?;
        Some(pool.finite_make(length, pool.store(pool.arg(array, 1), index, element)))
    };
    finite_write_write: FiniteWrite, "(finite.write (finite.write a i v) i w)" => "(finite.write a i w)", |pool, it| {
        let [array, index, element] = *it.args else { return None };
        (pool.op(array) == Op::FiniteWrite && pool.arg(array, 1) == index)
            .then(|| pool.finite_write(pool.arg(array, 0), index, element))
    };
}

fn made_length(pool: &TermPool, array: Term) -> Option<Term> {
    (pool.op(array) == Op::FiniteMake).then(|| pool.arg(array, 0))
}

/// Whether two indices are surely equal or surely different.
fn compare(pool: &TermPool, a: Term, b: Term) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    if pool.is_constant(a) && pool.is_constant(b) {
        return Some(false);
    }
    // `i + 1` and `i`: the equality folds to false.
    let sort = pool.sort(a);
    if (sort == Sort::INT || sort.is_bit_vec()) && (pool.op(a) == pool.op(b) || is_sum(pool, a) || is_sum(pool, b)) {
        let equal = pool.eq(a, b);
        return pool.value(equal)?.as_bool();
    }
    None
}

fn is_sum(pool: &TermPool, term: Term) -> bool {
    matches!(pool.op(term), Op::Add | Op::BvAdd | Op::Mul)
}
