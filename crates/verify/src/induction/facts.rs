//! Facts about all elements of arrays: `for all offsets o: body(o)`.
//!
//! A fact stands in path conditions as a symbol that is true or false. What it says is kept beside, and joins each question as
//! instances, `fact => body(index)`, for the indices at which the question reads or writes arrays: that is weaker than the fact,
//! so what is impossible with the instances is impossible. To show a fact, its body is asked for an offset that is any.
//!
//! Candidates are made from what a round does. Where it writes at an index that moves on by a constant, the elements that the
//! index has passed hold what was written, and all others what they held before; conditions that were met at an index are
//! tried for all elements passed. Each candidate must hold for the states that enter, and is dropped when a round does not keep
//! it, together with those of the numbers.

use super::ranges::{Moves, Range};
use super::{Item, Prover, Stop};
use quod_exec::symbolic::{Place, Spot};
use quod_solver::Answer;
use quod_term::{Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a symbol in a path condition says.
#[derive(Copy, Clone, Debug)]
pub(super) struct Meaning {
    /// The offset, a symbol.
    pub(super) bound: Term,
    pub(super) body: Term,
}

/// What a loop was seen to write to the elements of an array, for the loops around it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// The array at the head of the loop; nothing where it is only read.
    pub(super) array: Option<Term>,
    /// The first index.
    pub(super) start: Term,
    pub(super) step: i128,
    pub(super) bound: Term,
    pub(super) value: Option<Term>,
}

/// Facts of one loop.
#[derive(Default)]
pub(super) struct Wanted {
    /// Over the symbols of the head and the bound one.
    kept: Vec<Meaning>,
    tried: FxHashSet<Term>,
}

const MOST_INSTANCES: usize = 600;
const MOST_WANTED: usize = 40;
/// Models that are asked for before candidates are looked at one by one.
const MOST_MODELS: usize = 12;
const MOST_WRITTEN: usize = 32;

impl Prover<'_, '_> {
    /// The terms, and what the facts among them say of the indices in use.
    pub(super) fn instantiated(&self, terms: &[Term]) -> Vec<Term> {
        let mut all = terms.to_vec();
        if self.meanings.is_empty() {
            return all;
        }
        let pool = &self.machine.domain.pool;
        let mut facts: Vec<(Term, Meaning)> = Vec::new();
        let mut indices: Vec<Term> = Vec::new();
        let mut seen = FxHashSet::default();
        for term in pool.subterms(terms) {
            match pool.op(term) {
                Op::Symbol => facts.extend(self.meanings.get(&term).map(|&meaning| (term, meaning))),
                Op::Select | Op::Store if seen.insert(pool.arg(term, 1)) => indices.push(pool.arg(term, 1)),
                _ => {}
            }
        }
        for (fact, meaning) in facts {
            for &index in &indices {
                if pool.sort(index) == pool.sort(meaning.bound) && all.len() < terms.len() + MOST_INSTANCES {
                    let instance = pool.substitute(meaning.body, &FxHashMap::from_iter([(meaning.bound, index)]));
                    all.push(pool.or2(pool.not(fact), instance));
                }
            }
        }
        all
    }

    /// Assumes the facts for these values of the spots.
    pub(super) fn assume_facts(&mut self, item: &mut Item, wanted: &Wanted, map: &FxHashMap<Term, Term>) {
        let pool = self.machine.domain.pool.clone();
        for meaning in &wanted.kept {
            let fact = pool.fresh_symbol("fact", Sort::BOOL);
            let body = pool.substitute(meaning.body, map);
            self.meanings.insert(fact, Meaning { bound: meaning.bound, body });
            self.take_for_granted(item, fact);
        }
    }

    /// Those of the facts that are true wherever the path is taken: all of them at once, else one by one.
    fn true_ones(
        &mut self,
        path: &[Term],
        meanings: Vec<Meaning>,
        map: &FxHashMap<Term, Term>,
    ) -> Result<Vec<Meaning>, Stop> {
        let pool = self.machine.domain.pool.clone();
        let Some(first) = meanings.first() else { return Ok(meanings) };
        let any = pool.fresh_symbol("element", pool.sort(first.bound));
        let body = |meaning: &Meaning| {
            let body = pool.substitute(meaning.body, map);
            pool.substitute(body, &FxHashMap::from_iter([(meaning.bound, any)]))
        };
        let mut rest: Vec<(Meaning, Term)> = meanings.iter().map(|meaning| (*meaning, body(meaning))).collect();
        // A model tells several of them at once.
        for _ in 0..MOST_MODELS {
            let all: Vec<Term> = rest.iter().map(|(_, body)| *body).collect();
            let mut terms = path.to_vec();
            terms.push(pool.not(pool.and(&all)));
            match self.check(&terms)? {
                Answer::Unsat(_) => return Ok(rest.into_iter().map(|(meaning, _)| meaning).collect()),
                Answer::Sat(model) => {
                    let is_false = |body: Term| {
                        quod_term::evaluate(&pool, body, &model).and_then(|value| value.as_bool()) == Some(false)
                    };
                    let count = rest.len();
                    rest.retain(|(_, body)| !is_false(*body));
                    if rest.len() == count {
                        break;
                    }
                }
                Answer::Unknown(_) => break,
            }
        }
        let mut kept = Vec::new();
        for (meaning, body) in rest {
            let mut terms = path.to_vec();
            terms.push(pool.not(body));
            if matches!(self.check(&terms)?, Answer::Unsat(_)) {
                kept.push(meaning);
            }
        }
        Ok(kept)
    }

    /// Drops the facts that some state at the head does not keep. True where there were any.
    pub(super) fn weaken_facts(
        &mut self,
        wanted: &mut Wanted,
        back: &[Item],
        spots: &[Spot],
        symbols: &[Term],
    ) -> Result<bool, Stop> {
        let mut is_changed = false;
        for item in back {
            let Some(found) = self.machine.domain.spot_values(&item.state, spots) else {
                return Err(self.open(item, "a value of another kind"));
            };
            let map: FxHashMap<Term, Term> = symbols.iter().copied().zip(found).collect();
            let path: Vec<Term> = item.state.memory.path_condition().collect();
            let count = wanted.kept.len();
            wanted.kept = self.true_ones(&path, std::mem::take(&mut wanted.kept), &map)?;
            is_changed |= wanted.kept.len() < count;
        }
        Ok(is_changed)
    }

    /// New candidates from what a round did; those that hold for the states that enter are wanted. True where there are any.
    pub(super) fn want_facts(
        &mut self,
        wanted: &mut Wanted,
        entries: &[Item],
        start: &Item,
        back: &[Item],
        spots: &[Spot],
        symbols: &[Term],
    ) -> Result<bool, Stop> {
        let Some(entry) = entries.first() else { return Ok(false) };
        let has_arrays = !self.machine.domain.gridded(&start.state.memory).is_empty();
        let Some(begun) = self.machine.domain.spot_values(&entry.state, spots).filter(|_| has_arrays) else {
            return Ok(false);
        };
        let mut candidates = Vec::new();
        for item in back {
            self.candidates_of(item, start, &begun, spots, symbols, &mut candidates)?;
        }
        // What a round has made is another thing in the next one.
        let pool = self.machine.domain.pool.clone();
        let mut old: FxHashSet<Term> = self.machine.domain.held_symbols(&start.state).into_iter().collect();
        old.extend(self.machine.domain.held_symbols(&entry.state));
        candidates.retain(|meaning| {
            let symbols = pool.free_symbols(&[meaning.body]);
            symbols.iter().all(|symbol| *symbol == meaning.bound || old.contains(symbol))
        });
        candidates.retain(|meaning| wanted.tried.insert(meaning.body));
        candidates.truncate(MOST_WANTED.saturating_sub(wanted.kept.len()));
        for entry in entries {
            let Some(found) = self.machine.domain.spot_values(&entry.state, spots) else {
                return Err(self.open(entry, "a value of another kind"));
            };
            let map = symbols.iter().copied().zip(found).collect();
            let path: Vec<Term> = entry.state.memory.path_condition().collect();
            candidates = self.true_ones(&path, candidates, &map)?;
        }
        let is_new = !candidates.is_empty();
        wanted.kept.append(&mut candidates);
        Ok(is_new)
    }

    fn candidates_of(
        &mut self,
        item: &Item,
        start: &Item,
        begun: &[Term],
        spots: &[Spot],
        symbols: &[Term],
        candidates: &mut Vec<Meaning>,
    ) -> Result<(), Stop> {
        let pool = self.machine.domain.pool.clone();
        let Some(found) = self.machine.domain.spot_values(&item.state, spots) else { return Ok(()) };
        let path: Vec<Term> = item.state.memory.path_condition().collect();
        let model = match &item.model {
            Some(model) => (**model).clone(),
            None => match self.check(&path)? {
                Answer::Sat(model) => model,
                _ => return Ok(()),
            },
        };
        let moves = Moves { symbols, begun, found: &found, model: &model };
        let mut ranges: Vec<Range> = Vec::new();
        for (at, spot) in spots.iter().enumerate() {
            let Place::Field { .. } = spot.place else { continue };
            let writes = self.writes(found[at], symbols[at]);
            let Some(writes) = writes else {
                self.written_inside(at, &moves, candidates);
                continue;
            };
            let mut passed = Vec::new();
            let mut is_followed = true;
            for &(index, value) in &writes {
                let Some(range) = self.range(index, &moves) else {
                    is_followed = false;
                    continue;
                };
                let bound = self.bound(index);
                let is_passed = self.is_in(&range, bound);
                passed.push((bound, is_passed));
                // What was written, as it was before the loop where the loop changes it, or as it is now.
                let here = pool.select(symbols[at], bound);
                for change in [false, true] {
                    let Some(value) = self.value_at(value, index, &range, bound, &moves, spots, change) else {
                        continue;
                    };
                    let body = pool.or2(pool.not(is_passed), pool.eq(here, value));
                    candidates.push(Meaning { bound, body });
                    self.note_written(Some(symbols[at]), &range, bound, Some(value));
                }
                ranges.push(range);
            }
            if is_followed && let Some(&(bound, _)) = passed.first() {
                let before = pool.eq(pool.select(symbols[at], bound), pool.select(begun[at], bound));
                let mut all: Vec<Term> = passed.iter().map(|&(_, is_passed)| is_passed).collect();
                all.push(before);
                candidates.push(Meaning { bound, body: pool.or(&all) });
            }
        }
        // Indices that are only read at.
        let parts = pool.subterms(&path);
        for &part in parts.iter().filter(|&&part| pool.op(part) == Op::Select) {
            let index = pool.arg(part, 1);
            if ranges.iter().all(|range| range.now != index)
                && let Some(range) = self.range(index, &moves).filter(|range| range.step != 0)
            {
                self.note_written(None, &range, self.bound(index), None);
                ranges.push(range);
            }
        }
        for written in self.written.clone() {
            ranges.extend(self.range_around(&written, &moves));
        }
        if self.level.has_templates {
            for template in self.templates.clone() {
                let Some(body) = self.told_at(&template, start, spots, symbols) else { continue };
                for range in ranges.iter().filter(|range| pool.sort(range.now) == pool.sort(template.bound)) {
                    let is_passed = self.is_in(range, template.bound);
                    let passed = pool.or2(pool.not(is_passed), body);
                    candidates.push(Meaning { bound: template.bound, body: passed });
                    // From the first element on.
                    if range.step > 0 && !pool.is_constant(range.start) {
                        let start = pool.bv(pool.width(template.bound), 0);
                        let is_before = self.is_in(&Range { start, ..*range }, template.bound);
                        let passed = pool.or2(pool.not(is_before), body);
                        candidates.push(Meaning { bound: template.bound, body: passed });
                    }
                }
                candidates.extend(self.everywhere(&template, body, start));
            }
        }
        Ok(())
    }

    fn note_written(&mut self, array: Option<Term>, range: &Range, bound: Term, value: Option<Term>) {
        let pool = &self.machine.domain.pool;
        let written = Written { array, start: range.start, step: range.step, bound, value };
        let is_open = range.step != 0 && !pool.is_constant(range.start);
        if is_open && self.written.len() < MOST_WRITTEN && !self.written.contains(&written) {
            self.written.push(written);
        }
    }

    /// Candidates for an array that a loop inside has written.
    fn written_inside(&mut self, at: usize, moves: &Moves<'_>, candidates: &mut Vec<Meaning>) {
        let pool = self.machine.domain.pool.clone();
        let head = moves.symbols[at];
        let mut outside: Option<(Term, Vec<Term>)> = None;
        for written in self.written.clone() {
            if written.array != Some(moves.found[at]) {
                continue;
            }
            let Some(range) = self.range_around(&written, moves) else { continue };
            let bound = written.bound;
            let is_passed = self.is_in(&range, bound);
            if let Some(value) = written.value {
                let here = pool.select(head, bound);
                candidates.push(Meaning { bound, body: pool.or2(pool.not(is_passed), pool.eq(here, value)) });
                self.note_written(Some(head), &range, bound, Some(value));
            }
            outside.get_or_insert_with(|| (bound, Vec::new())).1.push(is_passed);
        }
        if let Some((bound, mut passed)) = outside {
            passed.push(pool.eq(pool.select(head, bound), pool.select(moves.begun[at], bound)));
            candidates.push(Meaning { bound, body: pool.or(&passed) });
        }
    }
}
