//! The texts of one translation unit: identifiers, numbers and literals, each with a dense id.
//!
//! A private table before the process-wide one of `Symbol`: no lock on the way of each token, and an entry holds what
//! the preprocessor asks of a name: is it a macro, is it a keyword.

use crate::preprocess::MacroId;
use crate::{Keyword, KeywordSet};
use quod_base::Symbol;

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TextId(pub(crate) u32);

pub(crate) struct Entry {
    pub(crate) symbol: Symbol,
    pub(crate) text: &'static str,
    pub(crate) keyword: Option<Keyword>,
    pub(crate) definition: Option<MacroId>,
}

pub(crate) struct TextTable {
    /// Hashes and one-based indices of `entries`, index zero for a free slot; a power of two of them.
    slots: Vec<(u32, u32)>,
    entries: Vec<Entry>,
}

macro_rules! known_texts {
    ($($name:ident = $text:literal,)*) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Copy, Clone)]
        enum KnownText { $($name,)* }

        /// Words that the preprocessor itself knows.
        pub(crate) mod known {
            use super::{KnownText, TextId};
            $(pub(crate) const $name: TextId = TextId(KnownText::$name as u32);)*
            pub(super) const ALL: &[&str] = &[$($text,)*];
        }
    };
}

known_texts! {
    DEFINE = "define", UNDEF = "undef", INCLUDE = "include", INCLUDE_NEXT = "include_next", IMPORT = "import",
    IF = "if", IFDEF = "ifdef", IFNDEF = "ifndef", ELIF = "elif", ELIFDEF = "elifdef", ELIFNDEF = "elifndef",
    ELSE = "else", ENDIF = "endif", LINE = "line", PRAGMA = "pragma", ERROR = "error", WARNING = "warning",
    IDENT = "ident", SCCS = "sccs", ASSERT = "assert", UNASSERT = "unassert", EMBED = "embed",
    DEFINED = "defined", VA_ARGS = "__VA_ARGS__", VA_OPT = "__VA_OPT__", ONCE = "once",
    PUSH_MACRO = "push_macro", POP_MACRO = "pop_macro", STDC = "STDC", GCC = "GCC", TRUE = "true",
    EMPTY = "",
}

impl TextTable {
    /// A table in which the keywords of these sets are known.
    pub(crate) fn new(sets: &[KeywordSet]) -> Self {
        let mut table = Self { slots: vec![(0, 0); 4096], entries: Vec::with_capacity(2048) };
        for text in known::ALL {
            table.intern(text);
        }
        for &(text, set, keyword) in Keyword::TABLE {
            if sets.contains(&set) {
                let id = table.intern(text);
                table.entries[id.0 as usize].keyword = Some(keyword);
            }
        }
        table
    }

    #[inline]
    pub(crate) fn entry(&self, id: TextId) -> &Entry {
        &self.entries[id.0 as usize]
    }

    #[inline]
    pub(crate) fn entry_mut(&mut self, id: TextId) -> &mut Entry {
        &mut self.entries[id.0 as usize]
    }

    pub(crate) fn text(&self, id: TextId) -> &'static str {
        self.entry(id).text
    }

    #[inline]
    pub(crate) fn intern(&mut self, text: &str) -> TextId {
        let hash = hash_of(text.as_bytes());
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            match self.slots[slot] {
                (_, 0) => return self.add(text, hash, slot),
                (known, index) if known == hash && self.entries[index as usize - 1].text == text => {
                    return TextId(index - 1);
                }
                _ => {}
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn add(&mut self, text: &str, hash: u32, slot: usize) -> TextId {
        let symbol = Symbol::intern(text);
        let id = TextId(self.entries.len() as u32);
        self.entries.push(Entry { symbol, text: symbol.as_str(), keyword: None, definition: None });
        self.slots[slot] = (hash, id.0 + 1);
        if self.entries.len() * 2 > self.slots.len() {
            self.grow();
        }
        id
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![(0, 0); mask + 1];
        for &(hash, index) in self.slots.iter().filter(|&&(_, index)| index != 0) {
            let mut slot = hash as usize & mask;
            while slots[slot].1 != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = (hash, index);
        }
        self.slots = slots;
    }
}

/// Eight bytes a step, multiply and fold.
#[inline]
fn hash_of(bytes: &[u8]) -> u32 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = bytes.len() as u64;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = u64::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3], chunk[4], chunk[5], chunk[6], chunk[7]]);
        hash = (hash ^ word).wrapping_mul(MULTIPLIER).rotate_left(29);
    }
    let rest = chunks.remainder();
    let mut word = 0u64;
    if rest.len() >= 4 {
        let low = u32::from_le_bytes([rest[0], rest[1], rest[2], rest[3]]);
        let tail = &rest[rest.len() - 4..];
        let high = u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]);
        word = u64::from(low) | u64::from(high) << 32;
    } else if let (Some(&first), Some(&last)) = (rest.first(), rest.last()) {
        word = u64::from(first) | u64::from(rest[rest.len() / 2]) << 8 | u64::from(last) << 16;
    }
    hash = (hash ^ word).wrapping_mul(MULTIPLIER);
    (hash >> 32) as u32 ^ hash as u32
}
