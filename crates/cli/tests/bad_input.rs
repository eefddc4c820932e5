//! Bad input: garbage, truncation, deep nesting, cycles, bombs. Each must give an answer in bounded time: a diagnostic or a
//! result, never a crash, a hang or a stack overflow.
#![allow(clippy::disallowed_methods)]

use quod_testkit::process::run;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const DEEP: usize = 100_000;

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be made");
    folder
}

/// Runs `quod show --model` on a program and checks that it ends well or with a diagnostic.
fn check(name: &str, program: impl AsRef<[u8]>) {
    let folder = folder(name);
    std::fs::write(folder.join("main.c"), program.as_ref()).expect("the program can be written");
    check_words(&folder, name, &["show", "--model", "main.c"]);
}

fn check_words(folder: &Path, name: &str, words: &[&str]) {
    let words: Vec<String> = words.iter().map(|&word| word.into()).collect();
    let output = run(Path::new(env!("CARGO_BIN_EXE_quod")), &words, folder, b"").expect("an end in time");
    let head: String = output.stderr.chars().take(2_000).collect();
    assert!([0, 2, 4].contains(&output.exit), "{name}: exit code {}\n{head}", output.exit_text());
    assert!(output.exit == 0 || output.stderr.contains("error["), "{name}: no diagnostic\n{head}");
    assert!(output.stderr.len() < 1 << 20, "{name}: {} bytes of messages", output.stderr.len());
}

#[test]
fn nested_parentheses() {
    check("parentheses", format!("int x = {}1{};", "(".repeat(DEEP), ")".repeat(DEEP)));
    check("open_parentheses", format!("int x = {}", "(".repeat(DEEP)));
    check("closed_parentheses", format!("int x = {};", ")".repeat(DEEP)));
}

#[test]
fn nested_braces() {
    check("braces", format!("int main(void) {{ {}{} }}", "{".repeat(DEEP), "}".repeat(DEEP)));
    check("open_braces", format!("int main(void) {{ {}", "{".repeat(DEEP)));
    check("initialiser_braces", format!("int x = {}1{};", "{".repeat(DEEP), "}".repeat(DEEP)));
}

#[test]
fn nested_declarators() {
    check("pointers", format!("int {}x;", "*".repeat(DEEP)));
    check("declarators", format!("int {}x{};", "(".repeat(DEEP), ")".repeat(DEEP)));
    check("arrays", format!("int x{};", "[1]".repeat(DEEP)));
    check("records", format!("{} int x; {}", "struct {".repeat(DEEP), "};".repeat(DEEP)));
}

#[test]
fn nested_operators() {
    check("unary", format!("int x = {}1;", "- ".repeat(DEEP)));
    check("negations", format!("int x = {}1;", "!".repeat(DEEP)));
    check("sum", format!("int x = 1{};", " + 1".repeat(DEEP)));
    check("assignments", format!("int x; int main(void) {{ {} 1; }}", "x = ".repeat(DEEP)));
    check("conditionals", format!("int x = {}1;", "1 ? 1 : ".repeat(DEEP)));
    check("casts", format!("int x = {}1;", "(int)".repeat(DEEP)));
    check("commas", format!("int x; int main(void) {{ return x{}; }}", ", x".repeat(DEEP)));
}

#[test]
fn nested_statements() {
    check("ifs", format!("int main(void) {{ {} ; }}", "if (1) ".repeat(DEEP)));
    check("else_ifs", format!("int main(void) {{ {} ; }}", "if (0) ; else ".repeat(DEEP)));
    check("loops", format!("int main(void) {{ {} ; }}", "for (;;) ".repeat(DEEP)));
    check(
        "labels",
        (0..DEEP).fold(String::from("int main(void) {"), |mut text, i| {
            let _ = write!(text, "l{i}: ");
            text
        }) + "; }",
    );
}

#[test]
fn preprocessor_bombs() {
    let mut laughs = String::from("#define A0 ha ha ha ha ha ha ha ha ha ha\n");
    for i in 1..40 {
        let _ = writeln!(laughs, "#define A{i} {}", format!("A{} ", i - 1).repeat(10));
    }
    check("laughs", laughs + "int x = A39;\n");
    check("conditions", "#if 1\n".repeat(DEEP));
    check("condition_parentheses", format!("#if {}1{}\n#endif\n", "(".repeat(DEEP), ")".repeat(DEEP)));
    check("self_reference", "#define f(x) f(f(x))\nint x = f(f(f(f(f(f(1))))));\n");
    check("arguments", format!("#define f(x) x\nint x = {}1{};\n", "f(".repeat(5_000), ")".repeat(5_000)));
    check("pasting", "#define P(a, b) a ## b\nint P(,) P(x, +) P(\", \") = 1;\n");
    check("deep_include", "#include __FILE__\n");
    check("continued", "\\\n".repeat(DEEP));
}

#[test]
fn include_cycles() {
    let folder = folder("cycle");
    std::fs::write(folder.join("a.h"), "#include \"b.h\"\n").expect("written");
    std::fs::write(folder.join("b.h"), "#include \"a.h\"\n").expect("written");
    check("cycle", "#include \"a.h\"\n#include \"..\"\n#include \"\"\n#include <>\n#include\n");
}

#[test]
fn long_texts() {
    check("long_name", format!("int {};", "x".repeat(5_000_000)));
    check("long_number", format!("int x = {};", "9".repeat(200_000)));
    check("long_float", format!("double x = 1e{};", "9".repeat(200_000)));
    check("long_string", format!("char x[] = \"{}\";", "\\x41\\n".repeat(500_000)));
    check("long_comment", format!("/*{}", "*".repeat(5_000_000)));
    check("many_errors", "int = ;\n".repeat(DEEP));
}

#[test]
fn odd_bytes() {
    check("empty", "");
    check("mark", "\u{feff}int x;\n");
    check("windows", "int x;\r\nint y = ;\r\n");
    check("old_mac", "int x;\rint y;\r");
    check("zeros", [0_u8; 1000]);
    check("latin", b"char *s = \"\xe9\xff\"; /* \xfe */ int \xe9;".as_slice());
    check("no_newline", "#define X");
    check("lonely_backslash", "\\");
    check("lonely_quote", "'");
    check("lonely_hash", "#");
}

#[test]
fn random_bytes() {
    // A linear congruential generator is random enough, and the same everywhere.
    let mut state = 0x853c_49e6_748f_ea9b_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u8
    };
    let words: [&[u8]; 24] = [
        b"int ",
        b"{",
        b"}",
        b"(",
        b")",
        b"[",
        b"]",
        b";",
        b"struct ",
        b"x",
        b"= ",
        b"1 ",
        b"#define ",
        b"\n#if ",
        b"\n#endif\n",
        b"\"",
        b"'",
        b"\\\n",
        b"/*",
        b"*/",
        b"typedef ",
        b"return ",
        b"*",
        b", ",
    ];
    for round in 0..4 {
        let bytes: Vec<u8> = (0..20_000).map(|_| next()).collect();
        check(&format!("bytes_{round}"), bytes);
        let tokens: Vec<u8> = (0..5_000).flat_map(|_| words[usize::from(next()) % words.len()].to_vec()).collect();
        check(&format!("tokens_{round}"), tokens);
    }
}

#[test]
fn truncated_programs() {
    let program = include_bytes!("../../../tests/run/structs.c");
    for length in (0..program.len()).step_by(37) {
        check("truncated", &program[..length]);
    }
}

#[test]
fn missing_files() {
    let folder = folder("missing");
    check_words(&folder, "missing", &["show", "--model", "not-there.c"]);
    check_words(&folder, "directory", &["show", "--model", "."]);
    check_words(&folder, "missing_include", &["show", "--model", "-include", "not-there.h", "not-there.c"]);
}
