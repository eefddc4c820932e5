//! `unreach-call`: a call of the error function is the violation, whatever its body does. The body is replaced by a check
//! that fails, so that calls through pointers are seen as well.

use crate::ir::*;
use quod_base::{IdVec, Span, Symbol};
use quod_verdict::CheckKind;

/// Makes every call of a function with this name a violation.
pub fn forbid_calls(program: &mut Program, name: &str) {
    let name = Symbol::intern(name);
    let int = program.types.intern(Type::Int(IntKind::Int));
    for function in program.functions.iter_mut().filter(|function| function.name == name) {
        let span = function.span;
        let mut body = Body::default();
        if let Some(old) = &function.body {
            body.locals = old.locals.iter().filter(|local| local.is_parameter).cloned().collect();
        }
        body.scopes.push(Scope { parent: None, span, is_captured: false });
        let condition = body.exprs.push(Expr { kind: ExprKind::Int(0), ty: int, span });
        let check = Step::Check(Check { kind: CheckKind::Unreachable, condition, message: None, values: Vec::new() });
        let next = <LocationId as quod_base::Id>::from_index(1);
        body.locations = IdVec::from_vec(vec![
            Location { control: Control::Step { step: check, next }, span, statement: Span::NONE },
            Location { control: Control::Unreachable, span, statement: Span::NONE },
        ]);
        function.body = Some(body);
    }
}
