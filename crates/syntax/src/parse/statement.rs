//! Statements and the items of blocks and files.

use super::Parser;
use super::attribute::AttributeVec;
use crate::ast::*;
use crate::token::{Keyword, Punct, TokenKind};
use quod_base::Span;
use quod_diag::{Diagnostic, codes};

/// A label in front of a statement.
enum Label {
    Case { low: ExprId, high: Option<ExprId> },
    Default,
    Name { label: Name, attributes: List<AttributeId> },
}

impl Parser<'_> {
    /// `{ … }`; the current token is the brace.
    pub(super) fn block(&mut self) -> StmtId {
        self.deeper(|parser| {
            let annotations = parser.take_annotations();
            let open = parser.bump();
            let (statements, close) = parser.statements_until_brace(open);
            let span = parser.since(open);
            let block = parser.add_stmt(span, StmtKind::Block { statements, close });
            parser.attach(Target::Statement(block), annotations);
            let rest = std::mem::take(&mut parser.annotations_at_end);
            parser.attach(Target::EndOf(block), rest);
            block
        })
    }

    /// Statements and declarations up to the `}`, which is consumed.
    pub(super) fn statements_until_brace(&mut self, open: Span) -> (List<StmtId>, Span) {
        self.scopes.enter();
        let mark = self.scratch.len();
        loop {
            while let Some(pragma) = self.next_pragma() {
                self.push_child(pragma);
            }
            if self.at(Punct::RightBrace) || self.at_eof() {
                break;
            }
            self.recovering = false;
            let before = self.position;
            let item = self.block_item();
            self.push_child(item);
            if self.position == before && !self.at(Punct::RightBrace) {
                self.bump();
            }
        }
        let statements = self.finish_list(mark);
        self.scopes.leave();
        self.annotations_at_end = self.take_annotations();
        let close = self.expect_close(Punct::RightBrace, open);
        (statements, close)
    }

    /// A statement or declaration, with the annotations in front of it.
    pub(super) fn block_item(&mut self) -> StmtId {
        let annotations = self.take_annotations();
        let item = self.block_item_unannotated();
        self.attach(Target::Statement(item), annotations);
        item
    }

    fn block_item_unannotated(&mut self) -> StmtId {
        if self.at_attribute() {
            return self.attributed();
        }
        if self.starts_declaration() {
            return self.declaration(AttributeVec::new());
        }
        match self.token.kind {
            TokenKind::Keyword(Keyword::StaticAssert) => self.static_assert(),
            // `foo x;`: nothing else but a declaration looks so; the specifiers report the unknown type.
            TokenKind::Ident(symbol) if matches!(self.peek(), TokenKind::Ident(_)) && symbol.as_str() != "$wait" => {
                self.declaration(AttributeVec::new())
            }
            _ if self.function_depth == 0 => self.file_item(),
            _ => self.statement(),
        }
    }

    /// `__attribute__((…))` or `[[…]]` in front of a declaration, a statement or a semicolon.
    fn attributed(&mut self) -> StmtId {
        let start = self.token.span;
        let mut attributes = AttributeVec::new();
        self.attributes(&mut attributes);
        if self.starts_declaration() || self.function_depth == 0 && !self.at(Punct::Semicolon) {
            return self.declaration(attributes);
        }
        if self.eat(Punct::Semicolon) {
            let list = self.attribute_list(&attributes);
            let span = self.since(start);
            return self.add_stmt(span, StmtKind::Attributes(list));
        }
        self.statement()
    }

    /// The body of an `if` or a loop. A pragma in front of it makes a block of both.
    pub(super) fn substatement(&mut self) -> StmtId {
        let annotations = self.take_annotations();
        let body = match self.next_pragma() {
            None => self.body_statement(),
            Some(first) => {
                let mark = self.scratch.len();
                self.push_child(first);
                while let Some(pragma) = self.next_pragma() {
                    self.push_child(pragma);
                }
                let statement = self.body_statement();
                self.push_child(statement);
                let statements = self.finish_list(mark);
                let span = self.join(self.unit.stmts[first].span, self.previous);
                self.add_stmt(span, StmtKind::Block { statements, close: self.behind() })
            }
        };
        self.attach(Target::Statement(body), annotations);
        body
    }

    fn body_statement(&mut self) -> StmtId {
        if self.starts_declaration() && !self.at_attribute() {
            let diagnostic = Diagnostic::error(codes::DECLARATION_AS_BODY, "a declaration cannot be the body here")
                .label(self.token.span, "this declares something")
                .help("put it into braces: `{ … }`");
            if !self.recovering {
                self.report_and_go_on(diagnostic);
            }
            return self.declaration(AttributeVec::new());
        }
        if self.at_attribute() {
            return self.attributed();
        }
        self.statement()
    }

    pub(super) fn statement(&mut self) -> StmtId {
        if self.at_label() { self.labeled() } else { self.plain_statement() }
    }

    fn at_label(&self) -> bool {
        match self.token.kind {
            TokenKind::Ident(_) => self.peek_is(Punct::Colon),
            TokenKind::Keyword(Keyword::Case | Keyword::Default) => true,
            _ => false,
        }
    }

    /// Labels and the statement behind them, read in a loop: `switch` bodies can have thousands in a row.
    fn labeled(&mut self) -> StmtId {
        let mut labels: Vec<(Span, Label)> = Vec::new();
        while self.at_label() {
            let start = self.token.span;
            let label = match self.token.kind {
                TokenKind::Keyword(Keyword::Case) => {
                    self.bump();
                    let low = self.conditional_expression();
                    let high = self.eat(Punct::Ellipsis).then(|| self.conditional_expression());
                    self.expect(Punct::Colon);
                    Label::Case { low, high }
                }
                TokenKind::Keyword(_) => {
                    self.bump();
                    self.expect(Punct::Colon);
                    Label::Default
                }
                _ => {
                    let Some(label) = self.eat_identifier() else { break };
                    self.bump();
                    let attributes = self.attributes_here();
                    Label::Name { label, attributes }
                }
            };
            labels.push((start, label));
        }
        let mut body = if self.at(Punct::RightBrace) || self.at_eof() {
            let span = self.behind();
            self.add_stmt(span, StmtKind::Empty)
        } else if self.starts_declaration() {
            self.declaration(AttributeVec::new())
        } else {
            self.substatement()
        };
        for (start, label) in labels.into_iter().rev() {
            let kind = match label {
                Label::Case { low, high } => StmtKind::Case { low, high, body },
                Label::Default => StmtKind::Default { body },
                Label::Name { label, attributes } => StmtKind::Labeled { label, attributes, body },
            };
            let span = self.since(start);
            body = self.add_stmt(span, kind);
        }
        body
    }

    fn plain_statement(&mut self) -> StmtId {
        let start = self.token.span;
        let kind = match self.token.kind {
            TokenKind::Punct(Punct::LeftBrace) => return self.block(),
            TokenKind::Punct(Punct::Semicolon) => {
                self.bump();
                StmtKind::Empty
            }
            TokenKind::Keyword(keyword) => match self.keyword_statement(keyword) {
                Some(kind) => kind,
                None => self.expression_statement(),
            },
            TokenKind::Ident(_) if self.is_civl() => match self.call_without_parentheses() {
                Some(kind) => kind,
                None => self.expression_statement(),
            },
            _ => self.expression_statement(),
        };
        let span = self.since(start);
        let stmt = self.add_stmt(span, kind);
        if !self.pending_loop_clauses.is_empty() {
            let clauses = std::mem::take(&mut self.pending_loop_clauses);
            self.unit.loop_clauses.insert(stmt, clauses);
        }
        stmt
    }

    pub(super) fn expression_statement(&mut self) -> StmtKind {
        let expr = self.expression();
        if !self.at(Punct::Semicolon) && self.is_misspelt_keyword(expr) {
            return StmtKind::Error;
        }
        let is_error = matches!(self.unit.exprs[expr].kind, ExprKind::Error);
        self.expect_semicolon("the expression");
        if is_error { StmtKind::Error } else { StmtKind::Expression(expr) }
    }

    fn keyword_statement(&mut self, keyword: Keyword) -> Option<StmtKind> {
        Some(match keyword {
            Keyword::If => self.deeper(Self::if_chain),
            Keyword::While => self.deeper(|parser| {
                let keyword = parser.bump();
                let condition = parser.condition();
                let (body, clauses) = parser.loop_body();
                parser.pending_loop_clauses = clauses;
                StmtKind::While { keyword, condition, body }
            }),
            Keyword::Do => self.deeper(Self::do_while),
            Keyword::For => self.deeper(Self::for_loop),
            Keyword::Switch => self.deeper(|parser| {
                let keyword = parser.bump();
                let condition = parser.condition();
                StmtKind::Switch { keyword, condition, body: parser.substatement() }
            }),
            Keyword::Goto => self.goto(),
            Keyword::Break => {
                self.bump();
                self.expect_semicolon("`break`");
                StmtKind::Break
            }
            Keyword::Continue => {
                self.bump();
                self.expect_semicolon("`continue`");
                StmtKind::Continue
            }
            Keyword::Return => {
                self.bump();
                let value = if self.at(Punct::Semicolon) || self.at(Punct::RightBrace) || self.starts_statement_surely()
                {
                    None
                } else {
                    Some(self.expression())
                };
                self.expect_semicolon("the `return` statement");
                StmtKind::Return(value)
            }
            Keyword::Asm => {
                let asm = self.asm();
                self.expect_semicolon("the `asm` statement");
                StmtKind::Asm(asm)
            }
            Keyword::Label => self.local_labels(),
            Keyword::Else => {
                let diagnostic = Diagnostic::error(codes::MISPLACED_KEYWORD, "`else` without `if`")
                    .label(self.token.span, "no `if` ends right before it")
                    .help("an `if` with several statements needs braces around them");
                self.report(diagnostic);
                self.bump();
                let body = self.deeper(Self::substatement);
                return Some(self.unit.stmts[body].kind);
            }
            _ => return self.civl_keyword_statement(keyword),
        })
    }

    fn civl_keyword_statement(&mut self, keyword: Keyword) -> Option<StmtKind> {
        self.deeper(|parser| parser.civl_statement(keyword))
    }

    /// `(e)` of `if`, `while`, `switch`, `$when`
    pub(super) fn condition(&mut self) -> ExprId {
        let open = self.token.span;
        if !self.expect(Punct::LeftParen) {
            return self.add_expr(open, ExprKind::Error);
        }
        let condition = self.expression();
        self.expect_close(Punct::RightParen, open);
        condition
    }

    /// A loop's clauses and its body.
    pub(super) fn loop_body(&mut self) -> (StmtId, List<ClauseId>) {
        let clauses = if self.at_keyword(Keyword::CivlInvariant) { self.clauses() } else { List::EMPTY };
        (self.substatement(), clauses)
    }

    /// `if … else if … else …`, read in a loop: generated programs chain thousands.
    fn if_chain(&mut self) -> StmtKind {
        let mut links: Vec<(Span, ExprId, StmtId)> = Vec::new();
        let mut otherwise = None;
        loop {
            let keyword = self.bump();
            let condition = self.condition();
            let then = self.substatement();
            links.push((keyword, condition, then));
            if !self.eat_keyword(Keyword::Else) {
                break;
            }
            if !self.at_keyword(Keyword::If) || !self.pending_annotations.is_empty() || !self.pending_pragmas.is_empty()
            {
                otherwise = Some(self.substatement());
                break;
            }
        }
        let mut result = StmtKind::Error;
        for (index, (keyword, condition, then)) in links.into_iter().enumerate().rev() {
            result = StmtKind::If { keyword, condition, then, otherwise };
            if index > 0 {
                let span = self.since(keyword);
                otherwise = Some(self.add_stmt(span, result));
            }
        }
        result
    }

    fn do_while(&mut self) -> StmtKind {
        let keyword = self.bump();
        let body = self.substatement();
        let while_keyword = self.token.span;
        if !self.eat_keyword(Keyword::While) {
            let diagnostic = Diagnostic::error(
                codes::SYNTAX,
                format!("expected `while` at the end of the `do` loop, found {}", self.found()),
            )
            .label(while_keyword, "expected `while (…);`")
            .label(keyword, "the loop starts here");
            self.report(diagnostic);
            return StmtKind::Error;
        }
        let condition = self.condition();
        if self.at_keyword(Keyword::CivlInvariant) {
            self.pending_loop_clauses = self.clauses();
        }
        self.expect_semicolon("the `do` loop");
        StmtKind::Do { keyword, body, while_keyword, condition }
    }

    fn for_loop(&mut self) -> StmtKind {
        let keyword = self.bump();
        let open = self.token.span;
        if !self.expect(Punct::LeftParen) {
            return StmtKind::Error;
        }
        self.scopes.enter();
        let errors_before = self.error_count;
        let start = self.token.span;
        let initial = if self.eat(Punct::Semicolon) {
            None
        } else if self.starts_declaration() || self.at_attribute() {
            let mut attributes = AttributeVec::new();
            self.attributes(&mut attributes);
            let outer = std::mem::replace(&mut self.is_in_head, true);
            let declaration = self.declaration(attributes);
            self.is_in_head = outer;
            Some(declaration)
        } else {
            let expr = self.expression();
            self.for_semicolon();
            let span = self.since(start);
            Some(self.add_stmt(span, StmtKind::Expression(expr)))
        };
        let (mut condition, mut step) = (None, None);
        if self.error_count > errors_before {
            self.skip_head();
        } else {
            if !self.at(Punct::Semicolon) {
                condition = Some(self.expression());
            }
            self.for_semicolon();
            if !self.at(Punct::RightParen) {
                step = Some(self.expression());
            }
            self.expect_close(Punct::RightParen, open);
        }
        let (body, clauses) = self.loop_body();
        self.scopes.leave();
        self.pending_loop_clauses = clauses;
        StmtKind::For { keyword, initial, condition, step, body }
    }

    /// The semicolons in a `for` head are never guessed.
    fn for_semicolon(&mut self) {
        if !self.eat(Punct::Semicolon) {
            self.error_expected("`;` in the head of the `for` loop");
        }
    }

    fn goto(&mut self) -> StmtKind {
        self.bump();
        let kind = if self.eat(Punct::Star) {
            StmtKind::GotoComputed(self.expression())
        } else {
            match self.expect_identifier("the name of a label") {
                Some(label) => StmtKind::Goto(label),
                None => StmtKind::Error,
            }
        };
        self.expect_semicolon("the `goto` statement");
        kind
    }

    /// `__label__ a, b;`
    fn local_labels(&mut self) -> StmtKind {
        self.bump();
        let mark = self.scratch.len();
        while let Some(name) = self.expect_identifier("the name of a label") {
            let id = self.unit.names.push(name);
            self.push_child(id);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        let names = self.finish_list(mark);
        self.expect_semicolon("the label declaration");
        StmtKind::LocalLabels(names)
    }

    /// `_Static_assert(e, "message");`
    fn static_assert(&mut self) -> StmtId {
        let start = self.token.span;
        let (condition, message) = self.static_assertion();
        let span = self.since(start);
        self.add_stmt(span, StmtKind::StaticAssert { condition, message })
    }

    pub(super) fn static_assertion(&mut self) -> (ExprId, Option<StringId>) {
        let start = self.bump();
        let open = self.token.span;
        if !self.expect(Punct::LeftParen) {
            return (self.add_expr(start, ExprKind::Error), None);
        }
        let condition = self.conditional_expression();
        let message = if self.eat(Punct::Comma) {
            if matches!(self.token.kind, TokenKind::Str { .. }) {
                Some(self.string())
            } else {
                self.error_expected("a string");
                None
            }
        } else {
            None
        };
        self.expect_close(Punct::RightParen, open);
        self.expect_semicolon("the assertion");
        (condition, message)
    }
}
