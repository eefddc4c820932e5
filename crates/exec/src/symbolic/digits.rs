//! `atoi` of a text whose characters are not all known, as one term: an automaton over the characters that skips space, takes
//! a sign and then digits.

use super::strings::byte_kind;
use super::terms::SymbolicDomain;
use super::value::Value;
use crate::domain::{Domain, Outcome};
use crate::library::{Context, LibraryFunction, Reply};
use crate::scalar::{Cell, Scalar};
use quod_model::ir::{BinaryOp, IntKind};
use quod_term::{Sort, Term};

/// So many digits fit into 64 bits.
const MOST_CHARACTERS: u64 = 18;

pub(super) fn find(name: &str) -> Option<LibraryFunction<SymbolicDomain>> {
    Some(match name {
        "atoi" | "atol" | "atoll" => |context| {
            let pointer = context.pointer(0)?;
            let memory = context.state.memory.clone();
            let Some(text) = characters(context, &pointer)? else {
                context.state.memory = memory;
                let Some(known) = crate::library::find::<SymbolicDomain>("atoi") else {
                    return context.unsupported("this text");
                };
                return known(context);
            };
            let Some(result) = context.result else { return Ok(Reply::Nothing) };
            let bits = result.int_format().map_or(64, |format| format.bits);
            // The C library converts to `long` first.
            let long = IntKind::Long.bits(context.model()).max(bits);
            let domain = &context.machine.domain;
            if domain.is_ideal {
                return Ok(Reply::Value(Value::Number(ideal_number(domain, &text))));
            }
            let value = number(domain, &text, long);
            Ok(Reply::Value(Value::Number(domain.convert_term(Scalar::I64, result, value)?)))
        },
        _ => return None,
    })
}

/// The characters before one that is certainly zero; nothing where they are too many.
fn characters(
    context: &mut Context<'_, '_, SymbolicDomain>,
    pointer: &Value,
) -> Outcome<SymbolicDomain, Option<Vec<Term>>> {
    let mut text = Vec::new();
    for at in 0..=MOST_CHARACTERS {
        let place = context.offset(pointer, at as i64);
        let extent = context.machine.domain.extent(&context.state.memory, &place);
        if extent.is_none_or(|extent| extent == 0) {
            return Ok(None);
        }
        let kind = byte_kind(context);
        let domain = &mut context.machine.domain;
        let byte = domain.load(&mut context.state.memory, &place, Cell { scalar: kind, size: 1 })?;
        let Value::Number(byte) = byte else { return Ok(None) };
        if domain.known(byte, kind) == Some(0) {
            return Ok(Some(text));
        }
        text.push(byte);
    }
    Ok(None)
}

/// What `strtol` makes of the characters, within a `long` of so many bits.
fn number(domain: &SymbolicDomain, text: &[Term], long: u32) -> Term {
    let pool = &domain.pool;
    let is = |byte: Term, wanted: u8| pool.eq(byte, pool.bv(8, wanted.into()));
    let between = |byte: Term, low: u8, high: u8| {
        pool.and2(pool.bv_ule(pool.bv(8, low.into()), byte), pool.bv_ule(byte, pool.bv(8, high.into())))
    };
    // Still in front of the number; reading it.
    let (mut before, mut inside) = (pool.true_(), pool.false_());
    let mut is_negative = pool.false_();
    let mut value = pool.bv(64, 0);
    for &byte in text {
        let is_space = pool.or2(is(byte, b' '), between(byte, 9, 13));
        let is_sign = pool.or2(is(byte, b'+'), is(byte, b'-'));
        let is_digit = between(byte, b'0', b'9');
        let reads = pool.and2(pool.or2(before, inside), is_digit);
        let digit = pool.zero_extend(56, pool.bv_sub(byte, pool.bv(8, b'0'.into())));
        let longer = pool.bv_add(pool.bv_mul(value, pool.bv(64, 10)), digit);
        value = pool.ite(reads, longer, value);
        is_negative = pool.or2(is_negative, pool.and2(before, is(byte, b'-')));
        inside = pool.or2(reads, pool.and2(before, is_sign));
        before = pool.and2(before, is_space);
    }
    debug_assert_eq!(pool.sort(value), Sort::bit_vec(64));
    let signed = pool.ite(is_negative, pool.bv_neg(value), value);
    if long >= 64 {
        return signed;
    }
    let most = pool.bv(64, (1u64 << (long - 1)) - 1);
    let least = pool.bv_neg(pool.bv(64, 1u64 << (long - 1)));
    let low = pool.ite(pool.bv_slt(signed, least), least, signed);
    pool.ite(pool.bv_slt(most, low), most, low)
}

/// The same of characters that are ideal integers.
fn ideal_number(domain: &SymbolicDomain, text: &[Term]) -> Term {
    let (pool, kind) = (&domain.pool, Scalar::Integer);
    let constant = |value: i128| domain.integer_term(value, kind);
    let is = |byte: Term, wanted: u8| pool.eq(byte, constant(wanted.into()));
    let between = |byte: Term, low: u8, high: u8| {
        let low = domain.compare_term(BinaryOp::GreaterEqual, kind, byte, constant(low.into()));
        pool.and2(low, domain.compare_term(BinaryOp::LessEqual, kind, byte, constant(high.into())))
    };
    let (mut before, mut inside) = (pool.true_(), pool.false_());
    let mut is_negative = pool.false_();
    let mut value = constant(0);
    for &byte in text {
        let is_space = pool.or2(is(byte, b' '), between(byte, 9, 13));
        let is_sign = pool.or2(is(byte, b'+'), is(byte, b'-'));
        let reads = pool.and2(pool.or2(before, inside), between(byte, b'0', b'9'));
        let tens = pool.mul(&[constant(10), value]);
        let longer = pool.add(&[tens, byte, constant(-i128::from(b'0'))]);
        value = pool.ite(reads, longer, value);
        is_negative = pool.or2(is_negative, pool.and2(before, is(byte, b'-')));
        inside = pool.or2(reads, pool.and2(before, is_sign));
        before = pool.and2(before, is_space);
    }
    let negated = domain.unary_term(quod_model::ir::UnaryOp::Negate, kind, value);
    pool.ite(is_negative, negated, value)
}
