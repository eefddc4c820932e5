//! CIVL-C's `$scope` values: a program that tells scopes apart needs an instance of every block that is entered.
//!
//! Most programs only hand `$here` on to the library (`$malloc($here, n)`), for which nothing has to be kept. Where scopes are
//! compared, joined, or asked for their parents, each block and each function becomes a captured scope, so that entering it
//! makes an instance with a parent.

use crate::ir::*;
use quod_base::Id;

/// Functions whose results depend on which scope a value means.
const TELLING: [&str; 6] = ["$scope_parent", "$scope_defined", "$equals", "$assert_equals", "$contains", "memcmp"];

/// The program can tell one scope from another.
pub fn are_observed(program: &Program) -> bool {
    let bodies = || program.functions.iter().filter_map(|function| function.body.as_ref());
    let has_values = || bodies().any(|body| body.exprs.iter().any(|expr| is_scope(program, expr.ty)));
    let is_telling = |name: quod_base::Symbol| TELLING.contains(&name.as_str());
    let is_observed = |body: &Body| {
        let observes = |expr: &Expr| match &expr.kind {
            ExprKind::Binary(_, left, _) => is_scope(program, body.exprs[*left].ty),
            ExprKind::Civl(CivlExpr::ScopeOf(_)) => true,
            // Who keeps one may use it when it has ended.
            ExprKind::Load(place) => is_scope(program, expr.ty) && !is_parameter(body, *place),
            ExprKind::Civl(CivlExpr::Library { name, .. }) => is_telling(*name),
            ExprKind::Function(function) => is_telling(program.functions[*function].name),
            _ => false,
        };
        let calls = |location: &Location| match &location.control {
            Control::Step { step: Step::Call(Call { callee: Callee::Direct(function), .. }), .. } => {
                is_telling(program.functions[*function].name)
            }
            _ => false,
        };
        body.exprs.iter().any(observes) || body.locations.iter().any(calls)
    };
    has_values() && bodies().any(is_observed)
}

fn is_parameter(body: &Body, place: PlaceId) -> bool {
    match body.places[place].kind {
        PlaceKind::Variable(VariableRef::Local(local)) => body.locals[local].is_parameter,
        _ => false,
    }
}

fn is_scope(program: &Program, ty: TypeId) -> bool {
    program.types[ty] == Type::Scope
}

/// Makes every block of the program's functions a scope with instances, if someone can tell them apart.
pub(crate) fn capture_observed(program: &mut Program) {
    if !are_observed(program) {
        return;
    }
    let (initialiser, invariants) = (program.initialiser, program.invariants.clone());
    for (index, function) in program.functions.iter_mut().enumerate() {
        // What stands outside of functions is in the outermost scope.
        let id = FunctionId::from_index(index);
        if id == initialiser || invariants.contains(&id) {
            continue;
        }
        if let Some(body) = &mut function.body {
            body.scopes.iter_mut().for_each(|scope| scope.is_captured = true);
        }
    }
}
