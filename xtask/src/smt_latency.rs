//! `cargo xtask smt-latency [--count N] [--yices PATH] [--z3 PATH]`: small incremental bit-vector queries (push, assert,
//! check, pop; 32 bits), through the embedded decider, the whole chain, and solvers over a pipe, in the same run.

use crate::shell::process_cpu;
use anyhow::{Context, Result};
use quod_solver::embedded::{Embedded, EmbeddedLimits};
use quod_solver::{Answer, Solver};
use quod_term::{Sort, Term, TermPool};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

struct Workload {
    pool: Arc<TermPool>,
    prefix: Vec<Term>,
    queries: Vec<Term>,
    text: Vec<String>,
    declarations: String,
}

/// A path condition of a few conjuncts and branch conditions on it, as a symbolic executor asks them.
fn workload(count: usize) -> Workload {
    let pool = Arc::new(TermPool::new());
    let names = ["a", "b", "c", "d", "e", "f"];
    let sort = Sort::bit_vec(32);
    let symbols: Vec<Term> = names.iter().map(|name| pool.symbol(*name, sort)).collect();
    let mut declarations = String::new();
    for name in names {
        declarations.push_str(&format!("(declare-const {name} (_ BitVec 32))\n"));
    }
    let hundred = pool.bv(32, 100);
    let prefix = vec![pool.bv_ult(symbols[0], hundred), pool.bv_slt(symbols[1], symbols[2])];
    declarations.push_str("(assert (bvult a (_ bv100 32)))\n(assert (bvslt b c))\n");
    let (mut queries, mut text) = (Vec::new(), Vec::new());
    let mut state = 88_172_645_463_325_252u64;
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % bound
    };
    for _ in 0..count {
        let (x, y, z) = (below(6), below(6), below(6));
        let number = below(1000) as u64;
        let constant = pool.bv(32, number);
        let (query, line) = match below(5) {
            0 => (
                pool.bv_ult(pool.bv_add(symbols[x], symbols[y]), constant),
                format!("(bvult (bvadd {} {}) (_ bv{number} 32))", names[x], names[y]),
            ),
            1 => (
                pool.eq(pool.bv_and(symbols[x], constant), pool.bv_xor(symbols[y], symbols[z])),
                format!("(= (bvand {} (_ bv{number} 32)) (bvxor {} {}))", names[x], names[y], names[z]),
            ),
            2 => (
                pool.bv_slt(pool.bv_sub(symbols[x], symbols[y]), constant),
                format!("(bvslt (bvsub {} {}) (_ bv{number} 32))", names[x], names[y]),
            ),
            3 => (
                pool.eq(symbols[x], pool.bv_add(symbols[y], constant)),
                format!("(= {} (bvadd {} (_ bv{number} 32)))", names[x], names[y]),
            ),
            _ => (
                pool.not(pool.bv_slt(pool.bv_add(symbols[x], constant), symbols[z])),
                format!("(not (bvslt (bvadd {} (_ bv{number} 32)) {}))", names[x], names[z]),
            ),
        };
        queries.push(query);
        text.push(line);
    }
    Workload { pool, prefix, queries, text, declarations }
}

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let value = |name: &str| {
        arguments.iter().position(|argument| argument == name).and_then(|at| arguments.get(at + 1)).cloned()
    };
    let count: usize = value("--count").map_or(Ok(5000), |text| text.parse())?;
    let work = workload(count);
    println!("{count} queries of 32 bits: push, assert, check, pop; microseconds a query");
    let mut own = Vec::new();
    let mut embedded = Embedded::new(work.pool.clone());
    let limits = EmbeddedLimits::default();
    let (start, cpu) = (Instant::now(), own_cpu());
    let mut terms = work.prefix.clone();
    for &query in &work.queries {
        terms.push(query);
        own.push(word(&embedded.check(&terms, &limits)));
        terms.pop();
    }
    report("embedded", count, start, own_cpu() - cpu);
    let mut solver = Solver::new(work.pool.clone());
    let (start, cpu) = (Instant::now(), own_cpu());
    for (at, &query) in work.queries.iter().enumerate() {
        terms.push(query);
        let answer = word(&solver.check(&terms));
        anyhow::ensure!(answer == own[at], "chain and embedded differ on {}", work.text[at]);
        terms.pop();
    }
    report("chain, first time", count, start, own_cpu() - cpu);
    let (start, cpu) = (Instant::now(), own_cpu());
    for &query in &work.queries {
        terms.push(query);
        solver.check(&terms);
        terms.pop();
    }
    report("chain, from the cache", count, start, own_cpu() - cpu);
    let falsehood = work.pool.not(work.prefix[0]);
    let (start, cpu) = (Instant::now(), own_cpu());
    for _ in 0..count {
        terms.push(falsehood);
        solver.check(&terms);
        terms.pop();
    }
    report("chain, by standard form", count, start, own_cpu() - cpu);
    cancellation()?;
    for (name, flags) in [("yices", &["--incremental"][..]), ("z3", &["-in", "-smt2"][..])] {
        if let Some(path) = value(&format!("--{name}")) {
            peer(name, &path, flags, &work, &own)?;
        }
    }
    Ok(())
}

/// The time from a cancellation to the end of the query: during the search (factoring), and while circuits of a thousand
/// bits are made.
fn cancellation() -> Result<()> {
    for (what, width) in [("a search", 64u32), ("making circuits", 1024)] {
        let mut worst = Duration::ZERO;
        for round in 0..5u64 {
            let pool = Arc::new(TermPool::new());
            let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::bit_vec(width)));
            let one = pool.bv(width, 1);
            let half = pool.bv_value(quod_term::BitVector::one(width).shl_by(width / 2 - 1));
            let is_factor = |term| pool.and2(pool.bv_ult(one, term), pool.bv_ult(term, half));
            let number = pool.bv(width, 2_147_483_647 * 2_147_483_629);
            let divided = pool.eq(pool.bv_udiv(number, x), y);
            let terms = [is_factor(x), is_factor(y), pool.eq(pool.bv_mul(x, y), number), divided];
            let mut solver = Solver::new(pool.clone());
            let cancel = solver.cancel_handle();
            let handle = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(60 + 20 * round));
                cancel.cancel();
                Instant::now()
            });
            let answer = solver.check(&terms);
            let end = Instant::now();
            let asked = handle.join().map_err(|_| anyhow::anyhow!("a thread failed"))?;
            if answer.is_unknown() {
                worst = worst.max(end.saturating_duration_since(asked));
            }
        }
        println!("cancelling {what}: at most {:.1} ms wall", worst.as_secs_f64() * 1e3);
    }
    Ok(())
}

fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "unknown",
    }
}

fn report(name: &str, count: usize, start: Instant, cpu: f64) {
    let wall = start.elapsed().as_secs_f64();
    println!("{name:24} {:8.2} wall {:8.2} cpu", wall * 1e6 / count as f64, cpu * 1e6 / count as f64);
}

fn peer(name: &str, path: &str, flags: &[&str], work: &Workload, own: &[&str]) -> Result<()> {
    let mut child = Command::new(path).args(flags).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().context("a pipe")?;
    let mut output = BufReader::new(child.stdout.take().context("a pipe")?);
    if name == "yices" {
        writeln!(input, "(set-logic QF_BV)")?;
    }
    input.write_all(work.declarations.as_bytes())?;
    let start = Instant::now();
    let before = process_cpu(child.id());
    let mut line = String::new();
    for (at, text) in work.text.iter().enumerate() {
        write!(input, "(push 1)\n(assert {text})\n(check-sat)\n(pop 1)\n")?;
        input.flush()?;
        line.clear();
        output.read_line(&mut line)?;
        anyhow::ensure!(line.trim() == own[at], "{name} says {} and we say {} on {text}", line.trim(), own[at]);
    }
    report(name, work.text.len(), start, process_cpu(child.id()) - before);
    child.kill()?;
    child.wait()?;
    Ok(())
}

fn own_cpu() -> f64 {
    process_cpu(std::process::id())
}
