//! CPU time, states and memory of `quod verify` on the programs of `examples/verifythis`, beside the CPU time of CIVL 1.7 on
//! a present machine with two cores. Needs the release build, or `--quod FILE`.

use anyhow::{Result, bail};
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// Name, program, arguments, and CIVL's CPU seconds.
type Row = (&'static str, &'static str, &'static [&'static str], Option<f64>);

const ROWS: &[Row] = &[
    ("product 5", "product.cvl", &["-inputBOUND=5"], None),
    ("product 10", "product.cvl", &["-inputBOUND=10"], Some(10.8)),
    ("associativity 5", "associativity.cvl", &["-inputBOUND=5"], None),
    ("associativity 10", "associativity.cvl", &["-inputBOUND=10"], Some(23.3)),
    ("strassen 4", "strassen.cvl", &["-inputBOUND=4"], None),
    ("strassen 8", "strassen.cvl", &["-inputBOUND=8"], Some(8.2)),
    ("strassen 16", "strassen.cvl", &["-inputBOUND=16"], Some(104.6)),
    ("tree 3", "tree.cvl", &["-inputDEPTH=3"], None),
    ("tree 4", "tree.cvl", &["-inputDEPTH=4"], Some(7.6)),
    ("tree 5", "tree.cvl", &["-inputDEPTH=5"], Some(103.9)),
    ("tree 6", "tree.cvl", &["-inputDEPTH=6"], None),
    ("barrier 2", "barrier.cvl", &["-inputN=2"], None),
    ("barrier 3", "barrier.cvl", &["-inputN=3"], Some(7.8)),
    ("barrier 4", "barrier.cvl", &["-inputN=4"], Some(28.1)),
    ("barrier 5", "barrier.cvl", &["-inputN=5"], Some(191.0)),
    ("barrier 6", "barrier.cvl", &["-inputN=6"], None),
    ("barrier 4 in full", "barrier.cvl", &["-inputN=4", "--no-reduction"], None),
    ("faulty barrier 2", "barrier.cvl", &["-inputN=2", "--min", "-DFAULTY"], Some(3.3)),
];

/// `bench-verify [--quod FILE] [--timeout SECONDS] [--threads N] [FILTER]`
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let mut binary = PathBuf::from("target/release/quod");
    let mut timeout = "300".to_owned();
    let mut threads = "1".to_owned();
    let mut filter = String::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--quod" => binary = words.next().map_or(binary, PathBuf::from),
            "--timeout" => timeout = words.next().cloned().unwrap_or(timeout),
            "--threads" => threads = words.next().cloned().unwrap_or(threads),
            other => filter = other.to_owned(),
        }
    }
    if !binary.exists() {
        bail!("there is no {}: run `cargo build --release` first, or say --quod FILE", binary.display());
    }
    println!(
        "{:<18} {:>9} {:>9} {:>10} {:>10} {:>8} {:>9} {:>7}  result",
        "", "CPU s", "wall s", "states", "states/s", "MB", "CIVL s", "times"
    );
    for (name, program, options, civl) in ROWS.iter().filter(|row| row.0.contains(&filter)) {
        let (before, start) = (children_seconds(), Instant::now());
        let output = Command::new(&binary)
            .args(["verify", "--timeout", &timeout, "--threads", &threads])
            .args(*options)
            .arg(format!("examples/verifythis/{program}"))
            .output()?;
        let (seconds, wall) = (children_seconds() - before, start.elapsed().as_secs_f64());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let figure = |field: &str| -> Option<f64> {
            let line = text.lines().find(|line| line.trim_start().starts_with(field))?;
            line.split(':').nth(1)?.trim().parse().ok()
        };
        let count = |field: &str| figure(field).map_or("?".into(), |value| format!("{value:.0}"));
        let memory = figure("memory").map_or("?".into(), |bytes| format!("{:.0}", bytes / 1e6));
        let factor = civl.map_or(String::new(), |civl| format!("{:.0}", civl / seconds.max(1e-3)));
        let civl = civl.map_or(String::new(), |civl| format!("{civl:.1}"));
        let result = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        println!(
            "{name:<18} {seconds:>9.2} {wall:>9.2} {:>10} {:>10} {memory:>8} {civl:>9} {factor:>7}  {result}",
            count("states "),
            figure("states ").map_or("?".into(), |states| format!("{:.0}", states / seconds.max(1e-3))),
        );
    }
    Ok(())
}

/// CPU seconds of all commands that have ended.
fn children_seconds() -> f64 {
    // SAFETY: `getrusage` only writes the structure that it is given.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}
