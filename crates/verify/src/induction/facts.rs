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

use super::{Item, Prover, Stop};
use quod_exec::symbolic::{Place, Spot, Value};
use quod_solver::{Answer, Model};
use quod_term::{Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a symbol in a path condition says.
#[derive(Copy, Clone, Debug)]
pub(super) struct Meaning {
    /// The offset, a symbol.
    bound: Term,
    body: Term,
}

/// A condition about elements at one offset, with symbols for the arrays and numbers of the state that it was met in.
#[derive(Clone, Debug)]
pub(super) struct Template {
    bound: Term,
    body: Term,
    /// What stands for which array: the object, and where in an element it begins.
    arrays: Vec<(Term, usize, u64)>,
    /// What stands for which number.
    numbers: Vec<(Term, Place)>,
}

/// What a loop was seen to write to the elements of an array, for the loops around it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// The array at the head of the loop; nothing where it is only read.
    array: Option<Term>,
    /// The first index.
    start: Term,
    step: i128,
    bound: Term,
    value: Option<Term>,
}

/// Facts of one loop.
#[derive(Default)]
pub(super) struct Wanted {
    /// Over the symbols of the head and the bound one.
    kept: Vec<Meaning>,
    tried: FxHashSet<Term>,
}

/// An index that moves: from where, to where, and by how much.
struct Range {
    start: Term,
    now: Term,
    step: i128,
    /// The number that the index counts, where it is one: the symbol, and `index == offset + factor * symbol`.
    counter: Option<(Term, Term, i128)>,
}

const MOST_INSTANCES: usize = 600;
const MOST_TEMPLATES: usize = 24;
const MOST_WANTED: usize = 40;
/// Models that are asked for before candidates are looked at one by one.
const MOST_MODELS: usize = 12;
/// Conjuncts of a path that are looked at where a check fails, and those that do not speak of an element.
const MOST_RECENT: usize = 24;
const MOST_GUARDED: usize = 2;
const MOST_STEP: i128 = 1 << 12;
/// What an index moves on by when a loop inside is done.
const MOST_STRIDE: i128 = 1 << 28;
const MOST_WRITTEN: usize = 32;
/// Subterms of a condition or value that is said of all elements.
const MOST_SIZE: usize = 60;

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

    /// A condition that was met, as one about all elements.
    pub(super) fn note_condition(&mut self, item: &Item, condition: Term) {
        if self.templates.len() >= MOST_TEMPLATES {
            return;
        }
        let pool = self.machine.domain.pool.clone();
        let parts = pool.subterms(&[condition]);
        if parts.len() > MOST_SIZE {
            return;
        }
        let reads: Vec<Term> = parts.iter().copied().filter(|&part| pool.op(part) == Op::Select).collect();
        let Some(&first) = reads.first() else { return };
        let index = pool.arg(first, 1);
        if reads.iter().any(|&read| pool.arg(read, 1) != index) || pool.is_constant(index) {
            return;
        }
        let memory = &item.state.memory;
        let mut known: Vec<(Term, usize, u64)> = Vec::new();
        for object in self.machine.domain.gridded(memory) {
            known.extend(self.machine.domain.arrays(memory, object).into_iter().map(|(at, array)| (array, object, at)));
        }
        let bound = pool.symbol("offset of all", pool.sort(index));
        let mut map = FxHashMap::default();
        let mut arrays: Vec<(Term, usize, u64)> = Vec::new();
        for &read in &reads {
            let array = pool.arg(read, 0);
            let Some(&(_, object, at)) = known.iter().find(|(known, ..)| *known == array) else { return };
            let stand_in = pool.symbol(format!("array {object} {at}").as_str(), pool.sort(array));
            if arrays.iter().all(|(known, ..)| *known != stand_in) {
                arrays.push((stand_in, object, at));
            }
            map.insert(read, pool.select(stand_in, bound));
        }
        let mut body = pool.substitute(condition, &map);
        if let Some(counter) = self.counter(index) {
            body = pool.substitute(body, &FxHashMap::from_iter([(counter.0, self.count_at(&counter, bound))]));
        }
        let mut numbers = Vec::new();
        let mut map = FxHashMap::default();
        for symbol in pool.free_symbols(&[body]) {
            let is_said = symbol == bound || arrays.iter().any(|(array, ..)| *array == symbol);
            if is_said {
                continue;
            }
            if let Some(place) = self.place_of(item, symbol) {
                let stand_in = pool.symbol(format!("number {place:?}").as_str(), pool.sort(symbol));
                map.insert(symbol, stand_in);
                numbers.push((stand_in, place));
            }
        }
        let body = pool.substitute(body, &map);
        for body in [body, pool.not(body)] {
            if self.templates.iter().all(|other| other.body != body) {
                self.templates.push(Template { bound, body, arrays: arrays.clone(), numbers: numbers.clone() });
            }
        }
    }

    /// A check that fails on this path would be one for all elements: what the path says of one of them, and what else it
    /// says, does not hold together.
    pub(super) fn note_failure(&mut self, item: &Item) {
        let pool = self.machine.domain.pool.clone();
        let mut path: Vec<Term> = item.state.memory.path_condition().collect();
        path.reverse();
        let index_in = |term: Term| {
            let parts = pool.subterms(&[term]);
            parts.len().le(&MOST_SIZE).then_some(())?;
            parts.into_iter().find(|&part| pool.op(part) == Op::Select).map(|read| pool.arg(read, 1))
        };
        let mut recent = path.iter().take(MOST_RECENT);
        let Some((last, index)) = recent.find_map(|&term| Some((term, index_in(term)?))) else { return };
        let moving = pool.free_symbols(&[index]);
        let mut said = vec![last];
        let mut guards = Vec::new();
        for &term in path.iter().take(MOST_RECENT).filter(|&&term| term != last) {
            let symbols = pool.free_symbols(&[term]);
            if index_in(term) == Some(index) {
                said.push(term);
            } else if !symbols.is_empty() && symbols.len() < 3 && !symbols.iter().any(|it| moving.contains(it)) {
                guards.push(term);
            }
        }
        self.note_condition(item, pool.and(&said));
        for guard in guards.into_iter().take(MOST_GUARDED) {
            let mut said = said.clone();
            said.push(guard);
            self.note_condition(item, pool.and(&said));
        }
    }

    /// The register or variable that holds just this symbol.
    fn place_of(&mut self, item: &Item, symbol: Term) -> Option<Place> {
        let wanted = Value::Number(symbol);
        let registers = &item.state.processes.first()?.registers;
        if let Some(index) = registers.iter().position(|value| *value == wanted) {
            return Some(Place::Register(index));
        }
        for pointer in self.machine.statics.globals.clone() {
            for place in self.machine.domain.numbers_in(&item.state.memory, &pointer, 1) {
                if self.machine.domain.number_at(&item.state, place) == Some(symbol) {
                    return Some(place);
                }
            }
        }
        None
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

    /// How far a loop inside has come when it begins once more.
    fn range_around(&self, written: &Written, moves: &Moves<'_>) -> Option<Range> {
        let range = self.range_within(written.start, moves, MOST_STRIDE)?;
        let is_on = range.step != 0 && range.step.signum() == written.step.signum();
        is_on.then_some(Range { step: written.step, ..range })
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

    /// The condition for all elements of the objects that it is about.
    fn everywhere(&self, template: &Template, body: Term, start: &Item) -> Option<Meaning> {
        let pool = &self.machine.domain.pool;
        let &(_, object, _) = template.arrays.first()?;
        let size = self.machine.domain.size_term(&start.state.memory, object)?;
        let stride = self.machine.domain.grid_stride(&start.state.memory, object)?;
        let bound = template.bound;
        let zero = pool.bv(pool.width(bound), 0);
        let inside = pool.and(&[
            pool.bv_sle(zero, bound),
            pool.bv_slt(bound, size),
            self.is_multiple(bound, i128::from(stride)),
        ]);
        Some(Meaning { bound, body: pool.or2(pool.not(inside), body) })
    }

    /// The writes above an array; nothing where it is not below them.
    fn writes(&self, array: Term, below: Term) -> Option<Vec<(Term, Term)>> {
        let pool = &self.machine.domain.pool;
        let mut writes = Vec::new();
        let mut work = vec![array];
        while let Some(array) = work.pop() {
            if array == below {
                continue;
            }
            match pool.op(array) {
                Op::Store => {
                    let write = (pool.arg(array, 1), pool.arg(array, 2));
                    if !writes.contains(&write) {
                        writes.push(write);
                    }
                    work.push(pool.arg(array, 0));
                }
                Op::Ite => work.extend([pool.arg(array, 1), pool.arg(array, 2)]),
                _ => return None,
            }
            if writes.len() > 8 || work.len() > 32 {
                return None;
            }
        }
        Some(writes)
    }

    fn bound(&self, index: Term) -> Term {
        let pool = &self.machine.domain.pool;
        pool.symbol("offset of all", pool.sort(index))
    }

    /// How an index over the symbols of the head moves in a round.
    fn range(&self, index: Term, moves: &Moves<'_>) -> Option<Range> {
        self.range_within(index, moves, MOST_STEP)
    }

    fn range_within(&self, index: Term, moves: &Moves<'_>, most: i128) -> Option<Range> {
        let pool = &self.machine.domain.pool;
        let map = |values: &[Term]| moves.symbols.iter().copied().zip(values.iter().copied()).collect();
        let begin = pool.substitute(index, &map(moves.begun));
        let after = pool.substitute(index, &map(moves.found));
        let step = if after == index {
            0
        } else {
            super::candidates::number(pool, pool.bv_sub(after, index), true, moves.model)?
        };
        if step.abs() > most {
            return None;
        }
        if step == 0 && pool.free_symbols(&[index]).iter().any(|symbol| moves.symbols.contains(symbol)) {
            return None;
        }
        Some(Range { start: begin, now: index, step, counter: self.counter(index) })
    }

    /// The one symbol that an index depends on, where it does so as `offset + factor * symbol`.
    fn counter(&self, index: Term) -> Option<(Term, Term, i128)> {
        let pool = &self.machine.domain.pool;
        let [symbol] = pool.free_symbols(&[index])[..] else { return None };
        let width = pool.sort(symbol).width()?;
        let at = |number: u64| pool.substitute(index, &FxHashMap::from_iter([(symbol, pool.bv(width, number))]));
        let number = |term: Term| {
            use num_traits::ToPrimitive;
            pool.bv_constant(term).and_then(|bits| bits.to_signed().to_i128())
        };
        let (zero, one, many) = (number(at(0))?, number(at(1))?, number(at(5))?);
        let factor = one - zero;
        let is_linear = many - zero == 5 * factor && factor != 0 && factor.abs() <= MOST_STEP;
        (is_linear && factor > 0 && (factor & (factor - 1)) == 0).then(|| (symbol, at(0), factor))
    }

    /// The counter where the index is this offset.
    fn count_at(&self, &(symbol, zero, factor): &(Term, Term, i128), offset: Term) -> Term {
        let pool = &self.machine.domain.pool;
        let (width, wanted) = (pool.width(offset), pool.width(symbol));
        let distance = pool.bv_sub(offset, zero);
        let count = pool.bv_ashr(distance, pool.bv(width, u64::from(factor.trailing_zeros())));
        match wanted.cmp(&width) {
            std::cmp::Ordering::Less => pool.extract(wanted - 1, 0, count),
            std::cmp::Ordering::Equal => count,
            std::cmp::Ordering::Greater => pool.sign_extend(wanted - width, count),
        }
    }

    /// The index has been at the offset.
    fn is_in(&self, range: &Range, offset: Term) -> Term {
        let pool = &self.machine.domain.pool;
        let Range { start, now, step, .. } = *range;
        let on_way = self.is_multiple(pool.bv_sub(offset, start), step.abs());
        match step {
            0 => pool.eq(offset, now),
            1.. => pool.and(&[pool.bv_sle(start, offset), pool.bv_slt(offset, now), on_way]),
            _ => pool.and(&[pool.bv_sle(offset, start), pool.bv_slt(now, offset), on_way]),
        }
    }

    fn is_multiple(&self, distance: Term, step: i128) -> Term {
        let pool = &self.machine.domain.pool;
        if step <= 1 {
            return pool.true_();
        }
        if step & (step - 1) == 0 {
            let bits = step.trailing_zeros();
            return pool.eq(pool.extract(bits - 1, 0, distance), pool.bv(bits, 0));
        }
        let width = pool.width(distance);
        pool.eq(pool.bv_urem(distance, pool.bv(width, step as u64)), pool.bv(width, 0))
    }

    /// What was written at an index, as a function of the offset.
    #[allow(clippy::too_many_arguments)]
    fn value_at(
        &self,
        value: Term,
        index: Term,
        range: &Range,
        bound: Term,
        moves: &Moves<'_>,
        spots: &[Spot],
        is_as_before: bool,
    ) -> Option<Term> {
        let pool = &self.machine.domain.pool;
        if pool.subterms(&[value]).len() > MOST_SIZE {
            return None;
        }
        let mut map = FxHashMap::default();
        if !pool.is_constant(index) {
            map.insert(index, bound);
        }
        if is_as_before {
            for (at, spot) in spots.iter().enumerate() {
                if matches!(spot.place, Place::Field { .. }) {
                    map.insert(moves.symbols[at], moves.begun[at]);
                }
            }
        }
        let mut value = pool.substitute(value, &map);
        if let Some(counter) = &range.counter {
            value = pool.substitute(value, &FxHashMap::from_iter([(counter.0, self.count_at(counter, bound))]));
        }
        Some(value)
    }

    /// A condition in the words of a state at a head.
    fn told_at(&mut self, template: &Template, start: &Item, spots: &[Spot], symbols: &[Term]) -> Option<Term> {
        let pool = self.machine.domain.pool.clone();
        let mut map = FxHashMap::default();
        for &(stand_in, object, residue) in &template.arrays {
            let arrays = self.machine.domain.arrays(&start.state.memory, object);
            let &(_, array) = arrays.iter().find(|(at, _)| *at == residue)?;
            if pool.sort(array) != pool.sort(stand_in) {
                return None;
            }
            map.insert(stand_in, array);
        }
        for &(stand_in, place) in &template.numbers {
            let spot = spots.iter().position(|spot| spot.place == place);
            let term = match spot {
                Some(at) => symbols[at],
                None => self.machine.domain.number_at(&start.state, place)?,
            };
            if pool.sort(term) != pool.sort(stand_in) {
                return None;
            }
            map.insert(stand_in, term);
        }
        Some(pool.substitute(template.body, &map))
    }
}

/// What the spots held before the loop, hold at the head and after a round.
struct Moves<'m> {
    symbols: &'m [Term],
    begun: &'m [Term],
    found: &'m [Term],
    /// Values for which the round is taken.
    model: &'m Model,
}
