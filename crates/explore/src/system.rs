//! What a search needs to know of a system.

use quod_base::Fingerprint;

/// What a move leads to.
#[derive(Clone, Debug)]
pub enum Outcome<State, Move, Finding> {
    /// A next state.
    Next(Move, State),
    /// Something worth reporting happens on this move; the execution ends there.
    Found(Move, Finding),
}

/// A transition system of processes.
///
/// The moves of a state are those of its processes. A move of one process can have several outcomes: a symbolic state
/// splits where a condition is open.
///
/// A search on several threads has one system on each. They must agree: what one says of a state, all say.
pub trait System {
    type State: Clone + Send;
    /// What a trace keeps of a move.
    type Move: Clone + Send + Sync;
    type Finding: Send;
    type Process: Copy + Eq + Ord + std::fmt::Debug + Into<u64> + Send + Sync;
    /// What the system of another thread has to tell when it is done.
    type Summary: Send;

    /// The end of a system that helped in a thread of its own.
    fn summary(self) -> Self::Summary;

    /// Takes over what another system has to tell.
    fn absorb(&mut self, summary: Self::Summary);

    /// Work done so far, in any measure that grows alike in all runs.
    fn effort(&self) -> u64 {
        0
    }

    /// The processes that may be able to move, in a fixed order.
    fn processes(&mut self, state: &Self::State) -> Vec<Self::Process>;

    /// All outcomes of one move of a process; none where it is blocked.
    fn outcomes(
        &mut self,
        state: &Self::State,
        process: Self::Process,
    ) -> Vec<Outcome<Self::State, Self::Move, Self::Finding>>;

    /// No process could move: has the execution ended well?
    fn at_end(&mut self, state: &Self::State) -> Option<Self::Finding>;

    /// Equal states have equal fingerprints; `None` where states are not to be matched.
    fn fingerprint(&mut self, state: &Self::State) -> Option<Fingerprint>;

    /// The state was met again on one execution: is that a finding?
    fn at_cycle(&mut self, _state: &Self::State) -> Option<Self::Finding> {
        None
    }

    /// All that distinguishes the state from others, in full: equal for equal states only.
    fn record(&mut self, _state: &Self::State) -> Vec<u8> {
        Vec::new()
    }

    /// The next move of a process, one that others may notice, leaves nothing behind that they do notice.
    fn is_unseen(&mut self, _state: &Self::State, _process: Self::Process) -> bool {
        false
    }

    /// What the ample sets of this search rest on has turned out wrong: it must begin anew.
    fn is_void(&self) -> bool {
        false
    }

    /// The work that was allowed is done: the search ends here.
    fn is_exhausted(&self) -> bool {
        false
    }

    /// A subset of the processes whose moves commute with all that the others can do before, and which the property does
    /// not see (an ample set); `None` for all. The search adds the cycle proviso.
    fn ample(&mut self, _state: &Self::State, _processes: &[Self::Process]) -> Option<Vec<Self::Process>> {
        None
    }
}
