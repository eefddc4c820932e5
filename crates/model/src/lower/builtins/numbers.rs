//! Built-ins that compute numbers: bits, floating-point classes and constants, arithmetic with overflow.

use super::Lowerer;
use crate::ir::*;
use crate::lower::constant::Constant;
use crate::lower::expressions::{Operand, float_format};
use quod_base::{FloatClass, Span, Symbol};
use quod_syntax::ast;

const CLASSIFY: &[&str] = &[
    "isnan",
    "isinf",
    "isinf_sign",
    "isfinite",
    "finite",
    "isnormal",
    "signbit",
    "issignaling",
    "issubnormal",
    "iszero",
];
const COMPARE: &[&str] =
    &["isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "isunordered", "iseqsig"];
const BITS: &[&str] = &["popcount", "parity", "clz", "ctz", "ffs", "clrsb"];

/// The base name without the suffix for `float`, `long` and so on.
fn without_suffix<'t>(rest: &'t str, bases: &[&str], suffixes: &[&'static str]) -> Option<(&'t str, &'static str)> {
    for &suffix in suffixes {
        if let Some(base) = rest.strip_suffix(suffix)
            && bases.contains(&base)
        {
            return Some((base, suffix));
        }
    }
    None
}

pub(super) fn is_number_builtin(rest: &str) -> bool {
    without_suffix(rest, BITS, &["ll", "l", "imax", "g", ""]).is_some()
        || matches!(rest, "bswap16" | "bswap32" | "bswap64" | "bswap128" | "fpclassify")
        || without_suffix(rest, CLASSIFY, &["", "f", "l", "d32", "f128"]).is_some()
        || COMPARE.contains(&rest)
        || constant_kind(rest).is_some()
        || matches!(rest, "nan" | "nanf" | "nanl" | "nans" | "nansf" | "nansl" | "nanf128" | "nanf16")
        || rest.ends_with("_overflow_p")
        || without_suffix(rest, &["copysign", "fabs"], &["", "f", "l", "f128"]).is_some()
        || matches!(rest, "stdc_popcount" | "rotateleft" | "bitreverse32")
}

/// `__builtin_inff` and its like
fn constant_kind(rest: &str) -> Option<FloatKind> {
    let suffix = ["huge_val", "inf"].iter().find_map(|base| rest.strip_prefix(base))?;
    Some(match suffix {
        "" | "f64" | "f32x" => FloatKind::Double,
        "f" | "f32" => FloatKind::Float,
        "l" | "f64x" => FloatKind::LongDouble,
        "f16" => FloatKind::Half,
        "f128" | "q" => FloatKind::Quad,
        _ => return None,
    })
}

fn nan_kind(rest: &str) -> FloatKind {
    match rest.trim_start_matches("nans").trim_start_matches("nan") {
        "f" => FloatKind::Float,
        "l" => FloatKind::LongDouble,
        "f128" => FloatKind::Quad,
        "f16" => FloatKind::Half,
        _ => FloatKind::Double,
    }
}

impl Lowerer<'_> {
    pub(super) fn number_builtin(
        &mut self,
        name: Symbol,
        rest: &str,
        arguments: ast::List<ast::ExprId>,
        span: Span,
    ) -> Operand {
        if let Some(kind) = constant_kind(rest) {
            return self.float_operand(float_format(kind).infinity(), kind, "inf", span);
        }
        if rest.starts_with("nan") {
            let kind = nan_kind(rest);
            let format = float_format(kind);
            let is_signalling = rest.starts_with("nans");
            let bits = if is_signalling { format.signalling_nan() } else { format.nan() };
            return self.float_operand(bits, kind, "nan", span);
        }
        let Some(values) = self.builtin_arguments(arguments) else { return self.error_operand(span) };
        let Some(&first) = values.first() else { return self.wrong_builtin(name, span) };
        let int = self.known.int;
        if let Some((_, suffix)) = without_suffix(rest, BITS, &["ll", "l", "imax", "g", ""]) {
            let is_signed = rest.starts_with("ffs") || rest.starts_with("clrsb");
            let kind = match suffix {
                "ll" | "imax" => IntKind::LongLong,
                "l" => IntKind::Long,
                "g" => self.int_kind(self.type_of(first)).unwrap_or(IntKind::Int),
                _ => IntKind::Int,
            };
            let kind = if is_signed || suffix == "g" { kind } else { kind.to_unsigned() };
            let ty = self.types().intern(Type::Int(kind));
            let value = self.convert(first, ty, span);
            return self.pure_builtin(name, vec![value], int, span);
        }
        if let Some(bits) = rest.strip_prefix("bswap") {
            let kind = match bits {
                "16" => IntKind::UShort,
                "32" => IntKind::UInt,
                "64" if self.options.data_model == DataModel::Lp64 => IntKind::ULong,
                "64" => IntKind::ULongLong,
                _ => IntKind::UInt128,
            };
            let ty = self.types().intern(Type::Int(kind));
            let value = self.convert(first, ty, span);
            return self.pure_builtin(name, vec![value], ty, span);
        }
        if COMPARE.contains(&rest) {
            let [a, b] = values[..] else { return self.wrong_builtin(name, span) };
            let (a, b, _) = self.balance(a, b);
            return self.pure_builtin(name, vec![a, b], int, span);
        }
        if rest == "fpclassify" {
            let Some(&last) = values.last() else { return self.wrong_builtin(name, span) };
            let mut arguments = Vec::with_capacity(values.len());
            for &value in &values[..values.len() - 1] {
                arguments.push(self.convert(value, int, span));
            }
            arguments.push(last);
            return self.pure_builtin(name, arguments, int, span);
        }
        if rest.ends_with("_overflow_p") {
            let [a, b, c] = values[..] else { return self.wrong_builtin(name, span) };
            let boolean = self.known.boolean;
            return self.pure_builtin(name, vec![a, b, c], boolean, span);
        }
        if let Some((_, suffix)) = without_suffix(rest, &["copysign", "fabs"], &["", "f", "l", "f128"]) {
            let kind = match suffix {
                "f" => FloatKind::Float,
                "l" => FloatKind::LongDouble,
                "f128" => FloatKind::Quad,
                _ => FloatKind::Double,
            };
            let ty = self.types().intern(Type::Float(kind));
            let values = values.into_iter().map(|value| self.convert(value, ty, span)).collect();
            return self.pure_builtin(name, values, ty, span);
        }
        // Classification of a float: typed ones convert, generic ones take what comes.
        let value = match without_suffix(rest, CLASSIFY, &["", "f", "l", "d32", "f128"]) {
            Some((_, "f")) => self.convert_to_float(first, FloatKind::Float, span),
            Some((_, "l")) => self.convert_to_float(first, FloatKind::LongDouble, span),
            _ if self.is_integer(self.type_of(first)) => self.convert_to_float(first, FloatKind::Double, span),
            _ => first,
        };
        self.pure_builtin(name, vec![value], int, span)
    }

    fn convert_to_float(&mut self, value: ExprId, kind: FloatKind, span: Span) -> ExprId {
        let ty = self.types().intern(Type::Float(kind));
        self.convert(value, ty, span)
    }

    fn float_operand(&mut self, bits: u128, kind: FloatKind, text: &str, span: Span) -> Operand {
        let ty = self.types().intern(Type::Float(kind));
        let value = self.b().expr(ExprKind::Float { bits, text: Symbol::intern(text) }, ty, span);
        self.value_operand(value, span)
    }

    pub(super) fn complex_builtin(&mut self, arguments: ast::List<ast::ExprId>, span: Span) -> Operand {
        let Some(values) = self.builtin_arguments(arguments) else { return self.error_operand(span) };
        let [real, imaginary] = values[..] else { return self.error_operand(span) };
        let (real, imaginary, part) = self.balance(real, imaginary);
        let Type::Float(kind) = *self.ty(part) else { return self.error_operand(span) };
        let ty = self.types().intern(Type::Complex(kind));
        let value = self.b().expr(ExprKind::MakeComplex { real, imaginary }, ty, span);
        self.value_operand(value, span)
    }

    /// `conj`, `creal`, `cimag`
    pub(super) fn complex_function(
        &mut self,
        name: Symbol,
        rest: &str,
        arguments: ast::List<ast::ExprId>,
        span: Span,
    ) -> Operand {
        let Some(values) = self.builtin_arguments(arguments) else { return self.error_operand(span) };
        let [value] = values[..] else { return self.wrong_builtin(name, span) };
        let kind = match rest.chars().last() {
            Some('f') => FloatKind::Float,
            Some('l') if rest != "creal" => FloatKind::LongDouble,
            _ => FloatKind::Double,
        };
        let complex = self.types().intern(Type::Complex(kind));
        let part = self.types().intern(Type::Float(kind));
        let value = self.convert(value, complex, span);
        let real = self.b().expr(ExprKind::RealPart(value), part, span);
        let imaginary = self.b().expr(ExprKind::ImaginaryPart(value), part, span);
        let result = if rest.starts_with("creal") {
            real
        } else if rest.starts_with("cimag") {
            imaginary
        } else {
            let imaginary = self.b().expr(ExprKind::Unary(UnaryOp::Negate, imaginary), part, span);
            self.b().expr(ExprKind::MakeComplex { real, imaginary }, complex, span)
        };
        self.value_operand(result, span)
    }

    /// `__builtin_shuffle(v, mask)`, `__builtin_shuffle(v, w, mask)`, `__builtin_shufflevector(v, w, i, j, …)`
    pub(super) fn shuffle(
        &mut self,
        name: Symbol,
        rest: &str,
        arguments: ast::List<ast::ExprId>,
        span: Span,
    ) -> Operand {
        let Some(values) = self.builtin_arguments(arguments) else { return self.error_operand(span) };
        let is_indexed = rest == "shufflevector";
        if values.len() < 2 {
            return self.wrong_builtin(name, span);
        }
        let Type::Vector { element, lanes } = *self.ty(self.type_of(values[0])) else {
            return self.wrong_builtin(name, span);
        };
        let sources = if is_indexed { 2 } else { values.len() - 1 };
        let places: Vec<PlaceId> = values[..sources].iter().map(|&value| self.temporary(value, span)).collect();
        let count = if is_indexed { (values.len() - 2) as u64 } else { lanes };
        let mask = (!is_indexed).then(|| self.temporary(values[values.len() - 1], span));
        let mut parts = Vec::with_capacity(count as usize);
        for lane in 0..count {
            let index = match mask {
                None => match self.evaluate_integer(values[2 + lane as usize]) {
                    Some(index) => index.max(0) as u64,
                    None => return self.wrong_builtin(name, span),
                },
                Some(mask) => {
                    let part = self.lane(mask, lane, span);
                    let total = lanes * sources as u64;
                    let selected = self.select_lane(&places, part, element, lanes, total, span);
                    parts.push(selected);
                    continue;
                }
            };
            let place = places[usize::from(index >= lanes).min(places.len() - 1)];
            parts.push(self.lane(place, index % lanes, span));
        }
        let ty = self.types().intern(Type::Vector { element, lanes: count });
        let value = self.b().expr(ExprKind::Aggregate(parts), ty, span);
        self.value_operand(value, span)
    }

    fn lane(&mut self, vector: PlaceId, lane: u64, span: Span) -> ExprId {
        let Type::Vector { element, .. } = *self.ty(self.b_ref().body.places[vector].ty) else {
            return self.error_value(span);
        };
        let difference = self.known.difference;
        let index = self.int_value(i128::from(lane), difference, span);
        let place = self.b().place(PlaceKind::Index(vector, index), element, span);
        self.b().load(place, span)
    }

    /// The lane that an index selects, modulo the number of lanes of all sources.
    fn select_lane(
        &mut self,
        places: &[PlaceId],
        index: ExprId,
        element: TypeId,
        lanes: u64,
        total: u64,
        span: Span,
    ) -> ExprId {
        let difference = self.known.difference;
        let int = self.known.int;
        let index = self.convert(index, difference, span);
        let last = self.int_value(i128::from(total - 1), difference, span);
        let index = self.b().expr(ExprKind::Binary(BinaryOp::BitAnd, index, last), difference, span);
        let inner = self.int_value(i128::from(lanes - 1), difference, span);
        let inner = self.b().expr(ExprKind::Binary(BinaryOp::BitAnd, index, inner), difference, span);
        let mut loads = Vec::with_capacity(places.len());
        for &place in places {
            let place = self.b().place(PlaceKind::Index(place, inner), element, span);
            loads.push(self.b().load(place, span));
        }
        let [first, second] = loads[..] else { return loads[0] };
        let limit = self.int_value(i128::from(lanes), difference, span);
        let condition = self.b().expr(ExprKind::Binary(BinaryOp::Less, index, limit), int, span);
        let kind = ExprKind::Conditional { condition, then: first, otherwise: second };
        self.b().expr(kind, element, span)
    }

    /// `__builtin_add_overflow(a, b, &result)`: any integer types.
    pub(super) fn overflow_builtin(&mut self, name: Symbol, arguments: ast::List<ast::ExprId>, span: Span) -> Operand {
        let Some(values) = self.builtin_arguments(arguments) else { return self.error_operand(span) };
        if values.len() != 3 || self.pointee(self.type_of(values[2])).is_none() {
            return self.wrong_builtin(name, span);
        }
        let boolean = self.known.boolean;
        self.step_builtin(name, values, Vec::new(), boolean, span)
    }

    /// `__builtin_saddl_overflow` and its like: the generic one on converted operands.
    pub(super) fn typed_overflow_builtin(
        &mut self,
        name: Symbol,
        rest: &str,
        arguments: ast::List<ast::ExprId>,
        span: Span,
    ) -> Operand {
        let stem = rest.trim_end_matches("_overflow");
        let (is_signed, stem) = match stem.strip_prefix('s') {
            Some(rest) if !stem.starts_with("sub") => (true, rest),
            _ => (false, stem.strip_prefix('u').unwrap_or(stem)),
        };
        let (operation, size) = if stem.len() >= 3 { stem.split_at(3) } else { (stem, "") };
        let kind = match size {
            "" => IntKind::Int,
            "l" => IntKind::Long,
            "ll" => IntKind::LongLong,
            _ => return self.wrong_builtin(name, span),
        };
        if !matches!(operation, "add" | "sub" | "mul") {
            return self.wrong_builtin(name, span);
        }
        let kind = if is_signed { kind } else { kind.to_unsigned() };
        let ty = self.types().intern(Type::Int(kind));
        let Some(values) = self.builtin_arguments(arguments) else { return self.error_operand(span) };
        let [a, b, pointer] = values[..] else { return self.wrong_builtin(name, span) };
        if self.pointee(self.type_of(pointer)).is_none() {
            return self.wrong_builtin(name, span);
        }
        let (a, b) = (self.convert(a, ty, span), self.convert(b, ty, span));
        // The result has this type, whatever the pointer's.
        let place = self.pointer_to(ty);
        let pointer = self.convert(pointer, place, span);
        let boolean = self.known.boolean;
        let generic = Symbol::intern(&format!("__builtin_{operation}_overflow"));
        self.step_builtin(generic, vec![a, b, pointer], Vec::new(), boolean, span)
    }

    /// Constant folding of pure built-ins, for constant expressions.
    pub(crate) fn builtin_constant(&self, name: Symbol, arguments: &[ExprId]) -> Option<Constant> {
        let rest = name.as_str().strip_prefix("__builtin_")?;
        let value = self.evaluate(*arguments.first()?)?;
        if let Constant::Float(bits, kind) = value {
            let format = float_format(kind);
            let class = format.classify(bits);
            let base = without_suffix(rest, CLASSIFY, &["", "f", "l", "d32", "f128"]).map(|found| found.0);
            let holds = match base {
                Some("isnan") => class == FloatClass::Nan,
                Some("isinf") => class == FloatClass::Infinite,
                Some("isfinite" | "finite") => !matches!(class, FloatClass::Nan | FloatClass::Infinite),
                Some("isnormal") => class == FloatClass::Normal,
                Some("signbit") => format.is_negative(bits),
                _ if rest.starts_with("fabs") => return Some(Constant::Float(format.absolute(bits), kind)),
                _ if rest.starts_with("copysign") => {
                    let Constant::Float(sign, _) = self.evaluate(*arguments.get(1)?)? else { return None };
                    return Some(Constant::Float(format.copy_sign(bits, sign), kind));
                }
                _ => return None,
            };
            return Some(Constant::Int(i128::from(holds)));
        }
        let Constant::Int(value) = value else { return None };
        let format = self.format_of(self.type_of(arguments[0]))?;
        let pattern = format.pattern(value);
        let base = without_suffix(rest, BITS, &["ll", "l", "imax", "g", ""]).map(|found| found.0);
        let result = match base {
            Some("popcount") => pattern.count_ones(),
            Some("parity") => pattern.count_ones() & 1,
            Some("clz") if pattern != 0 => pattern.leading_zeros() - (128 - format.bits),
            Some("ctz") if pattern != 0 => pattern.trailing_zeros(),
            Some("ffs") => {
                if pattern == 0 {
                    0
                } else {
                    pattern.trailing_zeros() + 1
                }
            }
            Some("clrsb") => {
                let folded = format.pattern(if value < 0 { !value } else { value });
                folded.leading_zeros() - (128 - format.bits) - 1
            }
            _ => {
                let bits: u32 = rest.strip_prefix("bswap")?.parse().ok()?;
                return Some(Constant::Int((pattern.swap_bytes() >> (128 - bits)) as i128));
            }
        };
        Some(Constant::Int(i128::from(result)))
    }
}
