//! Conditions about one element of an array, remembered so that they can be tried for all elements.

use super::facts::Meaning;
use super::ranges::MOST_SIZE;
use super::{Item, Prover};
use quod_exec::symbolic::{Place, Spot, Value};
use quod_term::{Op, Term};
use rustc_hash::FxHashMap;

/// A condition about elements at one offset, with symbols for the arrays and numbers of the state that it was met in.
#[derive(Clone, Debug)]
pub(super) struct Template {
    pub(super) bound: Term,
    pub(super) body: Term,
    /// What stands for which array: the object, and where in an element it begins.
    pub(super) arrays: Vec<(Term, usize, u64)>,
    /// What stands for which number.
    pub(super) numbers: Vec<(Term, Place)>,
}

const MOST_TEMPLATES: usize = 24;
/// Conjuncts of a path that are looked at where a check fails, and those that do not speak of an element.
const MOST_RECENT: usize = 24;
const MOST_GUARDED: usize = 2;

impl Prover<'_, '_> {
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
    pub(super) fn place_of(&mut self, item: &Item, symbol: Term) -> Option<Place> {
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

    /// The condition for all elements of the objects that it is about.
    pub(super) fn everywhere(&self, template: &Template, body: Term, start: &Item) -> Option<Meaning> {
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

    /// A condition in the words of a state at a head.
    pub(super) fn told_at(
        &mut self,
        template: &Template,
        start: &Item,
        spots: &[Spot],
        symbols: &[Term],
    ) -> Option<Term> {
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
