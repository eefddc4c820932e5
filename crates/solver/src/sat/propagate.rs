//! Boolean constraint propagation over two watched literals.

use super::Lit;
use super::Sat;
use super::arena::ClauseRef;
use super::cdcl::{BINARY, Watch};

impl Sat {
    /// Propagates everything on the trail; a clause that became false is returned.
    pub(crate) fn propagate(&mut self) -> Option<ClauseRef> {
        let mut conflict = None;
        while conflict.is_none() && self.head < self.trail.len() {
            let literal = self.trail[self.head];
            self.head += 1;
            self.statistics.propagations += 1;
            let mut watches = std::mem::take(&mut self.watches[literal.index()]);
            let (mut read, mut write) = (0, 0);
            while read < watches.len() {
                let watch = watches[read];
                read += 1;
                let blocker = self.values[watch.blocker.index()];
                if blocker > 0 {
                    watches[write] = watch;
                    write += 1;
                    continue;
                }
                if watch.clause & BINARY != 0 {
                    watches[write] = watch;
                    write += 1;
                    let clause = ClauseRef(watch.clause & !BINARY);
                    if blocker < 0 {
                        conflict = Some(clause);
                        break;
                    }
                    self.enqueue(watch.blocker, clause.0);
                    continue;
                }
                let clause = ClauseRef(watch.clause);
                let falsified = (!literal).0;
                let words = self.arena.words_mut(clause);
                if words[0] == falsified {
                    words.swap(0, 1);
                }
                let first = Lit(words[0]);
                if first != watch.blocker && self.values[first.index()] > 0 {
                    watches[write] = Watch { clause: clause.0, blocker: first };
                    write += 1;
                    continue;
                }
                let mut replacement = None;
                for at in 2..words.len() {
                    if self.values[words[at] as usize] >= 0 {
                        words.swap(1, at);
                        replacement = Some(Lit(words[1]));
                        break;
                    }
                }
                if let Some(other) = replacement {
                    self.watches[(!other).index()].push(Watch { clause: clause.0, blocker: first });
                    continue;
                }
                watches[write] = Watch { clause: clause.0, blocker: first };
                write += 1;
                if self.values[first.index()] < 0 {
                    conflict = Some(clause);
                    break;
                }
                self.enqueue(first, clause.0);
            }
            if write < read {
                watches.copy_within(read.., write);
                let left = watches.len() - (read - write);
                watches.truncate(left);
            }
            self.watches[literal.index()] = watches;
        }
        if conflict.is_some() {
            self.head = self.trail.len();
        }
        conflict
    }
}
