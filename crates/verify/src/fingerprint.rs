//! The fingerprint of a state: equal for equal states, whoever made them. Terms count by their structure.
//!
//! All that can make a difference to what a state can do is in it; names and places for messages are not.

use crate::world;
use quod_base::Fingerprint;
use quod_base::fingerprint::FingerprintHasher;
use quod_exec::state::{Environment, Frame, Process, State, Status};
use quod_exec::symbolic::{Identity, SymbolicDomain, TermKey, Value};
use quod_term::TermPool;
use std::hash::{Hash, Hasher};

pub(crate) fn of(pool: &TermPool, state: &State<SymbolicDomain>, is_exited: bool) -> Fingerprint {
    let mut hasher = FingerprintHasher::default();
    (is_exited, state.atomic_owner, state.has_strays).hash(&mut hasher);
    state.memory.hash_into(pool, &mut hasher);
    for one in &state.processes {
        one.hash_by(|one| hashed(|hasher| process(pool, one, hasher))).hash(&mut hasher);
    }
    if !state.environments.is_empty() {
        state.environments.hash_by(|all| hashed(|hasher| environments(pool, all, hasher))).hash(&mut hasher);
    }
    if !state.world.is_untouched() {
        state.world.hash_by(|all| hashed(|hasher| world::hash(pool, all, hasher))).hash(&mut hasher);
    }
    hasher.finish128()
}

/// All that is hashed, in full.
pub(crate) fn record(state: &State<SymbolicDomain>, is_exited: bool) -> Vec<u8> {
    let mut recorder = Recorder(Vec::new());
    (is_exited, state.atomic_owner, state.has_strays).hash(&mut recorder);
    state.memory.record_into(&mut recorder);
    for one in &state.processes {
        process(&Identity, one, &mut recorder);
    }
    environments(&Identity, &state.environments, &mut recorder);
    if !state.world.is_untouched() {
        world::hash(&Identity, &state.world, &mut recorder);
    }
    recorder.0
}

/// A hasher that forgets nothing.
struct Recorder(Vec<u8>);

impl Hasher for Recorder {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
    fn finish(&self) -> u64 {
        0
    }
}

fn hashed(feed: impl FnOnce(&mut FingerprintHasher)) -> Fingerprint {
    let mut hasher = FingerprintHasher::default();
    feed(&mut hasher);
    hasher.finish128()
}

fn environments(pool: &impl TermKey, all: &[Environment<Value>], hasher: &mut impl Hasher) {
    for environment in all {
        (environment.function, environment.scope, environment.parent, environment.users, environment.is_left)
            .hash(hasher);
        environment.variables.len().hash(hasher);
        for (local, value) in &environment.variables {
            local.hash(hasher);
            value.hash_into(pool, hasher);
        }
    }
}

fn process(pool: &impl TermKey, process: &Process<Value>, hasher: &mut impl Hasher) {
    let is_running = process.status == Status::Running;
    (is_running, process.atomic_depth, process.atom_depth, process.environment).hash(hasher);
    (process.is_detached, process.is_joined, process.is_spawned, process.is_thread, process.is_free).hash(hasher);
    optional(pool, process.result.as_ref(), hasher);
    // What has ended only waits to be asked for its result.
    if !is_running {
        return;
    }
    let mut thread_locals: Vec<(u32, &Value)> =
        process.thread_locals.iter().map(|(&index, value)| (index, value)).collect();
    thread_locals.sort_by_key(|&(index, _)| index);
    for (index, value) in thread_locals {
        index.hash(hasher);
        value.hash_into(pool, hasher);
    }
    process.frames.len().hash(hasher);
    for one in &process.frames {
        frame(pool, one, hasher);
    }
    for register in &process.registers {
        register.hash_into(pool, hasher);
    }
}

fn frame(pool: &impl TermKey, frame: &Frame<Value>, hasher: &mut impl Hasher) {
    (frame.function, frame.pc, frame.base, frame.environment, frame.static_link).hash(hasher);
    frame.extra.is_some().hash(hasher);
    if let Some(extra) = &frame.extra {
        optional(pool, extra.result_address.as_ref(), hasher);
        optional(pool, extra.variable_arguments.as_ref(), hasher);
        extra.stack_objects.len().hash(hasher);
        for object in &extra.stack_objects {
            object.hash_into(pool, hasher);
        }
    }
    // What the library has on the stack is rare and told apart by its text.
    if frame.native.is_some() {
        format!("{:?}", frame.native).hash(hasher);
    }
}

fn optional(pool: &impl TermKey, value: Option<&Value>, hasher: &mut impl Hasher) {
    match value {
        Some(value) => {
            1u8.hash(hasher);
            value.hash_into(pool, hasher);
        }
        None => 0u8.hash(hasher),
    }
}
