//! From spans to what people read: the place to show for a span that came through macros, its presumed file and line
//! (`#line` and line markers), the macros on the way and the files that included it. All renderers stand on this.

use crate::Diagnostic;
use quod_base::source::{FileId, LineMarker, SourceFile};
use quod_base::{ExpansionId, SourceMap, Span};

/// A span as people read it. Lines and columns count from one, columns in bytes; ends are exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Where the text lies; with `lo..hi` it is what an editor underlines.
    pub file: FileId,
    /// Offsets in the file's text.
    pub lo: usize,
    pub hi: usize,
    /// The file and lines as `#line` and line markers want them.
    pub name: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    /// Which part of the file it lies in, counted by line markers: line numbers are continuous within a part.
    pub part: usize,
    /// The macros that the text came through, outermost first; empty for text that stands in the file itself.
    pub macros: Vec<MacroUse>,
}

/// "In expansion of macro `name`".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroUse {
    pub name: String,
    /// The text in the macro's body that the next step came from, or else the name in its `#define`; nothing for macros
    /// that have no place, such as those of the command line.
    pub spot: Option<Box<Spot>>,
}

/// "In file included from `name:line`".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inclusion {
    pub name: String,
    pub line: u32,
}

/// Where to point for a span: the text itself, or for text from a macro's body the macro's use.
pub fn spot(sources: &SourceMap, span: Span) -> Option<Spot> {
    if span.is_none() {
        return None;
    }
    if span.expansion.is_none() {
        return plain_spot(sources, span);
    }
    let used = sources.use_site(span);
    if is_argument(sources, span, used) {
        return plain_spot(sources, span);
    }
    let mut shown = plain_spot(sources, used)?;
    shown.macros = macros(sources, span);
    Some(shown)
}

/// The files that led to this one, nearest first.
pub fn inclusions(sources: &SourceMap, file: FileId) -> Vec<Inclusion> {
    let mut chain = Vec::new();
    let mut at = sources.file(file).included_at;
    // Include cycles cannot happen in a source map (each inclusion is a file of its own), but a deep chain can.
    while let Some(spot) = plain_spot(sources, sources.use_site(at)).filter(|_| !at.is_none() && chain.len() < 200) {
        chain.push(Inclusion { name: spot.name, line: spot.line });
        at = sources.file(spot.file).included_at;
    }
    chain
}

/// Sorts diagnostics as a reader meets their places: in the order of the text, included files where they are included.
/// Of several errors at one place the first is kept, because the others tend to follow from it.
pub fn sort(sources: &SourceMap, diagnostics: &mut Vec<Diagnostic>) {
    let mut keyed: Vec<(Vec<u32>, Diagnostic)> =
        diagnostics.drain(..).map(|diagnostic| (reading_order(sources, diagnostic.span()), diagnostic)).collect();
    keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (_, diagnostic) in keyed {
        let is_repetition = |other: &Diagnostic| {
            !diagnostic.span().is_none()
                && other.span() == diagnostic.span()
                && other.severity == diagnostic.severity
                && diagnostic.is_error()
        };
        if !diagnostics.iter().rev().take(8).any(is_repetition) {
            diagnostics.push(diagnostic);
        }
    }
}

/// The positions that lead to a span: of the inclusions from the main file inwards, then its own.
fn reading_order(sources: &SourceMap, span: Span) -> Vec<u32> {
    let mut positions = Vec::new();
    let mut at = sources.use_site(span);
    while !at.is_none() && positions.len() < 200 {
        positions.push(at.lo);
        let Some(file) = sources.file_at(at.lo) else { break };
        at = sources.use_site(sources.file(file).included_at);
    }
    positions.reverse();
    positions
}

/// The macro's argument is text of the place where the macro is used; the macro's body is not.
fn is_argument(sources: &SourceMap, span: Span, used: Span) -> bool {
    let file = sources.file_at(span.lo);
    span.lo <= span.hi
        && span.lo >= used.lo
        && file.is_some()
        && file == sources.file_at(span.hi)
        && file == sources.file_at(used.lo)
        && !sources.expansion_chain(span).into_iter().any(|id| is_in_body(sources, id, span))
}

/// Whether the span is spelled in the body of this macro: between the name and the end of the directive.
fn is_in_body(sources: &SourceMap, id: ExpansionId, span: Span) -> bool {
    let definition = sources.expansion(id).definition;
    let Some(file) = sources.file_at(definition.lo).filter(|_| !definition.is_none()) else { return false };
    if span.lo < definition.hi || sources.file_at(span.lo) != Some(file) {
        return false;
    }
    let file = sources.file(file);
    let text = &file.text.as_bytes()[(definition.hi - file.start) as usize..];
    let length = (span.lo - definition.hi) as usize;
    // The directive goes on over lines that end in a backslash.
    let mut at = 0;
    while let Some(line) = memchr_newline(&text[at..]) {
        let end = at + line;
        if length <= end {
            return true;
        }
        let ends_in_backslash = text[..end].strip_suffix(b"\r").unwrap_or(&text[..end]).ends_with(b"\\");
        if !ends_in_backslash {
            return false;
        }
        at = end + 1;
    }
    true
}

fn memchr_newline(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&byte| byte == b'\n')
}

fn macros(sources: &SourceMap, span: Span) -> Vec<MacroUse> {
    let mut uses = Vec::new();
    let mut inner = span;
    while let Some(id) = inner.expansion {
        let expansion = sources.expansion(id);
        let body = Span { expansion: None, ..inner };
        let place = if is_in_body(sources, id, inner) && inner.hi >= inner.lo { body } else { expansion.definition };
        uses.push(MacroUse {
            name: expansion.macro_name.as_str().to_owned(),
            spot: plain_spot(sources, Span { expansion: None, ..place }).map(Box::new),
        });
        inner = expansion.call_site;
    }
    uses.reverse();
    uses
}

fn plain_spot(sources: &SourceMap, span: Span) -> Option<Spot> {
    if span.is_none() {
        return None;
    }
    let id = sources.file_at(span.lo)?;
    let file = sources.file(id);
    let lo = boundary(&file.text, (span.lo - file.start) as usize);
    let hi = boundary(&file.text, (span.hi.max(span.lo) - file.start) as usize).max(lo);
    let (row, column) = row_and_column(file, lo);
    let (end_row, end_column) = row_and_column(file, hi);
    let part = file.line_markers.partition_point(|marker| (marker.offset as usize) < file.line_starts[row] as usize);
    let marker = part.checked_sub(1).map(|index| &file.line_markers[index]);
    let presumed = |row: usize| presumed_line(file, marker, row);
    let name = file.line_markers[..part].iter().rev().find_map(|marker| marker.file);
    Some(Spot {
        file: id,
        lo,
        hi,
        name: name.map_or_else(|| file.name.clone(), |name| name.as_str().to_owned()),
        line: presumed(row),
        column,
        end_line: presumed(end_row),
        end_column,
        part,
        macros: Vec::new(),
    })
}

/// The nearest character boundary at or before an offset, within the text.
fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Row from zero, column from one.
fn row_and_column(file: &SourceFile, offset: usize) -> (usize, u32) {
    let row = file.line_starts.partition_point(|&start| start as usize <= offset).max(1) - 1;
    (row, (offset - file.line_starts[row] as usize) as u32 + 1)
}

/// The line that a row is presumed to be: the line after a marker is the marker's line.
fn presumed_line(file: &SourceFile, marker: Option<&LineMarker>, row: usize) -> u32 {
    let Some(marker) = marker else { return row as u32 + 1 };
    let marker_row = file.line_starts.partition_point(|&start| start <= marker.offset).max(1) - 1;
    marker.line.saturating_add((row as u32).saturating_sub(marker_row as u32 + 1))
}

/// The text of the row that an offset lies in, for renderers: start and end offsets without the line's end.
pub(crate) fn line_bounds(file: &SourceFile, offset: usize) -> (usize, usize) {
    let (row, _) = row_and_column(file, offset);
    let start = file.line_starts[row] as usize;
    let end = file.line_starts.get(row + 1).map_or(file.text.len(), |&next| next as usize - 1);
    (start, end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quod_base::Symbol;
    use quod_base::source::Expansion;
    use std::sync::Arc;

    fn sources(text: &str) -> (SourceMap, u32) {
        let mut sources = SourceMap::default();
        let file = sources.add_file("t.c".into(), Arc::from(text), Span::NONE).unwrap();
        let start = sources.file(file).start;
        (sources, start)
    }

    #[test]
    fn line_markers_give_presumed_lines() {
        let text = "a\n# 40 \"orig.c\"\nb\nc\n";
        let (mut sources, start) = sources(text);
        let file = sources.file_at(start).unwrap();
        sources.file_mut(file).line_markers.push(LineMarker {
            offset: 2,
            line: 40,
            file: Some(Symbol::intern("orig.c")),
        });
        let at = |offset: u32| spot(&sources, Span::new(start + offset, start + offset + 1)).unwrap();
        assert_eq!((at(0).name.as_str(), at(0).line), ("t.c", 1));
        let c = text.rfind('c').unwrap() as u32;
        assert_eq!((at(c).name.as_str(), at(c).line), ("orig.c", 41));
    }

    #[test]
    fn text_of_a_macro_body_is_shown_at_its_use() {
        let text = "#define HALF(x) ((x) \\\n / zero)\nint y = HALF(4);\n";
        let (mut sources, start) = sources(text);
        let position = |needle: &str| start + text.find(needle).unwrap() as u32;
        let call = Span::new(position("HALF(4)"), position("HALF(4)") + 7);
        let definition = Span::new(position("HALF"), position("HALF") + 4);
        let id = sources.add_expansion(Expansion { macro_name: "HALF".into(), call_site: call, definition });
        let body = Span { lo: position("/ zero"), hi: position("/ zero") + 6, expansion: Some(id) };
        let shown = spot(&sources, body).unwrap();
        assert_eq!((shown.line, shown.column), (3, 9));
        assert_eq!(shown.macros.len(), 1);
        assert_eq!(shown.macros[0].spot.as_ref().unwrap().line, 2);

        let argument = Span { lo: position("4"), hi: position("4") + 1, expansion: Some(id) };
        let shown = spot(&sources, argument).unwrap();
        assert_eq!((shown.line, shown.column), (3, 14));
        assert!(shown.macros.is_empty());
    }
}
