//! What operations touched, for who wants to know whether two moves depend on each other.

use super::memory::ObjectId;

/// What operations looked at or changed.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    pub touched: Vec<Touch>,
    /// Someone asks for `touched`.
    pub is_kept: bool,
    /// Loads and stores, byte by byte, where someone asks for them.
    pub accesses: Vec<Touched>,
    pub keeps_accesses: bool,
    /// What sets of memory locations consist of, where the program asks for them.
    pub(super) record: Option<Vec<crate::domain::Recorded>>,
}

/// Bytes of an object that were looked at or changed. Its life, size and shape are like one byte behind all others.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Touch {
    pub object: ObjectId,
    pub start: u64,
    pub end: u64,
    pub is_write: bool,
}

impl Touch {
    /// Where the last byte that an object can have ends, and its shape begins.
    pub const SHAPE: u64 = u64::MAX - 1;
}

/// A load or a store.
#[derive(Copy, Clone, Debug)]
pub struct Touched {
    pub object: ObjectId,
    pub start: u64,
    pub end: u64,
    pub is_write: bool,
    /// The bytes are certain; else they are some of these.
    pub is_exact: bool,
    /// How many bytes.
    pub size: u64,
    /// Some of the bits, which a compiler changes by writing all of them.
    pub is_part: bool,
}

impl Footprint {
    pub fn clear(&mut self) {
        self.touched.clear();
        self.accesses.clear();
    }
}
