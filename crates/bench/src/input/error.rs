//! A fault in an input file: where it is and what is wrong, in the shape of the tool's other diagnostics.

use std::fmt;
use std::path::{Path, PathBuf};

/// The stable codes of this crate.
pub mod code {
    use quod_diag::codes;

    pub const UNREADABLE: u16 = codes::BENCH_UNREADABLE.number();
    pub const MALFORMED_XML: u16 = codes::BENCH_MALFORMED_XML.number();
    pub const BAD_DEFINITION: u16 = codes::BENCH_BAD_DEFINITION.number();
    pub const MALFORMED_YAML: u16 = codes::BENCH_MALFORMED_YAML.number();
    pub const BAD_TASK: u16 = codes::BENCH_BAD_TASK.number();
    pub const NO_MATCH: u16 = codes::BENCH_NO_MATCH.number();
    pub const BAD_TOOL: u16 = codes::BENCH_BAD_TOOL.number();
    pub const TOOL_NOT_INSTALLED: u16 = codes::BENCH_TOOL_NOT_INSTALLED.number();
    pub const BAD_RESULT: u16 = codes::BENCH_BAD_RESULT.number();
    pub const BAD_STRUCTURE: u16 = codes::BENCH_BAD_STRUCTURE.number();
    pub const BAD_VALUE: u16 = codes::BENCH_BAD_VALUE.number();
    pub const BAD_JOURNAL: u16 = codes::BENCH_BAD_JOURNAL.number();
    pub const MACHINE: u16 = codes::BENCH_MACHINE.number();
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    pub code: u16,
    pub file: PathBuf,
    /// One-based; zero where the fault is the file itself.
    pub line: u32,
    pub column: u32,
    pub message: String,
    pub help: Option<String>,
}

impl InputError {
    pub fn new(code: u16, file: &Path, line: u32, column: u32, message: impl Into<String>) -> Self {
        Self { code, file: file.to_path_buf(), line, column, message: message.into(), help: None }
    }
    /// A fault of the whole file, such as one that cannot be read.
    pub fn file(code: u16, file: &Path, message: impl Into<String>) -> Self {
        Self::new(code, file, 0, 0, message)
    }
    /// A fault of an option on the command line.
    pub fn option(code: u16, message: impl Into<String>) -> Self {
        Self::new(code, Path::new(""), 0, 0, message)
    }
    pub fn unreadable(file: &Path, error: &std::io::Error) -> Self {
        Self::file(code::UNREADABLE, file, format!("cannot read the file: {error}"))
    }
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error[Q{:04}]: {}", self.code, self.message)?;
        if !self.file.as_os_str().is_empty() {
            write!(f, "\n  --> {}", self.file.display())?;
            if self.line > 0 {
                write!(f, ":{}:{}", self.line, self.column.max(1))?;
            }
        }
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "\n  help: {help}"))
    }
}

impl std::error::Error for InputError {}

/// All faults that were found; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputErrors(pub Vec<InputError>);

impl From<InputError> for InputErrors {
    fn from(error: InputError) -> Self {
        Self(vec![error])
    }
}

impl fmt::Display for InputErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for InputErrors {}

/// One-based line and column of a byte offset.
pub fn line_and_column(text: &str, offset: usize) -> (u32, u32) {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count();
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count();
    (line as u32 + 1, column as u32 + 1)
}
