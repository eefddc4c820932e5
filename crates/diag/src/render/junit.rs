//! JUnit's XML, which build servers show as test results: one suite, one case for each input, a violation as a failure and
//! an input that does not compile as an error.

use super::{Report, Status, short, terminal};
use crate::Diagnostic;
use std::fmt::Write;

pub fn render(report: Report<'_>) -> String {
    let status = report.outcome.status;
    let cases = report.inputs.len().max(1);
    let (failures, errors, skipped) = match status {
        Status::Passed => (0, 0, 0),
        Status::Failed => (1, 0, 0),
        Status::Error => (0, 1, 0),
        Status::Unknown => (0, 0, 1),
    };
    let seconds = report.outcome.seconds.unwrap_or(0.0);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let counts = format!("tests=\"{cases}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"");
    let _ = writeln!(out, "<testsuites name=\"quod\" {counts} time=\"{seconds:.3}\">");
    let _ = writeln!(out, "  <testsuite name=\"quod {}\" {counts} time=\"{seconds:.3}\">", escape(report.command));
    let name = report.inputs.first().map_or("", String::as_str);
    let _ = write!(
        out,
        "    <testcase name=\"{}\" classname=\"{}\" time=\"{seconds:.3}\"",
        escape(name),
        escape(report.command)
    );
    match status {
        Status::Passed => out.push_str("/>\n"),
        Status::Unknown => {
            let _ = writeln!(out, ">\n      <skipped message=\"{}\"/>", escape(report.outcome.text));
            out.push_str("    </testcase>\n");
        }
        Status::Failed | Status::Error => {
            let element = if status == Status::Failed { "failure" } else { "error" };
            let kind = report.diagnostics.first().map_or(String::new(), |diagnostic| diagnostic.code.to_string());
            let _ = writeln!(
                out,
                ">\n      <{element} message=\"{}\" type=\"{kind}\">{}</{element}>",
                escape(report.outcome.text),
                escape(&body(report)),
            );
            out.push_str("    </testcase>\n");
        }
    }
    for input in report.inputs.iter().skip(1) {
        let _ = writeln!(out, "    <testcase name=\"{}\" classname=\"{}\"/>", escape(input), escape(report.command));
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn body(report: Report<'_>) -> String {
    let few: &[Diagnostic] = &report.diagnostics[..report.diagnostics.len().min(20)];
    let rest = &report.diagnostics[few.len()..];
    terminal::render(report.sources, few, terminal::Style::PLAIN) + &short::render(report.sources, rest)
}

/// XML text: the five entities, and nothing that XML 1.0 forbids.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
