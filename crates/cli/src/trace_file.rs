//! Counterexamples as files: made from a schedule, read back into one.

use quod_base::{SourceMap, Span, Symbol};
use quod_diag::Diagnostic;
use quod_exec::InputValue;
use quod_exec::inspect::Variable;
use quod_model::ir::Program;
use quod_verdict::trace::{
    Trace, TraceAction, TraceChange, TraceGiven, TraceMove, TracePlace, TraceSource, TraceStep, TraceValue,
    TraceViolation,
};
use quod_verdict::{CheckKind, Specification};
use quod_verify::{Options, Schedule, Watched};

/// What a schedule is followed in.
pub(crate) struct Shown<'a> {
    pub(crate) program: &'a Program,
    pub(crate) sources: &'a SourceMap,
    pub(crate) options: &'a Options,
}

/// A trace with its steps, by following the schedule once more.
pub(crate) fn make(
    shown: &Shown<'_>,
    specification: &Specification,
    kind: CheckKind,
    diagnostic: &Diagnostic,
    schedule: &Schedule,
) -> Trace {
    let mut trace = Trace { command: command(), ..Trace::default() };
    let sources = shown.sources;
    for file in sources.files().iter().filter(|file| !file.name.starts_with('<')) {
        let fingerprint = quod_base::Fingerprint::of(&file.text);
        trace.sources.push(TraceSource { name: file.name.clone(), fingerprint: format!("{:032x}", fingerprint.0) });
    }
    trace.moves = schedule.moves().into_iter().map(|(process, choices)| TraceMove { process, choices }).collect();
    for (name, value) in &schedule.inputs {
        let given = TraceGiven {
            name: name.map(|name| name.to_string()),
            integer: match value {
                InputValue::Int(number) => Some(number.to_string()),
                InputValue::Float(_) => None,
            },
            double: match value {
                InputValue::Int(_) => None,
                InputValue::Float(number) => Some(format!("{:016x}", number.to_bits())),
            },
        };
        if let Some(name) = name {
            let text = match value {
                InputValue::Int(number) => number.to_string(),
                InputValue::Float(number) => format!("{number:?}"),
            };
            let value = TraceValue { text, type_name: String::new(), bytes: None };
            trace.inputs.entry(name.to_string()).or_insert(value);
        }
        trace.given.push(given);
    }
    if schedule.is_synchronous {
        trace.options.insert("deadlock".into(), "potential".into());
    }
    if schedule.is_strict {
        trace.options.insert("atomic".into(), "strict".into());
    }
    let (_, steps) = follow(shown, schedule, kind);
    trace.steps = steps.into_iter().map(|(step, _)| step).collect();
    trace.violation = Some(TraceViolation {
        kind: specification.word(kind).to_owned(),
        code: kind.code().to_string(),
        message: diagnostic.message.clone(),
        place: place(sources, diagnostic.span()),
    });
    trace
}

/// The schedule of a trace; an error says what is wrong with it.
pub(crate) fn schedule(trace: &Trace) -> Result<Schedule, String> {
    let mut inputs = Vec::new();
    for given in &trace.given {
        let value = match (&given.integer, &given.double) {
            (Some(number), None) => number.parse().ok().map(InputValue::Int),
            (None, Some(bits)) => {
                u64::from_str_radix(bits, 16).ok().map(|bits| InputValue::Float(f64::from_bits(bits)))
            }
            _ => None,
        };
        let Some(value) = value else { return Err("one of its values is not a number".into()) };
        inputs.push((given.name.as_deref().map(Symbol::intern), value));
    }
    if trace.moves.is_empty() {
        return Err("it has no moves".into());
    }
    let moves = trace.moves.iter().map(|step| (step.process, step.choices.clone()));
    let is_synchronous = trace.options.get("deadlock").is_some_and(|which| which == "potential");
    let mut schedule = Schedule::of(moves, inputs, is_synchronous);
    schedule.is_strict = trace.options.get("atomic").is_some_and(|which| which == "strict");
    Ok(schedule)
}

/// Follows a schedule: the violation that it ends in, and the steps with the state after each.
pub(crate) fn follow(
    shown: &Shown<'_>,
    schedule: &Schedule,
    kind: CheckKind,
) -> (Option<Diagnostic>, Vec<(TraceStep, Vec<Variable>)>) {
    let (program, sources) = (shown.program, shown.sources);
    let mut steps = Vec::new();
    let mut watch = |watched: Watched| {
        let is_built_in = sources.file_at(watched.span.lo).is_some_and(|file| sources.file(file).name.starts_with('<'));
        if is_built_in && watched.changes.is_empty() {
            return;
        }
        let function = watched.function.map_or_else(String::new, |name| name.to_string());
        let change = |variable: &Variable| {
            let prefix = match variable.function {
                Some(owner) if owner.as_str() != function => format!("{owner}:"),
                _ => String::new(),
            };
            TraceChange {
                left: format!("{prefix}{}", variable.name),
                value: TraceValue {
                    text: variable.value.clone(),
                    type_name: program.types.c_name(quod_model::ir::QualType {
                        ty: variable.ty,
                        qualifiers: quod_model::ir::Qualifiers::default(),
                    }),
                    bytes: None,
                },
            }
        };
        let changes = watched.changes.iter().map(change).collect();
        let place = place(sources, watched.span);
        let step = TraceStep { process: watched.process, function, place, action: TraceAction::Statement, changes };
        // What a statement does without a change belongs to what it does next.
        let is_same_line = |(last, _): &(TraceStep, Vec<Variable>)| {
            let line = |step: &TraceStep| step.place.as_ref().map(|place| (place.file.clone(), place.line));
            last.changes.is_empty() && last.process == step.process && line(last) == line(&step)
        };
        if steps.last().is_some_and(is_same_line) {
            steps.pop();
        }
        steps.push((step, watched.variables));
    };
    let diagnostic = quod_verify::walk(program, shown.options, schedule, kind, &mut watch);
    (diagnostic, steps)
}

pub(crate) fn place(sources: &SourceMap, span: Span) -> Option<TracePlace> {
    let span = sources.use_site(span);
    let (start, end) = (sources.place(span.lo)?, sources.place(span.hi)?);
    Some(TracePlace {
        file: sources.file(start.file).name.clone(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    })
}

/// The words of this command, without the tool and without where the trace is saved.
fn command() -> Vec<String> {
    let mut words = Vec::new();
    let mut all = crate::usage::gcc_style(std::env::args_os().collect()).into_iter().skip(1);
    while let Some(word) = all.next() {
        let word = word.to_string_lossy().into_owned();
        match word.as_str() {
            "--save-trace" => drop(all.next()),
            text if text.starts_with("--save-trace=") => {}
            _ => words.push(word),
        }
    }
    words
}
