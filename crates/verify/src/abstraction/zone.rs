//! Differences between pairs of variables: for some pairs, an interval that `a - b` lies in. The variables are integer
//! cells, taken as mathematical integers. Not closed: what follows by one step is found when it is asked for.

use super::number::{FAR, Number};
use imbl::OrdMap;

/// A cell that differences are known of; the numbering is the analysis's.
pub(crate) type Variable = u32;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Zones {
    /// Each pair stands here both ways.
    pairs: OrdMap<(Variable, Variable), Bounds>,
}

/// `low <= a - b <= high`; beyond `FAR` there is no bound.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) low: i128,
    pub(crate) high: i128,
}

/// Pairs that are kept at once.
const MOST_PAIRS: usize = 4000;
const MOST_NEIGHBOURS: usize = 24;

impl Bounds {
    pub(crate) const NONE: Bounds = Bounds { low: -FAR, high: FAR };

    pub(crate) fn new(low: i128, high: i128) -> Self {
        Self { low: low.max(-FAR), high: high.min(FAR) }
    }
    fn is_none(self) -> bool {
        self.low <= -FAR && self.high >= FAR
    }
    fn negate(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }
    pub(crate) fn meet(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }
    fn join(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
    pub(crate) fn add(self, other: Self) -> Self {
        let low = if self.low <= -FAR || other.low <= -FAR { -FAR } else { self.low + other.low };
        let high = if self.high >= FAR || other.high >= FAR { FAR } else { self.high + other.high };
        Self::new(low, high)
    }
    pub(crate) fn is_empty(self) -> bool {
        self.low > self.high
    }
    fn is_within(self, other: Self) -> bool {
        other.low <= self.low && self.high <= other.high
    }
    pub(crate) fn of(a: Number, b: Number) -> Self {
        Self::new(a.low.saturating_sub(b.high), a.high.saturating_sub(b.low))
    }
    /// Bounds that grew go to the next of a few small numbers, or away.
    fn widen(self, newer: Self) -> Self {
        const STEPS: [i128; 3] = [-1, 0, 1];
        let low = match newer.low >= self.low {
            true => self.low,
            false => STEPS.iter().rev().copied().find(|&step| step <= newer.low).unwrap_or(-FAR),
        };
        let high = match newer.high <= self.high {
            true => self.high,
            false => STEPS.iter().copied().find(|&step| step >= newer.high).unwrap_or(FAR),
        };
        Self { low, high }
    }
}

impl Zones {
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    pub(crate) fn neighbours(&self, variable: Variable) -> impl Iterator<Item = (Variable, Bounds)> + '_ {
        self.pairs.range((variable, 0)..=(variable, u32::MAX)).map(|(&(_, other), &bounds)| (other, bounds))
    }

    pub(crate) fn direct(&self, a: Variable, b: Variable) -> Bounds {
        self.pairs.get(&(a, b)).copied().unwrap_or(Bounds::NONE)
    }

    /// What is known of `a - b`, also over one variable between them.
    pub(crate) fn difference(&self, a: Variable, b: Variable) -> Bounds {
        if a == b {
            return Bounds { low: 0, high: 0 };
        }
        let mut bounds = self.direct(a, b);
        for (middle, first) in self.neighbours(a).take(MOST_NEIGHBOURS) {
            if middle != b {
                bounds = bounds.meet(first.add(self.direct(middle, b)));
            }
        }
        bounds
    }

    fn set(&mut self, a: Variable, b: Variable, bounds: Bounds) {
        if bounds.is_none() {
            self.pairs.remove(&(a, b));
            self.pairs.remove(&(b, a));
        } else if self.pairs.len() < MOST_PAIRS || self.pairs.contains_key(&(a, b)) {
            self.pairs.insert((a, b), bounds);
            self.pairs.insert((b, a), bounds.negate());
        }
    }

    /// Adds `a - b` within bounds; false where that is impossible.
    pub(crate) fn constrain(&mut self, a: Variable, b: Variable, bounds: Bounds) -> bool {
        if a == b {
            return bounds.low <= 0 && 0 <= bounds.high;
        }
        let met = self.difference(a, b).meet(bounds);
        if met.is_empty() {
            return false;
        }
        self.set(a, b, met);
        // One step further on both sides.
        let of_a: Vec<_> = self.neighbours(a).filter(|pair| pair.0 != b).take(MOST_NEIGHBOURS).collect();
        let of_b: Vec<_> = self.neighbours(b).filter(|pair| pair.0 != a).take(MOST_NEIGHBOURS).collect();
        for (other, from_b) in of_b {
            let bounds = self.direct(a, other).meet(met.add(from_b));
            if bounds.is_empty() {
                return false;
            }
            self.set(a, other, bounds);
        }
        for (other, from_a) in of_a {
            let bounds = self.direct(other, b).meet(from_a.negate().add(met));
            if bounds.is_empty() {
                return false;
            }
            self.set(other, b, bounds);
        }
        true
    }

    pub(crate) fn forget(&mut self, variable: Variable) {
        let others: Vec<Variable> = self.neighbours(variable).map(|pair| pair.0).collect();
        for other in others {
            self.pairs.remove(&(variable, other));
            self.pairs.remove(&(other, variable));
        }
    }

    pub(crate) fn forget_all(&mut self, is_gone: &dyn Fn(Variable) -> bool) {
        let gone: Vec<(Variable, Variable)> =
            self.pairs.keys().filter(|(a, b)| is_gone(*a) || is_gone(*b)).copied().collect();
        for pair in gone {
            self.pairs.remove(&pair);
        }
    }

    /// `a = a + (something within bounds)`
    pub(crate) fn shift(&mut self, variable: Variable, by: Bounds) {
        let others: Vec<(Variable, Bounds)> = self.neighbours(variable).collect();
        for (other, bounds) in others {
            self.set(variable, other, bounds.add(by));
        }
    }

    /// What both know, with what each side's numbers say of the pairs that only the other has.
    pub(crate) fn join(
        &self,
        other: &Self,
        here: &dyn Fn(Variable) -> Option<Number>,
        there: &dyn Fn(Variable) -> Option<Number>,
    ) -> Self {
        let mut joined = Zones::default();
        if self.pairs.ptr_eq(&other.pairs) {
            return self.clone();
        }
        for (&(a, b), &bounds) in self.pairs.iter().filter(|((a, b), _)| a < b) {
            let theirs = other.known(a, b, there);
            joined.set(a, b, bounds.join(theirs));
        }
        for (&(a, b), &bounds) in other.pairs.iter().filter(|((a, b), _)| a < b) {
            if !self.pairs.contains_key(&(a, b)) {
                joined.set(a, b, self.known(a, b, here).join(bounds));
            }
        }
        joined
    }

    /// Everything known of a pair: differences and the numbers themselves.
    pub(crate) fn known(&self, a: Variable, b: Variable, number: &dyn Fn(Variable) -> Option<Number>) -> Bounds {
        let bounds = self.difference(a, b);
        match (number(a), number(b)) {
            (Some(first), Some(second)) => bounds.meet(Bounds::of(first, second)),
            _ => bounds,
        }
    }

    pub(crate) fn widen(&self, newer: &Self, there: &dyn Fn(Variable) -> Option<Number>) -> Self {
        if self.pairs.ptr_eq(&newer.pairs) {
            return self.clone();
        }
        let mut widened = Zones::default();
        for (&(a, b), &bounds) in self.pairs.iter().filter(|((a, b), _)| a < b) {
            widened.set(a, b, bounds.widen(newer.known(a, b, there)));
        }
        widened
    }

    /// Everything that `other` says follows from this.
    pub(crate) fn is_within(&self, other: &Self, here: &dyn Fn(Variable) -> Option<Number>) -> bool {
        self.pairs.ptr_eq(&other.pairs)
            || other
                .pairs
                .iter()
                .filter(|((a, b), _)| a < b)
                .all(|(&(a, b), &bounds)| self.known(a, b, here).is_within(bounds))
    }
}
