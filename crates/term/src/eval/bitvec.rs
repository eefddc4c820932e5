//! Values of bit-vector operators.

use crate::bitvector::BitVector;
use crate::op::Op;
use crate::pool::Payload;
use crate::value::Value;
use num_bigint::BigInt;
use quod_base::Rational;
use std::cmp::Ordering;

pub(super) fn apply(op: Op, payload: &Payload, args: &[Value]) -> Option<Value> {
    let (i, j) = match payload {
        Payload::Indices(i, j) => (*i, *j),
        _ => (0, 0),
    };
    if op == Op::IntToBv {
        return Some(BitVector::from_bigint(i, &args.first()?.as_rational()?.numerator()).into());
    }
    let a = args.first()?.as_bit_vec()?;
    let fold = |combine: fn(&BitVector, &BitVector) -> BitVector| {
        let mut result = a.clone();
        for arg in &args[1..] {
            result = combine(&result, arg.as_bit_vec()?);
        }
        Some(Value::BitVec(result))
    };
    if args.len() != 2 {
        match op {
            Op::Concat => return fold(BitVector::concat),
            Op::BvAnd => return fold(BitVector::and),
            Op::BvOr => return fold(BitVector::or),
            Op::BvXor => return fold(BitVector::xor),
            Op::BvAdd => return fold(BitVector::add),
            Op::BvSub => return fold(BitVector::sub),
            Op::BvMul => return fold(BitVector::mul),
            _ => {}
        }
    }
    let Some(second) = args.get(1) else { return unary(op, i, j, a) };
    let b = second.as_bit_vec()?;
    let unsigned = a.ucmp(b);
    let bits = match op {
        Op::Concat => a.concat(b),
        Op::BvAnd => a.and(b),
        Op::BvOr => a.or(b),
        Op::BvXor => a.xor(b),
        Op::BvNand => a.and(b).not(),
        Op::BvNor => a.or(b).not(),
        Op::BvXnor => a.xor(b).not(),
        Op::BvComp => BitVector::from_bool(a == b),
        Op::BvAdd => a.add(b),
        Op::BvSub => a.sub(b),
        Op::BvMul => a.mul(b),
        Op::BvUdiv => a.udiv(b),
        Op::BvUrem => a.urem(b),
        Op::BvSdiv => a.sdiv(b),
        Op::BvSrem => a.srem(b),
        Op::BvSmod => a.smod(b),
        Op::BvShl => a.shl(b),
        Op::BvLshr => a.lshr(b),
        Op::BvAshr => a.ashr(b),
        _ => {
            let holds = match op {
                Op::BvUlt => unsigned == Ordering::Less,
                Op::BvUle => unsigned != Ordering::Greater,
                Op::BvUgt => unsigned == Ordering::Greater,
                Op::BvUge => unsigned != Ordering::Less,
                Op::BvSlt => a.scmp(b) == Ordering::Less,
                Op::BvSle => a.scmp(b) != Ordering::Greater,
                Op::BvSgt => a.scmp(b) == Ordering::Greater,
                Op::BvSge => a.scmp(b) != Ordering::Less,
                _ => return overflow(op, a, b).map(Value::Bool),
            };
            return Some(Value::Bool(holds));
        }
    };
    Some(bits.into())
}

fn unary(op: Op, i: u32, j: u32, a: &BitVector) -> Option<Value> {
    let bits = match op {
        Op::BvNot => a.not(),
        Op::BvNeg => a.neg(),
        Op::Extract => a.extract(i, j),
        Op::ZeroExtend => a.zero_extend(i),
        Op::SignExtend => a.sign_extend(i),
        Op::Repeat => (1..i).fold(a.clone(), |bits, _| bits.concat(a)),
        Op::RotateLeft => a.rotate_left(i),
        Op::RotateRight => a.rotate_left(a.width() - i % a.width()),
        Op::BvNegOverflow => return Some(Value::Bool(a.is_min_signed())),
        Op::UbvToInt => return Some(Value::Int(Rational::from(BigInt::from(a.to_biguint())))),
        Op::SbvToInt => return Some(Value::Int(a.to_signed().into())),
        _ => return None,
    };
    Some(bits.into())
}

/// Whether the exact result leaves the range, by exact integers.
fn overflow(op: Op, a: &BitVector, b: &BitVector) -> Option<bool> {
    let width = a.width();
    let unsigned = |value: BigInt| value.sign() == num_bigint::Sign::Minus || value.bits() > u64::from(width);
    let signed = |value: BigInt| BitVector::from_bigint(width, &value).to_signed() != value;
    let naturals = || (BigInt::from(a.to_biguint()), BigInt::from(b.to_biguint()));
    let integers = || (a.to_signed(), b.to_signed());
    Some(match op {
        Op::BvUaddOverflow => unsigned(naturals().0 + naturals().1),
        Op::BvUsubOverflow => unsigned(naturals().0 - naturals().1),
        Op::BvUmulOverflow => unsigned(naturals().0 * naturals().1),
        Op::BvSaddOverflow => signed(integers().0 + integers().1),
        Op::BvSsubOverflow => signed(integers().0 - integers().1),
        Op::BvSmulOverflow => signed(integers().0 * integers().1),
        Op::BvSdivOverflow => a.is_min_signed() && b.is_all_ones(),
        _ => return None,
    })
}
