//! Result sets as the report shows them: one column a tool and configuration, one row a task.

use crate::collect::relative_path;
use crate::results::{ResultSet, RunResult};
use crate::score::{Schema, Tables};
use quod_report::bench::{Cell, Column, Report, Table, Task};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A result set with the folder that its paths are relative to, and the files that each run left, by run.
pub struct Source<'a> {
    pub set: &'a ResultSet,
    pub folder: PathBuf,
    pub files: Vec<Vec<PathBuf>>,
}

/// Sets of the same benchmark, tool and options become one column; the task sets become groups.
pub fn report(sources: &[Source<'_>], tables: &Tables, schema: &Schema, title: &str, target: &Path) -> Report {
    let mut keys: Vec<String> = Vec::new();
    let mut rows: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut result = Report { title: title.to_string(), ..Report::default() };
    for source in sources {
        let header = &source.set.header;
        let key =
            [&source.set.label(), &header.benchmark, &header.start, &header.options].map(String::as_str).join("\n");
        let number = keys.iter().position(|other| *other == key).unwrap_or_else(|| {
            keys.push(key);
            result.columns.push(column(source.set));
            result.cells.push(vec![None; result.tasks.len()]);
            keys.len() - 1
        });
        let group = header.block.clone().or_else(|| header.name.clone()).unwrap_or_default();
        let name = header.name.clone().unwrap_or_default();
        let run_set = name.strip_suffix(&group).map_or(name.as_str(), |rest| rest.trim_end_matches('.'));
        let shown = &mut result.columns[number].run_set;
        if !run_set.is_empty() && !shown.split(", ").any(|other| other == run_set) {
            let separator = if shown.is_empty() { "" } else { ", " };
            shown.push_str(&format!("{separator}{run_set}"));
        }
        for (index, run) in source.set.runs.iter().enumerate() {
            let row = *rows.entry((run.task_key(), group.clone())).or_insert_with(|| {
                result.tasks.push(task(run, &group, &source.folder, target));
                result.cells.iter_mut().for_each(|cells| cells.push(None));
                result.tasks.len() - 1
            });
            if !run.status.is_empty() {
                let files = source.files.get(index).map_or(&[][..], Vec::as_slice);
                result.cells[number][row] = Some(cell(run, schema, &source.folder, target, files));
            }
        }
    }
    // Two versions of one tool need more than the tool's name.
    for number in 0..result.columns.len() {
        let label = result.columns[number].label.clone();
        if result.columns.iter().filter(|column| column.label == label).count() > 1 {
            let date =
                result.columns[number].facts.iter().find(|(name, _)| name == "date").map(|(_, date)| date.clone());
            result.columns[number].run_set.push_str(&format!(" {}", date.unwrap_or_default()));
        }
    }
    result.subtitle = format!(
        "{} tasks, {} result sets, scored by the schema of {}",
        result.tasks.len(),
        result.columns.len(),
        schema.year
    );
    result.tables = tables
        .categories
        .iter()
        .map(|table| Table {
            name: table.name.clone(),
            tasks: table.tasks,
            most: table.most,
            rows: table
                .rows
                .iter()
                .map(|row| {
                    (
                        row.tool.clone(),
                        row.score,
                        row.success_time,
                        row.solved,
                        row.unconfirmed,
                        row.false_alarms,
                        row.wrong_proofs,
                    )
                })
                .collect(),
        })
        .collect();
    result
}

fn column(set: &ResultSet) -> Column {
    let header = &set.header;
    let mut facts = vec![
        ("tool", format!("{} {}", header.tool, header.version)),
        ("benchmark", header.benchmark.clone()),
        ("date", header.date.clone()),
        ("options", header.options.clone()),
        ("time limit", header.time_limit.clone().unwrap_or_default()),
        ("memory limit", header.memory_limit.clone().unwrap_or_default()),
        ("cores", header.cores.clone().unwrap_or_default()),
        ("measured by", header.generator.clone()),
        ("how", header.description.clone().unwrap_or_default()),
        ("error", header.error.clone().unwrap_or_default()),
    ];
    for system in &set.systems {
        facts.push(("host", system.host.clone()));
        facts.push(("operating system", system.os.clone()));
        facts.push(("processor", format!("{}, {} units", system.cpu, system.cores)));
        facts.push(("memory", crate::input::units::show_memory(system.memory)));
    }
    Column {
        label: set.label(),
        run_set: String::new(),
        facts: facts
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| (name.to_string(), value))
            .collect(),
        time_limit: set.time_limit_seconds(),
    }
}

/// A path of a result file, seen from the report.
fn link(path: &str, folder: &Path, target: &Path) -> String {
    let folder_of_target = target.parent().unwrap_or(Path::new(""));
    if folder == folder_of_target || path.contains("://") {
        return path.to_string();
    }
    relative_path(&folder.join(path), folder_of_target).to_string_lossy().into_owned()
}

fn task(run: &RunResult, group: &str, folder: &Path, target: &Path) -> Task {
    Task {
        name: run.short_name().to_string(),
        property: run.property.clone().unwrap_or_default(),
        expected: run.expected.as_ref().map(ToString::to_string).unwrap_or_default(),
        group: group.to_string(),
        link: Some(link(&run.name, folder, target)),
    }
}

fn cell(run: &RunResult, schema: &Schema, folder: &Path, target: &Path, files: &[PathBuf]) -> Cell {
    Cell {
        status: run.status.clone(),
        category: run.category.name().to_string(),
        cpu_time: run.cpu_time,
        wall_time: run.wall_time,
        memory: run.memory,
        score: schema.score(run),
        log: run.log.as_deref().map(|log| link(log, folder, target)),
        files: files
            .iter()
            .map(|file| {
                let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                (name, link(&file.to_string_lossy(), folder, target))
            })
            .collect(),
    }
}
