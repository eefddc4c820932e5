//! Propositional satisfiability: literals, the answer of a search, budgets and cancellation.
//!
//! Two engines stand behind it. [`cdcl`] is our own search: it starts in well under a microsecond, keeps its trail
//! between calls and lets theories take part. [`cadical`] is for what is hard: the clauses of a query are handed over
//! after a number of conflicts.

pub mod arena;
pub mod cdcl;
pub mod heap;
pub mod theory;

mod analyze;
mod propagate;
mod reduce;

#[cfg(feature = "cadical")]
pub mod cadical;

pub use cdcl::Sat;
pub use theory::{NoTheory, Theory};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A propositional variable.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(pub u32);

/// A variable or its negation: `2 * variable + sign`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(pub u32);

impl Lit {
    pub fn new(var: Var, is_positive: bool) -> Self {
        Self(var.0 << 1 | u32::from(!is_positive))
    }
    #[inline]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }
    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
    /// The literal, negated when `negate`.
    #[inline]
    pub fn flip_if(self, negate: bool) -> Self {
        Self(self.0 ^ u32::from(negate))
    }
    /// The number of DIMACS: one-based, negative for a negated variable.
    pub fn to_dimacs(self) -> i32 {
        let number = (self.0 >> 1) as i32 + 1;
        if self.is_positive() { number } else { -number }
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}

/// What a search found.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Sat,
    Unsat,
    /// The budget ran out or the search was cancelled.
    Unknown,
}

/// Set from any thread to end a search soon.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

/// A flag that someone else sets, for more than one query.
impl From<Arc<AtomicBool>> for Cancel {
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }
}

impl Cancel {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How much one search may do. `conflicts` and `work` are deterministic; `deadline` only stops a run.
#[derive(Clone, Debug)]
pub struct Limits {
    pub conflicts: u64,
    /// Literals propagated and tableau entries touched.
    pub work: u64,
    pub deadline: Option<Instant>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { conflicts: u64::MAX, work: u64::MAX, deadline: None }
    }
}

impl Limits {
    pub fn conflicts(conflicts: u64) -> Self {
        Self { conflicts, ..Self::default() }
    }
}
