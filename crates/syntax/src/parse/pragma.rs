//! Pragmas: `pack` changes the layout of the records that follow; all others are kept as statements.

use super::Parser;
use crate::ast::*;
use crate::token::{TokenFlags, TokenKind};
use quod_base::{Span, Symbol};
use quod_diag::{Diagnostic, codes};

/// What `#pragma pack` has set, and what `push` has saved, with the names given to `push`.
#[derive(Default)]
pub(super) struct PackState {
    pub(super) current: Option<u16>,
    saved: Vec<(Option<Symbol>, Option<u16>)>,
}

impl Parser<'_> {
    /// The pragma at `position` holds CIVL-C.
    pub(super) fn is_civl_pragma(&self) -> bool {
        let is_word = |at: usize, word: &str| {
            self.tokens.get(self.position + at).is_some_and(|token| self.token_text(*token) == word)
        };
        self.is_civl() && is_word(1, "CIVL") && !is_word(2, "ACSL")
    }

    /// Reads the pragma that starts at `position` and sets `position` behind it.
    pub(super) fn collect_pragma(&mut self) {
        let start = self.tokens[self.position].span;
        self.position += 1;
        let first = self.position;
        while let Some(token) = self.tokens.get(self.position) {
            if matches!(token.kind, TokenKind::PragmaEnd | TokenKind::Eof) {
                break;
            }
            self.position += 1;
        }
        let words = &self.tokens[first..self.position];
        let end = words.last().map_or(start, |token| token.span);
        let span = self.join(start, end);
        let is_pack = words.first().is_some_and(|token| self.token_text(*token) == "pack");
        let mut text = String::new();
        for (index, token) in words.iter().enumerate() {
            if index > 0 && token.flags.contains(TokenFlags::SPACE_BEFORE) {
                text.push(' ');
            }
            text.push_str(self.token_text(*token));
        }
        if self.tokens.get(self.position).is_some_and(|token| token.kind == TokenKind::PragmaEnd) {
            self.position += 1;
        }
        if is_pack {
            self.pragma_pack(&text, span);
            return;
        }
        let pragma = self.unit.pragmas.push(Pragma { span, text: Symbol::intern(&text) });
        self.pending_pragmas.push(pragma);
    }

    fn pragma_pack(&mut self, text: &str, span: Span) {
        let arguments: String = text["pack".len()..].chars().filter(|c| !c.is_whitespace()).collect();
        let inside = arguments.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        if inside.and_then(|inside| self.pack.apply(inside)).is_none() {
            let diagnostic = Diagnostic::warning(codes::BAD_PACK, "`#pragma pack` is not understood and has no effect")
                .label(span, "expected `pack(n)`, `pack()`, `pack(push, n)` or `pack(pop)`");
            self.diagnostics.push(diagnostic);
        }
    }

    /// The next pragma that was read and not yet made a statement.
    pub(super) fn next_pragma(&mut self) -> Option<StmtId> {
        if self.pending_pragmas.is_empty() {
            return None;
        }
        let pragma = self.pending_pragmas.remove(0);
        let span = self.unit.pragmas[pragma].span;
        Some(self.add_stmt(span, StmtKind::Pragma(pragma)))
    }
}

impl PackState {
    /// `4`, nothing, `push`, `push, 4`, `push, name, 4`, `pop`, `pop, name`, `pop, 4`
    fn apply(&mut self, text: &str) -> Option<()> {
        let mut words = text.split(',');
        match words.next()? {
            "" => self.current = None,
            "push" => {
                let mut name = None;
                let mut size = self.current;
                for word in words {
                    match word.parse::<u16>() {
                        Ok(number) => size = pack_size(number)?,
                        Err(_) => name = Some(Symbol::intern(word)),
                    }
                }
                self.saved.push((name, self.current));
                self.current = size;
            }
            "pop" => {
                let mut size = None;
                for word in words {
                    match word.parse::<u16>() {
                        Ok(number) => size = Some(pack_size(number)?),
                        Err(_) => {
                            let name = Some(Symbol::intern(word));
                            let index = self.saved.iter().rposition(|(saved, _)| *saved == name)?;
                            self.saved.truncate(index + 1);
                        }
                    }
                }
                let (_, before) = self.saved.pop()?;
                self.current = size.unwrap_or(before);
            }
            number => self.current = pack_size(number.parse().ok()?)?,
        }
        Some(())
    }
}

/// gcc takes 0 as "no packing"; `None` for sizes that it refuses.
fn pack_size(number: u16) -> Option<Option<u16>> {
    match number {
        0 => Some(None),
        1 | 2 | 4 | 8 | 16 => Some(Some(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pack_is_a_stack() {
        let mut state = PackState::default();
        for (text, expected) in [
            ("4", Some(4)),
            ("push,2", Some(2)),
            ("push,here,1", Some(1)),
            ("push", Some(1)),
            ("8", Some(8)),
            ("pop,here", Some(2)),
            ("pop", Some(4)),
            ("", None),
        ] {
            assert!(state.apply(text).is_some(), "{text}");
            assert_eq!(state.current, expected, "{text}");
        }
        assert!(state.apply("3").is_none());
        assert!(state.apply("pop").is_none());
    }
}
