//! Whether a program computes with the numbers that its processes have.

use crate::ir::*;

/// A `$proc` is converted into something else, or something else into a `$proc`.
pub fn are_numbers(program: &Program) -> bool {
    let is_process = |ty: TypeId| program.types[ty] == Type::Process;
    let is_converted = |body: &Body| {
        body.exprs.iter().any(|expr| match expr.kind {
            ExprKind::Convert(operand) => is_process(expr.ty) != is_process(body.exprs[operand].ty),
            _ => false,
        })
    };
    program.functions.iter().filter_map(|function| function.body.as_ref()).any(is_converted)
}
