//! Conflict analysis: the first unique implication point, recursive minimisation, activities.

use super::arena::ClauseRef;
use super::cdcl::NO_REASON;
use super::{Lit, Sat, Var};

impl Sat {
    /// Learns a clause from the conflict, jumps back and asserts its first literal. Returns its glue.
    pub(crate) fn analyze_and_learn(&mut self, conflict: ClauseRef) -> u32 {
        // A clause given by a theory may be false below the present level.
        let top = self.arena.words(conflict).iter().map(|&word| self.level[(word >> 1) as usize]).max().unwrap_or(0);
        if top == 0 {
            self.is_unsat = true;
            return 0;
        }
        self.backtrack(top);
        self.learnt.clear();
        self.learnt.push(Lit(0));
        let mut open = 0u32;
        let mut at = self.trail.len();
        let mut clause = conflict;
        let mut implied: Option<Lit> = None;
        let uip = loop {
            self.bump_clause(clause);
            for index in 0..self.arena.len(clause) {
                let literal = self.arena.lit(clause, index);
                if Some(literal) == implied {
                    continue;
                }
                let var = literal.var();
                let index = var.0 as usize;
                if self.seen[index] != 0 || self.level[index] == 0 {
                    continue;
                }
                self.seen[index] = 1;
                self.to_clear.push(var);
                self.bump(var);
                if self.level[index] >= top {
                    open += 1;
                } else {
                    self.learnt.push(literal);
                }
            }
            loop {
                at -= 1;
                if self.seen[self.trail[at].var().0 as usize] != 0 {
                    break;
                }
            }
            let literal = self.trail[at];
            open -= 1;
            if open == 0 {
                break literal;
            }
            implied = Some(literal);
            clause = ClauseRef(self.reason[literal.var().0 as usize]);
        };
        self.learnt[0] = !uip;
        self.minimize();
        let glue = self.glue_of_learnt();
        for var in std::mem::take(&mut self.to_clear) {
            self.seen[var.0 as usize] = 0;
        }
        self.increment /= 0.95;
        if self.increment > 1e100 {
            for activity in &mut self.activity {
                *activity *= 1e-100;
            }
            self.increment *= 1e-100;
        }
        let learnt = std::mem::take(&mut self.learnt);
        self.assert_learnt(&learnt, glue);
        self.learnt = learnt;
        glue
    }

    fn assert_learnt(&mut self, learnt: &[Lit], glue: u32) {
        if learnt.len() == 1 {
            self.backtrack(0);
            self.enqueue(learnt[0], NO_REASON);
            return;
        }
        let mut literals = learnt.to_vec();
        let mut second = 1;
        for at in 2..literals.len() {
            if self.level[literals[at].var().0 as usize] > self.level[literals[second].var().0 as usize] {
                second = at;
            }
        }
        literals.swap(1, second);
        self.backtrack(self.level[literals[1].var().0 as usize]);
        let clause = self.arena.push(&literals, true, glue);
        self.arena.mark_used(clause);
        self.learnts.push(clause);
        self.attach(clause);
        self.enqueue(literals[0], clause.0);
    }

    fn bump(&mut self, var: Var) {
        self.activity[var.0 as usize] += self.increment;
        self.heap.increased(var, &self.activity);
    }

    fn bump_clause(&mut self, clause: ClauseRef) {
        if !self.arena.is_learnt(clause) {
            return;
        }
        self.arena.mark_used(clause);
        let old = self.arena.glue(clause);
        if old > 2 {
            let glue = self.glue_of_clause(clause);
            if glue < old {
                self.arena.set_glue(clause, glue);
            }
        }
    }

    fn glue_of_clause(&mut self, clause: ClauseRef) -> u32 {
        self.level_epoch += 1;
        let mut glue = 0;
        for &word in self.arena.words(clause) {
            let level = self.level[(word >> 1) as usize] as usize;
            if self.level_stamp[level] != self.level_epoch {
                self.level_stamp[level] = self.level_epoch;
                glue += 1;
            }
        }
        glue
    }

    fn glue_of_learnt(&mut self) -> u32 {
        self.level_epoch += 1;
        let mut glue = 0;
        for literal in &self.learnt {
            let level = self.level[literal.var().0 as usize] as usize;
            if self.level_stamp[level] != self.level_epoch {
                self.level_stamp[level] = self.level_epoch;
                glue += 1;
            }
        }
        glue
    }

    /// Drops literals that the others imply. `seen`: 1 in the clause, 2 implied, 3 not implied.
    fn minimize(&mut self) {
        // Marks of levels in the clause: a literal of another level cannot be implied.
        self.level_epoch += 1;
        let epoch = self.level_epoch;
        for literal in &self.learnt {
            self.level_stamp[self.level[literal.var().0 as usize] as usize] = epoch;
        }
        let mut learnt = std::mem::take(&mut self.learnt);
        let mut kept = 1;
        for at in 1..learnt.len() {
            let literal = learnt[at];
            if self.reason[literal.var().0 as usize] == NO_REASON || !self.is_redundant(literal, epoch) {
                learnt[kept] = literal;
                kept += 1;
            }
        }
        learnt.truncate(kept);
        self.learnt = learnt;
    }

    fn is_redundant(&mut self, literal: Lit, epoch: u32) -> bool {
        self.minimize_stack.clear();
        self.minimize_stack.push(literal);
        let marked_from = self.to_clear.len();
        while let Some(next) = self.minimize_stack.pop() {
            let reason = ClauseRef(self.reason[next.var().0 as usize]);
            for index in 0..self.arena.len(reason) {
                let other = self.arena.lit(reason, index);
                let var = other.var().0 as usize;
                if other.var() == next.var() || self.level[var] == 0 || matches!(self.seen[var], 1 | 2) {
                    continue;
                }
                let is_stuck = self.seen[var] == 3
                    || self.reason[var] == NO_REASON
                    || self.level_stamp[self.level[var] as usize] != epoch;
                if is_stuck {
                    // All that was assumed implied on the way is now known not to be a proof.
                    for &undone in &self.to_clear[marked_from..] {
                        self.seen[undone.0 as usize] = 0;
                    }
                    self.to_clear.truncate(marked_from);
                    if self.seen[var] == 0 {
                        self.seen[var] = 3;
                        self.to_clear.push(other.var());
                    }
                    return false;
                }
                self.seen[var] = 2;
                self.to_clear.push(other.var());
                self.minimize_stack.push(other);
            }
        }
        true
    }
}
