//! What goes into the preprocessor and what comes out.

use crate::Token;
use quod_diag::Diagnostic;
use std::sync::Arc;

/// Sizes of the machine's types: `int`, `long` and pointers of 32 bits, or `long` and pointers of 64.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Default)]
pub enum DataModel {
    Ilp32,
    #[default]
    Lp64,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    #[default]
    C,
    /// CIVL-C: `$` keywords, ranges, implication, CUDA's words.
    Civl,
}

/// Which words are keywords and what `__STDC_VERSION__` says.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Default)]
pub enum Standard {
    #[default]
    C17,
    C23,
}

#[derive(Clone, Debug, Default)]
pub struct PreprocessOptions {
    pub data_model: DataModel,
    pub dialect: Dialect,
    pub standard: Standard,
    /// `-I`, in order; searched before the headers that come with the tool.
    pub include_dirs: Vec<String>,
    /// `-D NAME=TEXT`; `NAME` alone is `NAME=1`, `NAME(a,b)=TEXT` is function-like.
    pub defines: Vec<String>,
    /// `-U NAME`, applied after `defines`.
    pub undefines: Vec<String>,
    /// `-include FILE`, in order, before the main file.
    pub force_includes: Vec<String>,
    /// Whether `//@ …` and `/*@ … @*/` become `Annotation` tokens.
    pub keep_annotations: bool,
    /// What `__DATE__`, `__TIME__` say: seconds since 1970 UTC. Zero by default, so that runs are repeatable.
    pub build_time: u64,
}

pub struct Preprocessed {
    /// Ends with exactly one `Eof`.
    pub tokens: Vec<Token>,
    /// Errors and warnings in the order found.
    pub diagnostics: Vec<Diagnostic>,
    /// Bytes of all files that were read, main file and headers.
    pub bytes_read: u64,
}

impl Preprocessed {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == quod_diag::Severity::Error)
    }
}

/// How the preprocessor reaches files: only the edge crates touch the disk.
pub trait FileLoader {
    /// The bytes of a file. Text need not be UTF-8: see `decode`.
    fn load(&self, path: &str) -> Result<Arc<[u8]>, LoadError>;
    /// Whether `load` would find a regular file there.
    fn exists(&self, path: &str) -> bool;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    NotFound,
    /// It is there but cannot be read; what the system said.
    Unreadable(String),
}

/// A loader that has no files: programs that include only the headers that come with the tool.
pub struct NoFiles;

impl FileLoader for NoFiles {
    fn load(&self, _path: &str) -> Result<Arc<[u8]>, LoadError> {
        Err(LoadError::NotFound)
    }
    fn exists(&self, _path: &str) -> bool {
        false
    }
}

/// Text from bytes: each byte that is not UTF-8 becomes one U+FFFD. Gives the text and the offset (in the new text) of
/// the first replaced byte, if there was one.
pub fn decode(bytes: &[u8]) -> (Arc<str>, Option<usize>) {
    let mut rest = match std::str::from_utf8(bytes) {
        Ok(text) => return (text.into(), None),
        Err(_) => bytes,
    };
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    let mut first = None;
    while !rest.is_empty() {
        match std::str::from_utf8(rest) {
            Ok(valid) => {
                text.push_str(valid);
                break;
            }
            Err(error) => {
                let (valid, after) = rest.split_at(error.valid_up_to());
                text.push_str(std::str::from_utf8(valid).unwrap_or_default());
                first.get_or_insert(text.len());
                text.push(stand_in(after[0]));
                rest = &after[1..];
            }
        }
    }
    (text.into(), first)
}

/// Text is Unicode; a byte that is none becomes a character of a private plane, and a byte again in strings.
const STAND_INS: u32 = 0x10_FE00;

fn stand_in(byte: u8) -> char {
    char::from_u32(STAND_INS + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The byte that a character stands for.
pub(crate) fn stood_for(c: char) -> Option<u8> {
    u32::from(c).checked_sub(STAND_INS).filter(|byte| (0x80..0x100).contains(byte)).map(|byte| byte as u8)
}
