//! The command line of `quod bench`: what it takes, and which part does it.

mod args;
mod check;
pub mod compare;
mod exec;
mod load;
mod outputs;
mod report;
mod run;
mod validate;

pub use args::{BenchArgs, LimitArgs, RunArgs};
pub(crate) use run::worker_machine;

use crate::input::InputErrors;
use args::Command;
use std::io::Write;

/// Why a command could not be carried out, with its exit code.
pub enum Failure {
    /// The input is wrong: nothing was run.
    Input(InputErrors),
    /// The machine does not allow it, or something broke on the way.
    Machine(String),
    Interrupted,
}

impl From<InputErrors> for Failure {
    fn from(errors: InputErrors) -> Self {
        Failure::Input(errors)
    }
}

impl From<crate::input::InputError> for Failure {
    fn from(error: crate::input::InputError) -> Self {
        Failure::Input(error.into())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure::Machine(error.to_string())
    }
}

/// Carries out `quod bench …`. Results go to `out`, progress and messages to `err`. The value is the exit code.
pub fn run(args: &BenchArgs, out: &mut dyn Write, err: &mut dyn Write) -> i32 {
    let result = match &args.command {
        None => run::run(&args.run, out, err),
        Some(Command::Compare(args)) => compare::run(args, out),
        Some(Command::Report(args)) => report::run(args, out, err),
        Some(Command::Score(args)) => report::score(args, out, err),
        Some(Command::Check(args)) => check::check(args, out, err),
        Some(Command::Tools(args)) => check::tools(args, out),
        Some(Command::Exec(args)) => exec::run(args, out),
        Some(Command::Worker(args)) => {
            crate::slurm::worker(&args.folder, args.index).map(|()| 0).map_err(Failure::Machine)
        }
    };
    match result {
        Ok(code) => code,
        Err(Failure::Input(errors)) => {
            let _ = writeln!(err, "{errors}");
            2
        }
        Err(Failure::Machine(message)) => {
            let _ = writeln!(err, "error[Q6013]: {message}");
            70
        }
        Err(Failure::Interrupted) => {
            let _ = writeln!(err, "interrupted; the same command goes on from here");
            130
        }
    }
}
