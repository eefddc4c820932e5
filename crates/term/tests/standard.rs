//! The standard form: the six numbered examples of the paper's section 2.2, comparisons, partial division, algebra.

mod common;

use common::Generator;
use quod_base::Rational;
use quod_term::{Division, Op, Sort, Term, TermPool, Value, evaluate, standard};

struct Reals {
    pool: TermPool,
    x: [Term; 3],
}

impl Reals {
    fn new() -> Self {
        let pool = TermPool::with_division(Division::Partial);
        let x = ["X0", "X1", "X2"].map(|name| pool.symbol(name, Sort::REAL));
        Self { pool, x }
    }
    fn number(&self, numerator: i64, denominator: i64) -> Term {
        self.pool.real(Rational::new(numerator, denominator).expect("not zero"))
    }
    fn zero(&self) -> Term {
        self.number(0, 1)
    }
}

#[test]
fn example_1_a_leading_coefficient_is_taken_out() {
    let r = Reals::new();
    let (pool, [x0, x1, _]) = (&r.pool, r.x);
    let term = pool.add(&[pool.mul(&[r.number(2, 1), x0]), x1]);
    // 2 * (X0 + 1/2 X1), or, where X1 comes first in the order, 1 * (X1 + 2 X0).
    let first = pool.fingerprint(x0) < pool.fingerprint(x1);
    let (coefficient, monic) = pool.as_monomial(term);
    assert_eq!(coefficient, Rational::from(if first { 2 } else { 1 }));
    assert_eq!(pool.op(monic), Op::Add);
    let (leading, _) = pool.as_monomial(pool.arg(monic, 0));
    assert_eq!(leading, Rational::ONE);
    let expected = if first { (x1, Rational::new(1, 2)) } else { (x0, Rational::new(2, 1)) };
    let (second, rest) = pool.as_monomial(pool.arg(monic, 1));
    assert_eq!((rest, Some(second)), expected);
}

#[test]
fn example_2_a_quotient_has_a_monic_below() {
    let r = Reals::new();
    let (pool, [x0, x1, x2]) = (&r.pool, r.x);
    let below = pool.mul(&[r.number(2, 1), pool.add(&[x0, x2])]);
    let term = pool.div(pool.add(&[x0, x1]), below);
    let (coefficient, monic) = pool.as_monomial(term);
    assert_eq!(Some(coefficient), Rational::new(1, 2));
    let mut factors = pool.monic_factors(monic);
    factors.sort_by_key(|(_, exponent)| -exponent);
    assert_eq!(factors, [(pool.add(&[x0, x1]), 1), (pool.add(&[x0, x2]), -1)]);
}

#[test]
fn example_3_powers_of_sums_stay_and_their_expansions_too() {
    let r = Reals::new();
    let (pool, [x0, x1, _]) = (&r.pool, r.x);
    let power = pool.power(pool.add(&[x0, x1]), 2);
    assert_eq!(pool.op(power), Op::Power);
    let expansion = pool.add(&[pool.power(x0, 2), pool.mul(&[r.number(2, 1), x0, x1]), pool.power(x1, 2)]);
    assert_ne!(power, expansion);
    assert_eq!(pool.expand(power), Some(expansion));
    // Compared, they are equal.
    assert_eq!(pool.eq(power, expansion), pool.true_());
    let hundred = pool.power(pool.add(&[x0, x1]), 100);
    assert_eq!(pool.op(hundred), Op::Power);
    assert_eq!(pool.statistics(hundred).nodes, 4);
}

#[test]
fn example_4_a_product_is_zero_where_a_factor_is() {
    let r = Reals::new();
    let (pool, [x0, x1, _]) = (&r.pool, r.x);
    let formula = pool.eq(r.zero(), pool.mul(&[x0, pool.power(x1, 2)]));
    assert_eq!(formula, pool.or(&[pool.eq(r.zero(), x0), pool.eq(r.zero(), x1)]));
    assert_eq!(pool.op(formula), Op::Or);
}

#[test]
fn example_5_even_powers_only_exclude_zero() {
    let r = Reals::new();
    let (pool, [x0, x1, _]) = (&r.pool, r.x);
    let formula = pool.lt(r.zero(), pool.mul(&[pool.power(x0, 2), pool.power(x1, 3)]));
    assert_eq!(formula, pool.and(&[pool.ne(r.zero(), x0), pool.lt(r.zero(), x1)]));
    assert_eq!(pool.op(formula), Op::And);
}

#[test]
fn example_6_even_powers_are_not_negative() {
    let r = Reals::new();
    let formula = r.pool.le(r.zero(), r.pool.power(r.x[0], 6));
    assert_eq!(formula, r.pool.true_());
}

#[test]
fn partial_division_cancels_and_total_division_does_not() {
    let partial = Reals::new();
    let (pool, [x0, x1, _]) = (&partial.pool, partial.x);
    assert_eq!(pool.div(x0, x0), partial.number(1, 1));
    // x/y + y/x = (x*x + y*y) / (x*y).
    let left = pool.add(&[pool.div(x0, x1), pool.div(x1, x0)]);
    let right = pool.div(pool.add(&[pool.mul(&[x0, x0]), pool.mul(&[x1, x1])]), pool.mul(&[x0, x1]));
    assert_eq!(pool.eq(left, right), pool.true_());
    let total = TermPool::new();
    let x = total.symbol("x", Sort::REAL);
    let ratio = total.div(x, x);
    assert!(!total.is_constant(ratio));
    assert_eq!(evaluate(&total, ratio, &Default::default()), Some(Value::Real(Rational::ZERO)));
    assert_eq!(total.div(total.mul(&[x, x]), x), x);
}

#[test]
fn integer_comparisons_are_tightened() {
    let pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::INT));
    let int = |value| pool.int(value);
    let twice = pool.mul(&[int(2), x]);
    assert_eq!(pool.eq(twice, int(5)), pool.false_());
    assert_eq!(pool.lt(x, y), pool.le(pool.add(&[x, int(1)]), y));
    assert_eq!(pool.le(twice, int(5)), pool.le(x, int(2)));
    assert_eq!(pool.not(pool.le(x, y)), pool.lt(y, x));
    assert_eq!(pool.le(pool.add(&[x, y]), pool.add(&[x, y])), pool.true_());
    assert_eq!(pool.lt(x, x), pool.false_());
    assert_eq!(
        pool.int_mod(pool.add(&[pool.mul(&[int(6), x]), y, int(7)]), int(3)),
        pool.int_mod(pool.add(&[y, int(1)]), int(3))
    );
    assert_eq!(
        pool.eq(pool.mul(&[pool.add(&[x, y]), pool.sub(x, y)]), pool.sub(pool.mul(&[x, x]), pool.mul(&[y, y]))),
        pool.true_()
    );
}

/// Random polynomials: the difference of two ways to compute the same value is found to be zero, and a difference of 1 is
/// not.
#[test]
fn identities_are_proved_and_others_are_not() {
    let mut generator = Generator::new(31);
    for _ in 0..300 {
        let pool = TermPool::new();
        let sort = generator.pick(&[Sort::INT, Sort::REAL]);
        let symbols = ["a", "b", "c"].map(|name| pool.symbol(name, sort));
        let mut random = |size: usize| {
            let terms: Vec<Term> = (0..size)
                .map(|_| {
                    let number = pool.number(Rational::from(generator.below(7) as i64 - 3), sort);
                    pool.mul(&[number, generator.pick(&symbols), generator.pick(&symbols)])
                })
                .collect();
            pool.add(&terms)
        };
        let (p, q, r) = (random(3), random(4), random(2));
        let left = pool.mul(&[p, pool.add(&[q, r])]);
        let right = pool.add(&[pool.mul(&[p, q]), pool.mul(&[r, p])]);
        assert_eq!(pool.eq(left, right), pool.true_());
        assert!(!standard::modular::surely_different(&pool, left, right));
        let off = pool.add(&[right, pool.number(Rational::ONE, sort)]);
        assert_eq!(pool.eq(left, off), pool.false_());
        assert_eq!(pool.lt(left, off), pool.true_());
        assert!(standard::modular::surely_different(&pool, left, off));
    }
}
