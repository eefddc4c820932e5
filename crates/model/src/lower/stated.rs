//! Claims and assumptions by functions that are defined nowhere: `assert` without its header, `__VERIFIER_assert`, and what
//! programs for CBMC use. A call of such an `assert` is a check: taken for any other unknown function, it would claim nothing. It has no
//! value.

use crate::ir::*;
use quod_base::Symbol;
use quod_verdict::CheckKind;

/// Functions that claim their first argument.
const CLAIMS: &[&str] = &["assert", "__VERIFIER_assert", "__CPROVER_assert"];
/// Names of CBMC's for functions that the competition has, too.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("__CPROVER_assume", "__VERIFIER_assume"),
    ("__CPROVER_atomic_begin", "__VERIFIER_atomic_begin"),
    ("__CPROVER_atomic_end", "__VERIFIER_atomic_end"),
];

/// Whether a program may use this name without a declaration.
pub(crate) fn is_known(name: &str) -> bool {
    name == "__CPROVER_assert" || OTHER_NAMES.iter().any(|(other, _)| *other == name)
}

/// After linking: only then it is known which functions nobody defines.
pub(crate) fn state_claims(program: &mut Program) {
    let mut claims = Vec::new();
    for id in program.functions.ids() {
        let function = &mut program.functions[id];
        let name = function.name.as_str();
        if function.body.is_some() {
            continue;
        }
        if let Some((_, known)) = OTHER_NAMES.iter().find(|(other, _)| *other == name) {
            function.name = Symbol::intern(known);
        } else if CLAIMS.contains(&name) {
            claims.push(id);
        }
    }
    if claims.is_empty() {
        return;
    }
    let types = &program.types;
    for body in program.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        for location in body.locations.iter_mut() {
            let Control::Step { step, .. } = &mut location.control else { continue };
            let Step::Call(Call { callee: Callee::Direct(function), arguments, .. }) = step else {
                continue;
            };
            let Some(&condition) = arguments.first().filter(|_| claims.contains(function)) else { continue };
            if matches!(
                types[body.exprs[condition].ty],
                Type::Bool | Type::Int(_) | Type::Enum(_) | Type::Float(_) | Type::Pointer(_)
            ) {
                *step = Step::Check(Check { kind: CheckKind::Assertion, condition, message: None, values: Vec::new() });
            }
        }
    }
}
