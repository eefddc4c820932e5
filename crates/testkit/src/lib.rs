//! Golden-file harness: programs with their expected output beside them, run by the real binary, compared with readable
//! differences, accepted with one command (`cargo xtask bless`).
//!
//! A suite is a folder of `tests/`. A case is a program in it (`*.c`, `*.cvl`, `*.i`), or a folder with a `main.c`. Comments
//! in its first lines say how it is run; see [`case::Case`]. The console examples of Markdown files are cases, too; see
//! [`book`].
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods)]

pub mod book;
pub mod case;
pub mod diff;
pub mod mutation;
pub mod normalise;
pub mod oracle;
pub mod process;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// What all cases share.
pub struct Harness {
    /// The repository's root.
    pub root: PathBuf,
    /// The binary under test.
    pub binary: PathBuf,
    /// Accept what comes out instead of comparing.
    pub is_blessing: bool,
}

/// The main function of a test binary: every suite of `tests/` and the examples of the Markdown files.
pub fn main(root: &Path, binary: &Path, suites: &[&str], books: &[&str]) -> ExitCode {
    let arguments = Arguments::from_args();
    let is_blessing = std::env::var_os("QUOD_BLESS").is_some();
    let harness = Arc::new(Harness { root: root.to_path_buf(), binary: binary.to_path_buf(), is_blessing });
    let mut trials = Vec::new();
    for suite in suites {
        for path in case::find(&root.join("tests").join(suite)) {
            let name = path.strip_prefix(root.join("tests")).unwrap_or(&path).to_string_lossy().into_owned();
            let (harness, suite) = (Arc::clone(&harness), (*suite).to_owned());
            trials.push(Trial::test(name, move || case::run(&harness, &suite, &path).map_err(Failed::from)));
        }
    }
    for path in books.iter().flat_map(|book| book::find(&root.join(book))) {
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        let harness = Arc::clone(&harness);
        trials.push(Trial::test(name, move || book::run(&harness, &path).map_err(Failed::from)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
