//! Arrays: reads are free until one contradicts the writes below it, another read of the same cell, or an equality.
//!
//! After Brummayer and Biere, "Lemmas on demand for the extensional theory of arrays", 2009: a read is followed through
//! the writes and choices of the present assignment down to where its value comes from; the lemma says that along this
//! very path the values are equal. An equality of arrays that holds is instantiated with every index in use; one that
//! does not has a witness index.

use super::functions::Observed;
use super::repr::Repr;
use super::{Embedded, Unsupported};
use crate::answer::Reason;
use crate::sat::{Lit, Var};
use quod_term::{Op, Sort, SortKind, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Default)]
pub(crate) struct Arrays {
    /// Terms `(select array index)` with the variable that stands for them in cones.
    reads: Vec<(Term, Var)>,
    /// Writes, whose indices count for equalities.
    writes: Vec<(Term, Var)>,
    equalities: Vec<Equality>,
    by_pair: FxHashMap<(Term, Term), Lit>,
    instantiated: FxHashSet<(Lit, Term)>,
    others: FxHashMap<Sort, Other>,
}

/// An index that stands for all cells that no term names, and the indices that it is known to differ from.
struct Other {
    index: Term,
    differs_from: FxHashSet<Term>,
}

struct Equality {
    a: Term,
    b: Term,
    literal: Lit,
}

/// One step that a read takes down its array.
enum Step {
    /// Past a write to another place: the write's index.
    Past(Term),
    /// Into the branch that this literal selects.
    Branch(Lit),
}

/// Where a read's value comes from.
enum Source {
    /// A written or constant element; the index of the write must equal the read's, if there is one.
    Element(Term, Option<Term>),
    /// A cell of a free array.
    Leaf(Term),
    /// A constant array: the element, or the default because the index is none of these.
    Table(Value, Vec<Value>),
}

impl Embedded {
    pub(crate) fn translate_array(&mut self, term: Term) -> Result<Repr, Unsupported> {
        let pool = self.pool.clone();
        match pool.op(term) {
            Op::Symbol => Ok(Repr::Array(self.sat.new_var())),
            Op::Const => Ok(Repr::Array(self.sat.new_var())),
            Op::Store | Op::ConstArray | Op::Ite => {
                let hub = self.hub(pool.args(term))?;
                if pool.op(term) == Op::Store {
                    self.arrays.writes.push((term, hub));
                }
                Ok(Repr::Array(hub))
            }
            _ => Err(Unsupported("arrays of arrays, and functions with arrays as values".into())),
        }
    }

    pub(crate) fn translate_select(&mut self, term: Term) -> Result<Repr, Unsupported> {
        let pool = self.pool.clone();
        let hub = self.hub(pool.args(term))?;
        let result = self.fresh(term, Some(hub))?;
        self.arrays.reads.push((term, hub));
        Ok(result)
    }

    pub(crate) fn array_equality(&mut self, a: Term, b: Term) -> Result<Lit, Unsupported> {
        let key = if a < b { (a, b) } else { (b, a) };
        if let Some(&literal) = self.arrays.by_pair.get(&key) {
            return Ok(literal);
        }
        let pool = self.pool.clone();
        let Some((index, element)) = pool.sort(a).array_parts() else {
            return Err(Unsupported("equality of these arrays".into()));
        };
        if element.array_parts().is_some() {
            return Err(Unsupported("arrays of arrays".into()));
        }
        let literal = self.builder().fresh();
        self.arrays.by_pair.insert(key, literal);
        // Different arrays differ at a witness.
        let witness = pool.fresh_symbol("array-witness", index);
        let (left, right) = (pool.select(a, witness), pool.select(b, witness));
        let same = self.equality(left, right)?;
        self.sat.add_clause(&[literal, !same]);
        let mut dependencies = vec![same];
        self.depend_on(a, &mut dependencies)?;
        self.depend_on(b, &mut dependencies)?;
        self.gates.set_dependencies(literal.var(), dependencies);
        self.arrays.equalities.push(Equality { a, b, literal });
        Ok(literal)
    }

    /// Follows a read in the present assignment.
    fn follow(&self, read: Term) -> Option<(Vec<Step>, Source)> {
        let pool = &self.pool;
        let (mut array, index) = (pool.arg(read, 0), pool.arg(read, 1));
        let place = self.observe(index)?;
        let mut steps = Vec::new();
        loop {
            match pool.op(array) {
                Op::Store => {
                    let at = pool.arg(array, 1);
                    if self.observe(at)? == place {
                        return Some((steps, Source::Element(pool.arg(array, 2), Some(at))));
                    }
                    steps.push(Step::Past(at));
                    array = pool.arg(array, 0);
                }
                Op::Ite => {
                    let Repr::Bool(condition) = self.table.get(pool.arg(array, 0)) else { return None };
                    let holds = self.model_literal(condition);
                    steps.push(Step::Branch(condition.flip_if(!holds)));
                    array = pool.arg(array, if holds { 1 } else { 2 });
                }
                Op::ConstArray => return Some((steps, Source::Element(pool.arg(array, 0), None))),
                Op::Const => {
                    let Some(Value::Array(table)) = pool.value(array) else { return None };
                    let key = self.observed_value(index)?;
                    return Some(match table.entries.get_key_value(&key) {
                        Some((key, element)) => {
                            (steps, Source::Element(pool.constant(element.clone()), Some(pool.constant(key.clone()))))
                        }
                        None => (steps, Source::Table(table.default.clone(), table.entries.keys().cloned().collect())),
                    });
                }
                _ => return Some((steps, Source::Leaf(array))),
            }
        }
    }

    fn path_clause(&mut self, steps: &[Step], index: Term, clause: &mut Vec<Lit>) -> Result<(), Unsupported> {
        for step in steps {
            clause.push(match step {
                Step::Past(at) => self.equality(*at, index)?,
                Step::Branch(literal) => !*literal,
            });
        }
        Ok(())
    }

    pub(crate) fn refine_arrays(&mut self) -> Result<usize, Reason> {
        if self.arrays.reads.is_empty() && self.arrays.equalities.is_empty() {
            return Ok(0);
        }
        let mut count = self.refine_equalities().map_err(Reason::from)?;
        let mut cells: FxHashMap<(Term, Observed), Term> = FxHashMap::default();
        let pool = self.pool.clone();
        for at in 0..self.arrays.reads.len() {
            let (read, hub) = self.arrays.reads[at];
            if !self.gates.is_in_cone(hub) {
                continue;
            }
            let Some((steps, source)) = self.follow(read) else { continue };
            let index = pool.arg(read, 1);
            match source {
                Source::Element(element, place) => {
                    self.translate(element).map_err(Reason::from)?;
                    if self.observe(element) == self.observe(read) {
                        continue;
                    }
                    let mut clause = Vec::new();
                    self.path_clause(&steps, index, &mut clause).map_err(Reason::from)?;
                    if let Some(place) = place {
                        clause.push(!self.equality(place, index).map_err(Reason::from)?);
                    }
                    clause.push(self.equality(read, element).map_err(Reason::from)?);
                    self.add_lemma(hub, &clause);
                }
                Source::Table(default, keys) => {
                    let element = pool.constant(default);
                    self.translate(element).map_err(Reason::from)?;
                    if self.observe(element) == self.observe(read) {
                        continue;
                    }
                    let mut clause = Vec::new();
                    self.path_clause(&steps, index, &mut clause).map_err(Reason::from)?;
                    for key in keys {
                        let key = pool.constant(key);
                        clause.push(self.equality(key, index).map_err(Reason::from)?);
                    }
                    clause.push(self.equality(read, element).map_err(Reason::from)?);
                    self.add_lemma(hub, &clause);
                }
                Source::Leaf(leaf) => {
                    let Some(place) = self.observe(index) else { continue };
                    let Some(&other) = cells.get(&(leaf, place.clone())) else {
                        cells.insert((leaf, place), read);
                        continue;
                    };
                    if self.observe(read) == self.observe(other) {
                        continue;
                    }
                    let other_index = pool.arg(other, 1);
                    let mut clause = Vec::new();
                    self.path_clause(&steps, index, &mut clause).map_err(Reason::from)?;
                    if let Some((other_steps, _)) = self.follow(other) {
                        self.path_clause(&other_steps, other_index, &mut clause).map_err(Reason::from)?;
                    }
                    clause.push(!self.equality(index, other_index).map_err(Reason::from)?);
                    clause.push(self.equality(read, other).map_err(Reason::from)?);
                    self.add_lemma(hub, &clause);
                }
            }
            count += 1;
        }
        Ok(count)
    }

    /// Equalities that hold, at every index in use.
    fn refine_equalities(&mut self) -> Result<usize, Unsupported> {
        let mut held = Vec::new();
        for equality in &self.arrays.equalities {
            if self.gates.is_in_cone(equality.literal.var()) && self.model_literal(equality.literal) {
                held.push((equality.a, equality.b, equality.literal));
            }
        }
        let pool = self.pool.clone();
        let mut count = 0;
        for (a, b, literal) in held {
            let Some((index_sort, _)) = pool.sort(a).array_parts() else { continue };
            let mut indices: Vec<Term> = Vec::new();
            for (list, place) in [(&self.arrays.reads, 1), (&self.arrays.writes, 1)] {
                let used = list.iter().filter(|(_, hub)| self.gates.is_in_cone(*hub));
                indices.extend(used.map(|(term, _)| pool.arg(*term, place)).filter(|&i| pool.sort(i) == index_sort));
            }
            self.add_unnamed_cells(index_sort, literal, &mut indices)?;
            for index in indices {
                if !self.arrays.instantiated.insert((literal, index)) {
                    continue;
                }
                let (left, right) = (pool.select(a, index), pool.select(b, index));
                let same = self.equality(left, right)?;
                self.sat.add_clause(&[!literal, same]);
                self.gates.add_dependency(literal.var(), same);
                count += 1;
            }
        }
        Ok(count)
    }

    /// The cells that no index in use names: all indices of a small sort, else one index that differs from those in use,
    /// as long as the sort is sure to have it.
    fn add_unnamed_cells(&mut self, sort: Sort, equality: Lit, indices: &mut Vec<Term>) -> Result<(), Unsupported> {
        let pool = self.pool.clone();
        let size = match sort.kind() {
            SortKind::Bool => 2,
            SortKind::BitVec(width) => 1usize.checked_shl(width).unwrap_or(usize::MAX),
            SortKind::Int | SortKind::Real => usize::MAX,
            _ => 0,
        };
        if (1..=16).contains(&size)
            && let Some(values) = quod_term::eval::all_values(sort)
        {
            indices.extend(values.into_iter().map(|value| pool.constant(value)));
            return Ok(());
        }
        let fresh = || Other { index: pool.fresh_symbol("array-other", sort), differs_from: FxHashSet::default() };
        let index = self.arrays.others.entry(sort).or_insert_with(fresh).index;
        for &used in indices.iter().filter(|&&used| used != index) {
            let Some(other) = self.arrays.others.get_mut(&sort) else { break };
            if other.differs_from.len() + 1 < size && other.differs_from.insert(used) {
                let same = self.equality(index, used)?;
                self.sat.add_clause(&[!same]);
                self.gates.add_dependency(equality.var(), same);
            }
        }
        indices.push(index);
        Ok(())
    }

    /// The cells of free arrays that relevant reads come down to: array, index value, element value.
    pub(crate) fn array_cells(&self) -> Option<Vec<(Term, Value, Value)>> {
        let mut cells = Vec::new();
        for &(read, hub) in &self.arrays.reads {
            if !self.gates.is_in_cone(hub) {
                continue;
            }
            if let Some((_, Source::Leaf(leaf))) = self.follow(read) {
                let index = self.observed_value(self.pool.arg(read, 1))?;
                cells.push((leaf, index, self.observed_value(read)?));
            }
        }
        Some(cells)
    }

    /// Pairs of arrays that the present assignment makes equal.
    pub(crate) fn equal_arrays(&self) -> Vec<(Term, Term)> {
        let held =
            self.arrays.equalities.iter().filter(|equality| {
                self.gates.is_in_cone(equality.literal.var()) && self.model_literal(equality.literal)
            });
        held.map(|equality| (equality.a, equality.b)).collect()
    }
}
