//! The text of GraphML witnesses.

use crate::data::*;
use std::fmt::Write;

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
"#;

/// Key, what it belongs to, type, default.
const KEYS: &[(&str, &str, &str, &str)] = &[
    ("witness-type", "graph", "string", ""),
    ("sourcecodelang", "graph", "string", ""),
    ("producer", "graph", "string", ""),
    ("specification", "graph", "string", ""),
    ("programfile", "graph", "string", ""),
    ("programhash", "graph", "string", ""),
    ("architecture", "graph", "string", ""),
    ("creationtime", "graph", "string", ""),
    ("entry", "node", "boolean", "false"),
    ("violation", "node", "boolean", "false"),
    ("invariant", "node", "string", ""),
    ("invariant.scope", "node", "string", ""),
    ("cyclehead", "node", "boolean", "false"),
    ("assumption", "edge", "string", ""),
    ("assumption.scope", "edge", "string", ""),
    ("assumption.resultfunction", "edge", "string", ""),
    ("control", "edge", "string", ""),
    ("startline", "edge", "int", ""),
    ("enterLoopHead", "edge", "boolean", "false"),
];

pub(crate) fn write(witness: &Witness) -> String {
    let mut out = String::from(HEAD);
    for (key, owner, ty, default) in KEYS {
        let _ = write!(out, "  <key id=\"{key}\" for=\"{owner}\" attr.name=\"{key}\" attr.type=\"{ty}\"");
        match *default {
            "" => out.push_str("/>\n"),
            default => {
                let _ = writeln!(out, "><default>{default}</default></key>");
            }
        }
    }
    out.push_str("  <graph edgedefault=\"directed\">\n");
    graph_data(&mut out, witness);
    match &witness.content {
        Content::Violation(segments) => violation(&mut out, segments),
        Content::Correctness(invariants) => correctness(&mut out, invariants),
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}

fn graph_data(out: &mut String, witness: &Witness) {
    let metadata = &witness.metadata;
    let file = metadata.files.first().cloned().unwrap_or_default();
    let kind = if witness.is_violation() { "violation_witness" } else { "correctness_witness" };
    let architecture = if metadata.data_model == "ILP32" { "32bit" } else { "64bit" };
    let producer = format!("{} {}", metadata.producer, metadata.producer_version);
    for (key, value) in [
        ("witness-type", kind),
        ("sourcecodelang", "C"),
        ("producer", producer.trim()),
        ("specification", metadata.specification.trim()),
        ("programfile", &file.name),
        ("programhash", &file.hash),
        ("architecture", architecture),
        ("creationtime", &metadata.creation_time),
    ] {
        data(out, 4, key, value);
    }
}

fn data(out: &mut String, indent: usize, key: &str, value: &str) {
    let _ = writeln!(out, "{}<data key=\"{key}\">{}</data>", " ".repeat(indent), escaped(value));
}

fn node(out: &mut String, id: usize, facts: &[(&str, &str)]) {
    if facts.is_empty() {
        let _ = writeln!(out, "    <node id=\"N{id}\"/>");
        return;
    }
    let _ = writeln!(out, "    <node id=\"N{id}\">");
    facts.iter().for_each(|(key, value)| data(out, 6, key, value));
    out.push_str("    </node>\n");
}

fn edge(out: &mut String, from: usize, to: usize, facts: &[(&str, &str)]) {
    let _ = writeln!(out, "    <edge source=\"N{from}\" target=\"N{to}\">");
    facts.iter().for_each(|(key, value)| data(out, 6, key, value));
    out.push_str("    </edge>\n");
}

fn violation(out: &mut String, segments: &[Segment]) {
    let followed: Vec<&Waypoint> = segments.iter().filter_map(|segment| segment.waypoints.last()).collect();
    let first_cycle = followed.iter().position(|waypoint| waypoint.action == Action::Cycle);
    node(
        out,
        0,
        if first_cycle == Some(0) { &[("entry", "true"), ("cyclehead", "true")] } else { &[("entry", "true")] },
    );
    let count = followed.len();
    for (index, waypoint) in followed.into_iter().enumerate() {
        let is_last = index + 1 == count;
        // A cycle goes back to its head.
        let back = first_cycle.filter(|_| is_last);
        let to = back.unwrap_or(index + 1);
        if back.is_none() {
            match () {
                () if is_last => node(out, to, &[("violation", "true")]),
                () if first_cycle == Some(index + 1) => node(out, to, &[("cyclehead", "true")]),
                () => node(out, to, &[]),
            }
        }
        let line = waypoint.location.line.to_string();
        let mut facts = vec![("startline", line.as_str())];
        let text;
        match &waypoint.kind {
            WaypointKind::Assumption(value) | WaypointKind::After(value) => {
                text = format!("{value};");
                facts.push(("assumption", &text));
                if let Some(function) = &waypoint.location.function {
                    facts.push(("assumption.scope", function));
                }
            }
            WaypointKind::FunctionReturn(Some(value)) => {
                text = format!("{value};");
                facts.push(("assumption", &text));
                if let Some(function) = &waypoint.location.function {
                    facts.push(("assumption.scope", function));
                }
                if let Some(callee) = &waypoint.callee {
                    facts.push(("assumption.resultfunction", callee));
                }
            }
            WaypointKind::Branching(value) if value == "true" || value == "false" => {
                text = format!("condition-{value}");
                facts.push(("control", &text));
            }
            _ => {}
        }
        edge(out, index, to, &facts);
    }
}

fn correctness(out: &mut String, invariants: &[Invariant]) {
    node(out, 0, &[("entry", "true")]);
    for (index, invariant) in invariants.iter().filter(|invariant| invariant.kind == InvariantKind::Loop).enumerate() {
        let mut facts = vec![("invariant", invariant.value.as_str())];
        if let Some(function) = &invariant.location.function {
            facts.push(("invariant.scope", function));
        }
        node(out, index + 1, &facts);
        let line = invariant.location.line.to_string();
        edge(out, 0, index + 1, &[("startline", &line), ("enterLoopHead", "true")]);
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
    }
    out
}
