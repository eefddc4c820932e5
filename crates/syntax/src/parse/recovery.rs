//! Finding the way back after an error: to the end of the statement, or to the next thing that surely starts one.

use super::Parser;
use crate::token::{Keyword, Punct, TokenFlags, TokenKind};
use quod_diag::{Diagnostic, codes};

impl Parser<'_> {
    /// The `;` at the end of a statement or declaration. A missing one is reported behind the last token; when a new
    /// line or a `}` follows, nothing is skipped.
    pub(super) fn expect_semicolon(&mut self, after: &str) {
        if self.at(Punct::Semicolon) {
            self.bump();
            if self.recovering {
                self.recovering = false;
            }
            return;
        }
        self.missing_semicolon(after);
    }

    #[cold]
    fn missing_semicolon(&mut self, after: &str) {
        if self.is_in_head {
            return self.error_expected("`;` in the head of the `for` loop");
        }
        if !self.recovering && self.is_end_probable() {
            let diagnostic = Diagnostic::error(codes::MISSING_SEMICOLON, format!("missing `;` after {after}"))
                .label(self.behind(), "add `;` here");
            self.report_and_go_on(diagnostic);
            return;
        }
        if !self.recovering {
            let found = self.found();
            let diagnostic = Diagnostic::error(codes::SYNTAX, format!("expected `;` after {after}, found {found}"))
                .label(self.token.span, "expected `;`");
            self.report(diagnostic);
        }
        self.synchronize();
    }

    /// Whether a missing semicolon alone explains the current token.
    fn is_end_probable(&self) -> bool {
        self.at(Punct::RightBrace)
            || self.at_eof()
            || self.token.flags.contains(TokenFlags::LINE_START) && !self.is_operator()
            || self.starts_statement_surely()
    }

    fn is_operator(&self) -> bool {
        matches!(self.token.kind, TokenKind::Punct(punct) if !matches!(punct,
            Punct::LeftBrace | Punct::RightBrace | Punct::PlusPlus | Punct::MinusMinus | Punct::Star | Punct::LeftParen))
    }

    /// Keywords that start a statement or a declaration and stand in no expression.
    pub(super) fn starts_statement_surely(&self) -> bool {
        use Keyword as K;
        let TokenKind::Keyword(keyword) = self.token.kind else { return false };
        matches!(
            keyword,
            K::If
                | K::While
                | K::For
                | K::Do
                | K::Switch
                | K::Return
                | K::Break
                | K::Continue
                | K::Goto
                | K::Case
                | K::Default
                | K::Else
                | K::Typedef
                | K::Static
                | K::Extern
                | K::StaticAssert
                | K::CivlWhen
                | K::CivlAtomic
                | K::CivlAtom
                | K::CivlFor
                | K::CivlParfor
                | K::CivlInput
                | K::CivlOutput
        )
    }

    /// Skips to behind the next `;`, or in front of the `}` that ends the block, or in front of a line that surely
    /// starts a statement.
    pub(super) fn synchronize(&mut self) {
        let mut braces = 0usize;
        while !self.at_eof() {
            match self.token.kind {
                TokenKind::Punct(Punct::Semicolon) if braces == 0 => {
                    self.bump();
                    break;
                }
                TokenKind::Punct(Punct::LeftBrace) => braces += 1,
                TokenKind::Punct(Punct::RightBrace) if braces == 0 => break,
                TokenKind::Punct(Punct::RightBrace) => {
                    braces -= 1;
                    if braces == 0 {
                        self.bump();
                        self.eat(Punct::Semicolon);
                        break;
                    }
                }
                _ if braces == 0
                    && self.token.flags.contains(TokenFlags::LINE_START)
                    && (self.starts_statement_surely() || self.starts_declaration()) =>
                {
                    break;
                }
                _ => {}
            }
            self.bump();
        }
        self.recovering = self.at_eof() && self.position >= self.tokens.len();
    }

    /// Skips to behind the `)` of a `for` head that has an error.
    pub(super) fn skip_head(&mut self) {
        let mut depth = 0usize;
        while !self.at_eof() {
            match self.token.kind {
                TokenKind::Punct(Punct::LeftParen) => depth += 1,
                TokenKind::Punct(Punct::RightParen) if depth == 0 => {
                    self.bump();
                    break;
                }
                TokenKind::Punct(Punct::RightParen) => depth -= 1,
                TokenKind::Punct(Punct::LeftBrace | Punct::RightBrace) => break,
                _ => {}
            }
            self.bump();
        }
        self.recovering = self.at_eof();
    }

    /// Skips to behind the closing delimiter of the present level, but not past the end of the statement.
    pub(super) fn skip_to_close(&mut self, close: Punct) {
        let mut depth = 0usize;
        while !self.at_eof() {
            match self.token.kind {
                TokenKind::Punct(punct) if punct == close && depth == 0 => {
                    self.bump();
                    return;
                }
                TokenKind::Punct(Punct::LeftParen | Punct::LeftBracket) => depth += 1,
                TokenKind::Punct(Punct::RightParen | Punct::RightBracket) => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => return,
                },
                TokenKind::Punct(Punct::LeftBrace) if close == Punct::RightBrace => depth += 1,
                TokenKind::Punct(Punct::RightBrace) if close == Punct::RightBrace => depth = depth.saturating_sub(1),
                TokenKind::Punct(Punct::Semicolon | Punct::LeftBrace | Punct::RightBrace) => return,
                _ if self.token.flags.contains(TokenFlags::LINE_START) && self.starts_statement_surely() => return,
                _ => {}
            }
            self.bump();
        }
    }
}
