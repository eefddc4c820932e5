//! Comparison and classification of floats, and what only touches the sign.

use super::Format;
use crate::bits::{Builder, Word};
use crate::sat::Lit;

impl Builder<'_> {
    pub fn float_is_nan(&mut self, format: Format, a: &[Lit]) -> Lit {
        self.float_special(format, a).1
    }
    pub fn float_is_infinite(&mut self, format: Format, a: &[Lit]) -> Lit {
        let (all_ones, is_nan) = self.float_special(format, a);
        self.and(all_ones, !is_nan)
    }
    pub fn float_is_zero(&mut self, format: Format, a: &[Lit]) -> Lit {
        self.word_is_zero(&a[..format.width() - 1])
    }
    fn has_zero_exponent(&mut self, format: Format, a: &[Lit]) -> Lit {
        let fraction = format.significand - 1;
        self.word_is_zero(&a[fraction..fraction + format.exponent])
    }
    pub fn float_is_subnormal(&mut self, format: Format, a: &[Lit]) -> Lit {
        let low = self.has_zero_exponent(format, a);
        let zero = self.float_is_zero(format, a);
        self.and(low, !zero)
    }
    pub fn float_is_normal(&mut self, format: Format, a: &[Lit]) -> Lit {
        let low = self.has_zero_exponent(format, a);
        let (high, _) = self.float_special(format, a);
        self.and(!low, !high)
    }
    pub fn float_is_negative(&mut self, format: Format, a: &[Lit]) -> Lit {
        let nan = self.float_is_nan(format, a);
        self.and(!nan, a[format.width() - 1])
    }
    pub fn float_is_positive(&mut self, format: Format, a: &[Lit]) -> Lit {
        let nan = self.float_is_nan(format, a);
        self.and(!nan, !a[format.width() - 1])
    }

    /// The one NaN stays as it is.
    pub fn float_negate(&mut self, format: Format, a: &[Lit]) -> Word {
        let nan = self.float_is_nan(format, a);
        let mut word = a.to_vec();
        let sign = format.width() - 1;
        let negated = !word[sign];
        word[sign] = self.and(negated, !nan);
        word
    }
    pub fn float_abs(&mut self, format: Format, a: &[Lit]) -> Word {
        let mut word = a.to_vec();
        word[format.width() - 1] = self.constant(false);
        word
    }

    /// `fp.eq`: zeros are equal, NaN is not.
    pub fn float_eq(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Lit {
        let same = self.word_eq(a, b);
        let (zero_a, zero_b) = (self.float_is_zero(format, a), self.float_is_zero(format, b));
        let zeros = self.and(zero_a, zero_b);
        let equal = self.or(same, zeros);
        let nan = self.float_is_nan(format, a);
        let nan_b = self.float_is_nan(format, b);
        self.and_all([equal, !nan, !nan_b])
    }
    pub fn float_lt(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Lit {
        let top = format.width() - 1;
        let (sign_a, sign_b) = (a[top], b[top]);
        let less = self.word_ult(&a[..top], &b[..top]);
        let greater = self.word_ult(&b[..top], &a[..top]);
        let (zero_a, zero_b) = (self.float_is_zero(format, a), self.float_is_zero(format, b));
        let zeros = self.and(zero_a, zero_b);
        let both_positive = self.and_all([!sign_a, !sign_b, less]);
        let both_negative = self.and_all([sign_a, sign_b, greater]);
        let mixed = self.and_all([sign_a, !sign_b, !zeros]);
        let result = self.or_all([both_positive, both_negative, mixed]);
        let (nan_a, nan_b) = (self.float_is_nan(format, a), self.float_is_nan(format, b));
        self.and_all([result, !nan_a, !nan_b])
    }
    pub fn float_le(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Lit {
        let less = self.float_lt(format, a, b);
        let equal = self.float_eq(format, a, b);
        self.or(less, equal)
    }
    /// For zeros of different sign SMT-LIB leaves the choice open; we take the second operand, as the evaluator does.
    pub fn float_min(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Word {
        let less = self.float_lt(format, a, b);
        self.pick(format, less, a, b)
    }
    pub fn float_max(&mut self, format: Format, a: &[Lit], b: &[Lit]) -> Word {
        let greater = self.float_lt(format, b, a);
        self.pick(format, greater, a, b)
    }
    fn pick(&mut self, format: Format, first: Lit, a: &[Lit], b: &[Lit]) -> Word {
        let nan_b = self.float_is_nan(format, b);
        let first = self.or(first, nan_b);
        self.word_ite(first, a, b)
    }
}
