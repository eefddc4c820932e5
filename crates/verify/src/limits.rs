//! What an answer "holds" cannot be given for: questions that the search does not ask, inputs that it does not vary.

use crate::engine::Options;
use quod_base::{Id, Span};
use quod_diag::Diagnostic;
use quod_model::ir::{CivlExpr, Expr, ExprKind, PlaceKind, Program, VariableRef};
use quod_verdict::{CheckKind, Reason};

/// `main` has parameters and its body mentions one.
pub(crate) fn uses_arguments(program: &Program) -> bool {
    let Some(body) = program.main.and_then(|main| program.functions[main].body.as_ref()) else { return false };
    let parameters = body.locals.iter().take_while(|local| local.is_parameter).count();
    body.places.iter().any(|place| match place.kind {
        PlaceKind::Variable(VariableRef::Local(local)) => local.index() < parameters,
        _ => false,
    })
}

/// Kinds that a step shows by failing.
pub(crate) const STEP_KINDS: &[CheckKind] = &[
    CheckKind::Assertion,
    CheckKind::Unreachable,
    CheckKind::DivisionByZero,
    CheckKind::SignedOverflow,
    CheckKind::Shift,
    CheckKind::OutOfBounds,
    CheckKind::InvalidDeref,
    CheckKind::NullArgument,
    CheckKind::InvalidFree,
];

/// Some expression has the value of an `$abstract` function.
pub(crate) fn uses_abstract(program: &Program) -> bool {
    let is_abstract = |expr: &Expr| matches!(expr.kind, ExprKind::Civl(CivlExpr::Abstract { .. }));
    let mut bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    bodies.any(|body| body.exprs.iter().any(is_abstract))
}

/// Kinds that were asked for by name and that no state or step is checked for.
pub(crate) fn unchecked(options: &Options) -> Option<(Reason, Span, Option<Diagnostic>)> {
    let is_asked = options.is_asked && options.kinds.contains(CheckKind::Termination) && !options.finds_cycles;
    let kind = is_asked.then_some(CheckKind::Termination)?;
    Some((Reason::NoEngine { question: kind.word().into() }, Span::NONE, None))
}

/// Why the search was cancelled.
pub(crate) fn stopped(options: &Options) -> Reason {
    if options.is_memory_over.load(std::sync::atomic::Ordering::Relaxed) {
        Reason::OutOfMemory
    } else {
        Reason::Timeout
    }
}
