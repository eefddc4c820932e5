//! From the command line's program to what the engines read: load, preprocess, parse, lower; with the diagnostics of all
//! steps together.

use crate::arguments::{ArithName, DataModelName, DialectName, ProgramArguments};
use crate::console::Console;
use crate::disk::{self, Disk};
use quod_base::{FileId, SourceMap, Span, edit_distance};
use quod_diag::{Diagnostic, Outcome, Report, Status, codes};
use quod_model::LowerOptions;
use quod_model::ir::{Arithmetic, Program};
use quod_model::passes::checks::Rules;
use quod_syntax::{
    DataModel, Dialect, LoadError, ParseOptions, PreprocessOptions, Preprocessed, Standard, TranslationUnit,
};
use quod_verdict::{CheckKind, KindSet, exit_code};
use std::path::{Path, PathBuf};

/// A program on its way: each step adds what it found.
pub(crate) struct FrontEnd {
    pub(crate) sources: SourceMap,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The files as the user named them.
    pub(crate) names: Vec<String>,
    options: PreprocessOptions,
    arithmetic: Arithmetic,
    /// `-fwrapv`
    is_wrapping: bool,
    /// No question was asked that ISO C answers: `<<` on signed values is what GNU C says.
    pub(crate) is_left_shift_defined: bool,
    main_files: Vec<FileId>,
}

impl FrontEnd {
    /// Reads the files. Those that cannot be read are diagnostics.
    pub(crate) fn load(arguments: &ProgramArguments) -> Self {
        let mut front_end = Self {
            sources: SourceMap::default(),
            diagnostics: Vec::new(),
            names: Vec::new(),
            options: options(arguments),
            arithmetic: if is_ideal(arguments) { Arithmetic::Ideal } else { Arithmetic::Machine },
            is_wrapping: arguments.wrapv,
            is_left_shift_defined: true,
            main_files: Vec::new(),
        };
        for path in &arguments.files {
            front_end.load_file(path);
        }
        front_end
    }

    /// The same with another text in the place of the first file.
    pub(crate) fn load_instead(arguments: &ProgramArguments, text: String) -> Self {
        let mut rest = arguments.clone();
        rest.files.truncate(0);
        let mut front_end = Self::load(&rest);
        front_end.options.dialect = dialect(arguments);
        let name = arguments.files.first().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
        if let Ok(file) = front_end.sources.add_file(name.clone(), text.into(), Span::NONE) {
            front_end.main_files.push(file);
        }
        front_end.names.push(name);
        for path in arguments.files.iter().skip(1) {
            front_end.load_file(path);
        }
        front_end
    }

    /// The first file of the program.
    pub(crate) fn first_file(&self) -> Option<FileId> {
        self.main_files.first().copied()
    }

    fn load_file(&mut self, path: &Path) {
        let name = match path.to_string_lossy() {
            name if name == "-" => "<stdin>".to_owned(),
            name => name.into_owned(),
        };
        let why = match disk::read(path) {
            Ok(bytes) => {
                let (text, _) = quod_syntax::preprocess::decode(&bytes);
                match self.sources.add_file(name.clone(), text, Span::NONE) {
                    Ok(file) => {
                        self.main_files.push(file);
                        self.names.push(name);
                        return;
                    }
                    Err(_) => "it is too large".to_owned(),
                }
            }
            Err(LoadError::NotFound) => "there is no such file".to_owned(),
            Err(LoadError::Unreadable(why)) => why,
        };
        self.diagnostics.push(cannot_read(&name, &why, path));
        self.names.push(name);
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// The tokens of each file.
    pub(crate) fn preprocess(&mut self) -> Vec<Preprocessed> {
        let mut all = Vec::new();
        for &file in &self.main_files {
            let mut preprocessed = quod_syntax::preprocess(&mut self.sources, file, &Disk, &self.options);
            self.diagnostics.append(&mut preprocessed.diagnostics);
            all.push(preprocessed);
        }
        all
    }

    /// The syntax tree of each file.
    pub(crate) fn parse(&mut self, files: &[Preprocessed]) -> Vec<TranslationUnit> {
        let options =
            ParseOptions { dialect: self.options.dialect, standard: self.options.standard, ..ParseOptions::default() };
        let mut units = Vec::new();
        for preprocessed in files {
            let (unit, mut diagnostics) = quod_syntax::parse(&preprocessed.tokens, &self.sources, &options);
            self.diagnostics.append(&mut diagnostics);
            units.push(unit);
        }
        units
    }

    /// The program in the form that engines read, every check a step of its own; nothing if it does not compile.
    pub(crate) fn lower(&mut self, units: &[TranslationUnit]) -> Option<Program> {
        let options = LowerOptions {
            data_model: match self.options.data_model {
                DataModel::Ilp32 => quod_model::ir::DataModel::Ilp32,
                DataModel::Lp64 => quod_model::ir::DataModel::Lp64,
            },
            arithmetic: self.arithmetic,
            dialect: self.options.dialect,
        };
        let mut lowered = quod_model::lower(units, &self.sources, &options);
        self.diagnostics.append(&mut lowered.diagnostics);
        if self.has_errors() {
            return None;
        }
        validate(&lowered.program);
        Some(lowered.program)
    }

    /// The whole way. Later steps are made even if an earlier one found errors, so that all errors are reported at once.
    pub(crate) fn compile(&mut self, kinds: KindSet) -> Option<Program> {
        let mut program = self.compile_unchecked()?;
        self.insert_checks(&mut program, kinds);
        Some(program)
    }

    pub(crate) fn insert_checks(&self, program: &mut Program, mut kinds: KindSet) {
        if self.is_wrapping {
            kinds.remove(CheckKind::SignedOverflow);
        }
        let is_left_shift_defined = self.is_left_shift_defined;
        quod_model::passes::invariants::insert(program);
        quod_model::passes::checks::insert(program, Rules { kinds, is_left_shift_defined });
        validate(program);
    }

    /// The model without checks, for who changes it before they are inserted.
    pub(crate) fn compile_unchecked(&mut self) -> Option<Program> {
        let files = self.preprocess();
        let units = self.parse(&files);
        drop(files);
        self.lower(&units)
    }

    /// Whether a place lies in a header that comes with the tool.
    pub(crate) fn is_built_in(&self, span: Span) -> bool {
        self.sources.file_at(span.lo).is_some_and(|file| self.sources.file(file).name.starts_with('<'))
    }

    /// Whether all files could be read.
    fn is_readable(&self) -> bool {
        self.main_files.len() == self.names.len()
    }

    /// `a.c does not compile`
    fn verdict(&self) -> String {
        match (self.names.as_slice(), self.is_readable()) {
            ([name], true) => format!("{name} does not compile"),
            ([name, rest @ ..], true) => format!("{name} and {} more do not compile together", rest.len()),
            _ => "the program cannot be read".to_owned(),
        }
    }

    /// Writes the warnings of a program that does compile.
    pub(crate) fn show_warnings(&mut self, console: &Console) {
        quod_diag::place::sort(&self.sources, &mut self.diagnostics);
        console.messages(&self.sources, &self.diagnostics);
    }

    /// Says what is wrong with the program, in the format that was asked for, and gives the exit code.
    pub(crate) fn does_not_compile(&mut self, console: &Console, command: &str) -> i32 {
        quod_diag::place::sort(&self.sources, &mut self.diagnostics);
        let text = self.verdict();
        let exit_code = if self.is_readable() { exit_code::DOES_NOT_COMPILE } else { exit_code::USAGE };
        console.messages(&self.sources, &self.diagnostics);
        if self.is_readable() {
            console.summary(&text, &self.diagnostics);
        }
        let outcome = Outcome { status: Status::Error, text: &text, exit_code, seconds: None };
        console.document(self.report(command, outcome), serde_json::Map::new());
        exit_code
    }

    /// The program compiles, but the command line asks for something that it does not have.
    pub(crate) fn cannot_run(&mut self, console: &Console, command: &str) -> i32 {
        console.messages(&self.sources, &self.diagnostics);
        let text = "the program cannot be run this way";
        let outcome = Outcome { status: Status::Error, text, exit_code: exit_code::USAGE, seconds: None };
        console.document(self.report(command, outcome), serde_json::Map::new());
        exit_code::USAGE
    }

    pub(crate) fn report<'a>(&'a self, command: &'a str, outcome: Outcome<'a>) -> Report<'a> {
        Report { command, inputs: &self.names, sources: &self.sources, diagnostics: &self.diagnostics, outcome }
    }
}

/// In debug builds a model that breaks its own rules is a bug, found where it was made.
fn validate(program: &Program) {
    if cfg!(debug_assertions)
        && let Err(fault) = quod_model::validate::validate(program)
    {
        panic!("the model is not valid: {fault:?}");
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
        Some(DataModelName::Ilp32) => DataModel::Ilp32,
        Some(DataModelName::Lp64) | None => DataModel::Lp64,
    }
}

fn dialect(arguments: &ProgramArguments) -> Dialect {
    match arguments.dialect {
        Some(DialectName::C) => Dialect::C,
        Some(DialectName::Civl | DialectName::Civl2026) => Dialect::Civl,
        None => {
            let is_civl =
                |path: &PathBuf| path.extension().is_some_and(|extension| extension == "cvl" || extension == "cvh");
            if arguments.files.iter().any(is_civl) { Dialect::Civl } else { Dialect::C }
        }
    }
}

/// CIVL-C computes with mathematical numbers unless told otherwise, C with the machine's.
fn is_ideal(arguments: &ProgramArguments) -> bool {
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
