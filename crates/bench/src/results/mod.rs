//! Results as data: what a run answered and used, read from and written to BenchExec's XML, CSV and JSON.

pub mod category;
pub mod csv;
pub mod json;
pub mod model;
pub mod xml_read;
pub mod xml_write;

pub use category::Category;
pub use model::{Header, ResultSet, RunResult, System};
