//! Deep terms: made, printed, read, evaluated, substituted, measured, dropped, on the 2 MiB of stack of a test thread.
//! `examples/algebra.rs` does the same a million deep.

use quod_term::smtlib::{Command, Script, script};
use quod_term::{Assignment, Function, Op, Sort, Term, TermPool, Value, evaluate};
use rustc_hash::FxHashMap;
use std::sync::Arc;

const DEPTH: usize = 20_000;

fn exercise(pool: &TermPool, term: Term, symbol: Term, replacement: Term) {
    assert!(pool.statistics(term).depth > DEPTH / 2);
    let mut assignment = Assignment::default();
    assignment.set(symbol, pool.value(replacement).cloned().unwrap_or(Value::Bool(false)));
    assert!(evaluate(pool, term, &assignment).is_some());
    let changed = pool.substitute(term, &FxHashMap::from_iter([(symbol, replacement)]));
    assert!(pool.free_symbols(&[term]).contains(&symbol));
    assert!(!pool.free_symbols(&[changed]).contains(&symbol));
    assert!(pool.display(term).to_string().len() > DEPTH);
    let formula = if pool.sort(term).is_bool() { term } else { pool.eq(term, replacement) };
    let text = script(pool, None, &[formula]);
    let mut reader = Script::new(pool, &text);
    let mut assertion = None;
    while let Some(command) = reader.next() {
        if let Command::Assert(term, _) = command.unwrap_or_else(|error| panic!("{error}")) {
            assertion = Some(term);
        }
    }
    assert_eq!(assertion, Some(formula));
    let (swept, roots) = pool.swept(&[term]);
    assert_eq!(swept.fingerprint(roots[0]), pool.fingerprint(term));
}

#[test]
fn function_applications() {
    let pool = TermPool::new();
    let function = Arc::new(Function { name: "f".into(), domain: vec![Sort::INT], range: Sort::INT });
    let x = pool.symbol("x", Sort::INT);
    let term = (0..DEPTH).fold(x, |term, _| pool.apply(&function, &[term]));
    exercise(&pool, term, x, pool.int(5));
}

/// A million deep: made, evaluated, substituted, printed, read.
#[test]
fn a_million_applications() {
    let pool = TermPool::new();
    let function = Arc::new(Function { name: "f".into(), domain: vec![Sort::INT], range: Sort::INT });
    let x = pool.symbol("x", Sort::INT);
    let term = (0..1_000_000).fold(x, |term, _| pool.apply(&function, &[term]));
    assert!(evaluate(&pool, term, &Assignment::default()).is_some());
    let changed = pool.substitute(term, &FxHashMap::from_iter([(x, pool.int(5))]));
    assert!(pool.free_symbols(&[changed]).is_empty());
    let formula = pool.eq(term, x);
    let text = script(&pool, None, &[formula]);
    let mut reader = Script::new(&pool, &text);
    let mut assertion = None;
    while let Some(command) = reader.next() {
        if let Command::Assert(term, _) = command.unwrap_or_else(|error| panic!("{error}")) {
            assertion = Some(term);
        }
    }
    assert_eq!(assertion, Some(formula));
}

#[test]
fn sums_products_and_divisions_of_integers() {
    let pool = TermPool::new();
    let x = pool.symbol("x", Sort::INT);
    let mut term = x;
    for number in 0..DEPTH / 2 {
        let other = pool.symbol(format!("y{}", number % 1000).as_str(), Sort::INT);
        term = pool.int_div(pool.add(&[pool.mul(&[term, other]), pool.int(3)]), pool.add(&[other, pool.int(7)]));
    }
    assert!(pool.statistics(term).nodes > DEPTH / 2);
}

#[test]
fn a_chain_of_additions_is_not_quadratic() {
    let pool = TermPool::new();
    let mut sum = pool.int(0);
    let mut bits = pool.bv(32, 0);
    let mut all = pool.true_();
    for number in 0..20_000 {
        sum = pool.add(&[sum, pool.symbol(format!("i{number}").as_str(), Sort::INT)]);
        bits = pool.bv_add(bits, pool.symbol(format!("b{number}").as_str(), Sort::bit_vec(32)));
        all = pool.and(&[all, pool.symbol(format!("p{number}").as_str(), Sort::BOOL)]);
    }
    assert!(pool.size().bytes < 40_000_000, "{:?}", pool.size());
    assert!(pool.statistics(sum).symbols == 20_000);
}

#[test]
fn bit_vectors_and_ites() {
    let pool = TermPool::new();
    let x = pool.symbol("x", Sort::bit_vec(8));
    let y = pool.symbol("y", Sort::bit_vec(8));
    let mut term = x;
    for number in 0..DEPTH / 2 {
        let condition = pool.bv_ult(term, pool.bv(8, (number % 200) as u64 + 2));
        term = pool.ite(condition, pool.bv_udiv(term, y), pool.bv_xor(term, y));
    }
    exercise(&pool, term, x, pool.bv(8, 9));
}

#[test]
fn stores() {
    let pool = TermPool::new();
    let array = Sort::array(Sort::INT, Sort::INT);
    let start = pool.symbol("a", array);
    let mut term = start;
    for number in 0..DEPTH {
        term = pool.store(term, pool.symbol(format!("i{}", number % 997).as_str(), Sort::INT), pool.int(number as i64));
    }
    let read = pool.select(term, pool.int(7));
    assert_eq!(pool.op(read), Op::Select);
}

#[test]
fn nested_binders() {
    let pool = TermPool::new();
    let p = pool.symbol("p", Sort::BOOL);
    let function = Arc::new(Function { name: "q".into(), domain: vec![Sort::INT, Sort::BOOL], range: Sort::BOOL });
    let mut term = p;
    for _ in 0..400 {
        let variable = pool.symbol("v", Sort::INT);
        term = pool.forall(&[variable], pool.apply(&function, &[variable, term]), &[]);
    }
    let inner = pool.exists(
        &[pool.symbol("w", Sort::INT)],
        pool.apply(&function, &[pool.symbol("w", Sort::INT), pool.true_()]),
        &[],
    );
    let changed = pool.substitute(term, &FxHashMap::from_iter([(p, inner)]));
    assert!(!pool.free_symbols(&[changed]).contains(&p));
}
