//! Conversions: between formats, from and to integers of fixed width, to an integral float, from an exact rational.

use super::{Format, Rounding};
use crate::bits::{Builder, Word};
use crate::sat::Lit;
use num_bigint::BigUint;
use num_traits::Zero;

/// What a float is converted into.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Signedness {
    Signed,
    Unsigned,
}

impl Builder<'_> {
    pub fn float_to_float(&mut self, from: Format, to: Format, rounding: &Rounding, a: &[Lit]) -> Word {
        if from == to {
            return a.to_vec();
        }
        let a = self.float_unpack(from, a);
        let finite = self.float_round(to, rounding, a.sign, &a.exponent, &a.significand);
        let zero = self.float_zero(to, a.sign);
        let infinity = self.float_infinity(to, a.sign);
        let nan = self.float_nan(to);
        let result = self.word_ite(a.is_zero, &zero, &finite);
        let result = self.word_ite(a.is_infinite, &infinity, &result);
        self.word_ite(a.is_nan, &nan, &result)
    }

    pub fn float_from_word(&mut self, to: Format, rounding: &Rounding, a: &[Lit], signedness: Signedness) -> Word {
        let zero = self.constant(false);
        let sign = if signedness == Signedness::Signed { a[a.len() - 1] } else { zero };
        let negated = self.word_negate(a);
        let magnitude = self.word_ite(sign, &negated, a);
        let is_zero = self.word_is_zero(a);
        let (significand, distance) = self.word_normalise(&magnitude);
        let width = to.unpacked_exponent().max(usize::BITS as usize - a.len().leading_zeros() as usize + 2);
        let top = self.word_i64(a.len() as i64 - 1, width);
        let distance = self.word_zero_extend(&distance, width);
        let exponent = self.word_sub(&top, &distance[..width]);
        let finite = self.float_round(to, rounding, sign, &exponent, &significand);
        let zero_word = self.float_zero(to, zero);
        self.word_ite(is_zero, &zero_word, &finite)
    }

    /// `numerator / denominator` with the sign, rounded.
    pub fn float_from_rational(
        &mut self,
        to: Format,
        rounding: &Rounding,
        is_negative: bool,
        numerator: &BigUint,
        denominator: &BigUint,
    ) -> Word {
        let zero = self.constant(false);
        if numerator.is_zero() {
            return self.float_zero(to, zero);
        }
        let wanted = to.significand as i64 + 3;
        let shift = wanted - (numerator.bits() as i64 - denominator.bits() as i64);
        let (scaled, divisor) = if shift >= 0 {
            (numerator << shift as u64, denominator.clone())
        } else {
            (numerator.clone(), denominator << (-shift) as u64)
        };
        let quotient = &scaled / &divisor;
        let is_inexact = &quotient * &divisor != scaled;
        let bits = quotient.bits();
        let mut significand = vec![self.constant(is_inexact)];
        significand.extend(self.word_constant(&quotient, bits as usize));
        let exponent = bits as i64 - 1 - shift;
        // Far beyond the format's range the exact exponent no longer matters.
        let limit = 4 * (to.bias() + to.significand as i64);
        let exponent = self.word_i64(exponent.clamp(-limit, limit), to.unpacked_exponent() + 3);
        let sign = self.constant(is_negative);
        self.float_round(to, rounding, sign, &exponent, &significand)
    }

    /// The magnitude of the float rounded to an integer of `width` bits and one more for overflow on top; and whether
    /// the magnitude is too large for that in any case.
    fn round_to_integer(&mut self, format: Format, rounding: &Rounding, a: &[Lit], width: usize) -> (Word, Lit) {
        let a = self.float_unpack(format, a);
        let size = format.significand;
        let zero = self.constant(false);
        // Fixed point: `width` integer bits above two fraction bits (guard and sticky).
        let exponent_width =
            a.exponent.len().max(usize::BITS as usize - (width + size).leading_zeros() as usize + 2) + 1;
        let exponent = self.word_sign_extend(&a.exponent, exponent_width);
        let limit = self.word_i64(width as i64, exponent_width);
        let fits = self.word_slt(&exponent, &limit);
        // Start with the significand's top at the highest integer place and shift right.
        let mut fixed: Word = vec![zero; (width + 2).saturating_sub(size)];
        fixed.extend_from_slice(&a.significand);
        let lowest = fixed.len() - width;
        let top = self.word_i64(width as i64 - 1, exponent_width);
        let distance = self.word_sub(&top, &exponent);
        let shifted = self.word_shift_right_sticky(&fixed, &distance);
        let kept = &shifted[lowest..];
        let guard = shifted[lowest - 1];
        let sticky = self.or_all(shifted[..lowest - 1].iter().copied());
        let inexact = self.or(guard, sticky);
        let odd_or_sticky = self.or(kept[0], sticky);
        let tie_even = self.and(guard, odd_or_sticky);
        let up_even = self.and(rounding.nearest_even, tie_even);
        let up_away = self.and(rounding.nearest_away, guard);
        let up_positive = self.and_all([rounding.toward_positive, !a.sign, inexact]);
        let up_negative = self.and_all([rounding.toward_negative, a.sign, inexact]);
        let increment = self.or_all([up_even, up_away, up_positive, up_negative]);
        let (mut rounded, carry) = self.word_increment_if(kept, increment);
        rounded.push(carry);
        let rounded: Word = rounded.iter().map(|&bit| self.and(bit, !a.is_zero)).collect();
        let out_of_range = self.and(!fits, !a.is_zero);
        let out_of_range = self.or_all([out_of_range, a.is_nan, a.is_infinite]);
        (rounded, out_of_range)
    }

    /// The word and whether the conversion is defined: a number whose rounding fits.
    pub fn float_to_word(
        &mut self,
        format: Format,
        rounding: &Rounding,
        a: &[Lit],
        width: usize,
        signedness: Signedness,
    ) -> (Word, Lit) {
        let sign = a[format.width() - 1];
        let (magnitude, out_of_range) = self.round_to_integer(format, rounding, a, width);
        let is_zero = self.word_is_zero(&magnitude);
        let overflow = magnitude[width];
        let word = magnitude[..width].to_vec();
        let bad = match signedness {
            Signedness::Unsigned => {
                let negative = self.and(sign, !is_zero);
                self.or(overflow, negative)
            }
            Signedness::Signed => {
                let high = word[width - 1];
                let rest_is_zero = self.word_is_zero(&word[..width - 1]);
                // Only the most negative number has its top bit set.
                let is_minimum = self.and_all([sign, high, rest_is_zero]);
                let too_large = self.and(high, !is_minimum);
                self.or(overflow, too_large)
            }
        };
        let bad = self.or(bad, out_of_range);
        let result = match signedness {
            Signedness::Unsigned => word,
            Signedness::Signed => {
                let negated = self.word_negate(&word);
                self.word_ite(sign, &negated, &word)
            }
        };
        (result, !bad)
    }

    pub fn float_round_to_integral(&mut self, format: Format, rounding: &Rounding, a: &[Lit]) -> Word {
        let unpacked = self.float_unpack(format, a);
        let size = format.significand;
        let width = unpacked.exponent.len();
        // From an exponent of size - 1 on every number is integral.
        let limit = self.word_i64(size as i64 - 1, width);
        let small = self.word_slt(&unpacked.exponent, &limit);
        let (integer, _) = self.round_to_integer(format, rounding, a, size);
        let is_zero = self.word_is_zero(&integer);
        // Of the magnitude: in a format whose largest number is no integer, the directed modes count from zero.
        let outward = self.ite(unpacked.sign, rounding.toward_negative, rounding.toward_positive);
        let inward = self.ite(unpacked.sign, rounding.toward_positive, rounding.toward_negative);
        let of_magnitude = Rounding { toward_positive: outward, toward_negative: inward, ..*rounding };
        let converted = self.float_from_word(format, &of_magnitude, &integer, Signedness::Unsigned);
        let mut signed = converted;
        signed[format.width() - 1] = unpacked.sign;
        let zero = self.float_zero(format, unpacked.sign);
        let result = self.word_ite(is_zero, &zero, &signed);
        let special = self.or_all([unpacked.is_nan, unpacked.is_infinite, unpacked.is_zero, !small]);
        self.word_ite(special, a, &result)
    }
}
