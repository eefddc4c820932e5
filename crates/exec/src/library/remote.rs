//! Files and connections of which nothing is known, where someone drives the executor: whether they can be opened, what they
//! hold and how much of it comes is unknown, so that all of it is looked at, and a replay is given the same.

use super::context::{Context, Reply};
use super::outside::{careful, picked, unknown};
use super::stdio;
use super::{Answered, LibraryFunction};
use crate::domain::{Domain, ObjectKind, Outcome};
use crate::scalar::{Cell, Scalar};
use quod_model::ir::BinaryOp;

/// Bytes that are taken at once.
const MOST_BYTES: u64 = 4096;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "fopen" | "fopen64" | "tmpfile" => |context| match picked(context, 2)? {
            0 => {
                let file = context.allocate(1, ObjectKind::Library, true, "FILE")?;
                stdio::register(context, &file)?;
                Ok(Reply::Value(file))
            }
            _ => Ok(Reply::Value(context.null())),
        },
        "fclose" => |context| {
            let reply = success(context)?;
            let stream = stdio::stream(context, 0)?;
            context.state.world.streams.streams[stream].is_open = false;
            Ok(reply)
        },
        "socket" | "accept" => |context| {
            // A connection is a number from zero on; -1 where there is none.
            let value = any(context, Scalar::I32)?;
            let mask = context.integer(0x7fff_ffff, Scalar::I32);
            let natural = context.machine.domain.binary(BinaryOp::BitAnd, Scalar::I32, &value, &mask)?;
            let one = context.integer(1, Scalar::I32);
            context.machine.domain.binary(BinaryOp::Subtract, Scalar::I32, &natural, &one).map(Reply::Value)
        },
        "connect" | "bind" | "listen" | "setsockopt" | "shutdown" | "close" => success,
        "recv" | "read" => |context| {
            let (to, size) = (context.pointer(1)?, context.size(2)?);
            if size > MOST_BYTES {
                return context.unsupported("this size");
            }
            careful(context, |context| receive(context, &to, size))
        },
        _ => return None,
    })
}

fn any<D: Domain>(context: &mut Context<'_, '_, D>, scalar: Scalar) -> Outcome<D> {
    let name = context.name.to_owned();
    unknown(context, scalar, &name)
}

/// 0 or -1.
fn success<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let value = any(context, Scalar::I32)?;
    let one = context.integer(1, Scalar::I32);
    let bit = context.machine.domain.binary(BinaryOp::BitAnd, Scalar::I32, &value, &one)?;
    let zero = context.integer(0, Scalar::I32);
    context.machine.domain.binary(BinaryOp::Subtract, Scalar::I32, &zero, &bit).map(Reply::Value)
}

/// Some of so many bytes, or -1. Bytes behind those that came stay as they were.
fn receive<D: Domain>(context: &mut Context<'_, '_, D>, to: &D::Value, size: u64) -> Answered<D> {
    let int = Scalar::I32;
    let count = any(context, int)?;
    // The count modulo `size + 2`, less one.
    let mask = context.integer(0x7fff_ffff, int);
    let natural = context.machine.domain.binary(BinaryOp::BitAnd, int, &count, &mask)?;
    let modulus = context.integer(i128::from(size) + 2, int);
    let rest = context.machine.domain.binary(BinaryOp::Remainder, int, &natural, &modulus)?;
    let one = context.integer(1, int);
    let count = context.machine.domain.binary(BinaryOp::Subtract, int, &rest, &one)?;
    let cell = Cell { scalar: Scalar::U8, size: 1 };
    for at in 0..size {
        let place = context.offset(to, at as i64);
        let new = any(context, Scalar::U8)?;
        let index = context.integer(at.into(), int);
        let domain = &mut context.machine.domain;
        let comes = domain.compare(BinaryOp::Less, int, &index, &count);
        let comes = domain.truth_value(comes, Scalar::U8);
        let old = domain.load(&mut context.state.memory, &place, cell)?;
        // `old ^ ((old ^ new) & -comes)`
        let zero = domain.integer(0, Scalar::U8);
        let every = domain.binary(BinaryOp::Subtract, Scalar::U8, &zero, &comes)?;
        let change = domain.binary(BinaryOp::BitXor, Scalar::U8, &old, &new)?;
        let change = domain.binary(BinaryOp::BitAnd, Scalar::U8, &change, &every)?;
        let byte = domain.binary(BinaryOp::BitXor, Scalar::U8, &old, &change)?;
        domain.store(&mut context.state.memory, &place, cell, &byte)?;
    }
    let result = context.result.unwrap_or(int);
    context.machine.domain.convert(int, result, &count).map(Reply::Value)
}
