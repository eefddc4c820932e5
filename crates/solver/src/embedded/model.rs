//! The assignment of a successful search as values of symbols and tables of functions.

use super::functions::Observed;
use super::repr::Repr;
use super::{Embedded, floats};
use num_bigint::BigUint;
use quod_base::Rational;
use quod_term::{ArrayValue, Assignment, BitVector, FloatValue, Op, SortKind, SortOrd, Term, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Embedded {
    /// The value of a translated term that is not an array. Strict bounds make numbers depend on the infinitesimal.
    pub(crate) fn observed_value(&self, term: Term) -> Option<Value> {
        let sort = self.sort_of(term);
        match (self.observe(term)?, sort.kind()) {
            (Observed::Bool(value), _) => Some(Value::Bool(value)),
            (Observed::Number(value), kind) => {
                let number = &value.real + &(&value.delta * &self.delta);
                match kind {
                    SortKind::Int if number.is_integer() => Some(Value::Int(number)),
                    SortKind::Int => None,
                    _ => Some(Value::Real(number)),
                }
            }
            (Observed::Word(words), kind) => {
                let digits: Vec<u32> = words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect();
                let bits = BigUint::new(digits);
                Some(match kind {
                    SortKind::BitVec(width) => Value::BitVec(BitVector::from_biguint(width, &bits)),
                    SortKind::Float(exponent, significand) => Value::Float(FloatValue::from_bits(
                        exponent,
                        significand,
                        BitVector::from_biguint(exponent + significand, &bits),
                    )),
                    SortKind::RoundingMode => Value::RoundingMode(floats::mode_of_code(words[0])),
                    SortKind::Uninterpreted(..) => Value::Element(SortOrd(sort), words[0]),
                    _ => return None,
                })
            }
        }
    }

    /// What the infinitesimal stands for: a third of what the bounds allow, so that different values do not meet by
    /// accident.
    pub(crate) fn model_delta(&self) -> Rational {
        let third = Rational::new(1, 3).unwrap_or(Rational::ONE);
        &self.arith.simplex.concrete_delta() * &third
    }

    pub(crate) fn build_model(&mut self) -> Option<Assignment> {
        self.delta = if self.has_arithmetic { self.model_delta() } else { Rational::ONE };
        let mut model = Assignment::default();
        for at in 0..self.symbols.len() {
            let symbol = self.symbols[at];
            if matches!(self.table.get(symbol), Repr::Array(_)) {
                continue;
            }
            if let Some(value) = self.observed_value(symbol) {
                model.set(symbol, value);
            }
        }
        for function in &self.functions.order {
            let mut table = quod_term::eval::FunctionTable::default();
            for &(term, hub) in &self.functions.applications[function] {
                if !self.gates.is_in_cone(hub) {
                    continue;
                }
                let key =
                    self.pool.args(term).iter().map(|&arg| self.observed_value(arg)).collect::<Option<Vec<_>>>()?;
                table.entries.entry(key).or_insert(self.observed_value(term)?);
            }
            model.functions.insert(function.clone(), table);
        }
        self.add_arrays(&mut model)?;
        Some(model)
    }

    fn add_arrays(&self, model: &mut Assignment) -> Option<()> {
        let arrays: Vec<Term> =
            self.symbols.iter().copied().filter(|&s| matches!(self.table.get(s), Repr::Array(_))).collect();
        if arrays.is_empty() {
            return Some(());
        }
        // Arrays that must agree almost everywhere share their default.
        let mut classes = Classes::default();
        for (a, b) in self.equal_arrays() {
            classes.join(self.root_array(a), self.root_array(b));
        }
        let mut defaults: FxHashMap<Term, Value> = FxHashMap::default();
        for (a, b) in self.equal_arrays() {
            for array in [self.root_array(a), self.root_array(b)] {
                let default = match self.pool.op(array) {
                    Op::ConstArray => self.observed_value(self.pool.arg(array, 0))?,
                    Op::Const => match self.pool.value(array)? {
                        Value::Array(table) => table.default.clone(),
                        _ => continue,
                    },
                    _ => continue,
                };
                defaults.insert(classes.find(array), default);
            }
        }
        let mut tables: FxHashMap<Term, ArrayValue> = FxHashMap::default();
        for &array in &arrays {
            let (index, element) = self.sort_of(array).array_parts()?;
            let default = match defaults.get(&classes.find(array)) {
                Some(value) => value.clone(),
                None => Value::default_of(element)?,
            };
            let empty = ArrayValue { index: SortOrd(index), default, entries: Default::default() };
            tables.insert(array, empty);
        }
        for (array, index, element) in self.array_cells()? {
            let table = tables.get_mut(&array)?;
            if element != table.default {
                table.entries.insert(index, element);
            }
        }
        for array in arrays {
            let mut table = tables.remove(&array)?;
            table.normalise();
            model.set(array, Value::Array(Arc::new(table)));
        }
        Some(())
    }

    /// Below the writes and along the choices of the present assignment.
    fn root_array(&self, mut array: Term) -> Term {
        loop {
            match self.pool.op(array) {
                Op::Store => array = self.pool.arg(array, 0),
                Op::Ite => {
                    let holds = match self.table.get(self.pool.arg(array, 0)) {
                        Repr::Bool(condition) => self.model_literal(condition),
                        _ => true,
                    };
                    array = self.pool.arg(array, if holds { 1 } else { 2 });
                }
                _ => return array,
            }
        }
    }
}

/// Union and find over terms.
#[derive(Default)]
struct Classes(FxHashMap<Term, Term>);

impl Classes {
    fn find(&self, mut term: Term) -> Term {
        while let Some(&next) = self.0.get(&term) {
            term = next;
        }
        term
    }
    fn join(&mut self, a: Term, b: Term) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.0.insert(a, b);
        }
    }
}
