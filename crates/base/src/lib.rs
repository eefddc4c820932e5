//! What every crate stands on and nothing of the field: typed ids, interned strings, source files and spans,
//! fingerprints, rationals, machine integers and floats, how alike words are, YAML with places.

pub mod fingerprint;
pub mod float;
pub mod ids;
pub mod int;
pub mod interner;
pub mod rational;
pub mod source;
pub mod words;
pub mod yaml;

pub use fingerprint::Fingerprint;
pub use float::{FloatClass, FloatFormat, FloatOp, Rounding};
pub use ids::{Id, IdVec};
pub use int::IntFormat;
pub use interner::Symbol;
pub use rational::Rational;
pub use source::{ExpansionId, FileId, SourceMap, Span};
pub use words::edit_distance;
