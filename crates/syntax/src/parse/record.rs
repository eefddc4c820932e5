//! `struct`, `union` and `enum`.

use super::Parser;
use super::attribute::AttributeVec;
use super::specifiers::Place;
use super::words::is_library_type;
use crate::ast::*;
use crate::token::{Keyword, Punct, TokenKind};
use quod_base::{Span, Symbol};

impl Parser<'_> {
    /// `struct s { … }`; the current token is the keyword.
    pub(super) fn record(&mut self) -> RecordId {
        let is_union = self.at_keyword(Keyword::Union);
        let start = self.bump();
        let mut attributes = AttributeVec::new();
        self.attributes(&mut attributes);
        let tag = match self.token.kind {
            TokenKind::Keyword(keyword) if is_library_type(keyword) => {
                Some(Name { symbol: Symbol::intern(keyword.as_str()), span: self.bump() })
            }
            _ => self.eat_identifier(),
        };
        let mut members = None;
        let mut pack = None;
        if self.at(Punct::LeftBrace) {
            let (list, pack_at_end) = self.members();
            members = Some(list);
            pack = pack_at_end;
            self.attributes(&mut attributes);
        } else if tag.is_none() {
            self.error_expected("a tag or `{`");
        }
        let attributes = self.attribute_list(&attributes);
        let span = self.since(start);
        self.unit.records.push(Record { span, is_union, tag, members, attributes, pack })
    }

    /// The members in braces, and the packing at the closing one.
    fn members(&mut self) -> (List<MemberId>, Option<u16>) {
        let open = self.bump();
        let mark = self.scratch.len();
        while !self.at(Punct::RightBrace) && !self.at_eof() {
            if self.eat(Punct::Semicolon) {
                continue;
            }
            let before = self.position;
            let member = self.member();
            self.push_child(member);
            if self.recovering {
                self.synchronize();
            }
            if self.position == before {
                self.bump();
            }
        }
        let members = self.finish_list(mark);
        let pack = self.pack.current;
        self.expect_close(Punct::RightBrace, open);
        (members, pack)
    }

    fn member(&mut self) -> MemberId {
        let start = self.token.span;
        if self.at_keyword(Keyword::StaticAssert) {
            let (condition, message) = self.static_assertion();
            return self.add_member(start, MemberKind::StaticAssert { condition, message });
        }
        let mut before = AttributeVec::new();
        self.attributes(&mut before);
        let specifiers = self.specifiers(Place::TypeNeeded, before);
        let mark = self.scratch.len();
        while !self.at(Punct::Semicolon) && !self.at(Punct::RightBrace) && !self.at_eof() && !self.recovering {
            let declarator = self.member_declarator();
            self.push_child(declarator);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        let declarators = self.finish_list(mark);
        // gcc forgives a missing semicolon in front of the closing brace.
        if !self.at(Punct::RightBrace) {
            self.expect_semicolon("the member");
        }
        self.add_member(start, MemberKind::Fields { specifiers, declarators })
    }

    fn add_member(&mut self, start: Span, kind: MemberKind) -> MemberId {
        let span = self.since(start);
        self.unit.members.push(Member { span, kind })
    }

    /// `*next`, `flags : 3`, `: 0`
    fn member_declarator(&mut self) -> MemberDeclaratorId {
        let start = self.token.span;
        let mut attributes = AttributeVec::new();
        self.attributes(&mut attributes);
        let declarator = if self.at(Punct::Colon) {
            let span = Span { hi: start.lo, ..start };
            self.unit.declarators.push(Declarator { span, kind: DeclaratorKind::Abstract })
        } else {
            self.named_declarator()
        };
        let width = self.eat(Punct::Colon).then(|| self.conditional_expression());
        self.attributes(&mut attributes);
        let attributes = self.attribute_list(&attributes);
        let span = self.since(start);
        self.unit.member_declarators.push(MemberDeclarator { span, declarator, width, attributes })
    }

    /// `enum e { A, B = 3 }`; the current token is the keyword.
    pub(super) fn enumeration(&mut self) -> EnumId {
        let start = self.bump();
        let mut attributes = AttributeVec::new();
        self.attributes(&mut attributes);
        let tag = self.eat_identifier();
        // Not the width of a bit-field such as `enum e : 3`.
        let has_type = self.at(Punct::Colon) && self.kind_starts_type(self.peek());
        let underlying = has_type.then(|| {
            self.bump();
            self.deeper(Self::type_name)
        });
        let enumerators = if self.at(Punct::LeftBrace) {
            let enumerators = self.enumerators();
            self.attributes(&mut attributes);
            Some(enumerators)
        } else {
            if tag.is_none() {
                self.error_expected("a tag or `{`");
            }
            None
        };
        let attributes = self.attribute_list(&attributes);
        let span = self.since(start);
        self.unit.enums.push(Enum { span, tag, underlying, enumerators, attributes })
    }

    fn enumerators(&mut self) -> List<EnumeratorId> {
        let open = self.bump();
        let mark = self.scratch.len();
        while !self.at(Punct::RightBrace) && !self.at_eof() {
            let start = self.token.span;
            let Some(name) = self.expect_identifier("the name of an enumerator") else { break };
            let attributes = self.attributes_here();
            let value = self.eat(Punct::Equal).then(|| self.deeper(Self::conditional_expression));
            self.scopes.declare_name(name.symbol);
            let span = self.since(start);
            let enumerator = self.unit.enumerators.push(Enumerator { span, name, value, attributes });
            self.push_child(enumerator);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        let enumerators = self.finish_list(mark);
        self.expect_list_close(Punct::RightBrace, open);
        enumerators
    }
}
