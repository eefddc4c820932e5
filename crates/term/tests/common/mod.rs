//! Random terms and assignments for the tests: small widths, few symbols, many special constants and shared parts, so
//! that patterns with repeated arguments and edge values come up.

#![allow(dead_code, unreachable_pub)]

pub mod instances;

use quod_base::Rational;
use quod_term::datatype::{DatatypeSpec, FieldSort, declare};
use quod_term::{Assignment, BitVector, FloatValue, Op, Payload, RoundingMode, Sort, SortKind, Term, TermPool, Value};

pub struct Generator {
    state: u64,
    /// Terms made before, by sort, to be used again.
    made: Vec<(Sort, Term)>,
}

impl Generator {
    pub fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, made: Vec::new() }
    }

    pub fn forget(&mut self) {
        self.made.clear();
    }

    pub fn next(&mut self) -> u64 {
        // xorshift64*
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    pub fn value(&mut self, sort: Sort) -> Value {
        match sort.kind() {
            SortKind::Bool => Value::Bool(self.below(2) == 0),
            SortKind::Int => Value::Int(Rational::from(self.below(9) as i64 - 4)),
            SortKind::Real => {
                Value::Real(Rational::new(self.below(9) as i64 - 4, self.below(3) as i64 + 1).unwrap_or_default())
            }
            SortKind::RoundingMode => Value::RoundingMode(self.pick(&RoundingMode::ALL)),
            SortKind::BitVec(width) => {
                let special = [
                    BitVector::zero(width),
                    BitVector::one(width),
                    BitVector::all_ones(width),
                    BitVector::min_signed(width),
                    BitVector::min_signed(width).not(),
                    BitVector::new(width, u64::from(width)),
                    BitVector::all_ones(width).sub(&BitVector::one(width)),
                    BitVector::one(width).shl_by(width / 2),
                ];
                let value = match self.below(2) {
                    0 => special[self.below(special.len() as u64) as usize].clone(),
                    _ => BitVector::new(width, self.next()),
                };
                Value::BitVec(value)
            }
            SortKind::Float(exponent, significand) => {
                let width = exponent + significand;
                let bits = match self.value(Sort::bit_vec(width)) {
                    Value::BitVec(bits) => bits,
                    _ => BitVector::zero(width),
                };
                Value::Float(FloatValue::from_bits(exponent, significand, bits))
            }
            SortKind::Array(index, element) => {
                let mut array = match Value::default_of(sort) {
                    Some(Value::Array(array)) => (*array).clone(),
                    _ => unreachable!("the default of an array sort is an array"),
                };
                array.default = self.value(element);
                for _ in 0..self.below(3) {
                    array = array.with(self.value(index), self.value(element));
                }
                Value::Array(array.into())
            }
            SortKind::FiniteArray(element) => {
                let items = (0..self.below(4)).map(|_| self.value(element)).collect::<Vec<_>>();
                Value::FiniteArray(quod_term::SortOrd(element), items.into())
            }
            SortKind::Tuple(parts) => {
                Value::Tuple(parts.iter().map(|&part| self.value(part)).collect::<Vec<_>>().into())
            }
            SortKind::Uninterpreted(..) => Value::Element(quod_term::SortOrd(sort), self.below(3)),
            SortKind::Datatype(id) => {
                let place = self.below(id.constructors().len() as u64) as u32;
                let place = if self.below(3) == 0 { place } else { 0 };
                let fields = &id.constructors()[place as usize].fields;
                let fields = fields.iter().map(|&(_, field)| self.value(field)).collect::<Vec<_>>();
                Value::Datatype(quod_term::SortOrd(sort), place, fields.into())
            }
            SortKind::Seq(element) => {
                let items = (0..self.below(3)).map(|_| self.value(element)).collect::<Vec<_>>();
                Value::Seq(quod_term::SortOrd(element), items.into())
            }
            SortKind::Set(element) => {
                let items = (0..self.below(3)).map(|_| self.value(element)).collect::<std::collections::BTreeSet<_>>();
                Value::Set(quod_term::SortOrd(element), items.into())
            }
            SortKind::Bag(element) => {
                let items = (0..self.below(3)).map(|_| (self.value(element), Rational::from(1 + self.below(3) as i64)));
                Value::Bag(quod_term::SortOrd(element), items.collect::<std::collections::BTreeMap<_, _>>().into())
            }
            SortKind::Map(key, value) => {
                let items = (0..self.below(3)).map(|_| (self.value(key), self.value(value)));
                let items = items.collect::<std::collections::BTreeMap<_, _>>();
                Value::Map(quod_term::SortOrd(key), quod_term::SortOrd(value), items.into())
            }
        }
    }

    /// Values for the symbols of some terms.
    pub fn assignment(&mut self, pool: &TermPool, terms: &[Term]) -> Assignment {
        let mut assignment = Assignment::default();
        for symbol in pool.free_symbols(terms) {
            let value = self.value(pool.sort(symbol));
            assignment.set(symbol, value);
        }
        assignment
    }

    /// A random term of a sort.
    pub fn term(&mut self, pool: &TermPool, sort: Sort, depth: u32) -> Term {
        if self.below(4) == 0 {
            let known: Vec<Term> =
                self.made.iter().filter(|(known, _)| *known == sort).map(|(_, term)| *term).collect();
            if !known.is_empty() {
                return self.pick(&known);
            }
        }
        let term =
            if depth == 0 || self.below(4) == 0 { self.leaf(pool, sort) } else { self.compound(pool, sort, depth) };
        if self.made.len() < 64 {
            self.made.push((sort, term));
        }
        term
    }

    fn leaf(&mut self, pool: &TermPool, sort: Sort) -> Term {
        if self.below(5) < 2 {
            let value = self.value(sort);
            return pool.constant(value);
        }
        if self.below(4) == 0
            && let Some((index, element)) = sort.array_parts().filter(|(index, _)| index.is_bit_vec())
        {
            let variable = pool.symbol("variable", index);
            let body = self.term(pool, element, 1);
            return pool.lambda(
                variable,
                pool.ite(pool.eq(variable, pool.bv(pool.width(variable), 1)), body, pool.constant(self.value(element))),
            );
        }
        if sort.is_bit_vec() && self.below(8) == 0 {
            return self.table(pool, sort);
        }
        let name = self.pick(&["a", "b", "c"]);
        pool.symbol(format!("{name}_{sort}").as_str(), sort)
    }

    /// Constants chosen by conditions.
    fn table(&mut self, pool: &TermPool, sort: Sort) -> Term {
        let mut table = pool.constant(self.value(sort));
        for place in 0..1 + self.below(3) {
            let condition = pool.symbol(format!("choice_{place}").as_str(), Sort::BOOL);
            table = pool.ite(condition, pool.constant(self.value(sort)), table);
        }
        table
    }

    fn compound(&mut self, pool: &TermPool, sort: Sort, depth: u32) -> Term {
        for _ in 0..20 {
            let op = self.operator_for(sort);
            let Some((payload, args, found)) = self.application_at(pool, op, Some(sort), depth - 1) else { continue };
            if found != sort {
                continue;
            }
            let indices = match payload {
                Payload::Indices(a, b) => (a, b),
                _ => (0, 0),
            };
            if let Payload::Exponent(exponent) = payload {
                return pool.power(args[0], exponent);
            }
            if let Ok(term) = pool.make(op, indices, &args, Some(sort)) {
                return term;
            }
        }
        self.leaf(pool, sort)
    }

    fn operator_for(&mut self, sort: Sort) -> Op {
        use Op::*;
        let list: &[Op] = match sort.kind() {
            SortKind::Bool => &[
                Not, And, Or, Eq, Ite, BvUlt, BvSlt, Le, Lt, Eq, Not, Xor, Implies, FpLt, FpIsNan, SetMember, BvUle,
                Tester, Distinct,
            ],
            SortKind::Int => &[Add, Mul, Sub, Ite, IntDiv, IntMod, Neg, UbvToInt, Abs, Power, SeqLength, FiniteLength],
            SortKind::Real => &[Add, Mul, Sub, Ite, Neg, Div, Power, ToReal, FpToReal],
            SortKind::BitVec(_) => &[
                BvNot, BvAnd, BvOr, BvXor, BvAdd, BvSub, BvMul, BvNeg, BvUdiv, BvUrem, BvSdiv, BvSrem, BvSmod, BvShl,
                BvLshr, BvAshr, Concat, Extract, ZeroExtend, SignExtend, Ite, Select, FpToBits, IntToBv, BvComp, BvNot,
                Concat, Extract, SignExtend, Ite,
            ],
            SortKind::Float(..) => {
                &[FpNeg, FpAbs, FpAdd, FpMul, FpDiv, Ite, FpFromBits, FpFromFp, FpMin, FpFma, FpSqrt, FpFromFp]
            }
            SortKind::Array(..) => &[Store, Store, ConstArray, Ite],
            SortKind::FiniteArray(_) => &[FiniteMake, FiniteWrite],
            SortKind::Tuple(_) => &[MakeTuple, TupleSet],
            SortKind::Datatype(_) => &[Construct],
            SortKind::Seq(_) => &[SeqUnit, SeqConcat, SeqConcat, SeqExtract],
            SortKind::Set(_) => &[SetSingleton, SetUnion, SetIntersection, SetMinus],
            SortKind::Bag(_) => &[BagMake, BagUnionDisjoint, BagUnionMax],
            SortKind::Map(..) => &[MapPut, MapRemove],
            _ => &[Ite],
        };
        self.pick(list)
    }

    pub fn any_sort(&mut self) -> Sort {
        let width = self.pick(&[1, 2, 3, 4, 8]);
        match self.below(16) {
            0 | 1 => Sort::BOOL,
            2 => Sort::INT,
            3 => Sort::REAL,
            4 => tiny_float(),
            5 => Sort::array(Sort::bit_vec(2), Sort::bit_vec(4)),
            6 => Sort::array(Sort::INT, Sort::INT),
            7 => pair(),
            8 => list(),
            9 => Sort::seq(Sort::INT),
            10 => Sort::set(Sort::INT),
            _ => Sort::bit_vec(width),
        }
    }

    /// Random payload, arguments and result sort for an operator.
    pub fn application(&mut self, pool: &TermPool, op: Op) -> Option<(Payload, Vec<Term>, Sort)> {
        let depth = 1 + self.below(2) as u32;
        self.application_at(pool, op, None, depth)
    }

    fn many(&mut self, pool: &TermPool, sort: Sort, depth: u32) -> Vec<Term> {
        let count = if self.below(3) == 0 { 3 } else { 2 };
        (0..count).map(|_| self.term(pool, sort, depth)).collect()
    }

    #[allow(clippy::too_many_lines)]
    fn application_at(
        &mut self,
        pool: &TermPool,
        op: Op,
        wanted: Option<Sort>,
        depth: u32,
    ) -> Option<(Payload, Vec<Term>, Sort)> {
        use Op::*;
        let width = match wanted.and_then(Sort::width) {
            Some(width) => width,
            None => self.pick(&[1, 2, 3, 4, 8]),
        };
        let bits = Sort::bit_vec(width);
        let bool_ = Sort::BOOL;
        let float = wanted.filter(|sort| sort.is_float()).unwrap_or_else(tiny_float);
        let rounding = Sort::ROUNDING_MODE;
        let number = match wanted {
            Some(sort) if sort.is_arithmetic() => sort,
            _ => self.pick(&[Sort::INT, Sort::REAL]),
        };
        let two_arrays = [Sort::array(Sort::bit_vec(2), Sort::bit_vec(4)), Sort::array(Sort::INT, Sort::INT)];
        let array = match wanted {
            Some(sort) if sort.array_parts().is_some() => sort,
            _ => self.pick(&two_arrays),
        };
        let (index, element) = array.array_parts()?;
        let finite = Sort::finite_array(Sort::INT);
        let seq = Sort::seq(Sort::INT);
        let set = Sort::set(Sort::INT);
        let bag = Sort::bag(Sort::INT);
        let map = Sort::map(Sort::INT, Sort::INT);
        let none = Payload::None;
        let fixed = |this: &mut Self, sorts: &[Sort], result: Sort| {
            let args: Vec<Term> = sorts.iter().map(|&sort| this.term(pool, sort, depth)).collect();
            Some((Payload::None, args, result))
        };
        match op {
            Not => fixed(self, &[bool_], bool_),
            And | Or | Xor | Implies => {
                let mut args = self.many(pool, bool_, depth);
                if self.below(8) == 0 && matches!(op, And | Or) {
                    args.truncate(1);
                }
                Some((none, args, bool_))
            }
            Ite => {
                let sort = match wanted {
                    Some(sort) => sort,
                    None => self.any_sort(),
                };
                fixed(self, &[bool_, sort, sort], sort)
            }
            Eq => {
                let sort = self.any_sort();
                let args = if self.below(6) == 0 {
                    self.many(pool, sort, depth)
                } else {
                    (0..2).map(|_| self.term(pool, sort, depth)).collect()
                };
                Some((none, args, bool_))
            }
            Distinct => {
                let sort = self.any_sort();
                Some((none, self.many(pool, sort, depth), bool_))
            }
            Add | Mul | Sub => Some((none, self.many(pool, number, depth), number)),
            Neg | Abs => fixed(self, &[number], number),
            Power => {
                let exponents: &[i32] = if number == Sort::INT { &[2, 3] } else { &[2, 3, -1, -2] };
                let exponent = self.pick(exponents);
                Some((Payload::Exponent(exponent), vec![self.term(pool, number, depth)], number))
            }
            Div => fixed(self, &[Sort::REAL, Sort::REAL], Sort::REAL),
            IntDiv | IntMod => fixed(self, &[Sort::INT, Sort::INT], Sort::INT),
            Le | Lt | Ge | Gt => Some((none, self.many(pool, number, depth), bool_)),
            ToReal => fixed(self, &[Sort::INT], Sort::REAL),
            ToInt => fixed(self, &[Sort::REAL], Sort::INT),
            IsInt => fixed(self, &[Sort::REAL], bool_),
            Divisible => {
                Some((Payload::Indices(1 + self.below(4) as u32, 0), vec![self.term(pool, Sort::INT, depth)], bool_))
            }
            Concat => {
                let total = if wanted.is_some() { width } else { 2 + self.below(8) as u32 };
                if total < 2 {
                    return None;
                }
                let cut = 1 + self.below(u64::from(total) - 1) as u32;
                if self.below(4) == 0 {
                    let whole = pool.symbol("w", Sort::bit_vec(total + 2));
                    let parts = vec![pool.extract(total, cut + 1, whole), pool.extract(cut, 1, whole)];
                    return Some((none, parts, Sort::bit_vec(total)));
                }
                fixed(self, &[Sort::bit_vec(total - cut), Sort::bit_vec(cut)], Sort::bit_vec(total))
            }
            Extract => {
                let low = self.below(4) as u32;
                let whole = width + low + self.below(4) as u32;
                let arg = self.term(pool, Sort::bit_vec(whole), depth);
                Some((Payload::Indices(low + width - 1, low), vec![arg], bits))
            }
            BvNot | BvNeg => fixed(self, &[bits], bits),
            BvAnd | BvOr | BvXor | BvAdd | BvMul | BvSub => Some((none, self.many(pool, bits, depth), bits)),
            BvNand | BvNor | BvXnor | BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod | BvShl | BvLshr | BvAshr => {
                fixed(self, &[bits, bits], bits)
            }
            BvComp => {
                let operand = Sort::bit_vec(self.pick(&[1, 2, 4]));
                fixed(self, &[operand, operand], Sort::bit_vec(1))
            }
            Repeat => {
                let times = 1 + self.below(5) as u32;
                Some((Payload::Indices(times, 0), vec![self.term(pool, bits, depth)], Sort::bit_vec(width * times)))
            }
            ZeroExtend | SignExtend => {
                let more = self.below(u64::from(width)) as u32;
                let arg = self.term(pool, Sort::bit_vec(width - more), depth);
                Some((Payload::Indices(more, 0), vec![arg], bits))
            }
            RotateLeft | RotateRight => {
                Some((Payload::Indices(self.below(10) as u32, 0), vec![self.term(pool, bits, depth)], bits))
            }
            BvUlt | BvUle | BvUgt | BvUge | BvSlt | BvSle | BvSgt | BvSge | BvUaddOverflow | BvSaddOverflow
            | BvUmulOverflow | BvSmulOverflow | BvUsubOverflow | BvSsubOverflow | BvSdivOverflow => {
                fixed(self, &[bits, bits], bool_)
            }
            BvNegOverflow => fixed(self, &[bits], bool_),
            UbvToInt | SbvToInt => {
                let operand = Sort::bit_vec(self.pick(&[1, 2, 4]));
                fixed(self, &[operand], Sort::INT)
            }
            IntToBv => Some((Payload::Indices(width, 0), vec![self.term(pool, Sort::INT, depth)], bits)),
            Select => {
                let array =
                    if element == bits || wanted.is_none() { array } else { Sort::array(Sort::bit_vec(2), bits) };
                let (index, element) = array.array_parts()?;
                fixed(self, &[array, index], element)
            }
            Store if self.below(5) == 0 => {
                let (array_term, index) = (self.term(pool, array, depth), self.term(pool, index, depth));
                Some((none, vec![array_term, index, pool.select(array_term, index)], array))
            }
            Store => fixed(self, &[array, index, element], array),
            ConstArray => fixed(self, &[element], array),
            Fp => fixed(self, &[Sort::bit_vec(1), Sort::bit_vec(3), Sort::bit_vec(3)], tiny_float()),
            FpFromBits => {
                let (e, s) = float.float_format()?;
                Some((Payload::Indices(e, s), vec![self.term(pool, Sort::bit_vec(e + s), depth)], float))
            }
            FpFromFp => {
                let (e, s) = float.float_format()?;
                let from = self.pick(&[tiny_float(), Sort::float(4, 5), Sort::float(2, 3)]);
                let args = vec![self.term(pool, rounding, 0), self.term(pool, from, depth)];
                Some((Payload::Indices(e, s), args, float))
            }
            FpFromReal | FpFromSigned | FpFromUnsigned => {
                let (e, s) = float.float_format()?;
                let from = if op == FpFromReal { Sort::REAL } else { Sort::bit_vec(5) };
                let args = vec![self.term(pool, rounding, 0), self.term(pool, from, depth)];
                Some((Payload::Indices(e, s), args, float))
            }
            FpToUbv | FpToSbv => {
                let args = vec![self.term(pool, rounding, 0), self.term(pool, float, depth)];
                Some((Payload::Indices(width, 0), args, bits))
            }
            FpToReal => fixed(self, &[float], Sort::REAL),
            FpToBits => {
                let (e, s) = float.float_format()?;
                fixed(self, &[float], Sort::bit_vec(e + s))
            }
            FpAbs | FpNeg => fixed(self, &[float], float),
            FpAdd | FpSub | FpMul | FpDiv => fixed(self, &[rounding, float, float], float),
            FpFma => fixed(self, &[rounding, float, float, float], float),
            FpSqrt | FpRoundToIntegral => fixed(self, &[rounding, float], float),
            FpRem | FpMin | FpMax => fixed(self, &[float, float], float),
            FpLe | FpLt | FpGe | FpGt | FpEq => Some((none, self.many(pool, float, depth), bool_)),
            FpIsNormal | FpIsSubnormal | FpIsZero | FpIsInfinite | FpIsNan | FpIsNegative | FpIsPositive => {
                fixed(self, &[float], bool_)
            }
            FiniteMake => fixed(self, &[Sort::INT, Sort::array(Sort::INT, Sort::INT)], finite),
            FiniteLength => fixed(self, &[finite], Sort::INT),
            FiniteRead => fixed(self, &[finite, Sort::INT], Sort::INT),
            FiniteWrite => fixed(self, &[finite, Sort::INT, Sort::INT], finite),
            MakeTuple => fixed(self, &[Sort::INT, bool_], pair()),
            TupleGet => {
                let place = self.below(2) as u32;
                Some((
                    Payload::Indices(place, 0),
                    vec![self.term(pool, pair(), depth)],
                    [Sort::INT, bool_][place as usize],
                ))
            }
            TupleSet => {
                let place = self.below(2) as u32;
                let args =
                    vec![self.term(pool, pair(), depth), self.term(pool, [Sort::INT, bool_][place as usize], depth)];
                Some((Payload::Indices(place, 0), args, pair()))
            }
            Construct => {
                let place = self.below(2) as u32;
                let sort = wanted.unwrap_or_else(list);
                let sorts: Vec<Sort> = match sort.kind() {
                    SortKind::Datatype(id) => {
                        id.constructors().get(place as usize)?.fields.iter().map(|field| field.1).collect()
                    }
                    _ => return None,
                };
                let args = sorts.into_iter().map(|field| self.term(pool, field, depth)).collect();
                Some((Payload::Indices(place, 0), args, sort))
            }
            Selector => {
                if self.below(3) == 0 {
                    let place = self.below(2) as u32;
                    return Some((Payload::Indices(place, 0), vec![self.term(pool, either(), depth)], Sort::INT));
                }
                let field = self.below(2) as u32;
                let sort = [Sort::INT, list()][field as usize];
                Some((Payload::Indices(1, field), vec![self.term(pool, list(), depth)], sort))
            }
            Tester => {
                let sort = self.pick(&[list(), single()]);
                let place = if sort == list() { self.below(2) as u32 } else { 0 };
                Some((Payload::Indices(place, 0), vec![self.term(pool, sort, depth)], bool_))
            }
            SeqUnit => fixed(self, &[Sort::INT], seq),
            SeqConcat => Some((none, self.many(pool, seq, depth), seq)),
            SeqLength => fixed(self, &[seq], Sort::INT),
            SeqNth => fixed(self, &[seq, Sort::INT], Sort::INT),
            SeqAt => fixed(self, &[seq, Sort::INT], seq),
            SeqExtract => fixed(self, &[seq, Sort::INT, Sort::INT], seq),
            SeqUpdate => fixed(self, &[seq, Sort::INT, seq], seq),
            SeqContains | SeqPrefixOf | SeqSuffixOf => fixed(self, &[seq, seq], bool_),
            SeqIndexOf => fixed(self, &[seq, seq, Sort::INT], Sort::INT),
            SeqReplace => fixed(self, &[seq, seq, seq], seq),
            SetSingleton => fixed(self, &[Sort::INT], set),
            SetUnion | SetIntersection | SetMinus => fixed(self, &[set, set], set),
            SetMember => fixed(self, &[Sort::INT, set], bool_),
            SetSubset => fixed(self, &[set, set], bool_),
            SetCard => fixed(self, &[set], Sort::INT),
            BagMake => fixed(self, &[Sort::INT, Sort::INT], bag),
            BagUnionMax | BagUnionDisjoint | BagIntersection | BagMinus => fixed(self, &[bag, bag], bag),
            BagCount => fixed(self, &[Sort::INT, bag], Sort::INT),
            BagSubset => fixed(self, &[bag, bag], bool_),
            BagCard => fixed(self, &[bag], Sort::INT),
            MapPut => fixed(self, &[map, Sort::INT, Sort::INT], map),
            MapRemove => fixed(self, &[map, Sort::INT], map),
            MapGet => fixed(self, &[map, Sort::INT], Sort::INT),
            MapHas => fixed(self, &[map, Sort::INT], bool_),
            MapKeys => fixed(self, &[map], set),
            MapSize => fixed(self, &[map], Sort::INT),
            Const | Symbol | Bound | Apply | Forall | Exists | Lambda => None,
        }
    }
}

/// Three bits of exponent, four of significand.
pub fn tiny_float() -> Sort {
    Sort::float(3, 4)
}

pub fn pair() -> Sort {
    Sort::tuple(&[Sort::INT, Sort::BOOL])
}

/// `empty` or `(link (head Int) (tail IntList))`.
pub fn list() -> Sort {
    declare(&[DatatypeSpec {
        name: "IntList".into(),
        constructors: vec![
            ("empty".into(), vec![]),
            ("link".into(), vec![("head".into(), FieldSort::Known(Sort::INT)), ("tail".into(), FieldSort::Member(0))]),
        ],
    }])[0]
}

/// One constructor only.
pub fn single() -> Sort {
    declare(&[DatatypeSpec {
        name: "Box".into(),
        constructors: vec![("box".into(), vec![("unbox".into(), FieldSort::Known(Sort::INT))])],
    }])[0]
}

/// Two constructors with a field each.
pub fn either() -> Sort {
    let side = |name: &str, field: &str| (name.into(), vec![(field.into(), FieldSort::Known(Sort::INT))]);
    declare(&[DatatypeSpec {
        name: "Either".into(),
        constructors: vec![side("left", "of_left"), side("right", "of_right")],
    }])[0]
}
