//! Reading and writing the cells of one object at known offsets: exact cells as they are, others byte by byte.

use super::memory::{Base, CellValue, Object};
use super::terms::SymbolicDomain;
use super::value::{Offset, Pointer, Target, Value};
use crate::domain::Truth;
use crate::fault::Fault;
use crate::scalar::{Cell, Scalar};
use quod_term::Term;
use quod_verdict::CheckKind;

impl SymbolicDomain {
    /// The value of `cell` at the offset; `Ok(Unset)` where all of its bytes are indeterminate.
    pub(super) fn read_cell(&mut self, object: &Object, offset: u64, cell: Cell) -> Result<Value, Fault> {
        if let Some(found) = object.cells.get(&offset)
            && found.size == cell.size
        {
            return self.reinterpret(found.value.clone(), found.scalar, cell);
        }
        let end = offset + u64::from(cell.size);
        if overlapping(object, offset, end).next().is_none() {
            match &object.base {
                Base::Undefined => return Ok(Value::Unset),
                Base::Zero => return Ok(self.zero(cell.scalar)),
                Base::Grid(grid) => {
                    if let Some(bits) = self.grid_field(grid, offset, cell.size) {
                        return self.value_of_bits(bits, cell.scalar);
                    }
                }
            }
        }
        let mut bytes = Vec::with_capacity(cell.size.into());
        let mut has_indeterminate = false;
        for at in offset..end {
            match self.read_byte(object, at)? {
                Some(byte) => bytes.push(byte),
                None => has_indeterminate = true,
            }
        }
        if has_indeterminate {
            return Ok(Value::Unset);
        }
        let bits = bytes.into_iter().rev().reduce(|high, low| self.pool.concat(high, low));
        let bits = bits.ok_or_else(|| Fault::unsupported("an access of no bytes"))?;
        self.value_of_bits(bits, cell.scalar)
    }

    /// One byte as a term; `None` where it is indeterminate.
    fn read_byte(&mut self, object: &Object, at: u64) -> Result<Option<Term>, Fault> {
        let Some((start, cell)) = overlapping(object, at, at + 1).next() else {
            return Ok(match &object.base {
                Base::Undefined => None,
                Base::Zero => Some(self.pool.bv(8, 0)),
                Base::Grid(grid) => self.grid_byte(grid, at),
            });
        };
        if cell.value == Value::Unset {
            return Ok(None);
        }
        let bits = self.bits_of(&cell.value, cell.scalar, cell.size)?;
        let low = (at - start) as u32 * 8;
        Ok(Some(self.pool.extract(low + 7, low, bits)))
    }

    /// Puts a value where `cell` is, and cuts what it covers.
    pub(super) fn write_cell(
        &mut self,
        object: &mut Object,
        offset: u64,
        cell: Cell,
        value: Value,
    ) -> Result<(), Fault> {
        self.clear(object, offset, offset + u64::from(cell.size))?;
        object.cells.insert(offset, CellValue { size: cell.size, scalar: cell.scalar, value });
        Ok(())
    }

    /// Removes the cells of a range; what sticks out on either side stays, as bytes.
    pub(super) fn clear(&mut self, object: &mut Object, start: u64, end: u64) -> Result<(), Fault> {
        let covered: Vec<(u64, CellValue)> =
            overlapping(object, start, end).map(|(at, cell)| (at, cell.clone())).collect();
        for (at, cell) in covered {
            let cell_end = at + u64::from(cell.size);
            let outside = (at..cell_end).filter(|byte| !(start..end).contains(byte));
            let mut rest = Vec::new();
            for byte in outside {
                // The bytes of ideal numbers have no values of their own: what is left of one is nothing.
                let left = match self.read_byte(object, byte) {
                    Err(_) if self.is_ideal => None,
                    other => other?,
                };
                rest.push((byte, left));
            }
            object.cells.remove(&at);
            for (byte, term) in rest {
                let value = term.map_or(Value::Unset, Value::Number);
                object.cells.insert(byte, CellValue { size: 1, scalar: Scalar::U8, value });
            }
        }
        Ok(())
    }

    /// Makes a range hold what an object with such a base holds from `from` on, whatever the object's own base is.
    pub(super) fn blank(
        &mut self,
        object: &mut Object,
        start: u64,
        end: u64,
        base: &Base,
        from: u64,
    ) -> Result<(), Fault> {
        // Arrays hold something else at each place; the other bases are the same everywhere.
        let is_moved = matches!(base, Base::Grid(_)) && from != start;
        if start == 0 && end >= object.size && object.length.is_none() && !is_moved {
            object.cells.clear();
            object.base = base.clone();
            return Ok(());
        }
        self.clear(object, start, end)?;
        if object.base != *base || is_moved {
            if end - start > 1 << 16 {
                return Err(Fault::unsupported("a block of more than 64 KiB inside an object"));
            }
            let value = match base {
                Base::Zero => Value::Number(self.pool.bv(8, 0)),
                Base::Undefined => Value::Unset,
                Base::Grid(_) => return Err(Fault::unsupported("a block of an array at an unknown index")),
            };
            for at in start..end {
                object.cells.insert(at, CellValue { size: 1, scalar: Scalar::U8, value: value.clone() });
            }
        }
        Ok(())
    }

    /// What the bytes of a range hold, as cells with offsets from its start. Gaps hold what the base says.
    pub(super) fn cut_out(&mut self, object: &Object, start: u64, end: u64) -> Result<Vec<(u64, CellValue)>, Fault> {
        let mut cells = Vec::new();
        let covered: Vec<(u64, CellValue)> =
            overlapping(object, start, end).map(|(at, cell)| (at, cell.clone())).collect();
        for (at, cell) in covered {
            if at >= start && at + u64::from(cell.size) <= end {
                cells.push((at - start, cell));
                continue;
            }
            for byte in at.max(start)..(at + u64::from(cell.size)).min(end) {
                let value = self.read_byte(object, byte)?.map_or(Value::Unset, Value::Number);
                cells.push((byte - start, CellValue { size: 1, scalar: Scalar::U8, value }));
            }
        }
        Ok(cells)
    }

    /// All bytes of a range have been written.
    pub(super) fn is_defined(&self, object: &Object, start: u64, end: u64) -> bool {
        let mut at = start;
        let is_base_defined = match &object.base {
            Base::Zero => true,
            Base::Undefined => false,
            Base::Grid(grid) => grid.is_zero,
        };
        for (cell_start, cell) in overlapping(object, start, end) {
            if cell.value == Value::Unset || (cell_start > at && !is_base_defined) {
                return false;
            }
            at = cell_start + u64::from(cell.size);
        }
        at >= end || is_base_defined
    }

    /// The values of two ranges are equal, cell by cell as the left one is divided.
    pub(super) fn equal_cells(
        &mut self,
        a: &Object,
        a_start: u64,
        b: &Object,
        b_start: u64,
        size: u64,
    ) -> Result<Truth<Term>, Fault> {
        let never_set = || Fault::new(CheckKind::Uninitialised, "a value that was never set is compared");
        if !self.is_defined(a, a_start, a_start + size) || !self.is_defined(b, b_start, b_start + size) {
            return Err(never_set());
        }
        if matches!(a.base, Base::Grid(_)) || matches!(b.base, Base::Grid(_)) {
            return Err(Fault::unsupported("comparing arrays with unknown indices"));
        }
        // Shapes of either side: where one has no cell, its zeros are read as the other's kind.
        let mut shapes: Vec<(u64, Cell)> = Vec::new();
        for (object, start) in [(a, a_start), (b, b_start)] {
            for (at, cell) in overlapping(object, start, start + size) {
                let Some(offset) = at.checked_sub(start).filter(|offset| offset + u64::from(cell.size) <= size) else {
                    return Err(Fault::unsupported("comparing a part of a value"));
                };
                shapes.push((offset, Cell { scalar: cell.scalar, size: cell.size }));
            }
        }
        let mut conditions = Vec::new();
        for (offset, shape) in shapes {
            let left = self.read_cell(a, a_start + offset, shape)?;
            let right = self.read_cell(b, b_start + offset, shape)?;
            match (&left, &right) {
                // The same contents: a float that is no number is the same as itself.
                (Value::Number(x), Value::Number(y)) if self.is_same_polynomial(*x, *y) => {}
                (Value::Number(x), Value::Number(y)) => conditions.push(self.pool.eq(*x, *y)),
                (Value::Pointer(x), Value::Pointer(y)) => {
                    conditions.push(self.compare_pointers(quod_model::ir::BinaryOp::Equal, x, y));
                }
                _ => return Err(Fault::unsupported("comparing objects of different kinds")),
            }
        }
        let all = self.pool.and(&conditions);
        Ok(match self.settled(all) {
            Some(known) => Truth::Known(known),
            None => Truth::Unknown(all),
        })
    }

    /// The same bytes seen as another kind of the same size.
    fn reinterpret(&mut self, value: Value, from: Scalar, cell: Cell) -> Result<Value, Fault> {
        let is_same_sort = |a: Scalar, b: Scalar| self.sort(a) == self.sort(b);
        match &value {
            Value::Unset => Ok(value),
            Value::Pointer(_) if cell.scalar.float_format().is_none() => Ok(value),
            Value::Number(_) if from == cell.scalar => Ok(value),
            Value::Number(_) if !cell.scalar.is_pointer() && is_same_sort(from, cell.scalar) => Ok(value),
            _ => {
                let bits = self.bits_of(&value, from, cell.size)?;
                self.value_of_bits(bits, cell.scalar)
            }
        }
    }

    /// The bytes of a value as one bit-vector.
    pub(super) fn bits_of(&mut self, value: &Value, scalar: Scalar, size: u8) -> Result<Term, Fault> {
        match value {
            Value::Number(term) if scalar.int_format().is_some() => Ok(*term),
            Value::Number(term) if matches!(scalar, Scalar::F16 | Scalar::F32 | Scalar::F64 | Scalar::F128) => {
                Ok(self.pool.fp_to_bits(*term))
            }
            // The bytes of an ideal integer, where it is a constant that they can hold.
            Value::Number(term) if scalar == Scalar::Integer => {
                let width = u32::from(size) * 8;
                let known = self
                    .known(*term, scalar)
                    .filter(|value| width < 127 && (-(1i128 << (width - 1))..(1i128 << width)).contains(value));
                let known = known.ok_or_else(|| Fault::unsupported("looking into the bytes of an ideal number"))?;
                let bits = quod_term::BitVector::from_bigint(width, &num_bigint::BigInt::from(known));
                Ok(self.pool.bv_value(bits))
            }
            Value::Pointer(Pointer { target: Target::Null, offset: Offset::Known(address) }) => {
                Ok(self.integer_term(i128::from(*address), self.address_scalar()))
            }
            Value::Pointer(pointer) => self.address_of(pointer),
            _ => Err(Fault::unsupported("looking into the bytes of this kind of value")),
        }
    }

    pub(super) fn value_of_bits(&mut self, bits: Term, scalar: Scalar) -> Result<Value, Fault> {
        if scalar.is_pointer() {
            return match self.pool.bv_constant(bits).and_then(quod_term::BitVector::to_i64) {
                Some(address) => Ok(Value::Pointer(Pointer { target: Target::Null, offset: Offset::Known(address) })),
                None => match self.pointed_to(bits) {
                    Some(pointer) => Ok(Value::Pointer(pointer)),
                    None => Err(Fault::unsupported("a pointer made of computed bytes")),
                },
            };
        }
        match scalar {
            Scalar::F16 | Scalar::F32 | Scalar::F64 | Scalar::F128 => {
                let sort = self.sort(scalar);
                Ok(Value::Number(self.pool.fp_from_bits(sort, bits)))
            }
            _ if scalar.int_format().is_some() => Ok(Value::Number(bits)),
            // Signed and unsigned agree on these.
            Scalar::Integer => match self.pool.bv_constant(bits).map(|bits| bits.to_signed()) {
                Some(signed) if signed.sign() != num_bigint::Sign::Minus => {
                    use num_traits::ToPrimitive;
                    let value = signed.to_i128().ok_or_else(|| Fault::unsupported("a number of this size"))?;
                    Ok(Value::Number(self.integer_term(value, scalar)))
                }
                _ => Err(Fault::unsupported("an ideal number made of bytes")),
            },
            Scalar::Real if self.pool.bv_constant(bits).is_some_and(|bits| bits.to_biguint() == 0u32.into()) => {
                Ok(Value::Number(self.zero_term(scalar)))
            }
            _ => Err(Fault::unsupported("this kind of value made of bytes")),
        }
    }
}

/// The cells that share a byte with the range, in order.
pub(super) fn overlapping(object: &Object, start: u64, end: u64) -> impl Iterator<Item = (u64, &CellValue)> {
    // No cell is longer than 16 bytes.
    object
        .cells
        .range(start.saturating_sub(16)..end)
        .map(|(&at, cell)| (at, cell))
        .filter(move |(at, cell)| at + u64::from(cell.size) > start)
}
