//! Deciding terms: a chain of small deciders, the embedded solver and a portfolio of processes.

pub mod answer;
pub mod arith;
pub mod bits;
pub mod embedded;
pub mod sat;

pub use answer::{Answer, Model, Reason};
