//! `<civlc.cvh>` and its companions.

use super::context::{Context, Reply};
use super::world::CivlValue;
use super::{Answered, LibraryFunction, civl_scope, civlc_objects, stdlib};
use crate::domain::{Domain, Outcome, Question, Truth};
use crate::fault::Fault;
use crate::scalar::Scalar;
use crate::state::{ProcessId, Status};
use quod_base::Id;
use quod_model::ir::BinaryOp;
use quod_verdict::CheckKind;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "$wait" => |context| {
            let handle = context.int(0)?;
            Ok(if await_end(context, handle)? { Reply::Nothing } else { Reply::Block })
        },
        "$waitall" => |context| {
            let (array, count) = (context.value(0)?, context.int(1)?);
            for index in 0..count {
                let slot = context.offset(&array, index as i64 * 8);
                let question = Question::Initialised { pointer: slot.clone(), size: 8 };
                if let Truth::Known(false) = context.machine.domain.ask(&context.state.memory, &question) {
                    return context.fault(CheckKind::Uninitialised, "one of these processes was never set");
                }
                let handle = context.load(&slot, Scalar::Handle)?;
                let handle = context.known(&handle, Scalar::Handle)?;
                if !await_end(context, handle)? {
                    return Ok(Reply::Block);
                }
            }
            Ok(Reply::Nothing)
        },
        "$exit" => |context| {
            let process = context.process;
            while let Some(frame) = context.state.processes[process.index()].frames.last() {
                let function = frame.function;
                let code = if frame.native.is_some() { None } else { context.machine.code(function) };
                context.machine.pop_frame(context.state, process, code.as_deref())?;
            }
            context.state.processes[process.index()].status = Status::Ended;
            context.machine.process_ended(context.state, process);
            Ok(Reply::Jumped)
        },
        "$is_terminated" => |context| {
            let handle = context.int(0)?;
            Ok(Reply::Int(has_ended(context, handle)?.into()))
        },
        "$choose_int" => |context| {
            let count = context.int(0)?;
            if count <= 0 {
                return context.fault(CheckKind::Library, "`$choose_int` needs a positive number");
            }
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            Ok(Reply::Int(context.pick(count)? as i128))
        },
        "$assert" => |context| {
            let (value, scalar) = (context.value(0)?, context.scalar(0));
            match context.machine.domain.truth(&context.state.memory, scalar, &value) {
                Truth::Known(false) => {
                    let mut fault = Fault::new(CheckKind::Assertion, "assertion fails").label("this does not hold");
                    if context.arguments.len() > 1 {
                        let format = context.string(1)?;
                        let text = super::printf::format(context, &format, super::printf::Source::Call(2))?;
                        fault = fault.note(String::from_utf8_lossy(&text).trim_end());
                    }
                    Err(fault.into())
                }
                _ => Ok(Reply::Nothing),
            }
        },
        "$assume" => |context| {
            let (value, scalar) = (context.value(0)?, context.scalar(0));
            match context.machine.domain.truth(&context.state.memory, scalar, &value) {
                Truth::Known(false) => Ok(Reply::Vanish),
                _ => Ok(Reply::Nothing),
            }
        },
        "$malloc" => |context| {
            let reply = stdlib::allocate_argument(context, 1)?;
            if let Reply::Value(object) = &reply {
                civl_scope::keep_heap(context, object)?;
            }
            Ok(reply)
        },
        "$free" => |context| {
            let pointer = context.value(0)?;
            stdlib::release(context, &pointer)?;
            Ok(Reply::Nothing)
        },
        "$yield" => |context| {
            // Inside an atomic block, too, others are let in.
            context.state.atomic_owner = None;
            Ok(Reply::Yield(0))
        },
        "$elaborate" => |context| {
            context.int(0)?;
            Ok(Reply::Nothing)
        },
        "$equals" => civlc_objects::equals,
        "$havoc_object" => civlc_objects::havoc,
        "$resize_object" => |context| {
            let (pointer, size) = (context.value(0)?, context.value(1)?);
            if context.machine.domain.renew_open(&mut context.state.memory, &pointer, &size)? {
                return Ok(Reply::Nothing);
            }
            let size = context.size(1)?;
            if size > context.machine.settings.maximal_object {
                return context.fault(CheckKind::ArraySize, format!("an array of {size} bytes is too large"));
            }
            context.machine.domain.renew(&mut context.state.memory, &pointer, size)?;
            Ok(Reply::Nothing)
        },
        "$local_start" | "$local_end" | "$elaborate_domain" | "$pathCondition" | "$assume_push" | "$assume_pop"
        | "$reveal" => |_| Ok(Reply::Nothing),
        "$unidirectional_when" => |context| {
            let (value, scalar) = (context.value(0)?, context.scalar(0));
            match context.machine.domain.truth(&context.state.memory, scalar, &value) {
                Truth::Known(false) => Ok(Reply::Block),
                _ => Ok(Reply::Nothing),
            }
        },
        "$next_time_count" => |context| {
            context.state.world.clock += 1;
            Ok(Reply::Int(context.state.world.clock))
        },
        "$is_concrete_int" => |_| Ok(Reply::Int(1)),
        "$hide" => |context| Ok(Reply::Value(context.value(0)?)),
        "$hidden" => |_| Ok(Reply::Int(0)),
        "$pow" => power,
        "$remainder" => |context| {
            let (a, b) = (context.int(0)?, context.int(1)?);
            if b == 0 {
                return context.fault(CheckKind::DivisionByZero, "division by zero");
            }
            Ok(Reply::Int(a.rem_euclid(b)))
        },
        "$quotient" => |context| {
            let (a, b) = (context.int(0)?, context.int(1)?);
            if b == 0 {
                return context.fault(CheckKind::DivisionByZero, "division by zero");
            }
            Ok(Reply::Int(a.div_euclid(b)))
        },
        "$is_derefable" | "$is_derefable_pointer" => |context| {
            let pointer = context.value(0)?;
            let extent = context.machine.domain.extent(&context.state.memory, &pointer);
            Ok(Reply::Int(extent.is_some_and(|extent| extent > 0).into()))
        },
        "$scope_parent" => civl_scope::parent,
        "$scope_defined" => civl_scope::is_defined,
        "$proc_defined" => |context| {
            let handle = context.int(0)?;
            let process = usize::try_from(handle).ok().and_then(|index| context.state.processes.get(index));
            Ok(Reply::Int(process.is_some_and(|process| !process.is_free).into()))
        },
        "$heap_size" => |context| {
            if context.int(0)? != 0 {
                return context.unsupported("the heap of a scope that is not the outermost");
            }
            let sizes = context.machine.domain.heap_objects(&context.state.memory);
            Ok(Reply::Int(sizes.iter().map(|(_, size)| i128::from(*size)).sum()))
        },
        _ => return None,
    })
}

/// `$pow`: by multiplication where the exponent is a small integer.
pub(crate) fn power<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (exponent, scalar) = (context.double(1)?, context.scalar(0));
    if exponent.fract() != 0.0 || exponent.abs() > 64.0 {
        let base = context.double(0)?;
        if base < 0.0 {
            return context.fault(CheckKind::Library, "a root of a negative number");
        }
        return Ok(Reply::Float(base.powf(exponent)));
    }
    let base = context.value(0)?;
    let one = context.integer(1, Scalar::I128);
    let one = context.machine.domain.convert(Scalar::I128, scalar, &one)?;
    let mut result = one.clone();
    for _ in 0..exponent.abs() as u32 {
        result = context.machine.domain.binary(BinaryOp::Multiply, scalar, &result, &base)?;
    }
    if exponent < 0.0 {
        let truth = context.machine.domain.truth(&context.state.memory, scalar, &base);
        if !context.decide(truth)? {
            return context.fault(CheckKind::DivisionByZero, "a negative power of zero");
        }
        result = context.machine.domain.binary(BinaryOp::Divide, scalar, &one, &result)?;
    }
    Ok(Reply::Value(result))
}

/// Whether a process has ended that is waited for, and is now known to have.
fn await_end<D: Domain>(context: &mut Context<'_, '_, D>, handle: i128) -> Outcome<D, bool> {
    let has_ended = has_ended(context, handle)?;
    if let Ok(index) = usize::try_from(handle) {
        let process = ProcessId::from_index(index);
        match has_ended {
            true => context.joined(process),
            false => context.machine.awaits = Some(process),
        }
    }
    Ok(has_ended)
}

fn has_ended<D: Domain>(context: &Context<'_, '_, D>, handle: i128) -> Outcome<D, bool> {
    // `$proc_null` is waited for in vain: it has ended.
    if handle == -1 {
        return Ok(true);
    }
    match usize::try_from(handle).ok().and_then(|index| context.state.processes.get(index)) {
        Some(process) if !process.is_free => Ok(process.status == Status::Ended),
        _ => context.fault(CheckKind::InvalidProcess, "this is no process"),
    }
}

fn keep<D: Domain>(context: &mut Context<'_, '_, D>, value: CivlValue) -> Reply<D::Value> {
    Reply::Int(context.state.world.keep(value))
}

fn kept<'a, D: Domain>(context: &'a Context<'_, '_, D>, index: usize) -> Outcome<D, &'a CivlValue> {
    let handle = context.int(index)?;
    match context.state.world.civl.get(handle) {
        Some(value) => Ok(value),
        None => context.fault(CheckKind::Uninitialised, "a value of CIVL-C was never set"),
    }
}

fn count(range: &(i128, i128, i128)) -> i128 {
    let (low, high, step) = *range;
    if step == 0 || low > high { 0 } else { (high - low) / step.abs() + 1 }
}

/// All tuples of a domain, the last component running fastest; nothing where there are too many.
pub(super) fn tuples(domain: &CivlValue) -> Option<Vec<Vec<i128>>> {
    let ranges = match domain {
        CivlValue::Range { low, high, step } => vec![(*low, *high, *step)],
        CivlValue::Domain(ranges) => ranges.clone(),
        CivlValue::Tuples(tuples) => return Some(tuples.clone()),
        CivlValue::Memory(_) => return None,
    };
    let mut all = vec![Vec::new()];
    for range in &ranges {
        let length = count(range);
        if length.checked_mul(all.len() as i128).is_none_or(|total| total > 1 << 16) {
            return None;
        }
        let longer = |tuple: Vec<i128>| {
            (0..length).map(move |position| [tuple.clone(), vec![nth(range, position)]].concat()).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    Some(all)
}

/// The value at a position: a negative step counts down from the high end.
fn nth(range: &(i128, i128, i128), position: i128) -> i128 {
    let (low, high, step) = *range;
    if step < 0 { high + position * step } else { low + position * step }
}

/// What expressions of CIVL-C need of the state.
pub(super) fn builtin<D: Domain>(context: &mut Context<'_, '_, D>, name: &str) -> Outcome<D, Option<Reply<D::Value>>> {
    Ok(Some(match name {
        "$self" => Reply::Int(context.process.index() as i128),
        "$range" => {
            let (low, high) = (context.int(0)?, context.int(1)?);
            let step = if context.arguments.len() > 2 { context.int(2)? } else { 1 };
            keep(context, CivlValue::Range { low, high, step })
        }
        "$domain" => {
            let mut ranges = Vec::new();
            for index in 0..context.arguments.len() {
                match kept(context, index)? {
                    CivlValue::Range { low, high, step } => ranges.push((*low, *high, *step)),
                    _ => return context.fault(CheckKind::Library, "a domain is made from ranges"),
                }
            }
            keep(context, CivlValue::Domain(ranges))
        }
        "$domain_has" => {
            let position = context.int(1)?;
            Reply::Int(i128::from(position < domain_size(context)?))
        }
        "$domain_get" => {
            let (position, which) = (context.int(1)?, context.int(2)? as usize);
            let value = match kept(context, 0)? {
                CivlValue::Range { low, high, step } => nth(&(*low, *high, *step), position),
                CivlValue::Domain(ranges) => {
                    // The last range runs fastest.
                    let below: i128 = ranges.iter().skip(which + 1).map(count).product();
                    let Some(range) = ranges.get(which) else {
                        return context.fault(CheckKind::Library, "the domain has fewer dimensions");
                    };
                    nth(range, (position / below.max(1)) % count(range).max(1))
                }
                CivlValue::Tuples(tuples) => {
                    tuples.get(position as usize).and_then(|tuple| tuple.get(which)).copied().unwrap_or(0)
                }
                CivlValue::Memory(_) => return context.fault(CheckKind::Library, "this is no domain"),
            };
            Reply::Int(value)
        }
        _ => return civl_scope::builtin(context, name),
    }))
}

fn domain_size<D: Domain>(context: &Context<'_, '_, D>) -> Outcome<D, i128> {
    Ok(match kept(context, 0)? {
        CivlValue::Range { low, high, step } => count(&(*low, *high, *step)),
        CivlValue::Domain(ranges) => ranges.iter().map(count).product(),
        CivlValue::Tuples(tuples) => tuples.len() as i128,
        CivlValue::Memory(_) => return context.fault(CheckKind::Library, "this is no domain"),
    })
}
