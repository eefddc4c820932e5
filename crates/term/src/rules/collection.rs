//! Rules for tuples, datatypes, sequences, sets, multisets and maps.

use super::rules;
use crate::build::Application;
use crate::op::Op;
use crate::pool::{Payload, Term, TermPool};
use crate::sort::SortKind;
use crate::value::Value;

rules! {
    tuple_get_made: TupleGet, "(tuple.select i (tuple a b))" => "the part", |pool, it| {
        made(pool, it.args[0], Op::MakeTuple)?.get(index(it) as usize).copied()
    };
    tuple_get_set: TupleGet, "(tuple.select i (tuple.update i t a))" => "a, or (tuple.select j t) for another part", |pool, it| {
        let [tuple, part] = *made(pool, it.args[0], Op::TupleSet)? else { return None };
        Some(if pool.indices(it.args[0]).0 == index(it) { part } else { pool.tuple_get(tuple, index(it)) })
    };
    tuple_set_made: TupleSet, "(tuple.update i (tuple a b) c)" => "(tuple a c)", |pool, it| {
        let mut parts = made(pool, it.args[0], Op::MakeTuple)?.to_vec();
        *parts.get_mut(index(it) as usize)? = it.args[1];
        Some(pool.tuple(&parts))
    };
    selector_made: Selector, "(head (cons a b))" => "a", |pool, it| {
        let fields = made(pool, it.args[0], Op::Construct)?;
        let Payload::Indices(constructor, field) = *it.payload else { return None };
        (pool.indices(it.args[0]).0 == constructor).then(|| fields[field as usize])
    };
    selector_other: Selector, "(head nil)" => "the default value", |pool, it| {
        made(pool, it.args[0], Op::Construct)?;
        let value = (pool.indices(it.args[0]).0 != index(it)).then(|| Value::default_of(it.sort))??;
        Some(pool.constant(value))
    };
    tester_made: Tester, "((_ is cons) (cons a b))" => "true, or false for another constructor", |pool, it| {
        made(pool, it.args[0], Op::Construct)?;
        Some(pool.bool(pool.indices(it.args[0]).0 == index(it)))
    };
    tester_only: Tester, "((_ is c) a) of a sort with one constructor" => "true", |pool, it| {
        match pool.sort(it.args[0]).kind() {
            SortKind::Datatype(id) if id.constructors().len() == 1 => Some(pool.true_()),
            _ => None,
        }
    };
    seq_concat_flatten: SeqConcat, "(seq.++ a (seq.++ b c))" => "(seq.++ a b c)", |pool, it| {
        let is_nested = |&arg: &Term| pool.op(arg) == Op::SeqConcat && pool.args(arg).len() <= 16;
        it.args.iter().any(is_nested).then(|| {
            let nested = it.args.iter().flat_map(|arg| if is_nested(arg) { pool.args(*arg) } else { std::slice::from_ref(arg) });
            pool.well_sorted(Op::SeqConcat, (0, 0), &nested.copied().collect::<Vec<_>>())
        })
    };
    seq_concat_empty: SeqConcat, "(seq.++ a empty)" => "a", |pool, it| {
        let is_empty = |arg: &Term| matches!(pool.value(*arg), Some(Value::Seq(_, items)) if items.is_empty());
        it.args.iter().any(is_empty).then(|| {
            let rest: Vec<Term> = it.args.iter().copied().filter(|arg| !is_empty(arg)).collect();
            match *rest {
                [] => it.args[0],
                [one] => one,
                _ => pool.well_sorted(Op::SeqConcat, (0, 0), &rest),
            }
        })
    };
    seq_length_unit: SeqLength, "(seq.len (seq.unit a))" => "1",
        |pool, it| (pool.op(it.args[0]) == Op::SeqUnit).then(|| pool.int(1));
    seq_length_concat: SeqLength, "(seq.len (seq.++ a b))" => "(+ (seq.len a) (seq.len b))", |pool, it| {
        let parts = made(pool, it.args[0], Op::SeqConcat)?;
        let lengths: Vec<Term> = parts.iter().map(|&part| pool.well_sorted(Op::SeqLength, (0, 0), &[part])).collect();
        Some(pool.add(&lengths))
    };
    set_union_same: SetUnion, "(set.union a a)" => "a", |_, it| same(it);
    set_intersection_same: SetIntersection, "(set.inter a a)" => "a", |_, it| same(it);
    set_minus_same: SetMinus, "(set.minus a a)" => "empty",
        |pool, it| same(it).and_then(|_| Value::default_of(it.sort)).map(|empty| pool.constant(empty));
    set_subset_same: SetSubset, "(set.subset a a)" => "true", |pool, it| same(it).map(|_| pool.true_());
    set_member_singleton: SetMember, "(set.member a (set.singleton b))" => "(= a b)", |pool, it| {
        let [element] = *made(pool, it.args[1], Op::SetSingleton)? else { return None };
        Some(pool.eq(it.args[0], element))
    };
    set_member_union: SetMember, "(set.member a (set.union b c))" => "(or (set.member a b) (set.member a c))", |pool, it| {
        let [b, c] = *made(pool, it.args[1], Op::SetUnion)? else { return None };
        let member = |set| pool.well_sorted(Op::SetMember, (0, 0), &[it.args[0], set]);
        Some(pool.or(&[member(b), member(c)]))
    };
    set_member_empty: SetMember, "(set.member a empty)" => "false", |pool, it| match pool.value(it.args[1])? {
        Value::Set(_, items) if items.is_empty() => Some(pool.false_()),
        _ => None,
    };
    bag_count_make: BagCount, "(bag.count a (bag b n))" => "(ite (and (= a b) (< 0 n)) n 0)", |pool, it| {
        let [element, times] = *made(pool, it.args[1], Op::BagMake)? else { return None };
        let counts = pool.and(&[pool.eq(it.args[0], element), pool.lt(pool.int(0), times)]);
        Some(pool.ite(counts, times, pool.int(0)))
    };
    bag_count_sum: BagCount, "(bag.count a (bag.union_disjoint b c))" => "(+ (bag.count a b) (bag.count a c))", |pool, it| {
        let [b, c] = *made(pool, it.args[1], Op::BagUnionDisjoint)? else { return None };
        let count = |bag| pool.well_sorted(Op::BagCount, (0, 0), &[it.args[0], bag]);
        Some(pool.add(&[count(b), count(c)]))
    };
    map_get_put: MapGet, "(map.get (map.put m k v) k)" => "v, or (map.get m j) for another key", |pool, it| {
        let [map, key, value] = *made(pool, it.args[0], Op::MapPut)? else { return None };
        let same = pool.value(pool.eq(key, it.args[1]))?.as_bool()?;
        Some(if same { value } else { pool.well_sorted(Op::MapGet, (0, 0), &[map, it.args[1]]) })
    };
    map_has_put: MapHas, "(map.has (map.put m k v) j)" => "(or (= j k) (map.has m j))", |pool, it| {
        let [map, key, _] = *made(pool, it.args[0], Op::MapPut)? else { return None };
        Some(pool.or(&[pool.eq(key, it.args[1]), pool.well_sorted(Op::MapHas, (0, 0), &[map, it.args[1]])]))
    };
}

fn index(it: &Application<'_>) -> u32 {
    if let Payload::Indices(i, _) = it.payload { *i } else { 0 }
}

fn made(pool: &TermPool, term: Term, op: Op) -> Option<&[Term]> {
    (pool.op(term) == op).then(|| pool.args(term))
}

fn same(it: &Application<'_>) -> Option<Term> {
    match *it.args {
        [a, b] if a == b => Some(a),
        _ => None,
    }
}
