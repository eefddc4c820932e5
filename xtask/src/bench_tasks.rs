//! CPU time and memory of `quod verify` on C programs that grow, phase by phase, beside CBMC in the same run.
//!
//! `cargo xtask bench-tasks [--cbmc FILE] [--timeout SECONDS] [FILTER]`. The programs are written here, each in three sizes:
//! small, medium, large. Phases come from `--explain-strategy`. Under each family stands how its phases grow: the exponent
//! `e` of `time ~ size^e` from the smallest to the largest size (1 is linear; times below 5 ms are not compared).

use crate::bench_frontend::{Usage, measured_with_output};
use crate::shell;
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

struct Family {
    name: &'static str,
    property: &'static str,
    sizes: [usize; 3],
    write: fn(usize) -> String,
    /// How often CBMC must unwind loops.
    unwind: fn(usize) -> usize,
    cbmc: &'static [&'static str],
}

const FAMILIES: &[Family] = &[
    Family {
        name: "functions",
        property: "unreach-call",
        sizes: [100, 1000, 10_000],
        write: functions,
        unwind: |_| 1,
        cbmc: &[],
    },
    Family {
        name: "branches",
        property: "unreach-call",
        sizes: [10, 30, 90],
        write: branches,
        unwind: |_| 1,
        cbmc: &[],
    },
    Family {
        name: "array",
        property: "unreach-call",
        sizes: [10, 100, 1000],
        write: array,
        unwind: |size| size + 1,
        cbmc: &[],
    },
    Family {
        name: "list",
        property: "valid-memsafety",
        sizes: [5, 20, 80],
        write: list,
        unwind: |size| size + 1,
        cbmc: &["--pointer-check", "--bounds-check", "--memory-leak-check"],
    },
    Family {
        name: "bits",
        property: "unreach-call",
        sizes: [8, 16, 32],
        write: bits,
        unwind: |size| size + 1,
        cbmc: &[],
    },
    Family {
        name: "search",
        property: "unreach-call",
        sizes: [4, 8, 16],
        write: search,
        unwind: |size| size + 1,
        cbmc: &[],
    },
    Family {
        name: "sums",
        property: "no-overflow",
        sizes: [10, 100, 1000],
        write: sums,
        unwind: |size| size + 1,
        cbmc: &["--signed-overflow-check"],
    },
];

/// One run: what it answered and what it took.
struct Measured {
    answer: String,
    usage: Usage,
    text: String,
}

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let quod = shell::release_binary()?;
    let cbmc = shell::option(arguments, "--cbmc")?.unwrap_or("cbmc").to_owned();
    let timeout = shell::number_option(arguments, "--timeout", 60)?.to_string();
    let filter = arguments.last().filter(|_| arguments.len() % 2 == 1).cloned().unwrap_or_default();
    let scratch = std::env::temp_dir().join(format!("quod-tasks-{}", std::process::id()));
    std::fs::create_dir_all(&scratch)?;
    let has_cbmc = shell::succeeds(Command::new(&cbmc).arg("--version"));
    println!(
        "{:10} {:>6} {:>6} {:>8} {:>7} {:>7}   {:>7} {:>7} {:>7} {:>7}   {:>9} {:>8} {:>7} {:>7}",
        "",
        "size",
        "KB",
        "answer",
        "CPU s",
        "MB",
        "front",
        "abstr",
        "search",
        "solving",
        "CBMC says",
        "CPU s",
        "MB",
        "times"
    );
    for family in FAMILIES.iter().filter(|family| family.name.contains(&filter)) {
        let mut rows = Vec::new();
        for size in family.sizes {
            let path = scratch.join(format!("{}-{size}.c", family.name));
            std::fs::write(&path, (family.write)(size))?;
            let kilobytes = std::fs::metadata(&path)?.len() as f64 / 1e3;
            let ours = measure(
                Command::new(&quod)
                    .args(["verify", "--explain-strategy", "--timeout", &timeout, "--property", family.property])
                    .arg(&path),
                &scratch,
                |line| {
                    line.strip_prefix("Result: ").map(|text| text.split([' ', '(']).next().unwrap_or("?").to_owned())
                },
            )?;
            let phases =
                ["front end", "abstract interpretation", "search", "solving"].map(|name| seconds(&ours.text, name));
            print!(
                "{:10} {size:6} {kilobytes:6.0} {:>8} {:7.2} {:7.0}   ",
                family.name, ours.answer, ours.usage.seconds, ours.usage.peak
            );
            print!("{:7.3} {:7.3} {:7.3} {:7.3}   ", phases[0], phases[1], phases[2], phases[3]);
            if has_cbmc {
                let unwind = (family.unwind)(size).to_string();
                let theirs = measure(
                    Command::new("timeout")
                        .args([&timeout, &cbmc, "--unwind", &unwind, "--unwinding-assertions"])
                        .args(["--no-standard-checks", "--no-malloc-may-fail"])
                        .args(family.cbmc)
                        .arg(&path),
                    &scratch,
                    |line| match line {
                        "VERIFICATION SUCCESSFUL" => Some("TRUE".into()),
                        "VERIFICATION FAILED" => Some("FALSE".into()),
                        _ => None,
                    },
                )?;
                let times = theirs.usage.seconds / ours.usage.seconds;
                let (answer, usage) = (theirs.answer, theirs.usage);
                print!("{answer:>9} {:8.2} {:7.0} {times:7.1}", usage.seconds, usage.peak);
            }
            println!();
            rows.push((size as f64, phases));
        }
        println!("{:10} grows with the exponent{}", "", growth(&rows));
    }
    let start = (0..20).map(|_| starting(&quod)).collect::<Result<Vec<f64>>>()?;
    println!("start-up: {:.1} ms, the least of 20", start.into_iter().fold(f64::MAX, f64::min) * 1e3);
    std::fs::remove_dir_all(&scratch)?;
    Ok(())
}

fn measure(command: &mut Command, scratch: &Path, answer: impl Fn(&str) -> Option<String>) -> Result<Measured> {
    let path = scratch.join("output");
    let file = std::fs::File::create(&path)?;
    let usage = measured_with_output(command.stdout(file.try_clone()?).stderr(file))?;
    let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
    let answer = text.lines().filter_map(answer).next_back().unwrap_or_else(|| "timeout".into());
    Ok(Measured { answer, usage, text })
}

/// Wall seconds until a program of one line is decided.
fn starting(quod: &Path) -> Result<f64> {
    let start = std::time::Instant::now();
    let mut child = Command::new(quod)
        .args(["verify", "--property", "unreach-call", "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()?;
    std::io::Write::write_all(&mut child.stdin.take().context("no pipe")?, b"int main(void) { return 0; }\n")?;
    child.wait()?;
    Ok(start.elapsed().as_secs_f64())
}

/// The seconds behind the phase's name in a line of `--explain-strategy`.
fn seconds(text: &str, phase: &str) -> f64 {
    let lines = text.lines().filter_map(|line| line.strip_prefix("strategy: "));
    let found = lines.filter_map(|line| {
        let rest = match phase {
            "solving" => line.strip_prefix("search: ")?.split_once("solving ")?.1,
            _ => line.strip_prefix(phase)?.strip_prefix(": ")?,
        };
        rest.split_once(" s").and_then(|(number, _)| number.parse::<f64>().ok())
    });
    found.fold(0.0, |_, last| last)
}

fn growth(rows: &[(f64, [f64; 4])]) -> String {
    let mut text = String::new();
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return text };
    for (at, name) in ["front end", "abstract interpretation", "search", "solving"].iter().enumerate() {
        // The smallest size whose time can be told from nothing.
        let start = rows.iter().find(|row| row.1[at] >= 0.005).unwrap_or(first);
        if start.0 < last.0 && start.1[at] >= 0.005 {
            let exponent = (last.1[at] / start.1[at]).ln() / (last.0 / start.0).ln();
            let _ = write!(text, " {name} {exponent:.2}");
        }
    }
    if text.is_empty() { " of nothing that takes time".into() } else { text }
}

/// What all programs begin with.
const HEAD: &str = "#include <assert.h>\n#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n\
extern unsigned __VERIFIER_nondet_uint(void);\nvoid reach_error(void) { assert(0); }\n";

/// Many functions of a few statements, each called once.
fn functions(size: usize) -> String {
    let mut text = HEAD.to_owned();
    for at in 0..size {
        let _ = write!(
            text,
            "static unsigned step{at}(unsigned x) {{\n  unsigned y = x % {};\n  if (y > {}) y -= 3;\n  \
             if (y >= {}) reach_error();\n  return y;\n}}\n",
            at % 97 + 10,
            at % 7 + 3,
            at % 97 + 10
        );
    }
    text.push_str("int main(void) {\n  unsigned x = __VERIFIER_nondet_uint();\n");
    (0..size).for_each(|at| {
        let _ = writeln!(text, "  x += step{at}(x);");
    });
    text + "  return 0;\n}\n"
}

/// Decisions that do not depend on each other.
fn branches(size: usize) -> String {
    let mut text = format!("{HEAD}int main(void) {{\n  unsigned sum = 0, x;\n");
    for at in 0..size {
        let _ = writeln!(text, "  x = __VERIFIER_nondet_uint();\n  if (x & {}u) sum += 1;", 1u32 << (at % 32));
    }
    text + &format!("  if (sum > {size}) reach_error();\n  return 0;\n}}\n")
}

/// An array that a loop fills, read at any place.
fn array(size: usize) -> String {
    format!(
        "{HEAD}int main(void) {{\n  unsigned a[{size}], at = __VERIFIER_nondet_uint();\n  \
         for (unsigned i = 0; i < {size}; i++) a[i] = 3 * i + 1;\n  \
         if (at < {size} && a[at] % 3 != 1) reach_error();\n  return 0;\n}}\n"
    )
}

/// A list that is built, walked and freed.
fn list(size: usize) -> String {
    format!(
        "{HEAD}struct node {{ struct node *next; int value; }};\nint main(void) {{\n  struct node *head = 0;\n  \
         for (int i = 0; i < {size}; i++) {{\n    struct node *n = malloc(sizeof *n);\n    if (!n) return 1;\n    \
         n->next = head;\n    n->value = i;\n    head = n;\n  }}\n  int last = {size};\n  while (head) {{\n    \
         struct node *next = head->next;\n    if (head->value < last) last = head->value;\n    free(head);\n    \
         head = next;\n  }}\n  return last;\n}}\n"
    )
}

/// Two ways to count the bits of a number.
fn bits(size: usize) -> String {
    let mask = if size == 32 { u32::MAX } else { (1u32 << size) - 1 };
    format!(
        "{HEAD}int main(void) {{\n  unsigned x = __VERIFIER_nondet_uint() & {mask}u, y = x, slow = 0, fast = 0;\n  \
         for (int i = 0; i < {size}; i++) slow += (x >> i) & 1u;\n  while (y) {{ y &= y - 1; fast++; }}\n  \
         if (slow != fast) reach_error();\n  return 0;\n}}\n"
    )
}

/// A violation that needs all inputs to be right.
fn search(size: usize) -> String {
    format!(
        "{HEAD}int main(void) {{\n  unsigned key = 7;\n  for (int i = 0; i < {size}; i++) {{\n    \
         unsigned x = __VERIFIER_nondet_uint() % 256;\n    key = key * 31 + (x ^ (key & 255));\n    \
         if ((key & 7) != 3) return 0;\n  }}\n  reach_error();\n  return 0;\n}}\n"
    )
}

/// Sums that stay small.
fn sums(size: usize) -> String {
    format!(
        "{HEAD}int main(void) {{\n  int sum = 0;\n  for (int i = 0; i < {size}; i++) {{\n    \
         int x = __VERIFIER_nondet_int();\n    if (x > 0 && x < 1000) sum += x;\n    else if (sum > 0) sum -= 1;\n  }}\n  \
         return sum < 0;\n}}\n"
    )
}
