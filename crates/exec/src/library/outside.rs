//! Functions whose results the outside chooses: clocks, random numbers, input. Where someone drives the executor, every
//! result that they may give is an unknown value with the function's name, so that all of them are looked at, and a
//! replay is given the same ones.

use super::context::{Context, Reply};
use super::{Answered, LibraryFunction};
use crate::domain::{Domain, Outcome, Truth};
use crate::fault::{Fault, Trouble};
use crate::scalar::{Cell, Scalar};
use quod_base::Symbol;
use quod_model::ir::{Arithmetic, BinaryOp, FunctionId, IntKind, Program, Type, TypeId};

/// What a program reads, in CIVL-C as well: any characters and numbers.
pub(crate) fn input<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "getchar" | "fgetc" | "getc" => |context| match picked(context, 2)? {
            0 => {
                let (value, cell) = any_byte(context, (0, 255))?;
                let int = context.int_kind(IntKind::Int);
                context.machine.domain.convert(cell.scalar, int, &value).map(Reply::Value)
            }
            _ => Ok(Reply::Int(-1)),
        },
        "scanf" | "__isoc99_scanf" => |context| scan(context, 0),
        "fscanf" | "__isoc99_fscanf" => |context| scan(context, 1),
        "fgets" => |context| {
            let (to, size) = (context.pointer(0)?, context.size(1)?);
            if size == 0 || size > 4096 {
                return context.unsupported("this size");
            }
            careful(context, |context| {
                for at in 0..size - 1 {
                    let (byte, cell) = any_byte(context, (-128, 127))?;
                    let place = context.offset(&to, at as i64);
                    context.machine.domain.store(&mut context.state.memory, &place, cell, &byte)?;
                }
                let end = context.offset(&to, size as i64 - 1);
                context.write(&end, &[0])?;
                match picked(context, 2)? {
                    0 => Ok(Reply::Value(to.clone())),
                    _ => Ok(Reply::Value(context.null())),
                }
            })
        },
        _ => return None,
    })
}

/// Any character; an ideal one is a number between the limits.
fn any_byte<D: Domain>(context: &mut Context<'_, '_, D>, limits: (i128, i128)) -> Outcome<D, (D::Value, Cell)> {
    let scalar = match context.machine.program.arithmetic {
        Arithmetic::Machine => Scalar::U8,
        Arithmetic::Ideal => Scalar::Integer,
    };
    let value = unknown(context, scalar, if limits.0 < 0 { "fgets" } else { "getchar" })?;
    if scalar == Scalar::Integer {
        context.machine.domain.assume_between(&mut context.state.memory, &value, scalar, limits);
    }
    Ok((value, Cell { scalar, size: 1 }))
}

pub(crate) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "rand" | "random" | "lrand48" => |context| {
            let scalar = context.result.unwrap_or(Scalar::I32);
            let value = unknown(context, scalar, "rand")?;
            natural(context, value, scalar, 0x7fff_ffff).map(Reply::Value)
        },
        "srand" | "srandom" | "srand48" => |_| Ok(Reply::Nothing),
        "time" | "clock" => |context| {
            let scalar = context.int_kind(IntKind::Long);
            let slot = if context.name == "time" { context.value(0)? } else { context.null() };
            let is_stored = !context.is_null(&slot);
            careful(context, |context| {
                let value = unknown(context, scalar, "time")?;
                let bits = scalar.int_format().map_or(32, |format| format.bits);
                let value = natural(context, value, scalar, (1 << (bits - 1)) - 1)?;
                if is_stored {
                    context.store(&slot, scalar, &value)?;
                }
                Ok(Reply::Value(value))
            })
        },
        "__VERIFIER_assume" => |context| match decide(context, 0)? {
            true => Ok(Reply::Nothing),
            false => Ok(Reply::Vanish),
        },
        "pthread_cond_signal" => |context| {
            let pointer = context.pointer(0)?;
            let address = context.address(&pointer)?;
            let waiting = context.state.world.conditions.get(&address).map_or(0, |condition| condition.waiting.len());
            if waiting > 0 {
                let woken = picked(context, waiting as i128)? as usize;
                let condition = context.state.world.conditions.entry(address).or_default();
                if woken < condition.waiting.len() {
                    condition.waiting.remove(woken);
                }
            }
            Ok(Reply::Int(0))
        },
        _ => return input(name).or_else(|| super::remote::find(name)),
    })
}

/// A function that is declared and defined nowhere, and that is given nothing that it could write to: its result is any
/// value, and the program's own variables stay as they are.
pub(crate) fn harmless<D: Domain>(program: &Program, function: FunctionId) -> Option<LibraryFunction<D>> {
    let declared = &program.functions[function];
    if declared.is_noreturn || program.arithmetic == Arithmetic::Ideal {
        return None;
    }
    // Functions of CBMC's front end have meanings of their own.
    if super::find::<D>(declared.name.as_str()).is_some() || declared.name.as_str().starts_with("__CPROVER_") {
        return None;
    }
    let Type::Function(id) = *program.types.get(declared.ty) else { return None };
    let ty = &program.types.functions[id];
    let has_result = is_number(program, ty.result) || matches!(program.types.get(ty.result), Type::Void);
    let is_known = !ty.is_variadic && has_result && ty.parameters.iter().all(|&ty| is_harmless(program, ty));
    is_known.then_some(|context: &mut Context<'_, '_, D>| {
        // Without a prototype only the call says what is given.
        let program = context.machine.program;
        if !context.arguments.iter().all(|argument| is_harmless(program, argument.ty)) {
            return Err(Fault::unsupported(format_args!("the function `{}`", context.name))
                .label("called here")
                .into());
        }
        match context.result {
            None => Ok(Reply::Nothing),
            Some(scalar) => {
                let name = Symbol::intern(context.name);
                context.machine.domain.unknown(&mut context.state.memory, scalar, Some(name)).map(Reply::Value)
            }
        }
    })
}

fn is_number(program: &Program, ty: TypeId) -> bool {
    matches!(program.types.get(ty), Type::Int(_) | Type::Bool | Type::Float(_) | Type::Enum(_))
}

/// A number, or something that can only be read.
fn is_harmless(program: &Program, ty: TypeId) -> bool {
    match program.types.get(ty) {
        Type::Pointer(to) => to.qualifiers.is_const && is_number(program, to.ty),
        _ => is_number(program, ty),
    }
}

pub(super) fn unknown<D: Domain>(context: &mut Context<'_, '_, D>, scalar: Scalar, name: &str) -> Outcome<D> {
    context.machine.domain.unknown(&mut context.state.memory, scalar, Some(Symbol::intern(name)))
}

/// The value cut down to these bits, so that it is not negative.
fn natural<D: Domain>(context: &mut Context<'_, '_, D>, value: D::Value, scalar: Scalar, mask: i128) -> Outcome<D> {
    let mask = context.integer(mask, scalar);
    context.machine.domain.binary(BinaryOp::BitAnd, scalar, &value, &mask)
}

/// Is the argument true? Where that is open, the call is made again under each answer.
fn decide<D: Domain>(context: &mut Context<'_, '_, D>, index: usize) -> Outcome<D, bool> {
    let (value, scalar) = (context.value(index)?, context.scalar(index));
    match context.machine.domain.truth(&context.state.memory, scalar, &value) {
        Truth::Known(known) => Ok(known),
        Truth::Unknown(condition) => {
            let int = Scalar::I32;
            let as_int = context.machine.domain.truth_value(Truth::Unknown(condition.clone()), int);
            let zero = context.integer(0, int);
            match context.machine.domain.compare(BinaryOp::Equal, int, &as_int, &zero) {
                Truth::Unknown(negated) => Err(Trouble::Split(vec![condition, negated])),
                Truth::Known(is_false) => Ok(!is_false),
            }
        }
    }
}

/// One of so many ways, as who drives the executor says.
pub(super) fn picked<D: Domain>(context: &mut Context<'_, '_, D>, count: i128) -> Outcome<D, i128> {
    match context.state.world.pick.take() {
        Some(pick) => Ok(pick),
        None if count <= 1 => Ok(0),
        None => Err(Trouble::Pick(count)),
    }
}

/// What stops half-way has had no effect.
pub(super) fn careful<D: Domain>(
    context: &mut Context<'_, '_, D>,
    act: impl FnOnce(&mut Context<'_, '_, D>) -> Answered<D>,
) -> Answered<D> {
    // Only unknown values can stop: a domain that has none needs no copy.
    let before = D::HAS_UNSET.then(|| context.state.memory.clone());
    let answer = act(context);
    if let (Err(_), Some(before)) = (&answer, before) {
        context.state.memory = before;
    }
    answer
}

/// `scanf` of numbers: each gets any value, or the input ends before it.
fn scan<D: Domain>(context: &mut Context<'_, '_, D>, format: usize) -> Answered<D> {
    let text = context.string(format)?;
    let Some(cells) = conversions(context, &text) else { return context.unsupported("this format") };
    let read = match picked(context, cells.len() as i128 + 2) {
        Ok(read) => read - 1,
        Err(trouble) => return Err(trouble),
    };
    let pick = context.state.world.pick;
    let answer = careful(context, |context| {
        for (index, &cell) in cells.iter().enumerate().take(read.max(0) as usize) {
            let slot = context.pointer(format + 1 + index)?;
            let value = unknown(context, cell.scalar, "scanf")?;
            if cell.scalar == Scalar::Integer && cell.size == 1 {
                context.machine.domain.assume_between(&mut context.state.memory, &value, cell.scalar, (-128, 127));
            }
            context.machine.domain.store(&mut context.state.memory, &slot, cell, &value)?;
        }
        Ok(Reply::Int(read))
    });
    if answer.is_err() {
        // The same number of values is read when the call is made again.
        context.state.world.pick = pick.or(Some(read + 1));
    }
    answer
}

/// The kinds of the numbers that a format reads, if it reads nothing else.
fn conversions<D: Domain>(context: &Context<'_, '_, D>, text: &[u8]) -> Option<Vec<Cell>> {
    let text = std::str::from_utf8(text).ok()?;
    let is_ideal = context.machine.program.arithmetic == Arithmetic::Ideal;
    let mut cells = Vec::new();
    let mut parts = text.split('%');
    parts.next();
    for part in parts {
        let end = part.find(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'l' | 'h' | 'z' | 'j'))?;
        let (size, letter) = (&part[..end], part[end..].chars().next()?);
        let kind = match (size, letter) {
            ("", 'd' | 'i') => IntKind::Int,
            ("", 'u' | 'x') => IntKind::UInt,
            ("l", 'd' | 'i') => IntKind::Long,
            ("l", 'u' | 'x') => IntKind::ULong,
            ("ll", 'd' | 'i') => IntKind::LongLong,
            ("ll", 'u' | 'x') => IntKind::ULongLong,
            ("h", 'd' | 'i') => IntKind::Short,
            ("h", 'u') => IntKind::UShort,
            ("hh", 'd' | 'i') | ("", 'c') => IntKind::SChar,
            ("hh", 'u') => IntKind::UChar,
            ("" | "l", 'f' | 'g' | 'e') => {
                let (scalar, size) = if size.is_empty() { (Scalar::F32, 4) } else { (Scalar::F64, 8) };
                cells.push(Cell { scalar: if is_ideal { Scalar::Real } else { scalar }, size });
                continue;
            }
            _ => return None,
        };
        // An ideal number has no sign to leave out.
        if is_ideal && matches!(letter, 'u' | 'x') {
            return None;
        }
        cells.push(Cell { scalar: context.int_kind(kind), size: (kind.bits(context.model()) / 8) as u8 });
    }
    Some(cells)
}
