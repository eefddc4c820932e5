//! The engines that only prove, before any search: what they say to the strategy.

use crate::abstraction;
use crate::abstraction::LoopFact;
use crate::engine::{Options, Outcome};
use quod_base::{SourceMap, Span};
use quod_model::ir::{Arithmetic, Program};

/// What was found out before any search.
#[derive(Default)]
pub struct First {
    /// `Holds` where no check can fail.
    pub outcome: Option<Outcome>,
    /// Facts at the keywords of loops.
    pub facts: Vec<(Span, String)>,
    /// What the engines did, for `--explain-strategy`.
    pub lines: Vec<String>,
}

/// Tries to show by abstract interpretation that no check can fail.
pub fn prove_first(program: &Program, options: &Options, sources: &SourceMap) -> First {
    // Without a question by name every kind is asked, and violations are what is looked for.
    if program.arithmetic != Arithmetic::Machine || !options.is_asked {
        return First { lines: vec!["abstract interpretation: not for this question".into()], ..First::default() };
    }
    let start = std::time::Instant::now();
    let report = abstraction::prove(program, options.kinds, &options.cancel);
    let seconds = start.elapsed().as_secs_f64();
    let steps = report.steps;
    let facts = at_keywords(program, &report.invariants);
    let mut lines = Vec::new();
    if report.is_proved {
        lines.push(format!("abstract interpretation: holds ({steps} steps, {seconds:.2} s)"));
        return First { outcome: Some(Outcome::Holds), facts, lines };
    }
    lines.push(format!("abstract interpretation: open ({steps} steps, {seconds:.2} s)"));
    for (what, span) in report.open.iter().take(8) {
        let place = sources.place(sources.use_site(*span).lo);
        let at = place.map_or(String::new(), |place| format!(" in line {}", place.line));
        lines.push(format!("  not shown: {what}{at}"));
    }
    for fact in report.invariants.iter().take(24) {
        let name = program.functions[fact.function].name;
        lines.push(format!("  in a loop of {name}: {}", fact.expression));
    }
    First { outcome: None, facts, lines }
}

/// The facts at heads that are a loop of the source.
fn at_keywords(program: &Program, facts: &[LoopFact]) -> Vec<(Span, String)> {
    let keyword = |fact: &LoopFact| {
        let body = program.functions[fact.function].body.as_ref()?;
        let found = body.loops.iter().find(|found| found.head == fact.head)?;
        Some((found.keyword, fact.expression.clone()))
    };
    facts.iter().filter_map(keyword).collect()
}
