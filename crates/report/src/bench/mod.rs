//! Reports of benchmarks.

pub mod axis;
pub mod html;
pub mod model;
pub mod quantile;
pub mod svg;
pub mod text;

pub use model::{Cell, Column, Report, Table, Task};
