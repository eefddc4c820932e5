//! Verification witnesses as data: violation and correctness, YAML 2.0 to 2.2 and GraphML 1.0, read and written; their
//! locations found in the syntax tree; and the program's text with the witness written into it, for engines to judge.
//! No engine is known here, and nothing touches the disk.

pub mod annotate;
pub mod data;
pub mod edit;
pub mod error;
pub mod expression;
pub mod follow;
pub mod harness;
pub mod locate;
pub mod prelude;
mod read_graphml;
mod read_yaml;
pub mod sha256;
mod transition;
mod write_graphml;
mod write_yaml;

pub use data::*;
pub use error::WitnessError;
pub use sha256::sha256;

/// Reads a witness of either format.
pub fn read(text: &str) -> Result<Witness, WitnessError> {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    if start.starts_with('<') { read_graphml::read(text) } else { read_yaml::read(text) }
}

/// The text of a witness in the format that it says.
pub fn write(witness: &Witness) -> String {
    match witness.format {
        Format::GraphMl => write_graphml::write(witness),
        Format::Yaml(_) => write_yaml::write(witness),
    }
}
