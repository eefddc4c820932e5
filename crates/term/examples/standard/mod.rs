//! Which terms other solvers read with our meaning.

#![allow(unreachable_pub)]

use quod_term::{Op, Sort, Term, TermPool, Theory};

/// Whether other solvers give the operator our meaning: SMT-LIB leaves division by zero and some conversions open.
pub fn is_standard(pool: &TermPool, term: Term) -> bool {
    let op = pool.op(term);
    let constant = |place: usize| pool.is_constant(pool.arg(term, place));
    match op {
        Op::IntDiv | Op::IntMod => constant(1),
        Op::Power => matches!(pool.payload(term), quod_term::Payload::Exponent(exponent) if *exponent > 0),
        Op::FpMin | Op::FpMax | Op::FpToUbv | Op::FpToSbv | Op::FpToReal | Op::Selector | Op::FpToBits => false,
        _ => {
            matches!(
                op.theory(),
                Theory::Core
                    | Theory::Arithmetic
                    | Theory::BitVectors
                    | Theory::Arrays
                    | Theory::Floats
                    | Theory::Datatypes
                    | Theory::Binders
            ) && !matches!(op, Op::MakeTuple | Op::TupleGet | Op::TupleSet)
                && !uses_ours(pool.sort(term))
        }
    }
}

fn uses_ours(sort: Sort) -> bool {
    let text = sort.to_string();
    ["Tuple", "FiniteArray", "Set", "Bag", "Map", "Seq"].iter().any(|word| text.contains(word))
}
