//! What the parser's tests share: text in, tree and messages out.

#![allow(dead_code, reason = "each test file uses a part")]

use quod_base::{SourceMap, Span};
use quod_diag::{Diagnostic, Severity};
use quod_syntax::preprocess::NoFiles;
use quod_syntax::{Dialect, ParseOptions, PreprocessOptions, Standard, TranslationUnit, ast, parse, preprocess};

pub(crate) struct Parsed {
    pub(crate) unit: TranslationUnit,
    pub(crate) source_map: SourceMap,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

pub(crate) fn parse_as(text: &str, dialect: Dialect, standard: Standard) -> Parsed {
    let mut source_map = SourceMap::default();
    let file = source_map.add_file("test.c".into(), text.into(), Span::NONE).expect("small");
    let options = PreprocessOptions { dialect, standard, keep_annotations: true, ..PreprocessOptions::default() };
    let preprocessed = preprocess(&mut source_map, file, &NoFiles, &options);
    let mut diagnostics = preprocessed.diagnostics;
    let options = ParseOptions { dialect, standard, ..ParseOptions::default() };
    let (unit, more) = parse(&preprocessed.tokens, &source_map, &options);
    diagnostics.extend(more);
    Parsed { unit, source_map, diagnostics }
}

pub(crate) fn parse_c(text: &str) -> Parsed {
    parse_as(text, Dialect::C, Standard::C17)
}

pub(crate) fn parse_civl(text: &str) -> Parsed {
    parse_as(text, Dialect::Civl, Standard::C17)
}

impl Parsed {
    /// `line:column code message` of each error.
    pub(crate) fn errors(&self) -> Vec<String> {
        let errors = self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        errors
            .map(|error| {
                let site = self.source_map.use_site(error.span());
                let place = self.source_map.place(site.lo).expect("errors have a place");
                format!("{}:{} {} {}", place.line, place.column, error.code, error.message)
            })
            .collect()
    }

    pub(crate) fn dump(&self) -> String {
        ast::dump(&self.unit, &self.source_map)
    }

    /// The text that a span covers.
    pub(crate) fn text(&self, span: Span) -> &str {
        self.source_map.text(span).unwrap_or("?")
    }
}

/// The dump of a program without errors.
#[track_caller]
pub(crate) fn tree(text: &str) -> String {
    clean(parse_c(text))
}

#[track_caller]
pub(crate) fn civl_tree(text: &str) -> String {
    clean(parse_civl(text))
}

#[track_caller]
pub(crate) fn clean(parsed: Parsed) -> String {
    assert_eq!(parsed.errors(), Vec::<String>::new());
    parsed.dump()
}

/// The dump without places, for comparing shapes.
pub(crate) fn shape(dump: &str) -> String {
    let mut out = String::new();
    for line in dump.lines() {
        let mut line = line.replace(" )", "");
        while let Some((rest, last)) = line.rsplit_once(' ') {
            let is_place = last.split_once(':').is_some_and(|(a, b)| {
                !a.is_empty() && !b.is_empty() && (a.to_owned() + b).bytes().all(|byte| byte.is_ascii_digit())
            });
            if !is_place {
                break;
            }
            line = rest.to_owned();
        }
        out.push_str(&line);
        out.push('\n');
    }
    out
}
