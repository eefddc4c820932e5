//! Integer and float arithmetic on concrete values.

use super::Concrete;
use super::value::Value;
use crate::domain::{Outcome, Truth};
use crate::fault::Fault;
use crate::scalar::Scalar;
use quod_base::float::FloatOp;
use quod_base::int::IntFormat;
use quod_model::ir::{BinaryOp, UnaryOp};
use quod_verdict::CheckKind;
use std::cmp::Ordering;

fn by_zero() -> crate::fault::Trouble<std::convert::Infallible> {
    Fault::new(CheckKind::DivisionByZero, "division by zero").label("the divisor is 0").into()
}

/// The operators of one machine type; values are extended to 64 bits through `$wide`.
macro_rules! machine {
    ($op:expr, $a:expr, $b:expr, $ty:ty, $wide:ty) => {{
        let (a, b) = ($a.low as $ty, $b.low as $ty);
        let result: $ty = match $op {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Subtract => a.wrapping_sub(b),
            BinaryOp::Multiply => a.wrapping_mul(b),
            BinaryOp::Divide => {
                if b == 0 {
                    return Err(by_zero());
                }
                a.wrapping_div(b)
            }
            BinaryOp::Remainder => {
                if b == 0 {
                    return Err(by_zero());
                }
                a.wrapping_rem(b)
            }
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            _ => return Err(Fault::unsupported("this operator").into()),
        };
        Ok(Value::small(result as $wide as u64))
    }};
}

impl Concrete {
    #[inline(always)]
    pub(super) fn binary_value(&mut self, op: BinaryOp, scalar: Scalar, a: &Value, b: &Value) -> Outcome<Self> {
        match scalar {
            Scalar::I32 => machine!(op, a, b, i32, i64),
            Scalar::U32 => machine!(op, a, b, u32, u64),
            Scalar::I64 | Scalar::Handle => machine!(op, a, b, i64, i64),
            Scalar::U64 => machine!(op, a, b, u64, u64),
            Scalar::F64 => {
                let (x, y) = (f64::from_bits(a.low), f64::from_bits(b.low));
                let result = match op {
                    BinaryOp::Add => x + y,
                    BinaryOp::Subtract => x - y,
                    BinaryOp::Multiply => x * y,
                    BinaryOp::Divide => x / y,
                    _ => x % y,
                };
                Ok(Value::small(result.to_bits()))
            }
            _ => self.binary_rare(op, scalar, a, b),
        }
    }

    fn binary_rare(&mut self, op: BinaryOp, scalar: Scalar, a: &Value, b: &Value) -> Outcome<Self> {
        if let Some(format) = scalar.float_format() {
            let op = match op {
                BinaryOp::Add => FloatOp::Add,
                BinaryOp::Subtract => FloatOp::Subtract,
                BinaryOp::Multiply => FloatOp::Multiply,
                BinaryOp::Divide => FloatOp::Divide,
                BinaryOp::Remainder => FloatOp::Remainder,
                _ => return Err(Fault::unsupported("this operator on floats").into()),
            };
            return Ok(Value::wide(format.binary(op, a.bits(), b.bits())));
        }
        match scalar {
            Scalar::Real => return self.real_binary(op, a, b),
            Scalar::Integer => return integer_binary(op, a, b),
            _ => {}
        }
        let Some(format) = scalar.int_format() else {
            return Err(Fault::unsupported("arithmetic on this type").into());
        };
        let (x, y) = (a.int(scalar), b.int(scalar));
        let result = match op {
            BinaryOp::Add => format.add(x, y).value,
            BinaryOp::Subtract => format.subtract(x, y).value,
            BinaryOp::Multiply => format.multiply(x, y).value,
            BinaryOp::Divide => format.divide(x, y).ok_or_else(by_zero)?.value,
            BinaryOp::Remainder => format.remainder(x, y).ok_or_else(by_zero)?.value,
            BinaryOp::BitAnd => format.wrap(x & y),
            BinaryOp::BitOr => format.wrap(x | y),
            BinaryOp::BitXor => format.wrap(x ^ y),
            _ => return Err(Fault::unsupported("this operator").into()),
        };
        Ok(Value::of_int(result, scalar))
    }

    pub(super) fn shift_value(&self, op: BinaryOp, scalar: Scalar, a: &Value, b: &Value, count: Scalar) -> Value {
        let amount = b.int(count);
        let Some(format) = scalar.int_format() else {
            let a = a.bits() as i128;
            let amount = amount.clamp(0, 127) as u32;
            let result = if op == BinaryOp::ShiftLeft { a.wrapping_shl(amount) } else { a >> amount };
            return Value::of_int(result, scalar);
        };
        if format.bits <= 64 && (0..i128::from(format.bits)).contains(&amount) {
            let amount = amount as u32;
            let shifted = match (op, format.is_signed) {
                (BinaryOp::ShiftLeft, _) => a.low << amount,
                (_, true) => ((a.low as i64) >> amount) as u64,
                (_, false) => a.low >> amount,
            };
            return Value::small(extend(shifted, format));
        }
        let x = a.int(scalar);
        let result =
            if op == BinaryOp::ShiftLeft { format.shift_left(x, amount) } else { format.shift_right(x, amount) };
        Value::of_int(result.value, scalar)
    }

    pub(super) fn unary_value(&mut self, op: UnaryOp, scalar: Scalar, a: &Value) -> Outcome<Self> {
        if let Some(format) = scalar.float_format() {
            return Ok(Value::wide(format.negate(a.bits())));
        }
        if scalar == Scalar::Real {
            let zero = self.integer_real(0);
            return self.real_binary(BinaryOp::Subtract, &zero, a);
        }
        if scalar == Scalar::Integer {
            let value = a.bits() as i128;
            return Ok(Value::wide(match op {
                UnaryOp::Negate => value.wrapping_neg(),
                _ => !value,
            } as u128));
        }
        let Some(format) = scalar.int_format() else {
            return Err(Fault::unsupported("arithmetic on this type").into());
        };
        let value = a.int(scalar);
        Ok(Value::of_int(
            match op {
                UnaryOp::Negate => format.negate(value).value,
                _ => format.bit_not(value),
            },
            scalar,
        ))
    }

    #[inline(always)]
    pub(super) fn ordering(&self, scalar: Scalar, a: &Value, b: &Value) -> Option<Ordering> {
        match scalar {
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Handle => {
                Some((a.low as i64).cmp(&(b.low as i64)))
            }
            Scalar::Bool
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::U64
            | Scalar::Pointer32
            | Scalar::Pointer64 => Some(a.low.cmp(&b.low)),
            Scalar::F64 => f64::from_bits(a.low).partial_cmp(&f64::from_bits(b.low)),
            Scalar::I128 | Scalar::Integer => Some((a.bits() as i128).cmp(&(b.bits() as i128))),
            Scalar::U128 => Some(a.bits().cmp(&b.bits())),
            Scalar::Real => Some(self.real(a).cmp(&self.real(b))),
            _ => scalar.float_format().and_then(|format| format.compare(a.bits(), b.bits())),
        }
    }

    #[inline(always)]
    pub(super) fn compare_values(&self, op: BinaryOp, scalar: Scalar, a: &Value, b: &Value) -> bool {
        let ordering = self.ordering(scalar, a, b);
        match op {
            BinaryOp::Equal => ordering == Some(Ordering::Equal),
            BinaryOp::NotEqual => ordering != Some(Ordering::Equal),
            BinaryOp::Less => ordering == Some(Ordering::Less),
            BinaryOp::LessEqual => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
            BinaryOp::Greater => ordering == Some(Ordering::Greater),
            _ => matches!(ordering, Some(Ordering::Greater | Ordering::Equal)),
        }
    }

    pub(super) fn truth_of(&self, scalar: Scalar, value: &Value) -> bool {
        match scalar {
            Scalar::I128 | Scalar::U128 | Scalar::Integer => value.bits() != 0,
            Scalar::Real => !self.real(value).is_zero(),
            _ => match scalar.float_format() {
                Some(format) => !format.is_zero(value.bits()),
                None => value.low != 0,
            },
        }
    }

    #[inline(always)]
    pub(super) fn convert_value(&mut self, from: Scalar, to: Scalar, value: &Value) -> Outcome<Self> {
        match (from.int_format(), to.int_format()) {
            (_, _) if to == Scalar::Bool => Ok(Value::small(u64::from(self.truth_of(from, value)))),
            // An address keeps its object through an integer that is wide enough.
            (Some(_), Some(format)) if from.is_pointer() || to.is_pointer() => {
                let low = extend(value.low, format);
                let high = if from.is_pointer() && to.is_pointer() { value.high } else { 0 };
                match to {
                    Scalar::I128 | Scalar::U128 => Ok(Value::of_int(i128::from(value.low), to)),
                    _ => Ok(Value { low, high }),
                }
            }
            (Some(source), Some(format)) if source.bits <= 64 && format.bits <= 64 => {
                Ok(Value::small(extend(value.low, format)))
            }
            (Some(_), Some(format)) => Ok(Value::of_int(format.wrap(value.int(from)), to)),
            _ => self.convert_rare(from, to, value),
        }
    }

    fn convert_rare(&mut self, from: Scalar, to: Scalar, value: &Value) -> Outcome<Self> {
        if let Some(source) = from.float_format() {
            if let Some(target) = to.float_format() {
                return Ok(Value::wide(source.convert(value.bits(), target)));
            }
            if let Some(format) = to.int_format() {
                return Ok(Value::of_int(source.to_int_as_x86(value.bits(), format), to));
            }
        }
        if let (Some(format), Some(target)) = (from.int_format(), to.float_format()) {
            return Ok(match (from, to) {
                (Scalar::I32 | Scalar::I64, Scalar::F64) => Value::small((value.low as i64 as f64).to_bits()),
                _ => Value::wide(target.from_int(value.int(from), format)),
            });
        }
        match (from, to) {
            (Scalar::Integer, Scalar::Integer) | (Scalar::Real, Scalar::Real) => Ok(*value),
            (Scalar::Integer, Scalar::Real) => Ok(self.integer_real(value.bits() as i128)),
            (Scalar::Real, Scalar::Integer) => self.truncate_real(value),
            (Scalar::Integer, _) if to.int_format().is_some() => Ok(Value::of_int(value.bits() as i128, to)),
            (_, Scalar::Integer) if from.int_format().is_some() => Ok(Value::of_int(value.int(from), to)),
            (_, Scalar::Real) if from.int_format().is_some() => Ok(self.integer_real(value.int(from))),
            _ => Err(Fault::unsupported("this conversion").into()),
        }
    }

    /// Does the mathematical result fit the type?
    #[inline(always)]
    pub(super) fn fits_binary(&self, op: BinaryOp, scalar: Scalar, a: &Value, b: &Value) -> bool {
        if scalar == Scalar::I32 {
            let (x, y) = (a.low as i64, b.low as i64);
            let result = match op {
                BinaryOp::Add => x + y,
                BinaryOp::Subtract => x - y,
                BinaryOp::Multiply => x * y,
                BinaryOp::Divide | BinaryOp::Remainder => return !(y == -1 && x == i64::from(i32::MIN)),
                BinaryOp::ShiftLeft => return x < 0 || !(0..32).contains(&y) || (x << y) >> 31 == 0,
                _ => return true,
            };
            return i64::from(result as i32) == result;
        }
        if scalar == Scalar::I64 {
            let (x, y) = (a.low as i64, b.low as i64);
            return match op {
                BinaryOp::Add => x.checked_add(y).is_some(),
                BinaryOp::Subtract => x.checked_sub(y).is_some(),
                BinaryOp::Multiply => x.checked_mul(y).is_some(),
                BinaryOp::Divide | BinaryOp::Remainder => !(y == -1 && x == i64::MIN),
                BinaryOp::ShiftLeft => x < 0 || !(0..64).contains(&y) || (i128::from(x) << y) >> 63 == 0,
                _ => true,
            };
        }
        let Some(format) = scalar.int_format() else { return true };
        let (x, y) = (a.int(scalar), b.int(scalar));
        match op {
            BinaryOp::Add => format.add(x, y).fits,
            BinaryOp::Subtract => format.subtract(x, y).fits,
            BinaryOp::Multiply => format.multiply(x, y).fits,
            BinaryOp::Divide => format.divide(x, y).is_none_or(|outcome| outcome.fits),
            BinaryOp::Remainder => format.remainder(x, y).is_none_or(|outcome| outcome.fits),
            _ => true,
        }
    }
}

/// The low bits of a value, extended to 64 as the type says.
#[inline(always)]
pub(super) fn extend(value: u64, format: IntFormat) -> u64 {
    match (format.bits, format.is_signed) {
        (8, true) => value as i8 as i64 as u64,
        (8, false) => u64::from(value as u8),
        (16, true) => value as i16 as i64 as u64,
        (16, false) => u64::from(value as u16),
        (32, true) => value as i32 as i64 as u64,
        (32, false) => u64::from(value as u32),
        _ => value,
    }
}

fn integer_binary(op: BinaryOp, a: &Value, b: &Value) -> Outcome<Concrete> {
    let (x, y) = (a.bits() as i128, b.bits() as i128);
    let result = match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Subtract => x.checked_sub(y),
        BinaryOp::Multiply => x.checked_mul(y),
        BinaryOp::Divide if y == 0 => return Err(by_zero()),
        BinaryOp::Remainder if y == 0 => return Err(by_zero()),
        BinaryOp::Divide => x.checked_div(y),
        BinaryOp::Remainder => x.checked_rem(y),
        BinaryOp::BitAnd => Some(x & y),
        BinaryOp::BitOr => Some(x | y),
        BinaryOp::BitXor => Some(x ^ y),
        _ => None,
    };
    match result {
        Some(value) => Ok(Value::wide(value as u128)),
        None => Err(Fault::unsupported("an integer of more than 128 bits").into()),
    }
}

pub(super) fn known<C>(truth: bool) -> Truth<C> {
    Truth::Known(truth)
}
