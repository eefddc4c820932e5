//! Conversions: explicit ones, integer promotions, the usual arithmetic conversions, and those of assignment.

use super::Lowerer;
use crate::ir::*;
use quod_base::{FloatFormat, Span, Symbol};
use quod_diag::{Diagnostic, codes};

/// What a value is converted for, in the words of a message.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Purpose {
    Assignment,
    Initialisation,
    Return,
    /// Argument number, from one, and where the function is declared.
    Argument(usize, Span),
}

pub(crate) fn float_format(kind: FloatKind) -> FloatFormat {
    match kind {
        FloatKind::Half => FloatFormat::Half,
        FloatKind::Float => FloatFormat::Single,
        FloatKind::Double => FloatFormat::Double,
        FloatKind::LongDouble => FloatFormat::X87,
        FloatKind::Quad => FloatFormat::Quad,
    }
}

impl Lowerer<'_> {
    /// `(target)value`, folded where it is a constant.
    pub(crate) fn convert(&mut self, value: ExprId, target: TypeId, span: Span) -> ExprId {
        let source = self.type_of(value);
        if source == target {
            return value;
        }
        if self.is_error(source) || self.is_error(target) {
            return self.error_value(span);
        }
        let span = self.span_of(value);
        match (self.b().body.exprs[value].kind.clone(), self.ty(target).clone()) {
            (ExprKind::Int(number), Type::Int(_) | Type::Enum(_))
                if self.is_integer(source) || self.is_pointer(source) =>
            {
                // There is one type of integers in ideal arithmetic.
                if self.program.arithmetic == Arithmetic::Ideal && self.is_integer(source) {
                    return self.int_value(number, target, span);
                }
                if let Some(format) = self.format_of(target) {
                    return self.int_value(format.wrap(number), target, span);
                }
            }
            (ExprKind::Int(number), Type::Pointer(_)) if self.is_integer(source) || self.is_pointer(source) => {
                if let Some(format) = self.format_of(target) {
                    return self.int_value(format.wrap(number), target, span);
                }
            }
            (ExprKind::Int(number), Type::Bool) => return self.int_value(i128::from(number != 0), target, span),
            (ExprKind::Int(number), Type::Float(kind)) => {
                if let Some(from) = self.format_of(source) {
                    let bits = float_format(kind).from_int(number, from);
                    let text = Symbol::intern(&from.decimal(number));
                    return self.b().expr(ExprKind::Float { bits, text }, target, span);
                }
            }
            (ExprKind::Float { bits, text }, Type::Float(kind)) => {
                if let Type::Float(from) = *self.ty(source) {
                    let bits = float_format(from).convert(bits, float_format(kind));
                    return self.b().expr(ExprKind::Float { bits, text }, target, span);
                }
            }
            (_, Type::Complex(_) | Type::ComplexInt(_)) if !self.is_complex(source) => {
                let part = self.complex_part(target);
                let real = self.convert(value, part, span);
                let zero = self.int_value(0, self.known.int, span);
                let imaginary = self.convert(zero, part, span);
                return self.b().expr(ExprKind::MakeComplex { real, imaginary }, target, span);
            }
            (_, Type::Bool) if self.is_complex(source) => {}
            (_, Type::Int(_) | Type::Enum(_) | Type::Float(_) | Type::Real) if self.is_complex(source) => {
                let part = self.complex_part(source);
                let real = self.b().expr(ExprKind::RealPart(value), part, span);
                return self.convert(real, target, span);
            }
            _ => {}
        }
        self.b().expr(ExprKind::Convert(value), target, span)
    }

    /// The type of the real and imaginary part.
    pub(crate) fn complex_part(&mut self, ty: TypeId) -> TypeId {
        match *self.ty(ty) {
            Type::Complex(kind) => self.types().intern(Type::Float(kind)),
            Type::ComplexInt(kind) => self.types().intern(Type::Int(kind)),
            _ => ty,
        }
    }

    /// Integer promotion; the width is that of a bit-field.
    pub(crate) fn promote(&mut self, value: ExprId, bits: Option<u32>) -> ExprId {
        let ty = self.type_of(value);
        let target = self.promoted_type(ty, bits);
        let span = self.span_of(value);
        self.convert(value, target, span)
    }

    pub(crate) fn promoted_type(&mut self, ty: TypeId, bits: Option<u32>) -> TypeId {
        let Some(format) = self.format_of(ty).filter(|_| self.is_integer(ty)) else { return ty };
        let width = bits.unwrap_or(format.bits);
        if width < 32 || (width == 32 && format.is_signed && format.bits <= 32) {
            return self.known.int;
        }
        if width == 32 && format.bits <= 32 {
            return self.known.unsigned;
        }
        match *self.ty(ty) {
            Type::Enum(id) => {
                let kind = self.program.types.enums[id].underlying;
                self.types().intern(Type::Int(kind))
            }
            _ => ty,
        }
    }

    /// The common type of the usual arithmetic conversions, of promoted operands.
    pub(crate) fn common_type(&mut self, a: TypeId, b: TypeId) -> TypeId {
        if a == b {
            return a;
        }
        if self.is_complex(a) || self.is_complex(b) {
            let (x, y) = (self.complex_part(a), self.complex_part(b));
            let part = self.common_type(x, y);
            return match *self.ty(part) {
                Type::Float(kind) => self.types().intern(Type::Complex(kind)),
                Type::Int(kind) => self.types().intern(Type::ComplexInt(kind)),
                _ => part,
            };
        }
        let rank = |lowerer: &Self, ty: TypeId| match *lowerer.ty(ty) {
            Type::Float(kind) => Some((kind as u8, ty)),
            Type::Real => Some((u8::MAX, ty)),
            _ => None,
        };
        match (rank(self, a), rank(self, b)) {
            (Some(x), Some(y)) => return if x.0 >= y.0 { a } else { b },
            (Some(_), None) => return a,
            (None, Some(_)) => return b,
            (None, None) => {}
        }
        let (a, b) = (self.promoted_type(a, None), self.promoted_type(b, None));
        let (Some(x), Some(y)) = (self.int_kind(a), self.int_kind(b)) else { return a };
        if x == y {
            return a;
        }
        let (high, low) = if int_rank(x) >= int_rank(y) { (x, y) } else { (y, x) };
        let kind = if high.is_signed() == low.is_signed() || !high.is_signed() {
            // The higher one, or the unsigned one of equal rank.
            if int_rank(x) == int_rank(y) && x.is_signed() != y.is_signed() { high.to_unsigned() } else { high }
        } else if int_rank(high) == int_rank(low) || self.int_format(high).bits <= self.int_format(low).bits {
            high.to_unsigned()
        } else {
            high
        };
        self.types().intern(Type::Int(kind))
    }

    /// Both operands in their common type.
    pub(crate) fn balance(&mut self, left: ExprId, right: ExprId) -> (ExprId, ExprId, TypeId) {
        let common = self.common_type(self.type_of(left), self.type_of(right));
        let (left_span, right_span) = (self.span_of(left), self.span_of(right));
        (self.convert(left, common, left_span), self.convert(right, common, right_span), common)
    }

    /// Default argument promotions: `float` becomes `double`, small integers `int`.
    pub(crate) fn promote_argument(&mut self, value: ExprId, bits: Option<u32>) -> ExprId {
        let ty = self.type_of(value);
        match *self.ty(ty) {
            Type::Float(FloatKind::Float) => {
                let (target, span) = (self.known.double, self.span_of(value));
                self.convert(value, target, span)
            }
            _ => self.promote(value, bits),
        }
    }

    pub(crate) fn is_null_constant(&self, value: ExprId) -> bool {
        let expr = &self.builders[self.active].body.exprs[value];
        expr.kind == ExprKind::Int(0)
            && match *self.ty(expr.ty) {
                Type::Pointer(target) => target.ty == self.known.void,
                _ => self.is_integer(expr.ty),
            }
    }

    /// Converts as assignment does, with a message if the types do not fit.
    pub(crate) fn convert_for(&mut self, value: ExprId, target: TypeId, purpose: Purpose, span: Span) -> ExprId {
        let source = self.type_of(value);
        if source == target {
            return value;
        }
        if self.is_error(source) || self.is_error(target) {
            return self.error_value(span);
        }
        match self.assignability(value, source, target) {
            Fit::Yes => {}
            Fit::Doubtful(what) => {
                let diagnostic = self.mismatch(source, target, purpose, span, Some(what));
                self.report(diagnostic);
            }
            Fit::No => {
                let diagnostic = self.mismatch(source, target, purpose, span, None);
                self.report(diagnostic);
                return self.error_value(span);
            }
        }
        match (self.ty(source).clone(), self.ty(target).clone()) {
            (Type::Array { .. }, Type::Pointer(_)) => {
                let place = self.temporary(value, span);
                self.mark_address_taken(place);
                return self.b().expr(ExprKind::AddressOf(place), target, span);
            }
            (Type::Pointer(_), Type::VaList) => {
                let pointer = self.pointer_to(target);
                let pointer = self.convert(value, pointer, span);
                let place = self.b().place(PlaceKind::Deref(pointer), target, span);
                return self.b().load(place, span);
            }
            (Type::VaList, Type::Pointer(_)) => {
                let place = self.temporary(value, span);
                self.mark_address_taken(place);
                let pointer = self.pointer_to(source);
                let address = self.b().expr(ExprKind::AddressOf(place), pointer, span);
                return self.convert(address, target, span);
            }
            _ => {}
        }
        if let Type::Record(id) = *self.ty(target)
            && self.program.types.records[id].is_transparent_union
        {
            return self.to_transparent_union(value, id, target, span);
        }
        self.convert(value, target, span)
    }

    fn assignability(&self, value: ExprId, source: TypeId, target: TypeId) -> Fit {
        let (from, to) = (self.ty(source), self.ty(target));
        match (from, to) {
            (_, Type::Bool) if self.is_scalar(source) => Fit::Yes,
            _ if self.is_arithmetic(source) && self.is_arithmetic(target) => Fit::Yes,
            (Type::Pointer(a), Type::Pointer(b)) => {
                if self.is_null_constant(value) || a.ty == self.known.void || b.ty == self.known.void {
                    return Fit::Yes;
                }
                let signless = |ty: TypeId| self.int_kind(ty).map(IntKind::to_unsigned);
                let same_but_sign = signless(a.ty).is_some() && signless(a.ty) == signless(b.ty);
                if self.compatible(a.ty, b.ty) || same_but_sign {
                    Fit::Yes
                } else {
                    Fit::Doubtful("incompatible pointer types")
                }
            }
            (_, Type::Pointer(_)) if self.is_integer(source) => {
                if self.is_null_constant(value) {
                    Fit::Yes
                } else {
                    Fit::Doubtful("an integer becomes a pointer without a cast")
                }
            }
            (Type::Pointer(_), _) if self.is_integer(target) => {
                Fit::Doubtful("a pointer becomes an integer without a cast")
            }
            (_, Type::Record(id)) if self.program.types.records[*id].is_transparent_union => Fit::Yes,
            (Type::Vector { .. }, Type::Vector { .. }) => {
                if self.program.types.size_of(source) == self.program.types.size_of(target) {
                    Fit::Yes
                } else {
                    Fit::No
                }
            }
            (Type::Process, Type::Process) | (Type::Scope, Type::Scope) => Fit::Yes,
            (Type::Range | Type::Domain(_), Type::Domain(_)) => Fit::Yes,
            (Type::Pointer(_), Type::Memory) => Fit::Yes,
            // An array without a place, passed where a pointer is wanted.
            (Type::Array { element, .. }, Type::Pointer(target)) if self.compatible(element.ty, target.ty) => Fit::Yes,
            // Programs that were generated from others look into `va_list`.
            (Type::Pointer(_), Type::VaList) | (Type::VaList, Type::Pointer(_)) => Fit::Yes,
            // CIVL-C arrays are values; their lengths are compared when the program runs.
            (Type::Array { element: a, .. }, Type::Array { element: b, .. }) if self.compatible(a.ty, b.ty) => Fit::Yes,
            (Type::Opaque(_), _) | (_, Type::Opaque(_)) => {
                if from == to || self.is_civl() {
                    Fit::Yes
                } else {
                    Fit::No
                }
            }
            _ if self.compatible(source, target) => Fit::Yes,
            _ => Fit::No,
        }
    }

    fn mismatch(
        &self,
        source: TypeId,
        target: TypeId,
        purpose: Purpose,
        span: Span,
        doubt: Option<&str>,
    ) -> Diagnostic {
        let (source, target) = (self.type_name(source), self.type_name(target));
        let place = match purpose {
            Purpose::Assignment => "in this assignment".to_owned(),
            Purpose::Initialisation => "in this initialiser".to_owned(),
            Purpose::Return => "in this `return`".to_owned(),
            Purpose::Argument(number, _) => format!("in argument {number}"),
        };
        let mut diagnostic = match doubt {
            Some(what) => Diagnostic::warning(codes::INCOMPATIBLE_TYPES, format!("{what} {place}")),
            None => Diagnostic::error(codes::INCOMPATIBLE_TYPES, format!("incompatible types {place}")),
        };
        diagnostic = diagnostic.label(span, format!("expected `{target}`, found `{source}`"));
        if let Purpose::Argument(_, declared) = purpose
            && !declared.is_none()
        {
            diagnostic = diagnostic.label(declared, "the function is declared here");
        }
        diagnostic
    }

    /// A parameter of a transparent union takes the value of any member.
    fn to_transparent_union(&mut self, value: ExprId, record: RecordId, target: TypeId, span: Span) -> ExprId {
        let source = self.type_of(value);
        let fields = self.program.types.records[record].fields.clone().unwrap_or_default();
        let fits = |field: &Field| {
            self.compatible(field.ty.ty, source)
                || (self.is_pointer(field.ty.ty) && (self.is_null_constant(value) || self.is_pointer(source)))
        };
        let exact = fields.iter().position(|field| self.compatible(field.ty.ty, source));
        let Some(index) = exact.or_else(|| fields.iter().position(fits)) else { return self.error_value(span) };
        let value = self.convert(value, fields[index].ty.ty, span);
        let local = self.b().local(None, target, span);
        let whole = self.b().local_place(local, span);
        let part = self.b().place(PlaceKind::Field(whole, index as u32), fields[index].ty.ty, span);
        self.b().emit(Step::Zero(whole), span);
        self.b().emit(Step::Assign { place: part, value }, span);
        self.b().load(whole, span)
    }
}

enum Fit {
    Yes,
    Doubtful(&'static str),
    No,
}

pub(crate) fn int_rank(kind: IntKind) -> u8 {
    match kind {
        IntKind::Char | IntKind::SChar | IntKind::UChar => 0,
        IntKind::Short | IntKind::UShort => 1,
        IntKind::Int | IntKind::UInt => 2,
        IntKind::Long | IntKind::ULong => 3,
        IntKind::LongLong | IntKind::ULongLong => 4,
        IntKind::Int128 | IntKind::UInt128 => 5,
    }
}
