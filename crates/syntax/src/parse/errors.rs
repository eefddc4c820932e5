//! What the parser says about wrong input. One error a statement: the first; `recovering` holds back the rest.

use super::Parser;
use super::scope::nearest_keyword;
use crate::ast::{Expr, ExprId, ExprKind};
use crate::token::{Punct, TokenFlags, TokenKind};
use quod_base::Span;
use quod_diag::{Diagnostic, codes};

impl Parser<'_> {
    /// Reports an error and holds back further ones until the statement ends.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if self.recovering {
            return;
        }
        self.recovering = true;
        self.report_and_go_on(diagnostic);
    }

    /// Reports an error after which the parser still knows where it is.
    pub(super) fn report_and_go_on(&mut self, diagnostic: Diagnostic) {
        if self.error_count >= self.options.max_errors {
            return;
        }
        self.error_count += 1;
        let span = diagnostic.span();
        self.diagnostics.push(diagnostic);
        if self.error_count == self.options.max_errors {
            let message = format!("{} errors: the rest of the file is not read", self.error_count);
            self.diagnostics.push(Diagnostic::error(codes::TOO_MANY_ERRORS, message).label(span, "the last one"));
            self.stop();
        }
    }

    /// "expected an expression, found `}`"
    pub(super) fn error_expected(&mut self, what: &str) {
        if self.recovering {
            return;
        }
        let found = self.found();
        let mut diagnostic = Diagnostic::error(codes::SYNTAX, format!("expected {what}, found {found}"))
            .label(self.token.span, format!("expected {what}"));
        if let TokenKind::Unknown = self.token.kind {
            diagnostic.code = codes::STRAY;
        }
        if let TokenKind::Keyword(keyword) = self.token.kind
            && what.contains("name")
        {
            diagnostic = diagnostic.help(format!("`{}` is a keyword: choose another name", keyword.as_str()));
        }
        self.report(diagnostic);
    }

    /// `retrun 0;` or `whlie (x) {`: something that looks like a name, like a call, and is no statement. Reports what was
    /// probably meant and goes on behind it.
    #[cold]
    pub(super) fn is_misspelt_keyword(&mut self, expr: ExprId) -> bool {
        let is_end = self.at(Punct::RightBrace) || self.token.flags.contains(TokenFlags::LINE_START);
        if self.recovering || is_end && !self.at(Punct::LeftBrace) {
            return false;
        }
        let named = match self.unit.exprs[expr].kind {
            ExprKind::Call { callee, .. } => callee,
            _ => expr,
        };
        let Expr { kind: ExprKind::Identifier(name), span, .. } = self.unit.exprs[named] else { return false };
        let text = name.as_str();
        let Some(keyword) = nearest_keyword(text) else { return false };
        self.report(
            Diagnostic::error(codes::SYNTAX, format!("`{text}` starts no statement"))
                .label(span, "unknown here")
                .help(format!("did you mean `{keyword}`?")),
        );
        // The body of a loop or branch is read as a block.
        if self.at(Punct::LeftBrace) {
            self.recovering = false;
        } else {
            self.synchronize();
        }
        true
    }

    /// The current token in words.
    pub(super) fn found(&self) -> String {
        match self.token.kind {
            TokenKind::Eof => "the end of the file".into(),
            TokenKind::Str { .. } => "a string".into(),
            _ => {
                let text = self.token_text(self.token);
                if text.is_empty() || text.len() > 40 { "something else".into() } else { format!("`{text}`") }
            }
        }
    }

    /// The place right behind the last token, where something is missing.
    pub(super) fn behind(&self) -> Span {
        Span { lo: self.previous.hi, ..self.previous }
    }

    /// Consumes `punct`, or reports that it is missing.
    #[inline]
    pub(super) fn expect(&mut self, punct: Punct) -> bool {
        if self.at(punct) {
            self.bump();
            return true;
        }
        self.error_missing(punct);
        false
    }

    #[cold]
    fn error_missing(&mut self, punct: Punct) {
        if self.recovering {
            return;
        }
        let text = punct.as_str();
        let found = self.found();
        let diagnostic = Diagnostic::error(codes::SYNTAX, format!("expected `{text}`, found {found}"))
            .label(self.token.span, format!("expected `{text}`"));
        self.report(diagnostic);
    }

    /// Consumes the closing delimiter of the one opened at `open`.
    #[inline]
    pub(super) fn expect_close(&mut self, punct: Punct, open: Span) -> Span {
        if self.at(punct) {
            return self.bump();
        }
        self.error_unclosed(punct, open, "");
        self.behind()
    }

    /// The same behind a list, which a comma might continue.
    #[inline]
    pub(super) fn expect_list_close(&mut self, punct: Punct, open: Span) -> Span {
        if self.at(punct) {
            return self.bump();
        }
        self.error_unclosed(punct, open, "`,` or ");
        self.behind()
    }

    #[cold]
    fn error_unclosed(&mut self, punct: Punct, open: Span, or: &str) {
        if self.recovering {
            return;
        }
        let text = punct.as_str();
        let (message, label) = if self.at_eof() {
            (format!("the file ends before the closing `{text}`"), format!("`{text}` is missing"))
        } else {
            (format!("expected {or}`{text}`, found {}", self.found()), format!("expected {or}`{text}`"))
        };
        let mut diagnostic =
            Diagnostic::error(codes::UNBALANCED, message).label(self.token.span, label).label(open, "opened here");
        if punct == Punct::RightBrace
            && self.at_eof()
            && let Some((suspect, close)) = self.brace_out_of_line()
        {
            diagnostic = diagnostic
                .label(suspect, "perhaps this one is not closed")
                .label(close, "it ends here, where the indentation differs");
        }
        self.report(diagnostic);
        if punct != Punct::RightBracket && !self.at_eof() {
            self.skip_to_close(punct);
        }
    }

    /// The first pair of braces whose lines are indented differently: where a `}` is missing, it is mostly inside.
    fn brace_out_of_line(&self) -> Option<(Span, Span)> {
        let mut open: Vec<(Span, u32)> = Vec::new();
        let mut indent = 0;
        for token in self.tokens {
            if token.span.expansion.is_some() {
                continue;
            }
            let is_first = token.flags.contains(TokenFlags::LINE_START);
            if is_first {
                indent = self.source_map.place(token.span.lo)?.column;
            }
            match token.kind {
                TokenKind::Punct(Punct::LeftBrace) => open.push((token.span, indent)),
                TokenKind::Punct(Punct::RightBrace) => {
                    let (span, column) = open.pop()?;
                    if is_first && column > indent {
                        return Some((span, token.span));
                    }
                }
                _ => {}
            }
        }
        None
    }

    #[cold]
    pub(super) fn error_nesting(&mut self) {
        let diagnostic =
            Diagnostic::error(codes::NESTING, format!("nesting deeper than {} levels", self.options.max_nesting))
                .label(self.token.span, "one level too many here")
                .note("the rest of the file is not read");
        self.report(diagnostic);
        self.stop();
    }
}
