//! `#pragma` and `_Pragma`.
//!
//! A pragma becomes `PragmaStart`, its tokens and `PragmaEnd`. Macros in it are expanded, as gcc does for OpenMP, except
//! in those of the standard (`STDC`) and of gcc itself (`GCC`).

use super::Preprocessor;
use crate::Punct;
use crate::lex::{Lexer, PpFlags, PpKind, PpToken, known};
use quod_base::Span;
use quod_diag::codes;

impl Preprocessor<'_> {
    pub(super) fn pragma_directive(&mut self, hash: Span) {
        let mut tokens = Vec::new();
        loop {
            let token = self.directive_token();
            if token.is_end() {
                break;
            }
            tokens.push(token);
        }
        self.finish_directive();
        let end = tokens.last().map_or(hash.hi, |token| token.span.hi);
        if self.obey_pragma(&tokens) {
            return;
        }
        self.push_pragma(Span::new(hash.lo, end), PpFlags::LINE_START, tokens);
    }

    /// Pragmas that are the preprocessor's own. False for those that the parser is to see.
    fn obey_pragma(&mut self, tokens: &[PpToken]) -> bool {
        let Some(first) = tokens.first().filter(|token| token.kind == PpKind::Ident) else { return tokens.is_empty() };
        match first.text {
            known::ONCE => self.mark_once(),
            known::PUSH_MACRO | known::POP_MACRO => match tokens {
                [_, _, name, ..] if matches!(name.kind, PpKind::Str(_)) => {
                    let stack = self.pushed_macros.entry(name.text).or_default();
                    let entry = self.cx.table.entry_mut(name.text);
                    if first.text == known::PUSH_MACRO {
                        stack.push(entry.definition);
                    } else if let Some(definition) = stack.pop() {
                        entry.definition = definition;
                    }
                }
                _ => {
                    let place = self.source_map.use_site(first.span);
                    self.cx.error(codes::BAD_PRAGMA, "malformed pragma", place, "expected `(\"name\")` after this");
                }
            },
            _ => return false,
        }
        true
    }

    fn push_pragma(&mut self, span: Span, flags: PpFlags, tokens: Vec<PpToken>) {
        let is_raw = tokens
            .first()
            .is_some_and(|token| token.kind == PpKind::Ident && matches!(token.text, known::STDC | known::GCC));
        let marker = |kind| PpToken { span, text: known::EMPTY, kind, flags };
        let mut all = Vec::with_capacity(tokens.len() + 2);
        all.push(marker(PpKind::PragmaStart));
        for (index, mut token) in tokens.into_iter().enumerate() {
            // The word that says whose pragma it is stays as it is.
            if is_raw || index == 0 {
                token.flags = token.flags.with(PpFlags::NO_EXPAND);
            }
            all.push(token);
        }
        all.push(PpToken { flags: PpFlags::default(), ..marker(PpKind::PragmaEnd) });
        self.push_context(&all);
    }

    /// `_Pragma("text")`, whose name was just read.
    pub(super) fn pragma_operator(&mut self, name: &PpToken) -> bool {
        if !self.peek_left_paren() {
            return false;
        }
        self.next_token();
        let operand = self.next_token();
        let close = if operand.is_end() { operand } else { self.next_token() };
        let (PpKind::Str(_), true) = (operand.kind, close.is_punct(Punct::RightParen)) else {
            let place = self.source_map.use_site(name.span);
            self.cx.error(codes::BAD_PRAGMA, "malformed `_Pragma`", place, "expected `(\"text\")` after this");
            return true;
        };
        let text = destringized(self.cx.table.text(operand.text));
        let mut lexer = Lexer::new(text.as_str().into(), 0);
        lexer.in_directive = true;
        let mut tokens = Vec::new();
        loop {
            let token = lexer.next(&mut self.cx);
            if token.is_end() {
                break;
            }
            // The text stands in a literal: all its tokens are there.
            tokens.push(PpToken { span: operand.span, ..token });
        }
        if !self.obey_pragma(&tokens) {
            self.push_pragma(name.span, name.flags, tokens);
        }
        true
    }
}

/// What a string literal's text stands for where `\"` and `\\` are the only escapes; line feeds become spaces.
fn destringized(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some(&escaped @ ('"' | '\\'))) => {
                result.push(escaped);
                characters.next();
            }
            ('\n', _) => result.push(' '),
            _ => result.push(character),
        }
    }
    result
}
