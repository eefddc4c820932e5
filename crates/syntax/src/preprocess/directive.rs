//! Directives other than conditions, `#define`, `#include` and `#pragma`.

use super::Preprocessor;
use super::value::parse_integer;
use crate::Encoding;
use crate::lex::{PpKind, PpToken, known};
use quod_base::source::LineMarker;
use quod_base::{Span, Symbol};
use quod_diag::{Diagnostic, codes};

impl Preprocessor<'_> {
    /// Obeys the directive whose `#` was just read.
    pub(super) fn directive(&mut self, hash: Span) {
        let Some(lexer) = self.lexer() else { return };
        lexer.in_directive = true;
        let name = self.directive_token();
        let span = Span::new(hash.lo, name.span.hi);
        match name.kind {
            PpKind::EndOfDirective => {}
            PpKind::Number => self.line_marker(&name, hash),
            PpKind::Ident => match name.text {
                known::DEFINE => self.define_directive(),
                known::UNDEF => self.undef_directive(),
                known::INCLUDE | known::INCLUDE_NEXT | known::IMPORT => return self.include_directive(name.text, span),
                known::IF | known::IFDEF | known::IFNDEF => return self.if_directive(name.text, span),
                known::ELIF | known::ELIFDEF | known::ELIFNDEF | known::ELSE | known::ENDIF => {
                    return self.end_group(name.text, span);
                }
                known::LINE => self.line_directive(hash),
                known::PRAGMA => return self.pragma_directive(hash),
                known::ERROR | known::WARNING => return self.message_directive(name.text == known::ERROR, span),
                known::IDENT | known::SCCS | known::ASSERT | known::UNASSERT => {
                    if let Some(file) = self.files.last_mut() {
                        file.lexer.rest_of_line(&mut self.cx);
                    }
                }
                _ => return self.unknown_directive(&name, span),
            },
            _ => return self.unknown_directive(&name, span),
        }
        self.finish_directive();
    }

    /// The next token of the directive's line, not expanded.
    pub(super) fn directive_token(&mut self) -> PpToken {
        match self.files.last_mut() {
            Some(file) => file.lexer.next(&mut self.cx),
            None => super::expand::end_token(),
        }
    }

    pub(super) fn finish_directive(&mut self) {
        if let Some(file) = self.files.last_mut() {
            file.lexer.finish_directive(&mut self.cx);
        }
    }

    /// Warns of what stands after the end of a directive.
    pub(super) fn expect_end(&mut self, directive: &str) {
        let token = self.directive_token();
        if token.kind == PpKind::EndOfDirective {
            return;
        }
        self.cx.report(
            Diagnostic::warning(codes::EXTRA_TOKENS, format!("`#{directive}` is over before the end of its line"))
                .label(token.span, "this is passed over"),
        );
        if let Some(file) = self.files.last_mut() {
            file.lexer.rest_of_line(&mut self.cx);
        }
    }

    #[cold]
    fn unknown_directive(&mut self, name: &PpToken, span: Span) {
        let (rest, _) = match self.files.last_mut() {
            Some(file) => file.lexer.rest_of_line(&mut self.cx),
            None => return,
        };
        let message = match name.kind {
            PpKind::Ident => format!("unknown directive `#{}`", self.cx.table.text(name.text)),
            _ => "`#` is followed by no directive".to_owned(),
        };
        let mut error = Diagnostic::error(codes::UNKNOWN_DIRECTIVE, message).label(span, "this line is passed over");
        if name.kind == PpKind::Ident && name.text == known::EMBED {
            error = error.note(format!("`#embed {rest}` is not supported"));
        }
        self.cx.report(error);
    }

    fn message_directive(&mut self, is_error: bool, span: Span) {
        let Some(file) = self.files.last_mut() else { return };
        let (text, line) = file.lexer.rest_of_line(&mut self.cx);
        let text = if text.is_empty() { "without a message".to_owned() } else { text };
        let place = Span::new(span.lo, line.hi.max(span.hi));
        let diagnostic = if is_error {
            Diagnostic::error(codes::ERROR_DIRECTIVE, format!("#error: {text}"))
        } else {
            Diagnostic::warning(codes::WARNING_DIRECTIVE, format!("#warning: {text}"))
        };
        self.cx.report(diagnostic.label(place, "the program says so here"));
    }

    /// `# 12 "file" flags`
    fn line_marker(&mut self, number: &PpToken, hash: Span) {
        let line = self.cx.table.text(number.text).parse::<u32>();
        let name = self.directive_token();
        let file = match name.kind {
            PpKind::Str(Encoding::Plain) => Some(self.unescaped_symbol(&name)),
            PpKind::EndOfDirective => None,
            _ => {
                self.bad_line(&name, "expected the name of a file");
                return;
            }
        };
        match line {
            Ok(line) => self.add_marker(hash, line, file),
            Err(_) => self.bad_line(number, "not a line number"),
        }
    }

    /// `#line 12 "file"`, after macro expansion.
    fn line_directive(&mut self, hash: Span) {
        let number = self.next_expanded();
        let text = self.cx.table.text(number.text);
        let is_decimal = number.kind == PpKind::Number && text.bytes().all(|byte| byte.is_ascii_digit());
        let line = parse_integer(text.trim_start_matches('0')).and_then(|value| u32::try_from(value.bits).ok());
        let Some(line) = line.filter(|_| is_decimal).or_else(|| (is_decimal && !text.is_empty()).then_some(0)) else {
            self.bad_line(&number, "expected a line number");
            self.drop_contexts();
            return;
        };
        let name = self.next_expanded();
        match name.kind {
            PpKind::Str(Encoding::Plain) => {
                let file = self.unescaped_symbol(&name);
                self.add_marker(hash, line, Some(file));
            }
            _ if name.is_end() => self.add_marker(hash, line, None),
            _ => self.bad_line(&name, "expected the name of a file"),
        }
        self.drop_contexts();
    }

    fn add_marker(&mut self, hash: Span, line: u32, file: Option<Symbol>) {
        let Some(open) = self.files.last() else { return };
        let source = self.source_map.file_mut(open.id);
        let offset = hash.lo - source.start;
        // A marker without a name goes on in the file of the one before.
        let file = file.or_else(|| source.line_markers.last().and_then(|marker| marker.file));
        source.line_markers.push(LineMarker { offset, line, file });
    }

    fn bad_line(&mut self, token: &PpToken, label: &str) {
        let span = self.source_map.use_site(token.span);
        self.cx.error(codes::BAD_LINE, "malformed `#line`", span, label);
    }

    fn unescaped_symbol(&self, token: &PpToken) -> Symbol {
        let text = self.cx.table.text(token.text);
        if text.contains('\\') {
            Symbol::intern(&text.replace("\\\\", "\\").replace("\\\"", "\""))
        } else {
            self.cx.table.entry(token.text).symbol
        }
    }
}
