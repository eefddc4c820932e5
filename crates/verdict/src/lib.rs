//! What all engines share: properties, verdicts, reasons, traces, assumptions, budgets, events.
