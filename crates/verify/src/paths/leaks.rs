//! Memory at the end of an execution, and memory that nobody can reach any more.
//!
//! A block is tracked while a variable of the call stack or of static storage leads to it, directly or through blocks that
//! are tracked. Once lost it stays lost, so it is enough to look where an execution ends, where it meets a state that was
//! gone on with, and where something else goes wrong (what came first counts).

use super::Explorer;
use super::item::Item;
use quod_base::Span;
use quod_exec::domain::Domain;
use quod_exec::fault::Fault;
use quod_term::Term;
use quod_verdict::CheckKind;

/// The exit code of `abort`.
pub(super) const ABORTED: i32 = 134;

impl Explorer<'_, '_> {
    pub(super) fn at_exit(&mut self, item: &Item, code: i32) {
        self.look_for_lost(item);
        if !self.asks(CheckKind::MemoryLeak) || self.outcome.is_some() {
            return;
        }
        let Some(&(span, size)) = self.machine.domain.heap_objects(&item.state.memory).first() else { return };
        if code == ABORTED {
            return self.unsupported(item, "memory that is left over when the program aborts");
        }
        let fault = crate::engine::leak(span, size);
        self.violation(item, None, &fault, span);
    }

    fn lost(&mut self, item: &Item) -> Option<(Span, u64)> {
        if !self.asks(CheckKind::LostMemory) || self.machine.domain.heap_objects(&item.state.memory).is_empty() {
            return None;
        }
        let variables = crate::held::variables(&mut self.machine, &item.state);
        self.machine.domain.lost_object(&item.state.memory, variables.into_iter())
    }

    pub(super) fn look_for_lost(&mut self, item: &Item) {
        if self.lost(item).is_some() {
            self.violation_of_lost(item, None);
        }
    }

    /// What is about to be reported comes after memory was lost.
    pub(super) fn is_shadowed(&mut self, item: &Item, kind: CheckKind) -> bool {
        matches!(kind, CheckKind::InvalidDeref | CheckKind::InvalidFree | CheckKind::NullArgument)
            && self.lost(item).is_some()
    }

    pub(super) fn violation_of_lost(&mut self, item: &Item, condition: Option<Term>) {
        let Some((span, size)) = self.lost(item) else { return };
        self.violation(item, condition, &lost(span, size), span);
    }
}

pub(crate) fn lost(span: Span, size: u64) -> Fault {
    Fault::new(CheckKind::LostMemory, "memory is lost")
        .label(format!("no pointer leads any more to the {size} bytes that were allocated here"))
        .at(span)
}
