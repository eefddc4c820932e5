//! Symbolic values.

use super::memory::ObjectId;
use quod_term::Term;

/// What a register holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Value {
    /// Nothing yet.
    #[default]
    Unset,
    /// A bit-vector, float, integer or real.
    Number(Term),
    Pointer(Pointer),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pointer {
    pub target: Target,
    pub offset: Offset,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// No object: the offset is the address.
    Null,
    Object(ObjectId),
    /// An entry of the domain's table of functions.
    Function(u32),
    /// An indeterminate pointer: equal to nothing that is known, and never valid.
    Wild(u32),
}

/// Bytes from the start of the object.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Offset {
    Known(i64),
    /// A term of the width of a pointer (or an integer, under ideal arithmetic) that is `residue` modulo `stride`.
    Term {
        term: Term,
        stride: u64,
        residue: u64,
    },
}

impl Pointer {
    pub const NULL: Pointer = Pointer { target: Target::Null, offset: Offset::Known(0) };

    pub fn to_object(object: ObjectId) -> Self {
        Self { target: Target::Object(object), offset: Offset::Known(0) }
    }
}

/// What stands for a term where states are hashed or recorded.
pub trait TermKey {
    fn key(&self, term: Term) -> u128;
}

/// Terms by their structure: the same in all runs.
impl TermKey for quod_term::TermPool {
    fn key(&self, term: Term) -> u128 {
        self.fingerprint(term).0
    }
}

/// Terms by their handles: different terms are different.
pub struct Identity;

impl TermKey for Identity {
    fn key(&self, term: Term) -> u128 {
        quod_base::Id::index(term) as u128
    }
}

impl Value {
    /// Feeds the value into a hasher.
    pub fn hash_into(&self, keys: &impl TermKey, hasher: &mut impl std::hash::Hasher) {
        use std::hash::Hash;
        match self {
            Value::Unset => 0u8.hash(hasher),
            Value::Number(term) => (1u8, keys.key(*term)).hash(hasher),
            Value::Pointer(pointer) => {
                (2u8, pointer.target).hash(hasher);
                match pointer.offset {
                    Offset::Known(bytes) => bytes.hash(hasher),
                    Offset::Term { term, .. } => keys.key(term).hash(hasher),
                }
            }
        }
    }
}
