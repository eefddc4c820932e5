//! The preprocessor: from files to one list of tokens.
//!
//! Tokens come from a stack of files, and above it from a stack of *contexts*: macro expansions that are being
//! rescanned. A macro is disabled while its own context is on the stack, and a name that is met while its macro is
//! disabled is marked and never expanded again: the way of gcc and clang, which gives the standard's results without
//! hide sets on each token. All contexts share one buffer, since they are made and left in the order of a stack.

mod arguments;
mod builtin;
mod condition;
mod define;
mod directive;
mod evaluate;
mod expand;
mod headers;
mod include;
mod options;
mod paste;
mod pragma;
mod predefined;
mod print;
mod substitute;
#[cfg(test)]
mod tests;
mod value;

pub use headers::{header_declaring, header_names, header_text};
pub(crate) use options::stood_for;
pub use options::{
    DataModel, Dialect, FileLoader, LoadError, NoFiles, PreprocessOptions, Preprocessed, Standard, decode,
};
pub use print::print_preprocessed;

use crate::lex::{LexContext, Lexer, PpKind, PpToken, TextId, TextTable};
use crate::{KeywordSet, Token, TokenFlags, TokenKind};
use condition::Condition;
use define::Macro;
pub(crate) use define::MacroId;
use expand::Context;
use include::{CachedFile, OpenFile};
use quod_base::{FileId, IdVec, SourceMap, Span};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Preprocesses the file `main`, which is in the source map already; included files are added to it.
pub fn preprocess(
    source_map: &mut SourceMap,
    main: FileId,
    loader: &dyn FileLoader,
    options: &PreprocessOptions,
) -> Preprocessed {
    let mut preprocessor = Preprocessor::new(source_map, loader, options);
    preprocessor.install_predefined(main);
    preprocessor.run_force_includes();
    preprocessor.enter_main(main);
    preprocessor.run();
    preprocessor.finish(main)
}

/// How many tokens a text has: the lexer alone, for benchmarks.
pub fn count_tokens(text: &Arc<str>) -> usize {
    let mut cx = LexContext {
        table: TextTable::new(&[KeywordSet::C]),
        diagnostics: Vec::new(),
        dialect: Dialect::C,
        standard: Standard::C17,
        keep_annotations: false,
    };
    let mut lexer = Lexer::new(Arc::clone(text), 1);
    let mut count = 0;
    while lexer.next(&mut cx).kind != PpKind::Eof {
        count += 1;
    }
    count
}

struct Preprocessor<'a> {
    source_map: &'a mut SourceMap,
    loader: &'a dyn FileLoader,
    options: &'a PreprocessOptions,
    cx: LexContext,
    files: Vec<OpenFile>,
    cache: FxHashMap<String, CachedFile>,
    /// The name of the main file, for `__BASE_FILE__`.
    base_file: String,
    buffer: Vec<PpToken>,
    contexts: Vec<Context>,
    macros: IdVec<MacroId, Macro>,
    pushed_macros: FxHashMap<TextId, Vec<Option<MacroId>>>,
    conditions: Vec<Condition>,
    /// While arguments of a macro are read: the number of open files, below which no file is left.
    argument_files: Option<usize>,
    argument_depth: u32,
    counter: u32,
    /// Tokens that macro expansion may still make.
    budget: u32,
    /// Preprocessing was given up: no more text is read.
    is_abandoned: bool,
    output: Vec<Token>,
    bytes_read: u64,
}

/// More than any program needs, and a bound for macros that double themselves.
const EXPANSION_BUDGET: u32 = if cfg!(test) { 500_000 } else { 16_000_000 };

impl<'a> Preprocessor<'a> {
    fn new(source_map: &'a mut SourceMap, loader: &'a dyn FileLoader, options: &'a PreprocessOptions) -> Self {
        let mut sets = vec![KeywordSet::C];
        if options.standard == Standard::C23 {
            sets.push(KeywordSet::C23);
        }
        if options.dialect == Dialect::Civl {
            sets.push(KeywordSet::Civl);
        }
        let cx = LexContext {
            table: TextTable::new(&sets),
            diagnostics: Vec::new(),
            dialect: options.dialect,
            standard: options.standard,
            keep_annotations: options.keep_annotations,
        };
        Self {
            source_map,
            loader,
            options,
            cx,
            files: Vec::new(),
            cache: FxHashMap::default(),
            base_file: String::new(),
            buffer: Vec::new(),
            contexts: Vec::new(),
            macros: IdVec::new(),
            pushed_macros: FxHashMap::default(),
            conditions: Vec::new(),
            argument_files: None,
            argument_depth: 0,
            counter: 0,
            budget: EXPANSION_BUDGET,
            is_abandoned: false,
            output: Vec::new(),
            bytes_read: 0,
        }
    }

    /// Reads the files on the stack to their end.
    fn run(&mut self) {
        loop {
            let mut token = self.next_token();
            match token.kind {
                PpKind::Ident => {
                    if self.cx.table.entry(token.text).definition.is_none() || !self.expand_macro(&mut token) {
                        self.emit(&token);
                    }
                }
                PpKind::Eof => return,
                _ => self.emit(&token),
            }
        }
    }

    #[inline]
    fn emit(&mut self, token: &PpToken) {
        let kind = match token.kind {
            PpKind::Ident => {
                let entry = self.cx.table.entry(token.text);
                entry.keyword.map_or(TokenKind::Ident(entry.symbol), TokenKind::Keyword)
            }
            PpKind::Number => TokenKind::Number(self.cx.table.entry(token.text).symbol),
            PpKind::Char(prefix) => TokenKind::Char { prefix, text: self.cx.table.entry(token.text).symbol },
            PpKind::Str(prefix) => TokenKind::Str { prefix, text: self.cx.table.entry(token.text).symbol },
            PpKind::Punct(punct) => TokenKind::Punct(punct),
            PpKind::Annotation => TokenKind::Annotation,
            PpKind::PragmaStart => TokenKind::PragmaStart,
            PpKind::PragmaEnd => TokenKind::PragmaEnd,
            PpKind::Unknown => TokenKind::Unknown,
            PpKind::EndOfDirective
            | PpKind::Eof
            | PpKind::Parameter
            | PpKind::VaOptStart
            | PpKind::VaOptEnd
            | PpKind::Placemarker => return,
        };
        self.output.push(Token { kind, flags: TokenFlags(token.flags.layout()), span: token.span });
    }

    /// Gives up: what was read so far stays, nothing more is read.
    fn abandon(&mut self) {
        self.is_abandoned = true;
        for file in &mut self.files {
            file.lexer.abandon();
        }
        for context in &mut self.contexts {
            context.position = context.end;
        }
    }

    fn lexer(&mut self) -> Option<&mut Lexer> {
        self.files.last_mut().map(|file| &mut file.lexer)
    }

    fn finish(mut self, main: FileId) -> Preprocessed {
        let file = self.source_map.file(main);
        let end = file.start + file.text.len() as u32;
        let eof = Token { kind: TokenKind::Eof, flags: TokenFlags::LINE_START, span: Span::new(end, end) };
        self.output.push(eof);
        Preprocessed { tokens: self.output, diagnostics: self.cx.diagnostics, bytes_read: self.bytes_read }
    }
}
