//! Machine floats: IEEE half, single, double and quad, and x87's 80 bits, held as bit patterns in a `u128`.
//!
//! Single and double run on the machine's own; the others through `rustc_apfloat`. Rounding is to nearest, ties to even.

use crate::int::IntFormat;
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use std::cmp::Ordering;

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatFormat {
    Half,
    Single,
    Double,
    /// 80 bits, with an explicit leading bit
    X87,
    Quad,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum FloatClass {
    Nan,
    Infinite,
    Zero,
    Subnormal,
    Normal,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum FloatOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    /// C's `fmod`
    Remainder,
}

macro_rules! with_format {
    ($format:expr, $float:ident => $body:expr) => {
        match $format {
            FloatFormat::Half => {
                type $float = Half;
                $body
            }
            FloatFormat::Single => {
                type $float = Single;
                $body
            }
            FloatFormat::Double => {
                type $float = Double;
                $body
            }
            FloatFormat::X87 => {
                type $float = X87DoubleExtended;
                $body
            }
            FloatFormat::Quad => {
                type $float = Quad;
                $body
            }
        }
    };
}

fn apply<F: Float>(op: FloatOp, a: F, b: F) -> F {
    match op {
        FloatOp::Add => (a + b).value,
        FloatOp::Subtract => (a - b).value,
        FloatOp::Multiply => (a * b).value,
        FloatOp::Divide => (a / b).value,
        FloatOp::Remainder => a.c_fmod(b).value,
    }
}

macro_rules! native {
    ($op:expr, $a:expr, $b:expr) => {
        match $op {
            FloatOp::Add => $a + $b,
            FloatOp::Subtract => $a - $b,
            FloatOp::Multiply => $a * $b,
            FloatOp::Divide => $a / $b,
            FloatOp::Remainder => $a % $b,
        }
    };
}

impl FloatFormat {
    /// Bits of the pattern: 16, 32, 64, 80, 128.
    pub fn bits(self) -> u32 {
        match self {
            Self::Half => 16,
            Self::Single => 32,
            Self::Double => 64,
            Self::X87 => 80,
            Self::Quad => 128,
        }
    }

    /// Digits of the significand in base two, the leading one counted.
    pub fn precision(self) -> u32 {
        match self {
            Self::Half => 11,
            Self::Single => 24,
            Self::Double => 53,
            Self::X87 => 64,
            Self::Quad => 113,
        }
    }

    pub fn sign_bit(self) -> u128 {
        1 << (self.bits() - 1)
    }

    /// A decimal (`1.5e3`, `.5`, `7`) or hexadecimal (`0x1.8p3`) constant without suffix, correctly rounded; `None` if it
    /// is none. `inf` and `nan` are accepted too.
    pub fn parse(self, text: &str) -> Option<u128> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let bits = match digits.to_ascii_lowercase().as_str() {
            "inf" | "infinity" => self.infinity(),
            "nan" => self.nan(),
            digits => self.parse_digits(digits)?,
        };
        Some(if negative { bits ^ self.sign_bit() } else { bits })
    }

    fn parse_digits(self, digits: &str) -> Option<u128> {
        let is_hexadecimal = digits.starts_with("0x");
        let mut owned;
        let mut text = digits;
        if is_hexadecimal && !digits.contains('p') {
            owned = digits.to_owned();
            owned.push_str("p0");
            text = &owned;
        }
        let is_clean = text.bytes().all(|byte| byte.is_ascii_hexdigit() || b".+-exp".contains(&byte));
        if !is_clean || !text.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        if !is_hexadecimal {
            match self {
                Self::Single => return text.parse::<f32>().ok().map(|value| value.to_bits().into()),
                Self::Double => return text.parse::<f64>().ok().map(|value| value.to_bits().into()),
                _ => {}
            }
        }
        // A gigantic exponent or length is decided without big arithmetic.
        let exponent = text.rsplit(['e', 'p']).next().filter(|part| part.len() < text.len());
        if !is_hexadecimal && exponent.is_some_and(|part| part.trim_start_matches(['+', '-', '0']).len() > 6) {
            let is_zero = text.split('e').next().is_some_and(|part| !part.bytes().any(|b| (b'1'..=b'9').contains(&b)));
            let is_small = text.contains("e-");
            return Some(if is_zero || is_small { 0 } else { self.infinity() });
        }
        with_format!(self, F => text.parse::<F>().ok().map(Float::to_bits))
    }

    pub fn infinity(self) -> u128 {
        with_format!(self, F => F::INFINITY.to_bits())
    }
    pub fn nan(self) -> u128 {
        with_format!(self, F => F::qnan(None).to_bits())
    }
    /// A signalling NaN.
    pub fn signalling_nan(self) -> u128 {
        with_format!(self, F => F::snan(None).to_bits())
    }
    pub fn largest(self) -> u128 {
        with_format!(self, F => F::largest().to_bits())
    }
    pub fn smallest_normal(self) -> u128 {
        with_format!(self, F => F::smallest_normalized().to_bits())
    }

    #[inline]
    pub fn binary(self, op: FloatOp, a: u128, b: u128) -> u128 {
        match self {
            Self::Double => {
                let (a, b) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
                native!(op, a, b).to_bits().into()
            }
            Self::Single => {
                let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
                native!(op, a, b).to_bits().into()
            }
            _ => with_format!(self, F => apply(op, F::from_bits(a), F::from_bits(b)).to_bits()),
        }
    }

    pub fn negate(self, a: u128) -> u128 {
        a ^ self.sign_bit()
    }
    pub fn absolute(self, a: u128) -> u128 {
        a & !self.sign_bit()
    }
    pub fn is_negative(self, a: u128) -> bool {
        a & self.sign_bit() != 0
    }
    pub fn copy_sign(self, magnitude: u128, sign: u128) -> u128 {
        (magnitude & !self.sign_bit()) | (sign & self.sign_bit())
    }

    /// `None` where an operand is not a number.
    #[inline]
    pub fn compare(self, a: u128, b: u128) -> Option<Ordering> {
        match self {
            Self::Double => f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64)),
            Self::Single => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
            _ => with_format!(self, F => F::from_bits(a).partial_cmp(&F::from_bits(b))),
        }
    }

    pub fn classify(self, a: u128) -> FloatClass {
        with_format!(self, F => {
            let value = F::from_bits(a);
            if value.is_nan() {
                FloatClass::Nan
            } else if value.is_infinite() {
                FloatClass::Infinite
            } else if value.is_zero() {
                FloatClass::Zero
            } else if value.is_denormal() {
                FloatClass::Subnormal
            } else {
                FloatClass::Normal
            }
        })
    }

    pub fn is_zero(self, a: u128) -> bool {
        self.classify(a) == FloatClass::Zero
    }

    /// From this format to another one.
    pub fn convert(self, a: u128, target: FloatFormat) -> u128 {
        fn from<S>(value: S, target: FloatFormat) -> u128
        where
            S: Float
                + FloatConvert<Half>
                + FloatConvert<Single>
                + FloatConvert<Double>
                + FloatConvert<X87DoubleExtended>
                + FloatConvert<Quad>,
        {
            let mut loses = false;
            with_format!(target, T => { let converted: T = value.convert(&mut loses).value; converted.to_bits() })
        }
        match (self, target) {
            _ if self == target => a,
            (Self::Double, Self::Single) => (f64::from_bits(a as u64) as f32).to_bits().into(),
            (Self::Single, Self::Double) => f64::from(f32::from_bits(a as u32)).to_bits().into(),
            _ => with_format!(self, S => from(S::from_bits(a), target)),
        }
    }

    /// The nearest float to a canonical integer.
    pub fn from_int(self, value: i128, format: IntFormat) -> u128 {
        let is_huge = !format.is_signed && value < 0;
        with_format!(self, F => {
            if is_huge { F::from_u128(value as u128).value.to_bits() } else { F::from_i128(value).value.to_bits() }
        })
    }

    /// Truncated towards zero; `None` where the result does not fit the integer type, or there is none.
    pub fn to_int(self, a: u128, format: IntFormat) -> Option<i128> {
        with_format!(self, F => {
            let value = F::from_bits(a);
            let mut exact = false;
            if format.is_signed {
                let result = value.to_i128_r(format.bits as usize, Round::TowardZero, &mut exact);
                (!result.status.contains(Status::INVALID_OP)).then_some(result.value)
            } else {
                let result = value.to_u128_r(format.bits as usize, Round::TowardZero, &mut exact);
                (!result.status.contains(Status::INVALID_OP)).then_some(result.value as i128)
            }
        })
    }

    /// What x86 gives for a conversion that C leaves undefined: the "integer indefinite" value for `int` and `long`,
    /// and the low bits of a wider conversion for narrower types.
    pub fn to_int_as_x86(self, a: u128, format: IntFormat) -> i128 {
        if let Some(value) = self.to_int(a, format) {
            return value;
        }
        let via = match (format.bits, format.is_signed) {
            (0..32, _) => IntFormat::signed(32),
            (32, false) => IntFormat::signed(64),
            (bits, _) => IntFormat::signed(bits),
        };
        format.wrap(self.to_int(a, via).unwrap_or(via.min()))
    }

    pub fn round_to_integral(self, a: u128, round: Rounding) -> u128 {
        let round = match round {
            Rounding::NearestEven => Round::NearestTiesToEven,
            Rounding::NearestAway => Round::NearestTiesToAway,
            Rounding::Down => Round::TowardNegative,
            Rounding::Up => Round::TowardPositive,
            Rounding::TowardZero => Round::TowardZero,
        };
        with_format!(self, F => F::from_bits(a).round_to_integral(round).value.to_bits())
    }

    /// `a * b + c` with one rounding.
    pub fn multiply_add(self, a: u128, b: u128, c: u128) -> u128 {
        with_format!(self, F => F::from_bits(a).mul_add(F::from_bits(b), F::from_bits(c)).value.to_bits())
    }

    /// The nearest `f64`, for functions that only the machine's library computes.
    pub fn to_f64(self, a: u128) -> f64 {
        f64::from_bits(self.convert(a, Self::Double) as u64)
    }
    pub fn from_f64(self, value: f64) -> u128 {
        Self::Double.convert(value.to_bits().into(), self)
    }

    /// Decimal text that reads back as the same value (`inf`, `nan` where it is none).
    pub fn text(self, a: u128) -> String {
        let sign = if self.is_negative(a) { "-" } else { "" };
        match self.classify(a) {
            FloatClass::Nan => return format!("{sign}nan"),
            FloatClass::Infinite => return format!("{sign}inf"),
            _ => {}
        }
        match self {
            Self::Single => format!("{:?}", f32::from_bits(a as u32)),
            Self::Double => format!("{:?}", f64::from_bits(a as u64)),
            _ => with_format!(self, F => format!("{}", F::from_bits(a))),
        }
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    NearestEven,
    NearestAway,
    Down,
    Up,
    TowardZero,
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [FloatFormat; 5] =
        [FloatFormat::Half, FloatFormat::Single, FloatFormat::Double, FloatFormat::X87, FloatFormat::Quad];

    #[test]
    fn every_format_computes() {
        for format in ALL {
            let parse = |text: &str| format.parse(text).expect("a number");
            assert_eq!(format.binary(FloatOp::Add, parse("1.5"), parse("0x1p-1")), parse("2"));
            assert_eq!(format.binary(FloatOp::Remainder, parse("7.5"), parse("-2")), parse("1.5"));
            assert_eq!(format.negate(parse("1")), parse("-1.0"));
            assert_eq!(format.compare(parse("1"), format.nan()), None);
            assert_eq!(format.classify(format.binary(FloatOp::Divide, parse("1"), parse("0"))), FloatClass::Infinite);
            for other in ALL {
                assert_eq!(format.convert(parse("-2.5"), other), other.parse("-2.5").expect("a number"));
            }
            let text = format.text(parse("0.1"));
            assert_eq!(format.parse(&text), Some(parse("0.1")), "{text}");
        }
    }

    #[test]
    fn conversions_to_integers() {
        let double = FloatFormat::Double;
        let parse = |text: &str| double.parse(text).expect("a number");
        assert_eq!(double.to_int(parse("-1.9"), IntFormat::signed(32)), Some(-1));
        assert_eq!(double.to_int(parse("3e9"), IntFormat::signed(32)), None);
        assert_eq!(double.to_int(parse("3e9"), IntFormat::unsigned(32)), Some(3_000_000_000));
        assert_eq!(double.to_int(parse("-0.5"), IntFormat::unsigned(8)), Some(0));
        assert_eq!(double.to_int_as_x86(parse("3e9"), IntFormat::signed(32)), i128::from(i32::MIN));
        assert_eq!(double.to_int_as_x86(parse("-1"), IntFormat::unsigned(32)), i128::from(u32::MAX));
        assert_eq!(double.from_int(-1, IntFormat::unsigned(128)), parse("0x1p128"));
    }

    #[test]
    fn odd_texts() {
        for format in ALL {
            assert_eq!(format.parse("1e999999999999"), Some(format.infinity()));
            assert_eq!(format.parse("1e-999999999999"), Some(0));
            assert_eq!(format.parse("0e999999999999"), Some(0));
            assert_eq!(format.parse("x"), None);
            assert_eq!(format.parse("."), None);
        }
        assert_eq!(FloatFormat::X87.parse("1"), Some(0x3fff_8000_0000_0000_0000));
    }
}
