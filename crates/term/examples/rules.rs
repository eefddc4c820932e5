//! Writes instances of every rewrite rule as claims for another solver: `cargo run -p quod-term --example rules -- COUNT
//! SEED | z3 -in`. An instance is an application that the rule matches, written as it stood before the rule, and what the
//! rule made of it; that they differ must be `unsat`. The name of the rule is printed before each answer:
//!
//! ```text
//! … | z3 -in | awk '/^rule /{rule=$2; next} {count[$1]++} !/^unsat/{print rule, $0} END {for (word in count) print word, count[word]}'
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods)] // It talks to a terminal.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "standard/mod.rs"]
mod standard;

use common::Generator;
use common::instances::{Instance, instances};
use quod_term::smtlib::declarations;
use quod_term::{Op, Payload, Term, TermPool};
use standard::is_standard;

const ATTEMPTS: usize = 20_000;

fn main() {
    let mut args = std::env::args().skip(1).filter_map(|text| text.parse::<u64>().ok());
    let (count, seed) = (args.next().unwrap_or(5) as usize, args.next().unwrap_or(1));
    println!("(set-option :timeout 2000)");
    let (mut written, mut without) = (0, Vec::new());
    for op in Op::all() {
        let generator = Generator::new(seed.wrapping_mul(1_000) + op as u64);
        let taken = instances(op, generator, (count, ATTEMPTS), &mut |pool, instance, _| {
            let Instance { rule, payload, args, result, .. } = *instance;
            let terms: Vec<Term> = args.iter().copied().chain([result]).collect();
            let is_readable = pool.subterms(&terms).iter().all(|&term| is_standard(pool, term));
            let Some(raw) = raw(pool, op, payload, args).filter(|_| is_readable) else { return false };
            written += 1;
            println!("(push)\n(echo \"rule {}\")", rule.name);
            print!("{}", declarations(pool, &terms));
            println!("(assert (not (= {raw} {})))\n(check-sat)\n(pop)", pool.display(result));
            true
        });
        without.extend(taken.iter().filter(|(_, found)| *found == 0).map(|(rule, _)| rule.name));
    }
    // Sorts and operators that are ours alone, or whose meaning SMT-LIB leaves open.
    eprintln!("{written} claims; {} rules have no form that other solvers read: {}", without.len(), without.join(" "));
}

/// The application as text, before any rule.
fn raw(pool: &TermPool, op: Op, payload: &Payload, args: &[Term]) -> Option<String> {
    let info = op.info();
    let is_open =
        matches!(op, Op::FpMin | Op::FpMax | Op::FpToUbv | Op::FpToSbv | Op::FpToReal | Op::FpToBits | Op::Selector);
    // z3 takes two operands here.
    let is_long = matches!(op, Op::BvSub) && args.len() > 2;
    if info.symbol.is_empty() || is_open || is_long || matches!(op, Op::ConstArray | Op::Tester | Op::Construct) {
        return None;
    }
    let head = match (info.indices, payload) {
        (0, _) => info.symbol.to_owned(),
        (1, Payload::Indices(i, _)) => format!("(_ {} {i})", info.symbol),
        (2, Payload::Indices(i, j)) => format!("(_ {} {i} {j})", info.symbol),
        _ => return None,
    };
    let texts: Vec<String> = args.iter().map(|&arg| pool.display(arg).to_string()).collect();
    Some(match texts.as_slice() {
        // `and` and `or` of one.
        [one] if matches!(op, Op::And | Op::Or) => one.clone(),
        _ => format!("({head} {})", texts.join(" ")),
    })
}
