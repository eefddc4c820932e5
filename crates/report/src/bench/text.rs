//! The summary of a benchmark for the terminal, with a quantile plot in characters.

use super::axis::Axis;
use super::model::Report;
use super::quantile::Curve;
use super::svg::curves;
use std::fmt::Write;

const MARKS: [char; 8] = ['●', '○', '■', '□', '▲', '△', '◆', '◇'];

/// Counts and scores by column, the plot below.
pub fn summary(report: &Report, width: usize) -> String {
    let mut out = String::new();
    let widest = report.columns.iter().map(|column| column.label.chars().count()).max().unwrap_or(0).max(4);
    let heads = ["tasks", "correct", "unconf.", "wrong", "unknown", "errors", "score", "max.", "CPU time"];
    let _ = write!(out, "{:<widest$}", "tool");
    for head in heads {
        let _ = write!(out, " {head:>9}");
    }
    out.push('\n');
    for (column, cells) in report.columns.iter().zip(&report.cells) {
        let count = |category: &str| cells.iter().flatten().filter(|cell| cell.category == category).count();
        let score: f64 = cells.iter().flatten().map(|cell| cell.score).sum();
        let time: f64 = cells.iter().flatten().filter_map(|cell| cell.cpu_time).sum();
        let most: f64 = report
            .tasks
            .iter()
            .zip(cells)
            .filter(|(_, cell)| cell.is_some())
            .map(|(task, _)| most(&task.expected))
            .sum();
        let _ = write!(out, "{:<widest$} {:>9}", column.label, cells.iter().flatten().count());
        for category in ["correct", "correct-unconfirmed", "wrong"] {
            let _ = write!(out, " {:>9}", count(category));
        }
        let _ = write!(out, " {:>9} {:>9}", count("unknown") + count("missing"), count("error"));
        let _ = writeln!(out, " {score:>9} {most:>9} {:>7.1} s", time);
    }
    let curves = curves(report);
    if curves.iter().any(|curve| !curve.points.is_empty()) {
        out.push('\n');
        out.push_str(&plot(report, &curves, width.clamp(40, 120), 14));
    }
    out
}

fn most(expected: &str) -> f64 {
    match expected {
        "true" => 2.0,
        _ if expected.starts_with("false") => 1.0,
        _ => 0.0,
    }
}

/// The score-based quantile functions in characters: score to the right, time upwards.
fn plot(report: &Report, curves: &[Curve], width: usize, height: usize) -> String {
    let low = curves.iter().map(|curve| curve.start).fold(0.0, f64::min);
    let high = curves.iter().map(Curve::total).fold(1.0, f64::max);
    let slowest = curves.iter().flat_map(|curve| &curve.points).map(|point| point.1).fold(1.0, f64::max);
    let (x, y) = (Axis::linear(low, high), Axis::time(slowest));
    let columns = width - 10;
    let mut grid = vec![vec![' '; columns]; height];
    for (number, curve) in curves.iter().enumerate() {
        let mut last = curve.start;
        for (score, time, _) in &curve.points {
            let row = height - 1 - (y.place(*time) * (height - 1) as f64).round() as usize;
            let from = (x.place(last) * (columns - 1) as f64).round() as usize;
            let to = (x.place(*score) * (columns - 1) as f64).round() as usize;
            for cell in &mut grid[row][from..=to] {
                *cell = MARKS[number % MARKS.len()];
            }
            last = *score;
        }
    }
    let mut labels = vec![String::new(); height];
    for (value, text) in y.marks() {
        let row = height - 1 - (y.place(value) * (height - 1) as f64).round() as usize;
        labels[row] = format!("{text} s");
    }
    let mut out = String::new();
    for (label, line) in labels.iter().zip(&grid) {
        let line: String = line.iter().collect();
        let _ = writeln!(out, "{label:>8} │{}", line.trim_end());
    }
    let _ = writeln!(out, "{:>8} └{}", "", "─".repeat(columns));
    let ends = format!("{low}");
    let right = format!("{high}");
    let _ = writeln!(out, "{:>9} {ends}{right:>space$}  score", "", space = columns.saturating_sub(ends.len() + 8));
    for (number, column) in report.columns.iter().enumerate() {
        let _ =
            writeln!(out, "{:>9} {} {} ({})", "", MARKS[number % MARKS.len()], column.label, curves[number].total());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::model::{Cell, Column, Task};
    use super::*;

    #[test]
    fn a_small_summary() {
        let cell = |category: &str, score: f64, time: f64| {
            Some(Cell {
                status: "true".into(),
                category: category.into(),
                score,
                cpu_time: Some(time),
                ..Cell::default()
            })
        };
        let task = Task { expected: "true".into(), ..Task::default() };
        let report = Report {
            columns: vec![Column { label: "A".into(), ..Column::default() }],
            tasks: vec![task.clone(), task.clone(), task],
            cells: vec![vec![cell("correct", 2.0, 0.1), cell("correct", 2.0, 5.0), cell("error", 0.0, 10.0)]],
            ..Report::default()
        };
        let text = summary(&report, 60);
        assert!(
            text.contains("A            3         2         0         0         0         1         4         6"),
            "{text}"
        );
        assert!(text.contains("● A (4)"), "{text}");
    }
}
