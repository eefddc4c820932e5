//! Indices that move on by a constant in each round: which offsets they have passed, and what was written there.

use super::Prover;
use super::facts::Written;
use quod_exec::symbolic::{Place, Spot};
use quod_solver::Model;
use quod_term::{Op, Term};
use rustc_hash::FxHashMap;

/// An index that moves: from where, to where, and by how much.
pub(super) struct Range {
    pub(super) start: Term,
    pub(super) now: Term,
    pub(super) step: i128,
    /// The number that the index counts, where it is one: the symbol, and `index == offset + factor * symbol`.
    pub(super) counter: Option<(Term, Term, i128)>,
}

/// What the spots held before the loop, hold at the head and after a round.
pub(super) struct Moves<'m> {
    pub(super) symbols: &'m [Term],
    pub(super) begun: &'m [Term],
    pub(super) found: &'m [Term],
    /// Values for which the round is taken.
    pub(super) model: &'m Model,
}

const MOST_STEP: i128 = 1 << 12;
/// What an index moves on by when a loop inside is done.
const MOST_STRIDE: i128 = 1 << 28;
/// Subterms of a condition or value that is said of all elements.
pub(super) const MOST_SIZE: usize = 60;

impl Prover<'_, '_> {
    /// How far a loop inside has come when it begins once more.
    pub(super) fn range_around(&self, written: &Written, moves: &Moves<'_>) -> Option<Range> {
        let range = self.range_within(written.start, moves, MOST_STRIDE)?;
        let is_on = range.step != 0 && range.step.signum() == written.step.signum();
        is_on.then_some(Range { step: written.step, ..range })
    }

    /// The writes above an array; nothing where it is not below them.
    pub(super) fn writes(&self, array: Term, below: Term) -> Option<Vec<(Term, Term)>> {
        let pool = &self.machine.domain.pool;
        let mut writes = Vec::new();
        let mut work = vec![array];
        while let Some(array) = work.pop() {
            if array == below {
                continue;
            }
            match pool.op(array) {
                Op::Store => {
                    let write = (pool.arg(array, 1), pool.arg(array, 2));
                    if !writes.contains(&write) {
                        writes.push(write);
                    }
                    work.push(pool.arg(array, 0));
                }
                Op::Ite => work.extend([pool.arg(array, 1), pool.arg(array, 2)]),
                _ => return None,
            }
            if writes.len() > 8 || work.len() > 32 {
                return None;
            }
        }
        Some(writes)
    }

    pub(super) fn bound(&self, index: Term) -> Term {
        let pool = &self.machine.domain.pool;
        pool.symbol("offset of all", pool.sort(index))
    }

    /// How an index over the symbols of the head moves in a round.
    pub(super) fn range(&self, index: Term, moves: &Moves<'_>) -> Option<Range> {
        self.range_within(index, moves, MOST_STEP)
    }

    pub(super) fn range_within(&self, index: Term, moves: &Moves<'_>, most: i128) -> Option<Range> {
        let pool = &self.machine.domain.pool;
        let map = |values: &[Term]| moves.symbols.iter().copied().zip(values.iter().copied()).collect();
        let begin = pool.substitute(index, &map(moves.begun));
        let after = pool.substitute(index, &map(moves.found));
        let step = if after == index {
            0
        } else {
            super::candidates::number(pool, pool.bv_sub(after, index), true, moves.model)?
        };
        if step.abs() > most {
            return None;
        }
        if step == 0 && pool.free_symbols(&[index]).iter().any(|symbol| moves.symbols.contains(symbol)) {
            return None;
        }
        Some(Range { start: begin, now: index, step, counter: self.counter(index) })
    }

    /// The one symbol that an index depends on, where it does so as `offset + factor * symbol`.
    pub(super) fn counter(&self, index: Term) -> Option<(Term, Term, i128)> {
        let pool = &self.machine.domain.pool;
        let [symbol] = pool.free_symbols(&[index])[..] else { return None };
        let width = pool.sort(symbol).width()?;
        let at = |number: u64| pool.substitute(index, &FxHashMap::from_iter([(symbol, pool.bv(width, number))]));
        let number = |term: Term| {
            use num_traits::ToPrimitive;
            pool.bv_constant(term).and_then(|bits| bits.to_signed().to_i128())
        };
        let (zero, one, many) = (number(at(0))?, number(at(1))?, number(at(5))?);
        let factor = one - zero;
        let is_linear = many - zero == 5 * factor && factor != 0 && factor.abs() <= MOST_STEP;
        (is_linear && factor > 0 && (factor & (factor - 1)) == 0).then(|| (symbol, at(0), factor))
    }

    /// The counter where the index is this offset.
    pub(super) fn count_at(&self, &(symbol, zero, factor): &(Term, Term, i128), offset: Term) -> Term {
        let pool = &self.machine.domain.pool;
        let (width, wanted) = (pool.width(offset), pool.width(symbol));
        let distance = pool.bv_sub(offset, zero);
        let count = pool.bv_ashr(distance, pool.bv(width, u64::from(factor.trailing_zeros())));
        match wanted.cmp(&width) {
            std::cmp::Ordering::Less => pool.extract(wanted - 1, 0, count),
            std::cmp::Ordering::Equal => count,
            std::cmp::Ordering::Greater => pool.sign_extend(wanted - width, count),
        }
    }

    /// The index has been at the offset.
    pub(super) fn is_in(&self, range: &Range, offset: Term) -> Term {
        let pool = &self.machine.domain.pool;
        let Range { start, now, step, .. } = *range;
        let on_way = self.is_multiple(pool.bv_sub(offset, start), step.abs());
        match step {
            0 => pool.eq(offset, now),
            1.. => pool.and(&[pool.bv_sle(start, offset), pool.bv_slt(offset, now), on_way]),
            _ => pool.and(&[pool.bv_sle(offset, start), pool.bv_slt(now, offset), on_way]),
        }
    }

    pub(super) fn is_multiple(&self, distance: Term, step: i128) -> Term {
        let pool = &self.machine.domain.pool;
        if step <= 1 {
            return pool.true_();
        }
        if step & (step - 1) == 0 {
            let bits = step.trailing_zeros();
            return pool.eq(pool.extract(bits - 1, 0, distance), pool.bv(bits, 0));
        }
        let width = pool.width(distance);
        pool.eq(pool.bv_urem(distance, pool.bv(width, step as u64)), pool.bv(width, 0))
    }

    /// What was written at an index, as a function of the offset.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn value_at(
        &self,
        value: Term,
        index: Term,
        range: &Range,
        bound: Term,
        moves: &Moves<'_>,
        spots: &[Spot],
        is_as_before: bool,
    ) -> Option<Term> {
        let pool = &self.machine.domain.pool;
        if pool.subterms(&[value]).len() > MOST_SIZE {
            return None;
        }
        let mut map = FxHashMap::default();
        if !pool.is_constant(index) {
            map.insert(index, bound);
        }
        if is_as_before {
            for (at, spot) in spots.iter().enumerate() {
                if matches!(spot.place, Place::Field { .. }) {
                    map.insert(moves.symbols[at], moves.begun[at]);
                }
            }
        }
        let mut value = pool.substitute(value, &map);
        if let Some(counter) = &range.counter {
            value = pool.substitute(value, &FxHashMap::from_iter([(counter.0, self.count_at(counter, bound))]));
        }
        Some(value)
    }
}
