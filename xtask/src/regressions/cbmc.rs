//! CBMC's `test.desc`: a line of tags, the program, the options, then patterns that the output must match up to a line
//! `--`. Options become checks of ours as far as they ask about the program.

use super::{Case, Question, Wanted, prelude};
use crate::shell;
use anyhow::Result;
use std::path::Path;

pub(super) fn cases(root: &Path, scratch: &Path) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for file in shell::files_below(root, "desc", None)? {
        let text = String::from_utf8_lossy(&std::fs::read(&file)?).into_owned();
        let place = file.parent().unwrap_or(root).to_path_buf();
        let name = file.strip_prefix(root).unwrap_or(&file).with_extension("").to_string_lossy().into_owned();
        let name = name.strip_suffix("/test").unwrap_or(&name).to_owned();
        let asked = question(&text, &place, scratch);
        cases.push(Case { folder: family(&name), name, place, asked });
    }
    Ok(cases)
}

/// `Array_UF12` is of the family `Array_UF`.
fn family(name: &str) -> String {
    let folder = name.split('/').next().unwrap_or(name);
    let stem = folder.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['-', '_']);
    stem.split("_through_").next().unwrap_or(stem).to_owned()
}

fn question(text: &str, place: &Path, scratch: &Path) -> Result<Question, String> {
    let mut lines = text.lines();
    let mut next = || lines.next().unwrap_or("").trim().to_owned();
    let (_tags, program, options) = (next(), next(), next());
    let patterns: Vec<&str> = text.lines().skip(3).take_while(|line| line.trim() != "--").collect();
    if !(program.ends_with(".c") || program.ends_with(".i")) {
        return Err(format!("the program is `{program}`"));
    }
    let wanted = wanted(&patterns)?;
    let mut asked = Asked { kinds: STANDARD.to_vec(), ..Asked::default() };
    asked.read(&options)?;
    if wanted == Wanted::Fails && is_about_bounds(&patterns, &asked) {
        return Err("what fails is CBMC's bound of a loop".into());
    }
    let source = String::from_utf8_lossy(&std::fs::read(place.join(&program)).unwrap_or_default()).into_owned();
    for word in ["__CPROVER_uninterpreted_", "#pragma CPROVER", "__CPROVER_fixedbv", "__CPROVER_bitvector"] {
        if source.contains(word) {
            return Err(format!("`{word}…` is not C"));
        }
    }
    let prelude = scratch.join(prelude::CPROVER_FILE);
    let mut words = vec!["--include".to_owned(), prelude.to_string_lossy().into_owned()];
    if asked.may_malloc_fail {
        words.extend([
            "--include".to_owned(),
            scratch.join(prelude::FAILING_MALLOC_FILE).to_string_lossy().into_owned(),
        ]);
    }
    words.extend(["--property".to_owned(), "assertion".to_owned(), "--check".to_owned(), "unreach-call".to_owned()]);
    for kind in &asked.kinds {
        words.extend(["--check".to_owned(), (*kind).to_owned()]);
    }
    words.extend(asked.words);
    let main = match asked.function.as_deref() {
        None => None,
        Some(function) => Some(starting(function, &source, &place.join(&program))?),
    };
    if main.is_none() {
        words.push(program);
    }
    Ok(Question { wanted, words, main })
}

fn wanted(patterns: &[&str]) -> Result<Wanted, String> {
    let has = |text: &str| patterns.iter().any(|line| line.contains(text));
    match (has("VERIFICATION SUCCESSFUL"), has("VERIFICATION FAILED")) {
        (true, false) => Ok(Wanted::Holds),
        (false, true) => Ok(Wanted::Fails),
        (true, true) => Err("both answers are allowed".into()),
        _ if has("CONVERSION ERROR") || has("PARSING ERROR") || has("EXIT=6") => Ok(Wanted::Refused),
        // Where nothing else than the verdict is asked for, the exit code tells it.
        _ if has("EXIT=10$") => Ok(Wanted::Fails),
        _ if has("EXIT=0$") => Ok(Wanted::Holds),
        _ => Err("no verdict is expected".into()),
    }
}

/// Whether the only failures that are named are those of bounds.
fn is_about_bounds(patterns: &[&str], asked: &Asked) -> bool {
    let failures = || patterns.iter().filter(|line| line.contains("FAILURE"));
    asked.is_unwound && failures().count() > 0 && failures().all(|line| line.contains("unwinding assertion"))
}

/// What CBMC looks for unless it is told otherwise, in our words.
const STANDARD: &[&str] =
    &["out-of-bounds", "pointer", "invalid-free", "null-argument", "division-by-zero", "overflow", "shift"];

#[derive(Default)]
struct Asked {
    kinds: Vec<&'static str>,
    words: Vec<String>,
    function: Option<String>,
    is_unwound: bool,
    may_malloc_fail: bool,
}

impl Asked {
    fn read(&mut self, options: &str) -> Result<(), String> {
        let options: Vec<&str> = options.split_whitespace().collect();
        self.may_malloc_fail = !options.contains(&"--no-standard-checks");
        if !self.may_malloc_fail {
            self.kinds.clear();
        }
        let mut words = options.iter().copied();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("`{word}` has no value"));
            match word {
                "--no-standard-checks" => {}
                "--function" => self.function = Some(value()?.to_owned()),
                "--unwind" | "--unwindset" | "--depth" => {
                    value()?;
                    self.is_unwound = true;
                }
                // How to search and what to print about it; the answer is the same.
                "--verbosity" | "--sat-solver" | "--min-null-tree-depth" | "--max-nondet-tree-depth" => {
                    value()?;
                }
                "--unwinding-assertions"
                | "--no-unwinding-assertions"
                | "--trace"
                | "--no-simplify"
                | "--slice-formula"
                | "--no-propagation"
                | "--arrays-uf-always"
                | "--refine-arrays"
                | "--refine"
                | "--full-slice"
                | "--floatbv"
                | "--stop-on-fail"
                | "--reachability-slice"
                | "--reachability-slice-fb"
                | "--little-endian"
                | "--beautify"
                | "--compact-trace"
                | "--stack-trace"
                | "--trace-hex"
                | "--trace-show-code"
                | "--no-array-field-sensitivity"
                | "--no-self-loops-to-assumptions"
                | "--arrays-uf-never"
                | "--trace-show-function-calls"
                | "--dereference-cache"
                | "--no-sat-preprocessor"
                | "--string-abstraction" => {}
                "--paths" => drop(value()?),
                "--32" | "--i386-linux" | "-m32" => self.words.push("--data-model=ILP32".into()),
                "--64" | "-m64" => self.words.push("--data-model=LP64".into()),
                "--c99" | "--c89" | "--c11" => self.words.push(format!("--std={}", word.replace("--c", "gnu"))),
                "--malloc-may-fail" | "--malloc-fail-null" => self.may_malloc_fail = true,
                "--no-malloc-may-fail" => self.may_malloc_fail = false,
                "--memory-leak-check" => self.kinds.extend(["memory-leak", "lost-memory"]),
                _ => self.other(word)?,
            }
        }
        Ok(())
    }

    fn other(&mut self, word: &str) -> Result<(), String> {
        let is_negated = word.starts_with("--no-");
        let kinds: &[&str] = match word.replacen("--no-", "--", 1).as_str() {
            "--bounds-check" => &["out-of-bounds"],
            "--pointer-check" => &["pointer", "invalid-free", "null-argument"],
            "--div-by-zero-check" => &["division-by-zero"],
            "--signed-overflow-check" => &["overflow"],
            "--undefined-shift-check" => &["shift"],
            // Conditions of CBMC's own predicates about pointers, of which we have none.
            "--pointer-primitive-check" => &[],
            "--pointer-overflow-check" => &["pointer-arithmetic"],
            _ if word.starts_with("-D") || word.starts_with("-I") => {
                self.words.push(word.to_owned());
                return Ok(());
            }
            _ if word.ends_with(".c") || word.ends_with(".i") => {
                self.words.push(word.to_owned());
                return Ok(());
            }
            _ => return Err(format!("`{word}` is about CBMC itself, or has no counterpart")),
        };
        for kind in kinds {
            self.kinds.retain(|known| known != kind);
            if !is_negated {
                self.kinds.push(kind);
            }
        }
        Ok(())
    }
}

/// A program that starts with another function, given any values: the parameters are variables that nobody sets.
fn starting(function: &str, source: &str, program: &Path) -> Result<String, String> {
    let is_definition = |at: &usize| {
        let before = source[..*at].chars().next_back();
        let after = source[at + function.len()..].trim_start();
        before.is_none_or(|c| !(c.is_alphanumeric() || c == '_')) && after.starts_with('(')
    };
    let at = source.match_indices(function).map(|(at, _)| at).find(is_definition);
    let at = at.ok_or_else(|| format!("the program has no function `{function}`"))?;
    let list =
        source[at..].split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(list, _)| list).trim();
    if list.contains(['*', '[', '(']) {
        return Err(format!("`{function}` starts with pointers to objects that CBMC makes up"));
    }
    let parameters: Vec<&str> =
        list.split(',').map(str::trim).filter(|word| !word.is_empty() && *word != "void").collect();
    let names: Option<Vec<&str>> = parameters
        .iter()
        .map(|parameter| parameter.split(|c: char| !(c.is_alphanumeric() || c == '_')).next_back())
        .collect();
    let names = names.unwrap_or_default();
    let declarations: String = parameters.iter().map(|parameter| format!("    {parameter};\n")).collect();
    Ok(format!(
        "#define main quod_other_main\n#include \"{}\"\n#undef main\nint main(void) {{\n{declarations}    {function}({});\n    return 0;\n}}\n",
        program.display(),
        names.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Result<Question, String> {
        question(text, Path::new("/p"), Path::new("/s"))
    }

    #[test]
    fn descriptions_become_questions() {
        let text = "CORE\nmain.c\n--no-standard-checks --div-by-zero-check --unwind 3 -DN=2\n^EXIT=10$\n^VERIFICATION FAILED$\n--\n^x\n";
        let Ok(question) = asked(text) else { panic!("is refused") };
        assert_eq!(question.wanted, Wanted::Fails);
        let words = question.words.join(" ");
        assert!(words.ends_with("--check unreach-call --check division-by-zero -DN=2 main.c"), "{words}");
    }

    #[test]
    fn tests_of_other_things_are_left_out() {
        assert!(asked("CORE\nmain.c\n--show-vcc\n^VERIFICATION FAILED$\n").is_err());
        assert!(asked("CORE\nmain.c\n\n^SIGNAL=0$\n").is_err());
        assert!(
            asked("CORE\nmain.c\n--unwind 2\n^\\[x\\] unwinding assertion loop 0: FAILURE$\n^VERIFICATION FAILED$\n")
                .is_err()
        );
    }

    #[test]
    fn another_start_gets_its_arguments() {
        let text = starting("fun", "int other_fun(int a);\nvoid fun(int a, unsigned b) {}", Path::new("p.c"));
        assert!(text.is_ok_and(|text| text.contains("    int a;\n    unsigned b;\n    fun(a, b);\n")));
        assert!(starting("fun", "void fun(int *p) {}", Path::new("p.c")).is_err());
    }
}
