//! Mutants of programs that hold: none that a run shows to be faulty may be proved.
//!
//! `cargo xtask mutate [--timeout 5] [--seeds 200] [--every 1] [--verbose] [FILTER | --property NAME FILE…]` takes the
//! golden programs of `tests/verify` whose expected answer is `TRUE`, or the files given, changes a token at a time
//! (`quod_testkit::mutation`), keeps what gcc's sanitizers or a run of the program show to be wrong
//! (`quod_testkit::oracle`), and asks `quod verify` about it. `TRUE` for one of them is a bug of the worst kind.

use crate::shell;
use anyhow::{Context, Result, bail};
use quod_testkit::case::Case;
use quod_testkit::{mutation, oracle};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that holds, and the question: words behind `quod`.
struct Seed {
    path: PathBuf,
    property: String,
    words: Vec<String>,
}

#[derive(Default)]
struct Counts {
    mutants: usize,
    faulty: usize,
    violated: usize,
    unknown: usize,
    proved: usize,
}

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let seconds = shell::number_option(arguments, "--timeout", 5)?;
    let seeds = shell::number_option(arguments, "--seeds", 200)? as usize;
    let every = shell::number_option(arguments, "--every", 1)?.max(1) as usize;
    let is_verbose = arguments.iter().any(|argument| argument == "--verbose");
    if !oracle::is_there() {
        bail!("gcc is needed to find out which mutants are faulty");
    }
    let programs = programs(arguments)?;
    let quod = shell::release_binary()?;
    let scratch = std::env::temp_dir().join(format!("quod-mutate-{}", std::process::id()));
    std::fs::create_dir_all(&scratch)?;
    let mut table: BTreeMap<String, Counts> = BTreeMap::new();
    for seed in &programs {
        if answer(&quod, &seed.words, &seed.path, seconds) != Some(0) {
            println!("left out: {} is not proved", seed.path.display());
            continue;
        }
        let text = std::fs::read_to_string(&seed.path)?;
        let counts = table.entry(seed.property.clone()).or_default();
        let changed = scratch.join("mutant.c");
        for mutant in mutation::mutants(&text).into_iter().step_by(every) {
            counts.mutants += 1;
            std::fs::write(&changed, &mutant.text)?;
            let Some(fault) = oracle::fault(&changed, &seed.property, &scratch, seeds) else { continue };
            counts.faulty += 1;
            let found = answer(&quod, &seed.words, &changed, seconds);
            let name = seed.path.file_name().unwrap_or_default().to_string_lossy();
            match found {
                Some(0) => {
                    counts.proved += 1;
                    println!("PROVED {name}: {}, but: {fault}", mutant.what);
                }
                Some(1) => counts.violated += 1,
                _ => counts.unknown += 1,
            }
            if is_verbose {
                println!("exit {found:?} {name}: {} ({fault})", mutant.what);
            }
        }
    }
    std::fs::remove_dir_all(&scratch)?;
    print_table(&table);
    match table.values().map(|counts| counts.proved).sum::<usize>() {
        0 => Ok(()),
        proved => bail!("{proved} faulty mutants are proved"),
    }
}

fn programs(arguments: &[String]) -> Result<Vec<Seed>> {
    let mut words = Vec::new();
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "--timeout" | "--seeds" | "--every" | "--property" => drop(rest.next()),
            "--verbose" => {}
            word => words.push(word),
        }
    }
    if let Some(property) = shell::option(arguments, "--property")? {
        let words_of = || ["verify", "--property", property, "{}"].map(str::to_owned).to_vec();
        let seed = |path: &&str| Seed { path: PathBuf::from(*path), property: property.to_owned(), words: words_of() };
        return Ok(words.iter().map(seed).collect());
    }
    let filter = words.first().copied();
    let mut found = Vec::new();
    for path in shell::files_below(&shell::root().join("tests/verify"), "c", filter)? {
        let expected = std::fs::read_to_string(path.with_extension("stdout")).unwrap_or_default();
        let case = Case::parse(&std::fs::read_to_string(&path)?).map_err(anyhow::Error::msg)?;
        let words: Vec<String> = case.args.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        let property = words.iter().position(|word| word == "--property").and_then(|at| words.get(at + 1)).cloned();
        if let Some(property) = property.filter(|_| expected.contains("Result: TRUE")) {
            found.push(Seed { path, property, words });
        }
    }
    Ok(found)
}

/// The exit code of `quod` for a program.
fn answer(quod: &Path, words: &[String], program: &Path, seconds: u64) -> Option<i32> {
    let mut command = Command::new("timeout");
    command.arg((seconds + 5).to_string()).arg(quod).stdin(Stdio::null());
    command.args(words.iter().map(|word| match word.as_str() {
        "{}" => program.as_os_str().to_owned(),
        word => word.into(),
    }));
    let output = command.arg(format!("--timeout={seconds}")).output().context("quod does not start").ok()?;
    output.status.code()
}

fn print_table(table: &BTreeMap<String, Counts>) {
    println!("{:20} {:>8} {:>7} {:>6} {:>8} {:>6}", "property", "mutants", "faulty", "FALSE", "UNKNOWN", "TRUE");
    let line = |name: &str, counts: &Counts| {
        let Counts { mutants, faulty, violated, unknown, proved } = counts;
        println!("{name:20} {mutants:>8} {faulty:>7} {violated:>6} {unknown:>8} {proved:>6}");
    };
    let mut all = Counts::default();
    for (property, counts) in table {
        line(property, counts);
        all.mutants += counts.mutants;
        all.faulty += counts.faulty;
        all.violated += counts.violated;
        all.unknown += counts.unknown;
        all.proved += counts.proved;
    }
    line("all", &all);
}
