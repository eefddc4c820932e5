//! Tool descriptions: a small TOML file says how a verifier is called and how its answers read.
//!
//! ```toml
//! name = "CBMC"
//! executable = ["cbmc"]
//! arguments = ["{options}", ["--propertyfile", "{property}"], "{data_model}", "{inputs}"]
//! [data_model]
//! ILP32 = ["--32"]
//! LP64 = ["--64"]
//! [[verdict]]
//! pattern = '^TRUE$'
//! status = "true"
//! ```
//!
//! A placeholder alone may stand for several arguments. A list inside `arguments` is dropped as a whole where one of its
//! placeholders has no value. Verdict rules are tried in order; the first that matches decides.

use super::error::{InputError, code, line_and_column};
use super::task::TaskOptions;
use regex::Regex;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    pub name: String,
    /// Names tried in this order.
    pub executable: Vec<String>,
    #[serde(default)]
    pub project: Option<String>,
    /// Further names under which definitions ask for this tool.
    #[serde(default)]
    pub aliases: Vec<String>,
    #[serde(default)]
    pub version: Version,
    pub arguments: Vec<Argument>,
    #[serde(default)]
    pub data_model: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    #[serde(default)]
    pub working_directory: WorkingDirectory,
    /// Extra options of `--validate-with` for this tool.
    #[serde(default)]
    pub validation: Option<Vec<Argument>>,
    /// Files in which witnesses are left, relative to the run's directory.
    #[serde(default)]
    pub witness_files: Vec<String>,
    /// Arguments that make the tool write a witness, added by `--validate-with`.
    #[serde(default)]
    pub witness_options: Vec<String>,
    #[serde(default, rename = "verdict")]
    pub verdicts: Vec<Rule>,
    /// What is left when no rule matches.
    #[serde(default = "unknown")]
    pub otherwise: String,
}

fn unknown() -> String {
    "unknown".to_string()
}

#[derive(Clone, Debug, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct Version {
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The first group, or the whole match, is the version; without it the first line.
    #[serde(default)]
    pub pattern: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Argument {
    One(String),
    Group(Vec<String>),
}

#[derive(Clone, Copy, Debug, Deserialize, Default, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum WorkingDirectory {
    /// Where the benchmark was started when the run sees a private copy of the files, else an empty directory.
    #[default]
    Start,
    /// The folder of the executable.
    Tool,
    /// An empty directory, always.
    Private,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Searched in each line of the output.
    #[serde(default)]
    pub pattern: Option<String>,
    /// Which line counts when several match.
    #[serde(default)]
    pub take: Take,
    #[serde(default)]
    pub exit_code: Option<Vec<i32>>,
    #[serde(default)]
    pub signal: Option<Vec<i32>>,
    /// `true`, `false`, `false($1)`, `unknown`, `ERROR (parsing failed)`; `$1` is a group of the pattern.
    pub status: String,
    #[serde(skip)]
    regex: Option<Regex>,
}

#[derive(Clone, Copy, Debug, Deserialize, Default, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Take {
    #[default]
    First,
    Last,
    /// Only the last line that is not empty is looked at.
    LastLine,
}

const SHIPPED: &[(&str, &str)] = &[
    ("cbmc", include_str!("../../tools/cbmc.toml")),
    ("cpachecker", include_str!("../../tools/cpachecker.toml")),
    ("esbmc", include_str!("../../tools/esbmc.toml")),
    ("goblint", include_str!("../../tools/goblint.toml")),
    ("klee", include_str!("../../tools/klee.toml")),
    ("quod", include_str!("../../tools/quod.toml")),
    ("symbiotic", include_str!("../../tools/symbiotic.toml")),
    ("ultimate", include_str!("../../tools/ultimate.toml")),
];

/// The names of the descriptions that ship with the program, and their texts.
pub fn shipped() -> &'static [(&'static str, &'static str)] {
    SHIPPED
}

/// The description of a tool: a path to a TOML file, or the name or alias of one that ships.
pub fn find(name: &str, asked_at: (&Path, u32)) -> Result<Tool, InputError> {
    if name.ends_with(".toml") {
        let file = Path::new(name);
        let text = std::fs::read_to_string(file).map_err(|error| InputError::unreadable(file, &error))?;
        return parse(&text, file);
    }
    let wanted = name.rsplit('.').next().unwrap_or(name).to_lowercase();
    for (shipped, text) in SHIPPED {
        let tool = parse(text, Path::new(shipped))?;
        if *shipped == wanted || tool.aliases.contains(&wanted) {
            return Ok(tool);
        }
    }
    let names: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
    let message = format!("no description of the tool `{name}`");
    Err(InputError::new(code::BAD_TOOL, asked_at.0, asked_at.1, 1, message)
        .help(format!("known are {}; describe another in a TOML file and pass `--tool FILE.toml`", names.join(", "))))
}

pub fn parse(text: &str, file: &Path) -> Result<Tool, InputError> {
    let mut tool: Tool = toml::from_str(text).map_err(|error| {
        let (line, column) = error.span().map_or((1, 1), |span| line_and_column(text, span.start));
        InputError::new(code::BAD_TOOL, file, line, column, format!("tool description: {}", error.message()))
    })?;
    let fault = |needle: &str, message: String| {
        let (line, column) = text.find(needle).map_or((1, 1), |offset| line_and_column(text, offset));
        InputError::new(code::BAD_TOOL, file, line, column, message)
    };
    for rule in &mut tool.verdicts {
        if let Some(pattern) = &rule.pattern {
            let regex =
                Regex::new(pattern).map_err(|error| fault(pattern, format!("the pattern is wrong: {error}")))?;
            rule.regex = Some(regex);
        }
    }
    if let Some(pattern) = &tool.version.pattern {
        Regex::new(pattern).map_err(|error| fault(pattern, format!("the pattern is wrong: {error}")))?;
    }
    if tool.executable.is_empty() {
        return Err(fault("executable", "`executable` names no file".to_string()));
    }
    for argument in tool.arguments.iter().chain(tool.validation.iter().flatten()) {
        let parts = match argument {
            Argument::One(text) => std::slice::from_ref(text),
            Argument::Group(texts) => texts.as_slice(),
        };
        for part in parts {
            for name in placeholders(part) {
                if !PLACEHOLDERS.contains(&name) {
                    return Err(fault(part, format!("unknown placeholder `{{{name}}}`"))
                        .help(format!("known are {}", PLACEHOLDERS.join(", "))));
                }
            }
        }
    }
    Ok(tool)
}

const PLACEHOLDERS: &[&str] = &[
    "options",
    "inputs",
    "input",
    "property",
    "property_name",
    "data_model",
    "witness",
    "cpu_time",
    "wall_time",
    "memory_bytes",
    "memory_mb",
    "cores",
];

/// Whether the options fix the data model: they hold the option's name, whatever its value, or its only word.
fn is_in(arguments: &[String], options: &[String]) -> bool {
    let name = &arguments[..arguments.len().saturating_sub(1).max(1).min(arguments.len())];
    !name.is_empty() && options.windows(name.len()).any(|window| window == name)
}

fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

/// What the placeholders of one run stand for.
pub struct Values<'a> {
    pub options: &'a [String],
    pub inputs: &'a [PathBuf],
    pub property: Option<&'a Path>,
    pub task: &'a TaskOptions,
    pub limits: super::definition::Limits,
}

impl Tool {
    /// The arguments of one run, without the executable.
    pub fn command_line(&self, values: &Values<'_>) -> Result<Vec<String>, String> {
        self.fill(&self.arguments, values)
    }

    pub fn validation_command_line(&self, values: &Values<'_>) -> Result<Vec<String>, String> {
        match &self.validation {
            Some(arguments) => self.fill(arguments, values),
            None => Err(format!("the description of {} has no `validation` arguments", self.name)),
        }
    }

    fn fill(&self, arguments: &[Argument], values: &Values<'_>) -> Result<Vec<String>, String> {
        let mut result = Vec::new();
        for argument in arguments {
            match argument {
                Argument::One(text) => result.extend(self.expand(text, values)?.unwrap_or_default()),
                Argument::Group(texts) => {
                    let parts: Result<Vec<_>, String> = texts.iter().map(|text| self.expand(text, values)).collect();
                    if let Some(parts) = parts?.into_iter().collect::<Option<Vec<_>>>() {
                        result.extend(parts.into_iter().flatten());
                    }
                }
            }
        }
        Ok(result)
    }

    /// `None` where a placeholder has no value.
    fn expand(&self, text: &str, values: &Values<'_>) -> Result<Option<Vec<String>>, String> {
        let show = |path: &Path| path.to_string_lossy().into_owned();
        let witness = values.task.witness.as_deref();
        let programs = || values.inputs.iter().filter(|input| Some(input.as_path()) != witness);
        match text {
            "{options}" => return Ok(Some(values.options.to_vec())),
            "{inputs}" => return Ok(Some(programs().map(|path| show(path)).collect())),
            "{data_model}" => {
                let Some(model) = &values.task.data_model else { return Ok(None) };
                let arguments = self.data_model.get(model);
                // A definition may fix the data model itself; then ours must not contradict it.
                let is_given = self.data_model.values().any(|arguments| is_in(arguments, values.options));
                return match arguments {
                    Some(_) if is_given => Ok(Some(Vec::new())),
                    Some(arguments) => Ok(Some(arguments.clone())),
                    None => Err(format!("{} does not support the data model `{model}`", self.name)),
                };
            }
            _ => {}
        }
        let mut result = text.to_string();
        for name in placeholders(text) {
            let value = match name {
                "property" => values.property.map(show),
                "property_name" => {
                    values.property.and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned())
                }
                "input" => programs().next().map(|path| show(path)),
                "inputs" => Some(programs().map(|path| show(path)).collect::<Vec<_>>().join(" ")),
                "options" => Some(values.options.join(" ")),
                "witness" => witness.map(show),
                "data_model" => values.task.data_model.clone(),
                "cpu_time" => values.limits.cpu_time.map(|time| format!("{time:.0}")),
                "wall_time" => values.limits.wall_time.or(values.limits.cpu_time).map(|time| format!("{time:.0}")),
                "memory_bytes" => values.limits.memory.map(|bytes| bytes.to_string()),
                "memory_mb" => values.limits.memory.map(|bytes| (bytes / 1_000_000).to_string()),
                "cores" => values.limits.cores.map(|cores| cores.to_string()),
                _ => None,
            };
            match value {
                Some(value) => result = result.replace(&format!("{{{name}}}"), &value),
                None => return Ok(None),
            }
        }
        Ok(Some(vec![result]))
    }

    /// The tool's own answer, before limits and signals are looked at.
    pub fn answer(&self, output: &str, exit_code: Option<i32>, signal: Option<i32>) -> String {
        for rule in &self.verdicts {
            if rule.exit_code.as_ref().is_some_and(|codes| !exit_code.is_some_and(|code| codes.contains(&code)))
                || rule.signal.as_ref().is_some_and(|all| !signal.is_some_and(|signal| all.contains(&signal)))
            {
                continue;
            }
            let Some(regex) = &rule.regex else { return rule.status.clone() };
            let mut lines = output.lines();
            let captures = match rule.take {
                Take::First => lines.find_map(|line| regex.captures(line)),
                Take::Last => lines.rev().find_map(|line| regex.captures(line)),
                Take::LastLine => {
                    lines.rev().find(|line| !line.trim().is_empty()).and_then(|line| regex.captures(line))
                }
            };
            if let Some(captures) = captures {
                let mut status = String::new();
                captures.expand(&rule.status, &mut status);
                return status;
            }
        }
        self.otherwise.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::super::definition::Limits;
    use super::*;

    #[test]
    fn shipped_descriptions_parse_and_answer() {
        for (name, text) in shipped() {
            let tool = parse(text, Path::new(name)).unwrap_or_else(|error| panic!("{error}"));
            assert!(!tool.verdicts.is_empty(), "{name}");
        }
        let quod = find("quod", (Path::new(""), 0)).unwrap();
        assert_eq!(quod.answer("x\nResult: FALSE(valid-deref)\n", Some(1), None), "false(valid-deref)");
        assert_eq!(quod.answer("Result: TRUE\n", Some(0), None), "true");
        assert_eq!(quod.answer("Result: UNKNOWN (bound)\n", Some(3), None), "unknown");
        assert_eq!(quod.answer("", Some(4), None), "ERROR (does not compile)");
        let cpachecker = find("cpachecker", (Path::new(""), 0)).unwrap();
        let line = "Verification result: FALSE. Property violation (no-overflow: x) found by chosen configuration.";
        assert_eq!(cpachecker.answer(line, Some(0), None), "false(no-overflow)");
        let cbmc = find("cbmc", (Path::new(""), 0)).unwrap();
        assert_eq!(cbmc.answer("TRUE\nFALSE(valid-free)\n", Some(10), None), "false(valid-free)");
        assert_eq!(cbmc.answer("FALSE\n", Some(10), None), "false(unreach-call)");
        let ultimate = find("ultimateautomizer", (Path::new(""), 0)).unwrap();
        assert_eq!(ultimate.answer("Result:\nFALSE(TERM)\n", Some(0), None), "false(termination)");
    }

    #[test]
    fn groups_vanish_without_their_value() {
        let tool = find("cbmc", (Path::new(""), 0)).unwrap();
        let inputs = [PathBuf::from("a.c")];
        let task = TaskOptions { data_model: Some("ILP32".into()), ..TaskOptions::default() };
        let options = ["--x".to_string()];
        let mut values =
            Values { options: &options, inputs: &inputs, property: None, task: &task, limits: Limits::default() };
        assert_eq!(tool.command_line(&values).unwrap(), ["--x", "--32", "a.c"]);
        values.property = Some(Path::new("p.prp"));
        assert_eq!(tool.command_line(&values).unwrap(), ["--x", "--propertyfile", "p.prp", "--32", "a.c"]);
    }

    #[test]
    fn faults_of_descriptions() {
        let file = Path::new("t.toml");
        assert_eq!(parse("name = 'x'\nexecutable = 3\n", file).unwrap_err().line, 2);
        let text = "name = 'x'\nexecutable = ['x']\narguments = []\n[[verdict]]\npattern = '('\nstatus = 'true'\n";
        assert_eq!(parse(text, file).unwrap_err().line, 5);
        let text = "name = 'x'\nexecutable = ['x']\narguments = ['{nonsense}']\n";
        assert_eq!(parse(text, file).unwrap_err().line, 3);
        assert!(find("no-such-tool", (Path::new("b.xml"), 3)).unwrap_err().to_string().contains("b.xml:3"));
    }
}
