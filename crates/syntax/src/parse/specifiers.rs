//! Declaration specifiers: storage classes, qualifiers, function specifiers and the type.

use super::Parser;
use super::attribute::AttributeVec;
use super::words::{
    function_specifier, header_of, is_declaration_keyword, is_library_type, is_type_keyword, storage_class,
};
use crate::ast::*;
use crate::preprocess::Standard;
use crate::token::{Keyword, Punct, TokenFlags, TokenKind};
use quod_base::{Id, Span, Symbol};
use quod_diag::{Diagnostic, codes};

/// Where the specifiers stand.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Place {
    Declaration,
    /// A parameter, a member or a type name: without a type it is an error.
    TypeNeeded,
}

/// The words of a basic type, counted.
#[derive(Default)]
struct Words {
    signed: Option<bool>,
    longs: u8,
    short: bool,
    complex: bool,
    base: Option<BasicType>,
    /// A type that no other word goes with.
    other: Option<TypeSpecifier>,
    span: Option<Span>,
    bad: Option<Span>,
}

impl Words {
    fn is_empty(&self) -> bool {
        self.span.is_none()
    }

    fn set_base(&mut self, ty: BasicType, span: Span) {
        // `long double` and `long int` in any order; everything else stands once.
        if self.base.is_some() {
            self.bad.get_or_insert(span);
        }
        self.base = Some(ty);
    }

    fn set_other(&mut self, ty: TypeSpecifier, span: Span) {
        if !self.is_empty() {
            self.bad.get_or_insert(span);
        }
        self.other = Some(ty);
    }

    fn combine(&self) -> Option<TypeSpecifier> {
        use BasicType::*;
        if let Some(other) = self.other {
            let is_alone =
                self.base.is_none() && self.longs == 0 && !self.short && !self.complex && self.signed.is_none();
            return match other {
                TypeSpecifier::BitInt { width, .. } if self.base.is_none() => {
                    Some(TypeSpecifier::BitInt { is_unsigned: self.signed == Some(false), width })
                }
                other if is_alone => Some(other),
                _ => None,
            };
        }
        let unsigned = self.signed == Some(false);
        let pick = |signed_type, unsigned_type| Some(if unsigned { unsigned_type } else { signed_type });
        let ty = match (self.base, self.longs, self.short) {
            (None | Some(Int), 0, true) => pick(Short, UnsignedShort)?,
            (None, 0, false) if self.complex && self.signed.is_none() => Double,
            (None | Some(Int), 0, false) => pick(Int, UnsignedInt)?,
            (None | Some(Int), 1, false) => pick(Long, UnsignedLong)?,
            (None | Some(Int), 2, false) => pick(LongLong, UnsignedLongLong)?,
            (Some(Char), 0, false) => match self.signed {
                None => Char,
                Some(true) => SignedChar,
                Some(false) => UnsignedChar,
            },
            (Some(Int128), 0, false) => pick(Int128, UnsignedInt128)?,
            (Some(Double), 1, false) if self.signed.is_none() => LongDouble,
            (Some(base), 0, false) if self.signed.is_none() => base,
            _ => return None,
        };
        Some(TypeSpecifier::Basic { ty, is_complex: self.complex })
    }
}

impl Parser<'_> {
    /// Whether a token of this kind starts a type name.
    #[inline]
    pub(super) fn kind_starts_type(&self, kind: TokenKind) -> bool {
        match kind {
            TokenKind::Ident(symbol) => self.name_is_type(symbol),
            TokenKind::Keyword(keyword) => is_type_keyword(keyword),
            _ => false,
        }
    }

    /// Whether the current token starts a declaration and no statement.
    pub(super) fn starts_declaration(&self) -> bool {
        match self.token.kind {
            TokenKind::Ident(symbol) => self.name_is_type(symbol) && !self.peek_is(Punct::Colon),
            TokenKind::Keyword(Keyword::Extension) => {
                let next = self.peek();
                self.kind_starts_type(next) || matches!(next, TokenKind::Keyword(word) if is_declaration_keyword(word))
            }
            TokenKind::Keyword(keyword) => is_type_keyword(keyword) || is_declaration_keyword(keyword),
            _ => false,
        }
    }

    pub(super) fn type_specifiers(&mut self) -> SpecifiersId {
        self.specifiers(Place::TypeNeeded, AttributeVec::new())
    }

    /// The specifiers of a declaration without any: `main() { … }`.
    pub(super) fn no_specifiers(&mut self) -> SpecifiersId {
        let span = Span { hi: self.token.span.lo, ..self.token.span };
        self.unit.specifiers.push(empty(span))
    }

    pub(super) fn specifiers(&mut self, place: Place, mut attributes: AttributeVec) -> SpecifiersId {
        let start = self.token.span;
        let mut result = empty(Span { hi: start.lo, ..start });
        let mut words = Words::default();
        let mut alignments: Vec<ExprId> = Vec::new();
        let mut arguments: Vec<ExprId> = Vec::new();
        let first = self.position;
        loop {
            let span = self.token.span;
            match self.token.kind {
                TokenKind::Ident(symbol) => {
                    if !words.is_empty() {
                        break;
                    }
                    if self.is_civl() && self.address_space(symbol, &mut attributes) {
                        continue;
                    }
                    if self.name_is_type(symbol) {
                        self.bump();
                        words.set_other(TypeSpecifier::TypedefName(Name { symbol, span }), span);
                    } else if self.is_unknown_type(place) {
                        self.error_unknown_type(symbol);
                        self.bump();
                        words.set_other(TypeSpecifier::Error, span);
                    } else {
                        break;
                    }
                    words.span = Some(span);
                }
                TokenKind::Keyword(keyword) => {
                    if self.token.flags.contains(TokenFlags::LINE_START) && self.ends_definition(&words, keyword) {
                        break;
                    }
                    if let Some(storage) = storage_class(keyword) {
                        self.bump();
                        result.storage.insert(storage);
                    } else if let Some(qualifier) = self.qualifier(keyword) {
                        self.bump();
                        result.qualifiers.insert(qualifier);
                    } else if let Some(function) = function_specifier(keyword) {
                        self.bump();
                        result.function.insert(function);
                        self.function_specifier_arguments(keyword, &mut result, &mut arguments);
                    } else if keyword == Keyword::Attribute {
                        self.attributes(&mut attributes);
                    } else if keyword == Keyword::Extension {
                        self.bump();
                    } else if keyword == Keyword::Alignas {
                        alignments.push(self.alignment());
                    } else if is_library_type(keyword) && !words.is_empty() {
                        // `typedef struct $proc $proc;` of CIVL's own headers: the name, not a second type.
                        break;
                    } else if self.type_word(keyword, &mut words) {
                        let here = self.since(span);
                        words.span = Some(words.span.map_or(here, |before| self.join(before, here)));
                    } else {
                        break;
                    }
                }
                TokenKind::Punct(Punct::LeftBracket) if self.position > first && self.at_attribute() => {
                    self.attributes(&mut attributes);
                }
                _ => break,
            }
        }
        if self.position > first {
            result.span = self.since(start);
        }
        result.ty_span = words.span.unwrap_or(result.span);
        result.ty = self.combine(&words, &result, place);
        if !attributes.is_empty() {
            result.attributes = self.attribute_list(&attributes);
        }
        if !alignments.is_empty() {
            let raw: Vec<u32> = alignments.iter().map(|expr| expr.index() as u32).collect();
            result.alignments = self.unit.make_list(&raw);
        }
        if !arguments.is_empty() {
            let raw: Vec<u32> = arguments.iter().map(|expr| expr.index() as u32).collect();
            result.abstract_arguments = self.unit.make_list(&raw);
        }
        self.unit.specifiers.push(result)
    }

    /// OpenCL's `__global` and its like, kept as attributes.
    fn address_space(&mut self, symbol: Symbol, attributes: &mut AttributeVec) -> bool {
        let text = symbol.as_str();
        if !matches!(text, "__global" | "__local" | "__private" | "__kernel") {
            return false;
        }
        let span = self.bump();
        let name = Symbol::intern(&text[2..]);
        let attribute = Attribute { span, namespace: Some(Symbol::intern("opencl")), name, arguments: List::EMPTY };
        let id = self.unit.attributes.push(attribute);
        attributes.push(id.index() as u32);
        true
    }

    /// After `struct s { … }` a new line starts with a further specifier: the semicolon is missing, as `declaration` says.
    fn ends_definition(&self, words: &Words, keyword: Keyword) -> bool {
        let is_definition = match words.other {
            Some(TypeSpecifier::Record(record)) => self.unit.records[record].members.is_some(),
            Some(TypeSpecifier::Enum(id)) => self.unit.enums[id].enumerators.is_some(),
            _ => false,
        };
        is_definition && (is_type_keyword(keyword) || is_declaration_keyword(keyword))
    }

    fn combine(&mut self, words: &Words, result: &Specifiers, place: Place) -> TypeSpecifier {
        if words.is_empty() {
            if self.options.standard == Standard::C23 && result.storage.contains(Storage::AUTO) {
                return TypeSpecifier::Auto;
            }
            if place == Place::TypeNeeded && result.span.lo == result.span.hi {
                self.error_expected("a type");
                return TypeSpecifier::Error;
            }
            return TypeSpecifier::Implicit;
        }
        match words.combine() {
            Some(ty) if words.bad.is_none() => ty,
            _ => {
                let diagnostic = Diagnostic::error(codes::BAD_SPECIFIERS, "these type specifiers do not fit together")
                    .label(words.bad.unwrap_or(result.ty_span), "no type is written so");
                self.report_and_go_on(diagnostic);
                TypeSpecifier::Error
            }
        }
    }

    /// Whether the name at the current token stands where only a type can.
    fn is_unknown_type(&self, place: Place) -> bool {
        match self.peek() {
            TokenKind::Ident(_) => true,
            TokenKind::Punct(Punct::Star) => true,
            TokenKind::Keyword(keyword) => {
                place == Place::TypeNeeded || matches!(keyword, Keyword::Const | Keyword::Volatile | Keyword::Restrict)
            }
            _ => place == Place::TypeNeeded,
        }
    }

    fn error_unknown_type(&mut self, symbol: Symbol) {
        let text = symbol.as_str();
        let mut diagnostic = Diagnostic::error(codes::UNKNOWN_TYPE, format!("unknown type name `{text}`"))
            .label(self.token.span, "no type of this name is in scope");
        if let Some(header) = header_of(text) {
            diagnostic = diagnostic.help(format!("add `#include <{header}>`"));
        } else if let Some(name) = self.scopes.nearest_type(text) {
            diagnostic = diagnostic.help(format!("did you mean `{name}`?"));
        }
        if !self.recovering {
            self.report_and_go_on(diagnostic);
        }
        // Reported once is enough: from here on the name is taken for a type.
        self.scopes.declare_unknown(symbol);
    }

    /// One word of a type. `false` if the keyword is none.
    fn type_word(&mut self, keyword: Keyword, words: &mut Words) -> bool {
        let span = self.token.span;
        let base = match keyword {
            Keyword::Void => BasicType::Void,
            Keyword::Bool => BasicType::Bool,
            Keyword::Char => BasicType::Char,
            Keyword::Int => BasicType::Int,
            Keyword::Int128 => BasicType::Int128,
            Keyword::Float => BasicType::Float,
            Keyword::Double => BasicType::Double,
            Keyword::Float16 => BasicType::Float16,
            Keyword::Float32 => BasicType::Float32,
            Keyword::Float64 => BasicType::Float64,
            Keyword::Float32x => BasicType::Float32x,
            Keyword::Float64x => BasicType::Float64x,
            Keyword::Float128 => BasicType::Float128,
            Keyword::Float80 => BasicType::Float80,
            Keyword::Decimal32 => BasicType::Decimal32,
            Keyword::Decimal64 => BasicType::Decimal64,
            Keyword::Decimal128 => BasicType::Decimal128,
            Keyword::Signed | Keyword::Unsigned => {
                let is_signed = keyword == Keyword::Signed;
                if words.signed.is_some_and(|before| before != is_signed) {
                    words.bad.get_or_insert(span);
                }
                words.signed = Some(is_signed);
                self.bump();
                return true;
            }
            Keyword::Long => {
                words.longs += u8::from(words.longs < 3);
                self.bump();
                return true;
            }
            Keyword::Short => {
                words.short = true;
                self.bump();
                return true;
            }
            Keyword::Complex | Keyword::Imaginary => {
                words.complex = true;
                self.bump();
                return true;
            }
            _ => return self.type_of_its_own(keyword, words),
        };
        self.bump();
        words.set_base(base, span);
        true
    }

    /// Types that are no basic types.
    fn type_of_its_own(&mut self, keyword: Keyword, words: &mut Words) -> bool {
        let span = self.token.span;
        let ty = match keyword {
            Keyword::Struct | Keyword::Union => TypeSpecifier::Record(self.deeper(Self::record)),
            Keyword::Enum => TypeSpecifier::Enum(self.enumeration()),
            Keyword::Typeof | Keyword::TypeofUnqual => self.deeper(|parser| parser.type_of(keyword)),
            Keyword::Atomic => {
                self.bump();
                let open = self.bump();
                let ty = self.deeper(Self::type_name);
                self.expect_close(Punct::RightParen, open);
                TypeSpecifier::Atomic(ty)
            }
            Keyword::BitInt => {
                self.bump();
                let width = self.condition();
                TypeSpecifier::BitInt { is_unsigned: false, width }
            }
            Keyword::CivlDomain => {
                self.bump();
                let dimension = (self.at(Punct::LeftParen)).then(|| self.condition());
                TypeSpecifier::Domain(dimension)
            }
            _ => {
                let ty = match keyword {
                    Keyword::AutoType => TypeSpecifier::Auto,
                    Keyword::BuiltinVaList => TypeSpecifier::VaList,
                    Keyword::CivlReal => TypeSpecifier::Real,
                    Keyword::CivlProc => TypeSpecifier::Process,
                    Keyword::CivlScope => TypeSpecifier::Scope,
                    Keyword::CivlRange => TypeSpecifier::Range,
                    Keyword::CivlMem => TypeSpecifier::Memory,
                    Keyword::CivlState => TypeSpecifier::State,
                    Keyword::CivlHeap => TypeSpecifier::Heap,
                    _ => return false,
                };
                self.bump();
                ty
            }
        };
        words.set_other(ty, span);
        true
    }

    /// `typeof(e)`, `typeof(T)`
    fn type_of(&mut self, keyword: Keyword) -> TypeSpecifier {
        self.bump();
        let is_unqualified = keyword == Keyword::TypeofUnqual;
        let open = self.token.span;
        if !self.expect(Punct::LeftParen) {
            return TypeSpecifier::Error;
        }
        let ty = if self.starts_declaration() {
            TypeSpecifier::TypeofType { ty: self.type_name(), is_unqualified }
        } else {
            TypeSpecifier::TypeofExpr { expr: self.expression(), is_unqualified }
        };
        self.expect_close(Punct::RightParen, open);
        ty
    }

    pub(super) fn qualifier(&self, keyword: Keyword) -> Option<Qualifiers> {
        Some(match keyword {
            Keyword::Const => Qualifiers::CONST,
            Keyword::Volatile => Qualifiers::VOLATILE,
            Keyword::Restrict => Qualifiers::RESTRICT,
            Keyword::Atomic if !self.peek_is(Punct::LeftParen) => Qualifiers::ATOMIC,
            _ => return None,
        })
    }

    /// `_Alignas(16)`, `_Alignas(T)`
    fn alignment(&mut self) -> ExprId {
        let start = self.bump();
        let open = self.token.span;
        if !self.expect(Punct::LeftParen) {
            return self.add_expr(start, ExprKind::Error);
        }
        let expr = if self.kind_starts_type(self.token.kind) {
            let ty = self.type_name();
            let span = self.unit.type_names[ty].span;
            self.add_expr(span, ExprKind::AlignofType(ty))
        } else {
            self.conditional_expression()
        };
        self.expect_close(Punct::RightParen, open);
        expr
    }

    /// What may follow `$system`, `$abstract`, `$contin` and `$differentiable`.
    fn function_specifier_arguments(&mut self, keyword: Keyword, result: &mut Specifiers, arguments: &mut Vec<ExprId>) {
        let open = self.token.span;
        match keyword {
            Keyword::CivlSystem if self.at(Punct::LeftBracket) && !self.peek_is(Punct::LeftBracket) => {
                self.bump();
                let mut library = String::new();
                while !self.at(Punct::RightBracket) && !self.at(Punct::Semicolon) && !self.at_eof() {
                    library.push_str(self.token_text(self.token));
                    self.bump();
                }
                self.expect_close(Punct::RightBracket, open);
                result.library = Some(Symbol::intern(&library));
            }
            Keyword::CivlAbstract if self.at(Punct::LeftParen) && matches!(self.peek(), TokenKind::Str { .. }) => {
                arguments.push(self.condition());
            }
            Keyword::CivlContin => arguments.push(self.condition()),
            Keyword::CivlDifferentiable if self.at(Punct::LeftParen) => {
                self.bump();
                arguments.push(self.conditional_expression());
                self.eat(Punct::Comma);
                while self.at(Punct::LeftBracket) {
                    let bracket = self.bump();
                    arguments.push(self.conditional_expression());
                    self.expect(Punct::Comma);
                    arguments.push(self.conditional_expression());
                    self.expect_close(Punct::RightBracket, bracket);
                }
                self.expect_close(Punct::RightParen, open);
            }
            _ => {}
        }
    }
}

fn empty(span: Span) -> Specifiers {
    Specifiers {
        span,
        storage: Storage::NONE,
        qualifiers: Qualifiers::NONE,
        function: FunctionSpecifiers::NONE,
        ty: TypeSpecifier::Implicit,
        ty_span: span,
        attributes: List::EMPTY,
        alignments: List::EMPTY,
        library: None,
        abstract_arguments: List::EMPTY,
    }
}
