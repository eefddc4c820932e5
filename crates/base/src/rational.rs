//! Exact rationals: a pair of `i64` in line, a boxed big rational behind when that overflows.
//!
//! The small form is always reduced, with a positive denominator, and a value that fits the small form is never kept in
//! the big one, so equality and hashing are structural.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64, i64),
    Big(Box<BigRational>),
}

/// An exact rational number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Repr);

/// The greatest common divisor of magnitudes; `gcd(0, n) = n`.
fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn gcd128(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if a <= u128::from(u64::MAX) && b <= u128::from(u64::MAX) {
            return u128::from(gcd(a as u64, b as u64));
        }
        (a, b) = (b, a % b);
    }
    a
}

impl Rational {
    pub const ZERO: Rational = Rational(Repr::Small(0, 1));
    pub const ONE: Rational = Rational(Repr::Small(1, 1));
    pub const MINUS_ONE: Rational = Rational(Repr::Small(-1, 1));

    /// `numerator / denominator`, reduced; `None` for a zero denominator.
    pub fn new(numerator: i64, denominator: i64) -> Option<Self> {
        (denominator != 0).then(|| Self::reduce128(i128::from(numerator), i128::from(denominator)))
    }

    pub fn from_big(numerator: BigInt, denominator: BigInt) -> Option<Self> {
        (!denominator.is_zero()).then(|| Self::normal(BigRational::new(numerator, denominator)))
    }

    pub fn from_bigint(value: BigInt) -> Self {
        match value.to_i64() {
            Some(small) => Self(Repr::Small(small, 1)),
            None => Self(Repr::Big(Box::new(BigRational::from_integer(value)))),
        }
    }

    fn normal(value: BigRational) -> Self {
        match (value.numer().to_i64(), value.denom().to_i64()) {
            (Some(numerator), Some(denominator)) => Self(Repr::Small(numerator, denominator)),
            _ => Self(Repr::Big(Box::new(value))),
        }
    }

    fn reduce128(numerator: i128, denominator: i128) -> Self {
        let divisor = gcd128(numerator.unsigned_abs(), denominator.unsigned_abs());
        let (numerator, denominator) = if divisor > 1 {
            // The divisor of two i128 magnitudes that came from i64 products fits i128.
            (numerator / divisor as i128, denominator / divisor as i128)
        } else {
            (numerator, denominator)
        };
        let (numerator, denominator) =
            if denominator < 0 { (-numerator, -denominator) } else { (numerator, denominator) };
        match (i64::try_from(numerator), i64::try_from(denominator)) {
            (Ok(numerator), Ok(denominator)) => Self(Repr::Small(numerator, denominator)),
            _ => Self(Repr::Big(Box::new(BigRational::new_raw(numerator.into(), denominator.into())))),
        }
    }

    fn to_big(&self) -> BigRational {
        match &self.0 {
            Repr::Small(numerator, denominator) => BigRational::new_raw((*numerator).into(), (*denominator).into()),
            Repr::Big(value) => (**value).clone(),
        }
    }

    pub fn numerator(&self) -> BigInt {
        match &self.0 {
            Repr::Small(numerator, _) => (*numerator).into(),
            Repr::Big(value) => value.numer().clone(),
        }
    }

    /// Always positive.
    pub fn denominator(&self) -> BigInt {
        match &self.0 {
            Repr::Small(_, denominator) => (*denominator).into(),
            Repr::Big(value) => value.denom().clone(),
        }
    }

    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0, _))
    }
    pub fn is_one(&self) -> bool {
        matches!(self.0, Repr::Small(1, 1))
    }
    pub fn is_positive(&self) -> bool {
        match &self.0 {
            Repr::Small(numerator, _) => *numerator > 0,
            Repr::Big(value) => value.is_positive(),
        }
    }
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(numerator, _) => *numerator < 0,
            Repr::Big(value) => value.is_negative(),
        }
    }
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small(_, denominator) => *denominator == 1,
            Repr::Big(value) => value.is_integer(),
        }
    }

    /// The value as a pair of machine integers, if it is small.
    pub fn as_small(&self) -> Option<(i64, i64)> {
        match self.0 {
            Repr::Small(numerator, denominator) => Some((numerator, denominator)),
            Repr::Big(_) => None,
        }
    }

    /// The value as an `i64`, if it is an integer and fits.
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Small(numerator, 1) => Some(numerator),
            _ => None,
        }
    }

    pub fn to_bigint(&self) -> Option<BigInt> {
        self.is_integer().then(|| self.numerator())
    }

    pub fn abs(&self) -> Self {
        if self.is_negative() { -self } else { self.clone() }
    }

    pub fn floor(&self) -> Self {
        match &self.0 {
            Repr::Small(_, 1) => self.clone(),
            Repr::Small(numerator, denominator) => Self(Repr::Small(numerator.div_euclid(*denominator), 1)),
            Repr::Big(value) => Self::from_bigint(value.floor().to_integer()),
        }
    }

    pub fn ceil(&self) -> Self {
        -&(-self).floor()
    }

    /// `1 / self`; `None` for zero.
    pub fn recip(&self) -> Option<Self> {
        match &self.0 {
            Repr::Small(0, _) => None,
            Repr::Small(numerator, denominator) => {
                Some(Self::reduce128(i128::from(*denominator), i128::from(*numerator)))
            }
            Repr::Big(value) => Some(Self::normal(value.recip())),
        }
    }

    /// `self / other`; `None` when `other` is zero.
    pub fn checked_div(&self, other: &Self) -> Option<Self> {
        other.recip().map(|inverse| self * &inverse)
    }

    pub fn pow(&self, exponent: u32) -> Self {
        let mut result = Self::ONE;
        let mut base = self.clone();
        let mut rest = exponent;
        while rest > 0 {
            if rest & 1 == 1 {
                result = &result * &base;
            }
            rest >>= 1;
            if rest > 0 {
                base = &base * &base;
            }
        }
        result
    }

    /// Integer division as SMT-LIB's `div`: `self = other * q + r` with `0 <= r < |other|`. `None` for divisor zero.
    pub fn div_euclid(&self, other: &Self) -> Option<Self> {
        if let (Some(a), Some(b)) = (self.to_i64(), other.to_i64())
            && let Some(quotient) = a.checked_div_euclid(b)
        {
            return Some(Self::from(quotient));
        }
        let quotient = self.checked_div(other)?;
        Some(if other.is_negative() { quotient.ceil() } else { quotient.floor() })
    }

    /// The remainder that goes with [`Self::div_euclid`].
    pub fn rem_euclid(&self, other: &Self) -> Option<Self> {
        let quotient = self.div_euclid(other)?;
        Some(self - &(&quotient * other))
    }

    /// The greatest rational of which both are integer multiples; not negative.
    pub fn gcd(&self, other: &Self) -> Self {
        if self.is_integer() && other.is_integer() {
            return self.gcd_integers(other);
        }
        let numerator = self.numerator().gcd(&other.numerator());
        Self::normal(BigRational::new(numerator, self.denominator().lcm(&other.denominator())))
    }

    /// The greatest common divisor of two integers' magnitudes (the larger rationals' numerators are used as they are).
    pub fn gcd_integers(&self, other: &Self) -> Self {
        match (self.to_i64(), other.to_i64()) {
            (Some(a), Some(b)) => Self::from_bigint(gcd(a.unsigned_abs(), b.unsigned_abs()).into()),
            _ => Self::from_bigint(self.numerator().gcd(&other.numerator())),
        }
    }
}

impl From<i64> for Rational {
    fn from(value: i64) -> Self {
        Self(Repr::Small(value, 1))
    }
}
impl From<i32> for Rational {
    fn from(value: i32) -> Self {
        Self(Repr::Small(value.into(), 1))
    }
}
impl From<BigInt> for Rational {
    fn from(value: BigInt) -> Self {
        Self::from_bigint(value)
    }
}
impl Default for Rational {
    fn default() -> Self {
        Self::ZERO
    }
}
impl Zero for Rational {
    fn zero() -> Self {
        Self::ZERO
    }
    fn is_zero(&self) -> bool {
        Rational::is_zero(self)
    }
}
impl One for Rational {
    fn one() -> Self {
        Self::ONE
    }
}

fn add(a: &Rational, b: &Rational) -> Rational {
    if let (Repr::Small(an, ad), Repr::Small(bn, bd)) = (&a.0, &b.0) {
        if *ad == 1
            && *bd == 1
            && let Some(sum) = an.checked_add(*bn)
        {
            return Rational(Repr::Small(sum, 1));
        }
        let left = i128::from(*an) * i128::from(*bd);
        let right = i128::from(*bn) * i128::from(*ad);
        // Each product is below 2^126 in magnitude, so the sum does not overflow.
        return Rational::reduce128(left + right, i128::from(*ad) * i128::from(*bd));
    }
    Rational::normal(a.to_big() + b.to_big())
}

fn mul(a: &Rational, b: &Rational) -> Rational {
    if let (Repr::Small(an, ad), Repr::Small(bn, bd)) = (&a.0, &b.0) {
        if *ad == 1
            && *bd == 1
            && let Some(product) = an.checked_mul(*bn)
        {
            return Rational(Repr::Small(product, 1));
        }
        return Rational::reduce128(i128::from(*an) * i128::from(*bn), i128::from(*ad) * i128::from(*bd));
    }
    Rational::normal(a.to_big() * b.to_big())
}

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        match &self.0 {
            Repr::Small(numerator, denominator) => match numerator.checked_neg() {
                Some(negated) => Rational(Repr::Small(negated, *denominator)),
                None => Rational::normal(-self.to_big()),
            },
            Repr::Big(value) => Rational::normal(-(**value).clone()),
        }
    }
}
impl Neg for Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        -&self
    }
}

macro_rules! forward {
    ($($trait:ident, $method:ident, |$a:ident, $b:ident| $body:expr;)*) => {$(
        impl $trait<&Rational> for &Rational {
            type Output = Rational;
            fn $method(self, other: &Rational) -> Rational {
                let ($a, $b) = (self, other);
                $body
            }
        }
        impl $trait<Rational> for Rational {
            type Output = Rational;
            fn $method(self, other: Rational) -> Rational {
                $trait::$method(&self, &other)
            }
        }
        impl $trait<&Rational> for Rational {
            type Output = Rational;
            fn $method(self, other: &Rational) -> Rational {
                $trait::$method(&self, other)
            }
        }
    )*};
}

forward! {
    Add, add, |a, b| add(a, b);
    Sub, sub, |a, b| add(a, &-b);
    Mul, mul, |a, b| mul(a, b);
    // As for machine integers, dividing by zero is the caller's bug; `checked_div` is the total form.
    Div, div, |a, b| a.checked_div(b).expect("division of a rational by zero");
}

impl AddAssign<&Rational> for Rational {
    fn add_assign(&mut self, other: &Rational) {
        *self = add(self, other);
    }
}
impl SubAssign<&Rational> for Rational {
    fn sub_assign(&mut self, other: &Rational) {
        *self = add(self, &-other);
    }
}
impl MulAssign<&Rational> for Rational {
    fn mul_assign(&mut self, other: &Rational) {
        *self = mul(self, other);
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(an, ad), Repr::Small(bn, bd)) => {
                (i128::from(*an) * i128::from(*bd)).cmp(&(i128::from(*bn) * i128::from(*ad)))
            }
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

/// `3`, `-7`, `1/3`.
impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(numerator, 1) => write!(f, "{numerator}"),
            Repr::Small(numerator, denominator) => write!(f, "{numerator}/{denominator}"),
            Repr::Big(value) => write!(f, "{value}"),
        }
    }
}
impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn r(numerator: i64, denominator: i64) -> Rational {
        Rational::new(numerator, denominator).expect("non-zero denominator")
    }

    #[test]
    fn small_arithmetic_is_reduced() {
        assert_eq!(r(1, 3) + r(1, 6), r(1, 2));
        assert_eq!(r(2, 3) * r(3, 4), r(1, 2));
        assert_eq!(r(1, -2), r(-1, 2));
        assert_eq!(r(-7, 2).floor(), Rational::from(-4));
        assert_eq!(r(-7, 2).ceil(), Rational::from(-3));
        assert!(r(1, 3) < r(1, 2));
        assert!(Rational::new(1, 0).is_none());
    }

    #[test]
    fn integer_division_leaves_no_negative_remainder() {
        for a in [7, -7, 0, i64::MIN, i64::MAX] {
            for b in [2, -2, 1, -1, i64::MIN] {
                let (a, b) = (Rational::from(a), Rational::from(b));
                let remainder = a.rem_euclid(&b).expect("divisor is not zero");
                assert!(!remainder.is_negative() && remainder < b.abs(), "{a} mod {b} = {remainder}");
            }
        }
        assert!(Rational::ONE.div_euclid(&Rational::ZERO).is_none());
        assert_eq!(r(1, 2).gcd(&r(1, 3)), r(1, 6));
    }

    #[test]
    fn overflow_goes_big_and_comes_back() {
        let max = Rational::from(i64::MAX);
        let squared = &max * &max;
        assert!(squared.as_small().is_none());
        assert_eq!(squared.checked_div(&max), Some(max.clone()));
        let min = Rational::from(i64::MIN);
        assert_eq!(-&-&min, min);
        assert_eq!((&min - &max) + &max, min);
        assert_eq!(min.recip().and_then(|x| x.recip()), Some(min));
        assert_eq!(r(i64::MAX, 2) + r(1, i64::MAX), r(1, i64::MAX) + r(i64::MAX, 2));
    }
}
