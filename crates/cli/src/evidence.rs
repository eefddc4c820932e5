//! Evidence for answers: witnesses made from what an engine found, witnesses judged, and tests in C.

mod endless;
pub(crate) mod files;
pub(crate) mod harness;
pub(crate) mod judge;
pub(crate) mod make;
