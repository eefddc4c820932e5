//! Joining two states of one process that stand at the same place: values that differ become `ite`.
//!
//! The two come from one state by conditions that exclude each other, so the conjuncts that one of them has beyond what
//! they share tell which of them an execution belongs to. Symbols that both made under the same name after they parted may
//! stay the same: no execution looks at both. What cannot be said with one value (pointers to different objects, an object
//! that lives in one of them only) makes the answer `None`, and the states stay apart.

use super::memory::{Base, CellValue, Input, Memory, Object};
use super::terms::SymbolicDomain;
use super::value::{Offset, Pointer, Target, Value};
use crate::scalar::Cell;
use crate::state::State;
use imbl::ordmap::DiffItem;
use imbl::{HashMap, Vector};
use num_integer::gcd;
use quod_term::Term;
use std::hash::Hash;
use std::sync::Arc;

/// Larger maps of what is known are not compared but forgotten.
const MOST_KNOWN: usize = 1 << 12;

impl SymbolicDomain {
    /// One state for both. `is_live` says for each register of the process whether its value matters.
    pub fn join(&mut self, left: &State<Self>, right: &State<Self>, is_live: &[bool]) -> Option<State<Self>> {
        if !has_same_shape(left, right) {
            return None;
        }
        let (a, b) = (&left.memory, &right.memory);
        let shared = a.path.iter().zip(b.path.iter()).take_while(|(a, b)| a == b).count();
        let rest = |memory: &Memory| memory.path.iter().skip(shared).copied().collect::<Vec<Term>>();
        let (a_rest, b_rest) = (rest(a), rest(b));
        let (a_all, b_all) = (self.pool.and(&a_rest), self.pool.and(&b_rest));
        let guard = match (a_rest.first(), b_rest.first()) {
            (Some(&first), Some(&other)) if self.pool.not(first) == other => first,
            _ => a_all,
        };
        if guard == self.pool.true_() || guard == self.pool.false_() {
            return None;
        }
        let mut state = left.clone();
        state.memory.fresh = a.fresh.max(b.fresh);
        let (process, other) = (&mut state.processes[0], &right.processes[0]);
        for (index, register) in process.registers.iter_mut().enumerate() {
            if !is_live.get(index).copied().unwrap_or(true) {
                *register = Value::Unset;
            } else if *register != other.registers[index] {
                let memory = &mut state.memory;
                *register = self.join_registers(guard, memory, register, &other.registers[index])?;
            }
        }
        let memory = &mut state.memory;
        let objects = self.join_objects(guard, memory, b)?;
        memory.set_objects(objects);
        memory.path = a.path.iter().take(shared).copied().collect();
        let either = self.pool.or2(a_all, b_all);
        memory.known = common(&a.known, &b.known);
        memory.decided = common(&a.decided, &b.decided);
        memory.inputs = self.join_inputs(guard, &a.inputs, &b.inputs);
        self.assume(&mut state.memory, either);
        Some(state)
    }

    fn join_values(&self, guard: Term, left: &Value, right: &Value) -> Option<Value> {
        match (left, right) {
            (Value::Number(a), Value::Number(b)) => {
                let is_same_sort = self.pool.sort(*a) == self.pool.sort(*b);
                is_same_sort.then(|| Value::Number(self.pool.ite(guard, *a, *b)))
            }
            (Value::Pointer(a), Value::Pointer(b)) if a.target == b.target => {
                let offset = self.join_offsets(guard, a.offset, b.offset, matches!(a.target, Target::Object(_)))?;
                Some(Value::Pointer(Pointer { target: a.target, offset }))
            }
            _ => None,
        }
    }

    /// A variable that was set in one of them only holds anything in the other.
    fn join_registers(&self, guard: Term, memory: &mut Memory, a: &Value, b: &Value) -> Option<Value> {
        let any = |memory: &mut Memory, like: Term| {
            memory.fresh += 1;
            let name = format!("undefined!{}", memory.fresh);
            Value::Number(self.pool.symbol(name.as_str(), self.pool.sort(like)))
        };
        match (a, b) {
            (Value::Unset, Value::Number(term)) if !self.keeps_undefined => {
                let any = any(memory, *term);
                self.join_values(guard, &any, b)
            }
            (Value::Number(term), Value::Unset) if !self.keeps_undefined => {
                let any = any(memory, *term);
                self.join_values(guard, a, &any)
            }
            _ => self.join_values(guard, a, b),
        }
    }

    fn join_offsets(&self, guard: Term, left: Offset, right: Offset, is_object: bool) -> Option<Offset> {
        if left == right {
            return Some(left);
        }
        if !is_object {
            return None;
        }
        let (Offset::Known(a), Offset::Known(b)) = (left, right) else {
            let grid = |offset| match offset {
                Offset::Known(bytes) => (0, bytes),
                Offset::Term { stride, residue, .. } => (stride as i64, residue as i64),
            };
            let ((a_stride, a_residue), (b_stride, b_residue)) = (grid(left), grid(right));
            let stride = gcd(gcd(a_stride, b_stride), (a_residue - b_residue).abs()).max(1);
            let residue = a_residue.rem_euclid(stride) as u64;
            let term = self.pool.ite(guard, self.offset_term(left), self.offset_term(right));
            return Some(Offset::Term { term, stride: stride as u64, residue });
        };
        let stride = a.checked_sub(b)?.checked_abs()?.max(1);
        let term = self.pool.ite(guard, self.offset_term(left), self.offset_term(right));
        Some(Offset::Term { term, stride: stride as u64, residue: a.rem_euclid(stride) as u64 })
    }

    fn join_objects(&mut self, guard: Term, left: &mut Memory, right: &Memory) -> Option<Vector<Arc<Object>>> {
        let count = left.objects.len().max(right.objects.len());
        let mut objects = left.objects.clone();
        for index in 0..count {
            match (left.objects.get(index).cloned(), right.objects.get(index)) {
                (Some(a), Some(b)) if Arc::ptr_eq(&a, b) => {}
                (Some(a), Some(b)) if a.is_live() && b.is_live() => {
                    let joined = self.join_object(guard, left, &a, b)?;
                    objects.set(index, Arc::new(joined));
                }
                // Gone in both: there is nothing in them.
                (a, b) if !a.as_ref().is_some_and(|a| a.is_live()) && !b.is_some_and(|b| b.is_live()) => {
                    if a.is_none() {
                        objects.push_back(b?.clone());
                    }
                }
                _ => return None,
            }
        }
        Some(objects)
    }

    fn join_object(&mut self, guard: Term, memory: &mut Memory, a: &Object, b: &Object) -> Option<Object> {
        let is_alike = a.size == b.size && a.kind == b.kind && a.is_constant == b.is_constant && a.length == b.length;
        if !is_alike {
            return None;
        }
        if a.base != b.base {
            // What lies above is moved down on both sides, so that it counts.
            let (a, b) = self.common_grids(memory, a, b)?;
            let (Base::Grid(left), Base::Grid(right)) = (&a.base, &b.base) else { return None };
            let mut grid = (**left).clone();
            for (field, other) in grid.fields.values_mut().zip(right.fields.values()) {
                if field.size != other.size {
                    return None;
                }
                field.array = self.pool.ite(guard, field.array, other.array);
            }
            let base = Base::Grid(Arc::new(grid));
            let (a, b) = (Object { base: base.clone(), ..a }, Object { base, ..b });
            return self.join_object(guard, memory, &a, &b);
        }
        let mut changes: Vec<(u64, CellValue)> = Vec::new();
        for difference in a.cells.diff(&b.cells) {
            let (at, left, right) = match difference {
                DiffItem::Add(at, new) => (*at, None, Some(new)),
                DiffItem::Update { old, new } => (*old.0, Some(old.1), Some(new.1)),
                DiffItem::Remove(at, old) => (*at, Some(old), None),
            };
            let shape = left.or(right)?;
            if let (Some(left), Some(right)) = (left, right)
                && (left.size, left.scalar) != (right.size, right.scalar)
            {
                return None;
            }
            let is_aligned = |object: &Object| {
                super::cells::overlapping(object, at, at + u64::from(shape.size))
                    .all(|(start, cell)| start == at && cell.size == shape.size)
            };
            if !is_aligned(a) || !is_aligned(b) {
                return None;
            }
            let cell = Cell { scalar: shape.scalar, size: shape.size };
            let left = self.read_cell(a, at, cell).ok()?;
            let right = self.read_cell(b, at, cell).ok()?;
            let value = self.join_cells(guard, memory, cell, left, right)?;
            changes.push((at, CellValue { size: cell.size, scalar: cell.scalar, value }));
        }
        let mut object = a.clone();
        object.hash = std::sync::OnceLock::new();
        object.cells.extend(changes);
        Some(object)
    }

    /// A cell that holds nothing in one of them holds anything there.
    fn join_cells(&mut self, guard: Term, memory: &mut Memory, cell: Cell, a: Value, b: Value) -> Option<Value> {
        if a == b {
            return Some(a);
        }
        let is_number = |value: &Value| !self.keeps_undefined && matches!(value, Value::Number(_));
        if a == Value::Unset && is_number(&b) || b == Value::Unset && is_number(&a) {
            let any = self.indeterminate(memory, cell.scalar);
            let (a, b) = if a == Value::Unset { (any, b) } else { (a, any) };
            return self.join_values(guard, &a, &b);
        }
        self.join_values(guard, &a, &b)
    }

    /// What was asked for before they parted, then what each asked for, under its condition.
    fn join_inputs(&self, guard: Term, a: &Vector<Input>, b: &Vector<Input>) -> Vector<Input> {
        let is_same = |a: &Input, b: &Input| a.term == b.term && a.guard == b.guard && a.name == b.name;
        let shared = a.iter().zip(b.iter()).take_while(|(a, b)| is_same(a, b)).count();
        let mut inputs = a.clone();
        let under = |input: &mut Input, condition: Term| {
            input.guard = Some(input.guard.map_or(condition, |guard| self.pool.and2(guard, condition)));
        };
        for input in inputs.iter_mut().skip(shared) {
            under(input, guard);
        }
        let otherwise = self.pool.not(guard);
        for input in b.iter().skip(shared) {
            let mut input = input.clone();
            under(&mut input, otherwise);
            inputs.push_back(input);
        }
        inputs
    }
}

/// Everything but numbers in registers and cells is the same.
pub(super) fn has_same_shape(left: &State<SymbolicDomain>, right: &State<SymbolicDomain>) -> bool {
    let ([a], [b]) = (&left.processes[..], &right.processes[..]) else { return false };
    let frames = a.frames.iter().zip(&b.frames).all(|(a, b)| {
        let is_same_extra = match (&a.extra, &b.extra) {
            (Some(a), Some(b)) => {
                a.result_address == b.result_address
                    && a.variable_arguments == b.variable_arguments
                    && a.stack_objects == b.stack_objects
            }
            (None, None) => true,
            _ => false,
        };
        (a.function, a.pc, a.base, a.environment, a.static_link)
            == (b.function, b.pc, b.base, b.environment, b.static_link)
            && is_same_extra
            && format!("{:?}", a.native) == format!("{:?}", b.native)
    });
    let environments = left.environments.iter().zip(right.environments.iter()).all(|(a, b)| {
        (a.function, a.scope, a.parent, a.users, a.is_left) == (b.function, b.scope, b.parent, b.users, b.is_left)
            && a.variables == b.variables
    });
    let is_same_world = left.world.is_untouched() && right.world.is_untouched()
        || format!("{:?}", left.world) == format!("{:?}", right.world);
    a.frames.len() == b.frames.len()
        && frames
        && a.registers.len() == b.registers.len()
        && (a.status, a.atomic_depth, a.atom_depth, a.environment)
            == (b.status, b.atomic_depth, b.atom_depth, b.environment)
        && a.thread_locals == b.thread_locals
        && left.environments.len() == right.environments.len()
        && environments
        && left.atomic_owner == right.atomic_owner
        && is_same_world
}

/// The entries that both have.
fn common<K, V>(left: &HashMap<K, V>, right: &HashMap<K, V>) -> HashMap<K, V>
where
    K: Clone + Eq + Hash,
    V: Clone + PartialEq,
{
    if left.ptr_eq(right) {
        return left.clone();
    }
    if left.len() > MOST_KNOWN || right.len() > MOST_KNOWN {
        return HashMap::new();
    }
    let is_shared = |(key, value): &(&K, &V)| right.get(*key) == Some(*value);
    #[allow(clippy::iter_over_hash_type)] // a map is made of a map
    left.iter().filter(is_shared).map(|(key, value)| (key.clone(), value.clone())).collect()
}
