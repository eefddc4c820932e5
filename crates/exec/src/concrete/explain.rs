//! Answers to the questions of checks, and why an answer is no.

use super::Concrete;
use super::memory::{Life, Memory};
use super::value::Value;
use crate::domain::{Domain, Ending, ObjectKind, Question};
use crate::fault::Fault;
use crate::prepare::LABEL_BASE;
use quod_model::ir::{BinaryOp, UnaryOp};

/// Where the addresses of labels are. GNU C computes with them as with pointers into one array.
const LABELS: std::ops::Range<i128> = LABEL_BASE..0x1_0000;

fn is_label(pointer: &Value) -> bool {
    LABELS.contains(&i128::from(pointer.low))
}

/// Adding stays inside the object or one past its end; a null pointer may be moved by nothing only.
pub(super) fn is_valid_add(memory: &Memory, pointer: &Value, index: i128, element: u64) -> bool {
    if index == 0 {
        return true;
    }
    let Some(object) = memory.find(pointer).and_then(|index| memory.objects.get(index)) else {
        let target = i128::from(pointer.low) + index * i128::from(element);
        return is_label(pointer) && LABELS.contains(&target);
    };
    let offset = pointer.low.wrapping_sub(object.base) as i64;
    let target = i128::from(offset) + index * i128::from(element);
    object.is_live() && (0..=i128::from(object.size)).contains(&target)
}

pub(super) fn answer(domain: &Concrete, memory: &Memory, question: &Question<Value>) -> bool {
    match question {
        Question::ValidFree { pointer } => {
            pointer.low == 0
                || memory.find(pointer).and_then(|index| memory.objects.get(index)).is_some_and(|object| {
                    object.is_live() && object.kind == ObjectKind::Heap && object.base == pointer.low
                })
        }
        Question::SameObject { left, right } => {
            (left.low == 0 && right.low == 0)
                || match (memory.find(left), memory.find(right)) {
                    (Some(a), Some(b)) => a == b,
                    _ => is_label(left) && is_label(right),
                }
        }
        Question::Initialised { pointer, size } => {
            let Some(object) = memory.find(pointer).and_then(|index| memory.objects.get(index)) else { return true };
            let offset = pointer.low.wrapping_sub(object.base);
            // Whether the access is valid is another question.
            !object.is_live()
                || offset.saturating_add(*size) > object.size
                || object.is_written(offset as usize, *size as usize)
        }
        Question::FitsUnary { op, scalar, operand } => match (op, scalar.int_format()) {
            (UnaryOp::Negate, Some(format)) if format.is_signed => format.negate(operand.int(*scalar)).fits,
            _ => true,
        },
        Question::ValidShift { op, scalar, left, right, count } => match scalar.int_format() {
            Some(format) => {
                // Whether a result fits is another question.
                let is_negative = *op == BinaryOp::ShiftLeft && format.is_signed && left.int(*scalar) < 0;
                format.is_shift_amount(right.int(*count)) && !is_negative
            }
            None => right.int(*count) >= 0,
        },
        Question::FitsConversion { value, from, to } => match (from.float_format(), from.int_format(), to.int_format())
        {
            (Some(source), _, Some(format)) => source.to_int(value.bits(), format).is_some(),
            (None, Some(source), Some(format)) => format.can_hold(value.int(*from), source),
            _ => true,
        },
        Question::Aligned { pointer, alignment } => pointer.low % (*alignment).max(1) == 0,
        Question::Callable { pointer } => memory
            .find(pointer)
            .and_then(|index| memory.objects.get(index))
            .is_some_and(|object| object.function.is_some() && object.base == pointer.low),
        Question::FitsBinary { op, scalar, left, right } => domain.fits_binary(*op, *scalar, left, right),
        Question::InitialisedRegister { flag } => flag.low != 0,
        Question::ValidAccess { pointer, size, access } => memory.locate(pointer, size.low, *access).is_ok(),
        Question::ValidPointerAdd { pointer, index, index_scalar, element } => {
            is_valid_add(memory, pointer, index.int(*index_scalar), *element)
        }
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        _ => "?",
    }
}

pub(super) fn explain(domain: &Concrete, memory: &Memory, question: &Question<Value>, fault: Fault) -> Fault {
    let object_of = |pointer: &Value| memory.find(pointer).and_then(|index| memory.objects.get(index));
    match question {
        Question::ValidAccess { pointer, size, access } => memory.describe_access(pointer, size.low, *access, fault),
        Question::ValidFree { pointer } => match object_of(pointer) {
            Some(object) if object.life == Life::Ended(Ending::Freed) => {
                let mut fault = fault;
                fault.message = "memory is freed twice".into();
                fault
                    .label("this memory was freed before")
                    .place(object.span, "allocated here")
                    .place(object.end_span, "freed here for the first time")
            }
            Some(object) if object.kind == ObjectKind::Heap => fault
                .label(format!(
                    "this points {} bytes into the allocated memory",
                    pointer.low.wrapping_sub(object.base) as i64
                ))
                .place(object.span, "allocated here"),
            Some(object) => fault
                .label(format!("{} was not allocated with `malloc`", memory.object_name(object)))
                .place(object.span, "declared here"),
            None => fault.label(format!("no object has the address {:#x}", pointer.low)),
        },
        Question::ValidPointerAdd { pointer, index, index_scalar, element } => {
            let moved = index.int(*index_scalar) * i128::from(*element);
            match object_of(pointer) {
                Some(object) => {
                    let offset = i128::from(pointer.low.wrapping_sub(object.base) as i64);
                    fault
                        .label(format!(
                            "the result is at offset {} of {}, which has {} bytes",
                            offset + moved,
                            memory.object_name(object),
                            object.size
                        ))
                        .place(object.span, "the object begins its life here")
                }
                None if pointer.low == 0 => fault.label("arithmetic on a null pointer"),
                None => fault.label("the pointer points to no object"),
            }
        }
        Question::SameObject { left, right } => {
            let mut fault = fault.label("these pointers do not point into the same object");
            for pointer in [left, right] {
                fault = match object_of(pointer) {
                    Some(object) => fault.place(object.span, format!("one points to {}", memory.object_name(object))),
                    None => fault.note("one of the pointers points to no object"),
                };
            }
            fault
        }
        Question::Initialised { pointer, .. } => match object_of(pointer) {
            Some(object) if object.kind == ObjectKind::Heap => fault
                .label(format!("byte {} was never set", pointer.low.wrapping_sub(object.base)))
                .place(object.span, "allocated here, without values"),
            Some(object) => fault
                .label(format!("{} has no value here", memory.object_name(object)))
                .place(object.span, "declared here, never initialised"),
            None => fault.label("this was never set"),
        },
        Question::InitialisedRegister { .. } => fault.label("this was never set"),
        Question::ValidShift { op, scalar, left, right, count } => {
            let value = domain.display(left, *scalar);
            let bits = scalar.int_format().map_or(0, |format| format.bits);
            match right.int(*count) {
                amount if (0..i128::from(bits)).contains(&amount) && *op == BinaryOp::ShiftLeft => {
                    fault.label(format!("the negative value {value} is shifted left"))
                }
                amount => fault.label(format!("a value of {bits} bits is shifted by {amount}")),
            }
        }
        Question::FitsBinary { op, scalar, left, right } => fault.label(format!(
            "{} {} {} does not fit the type",
            domain.display(left, *scalar),
            operator(*op),
            domain.display(right, *scalar)
        )),
        Question::FitsUnary { scalar, operand, .. } => {
            fault.label(format!("-({}) does not fit the type", domain.display(operand, *scalar)))
        }
        Question::FitsConversion { value, from, .. } => {
            fault.label(format!("{} does not fit the target type", domain.display(value, *from)))
        }
        Question::Aligned { pointer, alignment } => {
            fault.label(format!("the address {:#x} is no multiple of {alignment}", pointer.low))
        }
        Question::Callable { pointer } => {
            if pointer.low == 0 {
                fault.label("the pointer is null")
            } else {
                fault.label("the pointer points to no function")
            }
        }
    }
}
