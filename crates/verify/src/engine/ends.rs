//! Where executions end: what must not be left over, and who waits for ever.

use super::{Engine, SearchState, Violation};
use crate::deadlock;
use quod_base::{Id, Span};
use quod_exec::domain::Domain;
use quod_exec::fault::Fault;
use quod_model::ir::Storage;
use quod_solver::Model;
use quod_verdict::{CheckKind, Reason};

impl Engine<'_> {
    /// Nobody could move if messages were handed over.
    pub(super) fn potential_deadlock(&mut self, state: &SearchState) -> Option<Violation> {
        if !self.kinds.contains(CheckKind::Deadlock) || state.is_exited {
            return None;
        }
        let waiting = deadlock::stuck(&mut self.machine, &state.state, true, self.is_strict)?;
        let span = self.machine.span(&state.state, waiting);
        let fault = Fault::new(CheckKind::Deadlock, "no process can move unless messages are kept on the way");
        self.violation(state, None, Box::new(fault.label("one of them waits here")), span)
    }

    /// The end of an execution, as a finding.
    pub(super) fn end(&self, state: &SearchState) -> Violation {
        let memory = &state.state.memory;
        let program = self.machine.program;
        let mut outputs = Some(Vec::new());
        for (id, global) in program.globals.iter_enumerated() {
            if global.storage != Storage::Output {
                continue;
            }
            let address = self.machine.statics.globals.get(id.index());
            let contents = address.and_then(|address| self.machine.domain.contents(memory, address));
            match (&mut outputs, contents) {
                (Some(outputs), Some(cells)) => {
                    outputs.extend(cells.into_iter().map(|(at, term)| (format!("{}+{at}", global.name), term)));
                }
                _ => outputs = None,
            }
        }
        let end = Some((memory.path_condition().collect(), outputs));
        let fault = Box::new(Fault::new(CheckKind::Equivalence, "an execution ends"));
        let inputs = memory.inputs().cloned().collect();
        Violation { fault, span: Span::NONE, inputs, model: Model::default(), end, is_exact: false, race: None }
    }

    /// The program ends here: what must not be left over?
    pub(super) fn at_exit(&mut self, state: &SearchState, code: i32) -> Option<Violation> {
        const ABORTED: i32 = 134;
        if self.kinds.contains(CheckKind::LostMemory)
            && let Some((span, size)) = self.lost(state)
        {
            return self.violation(state, None, Box::new(crate::paths::lost(span, size)), span);
        }
        if !self.kinds.contains(CheckKind::MemoryLeak) {
            return None;
        }
        if code == ABORTED {
            if !self.machine.domain.heap_objects(&state.state.memory).is_empty() {
                let what = "memory that is left over when the program aborts".into();
                self.doubt(Reason::Unsupported { what }, Span::NONE, None);
            }
            return None;
        }
        let (span, size) = *self.machine.domain.heap_objects(&state.state.memory).first()?;
        let fault = leak(span, size);
        self.violation(state, None, Box::new(fault), span)
    }

    /// A heap object that no variable of any process leads to.
    fn lost(&mut self, state: &SearchState) -> Option<(Span, u64)> {
        let variables = crate::held::variables(&mut self.machine, &state.state);
        self.machine.domain.lost_object(&state.state.memory, variables.into_iter())
    }
}

pub(crate) fn leak(span: Span, size: u64) -> Fault {
    Fault::new(CheckKind::MemoryLeak, "memory is never freed")
        .label(format!("{size} bytes were allocated here and are left when the program ends"))
        .at(span)
}
