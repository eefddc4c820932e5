//! BenchExec's benchmark definitions (XML, document types 1.0 to 3.30) as data: nothing is expanded here.

use super::error::{InputError, InputErrors, code};
use super::pattern::Pattern;
use super::units::{parse_memory, parse_time};
use roxmltree::{Document, Node, ParsingOptions};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Definition {
    pub file: PathBuf,
    pub tool: String,
    /// Where the tool is named, for the message that it is not installed.
    pub tool_line: u32,
    pub display_name: Option<String>,
    pub limits: Limits,
    pub threads: Option<u32>,
    pub cpu_model: Option<String>,
    pub options: Vec<String>,
    pub property: Option<PropertyRef>,
    pub required_files: Vec<Pattern>,
    /// Empty: everything that a run writes below its directory.
    pub result_files: Vec<String>,
    pub task_sets: Vec<TaskSet>,
    pub run_definitions: Vec<RunDefinition>,
    pub columns: Vec<Column>,
}

/// In seconds and bytes. `cpu_time` is the limit that counts, `cpu_time_hard` the one that kills.
#[derive(Clone, Copy, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Limits {
    pub cpu_time: Option<f64>,
    pub cpu_time_hard: Option<f64>,
    pub wall_time: Option<f64>,
    pub memory: Option<u64>,
    pub cores: Option<u32>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RunDefinition {
    pub name: Option<String>,
    pub line: u32,
    pub options: Vec<String>,
    pub property: Option<PropertyRef>,
    pub required_files: Vec<Pattern>,
    pub task_sets: Vec<TaskSet>,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub struct TaskSet {
    pub name: Option<String>,
    pub line: u32,
    pub include: Vec<Pattern>,
    pub include_files: Vec<Pattern>,
    pub exclude: Vec<Pattern>,
    pub exclude_files: Vec<Pattern>,
    pub append: Vec<Pattern>,
    pub without_file: Vec<Pattern>,
    pub options: Vec<String>,
    pub property: Option<PropertyRef>,
    pub required_files: Vec<Pattern>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PropertyRef {
    pub pattern: Pattern,
    /// Only tasks with this expected verdict: `true`, `false`, `false(sub)`, `unknown`.
    pub expected: Option<String>,
    /// Given by its name on the command line: each task's own property file of that name counts, and `pattern` is the
    /// file for inputs without task definition.
    pub by_name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Column {
    pub title: String,
    pub pattern: String,
    pub digits: Option<u32>,
}

pub fn read(file: &Path) -> Result<Definition, InputErrors> {
    let text = std::fs::read_to_string(file).map_err(|error| InputError::unreadable(file, &error))?;
    parse(&text, file)
}

pub fn parse(text: &str, file: &Path) -> Result<Definition, InputErrors> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        InputError::new(code::MALFORMED_XML, file, place.row, place.col, format!("malformed XML: {error}"))
    })?;
    let mut reader = Reader { document: &document, file, faults: Vec::new() };
    let definition = reader.benchmark(document.root_element());
    if reader.faults.is_empty() { Ok(definition) } else { Err(InputErrors(reader.faults)) }
}

struct Reader<'a> {
    document: &'a Document<'a>,
    file: &'a Path,
    faults: Vec<InputError>,
}

impl Reader<'_> {
    fn fault(&mut self, node: Node<'_, '_>, message: impl Into<String>) {
        let place = self.document.text_pos_at(node.range().start);
        self.faults.push(InputError::new(code::BAD_DEFINITION, self.file, place.row, place.col, message));
    }

    fn pattern(&mut self, node: Node<'_, '_>) -> Option<Pattern> {
        let place = self.document.text_pos_at(node.range().start);
        let text = node.text().unwrap_or("").trim().to_string();
        if text.is_empty() {
            self.fault(node, format!("<{}> is empty", node.tag_name().name()));
            return None;
        }
        Some(Pattern { text, line: place.row, column: place.col })
    }

    fn attributes(&mut self, node: Node<'_, '_>, known: &[&str]) {
        for attribute in node.attributes() {
            if !known.contains(&attribute.name()) {
                let message = format!("<{}> has no attribute `{}`", node.tag_name().name(), attribute.name());
                self.fault(node, message);
            }
        }
    }

    fn limit<T>(&mut self, node: Node<'_, '_>, name: &str, parse: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        match parse(node.attribute(name)?) {
            Ok(value) => Some(value),
            Err(message) => {
                self.fault(node, format!("{name}: {message}"));
                None
            }
        }
    }

    fn benchmark(&mut self, root: Node<'_, '_>) -> Definition {
        let mut result = Definition { file: self.file.to_path_buf(), ..Definition::default() };
        if root.tag_name().name() != "benchmark" {
            self.fault(root, format!("the root element is <{}>, not <benchmark>", root.tag_name().name()));
            return result;
        }
        let known =
            ["tool", "displayName", "memlimit", "timelimit", "walltimelimit", "hardtimelimit", "cpuCores", "threads"];
        self.attributes(root, &known);
        result.tool_line = self.document.text_pos_at(root.range().start).row;
        match root.attribute("tool") {
            Some(tool) if !tool.is_empty() => result.tool = tool.to_string(),
            _ => self.fault(root, "<benchmark> names no tool"),
        }
        result.display_name = root.attribute("displayName").map(str::to_string);
        result.limits = Limits {
            cpu_time: self.limit(root, "timelimit", parse_time),
            cpu_time_hard: self.limit(root, "hardtimelimit", parse_time),
            wall_time: self.limit(root, "walltimelimit", parse_time),
            memory: self.limit(root, "memlimit", parse_memory),
            cores: self.limit(root, "cpuCores", parse_count),
        };
        result.threads = self.limit(root, "threads", parse_count);
        for node in root.children().filter(Node::is_element) {
            match node.tag_name().name() {
                "rundefinition" => {
                    let run_definition = self.run_definition(node);
                    result.run_definitions.push(run_definition);
                }
                "tasks" => {
                    let set = self.task_set(node);
                    result.task_sets.push(set);
                }
                "option" => self.option(node, &mut result.options),
                "propertyfile" => self.property(node, &mut result.property),
                "requiredfiles" => result.required_files.extend(self.pattern(node)),
                "resultfiles" => {
                    let text = node.text().unwrap_or("").trim();
                    if text.starts_with("..") || text.starts_with('/') {
                        self.fault(node, format!("the result files `{text}` lie outside the run's directory"));
                    }
                    if !text.is_empty() {
                        result.result_files.push(text.to_string());
                    }
                }
                "require" => {
                    self.attributes(node, &["cpuModel", "cpuCores", "memory"]);
                    result.cpu_model = node.attribute("cpuModel").map(str::to_string).or(result.cpu_model);
                }
                "columns" => {
                    for column in node.children().filter(Node::is_element) {
                        self.attributes(column, &["title", "numberOfDigits"]);
                        let pattern = column.text().unwrap_or("").trim().to_string();
                        let title = column.attribute("title").map_or_else(|| pattern.clone(), str::to_string);
                        let digits = column.attribute("numberOfDigits").and_then(|digits| digits.parse().ok());
                        result.columns.push(Column { title, pattern, digits });
                    }
                }
                "sourcefiles" | "test" => {
                    let name = node.tag_name().name();
                    self.fault(node, format!("<{name}> is the format before BenchExec 1.0; rename it to <tasks>"));
                }
                other => self.fault(node, format!("<benchmark> has no element <{other}>")),
            }
        }
        self.unique_names(root, &result);
        result
    }

    fn unique_names(&mut self, root: Node<'_, '_>, definition: &Definition) {
        let mut seen: Vec<&str> = Vec::new();
        for run_definition in &definition.run_definitions {
            let name = run_definition.name.as_deref().unwrap_or("");
            if seen.contains(&name) {
                let message = match name {
                    "" => "two run definitions have no name".to_string(),
                    _ => format!("two run definitions are named `{name}`"),
                };
                let mut fault = InputError::new(code::BAD_DEFINITION, self.file, run_definition.line, 1, message);
                fault.help = Some("give each <rundefinition> a name of its own".to_string());
                self.faults.push(fault);
            }
            seen.push(name);
        }
        if definition.run_definitions.is_empty() {
            self.fault(root, "no <rundefinition>: nothing would be run");
        }
    }

    fn run_definition(&mut self, node: Node<'_, '_>) -> RunDefinition {
        self.attributes(node, &["name"]);
        let mut result = RunDefinition {
            name: node.attribute("name").filter(|name| !name.is_empty()).map(str::to_string),
            line: self.document.text_pos_at(node.range().start).row,
            options: Vec::new(),
            property: None,
            required_files: Vec::new(),
            task_sets: Vec::new(),
        };
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "tasks" => {
                    let set = self.task_set(child);
                    result.task_sets.push(set);
                }
                "option" => self.option(child, &mut result.options),
                "propertyfile" => self.property(child, &mut result.property),
                "requiredfiles" => result.required_files.extend(self.pattern(child)),
                other => self.fault(child, format!("<rundefinition> has no element <{other}>")),
            }
        }
        result
    }

    fn task_set(&mut self, node: Node<'_, '_>) -> TaskSet {
        self.attributes(node, &["name"]);
        let mut result = TaskSet {
            name: node.attribute("name").filter(|name| !name.is_empty()).map(str::to_string),
            line: self.document.text_pos_at(node.range().start).row,
            ..TaskSet::default()
        };
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "include" => result.include.extend(self.pattern(child)),
                "includesfile" => result.include_files.extend(self.pattern(child)),
                "exclude" => result.exclude.extend(self.pattern(child)),
                "excludesfile" => result.exclude_files.extend(self.pattern(child)),
                "append" => result.append.extend(self.pattern(child)),
                "withoutfile" => result.without_file.extend(self.pattern(child)),
                "option" => self.option(child, &mut result.options),
                "propertyfile" => self.property(child, &mut result.property),
                "requiredfiles" => result.required_files.extend(self.pattern(child)),
                other => self.fault(child, format!("<tasks> has no element <{other}>")),
            }
        }
        result
    }

    /// `<option name="--heap">5000m</option>` is two arguments; either part may be absent.
    fn option(&mut self, node: Node<'_, '_>, options: &mut Vec<String>) {
        self.attributes(node, &["name"]);
        options.extend(node.attribute("name").map(str::to_string));
        options.extend(node.text().map(str::to_string).filter(|text| !text.trim().is_empty()));
    }

    fn property(&mut self, node: Node<'_, '_>, slot: &mut Option<PropertyRef>) {
        self.attributes(node, &["expectedverdict"]);
        let expected = node.attribute("expectedverdict");
        if let Some(verdict) = expected
            && verdict != "unknown"
            && super::expected::Expected::parse(verdict).is_none()
        {
            let message = format!("`{verdict}` is not true, false, false(<subproperty>) or unknown");
            self.fault(node, message);
        }
        if slot.is_some() {
            self.fault(node, "a second <propertyfile> in the same element");
        }
        *slot = self.pattern(node).map(|pattern| PropertyRef {
            pattern,
            expected: expected.map(str::to_string),
            by_name: None,
        });
    }
}

fn parse_count(text: &str) -> Result<u32, String> {
    match text.trim().parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("`{text}` is not a positive whole number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_options_and_sets() {
        let text = r#"<?xml version="1.0"?>
<!DOCTYPE benchmark PUBLIC "+//IDN sosy-lab.org//DTD BenchExec benchmark 3.30//EN" "https://www.sosy-lab.org/benchexec/benchmark-3.30.dtd">
<benchmark tool="cbmc" displayName="CBMC" timelimit="15 min" hardtimelimit="16 min" memlimit="15 GB" cpuCores="4">
  <resultfiles>**/witness.*</resultfiles>
  <option name="--heap">5000m</option>
  <rundefinition name="r"><tasks name="t"><includesfile>a.set</includesfile>
    <propertyfile expectedverdict="false(valid-deref)">p.prp</propertyfile></tasks></rundefinition>
</benchmark>"#;
        let definition = parse(text, Path::new("b.xml")).unwrap();
        assert_eq!(definition.limits.cpu_time_hard, Some(960.0));
        assert_eq!(definition.options, ["--heap", "5000m"]);
        let set = &definition.run_definitions[0].task_sets[0];
        assert_eq!(set.include_files[0].line, 6);
        assert_eq!(set.property.as_ref().unwrap().expected.as_deref(), Some("false(valid-deref)"));
    }

    #[test]
    fn every_fault_has_its_line() {
        let text = "<benchmark tool='x' timelimit='soon'>\n <rundefinition>\n  <tusks/>\n </rundefinition>\n \
                    <rundefinition/>\n</benchmark>";
        let lines: Vec<u32> = parse(text, Path::new("b.xml")).unwrap_err().0.iter().map(|fault| fault.line).collect();
        assert_eq!(lines, [1, 3, 5]);
        let fault = parse("<benchmark>\n<option>\n</benchmark>", Path::new("b.xml")).unwrap_err();
        assert_eq!(fault.0[0].line, 3, "{fault}");
    }
}
