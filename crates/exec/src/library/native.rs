//! Library functions that call back into the program, as small state machines that are resumed with each result.

use super::context::{Context, Passed, Reply};
use super::{Answered, stdlib};
use crate::domain::{Domain, FunctionValue};
use crate::fault::Fault;
use crate::machine::{Event, Flow, Machine};
use crate::scalar::Scalar;
use crate::state::{ProcessId, State};
use crate::steps::Given;
use quod_base::Id;
use quod_model::ir::{FunctionId, IntKind, Type};
use quod_verdict::CheckKind;

#[derive(Clone, Debug)]
pub enum Native<V> {
    /// The first frame of the program: initialise the globals, call `main`, exit.
    Start {
        phase: u8,
    },
    /// `exit`: the handlers of `atexit`, the last registered first.
    Exit {
        code: i32,
    },
    /// Passes a result on.
    Through,
    /// Replaces a result by this one (`pthread_once`: 0).
    Then(i128),
    Sort(stdlib::Sort<V>),
    Search(stdlib::Search<V>),
    /// A signal handler that returns to where it was raised.
    Signal,
}

impl<D: Domain> Machine<'_, D> {
    /// Goes on with the library function in the frame on top.
    pub(crate) fn resume_native(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        given: Option<Given<D::Value>>,
    ) -> Flow<D> {
        let Some(frame) = state.processes[id.index()].frames.last_mut() else { return Flow::Continue };
        let function = frame.function;
        let Some(native) = frame.native.take() else { return Flow::Continue };
        // While the library works, its frame is not there: a reply that calls puts it back.
        state.processes[id.index()].frames.pop();
        let span = self.span(state, id);
        let name = self.program.functions[function].name.as_str();
        let result_type = self.result_type(function);
        let result = result_type.and_then(|ty| Scalar::of(&self.program.types, self.program.arithmetic, ty));
        let mut context = Context {
            machine: self,
            state,
            process: id,
            arguments: &[],
            result,
            result_type,
            is_result_used: true,
            name,
            span,
            builtin: None,
        };
        let start = match *native {
            Native::Start { phase } => Some(phase),
            _ => None,
        };
        let reply = native.resume(&mut context, given);
        if let (Err(trouble), Some(phase)) = (&reply, start)
            && !matches!(trouble, crate::fault::Trouble::Fault(_))
        {
            // To be done again.
            self.push_native(state, id, function, Native::Start { phase });
        }
        self.reply(state, id, function, reply, true, span)
    }

    pub(crate) fn result_type(&self, function: FunctionId) -> Option<quod_model::ir::TypeId> {
        match *self.program.types.get(self.program.functions[function].ty) {
            Type::Function(ty) => Some(self.program.types.functions[ty].result),
            _ => None,
        }
    }

    pub(crate) fn call_library(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        function: FunctionId,
        library: super::LibraryFunction<D>,
        arguments: &[Passed<D::Value>],
        span: quod_base::Span,
    ) -> Flow<D> {
        let result_type = self.result_type(function);
        let result = result_type.and_then(|ty| Scalar::of(&self.program.types, self.program.arithmetic, ty));
        let name = self.program.functions[function].name.as_str();
        let is_native = state.processes[id.index()].frames.last().is_some_and(|frame| frame.native.is_some());
        let is_result_used = is_native || self.is_result_used(state, id);
        let mut context = Context {
            machine: self,
            state,
            process: id,
            arguments,
            result,
            result_type,
            is_result_used,
            name,
            span,
            builtin: None,
        };
        context.machine.is_noticed |= !is_private(name) && !D::is_unseen(name);
        let reply = library(&mut context);
        self.reply(state, id, function, reply, is_native, span)
    }

    /// The call that the process stands at puts its result somewhere.
    fn is_result_used(&mut self, state: &State<D>, id: ProcessId) -> bool {
        let Some(frame) = state.processes[id.index()].frames.last() else { return true };
        let (function, pc) = (frame.function, frame.pc as usize);
        let Some(code) = self.code(function) else { return true };
        match code.ops.get(pc) {
            Some(crate::code::Op::Call { site }) => {
                !matches!(code.calls[*site as usize].result, crate::code::ResultTo::Nothing)
            }
            _ => true,
        }
    }

    /// Carries out what a library function asks for. `is_past`: the caller already stands behind its call.
    pub(crate) fn reply(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        function: FunctionId,
        reply: Answered<D>,
        is_past: bool,
        span: quod_base::Span,
    ) -> Flow<D> {
        let reply = match reply {
            Ok(reply) => reply,
            Err(trouble) => return Flow::Event(self.trouble(state, id, trouble)),
        };
        let result = self.result_type(function);
        let scalar = result.and_then(|ty| Scalar::of(&self.program.types, self.program.arithmetic, ty));
        let given = match reply {
            Reply::Block => return Flow::Event(Event::Blocked),
            Reply::Exit(code) => return Flow::Event(Event::Exited(code)),
            Reply::Vanish => return Flow::Event(Event::Vanished),
            Reply::Jumped => return Flow::Continue,
            Reply::Call { function: callee, arguments, native } => {
                if !is_past {
                    self.advance(state, id);
                }
                self.push_native(state, id, function, native);
                return self.push_call(state, id, callee, &arguments, None, span);
            }
            Reply::Yield(value) => {
                let given = Given::Value(self.domain.integer(value, scalar.unwrap_or(Scalar::I32)));
                if !is_past {
                    self.advance(state, id);
                }
                return match self.deliver(state, id, given) {
                    Flow::Continue => Flow::Event(Event::Yielded),
                    event => event,
                };
            }
            Reply::At(address) => Given::At(address),
            other => match self.reply_value(other, scalar) {
                Ok(given) => given,
                Err(trouble) => return Flow::Event(self.trouble(state, id, trouble)),
            },
        };
        if !is_past {
            self.advance(state, id);
        }
        self.deliver(state, id, given)
    }

    /// The value of a reply in the result's own kind.
    pub(crate) fn reply_value(
        &mut self,
        reply: Reply<D::Value>,
        scalar: Option<Scalar>,
    ) -> Result<Given<D::Value>, crate::fault::Trouble<D::Condition>> {
        let Some(scalar) = scalar else { return Ok(Given::Nothing) };
        Ok(match reply {
            Reply::Int(value) => Given::Value(match scalar.float_format() {
                Some(_) => {
                    let wide = self.domain.integer(value, Scalar::I128);
                    self.domain.convert(Scalar::I128, scalar, &wide)?
                }
                None => {
                    let value = scalar.int_format().map_or(value, |format| format.wrap(value));
                    self.domain.integer(value, scalar)
                }
            }),
            Reply::Float(value) => {
                let double = self.domain.float(value.to_bits().into(), &format!("{value:?}"), Scalar::F64);
                Given::Value(match scalar {
                    Scalar::Real => self.domain.float(value.to_bits().into(), &format!("{value:?}"), Scalar::Real),
                    _ => self.domain.convert(Scalar::F64, scalar, &double)?,
                })
            }
            Reply::FloatBits(bits) => Given::Value(self.domain.float(bits, "", scalar)),
            Reply::Value(value) => Given::Value(value),
            _ => Given::Nothing,
        })
    }
}

/// Functions whose only effects are on the objects that they are given, and on new ones.
fn is_private(name: &str) -> bool {
    matches!(
        name,
        "malloc"
            | "calloc"
            | "free"
            | "memcpy"
            | "memset"
            | "memmove"
            | "strlen"
            | "strcmp"
            | "strcpy"
            | "abs"
            | "$malloc"
            | "$free"
            | "$copy"
            | "$equals"
            | "$assert_equals"
            | "$contains"
            | "$set_default"
            | "$bundle_size"
            | "$bundle_pack"
            | "$bundle_unpack"
            | "$message_pack"
            | "$message_unpack"
            | "$message_source"
            | "$message_dest"
            | "$message_tag"
            | "$message_size"
            | "$comm_create"
            | "$comm_destroy"
            | "$wait"
            | "$waitall"
            | "pthread_create"
            | "pthread_join"
            | "thrd_create"
            | "thrd_join"
            | "$comm_size"
            | "$comm_place"
            | "$comm_enqueue"
            | "$comm_dequeue"
            | "$elaborate"
            | "$local_start"
            | "$local_end"
            | "$pathCondition"
            | "$yield"
    )
}

impl<V> Native<V> {
    /// It holds no value of the program.
    pub fn keeps_no_values(&self) -> bool {
        !matches!(self, Native::Sort(_) | Native::Search(_))
    }
}

impl<V: Clone> Native<V> {
    fn resume<D: Domain<Value = V>>(self, context: &mut Context<'_, '_, D>, given: Option<Given<V>>) -> Answered<D> {
        let value = match given {
            Some(Given::Value(value)) => Some(value),
            _ => None,
        };
        match self {
            Native::Start { phase } => start(context, phase, value),
            Native::Exit { code } => stdlib::run_exit_handlers(context, code),
            Native::Through => Ok(value.map_or(Reply::Nothing, Reply::Value)),
            Native::Then(result) => Ok(Reply::Int(result)),
            Native::Sort(sort) => sort.resume(context, value),
            Native::Search(search) => search.resume(context, value),
            Native::Signal => Ok(Reply::Int(0)),
        }
    }
}

fn start<D: Domain>(context: &mut Context<'_, '_, D>, phase: u8, value: Option<D::Value>) -> Answered<D> {
    let program = context.machine.program;
    match phase {
        0 => {
            super::stdio::make_standard(context)?;
            let function = FunctionValue { function: program.initialiser, environment: None };
            Ok(Reply::Call { function, arguments: Vec::new(), native: Native::Start { phase: 1 } })
        }
        1 => {
            context.machine.seal_constants(context.state);
            context.machine.keep_thread_local_images(context.state);
            let Some(main) = program.main else {
                return Err(Fault::unsupported("a program without `main`").into());
            };
            let arguments = main_arguments(context, main)?;
            let function = FunctionValue { function: main, environment: None };
            Ok(Reply::Call { function, arguments, native: Native::Start { phase: 2 } })
        }
        _ => {
            let is_left = |process: &crate::state::Process<D::Value>| {
                process.is_spawned && process.status == crate::state::Status::Running
            };
            if context.machine.settings.checks.contains(CheckKind::ProcessLeak)
                && let Some(index) = context.state.processes.iter().position(|process| is_left(process))
            {
                let place = context.machine.span(context.state, ProcessId::from_index(index));
                let fault = Fault::new(CheckKind::ProcessLeak, "`main` returns while a process still runs");
                return Err(fault.place(place, "the process is here").into());
            }
            let scalar = program.main.and_then(|main| context.machine.result_type(main));
            let scalar = scalar.and_then(|ty| Scalar::of(&program.types, program.arithmetic, ty));
            let code = match (value, scalar) {
                (Some(value), Some(scalar)) => context.known(&value, scalar).unwrap_or(0) as i32,
                _ => 0,
            };
            stdlib::begin_exit(context, code)
        }
    }
}

/// `argc`, `argv` and `envp`.
fn main_arguments<D: Domain>(
    context: &mut Context<'_, '_, D>,
    main: FunctionId,
) -> crate::domain::Outcome<D, Vec<Passed<D::Value>>> {
    let program = context.machine.program;
    let count = match *program.types.get(program.functions[main].ty) {
        Type::Function(ty) => program.types.functions[ty].parameters.len(),
        _ => 0,
    };
    if count == 0 {
        return Ok(Vec::new());
    }
    if let Some(limits) = context.machine.settings.any_arguments {
        let mut arguments = any_arguments(context, limits)?;
        arguments.truncate(count);
        return Ok(arguments);
    }
    let texts = context.machine.settings.arguments.clone();
    let environment: Vec<Vec<u8>> = context
        .machine
        .settings
        .environment
        .iter()
        .map(|(name, value)| [name.as_slice(), b"=", value.as_slice()].concat())
        .collect();
    let int = context.int_kind(IntKind::Int);
    let argc = context.integer(texts.len() as i128, int);
    let argv = string_array(context, &texts, "argv")?;
    let envp = string_array(context, &environment, "envp")?;
    let mut arguments = vec![context.passed(argc, int), context.passed_pointer(argv), context.passed_pointer(envp)];
    arguments.truncate(count);
    Ok(arguments)
}

/// Any arguments: their number is a choice, their characters are inputs.
fn any_arguments<D: Domain>(
    context: &mut Context<'_, '_, D>,
    limits: crate::machine::AnyArguments,
) -> crate::domain::Outcome<D, Vec<Passed<D::Value>>> {
    let count = match limits.count {
        Some(count) => count as usize,
        None => 1 + context.pick(limits.most as usize)?,
    };
    let (int, char) = (context.int_kind(IntKind::Int), context.int_kind(IntKind::Char));
    let (kind, word) = (crate::domain::ObjectKind::Global, context.model().pointer_size());
    let name = quod_base::Symbol::intern("CIVL_argv");
    let argv = context.allocate((count as u64 + 1) * word, kind, true, "argv")?;
    for index in 0..count {
        let text = context.allocate(u64::from(limits.length) + 1, kind, true, "argument")?;
        for at in 0..limits.length {
            let value = context.machine.domain.unknown(&mut context.state.memory, char, Some(name))?;
            context.machine.domain.assume_between(&mut context.state.memory, &value, char, (-128, 127));
            let place = context.offset(&text, at.into());
            let cell = crate::scalar::Cell { scalar: char, size: 1 };
            context.machine.domain.store(&mut context.state.memory, &place, cell, &value)?;
        }
        let slot = context.offset(&argv, index as i64 * word as i64);
        context.store_pointer(&slot, &text)?;
    }
    let none = context.allocate(word, kind, true, "envp")?;
    let argc = context.integer(count as i128, int);
    Ok(vec![context.passed(argc, int), context.passed_pointer(argv), context.passed_pointer(none)])
}

fn string_array<D: Domain>(
    context: &mut Context<'_, '_, D>,
    texts: &[Vec<u8>],
    name: &str,
) -> crate::domain::Outcome<D> {
    let word = context.model().pointer_size();
    let kind = crate::domain::ObjectKind::Global;
    let array = context.allocate((texts.len() as u64 + 1) * word, kind, true, name)?;
    for (index, text) in texts.iter().enumerate() {
        let string = context.allocate(text.len() as u64 + 1, kind, true, name)?;
        context.write(&string, text)?;
        let slot = context.offset(&array, (index as u64 * word) as i64);
        context.store_pointer(&slot, &string)?;
    }
    Ok(array)
}
