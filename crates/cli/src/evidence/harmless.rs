//! What a witness adds to a program changes nothing in it: conditions are looked at where they have been compiled, because
//! macros of the program, or a call in an unusual spelling, can hide effects in their text.

use quod_base::{Span, Symbol};
use quod_model::ir::*;
use quod_witness::prelude::LOCAL;

/// Functions that the inserted text calls itself; conditions cannot name them.
const OWN: &[&str] = &["pthread_self", "__VERIFIER_nondet_longlong"];

/// What inserted text does besides asking and counting, if anything.
pub(super) fn effect(program: &Program, is_inserted: &dyn Fn(Span) -> bool) -> Option<&'static str> {
    for function in program.functions.iter() {
        let Some(body) = &function.body else { continue };
        for location in body.locations.iter().filter(|location| is_inserted(location.span)) {
            let Control::Step { step, .. } = &location.control else { continue };
            // What is written in the text itself and not made by a macro may be ours.
            let is_plain = location.span.expansion.is_none();
            let found = match step {
                Step::Assign { place, .. } | Step::Zero(place) => written(program, body, *place),
                Step::Call(call) => {
                    let is_own = match call.callee {
                        Callee::Direct(callee) => is_plain && is_own_function(program.functions[callee].name),
                        Callee::Indirect(..) => false,
                    };
                    let result = call.result.and_then(|place| written(program, body, place));
                    if is_own { result } else { Some("calls a function") }
                }
                Step::AtomicBegin { .. } | Step::AtomicEnd { .. } if is_plain => None,
                Step::Enter(_) | Step::Leave(_) | Step::Declare(_) | Step::Check(_) | Step::Nop => None,
                Step::Unsupported(_) => None,
                _ => Some("has an effect"),
            };
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

fn is_own_function(name: Symbol) -> bool {
    name.as_str().starts_with(LOCAL) || OWN.contains(&name.as_str())
}

/// A place that is the program's.
fn written(program: &Program, body: &Body, mut place: PlaceId) -> Option<&'static str> {
    loop {
        let name = match body.places[place].kind {
            PlaceKind::Field(inner, _) | PlaceKind::Index(inner, _) => {
                place = inner;
                continue;
            }
            PlaceKind::RealPart(inner) | PlaceKind::ImaginaryPart(inner) => {
                place = inner;
                continue;
            }
            PlaceKind::Variable(VariableRef::Local(local)) | PlaceKind::Temporary(local) => body.locals[local].name,
            PlaceKind::Variable(VariableRef::Global(global)) => Some(program.globals[global].name),
            PlaceKind::Variable(VariableRef::Enclosing { .. }) | PlaceKind::Deref(_) | PlaceKind::String(_) => {
                return Some("changes a variable");
            }
        };
        let is_ours = name.is_none_or(|name| name.as_str().starts_with(LOCAL));
        return (!is_ours).then_some("changes a variable");
    }
}
