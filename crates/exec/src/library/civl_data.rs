//! `<seq.cvh>`, `<bundle.cvh>`, `<pointer.cvh>`, `<domain.cvh>`: values of CIVL-C.

use super::context::{Context, Reply};
use super::world::CivlValue;
use super::{Answered, LibraryFunction};
use crate::domain::{Domain, ObjectKind, Outcome};
use crate::scalar::Scalar;
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
            let (from, bytes) = (context.value(0)?, context.value(1)?);
            let object = match packed_open(context, &from, &bytes)? {
                Some(object) => object,
                None => {
                    let size = context.size(1)?;
                    packed(context, &from, size)?
                }
            };
            let record = context.allocate(8, ObjectKind::Arguments, true, "")?;
            context.store_pointer(&record, &object)?;
            Ok(Reply::At(record))
        },
        "$bundle_unpack" => |context| {
            let (bundle, to) = (context.value(0)?, context.value(1)?);
            let packed = context.load_pointer(&bundle)?;
            if let Some(size) = context.machine.domain.open_extent(&mut context.state.memory, &packed) {
                context.machine.domain.copy_open(&mut context.state.memory, &to, &packed, &size)?;
                return Ok(Reply::Nothing);
            }
            let (object, size) = unpacked(context, &bundle)?;
            put(context, &to, &object, size)?;
            Ok(Reply::Nothing)
        },
        "$set_default" | "$default_value" => |context| {
            let to = context.pointer(0)?;
            let size = whole(context, 0, &to)?;
            context.machine.domain.fill(&mut context.state.memory, &to, 0, size)?;
            Ok(Reply::Nothing)
        },
        "$high_of_regular_range" | "$low_of_regular_range" | "$step_of_regular_range" => |context| {
            let handle = context.int(0)?;
            match context.state.world.civl.get(handle) {
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
            match context.state.world.civl.get(handle) {
                Some(CivlValue::Domain(ranges)) => Ok(Reply::Int(ranges.len() as i128)),
                _ => context.fault(CheckKind::Library, "this is no domain"),
            }
        },
        "$range_of_rectangular_domain" => |context| {
            let (handle, which) = (context.int(0)?, context.int(1)? as usize);
            let range = match context.state.world.civl.get(handle) {
                Some(CivlValue::Domain(ranges)) => ranges.get(which).copied(),
                _ => None,
            };
            let Some((low, high, step)) = range else {
                return context.fault(CheckKind::Library, "the domain has no such dimension");
            };
            Ok(Reply::Int(context.state.world.keep(CivlValue::Range { low, high, step })))
        },
        "$domain_partition" => partition,
        "$is_rectangular_domain" | "$is_regular_range" => |_| Ok(Reply::Int(1)),
        _ => return None,
    })
}

/// `subdomains` of `$domain_decomposition` has room for so many.
const PARTS: i128 = 64;

/// Divides a domain: everything for each (0), or the tuples dealt out in turn (2).
fn partition<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (handle, strategy, count) = (context.int(0)?, context.int(1)?, context.int(2)?);
    let found = context.state.world.civl.get(handle).cloned();
    let Some(domain) = found else { return context.fault(CheckKind::Library, "this is no domain") };
    if !(1..=PARTS).contains(&count) || !matches!(strategy, 0 | 2) {
        return context.unsupported("this strategy or this number of parts");
    }
    let Some(tuples) = super::civlc::tuples(&domain) else { return context.unsupported("a domain of this size") };
    let record = context.allocate(8 + 8 * PARTS as u64, ObjectKind::Arguments, true, "parts")?;
    context.store_int(&record, IntKind::Int, count)?;
    for part in 0..count {
        let mine = match strategy {
            0 => tuples.clone(),
            _ => tuples.iter().skip(part as usize).step_by(count as usize).cloned().collect(),
        };
        let number = context.state.world.keep(CivlValue::Tuples(mine));
        let slot = context.offset(&record, 8 + 8 * part as i64);
        let value = context.integer(number, Scalar::Handle);
        context.store(&slot, Scalar::Handle, &value)?;
    }
    Ok(Reply::At(record))
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

/// The size of what an argument points to: by its type, or to the end of its object.
pub(super) fn whole<D: Domain>(context: &mut Context<'_, '_, D>, index: usize, pointer: &D::Value) -> Outcome<D, u64> {
    let left = extent(context, pointer)?;
    let types = &context.machine.program.types;
    let fixed = context.pointee(index).filter(|&ty| !matches!(types.get(ty), Type::Void));
    Ok(fixed.and_then(|ty| types.size_of(ty)).filter(|&size| size > 0).map_or(left, |size| size.min(left)))
}

pub(super) fn extent<D: Domain>(context: &mut Context<'_, '_, D>, pointer: &D::Value) -> Outcome<D, u64> {
    if context.machine.domain.open_extent(&mut context.state.memory, pointer).is_some() {
        return context.unsupported("an array whose length can have too many values");
    }
    context.machine.domain.need_place(&context.state.memory, pointer)?;
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

/// A copy of some bytes, which a bundle or a message leads to.
pub(super) fn packed<D: Domain>(context: &mut Context<'_, '_, D>, from: &D::Value, size: u64) -> Outcome<D> {
    if size > context.machine.settings.maximal_object {
        return context.fault(CheckKind::Library, format!("a bundle of {size} bytes"));
    }
    if size > 0 && context.machine.domain.open_extent(&mut context.state.memory, from).is_some() {
        let mut memory = context.state.memory.clone();
        std::mem::swap(&mut memory, &mut context.state.memory);
        let object = context.allocate(size, ObjectKind::Arguments, false, "bundle");
        std::mem::swap(&mut memory, &mut context.state.memory);
        let object = object?;
        context.machine.domain.copy(&mut memory, &object, from, size)?;
        context.state.memory = memory;
        return Ok(object);
    }
    if size > 0 {
        // Looked at first: what is done again must have had no effect.
        let extent = extent(context, from)?;
        if extent < size {
            let text = format!("{size} bytes are packed from an object of which {extent} are left");
            return context.fault(CheckKind::InvalidDeref, text);
        }
    }
    let object = context.allocate(size, ObjectKind::Arguments, false, "bundle")?;
    if size > 0 {
        context.machine.domain.copy(&mut context.state.memory, &object, from, size)?;
    }
    Ok(object)
}

/// The same for a number of bytes that is left open.
fn packed_open<D: Domain>(
    context: &mut Context<'_, '_, D>,
    from: &D::Value,
    size: &D::Value,
) -> Outcome<D, Option<D::Value>> {
    let (kind, name, span) = (ObjectKind::Arguments, Some(quod_base::Symbol::intern("bundle")), context.span);
    let allocation = crate::domain::Allocation { alignment: 16, kind, name, span, is_zeroed: false };
    // On a copy first: what is done again must have had no effect.
    let mut memory = context.state.memory.clone();
    let Some(object) = context.machine.domain.allocate_open(&mut memory, size, &allocation)? else { return Ok(None) };
    context.machine.domain.copy_open(&mut memory, &object, from, size)?;
    context.state.memory = memory;
    Ok(Some(object))
}

/// The bytes of a bundle, by the address of its record.
pub(super) fn unpacked<D: Domain>(context: &mut Context<'_, '_, D>, bundle: &D::Value) -> Outcome<D, (D::Value, u64)> {
    let object = context.load_pointer(bundle)?;
    match context.machine.domain.extent(&context.state.memory, &object) {
        Some(size) => Ok((object, size)),
        None => context.fault(CheckKind::Uninitialised, "this bundle was never packed"),
    }
}

/// Copies bytes where they have room.
pub(super) fn put<D: Domain>(
    context: &mut Context<'_, '_, D>,
    to: &D::Value,
    from: &D::Value,
    size: u64,
) -> Outcome<D, ()> {
    if size == 0 {
        return Ok(());
    }
    if context.machine.domain.open_extent(&mut context.state.memory, to).is_some() {
        return context.machine.domain.copy(&mut context.state.memory, to, from, size);
    }
    let room = extent(context, to)?;
    if room < size {
        let text = format!("{size} bytes are unpacked into an object of which {room} are left");
        return context.fault(CheckKind::InvalidDeref, text);
    }
    context.machine.domain.copy(&mut context.state.memory, to, from, size)
}
