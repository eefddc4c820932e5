//! `quod validate`: is this evidence good?

use crate::arguments::{DataModelName, ProgramArguments, ValidateArguments};
use crate::console::{Console, complain, print, status};
use crate::evidence::judge::{Judge, Judgement, diagnostic};
use crate::{disk, interrupt, question};
use quod_base::{FileId, SourceMap, Span};
use quod_diag::{Diagnostic, Outcome, Report, Status, codes};
use quod_syntax::LoadError;
use quod_verdict::{Specification, Verdict, exit_code};
use quod_witness::{Witness, WitnessError, sha256};
use std::path::Path;
use std::time::{Duration, Instant};

pub(crate) fn run(arguments: &ValidateArguments) -> i32 {
    let console = Console::new(&arguments.program.output);
    let mut sources = SourceMap::default();
    let name = arguments.witness.to_string_lossy().into_owned();
    let given = match question::specification(arguments.property.as_deref()) {
        Ok((specification, text)) => text.map(|_| specification),
        Err(message) => {
            complain(&format!("error: {message}\n"));
            return exit_code::USAGE;
        }
    };
    let text = match disk::read(&arguments.witness) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => {
            let why = match error {
                LoadError::NotFound => "there is no such file".to_owned(),
                LoadError::Unreadable(why) => why,
            };
            let message = format!("cannot read {name}: {why}");
            console.messages(&sources, &[Diagnostic::error(codes::CANNOT_READ_FILE, message)]);
            return exit_code::USAGE;
        }
    };
    let file = sources.add_file(name.clone(), text.as_str().into(), Span::NONE).ok();
    let end = End { console: &console, sources: &sources, file, name };
    let witness = match quod_witness::read(&text) {
        Ok(witness) => witness,
        Err(error) => return end.invalid(&[error]),
    };
    let mut program = arguments.program.clone();
    let mut errors = Vec::new();
    let specification = specification(&witness, given, &mut errors);
    data_model(&witness, &mut program, &mut errors);
    if !arguments.ignore_hashes
        && let Err(code) = hashes(&witness, &program, &console, &mut errors)
    {
        return code;
    }
    let (Some(specification), true) = (specification, errors.is_empty()) else { return end.invalid(&errors) };
    let seconds = if arguments.timeout.is_finite() { arguments.timeout.clamp(0.0, 1e6) } else { 1e6 };
    let deadline = Instant::now() + Duration::from_secs_f64(seconds);
    let judge = Judge { program: &program, specification: &specification, cancel: interrupt::token(), deadline };
    match judge.judge(&witness) {
        Judgement::Verdict(verdict) => end.verdict(&verdict, &specification),
        Judgement::Invalid(error) => end.invalid(&[error]),
        Judgement::BadProgram(mut front_end) => front_end.does_not_compile(&console, "validate"),
    }
}

/// How a validation ends.
struct End<'e> {
    console: &'e Console,
    sources: &'e SourceMap,
    file: Option<FileId>,
    name: String,
}

impl End<'_> {
    fn document(&self, status: Status, text: &str, exit_code: i32, diagnostics: &[Diagnostic]) {
        let outcome = Outcome { status, text, exit_code, seconds: None };
        let inputs = [self.name.clone()];
        let report = Report { command: "validate", inputs: &inputs, sources: self.sources, diagnostics, outcome };
        self.console.document(report, serde_json::Map::new());
    }

    fn invalid(&self, errors: &[WitnessError]) -> i32 {
        let diagnostics: Vec<Diagnostic> =
            errors.iter().map(|error| diagnostic(error, self.sources, self.file)).collect();
        self.console.messages(self.sources, &diagnostics);
        self.console.pointer(&diagnostics);
        let text = "UNKNOWN (the witness is not valid)";
        if !self.console.is_document() {
            print(&format!("Result: {text}\n"));
        }
        self.document(Status::Error, text, exit_code::DOES_NOT_COMPILE, &diagnostics);
        exit_code::DOES_NOT_COMPILE
    }

    fn verdict(&self, verdict: &Verdict, specification: &Specification) -> i32 {
        let status = status(verdict);
        let text = verdict.result(specification);
        if !self.console.is_document() {
            print(&format!("Result: {text}\n"));
        }
        self.document(status, &text, verdict.exit_code(), &[]);
        verdict.exit_code()
    }
}

/// The witness's specification, which must be part of the one that was given.
pub(crate) fn specification(
    witness: &Witness,
    given: Option<Specification>,
    errors: &mut Vec<WitnessError>,
) -> Option<Specification> {
    let metadata = &witness.metadata;
    let text = metadata.specification.trim();
    if text.is_empty() {
        if given.is_none() {
            let error =
                WitnessError::new(codes::WITNESS_TASK, metadata.specification_place, "`specification` is missing");
            errors.push(error.help("say what the witness is about with --property"));
        }
        return given;
    }
    let wrapped = format!("CHECK( init(main()), LTL({text}) )");
    let own = Specification::from_prp(text).or_else(|error| Specification::from_prp(&wrapped).map_err(|_| error));
    let own = match own {
        Ok(own) => own,
        Err(error) => {
            let text = format!("the witness's specification is not understood: {}", error.message);
            errors.push(WitnessError::new(codes::WITNESS_TASK, metadata.specification_place, text));
            return None;
        }
    };
    let Some(given) = given else { return Some(own) };
    let is_part = own.properties.iter().all(|property| given.properties.contains(property));
    if !is_part || own.error_function != given.error_function {
        let error = WitnessError::new(
            codes::WITNESS_TASK,
            metadata.specification_place,
            "the witness is for another property than the one that is asked for",
        );
        errors.push(error.help("without --property the witness's own specification is taken"));
        return None;
    }
    Some(given)
}

fn data_model(witness: &Witness, program: &mut ProgramArguments, errors: &mut Vec<WitnessError>) {
    let own = if witness.metadata.data_model == "ILP32" { DataModelName::Ilp32 } else { DataModelName::Lp64 };
    match program.data_model {
        None => program.data_model = Some(own),
        Some(given) if given != own => {
            let text = format!("the witness is for the data model {}", witness.metadata.data_model);
            errors.push(WitnessError::new(codes::WITNESS_TASK, witness.metadata.data_model_place, text));
        }
        Some(_) => {}
    }
}

/// Compares the hashes that the witness names with the program's files.
fn hashes(
    witness: &Witness,
    program: &ProgramArguments,
    console: &Console,
    errors: &mut Vec<WitnessError>,
) -> Result<(), i32> {
    let files = &witness.metadata.files;
    let base = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    for (index, path) in program.files.iter().enumerate() {
        let bytes = match disk::read(path) {
            Ok(bytes) => bytes,
            // The front end says it better.
            Err(_) => {
                let mut front_end = crate::front_end::FrontEnd::load(program);
                return Err(front_end.does_not_compile(console, "validate"));
            }
        };
        let named = files.iter().find(|file| base(Path::new(&file.name)) == base(path));
        let Some(expected) = named.or_else(|| files.get(index).filter(|_| files.len() == program.files.len())) else {
            let place = files.first().map_or((0, 0), |file| file.place);
            let text = format!("the witness does not speak of {}", path.display());
            errors.push(WitnessError::new(codes::WITNESS_HASH, place, text));
            continue;
        };
        let real = sha256(&bytes);
        if expected.hash != real {
            let text = format!("the witness is about another {}: its hash is not that of this file", expected.name);
            let error = WitnessError::new(codes::WITNESS_HASH, expected.place, text);
            let help =
                format!("the SHA-256 hash of {} is {real}; --ignore-hashes judges it all the same", path.display());
            errors.push(error.help(help));
        }
    }
    Ok(())
}
