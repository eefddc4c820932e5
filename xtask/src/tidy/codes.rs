//! The registry of diagnostic codes is complete and has no dead entries: each declared code is used somewhere, and each
//! code that a text names exists.

use super::File;
use quod_diag::Code;
use quod_diag::codes::entries;

pub(super) fn problems(files: &[File]) -> Vec<String> {
    let is_registry = |file: &&File| file.path.starts_with("crates/diag/src/codes");
    let mut problems = Vec::new();
    for entry in entries() {
        let uses = files.iter().filter(|file| file.is_rust() && !is_registry(file));
        if !uses.into_iter().any(|file| has_word(&file.text, entry.name)) {
            problems.push(format!("code {} {} is declared but nothing uses it", entry.code, entry.name));
        }
    }
    for file in files {
        for (number, line) in file.text.lines().enumerate() {
            for name in named_codes(line) {
                if Code::find(name).is_none() && !is_range_or_example(name) {
                    problems.push(format!("{}:{}: there is no code {name}", file.path, number + 1));
                }
            }
        }
    }
    problems
}

/// Ranges (`Q1000 to Q1999`) and examples (`Q0123`) in texts about codes.
fn is_range_or_example(name: &str) -> bool {
    name.ends_with("000") || name.ends_with("001") || name.ends_with("99") || name.ends_with("00") || name == "Q0123"
}

fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !is_part(text[..at].chars().next_back()) && !is_part(text[at + word.len()..].chars().next())
    })
}

/// `Q` and four digits, standing alone.
fn named_codes(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices('Q').filter_map(move |(at, _)| {
        let name = line.get(at..at + 5)?;
        let is_code = name[1..].bytes().all(|byte| byte.is_ascii_digit());
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let stands_alone = !is_part(line[..at].chars().next_back()) && !is_part(line[at + 5..].chars().next());
        (is_code && stands_alone).then_some(name)
    })
}
