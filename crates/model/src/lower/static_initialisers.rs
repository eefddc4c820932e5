//! Which expressions may initialise objects with static storage: constants, addresses, and what is computed of them.

use super::Lowerer;
use crate::ir::*;

impl Lowerer<'_> {
    /// Known before the program starts: numbers, addresses, and what is computed of them.
    pub(crate) fn is_load_time_constant(&self, expr: ExprId) -> bool {
        stacker::maybe_grow(32 << 10, 1 << 20, || self.is_load_time_constant_inner(expr))
    }

    fn is_load_time_constant_inner(&self, expr: ExprId) -> bool {
        let body = &self.b_ref().body;
        match body.exprs[expr].kind {
            ExprKind::Load(place) => self.is_constant_place(place),
            ExprKind::AddressOf(place) => self.is_address_constant(place),
            ExprKind::Unary(_, inner) | ExprKind::Convert(inner) => self.is_load_time_constant(inner),
            ExprKind::RealPart(inner) | ExprKind::ImaginaryPart(inner) => self.is_load_time_constant(inner),
            ExprKind::Binary(_, a, b)
            | ExprKind::PointerAdd { pointer: a, index: b }
            | ExprKind::PointerDifference(a, b)
            | ExprKind::LogicalAnd(a, b)
            | ExprKind::LogicalOr(a, b)
            | ExprKind::MakeComplex { real: a, imaginary: b } => {
                self.is_load_time_constant(a) && self.is_load_time_constant(b)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.is_load_time_constant(condition)
                    && self.is_load_time_constant(then)
                    && self.is_load_time_constant(otherwise)
            }
            ExprKind::Aggregate(ref parts) => parts.iter().all(|&part| self.is_load_time_constant(part)),
            ExprKind::Builtin { ref arguments, .. } => arguments.iter().all(|&part| self.is_load_time_constant(part)),
            _ => true,
        }
    }

    fn is_constant_place(&self, place: PlaceId) -> bool {
        match self.b_ref().body.places[place].kind {
            PlaceKind::Variable(VariableRef::Global(global)) => {
                let global = &self.program.globals[global];
                global.is_const || global.name.as_str().starts_with('$')
            }
            PlaceKind::Variable(VariableRef::Local(local)) => {
                let local = &self.b_ref().body.locals[local];
                local.name.is_none() && !local.is_volatile
            }
            PlaceKind::String(_) | PlaceKind::Temporary(_) => true,
            PlaceKind::Field(base, _) | PlaceKind::RealPart(base) | PlaceKind::ImaginaryPart(base) => {
                self.is_constant_place(base)
            }
            PlaceKind::Index(base, index) => self.is_constant_place(base) && self.is_load_time_constant(index),
            _ => false,
        }
    }

    fn is_address_constant(&self, place: PlaceId) -> bool {
        match self.b_ref().body.places[place].kind {
            PlaceKind::Variable(VariableRef::Local(local)) => !self.b_ref().body.locals[local].is_volatile,
            PlaceKind::Deref(pointer) => self.is_load_time_constant(pointer),
            PlaceKind::Field(base, _) | PlaceKind::RealPart(base) | PlaceKind::ImaginaryPart(base) => {
                self.is_address_constant(base)
            }
            PlaceKind::Index(base, index) => self.is_address_constant(base) && self.is_load_time_constant(index),
            _ => true,
        }
    }
}
