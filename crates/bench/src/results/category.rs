//! How an answer relates to what is expected, by BenchExec's rules, and the status that a run gets in the end.

use crate::input::expected::Expected;
use crate::runner::{Outcome, Termination};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    Correct,
    CorrectUnconfirmed,
    Wrong,
    Unknown,
    Error,
    #[default]
    Missing,
}

impl Category {
    pub fn name(self) -> &'static str {
        match self {
            Category::Correct => "correct",
            Category::CorrectUnconfirmed => "correct-unconfirmed",
            Category::Wrong => "wrong",
            Category::Unknown => "unknown",
            Category::Error => "error",
            Category::Missing => "missing",
        }
    }
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Correct, Self::CorrectUnconfirmed, Self::Wrong, Self::Unknown, Self::Error, Self::Missing]
            .into_iter()
            .find(|category| category.name() == text)
    }
}

/// Whether an answer claims that the property holds, that it is violated, or neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    Holds,
    Violated,
    Nothing,
}

pub fn claim(status: &str) -> Claim {
    match status {
        "true" => Claim::Holds,
        "false" => Claim::Violated,
        _ if status.starts_with("false(") && status.ends_with(')') => Claim::Violated,
        _ => Claim::Nothing,
    }
}

/// The category of a status. `expected` is absent where the task has no verdict for the property.
pub fn categorize(status: &str, has_property: bool, expected: Option<&Expected>) -> Category {
    let claim = claim(status);
    if claim == Claim::Nothing {
        return match status {
            "unknown" => Category::Unknown,
            "done" => Category::Missing,
            _ => Category::Error,
        };
    }
    let Some(expected) = expected.filter(|_| has_property) else { return Category::Missing };
    if let Some(subproperty) = &expected.subproperty
        && claim == Claim::Violated
        && status != format!("false({subproperty})")
    {
        // Another violation than the one that counts: no points, and no penalty either.
        return Category::Unknown;
    }
    if (claim == Claim::Holds) == expected.holds { Category::Correct } else { Category::Wrong }
}

/// The tool's answer and the reason for which the run ended, made into one status.
pub fn status(answer: &str, outcome: &Outcome, cpu_limit: Option<f64>, wall_limit: Option<f64>) -> String {
    let mut answer = answer.to_string();
    if ["done", "ERROR", "unknown"].contains(&answer.as_str()) {
        match (outcome.signal, outcome.exit_code) {
            (Some(libc::SIGABRT), _) => answer = "ABORTED".into(),
            (Some(libc::SIGSEGV), _) => answer = "SEGMENTATION FAULT".into(),
            (Some(libc::SIGTERM), _) => answer = "KILLED".into(),
            (Some(number), _) => answer = format!("KILLED BY SIGNAL {number}"),
            (None, Some(code)) if code != 0 && answer != "unknown" => answer = format!("ERROR ({code})"),
            _ => {}
        }
    }
    let is_over = |value: f64, limit: Option<f64>| limit.is_some_and(|limit| value > limit);
    let end = if is_over(outcome.cpu_time, cpu_limit) || is_over(outcome.wall_time, wall_limit) {
        Some("TIMEOUT")
    } else {
        outcome.termination.map(|reason| match reason {
            Termination::Cputime | Termination::CputimeSoft | Termination::Walltime => "TIMEOUT",
            Termination::Memory => "OUT OF MEMORY",
            Termination::FilesSize => "FILES-SIZE LIMIT",
            Termination::Killed => "KILLED",
            Termination::Failed => "FAILED",
        })
    };
    match end {
        None => answer,
        // An answer after the limit does not count, but it is worth seeing.
        Some(end) => match answer.as_str() {
            "done" | "ERROR" | "unknown" | "KILLED" | "KILLED BY SIGNAL 9" | "" => end.to_string(),
            answer if answer == end || answer.starts_with("ERROR (") => end.to_string(),
            answer => format!("{end} ({answer})"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benchexec_rules() {
        let expected = |text: &str| Expected::parse(text).unwrap();
        let of = |status: &str, verdict: &str| categorize(status, true, Some(&expected(verdict)));
        assert_eq!(of("true", "true"), Category::Correct);
        assert_eq!(of("true", "false"), Category::Wrong);
        assert_eq!(of("false", "true"), Category::Wrong);
        assert_eq!(of("false(unreach-call)", "false"), Category::Correct);
        assert_eq!(of("false(valid-deref)", "false(valid-deref)"), Category::Correct);
        assert_eq!(of("false", "false(valid-deref)"), Category::Unknown);
        assert_eq!(of("false(valid-free)", "false(valid-deref)"), Category::Unknown);
        assert_eq!(of("true", "false(valid-deref)"), Category::Wrong);
        assert_eq!(of("false(valid-free)", "true"), Category::Wrong);
        assert_eq!(of("unknown", "true"), Category::Unknown);
        assert_eq!(of("TIMEOUT", "true"), Category::Error);
        assert_eq!(of("done", "true"), Category::Missing);
        assert_eq!(categorize("true", true, None), Category::Missing);
        assert_eq!(categorize("true", false, Some(&expected("true"))), Category::Missing);
    }

    #[test]
    fn limits_override_answers() {
        let mut outcome = Outcome { exit_code: Some(0), cpu_time: 11.0, ..Outcome::default() };
        assert_eq!(status("true", &outcome, Some(10.0), None), "TIMEOUT (true)");
        assert_eq!(status("unknown", &outcome, Some(10.0), None), "TIMEOUT");
        assert_eq!(status("true", &outcome, Some(20.0), None), "true");
        outcome.termination = Some(Termination::Memory);
        assert_eq!(status("ERROR", &outcome, None, None), "OUT OF MEMORY");
        let crash = Outcome { signal: Some(libc::SIGSEGV), ..Outcome::default() };
        assert_eq!(status("ERROR", &crash, None, None), "SEGMENTATION FAULT");
        let failed = Outcome { exit_code: Some(3), ..Outcome::default() };
        assert_eq!(status("ERROR", &failed, None, None), "ERROR (3)");
        assert_eq!(status("unknown", &failed, None, None), "unknown");
    }
}
