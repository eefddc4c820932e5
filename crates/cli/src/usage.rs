//! Command lines that are written in other tools' ways, and messages for those that are wrong.

use crate::arguments::Cli;
use crate::console;
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use quod_verdict::exit_code;
use std::ffi::OsString;
use std::path::Path;

/// Options that compilers and CIVL write with one dash, in our own spelling: `-include`, `-std=`, `-m32`, `-isystem`,
/// `-fwrapv`, `-inputNAME=VALUE`. What changes nothing for us (`-O2`, `-g`, `-Wall`, …) is dropped. Words behind `--`
/// belong to the program.
pub(crate) fn gcc_style(words: Vec<OsString>) -> Vec<OsString> {
    // `bench` starts other tools, whose options are none of our business.
    if words.get(1).is_some_and(|verb| verb == "bench") {
        return words;
    }
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let mut out = Vec::with_capacity(words.len());
    for (index, word) in words.into_iter().enumerate() {
        let text = word.to_str().filter(|_| index > 1 && index < end);
        if let Some(replaced) = text.and_then(crate::civl_options::respell) {
            out.extend(replaced.into_iter().map(OsString::from));
            continue;
        }
        match text.map(respell) {
            Some(Spelling::Dropped) => {}
            Some(Spelling::Ours(word)) => out.push(word.into()),
            Some(Spelling::Same) | None => out.push(word),
        }
    }
    if out.get(1).is_some_and(|verb| verb == "compare") { two_programs(out) } else { out }
}

/// `compare --spec A B --impl C D`: the files of both programs, and how many the first has.
fn two_programs(words: Vec<OsString>) -> Vec<OsString> {
    let (mut rest, mut files, mut side) = (Vec::new(), [Vec::new(), Vec::new()], None);
    for word in words {
        match word.to_str() {
            Some("--spec") => side = Some(0),
            Some("--impl") => side = Some(1),
            text => match side {
                Some(side) if !text.is_some_and(|text| text.starts_with('-')) => files[side].push(word),
                _ => rest.push(word),
            },
        }
    }
    if side.is_some() {
        rest.push(format!("--spec-files={}", files[0].len()).into());
        rest.extend(files.into_iter().flatten());
    }
    rest
}

/// What becomes of a word of the command line.
enum Spelling {
    Same,
    Ours(String),
    Dropped,
}

fn respell(word: &str) -> Spelling {
    match word {
        "-include" | "-std" => return Spelling::Ours(format!("-{word}")),
        "-isystem" | "-iquote" | "-idirafter" => return Spelling::Ours("-I".into()),
        "-m32" => return Spelling::Ours("--data-model=ILP32".into()),
        "-m64" => return Spelling::Ours("--data-model=LP64".into()),
        "-ansi" => return Spelling::Ours("--std=c89".into()),
        "-fwrapv" | "-fno-strict-overflow" => return Spelling::Ours("--wrapv".into()),
        _ => {}
    }
    if let Some(version) = word.strip_prefix("-std=") {
        return Spelling::Ours(format!("--std={version}"));
    }
    if let Some(given) = word.strip_prefix("-input").filter(|rest| rest.contains('=') && !rest.starts_with('=')) {
        return Spelling::Ours(format!("--input={given}"));
    }
    if is_harmless(word) { Spelling::Dropped } else { Spelling::Same }
}

/// Options of compilers about optimisation, debugging, warnings, code generation and linking.
fn is_harmless(word: &str) -> bool {
    let Some(option) = word.strip_prefix('-').filter(|option| !option.starts_with('-')) else { return false };
    if MEANING.iter().any(|(name, _)| *name == word) {
        return false;
    }
    let is_level = |rest: &str| ["", "0", "1", "2", "3", "s", "g", "z", "fast"].contains(&rest);
    if let Some(rest) = option.strip_prefix('O') {
        return is_level(rest);
    }
    if let Some(rest) = option.strip_prefix('g') {
        return is_level(rest) || rest.starts_with("gdb") || rest.starts_with("dwarf") || rest.starts_with("no-");
    }
    if ["w", "c", "pipe", "pthread", "pedantic", "pedantic-errors", "v"].contains(&option) {
        return true;
    }
    ["W", "f", "l", "L", "march=", "mtune=", "msse", "mavx", "mno-", "mfpmath=", "mcmodel="]
        .iter()
        .any(|prefix| option.starts_with(prefix))
}

/// Options of compilers that change what a program means in a way that we do not follow, and what to do instead.
const MEANING: &[(&str, &str)] = &[
    ("-funsigned-char", "plain `char` is signed here, as gcc has it on this machine"),
    ("-fshort-enums", "enumerations are as large as `int` here, as gcc has them on this machine"),
    ("-fpack-struct", "use `#pragma pack` in the program"),
    ("-fshort-wchar", "`wchar_t` has 32 bits here"),
    ("-finstrument-functions", "calls are not instrumented"),
    ("-ftrapv", "signed overflow stops a run anyway, with an explanation"),
    ("-mx32", "the data models are LP64 (`-m64`) and ILP32 (`-m32`)"),
    ("-m16", "the data models are LP64 (`-m64`) and ILP32 (`-m32`)"),
    ("-E", "`quod show --preprocessed` prints the text after preprocessing"),
    ("-S", "`quod show --model` prints what the program becomes"),
    ("-o", "no file is made: `quod run` runs the program at once"),
    ("-fsyntax-only", "`quod show --model` reads a program without running it"),
];

/// Writes clap's message, with advice where we know better, and ends: 0 for `--help`, 2 for a wrong command line.
pub(crate) fn report(error: &clap::Error, words: &[OsString]) -> ! {
    if !error.use_stderr() {
        std::process::exit(console::print_styled(&error.render()));
    }
    if let Some(message) = unsupported(error, words) {
        eprintln!("error: {message}");
        std::process::exit(exit_code::USAGE)
    }
    let _ = error.print();
    if let Some(advice) = advice(error, words) {
        eprintln!("\n{advice}");
    }
    std::process::exit(exit_code::USAGE)
}

/// What to say about an option of compilers that we cannot follow.
fn unsupported(error: &clap::Error, words: &[OsString]) -> Option<String> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let is_given = |name: &str| words.iter().skip(2).take_while(|word| *word != "--").any(|word| word == name);
    let (name, help) = MEANING.iter().find(|(name, _)| is_given(name))?;
    Some(format!("the compiler's option {name} is not supported\n\n  {help}"))
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
    fn options_of_compilers_that_change_nothing_are_dropped() {
        let harmless =
            ["-O2", "-Os", "-g", "-ggdb3", "-Wall", "-Wextra", "-w", "-fno-strict-aliasing", "-lm", "-pedantic"];
        for option in harmless {
            assert_eq!(respelled(&["quod", "run", option, "p.c"]), ["quod", "run", "p.c"], "{option}");
        }
        assert_eq!(respelled(&["quod", "run", "-fwrapv", "p.c"]), ["quod", "run", "--wrapv", "p.c"]);
        for option in ["-funsigned-char", "-mx32", "-Onothing", "-o", "-I", "-", "--seed"] {
            assert_eq!(respelled(&["quod", "run", option, "p.c"]), ["quod", "run", option, "p.c"], "{option}");
        }
    }

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
