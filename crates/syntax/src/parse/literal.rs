//! Character constants and strings: escapes, encodings, and the joining of adjacent strings.

use super::Parser;
use crate::ast::*;
use crate::preprocess::stood_for;
use crate::token::TokenKind;
use quod_base::{Span, Symbol};
use quod_diag::{Diagnostic, codes};

/// An element of a literal before it is encoded.
enum Unit {
    /// A character of the text or of `\u1234`.
    Char(char),
    /// The value of `\x41` or `\101`.
    Raw(u32),
}

impl Parser<'_> {
    /// The string at the current token, joined with those that follow.
    pub(super) fn string(&mut self) -> StringId {
        let start = self.token.span;
        let mut encoding = Encoding::Plain;
        let mut pieces: Vec<(Symbol, Span)> = Vec::new();
        while let TokenKind::Str { prefix, text } = self.token.kind {
            let span = self.bump();
            if encoding == Encoding::Plain {
                encoding = prefix;
            } else if prefix != Encoding::Plain && prefix != encoding {
                let message = "adjacent strings with different prefixes cannot be joined";
                let label = format!("`{}` here, `{}` before", prefix.as_str(), encoding.as_str());
                self.report_and_go_on(Diagnostic::error(codes::BAD_TEXT_LITERAL, message).label(span, label));
            }
            pieces.push((text, span));
        }
        let span = self.since(start);
        let elements = self.encode(&pieces, encoding);
        self.unit.strings.push(StringLiteral { encoding, elements, span })
    }

    fn encode(&mut self, pieces: &[(Symbol, Span)], encoding: Encoding) -> StringElements {
        match encoding {
            Encoding::Plain | Encoding::Utf8 => {
                let mut bytes = Vec::with_capacity(pieces.iter().map(|(text, _)| text.as_str().len()).sum());
                for &(text, span) in pieces {
                    let text = text.as_str();
                    if text.contains('\\') || text.contains(|c| stood_for(c).is_some()) {
                        self.decode(text, span, 0xff, |unit| push_bytes(&mut bytes, unit));
                    } else {
                        bytes.extend_from_slice(text.as_bytes());
                    }
                }
                StringElements::Bytes(bytes.into())
            }
            Encoding::Utf16 => {
                let mut units = Vec::new();
                for &(text, span) in pieces {
                    self.decode(text.as_str(), span, 0xffff, |unit| match unit {
                        Unit::Char(c) => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
                        Unit::Raw(value) => units.push(value as u16),
                    });
                }
                StringElements::Units16(units.into())
            }
            Encoding::Utf32 | Encoding::Wide => {
                let mut units = Vec::new();
                for &(text, span) in pieces {
                    self.decode(text.as_str(), span, u32::MAX, |unit| match unit {
                        Unit::Char(c) => units.push(u32::from(c)),
                        Unit::Raw(value) => units.push(value),
                    });
                }
                StringElements::Units32(units.into())
            }
        }
    }

    pub(super) fn character(&mut self, encoding: Encoding, text: Symbol, span: Span) -> ExprKind {
        let text = text.as_str();
        if text.is_empty() {
            let diagnostic = Diagnostic::error(codes::BAD_TEXT_LITERAL, "empty character constant")
                .label(span, "a character is missing between the quotes");
            self.report_and_go_on(diagnostic);
            return ExprKind::Error;
        }
        let value = match encoding {
            Encoding::Plain => {
                let mut bytes = Vec::with_capacity(4);
                self.decode(text, span, 0xff, |unit| push_bytes(&mut bytes, unit));
                match bytes[..] {
                    [byte] => i32::from(byte as i8),
                    _ => bytes.iter().fold(0i32, |value, &byte| value << 8 | i32::from(byte)),
                }
            }
            Encoding::Utf8 | Encoding::Utf16 | Encoding::Utf32 | Encoding::Wide => {
                let mask = match encoding {
                    Encoding::Utf8 => 0xff,
                    Encoding::Utf16 => 0xffff,
                    _ => u32::MAX,
                };
                let mut last = 0;
                self.decode(text, span, mask, |unit| {
                    last = match unit {
                        Unit::Char(c) => u32::from(c) & mask,
                        Unit::Raw(value) => value,
                    }
                });
                last as i32
            }
        };
        ExprKind::Character(CharacterLiteral { value, encoding })
    }

    /// Gives each element of a literal's text to `push`. Values larger than `mask` are cut, with a warning.
    fn decode(&mut self, text: &str, span: Span, mask: u32, mut push: impl FnMut(Unit)) {
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '\\' {
                push(stood_for(c).map_or(Unit::Char(c), |byte| Unit::Raw(byte.into())));
                continue;
            }
            let Some(escape) = chars.next() else {
                push(Unit::Char('\\'));
                break;
            };
            let simple = match escape {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'a' => '\x07',
                'b' => '\x08',
                'f' => '\x0c',
                'v' => '\x0b',
                'e' | 'E' => '\x1b',
                '\\' | '\'' | '"' | '?' => escape,
                '0'..='7' => {
                    let mut value = escape as u32 - '0' as u32;
                    for _ in 0..2 {
                        let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                        chars.next();
                        value = value * 8 + digit;
                    }
                    self.check_range(value, mask, span);
                    push(Unit::Raw(value & mask));
                    continue;
                }
                'x' => {
                    let mut value = 0u64;
                    let mut count = 0;
                    while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) {
                        chars.next();
                        value = (value << 4 | u64::from(digit)) & 0xff_ffff_ffff;
                        count += 1;
                    }
                    if count == 0 {
                        let diagnostic = Diagnostic::error(codes::BAD_TEXT_LITERAL, "`\\x` without hexadecimal digits")
                            .label(span, "in this literal");
                        self.report_and_go_on(diagnostic);
                    }
                    self.check_range(u32::try_from(value).unwrap_or(u32::MAX), mask, span);
                    push(Unit::Raw(value as u32 & mask));
                    continue;
                }
                'u' | 'U' => {
                    let wanted = if escape == 'u' { 4 } else { 8 };
                    let mut value = 0u32;
                    let mut count = 0;
                    while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) {
                        if count == wanted {
                            break;
                        }
                        chars.next();
                        value = value << 4 | digit;
                        count += 1;
                    }
                    match char::from_u32(value) {
                        Some(c) if count == wanted => push(Unit::Char(c)),
                        _ => {
                            let message = format!("`\\{escape}` needs {wanted} hexadecimal digits of a character");
                            let diagnostic =
                                Diagnostic::error(codes::BAD_TEXT_LITERAL, message).label(span, "in this literal");
                            self.report_and_go_on(diagnostic);
                        }
                    }
                    continue;
                }
                other => {
                    let message = format!("unknown escape sequence `\\{other}`");
                    let diagnostic = Diagnostic::warning(codes::BAD_TEXT_LITERAL, message)
                        .label(span, "in this literal")
                        .note("the backslash is dropped, as gcc does");
                    self.diagnostics.push(diagnostic);
                    other
                }
            };
            push(Unit::Char(simple));
        }
    }

    fn check_range(&mut self, value: u32, mask: u32, span: Span) {
        if value > mask {
            let diagnostic = Diagnostic::warning(codes::BAD_TEXT_LITERAL, "escape sequence out of range")
                .label(span, "in this literal")
                .note("the value is cut to the size of the character type");
            self.diagnostics.push(diagnostic);
        }
    }
}

fn push_bytes(bytes: &mut Vec<u8>, unit: Unit) {
    match unit {
        Unit::Char(c) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        Unit::Raw(value) => bytes.push(value as u8),
    }
}
