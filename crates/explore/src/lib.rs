//! Generic search of a transition system. It knows processes, states and moves, and nothing of C or of terms.

mod breadth;
mod common;
mod depth;
mod expand;
mod options;
mod path;
mod search;
mod system;
mod visited;

pub use options::{Found, Options, Order, Report, Statistics};
pub use search::{search, search_on_threads};
pub use system::{Outcome, System};

#[cfg(test)]
mod tests;
#[cfg(test)]
mod thread_tests;
