//! Accepts the present output of the golden tests and of the book's examples as the expected one.

use crate::shell::{cargo, run as run_command};
use anyhow::Result;

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let mut command = cargo(&["test", "--quiet", "--package", "quod-cli", "--test", "golden", "--"]);
    run_command(command.args(arguments).env("QUOD_BLESS", "1"))
}
