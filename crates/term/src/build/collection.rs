//! Constructors: tuples and datatypes. The other collections go through [`TermPool::make`] with their operator.

use crate::op::Op;
use crate::pool::{Payload, Term, TermPool};
use crate::sort::Sort;

impl TermPool {
    pub fn tuple(&self, parts: &[Term]) -> Term {
        self.well_sorted(Op::MakeTuple, (0, 0), parts)
    }
    pub fn tuple_get(&self, tuple: Term, place: u32) -> Term {
        self.well_sorted(Op::TupleGet, (place, 0), &[tuple])
    }
    pub fn tuple_set(&self, tuple: Term, place: u32, part: Term) -> Term {
        self.well_sorted(Op::TupleSet, (place, 0), &[tuple, part])
    }
    /// The constructor at `place` of a datatype, applied.
    pub fn construct(&self, sort: Sort, place: u32, fields: &[Term]) -> Term {
        match self.make_with(Op::Construct, Payload::Indices(place, 0), fields, Some(sort)) {
            Ok(term) => term,
            Err(error) => panic!("{error}"),
        }
    }
    /// Field `field` of constructor `constructor`.
    pub fn selector(&self, constructor: u32, field: u32, value: Term) -> Term {
        self.well_sorted(Op::Selector, (constructor, field), &[value])
    }
    /// Whether the value was made by this constructor.
    pub fn tester(&self, constructor: u32, value: Term) -> Term {
        self.well_sorted(Op::Tester, (constructor, 0), &[value])
    }
}
