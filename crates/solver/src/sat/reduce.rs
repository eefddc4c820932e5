//! Forgetting learnt clauses and collecting the arena.

use super::Sat;
use super::arena::{Arena, ClauseRef};
use super::cdcl::{BINARY, NO_REASON};

impl Sat {
    /// Deletes the worse half of the learnt clauses: high glue first, long first. Clauses used since the last
    /// reduction and those of glue two stay.
    pub(crate) fn reduce(&mut self) {
        let mut candidates: Vec<(u32, u32, ClauseRef)> = Vec::new();
        for at in 0..self.learnts.len() {
            let clause = self.learnts[at];
            let glue = self.arena.glue(clause);
            let used = self.arena.take_used(clause);
            if glue <= 2 || self.is_reason(clause) || (used && glue <= 6) || self.arena.len(clause) == 2 {
                continue;
            }
            candidates.push((glue + if used { 0 } else { 8 }, self.arena.len(clause) as u32, clause));
        }
        candidates.sort_by_key(|&(glue, len, clause)| std::cmp::Reverse((glue, len, clause.0)));
        for &(_, _, clause) in &candidates[..candidates.len() / 2] {
            self.arena.delete(clause);
        }
        let arena = &self.arena;
        self.learnts.retain(|&clause| !arena.is_deleted(clause));
        self.drop_deleted_watches();
        if self.arena.should_collect() {
            self.collect();
        }
    }

    fn is_reason(&self, clause: ClauseRef) -> bool {
        let first = self.arena.lit(clause, 0);
        let second = self.arena.lit(clause, 1);
        self.reason[first.var().0 as usize] == clause.0 && self.value(first) > 0
            || self.reason[second.var().0 as usize] == clause.0 && self.value(second) > 0
    }

    fn drop_deleted_watches(&mut self) {
        let arena = &self.arena;
        for watches in &mut self.watches {
            watches.retain(|watch| !arena.is_deleted(ClauseRef(watch.clause & !BINARY)));
        }
    }

    fn collect(&mut self) {
        let mut target = Arena::default();
        for list in [&mut self.clauses, &mut self.learnts] {
            for clause in list.iter_mut() {
                let glue = self.arena.glue(*clause);
                let moved = self.arena.move_to(*clause, &mut target);
                debug_assert!(target.glue(moved) == glue);
                *clause = moved;
            }
        }
        // `move_to` left the new place in the glue word of the old one.
        for watches in &mut self.watches {
            for watch in watches.iter_mut() {
                let tag = watch.clause & BINARY;
                watch.clause = self.arena.glue(ClauseRef(watch.clause & !BINARY)) | tag;
            }
        }
        for &literal in &self.trail {
            let reason = &mut self.reason[literal.var().0 as usize];
            if *reason != NO_REASON {
                *reason = self.arena.glue(ClauseRef(*reason));
            }
        }
        self.arena = target;
    }
}
