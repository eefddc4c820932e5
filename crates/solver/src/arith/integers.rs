//! Integers on top of the rational simplex: the test of greatest common divisors, Gomory cuts and branching, each within
//! bounds; then the theory gives up.

use super::atoms::Arith;
use super::delta::Delta;
use super::simplex::{ArithVar, Bound};
use crate::sat::{Lit, Sat};
use quod_base::Rational;

/// Adds what excludes a fractional assignment. Nothing added: all integer variables have integer values. `false`: too
/// many branches.
pub(crate) fn final_check(arith: &mut Arith, sat: &mut Sat) -> bool {
    let fractional = arith.integers.iter().copied().filter(|&var| !arith.simplex.value(var).is_integer());
    // The smallest domain first, then the earliest variable.
    let chosen = fractional.min_by_key(|&var| (domain_size(arith, var).unwrap_or(i64::MAX), var));
    let Some(var) = chosen else { return true };
    arith.branches += 1;
    if arith.branches > arith.branch_limit {
        return false;
    }
    if let Some(clause) = gcd_conflict(arith) {
        sat.add_redundant_clause(&clause);
        return true;
    }
    if arith.branches % 4 == 3 && gomory_cut(arith, sat, var) {
        return true;
    }
    let floor = arith.simplex.value(var).floor();
    let literal = arith.atom(sat, var, Delta::new(floor, 0));
    sat.make_relevant(literal.var());
    if sat.model(literal).is_some() {
        // The atom has a value and yet the variable lies outside of it: cannot be after a successful check.
        return false;
    }
    true
}

fn domain_size(arith: &Arith, var: ArithVar) -> Option<i64> {
    let lower = arith.simplex.lower(var)?;
    let upper = arith.simplex.upper(var)?;
    (&upper.value.real - &lower.value.real).floor().to_i64()
}

fn is_fixed(lower: Option<&Bound>, upper: Option<&Bound>) -> bool {
    matches!((lower, upper), (Some(lower), Some(upper)) if lower.value == upper.value)
}

/// A row over integers whose free coefficients' greatest common divisor does not divide its constant part.
fn gcd_conflict(arith: &Arith) -> Option<Vec<Lit>> {
    let simplex = &arith.simplex;
    for row in &simplex.rows {
        let basic = ArithVar(row.basic);
        if !simplex.is_integer(basic) || simplex.value(basic).is_integer() && row.entries.len() > 20 {
            continue;
        }
        if row.entries.iter().any(|(var, _)| !simplex.is_integer(ArithVar(*var))) {
            continue;
        }
        let mut scale = Rational::ONE;
        for (_, coefficient) in &row.entries {
            let other = Rational::from_bigint(coefficient.denominator());
            scale = &scale * &(&other / &scale.gcd_integers(&other));
        }
        let minus = -&scale;
        let terms = row.entries.iter().map(|(var, c)| (*var, c * &scale)).chain([(row.basic, minus)]);
        let mut constant = Rational::ZERO;
        let mut divisor = Rational::ZERO;
        let mut reasons = Vec::new();
        for (var, coefficient) in terms {
            let (lower, upper) = (simplex.lower(ArithVar(var)), simplex.upper(ArithVar(var)));
            if is_fixed(lower, upper) {
                constant += &(&coefficient * &lower.map_or(Rational::ZERO, |bound| bound.value.real.clone()));
                for bound in lower.into_iter().chain(upper) {
                    reasons.extend(bound.reason.map(|reason| !reason));
                }
            } else {
                divisor = divisor.gcd_integers(&coefficient);
            }
        }
        let is_contradiction =
            if divisor.is_zero() { !constant.is_zero() } else { !(&constant / &divisor).is_integer() };
        if is_contradiction {
            reasons.sort_unstable();
            reasons.dedup();
            return Some(reasons);
        }
    }
    None
}

/// A Gomory mixed-integer cut from the row of a fractional basic variable. All other variables of the row must stand at
/// a bound. The cut is a clause: the bounds used imply the cut's atom.
fn gomory_cut(arith: &mut Arith, sat: &mut Sat, var: ArithVar) -> bool {
    if arith.cuts > 2000 {
        return false;
    }
    let simplex = &arith.simplex;
    let Some(row) = simplex.row_of(var) else { return false };
    if row.entries.len() > 30 {
        return false;
    }
    let value = &simplex.value(var).real;
    let fraction = value - &value.floor();
    let complement = &Rational::ONE - &fraction;
    // sum of cut coefficients * (distance from the bound) >= 1
    let mut linear: Vec<(ArithVar, Rational)> = Vec::new();
    let mut right = Rational::ONE;
    let mut reasons: Vec<Lit> = Vec::new();
    for (other, coefficient) in &row.entries {
        let other = ArithVar(*other);
        let (lower, upper) = (simplex.lower(other), simplex.upper(other));
        let here = simplex.value(other);
        if !here.delta.is_zero() {
            return false;
        }
        if is_fixed(lower, upper) {
            for bound in lower.into_iter().chain(upper) {
                reasons.extend(bound.reason.map(|reason| !reason));
            }
            continue;
        }
        let at_lower = lower.is_some_and(|bound| bound.value == *here);
        let bound = if at_lower { lower } else { upper.filter(|bound| bound.value == *here) };
        let Some(bound) = bound else { return false };
        reasons.extend(bound.reason.map(|reason| !reason));
        let signed = if at_lower { coefficient.clone() } else { -coefficient };
        let cut = if simplex.is_integer(other) {
            let part = &signed - &signed.floor();
            if part.is_zero() {
                continue;
            }
            if part <= complement { &part / &complement } else { (&Rational::ONE - &part) / &fraction }
        } else if signed.is_positive() {
            &signed / &complement
        } else {
            -&signed / &fraction
        };
        // Distance is x - lower or upper - x.
        let factor = if at_lower { cut } else { -cut };
        right += &(&factor * &bound.value.real);
        linear.push((other, factor));
    }
    let is_big = |number: &Rational| number.as_small().is_none_or(|(n, d)| n.abs() > 1 << 40 || d > 1 << 20);
    if linear.is_empty() || is_big(&right) || linear.iter().any(|(_, factor)| is_big(factor)) {
        return false;
    }
    // The combination is over tableau variables, some of them combinations themselves; `define` substitutes them.
    let (variable, factor) = arith.combination(&linear);
    let bound = &right / &factor;
    // linear >= right: variable >= bound, or variable <= bound for a negative factor.
    let literal = if factor.is_negative() {
        arith.atom(sat, variable, Delta::new(bound, 0))
    } else if arith.simplex.is_integer(variable) {
        !arith.atom(sat, variable, Delta::new(bound.ceil() - Rational::ONE, 0))
    } else {
        !arith.atom(sat, variable, Delta::new(bound, -1))
    };
    arith.cuts += 1;
    sat.make_relevant(literal.var());
    reasons.push(literal);
    sat.add_redundant_clause(&reasons);
    true
}
