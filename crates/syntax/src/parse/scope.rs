//! Which names are types: the typedef names in scope, with what hides them.
//!
//! Only typedef names and the ordinary names that hide one are in the table; leaving a scope undoes its entries.

use quod_base::{Symbol, edit_distance};
use rustc_hash::FxHashMap;

pub(super) struct Scopes {
    /// `true` for a type, `false` for an ordinary name that hides one.
    names: FxHashMap<Symbol, bool>,
    /// What each entry was before, to be put back.
    undo: Vec<(Symbol, Option<bool>)>,
    marks: Vec<usize>,
}

impl Scopes {
    pub(super) fn new() -> Self {
        let names = ["__int128_t", "__uint128_t"].iter().map(|text| (Symbol::intern(text), true)).collect();
        Self { names, undo: Vec::new(), marks: Vec::new() }
    }

    pub(super) fn enter(&mut self) {
        self.marks.push(self.undo.len());
    }

    pub(super) fn leave(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        for (symbol, before) in self.undo.drain(mark..).rev() {
            match before {
                Some(is_type) => self.names.insert(symbol, is_type),
                None => self.names.remove(&symbol),
            };
        }
    }

    pub(super) fn is_type(&self, symbol: Symbol) -> bool {
        self.names.get(&symbol).copied().unwrap_or(false)
    }

    pub(super) fn declare_type(&mut self, symbol: Symbol) {
        self.set(symbol, true);
    }

    /// An ordinary name: a variable, a function, a parameter, an enumerator.
    pub(super) fn declare_name(&mut self, symbol: Symbol) {
        if self.names.get(&symbol) == Some(&true) {
            self.set(symbol, false);
        }
    }

    fn set(&mut self, symbol: Symbol, is_type: bool) {
        let before = self.names.insert(symbol, is_type);
        if !self.marks.is_empty() {
            self.undo.push((symbol, before));
        }
    }

    /// A name that stood where only a type can: a type from here on, everywhere.
    pub(super) fn declare_unknown(&mut self, symbol: Symbol) {
        self.names.insert(symbol, true);
    }

    /// The type name in scope that a misspelt name most probably stands for.
    pub(super) fn nearest_type(&self, text: &str) -> Option<&'static str> {
        let keywords = [
            "int", "char", "void", "long", "short", "float", "double", "unsigned", "signed", "struct", "return", "else",
        ];
        let limit = (text.len() / 3).max(1);
        let mut best: Option<(usize, &'static str)> = None;
        // The smallest pair wins, so the order of the table does not matter.
        #[allow(clippy::iter_over_hash_type)]
        for (&symbol, &is_type) in &self.names {
            if is_type {
                consider(text, symbol.as_str(), limit, &mut best);
            }
        }
        for keyword in keywords {
            consider(text, keyword, limit, &mut best);
        }
        best.map(|(_, name)| name)
    }
}

/// The keyword that a word at the start of a statement most probably stands for.
pub(super) fn nearest_keyword(text: &str) -> Option<&'static str> {
    let keywords = [
        "return", "while", "if", "for", "switch", "break", "continue", "goto", "else", "do", "case", "default",
        "sizeof", "typedef", "struct", "static", "const",
    ];
    let mut best = None;
    for keyword in keywords {
        consider(text, keyword, (text.len() / 3).max(1), &mut best);
    }
    best.map(|(_, name)| name)
}

fn consider(text: &str, candidate: &'static str, limit: usize, best: &mut Option<(usize, &'static str)>) {
    if text.len().abs_diff(candidate.len()) > limit {
        return;
    }
    let distance = edit_distance(text, candidate);
    if distance <= limit && best.is_none_or(|found| (distance, candidate) < found) {
        *best = Some((distance, candidate));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_names_hide_outer_types_until_the_scope_ends() {
        let mut scopes = Scopes::new();
        let name = Symbol::intern("word");
        scopes.declare_type(name);
        scopes.enter();
        scopes.declare_name(name);
        assert!(!scopes.is_type(name));
        scopes.enter();
        scopes.declare_type(name);
        assert!(scopes.is_type(name));
        scopes.leave();
        assert!(!scopes.is_type(name));
        scopes.leave();
        assert!(scopes.is_type(name));
    }

    #[test]
    fn suggestions_are_near() {
        let mut scopes = Scopes::new();
        scopes.declare_type(Symbol::intern("uint32_t"));
        assert_eq!(scopes.nearest_type("unit32_t"), Some("uint32_t"));
        assert_eq!(scopes.nearest_type("itn"), Some("int"));
        assert_eq!(scopes.nearest_type("zebra"), None);
        assert_eq!(nearest_keyword("retrun"), Some("return"));
        assert_eq!(nearest_keyword("count"), None);
    }
}
