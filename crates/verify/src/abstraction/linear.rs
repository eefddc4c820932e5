//! Linear forms over integer cells: what an expression is, exactly, where nothing in it wraps around.

use super::number::Number;
use super::state::{State, World};
use super::zone::{Bounds, Variable};

#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Linear {
    /// Sorted by variable, factors not zero.
    pub(crate) terms: Vec<(Variable, i128)>,
    pub(crate) constant: i128,
}

const MOST_TERMS: usize = 6;

impl Linear {
    pub(crate) fn constant(constant: i128) -> Self {
        Self { terms: Vec::new(), constant }
    }
    pub(crate) fn variable(variable: Variable) -> Self {
        Self { terms: vec![(variable, 1)], constant: 0 }
    }

    pub(crate) fn add(&self, other: &Self, factor: i128) -> Option<Self> {
        let mut terms = self.terms.clone();
        for &(variable, by) in &other.terms {
            let by = by.checked_mul(factor)?;
            match terms.binary_search_by_key(&variable, |term| term.0) {
                Ok(index) => {
                    terms[index].1 = terms[index].1.checked_add(by)?;
                    if terms[index].1 == 0 {
                        terms.remove(index);
                    }
                }
                Err(index) => terms.insert(index, (variable, by)),
            }
        }
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        (terms.len() <= MOST_TERMS).then_some(Self { terms, constant })
    }

    pub(crate) fn scale(&self, factor: i128) -> Option<Self> {
        Self::default().add(self, factor)
    }

    /// Without one variable's term.
    pub(crate) fn without(&self, variable: Variable) -> Self {
        let terms = self.terms.iter().filter(|term| term.0 != variable).copied().collect();
        Self { terms, constant: self.constant }
    }

    /// All numbers that it can be.
    pub(crate) fn range(&self, world: &World<'_>, state: &State) -> Option<Number> {
        let mut sum = Number::constant(self.constant);
        for &(variable, factor) in &self.terms {
            sum = sum.add(world.tight_number(state, variable)?.scale(factor)?)?;
        }
        // Two variables of opposite sign: their difference may be known better than they are.
        for (index, &(a, by)) in self.terms.iter().enumerate() {
            for &(b, minus) in &self.terms[index + 1..] {
                if by != -minus || by.abs() > 1 << 32 {
                    continue;
                }
                let bounds = if by > 0 { state.zones.difference(a, b) } else { state.zones.difference(b, a) };
                if bounds == Bounds::NONE {
                    continue;
                }
                let rest = self.without(a).without(b).range(world, state)?;
                let factor = by.abs();
                let far = |bound: i128| bound.abs() >= super::number::FAR;
                let scaled = |bound: i128| if far(bound) { None } else { bound.checked_mul(factor) };
                let low = scaled(bounds.low).and_then(|low| low.checked_add(rest.low)).unwrap_or(i128::MIN);
                let high = scaled(bounds.high).and_then(|high| high.checked_add(rest.high)).unwrap_or(i128::MAX);
                if low > sum.low || high < sum.high {
                    sum = sum.between(sum.low.max(low), sum.high.min(high))?;
                }
                if bounds.is_apart && rest == Number::ZERO {
                    sum = sum.without(0)?;
                }
            }
        }
        Some(sum)
    }
}
