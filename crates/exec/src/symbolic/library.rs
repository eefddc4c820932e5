//! Which library functions mean the same for symbolic values as they do for concrete ones. Everything else is not
//! supported: a function that takes one random number, one order of waiting threads or one environment of many would
//! make a verdict about one execution look like a verdict about all.

use super::terms::SymbolicDomain;
use crate::domain::{Domain, Truth};
use crate::library::{Context, LibraryFunction, Reply};

/// Functions that the symbolic domain has of its own.
pub(super) fn own_function(name: &str) -> Option<LibraryFunction<SymbolicDomain>> {
    if matches!(name, "__VERIFIER_assume") {
        return Some(assume);
    }
    let text = || super::strings::find(name).or_else(|| super::digits::find(name));
    super::output::find(name)
        .or_else(|| super::outside::find(name))
        .or_else(text)
        .or_else(|| super::functions::find(name))
}

/// Executions where the condition is false do not exist: they part from the others, and end.
fn assume(
    context: &mut Context<'_, '_, SymbolicDomain>,
) -> Result<Reply<super::value::Value>, crate::fault::Trouble<quod_term::Term>> {
    let (value, scalar) = (context.value(0)?, context.scalar(0));
    match context.machine.domain.truth(&context.state.memory, scalar, &value) {
        Truth::Known(true) => Ok(Reply::Nothing),
        Truth::Known(false) => Ok(Reply::Vanish),
        Truth::Unknown(condition) => {
            let negated = context.machine.domain.pool.not(condition);
            Err(crate::fault::Trouble::Split(vec![condition, negated]))
        }
    }
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
            | "strrchr"
            | "strstr"
            | "strncat"
            | "strnlen"
            | "strdup"
            | "memchr"
            | "memcmp"
            | "mempcpy"
            | "bzero"
            | "strspn"
            | "strcspn"
            | "strpbrk"
            | "strcasecmp"
            | "strncasecmp"
            | "strndup"
            | "stpcpy"
            | "aligned_alloc"
            | "memalign"
            | "posix_memalign"
            | "valloc"
            | "sprintf"
            | "snprintf"
            | "atoi"
            | "atol"
            | "atof"
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
            | "$yield"
            | "$pathCondition"
            | "$unidirectional_when"
            | "$heap_size"
            | "$is_derefable"
            | "$is_derefable_pointer"
            | "$copy"
            | "$assert_equals"
            | "$contains"
            | "$translate_ptr"
            | "$pointer_add"
            | "$set_default"
            | "$default_value"
            | "$next_time_count"
            | "$scope_parent"
            | "$scope_defined"
            | "$proc_defined"
            | "$hide"
            | "$reveal"
            | "$hidden"
            | "$remainder"
            | "$quotient"
            | "$apply"
            | "$set_leaf_nodes"
            | "$leaf_nodes_equal_to"
            | "$has_leaf_node_equal_to"
            | "$leaf_node_ptrs"
            | "$output_assign"
            | "$int_iter_create"
            | "$int_iter_hasNext"
            | "$int_iter_next"
            | "$int_iter_destroy"
            | "$mem_empty"
            | "$mem_union"
            | "$mem_diff"
            | "$mem_equals"
            | "$mem_contains"
            | "$mem_no_intersect"
            | "$mem_havoc"
            | "$read_set_push"
            | "$read_set_pop"
            | "$read_set_peek"
            | "$write_set_push"
            | "$write_set_pop"
            | "$write_set_peek"
    ) || ["$seq_", "$bundle_", "$message_", "$comm_", "$gcomm_", "$barrier_", "$gbarrier_"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
        || matches!(
            name,
            "$get_nprocs"
                | "$dimension_of"
                | "$domain_partition"
                | "$range_of_rectangular_domain"
                | "$high_of_regular_range"
                | "$low_of_regular_range"
                | "$step_of_regular_range"
                | "$is_rectangular_domain"
                | "$is_regular_range"
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
            | "pthread_cond_signal"
            | "pthread_rwlock_init"
            | "pthread_rwlock_destroy"
            | "pthread_rwlock_rdlock"
            | "pthread_rwlock_wrlock"
            | "pthread_rwlock_tryrdlock"
            | "pthread_rwlock_trywrlock"
            | "pthread_attr_setstacksize"
            | "pthread_attr_setscope"
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
            | "sleep"
            | "usleep"
            | "nanosleep"
            | "sched_yield"
            | "pthread_yield"
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
            | "tolower"
            | "toupper"
            | "__isnan"
            | "__isnanf"
            | "__isnanl"
            | "__isinf"
            | "__isinff"
            | "__isinfl"
            | "__finite"
            | "__finitef"
            | "__finitel"
            | "__fpclassify"
            | "__fpclassifyf"
            | "__fpclassifyl"
            | "__signbit"
            | "__signbitf"
            | "__signbitl"
    ) || crate::concrete::is_numeric(name)
}

fn is_unknown(name: &str) -> bool {
    name != "__VERIFIER_nondet_memory" && name.starts_with("__VERIFIER_nondet_")
}
