//! What a state is, whatever its objects and symbols are called, and what can be reached in it.
//!
//! Objects are counted in the order in which a walk from the variables meets them, symbols in the order in which terms
//! show them, and conjuncts of the path condition count only where they share symbols, directly or through others, with what
//! the state holds, or say something about where objects are: pointers bring such symbols back. The conjuncts that are left
//! out are independent of the rest; who matches states must know that they can be true.
//!
//! Processes and instances of scopes keep their numbers: the program computes with them.

mod terms;
mod world;

use super::memory::{Base, Memory, Object, ObjectId};
use super::terms::SymbolicDomain;
use super::value::{Offset, Pointer, Target, Value};
use crate::domain::ObjectKind;
use crate::state::{Frame, Process, State, Status};
use quod_base::fingerprint::FingerprintHasher;
use quod_base::{Fingerprint, Id, Span};
use quod_term::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::{Hash, Hasher};

/// The symbols of conjuncts, as they were found out once.
pub type SymbolsOf = FxHashMap<Term, Box<[Term]>>;

/// Where what distinguishes states goes.
trait Sink: Hasher + Default {
    /// Nothing may be replaced by its hash.
    const IS_FULL: bool;
}

impl Sink for FingerprintHasher {
    const IS_FULL: bool = false;
}

/// A hasher that forgets nothing.
#[derive(Default)]
struct Recorder(Vec<u8>);

impl Hasher for Recorder {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
    fn finish(&self) -> u64 {
        0
    }
}

impl Sink for Recorder {
    const IS_FULL: bool = true;
}

/// Names that a walk over a state gives.
struct Walk<'d, S> {
    domain: &'d SymbolicDomain,
    sink: S,
    /// The number of each object, if it was met.
    objects: Vec<Option<u32>>,
    queue: Vec<ObjectId>,
    /// How many of the queue have been looked at.
    seen: usize,
    symbols: FxHashMap<Term, u32>,
    terms: FxHashMap<Term, u128>,
    /// How terms are made of others, where nothing is replaced by its hash.
    definitions: S,
    /// Looked at so far, of objects that hold more than constants.
    cells: usize,
}

const MOST_CELLS: usize = 5_000;

impl SymbolicDomain {
    /// Equal for states that differ only in names. `is_live`: which registers of the first process count, all where nothing is
    /// said. Nothing where states are not compared so: huge terms, quantifiers, pointers to nested functions.
    pub fn canonical(&self, state: &State<Self>, is_live: &[bool], symbols_of: &mut SymbolsOf) -> Option<Fingerprint> {
        let walk = Walk::<FingerprintHasher>::over(self, state, is_live, symbols_of)?;
        Some(walk.sink.finish128())
    }

    /// All that [`SymbolicDomain::canonical`] counts, in full.
    pub fn canonical_record(&self, state: &State<Self>, symbols_of: &mut SymbolsOf) -> Option<Vec<u8>> {
        let walk = Walk::<Recorder>::over(self, state, &[], symbols_of)?;
        let mut record = walk.sink.0;
        record.extend(walk.definitions.0);
        Some(record)
    }

    /// A heap object that lives and that no variable leads to: where it was made, and its size. `variables` are the
    /// values that the call stack holds.
    pub fn lost_object<'v>(&self, memory: &Memory, variables: impl Iterator<Item = &'v Value>) -> Option<(Span, u64)> {
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        // A pointer to the block, or behind its end; one that went further does not lead to it any more.
        let target = |value: &Value| match value {
            Value::Pointer(Pointer { target: Target::Object(id), offset }) => match offset {
                Offset::Known(bytes) => {
                    u64::try_from(*bytes).is_ok_and(|bytes| bytes <= memory.object(*id).size).then_some(*id)
                }
                Offset::Term { .. } => Some(*id),
            },
            _ => None,
        };
        let mut work: Vec<ObjectId> = variables.filter_map(target).collect();
        for (index, object) in memory.objects.iter().enumerate() {
            let is_root = object.is_live() && object.kind != ObjectKind::Heap && !object.is_passing();
            if is_root {
                work.push(ObjectId::from_index(index));
            }
        }
        while let Some(id) = work.pop() {
            if seen.insert(id) {
                work.extend(memory.object(id).cells.values().filter_map(|cell| target(&cell.value)));
            }
        }
        let is_lost = |(index, object): &(usize, &std::sync::Arc<Object>)| {
            let is_heap = object.kind == ObjectKind::Heap && object.is_live();
            is_heap && !seen.contains(&ObjectId::from_index(*index))
        };
        memory.objects.iter().enumerate().find(is_lost).map(|(_, object)| (object.span, object.size))
    }
}

impl<'d, S: Sink> Walk<'d, S> {
    fn over(
        domain: &'d SymbolicDomain,
        state: &State<SymbolicDomain>,
        is_live: &[bool],
        symbols_of: &mut SymbolsOf,
    ) -> Option<Self> {
        let mut walk = Self {
            domain,
            sink: S::default(),
            objects: vec![None; state.memory.objects.len()],
            queue: Vec::new(),
            seen: 0,
            symbols: FxHashMap::default(),
            terms: FxHashMap::default(),
            definitions: S::default(),
            cells: 0,
        };
        let has_texts = |process: &Process<Value>| {
            process.frames.iter().any(|frame| frame.native.as_ref().is_some_and(|native| !native.keeps_no_values()))
        };
        if world::names_objects(&state.world) || state.processes.iter().any(|process| has_texts(process)) {
            // What is told apart by its text names objects by their numbers: then they keep them.
            (0..state.memory.objects.len()).for_each(|index| {
                walk.number(ObjectId::from_index(index));
            });
        }
        for (index, object) in state.memory.objects.iter().enumerate() {
            if object.is_static() {
                walk.number(ObjectId::from_index(index));
            }
        }
        (state.atomic_owner, state.processes.len(), state.environments.len()).hash(&mut walk.sink);
        for (index, process) in state.processes.iter().enumerate() {
            walk.process(process, if index == 0 { is_live } else { &[] })?;
        }
        for environment in state.environments.iter() {
            let place = (environment.function, environment.scope, environment.parent);
            (place, environment.users, environment.is_left, environment.variables.len()).hash(&mut walk.sink);
            for (local, value) in &environment.variables {
                local.hash(&mut walk.sink);
                walk.value(value)?;
            }
        }
        walk.reached(&state.memory)?;
        walk.world(&state.world, &state.memory)?;
        walk.reached(&state.memory)?;
        let conjuncts = walk.path(&state.memory, symbols_of)?;
        conjuncts.hash(&mut walk.sink);
        walk.reached(&state.memory)?;
        // Heap objects that nobody reaches matter to who counts them.
        let lost = |(index, object): &(usize, &std::sync::Arc<Object>)| {
            let is_heap = object.is_live() && object.kind == ObjectKind::Heap;
            is_heap && walk.objects[*index].is_none()
        };
        let lost = state.memory.objects.iter().enumerate().filter(lost).count();
        let ages = walk.ages(&state.memory);
        (lost, ages).hash(&mut walk.sink);
        Some(walk)
    }

    fn process(&mut self, process: &Process<Value>, is_live: &[bool]) -> Option<()> {
        let is_running = process.status == Status::Running;
        (is_running, process.atomic_depth, process.atom_depth, process.environment).hash(&mut self.sink);
        (process.is_detached, process.is_joined).hash(&mut self.sink);
        self.optional(process.result.as_ref())?;
        // What has ended only waits to be asked for its result.
        if !is_running {
            return Some(());
        }
        let mut thread_locals: Vec<(&u32, &Value)> = process.thread_locals.iter().collect();
        thread_locals.sort_by_key(|(index, _)| **index);
        thread_locals.len().hash(&mut self.sink);
        for (index, value) in thread_locals {
            index.hash(&mut self.sink);
            self.value(value)?;
        }
        process.frames.len().hash(&mut self.sink);
        for frame in &process.frames {
            self.frame(frame)?;
        }
        for (index, register) in process.registers.iter().enumerate() {
            if is_live.get(index).copied().unwrap_or(true) {
                index.hash(&mut self.sink);
                self.value(register)?;
            }
        }
        Some(())
    }

    fn frame(&mut self, frame: &Frame<Value>) -> Option<()> {
        (frame.function, frame.pc, frame.base, frame.environment, frame.static_link).hash(&mut self.sink);
        if let Some(native) = &frame.native {
            format!("{native:?}").hash(&mut self.sink);
        }
        frame.extra.is_some().hash(&mut self.sink);
        if let Some(extra) = &frame.extra {
            self.optional(extra.result_address.as_ref())?;
            self.optional(extra.variable_arguments.as_ref())?;
            extra.stack_objects.len().hash(&mut self.sink);
            for value in &extra.stack_objects {
                self.value(value)?;
            }
        }
        Some(())
    }

    fn number(&mut self, id: ObjectId) -> u32 {
        let next = self.queue.len() as u32;
        *self.objects[id.index()].get_or_insert_with(|| {
            self.queue.push(id);
            next
        })
    }

    /// Looks at all objects that have been met, and at what they lead to.
    fn reached(&mut self, memory: &Memory) -> Option<()> {
        while let Some(&id) = self.queue.get(self.seen) {
            self.seen += 1;
            self.object(memory.object(id))?;
        }
        Some(())
    }

    /// The objects from the oldest to the youngest, where a pointer leads to one that is gone: only what is younger can be in
    /// its place.
    fn ages(&self, memory: &Memory) -> Vec<u32> {
        if self.queue.iter().all(|&id| memory.object(id).is_live()) {
            return Vec::new();
        }
        let mut all: Vec<(ObjectId, u32)> = self.queue.iter().copied().zip(0..).collect();
        all.sort_unstable();
        // Between two that are gone the order does not matter.
        let mut ages: Vec<u32> = all.iter().map(|&(_, number)| number).collect();
        let mut start = 0;
        for end in 0..=all.len() {
            if all.get(end).is_none_or(|&(id, _)| !memory.object(id).is_live()) {
                ages[start..end].sort_unstable();
                start = end + 1;
            }
        }
        ages
    }

    fn optional(&mut self, value: Option<&Value>) -> Option<()> {
        value.is_some().hash(&mut self.sink);
        value.map_or(Some(()), |value| self.value(value))
    }

    fn value(&mut self, value: &Value) -> Option<()> {
        match value {
            Value::Unset => 0u8.hash(&mut self.sink),
            Value::Number(term) => (1u8, self.term(*term)?).hash(&mut self.sink),
            Value::Pointer(pointer) => {
                match pointer.target {
                    Target::Object(id) => (2u8, self.number(id)).hash(&mut self.sink),
                    Target::Null => 3u8.hash(&mut self.sink),
                    Target::Function(index) if self.domain.is_plain_function(index) => {
                        (4u8, index).hash(&mut self.sink);
                    }
                    Target::Function(_) => return None,
                    Target::Wild(id) => (5u8, id).hash(&mut self.sink),
                }
                match pointer.offset {
                    Offset::Known(bytes) => (0u8, bytes).hash(&mut self.sink),
                    Offset::Term { term, stride, residue } => {
                        (1u8, self.term(term)?, stride, residue).hash(&mut self.sink);
                    }
                }
            }
        }
        Some(())
    }

    fn object(&mut self, object: &Object) -> Option<()> {
        if !object.is_live() {
            // Its size says which pointer to it is one behind its end.
            (0u8, object.size).hash(&mut self.sink);
            return Some(());
        }
        if object.is_open() {
            // An array of unknown length knows its writes in their order: its states are compared as they are.
            return None;
        }
        if !S::IS_FULL && object.names_nothing(&self.domain.pool) {
            (1u8, object.fingerprint(&self.domain.pool)).hash(&mut self.sink);
            return Some(());
        }
        // States that hold so much are hardly ever equal, and looking takes long.
        self.cells += object.cells.len();
        if self.cells > MOST_CELLS {
            return None;
        }
        let kind = (object.is_constant, object.kind as u8, object.base_kind());
        (2u8, object.size, kind, &object.rows, object.cells.len()).hash(&mut self.sink);
        for (offset, cell) in &object.cells {
            (offset, cell.size, cell.scalar).hash(&mut self.sink);
            self.value(&cell.value)?;
        }
        if let Base::Grid(grid) = &object.base {
            (grid.stride, grid.is_zero, grid.fields.len()).hash(&mut self.sink);
            for (residue, field) in &grid.fields {
                (residue, field.size, self.term(field.array)?).hash(&mut self.sink);
            }
        }
        if let Some(length) = object.length {
            self.term(length)?.hash(&mut self.sink);
        }
        Some(())
    }
}
