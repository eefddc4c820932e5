//! A loop: rounds whose number is known are made one after the other; else the state at the head becomes generic, and
//! candidates are weakened until one round keeps them.

use super::candidates::{Atom, Candidates, Column};
use super::facts::Wanted;
use super::horn::Kind;
use super::run::Around;
use super::text::Told;
use super::{Item, Known, Pass, Prover, Stop};
use crate::held;
use quod_base::Id;
use quod_exec::scalar::Scalar;
use quod_exec::symbolic::{Holds, Place, Spot};
use quod_model::ir::{FunctionId, LocationId, Type};
use quod_solver::Answer;
use quod_term::Term;
use quod_verdict::CheckKind;
use rustc_hash::FxHashMap;

/// Rounds of a loop that always goes on or always ends.
const ROUNDS: usize = 24;
/// Operations in them.
const UNWOUND_STEPS: u64 = 2_000;
/// Places that a round may change, and columns of candidates.
const MOST_SPOTS: usize = 256;
const MOST_COLUMNS: usize = 14;
/// Times that a loop is gone around before it is given up.
const MOST_PASSES: usize = 60;
/// Conditions of the program that are candidates, that are so in pairs, and that divide into cases.
const MOST_CONDITIONS: usize = 20;
const MOST_CLAUSED: usize = 8;
const MOST_GUARDS: usize = 3;

impl Prover<'_, '_> {
    /// The whole of a loop, from a state that comes to its head from outside.
    pub(super) fn enter(&mut self, entry: Item) -> Result<Pass, Stop> {
        let Some(around) = self.around(&entry) else { return Err(self.open(&entry, "no loop")) };
        if let Some(pass) = self.unwound(&entry, around)? {
            return Ok(pass);
        }
        if self.level.is_peeled {
            let mut first = self.explore(vec![entry.clone()], Some(around))?;
            // What is found out is not about the first visit of the head.
            self.tell(&entry, None, Vec::new(), None, &mut first);
            let back = std::mem::take(&mut first.back);
            for item in self.joined(back) {
                let mut rest = self.all_rounds(item, around)?;
                first.duties.append(&mut rest.duties);
                first.told.append(&mut rest.told);
                first.entered.append(&mut rest.entered);
                first.leaving.append(&mut rest.leaving);
            }
            return Ok(first);
        }
        self.all_rounds(entry, around)
    }

    /// The loop from a state at its head on.
    fn all_rounds(&mut self, entry: Item, around: Around) -> Result<Pass, Stop> {
        if self.is_describing() {
            return self.described(&entry, around);
        }
        let mut base = Pass::default();
        let mut entries = vec![entry.clone()];
        let mut entry = self.peel(entry, around, &mut entries, &mut base)?;
        // A loop inside of another is met again and again, each time with more states than before.
        let key = self.key(&entry);
        let mut spots: Vec<Spot> = self.known.get(&key).map_or_else(Vec::new, |known| known.spots.clone());
        if self.prepare(std::slice::from_mut(&mut entry), &spots).is_err()
            || self.machine.domain.spot_values(&entry.state, &spots).is_none()
        {
            spots.clear();
        }
        let mut candidates: Option<Candidates> = None;
        let mut wanted = Wanted::default();
        for _ in 0..MOST_PASSES {
            self.prepare(std::slice::from_mut(&mut entry), &spots)?;
            self.prepare(&mut entries, &spots)?;
            let Some(mut generic) = self.generic(&entry, &spots) else {
                return Err(self.open(&entry, "a state that cannot be made generic"));
            };
            let symbols = self.machine.domain.spot_symbols(&entry.state.memory, &spots);
            if candidates.is_none() && !spots.is_empty() {
                let columns = self.columns(&entry, &spots, &symbols);
                let (guards, mut conditions) = self.cases(&entry, &symbols);
                conditions.extend(self.hinted(&(Kind::Head, key.clone()), &spots, &symbols));
                let has_sums = self.level.has_sums;
                let mut fresh = Candidates::new(columns, &self.constants, &guards, conditions, has_sums);
                if let Some(known) = self.known.get(&key)
                    && known.spots == spots
                {
                    let pool = self.machine.domain.pool.clone();
                    fresh.start_as(&pool, &known.candidates, &map(&known.symbols, &symbols));
                }
                match self.begin(&entries, &spots, &symbols, fresh)? {
                    Some(begun) => candidates = Some(begun),
                    // Nobody comes here.
                    None => return Ok(base),
                }
            }
            self.assume_facts(&mut generic, &wanted, &FxHashMap::default());
            let fixed: Vec<Term> = generic.state.memory.path_condition().collect();
            if let Some(candidates) = &candidates {
                self.assume_all(&mut generic, candidates, &symbols, &symbols);
            }
            let start = generic.clone();
            let known: Vec<Term> = start.state.memory.path_condition().collect();
            let skipped = known.len();
            let mut starts = vec![generic];
            let mut is_wider = false;
            let mut owed = Vec::new();
            let mut entered = Vec::new();
            for _ in 0..self.level.rounds {
                // Checks are passed here: they are looked at when this is the last round. Whether we can follow a path is
                // another matter: there is no induction on that.
                let mut granted = self.explore(std::mem::take(&mut starts), Some(around))?;
                self.prepare(&mut granted.back, &spots)?;
                owed.extend(granted.duties.into_iter().filter(|duty| !duty.is_check));
                entered.extend(granted.entered);
                is_wider |= self.add_spots(&start, &granted.back, &mut spots)?;
                starts = granted.back;
                if let (Some(candidates), false) = (&candidates, is_wider) {
                    for item in &mut starts {
                        let Some(values) = self.machine.domain.spot_values(&item.state, &spots) else {
                            return Err(self.open(item, "a value of another kind"));
                        };
                        self.assume_all(item, candidates, &symbols, &values);
                        self.assume_facts(item, &wanted, &map(&symbols, &values));
                    }
                }
            }
            let mut pass = self.explore(starts, Some(around))?;
            self.prepare(&mut pass.back, &spots)?;
            is_wider |= self.add_spots(&start, &pass.back, &mut spots)?;
            if is_wider {
                candidates = None;
                wanted = Wanted::default();
                continue;
            }
            if self.want_facts(&mut wanted, &entries, &start, &pass.back, &spots, &symbols)? {
                continue;
            }
            let is_kept = match &mut candidates {
                Some(candidates) => !self.weaken(candidates, &fixed, skipped, &pass.back, &spots, &symbols)?,
                // Nothing changes: each round is like the first.
                None => true,
            };
            let is_kept = !self.weaken_facts(&mut wanted, &pass.back, &spots, &symbols)? && is_kept;
            if is_kept {
                if let Some(candidates) = &candidates {
                    let known =
                        Known { spots: spots.clone(), symbols: symbols.clone(), candidates: candidates.clone() };
                    self.known.insert(key, known);
                }
                let relation = self.ends(&entry, candidates.as_ref(), &pass.back, &spots, &symbols)?;
                self.tell(&entry, candidates.as_ref(), known, relation, &mut pass);
                pass.duties.append(&mut owed);
                pass.duties.append(&mut base.duties);
                pass.told.append(&mut base.told);
                pass.entered.append(&mut entered);
                pass.entered.append(&mut base.entered);
                pass.leaving.append(&mut base.leaving);
                return Ok(pass);
            }
        }
        Err(self.open(&entry, "a loop whose invariant is not found"))
    }

    /// Where that is asked: why the loop ends, as a relation between its visits if there are words for it.
    fn ends(
        &mut self,
        entry: &Item,
        candidates: Option<&Candidates>,
        back: &[Item],
        spots: &[Spot],
        symbols: &[Term],
    ) -> Result<Option<String>, Stop> {
        if !self.asks(CheckKind::Termination) || back.is_empty() {
            return Ok(None);
        }
        let order = match (candidates, self.given) {
            (Some(candidates), None) => self.rank(candidates, back, spots, symbols)?,
            // A witness says why; nothing else is looked for.
            (Some(candidates), Some(given)) if self.level.rounds == 0 => {
                let text = self.head(entry).and_then(|place| given.get(&place));
                match text.and_then(|text| self.given_order(text, candidates, symbols)) {
                    Some(order) if self.is_order(&order, candidates, back, spots, symbols)? => Some(order),
                    _ => None,
                }
            }
            // Nothing changes: once around is for ever.
            _ => None,
        };
        let (Some(order), Some(candidates)) = (order, candidates) else {
            return Err(self.open(entry, "a loop that may not end"));
        };
        // Over several rounds at once it is no relation between visits that follow each other.
        let is_one_round = self.level.rounds == 0;
        let pool = &self.machine.domain.pool;
        Ok(super::rank::relation(pool, &candidates.columns, &order).filter(|_| is_one_round))
    }

    /// Where the loop stands: the calls on the way, and the head.
    pub(super) fn key(&self, entry: &Item) -> Vec<(usize, u32)> {
        entry.state.processes[0].frames.iter().map(|frame| (frame.function.index(), frame.pc)).collect()
    }

    /// The first rounds, as many as are taken for granted later. `entries` gets the states at the head on the way. Gives
    /// the entry for the rounds after them; what it and they lead to is kept apart by a symbol.
    fn peel(&mut self, entry: Item, around: Around, entries: &mut Vec<Item>, base: &mut Pass) -> Result<Item, Stop> {
        let rounds = self.level.rounds;
        if rounds == 0 {
            return Ok(entry);
        }
        let mut starts = vec![self.in_phase(&entry, 0)];
        for _ in 0..rounds {
            let mut pass = self.explore(starts, Some(around))?;
            base.duties.append(&mut pass.duties);
            base.told.append(&mut pass.told);
            base.entered.append(&mut pass.entered);
            base.leaving.append(&mut pass.leaving);
            entries.extend(pass.back.iter().cloned());
            starts = pass.back;
        }
        Ok(self.in_phase(&entry, 1))
    }

    /// The state in executions that are in this phase.
    fn in_phase(&mut self, item: &Item, phase: u64) -> Item {
        let mut item = item.clone();
        let pool = self.machine.domain.pool.clone();
        let symbol = self.machine.domain.phase_symbol(&mut item.state.memory);
        let condition = pool.eq(symbol, pool.bv(8, phase));
        self.take_for_granted(&mut item, condition);
        item
    }

    /// Rounds one after the other, where each of them always goes on or always ends.
    fn unwound(&mut self, entry: &Item, around: Around) -> Result<Option<Pass>, Stop> {
        let mut all = Pass::default();
        let mut start = entry.clone();
        let steps = self.machine.steps;
        for _ in 0..ROUNDS {
            if self.machine.steps - steps > UNWOUND_STEPS {
                return Ok(None);
            }
            let mut pass = self.explore(vec![start], Some(around))?;
            pass.back = self.joined(std::mem::take(&mut pass.back));
            all.duties.append(&mut pass.duties);
            all.told.append(&mut pass.told);
            all.entered.append(&mut pass.entered);
            all.clauses.append(&mut pass.clauses);
            if pass.back.is_empty() {
                self.tell(entry, None, Vec::new(), None, &mut all);
                all.leaving = pass.leaving;
                return Ok(Some(all));
            }
            if !pass.leaving.is_empty() || pass.back.len() > 1 {
                return Ok(None);
            }
            match pass.back.pop() {
                Some(back) => start = back,
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Objects of which all elements are spots become arrays in these states.
    fn prepare(&mut self, items: &mut [Item], spots: &[Spot]) -> Result<(), Stop> {
        for item in items {
            if self.machine.domain.prepare_spots(&mut item.state.memory, spots).is_none() {
                return Err(self.open(item, "an array that holds more than numbers"));
            }
        }
        Ok(())
    }

    pub(super) fn generic(&mut self, entry: &Item, spots: &[Spot]) -> Option<Item> {
        let state = self.machine.domain.generalised(&entry.state, spots)?;
        let model = if spots.is_empty() { entry.model.clone() } else { None };
        Some(Item { state, model, is_apart: false, origin: entry.origin.clone() })
    }

    /// Candidates that hold for the states that enter. Nothing where there are none.
    pub(super) fn begin(
        &mut self,
        entries: &[Item],
        spots: &[Spot],
        symbols: &[Term],
        mut candidates: Candidates,
    ) -> Result<Option<Candidates>, Stop> {
        for (index, entry) in entries.iter().enumerate() {
            let Some(found) = self.machine.domain.spot_values(&entry.state, spots) else {
                return Err(self.open(entry, "a value of another kind"));
            };
            let map = map(symbols, &found);
            let values = candidates.values(&found);
            let path: Vec<Term> = entry.state.memory.path_condition().collect();
            if index == 0 && matches!(self.check(&path)?, Answer::Unsat(_)) {
                return Ok(None);
            }
            self.settle(&mut candidates, &path, None, &[], &values, &map)?;
        }
        Ok(Some(candidates))
    }

    /// Guards of cases, and conditions, from what was open on the way before.
    pub(super) fn cases(&mut self, entry: &Item, symbols: &[Term]) -> (Vec<Option<Term>>, Vec<Term>) {
        let mut guards = vec![None];
        if !self.level.has_cases {
            return (guards, Vec::new());
        }
        let pool = self.machine.domain.pool.clone();
        let path: Vec<Term> = entry.state.memory.path_condition().collect();
        let rigid = pool.free_symbols(&path);
        let is_said = |&condition: &Term| {
            let free = pool.free_symbols(&[condition]);
            free.iter().any(|symbol| symbols.contains(symbol))
                && free.iter().all(|symbol| symbols.contains(symbol) || rigid.contains(symbol))
        };
        let mut said: Vec<Term> = self.seen.iter().copied().filter(is_said).collect();
        said.sort_by_key(|&condition| pool.subterms(&[condition]).len());
        said.truncate(MOST_CONDITIONS);
        for &condition in said.iter().take(MOST_GUARDS) {
            guards.extend([Some(condition), Some(pool.not(condition))]);
        }
        let mut conditions: Vec<Term> = said.iter().flat_map(|&it| [it, pool.not(it)]).collect();
        for (index, &a) in said.iter().enumerate().take(MOST_CLAUSED) {
            for &b in said.iter().take(MOST_CLAUSED).skip(index + 1) {
                for (a, b) in [(a, b), (a, pool.not(b)), (pool.not(a), b), (pool.not(a), pool.not(b))] {
                    conditions.push(pool.or2(a, b));
                }
            }
        }
        (guards, conditions)
    }

    /// Assumes the candidates for these values of the spots. False where one of them is false.
    pub(super) fn assume_all(
        &mut self,
        item: &mut Item,
        candidates: &Candidates,
        symbols: &[Term],
        found: &[Term],
    ) -> bool {
        let pool = self.machine.domain.pool.clone();
        let values = candidates.values(found);
        let mut is_possible = true;
        for (_, term) in candidates.atoms(&pool, &values, &map(symbols, found)) {
            is_possible &= term != pool.false_();
            self.take_for_granted(item, term);
        }
        is_possible
    }

    /// What rounds have changed beyond the spots is added to them.
    pub(super) fn add_spots(&mut self, start: &Item, back: &[Item], spots: &mut Vec<Spot>) -> Result<bool, Stop> {
        let is_live = held::live(&mut self.machine, &start.state, 0);
        let mut is_new = false;
        for item in back {
            let Some(found) = self.machine.domain.differing_spots(&start.state, &item.state, &is_live) else {
                return Err(self.open(item, "a loop that changes more than numbers"));
            };
            for spot in found {
                match spots.iter_mut().find(|known| known.place == spot.place) {
                    Some(known) if *known == spot => {}
                    Some(known) => {
                        let is_pointer =
                            matches!((known.holds, spot.holds), (Holds::Pointer { .. }, Holds::Pointer { .. }));
                        if !is_pointer {
                            return Err(self.open(item, "a value of another kind"));
                        }
                        known.holds = spot.holds;
                        is_new = true;
                    }
                    None => {
                        // All elements are more than one.
                        spots.retain(|known| !is_part(&known.place, &spot.place));
                        spots.push(spot);
                        is_new = true;
                    }
                }
            }
        }
        if spots.len() > MOST_SPOTS {
            return Err(self.open(start, "a loop that changes very much"));
        }
        Ok(is_new)
    }

    /// Candidates that some round does not keep are weakened. True where there were any.
    pub(super) fn weaken(
        &mut self,
        candidates: &mut Candidates,
        fixed: &[Term],
        skipped: usize,
        back: &[Item],
        spots: &[Spot],
        symbols: &[Term],
    ) -> Result<bool, Stop> {
        let mut is_changed = false;
        loop {
            let mut is_changed_now = false;
            for item in back {
                let Some(found) = self.machine.domain.spot_values(&item.state, spots) else {
                    return Err(self.open(item, "a value of another kind"));
                };
                let map = map(symbols, &found);
                let values = candidates.values(&found);
                let rest: Vec<Term> = item.state.memory.path_condition().skip(skipped).collect();
                is_changed_now |= self.settle(candidates, fixed, Some(symbols), &rest, &values, &map)?;
            }
            if !is_changed_now {
                return Ok(is_changed);
            }
            is_changed = true;
        }
    }

    /// Weakens until the candidates hold for the values wherever the path is taken; with `heads`, from states for which
    /// they hold.
    pub(super) fn settle(
        &mut self,
        candidates: &mut Candidates,
        fixed: &[Term],
        heads: Option<&[Term]>,
        rest: &[Term],
        values: &[Term],
        map: &FxHashMap<Term, Term>,
    ) -> Result<bool, Stop> {
        let pool = self.machine.domain.pool.clone();
        let mut is_changed = false;
        loop {
            let mut path = fixed.to_vec();
            if let Some(symbols) = heads {
                let values = candidates.values(symbols);
                path.extend(candidates.atoms(&pool, &values, &FxHashMap::default()).into_iter().map(|(_, term)| term));
            }
            path.extend(rest);
            let atoms = candidates.atoms(&pool, values, map);
            let all: Vec<Term> = atoms.iter().map(|(_, term)| *term).collect();
            let failure = pool.not(pool.and(&all));
            if failure == pool.false_() {
                return Ok(is_changed);
            }
            path.push(failure);
            match self.check(&path)? {
                Answer::Unsat(_) => return Ok(is_changed),
                Answer::Sat(mut model) => {
                    if candidates.breaks_equation(&pool, &model, values, map) {
                        // Small numbers say more about equations than those that have wrapped.
                        path.pop();
                        let equations = atoms.iter().filter(|(atom, _)| matches!(atom, Atom::Equation(..)));
                        let equations: Vec<Term> = equations.map(|(_, term)| *term).collect();
                        path.push(pool.not(pool.and(&equations)));
                        path.push(candidates.small(&pool, values));
                        if let Answer::Sat(small) = self.check(&path)? {
                            model = small;
                        }
                        path.pop();
                        path.pop();
                        path.push(failure);
                    }
                    if candidates.weaken(&pool, &model, values, map) {
                        is_changed = true;
                        continue;
                    }
                }
                Answer::Unknown(_) => {}
            }
            // One by one: those that are not shown are given up.
            path.pop();
            let mut refused = Vec::new();
            for (atom, term) in atoms {
                path.push(pool.not(term));
                if !matches!(self.check(&path)?, Answer::Unsat(_)) {
                    refused.push(atom);
                }
                path.pop();
            }
            if refused.is_empty() {
                return Ok(is_changed);
            }
            candidates.drop(&refused);
            is_changed = true;
        }
    }

    /// The numbers that candidates are about: those that change, and others of the function that are not known.
    pub(super) fn columns(&mut self, entry: &Item, spots: &[Spot], symbols: &[Term]) -> Vec<Column> {
        let pool = self.machine.domain.pool.clone();
        let mut columns: Vec<Column> = Vec::new();
        let mut later: Vec<Column> = Vec::new();
        for (index, (spot, &head)) in spots.iter().zip(symbols).enumerate() {
            let Some(width) = pool.sort(head).width().filter(|width| (2..=64).contains(width)) else { continue };
            let (name, scalar) = self.named(entry, spot.place);
            let is_pointer = matches!(spot.holds, Holds::Pointer { .. });
            let name = name.or_else(|| self.pointed(entry, spot.place, spots)).filter(|_| !is_pointer);
            let is_signed = is_pointer || scalar.is_none_or(Scalar::is_signed);
            let is_plain = name.is_some() || matches!(spot.place, Place::Register(_));
            let column = Column { head, spot: Some(index), width, is_signed, name };
            if is_plain { columns.push(column) } else { later.push(column) }
        }
        // What changes least often in programs comes first; equations then say what depends on it.
        let rigid = self.rigid(entry, spots);
        columns.extend(rigid);
        // What the loop began with.
        let begun = self.machine.domain.spot_values(&entry.state, spots).unwrap_or_default();
        let mut old: Vec<Column> = Vec::new();
        for column in &columns {
            let Some(&head) = column.spot.and_then(|spot| begun.get(spot)) else { continue };
            let is_new = |other: &Column| other.head != head;
            if !pool.is_constant(head) && columns.iter().all(is_new) && old.iter().all(is_new) {
                old.push(Column { head, spot: None, name: None, ..column.clone() });
            }
        }
        columns.extend(old);
        columns.extend(later);
        columns.truncate(MOST_COLUMNS);
        columns
    }

    /// Numbers that a round does not change and that are not constants.
    fn rigid(&mut self, entry: &Item, spots: &[Spot]) -> Vec<Column> {
        let pool = self.machine.domain.pool.clone();
        let mut columns: Vec<Column> = Vec::new();
        let is_live = held::live(&mut self.machine, &entry.state, 0);
        let process = &entry.state.processes[0];
        let Some(frame) = process.frames.last() else { return columns };
        let base = frame.base as usize;
        let Some(code) = self.machine.code(frame.function) else { return columns };
        let registers = code.register_locals.iter().map(|&(_, register, _)| base + register as usize);
        let mut places: Vec<Place> = registers.filter(|&register| is_live[register]).map(Place::Register).collect();
        for pointer in self.machine.statics.globals.clone() {
            places.extend(self.machine.domain.numbers_in(&entry.state.memory, &pointer, 1));
        }
        for local in &code.memory_locals {
            let pointer = process.registers[base + local.register as usize].clone();
            places.extend(self.machine.domain.numbers_in(&entry.state.memory, &pointer, 1));
        }
        for place in places {
            if spots.iter().any(|spot| spot.place == place) {
                continue;
            }
            let Some(term) = self.machine.domain.number_at(&entry.state, place) else { continue };
            let Some(width) = pool.sort(term).width().filter(|width| (2..=64).contains(width)) else { continue };
            if pool.is_constant(term) || columns.iter().any(|column| column.head == term) {
                continue;
            }
            let (name, scalar) = self.named(entry, place);
            let is_signed = scalar.is_none_or(Scalar::is_signed);
            columns.push(Column { head: term, spot: None, width, is_signed, name });
        }
        columns
    }

    /// The name that a place has in the function that runs, where it is a variable, and what it holds.
    pub(super) fn named(&mut self, entry: &Item, place: Place) -> (Option<String>, Option<Scalar>) {
        let process = &entry.state.processes[0];
        let Some(top) = process.frames.last() else { return (None, None) };
        let body = self.program.functions[top.function].body.as_ref();
        let count = |name: quod_base::Symbol| {
            body.map_or(0, |body| body.locals.iter().filter(|local| local.name == Some(name)).count())
        };
        match place {
            Place::Register(index) => {
                let Some(frame) = process.frames.iter().rev().find(|frame| frame.base as usize <= index) else {
                    return (None, None);
                };
                let is_top = frame.serial == top.serial;
                let register = (index - frame.base as usize) as u32;
                let Some(code) = self.machine.code(frame.function) else { return (None, None) };
                let found = code.register_locals.iter().find(|&&(_, at, _)| at == register);
                let Some(&(local, _, scalar)) = found else { return (None, None) };
                let name = body.filter(|_| is_top).and_then(|body| body.locals[local].name);
                (name.filter(|&name| count(name) == 1).map(|name| name.to_string()), Some(scalar))
            }
            Place::Cell { object, offset, cell } => {
                let scalar = Some(cell.scalar);
                let is_whole = offset == 0
                    && entry.state.memory.objects().nth(object).is_some_and(|it| it.size == u64::from(cell.size));
                if !is_whole {
                    return (None, scalar);
                }
                let memory = &entry.state.memory;
                for (id, global) in self.program.globals.iter_enumerated() {
                    let Some(pointer) = self.machine.statics.globals.get(id.index()) else { continue };
                    if self.machine.domain.object_index(memory, pointer) == Some(object) {
                        let is_seen = global.function.is_none() && count(global.name) == 0;
                        return (is_seen.then(|| global.name.to_string()), scalar);
                    }
                }
                let Some(code) = self.machine.code(top.function) else { return (None, scalar) };
                for local in &code.memory_locals {
                    let pointer = &process.registers[top.base as usize + local.register as usize];
                    if self.machine.domain.object_index(memory, pointer) == Some(object) {
                        let name = local.name.filter(|&name| count(name) == 1).map(|name| name.to_string());
                        return (name, scalar);
                    }
                }
                (None, scalar)
            }
            Place::Field { .. } => (None, None),
        }
    }

    /// What a place is called by a variable that points to it and that a round does not change: `*p`.
    fn pointed(&mut self, entry: &Item, place: Place, spots: &[Spot]) -> Option<String> {
        let Place::Cell { object, offset: 0, cell } = place else { return None };
        let process = &entry.state.processes[0];
        let frame = process.frames.last()?;
        let body = self.program.functions[frame.function].body.as_ref()?;
        let base = frame.base as usize;
        let code = self.machine.code(frame.function)?;
        let mut found = None;
        for &(local, register, scalar) in &code.register_locals {
            let index = base + register as usize;
            let Type::Pointer(to) = self.program.types[body.locals[local].ty] else { continue };
            let is_alike = match self.program.types[to.ty] {
                Type::Int(kind) => {
                    let bits = kind.bits(self.program.types.data_model);
                    bits == 8 * u32::from(cell.size) && cell.scalar.is_signed() == kind.is_signed()
                }
                _ => false,
            };
            let is_fixed = spots.iter().all(|spot| spot.place != Place::Register(index));
            let Some(name) = body.locals[local].name.filter(|_| scalar.is_pointer() && is_alike && is_fixed) else {
                continue;
            };
            let is_only = body.locals.iter().filter(|local| local.name == Some(name)).count() == 1;
            let pointer = &process.registers[index];
            if is_only && self.machine.domain.object_index(&entry.state.memory, pointer) == Some(object) {
                found = Some(format!("*{name}"));
                break;
            }
        }
        found
    }

    /// The loop at whose head the item stands, in the model.
    fn head(&mut self, entry: &Item) -> Option<(FunctionId, LocationId)> {
        let frame = entry.state.processes[0].frames.last()?;
        let (function, pc) = (frame.function, frame.pc);
        let &location = self.machine.code(function)?.locations.get(pc as usize)?;
        Some((function, LocationId::from_index(location as usize)))
    }

    /// The invariant that was found, for who reads the proof.
    fn tell(
        &mut self,
        entry: &Item,
        candidates: Option<&Candidates>,
        known: Vec<Term>,
        relation: Option<String>,
        pass: &mut Pass,
    ) {
        let Some((function, head)) = self.head(entry) else { return };
        let texts = candidates.map_or_else(Vec::new, |candidates| candidates.texts(&self.machine.domain.pool));
        pass.told.push(Told { function, head, known, texts, relation });
    }
}

/// The place is an element of the field.
fn is_part(place: &Place, field: &Place) -> bool {
    match (*place, *field) {
        (Place::Cell { object, offset, cell }, Place::Field { object: other, stride, residue, size }) => {
            let at = offset % stride;
            object == other && at < residue + u64::from(size) && residue < at + u64::from(cell.size)
        }
        _ => false,
    }
}

pub(super) fn map(symbols: &[Term], values: &[Term]) -> FxHashMap<Term, Term> {
    symbols.iter().copied().zip(values.iter().copied()).collect()
}
