//! Rationals with an infinitesimal part, which turn strict bounds into weak ones: `x < 3` is `x <= 3 - delta`.

use quod_base::Rational;
use std::cmp::Ordering;

#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Delta {
    pub real: Rational,
    pub delta: Rational,
}

impl Delta {
    pub const ZERO: Delta = Delta { real: Rational::ZERO, delta: Rational::ZERO };

    pub fn new(real: Rational, delta: i64) -> Self {
        Self { real, delta: Rational::from(delta) }
    }
    pub fn is_integer(&self) -> bool {
        self.delta.is_zero() && self.real.is_integer()
    }
    /// `self += factor * other`.
    pub fn add_scaled(&mut self, factor: &Rational, other: &Delta) {
        self.real += &(factor * &other.real);
        if !other.delta.is_zero() {
            self.delta += &(factor * &other.delta);
        }
    }
    pub fn minus(&self, other: &Delta) -> Delta {
        Delta { real: &self.real - &other.real, delta: &self.delta - &other.delta }
    }
    pub fn scaled(&self, factor: &Rational) -> Delta {
        let delta = if self.delta.is_zero() { Rational::ZERO } else { &self.delta * factor };
        Delta { real: &self.real * factor, delta }
    }
    /// The largest integer that is not above.
    pub fn floor(&self) -> Rational {
        let floor = self.real.floor();
        if floor == self.real && self.delta.is_negative() { floor - Rational::ONE } else { floor }
    }
}

impl PartialOrd for Delta {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Delta {
    fn cmp(&self, other: &Self) -> Ordering {
        self.real.cmp(&other.real).then_with(|| self.delta.cmp(&other.delta))
    }
}
