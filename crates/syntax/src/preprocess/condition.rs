//! `#if` and its relatives: the stack of conditions and the passing over of groups.

use super::Preprocessor;
use crate::lex::{PpKind, PpToken, TextId, known};
use quod_base::Span;
use quod_diag::codes;

/// An `#if` whose `#endif` has not come yet.
pub(super) struct Condition {
    span: Span,
    /// One of its groups was compiled: the others are not.
    was_taken: bool,
    has_else: bool,
}

impl Preprocessor<'_> {
    pub(super) fn if_directive(&mut self, kind: TextId, span: Span) {
        let holds = self.condition_of(kind);
        self.finish_directive();
        self.conditions.push(Condition { span, was_taken: holds, has_else: false });
        if !holds {
            self.skip_group();
        }
    }

    /// Whether the condition that follows holds; `kind` is one of `if`, `ifdef`, `ifndef` or their `elif` forms.
    fn condition_of(&mut self, kind: TextId) -> bool {
        match kind {
            known::IFDEF | known::ELIFDEF => self.defined_condition() == Some(true),
            known::IFNDEF | known::ELIFNDEF => self.defined_condition() == Some(false),
            _ => self.evaluate_condition(),
        }
    }

    fn defined_condition(&mut self) -> Option<bool> {
        let name = self.directive_token();
        if name.kind != PpKind::Ident {
            self.cx.error(codes::BAD_CONDITION, "the condition names no macro", name.span, "expected a name here");
            return None;
        }
        let is_defined = self.cx.table.entry(name.text).definition.is_some();
        self.expect_end("ifdef");
        Some(is_defined)
    }

    /// `#elif`, `#else` or `#endif` after a group that was compiled.
    pub(super) fn end_group(&mut self, kind: TextId, span: Span) {
        let base = self.files.last().map_or(0, |file| file.condition_base);
        if self.conditions.len() <= base {
            let text = self.cx.table.text(kind);
            self.cx.error(
                codes::UNBALANCED_CONDITION,
                format!("`#{text}` without `#if`"),
                span,
                "no `#if` is open here",
            );
            self.finish_directive();
            return;
        }
        if kind == known::ENDIF {
            self.expect_end("endif");
            self.finish_directive();
            self.conditions.pop();
            return;
        }
        self.note_else(kind, span);
        // The condition of an `#elif` after a taken group is not evaluated.
        if let Some(lexer) = self.lexer() {
            lexer.in_directive = false;
        }
        self.skip_group();
    }

    fn note_else(&mut self, kind: TextId, span: Span) {
        let Some(condition) = self.conditions.last_mut() else { return };
        let after_else = condition.has_else;
        if kind == known::ELSE {
            condition.has_else = true;
        }
        if after_else {
            let opened = condition.span;
            let text = self.cx.table.text(kind);
            self.cx.report(
                quod_diag::Diagnostic::error(codes::UNBALANCED_CONDITION, format!("`#{text}` after `#else`"))
                    .label(span, "this group is passed over")
                    .label(opened, "the condition starts here"),
            );
        }
    }

    /// Passes over groups until one is to be compiled or the condition ends.
    fn skip_group(&mut self) {
        let mut depth = 0u32;
        loop {
            let Some(file) = self.files.last_mut() else { return };
            if !file.lexer.skip_to_directive() {
                return;
            }
            file.lexer.in_directive = true;
            let name: PpToken = file.lexer.next(&mut self.cx);
            if name.kind == PpKind::Ident {
                match name.text {
                    known::IF | known::IFDEF | known::IFNDEF => depth += 1,
                    known::ENDIF if depth > 0 => depth -= 1,
                    known::ENDIF => {
                        self.finish_directive();
                        self.conditions.pop();
                        return;
                    }
                    known::ELSE if depth == 0 => {
                        let after_else = self.conditions.last().is_some_and(|condition| condition.has_else);
                        self.note_else(known::ELSE, name.span);
                        if !after_else && self.take_group(true) {
                            self.finish_directive();
                            return;
                        }
                    }
                    known::ELIF | known::ELIFDEF | known::ELIFNDEF if depth == 0 => {
                        self.note_else(name.text, name.span);
                        let is_open =
                            self.conditions.last().is_some_and(|condition| !condition.was_taken && !condition.has_else);
                        if is_open {
                            let holds = self.condition_of(name.text);
                            if self.take_group(holds) {
                                self.finish_directive();
                                return;
                            }
                        }
                    }
                    _ => {}
                }
            }
            if let Some(lexer) = self.lexer() {
                lexer.in_directive = false;
            }
        }
    }

    /// Whether the group is compiled: its condition holds and no group before it was.
    fn take_group(&mut self, holds: bool) -> bool {
        let Some(condition) = self.conditions.last_mut() else { return false };
        let takes = holds && !condition.was_taken;
        condition.was_taken |= holds;
        takes
    }

    /// At the end of a file: its conditions must have ended, too.
    pub(super) fn close_conditions(&mut self, base: usize) {
        while self.conditions.len() > base {
            if let Some(condition) = self.conditions.pop()
                && !self.is_abandoned
            {
                let message = "`#if` without `#endif`";
                self.cx.error(codes::UNBALANCED_CONDITION, message, condition.span, "the condition starts here");
            }
        }
    }
}
