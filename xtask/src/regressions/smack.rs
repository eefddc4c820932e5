//! SMACK's tests: `// @expect verified|error` and `// @flag …` in the program, and flags of its folders in `config.yml`.

use super::{Case, Question, Wanted, prelude};
use crate::shell;
use anyhow::Result;
use std::path::Path;

pub(super) fn cases(root: &Path, scratch: &Path) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for file in shell::files_below(root, "c", None)? {
        let text = String::from_utf8_lossy(&std::fs::read(&file)?).into_owned();
        let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().into_owned();
        let folder = name.split('/').next().unwrap_or("").to_owned();
        let flags = folder_flags(root, file.parent().unwrap_or(root));
        let asked = question(&text, flags, &name, root, scratch);
        cases.push(Case { folder, name, place: root.to_path_buf(), asked });
    }
    Ok(cases)
}

/// The flags of a folder and of those around it.
fn folder_flags(root: &Path, folder: &Path) -> Vec<String> {
    let mut flags = Vec::new();
    for folder in folder.ancestors().take_while(|folder| folder.starts_with(root)) {
        let text = std::fs::read_to_string(folder.join("config.yml")).unwrap_or_default();
        let list = text.lines().find_map(|line| line.strip_prefix("flags:")).unwrap_or("").trim();
        let list = list.trim_start_matches('[').trim_end_matches(']');
        flags.extend(list.split(',').map(|flag| flag.trim().to_owned()).filter(|flag| !flag.is_empty()));
    }
    flags
}

fn question(text: &str, mut flags: Vec<String>, name: &str, root: &Path, scratch: &Path) -> Result<Question, String> {
    let mut wanted = None;
    for line in text.lines() {
        if let Some((_, flag)) = line.split_once("@flag ") {
            flags.push(flag.trim().to_owned());
        }
        if let Some((_, answer)) = line.split_once("@expect ") {
            wanted = Some(answer.trim().to_owned());
        }
        if line.contains("@checkbpl") || line.contains("@checkout") {
            return Err("the test is about SMACK's own output".into());
        }
    }
    let wanted = match wanted.as_deref() {
        Some("verified") => Wanted::Holds,
        Some("error") => Wanted::Fails,
        Some(other) => return Err(format!("`{other}` is expected")),
        None => return Err("nothing is expected".into()),
    };
    let mut words: Vec<String> = vec!["-I".into(), scratch.join(prelude::SMACK_FOLDER).to_string_lossy().into_owned()];
    let mut kinds = vec!["assertion"];
    for flag in &flags {
        read(flag, &mut kinds, &mut words)?;
    }
    // What belongs to SMACK's own language is not C.
    for word in ["__SMACK_", "requires(", "ensures(", "immintrin.h"] {
        if text.contains(word) {
            return Err(format!("`{word}…` is not C"));
        }
    }
    let Some((&property, others)) = kinds.split_first() else { return Err("nothing is checked".into()) };
    words.extend(["--property".to_owned(), property.to_owned()]);
    others.iter().for_each(|kind| words.extend(["--check".to_owned(), (*kind).to_owned()]));
    words.push(root.join(name).to_string_lossy().into_owned());
    Ok(Question { wanted, words, main: None })
}

fn read(flag: &str, kinds: &mut Vec<&'static str>, words: &mut Vec<String>) -> Result<(), String> {
    let (name, value) = flag.split_once(['=', ' ']).unwrap_or((flag, ""));
    match (name, value) {
        // How SMACK models and searches.
        ("--unroll" | "--loop-limit" | "--context-bound" | "--verifier-options" | "--integer-encoding", _)
        | ("--pointer-encoding" | "--float" | "--pthread" | "--strings" | "--rewrite-bitwise-ops", _) => {}
        ("--check", "memory-safety") => {
            *kinds = vec!["pointer", "invalid-free", "null-argument", "memory-leak", "lost-memory"]
        }
        ("--check", "integer-overflow") => *kinds = vec!["no-overflow", "shift"],
        ("--clang-options", options) if options.contains("-D") || options.contains("-I") => {
            words.extend(options.split_whitespace().map(|word| word.trim_matches('"').to_owned()));
        }
        ("--clang-options", _) => {}
        ("--checked-functions", _) => return Err("assertions of some functions only are asked about".into()),
        _ => return Err(format!("`{flag}` is about SMACK itself")),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_become_questions() {
        let text = "// @flag --check=integer-overflow\n// @expect error\nint main(void) {}";
        let question = question(text, vec!["--unroll=2".into()], "basic/a.c", Path::new("/r"), Path::new("/s"));
        let Ok(question) = question else { panic!("is refused") };
        assert_eq!(question.wanted, Wanted::Fails);
        assert!(question.words.join(" ").ends_with("--property no-overflow --check shift /r/basic/a.c"));
    }
}
