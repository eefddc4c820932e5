//! The states that were met, by their fingerprints; shared by all threads of a search, each shard behind its own lock.

use quod_base::Fingerprint;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

const SHARDS: usize = 128;

pub(crate) struct Visited {
    shards: Box<[Mutex<Shard>]>,
}

#[derive(Default)]
struct Shard {
    marks: FxHashMap<[u64; 2], Mark>,
    /// With how many moves a state was reached, and who rested there, where that is asked: of ways that allow less and are no
    /// shorter none is kept.
    ways: FxHashMap<[u64; 2], Vec<(Box<[u64]>, u32)>>,
    /// States in full, where they are compared.
    kept: FxHashMap<Fingerprint, Vec<Box<[u8]>>>,
}

/// What is known of a state that was met.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The least number of moves with which it was reached.
    pub(crate) depth: u32,
    /// The thread that expands it, or did so last.
    pub(crate) owner: u16,
    /// Depth first: its thread has gone back from it. Breadth first: its expansion has begun.
    pub(crate) is_closed: bool,
}

fn key(fingerprint: Fingerprint) -> [u64; 2] {
    [(fingerprint.0 >> 64) as u64, fingerprint.0 as u64]
}

impl Visited {
    pub(crate) fn new() -> Self {
        Self { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }

    fn shard(&self, fingerprint: Fingerprint) -> MutexGuard<'_, Shard> {
        let shard = &self.shards[(fingerprint.0 >> 121) as usize % SHARDS];
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn mark(&self, fingerprint: Fingerprint) -> Option<Mark> {
        self.shard(fingerprint).marks.get(&key(fingerprint)).copied()
    }

    /// Takes the state for a thread. False where it was met before; `is_bounded`: and from no further away.
    pub(crate) fn enter(&self, fingerprint: Fingerprint, depth: u64, owner: u16, is_bounded: bool) -> bool {
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        let mark = Mark { depth, owner, is_closed: false };
        match self.shard(fingerprint).marks.entry(key(fingerprint)) {
            std::collections::hash_map::Entry::Occupied(known) if !is_bounded || known.get().depth <= depth => false,
            std::collections::hash_map::Entry::Occupied(mut known) => {
                known.insert(mark);
                true
            }
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(mark);
                true
            }
        }
    }

    /// As `enter`, where some processes rest. False where the state was met from no further away, and none but these rested.
    pub(crate) fn enter_resting(&self, fingerprint: Fingerprint, depth: u64, resting: &[u64]) -> bool {
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        let is_within = |some: &[u64], all: &[u64]| some.iter().all(|process| all.contains(process));
        let mut shard = self.shard(fingerprint);
        let ways = shard.ways.entry(key(fingerprint)).or_default();
        if ways.iter().any(|(known, at)| *at <= depth && is_within(known, resting)) {
            return false;
        }
        ways.retain(|(known, at)| *at < depth || !is_within(resting, known));
        ways.push((resting.into(), depth));
        true
    }

    pub(crate) fn close(&self, fingerprint: Fingerprint) {
        if let Some(mark) = self.shard(fingerprint).marks.get_mut(&key(fingerprint)) {
            mark.is_closed = true;
        }
    }

    /// A fingerprint that belongs to this state alone, and whether another state has the one that was given.
    pub(crate) fn compared(&self, fingerprint: Fingerprint, text: Vec<u8>) -> (Fingerprint, bool) {
        let mut shard = self.shard(fingerprint);
        let same = shard.kept.entry(fingerprint).or_default();
        let (index, is_collision) = match same.iter().position(|kept| **kept == *text) {
            Some(index) => (index, false),
            None => {
                same.push(text.into_boxed_slice());
                (same.len() - 1, same.len() > 1)
            }
        };
        let own = if index == 0 { fingerprint } else { Fingerprint::of(&(fingerprint, index)) };
        (own, is_collision)
    }

    pub(crate) fn len(&self) -> u64 {
        let count = |shard: &Mutex<Shard>| {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            (shard.marks.len() + shard.ways.values().map(Vec::len).sum::<usize>()) as u64
        };
        self.shards.iter().map(count).sum()
    }
}
