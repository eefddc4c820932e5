//! What is written while several processes run: a guess that the search itself proves.
//!
//! A cell that nobody writes as long as another process runs can be read at any time: such a read commutes with all moves.
//! Which cells are written is not known beforehand, so a search begins with the guess that none is. The first write that
//! the guess does not foresee makes the search void, and a new one begins that knows of it.
//!
//! A search that ends without such a write has shown its guess. Take a shortest execution to an unforeseen write; up to
//! there the reads in question commute with everything, and they change nothing that the writing process looks at: put
//! before the write, they leave it possible. So the reduced search, which makes such reads first, comes to it as well.
//!
//! The threads of one search begin with the same guess, and each keeps to it until it sees a write that was not foreseen;
//! then the search is void for all, and the next one knows what each of them saw.

use quod_base::{Id, Span};
use quod_exec::symbolic::{Memory, ObjectId, Touch};
use rustc_hash::FxHashMap;

/// Objects that are not told apart: one of static storage, or all that one declaration or call has made.
type Class = (Option<ObjectId>, Span);

/// More ranges of one class are taken for all of it.
const MOST_RANGES: usize = 8;
/// More searches than this are not begun with a guess.
const MOST_SEARCHES: u32 = 40;

#[derive(Clone, Default)]
pub(crate) struct Written {
    ranges: FxHashMap<Class, Vec<(u64, u64)>>,
    /// Something was written that was not known when the search began.
    pub(crate) is_void: bool,
    searches: u32,
}

impl Written {
    fn class(memory: &Memory, id: ObjectId) -> Class {
        let object = memory.object(id);
        (object.is_static().then_some(id), object.span)
    }

    /// Whether bytes may be written by a process while another one runs.
    pub(crate) fn may_change(&self, memory: &Memory, touch: &Touch) -> bool {
        if self.searches > MOST_SEARCHES {
            return true;
        }
        let ranges = self.ranges.get(&Self::class(memory, touch.object));
        ranges.is_some_and(|ranges| ranges.iter().any(|&(start, end)| start < touch.end && touch.start < end))
    }

    /// Bytes are written while another process runs. `memory` is that before the move: what the move made itself is unknown
    /// to all others.
    pub(crate) fn note(&mut self, memory: &Memory, touch: &Touch) {
        if touch.object.index() >= memory.object_count() || self.searches > MOST_SEARCHES {
            return;
        }
        self.add(Self::class(memory, touch.object), (touch.start, touch.end));
    }

    fn add(&mut self, class: Class, (from, to): (u64, u64)) {
        let ranges = self.ranges.entry(class).or_default();
        if ranges.iter().any(|&(start, end)| start <= from && to <= end) {
            return;
        }
        ranges.retain(|&(start, end)| start < from || to < end);
        ranges.push((from, to));
        if ranges.len() > MOST_RANGES {
            *ranges = vec![(0, u64::MAX)];
        }
        self.is_void = true;
    }

    /// Takes over what another thread of the same search saw.
    pub(crate) fn absorb(&mut self, other: Self) {
        self.is_void |= other.is_void;
        let mut classes: Vec<(Class, Vec<(u64, u64)>)> = other.ranges.into_iter().collect();
        classes.sort_unstable();
        for (class, ranges) in classes {
            ranges.into_iter().for_each(|range| self.add(class, range));
        }
    }

    /// A new search begins.
    pub(crate) fn begin(&mut self) {
        self.is_void = false;
        self.searches += 1;
    }
}
