//! The pool: identity, threads, independence of the order of creation, binders.

mod common;

use common::Generator;
use quod_term::{Function, Op, Sort, Term, TermPool, Value};
use std::sync::Arc;

#[test]
fn threads_that_make_the_same_terms_get_the_same_handles() {
    let pool = TermPool::new();
    let make = |seed: u64| -> Vec<Term> {
        let mut generator = Generator::new(seed);
        (0..200).map(|_| generator.term(&pool, Sort::BOOL, 3)).collect()
    };
    let results: Vec<Vec<Term>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| make(17))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn text_does_not_depend_on_the_order_of_creation() {
    for seed in 1..60 {
        let (first, second) = (TermPool::new(), TermPool::new());
        let mut generator = Generator::new(1_000_000 + seed);
        for _ in 0..50 {
            generator.term(&second, Sort::BOOL, 3);
        }
        let term = |pool: &TermPool| Generator::new(seed).term(pool, Sort::BOOL, 4);
        let (a, b) = (term(&first), term(&second));
        assert_eq!(first.fingerprint(a), second.fingerprint(b));
        assert_eq!(first.display(a).to_string(), second.display(b).to_string());
    }
}

#[test]
fn a_node_is_forty_bytes_and_a_binary_term_at_most_sixty_four() {
    let pool = TermPool::new();
    let x: Vec<Term> = (0..200).map(|i| pool.symbol(format!("x{i}").as_str(), Sort::bit_vec(32))).collect();
    let before = pool.size();
    for &a in &x {
        for &b in &x {
            pool.bv_udiv(a, b);
        }
    }
    let after = pool.size();
    let each = (after.bytes - before.bytes) as f64 / (after.terms - before.terms) as f64;
    assert!(each <= 64.0, "{each} bytes a term");
}

#[test]
fn names_of_bound_variables_do_not_matter_and_nothing_is_captured() {
    let pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::INT));
    let p = Arc::new(Function { name: "p".into(), domain: vec![Sort::INT, Sort::INT], range: Sort::BOOL });
    let holds = |a, b| pool.apply(&p, &[a, b]);
    assert_eq!(pool.forall(&[x], holds(x, x), &[]), pool.forall(&[y], holds(y, y), &[]));
    // exists y. p(x, y) with y for x is exists z. p(y, z).
    let formula = pool.exists(&[y], holds(x, y), &[]);
    let changed = pool.let_in(&[(x, y)], formula);
    assert_eq!(pool.free_symbols(&[changed]), [y]);
    let opened = pool.open(changed);
    assert_eq!(opened.body(), holds(y, opened.variables[0]));
    // Nested, with a replacement that has a binder itself.
    let q = Arc::new(Function { name: "q".into(), domain: vec![Sort::INT, Sort::BOOL], range: Sort::BOOL });
    let b = pool.symbol("b", Sort::BOOL);
    let outer = pool.forall(&[x], pool.apply(&q, &[x, b]), &[vec![pool.apply(&q, &[x, b])]]);
    let inner = pool.exists(&[y], holds(y, y), &[]);
    let joined = pool.let_in(&[(b, inner)], outer);
    assert_eq!(joined, pool.forall(&[x], pool.apply(&q, &[x, inner]), &[vec![pool.apply(&q, &[x, inner])]]));
    let opened = pool.open(joined);
    assert_eq!(pool.args(opened.body())[1], inner);
    assert_eq!(opened.triggers, [1]);
    let squares = pool.lambda(x, pool.mul(&[x, x]));
    assert_eq!(pool.select(squares, pool.int(7)), pool.int(49));
}

#[test]
fn long_constants_stay_cheap() {
    let pool = TermPool::new();
    let list = common::list();
    let mut long = pool.construct(list, 0, &[]);
    assert_eq!(pool.op(long), Op::Const);
    for number in 0..20_000 {
        long = pool.construct(list, 1, &[pool.int(number), long]);
    }
    assert_eq!(pool.op(long), Op::Construct);
    let mut array = pool.const_array(Sort::array(Sort::INT, Sort::INT), pool.int(0));
    for number in 0..20_000 {
        array = pool.store(array, pool.int(number), pool.int(number + 1));
    }
    assert_eq!(pool.select(array, pool.int(3)), pool.int(4));
    assert_eq!(pool.value(pool.select(array, pool.int(-1))), Some(&Value::int(0)));
}
