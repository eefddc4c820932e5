//! The engines that only prove, before any search: what they say to the strategy; and the slice that a search then looks at.

use crate::abstraction::{self, LoopFact, Relations};
use crate::engine::{Options, Outcome};
use crate::induction;
use crate::paths::{self, Effort, End, Policy};
use quod_base::SourceMap;
use quod_model::ir::{Arithmetic, Program};
use quod_model::passes::slice::{self, Question, Slice};
use quod_verdict::Invariant;
use quod_verdict::trace::TracePlace;

/// What is known of a program before it is searched.
#[derive(Default)]
pub struct Findings {
    /// `Holds` where abstract interpretation shows that no check can fail.
    pub outcome: Option<Outcome>,
    /// What was done, for `--explain-strategy`.
    pub lines: Vec<String>,
    pub invariants: Vec<Invariant>,
    /// What of the program a search has to look at, where that is less.
    pub slice: Option<Slice>,
    /// The proof takes for granted that reads far outside of memory end the program.
    pub assumes_reads: bool,
}

/// A slice is looked at where at least one of so many steps and branches is gone.
const LEAST_PART: usize = 10;

pub fn prove_first(program: &Program, options: &Options, sources: &SourceMap) -> Findings {
    let mut findings = Findings::default();
    // Without a question by name every kind is asked, and violations are what is looked for.
    if program.arithmetic != Arithmetic::Machine || !options.is_asked {
        findings.lines.push("abstract interpretation: not for this question".into());
        return findings;
    }
    let mut report = findings.interpret(program, options, sources, "");
    if findings.outcome.is_some() {
        return findings;
    }
    let mut sliced = None;
    // What is not understood may be gone in the slice; what is learnt there makes it smaller once more.
    for round in 0..2 {
        let (from, original) = match &sliced {
            None => (program, program),
            Some(Slice { program, original, .. }) => (program, original),
        };
        let question = Question { kinds: options.kinds, open: report.places.as_ref() };
        let Some(slice) = slice::slice(from, original, &question) else { break };
        debug_assert!(quod_model::validate::validate(&slice.program).is_ok());
        let is_smaller = slice.removed_locations * LEAST_PART >= slice.locations || slice.removed_checks > 0;
        if !is_smaller {
            break;
        }
        findings.lines.push(format!(
            "slice: {} of {} steps and {} of {} variables left out, {} checks need not be asked",
            slice.removed_locations, slice.locations, slice.removed_variables, slice.variables, slice.removed_checks
        ));
        let is_known = report.places.is_some();
        let slice = sliced.insert(slice);
        if is_known || round > 0 {
            break;
        }
        report = findings.interpret(&slice.program, options, sources, " of the slice");
        if findings.outcome.is_some() {
            return findings;
        }
        if report.places.is_none() {
            break;
        }
    }
    findings.slice = sliced;
    findings
}

/// Work of induction, and of a search, for a witness.
const WITNESS_WORK: u64 = 600_000;
const FEW_ROUNDS: u64 = 30_000;

/// Whether a program ends for the reasons that a witness gives: a relation for each loop, but for those that make few rounds of
/// which each certainly goes on or ends.
pub fn ends_by(program: &Program, options: &Options, relations: &Relations) -> bool {
    if program.arithmetic != Arithmetic::Machine || relations.is_empty() {
        return false;
    }
    let is_proved = abstraction::prove_given(program, options.kinds, &options.cancel, Some(relations)).is_proved;
    is_proved
        || induction::is_for(program, options.kinds)
            && induction::prove_given(program, options, WITNESS_WORK, Some(relations)).open.is_none()
}

/// Whether a program certainly ends after little work, in whatever it does: for witnesses that say nothing, and have nothing to
/// say.
pub fn ends_soon(program: &Program, options: &Options) -> bool {
    let effort = Effort { work: FEW_ROUNDS, conflicts: 3_000 };
    let end = paths::explore(program, None, options, Policy::Fork, effort).0;
    matches!(end, End::Answer(Outcome::Holds))
}

impl Findings {
    fn interpret(
        &mut self,
        program: &Program,
        options: &Options,
        sources: &SourceMap,
        what: &str,
    ) -> abstraction::Report {
        let start = std::time::Instant::now();
        let report = abstraction::prove(program, options.kinds, &options.cancel);
        let seconds = start.elapsed().as_secs_f64();
        let steps = report.steps;
        if what.is_empty() {
            // Facts about a slice are not for others: it may pass a loop's head less often.
            self.invariants = report.invariants.iter().filter_map(|fact| invariant(program, sources, fact)).collect();
        }
        let answer = if report.is_proved { "holds" } else { "open" };
        self.lines.push(format!("abstract interpretation{what}: {answer} ({steps} steps, {seconds:.2} s)"));
        if report.is_proved {
            self.outcome = Some(Outcome::Holds);
            self.assumes_reads = report.assumes_reads;
            return report;
        }
        for (what, span) in report.open.iter().take(8) {
            let place = sources.place(sources.use_site(*span).lo);
            let at = place.map_or(String::new(), |place| format!(" in line {}", place.line));
            self.lines.push(format!("  not shown: {what}{at}"));
        }
        for fact in report.invariants.iter().take(24) {
            let name = program.functions[fact.function].name;
            self.lines.push(format!("  in a loop of {name}: {}", fact.expression));
        }
        report
    }
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
