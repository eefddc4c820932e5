//! Constructors: bit-vectors.

use crate::bitvector::BitVector;
use crate::op::Op;
use crate::pool::{Term, TermPool};

impl TermPool {
    /// The constant of this width with the low bits of `value`.
    pub fn bv(&self, width: u32, value: u64) -> Term {
        self.constant(BitVector::new(width, value).into())
    }
    pub fn bv_value(&self, value: BitVector) -> Term {
        self.constant(value.into())
    }
    /// The bits of a constant bit-vector.
    pub fn bv_constant(&self, term: Term) -> Option<&BitVector> {
        self.value(term)?.as_bit_vec()
    }
    pub fn bv_not(&self, a: Term) -> Term {
        self.well_sorted(Op::BvNot, (0, 0), &[a])
    }
    pub fn bv_neg(&self, a: Term) -> Term {
        self.well_sorted(Op::BvNeg, (0, 0), &[a])
    }
    pub fn bv_and(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvAnd, (0, 0), &[a, b])
    }
    pub fn bv_or(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvOr, (0, 0), &[a, b])
    }
    pub fn bv_xor(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvXor, (0, 0), &[a, b])
    }
    /// Modulo 2^width.
    pub fn bv_add(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvAdd, (0, 0), &[a, b])
    }
    pub fn bv_sub(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvSub, (0, 0), &[a, b])
    }
    pub fn bv_mul(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvMul, (0, 0), &[a, b])
    }
    /// All ones for divisor zero.
    pub fn bv_udiv(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvUdiv, (0, 0), &[a, b])
    }
    /// The dividend for divisor zero.
    pub fn bv_urem(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvUrem, (0, 0), &[a, b])
    }
    pub fn bv_sdiv(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvSdiv, (0, 0), &[a, b])
    }
    /// The sign follows the dividend.
    pub fn bv_srem(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvSrem, (0, 0), &[a, b])
    }
    /// The sign follows the divisor.
    pub fn bv_smod(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvSmod, (0, 0), &[a, b])
    }
    pub fn bv_shl(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvShl, (0, 0), &[a, b])
    }
    pub fn bv_lshr(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvLshr, (0, 0), &[a, b])
    }
    pub fn bv_ashr(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvAshr, (0, 0), &[a, b])
    }
    pub fn bv_ult(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvUlt, (0, 0), &[a, b])
    }
    pub fn bv_ule(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvUle, (0, 0), &[a, b])
    }
    pub fn bv_ugt(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvUgt, (0, 0), &[a, b])
    }
    pub fn bv_uge(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvUge, (0, 0), &[a, b])
    }
    pub fn bv_slt(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvSlt, (0, 0), &[a, b])
    }
    pub fn bv_sle(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvSle, (0, 0), &[a, b])
    }
    pub fn bv_sgt(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvSgt, (0, 0), &[a, b])
    }
    pub fn bv_sge(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvSge, (0, 0), &[a, b])
    }
    /// The negation leaves the range.
    pub fn bv_neg_overflow(&self, a: Term) -> Term {
        self.well_sorted(Op::BvNegOverflow, (0, 0), &[a])
    }
    pub fn bv_uadd_overflow(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvUaddOverflow, (0, 0), &[a, b])
    }
    pub fn bv_sadd_overflow(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvSaddOverflow, (0, 0), &[a, b])
    }
    pub fn bv_umul_overflow(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvUmulOverflow, (0, 0), &[a, b])
    }
    pub fn bv_smul_overflow(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvSmulOverflow, (0, 0), &[a, b])
    }
    pub fn bv_usub_overflow(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvUsubOverflow, (0, 0), &[a, b])
    }
    pub fn bv_ssub_overflow(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvSsubOverflow, (0, 0), &[a, b])
    }
    pub fn bv_sdiv_overflow(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::BvSdivOverflow, (0, 0), &[a, b])
    }
    /// `a` on top of `b`.
    pub fn concat(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::Concat, (0, 0), &[a, b])
    }
    /// The unsigned value as an Int.
    pub fn ubv_to_int(&self, a: Term) -> Term {
        self.well_sorted(Op::UbvToInt, (0, 0), &[a])
    }
    /// The value in two's complement as an Int.
    pub fn sbv_to_int(&self, a: Term) -> Term {
        self.well_sorted(Op::SbvToInt, (0, 0), &[a])
    }
    /// Bits `high` down to `low`, both included.
    pub fn extract(&self, high: u32, low: u32, a: Term) -> Term {
        self.well_sorted(Op::Extract, (high, low), &[a])
    }
    /// `more` zeros on top.
    pub fn zero_extend(&self, more: u32, a: Term) -> Term {
        self.well_sorted(Op::ZeroExtend, (more, 0), &[a])
    }
    /// `more` copies of the sign on top.
    pub fn sign_extend(&self, more: u32, a: Term) -> Term {
        self.well_sorted(Op::SignExtend, (more, 0), &[a])
    }
    pub fn rotate_left(&self, amount: u32, a: Term) -> Term {
        self.well_sorted(Op::RotateLeft, (amount, 0), &[a])
    }
    pub fn rotate_right(&self, amount: u32, a: Term) -> Term {
        self.well_sorted(Op::RotateRight, (amount, 0), &[a])
    }
    /// The integer modulo 2^width.
    pub fn int_to_bv(&self, width: u32, a: Term) -> Term {
        self.well_sorted(Op::IntToBv, (width, 0), &[a])
    }
}
