//! The verbs, one a file. Each gives its exit code.

pub(crate) mod compare;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod show;
pub(crate) mod smt;
pub(crate) mod validate;
pub(crate) mod verify;
