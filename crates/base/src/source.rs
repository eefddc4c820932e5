//! Source files and spans.
//!
//! All files of a task share one space of byte positions: a file owns the range `start .. start + len`, so a position
//! names its file. A `Span` is a range of positions plus the macro expansion that it came through, if any: `lo..hi` is
//! where the text is *spelled* (in a macro's body or an argument), and following `expansion` leads to where it is *used*.

use crate::{IdVec, Symbol, define_id};
use std::sync::Arc;

define_id! {
    pub struct FileId = "file";
}
define_id! {
    pub struct ExpansionId = "expansion";
}

/// A range of text. `Span::NONE` stands for things without a place (built-in declarations, command-line macros).
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub lo: u32,
    pub hi: u32,
    pub expansion: Option<ExpansionId>,
}

impl Span {
    pub const NONE: Span = Span { lo: 0, hi: 0, expansion: None };

    pub fn new(lo: u32, hi: u32) -> Self {
        Self { lo, hi, expansion: None }
    }
    pub fn is_none(self) -> bool {
        self.lo == 0 && self.hi == 0
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.lo, self.hi)?;
        self.expansion.map_or(Ok(()), |id| write!(f, "@{id}"))
    }
}

pub struct SourceFile {
    /// As the user or an `#include` wrote it.
    pub name: String,
    pub text: Arc<str>,
    pub start: u32,
    /// Position in `text` of the first byte of each line.
    pub line_starts: Vec<u32>,
    /// Where the file was included, `Span::NONE` for a main file.
    pub included_at: Span,
    /// `#line` directives and line markers: from this offset on, lines are presumed to be these.
    pub line_markers: Vec<LineMarker>,
}

/// `# 12 "x.c"` at `offset`: the *following* line is line 12 of x.c.
pub struct LineMarker {
    pub offset: u32,
    pub line: u32,
    pub file: Option<Symbol>,
}

pub struct Expansion {
    pub macro_name: Symbol,
    /// The macro's use, possibly itself inside an expansion.
    pub call_site: Span,
    /// The name in the `#define`.
    pub definition: Span,
}

/// A place as people read it: one-based line and column, column in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
}

#[derive(Default)]
pub struct SourceMap {
    files: IdVec<FileId, SourceFile>,
    expansions: IdVec<ExpansionId, Expansion>,
    end: u32,
}

/// The total text of a task does not fit 32-bit positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMuchText;

impl SourceMap {
    pub fn add_file(&mut self, name: String, text: Arc<str>, included_at: Span) -> Result<FileId, TooMuchText> {
        // One position is left free before each file, so that the end of a file and `Span::NONE` are no one else's.
        let start = self.end.checked_add(1).ok_or(TooMuchText)?;
        let len = u32::try_from(text.len()).map_err(|_| TooMuchText)?;
        self.end = start.checked_add(len).and_then(|end| end.checked_add(1)).ok_or(TooMuchText)?;
        let line_starts =
            std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|i| i as u32 + 1)).collect();
        Ok(self.files.push(SourceFile { name, text, start, line_starts, included_at, line_markers: Vec::new() }))
    }

    pub fn add_expansion(&mut self, expansion: Expansion) -> ExpansionId {
        self.expansions.push(expansion)
    }

    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id]
    }
    pub fn file_mut(&mut self, id: FileId) -> &mut SourceFile {
        &mut self.files[id]
    }
    pub fn files(&self) -> &IdVec<FileId, SourceFile> {
        &self.files
    }
    pub fn expansion(&self, id: ExpansionId) -> &Expansion {
        &self.expansions[id]
    }

    /// The file that a position lies in.
    pub fn file_at(&self, position: u32) -> Option<FileId> {
        let after = self.files.as_slice().partition_point(|file| file.start <= position);
        let id = <FileId as crate::Id>::from_index(after.checked_sub(1)?);
        let file = &self.files[id];
        (position <= file.start + file.text.len() as u32).then_some(id)
    }

    pub fn place(&self, position: u32) -> Option<Place> {
        let id = self.file_at(position)?;
        let file = &self.files[id];
        let offset = position - file.start;
        let line = file.line_starts.partition_point(|&start| start <= offset);
        Some(Place { file: id, line: line as u32, column: offset - file.line_starts[line - 1] + 1 })
    }

    /// Where the span is used in a file: the outermost macro call that it came through, or itself.
    pub fn use_site(&self, mut span: Span) -> Span {
        while let Some(id) = span.expansion {
            span = self.expansions[id].call_site;
        }
        span
    }

    /// The macro calls that the span came through, innermost first.
    pub fn expansion_chain(&self, span: Span) -> Vec<ExpansionId> {
        let mut chain = Vec::new();
        let mut next = span.expansion;
        while let Some(id) = next {
            chain.push(id);
            next = self.expansions[id].call_site.expansion;
        }
        chain
    }

    /// The span from the start of `a` to the end of `b`: in the innermost expansion that both came through.
    pub fn join(&self, a: Span, b: Span) -> Span {
        if a.expansion == b.expansion {
            return self.cover(a, b);
        }
        let chain = self.expansion_chain(b);
        let (mut a, mut b) = (a, b);
        while let Some(id) = a.expansion {
            if chain.contains(&id) {
                break;
            }
            a = self.expansions[id].call_site;
        }
        while b.expansion != a.expansion {
            match b.expansion {
                Some(id) => b = self.expansions[id].call_site,
                None => return a,
            }
        }
        self.cover(a, b)
    }

    /// The range of two spans of one expansion. One may be spelled in the macro's body and the other in its arguments or
    /// in pasted text: no range has both, so it is the macro's use.
    fn cover(&self, a: Span, b: Span) -> Span {
        if let Some(id) = a.expansion {
            let site = self.expansions[id].call_site;
            let is_inside = |span: Span| site.lo <= span.lo && span.hi <= site.hi;
            if is_inside(a) != is_inside(b) || a.lo > b.lo || self.file_at(a.lo) != self.file_at(b.lo) {
                return site;
            }
        }
        Span { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi), expansion: a.expansion }
    }

    /// The text between `lo` and `hi`, where both lie in one file.
    pub fn text(&self, span: Span) -> Option<&str> {
        let file = &self.files[self.file_at(span.lo)?];
        file.text.get((span.lo - file.start) as usize..(span.hi.checked_sub(file.start)?) as usize)
    }
}
