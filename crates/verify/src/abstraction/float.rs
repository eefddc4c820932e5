//! Floats as intervals. The machine rounds to nearest, which is monotone: computing with the ends in the same width gives
//! exact bounds.

use super::number::Number;
use super::value::{Float, Kind, Value};
use quod_model::ir::BinaryOp;

pub(crate) fn constant(bits: u128, kind: Kind) -> Value {
    match kind {
        Kind::Float(32) => Value::Float(Float::constant(f32::from_bits(bits as u32).into())),
        Kind::Float(64) => Value::Float(Float::constant(f64::from_bits(bits as u64))),
        _ => Value::top(kind),
    }
}

fn round(value: f64, width: u32) -> f64 {
    if width == 32 { f64::from(value as f32) } else { value }
}

pub(crate) fn binary(op: BinaryOp, a: Float, b: Float, width: u32) -> Float {
    let apply = |x: f64, y: f64| {
        if width == 32 {
            let (x, y) = (x as f32, y as f32);
            f64::from(match op {
                BinaryOp::Add => x + y,
                BinaryOp::Subtract => x - y,
                BinaryOp::Multiply => x * y,
                BinaryOp::Divide => x / y,
                _ => f32::NAN,
            })
        } else {
            match op {
                BinaryOp::Add => x + y,
                BinaryOp::Subtract => x - y,
                BinaryOp::Multiply => x * y,
                BinaryOp::Divide => x / y,
                _ => f64::NAN,
            }
        }
    };
    if !matches!(width, 32 | 64) || (op == BinaryOp::Divide && b.low <= 0.0 && b.high >= 0.0) {
        return Float::ANY;
    }
    let ends = [apply(a.low, b.low), apply(a.low, b.high), apply(a.high, b.low), apply(a.high, b.high)];
    // Infinities that meet, or zero times infinity.
    if ends.iter().any(|end| end.is_nan()) || a.has_nan || b.has_nan {
        return Float::ANY;
    }
    let has_infinity = [a.low, a.high, b.low, b.high].iter().any(|end| end.is_infinite());
    if has_infinity && matches!(op, BinaryOp::Multiply | BinaryOp::Divide) {
        return Float::ANY;
    }
    let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
    let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // An infinite end of a sum may meet the opposite infinity inside.
    Float { low, high, has_nan: has_infinity }
}

pub(crate) fn absolute(value: Float) -> Float {
    let high = value.low.abs().max(value.high.abs());
    let low = if value.low <= 0.0 && value.high >= 0.0 { 0.0 } else { value.low.abs().min(value.high.abs()) };
    Float { low, high, has_nan: value.has_nan }
}

pub(crate) fn from_number(number: Number, width: u32) -> Option<Value> {
    let to = |value: i128| match width {
        32 => Some(f64::from(value as f32)),
        64 => Some(value as f64),
        _ => None,
    };
    Some(Value::Float(Float { low: to(number.low)?, high: to(number.high)?, has_nan: false }))
}

pub(crate) fn narrow(value: Float, width: u32) -> Option<Float> {
    if !matches!(width, 32 | 64) {
        return None;
    }
    Some(Float { low: round(value.low, width), high: round(value.high, width), has_nan: value.has_nan })
}

/// Truncated; none where NaN or a number far away is possible.
pub(crate) fn to_number(value: Float) -> Option<Number> {
    let limit = 1e19;
    if value.has_nan || !(value.low > -limit && value.high < limit) {
        return None;
    }
    Some(Number::range(value.low.trunc() as i128, value.high.trunc() as i128))
}

/// What a comparison of all with all gives, where it is always the same.
pub(crate) fn compare(op: BinaryOp, a: Float, b: Float) -> Option<bool> {
    let (less, less_equal) = (a.high < b.low, a.high <= b.low);
    let (greater, greater_equal) = (a.low > b.high, a.low >= b.high);
    let has_nan = a.has_nan || b.has_nan;
    let is_constant = a.low == a.high && b.low == b.high && a.low == b.low;
    let (always, never) = match op {
        BinaryOp::Less => (less, greater_equal),
        BinaryOp::LessEqual => (less_equal, greater),
        BinaryOp::Greater => (greater, less_equal),
        BinaryOp::GreaterEqual => (greater_equal, less),
        BinaryOp::Equal => (is_constant, less || greater),
        // NaN is unequal to everything.
        BinaryOp::NotEqual => {
            return if less || greater {
                Some(true)
            } else if is_constant && !has_nan {
                Some(false)
            } else {
                None
            };
        }
        _ => return None,
    };
    if never {
        // NaN gives false as well.
        Some(false)
    } else {
        (always && !has_nan).then_some(true)
    }
}
