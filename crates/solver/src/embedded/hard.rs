//! Hard propositional queries: the cone's clauses in a solver of their own, with the assumptions as facts.

use super::Embedded;
use crate::sat::{Limits, Lit, Outcome, Var};

impl Embedded {
    pub(super) fn search_hard(&mut self, assumptions: &[Lit], limits: &Limits) -> Outcome {
        let mut numbers: Vec<u32> = vec![u32::MAX; self.sat.variables()];
        let mut cone: Vec<Var> = Vec::new();
        self.gates.cone(assumptions.iter().chain(&self.permanent).copied(), |var| {
            numbers[var.0 as usize] = cone.len() as u32;
            cone.push(var);
        });
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        let rename = |literal: Lit, numbers: &[u32]| {
            let number = numbers[literal.var().0 as usize];
            (number != u32::MAX).then(|| Lit::new(Var(number), literal.is_positive()))
        };
        self.sat.for_each_clause(|clause| {
            // A clause with a variable outside of the cone defines something that the query does not use.
            if let Some(clause) = clause.iter().map(|&literal| rename(literal, &numbers)).collect::<Option<Vec<_>>>() {
                clauses.push(clause);
            }
        });
        clauses.extend(assumptions.iter().filter_map(|&literal| rename(literal, &numbers)).map(|l| vec![l]));
        let (outcome, model) = solve(cone.len(), &clauses, limits, &self.sat.cancel);
        match outcome {
            Outcome::Sat => {
                let mut values = vec![false; self.sat.variables()];
                for (&var, value) in cone.iter().zip(model) {
                    values[var.0 as usize] = value;
                }
                self.foreign_model = Some(values);
            }
            Outcome::Unsat => self.sat.set_failed_assumptions(assumptions),
            Outcome::Unknown => {}
        }
        outcome
    }
}

#[cfg(feature = "cadical")]
fn solve(variables: usize, clauses: &[Vec<Lit>], limits: &Limits, cancel: &crate::sat::Cancel) -> (Outcome, Vec<bool>) {
    crate::sat::cadical::solve(variables, clauses, limits, cancel)
}

#[cfg(not(feature = "cadical"))]
fn solve(variables: usize, clauses: &[Vec<Lit>], limits: &Limits, cancel: &crate::sat::Cancel) -> (Outcome, Vec<bool>) {
    let mut sat = crate::sat::Sat::default();
    sat.cancel = cancel.clone();
    let all: Vec<Var> = (0..variables).map(|_| sat.new_var()).collect();
    for clause in clauses {
        sat.add_clause(clause);
    }
    let outcome = sat.solve(&[], &mut |add| all.iter().for_each(|&var| add(var)), &mut crate::sat::NoTheory, limits);
    let model = all.iter().map(|&var| sat.model(Lit::new(var, true)) == Some(true)).collect();
    (outcome, model)
}
