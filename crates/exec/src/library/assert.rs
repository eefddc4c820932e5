//! `<assert.h>`: what a failed `assert` calls.

use super::context::{Context, Reply};
use super::{Answered, LibraryFunction};
use crate::domain::Domain;
use crate::fault::Fault;
use quod_verdict::CheckKind;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_func" | "__assert_perror_fail" => failed,
        _ => return None,
    })
}

fn failed<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    if context.machine.settings.is_driven && !context.machine.settings.checks.contains(CheckKind::Assertion) {
        // Nobody asks for it: the program aborts.
        return Ok(Reply::Exit(134));
    }
    let text = context.string(0).map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default();
    Err(Fault::new(CheckKind::Assertion, "assertion fails").label(format!("`{text}` does not hold")).into())
}
