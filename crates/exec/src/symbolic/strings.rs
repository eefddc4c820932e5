//! Strings whose bytes are not all known: paths part where a byte may end them.

use super::terms::SymbolicDomain;
use super::value::Value;
use crate::domain::{Domain, Truth};
use crate::fault::Trouble;
use crate::library::{Context, LibraryFunction, Reply};
use crate::scalar::{Cell, Scalar};
use quod_model::ir::BinaryOp;

pub(super) fn find(name: &str) -> Option<LibraryFunction<SymbolicDomain>> {
    let short = name.strip_prefix("__builtin_").unwrap_or(name);
    Some(match short {
        "strlen" => |context| {
            let pointer = context.pointer(0)?;
            Ok(Reply::Int(length(context, &pointer)?.into()))
        },
        "strcpy" => |context| {
            let (to, from) = (context.pointer(0)?, context.pointer(1)?);
            let size = length(context, &from)? + 1;
            context.machine.domain.copy(&mut context.state.memory, &to, &from, size)?;
            Ok(Reply::Value(to))
        },
        "strcat" => |context| {
            let (to, from) = (context.pointer(0)?, context.pointer(1)?);
            let (before, size) = (length(context, &to)?, length(context, &from)? + 1);
            let end = context.offset(&to, before as i64);
            context.machine.domain.copy(&mut context.state.memory, &end, &from, size)?;
            Ok(Reply::Value(to))
        },
        "strcmp" => |context| compare(context, u64::MAX),
        "strncmp" => |context| {
            let limit = context.size(2)?;
            compare(context, limit)
        },
        _ => return None,
    })
}

type Calling<'a, 'p> = Context<'a, 'p, SymbolicDomain>;
type Called<T> = crate::domain::Outcome<SymbolicDomain, T>;

/// Bytes before the first zero. Where a byte may be zero, paths part.
fn length(context: &mut Calling<'_, '_>, pointer: &Value) -> Called<u64> {
    let mut count = 0u64;
    let kind = byte_kind(context);
    loop {
        let zero = context.integer(0, kind);
        let byte = byte_at(context, pointer, count)?;
        if decide_equal(context, &byte, &zero)? {
            return Ok(count);
        }
        count += 1;
    }
}

/// What characters are looked at as: ideal ones are numbers, not bits.
pub(super) fn byte_kind(context: &Calling<'_, '_>) -> Scalar {
    if context.machine.domain.is_ideal { Scalar::Integer } else { Scalar::U8 }
}

pub(super) fn byte_at(context: &mut Calling<'_, '_>, pointer: &Value, at: u64) -> Called<Value> {
    let place = context.offset(pointer, at as i64);
    let scalar = byte_kind(context);
    context.machine.domain.load(&mut context.state.memory, &place, Cell { scalar, size: 1 })
}

/// The character as an `unsigned char`, in an `int`.
fn unsigned(context: &mut Calling<'_, '_>, byte: &Value) -> Called<Value> {
    let domain = &mut context.machine.domain;
    if !domain.is_ideal {
        return domain.convert(Scalar::U8, Scalar::I32, byte);
    }
    let scalar = Scalar::Integer;
    let term = domain.number(byte)?;
    let is_negative = domain.compare_term(BinaryOp::Less, scalar, term, domain.zero_term(scalar));
    let shifted = domain.pool.add(&[term, domain.integer_term(256, scalar)]);
    Ok(Value::Number(domain.pool.ite(is_negative, shifted, term)))
}

/// Are the bytes equal? Where that is open, the call is made again under each answer.
fn decide_equal(context: &mut Calling<'_, '_>, left: &Value, right: &Value) -> Called<bool> {
    let kind = byte_kind(context);
    match context.machine.domain.compare(BinaryOp::Equal, kind, left, right) {
        Truth::Known(known) => Ok(known),
        Truth::Unknown(condition) => match context.state.memory.decision(condition) {
            Some(known) => Ok(known),
            None => {
                let negated = context.machine.domain.pool.not(condition);
                Err(Trouble::Split(vec![condition, negated]))
            }
        },
    }
}

fn compare(context: &mut Calling<'_, '_>, limit: u64) -> crate::library::Answered<SymbolicDomain> {
    let (left, right) = (context.pointer(0)?, context.pointer(1)?);
    let kind = byte_kind(context);
    let zero = context.integer(0, kind);
    let int = context.int_kind(quod_model::ir::IntKind::Int);
    for at in 0..limit {
        let (a, b) = (byte_at(context, &left, at)?, byte_at(context, &right, at)?);
        if !decide_equal(context, &a, &b)? {
            let (a, b) = (unsigned(context, &a)?, unsigned(context, &b)?);
            let distance = context.machine.domain.binary(BinaryOp::Subtract, int, &a, &b)?;
            return Ok(Reply::Value(distance));
        }
        if decide_equal(context, &a, &zero)? {
            break;
        }
    }
    Ok(Reply::Int(0))
}
