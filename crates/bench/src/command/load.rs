//! Results from files and folders, for the commands that look at them.

use super::Failure;
use crate::input::error::{InputError, code};
use crate::results::{ResultSet, xml_read};
use std::path::{Path, PathBuf};

/// A result set and the file that it came from.
pub(super) struct Loaded {
    pub(super) set: ResultSet,
    pub(super) file: PathBuf,
}

pub(super) fn load(paths: &[PathBuf]) -> Result<Vec<Loaded>, Failure> {
    let mut result = Vec::new();
    for path in paths {
        let files = if path.is_dir() { result_files(path)? } else { vec![path.clone()] };
        for file in files {
            result.push(Loaded { set: xml_read::read(&file)?, file });
        }
    }
    Ok(result)
}

/// The result files of a folder. Where a run definition is there both whole and by task set, only the parts are taken.
fn result_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(folder).map_err(|error| InputError::unreadable(folder, &error))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            // Validation runs are joined on request, they are not results of their own.
            !name.contains(".validate-")
                && name.contains(".results")
                && (name.ends_with(".xml") || name.ends_with(".xml.bz2"))
        })
        .collect();
    files.sort();
    let stem = |path: &PathBuf| path.to_string_lossy().trim_end_matches(".bz2").trim_end_matches(".xml").to_string();
    let stems: Vec<String> = files.iter().map(&stem).collect();
    files.retain(|file| {
        !stems.iter().any(|other| other.strip_prefix(&stem(file)).is_some_and(|rest| rest.starts_with('.')))
    });
    if files.is_empty() {
        return Err(
            InputError::file(code::NO_MATCH, folder, "no result file (*.results.*.xml or .xml.bz2) in it").into()
        );
    }
    Ok(files)
}
