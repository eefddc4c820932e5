//! CaDiCaL for hard queries: one call with all clauses.

use super::{Cancel, Limits, Lit, Outcome};
use cadical_sys::{CaDiCal, Status, Terminator};
use std::time::Instant;

struct Stop {
    cancel: Cancel,
    deadline: Option<Instant>,
}

impl Terminator for Stop {
    fn terminated(&mut self) -> bool {
        self.cancel.is_cancelled() || self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}

/// Decides the clauses over variables `0..variables`; the model lists their values.
pub fn solve(variables: usize, clauses: &[Vec<Lit>], limits: &Limits, cancel: &Cancel) -> (Outcome, Vec<bool>) {
    let mut solver = CaDiCal::new();
    for clause in clauses {
        for literal in clause {
            solver.add(literal.to_dimacs());
        }
        solver.add(0);
    }
    if let Ok(conflicts) = i32::try_from(limits.conflicts) {
        solver.limit("conflicts", conflicts);
    }
    solver.connect_terminator(Stop { cancel: cancel.clone(), deadline: limits.deadline });
    let status = solver.solve();
    let result = match status {
        Status::SATISFIABLE => {
            let model = (0..variables).map(|var| solver.val(var as i32 + 1) > 0).collect();
            (Outcome::Sat, model)
        }
        Status::UNSATISFIABLE => (Outcome::Unsat, Vec::new()),
        _ => (Outcome::Unknown, Vec::new()),
    };
    solver.disconnect_terminator();
    result
}
