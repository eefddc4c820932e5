//! Where a state stands, and which of its registers matter.

use super::item::{Around, Item};
use super::{Explorer, Policy};
use quod_exec::machine::Machine;
use quod_exec::state::State;
use quod_exec::symbolic::SymbolicDomain;

/// Rounds that a loop may make whose way is never open, for each round that others may.
const CLOSED_ROUNDS: u64 = 2_000;
/// Visits of a head from which it is asked whether the loop need never be left.
const EARLY: u64 = 2;
/// Frames beyond this many times the bound wait.
const DEEP: u64 = 16;

/// The place in the program's order: calls inside are before what follows them.
pub(crate) fn place(machine: &mut Machine<'_, SymbolicDomain>, state: &State<SymbolicDomain>) -> Vec<u32> {
    let frames = &state.processes[0].frames;
    let mut place = Vec::with_capacity(frames.len());
    for (index, frame) in frames.iter().enumerate() {
        let is_top = index + 1 == frames.len();
        let order = match machine.code(frame.function) {
            Some(code) if frame.native.is_none() => {
                let at = if is_top { frame.pc } else { frame.pc.saturating_sub(1) };
                code.flow().order.get(at as usize).copied().unwrap_or(0).saturating_mul(2)
            }
            _ => 0,
        };
        place.push(order + u32::from(!is_top));
    }
    place
}

impl Explorer<'_, '_> {
    pub(super) fn put(&mut self, item: Item) {
        let is_joined = self.policy == Policy::Merge;
        let place = if is_joined { place(&mut self.machine, &item.state) } else { Vec::new() };
        self.waiting.entry(place).or_default().push(item);
    }

    /// Waits apart from others at its place, with which it could not be joined; it goes on before they do.
    pub(super) fn put_apart(&mut self, mut item: Item) {
        item.is_apart = true;
        self.put(item);
    }

    /// The process stands where ways meet. Gives the item back where it goes on now.
    pub(super) fn at_join(&mut self, mut item: Item) -> Option<Item> {
        let process = &item.state.processes[0];
        let depth = process.frames.len();
        let Some(frame) = process.frames.last() else { return Some(item) };
        let (function, pc) = (frame.function, frame.pc);
        let Some(code) = self.machine.code(function) else { return Some(item) };
        let flow = code.flow();
        let at = flow.order.get(pc as usize).copied().unwrap_or(0);
        let is_inside = |head: u32| {
            let start = flow.order.get(head as usize).copied().unwrap_or(0);
            flow.ends.get(head as usize).copied().flatten().is_some_and(|end| start <= at && at < end)
        };
        item.around.retain(|around| around.depth < depth || around.depth == depth && is_inside(around.head));
        let is_deep = depth as u64 > self.bound * DEEP;
        if flow.ends.get(pc as usize).copied().flatten().is_none() {
            if is_deep {
                self.aside.push(item);
                return None;
            }
            return match self.policy {
                Policy::Fork => Some(item),
                Policy::Merge => {
                    self.put(item);
                    None
                }
            };
        }
        let forks = item.forks;
        let found = item.around.iter_mut().find(|around| around.depth == depth && around.head == pc);
        let (visits, is_beyond, is_open) = match found {
            Some(around) => {
                let is_open = around.forks != forks;
                around.visits += 1;
                around.points += if is_open { CLOSED_ROUNDS } else { 1 };
                around.forks = forks;
                (around.visits, around.points > self.bound * CLOSED_ROUNDS, is_open)
            }
            None => {
                item.around.push(Around { depth, head: pc, visits: 1, points: 0, forks });
                (1, false, true)
            }
        };
        // What a first round sets up, later ones may keep.
        let is_early = visits <= EARLY && self.policy == Policy::Fork;
        if is_early && self.asks(quod_verdict::CheckKind::Termination) {
            self.look_for_recurrence(&item);
            if self.outcome.is_some() {
                return None;
            }
        }
        // Loops that run on known values are looked at now and then.
        let is_time = is_open || visits < 16 || visits - (1 << visits.ilog2()) < 16;
        if self.policy == Policy::Fork && is_time && !self.is_new(&mut item) {
            return None;
        }
        if is_beyond || is_deep {
            self.aside.push(item);
            return None;
        }
        if self.policy == Policy::Fork {
            return Some(item);
        }
        self.put(item);
        None
    }
}
