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

/// Seconds that the judgement of our own witnesses may take.
const SECONDS: u64 = 60;

pub(crate) struct Files<'f> {
    pub(crate) arguments: &'f VerifyArguments,
    pub(crate) question: &'f Question,
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

    pub(crate) fn correctness(&self, invariants: &[Invariant]) {
        if self.arguments.witness.is_some() {
            self.witness(self.maker().and_then(|maker| maker.correctness(invariants)));
        }
    }

    fn maker(&self) -> Result<Maker<'_>, String> {
        let property = self.question.text.as_deref();
        let property = property.ok_or("witnesses are for the competition's properties; name one with --property")?;
        Ok(Maker { program: &self.question.program, property, format: self.arguments.witness_format })
    }

    /// Writes the witness if our own validator confirms it.
    fn witness(&self, witness: Result<Witness, String>) {
        let Some(path) = &self.arguments.witness else { return };
        let refuse = |why: &str| {
            let code = codes::WITNESS_NOT_WRITTEN;
            complain(&format!("warning[{code}]: no witness is written: {why}\n"));
        };
        let witness = match witness {
            Ok(witness) => witness,
            Err(why) => return refuse(&why),
        };
        let text = quod_witness::write(&witness);
        let read = match quod_witness::read(&text) {
            Ok(read) => read,
            Err(error) => return refuse(&error.message),
        };
        let judge = Judge {
            program: &self.question.program,
            specification: &self.question.specification,
            cancel: interrupt::token(),
            deadline: Instant::now() + Duration::from_secs(SECONDS),
        };
        match (judge.judge(&read), &witness.content) {
            (Judgement::Verdict(Verdict::Violated { .. }), Content::Violation(_))
            | (Judgement::Verdict(Verdict::Holds { .. }), Content::Correctness(_)) => save(path, &text),
            (Judgement::Verdict(Verdict::Unknown { reason, .. }), _) => refuse(&reason.to_string()),
            (Judgement::Invalid(WitnessError { message, .. }), _) => refuse(&message),
            _ => refuse("the validator says something else"),
        }
    }
}

fn save(path: &Path, text: &str) {
    if let Err(error) = std::fs::write(path, text) {
        complain(&format!("warning: cannot write {}: {error}\n", path.display()));
    }
}
