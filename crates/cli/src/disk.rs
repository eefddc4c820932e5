//! Files of the disk for the crates that may not touch it.

use quod_syntax::{FileLoader, LoadError};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;

/// Larger files do not fit 32-bit positions, and are no programs.
const LARGEST: u64 = 1 << 31;

pub(crate) struct Disk;

impl FileLoader for Disk {
    fn load(&self, path: &str) -> Result<Arc<[u8]>, LoadError> {
        read(Path::new(path)).map(Arc::from)
    }
    fn exists(&self, path: &str) -> bool {
        Path::new(path).is_file()
    }
}

/// The bytes of a file, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => LoadError::NotFound,
        _ => LoadError::Unreadable(describe(&error)),
    };
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(unreadable)?;
        return Ok(bytes);
    }
    let file = std::fs::File::open(path).map_err(unreadable)?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(LoadError::Unreadable("it is a directory".into()));
    }
    file.take(LARGEST).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 == LARGEST {
        return Err(LoadError::Unreadable("it is larger than 2 GiB".into()));
    }
    Ok(bytes)
}

/// The system's words without its number: `permission denied`.
fn describe(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().collect::<String>() + chars.as_str()).unwrap_or_default()
}
