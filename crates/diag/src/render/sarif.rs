//! SARIF 2.1.0 (OASIS), the format that code hosts and editors read: one run, a rule for each code, a result for each
//! diagnostic, the other places as related locations.

use super::{Report, Status};
use crate::place::{Spot, spot};
use crate::{Code, Diagnostic, Severity};
use serde_json::{Value, json};

pub fn render(report: Report<'_>) -> String {
    let mut codes: Vec<Code> = report.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let rules: Vec<Value> = codes.iter().map(|&code| rule(code)).collect();
    let results: Vec<Value> = report.diagnostics.iter().map(|diagnostic| result(report, &codes, diagnostic)).collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "quod",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "invocations": [{
                "executionSuccessful": report.outcome.status != Status::Error,
                "exitCode": report.outcome.exit_code,
            }],
            "properties": { "command": report.command, "result": report.outcome.text },
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    });
    let mut text = format!("{document:#}");
    text.push('\n');
    text
}

fn rule(code: Code) -> Value {
    let entry = code.entry();
    json!({
        "id": code.to_string(),
        "name": entry.map(|entry| camel(entry.name)),
        "shortDescription": { "text": entry.map_or("", |entry| entry.title) },
        "help": entry.map(|entry| json!({ "text": entry.explanation(), "markdown": entry.explanation() })),
    })
}

/// `DIVISION_BY_ZERO` as SARIF likes names: `DivisionByZero`.
fn camel(name: &str) -> String {
    name.split('_').map(|word| word[..1].to_owned() + &word[1..].to_ascii_lowercase()).collect()
}

fn result(report: Report<'_>, codes: &[Code], diagnostic: &Diagnostic) -> Value {
    let mut text = diagnostic.message.clone();
    for note in &diagnostic.notes {
        text.push_str("\nnote: ");
        text.push_str(note);
    }
    for help in &diagnostic.help {
        text.push_str("\nhelp: ");
        text.push_str(help);
    }
    let mut places = diagnostic.labels.iter().filter_map(|label| {
        let spot = spot(report.sources, label.span)?;
        Some(location(report, &spot, &label.text))
    });
    let first: Vec<Value> = places.by_ref().take(1).collect();
    json!({
        "ruleId": diagnostic.code.to_string(),
        "ruleIndex": codes.binary_search(&diagnostic.code).ok(),
        "level": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note | Severity::Help => "note",
        },
        "message": { "text": text },
        "locations": first,
        "relatedLocations": places.collect::<Vec<Value>>(),
    })
}

fn location(report: Report<'_>, spot: &Spot, text: &str) -> Value {
    let source = &report.sources.file(spot.file).text;
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&spot.name) },
            "region": {
                "startLine": spot.line,
                "startColumn": utf16_column(source, spot.lo),
                "endLine": spot.end_line.max(spot.line),
                "endColumn": utf16_column(source, spot.hi),
            },
        },
    });
    if !text.is_empty() {
        location["message"] = json!({ "text": text });
    }
    location
}

fn utf16_column(text: &str, offset: usize) -> usize {
    let start = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
    text[start..offset].encode_utf16().count() + 1
}

/// A relative or absolute path as a URI reference: bytes outside the unreserved ones are percent-encoded.
fn uri(path: &str) -> String {
    let mut out = String::new();
    if path.starts_with('/') {
        out.push_str("file://");
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(byte as char);
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
