//! Initialisers: expressions and braced lists with designators.

use super::Parser;
use crate::ast::*;
use crate::token::{Punct, TokenKind};

impl Parser<'_> {
    pub(super) fn initializer(&mut self) -> InitializerId {
        if self.at(Punct::LeftBrace) {
            return self.braced_initializer();
        }
        let value = self.assignment_expression();
        let span = self.unit.exprs[value].span;
        let kind = InitializerKind::Expr(value);
        self.unit.initializers.push(Initializer { span, designators: List::EMPTY, kind })
    }

    /// `{ a, .b = c, [1 ... 2] = { d }, }`; the current token is the brace.
    pub(super) fn braced_initializer(&mut self) -> InitializerId {
        self.deeper(|parser| {
            let open = parser.bump();
            let mark = parser.scratch.len();
            while !parser.at(Punct::RightBrace) && !parser.at_eof() {
                let designators = parser.designators();
                let element = parser.initializer();
                if !designators.is_empty() {
                    parser.unit.initializers[element].designators = designators;
                }
                parser.push_child(element);
                if !parser.eat(Punct::Comma) {
                    break;
                }
            }
            let elements = parser.finish_list(mark);
            parser.expect_list_close(Punct::RightBrace, open);
            let span = parser.since(open);
            let kind = InitializerKind::List(elements);
            parser.unit.initializers.push(Initializer { span, designators: List::EMPTY, kind })
        })
    }

    /// `.a[2] =`, `a:`, `[2]`; empty without a designator.
    fn designators(&mut self) -> List<DesignatorId> {
        match self.token.kind {
            TokenKind::Punct(Punct::Dot | Punct::LeftBracket) => {}
            TokenKind::Ident(symbol) if self.peek_is(Punct::Colon) => {
                let span = self.bump();
                self.bump();
                let kind = DesignatorKind::Field(Name { symbol, span });
                let mark = self.scratch.len();
                let designator = self.unit.designators.push(Designator { span, kind });
                self.push_child(designator);
                return self.finish_list(mark);
            }
            _ => return List::EMPTY,
        }
        let mark = self.scratch.len();
        loop {
            let start = self.token.span;
            let kind = match self.token.kind {
                TokenKind::Punct(Punct::Dot) => {
                    self.bump();
                    match self.expect_identifier("the name of a member") {
                        Some(name) => DesignatorKind::Field(name),
                        None => break,
                    }
                }
                TokenKind::Punct(Punct::LeftBracket) => {
                    self.bump();
                    let low = self.conditional_expression();
                    let kind = if self.eat(Punct::Ellipsis) {
                        DesignatorKind::Range { low, high: self.conditional_expression() }
                    } else {
                        DesignatorKind::Index(low)
                    };
                    self.expect_close(Punct::RightBracket, start);
                    kind
                }
                _ => break,
            };
            let span = self.since(start);
            let designator = self.unit.designators.push(Designator { span, kind });
            self.push_child(designator);
            if self.recovering {
                break;
            }
        }
        // GNU C allows `[2] value` without `=`.
        self.eat(Punct::Equal);
        self.finish_list(mark)
    }
}
