//! Loads, stores, copies, pointer arithmetic, and the objects of locals.

use super::{View, get};
use crate::code::{Operand, Register};
use crate::domain::{Allocation, Domain, Ending, ObjectKind, Outcome};
use crate::fault::Fault;
use crate::scalar::{BitCell, Cell, Scalar};
use quod_verdict::CheckKind;

impl<D: Domain> View<'_, D> {
    #[inline(always)]
    pub(crate) fn load(&mut self, to: Register, pointer: Operand, offset: i32, cell: Cell) -> Outcome<D, ()> {
        let pointer = get(self.registers, self.constants, pointer);
        let value = if offset == 0 {
            self.domain.load(self.memory, pointer, cell)?
        } else {
            let moved = self.domain.offset(pointer, i64::from(offset));
            self.domain.load(self.memory, &moved, cell)?
        };
        self.set(to, value);
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn store(&mut self, pointer: Operand, offset: i32, cell: Cell, value: Operand) -> Outcome<D, ()> {
        let pointer = get(self.registers, self.constants, pointer);
        let value = get(self.registers, self.constants, value);
        if offset == 0 {
            return self.domain.store(self.memory, pointer, cell, value);
        }
        let moved = self.domain.offset(pointer, i64::from(offset));
        self.domain.store(self.memory, &moved, cell, value)
    }

    /// `pointer + index`
    #[inline(always)]
    fn indexed(&mut self, pointer: Operand, index: Operand, scalar: Scalar, element: u32) -> Outcome<D> {
        self.define(index, scalar);
        let pointer = get(self.registers, self.constants, pointer);
        let index = get(self.registers, self.constants, index);
        self.domain.index(pointer, index, scalar, u64::from(element))
    }

    #[inline(always)]
    pub(crate) fn load_indexed(
        &mut self,
        to: Register,
        pointer: Operand,
        index: Operand,
        scalar: Scalar,
        element: u32,
        cell: Cell,
    ) -> Outcome<D, ()> {
        let place = self.indexed(pointer, index, scalar, element)?;
        let value = self.domain.load(self.memory, &place, cell)?;
        self.set(to, value);
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn store_indexed(
        &mut self,
        pointer: Operand,
        index: Operand,
        scalar: Scalar,
        element: u32,
        cell: Cell,
        value: Operand,
    ) -> Outcome<D, ()> {
        let place = self.indexed(pointer, index, scalar, element)?;
        let value = get(self.registers, self.constants, value);
        self.domain.store(self.memory, &place, cell, value)
    }

    pub(crate) fn load_bits(&mut self, to: Register, pointer: Operand, cell: BitCell) -> Outcome<D, ()> {
        let pointer = get(self.registers, self.constants, pointer);
        let value = self.domain.load_bits(self.memory, pointer, cell)?;
        self.set(to, value);
        Ok(())
    }

    pub(crate) fn store_bits(&mut self, pointer: Operand, cell: BitCell, value: Operand) -> Outcome<D, ()> {
        let pointer = get(self.registers, self.constants, pointer);
        let value = get(self.registers, self.constants, value);
        self.domain.store_bits(self.memory, pointer, cell, value)
    }

    pub(crate) fn copy(&mut self, to: Operand, from: Operand, size: u64) -> Outcome<D, ()> {
        let to = get(self.registers, self.constants, to);
        let from = get(self.registers, self.constants, from);
        self.domain.copy(self.memory, to, from, size)
    }

    fn known_size(&self, size: Operand) -> Outcome<D, u64> {
        let value = self.get(size);
        for scalar in [Scalar::U64, Scalar::Integer] {
            if let Some(size) = self.domain.known_integer(value, scalar).and_then(|size| u64::try_from(size).ok()) {
                return Ok(size);
            }
        }
        Err(Fault::unsupported("an object whose size is not known").into())
    }

    pub(crate) fn copy_dynamic(&mut self, to: Operand, from: Operand, size: Operand) -> Outcome<D, ()> {
        let open = get(self.registers, self.constants, size);
        let (target, source) = (get(self.registers, self.constants, to), get(self.registers, self.constants, from));
        if self.domain.copy_open(self.memory, target, source, open)? {
            return Ok(());
        }
        let size = self.known_size(size)?;
        self.copy(to, from, size)
    }

    pub(crate) fn fill(&mut self, to: Operand, size: u64) -> Outcome<D, ()> {
        let to = get(self.registers, self.constants, to);
        self.domain.fill(self.memory, to, 0, size)
    }

    pub(crate) fn fill_dynamic(&mut self, to: Operand, size: Operand) -> Outcome<D, ()> {
        let open = get(self.registers, self.constants, size);
        if self.domain.fill_open(self.memory, get(self.registers, self.constants, to), open)? {
            return Ok(());
        }
        let size = self.known_size(size)?;
        self.fill(to, size)
    }

    #[inline(always)]
    pub(crate) fn offset(&mut self, to: Register, pointer: Operand, bytes: i64) -> Outcome<D, ()> {
        let value = self.domain.offset(get(self.registers, self.constants, pointer), bytes);
        self.set(to, value);
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn index(
        &mut self,
        to: Register,
        pointer: Operand,
        index: Operand,
        scalar: Scalar,
        element: u32,
    ) -> Outcome<D, ()> {
        let value = self.indexed(pointer, index, scalar, element)?;
        self.set(to, value);
        Ok(())
    }

    pub(crate) fn difference(
        &mut self,
        to: Register,
        left: Operand,
        right: Operand,
        element: u32,
        scalar: Scalar,
    ) -> Outcome<D, ()> {
        let (a, b) = (get(self.registers, self.constants, left), get(self.registers, self.constants, right));
        let value = self.domain.difference(a, b, u64::from(element), scalar)?;
        self.set(to, value);
        Ok(())
    }

    /// A local's object begins. Where control came back without leaving the block, it is the same object.
    pub(crate) fn enter(&mut self, local: u32) -> Outcome<D, ()> {
        let local = &self.code.memory_locals[local as usize];
        let register = local.register as usize;
        if !self.domain.is_unset(&self.registers[register]) {
            self.domain.make_undefined(self.memory, &self.registers[register], local.size);
            return Ok(());
        }
        let allocation = Allocation {
            alignment: local.alignment,
            kind: ObjectKind::Local,
            name: local.name,
            span: local.span,
            is_zeroed: false,
        };
        self.registers[register] = self.domain.allocate(self.memory, local.size, &allocation)?;
        Ok(())
    }

    pub(crate) fn leave(&mut self, local: u32, pc: u32) -> Outcome<D, ()> {
        let register = self.code.memory_locals[local as usize].register as usize;
        if !self.domain.is_unset(&self.registers[register]) {
            let span = self.code.span(pc);
            self.domain.release(self.memory, &self.registers[register], Ending::Left, span)?;
            self.registers[register] = D::Value::default();
        }
        Ok(())
    }

    pub(crate) fn undefine(&mut self, local: u32) -> Outcome<D, ()> {
        let local = &self.code.memory_locals[local as usize];
        let register = local.register as usize;
        if self.domain.is_unset(&self.registers[register]) {
            return Err(Fault::new(CheckKind::InvalidDeref, "a variable is used outside its block").into());
        }
        self.domain.make_undefined(self.memory, &self.registers[register], local.size);
        Ok(())
    }
}
