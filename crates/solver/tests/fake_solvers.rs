//! Solver programs that hang, crash, print garbage, close their pipe or lie: the query goes on with the others.

use quod_solver::portfolio::process::Bounds;
use quod_solver::portfolio::race::Mode;
use quod_solver::portfolio::{Found, Places, SolverKind, discover};
use quod_solver::{Answer, Options, Solver};
use quod_term::{Sort, Term, TermPool};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[allow(clippy::disallowed_methods)]
fn program(name: &str, body: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("fake-solver-{name}"));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("z3");
    std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).expect("a script");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    path
}

/// Answers every query with these lines.
fn answering(answer: &str, values: &str) -> String {
    format!(
        "while read -r line; do case \"$line\" in *check-sat*) echo '{answer}';; *get-value*) echo '{values}';; esac; done"
    )
}

fn query(pool: &TermPool) -> Vec<Term> {
    let x = pool.symbol("x", Sort::INT);
    vec![pool.lt(pool.int(3), x), pool.lt(x, pool.int(9))]
}

fn ask(scripts: &[(&str, String)], mode: Mode) -> (Answer, usize, Duration) {
    let pool = Arc::new(TermPool::new());
    let solvers: Vec<Found> = scripts
        .iter()
        .enumerate()
        .map(|(at, (name, body))| Found {
            kind: SolverKind::Z3,
            path: program(&format!("{name}{at}{mode:?}{}", scripts.len()), body),
        })
        .collect();
    let options = Options {
        embedded: false,
        context: false,
        cache: false,
        slicing: false,
        solvers,
        mode,
        bounds: Bounds { time: Duration::from_millis(700), memory: 1024 },
        ..Options::default()
    };
    let mut solver = Solver::with_options(pool.clone(), &options);
    let start = Instant::now();
    let answer = solver.check(&query(&pool));
    let incidents = solver.incidents().lock().expect("no panic").len();
    (answer, incidents, start.elapsed())
}

#[test]
fn broken_programs_are_reported_and_passed_over() {
    let good = answering("sat", "((x 5))");
    for (name, body) in [
        ("hang", "sleep 1000".to_owned()),
        ("hang-with-child", "sleep 1000 & sleep 1000".into()),
        ("crash", "exit 3".into()),
        ("garbage", "echo ')))'; cat > /dev/null".into()),
        ("words", answering("segmentation fault", "")),
        ("closed", "exec <&- >&-; sleep 1000".into()),
        ("error", answering("(error \"out of memory\")", "")),
        ("flood", "yes '('".into()),
    ] {
        for mode in [Mode::InOrder, Mode::Raced] {
            let (answer, _, took) = ask(&[(name, body.clone()), ("good", good.clone())], mode);
            assert!(matches!(answer, Answer::Sat(_)), "{name} {mode:?}: {answer:?}");
            assert!(took < Duration::from_secs(5), "{name} {mode:?}: {took:?}");
            let (answer, _, _) = ask(&[(name, body.clone())], mode);
            assert!(matches!(answer, Answer::Unknown(_)), "{name} alone {mode:?}: {answer:?}");
        }
    }
}

#[test]
fn a_model_that_is_none_is_not_believed() {
    let (answer, incidents, _) = ask(&[("liar", answering("sat", "((x 50))"))], Mode::InOrder);
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    assert_eq!(incidents, 1);
    let (answer, _, _) = ask(&[("mute", answering("sat", "((x"))], Mode::InOrder);
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
}

#[test]
fn a_running_query_is_cancelled_soon() {
    let pool = Arc::new(TermPool::new());
    let path = program("cancel", "sleep 1000");
    let options =
        Options { embedded: false, solvers: vec![Found { kind: SolverKind::Z3, path }], ..Options::default() };
    let mut solver = Solver::with_options(pool.clone(), &options);
    let cancel = solver.cancel_handle();
    let handle = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        cancel.cancel();
        Instant::now()
    });
    let x = pool.symbol("x", Sort::REAL);
    let answer = solver.check(&[pool.eq(pool.mul(&[x, x, x]), pool.real(2.into()))]);
    let end = Instant::now();
    assert!(matches!(answer, Answer::Unknown(_)));
    let asked = handle.join().expect("no panic");
    assert!(end.duration_since(asked) < Duration::from_secs(5), "{:?}", end.duration_since(asked));
}

#[test]
fn solvers_are_found_by_name_and_by_path() {
    let path = program("found", "exit 0");
    let folder = path.parent().expect("a folder").to_owned();
    let found = discover(&Places { path: vec![folder.clone()], ..Places::default() });
    assert_eq!(found, vec![Found { kind: SolverKind::Z3, path: path.clone() }]);
    let named = Places { explicit: vec!["z3".into()], python: vec![folder], ..Places::default() };
    assert_eq!(discover(&named).len(), 1);
    let explicit = Places { explicit: vec![path.display().to_string()], ..Places::default() };
    assert_eq!(discover(&explicit).len(), 1);
    assert!(discover(&Places { explicit: vec!["/nowhere/z3".into()], ..Places::default() }).is_empty());
}
