//! From plan and records to result sets: one for each run definition, and one for each of its task sets.

use crate::clock;
use crate::input::plan::Plan;
use crate::input::property::is_scored;
use crate::journal::{Head, Record};
use crate::results::{Header, ResultSet, RunResult, System};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// A result set and the part of its file name that tells it from others.
pub struct Named {
    pub suffix: String,
    pub set: ResultSet,
    /// Whole run definitions are left out of tables where their blocks are there.
    pub is_block: bool,
}

pub fn result_sets(
    plan: &Plan,
    head: &Head,
    records: &BTreeMap<usize, Record>,
    end: Option<f64>,
    system: &System,
    folder: &Path,
    logs: &Path,
) -> Vec<Named> {
    let mut result = Vec::new();
    for (number, run_set) in plan.run_sets.iter().enumerate() {
        let runs_of = |block: Option<usize>| -> Vec<RunResult> {
            let is_mine = |index: &usize| {
                plan.runs[*index].run_set == number && block.is_none_or(|block| plan.runs[*index].block == block)
            };
            (0..plan.runs.len())
                .filter(is_mine)
                .map(|index| run_result(plan, index, records.get(&index), folder, logs))
                .collect()
        };
        let header = |name: Option<String>, block: Option<String>| Header {
            benchmark: plan.name.clone(),
            name,
            block,
            display_name: plan.display_name.clone(),
            tool: plan.tool_name.clone(),
            // Of a description in a file only the name: paths of this machine mean nothing elsewhere.
            tool_module: module_name(&plan.tool_module),
            version: plan.version.clone(),
            options: run_set.options.join(" "),
            date: clock::date(head.start),
            start: clock::iso(head.start),
            end: end.map(clock::iso),
            time_limit: plan.limits.cpu_time.map(|time| format!("{time}s")),
            memory_limit: plan.limits.memory.map(|bytes| format!("{bytes}B")),
            cores: plan.limits.cores.map(|cores| cores.to_string()),
            generator: format!("Quod {}", env!("CARGO_PKG_VERSION")),
            description: Some(format!("measured with {}", head.machine)),
            error: (records.len() < plan.runs.len()).then(|| "interrupted".to_string()),
        };
        let mut columns: Vec<String> = ["status", "cputime", "walltime", "memory"].map(String::from).to_vec();
        columns.extend(plan.columns.iter().map(|column| column.title.clone()));
        let make = |header: Header, runs: Vec<RunResult>| ResultSet {
            header,
            systems: vec![system.clone()],
            columns: columns.clone(),
            runs,
        };
        let only_block = match run_set.blocks.as_slice() {
            [block] => block.clone(),
            _ => None,
        };
        let name = join_names(run_set.name.as_deref(), only_block.as_deref());
        result.push(Named {
            suffix: name.clone(),
            set: make(header(Some(name).filter(|name| !name.is_empty()), only_block), runs_of(None)),
            is_block: run_set.blocks.len() <= 1,
        });
        if run_set.blocks.len() > 1 {
            for (index, block) in run_set.blocks.iter().enumerate() {
                let block = block.clone().unwrap_or_else(|| index.to_string());
                let name = join_names(run_set.name.as_deref(), Some(&block));
                let header = header(Some(name.clone()), Some(block));
                result.push(Named { suffix: name, set: make(header, runs_of(Some(index))), is_block: true });
            }
        }
    }
    result
}

fn module_name(module: &str) -> String {
    let is_file = module.ends_with(".toml");
    let stem = Path::new(module).file_stem().filter(|_| is_file);
    stem.map_or_else(|| module.to_string(), |stem| stem.to_string_lossy().into_owned())
}

fn join_names(run_set: Option<&str>, block: Option<&str>) -> String {
    [run_set, block].into_iter().flatten().collect::<Vec<_>>().join(".")
}

fn run_result(plan: &Plan, index: usize, record: Option<&Record>, folder: &Path, logs: &Path) -> RunResult {
    let run = &plan.runs[index];
    let relative = |path: &Path| relative_path(path, folder).to_string_lossy().into_owned();
    let property = run.property.as_ref();
    let mut result = RunResult {
        name: relative(&run.task),
        files: run.inputs.iter().map(|path| relative(path)).collect(),
        property: property.map(|property| property.name.clone()),
        property_file: property.map(|property| relative(&property.file)),
        expected: run.expected.clone().filter(|_| property.is_some()),
        options: Some(run.own_options.join(" ")).filter(|options| !options.is_empty()),
        log: Some(relative(&logs.join(&run.log_name))),
        ..RunResult::default()
    };
    let Some(record) = record else { return result };
    let outcome = &record.outcome;
    result.status = record.status.clone();
    result.category = record.category;
    result.cpu_time = Some(outcome.cpu_time);
    result.wall_time = Some(outcome.wall_time);
    result.memory = outcome.memory;
    let mut hidden = |title: &str, value: Option<String>| {
        result.values.extend(value.map(|value| (title.to_string(), value, true)));
    };
    hidden("returnvalue", outcome.exit_code.map(|code| code.to_string()));
    hidden("exitsignal", outcome.signal.map(|signal| signal.to_string()));
    hidden("terminationreason", outcome.termination.map(|reason| reason.name().to_string()));
    hidden("starttime", Some(clock::iso(outcome.started)));
    hidden("host", Some(record.host.clone()));
    let cores = record.cores.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    hidden("cores", Some(cores).filter(|cores| !cores.is_empty()));
    hidden("outputcut", outcome.is_output_cut.then(|| outcome.output_bytes.to_string()));
    result.values.extend(record.values.iter().map(|(title, value)| (title.clone(), value.clone(), false)));
    result
}

/// The way from a folder to a file.
pub fn relative_path(path: &Path, folder: &Path) -> PathBuf {
    let normal = |path: &Path| -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        for part in std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()).components() {
            match part {
                Component::ParentDir => drop(parts.pop()),
                Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
                _ => {}
            }
        }
        parts
    };
    let (path, folder) = (normal(path), normal(folder));
    let common = path.iter().zip(&folder).take_while(|(left, right)| left == right).count();
    let mut result = PathBuf::new();
    for _ in common..folder.len() {
        result.push("..");
    }
    result.extend(&path[common..]);
    result
}

/// Used where results of others name a property file that we can read: only the competition's properties are scored.
pub fn is_scored_file(file: &Path) -> bool {
    std::fs::read_to_string(file).is_ok_and(|text| is_scored(&text))
}

#[cfg(test)]
mod tests {
    use super::relative_path;
    use std::path::Path;

    #[test]
    fn ways_between_folders() {
        assert_eq!(relative_path(Path::new("/a/b/c.yml"), Path::new("/a/out")), Path::new("../b/c.yml"));
        assert_eq!(relative_path(Path::new("/a/../x/y"), Path::new("/x")), Path::new("y"));
    }
}
