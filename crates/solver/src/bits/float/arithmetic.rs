//! Addition, multiplication, division, fused multiply-add and square root of floats.

use super::{Format, Rounding, Unpacked};
use crate::bits::{Builder, Word};
use crate::sat::Lit;

impl Builder<'_> {
    pub fn float_add(&mut self, format: Format, rounding: &Rounding, a: &[Lit], b: &[Lit]) -> Word {
        let (a, b) = (self.float_unpack(format, a), self.float_unpack(format, b));
        self.add_unpacked(format, rounding, &a, &b)
    }

    pub fn float_sub(&mut self, format: Format, rounding: &Rounding, a: &[Lit], b: &[Lit]) -> Word {
        let b = self.float_negate(format, b);
        self.float_add(format, rounding, a, &b)
    }

    /// The operands' exponents and significands have the same widths, which may be larger than the format's.
    fn add_unpacked(&mut self, format: Format, rounding: &Rounding, a: &Unpacked, b: &Unpacked) -> Word {
        let zero = self.constant(false);
        let exponent_width = a.exponent.len();
        // The larger exponent first; a zero operand counts as the smaller.
        let a_less = self.word_slt(&a.exponent, &b.exponent);
        let b_counts = self.and(a_less, !b.is_zero);
        let swap = self.or(a.is_zero, b_counts);
        let large_exponent = self.word_ite(swap, &b.exponent, &a.exponent);
        let small_exponent = self.word_ite(swap, &a.exponent, &b.exponent);
        let large = self.word_ite(swap, &b.significand, &a.significand);
        let small = self.word_ite(swap, &a.significand, &b.significand);
        let large_sign = self.ite(swap, b.sign, a.sign);
        let small_is_zero = self.or(a.is_zero, b.is_zero);
        let small: Word = small.iter().map(|&bit| self.and(bit, !small_is_zero)).collect();

        let wide_large = self.word_sign_extend(&large_exponent, exponent_width + 1);
        let wide_small = self.word_sign_extend(&small_exponent, exponent_width + 1);
        let gap = self.word_sub(&wide_large, &wide_small);
        // With a zero operand the gap means nothing, and the shifted significand is zero anyway.
        let pad = |word: &[Lit]| {
            let mut padded = vec![zero; 3];
            padded.extend_from_slice(word);
            padded.push(zero);
            padded
        };
        let (large, small) = (pad(&large), pad(&small));
        let small = self.word_shift_right_sticky(&small, &gap);
        let differ = self.xor(a.sign, b.sign);
        let added: Word = small.iter().map(|&bit| self.xor(bit, differ)).collect();
        let (sum, carry) = self.word_add_carry(&large, &added, differ);
        // A subtraction without carry went below zero: equal exponents and the smaller significand first.
        let is_negative = self.and(differ, !carry);
        let negated = self.word_negate(&sum);
        let sum = self.word_ite(is_negative, &negated, &sum);
        let sign = self.xor(large_sign, is_negative);
        let sum_is_zero = self.word_is_zero(&sum);
        let (normal, distance) = self.word_normalise(&sum);
        // The top bit of the padded word stands for one exponent more.
        let width = exponent_width + 2;
        let exponent = self.word_sign_extend(&large_exponent, width);
        let (exponent, _) = {
            let one = self.truth();
            self.word_increment_if(&exponent, one)
        };
        let distance = self.word_zero_extend(&distance, width);
        let exponent = self.word_sub(&exponent, &distance[..width]);
        let finite = self.float_round(format, rounding, sign, &exponent, &normal);

        // An exact zero: the common sign, or negative only when rounding toward negative.
        let both_zero = self.and(a.is_zero, b.is_zero);
        let same = self.and(both_zero, !differ);
        let zero_sign = self.ite(same, a.sign, rounding.toward_negative);
        let zero_word = self.float_zero(format, zero_sign);
        let is_zero = self.or(sum_is_zero, both_zero);
        let result = self.word_ite(is_zero, &zero_word, &finite);
        let infinity_sign = self.ite(a.is_infinite, a.sign, b.sign);
        let infinity = self.float_infinity(format, infinity_sign);
        let any_infinite = self.or(a.is_infinite, b.is_infinite);
        let result = self.word_ite(any_infinite, &infinity, &result);
        let opposite = self.and_all([a.is_infinite, b.is_infinite, differ]);
        let is_nan = self.or_all([a.is_nan, b.is_nan, opposite]);
        let nan = self.float_nan(format);
        self.word_ite(is_nan, &nan, &result)
    }

    /// Sign, exponent and exact significand of a product, normalised.
    fn multiply_exactly(&mut self, a: &Unpacked, b: &Unpacked) -> (Lit, Word, Word) {
        let size = a.significand.len();
        let sign = self.xor(a.sign, b.sign);
        let (wide_a, wide_b) =
            (self.word_zero_extend(&a.significand, 2 * size), self.word_zero_extend(&b.significand, 2 * size));
        let product = self.word_mul(&wide_a, &wide_b);
        let width = a.exponent.len() + 2;
        let (exponent_a, exponent_b) =
            (self.word_sign_extend(&a.exponent, width), self.word_sign_extend(&b.exponent, width));
        let top = product[2 * size - 1];
        // 1.x times 1.y is in [1, 4): a set top bit is the exponent's carry.
        let (exponent, _) = self.word_add_carry(&exponent_a, &exponent_b, top);
        let mut moved = vec![self.constant(false)];
        moved.extend_from_slice(&product[..2 * size - 1]);
        let significand = self.word_ite(top, &product, &moved);
        (sign, exponent, significand)
    }

    pub fn float_mul(&mut self, format: Format, rounding: &Rounding, a: &[Lit], b: &[Lit]) -> Word {
        let (a, b) = (self.float_unpack(format, a), self.float_unpack(format, b));
        let (sign, exponent, significand) = self.multiply_exactly(&a, &b);
        let finite = self.float_round(format, rounding, sign, &exponent, &significand);
        let is_zero = self.or(a.is_zero, b.is_zero);
        let is_infinite = self.or(a.is_infinite, b.is_infinite);
        let undefined = self.and(is_zero, is_infinite);
        let is_nan = self.or_all([a.is_nan, b.is_nan, undefined]);
        self.choose_special(format, sign, is_nan, is_infinite, is_zero, &finite)
    }

    pub fn float_div(&mut self, format: Format, rounding: &Rounding, a: &[Lit], b: &[Lit]) -> Word {
        let (a, b) = (self.float_unpack(format, a), self.float_unpack(format, b));
        let size = format.significand;
        let zero = self.constant(false);
        let sign = self.xor(a.sign, b.sign);
        // a * 2^(size + 2) / b has size + 2 or size + 3 bits; the remainder makes it sticky.
        let mut dividend = vec![zero; size + 2];
        dividend.extend_from_slice(&a.significand);
        let divisor = self.word_zero_extend(&b.significand, dividend.len());
        let (quotient, remainder) = self.word_divide(&dividend, &divisor);
        let sticky = self.or_all(remainder[..size + 1].iter().copied());
        let mut quotient = quotient[..size + 3].to_vec();
        quotient.insert(0, sticky);
        let top = quotient[size + 3];
        let mut moved = vec![zero];
        moved.extend_from_slice(&quotient[..size + 3]);
        let significand = self.word_ite(top, &quotient, &moved);
        let width = a.exponent.len() + 2;
        let (exponent_a, exponent_b) =
            (self.word_sign_extend(&a.exponent, width), self.word_sign_extend(&b.exponent, width));
        let not_b = self.word_not(&exponent_b);
        // Minus one when the quotient is below one: a + !b + 1 - 1.
        let (exponent, _) = self.word_add_carry(&exponent_a, &not_b, top);
        let finite = self.float_round(format, rounding, sign, &exponent, &significand);
        let is_infinite = self.or(a.is_infinite, b.is_zero);
        let is_zero = self.or(a.is_zero, b.is_infinite);
        let both_zero = self.and(a.is_zero, b.is_zero);
        let both_infinite = self.and(a.is_infinite, b.is_infinite);
        let is_nan = self.or_all([a.is_nan, b.is_nan, both_zero, both_infinite]);
        self.choose_special(format, sign, is_nan, is_infinite, is_zero, &finite)
    }

    fn choose_special(
        &mut self,
        format: Format,
        sign: Lit,
        is_nan: Lit,
        is_infinite: Lit,
        is_zero: Lit,
        finite: &[Lit],
    ) -> Word {
        let zero = self.float_zero(format, sign);
        let infinity = self.float_infinity(format, sign);
        let nan = self.float_nan(format);
        let result = self.word_ite(is_zero, &zero, finite);
        let result = self.word_ite(is_infinite, &infinity, &result);
        self.word_ite(is_nan, &nan, &result)
    }

    /// `a * b + c` with one rounding: the exact product is a float of double width.
    pub fn float_fma(&mut self, format: Format, rounding: &Rounding, a: &[Lit], b: &[Lit], c: &[Lit]) -> Word {
        let (a, b, c) = (self.float_unpack(format, a), self.float_unpack(format, b), self.float_unpack(format, c));
        let (sign, exponent, significand) = self.multiply_exactly(&a, &b);
        let any_zero = self.or(a.is_zero, b.is_zero);
        let any_infinite = self.or(a.is_infinite, b.is_infinite);
        let undefined = self.and(any_zero, any_infinite);
        let product_is_nan = self.or_all([a.is_nan, b.is_nan, undefined]);
        let mut wide_c = vec![self.constant(false); format.significand];
        wide_c.extend_from_slice(&c.significand);
        let product = Unpacked {
            is_nan: product_is_nan,
            is_infinite: any_infinite,
            is_zero: any_zero,
            sign,
            significand,
            exponent: exponent.clone(),
        };
        let addend =
            Unpacked { exponent: self.word_sign_extend(&c.exponent, exponent.len()), significand: wide_c, ..c };
        self.add_unpacked(format, rounding, &product, &addend)
    }

    pub fn float_sqrt(&mut self, format: Format, rounding: &Rounding, a: &[Lit]) -> Word {
        let bits = a.to_vec();
        let a = self.float_unpack(format, a);
        let zero = self.constant(false);
        let size = format.significand;
        // An odd exponent doubles the significand. The root of a value in [1, 4) is in [1, 2).
        let is_odd = a.exponent[0];
        let mut radicand = vec![zero; size + 5];
        radicand.extend_from_slice(&a.significand);
        radicand.push(zero);
        let mut doubled = vec![zero];
        doubled.extend_from_slice(&radicand[..radicand.len() - 1]);
        let mut radicand = self.word_ite(is_odd, &doubled, &radicand);
        // The unit stands at place 2 * size + 4, an even one.
        if radicand.len() % 2 == 1 {
            radicand.push(zero);
        }
        let (root, remainder) = self.word_square_root(&radicand);
        let sticky = self.or_all(remainder.iter().copied());
        // root has the unit at place size + 2.
        let mut significand = vec![sticky];
        significand.extend_from_slice(&root[..size + 3]);
        let mut half = a.exponent[1..].to_vec();
        half.push(a.exponent[a.exponent.len() - 1]);
        let finite = self.float_round(format, rounding, zero, &half, &significand);
        let negative = self.and(a.sign, !a.is_zero);
        let is_nan = self.or(a.is_nan, negative);
        let unchanged = self.or(a.is_zero, a.is_infinite);
        let result = self.word_ite(unchanged, &bits, &finite);
        let nan = self.float_nan(format);
        self.word_ite(is_nan, &nan, &result)
    }

    /// Integer square root, digit by digit: root and remainder. The length must be even.
    fn word_square_root(&mut self, a: &[Lit]) -> (Word, Word) {
        let zero = self.constant(false);
        let digits = a.len() / 2;
        let width = digits + 2;
        let mut root: Word = vec![zero; digits];
        let mut remainder: Word = vec![zero; width];
        for digit in (0..digits).rev() {
            if self.sat.is_interrupted {
                break;
            }
            // remainder = 4 * remainder + next two bits; trial = 4 * root + 1, of the digits so far.
            let mut next = vec![a[2 * digit], a[2 * digit + 1]];
            next.extend_from_slice(&remainder[..width - 2]);
            // The remainder is at most twice the root, so the bits cut off above are zero.
            let mut trial = vec![self.truth(), zero];
            trial.extend(root[digit + 1..].iter().copied());
            let mut trial = self.word_zero_extend(&trial, width + 1);
            trial.truncate(width + 1);
            let next_wide = {
                let mut wide = vec![a[2 * digit], a[2 * digit + 1]];
                wide.extend_from_slice(&remainder[..width - 1]);
                wide
            };
            let not_trial = self.word_not(&trial);
            let one = self.truth();
            let (difference, fits) = self.word_add_carry(&next_wide, &not_trial, one);
            root[digit] = fits;
            let wide = self.word_ite(fits, &difference, &next_wide);
            remainder = wide[..width].to_vec();
        }
        (root, remainder)
    }
}
