//! Recursion: a call of a function that may call itself is summed up.
//!
//! The state at the beginning of the first call is made generic, as the head of a loop is: what calls further down begin
//! with otherwise becomes unknown, but for candidates for a *precondition*. The body is executed from there; a call further
//! down is not executed, but replaced by the *summary*: what a call changes becomes unknown, but for candidates about it and
//! about what the call began with. Summaries begin with "no call ever returns" and are weakened by the states in which the
//! body returns, until it keeps them; preconditions by the states in which it calls again.
//!
//! Why that is enough: each call that returns does so by finitely many calls, so by induction over them the summary holds of
//! it; each call that begins satisfies the precondition, by induction over the time at which it begins. What is owed in the body
//! is owed by the generic call, under both. Which function is summed up is only a choice: what calls change is found from
//! states. What the calls between hold themselves must be out of reach of those below.

use super::candidates::{Candidates, Column};
use super::heads::map;
use super::horn::{Application, Kind};
use super::run::Around;
use super::{Item, Pass, Prover, Stop};
use crate::held;
use quod_base::Id;
use quod_exec::scalar::Scalar;
use quod_exec::state::ProcessId;
use quod_exec::symbolic::{Holds, Place, Spot, Value};
use quod_model::ir::{Callee, Control, FunctionId, Program, Step};
use quod_term::Term;
use quod_verdict::CheckKind;
use std::rc::Rc;

/// A function whose calls are summed up at the moment.
pub(super) struct Active {
    pub(super) function: FunctionId,
    /// The state at the beginning of the first call.
    entry: Item,
    /// What calls begin with that differs, by the frame of the first call, and what stands for it.
    begun: Vec<Spot>,
    /// What a call changes: first its value, where that is used.
    changed: Vec<Spot>,
    has_value: bool,
    /// Over the symbols of `begun` and of `changed`; nothing as long as no call returns.
    summary: Option<Candidates>,
    /// The symbols that the summary is about.
    symbols: Vec<Term>,
    /// The predicates of the precondition and of the summary, where clauses are collected.
    predicates: (usize, usize),
    /// Cases of the summary, by what a call begins with.
    values: Vec<Term>,
}

/// A call further down: which function, and the state as it would be in the frame of the first call.
pub(super) struct Entered {
    pub(super) function: FunctionId,
    pub(super) view: Item,
}

/// What was found of a function's calls.
#[derive(Clone)]
pub(super) struct KnownCalls {
    begun: Vec<Spot>,
    changed: Vec<Spot>,
    has_value: bool,
    heads: Vec<Term>,
    precondition: Option<Candidates>,
    symbols: Vec<Term>,
    summary: Option<Candidates>,
}

/// Times that the body is executed before a function is given up.
const MOST_PASSES: usize = 160;
/// Values for each of which a summary has a case of its own.
const MOST_VALUES: i128 = 64;

const FIRST: fn() -> ProcessId = || ProcessId::from_index(0);

impl Prover<'_, '_> {
    /// The item stands at the beginning of a call that is to be summed up.
    pub(super) fn is_at_entry(&self, item: &Item) -> bool {
        let Some(frame) = item.state.processes.first().and_then(|process| process.frames.last()) else { return false };
        frame.pc == 0
            && frame.native.is_none()
            && self.machine.entry_stops.get(frame.function.index()).copied().unwrap_or(false)
    }

    /// The whole of a call.
    pub(super) fn call(&mut self, entry: Item) -> Result<Pass, Stop> {
        let function = match entry.state.processes[0].frames.last() {
            Some(frame) => frame.function,
            None => return Err(self.open(&entry, "no call")),
        };
        match self.active.iter().rposition(|active| active.function == function) {
            Some(index) => self.call_again(index, entry),
            None => self.call_first(function, entry),
        }
    }

    /// A call further down: replaced by what is known of such calls.
    fn call_again(&mut self, index: usize, item: Item) -> Result<Pass, Stop> {
        let function = self.active[index].function;
        let view = self.machine.domain.as_called_first(&self.active[index].entry.state, &item.state);
        let Some(view) = view else { return Err(self.open(&item, "recursion with pointers to what its calls hold")) };
        let view = Item { state: view, model: None, is_apart: false, origin: item.origin.clone() };
        let mut pass = Pass::default();
        let begun = self.active[index].begun.clone();
        // A value of another kind is seen when the spots are looked at.
        if let Some(values) = self.machine.domain.spot_values(&view.state, &begun) {
            if self.is_describing() {
                let predicate = self.active[index].predicates.0;
                let head = Application { predicate, values: values.clone() };
                pass.clauses.push(self.clause(&view, None, Some(head)));
            }
            pass.leaving.extend(self.returned(index, item, values)?);
        }
        pass.entered.push(Entered { function, view });
        Ok(pass)
    }

    /// The state behind a call that begins with these values, where there is one.
    fn returned(&mut self, index: usize, mut item: Item, begun: Vec<Term>) -> Result<Option<Item>, Stop> {
        let Some(awaited) = self.machine.awaited(&item.state, FIRST()) else {
            return Err(self.open(&item, "a call that cannot be summed up"));
        };
        let active = &self.active[index];
        let summary = active.summary.clone();
        if summary.is_none() && !self.is_describing() {
            return Ok(None);
        }
        let (mut changed, symbols, has_value) = (active.changed.clone(), active.symbols.clone(), active.has_value);
        let mut unused = None;
        if has_value && let Some(spot) = changed.first_mut() {
            let Holds::Number(sort) = spot.holds else { return Err(self.open(&item, "a value of another kind")) };
            match awaited.register {
                Some((_, scalar)) if scalar.is_pointer() || self.machine.domain.number_sort(scalar) != sort => {
                    return Err(self.open(&item, "a value of another kind"));
                }
                Some((register, _)) => spot.place = Place::Register(register),
                // Nobody looks at it.
                None => {
                    unused = Some(sort);
                    changed.remove(0);
                }
            }
        }
        self.machine.skip_call(&mut item.state, FIRST(), awaited);
        let state = self.machine.domain.generalised(&item.state, &changed);
        let mut after = self.machine.domain.spot_symbols(&item.state.memory, &changed);
        let Some(state) = state else { return Err(self.open(&item, "a call that changes what is not there")) };
        let mut after_call = Item { state, model: None, is_apart: false, origin: item.origin };
        if let Some(sort) = unused {
            after.insert(0, self.machine.domain.any_term(&mut after_call.state.memory, sort));
        }
        if !has_value && let Some((register, scalar)) = awaited.register {
            // The first call's value is not used, so nothing is known of any.
            if scalar.is_pointer() {
                return Err(self.open(&after_call, "a value of another kind"));
            }
            let sort = self.machine.domain.number_sort(scalar);
            let value = self.machine.domain.any_term(&mut after_call.state.memory, sort);
            after_call.state.processes[0].registers[register] = Value::Number(value);
        }
        let values: Vec<Term> = begun.into_iter().chain(after).collect();
        if self.is_describing() {
            let mut origin = (*after_call.origin).clone();
            origin.applications.push(Application { predicate: self.active[index].predicates.1, values });
            after_call.origin = Rc::new(origin);
            return Ok(Some(after_call));
        }
        let Some(summary) = summary else { return Ok(None) };
        let is_possible = self.assume_all(&mut after_call, &summary, &symbols, &values);
        Ok(is_possible.then_some(after_call))
    }

    /// A call from outside: summed up.
    fn call_first(&mut self, function: FunctionId, entry: Item) -> Result<Pass, Stop> {
        let frames = &entry.state.processes[0].frames;
        let serial = frames.last().map_or(0, |frame| frame.serial);
        let around = Around { depth: frames.len(), serial, head: None };
        let Some(awaited) = self.machine.awaited(&entry.state, FIRST()) else {
            return Err(self.open(&entry, "a call that cannot be summed up"));
        };
        let index = self.active.len();
        self.active.push(Active {
            function,
            entry: entry.clone(),
            begun: Vec::new(),
            changed: Vec::new(),
            has_value: false,
            summary: None,
            symbols: Vec::new(),
            predicates: (0, 0),
            values: Vec::new(),
        });
        // Inside of loops and of other calls it is met again and again, each time with more states than before.
        let place = self.key(&entry);
        if let Some(known) = self.known_calls.get(&place)
            && self.machine.domain.spot_values(&entry.state, &known.begun).is_some()
        {
            let active = &mut self.active[index];
            (active.begun, active.changed) = (known.begun.clone(), known.changed.clone());
            active.has_value = known.has_value;
        }
        let result = self.sum_up(index, &entry, around, awaited.register);
        let pass = match result {
            Ok(Some(mut pass)) => {
                let begun = self.active[index].begun.clone();
                match self.machine.domain.spot_values(&entry.state, &begun) {
                    // The first call by itself: it is one of those that the generic call stands for.
                    Some(_) if self.level.is_peeled => self.explore(vec![entry], Some(around)).map(|first| {
                        pass.leaving = first.leaving;
                        pass
                    }),
                    Some(values) => self.returned(index, entry, values).map(|leaving| {
                        pass.leaving = leaving.into_iter().collect();
                        pass
                    }),
                    None => Err(self.open(&entry, "a value of another kind")),
                }
            }
            Ok(None) => Ok(Pass::default()),
            Err(stop) => Err(stop),
        };
        self.active.truncate(index);
        pass
    }

    /// Executes the body until precondition and summary are kept. Nothing where nobody calls.
    fn sum_up(
        &mut self,
        index: usize,
        entry: &Item,
        around: Around,
        value: Option<(usize, Scalar)>,
    ) -> Result<Option<Pass>, Stop> {
        let function = self.active[index].function;
        let place = self.key(entry);
        let mut precondition: Option<Candidates> = None;
        for _ in 0..MOST_PASSES {
            let mut begun = self.active[index].begun.clone();
            let Some(mut generic) = self.generic(entry, &begun) else {
                return Err(self.open(entry, "a state that cannot be made generic"));
            };
            let heads = self.machine.domain.spot_symbols(&entry.state.memory, &begun);
            if self.is_describing() {
                self.describe_call(index, entry, &mut generic, &heads)?;
            } else if precondition.is_none() && !begun.is_empty() {
                let columns = self.columns(entry, &begun, &heads);
                let (guards, mut conditions) = self.cases(entry, &heads);
                conditions.extend(self.hinted(&(Kind::Call, place.clone()), &begun, &heads));
                let mut fresh = Candidates::new(columns, &self.constants, &guards, conditions, self.level.has_sums);
                if let Some(known) = self.known_calls.get(&place)
                    && known.begun == begun
                    && let Some(before) = &known.precondition
                {
                    fresh.start_as(&self.machine.domain.pool, before, &map(&known.heads, &heads));
                }
                match self.begin(std::slice::from_ref(entry), &begun, &heads, fresh)? {
                    Some(candidates) => precondition = Some(candidates),
                    None => return Ok(None),
                }
            }
            let fixed: Vec<Term> = generic.state.memory.path_condition().collect();
            if let Some(precondition) = &precondition {
                self.assume_all(&mut generic, precondition, &heads, &heads);
            }
            let skipped = generic.state.memory.path_condition().count();
            let mut pass = self.explore(vec![generic.clone()], Some(around))?;
            let (mine, others) = std::mem::take(&mut pass.entered).into_iter().partition(|it| it.function == function);
            pass.entered = others;
            let mine: Vec<Entered> = mine;
            let views: Vec<Item> = mine.into_iter().map(|entered| entered.view).collect();
            // What calls begin with, and what they change.
            let mut is_wider = self.add_spots(&generic, &views, &mut begun)?;
            let before = self.skipped(&generic)?;
            let mut changed = self.active[index].changed.clone();
            is_wider |= self.add_changes(index, &before, &pass.leaving, value, &mut changed)?;
            if is_wider {
                let active = &mut self.active[index];
                (active.begun, active.changed) = (begun, changed);
                active.summary = None;
                active.values.clear();
                precondition = None;
                continue;
            }
            if self.is_describing() {
                self.describe_ends(index, entry, &heads, &mut pass)?;
                return Ok(Some(pass));
            }
            let mut is_changed = match &mut precondition {
                Some(precondition) => self.weaken(precondition, &fixed, skipped, &views, &begun, &heads)?,
                None => false,
            };
            is_changed |= self.weaken_summary(index, entry, &heads, &before, &pass.leaving, value)?;
            if !is_changed && self.level.has_values && self.active[index].values.is_empty() {
                // Once more, with a case for each value that a call can begin with.
                let pool = self.machine.domain.pool.clone();
                let values = precondition.as_ref().map_or_else(Vec::new, |it| it.few_values(&pool, MOST_VALUES));
                if values.is_empty() {
                    return Err(self.open(entry, "recursion that begins with many values"));
                }
                let active = &mut self.active[index];
                (active.values, active.summary) = (values, None);
                continue;
            }
            if !is_changed {
                self.calls_end(entry, precondition.as_ref(), &views, &begun, &heads)?;
                let active = &self.active[index];
                let known = KnownCalls {
                    begun,
                    changed,
                    has_value: active.has_value,
                    heads,
                    precondition,
                    symbols: active.symbols.clone(),
                    summary: active.summary.clone(),
                };
                self.known_calls.insert(place, known);
                return Ok(Some(pass));
            }
        }
        Err(self.open(entry, "recursion whose summary is not found"))
    }

    /// Where that is asked: each call inside begins with less than the one that it is made in.
    fn calls_end(
        &mut self,
        entry: &Item,
        precondition: Option<&Candidates>,
        views: &[Item],
        begun: &[Spot],
        heads: &[Term],
    ) -> Result<(), Stop> {
        if !self.asks(CheckKind::Termination) || views.is_empty() {
            return Ok(());
        }
        let order = match precondition {
            Some(precondition) if self.given.is_none() => self.rank(precondition, views, begun, heads)?,
            // Calls that begin alike go on for ever.
            _ => None,
        };
        match order {
            Some(_) => Ok(()),
            None => Err(self.open(entry, "recursion that may not end")),
        }
    }

    /// Predicates for calls that begin with anything in what they differ in.
    fn describe_call(&mut self, index: usize, entry: &Item, generic: &mut Item, heads: &[Term]) -> Result<(), Stop> {
        let (begun, changed) = (self.active[index].begun.clone(), self.active[index].changed.clone());
        let (place, fresh) = (self.key(entry), entry.state.memory.fresh_count());
        let before = self.predicate((Kind::Call, place.clone()), &begun, heads, fresh);
        let skipped = self.skipped(generic)?;
        let after = self.machine.domain.spot_symbols(&skipped.state.memory, &changed);
        let symbols: Vec<Term> = heads.iter().chain(&after).copied().collect();
        let whole = self.predicate((Kind::Summary, place), &changed, &symbols, 0);
        self.active[index].predicates = (before, whole);
        self.rest_on(generic, before, heads);
        Ok(())
    }

    /// How the first call begins, and what the generic one leads to.
    fn describe_ends(&mut self, index: usize, entry: &Item, heads: &[Term], pass: &mut Pass) -> Result<(), Stop> {
        let (begun, changed) = (self.active[index].begun.clone(), self.active[index].changed.clone());
        let (before, whole) = self.active[index].predicates;
        let Some(values) = self.machine.domain.spot_values(&entry.state, &begun) else {
            return Err(self.open(entry, "a value of another kind"));
        };
        pass.clauses.push(self.clause(entry, None, Some(Application { predicate: before, values })));
        for item in &pass.leaving {
            let Some(found) = self.machine.domain.spot_values(&item.state, &changed) else {
                return Err(self.open(item, "a value of another kind"));
            };
            let values: Vec<Term> = heads.iter().copied().chain(found).collect();
            pass.clauses.push(self.clause(item, None, Some(Application { predicate: whole, values })));
        }
        Ok(())
    }

    /// The state with the frame on top taken away.
    fn skipped(&mut self, item: &Item) -> Result<Item, Stop> {
        let Some(awaited) = self.machine.awaited(&item.state, FIRST()) else {
            return Err(self.open(item, "a call that cannot be summed up"));
        };
        let mut item = item.clone();
        self.machine.skip_call(&mut item.state, FIRST(), awaited);
        Ok(item)
    }

    /// What the body has changed beyond what is known to change is added to that.
    fn add_changes(
        &mut self,
        index: usize,
        before: &Item,
        leaving: &[Item],
        value: Option<(usize, Scalar)>,
        changed: &mut Vec<Spot>,
    ) -> Result<bool, Stop> {
        let mut is_wider = false;
        for item in leaving {
            let mut is_live = held::live(&mut self.machine, &before.state, 0);
            if let Some((register, _)) = value
                && let Some(is_live) = is_live.get_mut(register)
            {
                *is_live = true;
            }
            let Some(found) = self.machine.domain.differing_spots(&before.state, &item.state, &is_live) else {
                return Err(self.open(item, "recursion that changes more than numbers"));
            };
            for spot in found {
                let is_value = value.is_some_and(|(register, _)| spot.place == Place::Register(register));
                match changed.iter().find(|known| known.place == spot.place) {
                    Some(known) if *known == spot => {}
                    Some(_) => return Err(self.open(item, "a value of another kind")),
                    None if is_value => {
                        changed.insert(0, spot);
                        self.active[index].has_value = true;
                        is_wider = true;
                    }
                    None => {
                        changed.push(spot);
                        is_wider = true;
                    }
                }
            }
        }
        Ok(is_wider)
    }

    /// The summary is weakened until the states in which the body returns satisfy it. True where that changed it.
    fn weaken_summary(
        &mut self,
        index: usize,
        entry: &Item,
        heads: &[Term],
        before: &Item,
        leaving: &[Item],
        value: Option<(usize, Scalar)>,
    ) -> Result<bool, Stop> {
        let changed = self.active[index].changed.clone();
        let after = self.machine.domain.spot_symbols(&before.state.memory, &changed);
        let symbols: Vec<Term> = heads.iter().chain(&after).copied().collect();
        let mut is_changed = false;
        for item in leaving {
            let path: Vec<Term> = item.state.memory.path_condition().collect();
            if self.active[index].summary.is_none() {
                if matches!(self.check(&path)?, quod_solver::Answer::Unsat(_)) {
                    continue;
                }
                let fresh = self.fresh_summary(index, entry, heads, &after, value);
                let active = &mut self.active[index];
                (active.summary, active.symbols) = (Some(fresh), symbols.clone());
                is_changed = true;
            }
            let Some(mut summary) = self.active[index].summary.take() else { continue };
            let Some(found) = self.machine.domain.spot_values(&item.state, &changed) else {
                return Err(self.open(item, "a value of another kind"));
            };
            let found: Vec<Term> = heads.iter().copied().chain(found).collect();
            let values = summary.values(&found);
            is_changed |= self.settle(&mut summary, &path, None, &[], &values, &map(&symbols, &found))?;
            self.active[index].summary = Some(summary);
        }
        Ok(is_changed)
    }

    /// The strongest candidates for a summary.
    fn fresh_summary(
        &mut self,
        index: usize,
        entry: &Item,
        heads: &[Term],
        after: &[Term],
        value: Option<(usize, Scalar)>,
    ) -> Candidates {
        let (begun, changed) = (self.active[index].begun.clone(), self.active[index].changed.clone());
        let pool = self.machine.domain.pool.clone();
        let mut columns = self.columns(entry, &begun, heads);
        for (place, (spot, &head)) in changed.iter().zip(after).enumerate() {
            let Some(width) = pool.sort(head).width().filter(|width| (2..=64).contains(width)) else { continue };
            let scalar = match value {
                Some((register, scalar)) if spot.place == Place::Register(register) => Some(scalar),
                _ => self.named(entry, spot.place).1,
            };
            let is_signed = scalar.is_none_or(Scalar::is_signed);
            columns.push(Column { head, spot: Some(begun.len() + place), width, is_signed, name: None });
        }
        let (guards, _) = self.cases(entry, heads);
        let place = self.key(entry);
        self.hinted(&(Kind::Call, place.clone()), &begun, heads);
        let conditions = self.hinted(&(Kind::Summary, place.clone()), &changed, after);
        let mut fresh = Candidates::new(columns, &self.constants, &guards, conditions, self.level.has_sums);
        let among = |column: &Column| match column.spot {
            Some(spot) if spot < begun.len() => changed.iter().any(|it| it.place == begun[spot].place),
            Some(_) => true,
            None => false,
        };
        let among: Vec<bool> = fresh.columns.iter().map(among).collect();
        fresh.add_light(&self.active[index].values, &among);
        if let Some(known) = self.known_calls.get(&place)
            && !self.level.has_values
            && (&known.begun, &known.changed) == (&begun, &changed)
            && let Some(summary) = &known.summary
        {
            let symbols: Vec<Term> = heads.iter().chain(after).copied().collect();
            fresh.start_as(&pool, summary, &map(&known.symbols, &symbols));
        }
        fresh
    }
}

/// Functions that may call themselves, by what the text shows, and whose calls can be summed up.
pub(super) fn recursive(program: &Program) -> Vec<bool> {
    let count = program.functions.len();
    let mut calls: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (id, function) in program.functions.iter_enumerated() {
        let Some(body) = &function.body else { continue };
        for location in body.locations.iter() {
            if let Control::Step { step: Step::Call(call), .. } = &location.control
                && let Callee::Direct(callee) = call.callee
            {
                calls[id.index()].push(callee.index());
            }
        }
        calls[id.index()].sort_unstable();
        calls[id.index()].dedup();
    }
    // What calls nobody that is left, or is called by nobody that is left, is on no cycle.
    let mut is_left = vec![true; count];
    loop {
        let mut is_called = vec![false; count];
        for index in (0..count).filter(|&index| is_left[index]) {
            calls[index].iter().for_each(|&callee| is_called[callee] = true);
        }
        let is_gone = |index: usize| !is_called[index] || calls[index].is_empty();
        let gone: Vec<usize> = (0..count).filter(|&index| is_left[index] && is_gone(index)).collect();
        if gone.is_empty() {
            break;
        }
        gone.iter().for_each(|&index| is_left[index] = false);
        calls.iter_mut().for_each(|callees| callees.retain(|&callee| is_left[callee]));
    }
    let is_on_cycle = |start: usize| {
        let mut is_seen = vec![false; count];
        let mut waiting = calls[start].clone();
        while let Some(next) = waiting.pop() {
            if next == start {
                return true;
            }
            if !std::mem::replace(&mut is_seen[next], true) {
                waiting.extend(&calls[next]);
            }
        }
        false
    };
    let is_main = |index: usize| program.main.is_some_and(|main| main.index() == index);
    (0..count).map(|index| is_left[index] && !is_main(index) && is_on_cycle(index)).collect()
}
