//! The lexer: from the text of one file to tokens.
//!
//! Works on bytes with a table of classes; runs of words, comments and strings are found with `memchr` or a table look-up
//! a byte. Splices (backslash, line feed), universal character names and characters beyond ASCII leave the fast path.

mod chars;
mod literal;
mod pp_token;
mod punct;
mod skip;
mod table;

pub(crate) use chars::after_splice;
pub(crate) use pp_token::{PpFlags, PpKind, PpToken};
pub(crate) use table::{TextId, TextTable, known};

use crate::{Dialect, Encoding, Punct, Standard};
use chars::{CLASS, Class, IS_WORD, is_extended_identifier, logical_byte, universal_character};
use memchr::memchr;
use punct::munch;
use quod_base::Span;
use quod_diag::Diagnostic;
use quod_diag::codes;
use std::sync::Arc;

/// What all lexers of a translation unit share.
pub(crate) struct LexContext {
    pub(crate) table: TextTable,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) dialect: Dialect,
    pub(crate) standard: Standard,
    pub(crate) keep_annotations: bool,
}

pub(crate) struct Lexer {
    text: Arc<str>,
    /// Offset of the next byte.
    position: usize,
    /// Where the file starts in the space of positions.
    start: u32,
    /// A line feed ends the directive instead of being white space.
    pub(crate) in_directive: bool,
    /// Flags that the next token starts with.
    pending: PpFlags,
}

impl Lexer {
    pub(crate) fn new(text: Arc<str>, start: u32) -> Self {
        // A byte order mark is no text.
        let position = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        Self { text, position, start, in_directive: false, pending: PpFlags::LINE_START }
    }

    /// The position, in the space of all files, of the next byte.
    pub(crate) fn global_position(&self) -> u32 {
        self.start + self.position as u32
    }

    pub(crate) fn text(&self) -> &Arc<str> {
        &self.text
    }

    pub(crate) fn offset(&self) -> usize {
        self.position
    }

    fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.start + from as u32, self.start + to as u32)
    }

    #[inline]
    fn token(&mut self, kind: PpKind, text: TextId, flags: PpFlags, from: usize, to: usize) -> PpToken {
        self.position = to;
        PpToken { span: self.span(from, to), text, kind, flags }
    }

    /// The next token. At the end of the text `Eof`, inside a directive at the end of its line `EndOfDirective`, each as
    /// often as asked.
    #[inline]
    pub(crate) fn next(&mut self, cx: &mut LexContext) -> PpToken {
        let mut flags = self.pending;
        self.pending = PpFlags::default();
        let mut position = self.position;
        loop {
            let bytes = self.text.as_bytes();
            let Some(&byte) = bytes.get(position) else {
                let kind = if self.in_directive { PpKind::EndOfDirective } else { PpKind::Eof };
                let end = bytes.len();
                return self.token(kind, known::EMPTY, flags, end, end);
            };
            match CLASS[byte as usize] {
                Class::Space => {
                    position += 1;
                    flags = flags.with(PpFlags::SPACE_BEFORE);
                }
                Class::Newline => {
                    if self.in_directive {
                        return self.token(PpKind::EndOfDirective, known::EMPTY, flags, position, position);
                    }
                    position += 1;
                    flags = PpFlags::LINE_START;
                }
                Class::Letter => {
                    let mut end = position + 1;
                    while end < bytes.len() && IS_WORD[bytes[end] as usize] {
                        end += 1;
                    }
                    if let Some(&after) = bytes.get(end) {
                        if after == b'"' || after == b'\'' {
                            if let Some(token) = self.prefixed_literal(cx, flags, position, end) {
                                return token;
                            }
                        } else if after == b'\\' || after >= 0x80 {
                            return self.extended_identifier(cx, flags, position);
                        }
                    }
                    let text = cx.table.intern(&self.text[position..end]);
                    return self.token(PpKind::Ident, text, flags, position, end);
                }
                Class::Digit => return self.number(cx, flags, position),
                Class::Quote => return self.literal(cx, flags, position, position, Encoding::Plain),
                Class::Dot => {
                    if logical_byte(bytes, position + 1).is_some_and(|(next, _)| next.is_ascii_digit()) {
                        return self.number(cx, flags, position);
                    }
                    return self.punct(cx, flags, position);
                }
                Class::Slash => match self.comment(cx, position) {
                    Comment::None => return self.punct(cx, flags, position),
                    Comment::Until(end) => {
                        position = end;
                        flags = flags.with(PpFlags::SPACE_BEFORE);
                    }
                    Comment::Annotation(end) => {
                        return self.token(PpKind::Annotation, known::EMPTY, flags, position, end);
                    }
                },
                Class::Punct => return self.punct(cx, flags, position),
                Class::Backslash => match after_splice(bytes, position) {
                    Some(after) => position = after,
                    None if universal_character(bytes, position).is_some() => {
                        return self.extended_identifier(cx, flags, position);
                    }
                    None => return self.unknown(cx, flags, position),
                },
                Class::High => match self.text[position..].chars().next() {
                    Some(character) if is_extended_identifier(character) => {
                        return self.extended_identifier(cx, flags, position);
                    }
                    Some(character) if character.is_whitespace() => {
                        position += character.len_utf8();
                        flags = flags.with(PpFlags::SPACE_BEFORE);
                    }
                    _ => return self.unknown(cx, flags, position),
                },
                Class::Other => return self.unknown(cx, flags, position),
            }
        }
    }

    #[cold]
    fn unknown(&mut self, cx: &mut LexContext, flags: PpFlags, from: usize) -> PpToken {
        let end = from + self.text[from..].chars().next().map_or(1, char::len_utf8);
        let text = cx.table.intern(&self.text[from..end]);
        self.token(PpKind::Unknown, text, flags, from, end)
    }

    #[inline]
    fn punct(&mut self, cx: &LexContext, flags: PpFlags, from: usize) -> PpToken {
        let bytes = self.text.as_bytes();
        let at = |index: usize| bytes.get(from + index).copied().unwrap_or(0);
        let Some((punct, length)) = munch(at(0), at(1), at(2), at(3), cx.dialect) else {
            return self.token(PpKind::Unknown, known::EMPTY, flags, from, from + 1);
        };
        if at(length) == b'\\' && after_splice(bytes, from + length).is_some() {
            return self.spliced_punct(cx, flags, from);
        }
        self.token(PpKind::Punct(punct), known::EMPTY, flags, from, from + length)
    }

    /// A punctuator with splices inside or behind it.
    #[cold]
    fn spliced_punct(&mut self, cx: &LexContext, flags: PpFlags, from: usize) -> PpToken {
        let bytes = self.text.as_bytes();
        let mut logical = [(0, from); 4];
        let mut next = from;
        for slot in &mut logical {
            if let Some((byte, position)) = logical_byte(bytes, next) {
                *slot = (byte, position + 1);
                next = position + 1;
            }
        }
        let [first, second, third, fourth] = logical;
        match munch(first.0, second.0, third.0, fourth.0, cx.dialect) {
            Some((punct, length)) => self.token(PpKind::Punct(punct), known::EMPTY, flags, from, logical[length - 1].1),
            None => self.token(PpKind::Unknown, known::EMPTY, flags, from, from + 1),
        }
    }

    /// What a word goes on with, and what is behind it: a character, or a splice, which is none.
    fn word_part(&self, position: usize) -> Option<(Option<char>, usize)> {
        let bytes = self.text.as_bytes();
        match *bytes.get(position)? {
            byte if IS_WORD[byte as usize] => Some((Some(char::from(byte)), position + 1)),
            b'\\' => match (after_splice(bytes, position), universal_character(bytes, position)) {
                (Some(after), _) => Some((None, after)),
                (None, Some((character, after))) => Some((Some(character), after)),
                (None, None) => None,
            },
            0x80.. => {
                let character = self.text[position..].chars().next()?;
                is_extended_identifier(character).then(|| (Some(character), position + character.len_utf8()))
            }
            _ => None,
        }
    }

    /// An identifier with splices, universal character names or characters beyond ASCII.
    #[cold]
    fn extended_identifier(&mut self, cx: &mut LexContext, flags: PpFlags, from: usize) -> PpToken {
        let bytes = self.text.as_bytes();
        let mut name = String::new();
        let mut end = from;
        let mut position = from;
        while let Some((character, after)) = self.word_part(position) {
            position = after;
            if let Some(character) = character {
                name.push(character);
                end = position;
            }
        }
        // `L\<line feed>"x"` is a wide string, too.
        if matches!(bytes.get(position), Some(b'"' | b'\''))
            && let Some(encoding) = literal::encoding_of(&name)
        {
            return self.literal(cx, flags, from, position, encoding);
        }
        let text = cx.table.intern(&name);
        self.token(PpKind::Ident, text, flags, from, end)
    }

    /// The comment that a slash at `from` starts, if any.
    #[inline]
    fn comment(&mut self, cx: &mut LexContext, from: usize) -> Comment {
        let bytes = self.text.as_bytes();
        let Some((second, at)) = logical_byte(bytes, from + 1) else { return Comment::None };
        let is_annotation = cx.keep_annotations && !self.in_directive && bytes.get(at + 1) == Some(&b'@');
        let end = match second {
            b'/' => line_end(bytes, at + 1),
            b'*' => match block_end(bytes, at + 1) {
                Some(end) => end,
                None => {
                    let span = self.span(from, at + 1);
                    cx.error(codes::UNTERMINATED_COMMENT, "comment without end", span, "starts here, `*/` is missing");
                    bytes.len()
                }
            },
            _ => return Comment::None,
        };
        if is_annotation { Comment::Annotation(end) } else { Comment::Until(end) }
    }

    /// Whether the next token is a left parenthesis; nothing is consumed. Looks over the ends of lines, except inside a
    /// directive.
    pub(crate) fn peek_left_paren(&self) -> bool {
        let bytes = self.text.as_bytes();
        let mut position = self.position;
        while let Some(&byte) = bytes.get(position) {
            match CLASS[byte as usize] {
                Class::Newline if self.in_directive => return false,
                Class::Space | Class::Newline => position += 1,
                Class::Slash => match logical_byte(bytes, position + 1) {
                    Some((b'/', at)) => position = line_end(bytes, at + 1),
                    Some((b'*', at)) => match block_end(bytes, at + 1) {
                        Some(end) => position = end,
                        None => return false,
                    },
                    _ => return false,
                },
                Class::Backslash => match after_splice(bytes, position) {
                    Some(after) => position = after,
                    None => return false,
                },
                _ => return byte == b'(',
            }
        }
        false
    }

    /// Leaves the directive: what remains of its line is passed over.
    pub(crate) fn finish_directive(&mut self, cx: &mut LexContext) {
        while self.in_directive && self.next(cx).kind != PpKind::EndOfDirective {}
        self.in_directive = false;
    }

    /// Goes to the end of the text.
    pub(crate) fn abandon(&mut self) {
        self.position = self.text.len();
        self.in_directive = false;
    }
}

enum Comment {
    None,
    Until(usize),
    Annotation(usize),
}

/// The end of the line (where its line feed stands) that goes on at `from`, splices considered.
pub(super) fn line_end(bytes: &[u8], mut from: usize) -> usize {
    loop {
        let Some(offset) = memchr(b'\n', &bytes[from..]) else { return bytes.len() };
        let end = from + offset;
        let before = bytes[from..end].iter().rposition(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c));
        match before {
            Some(last) if bytes[from + last] == b'\\' => from = end + 1,
            _ => return end,
        }
    }
}

/// The end of a block comment whose text starts at `from`.
pub(super) fn block_end(bytes: &[u8], mut from: usize) -> Option<usize> {
    loop {
        let star = from + memchr(b'*', bytes.get(from..)?)?;
        match bytes.get(star + 1) {
            Some(b'/') => return Some(star + 2),
            Some(b'\\') => match logical_byte(bytes, star + 1) {
                Some((b'/', at)) => return Some(at + 1),
                _ => from = star + 1,
            },
            _ => from = star + 1,
        }
    }
}

impl LexContext {
    /// At most this many messages are kept: a broken file has no end of them.
    const MOST_DIAGNOSTICS: usize = 200;

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < Self::MOST_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    pub(crate) fn error(
        &mut self,
        code: quod_diag::Code,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) {
        self.report(Diagnostic::error(code, message).label(span, label));
    }
}

/// How a token is written, without the space before it.
pub(crate) fn spelling(token: &PpToken, table: &TextTable, out: &mut String) {
    match token.kind {
        PpKind::Ident | PpKind::Number => out.push_str(table.text(token.text)),
        PpKind::Char(encoding) => {
            out.push_str(encoding.as_str());
            out.push('\'');
            out.push_str(table.text(token.text));
            out.push('\'');
        }
        PpKind::Str(encoding) => {
            out.push_str(encoding.as_str());
            out.push('"');
            out.push_str(table.text(token.text));
            out.push('"');
        }
        PpKind::Punct(punct) => out.push_str(Punct::as_str(punct)),
        PpKind::Unknown => out.push_str(table.text(token.text)),
        _ => {}
    }
}
