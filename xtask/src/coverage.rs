//! How much of a corpus the front end understands: each input is read up to the model, in this process, on all cores.
//!
//! `cargo xtask coverage --list FILE.jsonl[.gz] --corpus DIR` takes a list of competition tasks;
//! `cargo xtask coverage --tree DIR [--ext i,c,cvl] [--only TEXT]` takes every file below a folder, or, where there are
//! task definitions (`.yml` with `input_files`), what those name. `--verbose` prints every failure.

use crate::shell;
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

struct Input {
    path: PathBuf,
    is_lp64: bool,
}

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
    let outcome = std::panic::catch_unwind(|| front_end(input));
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

fn front_end(input: &Input) -> Result<(), (String, String)> {
    let mut sources = SourceMap::default();
    let bytes = std::fs::read(&input.path).map_err(|error| ("cannot read".to_owned(), error.to_string()))?;
    let (text, _) = quod_syntax::preprocess::decode(&bytes);
    let main = sources
        .add_file(input.path.to_string_lossy().into_owned(), text, Span::NONE)
        .map_err(|_| ("too large".to_owned(), String::new()))?;
    let is_civl = input.path.extension().is_some_and(|extension| extension == "cvl" || extension == "cvh");
    let dialect = if is_civl { Dialect::Civl } else { Dialect::C };
    let data_model = if input.is_lp64 { quod_syntax::DataModel::Lp64 } else { quod_syntax::DataModel::Ilp32 };
    let options = PreprocessOptions { data_model, dialect, ..PreprocessOptions::default() };
    let preprocessed = quod_syntax::preprocess(&mut sources, main, &Disk, &options);
    first_error(&sources, "preprocessor", &preprocessed.diagnostics)?;
    let options = ParseOptions { dialect, ..ParseOptions::default() };
    let (unit, diagnostics) = quod_syntax::parse(&preprocessed.tokens, &sources, &options);
    first_error(&sources, "parser", &diagnostics)?;
    let data_model = if input.is_lp64 { DataModel::Lp64 } else { DataModel::Ilp32 };
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

/// The inputs of a list of tasks: one JSON object a line with root, id, inputs, model.
fn listed(list: &str, corpus: &str) -> Result<Vec<Input>> {
    let text = if list.ends_with(".gz") {
        let output = std::process::Command::new("gzip").args(["-dc", list]).output().context("cannot start gzip")?;
        String::from_utf8(output.stdout)?
    } else {
        std::fs::read_to_string(list)?
    };
    let mut inputs = BTreeMap::new();
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line)?;
        let word = |key: &str| row[key].as_str().unwrap_or_default();
        let folder = Path::new(corpus).join(word("root")).join(word("id"));
        let folder = folder.parent().context("a task without a folder")?;
        for input in row["inputs"].as_array().into_iter().flatten().filter_map(serde_json::Value::as_str) {
            inputs.insert(folder.join(input), word("model") == "LP64");
        }
    }
    Ok(inputs.into_iter().map(|(path, is_lp64)| Input { path, is_lp64 }).collect())
}

fn below(folder: &Path, extensions: &str, only: Option<&str>) -> Result<Vec<Input>> {
    let mut inputs = BTreeMap::new();
    let mut tasks = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)?.flatten() {
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if only.is_none_or(|only| path.to_string_lossy().contains(only)) {
                match path.extension().and_then(|extension| extension.to_str()) {
                    Some("yml") => tasks.push(path),
                    Some(extension) if extensions.split(',').any(|wanted| wanted == extension) => {
                        inputs.insert(path, true);
                    }
                    _ => {}
                }
            }
        }
    }
    if !tasks.is_empty() {
        inputs.clear();
        for task in tasks {
            let text = std::fs::read_to_string(&task).unwrap_or_default();
            task_inputs(&task, &text, &mut inputs);
        }
    }
    Ok(inputs.into_iter().map(|(path, is_lp64)| Input { path, is_lp64 }).collect())
}

/// The `input_files` and the data model of a task definition, read line by line.
fn task_inputs(task: &Path, text: &str, inputs: &mut BTreeMap<PathBuf, bool>) {
    let is_lp64 = text.contains("LP64");
    let mut in_list = false;
    for line in text.lines() {
        let item = match line.strip_prefix("input_files:") {
            Some(rest) => {
                in_list = rest.trim().is_empty();
                rest
            }
            None if in_list && line.trim_start().starts_with("- ") => line.trim_start().trim_start_matches("- "),
            None => {
                in_list &= line.trim().is_empty();
                continue;
            }
        };
        for name in item.trim().trim_matches(['[', ']']).split(',') {
            let name = name.trim().trim_matches(['\'', '"']);
            if !name.is_empty() {
                inputs.insert(task.with_file_name(name), is_lp64);
            }
        }
    }
}
