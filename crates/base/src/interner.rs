//! Interned strings. One table for the process: equal text is an equal `Symbol`, wherever it came from.
//! Symbols are ordered by creation, which depends on scheduling: order output by `as_str`, never by `Symbol`.

use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::{LazyLock, RwLock};

crate::define_id! {
    /// An interned string.
    pub struct RawSymbol = "s";
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(RawSymbol);

#[derive(Default)]
struct Table {
    by_text: FxHashMap<&'static str, Symbol>,
    texts: crate::IdVec<RawSymbol, &'static str>,
}

static TABLE: LazyLock<RwLock<Table>> = LazyLock::new(RwLock::default);

impl Symbol {
    pub fn intern(text: &str) -> Self {
        if let Some(&symbol) = TABLE.read().expect("interner lock").by_text.get(text) {
            return symbol;
        }
        let mut table = TABLE.write().expect("interner lock");
        if let Some(&symbol) = table.by_text.get(text) {
            return symbol;
        }
        let text: &'static str = Box::leak(text.into());
        let symbol = Self(table.texts.push(text));
        table.by_text.insert(text, symbol);
        symbol
    }

    pub fn as_str(self) -> &'static str {
        TABLE.read().expect("interner lock").texts[self.0]
    }
}

impl From<&str> for Symbol {
    fn from(text: &str) -> Self {
        Self::intern(text)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
