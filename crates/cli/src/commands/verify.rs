//! `quod verify`: can any execution go wrong?

use crate::arguments::VerifyArguments;
use crate::console::{Console, complain, print};
use crate::front_end::FrontEnd;
use crate::{disk, interrupt};
use quod_base::{SourceMap, Span};
use quod_diag::{Outcome, Status};
use quod_verdict::trace::TracePlace;
use quod_verdict::{Specification, Verdict, exit_code};
use quod_verify::Options;
use std::path::Path;
use std::time::{Duration, Instant};

pub(crate) fn run(arguments: &VerifyArguments) -> i32 {
    let console = Console::new(&arguments.program.output);
    let specification = match specification(arguments.property.as_deref()) {
        Ok(specification) => specification,
        Err(message) => {
            complain(&format!("error: {message}\n"));
            return exit_code::USAGE;
        }
    };
    let mut front_end = FrontEnd::load(&arguments.program);
    let Some(mut model) = front_end.compile_unchecked() else {
        return front_end.does_not_compile(&console, "verify");
    };
    front_end.show_warnings(&console);
    let warnings = front_end.diagnostics.len();
    quod_model::passes::checks::forbid_calls(&mut model, &specification.error_function);
    front_end.insert_checks(&mut model, specification.kinds);

    let cancel = interrupt::token();
    if let Some(seconds) = arguments.timeout.filter(|seconds| seconds.is_finite() && *seconds >= 0.0) {
        let cancel = cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs_f64(seconds));
            cancel.cancel();
        });
    }
    let options = Options {
        kinds: specification.kinds,
        is_breadth_first: arguments.breadth_first,
        is_minimal: arguments.min,
        is_reduced: true,
        depth: arguments.max_depth,
        cancel,
    };
    let start = Instant::now();
    let (outcome, statistics) = quod_verify::verify(&model, &options);
    let seconds = start.elapsed().as_secs_f64();
    let verdict = match outcome {
        quod_verify::Outcome::Holds => Verdict::Holds { bounds: vec![], assumptions: vec![], invariants: vec![] },
        quod_verify::Outcome::Violated { kind, diagnostic, .. } => {
            front_end.diagnostics.push(diagnostic);
            Verdict::Violated { kind, trace: Box::default() }
        }
        quod_verify::Outcome::Unknown { reason, span, diagnostic } => {
            front_end.diagnostics.extend(diagnostic);
            Verdict::Unknown { reason, place: place(&front_end.sources, span), help: None }
        }
    };
    console.messages(&front_end.sources, &front_end.diagnostics[warnings..]);
    console.pointer(&front_end.diagnostics[warnings..]);
    let search = &statistics.search;
    if !console.is_document() {
        complain(&format!(
            "{:.2} s, {} states, {} saved, {} matches, {} moves, {} operations, {} solver queries\n",
            seconds,
            search.states,
            search.saved,
            search.matches,
            search.moves,
            statistics.steps,
            statistics.solver_queries
        ));
        print(&format!("{}\n", verdict.result_line(&specification)));
    }
    let status = match verdict {
        Verdict::Holds { .. } => Status::Passed,
        Verdict::Violated { .. } => Status::Failed,
        Verdict::Unknown { .. } => Status::Unknown,
    };
    let text = verdict.result(&specification);
    let outcome = Outcome { status, text: &text, exit_code: verdict.exit_code(), seconds: Some(seconds) };
    console.document(front_end.report("verify", outcome), serde_json::Map::new());
    verdict.exit_code()
}

/// A `.prp` file, or a name.
fn specification(property: Option<&str>) -> Result<Specification, String> {
    let Some(property) = property else { return Ok(Specification::everything()) };
    let path = Path::new(property);
    if path.extension().is_some_and(|extension| extension == "prp") {
        let bytes = disk::read(path).map_err(|_| format!("cannot read {property}"))?;
        let text = String::from_utf8_lossy(&bytes);
        return Specification::from_prp(&text).map_err(|error| format!("{property}: {error}"));
    }
    Specification::from_name(property).map_err(|error| error.to_string())
}

fn place(sources: &SourceMap, span: Span) -> Option<TracePlace> {
    let span = sources.use_site(span);
    let (start, end) = (sources.place(span.lo)?, sources.place(span.hi)?);
    Some(TracePlace {
        file: sources.file(start.file).name.clone(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    })
}
