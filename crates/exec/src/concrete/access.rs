//! Loads and stores of concrete memory.

use super::Concrete;
use super::arith::extend;
use super::memory::{Life, Memory};
use super::value::Value;
use crate::domain::{Ending, ObjectKind, Outcome};
use crate::fault::{Fault, Trouble};
use crate::scalar::{BitCell, Cell, Scalar};
use quod_model::ir::Access;
use quod_verdict::CheckKind;
use std::convert::Infallible;

impl Memory {
    /// The object and the offset of an access, where it may be made.
    #[inline(always)]
    pub(super) fn locate(
        &self,
        pointer: &Value,
        size: u64,
        access: Access,
    ) -> Result<(usize, usize), Trouble<Infallible>> {
        if let Some(index) = self.find(pointer)
            && let Some(object) = self.objects.get(index)
        {
            let offset = pointer.low.wrapping_sub(object.base);
            if object.is_live()
                && offset <= object.size
                && size <= object.size - offset
                && !(access == Access::Write && object.is_constant)
            {
                return Ok((index, offset as usize));
            }
        }
        Err(self.bad_access(pointer, size, access).into())
    }

    /// Why an access may not be made.
    #[cold]
    pub(super) fn bad_access(&self, pointer: &Value, size: u64, access: Access) -> Fault {
        let fault = Fault::new(CheckKind::InvalidDeref, "invalid pointer dereference");
        self.describe_access(pointer, size, access, fault)
    }

    pub(super) fn describe_access(&self, pointer: &Value, size: u64, access: Access, mut fault: Fault) -> Fault {
        let verb = match access {
            Access::Read => "read",
            Access::Write => "write",
        };
        if pointer.low == 0 {
            fault.message = "null pointer is dereferenced".into();
            return fault.label(format!("{verb} through a null pointer"));
        }
        let Some(object) = self.find(pointer).and_then(|index| self.objects.get(index)) else {
            if pointer.low < 0x1_0000 {
                fault.message = "invalid pointer is dereferenced".into();
                return fault.label(format!("{verb} at address {:#x}, where no object is", pointer.low));
            }
            fault.message = "pointer to nowhere is dereferenced".into();
            return fault.label(format!("{verb} at {:#x}: no object has this address", pointer.low));
        };
        let what = self.object_name(object);
        let offset = pointer.low.wrapping_sub(object.base) as i64;
        if object.function.is_some() {
            fault.message = "a function is accessed as if it were data".into();
            return fault.label(format!("{verb} of the function {what}"));
        }
        match object.life {
            Life::Ended(Ending::Freed) => {
                fault.message = "memory is used after it was freed".into();
                fault
                    .label(format!("{verb} of {size} bytes at offset {offset} of memory that is no longer there"))
                    .place(object.span, "allocated here")
                    .place(object.end_span, "freed here")
            }
            Life::Ended(Ending::Left) => {
                fault.message = "a local variable is used after its block was left".into();
                fault
                    .label(format!("{verb} through a pointer to {what}, which no longer exists"))
                    .place(object.span, "declared here")
                    .place(object.end_span, "its block is left here")
            }
            Life::Live if access == Access::Write && object.is_constant => {
                fault.kind = CheckKind::ConstWrite;
                fault.message = "write to a constant".into();
                let label =
                    if object.kind == ObjectKind::String { "a string literal" } else { "declared `const` here" };
                fault.label(format!("this writes to {what}")).place(object.span, label)
            }
            Life::Live => {
                let end = offset.wrapping_add(size as i64);
                let place = match object.kind {
                    ObjectKind::Heap => format!("allocated here, {} bytes", object.size),
                    _ => format!("declared here, {} bytes", object.size),
                };
                fault.message = format!("{verb} outside an object");
                fault
                    .label(format!("{verb} of bytes {offset} to {} of {what}, which has {}", end - 1, object.size))
                    .place(object.span, place)
            }
        }
    }

    pub(super) fn object_name(&self, object: &super::memory::Object) -> String {
        match (object.kind, object.name) {
            (_, Some(name)) => format!("`{name}`"),
            (ObjectKind::Heap, None) => "allocated memory".into(),
            (ObjectKind::String, None) => "a string literal".into(),
            (ObjectKind::Arguments, None) => "the variable arguments".into(),
            (ObjectKind::Stack, None) => "memory from `alloca`".into(),
            _ => "a temporary object".into(),
        }
    }
}

/// Reads up to 16 little-endian bytes.
fn read_wide(bytes: &[u8]) -> u128 {
    let mut buffer = [0u8; 16];
    let count = bytes.len().min(16);
    buffer[..count].copy_from_slice(&bytes[..count]);
    u128::from_le_bytes(buffer)
}

impl Concrete {
    #[inline(always)]
    pub(super) fn load_value(&mut self, memory: &Memory, pointer: &Value, cell: Cell) -> Outcome<Self> {
        let (index, offset) = memory.locate(pointer, u64::from(cell.size), Access::Read)?;
        let object = &memory.objects[index];
        let bytes = &object.bytes[offset..offset + usize::from(cell.size)];
        Ok(match cell.scalar {
            Scalar::I32 => Value::small(i32::from_le_bytes(bytes.try_into().unwrap_or([0; 4])) as i64 as u64),
            Scalar::U32 | Scalar::F32 | Scalar::Pointer32 => {
                Value::small(u32::from_le_bytes(bytes.try_into().unwrap_or([0; 4])).into())
            }
            Scalar::I64 | Scalar::U64 | Scalar::F64 | Scalar::Pointer64 => {
                Value::small(u64::from_le_bytes(bytes.try_into().unwrap_or([0; 8])))
            }
            Scalar::I8 => Value::small(bytes[0] as i8 as i64 as u64),
            Scalar::U8 | Scalar::Bool => Value::small(bytes[0].into()),
            Scalar::I16 => Value::small(i16::from_le_bytes(bytes.try_into().unwrap_or([0; 2])) as i64 as u64),
            Scalar::U16 | Scalar::F16 => Value::small(u16::from_le_bytes(bytes.try_into().unwrap_or([0; 2])).into()),
            Scalar::I128 | Scalar::U128 | Scalar::F128 => Value::wide(read_wide(bytes)),
            Scalar::F80 => Value::wide(read_wide(&bytes[..10])),
            Scalar::Integer | Scalar::Real | Scalar::Handle => {
                if let Some(cells) = &object.cells
                    && let Some((value, kept)) = cells.get(&(offset as u64))
                {
                    return self.recast(*value, kept.scalar, cell.scalar);
                }
                let unused = 128 - 8 * u32::from(cell.size).min(16);
                let integer = ((read_wide(bytes) << unused) as i128) >> unused;
                match cell.scalar {
                    Scalar::Real if integer == 0 => self.integer_real(0),
                    // Bytes of a float that something else wrote.
                    Scalar::Real if cell.size == 8 => {
                        let real = Self::real_of_f64(f64::from_bits(integer as u64));
                        self.real_value(real)
                    }
                    Scalar::Real => {
                        let real = Self::real_of_f64(f64::from(f32::from_bits(integer as u32)));
                        self.real_value(real)
                    }
                    scalar => Value::of_int(integer, scalar),
                }
            }
        })
    }

    fn recast(&mut self, value: Value, from: Scalar, to: Scalar) -> Outcome<Self> {
        if from == to { Ok(value) } else { self.convert_value(from, to, &value) }
    }

    #[inline(always)]
    pub(super) fn store_value(
        &mut self,
        memory: &mut Memory,
        pointer: &Value,
        cell: Cell,
        value: &Value,
    ) -> Outcome<Self, ()> {
        let size = usize::from(cell.size);
        let (index, offset) = memory.locate(pointer, u64::from(cell.size), Access::Write)?;
        let object = &mut memory.objects[index];
        object.mark_written(offset, size);
        object.clear_cells(offset as u64, size as u64);
        let bytes = &mut object.bytes[offset..offset + size];
        match size {
            4 if bytes.len() == 4 => bytes.copy_from_slice(&(value.low as u32).to_le_bytes()),
            8 => bytes.copy_from_slice(&value.low.to_le_bytes()),
            1 => bytes[0] = value.low as u8,
            2 => bytes.copy_from_slice(&(value.low as u16).to_le_bytes()),
            _ => {
                let all = value.bits().to_le_bytes();
                let used = if cell.scalar == Scalar::F80 { 10 } else { size.min(16) };
                bytes[..used].copy_from_slice(&all[..used]);
            }
        }
        match cell.scalar {
            Scalar::Integer => {
                let unused = 128 - 8 * u32::from(cell.size).min(16);
                let integer = value.bits() as i128;
                if (integer << unused) >> unused != integer {
                    object.cells.get_or_insert_default().insert(offset as u64, (*value, cell));
                }
            }
            Scalar::Real => {
                let float = self.real_to_f64(value);
                let object = &mut memory.objects[index];
                let bytes = &mut object.bytes[offset..offset + size];
                match size {
                    4 => bytes.copy_from_slice(&(float as f32).to_le_bytes()),
                    8 => bytes.copy_from_slice(&float.to_le_bytes()),
                    _ => {}
                }
                object.cells.get_or_insert_default().insert(offset as u64, (*value, cell));
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn load_bit_field(&mut self, memory: &Memory, pointer: &Value, cell: BitCell) -> Outcome<Self> {
        let size = cell.bytes();
        let (index, offset) = memory.locate(pointer, size, Access::Read)?;
        let object = &memory.objects[index];
        let raw = read_bits(&object.bytes[offset..offset + size as usize], cell);
        let is_signed = cell.scalar.is_signed() && cell.scalar != Scalar::Bool;
        let unused = 128 - u32::from(cell.width.max(1));
        let value = if is_signed { ((raw << unused) as i128) >> unused } else { raw as i128 };
        Ok(Value::of_int(value, cell.scalar))
    }

    pub(super) fn store_bit_field(
        &mut self,
        memory: &mut Memory,
        pointer: &Value,
        cell: BitCell,
        value: &Value,
    ) -> Outcome<Self, ()> {
        let size = cell.bytes() as usize;
        let (index, offset) = memory.locate(pointer, size as u64, Access::Write)?;
        let object = &mut memory.objects[index];
        object.mark_written(offset, size);
        let value = value.int(cell.scalar) as u128;
        for bit in 0..u32::from(cell.width) {
            let position = u32::from(cell.shift) + bit;
            let byte = &mut object.bytes[offset + position as usize / 8];
            let mask = 1u8 << (position % 8);
            if value >> bit & 1 == 1 { *byte |= mask } else { *byte &= !mask }
        }
        Ok(())
    }

    pub(super) fn copy_bytes(&mut self, memory: &mut Memory, to: &Value, from: &Value, size: u64) -> Outcome<Self, ()> {
        if size == 0 {
            return Ok(());
        }
        let (source, from_offset) = memory.locate(from, size, Access::Read)?;
        let (target, to_offset) = memory.locate(to, size, Access::Write)?;
        let length = size as usize;
        if source == target {
            let object = &mut memory.objects[source];
            object.bytes.copy_within(from_offset..from_offset + length, to_offset);
            if !object.written.is_empty() {
                let flags: Vec<bool> = (0..length).map(|i| object.is_written(from_offset + i, 1)).collect();
                set_written(object, to_offset, &flags);
            }
            if let Some(cells) = &object.cells {
                let moved: Vec<_> = cells_between(cells, from_offset as u64, size);
                object.clear_cells(to_offset as u64, size);
                place_cells(object, moved, to_offset as u64);
            }
            return Ok(());
        }
        let (first, second) = if source < target {
            let (left, right) = memory.objects.split_at_mut(target);
            (&left[source], &mut right[0])
        } else {
            let (left, right) = memory.objects.split_at_mut(source);
            (&right[0], &mut left[target])
        };
        second.bytes[to_offset..to_offset + length].copy_from_slice(&first.bytes[from_offset..from_offset + length]);
        if first.written.is_empty() {
            mark_range(second, to_offset, length);
        } else {
            let flags: Vec<bool> = (0..length).map(|i| first.is_written(from_offset + i, 1)).collect();
            if second.written.is_empty() && flags.contains(&false) {
                second.written = vec![u64::MAX; second.bytes.len().div_ceil(64)];
            }
            if !second.written.is_empty() {
                set_written(second, to_offset, &flags);
            }
        }
        second.clear_cells(to_offset as u64, size);
        if let Some(cells) = &first.cells {
            let moved = cells_between(cells, from_offset as u64, size);
            place_cells(second, moved, to_offset as u64);
        }
        Ok(())
    }

    pub(super) fn fill_bytes(&mut self, memory: &mut Memory, to: &Value, byte: u8, size: u64) -> Outcome<Self, ()> {
        if size == 0 {
            return Ok(());
        }
        let (index, offset) = memory.locate(to, size, Access::Write)?;
        let object = &mut memory.objects[index];
        object.bytes[offset..offset + size as usize].fill(byte);
        mark_range(object, offset, size as usize);
        object.clear_cells(offset as u64, size);
        Ok(())
    }
}

pub(super) fn mark_range(object: &mut super::memory::Object, offset: usize, length: usize) {
    if object.written.is_empty() {
        return;
    }
    let mut start = offset;
    let end = offset + length;
    while start < end {
        let step = (64 - start % 64).min(end - start);
        object.mark_written(start, step);
        start += step;
    }
}

fn set_written(object: &mut super::memory::Object, offset: usize, flags: &[bool]) {
    for (index, &flag) in flags.iter().enumerate() {
        let byte = offset + index;
        if flag {
            object.written[byte / 64] |= 1 << (byte % 64);
        } else {
            object.written[byte / 64] &= !(1 << (byte % 64));
        }
    }
}

type Cells = rustc_hash::FxHashMap<u64, (Value, Cell)>;

fn cells_between(cells: &Cells, offset: u64, size: u64) -> Vec<(u64, (Value, Cell))> {
    let mut found: Vec<_> = cells
        .iter()
        .filter(|(start, _)| (offset..offset + size).contains(start))
        .map(|(start, cell)| (start - offset, *cell))
        .collect();
    found.sort_by_key(|(start, _)| *start);
    found
}

fn place_cells(object: &mut super::memory::Object, cells: Vec<(u64, (Value, Cell))>, offset: u64) {
    if !cells.is_empty() {
        object.cells.get_or_insert_default().extend(cells.into_iter().map(|(start, cell)| (start + offset, cell)));
    }
}

fn read_bits(bytes: &[u8], cell: BitCell) -> u128 {
    let mut result = 0u128;
    for bit in 0..u32::from(cell.width) {
        let position = u32::from(cell.shift) + bit;
        let set = bytes[position as usize / 8] >> (position % 8) & 1;
        result |= u128::from(set) << bit;
    }
    result
}

/// An integer of the kind from its low bits.
pub(super) fn canonical(value: i128, scalar: Scalar) -> Value {
    match scalar.int_format() {
        Some(format) if format.bits <= 64 => Value::small(extend(value as u64, format)),
        _ => Value::of_int(value, scalar),
    }
}
