//! Declarations and function definitions, and what else may stand at file scope.

use super::Parser;
use super::attribute::AttributeVec;
use super::specifiers::Place;
use crate::ast::*;
use crate::token::{Keyword, Punct, TokenFlags, TokenKind};
use quod_base::Span;
use quod_diag::{Diagnostic, codes};

impl Parser<'_> {
    /// A declaration or a function definition. `attributes` stood in front of it.
    pub(super) fn declaration(&mut self, attributes: AttributeVec) -> StmtId {
        let start = self.token.span;
        if self.at_keyword(Keyword::StaticAssert) || self.starts_extension_assertion() {
            self.eat_keyword(Keyword::Extension);
            let (condition, message) = self.static_assertion();
            let span = self.since(start);
            return self.add_stmt(span, StmtKind::StaticAssert { condition, message });
        }
        let specifiers = self.specifiers(Place::Declaration, attributes);
        let mark = self.scratch.len();
        if !self.at(Punct::Semicolon) && !self.ends_without_declarator(specifiers) {
            loop {
                let is_first = self.scratch.len() == mark;
                match self.init_declarator(start, specifiers, is_first) {
                    Declared::Variable(id) => self.push_child(id),
                    Declared::Function(stmt) => {
                        self.scratch.truncate(mark);
                        return stmt;
                    }
                }
                if self.recovering || !self.eat(Punct::Comma) {
                    break;
                }
                // GNU C allows attributes in front of each further declarator.
                if self.at_attribute() {
                    self.attributes(&mut AttributeVec::new());
                }
            }
        }
        let declarators = self.finish_list(mark);
        self.expect_semicolon("the declaration");
        let span = self.since(start);
        let declaration = self.unit.declarations.push(Declaration { span, specifiers, declarators });
        self.add_stmt(span, StmtKind::Declaration(declaration))
    }

    fn starts_extension_assertion(&self) -> bool {
        self.at_keyword(Keyword::Extension) && self.peek() == TokenKind::Keyword(Keyword::StaticAssert)
    }

    /// `struct s { … }` on the line before something that is no declarator: its semicolon is missing.
    fn ends_without_declarator(&self, specifiers: SpecifiersId) -> bool {
        let is_definition = match self.unit.specifiers[specifiers].ty {
            TypeSpecifier::Record(record) => self.unit.records[record].members.is_some(),
            TypeSpecifier::Enum(id) => self.unit.enums[id].enumerators.is_some(),
            _ => false,
        };
        is_definition
            && (matches!(self.token.kind, TokenKind::Keyword(word) if word != Keyword::Attribute && word != Keyword::Extension)
                || self.at_eof()
                || self.at(Punct::RightBrace)
                || self.token.flags.contains(TokenFlags::LINE_START)
                    && matches!(
                        (self.token.kind, self.peek()),
                        (TokenKind::Ident(_), TokenKind::Ident(_) | TokenKind::Punct(Punct::Star))
                    ))
    }

    fn init_declarator(&mut self, start: Span, specifiers: SpecifiersId, is_first: bool) -> Declared {
        let begin = self.token.span;
        let declarator = self.named_declarator();
        let mut attributes = AttributeVec::new();
        self.attributes(&mut attributes);
        let mut clauses = self.clauses();
        let asm_name = self.asm_name();
        self.attributes(&mut attributes);
        if clauses.is_empty() {
            clauses = self.clauses();
        }
        let name = self.unit.declared_name(declarator);
        if let Some(name) = name {
            if self.unit.specifiers[specifiers].storage.contains(Storage::TYPEDEF) {
                self.scopes.declare_type(name.symbol);
            } else {
                self.scopes.declare_name(name.symbol);
            }
            if is_first && let Some(parameters) = self.declared_parameters(declarator) {
                let is_old_style = matches!(parameters, Parameters::Names(_)) && self.starts_old_style();
                if self.at(Punct::LeftBrace) || is_old_style {
                    let list = self.attribute_list(&attributes);
                    let function = Function {
                        span: start,
                        name,
                        specifiers,
                        declarator,
                        attributes: list,
                        asm_name,
                        old_style: List::EMPTY,
                        clauses,
                        body: <StmtId as quod_base::Id>::from_index(0),
                    };
                    return Declared::Function(self.deeper(|parser| parser.function(function, parameters)));
                }
            }
        }
        let equals = self.at(Punct::Equal).then_some(self.token.span);
        let initializer = equals.map(|_| {
            self.bump();
            self.initializer()
        });
        let span = self.since(begin);
        let attributes = self.attribute_list(&attributes);
        let init = InitDeclarator { span, declarator, asm_name, attributes, equals, initializer, clauses };
        Declared::Variable(self.unit.init_declarators.push(init))
    }

    fn starts_old_style(&self) -> bool {
        self.starts_declaration() && !self.at_attribute()
            || matches!((self.token.kind, self.peek()), (TokenKind::Ident(_), TokenKind::Ident(_)))
    }

    /// The rest of a function definition, from K&R parameter declarations or the body on.
    fn function(&mut self, mut function: Function, parameters: Parameters) -> StmtId {
        self.scopes.enter();
        match parameters {
            Parameters::Prototype { parameters, .. } => {
                for index in 0..parameters.len() {
                    let Some(parameter) = self.unit.get(parameters, index) else { break };
                    let declarator = self.unit.parameters[parameter].declarator;
                    if let Some(name) = self.unit.declared_name(declarator) {
                        self.scopes.declare_name(name.symbol);
                    }
                }
            }
            Parameters::Names(names) => {
                for index in 0..names.len() {
                    let Some(name) = self.unit.get(names, index) else { break };
                    let symbol = self.unit.names[name].symbol;
                    self.scopes.declare_name(symbol);
                }
            }
            Parameters::Unspecified => {}
        }
        let mark = self.scratch.len();
        while !self.at(Punct::LeftBrace) && !self.at_eof() {
            let before = self.position;
            let stmt = self.declaration(AttributeVec::new());
            if let StmtKind::Declaration(declaration) = self.unit.stmts[stmt].kind {
                self.push_child(declaration);
            }
            if self.position == before || self.recovering {
                break;
            }
        }
        function.old_style = self.finish_list(mark);
        self.function_depth += 1;
        let outer_clauses = std::mem::take(&mut self.pending_loop_clauses);
        function.body = if self.at(Punct::LeftBrace) {
            self.block()
        } else {
            self.error_expected("`{` and the body of the function");
            let span = self.behind();
            self.add_stmt(span, StmtKind::Error)
        };
        self.pending_loop_clauses = outer_clauses;
        self.function_depth -= 1;
        self.scopes.leave();
        function.span = self.since(function.span);
        let id = self.unit.functions.push(function);
        self.add_stmt(function.span, StmtKind::Function(id))
    }

    /// What may stand at file scope besides declarations that start with a keyword or a type name.
    pub(super) fn file_item(&mut self) -> StmtId {
        let start = self.token.span;
        match self.token.kind {
            TokenKind::Punct(Punct::Semicolon) => {
                self.bump();
                self.add_stmt(start, StmtKind::Empty)
            }
            TokenKind::Keyword(Keyword::Asm) => self.statement(),
            TokenKind::Ident(symbol) => {
                let is_statement = self.is_civl()
                    && (symbol.as_str().starts_with('$') || !matches!(self.peek(), TokenKind::Punct(Punct::LeftParen)))
                    || self.is_civl() && !self.call_is_definition();
                match self.peek() {
                    _ if is_statement => self.statement(),
                    TokenKind::Punct(
                        Punct::LeftParen
                        | Punct::Semicolon
                        | Punct::Equal
                        | Punct::Comma
                        | Punct::LeftBracket
                        | Punct::Star,
                    )
                    | TokenKind::Keyword(Keyword::Attribute | Keyword::Asm)
                    | TokenKind::Ident(_) => self.declaration(AttributeVec::new()),
                    _ => self.error_no_item(),
                }
            }
            TokenKind::Punct(Punct::Star) if !self.is_civl() => self.declaration(AttributeVec::new()),
            TokenKind::Punct(Punct::LeftParen) if !self.is_civl() => self.declaration(AttributeVec::new()),
            TokenKind::Punct(Punct::RightBrace) => {
                let diagnostic = Diagnostic::error(codes::UNBALANCED, "`}` without an opening `{`")
                    .label(start, "nothing is open here")
                    .help("a function before it may have one `}` too many");
                self.report(diagnostic);
                self.bump();
                self.eat(Punct::Semicolon);
                self.add_stmt(start, StmtKind::Error)
            }
            _ if self.is_civl() => self.statement(),
            _ => self.error_no_item(),
        }
    }

    /// In CIVL-C, `f(…)` at file scope is a call unless a body follows.
    fn call_is_definition(&self) -> bool {
        let mut depth = 0usize;
        for token in &self.tokens[self.position..] {
            match token.kind {
                TokenKind::Punct(Punct::LeftParen) => depth += 1,
                TokenKind::Punct(Punct::RightParen) => depth = depth.saturating_sub(1),
                TokenKind::Punct(Punct::Semicolon) | TokenKind::Eof if depth == 0 => return false,
                TokenKind::Punct(Punct::LeftBrace) => return depth == 0,
                TokenKind::Keyword(_) if depth == 0 => return true,
                _ => {}
            }
        }
        false
    }

    fn error_no_item(&mut self) -> StmtId {
        let start = self.token.span;
        if self.starts_statement_surely() || matches!(self.token.kind, TokenKind::Punct(Punct::LeftBrace)) {
            let diagnostic = Diagnostic::error(
                codes::SYNTAX,
                format!("expected a declaration, found {}: statements stand in functions", self.found()),
            )
            .label(start, "this is outside of any function")
            .help("the function before it may have ended too early: check its braces");
            self.report(diagnostic);
        } else {
            self.error_expected("a declaration");
        }
        self.bump();
        self.synchronize();
        let span = self.since(start);
        self.add_stmt(span, StmtKind::Error)
    }
}

/// What a declarator turned out to declare.
enum Declared {
    Variable(InitDeclaratorId),
    /// A definition with its body.
    Function(StmtId),
}
