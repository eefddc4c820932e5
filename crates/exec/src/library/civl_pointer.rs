//! `<pointer.cvh>`: whole objects through pointers.

use super::context::{Context, Reply};
use super::{Answered, LibraryFunction, civl_data, civlc_objects};
use crate::domain::{Domain, Question};
use crate::fault::Fault;
use quod_model::ir::{ArrayLength, Program, RecordKind, Type, TypeId};
use quod_verdict::CheckKind;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "$assert_equals" => |context| {
            let truth = civlc_objects::compare(context)?;
            if context.decide(truth)? {
                return Ok(Reply::Nothing);
            }
            Err(Fault::new(CheckKind::Assertion, "assertion fails").label("the two objects differ").into())
        },
        "$copy" => |context| {
            let (to, from) = (context.pointer(0)?, context.pointer(1)?);
            let (room, size) = (civl_data::whole(context, 0, &to)?, civl_data::whole(context, 1, &from)?);
            if room != size {
                let text = format!("an object of {size} bytes is copied to one of {room}");
                return context.fault(CheckKind::InvalidDeref, text);
            }
            context.machine.domain.copy(&mut context.state.memory, &to, &from, size)?;
            Ok(Reply::Nothing)
        },
        "$contains" => contains,
        "$translate_ptr" => translate,
        "$pointer_add" => |context| {
            let (pointer, index, size) = (context.pointer(0)?, context.int(1)?, context.int(2)?);
            let bytes = index.checked_mul(size).and_then(|bytes| i64::try_from(bytes).ok());
            let Some(bytes) = bytes else { return context.unsupported("this distance") };
            Ok(Reply::Value(context.offset(&pointer, bytes)))
        },
        _ => return None,
    })
}

/// The second object lies inside the first.
fn contains<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (outer, inner) = (context.pointer(0)?, context.pointer(1)?);
    let (outer_size, inner_size) = (civl_data::whole(context, 0, &outer)?, civl_data::whole(context, 1, &inner)?);
    let question = Question::SameObject { left: outer.clone(), right: inner.clone() };
    let truth = context.machine.domain.ask(&context.state.memory, &question);
    if !context.decide(truth)? {
        return Ok(Reply::Int(0));
    }
    let (Some((_, outer_start)), Some((_, inner_start))) = (origin(context, &outer), origin(context, &inner)) else {
        return context.unsupported("a pointer to an unknown place");
    };
    let is_inside = outer_start <= inner_start && inner_start + inner_size <= outer_start + outer_size;
    Ok(Reply::Int(is_inside.into()))
}

/// The declared type of the object that a pointer points into, and the offset there.
pub(super) fn origin<D: Domain>(context: &mut Context<'_, '_, D>, pointer: &D::Value) -> Option<(Option<TypeId>, u64)> {
    let (name, span, offset) = context.machine.domain.origin(&context.state.memory, pointer)?;
    let program = context.machine.program;
    let global = program.globals.iter().find(|global| Some(global.name) == name && global.span == span);
    let ty = global.map(|global| global.ty).or_else(|| {
        let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
        let mut locals = bodies.flat_map(|body| body.locals.iter());
        locals.find(|local| local.name.is_some() && local.name == name && local.span == span).map(|local| local.ty)
    });
    Some((ty, offset))
}

/// The place in the second object that corresponds to where the first pointer points in its own.
fn translate<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (pointer, object) = (context.pointer(0)?, context.pointer(1)?);
    let Some((Some(from), offset)) = origin(context, &pointer) else {
        return context.unsupported("a pointer into an object without a declared type");
    };
    let Some(to) = context.pointee(1) else { return context.unsupported("an object without a type") };
    let program = context.machine.program;
    match corresponding(program, from, to, offset) {
        Ok(Some(bytes)) => Ok(Reply::Value(context.offset(&object, bytes as i64))),
        Ok(None) => context.unsupported("this place"),
        Err(()) => context.fault(CheckKind::InvalidCast, "the second object has no such place"),
    }
}

/// The offset in the second type; an error where it has no such part, nothing where the part is not certain.
fn corresponding(program: &Program, mut from: TypeId, mut to: TypeId, mut offset: u64) -> Result<Option<u64>, ()> {
    let types = &program.types;
    let mut result = 0;
    loop {
        if from == to {
            return Ok(Some(result + offset));
        }
        match (types.get(from), types.get(to)) {
            (Type::Array { element: a, .. }, Type::Array { element: b, length }) => {
                let (Some(each), Some(other)) = (types.size_of(a.ty), types.size_of(b.ty)) else { return Ok(None) };
                let index = offset / each.max(1);
                if matches!(length, ArrayLength::Fixed(count) if index >= *count) {
                    return Err(());
                }
                (result, offset) = (result + index * other, offset % each.max(1));
                (from, to) = (a.ty, b.ty);
            }
            (Type::Record(a), Type::Record(b)) => {
                let (first, second) = (&types.records[*a], &types.records[*b]);
                let (Some(fields), Some(others)) = (&first.fields, &second.fields) else { return Ok(None) };
                let is_union = first.kind == RecordKind::Union;
                if first.kind != second.kind || is_union && fields.len() != others.len() {
                    return Err(());
                }
                let (Some(layout), Some(other)) = (types.record_layout(*a), types.record_layout(*b)) else {
                    return Ok(None);
                };
                if is_union {
                    return Ok(None);
                }
                let Some(index) = layout.offsets.iter().rposition(|start| start / 8 <= offset) else { return Ok(None) };
                let Some(target) = other.offsets.get(index) else { return Err(()) };
                (result, offset) = (result + target / 8, offset - layout.offsets[index] / 8);
                (from, to) = (fields[index].ty.ty, others[index].ty.ty);
            }
            (Type::Array { .. } | Type::Record(_), _) if offset > 0 => return Err(()),
            // An array's or record's first part, and what is no part.
            _ if offset == 0 => return Ok(Some(result)),
            _ => return Err(()),
        }
    }
}
