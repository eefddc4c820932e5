//! Coverage-guided fuzzing: `cargo xtask fuzz TARGET [--minutes N]` with target preprocess, parse or
//! lower.
//!
//! The targets (folder `fuzz/`, a workspace of its own) are libFuzzer programs. Coverage comes from LLVM's pass, which the
//! stable compiler can be asked for with `-C`, so neither nightly nor cargo-fuzz is needed. Seeds are the programs of this
//! repository; what the fuzzer learns stays in `fuzz/corpus/TARGET`, what it finds in `fuzz/artifacts/TARGET`.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

const TARGETS: [&str; 3] = ["preprocess", "parse", "lower"];

const INSTRUMENTATION: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg=fuzzing",
];

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let Some(target) = arguments.first().filter(|name| TARGETS.contains(&name.as_str())) else {
        bail!("say what to fuzz: {}", TARGETS.join(", "));
    };
    let minutes = shell::number_option(arguments, "--minutes", 10)?;
    let folder = shell::root().join("fuzz");
    let binary = build(&folder, target)?;
    let (corpus, artifacts) = (folder.join("corpus").join(target), folder.join("artifacts").join(target));
    let seeds = folder.join("corpus/seeds");
    for folder in [&corpus, &artifacts, &seeds] {
        std::fs::create_dir_all(folder)?;
    }
    collect_seeds(&seeds)?;
    let mut fuzzer = std::process::Command::new(binary);
    fuzzer
        .args([&corpus, &seeds])
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg(format!("-dict={}", folder.join("c.dict").display()))
        .arg(format!("-max_total_time={}", minutes * 60))
        .args(["-max_len=8192", "-timeout=30", "-rss_limit_mb=2048", "-print_final_stats=1"]);
    shell::run(&mut fuzzer).with_context(|| format!("a finding is in {}", artifacts.display()))
}

fn build(folder: &Path, target: &str) -> Result<PathBuf> {
    let version = std::process::Command::new("rustc").arg("-vV").output().context("cannot start rustc")?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc does not name its host")?;
    // With a target named, build scripts and macros stay without instrumentation.
    let mut cargo = shell::cargo(&["build", "--release", "--bin", target, "--target", host]);
    cargo.current_dir(folder).env("RUSTFLAGS", INSTRUMENTATION.join(" ")).env_remove("CARGO_TARGET_DIR");
    shell::run(&mut cargo)?;
    Ok(folder.join("target").join(host).join("release").join(target))
}

/// The C and CIVL-C programs of the repository, small ones first in line.
fn collect_seeds(seeds: &Path) -> Result<()> {
    for (place, extension) in [("examples", "c"), ("examples", "cvl"), ("tests", "c"), ("tests", "cvl")] {
        for path in shell::files_below(&shell::root().join(place), extension, None)? {
            let name = path.strip_prefix(shell::root()).unwrap_or(&path).to_string_lossy().replace('/', "-");
            std::fs::copy(&path, seeds.join(name))?;
        }
    }
    Ok(())
}
