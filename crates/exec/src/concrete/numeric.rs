//! Functions of numbers: the compiler's built-ins and `<math.h>`.
//!
//! `float` and `long double` versions of the transcendental functions are computed in `double`; the rest (`sqrt`, `fma`,
//! rounding, `fmod`, comparisons) in their own format.

use super::value::Value;
use super::{Concrete, access::canonical};
use crate::domain::{Domain, Outcome};
use crate::fault::Fault;
use crate::scalar::Scalar;
use quod_base::float::{FloatClass, FloatFormat, FloatOp, Rounding};
use quod_model::ir::BinaryOp;
use std::cmp::Ordering;

const INTEGERS: &[&str] = &[
    "clz",
    "clzl",
    "clzll",
    "ctz",
    "ctzl",
    "ctzll",
    "ffs",
    "ffsl",
    "ffsll",
    "popcount",
    "popcountl",
    "popcountll",
    "parity",
    "parityl",
    "parityll",
    "clrsb",
    "clrsbl",
    "clrsbll",
    "bswap16",
    "bswap32",
    "bswap64",
    "bswap128",
    "abs",
    "labs",
    "llabs",
    "imaxabs",
    "object_size",
    "dynamic_object_size",
    "constant_p",
    "rotateleft32",
];
const COMPLEX: &[&str] =
    &["complex_multiply_real", "complex_multiply_imaginary", "complex_divide_real", "complex_divide_imaginary"];
const PREDICATES: &[&str] = &[
    "isnan",
    "isinf",
    "isinf_sign",
    "isfinite",
    "finite",
    "isnormal",
    "signbit",
    "fpclassify",
    "isgreater",
    "isgreaterequal",
    "isless",
    "islessequal",
    "islessgreater",
    "isunordered",
    "iseqsig",
    "issignaling",
];
const UNARY: &[&str] = &[
    "sqrt",
    "fabs",
    "floor",
    "ceil",
    "trunc",
    "round",
    "rint",
    "nearbyint",
    "roundeven",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "cbrt",
    "erf",
    "erfc",
    "tgamma",
    "lgamma",
    "gamma",
    "logb",
    "j0",
    "j1",
    "y0",
    "y1",
    "significand",
];
const BINARY: &[&str] = &[
    "pow",
    "fmod",
    "remainder",
    "drem",
    "atan2",
    "hypot",
    "fmin",
    "fmax",
    "fdim",
    "copysign",
    "nextafter",
    "nexttoward",
];
const OTHERS: &[&str] = &[
    "fma", "ldexp", "scalbn", "scalbln", "scalb", "lround", "llround", "lrint", "llrint", "ilogb", "inf", "huge_val",
    "nan", "nans",
];

/// `sinf`, `sinl`, `sinf128` as `sin`.
fn base_name(name: &str) -> Option<&'static str> {
    let all = || [INTEGERS, COMPLEX, PREDICATES, UNARY, BINARY, OTHERS].into_iter().flatten().copied();
    if let Some(found) = all().find(|&known| known == name) {
        return Some(found);
    }
    let short = ["f128", "f16", "f32x", "f32", "f64x", "f64", "d32", "d64", "d128", "f", "l"]
        .into_iter()
        .find_map(|suffix| name.strip_suffix(suffix).and_then(|short| all().find(|&known| known == short)))?;
    (!INTEGERS.contains(&short)).then_some(short)
}

pub fn is_numeric(name: &str) -> bool {
    base_name(name).is_some()
}

pub(super) fn evaluate(
    domain: &mut Concrete,
    name: &str,
    scalars: &[Scalar],
    operands: &[Value],
    result: Scalar,
) -> Option<Outcome<Concrete>> {
    let name = base_name(name)?;
    if INTEGERS.contains(&name) {
        return Some(integers(name, scalars, operands, result));
    }
    if matches!(name, "inf" | "huge_val" | "nan" | "nans") {
        let format = result.float_format()?;
        let bits = match name {
            "nan" => format.nan(),
            "nans" => format.signalling_nan(),
            _ => format.infinity(),
        };
        return Some(Ok(Value::wide(bits)));
    }
    if COMPLEX.contains(&name) {
        return complex(domain, name, operands, result);
    }
    Some(floats(domain, name, scalars, operands, result))
}

fn integers(name: &str, scalars: &[Scalar], operands: &[Value], result: Scalar) -> Outcome<Concrete> {
    let (Some(value), Some(&scalar)) = (operands.first(), scalars.first()) else {
        return Err(Fault::unsupported("a built-in without arguments").into());
    };
    let format = scalar.int_format().unwrap_or(quod_base::int::IntFormat::signed(64));
    let integer = value.int(scalar);
    let pattern = format.pattern(integer);
    let bits = format.bits;
    let number: i128 = match name.trim_end_matches('l') {
        "clz" if pattern == 0 => i128::from(bits),
        "clz" => i128::from(pattern.leading_zeros() - (128 - bits)),
        "ctz" if pattern == 0 => i128::from(bits),
        "ctz" => i128::from(pattern.trailing_zeros()),
        "ffs" if pattern == 0 => 0,
        "ffs" => i128::from(pattern.trailing_zeros() + 1),
        "popcount" => i128::from(pattern.count_ones()),
        "parity" => i128::from(pattern.count_ones() % 2),
        "clrsb" => {
            let folded = if integer < 0 { !integer } else { integer };
            i128::from((folded as u128).leading_zeros() - (128 - bits)) - 1
        }
        "bswap16" => i128::from((integer as u16).swap_bytes()),
        "bswap32" => i128::from((integer as u32).swap_bytes()),
        "bswap64" => i128::from((integer as u64).swap_bytes()),
        "bswap128" => (integer as u128).swap_bytes() as i128,
        "abs" | "labs" | "llabs" | "imaxabs" | "labs " | "imaxab" => integer.wrapping_abs(),
        "object_size" | "dynamic_object_size" => {
            let kind = operands.get(1).map_or(0, |value| value.low);
            if kind < 2 { -1 } else { 0 }
        }
        "constant_p" => 0,
        _ => return Err(Fault::unsupported(format_args!("the built-in `{name}`")).into()),
    };
    Ok(canonical(number, result))
}

/// As gcc's runtime: an infinite operand is not lost in a product of parts that are not numbers.
fn complex(domain: &mut Concrete, name: &str, operands: &[Value], result: Scalar) -> Option<Outcome<Concrete>> {
    let [a, b, c, d] = operands else { return None };
    let mut op = |op, x: &Value, y: &Value| domain.binary(op, result, x, y);
    let mut compute = || -> Outcome<Concrete> {
        match name {
            "complex_multiply_real" => {
                let (left, right) = (op(BinaryOp::Multiply, a, c)?, op(BinaryOp::Multiply, b, d)?);
                op(BinaryOp::Subtract, &left, &right)
            }
            "complex_multiply_imaginary" => {
                let (left, right) = (op(BinaryOp::Multiply, a, d)?, op(BinaryOp::Multiply, b, c)?);
                op(BinaryOp::Add, &left, &right)
            }
            _ => {
                let (cc, dd) = (op(BinaryOp::Multiply, c, c)?, op(BinaryOp::Multiply, d, d)?);
                let denominator = op(BinaryOp::Add, &cc, &dd)?;
                let numerator = if name == "complex_divide_real" {
                    let (left, right) = (op(BinaryOp::Multiply, a, c)?, op(BinaryOp::Multiply, b, d)?);
                    op(BinaryOp::Add, &left, &right)?
                } else {
                    let (left, right) = (op(BinaryOp::Multiply, b, c)?, op(BinaryOp::Multiply, a, d)?);
                    op(BinaryOp::Subtract, &left, &right)?
                };
                op(BinaryOp::Divide, &numerator, &denominator)
            }
        }
    };
    if let Some(format) = result.float_format()
        && name.starts_with("complex_divide")
    {
        // Scaled, as Smith's method: the plain quotient overflows early.
        let [x, y, u, v] = [a, b, c, d].map(|value| format.to_f64(value.bits()));
        let (real, imaginary) = if u.abs() < v.abs() {
            let (ratio, denominator) = (u / v, u * (u / v) + v);
            ((x * ratio + y) / denominator, (y * ratio - x) / denominator)
        } else {
            let (ratio, denominator) = (v / u, v * (v / u) + u);
            ((y * ratio + x) / denominator, (y - x * ratio) / denominator)
        };
        let value = if name == "complex_divide_real" { real } else { imaginary };
        return Some(Ok(Value::wide(format.from_f64(value))));
    }
    Some(compute())
}

fn floats(
    domain: &mut Concrete,
    name: &str,
    scalars: &[Scalar],
    operands: &[Value],
    result: Scalar,
) -> Outcome<Concrete> {
    // Arguments that are no floats (macros of `<math.h>` take any number) and reals count as doubles.
    let format = scalars.iter().find_map(|scalar| scalar.float_format()).unwrap_or(FloatFormat::Double);
    let mut bits = Vec::new();
    for (value, &scalar) in operands.iter().zip(scalars) {
        bits.push(match scalar {
            Scalar::Real => domain.real_to_f64(value).to_bits().into(),
            _ => match scalar.float_format() {
                Some(source) => source.convert(value.bits(), format),
                None => value.int(scalar) as u128,
            },
        });
    }
    let missing = || -> crate::fault::Trouble<std::convert::Infallible> {
        Fault::unsupported(format_args!("`{name}` with these arguments")).into()
    };
    let first = *bits.last().filter(|_| name == "fpclassify").or(bits.first()).ok_or_else(missing)?;
    let second = bits.get(1).copied();
    if PREDICATES.contains(&name) {
        let answer = predicate(name, format, first, second.unwrap_or(0), operands, scalars);
        return Ok(canonical(answer, result));
    }
    let rounding = match name {
        "floor" => Some(Rounding::Down),
        "ceil" => Some(Rounding::Up),
        "trunc" => Some(Rounding::TowardZero),
        "round" | "lround" | "llround" => Some(Rounding::NearestAway),
        "rint" | "nearbyint" | "roundeven" | "lrint" | "llrint" => Some(Rounding::NearestEven),
        _ => None,
    };
    let value: u128 = match (name, rounding) {
        (_, Some(rounding)) => format.round_to_integral(first, rounding),
        ("fabs", _) => format.absolute(first),
        ("copysign", _) => format.copy_sign(first, second.ok_or_else(missing)?),
        ("fmod", _) => format.binary(FloatOp::Remainder, first, second.ok_or_else(missing)?),
        ("fma", _) => {
            format.multiply_add(first, second.ok_or_else(missing)?, bits.get(2).copied().ok_or_else(missing)?)
        }
        ("fmin" | "fmax" | "fdim", _) => {
            let second = second.ok_or_else(missing)?;
            let is_nan = |bits| format.classify(bits) == FloatClass::Nan;
            match (name, format.compare(first, second)) {
                ("fdim", Some(Ordering::Greater)) => format.binary(FloatOp::Subtract, first, second),
                ("fdim", Some(_)) => 0,
                ("fdim", None) => format.nan(),
                (_, None) => {
                    if is_nan(first) {
                        second
                    } else {
                        first
                    }
                }
                ("fmin", Some(Ordering::Greater)) | ("fmax", Some(Ordering::Less)) => second,
                _ => first,
            }
        }
        // Of ideal numbers only some have a root.
        ("sqrt", _) if scalars.first() == Some(&Scalar::Real) && f64::from_bits(first as u64) < 0.0 => {
            return Err(Fault::new(quod_verdict::CheckKind::Library, "a root of a negative number").into());
        }
        ("sqrt", _) if matches!(format, FloatFormat::X87 | FloatFormat::Quad) => square_root(format, first),
        ("ldexp" | "scalbn" | "scalbln", _) => {
            let exponent = operands.get(1).map_or(0, |value| value.int(scalars[1]));
            scale(format, first, exponent.clamp(-100_000, 100_000) as i32)
        }
        ("ilogb", _) => {
            let value = format.to_f64(first);
            let exponent = libm::ilogb(value);
            return Ok(canonical(i128::from(exponent), result));
        }
        ("nextafter", _) if format == FloatFormat::Single => {
            let (x, y) = (f32::from_bits(first as u32), f32::from_bits(second.ok_or_else(missing)? as u32));
            libm::nextafterf(x, y).to_bits().into()
        }
        _ => {
            let x = format.to_f64(first);
            let y = second.map(|bits| format.to_f64(bits));
            format.from_f64(double(name, x, y).ok_or_else(missing)?)
        }
    };
    finish(domain, format, value, result)
}

/// The result in its own kind: some functions give integers.
fn finish(domain: &mut Concrete, format: FloatFormat, bits: u128, result: Scalar) -> Outcome<Concrete> {
    if let Some(target) = result.float_format() {
        return Ok(Value::wide(format.convert(bits, target)));
    }
    if result == Scalar::Real {
        let real = Concrete::real_of_f64(format.to_f64(bits));
        return Ok(domain.real_value(real));
    }
    match result.int_format() {
        Some(target) => Ok(Value::of_int(format.to_int_as_x86(bits, target), result)),
        None => Ok(canonical(format.to_f64(bits) as i128, result)),
    }
}

fn predicate(
    name: &str,
    format: FloatFormat,
    first: u128,
    second: u128,
    operands: &[Value],
    scalars: &[Scalar],
) -> i128 {
    let class = format.classify(first);
    let order = || format.compare(first, second);
    i128::from(match name {
        "isnan" => class == FloatClass::Nan,
        "isinf" => class == FloatClass::Infinite,
        "isinf_sign" => {
            let sign = if format.is_negative(first) { -1 } else { 1 };
            return if class == FloatClass::Infinite { sign } else { 0 };
        }
        "isfinite" | "finite" => !matches!(class, FloatClass::Nan | FloatClass::Infinite),
        "isnormal" => class == FloatClass::Normal,
        "signbit" => format.is_negative(first),
        "isgreater" => order() == Some(Ordering::Greater),
        "isgreaterequal" => matches!(order(), Some(Ordering::Greater | Ordering::Equal)),
        "isless" => order() == Some(Ordering::Less),
        "islessequal" => matches!(order(), Some(Ordering::Less | Ordering::Equal)),
        "islessgreater" => matches!(order(), Some(Ordering::Less | Ordering::Greater)),
        "isunordered" => order().is_none(),
        "iseqsig" => order() == Some(Ordering::Equal),
        "fpclassify" => {
            // FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, value
            let index = match class {
                FloatClass::Nan => 0,
                FloatClass::Infinite => 1,
                FloatClass::Normal => 2,
                FloatClass::Subnormal => 3,
                FloatClass::Zero => 4,
            };
            return if operands.len() >= 6 { operands[index].int(scalars[index]) } else { [0, 1, 4, 3, 2][index] };
        }
        _ => false,
    })
}

fn scale(format: FloatFormat, bits: u128, exponent: i32) -> u128 {
    if format == FloatFormat::Double {
        return libm::scalbn(f64::from_bits(bits as u64), exponent).to_bits().into();
    }
    let mut value = bits;
    let mut rest = exponent;
    while rest != 0 {
        let step = rest.clamp(-60, 60);
        let factor = format.from_f64(2f64.powi(step));
        value = format.binary(FloatOp::Multiply, value, factor);
        rest -= step;
        if format.is_zero(value) || format.classify(value) == FloatClass::Infinite {
            break;
        }
    }
    value
}

/// Newton's iteration from the root in `double`.
fn square_root(format: FloatFormat, bits: u128) -> u128 {
    let class = format.classify(bits);
    if format.is_negative(bits) && class != FloatClass::Zero {
        return format.nan();
    }
    if !matches!(class, FloatClass::Normal | FloatClass::Subnormal) {
        return bits;
    }
    let approximate = format.to_f64(bits);
    if !approximate.is_normal() {
        return format.from_f64(approximate.sqrt());
    }
    let half = format.from_f64(0.5);
    let mut root = format.from_f64(approximate.sqrt());
    for _ in 0..4 {
        let quotient = format.binary(FloatOp::Divide, bits, root);
        let sum = format.binary(FloatOp::Add, root, quotient);
        root = format.binary(FloatOp::Multiply, sum, half);
    }
    root
}

fn double(name: &str, x: f64, y: Option<f64>) -> Option<f64> {
    Some(match (name, y) {
        ("sqrt", _) => x.sqrt(),
        ("sin", _) => x.sin(),
        ("cos", _) => x.cos(),
        ("tan", _) => x.tan(),
        ("asin", _) => x.asin(),
        ("acos", _) => x.acos(),
        ("atan", _) => x.atan(),
        ("sinh", _) => x.sinh(),
        ("cosh", _) => x.cosh(),
        ("tanh", _) => x.tanh(),
        ("asinh", _) => libm::asinh(x),
        ("acosh", _) => libm::acosh(x),
        ("atanh", _) => libm::atanh(x),
        ("exp", _) => x.exp(),
        ("exp2", _) => x.exp2(),
        ("exp10", _) => libm::exp10(x),
        ("expm1", _) => x.exp_m1(),
        ("log", _) => x.ln(),
        ("log2", _) => x.log2(),
        ("log10", _) => x.log10(),
        ("log1p", _) => x.ln_1p(),
        ("cbrt", _) => x.cbrt(),
        ("erf", _) => libm::erf(x),
        ("erfc", _) => libm::erfc(x),
        ("tgamma", _) => libm::tgamma(x),
        ("lgamma" | "gamma", _) => libm::lgamma(x),
        ("logb", _) if x == 0.0 => f64::NEG_INFINITY,
        ("logb", _) if x.is_infinite() => f64::INFINITY,
        ("logb", _) if x.is_nan() => x,
        ("logb", _) => f64::from(libm::ilogb(x)),
        ("j0", _) => libm::j0(x),
        ("j1", _) => libm::j1(x),
        ("y0", _) => libm::y0(x),
        ("y1", _) => libm::y1(x),
        ("significand", _) => libm::scalbn(x, -libm::ilogb(x)),
        ("pow", Some(y)) => x.powf(y),
        ("remainder" | "drem", Some(y)) => libm::remainder(x, y),
        ("atan2", Some(y)) => x.atan2(y),
        ("hypot", Some(y)) => x.hypot(y),
        ("nextafter" | "nexttoward", Some(y)) => libm::nextafter(x, y),
        ("scalb", Some(y)) => libm::scalbn(x, y as i32),
        _ => return None,
    })
}
