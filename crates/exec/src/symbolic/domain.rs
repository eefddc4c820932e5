//! `Domain` for terms: each operation in the words of the other files of this folder.

use super::memory::{ArrayInput, Base, Input, Memory, Object, ObjectId};
use super::open::{LARGE, Open, refused};
use super::terms::SymbolicDomain;
use super::value::{Offset, Pointer, Target, Value};
use crate::domain::{
    Allocation, Answer, Domain, Ending, FunctionValue, ObjectKind, Outcome, Question, RecordedEvent, Truth,
};
use crate::fault::{Fault, Trouble};
use crate::scalar::{BitCell, Cell, Scalar};
use imbl::OrdMap;
use num_integer::gcd;
use quod_base::{Id, Span, Symbol};
use quod_model::ir::{BinaryOp, UnaryOp};
use quod_term::Term;
use quod_verdict::CheckKind;
use std::sync::Arc;

impl Domain for SymbolicDomain {
    type Value = Value;
    type Condition = Term;
    type Memory = Memory;

    const HAS_UNSET: bool = true;

    fn undefined(&mut self, memory: &mut Memory, scalar: Scalar) -> Value {
        if self.keeps_undefined { Value::Unset } else { self.indeterminate(memory, scalar) }
    }

    fn integer(&mut self, value: i128, scalar: Scalar) -> Value {
        if scalar.is_pointer() {
            return Value::Pointer(Pointer { target: Target::Null, offset: Offset::Known(value as i64) });
        }
        Value::Number(self.integer_term(value, scalar))
    }

    fn float(&mut self, bits: u128, text: &str, scalar: Scalar) -> Value {
        Value::Number(self.float_term(bits, text, scalar))
    }

    fn known_integer(&self, value: &Value, scalar: Scalar) -> Option<i128> {
        match value {
            Value::Number(term) => self.known(*term, scalar),
            Value::Pointer(Pointer { target: Target::Null, offset: Offset::Known(address) }) => {
                Some(i128::from(*address))
            }
            // A name for the place, by which the library keeps what belongs to it; no one computes with it.
            Value::Pointer(Pointer { target: Target::Object(id), offset: Offset::Known(offset) })
                if scalar.is_pointer() =>
            {
                Some((id.index() as i128 + 1) << 32 | i128::from(*offset as u32))
            }
            _ => None,
        }
    }

    fn known_float(&self, value: &Value, scalar: Scalar) -> Option<u128> {
        let Value::Number(term) = value else { return None };
        self.known_float_bits(*term, scalar)
    }

    fn truth(&mut self, memory: &Memory, scalar: Scalar, value: &Value) -> Answer<Self> {
        if let Value::Number(term) = value
            && let Some(number) = self.small_number(*term, scalar)
        {
            return Truth::Known(number != 0);
        }
        let condition = match value {
            Value::Number(term) => self.pool.not(self.equal(scalar, *term, self.zero_term(scalar))),
            Value::Pointer(pointer) => self.is_set(pointer),
            Value::Unset => self.pool.fresh_symbol("unset", quod_term::Sort::BOOL),
        };
        match self.answer(condition) {
            Truth::Unknown(condition) => {
                memory.decided.get(&condition).map_or(Truth::Unknown(condition), |&value| Truth::Known(value))
            }
            known => known,
        }
    }

    fn truth_value(&mut self, truth: Answer<Self>, scalar: Scalar) -> Value {
        let condition = match truth {
            Truth::Known(value) => self.pool.bool(value),
            Truth::Unknown(condition) => condition,
        };
        Value::Number(self.from_condition(condition, scalar))
    }

    fn unknown(&mut self, memory: &mut Memory, scalar: Scalar, name: Option<Symbol>) -> Outcome<Self> {
        if scalar.is_pointer() {
            let value = self.indeterminate(memory, scalar);
            let term = self.fresh(memory, "pointer", self.offset_scalar());
            memory.inputs.push_back(Input { name, scalar, term, guard: None, array: None });
            return Ok(value);
        }
        let term = self.fresh(memory, name.map_or("any", Symbol::as_str), scalar);
        memory.inputs.push_back(Input { name, scalar, term, guard: None, array: None });
        if scalar == Scalar::Bool {
            self.assume(memory, self.pool.bv_ule(term, self.integer_term(1, scalar)));
        }
        Ok(Value::Number(term))
    }

    fn assume_between(&mut self, memory: &mut Memory, value: &Value, scalar: Scalar, (low, high): (i128, i128)) {
        if let Value::Number(term) = value {
            for (op, limit) in [(BinaryOp::GreaterEqual, low), (BinaryOp::LessEqual, high)] {
                let limit = self.integer_term(limit, scalar);
                let condition = self.compare_term(op, scalar, *term, limit);
                self.assume(memory, condition);
            }
        }
    }

    fn is_unset(&self, value: &Value) -> bool {
        *value == Value::Unset
    }

    fn may_name_scope(&self, value: &Value, scope: crate::state::EnvironmentId) -> bool {
        match value {
            // Scopes are never symbols.
            Value::Number(term) => self.known(*term, Scalar::Handle) == Some(scope.index() as i128 + 1),
            Value::Pointer(Pointer { target: Target::Function(index), .. }) => {
                self.function(*index).is_none_or(|function| function.environment == Some(scope))
            }
            _ => false,
        }
    }

    fn names_scope(&self, memory: &Memory, scope: crate::state::EnvironmentId) -> bool {
        let is_asked = |scalar: Scalar| scalar == Scalar::Handle || scalar.is_pointer();
        let names = |object: &Object| {
            let cells = object.cells.values().filter(|cell| is_asked(cell.scalar)).map(|cell| &cell.value);
            let open = object.open.iter().flat_map(|open| open.values());
            object.is_live() && cells.chain(open).any(|value| self.may_name_scope(value, scope))
        };
        memory.objects().any(names)
    }

    fn display(&self, value: &Value, scalar: Scalar) -> String {
        match value {
            Value::Unset => "?".into(),
            Value::Number(term) => match self.known(*term, scalar) {
                Some(value) => value.to_string(),
                None => self.pool.display(*term).to_string(),
            },
            Value::Pointer(pointer) => match (pointer.target, pointer.offset) {
                (Target::Null, Offset::Known(0)) => "NULL".into(),
                (target, Offset::Known(offset)) => format!("&{target:?} + {offset}"),
                (target, Offset::Term { term, .. }) => format!("&{target:?} + {term}"),
            },
        }
    }

    fn divisor(&mut self, memory: &Memory, value: &Value) -> Outcome<Self, Option<Value>> {
        let Value::Number(term) = value else { return Ok(None) };
        if self.known(*term, Scalar::Integer).is_some() || memory.is_open(*term) {
            return Ok(None);
        }
        let known = self.need_integer(memory, value, Scalar::Integer)?;
        Ok(Some(Value::Number(self.integer_term(known, Scalar::Integer))))
    }

    fn unary(&mut self, op: UnaryOp, scalar: Scalar, operand: &Value) -> Outcome<Self> {
        Ok(Value::Number(self.unary_term(op, scalar, self.number(operand)?)))
    }

    fn binary(&mut self, op: BinaryOp, scalar: Scalar, left: &Value, right: &Value) -> Outcome<Self> {
        let (a, b) = (self.number(left)?, self.number(right)?);
        let is_division = matches!(op, BinaryOp::Divide | BinaryOp::Remainder) && scalar.float_format().is_none();
        let is_ideal = matches!(scalar, Scalar::Integer | Scalar::Real);
        let is_zero = |term: Term| self.pool.value(term).is_some_and(|_| term == self.zero_term(scalar));
        if is_division && is_ideal && is_zero(b) {
            // The check is off: mathematics has no value here, so it may be any, the same for the same dividend.
            let name = format!("quotient!{:x}", self.pool.fingerprint(a).0);
            return Ok(Value::Number(self.pool.symbol(name.as_str(), self.sort(scalar))));
        }
        if is_division && self.known(b, scalar) == Some(0) {
            return Err(Fault::new(CheckKind::DivisionByZero, "division by zero").label("the divisor is zero").into());
        }
        if let Some(result) = self.small_binary(op, scalar, a, b) {
            return Ok(Value::Number(result));
        }
        let result = self.binary_term(op, scalar, a, b).or_else(|| self.binary_known(op, scalar, a, b));
        Ok(Value::Number(result.ok_or_else(|| Fault::unsupported("this operation on ideal numbers"))?))
    }

    fn shift(&mut self, op: BinaryOp, scalar: Scalar, left: &Value, right: &Value, count: Scalar) -> Outcome<Self> {
        let (a, b) = (self.number(left)?, self.number(right)?);
        let result = self.shift_term(op, scalar, a, b, count).or_else(|| self.shift_known(op, scalar, a, b, count));
        Ok(Value::Number(result.ok_or_else(|| Fault::unsupported("a shift of ideal numbers"))?))
    }

    fn compare(&mut self, op: BinaryOp, scalar: Scalar, left: &Value, right: &Value) -> Answer<Self> {
        match (left, right) {
            (Value::Number(a), Value::Number(b)) => {
                if let Some(truth) = self.small_compare(op, scalar, *a, *b) {
                    return Truth::Known(truth);
                }
                let is_equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
                if is_equality && a != b && self.is_same_polynomial(*a, *b) {
                    return Truth::Known(op == BinaryOp::Equal);
                }
            }
            (Value::Pointer(a), Value::Pointer(b)) if a == b || a.target != b.target => match op {
                BinaryOp::Equal if !self.is_wild(a) && !self.is_wild(b) => return Truth::Known(a == b),
                BinaryOp::NotEqual if !self.is_wild(a) && !self.is_wild(b) => return Truth::Known(a != b),
                _ => {}
            },
            _ => {}
        }
        let condition = match (left, right) {
            (Value::Pointer(left), Value::Pointer(right)) => self.compare_pointers(op, left, right),
            (Value::Unset, _) | (_, Value::Unset) => self.pool.fresh_symbol("unset", quod_term::Sort::BOOL),
            (Value::Pointer(Pointer { target: Target::Object(_) | Target::Function(_), .. }), Value::Number(_))
            | (Value::Number(_), Value::Pointer(Pointer { target: Target::Object(_) | Target::Function(_), .. }))
                if self.is_ideal || self.is_zero(left) || self.is_zero(right) =>
            {
                self.compare_with_address(op, left, right)
            }
            _ => match (self.number(left), self.number(right)) {
                (Ok(a), Ok(b)) => self.compare_term(op, scalar, a, b),
                _ => self.compare_with_address(op, left, right),
            },
        };
        self.answer(condition)
    }

    fn coincide(&mut self, memory: &Memory, left: &Value, right: &Value) -> Option<Term> {
        match (left, right) {
            (Value::Pointer(left), Value::Pointer(right)) if left.target != right.target && !self.is_ideal => {
                self.may_coincide(memory, left, right)
            }
            _ => None,
        }
    }

    fn convert(&mut self, from: Scalar, to: Scalar, value: &Value) -> Outcome<Self> {
        Ok(self.convert_value(from, to, value)?)
    }

    fn numeric(&mut self, name: &str, scalars: &[Scalar], operands: &[Value], result: Scalar) -> Option<Outcome<Self>> {
        let terms: Option<Vec<Term>> = operands.iter().map(|operand| self.number(operand).ok()).collect();
        let term = self.numeric_term(name, scalars, &terms?, result)?;
        Some(Ok(Value::Number(term)))
    }

    fn ask(&mut self, memory: &Memory, question: &Question<Value>) -> Answer<Self> {
        let condition = self.question(memory, question);
        match self.answer(condition) {
            Truth::Unknown(condition) => {
                memory.decided.get(&condition).map_or(Truth::Unknown(condition), |&value| Truth::Known(value))
            }
            known => known,
        }
    }

    fn explain(&mut self, memory: &Memory, question: &Question<Value>, fault: Fault) -> Fault {
        let pointer = match question {
            Question::ValidAccess { pointer, .. }
            | Question::ValidFree { pointer }
            | Question::Initialised { pointer, .. } => pointer,
            _ => return fault,
        };
        match pointer {
            Value::Pointer(Pointer { target: Target::Object(id), .. }) => {
                let object = memory.object(*id);
                let fault = fault.place(object.span, "the object was made here");
                match object.ending {
                    Some((Ending::Freed, span)) => fault.place(span, "freed here"),
                    Some((Ending::Left, span)) => fault.place(span, "its block was left here"),
                    None => fault,
                }
            }
            Value::Pointer(Pointer { target: Target::Null, .. }) => fault.note("the pointer is null"),
            _ => fault,
        }
    }

    fn new_memory(&mut self) -> Memory {
        Memory::new()
    }

    fn allocate(&mut self, memory: &mut Memory, size: u64, allocation: &Allocation) -> Outcome<Self> {
        let id = memory.push(Object {
            size,
            length: None,
            kind: allocation.kind,
            name: allocation.name,
            span: allocation.span,
            is_constant: false,
            ending: None,
            rows: Arc::new([]),
            base: if allocation.is_zeroed { Base::Zero } else { Base::Undefined },
            cells: OrdMap::new(),
            open: None,
            hash: std::sync::OnceLock::new(),
        });
        Ok(Value::Pointer(Pointer::to_object(id)))
    }

    fn allocate_length(
        &mut self,
        memory: &mut Memory,
        size: &Value,
        scalar: Scalar,
        allocation: &Allocation,
    ) -> Outcome<Self, Option<Value>> {
        if self.is_ideal {
            return self.allocate_open(memory, size, allocation);
        }
        let Value::Number(size) = size else { return Ok(None) };
        if !self.has_lengths || self.is_ideal || self.keeps_undefined || self.known(*size, scalar).is_some() {
            return Ok(None);
        }
        let size = self.simplified(memory, *size);
        if allocation.kind == ObjectKind::Stack && allocation.name.is_some() {
            self.assume_array_size(memory, size);
        }
        let kind = self.offset_scalar();
        let length = self.convert_term(scalar, kind, size)?;
        // The bits may be those of a negative number, which is a very large size.
        let most = if self.pointer_bits() == 32 { i128::from(i32::MAX) } else { MOST_LENGTH };
        let above = self.compare_term(BinaryOp::GreaterEqual, kind, length, self.zero_term(kind));
        let below = self.compare_term(BinaryOp::LessEqual, kind, length, self.integer_term(most, kind));
        let is_small = self.pool.and2(above, below);
        match self.settled(is_small).or_else(|| memory.decided.get(&is_small).copied()) {
            Some(true) => {}
            Some(false) => return Err(Fault::unsupported("an object of this size").into()),
            None => return Err(Trouble::Split(vec![is_small, self.pool.not(is_small)])),
        }
        if let Some(known) = self.known_signed(length) {
            return self.allocate(memory, known as u64, allocation).map(Some);
        }
        let pointer = self.allocate(memory, most as u64, allocation)?;
        if let Value::Pointer(Pointer { target: Target::Object(id), .. }) = pointer {
            memory.object_mut(id).length = Some(length);
        }
        Ok(Some(pointer))
    }

    fn release(&mut self, memory: &mut Memory, pointer: &Value, ending: Ending, span: Span) -> Outcome<Self, ()> {
        self.record(memory, pointer, 0, RecordedEvent::Gone)?;
        let (id, offset) = self.place(memory, pointer)?;
        self.touch(id, true);
        self.access(memory, id, Offset::Term { term: self.pool.true_(), stride: 1, residue: 0 }, 1, true);
        let is_heap = memory.object(id).kind == ObjectKind::Heap;
        if ending == Ending::Freed && (!is_heap || offset != Offset::Known(0)) {
            return Err(Fault::new(CheckKind::InvalidFree, "invalid free").label("no start of a heap object").into());
        }
        let object = memory.object_mut(id);
        object.ending = Some((ending, span));
        object.cells = OrdMap::new();
        object.open = None;
        if let Base::Grid(_) = object.base {
            object.base = Base::Undefined;
        }
        Ok(())
    }

    fn make_constant(&mut self, memory: &mut Memory, pointer: &Value) {
        if let Ok((id, _)) = self.place(memory, pointer) {
            self.touch(id, true);
            memory.object_mut(id).is_constant = true;
        }
    }

    fn make_undefined(&mut self, memory: &mut Memory, pointer: &Value, size: u64) {
        if let Ok((id, Offset::Known(offset))) = self.place(memory, pointer)
            && let Ok(start) = self.in_bounds(memory.object(id), offset, size)
        {
            self.touch_part(id, Offset::Known(offset), size, true);
            let mut object = memory.object(id).clone();
            if self.blank(&mut object, start, start + size, &Base::Undefined, start).is_err() {
                // Nothing is known of the rest either.
                object.cells.clear();
                object.base = Base::Undefined;
            }
            memory.replace(id, object);
        }
    }

    fn function_pointer(&mut self, _memory: &mut Memory, function: FunctionValue, _name: Symbol) -> Value {
        let index = self.function_index(function);
        Value::Pointer(Pointer { target: Target::Function(index as u32), offset: Offset::Known(0) })
    }

    fn function_at(&mut self, _memory: &Memory, pointer: &Value) -> Option<FunctionValue> {
        match pointer {
            Value::Pointer(Pointer { target: Target::Function(index), offset: Offset::Known(0) }) => {
                self.function(*index)
            }
            _ => None,
        }
    }

    fn own_function(name: &str) -> Option<crate::library::LibraryFunction<Self>> {
        super::library::own_function(name)
    }

    fn has_function(name: &str) -> bool {
        super::library::has_function(name)
    }

    fn keep_touched(&mut self, address: u64, is_write: bool) {
        let Some(index) = ((address >> 32) as usize).checked_sub(1) else { return };
        match is_write {
            true => self.touch(ObjectId::from_index(index), true),
            false => self.touch_shape(ObjectId::from_index(index)),
        }
    }

    fn record_accesses(&mut self) {
        self.footprint.record = Some(Vec::new());
    }

    fn take_record(&mut self) -> Vec<crate::domain::Recorded> {
        self.footprint.record.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn pointer_to(&mut self, memory: &Memory, address: u64) -> Option<Value> {
        let index = ((address >> 32) as usize).checked_sub(1)?;
        let object = memory.objects.get(index)?;
        let target = Target::Object(ObjectId::from_index(index));
        (object.is_live() && address & u64::from(u32::MAX) == 0)
            .then_some(Value::Pointer(Pointer { target, offset: Offset::Known(0) }))
    }

    fn has_record(&self) -> bool {
        self.footprint.record.as_ref().is_some_and(|record| !record.is_empty())
    }

    fn now_alone(&mut self) {
        self.footprint.is_kept = false;
    }

    fn is_unseen(name: &str) -> bool {
        super::output::find(name).is_some() || matches!(name, "time" | "clock")
    }

    fn need_integer(&self, memory: &Memory, value: &Value, scalar: Scalar) -> Outcome<Self, i128> {
        if let Some(known) = self.known_integer(value, scalar) {
            return Ok(known);
        }
        match value {
            Value::Number(term) => match memory.known.get(term) {
                // Constants are kept as signed numbers.
                Some(&known) => {
                    let constant = self.integer_term(i128::from(known), scalar);
                    self.known(constant, scalar).ok_or_else(|| Fault::unsupported("a value that is not known").into())
                }
                None if scalar.is_pointer() || scalar.float_format().is_some() || scalar == Scalar::Real => {
                    Err(Fault::unsupported("a value that is not known").into())
                }
                None => match self.known(self.simplified(memory, *term), scalar) {
                    Some(known) => Ok(known),
                    None if memory.is_open(*term) => {
                        Err(Fault::unsupported("a number that must be known here and can have too many values").into())
                    }
                    None => Err(Trouble::Values(*term)),
                },
            },
            _ => Err(Fault::unsupported("a value that is not known").into()),
        }
    }

    fn both(&mut self, left: Answer<Self>, right: Answer<Self>) -> Answer<Self> {
        match (left, right) {
            (Truth::Known(true), other) | (other, Truth::Known(true)) => other,
            (Truth::Known(false), _) | (_, Truth::Known(false)) => Truth::Known(false),
            (Truth::Unknown(a), Truth::Unknown(b)) => self.answer(self.pool.and2(a, b)),
        }
    }

    fn renew(&mut self, memory: &mut Memory, pointer: &Value, size: u64) -> Outcome<Self, ()> {
        self.record(memory, pointer, size, RecordedEvent::Write)?;
        let (id, _) = self.place(memory, pointer)?;
        self.touch(id, true);
        let object = memory.object_mut(id);
        (object.size, object.length) = (size, None);
        object.base = Base::Zero;
        object.cells = OrdMap::new();
        object.open = None;
        Ok(())
    }

    fn allocate_open(
        &mut self,
        memory: &mut Memory,
        size: &Value,
        allocation: &Allocation,
    ) -> Outcome<Self, Option<Value>> {
        let Some(size) = self.open_size(memory, size) else { return Ok(None) };
        let pointer = self.allocate(memory, LARGE, allocation)?;
        if let Value::Pointer(Pointer { target: Target::Object(id), .. }) = &pointer {
            memory.object_mut(*id).open = Some(Arc::new(Open::new(size, allocation.is_zeroed)));
        }
        Ok(Some(pointer))
    }

    fn renew_open(&mut self, memory: &mut Memory, pointer: &Value, size: &Value) -> Outcome<Self, bool> {
        let Some(size) = self.open_size(memory, size) else { return Ok(false) };
        self.renew(memory, pointer, LARGE)?;
        let (id, _) = self.place(memory, pointer)?;
        memory.object_mut(id).open = Some(Arc::new(Open::new(size, true)));
        Ok(true)
    }

    fn havoc_open(&mut self, memory: &mut Memory, pointer: &Value, cell: Option<Cell>) -> Outcome<Self, bool> {
        let (id, offset) = self.place(memory, pointer)?;
        let Some(size) = memory.object(id).open.as_ref().map(|open| open.size) else { return Ok(false) };
        let Some(cell) = cell.filter(|_| offset == Offset::Known(0)) else { return Err(refused().into()) };
        self.record(memory, pointer, 0, RecordedEvent::Somewhere)?;
        self.touch(id, true);
        let name = memory.object(id).name;
        let function = self.make_any(memory, id, cell, name)?;
        let term = self.pool.apply(&function, &[self.pool.int(0)]);
        let array = Some(ArrayInput { function, size, unit: cell.size });
        memory.inputs.push_back(Input { name: None, scalar: cell.scalar, term, guard: None, array });
        Ok(true)
    }

    fn copy_open(&mut self, memory: &mut Memory, to: &Value, from: &Value, size: &Value) -> Outcome<Self, bool> {
        let Some(size) = self.open_size(memory, size) else { return Ok(false) };
        let (source, start) = self.place(memory, from)?;
        let (target, offset) = self.place(memory, to)?;
        self.record(memory, from, 0, RecordedEvent::Somewhere)?;
        self.record(memory, to, 0, RecordedEvent::Somewhere)?;
        self.touch(source, false);
        self.touch(target, true);
        self.copy_open_objects(memory, (target, offset), (source, start), size)?;
        Ok(true)
    }

    fn fill_open(&mut self, memory: &mut Memory, to: &Value, size: &Value) -> Outcome<Self, bool> {
        let Some(size) = self.open_size(memory, size) else { return Ok(false) };
        let (id, offset) = self.place(memory, to)?;
        self.record(memory, to, 0, RecordedEvent::Somewhere)?;
        self.touch(id, true);
        self.clear_open(memory, id, offset, size)?;
        Ok(true)
    }

    fn open_extent(&mut self, memory: &mut Memory, pointer: &Value) -> Option<Value> {
        let (id, offset) = self.place(memory, pointer).ok()?;
        let size = memory.object(id).open.as_ref().map(|open| open.size)?;
        self.touch_shape(id);
        let rest = self.pool.sub(size, self.offset_term(offset));
        memory.leave_open(rest);
        Some(Value::Number(rest))
    }

    fn is_open_number(&self, memory: &Memory, value: &Value) -> bool {
        self.open_size(memory, value).is_some()
    }

    fn resize(&mut self, memory: &mut Memory, pointer: &Value, size: u64) -> Outcome<Self, ()> {
        let (id, offset) = self.place(memory, pointer)?;
        if offset != Offset::Known(0) || memory.object(id).length.is_some() {
            return Err(Fault::unsupported("a sequence inside of an object").into());
        }
        self.record(memory, pointer, size, RecordedEvent::Write)?;
        self.touch(id, true);
        let mut object = memory.object(id).clone();
        if size < object.size {
            self.clear(&mut object, size, memory.object(id).size)?;
        }
        object.size = size;
        memory.replace(id, object);
        Ok(())
    }

    fn same_contents(
        &mut self,
        memory: &mut Memory,
        left: &Value,
        right: &Value,
        size: u64,
    ) -> Outcome<Self, Answer<Self>> {
        let (a, a_start) = self.known_place(memory, left, size)?;
        let (b, b_start) = self.known_place(memory, right, size)?;
        self.touch_part(a, Offset::Known(a_start as i64), size, false);
        self.touch_part(b, Offset::Known(b_start as i64), size, false);
        let (a, b) = (memory.object(a).clone(), memory.object(b).clone());
        Ok(self.equal_cells(&a, a_start, &b, b_start, size)?)
    }

    fn need_place(&self, memory: &Memory, pointer: &Value) -> Outcome<Self, ()> {
        match self.place(memory, pointer) {
            Ok((id, Offset::Term { .. })) if !memory.object(id).is_open() => {
                self.known_place(memory, pointer, 0).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    fn extent(&mut self, memory: &Memory, pointer: &Value) -> Option<u64> {
        match self.place(memory, pointer).ok()? {
            (id, Offset::Known(offset)) if memory.object(id).length.is_none() => {
                self.touch_shape(id);
                memory.object(id).size.checked_sub(u64::try_from(offset).ok()?)
            }
            _ => None,
        }
    }

    fn keep_rows(&mut self, memory: &mut Memory, pointer: &Value, rows: &[u64]) {
        if let Ok((id, _)) = self.place(memory, pointer) {
            if *memory.object(id).rows == *rows {
                return self.touch_shape(id);
            }
            self.touch(id, true);
            memory.object_mut(id).rows = rows.into();
        }
    }

    fn rows(&mut self, memory: &Memory, pointer: &Value) -> Option<Vec<u64>> {
        let (id, _) = self.place(memory, pointer).ok()?;
        self.touch_shape(id);
        Some(memory.object(id).rows.to_vec()).filter(|rows| !rows.is_empty())
    }

    fn origin(&mut self, memory: &Memory, pointer: &Value) -> Option<(Option<Symbol>, Span, u64)> {
        match self.place(memory, pointer).ok()? {
            (id, Offset::Known(offset)) => {
                let object = memory.object(id);
                Some((object.name, object.span, u64::try_from(offset).ok()?))
            }
            _ => None,
        }
    }

    fn heap_objects(&self, memory: &Memory) -> Vec<(Span, u64)> {
        let mut found = Vec::new();
        memory.each_listed(|_, object| {
            if object.kind == ObjectKind::Heap && object.is_live() {
                found.push((object.span, object.size));
            }
        });
        found
    }

    fn load(&mut self, memory: &mut Memory, pointer: &Value, cell: Cell) -> Outcome<Self> {
        let size = u64::from(cell.size);
        if self.reads_wild
            && let Value::Pointer(Pointer { target: Target::Wild(_), .. }) = pointer
        {
            // Nobody knows where it points to, and nobody asks whether it may be read: anything can be there.
            return Ok(self.indeterminate(memory, cell.scalar));
        }
        self.record(memory, pointer, size, RecordedEvent::Read)?;
        let (id, offset) = self.place(memory, pointer)?;
        self.touch_part(id, offset, size, false);
        self.access(memory, id, offset, size, false);
        if memory.object(id).is_open() {
            return self.load_open(memory, id, offset, cell);
        }
        let (term, stride, residue) = match offset {
            Offset::Known(bytes) => {
                let at = self.in_bounds(memory.object(id), bytes, size)?;
                self.need_length(memory, id, offset, size)?;
                return Ok(self.load_known(memory, id, at, cell)?);
            }
            Offset::Term { term, stride, residue } => (term, stride, residue),
        };
        self.need_in_bounds(memory, id, offset, size)?;
        if self.prefers_grid(memory.object(id), stride, residue, size) {
            match self.load_grid(memory, id, term, (stride, residue), cell) {
                Err(fault) if self.has_many_places(memory.object(id), stride, residue, size) => {
                    return Err(fault.into());
                }
                Err(_) => {}
                Ok(value) => return Ok(value),
            }
        }
        let places = self.places(memory.object(id), stride, residue, size)?;
        let mut result = None;
        for &offset in places.iter().rev() {
            let Value::Number(value) = self.load_known(memory, id, offset, cell)? else {
                return Err(Trouble::Split(places.into_iter().map(|offset| self.at(term, offset)).collect()));
            };
            result = Some(match result {
                None => value,
                Some(rest) => self.pool.ite(self.at(term, offset), value, rest),
            });
        }
        let outside = || Fault::new(CheckKind::InvalidDeref, "access outside of the object").label("invalid access");
        Ok(Value::Number(result.ok_or_else(outside)?))
    }

    fn store(&mut self, memory: &mut Memory, pointer: &Value, cell: Cell, value: &Value) -> Outcome<Self, ()> {
        let size = u64::from(cell.size);
        self.record(memory, pointer, size, RecordedEvent::Write)?;
        let (id, offset) = self.place(memory, pointer)?;
        self.touch_part(id, offset, size, true);
        self.access(memory, id, offset, size, true);
        if memory.object(id).is_open() {
            return self.store_open(memory, id, offset, cell, value);
        }
        let mut object = writable(memory, id)?;
        match offset {
            Offset::Known(bytes) => {
                let at = self.in_bounds(&object, bytes, size)?;
                self.need_length(memory, id, offset, size)?;
                self.write_cell(&mut object, at, cell, value.clone())?;
            }
            Offset::Term { term, stride, residue } => {
                self.need_in_bounds(memory, id, offset, size)?;
                if self.prefers_grid(&object, stride, residue, size) {
                    match self.store_grid(memory, id, term, (stride, residue), cell, value) {
                        Err(fault) if self.has_many_places(&object, stride, residue, size) => return Err(fault.into()),
                        Err(_) => {}
                        Ok(()) => return Ok(()),
                    }
                }
                let places = self.places(&object, stride, residue, size)?;
                for &offset in &places {
                    let old = self.load_known(memory, id, offset, cell)?;
                    let (Value::Number(old), Value::Number(new)) = (old, value) else {
                        return Err(Trouble::Split(places.iter().map(|&offset| self.at(term, offset)).collect()));
                    };
                    let merged = self.pool.ite(self.at(term, offset), *new, old);
                    self.write_cell(&mut object, offset, cell, Value::Number(merged))?;
                }
            }
        }
        memory.replace(id, object);
        Ok(())
    }

    fn load_bits(&mut self, memory: &mut Memory, pointer: &Value, cell: BitCell) -> Outcome<Self> {
        if self.is_ideal {
            return Err(Fault::unsupported("a bit-field in ideal arithmetic").into());
        }
        self.record(memory, pointer, cell.bytes(), RecordedEvent::Read)?;
        let (id, offset) = self.known_place(memory, pointer, cell.bytes())?;
        self.touch_part(id, Offset::Known(offset as i64), cell.bytes(), false);
        self.access(memory, id, Offset::Known(offset as i64), cell.bytes(), false);
        let object = memory.object(id).clone();
        let all = self.field_bytes(memory, &object, offset, cell)?;
        let (low, width) = (u32::from(cell.shift), u32::from(cell.width));
        let field = self.pool.extract(low + width - 1, low, all);
        let more = self.bits(cell.scalar) - width;
        let wide = if cell.scalar.is_signed() {
            self.pool.sign_extend(more, field)
        } else {
            self.pool.zero_extend(more, field)
        };
        Ok(Value::Number(wide))
    }

    fn store_bits(&mut self, memory: &mut Memory, pointer: &Value, cell: BitCell, value: &Value) -> Outcome<Self, ()> {
        if self.is_ideal {
            return Err(Fault::unsupported("a bit-field in ideal arithmetic").into());
        }
        self.record(memory, pointer, cell.bytes(), RecordedEvent::Write)?;
        let (id, offset) = self.known_place(memory, pointer, cell.bytes())?;
        self.touch_part(id, Offset::Known(offset as i64), cell.bytes(), true);
        self.access(memory, id, Offset::Known(offset as i64), cell.bytes(), true);
        if let Some(access) = self.footprint.accesses.last_mut() {
            access.is_part = true;
        }
        let mut object = writable(memory, id)?;
        let all = self.field_bytes(memory, &object, offset, cell)?;
        let total = self.pool.width(all);
        let (low, width) = (u32::from(cell.shift), u32::from(cell.width));
        let mut term = self.pool.extract(width - 1, 0, self.number(value)?);
        if low > 0 {
            term = self.pool.concat(term, self.pool.extract(low - 1, 0, all));
        }
        if low + width < total {
            term = self.pool.concat(self.pool.extract(total - 1, low + width, all), term);
        }
        for byte in 0..total / 8 {
            let part = Value::Number(self.pool.extract(byte * 8 + 7, byte * 8, term));
            self.write_cell(&mut object, offset + u64::from(byte), BYTE, part)?;
        }
        memory.replace(id, object);
        Ok(())
    }

    fn copy(&mut self, memory: &mut Memory, to: &Value, from: &Value, size: u64) -> Outcome<Self, ()> {
        if size == 0 {
            return Ok(());
        }
        self.record(memory, from, size, RecordedEvent::Read)?;
        self.record(memory, to, size, RecordedEvent::Write)?;
        if self.is_open_place(memory, from) || self.is_open_place(memory, to) {
            return self.copy_known(memory, to, from, size);
        }
        if let Some(copied) = self.copy_fields(memory, to, from, size) {
            return copied;
        }
        let (source, start) = self.known_place(memory, from, size)?;
        let (target, offset) = self.known_place(memory, to, size)?;
        self.touch_part(source, Offset::Known(start as i64), size, false);
        self.touch_part(target, Offset::Known(offset as i64), size, true);
        self.access(memory, source, Offset::Known(start as i64), size, false);
        self.access(memory, target, Offset::Known(offset as i64), size, true);
        let source = memory.object(source).clone();
        let cells = self.cut_out(&source, start, start + size)?;
        let mut object = writable(memory, target)?;
        self.blank(&mut object, offset, offset + size, &source.base, start)?;
        for (at, cell) in cells {
            let shape = Cell { scalar: cell.scalar, size: cell.size };
            self.write_cell(&mut object, offset + at, shape, cell.value)?;
        }
        memory.replace(target, object);
        Ok(())
    }

    fn fill(&mut self, memory: &mut Memory, to: &Value, byte: u8, size: u64) -> Outcome<Self, ()> {
        if size == 0 {
            return Ok(());
        }
        self.record(memory, to, size, RecordedEvent::Write)?;
        let (id, offset) = self.known_place(memory, to, size)?;
        self.touch_part(id, Offset::Known(offset as i64), size, true);
        self.access(memory, id, Offset::Known(offset as i64), size, true);
        let mut object = writable(memory, id)?;
        self.blank(&mut object, offset, offset + size, &Base::Zero, offset)?;
        if byte != 0 {
            if size > 1 << 16 {
                return Err(Fault::unsupported("filling more than 64 KiB with a byte").into());
            }
            let value = Value::Number(self.pool.bv(8, byte.into()));
            for at in offset..offset + size {
                self.write_cell(&mut object, at, BYTE, value.clone())?;
            }
        }
        memory.replace(id, object);
        Ok(())
    }

    fn read_bytes(&mut self, memory: &mut Memory, from: &Value, size: u64) -> Outcome<Self, Vec<u8>> {
        if size == 0 {
            return Ok(Vec::new());
        }
        self.record(memory, from, size, RecordedEvent::Read)?;
        let (id, offset) = self.known_place(memory, from, size)?;
        self.touch_part(id, Offset::Known(offset as i64), size, false);
        self.access(memory, id, Offset::Known(offset as i64), size, false);
        let object = memory.object(id).clone();
        (offset..offset + size).map(|at| Ok(self.known_byte(&object, at)?)).collect()
    }

    fn write_bytes(&mut self, memory: &mut Memory, to: &Value, bytes: &[u8]) -> Outcome<Self, ()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.record(memory, to, bytes.len() as u64, RecordedEvent::Write)?;
        let (id, offset) = self.known_place(memory, to, bytes.len() as u64)?;
        self.touch_part(id, Offset::Known(offset as i64), bytes.len() as u64, true);
        self.access(memory, id, Offset::Known(offset as i64), bytes.len() as u64, true);
        let mut object = writable(memory, id)?;
        for (at, &byte) in (offset..).zip(bytes) {
            let value = Value::Number(self.pool.bv(8, byte.into()));
            self.write_cell(&mut object, at, BYTE, value)?;
        }
        memory.replace(id, object);
        Ok(())
    }

    fn read_string(&mut self, memory: &mut Memory, from: &Value, limit: u64) -> Outcome<Self, Vec<u8>> {
        let (id, offset) = self.known_place(memory, from, 1)?;
        self.touch(id, false);
        self.access(memory, id, Offset::Term { term: self.pool.true_(), stride: 1, residue: 0 }, 1, false);
        let object = memory.object(id).clone();
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < limit {
            let at = offset + bytes.len() as u64;
            self.in_bounds(&object, at as i64, 1)?;
            match self.known_byte(&object, at)? {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        self.record(memory, from, bytes.len() as u64 + 1, RecordedEvent::Read)?;
        Ok(bytes)
    }

    fn null(&mut self) -> Value {
        Value::Pointer(Pointer::NULL)
    }

    fn offset(&mut self, pointer: &Value, bytes: i64) -> Value {
        match pointer {
            Value::Pointer(pointer) => Value::Pointer(self.moved(pointer, bytes)),
            other => other.clone(),
        }
    }

    fn index(&mut self, pointer: &Value, index: &Value, scalar: Scalar, element: u64) -> Outcome<Self> {
        let Value::Pointer(pointer) = pointer else {
            return Err(Fault::unsupported("pointer arithmetic on a number").into());
        };
        let index = self.number(index)?;
        if let Some(known) = self.known(index, scalar) {
            let bytes = known.wrapping_mul(i128::from(element)) as i64;
            return Ok(Value::Pointer(self.moved(pointer, bytes)));
        }
        let wide = self.convert_term(scalar, self.offset_scalar(), index)?;
        let factor = self.integer_term(i128::from(element), self.offset_scalar());
        let bytes = self.binary_term(BinaryOp::Multiply, self.offset_scalar(), wide, factor);
        let bytes = bytes.ok_or_else(|| Fault::unsupported("this index"))?;
        let (stride, residue) = match pointer.offset {
            Offset::Known(known) if element > 0 => (element, known.rem_euclid(element as i64) as u64),
            Offset::Term { stride, residue, .. } => {
                let stride = gcd(stride, element);
                (stride, residue % stride.max(1))
            }
            Offset::Known(_) => (1, 0),
        };
        let sum = self.binary_term(BinaryOp::Add, self.offset_scalar(), self.offset_term(pointer.offset), bytes);
        let term = sum.ok_or_else(|| Fault::unsupported("this index"))?;
        // What all of the term is a multiple of.
        let content = self.is_ideal.then(|| self.pool.as_monomial(term).0).and_then(|factor| factor.as_small());
        let (stride, residue) = match content {
            Some((factor, 1)) if factor.unsigned_abs() > stride => (factor.unsigned_abs(), 0),
            _ => (stride, residue),
        };
        Ok(Value::Pointer(Pointer { target: pointer.target, offset: Offset::Term { term, stride, residue } }))
    }

    fn difference(&mut self, left: &Value, right: &Value, element: u64, scalar: Scalar) -> Outcome<Self> {
        let (Value::Pointer(left), Value::Pointer(right)) = (left, right) else {
            return Err(Fault::unsupported("the difference of these pointers").into());
        };
        if left.target != right.target {
            let fault = Fault::new(CheckKind::PointerArithmetic, "the difference of pointers to different objects");
            return Err(fault.label("these have no distance").into());
        }
        let (a, b) = (self.offset_term(left.offset), self.offset_term(right.offset));
        let kind = self.offset_scalar();
        let bytes = self.binary_term(BinaryOp::Subtract, kind, a, b);
        let size = self.integer_term(i128::from(element), kind);
        let result = bytes.and_then(|bytes| self.binary_term(BinaryOp::Divide, kind, bytes, size));
        let result = result.ok_or_else(|| Fault::unsupported("this difference"))?;
        Ok(Value::Number(self.convert_term(kind, scalar, result)?))
    }
}

/// An object that is about to be written.
pub(super) fn writable(memory: &Memory, id: ObjectId) -> Result<Object, Fault> {
    let object = memory.object(id);
    if object.is_constant {
        return Err(Fault::new(CheckKind::ConstWrite, "a constant object is written")
            .label("writes here")
            .place(object.span, "the object"));
    }
    Ok(object.clone())
}

/// The largest size that is not known, with 64-bit addresses.
const MOST_LENGTH: i128 = 1 << 40;

pub(super) const BYTE: Cell = Cell { scalar: Scalar::U8, size: 1 };
