//! Objects as arrays of the logic: where an object is read or written at an index that is not known and has too many places
//! for a choice between all of them.
//!
//! A *grid* divides the object into elements of `stride` bytes. Each field of an element, known by where in it it begins, is one
//! array from where elements begin, in bytes, to bits. Cells at known offsets lie above the grid; what an access at an unknown offset could
//! touch is moved down into the arrays first. A write at an unknown offset so costs one term, whatever the object's size.
//!
//! A grid holds numbers only: pointers stay in cells, and where one would be moved down the access is not supported.

use super::memory::{Base, Memory, Object, ObjectId};
use super::terms::SymbolicDomain;
use super::value::{Offset, Pointer, Value};
use crate::domain::{Domain, Outcome};
use crate::fault::Fault;
use crate::scalar::{Cell, Scalar};
use quod_base::Id;
use quod_term::{Op, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub(super) stride: u64,
    /// What bytes hold that no field covers: zeros, or nothing.
    pub(super) is_zero: bool,
    /// By where in an element they begin; they do not overlap.
    pub(super) fields: BTreeMap<u64, Field>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) size: u8,
    pub(super) array: Term,
}

/// Cells that are moved into arrays at once.
const MOST_MOVED: usize = 1 << 12;
/// Bytes of a block that is copied number by number.
const MOST_COPIED: u64 = 64;
/// Writes that a read looks through.
const MOST_WRITES: usize = 64;

impl SymbolicDomain {
    /// The offset as an index of arrays.
    pub(super) fn index_term(&self, offset: u64) -> Term {
        self.integer_term(i128::from(offset), self.offset_scalar())
    }

    /// Where the element begins that a field at this offset belongs to: all fields of an element have the same index.
    fn element_start(&self, offset: Term, residue: u64) -> Term {
        if residue == 0 { offset } else { self.pool.bv_sub(offset, self.index_term(residue)) }
    }

    fn field_sort(&self, size: u8) -> Sort {
        Sort::array(self.sort(self.offset_scalar()), Sort::bit_vec(u32::from(size) * 8))
    }

    /// What an array holds at an index: writes to other places are left out where that is plain to see.
    pub fn element(&self, array: Term, index: Term) -> Term {
        let pool = &self.pool;
        let mut below = array;
        for _ in 0..MOST_WRITES {
            match pool.op(below) {
                Op::Store => {
                    let is_there = pool.eq(pool.arg(below, 1), index);
                    if is_there == pool.true_() {
                        return pool.arg(below, 2);
                    }
                    if is_there != pool.false_() {
                        break;
                    }
                    below = pool.arg(below, 0);
                }
                Op::ConstArray => return pool.arg(below, 0),
                _ => break,
            }
        }
        pool.select(below, index)
    }

    /// The grid of an object with a field for the cell, and all cells that could be that field moved into its array.
    pub(super) fn on_grid(
        &mut self,
        memory: &mut Memory,
        object: &Object,
        (stride, residue): (u64, u64),
        cell: Cell,
    ) -> Result<(Object, Arc<Grid>, u64), Fault> {
        let refused = || Fault::unsupported(format!("an unknown index into an object of {} bytes", object.size));
        let is_number = cell.scalar.int_format().is_some() || matches!(cell.scalar, Scalar::F32 | Scalar::F64);
        if self.is_ideal || self.keeps_undefined || cell.scalar.is_pointer() || !is_number || stride == 0 {
            return Err(refused());
        }
        let mut grid = match &object.base {
            Base::Grid(grid) => (**grid).clone(),
            base => Grid { stride, is_zero: *base == Base::Zero, fields: BTreeMap::new() },
        };
        let (residue, size) = (residue % grid.stride, u64::from(cell.size));
        if !stride.is_multiple_of(grid.stride) || residue + size > grid.stride {
            return Err(refused());
        }
        let mut object = object.clone();
        let moved = moved_places(&object, grid.stride, residue, size).ok_or_else(refused)?;
        if let Some(&field) = grid.fields.get(&residue)
            && field.size == cell.size
            && moved.is_empty()
        {
            let grid = Arc::new(grid);
            return Ok((object, grid, residue));
        }
        let mut array = match grid.fields.get(&residue) {
            Some(field) if field.size == cell.size => field.array,
            _ if grid.overlaps(residue, size) => return Err(refused()),
            _ => self.fresh_field(memory, cell.size, grid.is_zero),
        };
        for &at in &moved {
            let value = match self.read_cell(&object, at, cell)? {
                Value::Unset => self.indeterminate(memory, cell.scalar),
                value => value,
            };
            let Value::Number(_) = value else { return Err(refused()) };
            let bits = self.bits_of(&value, cell.scalar, cell.size)?;
            array = self.pool.store(array, self.index_term(at - residue), bits);
        }
        for at in moved {
            self.clear(&mut object, at, at + size)?;
        }
        grid.fields.insert(residue, Field { size: cell.size, array });
        let grid = Arc::new(grid);
        object.base = Base::Grid(grid.clone());
        Ok((object, grid, residue))
    }

    fn fresh_field(&self, memory: &mut Memory, size: u8, is_zero: bool) -> Term {
        let sort = self.field_sort(size);
        if is_zero {
            return self.pool.const_array(sort, self.pool.bv(u32::from(size) * 8, 0));
        }
        memory.fresh += 1;
        self.pool.symbol(format!("contents{size}!{}", memory.fresh).as_str(), sort)
    }

    pub(super) fn load_grid(
        &mut self,
        memory: &mut Memory,
        id: ObjectId,
        offset: Term,
        grid: (u64, u64),
        cell: Cell,
    ) -> Result<Value, Fault> {
        let shared = memory.shared(id);
        let (object, grid, residue) = self.on_grid(memory, &shared, grid, cell)?;
        let field = grid.fields.get(&residue).ok_or_else(|| Fault::unsupported("this index"))?;
        let bits = self.element(field.array, self.element_start(offset, residue));
        let value = self.value_of_bits(bits, cell.scalar)?;
        if object.base != shared.base {
            memory.replace(id, object);
        }
        Ok(value)
    }

    pub(super) fn store_grid(
        &mut self,
        memory: &mut Memory,
        id: ObjectId,
        offset: Term,
        grid: (u64, u64),
        cell: Cell,
        value: &Value,
    ) -> Result<(), Fault> {
        let Value::Number(_) = value else {
            return Err(Fault::unsupported("this value at an unknown index"));
        };
        let bits = self.bits_of(value, cell.scalar, cell.size)?;
        let (mut object, grid, residue) = self.on_grid(memory, &memory.shared(id), grid, cell)?;
        let mut grid = (*grid).clone();
        let field = grid.fields.get_mut(&residue).ok_or_else(|| Fault::unsupported("this index"))?;
        field.array = self.pool.store(field.array, self.element_start(offset, residue), bits);
        object.base = Base::Grid(Arc::new(grid));
        memory.replace(id, object);
        Ok(())
    }

    /// Copies a small block of which one end is at an unknown index of an array, number by number. Nothing where it is
    /// not that, or cannot be done so.
    pub(super) fn copy_fields(
        &mut self,
        memory: &mut Memory,
        to: &Value,
        from: &Value,
        size: u64,
    ) -> Option<Outcome<Self, ()>> {
        let (target, to_offset) = self.place(memory, to).ok()?;
        let (source, from_offset) = self.place(memory, from).ok()?;
        let is_unknown = |offset: Offset| matches!(offset, Offset::Term { .. });
        let is_many = [(target, to_offset), (source, from_offset)].into_iter().any(|(id, offset)| match offset {
            Offset::Term { stride, residue, .. } => self.prefers_grid(memory.object(id), stride, residue, size),
            Offset::Known(_) => false,
        });
        if size > MOST_COPIED || !is_many || !(is_unknown(to_offset) || is_unknown(from_offset)) {
            return None;
        }
        let shapes = match from_offset {
            Offset::Known(start) => {
                let start = self.in_bounds(memory.object(source), start, size).ok()?;
                let object = memory.shared(source);
                let cells = super::cells::overlapping(&object, start, start + size);
                let shapes: Vec<(u64, Cell)> = cells
                    .map(|(at, cell)| (at.checked_sub(start), Cell { scalar: cell.scalar, size: cell.size }))
                    .filter_map(|(at, cell)| Some((at?, cell)))
                    .collect();
                if shapes.iter().any(|(at, cell)| at + u64::from(cell.size) > size) {
                    return None;
                }
                let covered: u64 = shapes.iter().map(|(_, cell)| u64::from(cell.size)).sum();
                // All of it: what lies between could be anything.
                (covered == size).then_some(shapes)?
            }
            Offset::Term { residue, .. } => {
                let Base::Grid(grid) = &memory.object(source).base else { return None };
                let mut shapes = Vec::new();
                let mut covered = 0;
                for at in 0..size {
                    if let Some(field) = grid.fields.get(&((residue + at) % grid.stride)) {
                        covered += u64::from(field.size);
                        if at + u64::from(field.size) > size {
                            return None;
                        }
                        shapes.push((at, Cell { scalar: super::generic::number_of(field.size)?, size: field.size }));
                    }
                }
                (covered == size && size <= grid.stride).then_some(shapes)?
            }
        };
        if source == target {
            return None;
        }
        let before = memory.clone();
        for (at, cell) in shapes {
            let (to, from) = (self.offset(to, at as i64), self.offset(from, at as i64));
            let done = self.load(memory, &from, cell).and_then(|value| self.store(memory, &to, cell, &value));
            if let Err(trouble) = done {
                *memory = before;
                return Some(Err(trouble));
            }
        }
        Some(Ok(()))
    }

    /// An array of variable length is not larger than objects can be: where its size would wrap around there is no
    /// execution.
    pub(super) fn assume_array_size(&self, memory: &mut Memory, size: Term) {
        let pool = &self.pool;
        let width = pool.width(size);
        let (count, factor) = match pool.op(size) {
            Op::BvMul => {
                let parts = pool.args(size);
                let is_constant = |part: &&Term| pool.is_constant(**part);
                let (Some(&constant), Some(&count)) =
                    (parts.iter().find(is_constant), parts.iter().find(|part| !is_constant(part)))
                else {
                    return;
                };
                match self.known_signed(constant) {
                    Some(factor) if factor > 0 && parts.len() == 2 => (count, factor as u64),
                    _ => return,
                }
            }
            Op::BvShl => match self.known_signed(pool.arg(size, 1)) {
                Some(shift) if (0..16).contains(&shift) => (pool.arg(size, 0), 1 << shift),
                _ => return,
            },
            _ => return,
        };
        let most = (1u64 << (width - 1)) - 1;
        self.assume(memory, pool.bv_ule(count, pool.bv(width, most / factor)));
    }

    /// One byte of the grid; nothing where it is indeterminate.
    pub(super) fn grid_byte(&self, grid: &Grid, at: u64) -> Option<Term> {
        let inside = at % grid.stride;
        let field = grid.fields.range(..=inside).next_back();
        match field.filter(|(start, field)| inside < *start + u64::from(field.size)) {
            Some((&start, field)) => {
                let bits = self.element(field.array, self.index_term(at - inside));
                let low = (inside - start) as u32 * 8;
                Some(self.pool.extract(low + 7, low, bits))
            }
            None if grid.is_zero => Some(self.pool.bv(8, 0)),
            None => None,
        }
    }

    /// The bits of a cell that is a field of the grid.
    pub(super) fn grid_field(&self, grid: &Grid, at: u64, size: u8) -> Option<Term> {
        let field = grid.fields.get(&(at % grid.stride)).filter(|field| field.size == size)?;
        Some(self.element(field.array, self.index_term(at - at % grid.stride)))
    }

    /// The grids of two objects with the same fields: what only one of them has is made for the other.
    pub(super) fn common_grids(&mut self, memory: &mut Memory, a: &Object, b: &Object) -> Option<(Object, Object)> {
        let (mut a, mut b) = (a.clone(), b.clone());
        let shapes = |object: &Object| match &object.base {
            Base::Grid(grid) => {
                grid.fields.iter().map(|(&residue, field)| (grid.stride, residue, field.size)).collect::<Vec<_>>()
            }
            _ => Vec::new(),
        };
        let all: BTreeSet<(u64, u64, u8)> = shapes(&a).into_iter().chain(shapes(&b)).collect();
        for (stride, residue, size) in all {
            let scalar = super::generic::number_of(size)?;
            for object in [&mut a, &mut b] {
                *object = self.on_grid(memory, object, (stride, residue), Cell { scalar, size }).ok()?.0;
            }
        }
        match (&a.base, &b.base) {
            (Base::Grid(left), Base::Grid(right)) => {
                let is_alike = left.stride == right.stride
                    && left.is_zero == right.is_zero
                    && left.fields.keys().eq(right.fields.keys());
                is_alike.then_some((a, b))
            }
            _ => None,
        }
    }

    /// The arrays that an object consists of: where in an element each begins, and the array.
    pub fn arrays(&self, memory: &Memory, object: usize) -> Vec<(u64, Term)> {
        match memory.objects.get(object).map(|object| &object.base) {
            Some(Base::Grid(grid)) => grid.fields.iter().map(|(&residue, field)| (residue, field.array)).collect(),
            _ => Vec::new(),
        }
    }

    /// How long the elements of an object are that consists of arrays.
    pub fn grid_stride(&self, memory: &Memory, object: usize) -> Option<u64> {
        match memory.objects.get(object).map(|object| &object.base) {
            Some(Base::Grid(grid)) => Some(grid.stride),
            _ => None,
        }
    }

    /// The size of an object, as an offset.
    pub fn size_term(&self, memory: &Memory, object: usize) -> Option<Term> {
        memory.objects.get(object).map(|object| self.length_term(object))
    }

    /// The symbols of all that a state holds and is known for.
    pub fn held_symbols(&self, state: &crate::state::State<Self>) -> Vec<Term> {
        let mut terms: Vec<Term> = state.memory.path_condition().collect();
        let mut value = |value: &Value| match value {
            Value::Number(term) => terms.push(*term),
            Value::Pointer(Pointer { offset: Offset::Term { term, .. }, .. }) => terms.push(*term),
            _ => {}
        };
        state.processes.iter().flat_map(|process| &process.registers).for_each(&mut value);
        for object in state.memory.objects.iter().filter(|object| object.is_live()) {
            object.cells.values().for_each(|cell| value(&cell.value));
        }
        for object in state.memory.objects.iter().filter(|object| object.is_live()) {
            terms.extend(object.length);
            if let Base::Grid(grid) = &object.base {
                terms.extend(grid.fields.values().map(|field| field.array));
            }
        }
        self.pool.free_symbols(&terms)
    }

    /// All objects that consist of arrays.
    pub fn gridded(&self, memory: &Memory) -> Vec<usize> {
        let is_grid = |(index, object): (usize, &Arc<Object>)| {
            (matches!(object.base, Base::Grid(_)) && object.is_live()).then_some(index)
        };
        memory.objects.iter().enumerate().filter_map(is_grid).collect()
    }

    /// The object of an index in the table.
    pub(super) fn id(index: usize) -> ObjectId {
        ObjectId::from_index(index)
    }
}

impl Grid {
    fn overlaps(&self, residue: u64, size: u64) -> bool {
        self.fields.iter().any(|(&start, field)| start < residue + size && residue < start + u64::from(field.size))
    }
}

/// The places of a field that cells cover, wholly or in part.
pub(super) fn moved_places(object: &Object, stride: u64, residue: u64, size: u64) -> Option<BTreeSet<u64>> {
    let mut places = BTreeSet::new();
    for (&at, cell) in &object.cells {
        let end = at + u64::from(cell.size);
        let mut place = at - at % stride + residue;
        while place < end {
            if place + size > at {
                places.insert(place);
            }
            place += stride;
        }
        if places.len() > MOST_MOVED {
            return None;
        }
    }
    // A part of an element behind the end is nobody's.
    places.retain(|place| place + size <= object.size);
    Some(places)
}
