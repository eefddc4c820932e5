//! Random C programs from csmith: `quod run` and gcc's binary must print the same checksum.
//!
//! `cargo xtask csmith --seeds A..B [--floats] [--model LP64|ILP32|both] [--timeout SECONDS] [--keep DIR]`. A program whose
//! binary needs over half a second, or that gcc does not compile, is left out and counted. Differences end with an error.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(Clone, Debug, PartialEq, Eq)]
enum Fate {
    Same,
    LeftOut(&'static str),
    Different(String),
}

struct Campaign {
    quod: PathBuf,
    headers: PathBuf,
    scratch: PathBuf,
    keep: Option<PathBuf>,
    models: Vec<&'static str>,
    has_floats: bool,
    timeout: Duration,
}

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let seeds = shell::option(arguments, "--seeds")?.unwrap_or("1..21");
    let (first, last) = seeds.split_once("..").context("--seeds wants A..B")?;
    let (first, last): (u64, u64) = (first.parse()?, last.parse()?);
    let models = match shell::option(arguments, "--model")?.unwrap_or("both") {
        "LP64" => vec!["LP64"],
        "ILP32" => vec!["ILP32"],
        _ => vec!["LP64", "ILP32"],
    };
    let headers = ["/usr/include/csmith", "/usr/include/csmith-2.3.0", "/usr/local/include/csmith-2.3.0"]
        .into_iter()
        .map(PathBuf::from)
        .find(|path| path.join("csmith.h").exists())
        .context("csmith's headers are not installed")?;
    let campaign = Campaign {
        quod: shell::release_binary()?,
        headers,
        scratch: std::env::temp_dir().join(format!("quod-csmith-{}", std::process::id())),
        keep: shell::option(arguments, "--keep")?.map(PathBuf::from),
        models,
        has_floats: arguments.iter().any(|argument| argument == "--floats"),
        timeout: Duration::from_secs(shell::number_option(arguments, "--timeout", 120)?),
    };
    std::fs::create_dir_all(&campaign.scratch)?;
    let next = AtomicU64::new(first);
    let fates = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= last {
                        break;
                    }
                    for (model, fate) in campaign.compare(seed) {
                        if let Fate::Different(why) = &fate {
                            eprintln!("seed {seed} {model}: {why}");
                        }
                        if let Ok(mut fates) = fates.lock() {
                            fates.insert((seed, model), fate);
                        }
                    }
                }
            });
        }
    });
    std::fs::remove_dir_all(&campaign.scratch)?;
    let fates = fates.into_inner().unwrap_or_default();
    let count = |wanted: fn(&Fate) -> bool| fates.values().filter(|fate| wanted(fate)).count();
    let different = count(|fate| matches!(fate, Fate::Different(_)));
    println!(
        "{} runs: {} same, {different} different, {} left out (gcc's binary too slow: {}, does not compile: {})",
        fates.len(),
        count(|fate| *fate == Fate::Same),
        count(|fate| matches!(fate, Fate::LeftOut(_))),
        count(|fate| *fate == Fate::LeftOut("slow")),
        count(|fate| *fate == Fate::LeftOut("gcc")),
    );
    if different > 0 {
        bail!("{different} programs differ");
    }
    Ok(())
}

impl Campaign {
    fn compare(&self, seed: u64) -> Vec<(&'static str, Fate)> {
        let source = self.scratch.join(format!("{seed}.c"));
        let mut csmith = Command::new("csmith");
        // It writes a file of its own into the present folder.
        csmith.args(["--seed", &seed.to_string(), "--output"]).arg(&source).current_dir(&self.scratch);
        if self.has_floats {
            csmith.arg("--float");
        }
        if !shell::succeeds(&mut csmith) {
            return self.models.iter().map(|&model| (model, Fate::LeftOut("csmith"))).collect();
        }
        let fates: Vec<_> = self.models.iter().map(|&model| (model, self.run_both(&source, seed, model))).collect();
        if let Some(folder) = &self.keep
            && fates.iter().any(|(_, fate)| matches!(fate, Fate::Different(_)))
        {
            let _ = std::fs::create_dir_all(folder);
            let _ = std::fs::copy(&source, folder.join(format!("{seed}.c")));
        }
        let _ = std::fs::remove_file(&source);
        fates
    }

    fn run_both(&self, source: &Path, seed: u64, model: &'static str) -> Fate {
        let binary = self.scratch.join(format!("{seed}-{model}"));
        let width = if model == "LP64" { "-m64" } else { "-m32" };
        let mut gcc = Command::new("gcc");
        gcc.args(["-w", "-O0", width, "-msse2", "-mfpmath=sse", "-I"])
            .arg(&self.headers)
            .arg(source)
            .arg("-o")
            .arg(&binary);
        if !shell::succeeds(&mut gcc) {
            return Fate::LeftOut("gcc");
        }
        let expected = output(&mut Command::new(&binary), Duration::from_millis(500));
        let _ = std::fs::remove_file(&binary);
        let Some(expected) = expected else { return Fate::LeftOut("slow") };
        let mut quod = Command::new(&self.quod);
        quod.args(["run", "--data-model", model, "-I"]).arg(&self.headers).arg(source);
        if self.has_floats {
            // csmith does not guard conversions of floats that the integer type cannot hold.
            quod.args(["--unchecked", "invalid-cast"]);
        }
        match output(&mut quod, self.timeout) {
            Some(found) if found.0 == expected.0 => Fate::Same,
            Some(found) => {
                let text = String::from_utf8_lossy(&found.0).lines().last().unwrap_or("").to_owned();
                let message = String::from_utf8_lossy(&found.1).lines().next().unwrap_or("").to_owned();
                Fate::Different(format!(
                    "gcc `{}`, quod `{text}` {message}",
                    String::from_utf8_lossy(&expected.0).trim_end()
                ))
            }
            None => Fate::Different("quod needs too long".into()),
        }
    }
}

/// What a command writes, unless it needs too long.
fn output(command: &mut Command, limit: Duration) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().ok()?;
    let (mut stdout, mut stderr) = (child.stdout.take()?, child.stderr.take()?);
    let readers = (std::thread::spawn(move || read(&mut stdout)), std::thread::spawn(move || read(&mut stderr)));
    let start = Instant::now();
    let is_done = loop {
        match child.try_wait() {
            Ok(Some(_)) => break true,
            Ok(None) if start.elapsed() < limit => std::thread::sleep(Duration::from_millis(2)),
            _ => break false,
        }
    };
    if !is_done {
        let _ = child.kill();
        let _ = child.wait();
    }
    let texts = (readers.0.join().ok()?, readers.1.join().ok()?);
    is_done.then_some(texts)
}

fn read(stream: &mut impl std::io::Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    bytes
}
