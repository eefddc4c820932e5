//! `quod verify`: can any execution go wrong?

use crate::arguments::{DeadlockName, DialectName, EngineArgument, VerifyArguments};
use crate::console::{Console, complain, print, status};
use crate::evidence::files::Files;
use crate::evidence::make::Found;
use crate::front_end::FrontEnd;
use crate::question::{self, Question, Unasked};
use crate::trace_file::{self, place};
use crate::{disk, evidence, interrupt};
use quod_base::Span;
use quod_diag::{Diagnostic, Outcome, codes};
use quod_exec::InputValue;
use quod_model::ir::{Arithmetic, Call, Callee, Control, FunctionId, Program, Step};
use quod_model::library::is_allocating;
use quod_verdict::{Assumption, CancelToken, CheckKind, Specification, Verdict, exit_code};
use quod_verify::{Certainty, Options};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub(crate) fn run(arguments: &VerifyArguments) -> i32 {
    let console = Console::new(&arguments.program.output);
    let question = match asked(arguments) {
        Ok(question) => question,
        Err(unasked) => {
            complain(&unasked.message);
            return unasked.exit_code;
        }
    };
    let specification = &question.specification;
    let loading = Instant::now();
    let mut front_end = FrontEnd::load(&question.program);
    let Some((model, open)) = model(&mut front_end, arguments, &question) else {
        return refuse(&mut front_end, &console, "verify");
    };
    front_end.show_warnings(&console);
    let warnings = front_end.diagnostics.len();
    let mut options = options(arguments, &question);
    if let Some(path) = &arguments.query_log {
        options.query_log = match super::smt::log_to(path) {
            Ok(sink) => Some(sink),
            Err(code) => return code,
        };
    }
    insist_on_timeout(arguments, &question);
    let explain = |line: &str| {
        if arguments.explain_strategy {
            complain(&format!("strategy: {line}\n"));
        }
    };
    explain(&phase("front end", loading.elapsed(), ""));
    let start = Instant::now();
    let findings = match arguments.engine {
        EngineArgument::Search | EngineArgument::Induction => quod_verify::Findings::default(),
        EngineArgument::Auto | EngineArgument::Abstract => {
            quod_verify::prove_first(&model, &options, &front_end.sources)
        }
    };
    let quod_verify::Findings { outcome: proved, lines, mut invariants, slice, assumes_reads } = findings;
    lines.iter().for_each(|line| explain(line));
    explain(&phase("abstract interpretation", start.elapsed(), ""));
    let searching = Instant::now();
    let (outcome, statistics) = match proved {
        Some(outcome) => (outcome, quod_verify::Statistics::default()),
        None if arguments.engine == EngineArgument::Abstract => {
            let reason = quod_verdict::Reason::NoEngine { question: "this without a search".into() };
            let unknown = quod_verify::Outcome::Unknown { reason, span: Span::NONE, diagnostic: None };
            (unknown, quod_verify::Statistics::default())
        }
        None if arguments.engine == EngineArgument::Induction => quod_verify::prove_by_induction(&model, &options),
        None => quod_verify::verify_slice(&model, &options, slice.as_ref()),
    };
    statistics.strategy.iter().for_each(|line| explain(line));
    if statistics.steps > 0 {
        let solving = format!(", of which solving {:.3} s", statistics.solving.as_secs_f64());
        explain(&phase("search", searching.elapsed(), &solving));
    }
    if IS_ANSWERED.swap(true, Ordering::SeqCst) {
        // The answer is out, and with it the process ends.
        loop {
            std::thread::park();
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let files = Files { arguments, question: &question, start };
    let mut certain = None;
    let verdict = match outcome {
        quod_verify::Outcome::Holds => {
            invariants.extend(quod_verify::invariants(&model, &front_end.sources, &statistics.facts));
            files.correctness(&invariants);
            let assumptions = assumptions(&model, &options, assumes_reads);
            Verdict::Holds { bounds: vec![], assumptions, invariants }
        }
        quod_verify::Outcome::Violated { kind, certainty, diagnostic, schedule, evidence, others } => {
            certain = Some(certainty);
            let span = diagnostic.span();
            let diagnostic = with_calls(diagnostic, kind, &evidence, &model);
            if let Some(path) = arguments.save_trace.as_ref().filter(|_| certainty != Certainty::Proved) {
                let shown = trace_file::Shown { program: &model, sources: &front_end.sources, options: &options };
                let trace = trace_file::make(&shown, specification, kind, &diagnostic, &schedule);
                crate::evidence::files::save(path, &trace.to_json());
            }
            let found = Found { kind, span, evidence: &evidence, error_function: &specification.error_function };
            // A function that only a model knows can be in no witness and no test.
            if certainty == Certainty::Concrete {
                files.violation(&found, &open, &model, &front_end.sources);
            }
            front_end.diagnostics.push(with_values(diagnostic, &schedule, certainty));
            for (index, other) in others.into_iter().enumerate() {
                let diagnostic = with_calls(other.diagnostic, other.kind, &other.evidence, &model);
                if let Some(path) = arguments.save_trace.as_ref().filter(|_| other.certainty != Certainty::Proved) {
                    let shown = trace_file::Shown { program: &model, sources: &front_end.sources, options: &options };
                    let trace = trace_file::make(&shown, specification, other.kind, &diagnostic, &other.schedule);
                    crate::evidence::files::save(&numbered(path, index + 2), &trace.to_json());
                }
                front_end.diagnostics.push(with_values(diagnostic, &other.schedule, other.certainty));
            }
            Verdict::Violated { kind, trace: Box::default() }
        }
        quod_verify::Outcome::Unknown { reason, span, diagnostic } => {
            let is_possible = matches!(reason, quod_verdict::Reason::PossibleViolation { .. });
            front_end.diagnostics.extend(diagnostic.map(|it| if is_possible { unconfirmed(it) } else { it }));
            Verdict::Unknown { reason, place: place(&front_end.sources, span), help: None }
        }
    };
    console.messages(&front_end.sources, &front_end.diagnostics[warnings..]);
    console.pointer(&front_end.diagnostics[warnings..]);
    if !console.is_document() {
        complain(&table(&statistics, seconds, &verdict, certain));
        print(&format!("{}\n", verdict.result_line(specification)));
    }
    let status = status(&verdict);
    let text = verdict.result(specification);
    let outcome = Outcome { status, text: &text, exit_code: verdict.exit_code(), seconds: Some(seconds) };
    let mut more = serde_json::Map::new();
    if let Some(word) = certainty(&verdict, certain) {
        more.insert("certainty".to_owned(), word.into());
    }
    if let Verdict::Holds { assumptions, .. } = &verdict {
        let texts: Vec<serde_json::Value> = assumptions.iter().map(|it| it.text.clone().into()).collect();
        more.insert("assumptions".to_owned(), texts.into());
    }
    if let Verdict::Unknown { place: Some(place), .. } = &verdict {
        more.insert("stopped_at".to_owned(), format!("{}:{}:{}", place.file, place.line, place.column).into());
    }
    console.document(front_end.report("verify", outcome), more);
    verdict.exit_code()
}

/// The values with which the fault happens.
fn with_values(mut diagnostic: Diagnostic, schedule: &quod_verify::Schedule, certainty: Certainty) -> Diagnostic {
    if let Some(text) = inputs_text(schedule) {
        diagnostic = diagnostic.note(text);
    }
    for (name, function) in &schedule.functions {
        diagnostic = diagnostic.note(function_text(name, function));
    }
    if certainty == Certainty::Proved {
        diagnostic = diagnostic.note("proved: some of the values are reals that cannot be written down");
    }
    diagnostic
}

/// Where the trace of a further error goes: `trace-2.json` beside `trace.json`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map_or(String::new(), |ending| format!(".{}", ending.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{ending}"))
}

/// What is asked, with the checks that are switched on and off.
pub(crate) fn asked(arguments: &VerifyArguments) -> Result<Question, Unasked> {
    let mut question = question::ask(&arguments.program, arguments.property.as_deref())?;
    question.specification = switched(question.specification, arguments);
    Ok(question)
}

/// Says why there is no model.
pub(crate) fn refuse(front_end: &mut FrontEnd, console: &Console, command: &'static str) -> i32 {
    if front_end.diagnostics.iter().any(|diagnostic| diagnostic.code == codes::USAGE) {
        console.messages(&front_end.sources, &front_end.diagnostics);
        return exit_code::USAGE;
    }
    front_end.does_not_compile(console, command)
}

/// The program with its inputs bound and its checks inserted; nothing where something is wrong with it.
pub(crate) fn model(
    front_end: &mut FrontEnd,
    arguments: &VerifyArguments,
    question: &Question,
) -> Option<(Program, evidence::harness::Open)> {
    let specification = &question.specification;
    front_end.is_left_shift_defined = question.text.is_none();
    let mut model = front_end.compile_unchecked()?;
    let known = front_end.diagnostics.len();
    give_inputs(&arguments.input, &mut model, &mut front_end.diagnostics);
    if front_end.diagnostics[known..].iter().any(Diagnostic::is_error) {
        return None;
    }
    if model.main.is_none() {
        let diagnostic = Diagnostic::error(codes::NO_MAIN, "the program has no `main`");
        front_end.diagnostics.push(diagnostic.help("only a function `main` says where to start"));
        return None;
    }
    let open = evidence::harness::Open::new(&model, &specification.error_function);
    // Where calls of the error function are not asked about, it does what its body says.
    if specification.kinds.contains(CheckKind::Unreachable) {
        quod_model::passes::checks::forbid_calls(&mut model, &specification.error_function);
    }
    quod_model::passes::order::doubt_order(&mut model);
    front_end.insert_checks(&mut model, specification.kinds);
    Some((model, open))
}

/// Gives `$input` variables the values of the command line; what is wrong with these is a diagnostic.
pub(crate) fn give_inputs(given: &[String], model: &mut Program, diagnostics: &mut Vec<Diagnostic>) {
    let has_arguments = model.main.is_some_and(|main| match *model.types.get(model.functions[main].ty) {
        quod_model::ir::Type::Function(ty) => !model.types.functions[ty].parameters.is_empty(),
        _ => false,
    });
    let is_input = |text: &&String| !has_arguments || argument_count(std::slice::from_ref(*text)).is_none();
    let given: Vec<String> = given.iter().filter(is_input).cloned().collect();
    let inputs = super::run::inputs::bind(&given, model, diagnostics);
    #[allow(clippy::iter_over_hash_type)] // each gives one variable its value
    for (name, value) in inputs.given.iter().filter_map(|(name, values)| Some((name, values.front()?))) {
        let named = model.globals.ids().find(|&id| model.globals[id].name == *name);
        let is_given = match (named, value) {
            (Some(id), quod_exec::InputValue::Int(number)) => quod_model::passes::inputs::give(model, id, *number),
            _ => false,
        };
        if !is_given {
            let text = format!("`{name}` cannot be given this value: only inputs of integer type can");
            diagnostics.push(Diagnostic::error(codes::USAGE, text));
        }
    }
}

/// How to search, with the limits of time and memory set.
pub(crate) fn options(arguments: &VerifyArguments, question: &Question) -> Options {
    let cancel = interrupt::token();
    if let Some(seconds) = arguments.timeout.filter(|seconds| seconds.is_finite() && *seconds >= 0.0) {
        let cancel = cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs_f64(seconds));
            cancel.cancel();
        });
    }
    let is_memory_over = Arc::new(AtomicBool::new(false));
    watch_memory(arguments.memory_limit, &cancel, &is_memory_over);
    Options {
        kinds: question.specification.kinds,
        is_breadth_first: arguments.breadth_first,
        is_minimal: arguments.min,
        is_reduced: !arguments.no_reduction,
        depth: arguments.max_depth,
        finds_cycles: arguments.check_termination,
        is_saved: !arguments.no_save_states,
        is_compared: arguments.compare_states,
        preemptions: arguments.preemption_bound,
        errors: arguments.errors,
        is_strict: arguments.program.dialect == Some(DialectName::Civl2026),
        is_synchronous: arguments.deadlock == DeadlockName::Potential,
        processes: arguments.max_processes,
        sums_up: true,
        solvers: quod_solver::portfolio::discover(&super::smt::places(&[])),
        query_log: None,
        is_memory_over: is_memory_over.clone(),
        is_asked: question.text.is_some() || arguments.property.is_some(),
        threads: arguments.threads.map_or_else(|| cores(arguments), usize::from),
        share_after: arguments.share_after,
        argument_count: argument_count(&arguments.input),
        cancel,
    }
}

/// CIVL's names for the number of `main`'s arguments.
fn names_arguments(given: &str) -> bool {
    matches!(given.split('=').next(), Some("CIVL_argc" | "_civl_argc" | "_gen_argc"))
}

/// How many arguments `main` is given, where the command line says so.
fn argument_count(given: &[String]) -> Option<u32> {
    let text = given.iter().rfind(|text| names_arguments(text))?;
    text.split_once('=')?.1.parse().ok().filter(|&count: &u32| (1..=64).contains(&count))
}

/// How many threads search unless that was said. Breadth first they get in each other's way where memory is handed out.
fn cores(arguments: &VerifyArguments) -> usize {
    if arguments.breadth_first { 1 } else { std::thread::available_parallelism().map_or(1, usize::from) }
}

/// Set by who gives the answer.
static IS_ANSWERED: AtomicBool = AtomicBool::new(false);

/// Gives the answer when the time is long over and the engines have not heard of it.
fn insist_on_timeout(arguments: &VerifyArguments, question: &Question) {
    let Some(seconds) = arguments.timeout.filter(|seconds| seconds.is_finite() && *seconds >= 0.0) else { return };
    let specification = question.specification.clone();
    let console = Console::new(&arguments.program.output);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs_f64(seconds) + GRACE);
        if !console.is_document() && !IS_ANSWERED.swap(true, Ordering::SeqCst) {
            let verdict = Verdict::Unknown { reason: quod_verdict::Reason::Timeout, place: None, help: None };
            print(&format!("{}\n", verdict.result_line(&specification)));
            std::process::exit(verdict.exit_code());
        }
    });
}

/// How long the engines may take to hear that the time is over.
const GRACE: Duration = Duration::from_millis(800);

/// The question with the checks that the command line switches on or off.
fn switched(mut specification: Specification, arguments: &VerifyArguments) -> Specification {
    if arguments.deadlock == DeadlockName::None {
        specification.kinds.remove(CheckKind::Deadlock);
    }
    if arguments.check_termination {
        specification.kinds.insert(CheckKind::Termination);
    }
    arguments.check.iter().for_each(|&kind| specification.kinds.insert(kind));
    arguments.no_check.iter().for_each(|&kind| specification.kinds.remove(kind));
    specification.kinds.insert(CheckKind::Unsupported);
    specification
}

/// What is taken for granted about the outside of a program.
fn assumptions(program: &Program, options: &Options, assumes_reads: bool) -> Vec<Assumption> {
    let bodies = || program.functions.iter().filter_map(|function| function.body.as_ref());
    let called = || {
        bodies().flat_map(|body| {
            body.locations.iter().filter_map(|location| match &location.control {
                Control::Step { step: Step::Call(Call { callee: Callee::Direct(callee), .. }), .. } => Some(*callee),
                _ => None,
            })
        })
    };
    let is_allocating = |callee: FunctionId| {
        let function = &program.functions[callee];
        function.body.is_none() && function.name.as_str() != "free" && is_allocating(function.name.as_str())
    };
    let found = called().any(is_allocating);
    let mut texts: Vec<String> = Vec::new();
    texts.extend(found.then(|| "memory can always be allocated".to_owned()));
    let is_fopen = |callee: FunctionId| program.functions[callee].name.as_str() == "fopen";
    let opens = program.arithmetic == Arithmetic::Ideal && called().any(is_fopen);
    texts.extend(opens.then(|| "files can always be opened".to_owned()));
    texts.extend(assumes_reads.then(|| "reads far outside of memory end the program".to_owned()));
    if options.has_any_arguments(program) {
        let (most, length) = (quod_verify::ARGUMENTS, quod_verify::ARGUMENT_LENGTH);
        texts.push(match options.argument_count {
            Some(count) => format!("`main` is given {count} arguments of at most {length} characters"),
            None => format!("`main` is given one to {most} arguments of at most {length} characters"),
        });
    }
    texts.into_iter().map(|text| Assumption { text, place: None }).collect()
}

/// The calls that lead to a violation. Of an error function its call is shown, not its declaration.
fn with_calls(
    mut diagnostic: Diagnostic,
    kind: CheckKind,
    evidence: &quod_verify::Evidence,
    program: &Program,
) -> Diagnostic {
    const MOST: usize = 4;
    if evidence.backtrace.first().is_none_or(|(_, span)| *span != diagnostic.span()) {
        return diagnostic;
    }
    let mut calls = evidence.backtrace.iter().skip(1).filter(|(_, span)| *span != Span::NONE);
    if kind == CheckKind::Unreachable
        && let Some((_, span)) = calls.next()
    {
        diagnostic = Diagnostic::error(kind.code(), diagnostic.message).label(*span, "this call is reached");
    }
    for (function, span) in calls.take(MOST) {
        let text = match program.functions[*function].name.as_str() {
            _ if kind == CheckKind::Contract => "after this step".to_owned(),
            name if name.starts_with('$') => "called from here".to_owned(),
            name => format!("called from `{name}`"),
        };
        diagnostic = diagnostic.label(*span, text);
    }
    diagnostic
}

/// What the symbolic search came to and no execution on concrete values does.
fn unconfirmed(diagnostic: Diagnostic) -> Diagnostic {
    let message = format!("perhaps {}", diagnostic.message);
    Diagnostic { severity: quod_diag::Severity::Warning, message, ..diagnostic }
        .note("no execution on concrete values was found that does this")
}

/// What an `$abstract` function gives in an execution.
fn function_text(name: &str, function: &quod_exec::Interpretation) -> String {
    const MOST: usize = 8;
    let name = name.strip_prefix(quod_exec::ORDER).unwrap_or(name);
    let one = |(arguments, value): &(Vec<InputValue>, InputValue)| {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        format!("{name}({}) = {value}", arguments.join(", "))
    };
    let mut parts: Vec<String> = function.entries.iter().take(MOST).map(one).collect();
    let otherwise = function.otherwise.map_or("0".to_owned(), |value| value.to_string());
    parts.push(format!("{name}(…) = {otherwise} otherwise"));
    format!("with {}", parts.join(", "))
}

/// The values from outside that lead to a violation, by who gave them.
fn inputs_text(schedule: &quod_verify::Schedule) -> Option<String> {
    const MOST: usize = 16;
    let mut given: Vec<(String, Vec<String>)> = Vec::new();
    for (name, value) in schedule.inputs.iter().filter_map(|(name, value)| Some(((*name)?, value))) {
        let value = value.to_string();
        match given.iter_mut().find(|(known, _)| known == name.as_str()) {
            Some((_, values)) => values.push(value),
            None => given.push((name.as_str().to_owned(), vec![value])),
        }
    }
    let one = |(name, values): &(String, Vec<String>)| {
        let more = if values.len() > MOST { ", …" } else { "" };
        let values: Vec<&str> = values.iter().take(MOST).map(String::as_str).collect();
        format!("`{name}` = {}{more}", values.join(", "))
    };
    let all: Vec<String> = given.iter().take(MOST).map(one).collect();
    (!all.is_empty()).then(|| format!("with the inputs {}", all.join("; ")))
}

/// The figures of a search.
fn table(statistics: &quod_verify::Statistics, seconds: f64, verdict: &Verdict, certain: Option<Certainty>) -> String {
    let search = &statistics.search;
    let rate = search.states as f64 / seconds.max(1e-9);
    let rows = [
        ("time (s)", format!("{seconds:.2}")),
        ("memory (bytes)", peak_memory().map_or("unknown".into(), |bytes| bytes.to_string())),
        ("max process count", statistics.processes.to_string()),
        ("states", search.states.to_string()),
        ("states saved", search.saved.to_string()),
        ("state matches", search.matches.to_string()),
        ("states/s", format!("{rate:.0}")),
        ("transitions", search.moves.to_string()),
        ("trace steps", search.deepest.to_string()),
        ("operations", statistics.steps.to_string()),
        ("solver queries", statistics.solver_queries.to_string()),
    ];
    let threads = Some(search.threads).filter(|&threads| threads > 1).map(|threads| ("threads", threads.to_string()));
    let doubt = if statistics.may_be_shorter { " (the search was stopped: there may be a shorter one)" } else { "" };
    let violation = statistics.violation.map(|steps| ("violation steps", format!("{steps}{doubt}")));
    let certainty = certainty(verdict, certain).map(|word| ("certainty", word.to_owned()));
    let stopped = match verdict {
        Verdict::Unknown { place: Some(place), .. } => {
            Some(("stopped at", format!("{}:{}:{}", place.file, place.line, place.column)))
        }
        _ => None,
    };
    let assumed: Vec<(&str, String)> = match verdict {
        Verdict::Holds { assumptions, .. } => assumptions.iter().map(|it| ("assumed", it.text.clone())).collect(),
        _ => Vec::new(),
    };
    let line = |(name, value): &(&str, String)| format!("  {name:<18}: {value}\n");
    let rows = rows.iter().chain(&assumed).chain(&threads).chain(&violation).chain(&certainty).chain(&stopped);
    format!("statistics\n{}", rows.map(line).collect::<String>())
}

/// A phase for `--explain-strategy`: its time, and the most memory until its end.
fn phase(name: &str, time: Duration, more: &str) -> String {
    let megabytes = peak_memory().map_or(0.0, |bytes| bytes as f64 / 1e6);
    format!("{name}: {:.3} s{more}, {megabytes:.0} MB", time.as_secs_f64())
}

/// How certain a violation is: it happened on concrete values, a model shows it, or it could only be shown that it may.
fn certainty(verdict: &Verdict, certain: Option<Certainty>) -> Option<&'static str> {
    match verdict {
        Verdict::Violated { .. } => Some(match certain {
            Some(Certainty::Interpreted | Certainty::Proved) => "proved",
            Some(Certainty::Concrete) | None => "concrete",
        }),
        Verdict::Unknown { reason: quod_verdict::Reason::PossibleViolation { .. }, .. } => Some("maybe"),
        _ => None,
    }
}

/// The most memory that this process has taken.
fn peak_memory() -> Option<u64> {
    memory_of("VmHWM:")
}

fn memory_of(field: &str) -> Option<u64> {
    let bytes = disk::read(Path::new("/proc/self/status")).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix(field))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

/// Cancels the search when the process takes more than the limit (in MB).
fn watch_memory(limit: Option<u64>, cancel: &CancelToken, is_over: &Arc<AtomicBool>) {
    let Some(limit) = limit else { return };
    let (cancel, is_over) = (cancel.clone(), is_over.clone());
    std::thread::spawn(move || {
        while !cancel.is_cancelled() {
            if memory_of("VmRSS:").is_some_and(|bytes| bytes > limit << 20) {
                is_over.store(true, Ordering::Relaxed);
                cancel.cancel();
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    });
}
