//! The answer: what was found, replayed on concrete values, or why nothing can be said.

use super::{Certainty, Confirmed, Engine, Options, Outcome, SearchState, Step, Violation};
use crate::limits;
use crate::replay::{self, Schedule};
use quod_base::{Id, Span};
use quod_exec::state::{ProcessId, Status};
use quod_model::ir::{Arithmetic, Program};
use quod_verdict::Reason;

impl Engine<'_> {
    /// Where the first process that has not ended stands.
    fn place(&self, state: &SearchState) -> Span {
        let processes = &state.state.processes;
        let running = processes.iter().position(|process| process.status == Status::Running);
        let span = running.map(|index| self.machine.span(&state.state, ProcessId::from_index(index)));
        span.filter(|span| *span != Span::NONE).unwrap_or(self.stopped_at)
    }

    pub(super) fn conclude(
        &mut self,
        report: quod_explore::Report<SearchState, Step, Violation>,
        program: &Program,
        options: &Options,
    ) -> Outcome {
        let mut found = report.found;
        found.sort_by_key(|found| found.path.len());
        let mut confirmed: Vec<(Span, Confirmed)> = Vec::new();
        let mut unconfirmed = None;
        let is_open = limits::uses_abstract(program);
        let is_ideal = program.arithmetic == Arithmetic::Ideal && !options.is_asked;
        for found in found {
            let (kind, span) = (found.finding.fault.kind, found.finding.span);
            if confirmed.iter().any(|(at, known)| *at == span && known.kind == kind) {
                continue;
            }
            let mut schedule = Schedule::new(&self.solver, &found.path, &found.finding.inputs, &found.finding.model);
            schedule.is_synchronous = self.is_synchronous;
            schedule.cycle = found.cycle;
            schedule.is_strict = self.is_strict;
            schedule.is_even = self.machine.is_even;
            schedule.race = found.finding.race.map(|(left, right)| (left.index() as u32, right.index() as u32));
            let replayed = match found.finding.race {
                Some(processes) => replay::confirm_race(program, options, &schedule, processes)
                    .map(|evidence| (found.finding.fault.clone().into_diagnostic(span), evidence)),
                None => replay::confirm(program, options, &schedule, kind),
            };
            match replayed {
                Some((diagnostic, evidence)) => {
                    let certainty = if is_open { Certainty::Interpreted } else { Certainty::Concrete };
                    let (kind, evidence) = (evidence.kind.unwrap_or(kind), Box::new(evidence));
                    confirmed.push((span, Confirmed { kind, certainty, diagnostic, schedule, evidence }));
                }
                None if is_ideal && found.finding.is_exact && schedule.is_rounded => {
                    let diagnostic = found.finding.fault.into_diagnostic(span);
                    let (certainty, evidence) = (Certainty::Proved, Box::default());
                    confirmed.push((span, Confirmed { kind, certainty, diagnostic, schedule, evidence }));
                }
                None if unconfirmed.is_none() => unconfirmed = Some(found.finding),
                None => {}
            }
        }
        let mut confirmed = confirmed.into_iter().map(|(_, confirmed)| confirmed);
        if let Some(Confirmed { kind, certainty, diagnostic, schedule, evidence }) = confirmed.next() {
            let others = confirmed.collect();
            return Outcome::Violated { kind, certainty, diagnostic, schedule, evidence, others };
        }
        if let Some(finding) = unconfirmed {
            let reason = Reason::PossibleViolation { kind: finding.fault.kind.word().into() };
            let diagnostic = Some(finding.fault.into_diagnostic(finding.span));
            return Outcome::Unknown { reason, span: finding.span, diagnostic };
        }
        if report.is_cancelled || self.is_stopped {
            let reason = limits::stopped(options);
            let span = report.at.map_or(self.stopped_at, |state| self.place(&state));
            return Outcome::Unknown { reason, span, diagnostic: None };
        }
        if report.is_exhausted {
            let bound = quod_verdict::Bound { what: "work".into(), limit: self.work.to_string() };
            return Outcome::Unknown { reason: Reason::BoundReached { bound }, span: Span::NONE, diagnostic: None };
        }
        if report.statistics.cut > 0 {
            let limit = options.depth.map_or(String::new(), |depth| depth.to_string());
            let bound = quod_verdict::Bound { what: "depth".into(), limit };
            return Outcome::Unknown { reason: Reason::BoundReached { bound }, span: Span::NONE, diagnostic: None };
        }
        if report.statistics.preemptions_cut > 0 {
            let limit = options.preemptions.map_or(String::new(), |bound| bound.to_string());
            let bound = quod_verdict::Bound { what: "preemptions".into(), limit };
            return Outcome::Unknown { reason: Reason::BoundReached { bound }, span: Span::NONE, diagnostic: None };
        }
        if self.arguments {
            let what = "the arguments of `main`".into();
            self.doubt(Reason::Unsupported { what }, Span::NONE, None);
        }
        match self.first_doubt() {
            Some((reason, span, diagnostic)) => Outcome::Unknown { reason, span, diagnostic },
            None => Outcome::Holds,
        }
    }
}
