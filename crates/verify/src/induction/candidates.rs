//! Candidates for an invariant. Each family starts as strong as the first state allows and is weakened by every state that
//! contradicts it: linear equations (the affine hull of the states), bounds of sums and differences (among the numbers that
//! the program names), residues; each of them for all states, and apart for those in which a condition of the program holds
//! or does not. And single conditions, which are dropped.

use super::hull::{Equation, Hull};
use quod_solver::Model;
use quod_term::{BitVector, Term, TermPool};
use rustc_hash::FxHashMap;

/// A number at the head: a symbol where a round may change it, else what it is for good.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) head: Term,
    /// Which of the spots it is.
    pub(super) spot: Option<usize>,
    pub(super) width: u32,
    pub(super) is_signed: bool,
    /// The variable, where it has a name at the head.
    pub(super) name: Option<String>,
}

/// A sum with signs that is not above a bound.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub(super) parts: Vec<(usize, i128)>,
    /// Nothing where there is none.
    pub(super) bound: Option<i128>,
    weakened: u32,
}

/// How far two columns are apart: a residue modulo a power of two.
#[derive(Copy, Clone, Debug)]
struct Apart {
    columns: (usize, usize),
    modulus: i128,
    residue: i128,
}

/// The candidates for states in which a condition holds.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// Over the symbols of the head; nothing for all states.
    pub(super) guard: Option<Term>,
    hull: Hull,
    refused: Vec<Equation>,
    pub(super) forms: Vec<Form>,
    /// For each column a modulus (zero: all values are equal) and a residue.
    residues: Vec<(i128, i128)>,
    /// The same for differences of two columns.
    apart: Vec<Apart>,
    /// Equations only, and only between these columns.
    among: Option<Vec<bool>>,
    is_empty: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Candidates {
    pub(super) columns: Vec<Column>,
    thresholds: Vec<i128>,
    pub(super) cases: Vec<Case>,
    /// Conditions over the symbols of the head.
    pub(super) conditions: Vec<Term>,
    /// Bounds of sums as well, and of differences far from nought.
    has_sums: bool,
}

/// Where bounds move to.
struct Steps<'c> {
    thresholds: &'c [i128],
    columns: &'c [Column],
    has_far: bool,
}

/// Which candidate an atom is.
#[derive(Clone, Debug)]
pub(super) enum Atom {
    Empty(usize),
    Equation(usize, Equation),
    Form(usize, usize),
    Residue(usize, usize),
    Apart(usize, usize),
    Condition(usize),
}

/// Bounds of differences, where they are to be cheap.
const NEAR: [i128; 3] = [-1, 0, 1];
/// Times that a bound is moved before it is given up.
const MOST_MOVES: u32 = 10;
/// Bits of small numbers.
const SMALL: u32 = 12;
/// The largest modulus of differences; no more than the narrowest columns have bits for.
const FAR: i128 = 1 << 8;
/// Columns up to which all pairs are looked at.
const MOST_PAIRED: usize = 9;

impl Candidates {
    pub(super) fn new(
        columns: Vec<Column>,
        constants: &[i128],
        guards: &[Option<Term>],
        conditions: Vec<Term>,
        has_sums: bool,
    ) -> Self {
        let forms = forms(&columns, has_sums);
        let apart = if has_sums { apart(&columns) } else { Vec::new() };
        let cases = guards
            .iter()
            .map(|&guard| Case {
                guard,
                hull: Hull::default(),
                refused: Vec::new(),
                forms: forms.clone(),
                residues: vec![(0, 0); columns.len()],
                apart: apart.clone(),
                among: None,
                is_empty: true,
            })
            .collect();
        Self { columns, thresholds: constants.to_vec(), cases, conditions, has_sums }
    }

    /// Adds cases with equations between some columns only.
    pub(super) fn add_light(&mut self, guards: &[Term], among: &[bool]) {
        let count = self.columns.len();
        self.cases.extend(guards.iter().map(|&guard| Case {
            guard: Some(guard),
            hull: Hull::default(),
            refused: Vec::new(),
            forms: Vec::new(),
            residues: vec![(1, 0); count],
            apart: Vec::new(),
            among: Some(among.to_vec()),
            is_empty: true,
        }));
    }

    /// The conditions that a column has one of the values that it can have, where these are few; by the column for which they
    /// are fewest.
    pub(super) fn few_values(&self, pool: &TermPool, most: i128) -> Vec<Term> {
        let Some(case) = self.cases.iter().find(|case| case.guard.is_none() && !case.is_empty) else {
            return Vec::new();
        };
        let bound = |place: usize, sign: i128| {
            let form = case.forms.iter().find(|form| form.parts[..] == [(place, sign)]);
            form.and_then(|form| form.bound).map(|bound| bound * sign)
        };
        let ranges = self.columns.iter().enumerate().filter(|(_, column)| column.spot.is_some());
        let ranges = ranges.filter_map(|(place, column)| Some((column, bound(place, -1)?, bound(place, 1)?)));
        let few = ranges.filter(|(_, low, high)| (1..most).contains(&(high - low)));
        let is = |column: &Column, value: i128| pool.eq(column.head, bv(pool, column.width, value));
        if let Some((column, low, high)) = few.min_by_key(|(_, low, high)| high - low) {
            return (low..=high).map(|value| is(column, value)).collect();
        }
        // The highest ones, and all that is below.
        let mut columns =
            self.columns.iter().enumerate().filter(|(_, column)| column.spot.is_some() && column.is_signed);
        let Some((column, high)) = columns.find_map(|(place, column)| Some((column, bound(place, 1)?))) else {
            return Vec::new();
        };
        if column.width < 16 || high.abs() > 1 << 14 {
            return Vec::new();
        }
        let low = high - most;
        let mut guards = vec![pool.bv_sle(column.head, bv(pool, column.width, low))];
        guards.extend((low + 1..=high).map(|value| is(column, value)));
        guards
    }

    /// As weak as others for the same places, whose symbols `map` leads from to those of these. False where they do not fit.
    pub(super) fn start_as(&mut self, pool: &TermPool, others: &Candidates, map: &FxHashMap<Term, Term>) -> bool {
        let is_same = |(a, b): (&Column, &Column)| {
            (a.spot, a.width, a.is_signed) == (b.spot, b.width, b.is_signed)
                && (a.spot.is_some() || a.head == pool.substitute(b.head, map))
        };
        let is_fit = self.columns.len() == others.columns.len()
            && self.has_sums == others.has_sums
            && self.columns.iter().zip(&others.columns).all(is_same);
        if is_fit {
            self.cases = others.cases.clone();
            for case in &mut self.cases {
                case.guard = case.guard.map(|guard| pool.substitute(guard, map));
            }
            self.conditions = others.conditions.iter().map(|&condition| pool.substitute(condition, map)).collect();
        }
        is_fit
    }

    /// What the columns are where the spots hold these values.
    pub(super) fn values(&self, spots: &[Term]) -> Vec<Term> {
        self.columns.iter().map(|column| column.spot.map_or(column.head, |spot| spots[spot])).collect()
    }

    /// All candidates as conditions on values of the columns; `map` leads from the symbols of the head to values.
    pub(super) fn atoms(&self, pool: &TermPool, values: &[Term], map: &FxHashMap<Term, Term>) -> Vec<(Atom, Term)> {
        let mut atoms = Vec::new();
        for (index, case) in self.cases.iter().enumerate() {
            let guard = case.guard.map_or(pool.true_(), |guard| pool.substitute(guard, map));
            let mut add = |atom: Atom, term: Term| {
                let term = pool.implies(guard, term);
                if term != pool.true_() {
                    atoms.push((atom, term));
                }
            };
            if case.is_empty {
                add(Atom::Empty(index), pool.false_());
                continue;
            }
            for equation in case.equations(self.columns.len()) {
                let term = self.equation(pool, &equation, values);
                add(Atom::Equation(index, equation), term);
            }
            for (place, form) in case.forms.iter().enumerate() {
                if let Some(bound) = form.bound {
                    add(Atom::Form(index, place), self.bounded(pool, form, bound, values));
                }
            }
            for (place, &(modulus, residue)) in case.residues.iter().enumerate() {
                if modulus > 1
                    && let Some(term) = self.residue(pool, place, modulus, residue, values[place])
                {
                    add(Atom::Residue(index, place), term);
                }
            }
            for (place, apart) in case.apart.iter().enumerate() {
                if apart.modulus > 1 {
                    add(Atom::Apart(index, place), self.apart(pool, apart, values));
                }
            }
        }
        for (index, &condition) in self.conditions.iter().enumerate() {
            let term = pool.substitute(condition, map);
            if term != pool.true_() {
                atoms.push((Atom::Condition(index), term));
            }
        }
        atoms
    }

    /// Modulo two to the width of the widest number in it.
    fn equation(&self, pool: &TermPool, equation: &Equation, values: &[Term]) -> Term {
        let used = || equation.coefficients.iter().enumerate().filter(|(_, factor)| **factor != 0);
        let width = used().map(|(place, _)| self.columns[place].width).max().unwrap_or(32);
        let mut sum = pool.bv_value(BitVector::from_i64(width, equation.constant));
        for (place, &factor) in used() {
            let value = self.extended(pool, place, width, values[place]);
            let factor = pool.bv_value(BitVector::from_i64(width, factor));
            sum = pool.bv_add(sum, pool.bv_mul(factor, value));
        }
        pool.eq(sum, pool.bv(width, 0))
    }

    fn extended(&self, pool: &TermPool, place: usize, width: u32, value: Term) -> Term {
        let column = &self.columns[place];
        let more = width - column.width;
        match more {
            0 => value,
            _ if column.is_signed => pool.sign_extend(more, value),
            _ => pool.zero_extend(more, value),
        }
    }

    /// As numbers, not modulo anything.
    fn bounded(&self, pool: &TermPool, form: &Form, bound: i128, values: &[Term]) -> Term {
        if let [(place, sign)] = form.parts[..] {
            let column = &self.columns[place];
            let constant = bv(pool, column.width, bound * sign);
            return match (sign > 0, column.is_signed) {
                (true, true) => pool.bv_sle(values[place], constant),
                (true, false) => pool.bv_ule(values[place], constant),
                (false, true) => pool.bv_sle(constant, values[place]),
                (false, false) => pool.bv_ule(constant, values[place]),
            };
        }
        let widest = form.parts.iter().map(|&(place, _)| self.columns[place].width).max().unwrap_or(32);
        if let [(a, 1), (b, -1)] | [(b, -1), (a, 1)] = form.parts[..]
            && (bound == 0 || bound == -1)
            && self.columns[a].width == self.columns[b].width
            && self.columns[a].is_signed == self.columns[b].is_signed
        {
            let (a, b, is_signed) = (values[a], values[b], self.columns[a].is_signed);
            return match (bound, is_signed) {
                (0, true) => pool.bv_sle(a, b),
                (0, false) => pool.bv_ule(a, b),
                (_, true) => pool.bv_slt(a, b),
                (_, false) => pool.bv_ult(a, b),
            };
        }
        // Two numbers of one width, one of them perhaps unsigned, need two bits more; so does any bound of use.
        let width = widest + 2;
        let mut sum = pool.bv(width, 0);
        for &(place, sign) in &form.parts {
            let value = self.extended(pool, place, width, values[place]);
            sum = if sign > 0 { pool.bv_add(sum, value) } else { pool.bv_sub(sum, value) };
        }
        pool.bv_sle(sum, bv(pool, width, bound))
    }

    fn residue(&self, pool: &TermPool, place: usize, modulus: i128, residue: i128, value: Term) -> Option<Term> {
        let column = &self.columns[place];
        let power = modulus.trailing_zeros();
        if modulus == 1 << power {
            let power = power.min(column.width);
            let low = pool.extract(power - 1, 0, value);
            return Some(pool.eq(low, bv(pool, power, residue)));
        }
        if modulus >= 1 << (column.width - 1).min(16) {
            return None;
        }
        let divisor = bv(pool, column.width, modulus);
        let rest = if column.is_signed { pool.bv_smod(value, divisor) } else { pool.bv_urem(value, divisor) };
        Some(pool.eq(rest, bv(pool, column.width, residue.rem_euclid(modulus))))
    }

    /// The low bits of the difference.
    fn apart(&self, pool: &TermPool, apart: &Apart, values: &[Term]) -> Term {
        let (a, b) = apart.columns;
        let power = apart.modulus.trailing_zeros();
        let low = |place: usize| pool.extract(power - 1, 0, values[place]);
        pool.eq(pool.bv_sub(low(a), low(b)), bv(pool, power, apart.residue))
    }

    /// Some equation is not true of the model.
    pub(super) fn breaks_equation(
        &self,
        pool: &TermPool,
        model: &Model,
        values: &[Term],
        map: &FxHashMap<Term, Term>,
    ) -> bool {
        let is_true =
            |term: Term| quod_term::evaluate(pool, term, model).and_then(|value| value.as_bool()) == Some(true);
        self.cases.iter().any(|case| {
            case.guard.is_none_or(|guard| is_true(pool.substitute(guard, map)))
                && case
                    .equations(self.columns.len())
                    .iter()
                    .any(|equation| !is_true(self.equation(pool, equation, values)))
        })
    }

    /// All columns hold small numbers.
    pub(super) fn small(&self, pool: &TermPool, values: &[Term]) -> Term {
        let mut all = Vec::new();
        for (column, &value) in self.columns.iter().zip(values) {
            let small = 1i128 << (column.width - 1).min(SMALL);
            all.push(pool.bv_slt(value, bv(pool, column.width, small)));
            all.push(pool.bv_sle(bv(pool, column.width, -small), value));
        }
        pool.and(&all)
    }

    /// The state that a model shows is among those that the candidates must hold for. True where one of them changed.
    pub(super) fn weaken(
        &mut self,
        pool: &TermPool,
        model: &Model,
        values: &[Term],
        map: &FxHashMap<Term, Term>,
    ) -> bool {
        let is_true =
            |term: Term| quod_term::evaluate(pool, term, model).and_then(|value| value.as_bool()) == Some(true);
        let mut point = Vec::with_capacity(values.len());
        for (column, &value) in self.columns.iter().zip(values) {
            match number(pool, value, column.is_signed, model) {
                Some(number) => point.push(number),
                None => return false,
            }
        }
        let mut is_changed = false;
        let broken: Vec<bool> = self
            .cases
            .iter()
            .map(|case| {
                let equations = case.equations(self.columns.len());
                equations.iter().any(|equation| !is_true(self.equation(pool, equation, values)))
            })
            .collect();
        let steps = Steps { thresholds: &self.thresholds, columns: &self.columns, has_far: self.has_sums };
        for (case, is_broken) in self.cases.iter_mut().zip(broken) {
            if case.guard.is_none_or(|guard| is_true(pool.substitute(guard, map))) {
                is_changed |= case.weaken(&point, &steps, is_broken);
            }
        }
        let count = self.conditions.len();
        self.conditions.retain(|&condition| is_true(pool.substitute(condition, map)));
        is_changed | (self.conditions.len() < count)
    }

    /// Gives a candidate up.
    pub(super) fn drop(&mut self, atoms: &[Atom]) {
        let mut gone = Vec::new();
        for atom in atoms {
            match atom {
                Atom::Empty(case) => {
                    let case = &mut self.cases[*case];
                    case.is_empty = false;
                    case.forms.clear();
                    case.residues.iter_mut().for_each(|residue| *residue = (1, 0));
                    case.apart.iter_mut().for_each(|apart| apart.modulus = 1);
                    // All of space.
                    let count = self.columns.len();
                    case.hull.add(&vec![0; count]);
                    for column in 0..count {
                        let mut point = vec![0; count];
                        point[column] = 1;
                        case.hull.add(&point);
                    }
                }
                Atom::Equation(case, equation) => self.cases[*case].refused.push(equation.clone()),
                Atom::Form(case, form) => self.cases[*case].forms[*form].bound = None,
                Atom::Residue(case, column) => self.cases[*case].residues[*column] = (1, 0),
                Atom::Apart(case, place) => self.cases[*case].apart[*place].modulus = 1,
                Atom::Condition(index) => gone.push(*index),
            }
        }
        let mut index = 0;
        self.conditions.retain(|_| {
            index += 1;
            !gone.contains(&(index - 1))
        });
    }
}

impl Case {
    pub(super) fn equations(&self, count: usize) -> Vec<Equation> {
        let mut equations = self.hull.equations(count);
        equations.retain(|equation| !self.refused.contains(equation));
        if let Some(among) = &self.among {
            equations
                .retain(|it| it.coefficients.iter().zip(among).all(|(factor, is_among)| *factor == 0 || *is_among));
        }
        equations
    }

    pub(super) fn is_empty(&self) -> bool {
        self.is_empty
    }

    pub(super) fn residues(&self) -> impl Iterator<Item = (usize, i128, i128)> {
        self.residues.iter().enumerate().map(|(place, &(modulus, residue))| (place, modulus, residue))
    }

    fn weaken(&mut self, point: &[i128], candidates: &Steps<'_>, is_broken: bool) -> bool {
        let Steps { thresholds, columns, has_far } = *candidates;
        let count = columns.len();
        let is_first = std::mem::replace(&mut self.is_empty, false);
        let mut is_changed = is_first;
        // Equations are modulo the width: a point that they hold for may be far from the hull.
        if is_first || is_broken {
            let before = self.hull.equations(count).len();
            match &self.among {
                Some(among) => {
                    let seen = point.iter().zip(among).map(|(value, is_among)| if *is_among { *value } else { 0 });
                    self.hull.add(&seen.collect::<Vec<i128>>());
                }
                None => self.hull.add(point),
            }
            is_changed |= self.hull.equations(count).len() != before;
        }
        if self.among.is_some() {
            return is_changed;
        }
        for form in &mut self.forms {
            let value: i128 = form.parts.iter().map(|&(place, sign)| sign * point[place]).sum();
            if is_first {
                form.bound = Some(value).filter(|&bound| is_of_use(form, bound, columns));
                continue;
            }
            let Some(bound) = form.bound else { continue };
            if value > bound {
                is_changed = true;
                form.weakened += 1;
                let steps = if form.parts.len() > 1 && !has_far { &NEAR[..] } else { thresholds };
                let at = steps.partition_point(|&threshold| threshold < value);
                let next = steps.get(at).copied().filter(|_| form.weakened < MOST_MOVES);
                form.bound = next.filter(|&bound| is_of_use(form, bound, columns));
            }
        }
        for ((modulus, residue), &value) in self.residues.iter_mut().zip(point) {
            if is_first {
                (*modulus, *residue) = (0, value);
            } else if *modulus != 1 && (value - *residue) != 0 {
                let next = num_integer::gcd(*modulus, value - *residue).abs();
                is_changed |= next != *modulus;
                *modulus = next;
                *residue = residue.rem_euclid(next.max(1));
            }
        }
        for apart in &mut self.apart {
            let value = point[apart.columns.0] - point[apart.columns.1];
            if is_first {
                apart.modulus = FAR;
                apart.residue = value.rem_euclid(FAR);
            } else if apart.modulus > 1 && (value - apart.residue).rem_euclid(apart.modulus) != 0 {
                apart.modulus = num_integer::gcd(apart.modulus, value - apart.residue).abs();
                apart.residue = apart.residue.rem_euclid(apart.modulus);
                is_changed = true;
            }
        }
        is_changed
    }
}

fn apart(columns: &[Column]) -> Vec<Apart> {
    let mut all = Vec::new();
    for a in 0..columns.len().min(MOST_PAIRED) {
        for b in a + 1..columns.len().min(MOST_PAIRED) {
            let is_wide = columns[a].width >= 8 && columns[b].width >= 8;
            if is_wide && (columns[a].spot.is_some() || columns[b].spot.is_some()) {
                all.push(Apart { columns: (a, b), modulus: FAR, residue: 0 });
            }
        }
    }
    all
}

/// A bound that the type does not give already.
fn is_of_use(form: &Form, bound: i128, columns: &[Column]) -> bool {
    let most: i128 = form
        .parts
        .iter()
        .map(|&(place, sign)| {
            let Column { width, is_signed, .. } = columns[place];
            let (low, high) = if is_signed {
                (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
            } else {
                (0, (1i128 << width) - 1)
            };
            if sign > 0 { high } else { -low }
        })
        .sum();
    bound < most
}

fn forms(columns: &[Column], has_sums: bool) -> Vec<Form> {
    let mut forms = Vec::new();
    let mut add = |parts: Vec<(usize, i128)>| forms.push(Form { parts, bound: None, weakened: 0 });
    for (place, column) in columns.iter().enumerate() {
        if column.spot.is_some() {
            add(vec![(place, 1)]);
            add(vec![(place, -1)]);
        }
    }
    for a in 0..columns.len().min(MOST_PAIRED) {
        for b in a + 1..columns.len().min(MOST_PAIRED) {
            if columns[a].spot.is_none() && columns[b].spot.is_none() {
                continue;
            }
            for signs in [(1, -1), (-1, 1), (1, 1), (-1, -1)].into_iter().take(if has_sums { 4 } else { 2 }) {
                add(vec![(a, signs.0), (b, signs.1)]);
            }
        }
    }
    forms
}

pub(super) fn bv(pool: &TermPool, width: u32, value: i128) -> Term {
    pool.bv_value(BitVector::from_bigint(width, &num_bigint::BigInt::from(value)))
}

/// What a number is in a model.
pub(super) fn number(pool: &TermPool, term: Term, is_signed: bool, model: &Model) -> Option<i128> {
    use num_traits::ToPrimitive;
    let value = quod_term::evaluate(pool, term, model)?;
    let bits = value.as_bit_vec()?;
    if is_signed { bits.to_signed().to_i128() } else { bits.to_biguint().to_i128() }
}
