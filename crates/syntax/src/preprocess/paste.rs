//! The operators `#` and `##`.

use super::Preprocessor;
use crate::Encoding;
use crate::lex::{Lexer, PpFlags, PpKind, PpToken, spelling};
use quod_base::Span;
use quod_diag::{Diagnostic, codes};

impl Preprocessor<'_> {
    /// `left ## right`. `None` after a diagnostic if the two make no token.
    pub(super) fn paste(&mut self, left: &PpToken, right: &PpToken) -> Option<PpToken> {
        if right.kind == PpKind::Placemarker {
            return Some(*left);
        }
        if left.kind == PpKind::Placemarker {
            return Some(PpToken { flags: right.flags.spaced_as(left.flags), ..*right });
        }
        let mut text = String::new();
        spelling(left, &self.cx.table, &mut text);
        spelling(right, &self.cx.table, &mut text);
        let span = self.pasted_span(left.span, right.span);
        let flags = PpFlags::default().spaced_as(left.flags);
        let word = matches!(right.kind, PpKind::Ident | PpKind::Number)
            && !self.cx.table.text(right.text).contains(['.', '+', '-', '\'']);
        if left.kind == PpKind::Ident && word {
            return Some(PpToken { span, text: self.cx.table.intern(&text), kind: PpKind::Ident, flags });
        }
        // Anything else: the text must be lexed as exactly one token.
        let before = self.cx.diagnostics.len();
        let mut lexer = Lexer::new(text.as_str().into(), 0);
        let first = lexer.next(&mut self.cx);
        let is_single = lexer.next(&mut self.cx).kind == PpKind::Eof && self.cx.diagnostics.len() == before;
        self.cx.diagnostics.truncate(before);
        let is_token = !matches!(first.kind, PpKind::Eof | PpKind::Annotation | PpKind::Unknown);
        if is_single && is_token {
            return Some(PpToken { span, flags, ..first });
        }
        let place = self.source_map.use_site(left.span);
        let mut error = Diagnostic::error(codes::BAD_PASTE, format!("`##` makes `{text}`, which is not a token"))
            .label(place, "in the expansion of this macro");
        if left.span.expansion.is_some() {
            error = error.label(Span::new(left.span.lo, left.span.hi), "the left operand");
        }
        self.cx.report(error);
        None
    }

    /// From the left operand to the right one, if they are spelled in that order in one file.
    fn pasted_span(&self, left: Span, right: Span) -> Span {
        let is_ordered = left.hi <= right.lo && right.lo - left.hi < 64;
        if left.expansion == right.expansion
            && is_ordered
            && self.source_map.file_at(left.lo) == self.source_map.file_at(right.lo)
        {
            Span { hi: right.hi, ..left }
        } else {
            left
        }
    }

    /// `# parameter`: the argument's spelling as a string literal at the place of `token`.
    pub(super) fn stringify(&mut self, argument: &[PpToken], token: &PpToken) -> PpToken {
        let mut text = String::new();
        let mut one = String::new();
        for (index, part) in argument.iter().enumerate() {
            if index > 0 && part.flags.is_spaced() && part.kind != PpKind::Placemarker {
                text.push(' ');
            }
            one.clear();
            spelling(part, &self.cx.table, &mut one);
            if matches!(part.kind, PpKind::Str(_) | PpKind::Char(_)) {
                for character in one.chars() {
                    if matches!(character, '"' | '\\') {
                        text.push('\\');
                    }
                    text.push(character);
                }
            } else {
                text.push_str(&one);
            }
        }
        // A backslash of its own at the end would escape the closing quote.
        let backslashes = text.bytes().rev().take_while(|&byte| byte == b'\\').count();
        if backslashes % 2 == 1 {
            text.pop();
        }
        let flags = token.flags.without(PpFlags::STRINGIFY).without(PpFlags::PASTE_LEFT);
        PpToken { kind: PpKind::Str(Encoding::Plain), text: self.cx.table.intern(&text), flags, span: token.span }
    }
}
