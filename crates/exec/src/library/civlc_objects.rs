//! CIVL-C on whole objects: `$equals`, and any value for an array or a record.

use super::context::{Context, Reply};
use super::{Answered, civl_data};
use crate::domain::{Domain, Outcome, Truth};
use crate::scalar::{Cell, Scalar};
use quod_model::ir::{BinaryOp, RecordKind, Type, TypeId};
use quod_verdict::CheckKind;

/// Deep equality of two objects: as long as each other, and equal in each element.
pub(super) fn equals<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let truth = compare(context)?;
    let scalar = context.result.unwrap_or(Scalar::Bool);
    Ok(Reply::Value(context.machine.domain.truth_value(truth, scalar)))
}

/// Equality of what the first two arguments point to.
pub(super) fn compare<D: Domain>(context: &mut Context<'_, '_, D>) -> Outcome<D, Truth<D::Condition>> {
    let (left, right) = (context.pointer(0)?, context.pointer(1)?);
    let (left_size, right_size) = (civl_data::whole(context, 0, &left)?, civl_data::whole(context, 1, &right)?);
    if left_size != right_size {
        return Ok(Truth::Known(false));
    }
    // By its parts where the type says what they are: what lies between them is nobody's value.
    let mut cells = Vec::new();
    let ty = context.pointee(0).filter(|&ty| !matches!(context.machine.program.types.get(ty), Type::Void));
    if ty.is_none_or(|ty| collect(context, ty, 0, left_size, &mut cells).is_err()) {
        return context.machine.domain.same_contents(&mut context.state.memory, &left, &right, left_size);
    }
    let mut all = Truth::Known(true);
    for (offset, cell) in cells {
        let (a, b) = (context.offset(&left, offset as i64), context.offset(&right, offset as i64));
        let domain = &mut context.machine.domain;
        let a = domain.load(&mut context.state.memory, &a, cell)?;
        let b = domain.load(&mut context.state.memory, &b, cell)?;
        let same = domain.compare(BinaryOp::Equal, cell.scalar, &a, &b);
        all = domain.both(all, same);
    }
    Ok(all)
}

/// Any value of its type for the object that the argument points to.
pub(super) fn havoc<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let pointer = context.value(0)?;
    let ty = context.argument(0)?.ty;
    let cell = innermost(context, ty);
    if context.machine.domain.open_extent(&mut context.state.memory, &pointer).is_some()
        && context.machine.domain.havoc_open(&mut context.state.memory, &pointer, cell)?
    {
        return Ok(Reply::Nothing);
    }
    let Some(size) = context.machine.domain.extent(&context.state.memory, &pointer) else {
        return context.fault(CheckKind::InvalidDeref, "an unknown value for no object");
    };
    let size = context.machine.program.types.size_of(ty).map_or(size, |fixed| fixed.min(size));
    let mut cells = Vec::new();
    collect(context, ty, 0, size, &mut cells)?;
    // Values first: an operation that is done again must have had no effect.
    for (offset, cell) in cells {
        let value = context.machine.domain.unknown(&mut context.state.memory, cell.scalar, None)?;
        let at = context.offset(&pointer, offset as i64);
        context.machine.domain.store(&mut context.state.memory, &at, cell, &value)?;
    }
    Ok(Reply::Nothing)
}

/// The scalar that arrays of arrays consist of.
fn innermost<D: Domain>(context: &Context<'_, '_, D>, mut ty: TypeId) -> Option<Cell> {
    let program = context.machine.program;
    while let Type::Array { element, .. } = *program.types.get(ty) {
        ty = element.ty;
    }
    let scalar = Scalar::of(&program.types, program.arithmetic, ty)?;
    Some(Cell { scalar, size: u8::try_from(program.types.size_of(ty)?).ok()? })
}

/// The scalars of a type, at their offsets; arrays of variable length fill the size.
pub(super) fn collect<D: Domain>(
    context: &Context<'_, '_, D>,
    ty: TypeId,
    offset: u64,
    size: u64,
    cells: &mut Vec<(u64, Cell)>,
) -> Outcome<D, ()> {
    let program = context.machine.program;
    if let Some(scalar) = Scalar::of(&program.types, program.arithmetic, ty) {
        let size = program.types.size_of(ty).unwrap_or(1).min(255) as u8;
        cells.push((offset, Cell { scalar, size }));
        return Ok(());
    }
    match *program.types.get(ty) {
        Type::Array { element, .. } => {
            // Below arrays of variable length, the innermost element decides.
            let mut element = element.ty;
            while program.types.size_of(element).is_none()
                && let Type::Array { element: inner, .. } = *program.types.get(element)
            {
                element = inner.ty;
            }
            let Some(each) = program.types.size_of(element).filter(|&each| each > 0) else {
                return context.unsupported("an element without a size");
            };
            for index in 0..size / each {
                collect(context, element, offset + index * each, each, cells)?;
            }
            Ok(())
        }
        Type::Record(id) if program.types.records[id].kind == RecordKind::Struct => {
            let record = &program.types.records[id];
            let (Some(fields), Some(layout)) = (&record.fields, program.types.record_layout(id)) else {
                return context.unsupported("a record without a size");
            };
            for (field, &position) in fields.iter().zip(layout.offsets.iter()) {
                let Some(size) = program.types.size_of(field.ty.ty).filter(|_| field.bits.is_none()) else {
                    return context.unsupported("a member of this type");
                };
                collect(context, field.ty.ty, offset + position / 8, size, cells)?;
            }
            Ok(())
        }
        _ => context.unsupported("an unknown value of this type"),
    }
}
