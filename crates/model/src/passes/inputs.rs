//! Values for `$input` variables from outside: they take the place of the initialiser, or of "any value".

use crate::ir::{Control, Expr, ExprKind, GlobalId, PlaceKind, Program, Step, Type, VariableRef};
use quod_base::Id;

/// Gives an input variable of integer type (or `_Bool`) its value. False if its type is another, or it is never set.
pub fn give(program: &mut Program, global: GlobalId, value: i128) -> bool {
    let ty = program.globals[global].ty;
    if !matches!(program.types.get(ty), Type::Int(_) | Type::Bool) {
        return false;
    }
    let initialiser = program.initialiser;
    let Some(body) = program.functions[initialiser].body.as_mut() else { return false };
    let mut is_given = false;
    for index in 0..body.locations.len() {
        let location = &mut body.locations[Id::from_index(index)];
        let span = location.span;
        let Control::Step { step, .. } = &mut location.control else { continue };
        let (Step::Assign { place, .. } | Step::Havoc { place, .. } | Step::Zero(place)) = *step else { continue };
        if body.places[place].kind != PlaceKind::Variable(VariableRef::Global(global)) {
            continue;
        }
        let value = body.exprs.push(Expr { kind: ExprKind::Int(value), ty, span });
        *step = Step::Assign { place, value };
        is_given = true;
    }
    is_given
}
