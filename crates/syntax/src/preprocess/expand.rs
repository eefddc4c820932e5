//! Macro expansion: the stack of contexts and the decision to expand a name.

use super::define::MacroKind;
use super::{MacroId, Preprocessor};
use crate::Punct;
use crate::lex::{PpFlags, PpKind, PpToken, known};
use quod_base::source::Expansion;
use quod_base::{ExpansionId, Span};
use quod_diag::{Diagnostic, codes};

/// A run of tokens in `Preprocessor::buffer` that is read before what lies below it.
pub(super) struct Context {
    start: usize,
    pub(super) position: usize,
    pub(super) end: usize,
    /// The macro that is disabled while this context is on the stack.
    disables: Option<MacroId>,
    /// Its end is an end for the reader: an argument that is expanded alone.
    is_barrier: bool,
}

impl Preprocessor<'_> {
    /// The next token, not expanded: from the contexts, or from the files. Directives on the way are obeyed.
    #[inline]
    pub(super) fn next_token(&mut self) -> PpToken {
        loop {
            if let Some(context) = self.contexts.last_mut() {
                if context.position < context.end {
                    let token = self.buffer[context.position];
                    context.position += 1;
                    return token;
                }
                if context.is_barrier {
                    return end_token();
                }
                self.pop_context();
                continue;
            }
            let Some(file) = self.files.last_mut() else { return end_token() };
            let token = file.lexer.next(&mut self.cx);
            match token.kind {
                PpKind::Punct(Punct::Hash) if token.flags.has(PpFlags::LINE_START) && !file.lexer.in_directive => {
                    self.directive(token.span);
                }
                PpKind::Eof => {
                    if self.argument_files.is_some_and(|count| self.files.len() <= count) {
                        return token;
                    }
                    self.leave_file();
                }
                _ => return token,
            }
        }
    }

    /// The next token after macro expansion.
    pub(super) fn next_expanded(&mut self) -> PpToken {
        loop {
            let mut token = self.next_token();
            if token.kind != PpKind::Ident
                || self.cx.table.entry(token.text).definition.is_none()
                || !self.expand_macro(&mut token)
            {
                return token;
            }
        }
    }

    /// Whether the next token, wherever it comes from, is a left parenthesis.
    pub(super) fn peek_left_paren(&self) -> bool {
        for context in self.contexts.iter().rev() {
            if context.position < context.end {
                return self.buffer[context.position].is_punct(Punct::LeftParen);
            }
            if context.is_barrier {
                return false;
            }
        }
        self.files.last().is_some_and(|file| file.lexer.peek_left_paren())
    }

    pub(super) fn push_context(&mut self, tokens: &[PpToken]) {
        let start = self.buffer.len();
        self.buffer.extend_from_slice(tokens);
        self.push_buffered(start, None);
    }

    /// Makes a context of the tokens in the buffer from `start` on.
    pub(super) fn push_buffered(&mut self, start: usize, disables: Option<MacroId>) {
        let end = self.buffer.len();
        if let Some(id) = disables {
            self.macros[id].is_disabled = true;
        }
        self.contexts.push(Context { start, position: start, end, disables, is_barrier: false });
    }

    pub(super) fn push_barrier(&mut self, tokens: &[PpToken]) {
        self.push_context(tokens);
        if let Some(context) = self.contexts.last_mut() {
            context.is_barrier = true;
        }
    }

    pub(super) fn pop_context(&mut self) {
        if let Some(context) = self.contexts.pop() {
            self.buffer.truncate(context.start);
            if let Some(id) = context.disables {
                self.macros[id].is_disabled = false;
            }
        }
    }

    /// Expands the macro that the identifier names: its expansion is now on the stack of contexts. False if it is not to
    /// be expanded here.
    pub(super) fn expand_macro(&mut self, token: &mut PpToken) -> bool {
        let Some(id) = self.cx.table.entry(token.text).definition else { return false };
        if token.flags.has(PpFlags::NO_EXPAND) {
            return false;
        }
        let definition = &self.macros[id];
        if definition.is_disabled {
            token.flags = token.flags.with(PpFlags::NO_EXPAND);
            return false;
        }
        match definition.kind {
            MacroKind::Builtin(builtin) => self.expand_builtin(builtin, token),
            MacroKind::Object => {
                if let Some(expansion) = self.begin_expansion(id, token, token.span) {
                    self.substitute(id, token, expansion, None);
                }
                true
            }
            MacroKind::Function(_) => {
                if !self.peek_left_paren() {
                    return false;
                }
                let Some(arguments) = self.read_arguments(id, token) else { return true };
                let call = self.call_span(token.span, arguments.close);
                if let Some(expansion) = self.begin_expansion(id, token, call) {
                    self.substitute(id, token, expansion, Some(arguments));
                }
                true
            }
        }
    }

    /// From the macro's name to its closing parenthesis, if both are spelled in one place.
    fn call_span(&self, name: Span, close: Span) -> Span {
        if name.expansion == close.expansion
            && name.lo <= close.hi
            && self.source_map.file_at(name.lo) == self.source_map.file_at(close.lo)
        {
            Span { lo: name.lo, hi: close.hi, expansion: name.expansion }
        } else {
            name
        }
    }

    fn begin_expansion(&mut self, id: MacroId, token: &PpToken, call_site: Span) -> Option<ExpansionId> {
        let definition = &self.macros[id];
        let cost = definition.body.len() as u32 + 1;
        if !self.spend(cost, token.span) {
            return None;
        }
        let definition = &self.macros[id];
        Some(self.source_map.add_expansion(Expansion {
            macro_name: self.cx.table.entry(definition.name).symbol,
            call_site,
            definition: definition.definition,
        }))
    }

    /// Takes from the budget of tokens; when it is used up, preprocessing is given up.
    pub(super) fn spend(&mut self, tokens: u32, span: Span) -> bool {
        match self.budget.checked_sub(tokens) {
            Some(rest) => {
                self.budget = rest;
                true
            }
            None if self.is_abandoned => false,
            None => {
                let place = self.source_map.use_site(span);
                self.cx.report(
                    Diagnostic::error(codes::EXPANSION_TOO_LARGE, "macro expansion is too large")
                        .label(place, "expanded here")
                        .note(format!("macros of one program may make {} tokens", super::EXPANSION_BUDGET)),
                );
                self.abandon();
                // Millions of tokens that end in the middle tell a parser nothing, and cost it seconds.
                self.output = Vec::new();
                false
            }
        }
    }
}

pub(super) fn end_token() -> PpToken {
    PpToken { span: Span::NONE, text: known::EMPTY, kind: PpKind::Eof, flags: PpFlags::default() }
}
