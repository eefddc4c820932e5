//! How to search, and what comes of it.

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Order {
    DepthFirst,
    BreadthFirst,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub order: Order,
    /// Moves from the initial state; deeper states are cut off, and counted.
    pub depth: Option<u64>,
    /// Stop after so many findings.
    pub findings: usize,
    /// The finding is to be one of the shortest that there are, whatever the reduction leaves out.
    pub is_minimal: bool,
    pub is_reduced: bool,
    /// Match states with all that were met, not only with those on the stack.
    pub is_saved: bool,
    /// Ask the system whether a cycle in the state space is a finding (depth first only).
    pub finds_cycles: bool,
    /// Switches away from a process that could go on; more are cut off, and counted.
    pub preemptions: Option<u32>,
    /// Keep states themselves, not only their fingerprints, and compare them.
    pub is_compared: bool,
    /// How many threads search, where a search grows large. Searches for cycles, and those without saved states, have one.
    pub threads: usize,
    /// A search has grown large when so many states were expanded, or so much work was done (`System::effort`).
    pub large: (u64, u64),
    /// Threads wait for each other to begin, and let each other in after each state, so that they meet in small searches
    /// as well: for checks.
    pub is_mixed: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            order: Order::DepthFirst,
            depth: None,
            findings: 1,
            is_minimal: false,
            is_reduced: true,
            is_saved: true,
            finds_cycles: false,
            preemptions: None,
            is_compared: false,
            threads: 1,
            large: (4_000, 1 << 20),
            is_mixed: false,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// States that were expanded.
    pub states: u64,
    /// Fingerprints kept.
    pub saved: u64,
    /// Times that a state was met again.
    pub matches: u64,
    pub moves: u64,
    pub deepest: u64,
    /// States where the depth bound cut.
    pub cut: u64,
    /// Moves that the bound on preemptions cut.
    pub preemptions_cut: u64,
    /// Different states with one fingerprint, where states are compared.
    pub collisions: u64,
    /// States that were expanded in full after all, because another thread was at work below them.
    pub completed: u64,
    /// States in which an ample set alone has moved.
    pub reduced: u64,
    /// Threads that searched.
    pub threads: u64,
}

impl Statistics {
    /// Adds what another part of the same search counted.
    pub(crate) fn add(&mut self, other: &Self) {
        self.states += other.states;
        self.saved += other.saved;
        self.matches += other.matches;
        self.moves += other.moves;
        self.deepest = self.deepest.max(other.deepest);
        self.cut += other.cut;
        self.preemptions_cut += other.preemptions_cut;
        self.collisions += other.collisions;
        self.completed += other.completed;
        self.reduced += other.reduced;
        self.threads += other.threads;
    }
}

/// A finding and the moves to it.
#[derive(Debug)]
pub struct Found<Move, Finding> {
    pub path: Vec<Move>,
    pub finding: Finding,
    /// The last moves, this many, lead back to the state before them.
    pub cycle: Option<u64>,
}

#[derive(Debug)]
pub struct Report<State, Move, Finding> {
    pub found: Vec<Found<Move, Finding>>,
    pub statistics: Statistics,
    /// Cancelled before the end.
    pub is_cancelled: bool,
    /// Ended because the work that was allowed was done.
    pub is_exhausted: bool,
    /// The state that came next when the search was cancelled.
    pub at: Option<State>,
    /// Given up before the end: see `System::is_void`.
    pub is_void: bool,
}
