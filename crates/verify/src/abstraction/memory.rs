//! Abstract memory: objects with typed cells, keyed by position in bits so that bit-fields are cells like others, and what
//! is known of all bits that no cell covers.

use super::number::Number;
use super::value::{Kind, ObjectKey, Pointer, Value};
use quod_base::int::IntFormat;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Object {
    /// In bytes.
    pub(crate) size: Number,
    /// The size is a variable number of so many bytes; 0 where nothing is known of that number.
    pub(crate) unit: u32,
    pub(crate) cells: BTreeMap<i64, Cell>,
    pub(crate) rest: Rest,
    /// Stands for several objects: a write may be to another one of them.
    pub(crate) is_summary: bool,
    /// Some of them may have been freed.
    pub(crate) may_be_dead: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    pub(crate) bits: u32,
    pub(crate) kind: Kind,
    pub(crate) value: Value,
}

/// What bits hold that no cell covers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Rest {
    Uninit,
    Zero,
    Any,
    /// Every element at a multiple of its width.
    Elements(Cell),
}

/// More cells than this are put together.
const MOST_CELLS: usize = 600;
/// A range of positions with at most so many elements is a set of cells.
const MOST_PLACES: i128 = 40;

/// Where an access goes: positions in bits.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Access {
    pub(crate) start: Number,
    pub(crate) bits: u32,
    pub(crate) kind: Kind,
}

impl Cell {
    /// The value, read as another kind of the same width.
    fn read_as(&self, kind: Kind) -> Value {
        match (&self.value, self.kind, kind) {
            (Value::Uninit, ..) => Value::Uninit,
            (value, from, to) if from == to => value.clone(),
            (Value::Number(number), Kind::Int(_), Kind::Int(format)) => Value::Number(number.wrap(format)),
            (Value::Number(number), _, Kind::Pointer) if *number == Number::ZERO => Value::pointer(Pointer::null()),
            (Value::Pointer(pointer), _, Kind::Int(_)) => Value::Pointer(pointer.clone()),
            (Value::Pointer(pointer), _, Kind::Pointer) => Value::Pointer(pointer.clone()),
            _ => Value::top(kind),
        }
    }
}

impl Rest {
    fn read(&self, start: i128, bits: u32, kind: Kind) -> Value {
        match self {
            Rest::Uninit => Value::Uninit,
            Rest::Any => Value::top(kind),
            Rest::Zero => zero(kind),
            Rest::Elements(cell) if cell.bits == bits && start.rem_euclid(bits.into()) == 0 => cell.read_as(kind),
            Rest::Elements(cell) if cell.value == Value::Uninit => Value::Uninit,
            Rest::Elements(_) => Value::top(kind),
        }
    }

    fn join(&self, other: &Self) -> Self {
        self.merge(other, &mut |a, b, _| a.join(b))
    }

    fn merge(&self, other: &Self, value: &mut dyn FnMut(&Value, &Value, Kind) -> Value) -> Self {
        match (self, other) {
            _ if self == other => self.clone(),
            (Rest::Uninit, _) | (_, Rest::Uninit) => Rest::Uninit,
            (Rest::Elements(cell), Rest::Zero) => {
                Rest::Elements(Cell { value: value(&cell.value, &zero(cell.kind), cell.kind), ..cell.clone() })
            }
            (Rest::Zero, Rest::Elements(cell)) => {
                Rest::Elements(Cell { value: value(&zero(cell.kind), &cell.value, cell.kind), ..cell.clone() })
            }
            (Rest::Elements(a), Rest::Elements(b)) if (a.bits, a.kind) == (b.bits, b.kind) => {
                Rest::Elements(Cell { value: value(&a.value, &b.value, a.kind), ..a.clone() })
            }
            (Rest::Elements(cell), _) | (_, Rest::Elements(cell)) if cell.value == Value::Uninit => Rest::Uninit,
            _ => Rest::Any,
        }
    }

    fn is_within(&self, other: &Self) -> bool {
        match (self, other) {
            (_, Rest::Uninit) => true,
            (Rest::Uninit, _) => false,
            (Rest::Elements(cell), Rest::Any) => cell.value != Value::Uninit,
            (_, Rest::Any) => true,
            (Rest::Zero, Rest::Zero) => true,
            (Rest::Zero, Rest::Elements(cell)) => zero(cell.kind).is_within(&cell.value),
            (Rest::Elements(a), Rest::Elements(b)) => {
                (a.bits, a.kind) == (b.bits, b.kind) && a.value.is_within(&b.value)
            }
            _ => false,
        }
    }
}

pub(crate) fn zero(kind: Kind) -> Value {
    match kind {
        Kind::Int(IntFormat { bits, .. }) if bits > 64 => Value::Any,
        Kind::Int(_) => Value::Number(Number::ZERO),
        Kind::Pointer => Value::pointer(Pointer::null()),
        Kind::Float(32 | 64) => Value::Float(super::value::Float::constant(0.0)),
        Kind::Float(_) => Value::Any,
    }
}

impl Object {
    pub(crate) fn new(size: Number, rest: Rest) -> Self {
        Self { size, unit: 0, cells: BTreeMap::new(), rest, is_summary: false, may_be_dead: false }
    }

    fn overlapping(&self, start: i64, bits: u32) -> impl Iterator<Item = (i64, &Cell)> {
        // Cells do not overlap each other, so at most one begins before and reaches in.
        let before = self.cells.range(..start).next_back().filter(|(at, cell)| *at + i64::from(cell.bits) > start);
        before.into_iter().chain(self.cells.range(start..start + i64::from(bits))).map(|(&at, cell)| (at, cell))
    }

    fn read_at(&self, start: i64, bits: u32, kind: Kind) -> Value {
        if let Some(cell) = self.cells.get(&start).filter(|cell| cell.bits == bits) {
            return cell.read_as(kind);
        }
        let mut is_covered = false;
        for (_, cell) in self.overlapping(start, bits) {
            if cell.value == Value::Uninit {
                return Value::Uninit;
            }
            is_covered = true;
        }
        match is_covered {
            // What is read lies partly outside of the cells, perhaps in what was never written.
            true if self.rest == Rest::Uninit => Value::Uninit,
            true => Value::top(kind),
            false => self.rest.read(start.into(), bits, kind),
        }
    }

    /// The positions of an access, where they are few.
    fn places(access: &Access) -> Option<impl Iterator<Item = i64>> {
        let step = access.start.modulus.max(1);
        let count = (access.start.high - access.start.low) / step + 1;
        let (low, high) = (i64::try_from(access.start.low).ok()?, i64::try_from(access.start.high).ok()?);
        let is_few = count <= MOST_PLACES && (count == 1 || step >= access.bits.into());
        is_few.then(|| (low..=high).step_by(step as usize))
    }

    pub(crate) fn read(&self, access: &Access) -> Value {
        if let Some(places) = Self::places(access) {
            let values = places.map(|place| self.read_at(place, access.bits, access.kind));
            return values.reduce(|a, b| a.join(&b)).unwrap_or_else(|| Value::top(access.kind));
        }
        let mut value = match access.start.modulus % i128::from(access.bits) {
            0 => self.rest.read(access.start.residue, access.bits, access.kind),
            _ if self.rest == Rest::Zero => zero(access.kind),
            _ if self.rest == Rest::Uninit => Value::Uninit,
            _ => Value::top(access.kind),
        };
        for (&at, cell) in self.cells.iter() {
            match relation(access, at, cell.bits) {
                Relation::Apart => {}
                Relation::Same => value = value.join(&cell.read_as(access.kind)),
                Relation::Across if cell.value == Value::Uninit => value = Value::Uninit,
                Relation::Across => value = value.join(&Value::top(access.kind)),
            }
        }
        value
    }

    /// One position, certainly this one.
    fn write_at(&mut self, start: i64, bits: u32, kind: Kind, value: Value) {
        let end = start + i64::from(bits);
        let hit: Vec<(i64, u32, bool)> =
            self.overlapping(start, bits).map(|(at, cell)| (at, cell.bits, cell.value == Value::Uninit)).collect();
        for (at, length, is_uninit) in hit {
            self.cells.remove(&at);
            let piece = |from: i64, to: i64| {
                let bits = (to - from) as u32;
                let value = if is_uninit { Value::Uninit } else { Value::Any };
                (from, Cell { bits, kind: Kind::Int(IntFormat::unsigned(bits.clamp(1, 128))), value })
            };
            let cell_end = at + i64::from(length);
            let before = (at < start).then(|| piece(at, start));
            let after = (cell_end > end).then(|| piece(end, cell_end));
            self.cells.extend(before.into_iter().chain(after));
        }
        self.cells.insert(start, Cell { bits, kind, value });
    }

    /// A write; `is_certain` where it is to this object and to no other.
    pub(crate) fn write(&mut self, access: &Access, value: &Value, is_certain: bool) {
        let Access { bits, kind, .. } = *access;
        let is_weak = !is_certain || self.is_summary;
        if let Some(places) = Self::places(access) {
            let places: Vec<i64> = places.collect();
            let is_weak = is_weak || places.len() > 1;
            for place in places {
                let value = if is_weak { self.read_at(place, bits, kind).join(value) } else { value.clone() };
                self.write_at(place, bits, kind, value);
            }
        } else {
            let hit: Vec<(i64, Relation)> =
                self.cells.iter().map(|(&at, cell)| (at, relation(access, at, cell.bits))).collect();
            for (at, relation) in hit {
                let Some(cell) = self.cells.get_mut(&at) else { continue };
                let joined = match relation {
                    Relation::Apart => continue,
                    Relation::Same if cell.kind == kind => cell.value.join(value),
                    _ if cell.value == Value::Uninit => Value::Uninit,
                    _ => Value::Any,
                };
                cell.value = joined;
            }
            let is_aligned =
                access.start.modulus % i128::from(bits) == 0 && access.start.residue % i128::from(bits) == 0;
            let written = Rest::Elements(Cell { bits, kind, value: value.clone() });
            self.rest = match (is_aligned, &self.rest) {
                (true, rest) => rest.join(&written),
                (false, Rest::Uninit) => Rest::Uninit,
                (false, _) => Rest::Any,
            };
        }
        if self.cells.len() > MOST_CELLS {
            self.put_together();
        }
    }

    /// Too many cells: one value for all elements of the most usual kind, anything for others.
    fn put_together(&mut self) {
        let cells = std::mem::take(&mut self.cells);
        for (at, cell) in cells {
            let is_aligned = at.rem_euclid(cell.bits.into()) == 0;
            let written = if is_aligned { Rest::Elements(cell) } else { Rest::Any };
            self.rest = self.rest.join(&written);
        }
    }

    /// All bits in a range get an unknown value (or zero); positions in bits.
    pub(crate) fn forget(&mut self, start: Number, bits: i128) {
        let (low, high) = (start.low, start.high.saturating_add(bits));
        for (&at, cell) in self.cells.iter_mut() {
            if i128::from(at) < high && i128::from(at) + i128::from(cell.bits) > low && cell.value != Value::Uninit {
                cell.value = Value::Any;
            }
        }
        if self.rest != Rest::Uninit {
            self.rest = Rest::Any;
        }
    }

    fn merge(&self, other: &Self, value: &mut dyn FnMut(&Value, &Value, Kind) -> Value) -> Self {
        let mut spans: Vec<(i64, u32)> =
            self.cells.iter().chain(other.cells.iter()).map(|(&at, cell)| (at, cell.bits)).collect();
        spans.sort_unstable();
        spans.dedup();
        let mut cells = BTreeMap::new();
        let mut index = 0;
        while let Some(&(at, bits)) = spans.get(index) {
            // All spans that overlap this one, or one that does.
            let mut end = at + i64::from(bits);
            let mut next = index + 1;
            while let Some(&(start, length)) = spans.get(next).filter(|span| span.0 < end) {
                end = end.max(start + i64::from(length));
                next += 1;
            }
            let kind = self.cells.get(&at).or_else(|| other.cells.get(&at)).map_or(Kind::Pointer, |cell| cell.kind);
            let bits = (end - at) as u32;
            let value = if next == index + 1 {
                value(&self.read_at(at, bits, kind), &other.read_at(at, bits, kind), kind)
            } else {
                let is_uninit = |object: &Object| {
                    object.rest == Rest::Uninit
                        || object.overlapping(at, bits).any(|(_, cell)| cell.value == Value::Uninit)
                };
                if is_uninit(self) || is_uninit(other) { Value::Uninit } else { Value::Any }
            };
            cells.insert(at, Cell { bits, kind, value });
            index = next;
        }
        let size = if self.size == other.size { self.size } else { self.size.join(other.size) };
        Self {
            size,
            unit: if self.unit == other.unit { self.unit } else { 0 },
            cells,
            rest: self.rest.merge(&other.rest, value),
            is_summary: self.is_summary || other.is_summary,
            may_be_dead: self.may_be_dead || other.may_be_dead,
        }
    }

    pub(crate) fn join(&self, other: &Self) -> Self {
        self.merge(other, &mut |a, b, _| a.join(b))
    }

    pub(crate) fn widen(&self, newer: &Self, thresholds: &[i128]) -> Self {
        let mut widened = self.merge(newer, &mut |a, b, kind| a.widen(b, thresholds, kind));
        let full = Number::range(0, 1 << 62);
        widened.size = self.size.widen(newer.size, thresholds, full);
        widened
    }

    pub(crate) fn is_within(&self, other: &Self) -> bool {
        if !self.size.is_within(other.size)
            || (other.unit != 0 && self.unit != other.unit)
            || (self.is_summary && !other.is_summary)
            || (self.may_be_dead && !other.may_be_dead)
            || !self.rest.is_within(&other.rest)
        {
            return false;
        }
        let covered = |at: i64, cell: &Cell, object: &Object| {
            object.overlapping(at, cell.bits).all(|(start, found)| start == at && found.bits == cell.bits)
        };
        self.cells.iter().all(|(&at, cell)| {
            covered(at, cell, other)
                && self.read_at(at, cell.bits, cell.kind).is_within(&other.read_at(at, cell.bits, cell.kind))
        }) && other.cells.iter().all(|(&at, cell)| {
            covered(at, cell, self)
                && self.read_at(at, cell.bits, cell.kind).is_within(&other.read_at(at, cell.bits, cell.kind))
        })
    }

    /// Pointers to what ended dangle.
    pub(crate) fn without(&self, is_dead: &dyn Fn(ObjectKey) -> bool) -> Option<Self> {
        let dangling = |value: &Value| match value {
            Value::Pointer(pointer) => pointer.without(is_dead),
            _ => None,
        };
        let has_some = self.cells.values().any(|cell| dangling(&cell.value).is_some())
            || matches!(&self.rest, Rest::Elements(cell) if dangling(&cell.value).is_some());
        if !has_some {
            return None;
        }
        let mut object = self.clone();
        for cell in object.cells.values_mut() {
            if let Some(pointer) = dangling(&cell.value) {
                cell.value = Value::Pointer(Arc::new(pointer));
            }
        }
        if let Rest::Elements(cell) = &mut object.rest
            && let Some(pointer) = dangling(&cell.value)
        {
            cell.value = Value::Pointer(Arc::new(pointer));
        }
        Some(object)
    }
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Relation {
    Apart,
    /// Wherever they meet, they are the same bits.
    Same,
    Across,
}

/// How an access at unknown positions and a cell lie to each other.
fn relation(access: &Access, at: i64, bits: u32) -> Relation {
    let (at, bits) = (i128::from(at), i128::from(bits));
    let length = i128::from(access.bits);
    if at + bits <= access.start.low || at >= access.start.high + length {
        return Relation::Apart;
    }
    let modulus = access.start.modulus;
    if modulus <= 1 {
        return Relation::Across;
    }
    let distance = (at - access.start.residue).rem_euclid(modulus);
    if distance >= length && distance + bits <= modulus {
        Relation::Apart
    } else if distance == 0 && bits == length && modulus >= length {
        Relation::Same
    } else {
        Relation::Across
    }
}
