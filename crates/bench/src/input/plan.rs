//! The plan of a benchmark: every run with its command, made from a definition (or the short form) before anything
//! starts. Faults of all files are collected, so that one attempt shows them all.

use super::definition::{Column, Definition, Limits, PropertyRef, RunDefinition, TaskSet};
use super::error::{InputError, InputErrors, code};
use super::expected::Expected;
use super::pattern::{Pattern, expand, read_set_file, substitute, wildcard_match};
use super::property::Property;
use super::task::{self, TaskOptions};
use super::tool::{Tool, Values, WorkingDirectory};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What to run, in order. It is also what a resumed benchmark compares itself with, and what cluster workers read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Of the definition file without `.xml`, or of `--name`.
    pub name: String,
    pub tool_name: String,
    pub tool_module: String,
    pub display_name: Option<String>,
    pub version: String,
    pub executable: PathBuf,
    pub environment: BTreeMap<String, String>,
    pub limits: Limits,
    pub result_files: Vec<String>,
    pub columns: Vec<Column>,
    pub run_sets: Vec<RunSet>,
    pub runs: Vec<Run>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSet {
    pub name: Option<String>,
    pub options: Vec<String>,
    pub blocks: Vec<Option<String>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub run_set: usize,
    pub block: usize,
    /// The task definition, or the input file where there is none.
    pub task: PathBuf,
    pub inputs: Vec<PathBuf>,
    pub required_files: Vec<PathBuf>,
    /// Those of this run beyond its run set's.
    pub own_options: Vec<String>,
    pub property: Option<PlannedProperty>,
    pub expected: Option<Expected>,
    pub task_options: TaskOptions,
    /// Without the executable.
    pub arguments: Vec<String>,
    pub working_directory: Directory,
    /// Unique in the benchmark: `<run set>.<task>.log`.
    pub log_name: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedProperty {
    pub name: String,
    pub file: PathBuf,
    pub is_scored: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Directory {
    Start,
    Private,
    Fixed(PathBuf),
}

/// What the command line adds to a definition.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    pub run_definitions: Vec<String>,
    pub task_sets: Vec<String>,
    pub limits: Limits,
    pub name: Option<String>,
    /// Written as `${benchmark_date}`.
    pub date: String,
    pub log_folder: PathBuf,
    pub extra_options: Vec<String>,
    /// Lines of set files without a match are passed over, as BenchExec does.
    pub allow_missing: bool,
}

pub fn make(
    definition: &Definition,
    tool: &Tool,
    executable: &Path,
    version: &str,
    selection: &Selection,
) -> Result<Plan, InputErrors> {
    let name = selection.name.clone().unwrap_or_else(|| {
        definition.file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    });
    let mut planner = Planner {
        definition,
        tool,
        executable,
        selection,
        name: name.clone(),
        base: definition.file.parent().unwrap_or(Path::new("")).to_path_buf(),
        limits: merge_limits(definition.limits, selection.limits),
        faults: Vec::new(),
        properties: BTreeMap::new(),
        tasks: BTreeMap::new(),
        logs: BTreeSet::new(),
        run_sets: Vec::new(),
        runs: Vec::new(),
    };
    for run_definition in &definition.run_definitions {
        let is_wanted = |wanted: &String| wildcard_match(run_definition.name.as_deref().unwrap_or(""), wanted);
        if selection.run_definitions.is_empty() || selection.run_definitions.iter().any(is_wanted) {
            planner.run_set(run_definition);
        }
    }
    if planner.faults.is_empty() && planner.runs.is_empty() {
        let fault = InputError::new(code::NO_MATCH, &definition.file, 1, 1, "the definition selects no task at all");
        planner.faults.push(fault);
    }
    if !planner.faults.is_empty() {
        return Err(InputErrors(planner.faults));
    }
    Ok(Plan {
        name,
        tool_name: tool.name.clone(),
        tool_module: definition.tool.clone(),
        display_name: definition.display_name.clone(),
        version: version.to_string(),
        executable: executable.to_path_buf(),
        environment: tool.environment.clone(),
        limits: planner.limits,
        result_files: definition.result_files.clone(),
        columns: definition.columns.clone(),
        run_sets: planner.run_sets,
        runs: planner.runs,
    })
}

/// Limits of the command line win; a hard time limit is never below the one that counts.
pub fn merge_limits(definition: Limits, given: Limits) -> Limits {
    let cpu_time = given.cpu_time.or(definition.cpu_time);
    // A time limit on the command line replaces both limits of the definition.
    let hard = given.cpu_time_hard.or(given.cpu_time).or(definition.cpu_time_hard);
    let cpu_time = cpu_time.or(hard);
    let cpu_time_hard = match (hard, cpu_time) {
        (Some(hard), Some(soft)) => Some(hard.max(soft)),
        (hard, soft) => hard.or(soft),
    };
    Limits {
        cpu_time,
        cpu_time_hard,
        wall_time: given.wall_time.or(definition.wall_time),
        memory: given.memory.or(definition.memory),
        cores: given.cores.or(definition.cores),
    }
}

struct Planner<'a> {
    definition: &'a Definition,
    tool: &'a Tool,
    executable: &'a Path,
    selection: &'a Selection,
    name: String,
    base: PathBuf,
    limits: Limits,
    faults: Vec<InputError>,
    properties: BTreeMap<PathBuf, Property>,
    tasks: BTreeMap<PathBuf, Option<task::Task>>,
    logs: BTreeSet<String>,
    run_sets: Vec<RunSet>,
    runs: Vec<Run>,
}

impl Planner<'_> {
    fn at(&mut self, pattern: &Pattern, message: String) {
        let file = &self.definition.file;
        self.faults.push(InputError::new(code::NO_MATCH, file, pattern.line, pattern.column, message));
    }

    fn variables(&self, run_set: Option<&str>, task: Option<&Path>) -> Vec<(&'static str, String)> {
        let show =
            |path: &Path| if path.as_os_str().is_empty() { ".".into() } else { path.to_string_lossy().into_owned() };
        let absolute = |path: &Path| {
            let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
            show(&std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()))
        };
        let file = self.definition.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let run_set = run_set.unwrap_or("").to_string();
        let mut all = vec![
            ("benchmark_name", self.name.clone()),
            ("benchmark_date", self.selection.date.clone()),
            ("benchmark_path", show(&self.base)),
            ("benchmark_path_abs", absolute(&self.base)),
            ("benchmark_file", file.clone()),
            ("benchmark_file_abs", absolute(Path::new(&file))),
            ("logfile_path", show(&self.selection.log_folder)),
            ("logfile_path_abs", absolute(&self.selection.log_folder)),
            ("rundefinition_name", run_set.clone()),
            ("test_name", run_set),
        ];
        if let Some(task) = task {
            let name = task.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let parent = task.parent().unwrap_or(Path::new(""));
            if task.extension().is_some_and(|extension| extension == "yml") {
                all.extend([
                    ("taskdef_name", name),
                    ("taskdef_path", show(parent)),
                    ("taskdef_path_abs", absolute(parent)),
                ]);
            } else {
                all.extend([
                    ("inputfile_name", name),
                    ("inputfile_path", show(parent)),
                    ("inputfile_path_abs", absolute(parent)),
                ]);
            }
        }
        all
    }

    fn run_set(&mut self, run_definition: &RunDefinition) {
        let mut options = self.definition.options.clone();
        options.extend(run_definition.options.iter().cloned());
        options.extend(self.selection.extra_options.iter().cloned());
        let index = self.run_sets.len();
        self.run_sets.push(RunSet { name: run_definition.name.clone(), options, blocks: Vec::new() });
        let sets = self.definition.task_sets.iter().chain(&run_definition.task_sets);
        for (number, set) in sets.enumerate() {
            let name = set.name.clone().unwrap_or_else(|| number.to_string());
            let wanted = &self.selection.task_sets;
            if !wanted.is_empty() && !wanted.iter().any(|pattern| wildcard_match(&name, pattern)) {
                continue;
            }
            self.run_sets[index].blocks.push(set.name.clone());
            self.task_set(index, run_definition, set);
        }
    }

    fn task_set(&mut self, run_set: usize, run_definition: &RunDefinition, set: &TaskSet) {
        let tasks = self.task_files(run_definition, set);
        for task in tasks {
            self.run(run_set, run_definition, set, &task, true);
        }
        for identifier in &set.without_file {
            self.run(run_set, run_definition, set, Path::new(&identifier.text), false);
        }
    }

    fn set_file(&mut self, file: &Path) -> Vec<PathBuf> {
        let (found, faults) = read_set_file(file);
        if !self.selection.allow_missing || found.is_empty() {
            self.faults.extend(faults);
        }
        found
    }

    fn task_files(&mut self, run_definition: &RunDefinition, set: &TaskSet) -> Vec<PathBuf> {
        let variables = self.variables(run_definition.name.as_deref(), None);
        let base = self.base.clone();
        let find = |pattern: &Pattern| expand(&substitute(&pattern.text, &variables), &base);
        let (mut order, mut chosen) = (Vec::new(), BTreeSet::new());
        for pattern in &set.include {
            let found = find(pattern);
            if found.is_empty() {
                self.at(pattern, format!("`{}` matches no file", pattern.text));
            }
            order.extend(found.into_iter().filter(|path| chosen.insert(path.clone())));
        }
        for pattern in &set.include_files {
            let files = find(pattern);
            if files.is_empty() {
                self.at(pattern, format!("the set file `{}` does not exist", pattern.text));
            }
            for file in files {
                let found = self.set_file(&file);
                order.extend(found.into_iter().filter(|path| chosen.insert(path.clone())));
            }
        }
        for pattern in &set.exclude {
            for path in find(pattern) {
                chosen.remove(&path);
            }
        }
        for pattern in &set.exclude_files {
            let files = find(pattern);
            if files.is_empty() {
                self.at(pattern, format!("the set file `{}` does not exist", pattern.text));
            }
            for file in files {
                let found: BTreeSet<PathBuf> = self.set_file(&file).into_iter().collect();
                chosen.retain(|path| !found.contains(path));
            }
        }
        order.retain(|path| chosen.contains(path));
        order
    }

    /// `None` where the task does not have the property, or the file is not there (which is then a fault).
    fn property_of(&mut self, reference: &PropertyRef, run_set: Option<&str>, task: &Path) -> Option<Property> {
        let is_definition = task.extension().is_some_and(|extension| extension == "yml");
        let (Some(name), true) = (&reference.by_name, is_definition) else {
            return self.property(reference, run_set, task);
        };
        let definition = self.task_definition(task)?;
        let is_named = |property: &&task::TaskProperty| {
            property.file.file_stem().is_some_and(|stem| stem.to_string_lossy() == **name)
        };
        let file = definition.properties.iter().find(is_named)?.file.clone();
        self.read_property(file)
    }

    fn property(&mut self, reference: &PropertyRef, run_set: Option<&str>, task: &Path) -> Option<Property> {
        let pattern = &reference.pattern;
        let found = expand(&pattern.text, &self.base);
        let substituted = substitute(&pattern.text, &self.variables(run_set, Some(task)));
        let file = match found.first() {
            Some(file) => file.clone(),
            None if Path::new(&substituted).is_file() => PathBuf::from(substituted),
            None => {
                let message = format!("the property file `{}` does not exist", pattern.text);
                if !self.faults.iter().any(|fault| fault.line == pattern.line && fault.message == message) {
                    self.at(pattern, message);
                }
                return None;
            }
        };
        self.read_property(file)
    }

    fn read_property(&mut self, file: PathBuf) -> Option<Property> {
        if let Some(property) = self.properties.get(&file) {
            return Some(property.clone());
        }
        match Property::read(&file) {
            Ok(property) => {
                self.properties.insert(file, property.clone());
                Some(property)
            }
            Err(fault) => {
                self.faults.push(fault);
                None
            }
        }
    }

    fn run(&mut self, run_set: usize, run_definition: &RunDefinition, set: &TaskSet, task: &Path, has_file: bool) {
        let set_name = run_definition.name.as_deref();
        let variables = self.variables(set_name, Some(task));
        let reference =
            set.property.as_ref().or(run_definition.property.as_ref()).or(self.definition.property.as_ref());
        let property = match reference {
            None => None,
            Some(reference) => match self.property_of(reference, set_name, task) {
                Some(property) => Some(property),
                None => return,
            },
        };
        let mut required = Vec::new();
        let all =
            self.definition.required_files.iter().chain(&run_definition.required_files).chain(&set.required_files);
        for pattern in all {
            required.extend(expand(&substitute(&pattern.text, &variables), &self.base));
        }
        let (inputs, expected, task_options) = if !has_file {
            (vec![task.to_path_buf()], None, TaskOptions::default())
        } else if task.extension().is_some_and(|extension| extension == "yml") {
            let Some(definition) = self.task_definition(task) else { return };
            required.extend(definition.required_files);
            let mut expected = None;
            if let Some(property) = &property {
                let same = |other: &task::TaskProperty| is_same_file(&other.file, &property.file);
                let mut mine = definition.properties.iter().filter(|other| same(other));
                let Some(found) = mine.next() else { return };
                if let Some(second) = mine.next() {
                    let message = format!("the property `{}` is given twice", property.name);
                    self.faults.push(InputError::new(code::BAD_TASK, task, second.line, 1, message));
                    return;
                }
                let wanted = reference.and_then(|reference| reference.expected.as_deref());
                if wanted.is_some_and(|wanted| !is_wanted_verdict(found.expected.as_ref(), wanted)) {
                    return;
                }
                expected = found.expected.clone();
            }
            (definition.input_files, expected, definition.options)
        } else {
            let mut inputs = vec![task.to_path_buf()];
            for pattern in &set.append {
                let folder = task.parent().unwrap_or(Path::new(""));
                inputs.extend(expand(&substitute(&pattern.text, &variables), folder));
            }
            (inputs, None, TaskOptions::default())
        };
        let own_options: Vec<String> = set.options.iter().map(|option| substitute(option, &variables)).collect();
        let mut options: Vec<String> =
            self.run_sets[run_set].options.iter().map(|option| substitute(option, &variables)).collect();
        options.extend(own_options.iter().cloned());
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let inputs: Vec<PathBuf> = if has_file { inputs.iter().map(|path| absolute(path)).collect() } else { inputs };
        let property_file = property.as_ref().map(|property| absolute(&property.file));
        let task_options = TaskOptions { witness: task_options.witness.as_deref().map(absolute), ..task_options };
        let values = Values {
            options: &options,
            inputs: &inputs,
            property: property_file.as_deref(),
            task: &task_options,
            limits: self.limits,
        };
        let arguments = match self.tool.command_line(&values) {
            Ok(arguments) => arguments,
            Err(message) => {
                self.faults.push(InputError::new(code::BAD_TASK, task, 1, 1, message));
                return;
            }
        };
        let log_name = self.log_name(set_name, task);
        let working_directory = match self.tool.working_directory {
            WorkingDirectory::Start => Directory::Start,
            WorkingDirectory::Private => Directory::Private,
            WorkingDirectory::Tool => {
                Directory::Fixed(self.executable.parent().unwrap_or(Path::new("/")).to_path_buf())
            }
        };
        self.runs.push(Run {
            run_set,
            block: self.run_sets[run_set].blocks.len() - 1,
            task: task.to_path_buf(),
            inputs,
            required_files: required,
            own_options,
            property: property.map(|property| PlannedProperty {
                name: property.name,
                file: property.file,
                is_scored: property.is_scored,
            }),
            expected,
            task_options,
            arguments,
            working_directory,
            log_name,
        });
    }

    fn task_definition(&mut self, file: &Path) -> Option<task::Task> {
        if let Some(known) = self.tasks.get(file) {
            return known.clone();
        }
        let result = match task::read(file) {
            Ok(task) => Some(task),
            Err(fault) => {
                self.faults.push(fault);
                None
            }
        };
        self.tasks.insert(file.to_path_buf(), result.clone());
        result
    }

    /// As BenchExec names them, so that its table generator finds them; a number is added where two would be the same.
    fn log_name(&mut self, run_set: Option<&str>, task: &Path) -> String {
        let base = task.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let prefix = run_set.map(|name| format!("{name}.")).unwrap_or_default();
        let mut name = format!("{prefix}{base}.log");
        let mut number = 2;
        while !self.logs.insert(name.clone()) {
            name = format!("{prefix}{base}.{number}.log");
            number += 1;
        }
        name
    }
}

fn is_same_file(left: &Path, right: &Path) -> bool {
    left == right
        || matches!((std::fs::canonicalize(left), std::fs::canonicalize(right)), (Ok(left), Ok(right)) if left == right)
}

fn is_wanted_verdict(expected: Option<&Expected>, wanted: &str) -> bool {
    match expected {
        None => wanted == "unknown",
        Some(expected) if wanted.contains('(') => expected.to_string() == wanted,
        Some(expected) => (if expected.holds { "true" } else { "false" }) == wanted,
    }
}
