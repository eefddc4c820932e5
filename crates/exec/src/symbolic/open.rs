//! Objects whose size is no constant: arrays of a length that can have too many values to look at them one by one.
//!
//! Such an object has elements of one size. What it holds is what it began with (nothing, zeros, or any values: an
//! uninterpreted function of the index) and the writes since then; reading an element is a chain of `ite` over the writes
//! that may have been to it. What goes beyond that (bytes of elements, elements of different sizes) is not supported.

use super::memory::{Memory, Object, ObjectId};
use super::terms::SymbolicDomain;
use super::value::{Offset, TermKey, Value};
use crate::domain::Outcome;
use crate::fault::{Fault, Trouble};
use crate::scalar::{Cell, Scalar};
use imbl::Vector;
use num_traits::ToPrimitive;
use quod_base::Symbol;
use quod_term::{Function, Sort, Term};
use quod_verdict::CheckKind;
use std::sync::Arc;

/// The size that such an object shows to those who ask for a number: more than any access is long.
pub(super) const LARGE: u64 = 1 << 62;
/// Writes that one object remembers.
const MOST_WRITES: usize = 1 << 10;

#[derive(Clone, Debug)]
pub(super) struct Open {
    /// In bytes.
    pub(super) size: Term,
    /// Of an element, in bytes; 0 before the first access.
    unit: u8,
    first: First,
    writes: Vector<Write>,
}

/// What elements hold that were never written.
#[derive(Clone, Debug)]
enum First {
    Undefined,
    Zero,
    Any(Arc<Function>, Scalar),
}

#[derive(Clone, Debug)]
enum Write {
    Element {
        index: Term,
        scalar: Scalar,
        value: Value,
    },
    /// `count` elements from `start` on are those of another object from `from` on, as that was then.
    Copy {
        start: Term,
        count: Term,
        source: Arc<Open>,
        from: Term,
    },
}

impl Open {
    pub(super) fn new(size: Term, is_zeroed: bool) -> Self {
        let first = if is_zeroed { First::Zero } else { First::Undefined };
        Self { size, unit: 0, first, writes: Vector::new() }
    }

    pub(super) fn feed(&self, keys: &impl TermKey, hasher: &mut impl std::hash::Hasher) {
        use std::hash::Hash;
        (keys.key(self.size), self.unit, self.writes.len()).hash(hasher);
        match &self.first {
            First::Undefined => 0u8.hash(hasher),
            First::Zero => 1u8.hash(hasher),
            First::Any(function, _) => (2u8, function.name.as_str()).hash(hasher),
        }
        for write in &self.writes {
            match write {
                Write::Element { index, scalar, value } => {
                    (0u8, keys.key(*index), scalar).hash(hasher);
                    value.hash_into(keys, hasher);
                }
                Write::Copy { start, count, source, from } => {
                    (1u8, [start, count, from].map(|term| keys.key(*term))).hash(hasher);
                    source.feed(keys, hasher);
                }
            }
        }
    }

    /// All terms replaced; nothing where none changes.
    pub(super) fn replaced(&self, change: &mut dyn FnMut(&Value) -> Option<Value>) -> Option<Open> {
        let mut is_changed = false;
        let mut term = |term: Term| match change(&Value::Number(term)) {
            Some(Value::Number(new)) => {
                is_changed = true;
                new
            }
            _ => term,
        };
        let size = term(self.size);
        let mut writes = Vector::new();
        for write in &self.writes {
            writes.push_back(match write {
                Write::Element { index, scalar, value } => {
                    let index = term(*index);
                    Write::Element { index, scalar: *scalar, value: value.clone() }
                }
                Write::Copy { start, count, source, from } => {
                    let [start, count, from] = [start, count, from].map(|&part| term(part));
                    Write::Copy { start, count, source: source.clone(), from }
                }
            });
        }
        for write in writes.iter_mut() {
            match write {
                Write::Element { value, .. } => {
                    if let Some(new) = change(value) {
                        is_changed = true;
                        *value = new;
                    }
                }
                Write::Copy { source, .. } => {
                    if let Some(new) = source.replaced(change) {
                        is_changed = true;
                        *source = Arc::new(new);
                    }
                }
            }
        }
        is_changed.then(|| Open { size, unit: self.unit, first: self.first.clone(), writes })
    }

    /// What was written into it, or into what was copied into it.
    pub(super) fn values(&self) -> Vec<&Value> {
        let (mut values, mut work) = (Vec::new(), vec![self]);
        while let Some(open) = work.pop() {
            for write in &open.writes {
                match write {
                    Write::Element { value, .. } => values.push(value),
                    Write::Copy { source, .. } => work.push(source),
                }
            }
        }
        values
    }
}

/// Arrays of unknown length are not supported here.
pub(super) fn refused() -> Fault {
    Fault::unsupported("this use of an array whose length can have too many values")
}

impl SymbolicDomain {
    /// The number of bytes that an object of unknown size has.
    pub(super) fn open_size(&self, memory: &Memory, value: &Value) -> Option<Term> {
        match value {
            Value::Number(term) if memory.is_open(*term) => Some(*term),
            _ => None,
        }
    }

    /// The index of the element at an offset.
    fn element_at(&self, offset: Offset, unit: u8) -> Result<Term, Fault> {
        self.divided(self.offset_term(offset), unit)
    }

    /// A number of bytes as a number of elements.
    fn divided(&self, bytes: Term, unit: u8) -> Result<Term, Fault> {
        let each = i64::from(unit.max(1));
        if let Some(known) = self.known(bytes, Scalar::Integer).and_then(|known| known.to_i64()) {
            return if known % each == 0 { Ok(self.pool.int(known / each)) } else { Err(refused()) };
        }
        let (factor, monic) = self.pool.as_monomial(bytes);
        let factor = factor.to_bigint().and_then(|factor| factor.to_i64()).filter(|factor| factor % each == 0);
        let factor = factor.ok_or_else(refused)?;
        Ok(self.pool.mul(&[self.pool.int(factor / each), monic]))
    }

    /// `size` bytes at the offset are inside.
    pub(super) fn inside_open(&self, open: &Open, offset: Offset, size: u64) -> Term {
        let (pool, offset) = (&self.pool, self.offset_term(offset));
        let end = pool.add(&[offset, self.integer_term(i128::from(size), Scalar::Integer)]);
        pool.and2(pool.ge(offset, pool.int(0)), pool.ge(open.size, end))
    }

    fn need_inside(&self, memory: &Memory, open: &Open, offset: Offset, size: u64) -> Outcome<Self, ()> {
        let inside = self.inside_open(open, offset, size);
        match self.settled(inside).or_else(|| memory.decided.get(&inside).copied()) {
            Some(true) => Ok(()),
            Some(false) => {
                Err(Fault::new(CheckKind::InvalidDeref, "access outside of the object").label("invalid access").into())
            }
            None => Err(Trouble::Split(vec![inside, self.pool.not(inside)])),
        }
    }

    pub(super) fn load_open(&mut self, memory: &mut Memory, id: ObjectId, offset: Offset, cell: Cell) -> Outcome<Self> {
        let Some(open) = memory.object(id).open.clone() else { return Err(refused().into()) };
        self.need_inside(memory, &open, offset, cell.size.into())?;
        if open.unit != 0 && open.unit != cell.size {
            return Err(refused().into());
        }
        let index = self.element_at(offset, cell.size)?;
        if matches!(open.first, First::Undefined) && matches!(cell.scalar, Scalar::Integer | Scalar::Real) {
            // What was never set is anything, but the same when it is read again.
            let function = self.any_function(memory, "undefined", cell.scalar);
            let mut changed = Open::clone(&open);
            changed.first = First::Any(function, cell.scalar);
            changed.unit = cell.size;
            let changed = Arc::new(changed);
            memory.object_mut(id).open = Some(changed.clone());
            return self.read_open(memory, &changed, index, cell);
        }
        self.read_open(memory, &open, index, cell)
    }

    fn any_function(&self, memory: &mut Memory, name: &str, scalar: Scalar) -> Arc<Function> {
        memory.fresh += 1;
        let name = format!("$any {name}!{}", memory.fresh);
        Arc::new(Function { name: name.as_str().into(), domain: [Sort::INT].into(), range: self.sort(scalar) })
    }

    fn read_open(&mut self, memory: &mut Memory, open: &Open, index: Term, cell: Cell) -> Outcome<Self> {
        let mut pending: Vec<(Term, Term)> = Vec::new();
        let mut result = None;
        for write in open.writes.iter().rev() {
            let is_here = match write {
                Write::Element { index: at, .. } => self.pool.eq(index, *at),
                Write::Copy { start, count, .. } => {
                    let end = self.pool.add(&[*start, *count]);
                    self.pool.and2(self.pool.ge(index, *start), self.pool.gt(end, index))
                }
            };
            let settled = self.settled(is_here).or_else(|| memory.decided.get(&is_here).copied());
            if settled == Some(false) {
                continue;
            }
            let value = match write {
                Write::Element { scalar, value, .. } => {
                    if self.sort(*scalar) != self.sort(cell.scalar) || scalar.is_pointer() != cell.scalar.is_pointer() {
                        return Err(refused().into());
                    }
                    value.clone()
                }
                Write::Copy { start, source, from, .. } => {
                    let at = self.pool.add(&[index, self.pool.neg(*start), *from]);
                    let source = source.clone();
                    stacker::maybe_grow(1 << 16, 1 << 20, || self.read_open(memory, &source, at, cell))?
                }
            };
            match (settled, value) {
                (Some(true), value) => {
                    result = Some(value);
                    break;
                }
                (_, Value::Number(term)) => pending.push((is_here, term)),
                _ => return Err(Trouble::Split(vec![is_here, self.pool.not(is_here)])),
            }
        }
        let value = match (result, &open.first) {
            (Some(value), _) => value,
            (None, First::Zero) => self.zero(cell.scalar),
            (None, First::Any(function, scalar)) => {
                if self.sort(*scalar) != self.sort(cell.scalar) {
                    return Err(refused().into());
                }
                Value::Number(self.pool.apply(function, &[index]))
            }
            (None, First::Undefined) => self.indeterminate(memory, cell.scalar),
        };
        if pending.is_empty() {
            return Ok(value);
        }
        let Value::Number(mut term) = value else { return Err(refused().into()) };
        for (is_here, value) in pending.into_iter().rev() {
            term = self.pool.ite(is_here, value, term);
        }
        Ok(Value::Number(term))
    }

    pub(super) fn store_open(
        &mut self,
        memory: &mut Memory,
        id: ObjectId,
        offset: Offset,
        cell: Cell,
        value: &Value,
    ) -> Outcome<Self, ()> {
        let mut object = super::domain::writable(memory, id)?;
        let Some(open) = object.open.as_ref() else { return Err(refused().into()) };
        self.need_inside(memory, open, offset, cell.size.into())?;
        let mut open = Open::clone(open);
        let index = self.prepared(&mut open, cell.size).and_then(|unit| self.element_at(offset, unit))?;
        // What the same index held is gone.
        if let Some(Write::Element { index: last, .. }) = open.writes.last()
            && *last == index
        {
            open.writes.pop_back();
        }
        open.writes.push_back(Write::Element { index, scalar: cell.scalar, value: value.clone() });
        object.open = Some(Arc::new(open));
        memory.replace(id, object);
        Ok(())
    }

    /// An object that is about to be written in elements of a size.
    fn prepared(&self, open: &mut Open, unit: u8) -> Result<u8, Fault> {
        if open.unit != 0 && open.unit != unit || open.writes.len() >= MOST_WRITES {
            return Err(refused());
        }
        open.unit = unit;
        Ok(unit)
    }

    /// All of the element at the offset has been written.
    pub(super) fn initialised_open(&self, open: &Open, offset: Offset, size: u64) -> Term {
        let unit = if open.unit == 0 { size.min(255) as u8 } else { open.unit };
        let Ok(index) = self.element_at(offset, unit) else { return self.pool.false_() };
        stacker::maybe_grow(1 << 16, 1 << 20, || self.is_written(open, index))
    }

    fn is_written(&self, open: &Open, index: Term) -> Term {
        if !matches!(open.first, First::Undefined) {
            return self.pool.true_();
        }
        let mut ways = Vec::new();
        for write in &open.writes {
            ways.push(match write {
                Write::Element { value: Value::Unset, .. } => continue,
                Write::Element { index: at, .. } => self.pool.eq(index, *at),
                Write::Copy { start, count, source, from } => {
                    let end = self.pool.add(&[*start, *count]);
                    let is_here = self.pool.and2(self.pool.ge(index, *start), self.pool.gt(end, index));
                    let at = self.pool.add(&[index, self.pool.neg(*start), *from]);
                    self.pool.and2(is_here, self.is_written(source, at))
                }
            });
        }
        self.pool.or(&ways)
    }

    /// Any values: a function of the index. Gives the function, which a counterexample has a table for.
    pub(super) fn make_any(
        &mut self,
        memory: &mut Memory,
        id: ObjectId,
        cell: Cell,
        name: Option<Symbol>,
    ) -> Result<Arc<Function>, Fault> {
        let mut object = memory.object(id).clone();
        let Some(open) = &object.open else { return Err(refused()) };
        if cell.scalar.is_pointer() || !matches!(cell.scalar, Scalar::Integer | Scalar::Real) {
            return Err(refused());
        }
        let function = self.any_function(memory, name.map_or("any", Symbol::as_str), cell.scalar);
        let first = First::Any(function.clone(), cell.scalar);
        object.open = Some(Arc::new(Open { size: open.size, unit: cell.size, first, writes: Vector::new() }));
        memory.replace(id, object);
        Ok(function)
    }

    /// Zeros from the start to the end.
    pub(super) fn clear_open(
        &mut self,
        memory: &mut Memory,
        id: ObjectId,
        offset: Offset,
        size: Term,
    ) -> Outcome<Self, ()> {
        let mut object = super::domain::writable(memory, id)?;
        match &object.open {
            Some(open) if offset == Offset::Known(0) && open.size == size => {
                object.open = Some(Arc::new(Open::new(size, true)));
                memory.replace(id, object);
                Ok(())
            }
            _ => Err(refused().into()),
        }
    }

    /// A known number of bytes out of an object of unknown size, as cells with offsets from the start.
    pub(super) fn cut_open(
        &mut self,
        memory: &mut Memory,
        open: &Open,
        offset: Offset,
        size: u64,
    ) -> Outcome<Self, Vec<(u64, Cell, Value)>> {
        self.need_inside(memory, open, offset, size)?;
        let (unit, scalar) = match (&open.first, open.writes.last()) {
            (First::Any(_, scalar), _) | (_, Some(Write::Element { scalar, .. })) => (open.unit, *scalar),
            _ => return Err(refused().into()),
        };
        if unit == 0 || !size.is_multiple_of(u64::from(unit)) || size / u64::from(unit) > MOST_WRITES as u64 {
            return Err(refused().into());
        }
        let start = self.element_at(offset, unit)?;
        let cell = Cell { scalar, size: unit };
        let mut cells = Vec::new();
        for at in 0..size / u64::from(unit) {
            let index = self.pool.add(&[start, self.pool.int(at as i64)]);
            cells.push((at * u64::from(unit), cell, self.read_open(memory, open, index, cell)?));
        }
        Ok(cells)
    }

    /// `memmove` of a number of bytes that is a term, between objects of unknown size.
    pub(super) fn copy_open_objects(
        &mut self,
        memory: &mut Memory,
        (target, to): (ObjectId, Offset),
        (source, from): (ObjectId, Offset),
        size: Term,
    ) -> Outcome<Self, ()> {
        let mut object = super::domain::writable(memory, target)?;
        let (Some(open), Some(other)) = (object.open.clone(), memory.object(source).open.clone()) else {
            return Err(refused().into());
        };
        for (open, offset) in [(&open, to), (&other, from)] {
            let inside = self.inside_by(open, offset, size);
            match self.settled(inside).or_else(|| memory.decided.get(&inside).copied()) {
                Some(true) => {}
                Some(false) => {
                    return Err(Fault::new(CheckKind::InvalidDeref, "access outside of the object")
                        .label("invalid access")
                        .into());
                }
                None => return Err(Trouble::Split(vec![inside, self.pool.not(inside)])),
            }
        }
        let unit = if other.unit == 0 { open.unit } else { other.unit };
        if unit == 0 {
            return Err(refused().into());
        }
        let mut open = Open::clone(&open);
        let unit = self.prepared(&mut open, unit)?;
        let (start, from, count) =
            (self.element_at(to, unit)?, self.element_at(from, unit)?, self.divided(size, unit)?);
        if to == Offset::Known(0) && open.size == size {
            open.writes.clear();
        }
        open.writes.push_back(Write::Copy { start, count, source: other, from });
        object.open = Some(Arc::new(open));
        memory.replace(target, object);
        Ok(())
    }

    pub(super) fn is_open_place(&self, memory: &Memory, pointer: &Value) -> bool {
        self.place(memory, pointer).is_ok_and(|(id, _)| memory.object(id).is_open())
    }

    /// `memmove` of a known number of bytes, where one of the objects has no known size.
    pub(super) fn copy_known(&mut self, memory: &mut Memory, to: &Value, from: &Value, size: u64) -> Outcome<Self, ()> {
        let (source, start) = self.place(memory, from)?;
        self.touch(source, false);
        let cells = match memory.object(source).open.clone() {
            Some(open) => self.cut_open(memory, &open, start, size)?,
            None => {
                let (source, start) = self.known_place(memory, from, size)?;
                let object = memory.object(source).clone();
                let cells = self.cut_out(&object, start, start + size)?;
                if cells.iter().map(|(_, cell)| u64::from(cell.size)).sum::<u64>() != size {
                    return Err(refused().into());
                }
                let whole = |(at, cell): (u64, super::memory::CellValue)| {
                    (at, Cell { scalar: cell.scalar, size: cell.size }, cell.value)
                };
                cells.into_iter().map(whole).collect()
            }
        };
        // All of it or nothing: what is done again must have had no effect.
        let mut changed = memory.clone();
        for (at, cell, value) in cells {
            use crate::domain::Domain;
            let place = self.offset(to, at as i64);
            self.store(&mut changed, &place, cell, &value)?;
        }
        *memory = changed;
        Ok(())
    }

    /// So many bytes at the offset are inside.
    fn inside_by(&self, open: &Open, offset: Offset, size: Term) -> Term {
        let (pool, offset) = (&self.pool, self.offset_term(offset));
        let end = pool.add(&[offset, size]);
        pool.and(&[pool.ge(offset, pool.int(0)), pool.ge(size, pool.int(0)), pool.ge(open.size, end)])
    }
}

impl Object {
    /// Its size is no constant.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }
}
