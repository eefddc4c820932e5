//! The renderers, one a file. Each takes a `Report` and gives text; the caller decides where it goes.

pub mod json;
pub mod junit;
pub mod sarif;
pub mod short;
pub mod terminal;

use crate::{Diagnostic, Severity};
use quod_base::SourceMap;

/// What one command found out about its input, ready for any renderer.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    /// The verb: `run`, `verify`, …
    pub command: &'a str,
    /// The files that were named on the command line.
    pub inputs: &'a [String],
    pub sources: &'a SourceMap,
    pub diagnostics: &'a [Diagnostic],
    pub outcome: Outcome<'a>,
}

/// How the command ended.
#[derive(Clone, Copy)]
pub struct Outcome<'a> {
    pub status: Status,
    /// One line for people, such as `Result: FALSE(assertion)` without its label: `FALSE(assertion)`.
    pub text: &'a str,
    pub exit_code: i32,
    /// Seconds of wall clock, if they are to be shown.
    pub seconds: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The question was answered with yes, or the command did what was asked.
    Passed,
    /// The program is wrong.
    Failed,
    /// The tool does not know.
    Unknown,
    /// The input does not compile, or the tool itself failed.
    Error,
}

impl Status {
    pub fn word(self) -> &'static str {
        match self {
            Status::Passed => "passed",
            Status::Failed => "failed",
            Status::Unknown => "unknown",
            Status::Error => "error",
        }
    }
}

/// How many errors and warnings there are.
pub fn counts(diagnostics: &[Diagnostic]) -> (usize, usize) {
    let count = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    (count(Severity::Error), count(Severity::Warning))
}
