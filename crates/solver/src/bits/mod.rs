//! Circuits: gates with structural hashing over a SAT solver, words of bits, floats.

pub mod gates;
pub mod word;
pub mod divide;
pub mod float;
pub mod shift;

pub use gates::{Builder, Gates};

/// The bits of a word, least significant first.
pub type Word = Vec<crate::sat::Lit>;
