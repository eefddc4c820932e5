//! `cargo xtask smt-bench FOLDER [--logic QF_BV] [--timeout 20] [--limit N] [--solvers z3=PATH,yices=PATH] [--list FILE]`:
//! SMT-LIB files through the embedded deciders and through other solvers, in one run.
//!
//! Prints solved, unknown and wrong answers and CPU time for each. The expected answer is the file's `:status`, or what
//! the other solvers agree on. Each file runs in a process of its own; our own side is this program again. The limit is on
//! CPU time, so that a busy machine does not change the answers. A list has a path in the last column of each line
//! (`xtask/smt-files.txt` is the frozen one).

use anyhow::{Context, Result};
use quod_solver::script::{ScriptOptions, run as run_script};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How much longer than its CPU time a process may take on a busy machine.
const WALL_FACTOR: u64 = 20;

/// One side of the comparison.
struct Side {
    name: String,
    command: Vec<String>,
    solved: u64,
    wrong: u64,
    cpu: f64,
}

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let value = |name: &str| {
        arguments.iter().position(|argument| argument == name).and_then(|at| arguments.get(at + 1)).cloned()
    };
    let folder = arguments.first().filter(|word| !word.starts_with("--")).context("which folder?")?;
    let timeout: u64 = value("--timeout").map_or(Ok(20), |text| text.parse())?;
    let limit: usize = value("--limit").map_or(Ok(usize::MAX), |text| text.parse())?;
    let logic = value("--logic");
    let mut files = match value("--list") {
        Some(list) => {
            let text = std::fs::read_to_string(list)?;
            let paths = text.lines().filter(|line| !line.starts_with('#'));
            paths.filter_map(|line| Some(Path::new(folder).join(line.split_whitespace().next_back()?))).collect()
        }
        None => scripts(Path::new(folder)),
    };
    files.retain(|file| logic.as_ref().is_none_or(|logic| has_logic(file, logic)));
    // A spread of the whole folder rather than its first files.
    if files.len() > limit {
        let step = files.len() as f64 / limit as f64;
        files = (0..limit).map(|at| files[(at as f64 * step) as usize].clone()).collect();
    }
    let own = std::env::current_exe()?.display().to_string();
    let mut sides = vec![Side::new("quod", vec![own, "smt-one".into()])];
    for entry in value("--solvers").unwrap_or_default().split(',').filter(|entry| !entry.is_empty()) {
        let (name, command) = entry.split_once('=').context("--solvers takes NAME=COMMAND")?;
        sides.push(Side::new(name, command.split('+').map(str::to_owned).collect()));
    }
    let mut disagreements = Vec::new();
    for file in &files {
        let mut answers = Vec::new();
        for side in &mut sides {
            let (answer, cpu) = ask(&side.command, file, timeout)?;
            side.cpu += cpu;
            answers.push(answer);
        }
        let expected = status(file).or_else(|| majority(&answers[1..]));
        let mut line = String::new();
        for (side, answer) in sides.iter_mut().zip(&answers) {
            let is_definite = answer.split(' ').all(|word| word != "unknown") && !answer.is_empty();
            let is_right = expected.as_ref().is_none_or(|expected| expected == answer);
            if is_definite && is_right {
                side.solved += 1;
            } else if is_definite && !conflicts_not(expected.as_deref(), answer) {
                side.wrong += 1;
                disagreements.push(format!("{}: {} says {answer}, expected {expected:?}", file.display(), side.name));
            }
            line.push_str(&format!("{:12}", answer.chars().take(11).collect::<String>()));
        }
        println!("{line}{}", file.display());
        std::io::stdout().flush()?;
    }
    println!("\n{} files{}", files.len(), logic.map_or(String::new(), |logic| format!(" of {logic}")));
    println!("{:10} {:>8} {:>8} {:>8} {:>10}", "solver", "solved", "open", "wrong", "cpu s");
    for side in &sides {
        let open = files.len() as u64 - side.solved - side.wrong;
        println!("{:10} {:8} {open:8} {:8} {:10.1}", side.name, side.solved, side.wrong, side.cpu);
    }
    for line in disagreements {
        println!("{line}");
    }
    Ok(())
}

/// Answers may stop early (a limit in the middle of an incremental script): a prefix with unknowns is not wrong.
fn conflicts_not(expected: Option<&str>, answer: &str) -> bool {
    let Some(expected) = expected else { return true };
    let pairs = expected.split(' ').zip(answer.split(' '));
    pairs.clone().count() > 0 && pairs.into_iter().all(|(a, b)| a == b || a == "unknown" || b == "unknown")
}

/// `smt-one FILE TIMEOUT`: our side of one file.
pub(crate) fn run_one(arguments: &[String]) -> Result<()> {
    let file = arguments.first().context("which file?")?;
    let timeout = arguments.get(1).map_or(Ok(20), |text| text.parse())?;
    let bytes = std::fs::read(file)?;
    let options = ScriptOptions { timeout: Some(Duration::from_secs(timeout)), ..ScriptOptions::default() };
    run_script(&String::from_utf8_lossy(&bytes), &options, &mut std::io::stdout().lock())?;
    Ok(())
}

impl Side {
    fn new(name: &str, command: Vec<String>) -> Self {
        Self { name: name.into(), command, solved: 0, wrong: 0, cpu: 0.0 }
    }
}

fn scripts(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut work = vec![folder.to_owned()];
    while let Some(folder) = work.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                work.push(path);
            } else if path.extension().is_some_and(|extension| extension == "smt2") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn has_logic(file: &Path, logic: &str) -> bool {
    std::fs::read(file).is_ok_and(|bytes| {
        let text = String::from_utf8_lossy(&bytes);
        text.contains(&format!("(set-logic {logic})")) && text.contains("(check-sat")
    })
}

/// The statuses that the file states, one a check, if it states one for each.
fn status(file: &Path) -> Option<String> {
    let bytes = std::fs::read(file).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let code: String = text.lines().map(|line| line.split(';').next().unwrap_or("")).collect::<Vec<_>>().join("\n");
    let words: Vec<&str> = code
        .split(":status")
        .skip(1)
        .filter_map(|rest| rest.split_whitespace().next().map(|word| word.trim_end_matches(')')))
        .collect();
    let checks = code.matches("(check-sat").count();
    (words.len() == checks && words.iter().all(|&word| word == "sat" || word == "unsat")).then(|| words.join(" "))
}

/// What most of the others say, if at least one is definite and none contradicts.
fn majority(answers: &[String]) -> Option<String> {
    let definite: Vec<&String> =
        answers.iter().filter(|answer| !answer.is_empty() && !answer.contains("unknown")).collect();
    let first = definite.first()?;
    definite.iter().all(|other| other == first).then(|| (*first).clone())
}

/// The answers, joined by spaces, and the CPU seconds.
fn ask(command: &[String], file: &Path, timeout: u64) -> Result<(String, f64)> {
    let (program, rest) = command.split_first().context("an empty command")?;
    let is_own = rest.first().is_some_and(|word| word == "smt-one");
    let mut child = Command::new(program);
    child.args(rest).arg(file).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    if is_own {
        // The limit of CPU time below ends it; this one only ends a process that waits for a processor.
        child.arg((timeout * WALL_FACTOR).to_string());
    }
    let before = children_cpu();
    let start = Instant::now();
    let mut child = child.spawn()?;
    let output = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        if let Some(mut output) = output {
            let _ = std::io::Read::read_to_string(&mut output, &mut text);
        }
        text
    });
    loop {
        if child.try_wait()?.is_some() {
            break;
        }
        let is_late = crate::shell::process_cpu(child.id()) > timeout as f64
            || start.elapsed() > Duration::from_secs(timeout * WALL_FACTOR);
        if is_late {
            child.kill()?;
            child.wait()?;
            break;
        }
        let wait = if start.elapsed() < Duration::from_millis(100) { 2 } else { 20 };
        std::thread::sleep(Duration::from_millis(wait));
    }
    let text = reader.join().unwrap_or_default();
    let words: Vec<&str> =
        text.lines().map(str::trim).filter(|line| matches!(*line, "sat" | "unsat" | "unknown")).collect();
    Ok((words.join(" "), children_cpu() - before))
}

/// User and system time of all children that ended, in seconds.
fn children_cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    // cutime and cstime are fields 16 and 17, counted from the state, which is field 3.
    (ticks(13) + ticks(14)) / 100.0
}
