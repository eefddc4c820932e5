//! Codes of names, types, constants, layout and lowering (Q0500 to Q0999).
//!
//! Add a code as `/// explanation in Markdown, with an example` above `number NAME "title";`, numbers ascending.

super::declare! {
    /// A name is used that no declaration in sight introduces.
    ///
    /// ```c
    /// int main(void) { return cuont; }
    /// ```
    ///
    /// Check the spelling, or declare it first; a library function needs its header.
    500 UNDECLARED "undeclared name";

    /// A name is declared or defined twice in one scope, or in two files that are linked.
    ///
    /// ```c
    /// int limit = 1;
    /// int limit = 2; // defined again
    /// ```
    501 REDEFINITION "second definition";

    /// A value is used where another type is needed, and no implicit conversion leads there; as a warning, where one
    /// exists but is hardly meant, such as between unrelated pointers.
    ///
    /// ```c
    /// struct point p = 3; // a number is no structure
    /// ```
    502 INCOMPATIBLE_TYPES "incompatible types";

    /// A member is named that the structure or union does not have.
    ///
    /// ```c
    /// struct point { int x, y; } p;
    /// int f(void) { return p.z; }
    /// ```
    503 NO_MEMBER "no such member";

    /// A function is called with more or fewer arguments than its declaration has parameters.
    504 ARGUMENT_COUNT "wrong number of arguments";

    /// Something is called that is neither a function nor a pointer to one.
    505 NOT_CALLABLE "not a function";

    /// An address or an assignment needs a variable, an element or a member, and this is only a value.
    ///
    /// ```c
    /// f() = 3;
    /// ```
    506 NOT_LVALUE "not an object";

    /// A type is used where its size or its members must be known, but it is only declared so far.
    ///
    /// ```c
    /// struct list;
    /// struct list head; // how large is it?
    /// ```
    507 INCOMPLETE_TYPE "incomplete type";

    /// A constant is needed here (the size of a static array, a `case`, an enumerator, a static initialiser) and this
    /// expression is only known when the program runs.
    508 NOT_CONSTANT "not a constant";

    /// An operator does not exist for operands of these types.
    509 INVALID_OPERANDS "operator does not fit its operands";

    /// A `_Static_assert` is false: the program itself says that it must not be compiled so. The message is the program's.
    510 STATIC_ASSERTION "static assertion failed";

    /// Two `case` labels of one `switch` have a value in common, or there are two `default` labels.
    511 DUPLICATE_CASE "duplicate case";

    /// `break`, `continue`, `case`, `default` or `va_start` stands where it has no meaning.
    512 MISPLACED "statement at the wrong place";

    /// A `goto` names a label that its function does not have.
    513 UNDECLARED_LABEL "undeclared label";

    /// An initialiser does not fit what it initialises.
    514 BAD_INITIALISER "wrong initialiser";

    /// A combination of type words or derivations that is no type, such as an array of functions.
    515 BAD_TYPE "no such type";

    /// A construct that the tool does not support. Only code that reaches it is affected.
    516 NOT_SUPPORTED "not supported";

    /// No association of a `_Generic` selection fits the type of its expression.
    517 NO_ASSOCIATION "no matching association";

    /// Two members of a structure or union have one name.
    518 DUPLICATE_MEMBER "duplicate member";

    /// Something `const` is assigned to. Its value is fixed when it is initialised, and the program promised not to change it.
    519 CONST_ASSIGNMENT "assignment to a constant";

    /// The size of an array is negative or no integer.
    520 BAD_ARRAY_SIZE "wrong array size";

    /// A function is called before any declaration. C89 took it to return `int`; today it is an error of most compilers.
    /// Include its header, or declare it first.
    521 IMPLICIT_DECLARATION "function is not declared";

    /// A bit-field has a type or width that is not possible.
    522 BAD_BIT_FIELD "wrong bit-field";

    /// A tag is used as another kind than it was declared: `struct s` after `union s`.
    523 WRONG_TAG "wrong kind of tag";

    /// An attribute has arguments that make no sense.
    524 BAD_ATTRIBUTE "wrong attribute";

    /// An invariant, a guard or the body of a quantifier changes the state. It must only read it.
    525 NOT_PURE "effects where none are allowed";
}
