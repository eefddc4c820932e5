//! `quod doctor`: what this installation can do, which helpers were found, and what each missing one would give.

use crate::arguments::{DoctorArguments, FormatName};
use crate::console;
use serde_json::json;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that helps if it is there.
struct Helper {
    name: &'static str,
    /// The option that makes it print its version.
    version: &'static str,
    gives: &'static str,
    install: &'static str,
}

const HELPERS: &[Helper] = &[
    Helper {
        name: "z3",
        version: "--version",
        gives: "quantifiers, non-linear arithmetic, datatypes, Horn clauses",
        install: "pip install z3-solver",
    },
    Helper {
        name: "yices-smt2",
        version: "--version",
        gives: "the lowest latency for queries without quantifiers",
        install: "https://yices.csl.sri.com",
    },
    Helper {
        name: "cvc5",
        version: "--version",
        gives: "strings, sequences, quantifiers",
        install: "https://cvc5.github.io",
    },
    Helper {
        name: "bitwuzla",
        version: "--version",
        gives: "hard bit-vector and floating-point queries",
        install: "https://bitwuzla.github.io",
    },
    Helper {
        name: "kissat",
        version: "--version",
        gives: "very large propositional queries",
        install: "https://github.com/arminbiere/kissat",
    },
    Helper {
        name: "gcc",
        version: "-dumpfullversion",
        gives: "counterexamples compiled and run as a second opinion",
        install: "apt-get install gcc",
    },
    Helper {
        name: "python3",
        version: "--version",
        gives: "solvers from Python packages",
        install: "apt-get install python3",
    },
];

struct Found {
    helper: &'static Helper,
    path: Option<PathBuf>,
    version: Option<String>,
}

pub(crate) fn run(arguments: &DoctorArguments) -> i32 {
    let solvers = quod_solver::portfolio::discover(&super::smt::places(&[]));
    let found: Vec<Found> = HELPERS.iter().map(|helper| look_for(helper, &solvers)).collect();
    if arguments.output.format == FormatName::Json {
        return console::print(&document(&found));
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut text = String::new();
    let _ = writeln!(text, "quod {}", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(text, "  system    {} {}, {threads} threads", std::env::consts::OS, std::env::consts::ARCH);
    let _ = writeln!(text, "  built in  C preprocessor, parser and headers: no compiler is needed");
    let _ = writeln!(text, "\nhelpers that were found");
    for one in &found {
        if let (Some(path), version) = (&one.path, &one.version) {
            let version = version.as_deref().unwrap_or("unknown version");
            let _ = writeln!(text, "  {:<10}  {version} ({})", one.helper.name, path.display());
        }
    }
    let missing: Vec<&Found> = found.iter().filter(|one| one.path.is_none()).collect();
    if !missing.is_empty() {
        let _ = writeln!(text, "\nhelpers that are missing, and what they would give");
        for one in missing {
            let _ = writeln!(text, "  {:<10}  {}: {}", one.helper.name, one.helper.gives, one.helper.install);
        }
    }
    console::print(&text)
}

fn document(found: &[Found]) -> String {
    let helpers: Vec<_> = found
        .iter()
        .map(|one| json!({ "name": one.helper.name, "path": one.path, "version": one.version, "gives": one.helper.gives }))
        .collect();
    let document = json!({
        "schema_version": quod_diag::render::json::SCHEMA_VERSION,
        "tool": { "name": "quod", "version": env!("CARGO_PKG_VERSION") },
        "command": "doctor",
        "helpers": helpers,
    });
    format!("{document:#}\n")
}

/// A solver where the engines would find it, anything else on the path.
fn look_for(helper: &'static Helper, solvers: &[quod_solver::portfolio::Found]) -> Found {
    let solver = solvers.iter().find(|found| found.kind.program() == helper.name).map(|found| found.path.clone());
    let path = solver.or_else(|| {
        let folders = std::env::var_os("PATH")?;
        std::env::split_paths(&folders).map(|folder| folder.join(helper.name)).find(|path| is_program(path))
    });
    let version = path.as_ref().and_then(|path| first_line(Command::new(path).arg(helper.version)));
    Found { helper, path, version }
}

fn is_program(path: &Path) -> bool {
    path.is_file()
}

fn first_line(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}
