//! `quod replay`: steps through a saved counterexample, on concrete values.

use crate::arguments::{Cli, Command, ReplayArguments, VerifyArguments};
use crate::console::{Console, complain, print};
use crate::front_end::FrontEnd;
use crate::{disk, trace_file};
use clap::Parser;
use quod_diag::{Outcome, Status};
use quod_exec::inspect::Variable;
use quod_verdict::trace::{Trace, TraceStep};
use quod_verdict::{CheckKind, Specification, exit_code};

pub(crate) fn run(arguments: &ReplayArguments) -> i32 {
    match replay(arguments) {
        Ok(code) => code,
        Err(message) => {
            complain(&format!("error: {}: {message}\n", arguments.trace.display()));
            exit_code::USAGE
        }
    }
}

fn replay(arguments: &ReplayArguments) -> Result<i32, String> {
    let console = Console::new(&arguments.output);
    let bytes = disk::read(&arguments.trace).map_err(|_| "the file cannot be read".to_owned())?;
    let trace = Trace::from_json(&String::from_utf8_lossy(&bytes)).map_err(|error| error.to_string())?;
    let schedule = trace_file::schedule(&trace).map_err(|why| format!("the trace cannot be replayed: {why}"))?;
    let verify = command(&trace)?;
    let question = super::verify::asked(&verify).map_err(|unasked| unasked.message)?;
    let specification = &question.specification;
    let violation = trace.violation.as_ref().ok_or("the trace shows no violation")?;
    let kind = kind_of(specification, &violation.kind, &violation.code)
        .ok_or_else(|| format!("`{}` is no kind of violation", violation.kind))?;

    let mut front_end = FrontEnd::load(&question.program);
    let Some((model, _)) = super::verify::model(&mut front_end, &verify, &question) else {
        return Ok(super::verify::refuse(&mut front_end, &console, "replay"));
    };
    changed(&trace, &front_end)?;
    let options = super::verify::options(&verify, &question);
    let shown = trace_file::Shown { program: &model, sources: &front_end.sources, options: &options };
    let (diagnostic, steps) = trace_file::follow(&shown, &schedule, kind);
    let text = match diagnostic {
        Some(_) => format!("FALSE({})", violation.kind),
        None => "UNKNOWN (the trace does not lead to its violation any more)".to_owned(),
    };
    let (status, code) = match diagnostic {
        Some(_) => (Status::Failed, exit_code::VIOLATED),
        None => (Status::Unknown, exit_code::UNKNOWN),
    };
    front_end.diagnostics.extend(diagnostic);
    if console.is_document() {
        let outcome = Outcome { status, text: &text, exit_code: code, seconds: None };
        let shown: Vec<&TraceStep> = steps.iter().map(|(step, _)| step).collect();
        let mut extra = serde_json::Map::new();
        extra.insert("input_values".into(), serde_json::to_value(&trace.inputs).unwrap_or_default());
        extra.insert("steps".into(), serde_json::to_value(shown).unwrap_or_default());
        console.document(front_end.report("replay", outcome), extra);
        return Ok(code);
    }
    print(&listing(arguments, &trace, &front_end, &steps));
    console.messages(&front_end.sources, &front_end.diagnostics);
    print(&format!("Result: {text}\n"));
    Ok(code)
}

/// The command that the trace was found with.
fn command(trace: &Trace) -> Result<VerifyArguments, String> {
    let words = std::iter::once("quod").chain(trace.command.iter().map(String::as_str));
    match Cli::try_parse_from(words).map(|cli| cli.command) {
        Ok(Some(Command::Verify(arguments))) => Ok(*arguments),
        _ => Err("it does not say which program it is a trace of".into()),
    }
}

/// The kind of a violation, by the word of its result and by its code.
fn kind_of(specification: &Specification, word: &str, code: &str) -> Option<CheckKind> {
    let is_it = |kind: &&CheckKind| specification.word(**kind) == word && kind.code().to_string() == code;
    CheckKind::ALL.iter().find(is_it).copied()
}

/// An error where a file is not what it was.
fn changed(trace: &Trace, front_end: &FrontEnd) -> Result<(), String> {
    for file in front_end.sources.files().iter().filter(|file| !file.name.starts_with('<')) {
        let fingerprint = format!("{:032x}", quod_base::Fingerprint::of(&file.text).0);
        let known = trace.sources.iter().find(|source| source.name == file.name);
        if known.is_none_or(|known| known.fingerprint != fingerprint) {
            return Err(format!("{} has changed since the trace was saved", file.name));
        }
    }
    Ok(())
}

/// The steps with their source lines.
fn listing(
    arguments: &ReplayArguments,
    trace: &Trace,
    front_end: &FrontEnd,
    steps: &[(TraceStep, Vec<Variable>)],
) -> String {
    let mut text = String::new();
    for (name, value) in &trace.inputs {
        text += &format!("input {name} = {}\n", value.text);
    }
    for (index, (step, variables)) in steps.iter().enumerate() {
        let number = index + 1;
        if arguments.from.is_some_and(|from| number < from) || arguments.to.is_some_and(|to| number > to) {
            continue;
        }
        let place = step.place.as_ref();
        let shown = place.map_or_else(String::new, |place| format!("{}:{}", place.file, place.line));
        let line = place.and_then(|place| source_line(front_end, &place.file, place.line)).unwrap_or_default();
        text += &format!("{number:>5}  p{} {:<12} {shown}: {line}\n", step.process, step.function);
        for change in &step.changes {
            text += &format!("{:>24}{} = {}\n", "", change.left, change.value.text);
        }
        if arguments.states {
            text += &format!("{:>9}state after step {number}\n", "");
            for variable in variables {
                let owner = variable.function.map_or_else(String::new, |function| format!("{function}:"));
                text += &format!("{:>11}{owner}{} = {}\n", "", variable.name, variable.value);
            }
        }
    }
    text
}

fn source_line(front_end: &FrontEnd, file: &str, line: u32) -> Option<String> {
    let found = front_end.sources.files().iter().find(|found| found.name == file)?;
    let text = found.text.lines().nth(line.checked_sub(1)? as usize)?;
    Some(text.trim().to_owned())
}
