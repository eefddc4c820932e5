//! The embedded decider: terms become circuits and linear atoms of one incremental search.
//!
//! Each term is translated once. Booleans are literals, bit-vectors, floats, rounding modes and elements of
//! uninterpreted sorts are words, integers and reals are linear combinations. Applications of uninterpreted functions,
//! reads of arrays and products of unknowns start out free; when the search has found an assignment, the laws that it
//! breaks (congruence, read over write, extensionality, linearisation) are added as clauses and the search goes on:
//! *lemmas on demand*. Only clauses that hold in every model are ever added, so everything is kept between queries.

mod arithmetic;
mod arrays;
mod bitvec;
mod floats;
mod functions;
mod hard;
mod model;
mod nonlinear;
mod repr;
mod translate;

pub use repr::Repr;

use crate::answer::{Answer, Reason};
use crate::arith::Arith;
use crate::bits::{Builder, Gates, Word};
use crate::sat::{Cancel, Limits, Lit, NoTheory, Outcome, Sat};
use quod_term::{Sort, Term, TermPool};
use repr::{Linear, Table};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What the embedded decider cannot read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

#[derive(Clone, Copy, Debug, Default)]
pub struct EmbeddedStatistics {
    pub queries: u64,
    pub lemmas: u64,
    pub handed_over: u64,
    pub rejected_models: u64,
    /// How often old queries were forgotten.
    pub restarts: u64,
}

/// How far one query may go.
#[derive(Clone, Debug)]
pub struct EmbeddedLimits {
    pub sat: Limits,
    /// Rounds of lemmas on demand.
    pub rounds: u32,
    /// Conflicts after which a query without arithmetic is moved to a solver of its own.
    pub hand_over: u64,
}

impl Default for EmbeddedLimits {
    fn default() -> Self {
        Self { sat: Limits::default(), rounds: 2000, hand_over: 3000 }
    }
}

/// An incremental decider of quantifier-free terms.
pub struct Embedded {
    pub(crate) pool: Arc<TermPool>,
    pub(crate) sat: Sat,
    pub(crate) gates: Gates,
    pub(crate) arith: Arith,
    pub(crate) table: Table,
    pub(crate) functions: functions::Functions,
    pub(crate) arrays: arrays::Arrays,
    pub(crate) nonlinear: nonlinear::Nonlinear,
    /// Free symbols that were translated.
    pub(crate) symbols: Vec<Term>,
    /// Roots that hold in every query.
    permanent: Vec<Lit>,
    permanent_terms: Vec<Term>,
    pub statistics: EmbeddedStatistics,
    has_arithmetic: bool,
    /// Variables that the last search had to decide.
    cone_size: usize,
    /// Numbers that had a bound in the last search.
    bounded_variables: usize,
    /// The last query stopped at the hand-over, not at its limits.
    was_cut_short: bool,
    arith_hubs: FxHashMap<crate::arith::ArithVar, crate::sat::Var>,
    floors: FxHashMap<(crate::arith::Linear, quod_base::Rational), Linear>,
    bit_variables: FxHashMap<Lit, crate::arith::ArithVar>,
    /// Sums of bit-vectors by what they add.
    sums: FxHashMap<Box<[Term]>, crate::bits::Word>,
    /// What the infinitesimal stands for in the model that is being built.
    delta: quod_base::Rational,
    /// A model found by another solver, by variable.
    foreign_model: Option<Vec<bool>>,
}

impl Embedded {
    pub fn new(pool: Arc<TermPool>) -> Self {
        let mut sat = Sat::default();
        let gates = Gates::new(&mut sat);
        let mut arith = Arith::default();
        arith.branch_limit = 20_000;
        Self {
            pool,
            sat,
            gates,
            arith,
            table: Table::default(),
            functions: functions::Functions::default(),
            arrays: arrays::Arrays::default(),
            nonlinear: nonlinear::Nonlinear::default(),
            symbols: Vec::new(),
            permanent: Vec::new(),
            permanent_terms: Vec::new(),
            statistics: EmbeddedStatistics::default(),
            has_arithmetic: false,
            was_cut_short: false,
            cone_size: 0,
            bounded_variables: 0,
            arith_hubs: FxHashMap::default(),
            floors: FxHashMap::default(),
            bit_variables: FxHashMap::default(),
            sums: FxHashMap::default(),
            delta: quod_base::Rational::ONE,
            foreign_model: None,
        }
    }

    /// Set this from another thread to end a check soon.
    pub fn cancel_handle(&self) -> Cancel {
        self.sat.cancel.clone()
    }
    pub fn set_cancel(&mut self, cancel: Cancel) {
        self.sat.cancel = cancel;
    }

    /// Whether the last query would go on in a solver of its own.
    pub fn was_cut_short(&self) -> bool {
        self.was_cut_short
    }

    pub(crate) fn builder(&mut self) -> Builder<'_> {
        Builder { sat: &mut self.sat, gates: &mut self.gates }
    }

    /// The term holds in all later queries. Cheaper than an assumption when it is never taken back.
    pub fn assert_permanently(&mut self, term: Term) -> Result<(), Unsupported> {
        let mut conjuncts = Vec::new();
        self.flatten(term, &mut conjuncts);
        for conjunct in conjuncts {
            let literal = self.translate_bool(conjunct)?;
            self.sat.add_clause(&[literal]);
            self.permanent.push(literal);
        }
        self.permanent_terms.push(term);
        Ok(())
    }

    fn flatten(&self, term: Term, into: &mut Vec<Term>) {
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            if self.pool.op(term) == quod_term::Op::And {
                work.extend(self.pool.args(term).iter().rev());
            } else {
                into.push(term);
            }
        }
    }

    /// Starts anew when most of what was translated belongs to old queries: gates that a query does not need are not
    /// decided, but inputs that they share with it still propagate into them.
    fn forget_old_queries(&mut self) {
        let has_old_rows = self.arith.simplex.variables() > 4 * self.bounded_variables + 60;
        if self.sat.variables() < 3 * self.cone_size + 600 && !has_old_rows {
            return;
        }
        let mut fresh = Self::new(self.pool.clone());
        fresh.set_cancel(self.sat.cancel.clone());
        fresh.arith.branch_limit = self.arith.branch_limit;
        fresh.statistics = self.statistics;
        fresh.statistics.restarts += 1;
        for &term in &self.permanent_terms {
            if fresh.assert_permanently(term).is_err() {
                return;
            }
        }
        *self = fresh;
    }

    /// Whether the assumptions can hold together. The core of an unsatisfiable answer lists some of them.
    pub fn check(&mut self, assumptions: &[Term], limits: &EmbeddedLimits) -> Answer {
        self.forget_old_queries();
        self.statistics.queries += 1;
        self.foreign_model = None;
        self.was_cut_short = false;
        self.sat.deadline = limits.sat.deadline;
        if self.sat.is_interrupted {
            let answer = self.interrupted();
            if self.sat.is_interrupted {
                return answer;
            }
            self.sat.deadline = limits.sat.deadline;
        }
        let mut literals: Vec<Lit> = Vec::with_capacity(assumptions.len());
        let mut sources: FxHashMap<Lit, Term> = FxHashMap::default();
        let mut conjuncts = Vec::new();
        for &assumption in assumptions {
            conjuncts.clear();
            self.flatten(assumption, &mut conjuncts);
            for &conjunct in &conjuncts {
                match self.translate_bool(conjunct) {
                    Ok(literal) => {
                        if sources.insert(literal, assumption).is_none() && literal != self.gates.truth() {
                            literals.push(literal);
                        }
                    }
                    Err(_) if self.sat.is_interrupted => return self.interrupted(),
                    Err(Unsupported(what)) => return Answer::Unknown(Reason::Unsupported(what)),
                }
            }
        }
        self.arith.reset_budget();
        self.reset_nonlinear();
        for _ in 0..limits.rounds {
            match self.search(&literals, limits) {
                Outcome::Unknown => {
                    let reason = if self.sat.cancel.is_cancelled() { Reason::Cancelled } else { Reason::Budget };
                    return Answer::Unknown(reason);
                }
                Outcome::Unsat => {
                    let mut core: Vec<Term> = self
                        .sat
                        .failed_assumptions()
                        .iter()
                        .filter_map(|literal| sources.get(literal).copied())
                        .collect();
                    core.sort_unstable();
                    core.dedup();
                    return Answer::Unsat(core);
                }
                Outcome::Sat => match self.refine() {
                    Ok(0) => return self.accept_model(assumptions),
                    Ok(count) => self.statistics.lemmas += count as u64,
                    Err(_) if self.sat.is_interrupted => return self.interrupted(),
                    Err(reason) => return Answer::Unknown(reason),
                },
            }
        }
        Answer::Unknown(Reason::Budget)
    }

    /// Circuits were left unfinished: they are of no use to later queries. With facts that hold for ever there is no
    /// starting anew within the limits of one query.
    fn interrupted(&mut self) -> Answer {
        let reason = if self.sat.cancel.is_cancelled() { Reason::Cancelled } else { Reason::Budget };
        if self.permanent_terms.is_empty() {
            let mut fresh = Self::new(self.pool.clone());
            fresh.set_cancel(self.sat.cancel.clone());
            fresh.arith.branch_limit = self.arith.branch_limit;
            fresh.statistics = self.statistics;
            fresh.statistics.restarts += 1;
            *self = fresh;
        }
        Answer::Unknown(reason)
    }

    fn search(&mut self, assumptions: &[Lit], limits: &EmbeddedLimits) -> Outcome {
        self.foreign_model = None;
        let Self { sat, gates, arith, permanent, cone_size, .. } = self;
        *cone_size = 0;
        let mut relevant = |add: &mut dyn FnMut(crate::sat::Var)| {
            gates.cone(assumptions.iter().chain(permanent.iter()).copied(), |var| {
                *cone_size += 1;
                add(var);
            });
        };
        let mut first = limits.sat.clone();
        first.conflicts = first.conflicts.min(limits.hand_over);
        if self.has_arithmetic {
            arith.simplex.cancel = sat.cancel.clone();
            arith.simplex.deadline = limits.sat.deadline;
            let outcome = sat.solve(assumptions, &mut relevant, arith, &first);
            self.bounded_variables = arith.simplex.bounded_variables();
            self.was_cut_short = outcome == Outcome::Unknown && limits.sat.conflicts > limits.hand_over;
            return outcome;
        }
        let outcome = sat.solve(assumptions, &mut relevant, &mut NoTheory, &first);
        if outcome != Outcome::Unknown || sat.cancel.is_cancelled() || limits.sat.conflicts <= limits.hand_over {
            return outcome;
        }
        self.statistics.handed_over += 1;
        self.search_hard(assumptions, &limits.sat)
    }

    /// The laws that the present assignment breaks, added as clauses: their number.
    fn refine(&mut self) -> Result<usize, Reason> {
        let mut count = self.refine_functions()?;
        count += self.refine_arrays()?;
        if count == 0 {
            count += self.refine_nonlinear()?;
        }
        Ok(count)
    }

    /// A clause that holds in every model. Whenever `hub` counts in a query, so do the clause's literals: atoms of
    /// arithmetic get their values by decision only.
    pub(crate) fn add_lemma(&mut self, hub: crate::sat::Var, clause: &[Lit]) {
        self.sat.add_clause(clause);
        for &literal in clause {
            self.gates.add_dependency(hub, literal);
        }
    }

    fn accept_model(&mut self, assumptions: &[Term]) -> Answer {
        let Some(model) = self.build_model() else {
            return Answer::Unknown(Reason::Internal("no model could be built".into()));
        };
        for &term in assumptions.iter().chain(&self.permanent_terms) {
            match quod_term::evaluate(&self.pool, term, &model).and_then(|value| value.as_bool()) {
                Some(true) => {}
                Some(false) => {
                    self.statistics.rejected_models += 1;
                    return Answer::Unknown(Reason::Internal("a model did not evaluate to true".into()));
                }
                None => return Answer::Unknown(Reason::Internal("a model could not be evaluated".into())),
            }
        }
        Answer::Sat(model)
    }

    pub(crate) fn model_literal(&self, literal: Lit) -> bool {
        match &self.foreign_model {
            Some(model) => model.get(literal.var().0 as usize).copied().unwrap_or(false) == literal.is_positive(),
            None => self.sat.model(literal).unwrap_or(false),
        }
    }

    /// The literal of `a = b` for terms of one sort.
    pub(crate) fn equality(&mut self, a: Term, b: Term) -> Result<Lit, Unsupported> {
        if a == b {
            return Ok(self.gates.truth());
        }
        let (a_repr, b_repr) = (self.translate(a)?, self.translate(b)?);
        match (a_repr, b_repr) {
            (Repr::Bool(x), Repr::Bool(y)) => Ok(self.builder().iff(x, y)),
            (Repr::Word(x), Repr::Word(y)) => {
                let (x, y) = (self.table.word(x).to_vec(), self.table.word(y).to_vec());
                Ok(self.builder().word_eq(&x, &y))
            }
            (Repr::Linear(x), Repr::Linear(y)) => {
                let difference = self.table.linear(x).minus(self.table.linear(y));
                Ok(self.linear_is_zero(&difference))
            }
            (Repr::Array(_), Repr::Array(_)) => self.array_equality(a, b),
            _ => Err(Unsupported("equality of these sorts".into())),
        }
    }

    pub(crate) fn word_of(&mut self, term: Term) -> Result<Word, Unsupported> {
        match self.translate(term)? {
            Repr::Word(range) => Ok(self.table.word(range).to_vec()),
            _ => Err(Unsupported(format!("a word was expected, not {:?}", self.pool.sort(term)))),
        }
    }
    pub(crate) fn linear_of(&mut self, term: Term) -> Result<Linear, Unsupported> {
        match self.translate(term)? {
            Repr::Linear(index) => Ok(self.table.linear(index).clone()),
            _ => Err(Unsupported(format!("a number was expected, not {:?}", self.pool.sort(term)))),
        }
    }
    pub(crate) fn bool_of(&mut self, term: Term) -> Result<Lit, Unsupported> {
        match self.translate(term)? {
            Repr::Bool(literal) => Ok(literal),
            _ => Err(Unsupported("a Boolean was expected".into())),
        }
    }
    pub(crate) fn sort_of(&self, term: Term) -> Sort {
        self.pool.sort(term)
    }
}
