//! Assignment, compound assignment, `++` and `--`.

use super::super::calls::CallResult;
use super::convert::Purpose;
use super::{Lowerer, Operand, OperandKind};
use crate::ir::*;
use quod_base::Span;
use quod_diag::codes;
use quod_syntax::ast;

impl Lowerer<'_> {
    pub(crate) fn assign(
        &mut self,
        op: Option<ast::BinaryOp>,
        op_span: Span,
        target: ast::ExprId,
        value: ast::ExprId,
        span: Span,
    ) -> Operand {
        match self.assign_to(op, op_span, target, value, span, true) {
            Some(result) => self.value_operand(result, span),
            None => self.error_operand(span),
        }
    }

    pub(crate) fn assign_discarding(
        &mut self,
        op: Option<ast::BinaryOp>,
        op_span: Span,
        target: ast::ExprId,
        value: ast::ExprId,
        span: Span,
    ) {
        self.assign_to(op, op_span, target, value, span, false);
    }

    fn assign_to(
        &mut self,
        op: Option<ast::BinaryOp>,
        op_span: Span,
        target: ast::ExprId,
        value: ast::ExprId,
        span: Span,
        is_used: bool,
    ) -> Option<ExprId> {
        if let Some(op) = op {
            return self.compound_assign(op, op_span, target, value, span, is_used);
        }
        let mut left = self.operand(target);
        let place = self.assignable(&left, op_span)?;
        if self.has_effects(value) {
            left = self.stabilise_operand(left);
        }
        let place = match left.kind {
            OperandKind::Place(stable) => stable,
            _ => place,
        };
        let right = if matches!(self.ty(left.ty), Type::Array { .. }) {
            self.array_value(value)
        } else if let Some(called) = self.call_into(value, &left, place) {
            match called {
                CallResult::Written => return Some(self.b().load(place, span)),
                CallResult::Value(value) => value,
            }
        } else {
            self.value(value)
        };
        let value_span = self.unit[value].span;
        let right = self.convert_for(right, left.ty, Purpose::Assignment, value_span);
        if self.is_error(self.type_of(right)) {
            return None;
        }
        Some(self.store(left, place, right, span, is_used))
    }

    /// Writes and gives the value of the assignment.
    fn store(&mut self, left: Operand, place: PlaceId, value: ExprId, span: Span, is_used: bool) -> ExprId {
        // Where the place depends on memory, the store may change where it is: `x.p->p = 0` where `x.p` is `&x`.
        let place = if is_used && self.is_movable(place) { self.stabilise_place(place) } else { place };
        let needs_copy = is_used && (left.qualifiers.is_volatile || left.qualifiers.is_atomic) && left.bits.is_none();
        let value = if needs_copy { self.stabilise(value) } else { value };
        self.b().emit(Step::Assign { place, value }, span);
        if needs_copy || !is_used { value } else { self.b().load(place, span) }
    }

    /// Whether finding the place reads memory through a pointer or an index.
    fn is_movable(&mut self, mut place: PlaceId) -> bool {
        loop {
            match self.b().body.places[place].kind {
                PlaceKind::Field(base, _) | PlaceKind::RealPart(base) | PlaceKind::ImaginaryPart(base) => place = base,
                PlaceKind::Deref(_) | PlaceKind::Index(..) => return true,
                PlaceKind::Variable(_) | PlaceKind::String(_) | PlaceKind::Temporary(_) => return false,
            }
        }
    }

    /// The place of an operand that may be written.
    pub(crate) fn assignable(&mut self, left: &Operand, op_span: Span) -> Option<PlaceId> {
        if self.is_error(left.ty) {
            return None;
        }
        let OperandKind::Place(place) = left.kind else {
            self.error(
                codes::NOT_LVALUE,
                "this cannot be assigned to",
                left.span,
                "a value, not a variable, element or member",
            );
            return None;
        };
        match self.ty(left.ty) {
            Type::Array { .. } if !self.is_civl() => {
                self.error(codes::NOT_LVALUE, "an array cannot be assigned to", left.span, "assign its elements");
                return None;
            }
            Type::Function(_) | Type::Void => {
                let name = self.type_name(left.ty);
                self.error(codes::NOT_LVALUE, format!("`{name}` cannot be assigned to"), left.span, "not an object");
                return None;
            }
            _ => {}
        }
        if left.qualifiers.is_const {
            let diagnostic = quod_diag::Diagnostic::error(codes::CONST_ASSIGNMENT, "assignment to a constant")
                .label(left.span, "this is `const`");
            let _ = op_span;
            let diagnostic = match self.declaration_of(place) {
                Some(declared) => diagnostic.label(declared, "declared here"),
                None => diagnostic,
            };
            self.report(diagnostic);
            return None;
        }
        Some(place)
    }

    fn declaration_of(&mut self, mut place: PlaceId) -> Option<Span> {
        loop {
            match self.b().body.places[place].kind {
                PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => place = base,
                PlaceKind::Variable(VariableRef::Local(local)) => return Some(self.b().body.locals[local].span),
                PlaceKind::Variable(VariableRef::Global(global)) => return Some(self.program.globals[global].span),
                _ => return None,
            }
        }
    }

    /// `a op= b`. As in gcc, the right side's effects come before the left side is read.
    fn compound_assign(
        &mut self,
        op: ast::BinaryOp,
        op_span: Span,
        target: ast::ExprId,
        value: ast::ExprId,
        span: Span,
        is_used: bool,
    ) -> Option<ExprId> {
        let mut right = self.operand(value);
        if self.has_effects(target) {
            right = self.computed(right);
        }
        let mut left = self.operand(target);
        // The place is used twice: to read and to write.
        if self.has_effects(target) {
            left = self.stabilise_operand(left);
        }
        let place = self.assignable(&left, op_span)?;
        let is_atomic = left.qualifiers.is_atomic;
        if is_atomic {
            // Only the left side is read and written in one step.
            right = self.computed(right);
            self.b().emit(Step::AtomicBegin { is_atom: true }, span);
        }
        let result = self.binary(op, op_span, left, right, span);
        let result = self.convert_for(result, left.ty, Purpose::Assignment, span);
        let result = if self.is_error(self.type_of(result)) {
            None
        } else {
            Some(self.store(left, place, result, span, is_used))
        };
        if is_atomic {
            self.b().emit(Step::AtomicEnd { is_atom: true }, span);
        }
        result
    }

    /// The operand's value as it is now.
    fn computed(&mut self, operand: Operand) -> Operand {
        let value = self.to_value(operand);
        let value = self.stabilise(value);
        Operand { bits: operand.bits, ..self.value_operand(value, operand.span) }
    }

    pub(crate) fn increment(&mut self, op: ast::UnaryOp, op_span: Span, operand: ast::ExprId, span: Span) -> Operand {
        let left = self.operand(operand);
        let left = self.stabilise_operand_if_effects(left, operand);
        let Some(place) = self.assignable(&left, op_span) else { return self.error_operand(span) };
        let is_atomic = left.qualifiers.is_atomic;
        if is_atomic {
            self.b().emit(Step::AtomicBegin { is_atom: true }, span);
        }
        let before = self.to_value(left);
        let before = if op.is_postfix() { self.b().save(before, span) } else { before };
        let mut source = self.value_operand(before, span);
        source.bits = left.bits;
        let Some(value) = self.incremented(op, op_span, source, span) else { return self.error_operand(span) };
        let value = self.convert(value, left.ty, span);
        let result = self.store(left, place, value, span, !op.is_postfix());
        if is_atomic {
            self.b().emit(Step::AtomicEnd { is_atom: true }, span);
        }
        let result = if op.is_postfix() { before } else { result };
        self.value_operand(result, span)
    }

    pub(crate) fn increment_discarding(&mut self, op: ast::UnaryOp, op_span: Span, operand: ast::ExprId, span: Span) {
        let left = self.operand(operand);
        let left = self.stabilise_operand_if_effects(left, operand);
        let Some(place) = self.assignable(&left, op_span) else { return };
        let is_atomic = left.qualifiers.is_atomic;
        if is_atomic {
            self.b().emit(Step::AtomicBegin { is_atom: true }, span);
        }
        if let Some(value) = self.incremented(op, op_span, left, span) {
            let value = self.convert(value, left.ty, span);
            self.b().emit(Step::Assign { place, value }, span);
        }
        if is_atomic {
            self.b().emit(Step::AtomicEnd { is_atom: true }, span);
        }
    }

    fn stabilise_operand_if_effects(&mut self, operand: Operand, expr: ast::ExprId) -> Operand {
        if self.has_effects(expr) { self.stabilise_operand(operand) } else { operand }
    }

    fn incremented(&mut self, op: ast::UnaryOp, op_span: Span, operand: Operand, span: Span) -> Option<ExprId> {
        if !self.is_scalar(operand.ty) && !self.is_vector(operand.ty) {
            let name = self.type_name(operand.ty);
            self.error(
                codes::INVALID_OPERANDS,
                format!("`{}` does not apply to `{name}`", op.symbol()),
                op_span,
                "needs a number or a pointer",
            );
            return None;
        }
        let is_up = matches!(op, ast::UnaryOp::PreIncrement | ast::UnaryOp::PostIncrement);
        let one = self.constant_operand(1, self.known.int, op_span);
        let op = if is_up { ast::BinaryOp::Add } else { ast::BinaryOp::Subtract };
        Some(self.binary(op, op_span, operand, one, span))
    }
}
