//! `__quod_havoc_3()` at the head of a loop: everything that the loop can change becomes unknown.
//!
//! What it changes is read off the model: the variables that are written on any way around the loop, also by functions
//! that are called there. Writes through pointers change any variable whose address is taken; where they could change
//! something that has no name here (heap objects, variables of callers), the loop is refused.

use crate::ir::*;
use crate::library::is_allocating;
use std::collections::{BTreeMap, BTreeSet};

/// What a piece of code may change.
#[derive(Clone, Debug, Default)]
struct Written {
    globals: BTreeSet<GlobalId>,
    locals: BTreeSet<LocalId>,
    /// Something is written through a pointer.
    is_indirect: bool,
    /// Objects are made or freed.
    is_allocating: bool,
    /// Why it cannot be said.
    refused: Option<String>,
}

/// Functions of the library that change nothing that a program can name.
const HARMLESS: &[&str] = &[
    "abort",
    "exit",
    "_Exit",
    "__assert_fail",
    "__assert",
    "reach_error",
    "printf",
    "puts",
    "putchar",
    "abs",
    "labs",
    "isnan",
    "isinf",
    "fabs",
    "fabsf",
    "sqrt",
    "floor",
    "ceil",
    "strlen",
    "strcmp",
    "strncmp",
    "memcmp",
];
/// Where `errno` is: an object without a name.
const ERRNO: &str = "__errno_location";

/// Replaces the calls of functions whose name begins with `prefix`. Locals whose name begins with `ours` are left alone; where
/// the scope of the one called `seen_3` is entered, loop 3 begins anew.
pub fn havoc_loops(program: &mut Program, prefix: &str, ours: &str) -> Result<(), String> {
    let mut found = Vec::new();
    for (id, function) in program.functions.ids().zip(program.functions.iter()) {
        let Some(body) = &function.body else { continue };
        for location in body.locations.ids() {
            if let Control::Step { step: Step::Call(call), .. } = &body.locations[location].control
                && let Callee::Direct(callee) = call.callee
                && let Some(number) = program.functions[callee].name.as_str().strip_prefix(prefix)
            {
                found.push((id, location, format!("{ours}seen_{number}")));
            }
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    for (function, location, entry) in found {
        let written = around(program, function, location, &entry, ours);
        insert(program, function, location, &written, ours)?;
    }
    Ok(())
}

/// What is written on the ways from a location back to itself on which the loop does not begin anew.
fn around(program: &Program, function: FunctionId, location: LocationId, entry: &str, ours: &str) -> Written {
    let Some(body) = &program.functions[function].body else { return Written::default() };
    let mut written = Written::default();
    let is_entry = |local: LocalId| body.locals[local].name.is_some_and(|name| name.as_str() == entry);
    let Some(entry) = body.locals.ids().find(|&local| is_entry(local)) else {
        written.refused = Some("a loop whose beginning is not known".into());
        return written;
    };
    let cycle = cycle(body, location, body.locals[entry].scope);
    let mut called = BTreeSet::new();
    for &at in &cycle {
        of_location(body, at, &mut written, &mut called);
    }
    of_functions(program, called, function, ours, &mut written);
    // Variables of blocks that begin inside are made anew.
    let entered: BTreeSet<ScopeId> = cycle
        .iter()
        .filter_map(|&at| match &body.locations[at].control {
            Control::Step { step: Step::Enter(scope), .. } => Some(*scope),
            _ => None,
        })
        .collect();
    let is_inside = |local: LocalId| {
        let mut scope = Some(body.locals[local].scope);
        while let Some(id) = scope {
            if entered.contains(&id) {
                return true;
            }
            scope = body.scopes[id].parent;
        }
        false
    };
    written.locals.retain(|&local| {
        let name = body.locals[local].name;
        !is_inside(local) && name.is_some_and(|name| !name.as_str().starts_with(ours))
    });
    if written.is_indirect {
        written.globals.extend(program.globals.ids().filter(|&id| !program.globals[id].is_const));
        // A local without a name is a compound literal, perhaps.
        let is_taken = |&id: &LocalId| body.locals[id].is_address_taken;
        let taken: Vec<LocalId> = body.locals.ids().filter(is_taken).filter(|&id| !is_inside(id)).collect();
        written.locals.extend(taken);
    }
    written.globals.retain(|&global| !program.globals[global].name.as_str().starts_with(ours));
    written
}

/// The locations that lie on a way from this one back to it, on which a scope is not entered.
fn cycle(body: &Body, start: LocationId, entry: ScopeId) -> BTreeSet<LocationId> {
    let mut forward = BTreeSet::new();
    let mut work = vec![start];
    let mut before: BTreeMap<LocationId, Vec<LocationId>> = BTreeMap::new();
    while let Some(at) = work.pop() {
        let is_entry =
            matches!(body.locations[at].control, Control::Step { step: Step::Enter(scope), .. } if scope == entry);
        if is_entry || !forward.insert(at) {
            continue;
        }
        let mut successors = Vec::new();
        body.locations[at].control.for_each_successor(&mut |next| successors.push(next));
        if matches!(body.locations[at].control, Control::ComputedGoto(_)) {
            successors.extend(body.labels.iter().copied());
        }
        for next in successors {
            before.entry(next).or_default().push(at);
            work.push(next);
        }
    }
    let mut backward = BTreeSet::new();
    let mut work = vec![start];
    while let Some(at) = work.pop() {
        if backward.insert(at) {
            work.extend(before.get(&at).into_iter().flatten().copied());
        }
    }
    backward
}

/// What one location writes, and which functions it calls.
fn of_location(body: &Body, at: LocationId, written: &mut Written, called: &mut BTreeSet<FunctionId>) {
    let Control::Step { step, .. } = &body.locations[at].control else { return };
    match step {
        Step::Assign { place, .. } | Step::Zero(place) | Step::Havoc { place, .. } => write(body, *place, written),
        Step::Call(call) => {
            call.result.iter().for_each(|&place| write(body, place, written));
            match call.callee {
                Callee::Direct(callee) => {
                    called.insert(callee);
                }
                Callee::Indirect(..) => {
                    written.refused.get_or_insert("a call through a pointer in a loop".into());
                }
            }
        }
        Step::Declare(_) | Step::Enter(_) | Step::Leave(_) | Step::Check(_) | Step::Assume(_) | Step::Nop => {}
        Step::Unsupported(_) => {}
        other => {
            let what = match other {
                Step::Assembly { .. } => "inline assembly in a loop",
                Step::Builtin { .. } => "a built-in with effects in a loop",
                _ => "processes or blocks of CIVL-C in a loop",
            };
            written.refused.get_or_insert(what.into());
        }
    }
}

/// What these functions, and those that they call, write apart from their own variables.
fn of_functions(
    program: &Program,
    called: BTreeSet<FunctionId>,
    function: FunctionId,
    ours: &str,
    written: &mut Written,
) {
    let mut seen = BTreeSet::new();
    let mut work: Vec<FunctionId> = called.into_iter().collect();
    while let Some(callee) = work.pop() {
        if !seen.insert(callee) {
            continue;
        }
        if callee == function {
            written.refused.get_or_insert("a function that calls itself around a loop".into());
        }
        let name = program.functions[callee].name.as_str();
        match &program.functions[callee].body {
            Some(body) => {
                let mut called = BTreeSet::new();
                let mut own = Written::default();
                body.locations.ids().for_each(|at| of_location(body, at, &mut own, &mut called));
                written.globals.extend(own.globals);
                written.is_indirect |= own.is_indirect;
                if written.refused.is_none() {
                    written.refused = own.refused;
                }
                work.extend(called);
            }
            None if name.starts_with(ours) || name.starts_with("__VERIFIER_nondet_") || HARMLESS.contains(&name) => {}
            None if name == ERRNO || name == "__VERIFIER_assume" || name == "__VERIFIER_error" => {}
            None if is_allocating(name) => written.is_allocating = true,
            None if name.starts_with("pthread_") => {
                written.refused.get_or_insert("threads around a loop".into());
            }
            None => written.is_indirect = true,
        }
    }
}

/// Whether a function may be called while it is active.
fn calls_itself(program: &Program, function: FunctionId) -> bool {
    let mut seen = BTreeSet::new();
    let mut work = vec![function];
    while let Some(Some(body)) = work.pop().map(|caller| &program.functions[caller].body) {
        for location in body.locations.iter() {
            let Control::Step { step: Step::Call(call), .. } = &location.control else { continue };
            match call.callee {
                Callee::Direct(callee) if callee == function => return true,
                Callee::Direct(callee) if program.functions[callee].body.is_none() => {}
                Callee::Direct(callee) => {
                    if seen.insert(callee) {
                        work.push(callee);
                    }
                }
                Callee::Indirect(..) => return true,
            }
        }
    }
    false
}

fn write(body: &Body, mut place: PlaceId, written: &mut Written) {
    loop {
        match body.places[place].kind {
            PlaceKind::Field(inner, _) | PlaceKind::Index(inner, _) => place = inner,
            PlaceKind::RealPart(inner) | PlaceKind::ImaginaryPart(inner) => place = inner,
            PlaceKind::Variable(VariableRef::Global(global)) => {
                written.globals.insert(global);
                return;
            }
            PlaceKind::Variable(VariableRef::Local(local)) | PlaceKind::Temporary(local) => {
                written.locals.insert(local);
                return;
            }
            PlaceKind::Variable(VariableRef::Enclosing { .. }) => {
                written.refused.get_or_insert("a nested function in a loop".into());
                return;
            }
            PlaceKind::Deref(_) | PlaceKind::String(_) => {
                written.is_indirect = true;
                return;
            }
        }
    }
}

/// Built-ins make objects without a name.
fn has_stack_objects(program: &Program) -> bool {
    let makes = |location: &Location| match &location.control {
        Control::Step { step: Step::Builtin { name, .. }, .. } => name.as_str().contains("alloca"),
        _ => false,
    };
    program.functions.iter().filter_map(|function| function.body.as_ref()).any(|body| body.locations.iter().any(makes))
}

/// Puts the havoc in the place of the call, unless something would change that has no name.
fn insert(
    program: &mut Program,
    function: FunctionId,
    location: LocationId,
    written: &Written,
    ours: &str,
) -> Result<(), String> {
    if let Some(why) = &written.refused {
        return Err(why.clone());
    }
    if written.is_allocating {
        return Err("objects of the heap are made or freed in a loop".into());
    }
    if written.is_indirect {
        let is_maker = |name: &str| is_allocating(name) || name == ERRNO;
        let allocates = |function: &Function| function.body.is_none() && is_maker(function.name.as_str());
        if program.functions.iter().any(allocates) || has_stack_objects(program) {
            return Err("a loop writes through a pointer, perhaps into the heap".into());
        }
        if calls_itself(program, function) {
            return Err("a loop writes through a pointer, perhaps into variables of another call".into());
        }
        let others = program.functions.ids().filter(|&id| id != function);
        let is_named = |id: FunctionId| {
            let body = program.functions[id].body.as_ref();
            body.is_none_or(|body| body.locals.iter().all(|local| !local.is_address_taken))
        };
        let is_main = program.main == Some(function);
        if !is_main && !others.into_iter().all(is_named) {
            return Err("a loop writes through a pointer, perhaps into variables of a caller".into());
        }
    }
    let Some(body) = program.functions[function].body.as_mut() else { return Ok(()) };
    let Location { control, span, statement } = body.locations[location].clone();
    let Control::Step { next, .. } = control else { return Ok(()) };
    let mut targets = Vec::new();
    for &local in &written.locals {
        let ty = body.locals[local].ty;
        targets.push((VariableRef::Local(local), ty));
    }
    for &global in &written.globals {
        if !program.globals[global].name.as_str().starts_with(ours) {
            targets.push((VariableRef::Global(global), program.globals[global].ty));
        }
    }
    let mut next = next;
    for (variable, ty) in targets.into_iter().rev() {
        let place = body.places.push(Place { kind: PlaceKind::Variable(variable), ty, span });
        let step = Step::Havoc { place, name: None };
        next = body.locations.push(Location { control: Control::Step { step, next }, span, statement });
    }
    body.locations[location].control = Control::Goto(next);
    Ok(())
}
