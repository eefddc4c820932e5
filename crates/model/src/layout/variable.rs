//! Records of GNU C with members of variable length: where the members are, as sums that only an execution can compute.
//!
//! Each member of variable size starts a new *anchor*. Everything up to the next one lies at a constant distance from it.

use super::{BYTE, TypeAlignment};
use crate::ir::{ArrayLength, Field, RecordId, RecordKind, Type, TypeId, TypeTable};

/// The layout of a record whose size is known only when the program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableLayout {
    /// In bytes.
    pub alignment: u64,
    /// Anchor 0 is the record's start; `anchors[i]` describes anchor `i + 1`.
    pub anchors: Vec<Anchor>,
    /// Each member's anchor and its distance from it in bits.
    pub offsets: Vec<(usize, u64)>,
    /// The end of the last member, as an anchor and bytes; the size is this, rounded up to the alignment.
    pub end: (usize, u64),
}

/// A position behind something of variable size: `round_up(previous anchor + bytes + sizeof(ty), alignment)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    pub bytes: u64,
    pub ty: Option<TypeId>,
    pub alignment: u64,
}

impl TypeTable {
    /// The layout of a struct with members of variable size; nothing for other records, and for the rare layouts that
    /// depend on more than alignments: unions, and bit-fields behind an array of smaller elements.
    pub fn variable_layout(&self, id: RecordId) -> Option<VariableLayout> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.compute_variable(id))
    }

    fn compute_variable(&self, id: RecordId) -> Option<VariableLayout> {
        let record = &self.records[id];
        let fields = record.fields.as_ref()?;
        if record.kind == RecordKind::Union || !fields.iter().any(|field| self.is_variable(field.ty.ty)) {
            return None;
        }
        let mut placing = Placing {
            anchors: Vec::new(),
            known: u64::MAX / BYTE,
            position: 0,
            alignment: 1,
            offsets: Vec::with_capacity(fields.len()),
        };
        for field in fields {
            let is_packed = record.is_packed || field.is_packed;
            placing.place(self, field, is_packed, record.pack)?;
        }
        Some(VariableLayout {
            alignment: placing.alignment.max(record.alignment.unwrap_or(1)),
            end: (placing.anchors.len(), placing.position.div_ceil(BYTE)),
            anchors: placing.anchors,
            offsets: placing.offsets,
        })
    }

    /// An object of the type has a size that depends on the execution.
    pub fn is_variable(&self, ty: TypeId) -> bool {
        match *self.get(ty) {
            Type::Array { length: ArrayLength::Variable(_), .. } => true,
            Type::Array { element, length: ArrayLength::Fixed(_) } => self.is_variable(element.ty),
            Type::Record(id) => self.size_of(ty).is_none() && self.variable_layout(id).is_some(),
            _ => false,
        }
    }

    /// The alignment of a type that may have a variable size, in bytes.
    fn variable_alignment(&self, ty: TypeId) -> Option<u64> {
        match *self.get(ty) {
            Type::Array { element, .. } => self.variable_alignment(element.ty),
            Type::Record(id) if self.size_of(ty).is_none() => Some(self.variable_layout(id)?.alignment),
            _ => self.alignment_of(ty),
        }
    }
}

struct Placing {
    anchors: Vec<Anchor>,
    /// What the last anchor's position is a multiple of, in bytes.
    known: u64,
    /// Bits behind the last anchor.
    position: u64,
    alignment: u64,
    offsets: Vec<(usize, u64)>,
}

impl Placing {
    fn place(&mut self, types: &TypeTable, field: &Field, is_packed: bool, pack: Option<u64>) -> Option<()> {
        if let Some(bits) = field.bits {
            return self.place_bits(types, field, bits, is_packed || pack.is_some());
        }
        let natural = types.variable_alignment(field.ty.ty)?;
        let mut wanted = if is_packed { 1 } else { field.typedef_alignment.unwrap_or(natural) };
        wanted = wanted.max(field.alignment.unwrap_or(1)).min(pack.unwrap_or(u64::MAX));
        self.align(wanted)?;
        self.alignment = self.alignment.max(wanted);
        self.offsets.push((self.anchors.len(), self.position));
        match types.size_of(field.ty.ty) {
            Some(size) => self.position = self.position.checked_add(size.checked_mul(BYTE)?)?,
            None if types.is_variable(field.ty.ty) => {
                let bytes = self.position / BYTE;
                let start = if bytes == 0 { self.known } else { self.known.min(1 << bytes.trailing_zeros()) };
                self.anchors.push(Anchor { bytes, ty: Some(field.ty.ty), alignment: 1 });
                (self.known, self.position) = (start.min(natural), 0);
            }
            // A flexible array member.
            None if matches!(types.get(field.ty.ty), Type::Array { length: ArrayLength::Incomplete, .. }) => {}
            None => return None,
        }
        Some(())
    }

    fn place_bits(&mut self, types: &TypeTable, field: &Field, bits: u32, is_packed: bool) -> Option<()> {
        let unit = TypeAlignment::of(types, field)?.as_member;
        if bits == 0 {
            self.align(unit / BYTE)?;
        } else if !is_packed {
            if self.known.checked_mul(BYTE)? < unit {
                return None;
            }
            if self.position % unit + u64::from(bits) > unit {
                self.position = self.position.checked_next_multiple_of(unit)?;
            }
            self.alignment = self.alignment.max(unit / BYTE);
        }
        self.offsets.push((self.anchors.len(), self.position));
        self.position = self.position.checked_add(u64::from(bits))?;
        Some(())
    }

    /// Moves on to a multiple of so many bytes.
    fn align(&mut self, alignment: u64) -> Option<()> {
        if alignment <= self.known {
            self.position = self.position.checked_next_multiple_of(alignment.checked_mul(BYTE)?)?;
        } else {
            self.anchors.push(Anchor { bytes: self.position.div_ceil(BYTE), ty: None, alignment });
            (self.known, self.position) = (alignment, 0);
        }
        Some(())
    }
}
