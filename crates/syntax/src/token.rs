//! Tokens of C, GNU C and CIVL-C, as the preprocessor hands them to the parser.
//!
//! A token is small and `Copy`: its kind, with the interned text where the kind alone does not say it, its span, and two
//! flags for printing. Keywords are one variant a meaning: `inline`, `__inline` and `__inline__` are all
//! `Keyword::Inline`; the spelling is found through the span.

use quod_base::{Span, Symbol};

pub use crate::keyword::{Keyword, KeywordSet};

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub flags: TokenFlags,
    pub span: Span,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    Ident(Symbol),
    Keyword(Keyword),
    /// A preprocessing number as it was written: `0x1p-3f`, `10ULL`, and also malformed ones such as `1.2.3`.
    Number(Symbol),
    /// A character constant; `text` is what stands between the quotes, escapes as written.
    Char {
        prefix: Encoding,
        text: Symbol,
    },
    /// One string literal; `text` is what stands between the quotes, escapes as written. Adjacent literals are joined
    /// by the parser.
    Str {
        prefix: Encoding,
        text: Symbol,
    },
    Punct(Punct),
    /// `//@ …` or `/*@ … @*/`, with `PreprocessOptions::keep_annotations`. The span covers the whole comment.
    Annotation,
    /// `#pragma …` or `_Pragma("…")`. The tokens of the pragma follow, up to a `PragmaEnd`.
    PragmaStart,
    PragmaEnd,
    /// A byte that starts no token.
    Unknown,
    /// The last token, once.
    Eof,
}

/// The prefix of a character constant or string literal.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// `"x"`
    Plain,
    /// `L"x"`
    Wide,
    /// `u"x"`
    Utf16,
    /// `U"x"`
    Utf32,
    /// `u8"x"`
    Utf8,
}

impl Encoding {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Wide => "L",
            Self::Utf16 => "u",
            Self::Utf32 => "U",
            Self::Utf8 => "u8",
        }
    }
}

/// How the token stood in the text.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct TokenFlags(pub u8);

impl TokenFlags {
    /// White space or a comment stands before the token.
    pub const SPACE_BEFORE: Self = Self(1);
    /// The token is the first of its line.
    pub const LINE_START: Self = Self(2);

    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl Token {
    pub fn is_punct(self, punct: Punct) -> bool {
        self.kind == TokenKind::Punct(punct)
    }
    pub fn is_keyword(self, keyword: Keyword) -> bool {
        self.kind == TokenKind::Keyword(keyword)
    }
    pub fn is_eof(self) -> bool {
        self.kind == TokenKind::Eof
    }
}

macro_rules! puncts {
    ($($name:ident $text:literal,)*) => {
        /// Punctuators. Digraphs (`<:` …) are the punctuators that they stand for.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Punct { $($name,)* }

        impl Punct {
            pub const ALL: &'static [Punct] = &[$(Punct::$name,)*];

            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

puncts! {
    LeftParen "(", RightParen ")", LeftBracket "[", RightBracket "]", LeftBrace "{", RightBrace "}",
    Dot ".", Arrow "->", PlusPlus "++", MinusMinus "--", Amp "&", Star "*", Plus "+", Minus "-", Tilde "~", Bang "!",
    Slash "/", Percent "%", LessLess "<<", GreaterGreater ">>", Less "<", Greater ">", LessEqual "<=",
    GreaterEqual ">=", EqualEqual "==", BangEqual "!=", Caret "^", Pipe "|", AmpAmp "&&", PipePipe "||",
    Question "?", Colon ":", Semicolon ";", Ellipsis "...", Equal "=", StarEqual "*=", SlashEqual "/=",
    PercentEqual "%=", PlusEqual "+=", MinusEqual "-=", LessLessEqual "<<=", GreaterGreaterEqual ">>=",
    AmpEqual "&=", CaretEqual "^=", PipeEqual "|=", Comma ",", Hash "#", HashHash "##",
    // CIVL-C: ranges `a .. b # c`, implication, remote expressions; kernel calls `k<<<n, m>>>(…)` of CUDA.
    DotDot "..", Implies "=>", At "@", LessLessLess "<<<", GreaterGreaterGreater ">>>",
}

const _: () = assert!(size_of::<TokenKind>() <= 8 && size_of::<Token>() <= 24);
