//! Chores of this repository: `cargo xtask COMMAND`. Each command is a module with a `run` function, and a line in the
//! table below.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::exit, clippy::disallowed_methods)]

mod bench_e2e;
mod bench_frontend;
mod bench_interp;
mod bench_tasks;
mod bench_verify;
mod bless;
mod ci;
mod civl_suite;
mod compare_runs;
mod coverage;
mod csmith;
mod fuzz;
mod juliet;
mod layout_fuzz;
mod mutate;
mod por_check;
mod random;
mod regressions;
mod shell;
mod smt_bench;
mod smt_fuzz;
mod smt_latency;
mod suite;
mod task_files;
mod test;
mod tidy;

use anyhow::Result;

struct Command {
    name: &'static str,
    about: &'static str,
    /// Gets the arguments behind the command's name.
    run: fn(&[String]) -> Result<()>,
}

const COMMANDS: &[Command] = &[
    Command { name: "test", about: "run every check: tidy, format, lints, tests", run: test::run },
    Command { name: "bless", about: "accept the present output of golden tests: bless [FILTER]", run: bless::run },
    Command { name: "tidy", about: "check the rules of the house", run: tidy::run },
    Command { name: "ci", about: "what the build server runs: test, then the release build", run: ci::run },
    Command {
        name: "bench-frontend",
        about: "throughput and memory of the front end beside gcc: bench-frontend [FILE ...]",
        run: bench_frontend::run,
    },
    Command {
        name: "bench-interp",
        about: "how much slower than gcc -O0 a run is: bench-interp [--runs N]",
        run: bench_interp::run,
    },
    Command {
        name: "bench-tasks",
        about: "time and memory a phase of C tasks beside CBMC: bench-tasks [--cbmc FILE] [--timeout SECONDS] [FILTER]",
        run: bench_tasks::run,
    },
    Command {
        name: "bench-verify",
        about: "time and memory of the verifier beside CIVL's: bench-verify [--timeout SECONDS] [--threads N] [FILTER]",
        run: bench_verify::run,
    },
    Command {
        name: "civl-suite",
        about: "CIVL's examples with their expected results: civl-suite DIR [--timeout S] [--threads N] [--verbose] [FILTER]",
        run: civl_suite::run,
    },
    Command {
        name: "regressions",
        about: "CBMC's and SMACK's regression programs: regressions cbmc|smack DIR [--timeout S] [--threads N] [--verbose] [FILTER]",
        run: regressions::run,
    },
    Command {
        name: "mutate",
        about: "faulty mutants of programs that hold are not proved: mutate [--every N] [--verbose] [FILTER | --property P FILE…]",
        run: mutate::run,
    },
    Command {
        name: "por-check",
        about: "reduced against full search, one thread against several, on random programs: por-check [--count N] [--seed S] [--threads T] [--quod FILE]",
        run: por_check::run,
    },
    Command {
        name: "csmith",
        about: "compare random programs with gcc: csmith --seeds A..B [--floats] [--model LP64|ILP32|both] [--keep DIR]",
        run: csmith::run,
    },
    Command {
        name: "compare-runs",
        about: "run every program of a folder under gcc and quod: compare-runs DIR [--model M] [--flags F] [--verbose]",
        run: compare_runs::run,
    },
    Command {
        name: "coverage",
        about: "how much of a corpus the front end understands: coverage --list FILE --corpus DIR | --tree DIR",
        run: coverage::run,
    },
    Command {
        name: "fuzz",
        about: "coverage-guided fuzzing of the front end: fuzz preprocess|parse|lower [--minutes N]",
        run: fuzz::run,
    },
    Command {
        name: "juliet",
        about: "run a sample of Juliet's good and bad cases: juliet DIR [--sample N] [--seed S] [--verbose]",
        run: juliet::run,
    },
    Command {
        name: "layout-fuzz",
        about: "compare random record layouts with gcc: layout-fuzz [--count N] [--seed S]",
        run: layout_fuzz::run,
    },
    Command {
        name: "smt-fuzz",
        about: "compare random formulas with z3: smt-fuzz [--logic L] [--count N] [--seed S] [--z3 PATH]",
        run: smt_fuzz::run,
    },
    Command {
        name: "smt-bench",
        about: "SMT-LIB files beside other solvers: smt-bench FOLDER [--logic L] [--timeout S] [--solvers NAME=CMD,…]",
        run: smt_bench::run,
    },
    Command { name: "smt-one", about: "our side of one file of smt-bench", run: smt_bench::run_one },
    Command {
        name: "smt-latency",
        about: "small incremental queries beside yices and z3: smt-latency [--count N] [--yices PATH] [--z3 PATH]",
        run: smt_latency::run,
    },
    Command {
        name: "bench-e2e",
        about: "test quod bench beside BenchExec, Chromium and Slurm: bench-e2e [PART…]",
        run: bench_e2e::run,
    },
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(name) = arguments.first().filter(|name| !["help", "--help", "-h"].contains(&name.as_str())) else {
        print_help();
        return;
    };
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprintln!("error: there is no command `{name}`\n");
        print_help();
        std::process::exit(2);
    };
    if let Err(error) = (command.run)(&arguments[1..]) {
        eprintln!("error: {error:#}");
        std::process::exit(1);
    }
}

fn print_help() {
    println!("usage: cargo xtask COMMAND [ARGUMENTS]\n");
    let width = COMMANDS.iter().map(|command| command.name.len()).max().unwrap_or(0);
    for command in COMMANDS {
        println!("  {:width$}  {}", command.name, command.about);
    }
}
