//! Arithmetic on terms: machine integers as bit-vectors, floats as SMT-LIB has them, ideal integers and reals.

use super::terms::SymbolicDomain;
use crate::scalar::Scalar;
use quod_model::ir::{BinaryOp, UnaryOp};
use quod_term::{RoundingMode, Sort, Term};

/// What a kind of scalar is computed with.
pub(super) enum Class {
    Bits { is_signed: bool },
    Float,
    Integer,
    Real,
}

pub(super) fn class(scalar: Scalar) -> Class {
    match scalar {
        Scalar::Integer => Class::Integer,
        Scalar::Real => Class::Real,
        _ => match scalar.int_format() {
            Some(format) => Class::Bits { is_signed: format.is_signed },
            None => Class::Float,
        },
    }
}

impl SymbolicDomain {
    pub(super) fn sort(&self, scalar: Scalar) -> Sort {
        match scalar {
            Scalar::Integer => Sort::INT,
            Scalar::Real => Sort::REAL,
            Scalar::F16 => Sort::FLOAT16,
            Scalar::F32 => Sort::FLOAT32,
            Scalar::F64 => Sort::FLOAT64,
            Scalar::F80 => Sort::FLOAT80,
            Scalar::F128 => Sort::FLOAT128,
            _ => Sort::bit_vec(scalar.int_format().map_or(64, |format| format.bits)),
        }
    }

    pub(super) fn nearest(&self) -> Term {
        self.pool.rounding_mode(RoundingMode::NearestEven)
    }

    pub(super) fn unary_term(&self, op: UnaryOp, scalar: Scalar, a: Term) -> Term {
        let pool = &self.pool;
        match (op, class(scalar)) {
            (UnaryOp::Negate, Class::Bits { .. }) => pool.bv_neg(a),
            (UnaryOp::Negate, Class::Float) => pool.fp_neg(a),
            (UnaryOp::Negate, _) => pool.neg(a),
            (UnaryOp::BitNot, Class::Bits { .. }) => pool.bv_not(a),
            // `~x` of a mathematical integer: -x - 1.
            (UnaryOp::BitNot, _) => pool.sub(pool.neg(a), self.integer_term(1, scalar)),
            (UnaryOp::Not, _) => {
                let zero = self.zero_term(scalar);
                self.from_condition(self.equal(scalar, a, zero), scalar)
            }
        }
    }

    /// Division truncates, as C's does.
    pub(super) fn binary_term(&self, op: BinaryOp, scalar: Scalar, a: Term, b: Term) -> Option<Term> {
        use BinaryOp::*;
        let pool = &self.pool;
        Some(match (op, class(scalar)) {
            (Add, Class::Bits { .. }) => pool.bv_add(a, b),
            (Subtract, Class::Bits { .. }) => pool.bv_sub(a, b),
            (Multiply, Class::Bits { .. }) => pool.bv_mul(a, b),
            (Divide, Class::Bits { is_signed: true }) => pool.bv_sdiv(a, b),
            (Divide, Class::Bits { is_signed: false }) => pool.bv_udiv(a, b),
            (Remainder, Class::Bits { is_signed: true }) => pool.bv_srem(a, b),
            (Remainder, Class::Bits { is_signed: false }) => pool.bv_urem(a, b),
            (BitAnd, Class::Bits { .. }) => pool.bv_and(a, b),
            (BitOr, Class::Bits { .. }) => pool.bv_or(a, b),
            (BitXor, Class::Bits { .. }) => pool.bv_xor(a, b),
            (Add, Class::Float) => pool.fp_add(self.nearest(), a, b),
            (Subtract, Class::Float) => pool.fp_sub(self.nearest(), a, b),
            (Multiply, Class::Float) => pool.fp_mul(self.nearest(), a, b),
            (Divide, Class::Float) => pool.fp_div(self.nearest(), a, b),
            (Add, _) => pool.add(&[a, b]),
            (Subtract, _) => pool.sub(a, b),
            (Multiply, _) => pool.mul(&[a, b]),
            (Divide, Class::Real) => pool.div(a, b),
            (Divide, Class::Integer) => self.truncated_quotient(a, b),
            (Remainder, Class::Integer) => pool.sub(a, pool.mul(&[b, self.truncated_quotient(a, b)])),
            _ => return None,
        })
    }

    /// Bits of ideal integers that are constants.
    pub(super) fn binary_known(&self, op: BinaryOp, scalar: Scalar, a: Term, b: Term) -> Option<Term> {
        let (a, b) = (self.known(a, scalar)?, self.known(b, scalar)?);
        let result = match op {
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            _ => return None,
        };
        (scalar == Scalar::Integer).then(|| self.integer_term(result, scalar))
    }

    /// `a << b`, `a >> b` of ideal integers, by a number of bits that is a constant.
    pub(super) fn shift_known(&self, op: BinaryOp, scalar: Scalar, a: Term, b: Term, count: Scalar) -> Option<Term> {
        let count = u32::try_from(self.known(b, count)?).ok().filter(|&count| count < 64)?;
        if scalar != Scalar::Integer {
            return None;
        }
        let power = self.integer_term(1 << count, scalar);
        // Division with a remainder that is not negative rounds down, as the shift does.
        Some(if op == BinaryOp::ShiftLeft { self.pool.mul(&[a, power]) } else { self.pool.int_div(a, power) })
    }

    /// `|a| div |b|` with the sign of `a / b`; SMT-LIB's `div` rounds so that the remainder is not negative.
    fn truncated_quotient(&self, a: Term, b: Term) -> Term {
        let pool = &self.pool;
        let zero = pool.int(0);
        let magnitude = |t: Term| pool.ite(pool.ge(t, zero), t, pool.neg(t));
        let quotient = pool.int_div(magnitude(a), magnitude(b));
        let is_same_sign = pool.eq(pool.ge(a, zero), pool.ge(b, zero));
        pool.ite(is_same_sign, quotient, pool.neg(quotient))
    }

    /// Shifts as x86 does them are not needed: a count out of range shifts everything out.
    pub(super) fn shift_term(&self, op: BinaryOp, scalar: Scalar, a: Term, b: Term, count: Scalar) -> Option<Term> {
        let Class::Bits { is_signed } = class(scalar) else { return None };
        let width = self.pool.width(a);
        let b = match count.int_format() {
            Some(format) if format.bits < width && format.is_signed => self.pool.sign_extend(width - format.bits, b),
            Some(format) if format.bits < width => self.pool.zero_extend(width - format.bits, b),
            // A wider count that is out of range must stay out of range.
            Some(format) if format.bits > width => {
                let high = self.pool.extract(format.bits - 1, width, b);
                let low = self.pool.extract(width - 1, 0, b);
                let is_small = self.pool.eq(high, self.pool.bv(format.bits - width, 0));
                self.pool.ite(is_small, low, self.pool.bv_not(self.pool.bv(width, 0)))
            }
            Some(_) => b,
            None => return None,
        };
        Some(match (op, is_signed) {
            (BinaryOp::ShiftLeft, _) => self.pool.bv_shl(a, b),
            (_, true) => self.pool.bv_ashr(a, b),
            (_, false) => self.pool.bv_lshr(a, b),
        })
    }

    pub(super) fn equal(&self, scalar: Scalar, a: Term, b: Term) -> Term {
        match class(scalar) {
            Class::Float => self.pool.fp_eq(a, b),
            _ => self.pool.eq(a, b),
        }
    }

    pub(super) fn compare_term(&self, op: BinaryOp, scalar: Scalar, a: Term, b: Term) -> Term {
        use BinaryOp::*;
        let pool = &self.pool;
        let less_equal = |a, b| match class(scalar) {
            Class::Bits { is_signed: true } => pool.bv_sle(a, b),
            Class::Bits { is_signed: false } => pool.bv_ule(a, b),
            Class::Float => pool.fp_le(a, b),
            _ => pool.le(a, b),
        };
        let less = |a, b| match class(scalar) {
            Class::Bits { is_signed: true } => pool.bv_slt(a, b),
            Class::Bits { is_signed: false } => pool.bv_ult(a, b),
            Class::Float => pool.fp_lt(a, b),
            _ => pool.lt(a, b),
        };
        match op {
            NotEqual => pool.not(self.equal(scalar, a, b)),
            Less => less(a, b),
            LessEqual => less_equal(a, b),
            Greater => less(b, a),
            GreaterEqual => less_equal(b, a),
            _ => self.equal(scalar, a, b),
        }
    }

    /// 1 or 0 of the kind.
    #[allow(clippy::wrong_self_convention)]
    pub(super) fn from_condition(&self, condition: Term, scalar: Scalar) -> Term {
        let (one, zero) = (self.integer_term(1, scalar), self.zero_term(scalar));
        self.pool.ite(condition, one, zero)
    }

    pub(super) fn zero_term(&self, scalar: Scalar) -> Term {
        self.integer_term(0, scalar)
    }
}
