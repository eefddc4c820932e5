//! C types and layout, name resolution, and lowering of every input language to the model that all engines read.

pub mod ir;

pub mod layout;
pub mod library;
pub mod lower;
pub mod passes;
pub mod text;
pub mod validate;

pub use lower::{LowerOptions, Lowered, lower};
