//! Constants and string literals.

use super::convert::float_format;
use super::{Lowerer, Operand};
use crate::ir::*;
use quod_base::{Span, Symbol};
use quod_diag::codes;
use quod_syntax::ast::{self, Encoding, FloatSuffix, IntegerSize, Radix};

impl Lowerer<'_> {
    pub(crate) fn integer_literal(&mut self, literal: &ast::IntegerLiteral, span: Span) -> Operand {
        let value = literal.value();
        let start = match literal.size {
            IntegerSize::None | IntegerSize::BitInt => 0,
            IntegerSize::Long => 1,
            IntegerSize::LongLong => 2,
        };
        let kinds = [
            (IntKind::Int, IntKind::UInt),
            (IntKind::Long, IntKind::ULong),
            (IntKind::LongLong, IntKind::ULongLong),
            (IntKind::Int128, IntKind::UInt128),
        ];
        let may_be_unsigned = literal.is_unsigned || literal.radix != Radix::Decimal;
        let mut found = None;
        for &(signed, unsigned) in &kinds[start..] {
            let bits = self.int_format(signed).bits;
            if !literal.is_unsigned && (value >> (bits - 1)) == 0 {
                found = Some(signed);
            } else if may_be_unsigned && (bits == 128 || (value >> bits) == 0) {
                found = Some(unsigned);
            }
            if found.is_some() {
                break;
            }
        }
        let kind = found.unwrap_or(IntKind::UInt128);
        let ty = self.types().intern(Type::Int(kind));
        let value = self.int_value(value as i128, ty, span);
        if literal.is_imaginary {
            let complex = self.types().intern(Type::ComplexInt(kind));
            return self.imaginary(value, ty, complex, span);
        }
        self.value_operand(value, span)
    }

    fn imaginary(&mut self, imaginary: ExprId, part: TypeId, complex: TypeId, span: Span) -> Operand {
        let zero = self.int_value(0, self.known.int, span);
        let real = self.convert(zero, part, span);
        let value = self.b().expr(ExprKind::MakeComplex { real, imaginary }, complex, span);
        self.value_operand(value, span)
    }

    pub(crate) fn float_literal(&mut self, literal: &ast::FloatLiteral, span: Span) -> Operand {
        let kind = match literal.suffix {
            FloatSuffix::None | FloatSuffix::Float64 | FloatSuffix::Float32x => FloatKind::Double,
            FloatSuffix::Float | FloatSuffix::Float32 => FloatKind::Float,
            FloatSuffix::LongDouble | FloatSuffix::Float64x | FloatSuffix::Float80 => FloatKind::LongDouble,
            FloatSuffix::Float16 => FloatKind::Half,
            FloatSuffix::Float128 => FloatKind::Quad,
            FloatSuffix::Decimal32 | FloatSuffix::Decimal64 | FloatSuffix::Decimal128 => {
                return self.unsupported_operand("decimal floating point", span);
            }
        };
        let ty = self.types().intern(Type::Float(kind));
        let Some(bits) = float_format(kind).parse(literal.text.as_str()) else {
            return self.error_operand(span);
        };
        let value = self.b().expr(ExprKind::Float { bits, text: literal.text }, ty, span);
        if literal.is_imaginary {
            let complex = self.types().intern(Type::Complex(kind));
            return self.imaginary(value, ty, complex, span);
        }
        self.value_operand(value, span)
    }

    pub(crate) fn character_literal(&mut self, literal: &ast::CharacterLiteral, span: Span) -> Operand {
        let kind = match literal.encoding {
            Encoding::Plain | Encoding::Utf8 => IntKind::Int,
            Encoding::Utf16 => IntKind::UShort,
            Encoding::Utf32 => IntKind::UInt,
            Encoding::Wide => self.options.data_model.wide_char_kind(),
        };
        let value = self.int_format(kind).wrap(i128::from(literal.value));
        let ty = self.types().intern(Type::Int(kind));
        self.constant_operand(value, ty, span)
    }

    /// The element type of a string literal.
    pub(crate) fn string_element(&mut self, id: ast::StringId) -> TypeId {
        let kind = match self.unit[id].encoding {
            Encoding::Plain | Encoding::Utf8 => IntKind::Char,
            Encoding::Utf16 => IntKind::UShort,
            Encoding::Utf32 => IntKind::UInt,
            Encoding::Wide => self.options.data_model.wide_char_kind(),
        };
        self.types().intern(Type::Int(kind))
    }

    pub(crate) fn string_elements(&self, id: ast::StringId) -> Vec<u32> {
        let literal = &self.unit[id];
        (0..literal.len()).filter_map(|index| literal.element(index)).collect()
    }

    pub(crate) fn string_literal(&mut self, id: ast::StringId) -> Operand {
        let element = self.string_element(id);
        let mut elements = self.string_elements(id);
        elements.push(0);
        let span = self.unit[id].span;
        self.string_place(elements, element, span)
    }

    pub(crate) fn string_place(&mut self, elements: Vec<u32>, element: TypeId, span: Span) -> Operand {
        let length = ArrayLength::Fixed(elements.len() as u64);
        let element = QualType { ty: element, qualifiers: Qualifiers::default() };
        let ty = self.types().intern(Type::Array { element, length });
        let id = self.pool_string(elements, ty, span);
        let place = self.b().place(PlaceKind::String(id), ty, span);
        self.place_operand(place, Qualifiers::default(), span)
    }

    /// Equal literals of equal type share one object, as gcc's do.
    pub(crate) fn pool_string(&mut self, elements: Vec<u32>, ty: TypeId, span: Span) -> StringId {
        let key = (ty, elements);
        if let Some(&id) = self.strings.get(&key) {
            return id;
        }
        let id = self.program.strings.push(StringLiteral { elements: key.1.clone(), ty, span });
        self.strings.insert(key, id);
        id
    }

    /// `_Static_assert(e, "message")`
    pub(crate) fn static_assert(&mut self, condition: ast::ExprId, message: Option<ast::StringId>, span: Span) {
        if self.integer_constant(condition) != Some(0) {
            return;
        }
        let text =
            message.and_then(|id| self.unit[id].bytes()).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let message = match text {
            Some(text) => format!("static assertion failed: {text}"),
            None => "static assertion failed".to_owned(),
        };
        let condition_span = self.unit[condition].span;
        let _ = span;
        self.error(codes::STATIC_ASSERTION, message, condition_span, "this is zero");
    }

    pub(crate) fn text_symbol(&self, id: ast::StringId) -> Symbol {
        let bytes = self.unit[id].bytes().unwrap_or_default();
        Symbol::intern(&String::from_utf8_lossy(bytes))
    }
}
