//! The plots as SVG for papers: the same data and axes as in the page.

use super::axis::Axis;
use super::model::Report;
use super::quantile::{Curve, curve};
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 52.0;
/// Colours that stay apart for colour-blind readers and in grey print (Okabe and Ito).
pub const COLOURS: [&str; 8] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#000000"];
const DASHES: [&str; 4] = ["", "6 3", "2 3", "8 3 2 3"];

struct Frame {
    x: Axis,
    y: Axis,
    out: String,
}

impl Frame {
    fn new(x: Axis, y: Axis, x_title: &str, y_title: &str) -> Self {
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
        );
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        let mut frame = Self { x, y, out: String::new() };
        for (value, text) in x.marks() {
            let at = frame.x(value);
            let _ = writeln!(
                out,
                "<path d=\"M{at:.1} {TOP}V{bottom}\" stroke=\"#ddd\"/><text x=\"{at:.1}\" y=\"{:.1}\" \
                 text-anchor=\"middle\">{text}</text>",
                bottom + 16.0
            );
        }
        for (value, text) in y.marks() {
            let at = frame.y(value);
            let _ = writeln!(
                out,
                "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" \
                 text-anchor=\"end\">{text}</text>",
                LEFT - 6.0,
                at + 4.0
            );
        }
        let _ = writeln!(
            out,
            "<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"#333\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            (LEFT + right) / 2.0,
            HEIGHT - 14.0,
            escape(x_title),
            (TOP + bottom) / 2.0,
            escape(y_title)
        );
        frame.out = out;
        frame
    }
    fn x(&self, value: f64) -> f64 {
        LEFT + self.x.place(value) * (WIDTH - LEFT - RIGHT)
    }
    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.place(value) * (HEIGHT - TOP - BOTTOM)
    }
    fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }
}

fn time_axis(report: &Report) -> Axis {
    let limit = report.columns.iter().filter_map(|column| column.time_limit).fold(0.0, f64::max);
    let used = report.cells.iter().flatten().flatten().filter(|cell| cell.score > 0.0).filter_map(|cell| cell.time());
    Axis::time(used.fold(limit, f64::max))
}

pub fn curves(report: &Report) -> Vec<Curve> {
    report
        .cells
        .iter()
        .map(|cells| curve(cells.iter().enumerate().filter_map(|(task, cell)| Some((task, cell.as_ref()?, 1.0)))))
        .collect()
}

/// The score-based quantile plot of all columns.
pub fn quantile(report: &Report) -> String {
    let curves = curves(report);
    let low = curves.iter().map(|curve| curve.start).fold(0.0, f64::min);
    let high = curves.iter().map(Curve::total).fold(1.0, f64::max);
    let mut frame = Frame::new(Axis::linear(low, high), time_axis(report), "accumulated score", "time in s");
    for (number, curve) in curves.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let dash = DASHES[number / COLOURS.len() % DASHES.len()];
        let mut path = String::new();
        let mut last = curve.start;
        for (index, (score, time, _)) in curve.points.iter().enumerate() {
            let (from, to, y) = (frame.x(last), frame.x(*score), frame.y(*time));
            let _ = write!(path, "{}{from:.1} {y:.1}H{to:.1}", if index == 0 { "M" } else { "L" });
            last = *score;
        }
        let _ = writeln!(
            frame.out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\" stroke-dasharray=\"{dash}\"/>"
        );
        let y = TOP + 14.0 + 16.0 * number as f64;
        let label = escape(&report.columns[number].label);
        let _ = writeln!(
            frame.out,
            "<path d=\"M{} {:.1}h22\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"/>\
             <text x=\"{}\" y=\"{y:.1}\">{label} ({})</text>",
            LEFT + 10.0,
            y - 4.0,
            LEFT + 38.0,
            curve.total()
        );
    }
    frame.finish()
}

/// Times of two columns against each other.
pub fn scatter(report: &Report, left: usize, right: usize) -> String {
    let axis = time_axis(report);
    let title = |column: usize| format!("{}: time in s", report.columns[column].label);
    let mut frame = Frame::new(axis, axis, &title(left), &title(right));
    for factor in [0.1, 1.0, 10.0] {
        let mut path = String::new();
        for step in 0..=100 {
            let value = axis.high.powf(f64::from(step) / 50.0 - 1.0);
            if value * factor <= axis.high {
                let _ = write!(
                    path,
                    "{}{:.1} {:.1}",
                    if path.is_empty() { "M" } else { "L" },
                    frame.x(value),
                    frame.y(value * factor)
                );
            }
        }
        let dash = if factor == 1.0 { "" } else { "3 4" };
        let _ = writeln!(frame.out, "<path d=\"{path}\" fill=\"none\" stroke=\"#bbb\" stroke-dasharray=\"{dash}\"/>");
    }
    for (a, b) in report.cells[left].iter().zip(&report.cells[right]) {
        if let (Some(a), Some(b)) = (a, b)
            && let (Some(x), Some(y)) = (a.time(), b.time())
        {
            let colour = match (a.category.as_str(), b.category.as_str()) {
                ("wrong", _) | (_, "wrong") => "#c8102e",
                ("correct", "correct") => "#0072b2",
                _ => "#8a8a8a",
            };
            let _ = writeln!(
                frame.out,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.4\" fill=\"{colour}\" fill-opacity=\".55\"/>",
                frame.x(x),
                frame.y(y)
            );
        }
    }
    frame.finish()
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
