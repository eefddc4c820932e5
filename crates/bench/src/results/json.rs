//! Results as one JSON document with a version, for scripts.

use super::model::ResultSet;
use serde::{Deserialize, Serialize};

pub const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
pub struct Document {
    pub schema_version: u32,
    pub results: Vec<ResultSet>,
}

pub fn write(sets: &[ResultSet]) -> String {
    let document = Document { schema_version: SCHEMA_VERSION, results: sets.to_vec() };
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}
