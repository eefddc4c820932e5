//! One `Diagnostic` value for everything the tool says about a user's input, stable codes, and one renderer a file.

pub mod codes;
pub mod diagnostic;
pub mod place;
pub mod render;

pub use codes::Code;
pub use diagnostic::{Diagnostic, Label, Severity};
pub use render::{Outcome, Report, Status};
