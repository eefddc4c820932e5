//! Loops that need never be left: a set of states that is closed under one round of the loop.
//!
//! At the head of a loop the numbers that a round changes are forgotten: each becomes a fresh symbol. A way around, back to
//! the head, that changes nothing else, whose conditions say nothing about the forgotten numbers, can be taken again from
//! wherever it arrives, with the same values of the inputs that it asks for. Together with values that lead to the head the
//! first time that is an endless execution, which is then run on concrete values for many rounds before it is believed.

use super::Explorer;
use super::item::Item;
use super::questions::Possible;
use crate::replay::Schedule;
use quod_base::Id;
use quod_exec::machine::Event;
use quod_exec::state::ProcessId;
use quod_exec::symbolic::Forgotten;
use quod_term::Term;
use quod_verdict::CheckKind;

/// Rounds in which what changes is found out, ways around that are looked at, and operations for each.
const ROUNDS: usize = 4;
const WAYS: usize = 32;
const FUEL: u64 = 20_000;
/// Rounds after which a state may be the same, and ways of each that are looked at.
const SAME_ROUNDS: usize = 2;
const SAME_WAYS: usize = 6;
/// Questions about states that come back, in one search.
const MOST_RECURRENCES: usize = 200;

impl Explorer<'_, '_> {
    /// Can the loop at whose head the item stands for the first time be gone around for ever?
    pub(super) fn look_for_recurrence(&mut self, item: &Item) {
        if self.outcome.is_some() || !item.choices.is_empty() {
            return;
        }
        if self.comes_back(item) {
            return;
        }
        let mut forgotten = Forgotten::default();
        for _ in 0..ROUNDS {
            let mut start = item.clone();
            let is_live = crate::held::live(&mut self.machine, &item.state, 0);
            let symbols = self.machine.domain.forget(&mut start.state, &forgotten, &is_live);
            start.model = None;
            let mut found = forgotten.clone();
            for around in self.ways_around(&start) {
                let is_closed =
                    self.machine.domain.changes(&start.state, &around.state, &is_live, &forgotten, &mut found);
                let first = start.state.memory.path_condition().count();
                let conditions: Vec<Term> = around.state.memory.path_condition().skip(first).collect();
                let said = self.machine.domain.pool.free_symbols(&conditions);
                if is_closed && !said.iter().any(|symbol| symbols.contains(symbol)) && self.runs_on(item, &around) {
                    return;
                }
            }
            if found.len() == forgotten.len() {
                return;
            }
            forgotten = found;
        }
    }

    /// Is there a state that is the same again after one round, or after two? It need not be one that all values lead to.
    fn comes_back(&mut self, item: &Item) -> bool {
        if self.recurrences >= MOST_RECURRENCES {
            return false;
        }
        let is_live = crate::held::live(&mut self.machine, &item.state, 0);
        let mut starts = vec![item.clone()];
        for _ in 0..SAME_ROUNDS {
            let mut arrived = Vec::new();
            for start in starts {
                arrived.extend(self.ways_around(&start).into_iter().take(SAME_WAYS));
            }
            for around in &arrived {
                let Some(spots) = self.machine.domain.differing_spots(&item.state, &around.state, &is_live) else {
                    continue;
                };
                let before = self.machine.domain.spot_values(&item.state, &spots);
                let after = self.machine.domain.spot_values(&around.state, &spots);
                let (Some(before), Some(after)) = (before, after) else { continue };
                let pool = self.machine.domain.pool.clone();
                let mut terms: Vec<Term> = around.state.memory.path_condition().collect();
                terms.extend(before.iter().zip(&after).map(|(&before, &after)| pool.eq(before, after)));
                self.recurrences += 1;
                let model = match self.check(&terms) {
                    Possible::Yes(model) => model,
                    Possible::No => continue,
                    // Others like it are as hard.
                    Possible::Maybe => return false,
                };
                let inputs: Vec<_> = around.state.memory.inputs().cloned().collect();
                let schedule = Schedule::new(&self.solver, &Self::steps(&item.choices), &inputs, &model);
                if let Some((diagnostic, evidence)) = crate::lasso::confirm(self.program, self.options.kinds, &schedule)
                {
                    self.violated(CheckKind::Termination, diagnostic, schedule, evidence);
                    return true;
                }
            }
            starts = arrived;
            starts.truncate(SAME_WAYS);
        }
        false
    }

    /// The states in which the head is met again, on some ways around.
    fn ways_around(&mut self, start: &Item) -> Vec<Item> {
        let process = ProcessId::from_index(0);
        let place = |item: &Item| {
            let frames = &item.state.processes[0].frames;
            (frames.len(), frames.last().map(|frame| frame.pc))
        };
        let head = place(start);
        let mut arrived = Vec::new();
        let mut work = vec![start.clone()];
        let mut ways = 0;
        while let Some(mut item) = work.pop() {
            if ways > WAYS || self.options.cancel.is_cancelled() {
                break;
            }
            let steps = self.machine.steps;
            loop {
                if self.machine.steps - steps > FUEL || item.state.processes.len() > 1 {
                    break;
                }
                self.machine.has_moved = false;
                match self.machine.run_process(&mut item.state, process, FUEL, true) {
                    Event::Moved | Event::Yielded => {
                        let (depth, _) = place(&item);
                        if place(&item) == head {
                            ways += 1;
                            arrived.push(item);
                            break;
                        }
                        if depth < head.0 {
                            break;
                        }
                    }
                    Event::Paused => {}
                    Event::Fork { condition, yes, no } => {
                        ways += 1;
                        let negated = self.machine.domain.pool.not(condition);
                        for (condition, target) in [(condition, yes), (negated, no)] {
                            let Some(mut way) = self.under(&item, condition) else { continue };
                            self.machine.resume_at(&mut way.state, process, target);
                            if place(&way) == head {
                                arrived.push(way);
                            } else {
                                work.push(way);
                            }
                        }
                        break;
                    }
                    // One way on is enough: where the condition holds.
                    Event::Assume { condition, next } | Event::Doubt { condition, next, .. } => {
                        let Some(mut way) = self.under(&item, condition) else { break };
                        self.machine.resume_at(&mut way.state, process, next);
                        item = way;
                        if place(&item) == head {
                            arrived.push(item);
                            break;
                        }
                    }
                    _ => break,
                }
            }
        }
        arrived
    }

    /// Values that lead to the head and around it, confirmed on concrete values.
    fn runs_on(&mut self, item: &Item, around: &Item) -> bool {
        let terms: Vec<Term> = around.state.memory.path_condition().collect();
        let Possible::Yes(model) = self.check(&terms) else { return false };
        let inputs: Vec<_> = around.state.memory.inputs().cloned().collect();
        let count = item.state.memory.inputs().count();
        let schedule = Schedule::new(&self.solver, &Self::steps(&item.choices), &inputs, &model);
        let before = Schedule::new(&self.solver, &Self::steps(&item.choices), &inputs[..count], &model);
        let round = before.inputs.len();
        match crate::lasso::confirm_rounds(self.program, self.options.kinds, &schedule, round) {
            Some((diagnostic, evidence)) => {
                self.violated(CheckKind::Termination, diagnostic, schedule, evidence);
                true
            }
            None => false,
        }
    }
}
