//! IEEE 754 floats of any format as circuits, with SMT-LIB's semantics.
//!
//! A float is the word of its interchange format (sign on top), with one NaN only, so that equality of terms is equality
//! of words. Operations unpack it into sign, exponent and a significand with its leading one in place, compute with
//! guard bits and a sticky bit, and round once. The scheme is the textbook's (Muller et al., Handbook of Floating-Point
//! Arithmetic, chapters 7 and 8); each operation is a straight circuit without iteration except remainder.

pub mod arithmetic;
pub mod compare;
pub mod convert;
pub mod remainder;

use super::{Builder, Word};
use crate::sat::Lit;

/// Widths of exponent and significand, the latter with the hidden bit.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Format {
    pub exponent: usize,
    pub significand: usize,
}

impl Format {
    pub fn width(self) -> usize {
        self.exponent + self.significand
    }
    pub fn bias(self) -> i64 {
        (1i64 << (self.exponent - 1)) - 1
    }
    /// Enough for every exponent of a normalised significand, and as much again for sums, signed.
    pub fn unpacked_exponent(self) -> usize {
        let largest = self.bias() as u64 + self.significand as u64 + 2;
        (64 - largest.leading_zeros()) as usize + 2
    }
}

/// Which rounding mode holds; exactly one literal is true.
#[derive(Copy, Clone)]
pub struct Rounding {
    pub nearest_even: Lit,
    pub nearest_away: Lit,
    pub toward_positive: Lit,
    pub toward_negative: Lit,
    pub toward_zero: Lit,
}

/// A float taken apart. For NaN, infinity and zero only the flags count.
#[derive(Clone)]
pub struct Unpacked {
    pub is_nan: Lit,
    pub is_infinite: Lit,
    pub is_zero: Lit,
    pub sign: Lit,
    /// Signed, without bias: the value is `significand * 2^exponent` with the leading one as the unit.
    pub exponent: Word,
    pub significand: Word,
}

impl Builder<'_> {
    pub fn word_i64(&self, value: i64, width: usize) -> Word {
        (0..width).map(|bit| self.constant(value >> bit.min(63) & 1 == 1)).collect()
    }

    /// Shifts left until the top bit is set; returns the distance, too. All zeros stay zeros.
    pub fn word_normalise(&mut self, a: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let stages = (usize::BITS - width.saturating_sub(1).leading_zeros()) as usize;
        let mut word = a.to_vec();
        let mut distance = vec![self.constant(false); stages];
        let zero = self.constant(false);
        for stage in (0..stages).rev() {
            let step = 1usize << stage;
            if step >= width {
                continue;
            }
            let any = self.or_all(word[width - step..].iter().copied());
            distance[stage] = !any;
            word = (0..width)
                .map(|at| {
                    let moved = if at >= step { word[at - step] } else { zero };
                    self.ite(any, word[at], moved)
                })
                .collect();
        }
        (word, distance)
    }

    pub fn float_nan(&self, format: Format) -> Word {
        let fraction = format.significand - 1;
        (0..format.width()).map(|bit| self.constant(bit + 1 >= fraction && bit + 1 < format.width())).collect()
    }
    pub fn float_infinity(&self, format: Format, sign: Lit) -> Word {
        let fraction = format.significand - 1;
        let mut word: Word = (0..format.width() - 1).map(|bit| self.constant(bit >= fraction)).collect();
        word.push(sign);
        word
    }
    pub fn float_zero(&self, format: Format, sign: Lit) -> Word {
        let mut word = vec![self.constant(false); format.width() - 1];
        word.push(sign);
        word
    }

    /// All bit patterns of NaN become the one.
    pub fn float_canonical(&mut self, format: Format, bits: &[Lit]) -> Word {
        let (_, is_nan) = self.float_special(format, bits);
        let nan = self.float_nan(format);
        self.word_ite(is_nan, &nan, bits)
    }

    /// Whether the exponent is all ones, and whether it is a NaN.
    pub(crate) fn float_special(&mut self, format: Format, bits: &[Lit]) -> (Lit, Lit) {
        let fraction = format.significand - 1;
        let all_ones = self.and_all(bits[fraction..fraction + format.exponent].iter().copied());
        let any_fraction = self.or_all(bits[..fraction].iter().copied());
        (all_ones, self.and(all_ones, any_fraction))
    }

    pub fn float_unpack(&mut self, format: Format, bits: &[Lit]) -> Unpacked {
        let fraction = format.significand - 1;
        let width = format.unpacked_exponent();
        let sign = bits[format.width() - 1];
        let biased = &bits[fraction..fraction + format.exponent];
        let exponent_is_zero = self.word_is_zero(biased);
        let (all_ones, is_nan) = self.float_special(format, bits);
        let fraction_is_zero = self.word_is_zero(&bits[..fraction]);
        let is_infinite = self.and(all_ones, fraction_is_zero);
        let is_zero = self.and(exponent_is_zero, fraction_is_zero);
        // A subnormal has exponent 1 - bias and no hidden bit; normalising lowers the exponent.
        let mut significand = bits[..fraction].to_vec();
        significand.push(!exponent_is_zero);
        let (significand, distance) = self.word_normalise(&significand);
        let mut effective = biased.to_vec();
        effective[0] = self.or(effective[0], exponent_is_zero);
        let effective = self.word_zero_extend(&effective, width);
        let bias = self.word_i64(format.bias(), width);
        let unbiased = self.word_sub(&effective, &bias);
        let distance = self.word_zero_extend(&distance, width);
        let exponent = self.word_sub(&unbiased, &distance[..width]);
        Unpacked { is_nan, is_infinite, is_zero, sign, exponent, significand }
    }

    /// Rounds `significand * 2^exponent`, whose leading one is in place and whose last bit is sticky, into the format.
    pub fn float_round(
        &mut self,
        format: Format,
        rounding: &Rounding,
        sign: Lit,
        exponent: &[Lit],
        significand: &[Lit],
    ) -> Word {
        let kept_width = format.significand;
        let zero = self.constant(false);
        // Room for a guard and a sticky bit below, and for the exponents of the format.
        let mut significand = significand.to_vec();
        while significand.len() < kept_width + 2 {
            significand.insert(0, zero);
        }
        let width = exponent.len().max(format.unpacked_exponent()) + 1;
        let exponent = self.word_sign_extend(exponent, width);
        let smallest = self.word_i64(1 - format.bias(), width);
        let is_below = self.word_slt(&exponent, &smallest);
        let gap = self.word_sub(&smallest, &exponent);
        let gap: Word = gap.iter().map(|&bit| self.and(bit, is_below)).collect();
        let shifted = self.word_shift_right_sticky(&significand, &gap);
        let exponent = self.word_ite(is_below, &smallest, &exponent);

        let cut = shifted.len() - kept_width;
        let kept = &shifted[cut..];
        let guard = shifted[cut - 1];
        let sticky = self.or_all(shifted[..cut - 1].iter().copied());
        let inexact = self.or(guard, sticky);
        let odd_or_sticky = self.or(kept[0], sticky);
        let tie_even = self.and(guard, odd_or_sticky);
        let up_even = self.and(rounding.nearest_even, tie_even);
        let up_away = self.and(rounding.nearest_away, guard);
        let up_positive = self.and_all([rounding.toward_positive, !sign, inexact]);
        let up_negative = self.and_all([rounding.toward_negative, sign, inexact]);
        let increment = self.or_all([up_even, up_away, up_positive, up_negative]);
        let (rounded, carry) = self.word_increment_if(kept, increment);
        // On carry all kept bits are zero: the significand is 1.0 and the exponent one more.
        let (exponent, _) = self.word_increment_if(&exponent, carry);
        let has_hidden = self.or(rounded[kept_width - 1], carry);

        let largest = self.word_i64(format.bias(), width);
        let overflows = self.word_slt(&largest, &exponent);
        let bias = self.word_i64(format.bias(), width);
        let biased = self.word_add(&exponent, &bias);
        let mut result: Word = rounded[..kept_width - 1].to_vec();
        result.extend(biased[..format.exponent].iter().map(|&bit| self.and(bit, has_hidden)));
        result.push(sign);

        // Overflow goes to infinity or to the largest number, as the mode says.
        let nearest = self.or(rounding.nearest_even, rounding.nearest_away);
        let positive = self.and(rounding.toward_positive, !sign);
        let negative = self.and(rounding.toward_negative, sign);
        let to_infinity = self.or_all([nearest, positive, negative]);
        let infinity = self.float_infinity(format, sign);
        let mut biggest: Word = vec![self.truth(); format.width() - 1];
        biggest[kept_width - 1] = zero;
        biggest.push(sign);
        let extreme = self.word_ite(to_infinity, &infinity, &biggest);
        self.word_ite(overflows, &extreme, &result)
    }
}
