//! Points, categories, rankings: from results to the competition's tables.

pub mod confirm;
pub mod ranking;
pub mod schema;
pub mod structure;

pub use ranking::{CategoryTable, Row, Tables};
pub use schema::Schema;
pub use structure::Structure;
