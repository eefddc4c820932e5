//! The golden tests: every program of `tests/` and every console example of the Markdown files, run by the binary.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().unwrap_or(root);
    let suites = ["run", "verify", "witness", "diag", "show", "fixme"];
    quod_testkit::main(&root, Path::new(env!("CARGO_BIN_EXE_quod")), &suites, &["README.md", "docs/book/src"])
}
