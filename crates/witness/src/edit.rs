//! Insertions into a text, and where everything is afterwards.

use crate::locate::Range;

#[derive(Default)]
pub struct Edits {
    wraps: Vec<Wrap>,
}

struct Wrap {
    range: Range,
    before: String,
    after: String,
}

/// A text with insertions.
pub struct Edited {
    pub text: String,
    /// What was inserted, as ranges of the new text, in order.
    pub inserted: Vec<Range>,
    /// Old position and how much was inserted up to it.
    shifts: Vec<(u32, u32)>,
}

impl Edits {
    /// Puts texts before and after a range. Of two wraps of one range the first is the outer one.
    pub fn wrap(&mut self, range: Range, before: impl Into<String>, after: impl Into<String>) {
        self.wraps.push(Wrap { range, before: before.into(), after: after.into() });
    }

    /// Puts a text before a position, outside everything that begins there.
    pub fn insert(&mut self, at: u32, text: impl Into<String>) {
        self.wrap(Range { lo: at, hi: u32::MAX }, text, "");
    }

    pub fn apply(&self, text: &str) -> Edited {
        // (position, closings first, order, index): inner closings before outer ones, outer openings before inner ones.
        let mut events: Vec<(u32, bool, i64, i64, &str)> = Vec::new();
        for (index, wrap) in self.wraps.iter().enumerate() {
            let index = index as i64;
            events.push((wrap.range.lo, true, -i64::from(wrap.range.hi), index, &wrap.before));
            if wrap.range.hi != u32::MAX && !wrap.after.is_empty() {
                events.push((wrap.range.hi, false, -i64::from(wrap.range.lo), -index, &wrap.after));
            }
        }
        events.sort_by_key(|&(at, is_open, order, index, _)| (at, is_open, order, index));
        let mut edited = Edited { text: String::new(), inserted: Vec::new(), shifts: Vec::new() };
        let mut done = 0_u32;
        let mut shift = 0_u32;
        for (at, _, _, _, insertion) in events {
            if insertion.is_empty() || at as usize > text.len() {
                continue;
            }
            edited.text.push_str(text.get(done as usize..at as usize).unwrap_or_default());
            done = at;
            let lo = edited.text.len() as u32;
            edited.text.push_str(insertion);
            edited.inserted.push(Range { lo, hi: edited.text.len() as u32 });
            shift += insertion.len() as u32;
            edited.shifts.push((at, shift));
        }
        edited.text.push_str(text.get(done as usize..).unwrap_or_default());
        edited
    }
}

impl Edited {
    /// The new place of a range of the old text, without what was inserted around it.
    pub fn range(&self, old: Range) -> Range {
        let shift = |position: u32, is_end: bool| {
            let before = self.shifts.partition_point(|&(at, _)| if is_end { at < position } else { at <= position });
            position + before.checked_sub(1).map_or(0, |index| self.shifts[index].1)
        };
        Range { lo: shift(old.lo, false), hi: shift(old.hi, true) }
    }

    /// Whether a range of the new text begins in what was inserted.
    pub fn is_inserted(&self, new: Range) -> bool {
        self.insertion(new).is_some_and(|range| range.has(new.lo))
    }

    /// Whether a range of the new text has nothing of the old one.
    pub fn is_new(&self, new: Range) -> bool {
        self.insertion(new).is_some_and(|range| range.contains(new))
    }

    /// What was inserted last before the start of a range, or there.
    fn insertion(&self, new: Range) -> Option<Range> {
        let after = self.inserted.partition_point(|range| range.lo <= new.lo);
        Some(self.inserted[after.checked_sub(1)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_nest() {
        let mut edits = Edits::default();
        let text = "a; f(x); b";
        edits.wrap(Range { lo: 3, hi: 7 }, "<", ">");
        edits.wrap(Range { lo: 3, hi: 8 }, "{", "}");
        edits.insert(3, "i ");
        edits.wrap(Range { lo: 5, hi: 6 }, "(", ")");
        let edited = edits.apply(text);
        assert_eq!(edited.text, "a; i {<f((x))>;} b");
        let range = edited.range(Range { lo: 3, hi: 7 });
        assert_eq!(&edited.text[range.lo as usize..range.hi as usize], "f((x))");
        assert!(edited.is_inserted(Range { lo: 3, hi: 4 }));
        assert!(!edited.is_inserted(range));
    }
}
