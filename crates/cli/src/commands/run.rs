//! `quod run`: execute a program on concrete values and stop at the first undefined behaviour.

use crate::arguments::RunArguments;
use crate::console::Console;
use crate::front_end::FrontEnd;
use crate::interrupt;
use crate::streams::Streams;
use quod_base::Symbol;
use quod_diag::{Diagnostic, Outcome, Status, codes};
use quod_exec::{InputValue, Inputs, RunEnd, RunOptions};
use quod_model::ir::{Program, Storage};
use quod_verdict::{CheckKind, Specification, exit_code};
use serde_json::json;

pub(crate) fn run(arguments: &RunArguments) -> i32 {
    let console = Console::new(&arguments.program.output);
    let mut front_end = FrontEnd::load(&arguments.program);
    let Some(model) = front_end.compile(Specification::everything().kinds) else {
        return front_end.does_not_compile(&console, "run");
    };
    let inputs = inputs(&arguments.input, &model, &mut front_end.diagnostics);
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
    let report = quod_exec::run(&model, &mut streams, options(arguments, inputs));
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

fn options(arguments: &RunArguments, inputs: Inputs) -> RunOptions {
    let bytes = |text: &std::ffi::OsStr| text.as_encoded_bytes().to_vec();
    let name = arguments.program.files.first().map_or(b"program".to_vec(), |file| bytes(file.as_os_str()));
    RunOptions {
        arguments: std::iter::once(name).chain(arguments.arguments.iter().map(|word| bytes(word))).collect(),
        environment: std::env::vars_os().map(|(name, value)| (bytes(&name), bytes(&value))).collect(),
        seed: arguments.seed,
        inputs,
        checks: Specification::everything().kinds,
        step_limit: arguments.max_steps,
        cancel: Some(interrupt::token().flag()),
        ..RunOptions::default()
    }
}

/// The values of `--input NAME=VALUE`; what is wrong with them is a diagnostic.
fn inputs(given: &[String], model: &Program, diagnostics: &mut Vec<Diagnostic>) -> Inputs {
    let mut inputs = Inputs::default();
    for text in given {
        let Some((name, value)) = text.split_once('=').and_then(|(name, value)| Some((name, parse_value(value)?)))
        else {
            let message = format!("`{text}` is not of the form NAME=VALUE with a number");
            diagnostics.push(Diagnostic::error(codes::USAGE, message).help("for example: --input N=5"));
            continue;
        };
        let mut known = model.globals.iter().filter(|global| global.storage == Storage::Input);
        if known.any(|global| global.name.as_str() == name) {
            inputs.given.entry(Symbol::intern(name)).or_default().push_back(value);
            continue;
        }
        let known: Vec<&str> =
            model.globals.iter().filter(|one| one.storage == Storage::Input).map(|one| one.name.as_str()).collect();
        let help = match known.as_slice() {
            [] => "the program has no $input variables".to_owned(),
            known => format!("its $input variables are: {}", known.join(", ")),
        };
        let message = format!("the program has no $input variable `{name}`");
        diagnostics.push(Diagnostic::error(codes::USAGE, message).help(help));
    }
    inputs
}

fn parse_value(text: &str) -> Option<InputValue> {
    match text {
        "true" | "$true" => return Some(InputValue::Int(1)),
        "false" | "$false" => return Some(InputValue::Int(0)),
        _ => {}
    }
    let integer = match text.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    integer.map(InputValue::Int).or_else(|| text.parse().ok().map(InputValue::Float))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_inputs() {
        assert_eq!(parse_value("-3"), Some(InputValue::Int(-3)));
        assert_eq!(parse_value("0x10"), Some(InputValue::Int(16)));
        assert_eq!(parse_value("2.5"), Some(InputValue::Float(2.5)));
        assert_eq!(parse_value("$true"), Some(InputValue::Int(1)));
        assert_eq!(parse_value("five"), None);
    }
}
