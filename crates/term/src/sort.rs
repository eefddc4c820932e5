//! Sorts: the types of terms.
//!
//! A `Sort` is a `u32`. The everyday ones (Bool, Int, bit-vectors, floats) are encoded in the number itself; compound
//! sorts are interned in one table for the process, as symbols are. Order sorts by [`Sort::fingerprint`], never by
//! their number.

use crate::datatype::DatatypeId;
use quod_base::{Fingerprint, Symbol};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::{LazyLock, RwLock};

/// A type of terms; equality is identity.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Sort(u32);

/// What a sort is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum SortKind {
    Bool,
    Int,
    Real,
    RoundingMode,
    /// `(_ BitVec width)`; the width is at least 1.
    BitVec(u32),
    /// `(_ FloatingPoint exponent significand)`; the significand counts the hidden bit, as SMT-LIB does.
    Float(u32, u32),
    /// `(Array index element)`: total, infinite where the index sort is.
    Array(Sort, Sort),
    /// A C-like array of finite length: SARL's incomplete array type. The length is a term ([`crate::Op::FiniteLength`]).
    FiniteArray(Sort),
    Tuple(&'static [Sort]),
    /// `(declare-sort name n)` applied to sorts.
    Uninterpreted(Symbol, &'static [Sort]),
    Datatype(DatatypeId),
    /// `(Seq element)`.
    Seq(Sort),
    /// `(Set element)`, finite.
    Set(Sort),
    /// `(Bag element)`: a finite multiset.
    Bag(Sort),
    /// A finite partial map.
    Map(Sort, Sort),
}

const BIT_VEC: u32 = 1 << 30;
const FLOAT: u32 = 2 << 30;
const COMPOUND: u32 = 3 << 30;
const PAYLOAD: u32 = (1 << 30) - 1;

/// Bit-vectors and the parts of a float may not be wider than this.
pub const MAX_WIDTH: u32 = 1 << 24;
/// Exponents of floats may not be wider than this.
pub const MAX_EXPONENT_WIDTH: u32 = 30;
const MAX_INLINE_SIGNIFICAND: u32 = 1 << 24;

#[derive(Default)]
struct Table {
    by_kind: FxHashMap<SortKind, Sort>,
    kinds: Vec<(SortKind, Fingerprint)>,
}
static TABLE: LazyLock<RwLock<Table>> = LazyLock::new(RwLock::default);

impl Sort {
    pub const BOOL: Self = Self(0);
    pub const INT: Self = Self(1);
    pub const REAL: Self = Self(2);
    pub const ROUNDING_MODE: Self = Self(3);
    pub const FLOAT16: Self = Self::small_float(5, 11);
    pub const FLOAT32: Self = Self::small_float(8, 24);
    pub const FLOAT64: Self = Self::small_float(11, 53);
    /// x87's 80-bit format has an explicit leading bit; as a set of numbers it is this format.
    pub const FLOAT80: Self = Self::small_float(15, 64);
    pub const FLOAT128: Self = Self::small_float(15, 113);

    const fn small_float(exponent: u32, significand: u32) -> Self {
        Self(FLOAT | exponent << 25 | significand)
    }

    /// Width from 1 to [`MAX_WIDTH`]; other widths are brought into that range.
    pub const fn bit_vec(width: u32) -> Self {
        let width = if width == 0 {
            1
        } else if width > MAX_WIDTH {
            MAX_WIDTH
        } else {
            width
        };
        Self(BIT_VEC | width)
    }
    /// Exponent from 2 to [`MAX_EXPONENT_WIDTH`], significand (with the hidden bit) from 2; brought into that range.
    pub fn float(exponent: u32, significand: u32) -> Self {
        let exponent = exponent.clamp(2, MAX_EXPONENT_WIDTH);
        Self::small_float(exponent, significand.clamp(2, MAX_INLINE_SIGNIFICAND))
    }
    pub fn array(index: Self, element: Self) -> Self {
        Self::intern(SortKind::Array(index, element))
    }
    pub fn finite_array(element: Self) -> Self {
        Self::intern(SortKind::FiniteArray(element))
    }
    pub fn tuple(parts: &[Self]) -> Self {
        Self::intern(SortKind::Tuple(leak(parts)))
    }
    pub fn uninterpreted(name: impl Into<Symbol>, arguments: &[Self]) -> Self {
        Self::intern(SortKind::Uninterpreted(name.into(), leak(arguments)))
    }
    pub fn seq(element: Self) -> Self {
        Self::intern(SortKind::Seq(element))
    }
    pub fn set(element: Self) -> Self {
        Self::intern(SortKind::Set(element))
    }
    pub fn bag(element: Self) -> Self {
        Self::intern(SortKind::Bag(element))
    }
    pub fn map(key: Self, value: Self) -> Self {
        Self::intern(SortKind::Map(key, value))
    }
    pub(crate) fn datatype(id: DatatypeId) -> Self {
        Self::intern(SortKind::Datatype(id))
    }

    fn intern(kind: SortKind) -> Self {
        if let Some(&sort) = TABLE.read().expect("sort table").by_kind.get(&kind) {
            return sort;
        }
        let fingerprint = fingerprint_of(kind);
        let mut table = TABLE.write().expect("sort table");
        if let Some(&sort) = table.by_kind.get(&kind) {
            return sort;
        }
        let sort = Self(COMPOUND | table.kinds.len() as u32 & PAYLOAD);
        table.kinds.push((kind, fingerprint));
        table.by_kind.insert(kind, sort);
        sort
    }

    pub fn kind(self) -> SortKind {
        match self.0 & !PAYLOAD {
            BIT_VEC => SortKind::BitVec(self.0 & PAYLOAD),
            FLOAT => SortKind::Float((self.0 & PAYLOAD) >> 25, self.0 & ((1 << 25) - 1)),
            COMPOUND => TABLE.read().expect("sort table").kinds[(self.0 & PAYLOAD) as usize].0,
            _ => match self.0 {
                0 => SortKind::Bool,
                1 => SortKind::Int,
                2 => SortKind::Real,
                _ => SortKind::RoundingMode,
            },
        }
    }

    /// Structural, stable between runs: what sorts are ordered by.
    pub fn fingerprint(self) -> Fingerprint {
        match self.0 & !PAYLOAD {
            COMPOUND => TABLE.read().expect("sort table").kinds[(self.0 & PAYLOAD) as usize].1,
            _ => Fingerprint::of(&self.0),
        }
    }

    pub fn is_bool(self) -> bool {
        self == Self::BOOL
    }
    /// Int or Real.
    pub fn is_arithmetic(self) -> bool {
        self == Self::INT || self == Self::REAL
    }
    pub fn is_bit_vec(self) -> bool {
        self.0 & !PAYLOAD == BIT_VEC
    }
    pub fn is_float(self) -> bool {
        self.0 & !PAYLOAD == FLOAT
    }
    /// The width of a bit-vector sort.
    pub fn width(self) -> Option<u32> {
        self.is_bit_vec().then_some(self.0 & PAYLOAD)
    }
    /// Exponent and significand widths of a float sort.
    pub fn float_format(self) -> Option<(u32, u32)> {
        self.is_float().then_some(((self.0 & PAYLOAD) >> 25, self.0 & ((1 << 25) - 1)))
    }
    /// Index and element sorts of an array sort.
    pub fn array_parts(self) -> Option<(Self, Self)> {
        match self.kind() {
            SortKind::Array(index, element) => Some((index, element)),
            _ => None,
        }
    }
}

fn leak(sorts: &[Sort]) -> &'static [Sort] {
    // One lookup table keeps repeated requests for the same list from leaking again.
    static LISTS: LazyLock<RwLock<rustc_hash::FxHashSet<&'static [Sort]>>> = LazyLock::new(RwLock::default);
    if let Some(list) = LISTS.read().expect("sort lists").get(sorts) {
        return list;
    }
    let list: &'static [Sort] = Box::leak(sorts.into());
    LISTS.write().expect("sort lists").insert(list);
    list
}

fn fingerprint_of(kind: SortKind) -> Fingerprint {
    let list = |tag: u32, sorts: &[Sort]| {
        Fingerprint::of(&(tag, sorts.iter().map(|sort| sort.fingerprint()).collect::<Vec<_>>()))
    };
    match kind {
        SortKind::Array(index, element) => list(16, &[index, element]),
        SortKind::FiniteArray(element) => list(17, &[element]),
        SortKind::Tuple(parts) => list(18, parts),
        SortKind::Uninterpreted(name, arguments) => Fingerprint::of(&(19, name.as_str(), list(19, arguments))),
        SortKind::Datatype(id) => id.fingerprint(),
        SortKind::Seq(element) => list(21, &[element]),
        SortKind::Set(element) => list(22, &[element]),
        SortKind::Bag(element) => list(23, &[element]),
        SortKind::Map(key, value) => list(24, &[key, value]),
        SortKind::Bool => Fingerprint::of(&0u32),
        SortKind::Int => Fingerprint::of(&1u32),
        SortKind::Real => Fingerprint::of(&2u32),
        SortKind::RoundingMode => Fingerprint::of(&3u32),
        SortKind::BitVec(width) => Sort::bit_vec(width).fingerprint(),
        SortKind::Float(exponent, significand) => Sort::float(exponent, significand).fingerprint(),
    }
}

/// As SMT-LIB writes it.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Sorts nest in the input's text; the stack of work is explicit.
        enum Work {
            Sort(Sort),
            Text(&'static str),
        }
        let mut work = vec![Work::Sort(*self)];
        while let Some(item) = work.pop() {
            let sort = match item {
                Work::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Work::Sort(sort) => sort,
            };
            let mut compound = |head: &'static str, parts: &[Sort]| {
                work.push(Work::Text(")"));
                for &part in parts.iter().rev() {
                    work.push(Work::Sort(part));
                    work.push(Work::Text(" "));
                }
                work.push(Work::Text(head));
            };
            match sort.kind() {
                SortKind::Bool => f.write_str("Bool")?,
                SortKind::Int => f.write_str("Int")?,
                SortKind::Real => f.write_str("Real")?,
                SortKind::RoundingMode => f.write_str("RoundingMode")?,
                SortKind::BitVec(width) => write!(f, "(_ BitVec {width})")?,
                SortKind::Float(exponent, significand) => write!(f, "(_ FloatingPoint {exponent} {significand})")?,
                SortKind::Array(index, element) => compound("(Array", &[index, element]),
                SortKind::FiniteArray(element) => compound("(FiniteArray", &[element]),
                SortKind::Tuple([]) => f.write_str("UnitTuple")?,
                SortKind::Tuple(parts) => compound("(Tuple", parts),
                SortKind::Uninterpreted(name, []) => write!(f, "{}", crate::smtlib::quote(name.as_str()))?,
                SortKind::Uninterpreted(name, arguments) => {
                    f.write_str("(")?;
                    compound("", arguments);
                    write!(f, "{}", crate::smtlib::quote(name.as_str()))?;
                }
                SortKind::Datatype(id) => write!(f, "{}", crate::smtlib::quote(id.name().as_str()))?,
                SortKind::Seq(element) => compound("(Seq", &[element]),
                SortKind::Set(element) => compound("(Set", &[element]),
                SortKind::Bag(element) => compound("(Bag", &[element]),
                SortKind::Map(key, value) => compound("(Map", &[key, value]),
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
