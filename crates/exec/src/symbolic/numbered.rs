//! Which processes that have ended nothing can name any more.
//!
//! Programs compute with the numbers of processes, so nothing is renamed: a number becomes free when it is nowhere to be
//! found, and the next process gets the first free one. A process counts as named by every number that is its own, wherever it
//! is and whatever its type. A thread's number is one more than its process's, and C can do with it what it does with numbers: it is
//! kept in any case until the thread was joined or detached, when C forbids to use it. The same holds for `$proc`s where a program
//! converts them.
//!
//! What cannot be reached is not looked at: states that are the same but for their names free the same numbers.

use super::canonical::outline_of_process;
use super::memory::{Base, Memory, Object, ObjectId};
use super::terms::SymbolicDomain;
use super::value::{Offset, Pointer, Target, Value};
use crate::domain::ObjectKind;
use crate::library::World;
use crate::shared::Shared;
use crate::state::{Frame, Process, ProcessId, ProcessSet, State, Status};
use num_traits::ToPrimitive;
use quod_base::Id;
use quod_term::{Term, TermPool};

/// Numbers from 0 to 62 that something holds, as bits; the last bit stands for any of them.
pub(super) type Numbers = u64;

const ANY: u32 = 63;
/// Terms with more parts may hold any number.
const MOST_PARTS: usize = 256;

fn of_constant(value: &quod_term::Value) -> Numbers {
    let number = match value {
        quod_term::Value::Int(number) => number.to_bigint().and_then(|number| number.to_u64()),
        quod_term::Value::BitVec(bits) => bits.to_biguint().to_u64(),
        // Numbers of processes are never bits of these.
        quod_term::Value::Bool(_) | quod_term::Value::Real(_) | quod_term::Value::Float(_) => None,
        _ => return u64::MAX,
    };
    number.filter(|&number| number < u64::from(ANY)).map_or(0, |number| 1 << number)
}

/// The constants in a term.
fn of_term(pool: &TermPool, root: Term) -> Numbers {
    if let Some(value) = pool.value(root) {
        return of_constant(value);
    }
    let mut found = 0;
    let mut work = vec![root];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        if seen.len() > MOST_PARTS {
            return u64::MAX;
        }
        match pool.value(term) {
            Some(value) => found |= of_constant(value),
            None => work.extend_from_slice(pool.args(term)),
        }
    }
    found
}

fn of_value(pool: &TermPool, value: &Value) -> Numbers {
    match value {
        Value::Number(term) => of_term(pool, *term),
        // A number as a pointer.
        Value::Pointer(Pointer { target: Target::Null, offset }) => match offset {
            Offset::Known(bytes) => {
                u64::try_from(*bytes).ok().filter(|&number| number < u64::from(ANY)).map_or(0, |number| 1 << number)
            }
            Offset::Term { term, .. } => of_term(pool, *term),
        },
        Value::Pointer(_) | Value::Unset => 0,
    }
}

/// The numbers that an object holds, which the program may have put there.
pub(super) fn of_object(pool: &TermPool, object: &Object) -> Numbers {
    if !object.is_live() || object.is_constant || object.kind == ObjectKind::String {
        return 0;
    }
    if object.is_open() {
        return Numbers::MAX;
    }
    let cells = object.cells.values().fold(0, |numbers, cell| numbers | of_value(pool, &cell.value));
    let Base::Grid(grid) = &object.base else { return cells };
    grid.fields.values().fold(cells, |numbers, field| numbers | of_term(pool, field.array))
}

/// Processes that may still be named.
#[derive(Copy, Clone)]
struct Candidates {
    all: u64,
    /// Those of them that are known by the number that follows theirs as well.
    threads: u64,
}

impl Candidates {
    fn without(self, numbers: Numbers) -> Candidates {
        let is_any = numbers >> ANY & 1 == 1;
        let named = if is_any { u64::MAX } else { numbers | (numbers >> 1 & self.threads) };
        Candidates { all: self.all & !named, threads: self.threads & !named }
    }
}

impl SymbolicDomain {
    /// Processes that have ended, and that nothing names or ever will.
    pub fn unnamed(&self, state: &State<Self>) -> ProcessSet {
        let mut left = Candidates { all: 0, threads: 0 };
        // The first process is `main`, as long as the program runs.
        for (index, process) in state.processes.iter().enumerate().skip(1).take(ANY as usize - 2) {
            let is_number = process.is_thread || self.casts_processes;
            let is_asked_for = is_number && !process.is_joined && !process.is_detached;
            if process.status == Status::Ended && !process.is_free && !is_asked_for {
                left.all |= 1 << index;
                left.threads |= u64::from(process.is_thread) << index;
            }
        }
        if left.all == 0 {
            return ProcessSet::default();
        }
        left = left.without(self.of_library(&state.world));
        for process in &state.processes {
            left = left.without(self.of_process(process));
        }
        // What lies in variables can be reached.
        let is_variable =
            |object: &Object| object.is_static() || object.kind == ObjectKind::Local && !object.is_passing();
        let mut held = 0;
        for object in &state.memory.objects {
            if left.all == 0 {
                return ProcessSet::default();
            }
            let numbers = object.numbers(&self.pool);
            match is_variable(object) {
                true => left = left.without(numbers),
                false => held |= numbers,
            }
        }
        if left.without(held).all != left.all {
            left = self.without_reached(state, left);
        }
        ProcessSet(left.all)
    }

    fn of_process(&self, process: &Shared<Process<Value>>) -> Numbers {
        let outline = process.outline_by(|process| outline_of_process(&self.pool, process, &[]));
        *outline.numbers.get_or_init(|| {
            let keeps_values =
                |frame: &Frame<Value>| frame.native.as_ref().is_some_and(|native| !native.keeps_no_values());
            if process.frames.iter().any(keeps_values) {
                return Numbers::MAX;
            }
            let values = process.registers.iter().chain(&process.result);
            values.fold(0, |numbers, value| numbers | of_value(&self.pool, value))
        })
    }

    fn of_library(&self, world: &World<Value>) -> Numbers {
        if world.is_untouched() {
            return 0;
        }
        if !(world.signals.is_empty() && world.at_exit.is_empty() && world.environment.is_empty()) {
            return Numbers::MAX;
        }
        let mut numbers = 0;
        let mut named = |process: ProcessId| {
            numbers |= 1u64.checked_shl(process.index() as u32).unwrap_or(Numbers::MAX);
        };
        world.mutexes.values().filter_map(|mutex| mutex.owner).for_each(&mut named);
        world.conditions.values().flat_map(|condition| &condition.waiting).for_each(|&process| named(process));
        let locks = world.locks.values().flat_map(|lock| lock.readers.iter().chain(&lock.writer));
        locks.for_each(|&process| named(process));
        let barriers = world.barriers.values().flat_map(|barrier| barrier.waiting.iter().chain(&barrier.released));
        barriers.for_each(|&process| named(process));
        world.jumps.iter().for_each(|jump| named(jump.process));
        world.recordings.iter().for_each(|recording| named(recording.process));
        world.key_values.values().fold(numbers, |numbers, value| numbers | of_value(&self.pool, value))
    }

    /// The processes that are not named by anything that can be reached from variables. Where addresses are numbers, all
    /// objects can be reached.
    fn without_reached(&self, state: &State<Self>, mut left: Candidates) -> Candidates {
        let memory: &Memory = &state.memory;
        if self.has_addresses() {
            return memory.objects.iter().fold(left, |left, object| left.without(object.numbers(&self.pool)));
        }
        let mut is_seen = vec![false; memory.objects.len()];
        let mut work: Vec<ObjectId> = Vec::new();
        let mut follow = |work: &mut Vec<ObjectId>| {
            while let Some(id) = work.pop() {
                if !std::mem::replace(&mut is_seen[id.index()], true) {
                    left = left.without(memory.object(id).numbers(&self.pool));
                    work.extend(memory.object(id).targets());
                    if left.all == 0 {
                        return true;
                    }
                }
            }
            false
        };
        // Most is found from here.
        for (index, object) in memory.objects.iter().enumerate() {
            if object.is_static() {
                work.push(ObjectId::from_index(index));
            }
        }
        if follow(&mut work) {
            return left;
        }
        let mut add = |value: &Value| {
            if let Value::Pointer(Pointer { target: Target::Object(id), .. }) = value {
                work.push(*id);
            }
        };
        for process in &state.processes {
            process.registers.iter().chain(&process.result).chain(process.thread_locals.values()).for_each(&mut add);
            for extra in process.frames.iter().filter_map(|frame| frame.extra.as_deref()) {
                let values = extra.result_address.iter().chain(&extra.variable_arguments).chain(&extra.stack_objects);
                values.for_each(&mut add);
            }
        }
        state.environments.iter().flat_map(|found| &found.variables).for_each(|(_, value)| add(value));
        let world = &state.world;
        world.shared_values().chain(world.key_values.values()).chain(world.objects.values()).for_each(&mut add);
        world.strtok.iter().chain(&world.errno).chain(&world.thread_local_images).for_each(&mut add);
        follow(&mut work);
        left
    }
}
