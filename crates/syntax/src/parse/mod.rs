//! The parser of C, GNU C and CIVL-C: from tokens to the tree of `ast`.
//!
//! Recursive descent with precedence climbing, one file a part of the grammar. It looks at most a token or two ahead and
//! never goes back: whether a name is a type is known from the typedef names in scope (`scope`). It never fails: what does
//! not parse becomes an `Error` node with a diagnostic, one for each statement at most, and parsing goes on behind it
//! (`recovery`). Recursion grows the stack on the heap, up to `ParseOptions::max_nesting` levels.

mod asm;
mod attribute;
mod civl;
mod cursor;
mod declaration;
mod declarator;
mod errors;
mod expression;
mod initializer;
mod literal;
mod numbers;
mod postfix;
mod pragma;
mod record;
mod recovery;
mod scope;
mod specifiers;
mod statement;
mod words;

use crate::ast::*;
use crate::preprocess::{Dialect, Standard};
use crate::token::{Token, TokenFlags, TokenKind};
use quod_base::{SourceMap, Span};
use quod_diag::Diagnostic;
use rustc_hash::FxHashMap;
use scope::Scopes;

#[derive(Clone, Debug)]
pub struct ParseOptions {
    pub dialect: Dialect,
    pub standard: Standard,
    /// How deep parentheses, braces and statements may nest.
    pub max_nesting: u32,
    /// After so many errors the rest of the file is left out.
    pub max_errors: usize,
}

impl Default for ParseOptions {
    fn default() -> Self {
        Self { dialect: Dialect::C, standard: Standard::C17, max_nesting: 20_000, max_errors: 100 }
    }
}

/// Parses the tokens of one translation unit.
pub fn parse(tokens: &[Token], source_map: &SourceMap, options: &ParseOptions) -> (TranslationUnit, Vec<Diagnostic>) {
    let mut parser = Parser::new(tokens, source_map, options);
    parser.translation_unit();
    (parser.unit, parser.diagnostics)
}

struct Parser<'a> {
    tokens: &'a [Token],
    source_map: &'a SourceMap,
    options: &'a ParseOptions,
    unit: TranslationUnit,
    diagnostics: Vec<Diagnostic>,
    /// The current token and its place in `tokens`; never an annotation or a pragma.
    token: Token,
    position: usize,
    /// The last token that was consumed.
    previous: Span,
    scopes: Scopes,
    /// An error was reported in this statement: no further ones until it ends.
    recovering: bool,
    /// Inside the head of a `for` loop, whose `)` is where the parser finds its way again.
    is_in_head: bool,
    error_count: usize,
    depth: u32,
    /// Children of nodes that are being built; see `cursor::Parser::finish_list`.
    scratch: Vec<u32>,
    pending_annotations: Vec<AnnotationId>,
    pending_pragmas: Vec<PragmaId>,
    /// Annotations in front of the `}` that was just read.
    annotations_at_end: Vec<AnnotationId>,
    /// Clauses of the loop that is being finished.
    pending_loop_clauses: List<ClauseId>,
    pack: pragma::PackState,
    number_cache: FxHashMap<quod_base::Symbol, ExprKind>,
    /// How many functions the current token is inside of; at zero, statements are the file's items.
    function_depth: u32,
}

impl<'a> Parser<'a> {
    fn new(tokens: &'a [Token], source_map: &'a SourceMap, options: &'a ParseOptions) -> Self {
        let end = Token { kind: TokenKind::Eof, flags: TokenFlags::default(), span: Span::NONE };
        let mut unit = TranslationUnit::default();
        unit.reserve(tokens.len());
        let mut parser = Self {
            tokens,
            source_map,
            options,
            unit,
            diagnostics: Vec::new(),
            token: tokens.first().copied().unwrap_or(end),
            position: 0,
            previous: Span::NONE,
            scopes: Scopes::new(),
            recovering: false,
            is_in_head: false,
            error_count: 0,
            depth: 0,
            scratch: Vec::new(),
            pending_annotations: Vec::new(),
            pending_pragmas: Vec::new(),
            annotations_at_end: Vec::new(),
            pending_loop_clauses: List::EMPTY,
            pack: pragma::PackState::default(),
            number_cache: FxHashMap::default(),
            function_depth: 0,
        };
        parser.settle();
        parser
    }

    fn is_civl(&self) -> bool {
        self.options.dialect == Dialect::Civl
    }

    fn translation_unit(&mut self) {
        let mut items = Vec::new();
        loop {
            while let Some(pragma) = self.next_pragma() {
                items.push(pragma);
            }
            if self.token.is_eof() {
                break;
            }
            let before = self.position;
            let item = self.block_item();
            items.push(item);
            if self.position == before {
                self.bump();
            }
            self.recovering = false;
        }
        let annotations = self.take_annotations();
        self.attach(Target::EndOfFile, annotations);
        self.unit.items = items;
    }
}
