//! The regression programs of CBMC and of SMACK with the results that they expect.
//!
//! `cargo xtask regressions cbmc|smack DIR [--timeout 5] [--threads 1] [--verbose] [FILTER]`, where DIR is CBMC's
//! `regression/cbmc` or SMACK's `test/c`. Each test becomes a call of `quod verify` that asks what the test's options
//! ask; a test of something else than verdicts (printing, coverage, choice of solvers) is unsupported, with the reason.
//! An opposite answer has a sentence in `reasons.rs`, or it is a bug.

mod cbmc;
mod prelude;
mod reasons;
mod smack;

use crate::shell;
use crate::suite::{self, Fate, Judged};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a test wants to hear.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Wanted {
    Holds,
    Fails,
    /// The program is refused by the front end.
    Refused,
}

/// One test: how to ask, and the answer, or why it is not for us.
struct Case {
    folder: String,
    name: String,
    /// Where the command starts.
    place: PathBuf,
    asked: Result<Question, String>,
}

struct Question {
    wanted: Wanted,
    /// Words behind `quod verify`: files, options of the preprocessor, checks.
    words: Vec<String>,
    /// A program to be written beside the prelude and given as the last word: a `main` that calls what the test starts with.
    main: Option<String>,
}

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let usage = "say which suite and where: regressions cbmc|smack DIR";
    let suite_name = arguments.first().context(usage)?.as_str();
    let root = PathBuf::from(arguments.get(1).context(usage)?).canonicalize().context("there is no such folder")?;
    let seconds = shell::number_option(arguments, "--timeout", 5)?;
    let threads = shell::number_option(arguments, "--threads", 1)? as usize;
    let is_verbose = arguments.iter().any(|argument| argument == "--verbose");
    let filter = suite::filter(arguments, 2);
    let scratch = std::env::temp_dir().join(format!("quod-regressions-{}", std::process::id()));
    std::fs::create_dir_all(&scratch)?;
    prelude::write(&scratch)?;
    let mut cases = match suite_name {
        "cbmc" => cbmc::cases(&root, &scratch)?,
        "smack" => smack::cases(&root, &scratch)?,
        other => bail!("there is no suite `{other}`: {usage}"),
    };
    cases.retain(|case| filter.is_none_or(|filter| case.name.contains(filter)));
    let quod = shell::release_binary()?;
    let fates = suite::judge_all(&cases, threads, |case| judge(case, &quod, &scratch, seconds));
    std::fs::remove_dir_all(&scratch)?;
    suite::list(&fates, is_verbose, |index| cases[index].name.clone(), |name| reasons::reason(suite_name, name));
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    cases.iter().for_each(|case| *sizes.entry(&case.folder).or_default() += 1);
    // Small families go together.
    let row = |index: usize| match sizes[cases[index].folder.as_str()] {
        0..5 => "(families of less than 5)".to_owned(),
        _ => cases[index].folder.clone(),
    };
    let mut rows: Vec<String> = (0..cases.len()).map(row).collect();
    rows.sort();
    rows.dedup();
    suite::table(&rows, &fates, row);
    let is_explained = |index: usize| reasons::reason(suite_name, &cases[index].name).is_some();
    let opposite = fates.iter().filter(|(_, (fate, _))| *fate == Fate::Opposite);
    let (explained, bugs): (Vec<_>, Vec<_>) = opposite.partition(|(index, _)| is_explained(**index));
    println!("opposite with a reason: {}; without, so bugs: {}", explained.len(), bugs.len());
    Ok(())
}

fn judge(case: &Case, quod: &Path, scratch: &Path, seconds: u64) -> Judged {
    let question = match &case.asked {
        Ok(question) => question,
        Err(why) => return (Fate::Unsupported, why.clone()),
    };
    let mut command = Command::new("timeout");
    command.arg((seconds + 5).to_string()).arg(quod).arg("verify").current_dir(&case.place).stdin(Stdio::null());
    command.args(&question.words).arg("--format=short").arg(format!("--timeout={seconds}"));
    let main = scratch.join(format!("main-{}.c", case.name.replace(['/', '.'], "-")));
    if let Some(text) = &question.main {
        if std::fs::write(&main, text).is_err() {
            return (Fate::Unknown, "the program cannot be written".into());
        }
        command.arg(&main);
    }
    let Ok(output) = command.output() else { return (Fate::Unknown, "quod does not start".into()) };
    let (result, message) = (suite::result_line(&output), suite::error_line(&output));
    let message = message.replace(&format!("{}/", case.place.display()), "");
    let why = format!("{:?} is expected: {result} {message}", question.wanted).to_lowercase();
    let fate = match (output.status.code(), question.wanted) {
        (Some(0), Wanted::Holds) | (Some(1), Wanted::Fails) | (Some(4), Wanted::Refused) => Fate::Expected,
        (Some(0 | 1), _) => Fate::Opposite,
        // That we do not understand it is no answer.
        (Some(4), _) => Fate::Unsupported,
        _ if result.contains("unsupported") || result.contains("not supported") => Fate::Unsupported,
        (Some(code), _) if result.is_empty() => return (Fate::Unknown, format!("{why} (exit {code})")),
        _ => Fate::Unknown,
    };
    (fate, why)
}
