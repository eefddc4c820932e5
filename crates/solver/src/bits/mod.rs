//! Circuits: gates with structural hashing over a SAT solver, words of bits, floats.

pub mod divide;
pub mod float;
pub mod gates;
pub mod shift;
pub mod word;

pub use gates::{Builder, Gates};

/// The bits of a word, least significant first.
pub type Word = Vec<crate::sat::Lit>;
