//! Writes BenchExec's result XML (document type 3.12), which its `table-generator` reads.

use super::model::{ResultSet, RunResult, System};
use std::fmt::Write;

const HEAD: &str = "<?xml version=\"1.0\"?>\n<!DOCTYPE result\n  PUBLIC '+//IDN sosy-lab.org//DTD BenchExec result \
                    3.12//EN'\n  'https://www.sosy-lab.org/benchexec/result-3.12.dtd'>\n";

pub fn write(set: &ResultSet) -> String {
    let mut out = String::with_capacity(500 + set.runs.len() * 700);
    out.push_str(HEAD);
    out.push_str("<result");
    let header = &set.header;
    let mut put = |name: &str, value: &str| attribute(&mut out, name, value);
    put("benchmarkname", &header.benchmark);
    for (name, value) in [("block", &header.block), ("cpuCores", &header.cores)] {
        value.iter().for_each(|value| put(name, value));
    }
    put("date", &header.date);
    header.display_name.iter().for_each(|value| put("displayName", value));
    header.end.iter().for_each(|value| put("endtime", value));
    header.error.iter().for_each(|value| put("error", value));
    put("generator", &header.generator);
    for (name, value) in [("memlimit", &header.memory_limit), ("name", &header.name)] {
        value.iter().for_each(|value| put(name, value));
    }
    put("options", &header.options);
    put("starttime", &header.start);
    header.time_limit.iter().for_each(|value| put("timelimit", value));
    put("tool", &header.tool);
    put("toolmodule", &header.tool_module);
    put("version", &header.version);
    out.push_str(">\n");
    if let Some(description) = &header.description {
        let _ = writeln!(out, "  <description>{}</description>", escape(description));
    }
    out.push_str("  <columns>\n");
    for title in &set.columns {
        let _ = writeln!(out, "    <column title=\"{}\"/>", escape(title));
    }
    out.push_str("  </columns>\n");
    for system in &set.systems {
        write_system(&mut out, system);
    }
    for run in &set.runs {
        write_run(&mut out, run);
    }
    let sum = |of: fn(&RunResult) -> Option<f64>| set.runs.iter().filter_map(of).sum::<f64>();
    if header.end.is_some() {
        let _ = writeln!(out, "  <column title=\"cputime\" value=\"{}s\"/>", number(sum(|run| run.cpu_time)));
        let _ = writeln!(out, "  <column title=\"walltime\" value=\"{}s\"/>", number(sum(|run| run.wall_time)));
    }
    out.push_str("</result>\n");
    out
}

fn write_system(out: &mut String, system: &System) {
    let _ = write!(
        out,
        "  <systeminfo hostname=\"{}\">\n    <os name=\"{}\"/>\n    <cpu",
        escape(&system.host),
        escape(&system.os)
    );
    attribute(out, "cores", &system.cores);
    system.frequency.iter().for_each(|frequency| attribute(out, "frequency", frequency));
    attribute(out, "model", &system.cpu);
    if let Some(turbo) = system.turbo {
        attribute(out, "turboboostActive", if turbo { "true" } else { "false" });
    }
    let _ = write!(out, "/>\n    <ram size=\"{}B\"/>\n    <environment>\n", system.memory);
    for (name, value) in &system.environment {
        let _ = writeln!(out, "      <var name=\"{}\">{}</var>", escape(name), escape(value));
    }
    out.push_str("    </environment>\n  </systeminfo>\n");
}

fn write_run(out: &mut String, run: &RunResult) {
    out.push_str("  <run");
    attribute(out, "name", &run.name);
    if !run.files.is_empty() {
        attribute(out, "files", &format!("[{}]", run.files.join(", ")));
    }
    run.log.iter().for_each(|log| attribute(out, "logfile", log));
    run.options.iter().for_each(|options| attribute(out, "options", options));
    run.property.iter().for_each(|property| attribute(out, "properties", property));
    run.property_file.iter().for_each(|file| attribute(out, "propertyFile", file));
    run.expected.iter().for_each(|expected| attribute(out, "expectedVerdict", &expected.to_string()));
    out.push_str(">\n");
    let mut columns: Vec<(String, String, bool)> = run.values.clone();
    if !run.status.is_empty() {
        columns.push(("status".into(), run.status.clone(), false));
        columns.push(("category".into(), run.category.name().into(), true));
    }
    columns.extend(run.cpu_time.map(|time| ("cputime".into(), format!("{}s", number(time)), false)));
    columns.extend(run.wall_time.map(|time| ("walltime".into(), format!("{}s", number(time)), false)));
    columns.extend(run.memory.map(|bytes| ("memory".into(), format!("{bytes}B"), false)));
    columns.extend(run.witness_category.clone().map(|category| ("witness-category".into(), category, true)));
    columns.sort_by(|a, b| (a.2, &a.0).cmp(&(b.2, &b.0)));
    for (title, value, is_hidden) in columns {
        let _ = write!(out, "    <column title=\"{}\" value=\"{}\"", escape(&title), escape(&value));
        out.push_str(if is_hidden { " hidden=\"true\"/>\n" } else { "/>\n" });
    }
    out.push_str("  </run>\n");
}

fn attribute(out: &mut String, name: &str, value: &str) {
    let _ = write!(out, " {name}=\"{}\"", escape(value));
}

/// Nanoseconds at most, without trailing zeros: the same figure in XML, CSV and JSON.
pub fn number(value: f64) -> String {
    let text = format!("{value:.9}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Characters that XML 1.0 cannot hold at all become the replacement character.
fn escape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' => result.push_str("&quot;"),
            '\t' | '\n' | '\r' => {
                let _ = write!(result, "&#{};", c as u32);
            }
            _ if (c as u32) < 0x20 || matches!(c as u32, 0xFFFE | 0xFFFF) => result.push('\u{FFFD}'),
            _ => result.push(c),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::super::{Category, Header, xml_read};
    use super::*;
    use crate::input::expected::Expected;
    use std::path::Path;

    #[test]
    fn written_and_read_again() {
        let set = ResultSet {
            header: Header {
                benchmark: "b".into(),
                name: Some("r.<t>".into()),
                tool: "a & \"b\"".into(),
                end: Some("e".into()),
                time_limit: Some("900s".into()),
                ..Header::default()
            },
            systems: vec![System { host: "h".into(), memory: 5, turbo: Some(false), ..System::default() }],
            columns: vec!["status".into(), "cputime".into()],
            runs: vec![RunResult {
                name: "../c/a.yml".into(),
                files: vec!["../c/a.c".into(), "../c/b.c".into()],
                property: Some("unreach-call".into()),
                expected: Expected::parse("false(valid-deref)"),
                status: "false(valid-deref)".into(),
                category: Category::Correct,
                cpu_time: Some(1.25),
                wall_time: Some(0.000000001),
                memory: Some(1_000_000),
                values: vec![("returnvalue".into(), "10\u{1}".replace('\u{1}', "\n"), true)],
                ..RunResult::default()
            }],
        };
        let text = write(&set);
        assert_eq!(xml_read::parse(&text, Path::new("x.xml")).unwrap(), set);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(1.25), "1.25");
        assert_eq!(number(100.0), "100");
        assert_eq!(number(0.003129846), "0.003129846");
    }
}
