//! Reproducible benchmarking: runs under limits, scores, tables, plots and clusters. It runs commands and knows nothing
//! of how any of them works; our own verifier is one tool among others.
#![allow(clippy::disallowed_methods)] // an edge crate: it reads and writes files and starts processes

pub mod clock;
pub mod collect;
pub mod command;
pub mod execute;
pub mod input;
pub mod journal;
pub mod progress;
pub mod results;
pub mod runner;
pub mod score;
pub mod slurm;
pub mod system;
pub mod view;
