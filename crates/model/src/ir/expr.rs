//! Expressions and places of the model: pure. Whatever has a side effect (assignment, call, `++`, statement expression,
//! allocation of a literal) has become a step before the step that uses its value, in C's left-to-right order.
//!
//! `&&`, `||` and `?:` stay expressions where their operands are pure; their right operands are evaluated only when C
//! evaluates them, and checks inserted for them are guarded accordingly.
//! All conversions are explicit: both operands of an arithmetic operator have the type of its result.

use super::{FunctionId, LabelId, LocalId, StringId, TypeId, VariableRef};
use quod_base::{Span, Symbol, define_id};

define_id! {
    /// An expression of one function body.
    pub struct ExprId = "x";
}
define_id! {
    /// A place (C: lvalue) of one function body.
    pub struct PlaceId = "p";
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A value of integer, `_Bool`, enum or pointer type, sign-extended if its type is signed.
    Int(i128),
    /// A value of floating type. `text` is what was written (or printed by folding), so that `--arith ideal` is exact.
    Float {
        bits: u128,
        text: Symbol,
    },
    /// `f` as a value: its address.
    Function(FunctionId),
    /// `&&label`, of the function that has the label (static initialisers name it from outside)
    Label {
        function: FunctionId,
        label: LabelId,
    },
    /// The value in a place: scalar, record, or (CIVL-C) array.
    Load(PlaceId),
    /// `&place`, and an array place decayed to the address of its first element (the type says which).
    AddressOf(PlaceId),
    Unary(UnaryOp, ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    /// `(T)e`: from the operand's type to this expression's type.
    Convert(ExprId),
    /// `p + i`, counted in elements of what `p` points to (`void` and functions count as 1 byte). `i` has type `ptrdiff_t`;
    /// subtraction is addition of the negation.
    PointerAdd {
        pointer: ExprId,
        index: ExprId,
    },
    /// `p - q` in elements.
    PointerDifference(ExprId, ExprId),
    /// `a && b`, `a || b`: operands of any scalar type, result `int` 0 or 1.
    LogicalAnd(ExprId, ExprId),
    LogicalOr(ExprId, ExprId),
    /// CIVL-C `a => b`
    Implies(ExprId, ExprId),
    Conditional {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    /// `__real__ e`, `__imag__ e` of a complex value
    RealPart(ExprId),
    ImaginaryPart(ExprId),
    /// A complex value from its parts.
    MakeComplex {
        real: ExprId,
        imaginary: ExprId,
    },
    /// A value of array, record or vector type from its parts, in order.
    Aggregate(Vec<ExprId>),
    /// A pure compiler built-in: `__builtin_popcount(x)`, `__builtin_isnan(x)`, `fabs(x)`, … with the name as written.
    Builtin {
        name: Symbol,
        arguments: Vec<ExprId>,
    },
    /// `sizeof` of a variably modified type, in bytes.
    SizeOf(TypeId),
    /// A condition over the state that checks ask (see `Step::Check`).
    Predicate(Predicate),
    /// CIVL-C expressions that C does not have.
    Civl(CivlExpr),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-e`
    Negate,
    /// `~e`
    BitNot,
    /// `!e`: result `int`
    Not,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    /// The right operand of a shift has its own promoted type.
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    /// Comparisons have type `int` (vectors: a vector of 0 and -1); pointers compare, too.
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// Questions about the machine that a check asks. All are total: they answer for any operand values.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicate {
    /// `size` bytes from `pointer` lie in one live object that may be accessed so.
    ValidAccess {
        pointer: ExprId,
        size: ExprId,
        access: Access,
    },
    /// The pointer may be given to `free`: null, or the start of a live heap object.
    ValidFree(ExprId),
    /// Adding stays inside the object or one past its end.
    ValidPointerAdd {
        pointer: ExprId,
        index: ExprId,
    },
    /// Both point into the same live object.
    SameObject(ExprId, ExprId),
    /// All bytes that a read of this place uses have been written.
    Initialised(PlaceId),
    /// The mathematical result of the operation is representable in the type of the operation.
    FitsBinary(BinaryOp, ExprId, ExprId),
    FitsUnary(UnaryOp, ExprId),
    /// The shift count is in range; for signed left shifts also that the result is representable.
    ValidShift(BinaryOp, ExprId, ExprId),
    /// The value, truncated, is representable in the integer type.
    FitsConversion {
        value: ExprId,
        target: TypeId,
    },
    /// The pointer is aligned for the type.
    Aligned {
        pointer: ExprId,
        ty: TypeId,
    },
    /// The function pointer points to a function that may be called as this type.
    Callable {
        pointer: ExprId,
        ty: TypeId,
    },
    /// The member of this union that was written last is this one.
    UnionMember(PlaceId),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    Read,
    Write,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CivlExpr {
    /// `$self`, `$proc_null`, `$here`, `$root`
    SelfProcess,
    NullProcess,
    Here,
    Root,
    /// `$scopeof(place)`
    ScopeOf(PlaceId),
    /// `lo .. hi # step`
    Range {
        low: ExprId,
        high: ExprId,
        step: Option<ExprId>,
    },
    /// `($domain){r1, …}`
    Domain(Vec<ExprId>),
    /// `$forall`, `$exists`, `$uniform`, `$sum`; bound variables are locals of the function that only the body reads.
    Quantified {
        kind: Quantifier,
        bound: Vec<BoundVariable>,
        restriction: Option<ExprId>,
        body: ExprId,
    },
    /// `(T[n])$lambda(int i) e` (an array value) or `$lambda(T x) e`
    Lambda {
        bound: LocalId,
        body: ExprId,
    },
    /// Call of an `$abstract` function: uninterpreted. Inside a quantifier or lambda also of a function with a body, which
    /// must have no effects.
    Abstract {
        function: FunctionId,
        arguments: Vec<ExprId>,
    },
    /// `$D[f, {x, n}, …](arguments)`
    Derivative {
        function: FunctionId,
        orders: Vec<(Symbol, u32)>,
        arguments: Vec<ExprId>,
    },
    /// `$O(e)`
    BigO(ExprId),
    /// A pure library function: `$equals`, `$is_terminated`, `$seq_length`, …
    Library {
        name: Symbol,
        arguments: Vec<ExprId>,
    },
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    Forall,
    Exists,
    Uniform,
    Sum,
}

/// `int i : lo .. hi` or, without a range, any value of the type.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundVariable {
    pub variable: LocalId,
    pub range: Option<ExprId>,
}

#[derive(Clone, Debug)]
pub struct Place {
    pub kind: PlaceKind,
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PlaceKind {
    Variable(VariableRef),
    /// `*e`
    Deref(ExprId),
    /// `place.f`: the field with this index, possibly a bit-field.
    Field(PlaceId, u32),
    /// `place[e]` of an array (or vector) place; C's `p[e]` of a pointer is `Deref(PointerAdd)`.
    Index(PlaceId, ExprId),
    /// A string literal: a static array.
    String(StringId),
    /// `__real__ place`, `__imag__ place`
    RealPart(PlaceId),
    ImaginaryPart(PlaceId),
    /// The bytes of a value that has no place (`f().member`): a hidden local that holds it.
    Temporary(LocalId),
}

impl BinaryOp {
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
    }
}

/// A part of an expression or place.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    Expr(ExprId),
    Place(PlaceId),
}

impl ExprKind {
    /// The direct parts, in the order in which they are evaluated.
    pub fn for_each_part(&self, visit: &mut dyn FnMut(Part)) {
        let mut all = |ids: &[ExprId]| ids.iter().for_each(|&id| visit(Part::Expr(id)));
        match self {
            ExprKind::Int(_)
            | ExprKind::Float { .. }
            | ExprKind::Function(_)
            | ExprKind::Label { .. }
            | ExprKind::SizeOf(_) => {}
            ExprKind::Load(place) | ExprKind::AddressOf(place) => visit(Part::Place(*place)),
            ExprKind::Unary(_, operand)
            | ExprKind::Convert(operand)
            | ExprKind::RealPart(operand)
            | ExprKind::ImaginaryPart(operand) => all(&[*operand]),
            ExprKind::Binary(_, left, right)
            | ExprKind::PointerAdd { pointer: left, index: right }
            | ExprKind::PointerDifference(left, right)
            | ExprKind::LogicalAnd(left, right)
            | ExprKind::LogicalOr(left, right)
            | ExprKind::Implies(left, right)
            | ExprKind::MakeComplex { real: left, imaginary: right } => all(&[*left, *right]),
            ExprKind::Conditional { condition, then, otherwise } => all(&[*condition, *then, *otherwise]),
            ExprKind::Aggregate(parts) | ExprKind::Builtin { arguments: parts, .. } => all(parts),
            ExprKind::Predicate(predicate) => predicate.for_each_part(visit),
            ExprKind::Civl(expr) => expr.for_each_part(visit),
        }
    }
}

impl Predicate {
    fn for_each_part(&self, visit: &mut dyn FnMut(Part)) {
        match *self {
            Predicate::ValidAccess { pointer: left, size: right, .. }
            | Predicate::ValidPointerAdd { pointer: left, index: right }
            | Predicate::SameObject(left, right)
            | Predicate::FitsBinary(_, left, right)
            | Predicate::ValidShift(_, left, right) => {
                visit(Part::Expr(left));
                visit(Part::Expr(right));
            }
            Predicate::ValidFree(operand)
            | Predicate::FitsUnary(_, operand)
            | Predicate::FitsConversion { value: operand, .. }
            | Predicate::Aligned { pointer: operand, .. }
            | Predicate::Callable { pointer: operand, .. } => visit(Part::Expr(operand)),
            Predicate::Initialised(place) | Predicate::UnionMember(place) => visit(Part::Place(place)),
        }
    }
}

impl CivlExpr {
    fn for_each_part(&self, visit: &mut dyn FnMut(Part)) {
        let mut all = |ids: &[ExprId]| ids.iter().for_each(|&id| visit(Part::Expr(id)));
        match self {
            CivlExpr::SelfProcess | CivlExpr::NullProcess | CivlExpr::Here | CivlExpr::Root => {}
            CivlExpr::ScopeOf(place) => visit(Part::Place(*place)),
            CivlExpr::Range { low, high, step } => {
                all(&[*low, *high]);
                all(step.as_slice());
            }
            CivlExpr::Domain(parts)
            | CivlExpr::Abstract { arguments: parts, .. }
            | CivlExpr::Derivative { arguments: parts, .. }
            | CivlExpr::Library { arguments: parts, .. } => all(parts),
            CivlExpr::Quantified { bound, restriction, body, .. } => {
                bound.iter().for_each(|variable| all(variable.range.as_slice()));
                all(restriction.as_slice());
                all(&[*body]);
            }
            CivlExpr::Lambda { body, .. } | CivlExpr::BigO(body) => all(&[*body]),
        }
    }
}
