//! Values of finite arrays, tuples, datatypes, sequences, sets, multisets and maps.

use crate::op::Op;
use crate::pool::Payload;
use crate::sort::Sort;
use crate::value::{SortOrd, Value};
use quod_base::Rational;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The longest finite array or sequence that the evaluator makes.
const LONGEST: i64 = 1 << 20;

/// How deep values of datatypes may nest: comparing and dropping them recurses.
const DEEPEST: usize = 400;

/// Whether datatypes nest deeper than this in a value.
pub(crate) fn is_deeper(value: &Value, levels: usize) -> bool {
    match value {
        Value::Datatype(_, _, fields) => levels == 0 || fields.iter().any(|field| is_deeper(field, levels - 1)),
        _ => false,
    }
}

pub(super) fn apply(op: Op, payload: &Payload, sort: Sort, args: &[Value]) -> Option<Value> {
    let (i, j) = match payload {
        Payload::Indices(i, j) => (*i as usize, *j as usize),
        _ => (0, 0),
    };
    match op.theory() {
        crate::op::Theory::FiniteArrays => finite(op, sort, args),
        crate::op::Theory::Datatypes => datatype(op, i, j, sort, args),
        crate::op::Theory::Sequences => sequence(op, sort, args),
        crate::op::Theory::Sets => set(op, args),
        crate::op::Theory::Bags => bag(op, args),
        _ => map(op, args),
    }
}

fn int(value: usize) -> Value {
    Value::Int(Rational::from(value as i64))
}

/// An index as a place of a list of this length.
fn place(index: &Value, length: usize) -> Option<usize> {
    let place = usize::try_from(index.as_rational()?.to_i64()?).ok()?;
    (place < length).then_some(place)
}

fn finite(op: Op, sort: Sort, args: &[Value]) -> Option<Value> {
    if let (Op::FiniteMake, [length, Value::Array(array)]) = (op, args) {
        let length = length.as_rational()?.to_i64().filter(|&length| length <= LONGEST)?.max(0);
        let cells = (0..length).map(|index| array.get(&Value::int(index)).clone()).collect();
        return Some(Value::FiniteArray(SortOrd(array.default.sort()), Arc::new(cells)));
    }
    let Some(Value::FiniteArray(element, cells)) = args.first() else { return None };
    match (op, args) {
        (Op::FiniteLength, _) => Some(int(cells.len())),
        (Op::FiniteRead, [_, index]) => match place(index, cells.len()) {
            Some(place) => Some(cells[place].clone()),
            None => Value::default_of(sort),
        },
        (Op::FiniteWrite, [_, index, value]) => {
            let mut cells = cells.clone();
            if let Some(place) = place(index, cells.len()) {
                Arc::make_mut(&mut cells)[place] = value.clone();
            }
            Some(Value::FiniteArray(*element, cells))
        }
        _ => None,
    }
}

fn datatype(op: Op, i: usize, j: usize, sort: Sort, args: &[Value]) -> Option<Value> {
    match (op, args) {
        (Op::MakeTuple, _) => Some(Value::Tuple(Arc::new(args.to_vec()))),
        (Op::TupleGet, [Value::Tuple(parts)]) => parts.get(i).cloned(),
        (Op::TupleSet, [Value::Tuple(parts), part]) => {
            let mut parts = parts.clone();
            *Arc::make_mut(&mut parts).get_mut(i)? = part.clone();
            Some(Value::Tuple(parts))
        }
        (Op::Construct, _) if args.iter().any(|arg| is_deeper(arg, DEEPEST)) => None,
        (Op::Construct, _) => Some(Value::Datatype(SortOrd(sort), i as u32, Arc::new(args.to_vec()))),
        (Op::Selector, [Value::Datatype(_, constructor, fields)]) => {
            if *constructor as usize == i {
                fields.get(j).cloned()
            } else {
                Value::default_of(sort)
            }
        }
        (Op::Tester, [Value::Datatype(_, constructor, _)]) => Some(Value::Bool(*constructor as usize == i)),
        _ => None,
    }
}

fn items(value: &Value) -> Option<&Arc<Vec<Value>>> {
    match value {
        Value::Seq(_, items) => Some(items),
        _ => None,
    }
}

fn find(items: &[Value], part: &[Value], from: usize) -> Option<usize> {
    (from..=items.len().checked_sub(part.len())?).find(|&start| items[start..].starts_with(part))
}

fn sequence(op: Op, sort: Sort, args: &[Value]) -> Option<Value> {
    if op == Op::SeqUnit {
        let item = args.first()?.clone();
        return Some(Value::Seq(SortOrd(item.sort()), Arc::new(vec![item])));
    }
    let Some(Value::Seq(element, first)) = args.first() else { return None };
    let make = |items: Vec<Value>| Some(Value::Seq(*element, Arc::new(items)));
    match (op, args) {
        (Op::SeqConcat, _) => {
            let mut joined = Vec::new();
            for arg in args {
                joined.extend_from_slice(items(arg)?);
            }
            make(joined)
        }
        (Op::SeqLength, _) => Some(int(first.len())),
        (Op::SeqNth, [_, index]) => match place(index, first.len()) {
            Some(place) => Some(first[place].clone()),
            None => Value::default_of(sort),
        },
        (Op::SeqAt, [_, index]) => {
            make(place(index, first.len()).map(|place| first[place].clone()).into_iter().collect())
        }
        (Op::SeqExtract, [_, start, count]) => {
            let count = count.as_rational()?;
            let Some(start) = place(start, first.len()).filter(|_| count.is_positive()) else {
                return make(Vec::new());
            };
            let rest = (first.len() - start) as i64;
            let count = count.to_i64().unwrap_or(rest).min(rest) as usize;
            make(first[start..start + count].to_vec())
        }
        (Op::SeqUpdate, [_, start, part]) => {
            let mut changed = first.to_vec();
            if let Some(start) = place(start, changed.len()) {
                for (slot, item) in changed[start..].iter_mut().zip(items(part)?.iter()) {
                    *slot = item.clone();
                }
            }
            make(changed)
        }
        (Op::SeqContains, [_, part]) => Some(Value::Bool(find(first, items(part)?, 0).is_some())),
        (Op::SeqPrefixOf, [_, whole]) => Some(Value::Bool(items(whole)?.starts_with(first))),
        (Op::SeqSuffixOf, [_, whole]) => Some(Value::Bool(items(whole)?.ends_with(first))),
        (Op::SeqIndexOf, [_, part, from]) => {
            let part = items(part)?;
            let from = from.as_rational()?.to_i64().and_then(|from| usize::try_from(from).ok());
            let found = from.filter(|&from| from <= first.len()).and_then(|from| find(first, part, from));
            Some(found.map_or_else(|| Value::int(-1), int))
        }
        (Op::SeqReplace, [_, part, by]) => {
            let (part, by) = (items(part)?, items(by)?);
            match find(first, part, 0) {
                Some(start) => make([&first[..start], by, &first[start + part.len()..]].concat()),
                None => Some(args[0].clone()),
            }
        }
        _ => None,
    }
}

fn set(op: Op, args: &[Value]) -> Option<Value> {
    match (op, args) {
        (Op::SetSingleton, [item]) => Some(Value::Set(SortOrd(item.sort()), Arc::new(BTreeSet::from([item.clone()])))),
        (Op::SetMember, [item, Value::Set(_, items)]) => Some(Value::Bool(items.contains(item))),
        (Op::SetCard, [Value::Set(_, items)]) => Some(int(items.len())),
        (_, [Value::Set(element, a), Value::Set(_, b)]) => {
            let joined: BTreeSet<Value> = match op {
                Op::SetUnion => a.union(b).cloned().collect(),
                Op::SetIntersection => a.intersection(b).cloned().collect(),
                Op::SetMinus => a.difference(b).cloned().collect(),
                Op::SetSubset => return Some(Value::Bool(a.is_subset(b))),
                _ => return None,
            };
            Some(Value::Set(*element, Arc::new(joined)))
        }
        _ => None,
    }
}

fn bag(op: Op, args: &[Value]) -> Option<Value> {
    let count = |bag: &BTreeMap<Value, Rational>, item: &Value| bag.get(item).cloned().unwrap_or_default();
    match (op, args) {
        (Op::BagMake, [item, times]) => {
            let times = times.as_rational()?.clone();
            let items = times.is_positive().then(|| (item.clone(), times)).into_iter().collect();
            Some(Value::Bag(SortOrd(item.sort()), Arc::new(items)))
        }
        (Op::BagCount, [item, Value::Bag(_, items)]) => Some(Value::Int(count(items, item))),
        (Op::BagCard, [Value::Bag(_, items)]) => {
            Some(Value::Int(items.values().fold(Rational::ZERO, |total, times| &total + times)))
        }
        (Op::BagSubset, [Value::Bag(_, a), Value::Bag(_, b)]) => {
            Some(Value::Bool(a.iter().all(|(item, times)| *times <= count(b, item))))
        }
        (_, [Value::Bag(element, a), Value::Bag(_, b)]) => {
            let combine = |x: Rational, y: Rational| match op {
                Op::BagUnionMax => Some(x.max(y)),
                Op::BagUnionDisjoint => Some(&x + &y),
                Op::BagIntersection => Some(x.min(y)),
                Op::BagMinus => Some(&x - &y),
                _ => None,
            };
            let mut joined = BTreeMap::new();
            for item in a.keys().chain(b.keys()) {
                let times = combine(count(a, item), count(b, item))?;
                if times.is_positive() {
                    joined.insert(item.clone(), times);
                }
            }
            Some(Value::Bag(*element, Arc::new(joined)))
        }
        _ => None,
    }
}

fn map(op: Op, args: &[Value]) -> Option<Value> {
    let Some(Value::Map(key_sort, value_sort, entries)) = args.first() else { return None };
    match (op, args) {
        (Op::MapPut, [_, key, value]) => {
            let mut entries = entries.clone();
            Arc::make_mut(&mut entries).insert(key.clone(), value.clone());
            Some(Value::Map(*key_sort, *value_sort, entries))
        }
        (Op::MapRemove, [_, key]) => {
            let mut entries = entries.clone();
            Arc::make_mut(&mut entries).remove(key);
            Some(Value::Map(*key_sort, *value_sort, entries))
        }
        (Op::MapGet, [_, key]) => entries.get(key).cloned().or_else(|| Value::default_of(value_sort.0)),
        (Op::MapHas, [_, key]) => Some(Value::Bool(entries.contains_key(key))),
        (Op::MapKeys, _) => Some(Value::Set(*key_sort, Arc::new(entries.keys().cloned().collect()))),
        (Op::MapSize, _) => Some(int(entries.len())),
        _ => None,
    }
}
