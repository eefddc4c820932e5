//! Prepared code: a body decoded once into a flat list of typed operations on the registers of a frame.
//!
//! Scalar locals whose address is not taken are registers; other locals are objects whose addresses are in registers.
//! Constants, field offsets and sizes are known. The operations mean what the domain says; nothing here knows values.

use crate::domain::Domain;
use crate::flow::Flow;
use crate::scalar::{BitCell, Cell, Scalar};
use quod_base::{Span, Symbol};
use quod_diag::Diagnostic;
use quod_model::ir::{Access, BinaryOp, FunctionId, LocalId, ScopeId, TypeId, UnaryOp};
use quod_verdict::CheckKind;
use std::cell::OnceCell;

/// A register of the frame, or (highest bit) a constant of the code.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operand(pub u32);

impl Operand {
    pub const CONSTANT: u32 = 1 << 31;
    pub fn register(index: u32) -> Self {
        Self(index)
    }
    pub fn constant(index: u32) -> Self {
        Self(index | Self::CONSTANT)
    }
    pub fn is_constant(self) -> bool {
        self.0 & Self::CONSTANT != 0
    }
}

/// A register of the frame.
pub type Register = u32;
/// An index into `Code::ops`.
pub type Pc = u32;

#[derive(Clone, Debug)]
pub enum Op {
    Move {
        to: Register,
        from: Operand,
    },
    Unary {
        op: UnaryOp,
        scalar: Scalar,
        to: Register,
        operand: Operand,
    },
    Binary {
        op: BinaryOp,
        scalar: Scalar,
        to: Register,
        left: Operand,
        right: Operand,
    },
    /// `Binary` whose result must fit: the check and the operation in one.
    CheckedBinary {
        op: BinaryOp,
        scalar: Scalar,
        to: Register,
        left: Operand,
        right: Operand,
        check: u32,
    },
    // `Binary` and `CheckedBinary` of `int`, spelled out because they are everywhere.
    AddInt {
        to: Register,
        left: Operand,
        right: Operand,
    },
    SubtractInt {
        to: Register,
        left: Operand,
        right: Operand,
    },
    AndInt {
        to: Register,
        left: Operand,
        right: Operand,
    },
    CheckedAddInt {
        to: Register,
        left: Operand,
        right: Operand,
        check: u32,
    },
    CheckedSubtractInt {
        to: Register,
        left: Operand,
        right: Operand,
        check: u32,
    },
    /// The check fails where the value is not from `low` to below `high` (`is_inclusive`: to `high`).
    CheckBetween {
        scalar: Scalar,
        is_inclusive: bool,
        value: Operand,
        low: Operand,
        high: Operand,
        check: u32,
    },
    /// `Index` and `Load`, `Index` and `Store`
    LoadIndexed {
        to: Register,
        pointer: Operand,
        index: Operand,
        scalar: Scalar,
        element: u32,
        cell: Cell,
    },
    StoreIndexed {
        pointer: Operand,
        index: Operand,
        scalar: Scalar,
        element: u32,
        cell: Cell,
        value: Operand,
    },
    /// `CompareBranch` of `int`
    CompareBranchInt {
        op: BinaryOp,
        left: Operand,
        right: Operand,
        otherwise: Pc,
    },
    Shift {
        op: BinaryOp,
        scalar: Scalar,
        count: Scalar,
        to: Register,
        left: Operand,
        right: Operand,
    },
    /// The result is an `int`.
    Compare {
        op: BinaryOp,
        scalar: Scalar,
        to: Register,
        left: Operand,
        right: Operand,
    },
    Convert {
        from: Scalar,
        to_scalar: Scalar,
        to: Register,
        operand: Operand,
    },
    /// `value != 0` as an `int`
    ToBool {
        scalar: Scalar,
        to: Register,
        operand: Operand,
    },
    Numeric {
        call: u32,
        to: Register,
    },

    Offset {
        to: Register,
        pointer: Operand,
        bytes: i64,
    },
    Index {
        to: Register,
        pointer: Operand,
        index: Operand,
        scalar: Scalar,
        element: u32,
    },
    Difference {
        to: Register,
        left: Operand,
        right: Operand,
        element: u32,
        scalar: Scalar,
    },
    Load {
        to: Register,
        pointer: Operand,
        offset: i32,
        cell: Cell,
    },
    Store {
        pointer: Operand,
        offset: i32,
        cell: Cell,
        value: Operand,
    },
    LoadBits {
        to: Register,
        pointer: Operand,
        cell: BitCell,
    },
    StoreBits {
        pointer: Operand,
        cell: BitCell,
        value: Operand,
    },
    Copy {
        to: Operand,
        from: Operand,
        size: u64,
    },
    CopyDynamic {
        to: Operand,
        from: Operand,
        size: Operand,
    },
    Fill {
        to: Operand,
        size: u64,
    },
    FillDynamic {
        to: Operand,
        size: Operand,
    },
    ThreadLocal {
        to: Register,
        index: u32,
    },
    /// The address of a variable of an enclosing function.
    Enclosing {
        to: Register,
        function: FunctionId,
        scope: ScopeId,
        local: LocalId,
    },
    FunctionAddress {
        to: Register,
        function: FunctionId,
    },
    /// Is this address the one of the object's first byte? … see `Question`.
    Ask {
        to: Register,
        question: u32,
    },
    /// The check fails where the question's answer is no.
    Check {
        question: u32,
        check: u32,
    },
    /// The check has failed; where its kind is switched off, go on at `resume`.
    CheckFailed {
        check: u32,
        resume: Pc,
    },

    Jump {
        target: Pc,
    },
    /// Goes on where the value is not zero.
    Branch {
        scalar: Scalar,
        condition: Operand,
        otherwise: Pc,
    },
    /// Goes on where the comparison holds.
    CompareBranch {
        op: BinaryOp,
        scalar: Scalar,
        left: Operand,
        right: Operand,
        otherwise: Pc,
    },
    Switch {
        scalar: Scalar,
        value: Operand,
        table: u32,
    },
    ComputedJump {
        value: Operand,
    },
    When {
        scalar: Scalar,
        condition: Operand,
        start: Pc,
    },
    Choose {
        table: u32,
    },
    Return {
        value: Option<Operand>,
    },
    /// A record or array is returned: from this address.
    ReturnAggregate {
        from: Operand,
        size: u64,
    },
    Unreachable,

    Call {
        site: u32,
    },
    Spawn {
        site: u32,
    },
    Builtin {
        site: u32,
    },
    /// Makes the object of a local.
    Enter {
        local: u32,
    },
    EnterDynamic {
        local: u32,
        size: Operand,
    },
    Leave {
        local: u32,
    },
    Undefine {
        local: u32,
    },
    EnterScope {
        scope: ScopeId,
    },
    LeaveScope {
        scope: ScopeId,
    },
    Assume {
        scalar: Scalar,
        condition: Operand,
    },
    Havoc {
        to: Register,
        scalar: Scalar,
        name: Option<Symbol>,
    },
    /// Does nothing, which takes a move.
    Nop,
    AtomicBegin {
        is_atom: bool,
    },
    AtomicEnd {
        is_atom: bool,
    },
    Unsupported {
        diagnostic: u32,
    },
    /// The loop that follows is a quantifier: who drives the executor may have the answer without it.
    Quantify {
        site: u32,
    },
}

/// `$forall` or `$exists` over one variable, which is a loop.
#[derive(Clone, Debug)]
pub struct QuantifierSite {
    pub is_forall: bool,
    /// The variable.
    pub register: Register,
    pub scalar: Scalar,
    pub low: Operand,
    pub high: Operand,
    /// The variable has all values of its kind; the limits mean nothing.
    pub is_unlimited: bool,
    /// Where its body begins; where it comes when the value decides nothing, and where when the answer is known.
    pub body: Pc,
    pub next: Pc,
    pub end: Pc,
    pub result: Register,
    pub result_scalar: Scalar,
}

/// A question with operands still in registers.
#[derive(Clone, Debug)]
pub enum Asking {
    ValidAccess { pointer: Operand, size: Operand, access: Access },
    ValidFree { pointer: Operand },
    ValidPointerAdd { pointer: Operand, index: Operand, scalar: Scalar, element: u64 },
    SameObject { left: Operand, right: Operand },
    Initialised { pointer: Operand, size: u64 },
    InitialisedRegister { flag: Operand },
    FitsBinary { op: BinaryOp, scalar: Scalar, left: Operand, right: Operand },
    FitsUnary { op: UnaryOp, scalar: Scalar, operand: Operand },
    ValidShift { op: BinaryOp, scalar: Scalar, left: Operand, right: Operand, count: Scalar },
    FitsConversion { value: Operand, from: Scalar, to: Scalar },
    Aligned { pointer: Operand, alignment: u64 },
    Callable { pointer: Operand, ty: TypeId },
}

#[derive(Clone, Debug)]
pub struct CheckSite {
    pub kind: CheckKind,
    pub span: Span,
    pub message: Option<Symbol>,
    /// What its conversions stand for.
    pub values: Vec<(Operand, Scalar)>,
    pub question: Option<u32>,
    /// Values that explain a comparison that fails: an index and its bound.
    pub shown: Option<(Operand, Operand, Scalar)>,
    /// Another place to show.
    pub place: Option<(Span, &'static str)>,
}

/// How a value goes into a call or comes out.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Passing {
    Scalar(Scalar),
    /// By the address of a record or array of this size and alignment.
    Aggregate {
        size: u64,
        alignment: u64,
    },
}

#[derive(Copy, Clone, Debug)]
pub struct Argument {
    pub operand: Operand,
    pub passing: Passing,
    pub ty: TypeId,
}

#[derive(Clone, Debug)]
pub enum Target {
    Direct(FunctionId),
    Indirect(Operand, TypeId),
}

#[derive(Copy, Clone, Debug)]
pub enum ResultTo {
    Nothing,
    Register(Register, Scalar),
    /// A record or array, to this address.
    Memory {
        address: Operand,
        size: u64,
    },
}

#[derive(Clone, Debug)]
pub struct CallSite {
    pub target: Target,
    pub arguments: Vec<Argument>,
    pub result: ResultTo,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct BuiltinSite {
    pub name: Symbol,
    pub arguments: Vec<Argument>,
    pub types: Vec<TypeId>,
    pub result: ResultTo,
    pub result_type: Option<TypeId>,
    pub span: Span,
}

/// What the names of `$abstract` functions begin with among numeric ones.
pub const ABSTRACT: &str = "$abstract ";
/// What follows for partial orders.
pub const ORDER: &str = "$order ";

#[derive(Clone, Debug)]
pub struct NumericSite {
    pub name: &'static str,
    pub arguments: Vec<(Operand, Scalar)>,
    pub result: Scalar,
}

#[derive(Clone, Debug)]
pub struct SwitchTable {
    /// Sorted by `low`.
    pub cases: Vec<(i128, i128, Pc)>,
    pub default: Pc,
    /// Where all cases are single and near each other: targets from `first` on.
    pub dense: Option<(i128, Vec<Pc>)>,
}

#[derive(Clone, Debug)]
pub struct ChooseTable {
    pub alternatives: Vec<Pc>,
    pub default: Option<Pc>,
    pub start: Pc,
}

/// A local that is an object.
#[derive(Clone, Debug)]
pub struct MemoryLocal {
    pub local: Option<LocalId>,
    pub register: Register,
    pub size: u64,
    pub alignment: u64,
    pub name: Option<Symbol>,
    pub span: Span,
    /// The scope, where it is captured: its instance knows the address.
    pub captured: Option<ScopeId>,
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub passing: Passing,
    pub ty: TypeId,
}

/// A prepared body.
#[derive(Clone, Debug)]
pub struct Code<D: Domain> {
    pub function: FunctionId,
    pub ops: Vec<Op>,
    /// For each op the index of its location.
    pub locations: Vec<u32>,
    /// For each op: a process may be interrupted before it.
    pub starts: Vec<bool>,
    /// Where guards begin behind which others stand: who is blocked by one of those has not passed the first.
    pub(crate) guards: Vec<Pc>,
    pub constants: Vec<D::Value>,
    pub register_count: u32,
    /// Registers of locals come first; what is behind them and no home of an object holds nothing between moves.
    pub local_count: u32,
    pub parameters: Vec<Parameter>,
    pub memory_locals: Vec<MemoryLocal>,
    /// Locals that live in registers.
    pub register_locals: Vec<(LocalId, Register, Scalar)>,
    /// Those of them that are no variables of the program: values on their way.
    pub hidden_locals: Vec<Register>,
    pub questions: Vec<Asking>,
    pub checks: Vec<CheckSite>,
    pub calls: Vec<CallSite>,
    pub builtins: Vec<BuiltinSite>,
    pub numerics: Vec<NumericSite>,
    pub quantifiers: Vec<QuantifierSite>,
    pub switches: Vec<SwitchTable>,
    pub chooses: Vec<ChooseTable>,
    pub unsupported: Vec<Diagnostic>,
    pub labels: Vec<Pc>,
    /// Spans of locations, by index.
    pub spans: Vec<Span>,
    pub is_variadic: bool,
    pub result: Option<Passing>,
    pub(crate) flow: OnceCell<Box<Flow>>,
    pub(crate) accesses: OnceCell<Vec<bool>>,
    /// Registers with addresses of locals that no one else can have the address of.
    pub(crate) own_locals: Vec<Register>,
}

impl<D: Domain> Code<D> {
    /// For each op: a process may be interrupted before it, where each access to memory is a move of its own.
    pub fn access_starts(&self) -> &[bool] {
        self.accesses.get_or_init(|| {
            let is_own = |pointer: &Operand| !pointer.is_constant() && self.own_locals.contains(&pointer.0);
            let is_access = |op: &Op| match op {
                Op::Load { pointer, .. }
                | Op::Store { pointer, .. }
                | Op::LoadBits { pointer, .. }
                | Op::StoreBits { pointer, .. }
                | Op::LoadIndexed { pointer, .. }
                | Op::StoreIndexed { pointer, .. } => !is_own(pointer),
                Op::Copy { .. }
                | Op::CopyDynamic { .. }
                | Op::Fill { .. }
                | Op::FillDynamic { .. }
                | Op::ReturnAggregate { .. } => true,
                // Arguments are evaluated before the call, and what is called may be atomic as a whole.
                Op::Call { .. } => true,
                _ => false,
            };
            self.ops.iter().zip(&self.starts).map(|(op, is_start)| *is_start || is_access(op)).collect()
        })
    }

    /// Found out when it is first asked for.
    pub fn flow(&self) -> &Flow {
        self.flow.get_or_init(|| Box::new(Flow::of(self)))
    }

    /// The place of the operation at `pc`.
    pub fn span(&self, pc: Pc) -> Span {
        self.locations.get(pc as usize).and_then(|&index| self.spans.get(index as usize)).copied().unwrap_or(Span::NONE)
    }
}
