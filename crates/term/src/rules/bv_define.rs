//! Derived operators by their definitions: what the table marks *derived* never reaches a pool.

use super::rules;
use crate::bitvector::BitVector;
use crate::build::Application;
use crate::pool::{Payload, Term, TermPool};
use crate::sort::Sort;
use quod_base::Rational;

rules! {
    implies_definition: Implies, "(=> a b)" => "(or (not a) b)", |pool, it| {
        let (&last, front) = it.args.split_last()?;
        Some(front.iter().rev().fold(last, |rest, &arg| pool.implies(arg, rest)))
    };
    xor_definition: Xor, "(xor a b)" => "(not (= a b))", |pool, it| fold(it, |a, b| pool.xor(a, b));
    bv_nand_definition: BvNand, "(bvnand a b)" => "(bvnot (bvand a b))",
        |pool, it| Some(pool.bv_not(pool.bv_and(it.args[0], it.args[1])));
    bv_nor_definition: BvNor, "(bvnor a b)" => "(bvnot (bvor a b))",
        |pool, it| Some(pool.bv_not(pool.bv_or(it.args[0], it.args[1])));
    bv_xnor_definition: BvXnor, "(bvxnor a b)" => "(bvnot (bvxor a b))",
        |pool, it| Some(pool.bv_not(pool.bv_xor(it.args[0], it.args[1])));
    bv_comp_definition: BvComp, "(bvcomp a b)" => "(ite (= a b) #b1 #b0)",
        |pool, it| Some(pool.ite(pool.eq(it.args[0], it.args[1]), pool.bv(1, 1), pool.bv(1, 0)));
    bv_neg_definition: BvNeg, "(bvneg a)" => "(bvmul -1 a)",
        |pool, it| Some(minus(pool, it.args[0]));
    bv_sub_definition: BvSub, "(bvsub a b)" => "(bvadd a (bvmul -1 b))",
        |pool, it| fold(it, |a, b| pool.bv_add(a, minus(pool, b)));
    bv_ule_definition: BvUle, "(bvule a b)" => "(not (bvult b a))",
        |pool, it| Some(pool.not(pool.bv_ult(it.args[1], it.args[0])));
    bv_ugt_definition: BvUgt, "(bvugt a b)" => "(bvult b a)", |pool, it| Some(pool.bv_ult(it.args[1], it.args[0]));
    bv_uge_definition: BvUge, "(bvuge a b)" => "(not (bvult a b))",
        |pool, it| Some(pool.not(pool.bv_ult(it.args[0], it.args[1])));
    bv_sle_definition: BvSle, "(bvsle a b)" => "(not (bvslt b a))",
        |pool, it| Some(pool.not(pool.bv_slt(it.args[1], it.args[0])));
    bv_sgt_definition: BvSgt, "(bvsgt a b)" => "(bvslt b a)", |pool, it| Some(pool.bv_slt(it.args[1], it.args[0]));
    bv_sge_definition: BvSge, "(bvsge a b)" => "(not (bvslt a b))",
        |pool, it| Some(pool.not(pool.bv_slt(it.args[0], it.args[1])));
    zero_extend_definition: ZeroExtend, "((_ zero_extend i) a)" => "(concat 0 a)",
        |pool, it| Some(zero_extend(pool, index(it), it.args[0]));
    /// By doubling, so that a hundred thousand copies make a short list.
    repeat_definition: Repeat, "((_ repeat i) a)" => "(concat a a …)", |pool, it| {
        let (mut left, mut block, mut result) = (index(it), it.args[0], None);
        while left > 0 {
            if left & 1 == 1 {
                result = Some(result.map_or(block, |above| pool.concat(above, block)));
            }
            left >>= 1;
            if left > 0 {
                block = pool.concat(block, block);
            }
        }
        result
    };
    rotate_left_definition: RotateLeft, "((_ rotate_left i) a)" => "(concat ((_ extract …) a) ((_ extract …) a))",
        |pool, it| Some(rotate(pool, index(it) % pool.width(it.args[0]), it.args[0]));
    rotate_right_definition: RotateRight, "((_ rotate_right i) a)" => "((_ rotate_left w-i) a)", |pool, it| {
        let width = pool.width(it.args[0]);
        Some(rotate(pool, (width - index(it) % width) % width, it.args[0]))
    };
    sbv_to_int_definition: SbvToInt, "(sbv_to_int a)" => "(- (ubv_to_int a) (ite (bvslt a 0) 2^w 0))", |pool, it| {
        let a = it.args[0];
        let width = pool.width(a);
        let modulus = pool.number(Rational::from(2).pow(width), Sort::INT);
        let negative = pool.bv_slt(a, pool.bv(width, 0));
        Some(pool.sub(pool.ubv_to_int(a), pool.ite(negative, modulus, pool.int(0))))
    };
    bv_neg_overflow_definition: BvNegOverflow, "(bvnego a)" => "(= a min)",
        |pool, it| Some(pool.eq(it.args[0], pool.bv_value(BitVector::min_signed(pool.width(it.args[0])))));
    bv_uadd_overflow_definition: BvUaddOverflow, "(bvuaddo a b)" => "(bvult (bvadd a b) a)",
        |pool, it| Some(pool.bv_ult(pool.bv_add(it.args[0], it.args[1]), it.args[0]));
    bv_usub_overflow_definition: BvUsubOverflow, "(bvusubo a b)" => "(bvult a b)",
        |pool, it| Some(pool.bv_ult(it.args[0], it.args[1]));
    /// Signs decide: a wider sum would be a second circuit beside the one of the program.
    bv_sadd_overflow_definition: BvSaddOverflow, "(bvsaddo a b)" => "a and b have one sign, and the sum has the other",
        |pool, it| {
            let [a, b, sum] = signs(pool, it, pool.bv_add(it.args[0], it.args[1]))?;
            Some(pool.and2(pool.eq(a, b), pool.ne(sum, a)))
        };
    bv_ssub_overflow_definition: BvSsubOverflow, "(bvssubo a b)" => "a and b differ in sign, and a from the difference",
        |pool, it| {
            let [a, b, difference] = signs(pool, it, pool.bv_sub(it.args[0], it.args[1]))?;
            Some(pool.and2(pool.ne(a, b), pool.ne(difference, a)))
        };
    bv_smul_overflow_definition: BvSmulOverflow, "(bvsmulo a b)" => "the product in twice the width is not its own low half",
        |pool, it| Some(signed_overflow(pool, it, pool.width(it.args[0]), |a, b| pool.bv_mul(a, b)));
    bv_umul_overflow_definition: BvUmulOverflow, "(bvumulo a b)" => "the high half of the product in twice the width is not 0",
        |pool, it| {
            let width = pool.width(it.args[0]);
            let wide = |arg| pool.zero_extend(width, arg);
            let high = pool.extract(2 * width - 1, width, pool.bv_mul(wide(it.args[0]), wide(it.args[1])));
            Some(pool.ne(high, pool.bv(width, 0)))
        };
    bv_sdiv_overflow_definition: BvSdivOverflow, "(bvsdivo a b)" => "(and (= a min) (= b -1))", |pool, it| {
        let width = pool.width(it.args[0]);
        let least = pool.eq(it.args[0], pool.bv_value(BitVector::min_signed(width)));
        Some(pool.and(&[least, pool.eq(it.args[1], pool.bv_value(BitVector::all_ones(width)))]))
    };
}

/// Which of both operands and the result are negative.
fn signs(pool: &TermPool, it: &Application<'_>, result: Term) -> Option<[Term; 3]> {
    let [a, b] = *it.args else { return None };
    let zero = pool.bv(pool.width(a), 0);
    Some([a, b, result].map(|word| pool.bv_slt(word, zero)))
}

fn index(it: &Application<'_>) -> u32 {
    if let Payload::Indices(i, _) = it.payload { *i } else { 0 }
}

fn fold(it: &Application<'_>, combine: impl Fn(Term, Term) -> Term) -> Option<Term> {
    it.args.iter().copied().reduce(combine)
}

fn minus(pool: &TermPool, a: Term) -> Term {
    pool.bv_mul(pool.bv_value(BitVector::all_ones(pool.width(a))), a)
}

pub(super) fn zero_extend(pool: &TermPool, more: u32, a: Term) -> Term {
    if more == 0 { a } else { pool.concat(pool.bv(more, 0), a) }
}

fn rotate(pool: &TermPool, amount: u32, a: Term) -> Term {
    if amount == 0 {
        return a;
    }
    let width = pool.width(a);
    pool.concat(pool.extract(width - amount - 1, 0, a), pool.extract(width - 1, width - amount, a))
}

/// Whether the exact signed result, computed with `more` bits, leaves the width of the arguments.
fn signed_overflow(pool: &TermPool, it: &Application<'_>, more: u32, exact: impl Fn(Term, Term) -> Term) -> Term {
    let width = pool.width(it.args[0]);
    let wide = |arg| pool.sign_extend(more, arg);
    let result = exact(wide(it.args[0]), wide(it.args[1]));
    let low = pool.extract(width - 1, 0, result);
    pool.ne(result, wide(low))
}
