//! File patterns and variables of definitions: `${benchmark_path}/x`, `~/y`, `$HOME/z`, `loops/*.yml`, `**/w.*`; and set
//! files, which hold one pattern a line.

use super::error::{InputError, code};
use std::path::{Path, PathBuf};

/// A pattern and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pub text: String,
    pub line: u32,
    pub column: u32,
}

/// `${name}` replaced by its value. A name that nobody defines stays as it is, as BenchExec leaves it.
pub fn substitute(text: &str, variables: &[(&str, String)]) -> String {
    if !text.contains("${") {
        return text.to_string();
    }
    let mut result = text.to_string();
    for (name, value) in variables {
        result = result.replace(&format!("${{{name}}}"), value);
    }
    result
}

/// The files that a pattern names, sorted. `**` crosses directories. No match is an empty list.
pub fn expand(pattern: &str, base: &Path) -> Vec<PathBuf> {
    let pattern = expand_home_and_environment(pattern.trim());
    let full = if Path::new(&pattern).is_absolute() || base.as_os_str().is_empty() {
        PathBuf::from(&pattern)
    } else {
        base.join(&pattern)
    };
    if !pattern.contains(['*', '?', '[']) {
        return if full.exists() { vec![full] } else { Vec::new() };
    }
    // Only the pattern's own wildcards count, not characters of the directory it is relative to.
    let escaped_base = glob::Pattern::escape(&base.to_string_lossy());
    let text = if Path::new(&pattern).is_absolute() || base.as_os_str().is_empty() {
        pattern
    } else {
        format!("{escaped_base}/{pattern}")
    };
    let options =
        glob::MatchOptions { require_literal_separator: true, require_literal_leading_dot: true, ..Default::default() };
    let mut found: Vec<PathBuf> =
        glob::glob_with(&text, options).map(|paths| paths.filter_map(Result::ok).collect()).unwrap_or_default();
    found.sort();
    found
}

fn expand_home_and_environment(text: &str) -> String {
    let mut result = text.to_string();
    if let Some(rest) = text.strip_prefix("~/")
        && let Ok(home) = std::env::var("HOME")
    {
        result = format!("{home}/{rest}");
    }
    expand_environment(&result)
}

/// `$NAME` and `${NAME}` from the environment; unknown names stay.
pub fn expand_environment(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('$') {
        result.push_str(&rest[..start]);
        let after = &rest[start + 1..];
        let (name, len) = match after.strip_prefix('{').and_then(|inner| inner.find('}').map(|end| (inner, end))) {
            Some((inner, end)) => (&inner[..end], end + 2),
            None => {
                let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
                (&after[..end], end)
            }
        };
        match (!name.is_empty()).then(|| std::env::var(name).ok()).flatten() {
            Some(value) => result.push_str(&value),
            None => result.push_str(&rest[start..start + 1 + len]),
        }
        rest = &after[len..];
    }
    result.push_str(rest);
    result
}

/// The task files that a set file names. A line without any match is a fault with that line: a set that silently lost
/// half of its tasks makes scores incomparable. The caller may decide otherwise.
pub fn read_set_file(file: &Path) -> (Vec<PathBuf>, Vec<InputError>) {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return (Vec::new(), vec![InputError::unreadable(file, &error)]),
    };
    let base = file.parent().unwrap_or(Path::new(""));
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let paths = expand(line, base);
        if paths.is_empty() {
            let message = format!("`{line}` matches no file");
            faults.push(InputError::new(code::NO_MATCH, file, number as u32 + 1, 1, message));
        }
        found.extend(paths);
    }
    if found.is_empty() && faults.is_empty() {
        faults.push(InputError::new(code::NO_MATCH, file, 1, 1, "the set file names no task"));
    }
    (found, faults)
}

/// Shell-like comparison of names: `*` and `?`.
pub fn wildcard_match(name: &str, pattern: &str) -> bool {
    glob::Pattern::new(pattern).map_or(name == pattern, |pattern| pattern.matches(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_known_and_unknown() {
        let variables = [("taskdef_name", "a.yml".to_string())];
        assert_eq!(substitute("x/${taskdef_name}/${other}", &variables), "x/a.yml/${other}");
        assert_eq!(expand_environment("$QUOD_NO_SUCH/${QUOD_NO_SUCH}/$"), "$QUOD_NO_SUCH/${QUOD_NO_SUCH}/$");
        assert!(wildcard_match("SV-COMP25_unreach-call", "*unreach*"));
    }
}
