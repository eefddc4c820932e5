//! What a library function sees: its arguments, the machine and the state; and how it replies.

use super::native::Native;
use crate::code::{BuiltinSite, Passing};
use crate::domain::{Domain, FunctionValue, Outcome, Truth};
use crate::fault::{Fault, Trouble};
use crate::machine::Machine;
use crate::scalar::{Cell, Scalar};
use crate::state::{Process, ProcessId, State};
use quod_base::{Id, Span, Symbol};
use quod_model::ir::{IntKind, Type, TypeId};
use quod_verdict::CheckKind;

/// An argument as it arrives.
#[derive(Clone, Debug)]
pub struct Passed<V> {
    pub value: V,
    pub passing: Passing,
    pub ty: TypeId,
}

/// What a library function gives back.
#[derive(Debug)]
pub enum Reply<V> {
    /// No value, or whatever value.
    Nothing,
    /// Converted to the result's type.
    Int(i128),
    /// A `double`, converted to the result's type.
    Float(f64),
    /// The bits of a float of the result's own format.
    FloatBits(u128),
    /// A pointer, or a value that has the result's type already.
    Value(V),
    /// A record at this address.
    At(V),
    /// The process waits: the call is made again later.
    Block,
    /// Others go first, then the call is complete with this number.
    Yield(i128),
    /// Calls a function and then goes on with `native`.
    Call { function: FunctionValue, arguments: Vec<Passed<V>>, native: Native<V> },
    /// The frames were changed (`longjmp`, `exit`): on with what is on top.
    Jumped,
    /// The program ends with this code.
    Exit(i32),
    /// This execution does not exist.
    Vanish,
}

pub struct Context<'a, 'p, D: Domain> {
    pub machine: &'a mut Machine<'p, D>,
    pub state: &'a mut State<D>,
    pub process: ProcessId,
    pub arguments: &'a [Passed<D::Value>],
    /// The kind of the result, where it is a scalar.
    pub result: Option<Scalar>,
    pub result_type: Option<TypeId>,
    /// Someone looks at the result.
    pub is_result_used: bool,
    pub name: &'a str,
    pub span: Span,
    /// Set where a built-in of the compiler is executed.
    pub builtin: Option<&'a BuiltinSite>,
}

impl<D: Domain> Context<'_, '_, D> {
    pub fn fault<T>(&self, kind: CheckKind, message: impl Into<String>) -> Outcome<D, T> {
        Err(Fault::new(kind, message).label(format!("in this call of `{}`", self.name)).into())
    }

    pub fn unsupported<T>(&self, what: &str) -> Outcome<D, T> {
        Err(Fault::unsupported(format_args!("{what} in `{}`", self.name)).into())
    }

    pub fn model(&self) -> quod_model::ir::DataModel {
        self.machine.program.types.data_model
    }

    pub fn int_kind(&self, kind: IntKind) -> Scalar {
        Scalar::of_int(self.model(), self.machine.program.arithmetic, kind)
    }

    pub fn pointer_scalar(&self) -> Scalar {
        Scalar::pointer(self.model())
    }

    pub fn argument(&self, index: usize) -> Outcome<D, &Passed<D::Value>> {
        match self.arguments.get(index) {
            Some(argument) => Ok(argument),
            None => self.fault(CheckKind::InvalidCall, format!("`{}` needs more arguments", self.name)),
        }
    }

    pub fn value(&self, index: usize) -> Outcome<D> {
        self.argument(index).map(|argument| argument.value.clone())
    }

    pub fn scalar(&self, index: usize) -> Scalar {
        match self.arguments.get(index).map(|argument| argument.passing) {
            Some(Passing::Scalar(scalar)) => scalar,
            _ => self.pointer_scalar(),
        }
    }

    /// An integer argument; floats are truncated.
    pub fn int(&self, index: usize) -> Outcome<D, i128> {
        let argument = self.argument(index)?;
        self.known(&argument.value, self.scalar(index))
    }

    pub fn known(&self, value: &D::Value, scalar: Scalar) -> Outcome<D, i128> {
        if let Some(format) = scalar.float_format()
            && let Some(bits) = self.machine.domain.known_float(value, scalar)
        {
            return Ok(format.to_int(bits, quod_base::int::IntFormat::signed(128)).unwrap_or(0));
        }
        self.machine.domain.need_integer(&self.state.memory, value, scalar)
    }

    /// A size: negative numbers are huge.
    pub fn size(&self, index: usize) -> Outcome<D, u64> {
        let value = self.int(index)?;
        Ok(u64::try_from(value).unwrap_or(u64::MAX))
    }

    /// A float argument in `double`.
    pub fn double(&self, index: usize) -> Outcome<D, f64> {
        let argument = self.argument(index)?;
        self.known_double(&argument.value, self.scalar(index))
    }

    pub fn known_double(&self, value: &D::Value, scalar: Scalar) -> Outcome<D, f64> {
        match scalar.float_format() {
            Some(format) => match self.machine.domain.known_float(value, scalar) {
                Some(bits) => Ok(format.to_f64(bits)),
                None => self.unsupported("a value that is not known"),
            },
            None if scalar == Scalar::Real => match self.machine.domain.known_float(value, scalar) {
                Some(bits) => Ok(f64::from_bits(bits as u64)),
                None => self.unsupported("a value that is not known"),
            },
            None => Ok(self.known(value, scalar)? as f64),
        }
    }

    /// A pointer argument that must not be null.
    pub fn pointer(&self, index: usize) -> Outcome<D> {
        let value = self.value(index)?;
        if self.is_null(&value) {
            return self.fault(CheckKind::NullArgument, format!("null pointer as an argument of `{}`", self.name));
        }
        Ok(value)
    }

    pub fn is_null(&self, pointer: &D::Value) -> bool {
        self.machine.domain.known_integer(pointer, self.pointer_scalar()) == Some(0)
    }

    /// The process is known to have ended.
    pub fn joined(&mut self, other: ProcessId) {
        self.state.processes[other.index()].is_joined = true;
        if !self.state.is_beside_others(self.process) {
            self.machine.domain.now_alone();
        }
    }

    /// The address as a number, to name what the library keeps for an object.
    pub fn address(&self, pointer: &D::Value) -> Outcome<D, u64> {
        self.known(pointer, self.pointer_scalar()).map(|address| address as u64)
    }

    pub fn string(&mut self, index: usize) -> Outcome<D, Vec<u8>> {
        let pointer = self.pointer(index)?;
        self.read_string(&pointer)
    }

    pub fn read_string(&mut self, pointer: &D::Value) -> Outcome<D, Vec<u8>> {
        self.machine.domain.read_string(&mut self.state.memory, pointer, u64::MAX)
    }

    pub fn read(&mut self, pointer: &D::Value, size: u64) -> Outcome<D, Vec<u8>> {
        self.machine.domain.read_bytes(&mut self.state.memory, pointer, size)
    }

    pub fn write(&mut self, pointer: &D::Value, bytes: &[u8]) -> Outcome<D, ()> {
        self.machine.domain.write_bytes(&mut self.state.memory, pointer, bytes)
    }

    pub fn offset(&mut self, pointer: &D::Value, bytes: i64) -> D::Value {
        self.machine.domain.offset(pointer, bytes)
    }

    pub fn cell(&self, scalar: Scalar) -> Cell {
        let size = match scalar {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 | Scalar::F16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 | Scalar::Pointer32 => 4,
            Scalar::F80 => {
                if self.model().pointer_size() == 4 {
                    12
                } else {
                    16
                }
            }
            Scalar::I128 | Scalar::U128 | Scalar::F128 => 16,
            Scalar::Integer => 4,
            _ => 8,
        };
        Cell { scalar, size }
    }

    pub fn load(&mut self, pointer: &D::Value, scalar: Scalar) -> Outcome<D> {
        let cell = self.cell(scalar);
        self.machine.domain.load(&mut self.state.memory, pointer, cell)
    }

    pub fn store(&mut self, pointer: &D::Value, scalar: Scalar, value: &D::Value) -> Outcome<D, ()> {
        let cell = self.cell(scalar);
        self.machine.domain.store(&mut self.state.memory, pointer, cell, value)
    }

    pub fn load_int(&mut self, pointer: &D::Value, kind: IntKind) -> Outcome<D, i128> {
        let scalar = self.int_kind(kind);
        let value = self.load(pointer, scalar)?;
        self.known(&value, scalar)
    }

    /// Stores a number in a C integer of the kind.
    pub fn store_int(&mut self, pointer: &D::Value, kind: IntKind, value: i128) -> Outcome<D, ()> {
        let scalar = self.int_kind(kind);
        let size = (kind.bits(self.model()) / 8) as u8;
        let value = self.machine.domain.integer(value, scalar);
        self.machine.domain.store(&mut self.state.memory, pointer, Cell { scalar, size }, &value)
    }

    pub fn store_double(&mut self, pointer: &D::Value, value: f64) -> Outcome<D, ()> {
        self.write(pointer, &value.to_bits().to_le_bytes())
    }

    pub fn store_pointer(&mut self, pointer: &D::Value, value: &D::Value) -> Outcome<D, ()> {
        let scalar = self.pointer_scalar();
        self.store(pointer, scalar, value)
    }

    pub fn load_pointer(&mut self, pointer: &D::Value) -> Outcome<D> {
        let scalar = self.pointer_scalar();
        self.load(pointer, scalar)
    }

    pub fn null(&mut self) -> D::Value {
        self.machine.domain.null()
    }

    pub fn integer(&mut self, value: i128, scalar: Scalar) -> D::Value {
        self.machine.domain.integer(value, scalar)
    }

    /// A function pointer argument.
    pub fn function(&mut self, index: usize) -> Outcome<D, FunctionValue> {
        let pointer = self.pointer(index)?;
        match self.machine.domain.function_at(&self.state.memory, &pointer) {
            Some(function) => Ok(function),
            None => self.fault(CheckKind::InvalidCall, "a pointer to a function is expected"),
        }
    }

    pub fn current(&mut self) -> &mut Process<D::Value> {
        &mut self.state.processes[self.process.index()]
    }

    pub fn passed(&self, value: D::Value, scalar: Scalar) -> Passed<D::Value> {
        Passed { value, passing: Passing::Scalar(scalar), ty: TypeId::from_index(0) }
    }

    pub fn passed_pointer(&self, value: D::Value) -> Passed<D::Value> {
        self.passed(value, self.pointer_scalar())
    }

    /// A new zeroed or undefined object.
    pub fn allocate(&mut self, size: u64, kind: crate::domain::ObjectKind, is_zeroed: bool, name: &str) -> Outcome<D> {
        let allocation = crate::domain::Allocation {
            alignment: 16,
            kind,
            name: (!name.is_empty()).then(|| Symbol::intern(name)),
            span: self.span,
            is_zeroed,
        };
        self.machine.domain.allocate(&mut self.state.memory, size, &allocation)
    }

    /// An object whose size is an argument that need not be known; nothing where it must be.
    pub fn allocate_argument(
        &mut self,
        index: usize,
        kind: crate::domain::ObjectKind,
        is_zeroed: bool,
    ) -> Outcome<D, Option<D::Value>> {
        let (size, scalar) = (self.value(index)?, self.scalar(index));
        let allocation = crate::domain::Allocation { alignment: 16, kind, name: None, span: self.span, is_zeroed };
        self.machine.domain.allocate_length(&mut self.state.memory, &size, scalar, &allocation)
    }

    /// What a pointer argument points to, by its type.
    pub fn pointee(&self, index: usize) -> Option<TypeId> {
        match *self.machine.program.types.get(self.arguments.get(index)?.ty) {
            Type::Pointer(pointee) => Some(pointee.ty),
            _ => None,
        }
    }

    /// One of so many ways: by whoever drives the executor, else at random.
    pub fn pick(&mut self, count: usize) -> Outcome<D, usize> {
        if count <= 1 {
            return Ok(0);
        }
        if let Some(pick) = self.state.world.pick.take() {
            return Ok(usize::try_from(pick).unwrap_or(0).min(count - 1));
        }
        if self.machine.settings.is_driven {
            return Err(Trouble::Pick(count as i128));
        }
        Ok((self.random() % count as u64) as usize)
    }

    /// Is it so? Where that is open, the operation is done again under each answer.
    pub fn decide(&mut self, truth: Truth<D::Condition>) -> Outcome<D, bool> {
        let condition = match truth {
            Truth::Known(known) => return Ok(known),
            Truth::Unknown(condition) => condition,
        };
        let domain = &mut self.machine.domain;
        let value = domain.truth_value(Truth::Unknown(condition.clone()), Scalar::Bool);
        if let Truth::Known(known) = domain.truth(&self.state.memory, Scalar::Bool, &value) {
            return Ok(known);
        }
        let zero = domain.integer(0, Scalar::Bool);
        match domain.compare(quod_model::ir::BinaryOp::Equal, Scalar::Bool, &value, &zero) {
            Truth::Known(is_zero) => Ok(!is_zero),
            Truth::Unknown(opposite) => Err(Trouble::Split(vec![condition, opposite])),
        }
    }

    pub fn random(&mut self) -> u64 {
        self.state.world.next_random()
    }
}
