//! Only the edge prints, exits, reads the environment or touches the disk; only `solver` and `bench` (and the edge) start
//! processes. The lints of `clippy.toml` say the same at the place; this rule also catches an `allow`.

use super::File;

const EDGE: &[&str] = &["cli", "lsp", "bench", "testkit", "xtask"];

/// What gives it away, and what it is.
const TRACES: &[(&str, &str)] = &[
    ("std::fs", "touches the disk"),
    ("std::env::", "reads the environment"),
    ("println!", "prints"),
    ("eprintln!", "prints"),
    ("print!(", "prints"),
    ("std::io::stdout", "prints"),
    ("std::io::stderr", "prints"),
    ("io::stdin()", "reads standard input"),
    ("process::exit", "ends the process"),
    ("std::process::Command", "starts processes"),
    ("allow(clippy::print_", "allows printing"),
    ("allow(clippy::disallowed_methods", "allows disk and environment"),
    ("allow(clippy::exit", "allows ending the process"),
];

pub(super) fn problems(files: &[File]) -> Vec<String> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        let Some(krate) = file.krate() else { continue };
        let is_test_code = file.path.contains("/tests/") || file.path.contains("/benches/");
        if EDGE.contains(&krate) || is_test_code || file.path.contains("/examples/") {
            continue;
        }
        for (number, line) in file.text.lines().enumerate() {
            let line = line.trim();
            // Unit tests stand at the end of a file and may do as they like.
            if line == "#[cfg(test)]" {
                break;
            }
            if line.starts_with("//") {
                continue;
            }
            for (text, what) in TRACES {
                let starts_solver = krate == "solver" && *what == "starts processes";
                if line.contains(text) && !starts_solver {
                    problems.push(format!("{}:{}: `{krate}` {what} ({text})", file.path, number + 1));
                }
            }
        }
    }
    problems
}
