//! Writes what a benchmark leaves behind.

use super::Failure;
use crate::collect::Named;
use crate::results::{ResultSet, csv, json, xml_write};
use crate::score::{Schema, Structure, ranking};
use crate::view::{self, Source};
use quod_report::bench::{Report, html, svg, text};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Written beside and renamed: a reader never sees half a file.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    let temporary = path.with_file_name(format!(
        ".{}.{}",
        path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        std::process::id()
    ));
    let explain = |error: std::io::Error| Failure::Machine(format!("cannot write {}: {error}", path.display()));
    std::fs::write(&temporary, bytes).map_err(explain)?;
    std::fs::rename(&temporary, path).map_err(explain)
}

pub(super) fn write_results(base: &Path, sets: &[Named], is_compressed: bool) -> Result<Vec<PathBuf>, Failure> {
    let mut written = Vec::new();
    for named in sets {
        let suffix = if named.suffix.is_empty() { String::new() } else { format!(".{}", named.suffix) };
        let text = xml_write::write(&named.set);
        let path = PathBuf::from(format!("{}.results{suffix}.xml", base.display()));
        if is_compressed {
            let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
            encoder.write_all(text.as_bytes())?;
            let path = PathBuf::from(format!("{}.bz2", path.display()));
            write_file(&path, &encoder.finish()?)?;
            written.push(path);
        } else {
            write_file(&path, text.as_bytes())?;
            written.push(path);
        }
    }
    Ok(written)
}

pub(super) struct Wanted<'a> {
    pub(super) html: Option<&'a Path>,
    pub(super) svg: Option<&'a Path>,
    pub(super) csv: Option<&'a Path>,
    pub(super) json: Option<&'a Path>,
    pub(super) title: &'a str,
}

/// HTML, SVG, CSV and JSON of some results; the report's data comes back for the summary.
pub(super) fn write_views(
    sources: &[Source<'_>],
    structure: Option<&Structure>,
    schema: &Schema,
    wanted: &Wanted<'_>,
) -> Result<Report, Failure> {
    let sets: Vec<ResultSet> = sources.iter().map(|source| source.set.clone()).collect();
    let tables = ranking::tables(&sets, structure, schema);
    let target = wanted.html.unwrap_or(Path::new("report.html"));
    let report = view::report(sources, &tables, schema, wanted.title, target);
    if let Some(path) = wanted.html {
        write_file(path, html::page(&report).as_bytes())?;
    }
    if let Some(folder) = wanted.svg {
        write_file(&folder.join("quantile.svg"), svg::quantile(&report).as_bytes())?;
        for left in 0..report.columns.len() {
            for right in left + 1..report.columns.len() {
                let name = format!("scatter-{}-{}.svg", left + 1, right + 1);
                write_file(&folder.join(name), svg::scatter(&report, left, right).as_bytes())?;
            }
        }
    }
    if let Some(path) = wanted.csv {
        write_file(path, csv::write(&sets, schema).as_bytes())?;
    }
    if let Some(path) = wanted.json {
        write_file(path, json::write(&sets).as_bytes())?;
    }
    Ok(report)
}

pub(super) fn summary(report: &Report) -> String {
    text::summary(report, crate::progress::terminal_width())
}
