//! What the build server runs: every check, the dependencies' licences where `cargo deny` is installed, the release build.

use crate::shell::{cargo, run as run_command, succeeds};
use anyhow::Result;

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    crate::test::run(arguments)?;
    if succeeds(&mut cargo(&["deny", "--version"])) {
        run_command(&mut cargo(&["deny", "check", "licenses", "bans", "sources"]))?;
    }
    run_command(&mut cargo(&["build", "--release", "--package", "quod-cli"]))
}
