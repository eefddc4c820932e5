//! Hash-consed terms, sorts, the standard form, rewriting, evaluation and SMT-LIB text.

mod analysis;
mod arena;
mod binder;
pub mod bitvector;
mod build;
mod check;
pub mod datatype;
pub mod eval;
mod float;
pub mod op;
mod pool;
pub mod rules;
pub mod smtlib;
mod sort;
pub mod standard;
mod substitute;
mod value;

pub use analysis::Statistics;
pub use binder::Opened;
pub use bitvector::BitVector;
pub use check::SortError;
pub use eval::{Assignment, evaluate};
pub use op::{Op, Theory};
pub use pool::{Division, Function, Payload, PoolSize, Term, TermPool};
pub use sort::{MAX_EXPONENT_WIDTH, MAX_WIDTH, Sort, SortKind};
pub use value::{ArrayValue, FloatValue, RoundingMode, SortOrd, Value};
