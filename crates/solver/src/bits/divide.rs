//! Division of words with the values of SMT-LIB for division by zero: quotient all ones, remainder the dividend.

use super::{Builder, Word};
use crate::sat::Lit;

impl Builder<'_> {
    /// Quotient and remainder of unsigned words by restoring division. With a zero divisor each step subtracts nothing
    /// and succeeds, which is just SMT-LIB's convention.
    pub fn word_divide(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let zero = self.constant(false);
        let mut quotient = vec![zero; width];
        // The remainder is below the divisor before each step, so one bit more is enough for it shifted.
        let mut remainder = vec![zero; width];
        let mut wide_b = b.to_vec();
        wide_b.push(zero);
        for step in (0..width).rev() {
            if self.sat.is_interrupted {
                break;
            }
            let mut shifted = Vec::with_capacity(width + 1);
            shifted.push(a[step]);
            shifted.extend_from_slice(&remainder);
            let not_b = self.word_not(&wide_b);
            let one = self.truth();
            let (difference, fits) = self.word_add_carry(&shifted, &not_b, one);
            quotient[step] = fits;
            remainder = (0..width).map(|at| self.ite(fits, difference[at], shifted[at])).collect();
        }
        (quotient, remainder)
    }

    pub fn word_udiv(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.word_divide(a, b).0
    }
    pub fn word_urem(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.word_divide(a, b).1
    }
    pub fn word_sdiv(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let (Some(&sign_a), Some(&sign_b)) = (a.last(), b.last()) else { return Word::new() };
        let (abs_a, abs_b) = (self.word_abs(a), self.word_abs(b));
        let quotient = self.word_udiv(&abs_a, &abs_b);
        let negated = self.word_negate(&quotient);
        let differ = self.xor(sign_a, sign_b);
        self.word_ite(differ, &negated, &quotient)
    }
    /// The sign follows the dividend.
    pub fn word_srem(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let Some(&sign_a) = a.last() else { return Word::new() };
        let (abs_a, abs_b) = (self.word_abs(a), self.word_abs(b));
        let remainder = self.word_urem(&abs_a, &abs_b);
        let negated = self.word_negate(&remainder);
        self.word_ite(sign_a, &negated, &remainder)
    }
    /// The sign follows the divisor.
    pub fn word_smod(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let (Some(&sign_a), Some(&sign_b)) = (a.last(), b.last()) else { return Word::new() };
        let (abs_a, abs_b) = (self.word_abs(a), self.word_abs(b));
        let remainder = self.word_urem(&abs_a, &abs_b);
        let is_zero = self.word_is_zero(&remainder);
        let negated = self.word_negate(&remainder);
        let signed = self.word_ite(sign_a, &negated, &remainder);
        let moved = self.word_add(&signed, b);
        let differ = self.xor(sign_a, sign_b);
        let moves = self.and(differ, !is_zero);
        self.word_ite(moves, &moved, &signed)
    }
}
