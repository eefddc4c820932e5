//! What the fuzz targets share: the way from bytes to tokens, to a syntax tree, to a model. Anything that panics, runs out
//! of stack, hangs or fills the memory is a finding; so is a model of a correct program that is not well formed.

use quod_base::{SourceMap, Span};
use quod_diag::Diagnostic;
use quod_model::ir::{Arithmetic, DataModel};
use quod_model::{LowerOptions, Lowered};
use quod_syntax::preprocess::{NoFiles, decode};
use quod_syntax::{Dialect, ParseOptions, PreprocessOptions, Preprocessed, TranslationUnit};

/// One input on its way through the front end.
pub struct Input {
    pub sources: SourceMap,
    dialect: Dialect,
    /// For both data models to get their share: programs of even length are for ILP32.
    is_lp64: bool,
    main: quod_base::FileId,
}

impl Input {
    /// `None` where the text is too large to be a file.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let (text, _) = decode(bytes);
        let dialect = if text.contains('$') { Dialect::Civl } else { Dialect::C };
        let mut sources = SourceMap::default();
        let main = sources.add_file("main.c".to_owned(), text, Span::NONE).ok()?;
        Some(Self { sources, dialect, is_lp64: bytes.len() % 2 == 1, main })
    }

    pub fn preprocess(&mut self) -> Preprocessed {
        let data_model =
            if self.is_lp64 { quod_syntax::DataModel::Lp64 } else { quod_syntax::DataModel::Ilp32 };
        let options =
            PreprocessOptions { data_model, dialect: self.dialect, keep_annotations: true, ..Default::default() };
        quod_syntax::preprocess(&mut self.sources, self.main, &NoFiles, &options)
    }

    pub fn parse(&mut self) -> (TranslationUnit, Vec<Diagnostic>) {
        let preprocessed = self.preprocess();
        let options = ParseOptions { dialect: self.dialect, ..ParseOptions::default() };
        let (unit, mut diagnostics) = quod_syntax::parse(&preprocessed.tokens, &self.sources, &options);
        diagnostics.extend(preprocessed.diagnostics);
        (unit, diagnostics)
    }

    /// The model and every diagnostic on the way to it.
    pub fn lower(&mut self) -> (Lowered, Vec<Diagnostic>) {
        let (unit, mut diagnostics) = self.parse();
        let data_model = if self.is_lp64 { DataModel::Lp64 } else { DataModel::Ilp32 };
        let arithmetic = if self.dialect == Dialect::Civl { Arithmetic::Ideal } else { Arithmetic::Machine };
        let options = LowerOptions { data_model, arithmetic, dialect: self.dialect };
        let mut lowered = quod_model::lower(&[unit], &self.sources, &options);
        diagnostics.append(&mut lowered.diagnostics);
        (lowered, diagnostics)
    }

    /// Messages must point into the text and be printable.
    pub fn check(&self, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            let _ = self.sources.place(self.sources.use_site(diagnostic.span()).lo);
        }
    }
}
