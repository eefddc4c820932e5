//! How much slower `quod run` is than gcc -O0: three kernels (arithmetic, memory, calls), as ratios of one run.
//!
//! `cargo xtask bench-interp [--runs N]`. The kernels time themselves with `clock()` under gcc; under quod the whole run is
//! measured and the time of an empty program taken off.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const KERNELS: [(&str, &str); 3] = [
    (
        "arithmetic",
        "unsigned s = 1; long t = 0;
         for (int i = 0; i < n; i++) { s = s * 1103515245u + 12345u; t += (int)(s >> 16) % 7 - i % 3; if (t > 1000000) t /= 2; }
         return (int)(t ^ (long)s);",
    ),
    (
        "memory",
        "static int a[1024], b[1024]; for (int i = 0; i < 1024; i++) { a[i] = i; b[i] = 0; }
         int j = 0;
         for (int i = 0; i < n; i++) { b[j] = a[i & 1023] + b[(j + 1) & 1023]; j = (j + 7) & 1023; b[j] ^= a[j]; }
         return b[5] ^ b[77];",
    ),
    ("calls", "int s = 0; for (int i = 0; i < n; i++) s += step(s & 255, i & 15); return s;"),
];

fn program(body: &str, count: u64) -> String {
    format!(
        "#include <stdio.h>
static int leaf(int x) {{ return x + 3; }}
static int step(int a, int b) {{ return leaf(a) - leaf(b) + (a & b); }}
static int kernel(int n) {{ {body} }}
int main(void) {{ (void)step; printf(\"%d\\n\", kernel({count})); return 0; }}
"
    )
}

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let runs = shell::number_option(arguments, "--runs", 3)?;
    let quod = shell::release_binary()?;
    let scratch = std::env::temp_dir().join(format!("quod-interp-{}", std::process::id()));
    std::fs::create_dir_all(&scratch)?;
    println!("{:<12} {:>12} {:>12} {:>8}", "kernel", "gcc -O0", "quod run", "ratio");
    for (name, body) in KERNELS {
        // Many rounds for the binary, fewer for us; both per round.
        let reference = per_round(body, 200_000_000, runs, &scratch, |source, binary| {
            shell::run(Command::new("gcc").args(["-w", "-O0", "-o"]).arg(binary).arg(source))?;
            Ok(Command::new(binary))
        })?;
        let ours = per_round(body, 5_000_000, runs, &scratch, |source, _| {
            let mut command = Command::new(&quod);
            command.arg("run").arg(source);
            Ok(command)
        })?;
        println!("{name:<12} {:>9.2} ns {:>9.2} ns {:>7.1}x", reference * 1e9, ours * 1e9, ours / reference);
    }
    std::fs::remove_dir_all(&scratch)?;
    Ok(())
}

/// Seconds of one round: the best of several runs, less the best of runs that do nothing.
fn per_round(
    body: &str,
    count: u64,
    runs: u64,
    scratch: &Path,
    mut prepare: impl FnMut(&Path, &Path) -> Result<Command>,
) -> Result<f64> {
    let mut best = |count: u64| -> Result<Duration> {
        let source = scratch.join("kernel.c");
        std::fs::write(&source, program(body, count))?;
        let mut command = prepare(&source, &scratch.join("kernel"))?;
        let mut best = Duration::MAX;
        for _ in 0..runs {
            let start = Instant::now();
            let output = command.output().context("cannot start the kernel")?;
            if !output.status.success() {
                bail!("the kernel fails: {}", String::from_utf8_lossy(&output.stderr));
            }
            best = best.min(start.elapsed());
        }
        Ok(best)
    };
    let empty = best(1)?;
    let full = best(count)?;
    Ok(full.saturating_sub(empty).as_secs_f64() / count as f64)
}
