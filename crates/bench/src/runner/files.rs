//! Files that a run wrote: how much, and copies of those that are results.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Copies of all regular files below `from` whose path matches one of the patterns, to the same places below `to`.
/// Returns the relative paths, sorted.
pub fn collect(from: &Path, patterns: &[String], to: &Path, limit: u64) -> io::Result<Vec<PathBuf>> {
    let patterns: Vec<glob::Pattern> = patterns.iter().filter_map(|text| glob::Pattern::new(text).ok()).collect();
    let mut found = Vec::new();
    let mut left = limit;
    walk(from, &mut |path, size| {
        let relative = path.strip_prefix(from).unwrap_or(path).to_path_buf();
        let options = glob::MatchOptions { require_literal_separator: true, ..Default::default() };
        let everything = patterns.is_empty() || patterns.iter().any(|pattern| pattern.as_str() == ".");
        if (everything || patterns.iter().any(|pattern| pattern.matches_path_with(&relative, options))) && size <= left
        {
            left -= size;
            found.push(relative);
        }
    });
    found.sort();
    for relative in &found {
        let target = to.join(relative);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(from.join(relative), target)?;
    }
    Ok(found)
}

/// Bytes below a folder.
pub fn size(folder: &Path) -> u64 {
    let mut total = 0;
    walk(folder, &mut |_, size| total += size);
    total
}

/// Regular files only: an overlay marks deleted files by devices, and links may lead anywhere.
fn walk(folder: &Path, visit: &mut dyn FnMut(&Path, u64)) {
    let mut folders = vec![folder.to_path_buf()];
    let mut seen = 0_u32;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            seen += 1;
            if seen > 1_000_000 {
                return;
            }
            match entry.metadata() {
                Ok(data) if data.is_dir() => folders.push(entry.path()),
                Ok(data) if data.is_file() => visit(&entry.path(), data.len()),
                _ => {}
            }
        }
    }
}
