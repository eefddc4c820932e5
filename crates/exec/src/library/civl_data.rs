//! `<seq.cvh>`, `<bundle.cvh>`, `<pointer.cvh>`, `<domain.cvh>`: values of CIVL-C.

use super::context::{Context, Reply};
use super::world::CivlValue;
use super::{Answered, LibraryFunction};
use crate::domain::{Domain, ObjectKind, Outcome};
use crate::fault::Fault;
use quod_model::ir::{IntKind, Type};
use quod_verdict::CheckKind;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "$seq_length" => |context| {
            let (pointer, size) = (context.pointer(0)?, element(context, 0));
            Ok(Reply::Int((extent(context, &pointer)? / size).into()))
        },
        "$seq_init" => |context| {
            let (pointer, count, value) = (context.pointer(0)?, context.int(1)?, context.value(2)?);
            if count < 0 {
                return context.fault(CheckKind::Sequence, "a sequence of negative length");
            }
            let size = element(context, 0);
            context.machine.domain.resize(&mut context.state.memory, &pointer, size * count as u64)?;
            if !context.is_null(&value) {
                for index in 0..count {
                    let slot = context.offset(&pointer, index as i64 * size as i64);
                    context.machine.domain.copy(&mut context.state.memory, &slot, &value, size)?;
                }
            }
            Ok(Reply::Nothing)
        },
        "$seq_append" => |context| {
            let (pointer, values, count) = (context.pointer(0)?, context.value(1)?, context.int(2)?);
            let length = extent(context, &pointer)? / element(context, 0);
            insert(context, &pointer, length.into(), &values, count)
        },
        "$seq_insert" => |context| {
            let (pointer, index, values, count) =
                (context.pointer(0)?, context.int(1)?, context.value(2)?, context.int(3)?);
            insert(context, &pointer, index, &values, count)
        },
        "$seq_remove" => |context| {
            let (pointer, index, to, count) =
                (context.pointer(0)?, context.int(1)?, context.value(2)?, context.int(3)?);
            let size = element(context, 0);
            let total = extent(context, &pointer)?;
            let length = i128::from(total / size);
            if index < 0 || count < 0 || index + count > length {
                return context.fault(
                    CheckKind::Sequence,
                    format!("{count} elements from index {index} are removed from a sequence of {length}"),
                );
            }
            let start = context.offset(&pointer, index as i64 * size as i64);
            let bytes = count as u64 * size;
            if !context.is_null(&to) && bytes > 0 {
                context.machine.domain.copy(&mut context.state.memory, &to, &start, bytes)?;
            }
            let rest = context.offset(&start, bytes as i64);
            let moved = total - index as u64 * size - bytes;
            context.machine.domain.copy(&mut context.state.memory, &start, &rest, moved)?;
            context.machine.domain.resize(&mut context.state.memory, &pointer, total - bytes)?;
            Ok(Reply::Nothing)
        },
        "$bundle_size" => |context| {
            let bundle = context.value(0)?;
            Ok(Reply::Int(unpacked(context, &bundle)?.1.into()))
        },
        "$bundle_pack" => |context| {
            let (from, size) = (context.value(0)?, context.size(1)?);
            let object = context.allocate(size, ObjectKind::Library, false, "")?;
            if size > 0 {
                context.machine.domain.copy(&mut context.state.memory, &object, &from, size)?;
            }
            context.state.world.civl.push(CivlValue::Bundle { object, size });
            let number = context.state.world.civl.len() as i128;
            let record = context.allocate(8, ObjectKind::Arguments, true, "")?;
            context.store_int(&record, IntKind::Int, number)?;
            let second = context.offset(&record, 4);
            context.store_int(&second, IntKind::Int, size.into())?;
            Ok(Reply::At(record))
        },
        "$bundle_unpack" => |context| {
            let (bundle, to) = (context.value(0)?, context.value(1)?);
            let (object, size) = unpacked(context, &bundle)?;
            context.machine.domain.copy(&mut context.state.memory, &to, &object, size)?;
            Ok(Reply::Nothing)
        },
        "$equals" => |context| Ok(Reply::Int(equals(context)?.into())),
        "$assert_equals" => |context| {
            if equals(context)? {
                return Ok(Reply::Nothing);
            }
            Err(Fault::new(CheckKind::Assertion, "assertion fails").label("the two objects differ").into())
        },
        "$copy" => |context| {
            let (to, from) = (context.pointer(0)?, context.pointer(1)?);
            let size = extent(context, &to)?.min(extent(context, &from)?);
            context.machine.domain.copy(&mut context.state.memory, &to, &from, size)?;
            Ok(Reply::Nothing)
        },
        "$set_default" | "$default_value" => |context| {
            let to = context.pointer(0)?;
            let size = extent(context, &to)?;
            context.machine.domain.fill(&mut context.state.memory, &to, 0, size)?;
            Ok(Reply::Nothing)
        },
        "$pointer_add" => |context| {
            let (pointer, index, size) = (context.pointer(0)?, context.int(1)?, context.int(2)?);
            Ok(Reply::Value(context.offset(&pointer, (index * size) as i64)))
        },
        "$high_of_regular_range" | "$low_of_regular_range" | "$step_of_regular_range" => |context| {
            let handle = context.int(0)?;
            match usize::try_from(handle - 1).ok().and_then(|index| context.state.world.civl.get(index)) {
                Some(CivlValue::Range { low, high, step }) => Ok(Reply::Int(match context.name {
                    "$high_of_regular_range" => *high,
                    "$low_of_regular_range" => *low,
                    _ => *step,
                })),
                _ => context.fault(CheckKind::Library, "this is no regular range"),
            }
        },
        "$dimension_of" => |context| {
            let handle = context.int(0)?;
            match usize::try_from(handle - 1).ok().and_then(|index| context.state.world.civl.get(index)) {
                Some(CivlValue::Domain(ranges)) => Ok(Reply::Int(ranges.len() as i128)),
                _ => context.fault(CheckKind::Library, "this is no domain"),
            }
        },
        "$range_of_rectangular_domain" => |context| {
            let (handle, which) = (context.int(0)?, context.int(1)? as usize);
            let range = match usize::try_from(handle - 1).ok().and_then(|index| context.state.world.civl.get(index)) {
                Some(CivlValue::Domain(ranges)) => ranges.get(which).copied(),
                _ => None,
            };
            let Some((low, high, step)) = range else {
                return context.fault(CheckKind::Library, "the domain has no such dimension");
            };
            context.state.world.civl.push(CivlValue::Range { low, high, step });
            Ok(Reply::Int(context.state.world.civl.len() as i128))
        },
        "$is_rectangular_domain" | "$is_regular_range" => |_| Ok(Reply::Int(1)),
        _ => return None,
    })
}

/// The size of the elements of the sequence that an argument points to.
fn element<D: Domain>(context: &Context<'_, '_, D>, index: usize) -> u64 {
    let types = &context.machine.program.types;
    let size = context.pointee(index).and_then(|ty| match *types.get(ty) {
        Type::Array { element, .. } => types.size_of(element.ty),
        _ => types.size_of(ty),
    });
    size.unwrap_or(1).max(1)
}

fn extent<D: Domain>(context: &mut Context<'_, '_, D>, pointer: &D::Value) -> Outcome<D, u64> {
    match context.machine.domain.extent(&context.state.memory, pointer) {
        Some(extent) => Ok(extent),
        None => context.fault(CheckKind::InvalidDeref, "a pointer to no living object"),
    }
}

fn insert<D: Domain>(
    context: &mut Context<'_, '_, D>,
    pointer: &D::Value,
    index: i128,
    values: &D::Value,
    count: i128,
) -> Answered<D> {
    let size = element(context, 0);
    let total = extent(context, pointer)?;
    let length = i128::from(total / size);
    if index < 0 || index > length || count < 0 {
        return context.fault(
            CheckKind::Sequence,
            format!("{count} elements are inserted at index {index} of a sequence of {length}"),
        );
    }
    let bytes = count as u64 * size;
    context.machine.domain.resize(&mut context.state.memory, pointer, total + bytes)?;
    let start = context.offset(pointer, index as i64 * size as i64);
    let rest = context.offset(&start, bytes as i64);
    let moved = total - index as u64 * size;
    context.machine.domain.copy(&mut context.state.memory, &rest, &start, moved)?;
    if bytes > 0 {
        context.machine.domain.copy(&mut context.state.memory, &start, values, bytes)?;
    }
    Ok(Reply::Nothing)
}

/// The bytes of a bundle, by the address of its record.
pub(super) fn unpacked<D: Domain>(context: &mut Context<'_, '_, D>, bundle: &D::Value) -> Outcome<D, (D::Value, u64)> {
    let number = context.load_int(bundle, IntKind::Int)?;
    match usize::try_from(number - 1).ok().and_then(|index| context.state.world.civl.get(index)) {
        Some(CivlValue::Bundle { object, size }) => Ok((object.clone(), *size)),
        _ => context.fault(CheckKind::Library, "this bundle was never packed"),
    }
}

/// The objects that two pointers point to have the same bytes.
fn equals<D: Domain>(context: &mut Context<'_, '_, D>) -> Outcome<D, bool> {
    let (a, b) = (context.pointer(0)?, context.pointer(1)?);
    let (first, second) = (extent(context, &a)?, extent(context, &b)?);
    let known = context.pointee(0).and_then(|ty| {
        let types = &context.machine.program.types;
        if matches!(types.get(ty), Type::Void) { None } else { types.size_of(ty) }
    });
    if known.is_none() && first != second {
        return Ok(false);
    }
    let size = known.unwrap_or(first).min(first).min(second);
    Ok(context.read(&a, size)? == context.read(&b, size)?)
}
