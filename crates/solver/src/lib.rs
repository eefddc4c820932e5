//! Deciding terms: a chain of small deciders, the embedded solver and a portfolio of processes.
//!
//! ```
//! use quod_solver::{Answer, Solver};
//! use quod_term::{Sort, TermPool};
//! use std::sync::Arc;
//!
//! let pool = Arc::new(TermPool::new());
//! let x = pool.symbol("x", Sort::bit_vec(32));
//! let claim = pool.eq(pool.bv_mul(x, x), pool.bv(32, 49));
//! let mut solver = Solver::new(pool.clone());
//! assert!(matches!(solver.check(&[claim]), Answer::Sat(_)));
//! ```

pub mod answer;
pub mod arith;
pub mod bits;
pub mod chain;
pub mod embedded;
pub mod horn;
pub mod portfolio;
pub mod sat;
pub mod script;
mod solver;

pub use answer::{Answer, Model, Reason};
pub use chain::StageStatistics;
pub use sat::{Cancel, Limits};
pub use solver::{Options, Solver, Validity};
