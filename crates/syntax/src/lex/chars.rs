//! Classes of bytes and characters.

#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Class {
    Space,
    Newline,
    Letter,
    Digit,
    Quote,
    Slash,
    Dot,
    Backslash,
    Punct,
    /// Part of a character beyond ASCII.
    High,
    Other,
}

const fn class_of(byte: u8) -> Class {
    match byte {
        b' ' | b'\t' | b'\r' | 0x0b | 0x0c => Class::Space,
        b'\n' => Class::Newline,
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => Class::Letter,
        b'0'..=b'9' => Class::Digit,
        b'"' | b'\'' => Class::Quote,
        b'/' => Class::Slash,
        b'.' => Class::Dot,
        b'\\' => Class::Backslash,
        b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'+' | b'-' | b'*' | b'%' | b'&' | b'|' | b'^' | b'~' | b'!'
        | b'<' | b'>' | b'=' | b'?' | b':' | b';' | b',' | b'#' | b'@' => Class::Punct,
        0x80.. => Class::High,
        _ => Class::Other,
    }
}

pub(super) static CLASS: [Class; 256] = {
    let mut table = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = class_of(byte as u8);
        byte += 1;
    }
    table
};

/// ASCII letters, digits, `_` and `$`.
pub(super) static IS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(class_of(byte as u8), Class::Letter | Class::Digit);
        byte += 1;
    }
    table
};

/// Whether a character beyond ASCII may stand in an identifier (C11 annex D.1 is nearly everything that is neither
/// space nor punctuation).
pub(super) fn is_extended_identifier(character: char) -> bool {
    character != '\u{FFFD}'
        && (character.is_alphanumeric() || matches!(character, '\u{200C}' | '\u{200D}' | '\u{10000}'..='\u{EFFFD}'))
        || matches!(character, '\u{300}'..='\u{36F}')
}

/// If a splice (backslash, white space, line feed) stands at `position`: where the text goes on.
pub(crate) fn after_splice(bytes: &[u8], position: usize) -> Option<usize> {
    if bytes.get(position) != Some(&b'\\') {
        return None;
    }
    let mut next = position + 1;
    loop {
        match bytes.get(next)? {
            b'\n' => return Some(next + 1),
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => next += 1,
            _ => return None,
        }
    }
}

/// The byte at or after `position` that is not part of a splice, and where it stands.
pub(super) fn logical_byte(bytes: &[u8], mut position: usize) -> Option<(u8, usize)> {
    while let Some(after) = after_splice(bytes, position) {
        position = after;
    }
    bytes.get(position).map(|&byte| (byte, position))
}

/// `\uXXXX` or `\UXXXXXXXX` at `position`: the character and where the text goes on.
pub(super) fn universal_character(bytes: &[u8], position: usize) -> Option<(char, usize)> {
    let digits = match bytes.get(position..position + 2)? {
        b"\\u" => 4,
        b"\\U" => 8,
        _ => return None,
    };
    let text = bytes.get(position + 2..position + 2 + digits)?;
    if !text.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let value = u32::from_str_radix(std::str::from_utf8(text).ok()?, 16).ok()?;
    Some((char::from_u32(value)?, position + 2 + digits))
}
