//! IEEE floats of any format, as SMT-LIB defines them: one NaN, five rounding modes. The operations are in `arith`.

mod arith;

use crate::bitvector::BitVector;
use crate::value::FloatValue;
use num_bigint::BigUint;
use num_traits::One;

/// A float taken apart. Signs are true for negative.
enum Unpacked {
    Nan,
    Infinite(bool),
    Zero(bool),
    /// `± mantissa * 2^exponent`, the mantissa not zero.
    Finite(bool, BigUint, i64),
}

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

    /// The finite value of largest magnitude.
    pub fn largest(exponent_width: u32, significand_width: u32, is_negative: bool) -> Self {
        let infinity = Self::infinity(exponent_width, significand_width, is_negative);
        Self { bits: infinity.bits.sub(&BitVector::one(exponent_width + significand_width)), ..infinity }
    }

    /// The exponent of the last place of subnormal numbers.
    fn lowest_place(&self) -> i64 {
        2 - (1i64 << (self.exponent_width - 1)) - (i64::from(self.significand_width) - 1)
    }

    fn unpack(&self) -> Unpacked {
        let sign = self.is_sign_negative();
        if self.is_nan() {
            return Unpacked::Nan;
        }
        if self.is_infinite() {
            return Unpacked::Infinite(sign);
        }
        if self.is_zero() {
            return Unpacked::Zero(sign);
        }
        let fraction = self.fraction_bits().to_biguint();
        // Exponents have at most 30 bits.
        let exponent = self.exponent_bits().to_u64().unwrap_or(0) as i64;
        if exponent == 0 {
            return Unpacked::Finite(sign, fraction, self.lowest_place());
        }
        let hidden = BigUint::one() << (self.significand_width - 1);
        Unpacked::Finite(sign, fraction | hidden, self.lowest_place() + exponent - 1)
    }

    /// From a mantissa of at most the format's precision, whose last place has this exponent; it fits the format.
    fn pack(exponent_width: u32, significand_width: u32, is_negative: bool, mantissa: &BigUint, place: i64) -> Self {
        let zero = Self::zero(exponent_width, significand_width, is_negative);
        let is_normal = mantissa.bits() == u64::from(significand_width);
        let exponent = if is_normal { (place - zero.lowest_place() + 1) as u64 } else { 0 };
        let fraction = BitVector::from_biguint(significand_width - 1, mantissa);
        let bits =
            BitVector::from_bool(is_negative).concat(&BitVector::new(exponent_width, exponent)).concat(&fraction);
        Self { bits, ..zero }
    }

    pub fn from_f32(value: f32) -> Self {
        Self::from_bits(8, 24, BitVector::new(32, value.to_bits().into()))
    }
    pub fn from_f64(value: f64) -> Self {
        Self::from_bits(11, 53, BitVector::new(64, value.to_bits()))
    }
    /// The value of a double; other formats give `None`.
    pub fn to_f64(&self) -> Option<f64> {
        (self.format() == (11, 53)).then(|| f64::from_bits(self.bits.to_u64().unwrap_or(0)))
    }
}
