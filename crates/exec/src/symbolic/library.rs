//! Which library functions mean the same for symbolic values as they do for concrete ones. Everything else is not
//! supported: a function that takes one random number, one order of waiting threads or one environment of many would
//! make a verdict about one execution look like a verdict about all.

use super::domain::SymbolicDomain;
use super::value::{Pointer, Target, Value};
use crate::domain::Domain;
use crate::library::{LibraryFunction, Reply};

/// Output is not looked at: what is printed does not matter, only how many characters it was, and that is unknown.
pub(super) fn own_function(name: &str) -> Option<LibraryFunction<SymbolicDomain>> {
    if !matches!(name, "printf" | "puts" | "putchar") {
        return None;
    }
    Some(|context| {
        let is_text = context.name != "putchar";
        for (index, argument) in context.arguments.iter().enumerate() {
            // Strings of the program's text are well-formed; what else a pointer leads to would have to be looked at.
            let is_text_of_program = match &argument.value {
                Value::Pointer(Pointer { target: Target::Object(id), .. }) => {
                    context.state.memory.object(*id).kind == crate::domain::ObjectKind::String
                }
                Value::Pointer(_) => false,
                Value::Number(_) => !is_text || index > 0,
                Value::Unset => false,
            };
            if !is_text_of_program {
                return context.unsupported("this argument");
            }
        }
        let Some(scalar) = context.result else { return Ok(Reply::Nothing) };
        let value = context.machine.domain.unknown(&mut context.state.memory, scalar, None)?;
        Ok(Reply::Value(value))
    })
}

pub(super) fn has_function(name: &str) -> bool {
    let short = name.strip_prefix("__builtin___").map(|rest| rest.trim_end_matches("_chk"));
    let name = short.or_else(|| name.strip_prefix("__builtin_")).unwrap_or(name);
    is_memory(name) || is_civl(name) || is_thread(name) || is_plain(name) || is_unknown(name)
}

fn is_memory(name: &str) -> bool {
    matches!(
        name,
        "malloc"
            | "calloc"
            | "realloc"
            | "free"
            | "alloca"
            | "memcpy"
            | "memmove"
            | "memset"
            | "strlen"
            | "strcmp"
            | "strncmp"
            | "strcpy"
            | "strncpy"
            | "strcat"
            | "strchr"
            | "memcmp"
    )
}

fn is_civl(name: &str) -> bool {
    matches!(
        name,
        "$wait"
            | "$waitall"
            | "$exit"
            | "$choose_int"
            | "$elaborate"
            | "$equals"
            | "$havoc_object"
            | "$resize_object"
            | "$malloc"
            | "$free"
            | "$is_terminated"
            | "$local_start"
            | "$local_end"
            | "$elaborate_domain"
    )
}

/// Threads and locks, where the library has no choice to make.
fn is_thread(name: &str) -> bool {
    matches!(
        name,
        "pthread_create"
            | "pthread_join"
            | "pthread_exit"
            | "pthread_self"
            | "pthread_equal"
            | "pthread_detach"
            | "pthread_mutex_init"
            | "pthread_mutex_destroy"
            | "pthread_mutex_lock"
            | "pthread_mutex_trylock"
            | "pthread_mutex_unlock"
            | "pthread_cond_init"
            | "pthread_cond_destroy"
            | "pthread_cond_broadcast"
            | "pthread_attr_init"
            | "pthread_attr_destroy"
            | "pthread_mutexattr_init"
            | "pthread_mutexattr_destroy"
            | "pthread_mutexattr_settype"
    )
}

/// No result that anyone could choose, and no effect that the program could see.
fn is_plain(name: &str) -> bool {
    matches!(
        name,
        "exit"
            | "abort"
            | "_Exit"
            | "abs"
            | "labs"
            | "reach_error"
            | "__VERIFIER_error"
            | "__assert_fail"
            | "__VERIFIER_atomic_begin"
            | "__VERIFIER_atomic_end"
            | "expect"
            | "trap"
            | "isdigit"
            | "isalpha"
            | "isspace"
            | "isupper"
            | "islower"
            | "isalnum"
            | "tolower"
            | "toupper"
    ) || crate::concrete::is_numeric(name)
}

fn is_unknown(name: &str) -> bool {
    name != "__VERIFIER_nondet_memory" && name != "__VERIFIER_nondet_pointer" && name.starts_with("__VERIFIER_nondet_")
}
