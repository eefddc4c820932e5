//! Expressions.

use super::*;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// Something that did not parse; a diagnostic says what.
    Error,
    /// `x`, also `__func__` and names of builtins
    Identifier(Symbol),
    /// `42`
    Integer(IntegerLiteral),
    /// `1.5`
    Float(FloatLiteral),
    /// `'a'`
    Character(CharacterLiteral),
    /// `"text"`, adjacent pieces joined
    String(StringId),
    /// C23's `true` and `false`
    Boolean(bool),
    /// C23's `nullptr`
    Nullptr,
    /// `(e)`
    Parenthesized(ExprId),
    /// `-e`, `e++`, …
    Unary { op: UnaryOp, op_span: Span, operand: ExprId },
    /// `a + b`, …
    Binary { op: BinaryOp, op_span: Span, left: ExprId, right: ExprId },
    /// `a = b`, `a += b`
    Assign { op: Option<BinaryOp>, op_span: Span, target: ExprId, value: ExprId },
    /// `a, b`
    Comma { op_span: Span, left: ExprId, right: ExprId },
    /// `a ? b : c` and GNU's `a ?: c`
    Conditional { condition: ExprId, question: Span, then: Option<ExprId>, otherwise: ExprId },
    /// `(T)e`
    Cast { ty: TypeNameId, operand: ExprId },
    /// `(T){…}`; CIVL-C's `($domain){r1, r2}` too
    CompoundLiteral { ty: TypeNameId, initializer: InitializerId },
    /// `f(a, b)`; `close` is the closing parenthesis
    Call { callee: ExprId, arguments: List<ExprId>, close: Span },
    /// CUDA's `f<<<grid, block>>>(a)`
    KernelLaunch { callee: ExprId, configuration: List<ExprId>, arguments: List<ExprId> },
    /// `a[i]`
    Index { base: ExprId, index: ExprId },
    /// `a.m`, `a->m`
    Member { base: ExprId, member: Name, is_arrow: bool },
    /// `sizeof e`
    SizeofExpr(ExprId),
    /// `sizeof(T)`
    SizeofType(TypeNameId),
    /// `__alignof__ e`
    AlignofExpr(ExprId),
    /// `_Alignof(T)`
    AlignofType(TypeNameId),
    /// `({ … })`
    StatementExpression(StmtId),
    /// `&&label`
    LabelAddress(Name),
    /// `_Generic(e, T: a, default: b)`
    Generic { control: GenericControl, associations: List<AssociationId> },
    /// `__builtin_va_arg(list, T)`
    VaArg { list: ExprId, ty: TypeNameId },
    /// `__builtin_offsetof(T, a.b[2])`
    Offsetof { ty: TypeNameId, path: List<DesignatorId> },
    /// `__builtin_types_compatible_p(T, U)`
    TypesCompatible { left: TypeNameId, right: TypeNameId },
    /// `__builtin_choose_expr(c, a, b)`
    Choose { condition: ExprId, then: ExprId, otherwise: ExprId },
    /// `__builtin_convertvector(e, T)`
    ConvertVector { operand: ExprId, ty: TypeNameId },
    /// `a .. b`, `a .. b # c`
    Range { low: ExprId, high: ExprId, step: Option<ExprId> },
    /// `$forall`, `$exists`, `$uniform`, `$sum`, `$lambda`
    Quantified(QuantifiedId),
    /// `$spawn f(x)`: the operand is the call
    Spawn(ExprId),
    /// `$self`
    SelfProcess,
    /// `$proc_null`
    ProcNull,
    /// `$here`
    Here,
    /// `$root`
    Root,
    /// `$scopeof(e)`
    ScopeOf(ExprId),
    /// `$D[f, {x, 2}](a, b)`
    Derivative(DerivativeId),
    /// `$O(e)`
    BigO(ExprId),
    /// `$result` of a contract
    Result,
    /// `$calls(f(x))` of a contract: the operand is the call
    Calls(ExprId),
    /// A type in the place of an argument, only of attributes and of builtins such as `__builtin_has_attribute`
    Type(TypeNameId),
    /// `...` as an argument of `$depends` and its like
    Ellipsis,
    /// `e@p`, the remote expression of 2016
    Remote { expr: ExprId, process: ExprId },
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `+e`
    Plus,
    /// `-e`
    Minus,
    /// `~e`
    BitNot,
    /// `!e`
    Not,
    /// `*e`
    Dereference,
    /// `&e`
    AddressOf,
    /// `++e`
    PreIncrement,
    /// `--e`
    PreDecrement,
    /// `e++`
    PostIncrement,
    /// `e--`
    PostDecrement,
    /// `__real__ e`
    Real,
    /// `__imag__ e`
    Imaginary,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    LogicalAnd,
    LogicalOr,
    /// CIVL-C's `=>`
    Implies,
}

impl UnaryOp {
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "-",
            Self::BitNot => "~",
            Self::Not => "!",
            Self::Dereference => "*",
            Self::AddressOf => "&",
            Self::PreIncrement | Self::PostIncrement => "++",
            Self::PreDecrement | Self::PostDecrement => "--",
            Self::Real => "__real__",
            Self::Imaginary => "__imag__",
        }
    }
    pub fn is_postfix(self) -> bool {
        matches!(self, Self::PostIncrement | Self::PostDecrement)
    }
}

impl BinaryOp {
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::Less => "<",
            Self::Greater => ">",
            Self::LessEqual => "<=",
            Self::GreaterEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::BitAnd => "&",
            Self::BitXor => "^",
            Self::BitOr => "|",
            Self::LogicalAnd => "&&",
            Self::LogicalOr => "||",
            Self::Implies => "=>",
        }
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum GenericControl {
    Expr(ExprId),
    Type(TypeNameId),
}

/// `T: e` or `default: e` in a `_Generic`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Association {
    pub span: Span,
    /// `None` is `default`.
    pub ty: Option<TypeNameId>,
    pub value: ExprId,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    Forall,
    Exists,
    Uniform,
    Sum,
    /// `$lambda (int i) e`; an array lambda is a `Cast` of it
    Lambda,
}

impl Quantifier {
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Forall => "$forall",
            Self::Exists => "$exists",
            Self::Uniform => "$uniform",
            Self::Sum => "$sum",
            Self::Lambda => "$lambda",
        }
    }
}

/// `$forall (int i : 0 .. n-1 | even(i)) p(i)`, in 2016 `$forall {int i | 0 <= i && i < n} p(i)`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Quantified {
    pub quantifier: Quantifier,
    pub keyword: Span,
    /// The bounds of `$uniform [a, b] [c, d] (…) e`, in pairs.
    pub intervals: List<ExprId>,
    pub binders: List<BinderId>,
    pub restriction: Option<ExprId>,
    pub body: ExprId,
}

/// `int i, j : domain`, `int i = lo .. hi`, `T x`: variables bound by a quantifier, `$for` or `$parfor`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Binder {
    pub span: Span,
    pub specifiers: SpecifiersId,
    pub declarators: List<DeclaratorId>,
    /// A range or a domain.
    pub domain: Option<ExprId>,
}

/// `$D[f, {x, 2}, {y, 1}](a, b)`
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Derivative {
    pub function: Name,
    /// The variables and, in the other list at the same place, how often to derive by each.
    pub variables: List<NameId>,
    pub orders: List<ExprId>,
    pub arguments: List<ExprId>,
    pub close: Span,
}
