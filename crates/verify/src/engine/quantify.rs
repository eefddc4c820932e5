//! Quantifiers over ranges with too many values to go through them: `$forall (int i : 0 .. n-1) a[i] == 0` for any `n`.
//!
//! The body is executed once, for a symbol, on all of its paths; the disjunction of those that decide the quantifier goes
//! into a quantified term. The solver sees no quantifiers: a claim that something exists gets a witness, and what holds for
//! all values is used for those at which arrays of unknown length are read. That is less than the quantifier says, so what
//! is refuted is refuted; an execution that is found this way must still be replayed, as every other.

use super::questions::Feasible;
use super::{Engine, SearchState};
use quod_base::Id;
use quod_exec::domain::Truth;
use quod_exec::machine::Event;
use quod_exec::state::ProcessId;
use quod_exec::symbolic::Value;
use quod_exec::{ABSTRACT, ORDER, Quantifier, Tried};
use quod_term::{Function, Op, Sort, Term, TermPool};
use quod_verdict::Reason;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Ranges that are never longer are gone through.
const FEW: i64 = 32;
/// Paths of a body, and operations on them.
const MOST_STEPS: usize = 1 << 14;
/// Instances of what holds for all values, and rounds in which instances lead to further ones.
const MOST_INSTANCES: usize = 256;
const ROUNDS: usize = 3;
/// Values between which the laws of an order are stated.
const MOST_ORDERED: usize = 12;
/// How deep quantifiers are looked for in a condition.
const DEPTH: u32 = 64;

impl Engine<'_> {
    /// The state behind a quantifier that the process stands at, or in front of its loop; nothing where it is not understood.
    pub(super) fn quantify(&mut self, mut state: SearchState, process: ProcessId, site: u32) -> Option<SearchState> {
        let quantifier = self.machine.quantifier(&state.state, process, site)?;
        let pool = self.machine.domain.pool.clone();
        let limits = match &quantifier.limits {
            None => None,
            Some((Value::Number(low), Value::Number(high))) => {
                let is_long = pool.gt(pool.sub(*high, *low), pool.int(FEW));
                if matches!(self.feasible(&state.state.memory, Some(is_long)), Feasible::No) {
                    self.machine.loop_over(&mut state.state, process);
                    return Some(state);
                }
                Some((*low, *high))
            }
            Some(_) => {
                self.machine.loop_over(&mut state.state, process);
                return Some(state);
            }
        };
        self.has_quantifiers = true;
        let (function, pc) = quantifier.place;
        let name = format!("$bound!{}!{pc}!{}", function.index(), quantifier.depth);
        let bound = pool.symbol(name.as_str(), self.machine.domain.number_sort(quantifier.scalar));
        let range = limits.map_or(pool.true_(), |(low, high)| pool.and2(pool.ge(bound, low), pool.ge(high, bound)));
        let Some(deciding) = self.deciding(&state, process, &quantifier, bound, range) else {
            let what = match limits {
                Some(_) => "this quantifier over a range with too many values".into(),
                None => "this quantifier whose variable has no limits".into(),
            };
            let span = self.machine.span(&state.state, process);
            self.doubt(Reason::Unsupported { what }, span, None);
            return None;
        };
        let some = pool.or(&deciding);
        let term = if quantifier.is_forall {
            pool.forall(&[bound], pool.or2(pool.not(range), pool.not(some)), &[])
        } else {
            pool.exists(&[bound], pool.and2(range, some), &[])
        };
        let truth = match pool.value(term).and_then(quod_term::Value::as_bool) {
            Some(known) => Truth::Known(known),
            None => Truth::Unknown(term),
        };
        self.machine.conclude(&mut state.state, process, &quantifier, truth);
        Some(state)
    }

    /// The conditions of the paths through the body on which a value decides the quantifier.
    fn deciding(
        &mut self,
        state: &SearchState,
        process: ProcessId,
        quantifier: &Quantifier<Value>,
        bound: Term,
        range: Term,
    ) -> Option<Vec<Term>> {
        let mut start = state.clone();
        if matches!(self.feasible(&start.state.memory, Some(range)), Feasible::No) {
            return Some(Vec::new());
        }
        self.machine.domain.assume(&mut start.state.memory, range);
        let (known, fresh) = (start.state.memory.path_condition().count(), start.state.memory.fresh_count());
        self.machine.try_value(&mut start.state, process, quantifier, Value::Number(bound));
        let (mut work, mut found, mut steps) = (vec![start], Vec::new(), 0);
        while let Some(mut item) = work.pop() {
            steps += 1;
            if steps > MOST_STEPS || self.cancel.is_cancelled() || item.state.memory.fresh_count() != fresh {
                return None;
            }
            match self.machine.tried(&item.state, process, quantifier) {
                Tried::Undecided => continue,
                Tried::Decided => {
                    let more: Vec<Term> = item.state.memory.path_condition().skip(known).collect();
                    found.push(self.machine.domain.pool.and(&more));
                    continue;
                }
                Tried::Open => {}
            }
            match self.machine.run_process(&mut item.state, process, 1, true) {
                Event::Paused => work.push(item),
                Event::Fork { condition, yes, no } => {
                    let negated = self.machine.domain.pool.not(condition);
                    for (condition, pc) in [(negated, no), (condition, yes)] {
                        if let Some(mut way) = self.under(&item, condition) {
                            self.machine.resume_at(&mut way.state, process, pc);
                            work.push(way);
                        }
                    }
                }
                Event::Split(conditions) => {
                    work.extend(conditions.into_iter().filter_map(|condition| self.under(&item, condition)));
                }
                Event::Doubt { condition, next, .. } => {
                    let negated = self.machine.domain.pool.not(condition);
                    if self.under(&item, negated).is_some() {
                        return None;
                    }
                    self.machine.domain.note(&mut item.state.memory, condition);
                    self.machine.resume_at(&mut item.state, process, next);
                    work.push(item);
                }
                Event::Quantify(site) => work.push(self.quantify(item, process, site)?),
                _ => return None,
            }
        }
        Some(found)
    }

    /// What follows from the conditions without quantifiers.
    pub(super) fn grounded(&self, terms: &[Term]) -> Vec<Term> {
        if !self.has_quantifiers {
            return terms.to_vec();
        }
        let mut grounds = Grounds { pool: &self.machine.domain.pool, ground: Vec::new(), facts: Vec::new() };
        terms.iter().for_each(|&term| grounds.add(term));
        grounds.instantiate();
        grounds.ground
    }
}

/// The laws of partial orders, for the values that the conditions compare with them.
pub(super) fn order_laws(pool: &TermPool, terms: &[Term]) -> Vec<Term> {
    let prefix = format!("{ABSTRACT}{ORDER}");
    let is_order = |function: &Arc<Function>| function.name.as_str().starts_with(&prefix);
    let mut laws = Vec::new();
    let parts = pool.subterms(terms);
    for function in pool.functions(terms).into_iter().filter(is_order) {
        let mut values: Vec<Term> = Vec::new();
        for &part in parts.iter().filter(|&&part| pool.function(part) == Some(&function)) {
            values.extend(pool.args(part));
        }
        values.sort_by_key(|&value| pool.fingerprint(value).0);
        values.dedup();
        // Without all of the laws less can be refuted, and nothing wrong is.
        values.truncate(MOST_ORDERED);
        let holds = |a: Term, b: Term| {
            let relation = pool.apply(&function, &[a, b]);
            let zero = quod_term::Value::default_of(pool.sort(relation)).map(|zero| pool.constant(zero));
            zero.map_or(pool.true_(), |zero| pool.not(pool.eq(relation, zero)))
        };
        for &a in &values {
            laws.push(holds(a, a));
            for &b in values.iter().filter(|&&b| b != a) {
                laws.push(pool.or(&[pool.not(holds(a, b)), pool.not(holds(b, a)), pool.eq(a, b)]));
                for &c in values.iter().filter(|&&c| c != a && c != b) {
                    laws.push(pool.or(&[pool.not(holds(a, b)), pool.not(holds(b, c)), holds(a, c)]));
                }
            }
        }
    }
    laws
}

/// Something that holds for all values, unless one of the other conditions does.
struct Fact {
    unless: Vec<Term>,
    binder: Term,
    /// Of `not exists`.
    is_negated: bool,
}

struct Grounds<'a> {
    pool: &'a TermPool,
    ground: Vec<Term>,
    facts: Vec<Fact>,
}

impl Grounds<'_> {
    fn has_binder(&self, term: Term) -> bool {
        self.pool.subterms(&[term]).iter().any(|&part| self.pool.op(part).is_binder())
    }

    /// Takes a condition apart; what is not understood is left out.
    fn add(&mut self, term: Term) {
        let Some(term) = self.witnessed(term, true, DEPTH) else { return };
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            if !self.has_binder(term) {
                self.ground.push(term);
                continue;
            }
            let negated = (self.pool.op(term) == Op::Not).then(|| self.pool.arg(term, 0));
            match (self.pool.op(term), negated) {
                (Op::And, _) => work.extend(self.pool.args(term)),
                (_, Some(inner)) if self.pool.op(inner) == Op::Or => {
                    work.extend(self.pool.args(inner).iter().map(|&part| self.pool.not(part)));
                }
                (Op::Or, _) => self.clause(self.pool.args(term)),
                _ => self.clause(&[term]),
            }
        }
    }

    /// A disjunction in which at most one part holds for all values.
    fn clause(&mut self, parts: &[Term]) {
        let (open, unless): (Vec<Term>, Vec<Term>) = parts.iter().partition(|&&part| self.has_binder(part));
        let &[part] = open.as_slice() else { return };
        let (inner, is_negated) = match self.pool.op(part) {
            Op::Not => (self.pool.arg(part, 0), true),
            _ => (part, false),
        };
        let is_for_all = self.pool.op(inner) == if is_negated { Op::Exists } else { Op::Forall };
        if is_for_all {
            self.facts.push(Fact { unless, binder: inner, is_negated });
        }
    }

    /// Claims that something exists, with a symbol for it. Nothing where the condition is too deep.
    fn witnessed(&self, term: Term, is_positive: bool, depth: u32) -> Option<Term> {
        if !self.has_binder(term) {
            return Some(term);
        }
        let depth = depth.checked_sub(1)?;
        let pool = self.pool;
        match pool.op(term) {
            Op::Not => Some(pool.not(self.witnessed(pool.arg(term, 0), !is_positive, depth)?)),
            Op::And | Op::Or => {
                let parts: Option<Vec<Term>> =
                    pool.args(term).iter().map(|&part| self.witnessed(part, is_positive, depth)).collect();
                Some(if pool.op(term) == Op::And { pool.and(&parts?) } else { pool.or(&parts?) })
            }
            op @ (Op::Exists | Op::Forall) if (op == Op::Exists) == is_positive => {
                let name = format!("$witness!{:x}", pool.fingerprint(term).0);
                let witness = pool.symbol(name.as_str(), self.bound_sort(term));
                self.witnessed(pool.instantiate(term, &[witness]), is_positive, depth)
            }
            Op::Exists | Op::Forall => Some(term),
            // Inside of anything else a quantifier counts both ways.
            _ => None,
        }
    }

    /// The kind of a quantifier's variable.
    fn bound_sort(&self, binder: Term) -> Sort {
        self.pool.open(binder).variables.first().map_or(Sort::INT, |&variable| self.pool.sort(variable))
    }

    /// Elements of arrays of unknown length in conditions, and values of abstract functions: of what, and at which index.
    fn reads(&self, terms: &[Term]) -> Vec<Term> {
        let is_read = |term: &Term| {
            let name = self.pool.function(*term).map(|function| function.name.as_str().to_owned());
            let is_index = || self.pool.sort(self.pool.arg(*term, 0)) == Sort::INT;
            name.is_some_and(|name| name.starts_with("$any ") || name.starts_with(ABSTRACT)) && is_index()
        };
        self.pool.subterms(terms).into_iter().filter(is_read).collect()
    }

    /// The values for which a quantified condition talks about elements that are read: `a[r + i]` of `a[t]` for `t - r`.
    fn values(&self, binder: Term, reads: &[Term]) -> Vec<Term> {
        let pool = self.pool;
        if self.bound_sort(binder) != Sort::INT {
            return Vec::new();
        }
        let variable = pool.symbol("$variable", Sort::INT);
        let body = pool.instantiate(binder, &[variable]);
        let mut values = vec![pool.int(0)];
        for inside in self.reads(&[body]) {
            let index = pool.arg(inside, 0);
            let at = |value: i64| pool.substitute(index, &[(variable, pool.int(value))].into_iter().collect());
            let rest = at(0);
            let is_plain = !pool.subterms(&[rest]).iter().any(|&part| pool.op(part) == Op::Bound);
            if !is_plain || pool.sub(at(1), rest) != pool.int(1) {
                continue;
            }
            let same = reads.iter().filter(|&&read| pool.function(read) == pool.function(inside));
            values.extend(same.map(|&read| pool.sub(pool.arg(read, 0), rest)));
        }
        if values.len() == 1 {
            values.extend(reads.iter().map(|&read| pool.arg(read, 0)));
        }
        let mut seen = FxHashSet::default();
        values.retain(|&value| seen.insert(value));
        values
    }

    /// Uses facts at the indices at which arrays are read.
    fn instantiate(&mut self) {
        let mut done: FxHashSet<(Term, Term)> = FxHashSet::default();
        for _ in 0..ROUNDS {
            let reads = self.reads(&self.ground);
            let mut new = Vec::new();
            for fact in &self.facts {
                for index in self.values(fact.binder, &reads) {
                    if done.len() < MOST_INSTANCES && done.insert((fact.binder, index)) {
                        let instance = self.pool.instantiate(fact.binder, &[index]);
                        let instance = if fact.is_negated { self.pool.not(instance) } else { instance };
                        new.push(self.pool.or(&[fact.unless.as_slice(), &[instance]].concat()));
                    }
                }
            }
            if new.is_empty() {
                return;
            }
            new.into_iter().for_each(|term| self.add(term));
        }
    }
}
