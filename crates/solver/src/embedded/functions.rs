//! Uninterpreted functions: applications are free until two with equal arguments differ.

use super::repr::Repr;
use super::{Embedded, Unsupported};
use crate::answer::Reason;
use crate::arith::Delta;
use crate::sat::Var;
use quod_term::{Function, SortKind, Term};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Applications by function, both in order of appearance.
#[derive(Default)]
pub(crate) struct Functions {
    pub(crate) order: Vec<Arc<Function>>,
    pub(crate) applications: FxHashMap<Arc<Function>, Vec<(Term, Var)>>,
}

/// The value of a term in the present assignment, for comparison only.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Observed {
    Bool(bool),
    Word(Vec<u64>),
    Number(Delta),
}

impl Embedded {
    pub(crate) fn translate_application(&mut self, term: Term) -> Result<Repr, Unsupported> {
        let pool = self.pool.clone();
        let Some(function) = pool.function(term) else {
            return Err(Unsupported("an application without function".into()));
        };
        let has_arrays =
            function.domain.iter().chain([&function.range]).any(|s| matches!(s.kind(), SortKind::Array(..)));
        if has_arrays {
            return Err(Unsupported("functions of arrays".into()));
        }
        let hub = self.hub(pool.args(term))?;
        let result = self.fresh(term, Some(hub))?;
        if !self.functions.applications.contains_key(function) {
            self.functions.order.push(function.clone());
        }
        self.functions.applications.entry(function.clone()).or_default().push((term, hub));
        Ok(result)
    }

    pub(crate) fn observe(&self, term: Term) -> Option<Observed> {
        Some(match self.table.get(term) {
            Repr::Bool(literal) => Observed::Bool(self.model_literal(literal)),
            Repr::Word(range) => {
                let bits = self.table.word(range);
                let mut words = vec![0u64; bits.len().div_ceil(64)];
                for (at, &bit) in bits.iter().enumerate() {
                    words[at / 64] |= u64::from(self.model_literal(bit)) << (at % 64);
                }
                Observed::Word(words)
            }
            Repr::Linear(index) => {
                let linear = self.table.linear(index);
                let mut value = Delta::new(linear.constant.clone(), 0);
                for (var, coefficient) in &linear.terms {
                    value.add_scaled(coefficient, self.arith.simplex.value(*var));
                }
                Observed::Number(value)
            }
            Repr::Array(_) | Repr::Absent => return None,
        })
    }

    pub(crate) fn refine_functions(&mut self) -> Result<usize, Reason> {
        let mut broken: Vec<(Term, Term, Var)> = Vec::new();
        for function in &self.functions.order {
            let mut seen: FxHashMap<Vec<Observed>, (Term, Observed)> = FxHashMap::default();
            for &(term, hub) in &self.functions.applications[function] {
                if !self.gates.is_in_cone(hub) {
                    continue;
                }
                let Some(key) = self.pool.args(term).iter().map(|&arg| self.observe(arg)).collect::<Option<Vec<_>>>()
                else {
                    continue;
                };
                let Some(value) = self.observe(term) else { continue };
                match seen.get(&key) {
                    Some((first, other)) if *other != value => broken.push((*first, term, hub)),
                    Some(_) => {}
                    None => {
                        seen.insert(key, (term, value));
                    }
                }
            }
        }
        let pool = self.pool.clone();
        for &(a, b, hub) in &broken {
            let mut clause = Vec::new();
            for (&x, &y) in pool.args(a).iter().zip(pool.args(b)) {
                clause.push(!self.equality(x, y).map_err(Reason::from)?);
            }
            clause.push(self.equality(a, b).map_err(Reason::from)?);
            self.add_lemma(hub, &clause);
        }
        Ok(broken.len())
    }
}
