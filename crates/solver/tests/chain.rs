//! The chain against the embedded decider alone: same answers, small cores, models that hold.

use quod_solver::embedded::{Embedded, EmbeddedLimits};
use quod_solver::{Answer, Options, Solver, Validity};
use quod_term::{Sort, Term, TermPool, Value};
use std::sync::Arc;

struct Random(u64);
impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

fn holds(pool: &TermPool, terms: &[Term], model: &quod_solver::Model) -> bool {
    terms.iter().all(|&term| quod_term::evaluate(pool, term, model) == Some(Value::Bool(true)))
}

#[test]
fn differences_agree_with_the_simplex() {
    let mut random = Random(4242);
    let pool = Arc::new(TermPool::new());
    let symbols: Vec<Term> = ["a", "b", "c", "d", "e"].map(|name| pool.symbol(name, Sort::INT)).to_vec();
    let mut solver = Solver::with_options(pool.clone(), &Options { cache: false, ..Options::default() });
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..150 {
        let count = 2 + random.below(8);
        let terms: Vec<Term> = (0..count)
            .map(|_| {
                let (x, y) = (symbols[random.below(5) as usize], symbols[random.below(5) as usize]);
                let bound = pool.int(random.below(9) as i64 - 5);
                let difference = pool.sub(x, y);
                match random.below(4) {
                    0 => pool.lt(difference, bound),
                    1 => pool.not(pool.le(difference, bound)),
                    2 => pool.le(x, bound),
                    _ => pool.le(difference, bound),
                }
            })
            .collect();
        let chain = solver.check(&terms);
        let alone = Embedded::new(pool.clone()).check(&terms, &EmbeddedLimits::default());
        match (&chain, &alone) {
            (Answer::Sat(model), Answer::Sat(_)) => {
                sat += 1;
                assert!(holds(&pool, &terms, model));
            }
            (Answer::Unsat(core), Answer::Unsat(_)) => {
                unsat += 1;
                assert!(core.iter().all(|term| terms.contains(term)), "{core:?} of {terms:?}");
                let again = Embedded::new(pool.clone()).check(core, &EmbeddedLimits::default());
                assert!(again.is_unsat(), "the core is one");
            }
            _ => panic!("{chain:?} against {alone:?}"),
        }
    }
    assert!(sat > 20 && unsat > 20, "{sat} {unsat}");
    let figures = solver.statistics();
    assert!(figures.iter().any(|stage| stage.name == "difference" && stage.answered > 0), "{figures:?}");
}

#[test]
fn stages_can_be_left_out_and_agree() {
    let pool = Arc::new(TermPool::new());
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::bit_vec(16)));
    let queries: Vec<Vec<Term>> = vec![
        vec![pool.eq(x, pool.bv_add(y, pool.bv(16, 1))), pool.bv_ult(x, y), pool.bv_ult(y, pool.bv(16, 9))],
        vec![pool.eq(x, pool.bv(16, 3)), pool.eq(pool.bv_mul(x, y), pool.bv(16, 21)), pool.bv_ult(z, x)],
        vec![pool.bv_ult(x, y), pool.bv_ult(y, z), pool.bv_ult(z, x)],
    ];
    let expected = [false, true, false];
    for bits in 0..16u32 {
        let options =
            Options { context: bits & 1 != 0, slicing: bits & 2 != 0, cache: bits & 4 != 0, ..Options::default() };
        let mut solver = Solver::with_options(pool.clone(), &options);
        for _ in 0..2 {
            for (query, &is_sat) in queries.iter().zip(&expected) {
                match solver.check(query) {
                    Answer::Sat(model) => assert!(is_sat && holds(&pool, query, &model)),
                    Answer::Unsat(core) => assert!(!is_sat && core.iter().all(|term| query.contains(term))),
                    Answer::Unknown(reason) => panic!("{reason}"),
                }
            }
        }
    }
    let mut solver = Solver::new(pool.clone());
    assert!(matches!(solver.is_valid(&[pool.eq(x, y)], pool.eq(y, x)), Validity::Valid));
}

#[test]
fn the_log_replays() {
    let pool = Arc::new(TermPool::new());
    let text = Arc::new(std::sync::Mutex::new(String::new()));
    let copy = text.clone();
    let sink: quod_solver::chain::log::LogSink = Arc::new(std::sync::Mutex::new(move |part: &str| {
        copy.lock().expect("no panic").push_str(part);
    }));
    let mut solver = Solver::with_options(pool.clone(), &Options { log: Some(sink), ..Options::default() });
    let x = pool.symbol("x", Sort::INT);
    solver.check(&[pool.lt(x, pool.int(3)), pool.lt(pool.int(1), x)]);
    solver.check(&[pool.lt(x, pool.int(3)), pool.lt(pool.int(5), x)]);
    let script = text.lock().expect("no panic").clone();
    let mut out = Vec::new();
    let summary = quod_solver::script::run(&script, &Default::default(), &mut out).expect("a vector");
    assert_eq!((summary.sat, summary.unsat, summary.errors, summary.wrong), (1, 1, 0, 0), "{script}");
}

#[test]
fn cancelling_ends_a_hard_query() {
    let pool = Arc::new(TermPool::new());
    // Factoring a product of two large primes.
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::bit_vec(64)));
    let small = |term| pool.bv_ult(term, pool.bv(64, 1 << 31));
    let large = |term| pool.bv_ult(pool.bv(64, 2), term);
    let product = pool.eq(pool.bv_mul(x, y), pool.bv(64, 2_147_483_647 * 2_147_483_629));
    let mut solver = Solver::new(pool.clone());
    let cancel = solver.cancel_handle();
    let handle = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(300));
        cancel.cancel();
        std::time::Instant::now()
    });
    let terms = [small(x), small(y), large(x), large(y), pool.bv_ult(x, y), product];
    let answer = solver.check(&terms);
    let end = std::time::Instant::now();
    let asked = handle.join().expect("no panic");
    if matches!(answer, Answer::Unknown(_)) {
        // 50 ms of work; machines under load get more wall time.
        assert!(end.duration_since(asked) < std::time::Duration::from_secs(10), "{:?}", end.duration_since(asked));
    }
}

/// Path conditions that grow and branch, through one chain, against a fresh decider for each query.
#[test]
fn growing_path_conditions_agree_with_fresh_deciders() {
    let mut random = Random(4711);
    for round in 0..60 {
        let pool = Arc::new(TermPool::new());
        let is_bits = round % 2 == 0;
        let sort = if is_bits { Sort::bit_vec(4) } else { Sort::INT };
        let symbols: Vec<Term> = ["a", "b", "c", "d"].iter().map(|name| pool.symbol(*name, sort)).collect();
        let mut solver = Solver::new(pool.clone());
        let mut path: Vec<Term> = Vec::new();
        for _ in 0..10 {
            let [x, y, z] = [0; 3].map(|_| symbols[random.below(4) as usize]);
            let number = random.below(9);
            let atom = if is_bits {
                let constant = pool.bv(4, number);
                match random.below(4) {
                    0 => pool.eq(x, constant),
                    1 => pool.eq(x, pool.bv_add(y, constant)),
                    2 => pool.bv_ult(pool.bv_add(x, y), z),
                    _ => pool.bv_slt(x, constant),
                }
            } else {
                let constant = pool.int(number as i64 - 4);
                match random.below(4) {
                    0 => pool.eq(x, constant),
                    1 => pool.eq(x, pool.add(&[y, constant])),
                    2 => pool.lt(pool.add(&[x, y]), z),
                    _ => pool.le(x, constant),
                }
            };
            let mut feasible = Vec::new();
            for branch in [atom, pool.not(atom)] {
                path.push(branch);
                let answer = solver.check(&path);
                let mut fresh = Embedded::new(pool.clone());
                let expected = fresh.check(&path, &EmbeddedLimits::default());
                assert_eq!(answer.is_sat(), expected.is_sat(), "{path:?}");
                assert_eq!(answer.is_unsat(), expected.is_unsat(), "{path:?}");
                match &answer {
                    Answer::Sat(model) => {
                        assert!(holds(&pool, &path, model));
                        feasible.push(branch);
                    }
                    Answer::Unsat(core) => {
                        assert!(core.iter().all(|term| path.contains(term)));
                        let again = Embedded::new(pool.clone()).check(core, &EmbeddedLimits::default());
                        assert!(again.is_unsat(), "the core {core:?} of {path:?}");
                    }
                    Answer::Unknown(_) => {}
                }
                path.pop();
            }
            match feasible.as_slice() {
                [] => break,
                some => path.push(some[random.below(some.len() as u64) as usize]),
            }
        }
    }
}
