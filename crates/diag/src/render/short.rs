//! One line a diagnostic, as compilers write them: `file:line:column: error[Q0001]: message: label`.

use crate::Diagnostic;
use crate::place::spot;
use quod_base::SourceMap;
use std::fmt::Write;

pub fn render(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        if let Some(spot) = spot(sources, diagnostic.span()) {
            let _ = write!(out, "{}:{}:{}: ", spot.name, spot.line, spot.column);
        }
        let message = diagnostic.message.replace('\n', " ");
        let _ = write!(out, "{}[{}]: {message}", diagnostic.severity.word(), diagnostic.code);
        if let Some(label) = diagnostic.labels.first().filter(|label| !label.text.is_empty()) {
            let _ = write!(out, ": {}", label.text.replace('\n', " "));
        }
        out.push('\n');
    }
    out
}
