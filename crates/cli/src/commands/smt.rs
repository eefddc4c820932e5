//! `quod smt FILE.smt2`: answer an SMT-LIB script.

use crate::arguments::SmtArguments;
use crate::console;
use quod_solver::portfolio::{Places, discover};
use quod_solver::script::{ScriptOptions, run as run_script};
use quod_solver::{Options, chain::log::LogSink};
use quod_verdict::exit_code;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(crate) fn run(arguments: &SmtArguments) -> i32 {
    let text = match read(&arguments.file) {
        Ok(text) => text,
        Err(error) => {
            console::complain(&format!("error[{}]: cannot read {}: {error}", quod_diag::codes::USAGE, arguments.file));
            return exit_code::USAGE;
        }
    };
    let mut solver = Options::default();
    if !arguments.embedded {
        solver.solvers = discover(&places(&arguments.solver));
    }
    if let Some(path) = &arguments.log {
        solver.log = match log_to(path) {
            Ok(sink) => Some(sink),
            Err(code) => return code,
        };
    }
    let options = ScriptOptions { solver, timeout: arguments.timeout.map(Duration::from_secs) };
    match run_script(&text, &options, &mut std::io::stdout().lock()) {
        Ok(summary) if summary.errors > 0 => exit_code::DOES_NOT_COMPILE,
        Ok(summary) if summary.unknown > 0 => exit_code::UNKNOWN,
        Ok(_) => exit_code::HOLDS,
        Err(_) => exit_code::INTERNAL_ERROR,
    }
}

fn read(file: &str) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    if file == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(file)?.read_to_end(&mut bytes)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A new file that takes queries; an exit code where there is none.
pub(crate) fn log_to(path: &str) -> Result<LogSink, i32> {
    let mut file = std::fs::File::create(path).map_err(|error| {
        console::complain(&format!("error[{}]: cannot write {path}: {error}\n", quod_diag::codes::USAGE));
        exit_code::USAGE
    })?;
    Ok(Arc::new(Mutex::new(move |text: &str| {
        let _ = file.write_all(text.as_bytes());
    })))
}

/// Where solver programs are looked for.
pub(crate) fn places(explicit: &[String]) -> Places {
    let path = std::env::var_os("PATH").map(|list| std::env::split_paths(&list).collect()).unwrap_or_default();
    let python = std::env::var_os("VIRTUAL_ENV").map(|root| vec![std::path::PathBuf::from(root).join("bin")]);
    Places {
        explicit: explicit.to_vec(),
        solvers_variable: std::env::var("QUOD_SOLVERS").ok(),
        path,
        python: python.unwrap_or_default(),
    }
}
