//! Maximal munch of punctuators.

use crate::{Dialect, Punct};

/// The punctuator that starts with these bytes (zero where the text ends) and how many of them it takes.
#[inline]
pub(super) fn munch(first: u8, second: u8, third: u8, fourth: u8, dialect: Dialect) -> Option<(Punct, usize)> {
    use Punct::*;
    let civl = dialect == Dialect::Civl;
    Some(match first {
        b'(' => (LeftParen, 1),
        b')' => (RightParen, 1),
        b'[' => (LeftBracket, 1),
        b']' => (RightBracket, 1),
        b'{' => (LeftBrace, 1),
        b'}' => (RightBrace, 1),
        b';' => (Semicolon, 1),
        b',' => (Comma, 1),
        b'?' => (Question, 1),
        b'~' => (Tilde, 1),
        b'@' => (At, 1),
        b'.' => match (second, third) {
            (b'.', b'.') => (Ellipsis, 3),
            (b'.', _) if civl => (DotDot, 2),
            _ => (Dot, 1),
        },
        b'-' => match second {
            b'>' => (Arrow, 2),
            b'-' => (MinusMinus, 2),
            b'=' => (MinusEqual, 2),
            _ => (Minus, 1),
        },
        b'+' => match second {
            b'+' => (PlusPlus, 2),
            b'=' => (PlusEqual, 2),
            _ => (Plus, 1),
        },
        b'*' => with_equal(second, StarEqual, Star),
        b'/' => with_equal(second, SlashEqual, Slash),
        b'^' => with_equal(second, CaretEqual, Caret),
        b'!' => with_equal(second, BangEqual, Bang),
        b'=' => match second {
            b'=' => (EqualEqual, 2),
            b'>' if civl => (Implies, 2),
            _ => (Equal, 1),
        },
        b'&' => match second {
            b'&' => (AmpAmp, 2),
            b'=' => (AmpEqual, 2),
            _ => (Amp, 1),
        },
        b'|' => match second {
            b'|' => (PipePipe, 2),
            b'=' => (PipeEqual, 2),
            _ => (Pipe, 1),
        },
        b'%' => match (second, third, fourth) {
            (b':', b'%', b':') => (HashHash, 4),
            (b':', ..) => (Hash, 2),
            (b'>', ..) => (RightBrace, 2),
            (b'=', ..) => (PercentEqual, 2),
            _ => (Percent, 1),
        },
        b':' => match second {
            b'>' => (RightBracket, 2),
            _ => (Colon, 1),
        },
        b'#' => match second {
            b'#' => (HashHash, 2),
            _ => (Hash, 1),
        },
        b'<' => match (second, third) {
            (b'<', b'=') => (LessLessEqual, 3),
            (b'<', b'<') if civl => (LessLessLess, 3),
            (b'<', _) => (LessLess, 2),
            (b'=', _) => (LessEqual, 2),
            (b':', _) => (LeftBracket, 2),
            (b'%', _) => (LeftBrace, 2),
            _ => (Less, 1),
        },
        b'>' => match (second, third) {
            (b'>', b'=') => (GreaterGreaterEqual, 3),
            (b'>', b'>') if civl => (GreaterGreaterGreater, 3),
            (b'>', _) => (GreaterGreater, 2),
            (b'=', _) => (GreaterEqual, 2),
            _ => (Greater, 1),
        },
        _ => return None,
    })
}

fn with_equal(second: u8, assigned: Punct, alone: Punct) -> (Punct, usize) {
    if second == b'=' { (assigned, 2) } else { (alone, 1) }
}
