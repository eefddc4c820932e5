//! Places: where a value lives, as a register or as an address with a constant offset.

use super::size::Size;
use super::{Builder, Home};
use crate::code::{Op, Operand, Register};
use crate::domain::Domain;
use crate::scalar::{BitCell, Scalar};
use quod_base::Id;
use quod_model::ir::*;

/// A place with its address computed.
#[derive(Copy, Clone, Debug)]
pub(super) enum Spot {
    Register {
        register: Register,
        scalar: Scalar,
        flag: Option<Register>,
    },
    Memory {
        base: Operand,
        offset: i64,
        bits: Option<BitCell>,
    },
    /// An element of an array: its address is computed with the access.
    Element {
        base: Operand,
        index: Operand,
        scalar: Scalar,
        element: u32,
    },
}

impl<D: Domain> Builder<'_, D> {
    pub(super) fn place(&mut self, place: PlaceId) -> Spot {
        stacker::maybe_grow(128 << 10, 4 << 20, || self.place_inner(place))
    }

    fn place_inner(&mut self, id: PlaceId) -> Spot {
        let place = &self.body.places[id];
        let memory = |base| Spot::Memory { base, offset: 0, bits: None };
        match &place.kind {
            PlaceKind::Variable(VariableRef::Local(local)) | PlaceKind::Temporary(local) => self.local(*local),
            PlaceKind::Variable(VariableRef::Global(global)) => {
                if self.program.globals[*global].storage == Storage::ThreadLocal {
                    let index = self.statics.thread_local_globals.iter().position(|id| id == global).unwrap_or(0);
                    let to = self.temporary();
                    self.emit(Op::ThreadLocal { to, index: index as u32 });
                    return memory(Operand::register(to));
                }
                let address = self.statics.globals[global.index()].clone();
                memory(self.constant_value(address))
            }
            PlaceKind::Variable(VariableRef::Enclosing { levels, local }) => self.enclosing(*levels, *local),
            PlaceKind::Deref(pointer) => memory(self.expr(*pointer)),
            PlaceKind::Field(parent, field) => self.field(*parent, *field),
            PlaceKind::Index(parent, index) => self.element(*parent, *index, place.ty),
            PlaceKind::String(string) => {
                let address = self.statics.strings[string.index()].clone();
                memory(self.constant_value(address))
            }
            PlaceKind::RealPart(parent) => self.place(*parent),
            PlaceKind::ImaginaryPart(parent) => {
                let half = self.program.types.size_of(place.ty).unwrap_or(0);
                self.shifted(*parent, half as i64)
            }
        }
    }

    pub(super) fn local(&mut self, local: LocalId) -> Spot {
        match self.homes[local.index()] {
            Home::Register { register, scalar, flag } => Spot::Register { register, scalar, flag },
            Home::Memory(index) => {
                let register = self.code.memory_locals[index as usize].register;
                Spot::Memory { base: Operand::register(register), offset: 0, bits: None }
            }
        }
    }

    fn enclosing(&mut self, levels: u32, local: LocalId) -> Spot {
        let mut function = self.function;
        for _ in 0..levels {
            match self.program.functions[function].parent {
                Some((parent, _)) => function = parent,
                None => break,
            }
        }
        let scope = self.program.functions[function].body.as_ref().and_then(|body| body.locals.get(local));
        let Some(scope) = scope.map(|local| local.scope) else {
            let base = self.unsupported_value("a variable of an unknown function");
            return Spot::Memory { base, offset: 0, bits: None };
        };
        let to = self.temporary();
        self.emit(Op::Enclosing { to, function, scope, local });
        Spot::Memory { base: Operand::register(to), offset: 0, bits: None }
    }

    fn shifted(&mut self, parent: PlaceId, bytes: i64) -> Spot {
        match self.memory_place(parent) {
            Spot::Memory { base, offset, .. } => Spot::Memory { base, offset: offset + bytes, bits: None },
            Spot::Register { register, .. } => {
                Spot::Memory { base: Operand::register(register), offset: bytes, bits: None }
            }
            element @ Spot::Element { .. } => element,
        }
    }

    fn field(&mut self, parent: PlaceId, field: u32) -> Spot {
        let record = match *self.ty(self.body.places[parent].ty) {
            Type::Record(id) => id,
            _ => {
                let base = self.unsupported_value("a member of something that is no record");
                return Spot::Memory { base, offset: 0, bits: None };
            }
        };
        let types = &self.program.types;
        let declared = types.records[record].fields.as_ref().and_then(|fields| fields.get(field as usize));
        if let (None, Some(declared), Some(layout)) =
            (types.record_layout(record), declared, types.variable_layout(record))
        {
            let (anchor, position) = layout.offsets.get(field as usize).copied().unwrap_or((0, 0));
            let base = self.address(parent);
            let distance = self.anchor(&layout, anchor);
            let scalar = self.size_scalar();
            let base = self.index(base, distance, scalar, Size::Fixed(1));
            let bits = match (declared.bits, self.scalar(declared.ty.ty)) {
                (Some(width), Some(scalar)) => {
                    Some(BitCell { scalar, shift: (position % 8) as u8, width: width as u8 })
                }
                _ => None,
            };
            return Spot::Memory { base, offset: (position / 8) as i64, bits };
        }
        let (Some(layout), Some(declared)) = (types.record_layout(record), declared) else {
            let base = self.unsupported_value("a member of an incomplete record");
            return Spot::Memory { base, offset: 0, bits: None };
        };
        let position = layout.offsets.get(field as usize).copied().unwrap_or(0);
        let spot = self.shifted(parent, (position / 8) as i64);
        match (declared.bits, self.scalar(declared.ty.ty), spot) {
            (Some(width), Some(scalar), Spot::Memory { base, offset, .. }) => {
                let bits = BitCell { scalar, shift: (position % 8) as u8, width: width as u8 };
                Spot::Memory { base, offset, bits: Some(bits) }
            }
            _ => spot,
        }
    }

    /// The place with an address of its own.
    pub(super) fn memory_place(&mut self, place: PlaceId) -> Spot {
        match self.place(place) {
            Spot::Element { base, index, scalar, element } => {
                let base = self.index(base, index, scalar, Size::Fixed(u64::from(element)));
                Spot::Memory { base, offset: 0, bits: None }
            }
            spot => spot,
        }
    }

    /// The operand of conversions that keep every value: `(long)i` of an `int`.
    pub(super) fn peeled(&self, mut expr: ExprId) -> ExprId {
        while let ExprKind::Convert(operand) = self.body.exprs[expr].kind {
            let kind = |expr: ExprId| self.scalar(self.body.exprs[expr].ty);
            let is_wider = match (kind(operand), kind(expr)) {
                (Some(Scalar::Integer), Some(Scalar::Integer)) => true,
                (Some(from), Some(to)) => match (from.int_format(), to.int_format()) {
                    (Some(from), Some(to)) => from.bits < to.bits && (to.is_signed || !from.is_signed),
                    _ => false,
                },
                _ => false,
            };
            if !is_wider {
                break;
            }
            expr = operand;
        }
        expr
    }

    fn element(&mut self, parent: PlaceId, index: ExprId, element: TypeId) -> Spot {
        let spot = self.memory_place(parent);
        let index = self.peeled(index);
        let Spot::Memory { base, offset, .. } = spot else {
            let base = self.unsupported_value("an element of something that is no array");
            return Spot::Memory { base, offset: 0, bits: None };
        };
        let scalar = self.expr_scalar(index);
        let position = self.expr(index);
        if self.is_row(parent) {
            let base = if offset == 0 { base } else { self.offset(base, offset) };
            self.check_row(base, position, scalar, self.body.places[parent].ty);
        }
        let size = if self.is_unsized(element) {
            let base = if offset == 0 { base } else { self.offset(base, offset) };
            self.row(base, element)
        } else {
            self.size(element)
        };
        if let Some(size) = size.fixed()
            && let Some(known) = self.constant_of(position).and_then(|value| self.domain.known_integer(value, scalar))
            && let Ok(known) = i64::try_from(known)
            && let Some(total) = known.checked_mul(size as i64).and_then(|bytes| bytes.checked_add(offset))
        {
            return Spot::Memory { base, offset: total, bits: None };
        }
        let base = if offset == 0 { base } else { self.offset(base, offset) };
        if let Some(element) = size.fixed().and_then(|size| u32::try_from(size).ok()) {
            return Spot::Element { base, index: position, scalar, element };
        }
        let base = self.index(base, position, scalar, size);
        Spot::Memory { base, offset: 0, bits: None }
    }

    /// An array without a length that a pointer leads to.
    fn is_row(&self, place: PlaceId) -> bool {
        let found = &self.body.places[place];
        matches!(found.kind, PlaceKind::Deref(_) | PlaceKind::Index(..)) && self.is_unsized(found.ty)
    }

    /// `base + bytes`
    pub(super) fn offset(&mut self, base: Operand, bytes: i64) -> Operand {
        if bytes == 0 {
            return base;
        }
        if let Some(value) = self.constant_of(base).cloned() {
            let moved = self.domain.offset(&value, bytes);
            return self.constant_value(moved);
        }
        let to = self.temporary();
        self.emit(Op::Offset { to, pointer: base, bytes });
        Operand::register(to)
    }

    /// The address of a place in memory.
    pub(super) fn address(&mut self, place: PlaceId) -> Operand {
        match self.memory_place(place) {
            Spot::Memory { base, offset, .. } => self.offset(base, offset),
            Spot::Register { .. } | Spot::Element { .. } => {
                self.unsupported_value("the address of a variable in a register")
            }
        }
    }

    pub(super) fn load(&mut self, place: PlaceId, want: Option<Register>) -> Operand {
        let ty = self.body.places[place].ty;
        let Some(scalar) = self.scalar(ty) else {
            return self.unsupported_value("a value of this type");
        };
        match self.place(place) {
            Spot::Register { register, .. } => Operand::register(register),
            Spot::Element { base, index, scalar: index_scalar, element } => {
                let cell = self.cell(scalar, ty);
                let to = want.unwrap_or_else(|| self.temporary());
                self.emit(Op::LoadIndexed { to, pointer: base, index, scalar: index_scalar, element, cell });
                Operand::register(to)
            }
            Spot::Memory { base, offset, bits: Some(cell) } => {
                let pointer = self.offset(base, offset);
                let to = want.unwrap_or_else(|| self.temporary());
                self.emit(Op::LoadBits { to, pointer, cell });
                Operand::register(to)
            }
            Spot::Memory { base, offset, bits: None } => {
                let cell = self.cell(scalar, ty);
                let (pointer, offset) = self.near(base, offset);
                let to = want.unwrap_or_else(|| self.temporary());
                self.emit(Op::Load { to, pointer, offset, cell });
                Operand::register(to)
            }
        }
    }

    /// An offset that fits the operation, and folded into constant addresses.
    pub(super) fn near(&mut self, base: Operand, offset: i64) -> (Operand, i32) {
        match i32::try_from(offset) {
            Ok(small) if !base.is_constant() => (base, small),
            _ => (self.offset(base, offset), 0),
        }
    }

    pub(super) fn store(&mut self, spot: Spot, ty: TypeId, value: Operand) {
        match spot {
            Spot::Register { register, flag, .. } => {
                if value != Operand::register(register) && !self.retarget(value, register) {
                    self.emit(Op::Move { to: register, from: value });
                }
                self.set_flag(flag);
            }
            Spot::Element { base, index, scalar: index_scalar, element } => {
                let Some(scalar) = self.scalar(ty) else {
                    self.unsupported("an assignment of this type");
                    return;
                };
                let cell = self.cell(scalar, ty);
                self.emit(Op::StoreIndexed { pointer: base, index, scalar: index_scalar, element, cell, value });
            }
            Spot::Memory { base, offset, bits: Some(cell) } => {
                let pointer = self.offset(base, offset);
                self.emit(Op::StoreBits { pointer, cell, value });
            }
            Spot::Memory { base, offset, bits: None } => {
                let Some(scalar) = self.scalar(ty) else {
                    self.unsupported("an assignment of this type");
                    return;
                };
                let cell = self.cell(scalar, ty);
                let (pointer, offset) = self.near(base, offset);
                self.emit(Op::Store { pointer, offset, cell, value });
            }
        }
    }

    /// Where the last operation has just made the value in a temporary, it can make it in the register.
    fn retarget(&mut self, value: Operand, register: Register) -> bool {
        if value.is_constant() || value.0 < self.first_temporary || self.is_labelled() {
            return false;
        }
        let Some(Op::CheckedAddInt { to, .. } | Op::CheckedSubtractInt { to, .. } | Op::CheckedBinary { to, .. }) =
            self.code.ops.last_mut()
        else {
            return false;
        };
        if *to != value.0 {
            return false;
        }
        *to = register;
        true
    }

    pub(super) fn set_flag(&mut self, flag: Option<Register>) {
        if let Some(flag) = flag {
            let one = self.constant(1, Scalar::Bool);
            self.emit(Op::Move { to: flag, from: one });
        }
    }
}
