//! Who calls whom, and what is known of functions that the program does not define.

use crate::ir::*;
use crate::library::{conversions, is_numeric};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a function of the library does, as far as slicing has to know. What is not in the list counts as anything.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// A number from numbers, without effect.
    Number,
    /// A value from outside.
    Input,
    /// Writes text to the outside, if its format is harmless.
    Print,
    /// A new object.
    Allocation,
    Free,
    /// Reads what its arguments point to; the result is a number, or leads to the same.
    Read,
    /// Writes into what the first argument points to; the result is that pointer.
    Write,
    /// The same, with what the second one points to.
    Copy,
    /// The execution ends.
    End,
    /// The execution ends unless the number is true.
    Assume,
    Nothing,
}

pub(super) fn known(name: &str) -> Known {
    let short = name.strip_prefix("__builtin_").unwrap_or(name);
    match short {
        "malloc" | "calloc" | "alloca" | "valloc" | "alloca_with_align" => Known::Allocation,
        "free" => Known::Free,
        "memset" => Known::Write,
        "memcpy" | "memmove" => Known::Copy,
        "strlen" | "strcmp" | "strncmp" | "memcmp" | "strchr" | "strrchr" | "strstr" => Known::Read,
        "printf" | "puts" | "putchar" | "fprintf" => Known::Print,
        "abort" | "exit" | "_exit" | "_Exit" | "__assert_fail" | "reach_error" | "__VERIFIER_error" | "trap" => {
            Known::End
        }
        "__VERIFIER_assume" | "assume_abort_if_not" | "__VERIFIER_assert" => Known::Assume,
        "__VERIFIER_nondet_memory" => Known::Nothing,
        _ if name.starts_with("__VERIFIER_nondet_") => Known::Input,
        "isdigit" | "isalpha" | "isspace" | "isupper" | "islower" | "isalnum" | "tolower" | "toupper" | "expect" => {
            Known::Number
        }
        _ if is_numeric(short) => Known::Number,
        _ => Known::Nothing,
    }
}

/// Functions after whose call control may come back to other places, or run beside the rest.
fn is_strange(name: &str) -> bool {
    let short = name.strip_prefix("__builtin_").unwrap_or(name);
    short.starts_with("pthread_")
        || short.starts_with('$')
        || short.starts_with("__VERIFIER_atomic")
        || matches!(
            short.trim_start_matches('_'),
            "setjmp"
                | "sigsetjmp"
                | "longjmp"
                | "siglongjmp"
                | "signal"
                | "sigaction"
                | "fork"
                | "vfork"
                | "thrd_create"
                | "va_start"
                | "va_copy"
                | "c23_va_start"
        )
}

/// The calls of a program that can be reached from `main`.
pub(super) struct Callees {
    /// Functions that may be called, in order of their ids.
    pub(super) reached: Vec<FunctionId>,
    /// Functions whose address is taken.
    pub(super) taken: Vec<FunctionId>,
    /// One of those is not defined here.
    pub(super) is_taken_open: bool,
    direct: FxHashMap<(FunctionId, LocationId), FunctionId>,
}

impl Callees {
    /// Nothing where the program does what slicing does not know.
    pub(super) fn new(program: &Program) -> Option<Self> {
        let mut direct = FxHashMap::default();
        let mut reached = FxHashSet::default();
        let mut taken = FxHashSet::default();
        let mut work = vec![program.initialiser, program.main?];
        while let Some(function) = work.pop() {
            if !reached.insert(function) {
                continue;
            }
            let definition = &program.functions[function];
            let is_odd = function != program.initialiser && is_strange(definition.name.as_str());
            if definition.parent.is_some() || definition.kind != FunctionKind::C || is_odd {
                return None;
            }
            let Some(body) = &definition.body else { continue };
            if body.loops.iter().any(|repeat| !repeat.invariants.is_empty()) {
                return None;
            }
            for expr in body.exprs.iter() {
                match expr.kind {
                    ExprKind::Function(other) => {
                        taken.insert(other);
                        work.push(other);
                    }
                    ExprKind::Civl(_) => return None,
                    _ => {}
                }
            }
            for (at, location) in body.locations.iter_enumerated() {
                match &location.control {
                    Control::Step { step: Step::Call(Call { callee: Callee::Direct(callee), .. }), .. } => {
                        direct.insert((function, at), *callee);
                        work.push(*callee);
                    }
                    Control::Step { step: Step::Builtin { name, .. }, .. } if is_strange(name.as_str()) => return None,
                    Control::Step {
                        step:
                            Step::Spawn { .. } | Step::AtomicBegin { .. } | Step::AtomicEnd { .. } | Step::DomainNext { .. },
                        ..
                    }
                    | Control::When { .. }
                    | Control::Choose { .. } => return None,
                    _ => {}
                }
            }
        }
        let sorted = |set: FxHashSet<FunctionId>| {
            let mut all: Vec<FunctionId> = set.into_iter().collect();
            all.sort_unstable();
            all
        };
        let (reached, taken) = (sorted(reached), sorted(taken));
        let is_taken_open = taken.iter().any(|&function| program.functions[function].body.is_none());
        Some(Self { reached, taken, is_taken_open, direct })
    }

    /// The functions that a call may enter, defined or not.
    pub(super) fn of(&self, function: FunctionId, at: LocationId) -> &[FunctionId] {
        match self.direct.get(&(function, at)) {
            Some(callee) => std::slice::from_ref(callee),
            None => &self.taken,
        }
    }
}

/// Whether the text that is printed only goes outside: the format is a literal without `%n`.
pub(super) fn only_prints(program: &Program, body: &Body, name: &str, arguments: &[ExprId]) -> bool {
    let short = name.strip_prefix("__builtin_").unwrap_or(name);
    let format = match short {
        "puts" | "putchar" => return true,
        "fprintf" => 1,
        _ => 0,
    };
    let Some(&argument) = arguments.get(format) else { return false };
    let mut at = argument;
    while let ExprKind::Convert(operand) = body.exprs[at].kind {
        at = operand;
    }
    let ExprKind::AddressOf(place) = body.exprs[at].kind else { return false };
    let PlaceKind::String(string) = body.places[place].kind else { return false };
    conversions(&program.strings[string]).all(|letter| letter != b'n')
}
