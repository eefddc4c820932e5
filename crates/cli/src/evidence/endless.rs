//! What can go on for ever besides the loops that a witness of termination talks about.

use quod_base::{FileId, SourceMap};
use quod_model::ir::{Callee, Control, FunctionId, Program, Step};
use quod_verify::abstraction::Relations;
use quod_witness::{Invariant, InvariantKind};
use std::collections::BTreeMap;

/// Calls after which an execution may wait, or come back to somewhere else.
const ENDLESS: &[&str] = &[
    "__VERIFIER_assume",
    "pthread_create",
    "pthread_mutex_lock",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock",
    "pthread_spin_lock",
    "pthread_cond_wait",
    "pthread_barrier_wait",
    "pthread_join",
    "sem_wait",
    "thrd_create",
    "mtx_lock",
    "pause",
    "sigwait",
    "sigsuspend",
    "select",
    "poll",
    "wait",
    "fork",
    "raise",
];

/// Only `while`, `for` and `do` of the program's own text can; or why not.
pub(super) fn only_loops(program: &Program, sources: &SourceMap, file: Option<FileId>) -> Result<(), String> {
    let mut calls: BTreeMap<FunctionId, Vec<FunctionId>> = BTreeMap::new();
    for (id, function) in program.functions.iter_enumerated() {
        let Some(body) = &function.body else { continue };
        for it in &body.loops {
            let is_written = it.keyword.expansion.is_none()
                && sources.file_at(it.keyword.lo) == file
                && matches!(sources.text(it.keyword), Some("while" | "for" | "do"));
            if !is_written {
                return Err("loops by jumps are not supported in witnesses of termination".into());
            }
        }
        for location in body.locations.iter() {
            match &location.control {
                Control::ComputedGoto(_) | Control::When { .. } => {
                    return Err("jumps to computed places are not supported in witnesses of termination".into());
                }
                Control::Step { step: Step::Call(call), .. } => match call.callee {
                    Callee::Direct(callee) => calls.entry(id).or_default().push(callee),
                    Callee::Indirect(..) => {
                        return Err("calls through pointers are not supported in witnesses of termination".into());
                    }
                },
                Control::Step { step: Step::Builtin { name, .. }, .. } if name.as_str().ends_with("jmp") => {
                    return Err("jumps out of functions are not supported in witnesses of termination".into());
                }
                _ => {}
            }
        }
    }
    for &callee in calls.values().flatten() {
        let name = program.functions[callee].name;
        if program.functions[callee].body.is_none() && ENDLESS.contains(&name.as_str()) {
            return Err(format!("calls of `{name}` are not supported in witnesses of termination"));
        }
        if reaches(&calls, callee) {
            return Err("recursion is not supported in witnesses of termination".into());
        }
    }
    Ok(())
}

/// The relations of a witness by the loops that they are about; nothing where that is not clear.
pub(super) fn relations(
    invariants: &[Invariant],
    program: &Program,
    sources: &SourceMap,
    file: Option<FileId>,
) -> Option<Relations> {
    let mut relations = Relations::new();
    for invariant in invariants.iter().filter(|invariant| invariant.kind == InvariantKind::LoopTransition) {
        let location = &invariant.location;
        let mut found = Vec::new();
        for (id, function) in program.functions.iter_enumerated() {
            for it in function.body.iter().flat_map(|body| &body.loops) {
                let Some(place) = sources.place(it.keyword.lo) else { continue };
                let is_here =
                    place.line == location.line && location.column.is_none_or(|column| column == place.column);
                if is_here && it.keyword.expansion.is_none() && Some(place.file) == file {
                    found.push((id, it.head));
                }
            }
        }
        let [place] = found[..] else { return None };
        if relations.insert(place, invariant.value.clone()).is_some() {
            return None;
        }
    }
    Some(relations)
}

/// Whether a function can be called again while it is active.
fn reaches(calls: &BTreeMap<FunctionId, Vec<FunctionId>>, from: FunctionId) -> bool {
    let mut seen = std::collections::BTreeSet::new();
    let mut work: Vec<FunctionId> = calls.get(&from).cloned().unwrap_or_default();
    while let Some(function) = work.pop() {
        if function == from {
            return true;
        }
        if seen.insert(function) {
            work.extend(calls.get(&function).into_iter().flatten());
        }
    }
    false
}
