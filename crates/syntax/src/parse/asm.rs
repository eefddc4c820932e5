//! Inline assembly: basic, extended and `goto`, and the names that `asm("x")` gives to declarations.

use super::Parser;
use crate::ast::*;
use crate::token::{Keyword, Punct, TokenKind};

impl Parser<'_> {
    /// `asm volatile ("…" : outputs : inputs : clobbers : labels)`, without the semicolon.
    pub(super) fn asm(&mut self) -> AsmId {
        let start = self.bump();
        let mut asm = Asm {
            span: start,
            is_volatile: false,
            is_inline: false,
            is_goto: false,
            is_basic: true,
            template: None,
            outputs: List::EMPTY,
            inputs: List::EMPTY,
            clobbers: List::EMPTY,
            labels: List::EMPTY,
        };
        loop {
            match self.token.kind {
                TokenKind::Keyword(Keyword::Volatile) => asm.is_volatile = true,
                TokenKind::Keyword(Keyword::Inline) => asm.is_inline = true,
                TokenKind::Keyword(Keyword::Goto) => asm.is_goto = true,
                TokenKind::Keyword(Keyword::Const) => {}
                _ => break,
            }
            self.bump();
        }
        let open = self.token.span;
        if self.expect(Punct::LeftParen) {
            if matches!(self.token.kind, TokenKind::Str { .. }) {
                asm.template = Some(self.string());
            } else {
                self.error_expected("a string with the instructions");
            }
            let mut part = 0;
            while self.at(Punct::Colon) && !self.recovering {
                self.bump();
                asm.is_basic = false;
                part += 1;
                match part {
                    1 => asm.outputs = self.asm_operands(),
                    2 => asm.inputs = self.asm_operands(),
                    3 => asm.clobbers = self.asm_clobbers(),
                    4 => asm.labels = self.asm_labels(),
                    _ => self.error_expected("`)`"),
                }
            }
            self.expect_close(Punct::RightParen, open);
        }
        asm.span = self.since(start);
        self.unit.asms.push(asm)
    }

    fn ends_asm_part(&self) -> bool {
        self.at(Punct::Colon) || self.at(Punct::RightParen) || self.at_eof() || self.recovering
    }

    /// `[name] "=r" (x), …`
    fn asm_operands(&mut self) -> List<AsmOperandId> {
        let mark = self.scratch.len();
        while !self.ends_asm_part() {
            let start = self.token.span;
            let name = if self.eat(Punct::LeftBracket) {
                let name = self.expect_identifier("the name of an operand");
                self.expect_close(Punct::RightBracket, start);
                name
            } else {
                None
            };
            if !matches!(self.token.kind, TokenKind::Str { .. }) {
                self.error_expected("a string with the operand's constraint");
                break;
            }
            let constraint = self.string();
            let open = self.token.span;
            if !self.expect(Punct::LeftParen) {
                break;
            }
            let value = self.expression();
            self.expect_close(Punct::RightParen, open);
            let span = self.since(start);
            let operand = self.unit.asm_operands.push(AsmOperand { span, name, constraint, value });
            self.push_child(operand);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.finish_list(mark)
    }

    fn asm_clobbers(&mut self) -> List<StringId> {
        let mark = self.scratch.len();
        while !self.ends_asm_part() {
            if !matches!(self.token.kind, TokenKind::Str { .. }) {
                self.error_expected("a string with the name of a register");
                break;
            }
            let clobber = self.string();
            self.push_child(clobber);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.finish_list(mark)
    }

    fn asm_labels(&mut self) -> List<NameId> {
        let mark = self.scratch.len();
        while !self.ends_asm_part() {
            let Some(name) = self.expect_identifier("the name of a label") else { break };
            let id = self.unit.names.push(name);
            self.push_child(id);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.finish_list(mark)
    }

    /// `asm("name")` behind a declarator.
    pub(super) fn asm_name(&mut self) -> Option<StringId> {
        if !self.at_keyword(Keyword::Asm) {
            return None;
        }
        self.bump();
        let open = self.token.span;
        self.expect(Punct::LeftParen);
        let name = if matches!(self.token.kind, TokenKind::Str { .. }) {
            Some(self.string())
        } else {
            self.error_expected("a string with the assembler's name");
            None
        };
        self.expect_close(Punct::RightParen, open);
        name
    }
}
