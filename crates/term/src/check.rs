//! The sort of an operator's result, and whether its arguments fit: one function for every row of the table.

use crate::op::Op;
use crate::pool::Term;
use crate::pool::{Payload, TermPool};
use crate::sort::{MAX_EXPONENT_WIDTH, MAX_WIDTH, Sort, SortKind};

/// Why a term cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SortError {
    #[error("`{symbol}` does not take {count} arguments")]
    Arity { symbol: &'static str, count: usize },
    #[error("argument {place} of `{symbol}` has sort {found}, expected {expected}")]
    Argument { symbol: &'static str, place: usize, found: Sort, expected: String },
    #[error("the arguments of `{symbol}` have different sorts, {left} and {right}")]
    Different { symbol: &'static str, left: Sort, right: Sort },
    #[error("bad index of `{symbol}`: {why}")]
    Index { symbol: &'static str, why: String },
    #[error("`{symbol}` needs its result sort")]
    NeedsSort { symbol: &'static str },
}

type Result<T> = std::result::Result<T, SortError>;

/// One application to check.
struct Application<'a> {
    pool: &'a TermPool,
    op: Op,
    indices: (u32, u32),
    args: &'a [Term],
    /// The sort that the caller names, where the arguments do not give it.
    ascribed: Option<Sort>,
}

/// The sort of `op` applied to `args`; `ascribed` names the result where the arguments do not tell it.
pub(crate) fn result_sort(
    pool: &TermPool,
    op: Op,
    payload: &Payload,
    args: &[Term],
    ascribed: Option<Sort>,
) -> Result<Sort> {
    if !op.info().arity.accepts(args.len()) {
        return Err(SortError::Arity { symbol: op.symbol(), count: args.len() });
    }
    let indices = match payload {
        Payload::Indices(a, b) => (*a, *b),
        _ => (0, 0),
    };
    if let Payload::Function(function) = payload {
        let application = Application { pool, op, indices, args, ascribed };
        if args.len() != function.domain.len() {
            return Err(SortError::Arity { symbol: function.name.as_str(), count: args.len() });
        }
        for (place, &sort) in function.domain.iter().enumerate() {
            application.is(place, sort)?;
        }
        return Ok(function.range);
    }
    Application { pool, op, indices, args, ascribed }.result()
}

impl Application<'_> {
    fn sort(&self, place: usize) -> Sort {
        self.pool.sort(self.args[place])
    }
    fn wrong<T>(&self, place: usize, expected: impl Into<String>) -> Result<T> {
        Err(SortError::Argument {
            symbol: self.op.symbol(),
            place: place + 1,
            found: self.sort(place),
            expected: expected.into(),
        })
    }
    fn is(&self, place: usize, sort: Sort) -> Result<()> {
        if self.sort(place) == sort { Ok(()) } else { self.wrong(place, sort.to_string()) }
    }
    fn all(&self, sort: Sort) -> Result<()> {
        (0..self.args.len()).try_for_each(|place| self.is(place, sort))
    }
    fn same(&self, from: usize) -> Result<Sort> {
        let first = self.sort(from);
        for place in from + 1..self.args.len() {
            if self.sort(place) != first {
                return Err(SortError::Different { symbol: self.op.symbol(), left: first, right: self.sort(place) });
            }
        }
        Ok(first)
    }
    fn width(&self, place: usize) -> Result<u32> {
        match self.sort(place).width() {
            Some(width) => Ok(width),
            None => self.wrong(place, "a bit-vector"),
        }
    }
    fn float(&self, place: usize) -> Result<Sort> {
        let sort = self.sort(place);
        if sort.is_float() { Ok(sort) } else { self.wrong(place, "a floating-point number") }
    }
    fn array(&self, place: usize) -> Result<(Sort, Sort)> {
        match self.sort(place).array_parts() {
            Some(parts) => Ok(parts),
            None => self.wrong(place, "an array"),
        }
    }
    fn index<T>(&self, why: impl Into<String>) -> Result<T> {
        Err(SortError::Index { symbol: self.op.symbol(), why: why.into() })
    }
    fn bits(&self, width: u64) -> Result<Sort> {
        match u32::try_from(width) {
            Ok(width) if (1..=MAX_WIDTH).contains(&width) => Ok(Sort::bit_vec(width)),
            _ => self.index(format!("width {width} is not from 1 to {MAX_WIDTH}")),
        }
    }
    fn format(&self) -> Result<Sort> {
        let (exponent, significand) = self.indices;
        if !(2..=MAX_EXPONENT_WIDTH).contains(&exponent) || !(2..MAX_WIDTH / 2).contains(&significand) {
            return self.index(format!("no format with exponent {exponent} and significand {significand}"));
        }
        Ok(Sort::float(exponent, significand))
    }
    fn ascribed(&self) -> Result<Sort> {
        self.ascribed.ok_or(SortError::NeedsSort { symbol: self.op.symbol() })
    }
    fn arithmetic(&self) -> Result<Sort> {
        let sort = self.same(0)?;
        if sort.is_arithmetic() { Ok(sort) } else { self.wrong(0, "Int or Real") }
    }
    fn element(&self, place: usize, of: fn(SortKind) -> Option<Sort>, name: &str) -> Result<Sort> {
        match of(self.sort(place).kind()) {
            Some(element) => Ok(element),
            None => self.wrong(place, name),
        }
    }
    fn seq(&self, place: usize) -> Result<Sort> {
        self.element(place, |kind| if let SortKind::Seq(element) = kind { Some(element) } else { None }, "a sequence")
    }
    fn set(&self, place: usize) -> Result<Sort> {
        self.element(place, |kind| if let SortKind::Set(element) = kind { Some(element) } else { None }, "a set")
    }
    fn bag(&self, place: usize) -> Result<Sort> {
        self.element(place, |kind| if let SortKind::Bag(element) = kind { Some(element) } else { None }, "a bag")
    }
    fn finite(&self, place: usize) -> Result<Sort> {
        let of = |kind| if let SortKind::FiniteArray(element) = kind { Some(element) } else { None };
        self.element(place, of, "a finite array")
    }
    fn map(&self, place: usize) -> Result<(Sort, Sort)> {
        match self.sort(place).kind() {
            SortKind::Map(key, value) => Ok((key, value)),
            _ => self.wrong(place, "a map"),
        }
    }

    fn result(&self) -> Result<Sort> {
        use Op::*;
        match self.op {
            Const | Symbol | Bound | Apply | Lambda => self.ascribed(),
            Not | And | Or | Xor | Implies => self.all(Sort::BOOL).map(|()| Sort::BOOL),
            Forall | Exists => self.is(0, Sort::BOOL).map(|()| Sort::BOOL),
            Ite => self.is(0, Sort::BOOL).and_then(|()| self.same(1)),
            Eq | Distinct => self.same(0).map(|_| Sort::BOOL),
            Add | Sub | Neg | Mul | Abs => self.arithmetic(),
            Power => self.arithmetic(),
            Div => self.all(Sort::REAL).map(|()| Sort::REAL),
            IntDiv | IntMod => self.all(Sort::INT).map(|()| Sort::INT),
            Le | Lt | Ge | Gt => self.arithmetic().map(|_| Sort::BOOL),
            ToReal => self.is(0, Sort::INT).map(|()| Sort::REAL),
            ToInt => self.is(0, Sort::REAL).map(|()| Sort::INT),
            IsInt => self.is(0, Sort::REAL).map(|()| Sort::BOOL),
            Divisible if self.indices.0 == 0 => self.index("divisor 0"),
            Divisible => self.is(0, Sort::INT).map(|()| Sort::BOOL),
            Concat | Extract | Repeat | ZeroExtend | SignExtend | BvComp | UbvToInt | SbvToInt | IntToBv => {
                self.resizing()
            }
            BvNot | BvAnd | BvOr | BvXor | BvNand | BvNor | BvXnor | BvAdd | BvMul | BvNeg | BvSub | BvUdiv
            | BvUrem | BvSdiv | BvSrem | BvSmod | BvShl | BvLshr | BvAshr | RotateLeft | RotateRight => {
                self.width(0)?;
                self.same(0)
            }
            BvUlt | BvUle | BvUgt | BvUge | BvSlt | BvSle | BvSgt | BvSge | BvNegOverflow | BvUaddOverflow
            | BvSaddOverflow | BvUmulOverflow | BvSmulOverflow | BvUsubOverflow | BvSsubOverflow | BvSdivOverflow => {
                self.width(0)?;
                self.same(0).map(|_| Sort::BOOL)
            }
            Select => {
                let (index, element) = self.array(0)?;
                self.is(1, index).map(|()| element)
            }
            Store => {
                let (index, element) = self.array(0)?;
                self.is(1, index).and_then(|()| self.is(2, element)).map(|()| self.sort(0))
            }
            ConstArray => {
                let sort = self.ascribed()?;
                match sort.array_parts() {
                    Some((_, element)) => self.is(0, element).map(|()| sort),
                    None => self.index("the result of `const` is an array"),
                }
            }
            _ => match self.op.theory() {
                crate::op::Theory::Floats => self.floats(),
                _ => self.collections(),
            },
        }
    }

    fn resizing(&self) -> Result<Sort> {
        let (first, second) = self.indices;
        match self.op {
            Op::Concat => {
                let widths = (0..self.args.len()).map(|place| self.width(place).map(u64::from));
                self.bits(widths.sum::<Result<u64>>()?)
            }
            Op::Extract => {
                let width = self.width(0)?;
                if second > first || first >= width {
                    return self.index(format!("no bits {first} down to {second} in a vector of {width}"));
                }
                Ok(Sort::bit_vec(first - second + 1))
            }
            Op::Repeat if first == 0 => self.index("repeated 0 times"),
            Op::Repeat => self.bits(u64::from(self.width(0)?) * u64::from(first)),
            Op::ZeroExtend | Op::SignExtend => self.bits(u64::from(self.width(0)?) + u64::from(first)),
            Op::BvComp => {
                self.width(0)?;
                self.same(0).map(|_| Sort::bit_vec(1))
            }
            Op::IntToBv => self.is(0, Sort::INT).and_then(|()| self.bits(first.into())),
            _ => self.width(0).map(|_| Sort::INT),
        }
    }

    fn floats(&self) -> Result<Sort> {
        use Op::*;
        let rounding = || self.is(0, Sort::ROUNDING_MODE);
        match self.op {
            Fp => {
                self.is(0, Sort::bit_vec(1))?;
                let (exponent, fraction) = (self.width(1)?, self.width(2)?);
                if !(2..=MAX_EXPONENT_WIDTH).contains(&exponent) {
                    return self.index(format!("exponent of {exponent} bits"));
                }
                Ok(Sort::float(exponent, fraction + 1))
            }
            FpFromBits => {
                let sort = self.format()?;
                self.is(0, Sort::bit_vec(self.indices.0 + self.indices.1)).map(|()| sort)
            }
            FpFromFp => rounding().and_then(|()| self.float(1)).and_then(|_| self.format()),
            FpFromReal => rounding().and_then(|()| self.is(1, Sort::REAL)).and_then(|()| self.format()),
            FpFromSigned | FpFromUnsigned => rounding().and_then(|()| self.width(1)).and_then(|_| self.format()),
            FpToUbv | FpToSbv => rounding().and_then(|()| self.float(1)).and_then(|_| self.bits(self.indices.0.into())),
            FpToReal => self.float(0).map(|_| Sort::REAL),
            FpToBits => {
                let (exponent, significand) = self.float(0)?.float_format().unwrap_or((0, 1));
                self.bits(u64::from(exponent + significand))
            }
            FpAbs | FpNeg | FpRem | FpMin | FpMax => self.float(0).and_then(|_| self.same(0)),
            FpAdd | FpSub | FpMul | FpDiv | FpFma | FpSqrt | FpRoundToIntegral => {
                rounding().and_then(|()| self.float(1)).and_then(|_| self.same(1))
            }
            _ => self.float(0).and_then(|_| self.same(0)).map(|_| Sort::BOOL),
        }
    }

    fn collections(&self) -> Result<Sort> {
        use Op::*;
        let (first, second) = self.indices;
        match self.op {
            FiniteMake => {
                self.is(0, Sort::INT)?;
                let (index, element) = self.array(1)?;
                if index == Sort::INT { Ok(Sort::finite_array(element)) } else { self.wrong(1, "an array over Int") }
            }
            FiniteLength => self.finite(0).map(|_| Sort::INT),
            FiniteRead => self.finite(0).and_then(|element| self.is(1, Sort::INT).map(|()| element)),
            FiniteWrite => {
                let element = self.finite(0)?;
                self.is(1, Sort::INT).and_then(|()| self.is(2, element)).map(|()| self.sort(0))
            }
            MakeTuple => Ok(Sort::tuple(&self.args.iter().map(|&arg| self.pool.sort(arg)).collect::<Vec<_>>())),
            TupleGet | TupleSet => match self.sort(0).kind() {
                SortKind::Tuple(parts) => match parts.get(first as usize) {
                    Some(&part) if self.op == TupleSet => self.is(1, part).map(|()| self.sort(0)),
                    Some(&part) => Ok(part),
                    None => self.index(format!("no part {first}")),
                },
                _ => self.wrong(0, "a tuple"),
            },
            Construct => self.construct(),
            Selector | Tester => match self.sort(0).kind() {
                SortKind::Datatype(id) => match id.constructors().get(first as usize) {
                    Some(_) if self.op == Tester => Ok(Sort::BOOL),
                    Some(constructor) => match constructor.fields.get(second as usize) {
                        Some((_, sort)) => Ok(*sort),
                        None => self.index("no such field"),
                    },
                    None => self.index("no such constructor"),
                },
                _ => self.wrong(0, "a datatype"),
            },
            SeqUnit => Ok(Sort::seq(self.sort(0))),
            SeqConcat | SeqReplace => self.seq(0).and_then(|_| self.same(0)),
            SeqLength => self.seq(0).map(|_| Sort::INT),
            SeqNth => self.seq(0).and_then(|element| self.is(1, Sort::INT).map(|()| element)),
            SeqAt => self.seq(0).and_then(|_| self.is(1, Sort::INT)).map(|()| self.sort(0)),
            SeqExtract => {
                self.seq(0)?;
                self.is(1, Sort::INT).and_then(|()| self.is(2, Sort::INT)).map(|()| self.sort(0))
            }
            SeqUpdate => {
                self.seq(0)?;
                self.is(1, Sort::INT).and_then(|()| self.is(2, self.sort(0))).map(|()| self.sort(0))
            }
            SeqContains | SeqPrefixOf | SeqSuffixOf => self.seq(0).and_then(|_| self.same(0)).map(|_| Sort::BOOL),
            SeqIndexOf => {
                self.seq(0)?;
                self.is(1, self.sort(0)).and_then(|()| self.is(2, Sort::INT)).map(|()| Sort::INT)
            }
            SetSingleton => Ok(Sort::set(self.sort(0))),
            SetUnion | SetIntersection | SetMinus => self.set(0).and_then(|_| self.same(0)),
            SetMember => self.set(1).and_then(|element| self.is(0, element)).map(|()| Sort::BOOL),
            SetSubset => self.set(0).and_then(|_| self.same(0)).map(|_| Sort::BOOL),
            SetCard => self.set(0).map(|_| Sort::INT),
            BagMake => self.is(1, Sort::INT).map(|()| Sort::bag(self.sort(0))),
            BagUnionMax | BagUnionDisjoint | BagIntersection | BagMinus => self.bag(0).and_then(|_| self.same(0)),
            BagCount => self.bag(1).and_then(|element| self.is(0, element)).map(|()| Sort::INT),
            BagSubset => self.bag(0).and_then(|_| self.same(0)).map(|_| Sort::BOOL),
            BagCard => self.bag(0).map(|_| Sort::INT),
            MapPut => {
                let (key, value) = self.map(0)?;
                self.is(1, key).and_then(|()| self.is(2, value)).map(|()| self.sort(0))
            }
            MapRemove => self.map(0).and_then(|(key, _)| self.is(1, key)).map(|()| self.sort(0)),
            MapGet => {
                let (key, value) = self.map(0)?;
                self.is(1, key).map(|()| value)
            }
            MapHas => self.map(0).and_then(|(key, _)| self.is(1, key)).map(|()| Sort::BOOL),
            MapKeys => self.map(0).map(|(key, _)| Sort::set(key)),
            MapSize => self.map(0).map(|_| Sort::INT),
            _ => Err(SortError::NeedsSort { symbol: self.op.symbol() }),
        }
    }

    fn construct(&self) -> Result<Sort> {
        let sort = self.ascribed()?;
        let SortKind::Datatype(id) = sort.kind() else { return self.index(format!("{sort} is not a datatype")) };
        let Some(constructor) = id.constructors().get(self.indices.0 as usize) else {
            return self.index("no such constructor");
        };
        if constructor.fields.len() != self.args.len() {
            return Err(SortError::Arity { symbol: constructor.name.as_str(), count: self.args.len() });
        }
        for (place, (_, field)) in constructor.fields.iter().enumerate() {
            self.is(place, *field)?;
        }
        Ok(sort)
    }
}
