//! Expressions: precedence climbing over the binary operators, then casts and prefix operators.

use super::Parser;
use crate::ast::*;
use crate::token::{Keyword, Punct, TokenKind};
use quod_base::Span;

/// What an infix token does.
#[derive(Copy, Clone)]
enum Infix {
    Binary(BinaryOp),
    /// `a .. b # c`
    Range,
    /// `a @ b`
    Remote,
}

/// Of `..`, which binds tighter than shifts and weaker than `+`.
pub(super) const RANGE: u8 = 10;

fn infix(kind: TokenKind) -> Option<(u8, Infix)> {
    use BinaryOp::*;
    let TokenKind::Punct(punct) = kind else { return None };
    let (precedence, op) = match punct {
        Punct::Implies => (1, Implies),
        Punct::PipePipe => (2, LogicalOr),
        Punct::AmpAmp => (3, LogicalAnd),
        Punct::Pipe => (4, BitOr),
        Punct::Caret => (5, BitXor),
        Punct::Amp => (6, BitAnd),
        Punct::EqualEqual => (7, Equal),
        Punct::BangEqual => (7, NotEqual),
        Punct::Less => (8, Less),
        Punct::Greater => (8, Greater),
        Punct::LessEqual => (8, LessEqual),
        Punct::GreaterEqual => (8, GreaterEqual),
        Punct::LessLess => (9, ShiftLeft),
        Punct::GreaterGreater => (9, ShiftRight),
        Punct::DotDot => return Some((RANGE, Infix::Range)),
        Punct::Plus => (11, Add),
        Punct::Minus => (11, Subtract),
        Punct::Star => (12, Multiply),
        Punct::Slash => (12, Divide),
        Punct::Percent => (12, Remainder),
        Punct::At => return Some((13, Infix::Remote)),
        _ => return None,
    };
    Some((precedence, Infix::Binary(op)))
}

/// `None` for tokens that assign nothing; `Some(None)` for plain `=`.
fn assignment(kind: TokenKind) -> Option<Option<BinaryOp>> {
    use BinaryOp::*;
    let TokenKind::Punct(punct) = kind else { return None };
    Some(Some(match punct {
        Punct::Equal => return Some(None),
        Punct::StarEqual => Multiply,
        Punct::SlashEqual => Divide,
        Punct::PercentEqual => Remainder,
        Punct::PlusEqual => Add,
        Punct::MinusEqual => Subtract,
        Punct::LessLessEqual => ShiftLeft,
        Punct::GreaterGreaterEqual => ShiftRight,
        Punct::AmpEqual => BitAnd,
        Punct::CaretEqual => BitXor,
        Punct::PipeEqual => BitOr,
        _ => return None,
    }))
}

impl Parser<'_> {
    fn span_of(&self, expr: ExprId) -> Span {
        self.unit.exprs[expr].span
    }

    /// `a, b`
    pub(super) fn expression(&mut self) -> ExprId {
        let mut left = self.assignment_expression();
        while self.at(Punct::Comma) {
            let op_span = self.bump();
            let right = self.assignment_expression();
            let span = self.join(self.span_of(left), self.span_of(right));
            left = self.add_expr(span, ExprKind::Comma { op_span, left, right });
        }
        left
    }

    /// `a = b`, and everything that binds tighter.
    pub(super) fn assignment_expression(&mut self) -> ExprId {
        let target = self.conditional_expression();
        let Some(op) = assignment(self.token.kind) else { return target };
        let op_span = self.bump();
        let value = self.deeper(Self::assignment_expression);
        let span = self.join(self.span_of(target), self.span_of(value));
        self.add_expr(span, ExprKind::Assign { op, op_span, target, value })
    }

    /// `a ? b : c`, and everything that binds tighter. Also constant expressions.
    pub(super) fn conditional_expression(&mut self) -> ExprId {
        let condition = self.binary_expression(0);
        if !self.at(Punct::Question) {
            return condition;
        }
        let question = self.bump();
        self.deeper(|parser| {
            let then = if parser.at(Punct::Colon) { None } else { Some(parser.expression()) };
            parser.expect(Punct::Colon);
            let otherwise = parser.conditional_expression();
            let span = parser.join(parser.span_of(condition), parser.span_of(otherwise));
            parser.add_expr(span, ExprKind::Conditional { condition, question, then, otherwise })
        })
    }

    /// Binary operators of at least this precedence.
    pub(super) fn binary_expression(&mut self, minimum: u8) -> ExprId {
        let mut left = self.cast_expression();
        while let Some((precedence, infix)) = infix(self.token.kind) {
            if precedence < minimum {
                break;
            }
            let op_span = self.bump();
            let kind = match infix {
                Infix::Binary(op @ BinaryOp::Implies) => {
                    let right = self.deeper(|parser| parser.binary_expression(precedence));
                    ExprKind::Binary { op, op_span, left, right }
                }
                Infix::Binary(op) => {
                    let right = self.binary_expression(precedence + 1);
                    ExprKind::Binary { op, op_span, left, right }
                }
                Infix::Range => {
                    let high = self.binary_expression(precedence + 1);
                    let step = self.eat(Punct::Hash).then(|| self.binary_expression(precedence + 1));
                    ExprKind::Range { low: left, high, step }
                }
                Infix::Remote => ExprKind::Remote { expr: left, process: self.binary_expression(precedence + 1) },
            };
            let span = self.join(self.span_of(left), self.previous);
            left = self.add_expr(span, kind);
        }
        left
    }

    /// `(T)e`, `(T){…}` and unary expressions.
    pub(super) fn cast_expression(&mut self) -> ExprId {
        if self.at(Punct::LeftParen) && self.parenthesis_starts_type() {
            return self.deeper(Self::cast_or_compound_literal);
        }
        self.unary_expression()
    }

    /// Whether the `(` at the current token is followed by a type.
    pub(super) fn parenthesis_starts_type(&self) -> bool {
        match self.peek() {
            TokenKind::Keyword(Keyword::Extension) => self.kind_starts_type(self.peek_at(2).0),
            TokenKind::Keyword(Keyword::Attribute) => true,
            kind => self.kind_starts_type(kind),
        }
    }

    fn cast_or_compound_literal(&mut self) -> ExprId {
        let open = self.bump();
        let ty = self.type_name();
        self.expect_close(Punct::RightParen, open);
        if self.at(Punct::LeftBrace) {
            let literal = self.compound_literal(open, ty);
            return self.postfix_expression(literal);
        }
        let operand = self.cast_expression();
        let span = self.join(open, self.span_of(operand));
        self.add_expr(span, ExprKind::Cast { ty, operand })
    }

    fn compound_literal(&mut self, open: Span, ty: TypeNameId) -> ExprId {
        let initializer = self.braced_initializer();
        let span = self.since(open);
        self.add_expr(span, ExprKind::CompoundLiteral { ty, initializer })
    }

    pub(super) fn unary_expression(&mut self) -> ExprId {
        match self.token.kind {
            TokenKind::Punct(punct) => {
                let op = match punct {
                    Punct::Plus => UnaryOp::Plus,
                    Punct::Minus => UnaryOp::Minus,
                    Punct::Tilde => UnaryOp::BitNot,
                    Punct::Bang => UnaryOp::Not,
                    Punct::Star => UnaryOp::Dereference,
                    Punct::Amp => UnaryOp::AddressOf,
                    Punct::PlusPlus => UnaryOp::PreIncrement,
                    Punct::MinusMinus => UnaryOp::PreDecrement,
                    Punct::AmpAmp => return self.label_address(),
                    _ => return self.primary_and_postfix(),
                };
                self.prefix(op)
            }
            TokenKind::Keyword(keyword) => match keyword {
                Keyword::Sizeof | Keyword::Alignof => self.deeper(|parser| parser.size_or_alignment(keyword)),
                Keyword::Real => self.prefix(UnaryOp::Real),
                Keyword::Imag => self.prefix(UnaryOp::Imaginary),
                Keyword::Extension => {
                    self.bump();
                    self.deeper(Self::cast_expression)
                }
                _ => match self.civl_prefix(keyword) {
                    Some(expr) => expr,
                    None => self.primary_and_postfix(),
                },
            },
            _ => self.primary_and_postfix(),
        }
    }

    fn prefix(&mut self, op: UnaryOp) -> ExprId {
        let op_span = self.bump();
        let operand = self.deeper(Self::cast_expression);
        let span = self.join(op_span, self.span_of(operand));
        self.add_expr(span, ExprKind::Unary { op, op_span, operand })
    }

    /// GNU's `&&label`
    fn label_address(&mut self) -> ExprId {
        let start = self.bump();
        let kind = match self.expect_identifier("the name of a label") {
            Some(label) => ExprKind::LabelAddress(label),
            None => ExprKind::Error,
        };
        let span = self.since(start);
        self.add_expr(span, kind)
    }

    /// `sizeof e`, `sizeof(T)`, `sizeof (T){…}` and the same of `_Alignof`
    fn size_or_alignment(&mut self, keyword: Keyword) -> ExprId {
        let start = self.bump();
        let is_size = keyword == Keyword::Sizeof;
        let kind = if self.at(Punct::LeftParen) && self.parenthesis_starts_type() {
            let open = self.bump();
            let ty = self.type_name();
            self.expect_close(Punct::RightParen, open);
            if self.at(Punct::LeftBrace) {
                let literal = self.compound_literal(open, ty);
                let operand = self.postfix_expression(literal);
                if is_size { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand) }
            } else if is_size {
                ExprKind::SizeofType(ty)
            } else {
                ExprKind::AlignofType(ty)
            }
        } else {
            let operand = self.unary_expression();
            if is_size { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand) }
        };
        let span = self.since(start);
        self.add_expr(span, kind)
    }

    /// Expressions separated by commas, up to `close`, which is not consumed.
    pub(super) fn expression_list(&mut self, close: Punct) -> List<ExprId> {
        let mark = self.scratch.len();
        if !self.at(close) {
            loop {
                let argument = self.assignment_expression();
                self.push_child(argument);
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
        }
        self.finish_list(mark)
    }
}
