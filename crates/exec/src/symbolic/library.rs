//! Which library functions mean the same for symbolic values as they do for concrete ones. Everything else is not
//! supported: a function that takes one random number, one order of waiting threads or one environment of many would
//! make a verdict about one execution look like a verdict about all.

use super::domain::SymbolicDomain;
use super::value::Value;
use crate::domain::{Domain, Truth};
use crate::fault::Trouble;
use crate::library::{Context, LibraryFunction, Reply};
use crate::scalar::{Cell, Scalar};
use quod_model::ir::BinaryOp;

/// Functions that the symbolic domain has of its own.
pub(super) fn own_function(name: &str) -> Option<LibraryFunction<SymbolicDomain>> {
    let short = name.strip_prefix("__builtin_").unwrap_or(name);
    Some(match short {
        "printf" | "wprintf" => |context| print(context, Some(0)),
        "fprintf" | "fwprintf" => |context| print(context, Some(1)),
        "puts" | "putchar" | "fflush" | "perror" | "fputc" | "putc" | "fputs" | "putwchar" => {
            |context| print(context, None)
        }
        "strlen" => |context| {
            let pointer = context.pointer(0)?;
            Ok(Reply::Int(length(context, &pointer)?.into()))
        },
        "strcpy" => |context| {
            let (to, from) = (context.pointer(0)?, context.pointer(1)?);
            let size = length(context, &from)? + 1;
            context.machine.domain.copy(&mut context.state.memory, &to, &from, size)?;
            Ok(Reply::Value(to))
        },
        "strcat" => |context| {
            let (to, from) = (context.pointer(0)?, context.pointer(1)?);
            let (before, size) = (length(context, &to)?, length(context, &from)? + 1);
            let end = context.offset(&to, before as i64);
            context.machine.domain.copy(&mut context.state.memory, &end, &from, size)?;
            Ok(Reply::Value(to))
        },
        "strcmp" => |context| compare(context, u64::MAX),
        "strncmp" => |context| {
            let limit = context.size(2)?;
            compare(context, limit)
        },
        _ => return None,
    })
}

type Calling<'a, 'p> = Context<'a, 'p, SymbolicDomain>;
type Called<T> = crate::domain::Outcome<SymbolicDomain, T>;

/// Output is not looked at: what is printed does not matter, only how many characters it was, and that is unknown. Strings
/// must be there.
fn print(context: &mut Calling<'_, '_>, format: Option<usize>) -> crate::library::Answered<SymbolicDomain> {
    let arguments: Vec<Value> = context.arguments.iter().map(|argument| argument.value.clone()).collect();
    match format {
        Some(format) => {
            let text = context.string(format)?;
            let text = String::from_utf8_lossy(&text).replace("%%", "");
            let mut next = format + 1;
            for part in text.split('%').skip(1) {
                let letter =
                    part.find(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'l' | 'h' | 'z' | 'j' | 't' | 'L'));
                let letter = letter.and_then(|at| part[at..].chars().next());
                if part.split(|c: char| c.is_ascii_alphabetic()).next().is_some_and(|flags| flags.contains(['*', '.']))
                    && letter == Some('s')
                    || matches!(letter, None | Some('n'))
                    || part.contains('*')
                {
                    return context.unsupported("this format");
                }
                if letter == Some('s') {
                    let Some(pointer) = arguments.get(next) else { return context.unsupported("this argument") };
                    length_of_text(context, &pointer.clone(), part.starts_with('l'))?;
                }
                next += 1;
            }
        }
        None if matches!(context.name, "puts" | "perror" | "fputs") => {
            let pointer = context.pointer(0)?;
            length(context, &pointer)?;
        }
        None => {}
    }
    let Some(scalar) = context.result else { return Ok(Reply::Nothing) };
    let value = context.machine.domain.undefined(&mut context.state.memory, scalar);
    if value == Value::Unset {
        let value = context.machine.domain.unknown(&mut context.state.memory, scalar, None)?;
        return Ok(Reply::Value(value));
    }
    Ok(Reply::Value(value))
}

fn length_of_text(context: &mut Calling<'_, '_>, pointer: &Value, is_wide: bool) -> Called<()> {
    if is_wide {
        return context.unsupported("wide characters");
    }
    length(context, pointer).map(|_| ())
}

/// Bytes before the first zero. Where a byte may be zero, paths part.
fn length(context: &mut Calling<'_, '_>, pointer: &Value) -> Called<u64> {
    let mut count = 0u64;
    loop {
        let zero = context.integer(0, Scalar::U8);
        let byte = byte_at(context, pointer, count)?;
        if decide_equal(context, &byte, &zero)? {
            return Ok(count);
        }
        count += 1;
    }
}

fn byte_at(context: &mut Calling<'_, '_>, pointer: &Value, at: u64) -> Called<Value> {
    let place = context.offset(pointer, at as i64);
    context.machine.domain.load(&mut context.state.memory, &place, Cell { scalar: Scalar::U8, size: 1 })
}

/// Are the bytes equal? Where that is open, the call is made again under each answer.
fn decide_equal(context: &mut Calling<'_, '_>, left: &Value, right: &Value) -> Called<bool> {
    match context.machine.domain.compare(BinaryOp::Equal, Scalar::U8, left, right) {
        Truth::Known(known) => Ok(known),
        Truth::Unknown(condition) => match context.state.memory.decision(condition) {
            Some(known) => Ok(known),
            None => {
                let negated = context.machine.domain.pool.not(condition);
                Err(Trouble::Split(vec![condition, negated]))
            }
        },
    }
}

fn compare(context: &mut Calling<'_, '_>, limit: u64) -> crate::library::Answered<SymbolicDomain> {
    let (left, right) = (context.pointer(0)?, context.pointer(1)?);
    let zero = context.integer(0, Scalar::U8);
    for at in 0..limit {
        let (a, b) = (byte_at(context, &left, at)?, byte_at(context, &right, at)?);
        if !decide_equal(context, &a, &b)? {
            let (a, b) = (
                context.machine.domain.convert(Scalar::U8, Scalar::I32, &a)?,
                context.machine.domain.convert(Scalar::U8, Scalar::I32, &b)?,
            );
            let distance = context.machine.domain.binary(BinaryOp::Subtract, Scalar::I32, &a, &b)?;
            return Ok(Reply::Value(distance));
        }
        if decide_equal(context, &a, &zero)? {
            break;
        }
    }
    Ok(Reply::Int(0))
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
            | "mempcpy"
            | "bzero"
            | "strnlen"
            | "strrchr"
            | "strstr"
            | "strspn"
            | "strcspn"
            | "strpbrk"
            | "strcasecmp"
            | "strncasecmp"
            | "strncat"
            | "strdup"
            | "strndup"
            | "stpcpy"
            | "memchr"
            | "aligned_alloc"
            | "memalign"
            | "posix_memalign"
            | "valloc"
            | "sprintf"
            | "snprintf"
            | "atoi"
            | "atol"
            | "strtol"
            | "strtoul"
            | "qsort"
            | "bsearch"
            | "__errno_location"
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
            | "pthread_cond_wait"
            | "pthread_rwlock_init"
            | "pthread_rwlock_destroy"
            | "pthread_rwlock_rdlock"
            | "pthread_rwlock_wrlock"
            | "pthread_rwlock_unlock"
            | "pthread_attr_setdetachstate"
            | "pthread_mutexattr_gettype"
            | "sem_init"
            | "sem_wait"
            | "sem_post"
            | "sem_destroy"
            | "pthread_barrier_init"
            | "pthread_barrier_wait"
            | "pthread_barrier_destroy"
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
            | "isxdigit"
            | "ispunct"
            | "isprint"
            | "iscntrl"
            | "isgraph"
            | "llabs"
            | "atexit"
            | "_exit"
            | "__assert"
            | "sleep"
            | "usleep"
            | "tolower"
            | "toupper"
    ) || crate::concrete::is_numeric(name)
}

fn is_unknown(name: &str) -> bool {
    name != "__VERIFIER_nondet_memory" && name.starts_with("__VERIFIER_nondet_")
}
