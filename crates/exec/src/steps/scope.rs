//! Captured scopes, arrays of variable length, and variables of enclosing functions.

use super::attempt;
use crate::code::{Code, Operand, Register};
use crate::domain::{Allocation, Domain, Ending, FunctionValue, ObjectKind, Outcome};
use crate::fault::Fault;
use crate::machine::{Flow, Machine, operand};
use crate::scalar::Scalar;
use crate::state::{Environment, EnvironmentId, ProcessId, State};
use quod_base::Id;
use quod_model::ir::*;
use quod_verdict::CheckKind;
use std::rc::Rc;

impl<D: Domain> Machine<'_, D> {
    pub(crate) fn enter_scope(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        code: &Rc<Code<D>>,
        scope: ScopeId,
    ) -> Flow<D> {
        let free = if self.tells_scopes { self.forgotten_scope(state) } else { None };
        let environment = free.unwrap_or_else(|| EnvironmentId::from_index(state.environments.len()));
        let Some(frame) = state.processes[id.index()].frames.last_mut() else { return Flow::Continue };
        let instance = Environment {
            function: code.function,
            scope,
            parent: frame.environment,
            variables: Vec::new(),
            users: 0,
            is_left: false,
        };
        match free {
            Some(index) => state.environments[index.index()] = instance,
            None => state.environments.push(instance),
        }
        frame.environment = Some(environment);
        // Parameters that live in this scope were made before it was entered.
        for local in &code.memory_locals {
            let value = &state.processes[id.index()].registers;
            let frame_base = state.processes[id.index()].frames.last().map_or(0, |frame| frame.base);
            let value = &value[(frame_base + local.register) as usize];
            if local.captured == Some(scope)
                && let Some(local_id) = local.local
                && !self.domain.is_unset(value)
            {
                state.environments[environment.index()].variables.push((local_id, value.clone()));
            }
        }
        self.advance(state, id)
    }

    pub(crate) fn leave_scope(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        code: &Rc<Code<D>>,
        scope: ScopeId,
    ) -> Flow<D> {
        let Some(frame) = state.processes[id.index()].frames.last_mut() else { return Flow::Continue };
        let mut current = frame.environment;
        // Scopes inside that a jump has left end as well.
        let link = frame.static_link;
        while current != link
            && let Some(environment) = current
        {
            let found = &state.environments[environment.index()];
            let is_target = found.function == code.function && found.scope == scope;
            current = found.parent;
            attempt!(self, state, id, self.leave_environment(state, environment));
            if is_target {
                break;
            }
        }
        if let Some(frame) = state.processes[id.index()].frames.last_mut() {
            frame.environment = current;
        }
        self.advance(state, id)
    }

    /// The scope's variables end, unless processes that were started inside still use them.
    pub(crate) fn leave_environment(&mut self, state: &mut State<D>, id: EnvironmentId) -> Outcome<D, ()> {
        state.environments[id.index()].is_left = true;
        // Whoever knows the scope sees that it has ended.
        self.is_noticed |= self.tells_scopes;
        if state.environments[id.index()].users > 0 {
            return Ok(());
        }
        let variables = std::mem::take(&mut state.environments[id.index()].variables);
        for (_, pointer) in variables {
            self.domain.release(&mut state.memory, &pointer, Ending::Left, quod_base::Span::NONE)?;
        }
        if id.index() + 1 == state.environments.len() && !self.tells_scopes {
            state.environments.pop();
        }
        Ok(())
    }

    /// A scope that has ended and that nothing names any more: its number is free.
    fn forgotten_scope(&self, state: &State<D>) -> Option<EnvironmentId> {
        let is_free = |id: &EnvironmentId| {
            let is_named = |value: &D::Value| self.domain.may_name_scope(value, *id);
            let is_parent = |other: &Environment<D::Value>| other.parent == Some(*id) && !other.has_ended();
            let is_used = |process: &crate::state::Process<D::Value>| {
                let is_around = |frame: &crate::state::Frame<D::Value>| {
                    let holds = |native: &crate::library::native::Native<D::Value>| !native.keeps_no_values();
                    let is_inside = frame.environment == Some(*id) || frame.static_link == Some(*id);
                    is_inside || frame.native.as_deref().is_some_and(holds)
                };
                process.environment == Some(*id)
                    || process.registers.iter().chain(&process.result).any(is_named)
                    || process.frames.iter().any(is_around)
            };
            let is_kept = |(scope, _): &(i128, D::Value)| *scope == id.index() as i128 + 1;
            state.environments[id.index()].has_ended()
                && !state.world.heap_scopes.iter().any(is_kept)
                && !state.environments.iter().any(is_parent)
                && !state.processes.iter().any(|process| is_used(process))
                && !self.domain.names_scope(&state.memory, *id)
        };
        (0..state.environments.len()).map(EnvironmentId::from_index).find(is_free)
    }

    pub(crate) fn enter_captured(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        code: &Rc<Code<D>>,
        local: u32,
    ) -> Flow<D> {
        let local = &code.memory_locals[local as usize];
        let allocation = Allocation {
            alignment: local.alignment,
            kind: ObjectKind::Local,
            name: local.name,
            span: local.span,
            is_zeroed: false,
        };
        let pointer = attempt!(self, state, id, self.domain.allocate(&mut state.memory, local.size, &allocation));
        self.bind(state, id, code, local.register, local.captured, local.local, pointer);
        self.advance(state, id)
    }

    #[allow(clippy::too_many_arguments)]
    fn bind(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        code: &Rc<Code<D>>,
        register: Register,
        captured: Option<ScopeId>,
        local: Option<LocalId>,
        pointer: D::Value,
    ) {
        let process = &mut *state.processes[id.index()];
        let Some(frame) = process.frames.last() else { return };
        process.registers[(frame.base + register) as usize] = pointer.clone();
        let (Some(scope), Some(local)) = (captured, local) else { return };
        let mut current = frame.environment;
        while let Some(environment) = current {
            let found = &mut state.environments[environment.index()];
            if found.function == code.function && found.scope == scope {
                // Who was started inside sees which object the name means.
                self.is_noticed |= found.users > 0;
                match found.variables.iter_mut().find(|(id, _)| *id == local) {
                    Some(entry) => entry.1 = pointer,
                    None => found.variables.push((local, pointer)),
                }
                return;
            }
            current = found.parent;
        }
    }

    /// A captured local ends with its scope instance.
    pub(crate) fn leave_captured(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        code: &Rc<Code<D>>,
        local: u32,
    ) -> Flow<D> {
        let register = code.memory_locals[local as usize].register;
        let process = &mut *state.processes[id.index()];
        if let Some(frame) = process.frames.last() {
            process.registers[(frame.base + register) as usize] = D::Value::default();
        }
        self.advance(state, id)
    }

    /// The declaration of an array of variable length makes it anew.
    pub(crate) fn enter_dynamic(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        code: &Rc<Code<D>>,
        local: u32,
        size: Operand,
    ) -> Flow<D> {
        let local = &code.memory_locals[local as usize];
        let process = &state.processes[id.index()];
        let base = process.frames.last().map_or(0, |frame| frame.base);
        let size_value = operand(process, base, code, size).clone();
        let size_scalar = Scalar::of_int(
            self.program.types.data_model,
            self.program.arithmetic,
            self.program.types.data_model.size_kind(),
        );
        let allocation = Allocation {
            alignment: local.alignment.max(1),
            kind: ObjectKind::Stack,
            name: local.name,
            span: local.span,
            is_zeroed: false,
        };
        let found = self.domain.allocate_length(&mut state.memory, &size_value, size_scalar, &allocation);
        let unknown = attempt!(self, state, id, found);
        let mut size = 0;
        if unknown.is_none() {
            let known = attempt!(self, state, id, self.domain.need_integer(&state.memory, &size_value, size_scalar));
            size = u64::try_from(known).unwrap_or(u64::MAX);
            if size > self.settings.maximal_object {
                let fault = Fault::new(CheckKind::ArraySize, format!("an array of {size} bytes is too large"))
                    .label("declared here");
                return self.stop(state, id, fault);
            }
        }
        let process = &state.processes[id.index()];
        let old = process.registers[(base + local.register) as usize].clone();
        if !self.domain.is_unset(&old) && local.captured.is_none() {
            attempt!(self, state, id, self.domain.release(&mut state.memory, &old, Ending::Left, local.span));
        }
        let pointer = match unknown {
            Some(pointer) => pointer,
            None => attempt!(self, state, id, self.domain.allocate(&mut state.memory, size, &allocation)),
        };
        self.bind(state, id, code, local.register, local.captured, local.local, pointer);
        self.advance(state, id)
    }

    /// The instance of the scope that a nested function was declared in, as the process sees it.
    pub(crate) fn environment_for(
        &self,
        state: &State<D>,
        id: ProcessId,
        function: FunctionId,
    ) -> Option<EnvironmentId> {
        let (parent, scope) = self.program.functions[function].parent?;
        let body = self.program.functions[parent].body.as_ref()?;
        // The nearest captured scope around the declaration.
        let mut scope = Some(scope);
        while let Some(current) = scope
            && !body.scopes[current].is_captured
        {
            scope = body.scopes[current].parent;
        }
        let mut environment = state.processes[id.index()].frames.last()?.environment;
        while let Some(current) = environment {
            let found = &state.environments[current.index()];
            if found.function == parent && Some(found.scope) == scope {
                return Some(current);
            }
            environment = found.parent;
        }
        None
    }

    pub(crate) fn enclosing(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        to: Register,
        function: FunctionId,
        scope: ScopeId,
        local: LocalId,
    ) -> Flow<D> {
        let process = &mut *state.processes[id.index()];
        let Some(frame) = process.frames.last() else { return Flow::Continue };
        let mut environment = frame.environment;
        while let Some(current) = environment {
            let Some(found) = state.environments.get(current.index()) else { break };
            if found.function == function && found.scope == scope {
                if let Some((_, pointer)) = found.variables.iter().find(|(id, _)| *id == local) {
                    process.registers[(frame.base + to) as usize] = pointer.clone();
                    return self.advance(state, id);
                }
                break;
            }
            environment = found.parent;
        }
        let fault = Fault::new(CheckKind::InvalidDeref, "a variable of an enclosing function no longer exists")
            .label("the block that declares it has been left");
        self.stop(state, id, fault)
    }

    /// The address of a nested function carries the scope instance that it was made in.
    pub(crate) fn nested_function(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        to: Register,
        function: FunctionId,
    ) -> Flow<D> {
        let environment = self.environment_for(state, id, function);
        let value = FunctionValue { function, environment };
        let name = self.program.functions[function].name;
        let pointer = self.domain.function_pointer(&mut state.memory, value, name);
        let process = &mut *state.processes[id.index()];
        let base = process.frames.last().map_or(0, |frame| frame.base);
        process.registers[(base + to) as usize] = pointer;
        self.advance(state, id)
    }
}
