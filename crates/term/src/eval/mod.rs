//! The evaluator: the reference semantics of every operator on concrete values.
//!
//! [`apply`] gives the value of one operator; [`evaluate`] the value of a term under an assignment, without recursion.
//! SMT-LIB leaves some results open; ours are fixed: real and integer division by zero give 0, `mod` by zero the
//! dividend, float to bit-vector out of range 0, `fp.to_real` of infinities and NaN 0, `fp.min`/`fp.max` of zeros of
//! different sign the second argument, selectors and reads out of place the default value of the sort.

mod arith;
mod bitvec;
mod core;

use crate::op::{Op, Theory};
use crate::pool::{Function, Payload, Term, TermPool};
use crate::sort::{Sort, SortKind};
use crate::value::{SortOrd, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Values of free symbols and tables of uninterpreted functions.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    pub symbols: FxHashMap<Term, Value>,
    /// For each function: the value at the listed arguments, and elsewhere.
    pub functions: FxHashMap<Arc<Function>, FunctionTable>,
}

/// An uninterpreted function in a model.
#[derive(Clone, Debug, Default)]
pub struct FunctionTable {
    pub entries: BTreeMap<Vec<Value>, Value>,
    /// Elsewhere; `None` stands for the default value of the range.
    pub otherwise: Option<Value>,
}

impl Assignment {
    pub fn set(&mut self, symbol: Term, value: Value) {
        self.symbols.insert(symbol, value);
    }
}

/// The value of `op` applied to values; `None` where it has none (symbols, binders, values of the wrong kind).
pub fn apply(op: Op, payload: &Payload, sort: Sort, args: &[Value]) -> Option<Value> {
    match op.theory() {
        Theory::Core => core::apply(op, args),
        Theory::Arithmetic => arith::apply(op, payload, args),
        Theory::BitVectors => bitvec::apply(op, payload, args),
        Theory::Arrays => core::arrays(op, sort, args),
        _ => None,
    }
}

/// The value of a term. Symbols without a value take the default of their sort. `None` where the evaluator cannot tell
/// (quantifiers over infinite sorts).
pub fn evaluate(pool: &TermPool, term: Term, assignment: &Assignment) -> Option<Value> {
    let mut values: FxHashMap<Term, Value> = FxHashMap::default();
    let mut work = vec![(term, false)];
    while let Some((term, is_ready)) = work.pop() {
        if values.contains_key(&term) {
            continue;
        }
        let args = pool.args(term);
        if !is_ready && !args.is_empty() {
            work.push((term, true));
            work.extend(args.iter().map(|&arg| (arg, false)));
            continue;
        }
        let value = match pool.op(term) {
            Op::Const => pool.value(term).cloned()?,
            Op::Symbol => match assignment.symbols.get(&term) {
                Some(value) => value.clone(),
                None => Value::default_of(pool.sort(term))?,
            },
            Op::Apply => {
                let args: Vec<Value> = args.iter().map(|arg| values[arg].clone()).collect();
                let table = assignment.functions.get(pool.function(term)?);
                match table.and_then(|table| table.entries.get(&args).or(table.otherwise.as_ref())) {
                    Some(value) => value.clone(),
                    None => Value::default_of(pool.sort(term))?,
                }
            }
            op => {
                let args: smallvec::SmallVec<[Value; 4]> = args.iter().map(|arg| values[arg].clone()).collect();
                apply(op, pool.payload(term), pool.sort(term), &args)?
            }
        };
        values.insert(term, value);
    }
    values.remove(&term)
}

/// Some value of a datatype: of the first constructor that does not need one of the same sort.
pub(crate) fn default_of_datatype(sort: Sort) -> Option<Value> {
    default_below(sort, &mut Vec::new())
}

fn default_below(sort: Sort, open: &mut Vec<Sort>) -> Option<Value> {
    let SortKind::Datatype(id) = sort.kind() else { return Value::default_of(sort) };
    if open.contains(&sort) || open.len() > 100 {
        return None;
    }
    open.push(sort);
    let found = id.constructors().iter().enumerate().find_map(|(place, constructor)| {
        let fields = constructor.fields.iter().map(|&(_, field)| default_below(field, open)).collect::<Option<_>>()?;
        Some(Value::Datatype(SortOrd(sort), place as u32, Arc::new(fields)))
    });
    open.pop();
    found
}
