//! Constructors: IEEE floats. Operations that round take the rounding mode, a term, first.

use crate::op::Op;
use crate::pool::{Term, TermPool};
use crate::sort::Sort;
use crate::value::{RoundingMode, Value};

impl TermPool {
    pub fn rounding_mode(&self, mode: RoundingMode) -> Term {
        self.constant(Value::RoundingMode(mode))
    }
    pub fn fp_abs(&self, a: Term) -> Term {
        self.well_sorted(Op::FpAbs, (0, 0), &[a])
    }
    pub fn fp_neg(&self, a: Term) -> Term {
        self.well_sorted(Op::FpNeg, (0, 0), &[a])
    }
    /// IEEE remainder: the quotient rounded to nearest, ties to even.
    pub fn fp_rem(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::FpRem, (0, 0), &[a, b])
    }
    /// Of zeros of different sign: the second.
    pub fn fp_min(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::FpMin, (0, 0), &[a, b])
    }
    /// Of zeros of different sign: the second.
    pub fn fp_max(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::FpMax, (0, 0), &[a, b])
    }
    pub fn fp_le(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::FpLe, (0, 0), &[a, b])
    }
    pub fn fp_lt(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::FpLt, (0, 0), &[a, b])
    }
    pub fn fp_ge(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::FpGe, (0, 0), &[a, b])
    }
    pub fn fp_gt(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::FpGt, (0, 0), &[a, b])
    }
    /// IEEE equality: zeros are equal, NaN is not equal to itself.
    pub fn fp_eq(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::FpEq, (0, 0), &[a, b])
    }
    pub fn fp_is_normal(&self, a: Term) -> Term {
        self.well_sorted(Op::FpIsNormal, (0, 0), &[a])
    }
    pub fn fp_is_subnormal(&self, a: Term) -> Term {
        self.well_sorted(Op::FpIsSubnormal, (0, 0), &[a])
    }
    pub fn fp_is_zero(&self, a: Term) -> Term {
        self.well_sorted(Op::FpIsZero, (0, 0), &[a])
    }
    pub fn fp_is_infinite(&self, a: Term) -> Term {
        self.well_sorted(Op::FpIsInfinite, (0, 0), &[a])
    }
    pub fn fp_is_nan(&self, a: Term) -> Term {
        self.well_sorted(Op::FpIsNan, (0, 0), &[a])
    }
    pub fn fp_is_negative(&self, a: Term) -> Term {
        self.well_sorted(Op::FpIsNegative, (0, 0), &[a])
    }
    pub fn fp_is_positive(&self, a: Term) -> Term {
        self.well_sorted(Op::FpIsPositive, (0, 0), &[a])
    }
    /// 0 for infinities and NaN.
    pub fn fp_to_real(&self, a: Term) -> Term {
        self.well_sorted(Op::FpToReal, (0, 0), &[a])
    }
    /// The interchange format's bits; NaN as the positive quiet one.
    pub fn fp_to_bits(&self, a: Term) -> Term {
        self.well_sorted(Op::FpToBits, (0, 0), &[a])
    }
    /// From sign, exponent and fraction bits.
    pub fn fp(&self, a: Term, b: Term, c: Term) -> Term {
        self.well_sorted(Op::Fp, (0, 0), &[a, b, c])
    }
    pub fn fp_add(&self, rounding: Term, a: Term, b: Term) -> Term {
        self.well_sorted(Op::FpAdd, (0, 0), &[rounding, a, b])
    }
    pub fn fp_sub(&self, rounding: Term, a: Term, b: Term) -> Term {
        self.well_sorted(Op::FpSub, (0, 0), &[rounding, a, b])
    }
    pub fn fp_mul(&self, rounding: Term, a: Term, b: Term) -> Term {
        self.well_sorted(Op::FpMul, (0, 0), &[rounding, a, b])
    }
    pub fn fp_div(&self, rounding: Term, a: Term, b: Term) -> Term {
        self.well_sorted(Op::FpDiv, (0, 0), &[rounding, a, b])
    }
    /// `a * b + c`, rounded once.
    pub fn fp_fma(&self, rounding: Term, a: Term, b: Term, c: Term) -> Term {
        self.well_sorted(Op::FpFma, (0, 0), &[rounding, a, b, c])
    }
    pub fn fp_sqrt(&self, rounding: Term, a: Term) -> Term {
        self.well_sorted(Op::FpSqrt, (0, 0), &[rounding, a])
    }
    pub fn fp_round_to_integral(&self, rounding: Term, a: Term) -> Term {
        self.well_sorted(Op::FpRoundToIntegral, (0, 0), &[rounding, a])
    }
    fn format_of(sort: Sort) -> (u32, u32) {
        sort.float_format().expect("a floating-point sort")
    }
    /// The float of the sort with these bits.
    pub fn fp_from_bits(&self, sort: Sort, bits: Term) -> Term {
        self.well_sorted(Op::FpFromBits, Self::format_of(sort), &[bits])
    }
    pub fn fp_from_fp(&self, sort: Sort, rounding: Term, a: Term) -> Term {
        self.well_sorted(Op::FpFromFp, Self::format_of(sort), &[rounding, a])
    }
    pub fn fp_from_real(&self, sort: Sort, rounding: Term, a: Term) -> Term {
        self.well_sorted(Op::FpFromReal, Self::format_of(sort), &[rounding, a])
    }
    pub fn fp_from_signed(&self, sort: Sort, rounding: Term, bits: Term) -> Term {
        self.well_sorted(Op::FpFromSigned, Self::format_of(sort), &[rounding, bits])
    }
    pub fn fp_from_unsigned(&self, sort: Sort, rounding: Term, bits: Term) -> Term {
        self.well_sorted(Op::FpFromUnsigned, Self::format_of(sort), &[rounding, bits])
    }
    /// Out of range, infinite or NaN: zero.
    pub fn fp_to_ubv(&self, width: u32, rounding: Term, a: Term) -> Term {
        self.well_sorted(Op::FpToUbv, (width, 0), &[rounding, a])
    }
    /// Out of range, infinite or NaN: zero.
    pub fn fp_to_sbv(&self, width: u32, rounding: Term, a: Term) -> Term {
        self.well_sorted(Op::FpToSbv, (width, 0), &[rounding, a])
    }
}
