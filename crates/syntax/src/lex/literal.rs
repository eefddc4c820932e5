//! Numbers, character constants and string literals, raw ones included.

use super::chars::{IS_WORD, after_splice};
use super::{LexContext, Lexer, PpFlags, PpKind, PpToken};
use crate::{Dialect, Encoding, Standard};
use memchr::{memchr, memchr3};
use quod_diag::codes;

pub(super) fn encoding_of(prefix: &str) -> Option<Encoding> {
    match prefix {
        "L" => Some(Encoding::Wide),
        "u" => Some(Encoding::Utf16),
        "U" => Some(Encoding::Utf32),
        "u8" => Some(Encoding::Utf8),
        _ => None,
    }
}

impl Lexer {
    /// A preprocessing number: digits, letters, dots, and signs after an exponent's letter.
    pub(super) fn number(&mut self, cx: &mut LexContext, flags: PpFlags, from: usize) -> PpToken {
        let bytes = self.text.as_bytes();
        let mut end = from;
        let mut previous = 0;
        loop {
            match bytes.get(end) {
                // In CIVL-C `0..n` is a range.
                Some(b'.') if cx.dialect == Dialect::Civl && bytes.get(end + 1) == Some(&b'.') && end > from => break,
                Some(&byte) if IS_WORD[byte as usize] || byte == b'.' => {
                    previous = byte;
                    end += 1;
                }
                Some(b'+' | b'-') if matches!(previous, b'e' | b'E' | b'p' | b'P') => {
                    previous = 0;
                    end += 1;
                }
                Some(b'\'')
                    if cx.standard == Standard::C23 && bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric) =>
                {
                    previous = 0;
                    end += 1;
                }
                Some(b'\\' | 0x80..) => return self.extended_number(cx, flags, from),
                _ => break,
            }
        }
        let text = cx.table.intern(&self.text[from..end]);
        self.token(PpKind::Number, text, flags, from, end)
    }

    /// A number with splices, or with characters beyond ASCII that make it malformed.
    #[cold]
    fn extended_number(&mut self, cx: &mut LexContext, flags: PpFlags, from: usize) -> PpToken {
        let bytes = self.text.as_bytes();
        let mut number = String::new();
        let mut position = from;
        let mut end = from;
        loop {
            let (character, after) = match bytes.get(position) {
                Some(b'.') if cx.dialect == Dialect::Civl && bytes.get(position + 1) == Some(&b'.') => break,
                Some(b'.') => (Some('.'), position + 1),
                Some(&sign @ (b'+' | b'-')) if number.ends_with(['e', 'E', 'p', 'P']) => {
                    (Some(char::from(sign)), position + 1)
                }
                _ => match self.word_part(position) {
                    Some(part) => part,
                    None => break,
                },
            };
            position = after;
            if let Some(character) = character {
                number.push(character);
                end = position;
            }
        }
        let text = cx.table.intern(&number);
        self.token(PpKind::Number, text, flags, from, end)
    }

    /// A literal whose prefix is the word `from..quote`; `None` if that word is no prefix.
    #[inline]
    pub(super) fn prefixed_literal(
        &mut self,
        cx: &mut LexContext,
        flags: PpFlags,
        from: usize,
        quote: usize,
    ) -> Option<PpToken> {
        if quote - from > 3 {
            return None;
        }
        let prefix = &self.text[from..quote];
        if let Some(encoding) = encoding_of(prefix) {
            return Some(self.literal(cx, flags, from, quote, encoding));
        }
        let encoding = match prefix.strip_suffix('R')? {
            "" => Encoding::Plain,
            prefix => encoding_of(prefix)?,
        };
        self.raw_string(cx, flags, from, quote, encoding)
    }

    /// A character constant or string literal: the token starts at `from`, its opening quote stands at `quote`.
    pub(super) fn literal(
        &mut self,
        cx: &mut LexContext,
        flags: PpFlags,
        from: usize,
        quote: usize,
        encoding: Encoding,
    ) -> PpToken {
        let bytes = self.text.as_bytes();
        let delimiter = bytes[quote];
        let mut position = quote + 1;
        let mut has_splice = false;
        let closed = loop {
            let Some(offset) = memchr3(delimiter, b'\\', b'\n', &bytes[position..]) else {
                position = bytes.len();
                break false;
            };
            position += offset;
            match bytes[position] {
                b'\\' => match after_splice(bytes, position) {
                    Some(after) => {
                        has_splice = true;
                        position = after;
                    }
                    // The escaped character may itself stand behind a splice.
                    None => {
                        position += 1;
                        while let Some(after) = after_splice(bytes, position) {
                            has_splice = true;
                            position = after;
                        }
                        if bytes.get(position).is_some_and(|&byte| byte == delimiter || byte == b'\\') {
                            position += 1;
                        }
                    }
                },
                b'\n' => break false,
                _ => break true,
            }
        };
        if !closed {
            return self.unterminated_literal(cx, flags, from, position, delimiter);
        }
        let content = &self.text[quote + 1..position];
        let text = if has_splice { cx.table.intern(&without_splices(content)) } else { cx.table.intern(content) };
        let kind = if delimiter == b'"' { PpKind::Str(encoding) } else { PpKind::Char(encoding) };
        self.token(kind, text, flags, from, position + 1)
    }

    /// `R"delimiter( … )delimiter"`; its text is turned into that of an ordinary literal. `None` if it is none after all.
    #[cold]
    fn raw_string(
        &mut self,
        cx: &mut LexContext,
        flags: PpFlags,
        from: usize,
        quote: usize,
        encoding: Encoding,
    ) -> Option<PpToken> {
        let rest = self.text.get(quote + 1..)?;
        let open = rest.as_bytes().iter().take(17).position(|&byte| byte == b'(')?;
        let delimiter = &rest[..open];
        if delimiter.bytes().any(|byte| matches!(byte, b' ' | b')' | b'\\' | b'\n' | b'"')) || self.in_directive {
            return None;
        }
        let closing = format!("){delimiter}\"");
        let length = rest[open + 1..].find(&closing)?;
        let content = &rest[open + 1..open + 1 + length];
        let mut escaped = String::with_capacity(content.len());
        for character in content.chars() {
            match character {
                '\\' => escaped.push_str("\\\\"),
                '"' => escaped.push_str("\\\""),
                '\n' => escaped.push_str("\\n"),
                other => escaped.push(other),
            }
        }
        let end = quote + 1 + open + 1 + length + closing.len();
        let text = cx.table.intern(&escaped);
        Some(self.token(PpKind::Str(encoding), text, flags, from, end))
    }

    #[cold]
    fn unterminated_literal(
        &mut self,
        cx: &mut LexContext,
        flags: PpFlags,
        from: usize,
        end: usize,
        delimiter: u8,
    ) -> PpToken {
        let span = self.span(from, end);
        let (what, quote) = if delimiter == b'"' { ("string literal", '"') } else { ("character constant", '\'') };
        let message = format!("{what} without closing quote");
        cx.error(codes::UNTERMINATED_LITERAL, message, span, format!("`{quote}` is missing at the end of the line"));
        let text = cx.table.intern(&self.text[from..end]);
        self.token(PpKind::Unknown, text, flags, from, end)
    }
}

/// The text without backslash and line feed pairs.
pub(super) fn without_splices(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut result = String::with_capacity(text.len());
    let mut position = 0;
    while let Some(offset) = memchr(b'\\', &bytes[position..]) {
        let at = position + offset;
        result.push_str(&text[position..at]);
        match after_splice(bytes, at) {
            Some(after) => position = after,
            None => {
                result.push('\\');
                position = at + 1;
            }
        }
    }
    result.push_str(&text[position..]);
    result
}
