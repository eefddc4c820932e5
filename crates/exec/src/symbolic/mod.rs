//! The symbolic domain: values are terms, memory is persistent, and a question that terms alone do not answer comes back
//! as its condition. It never asks a solver: who drives the executor does, knows the path condition, and forks.
//!
//! A pointer is one object (or null, or a function) and an offset: under forking that is always enough. A number made
//! from a pointer keeps the pointer as long as nobody computes with it; what goes beyond is reported as not supported.

// A fault ends its path: that it is large to hand up is no concern.
#![allow(clippy::result_large_err)]

mod ask;
mod calls;
mod canonical;
mod cells;
mod constants;
mod convert;
mod digits;
mod domain;
mod footprint;
mod forget;
mod functions;
mod generic;
mod grid;
mod join;
mod library;
mod memory;
mod numbered;
mod numbers;
mod open;
mod output;
mod outside;
mod places;
mod ring;
mod simplify;
mod strings;
mod terms;
mod value;

pub use canonical::SymbolsOf;
pub use footprint::{Footprint, Touch, Touched};
pub use forget::Forgotten;
pub use generic::{Holds, Place, Spot};
pub use memory::{ArrayInput, Input, Memory, Object, ObjectId};
pub use terms::{Joint, SymbolicDomain};
pub use value::{Identity, Offset, Pointer, Target, TermKey, Value};
