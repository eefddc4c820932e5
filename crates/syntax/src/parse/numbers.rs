//! Numbers: from the text of a preprocessing number to an integer or floating literal.

use super::Parser;
use crate::ast::*;
use quod_base::{Span, Symbol};
use quod_diag::{Diagnostic, codes};

impl Parser<'_> {
    /// The literal of a number; the same text is parsed once.
    pub(super) fn number(&mut self, text: Symbol, span: Span) -> ExprKind {
        if let Some(&kind) = self.number_cache.get(&text) {
            return kind;
        }
        match parse_number(text.as_str()) {
            Ok(kind) => {
                self.number_cache.insert(text, kind);
                kind
            }
            Err(problem) => {
                let message = format!("`{text}` is not a number of C");
                self.report_and_go_on(Diagnostic::error(codes::BAD_NUMBER, message).label(span, problem));
                ExprKind::Error
            }
        }
    }
}

pub(super) fn parse_number(text: &str) -> Result<ExprKind, String> {
    let cleaned;
    let text = if text.contains('\'') {
        cleaned = text.replace('\'', "");
        &cleaned
    } else {
        text
    };
    let bytes = text.as_bytes();
    let (radix, digits) = match bytes {
        [b'0', b'x' | b'X', ..] => (Radix::Hexadecimal, &text[2..]),
        [b'0', b'b' | b'B', ..] => (Radix::Binary, &text[2..]),
        [b'0', ..] => (Radix::Octal, text),
        _ => (Radix::Decimal, text),
    };
    let is_float = match radix {
        Radix::Hexadecimal => digits.contains(['.', 'p', 'P']),
        Radix::Binary => false,
        _ => is_decimal_float(digits),
    };
    if is_float { float(text, radix) } else { integer(digits, radix) }
}

/// A point, or an exponent right behind the digits.
fn is_decimal_float(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.starts_with(['.', 'e', 'E'])
}

fn integer(digits: &str, radix: Radix) -> Result<ExprKind, String> {
    let base = match radix {
        Radix::Binary => 2,
        Radix::Octal => 8,
        Radix::Decimal => 10,
        Radix::Hexadecimal => 16,
    };
    let mut value = 0u128;
    let mut end = digits.len();
    for (index, c) in digits.char_indices() {
        let Some(digit) = c.to_digit(if base == 16 { 16 } else { 10 }) else {
            end = index;
            break;
        };
        if digit >= base {
            return Err(format!("`{c}` is no digit of a number in base {base}"));
        }
        value = value
            .checked_mul(u128::from(base))
            .and_then(|value| value.checked_add(u128::from(digit)))
            .ok_or("larger than 128 bits")?;
    }
    if end == 0 {
        return Err("no digits".into());
    }
    let mut literal = IntegerLiteral::new(value, radix);
    let suffix = &digits[end..];
    let mut rest = suffix;
    while !rest.is_empty() {
        let is_size_free = literal.size == IntegerSize::None;
        let taken = if rest.starts_with(['u', 'U']) && !literal.is_unsigned {
            literal.is_unsigned = true;
            1
        } else if (rest.starts_with("ll") || rest.starts_with("LL")) && is_size_free {
            literal.size = IntegerSize::LongLong;
            2
        } else if rest.starts_with(['l', 'L']) && is_size_free {
            literal.size = IntegerSize::Long;
            1
        } else if (rest.starts_with("wb") || rest.starts_with("WB")) && is_size_free {
            literal.size = IntegerSize::BitInt;
            2
        } else if rest.starts_with(['i', 'j', 'I', 'J']) && !literal.is_imaginary {
            literal.is_imaginary = true;
            1
        } else {
            return Err(format!("`{suffix}` is no suffix of an integer"));
        };
        rest = &rest[taken..];
    }
    Ok(ExprKind::Integer(literal))
}

fn float(text: &str, radix: Radix) -> Result<ExprKind, String> {
    let is_hex = radix == Radix::Hexadecimal;
    let bytes = text.as_bytes();
    let is_digit = |byte: &u8| if is_hex { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    let mut at = if is_hex { 2 } else { 0 };
    let mut digit_count = 0;
    let mut has_point = false;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'.' if !has_point => has_point = true,
            byte if is_digit(byte) => digit_count += 1,
            _ => break,
        }
        at += 1;
    }
    if digit_count == 0 {
        return Err("no digits".into());
    }
    let marks = if is_hex { [b'p', b'P'] } else { [b'e', b'E'] };
    if bytes.get(at).is_some_and(|byte| marks.contains(byte)) {
        at += 1;
        if matches!(bytes.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        let start = at;
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        if at == start {
            return Err("the exponent has no digits".into());
        }
    } else if is_hex {
        return Err("a hexadecimal floating number needs an exponent such as `p0`".into());
    }
    let suffix = text[at..].to_ascii_lowercase();
    let (suffix, is_imaginary) = match suffix.as_str() {
        "i" | "j" => ("", true),
        other => match other.strip_suffix(['i', 'j']).or_else(|| other.strip_prefix(['i', 'j'])) {
            Some(rest) => (rest, true),
            None => (other, false),
        },
    };
    let suffix = match suffix {
        "" | "d" => FloatSuffix::None,
        "f" => FloatSuffix::Float,
        "l" => FloatSuffix::LongDouble,
        "f16" => FloatSuffix::Float16,
        "f32" => FloatSuffix::Float32,
        "f64" => FloatSuffix::Float64,
        "f32x" => FloatSuffix::Float32x,
        "f64x" => FloatSuffix::Float64x,
        "f128" | "q" => FloatSuffix::Float128,
        "w" => FloatSuffix::Float80,
        "df" => FloatSuffix::Decimal32,
        "dd" => FloatSuffix::Decimal64,
        "dl" => FloatSuffix::Decimal128,
        other => return Err(format!("`{other}` is no suffix of a floating number")),
    };
    Ok(ExprKind::Float(FloatLiteral { text: Symbol::intern(&text[..at]), suffix, is_imaginary }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> u128 {
        match parse_number(text) {
            Ok(ExprKind::Integer(literal)) => literal.value(),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn integers() {
        assert_eq!(value("0"), 0);
        assert_eq!(value("017"), 15);
        assert_eq!(value("0x1F"), 31);
        assert_eq!(value("0b101"), 5);
        assert_eq!(value("1'000'000"), 1_000_000);
        assert_eq!(value("0xffffffffffffffffffffffffffffffff"), u128::MAX);
        assert_eq!(value("18446744073709551615ULL"), u128::from(u64::MAX));
        let Ok(ExprKind::Integer(literal)) = parse_number("10LLu") else { panic!() };
        assert!(literal.is_unsigned && literal.size == IntegerSize::LongLong && !literal.is_imaginary);
    }

    #[test]
    fn floats() {
        for (text, kept, suffix) in [
            ("1.5", "1.5", FloatSuffix::None),
            ("1e3f", "1e3", FloatSuffix::Float),
            (".5L", ".5", FloatSuffix::LongDouble),
            ("0x1.8p-3", "0x1.8p-3", FloatSuffix::None),
            ("09.5", "09.5", FloatSuffix::None),
            ("1.0f128", "1.0", FloatSuffix::Float128),
            ("1.", "1.", FloatSuffix::None),
        ] {
            let Ok(ExprKind::Float(literal)) = parse_number(text) else { panic!("{text}") };
            assert_eq!((literal.text.as_str(), literal.suffix), (kept, suffix), "{text}");
        }
        let Ok(ExprKind::Float(literal)) = parse_number("2.0if") else { panic!() };
        assert!(literal.is_imaginary && literal.suffix == FloatSuffix::Float);
    }

    #[test]
    fn malformed() {
        for text in ["0x", "089", "1.2.3", "10abc", "1e", "0x1.8", "0b12", "1lL", "1uu", "0b"] {
            assert!(parse_number(text).is_err(), "{text}");
        }
    }
}
