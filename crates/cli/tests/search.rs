//! Searches in different orders must tell the same: violations of the same length, the same answers.

use std::path::Path;
use std::process::Command;

/// The result, and the figure of a line of the statistics.
fn verify(words: &[&str], figure: &str) -> (String, Option<u64>) {
    let output = Command::new(env!("CARGO_BIN_EXE_quod"))
        .arg("verify")
        .args(words)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .expect("quod starts");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.lines().find(|line| line.trim_start().starts_with(figure));
    let value = line.and_then(|line| line.split(':').nth(1)?.trim().parse().ok());
    (String::from_utf8_lossy(&output.stdout).trim().to_owned(), value)
}

const WRONG: &[&[&str]] = &[
    &["-inputN=2", "-DFAULTY", "examples/verifythis/barrier.cvl"],
    &["tests/verify/lost_update.cvl"],
    &["tests/verify/freed_too_early.cvl"],
    &["tests/verify/invariant_broken.cvl"],
    &["tests/verify/when_symbolic_deadlock.cvl"],
    &["tests/verify/choose_int_all.cvl"],
];

const RIGHT: &[&[&str]] = &[
    &["tests/verify/civl_atomic_lets_in.cvl"],
    &["-inputBOUND=2", "examples/verifythis/product.cvl"],
    &["-inputDEPTH=2", "examples/verifythis/tree.cvl"],
    &["tests/verify/read_only_after_start.cvl"],
    &["tests/verify/invariant_holds.cvl"],
    &["tests/verify/atomic_update.cvl"],
];

#[test]
fn breadth_first_and_minimal_find_traces_of_one_length() {
    for program in WRONG {
        let orders: [&[&str]; 3] = [&["--min"], &["--breadth-first"], &["--breadth-first", "--no-reduction"]];
        let lengths: Vec<(String, Option<u64>)> =
            orders.iter().map(|order| verify(&[*order, *program].concat(), "violation steps")).collect();
        assert!(lengths[0].0.starts_with("Result: FALSE") && lengths[0].1.is_some(), "{program:?}: {lengths:?}");
        assert_eq!(lengths[0], lengths[1], "{program:?}");
        assert_eq!(lengths[0].1, lengths[2].1, "{program:?}");
    }
}

/// A trace that goes round is followed twice around, with several processes and with one.
#[test]
fn traces_of_endless_executions_are_replayed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let executions = [
        ("--check-termination", "tests/verify/endless_wait.cvl"),
        ("--check-termination", "tests/verify/endless_alone.cvl"),
        ("--property=termination", "tests/verify/endless_fixed_point.c"),
    ];
    for (question, program) in executions {
        let trace = folder.join("endless.json");
        let trace = trace.to_str().expect("a path is text");
        let (answer, _) = verify(&[question, "--save-trace", trace, program], "states ");
        assert_eq!(answer, "Result: FALSE(termination)", "{program}");
        let mut output = Command::new(env!("CARGO_BIN_EXE_quod"));
        output.args(["replay", trace]);
        let output = output.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).output();
        let text = String::from_utf8_lossy(&output.expect("quod starts").stdout).into_owned();
        assert!(text.trim_end().ends_with("Result: FALSE(termination)"), "{program}: {text}");
    }
}

#[test]
fn all_ways_to_search_give_one_answer() {
    for program in RIGHT.iter().chain(WRONG) {
        let (answer, reduced) = verify(program, "states ");
        for way in ["--no-reduction", "--compare-states", "--breadth-first", "-saveStates=false"] {
            // Without stored states, what many orders lead to is visited many times.
            if way == "-saveStates=false" && !program.iter().any(|word| word.starts_with("-input")) {
                continue;
            }
            let (other, states) = verify(&[&[way], *program].concat(), "states ");
            let word = |answer: &str| answer.split('(').next().map(str::to_owned);
            assert_eq!(word(&answer), word(&other), "{way} {program:?}");
            let is_fewer = way != "--no-reduction" || !answer.ends_with("TRUE") || reduced <= states;
            assert!(is_fewer, "{program:?}: {reduced:?} states, {states:?} in full");
        }
    }
}
