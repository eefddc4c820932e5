//! Words of bits: arithmetic, comparison, selection. Least significant bit first.

use super::{Builder, Word};
use crate::sat::Lit;
use num_bigint::BigUint;

impl Builder<'_> {
    pub fn word_constant(&self, value: &BigUint, width: usize) -> Word {
        (0..width).map(|bit| self.constant(value.bit(bit as u64))).collect()
    }
    pub fn word_u64(&self, value: u64, width: usize) -> Word {
        (0..width).map(|bit| self.constant(bit < 64 && value >> bit & 1 == 1)).collect()
    }
    pub fn word_fresh(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.fresh()).collect()
    }
    pub fn word_not(&self, a: &[Lit]) -> Word {
        a.iter().map(|&bit| !bit).collect()
    }
    pub fn word_map(&mut self, a: &[Lit], b: &[Lit], mut gate: impl FnMut(&mut Self, Lit, Lit) -> Lit) -> Word {
        a.iter().zip(b).map(|(&x, &y)| gate(self, x, y)).collect()
    }
    pub fn word_ite(&mut self, condition: Lit, then: &[Lit], other: &[Lit]) -> Word {
        then.iter().zip(other).map(|(&x, &y)| self.ite(condition, x, y)).collect()
    }
    pub fn word_as_constant(&self, a: &[Lit]) -> Option<BigUint> {
        let mut value = BigUint::default();
        for (bit, &literal) in a.iter().enumerate() {
            value.set_bit(bit as u64, self.as_constant(literal)?);
        }
        Some(value)
    }

    /// The sum and the carry out.
    pub fn word_add_carry(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> (Word, Lit) {
        let mut carry = carry;
        let mut sum = Word::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            sum.push(self.xor3(x, y, carry));
            carry = self.majority(x, y, carry);
        }
        (sum, carry)
    }
    /// The sum without the last carry, whose gate would be of no use.
    pub fn word_add(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let zero = self.constant(false);
        self.add_mod(a, b, zero)
    }
    fn add_mod(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> Word {
        let mut carry = carry;
        let mut sum = Word::with_capacity(a.len());
        for (at, (&x, &y)) in a.iter().zip(b).enumerate() {
            sum.push(self.xor3(x, y, carry));
            if at + 1 < a.len() {
                carry = self.majority(x, y, carry);
            }
        }
        sum
    }
    pub fn word_sub(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let b = self.word_not(b);
        let one = self.truth();
        self.add_mod(a, &b, one)
    }
    pub fn word_negate(&mut self, a: &[Lit]) -> Word {
        let zero = self.word_u64(0, a.len());
        self.word_sub(&zero, a)
    }
    pub fn word_increment_if(&mut self, a: &[Lit], condition: Lit) -> (Word, Lit) {
        let zero = self.word_u64(0, a.len());
        self.word_add_carry(a, &zero, condition)
    }
    pub fn word_abs(&mut self, a: &[Lit]) -> Word {
        let Some(&sign) = a.last() else { return Word::new() };
        let negated = self.word_negate(a);
        self.word_ite(sign, &negated, a)
    }

    /// The product modulo 2^width of the first operand.
    pub fn word_mul(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let width = a.len();
        let constants =
            |builder: &Self, word: &[Lit]| word.iter().filter(|&&bit| builder.as_constant(bit).is_some()).count();
        // The operand with more constant bits selects the rows.
        let (rows, other) = if constants(self, a) > constants(self, b) { (a, b) } else { (b, a) };
        if let Some(value) = self.word_as_constant(rows) {
            return self.mul_constant(other, &value, width);
        }
        let mut sum: Option<Word> = None;
        for (shift, &row) in rows.iter().enumerate() {
            if self.sat.is_interrupted {
                break;
            }
            if self.as_constant(row) == Some(false) {
                continue;
            }
            let zero = self.constant(false);
            let partial: Word =
                (0..width).map(|at| if at < shift { zero } else { self.and(row, other[at - shift]) }).collect();
            sum = Some(match sum {
                None => partial,
                Some(sum) => {
                    let high = self.word_add(&sum[shift..], &partial[shift..]);
                    sum[..shift].iter().copied().chain(high).collect()
                }
            });
        }
        sum.unwrap_or_else(|| self.word_u64(0, width))
    }

    /// Non-adjacent form: a run of ones costs one addition and one subtraction.
    fn mul_constant(&mut self, a: &[Lit], value: &BigUint, width: usize) -> Word {
        let mut digits: Vec<i8> = (0..=width).map(|bit| i8::from(bit < width && value.bit(bit as u64))).collect();
        for at in 0..width {
            if digits[at] == 2 {
                digits[at] = 0;
                digits[at + 1] += 1;
            } else if digits[at] == 1 && digits[at + 1] == 1 {
                digits[at] = -1;
                digits[at + 1] = 2;
            }
        }
        let mut sum = self.word_u64(0, width);
        for at in 0..width {
            let high = match digits[at] {
                1 => self.word_add(&sum[at..], &a[..width - at]),
                -1 => self.word_sub(&sum[at..], &a[..width - at]),
                _ => continue,
            };
            sum.truncate(at);
            sum.extend(high);
        }
        sum
    }

    pub fn word_eq(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let bits: Vec<Lit> = a.iter().zip(b).map(|(&x, &y)| self.iff(x, y)).collect();
        self.and_all(bits)
    }
    pub fn word_is_zero(&mut self, a: &[Lit]) -> Lit {
        let any = self.or_all(a.iter().copied());
        !any
    }
    /// Unsigned `a < b`: no carry out of `a + !b + 1`.
    pub fn word_ult(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut borrow = self.constant(false);
        for (&x, &y) in a.iter().zip(b) {
            borrow = self.majority(!x, y, borrow);
        }
        borrow
    }
    pub fn word_ule(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        !self.word_ult(b, a)
    }
    pub fn word_slt(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (a, b) = (Self::flip_sign(a), Self::flip_sign(b));
        self.word_ult(&a, &b)
    }
    pub fn word_sle(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        !self.word_slt(b, a)
    }
    fn flip_sign(a: &[Lit]) -> Word {
        let mut word = a.to_vec();
        if let Some(sign) = word.last_mut() {
            *sign = !*sign;
        }
        word
    }
    pub fn word_zero_extend(&self, a: &[Lit], width: usize) -> Word {
        let mut word = a.to_vec();
        word.resize(width.max(a.len()), self.constant(false));
        word
    }
    pub fn word_sign_extend(&self, a: &[Lit], width: usize) -> Word {
        let mut word = a.to_vec();
        let sign = a.last().copied().unwrap_or(self.constant(false));
        word.resize(width.max(a.len()), sign);
        word
    }
}
