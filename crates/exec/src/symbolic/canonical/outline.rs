//! Parts of a state without their names: what a process or an object is, and which names stand in it, in order.
//!
//! States that come after one another share most of their parts, so outlines are kept with what they are of. A walk over a state
//! then only gives names. Where names stand, and in which of the forms that values have, is in the outline: two parts with equal
//! outlines that are given equal names are equal.

use super::super::memory::{Base, Object, ObjectId};
use super::super::value::{Offset, Target, Value};
use super::Sink;
use crate::shared::{Name, Outline};
use crate::state::{EnvironmentId, Frame, Process, Status};
use quod_base::Id;
use quod_base::fingerprint::FingerprintHasher;
use quod_term::{Term, TermPool};
use std::hash::Hash;
use std::sync::OnceLock;

/// Writes a part down: what does not depend on names into the sink, the names behind each other.
pub(super) struct Draft<'p, S> {
    pool: &'p TermPool,
    pub(super) sink: S,
    pub(super) names: Vec<Name>,
}

impl<'p, S: Sink> Draft<'p, S> {
    /// `names` is empty.
    pub(super) fn new(pool: &'p TermPool, names: Vec<Name>) -> Self {
        Self { pool, sink: S::default(), names }
    }

    fn term(&mut self, term: Term) {
        if !self.pool.is_constant(term) {
            0u8.hash(&mut self.sink);
            self.names.push(Name::Term(term.index() as u32));
        } else if S::IS_FULL {
            (1u8, term.index()).hash(&mut self.sink);
        } else {
            (1u8, self.pool.fingerprint(term).0).hash(&mut self.sink);
        }
    }

    fn scope(&mut self, scope: Option<EnvironmentId>) {
        scope.is_some().hash(&mut self.sink);
        self.names.extend(scope.map(|scope| Name::Scope(scope.index() as u32)));
    }

    pub(super) fn value(&mut self, value: &Value) {
        let Value::Pointer(pointer) = value else {
            return match value {
                Value::Number(term) => {
                    1u8.hash(&mut self.sink);
                    self.term(*term);
                }
                _ => 0u8.hash(&mut self.sink),
            };
        };
        match pointer.target {
            Target::Object(id) => {
                2u8.hash(&mut self.sink);
                self.names.push(Name::Object(id.index() as u32));
            }
            Target::Null => 3u8.hash(&mut self.sink),
            Target::Function(index) => {
                (4u8, index).hash(&mut self.sink);
                self.names.push(Name::Function(index));
            }
            Target::Wild(id) => (5u8, id).hash(&mut self.sink),
        }
        match pointer.offset {
            Offset::Known(bytes) => (0u8, bytes).hash(&mut self.sink),
            Offset::Term { term, stride, residue } => {
                (1u8, stride, residue).hash(&mut self.sink);
                self.term(term);
            }
        }
    }

    fn optional(&mut self, value: Option<&Value>) {
        value.is_some().hash(&mut self.sink);
        value.into_iter().for_each(|value| self.value(value));
    }

    /// `is_live`: which registers count, all where nothing is said.
    pub(super) fn process(&mut self, process: &Process<Value>, is_live: &[bool]) {
        let is_running = process.status == Status::Running;
        (is_running, process.atomic_depth, process.atom_depth).hash(&mut self.sink);
        let is = (process.is_detached, process.is_joined, process.is_spawned, process.is_thread, process.is_free);
        is.hash(&mut self.sink);
        self.scope(process.environment);
        self.optional(process.result.as_ref());
        // What has ended only waits to be asked for its result.
        if !is_running {
            return;
        }
        let mut thread_locals: Vec<(&u32, &Value)> = process.thread_locals.iter().collect();
        thread_locals.sort_by_key(|(index, _)| **index);
        thread_locals.len().hash(&mut self.sink);
        for (index, value) in thread_locals {
            index.hash(&mut self.sink);
            self.value(value);
        }
        process.frames.len().hash(&mut self.sink);
        for frame in &process.frames {
            self.frame(frame);
        }
        process.registers.len().hash(&mut self.sink);
        for (index, register) in process.registers.iter().enumerate() {
            // What was never set is not mentioned.
            if *register != Value::Unset && is_live.get(index).copied().unwrap_or(true) {
                index.hash(&mut self.sink);
                self.value(register);
            }
        }
        // No index: the end of the list.
        usize::MAX.hash(&mut self.sink);
    }

    fn frame(&mut self, frame: &Frame<Value>) {
        (frame.function, frame.pc, frame.base).hash(&mut self.sink);
        self.scope(frame.environment);
        self.scope(frame.static_link);
        // What the library has on the stack is told apart by its text, and then objects keep their numbers.
        frame.native.is_some().hash(&mut self.sink);
        if let Some(native) = &frame.native {
            format!("{native:?}").hash(&mut self.sink);
        }
        frame.extra.is_some().hash(&mut self.sink);
        if let Some(extra) = &frame.extra {
            self.optional(extra.result_address.as_ref());
            self.optional(extra.variable_arguments.as_ref());
            extra.stack_objects.len().hash(&mut self.sink);
            extra.stack_objects.iter().for_each(|value| self.value(value));
        }
    }

    pub(super) fn object(&mut self, object: &Object) {
        if !object.is_live() {
            // Its size says which pointer to it is one behind its end.
            return (0u8, object.size).hash(&mut self.sink);
        }
        if object.is_open() {
            // An array of unknown length knows its writes in their order: its states are compared as they are.
            return self.names.push(Name::Unknown);
        }
        let kind = (object.is_constant, object.kind as u8, object.base_kind());
        (1u8, object.size, kind, &object.rows, object.cells.len()).hash(&mut self.sink);
        for (offset, cell) in &object.cells {
            (offset, cell.size, cell.scalar).hash(&mut self.sink);
            self.value(&cell.value);
        }
        if let Base::Grid(grid) = &object.base {
            (grid.stride, grid.is_zero, grid.fields.len()).hash(&mut self.sink);
            for (residue, field) in &grid.fields {
                (residue, field.size).hash(&mut self.sink);
                self.term(field.array);
            }
        }
        object.length.is_some().hash(&mut self.sink);
        object.length.into_iter().for_each(|length| self.term(length));
    }
}

impl Draft<'_, FingerprintHasher> {
    fn finish(self) -> Outline {
        let (fingerprint, names) = (self.sink.finish128(), self.names.into_boxed_slice());
        Outline { fingerprint, names, numbers: OnceLock::new() }
    }
}

pub(in super::super) fn of_process(pool: &TermPool, process: &Process<Value>, is_live: &[bool]) -> Outline {
    let mut draft = Draft::new(pool, Vec::new());
    draft.process(process, is_live);
    draft.finish()
}

pub(in super::super) fn of_object(pool: &TermPool, object: &Object) -> Outline {
    let mut draft = Draft::new(pool, Vec::new());
    draft.object(object);
    draft.finish()
}

pub(super) fn object_of(name: u32) -> ObjectId {
    ObjectId::from_index(name as usize)
}
