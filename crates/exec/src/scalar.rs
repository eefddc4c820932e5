//! The kinds of values that fit one register: what a typed operation is typed by, once types, data model and arithmetic
//! are known. Records, arrays, complex numbers and vectors are no scalars: they live in memory or as several scalars.

use quod_base::float::FloatFormat;
use quod_base::int::IntFormat;
use quod_model::ir::{Arithmetic, DataModel, FloatKind, IntKind, Type, TypeId, TypeTable};

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Scalar {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    I128,
    U128,
    F16,
    F32,
    F64,
    F80,
    F128,
    /// An address of 32 bits.
    Pointer32,
    /// An address of 64 bits.
    Pointer64,
    /// A mathematical integer (`--arith ideal`).
    Integer,
    /// A real number (`--arith ideal`, `$real`).
    Real,
    /// `$proc`, `$scope` and the library's own values: a number that names something.
    Handle,
}

impl Scalar {
    pub fn of(types: &TypeTable, arithmetic: Arithmetic, ty: TypeId) -> Option<Scalar> {
        let ideal = arithmetic == Arithmetic::Ideal;
        Some(match *types.get(ty) {
            Type::Bool => Scalar::Bool,
            Type::Int(kind) => Scalar::of_int(types.data_model, arithmetic, kind),
            Type::Enum(id) => Scalar::of_int(types.data_model, arithmetic, types.enums[id].underlying),
            Type::Float(_) if ideal => Scalar::Real,
            Type::Float(kind) => Scalar::of_float(kind),
            Type::Pointer(_) => Scalar::pointer(types.data_model),
            // A function or array where a value stands is the address that it decays to.
            Type::Function(_) => Scalar::pointer(types.data_model),
            Type::Real => Scalar::Real,
            Type::Process | Type::Scope | Type::Range | Type::Domain(_) | Type::Memory | Type::Opaque(_) => {
                Scalar::Handle
            }
            Type::Void
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Array { .. }
            | Type::Record(_)
            | Type::Vector { .. }
            | Type::VaList
            | Type::Error => return None,
        })
    }

    pub fn of_int(model: DataModel, arithmetic: Arithmetic, kind: IntKind) -> Scalar {
        if arithmetic == Arithmetic::Ideal {
            return Scalar::Integer;
        }
        Scalar::machine_int(kind.bits(model), kind.is_signed())
    }

    pub fn machine_int(bits: u32, is_signed: bool) -> Scalar {
        match (bits, is_signed) {
            (8, true) => Scalar::I8,
            (8, false) => Scalar::U8,
            (16, true) => Scalar::I16,
            (16, false) => Scalar::U16,
            (32, true) => Scalar::I32,
            (32, false) => Scalar::U32,
            (64, true) => Scalar::I64,
            (64, false) => Scalar::U64,
            (_, true) => Scalar::I128,
            (_, false) => Scalar::U128,
        }
    }

    pub fn of_float(kind: FloatKind) -> Scalar {
        match kind {
            FloatKind::Half => Scalar::F16,
            FloatKind::Float => Scalar::F32,
            FloatKind::Double => Scalar::F64,
            FloatKind::LongDouble => Scalar::F80,
            FloatKind::Quad => Scalar::F128,
        }
    }

    pub fn pointer(model: DataModel) -> Scalar {
        match model {
            DataModel::Ilp32 => Scalar::Pointer32,
            DataModel::Lp64 => Scalar::Pointer64,
        }
    }

    #[inline]
    pub fn is_pointer(self) -> bool {
        matches!(self, Scalar::Pointer32 | Scalar::Pointer64)
    }

    /// Width and signedness of a machine integer; pointers count as unsigned integers.
    #[inline]
    pub fn int_format(self) -> Option<IntFormat> {
        Some(match self {
            Scalar::Bool | Scalar::U8 => IntFormat::unsigned(8),
            Scalar::I8 => IntFormat::signed(8),
            Scalar::I16 => IntFormat::signed(16),
            Scalar::U16 => IntFormat::unsigned(16),
            Scalar::I32 => IntFormat::signed(32),
            Scalar::U32 | Scalar::Pointer32 => IntFormat::unsigned(32),
            Scalar::I64 | Scalar::Handle => IntFormat::signed(64),
            Scalar::U64 | Scalar::Pointer64 => IntFormat::unsigned(64),
            Scalar::I128 => IntFormat::signed(128),
            Scalar::U128 => IntFormat::unsigned(128),
            _ => return None,
        })
    }

    #[inline]
    pub fn float_format(self) -> Option<FloatFormat> {
        Some(match self {
            Scalar::F16 => FloatFormat::Half,
            Scalar::F32 => FloatFormat::Single,
            Scalar::F64 => FloatFormat::Double,
            Scalar::F80 => FloatFormat::X87,
            Scalar::F128 => FloatFormat::Quad,
            _ => return None,
        })
    }

    pub fn is_signed(self) -> bool {
        self == Scalar::Integer || self.int_format().is_some_and(|format| format.is_signed)
    }
}

/// How a scalar lies in memory: its kind and the bytes that hold it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub scalar: Scalar,
    pub size: u8,
}

/// A bit-field: `width` bits from bit `shift` of the bytes that start at the address.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BitCell {
    /// The kind of the value that is read: the declared type.
    pub scalar: Scalar,
    pub shift: u8,
    pub width: u8,
}

impl BitCell {
    /// The bytes that hold the field.
    pub fn bytes(self) -> u64 {
        (u64::from(self.shift) + u64::from(self.width)).div_ceil(8)
    }
}
