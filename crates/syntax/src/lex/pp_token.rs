//! Tokens inside the preprocessor: all words are identifiers, and some kinds exist only in macro bodies.

use super::table::TextId;
use crate::{Encoding, Punct};
use quod_base::Span;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum PpKind {
    Ident,
    Number,
    Char(Encoding),
    Str(Encoding),
    Punct(Punct),
    Annotation,
    PragmaStart,
    PragmaEnd,
    Unknown,
    /// The end of a directive's line.
    EndOfDirective,
    /// The end of a file, or of the argument that is being expanded.
    Eof,
    /// In a macro's body: the parameter whose index is in `text`.
    Parameter,
    /// In a macro's body: the parentheses of `__VA_OPT__( … )`; `text` of the start is the index of the end.
    VaOptStart,
    VaOptEnd,
    /// The empty operand of `##`.
    Placemarker,
}

#[derive(Copy, Clone, Debug)]
pub(crate) struct PpToken {
    pub(crate) span: Span,
    /// The interned text of identifiers, numbers and literals (without quotes).
    pub(crate) text: TextId,
    pub(crate) kind: PpKind,
    pub(crate) flags: PpFlags,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct PpFlags(pub(crate) u8);

impl PpFlags {
    /// These two have the values of `TokenFlags`.
    pub(crate) const SPACE_BEFORE: Self = Self(1);
    pub(crate) const LINE_START: Self = Self(2);
    /// A macro's name that came from its own expansion: never expanded again.
    pub(crate) const NO_EXPAND: Self = Self(4);
    /// In a macro's body: `##` follows.
    pub(crate) const PASTE_LEFT: Self = Self(8);
    /// In a macro's body: a parameter after `#`.
    pub(crate) const STRINGIFY: Self = Self(16);

    const LAYOUT: u8 = 3;

    #[inline]
    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
    #[inline]
    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    #[inline]
    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
    /// White space or a new line before the token.
    pub(crate) fn is_spaced(self) -> bool {
        self.0 & Self::LAYOUT != 0
    }
    /// These flags, but spaced as `other`.
    pub(crate) fn spaced_as(self, other: Self) -> Self {
        Self(self.0 & !Self::LAYOUT | other.0 & Self::LAYOUT)
    }
    pub(crate) fn layout(self) -> u8 {
        self.0 & Self::LAYOUT
    }
}

impl PpToken {
    pub(crate) fn is_punct(&self, punct: Punct) -> bool {
        self.kind == PpKind::Punct(punct)
    }
    pub(crate) fn is_ident(&self, text: TextId) -> bool {
        self.kind == PpKind::Ident && self.text == text
    }
    /// Whether no more tokens come: the end of the directive, of the argument or of the file.
    pub(crate) fn is_end(&self) -> bool {
        matches!(self.kind, PpKind::EndOfDirective | PpKind::Eof)
    }
}

const _: () = assert!(size_of::<PpToken>() <= 20);
