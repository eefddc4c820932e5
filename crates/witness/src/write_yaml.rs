//! The text of YAML witnesses.

use crate::data::*;
use std::fmt::Write;

pub(crate) fn write(witness: &Witness) -> String {
    let version = match witness.format {
        Format::Yaml(version) => version,
        Format::GraphMl => Version::V2_0,
    };
    let mut out = String::new();
    let entry = if witness.is_violation() { "violation_sequence" } else { "invariant_set" };
    let _ = writeln!(out, "- entry_type: {entry}");
    metadata(&mut out, &witness.metadata, version);
    match &witness.content {
        Content::Violation(segments) => {
            out.push_str("  content:\n");
            for segment in segments {
                out.push_str("    - segment:\n");
                segment.waypoints.iter().for_each(|waypoint| write_waypoint(&mut out, waypoint, version));
            }
        }
        Content::Correctness(invariants) if invariants.is_empty() => out.push_str("  content: []\n"),
        Content::Correctness(invariants) => {
            out.push_str("  content:\n");
            for invariant in invariants {
                let _ = writeln!(out, "    - invariant:\n        type: {}", invariant.kind.word());
                location(&mut out, &invariant.location, 8);
                let format = match invariant.kind {
                    InvariantKind::Loop | InvariantKind::Location => "c_expression",
                    _ => "ext_c_expression",
                };
                let _ = writeln!(out, "        value: {}\n        format: {format}", quoted(&invariant.value));
            }
        }
    }
    out
}

fn metadata(out: &mut String, metadata: &Metadata, version: Version) {
    let _ = writeln!(out, "  metadata:\n    format_version: \"{}\"", version.text());
    let _ = writeln!(out, "    uuid: {}\n    creation_time: {}", metadata.uuid, metadata.creation_time);
    let _ = writeln!(out, "    producer:\n      name: {}", quoted(&metadata.producer));
    let _ = writeln!(out, "      version: {}", quoted(&metadata.producer_version));
    out.push_str("    task:\n      input_files:\n");
    for file in &metadata.files {
        let _ = writeln!(out, "        - {}", quoted(&file.name));
    }
    out.push_str("      input_file_hashes:\n");
    for file in &metadata.files {
        let _ = writeln!(out, "        {}: {}", quoted(&file.name), quoted(&file.hash));
    }
    let _ = writeln!(out, "      specification: {}", quoted(&metadata.specification));
    let _ = writeln!(out, "      data_model: {}\n      language: C", metadata.data_model);
}

fn write_waypoint(out: &mut String, waypoint: &Waypoint, version: Version) {
    let action = match waypoint.action {
        Action::Follow => "follow",
        Action::Avoid => "avoid",
        Action::Cycle => "cycle",
    };
    let _ =
        writeln!(out, "        - waypoint:\n            type: {}\n            action: {action}", waypoint.kind.word());
    if waypoint.thread > 0 {
        let _ = writeln!(out, "            thread_id: {}", waypoint.thread);
    }
    let result = if version == Version::V2_0 { "acsl_expression" } else { "ext_c_expression" };
    let constraint = match &waypoint.kind {
        WaypointKind::Assumption(value) | WaypointKind::After(value) => Some((value, Some("c_expression"))),
        WaypointKind::Branching(value) => Some((value, None)),
        WaypointKind::FunctionReturn(Some(value)) => Some((value, Some(result))),
        _ => None,
    };
    if let Some((value, format)) = constraint {
        let _ = writeln!(out, "            constraint:\n              value: {}", quoted(value));
        if let Some(format) = format {
            let _ = writeln!(out, "              format: {format}");
        }
    }
    location(out, &waypoint.location, 12);
}

fn location(out: &mut String, location: &Location, indent: usize) {
    let blank = " ".repeat(indent);
    let _ = writeln!(out, "{blank}location:\n{blank}  file_name: {}", quoted(&location.file));
    let _ = writeln!(out, "{blank}  line: {}", location.line);
    if let Some(column) = location.column {
        let _ = writeln!(out, "{blank}  column: {column}");
    }
    if let Some(function) = &location.function {
        let _ = writeln!(out, "{blank}  function: {}", quoted(function));
    }
}

/// A double-quoted scalar.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\x{:02x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
