//! A symbol whose value has become known is replaced by it everywhere in the state, so that what depends on it is computed
//! and not asked. The path condition keeps the equation: inputs get their values from it.

use super::memory::{Base, Object};
use super::terms::SymbolicDomain;
use super::value::{Offset, Pointer, Value};
use crate::state::State;
use quod_base::{Id, Rational};
use quod_term::{Op, Sort, Term};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl SymbolicDomain {
    /// The symbol and the constant of a condition that is an equation between them.
    pub fn definition(&self, condition: Term) -> Option<(Term, Term)> {
        let pool = &self.pool;
        if pool.op(condition) != Op::Eq {
            return None;
        }
        let (a, b) = (pool.arg(condition, 0), pool.arg(condition, 1));
        self.solved(a, b).or_else(|| self.solved(b, a))
    }

    /// `left = constant` for the one symbol of `left`, if that is a symbol or linear in it.
    fn solved(&self, left: Term, constant: Term) -> Option<(Term, Term)> {
        let pool = &self.pool;
        self.known_signed(constant)?;
        if pool.op(left) == Op::Symbol {
            return Some((left, constant));
        }
        if pool.op(left) != Op::Add || pool.sort(left) != Sort::INT {
            return None;
        }
        let quod_term::Value::Int(target) = pool.value(constant)? else { return None };
        let mut rest = target.clone();
        let mut found: Option<(Rational, Term)> = None;
        for &part in pool.args(left) {
            match pool.value(part) {
                Some(quod_term::Value::Int(number)) => rest = &rest - number,
                Some(_) => return None,
                None => {
                    let (factor, monic) = pool.as_monomial(part);
                    if found.is_some() || pool.op(monic) != Op::Symbol {
                        return None;
                    }
                    found = Some((factor, monic));
                }
            }
        }
        let (factor, symbol) = found?;
        let solution = &rest / &factor;
        solution.to_bigint()?;
        Some((symbol, pool.number(solution, Sort::INT)))
    }

    /// Puts the constant in the place of the symbol in all registers and objects.
    pub fn eliminate(&self, state: &mut State<SymbolicDomain>, symbol: Term, constant: Term) {
        let mut replacement = Replacement { domain: self, map: FxHashMap::default(), done: FxHashMap::default() };
        replacement.map.insert(symbol, constant);
        for process in &mut state.processes {
            if process.registers.iter().any(|value| replacement.of(value).is_some()) {
                for value in &mut process.registers {
                    if let Some(new) = replacement.of(value) {
                        *value = new;
                    }
                }
            }
        }
        for index in 0..state.memory.objects.len() {
            let object = state.memory.objects[index].clone();
            if let Some(object) = replacement.object(&object) {
                state.memory.replace(super::memory::ObjectId::from_index(index), object);
            }
        }
    }
}

struct Replacement<'a> {
    domain: &'a SymbolicDomain,
    map: FxHashMap<Term, Term>,
    done: FxHashMap<Term, Term>,
}

impl Replacement<'_> {
    fn term(&mut self, term: Term) -> Term {
        if let Some(&done) = self.done.get(&term) {
            return done;
        }
        let new = self.domain.pool.substitute(term, &self.map);
        self.done.insert(term, new);
        new
    }

    /// The value, where it changes.
    fn of(&mut self, value: &Value) -> Option<Value> {
        match value {
            Value::Number(term) => {
                let new = self.term(*term);
                (new != *term).then_some(Value::Number(new))
            }
            Value::Pointer(Pointer { target, offset: Offset::Term { term, stride, residue } }) => {
                let new = self.term(*term);
                let (target, stride, residue) = (*target, *stride, *residue);
                let offset = match self.domain.known_signed(new) {
                    Some(bytes) => Offset::Known(bytes),
                    None => Offset::Term { term: new, stride, residue },
                };
                (new != *term).then_some(Value::Pointer(Pointer { target, offset }))
            }
            _ => None,
        }
    }

    fn object(&mut self, object: &Arc<Object>) -> Option<Object> {
        let changed: Vec<(u64, Value)> =
            object.cells.iter().filter_map(|(&at, cell)| self.of(&cell.value).map(|new| (at, new))).collect();
        let base = match &object.base {
            Base::Grid(grid) => {
                let mut new = (**grid).clone();
                new.fields.values_mut().for_each(|field| field.array = self.term(field.array));
                (new != **grid).then(|| Base::Grid(Arc::new(new)))
            }
            _ => None,
        };
        let length = object.length.map(|length| self.term(length));
        let open = object.open.as_ref().and_then(|open| open.replaced(&mut |value| self.of(value)));
        if changed.is_empty() && base.is_none() && length == object.length && open.is_none() {
            return None;
        }
        let mut object = Object::clone(object);
        object.length = length;
        if let Some(known) = length.and_then(|length| self.domain.known_signed(length)) {
            (object.size, object.length) = (known.max(0) as u64, None);
        }
        object.base = base.unwrap_or(object.base);
        if let Some(open) = open {
            object.open = Some(Arc::new(open));
        }
        for (at, value) in changed {
            if let Some(cell) = object.cells.get_mut(&at) {
                cell.value = value;
            }
        }
        Some(object)
    }
}
