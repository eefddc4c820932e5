//! What a state of one process is, whatever its objects and symbols are called, and what can be reached in it.
//!
//! Objects are counted in the order in which a walk from the variables meets them, symbols in the order in which terms
//! show them, and conjuncts of the path condition count only where they share symbols, directly or through others, with what
//! the state holds, or say something about where objects are: pointers bring such symbols back. The conjuncts that are left
//! out are independent of the rest; who matches states must know that they can be true.

use super::memory::{Memory, Object, ObjectId};
use super::places::Placed;
use super::terms::SymbolicDomain;
use super::value::{Offset, Pointer, Target, Value};
use crate::domain::ObjectKind;
use crate::state::State;
use quod_base::fingerprint::FingerprintHasher;
use quod_base::{Fingerprint, Id, Span};
use quod_term::{Op, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// Larger terms are not renamed, and their states not matched.
const MOST_TERMS: usize = 100_000;

/// Names that a walk over a state gives.
struct Walk<'d> {
    domain: &'d SymbolicDomain,
    objects: FxHashMap<ObjectId, u32>,
    queue: Vec<ObjectId>,
    symbols: FxHashMap<Term, u32>,
    terms: FxHashMap<Term, Fingerprint>,
}

impl SymbolicDomain {
    /// Equal for states that differ only in names. Nothing where they are not compared: several processes, huge terms.
    pub fn canonical(
        &self,
        state: &State<Self>,
        is_live: &[bool],
        symbols_of: &mut FxHashMap<Term, Box<[Term]>>,
    ) -> Option<Fingerprint> {
        let [process] = &state.processes[..] else { return None };
        let mut hasher = FingerprintHasher::default();
        let mut walk = Walk {
            domain: self,
            objects: FxHashMap::default(),
            queue: Vec::new(),
            symbols: FxHashMap::default(),
            terms: FxHashMap::default(),
        };
        if !state.world.is_untouched() {
            // What the library keeps names objects by their numbers: then they keep them.
            format!("{:?}", state.world).hash(&mut hasher);
            (0..state.memory.objects.len()).for_each(|index| {
                walk.number(ObjectId::from_index(index));
            });
        }
        (process.status == crate::state::Status::Running, process.atomic_depth, process.atom_depth).hash(&mut hasher);
        (process.frames.len(), state.environments.len(), process.environment).hash(&mut hasher);
        for frame in &process.frames {
            (frame.function, frame.pc, frame.base, frame.environment, frame.static_link).hash(&mut hasher);
            format!("{:?}", frame.native).hash(&mut hasher);
            if let Some(extra) = &frame.extra {
                let values = extra.result_address.iter().chain(&extra.variable_arguments).chain(&extra.stack_objects);
                for value in values {
                    walk.value(value, &mut hasher)?;
                }
            }
        }
        for (index, object) in state.memory.objects.iter().enumerate() {
            if object.is_static() {
                walk.number(ObjectId::from_index(index));
            }
        }
        for (index, register) in process.registers.iter().enumerate() {
            if is_live.get(index).copied().unwrap_or(true) {
                index.hash(&mut hasher);
                walk.value(register, &mut hasher)?;
            }
        }
        let mut thread_locals: Vec<(&u32, &Value)> = process.thread_locals.iter().collect();
        thread_locals.sort_by_key(|(index, _)| **index);
        for (index, value) in thread_locals {
            index.hash(&mut hasher);
            walk.value(value, &mut hasher)?;
        }
        for environment in state.environments.iter() {
            (environment.function, environment.scope, environment.parent, environment.is_left).hash(&mut hasher);
            for (local, value) in &environment.variables {
                local.hash(&mut hasher);
                walk.value(value, &mut hasher)?;
            }
        }
        let mut next = 0;
        while let Some(&id) = walk.queue.get(next) {
            next += 1;
            walk.object(state.memory.object(id), &mut hasher)?;
        }
        // Heap objects that nobody reaches matter to who counts them.
        let lost = |(index, object): &(usize, &std::sync::Arc<Object>)| {
            let is_known = walk.objects.contains_key(&ObjectId::from_index(*index));
            object.is_live() && object.kind == ObjectKind::Heap && !is_known
        };
        let lost = state.memory.objects.iter().enumerate().filter(lost).count();
        lost.hash(&mut hasher);
        walk.path(&state.memory, symbols_of)?.hash(&mut hasher);
        walk.ages(&state.memory).hash(&mut hasher);
        Some(hasher.finish128())
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

impl Walk<'_> {
    fn number(&mut self, id: ObjectId) -> u32 {
        let next = self.objects.len() as u32;
        *self.objects.entry(id).or_insert_with(|| {
            self.queue.push(id);
            next
        })
    }

    /// The objects from the oldest to the youngest, where a pointer leads to one that is gone: only what is younger can be in
    /// its place.
    fn ages(&self, memory: &Memory) -> Vec<u32> {
        let mut all: Vec<(ObjectId, u32)> = self.objects.iter().map(|(&id, &number)| (id, number)).collect();
        if all.iter().all(|&(id, _)| memory.object(id).is_live()) {
            return Vec::new();
        }
        all.sort_unstable();
        all.into_iter().map(|(_, number)| number).collect()
    }

    fn value(&mut self, value: &Value, hasher: &mut FingerprintHasher) -> Option<()> {
        match value {
            Value::Unset => 0u8.hash(hasher),
            Value::Number(term) => (1u8, self.term(*term)?).hash(hasher),
            Value::Pointer(pointer) => {
                match pointer.target {
                    Target::Object(id) => (2u8, self.number(id)).hash(hasher),
                    Target::Null => 3u8.hash(hasher),
                    Target::Function(index) => (4u8, index).hash(hasher),
                    Target::Wild(id) => (5u8, id).hash(hasher),
                }
                match pointer.offset {
                    Offset::Known(bytes) => bytes.hash(hasher),
                    Offset::Term { term, stride, residue } => (self.term(term)?, stride, residue).hash(hasher),
                }
            }
        }
        Some(())
    }

    fn object(&mut self, object: &Object, hasher: &mut FingerprintHasher) -> Option<()> {
        if !object.is_live() {
            // Its size says which pointer to it is one behind its end.
            (0u8, object.size).hash(hasher);
            return Some(());
        }
        let pool = &self.domain.pool;
        let is_closed = object.cells.values().all(|cell| match &cell.value {
            Value::Number(term) => pool.is_constant(*term),
            Value::Unset => true,
            Value::Pointer(_) => false,
        });
        if is_closed {
            (1u8, object.fingerprint(pool)).hash(hasher);
            return Some(());
        }
        (2u8, object.size, object.is_constant, object.kind as u8, object.base_kind(), &object.rows).hash(hasher);
        object.cells.len().hash(hasher);
        for (offset, cell) in &object.cells {
            (offset, cell.size, cell.scalar).hash(hasher);
            self.value(&cell.value, hasher)?;
        }
        Some(())
    }

    /// The term's structure, with symbols as they are counted.
    fn term(&mut self, root: Term) -> Option<Fingerprint> {
        let pool = &self.domain.pool;
        let mut work = vec![(root, false)];
        while let Some((term, is_ready)) = work.pop() {
            if self.terms.contains_key(&term) {
                continue;
            }
            let op = pool.op(term);
            if op == Op::Const {
                self.terms.insert(term, pool.fingerprint(term));
                continue;
            }
            if op.is_binder() || op == Op::Bound || self.terms.len() > MOST_TERMS {
                return None;
            }
            let mut hasher = FingerprintHasher::default();
            if op == Op::Symbol
                && let Some(placed) = self.domain.placed(term)
            {
                // An address is as good as a pointer.
                match placed {
                    Placed::Address(object) => ("address", self.number(object)).hash(&mut hasher),
                    Placed::Wild(id) => ("wild", id).hash(&mut hasher),
                    Placed::Same(a, b) => {
                        let (a, b) = (self.number(a), self.number(b));
                        ("same", a.min(b), a.max(b)).hash(&mut hasher);
                    }
                }
                self.symbols.entry(term).or_insert(u32::MAX);
                self.terms.insert(term, hasher.finish128());
                continue;
            }
            if op == Op::Symbol {
                let next = self.symbols.len() as u32;
                let number = *self.symbols.entry(term).or_insert(next);
                ("symbol", number, pool.sort(term).fingerprint()).hash(&mut hasher);
                self.terms.insert(term, hasher.finish128());
                continue;
            }
            if !is_ready {
                work.push((term, true));
                work.extend(pool.args(term).iter().rev().map(|&arg| (arg, false)));
                continue;
            }
            (op, pool.payload(term), pool.sort(term).fingerprint()).hash(&mut hasher);
            for arg in pool.args(term) {
                self.terms.get(arg).copied().hash(&mut hasher);
            }
            self.terms.insert(term, hasher.finish128());
        }
        self.terms.get(&root).copied()
    }

    /// The conjuncts that matter to what the state holds.
    fn path(&mut self, memory: &Memory, symbols_of: &mut FxHashMap<Term, Box<[Term]>>) -> Option<u128> {
        let pool = &self.domain.pool;
        let mut open: Vec<Term> = memory.path.iter().copied().collect();
        for &conjunct in &open {
            // What is said of a function is about all its arguments: it always counts, as what has no symbols does.
            symbols_of.entry(conjunct).or_insert_with(|| match pool.functions(&[conjunct]).as_slice() {
                [] => pool.free_symbols(&[conjunct]).into_boxed_slice(),
                _ => Box::default(),
            });
        }
        let mut sum = 0u128;
        loop {
            let before = open.len();
            let mut rest = Vec::new();
            for conjunct in open {
                let symbols = symbols_of.get(&conjunct)?;
                let is_held =
                    |symbol: &Term| self.symbols.contains_key(symbol) || self.domain.placed(*symbol).is_some();
                if symbols.is_empty() || symbols.iter().any(is_held) {
                    sum = sum.wrapping_add(self.term(conjunct)?.0);
                } else {
                    rest.push(conjunct);
                }
            }
            if rest.len() == before {
                return Some(sum);
            }
            open = rest;
        }
    }
}
