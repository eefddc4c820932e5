//! The type that an expression or place has by its parts alone. Printer and parser share these rules, so that the text
//! needs to name a type only where it is not the derived one.

use crate::ir::*;

/// Where the types of the parts come from; `intern` may refuse (the printer only looks types up).
pub(super) trait Parts {
    fn program(&self) -> &Program;
    fn body(&self) -> &Body;
    fn intern(&mut self, ty: Type) -> Option<TypeId>;

    fn expr_type(&self, id: ExprId) -> TypeId {
        self.body().exprs[id].ty
    }
    fn place_type(&self, id: PlaceId) -> TypeId {
        self.body().places[id].ty
    }
    fn types(&self) -> &TypeTable {
        &self.program().types
    }
    fn variable_type(&self, variable: VariableRef) -> Option<TypeId> {
        match variable {
            VariableRef::Global(global) => Some(self.program().globals.get(global)?.ty),
            VariableRef::Local(local) => self.local_type(local),
            // Only the enclosing function knows: always written.
            VariableRef::Enclosing { .. } => None,
        }
    }
    fn local_type(&self, local: LocalId) -> Option<TypeId> {
        Some(self.body().locals.get(local)?.ty)
    }
    fn string_type(&self, id: StringId) -> Option<TypeId> {
        Some(self.program().strings.get(id)?.ty)
    }
}

pub(super) fn expr_type(parts: &mut impl Parts, kind: &ExprKind) -> Option<TypeId> {
    match *kind {
        ExprKind::Int(_)
        | ExprKind::LogicalAnd(..)
        | ExprKind::LogicalOr(..)
        | ExprKind::Implies(..)
        | ExprKind::Unary(UnaryOp::Not, _)
        | ExprKind::Predicate(_) => parts.intern(Type::Int(IntKind::Int)),
        ExprKind::Binary(op, left, _) if !op.is_comparison() => Some(parts.expr_type(left)),
        ExprKind::Binary(..) => parts.intern(Type::Int(IntKind::Int)),
        ExprKind::Load(place) => Some(parts.place_type(place)),
        ExprKind::AddressOf(place) => {
            let ty = parts.place_type(place);
            parts.intern(Type::Pointer(QualType { ty, qualifiers: Qualifiers::default() }))
        }
        ExprKind::Unary(_, operand) => Some(parts.expr_type(operand)),
        ExprKind::PointerAdd { pointer, .. } => Some(parts.expr_type(pointer)),
        ExprKind::PointerDifference(..) => {
            let kind = parts.types().data_model.difference_kind();
            parts.intern(Type::Int(kind))
        }
        ExprKind::Conditional { then, .. } => Some(parts.expr_type(then)),
        ExprKind::SizeOf(_) => {
            let kind = parts.types().data_model.size_kind();
            parts.intern(Type::Int(kind))
        }
        _ => None,
    }
}

pub(super) fn place_type(parts: &mut impl Parts, kind: &PlaceKind) -> Option<TypeId> {
    match *kind {
        PlaceKind::Variable(variable) => parts.variable_type(variable),
        PlaceKind::Temporary(local) => parts.local_type(local),
        PlaceKind::String(id) => parts.string_type(id),
        PlaceKind::Deref(pointer) => match *parts.types().get(parts.expr_type(pointer)) {
            Type::Pointer(to) => Some(to.ty),
            _ => None,
        },
        PlaceKind::Field(base, index) => match *parts.types().get(parts.place_type(base)) {
            Type::Record(record) => {
                let fields = parts.types().records.get(record)?.fields.as_ref()?;
                Some(fields.get(index as usize)?.ty.ty)
            }
            _ => None,
        },
        PlaceKind::Index(base, _) => match *parts.types().get(parts.place_type(base)) {
            Type::Array { element, .. } => Some(element.ty),
            Type::Vector { element, .. } => Some(element),
            _ => None,
        },
        PlaceKind::RealPart(base) | PlaceKind::ImaginaryPart(base) => {
            match *parts.types().get(parts.place_type(base)) {
                Type::Complex(kind) => parts.intern(Type::Float(kind)),
                Type::ComplexInt(kind) => parts.intern(Type::Int(kind)),
                _ => None,
            }
        }
    }
}
