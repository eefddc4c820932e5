//! Evidence goes all the way round: what `quod verify` writes is confirmed by `quod validate`, in every format, and the C
//! test makes the violation happen where a compiler is found.

#![allow(clippy::disallowed_methods)]

use std::path::{Path, PathBuf};
use std::process::Command;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("quod-evidence-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Exit code and last line of standard output.
fn quod(folder: &Path, words: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_quod")).args(words).current_dir(folder).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).trim().lines().last().unwrap_or_default().to_owned();
    (output.status.code().unwrap_or(-1), text)
}

const CALL: &str = "extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    for (int i = 0; i < 3; i++)
        x -= __VERIFIER_nondet_uchar();
    if (x == 1000 - 3 * 255)
        reach_error();
    return 0;
}
";

const OVERFLOW: &str = "extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 5)
        return 0;
    int y = x * 3;
    return y == 12345;
}
";

const HOLDS: &str = "extern void reach_error(void);
int main(void) {
    int s = 0;
    for (int i = 0; i < 5; i++)
        s += i;
    if (s != 10)
        reach_error();
    return 0;
}
";

#[test]
fn witnesses_of_all_formats_are_confirmed() {
    let folder = Folder::new("formats");
    let at = folder.0.as_path();
    for (program, text, property, answer) in [
        ("call.c", CALL, "unreach-call", "Result: FALSE(unreach-call)"),
        ("overflow.c", OVERFLOW, "no-overflow", "Result: FALSE(no-overflow)"),
        ("holds.c", HOLDS, "unreach-call", "Result: TRUE"),
    ] {
        folder.write(program, text);
        for format in ["yaml-2.0", "yaml-2.1", "yaml-2.2", "graphml"] {
            let witness = format!("{program}.{format}");
            let words = ["verify", "--property", property, "--witness", &witness, "--witness-format", format, program];
            assert_eq!(quod(at, &words).1, answer, "{program} {format}");
            assert!(at.join(&witness).is_file(), "{witness} is written");
            assert_eq!(quod(at, &["validate", &witness, program]).1, answer, "{witness}");
            let wrong = if property == "unreach-call" { "no-overflow" } else { "unreach-call" };
            assert_eq!(quod(at, &["validate", "--property", wrong, &witness, program]).0, 4, "{witness}");
        }
    }
    // A witness of one program is none of another.
    assert_eq!(quod(at, &["validate", "call.c.yaml-2.0", "overflow.c"]).0, 4);
}

const RACE: &str = "#include <pthread.h>
int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *work(void *unused) {
    pthread_mutex_lock(&lock);
    count = count + 1;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    count = 5;
    pthread_join(thread, 0);
    return 0;
}
";

#[test]
fn a_race_has_two_targets() {
    let folder = Folder::new("race");
    let at = folder.0.as_path();
    folder.write("race.c", RACE);
    let words = ["--witness", "race.yml", "--witness-format", "yaml-2.2", "race.c"];
    let answer = "Result: FALSE(no-data-race)";
    assert_eq!(quod(at, &[&["verify", "--property", "no-data-race"], &words[..]].concat()).1, answer);
    let witness = std::fs::read_to_string(at.join("race.yml")).unwrap();
    assert_eq!(witness.matches("type: target").count(), 2);
    assert_eq!(quod(at, &["validate", "race.yml", "race.c"]).1, answer);
    // The other access is somewhere else.
    folder.write("wrong.yml", &witness.replace("line: 6", "line: 7"));
    assert_eq!(quod(at, &["validate", "wrong.yml", "race.c"]).0, 3);
}

const ENDS: &str = "extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    while (a > 0) {
        if (b > 0) {
            b = b - 1;
        } else {
            a = a - 1;
            b = __VERIFIER_nondet_uint();
        }
    }
    return 0;
}
";

#[test]
fn why_a_loop_ends_is_told_and_checked() {
    let folder = Folder::new("ends");
    let at = folder.0.as_path();
    folder.write("ends.c", ENDS);
    let words =
        ["verify", "--property", "termination", "--witness", "ends.yml", "--witness-format", "yaml-2.1", "ends.c"];
    assert_eq!(quod(at, &words).1, "Result: TRUE");
    let witness = std::fs::read_to_string(at.join("ends.yml")).unwrap();
    assert!(witness.contains("type: loop_transition_invariant"), "{witness}");
    assert_eq!(quod(at, &["validate", "ends.yml", "ends.c"]).1, "Result: TRUE");
    // Neither a relation that does not hold nor one in which states come back nor none at all carries the proof.
    let trick = " > 1 ? 1 : n || ";
    for (old, new) in [(" > ", " < "), (" > ", " != "), (" > ", trick), ("loop_transition_invariant", "loop_invariant")]
    {
        folder.write("wrong.yml", &witness.replace(old, new));
        assert_ne!(quod(at, &["validate", "wrong.yml", "ends.c"]).0, 0, "{old} becomes {new}");
    }
}

#[test]
fn the_test_makes_the_violation_happen() {
    if Command::new("gcc").arg("--version").output().is_err() {
        return;
    }
    let folder = Folder::new("harness");
    let at = folder.0.as_path();
    folder.write("call.c", CALL);
    assert_eq!(quod(at, &["verify", "--property", "unreach-call", "--harness", "test.c", "call.c"]).0, 1);
    let compiled = Command::new("gcc").args(["call.c", "test.c", "-o", "test"]).current_dir(at).status().unwrap();
    assert!(compiled.success());
    assert_eq!(Command::new(at.join("test")).status().unwrap().code(), Some(107));

    folder.write("overflow.c", OVERFLOW);
    assert_eq!(quod(at, &["verify", "--property", "no-overflow", "--harness", "test.c", "overflow.c"]).0, 1);
    let sanitizer = ["-fsanitize=signed-integer-overflow", "-fno-sanitize-recover=all"];
    let mut gcc = Command::new("gcc");
    gcc.args(sanitizer).args(["overflow.c", "test.c", "-o", "test"]).current_dir(at);
    // What ends the program and is not asked about is there as well.
    folder.write(
        "other.c",
        &OVERFLOW.replace("int y", "void reach_error(void);\n    if (x == 9) reach_error();\n    int y"),
    );
    assert_eq!(quod(at, &["verify", "--property", "no-overflow", "--harness", "other_test.c", "other.c"]).0, 1);
    let compiled =
        Command::new("gcc").args(["other.c", "other_test.c", "-o", "other"]).current_dir(at).status().unwrap();
    assert!(compiled.success());
    // Not every installation has the sanitizers' libraries.
    if gcc.output().unwrap().status.success() {
        assert!(!Command::new(at.join("test")).output().unwrap().status.success());
    }
}

/// Programs that go wrong, with a loop in the third line, and what a witness says about it.
const UNPROVED: &[(&str, &str)] = &[
    ("int x; int one(void) { x = 0; return 1; }\nint main(void) { x = 0;\n", "(one)()"),
    ("int x; void exit(int);\nint main(void) {\n", "((exit)(0), 1)"),
    ("int x; void exit(int);\nint main(void) {\n", "(<% x = 0; %>)"),
    ("#define x (*p)\nint main(void) { int *p = (int[]){0};\n", "1"),
    ("#define x (*p)\nint main(void) { int *p = __builtin_alloca(4); *p = 0;\n", "1"),
];

#[test]
fn conditions_of_witnesses_change_nothing_and_hide_nothing() {
    let folder = Folder::new("unproved");
    let at = folder.0.as_path();
    for (start, condition) in UNPROVED {
        let program = format!("{start}while (__VERIFIER_nondet_int()) x++;\nif (x) reach_error(); return 0; }}\n")
            .replacen("int main", "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); int main", 1);
        folder.write("main.c", &program);
        let hash = quod_witness::sha256(program.as_bytes());
        let witness = format!(
            "- entry_type: invariant_set\n  metadata:\n    format_version: \"2.0\"\n    uuid: 5d6a2c1e-0b1c-4f0e-9d3a-3f6d0f6a7b11\n    \
             creation_time: 2026-11-16T00:00:00Z\n    producer: {{name: a person, version: \"1\"}}\n    task:\n      \
             input_files: [main.c]\n      input_file_hashes: {{main.c: {hash}}}\n      \
             specification: CHECK( init(main()), LTL(G ! call(reach_error())) )\n      data_model: LP64\n      \
             language: C\n  content:\n    - invariant:\n        type: loop_invariant\n        \
             location: {{file_name: main.c, line: 3, column: 1, function: main}}\n        \
             value: \"{condition}\"\n        format: c_expression\n"
        );
        folder.write("witness.yml", &witness);
        let (code, line) = quod(at, &["validate", "witness.yml", "main.c"]);
        assert!(matches!(code, 3 | 4), "{program}{condition}: {line}");
    }
}

#[test]
fn bad_witnesses_are_errors_with_places() {
    let folder = Folder::new("bad");
    let at = folder.0.as_path();
    folder.write("holds.c", HOLDS);
    let words = ["verify", "--property", "unreach-call", "--witness", "good.yml", "holds.c"];
    assert_eq!(quod(at, &words).0, 0);
    let good = std::fs::read_to_string(at.join("good.yml")).unwrap();
    for (name, text) in [
        ("empty", String::new()),
        ("garbage", "{[}".to_owned()),
        ("binary", "\u{0}\u{1}\u{2}".to_owned()),
        ("scalar", "hello".to_owned()),
        ("xml", "<graphml><graph/></graphml>".to_owned()),
        ("open", "<graphml>".to_owned()),
        ("version", good.replace("\"2.0\"", "\"7.5\"")),
        ("type", good.replace("invariant_set", "invariant_bag")),
        ("hash", good.replace("input_file_hashes", "hashes")),
        ("model", good.replace("LP64", "LP48")),
        ("nested", "[".repeat(10_000)),
    ] {
        folder.write("bad.yml", &text);
        let (code, line) = quod(at, &["validate", "bad.yml", "holds.c"]);
        assert_eq!((code, line.as_str()), (4, "Result: UNKNOWN (the witness is not valid)"), "{name}");
    }
    assert_eq!(quod(at, &["validate", "missing.yml", "holds.c"]).0, 2);
    assert_eq!(quod(at, &["validate", "good.yml", "missing.c"]).0, 2);
}
