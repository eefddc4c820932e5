//! Expressions and places to text.

use super::derive::{self, Parts};
use super::print::{TypeText, separated};
use crate::ir::*;
use quod_base::{Id, Symbol};
use std::fmt::{self, Display};

#[derive(Copy, Clone)]
pub(super) struct ExprPrinter<'p> {
    pub(super) program: &'p Program,
    pub(super) body: &'p Body,
}

impl<'p> ExprPrinter<'p> {
    pub(super) fn expr(self, id: ExprId) -> impl Display + use<'p> {
        ExprText(self, id)
    }
    pub(super) fn place(self, id: PlaceId) -> impl Display + use<'p> {
        PlaceText(self, id)
    }
    pub(super) fn local(self, id: LocalId) -> impl Display + use<'p> {
        Named(self.body.locals[id].name, id)
    }
    pub(super) fn function(self, id: FunctionId) -> impl Display + use<'p> {
        Named(Some(self.program.functions[id].name), id)
    }
}

/// `name%3`; characters that a name of the text form may not have are left out.
pub(super) struct Named<I>(pub Option<Symbol>, pub I);

impl<I: Id> Display for Named<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.0 {
            let is_plain = |c: &char| c.is_ascii_alphanumeric() || *c == '_' || *c == '$';
            if name.as_str().chars().all(|c| is_plain(&c)) {
                f.write_str(name.as_str())?;
            } else {
                f.write_str(&quoted(name.as_str()))?;
            }
        }
        write!(f, "%{}", self.1.index())
    }
}

/// A string as Rust quotes it.
pub(super) fn quoted(text: &str) -> String {
    format!("{text:?}")
}

struct ExprText<'p>(ExprPrinter<'p>, ExprId);

impl Display for ExprText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ExprText(printer, id) = *self;
        let expr = &printer.body.exprs[id];
        let derived = derive::expr_type(&mut { printer }, &expr.kind);
        stacker::maybe_grow(64 << 10, 1 << 20, || {
            if derived == Some(expr.ty) {
                return printer.write_expr(&expr.kind, f);
            }
            f.write_str("(")?;
            printer.write_expr(&expr.kind, f)?;
            write!(f, " : {})", TypeText(printer.program, expr.ty))
        })
    }
}

struct PlaceText<'p>(ExprPrinter<'p>, PlaceId);

impl Display for PlaceText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlaceText(printer, id) = *self;
        let place = &printer.body.places[id];
        let derived = derive::place_type(&mut { printer }, &place.kind);
        if derived == Some(place.ty) {
            return printer.write_place(&place.kind, f);
        }
        f.write_str("<")?;
        printer.write_place(&place.kind, f)?;
        write!(f, " : {}>", TypeText(printer.program, place.ty))
    }
}

pub(super) const BINARY_WORDS: &[(BinaryOp, &str)] = &[
    (BinaryOp::Add, "+"),
    (BinaryOp::Subtract, "-"),
    (BinaryOp::Multiply, "*"),
    (BinaryOp::Divide, "/"),
    (BinaryOp::Remainder, "rem"),
    (BinaryOp::ShiftLeft, "<<"),
    (BinaryOp::ShiftRight, ">>"),
    (BinaryOp::BitAnd, "&"),
    (BinaryOp::BitOr, "|"),
    (BinaryOp::BitXor, "^"),
    (BinaryOp::Equal, "=="),
    (BinaryOp::NotEqual, "!="),
    (BinaryOp::Less, "<"),
    (BinaryOp::LessEqual, "<="),
    (BinaryOp::Greater, ">"),
    (BinaryOp::GreaterEqual, ">="),
];

fn binary_word(op: BinaryOp) -> &'static str {
    BINARY_WORDS.iter().find(|row| row.0 == op).map_or("+", |row| row.1)
}

pub(super) const UNARY_WORDS: &[(UnaryOp, &str)] =
    &[(UnaryOp::Negate, "-"), (UnaryOp::BitNot, "~"), (UnaryOp::Not, "!")];

fn unary_word(op: UnaryOp) -> &'static str {
    UNARY_WORDS.iter().find(|row| row.0 == op).map_or("-", |row| row.1)
}

pub(super) const QUANTIFIER_WORDS: &[(Quantifier, &str)] = &[
    (Quantifier::Forall, "forall"),
    (Quantifier::Exists, "exists"),
    (Quantifier::Uniform, "uniform"),
    (Quantifier::Sum, "sum"),
];

impl ExprPrinter<'_> {
    fn list(self, exprs: &[ExprId], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        separated(f, exprs, |f, &expr| write!(f, "{}", self.expr(expr)))
    }

    fn write_expr(self, kind: &ExprKind, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *kind {
            ExprKind::Int(value) => write!(f, "{value}"),
            ExprKind::Float { bits, text } => write!(f, "float({bits:#x} {})", quoted(text.as_str())),
            ExprKind::Function(function) => write!(f, "function({})", self.function(function)),
            ExprKind::Label { function, label } => write!(f, "label({} {})", self.function(function), label.index()),
            ExprKind::Load(place) => write!(f, "{}", self.place(place)),
            ExprKind::AddressOf(place) => write!(f, "&{}", self.place(place)),
            ExprKind::Unary(op, operand) => write!(f, "({} {})", unary_word(op), self.expr(operand)),
            ExprKind::Binary(op, left, right) => {
                write!(f, "({} {} {})", self.expr(left), binary_word(op), self.expr(right))
            }
            ExprKind::Convert(operand) => write!(f, "convert({})", self.expr(operand)),
            ExprKind::PointerAdd { pointer, index } => {
                write!(f, "add({}, {})", self.expr(pointer), self.expr(index))
            }
            ExprKind::PointerDifference(left, right) => {
                write!(f, "difference({}, {})", self.expr(left), self.expr(right))
            }
            ExprKind::LogicalAnd(left, right) => write!(f, "({} && {})", self.expr(left), self.expr(right)),
            ExprKind::LogicalOr(left, right) => write!(f, "({} || {})", self.expr(left), self.expr(right)),
            ExprKind::Implies(left, right) => write!(f, "({} => {})", self.expr(left), self.expr(right)),
            ExprKind::Conditional { condition, then, otherwise } => {
                write!(f, "({} ? {} : {})", self.expr(condition), self.expr(then), self.expr(otherwise))
            }
            ExprKind::RealPart(operand) => write!(f, "real_of({})", self.expr(operand)),
            ExprKind::ImaginaryPart(operand) => write!(f, "imaginary_of({})", self.expr(operand)),
            ExprKind::MakeComplex { real, imaginary } => {
                write!(f, "complex({}, {})", self.expr(real), self.expr(imaginary))
            }
            ExprKind::Aggregate(ref parts) => {
                f.write_str("{")?;
                self.list(parts, f)?;
                f.write_str("}")
            }
            ExprKind::Builtin { name, ref arguments } => {
                write!(f, "builtin({}", quoted(name.as_str()))?;
                self.tail(arguments, f)
            }
            ExprKind::SizeOf(ty) => write!(f, "sizeof({})", TypeText(self.program, ty)),
            ExprKind::Predicate(ref predicate) => self.write_predicate(predicate, f),
            ExprKind::Civl(ref expr) => self.write_civl(expr, f),
        }
    }

    /// `, e, e)`
    fn tail(self, arguments: &[ExprId], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &argument in arguments {
            write!(f, ", {}", self.expr(argument))?;
        }
        f.write_str(")")
    }

    fn write_predicate(self, predicate: &Predicate, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *predicate {
            Predicate::ValidAccess { pointer, size, access } => {
                let word = match access {
                    Access::Read => "valid_read",
                    Access::Write => "valid_write",
                };
                write!(f, "{word}({}, {})", self.expr(pointer), self.expr(size))
            }
            Predicate::ValidFree(pointer) => write!(f, "valid_free({})", self.expr(pointer)),
            Predicate::ValidPointerAdd { pointer, index } => {
                write!(f, "valid_add({}, {})", self.expr(pointer), self.expr(index))
            }
            Predicate::SameObject(left, right) => {
                write!(f, "same_object({}, {})", self.expr(left), self.expr(right))
            }
            Predicate::Initialised(place) => write!(f, "initialised({})", self.place(place)),
            Predicate::FitsBinary(op, left, right) => {
                write!(f, "fits({} {} {})", self.expr(left), binary_word(op), self.expr(right))
            }
            Predicate::FitsUnary(op, operand) => write!(f, "fits_unary({} {})", unary_word(op), self.expr(operand)),
            Predicate::ValidShift(op, left, right) => {
                write!(f, "valid_shift({} {} {})", self.expr(left), binary_word(op), self.expr(right))
            }
            Predicate::FitsConversion { value, target } => {
                write!(f, "fits_in({}, {})", self.expr(value), TypeText(self.program, target))
            }
            Predicate::Aligned { pointer, ty } => {
                write!(f, "is_aligned({}, {})", self.expr(pointer), TypeText(self.program, ty))
            }
            Predicate::Callable { pointer, ty } => {
                write!(f, "callable({}, {})", self.expr(pointer), TypeText(self.program, ty))
            }
            Predicate::UnionMember(place) => write!(f, "union_member({})", self.place(place)),
        }
    }

    fn write_civl(self, expr: &CivlExpr, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *expr {
            CivlExpr::SelfProcess => f.write_str("self()"),
            CivlExpr::NullProcess => f.write_str("null_process()"),
            CivlExpr::Here => f.write_str("here()"),
            CivlExpr::Root => f.write_str("root()"),
            CivlExpr::ScopeOf(place) => write!(f, "scope_of({})", self.place(place)),
            CivlExpr::Range { low, high, step } => {
                write!(f, "range({}, {}", self.expr(low), self.expr(high))?;
                self.tail(step.as_slice(), f)
            }
            CivlExpr::Domain(ref ranges) => {
                f.write_str("make_domain(")?;
                self.list(ranges, f)?;
                f.write_str(")")
            }
            CivlExpr::Quantified { kind, ref bound, restriction, body } => {
                let word = QUANTIFIER_WORDS.iter().find(|row| row.0 == kind).map_or("forall", |row| row.1);
                write!(f, "{word}(")?;
                separated(f, bound, |f, variable| {
                    write!(f, "{}", self.local(variable.variable))?;
                    variable.range.map_or(Ok(()), |range| write!(f, " in {}", self.expr(range)))
                })?;
                if let Some(restriction) = restriction {
                    write!(f, " where {}", self.expr(restriction))?;
                }
                write!(f, " do {})", self.expr(body))
            }
            CivlExpr::Lambda { bound, body } => write!(f, "lambda({} do {})", self.local(bound), self.expr(body)),
            CivlExpr::Abstract { function, ref arguments } => {
                write!(f, "apply({}", self.function(function))?;
                self.tail(arguments, f)
            }
            CivlExpr::Derivative { function, ref orders, ref arguments } => {
                write!(f, "derivative({} [", self.function(function))?;
                separated(f, orders, |f, (name, order)| write!(f, "{} {order}", quoted(name.as_str())))?;
                f.write_str("]")?;
                self.tail(arguments, f)
            }
            CivlExpr::BigO(operand) => write!(f, "big_o({})", self.expr(operand)),
            CivlExpr::Library { name, ref arguments } => {
                write!(f, "library({}", quoted(name.as_str()))?;
                self.tail(arguments, f)
            }
        }
    }

    fn write_place(self, kind: &PlaceKind, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *kind {
            PlaceKind::Variable(VariableRef::Local(local)) => write!(f, "{}", self.local(local)),
            PlaceKind::Variable(VariableRef::Global(global)) => {
                write!(f, "@{}", Named(Some(self.program.globals[global].name), global))
            }
            PlaceKind::Variable(VariableRef::Enclosing { levels, local }) => {
                write!(f, "outer({levels} {})", local.index())
            }
            PlaceKind::Deref(pointer) => write!(f, "*({})", self.expr(pointer)),
            PlaceKind::Field(base, index) => {
                write!(f, "{}.{}", self.place(base), Named(self.field_name(base, index), FieldIndex(index)))
            }
            PlaceKind::Index(base, index) => write!(f, "{}[{}]", self.place(base), self.expr(index)),
            PlaceKind::String(id) => write!(f, "string({})", id.index()),
            PlaceKind::RealPart(base) => write!(f, "real({})", self.place(base)),
            PlaceKind::ImaginaryPart(base) => write!(f, "imaginary({})", self.place(base)),
            PlaceKind::Temporary(local) => write!(f, "temporary({})", local.index()),
        }
    }

    fn field_name(self, base: PlaceId, index: u32) -> Option<Symbol> {
        match self.program.types[self.body.places[base].ty] {
            Type::Record(record) => self.program.types.records[record].fields.as_ref()?.get(index as usize)?.name,
            _ => None,
        }
    }
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct FieldIndex(u32);

impl Id for FieldIndex {
    fn from_index(index: usize) -> Self {
        Self(index as u32)
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl Parts for ExprPrinter<'_> {
    fn program(&self) -> &Program {
        self.program
    }
    fn body(&self) -> &Body {
        self.body
    }
    fn intern(&mut self, ty: Type) -> Option<TypeId> {
        self.program.types.ids.get(&ty).copied()
    }
}
