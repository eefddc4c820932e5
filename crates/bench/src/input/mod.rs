//! What a benchmark is made of, read from files: benchmark definitions (XML), task definitions (YAML), set files,
//! property files and tool descriptions (TOML). Every fault names its file and line, and is found before anything runs.

pub mod definition;
pub mod error;
pub mod expected;
pub mod pattern;
pub mod plan;
pub mod property;
pub mod task;
pub mod tool;
pub mod tool_locate;
pub mod units;
pub mod yaml;

pub use error::{InputError, InputErrors};
