//! `<mem.cvh>`: sets of memory locations. A set is a list of ranges of bytes, each in one object; equal sets are the same
//! value.

use super::context::{Context, Reply};
use super::world::CivlValue;
use super::{Answered, LibraryFunction};
use crate::domain::{Domain, Outcome, Recorded, RecordedEvent};
use crate::machine::Machine;
use crate::scalar::Scalar;
use crate::state::{ProcessId, State};
use quod_verdict::CheckKind;

/// What a process reads or writes since it asked for it.
#[derive(Clone, Debug)]
pub struct Recording {
    pub(crate) process: ProcessId,
    is_write: bool,
    /// In standard form.
    regions: Vec<Region>,
    /// Something was touched of which is not known what.
    is_vague: bool,
}

/// Bytes of an object, which is named by its address.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Region {
    object: u64,
    start: u64,
    end: u64,
}

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "$mem_empty" => |context| Ok(keep(context, Vec::new())),
        "$mem_union" => |context| {
            let all = [set(context, 0)?, set(context, 1)?].concat();
            Ok(keep(context, all))
        },
        "$mem_diff" => |context| {
            let (left, right) = (set(context, 0)?, set(context, 1)?);
            Ok(keep(context, without(&left, &right)))
        },
        "$mem_equals" => |context| Ok(Reply::Int((set(context, 0)? == set(context, 1)?).into())),
        "$mem_contains" => |context| {
            let (whole, part) = (set(context, 0)?, set(context, 1)?);
            Ok(Reply::Int(without(&part, &whole).is_empty().into()))
        },
        "$mem_no_intersect" => no_intersect,
        "$read_set_push" | "$write_set_push" => |context| {
            context.machine.keep_record(context.state, context.process);
            let (process, is_write) = (context.process, context.name == "$write_set_push");
            let recording = Recording { process, is_write, regions: Vec::new(), is_vague: false };
            context.state.world.recordings.push(recording);
            Ok(Reply::Nothing)
        },
        "$read_set_pop" | "$read_set_peek" | "$write_set_pop" | "$write_set_peek" => recorded,
        "$mem_havoc" => havoc,
        _ => return None,
    })
}

/// A pointer as the set of the bytes of what it points to.
pub(super) fn builtin<D: Domain>(context: &mut Context<'_, '_, D>, name: &str) -> Outcome<D, Option<Reply<D::Value>>> {
    match name {
        "$mem_of" => {
            let (pointer, size) = (context.pointer(0)?, context.size(1)?);
            let Some(room) = super::civl_data::extent(context, &pointer).map(Some)? else { return Ok(None) };
            if size > room {
                return context.fault(CheckKind::InvalidDeref, format!("{size} bytes, of which {room} are there"));
            }
            let address = context.address(&pointer)?;
            let start = match context.machine.domain.origin(&context.state.memory, &pointer) {
                Some((_, _, offset)) => offset,
                None => return context.unsupported("this object"),
            };
            let region = Region { object: address.wrapping_sub(start), start, end: start + size };
            Ok(Some(keep(context, vec![region])))
        }
        "$mem_join" => {
            let all = [set(context, 0)?, set(context, 1)?].concat();
            Ok(Some(keep(context, all)))
        }
        _ => Ok(None),
    }
}

/// The set on top of a stack.
fn recorded<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    context.machine.keep_record(context.state, context.process);
    let (process, is_write) = (context.process, context.name.starts_with("$write"));
    let is_mine = |recording: &Recording| recording.process == process && recording.is_write == is_write;
    let Some(index) = context.state.world.recordings.iter().rposition(is_mine) else {
        return context.fault(CheckKind::Library, "no set has been pushed");
    };
    if context.state.world.recordings[index].is_vague {
        return context.unsupported("an access to a place that is not known");
    }
    let regions = match context.name.ends_with("pop") {
        true => context.state.world.recordings.remove(index).regions,
        false => context.state.world.recordings[index].regions.clone(),
    };
    Ok(keep(context, regions))
}

impl<D: Domain> Machine<'_, D> {
    /// Adds what a process has read and written to the sets that it collects.
    pub(crate) fn keep_record(&mut self, state: &mut State<D>, process: ProcessId) {
        for Recorded { object, start, end, event } in self.domain.take_record() {
            let is_added = |recording: &Recording| {
                let is_asked = match event {
                    RecordedEvent::Read => !recording.is_write,
                    RecordedEvent::Write => recording.is_write,
                    RecordedEvent::Somewhere => !recording.is_vague,
                    RecordedEvent::Gone => {
                        return recording.regions.iter().any(|region| region.object == object);
                    }
                };
                let region = Region { object, start, end };
                is_asked && recording.process == process && !recording.regions.contains(&region)
            };
            if !state.world.recordings.iter().any(is_added) {
                continue;
            }
            for recording in state.world.recordings.iter_mut().filter(|recording| is_added(recording)) {
                match event {
                    RecordedEvent::Gone => recording.regions.retain(|region| region.object != object),
                    RecordedEvent::Somewhere => recording.is_vague = true,
                    RecordedEvent::Read | RecordedEvent::Write => {
                        let mut regions = std::mem::take(&mut recording.regions);
                        regions.push(Region { object, start, end });
                        recording.regions = standard(regions);
                    }
                }
            }
        }
    }
}

/// Any value for what lies in a set.
fn havoc<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let mut places = Vec::new();
    for region in set(context, 0)? {
        let base = context.machine.domain.pointer_to(&context.state.memory, region.object);
        let Some(base) = base else { return context.unsupported("an object that is gone") };
        let Some((Some(ty), _)) = super::civl_pointer::origin(context, &base) else {
            return context.unsupported("an object without a declared type");
        };
        let size = super::civl_data::extent(context, &base)?;
        let mut cells = Vec::new();
        super::civlc_objects::collect(context, ty, 0, size, &mut cells)?;
        for (offset, cell) in cells {
            let end = offset + u64::from(cell.size);
            if end <= region.start || offset >= region.end {
                continue;
            }
            if offset < region.start || end > region.end {
                return context.unsupported("a part of a number");
            }
            places.push((context.offset(&base, offset as i64), cell));
        }
    }
    for (place, cell) in places {
        let value = context.machine.domain.unknown(&mut context.state.memory, cell.scalar, None)?;
        context.machine.domain.store(&mut context.state.memory, &place, cell, &value)?;
    }
    Ok(Reply::Nothing)
}

fn set<D: Domain>(context: &Context<'_, '_, D>, index: usize) -> Outcome<D, Vec<Region>> {
    let handle = context.int(index)?;
    if handle == 0 {
        // What a global variable begins with.
        return Ok(Vec::new());
    }
    match context.state.world.civl.get(handle) {
        Some(CivlValue::Memory(regions)) => Ok(regions.clone()),
        _ => context.fault(CheckKind::Uninitialised, "a set of memory locations that was never set"),
    }
}

fn keep<D: Domain>(context: &mut Context<'_, '_, D>, regions: Vec<Region>) -> Reply<D::Value> {
    Reply::Int(context.state.world.keep(CivlValue::Memory(standard(regions))))
}

/// In order, without overlaps and gaps of nothing.
fn standard(mut regions: Vec<Region>) -> Vec<Region> {
    regions.retain(|region| region.start < region.end);
    regions.sort_unstable();
    let mut all: Vec<Region> = Vec::new();
    for region in regions {
        match all.last_mut() {
            Some(last) if last.object == region.object && region.start <= last.end => {
                last.end = last.end.max(region.end)
            }
            _ => all.push(region),
        }
    }
    all
}

/// What is in the first set and not in the second, both in standard form.
fn without(left: &[Region], right: &[Region]) -> Vec<Region> {
    let mut rest = Vec::new();
    for region in left {
        let mut start = region.start;
        for other in right.iter().filter(|other| other.object == region.object) {
            if other.start >= region.end || other.end <= start {
                continue;
            }
            if other.start > start {
                rest.push(Region { end: other.start, start, ..*region });
            }
            start = other.end;
        }
        if start < region.end {
            rest.push(Region { start, ..*region });
        }
    }
    rest
}

/// Nothing is in both; else what is goes where the last two arguments point to.
fn no_intersect<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (left, right) = (set(context, 0)?, set(context, 1)?);
    let both = without(&left, &without(&left, &right));
    if both.is_empty() {
        return Ok(Reply::Int(1));
    }
    let number = context.state.world.keep(CivlValue::Memory(standard(both)));
    for index in [2, 3] {
        let place = context.value(index)?;
        if !context.is_null(&place) {
            let value = context.integer(number, Scalar::Handle);
            context.store(&place, Scalar::Handle, &value)?;
        }
    }
    Ok(Reply::Int(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_one_form() {
        let region = |object, start, end| Region { object, start, end };
        let all = standard(vec![region(2, 0, 4), region(1, 4, 8), region(1, 0, 4), region(1, 9, 9)]);
        assert_eq!(all, [region(1, 0, 8), region(2, 0, 4)]);
        assert_eq!(without(&all, &[region(1, 2, 4)]), [region(1, 0, 2), region(1, 4, 8), region(2, 0, 4)]);
        assert_eq!(without(&all, &all), []);
    }
}
