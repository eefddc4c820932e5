//! Machine integers: values of a given width and signedness, held in an `i128`.
//!
//! A value is kept in *canonical form*: sign-extended where the type is signed, zero-extended where it is unsigned; the one
//! exception is an unsigned type of 128 bits, whose upper half shows as negative numbers (its bit pattern). Every
//! operation here takes canonical operands of one type and gives a canonical result, wrapped around, with a flag that
//! says whether the mathematical result fitted.

/// Width (1 to 128) and signedness.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct IntFormat {
    pub bits: u32,
    pub is_signed: bool,
}

/// A wrapped result, and whether it is the mathematical one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub value: i128,
    pub fits: bool,
}

impl IntFormat {
    pub const fn signed(bits: u32) -> Self {
        Self { bits, is_signed: true }
    }
    pub const fn unsigned(bits: u32) -> Self {
        Self { bits, is_signed: false }
    }

    pub fn min(self) -> i128 {
        if self.is_signed { i128::MIN >> (128 - self.bits) } else { 0 }
    }

    /// The greatest value; for 128 unsigned bits its pattern, -1.
    pub fn max(self) -> i128 {
        if self.is_signed { i128::MAX >> (128 - self.bits) } else { (u128::MAX >> (128 - self.bits)) as i128 }
    }

    /// The canonical form of the low bits of any value: conversion between integer types.
    #[inline]
    pub fn wrap(self, value: i128) -> i128 {
        let unused = 128 - self.bits;
        if self.is_signed { (value << unused) >> unused } else { (((value as u128) << unused) >> unused) as i128 }
    }

    /// The value of `source` in canonical form is a value of this type, too.
    pub fn can_hold(self, value: i128, source: IntFormat) -> bool {
        let is_huge = !source.is_signed && source.bits == 128 && value < 0;
        if is_huge {
            return !self.is_signed && self.bits == 128;
        }
        self.wrap(value) == value && (self.is_signed || value >= 0)
    }

    #[inline]
    fn outcome(self, exact: Option<i128>, wrapped: i128) -> Outcome {
        let value = self.wrap(wrapped);
        let fits = match exact {
            // Unsigned 128-bit values are patterns, so the exact result says nothing; callers handle them.
            Some(exact) => value == exact && (self.is_signed || exact >= 0),
            None => false,
        };
        Outcome { value, fits }
    }

    fn is_wide_unsigned(self) -> bool {
        !self.is_signed && self.bits == 128
    }

    pub fn add(self, a: i128, b: i128) -> Outcome {
        if self.is_wide_unsigned() {
            let (value, overflow) = (a as u128).overflowing_add(b as u128);
            return Outcome { value: value as i128, fits: !overflow };
        }
        self.outcome(a.checked_add(b), a.wrapping_add(b))
    }

    pub fn subtract(self, a: i128, b: i128) -> Outcome {
        if self.is_wide_unsigned() {
            let (value, overflow) = (a as u128).overflowing_sub(b as u128);
            return Outcome { value: value as i128, fits: !overflow };
        }
        self.outcome(a.checked_sub(b), a.wrapping_sub(b))
    }

    pub fn multiply(self, a: i128, b: i128) -> Outcome {
        if self.is_wide_unsigned() {
            let (value, overflow) = (a as u128).overflowing_mul(b as u128);
            return Outcome { value: value as i128, fits: !overflow };
        }
        self.outcome(a.checked_mul(b), a.wrapping_mul(b))
    }

    /// `None` for division by zero. Rounds towards zero.
    pub fn divide(self, a: i128, b: i128) -> Option<Outcome> {
        if b == 0 {
            return None;
        }
        if self.is_wide_unsigned() {
            return Some(Outcome { value: (a as u128 / b as u128) as i128, fits: true });
        }
        Some(self.outcome(a.checked_div(b), a.wrapping_div(b)))
    }

    /// `None` for division by zero. The sign is the dividend's. The smallest number by -1 gives 0 and does not fit, as
    /// its quotient does not.
    pub fn remainder(self, a: i128, b: i128) -> Option<Outcome> {
        if b == 0 {
            return None;
        }
        if self.is_wide_unsigned() {
            return Some(Outcome { value: (a as u128 % b as u128) as i128, fits: true });
        }
        let fits = !(self.is_signed && b == -1 && a == self.min());
        Some(Outcome { value: self.wrap(a.wrapping_rem(b)), fits })
    }

    pub fn negate(self, a: i128) -> Outcome {
        self.subtract(0, a)
    }

    pub fn bit_not(self, a: i128) -> i128 {
        self.wrap(!a)
    }

    /// The amount is in range: not negative and smaller than the width.
    pub fn is_shift_amount(self, amount: i128) -> bool {
        (0..i128::from(self.bits)).contains(&amount)
    }

    /// The amount is taken modulo the width's next power of two, as x86 does for 32 and 64 bits. `fits` is false where C
    /// leaves the result undefined: an amount out of range, a negative operand, a signed result that does not fit.
    pub fn shift_left(self, a: i128, amount: i128) -> Outcome {
        let count = (amount & i128::from(self.bits.next_power_of_two().max(32) - 1)) as u32;
        let value = if count >= self.bits { 0 } else { self.wrap(a << count) };
        let is_in_range = self.is_shift_amount(amount);
        let fits = is_in_range && (!self.is_signed || (a >= 0 && value >= 0 && (value >> count) == a));
        Outcome { value, fits }
    }

    /// Arithmetic for signed, logical for unsigned types; the amount as in `shift_left`.
    pub fn shift_right(self, a: i128, amount: i128) -> Outcome {
        let count = (amount & i128::from(self.bits.next_power_of_two().max(32) - 1)) as u32;
        let value = if self.is_signed {
            a >> count.min(127)
        } else if count >= 128 {
            0
        } else {
            ((a as u128) >> count) as i128
        };
        Outcome { value: self.wrap(value), fits: self.is_shift_amount(amount) }
    }

    pub fn compare(self, a: i128, b: i128) -> std::cmp::Ordering {
        if self.is_wide_unsigned() { (a as u128).cmp(&(b as u128)) } else { a.cmp(&b) }
    }

    /// The value's bits, zero-extended.
    pub fn pattern(self, value: i128) -> u128 {
        (value as u128) & (u128::MAX >> (128 - self.bits))
    }

    /// The canonical value in decimal.
    pub fn decimal(self, value: i128) -> String {
        if self.is_wide_unsigned() { (value as u128).to_string() } else { value.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const I8: IntFormat = IntFormat::signed(8);
    const U8: IntFormat = IntFormat::unsigned(8);
    const I32: IntFormat = IntFormat::signed(32);
    const U128: IntFormat = IntFormat::unsigned(128);

    #[test]
    fn eight_bit_operations_agree_with_rust() {
        for a in i8::MIN..=i8::MAX {
            for b in i8::MIN..=i8::MAX {
                let (x, y) = (i128::from(a), i128::from(b));
                assert_eq!(I8.add(x, y), Outcome { value: a.wrapping_add(b).into(), fits: a.checked_add(b).is_some() });
                assert_eq!(
                    I8.multiply(x, y),
                    Outcome { value: a.wrapping_mul(b).into(), fits: a.checked_mul(b).is_some() }
                );
                let (c, d) = (a as u8, b as u8);
                let (u, v) = (i128::from(c), i128::from(d));
                assert_eq!(
                    U8.subtract(u, v),
                    Outcome { value: c.wrapping_sub(d).into(), fits: c.checked_sub(d).is_some() }
                );
                if b != 0 {
                    assert_eq!(I8.divide(x, y).map(|o| o.value), Some(a.wrapping_div(b).into()));
                    assert_eq!(I8.divide(x, y).map(|o| o.fits), Some(a.checked_div(b).is_some()));
                    assert_eq!(I8.remainder(x, y).map(|o| o.value), Some(a.wrapping_rem(b).into()));
                }
            }
        }
        assert_eq!(I8.divide(1, 0), None);
    }

    #[test]
    fn shifts() {
        assert_eq!(I32.shift_left(1, 31), Outcome { value: -(1 << 31), fits: false });
        assert_eq!(I32.shift_left(1, 30), Outcome { value: 1 << 30, fits: true });
        assert_eq!(I32.shift_right(-8, 1), Outcome { value: -4, fits: true });
        assert_eq!(IntFormat::unsigned(32).shift_right(0x8000_0000, 31), Outcome { value: 1, fits: true });
        assert!(!I32.shift_left(1, 32).fits);
    }

    #[test]
    fn wide_unsigned() {
        assert_eq!(U128.subtract(0, 1), Outcome { value: -1, fits: false });
        assert_eq!(U128.divide(-1, 2).map(|o| o.value), Some(i128::MAX));
        assert_eq!(U128.compare(-1, 1), std::cmp::Ordering::Greater);
        assert_eq!(U128.decimal(-1), u128::MAX.to_string());
        assert!(!I32.can_hold(-1, U128));
        assert!(U128.can_hold(-1, U128) && !U128.can_hold(-1, I32));
    }
}
