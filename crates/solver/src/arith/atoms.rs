//! Arithmetic atoms and the theory that the search hears of them through.
//!
//! Every atom has the form `variable <= bound`, the bound possibly with an infinitesimal part; its negation is the
//! lower bound next to it. Atoms of one variable are ordered by clauses, so the search itself knows that `x <= 3`
//! implies `x <= 5`.

use super::delta::Delta;
use super::simplex::{ArithVar, Bound, Side, Simplex};
use super::{Linear, integers};
use crate::sat::{Lit, Sat, Theory, Var};
use quod_base::Rational;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

#[derive(Clone)]
struct Atom {
    var: ArithVar,
    bound: Delta,
}

/// The theory of linear arithmetic.
#[derive(Default)]
pub struct Arith {
    pub simplex: Simplex,
    atoms: FxHashMap<Var, Atom>,
    by_bound: Vec<BTreeMap<Delta, Lit>>,
    definitions: FxHashMap<Vec<(ArithVar, Rational)>, ArithVar>,
    /// Original variables, in order of creation: the ones that branching looks at.
    pub(crate) integers: Vec<ArithVar>,
    trail: Vec<(usize, usize)>,
    conflict: Option<Vec<Lit>>,
    pub(crate) branches: u64,
    pub branch_limit: u64,
    pub(crate) cuts: u64,
    row_stamp: Vec<u32>,
    row_epoch: u32,
}

impl Arith {
    pub fn new_var(&mut self, is_integer: bool) -> ArithVar {
        let var = self.simplex.new_var(is_integer);
        if is_integer {
            self.integers.push(var);
        }
        var
    }

    /// A new query may branch and cut as much as any other.
    pub fn reset_budget(&mut self) {
        self.branches = 0;
        self.cuts = 0;
    }

    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// A variable that equals `linear` up to the returned positive or negative factor: `linear = factor * variable`.
    /// Combinations that differ by a factor share their variable. `linear` must not be empty.
    pub fn combination(&mut self, linear: &Linear) -> (ArithVar, Rational) {
        let mut normal = linear.clone();
        debug_assert!(normal.iter().all(|(_, coefficient)| !coefficient.is_zero()));
        normal.sort_by_key(|(var, _)| *var);
        if let [(var, coefficient)] = normal.as_slice() {
            return (*var, coefficient.clone());
        }
        let is_integer = normal.iter().all(|(var, _)| self.simplex.is_integer(*var));
        // Coprime integer coefficients with a positive first one.
        let mut denominator = Rational::ONE;
        for (_, coefficient) in &normal {
            let other = Rational::from_bigint(coefficient.denominator());
            denominator = &denominator * &(&other / &denominator.gcd_integers(&other));
        }
        let mut divisor = Rational::ZERO;
        for (_, coefficient) in &normal {
            divisor = divisor.gcd_integers(&(coefficient * &denominator));
        }
        let mut factor = &divisor / &denominator;
        if normal[0].1.is_negative() {
            factor = -factor;
        }
        for (_, coefficient) in &mut normal {
            *coefficient = &*coefficient / &factor;
        }
        if let Some(&var) = self.definitions.get(&normal) {
            return (var, factor);
        }
        let var = self.simplex.define(&normal, is_integer);
        self.definitions.insert(normal, var);
        (var, factor)
    }

    /// The literal of `var <= bound`.
    pub fn atom(&mut self, sat: &mut Sat, var: ArithVar, bound: Delta) -> Lit {
        let bound = if self.simplex.is_integer(var) { Delta::new(bound.floor(), 0) } else { bound };
        if self.by_bound.len() <= var.index() {
            self.by_bound.resize_with(var.index() + 1, BTreeMap::new);
        }
        let table = &mut self.by_bound[var.index()];
        if let Some(&literal) = table.get(&bound) {
            return literal;
        }
        let sat_var = sat.new_var();
        let literal = Lit::new(sat_var, true);
        sat.watch_theory(sat_var);
        if let Some((_, &below)) = table.range(..&bound).next_back() {
            sat.add_clause(&[!below, literal]);
        }
        if let Some((_, &above)) = table.range(&bound..).next() {
            sat.add_clause(&[!literal, above]);
        }
        table.insert(bound.clone(), literal);
        self.atoms.insert(sat_var, Atom { var, bound });
        literal
    }

    /// The bound that a literal asserts.
    fn meaning(&self, literal: Lit) -> Option<(ArithVar, Side, Delta)> {
        let atom = self.atoms.get(&literal.var())?;
        if literal.is_positive() {
            return Some((atom.var, Side::Upper, atom.bound.clone()));
        }
        let bound = if self.simplex.is_integer(atom.var) {
            Delta::new(&atom.bound.real + &Rational::ONE, 0)
        } else {
            // Next above: (c, -1) goes to (c, 0), (c, 0) to (c, 1).
            Delta { real: atom.bound.real.clone(), delta: &atom.bound.delta + &Rational::ONE }
        };
        Some((atom.var, Side::Lower, bound))
    }

    /// The value of a variable in the model of the last search, with `delta` for the infinitesimal.
    pub fn value(&self, var: ArithVar, delta: &Rational) -> Rational {
        let value = self.simplex.value(var);
        &value.real + &(&value.delta * delta)
    }

    /// Atoms that a bound of their variable implies but that have no value yet. Adds clauses.
    fn propagate_rows(&mut self, sat: &mut Sat) {
        debug_assert!(self.simplex.is_consistent());
        let touched = std::mem::take(&mut self.simplex.touched);
        self.row_epoch += 1;
        self.row_stamp.resize(self.simplex.rows.len(), 0);
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        for row in touched {
            if self.row_stamp[row as usize] == self.row_epoch || clauses.len() > 20 {
                continue;
            }
            self.row_stamp[row as usize] = self.row_epoch;
            if self.simplex.rows[row as usize].entries.len() <= 40 {
                self.propagate_row(sat, row as usize, Side::Upper, &mut clauses);
                self.propagate_row(sat, row as usize, Side::Lower, &mut clauses);
            }
        }
        for clause in clauses {
            sat.add_redundant_clause(&clause);
        }
    }

    /// With the row read as `0 = -basic + sum`, the sum of the other terms' extremes bounds each term.
    fn propagate_row(&mut self, sat: &Sat, row: usize, side: Side, clauses: &mut Vec<Vec<Lit>>) {
        let row = &self.simplex.rows[row];
        let minus_one = Rational::MINUS_ONE;
        let terms = || row.entries.iter().map(|(var, c)| (*var, c)).chain([(row.basic, &minus_one)]);
        // The bound of each term on `side`: its coefficient's sign selects which bound of the variable that is.
        let bound_of = |var: u32, coefficient: &Rational| {
            let column = &self.simplex.columns[var as usize];
            if coefficient.is_positive() == (side == Side::Upper) {
                column.upper.as_ref()
            } else {
                column.lower.as_ref()
            }
        };
        self.simplex.work += row.entries.len() as u64;
        let mut missing = None;
        let mut total = Delta::ZERO;
        for (var, coefficient) in terms() {
            match bound_of(var, coefficient) {
                Some(bound) => total.add_scaled(coefficient, &bound.value),
                None if missing.is_none() => missing = Some(var),
                None => return,
            }
        }
        for (var, coefficient) in terms() {
            if missing.is_some_and(|missing| missing != var) {
                continue;
            }
            let Some(table) = self.by_bound.get(var as usize).filter(|table| !table.is_empty()) else { continue };
            let mut rest = total.clone();
            if missing.is_none()
                && let Some(bound) = bound_of(var, coefficient)
            {
                rest.add_scaled(&-coefficient, &bound.value);
            }
            // coefficient * var + rest' = 0 with rest' <= rest (upper) or >= rest (lower).
            let Some(inverse) = coefficient.recip() else { continue };
            let implied = rest.scaled(&-inverse);
            // Upper sums bound the term from below.
            let gives_lower = coefficient.is_positive() == (side == Side::Upper);
            debug_assert!(
                if gives_lower {
                    self.simplex.columns[var as usize].value >= implied
                } else {
                    self.simplex.columns[var as usize].value <= implied
                },
                "a feasible assignment keeps implied bounds"
            );
            let literal = if gives_lower {
                // var >= implied refutes atoms var <= c with c < implied: the largest one tells the others.
                table.range(..&implied).next_back().map(|(_, &literal)| !literal)
            } else {
                table.range(&implied..).next().map(|(_, &literal)| literal)
            };
            let Some(literal) = literal.filter(|&literal| sat.model(literal).is_none()) else { continue };
            let mut clause = vec![literal];
            for (other, coefficient) in terms() {
                if other != var
                    && let Some(reason) = bound_of(other, coefficient).and_then(|bound| bound.reason)
                {
                    clause.push(!reason);
                }
            }
            clauses.push(clause);
        }
    }
}

impl Theory for Arith {
    fn assert_literal(&mut self, literal: Lit, position: usize) {
        if self.conflict.is_some() {
            return;
        }
        let Some((var, side, value)) = self.meaning(literal) else { return };
        self.trail.push((position, self.simplex.mark()));
        if let Err(conflict) = self.simplex.assert_bound(var, side, Bound { value, reason: Some(literal) }) {
            self.conflict = Some(conflict);
        }
    }

    fn backtrack(&mut self, position: usize) {
        self.conflict = None;
        let mut mark = None;
        while let Some(&(at, old)) = self.trail.last() {
            if at < position {
                break;
            }
            mark = Some(old);
            self.trail.pop();
        }
        if let Some(mark) = mark {
            self.simplex.backtrack(mark);
        }
    }

    fn propagate(&mut self, sat: &mut Sat) {
        let before = self.simplex.work;
        if self.conflict.is_none()
            && let Err(conflict) = self.simplex.check()
        {
            self.conflict = Some(conflict);
        }
        match self.conflict.take() {
            Some(conflict) => {
                let clause: Vec<Lit> = conflict.iter().map(|&literal| !literal).collect();
                sat.add_redundant_clause(&clause);
            }
            None if self.simplex.is_interrupted => {}
            None => self.propagate_rows(sat),
        }
        sat.theory_work += self.simplex.work - before;
    }

    fn final_check(&mut self, sat: &mut Sat) -> bool {
        !self.simplex.is_interrupted && integers::final_check(self, sat)
    }
}
