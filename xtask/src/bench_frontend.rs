//! How fast the front end is, beside gcc in the same run: `cargo xtask bench-frontend [FILE …]`.
//!
//! Without files it writes programs of 1, 10 and 100 copies of a module (with the copy's number in every name), so that
//! the growth shows. Each row: size, MB/s of user time and peak memory per MB, for `quod show --layout` (preprocess,
//! parse, types, lowering) and `gcc -fsyntax-only`, the best of three runs each.

use crate::shell;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let quod = shell::release_binary()?;
    let scratch = std::env::temp_dir().join(format!("quod-frontend-{}", std::process::id()));
    std::fs::create_dir_all(&scratch)?;
    let mut files: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
    if files.is_empty() {
        for copies in [1, 10, 100] {
            let path = scratch.join(format!("copies-{copies}.c"));
            std::fs::write(&path, module_copies(copies * 20))?;
            files.push(path);
        }
    }
    println!(
        "{:32} {:>8} {:>12} {:>12} {:>7} {:>12} {:>12}",
        "file", "MB", "quod MB/s", "gcc MB/s", "ratio", "quod MB/MB", "gcc MB/MB"
    );
    for file in &files {
        let megabytes =
            std::fs::metadata(file).with_context(|| format!("cannot read {}", file.display()))?.len() as f64 / 1e6;
        let ours = best(|| measured(Command::new(&quod).args(["show", "--layout"]).arg(file)))?;
        let gcc = best(|| measured(Command::new("gcc").args(["-w", "-fsyntax-only"]).arg(file)))?;
        let name = Path::new(file.file_name().unwrap_or_default()).display().to_string();
        println!(
            "{name:32} {megabytes:8.2} {:12.1} {:12.1} {:7.2} {:12.1} {:12.1}",
            megabytes / ours.seconds,
            megabytes / gcc.seconds,
            gcc.seconds / ours.seconds,
            ours.peak / megabytes,
            gcc.peak / megabytes
        );
    }
    std::fs::remove_dir_all(&scratch)?;
    Ok(())
}

/// CPU seconds and peak resident megabytes of a command.
#[derive(Copy, Clone)]
pub(crate) struct Usage {
    pub(crate) seconds: f64,
    pub(crate) peak: f64,
}

fn best(mut measure: impl FnMut() -> Result<Usage>) -> Result<Usage> {
    let mut best = measure()?;
    for _ in 0..2 {
        let next = measure()?;
        if next.seconds < best.seconds {
            best = next;
        }
    }
    Ok(best)
}

/// Runs a command to its end, its output thrown away.
pub(crate) fn measured(command: &mut Command) -> Result<Usage> {
    measured_with_output(command.stdout(Stdio::null()).stderr(Stdio::null()))
}

/// Runs a command to its end; its output goes where the command says.
pub(crate) fn measured_with_output(command: &mut Command) -> Result<Usage> {
    let child = command.stdin(Stdio::null()).spawn()?;
    let mut status = 0;
    // SAFETY: all fields of `rusage` are plain numbers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointers are to live locals, and the child is ours and not waited for elsewhere.
    let waited = unsafe { libc::wait4(child.id() as libc::pid_t, &mut status, 0, &mut usage) };
    anyhow::ensure!(waited > 0, "cannot wait for the command");
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Ok(Usage {
        seconds: (seconds(usage.ru_utime) + seconds(usage.ru_stime)).max(1e-4),
        peak: usage.ru_maxrss as f64 * 1024.0 / 1e6,
    })
}

/// A module of ordinary C: types, tables, loops, strings, switches, pointers to functions.
fn module_copies(copies: u32) -> String {
    let module = r#"
struct item_N { int key; unsigned flags : 3; const char *name; struct item_N *next; double weight[4]; };
enum kind_N { FIRST_N, SECOND_N = 5, THIRD_N };
typedef int (*handler_N)(struct item_N *, int);
static const char *names_N[] = { "alpha", "beta", "gamma", [5] = "zeta" };
static struct item_N *head_N;
static int add_N(struct item_N *item, int value) { return item ? item->key + value : -1; }
static int scale_N(struct item_N *item, int value) { return item->key * value << 1; }
static const handler_N handlers_N[] = { add_N, scale_N };
static int length_N(const struct item_N *list) {
    int count = 0;
    for (const struct item_N *at = list; at != 0; at = at->next) count++;
    return count;
}
int dispatch_N(enum kind_N kind, int value) {
    int result = 0;
    switch (kind) {
    case FIRST_N: result = handlers_N[0](head_N, value); break;
    case SECOND_N: result = handlers_N[1](head_N, value); /* falls through */
    case THIRD_N: result += length_N(head_N); break;
    default: do { result -= value % 7; } while (result > 0 && --value);
    }
    if ((value & 0xffu) == 17u || !names_N[value & 3]) { result ^= ~value; } else result = (result >> 2) | (value << 3);
    return result;
}
double sum_N(const double *values, unsigned long count) {
    double total = 0.0, error = 0.0;
    while (count-- > 0) { double y = *values++ - error, t = total + y; error = (t - total) - y; total = t; }
    return total * 1.5e-3 + (double)length_N(head_N);
}
"#;
    let mut text = String::from("#define LIMIT(x) ((x) > 10 ? 10 : (x))\n");
    for copy in 0..copies {
        text.push_str(&module.replace("_N", &format!("_{copy}")));
    }
    text.push_str("int main(void) { return LIMIT(12) - 10; }\n");
    text
}
