//! Operations over tables: a chain of `ite` whose leaves are all constants is what a read of constants at an unknown index
//! is, and a number that was counted on paths that have met. An operation with constants beside it goes to the leaves, where
//! it is computed once instead of being a circuit: the result is a chain that is as long or shorter, because equal
//! neighbours fall together. Chains that end in anything else stay as they are.

use super::rules;
use crate::build::Application;
use crate::op::Op;
use crate::pool::{Term, TermPool};

/// Longer chains stay.
const MOST_LEAVES: usize = 2048;

rules! {
    table_udiv: BvUdiv, "(bvudiv (ite c 7 9) 2)" => "(ite c 3 4)", to_leaves;
    table_urem: BvUrem, "(bvurem (ite c 7 9) 2)" => "1", to_leaves;
    table_sdiv: BvSdiv, "(bvsdiv (ite c 7 9) 2)" => "(ite c 3 4)", to_leaves;
    table_srem: BvSrem, "(bvsrem (ite c 7 9) 2)" => "1", to_leaves;
    table_smod: BvSmod, "(bvsmod (ite c 7 9) 2)" => "1", to_leaves;
    table_shl: BvShl, "(bvshl 1 (ite c 2 3))" => "(ite c 4 8)", to_leaves;
    table_lshr: BvLshr, "(bvlshr 16 (ite c 2 3))" => "(ite c 4 2)", to_leaves;
    table_ashr: BvAshr, "(bvashr -16 (ite c 2 3))" => "(ite c -4 -2)", to_leaves;
    table_add: BvAdd, "(bvadd 1 (ite c 7 9))" => "(ite c 8 10)", to_leaves;
    table_mul: BvMul, "(bvmul 3 (ite c 7 9))" => "(ite c 21 27)", to_leaves;
    table_and: BvAnd, "(bvand 4 (ite c 7 9))" => "(ite c 4 0)", to_leaves;
    table_or: BvOr, "(bvor 4 (ite c 7 9))" => "(ite c 7 13)", to_leaves;
    table_xor: BvXor, "(bvxor 4 (ite c 7 9))" => "(ite c 3 13)", to_leaves;
    table_not: BvNot, "(bvnot (ite c 7 9))" => "(ite c -8 -10)", to_leaves;
    table_concat: Concat, "(concat 0 (ite c 7 9))" => "(ite c 7 9), wider", to_leaves;
    table_extract: Extract, "((_ extract 0 0) (ite c 7 9))" => "1", to_leaves;
    table_sign_extend: SignExtend, "((_ sign_extend 4) (ite c 7 9))" => "(ite c 7 9), wider", to_leaves;
    table_ult: BvUlt, "(bvult (ite c 7 9) 8)" => "c", to_leaves;
    table_slt: BvSlt, "(bvslt (ite c 7 9) 8)" => "c", to_leaves;
    table_eq: Eq, "(= (ite c 7 9) 7)" => "c", |pool, it| {
        // Other sorts have rules and standard forms of their own.
        pool.sort(it.args[0]).is_bit_vec().then(|| to_leaves(pool, it))?
    };
}

/// One argument is a table, the others are constants.
fn to_leaves(pool: &TermPool, it: &Application<'_>) -> Option<Term> {
    let mut tables = it.args.iter().enumerate().filter(|(_, arg)| !pool.is_constant(**arg));
    let (place, &table) = tables.next().filter(|(_, arg)| pool.op(**arg) == Op::Ite)?;
    if tables.next().is_some() {
        return None;
    }
    let mut entries = Vec::new();
    let mut rest = table;
    while pool.op(rest) == Op::Ite {
        let [condition, leaf, otherwise] = *pool.args(rest) else { return None };
        if !pool.is_constant(leaf) || entries.len() == MOST_LEAVES {
            return None;
        }
        entries.push((condition, leaf));
        rest = otherwise;
    }
    if !pool.is_constant(rest) {
        return None;
    }
    let mut args = it.args.to_vec();
    let mut at_leaf = |leaf: Term| {
        args[place] = leaf;
        pool.build(&Application { op: it.op, payload: it.payload, args: &args, sort: it.sort })
    };
    let last = Some(at_leaf(rest)).filter(|&last| pool.is_constant(last))?;
    entries.into_iter().rev().try_fold(last, |rest, (condition, leaf)| {
        let leaf = at_leaf(leaf);
        pool.is_constant(leaf).then(|| pool.ite(condition, leaf, rest))
    })
}
