//! Task definitions (YAML, format versions 0.1, 1.0, 2.0, 2.1): input files, properties with expected verdicts, options.

use super::error::{InputError, code};
use super::expected::Expected;
use super::pattern::expand;
use super::yaml::{self, Node};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    pub file: PathBuf,
    pub input_files: Vec<PathBuf>,
    pub required_files: Vec<PathBuf>,
    pub properties: Vec<TaskProperty>,
    pub options: TaskOptions,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskProperty {
    pub file: PathBuf,
    pub line: u32,
    /// Absent: the task is run but not scored.
    pub expected: Option<Expected>,
}

#[derive(Clone, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct TaskOptions {
    pub language: Option<String>,
    pub data_model: Option<String>,
    pub witness: Option<PathBuf>,
}

pub fn read(file: &Path) -> Result<Task, InputError> {
    let text = std::fs::read_to_string(file).map_err(|error| InputError::unreadable(file, &error))?;
    parse(&text, file)
}

pub fn parse(text: &str, file: &Path) -> Result<Task, InputError> {
    let whole = |message: &str| InputError::new(code::BAD_TASK, file, 1, 1, message);
    let root = yaml::parse(text, file)?.ok_or_else(|| whole("the task definition is empty"))?;
    if root.entries().is_empty() {
        return Err(whole("a task definition is a map with `format_version`, `input_files` and `properties`"));
    }
    let at = |node: &Node, message: String| InputError::new(code::BAD_TASK, file, node.line, node.column, message);
    let version = root.get("format_version").ok_or_else(|| whole("`format_version` is missing"))?;
    let number = version.as_str().unwrap_or("");
    if !["0.1", "1.0", "2.0", "2.1"].contains(&number) {
        return Err(at(version, format!("unknown format_version `{number}`; known are 1.0, 2.0 and 2.1")));
    }
    let base = file.parent().unwrap_or(Path::new(""));
    let inputs = root.get("input_files").ok_or_else(|| whole("`input_files` is missing"))?;
    let input_files = files(inputs, base, &at)?;
    if input_files.is_empty() {
        return Err(at(inputs, "`input_files` names no file".to_string()));
    }
    let required_files = root.get("required_files").map_or(Ok(Vec::new()), |node| files(node, base, &at))?;
    let mut properties = Vec::new();
    for node in root.get("properties").map(Node::items).unwrap_or_default() {
        properties.push(property(node, base, &at)?);
    }
    let options = match root.get("options") {
        None => TaskOptions::default(),
        Some(node) if number < "2.0" => {
            return Err(at(node, format!("`options` needs format_version 2.0, this task has {number}")));
        }
        Some(node) => {
            let text = |key: &str| node.get(key).and_then(Node::as_str).map(str::to_string);
            let witness = node.get("witness_input_file").and_then(Node::as_str).map(|name| base.join(name));
            TaskOptions { language: text("language"), data_model: text("data_model"), witness }
        }
    };
    Ok(Task { file: file.to_path_buf(), input_files, required_files, properties, options })
}

fn files(node: &Node, base: &Path, at: &impl Fn(&Node, String) -> InputError) -> Result<Vec<PathBuf>, InputError> {
    let mut result = Vec::new();
    for item in node.items() {
        let pattern = item.as_str().ok_or_else(|| at(item, "a file name or pattern is expected".to_string()))?;
        let found = expand(pattern, base);
        if found.is_empty() {
            return Err(InputError { code: code::NO_MATCH, ..at(item, format!("`{pattern}` matches no file")) });
        }
        result.extend(found);
    }
    Ok(result)
}

fn property(node: &Node, base: &Path, at: &impl Fn(&Node, String) -> InputError) -> Result<TaskProperty, InputError> {
    let name = node.get("property_file").ok_or_else(|| at(node, "a property without `property_file`".to_string()))?;
    let pattern = name.as_str().ok_or_else(|| at(name, "`property_file` is not a file name".to_string()))?;
    let found = expand(pattern, base);
    let [path] = found.as_slice() else {
        let message = format!("the property file `{pattern}` matches {} files instead of one", found.len());
        return Err(InputError { code: code::NO_MATCH, ..at(name, message) });
    };
    let subproperty = node.get("subproperty").and_then(Node::as_str).map(str::to_string);
    let expected = match node.get("expected_verdict").filter(|verdict| !verdict.is_null()) {
        None => None,
        Some(verdict) => {
            let holds = verdict.as_bool().ok_or_else(|| {
                let text = verdict.as_str().unwrap_or("…");
                at(verdict, format!("the expected verdict `{text}` is neither true nor false"))
            })?;
            Some(Expected { holds, subproperty })
        }
    };
    Ok(TaskProperty { file: path.clone(), line: node.line, expected })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("p.prp"), "CHECK( init(main()), LTL(F end) )\n").unwrap();
        std::fs::write(folder.path().join("a.c"), "").unwrap();
        folder
    }

    #[test]
    fn versions_and_verdicts() {
        let folder = folder();
        let file = folder.path().join("a.yml");
        let text = "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: p.prp\n    \
                    expected_verdict: false\n    subproperty: valid-deref\noptions:\n  language: C\n  data_model: LP64\n";
        let task = parse(text, &file).unwrap();
        assert_eq!(task.properties[0].expected.as_ref().unwrap().to_string(), "false(valid-deref)");
        assert_eq!(task.options.data_model.as_deref(), Some("LP64"));
        let older = "format_version: \"1.0\"\ninput_files:\n  - a.c\nproperties:\n  - property_file: p.prp\n";
        assert_eq!(parse(older, &file).unwrap().properties[0].expected, None);
    }

    #[test]
    fn faults_name_their_line() {
        let folder = folder();
        let file = folder.path().join("a.yml");
        for (text, line) in [
            ("format_version: '3.0'\ninput_files: a.c\n", 1),
            ("format_version: '1.0'\ninput_files: a.c\noptions:\n  language: C\n", 4),
            ("format_version: '2.0'\ninput_files:\n  - a.c\n  - missing.c\n", 4),
            (
                "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: p.prp\n    expected_verdict: maybe\n",
                5,
            ),
            ("format_version: '2.0'\n", 1),
            ("- a\n", 1),
            ("", 1),
        ] {
            let error = parse(text, &file).unwrap_err();
            assert_eq!(error.line, line, "{error}");
        }
    }
}
