//! IEEE floats of any format, as SMT-LIB defines them.

use crate::bitvector::BitVector;
use crate::value::FloatValue;

impl FloatValue {
    /// From the bits of the interchange format; every NaN becomes the one NaN.
    pub fn from_bits(exponent_width: u32, significand_width: u32, bits: BitVector) -> Self {
        let float = Self { exponent_width, significand_width, bits };
        if float.is_nan() { Self::nan(exponent_width, significand_width) } else { float }
    }

    /// The NaN: positive, quiet, payload zero.
    pub fn nan(exponent_width: u32, significand_width: u32) -> Self {
        let exponent = BitVector::all_ones(exponent_width + 1).zero_extend(significand_width - 1);
        let bits = exponent.shl_by(significand_width - 2);
        Self { exponent_width, significand_width, bits }
    }

    pub fn zero(exponent_width: u32, significand_width: u32, is_negative: bool) -> Self {
        let bits = BitVector::from_bool(is_negative).concat(&BitVector::zero(exponent_width + significand_width - 1));
        Self { exponent_width, significand_width, bits }
    }
    pub fn infinity(exponent_width: u32, significand_width: u32, is_negative: bool) -> Self {
        let sign = BitVector::from_bool(is_negative);
        let bits = sign.concat(&BitVector::all_ones(exponent_width)).concat(&BitVector::zero(significand_width - 1));
        Self { exponent_width, significand_width, bits }
    }
    /// Widths of exponent and significand, the latter with the hidden bit.
    pub fn format(&self) -> (u32, u32) {
        (self.exponent_width, self.significand_width)
    }
    /// The bits of the interchange format.
    pub fn bits(&self) -> &BitVector {
        &self.bits
    }
    fn exponent_bits(&self) -> BitVector {
        self.bits.extract(self.exponent_width + self.significand_width - 2, self.significand_width - 1)
    }
    fn fraction_bits(&self) -> BitVector {
        self.bits.extract(self.significand_width - 2, 0)
    }
    pub fn is_nan(&self) -> bool {
        self.exponent_bits().is_all_ones() && !self.fraction_bits().is_zero()
    }
    pub fn is_infinite(&self) -> bool {
        self.exponent_bits().is_all_ones() && self.fraction_bits().is_zero()
    }
    pub fn is_zero(&self) -> bool {
        self.exponent_bits().is_zero() && self.fraction_bits().is_zero()
    }
    pub fn is_subnormal(&self) -> bool {
        self.exponent_bits().is_zero() && !self.fraction_bits().is_zero()
    }
    pub fn is_normal(&self) -> bool {
        !self.exponent_bits().is_zero() && !self.exponent_bits().is_all_ones()
    }
    /// The sign bit; NaN is positive.
    pub fn is_sign_negative(&self) -> bool {
        self.bits.is_negative()
    }
}
