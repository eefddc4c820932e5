//! Linear arithmetic over the rationals and the integers, as a theory under the search.

pub mod atoms;
pub mod delta;
pub mod integers;
pub mod simplex;

pub use atoms::Arith;
pub use delta::Delta;
pub use simplex::{ArithVar, Simplex};

/// A linear combination of variables, each at most once, in any order.
pub type Linear = Vec<(ArithVar, quod_base::Rational)>;
