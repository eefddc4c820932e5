//! `<stdarg.h>`: a `va_list` holds the address of the next argument in the object that a call packed them into.

use super::Answered;
use super::context::{Context, Reply};
use crate::code::Passing;
use crate::domain::{Domain, Outcome};
use crate::scalar::Scalar;
use quod_base::Id;
use quod_verdict::CheckKind;

/// The address of the next argument; the list moves on.
pub(super) fn next_argument<D: Domain>(
    context: &mut Context<'_, '_, D>,
    list: &D::Value,
    passing: Passing,
    size: u64,
) -> Outcome<D> {
    let word = context.model().pointer_size();
    let alignment = match passing {
        Passing::Scalar(Scalar::F80 | Scalar::F128 | Scalar::I128 | Scalar::U128) if word == 8 => 16,
        Passing::Aggregate { alignment, .. } if word == 8 && alignment >= 16 => 16,
        _ => word,
    };
    let next = context.load_pointer(list)?;
    let address = context.address(&next)?;
    let aligned = context.offset(&next, (address.next_multiple_of(alignment) - address) as i64);
    let room = context.machine.domain.extent(&context.state.memory, &aligned);
    if room.is_none_or(|room| room < size) {
        return context.fault(CheckKind::Library, "more variable arguments are taken than were given");
    }
    let after = context.offset(&aligned, size.next_multiple_of(word) as i64);
    context.store_pointer(list, &after)?;
    Ok(aligned)
}

pub(super) fn start<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let list = context.pointer(0)?;
    let arguments = context.state.processes[context.process.index()]
        .frames
        .last()
        .and_then(|frame| frame.extra.as_ref()?.variable_arguments.clone());
    match arguments {
        Some(arguments) => {
            context.store_pointer(&list, &arguments)?;
            Ok(Reply::Nothing)
        }
        None => context.fault(CheckKind::Library, "`va_start` in a function without variable arguments"),
    }
}

pub(super) fn copy<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (to, from) = (context.pointer(0)?, context.pointer(1)?);
    let next = context.load_pointer(&from)?;
    context.store_pointer(&to, &next)?;
    Ok(Reply::Nothing)
}

/// `va_arg(list, T)`
pub(super) fn take<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let list = context.pointer(0)?;
    let ty = context.builtin.and_then(|site| site.types.first().copied()).or(context.result_type);
    let Some(ty) = ty else { return context.unsupported("a type that is not known") };
    let program = context.machine.program;
    let size = program.types.size_of(ty).unwrap_or(0);
    match Scalar::of(&program.types, program.arithmetic, ty) {
        Some(scalar) => {
            let address = next_argument(context, &list, Passing::Scalar(scalar), size)?;
            let cell = crate::scalar::Cell { scalar, size: size as u8 };
            let value = context.machine.domain.load(&mut context.state.memory, &address, cell)?;
            Ok(Reply::Value(value))
        }
        None => {
            let alignment = program.types.preferred_alignment(ty).unwrap_or(1);
            let address = next_argument(context, &list, Passing::Aggregate { size, alignment }, size)?;
            Ok(Reply::At(address))
        }
    }
}
