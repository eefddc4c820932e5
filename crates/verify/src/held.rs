//! What a process holds: registers that may still be read, and variables of the program.

use quod_exec::domain::Domain;
use quod_exec::machine::Machine;
use quod_exec::state::{State, Status};

/// Whether each register of a process may still be read.
pub(crate) fn live<D: Domain>(machine: &mut Machine<'_, D>, state: &State<D>, number: usize) -> Vec<bool> {
    let process = &state.processes[number];
    let mut is_live = vec![true; process.registers.len()];
    // `longjmp` goes back to places that the code does not show.
    if !state.world.jumps.is_empty() {
        return is_live;
    }
    for (index, frame) in process.frames.iter().enumerate() {
        if frame.native.is_some() {
            continue;
        }
        let end = process.frames.get(index + 1).map_or(process.registers.len(), |next| next.base as usize);
        let Some(code) = machine.code(frame.function) else { continue };
        let flow = code.flow();
        let base = frame.base as usize;
        let end = end.min(base + code.register_count as usize);
        for (register, is_live) in is_live.iter_mut().enumerate().take(end).skip(base) {
            *is_live = flow.is_live(frame.pc, (register - base) as u32);
        }
    }
    is_live
}

/// The values of all variables in registers, and of what is still to be read.
pub(crate) fn variables<'s, D: Domain>(machine: &mut Machine<'_, D>, state: &'s State<D>) -> Vec<&'s D::Value> {
    let mut variables: Vec<&D::Value> = Vec::new();
    for (number, process) in state.processes.iter().enumerate() {
        variables.extend(&process.result);
        if process.status == Status::Ended {
            continue;
        }
        variables.extend(process.thread_locals.values());
        let is_live = live(machine, state, number);
        for (index, frame) in process.frames.iter().enumerate() {
            let base = frame.base as usize;
            let end = process.frames.get(index + 1).map_or(process.registers.len(), |next| next.base as usize);
            let code = machine.code(frame.function);
            let is_held = |register: &usize| {
                let Some(code) = &code else { return true };
                let number = (register - base) as u32;
                let mut passing = code.memory_locals.iter().filter(|local| local.name.is_none());
                let is_variable = number < code.local_count && !code.hidden_locals.contains(&number);
                (is_live[*register] || is_variable) && !passing.any(|local| local.register == number)
            };
            variables.extend((base..end).filter(is_held).map(|register| &process.registers[register]));
            if let Some(extra) = &frame.extra {
                variables.extend(extra.result_address.iter().chain(&extra.variable_arguments));
            }
        }
    }
    for environment in state.environments.iter() {
        variables.extend(environment.variables.iter().map(|(_, value)| value));
    }
    variables
}
