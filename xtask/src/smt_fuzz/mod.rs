//! `cargo xtask smt-fuzz --logic QF_BV --count 20000 [--seed S] [--z3 PATH]`: random formulas through the embedded
//! decider and the chain, compared with z3 as a process.
//!
//! Each formula is written twice while it is generated: as a term, through all rewriting, and as SMT-LIB text, which z3
//! reads. No disagreement is allowed; every `sat` answer of ours comes with a model that was evaluated. The number of
//! assertions drifts so that both answers stay frequent.

mod generate;
mod peer;

use anyhow::{Context, Result, bail};
use generate::{Formula, Generator};
use peer::Peer;
use quod_solver::embedded::{Embedded, EmbeddedLimits};
use quod_solver::{Answer, Limits, Solver};
use quod_term::{Term, TermPool, Value};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) const LOGICS: &[&str] =
    &["QF_BV", "QF_ABV", "QF_UFBV", "QF_FP", "QF_LIA", "QF_LRA", "QF_UFLIA", "QF_NIA", "QF_NRA"];

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let value = |name: &str| {
        arguments.iter().position(|argument| argument == name).and_then(|at| arguments.get(at + 1)).cloned()
    };
    let count: u64 = value("--count").map_or(Ok(2000), |text| text.parse()).context("--count takes a number")?;
    let seed: u64 = value("--seed").map_or(Ok(1), |text| text.parse()).context("--seed takes a number")?;
    let z3 = value("--z3").unwrap_or_else(|| "z3".into());
    let logics: Vec<String> = match value("--logic") {
        Some(logic) if LOGICS.contains(&logic.as_str()) => vec![logic],
        Some(logic) => bail!("unknown logic {logic}; one of {}", LOGICS.join(" ")),
        None => LOGICS.iter().map(|&logic| logic.into()).collect(),
    };
    println!("logic      formulas    sat  unsat z3-unknown  wrong  embedded   chain cpu-ms: ours     z3");
    let mut wrong = 0;
    for logic in logics {
        wrong += campaign(&logic, count, seed, &z3)?;
    }
    if wrong > 0 {
        bail!("{wrong} findings");
    }
    Ok(())
}

/// Formulas that share a pool and are sent to z3 together.
const BATCH: u64 = 25;

/// What we say to one formula.
#[derive(Debug)]
struct Ours {
    prefix: &'static str,
    embedded: &'static str,
    chain: &'static str,
    has_false_model: bool,
}

struct Deciders {
    pool: Arc<TermPool>,
    embedded: Embedded,
    solver: Solver,
    limits: EmbeddedLimits,
}

impl Deciders {
    fn new(pool: &Arc<TermPool>, logic: &str) -> Self {
        // Products of unknowns are not decided completely: what is not found soon is not found.
        let is_nonlinear = logic.starts_with("QF_N");
        let work = if is_nonlinear { 30_000 } else { 500_000 };
        let sat = Limits { conflicts: 4_000, work, deadline: None };
        let rounds = if is_nonlinear { 10 } else { 200 };
        let limits = EmbeddedLimits { sat, rounds, ..EmbeddedLimits::default() };
        Self { pool: pool.clone(), embedded: Embedded::new(pool.clone()), solver: Solver::new(pool.clone()), limits }
    }

    fn check(&mut self, terms: &[Term]) -> Ours {
        self.limits.sat.deadline = Some(Instant::now() + Duration::from_secs(4));
        let rejected = self.embedded.statistics.rejected_models;
        // Prefixes first: what is learnt from them must not spoil the whole.
        let prefix = self.embedded.check(&terms[..terms.len() / 2], &self.limits);
        let whole = self.embedded.check(terms, &self.limits);
        self.solver.limits = self.limits.sat.clone();
        let chain = self.solver.check(terms);
        let is_false = |answer: &Answer| match answer {
            Answer::Sat(model) => {
                terms.iter().any(|&term| quod_term::evaluate(&self.pool, term, model) != Some(Value::Bool(true)))
            }
            _ => false,
        };
        let has_false_model =
            self.embedded.statistics.rejected_models > rejected || is_false(&whole) || is_false(&chain);
        Ours { prefix: word(&prefix), embedded: word(&whole), chain: word(&chain), has_false_model }
    }
}

#[derive(Default)]
struct Tally {
    sat: u64,
    unsat: u64,
    peer_unknown: u64,
    embedded: u64,
    chain: u64,
    wrong: u64,
}

fn campaign(logic: &str, count: u64, seed: u64, z3: &str) -> Result<u64> {
    let mut peer = Peer::start(z3).context("z3 does not start; give its path with --z3")?;
    let mut tally = Tally::default();
    let start_cpu = crate::shell::process_cpu(std::process::id());
    let mut assertions = 3usize;
    let mut number = 0;
    while number < count {
        // A pool, a decider and a chain for a batch: formulas must not spoil each other either.
        let size = BATCH.min(count - number);
        let pool = Arc::new(TermPool::new());
        let formulas: Vec<Formula> = (number..number + size)
            .map(|at| {
                let mut generator = Generator::new(pool.clone(), logic, seed.wrapping_mul(1_000_003).wrapping_add(at));
                let size = 1 + (assertions + generator.below(assertions as u64 + 1) as usize) / 2;
                generator.formula(size)
            })
            .collect();
        let texts: Vec<String> = formulas.iter().map(|formula| formula.text.clone()).collect();
        peer.send(logic, &texts)?;
        let mut deciders = Deciders::new(&pool, logic);
        let ours: Vec<Ours> = formulas.iter().map(|formula| deciders.check(&formula.terms)).collect();
        let expected = peer.answers(&texts)?;
        for ((text, ours), mut expected) in texts.iter().zip(&ours).zip(expected) {
            let is_disputed = |ours: &str| ours != "unknown" && expected != "unknown" && ours != expected;
            if is_disputed(ours.embedded) || is_disputed(ours.chain) {
                expected = Peer::ask_alone(z3, text)?;
            }
            let is_wrong = |ours: &str| ours != "unknown" && expected != "unknown" && ours != expected;
            let prefix_wrong = expected == "sat" && ours.prefix == "unsat";
            if is_wrong(ours.embedded) || is_wrong(ours.chain) || prefix_wrong || ours.has_false_model {
                tally.wrong += 1;
                println!("{text}; FINDING {logic} seed {seed} formula {number}: z3 says {expected}, we say {ours:?}");
            }
            tally.embedded += u64::from(ours.embedded != "unknown");
            tally.chain += u64::from(ours.chain != "unknown");
            match expected.as_str() {
                "sat" => {
                    tally.sat += 1;
                    assertions = (assertions + usize::from(tally.sat > tally.unsat)).min(24);
                }
                "unsat" => {
                    tally.unsat += 1;
                    assertions -= usize::from(tally.unsat > tally.sat && assertions > 1);
                }
                _ => tally.peer_unknown += 1,
            }
            if ours.embedded == "unknown" && arguments_verbose() {
                println!("; {number}: embedded unknown\n{text}");
            }
            number += 1;
        }
    }
    let our_cpu = crate::shell::process_cpu(std::process::id()) - start_cpu;
    let percent = |part: u64| part as f64 * 100.0 / count.max(1) as f64;
    println!(
        "{logic:10} {count:8} {:6} {:6} {:10} {:6} {:8.2}% {:6.2}% {:10.3} {:7.3}",
        tally.sat,
        tally.unsat,
        tally.peer_unknown,
        tally.wrong,
        percent(tally.embedded),
        percent(tally.chain),
        our_cpu * 1000.0 / count.max(1) as f64,
        peer.cpu() * 1000.0 / count.max(1) as f64,
    );
    Ok(tally.wrong)
}

fn arguments_verbose() -> bool {
    std::env::args().any(|argument| argument == "--verbose")
}

fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "unknown",
    }
}
