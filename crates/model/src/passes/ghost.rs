//! Code that a witness validator wrote into a program gets its meaning: calls that assume, calls that forget what a loop
//! changes, and checks that count only where the witness says.

mod havoc;

pub use havoc::havoc_loops;

use crate::ir::*;
use quod_base::{Id, Span, Symbol};
use quod_verdict::KindSet;

/// Calls of this function, where it has no body, end executions whose argument is 0, as if they did not exist.
pub fn assume_calls(program: &mut Program, name: &str) {
    let name = Symbol::intern(name);
    let int = program.types.intern(Type::Int(IntKind::Int));
    for function in program.functions.iter_mut().filter(|function| function.name == name && function.body.is_none()) {
        let span = function.span;
        let mut body = Body::default();
        let scope = body.scopes.push(Scope { parent: None, span, is_captured: false });
        let local = body.locals.push(Local {
            name: None,
            ty: int,
            scope,
            span,
            is_parameter: true,
            is_address_taken: false,
            is_const: false,
            is_volatile: false,
            is_atomic: false,
            alignment: None,
        });
        let place = body.places.push(Place { kind: PlaceKind::Variable(VariableRef::Local(local)), ty: int, span });
        let value = body.exprs.push(Expr { kind: ExprKind::Load(place), ty: int, span });
        let next = LocationId::from_index(1);
        let statement = Span::NONE;
        body.locations.push(Location { control: Control::Step { step: Step::Assume(value), next }, span, statement });
        body.locations.push(Location { control: Control::Return(None), span, statement });
        function.body = Some(body);
    }
}

/// Where a check stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its failure is a violation if the flag is set; otherwise the execution ends there, unreported.
    Target,
    /// Its failure ends the execution, unreported.
    Elsewhere,
}

/// Lets the checks of these kinds count at the target only, while the variable `flag` is not zero.
pub fn restrict_checks(program: &mut Program, kinds: KindSet, flag: &str, standing: &dyn Fn(&Check, Span) -> Standing) {
    let flag = Symbol::intern(flag);
    let Some(flag) = program.globals.ids().find(|&id| program.globals[id].name == flag) else { return };
    let ty = program.globals[flag].ty;
    for function in program.functions.iter_mut() {
        let Some(body) = function.body.as_mut() else { continue };
        let ids: Vec<LocationId> = body.locations.ids().collect();
        for id in ids {
            let Location { control, span, statement } = body.locations[id].clone();
            let Control::Step { step: Step::Check(check), next } = control else { continue };
            if !kinds.contains(check.kind) {
                continue;
            }
            let condition = check.condition;
            let assume = Control::Step { step: Step::Assume(condition), next };
            if standing(&check, span) == Standing::Elsewhere {
                body.locations[id].control = assume;
                continue;
            }
            let place = body.places.push(Place { kind: PlaceKind::Variable(VariableRef::Global(flag)), ty, span });
            let value = body.exprs.push(Expr { kind: ExprKind::Load(place), ty, span });
            let check = Control::Step { step: Step::Check(check), next };
            let then = body.locations.push(Location { control: check, span, statement });
            let otherwise = body.locations.push(Location { control: assume, span, statement });
            body.locations[id].control = Control::Branch { condition: value, then, otherwise, keyword: Span::NONE };
        }
    }
}
