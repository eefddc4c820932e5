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

/// Gives any number: nobody defines it.
pub(crate) const ANY: &str = "__quod_any";
/// Functions with other names that are called by what is written into a program for its correctness, or for a violation.
pub const ANNOTATING: &[&str] = &[];
pub const FOLLOWING: &[&str] = &[ATOMIC_BEGIN, ATOMIC_END, "pthread_self"];

pub(crate) fn declarations() -> String {
    format!("extern void {ASSUME}(int); extern void {BROKEN}(void); static int {SEGMENT}; static int {TARGET}; ")
}

/// Threads by the numbers that format 2.2 gives them: whoever is not registered is 0.
pub(crate) fn thread_declarations(threads: usize) -> String {
    let size = threads + 1;
    format!(
        "extern unsigned long int pthread_self(void); extern void {ATOMIC_BEGIN}(void); extern void {ATOMIC_END}(void); \
         static unsigned long int {THREADS}[{size}]; static int {NEW_THREAD}; \
         static int {IS_THREAD}(int number) {{ unsigned long int __quod_self = pthread_self(); \
         if (number) return {THREADS}[number] == __quod_self; \
         for (int __quod_i = 1; __quod_i < {size}; __quod_i++) if ({THREADS}[__quod_i] == __quod_self) return 0; \
         return 1; }} "
    )
}

pub(crate) const ATOMIC_BEGIN: &str = "__VERIFIER_atomic_begin";
pub(crate) const ATOMIC_END: &str = "__VERIFIER_atomic_end";
pub(crate) const THREADS: &str = "__quod_threads";
pub(crate) const NEW_THREAD: &str = "__quod_new_thread";
pub(crate) const IS_THREAD: &str = "__quod_is_thread";
