//! Concrete values of every sort: what constants hold and the evaluator computes.

use crate::bitvector::BitVector;
use crate::sort::{Sort, SortKind};
use quod_base::{Fingerprint, Rational};
use std::collections::BTreeMap;
use std::sync::Arc;

/// SMT-LIB's five rounding modes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RoundingMode {
    /// `RNE`: to nearest, ties to even.
    NearestEven,
    /// `RNA`: to nearest, ties away from zero.
    NearestAway,
    /// `RTP`
    TowardPositive,
    /// `RTN`
    TowardNegative,
    /// `RTZ`
    TowardZero,
}

impl RoundingMode {
    pub const ALL: [Self; 5] =
        [Self::NearestEven, Self::NearestAway, Self::TowardPositive, Self::TowardNegative, Self::TowardZero];

    pub fn symbol(self) -> &'static str {
        match self {
            Self::NearestEven => "RNE",
            Self::NearestAway => "RNA",
            Self::TowardPositive => "RTP",
            Self::TowardNegative => "RTN",
            Self::TowardZero => "RTZ",
        }
    }
}

/// A float: its format and the bits of the interchange format. There is one NaN: positive, quiet, payload zero.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FloatValue {
    pub(crate) exponent_width: u32,
    /// With the hidden bit.
    pub(crate) significand_width: u32,
    pub(crate) bits: BitVector,
}

/// A total array: a default and the places that differ from it. No entry equals the default, so `==` is equality of
/// arrays over an infinite index sort; for a finite index sort see [`ArrayValue::normalise`].
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayValue {
    pub index: SortOrd,
    pub default: Value,
    pub entries: BTreeMap<Value, Value>,
}

/// A sort that compares by fingerprint, so that values have a stable order.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct SortOrd(pub Sort);
impl std::hash::Hash for SortOrd {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.fingerprint().hash(state);
    }
}
impl PartialOrd for SortOrd {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for SortOrd {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.fingerprint().cmp(&other.0.fingerprint())
    }
}

/// A concrete value. Compound values are shared, so that cloning is cheap.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    Bool(bool),
    /// Always an integer.
    Int(Rational),
    Real(Rational),
    BitVec(BitVector),
    Float(FloatValue),
    RoundingMode(RoundingMode),
    Array(Arc<ArrayValue>),
    /// Element sort and cells, of a finite array.
    FiniteArray(SortOrd, Arc<Vec<Value>>),
    Tuple(Arc<Vec<Value>>),
    /// The element of this number of an uninterpreted sort.
    Element(SortOrd, u64),
    /// Datatype, constructor's place, fields.
    Datatype(SortOrd, u32, Arc<Vec<Value>>),
    /// Element sort and elements.
    Seq(SortOrd, Arc<Vec<Value>>),
    Set(SortOrd, Arc<std::collections::BTreeSet<Value>>),
    /// Element sort and how often each occurs (at least once).
    Bag(SortOrd, Arc<BTreeMap<Value, Rational>>),
    /// Key and value sorts, and the entries.
    Map(SortOrd, SortOrd, Arc<BTreeMap<Value, Value>>),
}

impl Value {
    pub fn int(value: i64) -> Self {
        Self::Int(value.into())
    }
    pub fn bit_vec(width: u32, value: u64) -> Self {
        Self::BitVec(BitVector::new(width, value))
    }

    pub fn sort(&self) -> Sort {
        match self {
            Self::Bool(_) => Sort::BOOL,
            Self::Int(_) => Sort::INT,
            Self::Real(_) => Sort::REAL,
            Self::BitVec(bits) => Sort::bit_vec(bits.width()),
            Self::Float(float) => Sort::float(float.exponent_width, float.significand_width),
            Self::RoundingMode(_) => Sort::ROUNDING_MODE,
            Self::Array(array) => Sort::array(array.index.0, array.default.sort()),
            Self::FiniteArray(element, _) => Sort::finite_array(element.0),
            Self::Tuple(parts) => Sort::tuple(&parts.iter().map(Self::sort).collect::<Vec<_>>()),
            Self::Element(sort, _) | Self::Datatype(sort, ..) => sort.0,
            Self::Seq(element, _) => Sort::seq(element.0),
            Self::Set(element, _) => Sort::set(element.0),
            Self::Bag(element, _) => Sort::bag(element.0),
            Self::Map(key, value, _) => Sort::map(key.0, value.0),
        }
    }

    /// Structural and stable between runs.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&(1, self))
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }
    pub fn as_bit_vec(&self) -> Option<&BitVector> {
        match self {
            Self::BitVec(bits) => Some(bits),
            _ => None,
        }
    }
    /// The number of an Int or Real.
    pub fn as_rational(&self) -> Option<&Rational> {
        match self {
            Self::Int(value) | Self::Real(value) => Some(value),
            _ => None,
        }
    }
    pub fn as_float(&self) -> Option<&FloatValue> {
        match self {
            Self::Float(float) => Some(float),
            _ => None,
        }
    }

    /// Some value of the sort: false, zero, empty, the first constructor. `None` for a datatype without finite values.
    pub fn default_of(sort: Sort) -> Option<Self> {
        Some(match sort.kind() {
            SortKind::Bool => Self::Bool(false),
            SortKind::Int => Self::Int(Rational::ZERO),
            SortKind::Real => Self::Real(Rational::ZERO),
            SortKind::RoundingMode => Self::RoundingMode(RoundingMode::NearestEven),
            SortKind::BitVec(width) => Self::BitVec(BitVector::zero(width)),
            SortKind::Float(exponent_width, significand_width) => Self::Float(FloatValue {
                exponent_width,
                significand_width,
                bits: BitVector::zero(exponent_width + significand_width),
            }),
            SortKind::Array(index, element) => Self::Array(Arc::new(ArrayValue {
                index: SortOrd(index),
                default: Self::default_of(element)?,
                entries: BTreeMap::new(),
            })),
            SortKind::FiniteArray(element) => Self::FiniteArray(SortOrd(element), Arc::default()),
            SortKind::Tuple(parts) => {
                Self::Tuple(Arc::new(parts.iter().map(|&part| Self::default_of(part)).collect::<Option<_>>()?))
            }
            SortKind::Uninterpreted(..) => Self::Element(SortOrd(sort), 0),
            SortKind::Datatype(_) => return crate::eval::default_of_datatype(sort),
            SortKind::Seq(element) => Self::Seq(SortOrd(element), Arc::default()),
            SortKind::Set(element) => Self::Set(SortOrd(element), Arc::default()),
            SortKind::Bag(element) => Self::Bag(SortOrd(element), Arc::default()),
            SortKind::Map(key, value) => Self::Map(SortOrd(key), SortOrd(value), Arc::default()),
        })
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}
impl From<BitVector> for Value {
    fn from(value: BitVector) -> Self {
        Self::BitVec(value)
    }
}
