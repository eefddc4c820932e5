//! Products of unknowns: known answers.

use quod_solver::embedded::{Embedded, EmbeddedLimits};
use quod_solver::{Answer, Limits};
use quod_term::{Sort, TermPool};
use std::sync::Arc;

fn limits() -> EmbeddedLimits {
    EmbeddedLimits { sat: Limits { conflicts: 50_000, work: 50_000_000, deadline: None }, ..EmbeddedLimits::default() }
}

#[test]
fn a_product_of_negative_integers() {
    let pool = Arc::new(TermPool::new());
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::INT));
    let p = pool.symbol("p", Sort::BOOL);
    let product = pool.mul(&[x, z]);
    let is_eight = pool.eq(product, pool.int(8));
    let is_one = pool.eq(product, pool.int(1));
    // not (not (y >= 0) = not (2y > -5x))
    let left = pool.not(pool.ge(y, pool.int(0)));
    let right = pool.not(pool.gt(pool.add(&[y, y]), pool.mul(&[pool.int(-5), x])));
    let differ = pool.not(pool.eq(left, right));
    let condition = pool.or2(pool.le(z, pool.add(&[z, x])), pool.gt(pool.neg(x), pool.abs(y)));
    let chosen = pool.ite(pool.le(y, z), pool.add(&[pool.int(-2), x]), x);
    let then = pool.eq(chosen, x);
    let other = pool.eq(pool.sub(pool.ite(p, z, pool.int(-1)), pool.add(&[z, y])), pool.int(1));
    let choice = pool.ite(condition, then, other);
    let implied = pool.implies(is_one, p);
    let parity = pool.abs(pool.sub(pool.int(-1), pool.int_mod(x, pool.int(2))));
    let first = pool.gt(pool.int(7), pool.sub(parity, pool.int(10)));
    let terms = [first, implied, differ, choice, is_eight];
    for at in 0..5 {
        let mut turned = terms;
        turned.rotate_left(at);
        let answer = Embedded::new(pool.clone()).check(&turned, &limits());
        assert!(!matches!(answer, Answer::Unsat(_)), "{at}: {answer:?}");
        turned.swap(0, 3);
        let answer = Embedded::new(pool.clone()).check(&turned, &limits());
        assert!(!matches!(answer, Answer::Unsat(_)), "{at}: {answer:?}");
    }
    let mut embedded = Embedded::new(pool.clone());
    let answer = embedded.check(&terms, &limits());
    assert!(!matches!(answer, Answer::Unsat(_)), "{answer:?}");
    let fixed = [is_eight, pool.eq(x, pool.int(-4)), pool.eq(z, pool.int(-2)), pool.eq(y, pool.int(0)), differ, choice];
    let answer = Embedded::new(pool.clone()).check(&fixed, &limits());
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
}
