//! Tests whose expected result is not ours, and why. This only adds a sentence to the report: nothing is decided by it.

const CBMC: &[(&str, &str)] = &[
    (
        "Eval_Order2",
        "`x = ++x + x` is undefined behaviour, not a failed assertion; from left to right, as gcc does it, the assertion holds",
    ),
    (
        "Function_Pointer18",
        "the program ends where it calls the null pointer, before any assertion; asked about pointers, that call is found",
    ),
    ("String_Abstraction6", "C allows `argc` to be 0, and `argv[0]` is null then; CBMC takes it to be at least 1"),
    ("array-cell-sensitivity2/test_execution", "C allows `argc` to be 0; the array has no elements then"),
    ("Volatile1", "nothing changes a variable that only this program knows, whatever it may be declared to be"),
    (
        "complex/complex_initialization1",
        "`{1, 2}` gives a complex variable its first value in gcc, which warns about the other one; the compiled program fails, too",
    ),
    ("member_bounds3", "index 2 of an array of 2 elements, which is undefined; gcc's sanitizer reports it, too"),
    ("member_bounds4", "index 4 of an array of 4 elements, which is undefined; gcc's sanitizer reports it, too"),
    (
        "overflow/signed_addition_overflow2",
        "`i++` of a `signed char` adds as `int`, which fits; the conversion back is defined by the implementation",
    ),
    ("self_loops_to_assumptions1/no-assume", "what fails is CBMC's bound of a loop"),
    (
        "assert_lhs",
        "`assert` without its header is a claim here; that its value is used is no error, as it is none to set a variable",
    ),
    ("assert_one", "as assert_lhs; arguments that are too many are ignored"),
    ("function_not_found", "a function that is not declared is one of C89's, with a warning, as for gcc"),
    ("gcc_builtin_va_arg_one", "as function_not_found: the name is none of gcc's"),
    ("verifier_error_lhs", "the call of the error function is the violation, whatever is done with its value"),
    ("verifier_error_zero", "the call of the error function is the violation, whatever it is given"),
    ("void_pointer6", "`*p;` of a pointer to `void` reads nothing"),
    ("unwind_counters2", "what fails is CBMC's bound of a loop"),
    (
        "unwinding_assertions1",
        "what fails is CBMC's bound of a recursion that calls itself for ever and asserts nothing",
    ),
    ("__builtin_clz-01", "of zero the built-in gives any value; that it is undefined is no failed assertion"),
    ("union5", "gcc sets the rest of a union to zero that is initialised by a smaller member"),
];

const SMACK: &[(&str, &str)] = &[
    ("mathc/lround.c", "the literal is -1.5 as a `double`, which is rounded to -2; the compiled program fails, too"),
    ("mathc/lroundf.c", "as mathc/lround.c"),
    ("mathc/lroundl.c", "`lroundl` gives an integer, and zero has no sign; the compiled program fails, too"),
    (
        "failing/unallocated_dereference_fail.c",
        "assertions are asked about, and there is none; the pointer that was never set is found when one asks about pointers",
    ),
    (
        "pthread/lock2_fail.c",
        "who locks a mutex twice waits for ever: a deadlock (found when one asks about deadlocks), not a failed assertion",
    ),
];

pub(super) fn reason(suite: &str, test: &str) -> Option<&'static str> {
    let reasons = if suite == "cbmc" { CBMC } else { SMACK };
    reasons.iter().find(|(name, _)| *name == test).map(|(_, reason)| *reason)
}
