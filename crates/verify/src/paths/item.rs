//! A state on its way, with what the search knows about how it got there.

use quod_base::Fingerprint;
use quod_exec::state::State;
use quod_exec::symbolic::SymbolicDomain;
use quod_solver::Model;
use std::rc::Rc;

/// A loop that the state is in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Around {
    /// Of the frame, from one.
    pub(super) depth: usize,
    pub(super) head: u32,
    /// Times that the head was met.
    pub(super) visits: u64,
    /// What they count against the bound: rounds in which the way was open count more.
    pub(super) points: u64,
    /// `Item::forks` when the head was last met.
    pub(super) forks: u64,
}

#[derive(Clone)]
pub(super) struct Item {
    pub(super) state: State<SymbolicDomain>,
    pub(super) choices: Vec<u32>,
    pub(super) around: Vec<Around>,
    /// Open conditions on the way.
    pub(super) forks: u64,
    /// Values for which this path is taken, where they are known.
    pub(super) model: Option<Rc<Model>>,
    /// The solver has said that the path is possible, at every open condition.
    pub(super) is_sure: bool,
    /// The kept states that come directly before.
    pub(super) last: Vec<Fingerprint>,
    /// The kept states on the way, the latest first.
    pub(super) trail: Option<Rc<Trail>>,
    /// Joining it with others has failed: it waits at its place no more.
    pub(super) is_apart: bool,
}

pub(super) struct Trail {
    pub(super) state: Fingerprint,
    pub(super) before: Option<Rc<Trail>>,
}

impl Drop for Trail {
    /// Long trails are taken apart in a loop, not on the stack.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(trail) = next {
            next = Rc::try_unwrap(trail).ok().and_then(|mut trail| trail.before.take());
        }
    }
}

impl Item {
    pub(super) fn new(state: State<SymbolicDomain>) -> Self {
        Self {
            state,
            choices: Vec::new(),
            around: Vec::new(),
            forks: 0,
            model: Some(Rc::new(Model::default())),
            is_sure: true,
            last: Vec::new(),
            trail: None,
            is_apart: false,
        }
    }

    pub(super) fn with_state(&self, state: State<SymbolicDomain>) -> Self {
        Self {
            state,
            choices: self.choices.clone(),
            around: self.around.clone(),
            forks: self.forks,
            model: None,
            is_sure: self.is_sure,
            last: self.last.clone(),
            trail: self.trail.clone(),
            is_apart: false,
        }
    }

    pub(super) fn can_join(&self, other: &Self) -> bool {
        self.choices == other.choices && !(self.is_apart && other.is_apart)
    }

    /// Becomes the joined state of both.
    pub(super) fn absorb(&mut self, other: &Self, state: State<SymbolicDomain>) {
        self.state = state;
        self.forks = self.forks.max(other.forks);
        self.is_sure &= other.is_sure;
        if self.model.is_none() {
            self.model = other.model.clone();
        }
        for &state in &other.last {
            if !self.last.contains(&state) {
                self.last.push(state);
            }
        }
        for around in &mut self.around {
            let same = other.around.iter().find(|other| (other.depth, other.head) == (around.depth, around.head));
            if let Some(other) = same {
                around.points = around.points.max(other.points);
                around.visits = around.visits.max(other.visits);
                around.forks = around.forks.max(other.forks);
            }
        }
    }
}
