//! CIVL-C on the numbers that an object consists of: reductions, and questions about all of them.

use super::context::{Context, Reply};
use super::{Answered, LibraryFunction, civl_data, civl_scope, civlc_objects, stdlib};
use crate::domain::{Domain, ObjectKind, Outcome, Question, Truth};
use crate::scalar::{Cell, Scalar};
use quod_model::ir::{BinaryOp, IntKind, Type};
use quod_verdict::CheckKind;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "$apply" => |context| {
            let (left, right, result) = (context.pointer(0)?, context.pointer(2)?, context.pointer(3)?);
            let cells = leaves(context, 0, &left)?;
            apply(context, &cells, [&left, &right, &result], 1)?;
            Ok(Reply::Nothing)
        },
        "$bundle_unpack_apply" => unpack_apply,
        "$set_leaf_nodes" => |context| {
            let object = context.pointer(0)?;
            let (number, kind) = (context.value(1)?, context.scalar(1));
            for (offset, cell) in leaves(context, 0, &object)? {
                let value = context.machine.domain.convert(kind, cell.scalar, &number)?;
                let place = context.offset(&object, offset as i64);
                context.machine.domain.store(&mut context.state.memory, &place, cell, &value)?;
            }
            Ok(Reply::Nothing)
        },
        "$leaf_nodes_equal_to" => |context| {
            for same in equalities(context)? {
                if !context.decide(same)? {
                    return Ok(Reply::Int(0));
                }
            }
            Ok(Reply::Int(1))
        },
        "$has_leaf_node_equal_to" => |context| {
            for same in equalities(context)? {
                if context.decide(same)? {
                    return Ok(Reply::Int(1));
                }
            }
            Ok(Reply::Int(0))
        },
        "$leaf_node_ptrs" => |context| {
            let (to, object) = (context.pointer(0)?, context.pointer(1)?);
            let word = context.model().pointer_size() as i64;
            for (index, (offset, _)) in leaves(context, 1, &object)?.into_iter().enumerate() {
                let (slot, place) = (context.offset(&to, index as i64 * word), context.offset(&object, offset as i64));
                context.store_pointer(&slot, &place)?;
            }
            Ok(Reply::Nothing)
        },
        "$output_assign" => |context| {
            let (to, from, size) = (context.pointer(0)?, context.pointer(1)?, context.size(2)?);
            civl_data::put(context, &to, &from, size)?;
            Ok(Reply::Nothing)
        },
        "$int_iter_create" => |context| {
            let (from, count) = (context.value(1)?, context.int(2)?);
            let Some(size) = u64::try_from(count).ok().filter(|&count| count < 1 << 24).map(|count| count * 4) else {
                return context.fault(CheckKind::Library, format!("an iterator over {count} numbers"));
            };
            if size > 0 && civl_data::extent(context, &from)? < size {
                return context.fault(CheckKind::InvalidDeref, format!("{size} bytes, of which fewer are there"));
            }
            let object = context.allocate(ITERATOR + size, ObjectKind::Heap, false, "")?;
            context.store_int(&object, IntKind::Int, count)?;
            let position = context.offset(&object, 4);
            context.store_int(&position, IntKind::Int, 0)?;
            let content = context.offset(&object, ITERATOR as i64);
            civl_data::put(context, &content, &from, size)?;
            civl_scope::keep_heap(context, &object)?;
            Ok(Reply::Value(object))
        },
        "$int_iter_hasNext" => |context| {
            let (_, position, count) = iterator(context)?;
            Ok(Reply::Int((position < count).into()))
        },
        "$int_iter_next" => |context| {
            let (object, position, count) = iterator(context)?;
            if position >= count {
                return context.fault(CheckKind::Library, "the iterator has come to its end");
            }
            let place = context.offset(&object, ITERATOR as i64 + 4 * position as i64);
            let scalar = context.int_kind(IntKind::Int);
            let cell = Cell { scalar, size: 4 };
            let value = context.machine.domain.load(&mut context.state.memory, &place, cell)?;
            let place = context.offset(&object, 4);
            context.store_int(&place, IntKind::Int, position + 1)?;
            Ok(Reply::Value(value))
        },
        "$int_iter_destroy" => |context| {
            let object = context.value(0)?;
            stdlib::release(context, &object)?;
            Ok(Reply::Nothing)
        },
        _ => return None,
    })
}

/// Bytes of an iterator before its numbers: how many there are, and which is next.
const ITERATOR: u64 = 8;

/// An iterator over integers: the object, the next position and the number of elements.
fn iterator<D: Domain>(context: &mut Context<'_, '_, D>) -> Outcome<D, (D::Value, i128, i128)> {
    let object = context.pointer(0)?;
    if civl_data::extent(context, &object)? < ITERATOR {
        return context.fault(CheckKind::Library, "this is no iterator");
    }
    let place = context.offset(&object, 4);
    let (count, position) = (context.load_int(&object, IntKind::Int)?, context.load_int(&place, IntKind::Int)?);
    Ok((object, position, count))
}

type Cells = Vec<(u64, Cell)>;

/// The numbers and pointers of what an argument points to, by its type.
fn leaves<D: Domain>(context: &mut Context<'_, '_, D>, index: usize, pointer: &D::Value) -> Outcome<D, Cells> {
    let size = civl_data::whole(context, index, pointer)?;
    let typed = context.pointee(index).filter(|&ty| !matches!(context.machine.program.types.get(ty), Type::Void));
    let Some(ty) = typed else { return context.unsupported("an object whose type is not known") };
    let mut cells = Vec::new();
    civlc_objects::collect(context, ty, 0, size, &mut cells)?;
    Ok(cells)
}

/// For each number of an object: is it the second argument?
fn equalities<D: Domain>(context: &mut Context<'_, '_, D>) -> Outcome<D, Vec<Truth<D::Condition>>> {
    let object = context.pointer(0)?;
    let (number, kind) = (context.value(1)?, context.scalar(1));
    let mut all = Vec::new();
    for (offset, cell) in leaves(context, 0, &object)? {
        let place = context.offset(&object, offset as i64);
        let domain = &mut context.machine.domain;
        let value = domain.load(&mut context.state.memory, &place, cell)?;
        let wanted = domain.convert(kind, cell.scalar, &number)?;
        all.push(domain.compare(BinaryOp::Equal, cell.scalar, &value, &wanted));
    }
    Ok(all)
}

/// Unpacks a bundle of so many values into the last argument, each combined with one of the second.
fn unpack_apply<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (bundle, other, result) = (context.value(0)?, context.pointer(1)?, context.pointer(4)?);
    let count = context.int(3)?;
    if count <= 0 {
        return Ok(Reply::Nothing);
    }
    let (packed, size) = civl_data::unpacked(context, &bundle)?;
    let Some(scalar) = context.pointee(4).and_then(|ty| {
        let program = context.machine.program;
        Scalar::of(&program.types, program.arithmetic, ty)
    }) else {
        return context.unsupported("values that are no numbers");
    };
    let each = context.pointee(4).and_then(|ty| context.machine.program.types.size_of(ty)).unwrap_or(1).max(1);
    if !size.is_multiple_of(each) || !size.is_multiple_of(count as u64 * each) {
        let text = format!("{size} bytes are unpacked as {count} values of {each}");
        return context.fault(CheckKind::Library, text);
    }
    for pointer in [&other, &result] {
        let room = civl_data::extent(context, pointer)?;
        if room < size {
            return context.fault(CheckKind::InvalidDeref, format!("{size} bytes, of which {room} are there"));
        }
    }
    let cells: Cells = (0..size / each).map(|at| (at * each, Cell { scalar, size: each as u8 })).collect();
    apply(context, &cells, [&packed, &other, &result], 2)?;
    Ok(Reply::Nothing)
}

/// The operation on the numbers of two objects; `index` is the argument that names it.
fn apply<D: Domain>(
    context: &mut Context<'_, '_, D>,
    cells: &[(u64, Cell)],
    [left, right, result]: [&D::Value; 3],
    index: usize,
) -> Outcome<D, ()> {
    let operation = context.int(index)?;
    let mut results = Vec::new();
    let mut at = 0;
    while let Some(&(offset, cell)) = cells.get(at) {
        let (a, b) = (load(context, left, offset, cell)?, load(context, right, offset, cell)?);
        at += 1;
        match operation {
            // _MINLOC, _MAXLOC: of two pairs the one with the smaller or larger value, and of equal ones the first.
            11 | 12 => {
                let Some(&(next, place)) = cells.get(at) else {
                    return context.fault(CheckKind::Library, "a value without the number of its place");
                };
                at += 1;
                let (i, j) = (load(context, left, next, place)?, load(context, right, next, place)?);
                let op = if operation == 11 { BinaryOp::Less } else { BinaryOp::Greater };
                let is_better = |context: &mut Context<'_, '_, D>, a: &D::Value, b: &D::Value| {
                    let truth = context.machine.domain.compare(op, cell.scalar, a, b);
                    context.decide(truth)
                };
                let takes_first = if is_better(context, &a, &b)? {
                    true
                } else if is_better(context, &b, &a)? {
                    false
                } else {
                    let truth = context.machine.domain.compare(BinaryOp::LessEqual, place.scalar, &i, &j);
                    context.decide(truth)?
                };
                results.extend(match takes_first {
                    true => [(offset, cell, a), (next, place, i)],
                    false => [(offset, cell, b), (next, place, j)],
                });
            }
            _ => results.push((offset, cell, combined(context, operation, cell.scalar, a, b)?)),
        }
    }
    // Values first: an operation that is done again must have had no effect.
    for (offset, cell, value) in results {
        let place = context.offset(result, offset as i64);
        context.machine.domain.store(&mut context.state.memory, &place, cell, &value)?;
    }
    Ok(())
}

fn load<D: Domain>(context: &mut Context<'_, '_, D>, object: &D::Value, offset: u64, cell: Cell) -> Outcome<D> {
    let place = context.offset(object, offset as i64);
    context.machine.domain.load(&mut context.state.memory, &place, cell)
}

/// An operation of `<op.h>` on two numbers.
fn combined<D: Domain>(
    context: &mut Context<'_, '_, D>,
    operation: i128,
    scalar: Scalar,
    a: D::Value,
    b: D::Value,
) -> Outcome<D> {
    let binary = |context: &mut Context<'_, '_, D>, op: BinaryOp| {
        if scalar.int_format().is_some_and(|format| format.is_signed) {
            let question = Question::FitsBinary { op, scalar, left: a.clone(), right: b.clone() };
            let truth = context.machine.domain.ask(&context.state.memory, &question);
            if matches!(op, BinaryOp::Add | BinaryOp::Multiply) && !context.decide(truth)? {
                return context.fault(CheckKind::SignedOverflow, "the result does not fit");
            }
        }
        context.machine.domain.binary(op, scalar, &a, &b)
    };
    let compare = |context: &mut Context<'_, '_, D>, op: BinaryOp| {
        let truth = context.machine.domain.compare(op, scalar, &a, &b);
        context.decide(truth)
    };
    let truth = |context: &mut Context<'_, '_, D>, value: &D::Value| {
        let truth = context.machine.domain.truth(&context.state.memory, scalar, value);
        context.decide(truth)
    };
    let answer = match operation {
        1 => return Ok(if compare(context, BinaryOp::GreaterEqual)? { a } else { b }),
        2 => return Ok(if compare(context, BinaryOp::LessEqual)? { a } else { b }),
        3 => return binary(context, BinaryOp::Add),
        4 => return binary(context, BinaryOp::Multiply),
        6 => return binary(context, BinaryOp::BitAnd),
        8 => return binary(context, BinaryOp::BitOr),
        10 => return binary(context, BinaryOp::BitXor),
        13 => return Ok(b),
        5 => truth(context, &a)? && truth(context, &b)?,
        7 => truth(context, &a)? || truth(context, &b)?,
        9 => truth(context, &a)? != truth(context, &b)?,
        14 => compare(context, BinaryOp::Equal)?,
        15 => compare(context, BinaryOp::NotEqual)?,
        _ => return context.unsupported("this operation"),
    };
    let one = context.integer(answer.into(), Scalar::I128);
    context.machine.domain.convert(Scalar::I128, scalar, &one)
}
