//! Quantifiers and `lambda`.
//!
//! A bound variable is a term `Bound` with a *level* and a place. The level of a binder is how deep binders nest in its
//! body, so inner binders have lower levels than outer ones, terms that differ in the names of bound variables only are
//! the same term, and nothing is captured: free symbols and bound variables are different terms. (Sato and Pollack's
//! canonical names.) To work under a binder, [`TermPool::open`] it: its variables become fresh symbols.

use crate::op::Op;
use crate::pool::{Payload, Term, TermPool};
use crate::sort::Sort;
use rustc_hash::FxHashMap;

/// A binder taken apart.
pub struct Opened {
    /// Fresh symbols in place of the bound variables.
    pub variables: Vec<Term>,
    /// The body, then the patterns.
    pub parts: Vec<Term>,
    /// How many of the patterns belong to each trigger.
    pub triggers: Vec<u32>,
}

impl Opened {
    pub fn body(&self) -> Term {
        self.parts[0]
    }
}

impl TermPool {
    /// `(forall (variables) (! body :pattern …))`; the variables are symbols.
    pub fn forall(&self, variables: &[Term], body: Term, triggers: &[Vec<Term>]) -> Term {
        self.quantify(Op::Forall, variables, body, triggers)
    }
    pub fn exists(&self, variables: &[Term], body: Term, triggers: &[Vec<Term>]) -> Term {
        self.quantify(Op::Exists, variables, body, triggers)
    }
    /// The array whose cell at `variable`, a symbol, is `body`.
    pub fn lambda(&self, variable: Term, body: Term) -> Term {
        self.close(Op::Lambda, &[variable], &[body], &[])
    }

    fn quantify(&self, op: Op, variables: &[Term], body: Term, triggers: &[Vec<Term>]) -> Term {
        let mut parts = vec![body];
        parts.extend(triggers.iter().flatten());
        let groups: Vec<u32> = triggers.iter().map(|trigger| trigger.len() as u32).collect();
        self.close(op, variables, &parts, &groups)
    }

    pub(crate) fn close(&self, op: Op, variables: &[Term], parts: &[Term], triggers: &[u32]) -> Term {
        if op != Op::Lambda && (variables.is_empty() || self.is_constant(parts[0])) {
            return parts[0];
        }
        let level = parts.iter().map(|&part| u32::from(self.binder_height(part))).max().unwrap_or(0);
        let sorts: Vec<Sort> = variables.iter().map(|&variable| self.sort(variable)).collect();
        let bound = |place: usize| self.bound(level, place as u32, sorts[place]);
        let map: FxHashMap<Term, Term> =
            variables.iter().enumerate().map(|(place, &variable)| (variable, bound(place))).collect();
        let parts = self.replace(parts, &map, false);
        let sort = if op == Op::Lambda { Sort::array(sorts[0], self.sort(parts[0])) } else { Sort::BOOL };
        let payload = Payload::Binder { level, sorts: sorts.into(), triggers: triggers.into() };
        self.rebuild_binder(op, &payload, &parts, sort)
    }

    pub(crate) fn rebuild_binder(&self, op: Op, payload: &Payload, parts: &[Term], sort: Sort) -> Term {
        if op != Op::Lambda && self.is_constant(parts[0]) {
            return parts[0];
        }
        if op == Op::Lambda && self.is_constant(parts[0]) {
            return self.const_array(sort, parts[0]);
        }
        self.intern(op, payload.clone(), parts, sort)
    }

    pub(crate) fn bound(&self, level: u32, place: u32, sort: Sort) -> Term {
        self.intern(Op::Bound, Payload::Variable { level, place }, &[], sort)
    }

    /// A binder's body and patterns with fresh symbols for its variables.
    pub fn open(&self, binder: Term) -> Opened {
        let Payload::Binder { level, sorts, triggers } = self.payload(binder) else {
            return Opened { variables: Vec::new(), parts: vec![binder], triggers: Vec::new() };
        };
        let variables: Vec<Term> = sorts.iter().map(|&sort| self.fresh_symbol("bound", sort)).collect();
        let parts = self.instantiate_parts(binder, *level, sorts, &variables);
        Opened { variables, parts, triggers: triggers.to_vec() }
    }

    /// The body of a binder with terms for its variables.
    pub fn instantiate(&self, binder: Term, values: &[Term]) -> Term {
        let Payload::Binder { level, sorts, .. } = self.payload(binder) else { return binder };
        if values.iter().all(|&value| self.binder_height(value) == 0) {
            return self.instantiate_parts(binder, *level, sorts, values)[0];
        }
        let opened = self.open(binder);
        self.let_in(&opened.variables.iter().copied().zip(values.iter().copied()).collect::<Vec<_>>(), opened.body())
    }

    fn instantiate_parts(&self, binder: Term, level: u32, sorts: &[Sort], values: &[Term]) -> Vec<Term> {
        let bound = |place: usize| self.bound(level, place as u32, sorts[place]);
        let map = values.iter().enumerate().map(|(place, &value)| (bound(place), value)).collect();
        self.replace(self.args(binder), &map, false)
    }
}
