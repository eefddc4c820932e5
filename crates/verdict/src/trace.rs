//! An execution as evidence: which values the outside chose, which process moved, what each step changed. Saved as JSON
//! with a version; `replay`, `report` and editors read it. Fields are only ever added within a version.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub const TRACE_VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    pub trace_version: u32,
    /// The tool that made it, `quod 0.1.0`.
    pub producer: String,
    /// The files that it is a trace of, main file first.
    pub sources: Vec<TraceSource>,
    /// The words of the command that found it, without the tool's name: they make the program again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// What must be the same to replay it: `data-model`, `arith`, `seed`, …
    pub options: BTreeMap<String, String>,
    /// `$input` variables by name.
    pub inputs: BTreeMap<String, TraceValue>,
    pub steps: Vec<TraceStep>,
    /// Which process moves, one move after the other, and what it chooses where the language leaves a choice open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<TraceMove>,
    /// The values that the outside gives, in the order in which they are asked for, by the name of who asks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<TraceGiven>,
    /// What `$abstract` functions give, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub functions: BTreeMap<String, TraceFunction>,
    /// What the last step shows; nothing for a trace that simply ends.
    pub violation: Option<TraceViolation>,
    /// For an infinite execution: the steps from this one on repeat for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats_from: Option<usize>,
}

impl Default for Trace {
    fn default() -> Self {
        Self {
            trace_version: TRACE_VERSION,
            producer: concat!("quod ", env!("CARGO_PKG_VERSION")).into(),
            sources: Vec::new(),
            command: Vec::new(),
            options: BTreeMap::new(),
            inputs: BTreeMap::new(),
            steps: Vec::new(),
            moves: Vec::new(),
            given: Vec::new(),
            functions: BTreeMap::new(),
            violation: None,
            repeats_from: None,
        }
    }
}

/// One move of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceMove {
    pub process: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<u32>,
    /// Processes that have ended and whose numbers may be given to others from here on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forgotten: Vec<u32>,
}

/// A value from outside: a number as text, exact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceGiven {
    /// Nothing where nobody in particular asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub integer: Option<String>,
    /// The bits of a double, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub double: Option<String>,
    /// A real that is no double, as `2/3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fraction: Option<String>,
}

/// What an `$abstract` function gives in the execution.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TraceFunction {
    pub entries: Vec<TraceApplication>,
    /// For all other arguments; nothing stands for zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<TraceGiven>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TraceApplication {
    pub arguments: Vec<TraceGiven>,
    pub value: TraceGiven,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceSource {
    pub name: String,
    /// The fingerprint of the text, in hexadecimal, to notice that a file has changed.
    pub fingerprint: String,
}

/// A place for readers outside the process: names and numbers instead of spans. Lines and columns count from one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TracePlace {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceStep {
    /// Which process moved; 0 is the one that runs `main`.
    pub process: u32,
    pub function: String,
    pub place: Option<TracePlace>,
    pub action: TraceAction,
    /// What it changed, as a C expression and its new value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<TraceChange>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "action")]
pub enum TraceAction {
    Statement,
    /// A condition and the way taken.
    Branch {
        taken: bool,
    },
    /// `switch`, computed `goto`, `$choose`: which of several ways.
    Choice {
        chosen: u64,
    },
    Call {
        function: String,
    },
    Return {
        value: Option<TraceValue>,
    },
    /// A value from outside: `__VERIFIER_nondet_int()`, `$havoc`, a read of stdin.
    Nondet {
        source: String,
        value: TraceValue,
    },
    Spawn {
        process: u32,
    },
    Exit,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceChange {
    pub left: String,
    pub value: TraceValue,
}

/// A concrete value as C would write it, and the bits where it has some.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceValue {
    pub text: String,
    #[serde(rename = "type")]
    pub type_name: String,
    /// The bytes in memory order, in hexadecimal, for machine values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceViolation {
    /// The word in `FALSE(word)`.
    pub kind: String,
    /// `Q1003`
    pub code: String,
    pub message: String,
    pub place: Option<TracePlace>,
}

/// Why a trace file cannot be used.
#[derive(Debug)]
pub enum TraceError {
    NotJson(serde_json::Error),
    /// Made by a newer tool.
    Version(u32),
}

impl std::fmt::Display for TraceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TraceError::NotJson(error) => write!(f, "not a trace: {error}"),
            TraceError::Version(version) => {
                write!(f, "the trace has version {version}, this tool reads versions up to {TRACE_VERSION}")
            }
        }
    }
}

impl std::error::Error for TraceError {}

impl Trace {
    pub fn from_json(text: &str) -> Result<Self, TraceError> {
        #[derive(Deserialize)]
        struct Version {
            trace_version: u32,
        }
        let Version { trace_version } = serde_json::from_str(text).map_err(TraceError::NotJson)?;
        if trace_version > TRACE_VERSION {
            return Err(TraceError::Version(trace_version));
        }
        serde_json::from_str(text).map_err(TraceError::NotJson)
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_reads_back() {
        let value = TraceValue { text: "-1".into(), type_name: "int".into(), bytes: Some("ffffffff".into()) };
        let place = TracePlace { file: "a.c".into(), line: 3, column: 5, end_line: 3, end_column: 9 };
        let mut trace = Trace::default();
        trace.inputs.insert("N".into(), value.clone());
        let action = TraceAction::Nondet { source: "__VERIFIER_nondet_int".into(), value };
        trace.steps.push(TraceStep {
            process: 0,
            function: "main".into(),
            place: Some(place),
            action,
            changes: vec![],
        });
        assert_eq!(Trace::from_json(&trace.to_json()).unwrap(), trace);
    }

    #[test]
    fn newer_versions_are_refused() {
        assert!(matches!(Trace::from_json("{\"trace_version\": 99}"), Err(TraceError::Version(99))));
        assert!(matches!(Trace::from_json("{"), Err(TraceError::NotJson(_))));
    }
}
