//! Lays out the locations of a body, and their control.

use super::{Builder, Label};
use crate::code::{ChooseTable, Op, Operand, Passing, SwitchTable};
use crate::domain::Domain;
use quod_base::Id;
use quod_model::ir::*;
use rustc_hash::FxHashSet;

/// How many ways lead to each location.
pub(super) fn predecessors(body: &Body) -> Vec<u32> {
    let mut counts = vec![0u32; body.locations.len()];
    let mut count = |location: LocationId| counts[location.index()] += 1;
    for location in body.locations.iter() {
        match &location.control {
            Control::Step { next, .. } | Control::Goto(next) => count(*next),
            Control::When { next, .. } => count(*next),
            Control::Branch { then, otherwise, .. } => {
                count(*then);
                count(*otherwise);
            }
            Control::Switch { cases, default, .. } => {
                cases.iter().for_each(|case| count(case.target));
                count(*default);
            }
            Control::Choose { alternatives, default } => {
                // Alternatives are probed: they begin anew.
                for &alternative in alternatives.iter().chain(default) {
                    count(alternative);
                    count(alternative);
                }
            }
            Control::ComputedGoto(_) | Control::Return(_) | Control::Unreachable => {}
        }
    }
    for &location in body.labels.iter() {
        counts[location.index()] += 2;
    }
    if let Some(first) = counts.first_mut() {
        *first += 1;
    }
    counts
}

pub(super) fn entered_scopes(body: &Body) -> FxHashSet<ScopeId> {
    body.locations
        .iter()
        .filter_map(|location| match location.control {
            Control::Step { step: Step::Enter(scope), .. } => Some(scope),
            _ => None,
        })
        .collect()
}

/// Behind a guard, or what is none, another one may stand before anything is done.
fn is_outer_guard(program: &Program, body: &Body, control: &Control) -> bool {
    match control {
        Control::Choose { .. } => true,
        Control::When { next, .. } | Control::Step { step: Step::AtomicBegin { .. } | Step::Enter(_), next } => {
            begins_guarded(program, body, *next)
        }
        Control::Step { step: Step::Call(call), .. } => match call.callee {
            Callee::Direct(function) if program.functions[function].is_atomic => {
                let callee = program.functions[function].body.as_ref();
                callee.is_some_and(|body| begins_guarded(program, body, LocationId::from_index(0)))
            }
            _ => false,
        },
        _ => false,
    }
}

fn begins_guarded(program: &Program, body: &Body, mut at: LocationId) -> bool {
    for _ in 0..body.locations.len() {
        match &body.locations[at].control {
            Control::When { .. } | Control::Choose { .. } => return true,
            Control::Goto(next) | Control::Step { step: Step::AtomicBegin { .. } | Step::Enter(_), next } => at = *next,
            // One of CIVL-C's own may wait.
            Control::Step { step: Step::Call(Call { callee: Callee::Direct(function), .. }), .. } => {
                return program.functions[*function].name.as_str().starts_with('$');
            }
            _ => return false,
        }
    }
    false
}

impl SwitchTable {
    /// A table for cases that are near each other.
    pub(super) fn make_dense(&mut self) {
        self.cases.sort_by_key(|case| case.0);
        let (Some(first), Some(last)) = (self.cases.first(), self.cases.last()) else { return };
        let (low, high) = (first.0, last.1);
        let Some(width) = high.checked_sub(low).filter(|&width| (0..4096).contains(&width)) else { return };
        let mut targets = vec![self.default; width as usize + 1];
        for &(from, to, target) in &self.cases {
            for value in from..=to {
                targets[(value - low) as usize] = target;
            }
        }
        self.dense = Some((low, targets));
    }
}

impl<D: Domain> Builder<'_, D> {
    pub(super) fn lay_out(&mut self) {
        if self.body.locations.is_empty() {
            self.emit(Op::Return { value: None });
            return;
        }
        let mut waiting: Vec<LocationId> = self.body.labels.iter().copied().collect();
        waiting.push(LocationId::from_index(0));
        while let Some(mut location) = waiting.pop() {
            if self.labels[location.index()].is_some() {
                continue;
            }
            self.forget();
            loop {
                self.place_label(location.index() as Label);
                match self.location(location, &mut waiting) {
                    Some(next) if self.labels[next.index()].is_none() => location = next,
                    Some(next) => {
                        self.emit(Op::Jump { target: next.index() as Label });
                        break;
                    }
                    None => break,
                }
            }
        }
        self.lay_out_failures();
    }

    /// Begins a new move: temporaries hold nothing any more.
    fn forget(&mut self) {
        self.known.clear();
        self.known_order.clear();
        self.done.clear();
        self.results.clear();
        self.next_temporary = self.first_temporary;
        self.is_start = true;
    }

    /// Emits one location; the successor that should follow directly.
    fn location(&mut self, id: LocationId, waiting: &mut Vec<LocationId>) -> Option<LocationId> {
        let location = &self.body.locations[id];
        self.location = id.index() as u32;
        if is_outer_guard(self.program, self.body, &location.control) {
            self.code.guards.push(self.code.ops.len() as u32);
        }
        match &location.control {
            Control::Step { step, next } => {
                self.step(step);
                let is_shared = matches!(step, Step::Check(_)) && self.predecessors[next.index()] == 1;
                if !is_shared {
                    self.forget();
                }
                Some(*next)
            }
            Control::Goto(next) => {
                if self.predecessors[next.index()] != 1 {
                    self.forget();
                }
                Some(*next)
            }
            Control::Branch { condition, then, otherwise, .. } => {
                self.branch(*condition, otherwise.index() as Label);
                waiting.push(*otherwise);
                self.forget();
                Some(*then)
            }
            Control::Switch { value, cases, default, .. } => {
                let scalar = self.expr_scalar(*value);
                let value = self.expr(*value);
                let table = SwitchTable {
                    cases: cases.iter().map(|case| (case.low, case.high, case.target.index() as Label)).collect(),
                    default: default.index() as Label,
                    dense: None,
                };
                self.code.switches.push(table);
                let table = self.code.switches.len() as u32 - 1;
                self.emit(Op::Switch { scalar, value, table });
                waiting.extend(cases.iter().rev().map(|case| case.target));
                waiting.push(*default);
                self.forget();
                None
            }
            Control::ComputedGoto(value) => {
                let value = self.expr(*value);
                self.emit(Op::ComputedJump { value });
                None
            }
            Control::When { guard, checks, next } => {
                // A guard is evaluated anew each time, so its run begins here.
                self.forget();
                checks.iter().for_each(|check| self.check(check));
                let scalar = self.expr_scalar(*guard);
                let condition = self.expr(*guard);
                self.emit(Op::When { scalar, condition, start: id.index() as Label });
                self.forget();
                Some(*next)
            }
            Control::Choose { alternatives, default } => {
                self.code.chooses.push(ChooseTable {
                    alternatives: alternatives.iter().map(|location| location.index() as Label).collect(),
                    default: default.map(|location| location.index() as Label),
                    start: id.index() as Label,
                });
                let table = self.code.chooses.len() as u32 - 1;
                self.emit(Op::Choose { table });
                waiting.extend(alternatives.iter().chain(default));
                self.forget();
                None
            }
            Control::Return(value) => {
                self.return_value(*value);
                None
            }
            Control::Unreachable => {
                self.emit(Op::Unreachable);
                None
            }
        }
    }

    fn return_value(&mut self, value: Option<ExprId>) {
        let Some(value) = value else {
            self.emit(Op::Return { value: None });
            return;
        };
        match self.passing(self.body.exprs[value].ty) {
            Some(Passing::Scalar(_)) => {
                let value = self.expr(value);
                self.emit(Op::Return { value: Some(value) });
            }
            Some(Passing::Aggregate { size, .. }) => {
                let from: Operand = self.aggregate_address(value);
                self.emit(Op::ReturnAggregate { from, size });
            }
            None => {
                self.emit(Op::Return { value: None });
            }
        }
    }
}
