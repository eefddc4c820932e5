//! Is a witness good? It is written into the program's text (`quod_witness::follow`, `annotate`), and the engine looks at
//! what comes out: an execution that the witness allows and that violates the property, or a program without loops whose
//! proof is the witness's proof.

use crate::arguments::ProgramArguments;
use crate::front_end::FrontEnd;
use quod_base::{SourceMap, Span};
use quod_diag::{Diagnostic, codes};
use quod_model::ir::Program;
use quod_model::passes::{checks, ghost, order};
use quod_verdict::{CancelToken, CheckKind, KindSet, Reason, Specification, Verdict};
use quod_verify::{Options, Outcome};
use quod_witness::annotate::{Others, annotate};
use quod_witness::edit::Edited;
use quod_witness::follow::{Reading, follow};
use quod_witness::locate::{Places, Range};
use quod_witness::prelude::{ANNOTATING, ASSUME, BROKEN, FOLLOWING, HAVOC, LOCAL, TARGET};
use quod_witness::{
    Action, Content, Format, Invariant, InvariantKind, Segment, Waypoint, WaypointKind, Witness, WitnessError,
};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Iterations of a loop about which a correctness witness says nothing.
const UNROLLED: u32 = 16;

/// What was found out about a witness.
pub(crate) enum Judgement {
    /// The witness shows this.
    Verdict(Verdict),
    /// The witness cannot be one of this program.
    Invalid(WitnessError),
    /// The program does not compile.
    BadProgram(Box<FrontEnd>),
}

pub(crate) struct Judge<'j> {
    pub(crate) program: &'j ProgramArguments,
    pub(crate) specification: &'j Specification,
    pub(crate) cancel: CancelToken,
    pub(crate) deadline: Instant,
}

fn unknown(why: impl Into<String>) -> Judgement {
    let reason = Reason::NotConfirmed { why: why.into() };
    Judgement::Verdict(Verdict::Unknown { reason, place: None, help: None })
}

impl Judge<'_> {
    pub(crate) fn judge(&self, witness: &Witness) -> Judgement {
        let mut front_end = FrontEnd::load(self.program);
        let files = front_end.preprocess();
        let units = front_end.parse(&files);
        let (Some(file), Some(unit)) = (front_end.first_file(), units.first()) else {
            return Judgement::BadProgram(Box::new(front_end));
        };
        if front_end.has_errors() {
            return Judgement::BadProgram(Box::new(front_end));
        }
        let places = Places::new(unit, &front_end.sources, file);
        let text = front_end.sources.file(file).text.to_string();
        if text.contains(LOCAL) {
            return unknown(format!("the program uses names that begin with `{LOCAL}`"));
        }
        let is_graph = witness.format == Format::GraphMl;
        let judgement = match &witness.content {
            Content::Violation(segments) => self.violation(segments, is_graph, &places, &text),
            Content::Correctness(invariants) => self.correctness(invariants, is_graph, &places, &text),
        };
        match judgement {
            Judgement::Invalid(error) if error.code == codes::WITNESS_UNSUPPORTED => unknown(error.message),
            other => other,
        }
    }

    fn violation(&self, segments: &[Segment], is_graph: bool, places: &Places<'_>, text: &str) -> Judgement {
        let is_target = |waypoint: &&Waypoint| waypoint.kind == WaypointKind::Target;
        let targets: Vec<Waypoint> =
            segments.last().into_iter().flat_map(|it| &it.waypoints).filter(is_target).cloned().collect();
        let [first, second] = targets.as_slice() else {
            return self.one_target(segments, None, is_graph, places, text);
        };
        // A data race: one of the two accesses is come to as any target is, the other one is what it meets.
        let mut last = unknown("no execution that the witness allows violates the property");
        for (kept, other) in [(first, second), (second, first)] {
            let mut one: Vec<Segment> = segments.to_vec();
            if let Some(segment) = one.last_mut() {
                segment.waypoints = vec![kept.clone()];
            }
            last = self.one_target(&one, Some(other), is_graph, places, text);
            if matches!(last, Judgement::Verdict(Verdict::Violated { .. }) | Judgement::Invalid(_)) {
                break;
            }
        }
        last
    }

    fn one_target(
        &self,
        segments: &[Segment],
        other: Option<&Waypoint>,
        is_graph: bool,
        places: &Places<'_>,
        text: &str,
    ) -> Judgement {
        let mut last = unknown("no execution that the witness allows violates the property");
        let is_endless = self.specification.kinds.contains(CheckKind::Termination);
        let mut waypoints = segments.iter().flat_map(|segment| &segment.waypoints);
        if is_endless != waypoints.any(|waypoint| waypoint.action == Action::Cycle) && !is_graph {
            let text = "only a witness of an execution without end repeats waypoints, and it must";
            return Judgement::Invalid(WitnessError::new(codes::WITNESS_WRONG, (0, 0), text));
        }
        if is_endless && is_graph {
            return unknown("GraphML witnesses of executions without end are not supported");
        }
        // The YAML format means the strict reading; automata wait in their nodes.
        let readings: &[_] =
            if is_graph { &[(Reading::Strict, 0.4), (Reading::Eager, 1.0)] } else { &[(Reading::Strict, 1.0)] };
        for &(reading, share) in readings {
            let followed = match follow(segments, is_graph, places, text, reading) {
                Ok(followed) => followed,
                Err(error) => return Judgement::Invalid(error),
            };
            let edited = &followed.edited;
            let (front_end, mut model) = match self.compile(edited, FOLLOWING) {
                Ok(compiled) => compiled,
                Err(judgement) => return judgement,
            };
            self.forbid_error(&mut model);
            front_end.insert_checks(&mut model, self.specification.kinds);
            let mut kinds = self.specification.kinds;
            kinds.remove(CheckKind::Unsupported);
            let target = followed.target;
            let start = front_end.first_file().map_or(0, |file| front_end.sources.file(file).start);
            let standing = |check: &quod_model::ir::Check, span: Span| {
                let range = range_of(&front_end.sources, span, start);
                let is_there = check.kind == CheckKind::Unreachable
                    || !edited.is_inserted(range) && target.is_none_or(|target| target.contains(range));
                if is_there { ghost::Standing::Target } else { ghost::Standing::Elsewhere }
            };
            ghost::restrict_checks(&mut model, kinds, TARGET, &standing);
            match self.ask(&model, self.specification.kinds, share) {
                Outcome::Violated { kind, diagnostic, evidence, .. } => {
                    let range = range_of(&front_end.sources, diagnostic.span(), start);
                    if let Some(other) = other {
                        let wanted = line_range(text, other.location.line).map(|line| edited.range(line));
                        let mut calls = evidence.other.iter().flat_map(|(_, calls)| calls);
                        let is_met = calls.any(|(_, span)| {
                            let range = range_of(&front_end.sources, *span, start);
                            wanted.is_some_and(|wanted| wanted.has(range.lo))
                        });
                        if !is_met {
                            last = unknown("the race is with another access");
                            continue;
                        }
                    }
                    let is_state = matches!(
                        kind,
                        CheckKind::MemoryLeak | CheckKind::LostMemory | CheckKind::Deadlock | CheckKind::Termination
                    );
                    let is_there = kind == CheckKind::Unreachable
                        || is_state
                        || target.is_none_or(|target| target.contains(range) && !edited.is_inserted(range));
                    if is_there {
                        return Judgement::Verdict(Verdict::Violated { kind, trace: Box::default() });
                    }
                    last = unknown("the property is violated elsewhere");
                }
                Outcome::Holds => {
                    last = unknown("no execution that the witness allows violates the property");
                }
                Outcome::Unknown { reason, .. } => last = unknown(reason.to_string()),
            }
        }
        last
    }

    fn correctness(&self, invariants: &[Invariant], is_graph: bool, places: &Places<'_>, text: &str) -> Judgement {
        if self.specification.kinds.contains(CheckKind::Termination) {
            return self.end(invariants, places, text);
        }
        let mut last = unknown("the invariants do not carry the proof");
        for (others, share) in [(Others::Cut, 0.5), (Others::Unroll(UNROLLED), 1.0)] {
            let annotated = match annotate(invariants, is_graph, places, text, others) {
                Ok(annotated) => annotated,
                Err(error) => return Judgement::Invalid(error),
            };
            let (front_end, mut model) = match self.compile(&annotated.edited, ANNOTATING) {
                Ok(compiled) => compiled,
                Err(judgement) => return judgement,
            };
            let is_threaded = model.functions.iter().any(|function| function.name.as_str() == "pthread_create");
            if is_threaded && !annotated.cuts.is_empty() {
                // Other threads would change what the invariant keeps; only unrolling is left.
                last = unknown("loop invariants of programs with threads are not supported");
                continue;
            }
            if let Err(why) = ghost::havoc_loops(&mut model, HAVOC, LOCAL) {
                last = unknown(why);
                continue;
            }
            self.forbid_error(&mut model);
            checks::forbid_calls(&mut model, BROKEN);
            let mut kinds = self.specification.kinds;
            kinds.insert(CheckKind::Unreachable);
            front_end.insert_checks(&mut model, kinds);
            let proved = match others {
                // Without loops the witness is all that an abstract interpreter has to go by.
                Others::Cut => {
                    quod_verify::prove_first(&model, &Options::new(kinds, self.cancel.clone()), &front_end.sources)
                        .outcome
                }
                Others::Unroll(_) | Others::Bound(_) => None,
            };
            match proved.unwrap_or_else(|| self.ask(&model, kinds, share)) {
                Outcome::Holds => {
                    let verdict = Verdict::Holds { bounds: vec![], assumptions: vec![], invariants: vec![] };
                    return Judgement::Verdict(verdict);
                }
                Outcome::Violated { .. } => last = unknown("the invariants do not carry the proof"),
                Outcome::Unknown { reason: Reason::PossibleViolation { .. }, .. } => {
                    last = unknown("the invariants do not carry the proof");
                }
                Outcome::Unknown { reason, .. } => last = unknown(reason.to_string()),
            }
            if annotated.cuts.is_empty() {
                break;
            }
        }
        last
    }

    /// Every loop has a relation of the witness that holds between its visits and that nothing can go down for ever, or
    /// makes few iterations; and nothing else can go on for ever.
    ///
    /// Relations that are measures which get smaller are asked of the program as it is, too: there loops may write into the
    /// heap, and pointers move. A witness that says nothing of a program without anything to say is confirmed where few steps
    /// show that the program ends.
    fn end(&self, invariants: &[Invariant], places: &Places<'_>, text: &str) -> Judgement {
        let mut original = FrontEnd::load(self.program);
        let Some(mut model) = original.compile_unchecked() else { return Judgement::BadProgram(Box::new(original)) };
        let only_loops = super::endless::only_loops(&model, &original.sources, original.first_file());
        let is_said = invariants.iter().any(|invariant| invariant.kind == InvariantKind::LoopTransition);
        if is_said || only_loops.is_err() {
            order::doubt_order(&mut model);
            original.insert_checks(&mut model, self.specification.kinds);
            let is_confirmed = self.within(0.5, |cancel| {
                let options = Options { sums_up: false, ..Options::new(self.specification.kinds, cancel) };
                let (sources, file) = (&original.sources, original.first_file());
                match super::endless::relations(invariants, &model, sources, file) {
                    Some(relations) if is_said => quod_verify::ends_by(&model, &options, &relations),
                    _ => !is_said && quod_verify::ends_soon(&model, &options),
                }
            });
            if is_confirmed {
                return Judgement::Verdict(Verdict::Holds { bounds: vec![], assumptions: vec![], invariants: vec![] });
            }
        }
        match only_loops {
            Ok(()) => self.end_of_loops(invariants, places, text),
            Err(why) => unknown(why),
        }
    }

    fn end_of_loops(&self, invariants: &[Invariant], places: &Places<'_>, text: &str) -> Judgement {
        if places.loops.iter().any(|it| !it.is_closed) {
            return unknown("loops that are entered in the middle are not supported in witnesses of termination");
        }
        let annotated = match annotate(invariants, false, places, text, Others::Bound(UNROLLED)) {
            Ok(annotated) => annotated,
            Err(error) => return Judgement::Invalid(error),
        };
        let (front_end, mut model) = match self.compile(&annotated.edited, ANNOTATING) {
            Ok(compiled) => compiled,
            Err(judgement) => return judgement,
        };
        if let Err(why) = ghost::havoc_loops(&mut model, HAVOC, LOCAL) {
            return unknown(why);
        }
        checks::forbid_calls(&mut model, BROKEN);
        let kinds = KindSet::of(&[CheckKind::Unreachable]);
        front_end.insert_checks(&mut model, kinds);
        let asked = Options::new(kinds, self.cancel.clone());
        let proved = quod_verify::prove_first(&model, &asked, &front_end.sources).outcome;
        match proved.unwrap_or_else(|| self.ask(&model, kinds, 1.0)) {
            Outcome::Holds => {
                Judgement::Verdict(Verdict::Holds { bounds: vec![], assumptions: vec![], invariants: vec![] })
            }
            Outcome::Unknown { reason, .. } if !matches!(reason, Reason::PossibleViolation { .. }) => {
                unknown(reason.to_string())
            }
            _ => unknown("the invariants do not carry the proof"),
        }
    }

    /// The program with the witness in it. Where it does not compile, a condition of the witness is wrong.
    fn compile(&self, edited: &Edited, functions: &[&str]) -> Result<(FrontEnd, Program), Judgement> {
        let mut front_end = FrontEnd::load_instead(self.program, edited.text.clone());
        front_end.is_left_shift_defined = false;
        let wrong = |why: &str| {
            let text = format!("a condition of the witness does not fit its place: {why}");
            Err(Judgement::Invalid(WitnessError::new(codes::WITNESS_CONDITION, (0, 0), text)))
        };
        match front_end.compile_unchecked() {
            Some(mut model) => {
                let start = front_end.first_file().map_or(0, |file| front_end.sources.file(file).start);
                let is_new = |span: Span| edited.is_new(range_of(&front_end.sources, span, start));
                if ghost::meddling(&model, LOCAL, functions, &is_new).is_some() {
                    return wrong("it calls a function, or changes something");
                }
                ghost::assume_calls(&mut model, ASSUME);
                order::doubt_order(&mut model);
                Ok((front_end, model))
            }
            None => {
                let why = front_end.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
                let why = why.map_or("it does not compile", |diagnostic| diagnostic.message.as_str());
                wrong(why)
            }
        }
    }

    /// Where calls of the error function are not asked about, it does what its body says.
    fn forbid_error(&self, model: &mut Program) {
        if self.specification.kinds.contains(CheckKind::Unreachable) {
            checks::forbid_calls(model, &self.specification.error_function);
        }
    }

    fn ask(&self, model: &Program, kinds: KindSet, share: f64) -> Outcome {
        let options = |cancel| Options { sums_up: false, ..Options::new(kinds, cancel) };
        self.within(share, |cancel| quod_verify::verify(model, &options(cancel)).0)
    }

    /// Does something that is cancelled after a share of the time that is left.
    fn within<T>(&self, share: f64, work: impl FnOnce(CancelToken) -> T) -> T {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let cancel = CancelToken::default();
        let (stop, outer) = (cancel.clone(), self.cancel.clone());
        let end = Instant::now() + left.mul_f64(share);
        let is_done = Arc::new(AtomicBool::new(false));
        let done = is_done.clone();
        std::thread::spawn(move || {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                if Instant::now() >= end || outer.is_cancelled() {
                    stop.cancel();
                    return;
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        });
        let found = work(cancel);
        is_done.store(true, std::sync::atomic::Ordering::Relaxed);
        found
    }
}

/// Where a line of a text is; lines begin with 1.
fn line_range(text: &str, line: u32) -> Option<Range> {
    let before: usize = text.split_inclusive('\n').take(line.checked_sub(1)? as usize).map(str::len).sum();
    let length = text.get(before..)?.find('\n').unwrap_or(text.len() - before);
    Some(Range { lo: before as u32, hi: (before + length) as u32 })
}

/// The range in the main file's text where a span is used.
fn range_of(sources: &SourceMap, span: Span, start: u32) -> Range {
    let span = sources.use_site(span);
    Range { lo: span.lo.saturating_sub(start), hi: span.hi.saturating_sub(start) }
}

/// A witness's error as a message about its file.
pub(crate) fn diagnostic(error: &WitnessError, sources: &SourceMap, file: Option<quod_base::FileId>) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(error.code, error.message.clone());
    if let Some(file) = file.map(|file| sources.file(file))
        && error.line > 0
        && let Some(&line) = file.line_starts.get(error.line as usize - 1)
    {
        let end = file.start + file.text.len() as u32;
        let lo = (file.start + line + error.column.saturating_sub(1)).min(end);
        diagnostic = diagnostic.label(Span::new(lo, (lo + 1).min(end).max(lo)), "here");
    }
    match &error.help {
        Some(help) => diagnostic.help(help.clone()),
        None => diagnostic,
    }
}
