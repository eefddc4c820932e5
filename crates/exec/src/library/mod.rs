//! The C library, one file a header. A function gets a `Context`, works on the state through the domain, and replies.
//!
//! The functions are written for any domain; what they must know (a length, a format) they ask for with `Context::int`,
//! and a domain that does not know it stops there.

mod assert;
mod civl_comm;
mod civl_data;
mod civl_leaves;
mod civl_mem;
mod civl_pointer;
mod civl_rows;
mod civl_scope;
mod civlc;
mod civlc_objects;
mod context;
mod ctype;
mod descriptors;
mod errno;
mod math;
pub(crate) mod native;
pub(crate) mod outside;
mod printf;
mod pthread;
mod remote;
mod scanf;
mod setjmp;
mod signal;
mod stdarg;
mod stdatomic;
mod stdio;
mod stdlib;
mod string;
mod svcomp;
mod table;
mod time;
mod unistd;
mod wchar;
mod wctype;
mod wide_stdio;
mod world;

pub(crate) use civlc::power;
pub use context::{Context, Passed, Reply};
pub(crate) use stdlib::no_negative;
pub use table::{LibraryFunction, find};
pub use world::{CivlValue, Mutex, World};

use crate::domain::{Domain, Outcome};

pub type Answered<D> = Outcome<D, Reply<<D as Domain>::Value>>;

/// `va_start` and its relatives.
pub(crate) fn variable_arguments<D: Domain>(context: &mut Context<'_, '_, D>, name: &str) -> Answered<D> {
    match name {
        "va_arg" => stdarg::take(context),
        "va_copy" => stdarg::copy(context),
        "va_end" => Ok(Reply::Nothing),
        _ => stdarg::start(context),
    }
}

/// Built-ins of the executor itself: ranges and domains of CIVL-C, `$self`, …
pub(crate) fn state_builtin<D: Domain>(
    context: &mut Context<'_, '_, D>,
    name: &str,
) -> Outcome<D, Option<Reply<D::Value>>> {
    if let Some(reply) = civl_rows::builtin(context, name)? {
        return Ok(Some(reply));
    }
    match civl_mem::builtin(context, name)? {
        Some(reply) => Ok(Some(reply)),
        None => civlc::builtin(context, name),
    }
}
