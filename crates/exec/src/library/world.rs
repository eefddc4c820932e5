//! What the library keeps: streams, random numbers, locks, jump buffers, CIVL-C's values.

use super::stdio::Streams;
use crate::domain::FunctionValue;
use crate::state::ProcessId;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A `setjmp` that can be returned to.
#[derive(Clone, Debug)]
pub struct JumpPoint {
    pub process: ProcessId,
    pub depth: usize,
    pub serial: u64,
    pub pc: u32,
}

#[derive(Clone, Debug, Hash)]
pub struct Mutex {
    pub owner: Option<ProcessId>,
    pub count: u32,
    pub kind: i128,
}

#[derive(Clone, Debug, Default, Hash)]
pub struct Condition {
    /// Who waits, in order; a signal takes the first out.
    pub waiting: Vec<ProcessId>,
}

#[derive(Clone, Debug, Default, Hash)]
pub struct ReadWriteLock {
    pub readers: Vec<ProcessId>,
    pub writer: Option<ProcessId>,
}

#[derive(Clone, Debug, Default, Hash)]
pub struct Barrier {
    pub limit: u32,
    pub waiting: Vec<ProcessId>,
    pub released: Vec<ProcessId>,
}

/// A value of CIVL-C that only the library looks into.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CivlValue {
    Range {
        low: i128,
        high: i128,
        step: i128,
    },
    Domain(Vec<(i128, i128, i128)>),
    /// The elements of an explicit domain.
    Tuples(Vec<Vec<i128>>),
    /// A `$mem`: ranges of bytes.
    Memory(Vec<super::civl_mem::Region>),
}

/// Values of CIVL-C by their numbers, which depend on nothing but the values: in whatever order processes make them, the
/// states that they come to are the same.
#[derive(Clone, Debug, Default)]
pub struct CivlValues(BTreeMap<i128, CivlValue>);

impl CivlValues {
    pub fn get(&self, number: i128) -> Option<&CivlValue> {
        self.0.get(&number)
    }

    pub fn iter(&self) -> impl Iterator<Item = &CivlValue> {
        self.0.values()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of a value: equal values have equal numbers, and different ones different numbers.
    fn keep(&mut self, value: CivlValue) -> i128 {
        let mut hasher = quod_base::fingerprint::FingerprintHasher::default();
        std::hash::Hash::hash(&value, &mut hasher);
        let mut number = (hasher.finish128().0 >> 80) as i128 + 1;
        while self.0.get(&number).is_some_and(|known| *known != value) {
            number += 1;
        }
        self.0.entry(number).or_insert(value);
        number
    }
}

/// A message on its way.
#[derive(Clone, Debug)]
pub struct CivlMessage<V> {
    pub tag: i128,
    /// The bytes, which nobody changes any more.
    pub content: V,
}

/// Messages by destination and source, in the order in which they were sent.
#[derive(Clone, Debug)]
pub struct Communicator<V> {
    pub count: i128,
    /// Places for which a `$comm` was made: there is only one of each.
    pub taken: BTreeSet<i128>,
    pub waiting: BTreeMap<(i128, i128), Vec<CivlMessage<V>>>,
}

impl<V> Communicator<V> {
    pub fn new(count: i128) -> Self {
        Self { count, taken: BTreeSet::new(), waiting: BTreeMap::new() }
    }
}

/// A barrier of CIVL-C: the places that have entered and wait for the others.
#[derive(Clone, Debug, Default, Hash)]
pub struct CivlBarrier {
    pub count: i128,
    pub inside: BTreeSet<i128>,
}

#[derive(Clone, Debug)]
pub struct World<V> {
    pub streams: Streams,
    pub random: u64,
    /// State of `rand`: glibc's additive generator.
    pub rand: Vec<u32>,
    pub rand_index: usize,
    pub errno: Option<V>,
    pub strtok: Option<V>,
    pub jumps: Vec<JumpPoint>,
    pub at_exit: Vec<(FunctionValue, Option<V>)>,
    pub mutexes: FxHashMap<u64, Mutex>,
    pub conditions: FxHashMap<u64, Condition>,
    pub locks: FxHashMap<u64, ReadWriteLock>,
    pub barriers: FxHashMap<u64, Barrier>,
    pub semaphores: FxHashMap<u64, i128>,
    pub once: FxHashMap<u64, bool>,
    pub keys: Vec<Option<FunctionValue>>,
    pub key_values: FxHashMap<(usize, u32), V>,
    pub signals: FxHashMap<i128, V>,
    pub thread_local_images: Vec<V>,
    pub objects: FxHashMap<&'static str, V>,
    pub civl: CivlValues,
    /// Sets that are being collected, those of one process and kind in the order of their stack.
    pub recordings: Vec<super::civl_mem::Recording>,
    /// By the address of the `$gcomm`.
    pub communicators: BTreeMap<u64, Communicator<V>>,
    /// By the address of the `$gbarrier`.
    pub civl_barriers: BTreeMap<u64, CivlBarrier>,
    /// By the address of a `$comm` or `$barrier`: the global one's address and the place.
    pub places: BTreeMap<u64, (u64, i128)>,
    /// Memory that was allocated in a scope which is not the outermost, where scopes are told apart.
    pub heap_scopes: Vec<(i128, V)>,
    pub environment: FxHashMap<Vec<u8>, V>,
    pub clock: i128,
    /// What the next free choice is, where someone drives the executor.
    pub pick: Option<i128>,
    /// Nothing else can happen: the next wait with a time limit ends.
    pub time_passes: bool,
}

impl<V> Default for World<V> {
    fn default() -> Self {
        Self {
            streams: Streams::default(),
            random: 0x9e37_79b9_7f4a_7c15,
            rand: Vec::new(),
            rand_index: 0,
            errno: None,
            strtok: None,
            jumps: Vec::new(),
            at_exit: Vec::new(),
            mutexes: FxHashMap::default(),
            conditions: FxHashMap::default(),
            locks: FxHashMap::default(),
            barriers: FxHashMap::default(),
            semaphores: FxHashMap::default(),
            once: FxHashMap::default(),
            keys: Vec::new(),
            key_values: FxHashMap::default(),
            signals: FxHashMap::default(),
            thread_local_images: Vec::new(),
            objects: FxHashMap::default(),
            civl: CivlValues::default(),
            recordings: Vec::new(),
            communicators: BTreeMap::new(),
            civl_barriers: BTreeMap::new(),
            places: BTreeMap::new(),
            heap_scopes: Vec::new(),
            environment: FxHashMap::default(),
            clock: 0,
            pick: None,
            time_passes: false,
        }
    }
}

impl<V> World<V> {
    /// Nothing that is kept could lead a process to an object, but the streams that every program begins with.
    pub fn keeps_no_values(&self) -> bool {
        self.key_values.is_empty()
            && self.signals.is_empty()
            && self.at_exit.is_empty()
            && !self.time_passes
            && self.environment.is_empty()
            && self.strtok.is_none()
            && self.jumps.is_empty()
    }

    /// Values of the program that any process could get: those of messages on their way.
    pub fn shared_values(&self) -> impl Iterator<Item = &V> {
        let waiting = self.communicators.values().flat_map(|communicator| communicator.waiting.values());
        waiting.flatten().map(|message| &message.content)
    }

    /// Nothing is kept but what every program begins with.
    pub fn is_untouched(&self) -> bool {
        self.mutexes.is_empty()
            && self.conditions.is_empty()
            && self.locks.is_empty()
            && self.barriers.is_empty()
            && self.semaphores.is_empty()
            && self.once.is_empty()
            && self.keys.is_empty()
            && self.key_values.is_empty()
            && self.signals.is_empty()
            && self.jumps.is_empty()
            && self.at_exit.is_empty()
            && self.civl.is_empty()
            && self.recordings.is_empty()
            && self.communicators.is_empty()
            && self.civl_barriers.is_empty()
            && self.places.is_empty()
            && self.heap_scopes.is_empty()
            && !self.time_passes
            && self.environment.is_empty()
            && self.thread_local_images.is_empty()
            && self.strtok.is_none()
            && self.errno.is_none()
            && self.pick.is_none()
            && self.clock == 0
            && self.rand.is_empty()
    }

    /// The number of a value of CIVL-C: equal values have equal numbers.
    pub fn keep(&mut self, value: CivlValue) -> i128 {
        self.civl.keep(value)
    }

    /// splitmix64
    pub fn next_random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.random;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }
}
