//! `<setjmp.h>`: a `jmp_buf` holds the number of a jump point, which knows the frame and the place behind the call.

use super::context::{Context, Reply};
use super::world::JumpPoint;
use super::{Answered, LibraryFunction};
use crate::domain::Domain;
use quod_base::Id;
use quod_model::ir::IntKind;
use quod_verdict::CheckKind;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" => set,
        "longjmp" | "_longjmp" | "siglongjmp" => jump,
        _ => return None,
    })
}

fn set<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let buffer = context.pointer(0)?;
    let process = context.process;
    let frames = &context.state.processes[process.index()].frames;
    let Some(frame) = frames.last() else { return Ok(Reply::Int(0)) };
    // The frame still stands at the call.
    let point = JumpPoint { process, depth: frames.len(), serial: frame.serial, pc: frame.pc + 1 };
    let jumps = &mut context.state.world.jumps;
    jumps.retain(|other| other.process != point.process || other.serial != point.serial || other.pc != point.pc);
    jumps.push(point);
    let number = context.state.world.jumps.len();
    // Numbers change when points are dropped: keep the serial and pc, which name the point.
    let _ = number;
    let (serial, pc) = context.state.world.jumps.last().map_or((0, 0), |point| (point.serial, point.pc));
    context.store_int(&buffer, IntKind::UInt, i128::from(serial & 0xffff_ffff))?;
    let second = context.offset(&buffer, 4);
    context.store_int(&second, IntKind::UInt, pc.into())?;
    Ok(Reply::Int(0))
}

fn jump<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let buffer = context.pointer(0)?;
    let value = match context.int(1)? {
        0 => 1,
        value => value,
    };
    let serial = context.load_int(&buffer, IntKind::UInt)? as u64;
    let second = context.offset(&buffer, 4);
    let pc = context.load_int(&second, IntKind::UInt)? as u32;
    let process = context.process;
    let frames = &context.state.processes[process.index()].frames;
    let depth = frames.iter().rposition(|frame| frame.serial & 0xffff_ffff == serial);
    let known = context
        .state
        .world
        .jumps
        .iter()
        .any(|point| point.process == process && point.serial & 0xffff_ffff == serial && point.pc == pc);
    let Some(depth) = depth.filter(|_| known) else {
        return context.fault(CheckKind::Library, "`longjmp` to a function that has returned, or without `setjmp`");
    };
    while context.state.processes[process.index()].frames.len() > depth + 1 {
        let function = context.state.processes[process.index()].frames.last().map(|frame| frame.function);
        let is_native =
            context.state.processes[process.index()].frames.last().is_some_and(|frame| frame.native.is_some());
        let code = function.filter(|_| !is_native).and_then(|function| context.machine.code(function));
        context.machine.pop_frame(context.state, process, code.as_deref())?;
    }
    if let Some(frame) = context.state.processes[process.index()].frames.last_mut() {
        frame.pc = pc;
    }
    let scalar = context.int_kind(IntKind::Int);
    let value = context.integer(value, scalar);
    context.machine.deliver(context.state, process, crate::steps::Given::Value(value));
    Ok(Reply::Jumped)
}
