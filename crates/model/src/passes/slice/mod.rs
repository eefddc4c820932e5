//! Slicing: the part of a program that decides whether a check is reached and how it comes out (Weiser, ICSE 1981).
//!
//! What stays: the checks that are asked for and whatever may end an execution or do what nobody knows (assumptions, `exit`,
//! functions without a meaning, writes of which nobody has shown where they go); what those depend on, by data, by control
//! and by calls. The rest is passed over: steps become `Goto`s, branches go to where all of their ways meet what stays.
//!
//! **Why "holds" carries over.** Take an execution of the program up to its first violation. The steps of it that stay are
//! an execution of the slice: a branch that was removed leads on all of its ways to the same next thing that stays
//! (`next_kept` is computed and compared for every one), and a value that is read by what stays was written by what
//! stays. Loops that need not end are passed, so there are more executions, never fewer: nothing is learnt about
//! termination, nor about memory that is left over, since what allocates may be gone; programs with several processes are
//! not sliced at all.
//!
//! `Question::open` are the locations that abstract interpretation of the *whole* program has not shown to be fine. Then the
//! first thing to go wrong in an execution does so at one of these, and only these are asked about. Without it every check,
//! and every write through a pointer or at an index that is not constant, is open.
//!
//! Locations keep their ids: facts about the slice are facts about the program's locations.

mod calls;
mod control;
mod points_to;
mod relevance;
mod rewrite;
mod sites;

use crate::ir::*;
use calls::Callees;
use quod_verdict::{CheckKind, KindSet};
use relevance::Relevance;
use rustc_hash::FxHashSet;

/// Locations at which something may go wrong.
pub type Open = FxHashSet<(FunctionId, LocationId)>;

#[derive(Copy, Clone)]
pub struct Question<'a> {
    pub kinds: KindSet,
    pub open: Option<&'a Open>,
}

#[derive(Clone, Debug)]
pub struct Slice {
    pub program: Program,
    /// The whole program, with calls that take inputs and are not in the slice renamed by `OTHER_INPUT`.
    pub original: Program,
    /// Steps and branches of the functions that can be called, and how many of them are gone.
    pub locations: usize,
    pub removed_locations: usize,
    pub variables: usize,
    pub removed_variables: usize,
    /// The checks that nobody had to ask, as they are shown.
    pub removed_checks: usize,
}

/// Ends the names of functions that give inputs to what is not in the slice.
pub const OTHER_INPUT: &str = "!other";

/// Kinds that a slice keeps: they are asked by steps, and what came before an execution's end does not matter.
const SLICED: &[CheckKind] = &[
    CheckKind::Assertion,
    CheckKind::Unreachable,
    CheckKind::DivisionByZero,
    CheckKind::SignedOverflow,
    CheckKind::Shift,
    CheckKind::Unsupported,
];

/// The slice of a program for a question; nothing where slicing does not know the program's kind or the question's.
/// `original` is the program, or what an earlier slice of it kept as such.
pub fn slice(program: &Program, original: &Program, question: &Question<'_>) -> Option<Slice> {
    let is_known = program.arithmetic == Arithmetic::Machine
        && program.invariants.is_empty()
        && question.kinds.iter().all(|kind| SLICED.contains(&kind));
    if !is_known {
        return None;
    }
    let callees = Callees::new(program)?;
    let mut relevance = Relevance::new(program, &callees, question);
    let mut next = Vec::new();
    loop {
        relevance.close();
        next.clear();
        let mut is_closed = true;
        for &function in &callees.reached {
            let Some(it) = relevance.functions.get(&function) else { continue };
            let (found, apart) = rewrite::next_kept(it);
            next.push((function, found));
            for branch in apart {
                relevance.keep(function, branch);
                is_closed = false;
            }
        }
        if is_closed {
            return Some(rewrite::rewrite((program, original), &callees, relevance, next, question));
        }
    }
}
