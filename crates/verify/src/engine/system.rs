//! What the search asks of the engine.

use super::helper::Summary;
use super::{Ends, Engine, FUEL, Nature, Outcomes, SearchState, Step, Violation};
use crate::fingerprint;
use quod_base::{Fingerprint, Id, Span};
use quod_exec::fault::Fault;
use quod_exec::machine::Event;
use quod_exec::state::{ProcessId, Status};
use quod_explore::{Outcome as Moved, System};
use quod_verdict::{CheckKind, Reason};

/// Operations that a question to the solver counts as.
pub(super) const QUERY_WORK: u64 = 2_000;

impl Engine<'_> {
    /// The process cannot move; quantifiers in its guard have the values that they have in a move.
    fn is_blocked(&mut self, state: &SearchState, process: ProcessId) -> bool {
        let mut probe = state.clone();
        self.machine.has_moved = false;
        loop {
            match self.machine.run_process(&mut probe.state, process, FUEL, true) {
                Event::Quantify(site) => match self.quantify(probe, process, site) {
                    Some(next) => probe = next,
                    None => return false,
                },
                event => return matches!(event, Event::Blocked),
            }
        }
    }
}

impl System for Engine<'_> {
    type State = SearchState;
    type Move = Step;
    type Finding = Violation;
    type Process = ProcessId;
    type Summary = Summary;

    fn summary(self) -> Summary {
        self.into_summary()
    }

    fn absorb(&mut self, summary: Summary) {
        self.take_over(summary);
    }

    fn effort(&self) -> u64 {
        self.total_effort() - self.earlier_effort
    }

    fn processes(&mut self, state: &SearchState) -> Vec<ProcessId> {
        self.is_active = false;
        // What was looked at for another state, that may have been in the same place.
        self.looked = None;
        self.show(state);
        if state.is_exited {
            return Vec::new();
        }
        let processes = &state.state.processes;
        if let Some(owner) = state.state.atomic_owner
            && processes[owner.index()].status == Status::Running
        {
            if self.is_strict || !state.state.has_others(owner) {
                return vec![owner];
            }
            // Inside an atomic block nobody else moves, unless the block cannot go on.
            if !self.is_blocked(state, owner) {
                return vec![owner];
            }
        }
        let is_running = |id: &ProcessId| processes[id.index()].status == Status::Running;
        let running: Vec<ProcessId> = (0..processes.len()).map(ProcessId::from_index).filter(is_running).collect();
        if self.kinds.contains(CheckKind::DataRace) {
            self.look_for_race(state, &running);
        } else if self.has_torn_copies() && (!self.is_reduced || self.machine.domain.has_addresses()) {
            self.look_for_torn_copies(state, &running);
        }
        running
    }

    fn outcomes(&mut self, state: &SearchState, process: ProcessId) -> Outcomes {
        if let Some(race) = self.take_race() {
            // Nothing moves: the state itself is what is wrong.
            return vec![Moved::Found(Step::new(process, Vec::new(), Nature::Split), race)];
        }
        // Made anew for each state that is expanded, in the same place: the address tells the state.
        if let Some(looked) = self.looked.as_mut().filter(|looked| std::ptr::eq(looked.state, state))
            && let Some(index) = looked.moves.iter().position(|(known, _)| *known == process)
        {
            return looked.moves.swap_remove(index).1;
        }
        self.run_visible(state, process)
    }

    fn ample(&mut self, state: &SearchState, processes: &[ProcessId]) -> Option<Vec<ProcessId>> {
        if self.race.is_some() {
            return None;
        }
        self.looked = None;
        if processes.len() < 2 {
            return None;
        }
        self.independent(state, processes).map(|process| vec![process])
    }

    fn is_unseen(&mut self, state: &SearchState, process: ProcessId) -> bool {
        let looked = self.looked.as_ref().filter(|looked| std::ptr::eq(looked.state, state));
        looked.is_some_and(|looked| looked.unseen.contains(&process))
    }

    fn at_end(&mut self, state: &SearchState) -> Option<Violation> {
        if state.is_exited {
            return None;
        }
        let Some(stuck) = state.state.processes.iter().position(|process| process.status == Status::Running) else {
            return self.at_exit(state, 0);
        };
        if self.kinds.contains(CheckKind::Termination) && !self.kinds.contains(CheckKind::Deadlock) {
            let what = "whether an execution that waits for ever has ended".into();
            self.doubt(Reason::Unsupported { what }, Span::NONE, None);
        }
        // Executions that ended in a doubt or an assumption have not come to rest here.
        if self.is_active || !self.kinds.contains(CheckKind::Deadlock) {
            return None;
        }
        let process = ProcessId::from_index(stuck);
        let span = self.machine.span(&state.state, process);
        let fault = Fault::new(CheckKind::Deadlock, "no process can move").label("one of them waits here");
        self.violation(state, None, Box::new(fault), span)
    }

    fn at_cycle(&mut self, state: &SearchState) -> Option<Violation> {
        if !self.kinds.contains(CheckKind::Termination) {
            return None;
        }
        let processes = &state.state.processes;
        let running = processes.iter().position(|process| process.status == Status::Running)?;
        let span = self.machine.span(&state.state, ProcessId::from_index(running));
        let fault =
            Fault::new(CheckKind::Termination, "an execution does not end").label("it comes back here for ever");
        self.violation(state, None, Box::new(fault), span)
    }

    fn is_void(&self) -> bool {
        self.written.is_void
    }

    fn is_exhausted(&self) -> bool {
        self.total_effort() > self.work
    }

    fn record(&mut self, state: &SearchState) -> Vec<u8> {
        if self.ends != Ends::Kept
            && let Some(mut record) = self.machine.domain.canonical_record(&state.state, &mut self.symbols_of)
        {
            record.push(state.is_exited.into());
            record.push((self.machine.is_even && state.state.has_started).into());
            return record;
        }
        fingerprint::record(&state.state, state.is_exited)
    }

    fn fingerprint(&mut self, state: &SearchState) -> Option<Fingerprint> {
        // Ends are told by the symbols in them.
        if self.ends != Ends::Kept
            && let Some(mut canonical) = self.machine.domain.canonical(&state.state, &[], &mut self.symbols_of)
        {
            let has_started = self.machine.is_even && state.state.has_started;
            canonical.0 ^= u128::from(state.is_exited) ^ u128::from(has_started) << 1;
            return Some(canonical);
        }
        Some(fingerprint::of(&self.machine.domain.pool, &state.state, state.is_exited))
    }
}
