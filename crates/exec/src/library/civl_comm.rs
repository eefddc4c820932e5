//! `<comm.cvh>` and `<concurrency.cvh>`: messages and barriers of CIVL-C processes.

use super::context::{Context, Reply};
use super::world::{Barrier, CivlMessage, Communicator};
use super::{Answered, LibraryFunction, civl_data};
use crate::domain::{Domain, ObjectKind, Outcome};
use quod_model::ir::IntKind;
use quod_verdict::CheckKind;
use std::collections::BTreeMap;

/// `source`, `dest`, `tag`, the bundle's number and size, `size`: six `int`s.
const MESSAGE: u64 = 24;
const ANY: i128 = -1;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "$message_pack" => pack,
        "$message_source" => |context| field(context, 0),
        "$message_dest" => |context| field(context, 4),
        "$message_tag" => |context| field(context, 8),
        "$message_size" => |context| field(context, 20),
        "$message_unpack" => |context| {
            let (message, to, limit) = (context.value(0)?, context.value(1)?, context.size(2)?);
            let bundle = context.offset(&message, 12);
            let (object, size) = civl_data::unpacked(context, &bundle)?;
            if size > limit {
                return context.fault(
                    CheckKind::Communication,
                    format!("a message of {size} bytes is received into a buffer of {limit}"),
                );
            }
            if size > 0 {
                context.machine.domain.copy(&mut context.state.memory, &to, &object, size)?;
            }
            Ok(Reply::Nothing)
        },
        "$gcomm_create" => |context| {
            let count = context.int(1)?;
            let object = context.allocate(8, ObjectKind::Library, true, "$gcomm")?;
            let address = context.address(&object)?;
            context.state.world.communicators.insert(address, Communicator { count, waiting: BTreeMap::new() });
            Ok(Reply::Value(object))
        },
        "$gcomm_destroy" => |context| {
            let global = context.pointer(0)?;
            let address = context.address(&global)?;
            let left: usize = match context.state.world.communicators.remove(&address) {
                Some(communicator) => communicator.waiting.values().map(Vec::len).sum(),
                None => 0,
            };
            Ok(Reply::Int(left as i128))
        },
        "$comm_create" | "$barrier_create" => |context| {
            let (global, place) = (context.pointer(1)?, context.int(2)?);
            let global = context.address(&global)?;
            let object = context.allocate(8, ObjectKind::Library, true, "")?;
            let address = context.address(&object)?;
            context.state.world.places.insert(address, (global, place));
            Ok(Reply::Value(object))
        },
        "$comm_destroy" | "$barrier_destroy" | "$gbarrier_destroy" => |_| Ok(Reply::Nothing),
        "$comm_size" => |context| {
            let (global, _) = place(context, 0)?;
            Ok(Reply::Int(context.state.world.communicators.get(&global).map_or(0, |found| found.count)))
        },
        "$comm_place" => |context| Ok(Reply::Int(place(context, 0)?.1)),
        "$comm_defined" | "$gcomm_defined" => |context| {
            let pointer = context.value(0)?;
            Ok(Reply::Int((!context.is_null(&pointer)).into()))
        },
        "$comm_enqueue" => enqueue,
        "$comm_probe" => |context| {
            let found = search(context)?;
            Ok(Reply::Int(found.is_some().into()))
        },
        "$comm_seek" => |context| receive(context, false),
        "$comm_dequeue" => |context| receive(context, true),
        "$gbarrier_create" => |context| {
            let limit = context.int(1)? as u32;
            let object = context.allocate(8, ObjectKind::Library, true, "$gbarrier")?;
            let address = context.address(&object)?;
            context.state.world.barriers.insert(address, Barrier { limit, ..Barrier::default() });
            Ok(Reply::Value(object))
        },
        "$get_nprocs" => |context| {
            let global = context.pointer(0)?;
            let address = context.address(&global)?;
            let limit = context.state.world.barriers.get(&address).map_or(0, |barrier| barrier.limit);
            Ok(Reply::Int(limit.into()))
        },
        "$barrier_call" | "$barrier_call_yield" => barrier,
        _ => return None,
    })
}

fn pack<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (source, destination, tag) = (context.int(0)?, context.int(1)?, context.int(2)?);
    let (from, size) = (context.value(3)?, context.size(4)?);
    let object = context.allocate(size, ObjectKind::Library, false, "")?;
    if size > 0 {
        context.machine.domain.copy(&mut context.state.memory, &object, &from, size)?;
    }
    context.state.world.civl.push(super::world::CivlValue::Bundle { object, size });
    let number = context.state.world.civl.len() as i128;
    let record = context.allocate(MESSAGE, ObjectKind::Arguments, true, "")?;
    for (index, value) in [source, destination, tag, number, size.into(), size.into()].into_iter().enumerate() {
        let slot = context.offset(&record, 4 * index as i64);
        context.store_int(&slot, IntKind::Int, value)?;
    }
    Ok(Reply::At(record))
}

fn field<D: Domain>(context: &mut Context<'_, '_, D>, offset: i64) -> Answered<D> {
    let message = context.value(0)?;
    let slot = context.offset(&message, offset);
    Ok(Reply::Int(context.load_int(&slot, IntKind::Int)?))
}

/// The global object and the place of a `$comm` or `$barrier`.
fn place<D: Domain>(context: &mut Context<'_, '_, D>, index: usize) -> Outcome<D, (u64, i128)> {
    let pointer = context.pointer(index)?;
    let address = context.address(&pointer)?;
    match context.state.world.places.get(&address) {
        Some(&found) => Ok(found),
        None => context.fault(CheckKind::Communication, "this was not created"),
    }
}

fn enqueue<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (global, _) = place(context, 0)?;
    let message = context.value(1)?;
    let mut numbers = [0; 3];
    for (index, number) in numbers.iter_mut().enumerate() {
        let slot = context.offset(&message, 4 * index as i64);
        *number = context.load_int(&slot, IntKind::Int)?;
    }
    let [source, destination, tag] = numbers;
    let record = context.allocate(MESSAGE, ObjectKind::Library, true, "")?;
    context.machine.domain.copy(&mut context.state.memory, &record, &message, MESSAGE)?;
    let Some(communicator) = context.state.world.communicators.get_mut(&global) else {
        return context.fault(CheckKind::Communication, "the communicator was destroyed");
    };
    if !(0..communicator.count).contains(&destination) {
        return context.fault(CheckKind::Communication, format!("{destination} is no place of the communicator"));
    }
    communicator.waiting.entry(destination).or_default().push(CivlMessage { source, tag, record });
    Ok(Reply::Nothing)
}

/// The first message that fits: its destination and index.
fn search<D: Domain>(context: &mut Context<'_, '_, D>) -> Outcome<D, Option<(u64, i128, usize)>> {
    let (global, here) = place(context, 0)?;
    let (source, tag) = (context.int(1)?, context.int(2)?);
    let waiting = context.state.world.communicators.get(&global).and_then(|found| found.waiting.get(&here));
    let index = waiting.and_then(|messages| {
        messages.iter().position(|message| {
            (source == ANY || message.source == source) && (tag == ANY || tag == -2 || message.tag == tag)
        })
    });
    Ok(index.map(|index| (global, here, index)))
}

fn receive<D: Domain>(context: &mut Context<'_, '_, D>, removes: bool) -> Answered<D> {
    let Some((global, here, index)) = search(context)? else {
        if removes {
            return Ok(Reply::Block);
        }
        return context.fault(CheckKind::Communication, "no message fits");
    };
    let waiting = context.state.world.communicators.get_mut(&global).and_then(|found| found.waiting.get_mut(&here));
    let record = match waiting {
        Some(messages) if removes => messages.remove(index).record,
        Some(messages) => messages[index].record.clone(),
        None => return Ok(Reply::Block),
    };
    Ok(Reply::At(record))
}

fn barrier<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (global, _) = place(context, 0)?;
    let process = context.process;
    let Some(barrier) = context.state.world.barriers.get_mut(&global) else {
        return context.fault(CheckKind::Communication, "the barrier was destroyed");
    };
    if let Some(index) = barrier.released.iter().position(|other| *other == process) {
        barrier.released.remove(index);
        return Ok(Reply::Nothing);
    }
    if !barrier.waiting.contains(&process) {
        barrier.waiting.push(process);
    }
    if barrier.waiting.len() < barrier.limit as usize {
        return Ok(Reply::Block);
    }
    barrier.released = std::mem::take(&mut barrier.waiting);
    barrier.released.retain(|other| *other != process);
    Ok(Reply::Nothing)
}
