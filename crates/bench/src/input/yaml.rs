//! YAML files of benchmarks: the tree of `quod_base::yaml`, with faults that name the file.

use super::error::{InputError, code};
pub use quod_base::yaml::Node;
use std::path::Path;

/// The first document of a file; `None` for an empty one.
pub fn parse(text: &str, file: &Path) -> Result<Option<Node>, InputError> {
    quod_base::yaml::parse(text)
        .map_err(|error| InputError::new(code::MALFORMED_YAML, file, error.line, error.column, error.message))
}
