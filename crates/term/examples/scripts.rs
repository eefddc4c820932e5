//! Writes random formulas with the values of their symbols and our answer, to compare another solver's evaluation with
//! ours: `cargo run -p quod-term --example scripts -- COUNT SEED | z3 -in`. Every `check-sat` must print the word of the
//! `echo` before it.
#![allow(clippy::print_stdout, clippy::disallowed_methods)] // It talks to a terminal.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "standard/mod.rs"]
mod standard;

use common::Generator;
use quod_term::smtlib::{declarations, write_value};
use quod_term::{Sort, TermPool, Value, evaluate};
use standard::is_standard;

fn main() {
    let mut args = std::env::args().skip(1).filter_map(|text| text.parse::<u64>().ok());
    let (count, seed) = (args.next().unwrap_or(100), args.next().unwrap_or(1));
    let mut generator = Generator::new(seed);
    let mut written = 0;
    while written < count {
        let pool = TermPool::new();
        generator.forget();
        let term = generator.term(&pool, Sort::BOOL, 4);
        if pool.is_constant(term) || !pool.subterms(&[term]).iter().all(|&term| is_standard(&pool, term)) {
            continue;
        }
        let assignment = generator.assignment(&pool, &[term]);
        let Some(Value::Bool(holds)) = evaluate(&pool, term, &assignment) else { continue };
        println!("(reset)\n(echo \"{}\")", if holds { "sat" } else { "unsat" });
        print!("{}", declarations(&pool, &[term]));
        for symbol in pool.free_symbols(&[term]) {
            let Some(value) = assignment.symbols.get(&symbol) else { continue };
            let mut text = String::new();
            if write_value(&mut text, value).is_ok() {
                println!("(assert (= {} {text}))", pool.display(symbol));
            }
        }
        println!("(assert {})\n(check-sat)", pool.display(term));
        written += 1;
    }
}
