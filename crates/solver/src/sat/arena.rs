//! Clauses in one vector of words: a header of two words (size and flags; glue), then the literals.

use super::Lit;

/// The position of a clause in the arena.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ClauseRef(pub u32);

const LEARNT: u32 = 1 << 31;
const DELETED: u32 = 1 << 30;
const USED: u32 = 1 << 29;
const SIZE: u32 = USED - 1;
const HEADER: usize = 2;

#[derive(Default)]
pub struct Arena {
    words: Vec<u32>,
    wasted: usize,
}

impl Arena {
    pub(crate) fn push(&mut self, literals: &[Lit], is_learnt: bool, glue: u32) -> ClauseRef {
        let reference = ClauseRef(self.words.len() as u32);
        self.words.push(literals.len() as u32 | if is_learnt { LEARNT } else { 0 });
        self.words.push(glue);
        self.words.extend(literals.iter().map(|literal| literal.0));
        reference
    }
    /// Near the end of what a reference can tell; two gigabytes.
    pub(crate) fn is_full(&self) -> bool {
        self.words.len() > 1 << 29
    }
    #[inline]
    pub(crate) fn len(&self, clause: ClauseRef) -> usize {
        (self.words[clause.0 as usize] & SIZE) as usize
    }
    #[inline]
    pub(crate) fn lit(&self, clause: ClauseRef, index: usize) -> Lit {
        Lit(self.words[clause.0 as usize + HEADER + index])
    }
    #[inline]
    pub(crate) fn words(&self, clause: ClauseRef) -> &[u32] {
        let start = clause.0 as usize + HEADER;
        &self.words[start..start + self.len(clause)]
    }
    #[inline]
    pub(crate) fn words_mut(&mut self, clause: ClauseRef) -> &mut [u32] {
        let len = self.len(clause);
        let start = clause.0 as usize + HEADER;
        &mut self.words[start..start + len]
    }
    pub(crate) fn is_learnt(&self, clause: ClauseRef) -> bool {
        self.words[clause.0 as usize] & LEARNT != 0
    }
    pub(crate) fn is_deleted(&self, clause: ClauseRef) -> bool {
        self.words[clause.0 as usize] & DELETED != 0
    }
    pub(crate) fn delete(&mut self, clause: ClauseRef) {
        self.wasted += self.len(clause) + HEADER;
        self.words[clause.0 as usize] |= DELETED;
    }
    pub(crate) fn mark_used(&mut self, clause: ClauseRef) {
        self.words[clause.0 as usize] |= USED;
    }
    /// Whether the clause took part in a conflict since the last call.
    pub(crate) fn take_used(&mut self, clause: ClauseRef) -> bool {
        let word = &mut self.words[clause.0 as usize];
        let used = *word & USED != 0;
        *word &= !USED;
        used
    }
    pub(crate) fn glue(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize + 1]
    }
    pub(crate) fn set_glue(&mut self, clause: ClauseRef, glue: u32) {
        self.words[clause.0 as usize + 1] = glue;
    }
    pub(crate) fn should_collect(&self) -> bool {
        self.wasted * 4 > self.words.len() && self.wasted > 1024
    }
    /// Moves a clause into a fresh arena and leaves its new place behind in the glue word.
    pub(crate) fn move_to(&mut self, clause: ClauseRef, target: &mut Arena) -> ClauseRef {
        let start = clause.0 as usize;
        let end = start + HEADER + self.len(clause);
        let reference = ClauseRef(target.words.len() as u32);
        target.words.extend_from_slice(&self.words[start..end]);
        self.words[start + 1] = reference.0;
        reference
    }
}
