//! The sliced program from what stays.

use super::calls::{Callees, Known, known};
use super::control::successors;
use super::relevance::{Relevance, is_scalar};
use super::sites::Function;
use super::{OTHER_INPUT, Question, Slice};
use crate::ir::*;
use quod_base::{Id, Symbol};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// What comes next of all that stays.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Next {
    At(LocationId),
    /// The function returns.
    Exit,
    /// Nothing: control goes around for ever.
    Nowhere,
}

/// For each location what comes next on all ways from it; and branches from which that is not one.
pub(super) fn next_kept(function: &Function<'_>) -> (Vec<Next>, Vec<LocationId>) {
    let body = function.body;
    let mut before: Vec<Vec<LocationId>> = vec![Vec::new(); body.locations.len()];
    let mut next = vec![Next::Nowhere; body.locations.len()];
    let mut work = VecDeque::new();
    for (at, location) in body.locations.iter_enumerated() {
        successors(body, at).into_iter().for_each(|target| before[target.index()].push(at));
        let is_return = matches!(location.control, Control::Return(_));
        if function.is_kept[at.index()] || is_return {
            next[at.index()] = if function.is_kept[at.index()] { Next::At(at) } else { Next::Exit };
            work.push_back(at);
        }
    }
    let mut apart = Vec::new();
    while let Some(at) = work.pop_front() {
        for &from in &before[at.index()] {
            if function.is_kept[from.index()] {
                continue;
            }
            match next[from.index()] {
                Next::Nowhere => {
                    next[from.index()] = next[at.index()];
                    work.push_back(from);
                }
                known if known != next[at.index()] => apart.push(from),
                _ => {}
            }
        }
    }
    (next, apart)
}

pub(super) fn rewrite(
    (program, original): (&Program, &Program),
    callees: &Callees,
    mut relevance: Relevance<'_>,
    next: Vec<(FunctionId, Vec<Next>)>,
    question: &Question<'_>,
) -> Slice {
    let mut slice = Slice {
        program: program.clone(),
        original: original.clone(),
        locations: 0,
        removed_locations: 0,
        variables: 0,
        removed_variables: 0,
        removed_checks: 0,
    };
    let int = slice.program.types.intern(Type::Int(IntKind::Int));
    let mut renamed: FxHashMap<FunctionId, FunctionId> = FxHashMap::default();
    for (function, next) in next {
        let Some(body) = program.functions[function].body.as_ref() else { continue };
        let is_kept = relevance.functions.get_mut(&function).map(|it| std::mem::take(&mut it.is_kept));
        let is_kept = is_kept.unwrap_or_default();
        let Some(mut sliced) = slice.program.functions[function].body.take() else { continue };
        let exit = body.locations.iter_enumerated().find(|(_, it)| matches!(it.control, Control::Return(_)));
        let exit = exit.map(|(at, _)| at);
        for at in body.locations.ids() {
            let is_counted = is_counted(&body.locations[at].control);
            slice.locations += usize::from(is_counted);
            if is_kept[at.index()] {
                keep(program, callees, &mut relevance, (function, at), &mut sliced);
                continue;
            }
            slice.removed_locations += usize::from(is_counted);
            if let Control::Step { step, .. } = &body.locations[at].control {
                slice.removed_checks +=
                    usize::from(matches!(step, Step::Check(check) if question.kinds.contains(check.kind)));
                other_input(&mut slice.original, &mut renamed, (function, at), step);
            }
            if let Control::Return(_) = body.locations[at].control {
                sliced.locations[at].control = Control::Return(None);
                continue;
            }
            let target = match next[at.index()] {
                Next::At(target) => Some(target),
                Next::Exit => exit,
                Next::Nowhere => None,
            };
            sliced.locations[at].control = match target {
                Some(target) => Control::Goto(target),
                None => {
                    // Executions that get here see nothing more of what is asked.
                    let span = sliced.locations[at].span;
                    let never = sliced.exprs.push(Expr { kind: ExprKind::Int(0), ty: int, span });
                    Control::Step { step: Step::Assume(never), next: at }
                }
            };
        }
        for local in body.locals.ids().filter(|local| body.locals[*local].name.is_some()) {
            slice.variables += 1;
            slice.removed_variables += usize::from(!relevance.is_local_valued(function, local));
        }
        slice.program.functions[function].body = Some(sliced);
    }
    for global in program.globals.ids() {
        slice.variables += 1;
        slice.removed_variables += usize::from(!relevance.is_global_valued(global));
    }
    slice
}

/// Whether a location does something.
fn is_counted(control: &Control) -> bool {
    match control {
        Control::Step { step, .. } => !matches!(step, Step::Nop | Step::Enter(_) | Step::Leave(_) | Step::Declare(_)),
        Control::Goto(_) | Control::Return(_) | Control::Unreachable => false,
        _ => true,
    }
}

/// A location that stays: calls without results that nobody needs, constants for arguments that nobody reads.
fn keep(
    program: &Program,
    callees: &Callees,
    relevance: &mut Relevance<'_>,
    (function, at): (FunctionId, LocationId),
    body: &mut Body,
) {
    let mut control = std::mem::replace(&mut body.locations[at].control, Control::Unreachable);
    match &mut control {
        Control::Step { step: Step::Call(call), .. } => {
            if !relevance.has_result((function, at)) {
                call.result = None;
            }
            for (index, argument) in call.arguments.iter_mut().enumerate() {
                let is_unread = callees.of(function, at).iter().all(|&callee| {
                    let Some(body) = &program.functions[callee].body else { return false };
                    let Some((local, definition)) = body.locals.iter_enumerated().nth(index) else { return false };
                    definition.is_parameter
                        && is_scalar(program, definition.ty)
                        && !relevance.is_local_valued(callee, local)
                });
                if is_unread && !callees.of(function, at).is_empty() {
                    *argument = constant(program, body, *argument);
                }
            }
        }
        Control::Return(value) if !relevance.is_result_valued(function) => *value = None,
        _ => {}
    }
    body.locations[at].control = control;
}

fn constant(program: &Program, body: &mut Body, argument: ExprId) -> ExprId {
    let Expr { ty, span, .. } = body.exprs[argument];
    let kind = match program.types[ty] {
        Type::Float(_) => ExprKind::Float { bits: 0, text: Symbol::intern("0.0") },
        Type::Bool | Type::Int(_) | Type::Enum(_) | Type::Pointer(_) => ExprKind::Int(0),
        _ => return argument,
    };
    body.exprs.push(Expr { kind, ty, span })
}

/// A call that takes an input and is not in the slice is told apart from those that are.
fn other_input(
    original: &mut Program,
    renamed: &mut FxHashMap<FunctionId, FunctionId>,
    (function, at): (FunctionId, LocationId),
    step: &Step,
) {
    let Step::Call(Call { callee: Callee::Direct(callee), .. }) = *step else { return };
    let given = &original.functions[callee];
    if given.body.is_some() || known(given.name.as_str()) != Known::Input {
        return;
    }
    let other = match renamed.get(&callee) {
        Some(&other) => other,
        None => {
            let mut copy = given.clone();
            copy.name = Symbol::intern(&format!("{}{OTHER_INPUT}", copy.name));
            let other = original.functions.push(copy);
            renamed.insert(callee, other);
            other
        }
    };
    let Some(body) = &mut original.functions[function].body else { return };
    if let Control::Step { step: Step::Call(call), .. } = &mut body.locations[at].control {
        call.callee = Callee::Direct(other);
    }
}
