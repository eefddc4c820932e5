//! Values of Booleans, equality, `ite` and arrays.

use crate::op::Op;
use crate::sort::{Sort, SortKind};
use crate::value::{ArrayValue, SortOrd, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) fn apply(op: Op, args: &[Value]) -> Option<Value> {
    let bools = || args.iter().map(Value::as_bool);
    let value = match op {
        Op::Not => !args.first()?.as_bool()?,
        Op::And => bools().try_fold(true, |all, arg| Some(all & arg?))?,
        Op::Or => bools().try_fold(false, |any, arg| Some(any | arg?))?,
        Op::Xor => bools().try_fold(false, |odd, arg| Some(odd ^ arg?))?,
        Op::Implies => {
            let (last, front) = args.split_last()?;
            last.as_bool()? || front.iter().any(|arg| arg == &Value::Bool(false))
        }
        Op::Ite => {
            let [condition, then, otherwise] = args else { return None };
            return Some(if condition.as_bool()? { then.clone() } else { otherwise.clone() });
        }
        Op::Eq => args.windows(2).all(|pair| pair[0] == pair[1]),
        Op::Distinct => {
            let mut seen: Vec<&Value> = args.iter().collect();
            seen.sort();
            seen.windows(2).all(|pair| pair[0] != pair[1])
        }
        _ => return None,
    };
    Some(Value::Bool(value))
}

pub(super) fn arrays(op: Op, sort: Sort, args: &[Value]) -> Option<Value> {
    match (op, args) {
        (Op::Select, [Value::Array(array), index]) => Some(array.get(index).clone()),
        (Op::Store, [Value::Array(array), index, element]) => {
            Some(Value::Array(Arc::new(array.with(index.clone(), element.clone()))))
        }
        (Op::ConstArray, [element]) => {
            let (index, _) = sort.array_parts()?;
            let array = ArrayValue { index: SortOrd(index), default: element.clone(), entries: BTreeMap::new() };
            Some(Value::Array(Arc::new(array)))
        }
        _ => None,
    }
}

impl ArrayValue {
    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The array with one more write.
    #[must_use]
    pub fn with(&self, index: Value, element: Value) -> Self {
        let mut changed = self.clone();
        if element == changed.default {
            changed.entries.remove(&index);
        } else {
            changed.entries.insert(index, element);
        }
        changed.normalise();
        changed
    }

    /// Over a finite index sort two defaults may describe the same array. The default becomes the most frequent element,
    /// the least of several, so that equal arrays are equal values.
    pub fn normalise(&mut self) {
        let size = match self.index.0.kind() {
            SortKind::Bool => 2,
            SortKind::BitVec(width) if width <= 12 => 1usize << width,
            SortKind::RoundingMode => 5,
            _ => return,
        };
        // A default that more than half of the indices have is the only choice.
        if self.entries.len() * 2 < size {
            return;
        }
        let mut counts: BTreeMap<&Value, usize> = BTreeMap::new();
        for element in self.entries.values() {
            *counts.entry(element).or_default() += 1;
        }
        if self.entries.len() < size {
            counts.insert(&self.default, size - self.entries.len());
        }
        let Some(most) = counts.values().max().copied() else { return };
        let Some(best) = counts.iter().find(|(_, count)| **count == most).map(|(element, _)| (*element).clone()) else {
            return;
        };
        if best == self.default {
            return;
        }
        let Some(indices) = super::all_values(self.index.0) else { return };
        let old = std::mem::replace(&mut self.default, best.clone());
        for index in indices {
            self.entries.entry(index).or_insert_with(|| old.clone());
        }
        self.entries.retain(|_, element| *element != best);
    }
}
