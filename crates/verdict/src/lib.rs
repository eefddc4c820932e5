//! What all engines share: properties, verdicts, reasons, traces, assumptions, budgets, events.

pub mod budget;
pub mod check;
pub mod event;
pub mod property;
pub mod trace;
pub mod verdict;

pub use budget::{Budget, CancelToken, Stop};
pub use check::{CheckKind, KindSet, Nature};
pub use event::{Event, EventSink, NoEvents};
pub use property::{Property, PropertyError, Specification};
pub use trace::Trace;
pub use verdict::{Assumption, Bound, Invariant, Reason, Verdict, exit_code};
