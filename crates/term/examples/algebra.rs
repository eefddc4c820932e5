//! Benchmark of the standard form and of memory: `cargo run --release -p quod-term --example algebra [largest n]`.
//!
//! Proves by standard form alone that the product of three symbolic real n×n matrices is associative, and that Strassen's
//! product is the plain one; prints time, memory of the terms and growth. Then bytes a term, and what a term a million
//! deep costs.
#![allow(clippy::print_stdout, clippy::disallowed_methods)] // A benchmark talks to a terminal.

use quod_term::smtlib::{Command, Script, script};
use quod_term::{Assignment, Function, Sort, Term, TermPool, evaluate};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Instant;

type Matrix = Vec<Vec<Term>>;

fn symbolic(pool: &TermPool, name: &str, n: usize) -> Matrix {
    let cell = |i: usize, j: usize| pool.symbol(format!("{name}{i}_{j}").as_str(), Sort::REAL);
    (0..n).map(|i| (0..n).map(|j| cell(i, j)).collect()).collect()
}

fn plain(pool: &TermPool, a: &Matrix, b: &Matrix) -> Matrix {
    let n = a.len();
    let cell = |i: usize, j: usize| {
        let products: Vec<Term> = (0..n).map(|k| pool.mul(&[a[i][k], b[k][j]])).collect();
        pool.add(&products)
    };
    (0..n).map(|i| (0..n).map(|j| cell(i, j)).collect()).collect()
}

fn zip(a: &Matrix, b: &Matrix, combine: impl Fn(Term, Term) -> Term) -> Matrix {
    a.iter().zip(b).map(|(x, y)| x.iter().zip(y).map(|(&x, &y)| combine(x, y)).collect()).collect()
}

fn strassen(pool: &TermPool, a: &Matrix, b: &Matrix) -> Matrix {
    let n = a.len();
    if n == 1 {
        return vec![vec![pool.mul(&[a[0][0], b[0][0]])]];
    }
    let half = n / 2;
    let block = |m: &Matrix, i: usize, j: usize| -> Matrix {
        (0..half).map(|r| m[i * half + r][j * half..(j + 1) * half].to_vec()).collect()
    };
    let add = |x: &Matrix, y: &Matrix| zip(x, y, |x, y| pool.add(&[x, y]));
    let sub = |x: &Matrix, y: &Matrix| zip(x, y, |x, y| pool.sub(x, y));
    let (a11, a12, a21, a22) = (block(a, 0, 0), block(a, 0, 1), block(a, 1, 0), block(a, 1, 1));
    let (b11, b12, b21, b22) = (block(b, 0, 0), block(b, 0, 1), block(b, 1, 0), block(b, 1, 1));
    let m1 = strassen(pool, &add(&a11, &a22), &add(&b11, &b22));
    let m2 = strassen(pool, &add(&a21, &a22), &b11);
    let m3 = strassen(pool, &a11, &sub(&b12, &b22));
    let m4 = strassen(pool, &a22, &sub(&b21, &b11));
    let m5 = strassen(pool, &add(&a11, &a12), &b22);
    let m6 = strassen(pool, &sub(&a21, &a11), &add(&b11, &b12));
    let m7 = strassen(pool, &sub(&a12, &a22), &add(&b21, &b22));
    let c11 = add(&sub(&add(&m1, &m4), &m5), &m7);
    let c12 = add(&m3, &m5);
    let c21 = add(&m2, &m4);
    let c22 = add(&add(&sub(&m1, &m2), &m3), &m6);
    let row = |left: &Matrix, right: &Matrix| -> Matrix {
        left.iter().zip(right).map(|(x, y)| [x.as_slice(), y].concat()).collect()
    };
    [row(&c11, &c12), row(&c21, &c22)].concat()
}

fn prove(pool: &TermPool, a: &Matrix, b: &Matrix) -> bool {
    a.iter().flatten().zip(b.iter().flatten()).all(|(&x, &y)| pool.eq(x, y) == pool.true_())
}

fn measure(name: &str, n: usize, last: &mut Option<(f64, usize)>, run: impl Fn(&TermPool) -> bool) {
    let pool = TermPool::new();
    let start = Instant::now();
    let is_proved = run(&pool);
    let seconds = start.elapsed().as_secs_f64();
    let size = pool.size();
    let growth = last.map_or_else(String::new, |(time, bytes)| {
        format!("  x{:.1} time  x{:.1} memory", seconds / time, size.bytes as f64 / bytes as f64)
    });
    *last = Some((seconds, size.bytes));
    let verdict = if is_proved { "proved" } else { "NOT PROVED" };
    println!(
        "{name:14} n={n:<3} {verdict} {seconds:9.3} s {:9} terms {:8.1} MB{growth}",
        size.terms,
        size.bytes as f64 / 1e6
    );
}

fn bytes_a_term() {
    let pool = TermPool::new();
    let before = pool.size();
    let x: Vec<Term> = (0..1000).map(|i| pool.symbol(format!("x{i}").as_str(), Sort::bit_vec(32))).collect();
    let symbols = pool.size();
    let start = Instant::now();
    for &a in &x {
        for &b in &x {
            pool.bv_udiv(a, b);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let size = pool.size();
    let count = size.terms - symbols.terms;
    println!(
        "{count} binary terms: {:.1} bytes a term with its share of the tables, {:.0} ns to make one; {:.0} bytes a symbol",
        (size.bytes - symbols.bytes) as f64 / count as f64,
        seconds * 1e9 / count as f64,
        (symbols.bytes - before.bytes) as f64 / 1000.0,
    );
}

fn deep(depth: usize) {
    let pool = TermPool::new();
    let mut start = Instant::now();
    let mut lap = |name: &str| {
        println!("  {name:12} {:8.3} s", start.elapsed().as_secs_f64());
        start = Instant::now();
    };
    println!("a term {depth} deep:");
    let (x, y) = (pool.symbol("x", Sort::bit_vec(8)), pool.symbol("y", Sort::bit_vec(8)));
    let function = Arc::new(Function { name: "f".into(), domain: vec![Sort::bit_vec(8)], range: Sort::bit_vec(8) });
    let mut term = x;
    for number in 0..depth / 3 {
        let condition = pool.bv_ult(term, pool.bv(8, number as u64 % 200 + 2));
        term = pool.ite(condition, pool.bv_udiv(pool.apply(&function, &[term]), y), pool.bv_xor(term, y));
    }
    lap("make");
    evaluate(&pool, term, &Assignment::default());
    lap("evaluate");
    pool.substitute(term, &FxHashMap::from_iter([(x, pool.bv_not(y))]));
    lap("substitute");
    let formula = pool.eq(term, y);
    let text = script(&pool, None, &[formula]);
    lap("print");
    let mut reader = Script::new(&pool, &text);
    let mut same = false;
    while let Some(command) = reader.next() {
        same |= matches!(command, Ok(Command::Assert(term, _)) if term == formula);
    }
    lap(if same { "read back" } else { "READ WRONG" });
    let statistics = pool.statistics(formula);
    lap("measure");
    drop(pool);
    lap("drop");
    println!("  {} nodes, depth {}, {:.0} MB of text", statistics.nodes, statistics.depth, text.len() as f64 / 1e6);
}

fn main() {
    let largest: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(32);
    let sizes = || [4, 8, 16, 32].into_iter().filter(move |&n| n <= largest);
    let mut last = None;
    for n in sizes() {
        measure("associativity", n, &mut last, |pool| {
            let [a, b, c] = ["a", "b", "c"].map(|name| symbolic(pool, name, n));
            prove(pool, &plain(pool, &plain(pool, &a, &b), &c), &plain(pool, &a, &plain(pool, &b, &c)))
        });
    }
    let mut last = None;
    for n in sizes() {
        measure("Strassen", n, &mut last, |pool| {
            let [a, b] = ["a", "b"].map(|name| symbolic(pool, name, n));
            prove(pool, &strassen(pool, &a, &b), &plain(pool, &a, &b))
        });
    }
    bytes_a_term();
    deep(if largest < 8 { 40_000 } else { 1_000_000 });
}
