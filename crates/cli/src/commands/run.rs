//! `quod run`: execute a program on concrete values and stop at the first undefined behaviour.

pub(super) mod inputs;

use crate::arguments::RunArguments;
use crate::console::Console;
use crate::front_end::FrontEnd;
use crate::interrupt;
use crate::streams::Streams;
use quod_diag::{Diagnostic, Outcome, Status, codes};
use quod_exec::{Inputs, RunEnd, RunOptions};
use quod_model::ir::{Program, Storage};
use quod_verdict::{CheckKind, KindSet, Specification, exit_code};
use serde_json::json;

pub(crate) fn run(arguments: &RunArguments) -> i32 {
    let console = Console::new(&arguments.program.output);
    let mut front_end = FrontEnd::load(&arguments.program);
    let Some(mut model) = front_end.compile(checks(arguments)) else {
        return front_end.does_not_compile(&console, "run");
    };
    let inputs = inputs::bind(&arguments.input, &mut model, &mut front_end.diagnostics);
    if model.main.is_none() {
        front_end.diagnostics.push(
            Diagnostic::error(codes::NO_MAIN, "the program has no function `main`, so there is nothing to run")
                .help("`quod show --model` looks at single functions"),
        );
    }
    if front_end.has_errors() {
        return front_end.cannot_run(&console, "run");
    }
    front_end.show_warnings(&console);
    let warnings = front_end.diagnostics.len();

    let mut streams = Streams::new(console.is_document());
    let mut report = quod_exec::run(&model, &mut streams, options(arguments, inputs.clone()));
    if matches!(report.end, RunEnd::Vanished) && !report.has_begun && arguments.seed.is_none() {
        let seek = |attempt: u64, streams: &mut Streams| {
            let inputs = Inputs { seed: Some(attempt), most: Some(1 + attempt / 32), ..inputs.clone() };
            quod_exec::run(&model, streams, options(arguments, inputs))
        };
        let found = (0..ATTEMPTS)
            .map(|attempt| seek(attempt, &mut streams))
            .find(|report| report.has_begun || matches!(report.end, RunEnd::Cancelled));
        if let Some(found) = found {
            front_end.diagnostics.push(chosen(&found, &model));
            report = found;
        }
    }
    streams.flush();

    let end = describe(report.end, &mut front_end.diagnostics);
    console.messages(&front_end.sources, &front_end.diagnostics[warnings..]);
    console.pointer(&front_end.diagnostics[warnings..]);
    let outcome = Outcome { status: end.status, text: &end.text, exit_code: end.exit_code, seconds: None };
    let (stdout, stderr) = streams.captured();
    let program =
        json!({ "exit_code": end.program_exit_code, "stdout": stdout, "stderr": stderr, "steps": report.steps });
    let extra = [("program".to_owned(), program)].into_iter().collect();
    console.document(front_end.report("run", outcome), extra);
    end.exit_code
}

/// So many inputs are tried where assumptions about them do not hold for zeros.
const ATTEMPTS: u64 = 2000;

/// Which inputs the run had.
fn chosen(report: &quod_exec::RunReport, model: &Program) -> Diagnostic {
    let mut message =
        Diagnostic::warning(codes::NO_EXECUTION, "the assumptions do not hold for zeros: other inputs are tried");
    for global in model.globals.iter().filter(|global| global.storage == Storage::Input) {
        let values = report.chosen.iter().filter(|(name, _)| *name == global.name);
        let values: Vec<String> = values.map(|(_, value)| value.to_string()).collect();
        if !values.is_empty() {
            message = message.note(format!("{} = {}", global.name, values.join(", ")));
        }
    }
    message.help("give them with `--input NAME=VALUE`")
}

/// How the run ended, for every format.
struct End {
    status: Status,
    text: String,
    exit_code: i32,
    program_exit_code: Option<i32>,
}

fn describe(end: RunEnd, diagnostics: &mut Vec<Diagnostic>) -> End {
    let stopped = |status, text: &str| End {
        status,
        text: text.to_owned(),
        exit_code: exit_code::RUN_ERROR,
        program_exit_code: None,
    };
    match end {
        RunEnd::Exited(code) => End {
            status: Status::Passed,
            text: format!("the program ended with code {}", code & 0xff),
            exit_code: code & 0xff,
            program_exit_code: Some(code & 0xff),
        },
        RunEnd::Stopped { kind, diagnostic } => {
            diagnostics.push(*diagnostic);
            match kind {
                CheckKind::Unsupported => stopped(Status::Unknown, "unsupported"),
                kind => stopped(Status::Failed, kind.word()),
            }
        }
        RunEnd::Vanished => {
            let message = "an assumption is false: there is no such execution";
            diagnostics.push(
                Diagnostic::error(codes::NO_EXECUTION, message)
                    .help("give other inputs with `--input NAME=VALUE`, or another schedule with `--seed NUMBER`"),
            );
            stopped(Status::Unknown, "no execution")
        }
        RunEnd::StepLimit => {
            diagnostics.push(
                Diagnostic::error(codes::STEP_LIMIT, "the program is still running after the steps it was allowed")
                    .help("allow more with `--max-steps NUMBER`"),
            );
            stopped(Status::Unknown, "step limit")
        }
        RunEnd::Cancelled => End { exit_code: exit_code::INTERRUPTED, ..stopped(Status::Unknown, "interrupted") },
    }
}

/// All checks but those that the user switches off.
fn checks(arguments: &RunArguments) -> KindSet {
    let mut kinds = Specification::everything().kinds;
    for &kind in &arguments.unchecked {
        kinds.remove(kind);
    }
    kinds
}

fn options(arguments: &RunArguments, inputs: Inputs) -> RunOptions {
    let bytes = |text: &std::ffi::OsStr| text.as_encoded_bytes().to_vec();
    let name = arguments.program.files.first().map_or(b"program".to_vec(), |file| bytes(file.as_os_str()));
    RunOptions {
        arguments: std::iter::once(name).chain(arguments.arguments.iter().map(|word| bytes(word))).collect(),
        environment: std::env::vars_os().map(|(name, value)| (bytes(&name), bytes(&value))).collect(),
        seed: arguments.seed,
        inputs,
        checks: checks(arguments),
        step_limit: arguments.max_steps,
        cancel: Some(interrupt::token().flag()),
        ..RunOptions::default()
    }
}
