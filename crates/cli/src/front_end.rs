//! From the command line's program to what the engines read: load, preprocess, parse, lower; with the diagnostics of all
//! steps together.

use crate::arguments::{ArithName, DataModelName, DialectName, ProgramArguments};
use crate::console::Console;
use crate::disk::{self, Disk};
use quod_base::{FileId, SourceMap, Span};
use quod_diag::{Diagnostic, Outcome, Report, Status, codes};
use quod_syntax::{
    DataModel, Dialect, LoadError, ParseOptions, PreprocessOptions, Preprocessed, Standard, TranslationUnit,
};
use quod_verdict::exit_code;
use std::path::Path;

/// A program on its way: each step adds what it found.
pub(crate) struct FrontEnd {
    pub(crate) sources: SourceMap,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) options: PreprocessOptions,
    pub(crate) name: String,
    main: Option<FileId>,
}

impl FrontEnd {
    /// Reads the main file. If that is not possible, a diagnostic says so and `has_errors` holds.
    pub(crate) fn load(arguments: &ProgramArguments) -> Self {
        let mut sources = SourceMap::default();
        let mut diagnostics = Vec::new();
        let name = match arguments.program.to_string_lossy() {
            name if name == "-" => "<stdin>".to_owned(),
            name => name.into_owned(),
        };
        let main = match disk::read(&arguments.program) {
            Ok(bytes) => {
                let (text, _) = quod_syntax::preprocess::decode(&bytes);
                let added = sources.add_file(name.clone(), text, Span::NONE);
                let too_large = |_| diagnostics.push(cannot_read(&name, "it is too large", &arguments.program));
                added.map_err(too_large).ok()
            }
            Err(error) => {
                let why = match error {
                    LoadError::NotFound => "there is no such file".to_owned(),
                    LoadError::Unreadable(why) => why,
                };
                diagnostics.push(cannot_read(&name, &why, &arguments.program));
                None
            }
        };
        Self { sources, diagnostics, options: options(arguments), name, main }
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// The tokens of the program, or nothing if its file could not be read.
    pub(crate) fn preprocess(&mut self) -> Option<Preprocessed> {
        let mut preprocessed = quod_syntax::preprocess(&mut self.sources, self.main?, &Disk, &self.options);
        self.diagnostics.append(&mut preprocessed.diagnostics);
        Some(preprocessed)
    }

    /// The syntax tree.
    pub(crate) fn parse(&mut self, preprocessed: &Preprocessed) -> TranslationUnit {
        let options =
            ParseOptions { dialect: self.options.dialect, standard: self.options.standard, ..ParseOptions::default() };
        let (unit, mut diagnostics) = quod_syntax::parse(&preprocessed.tokens, &self.sources, &options);
        self.diagnostics.append(&mut diagnostics);
        unit
    }

    /// Says what is wrong with the program, in the format that was asked for, and gives the exit code.
    pub(crate) fn does_not_compile(&self, console: &Console, command: &str) -> i32 {
        let (text, exit_code) = match self.main {
            Some(_) => (format!("{} does not compile", self.name), exit_code::DOES_NOT_COMPILE),
            None => (format!("{} cannot be read", self.name), exit_code::USAGE),
        };
        console.messages(&self.sources, &self.diagnostics);
        if self.main.is_some() {
            console.summary(&text, &self.diagnostics);
        }
        let outcome = Outcome { status: Status::Error, text: &text, exit_code, seconds: None };
        console.document(self.report(command, outcome), serde_json::Map::new());
        exit_code
    }

    pub(crate) fn report<'a>(&'a self, command: &'a str, outcome: Outcome<'a>) -> Report<'a> {
        Report {
            command,
            inputs: std::slice::from_ref(&self.name),
            sources: &self.sources,
            diagnostics: &self.diagnostics,
            outcome,
        }
    }
}

fn options(arguments: &ProgramArguments) -> PreprocessOptions {
    PreprocessOptions {
        data_model: data_model(arguments),
        dialect: dialect(arguments),
        standard: if arguments.standard.ends_with("23") || arguments.standard.ends_with("2x") {
            Standard::C23
        } else {
            Standard::C17
        },
        include_dirs: arguments.include_directories.clone(),
        defines: arguments.define.clone(),
        undefines: arguments.undefine.clone(),
        force_includes: arguments.include.clone(),
        keep_annotations: false,
        build_time: 0,
    }
}

fn data_model(arguments: &ProgramArguments) -> DataModel {
    match arguments.data_model {
        DataModelName::Ilp32 => DataModel::Ilp32,
        DataModelName::Lp64 => DataModel::Lp64,
    }
}

fn dialect(arguments: &ProgramArguments) -> Dialect {
    match arguments.dialect {
        Some(DialectName::C) => Dialect::C,
        Some(DialectName::Civl) => Dialect::Civl,
        None if arguments.program.extension().is_some_and(|extension| extension == "cvl") => Dialect::Civl,
        None => Dialect::C,
    }
}

/// CIVL-C computes with mathematical numbers unless told otherwise, C with the machine's.
pub(crate) fn is_ideal(arguments: &ProgramArguments) -> bool {
    match arguments.arith {
        Some(arith) => arith == ArithName::Ideal,
        None => dialect(arguments) == Dialect::Civl,
    }
}

fn cannot_read(name: &str, why: &str, path: &Path) -> Diagnostic {
    let diagnostic = Diagnostic::error(codes::CANNOT_READ_FILE, format!("cannot read {name}: {why}"));
    match similar_file(path) {
        Some(similar) => diagnostic.help(format!("did you mean {similar}?")),
        None => diagnostic,
    }
}

/// A file beside the missing one whose name is nearly the same.
fn similar_file(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut best: Option<(usize, String)> = None;
    for entry in std::fs::read_dir(folder).ok()?.flatten().take(2_000) {
        let name = entry.file_name().into_string().ok()?;
        let distance = edit_distance(wanted, &name);
        let is_better = best.as_ref().is_none_or(|(least, other)| (distance, &name) < (*least, other));
        if distance > 0 && distance <= wanted.len() / 3 && is_better && entry.path().is_file() {
            best = Some((distance, name));
        }
    }
    let name = best?.1;
    Some(path.with_file_name(name).to_string_lossy().into_owned())
}

/// How many letters must be added, removed or changed to make one name of the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::edit_distance;

    #[test]
    fn distances() {
        assert_eq!(edit_distance("hello.c", "helo.c"), 1);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("same", "same"), 0);
    }
}
