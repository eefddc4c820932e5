//! Products of unknowns: free variables until their value is not the product's, then lemmas about signs, sizes and
//! tangents.
//!
//! The lemmas are those of incremental linearisation (Cimatti, Griggio, Irfan, Roveri and Sebastiani, "Incremental
//! linearization for satisfiability modulo nonlinear arithmetic", 2018). They decide much and not everything: after a
//! number of rounds the answer is unknown.

use super::Embedded;
use super::arithmetic::Strictness;
use super::repr::Linear;
use crate::answer::Reason;
use crate::arith::ArithVar;
use crate::sat::Lit;
use quod_base::Rational;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub(crate) struct Nonlinear {
    products: Vec<Product>,
    known: FxHashMap<(ArithVar, ArithVar), ArithVar>,
    rounds: u32,
    /// Atoms of the lemma that is being made.
    used: Vec<Lit>,
}

#[derive(Clone, Copy)]
struct Product {
    left: ArithVar,
    right: ArithVar,
    result: ArithVar,
}

const MAX_ROUNDS: u32 = 120;

impl Embedded {
    pub(crate) fn reset_nonlinear(&mut self) {
        self.nonlinear.rounds = 0;
    }

    /// The product of two combinations that are not constant. Expanded, so that equal polynomials meet.
    pub(crate) fn multiply(&mut self, a: &Linear, b: &Linear) -> Linear {
        let mut result = a.scaled(&b.constant).add_scaled(&a.constant, b);
        let shared = &a.constant * &b.constant;
        result.constant -= &shared;
        // One of the two linear parts times the constant of the other is in `result`; the products of unknowns follow.
        for (x, c) in &a.terms {
            for (y, d) in &b.terms {
                let product = self.product_variable(*x, *y);
                result = result.add_scaled(&(c * d), &Linear::variable(product));
            }
        }
        result
    }

    fn product_variable(&mut self, x: ArithVar, y: ArithVar) -> ArithVar {
        let (left, right) = if x <= y { (x, y) } else { (y, x) };
        if let Some(&known) = self.nonlinear.known.get(&(left, right)) {
            return known;
        }
        let integral = self.arith.simplex.is_integer(left) && self.arith.simplex.is_integer(right);
        let result = self.arith.new_var(integral);
        self.nonlinear.known.insert((left, right), result);
        self.nonlinear.products.push(Product { left, right, result });
        let hub = self.sat.new_var();
        let dependencies: Vec<Lit> =
            [left, right].iter().filter_map(|&var| self.arith_hub(var)).map(|hub| Lit::new(hub, true)).collect();
        self.gates.set_dependencies(hub, dependencies);
        self.set_arith_hub(result, hub);
        result
    }

    fn compare(&mut self, linear: &Linear, strictness: Strictness) -> Lit {
        let literal = self.linear_below_zero(linear, strictness);
        self.nonlinear.used.push(literal);
        literal
    }

    /// `var < bound`.
    fn less(&mut self, var: ArithVar, bound: &Rational) -> Lit {
        self.compare(&Linear::variable(var).minus(&Linear::constant(bound.clone())), Strictness::Strict)
    }
    /// `var > bound`.
    fn greater(&mut self, var: ArithVar, bound: &Rational) -> Lit {
        self.compare(&Linear::constant(bound.clone()).minus(&Linear::variable(var)), Strictness::Strict)
    }

    pub(crate) fn refine_nonlinear(&mut self) -> Result<usize, Reason> {
        if self.nonlinear.products.is_empty() {
            return Ok(0);
        }
        let delta = self.model_delta();
        let mut broken = Vec::new();
        for &product in &self.nonlinear.products {
            let relevant = self.arith_hub(product.result).is_some_and(|hub| self.gates.is_in_cone(hub));
            if !relevant {
                continue;
            }
            let value = |var| self.arith.value(var, &delta);
            if &value(product.left) * &value(product.right) != value(product.result) {
                broken.push(product);
            }
        }
        if broken.is_empty() {
            return Ok(0);
        }
        self.nonlinear.rounds += 1;
        if self.nonlinear.rounds > MAX_ROUNDS {
            return Err(Reason::Incomplete("non-linear arithmetic".into()));
        }
        let mut count = 0;
        for product in broken.into_iter().take(8) {
            self.nonlinear.used.clear();
            count += self.linearise(product, &delta);
            // The lemma's atoms count whenever the product does.
            if let Some(hub) = self.arith_hub(product.result) {
                for literal in std::mem::take(&mut self.nonlinear.used) {
                    self.gates.add_dependency(hub, literal);
                }
            }
        }
        Ok(count)
    }

    fn linearise(&mut self, product: Product, delta: &Rational) -> usize {
        let Product { left, right, result } = product;
        let (x, y, z) =
            (self.arith.value(left, delta), self.arith.value(right, delta), self.arith.value(result, delta));
        let exact = &x * &y;
        // Signs: zero, positive and negative products.
        if x.is_zero() || y.is_zero() || exact.is_negative() != z.is_negative() || z.is_zero() {
            self.sign_lemmas(product);
            if x.is_zero() || y.is_zero() {
                return 1;
            }
            if exact.is_negative() != z.is_negative() || z.is_zero() {
                return 1;
            }
        }
        // For integers: |xy| >= |x| unless y = 0.
        if self.arith.simplex.is_integer(result) && (z.abs() < x.abs() || z.abs() < y.abs()) {
            self.magnitude_lemmas(product);
            return 1;
        }
        if left == right {
            self.square_lemmas(left, result, &x, &z, &exact);
            return 1;
        }
        // Tangent plane at the point: (x - a)(y - b) has the sign of its factors.
        let (a, b) = self.tangent_point(product, &x, &y);
        // (x - a)(y - b) = z - b x - a y + ab
        let plane = Linear::constant(&a * &b)
            .add_scaled(&Rational::ONE, &Linear::variable(result))
            .add_scaled(&-&b, &Linear::variable(left))
            .add_scaled(&-&a, &Linear::variable(right));
        let (x_low, x_high) = (self.less(left, &a), self.greater(left, &a));
        let (y_low, y_high) = (self.less(right, &b), self.greater(right, &b));
        let not_negative = {
            let below = self.compare(&plane, Strictness::Strict);
            !below
        };
        let not_positive = self.compare(&plane, Strictness::Weak);
        // Both at or above, or both at or below: the product of the distances is not negative.
        self.sat.add_clause(&[x_low, y_low, not_negative]);
        self.sat.add_clause(&[x_high, y_high, not_negative]);
        self.sat.add_clause(&[x_low, y_high, not_positive]);
        self.sat.add_clause(&[x_high, y_low, not_positive]);
        4
    }

    /// A point near the assignment with small numbers.
    fn tangent_point(&self, product: Product, x: &Rational, y: &Rational) -> (Rational, Rational) {
        let round = |var: ArithVar, value: &Rational| {
            let is_small = value.as_small().is_some_and(|(n, d)| n.abs() < 1 << 30 && d < 1 << 12);
            if self.arith.simplex.is_integer(var) || !is_small { value.floor() } else { value.clone() }
        };
        (round(product.left, x), round(product.right, y))
    }

    fn sign_lemmas(&mut self, product: Product) {
        let zero = Rational::ZERO;
        let (x_low, x_high) = (self.less(product.left, &zero), self.greater(product.left, &zero));
        let (y_low, y_high) = (self.less(product.right, &zero), self.greater(product.right, &zero));
        let (z_low, z_high) = (self.less(product.result, &zero), self.greater(product.result, &zero));
        for (x, y, z) in
            [(x_high, y_high, z_high), (x_low, y_low, z_high), (x_high, y_low, z_low), (x_low, y_high, z_low)]
        {
            self.sat.add_clause(&[!x, !y, z]);
        }
        // A factor is zero, then so is the product.
        for (low, high) in [(x_low, x_high), (y_low, y_high)] {
            self.sat.add_clause(&[low, high, !z_low]);
            self.sat.add_clause(&[low, high, !z_high]);
        }
    }

    /// `|z| >= |x|` unless `y = 0`, as clauses over the signs, for integers.
    fn magnitude_lemmas(&mut self, product: Product) {
        let zero = Rational::ZERO;
        for (x, y) in [(product.left, product.right), (product.right, product.left)] {
            let (x_low, x_high) = (self.less(x, &zero), self.greater(x, &zero));
            let (y_low, y_high) = (self.less(y, &zero), self.greater(y, &zero));
            let z = Linear::variable(product.result);
            let x = Linear::variable(x);
            // z >= x where both factors are positive, and the other three quadrants.
            let at_least = self.compare(&x.minus(&z), Strictness::Weak);
            let at_least_minus = self.compare(&x.scaled(&Rational::MINUS_ONE).minus(&z), Strictness::Weak);
            let at_most = self.compare(&z.minus(&x), Strictness::Weak);
            let at_most_minus = self.compare(&z.plus(&x), Strictness::Weak);
            self.sat.add_clause(&[!x_high, !y_high, at_least]);
            self.sat.add_clause(&[!x_low, !y_low, at_least_minus]);
            self.sat.add_clause(&[!x_low, !y_high, at_most]);
            self.sat.add_clause(&[!x_high, !y_low, at_most_minus]);
        }
    }

    fn square_lemmas(&mut self, x: ArithVar, z: ArithVar, value: &Rational, found: &Rational, exact: &Rational) {
        let z_term = Linear::variable(z);
        let x_term = Linear::variable(x);
        let near = if self.arith.simplex.is_integer(x) || value.as_small().is_none_or(|(_, d)| d > 1 << 12) {
            value.floor()
        } else {
            value.clone()
        };
        if found < exact {
            // Tangent: z >= 2 a x - a^2, for all x. For integers also at the next point.
            for a in [near.clone(), &near + &Rational::ONE] {
                let plane = x_term.scaled(&(&a + &a)).minus(&Linear::constant(&a * &a)).minus(&z_term);
                let literal = self.compare(&plane, Strictness::Weak);
                self.sat.add_clause(&[literal]);
            }
        } else {
            // Secant between low and high: inside, z <= (low + high) x - low * high.
            let width = (found - exact).floor() + Rational::ONE;
            let low = &near - &width.floor().min_of(&Rational::from(1 << 10));
            let high = &near + &Rational::ONE + &width.floor().min_of(&Rational::from(1 << 10));
            for (low, high) in [(near.clone(), &near + &Rational::ONE), (low, high)] {
                let below = self.less(x, &low);
                let above = self.greater(x, &high);
                let plane = z_term.minus(&x_term.scaled(&(&low + &high))).plus(&Linear::constant(&low * &high));
                let literal = self.compare(&plane, Strictness::Weak);
                self.sat.add_clause(&[below, above, literal]);
            }
        }
    }
}

trait MinOf {
    fn min_of(&self, other: &Self) -> Self;
}
impl MinOf for Rational {
    fn min_of(&self, other: &Self) -> Self {
        if self < other { self.clone() } else { other.clone() }
    }
}
