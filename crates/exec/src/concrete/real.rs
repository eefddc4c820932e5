//! Exact reals: small fractions in the value itself, large ones in a table.

use super::Concrete;
use super::value::Value;
use crate::domain::Outcome;
use crate::fault::Fault;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use quod_base::Rational;
use quod_model::ir::BinaryOp;
use quod_verdict::CheckKind;

const HANDLE: u64 = u64::MAX;

impl Concrete {
    pub(super) fn real(&self, value: &Value) -> Rational {
        if value.high == HANDLE {
            return self.reals.get(value.low as usize).cloned().unwrap_or(Rational::ZERO);
        }
        Rational::new(value.low as i64, value.high as i64).unwrap_or(Rational::ZERO)
    }

    pub(super) fn real_value(&mut self, real: Rational) -> Value {
        match real.as_small() {
            Some((numerator, denominator)) => Value { low: numerator as u64, high: denominator as u64 },
            None => {
                self.reals.push(real);
                Value { low: self.reals.len() as u64 - 1, high: HANDLE }
            }
        }
    }

    pub(super) fn integer_real(&mut self, value: i128) -> Value {
        self.real_value(Rational::from_bigint(BigInt::from(value)))
    }

    pub(super) fn real_binary(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Outcome<Self> {
        let (x, y) = (self.real(a), self.real(b));
        let result = match op {
            BinaryOp::Add => x + &y,
            BinaryOp::Subtract => x - &y,
            BinaryOp::Multiply => x * &y,
            BinaryOp::Divide => match x.checked_div(&y) {
                Some(quotient) => quotient,
                None => {
                    return Err(Fault::new(CheckKind::DivisionByZero, "division by zero")
                        .label("the divisor is 0")
                        .into());
                }
            },
            _ => return Err(Fault::unsupported("this operator on reals").into()),
        };
        Ok(self.real_value(result))
    }

    pub(super) fn truncate_real(&self, value: &Value) -> Outcome<Self> {
        let real = self.real(value);
        let truncated = if real.is_negative() { real.ceil() } else { real.floor() };
        match truncated.to_bigint().and_then(|integer| integer.to_i128()) {
            Some(integer) => Ok(Value::wide(integer as u128)),
            None => Err(Fault::unsupported("an integer of more than 128 bits").into()),
        }
    }

    pub(super) fn real_to_f64(&self, value: &Value) -> f64 {
        let real = self.real(value);
        let (numerator, denominator) = (real.numerator(), real.denominator());
        if let (Some(n), Some(d)) = (numerator.to_i64(), denominator.to_i64())
            && n.abs() < 1 << 53
            && d < 1 << 53
        {
            return n as f64 / d as f64;
        }
        // Enough bits of the quotient for a correctly scaled result.
        let shift = 64 + denominator.bits() as i64 - numerator.bits() as i64;
        let quotient = if shift > 0 {
            (numerator << shift as usize) / denominator
        } else {
            numerator / (denominator << (-shift) as usize)
        };
        quotient.to_f64().unwrap_or(0.0) * 2f64.powi(-(shift.clamp(-2000, 2000)) as i32)
    }

    /// The exact value of a decimal or hexadecimal constant.
    pub(super) fn parse_real(text: &str) -> Option<Rational> {
        let text = text.trim_end_matches(['f', 'F', 'l', 'L']);
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
            Some((mantissa, exponent)) if !digits.starts_with("0x") => (mantissa, exponent.parse::<i32>().ok()?),
            _ => (digits, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if exponent.abs() > 5000 {
            return None;
        }
        let number: BigInt = format!("0{whole}{fraction}").parse().ok()?;
        let scale = exponent - fraction.len() as i32;
        let power = BigInt::from(10).pow(scale.unsigned_abs());
        let number = if negative { -number } else { number };
        if scale >= 0 { Some(Rational::from_bigint(number * power)) } else { Rational::from_big(number, power) }
    }

    pub(super) fn real_of_f64(value: f64) -> Rational {
        if !value.is_finite() || value == 0.0 {
            return Rational::ZERO;
        }
        let bits = value.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exponent) =
            if exponent == 0 { (fraction, -1074) } else { (fraction | (1 << 52), exponent - 1075) };
        let mut number = BigInt::from(mantissa);
        if value < 0.0 {
            number = -number;
        }
        if exponent >= 0 {
            return Rational::from_bigint(number << exponent as usize);
        }
        let denominator = BigInt::from(1) << (-exponent) as usize;
        debug_assert!(!denominator.is_zero() && denominator.is_positive());
        Rational::from_big(number, denominator).unwrap_or(Rational::ZERO)
    }
}
