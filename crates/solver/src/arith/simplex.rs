//! The general simplex of Dutertre and de Moura, "A fast linear-arithmetic solver for DPLL(T)", CAV 2006.
//!
//! Rows define basic variables by the others: `basic = sum of coefficient * variable`. Variables carry bounds with the
//! literal that asserted each. `check` moves the assignment into the bounds or explains why it cannot be done by the
//! bounds of one row. Backtracking only restores bounds: the assignment of the variables outside the basis stays within
//! them.

use super::delta::Delta;
use crate::sat::Lit;
use quod_base::Rational;
use std::collections::BinaryHeap;

/// A variable of the tableau.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArithVar(pub u32);

impl ArithVar {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A bound and the literal that it came from; `None` for a bound that always holds.
#[derive(Clone, Debug)]
pub struct Bound {
    pub value: Delta,
    pub reason: Option<Lit>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Side {
    Lower,
    Upper,
}

const NOT_BASIC: u32 = u32::MAX;

pub(crate) struct Column {
    pub(crate) is_integer: bool,
    pub(crate) lower: Option<Bound>,
    pub(crate) upper: Option<Bound>,
    pub(crate) value: Delta,
    /// The row that defines the variable, or `NOT_BASIC`.
    row: u32,
    /// The rows that the variable occurs in while it is not basic.
    rows: Vec<u32>,
    is_queued: bool,
}

#[derive(Default, Clone)]
pub(crate) struct Row {
    pub(crate) basic: u32,
    pub(crate) entries: Vec<(u32, Rational)>,
}

#[derive(Default)]
pub struct Simplex {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
    undo: Vec<(ArithVar, Side, Option<Bound>)>,
    queue: BinaryHeap<std::cmp::Reverse<u32>>,
    /// Scratch: place of a variable in the row that is being added to.
    place: Vec<u32>,
    pub pivots: u64,
    pub work: u64,
    /// Looked at now and then by `check`.
    pub cancel: crate::sat::Cancel,
    pub deadline: Option<std::time::Instant>,
    /// `check` stopped before the end: nothing is known.
    pub is_interrupted: bool,
    /// Rows whose variables' bounds changed since they were last looked at for implied bounds.
    pub(crate) touched: Vec<u32>,
}

/// The literals of bounds that contradict each other.
pub type Conflict = Vec<Lit>;

impl Simplex {
    pub fn new_var(&mut self, is_integer: bool) -> ArithVar {
        let var = ArithVar(self.columns.len() as u32);
        self.columns.push(Column {
            is_integer,
            lower: None,
            upper: None,
            value: Delta::ZERO,
            row: NOT_BASIC,
            rows: Vec::new(),
            is_queued: false,
        });
        self.place.push(u32::MAX);
        var
    }

    pub fn is_integer(&self, var: ArithVar) -> bool {
        self.columns[var.index()].is_integer
    }
    pub fn value(&self, var: ArithVar) -> &Delta {
        &self.columns[var.index()].value
    }
    pub fn lower(&self, var: ArithVar) -> Option<&Bound> {
        self.columns[var.index()].lower.as_ref()
    }
    pub fn upper(&self, var: ArithVar) -> Option<&Bound> {
        self.columns[var.index()].upper.as_ref()
    }
    pub fn variables(&self) -> usize {
        self.columns.len()
    }
    /// How many variables have a bound now.
    pub fn bounded_variables(&self) -> usize {
        self.columns.iter().filter(|column| column.lower.is_some() || column.upper.is_some()).count()
    }
    pub(crate) fn row_of(&self, var: ArithVar) -> Option<&Row> {
        let row = self.columns[var.index()].row;
        (row != NOT_BASIC).then(|| &self.rows[row as usize])
    }

    /// A new basic variable equal to the combination.
    pub fn define(&mut self, linear: &[(ArithVar, Rational)], is_integer: bool) -> ArithVar {
        let var = self.new_var(is_integer);
        let row_index = self.rows.len() as u32;
        self.rows.push(Row { basic: var.0, entries: Vec::new() });
        for (operand, coefficient) in linear {
            let source = self.columns[operand.index()].row;
            if source == NOT_BASIC {
                self.add_to_row(row_index, &[(operand.0, coefficient.clone())], &Rational::ONE);
            } else {
                let entries = std::mem::take(&mut self.rows[source as usize].entries);
                self.add_to_row(row_index, &entries, coefficient);
                self.rows[source as usize].entries = entries;
            }
        }
        let mut value = Delta::ZERO;
        for (operand, coefficient) in &self.rows[row_index as usize].entries {
            value.add_scaled(coefficient, &self.columns[*operand as usize].value);
        }
        let column = &mut self.columns[var.index()];
        column.row = row_index;
        column.value = value;
        var
    }

    /// `rows[target] += factor * entries`, keeping the columns' lists of rows exact.
    fn add_to_row(&mut self, target: u32, entries: &[(u32, Rational)], factor: &Rational) {
        let mut row = std::mem::take(&mut self.rows[target as usize].entries);
        self.work += (row.len() + entries.len()) as u64;
        for (at, (var, _)) in row.iter().enumerate() {
            self.place[*var as usize] = at as u32;
        }
        let mut has_zero = false;
        for (var, coefficient) in entries {
            let place = self.place[*var as usize];
            if place == u32::MAX {
                self.place[*var as usize] = row.len() as u32;
                row.push((*var, coefficient * factor));
                self.columns[*var as usize].rows.push(target);
            } else {
                let old = &mut row[place as usize].1;
                *old += &(coefficient * factor);
                has_zero |= old.is_zero();
            }
        }
        for (var, _) in &row {
            self.place[*var as usize] = u32::MAX;
        }
        if has_zero {
            let columns = &mut self.columns;
            row.retain(|(var, coefficient)| {
                if coefficient.is_zero() {
                    let rows = &mut columns[*var as usize].rows;
                    if let Some(at) = rows.iter().position(|&row| row == target) {
                        rows.swap_remove(at);
                    }
                }
                !coefficient.is_zero()
            });
        }
        self.rows[target as usize].entries = row;
    }

    fn enqueue(&mut self, var: u32) {
        let column = &mut self.columns[var as usize];
        if !column.is_queued {
            column.is_queued = true;
            self.queue.push(std::cmp::Reverse(var));
        }
    }

    /// A place to come back to with `backtrack`.
    pub fn mark(&self) -> usize {
        self.undo.len()
    }
    pub fn backtrack(&mut self, mark: usize) {
        while self.undo.len() > mark {
            if let Some((var, side, old)) = self.undo.pop() {
                let column = &mut self.columns[var.index()];
                match side {
                    Side::Lower => column.lower = old,
                    Side::Upper => column.upper = old,
                }
            }
        }
        self.touched.clear();
    }

    /// `var >= value` or `var <= value`. An error names the bounds that contradict each other.
    pub fn assert_bound(&mut self, var: ArithVar, side: Side, bound: Bound) -> Result<(), Conflict> {
        let column = &mut self.columns[var.index()];
        let (is_weaker, clash) = match side {
            Side::Lower => (
                column.lower.as_ref().is_some_and(|old| old.value >= bound.value),
                column.upper.as_ref().filter(|upper| upper.value < bound.value),
            ),
            Side::Upper => (
                column.upper.as_ref().is_some_and(|old| old.value <= bound.value),
                column.lower.as_ref().filter(|lower| lower.value > bound.value),
            ),
        };
        if is_weaker {
            return Ok(());
        }
        if let Some(other) = clash {
            return Err(other.reason.into_iter().chain(bound.reason).collect());
        }
        let is_outside = match side {
            Side::Lower => column.value < bound.value,
            Side::Upper => column.value > bound.value,
        };
        let value = bound.value.clone();
        let old = match side {
            Side::Lower => column.lower.replace(bound),
            Side::Upper => column.upper.replace(bound),
        };
        let is_basic = column.row != NOT_BASIC;
        if is_basic {
            self.touched.push(column.row);
        } else {
            self.touched.extend_from_slice(&column.rows);
        }
        self.undo.push((var, side, old));
        if is_outside {
            if is_basic {
                self.enqueue(var.0);
            } else {
                self.update(var.0, value);
            }
        }
        Ok(())
    }

    /// Gives a variable outside the basis another value.
    fn update(&mut self, var: u32, value: Delta) {
        let change = value.minus(&self.columns[var as usize].value);
        self.columns[var as usize].value = value;
        let rows = std::mem::take(&mut self.columns[var as usize].rows);
        for &row in &rows {
            self.shift_row(row, var, &change);
        }
        self.columns[var as usize].rows = rows;
    }

    fn shift_row(&mut self, row: u32, var: u32, change: &Delta) {
        let row = &self.rows[row as usize];
        self.work += row.entries.len() as u64 / 4 + 1;
        if let Some((_, coefficient)) = row.entries.iter().find(|(other, _)| *other == var) {
            let basic = row.basic;
            self.columns[basic as usize].value.add_scaled(coefficient, change);
            self.enqueue(basic);
        }
    }

    /// Repairs the assignment, or explains why no assignment exists.
    pub fn check(&mut self) -> Result<(), Conflict> {
        let mut pivots_here = 0u32;
        self.is_interrupted = false;
        while let Some(std::cmp::Reverse(basic)) = self.queue.pop() {
            self.columns[basic as usize].is_queued = false;
            let column = &self.columns[basic as usize];
            if column.row == NOT_BASIC {
                continue;
            }
            let (target, needs_increase) = match (&column.lower, &column.upper) {
                (Some(lower), _) if column.value < lower.value => (lower.value.clone(), true),
                (_, Some(upper)) if column.value > upper.value => (upper.value.clone(), false),
                _ => continue,
            };
            let row = column.row;
            match self.choose_entering(row, needs_increase, pivots_here > 200) {
                Some(entering) => {
                    pivots_here += 1;
                    self.pivots += 1;
                    if pivots_here.is_multiple_of(16) && self.should_stop() {
                        self.is_interrupted = true;
                        self.enqueue(basic);
                        return Ok(());
                    }
                    self.pivot_and_update(row, entering, target);
                }
                None => {
                    let conflict = self.explain(row, needs_increase);
                    self.enqueue(basic);
                    return Err(conflict);
                }
            }
        }
        Ok(())
    }

    fn should_stop(&self) -> bool {
        self.cancel.is_cancelled() || self.deadline.is_some_and(|end| std::time::Instant::now() >= end)
    }

    /// A variable of the row that can move so that the basic one goes up (or down). Few occurrences first; by number
    /// (Bland's rule, which ends) when `careful`.
    fn choose_entering(&mut self, row: u32, needs_increase: bool, careful: bool) -> Option<u32> {
        let row = &self.rows[row as usize];
        self.work += row.entries.len() as u64;
        let mut best: Option<(usize, u32)> = None;
        for (var, coefficient) in &row.entries {
            let column = &self.columns[*var as usize];
            let goes_up = coefficient.is_positive() == needs_increase;
            let can_move = if goes_up {
                column.upper.as_ref().is_none_or(|upper| column.value < upper.value)
            } else {
                column.lower.as_ref().is_none_or(|lower| column.value > lower.value)
            };
            if can_move {
                let key = (if careful { 0 } else { column.rows.len() }, *var);
                if best.is_none_or(|old| key < old) {
                    best = Some(key);
                }
            }
        }
        best.map(|(_, var)| var)
    }

    fn explain(&self, row: u32, needs_increase: bool) -> Conflict {
        let row = &self.rows[row as usize];
        let basic = &self.columns[row.basic as usize];
        let own = if needs_increase { &basic.lower } else { &basic.upper };
        let mut conflict: Conflict = own.iter().filter_map(|bound| bound.reason).collect();
        for (var, coefficient) in &row.entries {
            let column = &self.columns[*var as usize];
            let bound = if coefficient.is_positive() == needs_increase { &column.upper } else { &column.lower };
            conflict.extend(bound.iter().filter_map(|bound| bound.reason));
        }
        conflict
    }

    fn pivot_and_update(&mut self, row: u32, entering: u32, target: Delta) {
        let leaving = self.rows[row as usize].basic;
        let coefficient = self.rows[row as usize]
            .entries
            .iter()
            .find(|(var, _)| *var == entering)
            .map_or(Rational::ONE, |(_, coefficient)| coefficient.clone());
        let inverse = coefficient.recip().unwrap_or(Rational::ONE);
        let change = target.minus(&self.columns[leaving as usize].value).scaled(&inverse);
        self.columns[leaving as usize].value = target;
        self.columns[entering as usize].value.add_scaled(&Rational::ONE, &change);
        let rows = std::mem::take(&mut self.columns[entering as usize].rows);
        for &other in &rows {
            if other != row {
                self.shift_row(other, entering, &change);
            }
        }
        self.pivot(row, entering, leaving, &inverse, &rows);
        self.enqueue(entering);
    }

    /// Solves the row for `entering` and replaces it everywhere else.
    fn pivot(&mut self, row: u32, entering: u32, leaving: u32, inverse: &Rational, rows: &[u32]) {
        let minus = -inverse;
        let mut entries = std::mem::take(&mut self.rows[row as usize].entries);
        for (var, coefficient) in &mut entries {
            if *var == entering {
                *var = leaving;
                *coefficient = inverse.clone();
            } else {
                *coefficient *= &minus;
            }
        }
        self.rows[row as usize].basic = entering;
        self.columns[entering as usize].row = row;
        self.columns[leaving as usize].row = NOT_BASIC;
        self.columns[leaving as usize].rows.push(row);
        for &other in rows {
            if other == row {
                continue;
            }
            let target = &mut self.rows[other as usize].entries;
            let Some(at) = target.iter().position(|(var, _)| *var == entering) else { continue };
            let (_, factor) = target.swap_remove(at);
            self.add_to_row(other, &entries, &factor);
        }
        self.rows[row as usize].entries = entries;
    }

    /// The invariant after a successful check: rows hold, all values lie within their bounds.
    pub(crate) fn is_consistent(&self) -> bool {
        let rows_hold = self.rows.iter().all(|row| {
            let mut sum = Delta::ZERO;
            for (var, coefficient) in &row.entries {
                sum.add_scaled(coefficient, &self.columns[*var as usize].value);
            }
            sum == self.columns[row.basic as usize].value
        });
        let within = self.columns.iter().all(|column| {
            column.lower.as_ref().is_none_or(|lower| lower.value <= column.value)
                && column.upper.as_ref().is_none_or(|upper| column.value <= upper.value)
        });
        rows_hold && within
    }

    /// A positive value for delta that keeps all bounds.
    pub fn concrete_delta(&self) -> Rational {
        let mut delta = Rational::ONE;
        let mut narrow = |low: &Delta, high: &Delta| {
            // low <= high must hold with the infinitesimal replaced.
            if low.real < high.real && low.delta > high.delta {
                let limit = (&high.real - &low.real) / (&low.delta - &high.delta);
                if limit < delta {
                    delta = limit;
                }
            }
        };
        for column in &self.columns {
            if let Some(lower) = &column.lower {
                narrow(&lower.value, &column.value);
            }
            if let Some(upper) = &column.upper {
                narrow(&column.value, &upper.value);
            }
        }
        delta
    }
}
