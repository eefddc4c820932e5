//! Partial-order reduction: a process whose next move touches only what no other process can reach goes first, alone.
//!
//! Such a move commutes with all that the others can do before it, for they reach nothing of it: what they can reach is
//! closed under following pointers, and it only grows by their own new objects as long as this process does not move. It
//! cannot be disabled by them, and no order of it against theirs can be seen. Moves that could prune executions
//! (assumptions), allocate or free where leaks are looked for, call the library's shared parts, hold an atomic section, or
//! fail, are left to the full expansion. The search adds the cycle proviso.
//!
//! To start a process, to wait for one that has ended, and to end can be seen by nobody else either, but for one thing: where
//! `main` must not return while others run, an end is made first only if somebody waits for it who must end as well.
//!
//! Reading what nobody writes while several processes run counts as private as well, see `written.rs`.

use crate::engine::{Engine, Nature, Outcomes, SearchState, Step, Violation};
use crate::race::Next;
use quod_base::Id;
use quod_exec::domain::Domain;
use quod_exec::shared::Shared;
use quod_exec::state::{EnvironmentId, Process, ProcessId, State, Status};
use quod_exec::symbolic::{ObjectId, Pointer, SymbolicDomain, Target, Touch, Value};
use quod_explore::Outcome as Moved;
use quod_verdict::CheckKind;
use rustc_hash::FxHashSet;

/// The moves of a state that were made to look at them.
pub(crate) struct Looked {
    pub(crate) state: *const SearchState,
    pub(crate) moves: Vec<(ProcessId, Outcomes)>,
    /// Those whose moves leave nothing that others notice.
    pub(crate) unseen: Vec<ProcessId>,
}

impl Engine<'_> {
    pub(crate) fn independent(&mut self, state: &SearchState, all: &[ProcessId]) -> Option<ProcessId> {
        // Where a message would be handed over, who sends can wait.
        let hands_over = self.is_synchronous && !state.state.world.communicators.is_empty();
        if hands_over || self.machine.domain.has_addresses() {
            return None;
        }
        self.looked = Some(Looked { state, moves: Vec::new(), unseen: Vec::new() });
        let mut ends = Vec::new();
        let mut awaited = Vec::new();
        let mut nexts = Vec::new();
        for &process in all {
            let entries = self.machine.atomic_entries;
            let (outcomes, is_quiet, footprint) = self.run_noted(state, process);
            let accesses = std::mem::take(&mut self.machine.domain.footprint.accesses);
            if !accesses.is_empty() && !outcomes.is_empty() {
                let inside = state.state.processes[process.index()].atomic_depth > 0;
                let is_atomic = inside || self.machine.atomic_entries != entries;
                let span = self.machine.span(&state.state, process);
                nexts.push(Next { process, span, accesses, is_atomic });
            }
            awaited.extend(self.machine.awaits.filter(|_| is_counted(state, process)));
            let is_private = is_quiet && self.is_private(&state.state, process, footprint.iter());
            let writes = footprint.iter().filter(|touch| touch.is_write);
            let is_unseen = self.is_shortest && is_quiet && self.is_private(&state.state, process, writes);
            if let Some(looked) = &mut self.looked {
                looked.moves.push((process, outcomes));
                looked.unseen.extend(is_unseen.then_some(process));
            }
            match is_private {
                true => self.note_private(state, &footprint),
                false => self.note_writes(state, &footprint),
            }
            self.machine.domain.footprint.touched = footprint;
            match is_private {
                true if self.machine.has_ended => ends.push(process),
                true => return Some(process),
                false => {}
            }
        }
        self.look_for_torn(state, &nexts);
        // Where `main` must not return before the others, who has ended can be missed only by who waits for it.
        let is_missed = |end: &ProcessId| !self.asks(CheckKind::ProcessLeak) || awaited.contains(end);
        ends.into_iter().find(is_missed)
    }

    /// Moves are single accesses, of which a copy is none. Where races are looked for, such copies are among them.
    pub(crate) fn has_torn_copies(&self) -> bool {
        !self.machine.program.is_civl && !self.asks(CheckKind::DataRace)
    }

    /// Makes a move, and says whether it can be seen only by what it touches.
    fn run_noted(&mut self, state: &SearchState, process: ProcessId) -> (Outcomes, bool, Vec<Touch>) {
        self.machine.domain.footprint.clear();
        self.machine.domain.footprint.is_kept = true;
        self.machine.domain.footprint.keeps_accesses = self.has_torn_copies();
        self.machine.is_noticed = false;
        self.machine.has_ended = false;
        self.machine.awaits = None;
        self.is_pruned = false;
        let doubts = self.doubt_count();
        let outcomes = self.run(state, process);
        self.machine.domain.footprint.is_kept = false;
        self.machine.domain.footprint.keeps_accesses = false;
        let touched = std::mem::take(&mut self.machine.domain.footprint.touched);
        // Others notice that a process starts or ends: such a move is not in vain where its maker moves no more.
        let is_counted = self.is_shortest && outcomes.iter().any(|outcome| is_start_or_end(state, outcome));
        let is_quiet = !self.machine.is_noticed
            && !is_counted
            && !self.is_pruned
            && self.doubt_count() == doubts
            && !outcomes.is_empty()
            && outcomes.iter().all(|outcome| is_plain(state, outcome))
            && outcomes.iter().all(|outcome| self.keeps_heap(state, outcome));
        (outcomes, is_quiet, touched)
    }

    /// A move that others may notice: they see what it writes.
    fn note_writes(&mut self, state: &SearchState, touched: &[Touch]) {
        for touch in touched.iter().filter(|touch| touch.is_write) {
            self.written.note(&state.state.memory, touch);
        }
    }

    /// A move that goes first: what it reads is guessed not to change, and what it writes must not be guessed so.
    fn note_private(&mut self, state: &SearchState, touched: &[Touch]) {
        for touch in touched {
            self.written.note_private(&state.state.memory, touch);
        }
    }

    /// A move in a state that is expanded in full.
    pub(crate) fn run_visible(&mut self, state: &SearchState, process: ProcessId) -> Outcomes {
        if !self.is_reduced || !state.state.is_beside_others(process) {
            return self.run(state, process);
        }
        let (outcomes, _, touched) = self.run_noted(state, process);
        self.note_writes(state, &touched);
        self.machine.domain.footprint.touched = touched;
        outcomes
    }

    /// Nothing is allocated or freed: what is left over when another process ends the program is the same before and after.
    fn keeps_heap(&self, before: &SearchState, outcome: &Moved<SearchState, Step, Violation>) -> bool {
        // Where no process may be left either, that the program ends too early is found whatever was freed before.
        if !self.asks(CheckKind::MemoryLeak) || self.asks(CheckKind::ProcessLeak) {
            return true;
        }
        let count = |state: &SearchState| self.machine.domain.heap_objects(&state.state.memory).len();
        matches!(outcome, Moved::Next(_, after) if count(before) == count(after))
    }

    fn is_private<'t>(
        &self,
        state: &State<SymbolicDomain>,
        process: ProcessId,
        touched: impl Iterator<Item = &'t Touch>,
    ) -> bool {
        let memory = &state.memory;
        let known = memory.object_count();
        let is_open = |touch: &&'t Touch| {
            // Objects that the move made are nobody else's.
            touch.object.index() < known && (touch.is_write || self.written.may_change(memory, touch))
        };
        let mut open = touched.filter(is_open).peekable();
        if open.peek().is_none() {
            return true;
        }
        let Some(reached) = self.reached_by_others(state, process) else { return false };
        open.all(|touch| !reached.contains(&touch.object))
    }

    /// All objects that other processes could get at; nothing where that is not certain.
    pub(crate) fn reached_by_others(
        &self,
        state: &State<SymbolicDomain>,
        process: ProcessId,
    ) -> Option<FxHashSet<ObjectId>> {
        if !state.world.keeps_no_values() {
            return None;
        }
        let mut work: Vec<ObjectId> = Vec::new();
        let mut is_certain = true;
        let mut add = |value: &Value, work: &mut Vec<ObjectId>| match value {
            Value::Pointer(Pointer { target: Target::Object(id), .. }) => work.push(*id),
            Value::Pointer(Pointer { target: Target::Function(index), .. }) => {
                is_certain &= self.machine.domain.is_plain_function(*index);
            }
            _ => {}
        };
        for (index, object) in state.memory.objects().enumerate() {
            if object.is_static() {
                work.push(ObjectId::from_index(index));
            }
        }
        state.world.shared_values().for_each(|value| add(value, &mut work));
        let mut environments: Vec<EnvironmentId> = Vec::new();
        for (index, other) in state.processes.iter().enumerate() {
            if index == process.index() {
                continue;
            }
            other.result.iter().for_each(|value| add(value, &mut work));
            if other.status == Status::Ended {
                continue;
            }
            other.registers.iter().for_each(|value| add(value, &mut work));
            for index in 0..other.thread_locals.len() {
                other.thread_locals.get(&(index as u32)).into_iter().for_each(|value| add(value, &mut work));
            }
            if !other.thread_locals.is_empty() {
                return None;
            }
            environments.extend(other.environment);
            for frame in &other.frames {
                if let Some(extra) = &frame.extra {
                    extra.result_address.iter().for_each(|value| add(value, &mut work));
                    extra.variable_arguments.iter().for_each(|value| add(value, &mut work));
                    extra.stack_objects.iter().for_each(|value| add(value, &mut work));
                }
                environments.extend(frame.environment);
                environments.extend(frame.static_link);
                if frame.native.as_ref().is_some_and(|native| !native.keeps_no_values()) {
                    return None;
                }
            }
        }
        let mut seen: FxHashSet<EnvironmentId> = FxHashSet::default();
        while let Some(environment) = environments.pop() {
            if seen.insert(environment)
                && let Some(found) = state.environments.get(environment.index())
            {
                found.variables.iter().for_each(|(_, value)| add(value, &mut work));
                environments.extend(found.parent);
            }
        }
        let mut reached: FxHashSet<ObjectId> = FxHashSet::default();
        while let Some(id) = work.pop() {
            if reached.insert(id) {
                work.extend(state.memory.object(id).targets());
                is_certain &= state
                    .memory
                    .object(id)
                    .function_targets()
                    .all(|index| self.machine.domain.is_plain_function(index));
            }
        }
        is_certain.then_some(reached)
    }
}

/// A process that `main` is, or must not leave behind.
fn is_counted(state: &SearchState, process: ProcessId) -> bool {
    process.index() == 0 || state.state.processes[process.index()].is_spawned
}

/// A process has started, has ended, or was waited for.
fn is_start_or_end(before: &SearchState, outcome: &Moved<SearchState, Step, Violation>) -> bool {
    let Moved::Next(_, after) = outcome else { return true };
    let (before, after) = (&before.state.processes, &after.state.processes);
    let is_same = |(a, b): (&Shared<Process<Value>>, &Shared<Process<Value>>)| {
        a.is_same(b) || (a.status, a.is_joined) == (b.status, b.is_joined)
    };
    before.len() != after.len() || !before.iter().zip(after).all(is_same)
}

/// A whole move to a state that has taken nothing and left nothing.
fn is_plain(before: &SearchState, outcome: &Moved<SearchState, Step, Violation>) -> bool {
    match outcome {
        Moved::Next(step, after) => {
            step.nature == Nature::Whole
                && !after.is_exited
                && after.state.atomic_owner.is_none()
                && before.state.atomic_owner.is_none()
                && after.state.memory.fresh_count() == before.state.memory.fresh_count()
        }
        Moved::Found(..) => false,
    }
}
