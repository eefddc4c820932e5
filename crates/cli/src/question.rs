//! What is asked about a program: the property (by name or `.prp` file), or a task definition that names program, property
//! and data model together. The verdict that a task definition expects is never looked at.

use crate::arguments::{DataModelName, ProgramArguments};
use crate::disk;
use quod_base::edit_distance;
use quod_bench::input::task::{self, Task};
use quod_verdict::{CheckKind, Property, Specification, exit_code};
use std::path::Path;

/// A program and a specification.
pub(crate) struct Question {
    pub(crate) program: ProgramArguments,
    pub(crate) specification: Specification,
    /// The property as `.prp` files write it; nothing where none was named.
    pub(crate) text: Option<String>,
}

/// Why there is no question: a message, and the exit code.
pub(crate) struct Unasked {
    pub(crate) message: String,
    pub(crate) exit_code: i32,
}

impl Unasked {
    fn usage(message: String) -> Self {
        Self { message: format!("error: {message}\n"), exit_code: exit_code::USAGE }
    }
}

pub(crate) fn ask(program: &ProgramArguments, property: Option<&str>) -> Result<Question, Unasked> {
    let mut program = program.clone();
    let is_task = |path: &Path| path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml");
    let mut property = property.map(str::to_owned);
    if program.files.iter().any(|path| is_task(path)) {
        let [file] = program.files.as_slice() else {
            return Err(Unasked::usage("a task definition names its program itself; give no other file".into()));
        };
        let task =
            task::read(file).map_err(|fault| Unasked { message: format!("{fault}\n"), exit_code: exit_code::USAGE })?;
        property = Some(pick(&task, property.as_deref())?);
        if program.data_model.is_none() {
            program.data_model = data_model(&task)?;
        }
        program.files = task.input_files;
    }
    let (specification, text) = specification(property.as_deref()).map_err(Unasked::usage)?;
    Ok(Question { program, specification, text })
}

/// The property file of a task: the one that is named, or the only one.
fn pick(task: &Task, name: Option<&str>) -> Result<String, Unasked> {
    let file = task.file.display();
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let names: Vec<String> = task.properties.iter().map(|property| stem(&property.file)).collect();
    let path = |index: usize| task.properties[index].file.to_string_lossy().into_owned();
    match (name, names.as_slice()) {
        (Some(name), _) => {
            let wanted = if name.ends_with(".prp") { stem(Path::new(name)) } else { name.to_owned() };
            match names.iter().position(|name| *name == wanted) {
                Some(index) if !name.ends_with(".prp") => Ok(path(index)),
                Some(_) => Ok(name.to_owned()),
                None => Err(Unasked::usage(format!(
                    "{file} does not ask for `{wanted}`; it asks for {}",
                    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
                ))),
            }
        }
        (None, [_]) => Ok(path(0)),
        (None, []) => Err(Unasked::usage(format!("{file} names no property; name one with --property"))),
        (None, several) => Err(Unasked::usage(format!(
            "{file} names several properties; choose one with --property: {}",
            several.join(", ")
        ))),
    }
}

fn data_model(task: &Task) -> Result<Option<DataModelName>, Unasked> {
    match task.options.data_model.as_deref() {
        None => Ok(None),
        Some("ILP32") => Ok(Some(DataModelName::Ilp32)),
        Some("LP64") => Ok(Some(DataModelName::Lp64)),
        Some(other) => {
            let text = format!("{}: the data model `{other}` is neither ILP32 nor LP64", task.file.display());
            Err(Unasked::usage(text))
        }
    }
}

/// A `.prp` file, or a name; with its text.
pub(crate) fn specification(property: Option<&str>) -> Result<(Specification, Option<String>), String> {
    let Some(property) = property else { return Ok((Specification::usual(), None)) };
    let path = Path::new(property);
    if path.extension().is_some_and(|extension| extension == "prp") {
        let bytes = disk::read(path).map_err(|_| format!("cannot read {property}"))?;
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        let specification = Specification::from_prp(&text).map_err(|error| format!("{property}: {error}"))?;
        return Ok((specification, Some(text)));
    }
    let specification = Specification::from_name(property).map_err(|error| match similar(property) {
        Some(similar) => format!("{error}; did you mean `{similar}`?"),
        None => error.to_string(),
    })?;
    let line = |property: &Property| {
        format!("CHECK( init(main()), LTL({}) )", property.formula(&specification.error_function))
    };
    let lines: Vec<String> = specification.properties.iter().map(line).collect();
    let text = (!lines.is_empty()).then(|| lines.join("\n"));
    Ok((specification, text))
}

/// A property whose name is nearly the one that was given.
fn similar(name: &str) -> Option<&'static str> {
    let words = Property::ALL.iter().map(|property| property.word());
    let all = words.chain(["valid-memsafety"]).chain(CheckKind::ALL.iter().map(|kind| kind.word()));
    let (distance, word) = all.map(|word| (edit_distance(name, word), word)).min()?;
    (distance <= name.len() / 3 + 1).then_some(word)
}
