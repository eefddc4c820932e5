//! CIVL-C's arrays of arrays without lengths, `float a[][]` as a parameter: how long a row is, the object knows that the
//! pointer leads to.

use super::Builder;
use super::place::Spot;
use super::size::Size;
use crate::code::{Argument, Operand, Passing, ResultTo};
use crate::domain::Domain;
use crate::scalar::Scalar;
use quod_base::Symbol;
use quod_model::ir::*;

impl<D: Domain> Builder<'_, D> {
    /// Neither a size that is known nor one that is computed.
    pub(super) fn is_unsized(&self, ty: TypeId) -> bool {
        match *self.ty(ty) {
            Type::Array { length: ArrayLength::Incomplete | ArrayLength::Unspecified, .. } => true,
            Type::Array { element, .. } => self.is_unsized(element.ty),
            _ => false,
        }
    }

    fn dimensions(&self, mut ty: TypeId) -> usize {
        let mut count = 0;
        while let Type::Array { element, .. } = *self.ty(ty) {
            (ty, count) = (element.ty, count + 1);
        }
        count
    }

    /// `a = b` of arrays. Those without a length get that of the other; others must be as long as it.
    pub(super) fn assign_array(&mut self, place: PlaceId, mut value: ExprId) {
        while let ExprKind::Convert(operand) = self.body.exprs[value].kind
            && matches!(self.ty(self.body.exprs[operand].ty), Type::Array { .. })
        {
            value = operand;
        }
        let (ty, from) = (self.body.places[place].ty, self.body.exprs[value].ty);
        let (is_open, is_from_open) = (self.is_unsized(ty), self.is_unsized(from));
        if !is_open && !is_from_open {
            let (size, from_size) = (self.size(ty), self.size(from));
            if size.fixed().is_none() || size.fixed() != from_size.fixed() {
                let scalar = self.size_scalar();
                let sizes = [size, from_size].map(|size| (self.size_operand(size), scalar));
                self.builtin_value("$array_fits", &sizes, Scalar::Bool);
            }
            if let Spot::Memory { base, offset, .. } = self.memory_place(place) {
                self.aggregate_into(value, base, offset);
            }
            return;
        }
        if is_open && !matches!(self.body.places[place].kind, PlaceKind::Variable(_)) {
            // A row is as long as the object says.
            if is_from_open || !matches!(self.body.places[place].kind, PlaceKind::Index(..)) {
                self.unsupported("the assignment of an array without a length");
                return;
            }
            let (base, scalar) = (self.address(place), self.size_scalar());
            let (size, from_size) = (self.row(base, ty), self.size(from));
            let sizes = [size, from_size].map(|size| (self.size_operand(size), scalar));
            self.builtin_value("$array_fits", &sizes, Scalar::Bool);
            self.aggregate_into(value, base, 0);
            return;
        }
        let source = match self.body.exprs[value].kind {
            ExprKind::Load(place) => self.address(place),
            _ => match self.size(from) {
                Size::Fixed(size) if !is_from_open => {
                    let scratch = self.scratch(size, 16);
                    self.aggregate_into(value, scratch, 0);
                    scratch
                }
                Size::Dynamic(size) if !is_from_open && !self.may_read(value, place) => {
                    let (target, pointer, scalar) = (self.address(place), self.pointer(), self.size_scalar());
                    let arguments = vec![
                        Argument { operand: target, passing: Passing::Scalar(pointer), ty },
                        Argument { operand: size, passing: Passing::Scalar(scalar), ty },
                    ];
                    let name = Symbol::intern("$resize_object");
                    self.emit_builtin(name, arguments, vec![from], ResultTo::Nothing, None);
                    self.keep_rows(target, from);
                    self.aggregate_into(value, target, 0);
                    return;
                }
                _ => {
                    self.unsupported("the assignment of this array");
                    return;
                }
            },
        };
        let (pointer, scalar) = (self.pointer(), self.size_scalar());
        let target = self.address(place);
        let mut operands = vec![(target, pointer), (source, pointer)];
        if !is_open || !is_from_open {
            let size = self.size(if is_open { from } else { ty });
            operands.push((self.size_operand(size), scalar));
        }
        let name = match (is_open, is_from_open) {
            (true, true) => "$array_take",
            (true, false) => "$array_take_sized",
            _ => "$array_give_sized",
        };
        self.builtin_value(name, &operands, Scalar::Bool);
        if !is_from_open {
            self.keep_rows(target, from);
        }
    }

    /// The value may depend on what the variable holds.
    fn may_read(&self, value: ExprId, variable: PlaceId) -> bool {
        let mut work = vec![Part::Expr(value)];
        while let Some(part) = work.pop() {
            match part {
                Part::Expr(expr) => self.body.exprs[expr].kind.for_each_part(&mut |part| work.push(part)),
                Part::Place(place) => match self.body.places[place].kind {
                    PlaceKind::Index(array, index) => work.extend([Part::Place(array), Part::Expr(index)]),
                    PlaceKind::Deref(_) => return true,
                    PlaceKind::Field(place, _) | PlaceKind::RealPart(place) | PlaceKind::ImaginaryPart(place) => {
                        work.push(Part::Place(place));
                    }
                    ref kind => {
                        if *kind == self.body.places[variable].kind {
                            return true;
                        }
                    }
                },
            }
        }
        false
    }

    /// What a pointer counts in: the size of what it points to, or of a row of the object that it leads to.
    pub(super) fn stride(&mut self, pointer: ExprId) -> Size {
        let Type::Pointer(pointee) = *self.ty(self.body.exprs[pointer].ty) else { return Size::Fixed(1) };
        if !self.is_unsized(pointee.ty) {
            return self.size(pointee.ty);
        }
        let base = self.expr(pointer);
        self.row(base, pointee.ty)
    }

    /// The size of a row without a length at an address.
    pub(super) fn row(&mut self, base: Operand, ty: TypeId) -> Size {
        let depth = self.constant(self.dimensions(ty) as i128, Scalar::Handle);
        let (pointer, size) = (self.pointer(), self.size_scalar());
        Size::Dynamic(self.builtin_value("$row_size", &[(base, pointer), (depth, Scalar::Handle)], size))
    }

    /// An index into a row without a length stays in the row.
    pub(super) fn check_row(&mut self, base: Operand, index: Operand, scalar: Scalar, ty: TypeId) {
        let depth = self.constant(self.dimensions(ty) as i128, Scalar::Handle);
        let pointer = self.pointer();
        self.builtin_value("$row_check", &[(base, pointer), (depth, Scalar::Handle), (index, scalar)], Scalar::Bool);
    }

    /// An array of arrays whose lengths are computed: the object keeps them.
    pub(super) fn keep_rows(&mut self, base: Operand, ty: TypeId) {
        if self.dimensions(ty) < 2 || self.is_unsized(ty) {
            return;
        }
        let (pointer, scalar) = (self.pointer(), self.size_scalar());
        let mut arguments = vec![Argument { operand: base, passing: Passing::Scalar(pointer), ty }];
        let mut inner = ty;
        while let Type::Array { element, .. } = *self.ty(inner) {
            inner = element.ty;
            let size = self.size(inner);
            let operand = self.size_operand(size);
            arguments.push(Argument { operand, passing: Passing::Scalar(scalar), ty });
        }
        self.emit_builtin(Symbol::intern("$keep_rows"), arguments, Vec::new(), ResultTo::Nothing, None);
    }
}
