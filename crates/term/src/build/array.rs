//! Constructors: arrays, total and finite.

use crate::op::Op;
use crate::pool::{Payload, Term, TermPool};
use crate::sort::Sort;

impl TermPool {
    pub fn select(&self, array: Term, index: Term) -> Term {
        self.well_sorted(Op::Select, (0, 0), &[array, index])
    }
    pub fn store(&self, array: Term, index: Term, element: Term) -> Term {
        self.well_sorted(Op::Store, (0, 0), &[array, index, element])
    }
    /// The array of this sort whose cells all hold `element`.
    pub fn const_array(&self, sort: Sort, element: Term) -> Term {
        match self.make_with(Op::ConstArray, Payload::None, &[element], Some(sort)) {
            Ok(term) => term,
            Err(error) => panic!("{error}"),
        }
    }
    /// A finite array of `length` (none if negative) whose cells are those of `cells`, an array over Int.
    pub fn finite_make(&self, length: Term, cells: Term) -> Term {
        self.well_sorted(Op::FiniteMake, (0, 0), &[length, cells])
    }
    pub fn finite_length(&self, array: Term) -> Term {
        self.well_sorted(Op::FiniteLength, (0, 0), &[array])
    }
    /// Outside the bounds: the default value of the element sort.
    pub fn finite_read(&self, array: Term, index: Term) -> Term {
        self.well_sorted(Op::FiniteRead, (0, 0), &[array, index])
    }
    /// Outside the bounds: unchanged.
    pub fn finite_write(&self, array: Term, index: Term, element: Term) -> Term {
        self.well_sorted(Op::FiniteWrite, (0, 0), &[array, index, element])
    }
}
