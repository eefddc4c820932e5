//! What all engines share: properties, verdicts, reasons, traces, assumptions, budgets, events.

pub mod check;

pub use check::{CheckKind, KindSet, Nature};
