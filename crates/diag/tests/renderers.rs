//! The renderers on one diagnostic that has everything: other places, another file, a macro, notes and help.

use quod_base::source::Expansion;
use quod_base::{SourceMap, Span};
use quod_diag::render::{json, junit, sarif, short, terminal};
use quod_diag::{Diagnostic, Outcome, Report, Status, codes};
use std::sync::Arc;

const HEADER: &str = "#define HALF(x) ((x) / zero)\n";
const MAIN: &str = "#include \"half.h\"\nint zero;\nint main(void) {\n\treturn HALF(4);\n}\n";

fn find(sources: &SourceMap, file: usize, needle: &str) -> Span {
    let file = sources.files().iter().nth(file).unwrap();
    let lo = file.start + file.text.find(needle).unwrap() as u32;
    Span::new(lo, lo + needle.len() as u32)
}

fn example() -> (SourceMap, Diagnostic) {
    let mut sources = SourceMap::default();
    sources.add_file("main.c".into(), Arc::from(MAIN), Span::NONE).unwrap();
    let at = find(&sources, 0, "#include");
    sources.add_file("half.h".into(), Arc::from(HEADER), at).unwrap();
    let call_site = find(&sources, 0, "HALF(4)");
    let definition = find(&sources, 1, "HALF");
    let expansion = sources.add_expansion(Expansion { macro_name: "HALF".into(), call_site, definition });
    let division = Span { expansion: Some(expansion), ..find(&sources, 1, "(x) / zero") };
    let diagnostic = Diagnostic::error(codes::DIVISION_BY_ZERO, "division by zero")
        .label(division, "the divisor is 0")
        .label(find(&sources, 0, "zero"), "declared here, starts as 0")
        .note("C leaves the result undefined")
        .help("test the divisor first");
    (sources, diagnostic)
}

#[test]
fn terminal_shows_every_place() {
    let (sources, diagnostic) = example();
    let text = terminal::render(&sources, &[diagnostic], terminal::Style::PLAIN);
    let expected = "\
error[Q1003]: division by zero
 --> main.c:4:9
  |
2 | int zero;
  |     ---- declared here, starts as 0
3 | int main(void) {
4 |     return HALF(4);
  |            ^^^^^^^ the divisor is 0
  |
  = note: C leaves the result undefined
  = help: test the divisor first
note: in expansion of macro `HALF`
 --> half.h:1:18
  |
1 | #define HALF(x) ((x) / zero)
  |                  ----------

";
    assert_eq!(text, expected, "\n{text}");
}

#[test]
fn terminal_says_which_file_included_it() {
    let (sources, _) = example();
    let diagnostic = Diagnostic::warning(codes::SYNTAX, "odd").label(find(&sources, 1, "zero"), "");
    let text = terminal::render_one(&sources, &diagnostic, terminal::Style::PLAIN);
    assert!(text.contains("= note: in file included from main.c:1"), "{text}");
}

#[test]
fn terminal_bears_any_span() {
    let mut sources = SourceMap::default();
    let long = format!("int a;{}b\u{1b}[31mé\n", " ".repeat(300_000));
    let file = sources.add_file("long.c".into(), Arc::from(long.as_str()), Span::NONE).unwrap();
    let empty = sources.add_file("empty.c".into(), Arc::from(""), Span::NONE).unwrap();
    let (start, end) = (sources.file(file).start, sources.file(file).start + long.len() as u32);
    let empty = sources.file(empty).start;
    let spans = [
        Span::NONE,
        Span::new(start, start),
        Span::new(end, end),
        Span::new(end - 2, end - 1),
        Span::new(start, end),
        Span::new(empty, empty),
        Span::new(start, empty),
        Span::new(end, start),
        Span::new(u32::MAX - 1, u32::MAX),
    ];
    for span in spans {
        let diagnostic = Diagnostic::error(codes::SYNTAX, "odd\u{1b}[0m").label(span, "here").label(spans[3], "there");
        let text = terminal::render_one(&sources, &diagnostic, terminal::Style::PLAIN);
        assert!(text.len() < 20_000, "{span:?} gives {} bytes", text.len());
        assert!(!text.contains('\u{1b}'), "control characters reach the terminal");
        short::render(&sources, &[diagnostic]);
    }
}

#[test]
fn short_is_one_line() {
    let (sources, diagnostic) = example();
    let text = short::render(&sources, &[diagnostic]);
    assert_eq!(text, "main.c:4:9: error[Q1003]: division by zero: the divisor is 0\n");
}

#[test]
fn machine_formats_are_well_formed() {
    let (sources, diagnostic) = example();
    let inputs = ["main.c".to_owned()];
    let outcome = Outcome { status: Status::Failed, text: "FALSE(division-by-zero)", exit_code: 1, seconds: None };
    let diagnostics = [diagnostic];
    let report = Report { command: "run", inputs: &inputs, sources: &sources, diagnostics: &diagnostics, outcome };

    let document: serde_json::Value = serde_json::from_str(&json::render(report, serde_json::Map::new())).unwrap();
    assert_eq!(document["schema_version"], 1);
    assert_eq!(document["diagnostics"][0]["name"], "division-by-zero");
    assert_eq!(document["diagnostics"][0]["labels"][0]["line"], 4);
    assert_eq!(document["diagnostics"][0]["labels"][0]["macros"][0]["name"], "HALF");

    let document: serde_json::Value = serde_json::from_str(&sarif::render(report)).unwrap();
    let result = &document["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "Q1003");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startColumn"], 9);
    assert_eq!(document["runs"][0]["tool"]["driver"]["rules"][0]["name"], "DivisionByZero");

    let xml = junit::render(report);
    assert!(xml.contains("failures=\"1\"") && xml.contains("type=\"Q1003\""), "{xml}");
}
