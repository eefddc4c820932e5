//! Programs that go wrong when they run: compiled by gcc with its sanitizers and a harness that answers the
//! `__VERIFIER_nondet` functions, run on many inputs. What is reported is a fault of the property that is asked about; what a
//! run does not show may be there all the same.

use std::path::Path;
use std::process::{Command, Stdio};

/// The other translation unit: inputs by a seed, one process a seed until one of them fails.
const HARNESS: &str = r#"
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static uint64_t state;
static unsigned style;
static uint64_t next(void) {
    state += 0x9e3779b97f4a7c15u;
    uint64_t x = state;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}
static const long long edges[] = {0, 1, -1, 2, INT_MAX, INT_MIN, INT_MAX - 1, INT_MIN + 1, LLONG_MAX, LLONG_MIN, 127, 128, 255, 256, 65535, 65536, 10, 100, 1000};
static long long any(void) {
    switch ((style + (next() & 1)) % 4) {
    case 0: return (long long)(next() % 12) - 2;
    case 1: return edges[next() % (sizeof edges / sizeof *edges)];
    case 2: return (long long)(next() % 300) - 20;
    default: return (long long)next();
    }
}
#define GIVE(name, type) type __VERIFIER_nondet_##name(void) { return (type)any(); }
GIVE(int, int) GIVE(uint, unsigned) GIVE(unsigned, unsigned) GIVE(long, long) GIVE(ulong, unsigned long) GIVE(short, short)
GIVE(ushort, unsigned short) GIVE(char, char) GIVE(uchar, unsigned char) GIVE(bool, _Bool) GIVE(size_t, size_t)
GIVE(longlong, long long) GIVE(ulonglong, unsigned long long) GIVE(u32, unsigned) GIVE(float, float) GIVE(double, double)
void __VERIFIER_assume(int condition) { if (!condition) _exit(0); }
__attribute__((weak)) void reach_error(void) { fputs("oracle: error function\n", stderr); _exit(77); }
__attribute__((weak)) void __VERIFIER_error(void) { fputs("oracle: error function\n", stderr); _exit(77); }
void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
    (void)text, (void)file, (void)line;
    fputs(strcmp(function, "reach_error") == 0 ? "oracle: error function\n" : "oracle: assertion\n", stderr);
    _exit(77);
}
__attribute__((constructor)) static void start(void) {
    int seeds = atoi(getenv("QUOD_ORACLE_SEEDS"));
    for (int seed = 0; seed < seeds; seed++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            state = (uint64_t)seed * 7919 + 1;
            style = (unsigned)seed;
            alarm(1);
            return;
        }
        if (child < 0 || waitpid(child, &status, 0) < 0)
            _exit(3);
        if (WIFEXITED(status) && (WEXITSTATUS(status) == 77 || WEXITSTATUS(status) == 99))
            _exit(WEXITSTATUS(status));
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
            seeds -= 20; /* an execution without an end shows nothing */
    }
    _exit(0);
}
"#;

/// Which sanitizers, and which of their words tell of the property.
fn sanitizers(property: &str) -> Option<(&'static str, &'static [&'static str])> {
    const MEMORY: &[&str] = &[
        "AddressSanitizer: heap-",
        "AddressSanitizer: stack-",
        "AddressSanitizer: global-",
        "AddressSanitizer: SEGV",
        "AddressSanitizer: attempting",
        "null pointer",
        "out of bounds",
        "AddressSanitizer: dynamic-stack",
    ];
    const LEAKS: &[&str] = &["LeakSanitizer: detected"];
    const OVERFLOWS: &[&str] = &["signed integer overflow", "negation of", "cannot be represented"];
    Some(match property {
        "unreach-call" => ("address,undefined", &["oracle: error function"]),
        "assertion" => ("address,undefined", &["oracle: assertion"]),
        "no-overflow" => ("signed-integer-overflow,shift", OVERFLOWS),
        "division-by-zero" => ("address,undefined", &["division by zero"]),
        "valid-memsafety" | "valid-deref" | "valid-free" => ("address,bounds,null", MEMORY),
        "valid-memcleanup" | "valid-memtrack" => ("address,bounds,null", LEAKS),
        "no-data-race" => ("thread", &["ThreadSanitizer: data race"]),
        _ => return None,
    })
}

/// What went wrong when the program ran: the first words of the report, where it is about the property.
pub fn fault(program: &Path, property: &str, scratch: &Path, seeds: usize) -> Option<String> {
    let (flags, words) = sanitizers(property)?;
    let (harness, binary) = (scratch.join("oracle.c"), scratch.join("oracle"));
    std::fs::write(&harness, HARNESS).ok()?;
    let compiled = Command::new("gcc")
        .args(["-w", "-g", "-O0", "-pthread", "-fno-builtin", "-fno-sanitize-recover=all"])
        .arg(format!("-fsanitize={flags}"))
        .arg("-o")
        .args([&binary, program, &harness])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !compiled.is_ok_and(|status| status.success()) {
        return None;
    }
    let leaks = if words.iter().any(|word| word.starts_with("Leak")) { 1 } else { 0 };
    let output = Command::new("timeout")
        .arg("20")
        .arg(&binary)
        .env("QUOD_ORACLE_SEEDS", seeds.to_string())
        .env("ASAN_OPTIONS", format!("exitcode=99:detect_leaks={leaks}:detect_stack_use_after_return=1"))
        .env("LSAN_OPTIONS", "exitcode=99")
        .env("UBSAN_OPTIONS", "halt_on_error=1:exitcode=99")
        .env("TSAN_OPTIONS", "exitcode=99:halt_on_error=1")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    if !matches!(output.status.code(), Some(77 | 99)) {
        return None;
    }
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    let first =
        report.lines().find(|line| ["oracle:", "Sanitizer", "runtime error"].iter().any(|word| line.contains(word)))?;
    words.iter().any(|word| first.contains(word)).then(|| first.trim().to_owned())
}

/// Whether there is a compiler to ask.
pub fn is_there() -> bool {
    let mut gcc = Command::new("gcc");
    gcc.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    gcc.status().is_ok_and(|status| status.success())
}
