//! Conflict-driven clause learning with assumptions, theories and decisions restricted to a query's own variables.
//!
//! The ingredients are the standard ones (two watched literals with blockers, first unique implication point with
//! recursive minimisation, VSIDS, saved phases, glue-based reduction, alternating restarts). Three things are made for
//! thousands of small queries on one growing set of definitions:
//!
//! - only variables that the caller lists are decided. Gates that a query does not reach stay unassigned; being
//!   definitions of fresh outputs they can always be completed;
//! - the trail survives the call: the next call keeps the levels of the assumptions that it shares with this one;
//! - clauses may be added at any time, also by a theory in the middle of the search.

use super::arena::{Arena, ClauseRef};
use super::heap::VarHeap;
use super::{Cancel, Limits, Lit, Outcome, Theory, Var};

pub(crate) const NO_REASON: u32 = u32::MAX;

#[derive(Copy, Clone)]
pub(crate) struct Watch {
    pub(crate) clause: u32,
    pub(crate) blocker: Lit,
}

/// Set in `Watch::clause` for clauses of two literals, which need no look into the arena.
pub(crate) const BINARY: u32 = 1 << 31;

const END: Lit = Lit(u32::MAX);
const REDUNDANT_END: Lit = Lit(u32::MAX - 1);

/// Calls its argument for each variable that a search must decide.
pub type Relevant<'a> = dyn FnMut(&mut dyn FnMut(Var)) + 'a;

#[derive(Default, Clone, Copy, Debug)]
pub struct SatStatistics {
    pub conflicts: u64,
    pub decisions: u64,
    pub propagations: u64,
    pub restarts: u64,
    pub reductions: u64,
}

/// An incremental propositional solver.
pub struct Sat {
    pub(crate) arena: Arena,
    pub(crate) clauses: Vec<ClauseRef>,
    pub(crate) learnts: Vec<ClauseRef>,
    pub(crate) watches: Vec<Vec<Watch>>,
    /// By literal: 1 true, -1 false, 0 unassigned.
    pub(crate) values: Vec<i8>,
    pub(crate) level: Vec<u32>,
    pub(crate) reason: Vec<u32>,
    pub(crate) phase: Vec<bool>,
    pub(crate) best_phase: Vec<bool>,
    pub(crate) activity: Vec<f64>,
    pub(crate) seen: Vec<u8>,
    /// Decided only if the stamp is that of the present call.
    stamp: Vec<u32>,
    epoch: u32,
    theory_var: Vec<bool>,
    pub(crate) heap: VarHeap,
    pub(crate) trail: Vec<Lit>,
    pub(crate) limits: Vec<usize>,
    pub(crate) head: usize,
    theory_head: usize,
    /// The theory must forget the trail from here on.
    theory_low: usize,
    /// Clauses added while the trail was not empty, each closed by `END` or `REDUNDANT_END`.
    pending: Vec<Lit>,
    pub(crate) increment: f64,
    pub(crate) is_unsat: bool,
    assumptions: Vec<Lit>,
    core: Vec<Lit>,
    pub(crate) minimize_stack: Vec<Lit>,
    pub(crate) to_clear: Vec<Var>,
    pub(crate) learnt: Vec<Lit>,
    pub(crate) level_stamp: Vec<u32>,
    pub(crate) level_epoch: u32,
    pub(crate) next_reduce: u64,
    best_trail: usize,
    pub statistics: SatStatistics,
    pub cancel: Cancel,
    /// Looked at while clauses are made; the one of a search is in its limits.
    pub deadline: Option<std::time::Instant>,
    /// Making clauses took too long or too much memory: what is there is incomplete.
    pub is_interrupted: bool,
    /// Work done by theories, charged against `Limits::work`.
    pub theory_work: u64,
}

impl Default for Sat {
    fn default() -> Self {
        Self {
            arena: Arena::default(),
            clauses: Vec::new(),
            learnts: Vec::new(),
            watches: Vec::new(),
            values: Vec::new(),
            level: Vec::new(),
            reason: Vec::new(),
            phase: Vec::new(),
            best_phase: Vec::new(),
            activity: Vec::new(),
            seen: Vec::new(),
            stamp: Vec::new(),
            epoch: 0,
            theory_var: Vec::new(),
            heap: VarHeap::default(),
            trail: Vec::new(),
            limits: Vec::new(),
            head: 0,
            theory_head: 0,
            theory_low: usize::MAX,
            pending: Vec::new(),
            increment: 1.0,
            is_unsat: false,
            assumptions: Vec::new(),
            core: Vec::new(),
            minimize_stack: Vec::new(),
            to_clear: Vec::new(),
            learnt: Vec::new(),
            level_stamp: vec![0],
            level_epoch: 0,
            next_reduce: 2000,
            best_trail: 0,
            statistics: SatStatistics::default(),
            cancel: Cancel::default(),
            deadline: None,
            is_interrupted: false,
            theory_work: 0,
        }
    }
}

impl Sat {
    pub fn new_var(&mut self) -> Var {
        let var = Var(self.level.len() as u32);
        self.watches.push(Vec::new());
        self.watches.push(Vec::new());
        self.values.push(0);
        self.values.push(0);
        self.level.push(0);
        self.reason.push(NO_REASON);
        self.phase.push(false);
        self.best_phase.push(false);
        self.activity.push(0.0);
        self.seen.push(0);
        self.stamp.push(self.epoch);
        self.theory_var.push(false);
        self.level_stamp.push(0);
        let count = self.level.len();
        if count.is_multiple_of(1024) {
            let is_late = self.deadline.is_some_and(|end| std::time::Instant::now() >= end);
            self.is_interrupted |= is_late || self.cancel.is_cancelled() || self.arena.is_full();
        }
        self.heap.grow(count);
        self.heap.insert(var, &self.activity);
        var
    }

    pub fn variables(&self) -> usize {
        self.level.len()
    }

    /// From now on the theory hears of this variable.
    pub fn watch_theory(&mut self, var: Var) {
        self.theory_var[var.0 as usize] = true;
    }

    /// The phase that the variable is first tried with.
    pub fn set_phase(&mut self, var: Var, phase: bool) {
        self.phase[var.0 as usize] = phase;
    }

    #[inline]
    pub(crate) fn value(&self, literal: Lit) -> i8 {
        self.values[literal.index()]
    }

    /// The value in the last model, or on the trail during the search.
    pub fn model(&self, literal: Lit) -> Option<bool> {
        match self.values[literal.index()] {
            0 => None,
            value => Some(value > 0),
        }
    }

    /// The value that holds in every model: fixed at the root.
    pub fn fixed(&self, literal: Lit) -> Option<bool> {
        let value = self.values[literal.index()];
        (value != 0 && self.level[literal.var().0 as usize] == 0).then_some(value > 0)
    }

    /// Of the assumptions of an unsatisfiable call, some that cannot hold together.
    pub fn failed_assumptions(&self) -> &[Lit] {
        &self.core
    }

    /// Another solver has refuted these.
    pub(crate) fn set_failed_assumptions(&mut self, assumptions: &[Lit]) {
        self.core.clear();
        self.core.extend_from_slice(assumptions);
    }

    pub(crate) fn decision_level(&self) -> u32 {
        self.limits.len() as u32
    }

    /// All problem clauses that are not satisfied at the root, for hand-over to another solver.
    pub fn for_each_clause(&self, mut visit: impl FnMut(&[Lit])) {
        let root_end = self.limits.first().copied().unwrap_or(self.trail.len());
        for &literal in &self.trail[..root_end] {
            visit(&[literal]);
        }
        let mut buffer = Vec::new();
        for &clause in &self.clauses {
            buffer.clear();
            buffer.extend(self.arena.words(clause).iter().map(|&word| Lit(word)));
            visit(&buffer);
        }
        for &clause in &self.learnts {
            if self.arena.glue(clause) <= 2 {
                buffer.clear();
                buffer.extend(self.arena.words(clause).iter().map(|&word| Lit(word)));
                visit(&buffer);
            }
        }
        let mut start = 0;
        for (at, &literal) in self.pending.iter().enumerate() {
            if literal >= REDUNDANT_END {
                visit(&self.pending[start..at]);
                start = at + 1;
            }
        }
    }

    pub fn add_clause(&mut self, literals: &[Lit]) {
        if self.limits.is_empty() && self.pending.is_empty() && self.head == self.trail.len() {
            self.add_root_clause(literals);
        } else {
            self.pending.extend_from_slice(literals);
            self.pending.push(END);
        }
    }

    /// A clause that the others (or the theory) imply: it may be forgotten again.
    pub fn add_redundant_clause(&mut self, literals: &[Lit]) {
        self.pending.extend_from_slice(literals);
        self.pending.push(REDUNDANT_END);
    }

    /// Has the present search decide this variable, too.
    pub fn make_relevant(&mut self, var: Var) {
        self.stamp[var.0 as usize] = self.epoch;
        if self.values[(var.0 as usize) << 1] == 0 {
            self.heap.insert(var, &self.activity);
        }
    }

    fn add_root_clause(&mut self, literals: &[Lit]) {
        debug_assert!(self.limits.is_empty());
        if self.is_unsat {
            return;
        }
        // Short clauses without repeated or assigned literals, the rule for gates, are stored as they come.
        let is_plain = literals.len() <= 4
            && literals.iter().enumerate().all(|(at, &literal)| {
                self.values[literal.index()] == 0 && literals[..at].iter().all(|other| other.var() != literal.var())
            });
        let mut clean: Vec<Lit>;
        let literals = if is_plain {
            literals
        } else {
            clean = literals.to_vec();
            clean.sort_unstable();
            clean.dedup();
            if clean.windows(2).any(|pair| pair[0] == !pair[1]) || clean.iter().any(|&l| self.value(l) > 0) {
                return;
            }
            clean.retain(|&literal| self.values[literal.index()] == 0);
            &clean
        };
        match literals {
            [] => self.is_unsat = true,
            [unit] => {
                self.enqueue(*unit, NO_REASON);
                if self.propagate().is_some() {
                    self.is_unsat = true;
                }
            }
            _ => {
                let clause = self.arena.push(literals, false, 0);
                self.clauses.push(clause);
                self.attach(clause);
            }
        }
    }

    pub(crate) fn attach(&mut self, clause: ClauseRef) {
        let (first, second) = (self.arena.lit(clause, 0), self.arena.lit(clause, 1));
        let tag = if self.arena.len(clause) == 2 { BINARY } else { 0 };
        self.watches[(!first).index()].push(Watch { clause: clause.0 | tag, blocker: second });
        self.watches[(!second).index()].push(Watch { clause: clause.0 | tag, blocker: first });
    }

    pub(crate) fn enqueue(&mut self, literal: Lit, reason: u32) {
        debug_assert!(self.value(literal) == 0);
        self.values[literal.index()] = 1;
        self.values[(!literal).index()] = -1;
        let var = literal.var().0 as usize;
        self.level[var] = self.decision_level();
        self.reason[var] = if self.limits.is_empty() { NO_REASON } else { reason };
        self.trail.push(literal);
    }

    pub(crate) fn backtrack(&mut self, level: u32) {
        if self.decision_level() <= level {
            return;
        }
        let end = self.limits[level as usize];
        for at in (end..self.trail.len()).rev() {
            let literal = self.trail[at];
            let var = literal.var();
            self.values[literal.index()] = 0;
            self.values[(!literal).index()] = 0;
            self.phase[var.0 as usize] = literal.is_positive();
            if self.stamp[var.0 as usize] == self.epoch {
                self.heap.insert(var, &self.activity);
            }
        }
        self.trail.truncate(end);
        self.limits.truncate(level as usize);
        self.head = end;
        if self.theory_head > end {
            self.theory_head = end;
            self.theory_low = self.theory_low.min(end);
        }
    }

    /// Takes the clauses that were added during the search. A clause that is false now is returned as a conflict.
    fn take_pending(&mut self) -> Option<ClauseRef> {
        if self.pending.is_empty() {
            return None;
        }
        let pending = std::mem::take(&mut self.pending);
        let mut start = 0;
        let mut conflict = None;
        for (at, &end) in pending.iter().enumerate() {
            if end < REDUNDANT_END {
                continue;
            }
            let clause = &pending[start..at];
            start = at + 1;
            conflict = self.add_late_clause(clause, end == REDUNDANT_END);
            if conflict.is_some() || self.is_unsat {
                break;
            }
        }
        if !self.is_unsat {
            self.pending.extend_from_slice(&pending[start..]);
        }
        conflict
    }

    fn add_late_clause(&mut self, literals: &[Lit], is_redundant: bool) -> Option<ClauseRef> {
        if self.limits.is_empty() {
            if self.head < self.trail.len() && self.propagate().is_some() {
                self.is_unsat = true;
            }
            self.add_root_clause(literals);
            return None;
        }
        let mut clean = literals.to_vec();
        clean.sort_unstable();
        clean.dedup();
        if clean.windows(2).any(|pair| pair[0] == !pair[1]) {
            return None;
        }
        if clean.iter().any(|&literal| self.fixed(literal) == Some(true)) {
            return None;
        }
        clean.retain(|&literal| self.fixed(literal).is_none());
        match clean.len() {
            0 => {
                self.is_unsat = true;
                return None;
            }
            1 => {
                self.backtrack(0);
                self.add_root_clause(&clean);
                return None;
            }
            _ => {}
        }
        // The literals to watch: true ones, then open ones, then the latest false ones.
        let rank = |literal: Lit| match self.value(literal) {
            0 => u64::from(u32::MAX) + 1,
            value if value > 0 => u64::from(u32::MAX) + 2,
            _ => u64::from(self.level[literal.var().0 as usize]),
        };
        clean.sort_by_key(|&literal| std::cmp::Reverse(rank(literal)));
        let first_level = self.level[clean[0].var().0 as usize];
        let second_level = self.level[clean[1].var().0 as usize];
        let (first, second) = (self.value(clean[0]), self.value(clean[1]));
        let clause = self.arena.push(&clean, is_redundant, clean.len() as u32);
        if is_redundant {
            self.arena.mark_used(clause);
            self.learnts.push(clause);
        } else {
            self.clauses.push(clause);
        }
        self.attach(clause);
        if first < 0 {
            if first_level > second_level {
                self.backtrack(second_level);
                self.enqueue(clean[0], clause.0);
                return None;
            }
            self.backtrack(first_level);
            return Some(clause);
        }
        if first == 0 && second < 0 {
            self.backtrack(second_level);
            self.enqueue(clean[0], clause.0);
        }
        None
    }

    /// Searches for a model of all clauses and the assumptions, deciding only `relevant` variables and those that are
    /// created on the way.
    pub fn solve(
        &mut self,
        assumptions: &[Lit],
        relevant: &mut Relevant<'_>,
        theory: &mut impl Theory,
        limits: &Limits,
    ) -> Outcome {
        self.core.clear();
        if self.is_unsat {
            return Outcome::Unsat;
        }
        let shared = self.assumptions.iter().zip(assumptions).take_while(|(a, b)| a == b).count();
        self.backtrack(shared.min(self.limits.len()) as u32);
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        self.heap.clear();
        self.epoch += 1;
        {
            let Self { heap, stamp, values, activity, epoch, .. } = self;
            relevant(&mut |var: Var| {
                stamp[var.0 as usize] = *epoch;
                if values[(var.0 as usize) << 1] == 0 {
                    heap.insert(var, activity);
                }
            });
        }
        self.search(theory, limits)
    }

    fn sync_theory(&mut self, theory: &mut impl Theory) {
        if self.theory_low != usize::MAX {
            theory.backtrack(self.theory_low);
            self.theory_low = usize::MAX;
        }
        while self.theory_head < self.trail.len() {
            let literal = self.trail[self.theory_head];
            if self.theory_var[literal.var().0 as usize] {
                theory.assert_literal(literal, self.theory_head);
            }
            self.theory_head += 1;
        }
    }

    fn search(&mut self, theory: &mut impl Theory, limits: &Limits) -> Outcome {
        let start = self.statistics;
        let start_theory = self.theory_work;
        let (mut fast, mut slow) = (0.0f64, 0.0f64);
        let mut since_restart = 0u64;
        let mut is_stable = false;
        let mut mode_end = 1000u64;
        let (mut luby_u, mut luby_v) = (1u64, 1u64);
        let mut ticks = 0u32;
        self.best_trail = 0;
        loop {
            let mut conflict = self.propagate();
            if conflict.is_none() && self.pending.is_empty() {
                self.sync_theory(theory);
                theory.propagate(self);
            }
            if conflict.is_none() && !self.pending.is_empty() {
                conflict = self.take_pending();
                if self.is_unsat {
                    return Outcome::Unsat;
                }
                if conflict.is_none() {
                    continue;
                }
            }
            ticks += 1;
            if ticks & 15 == 0 || conflict.is_some() {
                let done = self.statistics.propagations - start.propagations + self.theory_work - start_theory;
                if self.cancel.is_cancelled()
                    || self.statistics.conflicts - start.conflicts >= limits.conflicts
                    || done >= limits.work
                    || (ticks & 15 == 0 && limits.deadline.is_some_and(|end| std::time::Instant::now() >= end))
                {
                    self.backtrack(0);
                    return Outcome::Unknown;
                }
            }
            if let Some(conflict) = conflict {
                self.statistics.conflicts += 1;
                since_restart += 1;
                if self.decision_level() == 0 {
                    self.is_unsat = true;
                    return Outcome::Unsat;
                }
                let glue = f64::from(self.analyze_and_learn(conflict));
                let rate = 1.0 / (self.statistics.conflicts - start.conflicts).min(32) as f64;
                fast += (glue - fast) * rate;
                slow += (glue - slow) * rate.min(1.0 / (self.statistics.conflicts - start.conflicts).min(4096) as f64);
                if self.is_unsat {
                    return Outcome::Unsat;
                }
                continue;
            }
            let conflicts = self.statistics.conflicts - start.conflicts;
            if conflicts >= mode_end {
                is_stable = !is_stable;
                mode_end = conflicts + conflicts.max(1000) / 2 + 1000;
                self.best_trail = 0;
            }
            let wants_restart =
                if is_stable { since_restart >= luby_v * 1024 } else { since_restart >= 10 && fast > slow * 1.15 };
            if wants_restart && self.decision_level() as usize > self.assumptions.len() {
                since_restart = 0;
                if is_stable {
                    if luby_u & luby_u.wrapping_neg() == luby_v {
                        luby_u += 1;
                        luby_v = 1;
                    } else {
                        luby_v *= 2;
                    }
                }
                self.statistics.restarts += 1;
                self.remember_best(is_stable);
                self.backtrack(self.assumptions.len() as u32);
                if is_stable && self.statistics.restarts.is_multiple_of(4) && self.best_trail > 0 {
                    self.phase.copy_from_slice(&self.best_phase);
                }
                continue;
            }
            if self.statistics.conflicts >= self.next_reduce {
                self.statistics.reductions += 1;
                self.next_reduce =
                    self.statistics.conflicts + 1500 + 300 * (self.statistics.reductions as f64).sqrt() as u64;
                self.reduce();
            }
            // Decide: first the assumptions, then by activity.
            let mut decision = None;
            while (self.decision_level() as usize) < self.assumptions.len() {
                let assumption = self.assumptions[self.decision_level() as usize];
                match self.value(assumption) {
                    0 => {
                        decision = Some(assumption);
                        break;
                    }
                    value if value > 0 => self.limits.push(self.trail.len()),
                    _ => {
                        self.explain_failure(assumption);
                        return Outcome::Unsat;
                    }
                }
            }
            if decision.is_none() {
                while let Some(var) = self.heap.pop(&self.activity) {
                    if self.values[(var.0 as usize) << 1] == 0 && self.stamp[var.0 as usize] == self.epoch {
                        decision = Some(Lit::new(var, self.phase[var.0 as usize]));
                        break;
                    }
                }
            }
            match decision {
                Some(literal) => {
                    self.statistics.decisions += 1;
                    self.limits.push(self.trail.len());
                    self.enqueue(literal, NO_REASON);
                }
                None => {
                    self.sync_theory(theory);
                    if !theory.final_check(self) {
                        return Outcome::Unknown;
                    }
                    if self.pending.is_empty() && !self.has_open_decision() {
                        return Outcome::Sat;
                    }
                }
            }
        }
    }

    fn has_open_decision(&mut self) -> bool {
        while let Some(var) = self.heap.pop(&self.activity) {
            if self.values[(var.0 as usize) << 1] == 0 && self.stamp[var.0 as usize] == self.epoch {
                self.heap.insert(var, &self.activity);
                return true;
            }
        }
        false
    }

    fn remember_best(&mut self, is_stable: bool) {
        if is_stable && self.trail.len() > self.best_trail {
            self.best_trail = self.trail.len();
            for &literal in &self.trail {
                self.best_phase[literal.var().0 as usize] = literal.is_positive();
            }
        }
    }

    /// The assumption is false: which of the others made it so?
    fn explain_failure(&mut self, assumption: Lit) {
        self.core.clear();
        self.core.push(assumption);
        let start = self.limits.first().copied().unwrap_or(self.trail.len());
        self.seen[assumption.var().0 as usize] = 1;
        for at in (start..self.trail.len()).rev() {
            let literal = self.trail[at];
            let var = literal.var().0 as usize;
            if self.seen[var] == 0 {
                continue;
            }
            self.seen[var] = 0;
            if self.reason[var] == NO_REASON {
                if literal != !assumption || self.assumptions.contains(&literal) {
                    self.core.push(literal);
                }
                continue;
            }
            let reason = ClauseRef(self.reason[var]);
            for &word in self.arena.words(reason) {
                let other = Lit(word).var().0 as usize;
                if self.level[other] > 0 && other != var {
                    self.seen[other] = 1;
                }
            }
        }
        self.seen[assumption.var().0 as usize] = 0;
    }

    /// The levels below which assumptions stand are kept; everything else is forgotten.
    pub fn reset_trail(&mut self) {
        self.backtrack(0);
    }
}
