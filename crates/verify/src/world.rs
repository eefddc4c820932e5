//! What distinguishes states in what the library keeps: locks, keys, and the rest as text.

use quod_exec::library::World;
use quod_exec::symbolic::{TermKey, Value};
use std::fmt::Debug;
use std::hash::{Hash, Hasher};

pub(crate) fn hash(pool: &impl TermKey, world: &World<Value>, hasher: &mut impl Hasher) {
    texts(1, world.mutexes.iter(), hasher);
    texts(2, world.conditions.iter().filter(|(_, condition)| !condition.waiting.is_empty()), hasher);
    let taken = world.locks.iter().filter(|(_, lock)| lock.writer.is_some() || !lock.readers.is_empty());
    texts(3, taken, hasher);
    texts(4, world.barriers.iter(), hasher);
    texts(5, world.semaphores.iter(), hasher);
    texts(6, world.once.iter(), hasher);
    let mut values: Vec<_> = world.key_values.iter().collect();
    values.sort_by_key(|(key, _)| **key);
    values.len().hash(hasher);
    for (key, value) in values {
        key.hash(hasher);
        value.hash_into(pool, hasher);
    }
    // Rare, and told apart by their texts.
    let rare = (&world.keys, &world.jumps, &world.at_exit, &world.civl, &world.thread_local_images, &world.heap_scopes);
    format!("{:?}", world.recordings).hash(hasher);
    format!("{rare:?}").hash(hasher);
    let kept = (&world.strtok, &world.errno, &world.pick, world.clock, &world.rand, world.rand_index);
    format!("{kept:?}").hash(hasher);
    (world.time_passes, world.random).hash(hasher);
    texts(7, world.signals.iter(), hasher);
    texts(8, world.communicators.iter(), hasher);
    texts(9, world.places.iter(), hasher);
    texts(12, world.civl_barriers.iter(), hasher);
    texts(10, world.environment.iter(), hasher);
    texts(11, world.objects.iter(), hasher);
    // The three that every program begins with are never looked at.
    let streams = &world.streams;
    if streams.streams.len() > 3 || !streams.files.is_empty() || !streams.removed.is_empty() {
        format!("{streams:?}").hash(hasher);
    }
}

/// The entries of a map, in an order of their own.
fn texts<'a, K: Ord + Debug + 'a, V: Debug + 'a>(
    kind: u8,
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    hasher: &mut impl Hasher,
) {
    let mut entries: Vec<_> = entries.collect();
    entries.sort_by_key(|(key, _)| *key);
    (kind, entries.len()).hash(hasher);
    for entry in entries {
        format!("{entry:?}").hash(hasher);
    }
}
