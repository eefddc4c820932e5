//! A few plain assignments are tried before products and quotients of wide words become circuits: what is nearly always
//! true needs no search.

use super::{Query, Stage, StageStatistics};
use crate::answer::{Answer, Model};
use quod_term::{BitVector, FloatValue, Op, SortKind, Term, TermPool, Theory, Value};
use rustc_hash::FxHashSet;
use std::sync::Arc;

pub struct Guess {
    pool: Arc<TermPool>,
    inner: Box<dyn Stage>,
    statistics: StageStatistics,
    /// Dear terms of earlier queries: their circuits are there.
    known: FxHashSet<Term>,
}

/// How a symbol's value is made up.
#[derive(Copy, Clone)]
enum Filling {
    Zero,
    One,
    Ones,
    Random(u64),
}

const FILLINGS: [Filling; 6] =
    [Filling::Zero, Filling::One, Filling::Ones, Filling::Random(1), Filling::Random(2), Filling::Random(3)];

/// From this width on a product is dearer than the guesses.
const WIDE: u32 = 24;

impl Guess {
    pub fn new(pool: Arc<TermPool>, inner: Box<dyn Stage>) -> Self {
        let statistics = StageStatistics { name: "guesses", ..StageStatistics::default() };
        Self { pool, inner, statistics, known: FxHashSet::default() }
    }

    /// Whether the query has dear terms that no earlier one had.
    fn is_worth_it(&mut self, terms: &[Term]) -> bool {
        let mut has_new = false;
        for term in self.pool.subterms(terms) {
            let op = self.pool.op(term);
            let is_dear = match op {
                Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => {
                    self.pool.width(term) >= WIDE && self.pool.args(term).iter().all(|&arg| !self.pool.is_constant(arg))
                }
                Op::FpAdd | Op::FpMul | Op::FpDiv | Op::FpFma | Op::FpSqrt | Op::FpRem => true,
                _ => op.theory() == Theory::BitVectors && matches!(op, Op::BvUmulOverflow | Op::BvSmulOverflow),
            };
            has_new |= is_dear && self.known.insert(term);
        }
        has_new
    }

    fn model(&self, symbols: &[Term], filling: Filling) -> Option<Model> {
        let mut model = Model::default();
        let mut state = match filling {
            Filling::Random(seed) => seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            _ => 1,
        };
        let mut bits = |width: u32| match filling {
            Filling::Zero => BitVector::zero(width),
            Filling::One => BitVector::one(width),
            Filling::Ones => BitVector::all_ones(width),
            Filling::Random(_) => {
                let mut digits = Vec::new();
                for _ in 0..width.div_ceil(32) {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    digits.push((state >> 16) as u32);
                }
                BitVector::from_biguint(width, &num_bigint::BigUint::new(digits))
            }
        };
        for &symbol in symbols {
            let sort = self.pool.sort(symbol);
            let value = match sort.kind() {
                SortKind::Bool => Value::Bool(bits(1).is_one()),
                SortKind::BitVec(width) => Value::BitVec(bits(width)),
                SortKind::Float(exponent, significand) => {
                    Value::Float(FloatValue::from_bits(exponent, significand, bits(exponent + significand)))
                }
                _ => Value::default_of(sort)?,
            };
            model.set(symbol, value);
        }
        Some(model)
    }
}

impl Stage for Guess {
    fn decide(&mut self, query: &Query<'_>) -> Answer {
        self.statistics.queries += 1;
        if self.is_worth_it(query.terms) {
            let symbols = self.pool.free_symbols(query.terms);
            for filling in FILLINGS {
                let Some(model) = self.model(&symbols, filling) else { break };
                let holds =
                    |&term: &Term| matches!(quod_term::evaluate(&self.pool, term, &model), Some(Value::Bool(true)));
                if query.terms.iter().all(holds) {
                    self.statistics.answered += 1;
                    return Answer::Sat(model);
                }
            }
        }
        self.inner.check(query)
    }

    fn own_statistics(&mut self) -> &mut StageStatistics {
        &mut self.statistics
    }

    fn statistics(&self, into: &mut Vec<StageStatistics>) {
        into.push(self.statistics.clone());
        self.inner.statistics(into);
    }
}
