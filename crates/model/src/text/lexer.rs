//! Tokens of the model's text form.

/// A token and where it starts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) offset: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(String),
    Number(i128),
    /// A hexadecimal number: the bits of a float.
    Bits(u128),
    String(String),
    Punct(&'static str),
    End,
}

const PUNCTUATION: &[&str] = &[
    "...", "..", "->", "=>", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "(", ")", "[", "]", "{", "}", "<", ">",
    "=", "+", "-", "*", "/", "&", "|", "^", "~", "!", "?", ":", ";", ",", ".", "%", "@",
];

/// All tokens, or the offset and a description of what is none.
pub(super) fn lex(text: &str) -> Result<Vec<Lexeme>, (usize, String)> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let offset = at;
        let byte = bytes[at];
        let token = match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {
                at += 1;
                continue;
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => {
                while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || matches!(bytes[at], b'_' | b'$')) {
                    at += 1;
                }
                Token::Word(text[offset..at].to_owned())
            }
            b'0' if bytes.get(at + 1) == Some(&b'x') => {
                at += 2;
                while at < bytes.len() && bytes[at].is_ascii_hexdigit() {
                    at += 1;
                }
                let bits = u128::from_str_radix(&text[offset + 2..at], 16);
                Token::Bits(bits.map_err(|_| (offset, "a number of at most 128 bits is expected".to_owned()))?)
            }
            b'0'..=b'9' | b'-' if byte != b'-' || bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {
                at += 1;
                while at < bytes.len() && bytes[at].is_ascii_digit() {
                    at += 1;
                }
                let value = text[offset..at].parse();
                Token::Number(value.map_err(|_| (offset, "a number of at most 128 bits is expected".to_owned()))?)
            }
            b'"' => {
                let (value, end) = string(text, offset)?;
                at = end;
                Token::String(value)
            }
            _ => {
                let found = PUNCTUATION.iter().find(|word| bytes[at..].starts_with(word.as_bytes()));
                let word = found.ok_or_else(|| (offset, "this character means nothing here".to_owned()))?;
                at += word.len();
                Token::Punct(word)
            }
        };
        tokens.push(Lexeme { token, offset });
    }
    tokens.push(Lexeme { token: Token::End, offset: text.len() });
    Ok(tokens)
}

/// A quoted string as Rust writes it; the value and where it ends.
fn string(text: &str, start: usize) -> Result<(String, usize), (usize, String)> {
    let mut value = String::new();
    let mut chars = text[start + 1..].char_indices();
    let bad = |offset| (start + 1 + offset, "this escape is not known".to_owned());
    while let Some((offset, c)) = chars.next() {
        match c {
            '"' => return Ok((value, start + 1 + offset + 1)),
            '\\' => match chars.next() {
                Some((_, 'n')) => value.push('\n'),
                Some((_, 't')) => value.push('\t'),
                Some((_, 'r')) => value.push('\r'),
                Some((_, '0')) => value.push('\0'),
                Some((_, c @ ('"' | '\\' | '\''))) => value.push(c),
                Some((_, 'u')) => {
                    let digits: String =
                        chars.by_ref().skip(1).map(|(_, c)| c).take_while(|&c| c != '}').take(8).collect();
                    let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                    value.push(code.ok_or_else(|| bad(offset))?);
                }
                _ => return Err(bad(offset)),
            },
            c => value.push(c),
        }
    }
    Err((start, "this string does not end".to_owned()))
}
