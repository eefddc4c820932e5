//! The evaluator: the reference semantics of every operator on concrete values.
//!
//! [`apply`] gives the value of one operator; [`evaluate`] the value of a term under an assignment, without recursion.
//! SMT-LIB leaves some results open; ours are fixed: real and integer division by zero give 0, `mod` by zero the
//! dividend, float to bit-vector out of range 0, `fp.to_real` of infinities and NaN 0, `fp.min`/`fp.max` of zeros of
//! different sign the second argument, selectors and reads out of place the default value of the sort. Values of
//! datatypes that nest more than 400 deep (a list of that length) have no value here.

pub(crate) mod arith;
mod bitvec;
pub(crate) mod collection;
mod core;
mod float;

use crate::op::{Op, Theory};
use crate::pool::{Function, Payload, Term, TermPool};
use crate::sort::{Sort, SortKind};
use crate::value::{ArrayValue, RoundingMode, SortOrd, Value};
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
        Theory::Floats => float::apply(op, payload, sort, args),
        Theory::FiniteArrays | Theory::Datatypes | Theory::Sequences | Theory::Sets | Theory::Bags | Theory::Maps => {
            collection::apply(op, payload, sort, args)
        }
        Theory::Functions | Theory::Binders => None,
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
        if pool.op(term).is_binder() {
            let value = stacker::maybe_grow(1 << 16, 1 << 20, || binder(pool, term, assignment))?;
            values.insert(term, value);
            continue;
        }
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

/// The most values that a binder is tried at.
const INSTANCES: u64 = 1 << 12;

/// The value of a binder whose variables have few values, by trying all.
fn binder(pool: &TermPool, term: Term, assignment: &Assignment) -> Option<Value> {
    let Payload::Binder { sorts, .. } = pool.payload(term) else { return None };
    let domains: Vec<Vec<Value>> = sorts.iter().map(|&sort| all_values(sort)).collect::<Option<_>>()?;
    let total = domains.iter().try_fold(1u64, |total, domain| total.checked_mul(domain.len() as u64))?;
    if total > INSTANCES {
        return None;
    }
    let op = pool.op(term);
    let mut array = None;
    for number in 0..total {
        let mut rest = number;
        let mut point = Vec::with_capacity(domains.len());
        for domain in &domains {
            point.push(domain[(rest % domain.len() as u64) as usize].clone());
            rest /= domain.len() as u64;
        }
        let constants: Vec<Term> = point.iter().map(|value| pool.constant(value.clone())).collect();
        let value = evaluate(pool, pool.instantiate(term, &constants), assignment)?;
        match op {
            Op::Lambda => {
                let array = array.get_or_insert_with(|| ArrayValue {
                    index: SortOrd(sorts[0]),
                    default: value.clone(),
                    entries: BTreeMap::new(),
                });
                *array = array.with(point.swap_remove(0), value);
            }
            Op::Forall if value == Value::Bool(false) => return Some(value),
            Op::Exists if value == Value::Bool(true) => return Some(value),
            _ => {}
        }
    }
    match op {
        Op::Lambda => Some(Value::Array(Arc::new(array?))),
        _ => Some(Value::Bool(op == Op::Forall)),
    }
}

/// All values of a small finite sort.
pub fn all_values(sort: Sort) -> Option<Vec<Value>> {
    match sort.kind() {
        SortKind::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        SortKind::BitVec(width) if width <= 12 => {
            Some((0..1u64 << width).map(|bits| Value::bit_vec(width, bits)).collect())
        }
        SortKind::RoundingMode => Some(RoundingMode::ALL.map(Value::RoundingMode).to_vec()),
        _ => None,
    }
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
