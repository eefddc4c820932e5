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

/// A step of the inserted code that does more than look at the program: it calls a function that is not ours, or changes what
/// the program can see. Names that begin with `ours` are ours, and these functions may be called.
pub fn meddling(program: &Program, ours: &str, functions: &[&str], is_inserted: &dyn Fn(Span) -> bool) -> Option<Span> {
    let is_our_name = |name: Symbol| name.as_str().starts_with(ours);
    let is_harmless = |body: &Body, step: &Step| match step {
        Step::Assign { place, .. } | Step::Zero(place) => match root(body, *place) {
            Some(VariableRef::Local(local)) => body.locals[local].name.is_none_or(is_our_name),
            Some(VariableRef::Global(global)) => is_our_name(program.globals[global].name),
            _ => false,
        },
        Step::Call(call) => match call.callee {
            Callee::Direct(callee) => {
                let name = program.functions[callee].name;
                is_our_name(name) || functions.contains(&name.as_str())
            }
            Callee::Indirect(..) => false,
        },
        Step::Builtin { .. } | Step::Assembly { .. } | Step::Spawn { .. } | Step::DomainNext { .. } => false,
        Step::Assume(_) | Step::Havoc { .. } => false,
        _ => true,
    };
    // Conditions cannot name what begins an atomic block, but macros can.
    let is_block = |step: &Step, span: &Span| {
        span.expansion.is_some() && matches!(step, Step::AtomicBegin { .. } | Step::AtomicEnd { .. })
    };
    for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
        for Location { control, span, .. } in body.locations.iter() {
            if let Control::Step { step, .. } = control
                && (!is_harmless(body, step) || is_block(step, span))
                && is_inserted(*span)
            {
                return Some(*span);
            }
        }
    }
    None
}

/// The variable that a place is in; nothing for what a pointer leads to.
fn root(body: &Body, mut place: PlaceId) -> Option<VariableRef> {
    loop {
        match body.places[place].kind {
            PlaceKind::Variable(variable) => return Some(variable),
            PlaceKind::Temporary(local) => return Some(VariableRef::Local(local)),
            PlaceKind::Field(inner, _) | PlaceKind::Index(inner, _) => place = inner,
            PlaceKind::RealPart(inner) | PlaceKind::ImaginaryPart(inner) => place = inner,
            PlaceKind::Deref(_) | PlaceKind::String(_) => return None,
        }
    }
}
