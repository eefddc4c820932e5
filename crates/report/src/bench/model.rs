//! What a report shows: tasks by row, tools by column, and score tables.

use serde::Serialize;

#[derive(Clone, Debug, Default)]
pub struct Report {
    pub title: String,
    pub subtitle: String,
    pub columns: Vec<Column>,
    pub tasks: Vec<Task>,
    /// By column, then by task.
    pub cells: Vec<Vec<Option<Cell>>>,
    pub tables: Vec<Table>,
}

/// One result set: a tool in one configuration.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Column {
    pub label: String,
    pub run_set: String,
    /// Name and value, for the page about the environment.
    pub facts: Vec<(String, String)>,
    /// Seconds; the upper end of the plots.
    pub time_limit: Option<f64>,
}

#[derive(Clone, Debug, Default)]
pub struct Task {
    pub name: String,
    pub property: String,
    pub expected: String,
    /// The base category, for the filter.
    pub group: String,
    /// Where its file is, relative to the report.
    pub link: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Cell {
    pub status: String,
    /// `correct`, `correct-unconfirmed`, `wrong`, `unknown`, `error`, `missing`.
    pub category: String,
    pub cpu_time: Option<f64>,
    pub wall_time: Option<f64>,
    pub memory: Option<u64>,
    pub score: f64,
    pub log: Option<String>,
    /// Witnesses and other files: name and address.
    pub files: Vec<(String, String)>,
}

impl Cell {
    /// CPU time, or the wall time where that is larger.
    pub fn time(&self) -> Option<f64> {
        match (self.cpu_time, self.wall_time) {
            (Some(cpu), Some(wall)) => Some(cpu.max(wall)),
            (cpu, wall) => cpu.or(wall),
        }
    }
}

/// A score table of one category: the best first.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Table {
    pub name: String,
    pub tasks: usize,
    pub most: f64,
    /// Tool, score, seconds, solved, unconfirmed, false alarms, wrong proofs.
    pub rows: Vec<(String, f64, f64, usize, usize, usize, usize)>,
}
