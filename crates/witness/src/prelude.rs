//! What is declared at the top of a program into which a witness is written.

/// Executions where the argument is 0 do not count.
pub const ASSUME: &str = "__quod_assume";
/// Its call is a violation: an invariant of the witness does not hold.
pub const BROKEN: &str = "__quod_broken";
/// `__quod_havoc_3()`: everything that loop 3 can change becomes unknown.
pub const HAVOC: &str = "__quod_havoc_";
/// The number of waypoints that have been passed.
pub const SEGMENT: &str = "__quod_segment";
/// True while the target is executed after all other waypoints.
pub const TARGET: &str = "__quod_target";
/// Local variables whose names begin so are ours.
pub const LOCAL: &str = "__quod_";

pub(crate) fn declarations() -> String {
    format!("extern void {ASSUME}(int); extern void {BROKEN}(void); static int {SEGMENT}; static int {TARGET}; ")
}
