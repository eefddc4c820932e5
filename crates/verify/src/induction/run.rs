//! Going through a piece of program: from some states to the head of the loop that they are in, out of it, or to the end.
//! States that meet are joined. Each inner loop is done whole where it is met.

use super::{Duty, Item, Pass, Prover, Stop};
use crate::held;
use crate::paths::shape;
use quod_base::{Id, Span};
use quod_exec::domain::ObjectKind;
use quod_exec::fault::Fault;
use quod_exec::machine::Event;
use quod_exec::state::ProcessId;
use quod_solver::Answer;
use quod_term::Term;
use quod_verdict::CheckKind;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The loop that is gone around: the frame by its depth and what distinguishes it from others there, and the head. Or the
/// whole of a call, where there is no head.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Around {
    pub(super) depth: usize,
    pub(super) serial: u64,
    pub(super) head: Option<u32>,
}

type Waiting = BTreeMap<Vec<u32>, Vec<Item>>;

/// Operations in one go, and frames at once.
const FUEL: u64 = 1 << 14;
const MOST_FRAMES: usize = 64;
/// Ways that are gone apart from each other.
const MOST_APART: usize = 6;
/// Ways of the outside that are gone one by one.
const MOST_PICKS: i128 = 8;
/// Open conditions that are remembered.
const MOST_SEEN: usize = 400;

impl Prover<'_, '_> {
    pub(super) fn explore(&mut self, starts: Vec<Item>, around: Option<Around>) -> Result<Pass, Stop> {
        let mut pass = Pass::default();
        let mut waiting = Waiting::new();
        for item in starts {
            self.go_on(item, around, &mut pass, &mut waiting)?;
        }
        while let Some(entry) = waiting.first_entry() {
            let place = entry.key().clone();
            let mut items = entry.remove();
            let is_head = items.first().is_some_and(|item| self.is_at_head(item));
            // In loops, few ways are gone one by one: equations are decided more easily than choices between values.
            let is_entry = items.first().is_some_and(|item| self.is_at_entry(item));
            if is_head || is_entry || around.is_none() || items.len() > MOST_APART {
                items = self.joined(items);
                items.iter_mut().for_each(|item| item.is_apart = true);
            }
            let Some(mut item) = items.pop() else { continue };
            if !items.is_empty() {
                waiting.entry(place).or_default().append(&mut items);
            }
            item.is_apart = false;
            if is_head || is_entry {
                let whole = |prover: &mut Self| if is_entry { prover.call(item) } else { prover.enter(item) };
                let inner = stacker::maybe_grow(256 << 10, 4 << 20, || whole(self))?;
                pass.duties.extend(inner.duties);
                pass.told.extend(inner.told);
                pass.entered.extend(inner.entered);
                pass.clauses.extend(inner.clauses);
                for item in inner.leaving {
                    self.arrived(item, around, &mut pass, &mut waiting)?;
                }
            } else {
                self.go_on(item, around, &mut pass, &mut waiting)?;
            }
        }
        if pass.back.len() > MOST_APART {
            pass.back = self.joined(std::mem::take(&mut pass.back));
        }
        Ok(pass)
    }

    /// States at the same place, joined where that can be done.
    pub(super) fn joined(&mut self, items: Vec<Item>) -> Vec<Item> {
        if self.is_describing() {
            return items;
        }
        let mut joined: Vec<Item> = Vec::new();
        for item in items {
            let is_live = held::live(&mut self.machine, &item.state, 0);
            let found = joined.iter_mut().find_map(|other| {
                let can_join = !(other.is_apart && item.is_apart);
                let state = can_join.then(|| self.machine.domain.join(&other.state, &item.state, &is_live))??;
                Some((other, state))
            });
            match found {
                Some((other, state)) => {
                    let model = other.model.take().or(item.model);
                    *other = Item { state, model, is_apart: false, origin: other.origin.clone() };
                }
                None => joined.push(item),
            }
        }
        joined
    }

    fn is_at_head(&mut self, item: &Item) -> bool {
        let Some(frame) = item.state.processes.first().and_then(|process| process.frames.last()) else { return false };
        let (function, pc) = (frame.function, frame.pc);
        let is_native = frame.native.is_some();
        let code = self.machine.code(function).filter(|_| !is_native);
        code.is_some_and(|code| code.flow().ends.get(pc as usize).copied().flatten().is_some())
    }

    /// The loop at whose head the item stands.
    pub(super) fn around(&self, item: &Item) -> Option<Around> {
        let frames = &item.state.processes.first()?.frames;
        let frame = frames.last()?;
        Some(Around { depth: frames.len(), serial: frame.serial, head: Some(frame.pc) })
    }

    /// The process stands where ways meet.
    fn arrived(
        &mut self,
        item: Item,
        around: Option<Around>,
        pass: &mut Pass,
        waiting: &mut Waiting,
    ) -> Result<(), Stop> {
        self.spend()?;
        if let Some(around) = around {
            let frames = &item.state.processes[0].frames;
            let is_same_frame = frames.get(around.depth - 1).is_some_and(|frame| frame.serial == around.serial);
            if !is_same_frame {
                pass.leaving.push(item);
                return Ok(());
            }
            if frames.len() == around.depth
                && let Some(head) = around.head
            {
                let (function, pc) = (frames[around.depth - 1].function, frames[around.depth - 1].pc);
                if pc == head {
                    pass.back.push(item);
                    return Ok(());
                }
                let code = self.machine.code(function);
                let is_inside = code.is_some_and(|code| {
                    let flow = code.flow();
                    let order = |pc: u32| flow.order.get(pc as usize).copied().unwrap_or(u32::MAX);
                    let end = flow.ends.get(head as usize).copied().flatten().unwrap_or(0);
                    order(head) <= order(pc) && order(pc) < end
                });
                if !is_inside {
                    pass.leaving.push(item);
                    return Ok(());
                }
            }
        }
        if item.state.processes[0].frames.len() > MOST_FRAMES {
            return Err(self.open(&item, "calls too deep"));
        }
        let place = shape::place(&mut self.machine, &item.state);
        waiting.entry(place).or_default().push(item);
        Ok(())
    }

    fn go_on(
        &mut self,
        mut item: Item,
        around: Option<Around>,
        pass: &mut Pass,
        waiting: &mut Waiting,
    ) -> Result<(), Stop> {
        let process = ProcessId::from_index(0);
        loop {
            self.spend()?;
            if item.state.processes.len() > 1 {
                return Err(self.open(&item, "several processes"));
            }
            if !item.state.world.jumps.is_empty() {
                return Err(self.open(&item, "jumps between functions"));
            }
            self.machine.has_moved = false;
            match self.machine.run_process(&mut item.state, process, FUEL, true) {
                Event::Moved | Event::Yielded => {
                    self.no_heap(&item)?;
                    return self.arrived(item, around, pass, waiting);
                }
                Event::Paused => {}
                Event::Vanished | Event::Blocked if self.asks(CheckKind::Termination) => {
                    return Err(self.open(&item, "an execution that waits"));
                }
                Event::Ended | Event::Exited(_) | Event::Vanished | Event::Blocked => return self.no_heap(&item),
                Event::Cancelled | Event::Quantify(_) => return Err(Stop::Spent),
                Event::Fork { condition, yes, no } => {
                    let negated = self.machine.domain.pool.not(condition);
                    self.note_condition(&item, condition);
                    if self.seen.len() < MOST_SEEN && !self.seen.contains(&condition) && !self.seen.contains(&negated) {
                        self.seen.push(condition);
                    }
                    for (condition, target) in [(negated, no), (condition, yes)] {
                        if let Some(way) = self.under(&item, condition)? {
                            self.resume(way, target, around, pass, waiting)?;
                        }
                    }
                    return Ok(());
                }
                Event::Split(conditions) => {
                    for condition in conditions {
                        if let Some(way) = self.under(&item, condition)? {
                            stacker::maybe_grow(256 << 10, 4 << 20, || self.go_on(way, around, pass, waiting))?;
                        }
                    }
                    return Ok(());
                }
                Event::Doubt { condition, fault, span, next } => {
                    let failure = self.machine.domain.pool.not(condition);
                    let is_check = self.asks(fault.kind) && fault.kind != CheckKind::Unsupported;
                    self.note_condition(&item, condition);
                    self.owe(&item, failure, &fault, span, is_check, pass);
                    self.take_for_granted(&mut item, condition);
                    return self.resume(item, next, around, pass, waiting);
                }
                Event::Assume { condition, next } => {
                    // Where an assumption fails, an execution waits for ever.
                    let negated = self.machine.domain.pool.not(condition);
                    if self.asks(CheckKind::Termination) && self.under(&item, negated)?.is_some() {
                        return Err(self.open(&item, "an assumption that may be false"));
                    }
                    return match self.under(&item, condition)? {
                        Some(under) => self.resume(under, next, around, pass, waiting),
                        None => Ok(()),
                    };
                }
                Event::Fault(fault, span) => {
                    self.no_heap(&item)?;
                    let kind = fault.kind;
                    if kind == CheckKind::UnreachableReached && !self.asks(kind) {
                        // Behind a call that does not return.
                        return Ok(());
                    }
                    let always = self.machine.domain.pool.true_();
                    let is_check = self.asks(kind) && matches!(kind, CheckKind::Unreachable | CheckKind::Assertion);
                    if is_check {
                        self.note_failure(&item);
                    }
                    self.owe(&item, always, &fault, span, is_check, pass);
                    return Ok(());
                }
                Event::Values(_) => return Err(self.open(&item, "a number that must be known")),
                Event::Pick(count) if count <= MOST_PICKS => {
                    // A symbol tells the ways apart.
                    let pool = self.machine.domain.pool.clone();
                    let symbol = self.machine.domain.phase_symbol(&mut item.state.memory);
                    for pick in 0..count {
                        let mut way = item.clone();
                        let condition = pool.eq(symbol, pool.bv(8, pick as u64));
                        self.take_for_granted(&mut way, condition);
                        way.state.world.pick = Some(pick);
                        stacker::maybe_grow(256 << 10, 4 << 20, || self.go_on(way, around, pass, waiting))?;
                    }
                    return Ok(());
                }
                Event::Pick(_) | Event::Choose(_) => return Err(self.open(&item, "a free choice")),
            }
        }
    }

    fn resume(
        &mut self,
        mut item: Item,
        target: u32,
        around: Option<Around>,
        pass: &mut Pass,
        waiting: &mut Waiting,
    ) -> Result<(), Stop> {
        if self.machine.resume_at(&mut item.state, ProcessId::from_index(0), target) {
            return self.arrived(item, around, pass, waiting);
        }
        stacker::maybe_grow(256 << 10, 4 << 20, || self.go_on(item, around, pass, waiting))
    }

    fn owe(&mut self, item: &Item, failure: Term, fault: &Fault, span: Span, is_check: bool, pass: &mut Pass) {
        if self.is_describing() {
            pass.clauses.push(self.clause(item, Some(failure), None));
        }
        let path = item.state.memory.path_condition().collect();
        pass.duties.push(Duty { path, failure, kind: fault.kind, span, is_check });
    }

    /// Where memory that is left over counts, none may be allocated.
    fn no_heap(&self, item: &Item) -> Result<(), Stop> {
        let is_asked = self.asks(CheckKind::MemoryLeak) || self.asks(CheckKind::LostMemory);
        if is_asked && item.state.memory.objects().any(|object| object.kind == ObjectKind::Heap) {
            return Err(self.open(item, "memory that is allocated"));
        }
        Ok(())
    }

    /// Adds a condition without a question.
    pub(super) fn take_for_granted(&mut self, item: &mut Item, condition: Term) {
        let pool = self.machine.domain.pool.clone();
        let is_met = |model: &Rc<quod_solver::Model>| {
            quod_term::evaluate(&pool, condition, model).and_then(|value| value.as_bool()) == Some(true)
        };
        item.model = item.model.take().filter(is_met);
        self.machine.domain.assume(&mut item.state.memory, condition);
    }

    /// The item under a condition, unless that is impossible.
    fn under(&mut self, item: &Item, condition: Term) -> Result<Option<Item>, Stop> {
        let pool = self.machine.domain.pool.clone();
        if condition == pool.false_() || item.state.memory.decision(condition) == Some(false) {
            return Ok(None);
        }
        let mut way = item.clone();
        self.take_for_granted(&mut way, condition);
        if way.model.is_none() {
            let terms: Vec<Term> = way.state.memory.path_condition().collect();
            match self.check(&terms)? {
                Answer::Sat(model) => way.model = Some(Rc::new(model)),
                Answer::Unsat(_) => return Ok(None),
                Answer::Unknown(_) => {}
            }
        }
        Ok(Some(way))
    }
}
