//! Which programs a list of tasks or a folder of task definitions names, and for which data model.

use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A program to read. The data model is `None` where nobody says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    pub(crate) is_lp64: Option<bool>,
}

/// The inputs of a list of tasks: one JSON object a line with root, id, inputs, model.
pub(crate) fn listed(list: &str, corpus: &str) -> Result<Vec<Input>> {
    let text = if list.ends_with(".gz") {
        let output = std::process::Command::new("gzip").args(["-dc", list]).output().context("cannot start gzip")?;
        String::from_utf8(output.stdout)?
    } else {
        std::fs::read_to_string(list)?
    };
    let mut inputs = BTreeMap::new();
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line)?;
        let word = |key: &str| row[key].as_str().unwrap_or_default();
        let folder = Path::new(corpus).join(word("root")).join(word("id"));
        let folder = folder.parent().context("a task without a folder")?;
        for input in row["inputs"].as_array().into_iter().flatten().filter_map(serde_json::Value::as_str) {
            inputs.insert(folder.join(input), Some(word("model") == "LP64"));
        }
    }
    Ok(inputs.into_iter().map(|(path, is_lp64)| Input { path, is_lp64 }).collect())
}

/// What the task definitions below a folder name; where there are none, every file with one of the endings.
pub(crate) fn below(root: &Path, extensions: &str, only: Option<&str>) -> Result<Vec<Input>> {
    let mut inputs = BTreeSet::new();
    let mut tasks = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)?.flatten() {
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if only.is_none_or(|only| path.to_string_lossy().contains(only)) {
                match path.extension().and_then(|extension| extension.to_str()) {
                    Some("yml") => tasks.push(path),
                    Some(extension) if extensions.split(',').any(|wanted| wanted == extension) => {
                        inputs.insert(Input { path, is_lp64: Some(true) });
                    }
                    _ => {}
                }
            }
        }
    }
    if !tasks.is_empty() {
        inputs.clear();
        let sets = sets(root)?;
        for task in tasks {
            let text = std::fs::read_to_string(&task).unwrap_or_default();
            for is_lp64 in data_models(root, &task, &text, &sets) {
                inputs.extend(input_files(&text).map(|name| Input { path: task.with_file_name(name), is_lp64 }));
            }
        }
    }
    Ok(inputs.into_iter().collect())
}

/// A set of tasks: patterns of paths, and whether its configuration asks for 64 bit.
struct Set {
    patterns: Vec<String>,
    is_lp64: bool,
}

fn sets(root: &Path) -> Result<Vec<Set>> {
    let mut sets = Vec::new();
    for entry in std::fs::read_dir(root)?.flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "set")
            && let Ok(configuration) = std::fs::read_to_string(path.with_extension("cfg"))
        {
            let patterns = std::fs::read_to_string(&path)?.lines().map(|line| line.trim().to_owned()).collect();
            sets.push(Set { patterns, is_lp64: configuration.contains("64 bit") });
        }
    }
    Ok(sets)
}

/// The data models that a task is meant for: its own word, else those of the sets that it belongs to.
fn data_models(root: &Path, task: &Path, text: &str, sets: &[Set]) -> BTreeSet<Option<bool>> {
    if text.contains("data_model") {
        return BTreeSet::from([Some(text.contains("LP64"))]);
    }
    let name = task.strip_prefix(root).unwrap_or(task).to_string_lossy();
    let belongs = sets.iter().filter(|set| set.patterns.iter().any(|pattern| matches(pattern, &name)));
    let models: BTreeSet<_> = belongs.map(|set| Some(set.is_lp64)).collect();
    if models.is_empty() { BTreeSet::from([None]) } else { models }
}

/// Whether a text fits a pattern in which `*` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut parts: Vec<_> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The `input_files` of a task definition, read line by line.
fn input_files(text: &str) -> impl Iterator<Item = &str> {
    let mut items = Vec::new();
    let mut in_list = false;
    for line in text.lines() {
        let item = match line.strip_prefix("input_files:") {
            Some(rest) => {
                in_list = rest.trim().is_empty();
                rest
            }
            None if in_list && line.trim_start().starts_with("- ") => line.trim_start().trim_start_matches("- "),
            None => {
                in_list &= line.trim().is_empty();
                continue;
            }
        };
        items.extend(item.trim().trim_matches(['[', ']']).split(','));
    }
    items.into_iter().map(|name| name.trim().trim_matches(['\'', '"'])).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{input_files, matches};

    #[test]
    fn stars_stand_for_anything() {
        assert!(matches("loops/*.yml", "loops/sum.yml"));
        assert!(matches("loops/*_true*.yml", "loops/sum_true-1.yml"));
        assert!(!matches("loops/*.yml", "loops/sum.c"));
        assert!(!matches("loops/sum.yml", "loops/sum.yml2"));
    }

    #[test]
    fn inputs_stand_in_the_line_or_below_it() {
        assert_eq!(input_files("input_files: 'a.c'\n").collect::<Vec<_>>(), ["a.c"]);
        assert_eq!(
            input_files("input_files:\n  - 'a.c'\n  - b.c\nproperties: x\n").collect::<Vec<_>>(),
            ["a.c", "b.c"]
        );
    }
}
