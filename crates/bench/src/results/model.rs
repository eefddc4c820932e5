//! A set of results: one tool, one run definition, many runs. The same value whether we measured it or read it.

use super::category::{Category, Claim, claim};
use crate::input::expected::Expected;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResultSet {
    pub header: Header,
    pub systems: Vec<System>,
    /// Titles of the columns that tables show.
    pub columns: Vec<String>,
    pub runs: Vec<RunResult>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub benchmark: String,
    /// Run definition, and block after a dot.
    pub name: Option<String>,
    pub block: Option<String>,
    pub display_name: Option<String>,
    pub tool: String,
    pub tool_module: String,
    pub version: String,
    pub options: String,
    pub date: String,
    pub start: String,
    pub end: Option<String>,
    pub time_limit: Option<String>,
    pub memory_limit: Option<String>,
    pub cores: Option<String>,
    pub generator: String,
    pub description: Option<String>,
    pub error: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct System {
    pub host: String,
    pub os: String,
    pub cpu: String,
    pub cores: String,
    pub frequency: Option<String>,
    pub turbo: Option<bool>,
    pub memory: u64,
    pub environment: Vec<(String, String)>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// The task's file, relative to the result file.
    pub name: String,
    pub files: Vec<String>,
    pub property: Option<String>,
    pub property_file: Option<String>,
    pub expected: Option<Expected>,
    pub options: Option<String>,
    pub log: Option<String>,
    pub status: String,
    pub category: Category,
    pub cpu_time: Option<f64>,
    pub wall_time: Option<f64>,
    pub memory: Option<u64>,
    /// Further columns: title, value, whether tables hide it.
    pub values: Vec<(String, String, bool)>,
    /// Set by validators' preparation: `correct`, `wrong`, `unknown`, …
    pub witness_category: Option<String>,
}

impl RunResult {
    /// The time that counts: CPU time, or the wall time where that is larger.
    pub fn reported_time(&self) -> Option<f64> {
        match (self.cpu_time, self.wall_time) {
            (Some(cpu), Some(wall)) => Some(cpu.max(wall)),
            (cpu, wall) => cpu.or(wall),
        }
    }
    pub fn claim(&self) -> Claim {
        claim(&self.status)
    }
    /// What makes two runs of different result sets runs of the same task: file and property. Folders above the last two
    /// differ between machines.
    pub fn task_key(&self) -> String {
        let mut parts: Vec<&str> = self.name.rsplit('/').take(2).collect();
        parts.reverse();
        format!("{}|{}", parts.join("/"), self.property.as_deref().unwrap_or(""))
    }
    pub fn short_name(&self) -> &str {
        let mut slashes = self.name.rmatch_indices('/');
        slashes.next();
        slashes.next().map_or(&self.name, |(index, _)| &self.name[index + 1..])
    }
}

impl ResultSet {
    pub fn label(&self) -> String {
        let name = self.header.display_name.as_deref().unwrap_or(&self.header.tool);
        match self.header.version.as_str() {
            "" => name.to_string(),
            // Some tools repeat their name in their version.
            version if version.to_lowercase().starts_with(&name.to_lowercase()) => version.to_string(),
            version => format!("{name} {version}"),
        }
    }
    pub fn count(&self, category: Category) -> usize {
        self.runs.iter().filter(|run| run.category == category).count()
    }
    /// `15 min` of `900s`.
    pub fn time_limit_seconds(&self) -> Option<f64> {
        crate::input::units::parse_time(self.header.time_limit.as_deref()?).ok()
    }
}
