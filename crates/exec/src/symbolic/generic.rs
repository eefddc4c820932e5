//! Generic states: some numbers of a state are replaced by symbols, so that it stands for every state that differs from it
//! in those only. And the other way round: in which numbers do two states differ, and in nothing else?

use super::grid::moved_places;
use super::join::has_same_shape;
use super::memory::{Base, CellValue, Memory, Object};
use super::terms::SymbolicDomain;
use super::value::{Offset, Pointer, Target, Value};
use crate::scalar::{Cell, Scalar};
use crate::state::State;
use imbl::ordmap::DiffItem;
use num_integer::gcd;
use quod_term::{Sort, Term};
use std::sync::Arc;

/// Where a state keeps a value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Of the first process.
    Register(usize),
    Cell {
        object: usize,
        offset: u64,
        cell: Cell,
    },
    /// One field of all elements of an object that consists of arrays.
    Field {
        object: usize,
        stride: u64,
        residue: u64,
        size: u8,
    },
}

/// A place whose value is any.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    pub place: Place,
    pub holds: Holds,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Holds {
    Number(Sort),
    /// A pointer into one object, at an offset that is `residue` modulo `stride`.
    Pointer {
        target: Target,
        stride: u64,
        residue: u64,
    },
}

impl SymbolicDomain {
    /// The sort of the symbol that stands for the spot.
    pub fn spot_sort(&self, spot: &Spot) -> Sort {
        match spot.holds {
            Holds::Number(sort) => sort,
            Holds::Pointer { .. } => self.sort(self.offset_scalar()),
        }
    }

    /// Symbols for spots, named by how many the path has made: none of them was met on the way to this state.
    pub fn spot_symbols(&self, memory: &Memory, spots: &[Spot]) -> Vec<Term> {
        let symbol = |(index, spot): (usize, &Spot)| {
            let sort = self.spot_sort(spot);
            let kind = match spot.place {
                Place::Field { size, .. } => format!("array{size}"),
                _ => sort.width().map_or_else(|| "f".into(), |width| width.to_string()),
            };
            self.pool.symbol(format!("head{kind}!{}", memory.fresh + 1 + index as u64).as_str(), sort)
        };
        spots.iter().enumerate().map(symbol).collect()
    }

    /// The sort of numbers of a kind.
    pub fn number_sort(&self, scalar: Scalar) -> Sort {
        self.sort(scalar)
    }

    /// A symbol that nothing is known of.
    pub fn any_term(&self, memory: &mut Memory, sort: Sort) -> Term {
        memory.fresh += 1;
        let kind = sort.width().map_or_else(|| "f".into(), |width| width.to_string());
        self.pool.symbol(format!("given{kind}!{}", memory.fresh).as_str(), sort)
    }

    /// A symbol that no conjunct of the path mentions, to tell executions apart by.
    pub fn phase_symbol(&self, memory: &mut Memory) -> Term {
        memory.fresh += 1;
        self.pool.symbol(format!("phase!{}", memory.fresh).as_str(), Sort::bit_vec(8))
    }

    /// The state with symbols in the spots. Nothing where a place is not there.
    pub fn generalised(&mut self, state: &State<Self>, spots: &[Spot]) -> Option<State<Self>> {
        let symbols = self.spot_symbols(&state.memory, spots);
        let mut generic = state.clone();
        generic.memory.fresh += spots.len() as u64;
        for (spot, &symbol) in spots.iter().zip(&symbols) {
            let value = match spot.holds {
                Holds::Number(_) => Value::Number(symbol),
                Holds::Pointer { target, stride, residue } => {
                    if stride > 1
                        && let Some(width) = self.pool.sort(symbol).width()
                    {
                        let rest = self.pool.bv_urem(symbol, self.pool.bv(width, stride));
                        let is_on_grid = self.pool.eq(rest, self.pool.bv(width, residue));
                        if stride.is_power_of_two() {
                            self.assume(&mut generic.memory, is_on_grid);
                        }
                    }
                    let offset = Offset::Term { term: symbol, stride, residue };
                    Value::Pointer(Pointer { target, offset })
                }
            };
            match spot.place {
                Place::Register(index) => *generic.processes.first_mut()?.registers.get_mut(index)? = value,
                Place::Cell { object, offset, cell } => {
                    let mut changed = (**generic.memory.objects.get(object)?).clone();
                    self.write_cell(&mut changed, offset, cell, value).ok()?;
                    changed.hash = std::sync::OnceLock::new();
                    generic.memory.objects.set(object, Arc::new(changed));
                }
                Place::Field { object, residue, size, .. } => {
                    let mut changed = (**generic.memory.objects.get(object)?).clone();
                    let Base::Grid(grid) = &changed.base else { return None };
                    let mut grid = (**grid).clone();
                    grid.fields.get_mut(&residue).filter(|field| field.size == size)?.array = symbol;
                    // What lies above is among what is unknown.
                    for at in moved_places(&changed, grid.stride, residue, u64::from(size))? {
                        self.clear(&mut changed, at, at + u64::from(size)).ok()?;
                    }
                    changed.base = Base::Grid(Arc::new(grid));
                    generic.memory.replace(Self::id(object), changed);
                }
            }
        }
        Some(generic)
    }

    /// Objects of which all elements are spots become arrays, with all that they hold. Nothing where they cannot.
    pub fn prepare_spots(&mut self, memory: &mut Memory, spots: &[Spot]) -> Option<()> {
        for spot in spots {
            let Place::Field { object, stride, residue, size } = spot.place else { continue };
            let shared = memory.objects.get(object)?.clone();
            if !shared.is_live() {
                return None;
            }
            let cell = Cell { scalar: number_of(size)?, size };
            let (changed, ..) = self.on_grid(memory, &shared, (stride, residue), cell).ok()?;
            memory.replace(Self::id(object), changed);
        }
        Some(())
    }

    /// What the spots hold in a state, as terms of the sorts of their symbols.
    pub fn spot_values(&mut self, state: &State<Self>, spots: &[Spot]) -> Option<Vec<Term>> {
        let mut terms = Vec::with_capacity(spots.len());
        for spot in spots {
            if let Place::Field { object, stride, residue, size } = spot.place {
                let object = state.memory.objects.get(object).filter(|object| object.is_live())?;
                let Base::Grid(grid) = &object.base else { return None };
                let field = grid.fields.get(&residue).filter(|field| field.size == size && grid.stride == stride)?;
                // Else the array is not all of it.
                if !moved_places(object, stride, residue, u64::from(size))?.is_empty() {
                    return None;
                }
                terms.push(field.array);
                continue;
            }
            let value = self.value_at(state, spot.place)?;
            let term = match (spot.holds, value) {
                (Holds::Number(sort), Value::Number(term)) if self.pool.sort(term) == sort => term,
                // What was never set is anything.
                (Holds::Number(sort), Value::Unset) if !self.keeps_undefined => {
                    self.pool.fresh_symbol("undefined", sort)
                }
                (Holds::Pointer { target, .. }, Value::Pointer(pointer)) if pointer.target == target => {
                    self.offset_term(pointer.offset)
                }
                _ => return None,
            };
            terms.push(term);
        }
        Some(terms)
    }

    fn value_at(&mut self, state: &State<Self>, place: Place) -> Option<Value> {
        match place {
            Place::Register(index) => state.processes.first()?.registers.get(index).cloned(),
            Place::Cell { object, offset, cell } => {
                let object = state.memory.objects.get(object)?.clone();
                if !object.is_live() {
                    return None;
                }
                self.read_cell(&object, offset, cell).ok()
            }
            Place::Field { .. } => None,
        }
    }

    /// The number in a place, where there is one.
    pub fn number_at(&mut self, state: &State<Self>, place: Place) -> Option<Term> {
        match self.value_at(state, place)? {
            Value::Number(term) => Some(term),
            _ => None,
        }
    }

    /// The cells of the object that a pointer leads to, where they are few and hold numbers.
    pub fn numbers_in(&self, memory: &Memory, pointer: &Value, most: usize) -> Vec<Place> {
        let Ok((id, Offset::Known(0))) = self.place(memory, pointer) else { return Vec::new() };
        let object = memory.object(id);
        if object.cells.len() > most || object.is_constant {
            return Vec::new();
        }
        let cells = object.cells.iter().filter(|(_, cell)| matches!(cell.value, Value::Number(_)));
        cells
            .map(|(&offset, cell)| Place::Cell {
                object: quod_base::Id::index(id),
                offset,
                cell: Cell { scalar: cell.scalar, size: cell.size },
            })
            .collect()
    }

    /// The number of the object at whose start a pointer stands.
    pub fn object_index(&self, memory: &Memory, pointer: &Value) -> Option<usize> {
        match self.place(memory, pointer) {
            Ok((id, Offset::Known(0))) => Some(quod_base::Id::index(id)),
            _ => None,
        }
    }

    /// The spots in which two states differ; nothing where they differ in something else as well. Objects that are gone
    /// in both, or that came and went between them, do not count: what pointed to them would differ.
    pub fn differing_spots(
        &mut self,
        before: &State<Self>,
        after: &State<Self>,
        is_live: &[bool],
    ) -> Option<Vec<Spot>> {
        if !has_same_shape(before, after) {
            return None;
        }
        let mut spots = Vec::new();
        let ([a], [b]) = (&before.processes[..], &after.processes[..]) else { return None };
        for (index, (left, right)) in a.registers.iter().zip(&b.registers).enumerate() {
            if left != right && is_live.get(index).copied().unwrap_or(true) {
                spots.push(Spot { place: Place::Register(index), holds: self.either(left, right)? });
            }
        }
        let (a, b) = (&before.memory.objects, &after.memory.objects);
        for index in 0..a.len().max(b.len()) {
            match (a.get(index).cloned(), b.get(index).cloned()) {
                (Some(left), Some(right)) if Arc::ptr_eq(&left, &right) => {}
                (Some(left), Some(right)) if left.is_live() && right.is_live() => {
                    let mut memory = after.memory.clone();
                    self.differing_cells(&mut memory, index, &left, &right, &mut spots)?;
                }
                (left, right) => {
                    let is_gone = |object: Option<Arc<Object>>| object.is_none_or(|object| !object.is_live());
                    if !is_gone(left) || !is_gone(right) {
                        return None;
                    }
                }
            }
        }
        Some(spots)
    }

    fn differing_cells(
        &mut self,
        memory: &mut Memory,
        index: usize,
        a: &Object,
        b: &Object,
        spots: &mut Vec<Spot>,
    ) -> Option<()> {
        let is_alike = a.size == b.size
            && a.kind == b.kind
            && a.is_constant == b.is_constant
            && a.length == b.length
            && a.rows == b.rows;
        if !is_alike {
            return None;
        }
        if a.base != b.base {
            let (a, b) = self.common_grids(memory, a, b)?;
            let (Base::Grid(left), Base::Grid(right)) = (&a.base, &b.base) else { return None };
            for ((&residue, old), new) in left.fields.iter().zip(right.fields.values()) {
                if old.size != new.size {
                    return None;
                }
                if old.array != new.array {
                    let place = Place::Field { object: index, stride: left.stride, residue, size: old.size };
                    spots.push(Spot { place, holds: Holds::Number(self.pool.sort(old.array)) });
                }
            }
            // What is left above is outside of these fields.
            let base = a.base.clone();
            let (a, b) = (Object { base: base.clone(), ..a }, Object { base, ..b });
            return self.differing_cells(memory, index, &a, &b, spots);
        }
        let differences: Vec<(u64, CellValue)> = a
            .cells
            .diff(&b.cells)
            .map(|difference| match difference {
                DiffItem::Add(at, new) => (*at, new.clone()),
                DiffItem::Update { new, .. } => (*new.0, new.1.clone()),
                DiffItem::Remove(at, old) => (*at, old.clone()),
            })
            .collect();
        for (at, shape) in differences {
            // The same bytes as a number of another kind (a float for an integer) would be another set of values.
            let is_kin = |scalar: Scalar| {
                let is_integer = |scalar: Scalar| !scalar.is_pointer() && scalar.int_format().is_some();
                scalar == shape.scalar || is_integer(scalar) && is_integer(shape.scalar)
            };
            let is_aligned = |object: &Object| {
                super::cells::overlapping(object, at, at + u64::from(shape.size))
                    .all(|(start, cell)| start == at && cell.size == shape.size && is_kin(cell.scalar))
            };
            if !is_aligned(a) || !is_aligned(b) {
                return None;
            }
            let cell = Cell { scalar: shape.scalar, size: shape.size };
            let left = self.read_cell(a, at, cell).ok()?;
            let right = self.read_cell(b, at, cell).ok()?;
            if left != right {
                let holds = self.either(&left, &right)?;
                spots.push(Spot { place: Place::Cell { object: index, offset: at, cell }, holds });
            }
        }
        Some(())
    }

    /// What a spot holds that can have both values.
    fn either(&self, left: &Value, right: &Value) -> Option<Holds> {
        match (left, right) {
            (Value::Number(a), Value::Number(b)) => {
                let sort = self.pool.sort(*a);
                (sort == self.pool.sort(*b)).then_some(Holds::Number(sort))
            }
            (Value::Unset, Value::Number(term)) | (Value::Number(term), Value::Unset) if !self.keeps_undefined => {
                Some(Holds::Number(self.pool.sort(*term)))
            }
            (Value::Pointer(a), Value::Pointer(b)) if a.target == b.target => {
                if !matches!(a.target, Target::Object(_)) {
                    return None;
                }
                let grid = |offset| match offset {
                    Offset::Known(bytes) => (0, bytes),
                    Offset::Term { stride, residue, .. } => (stride as i64, residue as i64),
                };
                let ((a_stride, a_residue), (b_stride, b_residue)) = (grid(a.offset), grid(b.offset));
                let apart = a_residue.checked_sub(b_residue)?.checked_abs()?;
                let stride = gcd(gcd(a_stride, b_stride), apart).max(1);
                let residue = a_residue.rem_euclid(stride) as u64;
                Some(Holds::Pointer { target: a.target, stride: stride as u64, residue })
            }
            _ => None,
        }
    }
}

/// Numbers of so many bytes.
pub(super) fn number_of(size: u8) -> Option<Scalar> {
    Some(match size {
        1 => Scalar::U8,
        2 => Scalar::U16,
        4 => Scalar::U32,
        8 => Scalar::U64,
        _ => return None,
    })
}
