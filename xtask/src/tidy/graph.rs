//! The crate graph: what each crate may know. Engines depend neither on `syntax` nor on each other. Dependencies of tests
//! are free.

use crate::shell;
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::Path;

/// A crate and the crates of this workspace that it may depend on. `*` stands for all: the edge puts the pieces together.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("diag", &["base"]),
    ("verdict", &["base", "diag"]),
    ("syntax", &["base", "diag"]),
    ("model", &["base", "diag", "verdict", "syntax"]),
    ("term", &["base"]),
    ("solver", &["base", "verdict", "term"]),
    ("exec", &["base", "diag", "verdict", "model", "term"]),
    ("explore", &["base", "verdict"]),
    ("verify", &["base", "diag", "verdict", "model", "exec", "term", "solver", "explore", "witness"]),
    ("prove", &["base", "diag", "verdict", "model", "exec", "term", "solver", "explore"]),
    ("equiv", &["base", "diag", "verdict", "model", "exec", "term", "solver", "explore"]),
    ("ltl", &["base", "diag", "verdict", "model", "exec", "term", "solver", "explore"]),
    ("witness", &["base", "diag", "verdict", "syntax"]),
    ("bench", &["base", "diag", "verdict", "report"]),
    ("report", &["base", "diag", "verdict", "witness"]),
    ("cli", &["*"]),
    ("lsp", &["*"]),
    ("testkit", &["base", "diag"]),
    ("xtask", &["*"]),
];

pub(super) fn problems(root: &Path) -> Result<Vec<String>> {
    let output = shell::cargo(&["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root)
        .output()
        .context("cannot run cargo metadata")?;
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata gives no JSON")?;
    let mut problems = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = short(package["name"].as_str().unwrap_or_default());
        let Some((_, known)) = MAY_KNOW.iter().find(|(krate, _)| *krate == name) else {
            problems.push(format!("crate `{name}` is not in the table of xtask/src/tidy/graph.rs"));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let is_ours = !dependency["path"].is_null();
            if !is_ours || dependency["kind"] == "dev" {
                continue;
            }
            let target = short(dependency["name"].as_str().unwrap_or_default());
            if !known.contains(&"*") && !known.contains(&target) {
                problems.push(format!("crate `{name}` depends on `{target}`, which it must not know"));
            }
        }
    }
    Ok(problems)
}

fn short(name: &str) -> &str {
    name.strip_prefix("quod-").unwrap_or(name)
}
