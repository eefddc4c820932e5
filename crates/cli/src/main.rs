//! The quod command: reads the command line, calls the crates that do the work, and prints what they found.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::exit, clippy::disallowed_methods)]

mod arguments;
mod civl_options;
mod commands;
mod console;
mod disk;
mod evidence;
mod front_end;
mod interrupt;
mod panics;
mod question;
mod streams;
mod trace_file;
mod usage;

use arguments::{Cli, Command};
use clap::Parser;

/// Deep programs are handled with explicit stacks, but a generous one costs nothing until it is used.
const STACK_SIZE: usize = 256 << 20;

fn main() {
    let words = usage::gcc_style(std::env::args_os().collect());
    let cli = match Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(error) => usage::report(&error, &words),
    };
    // Benchmarks have their own way with signals, threads and processes.
    if matches!(cli.command, Some(Command::Bench(_))) {
        std::process::exit(panics::guard(|| dispatch(cli)));
    }
    interrupt::listen();
    let code = match std::thread::Builder::new().stack_size(STACK_SIZE).spawn(|| panics::guard(|| dispatch(cli))) {
        Ok(thread) => thread.join().unwrap_or(quod_verdict::exit_code::INTERNAL_ERROR),
        Err(_) => quod_verdict::exit_code::INTERNAL_ERROR,
    };
    std::process::exit(code);
}

fn dispatch(cli: Cli) -> i32 {
    if cli.version {
        return console::print(concat!(env!("CARGO_PKG_VERSION"), "\n"));
    }
    match cli.command {
        Some(Command::Run(arguments)) => commands::run::run(&arguments),
        Some(Command::Verify(arguments)) => commands::verify::run(&arguments),
        Some(Command::Compare(arguments)) => commands::compare::run(&arguments),
        Some(Command::Replay(arguments)) => commands::replay::run(&arguments),
        Some(Command::Validate(arguments)) => commands::validate::run(&arguments),
        Some(Command::Show(arguments)) => commands::show::run(&arguments),
        Some(Command::Explain(arguments)) => commands::explain::run(&arguments),
        Some(Command::Smt(arguments)) => commands::smt::run(&arguments),
        Some(Command::Bench(arguments)) => {
            quod_bench::command::run(&arguments, &mut console::Stdout, &mut std::io::stderr())
        }
        Some(Command::Doctor(arguments)) => commands::doctor::run(&arguments),
        None => usage::greet(),
    }
}
