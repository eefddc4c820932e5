//! Deciding terms: a chain of small deciders, the embedded solver and a portfolio of processes.

pub mod arith;
pub mod bits;
pub mod sat;
