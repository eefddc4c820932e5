//! Making terms: every constructor checks nothing twice, folds constants, rewrites, orders and interns.
//!
//! [`TermPool::make`] is the general door (parsers use it): it checks sorts and returns an error. The named constructors
//! are for code that knows its sorts; a wrong sort there is a bug of the caller and panics with the check's message.

mod arith;
mod array;
mod bitvec;
mod boolean;
mod collection;
mod float;

use crate::check::{SortError, result_sort};
use crate::op::Op;
use crate::pool::{Payload, Term, TermPool};
use crate::sort::Sort;
use crate::value::Value;
use quod_base::Rational;
use smallvec::SmallVec;

/// An application before it is a term.
pub(crate) struct Application<'a> {
    pub(crate) op: Op,
    pub(crate) payload: &'a Payload,
    pub(crate) args: &'a [Term],
    pub(crate) sort: Sort,
}

impl TermPool {
    /// `op` applied to `args`, checked. `ascribed` names the result's sort where the arguments do not tell it
    /// (`const`, datatype constructors).
    pub fn make(&self, op: Op, indices: (u32, u32), args: &[Term], ascribed: Option<Sort>) -> Result<Term, SortError> {
        let payload = if op.info().indices > 0 { Payload::Indices(indices.0, indices.1) } else { Payload::None };
        self.make_with(op, payload, args, ascribed)
    }

    pub(crate) fn make_with(
        &self,
        op: Op,
        payload: Payload,
        args: &[Term],
        ascribed: Option<Sort>,
    ) -> Result<Term, SortError> {
        let sort = result_sort(self, op, &payload, args, ascribed)?;
        Ok(self.build(&Application { op, payload: &payload, args, sort }))
    }

    /// The door of the named constructors.
    #[track_caller]
    pub(crate) fn well_sorted(&self, op: Op, indices: (u32, u32), args: &[Term]) -> Term {
        match self.make(op, indices, args, None) {
            Ok(term) => term,
            Err(error) => panic!("{error}"),
        }
    }

    /// Folds, rewrites, orders, interns.
    pub(crate) fn build(&self, application: &Application<'_>) -> Term {
        let Application { op, payload, args, sort } = *application;
        let folds = !args.is_empty() || matches!(op, Op::Construct | Op::MakeTuple);
        if folds && !op.is_binder() && op != Op::Apply && args.iter().all(|&arg| self.is_constant(arg)) {
            let values: SmallVec<[Value; 4]> = args.iter().filter_map(|&arg| self.value(arg).cloned()).collect();
            if is_small(op, &values)
                && let Some(value) = crate::eval::apply(op, payload, sort, &values)
            {
                return self.constant(value);
            }
        }
        // Rules build other terms, which have rules; the stack is grown should they ever chain.
        let rewritten = stacker::maybe_grow(1 << 16, 1 << 20, || {
            crate::rules::rewrite(self, application).or_else(|| crate::standard::normalise(self, application))
        });
        if let Some(term) = rewritten {
            return term;
        }
        self.intern_ordered(op, payload, args, sort)
    }

    /// Interns with commutative arguments in order.
    pub(crate) fn intern_ordered(&self, op: Op, payload: &Payload, args: &[Term], sort: Sort) -> Term {
        if op.is_commutative() {
            let mut ordered: SmallVec<[Term; 8]> = args.into();
            self.order(&mut ordered);
            self.intern(op, payload.clone(), &ordered, sort)
        } else {
            self.intern(op, payload.clone(), args, sort)
        }
    }
}

/// Constants that grow by one element an operation are folded while they are small only: a constant is copied and hashed
/// whole, so a long list or array stays a term.
fn is_small(op: Op, values: &[Value]) -> bool {
    const ENTRIES: usize = 64;
    match (op, values.first()) {
        (Op::Store, Some(Value::Array(array))) => array.entries.len() < ENTRIES,
        (Op::Construct, _) => !values.iter().any(|value| crate::eval::collection::is_deeper(value, 8)),
        (Op::SeqConcat, _) => {
            let lengths = values.iter().map(|value| if let Value::Seq(_, items) = value { items.len() } else { 0 });
            lengths.sum::<usize>() <= ENTRIES
        }
        (Op::MapPut, Some(Value::Map(_, _, entries))) => entries.len() < ENTRIES,
        (Op::SetUnion, _) => values.iter().all(|value| matches!(value, Value::Set(_, items) if items.len() < ENTRIES)),
        (Op::FiniteMake, Some(Value::Int(length))) => *length <= Rational::from(ENTRIES as i64),
        _ => true,
    }
}
