//! What the solver is asked: is this way possible, and for which values?

use super::item::{Item, Trail};
use super::{CONJUNCT, Explorer, MOST_UNCONFIRMED, QUESTION};
use crate::engine::Outcome;
use crate::replay::{self, Evidence, Schedule};
use quod_base::Span;
use quod_exec::fault::Fault;
use quod_exec::symbolic::Memory;
use quod_solver::{Answer, Model};
use quod_term::Term;
use quod_verdict::{CheckKind, Reason};
use std::rc::Rc;

/// Whether a condition can hold on a path.
pub(super) enum Possible {
    Yes(Rc<Model>),
    /// Nobody knows.
    Maybe,
    No,
}

/// What each conflict of a question that stays open counts as, in operations.
const CONFLICT: u64 = 30;

/// Values of one number that are looked at in each round, times the bound, and at most.
const VALUES: u64 = 2;
const MOST_VALUES: u64 = 64;

impl Explorer<'_, '_> {
    fn holds_in(&self, condition: Term, model: &Model) -> bool {
        let value = quod_term::evaluate(&self.machine.domain.pool, condition, model);
        value.and_then(|value| value.as_bool()) == Some(true)
    }

    /// Can the condition hold where the item is?
    pub(super) fn is_possible(&mut self, item: &Item, condition: Term) -> Possible {
        let pool = &self.machine.domain.pool;
        if condition == pool.false_() || item.state.memory.decision(condition) == Some(false) {
            return Possible::No;
        }
        if let Some(model) = &item.model
            && self.holds_in(condition, model)
        {
            return Possible::Yes(model.clone());
        }
        let mut terms: Vec<Term> = item.state.memory.path_condition().collect();
        terms.push(condition);
        self.check(&terms)
    }

    pub(super) fn check(&mut self, terms: &[Term]) -> Possible {
        self.queries += 1;
        self.asked += QUESTION + CONJUNCT * terms.len() as u64;
        match self.solver.check(terms) {
            Answer::Sat(model) => Possible::Yes(Rc::new(model)),
            Answer::Unsat(_) => Possible::No,
            Answer::Unknown(_) => {
                self.has_given_up = true;
                self.asked = self.asked.saturating_add(self.effort.conflicts.saturating_mul(CONFLICT));
                Possible::Maybe
            }
        }
    }

    /// The item under a condition, if that is possible. Where nobody knows it goes on: that looks at too much, not too
    /// little.
    pub(super) fn under(&mut self, item: &Item, condition: Term) -> Option<Item> {
        let (model, is_sure) = match self.is_possible(item, condition) {
            Possible::Yes(model) => (Some(model), item.is_sure),
            Possible::Maybe => (None, false),
            Possible::No => return None,
        };
        let mut state = item.state.clone();
        if state.memory.decision(condition) != Some(true) {
            self.machine.domain.assume(&mut state.memory, condition);
        }
        let mut item = item.with_state(state);
        item.model = model;
        item.is_sure = is_sure;
        Some(item)
    }

    /// Goes on with some values that a term can have, small ones first; with the others when the bound has grown.
    pub(super) fn some_values(&mut self, item: &Item, term: Term) {
        let pool = self.machine.domain.pool.clone();
        let mut rest = item.clone();
        let count = (self.bound * VALUES).min(MOST_VALUES) as usize;
        for place in 0..count {
            // Small numbers are more interesting than large ones.
            let small = match pool.sort(term).width() {
                Some(width) if place < count / 2 => pool.bv_ule(term, pool.bv(width, 2 * count as u64)),
                _ => pool.true_(),
            };
            let mut model = self.is_possible(&rest, small);
            if matches!(model, Possible::No) && small != pool.true_() {
                model = self.is_possible(&rest, pool.true_());
            }
            let model = match model {
                Possible::Yes(model) => model,
                Possible::No => return,
                Possible::Maybe => {
                    return self
                        .unsupported(item, "a number that must be known here and that the solver does not find");
                }
            };
            let Some(value) = quod_term::evaluate(&pool, term, &model) else {
                return self.unsupported(item, "a number that must be known here");
            };
            let condition = pool.eq(term, pool.constant(value));
            let Some(next) = self.under(&rest, condition) else { return };
            self.put(next);
            let Some(others) = self.under(&rest, pool.not(condition)) else { return };
            rest = others;
            if self.options.cancel.is_cancelled() {
                return;
            }
        }
        self.aside.push(rest);
    }

    /// Something is wrong where the item is, if the condition holds: believed when it replays.
    pub(super) fn violation(&mut self, item: &Item, condition: Option<Term>, fault: &Fault, span: Span) {
        if self.outcome.is_some() {
            return;
        }
        let condition = condition.unwrap_or_else(|| self.machine.domain.pool.true_());
        let model = match self.is_possible(item, condition) {
            Possible::No => return,
            Possible::Yes(model) => model,
            Possible::Maybe => {
                let reason = Reason::SolverGaveUp { solver: "embedded".into(), why: "a violation is possible".into() };
                return self.doubt(reason, span, None);
            }
        };
        let is_tried = self.unconfirmed >= MOST_UNCONFIRMED;
        if !is_tried && self.confirm(item, &model, fault.kind) {
            return;
        }
        // Variables that were never set hold zero on the machine that replays.
        if !is_tried
            && let Some(model) = self.with_zeros(&item.state.memory, condition)
            && self.confirm(item, &model, fault.kind)
        {
            return;
        }
        self.unconfirmed += 1;
        let reason = Reason::PossibleViolation { kind: fault.kind.word().into() };
        if self.slice.is_some() {
            // The whole program knows better.
            self.outcome = Some(Outcome::Unknown { reason, span, diagnostic: None });
            return;
        }
        self.doubt(reason, span, Some(fault.clone().into_diagnostic(span)));
    }

    pub(super) fn violated(
        &mut self,
        kind: CheckKind,
        diagnostic: quod_diag::Diagnostic,
        schedule: Schedule,
        evidence: Evidence,
    ) {
        let (certainty, evidence) = (crate::engine::Certainty::Concrete, Box::new(evidence));
        self.outcome = Some(Outcome::Violated { kind, certainty, diagnostic, schedule, evidence, others: Vec::new() });
    }

    fn confirm(&mut self, item: &Item, model: &Model, kind: CheckKind) -> bool {
        let inputs: Vec<_> = item.state.memory.inputs().cloned().collect();
        let schedule = Schedule::new(&self.solver, &Self::steps(&item.choices), &inputs, model);
        let schedule = match self.slice {
            None => schedule,
            Some(slice) => match replay::complete(&slice.original, self.options, &schedule, kind) {
                Some(schedule) => schedule,
                None => return false,
            },
        };
        match replay::confirm(self.program, self.options, &schedule, kind) {
            Some((diagnostic, evidence)) => {
                self.violated(kind, diagnostic, schedule, evidence);
                true
            }
            None => false,
        }
    }

    /// Values in which everything that no one has set is zero.
    fn with_zeros(&mut self, memory: &Memory, condition: Term) -> Option<Rc<Model>> {
        let pool = self.machine.domain.pool.clone();
        let mut terms: Vec<Term> = memory.path_condition().collect();
        terms.push(condition);
        let is_undefined =
            |symbol: &Term| pool.symbol_name(*symbol).is_some_and(|name| name.as_str().starts_with("undefined!"));
        let undefined: Vec<Term> = pool.free_symbols(&terms).into_iter().filter(is_undefined).collect();
        if undefined.is_empty() {
            return None;
        }
        for symbol in undefined.into_iter().filter(|&symbol| pool.sort(symbol).is_bit_vec()) {
            terms.push(pool.eq(symbol, pool.bv(pool.width(symbol), 0)));
        }
        match self.check(&terms) {
            Possible::Yes(model) => Some(model),
            _ => None,
        }
    }

    /// Has no equal state been gone on with? Keeps it then.
    pub(super) fn is_new(&mut self, item: &mut Item) -> bool {
        if !item.is_sure {
            return true;
        }
        let is_live = crate::held::live(&mut self.machine, &item.state, 0);
        let Some(mut state) = self.machine.domain.canonical(&item.state, &is_live, &mut self.symbols_of) else {
            return true;
        };
        // Free choices are not in the state, but a replay needs them.
        if !item.choices.is_empty() {
            state.0 ^= item.choices.len() as u128;
        }
        let is_known = !self.seen.insert(state);
        if self.asks(CheckKind::Termination) {
            self.edges.extend(item.last.iter().map(|&before| (before, state)));
            if is_known {
                self.look_for_lasso(item, state);
            }
            item.last = vec![state];
            item.trail = Some(Rc::new(Trail { state, before: item.trail.take() }));
        }
        if is_known {
            self.matches += 1;
            self.look_for_lost(item);
        } else {
            self.states += 1;
        }
        !is_known
    }

    /// The state comes after itself: does the program run for ever with these values?
    fn look_for_lasso(&mut self, item: &Item, state: quod_base::Fingerprint) {
        let mut at = item.trail.as_ref();
        while let Some(trail) = at {
            if trail.state == state {
                break;
            }
            at = trail.before.as_ref();
        }
        if at.is_none() || self.outcome.is_some() || self.unconfirmed >= MOST_UNCONFIRMED {
            return;
        }
        let model = match &item.model {
            Some(model) => model.clone(),
            None => {
                let terms: Vec<Term> = item.state.memory.path_condition().collect();
                match self.check(&terms) {
                    Possible::Yes(model) => model,
                    _ => return,
                }
            }
        };
        let inputs: Vec<_> = item.state.memory.inputs().cloned().collect();
        let schedule = Schedule::new(&self.solver, &Self::steps(&item.choices), &inputs, &model);
        match crate::lasso::confirm(self.program, self.options.kinds, &schedule) {
            Some((diagnostic, evidence)) => self.violated(CheckKind::Termination, diagnostic, schedule, evidence),
            None => self.unconfirmed += 1,
        }
    }
}
