//! Reading tokens: the current one, looking ahead, spans, lists of children, guarded recursion.

use super::Parser;
use crate::ast::*;
use crate::token::{Keyword, Punct, Token, TokenKind};
use quod_base::{Id, Span, Symbol};

const RED_ZONE: usize = 128 * 1024;
const STACK_STEP: usize = 4 * 1024 * 1024;

impl Parser<'_> {
    /// Consumes the current token and gives its span. The end of the file is never passed.
    #[inline]
    pub(super) fn bump(&mut self) -> Span {
        let span = self.token.span;
        if self.token.kind != TokenKind::Eof {
            self.previous = span;
            self.position += 1;
            self.settle();
        }
        span
    }

    /// Makes the token at `position` the current one, after collecting annotations and pragmas in front of it.
    #[inline]
    pub(super) fn settle(&mut self) {
        match self.tokens.get(self.position) {
            Some(&token)
                if !matches!(token.kind, TokenKind::Annotation | TokenKind::PragmaStart | TokenKind::PragmaEnd) =>
            {
                self.token = token;
            }
            _ => self.settle_slowly(),
        }
    }

    #[cold]
    fn settle_slowly(&mut self) {
        loop {
            let Some(&token) = self.tokens.get(self.position) else {
                self.token.kind = TokenKind::Eof;
                self.token.span = Span { lo: self.previous.hi, ..self.previous };
                return;
            };
            match token.kind {
                TokenKind::Annotation => {
                    let annotation = self.unit.annotations.push(Annotation { span: token.span });
                    self.pending_annotations.push(annotation);
                    self.position += 1;
                }
                // `#pragma CIVL $assert(e);` hides CIVL-C from compilers.
                TokenKind::PragmaStart if self.is_civl_pragma() => self.position += 2,
                TokenKind::PragmaStart => self.collect_pragma(),
                TokenKind::PragmaEnd => self.position += 1,
                _ => {
                    self.token = token;
                    return;
                }
            }
        }
    }

    /// The kind of the token after the current one.
    #[inline]
    pub(super) fn peek(&self) -> TokenKind {
        self.peek_at(1).0
    }

    /// The kind of the `n`th token after the current one, and its place in `tokens`.
    pub(super) fn peek_at(&self, mut n: usize) -> (TokenKind, usize) {
        let mut position = self.position;
        let mut in_pragma = false;
        while n > 0 {
            position += 1;
            match self.tokens.get(position).map(|token| token.kind) {
                None => return (TokenKind::Eof, position),
                Some(TokenKind::PragmaStart) => in_pragma = true,
                Some(TokenKind::PragmaEnd) => in_pragma = false,
                Some(TokenKind::Annotation) => {}
                Some(kind) if !in_pragma => {
                    n -= 1;
                    if n == 0 {
                        return (kind, position);
                    }
                }
                Some(_) => {}
            }
        }
        (self.token.kind, position)
    }

    pub(super) fn peek_is(&self, punct: Punct) -> bool {
        self.peek() == TokenKind::Punct(punct)
    }

    #[inline]
    pub(super) fn at(&self, punct: Punct) -> bool {
        self.token.kind == TokenKind::Punct(punct)
    }

    #[inline]
    pub(super) fn at_keyword(&self, keyword: Keyword) -> bool {
        self.token.kind == TokenKind::Keyword(keyword)
    }

    pub(super) fn at_eof(&self) -> bool {
        self.token.kind == TokenKind::Eof
    }

    #[inline]
    pub(super) fn eat(&mut self, punct: Punct) -> bool {
        let found = self.at(punct);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.bump();
        }
        found
    }

    /// Consumes an identifier, if the current token is one.
    #[inline]
    pub(super) fn eat_identifier(&mut self) -> Option<Name> {
        match self.token.kind {
            TokenKind::Ident(symbol) => Some(Name { symbol, span: self.bump() }),
            _ => None,
        }
    }

    /// An identifier, or an error.
    pub(super) fn expect_identifier(&mut self, what: &str) -> Option<Name> {
        let name = self.eat_identifier();
        if name.is_none() {
            self.error_expected(what);
        }
        name
    }

    /// The text of the current token as it stands in the file.
    pub(super) fn token_text(&self, token: Token) -> &str {
        match token.kind {
            TokenKind::Ident(symbol) | TokenKind::Number(symbol) => symbol.as_str(),
            TokenKind::Punct(punct) => punct.as_str(),
            _ => self.source_map.text(token.span).unwrap_or_default(),
        }
    }

    /// The span from the start of `a` to the end of `b`.
    #[inline]
    pub(super) fn join(&self, a: Span, b: Span) -> Span {
        if a.expansion.is_none() && b.expansion.is_none() {
            return Span { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi), expansion: None };
        }
        self.source_map.join(a, b)
    }

    /// The span from `start` to the last consumed token.
    #[inline]
    pub(super) fn since(&self, start: Span) -> Span {
        self.join(start, self.previous)
    }

    pub(super) fn add_expr(&mut self, span: Span, kind: ExprKind) -> ExprId {
        self.unit.exprs.push(Expr { span, kind })
    }

    pub(super) fn add_stmt(&mut self, span: Span, kind: StmtKind) -> StmtId {
        self.unit.stmts.push(Stmt { span, kind })
    }

    /// Lists are built on `scratch`: remember its length, `push_child`, then `finish_list`.
    #[inline]
    pub(super) fn push_child(&mut self, child: impl Id) {
        self.scratch.push(child.index() as u32);
    }

    #[inline]
    pub(super) fn finish_list<I: Id>(&mut self, mark: usize) -> List<I> {
        let list = self.unit.make_list(&self.scratch[mark..]);
        self.scratch.truncate(mark);
        list
    }

    /// Runs a recursive part of the parser one level deeper. Too deep: one error, and the rest of the file is left out.
    #[inline]
    pub(super) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        if self.depth > self.options.max_nesting {
            self.error_nesting();
        }
        let result = stacker::maybe_grow(RED_ZONE, STACK_STEP, || parse(self));
        self.depth -= 1;
        result
    }

    /// Leaves out the rest of the file.
    pub(super) fn stop(&mut self) {
        self.position = self.tokens.len();
        self.token.kind = TokenKind::Eof;
        self.recovering = true;
    }

    pub(super) fn take_annotations(&mut self) -> Vec<AnnotationId> {
        std::mem::take(&mut self.pending_annotations)
    }

    pub(super) fn attach(&mut self, target: Target, annotations: Vec<AnnotationId>) {
        if !annotations.is_empty() {
            let raw: Vec<u32> = annotations.iter().map(|annotation| annotation.index() as u32).collect();
            let list = self.unit.make_list(&raw);
            self.unit.annotations_of.insert(target, list);
        }
    }

    pub(super) fn name_is_type(&self, symbol: Symbol) -> bool {
        self.scopes.is_type(symbol)
    }
}
