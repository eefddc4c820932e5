//! Rows of arrays of arrays whose lengths only the object knows (`float a[][]`).

use super::civl_pointer::origin;
use super::context::{Context, Reply};
use crate::domain::{Domain, Outcome, Truth};
use crate::fault::Fault;
use quod_model::ir::{BinaryOp, Type};
use quod_verdict::CheckKind;

pub(super) fn builtin<D: Domain>(context: &mut Context<'_, '_, D>, name: &str) -> Outcome<D, Option<Reply<D::Value>>> {
    Ok(Some(match name {
        "$keep_rows" => {
            let pointer = context.value(0)?;
            let mut rows = Vec::new();
            for index in 1..context.arguments.len() {
                let size = context.value(index)?;
                if context.machine.domain.is_open_number(&context.state.memory, &size) {
                    // Rows of unknown length are found by who knows the type.
                    return Ok(Some(Reply::Nothing));
                }
                rows.push(context.size(index)?);
            }
            context.machine.domain.keep_rows(&mut context.state.memory, &pointer, &rows);
            Reply::Nothing
        }
        "$row_size" => match rows(context)? {
            Some((size, _)) => Reply::Int(size.into()),
            None => return context.unsupported("the rows of an object whose shape is not known"),
        },
        "$row_check" => {
            let is_on = context.machine.settings.checks.contains(CheckKind::OutOfBounds);
            if is_on && let Some((size, each)) = rows(context)? {
                in_row(context, size / each.max(1))?;
            }
            Reply::Int(1)
        }
        "$array_fits" => {
            let (scalar, other) = (context.scalar(0), context.scalar(1));
            let (left, right) = (context.value(0)?, context.value(1)?);
            let right = context.machine.domain.convert(other, scalar, &right)?;
            let same = context.machine.domain.compare(BinaryOp::Equal, scalar, &left, &right);
            if !context.decide(same)? {
                return Err(different().into());
            }
            Reply::Int(1)
        }
        // An array without a length becomes as long as another one.
        "$array_take" | "$array_take_sized" => {
            let (to, from) = (context.value(0)?, context.value(1)?);
            let size = match name {
                "$array_take" => super::civl_data::extent(context, &from)?,
                _ => context.size(2)?,
            };
            let rows = context.machine.domain.rows(&context.state.memory, &from);
            if context.address(&to)? == context.address(&from)? {
                return Ok(Some(Reply::Int(1)));
            }
            // Where it is done again, it is done again from the beginning.
            let (domain, memory) = (&mut context.machine.domain, &mut context.state.memory);
            domain.resize(memory, &to, size)?;
            domain.copy(memory, &to, &from, size)?;
            if let Some(rows) = rows.filter(|_| name == "$array_take") {
                domain.keep_rows(memory, &to, &rows);
            }
            Reply::Int(1)
        }
        // An array with a length gets the elements of one that must be as long.
        "$array_give_sized" => {
            let (to, from, size) = (context.value(0)?, context.value(1)?, context.size(2)?);
            if super::civl_data::extent(context, &from)? != size {
                return Err(different().into());
            }
            context.machine.domain.copy(&mut context.state.memory, &to, &from, size)?;
            Reply::Int(1)
        }
        _ => return Ok(None),
    }))
}

fn different() -> Fault {
    Fault::new(CheckKind::ArraySize, "an array is assigned to one of another length").label("they differ in length")
}

/// The size of a row with so many dimensions, and of its elements.
fn rows<D: Domain>(context: &mut Context<'_, '_, D>) -> Outcome<D, Option<(u64, u64)>> {
    let (pointer, depth) = (context.value(0)?, context.int(1)? as usize);
    let known = match context.machine.domain.rows(&context.state.memory, &pointer) {
        Some(rows) => Some(rows),
        None => declared(context, &pointer),
    };
    let Some(rows) = known else { return Ok(None) };
    // The innermost element is no row.
    let Some(at) = rows.len().checked_sub(depth + 1) else { return Ok(None) };
    Ok(Some((rows[at], rows[at + 1])))
}

/// The sizes of the rows of a variable with fixed lengths.
fn declared<D: Domain>(context: &mut Context<'_, '_, D>, pointer: &D::Value) -> Option<Vec<u64>> {
    let (ty, _) = origin(context, pointer)?;
    let types = &context.machine.program.types;
    let (mut rows, mut ty) = (Vec::new(), ty?);
    while let Type::Array { element, .. } = *types.get(ty) {
        ty = element.ty;
        rows.push(types.size_of(ty)?);
    }
    (rows.len() > 1).then_some(rows)
}

fn in_row<D: Domain>(context: &mut Context<'_, '_, D>, count: u64) -> Outcome<D, ()> {
    let (index, scalar) = (context.value(2)?, context.scalar(2));
    let domain = &mut context.machine.domain;
    let (zero, count_value) = (domain.integer(0, scalar), domain.integer(count.into(), scalar));
    let above = domain.compare(BinaryOp::GreaterEqual, scalar, &index, &zero);
    let below = domain.compare(BinaryOp::Less, scalar, &index, &count_value);
    let inside: Truth<D::Condition> = domain.both(above, below);
    if context.decide(inside)? {
        return Ok(());
    }
    let shown = context.machine.domain.display(&index, scalar);
    let fault = Fault::new(CheckKind::OutOfBounds, "an index outside of its row");
    Err(fault.label(format!("the index is {shown}, the row has {count} elements")).into())
}
