//! Constants without detours: most of what programs compute is known, and small. Operations on known numbers are done on
//! machine integers, and the terms of small numbers are found without building and looking them up in the pool.

use super::terms::SymbolicDomain;
use crate::scalar::Scalar;
use quod_base::Id;
use quod_model::ir::BinaryOp;
use quod_term::Term;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// What is known of a term.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Small {
    NotLooked,
    /// No constant, or not a small one.
    Other,
    Integer(i64),
    /// A bit-vector of at most 64 bits.
    Bits(u8, u64),
}

/// Caches of a domain; they say nothing that the pool does not.
#[derive(Default)]
pub(super) struct Constants {
    values: RefCell<Vec<Small>>,
    integers: RefCell<FxHashMap<i64, Term>>,
    bits: RefCell<FxHashMap<(u8, u64), Term>>,
}

impl SymbolicDomain {
    fn small(&self, term: Term) -> Small {
        let index = term.index();
        let mut values = self.constants.values.borrow_mut();
        match values.get(index) {
            Some(Small::NotLooked) => {}
            Some(&known) => return known,
            None => values.resize(index + 64, Small::NotLooked),
        }
        use num_traits::ToPrimitive;
        let small = match self.pool.value(term) {
            Some(quod_term::Value::Int(value)) => {
                value.to_bigint().and_then(|value| value.to_i64()).map_or(Small::Other, Small::Integer)
            }
            Some(quod_term::Value::BitVec(bits)) if bits.width() <= 64 => {
                bits.to_biguint().to_u64().map_or(Small::Other, |raw| Small::Bits(bits.width() as u8, raw))
            }
            _ => Small::Other,
        };
        values[index] = small;
        small
    }

    /// The number that a constant is for this kind.
    #[inline]
    pub(super) fn small_number(&self, term: Term, scalar: Scalar) -> Option<i128> {
        match self.small(term) {
            Small::Integer(value) => Some(i128::from(value)),
            Small::Bits(width, raw) if scalar.is_signed() => {
                let shift = 64 - u32::from(width);
                Some(i128::from((raw << shift) as i64 >> shift))
            }
            Small::Bits(_, raw) => Some(i128::from(raw)),
            Small::NotLooked | Small::Other => None,
        }
    }

    /// The term of a number of an integer kind, wrapped to its width; none where it must be built the long way.
    #[inline]
    pub(super) fn small_term(&self, value: i128, scalar: Scalar) -> Option<Term> {
        if scalar == Scalar::Integer {
            let key = i64::try_from(value).ok()?;
            if let Some(&term) = self.constants.integers.borrow().get(&key) {
                return Some(term);
            }
            let term = self.pool.int(key);
            self.constants.integers.borrow_mut().insert(key, term);
            return Some(term);
        }
        let width = scalar.int_format().map(|format| format.bits).filter(|&bits| bits <= 64)?;
        let key = (width as u8, value as u64 & (u64::MAX >> (64 - width)));
        if let Some(&term) = self.constants.bits.borrow().get(&key) {
            return Some(term);
        }
        let big = num_bigint::BigUint::from(key.1);
        let term = self.pool.bv_value(quod_term::BitVector::from_biguint(width, &big));
        self.constants.bits.borrow_mut().insert(key, term);
        Some(term)
    }

    fn is_integer(scalar: Scalar) -> bool {
        scalar == Scalar::Integer || scalar.int_format().is_some_and(|format| format.bits <= 64)
    }

    fn small_pair(&self, scalar: Scalar, a: Term, b: Term) -> Option<(i128, i128)> {
        if !Self::is_integer(scalar) {
            return None;
        }
        Some((self.small_number(a, scalar)?, self.small_number(b, scalar)?))
    }

    #[inline]
    pub(super) fn small_binary(&self, op: BinaryOp, scalar: Scalar, a: Term, b: Term) -> Option<Term> {
        let (a, b) = self.small_pair(scalar, a, b)?;
        let is_bits = scalar != Scalar::Integer;
        let result = match op {
            BinaryOp::Add => a + b,
            BinaryOp::Subtract => a - b,
            // Of at most 64 bits, of which only the low half can be cut off.
            BinaryOp::Multiply => a.wrapping_mul(b),
            BinaryOp::Divide if b != 0 => a / b,
            BinaryOp::Remainder if b != 0 => a % b,
            BinaryOp::BitAnd if is_bits => a & b,
            BinaryOp::BitOr if is_bits => a | b,
            BinaryOp::BitXor if is_bits => a ^ b,
            _ => return None,
        };
        self.small_term(result, scalar)
    }

    #[inline]
    pub(super) fn small_compare(&self, op: BinaryOp, scalar: Scalar, a: Term, b: Term) -> Option<bool> {
        let (a, b) = self.small_pair(scalar, a, b)?;
        Some(match op {
            BinaryOp::Equal => a == b,
            BinaryOp::NotEqual => a != b,
            BinaryOp::Less => a < b,
            BinaryOp::LessEqual => a <= b,
            BinaryOp::Greater => a > b,
            BinaryOp::GreaterEqual => a >= b,
            _ => return None,
        })
    }

    #[inline]
    pub(super) fn small_convert(&self, from: Scalar, to: Scalar, a: Term) -> Option<Term> {
        if !Self::is_integer(from) || !Self::is_integer(to) {
            return None;
        }
        let value = self.small_number(a, from)?;
        let is_truth = to == Scalar::Bool || from == Scalar::Bool;
        self.small_term(if is_truth { i128::from(value != 0) } else { value }, to)
    }

    /// A signed operation on known numbers has a result of its width.
    pub(super) fn small_fits(&self, op: BinaryOp, scalar: Scalar, a: Term, b: Term) -> Option<bool> {
        let bits = scalar.int_format().filter(|format| format.is_signed)?.bits;
        let (a, b) = self.small_pair(scalar, a, b)?;
        let result = match op {
            BinaryOp::Add => a + b,
            BinaryOp::Subtract => a - b,
            BinaryOp::Multiply => a * b,
            _ => return None,
        };
        let limit = 1i128 << (bits - 1);
        Some(-limit <= result && result < limit)
    }
}
