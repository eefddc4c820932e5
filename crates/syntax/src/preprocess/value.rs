//! The values of numbers and character constants in `#if`.

use crate::Encoding;

/// A value of `intmax_t`, or of `uintmax_t`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) bits: u64,
    pub(super) is_unsigned: bool,
}

impl Value {
    pub(super) fn signed(value: i64) -> Self {
        Self { bits: value as u64, is_unsigned: false }
    }
    pub(super) fn truth(value: bool) -> Self {
        Self::signed(i64::from(value))
    }
    pub(super) fn is_true(self) -> bool {
        self.bits != 0
    }
}

/// An integer constant, with prefix and suffix. `None` if it is none.
pub(super) fn parse_integer(text: &str) -> Option<Value> {
    let lower = text.to_ascii_lowercase();
    let (radix, rest) = if let Some(rest) = lower.strip_prefix("0x") {
        (16, rest)
    } else if let Some(rest) = lower.strip_prefix("0b") {
        (2, rest)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (8, &lower[1..])
    } else {
        (10, lower.as_str())
    };
    let mut value = 0u64;
    let mut is_too_large = false;
    let mut digits = 0;
    let mut end = rest.len();
    for (index, character) in rest.char_indices() {
        if character == '\'' {
            continue;
        }
        let Some(digit) = character.to_digit(radix) else {
            end = index;
            break;
        };
        digits += 1;
        match value.checked_mul(u64::from(radix)).and_then(|value| value.checked_add(u64::from(digit))) {
            Some(next) => value = next,
            None => is_too_large = true,
        }
    }
    if digits == 0 && radix != 8 {
        return None;
    }
    let has_unsigned_suffix = match &rest[end..] {
        "" | "l" | "ll" | "z" | "i64" | "wb" => false,
        "u" | "ul" | "ull" | "lu" | "llu" | "uz" | "zu" | "ui64" | "uwb" | "wbu" => true,
        _ => return None,
    };
    let is_unsigned = has_unsigned_suffix || is_too_large || value > i64::MAX as u64;
    Some(Value { bits: value, is_unsigned })
}

/// The value of a character constant from the text between its quotes. `None` if it is empty or malformed.
pub(super) fn parse_character(text: &str, prefix: Encoding) -> Option<Value> {
    let mut units = Vec::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            if prefix == Encoding::Plain {
                let mut buffer = [0; 4];
                units.extend(character.encode_utf8(&mut buffer).bytes().map(u32::from));
            } else {
                units.push(character as u32);
            }
            continue;
        }
        units.push(escape(&mut characters)?);
    }
    let (&last, _) = units.split_last()?;
    Some(match prefix {
        Encoding::Plain if units.len() == 1 => Value::signed(i64::from(last as u8 as i8)),
        Encoding::Plain => {
            let value = units.iter().fold(0u32, |value, unit| value << 8 | unit & 0xff);
            Value::signed(i64::from(value as i32))
        }
        Encoding::Wide => Value::signed(i64::from(last as i32)),
        Encoding::Utf8 => Value::signed(i64::from(last as u8)),
        Encoding::Utf16 => Value::signed(i64::from(last as u16)),
        Encoding::Utf32 => Value::signed(i64::from(last)),
    })
}

fn escape(characters: &mut std::str::Chars<'_>) -> Option<u32> {
    let first = characters.next()?;
    Some(match first {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' | 'E' => 27,
        '0'..='7' => {
            let mut value = first.to_digit(8)?;
            for _ in 0..2 {
                match characters.clone().next().and_then(|next| next.to_digit(8)) {
                    Some(digit) => {
                        value = value * 8 + digit;
                        characters.next();
                    }
                    None => break,
                }
            }
            value
        }
        'x' => {
            let mut value = 0u32;
            while let Some(digit) = characters.clone().next().and_then(|next| next.to_digit(16)) {
                value = value << 4 | digit;
                characters.next();
            }
            value
        }
        'u' | 'U' => {
            let mut value = 0u32;
            for _ in 0..if first == 'u' { 4 } else { 8 } {
                value = value << 4 | characters.next()?.to_digit(16)?;
            }
            value
        }
        other => other as u32,
    })
}
