//! Rules for `not`, `and`, `or`: flat, without constants, repetitions and complements.
//!
//! Not conjunctive normal form, which explodes on merged states: negations stay where they are and shared parts stay
//! shared. Nested conjunctions are flattened while the result is short, so that a path condition that grows by one
//! conjunct a step does not cost a copy of itself a step.

use super::rules;
use crate::build::Application;
use crate::op::Op;
use crate::pool::{Term, TermPool};
use smallvec::SmallVec;

/// The longest list that flattening makes.
const FLAT: usize = 16;

type List = SmallVec<[Term; 8]>;

rules! {
    not_not: Not, "(not (not a))" => "a",
        |pool, it| (pool.op(it.args[0]) == Op::Not).then(|| pool.arg(it.args[0], 0));
    and_one: And, "(and a)" => "a", |_, it| only(it);
    or_one: Or, "(or a)" => "a", |_, it| only(it);
    and_false: And, "(and a false)" => "false",
        |pool, it| it.args.contains(&pool.false_()).then(|| pool.false_());
    or_true: Or, "(or a true)" => "true",
        |pool, it| it.args.contains(&pool.true_()).then(|| pool.true_());
    and_true: And, "(and a true)" => "a", |pool, it| without(pool, it, pool.true_());
    or_false: Or, "(or a false)" => "a", |pool, it| without(pool, it, pool.false_());
    and_flatten: And, "(and a (and b c))" => "(and a b c)", flatten;
    or_flatten: Or, "(or a (or b c))" => "(or a b c)", flatten;
    and_repeated: And, "(and a a b)" => "(and a b)", deduplicate;
    or_repeated: Or, "(or a a b)" => "(or a b)", deduplicate;
    and_complement: And, "(and a (not a))" => "false",
        |pool, it| has_complement(pool, it.args).then(|| pool.false_());
    or_complement: Or, "(or a (not a))" => "true",
        |pool, it| has_complement(pool, it.args).then(|| pool.true_());
    /// A conjunct that is a disjunction with another conjunct in it says nothing.
    and_absorb: And, "(and a (or a b))" => "a", |pool, it| absorb(pool, it, Op::Or);
    or_absorb: Or, "(or a (and a b))" => "a", |pool, it| absorb(pool, it, Op::And);
    /// A disjunct that another conjunct contradicts goes.
    and_unit: And, "(and a (or (not a) b))" => "(and a b)", |pool, it| propagate(pool, it, Op::Or);
    or_unit: Or, "(or a (and (not a) b))" => "(or a b)", |pool, it| propagate(pool, it, Op::And);
}

fn only(it: &Application<'_>) -> Option<Term> {
    (it.args.len() == 1).then(|| it.args[0])
}

/// `and`/`or` of what is left.
pub(super) fn rebuild(pool: &TermPool, op: Op, args: &[Term]) -> Term {
    if op == Op::And { pool.and(args) } else { pool.or(args) }
}

fn without(pool: &TermPool, it: &Application<'_>, neutral: Term) -> Option<Term> {
    it.args.contains(&neutral).then(|| {
        let rest: List = it.args.iter().copied().filter(|&arg| arg != neutral).collect();
        rebuild(pool, it.op, &rest)
    })
}

fn flatten(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    let is_nested = |&arg: &Term| pool.op(arg) == it.op;
    if !it.args.iter().any(is_nested) {
        return None;
    }
    let mut left = FLAT.saturating_sub(it.args.len());
    let mut flat = List::new();
    let mut changed = false;
    for &arg in it.args {
        let inner = pool.args(arg);
        if is_nested(&arg) && inner.len() - 1 <= left {
            left -= inner.len() - 1;
            flat.extend_from_slice(inner);
            changed = true;
        } else {
            flat.push(arg);
        }
    }
    changed.then(|| rebuild(pool, it.op, &flat))
}

fn deduplicate(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    let mut sorted: List = it.args.into();
    sorted.sort_unstable();
    if sorted.windows(2).all(|pair| pair[0] != pair[1]) {
        return None;
    }
    let mut seen = rustc_hash::FxHashSet::default();
    let rest: List = it.args.iter().copied().filter(|&arg| seen.insert(arg)).collect();
    Some(rebuild(pool, it.op, &rest))
}

/// Whether one argument is the negation of another; a quadratic scan for short lists, a sorted one for long.
fn has_complement(pool: &TermPool, args: &[Term]) -> bool {
    let mut negated = args.iter().filter(|&&arg| pool.op(arg) == Op::Not).map(|&arg| pool.arg(arg, 0)).peekable();
    if negated.peek().is_none() {
        return false;
    }
    if args.len() <= FLAT {
        return negated.any(|inner| args.contains(&inner));
    }
    let mut sorted = args.to_vec();
    sorted.sort_unstable();
    negated.any(|inner| sorted.binary_search(&inner).is_ok())
}

fn absorb(pool: &TermPool, it: &Application<'_>, dual: Op) -> Option<Term> {
    if it.args.len() > FLAT {
        return None;
    }
    let is_absorbed = |&arg: &Term| pool.op(arg) == dual && pool.args(arg).iter().any(|inner| it.args.contains(inner));
    it.args.iter().any(&is_absorbed).then(|| {
        let rest: List = it.args.iter().copied().filter(|arg| !is_absorbed(arg)).collect();
        rebuild(pool, it.op, &rest)
    })
}

fn are_complements(pool: &TermPool, a: Term, b: Term) -> bool {
    (pool.op(a) == Op::Not && pool.arg(a, 0) == b) || (pool.op(b) == Op::Not && pool.arg(b, 0) == a)
}

fn propagate(pool: &TermPool, it: &Application<'_>, dual: Op) -> Option<Term> {
    if it.args.len() > FLAT {
        return None;
    }
    let contradicted = |inner: Term| it.args.iter().any(|&arg| are_complements(pool, arg, inner));
    let mut rest = List::new();
    let mut changed = false;
    for &arg in it.args {
        if pool.op(arg) == dual && pool.args(arg).len() <= FLAT {
            let kept: List = pool.args(arg).iter().copied().filter(|&inner| !contradicted(inner)).collect();
            if kept.len() < pool.args(arg).len() {
                changed = true;
                rest.push(rebuild(pool, dual, &kept));
                continue;
            }
        }
        rest.push(arg);
    }
    changed.then(|| rebuild(pool, it.op, &rest))
}
