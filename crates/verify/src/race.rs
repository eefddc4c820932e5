//! Data races: in some state two processes can both move, their next moves touch the same bytes, one of them writes, and
//! not both are inside atomic sections. Under sequential consistency every race shows itself in such a state, for what
//! happens between two accesses that nothing orders can be moved away from between them.
//!
//! Moves that touch only what nobody else can reach go first and alone (`reduce.rs`); they race with nothing, and who was
//! about to make a racing access still is afterwards.

use crate::engine::{Engine, Outcomes, SearchState, Violation};
use crate::reduce::Looked;
use quod_base::{Id, Span};
use quod_exec::domain::ObjectKind;
use quod_exec::fault::Fault;
use quod_exec::state::ProcessId;
use quod_exec::symbolic::{ObjectId, Touched};
use quod_model::ir::{Control, Location, Program, Step, Type};
use quod_verdict::{CheckKind, Reason};

/// What the next move of a process does.
pub(crate) struct Next {
    pub(crate) process: ProcessId,
    pub(crate) span: Span,
    pub(crate) accesses: Vec<Touched>,
    pub(crate) is_atomic: bool,
}

impl Engine<'_> {
    /// Looks at all pairs of next moves. A race is kept in `self.race` for the search to find.
    pub(crate) fn look_for_race(&mut self, state: &SearchState, all: &[ProcessId]) {
        self.race = None;
        let nexts = if all.len() < 2 { Vec::new() } else { self.next_moves(state, all) };
        for (index, left) in nexts.iter().enumerate() {
            for right in &nexts[index + 1..] {
                if left.is_atomic && right.is_atomic {
                    continue;
                }
                if let Some(is_exact) = self.conflict(state, left, right) {
                    return self.race_found(state, left, right, is_exact);
                }
            }
        }
    }

    /// As `look_for_torn`, where nobody has looked at the moves yet.
    pub(crate) fn look_for_torn_copies(&mut self, state: &SearchState, all: &[ProcessId]) {
        if all.len() > 1 {
            let nexts = self.next_moves(state, all);
            self.look_for_torn(state, &nexts);
        }
    }

    /// A move that touches several words is one move here, and many where it runs. Who uses those words at the same time
    /// could see a part of it.
    pub(crate) fn look_for_torn(&mut self, state: &SearchState, nexts: &[Next]) {
        let word = self.machine.program.types.data_model.pointer_size();
        for long in nexts.iter().filter(|next| !next.is_atomic) {
            let shared = |other: &Next| other.process != long.process && self.conflict(state, long, other).is_some();
            let is_torn = |access: &Touched| access.is_part || access.size > word;
            let is_long = long.accesses.iter().any(is_torn) || self.is_spread(state, long);
            if is_long && nexts.iter().any(shared) {
                let what = "a copy of several words that another thread uses at the same time".into();
                return self.doubt(Reason::Unsupported { what }, long.span, None);
            }
        }
    }

    /// The move touches more than one place that others can get at.
    fn is_spread(&self, state: &SearchState, next: &Next) -> bool {
        let mut places: Vec<(ObjectId, u64, u64)> = Vec::new();
        for access in &next.accesses {
            let place = (access.object, access.start, access.end);
            if access.object.index() < state.state.memory.object_count() && !places.contains(&place) {
                places.push(place);
            }
        }
        if places.len() < 2 {
            return false;
        }
        let Some(reached) = self.reached_by_others(&state.state, next.process) else { return true };
        places.iter().filter(|(object, ..)| reached.contains(object)).count() > 1
    }

    /// The next moves of all who can move, with what they load and store.
    fn next_moves(&mut self, state: &SearchState, all: &[ProcessId]) -> Vec<Next> {
        let mut looked = Looked { state, moves: Vec::new(), unseen: Vec::new() };
        let mut nexts: Vec<Next> = Vec::new();
        for &process in all {
            self.machine.domain.footprint.clear();
            self.machine.domain.footprint.keeps_accesses = true;
            let entries = self.machine.atomic_entries;
            let inside = state.state.processes[process.index()].atomic_depth > 0;
            let outcomes: Outcomes = self.run(state, process);
            let accesses = std::mem::take(&mut self.machine.domain.footprint.accesses);
            let is_atomic = inside || self.machine.atomic_entries != entries;
            let span = self.machine.span(&state.state, process);
            if !outcomes.is_empty() {
                nexts.push(Next { process, span, accesses, is_atomic });
            }
            looked.moves.push((process, outcomes));
        }
        self.machine.domain.footprint.keeps_accesses = false;
        self.looked = Some(looked);
        nexts
    }

    /// Whether two moves touch the same bytes, and for certain.
    fn conflict(&self, state: &SearchState, left: &Next, right: &Next) -> Option<bool> {
        let known = state.state.memory.objects().count();
        let mut found = None;
        for a in &left.accesses {
            // What a move has made is its own.
            if a.object.index() >= known || state.state.memory.object(a.object).kind == ObjectKind::Library {
                continue;
            }
            for b in right.accesses.iter().filter(|b| b.object == a.object && (a.is_write || b.is_write)) {
                if a.start < b.end && b.start < a.end {
                    if a.is_exact && b.is_exact {
                        return Some(true);
                    }
                    found = Some(false);
                }
            }
        }
        found
    }

    fn race_found(&mut self, state: &SearchState, left: &Next, right: &Next, is_exact: bool) {
        let reason = Reason::PossibleViolation { kind: CheckKind::DataRace.word().into() };
        if !is_exact || self.has_atomics || left.is_atomic || right.is_atomic {
            return self.doubt(reason, left.span, None);
        }
        let fault = Fault::new(CheckKind::DataRace, "data race")
            .label("this access")
            .place(right.span, "and this one can happen at the same time, and one of them writes");
        match self.violation(state, None, Box::new(fault), left.span) {
            Some(mut violation) => {
                violation.race = Some((left.process, right.process));
                self.race = Some(violation);
            }
            None => self.doubt(reason, left.span, None),
        }
    }

    pub(crate) fn take_race(&mut self) -> Option<Violation> {
        self.race.take()
    }
}

/// The program has objects or operations that are atomic by themselves, which accesses do not show.
pub(crate) fn has_atomics(program: &Program) -> bool {
    let is_atomic_type = program.types.iter().any(|ty| match ty {
        Type::Pointer(to) => to.qualifiers.is_atomic,
        Type::Array { element, .. } => element.qualifiers.is_atomic,
        _ => false,
    });
    let is_atomic_field = program
        .types
        .records
        .iter()
        .any(|record| record.fields.iter().flatten().any(|field| field.ty.qualifiers.is_atomic));
    let is_atomic_name =
        |name: &str| name.contains("atomic_") && !name.contains("__VERIFIER") || name.contains("__sync_");
    let is_atomic_step = |location: &Location| match &location.control {
        Control::Step { step: Step::Builtin { name, .. }, .. } => is_atomic_name(name.as_str()),
        _ => false,
    };
    is_atomic_type
        || is_atomic_field
        || program.globals.iter().any(|global| global.is_atomic)
        || program.functions.iter().any(|function| {
            is_atomic_name(function.name.as_str())
                || function.body.as_ref().is_some_and(|body| {
                    body.locals.iter().any(|local| local.is_atomic) || body.locations.iter().any(is_atomic_step)
                })
        })
}
