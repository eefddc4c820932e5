//! `<comm.cvh>` and `<concurrency.cvh>`: messages and barriers of CIVL-C processes.
//!
//! Who sends, or receives from one source, commutes with all that others do at other places: a message goes to the end of a
//! queue, and is taken from where it was first. So that is like a write of the own `$comm` and a look at the `$gcomm`. Who
//! asks whether there is a message sees whether others have sent: that is like a write of the `$gcomm`. Who takes one from any
//! source commutes with who sends, not the other way round: what is sent first could be taken, too.

use super::context::{Context, Reply};
use super::world::{CivlBarrier, CivlMessage, Communicator};
use super::{Answered, LibraryFunction, civl_data};
use crate::domain::{Domain, Ending, ObjectKind, Outcome};
use crate::machine::MessageWait;
use quod_model::ir::IntKind;
use quod_verdict::CheckKind;

/// `source`, `dest`, `tag`, the bundle (a pointer), `size`.
const MESSAGE: u64 = 24;
const BUNDLE: i64 = 12;
const SIZE: i64 = 20;
const ANY_SOURCE: i128 = -1;
const ANY_TAG: i128 = -2;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "$message_pack" => pack,
        "$message_source" => |context| field(context, 0),
        "$message_dest" => |context| field(context, 4),
        "$message_tag" => |context| field(context, 8),
        "$message_size" => |context| field(context, SIZE),
        "$message_unpack" => |context| {
            let (message, to, limit) = (context.value(0)?, context.value(1)?, context.size(2)?);
            let bundle = context.offset(&message, BUNDLE);
            let (object, size) = civl_data::unpacked(context, &bundle)?;
            if size > limit {
                return context.fault(
                    CheckKind::Communication,
                    format!("a message of {size} bytes is received into a buffer of {limit}"),
                );
            }
            civl_data::put(context, &to, &object, size)?;
            Ok(Reply::Nothing)
        },
        "$gcomm_create" => |context| {
            let count = context.int(1)?;
            let object = context.allocate(8, ObjectKind::Heap, true, "$gcomm")?;
            let address = context.address(&object)?;
            context.state.world.communicators.insert(address, Communicator::new(count));
            Ok(Reply::Value(object))
        },
        "$gcomm_destroy" => destroy_communicator,
        "$comm_create" | "$barrier_create" => |context| {
            let (global, place) = (context.pointer(1)?, context.int(2)?);
            let global = context.address(&global)?;
            let world = &context.state.world;
            let communicator = world.communicators.get(&global).map(|found| found.count);
            let Some(count) = communicator.or_else(|| world.civl_barriers.get(&global).map(|found| found.count)) else {
                return context.fault(CheckKind::Communication, "this was not created, or is destroyed");
            };
            if !(0..count).contains(&place) {
                return context.fault(CheckKind::Communication, format!("{place} is no place of {count}"));
            }
            let communicator = context.state.world.communicators.get_mut(&global);
            if communicator.is_some_and(|communicator| !communicator.taken.insert(place)) {
                return context.fault(CheckKind::Communication, format!("the place {place} is taken already"));
            }
            context.machine.domain.keep_touched(global, false);
            let object = context.allocate(8, ObjectKind::Heap, true, "")?;
            let address = context.address(&object)?;
            context.state.world.places.insert(address, (global, place));
            Ok(Reply::Value(object))
        },
        "$comm_destroy" | "$barrier_destroy" => |context| {
            place(context, 0, true)?;
            let object = context.pointer(0)?;
            let address = context.address(&object)?;
            context.state.world.places.remove(&address);
            free(context, &object)
        },
        "$gbarrier_destroy" => |context| {
            let object = context.pointer(0)?;
            let address = context.address(&object)?;
            context.state.world.civl_barriers.remove(&address);
            free(context, &object)
        },
        "$comm_size" => |context| {
            let (global, _) = place(context, 0, false)?;
            Ok(Reply::Int(context.state.world.communicators.get(&global).map_or(0, |found| found.count)))
        },
        "$comm_place" => |context| Ok(Reply::Int(place(context, 0, false)?.1)),
        "$comm_defined" | "$gcomm_defined" => |context| {
            let pointer = context.value(0)?;
            Ok(Reply::Int((!context.is_null(&pointer)).into()))
        },
        "$comm_enqueue" => enqueue,
        "$comm_probe" => |context| {
            let (_, _, found) = search(context)?;
            Ok(Reply::Int((!found.is_empty()).into()))
        },
        "$comm_seek" => |context| receive(context, false),
        "$comm_dequeue" => |context| receive(context, true),
        "$gbarrier_create" => |context| {
            let count = context.int(1)?;
            let object = context.allocate(8, ObjectKind::Heap, true, "$gbarrier")?;
            let address = context.address(&object)?;
            context.state.world.civl_barriers.insert(address, CivlBarrier { count, ..CivlBarrier::default() });
            Ok(Reply::Value(object))
        },
        "$get_nprocs" => |context| {
            let global = context.pointer(0)?;
            let address = context.address(&global)?;
            Ok(Reply::Int(context.state.world.civl_barriers.get(&address).map_or(0, |barrier| barrier.count)))
        },
        // `$barrier_call` is one after the other.
        "$barrier_enter" => |context| {
            let (global, place) = place(context, 0, true)?;
            let Some(barrier) = context.state.world.civl_barriers.get_mut(&global) else {
                return context.fault(CheckKind::Communication, "the barrier was destroyed");
            };
            if !barrier.inside.insert(place) {
                return context.fault(CheckKind::Communication, "two processes are at one place of the barrier");
            }
            if barrier.inside.len() as i128 >= barrier.count {
                barrier.inside.clear();
            }
            Ok(Reply::Nothing)
        },
        "$barrier_exit" => |context| {
            let (global, place) = place(context, 0, true)?;
            match context.state.world.civl_barriers.get(&global) {
                Some(barrier) if barrier.inside.contains(&place) => Ok(Reply::Block),
                Some(_) => Ok(Reply::Nothing),
                None => context.fault(CheckKind::Communication, "the barrier was destroyed"),
            }
        },
        _ => return None,
    })
}

fn pack<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (source, destination, tag) = (context.int(0)?, context.int(1)?, context.int(2)?);
    let (from, size) = (context.value(3)?, context.size(4)?);
    let content = civl_data::packed(context, &from, size)?;
    Ok(Reply::At(message(context, [source, destination, tag], &content, size)?))
}

/// A message's record.
fn message<D: Domain>(
    context: &mut Context<'_, '_, D>,
    numbers: [i128; 3],
    content: &D::Value,
    size: u64,
) -> Outcome<D> {
    let record = context.allocate(MESSAGE, ObjectKind::Arguments, true, "message")?;
    for (index, value) in numbers.into_iter().enumerate() {
        let slot = context.offset(&record, 4 * index as i64);
        context.store_int(&slot, IntKind::Int, value)?;
    }
    let slot = context.offset(&record, BUNDLE);
    context.store_pointer(&slot, content)?;
    let slot = context.offset(&record, SIZE);
    context.store_int(&slot, IntKind::Int, size.into())?;
    Ok(record)
}

fn free<D: Domain>(context: &mut Context<'_, '_, D>, object: &D::Value) -> Answered<D> {
    let span = context.span;
    context.machine.domain.release(&mut context.state.memory, object, Ending::Freed, span)?;
    Ok(Reply::Nothing)
}

/// Messages that nobody received go to the sequence that the second argument points to.
fn destroy_communicator<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (global, junk) = (context.pointer(0)?, context.value(1)?);
    let address = context.address(&global)?;
    let Some(communicator) = context.state.world.communicators.get(&address).cloned() else {
        return context.fault(CheckKind::Communication, "the communicator was destroyed already");
    };
    let mut left = Vec::new();
    for (&(destination, source), messages) in &communicator.waiting {
        for found in messages {
            let size = civl_data::extent(context, &found.content)?;
            left.push(message(context, [source, destination, found.tag], &found.content, size)?);
        }
    }
    if !context.is_null(&junk) {
        let size = left.len() as u64 * MESSAGE;
        context.machine.domain.resize(&mut context.state.memory, &junk, size)?;
        for (index, record) in left.iter().enumerate() {
            let slot = context.offset(&junk, (index as u64 * MESSAGE) as i64);
            context.machine.domain.copy(&mut context.state.memory, &slot, record, MESSAGE)?;
        }
    }
    context.state.world.communicators.remove(&address);
    free(context, &global)?;
    Ok(Reply::Int(left.len() as i128))
}

fn field<D: Domain>(context: &mut Context<'_, '_, D>, offset: i64) -> Answered<D> {
    let message = context.value(0)?;
    let slot = context.offset(&message, offset);
    Ok(Reply::Int(context.load_int(&slot, IntKind::Int)?))
}

/// The global object and the place of a `$comm` or `$barrier`, which is used or only looked at.
fn place<D: Domain>(context: &mut Context<'_, '_, D>, index: usize, is_write: bool) -> Outcome<D, (u64, i128)> {
    let pointer = context.pointer(index)?;
    let address = context.address(&pointer)?;
    match context.state.world.places.get(&address) {
        Some(&(global, place)) => {
            context.machine.domain.keep_touched(address, is_write);
            context.machine.domain.keep_touched(global, false);
            Ok((global, place))
        }
        None => context.fault(CheckKind::Communication, "this was not created"),
    }
}

fn enqueue<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (global, here) = place(context, 0, true)?;
    let message = context.value(1)?;
    let mut numbers = [0; 3];
    for (index, number) in numbers.iter_mut().enumerate() {
        let slot = context.offset(&message, 4 * index as i64);
        *number = context.load_int(&slot, IntKind::Int)?;
    }
    let [source, destination, tag] = numbers;
    let bundle = context.offset(&message, BUNDLE);
    let (content, _) = civl_data::unpacked(context, &bundle)?;
    if source != here {
        let text = format!("a message from {source} is sent by the process at place {here}");
        return context.fault(CheckKind::Communication, text);
    }
    let Some(communicator) = context.state.world.communicators.get_mut(&global) else {
        return context.fault(CheckKind::Communication, "the communicator was destroyed");
    };
    if !(0..communicator.count).contains(&destination) {
        return context.fault(CheckKind::Communication, format!("{destination} is no place of the communicator"));
    }
    if context.machine.is_synchronous {
        let (source, tag) = (Some(source), Some(tag));
        context.machine.waits_for = Some(MessageWait { is_send: true, global, source, destination, tag });
        return Ok(Reply::Block);
    }
    communicator.waiting.entry((destination, source)).or_default().push(CivlMessage { tag, content });
    Ok(Reply::Nothing)
}

/// The first message of each source that fits: the source, and the index among its messages.
fn search<D: Domain>(context: &mut Context<'_, '_, D>) -> Outcome<D, (u64, i128, Vec<(i128, usize)>)> {
    let (global, here) = place(context, 0, true)?;
    let (source, tag) = (context.int(1)?, context.int(2)?);
    if context.name != "$comm_dequeue" {
        context.machine.domain.keep_touched(global, true);
    }
    // What others send can be taken as well.
    context.machine.is_noticed |= source == ANY_SOURCE;
    let mut found = Vec::new();
    if let Some(communicator) = context.state.world.communicators.get(&global) {
        for (&(destination, from), messages) in &communicator.waiting {
            let fits = |message: &CivlMessage<D::Value>| tag == ANY_TAG || message.tag == tag;
            if destination == here
                && (source == ANY_SOURCE || source == from)
                && let Some(index) = messages.iter().position(fits)
            {
                found.push((from, index));
            }
        }
    }
    Ok((global, here, found))
}

/// Takes a message out, or looks at it. Where several sources have one, any can be first.
fn receive<D: Domain>(context: &mut Context<'_, '_, D>, removes: bool) -> Answered<D> {
    let (global, here, found) = search(context)?;
    if found.is_empty() {
        if removes {
            let any = |number: i128, any: i128| (number != any).then_some(number);
            let (source, tag) = (any(context.int(1)?, ANY_SOURCE), any(context.int(2)?, ANY_TAG));
            context.machine.waits_for = Some(MessageWait { is_send: false, global, source, destination: here, tag });
            return Ok(Reply::Block);
        }
        // There is none: a message from nowhere.
        let none = context.allocate(0, ObjectKind::Arguments, false, "bundle")?;
        return Ok(Reply::At(message(context, [ANY_SOURCE, ANY_SOURCE, ANY_TAG], &none, 0)?));
    }
    let which = context.pick(found.len())?;
    let (source, index) = found[which];
    let waiting = context.state.world.communicators.get(&global).and_then(|all| all.waiting.get(&(here, source)));
    let Some(CivlMessage { tag, content }) = waiting.and_then(|messages| messages.get(index)).cloned() else {
        return Ok(Reply::Block);
    };
    let size = civl_data::extent(context, &content)?;
    let record = message(context, [source, here, tag], &content, size)?;
    if removes && let Some(communicator) = context.state.world.communicators.get_mut(&global) {
        if let Some(messages) = communicator.waiting.get_mut(&(here, source)) {
            messages.remove(index);
        }
        communicator.waiting.retain(|_, messages| !messages.is_empty());
    }
    Ok(Reply::At(record))
}
