//! The one executor: state and step to states, generic over the value domain.

pub mod code;
pub mod concrete;
pub mod domain;
pub mod fault;
pub mod flow;
pub mod inspect;
pub mod io;
pub mod library;
pub mod machine;
mod prepare;
mod run;
pub mod scalar;
pub mod shared;
pub mod state;
mod steps;
pub mod symbolic;

pub use code::{ABSTRACT, ORDER};
pub use concrete::{Concrete, InputValue, Inputs, Interpretation, Interpretations, is_numeric};
pub use io::{Captured, Io};
pub use run::{RunEnd, RunOptions, RunReport, begin, run};
pub use steps::{Quantifier, Tried};
