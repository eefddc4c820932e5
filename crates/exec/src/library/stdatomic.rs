//! `__atomic_*`, `__sync_*` and the functions of `<stdatomic.h>`: each is one step, so each is atomic.

use super::context::{Context, Reply};
use super::{Answered, LibraryFunction};
use crate::domain::{Domain, Outcome, Truth};
use crate::scalar::{Cell, Scalar};
use quod_model::ir::{BinaryOp, TypeId, UnaryOp};

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    let stem = name.trim_end_matches("_explicit");
    let is_known = name.starts_with("__atomic_")
        || name.starts_with("__sync_")
        || name.starts_with("__c11_atomic_")
        || (stem.starts_with("atomic_"));
    is_known.then_some(run as LibraryFunction<D>)
}

fn operation(word: &str) -> Option<BinaryOp> {
    Some(match word {
        "add" => BinaryOp::Add,
        "sub" => BinaryOp::Subtract,
        "and" => BinaryOp::BitAnd,
        "or" => BinaryOp::BitOr,
        "xor" => BinaryOp::BitXor,
        "nand" => BinaryOp::BitAnd,
        _ => return None,
    })
}

fn run<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let name = context.name.trim_end_matches("_explicit").to_owned();
    // `__atomic_fetch_add_4` and `__sync_fetch_and_add_4` name a size.
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_').to_owned();
    let short = name
        .strip_prefix("__c11_atomic_")
        .or_else(|| name.strip_prefix("__atomic_"))
        .or_else(|| name.strip_prefix("__sync_"))
        .or_else(|| name.strip_prefix("atomic_"))
        .unwrap_or(&name)
        .to_owned();
    let short = short.as_str();
    match short {
        "thread_fence" | "signal_fence" | "synchronize" => return Ok(Reply::Nothing),
        "is_lock_free" | "always_lock_free" => return Ok(Reply::Int(1)),
        "test_and_set" | "flag_test_and_set" => {
            let pointer = context.pointer(0)?;
            let old = context.load(&pointer, Scalar::U8)?;
            let one = context.integer(1, Scalar::U8);
            context.store(&pointer, Scalar::U8, &one)?;
            let old = context.known(&old, Scalar::U8)?;
            return Ok(Reply::Int(i128::from(old != 0)));
        }
        "clear" | "flag_clear" => {
            let pointer = context.pointer(0)?;
            let zero = context.integer(0, Scalar::U8);
            context.store(&pointer, Scalar::U8, &zero)?;
            return Ok(Reply::Nothing);
        }
        _ => {}
    }
    let Some(ty) = context.pointee(0) else { return context.unsupported("an object of unknown type") };
    let Some(cell) = cell(context, ty) else {
        return aggregate(context, short, ty);
    };
    let pointer = context.pointer(0)?;
    match short {
        "load_n" => Ok(Reply::Value(get(context, &pointer, cell)?)),
        "load" if context.arguments.len() >= 3 => {
            let value = get(context, &pointer, cell)?;
            let to = context.pointer(1)?;
            set(context, &to, cell, &value)?;
            Ok(Reply::Nothing)
        }
        "load" => Ok(Reply::Value(get(context, &pointer, cell)?)),
        "store_n" | "init" => {
            let value = operand(context, 1, cell.scalar)?;
            set(context, &pointer, cell, &value)?;
            Ok(Reply::Nothing)
        }
        "store" => {
            let value = indirect(context, 1, cell)?;
            set(context, &pointer, cell, &value)?;
            Ok(Reply::Nothing)
        }
        "lock_release" => {
            let zero = context.integer(0, cell.scalar);
            set(context, &pointer, cell, &zero)?;
            Ok(Reply::Nothing)
        }
        "exchange" if context.arguments.len() >= 4 => {
            let old = get(context, &pointer, cell)?;
            let new = indirect(context, 1, cell)?;
            set(context, &pointer, cell, &new)?;
            let to = context.pointer(2)?;
            set(context, &to, cell, &old)?;
            Ok(Reply::Nothing)
        }
        "exchange_n" | "exchange" | "lock_test_and_set" => {
            let old = get(context, &pointer, cell)?;
            let new = operand(context, 1, cell.scalar)?;
            set(context, &pointer, cell, &new)?;
            Ok(Reply::Value(old))
        }
        "compare_exchange_n" | "compare_exchange" | "compare_exchange_strong" | "compare_exchange_weak" => {
            let expected = context.pointer(1)?;
            let old = get(context, &pointer, cell)?;
            let wanted = get(context, &expected, cell)?;
            if is_equal(context, cell.scalar, &old, &wanted)? {
                let new = if short == "compare_exchange" {
                    indirect(context, 2, cell)?
                } else {
                    operand(context, 2, cell.scalar)?
                };
                set(context, &pointer, cell, &new)?;
                return Ok(Reply::Int(1));
            }
            set(context, &expected, cell, &old)?;
            Ok(Reply::Int(0))
        }
        "bool_compare_and_swap" | "val_compare_and_swap" => {
            let old = get(context, &pointer, cell)?;
            let wanted = operand(context, 1, cell.scalar)?;
            let holds = is_equal(context, cell.scalar, &old, &wanted)?;
            if holds {
                let new = operand(context, 2, cell.scalar)?;
                set(context, &pointer, cell, &new)?;
            }
            Ok(if short.starts_with("bool") { Reply::Int(holds.into()) } else { Reply::Value(old) })
        }
        _ => arithmetic(context, short, &pointer, cell),
    }
}

/// `fetch_add`, `add_fetch`, `fetch_and_add`, `add_and_fetch`
fn arithmetic<D: Domain>(context: &mut Context<'_, '_, D>, short: &str, pointer: &D::Value, cell: Cell) -> Answered<D> {
    let (word, gives_old) =
        if let Some(word) = short.strip_prefix("fetch_and_").or_else(|| short.strip_prefix("fetch_")) {
            (word, true)
        } else if let Some(word) = short.strip_suffix("_and_fetch").or_else(|| short.strip_suffix("_fetch")) {
            (word, false)
        } else {
            return context.unsupported("this atomic operation");
        };
    let Some(op) = operation(word) else { return context.unsupported("this atomic operation") };
    let old = get(context, pointer, cell)?;
    let new = if cell.scalar.is_pointer() {
        // The amount counts bytes for the built-ins, elements for `<stdatomic.h>`.
        let amount = context.int(1)?;
        let element = if context.name.starts_with("__") { 1 } else { pointed_size(context) };
        let amount = amount * i128::from(element);
        context.offset(&old, if op == BinaryOp::Subtract { -amount } else { amount } as i64)
    } else {
        let value = operand(context, 1, cell.scalar)?;
        let scalar = if cell.scalar == Scalar::Bool { Scalar::U8 } else { cell.scalar };
        let result = context.machine.domain.binary(op, scalar, &old, &value)?;
        if word == "nand" { context.machine.domain.unary(UnaryOp::BitNot, scalar, &result)? } else { result }
    };
    set(context, pointer, cell, &new)?;
    Ok(Reply::Value(if gives_old { old } else { new }))
}

fn pointed_size<D: Domain>(context: &Context<'_, '_, D>) -> u64 {
    let types = &context.machine.program.types;
    let inner = context.pointee(0).and_then(|ty| match *types.get(ty) {
        quod_model::ir::Type::Pointer(pointee) => types.size_of(pointee.ty),
        _ => None,
    });
    inner.unwrap_or(1)
}

fn aggregate<D: Domain>(context: &mut Context<'_, '_, D>, short: &str, ty: TypeId) -> Answered<D> {
    let Some(size) = context.machine.program.types.size_of(ty) else {
        return context.unsupported("an object of unknown size");
    };
    let (object, other) = (context.pointer(0)?, context.pointer(1)?);
    match short {
        "load" => context.machine.domain.copy(&mut context.state.memory, &other, &object, size)?,
        "store" => context.machine.domain.copy(&mut context.state.memory, &object, &other, size)?,
        _ => return context.unsupported("this atomic operation on a record"),
    }
    Ok(Reply::Nothing)
}

fn cell<D: Domain>(context: &Context<'_, '_, D>, ty: TypeId) -> Option<Cell> {
    let program = context.machine.program;
    let scalar = Scalar::of(&program.types, program.arithmetic, ty)?;
    Some(Cell { scalar, size: program.types.size_of(ty)? as u8 })
}

fn get<D: Domain>(context: &mut Context<'_, '_, D>, pointer: &D::Value, cell: Cell) -> Outcome<D> {
    context.machine.domain.load(&mut context.state.memory, pointer, cell)
}

fn set<D: Domain>(
    context: &mut Context<'_, '_, D>,
    pointer: &D::Value,
    cell: Cell,
    value: &D::Value,
) -> Outcome<D, ()> {
    context.machine.domain.store(&mut context.state.memory, pointer, cell, value)
}

fn operand<D: Domain>(context: &mut Context<'_, '_, D>, index: usize, scalar: Scalar) -> Outcome<D> {
    let (value, from) = (context.value(index)?, context.scalar(index));
    if from == scalar { Ok(value) } else { context.machine.domain.convert(from, scalar, &value) }
}

fn indirect<D: Domain>(context: &mut Context<'_, '_, D>, index: usize, cell: Cell) -> Outcome<D> {
    let pointer = context.pointer(index)?;
    get(context, &pointer, cell)
}

fn is_equal<D: Domain>(
    context: &mut Context<'_, '_, D>,
    scalar: Scalar,
    a: &D::Value,
    b: &D::Value,
) -> Outcome<D, bool> {
    match context.machine.domain.compare(BinaryOp::Equal, scalar, a, b) {
        Truth::Known(known) => Ok(known),
        Truth::Unknown(_) => context.unsupported("a value that is not known"),
    }
}
