//! Declarators and type names: pointers, arrays and functions around a name.

use super::Parser;
use super::attribute::AttributeVec;
use super::specifiers::Place;
use super::words::is_library_type;
use crate::ast::*;
use crate::preprocess::Standard;
use crate::token::{Keyword, Punct, TokenKind};
use quod_base::{Span, Symbol};

/// Whether a declarator has a name.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Naming {
    Required,
    /// A parameter.
    Optional,
    /// A type name.
    Forbidden,
}

impl Parser<'_> {
    /// A declarator with a name.
    pub(super) fn named_declarator(&mut self) -> DeclaratorId {
        self.declarator(Naming::Required)
    }

    /// `const char *(*)[3]`
    pub(super) fn type_name(&mut self) -> TypeNameId {
        let start = self.token.span;
        let specifiers = self.type_specifiers();
        let declarator = self.declarator(Naming::Forbidden);
        let span = self.since(start);
        self.unit.type_names.push(TypeName { span, specifiers, declarator })
    }

    fn add_declarator(&mut self, span: Span, kind: DeclaratorKind) -> DeclaratorId {
        self.unit.declarators.push(Declarator { span, kind })
    }

    fn declarator(&mut self, naming: Naming) -> DeclaratorId {
        if !self.at(Punct::Star) {
            return self.direct_declarator(naming);
        }
        let mut pointers: Vec<(Span, Qualifiers, List<AttributeId>)> = Vec::new();
        while self.at(Punct::Star) {
            let start = self.bump();
            let (qualifiers, attributes) = self.pointer_qualifiers();
            pointers.push((start, qualifiers, attributes));
        }
        let mut declarator = self.direct_declarator(naming);
        for (start, qualifiers, attributes) in pointers.into_iter().rev() {
            let span = self.since(start);
            let kind = DeclaratorKind::Pointer { inner: declarator, qualifiers, attributes };
            declarator = self.add_declarator(span, kind);
        }
        declarator
    }

    fn pointer_qualifiers(&mut self) -> (Qualifiers, List<AttributeId>) {
        let mut qualifiers = Qualifiers::NONE;
        let mut attributes = AttributeVec::new();
        while let TokenKind::Keyword(keyword) = self.token.kind {
            if let Some(qualifier) = self.qualifier(keyword) {
                qualifiers.insert(qualifier);
                self.bump();
            } else if keyword == Keyword::Attribute {
                self.attributes(&mut attributes);
            } else if keyword == Keyword::Extension {
                self.bump();
            } else {
                break;
            }
        }
        (qualifiers, self.attribute_list(&attributes))
    }

    fn direct_declarator(&mut self, naming: Naming) -> DeclaratorId {
        let start = self.token.span;
        let mut declarator = match self.token.kind {
            TokenKind::Ident(symbol) if naming != Naming::Forbidden => {
                self.bump();
                self.add_declarator(start, DeclaratorKind::Name(Name { symbol, span: start }))
            }
            TokenKind::Keyword(keyword) if naming == Naming::Required && is_library_type(keyword) => {
                self.bump();
                let name = Name { symbol: Symbol::intern(keyword.as_str()), span: start };
                self.add_declarator(start, DeclaratorKind::Name(name))
            }
            TokenKind::Punct(Punct::LeftParen) if naming == Naming::Required || self.parenthesis_is_declarator() => {
                self.deeper(|parser| parser.parenthesized_declarator(naming))
            }
            _ => {
                if naming == Naming::Required {
                    self.error_expected("the name of what is declared");
                }
                let here = Span { hi: start.lo, ..start };
                self.add_declarator(here, DeclaratorKind::Abstract)
            }
        };
        loop {
            match self.token.kind {
                TokenKind::Punct(Punct::LeftBracket) if !self.peek_is(Punct::LeftBracket) => {
                    declarator = self.array_suffix(declarator, start);
                }
                TokenKind::Punct(Punct::LeftParen) => {
                    declarator = self.deeper(|parser| parser.function_suffix(declarator, start));
                }
                _ => return declarator,
            }
            if self.recovering {
                return declarator;
            }
        }
    }

    /// Whether the `(` of a declarator that needs no name opens a nested declarator and no parameter list.
    fn parenthesis_is_declarator(&self) -> bool {
        match self.peek() {
            TokenKind::Punct(Punct::RightParen | Punct::Ellipsis) => false,
            TokenKind::Punct(Punct::LeftBracket) => self.peek_at(2).0 != TokenKind::Punct(Punct::LeftBracket),
            TokenKind::Keyword(Keyword::Attribute | Keyword::Extension) => true,
            TokenKind::Keyword(_) => false,
            TokenKind::Ident(symbol) => !self.name_is_type(symbol) && !matches!(self.peek_at(2).0, TokenKind::Ident(_)),
            _ => true,
        }
    }

    fn parenthesized_declarator(&mut self, naming: Naming) -> DeclaratorId {
        let open = self.bump();
        let mut attributes = AttributeVec::new();
        while self.eat_keyword(Keyword::Extension) {}
        self.attributes(&mut attributes);
        let inner = self.declarator(naming);
        if !attributes.is_empty()
            && let DeclaratorKind::Pointer { attributes: list, .. } = self.unit.declarators[inner].kind
            && list.is_empty()
        {
            let list = self.attribute_list(&attributes);
            if let DeclaratorKind::Pointer { attributes, .. } = &mut self.unit.declarators[inner].kind {
                *attributes = list;
            }
        }
        self.attributes(&mut AttributeVec::new());
        self.expect_close(Punct::RightParen, open);
        inner
    }

    /// `[3]`, `[]`, `[*]`, `[static const 3]`
    fn array_suffix(&mut self, inner: DeclaratorId, start: Span) -> DeclaratorId {
        let open = self.bump();
        let mut qualifiers = Qualifiers::NONE;
        let mut is_static = false;
        while let TokenKind::Keyword(keyword) = self.token.kind {
            if keyword == Keyword::Static {
                is_static = true;
            } else if let Some(qualifier) = self.qualifier(keyword) {
                qualifiers.insert(qualifier);
            } else {
                break;
            }
            self.bump();
        }
        let size = if self.at(Punct::RightBracket) {
            ArraySize::Unspecified
        } else if self.at(Punct::Star) && self.peek_is(Punct::RightBracket) {
            self.bump();
            ArraySize::Star
        } else {
            ArraySize::Expr(self.deeper(Self::assignment_expression))
        };
        self.expect_close(Punct::RightBracket, open);
        let span = self.since(start);
        self.add_declarator(span, DeclaratorKind::Array { inner, size, qualifiers, is_static })
    }

    fn function_suffix(&mut self, inner: DeclaratorId, start: Span) -> DeclaratorId {
        let open = self.bump();
        let parameters = self.parameters();
        let close = self.expect_list_close(Punct::RightParen, open);
        let span = self.since(start);
        self.add_declarator(span, DeclaratorKind::Function { inner, parameters, close })
    }

    fn parameters(&mut self) -> Parameters {
        let none = Parameters::Prototype { parameters: List::EMPTY, is_variadic: false };
        match self.token.kind {
            TokenKind::Punct(Punct::RightParen) => {
                return if self.options.standard == Standard::C23 { none } else { Parameters::Unspecified };
            }
            TokenKind::Keyword(Keyword::Void) if self.peek_is(Punct::RightParen) => {
                self.bump();
                return none;
            }
            TokenKind::Ident(symbol)
                if !self.name_is_type(symbol)
                    && matches!(self.peek(), TokenKind::Punct(Punct::Comma | Punct::RightParen)) =>
            {
                return Parameters::Names(self.parameter_names());
            }
            _ => {}
        }
        self.scopes.enter();
        let mark = self.scratch.len();
        let mut is_variadic = false;
        loop {
            if self.eat(Punct::Ellipsis) {
                is_variadic = true;
                break;
            }
            let parameter = self.parameter();
            self.push_child(parameter);
            if self.recovering || !self.eat(Punct::Comma) {
                break;
            }
        }
        self.scopes.leave();
        Parameters::Prototype { parameters: self.finish_list(mark), is_variadic }
    }

    fn parameter(&mut self) -> ParameterId {
        let start = self.token.span;
        let mut before = AttributeVec::new();
        self.attributes(&mut before);
        let specifiers = self.specifiers(Place::TypeNeeded, before);
        let declarator = self.declarator(Naming::Optional);
        self.asm_name();
        let attributes = self.attributes_here();
        if let Some(name) = self.unit.declared_name(declarator) {
            self.scopes.declare_name(name.symbol);
        }
        let span = self.since(start);
        self.unit.parameters.push(Parameter { span, specifiers, declarator, attributes })
    }

    /// `a, b` of a K&R definition
    fn parameter_names(&mut self) -> List<NameId> {
        let mark = self.scratch.len();
        while let Some(name) = self.expect_identifier("the name of a parameter") {
            let id = self.unit.names.push(name);
            self.push_child(id);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.finish_list(mark)
    }

    /// The parameters of the function that a declarator declares, `None` if it declares something else.
    pub(super) fn declared_parameters(&self, declarator: DeclaratorId) -> Option<Parameters> {
        let mut next = declarator;
        let mut found = None;
        loop {
            match self.unit.declarators[next].kind {
                DeclaratorKind::Function { inner, parameters, .. } => {
                    found = Some(parameters);
                    next = inner;
                }
                DeclaratorKind::Pointer { inner, .. } | DeclaratorKind::Array { inner, .. } => {
                    found = None;
                    next = inner;
                }
                DeclaratorKind::Name(_) | DeclaratorKind::Abstract => return found,
            }
        }
    }
}
