//! The console examples in Markdown files: what stands behind `$ quod …` in a `console` block is run in the repository's
//! root, and the lines that follow must be what it prints (standard output, then standard error).

use crate::process::run as run_process;
use crate::{Harness, diff, normalise};
use std::path::{Path, PathBuf};

/// The Markdown files of a folder and of its folders, or one file.
pub fn find(path: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    if path.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            paths.extend(find(&entry.path()));
        }
    } else if path.extension().is_some_and(|extension| extension == "md") {
        paths.push(path.to_path_buf());
    }
    paths.sort();
    paths
}

/// Runs the examples of one file and compares, or writes their present output into the file.
pub fn run(harness: &Harness, path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let actual = with_outputs(&text, |command| {
        let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        let output = run_process(&harness.binary, &words, &harness.root, b"")?;
        if output.is_crash() {
            return Err(format!("`quod {command}` ended with {}:\n{}", output.exit_text(), output.stderr));
        }
        Ok(normalise::text(&(output.stdout + &output.stderr), &harness.root))
    })?;
    if actual == text {
        return Ok(());
    }
    if harness.is_blessing {
        return std::fs::write(path, actual).map_err(|error| error.to_string());
    }
    Err(format!(
        "examples differ (- in the text, + actual):\n{}\nif the new output is right: cargo xtask bless",
        diff::lines(&text, &actual)
    ))
}

/// The text with the output of each `$ quod …` in `console` blocks replaced by what `execute` gives for it.
fn with_outputs(text: &str, mut execute: impl FnMut(&str) -> Result<String, String>) -> Result<String, String> {
    let mut out = String::new();
    // The backticks of the open block; output with code blocks of its own wants four of them.
    let mut fence: Option<&str> = None;
    let mut is_console = false;
    let mut is_output_of_ours = false;
    for line in text.split_inclusive('\n') {
        let backticks = &line[..line.len() - line.trim_start_matches('`').len()];
        if fence.is_none() && backticks.len() >= 3 {
            fence = Some(backticks);
            is_console = line.trim_end().strip_prefix(backticks) == Some("console");
        } else if fence.is_some_and(|fence| line.trim_end() == fence) {
            (fence, is_console, is_output_of_ours) = (None, false, false);
        } else if is_console && line.starts_with("$ ") {
            out.push_str(line);
            let command = line["$ ".len()..].trim();
            is_output_of_ours = command.starts_with("quod ");
            if let Some(command) = command.strip_prefix("quod ") {
                let output = execute(command)?;
                out.push_str(output.trim_end());
                if !output.trim_end().is_empty() {
                    out.push('\n');
                }
            }
            continue;
        }
        if !is_output_of_ours {
            out.push_str(line);
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    #[test]
    fn outputs_are_replaced() {
        let text = "```console\n$ quod a\nold\n$ ls\nkept\n```\n\n```c\n$ quod b\n```\n";
        let new = super::with_outputs(text, |command| Ok(format!("<{command}>\n"))).unwrap();
        assert_eq!(new, "```console\n$ quod a\n<a>\n$ ls\nkept\n```\n\n```c\n$ quod b\n```\n");
        let nested = "````console\n$ quod a\n```c\nold\n```\n````\nend\n";
        let new = super::with_outputs(nested, |_| Ok("```c\nnew\n```\n".to_owned())).unwrap();
        assert_eq!(new, "````console\n$ quod a\n```c\nnew\n```\n````\nend\n");
    }
}
