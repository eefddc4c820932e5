//! Abstract values of scalars: numbers, floats, pointers as sets of (object, offset).

use super::number::Number;
use quod_base::int::IntFormat;
use quod_model::ir::*;
use std::sync::Arc;

/// An object of the abstract memory. Functions are analysed where they are called and never twice at once, so a local is
/// one object; heap objects are named by where they are allocated.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ObjectKey {
    Global(GlobalId),
    Local(FunctionId, LocalId),
    String(StringId),
    /// The place of the allocation, and of the call that the function it stands in was made by.
    Heap(FunctionId, LocationId, u32),
    /// `alloca`: ends with its function.
    Stack(FunctionId, LocationId, u32),
    /// What a function returns, until the caller has taken it.
    Result(FunctionId),
    /// The value that a cell had at the head of a loop.
    Ghost(u32),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// Perhaps never written: any bits.
    Uninit,
    /// Any bits.
    Any,
    Number(Number),
    Pointer(Arc<Pointer>),
    Float(Float),
}

/// All floats of one width between two, and perhaps NaN.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Float {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) has_nan: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Pointer {
    /// Sorted by object; offsets in bytes.
    pub(crate) targets: Vec<(ObjectKey, Number)>,
    pub(crate) functions: Vec<FunctionId>,
    pub(crate) may_be_null: bool,
    /// It may be anything: dangling, made from a number, never written.
    pub(crate) is_unknown: bool,
}

/// How a scalar type is held.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Int(IntFormat),
    Pointer,
    /// `float`, `double`; others are not computed with.
    Float(u32),
}

impl Float {
    pub(crate) const ANY: Float = Float { low: f64::NEG_INFINITY, high: f64::INFINITY, has_nan: true };

    pub(crate) fn constant(value: f64) -> Self {
        if value.is_nan() { Self::ANY } else { Self { low: value, high: value, has_nan: false } }
    }
    pub(crate) fn join(self, other: Self) -> Self {
        let has_nan = self.has_nan || other.has_nan;
        Self { low: self.low.min(other.low), high: self.high.max(other.high), has_nan }
    }
    pub(crate) fn is_within(self, other: Self) -> bool {
        other.low <= self.low && self.high <= other.high && (other.has_nan || !self.has_nan)
    }
}

impl Pointer {
    pub(crate) fn to(object: ObjectKey) -> Self {
        Self { targets: vec![(object, Number::ZERO)], ..Self::default() }
    }
    pub(crate) fn null() -> Self {
        Self { may_be_null: true, ..Self::default() }
    }
    pub(crate) fn unknown() -> Self {
        Self { is_unknown: true, may_be_null: true, ..Self::default() }
    }
    /// One object, certainly.
    pub(crate) fn single(&self) -> Option<(ObjectKey, Number)> {
        match (&self.targets[..], self.may_be_null, self.is_unknown, self.functions.is_empty()) {
            ([target], false, false, true) => Some(*target),
            _ => None,
        }
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.targets.is_empty() && self.functions.is_empty() && !self.may_be_null && !self.is_unknown
    }

    fn merge(&self, other: &Self, number: &mut dyn FnMut(Number, Number) -> Number) -> Self {
        let mut targets = self.targets.clone();
        for &(object, offset) in &other.targets {
            match targets.binary_search_by_key(&object, |target| target.0) {
                Ok(index) => targets[index].1 = number(targets[index].1, offset),
                Err(index) => targets.insert(index, (object, offset)),
            }
        }
        let mut functions = [self.functions.as_slice(), &other.functions].concat();
        functions.sort_unstable();
        functions.dedup();
        let may_be_null = self.may_be_null || other.may_be_null;
        Self { targets, functions, may_be_null, is_unknown: self.is_unknown || other.is_unknown }
    }

    fn is_within(&self, other: &Self) -> bool {
        let has_targets = self.targets.iter().all(|&(object, offset)| {
            let index = other.targets.binary_search_by_key(&object, |target| target.0);
            index.is_ok_and(|index| offset.is_within(other.targets[index].1))
        });
        has_targets
            && self.functions.iter().all(|function| other.functions.contains(function))
            && (other.may_be_null || !self.may_be_null)
            && (other.is_unknown || !self.is_unknown)
    }

    /// Without an object that ended: what pointed to it dangles.
    pub(crate) fn without(&self, is_dead: &dyn Fn(ObjectKey) -> bool) -> Option<Self> {
        if !self.targets.iter().any(|target| is_dead(target.0)) {
            return None;
        }
        let mut pointer = self.clone();
        pointer.targets.retain(|target| !is_dead(target.0));
        pointer.is_unknown = true;
        Some(pointer)
    }
}

/// Offsets stay inside these.
pub(crate) fn offset_range() -> Number {
    Number::range(-(1 << 62), 1 << 62)
}

impl Value {
    pub(crate) fn pointer(pointer: Pointer) -> Self {
        Value::Pointer(Arc::new(pointer))
    }

    /// Everything that a value of this kind can be.
    pub(crate) fn top(kind: Kind) -> Self {
        match kind {
            Kind::Int(format) if format.bits <= 64 => Value::Number(Number::full(format)),
            Kind::Int(_) => Value::Any,
            Kind::Pointer => Value::pointer(Pointer::unknown()),
            Kind::Float(32 | 64) => Value::Float(Float::ANY),
            Kind::Float(_) => Value::Any,
        }
    }

    pub(crate) fn join(&self, other: &Self) -> Self {
        match (self, other) {
            _ if self == other => self.clone(),
            (Value::Uninit, _) | (_, Value::Uninit) => Value::Uninit,
            (Value::Number(a), Value::Number(b)) => Value::Number(a.join(*b)),
            (Value::Float(a), Value::Float(b)) => Value::Float(a.join(*b)),
            (Value::Pointer(a), Value::Pointer(b)) => Value::pointer(a.merge(b, &mut |a, b| a.join(b))),
            _ => Value::Any,
        }
    }

    pub(crate) fn widen(&self, newer: &Self, thresholds: &[i128], kind: Kind) -> Self {
        match (self, newer) {
            _ if self == newer => self.clone(),
            (Value::Number(a), Value::Number(b)) => {
                let full = match kind {
                    Kind::Int(format) if format.bits <= 64 => Number::full(format),
                    _ => Number::range(i64::MIN.into(), u64::MAX.into()),
                };
                Value::Number(a.widen(*b, thresholds, full))
            }
            (Value::Float(a), Value::Float(b)) => Value::Float(Float {
                low: if b.low < a.low { f64::NEG_INFINITY } else { a.low },
                high: if b.high > a.high { f64::INFINITY } else { a.high },
                has_nan: a.has_nan || b.has_nan,
            }),
            (Value::Pointer(a), Value::Pointer(b)) => {
                Value::pointer(a.merge(b, &mut |a, b| a.widen(b, thresholds, offset_range())))
            }
            _ => self.join(newer),
        }
    }

    pub(crate) fn is_within(&self, other: &Self) -> bool {
        match (self, other) {
            (_, Value::Uninit) => true,
            (Value::Uninit, _) => false,
            (_, Value::Any) => true,
            (Value::Number(a), Value::Number(b)) => a.is_within(*b),
            (Value::Float(a), Value::Float(b)) => a.is_within(*b),
            (Value::Pointer(a), Value::Pointer(b)) => a.is_within(b),
            _ => false,
        }
    }
}

impl Kind {
    pub(crate) fn of(types: &TypeTable, ty: TypeId) -> Option<Kind> {
        let model = types.data_model;
        Some(match types[ty] {
            Type::Bool => Kind::Int(IntFormat::unsigned(8)),
            Type::Int(kind) => Kind::Int(IntFormat { bits: kind.bits(model), is_signed: kind.is_signed() }),
            Type::Enum(id) => {
                let kind = types.enums[id].underlying;
                Kind::Int(IntFormat { bits: kind.bits(model), is_signed: kind.is_signed() })
            }
            Type::Pointer(_) => Kind::Pointer,
            Type::Float(kind) => Kind::Float(match kind {
                FloatKind::Half => 16,
                FloatKind::Float => 32,
                FloatKind::Double => 64,
                FloatKind::LongDouble => 80,
                FloatKind::Quad => 128,
            }),
            _ => return None,
        })
    }
}
