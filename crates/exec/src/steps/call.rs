//! Calls and returns.

use super::attempt;
use crate::code::{Argument, Code, Op, Operand, Passing, Register, ResultTo, Target};
use crate::domain::{Allocation, Domain, Ending, FunctionValue, ObjectKind, Outcome};
use crate::fault::Fault;
use crate::library::{self, Passed};
use crate::machine::{Callable, Flow, Machine, operand};
use crate::scalar::{Cell, Scalar};
use crate::state::{Extra, Frame, Process, ProcessId, State, Status};
use quod_base::{Id, Span};
use quod_model::ir::*;
use quod_verdict::CheckKind;
use std::rc::Rc;

/// What a function gives back.
pub(crate) enum Given<V> {
    Nothing,
    Value(V),
    /// A record or array at this address.
    At(V),
}

impl<D: Domain> Machine<'_, D> {
    pub(crate) fn call(&mut self, state: &mut State<D>, id: ProcessId, code: &Rc<Code<D>>, site: u32) -> Flow<D> {
        if self.call_plainly(state, id, code, site) {
            return Flow::Continue;
        }
        let call = &code.calls[site as usize];
        let base = state.processes[id.index()].frames.last().map_or(0, |frame| frame.base);
        let function = match &call.target {
            Target::Direct(function) => {
                let environment = match self.program.functions[*function].parent {
                    Some(_) => self.environment_for(state, id, *function),
                    None => None,
                };
                FunctionValue { function: *function, environment }
            }
            Target::Indirect(pointer, ty) => {
                let pointer = operand(&state.processes[id.index()], base, code, *pointer).clone();
                match self.callee(state, &pointer, *ty, call.arguments.len()) {
                    Ok(function) => function,
                    Err(fault) => return self.stop(state, id, *fault),
                }
            }
        };
        let callable = match self.code(function.function) {
            Some(code) => Callable::Code(code),
            None => self.callable(function.function),
        };
        match callable {
            Callable::Code(callee) => {
                let process = &mut *state.processes[id.index()];
                if process.frames.len() >= self.settings.maximal_depth {
                    return self.too_deep(state, id);
                }
                let start = process.registers.len();
                process.registers.resize(start + callee.register_count as usize, D::Value::default());
                for (index, parameter) in callee.parameters.iter().enumerate() {
                    let Some(argument) = call.arguments.get(index) else { break };
                    let mut value = operand(process, base, code, argument.operand).clone();
                    if let (Passing::Scalar(from), Passing::Scalar(to)) = (argument.passing, parameter.passing)
                        && from != to
                    {
                        // A function without a prototype gets its promoted arguments.
                        value = attempt!(self, state, id, self.domain.convert(from, to, &value));
                        state.processes[id.index()].registers[start + index] = value;
                        return self.call_mismatched(state, id, code, site, &callee, start, index + 1, function);
                    }
                    process.registers[start + index] = value;
                }
                self.finish_call(state, id, code, site, &callee, start, function)
            }
            Callable::Library(library) => {
                let process = &state.processes[id.index()];
                let arguments: Vec<Passed<D::Value>> = call
                    .arguments
                    .iter()
                    .map(|argument| Passed {
                        value: operand(process, base, code, argument.operand).clone(),
                        passing: argument.passing,
                        ty: argument.ty,
                    })
                    .collect();
                self.call_library(state, id, function.function, library, &arguments, call.span)
            }
            Callable::Missing => {
                let name = self.program.functions[function.function].name;
                let declared = self.program.functions[function.function].span;
                let fault = Fault::unsupported(format_args!("the function `{name}`"))
                    .label("called here")
                    .place(declared, "declared here, defined nowhere, and no library function of the tool");
                self.stop(state, id, fault)
            }
        }
    }

    /// The usual call: a function that is known, with arguments and a result that fit registers.
    #[inline]
    fn call_plainly(&mut self, state: &mut State<D>, id: ProcessId, code: &Code<D>, site: u32) -> bool {
        let call = &code.calls[site as usize];
        let Target::Direct(function) = call.target else { return false };
        let Some(Callable::Code(callee)) = self.callables[function.index()].get() else { return false };
        let process = &mut *state.processes[id.index()];
        if callee.is_variadic
            || matches!(call.result, ResultTo::Memory { .. })
            || call.arguments.len() != callee.parameters.len()
            || process.frames.len() >= self.settings.maximal_depth
            || self.program.functions[function].parent.is_some()
        {
            return false;
        }
        let Some(base) = process.frames.last().map(|frame| frame.base) else { return false };
        let start = process.registers.len();
        process.registers.resize(start + callee.register_count as usize, D::Value::default());
        for (index, (argument, parameter)) in call.arguments.iter().zip(&callee.parameters).enumerate() {
            if argument.passing != parameter.passing {
                process.registers.truncate(start);
                return false;
            }
            let value = operand(process, base, code, argument.operand).clone();
            process.registers[start + index] = value;
        }
        if let Some(frame) = process.frames.last_mut() {
            frame.pc += 1;
        }
        process.next_serial += 1;
        process.frames.push(Frame {
            function,
            pc: 0,
            base: start as u32,
            environment: None,
            static_link: None,
            serial: process.next_serial,
            native: None,
            extra: None,
        });
        true
    }

    /// The rest of the arguments, each converted where its kind differs.
    #[allow(clippy::too_many_arguments)]
    fn call_mismatched(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        code: &Rc<Code<D>>,
        site: u32,
        callee: &Rc<Code<D>>,
        start: usize,
        from_index: usize,
        function: FunctionValue,
    ) -> Flow<D> {
        let call = &code.calls[site as usize];
        let base = state.processes[id.index()].frames.last().map_or(0, |frame| frame.base);
        for (index, parameter) in callee.parameters.iter().enumerate().skip(from_index) {
            let Some(argument) = call.arguments.get(index) else { break };
            let mut value = operand(&state.processes[id.index()], base, code, argument.operand).clone();
            if let (Passing::Scalar(from), Passing::Scalar(to)) = (argument.passing, parameter.passing)
                && from != to
            {
                value = attempt!(self, state, id, self.domain.convert(from, to, &value));
            }
            state.processes[id.index()].registers[start + index] = value;
        }
        self.finish_call(state, id, code, site, callee, start, function)
    }

    #[allow(clippy::too_many_arguments)]
    fn finish_call(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        code: &Rc<Code<D>>,
        site: u32,
        callee: &Rc<Code<D>>,
        start: usize,
        function: FunctionValue,
    ) -> Flow<D> {
        let call = &code.calls[site as usize];
        let base = state.processes[id.index()].frames.last().map_or(0, |frame| frame.base);
        let variable_arguments = if callee.is_variadic {
            let rest: Vec<(D::Value, Argument)> = call.arguments[callee.parameters.len().min(call.arguments.len())..]
                .iter()
                .map(|argument| {
                    (operand(&state.processes[id.index()], base, code, argument.operand).clone(), *argument)
                })
                .collect();
            match self.pack_arguments(state, &rest, call.span) {
                Ok(object) => Some(object),
                Err(trouble) => {
                    state.processes[id.index()].registers.truncate(start);
                    return Flow::Event(self.trouble(state, id, trouble));
                }
            }
        } else {
            None
        };
        let process = &mut *state.processes[id.index()];
        let result_address = match call.result {
            ResultTo::Memory { address, .. } => Some(operand(process, base, code, address).clone()),
            _ => None,
        };
        if let Some(frame) = process.frames.last_mut() {
            frame.pc += 1;
        }
        process.next_serial += 1;
        process.frames.push(Frame {
            function: function.function,
            pc: 0,
            base: start as u32,
            environment: function.environment,
            static_link: function.environment,
            serial: process.next_serial,
            native: None,
            extra: Extra::of(result_address, variable_arguments),
        });
        Flow::Continue
    }

    fn too_deep(&mut self, state: &mut State<D>, id: ProcessId) -> Flow<D> {
        let depth = state.processes[id.index()].frames.len();
        let fault = Fault::new(CheckKind::Unsupported, format!("the stack is exhausted: {depth} calls are active"))
            .label("this call is one too many")
            .help("is this recursion endless?");
        self.stop(state, id, fault)
    }

    /// The function that a pointer points to, where it may be called with this type.
    fn callee(
        &mut self,
        state: &mut State<D>,
        pointer: &D::Value,
        ty: TypeId,
        arguments: usize,
    ) -> Result<FunctionValue, Box<Fault>> {
        let Some(function) = self.domain.function_at(&state.memory, pointer) else {
            let fault = Fault::new(CheckKind::InvalidCall, "call through a pointer that points to no function")
                .label(format!("the pointer is {}", self.domain.display(pointer, self.pointer_scalar())));
            return Err(Box::new(fault));
        };
        let types = &self.program.types;
        let declared = &self.program.functions[function.function];
        if self.settings.checks.contains(CheckKind::InvalidCall)
            && let (Type::Function(wanted), Type::Function(found)) = (types.get(ty), types.get(declared.ty))
        {
            let (wanted, found) = (&types.functions[*wanted], &types.functions[*found]);
            let too_few = found.has_prototype && arguments < found.parameters.len();
            let too_many = found.has_prototype && !found.is_variadic && arguments > found.parameters.len();
            let mismatch = wanted.has_prototype
                && found.has_prototype
                && wanted.parameters.iter().zip(&found.parameters).any(|(a, b)| !self.is_passed_alike(*a, *b));
            let result_mismatch =
                !matches!(types.get(wanted.result), Type::Void) && !self.is_passed_alike(wanted.result, found.result);
            if too_few || too_many || mismatch || result_mismatch {
                let fault = Fault::new(CheckKind::InvalidCall, "function is called with another type")
                    .label(format!("`{}` is called as a function of another type", declared.name))
                    .place(declared.span, "defined here");
                return Err(Box::new(fault));
            }
        }
        Ok(function)
    }

    fn is_passed_alike(&self, a: TypeId, b: TypeId) -> bool {
        let scalar = |ty| Scalar::of(&self.program.types, self.program.arithmetic, ty);
        match (scalar(a), scalar(b)) {
            (Some(a), Some(b)) => {
                a == b
                    || match (a.int_format(), b.int_format()) {
                        (Some(a), Some(b)) => a.bits == b.bits,
                        _ => false,
                    }
            }
            (None, None) => self.program.types.size_of(a) == self.program.types.size_of(b),
            _ => false,
        }
    }

    pub(crate) fn pointer_scalar(&self) -> Scalar {
        Scalar::pointer(self.program.types.data_model)
    }

    /// The size that an argument takes among the variable ones, and its alignment.
    pub(crate) fn argument_slot(&self, passing: Passing, ty: TypeId) -> (u64, u64) {
        let word = self.program.types.data_model.pointer_size();
        let types = &self.program.types;
        let (size, alignment) = match passing {
            Passing::Scalar(scalar) => {
                let size = types.size_of(ty).unwrap_or(word);
                let alignment =
                    if matches!(scalar, Scalar::F80 | Scalar::F128 | Scalar::I128 | Scalar::U128) && word == 8 {
                        16
                    } else {
                        word
                    };
                (size, alignment)
            }
            Passing::Aggregate { size, alignment } => (size, if word == 8 && alignment >= 16 { 16 } else { word }),
        };
        (size.next_multiple_of(word), alignment)
    }

    /// The object with the variable arguments of a call.
    fn pack_arguments(&mut self, state: &mut State<D>, arguments: &[(D::Value, Argument)], span: Span) -> Outcome<D> {
        let mut size = 0u64;
        let mut positions = Vec::new();
        for (_, argument) in arguments {
            let (bytes, alignment) = self.argument_slot(argument.passing, argument.ty);
            size = size.next_multiple_of(alignment);
            positions.push(size);
            size += bytes;
        }
        let allocation = Allocation { alignment: 16, kind: ObjectKind::Arguments, name: None, span, is_zeroed: false };
        let object = self.domain.allocate(&mut state.memory, size, &allocation)?;
        for ((value, argument), position) in arguments.iter().zip(positions) {
            let address = self.domain.offset(&object, position as i64);
            match argument.passing {
                Passing::Scalar(scalar) => {
                    let size = self.program.types.size_of(argument.ty).unwrap_or(8) as u8;
                    self.domain.store(&mut state.memory, &address, Cell { scalar, size }, value)?;
                }
                Passing::Aggregate { size, .. } => self.domain.copy(&mut state.memory, &address, value, size)?,
            }
        }
        Ok(object)
    }

    /// A call from the library or of a new process: arguments are values of the parameters' kinds.
    pub(crate) fn push_call(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        function: FunctionValue,
        arguments: &[Passed<D::Value>],
        result_address: Option<D::Value>,
        span: Span,
    ) -> Flow<D> {
        match self.callable(function.function) {
            Callable::Code(callee) => {
                let mut values = Vec::new();
                for (parameter, argument) in callee.parameters.iter().zip(arguments) {
                    let value = match (argument.passing, parameter.passing) {
                        (Passing::Scalar(from), Passing::Scalar(to)) if from != to => {
                            attempt!(self, state, id, self.domain.convert(from, to, &argument.value))
                        }
                        _ => argument.value.clone(),
                    };
                    values.push(value);
                }
                let variable_arguments = if callee.is_variadic {
                    let rest: Vec<(D::Value, Argument)> = arguments
                        .iter()
                        .skip(callee.parameters.len())
                        .map(|passed| {
                            let operand = Operand::register(0);
                            (passed.value.clone(), Argument { operand, passing: passed.passing, ty: passed.ty })
                        })
                        .collect();
                    Some(attempt!(self, state, id, self.pack_arguments(state, &rest, span)))
                } else {
                    None
                };
                let process = &mut *state.processes[id.index()];
                let start = process.registers.len();
                process.registers.resize(start + callee.register_count as usize, D::Value::default());
                for (index, value) in values.into_iter().enumerate() {
                    process.registers[start + index] = value;
                }
                process.next_serial += 1;
                let serial = process.next_serial;
                process.frames.push(Frame {
                    function: function.function,
                    pc: 0,
                    base: start as u32,
                    environment: function.environment,
                    static_link: function.environment,
                    serial,
                    native: None,
                    extra: Extra::of(result_address, variable_arguments),
                });
                Flow::Continue
            }
            Callable::Library(library) => {
                // A library function that is called back, such as `free` given to a list.
                self.push_native(state, id, function.function, library::native::Native::Through);
                let arguments = arguments.to_vec();
                self.call_library(state, id, function.function, library, &arguments, span)
            }
            Callable::Missing => {
                let name = self.program.functions[function.function].name;
                self.stop(state, id, Fault::unsupported(format_args!("the function `{name}`")))
            }
        }
    }

    pub(crate) fn push_native(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        function: FunctionId,
        native: library::native::Native<D::Value>,
    ) {
        let process = &mut *state.processes[id.index()];
        process.next_serial += 1;
        let frame = Frame {
            function,
            pc: 0,
            base: process.registers.len() as u32,
            environment: None,
            static_link: None,
            serial: process.next_serial,
            native: Some(Box::new(native)),
            extra: None,
        };
        process.frames.push(frame);
    }

    pub(crate) fn return_scalar(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        code: &Rc<Code<D>>,
        value: Option<Operand>,
    ) -> Flow<D> {
        let process = &state.processes[id.index()];
        let base = process.frames.last().map_or(0, |frame| frame.base);
        let given = match value {
            Some(value) => Given::Value(operand(process, base, code, value).clone()),
            None => Given::Nothing,
        };
        attempt!(self, state, id, self.pop_frame(state, id, Some(code)));
        self.deliver(state, id, given)
    }

    pub(crate) fn return_aggregate(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        code: &Rc<Code<D>>,
        from: Operand,
        size: u64,
    ) -> Flow<D> {
        let process = &state.processes[id.index()];
        let Some(frame) = process.frames.last() else { return Flow::Continue };
        let from = operand(process, frame.base, code, from).clone();
        if let Some(to) = frame.extra.as_ref().and_then(|extra| extra.result_address.clone()) {
            attempt!(self, state, id, self.domain.copy(&mut state.memory, &to, &from, size));
        }
        attempt!(self, state, id, self.pop_frame(state, id, Some(code)));
        self.deliver(state, id, Given::Nothing)
    }

    /// Ends the frame on top and the life of everything in it.
    pub(crate) fn pop_frame(&mut self, state: &mut State<D>, id: ProcessId, code: Option<&Code<D>>) -> Outcome<D, ()> {
        let process: &mut Process<D::Value> = &mut state.processes[id.index()];
        let Some(frame) = process.frames.pop() else { return Ok(()) };
        if let Some(code) = code {
            for local in &code.memory_locals {
                let index = (frame.base + local.register) as usize;
                if local.captured.is_none() && !self.domain.is_unset(&process.registers[index]) {
                    let span = code.span(frame.pc);
                    let pointer = process.registers[index].clone();
                    self.domain.release(&mut state.memory, &pointer, Ending::Left, span)?;
                }
            }
        }
        process.registers.truncate(frame.base as usize);
        if let Some(extra) = &frame.extra {
            let span = code.map_or(Span::NONE, |code| code.span(frame.pc));
            for pointer in extra.stack_objects.iter().chain(&extra.variable_arguments) {
                self.domain.release(&mut state.memory, pointer, Ending::Left, span)?;
            }
        }
        let mut environment = frame.environment;
        while environment != frame.static_link
            && let Some(current) = environment
        {
            environment = state.environments[current.index()].parent;
            self.leave_environment(state, current)?;
        }
        Ok(())
    }

    /// Gives a result to the frame on top: behind its call, or to the library function that called back.
    pub(crate) fn deliver(&mut self, state: &mut State<D>, id: ProcessId, given: Given<D::Value>) -> Flow<D> {
        let process = &mut *state.processes[id.index()];
        let Some(frame) = process.frames.last() else {
            process.result = match given {
                Given::Value(value) => Some(value),
                _ => None,
            };
            process.status = Status::Ended;
            return self.process_ended(state, id);
        };
        if frame.native.is_some() {
            return self.resume_native(state, id, Some(given));
        }
        let (function, pc, base) = (frame.function, frame.pc, frame.base);
        if let Given::Value(value) = &given
            && let Some(Callable::Code(code)) = self.callables[function.index()].get()
            && let Some(Op::Call { site }) = code.ops.get((pc as usize).wrapping_sub(1))
            && let ResultTo::Register(register, _) = code.calls[*site as usize].result
        {
            process.registers[(base + register) as usize] = value.clone();
            return Flow::Continue;
        }
        let Some(code) = self.code(function) else { return Flow::Continue };
        let result = match code.ops.get((pc as usize).wrapping_sub(1)) {
            Some(Op::Call { site }) => code.calls[*site as usize].result,
            Some(Op::Builtin { site }) => code.builtins[*site as usize].result,
            _ => ResultTo::Nothing,
        };
        let process = &mut *state.processes[id.index()];
        match (result, given) {
            (ResultTo::Register(register, _), Given::Value(value)) => {
                process.registers[(base + register) as usize] = value;
            }
            (ResultTo::Register(register, scalar), Given::Nothing) => {
                return self.no_value(state, id, base + register, scalar);
            }
            (ResultTo::Memory { address, size }, Given::At(from)) => {
                let to = operand(process, base, &code, address).clone();
                attempt!(self, state, id, self.domain.copy(&mut state.memory, &to, &from, size));
            }
            _ => {}
        }
        Flow::Continue
    }

    /// The value of a call is used, but the function has ended without one.
    fn no_value(&mut self, state: &mut State<D>, id: ProcessId, register: Register, scalar: Scalar) -> Flow<D> {
        if !self.settings.checks.contains(CheckKind::NoReturn) {
            let value = attempt!(self, state, id, self.domain.unknown(&mut state.memory, scalar, None));
            state.processes[id.index()].registers[register as usize] = value;
            return Flow::Continue;
        }
        // The frame stands behind the call.
        if let Some(frame) = state.processes[id.index()].frames.last_mut() {
            frame.pc = frame.pc.saturating_sub(1);
        }
        let fault = Fault::new(CheckKind::NoReturn, "the value of a call is used, but the function ended without one")
            .label("this value is used")
            .note("the function came to its closing `}` or to a `return` without a value");
        self.stop(state, id, fault)
    }
}
