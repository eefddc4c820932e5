//! `quod bench` as a program of its own: the same command, for machines that only measure, and for its tests.
#![allow(clippy::disallowed_methods, clippy::exit)]

use clap::Parser;
use quod_bench::command::{BenchArgs, run};

#[derive(Parser)]
#[command(name = "quod-bench", version, about = "Reproducible benchmarking of verifiers")]
struct Arguments {
    #[command(flatten)]
    bench: BenchArgs,
}

fn main() {
    let arguments = Arguments::parse();
    let code = run(&arguments.bench, &mut std::io::stdout(), &mut std::io::stderr());
    std::process::exit(code);
}
