//! `&&`, `||`, `?:`: pure expressions where their operands are pure, control flow where they are not.

use super::{Lowerer, Operand};
use crate::ir::*;
use quod_base::Span;
use quod_diag::{Diagnostic, codes};
use quod_syntax::ast;

impl Lowerer<'_> {
    pub(crate) fn logical(
        &mut self,
        op: ast::BinaryOp,
        op_span: Span,
        left: ast::ExprId,
        right: ast::ExprId,
        span: Span,
    ) -> Operand {
        let int = self.known.int;
        if !self.has_effects(right) {
            let a = self.condition(left);
            let b = self.condition(right);
            if self.is_error(self.type_of(a)) || self.is_error(self.type_of(b)) {
                return self.error_operand(span);
            }
            if let Some(folded) = self.fold_logical(op, a, b) {
                return self.constant_operand(folded, int, span);
            }
            let kind = match op {
                ast::BinaryOp::LogicalAnd => ExprKind::LogicalAnd(a, b),
                ast::BinaryOp::LogicalOr => ExprKind::LogicalOr(a, b),
                _ => ExprKind::Implies(a, b),
            };
            let value = self.b().expr(kind, int, span);
            return self.value_operand(value, span);
        }
        let local = self.b().local(None, int, span);
        let (then, otherwise, join) = (self.b().reserve(), self.b().reserve(), self.b().reserve());
        self.branch_logical(op, op_span, left, right, then, otherwise);
        for (location, value) in [(then, 1), (otherwise, 0)] {
            self.b().current = location;
            let value = self.int_value(value, int, span);
            let place = self.b().local_place(local, span);
            self.b().emit(Step::Assign { place, value }, span);
            self.b().goto_and_continue(join);
        }
        let place = self.b().local_place(local, span);
        let value = self.b().load(place, span);
        self.value_operand(value, span)
    }

    fn fold_logical(&self, op: ast::BinaryOp, a: ExprId, b: ExprId) -> Option<i128> {
        let constant = |value: ExprId| match self.b_ref().body.exprs[value].kind {
            ExprKind::Int(number) => Some(number != 0),
            _ => None,
        };
        match (op, constant(a), constant(b)) {
            (ast::BinaryOp::LogicalAnd, Some(false), _) => Some(0),
            (ast::BinaryOp::LogicalOr, Some(true), _) => Some(1),
            (ast::BinaryOp::LogicalAnd, Some(true), Some(b)) => Some(i128::from(b)),
            (ast::BinaryOp::LogicalOr, Some(false), Some(b)) => Some(i128::from(b)),
            _ => None,
        }
    }

    /// Goes to `then` or `otherwise` by the value of a condition.
    pub(crate) fn branch(&mut self, expr: ast::ExprId, then: LocationId, otherwise: LocationId, keyword: Span) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.branch_inner(expr, then, otherwise, keyword));
    }

    fn branch_inner(&mut self, expr: ast::ExprId, then: LocationId, otherwise: LocationId, keyword: Span) {
        let node = self.unit[expr];
        match node.kind {
            ast::ExprKind::Parenthesized(inner) => return self.branch(inner, then, otherwise, keyword),
            ast::ExprKind::Unary { op: ast::UnaryOp::Not, operand, .. } if self.has_effects(operand) => {
                return self.branch(operand, otherwise, then, keyword);
            }
            ast::ExprKind::Binary {
                op: op @ (ast::BinaryOp::LogicalAnd | ast::BinaryOp::LogicalOr),
                left,
                right,
                ..
            } if self.has_effects(right) => {
                return self.branch_logical(op, keyword, left, right, then, otherwise);
            }
            _ => {}
        }
        let condition = self.condition(expr);
        self.b().end(Control::Branch { condition, then, otherwise, keyword }, node.span);
    }

    fn branch_logical(
        &mut self,
        op: ast::BinaryOp,
        keyword: Span,
        left: ast::ExprId,
        right: ast::ExprId,
        then: LocationId,
        otherwise: LocationId,
    ) {
        let second = self.b().reserve();
        match op {
            ast::BinaryOp::LogicalAnd => self.branch(left, second, otherwise, keyword),
            ast::BinaryOp::LogicalOr => self.branch(left, then, second, keyword),
            // `a => b`: a false premise makes it true.
            _ => self.branch(left, second, then, keyword),
        }
        self.b().current = second;
        self.branch(right, then, otherwise, keyword);
    }

    pub(crate) fn conditional(
        &mut self,
        condition: ast::ExprId,
        question: Span,
        then: Option<ast::ExprId>,
        otherwise: ast::ExprId,
        span: Span,
    ) -> Operand {
        let Some(then) = then else { return self.elvis(condition, question, otherwise, span) };
        if !self.has_effects(then) && !self.has_effects(otherwise) {
            let condition = self.value(condition);
            if self.is_vector(self.type_of(condition)) {
                return self.unsupported_operand("`?:` on vectors", span);
            }
            let condition = self.check_condition(condition);
            let a = self.operand(then);
            let b = self.operand(otherwise);
            let (a_bits, b_bits) = (a.bits, b.bits);
            let (a, b) = (self.to_value(a), self.to_value(b));
            let (a, b, ty) = self.merge_arms(a, a_bits, b, b_bits, question);
            return self.make_conditional(condition, a, b, ty, span);
        }
        let (first, second, join) = (self.b().reserve(), self.b().reserve(), self.b().reserve());
        self.branch(condition, first, second, question);
        self.b().current = first;
        let a = self.operand(then);
        let a_bits = a.bits;
        let a = self.to_value(a);
        let first_end = self.b().current;
        self.b().current = second;
        let b = self.operand(otherwise);
        let b_bits = b.bits;
        let b = self.to_value(b);
        let second_end = self.b().current;
        // The conversions belong to the arms, but need both types.
        let (a, b, ty) = self.merge_arms(a, a_bits, b, b_bits, question);
        self.join_arms([(first_end, a), (second_end, b)], ty, join, span)
    }

    /// Assigns the arms' values to one hidden local and goes on at `join`.
    fn join_arms(&mut self, arms: [(LocationId, ExprId); 2], ty: TypeId, join: LocationId, span: Span) -> Operand {
        let has_value = !self.is_void(ty) && !self.is_error(ty);
        let local = has_value.then(|| self.b().local(None, ty, span));
        for (end, value) in arms {
            self.b().current = end;
            if let Some(local) = local {
                let place = self.b().local_place(local, span);
                self.b().emit(Step::Assign { place, value }, span);
            }
            self.b().goto_and_continue(join);
        }
        match local {
            Some(local) => {
                let place = self.b().local_place(local, span);
                let value = self.b().load(place, span);
                self.value_operand(value, span)
            }
            None if self.is_error(ty) => self.error_operand(span),
            None => {
                let value = self.void_value(span);
                self.value_operand(value, span)
            }
        }
    }

    fn make_conditional(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
        ty: TypeId,
        span: Span,
    ) -> Operand {
        if self.is_error(ty) || self.is_error(self.type_of(condition)) {
            return self.error_operand(span);
        }
        if self.is_void(ty) {
            let value = self.void_value(span);
            return self.value_operand(value, span);
        }
        // A constant condition chooses now, as constant expressions need it.
        if let ExprKind::Int(number) = self.b().body.exprs[condition].kind {
            let chosen = if number != 0 { then } else { otherwise };
            return self.value_operand(chosen, span);
        }
        let value = self.b().expr(ExprKind::Conditional { condition, then, otherwise }, ty, span);
        self.value_operand(value, span)
    }

    /// `c ?: e`: the condition is evaluated once and is the value if it is not zero.
    fn elvis(&mut self, condition: ast::ExprId, question: Span, otherwise: ast::ExprId, span: Span) -> Operand {
        let operand = self.operand(condition);
        let bits = operand.bits;
        let value = self.to_value(operand);
        let value = self.check_condition(value);
        if !self.has_effects(condition) && !self.has_effects(otherwise) {
            let b = self.operand(otherwise);
            let b_bits = b.bits;
            let b = self.to_value(b);
            let (a, b, ty) = self.merge_arms(value, bits, b, b_bits, question);
            return self.make_conditional(value, a, b, ty, span);
        }
        let value = self.stabilise(value);
        let (first, second, join) = (self.b().reserve(), self.b().reserve(), self.b().reserve());
        self.b().end(Control::Branch { condition: value, then: first, otherwise: second, keyword: question }, span);
        self.b().current = second;
        let b = self.operand(otherwise);
        let b_bits = b.bits;
        let b = self.to_value(b);
        let second_end = self.b().current;
        let (a, b, ty) = self.merge_arms(value, bits, b, b_bits, question);
        self.join_arms([(first, a), (second_end, b)], ty, join, span)
    }

    pub(crate) fn conditional_discarding(
        &mut self,
        condition: ast::ExprId,
        question: Span,
        then: Option<ast::ExprId>,
        otherwise: ast::ExprId,
        span: Span,
    ) {
        let Some(then) = then else {
            self.elvis(condition, question, otherwise, span);
            return;
        };
        let (first, second, join) = (self.b().reserve(), self.b().reserve(), self.b().reserve());
        self.branch(condition, first, second, question);
        self.b().current = first;
        self.discard(then);
        self.b().goto_and_continue(join);
        self.b().current = second;
        self.discard(otherwise);
        self.b().goto_and_continue(join);
    }

    /// Both arms in the type of the conditional expression.
    fn merge_arms(
        &mut self,
        a: ExprId,
        a_bits: Option<u32>,
        b: ExprId,
        b_bits: Option<u32>,
        question: Span,
    ) -> (ExprId, ExprId, TypeId) {
        let (x, y) = (self.type_of(a), self.type_of(b));
        let (a_span, b_span) = (self.span_of(a), self.span_of(b));
        let error = self.known.error;
        if self.is_error(x) || self.is_error(y) {
            return (a, b, error);
        }
        if self.is_arithmetic(x) && self.is_arithmetic(y) {
            let (px, py) = (self.promoted_type(x, a_bits), self.promoted_type(y, b_bits));
            let ty = self.common_type(px, py);
            return (self.convert(a, ty, a_span), self.convert(b, ty, b_span), ty);
        }
        if x == y {
            return (a, b, x);
        }
        if self.is_void(x) || self.is_void(y) {
            let void = self.known.void;
            return (a, b, void);
        }
        let ty = match (self.pointee(x), self.pointee(y)) {
            (Some(_), None) if self.is_integer(y) => x,
            (None, Some(_)) if self.is_integer(x) => y,
            (Some(p), Some(q)) => {
                let qualifiers = super::super::types::union(p.qualifiers, q.qualifiers);
                let target = if self.is_null_constant(a) {
                    q.ty
                } else if self.is_null_constant(b) {
                    p.ty
                } else if self.is_void(p.ty) || self.is_void(q.ty) {
                    self.known.void
                } else if self.compatible(p.ty, q.ty) {
                    self.composite(p.ty, q.ty)
                } else {
                    let (x, y) = (self.type_name(x), self.type_name(y));
                    self.warning(
                        codes::INCOMPATIBLE_TYPES,
                        "the arms of `?:` have different pointer types",
                        question,
                        format!("`{x}` and `{y}`"),
                    );
                    self.known.void
                };
                self.types().intern(Type::Pointer(QualType { ty: target, qualifiers }))
            }
            _ if self.compatible(x, y) => x,
            _ => {
                let (x, y) = (self.type_name(x), self.type_name(y));
                self.report(
                    Diagnostic::error(codes::INCOMPATIBLE_TYPES, "the arms of `?:` have incompatible types")
                        .label(question, "of this conditional expression")
                        .label(a_span, format!("`{x}`"))
                        .label(b_span, format!("`{y}`")),
                );
                return (a, b, error);
            }
        };
        (self.convert(a, ty, a_span), self.convert(b, ty, b_span), ty)
    }
}
