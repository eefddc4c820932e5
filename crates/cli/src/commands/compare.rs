//! `quod compare`: do two programs give equal outputs for equal inputs?

use super::verify;
use crate::arguments::CompareArguments;
use crate::console::{Console, complain, print, status};
use crate::front_end::FrontEnd;
use crate::trace_file::place;
use quod_diag::Outcome;
use quod_verdict::{Verdict, exit_code};
use quod_verify::Side;
use std::time::Instant;

pub(crate) fn run(arguments: &CompareArguments) -> i32 {
    let options = &arguments.verify;
    let console = Console::new(&options.program.output);
    let files = &options.program.files;
    let count = arguments.spec_files.unwrap_or(1);
    if count == 0 || count >= files.len() || arguments.spec_files.is_none() && files.len() != 2 {
        complain("error: name two programs: quod compare SPEC IMPL, or --spec FILES --impl FILES\n");
        return exit_code::USAGE;
    }
    let question = match verify::asked(options) {
        Ok(question) => question,
        Err(unasked) => {
            complain(&unasked.message);
            return unasked.exit_code;
        }
    };
    let specification = &question.specification;
    let mut sides = Vec::new();
    for files in [&files[..count], &files[count..]] {
        let mut program = options.program.clone();
        program.files = files.to_vec();
        let mut front_end = FrontEnd::load(&program);
        let Some((model, _)) = verify::model(&mut front_end, options, &question) else {
            return verify::refuse(&mut front_end, &console, "compare");
        };
        front_end.show_warnings(&console);
        sides.push((front_end, model));
    }
    let [(mut first, ours), (mut second, theirs)] = match <[_; 2]>::try_from(sides) {
        Ok(sides) => sides,
        Err(_) => return exit_code::INTERNAL_ERROR,
    };
    let start = Instant::now();
    let search = verify::options(options, &question);
    let comparison = quod_verify::compare(&ours, &theirs, &search);
    let seconds = start.elapsed().as_secs_f64();
    let is_second = comparison.side == Some(Side::Implementation);
    let front_end = if is_second { &mut second } else { &mut first };
    let warnings = front_end.diagnostics.len();
    let verdict = match comparison.outcome {
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
    if !console.is_document() {
        for (name, statistics) in ["specification", "implementation"].iter().zip(&comparison.statistics) {
            complain(&format!("{name}: {} states\n", statistics.search.states));
        }
        print(&format!("{}\n", verdict.result_line(specification)));
    }
    let status = status(&verdict);
    let text = verdict.result(specification);
    let outcome = Outcome { status, text: &text, exit_code: verdict.exit_code(), seconds: Some(seconds) };
    console.document(front_end.report("compare", outcome), serde_json::Map::new());
    verdict.exit_code()
}
