//! The fingerprint of a state: equal for equal states, whoever made them. Terms count by their structure.

use quod_base::Fingerprint;
use quod_base::fingerprint::FingerprintHasher;
use quod_exec::state::State;
use quod_exec::symbolic::SymbolicDomain;
use quod_term::TermPool;
use std::hash::Hash;

pub(crate) fn of(pool: &TermPool, state: &State<SymbolicDomain>, is_exited: bool) -> Fingerprint {
    let mut hasher = FingerprintHasher::default();
    is_exited.hash(&mut hasher);
    state.memory.hash_into(pool, &mut hasher);
    state.atomic_owner.hash(&mut hasher);
    for process in &state.processes {
        (process.status == quod_exec::state::Status::Running, process.atomic_depth, process.atom_depth)
            .hash(&mut hasher);
        for frame in &process.frames {
            (frame.function, frame.pc, frame.base, frame.environment).hash(&mut hasher);
            // What the library has on the stack is rare and told apart by its text.
            if frame.native.is_some() {
                format!("{:?}", frame.native).hash(&mut hasher);
            }
        }
        for register in &process.registers {
            register.hash_into(pool, &mut hasher);
        }
        format!("{:?} {:?} {:?}", process.result, process.is_detached, process.is_joined).hash(&mut hasher);
    }
    format!("{:?}", state.environments).hash(&mut hasher);
    // Locks, streams and the like: different texts for different contents.
    format!("{:?}", state.world).hash(&mut hasher);
    hasher.finish128()
}
