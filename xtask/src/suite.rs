//! What campaigns over the test suites of other tools share: what became of a test, many tests at a time, the table.

use std::collections::BTreeMap;
use std::process::Output;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What became of a test, from good to bad.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    Expected,
    Unsupported,
    Unknown,
    Opposite,
}

/// A fate, and a line that says why.
pub(crate) type Judged = (Fate, String);

/// Judges all cases, several at a time; the answers have the cases' indices.
pub(crate) fn judge_all<Case: Sync>(
    cases: &[Case],
    threads: usize,
    judge: impl Fn(&Case) -> Judged + Sync,
) -> BTreeMap<usize, Judged> {
    let (next, fates) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(index) else { break };
                    let fate = judge(case);
                    if let Ok(mut fates) = fates.lock() {
                        fates.insert(index, fate);
                    }
                }
            });
        }
    });
    fates.into_inner().unwrap_or_default()
}

/// The last word behind the first `skipped` ones that is neither an option nor an option's value.
pub(crate) fn filter(arguments: &[String], skipped: usize) -> Option<&str> {
    let mut last = None;
    let mut words = arguments.iter().skip(skipped);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--timeout" | "--threads" => drop(words.next()),
            "--verbose" => {}
            word => last = Some(word),
        }
    }
    last
}

/// What `quod verify` printed behind `Result: `.
pub(crate) fn result_line(output: &Output) -> String {
    let stdout = String::from_utf8_lossy(&output.stdout);
    stdout.lines().rev().find_map(|line| line.strip_prefix("Result: ")).unwrap_or("").to_owned()
}

/// The first line of messages that tells of an error.
pub(crate) fn error_line(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    stderr.lines().find(|line| line.contains("error")).unwrap_or("").to_owned()
}

/// Each test that is not as expected, with the reason that is written down for it.
pub(crate) fn list(
    fates: &BTreeMap<usize, Judged>,
    is_verbose: bool,
    name: impl Fn(usize) -> String,
    reason: impl Fn(&str) -> Option<&'static str>,
) {
    for (&index, (fate, why)) in fates {
        if *fate == Fate::Expected && !is_verbose {
            continue;
        }
        let name = name(index);
        println!("{:11} {name}: {why}", format!("{fate:?}").to_lowercase());
        if let Some(reason) = reason(&name).filter(|_| *fate == Fate::Opposite) {
            println!("{:11} because {reason}", "");
        }
    }
}

/// A line a folder, in the order of the names given, and one for all.
pub(crate) fn table(folders: &[String], fates: &BTreeMap<usize, Judged>, folder: impl Fn(usize) -> String) {
    println!(
        "{:24} {:>6} {:>9} {:>12} {:>8} {:>9} {:>6}",
        "folder", "tests", "expected", "unsupported", "unknown", "opposite", "%"
    );
    let line = |name: &str, of: &dyn Fn(usize) -> bool| {
        let found: Vec<Fate> = fates.iter().filter(|(index, _)| of(**index)).map(|(_, (fate, _))| *fate).collect();
        let count = |wanted: Fate| found.iter().filter(|fate| **fate == wanted).count();
        let share = 100.0 * count(Fate::Expected) as f64 / found.len().max(1) as f64;
        println!(
            "{name:24} {:>6} {:>9} {:>12} {:>8} {:>9} {share:>6.1}",
            found.len(),
            count(Fate::Expected),
            count(Fate::Unsupported),
            count(Fate::Unknown),
            count(Fate::Opposite)
        );
    };
    for name in folders {
        line(name, &|index| folder(index) == *name);
    }
    line("all", &|_| true);
}
