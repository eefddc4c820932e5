//! The engines that only prove, before any search: what they say to the strategy.

use crate::abstraction;
use crate::engine::{Options, Outcome};
use quod_base::SourceMap;
use quod_model::ir::{Arithmetic, Program};

/// `Holds` where abstract interpretation shows that no check can fail; and lines that say what it did.
pub fn prove_first(program: &Program, options: &Options, sources: &SourceMap) -> (Option<Outcome>, Vec<String>) {
    // Without a question by name every kind is asked, and violations are what is looked for.
    if program.arithmetic != Arithmetic::Machine || !options.is_asked {
        return (None, vec!["abstract interpretation: not for this question".into()]);
    }
    let start = std::time::Instant::now();
    let report = abstraction::prove(program, options.kinds, &options.cancel);
    let seconds = start.elapsed().as_secs_f64();
    let steps = report.steps;
    let mut lines = Vec::new();
    if report.is_proved {
        lines.push(format!("abstract interpretation: holds ({steps} steps, {seconds:.2} s)"));
        return (Some(Outcome::Holds), lines);
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
    (None, lines)
}
