//! The birthplace of all step checks: before each step, what C demands of it becomes `Check` steps of the kinds that are
//! switched on. A kind that is off leaves nothing behind: neither a report nor an assumption.
//!
//! A location keeps its id for the first of its checks, so every edge into it goes through them; the operation itself
//! moves to a new location behind. Checks of operands that C evaluates only sometimes (`a && b`, `c ? x : y`) hold
//! "if evaluated": their condition is an implication.

mod assigned;
mod collect;
mod error_calls;

pub use error_calls::forbid_calls;

use crate::ir::*;
use collect::Collector;
use quod_verdict::{CheckKind, KindSet};

/// Which checks are inserted.
#[derive(Copy, Clone, Debug)]
pub struct Rules {
    pub kinds: KindSet,
    /// `<<` on signed values is what GNU C documents it to be, and never an error but for its amount. Otherwise ISO C's
    /// rules count: neither a negative left operand nor a result that does not fit.
    pub is_left_shift_defined: bool,
}

impl From<KindSet> for Rules {
    /// These kinds, by the letter of ISO C.
    fn from(kinds: KindSet) -> Self {
        Rules { kinds, is_left_shift_defined: false }
    }
}

/// Insert the checks of these kinds into all bodies.
pub fn insert(program: &mut Program, rules: impl Into<Rules>) {
    let rules = rules.into();
    let int = program.types.intern(Type::Int(IntKind::Int));
    let byte_pointer = byte_pointer(&mut program.types);
    let size = program.types.intern(Type::Int(program.types.data_model.size_kind()));
    let known = KnownTypes { int, size, byte_pointer };
    for id in program.functions.ids() {
        let Some(mut body) = program.functions[id].body.take() else { continue };
        insert_into(&mut body, program, rules, known, id);
        program.functions[id].body = Some(body);
    }
}

/// Types that the conditions of checks are made of.
#[derive(Copy, Clone)]
struct KnownTypes {
    int: TypeId,
    size: TypeId,
    byte_pointer: TypeId,
}

fn byte_pointer(types: &mut TypeTable) -> TypeId {
    let byte = types.intern(Type::Int(IntKind::UChar));
    types.intern(Type::Pointer(QualType { ty: byte, qualifiers: Qualifiers::default() }))
}

fn insert_into(body: &mut Body, program: &Program, rules: Rules, known: KnownTypes, function: FunctionId) {
    let assigned = rules.kinds.contains(CheckKind::Uninitialised).then(|| assigned::definitely_assigned(body));
    // New locations are appended and need no checks.
    let ids: Vec<LocationId> = body.locations.ids().collect();
    for id in ids {
        let control = std::mem::replace(&mut body.locations[id].control, Control::Unreachable);
        let mut collector = Collector::new(body, program, rules, known, function);
        if let Some(assigned) = &assigned {
            collector.assigned = Some((assigned, id));
        }
        collector.control(&control);
        let checks = std::mem::take(&mut collector.checks);
        if let Control::When { guard, next, .. } = control {
            body.locations[id].control =
                Control::When { guard, checks: checks.into_iter().map(|(check, _)| check).collect(), next };
            continue;
        }
        let statement = body.locations[id].statement;
        let span = body.locations[id].span;
        let mut place = id;
        for (check, at) in checks {
            let next = body.locations.push(Location { control: Control::Unreachable, span, statement });
            body.locations[place].span = at;
            body.locations[place].control = Control::Step { step: Step::Check(check), next };
            place = next;
        }
        body.locations[place].control = control;
    }
}
