//! The report as one HTML file: data, script and style inside, nothing loaded from anywhere.
//!
//! Data is stored by column and strings once, so that 20,000 rows stay a few megabytes.

use super::model::{Cell, Report};
use super::svg::{COLOURS, escape};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const SCRIPT: &str = include_str!("../../assets/report.js");
const STYLE: &str = include_str!("../../assets/report.css");

pub fn page(report: &Report) -> String {
    let data = data(report);
    let mut out = String::with_capacity(data.len() + SCRIPT.len() + STYLE.len() + 1000);
    out.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    out.push_str(&escape(&report.title));
    out.push_str("</title>\n<style>\n");
    out.push_str(STYLE);
    out.push_str(
        "</style>\n</head>\n<body>\n<div id=\"app\"><noscript>This report needs JavaScript.</noscript></div>\n",
    );
    out.push_str("<script id=\"data\" type=\"application/json\">");
    // The only text that could end the element early.
    out.push_str(&data.replace("</", "<\\/"));
    out.push_str("</script>\n<script>\n");
    out.push_str(SCRIPT);
    out.push_str("</script>\n</body>\n</html>\n");
    out
}

/// Strings by number.
#[derive(Default)]
struct Strings {
    numbers: BTreeMap<String, usize>,
    texts: Vec<String>,
}

impl Strings {
    fn number(&mut self, text: &str) -> usize {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.texts.len();
        self.numbers.insert(text.to_string(), number);
        self.texts.push(text.to_string());
        number
    }
}

fn data(report: &Report) -> String {
    let mut strings = Strings::default();
    let names: Vec<&str> = report.tasks.iter().map(|task| task.name.as_str()).collect();
    // Many tasks lie in few folders; links repeat them.
    let links: Vec<Value> = report.tasks.iter().map(|task| split(task.link.as_deref(), &mut strings)).collect();
    let properties: Vec<usize> = report.tasks.iter().map(|task| strings.number(&task.property)).collect();
    let expected: Vec<usize> = report.tasks.iter().map(|task| strings.number(&task.expected)).collect();
    let groups: Vec<usize> = report.tasks.iter().map(|task| strings.number(&task.group)).collect();
    let columns: Vec<Value> = report
        .columns
        .iter()
        .zip(&report.cells)
        .enumerate()
        .map(|(number, (column, cells))| {
            let status: Vec<i64> =
                cells.iter().map(|cell| cell.as_ref().map_or(-1, |cell| strings.number(&cell.status) as i64)).collect();
            let category: Vec<i64> = cells
                .iter()
                .map(|cell| cell.as_ref().map_or(-1, |cell| strings.number(&cell.category) as i64))
                .collect();
            let of = |pick: &dyn Fn(&Cell) -> Option<f64>| -> Vec<Value> {
                cells.iter().map(|cell| cell.as_ref().and_then(pick).map_or(Value::Null, short)).collect()
            };
            let logs: Vec<Value> = cells
                .iter()
                .map(|cell| split(cell.as_ref().and_then(|cell| cell.log.as_deref()), &mut strings))
                .collect();
            let mut files = serde_json::Map::new();
            for (index, cell) in cells.iter().enumerate() {
                if let Some(cell) = cell.as_ref().filter(|cell| !cell.files.is_empty()) {
                    files.insert(index.to_string(), json!(cell.files));
                }
            }
            json!({
                "label": column.label,
                "runSet": column.run_set,
                "facts": column.facts,
                "limit": column.time_limit,
                "colour": COLOURS[number % COLOURS.len()],
                "status": status,
                "category": category,
                "cpu": of(&|cell| cell.cpu_time),
                "wall": of(&|cell| cell.wall_time),
                "memory": of(&|cell| cell.memory.map(|bytes| (bytes as f64 / 1e6 * 100.0).round() / 100.0)),
                "score": of(&|cell| Some(cell.score)),
                "log": logs,
                "files": files,
            })
        })
        .collect();
    json!({
        "title": report.title,
        "subtitle": report.subtitle,
        "names": names,
        "links": links,
        "property": properties,
        "expected": expected,
        "group": groups,
        "columns": columns,
        "tables": report.tables,
        "strings": strings.texts,
    })
    .to_string()
}

/// Folder by number, and the name in it.
fn split(path: Option<&str>, strings: &mut Strings) -> Value {
    let Some(path) = path else { return json!(null) };
    let at = path.rfind('/').map_or(0, |at| at + 1);
    json!([strings.number(&path[..at]), &path[at..]])
}

/// Four significant digits are more than anyone reads off a table.
fn short(value: f64) -> Value {
    if value == value.trunc() && value.abs() < 1e9 {
        return json!(value as i64);
    }
    let digits = (3 - value.abs().log10().floor() as i32).clamp(0, 6);
    let scale = 10_f64.powi(digits);
    json!((value * scale).round() / scale)
}
