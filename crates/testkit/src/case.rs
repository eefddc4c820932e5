//! One program with its expected output beside it: `x.c`, `x.stdout`, `x.stderr`.

use crate::process::{Output, run as run_process};
use crate::{Harness, diff, normalise};
use std::path::{Path, PathBuf};

/// What the comments at a program's start say:
///
/// ```c
/// // args: run --data-model ILP32 {} -- 1 2     the words behind `quod`; `{}` is the program (default: by suite)
/// // exit: 125                                  the expected exit code (default: 0)
/// // stdin: 3 4\n                               what the program reads, with \n and \t
/// // fixme: prints 5 instead of 4               what is wrong with the expected output (only in tests/fixme, a must)
/// ```
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Case {
    pub args: Option<String>,
    pub exit: i32,
    pub stdin: String,
    pub fixme: Option<String>,
}

impl Case {
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut case = Self::default();
        for line in text.lines().map_while(|line| line.strip_prefix("//")) {
            let Some((key, value)) = line.trim().split_once(": ") else { continue };
            let value = value.trim();
            match key {
                "args" => case.args = Some(value.to_owned()),
                "exit" => case.exit = value.parse().map_err(|_| format!("`{value}` is not an exit code"))?,
                "stdin" => case.stdin = value.replace("\\n", "\n").replace("\\t", "\t"),
                "fixme" => case.fixme = Some(value.to_owned()),
                _ => {}
            }
        }
        Ok(case)
    }
}

/// The cases of a suite in the order of their names: programs, and folders with a `main.c`.
pub fn find(suite: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(suite).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_program = path.extension().is_some_and(|ext| ["c", "cvl", "i"].iter().any(|known| ext == *known));
        if path.is_dir() {
            paths.extend(["main.c", "main.cvl"].map(|main| path.join(main)).into_iter().filter(|main| main.is_file()));
        } else if is_program {
            paths.push(path);
        }
    }
    paths.sort();
    paths
}

/// Runs one case and compares, or accepts what came out.
pub fn run(harness: &Harness, suite: &str, path: &Path) -> Result<(), String> {
    let read = || std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let text = read().map_err(|error| error.to_string())?;
    let mut case = Case::parse(&text)?;
    if (suite == "fixme") != case.fixme.is_some() {
        return Err("cases of tests/fixme, and only those, say what is wrong in a line `// fixme: …`".into());
    }
    let mut output = execute(harness, suite, path, &case)?;
    if harness.is_blessing {
        if output.exit != case.exit && !output.is_crash() {
            set_exit(path, &text, output.exit)?;
            case = Case::parse(&read().map_err(|error| error.to_string())?)?;
            output = execute(harness, suite, path, &case)?;
        }
        bless(path, "stdout", &output.stdout)?;
        bless(path, "stderr", &output.stderr)?;
    }
    let mut problems = Vec::new();
    if output.exit != case.exit {
        problems.push(format!("exit code {} instead of {}", output.exit_text(), case.exit));
    }
    for (stream, actual) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        let expected = std::fs::read_to_string(path.with_extension(stream)).unwrap_or_default();
        if expected != *actual {
            problems.push(format!("{stream} differs (- expected, + actual):\n{}", diff::lines(&expected, actual)));
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    problems.push(format!("command: quod {}", words(suite, path, &case).join(" ")));
    problems.push("if the new output is right: cargo xtask bless".into());
    Err(problems.join("\n"))
}

fn execute(harness: &Harness, suite: &str, path: &Path, case: &Case) -> Result<Output, String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut output = run_process(&harness.binary, &words(suite, path, case), folder, case.stdin.as_bytes())?;
    output.stdout = normalise::text(&output.stdout, &harness.root);
    output.stderr = normalise::text(&output.stderr, &harness.root);
    Ok(output)
}

/// The words behind `quod`, with the program's name relative to its own folder.
fn words(suite: &str, path: &Path, case: &Case) -> Vec<String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let by_suite = if suite == "show" { "show --model {}" } else { "run {}" };
    let args = case.args.as_deref().unwrap_or(by_suite);
    let mut words: Vec<String> = args.split_whitespace().map(|word| word.replace("{}", &name)).collect();
    if !args.contains("{}") {
        words.push(name.into_owned());
    }
    words
}

fn bless(path: &Path, stream: &str, text: &str) -> Result<(), String> {
    let target = path.with_extension(stream);
    let result = if text.is_empty() {
        match std::fs::remove_file(&target) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    } else if std::fs::read_to_string(&target).is_ok_and(|old| old == text) {
        Ok(())
    } else {
        std::fs::write(&target, text)
    };
    result.map_err(|error| format!("cannot write {}: {error}", target.display()))
}

/// Writes the exit code into the program's head, as a new first line if there is none yet.
fn set_exit(path: &Path, text: &str, exit: i32) -> Result<(), String> {
    let line = format!("// exit: {exit}");
    let old = text.lines().take_while(|line| line.starts_with("//")).find(|line| line.starts_with("// exit: "));
    let new = match old {
        Some(old) => text.replacen(old, &line, 1),
        None => format!("{line}\n{text}"),
    };
    std::fs::write(path, new).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::Case;

    #[test]
    fn heads_are_read() {
        let case =
            Case::parse("// args: run {} -- 1\n// exit: 3\n// stdin: a\\n\n// A remark.\nint main;\n// exit: 9\n");
        let expected = Case { args: Some("run {} -- 1".into()), exit: 3, stdin: "a\n".into(), fixme: None };
        assert_eq!(case, Ok(expected));
        assert!(Case::parse("// exit: soon").is_err());
    }
}
