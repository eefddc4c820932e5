//! Files and their texts: a head in each source file, no file too long to read, no machine's paths, a README a crate.

use super::File;
use std::path::Path;

const LONGEST: usize = 1_000;

pub(super) fn problems(root: &Path, files: &[File]) -> Vec<String> {
    let mut problems = Vec::new();
    for file in files {
        let path = &file.path;
        if file.is_rust() {
            if !file.text.starts_with("//!") {
                problems.push(format!("{path}: does not open with `//!`, which says what the file is for"));
            }
            let lines = file.text.lines().count();
            if lines > LONGEST {
                problems.push(format!("{path}: {lines} lines; above {LONGEST} a file is to be divided"));
            }
            if file.text.contains(concat!("#[ig", "nore")) {
                problems.push(format!("{path}: an ignored test; known faults are tests in tests/fixme"));
            }
        }
        for (number, line) in file.text.lines().enumerate() {
            if let Some(trace) = machine_path(line) {
                problems.push(format!("{path}:{}: a path of one machine ({trace})", number + 1));
            }
        }
        let is_manifest = path.ends_with("/Cargo.toml") && !path.starts_with("fuzz/");
        if is_manifest && !file.text.contains("[lints]\nworkspace = true") {
            problems.push(format!("{path}: does not take the workspace's lints"));
        }
    }
    for entry in std::fs::read_dir(root.join("crates")).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().join("Cargo.toml").exists() && !entry.path().join("README.md").exists() {
            problems.push(format!("crates/{name}: has no README.md (a page: overview, key types, data flow)"));
        }
    }
    problems
}

/// Paths that exist only on the machine of one developer.
fn machine_path(line: &str) -> Option<&'static str> {
    let traces =
        [concat!("/ro", "ot/"), concat!("/work", "/wt"), concat!("/work", "/main"), concat!("/work", "/shared")];
    traces.into_iter().find(|trace| line.contains(trace))
}
