//! The attributes that change a declaration's meaning, gathered from GNU and C23 attribute lists.

use super::Lowerer;
use crate::ir::*;
use quod_base::{Span, Symbol};
use quod_diag::codes;
use quod_syntax::ast::{self, List};

/// What `aligned` without an argument means on x86.
const LARGEST_ALIGNMENT: u64 = 16;

#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    pub is_packed: bool,
    pub alignment: Option<u64>,
    pub vector_size: Option<(u64, Span)>,
    pub mode: Option<(Symbol, Span)>,
    pub is_transparent_union: bool,
    pub is_noreturn: bool,
    pub is_gnu_inline: bool,
    pub is_weak: bool,
    pub alias: Option<(Symbol, Span)>,
    /// Priority, lowest first.
    pub constructor: Option<i128>,
    pub destructor: Option<i128>,
    pub cleanup: Option<(Symbol, Span)>,
    /// `scalar_storage_order` and other attributes that change values and are not supported.
    pub unsupported: Option<(Symbol, Span)>,
}

impl Lowerer<'_> {
    /// Reads a list into `into`, so that several lists of one declaration add up.
    pub(crate) fn attributes(&mut self, list: List<ast::AttributeId>, into: &mut Attributes) {
        let unit = self.unit;
        for id in unit.list(list) {
            let attribute = &unit[id];
            let first = unit.get(attribute.arguments, 0);
            match attribute.name.as_str() {
                "packed" => into.is_packed = true,
                "aligned" => {
                    let alignment = match first {
                        None => Some(LARGEST_ALIGNMENT),
                        Some(argument) => self.alignment_argument(argument),
                    };
                    into.alignment = into.alignment.max(alignment);
                }
                "vector_size" => {
                    if let Some(bytes) = first.and_then(|argument| self.integer_constant(argument)) {
                        into.vector_size = u64::try_from(bytes).ok().map(|bytes| (bytes, attribute.span));
                    }
                }
                "mode" => into.mode = first.and_then(|argument| self.word(argument)).map(|word| (word, attribute.span)),
                "transparent_union" => into.is_transparent_union = true,
                "noreturn" => into.is_noreturn = true,
                "gnu_inline" => into.is_gnu_inline = true,
                "weak" => into.is_weak = true,
                "alias" | "weakref" => {
                    into.alias = first.and_then(|argument| self.word(argument)).map(|word| (word, attribute.span));
                }
                "constructor" => {
                    let priority = first.and_then(|argument| self.integer_constant(argument));
                    into.constructor = Some(priority.unwrap_or(65536));
                }
                "destructor" => {
                    let priority = first.and_then(|argument| self.integer_constant(argument));
                    into.destructor = Some(priority.unwrap_or(65536));
                }
                "cleanup" => {
                    into.cleanup = first.and_then(|argument| self.word(argument)).map(|word| (word, attribute.span));
                }
                "scalar_storage_order"
                    if first.and_then(|argument| self.word(argument)).is_some_and(|w| w.as_str() == "big-endian") =>
                {
                    into.unsupported = Some((attribute.name, attribute.span));
                }
                _ => {}
            }
        }
    }

    /// An identifier or string as an attribute's argument.
    fn word(&mut self, argument: ast::ExprId) -> Option<Symbol> {
        match self.unit[self.unit.without_parentheses(argument)].kind {
            ast::ExprKind::Identifier(symbol) => Some(symbol),
            ast::ExprKind::String(id) => {
                let bytes = self.unit[id].bytes()?;
                Some(Symbol::intern(&String::from_utf8_lossy(bytes)))
            }
            _ => None,
        }
    }

    /// `aligned(16)`, `_Alignas(T)`: a power of two.
    pub(crate) fn alignment_argument(&mut self, argument: ast::ExprId) -> Option<u64> {
        let value = self.integer_constant(argument)?;
        let alignment = u64::try_from(value).ok().filter(|value| value.is_power_of_two());
        if alignment.is_none() && value != 0 {
            let span = self.unit[argument].span;
            self.error(codes::BAD_ATTRIBUTE, "the alignment is not a power of two", span, format!("this is {value}"));
        }
        alignment.filter(|&value| value < 1 << 29)
    }

    /// The type after `mode` and `vector_size`.
    pub(crate) fn attributed_type(&mut self, ty: TypeId, attributes: &Attributes) -> TypeId {
        let mut ty = ty;
        if let Some((mode, span)) = attributes.mode {
            ty = self.mode_type(ty, mode, span);
        }
        if let Some((bytes, span)) = attributes.vector_size {
            ty = self.vector_type(ty, bytes, span);
        }
        ty
    }

    fn vector_type(&mut self, element: TypeId, bytes: u64, span: Span) -> TypeId {
        // In `vector_size` after a pointer, array or function declarator the attribute goes to the innermost type.
        match *self.ty(element) {
            Type::Pointer(target) => {
                let ty = self.vector_type(target.ty, bytes, span);
                return self.types().intern(Type::Pointer(QualType { ty, ..target }));
            }
            Type::Array { element, length } => {
                let ty = self.vector_type(element.ty, bytes, span);
                return self.types().intern(Type::Array { element: QualType { ty, ..element }, length });
            }
            Type::Function(id) => {
                let mut function = self.program.types.functions[id].clone();
                function.result = self.vector_type(function.result, bytes, span);
                return self.types().intern_function(function);
            }
            _ => {}
        }
        let is_scalar = matches!(self.ty(element), Type::Int(_) | Type::Float(_) | Type::Enum(_) | Type::Bool);
        let size = self.program.types.size_of(element).unwrap_or(0);
        if !is_scalar || size == 0 || bytes == 0 || !bytes.is_multiple_of(size) {
            let name = self.type_name(element);
            self.error(
                codes::BAD_ATTRIBUTE,
                format!("no vector of {bytes} bytes has elements of type `{name}`"),
                span,
                "the size must be a multiple of the element's",
            );
            return self.known.error;
        }
        self.types().intern(Type::Vector { element, lanes: bytes / size })
    }

    fn mode_type(&mut self, ty: TypeId, mode: Symbol, span: Span) -> TypeId {
        let is_signed = match *self.ty(ty) {
            Type::Int(kind) => kind.is_signed(),
            Type::Enum(_) => true,
            _ => true,
        };
        let name = mode.as_str().trim_matches('_');
        let is_lp64 = self.options.data_model == DataModel::Lp64;
        let long = if is_lp64 { IntKind::Long } else { IntKind::LongLong };
        let kind = match name {
            "QI" | "byte" => IntKind::SChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" => long,
            "TI" => IntKind::Int128,
            "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" | "libgcc_shift_count" => {
                if is_lp64 {
                    IntKind::Long
                } else {
                    IntKind::Int
                }
            }
            _ => {
                let float = match name {
                    "HF" => Type::Float(FloatKind::Half),
                    "SF" => Type::Float(FloatKind::Float),
                    "DF" => Type::Float(FloatKind::Double),
                    "XF" => Type::Float(FloatKind::LongDouble),
                    "TF" => Type::Float(FloatKind::Quad),
                    "SC" => Type::Complex(FloatKind::Float),
                    "DC" => Type::Complex(FloatKind::Double),
                    "XC" => Type::Complex(FloatKind::LongDouble),
                    "TC" => Type::Complex(FloatKind::Quad),
                    _ => match self.vector_mode(name, is_signed) {
                        Some(ty) => ty,
                        None => {
                            self.error(
                                codes::BAD_ATTRIBUTE,
                                format!("the machine mode `{name}` is not known"),
                                span,
                                "in this attribute",
                            );
                            Type::Error
                        }
                    },
                };
                return self.types().intern(float);
            }
        };
        let kind = if is_signed { kind } else { kind.to_unsigned() };
        self.types().intern(Type::Int(kind))
    }

    /// `V4SI`, `V2DF`
    fn vector_mode(&mut self, name: &str, is_signed: bool) -> Option<Type> {
        let digits = name.strip_prefix('V')?;
        let end = digits.find(|c: char| !c.is_ascii_digit())?;
        let lanes: u64 = digits[..end].parse().ok()?;
        let element = match &digits[end..] {
            "QI" => Type::Int(IntKind::SChar),
            "HI" => Type::Int(IntKind::Short),
            "SI" => Type::Int(IntKind::Int),
            "DI" => Type::Int(IntKind::LongLong),
            "SF" => Type::Float(FloatKind::Float),
            "DF" => Type::Float(FloatKind::Double),
            _ => return None,
        };
        let element = match element {
            Type::Int(kind) if !is_signed => Type::Int(kind.to_unsigned()),
            other => other,
        };
        let element = self.types().intern(element);
        Some(Type::Vector { element, lanes })
    }
}
