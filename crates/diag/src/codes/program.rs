//! Codes of the properties of programs (Q1001 to Q1999): what a run, a search or a proof finds wrong in a program.

super::declare! {
    /// An assertion does not hold: `assert(e)`, `$assert(e)` or `__VERIFIER_assert(e)` was reached with `e` false.
    ///
    /// ```c
    /// #include <assert.h>
    /// int main(void) { int x = 2; assert(x == 3); }
    /// ```
    1001 ASSERTION "assertion fails";

    /// A call of the error function was reached. Competition tasks mark the state that must never be reached with a call
    /// of `reach_error()` (or of `__VERIFIER_error()`); the property is that no execution gets there.
    1002 ERROR_CALL "error function is called";

    /// The right operand of `/` or `%` is zero. C leaves the result undefined; most machines stop the program.
    ///
    /// ```c
    /// int mean(int sum, int count) { return sum / count; } // count may be 0
    /// ```
    ///
    /// Guard the division with a test of the divisor.
    1003 DIVISION_BY_ZERO "division by zero";

    /// The result of an operation on signed integers does not fit its type: `+`, `-`, `*`, unary `-`, `++`, `--`, a left
    /// shift, or the smallest number divided by -1. C leaves it undefined, and compilers rely on it not happening.
    ///
    /// ```c
    /// int next(int x) { return x + 1; } // x may be INT_MAX
    /// ```
    ///
    /// Unsigned integers wrap around and are not meant here. Test the operands first, compute in a wider type, or use
    /// `__builtin_add_overflow` and its relatives.
    1004 SIGNED_OVERFLOW "signed integer overflow";

    /// The right operand of `<<` or `>>` is negative or not smaller than the width of the left one, or a negative number
    /// is shifted to the left.
    ///
    /// ```c
    /// unsigned bit(int n) { return 1u << n; } // n must be 0 to 31
    /// ```
    1005 SHIFT "shift by an impossible amount";

    /// An array is indexed outside its bounds. It counts even where the address still lies inside a larger object, such as
    /// the next row of a matrix: C allows only the array's own elements.
    ///
    /// ```c
    /// int a[4];
    /// int last(void) { return a[4]; } // the elements are a[0] to a[3]
    /// ```
    1006 OUT_OF_BOUNDS "index out of bounds";

    /// A pointer is followed that does not point to a living object of sufficient size: it is null, was never set, points
    /// before or behind its object, or its object is gone (freed, or a local variable of a block that was left).
    ///
    /// ```c
    /// int *p = malloc(sizeof *p);
    /// free(p);
    /// return *p; // the object is gone
    /// ```
    ///
    /// The message shows where the object was declared or allocated, and where it was freed.
    1007 INVALID_DEREF "invalid pointer dereference";

    /// `free` or `realloc` gets a pointer that `malloc` and its relatives did not return, or that was freed already.
    ///
    /// ```c
    /// char buffer[8];
    /// free(buffer + 1);
    /// ```
    1008 INVALID_FREE "invalid free";

    /// A value is used that was never set: a local variable without an initialiser, memory fresh from `malloc`, padding.
    ///
    /// ```c
    /// int x;
    /// if (x) …; // which value has x?
    /// ```
    1009 UNINITIALISED "use of an undefined value";

    /// A conversion whose result the target type cannot hold: a floating-point value outside the range of the integer type,
    /// or a pointer to a type that its object does not have.
    1010 INVALID_CAST "impossible conversion";

    /// A null pointer is given to a function that may not get one, such as `strlen(NULL)`.
    1011 NULL_ARGUMENT "null pointer as an argument";

    /// The size of a variable-length array is not positive when its declaration is reached.
    1012 ARRAY_SIZE "array size is not positive";

    /// A member of a union is read while another one was stored last. (Checked in the ideal arithmetic, as CIVL does; in
    /// machine arithmetic the bytes are reinterpreted, as C says.)
    1013 UNION_MEMBER "wrong member of a union is read";

    /// An object that is declared `const`, or a string literal, is written through a pointer.
    1014 CONST_WRITE "write to a constant";

    /// A CIVL-C `$input` variable is assigned. Inputs are given from outside and never change.
    1015 INPUT_WRITE "write to an input";

    /// A CIVL-C `$output` variable is read. Outputs are only written.
    1016 OUTPUT_READ "read of an output";

    /// Allocated memory is never freed: it is still there when the program, or the scope that owns the heap, ends.
    1017 MEMORY_LEAK "memory leak";

    /// Allocated memory is lost: no pointer of the program leads to it any more, so that nobody can free it.
    ///
    /// ```c
    /// char *line = malloc(80);
    /// line = NULL;
    /// ```
    1018 LOST_MEMORY "memory is no longer reachable";

    /// A CIVL-C scope ends while processes that were spawned in it still exist. Wait for them with `$wait`.
    1019 PROCESS_LEAK "process leak";

    /// No process can make a step and not all have ended: each waits for something that no other will do.
    1020 DEADLOCK "deadlock";

    /// Two processes access the same memory at the same time, at least one of them writes, and at least one access is not
    /// atomic.
    1021 DATA_RACE "data race";

    /// An execution can go on for ever: the trace ends in a loop that leads back to the same state, or to one that is never
    /// nearer to the end.
    1022 NON_TERMINATION "execution does not end";

    /// The program reaches a construct or a library function that the tool does not support, so that nothing can be said
    /// about what follows. Code that never reaches it is not affected.
    1023 UNSUPPORTED "unsupported construct is reached";

    /// `__builtin_unreachable()` is reached, or a function that is declared `noreturn` returns.
    1024 UNREACHABLE_REACHED "unreachable code is reached";

    /// The value of a call is used, but the function ended without `return` and a value.
    ///
    /// ```c
    /// int sign(int x) { if (x > 0) return 1; if (x < 0) return -1; }
    /// ```
    1025 NO_RETURN_VALUE "function ends without a value";

    /// A contract is broken: a `requires` at a call, an `ensures` at a return, or a loop invariant.
    1026 CONTRACT "contract is broken";

    /// A message is sent or received wrongly: a wrong destination, type or size, or messages that nobody received.
    1027 COMMUNICATION "communication error";

    /// An operation of `<seq.cvh>` on a sequence is outside its bounds or on the wrong type.
    1028 SEQUENCE "wrong use of a sequence";

    /// The size given to `malloc` or `$malloc` is negative, or does not fit the type that it is converted to.
    1029 MALLOC "wrong use of malloc";

    /// A call through a pointer that is no function, or is a function of another type, or with the wrong number of
    /// arguments.
    1030 INVALID_CALL "call through a wrong pointer";

    /// Two pointers into different objects are subtracted or compared with `<`, or a pointer is moved outside its object.
    1031 POINTER_ARITHMETIC "pointers into different objects";

    /// Source and target of a copy overlap where that is not allowed: `memcpy`, `strcpy`, `sprintf`, or an assignment
    /// between overlapping members of a union.
    1032 OVERLAP "source and target overlap";

    /// A library function is used against its rules: a format that does not fit its arguments, a mode or handle that does
    /// not exist.
    1033 LIBRARY "wrong use of a library function";

    /// An object's value is changed twice, or changed and read, without an order between the two.
    1034 UNSEQUENCED "unsequenced modification";

    /// A process that does not exist is waited for or compared.
    1035 INVALID_PROCESS "invalid process";

    /// Two programs that `quod compare` holds against each other give different values to an `$output` variable for the same
    /// values of their `$input` variables.
    1036 EQUIVALENCE "different outputs";
}
