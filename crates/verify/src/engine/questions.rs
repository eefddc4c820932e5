//! Questions to the solver: which ways are possible, which values, and what is left in doubt.

use super::{Engine, SearchState, Violation};
use quod_base::Span;
use quod_diag::Diagnostic;
use quod_exec::fault::Fault;
use quod_exec::symbolic::Memory;
use quod_solver::{Answer, Model};
use quod_term::Term;
use quod_verdict::{CheckKind, Reason};

/// Values of one number, or ways of one choice, that are looked at; more is "unknown".
pub(super) const MOST_VALUES: usize = 1 << 12;

/// A number that can be larger is not looked at value by value.
const FAR: i64 = 1 << 15;

pub(super) enum Feasible {
    Yes(Option<Model>),
    No,
}

impl Engine<'_> {
    pub(super) fn feasible(&mut self, memory: &Memory, more: Option<Term>) -> Feasible {
        let mut terms: Vec<Term> = memory.path_condition().collect();
        terms.extend(more);
        if terms.is_empty() {
            return Feasible::Yes(Some(Model::default()));
        }
        match self.ask(&terms) {
            Answer::Sat(model) => Feasible::Yes(Some(model)),
            Answer::Unsat(_) => Feasible::No,
            Answer::Unknown(reason) => {
                let reason = Reason::SolverGaveUp { solver: "embedded".into(), why: reason.to_string() };
                self.doubt(reason, Span::NONE, None);
                Feasible::Yes(None)
            }
        }
    }

    /// Can these hold together?
    fn ask(&mut self, terms: &[Term]) -> Answer {
        self.queries += 1;
        if self.has_quantifiers || self.has_orders {
            let mut terms = self.grounded(terms);
            if self.has_orders {
                let laws = super::quantify::order_laws(&self.machine.domain.pool, &terms);
                terms.extend(laws);
            }
            return self.solver.check(&terms);
        }
        self.solver.check(terms)
    }

    /// The state under a condition, if it is possible.
    pub(super) fn under(&mut self, state: &SearchState, condition: Term) -> Option<SearchState> {
        match state.state.memory.decision(condition) {
            Some(true) => return Some(state.clone()),
            Some(false) => return None,
            None => {}
        }
        match self.feasible(&state.state.memory, Some(condition)) {
            Feasible::No => None,
            Feasible::Yes(_) => Some(self.assuming(state, condition)),
        }
    }

    pub(super) fn assuming(&self, state: &SearchState, condition: Term) -> SearchState {
        let mut state = state.clone();
        self.machine.domain.assume(&mut state.state.memory, condition);
        if let Some((symbol, constant)) = self.machine.domain.definition(condition) {
            self.machine.domain.eliminate(&mut state.state, symbol, constant);
        }
        state
    }

    pub(crate) fn violation(
        &mut self,
        state: &SearchState,
        condition: Option<Term>,
        fault: Box<Fault>,
        span: Span,
    ) -> Option<Violation> {
        match self.feasible(&state.state.memory, condition) {
            Feasible::Yes(Some(model)) => {
                let inputs = state.state.memory.inputs().cloned().collect();
                let is_exact = self.is_exact(&state.state.memory, condition);
                Some(Violation { fault, span, inputs, model, end: None, is_exact, race: None })
            }
            // The solver's doubt is recorded; without values there is nothing to replay.
            Feasible::Yes(None) | Feasible::No => None,
        }
    }

    /// The path and the condition are about nothing but inputs and `$abstract` functions.
    fn is_exact(&self, memory: &Memory, condition: Option<Term>) -> bool {
        let pool = &self.machine.domain.pool;
        let terms: Vec<Term> = memory.path_condition().chain(condition).collect();
        let is_abstract = |name: &str| name.starts_with(quod_exec::ABSTRACT);
        pool.free_symbols(&terms).iter().all(|symbol| memory.inputs().any(|input| input.term == *symbol))
            && pool.functions(&terms).iter().all(|function| is_abstract(function.name.as_str()))
    }

    /// All values that a term can have; none where there are too many or the solver gives up.
    pub(super) fn values(&mut self, state: &SearchState, term: Term) -> Option<Vec<Term>> {
        let pool = self.machine.domain.pool.clone();
        let mut terms: Vec<Term> = state.state.memory.path_condition().collect();
        let mut constants = Vec::new();
        if pool.sort(term) == quod_term::Sort::INT {
            // No need to count where there is no end, or a far one.
            let far = pool.or2(pool.gt(term, pool.int(FAR)), pool.lt(term, pool.int(-FAR)));
            if matches!(self.ask(&[terms.as_slice(), &[far]].concat()), Answer::Sat(_)) {
                return None;
            }
        }
        loop {
            match self.ask(&terms) {
                Answer::Unsat(_) => return Some(constants),
                Answer::Sat(model) if constants.len() < MOST_VALUES && !self.cancel.is_cancelled() => {
                    let value = quod_term::evaluate(&pool, term, &model)?;
                    let constant = pool.constant(value);
                    constants.push(constant);
                    terms.push(pool.not(pool.eq(term, constant)));
                }
                _ => return None,
            }
        }
    }

    /// Symbols of the term that the path condition leaves only one value get it.
    pub(super) fn settle(&mut self, mut state: SearchState, term: Term) -> SearchState {
        const MOST_SYMBOLS: usize = 4;
        let pool = self.machine.domain.pool.clone();
        let symbols = pool.free_symbols(&[term]);
        if pool.op(term) == quod_term::Op::Symbol || symbols.len() > MOST_SYMBOLS {
            return state;
        }
        for symbol in symbols {
            let path: Vec<Term> = state.state.memory.path_condition().collect();
            let Answer::Sat(model) = self.ask(&path) else { return state };
            let Some(value) = quod_term::evaluate(&pool, symbol, &model) else { return state };
            let equation = pool.eq(symbol, pool.constant(value));
            let other: Vec<Term> = path.into_iter().chain([pool.not(equation)]).collect();
            if matches!(self.ask(&other), Answer::Unsat(_)) {
                state = self.assuming(&state, equation);
            }
        }
        state
    }

    pub(crate) fn asks(&self, kind: CheckKind) -> bool {
        self.kinds.contains(kind)
    }

    pub(crate) fn doubt_count(&self) -> usize {
        self.doubt_total
    }

    pub(crate) fn doubt(&mut self, reason: Reason, span: Span, diagnostic: Option<Diagnostic>) {
        self.doubt_total += 1;
        self.is_stopped |= self.cancel.is_cancelled();
        if self.doubts.len() < 100 {
            self.doubts.push((reason, span, diagnostic));
        }
    }
}
