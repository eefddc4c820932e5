//! Why execution stopped: each case carries what is needed to explain it, with the other places ("allocated here").

use quod_base::Span;
use quod_diag::{Diagnostic, codes};
use quod_verdict::CheckKind;

/// The program did something that C, CIVL-C or the library forbids.
#[derive(Clone, Debug)]
pub struct Fault {
    pub kind: CheckKind,
    pub message: String,
    /// What stands under the place at fault.
    pub label: String,
    /// Where it is, if not at the step that runs.
    pub span: Option<Span>,
    pub places: Vec<(Span, String)>,
    pub notes: Vec<String>,
    pub help: Vec<String>,
}

impl Fault {
    pub fn new(kind: CheckKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            label: String::new(),
            span: None,
            places: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }
    /// Where it is.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }
    #[must_use]
    pub fn place(mut self, span: Span, text: impl Into<String>) -> Self {
        if !span.is_none() {
            self.places.push((span, text.into()));
        }
        self
    }
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }
    pub fn unsupported(what: impl std::fmt::Display) -> Self {
        Self::new(CheckKind::Unsupported, format!("{what} is not supported"))
    }

    /// The message for the user; `span` is the step that ran.
    pub fn into_diagnostic(self, span: Span) -> Diagnostic {
        let code = if self.kind == CheckKind::Unsupported { codes::UNSUPPORTED } else { self.kind.code() };
        let mut diagnostic = Diagnostic::error(code, self.message).label(self.span.unwrap_or(span), self.label);
        for (span, text) in self.places {
            diagnostic = diagnostic.label(span, text);
        }
        diagnostic.notes.extend(self.notes);
        diagnostic.help.extend(self.help);
        diagnostic
    }
}

/// An operation of a domain did not give a value.
#[derive(Clone, Debug)]
pub enum Trouble<Condition> {
    Fault(Box<Fault>),
    /// The operation depends on which of these conditions holds: it is to be done again under each of them.
    Split(Vec<Condition>),
    /// The operation needs to know a number, which the domain gives as a term: to be done again under each of its values.
    Values(Condition),
    /// The operation takes one of so many ways: to be done again with `World::pick` set.
    Pick(i128),
}

impl<Condition> From<Fault> for Trouble<Condition> {
    fn from(fault: Fault) -> Self {
        Trouble::Fault(Box::new(fault))
    }
}
