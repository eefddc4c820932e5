//! Going on with one state until it is done, parts, or stands where ways meet.

use super::item::Item;
use super::leaks::ABORTED;
use super::questions::Possible;
use super::{Explorer, Policy};
use quod_base::{Id, Span};
use quod_exec::machine::Event;
use quod_exec::state::ProcessId;
use quod_verdict::{CheckKind, Reason};

/// Operations in one go.
const FUEL: u64 = 1 << 16;
/// Ways of one free choice that are looked at.
const MOST_CHOICES: i128 = 1 << 10;

impl Explorer<'_, '_> {
    pub(super) fn go_on(&mut self, mut item: Item) {
        let process = ProcessId::from_index(0);
        item.is_apart = false;
        loop {
            if item.state.processes.len() > 1 {
                self.is_parallel = true;
                return;
            }
            self.machine.has_moved = false;
            let event = self.machine.run_process(&mut item.state, process, FUEL, true);
            match event {
                Event::Moved | Event::Yielded => match self.at_join(item) {
                    Some(next) => item = next,
                    None => return,
                },
                Event::Paused => {
                    if self.options.cancel.is_cancelled() {
                        return;
                    }
                }
                Event::Ended => return self.at_exit(&item, 0),
                Event::Exited(code) => return self.at_exit(&item, code),
                Event::Blocked => {
                    if self.asks(CheckKind::Deadlock) {
                        self.is_parallel = true;
                    } else if self.asks(CheckKind::Termination) {
                        self.unsupported(&item, "a process that waits for ever");
                    }
                    return;
                }
                Event::Vanished => return self.pruned(&item),
                Event::Cancelled => return,
                Event::Quantify(_) => return self.unsupported(&item, "a quantifier over an unknown range"),
                Event::Fork { condition, yes, no } => match self.fork(item, condition, yes, no) {
                    Some(next) => item = next,
                    None => return,
                },
                Event::Split(conditions) => {
                    item.forks += 1;
                    for condition in conditions.into_iter().rev() {
                        if let Some(next) = self.under(&item, condition) {
                            self.put(next);
                        }
                    }
                    return;
                }
                Event::Values(term) => {
                    item.forks += 1;
                    return self.some_values(&item, term);
                }
                Event::Pick(count) => {
                    if count > MOST_CHOICES {
                        return self.unsupported(&item, "a choice of very many");
                    }
                    for pick in (0..count).rev() {
                        let mut next = item.clone();
                        next.state.world.pick = Some(pick);
                        next.choices.push(pick as u32);
                        self.put(next);
                    }
                    return;
                }
                Event::Choose(targets) => {
                    for (choice, target) in targets.into_iter().enumerate().rev() {
                        let mut next = item.clone();
                        next.choices.push(choice as u32);
                        if let Some(next) = self.arrive(next, target) {
                            self.put(next);
                        }
                    }
                    return;
                }
                Event::Doubt { condition, fault, span, next } => {
                    let negated = self.machine.domain.pool.not(condition);
                    if self.is_shadowed(&item, fault.kind) {
                        self.violation_of_lost(&item, Some(negated));
                    } else {
                        self.violation(&item, Some(negated), &fault, span);
                    }
                    let under = self.under(&item, condition).filter(|_| self.outcome.is_none());
                    match under.and_then(|under| self.arrive(under, next)) {
                        Some(next) => item = next,
                        None => return,
                    }
                }
                Event::Assume { condition, next } => {
                    let is_all =
                        matches!(self.is_possible(&item, self.machine.domain.pool.not(condition)), Possible::No);
                    if !is_all {
                        self.pruned(&item);
                    }
                    match self.under(&item, condition).and_then(|under| self.arrive(under, next)) {
                        Some(next) => item = next,
                        None => return,
                    }
                }
                Event::Fault(fault, span) => {
                    let kind = fault.kind;
                    if kind == CheckKind::UnreachableReached && !self.asks(kind) {
                        // Behind an assertion that nobody asks for, or another call that does not return.
                        return self.at_exit(&item, ABORTED);
                    }
                    if kind == CheckKind::Unsupported || !self.asks(kind) {
                        let reason = Reason::Unsupported { what: fault.message.clone() };
                        return self.doubt(reason, span, Some(fault.into_diagnostic(span)));
                    }
                    if self.is_shadowed(&item, kind) {
                        return self.violation_of_lost(&item, None);
                    }
                    return self.violation(&item, None, &fault, span);
                }
            }
        }
    }

    /// The process goes on at `target`. Gives the item back where it goes on now.
    fn arrive(&mut self, mut item: Item, target: u32) -> Option<Item> {
        let is_join = self.machine.resume_at(&mut item.state, ProcessId::from_index(0), target);
        if is_join { self.at_join(item) } else { Some(item) }
    }

    /// An open condition: the ways that are possible. Gives back the one to go on with at once.
    fn fork(&mut self, mut item: Item, condition: quod_term::Term, yes: u32, no: u32) -> Option<Item> {
        let negated = self.machine.domain.pool.not(condition);
        let Some(mut no_way) = self.under(&item, negated) else {
            // Where one way is impossible, the other is the only one and needs no question.
            self.machine.domain.note(&mut item.state.memory, condition);
            return self.arrive(item, yes);
        };
        let Some(mut yes_way) = self.under(&item, condition) else {
            self.machine.domain.note(&mut item.state.memory, negated);
            return self.arrive(item, no);
        };
        no_way.forks += 1;
        yes_way.forks += 1;
        if let Some(way) = self.arrive(no_way, no) {
            self.put(way);
        }
        let way = self.arrive(yes_way, yes)?;
        if self.policy == Policy::Fork {
            return Some(way);
        }
        self.put(way);
        None
    }

    /// Executions end here because an assumption is false: for the competition they run for ever.
    fn pruned(&mut self, item: &Item) {
        if self.asks(CheckKind::Termination) {
            self.unsupported(item, "an assumption that may be false");
        }
    }

    pub(super) fn unsupported(&mut self, item: &Item, what: &str) {
        let span = match item.state.processes.first() {
            Some(_) => self.machine.span(&item.state, ProcessId::from_index(0)),
            None => Span::NONE,
        };
        self.doubt(Reason::Unsupported { what: what.into() }, span, None);
    }
}
