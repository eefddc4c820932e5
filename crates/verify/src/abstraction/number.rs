//! Sets of mathematical integers: an interval and a congruence. Operations are exact about what the C operation computes
//! before it is wrapped; `wrap` then brings a result into a machine type.

use num_integer::gcd;
use quod_base::int::IntFormat;

/// All `v` with `low <= v <= high` and `v ≡ residue (mod modulus)`; never empty. A single number has modulus 0.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Number {
    pub(crate) low: i128,
    pub(crate) high: i128,
    pub(crate) modulus: i128,
    pub(crate) residue: i128,
    /// 0 lies between the bounds and is not one of the numbers.
    pub(crate) lacks_zero: bool,
}

/// Numbers beyond this are not computed with: sums and differences of two of them stay inside `i128`.
pub(crate) const FAR: i128 = 1 << 120;

impl Number {
    pub(crate) const ZERO: Number = Number { low: 0, high: 0, modulus: 0, residue: 0, lacks_zero: false };

    pub(crate) fn constant(value: i128) -> Self {
        Self { low: value, high: value, modulus: 0, residue: value, lacks_zero: false }
    }

    pub(crate) fn range(low: i128, high: i128) -> Self {
        if low >= high { Self::constant(low) } else { Self { low, high, modulus: 1, residue: 0, lacks_zero: false } }
    }

    pub(crate) fn full(format: IntFormat) -> Self {
        Self::range(format.min(), format.max())
    }

    /// With these bounds and this congruence; none where no number is left.
    pub(crate) fn new(mut low: i128, mut high: i128, modulus: i128, residue: i128) -> Option<Self> {
        if modulus == 0 {
            return (low <= residue && residue <= high).then(|| Self::constant(residue));
        }
        let residue = residue.rem_euclid(modulus);
        if modulus > 1 {
            low += (residue - low).rem_euclid(modulus);
            high -= (high - residue).rem_euclid(modulus);
        }
        match low.cmp(&high) {
            std::cmp::Ordering::Greater => None,
            std::cmp::Ordering::Equal => Some(Self::constant(low)),
            std::cmp::Ordering::Less => Some(Self { low, high, modulus, residue, lacks_zero: false }),
        }
    }

    /// The same without 0.
    fn lacking_zero(self) -> Option<Self> {
        match (self.low, self.high) {
            (0, 0) => None,
            (0, _) => Self::new(1, self.high, self.modulus, self.residue),
            (_, 0) => Self::new(self.low, -1, self.modulus, self.residue),
            (low, high) if low < 0 && 0 < high => Some(Self { lacks_zero: true, ..self }),
            _ => Some(self),
        }
    }
    pub(crate) fn has_zero(self) -> bool {
        self.contains(0)
    }

    pub(crate) fn as_constant(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }
    pub(crate) fn contains(self, value: i128) -> bool {
        let is_congruent = self.modulus == 0 || (value - self.residue).rem_euclid(self.modulus) == 0;
        self.low <= value && value <= self.high && is_congruent && !(self.lacks_zero && value == 0)
    }
    pub(crate) fn is_within(self, other: Self) -> bool {
        let is_congruent = match (self.modulus, other.modulus) {
            (_, 0) => self.as_constant() == Some(other.residue),
            (own, modulus) => (own % modulus) == 0 && (self.residue - other.residue).rem_euclid(modulus) == 0,
        };
        let is_zero_fine = !other.lacks_zero || !self.has_zero();
        other.low <= self.low && self.high <= other.high && is_congruent && is_zero_fine
    }
    pub(crate) fn fits(self, format: IntFormat) -> bool {
        format.min() <= self.low && self.high <= format.max()
    }

    pub(crate) fn join(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let modulus = gcd(gcd(self.modulus, other.modulus), self.residue - other.residue);
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        let joined = Self::new(low, high, modulus, self.residue).unwrap_or(Self::range(low, high));
        if self.has_zero() || other.has_zero() { joined } else { joined.lacking_zero().unwrap_or(joined) }
    }

    pub(crate) fn meet(self, other: Self) -> Option<Self> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        // The finer congruence is kept; their combination would be finer still.
        let finer =
            if self.modulus == 0 || (other.modulus != 0 && self.modulus >= other.modulus) { self } else { other };
        let coarser = if finer == self { other } else { self };
        let mut met = Self::new(low, high, finer.modulus, finer.residue)?;
        if self.lacks_zero || other.lacks_zero {
            met = met.lacking_zero()?;
        }
        match met.as_constant() {
            Some(value) if !coarser.contains(value) => None,
            _ => Some(met),
        }
    }

    /// With these bounds.
    pub(crate) fn between(self, low: i128, high: i128) -> Option<Self> {
        let cut = Self::new(low, high, self.modulus, self.residue)?;
        if self.lacks_zero { cut.lacking_zero() } else { Some(cut) }
    }
    pub(crate) fn at_most(self, bound: i128) -> Option<Self> {
        self.between(self.low, self.high.min(bound))
    }
    pub(crate) fn at_least(self, bound: i128) -> Option<Self> {
        self.between(self.low.max(bound), self.high)
    }
    /// Without one value, where that is at an end.
    pub(crate) fn without(self, value: i128) -> Option<Self> {
        if self.as_constant() == Some(value) {
            None
        } else if value == 0 {
            if self.has_zero() { self.lacking_zero() } else { Some(self) }
        } else if self.low == value {
            self.at_least(value + 1)
        } else if self.high == value {
            self.at_most(value - 1)
        } else {
            Some(self)
        }
    }

    /// Bounds that grew jump to the next threshold, and to the ends of `full` behind the last.
    pub(crate) fn widen(self, newer: Self, thresholds: &[i128], full: Self) -> Self {
        let joined = self.join(newer);
        let low = if joined.low >= self.low {
            self.low
        } else {
            let index = thresholds.partition_point(|&threshold| threshold <= joined.low);
            let next = index.checked_sub(1).map_or(full.low, |index| thresholds[index]);
            next.max(full.low).min(joined.low)
        };
        let high = if joined.high <= self.high {
            self.high
        } else {
            let index = thresholds.partition_point(|&threshold| threshold < joined.high);
            let next = thresholds.get(index).copied().unwrap_or(full.high);
            next.min(full.high).max(joined.high)
        };
        let wide = Self::new(low, high, joined.modulus, joined.residue).unwrap_or(Self::range(low, high));
        if joined.has_zero() { wide } else { wide.lacking_zero().unwrap_or(wide) }
    }

    fn checked(self) -> Option<Self> {
        (-FAR < self.low && self.high < FAR).then_some(self)
    }

    pub(crate) fn add(self, other: Self) -> Option<Self> {
        let modulus = gcd(self.modulus, other.modulus);
        let (low, high) = (self.low.checked_add(other.low)?, self.high.checked_add(other.high)?);
        Self::new(low, high, modulus, self.residue.checked_add(other.residue)?)?.checked()
    }
    pub(crate) fn negate(self) -> Option<Self> {
        let negated =
            Self::new(self.high.checked_neg()?, self.low.checked_neg()?, self.modulus, self.residue.checked_neg()?)?;
        Some(Self { lacks_zero: self.lacks_zero, ..negated })
    }
    pub(crate) fn subtract(self, other: Self) -> Option<Self> {
        self.add(other.negate()?)
    }
    pub(crate) fn multiply(self, other: Self) -> Option<Self> {
        if let Some(factor) = other.as_constant() {
            return self.scale(factor);
        }
        if let Some(factor) = self.as_constant() {
            return other.scale(factor);
        }
        let products = [
            self.low.checked_mul(other.low)?,
            self.low.checked_mul(other.high)?,
            self.high.checked_mul(other.low)?,
            self.high.checked_mul(other.high)?,
        ];
        let (low, high) = (*products.iter().min()?, *products.iter().max()?);
        Some(Self::range(low, high)).and_then(Self::checked)
    }
    pub(crate) fn scale(self, factor: i128) -> Option<Self> {
        let (one, two) = (self.low.checked_mul(factor)?, self.high.checked_mul(factor)?);
        let modulus = self.modulus.checked_mul(factor)?.abs();
        Self::new(one.min(two), one.max(two), modulus, self.residue.checked_mul(factor)?)?.checked()
    }

    /// Rounds towards zero. None where the divisor may be zero.
    pub(crate) fn divide(self, other: Self) -> Option<Self> {
        if other.has_zero() {
            return None;
        }
        if other.low < 0 && 0 < other.high {
            let most = self.low.checked_abs()?.max(self.high.checked_abs()?);
            return Some(Self::range(-most, most));
        }
        let quotients = [self.low / other.low, self.low / other.high, self.high / other.low, self.high / other.high];
        let (mut low, mut high) = (*quotients.iter().min()?, *quotients.iter().max()?);
        if self.low <= 0 && 0 <= self.high {
            (low, high) = (low.min(0), high.max(0));
        }
        Some(Self::range(low, high))
    }

    /// The sign is the dividend's. None where the divisor may be zero.
    pub(crate) fn remainder(self, other: Self) -> Option<Self> {
        if other.has_zero() {
            return None;
        }
        let largest = other.low.checked_abs()?.max(other.high.checked_abs()?) - 1;
        let smallest =
            if other.low < 0 && 0 < other.high { 1 } else { other.low.checked_abs()?.min(other.high.checked_abs()?) };
        if self.low >= 0 && self.high < smallest {
            return Some(self);
        }
        if let (Some(a), Some(b)) = (self.as_constant(), other.as_constant()) {
            return Some(Self::constant(a % b));
        }
        let low = if self.low >= 0 { 0 } else { (-largest).max(self.low) };
        let high = if self.high <= 0 { 0 } else { largest.min(self.high) };
        // `x % 4` of an even number is even.
        let modulus = other.as_constant().map_or(1, |divisor| gcd(self.modulus, divisor));
        let residue = self.residue;
        if modulus > 1 { Self::new(low, high, modulus, residue) } else { Some(Self::range(low, high)) }
    }

    pub(crate) fn shift_left(self, amount: Self, format: IntFormat) -> Option<Self> {
        if amount.low < 0 || amount.high >= i128::from(format.bits) {
            return None;
        }
        self.multiply(Self::range(1 << amount.low, 1 << amount.high))
    }
    pub(crate) fn shift_right(self, amount: Self, format: IntFormat) -> Option<Self> {
        if amount.low < 0 || amount.high >= i128::from(format.bits) {
            return None;
        }
        let ends = [self.low >> amount.low, self.low >> amount.high, self.high >> amount.low, self.high >> amount.high];
        Some(Self::range(*ends.iter().min()?, *ends.iter().max()?))
    }

    pub(crate) fn bit_and(self, other: Self) -> Option<Self> {
        if let (Some(a), Some(b)) = (self.as_constant(), other.as_constant()) {
            return Some(Self::constant(a & b));
        }
        match (self.low >= 0, other.low >= 0) {
            (true, true) => {
                // `x & 1` of a number whose lowest bit is known.
                for (mask, number) in [(self, other), (other, self)] {
                    if mask.as_constant() == Some(1) && number.modulus % 2 == 0 {
                        return Some(Self::constant(number.residue.rem_euclid(2)));
                    }
                }
                Some(Self::range(0, self.high.min(other.high)))
            }
            (true, false) => Some(Self::range(0, self.high)),
            (false, true) => Some(Self::range(0, other.high)),
            (false, false) => None,
        }
    }
    pub(crate) fn bit_or(self, other: Self) -> Option<Self> {
        if let (Some(a), Some(b)) = (self.as_constant(), other.as_constant()) {
            return Some(Self::constant(a | b));
        }
        if self.low < 0 || other.low < 0 {
            return None;
        }
        Some(Self::range(self.low.max(other.low), Self::ones(self.high.max(other.high))))
    }
    pub(crate) fn bit_xor(self, other: Self) -> Option<Self> {
        if let (Some(a), Some(b)) = (self.as_constant(), other.as_constant()) {
            return Some(Self::constant(a ^ b));
        }
        if self.low < 0 || other.low < 0 {
            return None;
        }
        Some(Self::range(0, Self::ones(self.high.max(other.high))))
    }
    /// The least `2^k - 1` that is not smaller.
    fn ones(value: i128) -> i128 {
        let bits = 128 - value.leading_zeros();
        if bits >= 127 { i128::MAX } else { (1 << bits) - 1 }
    }

    /// The values in a machine type, wrapped around.
    pub(crate) fn wrap(self, format: IntFormat) -> Self {
        if self.fits(format) {
            return self;
        }
        if let Some(value) = self.as_constant() {
            return Self::constant(format.wrap(value));
        }
        let full = Self::full(format);
        if format.bits >= 120 {
            return full;
        }
        let size = 1i128 << format.bits;
        let modulus = gcd(self.modulus, size);
        let window = |value: i128| (value - format.min()).div_euclid(size);
        if window(self.low) == window(self.high) {
            let shift = window(self.low) * size;
            return Self::new(self.low - shift, self.high - shift, modulus, self.residue).unwrap_or(full);
        }
        Self::new(full.low, full.high, modulus, self.residue).unwrap_or(full)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Number> {
        let mut all = Vec::new();
        for low in -9..9 {
            for high in low..9 {
                all.extend([1, 2, 3, 4].iter().filter_map(|&modulus| Number::new(low, high, modulus, 1)));
            }
        }
        all
    }
    fn members(number: Number) -> impl Iterator<Item = i128> {
        (number.low..=number.high).filter(move |&value| number.contains(value))
    }

    #[test]
    fn operations_contain_what_members_give() {
        let format = IntFormat::signed(4);
        let all = samples();
        for (index, &a) in all.iter().enumerate() {
            for &b in all.iter().skip(index % 7).step_by(7) {
                let (join, meet) = (a.join(b), a.meet(b));
                for x in members(a) {
                    assert!(join.contains(x), "{a:?} {b:?}");
                    assert!(!b.contains(x) || meet.is_some_and(|meet| meet.contains(x)), "{a:?} {b:?} {x}");
                    for y in members(b) {
                        let cases = [
                            (a.add(b), Some(x + y)),
                            (a.subtract(b), Some(x - y)),
                            (a.multiply(b), Some(x * y)),
                            (a.divide(b), x.checked_div(y)),
                            (a.remainder(b), x.checked_rem(y)),
                            (a.bit_and(b), Some(x & y)),
                            (a.bit_or(b), Some(x | y)),
                            (a.bit_xor(b), Some(x ^ y)),
                            (a.shift_right(b, format), (0..4).contains(&y).then(|| x >> y.clamp(0, 3))),
                            (a.shift_left(b, format), (0..4).contains(&y).then(|| x << y.clamp(0, 3))),
                        ];
                        for (position, (set, value)) in cases.into_iter().enumerate() {
                            if let (Some(set), Some(value)) = (set, value) {
                                assert!(set.contains(value), "{position}: {a:?} {b:?} {x} {y}");
                                assert!(set.wrap(format).contains(format.wrap(value)), "wrap {set:?} {value}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn widening_ends_and_contains() {
        let full = Number::range(-128, 127);
        let widened = Number::range(0, 1).widen(Number::range(0, 2), &[-1, 0, 10], full);
        assert_eq!((widened.low, widened.high), (0, 10));
        let widened = widened.widen(Number::range(-1, 11), &[-1, 0, 10], full);
        assert_eq!((widened.low, widened.high), (-1, 127));
    }
}
