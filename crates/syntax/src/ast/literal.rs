//! Literals with their values: integers, floats, characters and strings.

use crate::token::Encoding;
use quod_base::Symbol;

/// `42`, `0x2aUL`, `0b101`, `1'000`: the value as written; `model` finds the type from value, radix and suffix.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct IntegerLiteral {
    words: [u32; 4],
    pub radix: Radix,
    pub size: IntegerSize,
    pub is_unsigned: bool,
    /// GNU's `i` or `j`.
    pub is_imaginary: bool,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Radix {
    Binary,
    Octal,
    Decimal,
    Hexadecimal,
}

/// The length in an integer's suffix.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum IntegerSize {
    None,
    /// `l`
    Long,
    /// `ll`
    LongLong,
    /// C23's `wb`
    BitInt,
}

impl IntegerLiteral {
    pub fn new(value: u128, radix: Radix) -> Self {
        let words = [value as u32, (value >> 32) as u32, (value >> 64) as u32, (value >> 96) as u32];
        Self { words, radix, size: IntegerSize::None, is_unsigned: false, is_imaginary: false }
    }
    pub fn value(&self) -> u128 {
        self.words.iter().rev().fold(0, |value, &word| value << 32 | u128::from(word))
    }
}

/// `1.5e3f`, `0x1.8p3`: the text without its suffix and without digit separators, so that no precision is lost.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FloatLiteral {
    pub text: Symbol,
    pub suffix: FloatSuffix,
    pub is_imaginary: bool,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FloatSuffix {
    /// `double`
    None,
    /// `f`
    Float,
    /// `l`
    LongDouble,
    /// `f16`
    Float16,
    /// `f32`
    Float32,
    /// `f64`
    Float64,
    /// `f32x`
    Float32x,
    /// `f64x`
    Float64x,
    /// `f128` and `q`
    Float128,
    /// `w`
    Float80,
    /// `df`
    Decimal32,
    /// `dd`
    Decimal64,
    /// `dl`
    Decimal128,
}

/// `'a'`, `L'a'`, `'\377'`, `'ab'`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct CharacterLiteral {
    /// The value as gcc computes it: for plain ones that of the `int` (`'\377'` is -1), else the bits of the character type.
    pub value: i32,
    pub encoding: Encoding,
}

/// One string literal, adjacent pieces joined, escapes decoded, without the terminating zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StringLiteral {
    pub encoding: Encoding,
    pub elements: StringElements,
    pub span: quod_base::Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StringElements {
    /// Plain and `u8`.
    Bytes(Box<[u8]>),
    /// `u`
    Units16(Box<[u16]>),
    /// `U` and `L`
    Units32(Box<[u32]>),
}

impl StringLiteral {
    /// How many elements, without the terminating zero.
    pub fn len(&self) -> usize {
        match &self.elements {
            StringElements::Bytes(elements) => elements.len(),
            StringElements::Units16(elements) => elements.len(),
            StringElements::Units32(elements) => elements.len(),
        }
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Element `index`, widened.
    pub fn element(&self, index: usize) -> Option<u32> {
        match &self.elements {
            StringElements::Bytes(elements) => elements.get(index).map(|&element| u32::from(element)),
            StringElements::Units16(elements) => elements.get(index).map(|&element| u32::from(element)),
            StringElements::Units32(elements) => elements.get(index).copied(),
        }
    }
    /// The bytes of a plain or `u8` string.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.elements {
            StringElements::Bytes(elements) => Some(elements),
            _ => None,
        }
    }
}
