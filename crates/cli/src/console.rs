//! Standard output and error: a reader that went away is no error, colours only where they are wanted, one report in the
//! format that was asked for.

use crate::arguments::{ColorName, FormatName, OutputArguments};
use quod_base::SourceMap;
use quod_diag::render::{counts, json, junit, sarif, short, terminal};
use quod_diag::{Code, Diagnostic, Report, Status};
use quod_verdict::Verdict;
use std::io::{IsTerminal, Write};

/// Writes to standard output. A closed pipe (`quod … | head`) ends quietly.
pub(crate) fn print(text: &str) -> i32 {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => 0,
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => 0,
        Err(error) => {
            complain(&format!("cannot write to standard output: {error}"));
            quod_verdict::exit_code::INTERNAL_ERROR
        }
    }
}

/// What a verdict is in reports.
pub(crate) fn status(verdict: &Verdict) -> Status {
    match verdict {
        Verdict::Holds { .. } => Status::Passed,
        Verdict::Violated { .. } => Status::Failed,
        Verdict::Unknown { .. } => Status::Unknown,
    }
}

/// Standard output for those who write themselves: once the reader has gone, the rest is written to nowhere.
pub(crate) struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match std::io::stdout().write(bytes) {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            other => other,
        }
    }
    fn flush(&mut self) -> std::io::Result<()> {
        match std::io::stdout().flush() {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }
}

/// Writes to standard error; there is nobody to tell if that fails.
pub(crate) fn complain(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes());
    if !text.ends_with('\n') {
        let _ = stderr.write_all(b"\n");
    }
}

pub(crate) fn print_styled(text: &clap::builder::StyledStr) -> i32 {
    let is_coloured = wants_colour(ColorName::Auto, &std::io::stdout());
    print(&if is_coloured { text.ansi().to_string() } else { text.to_string() })
}

pub(crate) fn print_styled_to_stderr(text: &clap::builder::StyledStr) {
    let is_coloured = wants_colour(ColorName::Auto, &std::io::stderr());
    complain(&if is_coloured { text.ansi().to_string() } else { text.to_string() });
}

fn wants_colour(choice: ColorName, stream: &impl IsTerminal) -> bool {
    match choice {
        ColorName::Always => true,
        ColorName::Never => false,
        ColorName::Auto => {
            let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
            let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            !is_set("NO_COLOR") && (stream.is_terminal() && !is_dumb || is_set("CLICOLOR_FORCE"))
        }
    }
}

/// Where messages go and how they look.
pub(crate) struct Console {
    pub(crate) format: FormatName,
    style: terminal::Style,
}

impl Console {
    pub(crate) fn new(output: &OutputArguments) -> Self {
        let stderr = std::io::stderr();
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let width = match terminal_size::terminal_size_of(&stderr) {
            Some((terminal_size::Width(width), _)) if stderr.is_terminal() => usize::from(width),
            _ => columns.unwrap_or(terminal::Style::PLAIN.width),
        };
        let style = terminal::Style { colour: wants_colour(output.color, &stderr), unicode: false, width };
        Self { format: output.format, style }
    }

    /// Whether standard output belongs to one document, so that nothing else may be written there.
    pub(crate) fn is_document(&self) -> bool {
        matches!(self.format, FormatName::Json | FormatName::Sarif | FormatName::Junit)
    }

    /// Writes messages for people at once; under a document format they wait for `finish`.
    pub(crate) fn messages(&self, sources: &SourceMap, diagnostics: &[Diagnostic]) {
        match self.format {
            FormatName::Full if !diagnostics.is_empty() => {
                complain(&terminal::render(sources, diagnostics, self.style));
            }
            FormatName::Short if !diagnostics.is_empty() => complain(&short::render(sources, diagnostics)),
            _ => {}
        }
    }

    /// The line that ends a list of errors: `error: hello.c does not compile: 3 errors`.
    pub(crate) fn summary(&self, what: &str, diagnostics: &[Diagnostic]) {
        if self.format == FormatName::Full {
            let (errors, warnings) = counts(diagnostics);
            let bold =
                |text: &str| if self.style.colour { format!("\u{1b}[1;91m{text}\u{1b}[0m") } else { text.into() };
            complain(&format!("{}: {what}: {}", bold("error"), terminal::count_words(errors, warnings)));
            self.pointer(diagnostics);
        }
    }

    /// The line behind everything: where to read more.
    pub(crate) fn pointer(&self, diagnostics: &[Diagnostic]) {
        if self.format != FormatName::Full {
            return;
        }
        let mut codes: Vec<Code> = diagnostics.iter().filter(|one| one.is_error()).map(|one| one.code).collect();
        codes.sort_unstable();
        codes.dedup();
        match codes.as_slice() {
            [] => {}
            [code] => complain(&format!("For more about this error: quod explain {code}")),
            [first, ..] => {
                let list: Vec<String> = codes.iter().take(6).map(Code::to_string).collect();
                let more = if codes.len() > 6 { ", …" } else { "" };
                complain(&format!(
                    "The errors {}{more} have explanations, for example: quod explain {first}",
                    list.join(", ")
                ));
            }
        }
    }

    /// Writes the one document of a machine format.
    pub(crate) fn document(&self, report: Report<'_>, extra: serde_json::Map<String, serde_json::Value>) {
        match self.format {
            FormatName::Full | FormatName::Short => 0,
            FormatName::Json => print(&json::render(report, extra)),
            FormatName::Sarif => print(&sarif::render(report)),
            FormatName::Junit => print(&junit::render(report)),
        };
    }
}
