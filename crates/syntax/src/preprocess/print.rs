//! Preprocessed text, for people and for other compilers: `quod show --preprocessed`.

use crate::{Token, TokenFlags, TokenKind};
use quod_base::{FileId, SourceMap};
use std::fmt::Write;

/// The tokens as text with line markers: what gcc's `-E` prints.
pub fn print_preprocessed(source_map: &SourceMap, tokens: &[Token]) -> String {
    let mut printer = Printer { source_map, out: String::with_capacity(tokens.len() * 5), file: None, line: 1 };
    let mut previous = None;
    let mut in_pragma = false;
    for token in tokens {
        match token.kind {
            TokenKind::Eof => break,
            TokenKind::PragmaStart => {
                printer.start_line(token);
                printer.out.push_str("#pragma");
                in_pragma = true;
                previous = Some(*token);
                continue;
            }
            TokenKind::PragmaEnd => {
                in_pragma = false;
                printer.new_line();
                previous = None;
                continue;
            }
            TokenKind::Annotation => printer.start_line(token),
            _ => {}
        }
        if token.flags.contains(TokenFlags::LINE_START) && !in_pragma {
            printer.start_line(token);
        } else if token.flags.contains(TokenFlags::SPACE_BEFORE)
            || previous.is_some_and(|previous| would_merge(&previous, token))
        {
            printer.out.push(' ');
        }
        write_token(source_map, token, &mut printer.out);
        previous = Some(*token);
        if token.kind == TokenKind::Annotation {
            printer.line += source_map.text(token.span).map_or(0, |text| text.matches('\n').count() as u32);
            printer.new_line();
            previous = None;
        }
    }
    if !printer.out.ends_with('\n') {
        printer.out.push('\n');
    }
    printer.out
}

struct Printer<'a> {
    source_map: &'a SourceMap,
    out: String,
    file: Option<FileId>,
    line: u32,
}

impl Printer<'_> {
    fn new_line(&mut self) {
        self.out.push('\n');
        self.line += 1;
    }

    /// Goes to the line that the token stands on, with a marker if it is far away.
    fn start_line(&mut self, token: &Token) {
        let position = self.source_map.use_site(token.span).lo;
        let Some(place) = self.source_map.place(position) else { return };
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.new_line();
        }
        let is_near = self.file == Some(place.file) && (self.line..self.line + 8).contains(&place.line);
        if is_near {
            while self.line < place.line {
                self.new_line();
            }
        } else {
            let name = self.source_map.file(place.file).name.replace('\\', "\\\\").replace('"', "\\\"");
            // Writing to a string cannot fail.
            let _ = writeln!(self.out, "# {} \"{name}\"", place.line);
            self.file = Some(place.file);
            self.line = place.line;
        }
        for _ in 1..place.column.min(40) {
            self.out.push(' ');
        }
    }
}

/// Appends a token's spelling.
pub(crate) fn write_token(source_map: &SourceMap, token: &Token, out: &mut String) {
    match token.kind {
        TokenKind::Ident(name) | TokenKind::Number(name) => out.push_str(name.as_str()),
        TokenKind::Keyword(keyword) => out.push_str(keyword.as_str()),
        TokenKind::Char { prefix, text } => {
            let _ = write!(out, "{}'{text}'", prefix.as_str());
        }
        TokenKind::Str { prefix, text } => {
            let _ = write!(out, "{}\"{text}\"", prefix.as_str());
        }
        TokenKind::Punct(punct) => out.push_str(punct.as_str()),
        TokenKind::Annotation | TokenKind::Unknown => out.push_str(source_map.text(token.span).unwrap_or_default()),
        TokenKind::PragmaStart | TokenKind::PragmaEnd | TokenKind::Eof => {}
    }
}

/// Whether two tokens without a space between them could be read as other ones.
fn would_merge(left: &Token, right: &Token) -> bool {
    let is_word = |token: &Token| {
        matches!(
            token.kind,
            TokenKind::Ident(_)
                | TokenKind::Keyword(_)
                | TokenKind::Number(_)
                | TokenKind::Char { .. }
                | TokenKind::Str { .. }
                | TokenKind::PragmaStart
                | TokenKind::Unknown
        )
    };
    match (left.kind, right.kind) {
        (TokenKind::Punct(a), TokenKind::Punct(b)) => {
            let (a, b) = (a.as_str().as_bytes(), b.as_str().as_bytes());
            let both = [a[a.len() - 1], b[0]];
            both[0] == both[1] && !b"()[]{};,~".contains(&both[0])
                || both[1] == b'=' && b"+-*/%&|^<>=!".contains(&both[0])
                || matches!(&both, b"->" | b"/*" | b"<:" | b":>" | b"<%" | b"%>" | b"%:" | b"=>")
        }
        (TokenKind::Number(_), TokenKind::Punct(punct)) => matches!(punct.as_str().as_bytes()[0], b'+' | b'-' | b'.'),
        (TokenKind::Punct(punct), TokenKind::Number(_)) => punct.as_str().ends_with('.'),
        _ => is_word(left) && is_word(right),
    }
}
