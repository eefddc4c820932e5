//! Tests whose expected result is not ours, and why. This only adds a sentence to the report: nothing is decided by it.

pub(super) const REASONS: &[(&str, &str)] = &[
    ("ConcurrencyDevTest.sendClosure", "the closure may be called before `x` is set, as the replay shows"),
    (
        "LibraryTest.incomptPointerTranslationStructFixTest",
        "a member that was never set is read through a pointer, which is an error here; CIVL's records begin with any value",
    ),
    ("LibraryTest.incomptPointerTranslationUnionFixTest", "as incomptPointerTranslationStructFixTest"),
    ("LibraryTest.incomptPointerTranslationComplexFixTest", "as incomptPointerTranslationStructFixTest"),
    (
        "ConcurrencyTest.ring1",
        "asked about potential deadlocks: all processes send before anyone receives, and wait where no message is kept on its way",
    ),
    ("ConcurrencyTest.ring2", "as ring1"),
    (
        "ConcurrencyTest.localBlock",
        "`$local_start` asks CIVL to leave orders out; all are looked at here, and one of them fails, as its replay shows",
    ),
    (
        "LanguageFeaturesTest.localNoYield",
        "`$local_start` asks CIVL to leave orders out; all are looked at here, and one of them fails, as its replay shows",
    ),
    (
        "LanguageFeaturesTest.compoundInit3",
        "C defines the value of a member of the same type as the one last written; CIVL's unions hold one member only",
    ),
    ("LanguageFeaturesTest.compoundInit5", "as compoundInit3"),
    ("LanguageFeaturesTest.compoundInit6", "as compoundInit3"),
    (
        "LanguageFeaturesTest.functionPointer",
        "the new process may run before its maker has stored its name in `procs`, as the replay shows",
    ),
    (
        "LanguageFeaturesTest.int2char2",
        "under ideal arithmetic a `char` is a mathematical integer, too, and `(char)256` is 256",
    ),
    ("LanguageFeaturesTest.pointerAddBad5", "`&point.x + 1` points one past an object, which C allows"),
    (
        "LanguageFeaturesTest.pointerAddBad7",
        "an array that is never completed has one element in C, and `a + 1` points one past it",
    ),
    ("LanguageFeaturesTest.sizeofBadTest", "sizes are those of the data model; CIVL's are unknown numbers"),
    ("LibraryTest.power", "the base may be negative, and `$pow(x, 0.5)` is then no real number"),
    (
        "PthreadCDACTest.pthread_findminimumvalue",
        "called with arguments that name no class it reads the first element of an empty list, as the replay shows",
    ),
    (
        "PthreadCDACTest.pthread_numerical_integration",
        "called with `0` it waits for threads that it never started, as the replay shows",
    ),
    (
        "PthreadCDACTest.pthread_infinitynorm_colwise",
        "called with arguments that name no class it uses a size that was never set, as the replay shows",
    ),
    ("PthreadCDACTest.pthread_infinitynorm_rowwise", "as pthread_infinitynorm_colwise"),
    ("PthreadCDACTest.pthread_vectorvector_multi", "its vectors are never freed, as the replay shows"),
    (
        "LibraryTest.strlen_symbolic",
        "the array need not hold a zero, and `strlen` then reads beyond it, as the replay shows",
    ),
];

pub(super) fn reason(test: &str) -> Option<&'static str> {
    REASONS.iter().find(|(name, _)| *name == test).map(|(_, reason)| *reason)
}
