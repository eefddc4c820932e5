//! The engines that only prove, before any search: what they say to the strategy.

use crate::abstraction::{self, LoopFact};
use crate::engine::{Options, Outcome};
use quod_base::SourceMap;
use quod_model::ir::{Arithmetic, Program};
use quod_verdict::Invariant;
use quod_verdict::trace::TracePlace;

/// `Holds` where abstract interpretation shows that no check can fail; and lines that say what it did.
pub fn prove_first(
    program: &Program,
    options: &Options,
    sources: &SourceMap,
) -> (Option<Outcome>, Vec<String>, Vec<Invariant>) {
    // Without a question by name every kind is asked, and violations are what is looked for.
    if program.arithmetic != Arithmetic::Machine || !options.is_asked {
        return (None, vec!["abstract interpretation: not for this question".into()], Vec::new());
    }
    let start = std::time::Instant::now();
    let report = abstraction::prove(program, options.kinds, &options.cancel);
    let seconds = start.elapsed().as_secs_f64();
    let steps = report.steps;
    let mut lines = Vec::new();
    let invariants = report.invariants.iter().filter_map(|fact| invariant(program, sources, fact)).collect();
    if report.is_proved {
        lines.push(format!("abstract interpretation: holds ({steps} steps, {seconds:.2} s)"));
        return (Some(Outcome::Holds), lines, invariants);
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
    (None, lines, invariants)
}

/// Facts at the heads of loops as others read them.
pub fn invariants(program: &Program, sources: &SourceMap, facts: &[LoopFact]) -> Vec<Invariant> {
    facts.iter().filter_map(|fact| invariant(program, sources, fact)).collect()
}

/// A fact as others read it: at the keyword of its loop.
fn invariant(program: &Program, sources: &SourceMap, fact: &LoopFact) -> Option<Invariant> {
    let body = program.functions[fact.function].body.as_ref()?;
    let keyword = body.loops.iter().find(|it| it.head == fact.head)?.keyword;
    let (start, end) = (sources.place(keyword.lo)?, sources.place(keyword.hi)?);
    let place = TracePlace {
        file: sources.file(start.file).name.clone(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    };
    let is_written = keyword.expansion.is_none() && matches!(sources.text(keyword)?, "while" | "for" | "do");
    is_written.then(|| Invariant { place, expression: fact.expression.clone() })
}
