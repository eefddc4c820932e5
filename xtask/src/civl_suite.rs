//! CIVL's own examples with the results that its JUnit classes expect.
//!
//! `cargo xtask civl-suite DIR [--timeout 20] [--threads 1] [--verbose] [FILTER]`, where DIR holds `examples` and `mods` of
//! CIVL's repository, reads the test classes, gives each command to `quod` and prints how many tests give the expected
//! verdict. A test is a `@Test` method; it counts as expected if all of its commands do. CIVL answers "no" to a program
//! that does not compile, too.

mod java;
mod reasons;

use crate::shell;
use crate::suite::{self, Fate};
use anyhow::{Context, Result};
use java::{Names, Run};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const FOLDERS: [&str; 5] = ["languageFeatures", "concurrency", "verifyThis", "library", "pthread"];

struct Case {
    folder: &'static str,
    class: String,
    name: String,
    runs: Vec<Run>,
}

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let root = PathBuf::from(arguments.first().context("say where CIVL's repository is: civl-suite DIR")?);
    let seconds = shell::number_option(arguments, "--timeout", 20)?;
    let threads = shell::number_option(arguments, "--threads", 1)? as usize;
    let is_verbose = arguments.iter().any(|argument| argument == "--verbose");
    let filter = suite::filter(arguments, 1);
    let quod = shell::release_binary()?;
    let cases: Vec<Case> = cases(&root)?
        .into_iter()
        .filter(|case| filter.is_none_or(|filter| format!("{}.{}", case.class, case.name).contains(filter)))
        .collect();
    let fates = suite::judge_all(&cases, threads, |case| judge(case, &quod, &root, seconds));
    let name = |index: usize| format!("{}.{}", cases[index].class, cases[index].name);
    suite::list(&fates, is_verbose, name, reasons::reason);
    suite::table(&FOLDERS.map(str::to_owned), &fates, |index| cases[index].folder.to_owned());
    Ok(())
}

fn cases(root: &Path) -> Result<Vec<Case>> {
    let tests = root.join("mods/dev.civl.mc/test");
    let files = shell::files_below(&tests, "java", None)?;
    let mut constants = Names::default();
    for file in files.iter().filter(|file| file.ends_with("TestConstants.java")) {
        constants.read(&std::fs::read_to_string(file)?);
    }
    let mut cases = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file)?;
        let mut names = constants.clone();
        names.read(&text);
        let class = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for test in names.tests(&text) {
            let Some(folder) = folder(&test.runs) else { continue };
            cases.push(Case { folder, class: class.clone(), name: test.name, runs: test.runs });
        }
    }
    Ok(cases)
}

/// The folder of the first program.
fn folder(runs: &[Run]) -> Option<&'static str> {
    let words = || runs.iter().flat_map(|run| run.words.iter()).filter(|word| is_program(word));
    let first = words().next()?;
    FOLDERS.into_iter().find(|folder| first.starts_with(&format!("examples/{folder}/")))
}

fn is_program(word: &str) -> bool {
    !word.starts_with('-') && [".c", ".cvl", ".h"].iter().any(|ending| word.ends_with(ending))
}

/// The worst of a test's commands decides.
fn judge(case: &Case, quod: &Path, root: &Path, seconds: u64) -> (Fate, String) {
    let mut worst = (Fate::Expected, String::new());
    let trace =
        std::env::temp_dir().join(format!("quod-civl-{}-{}-{}.json", std::process::id(), case.class, case.name));
    for run in &case.runs {
        let found = judge_one(run, quod, root, seconds, &trace);
        if found.0 > worst.0 || worst.1.is_empty() {
            worst = found;
        }
    }
    let _ = std::fs::remove_file(&trace);
    worst
}

fn judge_one(run: &Run, quod: &Path, root: &Path, seconds: u64, trace: &Path) -> (Fate, String) {
    let mut command = Command::new("timeout");
    command.arg((seconds + 5).to_string()).arg(quod).current_dir(root).stdin(Stdio::null());
    let verb = run.words.first().map_or("", String::as_str);
    if verb == "replay" {
        command.arg("replay").arg(trace);
    } else {
        command.args(&run.words).arg("--dialect=civl");
        if verb != "run" {
            command.arg("--format=short").arg(format!("--timeout={seconds}"));
        }
        if verb == "verify" {
            command.arg("--save-trace").arg(trace);
        }
    }
    let Ok(output) = command.output() else { return (Fate::Unknown, "quod does not start".into()) };
    let (result, message) = (suite::result_line(&output), suite::error_line(&output));
    let program = run.words.iter().rfind(|word| is_program(word)).map_or("", String::as_str);
    let why = format!("{program}: {result} {message}").replace("examples/", "");
    let holds = match output.status.code() {
        Some(0) => Some(true),
        Some(1 | 4) => Some(false),
        _ => None,
    };
    let fate = match holds {
        Some(holds) if holds == run.is_expected => Fate::Expected,
        // That we do not understand it is no answer.
        Some(_) if output.status.code() == Some(4) => Fate::Unsupported,
        Some(_) => Fate::Opposite,
        None if result.contains("unsupported") => Fate::Unsupported,
        None => Fate::Unknown,
    };
    let why =
        if holds.is_none() && result.is_empty() { format!("{why} (exit {:?})", output.status.code()) } else { why };
    (fate, why)
}
