//! Deadlocks: nobody can move. A *potential* one is a state where nobody could if messages were handed over from who sends
//! to who receives, instead of being kept on the way.

use crate::replay::FUEL;
use quod_base::Id;
use quod_exec::domain::Domain;
use quod_exec::machine::{Event, Machine, MessageWait};
use quod_exec::state::{ProcessId, State, Status};

/// A process that waits in a state in which nobody can move.
pub(crate) fn stuck<D: Domain>(
    machine: &mut Machine<'_, D>,
    state: &State<D>,
    is_synchronous: bool,
    is_strict: bool,
) -> Option<ProcessId> {
    machine.is_synchronous = is_synchronous;
    let first = waiting(machine, state, state.atomic_owner.filter(|_| is_strict));
    machine.is_synchronous = false;
    machine.waits_for = None;
    first
}

/// `only`: nobody else is let in.
fn waiting<D: Domain>(machine: &mut Machine<'_, D>, state: &State<D>, only: Option<ProcessId>) -> Option<ProcessId> {
    let mut first = None;
    let mut waits: Vec<MessageWait> = Vec::new();
    for id in (0..state.processes.len()).map(ProcessId::from_index) {
        let process = &state.processes[id.index()];
        if process.status != Status::Running || only.is_some_and(|only| only != id) {
            continue;
        }
        let mut probe = state.clone();
        probe.atomic_owner = (process.atomic_depth > 0 || process.atom_depth > 0).then_some(id);
        machine.has_moved = false;
        machine.waits_for = None;
        if !matches!(machine.run_process(&mut probe, id, FUEL, true), Event::Blocked) {
            return None;
        }
        waits.extend(machine.waits_for);
        first = first.or(Some(id));
    }
    // Who could hand over a message moves.
    let could_meet = waits.iter().any(|one| waits.iter().any(|other| one.meets(other)));
    first.filter(|_| !could_meet)
}
