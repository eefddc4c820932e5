//! Counterexamples as files: made from a schedule, read back into one.

use quod_base::{SourceMap, Span, Symbol};
use quod_diag::Diagnostic;
use quod_exec::inspect::Variable;
use quod_exec::{InputValue, Interpretation, Interpretations};
use quod_model::ir::Program;
use quod_verdict::trace::{
    Trace, TraceAction, TraceApplication, TraceChange, TraceFunction, TraceGiven, TraceMove, TracePlace, TraceSource,
    TraceStep, TraceValue, TraceViolation,
};
use quod_verdict::{CheckKind, Specification};
use quod_verify::{Options, Schedule, ScheduledMove, Watched};

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
    // An execution of one process that does not end is one move.
    let mut endless;
    let schedule = if kind == CheckKind::Termination && schedule.cycle.is_none() {
        endless = Schedule::of([ScheduledMove::default()], schedule.inputs.clone(), false);
        endless.functions.clone_from(&schedule.functions);
        endless.cycle = Some(1);
        &endless
    } else {
        schedule
    };
    for file in sources.files().iter().filter(|file| !file.name.starts_with('<')) {
        let fingerprint = quod_base::Fingerprint::of(&file.text);
        trace.sources.push(TraceSource { name: file.name.clone(), fingerprint: format!("{:032x}", fingerprint.0) });
    }
    let made = |made: ScheduledMove| {
        let ScheduledMove { process, choices, forgotten } = made;
        TraceMove { process, choices, forgotten }
    };
    trace.moves = schedule.moves().into_iter().map(made).collect();
    for (name, value) in &schedule.inputs {
        if let Some(name) = name {
            let value = TraceValue { text: value.to_string(), type_name: String::new(), bytes: None };
            trace.inputs.entry(name.to_string()).or_insert(value);
        }
        trace.given.push(given(name.map(|name| name.to_string()), *value));
    }
    for (name, function) in &schedule.functions {
        let unnamed = |value: &InputValue| given(None, *value);
        let entry = |(arguments, value): &(Vec<InputValue>, InputValue)| TraceApplication {
            arguments: arguments.iter().map(unnamed).collect(),
            value: unnamed(value),
        };
        let entries = function.entries.iter().map(entry).collect();
        let otherwise = function.otherwise.as_ref().map(unnamed);
        trace.functions.insert(name.clone(), TraceFunction { entries, otherwise });
    }
    if schedule.is_synchronous {
        trace.options.insert("deadlock".into(), "potential".into());
    }
    if let Some(cycle) = schedule.moves_of_cycle() {
        trace.options.insert("cycle".into(), cycle.to_string());
    }
    if let Some((left, right)) = schedule.race {
        trace.options.insert("race".into(), format!("{left} {right}"));
    }
    if schedule.is_even {
        trace.options.insert("steps".into(), "even".into());
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

fn given(name: Option<String>, value: InputValue) -> TraceGiven {
    let mut given = TraceGiven { name, ..TraceGiven::default() };
    match value {
        InputValue::Int(number) => given.integer = Some(number.to_string()),
        InputValue::Float(number) => given.double = Some(format!("{:016x}", number.to_bits())),
        InputValue::Fraction(..) => given.fraction = Some(value.to_string()),
    }
    given
}

fn value_of(given: &TraceGiven) -> Option<InputValue> {
    match (&given.integer, &given.double, &given.fraction) {
        (Some(number), None, None) => number.parse().ok().map(InputValue::Int),
        (None, Some(bits), None) => {
            u64::from_str_radix(bits, 16).ok().map(|bits| InputValue::Float(f64::from_bits(bits)))
        }
        (None, None, Some(text)) => {
            let (numerator, denominator) = text.split_once('/')?;
            let denominator = denominator.parse().ok().filter(|&denominator: &i64| denominator > 0)?;
            Some(InputValue::Fraction(numerator.parse().ok()?, denominator))
        }
        _ => None,
    }
}

/// The schedule of a trace; an error says what is wrong with it.
pub(crate) fn schedule(trace: &Trace) -> Result<Schedule, String> {
    let no_number = || "one of its values is not a number".to_owned();
    let mut inputs = Vec::new();
    for given in &trace.given {
        inputs.push((given.name.as_deref().map(Symbol::intern), value_of(given).ok_or_else(no_number)?));
    }
    let mut functions = Interpretations::new();
    for (name, function) in &trace.functions {
        let mut entries = Vec::new();
        for entry in &function.entries {
            let arguments: Option<Vec<InputValue>> = entry.arguments.iter().map(value_of).collect();
            entries.push((arguments.ok_or_else(no_number)?, value_of(&entry.value).ok_or_else(no_number)?));
        }
        let otherwise = function.otherwise.as_ref().map(|given| value_of(given).ok_or_else(no_number)).transpose()?;
        functions.insert(name.clone(), Interpretation { entries, otherwise });
    }
    if trace.moves.is_empty() {
        return Err("it has no moves".into());
    }
    let moves = trace.moves.iter().map(|step| {
        let TraceMove { process, choices, forgotten } = step.clone();
        ScheduledMove { process, choices, forgotten }
    });
    let is_synchronous = trace.options.get("deadlock").is_some_and(|which| which == "potential");
    let mut schedule = Schedule::of(moves, inputs, is_synchronous);
    schedule.functions = functions;
    schedule.cycle = match trace.options.get("cycle") {
        Some(length) => {
            let length = length.parse().ok().filter(|length| (1..=trace.moves.len() as u64).contains(length));
            Some(length.ok_or("its cycle is longer than the trace")?)
        }
        None => None,
    };
    schedule.race = trace.options.get("race").and_then(|pair| {
        let (left, right) = pair.split_once(' ')?;
        Some((left.parse().ok()?, right.parse().ok()?))
    });
    schedule.is_even = trace.options.get("steps").is_some_and(|which| which == "even");
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
