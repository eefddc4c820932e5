//! What is known of allocated memory as a whole: whether every block is still pointed to.

use super::state::State;
use super::value::{ObjectKey, Value};
use quod_model::ir::Program;

/// Every heap object that exists is certainly pointed to, from a variable or from another such object.
pub(crate) fn is_tracked(program: &Program, state: &State) -> bool {
    let is_heap = |key: &ObjectKey| matches!(key, ObjectKey::Heap(..));
    let blocks: Vec<ObjectKey> = state.objects.keys().filter(|key| is_heap(key)).copied().collect();
    if blocks.is_empty() {
        return true;
    }
    if blocks.iter().any(|key| state.objects[key].is_summary || state.objects[key].may_be_dead) {
        return false;
    }
    let mut reached: Vec<ObjectKey> = Vec::new();
    let mut work: Vec<ObjectKey> = state
        .objects
        .keys()
        .filter(|key| match key {
            ObjectKey::Global(_) => true,
            // Results of calls on their way are no variables.
            ObjectKey::Local(function, local) => {
                program.functions[*function].body.as_ref().is_some_and(|body| body.locals[*local].name.is_some())
            }
            _ => false,
        })
        .copied()
        .collect();
    while let Some(key) = work.pop() {
        let Some(object) = state.objects.get(&key) else { continue };
        for cell in object.cells.values() {
            let Value::Pointer(pointer) = &cell.value else { continue };
            let Some((target, offset)) = pointer.single() else { continue };
            let Some(block) = state.objects.get(&target) else { continue };
            let is_inside = offset.low >= 0 && offset.high <= block.size.low;
            if is_heap(&target) && is_inside && !reached.contains(&target) {
                reached.push(target);
                work.push(target);
            }
        }
    }
    blocks.iter().all(|block| reached.contains(block))
}

/// Nothing is left that was allocated.
pub(crate) fn is_clean(state: &State) -> bool {
    !state.objects.keys().any(|key| matches!(key, ObjectKey::Heap(..)))
}
