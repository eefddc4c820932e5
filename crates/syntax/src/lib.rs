//! Preprocessor, lexers and parsers. Parsing never fails: it returns what it understood and diagnostics.

pub mod ast;
pub mod keyword;
mod lex;
pub mod parse;
pub mod preprocess;
pub mod token;

pub use ast::TranslationUnit;
pub use parse::{ParseOptions, parse};
pub use preprocess::{
    DataModel, Dialect, FileLoader, LoadError, PreprocessOptions, Preprocessed, Standard, preprocess,
    print_preprocessed,
};
pub use token::{Encoding, Keyword, KeywordSet, Punct, Token, TokenFlags, TokenKind};
