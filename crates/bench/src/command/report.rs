//! `quod bench report` and `quod bench score`: tables and plots from result files, ours or BenchExec's.

use super::Failure;
use super::args::ReportArgs;
use super::compare::schema;
use super::load::{Loaded, load};
use super::outputs::{Wanted, summary, write_views};
use crate::results::ResultSet;
use crate::score::{Structure, confirm, ranking};
use crate::view::Source;
use std::io::Write;
use std::path::{Path, PathBuf};

fn prepare(args: &ReportArgs, err: &mut dyn Write) -> Result<(Vec<Loaded>, Option<Structure>), Failure> {
    let schema = schema(args.scoring.year)?;
    let structure = args.scoring.categories.as_deref().map(Structure::read).transpose()?;
    let mut loaded = load(&args.results)?;
    if !args.validation.is_empty() {
        let validations: Vec<ResultSet> = load(&args.validation)?.into_iter().map(|loaded| loaded.set).collect();
        for one in &mut loaded {
            let confirmed = confirm::join(&mut one.set, &validations, schema);
            writeln!(err, "{}: {confirmed} results confirmed", one.file.display())?;
        }
    }
    Ok((loaded, structure))
}

pub(super) fn run(args: &ReportArgs, out: &mut dyn Write, err: &mut dyn Write) -> Result<i32, Failure> {
    let (loaded, structure) = prepare(args, err)?;
    let schema = schema(args.scoring.year)?;
    let sources: Vec<Source<'_>> = loaded.iter().map(source).collect();
    let names: Vec<String> = loaded.iter().map(|loaded| loaded.set.header.benchmark.clone()).collect();
    let default_title = names.first().map_or("Benchmark".to_string(), |name| format!("Benchmark {name}"));
    let wanted = Wanted {
        html: Some(&args.output),
        svg: args.svg.as_deref(),
        csv: args.csv.as_deref(),
        json: args.json.as_deref(),
        title: args.title.as_deref().unwrap_or(&default_title),
    };
    let report = write_views(&sources, structure.as_ref(), schema, &wanted)?;
    write!(out, "{}", summary(&report))?;
    writeln!(err, "report: {}", args.output.display())?;
    Ok(0)
}

pub(super) fn score(args: &ReportArgs, out: &mut dyn Write, err: &mut dyn Write) -> Result<i32, Failure> {
    let (loaded, structure) = prepare(args, err)?;
    let sets: Vec<ResultSet> = loaded.into_iter().map(|loaded| loaded.set).collect();
    let tables = ranking::tables(&sets, structure.as_ref(), schema(args.scoring.year)?);
    write!(out, "{}\n{}", tables.overview(), tables.best(3))?;
    Ok(0)
}

/// Logs and result files lie where BenchExec puts them, beside the result file.
fn source(loaded: &Loaded) -> Source<'_> {
    let folder = loaded.file.parent().unwrap_or(Path::new("")).to_path_buf();
    let name = loaded.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let base = name.split(".results").next().unwrap_or("").to_string();
    let header = &loaded.set.header;
    let set_name = header.name.clone().unwrap_or_default();
    let block = header.block.clone().unwrap_or_default();
    let run_set =
        set_name.strip_suffix(&block).map_or(set_name.as_str(), |rest| rest.trim_end_matches('.')).to_string();
    let has_files = folder.join(format!("{base}.files")).is_dir();
    let files = loaded.set.runs.iter().map(|run| {
        if !has_files {
            return Vec::new();
        }
        let task = run.name.rsplit('/').next().unwrap_or("");
        let relative =
            if run_set.is_empty() { format!("{base}.files/{task}") } else { format!("{base}.files/{run_set}/{task}") };
        list(&folder, Path::new(&relative))
    });
    let files = files.collect();
    Source { set: &loaded.set, folder, files }
}

fn list(folder: &Path, relative: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder.join(relative))
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().is_file())
        .map(|entry| relative.join(entry.file_name()))
        .collect();
    found.sort();
    found
}
