//! The states that a search expands, as a person reads them.

use crate::engine::{self, Aim, Ends, Engine, Options, SearchState};
use quod_base::{Id, Span};
use quod_exec::inspect::{self, Variable};
use quod_exec::state::{ProcessId, State, Status};
use quod_exec::symbolic::SymbolicDomain;
use quod_model::ir::Program;
use quod_term::TermPool;
use std::sync::Arc;

/// One state: where each process stands, what it knows, and under which conditions.
pub struct ShownState {
    pub processes: Vec<ShownProcess>,
    pub globals: Vec<Variable>,
    pub conditions: Vec<String>,
}

pub struct ShownProcess {
    pub number: usize,
    pub has_ended: bool,
    /// Where it stands; nothing before its first step.
    pub span: Span,
    pub locals: Vec<Variable>,
}

/// States that are still to be shown, and those that are.
pub(crate) struct Shown {
    most: usize,
    states: Vec<ShownState>,
}

/// The first states of a search, in the order in which they are expanded. The flag says whether these are all.
pub fn states(program: &Program, options: &Options, most: usize) -> (Vec<ShownState>, bool) {
    let mut shown = Some(Shown { most, states: Vec::new() });
    let aim = Aim { ends: Ends::Passed, work: u64::MAX };
    engine::explore(Arc::new(TermPool::new()), program, options, aim, &mut shown);
    let states = shown.map_or(Vec::new(), |shown| shown.states);
    let is_all = !options.cancel.is_cancelled();
    (states, is_all)
}

impl Engine<'_> {
    /// Keeps what can be seen of a state, if someone wants to see it; enough ends the search.
    pub(crate) fn show(&mut self, state: &SearchState) {
        let Some(mut shown) = self.shown.take() else { return };
        if shown.states.len() < shown.most {
            let mut copy = state.state.clone();
            let globals = inspect::globals(&mut self.machine, &mut copy);
            let processes = (0..copy.processes.len())
                .filter(|&index| !state.state.processes[index].is_free)
                .map(ProcessId::from_index)
                .map(|process| ShownProcess {
                    number: process.index(),
                    has_ended: copy.processes[process.index()].status == Status::Ended,
                    span: self.standing(&copy, process),
                    locals: inspect::locals(&mut self.machine, &mut copy, process),
                })
                .collect();
            let pool = &self.machine.domain.pool;
            let conditions = copy.memory.path_condition().map(|term| pool.display(term).to_string()).collect();
            shown.states.push(ShownState { processes, globals, conditions });
        } else {
            self.cancel.cancel();
        }
        self.shown = Some(shown);
    }

    /// Where a process stands: in the innermost call that has a place in the text.
    fn standing(&self, state: &State<SymbolicDomain>, process: ProcessId) -> Span {
        let calls = self.machine.backtrace(state, process);
        calls.into_iter().map(|(_, span)| span).find(|span| !span.is_none()).unwrap_or(Span::NONE)
    }

    /// The search begins anew.
    pub(crate) fn show_nothing(&mut self) {
        if let Some(shown) = &mut self.shown {
            shown.states.clear();
        }
    }
}
