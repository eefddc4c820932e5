//! An abstract state: memory, and differences between its integer cells.

use super::memory::{Access, Object, Rest};
use super::number::Number;
use super::value::{Kind, ObjectKey, Value};
use super::zone::{Bounds, Variable, Zones};
use imbl::OrdMap;
use quod_base::int::IntFormat;
use quod_model::ir::*;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) objects: OrdMap<ObjectKey, Arc<Object>>,
    pub(crate) zones: Zones,
    /// Which way was taken, where ways are kept apart.
    pub(crate) way: u64,
}

/// Something of an object that stands for one thing and has a number: an integer cell; a pointer cell, whose number is the
/// offset in what it points to (`OFFSET`); at a position below zero, the number of units that the object's size is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CellKey {
    pub(crate) object: ObjectKey,
    pub(crate) at: i64,
    pub(crate) format: IntFormat,
}

/// Stands in a `CellKey` for a pointer's offset.
pub(crate) const OFFSET: IntFormat = IntFormat::signed(63);

impl CellKey {
    pub(crate) fn count(object: ObjectKey, unit: u32) -> Self {
        Self { object, at: -64 * i64::from(unit), format: IntFormat::signed(64) }
    }
}

/// What all states of an analysis share: the program, and numbers for cells.
pub(crate) struct World<'p> {
    pub(crate) program: &'p Program,
    pub(crate) thresholds: Vec<i128>,
    /// How far a pointer can be moved from its object.
    pub(crate) reach: i128,
    variables: RefCell<(Vec<CellKey>, FxHashMap<CellKey, Variable>)>,
    /// The numbered cells of each object.
    of_object: RefCell<FxHashMap<ObjectKey, Vec<Variable>>>,
    /// Conditions looked at since the last step began.
    pub(crate) effort: std::cell::Cell<u32>,
}

impl<'p> World<'p> {
    pub(crate) fn new(program: &'p Program, thresholds: Vec<i128>) -> Self {
        Self {
            program,
            thresholds,
            reach: 1 << (program.types.data_model.pointer_bits() - 2),
            variables: RefCell::default(),
            of_object: RefCell::default(),
            effort: Default::default(),
        }
    }

    pub(crate) fn variable(&self, key: CellKey) -> Variable {
        let (keys, ids) = &mut *self.variables.borrow_mut();
        *ids.entry(key).or_insert_with(|| {
            keys.push(key);
            let id = (keys.len() - 1) as Variable;
            self.of_object.borrow_mut().entry(key.object).or_default().push(id);
            id
        })
    }
    pub(crate) fn cell(&self, variable: Variable) -> CellKey {
        self.variables.borrow().0[variable as usize]
    }

    fn size_of(&self, ty: TypeId) -> Number {
        match self.program.types.size_of(ty) {
            Some(size) => Number::constant(size.into()),
            None => Number::range(0, 1 << 62),
        }
    }

    /// An object, also where the state says nothing of it.
    pub(crate) fn object(&self, state: &State, key: ObjectKey) -> Arc<Object> {
        if let Some(object) = state.objects.get(&key) {
            return object.clone();
        }
        Arc::new(match key {
            ObjectKey::Global(id) => {
                let global = &self.program.globals[id];
                let mut size = self.size_of(global.ty);
                if global.storage == Storage::External && size.low != size.high {
                    size = Number::range(0, 1 << 62);
                }
                Object::new(size, Rest::Any)
            }
            ObjectKey::Local(function, local) => match &self.program.functions[function].body {
                Some(body) => Object::new(self.size_of(body.locals[local].ty), Rest::Uninit),
                None => Object::new(Number::range(0, 1 << 62), Rest::Uninit),
            },
            ObjectKey::String(id) => self.string(id),
            ObjectKey::Heap(..) | ObjectKey::Stack(..) | ObjectKey::Ghost(_) | ObjectKey::Result(_) => {
                Object::new(Number::range(0, 1 << 62), Rest::Uninit)
            }
        })
    }

    fn string(&self, id: StringId) -> Object {
        let literal = &self.program.strings[id];
        let mut object = Object::new(self.size_of(literal.ty), Rest::Any);
        let element = match self.program.types[literal.ty] {
            Type::Array { element, .. } => Kind::of(&self.program.types, element.ty),
            _ => None,
        };
        let Some(kind @ Kind::Int(format)) = element else { return object };
        if literal.elements.len() <= 256 {
            for (index, &element) in literal.elements.iter().enumerate() {
                let start = Number::constant(index as i128 * i128::from(format.bits));
                let value = Value::Number(Number::constant(format.wrap(element.into())));
                object.write(&Access { start, bits: format.bits, kind }, &value, true);
            }
        }
        object
    }

    /// The number in a cell, as far as its own value says.
    pub(crate) fn number(&self, state: &State, variable: Variable) -> Option<Number> {
        let key = self.cell(variable);
        let kind = Kind::Int(key.format);
        let object = state.objects.get(&key.object)?;
        if key.at < 0 {
            let unit = i128::from(-key.at / 64);
            return Number::new(object.size.low.div_euclid(unit), object.size.high.div_euclid(unit), 1, 0);
        }
        if key.format == OFFSET {
            return self.offset(object, key.at);
        }
        let access = Access { start: Number::constant(key.at.into()), bits: key.format.bits, kind };
        match object.read(&access) {
            Value::Number(number) if number.fits(key.format) => Some(number),
            Value::Pointer(_) => None,
            _ if key.format.bits <= 64 => Some(Number::full(key.format)),
            _ => None,
        }
    }

    fn offset(&self, object: &Object, at: i64) -> Option<Number> {
        let bits = self.program.types.data_model.pointer_bits();
        let access = Access { start: Number::constant(at.into()), bits, kind: Kind::Pointer };
        let Value::Pointer(pointer) = object.read(&access) else { return None };
        if pointer.may_be_null || pointer.is_unknown || !pointer.functions.is_empty() {
            return None;
        }
        pointer.targets.iter().map(|target| target.1).reduce(Number::join)
    }

    /// The number in a cell, also as far as the differences to others say.
    pub(crate) fn tight_number(&self, state: &State, variable: Variable) -> Option<Number> {
        let mut number = self.number(state, variable)?;
        if number.as_constant().is_some() {
            return Some(number);
        }
        for (other, bounds) in state.zones.neighbours(variable).take(16) {
            if let Some(theirs) = self.number(state, other) {
                let low = theirs.low.saturating_add(bounds.low);
                let high = theirs.high.saturating_add(bounds.high);
                if low > number.low || high < number.high {
                    number = number.between(low.max(number.low), high.min(number.high))?;
                }
            }
        }
        Some(number)
    }

    /// Sets what is known of a cell, without changing it.
    pub(crate) fn know(&self, state: &mut State, variable: Variable, number: Number) {
        let key = self.cell(variable);
        let mut object = (*self.object(state, key.object)).clone();
        if key.at < 0 {
            let unit = i128::from(-key.at / 64);
            let (low, high) = (number.low.saturating_mul(unit), number.high.saturating_add(1).saturating_mul(unit) - 1);
            if let Some(size) = Number::new(object.size.low.max(low), object.size.high.min(high), 1, 0) {
                object.size = size;
                state.objects.insert(key.object, Arc::new(object));
            }
            return;
        }
        if key.format == OFFSET {
            let bits = self.program.types.data_model.pointer_bits();
            let access = Access { start: Number::constant(key.at.into()), bits, kind: Kind::Pointer };
            if let Value::Pointer(pointer) = object.read(&access) {
                let mut pointer = (*pointer).clone();
                pointer.targets = pointer
                    .targets
                    .into_iter()
                    .filter_map(|(object, offset)| Some((object, offset.meet(number)?)))
                    .collect();
                if !pointer.targets.is_empty() {
                    object.write(&access, &Value::pointer(pointer), true);
                    state.objects.insert(key.object, Arc::new(object));
                }
            }
            return;
        }
        let kind = Kind::Int(key.format);
        let access = Access { start: Number::constant(key.at.into()), bits: key.format.bits, kind };
        object.write(&access, &Value::Number(number), true);
        state.objects.insert(key.object, Arc::new(object));
    }

    /// Nothing is known of differences to cells of the object any more, in this range of bits.
    pub(crate) fn forget_cells(
        &self,
        state: &mut State,
        object: ObjectKey,
        (low, high): (i128, i128),
        except: Option<Variable>,
    ) {
        if state.zones.len() == 0 {
            return;
        }
        let of_object = self.of_object.borrow();
        for &variable in of_object.get(&object).into_iter().flatten() {
            let key = self.cell(variable);
            let (at, bits) = (i128::from(key.at), i128::from(key.format.bits));
            if at < high && at + bits > low && Some(variable) != except {
                state.zones.forget(variable);
            }
        }
    }

    /// Objects end: what pointed to them dangles.
    pub(crate) fn end_objects(&self, state: &mut State, is_dead: &dyn Fn(ObjectKey) -> bool, is_pointed_to: bool) {
        let dead: Vec<ObjectKey> = state.objects.keys().filter(|key| is_dead(**key)).copied().collect();
        for key in dead {
            state.objects.remove(&key);
        }
        if state.zones.len() > 0 {
            let keys = &self.variables.borrow().0;
            state.zones.forget_all(&|variable| is_dead(keys[variable as usize].object));
        }
        if is_pointed_to {
            let changed: Vec<(ObjectKey, Object)> =
                state.objects.iter().filter_map(|(&key, object)| Some((key, object.without(is_dead)?))).collect();
            for (key, object) in changed {
                state.objects.insert(key, Arc::new(object));
            }
        }
    }

    pub(crate) fn join(&self, a: &State, b: &State) -> State {
        self.merge(a, b, false, &|a, b| a.join(b))
    }

    pub(crate) fn widen(&self, older: &State, newer: &State, thresholds: &[i128]) -> State {
        self.merge(older, newer, true, &|a, b| a.widen(b, thresholds))
    }

    fn merge(&self, a: &State, b: &State, is_widening: bool, with: &dyn Fn(&Object, &Object) -> Object) -> State {
        use imbl::ordmap::DiffItem;
        let mut objects = a.objects.clone();
        let mut changed: Vec<Variable> = Vec::new();
        if !a.objects.ptr_eq(&b.objects) {
            for item in a.objects.diff(&b.objects) {
                match item {
                    DiffItem::Add(key, object) if is_kept(*key) => {
                        objects.insert(*key, object.clone());
                    }
                    DiffItem::Remove(key, _) if !is_kept(*key) => {
                        objects.remove(key);
                    }
                    DiffItem::Update { old: (key, old), new: (_, new) } if !Arc::ptr_eq(old, new) && old != new => {
                        objects.insert(*key, Arc::new(with(old, new)));
                        if !is_widening && changed.len() < MOST_CHANGED && !old.is_summary && !new.is_summary {
                            self.changed_cells(*key, old, new, &mut changed);
                        }
                    }
                    _ => {}
                }
            }
        }
        let (here, there) = (|id| self.number(a, id), |id| self.number(b, id));
        let mut zones =
            if is_widening { a.zones.widen(&b.zones, &there) } else { a.zones.join(&b.zones, &here, &there) };
        // Numbers that differ between the two states may differ in the same way.
        for (index, &one) in changed.iter().enumerate() {
            for &other in &changed[index + 1..] {
                let (first, second) = (a.zones.known(one, other, &here), b.zones.known(one, other, &there));
                let hull = |id| Some(here(id)?.join(there(id)?));
                if let (Some(x), Some(y)) = (hull(one), hull(other)) {
                    zones.learn(one, other, first.join(second), Bounds::of(x, y));
                }
            }
        }
        State { objects, zones, way: a.way }
    }

    /// Integer cells of one object with different numbers.
    fn changed_cells(&self, key: ObjectKey, old: &Object, new: &Object, changed: &mut Vec<Variable>) {
        for (&at, cell) in &old.cells {
            let Some(other) = new.cells.get(&at).filter(|other| (other.bits, other.kind) == (cell.bits, cell.kind))
            else {
                continue;
            };
            if let (Value::Number(a), Value::Number(b), Kind::Int(format)) = (&cell.value, &other.value, cell.kind)
                && a != b
                && changed.len() < MOST_CHANGED
            {
                changed.push(self.variable(CellKey { object: key, at, format }));
            }
        }
    }

    /// Every execution that the first stands for, the second does, too.
    pub(crate) fn is_within(&self, a: &State, b: &State) -> bool {
        use imbl::ordmap::DiffItem;
        if !a.objects.ptr_eq(&b.objects) {
            for item in a.objects.diff(&b.objects) {
                let is_fine = match item {
                    DiffItem::Add(key, _) => is_kept(*key),
                    DiffItem::Remove(key, _) => !is_kept(*key),
                    DiffItem::Update { old: (_, old), new: (_, new) } => Arc::ptr_eq(old, new) || old.is_within(new),
                };
                if !is_fine {
                    return false;
                }
            }
        }
        a.zones.is_within(&b.zones, &|id| self.number(a, id))
    }
}

/// Cells whose differences to each other are looked at where states are joined.
const MOST_CHANGED: usize = 14;

/// Where only one of two states has the object, it is the joined state's: it does not exist in the other. Of others, nothing
/// is known where they are missing.
fn is_kept(key: ObjectKey) -> bool {
    matches!(key, ObjectKey::Heap(..) | ObjectKey::Stack(..))
}
