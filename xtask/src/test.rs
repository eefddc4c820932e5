//! The one test command: rules of the house, format, lints, all tests. It works on a machine with the Rust toolchain, gcc
//! and Python; what single tests want beyond that is installed where that is possible, and those tests say so where not.

use crate::shell::{cargo, command, run as run_command, succeeds};
use anyhow::Result;

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    install_32_bit_libraries();
    crate::tidy::run(&[])?;
    run_command(&mut cargo(&["fmt", "--all", "--check"]))?;
    run_command(&mut cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"]))?;
    let filter: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if succeeds(&mut cargo(&["nextest", "--version"])) {
        run_command(cargo(&["nextest", "run", "--workspace", "--no-fail-fast"]).args(&filter))?;
        run_command(&mut cargo(&["test", "--workspace", "--doc", "--quiet"]))?;
    } else {
        run_command(cargo(&["test", "--workspace", "--no-fail-fast"]).args(&filter))?;
    }
    Ok(())
}

/// Tests that compare with gcc in the 32-bit data model need its 32-bit libraries. Debian has them as a package; without
/// them those tests say that they compare layouts only.
fn install_32_bit_libraries() {
    let has_them = || {
        let check = "echo 'int main(void){return 0;}' | gcc -m32 -x c -o /dev/null - 2>/dev/null";
        succeeds(&mut command("sh", &["-c", check]))
    };
    if has_them() || !succeeds(&mut command("gcc", &["--version"])) {
        return;
    }
    let install = "test \"$(id -u)\" = 0 && command -v apt-get >/dev/null && \
                   { apt-get install -qy gcc-multilib || { apt-get update -q && apt-get install -qy gcc-multilib; }; }";
    if !succeeds(command("sh", &["-c", install]).env("DEBIAN_FRONTEND", "noninteractive")) || !has_them() {
        eprintln!(
            "note: gcc -m32 does not link here (Debian: apt-get install gcc-multilib); some comparisons are skipped"
        );
    }
}
