//! Forgetting numbers of a state, and finding out which numbers a way has changed.

use super::terms::SymbolicDomain;
use super::value::Value;
use crate::state::State;
use imbl::ordmap::DiffItem;
use quod_term::Term;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Registers and cells whose numbers do not count.
#[derive(Clone, Debug, Default)]
pub struct Forgotten {
    registers: BTreeSet<usize>,
    /// Object and offset.
    cells: BTreeSet<(usize, u64)>,
}

impl Forgotten {
    pub fn len(&self) -> usize {
        self.registers.len() + self.cells.len()
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl SymbolicDomain {
    /// Replaces the numbers by fresh symbols, and gives those.
    pub fn forget(&self, state: &mut State<Self>, forgotten: &Forgotten, is_live: &[bool]) -> Vec<Term> {
        let mut symbols = Vec::new();
        let mut next = |value: &Value| match value {
            Value::Number(term) => {
                let symbol = self.pool.fresh_symbol("forgotten", self.pool.sort(*term));
                symbols.push(symbol);
                Some(Value::Number(symbol))
            }
            _ => None,
        };
        let Some(process) = state.processes.first_mut() else { return Vec::new() };
        for &register in forgotten.registers.iter().filter(|&&register| is_live.get(register) == Some(&true)) {
            if let Some(value) = process.registers.get(register).and_then(&mut next) {
                process.registers[register] = value;
            }
        }
        for &(object, offset) in &forgotten.cells {
            let Some(mut changed) = state.memory.objects.get(object).map(|object| (**object).clone()) else { continue };
            if let Some(cell) = changed.cells.get(&offset).cloned()
                && let Some(value) = next(&cell.value)
            {
                changed.cells.insert(offset, super::memory::CellValue { value, ..cell });
                changed.hash = std::sync::OnceLock::new();
                state.memory.objects.set(object, Arc::new(changed));
            }
        }
        symbols
    }

    /// Adds what differs between two states to `found`. True where nothing but forgotten numbers does.
    pub fn changes(
        &self,
        before: &State<Self>,
        after: &State<Self>,
        is_live: &[bool],
        forgotten: &Forgotten,
        found: &mut Forgotten,
    ) -> bool {
        let mut is_closed = super::join::has_same_shape(before, after);
        let is_number = |value: &Value| matches!(value, Value::Number(_));
        let ([a], [b]) = (&before.processes[..], &after.processes[..]) else { return false };
        for (register, (left, right)) in a.registers.iter().zip(&b.registers).enumerate() {
            if left != right && is_live.get(register) == Some(&true) {
                found.registers.insert(register);
                is_closed &= is_number(left) && is_number(right) && forgotten.registers.contains(&register);
            }
        }
        let (a, b) = (&before.memory.objects, &after.memory.objects);
        for index in 0..a.len().max(b.len()) {
            match (a.get(index), b.get(index)) {
                (Some(left), Some(right)) if Arc::ptr_eq(left, right) => {}
                (Some(left), Some(right)) if left.is_live() && right.is_live() => {
                    is_closed &= left.base == right.base && left.length == right.length;
                    for difference in left.cells.diff(&right.cells) {
                        let is_known = match difference {
                            DiffItem::Update { old, new }
                                if old.1.size == new.1.size && old.1.scalar == new.1.scalar =>
                            {
                                found.cells.insert((index, *old.0));
                                is_number(&old.1.value)
                                    && is_number(&new.1.value)
                                    && forgotten.cells.contains(&(index, *old.0))
                            }
                            _ => false,
                        };
                        is_closed &= is_known;
                    }
                }
                (left, right) => {
                    let is_gone =
                        |object: Option<&Arc<super::memory::Object>>| object.is_none_or(|object| !object.is_live());
                    is_closed &= is_gone(left) && is_gone(right);
                }
            }
        }
        is_closed
    }
}
