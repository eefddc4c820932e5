//! The contract of the command line: exit codes, what goes to which stream, colours, pipes that close.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn quod(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quod"));
    command.args(words).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).stdin(Stdio::null());
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("COLUMNS");
    command
}

fn output(words: &[&str]) -> Output {
    quod(words).output().expect("quod starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_version_is_one_line_and_nothing_else() {
    let output = output(&["--version"]);
    assert_eq!(stdout(&output), concat!(env!("CARGO_PKG_VERSION"), "\n"));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn help_is_asked_for_or_given() {
    let asked = output(&["--help"]);
    assert_eq!(asked.status.code(), Some(0));
    assert!(stdout(&asked).contains("Usage: quod") && asked.stderr.is_empty());
    let nothing = output(&[]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(stderr(&nothing).contains("Usage: quod") && nothing.stdout.is_empty());
}

#[test]
fn wrong_words_get_advice() {
    let cases: &[(&[&str], &str)] = &[
        (&["explian", "Q1003"], "'explain'"),
        (&["run", "--formt", "json", "x.c"], "'--format'"),
        (&["run", "--data-model", "LP46", "x.c"], "LP64"),
        (&["hello.c"], "quod run hello.c"),
        (&["explain", concat!("Q", "1103")], "Q1003"),
        (&["run", "examples/helo.c"], "did you mean examples/hello.c?"),
    ];
    for (words, advice) in cases {
        let output = output(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(stderr(&output).contains(advice), "{words:?}: {}", stderr(&output));
    }
}

#[test]
fn documents_have_standard_output_for_themselves() {
    for format in ["json", "sarif"] {
        let output = output(&["run", "--format", format, "examples/typos.c"]);
        assert_eq!(output.status.code(), Some(4));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("one JSON document");
        assert!(output.stderr.is_empty(), "{}", stderr(&output));
    }
}

#[test]
fn colours_only_where_they_are_wanted() {
    let escape = "\u{1b}[";
    let plain = output(&["run", "examples/typos.c"]);
    assert!(!stderr(&plain).contains(escape), "no terminal, no colours");
    let forced = output(&["run", "--color", "always", "examples/typos.c"]);
    assert!(stderr(&forced).contains(escape));
    let by_variable = quod(&["run", "examples/typos.c"]).env("CLICOLOR_FORCE", "1").output().expect("quod starts");
    assert!(stderr(&by_variable).contains(escape));
    let forbidden = quod(&["run", "examples/typos.c"]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").output();
    assert!(!stderr(&forbidden.expect("quod starts")).contains(escape));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = quod(&["explain"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("quod starts");
    drop(child.stdout.take());
    let mut messages = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut messages).expect("text");
    assert_eq!(messages, "");
    assert_eq!(child.wait().expect("an end").code(), Some(0));
}

#[test]
fn doctor_always_has_an_answer() {
    let output = quod(&["doctor"]).env("PATH", "").output().expect("quod starts");
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("helpers that are missing"), "{}", stdout(&output));
}

#[test]
fn a_search_that_is_stopped_says_where_it_was() {
    for (limit, reason) in
        [(["--timeout", "0.3"], "UNKNOWN (timeout)"), (["--memory-limit", "1"], "UNKNOWN (out of memory)")]
    {
        // On a machine without a moment for the search the answer comes without a place, in time.
        let line = (0..5).find_map(|_| stopped_line(limit, reason));
        assert!(matches!(line.as_deref(), Some("1" | "2" | "3" | "4" | "5")), "{limit:?}: {line:?}");
    }
}

/// The line where a search without end was stopped, if it is told.
fn stopped_line(limit: [&str; 2], reason: &str) -> Option<String> {
    let program = "int main(void) {\n  unsigned long x = 0;\n  while (1) {\n    x += 1;\n  }\n}\n";
    let mut words = vec!["verify", "--dialect", "civl", "-"];
    words.extend(limit);
    let mut child = quod(&words)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, program.as_bytes()).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(stdout(&output), format!("Result: {reason}\n"));
    let place = stderr(&output).lines().find_map(|line| line.trim().strip_prefix("stopped at").map(str::to_owned))?;
    place.rsplit(':').nth(1).map(str::to_owned)
}
