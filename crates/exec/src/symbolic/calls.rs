//! One call of a function seen as another: the state at the beginning of a call further down the stack, put into the
//! frame of the first one.

use super::terms::SymbolicDomain;
use super::value::{Pointer, Target, Value};
use crate::domain::{Ending, ObjectKind};
use crate::state::State;
use quod_base::{Id, Span};
use std::sync::Arc;

impl SymbolicDomain {
    /// The state at the beginning of a call, as if it had been made by the caller of `first`, which stands at the beginning of
    /// an earlier call of the same function. What belongs to the calls between them is gone. Nothing where the function
    /// could reach any of that, or where memory has been allocated since.
    pub fn as_called_first(&self, first: &State<Self>, later: &State<Self>) -> Option<State<Self>> {
        let ([a], [b]) = (&first.processes[..], &later.processes[..]) else { return None };
        let (top, deeper) = (a.frames.last()?, b.frames.last()?);
        let is_same = top.function == deeper.function && top.pc == deeper.pc;
        let registers = b.registers.get(deeper.base as usize..)?;
        if !is_same || a.registers.len() - top.base as usize != registers.len() {
            return None;
        }
        let is_old = |index: usize| index < first.memory.objects.len();
        let is_fine = |value: &Value| match value {
            Value::Pointer(Pointer { target: Target::Object(id), .. }) => is_old(id.index()),
            _ => true,
        };
        if !registers.iter().all(is_fine) || !b.thread_locals.values().all(is_fine) {
            return None;
        }
        let mut state = later.clone();
        for (index, object) in later.memory.objects.iter().enumerate().filter(|(_, object)| object.is_live()) {
            if is_old(index) {
                if !object.cells.values().all(|cell| is_fine(&cell.value)) {
                    return None;
                }
                continue;
            }
            // Of a frame between the two: nothing that the function can reach points there.
            if !matches!(object.kind, ObjectKind::Local | ObjectKind::Stack | ObjectKind::Arguments) {
                return None;
            }
            let mut gone = (**object).clone();
            gone.ending = Some((Ending::Left, Span::NONE));
            gone.hash = std::sync::OnceLock::new();
            state.memory.objects.set(index, Arc::new(gone));
        }
        let mut process = (**a).clone();
        process.registers.truncate(top.base as usize);
        process.registers.extend(registers.iter().cloned());
        process.thread_locals = b.thread_locals.clone();
        process.status = b.status;
        process.next_serial = b.next_serial;
        (process.atomic_depth, process.atom_depth) = (b.atomic_depth, b.atom_depth);
        *state.processes.first_mut()? = crate::shared::Shared::new(process);
        Some(state)
    }
}
