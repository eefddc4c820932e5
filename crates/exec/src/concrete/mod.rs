//! The concrete domain: machine values, mutable memory.

mod access;
mod arith;
mod explain;
mod interpretation;
mod memory;
mod numeric;
mod reach;
mod real;
#[cfg(test)]
mod tests;
mod value;

pub use memory::Memory;
pub use numeric::is_numeric;
pub use value::Value;

use crate::domain::{
    Allocation, Answer, Domain, Ending, FunctionValue, Outcome, Question, Recorded, RecordedEvent, Truth, is_recorded,
};
use crate::fault::Fault;
use crate::scalar::{BitCell, Cell, Scalar};
use access::canonical;
use arith::known;
use memory::Life;
use quod_base::{Rational, Span, Symbol};
use quod_model::ir::{Access, BinaryOp, DataModel, UnaryOp};
use quod_verdict::CheckKind;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::convert::Infallible;

pub use interpretation::{Interpretation, Interpretations};

/// Where values come from that the program does not determine.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// By the name of the input or function: taken in order, the last one again and again.
    pub given: FxHashMap<Symbol, VecDeque<InputValue>>,
    /// Random values from this seed; without one, zeros.
    pub seed: Option<u64>,
    /// Random values are whole numbers from zero to this one.
    pub most: Option<u64>,
    /// What `$abstract` functions give, by their names; those that are not listed give zero. Without this, they have no values.
    pub functions: Option<Interpretations>,
}

#[derive(Copy, Clone, Debug, PartialEq)]
pub enum InputValue {
    Int(i128),
    Float(f64),
    /// A real that no `double` is: numerator and denominator.
    Fraction(i64, i64),
}

pub struct Concrete {
    model: DataModel,
    maximal_bytes: u64,
    reals: Vec<Rational>,
    inputs: Inputs,
    random: u64,
    /// What was given without being asked for by name, in order, where someone wants to know.
    pub given: Option<Vec<(Symbol, InputValue)>>,
    /// Loads and stores, where someone asks for them.
    record: Option<Vec<Recorded>>,
}

impl Concrete {
    pub fn new(model: DataModel, maximal_bytes: u64, inputs: Inputs) -> Self {
        let random = inputs.seed.unwrap_or(0);
        Self { model, maximal_bytes, reals: Vec::new(), inputs, random, given: None, record: None }
    }

    #[cold]
    fn note(&mut self, memory: &Memory, pointer: &Value, size: u64, event: RecordedEvent) {
        let Some(object) = memory.find(pointer).and_then(|index| memory.objects.get(index)) else { return };
        if is_recorded(object.kind, object.name.is_some()) {
            let start = pointer.low.wrapping_sub(object.base);
            let noted = Recorded { object: object.base, start, end: start.saturating_add(size), event };
            self.record.get_or_insert_default().push(noted);
        }
    }

    fn next_random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.random;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    fn input(&mut self, name: Symbol) -> Option<InputValue> {
        let values = self.inputs.given.get_mut(&name)?;
        if values.len() > 1 { values.pop_front() } else { values.front().copied() }
    }
}

impl Domain for Concrete {
    type Value = Value;
    type Condition = Infallible;
    type Memory = Memory;

    fn record_accesses(&mut self) {
        self.record = Some(Vec::new());
    }

    fn take_record(&mut self) -> Vec<Recorded> {
        self.record.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn pointer_to(&mut self, memory: &Memory, address: u64) -> Option<Value> {
        let pointer = Value::small(address);
        let object = memory.objects.get(memory.find(&pointer)?)?;
        (object.is_live() && object.base == address).then_some(pointer)
    }

    fn has_record(&self) -> bool {
        self.record.as_ref().is_some_and(|record| !record.is_empty())
    }

    fn integer(&mut self, value: i128, scalar: Scalar) -> Value {
        match scalar {
            Scalar::Real => self.integer_real(value),
            _ => match scalar.float_format() {
                Some(format) => Value::wide(format.from_int(value, quod_base::int::IntFormat::signed(128))),
                None => canonical(value, scalar),
            },
        }
    }

    fn float(&mut self, bits: u128, text: &str, scalar: Scalar) -> Value {
        if scalar == Scalar::Real {
            let real = Self::parse_real(text).unwrap_or_else(|| Self::real_of_f64(f64::from_bits(bits as u64)));
            return self.real_value(real);
        }
        Value::wide(bits)
    }

    #[inline]
    fn known_integer(&self, value: &Value, scalar: Scalar) -> Option<i128> {
        Some(value.int(scalar))
    }

    fn known_float(&self, value: &Value, scalar: Scalar) -> Option<u128> {
        if scalar == Scalar::Real {
            return Some(self.real_to_f64(value).to_bits().into());
        }
        Some(value.bits())
    }

    #[inline(always)]
    fn truth(&mut self, _memory: &Memory, scalar: Scalar, value: &Value) -> Answer<Self> {
        known(match scalar {
            Scalar::I32 | Scalar::Pointer64 | Scalar::Bool => value.low != 0,
            _ => self.truth_of(scalar, value),
        })
    }

    #[inline(always)]
    fn truth_value(&mut self, truth: Answer<Self>, scalar: Scalar) -> Value {
        match truth {
            Truth::Known(truth) => match scalar {
                Scalar::Real => self.integer_real(i128::from(truth)),
                _ => Value::small(u64::from(truth)),
            },
            Truth::Unknown(never) => match never {},
        }
    }

    fn unknown(&mut self, _memory: &mut Memory, scalar: Scalar, name: Option<Symbol>) -> Outcome<Self> {
        let given = self.input(name.unwrap_or_else(|| Symbol::intern("any")));
        let is_float = scalar.float_format().is_some() || scalar == Scalar::Real;
        let value = match given {
            Some(given) => self.given_value(given, scalar),
            None if self.inputs.seed.is_none() => self.integer(0, scalar),
            None => {
                let bits = self.next_random();
                match scalar {
                    _ if let Some(most) = self.inputs.most.filter(|_| !scalar.is_pointer()) => {
                        let number = i128::from((bits >> 8) % most.saturating_add(1));
                        self.given_value(InputValue::Int(number), scalar)
                    }
                    // Small numbers are more interesting than large ones.
                    _ if is_float => self.given_value(InputValue::Float((bits as i64 >> 40) as f64 / 16.0), scalar),
                    Scalar::Bool => Value::small(bits & 1),
                    Scalar::Integer => Value::wide((i128::from(bits as i64) >> 48) as u128),
                    _ if scalar.is_pointer() => Value::default(),
                    _ if bits & 3 != 0 => canonical(i128::from(bits as i64 >> 32) >> (bits % 29), scalar),
                    _ => canonical(i128::from(bits), scalar),
                }
            }
        };
        let real = (scalar == Scalar::Real).then(|| self.real_to_f64(&value));
        if let Some(given) = &mut self.given {
            let name = name.unwrap_or_else(|| Symbol::intern("any"));
            given.push(match scalar.float_format() {
                Some(format) => (name, InputValue::Float(format.to_f64(value.bits()))),
                None if let Some(real) = real => (name, InputValue::Float(real)),
                None => (name, InputValue::Int(value.int(scalar))),
            });
        }
        Ok(value)
    }

    #[inline(always)]
    fn is_unset(&self, value: &Value) -> bool {
        value.low == 0
    }

    fn display(&self, value: &Value, scalar: Scalar) -> String {
        match scalar {
            Scalar::Real => self.real(value).to_string(),
            _ if scalar.is_pointer() && value.low == 0 => "null".into(),
            _ if scalar.is_pointer() => format!("{:#x}", value.low),
            _ => match (scalar.float_format(), scalar.int_format()) {
                (Some(format), _) => format.text(value.bits()),
                (None, Some(format)) => format.decimal(value.int(scalar)),
                _ => value.int(scalar).to_string(),
            },
        }
    }

    fn unary(&mut self, op: UnaryOp, scalar: Scalar, operand: &Value) -> Outcome<Self> {
        self.unary_value(op, scalar, operand)
    }

    #[inline(always)]
    fn binary(&mut self, op: BinaryOp, scalar: Scalar, left: &Value, right: &Value) -> Outcome<Self> {
        self.binary_value(op, scalar, left, right)
    }

    fn shift(&mut self, op: BinaryOp, scalar: Scalar, left: &Value, right: &Value, count: Scalar) -> Outcome<Self> {
        Ok(self.shift_value(op, scalar, left, right, count))
    }

    #[inline(always)]
    fn compare(&mut self, op: BinaryOp, scalar: Scalar, left: &Value, right: &Value) -> Answer<Self> {
        known(self.compare_values(op, scalar, left, right))
    }

    #[inline(always)]
    fn convert(&mut self, from: Scalar, to: Scalar, value: &Value) -> Outcome<Self> {
        self.convert_value(from, to, value)
    }

    fn numeric(&mut self, name: &str, scalars: &[Scalar], operands: &[Value], result: Scalar) -> Option<Outcome<Self>> {
        match name.strip_prefix(crate::code::ABSTRACT) {
            Some(name) => self.interpreted(name, scalars, operands, result),
            None => numeric::evaluate(self, name, scalars, operands, result),
        }
    }

    #[inline(always)]
    fn ask(&mut self, memory: &Memory, question: &Question<Value>) -> Answer<Self> {
        known(match question {
            Question::FitsBinary { op, scalar, left, right } => self.fits_binary(*op, *scalar, left, right),
            Question::ValidAccess { pointer, size, access } => {
                size.low == 0 || memory.locate(pointer, size.low, *access).is_ok()
            }
            Question::ValidPointerAdd { pointer, index, index_scalar, element } => {
                explain::is_valid_add(memory, pointer, index.int(*index_scalar), *element)
            }
            Question::InitialisedRegister { flag } => flag.low != 0,
            _ => explain::answer(self, memory, question),
        })
    }

    fn explain(&mut self, memory: &Memory, question: &Question<Value>, fault: Fault) -> Fault {
        explain::explain(self, memory, question, fault)
    }

    fn new_memory(&mut self) -> Memory {
        Memory::new(self.model == DataModel::Lp64, self.maximal_bytes)
    }

    fn allocate(&mut self, memory: &mut Memory, size: u64, allocation: &Allocation) -> Outcome<Self> {
        match memory.allocate(size, allocation) {
            Some(pointer) => Ok(pointer),
            None => Err(Fault::new(
                CheckKind::Unsupported,
                format!("no memory is left for an object of {size} bytes ({} bytes are in use)", memory.live_bytes),
            )
            .into()),
        }
    }

    fn release(&mut self, memory: &mut Memory, pointer: &Value, ending: Ending, span: Span) -> Outcome<Self, ()> {
        if let Some(index) = memory.find(pointer)
            && memory.objects.get(index).is_some_and(|object| object.life == Life::Live)
        {
            if self.record.is_some() {
                self.note(memory, pointer, 0, RecordedEvent::Gone);
            }
            memory.release(index, ending, span);
        }
        Ok(())
    }

    fn make_constant(&mut self, memory: &mut Memory, pointer: &Value) {
        if let Some(index) = memory.find(pointer) {
            memory.objects[index].is_constant = true;
        }
    }

    fn resize(&mut self, memory: &mut Memory, pointer: &Value, size: u64) -> Outcome<Self, ()> {
        let (index, _) = memory.locate(pointer, 0, Access::Write)?;
        if self.record.is_some() {
            self.note(memory, pointer, size, RecordedEvent::Write);
        }
        memory.resize(index, size);
        Ok(())
    }

    fn make_undefined(&mut self, memory: &mut Memory, pointer: &Value, _size: u64) {
        if let Some(index) = memory.find(pointer) {
            memory.objects[index].mark_unwritten();
        }
    }

    fn function_pointer(&mut self, memory: &mut Memory, function: FunctionValue, name: Symbol) -> Value {
        memory.function_pointer(function, name)
    }

    fn function_at(&mut self, memory: &Memory, pointer: &Value) -> Option<FunctionValue> {
        let object = memory.objects.get(memory.find(pointer)?)?;
        object.function.filter(|_| object.base == pointer.low)
    }

    fn extent(&mut self, memory: &Memory, pointer: &Value) -> Option<u64> {
        let object = memory.objects.get(memory.find(pointer)?)?;
        let offset = pointer.low.wrapping_sub(object.base);
        (object.is_live() && offset <= object.size).then(|| object.size - offset)
    }

    fn keep_rows(&mut self, memory: &mut Memory, pointer: &Value, rows: &[u64]) {
        if let Some(object) = memory.find(pointer).and_then(|index| memory.objects.get_mut(index)) {
            object.rows = Some(rows.into());
        }
    }

    fn rows(&mut self, memory: &Memory, pointer: &Value) -> Option<Vec<u64>> {
        Some(memory.objects.get(memory.find(pointer)?)?.rows.as_ref()?.to_vec())
    }

    fn origin(&mut self, memory: &Memory, pointer: &Value) -> Option<(Option<Symbol>, Span, u64)> {
        let object = memory.objects.get(memory.find(pointer)?)?;
        Some((object.name, object.span, pointer.low.wrapping_sub(object.base)))
    }

    fn heap_objects(&self, memory: &Memory) -> Vec<(Span, u64)> {
        memory
            .objects
            .iter()
            .filter(|object| object.is_live() && object.kind == crate::domain::ObjectKind::Heap)
            .map(|object| (object.span, object.size))
            .collect()
    }

    #[inline(always)]
    fn load(&mut self, memory: &mut Memory, pointer: &Value, cell: Cell) -> Outcome<Self> {
        if self.record.is_some() {
            self.note(memory, pointer, cell.size.into(), RecordedEvent::Read);
        }
        self.load_value(memory, pointer, cell)
    }

    #[inline(always)]
    fn store(&mut self, memory: &mut Memory, pointer: &Value, cell: Cell, value: &Value) -> Outcome<Self, ()> {
        if self.record.is_some() {
            self.note(memory, pointer, cell.size.into(), RecordedEvent::Write);
        }
        self.store_value(memory, pointer, cell, value)
    }

    fn load_bits(&mut self, memory: &mut Memory, pointer: &Value, cell: BitCell) -> Outcome<Self> {
        if self.record.is_some() {
            self.note(memory, pointer, cell.bytes(), RecordedEvent::Read);
        }
        self.load_bit_field(memory, pointer, cell)
    }

    fn store_bits(&mut self, memory: &mut Memory, pointer: &Value, cell: BitCell, value: &Value) -> Outcome<Self, ()> {
        if self.record.is_some() {
            self.note(memory, pointer, cell.bytes(), RecordedEvent::Write);
        }
        self.store_bit_field(memory, pointer, cell, value)
    }

    fn copy(&mut self, memory: &mut Memory, to: &Value, from: &Value, size: u64) -> Outcome<Self, ()> {
        if self.record.is_some() {
            self.note(memory, from, size, RecordedEvent::Read);
            self.note(memory, to, size, RecordedEvent::Write);
        }
        self.copy_bytes(memory, to, from, size)
    }

    fn fill(&mut self, memory: &mut Memory, to: &Value, byte: u8, size: u64) -> Outcome<Self, ()> {
        if self.record.is_some() {
            self.note(memory, to, size, RecordedEvent::Write);
        }
        self.fill_bytes(memory, to, byte, size)
    }

    fn renew(&mut self, memory: &mut Memory, pointer: &Value, size: u64) -> Outcome<Self, ()> {
        let index = memory.find(pointer).filter(|_| memory.is_wide());
        let Some(index) = index else {
            return Err(Fault::unsupported("a global array of variable length with narrow addresses").into());
        };
        let object = &mut memory.objects[index];
        object.size = size;
        object.bytes = vec![0; size as usize];
        object.written = Vec::new();
        object.cells = None;
        Ok(())
    }

    /// Bytes, and what ideal numbers keep beside them.
    fn same_contents(
        &mut self,
        memory: &mut Memory,
        left: &Value,
        right: &Value,
        size: u64,
    ) -> Outcome<Self, crate::domain::Answer<Self>> {
        let (a, a_start) = memory.locate(left, size, Access::Read)?;
        let (b, b_start) = memory.locate(right, size, Access::Read)?;
        let (a, b) = (&memory.objects[a], &memory.objects[b]);
        let mut is_same = true;
        for at in 0..size as usize {
            let cells = [(a, a_start), (b, b_start)].map(|(object, start)| {
                object.cells.as_ref().and_then(|cells| cells.get(&((start + at) as u64))).copied()
            });
            is_same &= match cells {
                [Some((x, from)), Some((y, _))] => match from.scalar {
                    Scalar::Real => self.real(&x) == self.real(&y),
                    _ => x == y,
                },
                [None, None] => a.bytes[a_start + at] == b.bytes[b_start + at],
                _ => return Err(Fault::unsupported("`$equals` of objects of different kinds").into()),
            };
        }
        Ok(Truth::Known(is_same))
    }

    fn read_bytes(&mut self, memory: &mut Memory, from: &Value, size: u64) -> Outcome<Self, Vec<u8>> {
        if size == 0 {
            return Ok(Vec::new());
        }
        let (index, offset) = memory.locate(from, size, Access::Read)?;
        if self.record.is_some() {
            self.note(memory, from, size, RecordedEvent::Read);
        }
        Ok(memory.objects[index].bytes[offset..offset + size as usize].to_vec())
    }

    fn write_bytes(&mut self, memory: &mut Memory, to: &Value, bytes: &[u8]) -> Outcome<Self, ()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (index, offset) = memory.locate(to, bytes.len() as u64, Access::Write)?;
        if self.record.is_some() {
            self.note(memory, to, bytes.len() as u64, RecordedEvent::Write);
        }
        let object = &mut memory.objects[index];
        object.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        access::mark_range(object, offset, bytes.len());
        object.clear_cells(offset as u64, bytes.len() as u64);
        Ok(())
    }

    fn read_string(&mut self, memory: &mut Memory, from: &Value, limit: u64) -> Outcome<Self, Vec<u8>> {
        let (index, offset) = memory.locate(from, u64::from(limit > 0), Access::Read)?;
        let object = &memory.objects[index];
        let rest = &object.bytes[offset..];
        let within = &rest[..rest.len().min(usize::try_from(limit).unwrap_or(usize::MAX))];
        let length = within.iter().position(|&byte| byte == 0);
        if self.record.is_some() {
            let size = length.map_or(within.len(), |length| length + 1) as u64;
            self.note(memory, from, size, RecordedEvent::Read);
        }
        match length {
            Some(length) => {
                if let Some(unset) = (0..=length).find(|i| !object.is_written(offset + i, 1)) {
                    return Err(Fault::new(CheckKind::Uninitialised, "a string is read that was never set")
                        .label(format!("byte {unset} of the string has no value"))
                        .place(object.span, "its memory comes from here")
                        .into());
                }
                Ok(rest[..length].to_vec())
            }
            None if within.len() as u64 == limit => Ok(within.to_vec()),
            None => Err(memory
                .bad_access(&Value { low: object.base + object.size, high: from.high }, 1, Access::Read)
                .into()),
        }
    }

    fn null(&mut self) -> Value {
        Value::default()
    }

    #[inline(always)]
    fn offset(&mut self, pointer: &Value, bytes: i64) -> Value {
        let low = pointer.low.wrapping_add(bytes as u64);
        Value { low: if self.model == DataModel::Lp64 { low } else { low & 0xffff_ffff }, high: pointer.high }
    }

    #[inline(always)]
    fn index(&mut self, pointer: &Value, index: &Value, scalar: Scalar, element: u64) -> Outcome<Self> {
        let index = if scalar == Scalar::Integer { index.low } else { index.low };
        let low = pointer.low.wrapping_add(index.wrapping_mul(element));
        Ok(Value { low: if self.model == DataModel::Lp64 { low } else { low & 0xffff_ffff }, high: pointer.high })
    }

    fn difference(&mut self, left: &Value, right: &Value, element: u64, scalar: Scalar) -> Outcome<Self> {
        let distance = left.low.wrapping_sub(right.low) as i64;
        let distance = if self.model == DataModel::Lp64 { distance } else { i64::from(distance as i32) };
        Ok(canonical(i128::from(distance / element.max(1) as i64), scalar))
    }
}
