//! The files that `quod verify` writes beside its answer: a witness, once it is confirmed, and a C test.

use super::harness::{self, Open};
use super::judge::{Judge, Judgement};
use super::make::{Found, Maker};
use crate::arguments::VerifyArguments;
use crate::console::complain;
use crate::interrupt;
use crate::question::Question;
use quod_base::SourceMap;
use quod_diag::codes;
use quod_model::ir::Program;
use quod_verdict::{Invariant, Verdict};
use quod_witness::{Content, Witness, WitnessError};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long the judgement of our own witnesses may take: so much more than the answer took, but not for ever.
const MORE: Duration = Duration::from_secs(3);
const MOST: Duration = Duration::from_secs(60);
/// Names that are dropped from invariants because they are not in scope, one after the other.
const MOST_NAMES: usize = 16;

pub(crate) struct Files<'f> {
    pub(crate) arguments: &'f VerifyArguments,
    pub(crate) question: &'f Question,
    /// When the work on the answer began.
    pub(crate) start: Instant,
}

impl Files<'_> {
    pub(crate) fn violation(&self, found: &Found<'_>, open: &Open, model: &Program, sources: &SourceMap) {
        let specification = &self.question.specification;
        if let Some(path) = &self.arguments.harness {
            let what = specification.word(found.kind);
            let program = &self.question.program;
            save(path, &harness::text(open, found.evidence, found.kind, what, found.error_function, program));
        }
        if self.arguments.witness.is_some() {
            self.witness(self.maker().and_then(|maker| maker.violation(found, model, sources)));
        }
    }

    /// The proof's invariants, or none where the program does without.
    pub(crate) fn correctness(&self, invariants: &[Invariant]) {
        if self.arguments.witness.is_none() {
            return;
        }
        let deadline = self.deadline();
        let mut invariants = invariants.to_vec();
        // A variable that is not in scope at its loop is found out by the compiler.
        for _ in 0..MOST_NAMES {
            let Some(Ok(witness)) =
                (!invariants.is_empty()).then(|| self.maker().and_then(|maker| maker.correctness(&invariants)))
            else {
                break;
            };
            match self.judge(&witness, deadline) {
                Ok(text) => return self.save(&text),
                Err(why) => {
                    let name = why.split('`').nth(1).filter(|_| why.ends_with("is not declared"));
                    let Some(name) = name else { break };
                    invariants.retain(|invariant| !words(&invariant.expression).any(|word| word == name));
                }
            }
        }
        self.witness(self.maker().and_then(|maker| maker.correctness(&[])));
    }

    fn deadline(&self) -> Instant {
        Instant::now() + (self.start.elapsed() + MORE).min(MOST)
    }

    fn save(&self, text: &str) {
        if let Some(path) = &self.arguments.witness {
            save(path, text);
        }
    }

    fn maker(&self) -> Result<Maker<'_>, String> {
        let property = self.question.text.as_deref();
        let property = property.ok_or("witnesses are for the competition's properties; name one with --property")?;
        Ok(Maker { program: &self.question.program, property, format: self.arguments.witness_format })
    }

    /// Writes the witness if our own validator confirms it.
    fn witness(&self, witness: Result<Witness, String>) {
        match witness.and_then(|witness| self.judge(&witness, self.deadline())) {
            Ok(text) => self.save(&text),
            Err(why) => {
                let code = codes::WITNESS_NOT_WRITTEN;
                complain(&format!("warning[{code}]: no witness is written: {why}\n"));
            }
        }
    }

    /// The witness's text if it is confirmed, else why it is not.
    fn judge(&self, witness: &Witness, deadline: Instant) -> Result<String, String> {
        let text = quod_witness::write(witness);
        let read = quod_witness::read(&text).map_err(|error| error.message)?;
        let judge = Judge {
            program: &self.question.program,
            specification: &self.question.specification,
            cancel: interrupt::token(),
            deadline,
        };
        match (judge.judge(&read), &witness.content) {
            (Judgement::Verdict(Verdict::Violated { .. }), Content::Violation(_))
            | (Judgement::Verdict(Verdict::Holds { .. }), Content::Correctness(_)) => Ok(text),
            (Judgement::Verdict(Verdict::Unknown { reason, .. }), _) => Err(reason.to_string()),
            (Judgement::Invalid(WitnessError { message, .. }), _) => Err(message),
            _ => Err("the validator says something else".into()),
        }
    }
}

/// The names in an expression.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
}

/// Writes a file of evidence, in a new folder if need be: what was found is not lost for want of one.
pub(crate) fn save(path: &Path, text: &str) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written = folder.map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, text));
    if let Err(error) = written {
        complain(&format!("error: cannot write {}: {error}\n", path.display()));
    }
}
