//! Concrete memory: objects with bytes, which of them were written, and a life with its places.
//!
//! Every object has addresses of its own that no later object gets while anyone could still hold a pointer to it, so that
//! a dangling pointer is known for what it is. With 64-bit addresses each object has a window of its own and a pointer
//! that has left its object is never taken for one to another; with 32 bits objects stand apart and pointers remember in
//! registers which object they were made from.

use super::value::Value;
use crate::domain::{Ending, FunctionValue, ObjectKind};
use crate::scalar::Cell;
use quod_base::{Span, Symbol};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Bits of an object's window of addresses.
const WINDOW: u32 = 34;
/// Where objects begin in their windows.
const WINDOW_BASE: u64 = 1 << 33;
const GRANULE: u32 = 4;
/// No cell has more bytes.
const LONGEST_CELL: u64 = u8::MAX as u64;
const CHUNK: u32 = 14;
/// Dead objects whose addresses are not yet given out again.
const LOCAL_QUARANTINE: usize = 512;
const HEAP_QUARANTINE: usize = 100_000;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Life {
    Live,
    Ended(Ending),
}

#[derive(Clone, Debug)]
pub struct Object {
    pub base: u64,
    pub size: u64,
    pub life: Life,
    pub is_constant: bool,
    pub kind: ObjectKind,
    pub bytes: Vec<u8>,
    /// A bit for each byte that was written; empty where all are.
    pub written: Vec<u64>,
    /// Values that do not fit their bytes (ideal arithmetic), by offset.
    pub cells: Option<Box<FxHashMap<u64, (Value, Cell)>>>,
    pub name: Option<Symbol>,
    pub span: Span,
    pub end_span: Span,
    pub function: Option<FunctionValue>,
    /// How long the rows of an array of arrays are, where that was computed.
    pub rows: Option<Box<[u64]>>,
}

#[derive(Clone, Debug)]
pub struct Memory {
    pub objects: Vec<Object>,
    is_wide: bool,
    /// Narrow addresses: granule to object number plus one.
    chunks: Vec<Option<Box<[u32]>>>,
    next_address: u64,
    dead_locals: VecDeque<u32>,
    dead_heap: VecDeque<u32>,
    /// Freed address ranges of narrow memory, by granules.
    free_ranges: FxHashMap<u64, Vec<u64>>,
    functions: FxHashMap<FunctionValue, Value>,
    pub live_bytes: u64,
    pub maximal_bytes: u64,
    pub live_heap_objects: u64,
}

impl Memory {
    pub fn new(is_wide: bool, maximal_bytes: u64) -> Self {
        Self {
            objects: Vec::new(),
            is_wide,
            chunks: Vec::new(),
            next_address: 0x1_0000,
            dead_locals: VecDeque::new(),
            dead_heap: VecDeque::new(),
            free_ranges: FxHashMap::default(),
            functions: FxHashMap::default(),
            live_bytes: 0,
            maximal_bytes,
            live_heap_objects: 0,
        }
    }

    /// The object that a pointer belongs to, alive or not.
    #[inline(always)]
    pub fn find(&self, pointer: &Value) -> Option<usize> {
        if pointer.high != 0 {
            return Some(pointer.high as usize - 1);
        }
        if self.is_wide {
            let index = (pointer.low >> WINDOW).wrapping_sub(1) as usize;
            return (index < self.objects.len()).then_some(index);
        }
        self.find_narrow(pointer.low)
    }

    fn find_narrow(&self, address: u64) -> Option<usize> {
        let granule = (address >> GRANULE) as usize;
        let chunk = self.chunks.get(granule >> CHUNK)?.as_ref()?;
        (chunk[granule & ((1 << CHUNK) - 1)] as usize).checked_sub(1)
    }

    /// The pointer with its object written into it, for arithmetic that may leave the object.
    #[inline(always)]
    pub fn is_wide(&self) -> bool {
        self.is_wide
    }

    fn map_narrow(&mut self, from: u64, granules: u64, entry: u32) {
        let first = from >> GRANULE;
        for granule in first..first + granules {
            let chunk = (granule >> CHUNK) as usize;
            if chunk >= self.chunks.len() {
                self.chunks.resize(chunk + 1, None);
            }
            let table = self.chunks[chunk].get_or_insert_with(|| vec![0; 1 << CHUNK].into_boxed_slice());
            table[(granule & ((1 << CHUNK) - 1)) as usize] = entry;
        }
    }

    /// A place for a new object's record: the oldest dead one when there are enough of them.
    fn slot(&mut self, kind: ObjectKind) -> usize {
        let queue = match kind {
            ObjectKind::Local | ObjectKind::Arguments | ObjectKind::Stack => &mut self.dead_locals,
            _ => &mut self.dead_heap,
        };
        let limit = match kind {
            ObjectKind::Local | ObjectKind::Arguments | ObjectKind::Stack => LOCAL_QUARANTINE,
            _ => HEAP_QUARANTINE,
        };
        if queue.len() > limit
            && let Some(index) = queue.pop_front()
        {
            let index = index as usize;
            if !self.is_wide {
                let granules = narrow_granules(self.objects[index].size);
                let base = self.objects[index].base & !15;
                self.map_narrow(base, granules, 0);
                self.free_ranges.entry(granules).or_default().push(base);
            }
            return index;
        }
        self.objects.push(Object {
            base: 0,
            size: 0,
            life: Life::Live,
            is_constant: false,
            kind,
            bytes: Vec::new(),
            written: Vec::new(),
            cells: None,
            name: None,
            span: Span::NONE,
            end_span: Span::NONE,
            function: None,
            rows: None,
        });
        self.objects.len() - 1
    }

    /// `None` where there is no room.
    pub fn allocate(&mut self, size: u64, allocation: &crate::domain::Allocation) -> Option<Value> {
        if self.live_bytes.saturating_add(size) > self.maximal_bytes || size >= WINDOW_BASE {
            return None;
        }
        let index = self.slot(allocation.kind);
        let base = if self.is_wide {
            ((index as u64 + 1) << WINDOW) + WINDOW_BASE
        } else {
            self.narrow_base(index, size, allocation.alignment)?
        };
        let object = &mut self.objects[index];
        object.base = base;
        object.size = size;
        object.life = Life::Live;
        object.is_constant = false;
        object.kind = allocation.kind;
        object.rows = None;
        object.name = allocation.name;
        object.span = allocation.span;
        object.function = None;
        object.cells = None;
        let length = size as usize;
        if length > 4096 {
            object.bytes = vec![0; length];
            object.written = if allocation.is_zeroed { Vec::new() } else { vec![0; length.div_ceil(64)] };
        } else {
            object.bytes.clear();
            object.bytes.resize(length, 0);
            object.written.clear();
            if !allocation.is_zeroed {
                object.written.resize(length.div_ceil(64), 0);
            }
        }
        self.live_bytes += size;
        if allocation.kind == ObjectKind::Heap {
            self.live_heap_objects += 1;
        }
        Some(Value { low: base, high: if self.is_wide { 0 } else { index as u64 + 1 } })
    }

    fn narrow_base(&mut self, index: usize, size: u64, alignment: u64) -> Option<u64> {
        let granules = narrow_granules(size);
        let reused = if alignment <= 16 { self.free_ranges.get_mut(&granules).and_then(Vec::pop) } else { None };
        let base = match reused {
            Some(base) => base,
            None => {
                let base = self.next_address.next_multiple_of(alignment.max(16));
                // A gap keeps neighbours apart.
                let end = base + (granules << GRANULE) + 16;
                if end > 0xffff_0000 {
                    return None;
                }
                self.next_address = end;
                base
            }
        };
        self.map_narrow(base, granules, index as u32 + 1);
        Some(base)
    }

    pub fn release(&mut self, index: usize, ending: Ending, span: Span) {
        let object = &mut self.objects[index];
        object.life = Life::Ended(ending);
        object.end_span = span;
        object.cells = None;
        self.live_bytes = self.live_bytes.saturating_sub(object.size);
        if object.bytes.capacity() > 4096 {
            object.bytes = Vec::new();
            object.written = Vec::new();
        } else {
            object.bytes.clear();
            object.written.clear();
        }
        match object.kind {
            ObjectKind::Local | ObjectKind::Arguments | ObjectKind::Stack => self.dead_locals.push_back(index as u32),
            kind => {
                if kind == ObjectKind::Heap {
                    self.live_heap_objects -= 1;
                }
                self.dead_heap.push_back(index as u32);
            }
        }
    }

    pub(super) fn resize(&mut self, index: usize, size: u64) {
        if !self.is_wide {
            // A larger object needs its granules; the room behind it may be taken, so it is moved where it cannot grow.
            let (base, old) = (self.objects[index].base, self.objects[index].size);
            if narrow_granules(size) > narrow_granules(old) {
                self.map_narrow(base & !15, narrow_granules(size), index as u32 + 1);
                self.next_address = self.next_address.max((base + size + 64).next_multiple_of(16));
            }
        }
        let object = &mut self.objects[index];
        self.live_bytes = self.live_bytes.saturating_sub(object.size).saturating_add(size);
        object.size = size;
        object.bytes.resize(size as usize, 0);
        if !object.written.is_empty() || size > 0 {
            let words = (size as usize).div_ceil(64);
            let fill = if object.written.is_empty() { u64::MAX } else { 0 };
            object.written.resize(words, fill);
        }
        object.clear_cells(size, u64::MAX / 2);
    }

    pub fn function_pointer(&mut self, function: FunctionValue, name: Symbol) -> Value {
        if let Some(&value) = self.functions.get(&function) {
            return value;
        }
        let allocation = crate::domain::Allocation {
            alignment: 16,
            kind: ObjectKind::Library,
            name: Some(name),
            span: Span::NONE,
            is_zeroed: true,
        };
        let Some(value) = self.allocate(0, &allocation) else { return Value::default() };
        if let Some(index) = self.find(&value) {
            self.objects[index].function = Some(function);
        }
        self.functions.insert(function, value);
        value
    }
}

/// The object, one byte behind it, in granules of 16.
fn narrow_granules(size: u64) -> u64 {
    (size + 1).div_ceil(1 << GRANULE)
}

impl Object {
    #[inline(always)]
    pub fn is_live(&self) -> bool {
        self.life == Life::Live
    }

    #[inline(always)]
    pub fn mark_written(&mut self, offset: usize, size: usize) {
        if self.written.is_empty() {
            return;
        }
        let (word, bit) = (offset / 64, offset % 64);
        if bit + size <= 64 {
            let mask = if size == 64 { u64::MAX } else { ((1u64 << size) - 1) << bit };
            self.written[word] |= mask;
            return;
        }
        for byte in offset..offset + size {
            self.written[byte / 64] |= 1 << (byte % 64);
        }
    }

    #[inline]
    pub fn is_written(&self, offset: usize, size: usize) -> bool {
        if self.written.is_empty() {
            return true;
        }
        let (word, bit) = (offset / 64, offset % 64);
        if bit + size <= 64 {
            let mask = if size == 64 { u64::MAX } else { ((1u64 << size) - 1) << bit };
            return self.written[word] & mask == mask;
        }
        (offset..offset + size).all(|byte| self.written[byte / 64] & (1 << (byte % 64)) != 0)
    }

    pub fn mark_unwritten(&mut self) {
        let words = self.bytes.len().div_ceil(64);
        self.written.clear();
        self.written.resize(words, 0);
        self.cells = None;
    }

    /// Forgets cells that a write of bytes covers.
    #[inline(always)]
    pub fn clear_cells(&mut self, offset: u64, size: u64) {
        let Some(cells) = &mut self.cells else { return };
        let (first, end) = (offset.saturating_sub(LONGEST_CELL), offset.saturating_add(size));
        if end - first < cells.len() as u64 {
            for start in first..end {
                if cells.get(&start).is_some_and(|(_, cell)| start + u64::from(cell.size) > offset) {
                    cells.remove(&start);
                }
            }
        } else {
            cells.retain(|&start, (_, cell)| start + u64::from(cell.size) <= offset || start >= offset + size);
        }
    }
}
