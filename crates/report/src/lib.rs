//! HTML reports and traces.
