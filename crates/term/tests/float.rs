//! Floats against the machine's own and against `rustc_apfloat`.

mod common;

use common::Generator;
use quod_term::{BitVector, FloatValue, RoundingMode};
use rustc_apfloat::ieee::{Double, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round, StatusAnd};

fn random_bits(generator: &mut Generator, exponent: u32, significand: u32) -> u128 {
    let width = exponent + significand;
    let fraction = significand - 1;
    let random = u128::from(generator.next()) << 80 ^ u128::from(generator.next()) << 40 ^ u128::from(generator.next());
    let exponent_field = match generator.below(6) {
        0 => 0,
        1 => (1u128 << exponent) - 1,
        2 => (1u128 << (exponent - 1)) - 1,
        3 => (1u128 << (exponent - 1)) + u128::from(generator.below(5)),
        _ => random >> 7 & ((1u128 << exponent) - 1),
    };
    let fraction_field = match generator.below(5) {
        0 => 0,
        1 => (1u128 << fraction) - 1,
        2 => 1,
        _ => random & ((1u128 << fraction) - 1),
    };
    let sign = u128::from(generator.below(2));
    (sign << (width - 1) | exponent_field << fraction | fraction_field) & (u128::MAX >> (128 - width))
}

fn ours(exponent: u32, significand: u32, bits: u128) -> FloatValue {
    let bits = BitVector::from_biguint(exponent + significand, &bits.into());
    FloatValue::from_bits(exponent, significand, bits)
}

fn round_of(mode: RoundingMode) -> Round {
    match mode {
        RoundingMode::NearestEven => Round::NearestTiesToEven,
        RoundingMode::NearestAway => Round::NearestTiesToAway,
        RoundingMode::TowardPositive => Round::TowardPositive,
        RoundingMode::TowardNegative => Round::TowardNegative,
        RoundingMode::TowardZero => Round::TowardZero,
    }
}

fn check<F>(exponent: u32, significand: u32, rounds: usize)
where
    F: Float + std::fmt::Debug + FloatConvert<Single> + FloatConvert<Half> + FloatConvert<Quad>,
{
    let mut generator = Generator::new(u64::from(exponent * 1000 + significand));
    for _ in 0..rounds {
        let [x, y, z] = [0; 3].map(|_| random_bits(&mut generator, exponent, significand));
        let mode = generator.pick(&RoundingMode::ALL);
        let (a, b, c) =
            (ours(exponent, significand, x), ours(exponent, significand, y), ours(exponent, significand, z));
        let (p, q, r) = (F::from_bits(x), F::from_bits(y), F::from_bits(z));
        let round = round_of(mode);
        let same = |what: &str, found: &FloatValue, expected: F| {
            let expected = ours(exponent, significand, expected.to_bits());
            assert_eq!(*found, expected, "{what} {mode:?} {a:?} {b:?} {c:?}");
        };
        let value = |status: StatusAnd<F>| status.value;
        same("add", &a.add(mode, &b), value(p.add_r(q, round)));
        same("sub", &a.sub(mode, &b), value(p.sub_r(q, round)));
        same("mul", &a.mul(mode, &b), value(p.mul_r(q, round)));
        same("div", &a.div(mode, &b), value(p.div_r(q, round)));
        same("fma", &a.fma(mode, &b, &c), value(p.mul_add_r(q, r, round)));
        same("integral", &a.round_to_integral(mode), value(p.round_to_integral(round)));
        same("remainder", &a.rem(&b), value(p.ieee_rem(q)));
        assert_eq!(a.compare(&b), p.partial_cmp(&q));
        let mut loses = false;
        let narrow: StatusAnd<Half> = p.convert_r(round, &mut loses);
        assert_eq!(a.convert(5, 11, mode), ours(5, 11, narrow.value.to_bits()), "to half {mode:?} {a:?}");
        let wide: StatusAnd<Quad> = p.convert_r(round, &mut loses);
        assert_eq!(a.convert(15, 113, mode), ours(15, 113, wide.value.to_bits()), "to quad {mode:?} {a:?}");
        let single: StatusAnd<Single> = p.convert_r(round, &mut loses);
        assert_eq!(a.convert(8, 24, mode), ours(8, 24, single.value.to_bits()), "to single {mode:?} {a:?}");
    }
}

#[test]
fn half_single_double_and_quad_agree_with_apfloat() {
    check::<Half>(5, 11, 3_000);
    check::<Single>(8, 24, 2_000);
    check::<Double>(11, 53, 2_000);
    check::<Quad>(15, 113, 500);
}

#[test]
fn doubles_agree_with_the_machine() {
    let mut generator = Generator::new(4);
    let even = RoundingMode::NearestEven;
    for _ in 0..20_000 {
        let [x, y, z] = [0; 3].map(|_| f64::from_bits(random_bits(&mut generator, 11, 53) as u64));
        let [a, b, c] = [x, y, z].map(FloatValue::from_f64);
        let same =
            |found: &FloatValue, expected: f64| assert_eq!(*found, FloatValue::from_f64(expected), "{x:e} {y:e} {z:e}");
        same(&a.add(even, &b), x + y);
        same(&a.mul(even, &b), x * y);
        same(&a.div(even, &b), x / y);
        same(&a.sqrt(even), x.sqrt());
        same(&a.fma(even, &b, &c), x.mul_add(y, z));
        same(&a.round_to_integral(RoundingMode::TowardZero), x.trunc());
        same(&a.round_to_integral(RoundingMode::TowardPositive), x.ceil());
        same(&a.round_to_integral(RoundingMode::NearestAway), x.round());
        assert_eq!(a.convert(8, 24, even), FloatValue::from_f32(x as f32));
        if x.is_finite() && x.abs() < 1e15 {
            let integer = a.to_integer(RoundingMode::TowardZero, 64).expect("in range");
            assert_eq!(integer, num_bigint::BigInt::from(x as i64));
        }
        if let Some(exact) = a.to_rational().filter(|_| x != 0.0) {
            assert_eq!(FloatValue::from_rational(11, 53, even, &exact), a);
        }
    }
}

#[test]
fn square_roots_are_the_nearest_below_and_above() {
    let mut generator = Generator::new(11);
    for _ in 0..3_000 {
        let bits = random_bits(&mut generator, 3, 4);
        let a = ours(3, 4, bits);
        let (down, up) = (a.sqrt(RoundingMode::TowardNegative), a.sqrt(RoundingMode::TowardPositive));
        let Some((exact, down, up)) =
            a.to_rational().zip(down.to_rational()).zip(up.to_rational()).map(|((a, d), u)| (a, d, u))
        else {
            continue;
        };
        assert!(&down * &down <= exact && exact <= &up * &up, "{a:?}");
        let nearest = a.sqrt(RoundingMode::NearestEven).to_rational();
        assert!(nearest == Some(down) || nearest == Some(up));
    }
}

#[test]
fn a_wide_exponent_costs_no_memory() {
    let (exponent, significand) = (30, 24);
    let large = FloatValue::largest(exponent, significand, false);
    let tiny = ours(exponent, significand, 1);
    let even = RoundingMode::NearestEven;
    assert_eq!(large.add(even, &tiny), large);
    assert_eq!(
        large.sub(RoundingMode::TowardZero, &tiny),
        ours(exponent, significand, {
            let bits = large.bits().to_biguint() - 1u32;
            bits.try_into().expect("54 bits")
        })
    );
    assert!(large.mul(even, &large).is_infinite());
    assert!(tiny.mul(even, &tiny).is_zero());
    assert!(!large.rem(&tiny).is_nan());
    assert_eq!(tiny.rem(&large), tiny);
    assert!(large.div(even, &tiny).is_infinite());
    assert!(tiny.sqrt(even).is_normal());
    assert!(tiny.round_to_integral(RoundingMode::TowardPositive).is_normal());
}
