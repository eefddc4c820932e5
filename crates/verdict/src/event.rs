//! Progress: what engines say while they work. The edge shows it; engines never print.

/// What happens right now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// `parsing`, `searching`, …
    PhaseStarted {
        phase: &'static str,
    },
    /// Counts of the current phase, such as `("states", 1200)`, in the order to show them.
    Progress {
        counts: Vec<(&'static str, u64)>,
    },
    PhaseEnded {
        phase: &'static str,
    },
    /// Something that a curious user may want to know.
    Remark {
        text: String,
    },
}

/// Where events go.
pub trait EventSink: Send + Sync {
    fn event(&self, event: Event);
}

/// For tests and for embedding.
pub struct NoEvents;

impl EventSink for NoEvents {
    fn event(&self, _event: Event) {}
}

impl<F: Fn(Event) + Send + Sync> EventSink for F {
    fn event(&self, event: Event) {
        self(event);
    }
}
