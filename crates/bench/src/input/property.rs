//! Property files (`.prp`). A file is one of the competition's when every line that is not empty starts with `CHECK`,
//! and there is such a line; only those are scored.

use super::error::InputError;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    pub file: PathBuf,
    /// `unreach-call` of `…/unreach-call.prp`.
    pub name: String,
    pub is_scored: bool,
}

impl Property {
    pub fn read(file: &Path) -> Result<Self, InputError> {
        let text = std::fs::read_to_string(file).map_err(|error| InputError::unreadable(file, &error))?;
        let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Self { file: file.to_path_buf(), name, is_scored: is_scored(&text) })
    }
}

pub fn is_scored(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim_end().is_empty()).peekable();
    lines.peek().is_some() && lines.all(|line| line.starts_with("CHECK"))
}

/// The competition's properties, so that `--property unreach-call` needs no file.
pub fn standard_text(name: &str) -> Option<&'static str> {
    Some(match name {
        "unreach-call" => "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
        "valid-memsafety" => {
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
             CHECK( init(main()), LTL(G valid-memtrack) )\n"
        }
        "valid-memcleanup" => "CHECK( init(main()), LTL(G valid-memcleanup) )\n",
        "no-overflow" => "CHECK( init(main()), LTL(G ! overflow) )\n",
        "no-data-race" => "CHECK( init(main()), LTL(G ! data-race) )\n",
        "termination" => "CHECK( init(main()), LTL(F end) )\n",
        "def-behavior" => "CHECK( init(main()), LTL(G def-behavior) )\n",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::is_scored;

    #[test]
    fn only_checks_are_scored() {
        assert!(is_scored("CHECK( a )\n\nCHECK( b )\n"));
        assert!(!is_scored("CHECK( a )\nOBSERVER AUTOMATON\n"));
        assert!(!is_scored("\n\n"));
        assert!(!is_scored("COVER( x )\n"));
    }
}
