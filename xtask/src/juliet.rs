//! Juliet's test cases: the `good` half must run clean, the `bad` half must be stopped where a run shows the fault.
//!
//! `cargo xtask juliet DIR [--sample 500] [--seed 1] [--verbose]` samples the single-file C cases below
//! `DIR/testcases`. What a run can show is judged by gcc's sanitizers: a bad case that they report must be stopped by
//! `quod run`; one that they do not may be stopped (uninitialised values, for instance, are beyond them).

use crate::random::Random;
use crate::shell;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What became of one case.
#[derive(Clone, Debug, Default)]
struct Fate {
    /// The good half: a line that says why it did not run clean.
    good: Option<String>,
    is_bad_stopped: bool,
    is_bad_reported: bool,
    /// Why the bad half was stopped, or how it ended.
    bad: String,
}

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let folder = PathBuf::from(arguments.first().context("say where Juliet is: juliet DIR")?).canonicalize()?;
    let sample = shell::number_option(arguments, "--sample", 500)? as usize;
    let mut random = Random::new(shell::number_option(arguments, "--seed", 1)?);
    let is_verbose = arguments.iter().any(|argument| argument == "--verbose");
    let quod = shell::release_binary()?;
    let mut cases: Vec<PathBuf> =
        shell::files_below(&folder.join("testcases"), "c", None)?.into_iter().filter(|case| is_plain(case)).collect();
    for at in (1..cases.len()).rev() {
        cases.swap(at, random.below(at as u64 + 1) as usize);
    }
    cases.truncate(sample);
    let scratch = std::env::temp_dir().join(format!("quod-juliet-{}", std::process::id()));
    std::fs::create_dir_all(&scratch)?;
    let (next, fates) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for worker in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let (next, cases, fates, quod, folder) = (&next, &cases, &fates, &quod, &folder);
            let binary = scratch.join(format!("case-{worker}"));
            scope.spawn(move || {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let fate = judge(case, quod, &folder.join("testcasesupport"), &binary);
                    if let Ok(mut fates) = fates.lock() {
                        fates.insert(case.clone(), fate);
                    }
                }
            });
        }
    });
    std::fs::remove_dir_all(&scratch)?;
    print_table(&fates.into_inner().unwrap_or_default(), is_verbose);
    Ok(())
}

/// One file with its own `main`, for this system, without sockets.
fn is_plain(case: &Path) -> bool {
    let name = case.file_stem().unwrap_or_default().to_string_lossy();
    let ends_in_letter = name.rsplit('_').next().is_some_and(|last| {
        last.len() > 2
            && last.ends_with(|c: char| c.is_ascii_lowercase())
            && last.starts_with(|c: char| c.is_ascii_digit())
    });
    let is_elsewhere = ["w32", "socket", "main", "wchar_t_console"].iter().any(|word| name.contains(word));
    name.starts_with("CWE") && !ends_in_letter && !is_elsewhere && !name.ends_with("_bad") && !name.contains("_good")
}

fn judge(case: &Path, quod: &Path, support: &Path, binary: &Path) -> Fate {
    let mut fate = Fate::default();
    // Programs leave files where they are run.
    let output = |command: &mut Command| {
        let folder = binary.parent().unwrap_or(Path::new("."));
        command.current_dir(folder).stdin(Stdio::null()).output().ok()
    };
    let uses_threads = std::fs::read_to_string(case).is_ok_and(|text| text.contains("std_thread.h"));
    let compile = |options: &[&str]| {
        let mut gcc = Command::new("gcc");
        gcc.args(["-w", "-g", "-O0", "-DINCLUDEMAIN"]).args(options).arg("-I").arg(support).arg("-o").arg(binary);
        gcc.arg(case).arg(support.join("io.c")).args(uses_threads.then(|| support.join("std_thread.c")));
        shell::succeeds(gcc.args(["-lpthread", "-lm"]))
    };
    let ours = |half: &str| {
        let mut command = Command::new("timeout");
        command.arg("60").arg(quod).args(["run", "--format", "short", "-DINCLUDEMAIN", half, "-I"]).arg(support);
        command.arg(case).arg(support.join("io.c"));
        output(command.args(uses_threads.then(|| support.join("std_thread.c"))))
    };
    let Some(good) = ours("-DOMITBAD") else { return fate };
    let errors = String::from_utf8_lossy(&good.stderr).into_owned();
    let line = errors.lines().find(|line| line.contains("error")).unwrap_or("").to_owned();
    // Without input some cases leave early: what counts is that they end as gcc's binary does.
    let expected = if compile(&["-DOMITBAD"]) { output(Command::new("timeout").arg("60").arg(binary)) } else { None };
    let expected = expected.and_then(|output| output.status.code()).unwrap_or(0);
    if good.status.code() != Some(expected) {
        fate.good = Some(format!("exit {:?}: {line}", good.status.code()));
    }
    if let Some(bad) = ours("-DOMITGOOD") {
        let errors = String::from_utf8_lossy(&bad.stderr);
        let line = errors.lines().find(|line| line.contains("error")).unwrap_or("");
        let is_stopped = bad.status.code() == Some(125) && !line.contains("not supported");
        (fate.is_bad_stopped, fate.bad) = (is_stopped, format!("exit {:?}: {line}", bad.status.code()));
    }
    if compile(&["-DOMITGOOD", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]) {
        let mut run = Command::new("timeout");
        let reported = output(run.arg("20").arg(binary).env("ASAN_OPTIONS", "detect_leaks=0"));
        let is_report = |text: &[u8]| {
            let text = String::from_utf8_lossy(text);
            text.contains("Sanitizer") || text.contains("runtime error")
        };
        fate.is_bad_reported = reported.is_some_and(|output| is_report(&output.stderr));
    }
    fate
}

fn print_table(fates: &BTreeMap<PathBuf, Fate>, is_verbose: bool) {
    let mut rows: BTreeMap<String, [usize; 5]> = BTreeMap::new();
    for (case, fate) in fates {
        let name = case.file_stem().unwrap_or_default().to_string_lossy();
        let weakness = name.split('_').next().unwrap_or("?").to_owned();
        let row = rows.entry(weakness).or_default();
        row[0] += 1;
        row[1] += usize::from(fate.good.is_none());
        row[2] += usize::from(fate.is_bad_reported);
        row[3] += usize::from(fate.is_bad_reported && fate.is_bad_stopped);
        row[4] += usize::from(!fate.is_bad_reported && fate.is_bad_stopped);
        if let Some(why) = &fate.good {
            println!("good: {name}: {why}");
        }
        if fate.is_bad_reported && !fate.is_bad_stopped || is_verbose {
            println!("bad: {name}: {}", fate.bad);
        }
    }
    println!(
        "{:10} {:>6} {:>11} {:>18} {:>15} {:>16}",
        "weakness", "cases", "good clean", "sanitizers report", "stopped of them", "stopped beside"
    );
    let mut total = [0; 5];
    for (weakness, row) in &rows {
        println!("{weakness:10} {:>6} {:>11} {:>18} {:>15} {:>16}", row[0], row[1], row[2], row[3], row[4]);
        for (sum, count) in total.iter_mut().zip(row) {
            *sum += count;
        }
    }
    println!("{:10} {:>6} {:>11} {:>18} {:>15} {:>16}", "all", total[0], total[1], total[2], total[3], total[4]);
}
