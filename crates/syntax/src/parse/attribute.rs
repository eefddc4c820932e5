//! Attributes: GNU's `__attribute__((…))` and C23's `[[…]]`.

use super::Parser;
use crate::ast::*;
use crate::token::{Keyword, Punct, TokenKind};
use quod_base::{Id, Symbol};

/// Attributes collected from several places of one declaration, as raw ids.
pub(super) type AttributeVec = Vec<u32>;

impl Parser<'_> {
    pub(super) fn at_attribute(&self) -> bool {
        self.at_keyword(Keyword::Attribute) || self.at(Punct::LeftBracket) && self.peek_is(Punct::LeftBracket)
    }

    /// Reads all attributes at the current token.
    pub(super) fn attributes(&mut self, out: &mut AttributeVec) {
        loop {
            if self.at_keyword(Keyword::Attribute) {
                self.gnu_attributes(out);
            } else if self.at(Punct::LeftBracket) && self.peek_is(Punct::LeftBracket) {
                self.standard_attributes(out);
            } else {
                return;
            }
        }
    }

    pub(super) fn attribute_list(&mut self, attributes: &AttributeVec) -> List<AttributeId> {
        self.unit.make_list(attributes)
    }

    /// Attributes that stand in one place only.
    pub(super) fn attributes_here(&mut self) -> List<AttributeId> {
        if !self.at_attribute() {
            return List::EMPTY;
        }
        let mut attributes = AttributeVec::new();
        self.attributes(&mut attributes);
        self.attribute_list(&attributes)
    }

    fn gnu_attributes(&mut self, out: &mut AttributeVec) {
        self.bump();
        let outer = self.token.span;
        if !self.expect(Punct::LeftParen) {
            return;
        }
        let inner = self.token.span;
        self.expect(Punct::LeftParen);
        while !self.at(Punct::RightParen) && !self.at_eof() && !self.recovering {
            if self.eat(Punct::Comma) {
                continue;
            }
            self.attribute(out);
        }
        self.expect_close(Punct::RightParen, inner);
        self.expect_close(Punct::RightParen, outer);
    }

    fn standard_attributes(&mut self, out: &mut AttributeVec) {
        let outer = self.bump();
        let inner = self.bump();
        while !self.at(Punct::RightBracket) && !self.at_eof() && !self.recovering {
            if self.eat(Punct::Comma) {
                continue;
            }
            self.attribute(out);
        }
        self.expect_close(Punct::RightBracket, inner);
        self.expect_close(Punct::RightBracket, outer);
    }

    /// `name`, `name(arguments)`, `space::name(arguments)`
    fn attribute(&mut self, out: &mut AttributeVec) {
        let start = self.token.span;
        let Some(mut name) = self.attribute_name() else {
            self.error_expected("the name of an attribute");
            return;
        };
        let mut namespace = None;
        if self.at(Punct::Colon) && self.peek_is(Punct::Colon) {
            self.bump();
            self.bump();
            namespace = Some(name);
            match self.attribute_name() {
                Some(second) => name = second,
                None => self.error_expected("the name of an attribute"),
            }
        }
        let open = self.token.span;
        let arguments = if self.eat(Punct::LeftParen) {
            let arguments = self.deeper(Self::mixed_arguments);
            self.expect_close(Punct::RightParen, open);
            arguments
        } else {
            List::EMPTY
        };
        let span = self.since(start);
        let id = self.unit.attributes.push(Attribute { span, namespace, name, arguments });
        out.push(id.index() as u32);
    }

    /// A word without its leading and trailing `__`.
    fn attribute_name(&mut self) -> Option<Symbol> {
        let symbol = match self.token.kind {
            TokenKind::Ident(symbol) => symbol,
            TokenKind::Keyword(keyword) => Symbol::intern(keyword.as_str()),
            _ => return None,
        };
        self.bump();
        let text = symbol.as_str();
        match text.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")) {
            Some(inner) if !inner.is_empty() => Some(Symbol::intern(inner)),
            _ => Some(symbol),
        }
    }
}
