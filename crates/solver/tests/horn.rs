//! Horn clauses; runs where z3 is found, and says what is missing elsewhere.

use quod_solver::horn::{HornAnswer, solve, solve_within};
use quod_solver::portfolio::process::Bounds;
use quod_solver::portfolio::{Places, SolverKind, discover};
use quod_solver::{Cancel, Reason};
use quod_term::{Term, TermPool};

/// x = 0; while (*) x = x + 2; assert(x != bad)
fn clauses(pool: &TermPool, bad: i64) -> Vec<Term> {
    let text = format!(
        "(declare-fun inv (Int) Bool)
         (assert (forall ((x Int)) (=> (= x 0) (inv x))))
         (assert (forall ((x Int)) (=> (inv x) (inv (+ x 2)))))
         (assert (forall ((x Int)) (=> (and (inv x) (= x {bad})) false)))"
    );
    let mut script = quod_term::smtlib::Script::new(pool, &text);
    let mut terms = Vec::new();
    while let Some(command) = script.next() {
        if let quod_term::smtlib::Command::Assert(term, _) = command.expect("a good script") {
            terms.push(term);
        }
    }
    terms
}

#[test]
fn a_loop_invariant() {
    let pool = TermPool::new();
    let none = solve(&pool, &clauses(&pool, 7), &[], &Bounds::default(), &Cancel::default());
    assert!(matches!(none, HornAnswer::Unknown(Reason::NoSolver(_))));
    #[allow(clippy::disallowed_methods)]
    let path = std::env::var_os("PATH").map(|list| std::env::split_paths(&list).collect()).unwrap_or_default();
    let found = discover(&Places { path, ..Places::default() });
    if found.iter().any(|found| found.kind == SolverKind::Z3) {
        let ask = |bad| solve(&pool, &clauses(&pool, bad), &found, &Bounds::default(), &Cancel::default());
        assert!(matches!(ask(7), HornAnswer::Solved(Some(_))), "{:?}", ask(7));
        assert!(matches!(ask(6), HornAnswer::Refuted), "{:?}", ask(6));
        let clauses = clauses(&pool, 7);
        let hardly = solve_within(&pool, &clauses, &found, &Bounds::default(), Some(10), &Cancel::default());
        assert!(matches!(hardly, HornAnswer::Unknown(_)), "{hardly:?}");
    }
}
