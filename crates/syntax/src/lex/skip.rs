//! Passing over text that is not compiled, and reading a directive's line as raw text.

use super::chars::{CLASS, Class, after_splice};
use super::literal::without_splices;
use super::{LexContext, Lexer, PpFlags, block_end, line_end};
use memchr::memchr3;
use quod_base::Span;

impl Lexer {
    /// Passes over lines up to the next one that starts with `#`, and over the `#`. False at the end of the text.
    pub(crate) fn skip_to_directive(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        let mut position = self.position;
        let mut at_line_start = false;
        while let Some(&byte) = bytes.get(position) {
            match CLASS[byte as usize] {
                Class::Newline => {
                    position += 1;
                    at_line_start = true;
                }
                Class::Space => position += 1,
                Class::Slash if bytes.get(position + 1) == Some(&b'*') => {
                    position = block_end(bytes, position + 2).unwrap_or(bytes.len());
                }
                Class::Slash if bytes.get(position + 1) == Some(&b'/') => position = line_end(bytes, position + 2),
                Class::Backslash => match after_splice(bytes, position) {
                    Some(after) => position = after,
                    None => {
                        position += 1;
                        at_line_start = false;
                    }
                },
                Class::Quote => {
                    position = after_skipped_literal(bytes, position);
                    at_line_start = false;
                }
                Class::Punct if at_line_start && (byte == b'#' || bytes[position..].starts_with(b"%:")) => {
                    self.position = position + if byte == b'#' { 1 } else { 2 };
                    self.pending = PpFlags::default();
                    return true;
                }
                _ => {
                    at_line_start = false;
                    position += 1;
                    while bytes.get(position).is_some_and(|&byte| {
                        !matches!(CLASS[byte as usize], Class::Newline | Class::Slash | Class::Quote | Class::Backslash)
                    }) {
                        position += 1;
                    }
                }
            }
        }
        self.position = bytes.len();
        false
    }

    /// What remains of the directive's line as text, comments and splices removed, and its place.
    pub(crate) fn rest_of_line(&mut self, cx: &mut LexContext) -> (String, Span) {
        let from = self.position;
        let bytes = self.text.as_bytes();
        let mut end = line_end(bytes, from);
        let mut text = String::new();
        let mut position = from;
        while position < end {
            let rest = &bytes[position..end];
            let Some(offset) = memchr::memchr2(b'/', b'"', rest) else {
                text.push_str(&self.text[position..end]);
                break;
            };
            let at = position + offset;
            text.push_str(&self.text[position..at]);
            match (bytes[at], bytes.get(at + 1)) {
                (b'"', _) => {
                    position = after_skipped_literal(bytes, at).min(end);
                    text.push_str(&self.text[at..position]);
                }
                (_, Some(b'/')) => break,
                (_, Some(b'*')) => {
                    text.push(' ');
                    position = block_end(bytes, at + 2).unwrap_or(bytes.len());
                    if position > end {
                        end = line_end(bytes, position);
                    }
                }
                _ => {
                    text.push('/');
                    position = at + 1;
                }
            }
        }
        self.position = end.max(from);
        let span = self.span(from, end);
        self.finish_directive(cx);
        (without_splices(&text).trim().to_owned(), span)
    }

    /// `<name>` as a header's name, if it stands next on the directive's line.
    pub(crate) fn angled_header_name(&mut self) -> Option<(String, Span)> {
        let bytes = self.text.as_bytes();
        let mut from = self.position;
        loop {
            match bytes.get(from)? {
                b' ' | b'\t' => from += 1,
                b'\\' => from = after_splice(bytes, from)?,
                b'/' if bytes.get(from + 1) == Some(&b'*') => from = block_end(bytes, from + 2)?,
                b'<' => break,
                _ => return None,
            }
        }
        let length = memchr::memchr2(b'>', b'\n', &bytes[from..])?;
        if bytes[from + length] == b'\n' {
            return None;
        }
        let name = self.text[from + 1..from + length].to_owned();
        let span = self.span(from, from + length + 1);
        self.position = from + length + 1;
        Some((name, span))
    }
}

/// The end of a literal in text that is not compiled: its closing quote, or the end of the line.
fn after_skipped_literal(bytes: &[u8], from: usize) -> usize {
    let delimiter = bytes[from];
    let mut position = from + 1;
    loop {
        let Some(offset) = memchr3(delimiter, b'\\', b'\n', &bytes[position..]) else { return bytes.len() };
        position += offset;
        match bytes[position] {
            b'\n' => return position,
            b'\\' => match after_splice(bytes, position) {
                Some(after) => position = after,
                None => {
                    position += 1;
                    if bytes.get(position).is_some_and(|&byte| byte == delimiter || byte == b'\\') {
                        position += 1;
                    }
                }
            },
            _ => return position + 1,
        }
    }
}
