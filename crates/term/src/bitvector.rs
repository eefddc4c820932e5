//! Concrete bit-vectors of any width with SMT-LIB's operations: one machine word up to 64 bits, big integers above.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;

/// A concrete bit-vector. Bits above the width are zero.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BitVector {
    width: u32,
    bits: Bits,
}

/// `Small` exactly when the width is at most 64.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Bits {
    Small(u64),
    Big(BigUint),
}
use Bits::{Big, Small};

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

impl BitVector {
    /// The low `width` bits of `value`.
    pub fn new(width: u32, value: u64) -> Self {
        let bits = if width <= 64 { Small(value & mask(width)) } else { Big(BigUint::from(value)) };
        Self { width, bits }
    }
    /// The low `width` bits of `value`.
    pub fn from_biguint(width: u32, value: &BigUint) -> Self {
        if width <= 64 {
            let low = value.iter_u64_digits().next().unwrap_or(0);
            return Self::new(width, low);
        }
        let modulus = BigUint::one() << width;
        let bits = if *value < modulus { value.clone() } else { value % modulus };
        Self { width, bits: Big(bits) }
    }
    /// `value` modulo 2^width.
    pub fn from_bigint(width: u32, value: &BigInt) -> Self {
        let (sign, magnitude) = (value.sign(), value.magnitude());
        let positive = Self::from_biguint(width, magnitude);
        if sign == num_bigint::Sign::Minus { positive.neg() } else { positive }
    }
    pub fn from_i64(width: u32, value: i64) -> Self {
        if width <= 64 { Self::new(width, value as u64) } else { Self::from_bigint(width, &value.into()) }
    }
    pub fn zero(width: u32) -> Self {
        Self::new(width, 0)
    }
    pub fn one(width: u32) -> Self {
        Self::new(width, 1)
    }
    pub fn all_ones(width: u32) -> Self {
        Self::zero(width).not()
    }
    /// The least value in two's complement: only the top bit set.
    pub fn min_signed(width: u32) -> Self {
        Self::one(width).shl_by(width - 1)
    }
    pub fn from_bool(value: bool) -> Self {
        Self::new(1, u64::from(value))
    }

    pub fn width(&self) -> u32 {
        self.width
    }
    pub fn is_zero(&self) -> bool {
        match &self.bits {
            Small(bits) => *bits == 0,
            Big(bits) => bits.is_zero(),
        }
    }
    pub fn is_one(&self) -> bool {
        self.to_u64() == Some(1)
    }
    pub fn is_all_ones(&self) -> bool {
        match &self.bits {
            Small(bits) => *bits == mask(self.width),
            Big(bits) => bits.count_ones() == u64::from(self.width),
        }
    }
    /// Set exactly in the top bit.
    pub fn is_min_signed(&self) -> bool {
        self.count_ones() == 1 && self.bit(self.width - 1)
    }
    pub fn count_ones(&self) -> u64 {
        match &self.bits {
            Small(bits) => bits.count_ones().into(),
            Big(bits) => bits.count_ones(),
        }
    }
    /// `Some(k)` for 2^k.
    pub fn power_of_two(&self) -> Option<u32> {
        (self.count_ones() == 1).then(|| self.trailing_zeros())
    }
    /// How many low bits are zero; the width for zero.
    pub fn trailing_zeros(&self) -> u32 {
        match &self.bits {
            Small(0) => self.width,
            Small(bits) => bits.trailing_zeros(),
            Big(bits) => bits.trailing_zeros().map_or(self.width, |count| count as u32),
        }
    }
    /// How many high bits are zero.
    pub fn leading_zeros(&self) -> u32 {
        match &self.bits {
            Small(bits) => bits.leading_zeros() - (64 - self.width),
            Big(bits) => self.width - bits.bits() as u32,
        }
    }
    pub fn bit(&self, place: u32) -> bool {
        match &self.bits {
            Small(bits) => place < 64 && bits >> place & 1 == 1,
            Big(bits) => bits.bit(place.into()),
        }
    }
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }
    pub fn to_u64(&self) -> Option<u64> {
        match &self.bits {
            Small(bits) => Some(*bits),
            Big(bits) => bits.to_u64(),
        }
    }
    pub fn to_u32(&self) -> Option<u32> {
        self.to_u64().and_then(|value| value.try_into().ok())
    }
    pub fn to_biguint(&self) -> BigUint {
        match &self.bits {
            Small(bits) => BigUint::from(*bits),
            Big(bits) => bits.clone(),
        }
    }
    /// The value read as two's complement.
    pub fn to_signed(&self) -> BigInt {
        let value = BigInt::from(self.to_biguint());
        if self.is_negative() { value - (BigInt::one() << self.width) } else { value }
    }
    pub fn to_i64(&self) -> Option<i64> {
        match &self.bits {
            Small(bits) => Some((*bits << (64 - self.width)) as i64 >> (64 - self.width)),
            Big(_) => self.to_signed().to_i64(),
        }
    }

    fn small(&self, bits: u64) -> Self {
        Self { width: self.width, bits: Small(bits & mask(self.width)) }
    }
    fn big(&self, bits: &BigUint) -> Self {
        Self::from_biguint(self.width, bits)
    }

    #[must_use]
    pub fn not(&self) -> Self {
        match &self.bits {
            Small(bits) => self.small(!bits),
            Big(bits) => self.big(&(((BigUint::one() << self.width) - 1u32) ^ bits)),
        }
    }
    #[must_use]
    pub fn neg(&self) -> Self {
        match &self.bits {
            Small(bits) => self.small(bits.wrapping_neg()),
            Big(bits) => self.big(&((BigUint::one() << self.width) - bits)),
        }
    }
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        match (&self.bits, &other.bits) {
            (Small(a), Small(b)) => self.small(a & b),
            _ => self.big(&(self.to_biguint() & other.to_biguint())),
        }
    }
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        match (&self.bits, &other.bits) {
            (Small(a), Small(b)) => self.small(a | b),
            _ => self.big(&(self.to_biguint() | other.to_biguint())),
        }
    }
    #[must_use]
    pub fn xor(&self, other: &Self) -> Self {
        match (&self.bits, &other.bits) {
            (Small(a), Small(b)) => self.small(a ^ b),
            _ => self.big(&(self.to_biguint() ^ other.to_biguint())),
        }
    }
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        match (&self.bits, &other.bits) {
            (Small(a), Small(b)) => self.small(a.wrapping_add(*b)),
            _ => self.big(&(self.to_biguint() + other.to_biguint())),
        }
    }
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        self.add(&other.neg())
    }
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        match (&self.bits, &other.bits) {
            (Small(a), Small(b)) => self.small(a.wrapping_mul(*b)),
            _ => self.big(&(self.to_biguint() * other.to_biguint())),
        }
    }
    /// All ones for divisor zero.
    #[must_use]
    pub fn udiv(&self, other: &Self) -> Self {
        if other.is_zero() {
            return Self::all_ones(self.width);
        }
        match (&self.bits, &other.bits) {
            (Small(a), Small(b)) => self.small(a / b),
            _ => self.big(&(self.to_biguint() / other.to_biguint())),
        }
    }
    /// The dividend for divisor zero.
    #[must_use]
    pub fn urem(&self, other: &Self) -> Self {
        if other.is_zero() {
            return self.clone();
        }
        match (&self.bits, &other.bits) {
            (Small(a), Small(b)) => self.small(a % b),
            _ => self.big(&(self.to_biguint() % other.to_biguint())),
        }
    }
    fn magnitude(&self) -> Self {
        if self.is_negative() { self.neg() } else { self.clone() }
    }
    #[must_use]
    pub fn sdiv(&self, other: &Self) -> Self {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.is_negative() == other.is_negative() { quotient } else { quotient.neg() }
    }
    /// The sign follows the dividend.
    #[must_use]
    pub fn srem(&self, other: &Self) -> Self {
        let remainder = self.magnitude().urem(&other.magnitude());
        if self.is_negative() { remainder.neg() } else { remainder }
    }
    /// The sign follows the divisor.
    #[must_use]
    pub fn smod(&self, other: &Self) -> Self {
        let remainder = self.magnitude().urem(&other.magnitude());
        if remainder.is_zero() {
            return remainder;
        }
        match (self.is_negative(), other.is_negative()) {
            (false, false) => remainder,
            (true, false) => remainder.neg().add(other),
            (false, true) => remainder.add(other),
            (true, true) => remainder.neg(),
        }
    }
    #[must_use]
    pub fn shl_by(&self, amount: u32) -> Self {
        if amount >= self.width {
            return Self::zero(self.width);
        }
        match &self.bits {
            Small(bits) => self.small(bits << amount),
            Big(bits) => self.big(&(bits << amount)),
        }
    }
    #[must_use]
    pub fn lshr_by(&self, amount: u32) -> Self {
        if amount >= self.width {
            return Self::zero(self.width);
        }
        match &self.bits {
            Small(bits) => self.small(bits >> amount),
            Big(bits) => self.big(&(bits >> amount)),
        }
    }
    #[must_use]
    pub fn ashr_by(&self, amount: u32) -> Self {
        let shifted = self.lshr_by(amount);
        if !self.is_negative() {
            return shifted;
        }
        shifted.or(&Self::all_ones(self.width).shl_by(self.width.saturating_sub(amount)))
    }
    fn amount(other: &Self) -> u32 {
        other.to_u32().unwrap_or(u32::MAX)
    }
    #[must_use]
    pub fn shl(&self, other: &Self) -> Self {
        self.shl_by(Self::amount(other))
    }
    #[must_use]
    pub fn lshr(&self, other: &Self) -> Self {
        self.lshr_by(Self::amount(other))
    }
    #[must_use]
    pub fn ashr(&self, other: &Self) -> Self {
        self.ashr_by(Self::amount(other))
    }
    #[must_use]
    pub fn rotate_left(&self, amount: u32) -> Self {
        let amount = amount % self.width;
        self.shl_by(amount).or(&self.lshr_by(self.width - amount))
    }
    #[must_use]
    pub fn concat(&self, low: &Self) -> Self {
        let width = self.width + low.width;
        match (&self.bits, &low.bits) {
            (Small(a), Small(b)) if width <= 64 => Self::new(width, a << low.width | b),
            _ => Self::from_biguint(width, &((self.to_biguint() << low.width) | low.to_biguint())),
        }
    }
    /// Bits `high` down to `low`, both included; `low <= high < width`.
    #[must_use]
    pub fn extract(&self, high: u32, low: u32) -> Self {
        let width = high - low + 1;
        match &self.bits {
            Small(bits) => Self::new(width, bits >> low),
            Big(bits) => Self::from_biguint(width, &(bits >> low)),
        }
    }
    /// `more` zero bits on top.
    #[must_use]
    pub fn zero_extend(&self, more: u32) -> Self {
        Self::from_biguint_or_small(self.width + more, &self.bits)
    }
    fn from_biguint_or_small(width: u32, bits: &Bits) -> Self {
        match bits {
            Small(bits) => Self::new(width, *bits),
            Big(bits) => Self::from_biguint(width, bits),
        }
    }
    /// `more` copies of the sign bit on top.
    #[must_use]
    pub fn sign_extend(&self, more: u32) -> Self {
        let wide = self.zero_extend(more);
        if self.is_negative() { wide.or(&Self::all_ones(wide.width).shl_by(self.width)) } else { wide }
    }
    pub fn ucmp(&self, other: &Self) -> Ordering {
        match (&self.bits, &other.bits) {
            (Small(a), Small(b)) => a.cmp(b),
            _ => self.to_biguint().cmp(&other.to_biguint()),
        }
    }
    pub fn scmp(&self, other: &Self) -> Ordering {
        match (self.is_negative(), other.is_negative()) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            _ => self.ucmp(other),
        }
    }
    /// The odd value by which this odd one multiplies to 1; `None` for even ones.
    pub fn odd_inverse(&self) -> Option<Self> {
        if !self.bit(0) {
            return None;
        }
        // Newton's iteration doubles the number of good low bits.
        let two = Self::new(self.width, 2);
        let mut inverse = Self::one(self.width);
        let mut good = 1;
        while good < self.width {
            inverse = inverse.mul(&two.sub(&self.mul(&inverse)));
            good = good.saturating_mul(2);
        }
        Some(inverse)
    }
}

/// `#b…` or, where the width is a multiple of four, `#x…`.
impl fmt::Display for BitVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_biguint();
        if self.width.is_multiple_of(4) {
            write!(f, "#x{:0>width$}", value.to_str_radix(16), width = (self.width / 4) as usize)
        } else {
            write!(f, "#b{:0>width$}", value.to_str_radix(2), width = self.width as usize)
        }
    }
}
impl fmt::Debug for BitVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
impl PartialOrd for BitVector {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
/// By width, then unsigned.
impl Ord for BitVector {
    fn cmp(&self, other: &Self) -> Ordering {
        self.width.cmp(&other.width).then_with(|| self.ucmp(other))
    }
}
