//! Expressions: from syntax to operands, places and pure values, with side effects turned into steps on the way.
//!
//! An `Operand` is what an expression denotes before lvalue conversion and decay; `value` applies those. Evaluation is
//! from left to right: where a later operand has effects, an earlier one is saved in a hidden local first.

mod access;
mod assignment;
mod convert;
mod literals;
mod logic;
mod operators;
mod queries;
mod sequence;

pub(crate) use convert::{Purpose, float_format};

use super::Lowerer;
use super::names::Binding;
use crate::ir::*;
use quod_base::{Id, Span, Symbol};
use quod_diag::codes;
use quod_syntax::ast;

/// What an expression denotes.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Operand {
    pub kind: OperandKind,
    pub ty: TypeId,
    pub qualifiers: Qualifiers,
    /// Width of the bit-field that it is.
    pub bits: Option<u32>,
    pub span: Span,
}

#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum OperandKind {
    Place(PlaceId),
    Value(ExprId),
    Function(FunctionId),
}

impl Operand {
    pub(crate) fn qual_type(self) -> QualType {
        QualType { ty: self.ty, qualifiers: self.qualifiers }
    }
}

const UNKNOWN: u8 = 0;
const PURE: u8 = 1;
const EFFECTS: u8 = 2;

impl Lowerer<'_> {
    pub(crate) fn operand(&mut self, expr: ast::ExprId) -> Operand {
        stacker::maybe_grow(96 << 10, 2 << 20, || self.operand_inner(expr))
    }

    fn operand_inner(&mut self, expr: ast::ExprId) -> Operand {
        let node = self.unit[expr];
        let span = node.span;
        self.sequence(expr);
        match node.kind {
            ast::ExprKind::Error => self.error_operand(span),
            ast::ExprKind::Identifier(name) => self.identifier(name, span),
            ast::ExprKind::Integer(literal) => self.integer_literal(&literal, span),
            ast::ExprKind::Float(literal) => self.float_literal(&literal, span),
            ast::ExprKind::Character(literal) => self.character_literal(&literal, span),
            ast::ExprKind::String(id) => self.string_literal(id),
            ast::ExprKind::Boolean(value) => self.constant_operand(i128::from(value), self.known.boolean, span),
            ast::ExprKind::Nullptr => self.constant_operand(0, self.known.void_pointer, span),
            ast::ExprKind::Parenthesized(inner) => {
                let mut operand = self.operand(inner);
                operand.span = span;
                operand
            }
            ast::ExprKind::Unary { op, op_span, operand } => self.unary(op, op_span, operand, span),
            ast::ExprKind::Binary { op, op_span, left, right } => self.binary_operator(op, op_span, left, right, span),
            ast::ExprKind::Assign { op, op_span, target, value } => self.assign(op, op_span, target, value, span),
            ast::ExprKind::Comma { left, right, .. } => {
                self.discard(left);
                let right = self.value(right);
                self.value_operand(right, span)
            }
            ast::ExprKind::Conditional { condition, question, then, otherwise } => {
                self.conditional(condition, question, then, otherwise, span)
            }
            ast::ExprKind::Cast { ty, operand } => self.cast(ty, operand, span),
            ast::ExprKind::CompoundLiteral { ty, initializer } => self.compound_literal(ty, initializer, span),
            ast::ExprKind::Call { callee, arguments, close } => self.call(callee, arguments, close, span),
            ast::ExprKind::KernelLaunch { .. } => self.unsupported_operand("a kernel launch", span),
            ast::ExprKind::Index { base, index } => self.index(base, index, span),
            ast::ExprKind::Member { base, member, is_arrow } => self.member(base, member, is_arrow, span),
            ast::ExprKind::SizeofExpr(operand) => self.sizeof_expr(operand, span),
            ast::ExprKind::SizeofType(ty) => self.sizeof_type(ty, span),
            ast::ExprKind::AlignofExpr(operand) => self.alignof_expr(operand, span),
            ast::ExprKind::AlignofType(ty) => self.alignof_type(ty, span),
            ast::ExprKind::StatementExpression(body) => self.statement_expression(body, span),
            ast::ExprKind::LabelAddress(name) => self.label_address(name, span),
            ast::ExprKind::Generic { control, associations } => self.generic(control, associations, span),
            ast::ExprKind::VaArg { list, ty } => self.va_arg(list, ty, span),
            ast::ExprKind::Offsetof { ty, path } => self.offsetof(ty, path, span),
            ast::ExprKind::TypesCompatible { left, right } => {
                let (left, right) = (self.type_of_name(left), self.type_of_name(right));
                let same = self.compatible(left.ty, right.ty) && {
                    let enums = |ty: TypeId| matches!(self.ty(ty), Type::Enum(_));
                    enums(left.ty) == enums(right.ty) && (!enums(left.ty) || left.ty == right.ty)
                };
                self.constant_operand(i128::from(same), self.known.int, span)
            }
            ast::ExprKind::Choose { condition, then, otherwise } => match self.integer_constant(condition) {
                Some(0) => self.operand(otherwise),
                Some(_) => self.operand(then),
                None => self.error_operand(span),
            },
            ast::ExprKind::ConvertVector { operand, ty } => self.convert_vector(operand, ty, span),
            ast::ExprKind::Range { low, high, step } => self.range(low, high, step, span),
            ast::ExprKind::Quantified(id) => self.quantified(id, span),
            ast::ExprKind::Spawn(call) => self.spawn(call, span),
            ast::ExprKind::SelfProcess => self.civl_operand(CivlExpr::SelfProcess, Type::Process, span),
            ast::ExprKind::ProcNull => self.civl_operand(CivlExpr::NullProcess, Type::Process, span),
            ast::ExprKind::Here => {
                // An instance of its own, which can be told from others.
                if !self.names.is_file_scope() {
                    let scope = self.b().scope;
                    self.b().body.scopes[scope].is_captured = true;
                }
                self.civl_operand(CivlExpr::Here, Type::Scope, span)
            }
            ast::ExprKind::Root => self.civl_operand(CivlExpr::Root, Type::Scope, span),
            ast::ExprKind::ScopeOf(inner) => self.scope_of(inner, span),
            ast::ExprKind::Derivative(id) => self.derivative(id, span),
            ast::ExprKind::BigO(inner) => {
                let value = self.value(inner);
                let ty = self.ty(self.type_of(value)).clone();
                self.civl_operand(CivlExpr::BigO(value), ty, span)
            }
            ast::ExprKind::Result => self.unsupported_operand("`$result` outside a contract", span),
            ast::ExprKind::Calls(_) | ast::ExprKind::Type(_) | ast::ExprKind::Ellipsis => {
                self.unsupported_operand("this expression outside a contract or attribute", span)
            }
            ast::ExprKind::Remote { .. } => self.unsupported_operand("a remote expression", span),
        }
    }

    /// The value of an expression, after lvalue conversion and decay.
    pub(crate) fn value(&mut self, expr: ast::ExprId) -> ExprId {
        let operand = self.operand(expr);
        self.to_value(operand)
    }

    /// Loads places; arrays and functions decay to pointers.
    pub(crate) fn to_value(&mut self, operand: Operand) -> ExprId {
        let span = operand.span;
        match operand.kind {
            OperandKind::Value(value) => value,
            OperandKind::Function(function) => {
                let ty = self.pointer_to(operand.ty);
                self.b().expr(ExprKind::Function(function), ty, span)
            }
            OperandKind::Place(place) => match *self.ty(operand.ty) {
                Type::Array { element, .. } => {
                    let element = self.qualify(element, operand.qualifiers);
                    let ty = self.types().intern(Type::Pointer(element));
                    self.mark_address_taken(place);
                    self.b().expr(ExprKind::AddressOf(place), ty, span)
                }
                Type::Function(_) => {
                    let ty = self.pointer_to(operand.ty);
                    match self.b_ref().body.places[place].kind {
                        PlaceKind::Deref(pointer) if self.type_of(pointer) == ty => pointer,
                        _ => self.b().expr(ExprKind::AddressOf(place), ty, span),
                    }
                }
                Type::Void => self.void_value(span),
                _ => self.b().expr(ExprKind::Load(place), operand.ty, span),
            },
        }
    }

    /// The value of an expression whose type is any arithmetic, after integer promotion, bit-fields included.
    pub(crate) fn promoted(&mut self, operand: Operand) -> ExprId {
        let value = self.to_value(operand);
        self.promote(value, operand.bits)
    }

    pub(crate) fn value_operand(&mut self, value: ExprId, span: Span) -> Operand {
        let ty = self.type_of(value);
        Operand { kind: OperandKind::Value(value), ty, qualifiers: Qualifiers::default(), bits: None, span }
    }
    pub(crate) fn place_operand(&mut self, place: PlaceId, qualifiers: Qualifiers, span: Span) -> Operand {
        let ty = self.b().body.places[place].ty;
        Operand { kind: OperandKind::Place(place), ty, qualifiers, bits: None, span }
    }
    pub(crate) fn constant_operand(&mut self, value: i128, ty: TypeId, span: Span) -> Operand {
        let value = self.b().expr(ExprKind::Int(value), ty, span);
        self.value_operand(value, span)
    }
    pub(crate) fn int_value(&mut self, value: i128, ty: TypeId, span: Span) -> ExprId {
        self.b().expr(ExprKind::Int(value), ty, span)
    }
    pub(crate) fn void_value(&mut self, span: Span) -> ExprId {
        let ty = self.known.void;
        self.int_value(0, ty, span)
    }
    /// What stays where an error was reported.
    pub(crate) fn error_operand(&mut self, span: Span) -> Operand {
        let ty = self.known.error;
        self.constant_operand(0, ty, span)
    }
    pub(crate) fn error_value(&mut self, span: Span) -> ExprId {
        let ty = self.known.error;
        self.int_value(0, ty, span)
    }
    pub(crate) fn unsupported_operand(&mut self, what: &str, span: Span) -> Operand {
        self.unsupported(what, span);
        self.error_operand(span)
    }

    /// Evaluates for the effects alone.
    pub(crate) fn discard(&mut self, expr: ast::ExprId) {
        let node = self.unit[expr];
        if matches!(node.kind, ast::ExprKind::Assign { .. }) {
            self.sequence(expr);
        }
        match node.kind {
            ast::ExprKind::Parenthesized(inner) => self.discard(inner),
            ast::ExprKind::Assign { op, op_span, target, value } => {
                self.assign_discarding(op, op_span, target, value, node.span);
            }
            ast::ExprKind::Unary { op, op_span, operand }
                if matches!(
                    op,
                    ast::UnaryOp::PreIncrement
                        | ast::UnaryOp::PreDecrement
                        | ast::UnaryOp::PostIncrement
                        | ast::UnaryOp::PostDecrement
                ) =>
            {
                self.increment_discarding(op, op_span, operand, node.span);
            }
            ast::ExprKind::Comma { left, right, .. } => stacker::maybe_grow(64 << 10, 1 << 20, || {
                self.discard(left);
                self.discard(right);
            }),
            ast::ExprKind::Call { callee, arguments, close } => {
                self.call_discarding(callee, arguments, close, node.span);
            }
            ast::ExprKind::Cast { ty, operand } if self.is_void_name(ty) => self.discard(operand),
            ast::ExprKind::StatementExpression(body) if self.active != 0 => {
                let saved = self.b().statement;
                self.statement(body);
                self.b().statement = saved;
            }
            ast::ExprKind::Conditional { condition, question, then, otherwise } => {
                self.conditional_discarding(condition, question, then, otherwise, node.span);
            }
            ast::ExprKind::Binary {
                op: ast::BinaryOp::LogicalAnd | ast::BinaryOp::LogicalOr, right, op_span, ..
            } if self.has_effects(right) => {
                let (then, otherwise) = (self.b().reserve(), self.b().reserve());
                self.branch(expr, then, otherwise, op_span);
                self.b().current = then;
                self.b().goto_and_continue(otherwise);
            }
            _ => {
                let operand = self.operand(expr);
                self.read_for_checks(operand);
            }
        }
    }

    /// `*p;` and `v;` read their operands: a volatile one, or one whose checks matter, is read into a hidden local.
    fn read_for_checks(&mut self, operand: Operand) {
        if self.is_error(operand.ty) || matches!(self.ty(operand.ty), Type::Void | Type::Function(_)) {
            return;
        }
        match operand.kind {
            OperandKind::Place(place) => {
                let is_plain =
                    matches!(self.b().body.places[place].kind, PlaceKind::Variable(_) | PlaceKind::Temporary(_));
                if is_plain && !operand.qualifiers.is_volatile || matches!(self.ty(operand.ty), Type::Array { .. }) {
                    return;
                }
            }
            OperandKind::Function(_) => return,
            OperandKind::Value(value) => {
                if self.is_stable(value) {
                    return;
                }
            }
        }
        let value = self.to_value(operand);
        self.b().save(value, operand.span);
    }

    /// The value is the same whenever it is asked: a constant, an address of a variable, a hidden local.
    pub(crate) fn is_stable(&self, value: ExprId) -> bool {
        stacker::maybe_grow(32 << 10, 1 << 20, || self.is_stable_inner(value))
    }

    fn is_stable_inner(&self, value: ExprId) -> bool {
        let body = &self.builders[self.active].body;
        match body.exprs[value].kind {
            ExprKind::Int(_) | ExprKind::Float { .. } | ExprKind::Function(_) | ExprKind::Label { .. } => true,
            ExprKind::Load(place) => match body.places[place].kind {
                PlaceKind::Variable(VariableRef::Local(local)) => {
                    body.locals[local].name.is_none() && local.index() >= self.b_ref().parameters
                }
                PlaceKind::Temporary(_) => true,
                _ => false,
            },
            ExprKind::AddressOf(place) => self.is_stable_place(place),
            ExprKind::Convert(inner) => self.is_stable(inner),
            _ => false,
        }
    }

    fn is_stable_place(&self, place: PlaceId) -> bool {
        stacker::maybe_grow(32 << 10, 1 << 20, || self.is_stable_place_inner(place))
    }

    fn is_stable_place_inner(&self, place: PlaceId) -> bool {
        let body = &self.builders[self.active].body;
        match body.places[place].kind {
            PlaceKind::Variable(_) | PlaceKind::String(_) | PlaceKind::Temporary(_) => true,
            PlaceKind::Field(base, _) | PlaceKind::RealPart(base) | PlaceKind::ImaginaryPart(base) => {
                self.is_stable_place(base)
            }
            PlaceKind::Deref(pointer) => self.is_stable(pointer),
            PlaceKind::Index(base, index) => self.is_stable(index) && self.is_stable_place(base),
        }
    }

    /// Fixes the value now, because something with effects comes before its use.
    pub(crate) fn stabilise(&mut self, value: ExprId) -> ExprId {
        let ty = self.type_of(value);
        if self.is_stable(value) || self.is_error(ty) || self.is_void(ty) {
            return value;
        }
        let span = self.span_of(value);
        self.b().save(value, span)
    }

    /// The same place with its pointers and indices fixed now.
    pub(crate) fn stabilise_place(&mut self, place: PlaceId) -> PlaceId {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.stabilise_place_inner(place))
    }

    fn stabilise_place_inner(&mut self, place: PlaceId) -> PlaceId {
        if self.is_stable_place(place) {
            return place;
        }
        let Place { kind, ty, span } = self.b().body.places[place].clone();
        let kind = match kind {
            PlaceKind::Deref(pointer) => PlaceKind::Deref(self.stabilise(pointer)),
            PlaceKind::Field(base, field) => PlaceKind::Field(self.stabilise_place(base), field),
            PlaceKind::Index(base, index) => {
                let base = self.stabilise_place(base);
                PlaceKind::Index(base, self.stabilise(index))
            }
            PlaceKind::RealPart(base) => PlaceKind::RealPart(self.stabilise_place(base)),
            PlaceKind::ImaginaryPart(base) => PlaceKind::ImaginaryPart(self.stabilise_place(base)),
            other => other,
        };
        self.b().place(kind, ty, span)
    }

    pub(crate) fn stabilise_operand(&mut self, operand: Operand) -> Operand {
        let kind = match operand.kind {
            OperandKind::Place(place) => OperandKind::Place(self.stabilise_place(place)),
            OperandKind::Value(value) => OperandKind::Value(self.stabilise(value)),
            other => other,
        };
        Operand { kind, ..operand }
    }

    /// The variable that the place lies in needs a memory object.
    pub(crate) fn mark_address_taken(&mut self, mut place: PlaceId) {
        loop {
            match self.b().body.places[place].kind {
                PlaceKind::Field(base, _)
                | PlaceKind::Index(base, _)
                | PlaceKind::RealPart(base)
                | PlaceKind::ImaginaryPart(base) => place = base,
                PlaceKind::Variable(VariableRef::Local(local)) | PlaceKind::Temporary(local) => {
                    self.b().body.locals[local].is_address_taken = true;
                    return;
                }
                _ => return,
            }
        }
    }

    /// Lowering the expression emits steps. Each expression is looked at once.
    pub(crate) fn has_effects(&mut self, expr: ast::ExprId) -> bool {
        if self.pure_depth > 0 {
            return false;
        }
        match self.effects[expr.index()] {
            UNKNOWN => {}
            known => return known == EFFECTS,
        }
        let found = stacker::maybe_grow(32 << 10, 1 << 20, || self.find_effects(expr));
        self.effects[expr.index()] = if found { EFFECTS } else { PURE };
        found
    }

    fn find_effects(&mut self, expr: ast::ExprId) -> bool {
        use ast::ExprKind as E;
        match self.unit[expr].kind {
            E::Assign { .. } | E::StatementExpression(_) | E::VaArg { .. } | E::CompoundLiteral { .. } => true,
            E::Spawn(_) | E::KernelLaunch { .. } | E::Remote { .. } | E::Result => true,
            E::Unary { op, operand, .. } => {
                matches!(
                    op,
                    ast::UnaryOp::PreIncrement
                        | ast::UnaryOp::PreDecrement
                        | ast::UnaryOp::PostIncrement
                        | ast::UnaryOp::PostDecrement
                ) || self.has_effects(operand)
            }
            E::Call { callee, arguments, .. } => {
                !self.is_pure_callee(callee) || {
                    let unit = self.unit;
                    unit.list(arguments).any(|argument| self.has_effects(argument))
                }
            }
            E::Parenthesized(inner) | E::Cast { operand: inner, .. } | E::BigO(inner) | E::ScopeOf(inner) => {
                self.has_effects(inner)
            }
            E::Member { base, .. } => self.has_effects(base),
            E::ConvertVector { operand, .. } => self.has_effects(operand),
            E::Binary { left, right, .. } | E::Comma { left, right, .. } | E::Index { base: left, index: right } => {
                self.has_effects(left) || self.has_effects(right)
            }
            E::Conditional { condition, then, otherwise, .. } => {
                self.has_effects(condition)
                    || then.is_some_and(|then| self.has_effects(then))
                    || self.has_effects(otherwise)
            }
            E::Choose { then, otherwise, .. } => self.has_effects(then) || self.has_effects(otherwise),
            E::Generic { associations, .. } => {
                let unit = self.unit;
                unit.list(associations).any(|each| self.has_effects(unit[each].value))
            }
            E::Range { low, high, step } => {
                self.has_effects(low) || self.has_effects(high) || step.is_some_and(|step| self.has_effects(step))
            }
            E::Derivative(id) => {
                let unit = self.unit;
                unit.list(unit[id].arguments).any(|argument| self.has_effects(argument))
            }
            _ => false,
        }
    }

    fn is_pure_callee(&mut self, callee: ast::ExprId) -> bool {
        let ast::ExprKind::Identifier(name) = self.unit[self.unit.without_parentheses(callee)].kind else {
            return false;
        };
        match self.names.get(name).map(|bound| bound.value) {
            Some(Binding::Function(function)) => self.is_pure_function(function) || super::builtins::is_pure(name),
            Some(_) => false,
            None => super::builtins::is_pure(name),
        }
    }

    /// A step sequence that nothing leads to, for operands that are not evaluated.
    pub(crate) fn enter_dead_code(&mut self) -> LocationId {
        let dead = self.b().reserve();
        std::mem::replace(&mut self.b().current, dead)
    }
    pub(crate) fn leave_dead_code(&mut self, saved: LocationId) {
        self.b().current = saved;
    }

    /// The operand of `sizeof` and `typeof`.
    pub(crate) fn unevaluated(&mut self, expr: ast::ExprId) -> Operand {
        if !self.has_effects(expr) {
            return self.operand(expr);
        }
        let saved = self.enter_dead_code();
        let operand = self.operand(expr);
        self.leave_dead_code(saved);
        operand
    }

    /// An integer constant expression; an error says why it is none.
    pub(crate) fn integer_constant(&mut self, expr: ast::ExprId) -> Option<i128> {
        let span = self.unit[expr].span;
        if self.has_effects(expr) {
            self.error(
                codes::NOT_CONSTANT,
                "not a constant expression",
                span,
                "this is evaluated when the program runs",
            );
            return None;
        }
        let value = self.value(expr);
        if self.is_error(self.type_of(value)) {
            return None;
        }
        let result = self.evaluate_integer(value);
        if result.is_none() {
            self.error(codes::NOT_CONSTANT, "not an integer constant expression", span, "needs a constant value");
        }
        result
    }

    /// A scalar value as a condition.
    pub(crate) fn condition(&mut self, expr: ast::ExprId) -> ExprId {
        let operand = self.operand(expr);
        let value = self.to_value(operand);
        self.check_condition(value)
    }

    pub(crate) fn check_condition(&mut self, value: ExprId) -> ExprId {
        let ty = self.type_of(value);
        let span = self.span_of(value);
        if self.is_scalar(ty) || self.is_error(ty) || matches!(self.ty(ty), Type::Process | Type::Scope) {
            return value;
        }
        let name = self.type_name(ty);
        self.error(
            codes::INCOMPATIBLE_TYPES,
            format!("`{name}` is no condition"),
            span,
            "expected a number or a pointer",
        );
        self.error_value(span)
    }

    pub(crate) fn symbol(text: &str) -> Symbol {
        Symbol::intern(text)
    }
}
