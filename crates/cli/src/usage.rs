//! Command lines that are written in other tools' ways, and messages for those that are wrong.

use crate::arguments::Cli;
use crate::console;
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use quod_verdict::exit_code;
use std::ffi::OsString;
use std::path::Path;

/// Options that compilers and CIVL write with one dash, in our own spelling: `-include`, `-std=`, `-m32`, `-isystem`,
/// `-inputNAME=VALUE`. Words behind `--` belong to the program.
pub(crate) fn gcc_style(words: Vec<OsString>) -> Vec<OsString> {
    // `bench` starts other tools, whose options are none of our business.
    if words.get(1).is_some_and(|verb| verb == "bench") {
        return words;
    }
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let mut out = Vec::with_capacity(words.len());
    for (index, word) in words.into_iter().enumerate() {
        let text = word.to_str().filter(|_| index < end);
        if let Some(replaced) = text.and_then(crate::civl_options::respell) {
            out.extend(replaced.into_iter().map(OsString::from));
            continue;
        }
        let replaced = text.and_then(respell);
        out.push(replaced.map_or(word, OsString::from));
    }
    out
}

fn respell(word: &str) -> Option<String> {
    match word {
        "-include" | "-std" => return Some(format!("-{word}")),
        "-isystem" | "-iquote" | "-idirafter" => return Some("-I".into()),
        "-m32" => return Some("--data-model=ILP32".into()),
        "-m64" => return Some("--data-model=LP64".into()),
        _ => {}
    }
    if let Some(version) = word.strip_prefix("-std=") {
        return Some(format!("--std={version}"));
    }
    let given = word.strip_prefix("-input").filter(|rest| rest.contains('=') && !rest.starts_with('='))?;
    Some(format!("--input={given}"))
}

/// Writes clap's message, with advice where we know better, and ends: 0 for `--help`, 2 for a wrong command line.
pub(crate) fn report(error: &clap::Error, words: &[OsString]) -> ! {
    if !error.use_stderr() {
        std::process::exit(console::print_styled(&error.render()));
    }
    let _ = error.print();
    if let Some(advice) = advice(error, words) {
        eprintln!("\n{advice}");
    }
    std::process::exit(exit_code::USAGE)
}

fn advice(error: &clap::Error, words: &[OsString]) -> Option<String> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let path = Path::new(word);
    let is_program = path.extension().is_some_and(|ext| ["c", "i", "cvl", "h"].iter().any(|known| ext == *known));
    if is_program || path.is_file() {
        let rest: Vec<_> = words.iter().skip(1).map(|word| word.to_string_lossy()).collect();
        return Some(format!("To run the program, say what to do with it: quod run {}", rest.join(" ")));
    }
    None
}

/// `quod` alone: the help, and the exit code of a wrong command line, because nothing was asked.
pub(crate) fn greet() -> i32 {
    let help = Cli::command().render_help();
    console::print_styled_to_stderr(&help);
    exit_code::USAGE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn respelled(words: &[&str]) -> Vec<String> {
        let words = words.iter().map(OsString::from).collect();
        gcc_style(words).into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn other_tools_spellings_are_understood() {
        let words = ["quod", "run", "-inputN=3", "-include", "a.h", "-std=c11", "-m32", "p.c", "--", "-m32"];
        let expected =
            ["quod", "run", "--input=N=3", "--include", "a.h", "--std=c11", "--data-model=ILP32", "p.c", "--", "-m32"];
        assert_eq!(respelled(&words), expected);
        assert_eq!(respelled(&["quod", "bench", "-m32"]), ["quod", "bench", "-m32"]);
    }

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
