//! What distinguishes states in what the library keeps: locks, messages on their way, and the rest as text.

use super::super::memory::{Memory, ObjectId};
use super::super::value::Value;
use super::{Sink, Walk};
use crate::library::{Mutex, World};
use quod_base::Id;
use std::fmt::Debug;
use std::hash::Hash;

/// Something is told apart by a text in which objects have their numbers.
pub(super) fn names_objects(world: &World<Value>) -> bool {
    !(world.keys.is_empty()
        && world.jumps.is_empty()
        && world.at_exit.is_empty()
        && world.signals.is_empty()
        && world.environment.is_empty())
        || world.civl.iter().any(|value| matches!(value, crate::library::CivlValue::Memory(_)))
        || !world.recordings.is_empty()
        || has_files(world)
}

fn has_files(world: &World<Value>) -> bool {
    // The three that every program begins with are never looked at.
    let streams = &world.streams;
    streams.streams.len() > 3 || !streams.files.is_empty() || !streams.removed.is_empty()
}

impl<S: Sink> Walk<'_, S> {
    pub(super) fn world(&mut self, world: &World<Value>, memory: &Memory) -> Option<()> {
        if world.is_untouched() {
            return Some(());
        }
        // A mutex that nobody holds is like one that nobody has held yet, unless it must be initialised first.
        let is_static = |address: u64| {
            let index = ((address >> 32) as usize).checked_sub(1);
            index.and_then(|index| memory.objects.get(index)).is_some_and(|object| object.is_static())
        };
        let is_told = |address: u64, mutex: &Mutex| mutex.owner.is_some() || mutex.kind != 0 || !is_static(address);
        let held = world.mutexes.iter().filter(|(address, mutex)| is_told(**address, mutex));
        self.kept(1, held);
        self.kept(2, world.conditions.iter().filter(|(_, condition)| !condition.waiting.is_empty()));
        let taken = world.locks.iter().filter(|(_, lock)| lock.writer.is_some() || !lock.readers.is_empty());
        self.kept(3, taken);
        self.kept(4, world.barriers.iter());
        self.kept(5, world.semaphores.iter());
        self.kept(6, world.once.iter());
        self.kept(7, world.civl_barriers.iter());
        for (place, (of, number)) in self.named(world.places.iter()) {
            let of = self.address(*of);
            (8u8, place, of, number).hash(&mut self.sink);
        }
        for (place, communicator) in self.named(world.communicators.iter()) {
            (9u8, place, communicator.count, &communicator.taken).hash(&mut self.sink);
            communicator.waiting.len().hash(&mut self.sink);
            for (ends, messages) in &communicator.waiting {
                (ends, messages.len()).hash(&mut self.sink);
                for message in messages {
                    message.tag.hash(&mut self.sink);
                    self.value(&message.content)?;
                }
            }
        }
        let mut values: Vec<_> = world.key_values.iter().collect();
        values.sort_by_key(|(key, _)| **key);
        for (key, value) in values {
            (10u8, key).hash(&mut self.sink);
            self.value(value)?;
        }
        let mut objects: Vec<_> = world.objects.iter().collect();
        objects.sort_by_key(|(name, _)| **name);
        for (name, value) in objects {
            (11u8, name).hash(&mut self.sink);
            self.value(value)?;
        }
        world.heap_scopes.len().hash(&mut self.sink);
        for (scope, object) in &world.heap_scopes {
            scope.hash(&mut self.sink);
            self.value(object)?;
        }
        for image in &world.thread_local_images {
            self.value(image)?;
        }
        self.optional(world.strtok.as_ref())?;
        self.optional(world.errno.as_ref())?;
        (&world.pick, world.clock, &world.rand, world.rand_index).hash(&mut self.sink);
        (world.time_passes, world.random).hash(&mut self.sink);
        if !world.civl.is_empty() {
            format!("{:?}", world.civl).hash(&mut self.sink);
        }
        if names_objects(world) {
            let rare = (&world.keys, &world.jumps, &world.at_exit);
            format!("{rare:?} {:?}", world.recordings).hash(&mut self.sink);
            self.texts(world.signals.iter());
            self.texts(world.environment.iter());
        }
        if has_files(world) {
            format!("{:?}", world.streams).hash(&mut self.sink);
        }
        Some(())
    }

    /// The name of an object, and a place in it, by what the library calls its address.
    fn address(&mut self, address: u64) -> (u32, u64) {
        let index = ((address >> 32) as usize).checked_sub(1).filter(|&index| index < self.names.objects.count);
        match index {
            Some(index) => (self.number(ObjectId::from_index(index)), address & u64::from(u32::MAX)),
            None => (u32::MAX, address),
        }
    }

    /// Entries by the names of what they belong to. Those of objects that nothing has led to come last, as they were made.
    fn named<'v, V>(&mut self, entries: impl Iterator<Item = (&'v u64, &'v V)>) -> Vec<((u32, u64), &'v V)> {
        let mut entries: Vec<_> = entries.collect();
        entries.sort_unstable_by_key(|(address, _)| **address);
        let mut entries: Vec<_> = entries.into_iter().map(|(address, entry)| (self.address(*address), entry)).collect();
        entries.sort_unstable_by_key(|(name, _)| *name);
        entries.len().hash(&mut self.sink);
        entries
    }

    fn kept<'v, V: Hash + 'v>(&mut self, kind: u8, entries: impl Iterator<Item = (&'v u64, &'v V)>) {
        for (name, entry) in self.named(entries) {
            (kind, name, entry).hash(&mut self.sink);
        }
    }

    /// The entries of a map, in an order of their own.
    fn texts<'v, K: Ord + Debug + 'v, V: Debug + 'v>(&mut self, entries: impl Iterator<Item = (&'v K, &'v V)>) {
        let mut entries: Vec<_> = entries.collect();
        entries.sort_by_key(|(key, _)| *key);
        format!("{entries:?}").hash(&mut self.sink);
    }
}
