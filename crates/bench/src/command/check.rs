//! `quod bench check` and `quod bench tools`.

use super::Failure;
use super::args::{CheckArgs, ToolsArgs};
use crate::input::error::{InputError, code};
use crate::input::plan::Selection;
use crate::input::{InputErrors, definition, plan, task, tool, tool_locate};
use crate::results::xml_read;
use crate::score::Structure;
use std::io::Write;
use std::path::Path;

pub(super) fn check(args: &CheckArgs, out: &mut dyn Write, err: &mut dyn Write) -> Result<i32, Failure> {
    let mut is_wrong = false;
    for file in &args.files {
        match one(file, args.syntax) {
            Ok(what) => writeln!(out, "{}: {what}", file.display())?,
            Err(errors) => {
                is_wrong = true;
                writeln!(err, "{errors}")?;
            }
        }
    }
    Ok(if is_wrong { 2 } else { 0 })
}

fn one(file: &Path, only_syntax: bool) -> Result<String, InputErrors> {
    let name = file.to_string_lossy();
    if name.ends_with(".toml") {
        let text = std::fs::read_to_string(file).map_err(|error| InputError::unreadable(file, &error))?;
        return Ok(format!("description of {}", tool::parse(&text, file)?.name));
    }
    if name.ends_with(".yml") || name.ends_with(".yaml") {
        if name.contains("category-structure") {
            let structure = Structure::read(file)?;
            let metas = structure.metas.len();
            return Ok(format!("category structure of {:?} with {metas} meta categories", structure.year.unwrap_or(0)));
        }
        return Ok(format!("task with {} properties", task::read(file)?.properties.len()));
    }
    if name.contains(".results.") || name.ends_with(".bz2") {
        let set = xml_read::read(file)?;
        return Ok(format!("{} results of {}", set.runs.len(), set.label()));
    }
    if !name.ends_with(".xml") {
        return Err(InputError::file(code::BAD_VALUE, file, "neither XML, YAML nor TOML").into());
    }
    let definition = definition::read(file)?;
    if only_syntax {
        let sets: usize = definition.run_definitions.iter().map(|run| run.task_sets.len()).sum();
        return Ok(format!(
            "definition for {}: {} run definitions, {sets} task sets",
            definition.tool,
            definition.run_definitions.len()
        ));
    }
    let asked_at = (file, definition.tool_line);
    let tool = tool::find(&definition.tool, asked_at)?;
    let executable = tool_locate::locate(&tool, None, asked_at).unwrap_or_default();
    let plan = plan::make(&definition, &tool, &executable, "", &Selection::default())?;
    Ok(format!("definition for {}: {} runs", tool.name, plan.runs.len()))
}

pub(super) fn tools(args: &ToolsArgs, out: &mut dyn Write) -> Result<i32, Failure> {
    for (name, text) in tool::shipped() {
        match &args.name {
            None => {
                let tool = tool::parse(text, Path::new(name))?;
                let place = tool_locate::locate(&tool, None, (Path::new(""), 0));
                let place = place.map_or("not installed".to_string(), |path| path.display().to_string());
                writeln!(out, "{name:<12} {:<12} {place}", tool.name)?;
            }
            Some(wanted) if wanted == name => write!(out, "{text}")?,
            Some(_) => {}
        }
    }
    match &args.name {
        Some(name) if !tool::shipped().iter().any(|(shipped, _)| shipped == name) => {
            Err(InputError::option(code::BAD_TOOL, format!("no description of the tool `{name}`")).into())
        }
        _ => Ok(0),
    }
}
