//! Values of integer and real operators.

use crate::op::Op;
use crate::pool::Payload;
use crate::value::Value;
use quod_base::Rational;

pub(super) fn apply(op: Op, payload: &Payload, args: &[Value]) -> Option<Value> {
    let is_int = matches!(args.first()?, Value::Int(_));
    let numbers: smallvec::SmallVec<[&Rational; 4]> = args.iter().map(Value::as_rational).collect::<Option<_>>()?;
    let chain = |holds: fn(&Rational, &Rational) -> bool| {
        Some(Value::Bool(numbers.windows(2).all(|pair| holds(pair[0], pair[1]))))
    };
    let (first, rest) = numbers.split_first()?;
    let first = (*first).clone();
    let result = match op {
        Op::Add => rest.iter().fold(first, |sum, arg| &sum + arg),
        Op::Sub => rest.iter().fold(first, |difference, arg| &difference - arg),
        Op::Neg => -first,
        Op::Mul => rest.iter().fold(first, |product, arg| &product * arg),
        Op::Power => {
            let Payload::Exponent(exponent) = payload else { return None };
            let power = power_limited(&first, exponent.unsigned_abs())?;
            if *exponent < 0 { power.recip().unwrap_or_default() } else { power }
        }
        Op::Div => rest.iter().fold(first, |quotient, arg| quotient.checked_div(arg).unwrap_or_default()),
        Op::IntDiv => rest.iter().fold(first, |quotient, arg| quotient.div_euclid(arg).unwrap_or_default()),
        Op::IntMod => first.rem_euclid(rest.first()?).unwrap_or(first),
        Op::Abs => first.abs(),
        Op::Le => return chain(|a, b| a <= b),
        Op::Lt => return chain(|a, b| a < b),
        Op::Ge => return chain(|a, b| a >= b),
        Op::Gt => return chain(|a, b| a > b),
        Op::ToReal => return Some(Value::Real(first)),
        Op::ToInt => return Some(Value::Int(first.floor())),
        Op::IsInt => return Some(Value::Bool(first.is_integer())),
        Op::Divisible => {
            let Payload::Indices(divisor, _) = payload else { return None };
            let remainder = first.rem_euclid(&Rational::from(i64::from(*divisor)))?;
            return Some(Value::Bool(remainder.is_zero()));
        }
        _ => return None,
    };
    Some(if is_int { Value::Int(result) } else { Value::Real(result) })
}

/// A power, unless its digits would fill memory.
pub(crate) fn power_limited(base: &Rational, exponent: u32) -> Option<Rational> {
    let bits = base.numerator().bits().max(base.denominator().bits());
    (bits <= 1 || bits * u64::from(exponent) <= 1 << 20).then(|| base.pow(exponent))
}
