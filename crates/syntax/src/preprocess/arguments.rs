//! The arguments of a function-like macro's call.

use super::define::MacroKind;
use super::{MacroId, Preprocessor};
use crate::Punct;
use crate::lex::{PpFlags, PpKind, PpToken};
use quod_base::Span;
use quod_diag::{Diagnostic, codes};
use std::ops::Range;

pub(super) struct Arguments {
    tokens: Vec<PpToken>,
    ranges: Vec<Range<usize>>,
    /// Each argument after its own expansion, made when it is first asked for.
    expanded: Vec<Option<Vec<PpToken>>>,
    /// The variable arguments are not there at all, not even empty after a comma.
    pub(super) omits_variable: bool,
    /// The closing parenthesis.
    pub(super) close: Span,
}

/// Arguments may be calls themselves, so deep; beyond this, the call is an error.
const DEEPEST_ARGUMENTS: u32 = 2_000;

impl Arguments {
    pub(super) fn raw(&self, index: usize) -> &[PpToken] {
        self.ranges.get(index).map_or(&[], |range| &self.tokens[range.clone()])
    }
}

impl Preprocessor<'_> {
    /// Reads `( … )` after a macro's name. `None` after a diagnostic.
    pub(super) fn read_arguments(&mut self, id: MacroId, name: &PpToken) -> Option<Arguments> {
        let MacroKind::Function(parameters) = self.macros[id].kind else { return None };
        let outer_files = self.argument_files.replace(self.files.len());
        let arguments = self.read_until_paren(parameters.count, parameters.is_variadic, name);
        self.argument_files = outer_files;
        let mut arguments = arguments?;
        let given = arguments.ranges.len();
        let wanted = parameters.count;
        if given < wanted {
            // `f()` is one empty argument; the variable arguments may be left away altogether.
            if given + 1 == wanted && parameters.is_variadic {
                arguments.omits_variable = true;
                let end = arguments.tokens.len();
                arguments.ranges.push(end..end);
                arguments.expanded.push(None);
            } else {
                self.wrong_count(id, name, given, wanted);
                return None;
            }
        } else if given > wanted {
            if wanted == 0 && given == 1 && arguments.raw(0).is_empty() {
                return Some(arguments);
            }
            self.wrong_count(id, name, given, wanted);
            return None;
        } else if wanted == 1 {
            arguments.omits_variable = arguments.raw(0).is_empty();
        }
        Some(arguments)
    }

    fn read_until_paren(&mut self, count: usize, is_variadic: bool, name: &PpToken) -> Option<Arguments> {
        self.next_token();
        let mut tokens = Vec::new();
        let mut ranges = Vec::new();
        let mut start = 0;
        let mut depth = 0u32;
        let close = loop {
            let mut token = self.next_token();
            match token.kind {
                PpKind::Eof | PpKind::EndOfDirective => {
                    let text = self.cx.table.text(name.text);
                    let place = self.source_map.use_site(name.span);
                    let message = format!("call of macro `{text}` without closing parenthesis");
                    self.cx.error(codes::MACRO_ARGUMENTS, message, place, "its arguments start here");
                    return None;
                }
                PpKind::Punct(Punct::LeftParen) => depth += 1,
                PpKind::Punct(Punct::RightParen) if depth == 0 => break token.span,
                PpKind::Punct(Punct::RightParen) => depth -= 1,
                PpKind::Punct(Punct::Comma) if depth == 0 && !(is_variadic && ranges.len() + 1 == count) => {
                    ranges.push(start..tokens.len());
                    start = tokens.len();
                    continue;
                }
                PpKind::Ident => {
                    if let Some(definition) = self.cx.table.entry(token.text).definition
                        && self.macros[definition].is_disabled
                    {
                        token.flags = token.flags.with(PpFlags::NO_EXPAND);
                    }
                }
                PpKind::Annotation => continue,
                _ => {}
            }
            tokens.push(token);
        };
        ranges.push(start..tokens.len());
        let expanded = vec![None; ranges.len()];
        Some(Arguments { tokens, ranges, expanded, omits_variable: false, close })
    }

    #[cold]
    fn wrong_count(&mut self, id: MacroId, name: &PpToken, given: usize, wanted: usize) {
        let text = self.cx.table.text(name.text);
        let plural = if wanted == 1 { "" } else { "s" };
        let place = self.source_map.use_site(name.span);
        self.cx.report(
            Diagnostic::error(
                codes::MACRO_ARGUMENTS,
                format!("macro `{text}` takes {wanted} argument{plural}, but {given} given"),
            )
            .label(place, "called here")
            .label(self.macros[id].definition, "defined here"),
        );
    }

    /// The argument after its own expansion.
    pub(super) fn expanded_argument<'b>(&mut self, arguments: &'b mut Arguments, index: usize) -> &'b [PpToken] {
        if arguments.expanded.get(index).is_some_and(Option::is_none) {
            let raw = arguments.raw(index);
            let has_macro = raw.iter().any(|token| {
                token.kind == PpKind::Ident
                    && !token.flags.has(PpFlags::NO_EXPAND)
                    && self.cx.table.entry(token.text).definition.is_some()
            });
            if has_macro {
                let expanded = self.expand_alone(raw);
                arguments.expanded[index] = Some(expanded);
            }
        }
        match arguments.expanded.get(index) {
            Some(Some(tokens)) => tokens,
            _ => arguments.raw(index),
        }
    }

    /// Expands tokens as if they were the rest of the file.
    fn expand_alone(&mut self, tokens: &[PpToken]) -> Vec<PpToken> {
        if self.argument_depth >= DEEPEST_ARGUMENTS {
            if !self.is_abandoned {
                let place = tokens.first().map_or(Span::NONE, |token| self.source_map.use_site(token.span));
                let message = "macro calls are nested too deeply in each other's arguments";
                self.cx.error(codes::EXPANSION_TOO_LARGE, message, place, "in this argument");
                self.abandon();
            }
            return Vec::new();
        }
        if !self.spend(tokens.len() as u32, tokens.first().map_or(Span::NONE, |token| token.span)) {
            return Vec::new();
        }
        self.argument_depth += 1;
        self.push_barrier(tokens);
        let mut expanded = Vec::with_capacity(tokens.len());
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            loop {
                let token = self.next_expanded();
                if token.kind == PpKind::Eof {
                    break;
                }
                expanded.push(token);
            }
        });
        self.pop_context();
        self.argument_depth -= 1;
        expanded
    }
}
