//! Small helpers for commands: where the repository is, and running programs with their output shown or captured.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("xtask"), PathBuf::from);
    manifest.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// A command that starts in the repository's root.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// The cargo that runs us, or the one on the path.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    command(&cargo, arguments)
}

/// Runs a command with its output shown; an error if it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
    let program = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    eprintln!("$ {program} {}", words.join(" "));
    let status = command.status().with_context(|| format!("cannot start {program}"))?;
    if !status.success() {
        bail!("`{program} {}` failed: {status}", words.join(" "));
    }
    Ok(())
}

/// Whether a program can be started and succeeds, quietly.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// The number behind `--name`, or the default.
pub(crate) fn number_option(arguments: &[String], name: &str, default: u64) -> Result<u64> {
    match option(arguments, name)? {
        Some(text) => text.parse().with_context(|| format!("{name} wants a number, not `{text}`")),
        None => Ok(default),
    }
}

/// The word behind `--name`.
pub(crate) fn option<'a>(arguments: &'a [String], name: &str) -> Result<Option<&'a str>> {
    match arguments.iter().position(|argument| argument == name) {
        Some(at) => Ok(Some(arguments.get(at + 1).with_context(|| format!("{name} wants a value"))?)),
        None => Ok(None),
    }
}

/// Builds quod with optimisation and says where it is; the variable `QUOD` names a binary that is there already.
pub(crate) fn release_binary() -> Result<PathBuf> {
    if let Some(binary) = std::env::var_os("QUOD") {
        return Ok(PathBuf::from(binary));
    }
    run(&mut cargo(&["build", "--release", "--quiet", "-p", "quod-cli"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(target.join("release/quod"))
}

/// All files with an ending below a folder whose path contains the text, in order.
pub(crate) fn files_below(folder: &Path, extension: &str, only: Option<&str>) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries.flatten() {
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension)
                && only.is_none_or(|only| path.to_string_lossy().contains(only))
            {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// CPU seconds of a process: of the scheduler, to the nanosecond, or, where it does not tell, of the clock's ticks.
pub(crate) fn process_cpu(id: u32) -> f64 {
    let read = |file: &str| std::fs::read_to_string(format!("/proc/{id}/{file}")).unwrap_or_default();
    // One line a thread; the process's own file has only the first one's.
    let mut nanoseconds = 0u64;
    for thread in std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        nanoseconds += text.split_whitespace().next().and_then(|field| field.parse::<u64>().ok()).unwrap_or(0);
    }
    if nanoseconds > 0 {
        return nanoseconds as f64 * 1e-9;
    }
    let text = read("stat");
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}
