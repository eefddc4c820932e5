//! Weak symbols that nobody defines: their address may be null, which no other address of a variable or function is.

use crate::ir::*;
use quod_base::{Id, Symbol};
use quod_diag::{Diagnostic, codes};

/// Functions that use the address of such a symbol begin with a step that is not supported.
pub(crate) fn doubt_addresses(program: &mut Program, weak: &[Symbol]) {
    if weak.is_empty() {
        return;
    }
    let functions: Vec<FunctionId> = program
        .functions
        .ids()
        .filter(|&id| program.functions[id].body.is_none() && weak.contains(&program.functions[id].name))
        .collect();
    let globals: Vec<GlobalId> = program
        .globals
        .ids()
        .filter(|&id| program.globals[id].storage == Storage::External && weak.contains(&program.globals[id].name))
        .collect();
    for body in program.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        let function =
            body.exprs.iter().find(|expr| matches!(&expr.kind, ExprKind::Function(id) if functions.contains(id)));
        let global = body
            .places
            .iter()
            .find(|place| matches!(&place.kind, PlaceKind::Variable(VariableRef::Global(id)) if globals.contains(id)));
        let Some(used) = function.map(|expr| expr.span).or_else(|| global.map(|place| place.span)) else { continue };
        let entry = LocationId::from_index(0);
        let (span, statement) = (body.locations[entry].span, body.locations[entry].statement);
        let control = std::mem::replace(&mut body.locations[entry].control, Control::Unreachable);
        let next = body.locations.push(Location { control, span, statement });
        let diagnostic =
            Diagnostic::error(codes::UNSUPPORTED, "a weak symbol that is defined nowhere is not supported")
                .label(used, "its address may be null");
        body.locations[entry].control = Control::Step { step: Step::Unsupported(Box::new(diagnostic)), next };
    }
}
