//! Affine hulls: the linear equations that all points of a set satisfy, by elimination over the rationals.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;
use quod_base::Rational;

/// `coefficients · x + constant == 0`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Equation {
    pub(super) coefficients: Vec<i64>,
    pub(super) constant: i64,
}

/// Points that span the hull: rows in echelon form, each `1, x…` or a difference of such.
#[derive(Clone, Debug, Default)]
pub(super) struct Hull {
    rows: Vec<(usize, Vec<Rational>)>,
}

/// Larger factors are of no use.
const MOST_FACTOR: i64 = 1 << 31;

impl Hull {
    /// The hull grows to hold the point.
    pub(super) fn add(&mut self, point: &[i128]) {
        let mut row: Vec<Rational> = Vec::with_capacity(point.len() + 1);
        row.push(Rational::from(1));
        row.extend(point.iter().map(|&value| Rational::from(BigInt::from(value))));
        for (pivot, other) in &self.rows {
            if !row[*pivot].is_zero() {
                let factor = row[*pivot].clone();
                row.iter_mut().zip(other).for_each(|(value, other)| *value -= &(other * &factor));
            }
        }
        let Some(pivot) = row.iter().position(|value| !value.is_zero()) else { return };
        let Some(inverse) = row[pivot].recip() else { return };
        row.iter_mut().for_each(|value| *value *= &inverse);
        for (_, other) in &mut self.rows {
            if !other[pivot].is_zero() {
                let factor = other[pivot].clone();
                other.iter_mut().zip(&row).for_each(|(value, new)| *value -= &(new * &factor));
            }
        }
        self.rows.push((pivot, row));
    }

    /// Equations that hold on the hull and span all that do. Each gives one number by those before it.
    pub(super) fn equations(&self, count: usize) -> Vec<Equation> {
        let is_pivot = |column: usize| self.rows.iter().any(|(pivot, _)| *pivot == column);
        let mut equations = Vec::new();
        for free in (0..=count).filter(|&column| !is_pivot(column)) {
            // x_free = sum of row[free] * x_pivot
            let mut factors = vec![Rational::from(0); count + 1];
            factors[free] = Rational::from(-1);
            for (pivot, row) in &self.rows {
                factors[*pivot] = row[free].clone();
            }
            let scale = factors.iter().fold(BigInt::from(1), |scale, factor| scale.lcm(&factor.denominator()));
            let scaled: Option<Vec<i64>> = factors
                .iter()
                .map(|factor| (factor.numerator() * &scale / factor.denominator()).to_i64())
                .map(|factor| factor.filter(|factor| factor.abs() < MOST_FACTOR))
                .collect();
            if let Some(scaled) = scaled {
                equations.push(Equation { constant: scaled[0], coefficients: scaled[1..].to_vec() });
            }
        }
        equations
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_two_points() {
        let mut hull = Hull::default();
        hull.add(&[0, 5]);
        assert_eq!(hull.equations(2).len(), 2);
        hull.add(&[1, 7]);
        let equations = hull.equations(2);
        assert_eq!(equations.len(), 1);
        let Equation { coefficients, constant } = &equations[0];
        for (x, y) in [(0, 5), (1, 7), (2, 9), (-3, -1)] {
            assert_eq!(coefficients[0] * x + coefficients[1] * y + constant, 0);
        }
        hull.add(&[2, 9]);
        assert_eq!(hull.equations(2).len(), 1);
        hull.add(&[2, 8]);
        assert!(hull.equations(2).is_empty());
    }

    #[test]
    fn the_first_number_is_free_where_the_others_are_constant() {
        let mut hull = Hull::default();
        hull.add(&[1, 10, 3]);
        hull.add(&[4, 10, 3]);
        let equations = hull.equations(3);
        assert_eq!(equations.len(), 2);
        assert!(equations.iter().all(|equation| equation.coefficients[0] == 0));
    }
}
