//! Passes over the model, grouped by purpose, one a file.

pub mod checks;
pub mod ghost;
pub mod inputs;
pub mod invariants;
pub mod order;
pub mod processes;
pub mod scopes;
pub mod slice;
