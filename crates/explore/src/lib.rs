//! Generic search of a transition system. It knows processes, states and moves, and nothing of C or of terms.

mod search;
mod system;

pub use search::{Found, Options, Order, Report, Statistics, search};
pub use system::{Outcome, System};

#[cfg(test)]
mod tests;
