//! Sizes of types, known or computed: arrays of variable length have sizes that a frame knows.

use super::Builder;
use super::place::Spot;
use crate::code::{Op, Operand};
use crate::domain::Domain;
use crate::scalar::Scalar;
use quod_base::Id;
use quod_model::ir::*;
use quod_model::layout::VariableLayout;

#[derive(Copy, Clone, Debug)]
pub(super) enum Size {
    Fixed(u64),
    /// A value of type `size_t`.
    Dynamic(Operand),
}

impl Size {
    pub(super) fn fixed(self) -> Option<u64> {
        match self {
            Size::Fixed(size) => Some(size),
            Size::Dynamic(_) => None,
        }
    }
}

impl<D: Domain> Builder<'_, D> {
    pub(super) fn size_scalar(&self) -> Scalar {
        Scalar::of_int(
            self.program.types.data_model,
            self.program.arithmetic,
            self.program.types.data_model.size_kind(),
        )
    }

    /// `sizeof(T)`; incomplete types count as bytes.
    pub(super) fn size(&mut self, ty: TypeId) -> Size {
        if let Some(size) = self.program.types.size_of(ty) {
            return Size::Fixed(size);
        }
        let scalar = self.size_scalar();
        let (element, length) = match *self.ty(ty) {
            Type::Array { element, length: ArrayLength::Variable(length) } => (element, length),
            Type::Array { element, length: ArrayLength::Fixed(count) } if self.program.types.is_variable(ty) => {
                let count = self.constant(i128::from(count), scalar);
                let element = self.size(element.ty);
                let element = self.size_operand(element);
                return Size::Dynamic(self.size_op(BinaryOp::Multiply, count, element));
            }
            Type::Array { element, .. } => return Size::Fixed(self.size(element.ty).fixed().unwrap_or(1)),
            Type::Record(id) => {
                return match self.program.types.variable_layout(id) {
                    Some(layout) => Size::Dynamic(self.record_size(&layout)),
                    None => Size::Fixed(1),
                };
            }
            _ => return Size::Fixed(1),
        };
        let (count, from) = self.length(length);
        let count = self.converted(count, from, scalar, None);
        let element = self.size(element.ty);
        let element = self.size_operand(element);
        Size::Dynamic(self.size_op(BinaryOp::Multiply, count, element))
    }

    fn size_op(&mut self, op: BinaryOp, left: Operand, right: Operand) -> Operand {
        let (to, scalar) = (self.temporary(), self.size_scalar());
        self.emit(Op::Binary { op, scalar, to, left, right });
        Operand::register(to)
    }

    fn rounded_up(&mut self, value: Operand, alignment: u64) -> Operand {
        if alignment <= 1 {
            return value;
        }
        let scalar = self.size_scalar();
        let unit = self.constant(i128::from(alignment), scalar);
        let less = self.constant(i128::from(alignment - 1), scalar);
        let sum = self.size_op(BinaryOp::Add, value, less);
        let count = self.size_op(BinaryOp::Divide, sum, unit);
        self.size_op(BinaryOp::Multiply, count, unit)
    }

    /// The distance of an anchor from the start of a record with members of variable length, in bytes.
    pub(super) fn anchor(&mut self, layout: &VariableLayout, anchor: usize) -> Operand {
        let scalar = self.size_scalar();
        let mut position = self.constant(0, scalar);
        for anchor in layout.anchors.iter().take(anchor) {
            let bytes = self.constant(i128::from(anchor.bytes), scalar);
            position = self.size_op(BinaryOp::Add, position, bytes);
            if let Some(ty) = anchor.ty {
                let size = self.size(ty);
                let size = self.size_operand(size);
                position = self.size_op(BinaryOp::Add, position, size);
            }
            position = self.rounded_up(position, anchor.alignment);
        }
        position
    }

    fn record_size(&mut self, layout: &VariableLayout) -> Operand {
        let (anchor, bytes) = layout.end;
        let position = self.anchor(layout, anchor);
        let scalar = self.size_scalar();
        let bytes = self.constant(i128::from(bytes), scalar);
        let end = self.size_op(BinaryOp::Add, position, bytes);
        self.rounded_up(end, layout.alignment)
    }

    /// The number of elements of an array of variable length.
    fn length(&mut self, length: LengthVariable) -> (Operand, Scalar) {
        let (spot, ty) = match length {
            LengthVariable::Global(global) => {
                let address = self.statics.globals[global.index()].clone();
                let base = self.constant_value(address);
                (Spot::Memory { base, offset: 0, bits: None }, self.program.globals[global].ty)
            }
            LengthVariable::Local { function, local } if function == self.function => {
                (self.local(local), self.body.locals[local].ty)
            }
            LengthVariable::Local { function, local } => {
                let owner = self.program.functions[function].body.as_ref().and_then(|body| body.locals.get(local));
                let Some(owner) = owner else {
                    return (self.unsupported_value("an array of unknown length"), self.int());
                };
                let to = self.temporary();
                self.emit(Op::Enclosing { to, function, scope: owner.scope, local });
                (Spot::Memory { base: Operand::register(to), offset: 0, bits: None }, owner.ty)
            }
        };
        let scalar = self.scalar(ty).unwrap_or_else(|| self.int());
        match spot {
            Spot::Register { register, .. } => (Operand::register(register), scalar),
            Spot::Memory { base, .. } | Spot::Element { base, .. } => {
                let to = self.temporary();
                let cell = self.cell(scalar, ty);
                self.emit(Op::Load { to, pointer: base, offset: 0, cell });
                (Operand::register(to), scalar)
            }
        }
    }

    pub(super) fn size_operand(&mut self, size: Size) -> Operand {
        let scalar = self.size_scalar();
        match size {
            Size::Fixed(size) => self.constant(i128::from(size), scalar),
            Size::Dynamic(operand) => operand,
        }
    }

    /// `pointer + index` in elements.
    pub(super) fn index(&mut self, pointer: Operand, index: Operand, scalar: Scalar, size: Size) -> Operand {
        let (index, scalar, element) = match size {
            Size::Fixed(size) if u32::try_from(size).is_ok() => (index, scalar, size as u32),
            _ => {
                let wide = match self.size_scalar() {
                    Scalar::U32 => Scalar::I32,
                    Scalar::U64 => Scalar::I64,
                    other => other,
                };
                let unsigned = self.size_scalar();
                let size = self.size_operand(size);
                let size = self.converted(size, unsigned, wide, None);
                let index = self.converted(index, scalar, wide, None);
                let to = self.temporary();
                self.emit(Op::Binary { op: BinaryOp::Multiply, scalar: wide, to, left: index, right: size });
                (Operand::register(to), wide, 1)
            }
        };
        let to = self.temporary();
        self.emit(Op::Index { to, pointer, index, scalar, element });
        Operand::register(to)
    }
}
