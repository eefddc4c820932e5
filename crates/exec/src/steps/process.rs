//! Processes: `$spawn`, the end of a process, `$atomic`, thread-local variables.

use super::{attempt, blocked};
use crate::code::{Code, ResultTo, Target};
use crate::domain::{Domain, Ending, FunctionValue};
use crate::fault::Fault;
use crate::library::Passed;
use crate::machine::{Event, Flow, Machine, operand};
use crate::scalar::Scalar;
use crate::state::{EnvironmentId, Process, ProcessId, State};
use quod_base::{Id, Span};
use quod_verdict::CheckKind;
use std::rc::Rc;

impl<D: Domain> Machine<'_, D> {
    pub(crate) fn spawn(&mut self, state: &mut State<D>, id: ProcessId, code: &Rc<Code<D>>, site: u32) -> Flow<D> {
        let call = &code.calls[site as usize];
        let process = &state.processes[id.index()];
        let base = process.frames.last().map_or(0, |frame| frame.base);
        let arguments: Vec<Passed<D::Value>> = call
            .arguments
            .iter()
            .map(|argument| Passed {
                value: operand(process, base, code, argument.operand).clone(),
                passing: argument.passing,
                ty: argument.ty,
            })
            .collect();
        let function = match &call.target {
            Target::Direct(function) => {
                FunctionValue { function: *function, environment: self.environment_for(state, id, *function) }
            }
            Target::Indirect(pointer, _) => {
                let pointer = operand(process, base, code, *pointer).clone();
                match self.domain.function_at(&state.memory, &pointer) {
                    Some(function) => function,
                    None => {
                        let fault = Fault::new(CheckKind::InvalidCall, "`$spawn` of something that is no function");
                        return self.stop(state, id, fault);
                    }
                }
            }
        };
        let (result, span) = (call.result, call.span);
        match self.start_process(state, function, &arguments, span) {
            Ok(new) => {
                // The processes of `$run` may outlive their makers.
                let is_run = self.program.functions[function.function].name.as_str().starts_with("$run");
                state.processes[new.index()].is_spawned = !is_run;
                if let ResultTo::Register(register, _) = result {
                    let value = self.domain.integer(new.index() as i128, Scalar::Handle);
                    state.processes[id.index()].registers[(base + register) as usize] = value;
                }
                self.advance(state, id)
            }
            Err(event) => Flow::Event(event),
        }
    }

    /// A new process that calls the function.
    pub(crate) fn start_process(
        &mut self,
        state: &mut State<D>,
        function: FunctionValue,
        arguments: &[Passed<D::Value>],
        span: Span,
    ) -> Result<ProcessId, Event<D>> {
        let mut process = Process::new();
        process.environment = function.environment;
        let new = state.place(process);
        state.has_started = true;
        let mut environment = function.environment;
        while let Some(current) = environment {
            state.environments[current.index()].users += 1;
            environment = state.environments[current.index()].parent;
        }
        match self.push_call(state, new, function, arguments, None, span) {
            Flow::Continue => Ok(new),
            Flow::Event(event) => Err(event),
        }
    }

    /// The process has returned from its first function.
    pub(crate) fn process_ended(&mut self, state: &mut State<D>, id: ProcessId) -> Flow<D> {
        self.has_ended = true;
        let process = &mut state.processes[id.index()];
        process.registers = Vec::new();
        if state.atomic_owner == Some(id) {
            state.atomic_owner = None;
        }
        let mut environment: Option<EnvironmentId> = process.environment;
        while let Some(current) = environment {
            let found = &mut state.environments[current.index()];
            found.users = found.users.saturating_sub(1);
            environment = found.parent;
            if found.users == 0 && found.is_left {
                attempt!(self, state, id, self.leave_environment(state, current));
            }
        }
        let process = &mut state.processes[id.index()];
        process.environment = None;
        // Its own variables end with it.
        let mut own: Vec<_> = std::mem::take(&mut process.thread_locals).into_iter().collect();
        own.sort_unstable_by_key(|(index, _)| *index);
        for (_, pointer) in own {
            attempt!(self, state, id, self.domain.release(&mut state.memory, &pointer, Ending::Left, Span::NONE));
        }
        Flow::Event(Event::Ended)
    }

    pub(crate) fn atomic_begin(&mut self, state: &mut State<D>, id: ProcessId, is_atom: bool) -> Flow<D> {
        if state.atomic_owner.is_some_and(|owner| owner != id) {
            return blocked();
        }
        state.atomic_owner = Some(id);
        self.atomic_entries += 1;
        let process = &mut state.processes[id.index()];
        if is_atom {
            process.atom_depth += 1;
        } else {
            process.atomic_depth += 1;
        }
        self.advance(state, id)
    }

    pub(crate) fn atomic_end(&mut self, state: &mut State<D>, id: ProcessId, is_atom: bool) -> Flow<D> {
        let process = &mut state.processes[id.index()];
        let depth = if is_atom { &mut process.atom_depth } else { &mut process.atomic_depth };
        *depth = depth.saturating_sub(1);
        if process.atom_depth == 0 && process.atomic_depth == 0 && state.atomic_owner == Some(id) {
            state.atomic_owner = None;
        }
        self.advance(state, id)
    }

    /// Each process has its own instance, made when it is first used.
    pub(crate) fn thread_local(&mut self, state: &mut State<D>, id: ProcessId, to: u32, index: u32) -> Flow<D> {
        let global = self.statics.thread_local_globals[index as usize];
        let pointer = if id.index() == 0 {
            self.statics.globals[global.index()].clone()
        } else if let Some(pointer) = state.processes[id.index()].thread_locals.get(&index) {
            pointer.clone()
        } else {
            let Some(pointer) = self.global_object(state, global) else {
                return self.stop(state, id, Fault::unsupported("a thread-local variable of this type"));
            };
            let size = self.program.types.size_of(self.program.globals[global].ty).unwrap_or(0);
            if let Some(image) = state.world.thread_local_images.get(index as usize).cloned() {
                attempt!(self, state, id, self.domain.copy(&mut state.memory, &pointer, &image, size));
            }
            state.processes[id.index()].thread_locals.insert(index, pointer.clone());
            pointer
        };
        let process = &mut state.processes[id.index()];
        let base = process.frames.last().map_or(0, |frame| frame.base);
        process.registers[(base + to) as usize] = pointer;
        self.advance(state, id)
    }

    /// Initial values of thread-local variables, for processes that start later.
    pub(crate) fn keep_thread_local_images(&mut self, state: &mut State<D>) {
        for index in 0..self.statics.thread_local_globals.len() {
            let global = self.statics.thread_local_globals[index];
            let size = self.program.types.size_of(self.program.globals[global].ty).unwrap_or(0);
            let image = self.global_object(state, global).unwrap_or_default();
            let from = self.statics.globals[global.index()].clone();
            if self.domain.copy(&mut state.memory, &image, &from, size).is_ok() {
                state.world.thread_local_images.push(image);
            }
        }
    }
}
