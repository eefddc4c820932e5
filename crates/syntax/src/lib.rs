//! Preprocessor, lexers and parsers. Parsing never fails: it returns what it understood and diagnostics.

pub mod ast;
