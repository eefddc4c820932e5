//! The domain itself: the path condition, numbers as terms and back.

use super::footprint::Footprint;
use super::memory::Memory;
use super::value::{Pointer, Value};
use crate::domain::FunctionValue;
use crate::scalar::Scalar;
use quod_base::Rational;
use quod_model::ir::DataModel;
use quod_term::{BitVector, Term, TermPool};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

pub struct SymbolicDomain {
    pub pool: Arc<TermPool>,
    pub(super) data_model: DataModel,
    pub is_ideal: bool,
    /// The functions that pointers lead to: this domain's view of what `joint` has.
    pub(super) functions: Vec<FunctionValue>,
    /// What is known to all domains whose values and states are exchanged.
    pub(super) joint: Arc<Joint>,
    /// What was accessed since it was last emptied.
    pub footprint: Footprint,
    /// Someone asks whether values were set: what was not must be told apart.
    pub keeps_undefined: bool,
    /// What a pointer that was never set leads to can be read: anything.
    pub reads_wild: bool,
    /// Objects may have sizes that are not known.
    pub has_lengths: bool,
    /// Programs see which number a scope has.
    pub tells_scopes: bool,
    /// Programs make numbers from `$proc`s, or `$proc`s from numbers.
    pub casts_processes: bool,
    /// With more places that an unknown index could mean, an object becomes an array of the logic.
    pub most_choices: u64,
    pub(super) constants: super::constants::Constants,
}

/// What the domains of several threads must agree on, beside the terms.
#[derive(Default)]
pub struct Joint {
    /// Pointers to functions are places in here.
    functions: Mutex<Vec<FunctionValue>>,
    has_addresses: AtomicBool,
}

impl SymbolicDomain {
    pub fn new(pool: Arc<TermPool>, data_model: DataModel, is_ideal: bool) -> Self {
        Self::beside(pool, Arc::default(), data_model, is_ideal)
    }

    /// A domain that understands the values and states of others with the same pool and the same `joint`.
    pub fn beside(pool: Arc<TermPool>, joint: Arc<Joint>, data_model: DataModel, is_ideal: bool) -> Self {
        Self {
            pool,
            joint,
            data_model,
            is_ideal,
            functions: Vec::new(),
            footprint: Footprint::default(),
            keeps_undefined: false,
            reads_wild: false,
            has_lengths: false,
            tells_scopes: true,
            casts_processes: true,
            most_choices: super::places::MOST_PLACES,
            constants: Default::default(),
        }
    }

    /// The number of a function, by which pointers name it.
    pub(super) fn function_index(&mut self, function: FunctionValue) -> usize {
        if let Some(index) = self.functions.iter().position(|known| *known == function) {
            return index;
        }
        let mut all = self.joint.functions.lock().unwrap_or_else(PoisonError::into_inner);
        let index = all.iter().position(|known| *known == function).unwrap_or_else(|| {
            all.push(function);
            all.len() - 1
        });
        self.functions.clone_from(&all);
        index
    }

    /// The function that a pointer names, whoever made the pointer.
    pub(super) fn function(&self, index: u32) -> Option<FunctionValue> {
        let index = index as usize;
        self.functions
            .get(index)
            .copied()
            .or_else(|| self.joint.functions.lock().unwrap_or_else(PoisonError::into_inner).get(index).copied())
    }

    /// Some number was made from the address of an object: who follows pointers alone does not see all.
    pub fn has_addresses(&self) -> bool {
        self.joint.has_addresses.load(Ordering::Relaxed)
    }

    pub(super) fn note_address(&self) {
        self.joint.has_addresses.store(true, Ordering::Relaxed);
    }

    /// Adds a conjunct to the path condition.
    pub fn assume(&self, memory: &mut Memory, condition: Term) {
        if condition == self.pool.true_() {
            return;
        }
        memory.path.push_back(condition);
        memory.decided.insert(condition, true);
        memory.decided.insert(self.pool.not(condition), false);
        if let Some((symbol, constant)) = self.definition(condition) {
            self.know(memory, symbol, constant);
        }
        if self.pool.op(condition) == quod_term::Op::Eq {
            let (a, b) = (self.pool.arg(condition, 0), self.pool.arg(condition, 1));
            for (term, constant) in [(a, b), (b, a)] {
                if let Some(value) = self.known_signed(constant) {
                    memory.known.insert(term, value);
                }
            }
        }
    }

    /// Remembers that the path condition makes the term equal to a constant.
    pub fn know(&self, memory: &mut Memory, term: Term, constant: Term) {
        if let Some(value) = self.known_signed(constant) {
            memory.known.insert(term, value);
        }
    }

    /// The numbers in an object, by offset; nothing where it holds something else.
    pub fn contents(&self, memory: &Memory, pointer: &Value) -> Option<Vec<(u64, Term)>> {
        let (id, _) = self.place(memory, pointer).ok()?;
        if memory.object(id).is_open() {
            return None;
        }
        let number = |(&at, cell): (&u64, &super::memory::CellValue)| match cell.value {
            Value::Number(term) => Some((at, term)),
            _ => None,
        };
        let object = memory.object(id);
        if matches!(object.base, super::memory::Base::Grid(_)) {
            return None;
        }
        object.cells.iter().map(number).collect()
    }

    /// A function that carries no scope instance.
    pub fn is_plain_function(&self, index: u32) -> bool {
        self.function(index).is_some_and(|function| function.environment.is_none())
    }

    /// Remembers that the path condition implies the condition.
    pub fn note(&self, memory: &mut Memory, condition: Term) {
        memory.decided.insert(condition, true);
        memory.decided.insert(self.pool.not(condition), false);
    }

    pub(super) fn address_scalar(&self) -> Scalar {
        Scalar::pointer(self.data_model)
    }
    pub(super) fn pointer_bits(&self) -> u64 {
        u64::from(self.data_model.pointer_bits())
    }

    pub(super) fn integer_term(&self, value: i128, scalar: Scalar) -> Term {
        if let Some(term) = self.small_term(value, scalar) {
            return term;
        }
        match scalar {
            Scalar::Integer | Scalar::Real => {
                self.pool.number(Rational::from(num_bigint::BigInt::from(value)), self.sort(scalar))
            }
            _ => match scalar.int_format() {
                Some(format) => {
                    let bits = BitVector::from_bigint(format.bits, &num_bigint::BigInt::from(value));
                    self.pool.bv_value(bits)
                }
                None => self.pool.fp_from_real(
                    self.sort(scalar),
                    self.nearest(),
                    self.pool.real(Rational::from(num_bigint::BigInt::from(value))),
                ),
            },
        }
    }

    pub(super) fn zero(&self, scalar: Scalar) -> Value {
        if scalar.is_pointer() { Value::Pointer(Pointer::NULL) } else { Value::Number(self.zero_term(scalar)) }
    }

    pub(super) fn known(&self, term: Term, scalar: Scalar) -> Option<i128> {
        use num_traits::ToPrimitive;
        if let Some(number) = self.small_number(term, scalar) {
            return Some(number);
        }
        match self.pool.value(term)? {
            quod_term::Value::BitVec(bits) if scalar.is_signed() => bits.to_signed().to_i128(),
            quod_term::Value::BitVec(bits) => bits.to_biguint().to_i128(),
            quod_term::Value::Int(value) => value.to_bigint()?.to_i128(),
            _ => None,
        }
    }

    /// A constant offset: bit-vectors count as signed.
    pub(super) fn known_signed(&self, term: Term) -> Option<i64> {
        use num_traits::ToPrimitive;
        match self.pool.value(term)? {
            quod_term::Value::BitVec(bits) => bits.to_i64(),
            quod_term::Value::Int(value) => value.to_bigint()?.to_i64(),
            _ => None,
        }
    }

    /// The term with every symbol replaced that the path condition makes equal to a constant.
    pub(super) fn simplified(&self, memory: &Memory, term: Term) -> Term {
        if memory.known.is_empty() || self.pool.value(term).is_some() {
            return term;
        }
        let mut map = rustc_hash::FxHashMap::default();
        for symbol in self.pool.free_symbols(&[term]) {
            let Some(&value) = memory.known.get(&symbol) else { continue };
            let sort = self.pool.sort(symbol);
            if sort == quod_term::Sort::INT {
                map.insert(symbol, self.pool.int(value));
            } else if let Some(width) = sort.width() {
                let bits = BitVector::from_bigint(width, &num_bigint::BigInt::from(value));
                map.insert(symbol, self.pool.bv_value(bits));
            }
        }
        self.pool.substitute(term, &map)
    }

    pub(super) fn fresh(&self, memory: &mut Memory, prefix: &str, scalar: Scalar) -> Term {
        memory.fresh += 1;
        self.pool.symbol(format!("{prefix}!{}", memory.fresh).as_str(), self.sort(scalar))
    }
}
