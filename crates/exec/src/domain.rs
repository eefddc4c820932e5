//! What the executor asks of a value domain. The concrete domain computes on machine values; a symbolic one builds terms.
//!
//! Rules of the seam:
//! - the domain is the context (a term pool, a solver); what belongs to a state is in `Memory`, which can be cloned;
//! - an operation that gives `Trouble` has had no effect, so that it can be done again under a stronger condition;
//! - a question that the domain cannot decide is answered with `Truth::Unknown` and its condition: who drives the
//!   executor forks, merges, or picks.

use crate::fault::{Fault, Trouble};
use crate::scalar::{BitCell, Cell, Scalar};
use quod_base::{Span, Symbol};
use quod_model::ir::{Access, BinaryOp, FunctionId, UnaryOp};
use std::fmt::Debug;

/// The answer to a question about values.
#[derive(Clone, Debug)]
pub enum Truth<Condition> {
    Known(bool),
    Unknown(Condition),
}

pub type Answer<D> = Truth<<D as Domain>::Condition>;
pub type Outcome<D, T = <D as Domain>::Value> = Result<T, Trouble<<D as Domain>::Condition>>;

/// What an object is, for its rules and for messages.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    Global,
    Local,
    Heap,
    /// `alloca` and arrays of variable length
    Stack,
    String,
    ThreadLocal,
    /// The variable arguments of one call.
    Arguments,
    /// A library's own object, such as a `FILE`.
    Library,
}

#[derive(Clone, Debug)]
pub struct Allocation {
    pub alignment: u64,
    pub kind: ObjectKind,
    pub name: Option<Symbol>,
    /// The declaration, or the call that allocates.
    pub span: Span,
    pub is_zeroed: bool,
}

/// A function as a value: nested functions carry the scope instance that they were made in.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionValue {
    pub function: FunctionId,
    pub environment: Option<crate::state::EnvironmentId>,
}

/// How an object's life ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// `free`, `realloc`
    Freed,
    /// Its block was left.
    Left,
}

/// A question about values that a check asks, with operands evaluated; for explanations.
#[derive(Clone, Debug)]
pub enum Question<V> {
    ValidAccess {
        pointer: V,
        size: V,
        access: Access,
    },
    ValidFree {
        pointer: V,
    },
    ValidPointerAdd {
        pointer: V,
        index: V,
        index_scalar: Scalar,
        element: u64,
    },
    SameObject {
        left: V,
        right: V,
    },
    Initialised {
        pointer: V,
        size: u64,
    },
    /// A local in a register.
    InitialisedRegister {
        flag: V,
    },
    FitsBinary {
        op: BinaryOp,
        scalar: Scalar,
        left: V,
        right: V,
    },
    FitsUnary {
        op: UnaryOp,
        scalar: Scalar,
        operand: V,
    },
    ValidShift {
        op: BinaryOp,
        scalar: Scalar,
        left: V,
        right: V,
        count: Scalar,
    },
    FitsConversion {
        value: V,
        from: Scalar,
        to: Scalar,
    },
    Aligned {
        pointer: V,
        alignment: u64,
    },
    Callable {
        pointer: V,
    },
}

/// What happened to bytes of an object, which is named by its address.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    pub object: u64,
    pub start: u64,
    pub end: u64,
    pub event: RecordedEvent,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum RecordedEvent {
    Read,
    Write,
    /// Read or written, where it is not known which bytes.
    Somewhere,
    /// The object's life has ended.
    Gone,
}

/// Accesses to such an object are recorded: it is no value on its way, and nothing that only the library has.
pub(crate) fn is_recorded(kind: ObjectKind, has_name: bool) -> bool {
    match kind {
        ObjectKind::Local => has_name,
        ObjectKind::Arguments | ObjectKind::Library | ObjectKind::String => false,
        ObjectKind::Global | ObjectKind::Heap | ObjectKind::Stack | ObjectKind::ThreadLocal => true,
    }
}

pub trait Domain: Sized {
    type Value: Clone + Debug + Default;
    type Condition: Clone + Debug;
    /// Objects with their contents and lifetimes, and whatever else belongs to one state (a path condition).
    type Memory: Clone;

    /// Registers that hold nothing are told apart from others, and get a value when they are first used.
    const HAS_UNSET: bool = false;
    /// The value of a variable that was never set; `Value::default()` where using it is to be noticed.
    fn undefined(&mut self, _memory: &mut Self::Memory, _scalar: Scalar) -> Self::Value {
        Self::Value::default()
    }

    /// A function of the library as the domain has it, instead of the library's own.
    fn own_function(_name: &str) -> Option<crate::library::LibraryFunction<Self>> {
        None
    }
    /// The library's function of this name is right for the domain: for all of its values, not for one of them.
    fn has_function(_name: &str) -> bool {
        true
    }

    /// Calls of the library's function are seen by no other process, beyond the objects that they are given.
    fn is_unseen(_name: &str) -> bool {
        false
    }

    /// The library looks at, or changes, what it keeps for the object with this name.
    fn keep_touched(&mut self, _address: u64, _is_write: bool) {}

    /// Loads and stores are recorded from now on.
    fn record_accesses(&mut self);
    /// What was recorded since this was last asked.
    fn take_record(&mut self) -> Vec<Recorded>;
    /// Something was.
    fn has_record(&self) -> bool;

    /// A pointer to the start of the living object with this address.
    fn pointer_to(&mut self, memory: &Self::Memory, address: u64) -> Option<Self::Value>;

    /// All that other processes do comes before what follows.
    fn now_alone(&mut self) {}

    // Constants, and what is known of a value.

    fn integer(&mut self, value: i128, scalar: Scalar) -> Self::Value;
    /// `text` is the constant as written, for exact arithmetic.
    fn float(&mut self, bits: u128, text: &str, scalar: Scalar) -> Self::Value;
    fn known_integer(&self, value: &Self::Value, scalar: Scalar) -> Option<i128>;
    /// The number, or what must be done to know it.
    fn need_integer(&self, _memory: &Self::Memory, value: &Self::Value, scalar: Scalar) -> Outcome<Self, i128> {
        self.known_integer(value, scalar).ok_or_else(|| Fault::unsupported("a value that is not known").into())
    }
    /// Both hold.
    fn both(&mut self, left: Answer<Self>, right: Answer<Self>) -> Answer<Self> {
        match (left, right) {
            (Truth::Known(true), other) | (other, Truth::Known(true)) => other,
            (other, _) => other,
        }
    }
    fn known_float(&self, value: &Self::Value, scalar: Scalar) -> Option<u128>;
    /// Is the scalar different from zero?
    fn truth(&mut self, memory: &Self::Memory, scalar: Scalar, value: &Self::Value) -> Answer<Self>;
    /// 1 or 0 of the scalar kind.
    fn truth_value(&mut self, truth: Answer<Self>, scalar: Scalar) -> Self::Value;
    /// Any value, for `name` (an input, a `__VERIFIER_nondet`); the concrete domain takes it from what it was given.
    fn unknown(&mut self, memory: &mut Self::Memory, scalar: Scalar, name: Option<Symbol>) -> Outcome<Self>;
    /// A value that was any is one of these.
    fn assume_between(
        &mut self,
        _memory: &mut Self::Memory,
        _value: &Self::Value,
        _scalar: Scalar,
        _limits: (i128, i128),
    ) {
    }
    /// `Value::default()`: a register that holds nothing yet.
    fn is_unset(&self, value: &Self::Value) -> bool;
    /// As a person reads it.
    fn display(&self, value: &Self::Value, scalar: Scalar) -> String;

    /// The value may be a `$scope`, or a function, of this instance.
    fn may_name_scope(&self, _value: &Self::Value, _scope: crate::state::EnvironmentId) -> bool {
        true
    }
    /// Some value in memory may.
    fn names_scope(&self, _memory: &Self::Memory, _scope: crate::state::EnvironmentId) -> bool {
        true
    }

    // Arithmetic. Results are the machine's where C has none; division by zero of integers is a fault.

    /// The number that an ideal integer is divided by, where the domain can only divide by known ones.
    fn divisor(&mut self, _memory: &Self::Memory, _value: &Self::Value) -> Outcome<Self, Option<Self::Value>> {
        Ok(None)
    }
    fn unary(&mut self, op: UnaryOp, scalar: Scalar, operand: &Self::Value) -> Outcome<Self>;
    fn binary(&mut self, op: BinaryOp, scalar: Scalar, left: &Self::Value, right: &Self::Value) -> Outcome<Self>;
    fn shift(
        &mut self,
        op: BinaryOp,
        scalar: Scalar,
        left: &Self::Value,
        right: &Self::Value,
        count: Scalar,
    ) -> Outcome<Self>;
    /// A comparison of two scalars (pointers, too).
    fn compare(&mut self, op: BinaryOp, scalar: Scalar, left: &Self::Value, right: &Self::Value) -> Answer<Self>;
    /// Under which condition pointers to different objects are the same address, where that is possible: behind the end of
    /// one the other may begin, and what was made later may be where something else has been.
    fn coincide(
        &mut self,
        _memory: &Self::Memory,
        _left: &Self::Value,
        _right: &Self::Value,
    ) -> Option<Self::Condition> {
        None
    }
    fn convert(&mut self, from: Scalar, to: Scalar, value: &Self::Value) -> Outcome<Self>;
    /// A pure built-in or library function of numbers (`popcount`, `sqrt`); `None` where the domain does not know it.
    fn numeric(
        &mut self,
        name: &str,
        scalars: &[Scalar],
        operands: &[Self::Value],
        result: Scalar,
    ) -> Option<Outcome<Self>>;

    /// The answer to a check's question.
    fn ask(&mut self, memory: &Self::Memory, question: &Question<Self::Value>) -> Answer<Self>;
    /// Why the answer is no: labels and places for the message of a check of this kind.
    fn explain(&mut self, memory: &Self::Memory, question: &Question<Self::Value>, fault: Fault) -> Fault;

    // Objects.

    fn new_memory(&mut self) -> Self::Memory;
    /// A pointer to the start of a new object.
    fn allocate(&mut self, memory: &mut Self::Memory, size: u64, allocation: &Allocation) -> Outcome<Self>;
    /// The same for a size that is not known; nothing where the domain needs to know it.
    fn allocate_length(
        &mut self,
        _memory: &mut Self::Memory,
        _size: &Self::Value,
        _scalar: Scalar,
        _allocation: &Allocation,
    ) -> Outcome<Self, Option<Self::Value>> {
        Ok(None)
    }
    fn release(
        &mut self,
        memory: &mut Self::Memory,
        pointer: &Self::Value,
        ending: Ending,
        span: Span,
    ) -> Outcome<Self, ()>;
    /// Writes to this object are faults from now on.
    fn make_constant(&mut self, memory: &mut Self::Memory, pointer: &Self::Value);
    /// The object gets another size; its first bytes stay. For CIVL-C's sequences.
    fn resize(&mut self, memory: &mut Self::Memory, pointer: &Self::Value, size: u64) -> Outcome<Self, ()> {
        let _ = (memory, pointer, size);
        Err(Fault::unsupported("an object that changes its size").into())
    }
    /// All bytes of the object are indeterminate again.
    fn make_undefined(&mut self, memory: &mut Self::Memory, pointer: &Self::Value, size: u64);
    fn function_pointer(&mut self, memory: &mut Self::Memory, function: FunctionValue, name: Symbol) -> Self::Value;
    fn function_at(&mut self, memory: &Self::Memory, pointer: &Self::Value) -> Option<FunctionValue>;
    /// Gives an object at whose start the pointer points another size; its contents are zero.
    fn renew(&mut self, memory: &mut Self::Memory, pointer: &Self::Value, size: u64) -> Outcome<Self, ()>;
    // Objects whose size is a number with too many values to look at them one by one, where a domain has such.

    /// The number may be left open.
    fn is_open_number(&self, _memory: &Self::Memory, _value: &Self::Value) -> bool {
        false
    }
    /// A new object of so many bytes, if that number is left open.
    fn allocate_open(
        &mut self,
        _memory: &mut Self::Memory,
        _size: &Self::Value,
        _allocation: &Allocation,
    ) -> Outcome<Self, Option<Self::Value>> {
        Ok(None)
    }
    /// As `renew`. False, and nothing has happened, where the size is not left open; the same for what follows.
    fn renew_open(
        &mut self,
        _memory: &mut Self::Memory,
        _pointer: &Self::Value,
        _size: &Self::Value,
    ) -> Outcome<Self, bool> {
        Ok(false)
    }
    /// Any values for all elements of the object, which are such cells.
    fn havoc_open(
        &mut self,
        _memory: &mut Self::Memory,
        _pointer: &Self::Value,
        _cell: Option<Cell>,
    ) -> Outcome<Self, bool> {
        Ok(false)
    }
    fn copy_open(
        &mut self,
        _memory: &mut Self::Memory,
        _to: &Self::Value,
        _from: &Self::Value,
        _size: &Self::Value,
    ) -> Outcome<Self, bool> {
        Ok(false)
    }
    fn fill_open(&mut self, _memory: &mut Self::Memory, _to: &Self::Value, _size: &Self::Value) -> Outcome<Self, bool> {
        Ok(false)
    }
    /// Bytes from the pointer to the end of an object whose size is left open.
    fn open_extent(&mut self, _memory: &mut Self::Memory, _pointer: &Self::Value) -> Option<Self::Value> {
        None
    }

    /// The bytes behind both pointers stand for equal values.
    fn same_contents(
        &mut self,
        memory: &mut Self::Memory,
        left: &Self::Value,
        right: &Self::Value,
        size: u64,
    ) -> Outcome<Self, Answer<Self>>;
    /// Which byte of its object the pointer points to must be known, or the operation is done again for each of them.
    fn need_place(&self, _memory: &Self::Memory, _pointer: &Self::Value) -> Outcome<Self, ()> {
        Ok(())
    }
    /// Bytes from the pointer to the end of its live object; `None` where it points to none.
    fn extent(&mut self, memory: &Self::Memory, pointer: &Self::Value) -> Option<u64>;
    /// Keeps how long the rows of an array of arrays are: the sizes of its elements, of theirs, and so on.
    fn keep_rows(&mut self, memory: &mut Self::Memory, pointer: &Self::Value, rows: &[u64]);
    /// What was kept for the object that a pointer leads to.
    fn rows(&mut self, memory: &Self::Memory, pointer: &Self::Value) -> Option<Vec<u64>>;
    /// The name and the declaration of the object that a pointer points into, and the offset, where it is known.
    fn origin(&mut self, memory: &Self::Memory, pointer: &Self::Value) -> Option<(Option<Symbol>, Span, u64)>;
    /// Live heap objects: where each was allocated.
    fn heap_objects(&self, memory: &Self::Memory) -> Vec<(Span, u64)>;

    fn load(&mut self, memory: &mut Self::Memory, pointer: &Self::Value, cell: Cell) -> Outcome<Self>;
    fn store(
        &mut self,
        memory: &mut Self::Memory,
        pointer: &Self::Value,
        cell: Cell,
        value: &Self::Value,
    ) -> Outcome<Self, ()>;
    fn load_bits(&mut self, memory: &mut Self::Memory, pointer: &Self::Value, cell: BitCell) -> Outcome<Self>;
    fn store_bits(
        &mut self,
        memory: &mut Self::Memory,
        pointer: &Self::Value,
        cell: BitCell,
        value: &Self::Value,
    ) -> Outcome<Self, ()>;
    /// `memmove`, with all that the bytes carry.
    fn copy(&mut self, memory: &mut Self::Memory, to: &Self::Value, from: &Self::Value, size: u64)
    -> Outcome<Self, ()>;
    fn fill(&mut self, memory: &mut Self::Memory, to: &Self::Value, byte: u8, size: u64) -> Outcome<Self, ()>;
    /// Bytes for the library, which works on known ones.
    fn read_bytes(&mut self, memory: &mut Self::Memory, from: &Self::Value, size: u64) -> Outcome<Self, Vec<u8>>;
    fn write_bytes(&mut self, memory: &mut Self::Memory, to: &Self::Value, bytes: &[u8]) -> Outcome<Self, ()>;
    /// The bytes up to and without a zero.
    fn read_string(&mut self, memory: &mut Self::Memory, from: &Self::Value, limit: u64) -> Outcome<Self, Vec<u8>>;

    // Pointers.

    fn null(&mut self) -> Self::Value;
    fn offset(&mut self, pointer: &Self::Value, bytes: i64) -> Self::Value;
    fn index(&mut self, pointer: &Self::Value, index: &Self::Value, scalar: Scalar, element: u64) -> Outcome<Self>;
    /// `(left - right) / element` as a value of the scalar kind.
    fn difference(&mut self, left: &Self::Value, right: &Self::Value, element: u64, scalar: Scalar) -> Outcome<Self>;
}
