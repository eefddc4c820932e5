//! Constructors: Booleans, equality, `ite`.

use crate::op::Op;
use crate::pool::{Term, TermPool};

impl TermPool {
    pub fn not(&self, a: Term) -> Term {
        self.well_sorted(Op::Not, (0, 0), &[a])
    }
    /// The conjunction; `true` of none.
    pub fn and(&self, args: &[Term]) -> Term {
        if args.is_empty() { self.true_() } else { self.well_sorted(Op::And, (0, 0), args) }
    }
    /// The disjunction; `false` of none.
    pub fn or(&self, args: &[Term]) -> Term {
        if args.is_empty() { self.false_() } else { self.well_sorted(Op::Or, (0, 0), args) }
    }
    pub fn and2(&self, a: Term, b: Term) -> Term {
        self.and(&[a, b])
    }
    pub fn or2(&self, a: Term, b: Term) -> Term {
        self.or(&[a, b])
    }
    pub fn implies(&self, a: Term, b: Term) -> Term {
        self.or(&[self.not(a), b])
    }
    /// Stored as the negation of an equality.
    pub fn xor(&self, a: Term, b: Term) -> Term {
        self.not(self.eq(a, b))
    }
    /// Equality at any sort; `iff` for Booleans.
    pub fn eq(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::Eq, (0, 0), &[a, b])
    }
    pub fn ne(&self, a: Term, b: Term) -> Term {
        self.not(self.eq(a, b))
    }
    /// All different from each other.
    pub fn distinct(&self, args: &[Term]) -> Term {
        if args.len() < 2 { self.true_() } else { self.well_sorted(Op::Distinct, (0, 0), args) }
    }
    pub fn ite(&self, condition: Term, then: Term, otherwise: Term) -> Term {
        self.well_sorted(Op::Ite, (0, 0), &[condition, then, otherwise])
    }
}
