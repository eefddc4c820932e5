//! What a state is, whatever its objects and symbols are called, and what can be reached in it.
//!
//! Objects are counted in the order in which a walk from the variables meets them, symbols in the order in which terms
//! show them, and conjuncts of the path condition count only where they share symbols, directly or through others, with what
//! the state holds, or say something about where objects are: pointers bring such symbols back. The conjuncts that are left
//! out are independent of the rest; who matches states must know that they can be true.
//!
//! Instances of scopes are counted as objects are, where programs do not see which is which. Processes keep their numbers: the
//! program computes with them. Numbers that nobody can name are given out again instead (see `numbered.rs`).

mod outline;
mod terms;
mod world;

use super::memory::{Memory, Object, ObjectId};
use super::terms::SymbolicDomain;
use super::value::{Offset, Pointer, Target, Value};
use crate::domain::ObjectKind;
use crate::shared::{Name, Shared};
use crate::state::{Environment, EnvironmentId, Process, State};
use quod_base::fingerprint::FingerprintHasher;
use quod_base::{Fingerprint, Id, Span};
use quod_term::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use outline::Draft;
pub(super) use outline::{of_object as outline_of, of_process as outline_of_process};

/// What is kept from one state to the next.
#[derive(Default)]
pub struct SymbolsOf {
    /// The symbols of conjuncts, as they were found out once.
    conjuncts: FxHashMap<Term, Box<[Term]>>,
    /// Room for names.
    names: Names,
}

/// Names that a walk over a state gives.
#[derive(Default)]
struct Names {
    objects: Numbering,
    queue: Vec<ObjectId>,
    scopes: Numbering,
    scope_queue: Vec<EnvironmentId>,
    symbols: FxHashMap<Term, u32>,
    terms: FxHashMap<Term, u128>,
    /// Empty.
    room: Vec<Name>,
}

/// The numbers that things have got in this walk. Most states have met far fewer objects than there ever were: what earlier walks
/// left behind is told by their number.
#[derive(Default)]
struct Numbering {
    entries: Vec<(u32, u32)>,
    walk: u32,
    /// How many things there are.
    count: usize,
}

impl Numbering {
    fn clear(&mut self, count: usize) {
        self.count = count;
        if self.walk == u32::MAX {
            *self = Self { count, ..Self::default() };
        }
        self.walk += 1;
        if self.entries.len() < count {
            self.entries.resize(count, (0, 0));
        }
    }

    /// The number that a thing has, and whether that is the one it would get now.
    fn get(&mut self, index: usize, next: usize) -> (u32, bool) {
        let entry = &mut self.entries[index];
        let is_new = entry.0 != self.walk;
        if is_new {
            *entry = (self.walk, next as u32);
        }
        (entry.1, is_new)
    }
}

impl Names {
    fn clear(&mut self, objects: usize, scopes: usize) {
        self.objects.clear(objects);
        self.queue.clear();
        self.scopes.clear(scopes);
        self.scope_queue.clear();
        self.symbols.clear();
        self.terms.clear();
    }
}

/// Where what distinguishes states goes.
trait Sink: Hasher + Default {
    /// Nothing may be replaced by its hash.
    const IS_FULL: bool;
    /// What went into another one goes into this one.
    fn append(&mut self, other: Self);
}

impl Sink for FingerprintHasher {
    const IS_FULL: bool = false;
    fn append(&mut self, other: Self) {
        other.finish128().hash(self);
    }
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
    fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

impl SymbolicDomain {
    /// Equal for states that differ only in names. `is_live`: which registers of the first process count, all where nothing is
    /// said. Nothing where states are not compared so: huge terms, quantifiers, pointers to nested functions.
    pub fn canonical(&self, state: &State<Self>, is_live: &[bool], symbols_of: &mut SymbolsOf) -> Option<Fingerprint> {
        let mut walk = Walk::<FingerprintHasher>::new(self, state, symbols_of);
        let is_named = walk.over(state, is_live, symbols_of);
        symbols_of.names = walk.names;
        is_named.map(|()| walk.sink.finish128())
    }

    /// All that [`SymbolicDomain::canonical`] counts, in full.
    pub fn canonical_record(&self, state: &State<Self>, symbols_of: &mut SymbolsOf) -> Option<Vec<u8>> {
        let mut walk = Walk::<Recorder>::new(self, state, symbols_of);
        walk.over(state, &[], symbols_of)?;
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
        let is_lost = |(index, object): &(usize, &Arc<Object>)| {
            let is_heap = object.kind == ObjectKind::Heap && object.is_live();
            is_heap && !seen.contains(&ObjectId::from_index(*index))
        };
        memory.objects.iter().enumerate().find(is_lost).map(|(_, object)| (object.span, object.size))
    }
}

/// A walk over a state.
struct Walk<'d, S> {
    domain: &'d SymbolicDomain,
    sink: S,
    names: Names,
    /// How many of the queue have been looked at.
    seen: usize,
    /// Those that are on the heap and live; and whether one was met that does not.
    heap: usize,
    has_gone: bool,
    /// How terms are made of others, where nothing is replaced by its hash.
    definitions: S,
    /// Looked at so far, of objects that hold more than constants.
    cells: usize,
}

const MOST_CELLS: usize = 5_000;

impl<'d, S: Sink> Walk<'d, S> {
    fn new(domain: &'d SymbolicDomain, state: &State<SymbolicDomain>, known: &mut SymbolsOf) -> Self {
        let mut names = std::mem::take(&mut known.names);
        names.clear(state.memory.objects.len(), state.environments.len());
        let (sink, definitions) = (S::default(), S::default());
        Self { domain, sink, names, seen: 0, heap: 0, has_gone: false, definitions, cells: 0 }
    }

    fn over(&mut self, state: &State<SymbolicDomain>, is_live: &[bool], known: &mut SymbolsOf) -> Option<()> {
        let has_texts = |process: &Shared<Process<Value>>| {
            process.frames.iter().any(|frame| frame.native.as_ref().is_some_and(|native| !native.keeps_no_values()))
        };
        if world::names_objects(&state.world) || state.processes.iter().any(has_texts) {
            // What is told apart by its text names objects by their numbers: then they keep them.
            (0..state.memory.objects.len()).for_each(|index| {
                self.number(ObjectId::from_index(index));
            });
            self.keep_scopes();
        }
        if self.domain.tells_scopes {
            self.keep_scopes();
        }
        let mut heap = 0;
        state.memory.each_listed(|id, object| {
            if object.is_static() && object.is_live() {
                self.number(id);
            }
            heap += usize::from(is_on_heap(object));
        });
        (state.atomic_owner, state.has_strays, state.processes.len()).hash(&mut self.sink);
        for (index, process) in state.processes.iter().enumerate() {
            self.process(process, if index == 0 { is_live } else { &[] })?;
        }
        self.scopes(&state.environments)?;
        self.reached(&state.memory)?;
        self.world(&state.world, &state.memory)?;
        self.reached(&state.memory)?;
        let conjuncts = self.path(&state.memory, &mut known.conjuncts)?;
        conjuncts.hash(&mut self.sink);
        self.reached(&state.memory)?;
        // Heap objects that nobody reaches matter to who counts them.
        (heap - self.heap, self.ages(&state.memory)).hash(&mut self.sink);
        Some(())
    }

    fn process(&mut self, process: &Shared<Process<Value>>, is_live: &[bool]) -> Option<()> {
        if S::IS_FULL {
            let mut draft = Draft::<S>::new(&self.domain.pool, Vec::new());
            draft.process(process, is_live);
            return self.drawn(draft);
        }
        if !is_live.is_empty() {
            let outline = outline::of_process(&self.domain.pool, process, is_live);
            outline.fingerprint.hash(&mut self.sink);
            return self.name_all(&outline.names);
        }
        let outline = process.outline_by(|process| outline::of_process(&self.domain.pool, process, &[]));
        outline.fingerprint.hash(&mut self.sink);
        self.name_all(&outline.names)
    }

    fn object(&mut self, object: &Object) -> Option<()> {
        self.heap += usize::from(is_on_heap(object));
        self.has_gone |= !object.is_live();
        let outline = object.outline(&self.domain.pool);
        if !outline.names.is_empty() {
            // States that hold so much are hardly ever equal, and looking takes long.
            self.cells += object.cells.len();
            if self.cells > MOST_CELLS {
                return None;
            }
        }
        if S::IS_FULL {
            let mut draft = Draft::<S>::new(&self.domain.pool, Vec::new());
            draft.object(object);
            return self.drawn(draft);
        }
        outline.fingerprint.hash(&mut self.sink);
        self.name_all(&outline.names)
    }

    fn value(&mut self, value: &Value) -> Option<()> {
        let mut draft = Draft::<S>::new(&self.domain.pool, std::mem::take(&mut self.names.room));
        draft.value(value);
        self.drawn(draft)
    }

    fn drawn(&mut self, draft: Draft<'_, S>) -> Option<()> {
        let mut names = draft.names;
        S::append(&mut self.sink, draft.sink);
        self.name_all(&names)?;
        names.clear();
        self.names.room = names;
        Some(())
    }

    /// Names as they stand in an outline.
    fn name_all(&mut self, names: &[Name]) -> Option<()> {
        for name in names {
            match *name {
                Name::Object(index) => self.number(outline::object_of(index)).hash(&mut self.sink),
                Name::Scope(index) => self.scope(Some(EnvironmentId::from_index(index as usize))).hash(&mut self.sink),
                Name::Term(index) => self.term(Term::from_index(index as usize))?.hash(&mut self.sink),
                Name::Function(index) if self.domain.is_plain_function(index) => {}
                Name::Function(_) | Name::Unknown => return None,
            }
        }
        Some(())
    }

    /// The name of an instance of a scope.
    fn scope(&mut self, id: Option<EnvironmentId>) -> Option<u32> {
        let id = id?;
        // A scope that is gone is told by its number.
        if id.index() >= self.names.scopes.count {
            return Some(u32::MAX - id.index() as u32);
        }
        let (name, is_new) = self.names.scopes.get(id.index(), self.names.scope_queue.len());
        if is_new {
            self.names.scope_queue.push(id);
        }
        Some(name)
    }

    /// All instances of scopes keep their numbers.
    fn keep_scopes(&mut self) {
        (0..self.names.scopes.count).for_each(|index| {
            self.scope(Some(EnvironmentId::from_index(index)));
        });
    }

    /// Looks at all instances of scopes that have been met, and at those around them. Nobody is in the others, or will be.
    fn scopes(&mut self, all: &[Environment<Value>]) -> Option<()> {
        let mut seen = 0;
        while let Some(&id) = self.names.scope_queue.get(seen) {
            seen += 1;
            let environment = &all[id.index()];
            let place = (environment.function, environment.scope, self.scope(environment.parent));
            (place, environment.users, environment.is_left, environment.variables.len()).hash(&mut self.sink);
            for (local, value) in &environment.variables {
                local.hash(&mut self.sink);
                self.value(value)?;
            }
        }
        seen.hash(&mut self.sink);
        Some(())
    }

    fn number(&mut self, id: ObjectId) -> u32 {
        let (name, is_new) = self.names.objects.get(id.index(), self.names.queue.len());
        if is_new {
            self.names.queue.push(id);
        }
        name
    }

    /// Looks at all objects that have been met, and at what they lead to.
    fn reached(&mut self, memory: &Memory) -> Option<()> {
        while let Some(&id) = self.names.queue.get(self.seen) {
            self.seen += 1;
            self.object(memory.object(id))?;
        }
        Some(())
    }

    /// The objects from the oldest to the youngest, where a pointer leads to one that is gone: only what is younger can be in
    /// its place.
    fn ages(&self, memory: &Memory) -> Vec<u32> {
        if !self.has_gone {
            return Vec::new();
        }
        let mut all: Vec<(ObjectId, u32)> = self.names.queue.iter().copied().zip(0..).collect();
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
}

fn is_on_heap(object: &Object) -> bool {
    object.is_live() && object.kind == ObjectKind::Heap
}
