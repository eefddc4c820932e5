//! How much of a corpus the front end understands: each input is read up to the model, in this process, on all cores.
//!
//! `cargo xtask coverage --list FILE.jsonl[.gz] --corpus DIR` takes a list of competition tasks;
//! `cargo xtask coverage --tree DIR [--ext i,c,cvl] [--only TEXT]` takes every file below a folder, or, where there are
//! task definitions (`.yml` with `input_files`), what those name, in the data model that the definition or the set of
//! tasks gives (`.set` and `.cfg` in the folder). `--verbose` prints every failure.

use crate::shell;
use crate::task_files::{Input, below, listed};
use anyhow::{Context, Result, bail};
use quod_base::{SourceMap, Span};
use quod_diag::Diagnostic;
use quod_model::LowerOptions;
use quod_model::ir::{Arithmetic, Control, DataModel, Program, Step};
use quod_syntax::{Dialect, FileLoader, LoadError, ParseOptions, PreprocessOptions};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What the front end made of one input.
struct Report {
    path: PathBuf,
    bytes: u64,
    time: Duration,
    /// A class for the table and an example; `None` where all is understood.
    failure: Option<(String, String)>,
}

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let inputs = match (shell::option(arguments, "--list")?, shell::option(arguments, "--tree")?) {
        (Some(list), _) => listed(list, shell::option(arguments, "--corpus")?.context("--list needs --corpus DIR")?)?,
        (None, Some(tree)) => {
            let extensions = shell::option(arguments, "--ext")?.unwrap_or("i,c");
            below(Path::new(tree), extensions, shell::option(arguments, "--only")?)?
        }
        (None, None) => bail!("say what to read: --list FILE --corpus DIR, or --tree DIR"),
    };
    let is_verbose = arguments.iter().any(|argument| argument == "--verbose");
    let start = Instant::now();
    let reports = read_all(&inputs)?;
    let mut classes: BTreeMap<&str, Vec<&Report>> = BTreeMap::new();
    for report in &reports {
        if let Some((class, example)) = &report.failure {
            classes.entry(class).or_default().push(report);
            if is_verbose {
                println!("{}: {example}", report.path.display());
            }
        }
    }
    let mut rows: Vec<_> = classes.into_iter().collect();
    rows.sort_by_key(|(_, reports)| std::cmp::Reverse(reports.len()));
    for (class, reports) in &rows {
        let example = reports[0].failure.as_ref().map_or("", |failure| failure.1.as_str());
        println!("{:6}  {class}\n        {}: {example}", reports.len(), reports[0].path.display());
    }
    let understood = reports.iter().filter(|report| report.failure.is_none()).count();
    let bytes: u64 = reports.iter().map(|report| report.bytes).sum();
    let time: Duration = reports.iter().map(|report| report.time).sum();
    let slowest = reports.iter().max_by_key(|report| report.time);
    println!(
        "{understood} of {} inputs understood ({:.2} %), {:.1} MB in {:.1} s of thread time ({:.1} MB/s), {:.1} s in all",
        reports.len(),
        100.0 * understood as f64 / reports.len().max(1) as f64,
        bytes as f64 / 1e6,
        time.as_secs_f64(),
        bytes as f64 / 1e6 / time.as_secs_f64().max(1e-9),
        start.elapsed().as_secs_f64()
    );
    if let Some(slowest) = slowest {
        println!("slowest: {} in {:.2} s", slowest.path.display(), slowest.time.as_secs_f64());
    }
    Ok(())
}

fn read_all(inputs: &[Input]) -> Result<Vec<Report>> {
    let next = AtomicUsize::new(0);
    let reports = Mutex::new(Vec::new());
    std::panic::set_hook(Box::new(|_| {}));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(input) = inputs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let report = read(input);
                    if let Ok(mut reports) = reports.lock() {
                        reports.push(report);
                        if reports.len() % 1000 == 0 {
                            eprintln!("{} of {}", reports.len(), inputs.len());
                        }
                    }
                }
            });
        }
    });
    let _ = std::panic::take_hook();
    let mut reports = reports.into_inner().map_err(|_| anyhow::anyhow!("a reader failed"))?;
    reports.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(reports)
}

fn read(input: &Input) -> Report {
    let start = Instant::now();
    let bytes = std::fs::metadata(&input.path).map_or(0, |metadata| metadata.len());
    let outcome = std::panic::catch_unwind(|| match input.is_lp64 {
        Some(is_lp64) => front_end(&input.path, is_lp64),
        // Nobody says which data model: one that fits will do.
        None => front_end(&input.path, false).or_else(|failure| front_end(&input.path, true).map_err(|_| failure)),
    });
    let failure = match outcome {
        Ok(Ok(())) => None,
        Ok(Err(failure)) => Some(failure),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("?");
            Some(("PANIC".into(), text.lines().next().unwrap_or("").to_owned()))
        }
    };
    Report { path: input.path.clone(), bytes, time: start.elapsed(), failure }
}

fn front_end(path: &Path, is_lp64: bool) -> Result<(), (String, String)> {
    let mut sources = SourceMap::default();
    let bytes = std::fs::read(path).map_err(|error| ("cannot read".to_owned(), error.to_string()))?;
    let (text, _) = quod_syntax::preprocess::decode(&bytes);
    let main = sources
        .add_file(path.to_string_lossy().into_owned(), text, Span::NONE)
        .map_err(|_| ("too large".to_owned(), String::new()))?;
    let is_civl = path.extension().is_some_and(|extension| extension == "cvl" || extension == "cvh");
    let dialect = if is_civl { Dialect::Civl } else { Dialect::C };
    let data_model = if is_lp64 { quod_syntax::DataModel::Lp64 } else { quod_syntax::DataModel::Ilp32 };
    let options = PreprocessOptions { data_model, dialect, ..PreprocessOptions::default() };
    let preprocessed = quod_syntax::preprocess(&mut sources, main, &Disk, &options);
    first_error(&sources, "preprocessor", &preprocessed.diagnostics)?;
    let options = ParseOptions { dialect, ..ParseOptions::default() };
    let (unit, diagnostics) = quod_syntax::parse(&preprocessed.tokens, &sources, &options);
    first_error(&sources, "parser", &diagnostics)?;
    let data_model = if is_lp64 { DataModel::Lp64 } else { DataModel::Ilp32 };
    let arithmetic = if is_civl { Arithmetic::Ideal } else { Arithmetic::Machine };
    let lowered = quod_model::lower(&[unit], &sources, &LowerOptions { data_model, arithmetic, dialect });
    first_error(&sources, "lowering", &lowered.diagnostics)?;
    if let Err(fault) = quod_model::validate::validate(&lowered.program) {
        return Err(("not well formed".into(), fault.to_string()));
    }
    match unsupported(&lowered.program) {
        Some(diagnostic) => Err((format!("unsupported: {}", diagnostic.message), describe(&sources, diagnostic))),
        None => Ok(()),
    }
}

fn first_error(sources: &SourceMap, phase: &str, diagnostics: &[Diagnostic]) -> Result<(), (String, String)> {
    match diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        Some(error) => Err((format!("{phase} {}", error.code), describe(sources, error))),
        None => Ok(()),
    }
}

fn describe(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let place = sources.place(sources.use_site(diagnostic.span()).lo);
    let place = place.map_or(String::new(), |place| format!("{}:{}: ", place.line, place.column));
    format!("{place}{}", diagnostic.message)
}

/// The first construct in the model that is not supported.
fn unsupported(program: &Program) -> Option<&Diagnostic> {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    bodies.flat_map(|body| body.locations.iter()).find_map(|location| match &location.control {
        Control::Step { step: Step::Unsupported(diagnostic), .. } => Some(&**diagnostic),
        _ => None,
    })
}

struct Disk;

impl FileLoader for Disk {
    fn load(&self, path: &str) -> Result<Arc<[u8]>, LoadError> {
        std::fs::read(path).map(Arc::from).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => LoadError::NotFound,
            _ => LoadError::Unreadable(error.to_string()),
        })
    }
    fn exists(&self, path: &str) -> bool {
        Path::new(path).is_file()
    }
}
