//! Values of float operators.

use crate::bitvector::BitVector;
use crate::op::Op;
use crate::pool::Payload;
use crate::sort::Sort;
use crate::value::{FloatValue, RoundingMode, Value};
use num_bigint::{BigInt, Sign};
use quod_base::Rational;
use std::cmp::Ordering;

pub(super) fn apply(op: Op, payload: &Payload, sort: Sort, args: &[Value]) -> Option<Value> {
    if let [Value::RoundingMode(mode), rest @ ..] = args {
        return rounded(op, payload, sort, *mode, rest);
    }
    match op {
        Op::Fp => {
            let [Value::BitVec(sign), Value::BitVec(exponent), Value::BitVec(fraction)] = args else { return None };
            let bits = sign.concat(exponent).concat(fraction);
            return Some(Value::Float(FloatValue::from_bits(exponent.width(), fraction.width() + 1, bits)));
        }
        Op::FpFromBits => {
            let (exponent, significand) = sort.float_format()?;
            return Some(Value::Float(FloatValue::from_bits(
                exponent,
                significand,
                args.first()?.as_bit_vec()?.clone(),
            )));
        }
        _ => {}
    }
    let floats: smallvec::SmallVec<[&FloatValue; 3]> = args.iter().map(Value::as_float).collect::<Option<_>>()?;
    let a = *floats.first()?;
    let chain = |holds: fn(Option<Ordering>) -> bool| {
        Some(Value::Bool(floats.windows(2).all(|pair| holds(pair[0].compare(pair[1])))))
    };
    let below = |b: &FloatValue| a.compare(b) == Some(Ordering::Less);
    let is = |holds: bool| Some(Value::Bool(holds));
    let float = match op {
        Op::FpLe => return chain(|order| matches!(order, Some(Ordering::Less | Ordering::Equal))),
        Op::FpLt => return chain(|order| order == Some(Ordering::Less)),
        Op::FpGe => return chain(|order| matches!(order, Some(Ordering::Greater | Ordering::Equal))),
        Op::FpGt => return chain(|order| order == Some(Ordering::Greater)),
        Op::FpEq => return chain(|order| order == Some(Ordering::Equal)),
        Op::FpIsNormal => return is(a.is_normal()),
        Op::FpIsSubnormal => return is(a.is_subnormal()),
        Op::FpIsZero => return is(a.is_zero()),
        Op::FpIsInfinite => return is(a.is_infinite()),
        Op::FpIsNan => return is(a.is_nan()),
        Op::FpIsNegative => return is(!a.is_nan() && a.is_sign_negative()),
        Op::FpIsPositive => return is(!a.is_nan() && !a.is_sign_negative()),
        Op::FpToBits => return Some(a.bits().clone().into()),
        Op::FpToReal if a.is_nan() || a.is_infinite() => return Some(Value::Real(Rational::ZERO)),
        Op::FpToReal => return a.to_rational().map(Value::Real),
        Op::FpAbs => a.abs(),
        Op::FpNeg => a.neg(),
        Op::FpRem => a.rem(floats.get(1)?),
        Op::FpMin | Op::FpMax => {
            let b = *floats.get(1)?;
            let first = if op == Op::FpMin { below(b) } else { b.compare(a) == Some(Ordering::Less) };
            if b.is_nan() || (first && !a.is_nan()) { a.clone() } else { b.clone() }
        }
        _ => return None,
    };
    Some(Value::Float(float))
}

fn rounded(op: Op, payload: &Payload, sort: Sort, mode: RoundingMode, args: &[Value]) -> Option<Value> {
    let first = args.first()?;
    let float = match op {
        Op::FpFromReal | Op::FpFromSigned | Op::FpFromUnsigned => {
            let (exponent, significand) = sort.float_format()?;
            let value = match (op, first) {
                (Op::FpFromReal, value) => value.as_rational()?.clone(),
                (Op::FpFromSigned, Value::BitVec(bits)) => Rational::from_bigint(bits.to_signed()),
                (_, Value::BitVec(bits)) => Rational::from_bigint(BigInt::from(bits.to_biguint())),
                _ => return None,
            };
            FloatValue::from_rational(exponent, significand, mode, &value)
        }
        Op::FpFromFp => {
            let (exponent, significand) = sort.float_format()?;
            first.as_float()?.convert(exponent, significand, mode)
        }
        Op::FpToUbv | Op::FpToSbv => {
            let Payload::Indices(width, _) = *payload else { return None };
            let bits = first.as_float()?.to_integer(mode, width).and_then(|integer| {
                let bits = BitVector::from_bigint(width, &integer);
                let fits = match op {
                    Op::FpToUbv => integer.sign() != Sign::Minus && BigInt::from(bits.to_biguint()) == integer,
                    _ => bits.to_signed() == integer,
                };
                fits.then_some(bits)
            });
            return Some(bits.unwrap_or_else(|| BitVector::zero(width)).into());
        }
        _ => {
            let a = first.as_float()?;
            let second = || args.get(1)?.as_float();
            match op {
                Op::FpAdd => a.add(mode, second()?),
                Op::FpSub => a.sub(mode, second()?),
                Op::FpMul => a.mul(mode, second()?),
                Op::FpDiv => a.div(mode, second()?),
                Op::FpFma => a.fma(mode, second()?, args.get(2)?.as_float()?),
                Op::FpSqrt => a.sqrt(mode),
                Op::FpRoundToIntegral => a.round_to_integral(mode),
                _ => return None,
            }
        }
    };
    Some(Value::Float(float))
}
