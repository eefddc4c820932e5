//! What a slice keeps, and what it leaves out. That it keeps the answers is tested by programs in `tests/verify`.

use quod_base::{SourceMap, Span};
use quod_model::ir::*;
use quod_model::passes::checks::{forbid_calls, insert};
use quod_model::passes::slice::{Question, Slice, slice};
use quod_model::{LowerOptions, lower};
use quod_syntax::preprocess::NoFiles;
use quod_syntax::{ParseOptions, PreprocessOptions};
use quod_verdict::{CheckKind, KindSet};

fn program(text: &str, kinds: KindSet) -> Program {
    let mut sources = SourceMap::default();
    let text = format!("int __VERIFIER_nondet_int(void); void abort(void); void reach_error(void) {{}}\n{text}");
    let file = sources.add_file("test.c".into(), text.as_str().into(), Span::NONE).expect("a small file");
    let preprocessed = quod_syntax::preprocess(&mut sources, file, &NoFiles, &PreprocessOptions::default());
    let (unit, _) = quod_syntax::parse(&preprocessed.tokens, &sources, &ParseOptions::default());
    let options =
        LowerOptions { data_model: DataModel::Lp64, arithmetic: Arithmetic::Machine, dialect: quod_syntax::Dialect::C };
    let mut program = lower(&[unit], &sources, &options).program;
    forbid_calls(&mut program, "reach_error");
    insert(&mut program, kinds);
    program
}

fn sliced(text: &str) -> Slice {
    let kinds = KindSet::of(&[CheckKind::Unreachable, CheckKind::Unsupported]);
    let program = program(text, kinds);
    let slice = slice(&program, &program, &Question { kinds, open: None }).expect("a slice");
    quod_model::validate::validate(&slice.program).expect("a valid model");
    slice
}

/// Steps and branches that are left in a function.
fn left(slice: &Slice, name: &str) -> usize {
    let function =
        slice.program.functions.iter().find(|function| function.name.as_str() == name).expect("the function");
    let body = function.body.as_ref().expect("a body");
    let is_there = |control: &Control| match control {
        Control::Step { step, .. } => !matches!(step, Step::Enter(_) | Step::Leave(_) | Step::Declare(_) | Step::Nop),
        Control::Branch { .. } | Control::Switch { .. } => true,
        _ => false,
    };
    body.locations.iter().filter(|location| is_there(&location.control)).count()
}

#[test]
fn what_has_no_part_in_the_check_is_gone() {
    let slice = sliced(
        "int noise; int work(int n) { int sum = 0; while (n > 0) { sum += n; n--; } return sum; }
         int main(void) { int x = __VERIFIER_nondet_int(); noise = work(x); if (x == 3) reach_error(); return noise; }",
    );
    assert_eq!(left(&slice, "work"), 0);
    assert!(left(&slice, "main") <= 4, "{}", left(&slice, "main"));
    assert!(slice.removed_variables >= 3);
}

#[test]
fn what_ends_executions_stays() {
    let slice = sliced(
        "void check(int n) { if (n > 5) abort(); }
         int main(void) { int x = __VERIFIER_nondet_int(); check(x); if (x == 7) reach_error(); return 0; }",
    );
    assert_eq!(left(&slice, "check"), 2);
}

#[test]
fn writes_that_may_go_anywhere_stay() {
    let slice = sliced(
        "int main(void) { int a[4]; int at = __VERIFIER_nondet_int(); a[at] = 1; int b[4]; b[2] = 3;
                          if (__VERIFIER_nondet_int()) reach_error(); return b[2]; }",
    );
    let main = slice.program.functions.iter().find(|function| function.name.as_str() == "main").expect("main");
    let body = main.body.as_ref().expect("a body");
    let writes = body.locations.iter().filter(|location| {
        matches!(&location.control, Control::Step { step: Step::Assign { place, .. }, .. }
            if matches!(body.places[*place].kind, PlaceKind::Index(..)))
    });
    assert_eq!(writes.count(), 1);
}

#[test]
fn programs_with_threads_and_other_questions_are_not_sliced() {
    let kinds = KindSet::of(&[CheckKind::Unreachable]);
    let threads = program(
        "int pthread_create(void *, void *, void *(*)(void *), void *);
         void *run(void *x) { return x; } int main(void) { pthread_create(0, 0, run, 0); return 0; }",
        kinds,
    );
    assert!(slice(&threads, &threads, &Question { kinds, open: None }).is_none());
    let plain = program("int main(void) { return 0; }", kinds);
    for kind in [CheckKind::Termination, CheckKind::LostMemory, CheckKind::DataRace] {
        let kinds = KindSet::of(&[kind]);
        assert!(slice(&plain, &plain, &Question { kinds, open: None }).is_none());
    }
}

#[test]
fn large_programs_are_sliced_in_no_time() {
    use std::fmt::Write;
    let mut text = String::from("int g;\n");
    for index in 0..3_000 {
        let next = if index == 0 { "0".to_owned() } else { format!("f{}(x - 1)", index - 1) };
        let _ = writeln!(text, "int f{index}(int x) {{ if (x > {index}) {{ g += x; }} return {next}; }}");
    }
    let mut nested = String::new();
    for depth in 0..1_000 {
        let _ = write!(nested, "if (x > {depth}) {{ g = {depth}; ");
    }
    nested.push_str("reach_error();");
    nested.push_str(&"}".repeat(1_000));
    let _ = write!(text, "int main(void) {{ int x = __VERIFIER_nondet_int(); f2999(x); {nested} return 0; }}");
    let slice = sliced(&text);
    assert_eq!(left(&slice, "f2999"), 0);
    assert!(left(&slice, "main") >= 1_000);
}
