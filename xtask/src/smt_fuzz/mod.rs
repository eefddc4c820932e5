//! `cargo xtask smt-fuzz --logic QF_BV --count 20000 [--seed S] [--z3 PATH]`: random formulas through the embedded
//! decider and the chain, compared with z3 as a process.
//!
//! Each formula is written twice while it is generated: as a term, through all rewriting, and as SMT-LIB text, which z3
//! reads. No disagreement is allowed; every `sat` answer of ours comes with a model that was evaluated. The number of
//! assertions drifts so that both answers stay frequent.

mod generate;
mod peer;

use anyhow::{Context, Result, bail};
use generate::Generator;
use peer::Peer;
use quod_solver::embedded::{Embedded, EmbeddedLimits};
use quod_solver::{Answer, Limits, Solver};
use quod_term::TermPool;
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
    println!("logic      formulas    sat  unsat  z3-unknown  embedded   chain    ours-ms   z3-ms");
    for logic in logics {
        campaign(&logic, count, seed, &z3)?;
    }
    Ok(())
}

#[derive(Default)]
struct Tally {
    sat: u64,
    unsat: u64,
    peer_unknown: u64,
    embedded: u64,
    chain: u64,
}

fn campaign(logic: &str, count: u64, seed: u64, z3: &str) -> Result<()> {
    let mut peer = Peer::start(z3).context("z3 does not start; give its path with --z3")?;
    let mut tally = Tally::default();
    let (mut our_time, mut peer_time) = (Duration::ZERO, Duration::ZERO);
    let mut assertions = 3usize;
    for number in 0..count {
        let pool = Arc::new(TermPool::new());
        let mut generator = Generator::new(pool.clone(), logic, seed.wrapping_mul(1_000_003).wrapping_add(number));
        let size = 1 + (assertions + generator.below(assertions as u64 + 1) as usize) / 2;
        let formula = generator.formula(size);
        let start = Instant::now();
        let expected = peer.check(&formula.text)?;
        peer_time += start.elapsed();
        let terms = &formula.terms;
        let start = Instant::now();
        let limits =
            Limits { conflicts: 30_000, work: 30_000_000, deadline: Some(Instant::now() + Duration::from_secs(5)) };
        let mut embedded = Embedded::new(pool.clone());
        let embedded_limits = EmbeddedLimits { sat: limits.clone(), ..EmbeddedLimits::default() };
        // Prefixes first: what is learnt from them must not spoil the whole.
        let prefix = embedded.check(&terms[..terms.len() / 2], &embedded_limits);
        let whole = embedded.check(terms, &embedded_limits);
        our_time += start.elapsed();
        let mut solver = Solver::new(pool.clone());
        solver.limits = limits;
        let chain = solver.check(terms);
        let embedded_word = word(&whole);
        let chain_word = word(&chain);
        let is_wrong = |ours: &str| ours != "unknown" && expected != "unknown" && ours != expected;
        let rejected = embedded.statistics.rejected_models > 0;
        let prefix_wrong = expected == "sat" && prefix.is_unsat();
        if is_wrong(embedded_word) || is_wrong(chain_word) || prefix_wrong || rejected {
            println!("{}", formula.text);
            bail!(
                "{logic} formula {number}: z3 says {expected}, embedded {embedded_word}, chain {chain_word}, \
                 prefix {}, rejected models {}",
                word(&prefix),
                embedded.statistics.rejected_models
            );
        }
        tally.embedded += u64::from(embedded_word != "unknown");
        tally.chain += u64::from(chain_word != "unknown");
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
        if embedded_word == "unknown" && arguments_verbose() {
            println!("; {number}: embedded unknown {whole:?}\n{}", formula.text);
        }
    }
    let percent = |part: u64| part as f64 * 100.0 / count.max(1) as f64;
    println!(
        "{logic:10} {count:8} {:5.1}% {:5.1}% {:10.1}% {:8.1}% {:6.1}% {:10.3} {:7.3}",
        percent(tally.sat),
        percent(tally.unsat),
        percent(tally.peer_unknown),
        percent(tally.embedded),
        percent(tally.chain),
        our_time.as_secs_f64() * 1000.0 / count.max(1) as f64,
        peer_time.as_secs_f64() * 1000.0 / count.max(1) as f64,
    );
    Ok(())
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
