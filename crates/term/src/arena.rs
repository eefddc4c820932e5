//! Append-only storage whose items never move: readers take no lock, writers one at a time.
//!
//! Items live in chunks of a fixed size behind a two-level directory. `len` is stored with release order after an item
//! is written, and every read checks its index against `len` with acquire order: a reader sees whole items only. All
//! `unsafe` code of the crate is in this file.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

const CHUNK_BITS: u32 = 12;
const CHUNK: usize = 1 << CHUNK_BITS;
const GROUP_BITS: u32 = 10;
const GROUP: usize = 1 << GROUP_BITS;
const TOP: usize = 1 << (32 - CHUNK_BITS - GROUP_BITS);

type Chunk<T> = Box<[UnsafeCell<MaybeUninit<T>>]>;
type Group<T> = Box<[OnceLock<Chunk<T>>]>;

pub(crate) struct Arena<T> {
    groups: Box<[OnceLock<Group<T>>]>,
    len: AtomicU32,
}

// SAFETY: items are written once, by the holder of the writers' lock (`push` is `unsafe` for that), before `len` makes
// them visible, and only read afterwards.
unsafe impl<T: Send + Sync> Sync for Arena<T> {}
unsafe impl<T: Send> Send for Arena<T> {}

impl<T> Arena<T> {
    pub(crate) fn new() -> Self {
        Self { groups: (0..TOP).map(|_| OnceLock::new()).collect(), len: AtomicU32::new(0) }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len.load(Ordering::Acquire) as usize
    }

    #[inline]
    pub(crate) fn get(&self, index: u32) -> &T {
        assert!(index < self.len.load(Ordering::Acquire), "a handle of another pool");
        let index = index as usize;
        let group = self.groups[index >> (CHUNK_BITS + GROUP_BITS)].get().expect("below len");
        let chunk = group[(index >> CHUNK_BITS) & (GROUP - 1)].get().expect("below len");
        // SAFETY: items below `len` are written and never change.
        unsafe { (*chunk[index & (CHUNK - 1)].get()).assume_init_ref() }
    }

    /// Adds an item and returns its index.
    ///
    /// # Safety
    /// No other thread pushes at the same time.
    pub(crate) unsafe fn push(&self, item: T) -> u32 {
        let len = self.len.load(Ordering::Relaxed);
        assert!(len < u32::MAX - 1, "more than 4 billion terms");
        let index = len as usize;
        let group = self.groups[index >> (CHUNK_BITS + GROUP_BITS)]
            .get_or_init(|| (0..GROUP).map(|_| OnceLock::new()).collect());
        let chunk = group[(index >> CHUNK_BITS) & (GROUP - 1)]
            .get_or_init(|| (0..CHUNK).map(|_| UnsafeCell::new(MaybeUninit::uninit())).collect());
        // SAFETY: the slot at `len` is not visible to readers yet, and we are the only writer.
        unsafe { (*chunk[index & (CHUNK - 1)].get()).write(item) };
        self.len.store(len + 1, Ordering::Release);
        len
    }

    /// Bytes of the items' storage.
    pub(crate) fn bytes(&self) -> usize {
        self.len().div_ceil(CHUNK) * CHUNK * size_of::<T>()
    }
}

impl<T> Drop for Arena<T> {
    fn drop(&mut self) {
        if !std::mem::needs_drop::<T>() {
            return;
        }
        let mut left = self.len();
        for group in &mut self.groups {
            for chunk in group.get_mut().into_iter().flat_map(|group| group.iter_mut()) {
                for slot in chunk.get_mut().into_iter().flat_map(|chunk| chunk.iter_mut()).take(left) {
                    // SAFETY: the first `len` slots are written; nobody reads after this.
                    unsafe { slot.get_mut().assume_init_drop() };
                }
                left = left.saturating_sub(CHUNK);
                if left == 0 {
                    return;
                }
            }
        }
    }
}

/// Lists of three and more items: bump-allocated, never moved.
pub(crate) struct Lists<T> {
    chunks: Vec<Box<[UnsafeCell<MaybeUninit<T>>]>>,
    used: usize,
    bytes: usize,
}

const LIST_CHUNK: usize = 1 << 12;

impl<T: Copy> Lists<T> {
    pub(crate) fn new() -> Self {
        Self { chunks: Vec::new(), used: LIST_CHUNK, bytes: 0 }
    }

    /// Copies a list that is not empty; the pointer is good as long as `self` lives.
    fn store(&mut self, list: &[T]) -> *const T {
        if list.len() > LIST_CHUNK / 4 {
            // A long list gets its own chunk, put before the one that is being filled.
            let own: Box<[_]> = list.iter().map(|&item| UnsafeCell::new(MaybeUninit::new(item))).collect();
            let start = own.as_ptr().cast::<T>();
            self.bytes += size_of_val(list);
            let place = self.chunks.len().saturating_sub(1);
            self.chunks.insert(place, own);
            return start;
        }
        if self.used + list.len() > LIST_CHUNK || self.chunks.is_empty() {
            self.chunks.push((0..LIST_CHUNK).map(|_| UnsafeCell::new(MaybeUninit::uninit())).collect());
            self.bytes += LIST_CHUNK * size_of::<T>();
            self.used = 0;
        }
        let chunk = self.chunks.last().expect("pushed above");
        let slots = &chunk[self.used..self.used + list.len()];
        for (slot, &item) in slots.iter().zip(list) {
            // SAFETY: these slots were handed to nobody yet, and `&mut self` is the only writer.
            unsafe { (*slot.get()).write(item) };
        }
        self.used += list.len();
        slots.as_ptr().cast::<T>()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

// SAFETY: cells are written through `&mut self` only, before their pointers are handed out.
unsafe impl<T: Send> Send for Lists<T> {}

/// A list of small items: up to two in line, more behind a pointer into [`Lists`].
#[derive(Copy, Clone)]
pub(crate) union ListRef<T: Copy> {
    inline: [MaybeUninit<T>; 2],
    long: *const T,
}

impl<T: Copy> ListRef<T> {
    pub(crate) fn new(list: &[T], lists: &mut Lists<T>) -> Self {
        let mut inline = [MaybeUninit::uninit(); 2];
        match *list {
            [] => {}
            [a] => inline[0] = MaybeUninit::new(a),
            [a, b] => inline = [MaybeUninit::new(a), MaybeUninit::new(b)],
            _ => return Self { long: lists.store(list) },
        }
        Self { inline }
    }

    /// # Safety
    /// `count` is the length that `new` was given, and the `Lists` that it was given lives.
    #[inline]
    pub(crate) unsafe fn get(&self, count: u32) -> &[T] {
        // SAFETY: by the contract, which variant was written follows from `count`.
        unsafe {
            let start = if count <= 2 { self.inline.as_ptr().cast::<T>() } else { self.long };
            std::slice::from_raw_parts(start, count as usize)
        }
    }
}

// SAFETY: the pointer leads to cells that are never written after it was made.
unsafe impl<T: Copy + Send> Send for ListRef<T> {}
unsafe impl<T: Copy + Sync> Sync for ListRef<T> {}
