//! Arithmetic on floats of any format: exact on big integers, rounded once.
//!
//! A finite value is `± mantissa * 2^exponent` with an integer mantissa. Addition, multiplication and fused
//! multiply-add are exact before they round; division and square root keep enough bits and whether anything was left.
//! Operands whose exponents are so far apart that the smaller cannot matter but as "something left" are not aligned, so
//! that a format with a wide exponent costs no memory.

use super::Unpacked;
use crate::value::{FloatValue, RoundingMode};
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Zero};
use quod_base::Rational;
use std::cmp::Ordering;

/// A finite value before rounding: `± (mantissa + left) * 2^exponent`, where `left` is 0 or, if `has_more`, strictly
/// between 0 and 1.
struct Exact {
    is_negative: bool,
    mantissa: BigUint,
    exponent: i64,
    has_more: bool,
}

impl FloatValue {
    fn precision(&self) -> i64 {
        self.significand_width.into()
    }

    fn round(&self, mode: RoundingMode, exact: Exact) -> Self {
        round(self.exponent_width, self.significand_width, mode, exact)
    }

    fn own_nan(&self) -> Self {
        Self::nan(self.exponent_width, self.significand_width)
    }
    fn own_zero(&self, is_negative: bool) -> Self {
        Self::zero(self.exponent_width, self.significand_width, is_negative)
    }
    fn own_infinity(&self, is_negative: bool) -> Self {
        Self::infinity(self.exponent_width, self.significand_width, is_negative)
    }

    #[must_use]
    pub fn neg(&self) -> Self {
        if self.is_nan() {
            return self.clone();
        }
        let sign = crate::bitvector::BitVector::min_signed(self.bits.width());
        Self { bits: self.bits.xor(&sign), ..self.clone() }
    }
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_sign_negative() { self.neg() } else { self.clone() }
    }

    #[must_use]
    pub fn add(&self, mode: RoundingMode, other: &Self) -> Self {
        match (self.unpack(), other.unpack()) {
            (Unpacked::Nan, _) | (_, Unpacked::Nan) => self.own_nan(),
            (Unpacked::Infinite(a), Unpacked::Infinite(b)) if a != b => self.own_nan(),
            (Unpacked::Infinite(sign), _) | (_, Unpacked::Infinite(sign)) => self.own_infinity(sign),
            (Unpacked::Zero(a), Unpacked::Zero(b)) => {
                self.own_zero(if a == b { a } else { mode == RoundingMode::TowardNegative })
            }
            (Unpacked::Zero(_), _) => other.clone(),
            (_, Unpacked::Zero(_)) => self.clone(),
            (Unpacked::Finite(a, m, e), Unpacked::Finite(b, n, f)) => self.round_sum(mode, (a, m, e), (b, n, f)),
        }
    }

    #[must_use]
    pub fn sub(&self, mode: RoundingMode, other: &Self) -> Self {
        self.add(mode, &other.neg())
    }

    /// The rounded sum of two finite values that are not zero.
    fn round_sum(&self, mode: RoundingMode, a: (bool, BigUint, i64), b: (bool, BigUint, i64)) -> Self {
        let top = |(_, mantissa, exponent): &(bool, BigUint, i64)| exponent + mantissa.bits() as i64;
        let (high, low) = if top(&a) >= top(&b) { (a, b) } else { (b, a) };
        let guard = self.precision() + 4;
        let lowest = high.2.min(top(&high) - guard);
        if top(&low) < lowest - 2 {
            // The low one only says that there is something below, or above after borrowing one.
            let mantissa = high.1 << (high.2 - lowest) as u64;
            let mantissa = if high.0 == low.0 { mantissa } else { mantissa - 1u32 };
            let exact = Exact { is_negative: high.0, mantissa, exponent: lowest, has_more: true };
            return self.round(mode, exact);
        }
        let exponent = high.2.min(low.2);
        let signed = |(is_negative, mantissa, own): (bool, BigUint, i64)| {
            let aligned = BigInt::from(mantissa << (own - exponent) as u64);
            if is_negative { -aligned } else { aligned }
        };
        let sum = signed(high) + signed(low);
        if sum.is_zero() {
            return self.own_zero(mode == RoundingMode::TowardNegative);
        }
        let (sign, mantissa) = sum.into_parts();
        self.round(mode, Exact { is_negative: sign == Sign::Minus, mantissa, exponent, has_more: false })
    }

    #[must_use]
    pub fn mul(&self, mode: RoundingMode, other: &Self) -> Self {
        let sign = self.is_sign_negative() != other.is_sign_negative();
        match (self.unpack(), other.unpack()) {
            (Unpacked::Nan, _)
            | (_, Unpacked::Nan)
            | (Unpacked::Infinite(_), Unpacked::Zero(_))
            | (Unpacked::Zero(_), Unpacked::Infinite(_)) => self.own_nan(),
            (Unpacked::Infinite(_), _) | (_, Unpacked::Infinite(_)) => self.own_infinity(sign),
            (Unpacked::Zero(_), _) | (_, Unpacked::Zero(_)) => self.own_zero(sign),
            (Unpacked::Finite(_, m, e), Unpacked::Finite(_, n, f)) => {
                self.round(mode, Exact { is_negative: sign, mantissa: m * n, exponent: e + f, has_more: false })
            }
        }
    }

    #[must_use]
    pub fn div(&self, mode: RoundingMode, other: &Self) -> Self {
        let sign = self.is_sign_negative() != other.is_sign_negative();
        match (self.unpack(), other.unpack()) {
            (Unpacked::Nan, _)
            | (_, Unpacked::Nan)
            | (Unpacked::Infinite(_), Unpacked::Infinite(_))
            | (Unpacked::Zero(_), Unpacked::Zero(_)) => self.own_nan(),
            (Unpacked::Infinite(_), _) | (_, Unpacked::Zero(_)) => self.own_infinity(sign),
            (Unpacked::Zero(_), _) | (_, Unpacked::Infinite(_)) => self.own_zero(sign),
            (Unpacked::Finite(_, m, e), Unpacked::Finite(_, n, f)) => {
                let shift = (self.precision() + 3 + n.bits() as i64 - m.bits() as i64).max(0);
                let (mantissa, rest) = (m << shift as u64).div_rem(&n);
                let exact = Exact { is_negative: sign, mantissa, exponent: e - f - shift, has_more: !rest.is_zero() };
                self.round(mode, exact)
            }
        }
    }

    /// `self * factor + addend`, rounded once.
    #[must_use]
    pub fn fma(&self, mode: RoundingMode, factor: &Self, addend: &Self) -> Self {
        let sign = self.is_sign_negative() != factor.is_sign_negative();
        match (self.unpack(), factor.unpack(), addend.unpack()) {
            (Unpacked::Finite(_, m, e), Unpacked::Finite(_, n, f), Unpacked::Finite(c, k, g)) => {
                self.round_sum(mode, (sign, m * n, e + f), (c, k, g))
            }
            (Unpacked::Finite(..), Unpacked::Finite(..), Unpacked::Zero(_)) => self.mul(mode, factor),
            // No rounding of the product matters: it is a zero, an infinity or NaN, or the sum is one of these.
            (Unpacked::Finite(..), Unpacked::Finite(..), _) => addend.clone(),
            _ => self.mul(mode, factor).add(mode, addend),
        }
    }

    #[must_use]
    pub fn sqrt(&self, mode: RoundingMode) -> Self {
        match self.unpack() {
            Unpacked::Nan | Unpacked::Infinite(true) | Unpacked::Finite(true, ..) => self.own_nan(),
            Unpacked::Infinite(false) | Unpacked::Zero(_) => self.clone(),
            Unpacked::Finite(false, mantissa, exponent) => {
                let mut shift = (2 * self.precision() + 6 - mantissa.bits() as i64).max(0);
                // The exponent must be even.
                shift += (exponent - shift).rem_euclid(2);
                let wide = mantissa << shift as u64;
                let root = wide.sqrt();
                let has_more = &root * &root != wide;
                let exact = Exact { is_negative: false, mantissa: root, exponent: (exponent - shift) / 2, has_more };
                self.round(mode, exact)
            }
        }
    }

    /// IEEE remainder: `self - other * n`, `n` the integer nearest to the quotient, ties to even. Always exact.
    #[must_use]
    pub fn rem(&self, other: &Self) -> Self {
        match (self.unpack(), other.unpack()) {
            (Unpacked::Nan, _) | (_, Unpacked::Nan) | (Unpacked::Infinite(_), _) | (_, Unpacked::Zero(_)) => {
                self.own_nan()
            }
            (Unpacked::Zero(_), _) | (_, Unpacked::Infinite(_)) => self.clone(),
            (Unpacked::Finite(sign, m, e), Unpacked::Finite(_, n, f)) => {
                if e + (m.bits() as i64) < f + n.bits() as i64 - 1 {
                    return self.clone();
                }
                // Modulo twice the divisor, so that the parity of the quotient is known.
                let (rest, divisor, exponent) = if e >= f {
                    let double = &n << 1u32;
                    let power = BigUint::from(2u32).modpow(&BigUint::from((e - f) as u64), &double);
                    ((m * power) % &double, n, f)
                } else {
                    let divisor = n << (f - e) as u64;
                    (m % (&divisor << 1u32), divisor, e)
                };
                let is_odd = rest >= divisor;
                let rest = if is_odd { rest - &divisor } else { rest };
                let (is_negative, mantissa) = match (&rest << 1u32).cmp(&divisor) {
                    Ordering::Greater => (!sign, &divisor - rest),
                    Ordering::Equal if is_odd => (!sign, &divisor - rest),
                    _ => (sign, rest),
                };
                if mantissa.is_zero() {
                    return self.own_zero(sign);
                }
                self.round(RoundingMode::NearestEven, Exact { is_negative, mantissa, exponent, has_more: false })
            }
        }
    }

    #[must_use]
    pub fn round_to_integral(&self, mode: RoundingMode) -> Self {
        match self.unpack() {
            Unpacked::Finite(sign, mantissa, exponent) if exponent < 0 => {
                let integer = round_shift(sign, &mantissa, exponent.unsigned_abs(), false, mode);
                if integer.is_zero() {
                    return self.own_zero(sign);
                }
                self.round(mode, Exact { is_negative: sign, mantissa: integer, exponent: 0, has_more: false })
            }
            _ => self.clone(),
        }
    }

    /// The value rounded to an integer; `None` for NaN, infinities, and magnitudes of more than `bits` bits.
    pub fn to_integer(&self, mode: RoundingMode, bits: u32) -> Option<BigInt> {
        match self.unpack() {
            Unpacked::Zero(_) => Some(BigInt::zero()),
            Unpacked::Finite(sign, mantissa, exponent) => {
                if exponent + mantissa.bits() as i64 > i64::from(bits) + 1 {
                    return None;
                }
                let magnitude = if exponent >= 0 {
                    mantissa << exponent as u64
                } else {
                    round_shift(sign, &mantissa, exponent.unsigned_abs(), false, mode)
                };
                Some(if sign { -BigInt::from(magnitude) } else { magnitude.into() })
            }
            _ => None,
        }
    }

    /// The exact value; `None` for NaN and infinities, and where the digits would fill memory.
    pub fn to_rational(&self) -> Option<Rational> {
        match self.unpack() {
            Unpacked::Zero(_) => Some(Rational::ZERO),
            Unpacked::Finite(sign, mantissa, exponent) if exponent.unsigned_abs() <= 1 << 20 => {
                let power = BigInt::one() << exponent.unsigned_abs();
                let mantissa = if sign { -BigInt::from(mantissa) } else { mantissa.into() };
                if exponent >= 0 {
                    Some(Rational::from_bigint(mantissa * power))
                } else {
                    Rational::from_big(mantissa, power)
                }
            }
            _ => None,
        }
    }

    /// The rational rounded to a format.
    pub fn from_rational(exponent_width: u32, significand_width: u32, mode: RoundingMode, value: &Rational) -> Self {
        if value.is_zero() {
            return Self::zero(exponent_width, significand_width, false);
        }
        let numerator = value.numerator().magnitude().clone();
        let denominator = value.denominator().magnitude().clone();
        let shift = (i64::from(significand_width) + 3 + denominator.bits() as i64 - numerator.bits() as i64).max(0);
        let (mantissa, rest) = (numerator << shift as u64).div_rem(&denominator);
        let exact = Exact { is_negative: value.is_negative(), mantissa, exponent: -shift, has_more: !rest.is_zero() };
        round(exponent_width, significand_width, mode, exact)
    }

    /// The same value in another format.
    pub fn convert(&self, exponent_width: u32, significand_width: u32, mode: RoundingMode) -> Self {
        match self.unpack() {
            Unpacked::Nan => Self::nan(exponent_width, significand_width),
            Unpacked::Infinite(sign) => Self::infinity(exponent_width, significand_width, sign),
            Unpacked::Zero(sign) => Self::zero(exponent_width, significand_width, sign),
            Unpacked::Finite(is_negative, mantissa, exponent) => round(
                exponent_width,
                significand_width,
                mode,
                Exact { is_negative, mantissa, exponent, has_more: false },
            ),
        }
    }

    /// IEEE order; `None` where one is NaN. Zeros are equal.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        if self.is_nan() || other.is_nan() {
            return None;
        }
        if self.is_zero() && other.is_zero() {
            return Some(Ordering::Equal);
        }
        Some(match (self.is_sign_negative(), other.is_sign_negative()) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.bits.ucmp(&other.bits),
            (true, true) => other.bits.ucmp(&self.bits),
        })
    }
}

/// `mantissa / 2^shift` rounded to an integer.
fn round_shift(is_negative: bool, mantissa: &BigUint, shift: u64, has_more: bool, mode: RoundingMode) -> BigUint {
    if shift > mantissa.bits() + 1 {
        // Less than a half, and not zero.
        let up = mode == if is_negative { RoundingMode::TowardNegative } else { RoundingMode::TowardPositive };
        return if up { BigUint::one() } else { BigUint::zero() };
    }
    let quotient = mantissa >> shift;
    let rest = mantissa - (&quotient << shift);
    let half = (shift > 0).then(|| BigUint::one() << (shift - 1));
    let against_half = match &half {
        Some(half) => match rest.cmp(half) {
            Ordering::Equal if has_more => Ordering::Greater,
            order => order,
        },
        None => Ordering::Less,
    };
    let is_exact = rest.is_zero() && !has_more;
    let up = match mode {
        _ if is_exact => false,
        RoundingMode::NearestEven => {
            against_half == Ordering::Greater || (against_half == Ordering::Equal && quotient.bit(0))
        }
        RoundingMode::NearestAway => against_half != Ordering::Less,
        RoundingMode::TowardPositive => !is_negative,
        RoundingMode::TowardNegative => is_negative,
        RoundingMode::TowardZero => false,
    };
    if up { quotient + 1u32 } else { quotient }
}

/// Rounds to a format. With something left the mantissa has at least two bits more than the format.
fn round(exponent_width: u32, significand_width: u32, mode: RoundingMode, exact: Exact) -> FloatValue {
    let Exact { is_negative, mantissa, exponent, has_more } = exact;
    let precision = i64::from(significand_width);
    let bias = (1i64 << (exponent_width - 1)) - 1;
    let lowest = 1 - bias - (precision - 1);
    // The exponent of the last place of the result.
    let place = (exponent + mantissa.bits() as i64 - precision).max(lowest);
    let (mut mantissa, mut place) = if place > exponent {
        (round_shift(is_negative, &mantissa, (place - exponent) as u64, has_more, mode), place)
    } else {
        (mantissa << (exponent - place) as u64, place)
    };
    if mantissa.bits() as i64 > precision {
        mantissa >>= 1u32;
        place += 1;
    }
    if mantissa.is_zero() {
        return FloatValue::zero(exponent_width, significand_width, is_negative);
    }
    if place + precision - 1 > bias && mantissa.bits() as i64 == precision {
        let to_infinity = match mode {
            RoundingMode::NearestEven | RoundingMode::NearestAway => true,
            RoundingMode::TowardPositive => !is_negative,
            RoundingMode::TowardNegative => is_negative,
            RoundingMode::TowardZero => false,
        };
        return if to_infinity {
            FloatValue::infinity(exponent_width, significand_width, is_negative)
        } else {
            FloatValue::largest(exponent_width, significand_width, is_negative)
        };
    }
    FloatValue::pack(exponent_width, significand_width, is_negative, &mantissa, place)
}
