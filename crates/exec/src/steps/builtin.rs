//! Built-ins with effects, and those that look at the state.

use super::attempt;
use crate::code::{Code, ResultTo};
use crate::domain::{Domain, ObjectKind};
use crate::fault::Fault;
use crate::library::{self, Answered, Context, Passed, Reply};
use crate::machine::{Event, Flow, Machine, operand};
use crate::scalar::Scalar;
use crate::state::{ProcessId, State};
use crate::steps::Given;
use quod_base::Id;
use quod_base::int::IntFormat;
use quod_model::ir::Type;
use quod_verdict::CheckKind;
use std::rc::Rc;

impl<D: Domain> Machine<'_, D> {
    pub(crate) fn builtin(&mut self, state: &mut State<D>, id: ProcessId, code: &Rc<Code<D>>, site: u32) -> Flow<D> {
        let builtin = &code.builtins[site as usize];
        self.is_noticed |= !is_private(builtin.name.as_str());
        let process = &state.processes[id.index()];
        let base = process.frames.last().map_or(0, |frame| frame.base);
        let arguments: Vec<Passed<D::Value>> = builtin
            .arguments
            .iter()
            .map(|argument| Passed {
                value: operand(process, base, code, argument.operand).clone(),
                passing: argument.passing,
                ty: argument.ty,
            })
            .collect();
        let result = match builtin.result {
            ResultTo::Register(_, scalar) => Some(scalar),
            _ => None,
        };
        let name = builtin.name.as_str();
        let mut context = Context {
            machine: self,
            state,
            process: id,
            arguments: &arguments,
            result,
            result_type: builtin.result_type,
            is_result_used: true,
            name,
            span: builtin.span,
            builtin: Some(builtin),
        };
        let reply = run(&mut context);
        let reply = attempt!(self, state, id, reply);
        let given = match reply {
            Reply::Block => return Flow::Event(Event::Blocked),
            Reply::Exit(exit) => return Flow::Event(Event::Exited(exit)),
            Reply::Vanish => return Flow::Event(Event::Vanished),
            Reply::Jumped => return Flow::Continue,
            Reply::Call { function, arguments, native } => {
                self.advance(state, id);
                self.push_native(state, id, code.function, native);
                return self.push_call(state, id, function, &arguments, None, builtin.span);
            }
            Reply::Yield(value) => Given::Value(self.domain.integer(value, result.unwrap_or(Scalar::I32))),
            Reply::At(address) => Given::At(address),
            other => attempt!(self, state, id, self.reply_value(other, result)),
        };
        self.advance(state, id);
        self.deliver(state, id, given)
    }
}

fn run<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let name = context.name;
    let short = name.strip_prefix("__builtin_").unwrap_or(name);
    match short {
        "va_start" | "c23_va_start" | "stdarg_start" | "va_copy" | "va_end" | "va_arg" => {
            return library::variable_arguments(context, short);
        }
        "alloca" | "alloca_with_align" | "alloca_with_align_and_max" => return alloca(context),
        "trap" => return Ok(Reply::Exit(132)),
        quod_model::passes::invariants::IS_ATOMIC => {
            let process = &context.state.processes[context.process.index()];
            return Ok(Reply::Int(i128::from(process.atomic_depth > 0 || process.atom_depth > 0)));
        }
        "unreachable" => {
            return Err(Fault::new(CheckKind::UnreachableReached, "unreachable code is reached")
                .label("`__builtin_unreachable()` is reached")
                .into());
        }
        "prefetch" | "stack_save" | "stack_restore" | "__clear_cache" | "assume" => return Ok(Reply::Int(0)),
        "frame_address" | "return_address" | "extract_return_addr" => {
            let null = context.null();
            return Ok(Reply::Value(null));
        }
        "expect" | "assume_aligned" | "expect_with_probability" => return Ok(Reply::Value(context.value(0)?)),
        "setjmp" | "longjmp" | "eh_return" | "apply" | "apply_args" | "return" => {
            if let Some(function) = library::find::<D>(short) {
                return function(context);
            }
        }
        _ => {}
    }
    if let Some(reply) = overflow(context, short)? {
        return Ok(reply);
    }
    if let Some(reply) = library::state_builtin(context, short)? {
        return Ok(reply);
    }
    let found = D::own_function(name).or_else(|| library::find::<D>(name).filter(|_| D::has_function(name)));
    match found {
        Some(function) => function(context),
        None => Err(Fault::unsupported(format_args!("the built-in `{name}`")).into()),
    }
}

/// Built-ins that no other process sees, beyond the objects that they are given.
fn is_private(name: &str) -> bool {
    matches!(
        name,
        "$self"
            | "$here"
            | "$range"
            | "$domain"
            | "$domain_has"
            | "$domain_get"
            | "$equals"
            | "$havoc_object"
            | "$resize_object"
            | "$is_concrete_int"
            | "$keep_rows"
            | "$row_size"
            | "$row_check"
            | quod_model::passes::invariants::IS_ATOMIC
    )
}

/// Memory that the frame gives back.
fn alloca<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let memory = match context.allocate_argument(0, ObjectKind::Stack, false)? {
        Some(memory) => memory,
        None => {
            let size = context.size(0)?;
            if size > context.machine.settings.maximal_object {
                return context.fault(CheckKind::Malloc, format!("`alloca` of {size} bytes"));
            }
            context.allocate(size, ObjectKind::Stack, false, "")?
        }
    };
    if let Some(frame) = context.current().frames.last_mut() {
        frame.extra.get_or_insert_default().stack_objects.push(memory.clone());
    }
    Ok(Reply::Value(memory))
}

/// `__builtin_add_overflow(a, b, &r)`, its typed relatives and the predicates `_p`.
fn overflow<D: Domain>(
    context: &mut Context<'_, '_, D>,
    short: &str,
) -> crate::domain::Outcome<D, Option<Reply<D::Value>>> {
    let Some(stem) = short.strip_suffix("_overflow").or_else(|| short.strip_suffix("_overflow_p")) else {
        return Ok(None);
    };
    let is_predicate = short.ends_with("_p");
    // `add`, `sadd`, `uaddll`
    let Some(word) = ["add", "sub", "mul"].into_iter().find(|word| stem.contains(word)) else { return Ok(None) };
    let (a, b) = (context.int(0)?, context.int(1)?);
    let wide = |index: usize| context.scalar(index) == Scalar::U128;
    if wide(0) && a < 0 || wide(1) && b < 0 {
        return context.unsupported("128-bit operands of this size");
    }
    let (exact, wrapped) = match word {
        "add" => (a.checked_add(b), a.wrapping_add(b)),
        "sub" => (a.checked_sub(b), a.wrapping_sub(b)),
        _ => (a.checked_mul(b), a.wrapping_mul(b)),
    };
    let target = if is_predicate { Some(context.argument(2)?.ty) } else { context.pointee(2) };
    let Some(target) = target else { return context.unsupported("a result of unknown type") };
    let program = context.machine.program;
    let bits = match context.builtin.and_then(|_| program.types.size_of(target)) {
        Some(size) => size as u32 * 8,
        None => 32,
    };
    let is_signed = match *program.types.get(target) {
        Type::Int(kind) => kind.is_signed(),
        Type::Enum(id) => program.types.enums[id].underlying.is_signed(),
        _ => false,
    };
    let format = IntFormat { bits: bits.clamp(8, 128), is_signed };
    let value = format.wrap(wrapped);
    let fits = exact.is_some_and(|exact| exact == value && (is_signed || exact >= 0));
    if !is_predicate {
        let pointer = context.pointer(2)?;
        let scalar = Scalar::of(&program.types, program.arithmetic, target).unwrap_or(Scalar::I32);
        let stored = context.integer(value, scalar);
        let cell = crate::scalar::Cell { scalar, size: (bits / 8) as u8 };
        context.machine.domain.store(&mut context.state.memory, &pointer, cell, &stored)?;
    }
    Ok(Some(Reply::Int(i128::from(!fits))))
}
