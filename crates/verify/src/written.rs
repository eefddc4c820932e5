//! What is written while several processes run: a guess that the search itself proves.
//!
//! A cell that nobody writes as long as another process runs can be read at any time: such a read commutes with all moves.
//! Which cells are written is not known beforehand, so a search begins with the guess that none is. The first write that
//! the guess does not foresee makes the search void, and a new one begins that knows of it.
//!
//! A write to what no other process can reach is none of these, unless somebody has read the cell by the guess: who read it
//! may have had a way to the object that is gone, and could have read it later.
//!
//! A search that ends without such a write has shown its guess. Take a shortest execution to an unforeseen write; up to
//! there the reads in question commute with everything, and they change nothing that the writing process looks at: put
//! before the write, they leave it possible. So the reduced search, which makes such reads first, comes to it as well, and
//! at that time not all others have ended and been waited for.
//!
//! The threads of one search begin with the same guess, and each keeps to it until it sees a write that was not foreseen;
//! then the search is void for all, and the next one knows what each of them saw.

use quod_base::{Id, Span, Symbol};
use quod_exec::symbolic::{Memory, ObjectId, Touch};
use rustc_hash::FxHashMap;

/// Objects that are not told apart: one of static storage, or all of one name that one declaration or call has made.
type Class = (Option<ObjectId>, Span, Option<Symbol>);

/// More ranges of one class are taken for all of it.
const MOST_RANGES: usize = 8;
/// More searches than this are not begun with a guess.
const MOST_SEARCHES: u32 = 40;

/// Bytes of objects.
#[derive(Clone, Default)]
struct Ranges(FxHashMap<Class, Vec<(u64, u64)>>);

impl Ranges {
    fn meet(&self, class: &Class, (from, to): (u64, u64)) -> bool {
        self.0.get(class).is_some_and(|ranges| ranges.iter().any(|&(start, end)| start < to && from < end))
    }

    /// True where they were not all there.
    fn add(&mut self, class: Class, (from, to): (u64, u64)) -> bool {
        let ranges = self.0.entry(class).or_default();
        if ranges.iter().any(|&(start, end)| start <= from && to <= end) {
            return false;
        }
        ranges.retain(|&(start, end)| start < from || to < end);
        ranges.push((from, to));
        if ranges.len() > MOST_RANGES {
            *ranges = vec![(0, u64::MAX)];
        }
        true
    }

    /// In an order of their own.
    fn into_sorted(self) -> impl Iterator<Item = (Class, (u64, u64))> {
        let mut classes: Vec<(Class, Vec<(u64, u64)>)> = self.0.into_iter().collect();
        classes.sort_unstable();
        classes.into_iter().flat_map(|(class, ranges)| ranges.into_iter().map(move |range| (class, range)))
    }
}

#[derive(Clone, Default)]
pub(crate) struct Written {
    /// What is known to be written.
    known: Ranges,
    /// What was read by the guess, and what was written where no other process reached it, in this search.
    guessed: Ranges,
    private: Ranges,
    /// Something was written that was not known when the search began.
    pub(crate) is_void: bool,
    searches: u32,
}

impl Written {
    fn class(memory: &Memory, id: ObjectId) -> Class {
        let object = memory.object(id);
        (object.is_static().then_some(id), object.span, object.name)
    }

    /// Whether bytes may be written by a process while another one runs.
    pub(crate) fn may_change(&self, memory: &Memory, touch: &Touch) -> bool {
        self.searches > MOST_SEARCHES || self.known.meet(&Self::class(memory, touch.object), (touch.start, touch.end))
    }

    /// Bytes are written while another process runs. `memory` is that before the move: what the move made itself is unknown
    /// to all others.
    pub(crate) fn note(&mut self, memory: &Memory, touch: &Touch) {
        if touch.object.index() >= memory.object_count() || self.searches > MOST_SEARCHES {
            return;
        }
        self.is_void |= self.known.add(Self::class(memory, touch.object), (touch.start, touch.end));
    }

    /// Bytes are read by the guess, or written where no other process reaches them.
    pub(crate) fn note_private(&mut self, memory: &Memory, touch: &Touch) {
        if touch.object.index() >= memory.object_count() || self.searches > MOST_SEARCHES {
            return;
        }
        let (class, range) = (Self::class(memory, touch.object), (touch.start, touch.end));
        // What is known to be written is not read by the guess.
        if !touch.is_write && self.known.meet(&class, range) {
            return;
        }
        self.take_private(class, range, touch.is_write);
    }

    fn take_private(&mut self, class: Class, range: (u64, u64), is_write: bool) {
        let (own, other) = match is_write {
            true => (&mut self.private, &self.guessed),
            false => (&mut self.guessed, &self.private),
        };
        if own.add(class, range) && other.meet(&class, range) {
            self.known.add(class, range);
            self.is_void = true;
        }
    }

    /// Takes over what another thread of the same search saw.
    pub(crate) fn absorb(&mut self, other: Self) {
        self.is_void |= other.is_void;
        for (class, range) in other.known.into_sorted() {
            self.is_void |= self.known.add(class, range);
        }
        for (class, range) in other.private.into_sorted() {
            self.take_private(class, range, true);
        }
        for (class, range) in other.guessed.into_sorted() {
            self.take_private(class, range, false);
        }
    }

    /// A new search begins.
    pub(crate) fn begin(&mut self) {
        self.is_void = false;
        self.guessed = Ranges::default();
        self.private = Ranges::default();
        self.searches += 1;
    }
}
