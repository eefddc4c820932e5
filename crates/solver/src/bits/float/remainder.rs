//! IEEE remainder: `x - y * n` with `n` the integer nearest to `x / y`, ties to even.
//!
//! Long division, one step for each possible difference of exponents: for half and single precision only; wider formats
//! would need thousands of subtractions.

use super::Format;
use crate::bits::{Builder, Word};
use crate::sat::Lit;

impl Builder<'_> {
    /// Whether [`Builder::float_rem`] is offered for the format.
    pub fn float_rem_is_feasible(format: Format) -> bool {
        format.exponent <= 8
    }

    pub fn float_rem(&mut self, format: Format, x_bits: &[Lit], y_bits: &[Lit]) -> Word {
        let (x, y) = (self.float_unpack(format, x_bits), self.float_unpack(format, y_bits));
        let zero = self.constant(false);
        let size = format.significand;
        let width = x.exponent.len() + 1;
        let (exponent_x, exponent_y) =
            (self.word_sign_extend(&x.exponent, width), self.word_sign_extend(&y.exponent, width));
        let gap = self.word_sub(&exponent_x, &exponent_y);
        // With a gap below -1, |x| < |y| / 2 and the result is x.
        let minus_one = self.word_i64(-1, width);
        let is_tiny = self.word_slt(&gap, &minus_one);
        let is_half = self.word_eq(&gap, &minus_one);
        let largest = 2 * format.bias() + size as i64 + 1;

        let room = size + 2;
        let divisor = self.word_zero_extend(&y.significand, room);
        let mut remainder = self.word_zero_extend(&x.significand, room);
        let mut is_odd = zero;
        // Step `k` is active while k <= gap: subtract if possible, then double for the next one.
        for step in 0..=largest {
            if self.sat.is_interrupted {
                break;
            }
            let number = self.word_i64(step, width);
            let is_active = self.word_sle(&number, &gap);
            let mut shifted = vec![zero];
            shifted.extend_from_slice(&remainder[..room - 1]);
            let current = if step == 0 { remainder.clone() } else { self.word_ite(is_active, &shifted, &remainder) };
            let not_divisor = self.word_not(&divisor);
            let one = self.truth();
            let (difference, fits) = self.word_add_carry(&current, &not_divisor, one);
            let subtract = self.and(fits, is_active);
            remainder = self.word_ite(subtract, &difference, &current);
            is_odd = self.ite(is_active, fits, is_odd);
        }
        // Now |x| = n * |y| + remainder in units of y's last place (for a gap of -1: of half of it). Round n to nearest.
        let mut twice = vec![zero];
        twice.extend_from_slice(&remainder);
        let mut divisor_wide = divisor.clone();
        divisor_wide.push(zero);
        let mut twice_divisor = vec![zero];
        twice_divisor.extend_from_slice(&divisor);
        // Under a gap of -1 the remainder counts half units: compare it with the divisor itself, doubled later.
        let compared = self.word_ite(
            is_half,
            &{
                let mut r = remainder.clone();
                r.push(zero);
                r
            },
            &twice,
        );
        let above = self.word_ult(&divisor_wide, &compared);
        let equal = self.word_eq(&divisor_wide, &compared);
        let tie = self.and(equal, is_odd);
        let round_up = self.or(above, tie);
        let minuend = self.word_ite(is_half, &twice_divisor, &divisor_wide);
        let mut plain = remainder.clone();
        plain.push(zero);
        let complement = self.word_sub(&minuend, &plain);
        let magnitude = self.word_ite(round_up, &complement, &plain);
        let sign = self.xor(x.sign, round_up);
        let is_zero = self.word_is_zero(&magnitude);

        let (significand, distance) = self.word_normalise(&magnitude);
        // The unit of y's significand stands at place size - 1 of size + 3; half units lower the exponent by one.
        let wide = width + 2;
        let exponent = self.word_sign_extend(&exponent_y, wide);
        let offset = self.word_i64(significand.len() as i64 - size as i64, wide);
        let exponent = self.word_add(&exponent, &offset);
        let distance = self.word_zero_extend(&distance, wide);
        let exponent = self.word_sub(&exponent, &distance[..wide]);
        let half: Word = vec![is_half; wide];
        let exponent = self.word_add(&exponent, &half);
        // The result is exact, so any mode will do.
        let rounding = super::Rounding {
            nearest_even: self.truth(),
            nearest_away: zero,
            toward_positive: zero,
            toward_negative: zero,
            toward_zero: zero,
        };
        let finite = self.float_round(format, &rounding, sign, &exponent, &significand);
        let zero_word = self.float_zero(format, x.sign);
        let result = self.word_ite(is_zero, &zero_word, &finite);
        let keep = self.or_all([is_tiny, y.is_infinite, x.is_zero]);
        let result = self.word_ite(keep, x_bits, &result);
        let is_nan = self.or_all([x.is_nan, y.is_nan, x.is_infinite, y.is_zero]);
        let nan = self.float_nan(format);
        self.word_ite(is_nan, &nan, &result)
    }
}
