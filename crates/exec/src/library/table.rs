//! Names of library functions. One line a name; the functions are in the file of their header.

use super::context::Context;
use super::*;
use crate::domain::Domain;

pub type LibraryFunction<D> = fn(&mut Context<'_, '_, D>) -> Answered<D>;

/// The function of the library with this name.
pub fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    let short = name.strip_prefix("__builtin___").map(|rest| rest.trim_end_matches("_chk"));
    let name = short.or_else(|| name.strip_prefix("__builtin_")).unwrap_or(name);
    lookup(name).or_else(|| crate::concrete::is_numeric(name).then_some(math::numeric as LibraryFunction<D>))
}

fn lookup<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    stdio::find(name)
        .or_else(|| stdlib::find(name))
        .or_else(|| string::find(name))
        .or_else(|| ctype::find(name))
        .or_else(|| math::find(name))
        .or_else(|| assert::find(name))
        .or_else(|| svcomp::find(name))
        .or_else(|| pthread::find(name))
        .or_else(|| setjmp::find(name))
        .or_else(|| signal::find(name))
        .or_else(|| errno::find(name))
        .or_else(|| time::find(name))
        .or_else(|| unistd::find(name))
        .or_else(|| descriptors::find(name))
        .or_else(|| wchar::find(name))
        .or_else(|| wctype::find(name))
        .or_else(|| wide_stdio::find(name))
        .or_else(|| civlc::find(name))
        .or_else(|| civl_data::find(name))
        .or_else(|| civl_mem::find(name))
        .or_else(|| civl_leaves::find(name))
        .or_else(|| civl_pointer::find(name))
        .or_else(|| civl_comm::find(name))
        .or_else(|| stdatomic::find(name))
}
