//! Float circuits on constants (where every gate folds) against the machine's floats.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use quod_solver::bits::float::{Format, Rounding};
use quod_solver::bits::{Builder, Gates, Word};
use quod_solver::sat::Sat;
use quod_term::{BitVector, FloatValue, RoundingMode};

const SINGLE: Format = Format { exponent: 8, significand: 24 };
const DOUBLE: Format = Format { exponent: 11, significand: 53 };

struct Random(u64);
impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7 ^ self.0
    }
    fn single(&mut self) -> f32 {
        let bits = self.next() as u32;
        let bits = match self.next() % 8 {
            0 => bits & 0x807f_ffff,               // subnormal
            1 => bits & 0x8000_0000 | 0x7f80_0000, // infinity
            2 => bits & 0x8000_0000,               // zero
            3 => bits & 0x8000_0007 | 0x3f80_0000, // near one
            4 | 5 => bits & 0x83ff_ffff | 0x3e00_0000,
            _ => bits,
        };
        f32::from_bits(bits)
    }
}

fn nearest(builder: &Builder<'_>) -> Rounding {
    let no = builder.constant(false);
    Rounding {
        nearest_even: builder.truth(),
        nearest_away: no,
        toward_positive: no,
        toward_negative: no,
        toward_zero: no,
    }
}

fn word(builder: &Builder<'_>, bits: u32) -> Word {
    builder.word_u64(u64::from(bits), 32)
}

fn canonical(value: f32) -> u64 {
    if value.is_nan() { 0x7fc0_0000 } else { u64::from(value.to_bits()) }
}

fn constant(builder: &Builder<'_>, word: &[quod_solver::sat::Lit]) -> u64 {
    builder.word_as_constant(word).as_ref().and_then(BigUint::to_u64).expect("folds")
}

#[test]
fn single_precision_agrees_with_the_machine() {
    let mut random = Random(77);
    let mut sat = Sat::default();
    let mut gates = Gates::new(&mut sat);
    let mut b = Builder { sat: &mut sat, gates: &mut gates };
    let rounding = nearest(&b);
    for _ in 0..500 {
        let (x, y, z) = (random.single(), random.single(), random.single());
        let (wx, wy, wz) = (word(&b, x.to_bits()), word(&b, y.to_bits()), word(&b, z.to_bits()));
        let (wx, wy, wz) =
            (b.float_canonical(SINGLE, &wx), b.float_canonical(SINGLE, &wy), b.float_canonical(SINGLE, &wz));
        let checks: Vec<(&str, Word, f32)> = vec![
            ("add", b.float_add(SINGLE, &rounding, &wx, &wy), x + y),
            ("sub", b.float_sub(SINGLE, &rounding, &wx, &wy), x - y),
            ("mul", b.float_mul(SINGLE, &rounding, &wx, &wy), x * y),
            ("div", b.float_div(SINGLE, &rounding, &wx, &wy), x / y),
            ("sqrt", b.float_sqrt(SINGLE, &rounding, &wx), x.sqrt()),
            ("fma", b.float_fma(SINGLE, &rounding, &wx, &wy, &wz), x.mul_add(y, z)),
            ("round", b.float_round_to_integral(SINGLE, &rounding, &wx), x.round_ties_even()),
        ];
        for (name, result, expected) in checks {
            assert_eq!(constant(&b, &result), canonical(expected), "{name} {x:e} {y:e} {z:e}: expected {expected:e}");
        }
        let lt = b.float_lt(SINGLE, &wx, &wy);
        assert_eq!(b.as_constant(lt), Some(x < y));
        let le = b.float_le(SINGLE, &wx, &wy);
        assert_eq!(b.as_constant(le), Some(x <= y));
        let eq = b.float_eq(SINGLE, &wx, &wy);
        assert_eq!(b.as_constant(eq), Some(x == y));
        // Conversions.
        let wide = b.float_to_float(SINGLE, DOUBLE, &rounding, &wx);
        let expected = if x.is_nan() { 0x7ff8_0000_0000_0000 } else { f64::from(x).to_bits() };
        assert_eq!(constant(&b, &wide), expected, "widen {x:e}");
        let double = f64::from(x) * 1.000_000_119 + f64::from(y) * 1e-9;
        let from_double = b.word_u64(double.to_bits(), 64);
        let from_double = b.float_canonical(DOUBLE, &from_double);
        let narrow = b.float_to_float(DOUBLE, SINGLE, &rounding, &from_double);
        assert_eq!(constant(&b, &narrow), canonical(double as f32), "narrow {double:e}");
        let integer = random.next() as i32 >> (random.next() % 32);
        let wi = b.word_u64(integer as u32 as u64, 32);
        let signed = b.float_from_word(SINGLE, &rounding, &wi, quod_solver::bits::float::convert::Signedness::Signed);
        assert_eq!(constant(&b, &signed), canonical(integer as f32), "from {integer}");
        let truncate = Rounding { nearest_even: !b.truth(), toward_zero: b.truth(), ..rounding };
        let (back, is_defined) =
            b.float_to_word(SINGLE, &truncate, &wx, 32, quod_solver::bits::float::convert::Signedness::Signed);
        let fits = x.is_finite() && f64::from(x).trunc() >= -2147483648.0 && f64::from(x).trunc() <= 2147483647.0;
        assert_eq!(b.as_constant(is_defined), Some(fits), "to_sbv {x:e}");
        if fits {
            assert_eq!(constant(&b, &back), u64::from(x as i32 as u32), "to_sbv {x:e}");
        }
    }
}

#[test]
fn remainder_agrees_with_exact_arithmetic() {
    let mut random = Random(5);
    let mut sat = Sat::default();
    let mut gates = Gates::new(&mut sat);
    let mut b = Builder { sat: &mut sat, gates: &mut gates };
    for _ in 0..100 {
        // Small exponents, so that doubles compute the remainder exactly.
        let x = (random.next() % 4096) as f32 / 64.0 * if random.next().is_multiple_of(2) { 1.0 } else { -1.0 };
        let y = (random.next() % 255 + 1) as f32 / 32.0 * if random.next().is_multiple_of(2) { 1.0 } else { -1.0 };
        let (wx, wy) = (word(&b, x.to_bits()), word(&b, y.to_bits()));
        let result = b.float_rem(SINGLE, &wx, &wy);
        let (dx, dy) = (f64::from(x), f64::from(y));
        let n = (dx / dy).round_ties_even();
        let mut expected = (dx - n * dy) as f32;
        if expected == 0.0 {
            expected = 0.0f32.copysign(x);
        }
        assert_eq!(constant(&b, &result), canonical(expected), "rem {x} {y}: expected {expected}");
    }
}

fn rounding(builder: &Builder<'_>, mode: RoundingMode) -> Rounding {
    let is = |other: RoundingMode| builder.constant(other == mode);
    Rounding {
        nearest_even: is(RoundingMode::NearestEven),
        nearest_away: is(RoundingMode::NearestAway),
        toward_positive: is(RoundingMode::TowardPositive),
        toward_negative: is(RoundingMode::TowardNegative),
        toward_zero: is(RoundingMode::TowardZero),
    }
}

/// Every value of small formats, every rounding mode: the circuits are the reference semantics.
#[test]
fn small_formats_agree_with_the_evaluator() {
    for (exponent, significand) in [(2u32, 2u32), (2, 3), (3, 2)] {
        let format = Format { exponent: exponent as usize, significand: significand as usize };
        let other = Format { exponent: 3, significand: 4 };
        let width = exponent + significand;
        let mut sat = Sat::default();
        let mut gates = Gates::new(&mut sat);
        let mut b = Builder { sat: &mut sat, gates: &mut gates };
        let values: Vec<FloatValue> = (0..1u64 << width)
            .map(|bits| FloatValue::from_bits(exponent, significand, BitVector::new(width, bits)))
            .collect();
        let words: Vec<Word> = (0..1u64 << width)
            .map(|bits| {
                let word = b.word_u64(bits, width as usize);
                b.float_canonical(format, &word)
            })
            .collect();
        let number = |value: &FloatValue| value.bits().to_u64().expect("small");
        for mode in RoundingMode::ALL {
            let r = rounding(&b, mode);
            for (x, wx) in values.iter().zip(&words) {
                let root = b.float_sqrt(format, &r, wx);
                assert_eq!(constant(&b, &root), number(&x.sqrt(mode)), "sqrt {mode:?} {x:?}");
                let integral = b.float_round_to_integral(format, &r, wx);
                assert_eq!(constant(&b, &integral), number(&x.round_to_integral(mode)), "integral {mode:?} {x:?}");
                let converted = b.float_to_float(format, other, &r, wx);
                assert_eq!(constant(&b, &converted), number(&x.convert(3, 4, mode)), "convert {mode:?} {x:?}");
                for (y, wy) in values.iter().zip(&words) {
                    let sum = b.float_add(format, &r, wx, wy);
                    assert_eq!(constant(&b, &sum), number(&x.add(mode, y)), "add {mode:?} {x:?} {y:?}");
                    let product = b.float_mul(format, &r, wx, wy);
                    assert_eq!(constant(&b, &product), number(&x.mul(mode, y)), "mul {mode:?} {x:?} {y:?}");
                    let quotient = b.float_div(format, &r, wx, wy);
                    assert_eq!(constant(&b, &quotient), number(&x.div(mode, y)), "div {mode:?} {x:?} {y:?}");
                    if mode == RoundingMode::NearestEven {
                        let rest = b.float_rem(format, wx, wy);
                        assert_eq!(constant(&b, &rest), number(&x.rem(y)), "rem {x:?} {y:?}");
                    }
                    if width > 4 {
                        continue;
                    }
                    for (z, wz) in values.iter().zip(&words) {
                        let fused = b.float_fma(format, &r, wx, wy, wz);
                        assert_eq!(constant(&b, &fused), number(&x.fma(mode, y, z)), "fma {mode:?} {x:?} {y:?} {z:?}");
                    }
                }
            }
        }
    }
}
