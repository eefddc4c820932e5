//! A concrete value: 128 bits that their scalar kind gives a meaning.

use crate::scalar::Scalar;

/// Integers up to 64 bits are sign- or zero-extended into `low`; wider ones and wide floats use both halves. A pointer is
/// an address in `low`, and in `high` the number of the object that it was made from plus one, or 0 where that is found by
/// the address. A real is a fraction `low / high`, or a handle (see `Concrete::reals`).
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Value {
    pub low: u64,
    pub high: u64,
}

impl Value {
    #[inline(always)]
    pub fn small(low: u64) -> Self {
        Self { low, high: 0 }
    }

    pub fn wide(bits: u128) -> Self {
        Self { low: bits as u64, high: (bits >> 64) as u64 }
    }

    pub fn bits(self) -> u128 {
        u128::from(self.low) | (u128::from(self.high) << 64)
    }

    /// The canonical integer of the kind.
    #[inline]
    pub fn int(self, scalar: Scalar) -> i128 {
        match scalar {
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Handle => i128::from(self.low as i64),
            Scalar::I128 | Scalar::U128 | Scalar::Integer => self.bits() as i128,
            _ => i128::from(self.low),
        }
    }

    /// From a canonical integer.
    #[inline]
    pub fn of_int(value: i128, scalar: Scalar) -> Self {
        match scalar {
            Scalar::I128 | Scalar::U128 | Scalar::Integer => Self::wide(value as u128),
            _ => Self::small(value as u64),
        }
    }
}
