//! Primary expressions and what may follow them: calls, members, indices, `++` and `--`; the builtins that take types.

use super::Parser;
use crate::ast::*;
use crate::token::{Keyword, Punct, TokenKind};
use quod_base::{Span, Symbol};
use quod_diag::{Diagnostic, codes};

impl Parser<'_> {
    pub(super) fn primary_and_postfix(&mut self) -> ExprId {
        let primary = self.primary_expression();
        self.postfix_expression(primary)
    }

    pub(super) fn postfix_expression(&mut self, mut expr: ExprId) -> ExprId {
        loop {
            let TokenKind::Punct(punct) = self.token.kind else { return expr };
            let start = self.unit.exprs[expr].span;
            let kind = match punct {
                Punct::LeftParen => self.deeper(|parser| parser.call(expr)),
                Punct::LeftBracket => {
                    let open = self.bump();
                    let index = self.deeper(Self::expression);
                    self.expect_close(Punct::RightBracket, open);
                    ExprKind::Index { base: expr, index }
                }
                Punct::Dot | Punct::Arrow => {
                    self.bump();
                    match self.expect_identifier("the name of a member") {
                        Some(member) => ExprKind::Member { base: expr, member, is_arrow: punct == Punct::Arrow },
                        None => ExprKind::Error,
                    }
                }
                Punct::PlusPlus | Punct::MinusMinus => {
                    let op_span = self.bump();
                    let op = if punct == Punct::PlusPlus { UnaryOp::PostIncrement } else { UnaryOp::PostDecrement };
                    ExprKind::Unary { op, op_span, operand: expr }
                }
                Punct::LessLessLess => self.kernel_launch(expr),
                _ => return expr,
            };
            let span = self.since(start);
            expr = self.add_expr(span, kind);
        }
    }

    fn call(&mut self, callee: ExprId) -> ExprKind {
        let open = self.bump();
        let arguments = self.expression_list(Punct::RightParen);
        let close = self.expect_list_close(Punct::RightParen, open);
        ExprKind::Call { callee, arguments, close }
    }

    /// `f<<<grid, block>>>(a)`
    fn kernel_launch(&mut self, callee: ExprId) -> ExprKind {
        self.bump();
        let configuration = self.expression_list(Punct::GreaterGreaterGreater);
        self.expect(Punct::GreaterGreaterGreater);
        let open = self.token.span;
        if !self.expect(Punct::LeftParen) {
            return ExprKind::Error;
        }
        let arguments = self.expression_list(Punct::RightParen);
        self.expect_close(Punct::RightParen, open);
        ExprKind::KernelLaunch { callee, configuration, arguments }
    }

    fn primary_expression(&mut self) -> ExprId {
        let start = self.token.span;
        let kind = match self.token.kind {
            TokenKind::Ident(symbol) => {
                if self.name_is_type(symbol) {
                    return self.error_type_as_expression(symbol);
                }
                self.bump();
                ExprKind::Identifier(symbol)
            }
            TokenKind::Number(text) => {
                self.bump();
                self.number(text, start)
            }
            TokenKind::Char { prefix, text } => {
                self.bump();
                self.character(prefix, text, start)
            }
            TokenKind::Str { .. } => {
                let string = self.string();
                let span = self.unit.strings[string].span;
                return self.add_expr(span, ExprKind::String(string));
            }
            TokenKind::Punct(Punct::LeftParen) => return self.deeper(Self::parenthesized),
            TokenKind::Punct(Punct::Ellipsis) if self.is_civl() => {
                self.bump();
                ExprKind::Ellipsis
            }
            TokenKind::Keyword(keyword) => return self.keyword_expression(keyword),
            _ => return self.error_no_expression(),
        };
        self.add_expr(start, kind)
    }

    /// `(e)` and `({ … })`
    fn parenthesized(&mut self) -> ExprId {
        let open = self.bump();
        let kind = if self.at(Punct::LeftBrace) {
            let block = self.block();
            ExprKind::StatementExpression(block)
        } else {
            let inner = self.expression();
            ExprKind::Parenthesized(inner)
        };
        self.expect_close(Punct::RightParen, open);
        let span = self.since(open);
        self.add_expr(span, kind)
    }

    fn keyword_expression(&mut self, keyword: Keyword) -> ExprId {
        let start = self.token.span;
        let kind = match keyword {
            Keyword::True | Keyword::False => {
                self.bump();
                ExprKind::Boolean(keyword == Keyword::True)
            }
            Keyword::Nullptr => {
                self.bump();
                ExprKind::Nullptr
            }
            Keyword::FunctionName => {
                let text = match self.source_map.text(start) {
                    Some(text) if text.starts_with("__") => Symbol::intern(text),
                    _ => Symbol::intern(keyword.as_str()),
                };
                self.bump();
                ExprKind::Identifier(text)
            }
            Keyword::Generic => self.deeper(Self::generic_selection),
            Keyword::BuiltinVaArg
            | Keyword::BuiltinOffsetof
            | Keyword::BuiltinTypesCompatible
            | Keyword::BuiltinChooseExpr
            | Keyword::BuiltinConvertVector => self.deeper(|parser| parser.builtin(keyword)),
            Keyword::BuiltinComplex | Keyword::BuiltinTgmath | Keyword::BuiltinHasAttribute => {
                self.deeper(|parser| parser.builtin_call(keyword))
            }
            _ => match self.civl_primary(keyword) {
                Some(kind) => kind,
                None => return self.error_no_expression(),
            },
        };
        let span = self.since(start);
        self.add_expr(span, kind)
    }

    /// `_Generic(e, T: a, default: b)`
    fn generic_selection(&mut self) -> ExprKind {
        self.bump();
        let open = self.token.span;
        if !self.expect(Punct::LeftParen) {
            return ExprKind::Error;
        }
        let control = if self.kind_starts_type(self.token.kind) {
            GenericControl::Type(self.type_name())
        } else {
            GenericControl::Expr(self.assignment_expression())
        };
        let mark = self.scratch.len();
        while self.eat(Punct::Comma) {
            let start = self.token.span;
            let ty = if self.eat_keyword(Keyword::Default) { None } else { Some(self.type_name()) };
            self.expect(Punct::Colon);
            let value = self.assignment_expression();
            let span = self.since(start);
            let association = self.unit.associations.push(Association { span, ty, value });
            self.push_child(association);
        }
        let associations = self.finish_list(mark);
        self.expect_close(Punct::RightParen, open);
        ExprKind::Generic { control, associations }
    }

    /// The builtins whose arguments are no ordinary expressions.
    fn builtin(&mut self, keyword: Keyword) -> ExprKind {
        self.bump();
        let open = self.token.span;
        if !self.expect(Punct::LeftParen) {
            return ExprKind::Error;
        }
        let kind = match keyword {
            Keyword::BuiltinVaArg => {
                let list = self.assignment_expression();
                self.expect(Punct::Comma);
                ExprKind::VaArg { list, ty: self.type_name() }
            }
            Keyword::BuiltinOffsetof => {
                let ty = self.type_name();
                self.expect(Punct::Comma);
                ExprKind::Offsetof { ty, path: self.offsetof_path() }
            }
            Keyword::BuiltinTypesCompatible => {
                let left = self.type_name();
                self.expect(Punct::Comma);
                ExprKind::TypesCompatible { left, right: self.type_name() }
            }
            Keyword::BuiltinConvertVector => {
                let operand = self.assignment_expression();
                self.expect(Punct::Comma);
                ExprKind::ConvertVector { operand, ty: self.type_name() }
            }
            _ => {
                let condition = self.assignment_expression();
                self.expect(Punct::Comma);
                let then = self.assignment_expression();
                self.expect(Punct::Comma);
                ExprKind::Choose { condition, then, otherwise: self.assignment_expression() }
            }
        };
        self.expect_close(Punct::RightParen, open);
        kind
    }

    /// `a.b[2].c`
    fn offsetof_path(&mut self) -> List<DesignatorId> {
        let mark = self.scratch.len();
        let mut start = self.token.span;
        if let Some(name) = self.expect_identifier("the name of a member") {
            let first = Designator { span: start, kind: DesignatorKind::Field(name) };
            let id = self.unit.designators.push(first);
            self.push_child(id);
        }
        loop {
            start = self.token.span;
            let kind = match self.token.kind {
                TokenKind::Punct(Punct::Dot | Punct::Arrow) => {
                    self.bump();
                    match self.expect_identifier("the name of a member") {
                        Some(name) => DesignatorKind::Field(name),
                        None => break,
                    }
                }
                TokenKind::Punct(Punct::LeftBracket) => {
                    self.bump();
                    let index = self.expression();
                    self.expect_close(Punct::RightBracket, start);
                    DesignatorKind::Index(index)
                }
                _ => break,
            };
            let span = self.since(start);
            let id = self.unit.designators.push(Designator { span, kind });
            self.push_child(id);
        }
        self.finish_list(mark)
    }

    /// A builtin that is written as a call and takes types among its arguments.
    fn builtin_call(&mut self, keyword: Keyword) -> ExprKind {
        let name = self.bump();
        let callee = self.add_expr(name, ExprKind::Identifier(Symbol::intern(keyword.as_str())));
        let open = self.token.span;
        if !self.expect(Punct::LeftParen) {
            return ExprKind::Error;
        }
        let arguments = self.mixed_arguments();
        let close = self.expect_close(Punct::RightParen, open);
        ExprKind::Call { callee, arguments, close }
    }

    /// Arguments that may be types, up to the closing parenthesis.
    pub(super) fn mixed_arguments(&mut self) -> List<ExprId> {
        let mark = self.scratch.len();
        while !self.at(Punct::RightParen) && !self.at_eof() {
            let start = self.token.span;
            let argument = if self.kind_starts_type(self.token.kind) {
                let ty = self.type_name();
                let span = self.since(start);
                self.add_expr(span, ExprKind::Type(ty))
            } else {
                self.assignment_expression()
            };
            self.push_child(argument);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.finish_list(mark)
    }

    fn error_no_expression(&mut self) -> ExprId {
        let span = self.token.span;
        self.error_expected("an expression");
        self.add_expr(span, ExprKind::Error)
    }

    fn error_type_as_expression(&mut self, symbol: Symbol) -> ExprId {
        let span: Span = self.token.span;
        let diagnostic = Diagnostic::error(codes::SYNTAX, format!("expected an expression, found the type `{symbol}`"))
            .label(span, "this is a type")
            .help("declare a variable of the type, or cast with `(type)expression`");
        self.report(diagnostic);
        self.bump();
        self.add_expr(span, ExprKind::Error)
    }
}
