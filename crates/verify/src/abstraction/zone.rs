//! Differences between pairs of variables: for some pairs, an interval that `a - b` lies in. The variables are integer
//! cells, taken as mathematical integers. Not closed: what follows by one step is found when it is asked for.

use super::number::{FAR, Number};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;

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
    /// 0 lies between the bounds, and is not the difference.
    pub(crate) is_apart: bool,
}

/// Pairs that are kept at once.
const MOST_PAIRS: usize = 4000;
const MOST_NEIGHBOURS: usize = 24;
/// Neighbours of a variable that are brought together when it goes.
const MOST_CLOSED: usize = 12;
/// Bounds beyond this are not worth keeping then.
const WORTH: i128 = 1 << 20;

impl Bounds {
    pub(crate) const NONE: Bounds = Bounds { low: -FAR, high: FAR, is_apart: false };

    pub(crate) fn new(low: i128, high: i128) -> Self {
        Self { low: low.max(-FAR), high: high.min(FAR), is_apart: false }
    }
    /// The same, and not 0.
    pub(crate) fn apart(self) -> Self {
        match (self.low, self.high) {
            (0, high) => Self { low: 1, high, is_apart: false },
            (low, 0) => Self { low, high: -1, is_apart: false },
            (low, high) => Self { low, high, is_apart: low < 0 && 0 < high },
        }
    }
    fn has_zero(self) -> bool {
        self.low <= 0 && 0 <= self.high && !self.is_apart
    }
    fn is_none(self) -> bool {
        self.low <= -FAR && self.high >= FAR && !self.is_apart
    }
    fn negate(self) -> Self {
        Self { low: -self.high, high: -self.low, is_apart: self.is_apart }
    }
    pub(crate) fn meet(self, other: Self) -> Self {
        let met = Self { low: self.low.max(other.low), high: self.high.min(other.high), is_apart: false };
        if self.is_apart || other.is_apart { met.apart() } else { met }
    }
    pub(crate) fn join(self, other: Self) -> Self {
        let joined = Self { low: self.low.min(other.low), high: self.high.max(other.high), is_apart: false };
        if self.has_zero() || other.has_zero() { joined } else { joined.apart() }
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
        other.low <= self.low && self.high <= other.high && (!other.is_apart || !self.has_zero())
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
        let wide = Self { low, high, is_apart: false };
        if self.has_zero() || newer.has_zero() { wide } else { wide.apart() }
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
            return Bounds { low: 0, high: 0, is_apart: false };
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

    /// Adds bounds that hold, where they say more than `usual` does.
    pub(crate) fn learn(&mut self, a: Variable, b: Variable, bounds: Bounds, usual: Bounds) {
        let old = self.direct(a, b);
        let is_tighter = bounds.low > usual.low || bounds.high < usual.high;
        if is_tighter && !bounds.is_empty() && !old.is_within(bounds) {
            self.set(a, b, old.meet(bounds));
        }
    }

    /// Adds `a - b` within bounds; false where that is impossible.
    pub(crate) fn constrain(&mut self, a: Variable, b: Variable, bounds: Bounds) -> bool {
        if a == b {
            return bounds.has_zero();
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

    /// Nothing is known of the variable any more; what others knew of each other by it is kept.
    pub(crate) fn forget(&mut self, variable: Variable) {
        let others: Vec<(Variable, Bounds)> = self.neighbours(variable).collect();
        for (index, &(a, first)) in others.iter().enumerate().take(MOST_CLOSED) {
            for &(b, second) in others.iter().skip(index + 1).take(MOST_CLOSED) {
                // a - b = (a - v) + (v - b)
                let bounds = first.negate().add(second);
                let old = self.direct(a, b);
                let met = old.meet(bounds);
                if met != old && !met.is_empty() && (met.low > -WORTH || met.high < WORTH) {
                    self.set(a, b, met);
                }
            }
        }
        for (other, _) in others {
            self.pairs.remove(&(variable, other));
            self.pairs.remove(&(other, variable));
        }
    }

    pub(crate) fn forget_all(&mut self, is_gone: &dyn Fn(Variable) -> bool) {
        let mut gone: Vec<Variable> = self.pairs.keys().map(|pair| pair.0).filter(|id| is_gone(*id)).collect();
        gone.dedup();
        for variable in gone {
            self.forget(variable);
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
        if self.pairs.ptr_eq(&other.pairs) {
            return self.clone();
        }
        let mut joined = self.clone();
        for item in self.pairs.diff(&other.pairs) {
            match item {
                DiffItem::Add(&(a, b), &bounds) if a < b => joined.set(a, b, self.known(a, b, here).join(bounds)),
                DiffItem::Remove(&(a, b), &bounds) if a < b => joined.set(a, b, other.known(a, b, there).join(bounds)),
                DiffItem::Update { old: (&(a, b), &old), new: (_, &new) } if a < b => {
                    joined.set(a, b, old.meet(self.known(a, b, here)).join(new.meet(other.known(a, b, there))));
                }
                _ => {}
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
        let mut widened = self.clone();
        for item in self.pairs.diff(&newer.pairs) {
            match item {
                DiffItem::Remove(&(a, b), &bounds) | DiffItem::Update { old: (&(a, b), &bounds), .. } if a < b => {
                    widened.set(a, b, bounds.widen(newer.known(a, b, there)));
                }
                _ => {}
            }
        }
        widened
    }

    /// Everything that `other` says follows from this.
    pub(crate) fn is_within(&self, other: &Self, here: &dyn Fn(Variable) -> Option<Number>) -> bool {
        if self.pairs.ptr_eq(&other.pairs) {
            return true;
        }
        self.pairs.diff(&other.pairs).all(|item| match item {
            DiffItem::Add(&(a, b), &bounds) | DiffItem::Update { new: (&(a, b), &bounds), .. } => {
                a > b || self.known(a, b, here).is_within(bounds)
            }
            DiffItem::Remove(..) => true,
        })
    }
}
