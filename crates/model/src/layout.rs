//! Sizes, alignments and member offsets, exactly as gcc lays them out on x86 GNU/Linux for ILP32 and LP64.
//!
//! The rules are those of gcc's `place_field` and `update_alignment_for_field` with `PCC_BITFIELD_TYPE_MATTERS` and, for
//! ILP32, the i386 rule that members of 8-byte scalar types are aligned to 4. Positions are counted in bits.

mod variable;

pub use variable::{Anchor, VariableLayout};

use crate::ir::{
    ArrayLength, DataModel, Field, FloatKind, IntKind, Record, RecordId, RecordKind, Type, TypeId, TypeTable,
};

const BYTE: u64 = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordLayout {
    /// In bytes.
    pub size: u64,
    /// In bytes.
    pub alignment: u64,
    /// Position of each member in bits from the start.
    pub offsets: Vec<u64>,
    /// An `aligned` attribute took part: the i386 rule does not lower this record's alignment.
    is_user_aligned: bool,
}

impl RecordLayout {
    /// Position of a member in bytes (of the byte that holds its first bit, for a bit-field).
    pub fn byte_offset(&self, field: u32) -> u64 {
        self.offsets[field as usize] / BYTE
    }
}

impl IntKind {
    pub fn is_signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }
    pub fn bits(self, model: DataModel) -> u32 {
        use IntKind::*;
        match self {
            Char | SChar | UChar => 8,
            Short | UShort => 16,
            Int | UInt => 32,
            Long | ULong => match model {
                DataModel::Ilp32 => 32,
                DataModel::Lp64 => 64,
            },
            LongLong | ULongLong => 64,
            Int128 | UInt128 => 128,
        }
    }
    pub fn to_unsigned(self) -> IntKind {
        use IntKind::*;
        match self {
            Char | SChar => UChar,
            Short => UShort,
            Int => UInt,
            Long => ULong,
            LongLong => ULongLong,
            Int128 => UInt128,
            unsigned => unsigned,
        }
    }
}

impl FloatKind {
    /// Bytes in memory, with padding.
    pub fn size(self, model: DataModel) -> u64 {
        match (self, model) {
            (FloatKind::Half, _) => 2,
            (FloatKind::Float, _) => 4,
            (FloatKind::Double, _) => 8,
            (FloatKind::LongDouble, DataModel::Ilp32) => 12,
            (FloatKind::LongDouble, DataModel::Lp64) | (FloatKind::Quad, _) => 16,
        }
    }
    fn alignment(self, model: DataModel) -> u64 {
        match (self, model) {
            (FloatKind::LongDouble, DataModel::Ilp32) => 4,
            _ => self.size(model),
        }
    }
}

impl DataModel {
    pub fn pointer_size(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }
    pub fn pointer_bits(self) -> u32 {
        self.pointer_size() as u32 * 8
    }
    /// `size_t`
    pub fn size_kind(self) -> IntKind {
        match self {
            DataModel::Ilp32 => IntKind::UInt,
            DataModel::Lp64 => IntKind::ULong,
        }
    }
    /// `ptrdiff_t`
    pub fn difference_kind(self) -> IntKind {
        match self {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        }
    }
    /// `wchar_t`: `long` in ILP32, `int` in LP64, both 32 bits.
    pub fn wide_char_kind(self) -> IntKind {
        match self {
            DataModel::Ilp32 => IntKind::Long,
            DataModel::Lp64 => IntKind::Int,
        }
    }
}

impl TypeTable {
    /// `sizeof(T)` in bytes; `None` for incomplete and variably modified types and for sizes over 2^63. As GNU C has it,
    /// `void` and function types have size 1.
    pub fn size_of(&self, ty: TypeId) -> Option<u64> {
        let model = self.data_model;
        Some(match *self.get(ty) {
            Type::Void | Type::Bool | Type::Function(_) => 1,
            Type::Int(kind) => u64::from(kind.bits(model)) / BYTE,
            Type::Enum(id) => {
                let definition = &self.enums[id];
                if !definition.is_complete {
                    return None;
                }
                u64::from(definition.underlying.bits(model)) / BYTE
            }
            Type::Float(kind) => kind.size(model),
            Type::Complex(kind) => 2 * kind.size(model),
            Type::ComplexInt(kind) => u64::from(kind.bits(model)) / BYTE * 2,
            Type::Pointer(_) => model.pointer_size(),
            Type::Array { element, length: ArrayLength::Fixed(n) } => {
                self.size_of(element.ty)?.checked_mul(n).filter(|&size| size < 1 << 63)?
            }
            Type::Array { .. } => return None,
            Type::Record(id) => self.record_layout(id)?.size,
            Type::Vector { element, lanes } => self.size_of(element)?.checked_mul(lanes)?,
            Type::VaList => match model {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 24,
            },
            // Values that only CIVL-C has: one cell each, as large as a pointer where someone asks.
            Type::Real
            | Type::Process
            | Type::Scope
            | Type::Range
            | Type::Domain(_)
            | Type::Memory
            | Type::Opaque(_) => 8,
            Type::Error => return None,
        })
    }

    /// The alignment of a variable of the type, in bytes (`__alignof__`).
    pub fn preferred_alignment(&self, ty: TypeId) -> Option<u64> {
        let model = self.data_model;
        Some(match *self.get(ty) {
            Type::Float(kind) | Type::Complex(kind) => kind.alignment(model),
            Type::ComplexInt(kind) => u64::from(kind.bits(model)) / BYTE,
            Type::Array { element, .. } => self.preferred_alignment(element.ty)?,
            Type::Record(id) => self.record_layout(id)?.alignment,
            Type::VaList => model.pointer_size(),
            _ => self.size_of(ty)?.max(1),
        })
    }

    /// `_Alignof(T)`: the alignment that the type has as a member, in bytes.
    pub fn alignment_of(&self, ty: TypeId) -> Option<u64> {
        let preferred = self.preferred_alignment(ty)?;
        Some(if self.is_user_aligned(ty) { preferred } else { self.member_alignment(ty, preferred) })
    }

    /// The layout of a record, `None` while it or a member is incomplete.
    pub fn record_layout(&self, id: RecordId) -> Option<&RecordLayout> {
        let record = &self.records[id];
        if let Some(layout) = record.layout.get() {
            return Some(layout);
        }
        let layout = stacker::maybe_grow(64 << 10, 1 << 20, || self.compute(record))?;
        Some(record.layout.get_or_init(|| layout))
    }

    /// The i386 rule: as members, 8-byte integers, `double` and complex values of them are aligned to 4.
    fn member_alignment(&self, ty: TypeId, alignment: u64) -> u64 {
        if self.data_model == DataModel::Lp64 {
            return alignment;
        }
        match *self.get(ty) {
            Type::Array { element, .. } if !element.qualifiers.is_atomic => {
                self.member_alignment(element.ty, alignment)
            }
            Type::Int(_) | Type::Enum(_) | Type::ComplexInt(_) => alignment.min(4),
            Type::Float(FloatKind::Double) | Type::Complex(FloatKind::Double) => alignment.min(4),
            _ => alignment,
        }
    }

    fn is_user_aligned(&self, ty: TypeId) -> bool {
        match *self.get(ty) {
            Type::Array { element, .. } => self.is_user_aligned(element.ty),
            Type::Record(id) => self.record_layout(id).is_some_and(|layout| layout.is_user_aligned),
            _ => false,
        }
    }

    fn compute(&self, record: &Record) -> Option<RecordLayout> {
        let fields = record.fields.as_ref()?;
        let mut placing = Placing {
            types: self,
            record,
            position: 0,
            alignment: BYTE,
            is_user_aligned: record.alignment.is_some(),
            offsets: Vec::with_capacity(fields.len()),
        };
        for (index, field) in fields.iter().enumerate() {
            placing.place(field, index + 1 == fields.len())?;
        }
        let alignment = placing.alignment.max(record.alignment.unwrap_or(1).checked_mul(BYTE)?);
        let size = round_up(placing.position, alignment)?;
        Some(RecordLayout {
            size: size / BYTE,
            alignment: alignment / BYTE,
            offsets: placing.offsets,
            is_user_aligned: placing.is_user_aligned,
        })
    }
}

fn round_up(position: u64, alignment: u64) -> Option<u64> {
    position.checked_next_multiple_of(alignment.max(1))
}

/// What is known while members are placed one after the other; all in bits.
struct Placing<'t> {
    types: &'t TypeTable,
    record: &'t Record,
    /// End of the members so far (struct) or of the largest member (union).
    position: u64,
    alignment: u64,
    is_user_aligned: bool,
    offsets: Vec<u64>,
}

impl Placing<'_> {
    fn place(&mut self, field: &Field, is_last: bool) -> Option<()> {
        let is_union = self.record.kind == RecordKind::Union;
        let start = if is_union { 0 } else { self.position };
        let size = match field.bits {
            Some(bits) => u64::from(bits),
            None => self.member_size(field, is_last || is_union)?.checked_mul(BYTE)?,
        };
        let ty = TypeAlignment::of(self.types, field)?;
        let is_packed = field.is_packed || self.record.is_packed;
        let (wanted, is_user) = self.wanted_alignment(field, &ty, is_packed, start);

        match field.bits {
            // Only a named bit-field lends its type's alignment to the record.
            Some(bits) if field.name.is_some() => {
                let limit = match self.record.pack {
                    _ if bits == 0 => ty.as_member,
                    Some(pack) => ty.as_member.min(pack * BYTE),
                    None if is_packed => ty.as_member.min(BYTE),
                    None => ty.as_member,
                };
                self.alignment = self.alignment.max(wanted).max(limit);
                self.is_user_aligned |= is_user || ty.is_user;
            }
            Some(_) => self.is_user_aligned |= is_user,
            None => {
                self.alignment = self.alignment.max(wanted);
                self.is_user_aligned |= is_user;
            }
        }

        let mut offset = round_up(start, wanted)?;
        if let Some(bits) = field.bits
            && bits > 0
            && !is_packed
            && self.record.pack.is_none()
            && !is_union
        {
            // A bit-field may not span more units of its type's alignment than the type itself does.
            let unit = ty.as_member;
            if (offset % unit + size).div_ceil(unit) > ty.size / unit {
                offset = round_up(offset, unit)?;
            }
        }
        self.offsets.push(offset);
        let end = offset.checked_add(if is_union { round_up(size, BYTE)? } else { size })?;
        self.position = self.position.max(end);
        Some(())
    }

    /// The last member of a struct may be a flexible array, of size 0; GNU C allows one in a union, too.
    fn member_size(&self, field: &Field, may_be_flexible: bool) -> Option<u64> {
        match *self.types.get(field.ty.ty) {
            Type::Array { element, length: ArrayLength::Incomplete } if may_be_flexible => {
                self.types.size_of(element.ty).map(|_| 0)
            }
            _ => self.types.size_of(field.ty.ty),
        }
    }

    /// The alignment that the member itself asks for, and whether a user asked.
    fn wanted_alignment(&self, field: &Field, ty: &TypeAlignment, is_packed: bool, start: u64) -> (u64, bool) {
        let own = field.alignment.map(|bytes| bytes * BYTE);
        let mut wanted = own.unwrap_or(1);
        let mut is_user = own.is_some();
        let is_zero_width = field.bits == Some(0);
        let is_packed = is_packed && !is_zero_width;
        let mut raise_to_type = || {
            if ty.preferred > wanted {
                (wanted, is_user) = (ty.preferred, ty.is_user);
            }
        };
        match field.bits {
            Some(0) => raise_to_type(),
            // A width that is a whole machine integer on a suitable place becomes an ordinary member.
            Some(bits) => {
                let natural = u64::from(bits);
                let known = if start == 0 { u64::MAX } else { 1 << start.trailing_zeros() };
                let is_whole = matches!(bits, 8 | 16 | 32 | 64) && ty.is_integer_mode;
                if is_whole && known >= natural && (!is_packed || natural <= BYTE) {
                    wanted = wanted.max(natural);
                    // The i386 rule, unless the user has asked for an alignment, however small.
                    if self.types.data_model == DataModel::Ilp32 && !is_packed && !is_user {
                        wanted = wanted.min(32);
                    }
                }
            }
            None if is_packed && own.is_some() => {}
            None => raise_to_type(),
        }
        if is_packed && own.is_none() {
            // Bit-fields of packed records follow each other without a gap, across bytes as well.
            wanted = if field.bits.is_some() { 1 } else { BYTE };
        }
        if field.bits.is_none_or(|bits| bits == 0) && !is_packed && !is_user {
            wanted = wanted.min(ty.as_member);
        }
        if let Some(pack) = self.record.pack
            && !is_zero_width
        {
            wanted = wanted.min(pack * BYTE);
        }
        (wanted, is_user)
    }
}

/// Alignment of a member's type, in bits.
struct TypeAlignment {
    preferred: u64,
    /// After the i386 rule.
    as_member: u64,
    is_user: bool,
    is_integer_mode: bool,
    size: u64,
}

impl TypeAlignment {
    fn of(types: &TypeTable, field: &Field) -> Option<Self> {
        let ty = field.ty.ty;
        let own = types.preferred_alignment(ty)?;
        let preferred = field.typedef_alignment.unwrap_or(own) * BYTE;
        let is_user = field.typedef_alignment.is_some() || types.is_user_aligned(ty);
        let as_member = if is_user || field.ty.qualifiers.is_atomic {
            preferred
        } else {
            types.member_alignment(ty, preferred / BYTE) * BYTE
        };
        let is_integer_mode = matches!(types.get(ty), Type::Int(_) | Type::Enum(_) | Type::Bool);
        let size = types.size_of(ty).unwrap_or(0) * BYTE;
        Some(Self { preferred, as_member, is_user, is_integer_mode, size })
    }
}
