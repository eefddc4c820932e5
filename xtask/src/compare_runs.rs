//! Programs whose own output says whether they work: each is compiled with gcc and run, and run by `quod run`; output and
//! exit code must be the same.
//!
//! `cargo xtask compare-runs DIR [--only TEXT] [--model LP64|ILP32] [--flags "…"] [--verbose]` takes every `.c` file
//! below the folder. What gcc itself does not compile, or whose binary fails or needs over 5 s, is left out and counted.
//! Options that a program asks for in a `dg-options` comment are passed on.

use crate::shell;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What became of one program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Same,
    /// gcc cannot compile it, or its binary fails or takes too long: no answer to compare with.
    NoReference(&'static str),
    /// A reason for the table, and the line that shows it.
    Different(String, String),
}

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let folder = arguments.first().context("say which folder: compare-runs DIR")?;
    let only = shell::option(arguments, "--only")?;
    let model = shell::option(arguments, "--model")?.unwrap_or("LP64");
    let flags: Vec<String> =
        shell::option(arguments, "--flags")?.unwrap_or("").split_whitespace().map(str::to_owned).collect();
    let is_verbose = arguments.iter().any(|argument| argument == "--verbose");
    let quod = shell::release_binary()?;
    let programs = shell::files_below(Path::new(folder), "c", only)?;
    let scratch = std::env::temp_dir().join(format!("quod-compare-{}", std::process::id()));
    std::fs::create_dir_all(&scratch)?;
    let next = AtomicUsize::new(0);
    let fates = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for worker in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let (next, programs, fates, quod, flags) = (&next, &programs, &fates, &quod, &flags);
            let binary = scratch.join(format!("program-{worker}"));
            scope.spawn(move || {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let fate = compare(program, quod, model, flags, &binary);
                    if let Ok(mut fates) = fates.lock() {
                        fates.insert(program.clone(), fate);
                    }
                }
            });
        }
    });
    std::fs::remove_dir_all(&scratch)?;
    print_table(&fates.into_inner().unwrap_or_default(), is_verbose);
    Ok(())
}

fn print_table(fates: &BTreeMap<PathBuf, Fate>, is_verbose: bool) {
    let mut reasons: BTreeMap<&str, Vec<(&PathBuf, &str)>> = BTreeMap::new();
    let (mut same, mut without) = (0, BTreeMap::<&str, usize>::new());
    for (program, fate) in fates {
        match fate {
            Fate::Same => same += 1,
            Fate::NoReference(why) => *without.entry(why).or_default() += 1,
            Fate::Different(reason, line) => reasons.entry(reason).or_default().push((program, line)),
        }
    }
    let mut rows: Vec<_> = reasons.into_iter().collect();
    rows.sort_by_key(|(_, programs)| std::cmp::Reverse(programs.len()));
    for (reason, programs) in &rows {
        println!("{:5}  {reason}", programs.len());
        for (program, line) in programs.iter().take(if is_verbose { usize::MAX } else { 3 }) {
            let name = program.file_name().unwrap_or_default().to_string_lossy();
            println!("         {name}: {line}");
        }
    }
    for (why, count) in &without {
        println!("{count:5}  left out: {why}");
    }
    let compared = fates.len() - without.values().sum::<usize>();
    println!("{same} of {compared} as gcc ({:.2} %)", 100.0 * same as f64 / compared.max(1) as f64);
}

fn compare(program: &Path, quod: &Path, model: &str, flags: &[String], binary: &Path) -> Fate {
    let text = String::from_utf8_lossy(&std::fs::read(program).unwrap_or_default()).into_owned();
    let wanted = options_in(&text);
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-O0", if model == "ILP32" { "-m32" } else { "-m64" }]);
    gcc.args(&wanted).arg("-o").arg(binary).arg(program).arg("-lm");
    if !shell::succeeds(&mut gcc) {
        return Fate::NoReference("gcc does not compile it");
    }
    let Some(expected) = limited(Command::new("timeout").arg("5").arg(binary)) else {
        return Fate::NoReference("its binary does not start");
    };
    match expected.status.code() {
        Some(124) => return Fate::NoReference("its binary takes over 5 s"),
        Some(_) => {}
        None => return Fate::NoReference("its binary is killed"),
    }
    let mut ours = Command::new("timeout");
    ours.arg("60").arg(quod).args(["run", "--format", "short", "--data-model", model]).args(flags);
    ours.args(wanted.iter().filter(|option| option.starts_with("-std=") || option.as_str() == "-fwrapv"));
    let Some(ours) = limited(ours.arg(program)) else {
        return Fate::Different("quod does not start".into(), String::new());
    };
    let errors = String::from_utf8_lossy(&ours.stderr);
    let line = errors.lines().find(|line| line.contains("error")).unwrap_or("").to_owned();
    match ours.status.code() {
        code if code == expected.status.code() && ours.stdout == expected.stdout => Fate::Same,
        Some(124) => Fate::Different("over 60 s".into(), String::new()),
        Some(code @ (4 | 70 | 125)) => {
            let code_in_line = line.split_once("error[").and_then(|(_, rest)| rest.split(']').next()).unwrap_or("?");
            Fate::Different(format!("exit {code}, {code_in_line}"), line)
        }
        None => Fate::Different("crash".into(), errors.lines().last().unwrap_or("").to_owned()),
        Some(code) => {
            let reason = if ours.stdout == expected.stdout { "another exit code" } else { "another output" };
            Fate::Different(reason.into(), format!("{code} instead of {:?} {line}", expected.status.code()))
        }
    }
}

fn limited(command: &mut Command) -> Option<Output> {
    command.stdin(Stdio::null()).output().ok()
}

/// The options in `{ dg-options "…" }` and `{ dg-additional-options "…" }` that change what a program means.
fn options_in(text: &str) -> Vec<String> {
    let mut options = Vec::new();
    for line in text.lines().filter(|line| line.contains("dg-options") || line.contains("dg-additional-options")) {
        let quoted = line.split('"').nth(1).unwrap_or("");
        let is_known = |word: &&str| word.starts_with("-std=") || word.starts_with("-f");
        options.extend(quoted.split_whitespace().filter(is_known).map(str::to_owned));
    }
    options
}
