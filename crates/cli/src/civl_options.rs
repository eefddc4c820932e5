//! Options as CIVL writes them, with one dash: `-checkDeadlock=none`, `-errorBound=2`, `-min`. Those that only change what
//! CIVL prints, or how it works inside, are accepted and have no effect.

/// CIVL's names of checks, and the kinds that they are here.
const CHECKS: &[(&str, &[&str])] = &[
    ("checkAssertion", &["assertion"]),
    ("checkCommErr", &["communication"]),
    ("checkConstWrite", &["constant-write"]),
    ("checkDivisionByZero", &["division-by-zero"]),
    ("checkInputWrite", &["input-write"]),
    ("checkInvalidCast", &["invalid-cast"]),
    ("checkMallocErr", &["malloc"]),
    ("checkMemManageErr", &["invalid-free"]),
    ("checkMemoryLeak", &["memory-leak"]),
    ("checkMpiErr", &["communication"]),
    ("checkOutOfBounds", &["out-of-bounds"]),
    ("checkOutputRead", &["output-read"]),
    ("checkPointerErr", &["pointer", "pointer-arithmetic"]),
    ("checkProcLeak", &["process-leak"]),
    ("checkSeqErr", &["sequence"]),
    ("checkTermination", &["termination"]),
    ("checkUndefVal", &["undefined-value"]),
    ("checkUnionErr", &["union"]),
];

/// Options without an effect on the answer.
const SILENT: &[&str] = &[
    "quiet",
    "verbose",
    "debug",
    "enablePrintf",
    "statelessPrintf",
    "simplify",
    "collectHeaps",
    "collectOutput",
    "collectProcesses",
    "collectScopes",
    "collectSymbolicConstants",
    "analyze_abs",
    "intOperationTransformer",
    "showAmpleSet",
    "showAmpleSetWtStates",
    "showInputs",
    "showMemoryUnits",
    "showModel",
    "showPathCondition",
    "showProgram",
    "showProverQueries",
    "showQueries",
    "showSavedStates",
    "showStates",
    "showTime",
    "showTransitions",
    "showUnreached",
    "errorStateEquiv",
    "solve",
    "strict",
    "web",
    "_CIVL",
];

/// The same in our own words; nothing where it is no option of CIVL's.
pub(crate) fn respell(word: &str) -> Option<Vec<String>> {
    let option = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
    let (name, value) = match option.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (option, None),
    };
    let is_on = value != Some("false");
    if let Some((_, kinds)) = CHECKS.iter().find(|(check, _)| *check == name) {
        let switch = if is_on { "--check" } else { "--no-check" };
        return Some(kinds.iter().map(|kind| format!("{switch}={kind}")).collect());
    }
    if SILENT.contains(&name) {
        return Some(Vec::new());
    }
    let number = |ours: &str| value.map(|value| vec![format!("--{ours}={value}")]);
    match name {
        "checkDeadlock" | "deadlock" => number("deadlock"),
        "errorBound" => number("errors"),
        "maxdepth" => number("max-depth"),
        "procBound" | "maxProcs" => number("max-processes"),
        "timeout" => number("timeout"),
        "seed" => number("seed"),
        "min" if value.is_none() || value == Some("true") => Some(vec!["--min".into()]),
        "min" => Some(Vec::new()),
        "saveStates" if is_on => Some(Vec::new()),
        "saveStates" => Some(vec!["--no-save-states".into()]),
        "userIncludePath" | "sysIncludePath" => {
            let paths = value?.split(':').filter(|path| !path.is_empty());
            Some(paths.flat_map(|path| ["-I".to_owned(), path.to_owned()]).collect())
        }
        "spec" | "impl" if value.is_none() => Some(vec![format!("--{name}")]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_civl_are_understood() {
        let respelled = |word: &str| respell(word).map(|words| words.join(" "));
        assert_eq!(respelled("-checkMemoryLeak=false").as_deref(), Some("--no-check=memory-leak"));
        assert_eq!(respelled("-checkDeadlock=potential").as_deref(), Some("--deadlock=potential"));
        assert_eq!(respelled("-errorBound=3").as_deref(), Some("--errors=3"));
        assert_eq!(respelled("-quiet").as_deref(), Some(""));
        assert_eq!(respelled("-userIncludePath=a:b").as_deref(), Some("-I a -I b"));
        assert_eq!(respelled("-inputN=3"), None);
        assert_eq!(respelled("--min"), None);
        assert_eq!(respelled("-"), None);
    }

    #[test]
    fn kinds_of_checks_exist() {
        for kind in CHECKS.iter().flat_map(|(_, kinds)| kinds.iter()) {
            assert!(quod_verdict::CheckKind::from_word(kind).is_some(), "{kind}");
        }
    }
}
