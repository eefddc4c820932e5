//! What CIVL-C adds: quantifiers and lambdas in both syntaxes, `$spawn`, `$D`, contract clauses and guarded statements.

use super::Parser;
use super::expression::RANGE;
use crate::ast::*;
use crate::token::{Keyword, Punct, TokenKind};
use quod_base::Span;

impl Parser<'_> {
    /// Expressions that start with a `$` keyword and have an operand.
    pub(super) fn civl_prefix(&mut self, keyword: Keyword) -> Option<ExprId> {
        let quantifier = match keyword {
            Keyword::CivlForall => Quantifier::Forall,
            Keyword::CivlExists => Quantifier::Exists,
            Keyword::CivlUniform => Quantifier::Uniform,
            Keyword::CivlSum => Quantifier::Sum,
            Keyword::CivlLambda => Quantifier::Lambda,
            Keyword::CivlSpawn | Keyword::CivlScopeof | Keyword::CivlBigO | Keyword::CivlCalls => {
                let start = self.bump();
                let operand = self.deeper(|parser| match keyword {
                    Keyword::CivlBigO => parser.cast_expression(),
                    _ => parser.unary_expression(),
                });
                let kind = match keyword {
                    Keyword::CivlSpawn => ExprKind::Spawn(operand),
                    Keyword::CivlScopeof => ExprKind::ScopeOf(operand),
                    Keyword::CivlBigO => ExprKind::BigO(operand),
                    _ => ExprKind::Calls(operand),
                };
                let span = self.since(start);
                return Some(self.add_expr(span, kind));
            }
            _ => return None,
        };
        Some(self.deeper(|parser| parser.quantified(quantifier)))
    }

    /// `$self` and its like; `$D[…](…)`.
    pub(super) fn civl_primary(&mut self, keyword: Keyword) -> Option<ExprKind> {
        let kind = match keyword {
            Keyword::CivlSelf => ExprKind::SelfProcess,
            Keyword::CivlProcNull => ExprKind::ProcNull,
            Keyword::CivlHere => ExprKind::Here,
            Keyword::CivlRoot => ExprKind::Root,
            Keyword::CivlResult => ExprKind::Result,
            Keyword::CivlDerivative => return Some(self.derivative()),
            _ => return None,
        };
        self.bump();
        Some(kind)
    }

    /// `$forall (int i : 0 .. n-1 | r) e`, `$forall {int i | r} e`, `$forall {int i = lo .. hi} e`
    fn quantified(&mut self, quantifier: Quantifier) -> ExprId {
        let keyword = self.bump();
        let mark = self.scratch.len();
        while self.at(Punct::LeftBracket) {
            let open = self.bump();
            for separator in [Punct::Comma, Punct::RightBracket] {
                let bound = self.conditional_expression();
                self.push_child(bound);
                if separator == Punct::Comma {
                    self.expect(separator);
                } else {
                    self.expect_close(separator, open);
                }
            }
        }
        let intervals = self.finish_list(mark);
        let open = self.token.span;
        let close = if self.at(Punct::LeftBrace) { Punct::RightBrace } else { Punct::RightParen };
        if close == Punct::RightBrace {
            self.bump();
        } else {
            self.expect(Punct::LeftParen);
        }
        self.scopes.enter();
        let mark = self.scratch.len();
        loop {
            let binder = self.binder();
            self.push_child(binder);
            let goes_on = self.at(Punct::Semicolon) || self.at(Punct::Comma);
            if self.recovering || !goes_on {
                break;
            }
            self.bump();
        }
        let binders = self.finish_list(mark);
        let restriction = self.eat(Punct::Pipe).then(|| self.conditional_expression());
        self.expect_close(close, open);
        let body = self.assignment_expression();
        self.scopes.leave();
        let quantified = Quantified { quantifier, keyword, intervals, binders, restriction, body };
        let id = self.unit.quantified.push(quantified);
        let span = self.since(keyword);
        self.add_expr(span, ExprKind::Quantified(id))
    }

    /// `int i, j : domain`
    fn binder(&mut self) -> BinderId {
        let start = self.token.span;
        let specifiers =
            if self.kind_starts_type(self.token.kind) { self.type_specifiers() } else { self.no_specifiers() };
        let mark = self.scratch.len();
        loop {
            let declarator = self.named_declarator();
            self.push_child(declarator);
            if let Some(name) = self.unit.declared_name(declarator) {
                self.scopes.declare_name(name.symbol);
            }
            if !self.at(Punct::Comma) || self.kind_starts_type(self.peek()) {
                break;
            }
            self.bump();
        }
        let declarators = self.finish_list(mark);
        let has_domain = self.eat(Punct::Colon) || self.eat(Punct::Equal);
        let domain = has_domain.then(|| self.binary_expression(RANGE));
        let span = self.since(start);
        self.unit.binders.push(Binder { span, specifiers, declarators, domain })
    }

    /// `$D[f, {x, 2}, {y, 1}](a, b)`
    fn derivative(&mut self) -> ExprKind {
        self.bump();
        let open = self.token.span;
        self.expect(Punct::LeftBracket);
        let Some(function) = self.expect_identifier("the name of a function") else { return ExprKind::Error };
        let mut orders = Vec::new();
        let mark = self.scratch.len();
        while self.eat(Punct::Comma) {
            let brace = self.token.span;
            self.expect(Punct::LeftBrace);
            if let Some(variable) = self.expect_identifier("the name of a parameter") {
                let name = self.unit.names.push(variable);
                self.push_child(name);
            }
            self.expect(Punct::Comma);
            orders.push(self.conditional_expression());
            self.expect_close(Punct::RightBrace, brace);
        }
        let variables = self.finish_list(mark);
        let mark = self.scratch.len();
        for order in orders {
            self.push_child(order);
        }
        let orders = self.finish_list(mark);
        self.expect_close(Punct::RightBracket, open);
        let open = self.token.span;
        self.expect(Punct::LeftParen);
        let arguments = self.expression_list(Punct::RightParen);
        let close = self.expect_close(Punct::RightParen, open);
        let derivative = Derivative { function, variables, orders, arguments, close };
        ExprKind::Derivative(self.unit.derivatives.push(derivative))
    }

    /// `$requires {e}`, `$invariant (e)`, `$assigns [c] {a, b}`: any number of them.
    pub(super) fn clauses(&mut self) -> List<ClauseId> {
        let mark = self.scratch.len();
        while let TokenKind::Keyword(keyword) = self.token.kind {
            let kind = match keyword {
                Keyword::CivlRequires => ClauseKind::Requires,
                Keyword::CivlEnsures => ClauseKind::Ensures,
                Keyword::CivlInvariant => ClauseKind::Invariant,
                Keyword::CivlAssigns => ClauseKind::Assigns,
                Keyword::CivlReads => ClauseKind::Reads,
                Keyword::CivlDepends => ClauseKind::Depends,
                Keyword::CivlGuard => ClauseKind::Guard,
                Keyword::CivlCalls => ClauseKind::Calls,
                _ => break,
            };
            let clause = self.clause(kind);
            self.push_child(clause);
            if self.recovering {
                break;
            }
        }
        self.finish_list(mark)
    }

    fn clause(&mut self, kind: ClauseKind) -> ClauseId {
        let start = self.bump();
        let open = self.token.span;
        let condition = self.eat(Punct::LeftBracket).then(|| {
            let condition = self.expression();
            self.expect_close(Punct::RightBracket, open);
            condition
        });
        let open = self.token.span;
        let arguments = if self.at(Punct::LeftBrace) || self.at(Punct::LeftParen) {
            let close = if self.at(Punct::LeftBrace) { Punct::RightBrace } else { Punct::RightParen };
            self.bump();
            let arguments = self.expression_list(close);
            self.expect_close(close, open);
            arguments
        } else {
            // The oldest form: `$requires x > 0;`
            let mark = self.scratch.len();
            let argument = self.expression();
            self.push_child(argument);
            self.expect_semicolon("the clause");
            self.finish_list(mark)
        };
        let span = self.since(start);
        self.unit.clauses.push(Clause { span, kind, condition, arguments })
    }

    /// Statements that start with a `$` keyword.
    pub(super) fn civl_statement(&mut self, keyword: Keyword) -> Option<StmtKind> {
        Some(match keyword {
            Keyword::CivlWhen => {
                let keyword = self.bump();
                let guard = self.condition();
                StmtKind::When { keyword, guard, body: self.substatement() }
            }
            Keyword::CivlAtomic => {
                let keyword = self.bump();
                StmtKind::Atomic { keyword, body: self.substatement() }
            }
            Keyword::CivlAtom => {
                let keyword = self.bump();
                StmtKind::Atom { keyword, body: self.substatement() }
            }
            Keyword::CivlRun => {
                let keyword = self.bump();
                StmtKind::Run { keyword, body: self.substatement() }
            }
            Keyword::CivlChoose => self.choose(),
            Keyword::CivlFor | Keyword::CivlParfor => return Some(self.domain_for(keyword)),
            Keyword::CivlInvariant => {
                let keyword = self.bump();
                let condition = self.condition();
                self.expect_semicolon("the invariant");
                StmtKind::Invariant { keyword, condition }
            }
            _ => return None,
        })
    }

    /// `$wait p;`, `$assert e;` and `$assume e;` of the oldest dialect: the calls that are written with parentheses today.
    pub(super) fn call_without_parentheses(&mut self) -> Option<StmtKind> {
        let TokenKind::Ident(symbol) = self.token.kind else { return None };
        if self.peek_is(Punct::LeftParen) || !matches!(symbol.as_str(), "$wait" | "$assert" | "$assume") {
            return None;
        }
        let name = self.bump();
        let callee = self.add_expr(name, ExprKind::Identifier(symbol));
        let mark = self.scratch.len();
        let argument = self.assignment_expression();
        self.push_child(argument);
        let arguments = self.finish_list(mark);
        let close = self.behind();
        let span = self.since(name);
        let call = self.add_expr(span, ExprKind::Call { callee, arguments, close });
        self.expect_semicolon("the statement");
        Some(StmtKind::Expression(call))
    }

    /// `$choose { s t default: u }`
    fn choose(&mut self) -> StmtKind {
        let keyword = self.bump();
        let open = self.token.span;
        if !self.expect(Punct::LeftBrace) {
            return StmtKind::Error;
        }
        let (alternatives, close) = self.statements_until_brace(open);
        StmtKind::Choose { keyword, alternatives, close }
    }

    /// `$for (int i, j : d) s`, `$parfor (int i, j : d) s`
    fn domain_for(&mut self, word: Keyword) -> StmtKind {
        let keyword = self.bump();
        let open: Span = self.token.span;
        self.expect(Punct::LeftParen);
        self.scopes.enter();
        let binder = self.binder();
        self.expect_close(Punct::RightParen, open);
        let (body, clauses) = self.loop_body();
        self.scopes.leave();
        self.pending_loop_clauses = clauses;
        match word {
            Keyword::CivlFor => StmtKind::DomainFor { keyword, binder, body },
            _ => StmtKind::ParallelFor { keyword, binder, body },
        }
    }
}
