//! Casts, `sizeof`, `_Alignof`, `offsetof`, `_Generic`: what asks about types.

use super::super::types::plain;
use super::{Lowerer, Operand, OperandKind};
use crate::ir::*;
use quod_base::Span;
use quod_diag::{Diagnostic, codes};
use quod_syntax::ast::{self, DesignatorKind, GenericControl};

impl Lowerer<'_> {
    /// `(void)` is recognised without resolving the name.
    pub(crate) fn is_void_name(&self, id: ast::TypeNameId) -> bool {
        let name = self.unit[id];
        matches!(
            self.unit[name.specifiers].ty,
            ast::TypeSpecifier::Basic { ty: ast::BasicType::Void, is_complex: false }
        ) && matches!(self.unit[name.declarator].kind, ast::DeclaratorKind::Abstract)
    }

    pub(crate) fn cast(&mut self, ty: ast::TypeNameId, operand: ast::ExprId, span: Span) -> Operand {
        if self.is_void_name(ty) {
            self.discard(operand);
            let value = self.void_value(span);
            return self.value_operand(value, span);
        }
        let target = self.type_of_name(ty).ty;
        if let Some(operand) = self.lambda_cast(target, operand, span) {
            return operand;
        }
        if matches!(self.ty(target), Type::Array { .. }) && self.is_civl() {
            let value = self.array_value(operand);
            let value = self.convert(value, target, span);
            return self.value_operand(value, span);
        }
        let operand = self.operand(operand);
        if let Type::Record(record) = *self.ty(target) {
            return self.cast_to_record(operand, record, target, span);
        }
        let value = self.to_value(operand);
        let source = self.type_of(value);
        if self.is_error(source) || self.is_error(target) {
            return self.error_operand(span);
        }
        let is_vector_cast = (self.is_vector(source) || self.is_vector(target))
            && self.program.types.size_of(source) == self.program.types.size_of(target);
        let is_scalar_cast = self.is_scalar(source) && self.is_scalar(target);
        let is_pointer_float = (self.is_pointer(source) && (self.is_floating(target) || self.is_complex(target)))
            || (self.is_pointer(target) && (self.is_floating(source) || self.is_complex(source)));
        let is_special = source == target
            || matches!((self.ty(source), self.ty(target)), (Type::Range | Type::Domain(_), Type::Domain(_)))
            || (self.is_civl()
                && (matches!(self.ty(source), Type::Opaque(_) | Type::Process | Type::Scope | Type::Memory)
                    || matches!(self.ty(target), Type::Opaque(_) | Type::Process | Type::Scope | Type::Memory)));
        if !(is_vector_cast || is_special || (is_scalar_cast && !is_pointer_float)) {
            let (source, target) = (self.type_name(source), self.type_name(target));
            self.error(
                codes::INCOMPATIBLE_TYPES,
                format!("`{source}` cannot be converted to `{target}`"),
                span,
                "this cast has no meaning",
            );
            return self.error_operand(span);
        }
        let value = self.convert(value, target, span);
        // A cast is never an lvalue, and narrows a bit-field's type.
        let value = self.retyped(value, span);
        self.value_operand(value, span)
    }

    /// A folded constant keeps the span of the whole cast.
    fn retyped(&mut self, value: ExprId, span: Span) -> ExprId {
        if let ExprKind::Convert(_) = self.b().body.exprs[value].kind {
            self.b().body.exprs[value].span = span;
        }
        value
    }

    /// GNU C: a cast to a union type makes one of a member's value; a cast to its own type changes nothing.
    fn cast_to_record(&mut self, operand: Operand, record: RecordId, target: TypeId, span: Span) -> Operand {
        if self.is_error(operand.ty) {
            return self.error_operand(span);
        }
        let value = self.to_value(operand);
        let source = self.type_of(value);
        if source == target {
            return self.value_operand(value, span);
        }
        let info = &self.program.types.records[record];
        let index = match info.kind {
            RecordKind::Union => info
                .fields
                .as_ref()
                .and_then(|fields| fields.iter().position(|field| self.compatible(field.ty.ty, source))),
            RecordKind::Struct => None,
        };
        let Some(index) = index else {
            let (source, target) = (self.type_name(source), self.type_name(target));
            self.error(
                codes::INCOMPATIBLE_TYPES,
                format!("`{source}` cannot be converted to `{target}`"),
                span,
                "this cast has no meaning",
            );
            return self.error_operand(span);
        };
        let local = self.b().local(None, target, span);
        let whole = self.b().place(PlaceKind::Temporary(local), target, span);
        let part = self.b().place(PlaceKind::Field(whole, index as u32), source, span);
        self.b().emit(Step::Assign { place: part, value }, span);
        let value = self.b().load(whole, span);
        self.value_operand(value, span)
    }

    pub(crate) fn sizeof_expr(&mut self, expr: ast::ExprId, span: Span) -> Operand {
        let operand = self.unevaluated(expr);
        if operand.bits.is_some() && matches!(operand.kind, OperandKind::Place(_)) {
            self.error(codes::INVALID_OPERANDS, "`sizeof` does not apply to a bit-field", span, "this is a bit-field");
            return self.error_operand(span);
        }
        // As in gcc, the value of an assignment to a bit-field is as large as its bits need.
        if let Some(bits) = self.assigned_bits(expr) {
            let bytes = u64::from(bits).div_ceil(8).next_power_of_two();
            return self.constant_operand(i128::from(bytes), self.known.size, span);
        }
        self.size_operand(operand.ty, span)
    }

    /// The width of the bit-field that an expression assigns to.
    fn assigned_bits(&mut self, expr: ast::ExprId) -> Option<u32> {
        match self.unit[self.unit.without_parentheses(expr)].kind {
            ast::ExprKind::Assign { target, .. } => self.unevaluated(target).bits,
            ast::ExprKind::Unary { op, operand, .. }
                if op.is_postfix() || matches!(op, ast::UnaryOp::PreIncrement | ast::UnaryOp::PreDecrement) =>
            {
                self.unevaluated(operand).bits
            }
            _ => None,
        }
    }

    pub(crate) fn sizeof_type(&mut self, ty: ast::TypeNameId, span: Span) -> Operand {
        let ty = self.type_of_name(ty).ty;
        self.size_operand(ty, span)
    }

    fn size_operand(&mut self, ty: TypeId, span: Span) -> Operand {
        if self.is_error(ty) {
            return self.error_operand(span);
        }
        let value = self.size_value(ty, span);
        self.value_operand(value, span)
    }

    /// The size in bytes, a constant where it is one.
    pub(crate) fn size_value(&mut self, ty: TypeId, span: Span) -> ExprId {
        let size = self.known.size;
        // In CIVL-C sizes are those of cells that only the executor knows; machine layouts are what C programs print.
        if let Some(bytes) = self.program.types.size_of(ty) {
            return self.int_value(i128::from(bytes), size, span);
        }
        if self.has_variable_size(ty) {
            return self.b().expr(ExprKind::SizeOf(ty), size, span);
        }
        let name = self.type_name(ty);
        self.error(
            codes::INCOMPLETE_TYPE,
            format!("the size of `{name}` is not known"),
            span,
            "the type is incomplete here",
        );
        self.error_value(span)
    }

    pub(crate) fn alignof_expr(&mut self, expr: ast::ExprId, span: Span) -> Operand {
        let operand = self.unevaluated(expr);
        let declared = match operand.kind {
            OperandKind::Place(place) => match self.b().body.places[place].kind {
                PlaceKind::Variable(VariableRef::Local(local)) => self.b().body.locals[local].alignment,
                PlaceKind::Variable(VariableRef::Global(global)) => self.program.globals[global].alignment,
                PlaceKind::Field(base, index) => {
                    let base = self.b().body.places[base].ty;
                    match *self.ty(base) {
                        Type::Record(record) => {
                            let info = &self.program.types.records[record];
                            let field = info.fields.as_ref().map(|fields| &fields[index as usize]);
                            field.and_then(|field| {
                                if field.is_packed || info.is_packed {
                                    Some(field.alignment.unwrap_or(1))
                                } else {
                                    field.alignment.or(field.typedef_alignment)
                                }
                            })
                        }
                        _ => None,
                    }
                }
                _ => None,
            },
            _ => None,
        };
        self.alignment_operand(operand.ty, declared, true, span)
    }

    pub(crate) fn alignof_type(&mut self, ty: ast::TypeNameId, span: Span) -> Operand {
        let (ty, alignment) = self.type_name_and_alignment(ty);
        let is_preferred = self.source_map.text(span).is_some_and(|text| text.starts_with("__alignof"));
        self.alignment_operand(ty.ty, alignment, is_preferred, span)
    }

    fn alignment_operand(&mut self, ty: TypeId, declared: Option<u64>, is_preferred: bool, span: Span) -> Operand {
        if self.is_error(ty) {
            return self.error_operand(span);
        }
        let size = self.known.size;
        let types = &self.program.types;
        let own = if is_preferred { types.preferred_alignment(ty) } else { types.alignment_of(ty) };
        let own = match *self.ty(ty) {
            Type::Function(_) | Type::Void => Some(1),
            _ => own,
        };
        match declared.or(own) {
            Some(alignment) => self.constant_operand(i128::from(alignment), size, span),
            None => {
                let name = self.type_name(ty);
                self.error(
                    codes::INCOMPLETE_TYPE,
                    format!("the alignment of `{name}` is not known"),
                    span,
                    "the type is incomplete here",
                );
                self.error_operand(span)
            }
        }
    }

    /// `offsetof(T, a.b[i].c)`
    pub(crate) fn offsetof(&mut self, ty: ast::TypeNameId, path: ast::List<ast::DesignatorId>, span: Span) -> Operand {
        let ty = self.type_of_name(ty).ty;
        let size = self.known.size;
        if self.is_error(ty) {
            return self.error_operand(span);
        }
        let unit = self.unit;
        let mut at = ty;
        let mut constant: u64 = 0;
        let mut sum: Option<ExprId> = None;
        for designator in unit.list(path) {
            let designator = unit[designator];
            match (designator.kind, self.ty(at).clone()) {
                (DesignatorKind::Field(name), Type::Record(record)) => {
                    let Some(found) = self.find_member(record, name.symbol) else {
                        let place = self.error_operand(span);
                        let base = Operand { ty: at, ..place };
                        self.member_of(base, name, span);
                        return self.error_operand(span);
                    };
                    let mut record = record;
                    for index in found {
                        let Some(layout) = self.program.types.record_layout(record) else {
                            return self.unsupported_operand("`offsetof` in a record of variable size", span);
                        };
                        constant += layout.byte_offset(index);
                        at = self.field_type(record, index).ty;
                        if let Type::Record(inner) = *self.ty(at) {
                            record = inner;
                        }
                    }
                }
                (DesignatorKind::Index(index), Type::Array { element, .. }) => {
                    let index = self.value(index);
                    at = element.ty;
                    let Some(bytes) = self.program.types.size_of(at) else {
                        return self.unsupported_operand("`offsetof` in an array of variable size", span);
                    };
                    match self.evaluate_integer(index) {
                        Some(index) => constant = constant.wrapping_add((index as u64).wrapping_mul(bytes)),
                        None => {
                            let index = self.convert(index, size, span);
                            let bytes = self.int_value(i128::from(bytes), size, span);
                            let kind = ExprKind::Binary(BinaryOp::Multiply, index, bytes);
                            let offset = self.b().expr(kind, size, span);
                            sum = Some(match sum {
                                Some(sum) => self.b().expr(ExprKind::Binary(BinaryOp::Add, sum, offset), size, span),
                                None => offset,
                            });
                        }
                    }
                }
                (_, other) => {
                    if other != Type::Error {
                        let name = self.type_name(at);
                        self.error(
                            codes::NO_MEMBER,
                            format!("`offsetof` cannot go into `{name}`"),
                            designator.span,
                            "no such part",
                        );
                    }
                    return self.error_operand(span);
                }
            }
        }
        let bits = self.int_format(self.options.data_model.size_kind());
        let constant = self.int_value(bits.wrap(constant as i128), size, span);
        let value = match sum {
            Some(sum) => self.b().expr(ExprKind::Binary(BinaryOp::Add, sum, constant), size, span),
            None => constant,
        };
        self.value_operand(value, span)
    }

    pub(crate) fn generic(
        &mut self,
        control: GenericControl,
        associations: ast::List<ast::AssociationId>,
        span: Span,
    ) -> Operand {
        let control = match control {
            // The controlling expression decays and loses its qualifiers.
            GenericControl::Expr(expr) => {
                let saved = self.enter_dead_code();
                let value = self.value(expr);
                self.leave_dead_code(saved);
                plain(self.type_of(value))
            }
            GenericControl::Type(ty) => self.type_of_name(ty),
        };
        if self.is_error(control.ty) {
            return self.error_operand(span);
        }
        let unit = self.unit;
        let mut default = None;
        for id in unit.list(associations) {
            let association = unit[id];
            match association.ty {
                None => default = Some(association.value),
                Some(ty) => {
                    let ty = self.type_of_name(ty);
                    let is_same = match (self.ty(ty.ty), self.ty(control.ty)) {
                        (Type::Enum(_), Type::Int(_)) | (Type::Int(_), Type::Enum(_)) => {
                            self.compatible(ty.ty, control.ty)
                        }
                        _ => self.compatible(ty.ty, control.ty),
                    };
                    if is_same && ty.qualifiers.is_const == control.qualifiers.is_const {
                        return self.operand(association.value);
                    }
                }
            }
        }
        match default {
            Some(value) => self.operand(value),
            None => {
                let name = self.qualified_name(control);
                self.report(
                    Diagnostic::error(codes::NO_ASSOCIATION, format!("`_Generic` has no association for `{name}`"))
                        .label(span, format!("the expression has type `{name}`"))
                        .help("add a `default` association"),
                );
                self.error_operand(span)
            }
        }
    }

    pub(crate) fn convert_vector(&mut self, operand: ast::ExprId, ty: ast::TypeNameId, span: Span) -> Operand {
        let target = self.type_of_name(ty).ty;
        let value = self.value(operand);
        let (Type::Vector { element: from, lanes }, Type::Vector { element: to, lanes: n }) =
            (self.ty(self.type_of(value)).clone(), self.ty(target).clone())
        else {
            return self.error_operand(span);
        };
        if lanes != n {
            return self.error_operand(span);
        }
        let place = self.temporary(value, span);
        let difference = self.known.difference;
        let mut parts = Vec::with_capacity(lanes as usize);
        for lane in 0..lanes {
            let index = self.int_value(i128::from(lane), difference, span);
            let part = self.b().place(PlaceKind::Index(place, index), from, span);
            let part = self.b().load(part, span);
            parts.push(self.convert(part, to, span));
        }
        let value = self.b().expr(ExprKind::Aggregate(parts), target, span);
        self.value_operand(value, span)
    }
}
