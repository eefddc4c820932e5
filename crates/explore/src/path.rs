//! The moves to a state. Siblings share all but their last move, whichever thread they are in.

use std::sync::Arc;

pub(crate) struct Path<Move, Process> {
    last: Option<(Move, Arc<Self>)>,
    pub(crate) length: u64,
    /// Who made the last move.
    pub(crate) mover: Option<Process>,
    pub(crate) preemptions: u32,
}

impl<Move: Clone, Process: Copy + Eq> Path<Move, Process> {
    pub(crate) fn root() -> Arc<Self> {
        Arc::new(Self { last: None, length: 0, mover: None, preemptions: 0 })
    }

    /// One move further; `is_preempted` where the last mover could have gone on.
    pub(crate) fn then(self: &Arc<Self>, step: Move, mover: Process, is_preempted: bool) -> Arc<Self> {
        let is_switch = is_preempted && self.mover.is_some_and(|last| last != mover);
        let preemptions = self.preemptions + u32::from(is_switch);
        Arc::new(Self { last: Some((step, self.clone())), length: self.length + 1, mover: Some(mover), preemptions })
    }

    pub(crate) fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut at = self;
        while let Some((step, before)) = &at.last {
            moves.push(step.clone());
            at = before;
        }
        moves.reverse();
        moves
    }
}

impl<Move, Process> Drop for Path<Move, Process> {
    /// Long paths are taken apart in a loop, not on the stack. Of threads that let go at once exactly one gets the rest.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some((_, path)) = next {
            next = Arc::into_inner(path).and_then(|mut path| path.last.take());
        }
    }
}
