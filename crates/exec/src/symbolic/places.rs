//! Where a pointer leads: offsets, addresses as numbers, the places of an object that an access may touch.

use super::domain::BYTE;
use super::footprint::{Touch, Touched};
use super::memory::{Base, Memory, Object, ObjectId};
use super::terms::SymbolicDomain;
use super::value::{Offset, Pointer, Target, Value};
use crate::domain::{Answer, Domain, Outcome, Recorded, RecordedEvent, Truth, is_recorded};
use crate::fault::{Fault, Trouble};
use crate::scalar::{BitCell, Cell, Scalar};
use quod_base::Id;
use quod_model::ir::{BinaryOp, DataModel};
use quod_term::{Sort, Term};
use quod_verdict::CheckKind;

/// What the names of symbols begin with that stand for the address of an object, for an unknown pointer that is not null, and
/// for two objects in the same place. No name of a program has an ampersand.
const ADDRESS: &str = "&address!";
const WILD: &str = "&wild!";
/// The same for addresses of functions and of pointers that were never set, as numbers.
const CODE: &str = "&code!";
const NUMBER: &str = "&number!";
const SAME: &str = "&same!";
/// More places than this that a symbolic offset could mean are not enumerated.
pub(super) const MOST_PLACES: u64 = 1024;

/// A symbol that stands for something about pointers.
pub(super) enum Placed {
    Address(ObjectId),
    Wild(u32),
    /// The address of a function.
    Code(u32),
    /// A pointer that was never set, as a number.
    Number(u32),
    Same(ObjectId, ObjectId),
}

impl SymbolicDomain {
    pub(super) fn offset_scalar(&self) -> Scalar {
        if self.is_ideal {
            Scalar::Integer
        } else if self.data_model == DataModel::Ilp32 {
            Scalar::I32
        } else {
            Scalar::I64
        }
    }

    pub(super) fn offset_term(&self, offset: Offset) -> Term {
        match offset {
            Offset::Known(bytes) => self.integer_term(i128::from(bytes), self.offset_scalar()),
            Offset::Term { term, .. } => term,
        }
    }

    pub(super) fn number(&self, value: &Value) -> Result<Term, Fault> {
        match value {
            Value::Number(term) => Ok(*term),
            Value::Pointer(Pointer { target: Target::Null, offset: Offset::Known(address) }) => {
                Ok(self.integer_term(i128::from(*address), self.address_scalar()))
            }
            Value::Pointer(pointer) => self.address_of(pointer),
            Value::Unset => {
                Err(Fault::new(CheckKind::Uninitialised, "a value that was never set is used")
                    .label("this has no value"))
            }
        }
    }

    /// The address as a number: that of the object, which nobody knows, and the offset.
    pub(super) fn address_of(&self, pointer: &Pointer) -> Result<Term, Fault> {
        if self.is_ideal {
            return Err(Fault::unsupported("computing with the address of an object"));
        }
        // Any number: there is no way back from it.
        let kind = self.sort(self.address_scalar());
        let base = match pointer.target {
            Target::Object(_) => None,
            Target::Null => Some(self.pool.bv(self.pool.width(self.offset_term(pointer.offset)), 0)),
            Target::Function(index) => Some(self.pool.symbol(format!("{CODE}{index}").as_str(), kind)),
            Target::Wild(id) => Some(self.pool.symbol(format!("{NUMBER}{id}").as_str(), kind)),
        };
        if let Some(base) = base {
            return Ok(self.pool.bv_add(base, self.offset_term(pointer.offset)));
        }
        let Target::Object(id) = pointer.target else {
            return Err(Fault::unsupported("computing with the address of this"));
        };
        self.note_address();
        let kind = self.address_scalar();
        let base = self.pool.symbol(format!("{ADDRESS}{}", id.index()).as_str(), self.sort(kind));
        Ok(self.pool.bv_add(base, self.offset_term(pointer.offset)))
    }

    /// The object whose address a symbol stands for.
    pub(super) fn addressed(&self, symbol: Term) -> Option<ObjectId> {
        let name = self.pool.symbol_name(symbol)?;
        name.as_str().strip_prefix(ADDRESS)?.parse().ok().map(ObjectId::from_index)
    }

    /// What a symbol says of pointers. The same pointers give the same symbol again, so that what a path has found out about
    /// it belongs to every state that holds them.
    pub(super) fn placed(&self, symbol: Term) -> Option<Placed> {
        let name = self.pool.symbol_name(symbol)?;
        let name = name.as_str();
        if !name.starts_with('&') {
            return None;
        }
        let object = |text: &str| text.parse().ok().map(ObjectId::from_index);
        if let Some(number) = name.strip_prefix(ADDRESS) {
            return object(number).map(Placed::Address);
        }
        let kinds: [(&str, fn(u32) -> Placed); 3] =
            [(WILD, Placed::Wild), (CODE, Placed::Code), (NUMBER, Placed::Number)];
        for (prefix, kind) in kinds {
            if let Some(number) = name.strip_prefix(prefix) {
                return number.parse().ok().map(kind);
            }
        }
        let (a, b) = name.strip_prefix(SAME)?.split_once('!')?;
        Some(Placed::Same(object(a)?, object(b)?))
    }

    /// The pointer that a computed address is: one object's address, and how far from it.
    pub(super) fn pointed_to(&self, address: Term) -> Option<Pointer> {
        let zero = self.pool.bv(self.pool.width(address), 0);
        if let Some(id) = self.addressed(address) {
            return Some(Pointer::to_object(id));
        }
        if self.pool.op(address) != quod_term::Op::BvAdd {
            return None;
        }
        let parts = self.pool.args(address);
        let mut objects = parts.iter().filter_map(|&part| self.addressed(part));
        let (id, None) = (objects.next()?, objects.next()) else { return None };
        let rest = parts.iter().filter(|&&part| self.addressed(part).is_none());
        let offset = rest.fold(zero, |sum, &part| self.pool.bv_add(sum, part));
        let symbols = self.pool.free_symbols(&[offset]);
        if symbols.iter().any(|&symbol| self.addressed(symbol).is_some()) {
            return None;
        }
        let offset = match self.known_signed(offset) {
            Some(bytes) => Offset::Known(bytes),
            None => Offset::Term { term: offset, stride: 1, residue: 0 },
        };
        Some(Pointer { target: Target::Object(id), offset })
    }

    /// The pointer is not null.
    pub(super) fn is_set(&self, pointer: &Pointer) -> Term {
        match pointer.target {
            Target::Null => {
                let zero = self.integer_term(0, self.offset_scalar());
                self.pool.not(self.pool.eq(self.offset_term(pointer.offset), zero))
            }
            Target::Wild(id) => self.pool.symbol(format!("{WILD}{id}").as_str(), Sort::BOOL),
            Target::Object(_) | Target::Function(_) => self.pool.true_(),
        }
    }

    /// When pointers to two objects are equal, if ever.
    pub(super) fn may_coincide(&self, memory: &Memory, left: &Pointer, right: &Pointer) -> Option<Term> {
        let (Target::Object(a), Target::Object(b)) = (left.target, right.target) else { return None };
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let may_be_there = || self.pool.symbol(format!("{SAME}{}!{}", a.index(), b.index()).as_str(), Sort::BOOL);
        // What lived before the other was made lives elsewhere, as long as it lives.
        if !memory.object(a).is_live() {
            return Some(may_be_there());
        }
        let is_next = |first: &Pointer, size: Term, second: &Pointer| {
            let end = self.pool.eq(self.offset_term(first.offset), size);
            let start = self.pool.eq(self.offset_term(second.offset), self.offset_term(Offset::Known(0)));
            self.pool.and2(end, start)
        };
        let size = |pointer: &Pointer| match pointer.target {
            Target::Object(id) => self.length_term(memory.object(id)),
            _ => self.offset_term(Offset::Known(0)),
        };
        let either = self.pool.or2(is_next(left, size(left), right), is_next(right, size(right), left));
        (either != self.pool.false_()).then(|| self.pool.and2(either, may_be_there()))
    }

    pub(super) fn is_zero(&self, value: &Value) -> bool {
        matches!(value, Value::Number(term) if self.known(*term, Scalar::U64) == Some(0))
    }

    /// The value of a condition that is a constant.
    pub(super) fn settled(&self, condition: Term) -> Option<bool> {
        self.pool.value(condition).and_then(quod_term::Value::as_bool)
    }

    /// Notes that all of an object is looked at or changed.
    pub(super) fn touch(&mut self, object: ObjectId, is_write: bool) {
        self.note_touch(Touch { object, start: 0, end: u64::MAX, is_write });
    }

    /// Notes that the life, the size or the shape of an object is looked at.
    pub(super) fn touch_shape(&mut self, object: ObjectId) {
        self.note_touch(Touch { object, start: Touch::SHAPE, end: u64::MAX, is_write: false });
    }

    /// Notes that bytes of an object are looked at or changed.
    pub(super) fn touch_part(&mut self, object: ObjectId, offset: Offset, size: u64, is_write: bool) {
        let (start, end) = match offset {
            Offset::Known(start) if start >= 0 => (start as u64, (start as u64).saturating_add(size)),
            _ => (0, Touch::SHAPE),
        };
        self.note_touch(Touch { object, start, end, is_write });
    }

    fn note_touch(&mut self, touch: Touch) {
        if self.footprint.is_kept && self.footprint.touched.last() != Some(&touch) {
            self.footprint.touched.push(touch);
        }
    }

    /// Notes a load or a store.
    pub(super) fn access(&mut self, memory: &Memory, object: ObjectId, offset: Offset, size: u64, is_write: bool) {
        if !self.footprint.keeps_accesses {
            return;
        }
        let (start, end, is_exact) = match offset {
            Offset::Known(start) => (start as u64, start as u64 + size, true),
            Offset::Term { .. } => (0, memory.object(object).size, false),
        };
        self.footprint.accesses.push(Touched { object, start, end, is_write, is_exact, size, is_part: false });
    }

    /// Records an access where the program asks for it: the bytes must be known.
    pub(super) fn record(
        &mut self,
        memory: &Memory,
        pointer: &Value,
        size: u64,
        event: RecordedEvent,
    ) -> Result<(), Trouble<Term>> {
        if self.footprint.record.is_none() {
            return Ok(());
        }
        let Ok((id, offset)) = self.place(memory, pointer) else { return Ok(()) };
        let object = memory.object(id);
        if !is_recorded(object.kind, object.name.is_some()) {
            return Ok(());
        }
        let (start, event) = match offset {
            _ if event == RecordedEvent::Gone => (0, event),
            _ if object.is_open() => (0, RecordedEvent::Somewhere),
            Offset::Known(start) => (start.max(0) as u64, event),
            Offset::Term { .. } => (self.known_place(memory, pointer, 0)?.1, event),
        };
        let base = (quod_base::Id::index(id) as u64 + 1) << 32;
        let noted = Recorded { object: base, start, end: start.saturating_add(size), event };
        self.footprint.record.get_or_insert_default().push(noted);
        Ok(())
    }

    /// The object and the offset that an access goes to.
    pub(super) fn place(&self, memory: &Memory, pointer: &Value) -> Result<(ObjectId, Offset), Fault> {
        let invalid = |text: &str| Fault::new(CheckKind::InvalidDeref, text.to_owned()).label("invalid access");
        let Value::Pointer(pointer) = pointer else { return Err(invalid("access through a number")) };
        let Target::Object(id) = pointer.target else {
            return Err(invalid(match pointer.target {
                Target::Null => "access through a null pointer",
                Target::Function(_) => "access to the bytes of a function",
                _ => "access through a pointer that was never set",
            }));
        };
        let object = memory.object(id);
        if let Some((_, span)) = object.ending {
            return Err(invalid("access to an object that is gone")
                .place(object.span, "it was made here")
                .place(span, "its life ended here"));
        }
        let offset = match pointer.offset {
            Offset::Term { term, .. } => memory.known.get(&term).map_or(pointer.offset, |&bytes| Offset::Known(bytes)),
            known => known,
        };
        Ok((id, offset))
    }

    pub(super) fn in_bounds(&self, object: &Object, offset: i64, size: u64) -> Result<u64, Fault> {
        if object.is_open() {
            return Err(super::open::refused());
        }
        match u64::try_from(offset) {
            Ok(offset) if offset.checked_add(size).is_some_and(|end| end <= object.size) => Ok(offset),
            _ => Err(Fault::new(CheckKind::InvalidDeref, "access outside of the object")
                .label(format!("{size} bytes at offset {offset} of an object of {} bytes", object.size))
                .place(object.span, "the object")),
        }
    }

    /// The offsets that a symbolic one can mean for an access of `size` bytes.
    pub(super) fn places(&self, object: &Object, stride: u64, residue: u64, size: u64) -> Result<Vec<u64>, Fault> {
        let stride = stride.max(1);
        let count = self.count_places(object, stride, residue, size);
        if count > MOST_PLACES || object.length.is_some() {
            return Err(Fault::unsupported(format!("an unknown index into an object of {} bytes", object.size)));
        }
        Ok((0..count).map(|i| residue + i * stride).collect())
    }

    /// An access at a symbolic offset is right only where it stays inside; where no check has said so, paths part.
    pub(super) fn need_in_bounds(&self, memory: &Memory, id: ObjectId, offset: Offset, size: u64) -> Outcome<Self, ()> {
        if memory.object(id).is_open() {
            return Err(super::open::refused().into());
        }
        let outside = || Fault::new(CheckKind::InvalidDeref, "access outside of the object").label("invalid access");
        let last = i128::from(memory.object(id).size).checked_sub(i128::from(size)).filter(|&last| last >= 0);
        last.ok_or_else(outside)?;
        let inside = self.inside(memory.object(id), offset, i128::from(size));
        match self.settled(inside).or_else(|| memory.decided.get(&inside).copied()) {
            Some(true) => Ok(()),
            Some(false) => Err(outside().into()),
            None => Err(Trouble::Split(vec![inside, self.pool.not(inside)])),
        }
    }

    /// As `need_in_bounds`, for an offset that is within the largest size.
    pub(super) fn need_length(&self, memory: &Memory, id: ObjectId, offset: Offset, size: u64) -> Outcome<Self, ()> {
        if memory.object(id).length.is_some() { self.need_in_bounds(memory, id, offset, size) } else { Ok(()) }
    }

    /// The size of an object as an offset.
    pub(super) fn length_term(&self, object: &Object) -> Term {
        object.length.unwrap_or_else(|| self.offset_term(Offset::Known(object.size as i64)))
    }

    /// So many bytes from the offset on are inside of the object.
    pub(super) fn inside(&self, object: &Object, offset: Offset, size: i128) -> Term {
        let last = i128::from(object.size) - size;
        if last < 0 {
            return self.pool.false_();
        }
        let Some(length) = object.length else { return self.within(offset, last) };
        let kind = self.offset_scalar();
        let (start, zero) = (self.offset_term(offset), self.zero_term(kind));
        // A length is not negative, and neither is what is left of it where the access is inside.
        let Some(last) = self.binary_term(BinaryOp::Subtract, kind, length, self.integer_term(size, kind)) else {
            return self.pool.false_();
        };
        let above = self.compare_term(BinaryOp::GreaterEqual, kind, start, zero);
        self.pool.and2(above, self.compare_term(BinaryOp::LessEqual, kind, start, last))
    }

    fn count_places(&self, object: &Object, stride: u64, residue: u64, size: u64) -> u64 {
        let last = object.size.checked_sub(size);
        last.map_or(0, |last| if last < residue { 0 } else { (last - residue) / stride.max(1) + 1 })
    }

    /// There is no choice between all the places that the access may go to.
    pub(super) fn has_many_places(&self, object: &Object, stride: u64, residue: u64, size: u64) -> bool {
        object.length.is_some() || self.count_places(object, stride, residue, size) > MOST_PLACES
    }

    /// The object is looked at as an array.
    pub(super) fn prefers_grid(&self, object: &Object, stride: u64, residue: u64, size: u64) -> bool {
        matches!(object.base, Base::Grid(_))
            || object.length.is_some()
            || self.count_places(object, stride, residue, size) > self.most_choices
    }

    pub(super) fn at(&self, term: Term, offset: u64) -> Term {
        self.pool.eq(term, self.integer_term(i128::from(offset), self.offset_scalar()))
    }

    pub(super) fn known_place(&self, memory: &Memory, pointer: &Value, size: u64) -> Outcome<Self, (ObjectId, u64)> {
        let (id, offset) = self.place(memory, pointer)?;
        match offset {
            Offset::Known(bytes) => {
                let at = self.in_bounds(memory.object(id), bytes, size)?;
                self.need_length(memory, id, offset, size)?;
                Ok((id, at))
            }
            Offset::Term { term, stride, residue } => {
                self.need_in_bounds(memory, id, offset, size)?;
                let places = self.places(memory.object(id), stride, residue, size)?;
                Err(Trouble::Split(places.into_iter().map(|offset| self.at(term, offset)).collect()))
            }
        }
    }

    /// A value for bytes that were never written and are read all the same: anything, but the same when read again.
    pub(super) fn indeterminate(&self, memory: &mut Memory, scalar: Scalar) -> Value {
        if scalar.is_pointer() {
            memory.fresh += 1;
            return Value::Pointer(Pointer { target: Target::Wild(memory.fresh as u32), offset: Offset::Known(0) });
        }
        Value::Number(self.fresh(memory, "undefined", scalar))
    }

    pub(super) fn load_known(
        &mut self,
        memory: &mut Memory,
        id: ObjectId,
        offset: u64,
        cell: Cell,
    ) -> Result<Value, Fault> {
        let object = memory.shared(id);
        let value = self.read_cell(&object, offset, cell)?;
        if let Value::Number(term) = value
            && !memory.known.is_empty()
            && let Some(&known) = memory.known.get(&term)
        {
            return Ok(Value::Number(self.integer_term(i128::from(known), cell.scalar)));
        }
        if value != Value::Unset {
            return Ok(value);
        }
        let value = self.indeterminate(memory, cell.scalar);
        self.write_cell(memory.object_mut(id), offset, cell, value.clone())?;
        Ok(value)
    }

    pub(super) fn answer(&self, condition: Term) -> Answer<Self> {
        if condition == self.pool.true_() {
            Truth::Known(true)
        } else if condition == self.pool.false_() {
            Truth::Known(false)
        } else {
            Truth::Unknown(condition)
        }
    }

    pub(super) fn moved(&self, pointer: &Pointer, bytes: i64) -> Pointer {
        let offset = match pointer.offset {
            Offset::Known(known) => Offset::Known(known.wrapping_add(bytes)),
            Offset::Term { term, stride, residue } => {
                let kind = self.offset_scalar();
                let by = self.integer_term(i128::from(bytes), kind);
                let residue = (residue as i64).wrapping_add(bytes).rem_euclid(stride.max(1) as i64) as u64;
                let sum = self.binary_term(BinaryOp::Add, kind, term, by);
                sum.map_or(pointer.offset, |term| Offset::Term { term, stride, residue })
            }
        };
        Pointer { target: pointer.target, offset }
    }

    /// The bytes that hold a bit-field, as one bit-vector; bytes that were never written get a value.
    pub(super) fn field_bytes(
        &mut self,
        memory: &mut Memory,
        object: &Object,
        offset: u64,
        cell: BitCell,
    ) -> Result<Term, Fault> {
        let mut all: Option<Term> = None;
        for at in offset..offset + cell.bytes() {
            let byte = match self.read_cell(object, at, BYTE)? {
                Value::Number(term) => term,
                Value::Unset => self.fresh(memory, "undefined", Scalar::U8),
                Value::Pointer(_) => return Err(Fault::unsupported("a bit-field over a pointer")),
            };
            all = Some(all.map_or(byte, |low| self.pool.concat(byte, low)));
        }
        all.ok_or_else(|| Fault::unsupported("an empty bit-field"))
    }

    pub(super) fn known_byte(&mut self, object: &Object, at: u64) -> Result<u8, Fault> {
        let value = self.read_cell(object, at, BYTE)?;
        let known = self.known_integer(&value, Scalar::U8);
        known.map(|byte| byte as u8).ok_or_else(|| Fault::unsupported("a library function on bytes that are not known"))
    }
}
