//! One JSON document for programs. Fields are only ever added; a change of meaning raises `SCHEMA_VERSION`.

use super::Report;
use crate::Diagnostic;
use crate::place::{Spot, inclusions, spot};
use quod_base::SourceMap;
use serde::Serialize;
use serde_json::Value;

pub const SCHEMA_VERSION: u32 = 1;

/// The document. `extra` holds what only one command has, such as a trace; its fields stand beside the common ones.
pub fn render(report: Report<'_>, extra: serde_json::Map<String, Value>) -> String {
    let document = Document {
        schema_version: SCHEMA_VERSION,
        tool: Tool { name: "quod", version: env!("CARGO_PKG_VERSION") },
        command: report.command,
        inputs: report.inputs,
        status: report.outcome.status.word(),
        result: report.outcome.text,
        exit_code: report.outcome.exit_code,
        seconds: report.outcome.seconds,
        diagnostics: report.diagnostics.iter().map(|diagnostic| entry(report.sources, diagnostic)).collect(),
        extra,
    };
    let mut text = serde_json::to_string_pretty(&document)
        .unwrap_or_else(|error| format!("{{\"error\": {:?}}}", error.to_string()));
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    tool: Tool,
    command: &'a str,
    inputs: &'a [String],
    status: &'a str,
    result: &'a str,
    exit_code: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    diagnostics: Vec<Entry>,
    #[serde(flatten)]
    extra: serde_json::Map<String, Value>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Entry {
    severity: &'static str,
    code: String,
    /// `division-by-zero`: the registry's name of the code.
    name: Option<String>,
    message: String,
    labels: Vec<LabelEntry>,
    notes: Vec<String>,
    help: Vec<String>,
}

#[derive(Serialize)]
struct LabelEntry {
    is_primary: bool,
    text: String,
    #[serde(flatten)]
    place: Option<PlaceEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    macros: Vec<MacroEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    included_from: Vec<FromEntry>,
}

#[derive(Serialize)]
struct PlaceEntry {
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    /// Offsets in the text of `source`, the file that really holds it (line markers may name another one in `file`).
    byte_start: usize,
    byte_end: usize,
    source: String,
}

#[derive(Serialize)]
struct MacroEntry {
    name: String,
    #[serde(flatten)]
    place: Option<PlaceEntry>,
}

#[derive(Serialize)]
struct FromEntry {
    file: String,
    line: u32,
}

fn entry(sources: &SourceMap, diagnostic: &Diagnostic) -> Entry {
    let labels = diagnostic.labels.iter().enumerate().map(|(index, label)| {
        let spot = spot(sources, label.span);
        LabelEntry {
            is_primary: index == 0,
            text: label.text.clone(),
            macros: spot.iter().flat_map(|spot| &spot.macros).map(|used| macro_entry(sources, used)).collect(),
            included_from: spot.iter().flat_map(|spot| inclusions(sources, spot.file)).map(from_entry).collect(),
            place: spot.map(|spot| place_entry(sources, &spot)),
        }
    });
    Entry {
        severity: diagnostic.severity.word(),
        code: diagnostic.code.to_string(),
        name: diagnostic.code.entry().map(|entry| entry.name.to_ascii_lowercase().replace('_', "-")),
        message: diagnostic.message.clone(),
        labels: labels.collect(),
        notes: diagnostic.notes.clone(),
        help: diagnostic.help.clone(),
    }
}

fn macro_entry(sources: &SourceMap, used: &crate::place::MacroUse) -> MacroEntry {
    MacroEntry { name: used.name.clone(), place: used.spot.as_deref().map(|spot| place_entry(sources, spot)) }
}

fn from_entry(from: crate::place::Inclusion) -> FromEntry {
    FromEntry { file: from.name, line: from.line }
}

fn place_entry(sources: &SourceMap, spot: &Spot) -> PlaceEntry {
    PlaceEntry {
        file: spot.name.clone(),
        line: spot.line,
        column: spot.column,
        end_line: spot.end_line,
        end_column: spot.end_column,
        byte_start: spot.lo,
        byte_end: spot.hi,
        source: sources.file(spot.file).name.clone(),
    }
}
