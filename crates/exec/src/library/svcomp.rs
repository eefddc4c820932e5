//! The functions of the competition: unknown values, assumptions, the error function, atomic sections.

use super::context::{Context, Reply};
use super::{Answered, LibraryFunction};
use crate::InputValue;
use crate::domain::{Domain, Truth};
use crate::fault::Fault;
use crate::machine::Observed;
use crate::scalar::Scalar;
use quod_base::{Id, Symbol};
use quod_verdict::CheckKind;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "reach_error" | "__VERIFIER_error" => |context| {
            if !context.machine.settings.checks.contains(CheckKind::Unreachable) {
                // Nobody asks for it: the old one aborts, the other one is a function that does nothing.
                let is_end = context.name == "__VERIFIER_error";
                return Ok(if is_end { Reply::Exit(134) } else { Reply::Nothing });
            }
            Err(Fault::new(CheckKind::Unreachable, "the error function is called").label("this call is reached").into())
        },
        "__VERIFIER_assume" | "assume_abort_if_not" => |context| {
            let (value, scalar) = (context.value(0)?, context.scalar(0));
            match context.machine.domain.truth(&context.state.memory, scalar, &value) {
                Truth::Known(false) => Ok(Reply::Vanish),
                _ => Ok(Reply::Nothing),
            }
        },
        "__VERIFIER_assert" => |context| {
            let (value, scalar) = (context.value(0)?, context.scalar(0));
            match context.machine.domain.truth(&context.state.memory, scalar, &value) {
                Truth::Known(false) => {
                    Err(Fault::new(CheckKind::Assertion, "assertion fails").label("the condition is false").into())
                }
                _ => Ok(Reply::Nothing),
            }
        },
        "__VERIFIER_atomic_begin" => |context| {
            if context.state.atomic_owner.is_some_and(|owner| owner != context.process) {
                return Ok(Reply::Block);
            }
            context.state.atomic_owner = Some(context.process);
            context.machine.atomic_entries += 1;
            context.current().atomic_depth += 1;
            Ok(Reply::Nothing)
        },
        "__VERIFIER_atomic_end" => |context| {
            let process = &mut context.state.processes[context.process.index()];
            process.atomic_depth = process.atomic_depth.saturating_sub(1);
            if process.atomic_depth == 0 && process.atom_depth == 0 {
                context.state.atomic_owner = None;
            }
            Ok(Reply::Nothing)
        },
        "__VERIFIER_nondet_memory" => |context| {
            let (pointer, size) = (context.pointer(0)?, context.size(1)?);
            let bytes: Vec<u8> = (0..size).map(|_| context.random() as u8).collect();
            context.write(&pointer, &bytes)?;
            Ok(Reply::Nothing)
        },
        _ if name.starts_with("__VERIFIER_nondet_") => unknown,
        _ => return None,
    })
}

fn unknown<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let Some(scalar) = context.result else { return Ok(Reply::Nothing) };
    let name = Symbol::intern(context.name);
    let value = context.machine.domain.unknown(&mut context.state.memory, scalar, Some(name))?;
    if context.machine.observed.is_some() {
        observe(context, name, scalar, &value);
    }
    Ok(Reply::Value(value))
}

/// Remembers what was given, for those who want to give it again.
fn observe<D: Domain>(context: &mut Context<'_, '_, D>, function: Symbol, scalar: Scalar, value: &D::Value) {
    let domain = &context.machine.domain;
    let float = match scalar {
        Scalar::F32 => domain.known_float(value, scalar).map(|bits| f64::from(f32::from_bits(bits as u32))),
        Scalar::F64 => domain.known_float(value, scalar).map(|bits| f64::from_bits(bits as u64)),
        _ => None,
    };
    let value = match (float, domain.known_integer(value, scalar)) {
        (Some(float), _) => InputValue::Float(float),
        (None, Some(number)) => InputValue::Int(number),
        (None, None) => return,
    };
    let (span, process) = (context.machine.span(context.state, context.process), context.process);
    if let Some(observed) = &mut context.machine.observed {
        observed.push(Observed { function, process, span, scalar, value });
    }
}
