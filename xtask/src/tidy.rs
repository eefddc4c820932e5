//! The rules of the house, checked: the crate graph, what each crate may touch, the registry of codes, files and texts.
//! One rule a file; each gives the list of its problems.

mod codes;
mod graph;
mod purity;
mod texts;

use crate::shell;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

pub(crate) fn run(_arguments: &[String]) -> Result<()> {
    let problems = problems(&shell::root())?;
    for problem in &problems {
        eprintln!("tidy: {problem}");
    }
    match problems.len() {
        0 => Ok(()),
        1 => bail!("the repository is not tidy: 1 problem"),
        count => bail!("the repository is not tidy: {count} problems"),
    }
}

/// A file of the repository with its text; paths are relative to the root, with `/`.
pub(crate) struct File {
    path: String,
    text: String,
}

impl File {
    /// The crate's folder name for files of a crate: `crates/diag/src/lib.rs` is of `diag`.
    fn krate(&self) -> Option<&str> {
        match self.path.strip_prefix("crates/") {
            Some(rest) => rest.split('/').next(),
            None => self.path.starts_with("xtask/").then_some("xtask"),
        }
    }
    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }
}

fn problems(root: &Path) -> Result<Vec<String>> {
    let files = files(root)?;
    let mut problems = graph::problems(root)?;
    problems.extend(purity::problems(&files));
    problems.extend(codes::problems(&files));
    problems.extend(texts::problems(root, &files));
    problems.sort();
    Ok(problems)
}

/// All text files that belong to the repository: what git tracks or would track.
fn files(root: &Path) -> Result<Vec<File>> {
    let mut git = std::process::Command::new("git");
    let output = git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root).output();
    let listed = match output {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        _ => walk(root),
    };
    let mut paths: Vec<&str> = listed.split('\0').filter(|path| !path.is_empty()).collect();
    paths.sort_unstable();
    paths.dedup();
    let mut files = Vec::new();
    for path in paths {
        let full = root.join(path);
        if !full.is_file() {
            continue;
        }
        let bytes = std::fs::read(&full).with_context(|| format!("cannot read {path}"))?;
        if let Ok(text) = String::from_utf8(bytes) {
            files.push(File { path: path.to_owned(), text });
        }
    }
    Ok(files)
}

/// Without git (an unpacked archive): every file outside `target` and hidden folders.
fn walk(root: &Path) -> String {
    let mut paths = String::new();
    let mut folders: Vec<PathBuf> = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                if name != "target" && !name.starts_with('.') {
                    folders.push(path);
                }
            } else if let Ok(relative) = path.strip_prefix(root) {
                paths.push_str(&relative.to_string_lossy().replace('\\', "/"));
                paths.push('\0');
            }
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_repository_is_tidy() {
        let problems = super::problems(&crate::shell::root()).expect("the repository can be read");
        assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    }
}
