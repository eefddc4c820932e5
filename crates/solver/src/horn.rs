//! Constrained Horn clauses through z3's Spacer.
//!
//! A clause is a closed term: `forall x. body and P(x) => Q(x)`, with uninterpreted predicates. Clauses that can hold
//! together are *solved*: the predicates have interpretations, the invariants of the program that the clauses describe.

use crate::answer::Reason;
use crate::portfolio::process::{Bounds, Process, Reply};
use crate::portfolio::reply::Sexpr;
use crate::portfolio::{Found, SolverKind};
use crate::sat::Cancel;
use quod_term::smtlib::{Printer, declarations};
use quod_term::{Term, TermPool};

/// Whether the clauses have an interpretation.
#[derive(Clone, Debug)]
pub enum HornAnswer {
    /// With the interpretations as z3 prints them: `((define-fun P ((x Int)) Bool …) …)`.
    Solved(Option<Sexpr>),
    /// A derivation of false exists.
    Refuted,
    Unknown(Reason),
}

/// Asks Spacer. `found` lists the solvers that are there.
pub fn solve(pool: &TermPool, clauses: &[Term], found: &[Found], bounds: &Bounds, cancel: &Cancel) -> HornAnswer {
    solve_within(pool, clauses, found, bounds, None, cancel)
}

/// The same with a bound on what Spacer does, as z3 counts it: unlike a bound on time it gives the same answer each time.
pub fn solve_within(
    pool: &TermPool,
    clauses: &[Term],
    found: &[Found],
    bounds: &Bounds,
    work: Option<u64>,
    cancel: &Cancel,
) -> HornAnswer {
    let Some(z3) = found.iter().find(|found| found.kind == SolverKind::Z3) else {
        let help = format!("Horn clauses need z3: `{}`", SolverKind::Z3.installation());
        return HornAnswer::Unknown(Reason::NoSolver(help));
    };
    let mut script = work.map_or_else(String::new, |work| format!("(set-option :rlimit {work})\n"));
    script.push_str("(set-logic HORN)\n");
    script.push_str(&declarations(pool, clauses));
    let mut printer = Printer::new();
    for &clause in clauses {
        let text = printer.term(pool, clause, &mut script);
        script.push_str(&format!("(assert {text})\n"));
    }
    let mut process = Process::new(z3.clone(), bounds);
    match process.solve_once(&script, bounds, cancel) {
        Reply::Sat(model) => HornAnswer::Solved(model.and_then(|mut model| model.pop())),
        Reply::Unsat => HornAnswer::Refuted,
        Reply::Unknown(what) => HornAnswer::Unknown(Reason::Incomplete(what)),
        Reply::Broken(what) => HornAnswer::Unknown(Reason::Incomplete(format!("z3: {what}"))),
        Reply::TimedOut => HornAnswer::Unknown(Reason::Budget),
        Reply::Cancelled => HornAnswer::Unknown(Reason::Cancelled),
    }
}
