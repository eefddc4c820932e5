//! Codes of preprocessor and lexer (Q0001 to Q0199).
//!
//! Add a code as `/// explanation in Markdown, with an example` above `number NAME "title";`, numbers ascending.

super::declare! {
    /// An included file was found neither beside the including file, nor in the directories given with `-I`, nor among the
    /// standard headers that come with the tool.
    ///
    /// ```c
    /// #include "lisst.h"
    /// ```
    ///
    /// Check the spelling, or add the directory with `-I DIRECTORY`.
    1 INCLUDE_NOT_FOUND "included file is not found";

    /// A comment starts with `/*` and the file ends before `*/`.
    ///
    /// Write the missing `*/`. Comments do not nest: the first `*/` ends them.
    2 UNTERMINATED_COMMENT "comment without end";

    /// A string literal or character constant must end on the line that it starts on.
    ///
    /// ```c
    /// char *s = "no end;
    /// ```
    ///
    /// Write the missing quote, or continue the line with a backslash at its end.
    3 UNTERMINATED_LITERAL "literal without closing quote";

    /// A file has bytes that are not UTF-8 text. Each such byte was replaced by one character U+FFFD, which matters only inside
    /// string literals.
    ///
    /// Convert the file, for example with `iconv -t utf-8`.
    4 NOT_UTF8 "file is not UTF-8";

    /// A line starts with `#`, but what follows is no directive of C.
    ///
    /// ```c
    /// #inclde <stdio.h>
    /// ```
    5 UNKNOWN_DIRECTIVE "unknown directive";

    /// A `#define` or `#undef` is not understood: the name is missing, the list of parameters is not closed, `#` is not followed
    /// by a parameter, or `##` stands at an end of the text.
    ///
    /// ```c
    /// #define F(x) #y
    /// ```
    6 BAD_DEFINE "malformed macro definition";

    /// A macro is defined a second time with another text. The new text holds from here on.
    ///
    /// Remove one of the definitions, or write `#undef NAME` between them.
    7 MACRO_REDEFINED "macro redefined with another text";

    /// A function-like macro is called with too few or too many arguments, or its closing parenthesis is missing.
    ///
    /// ```c
    /// #define MAX(a, b) ((a) > (b) ? (a) : (b))
    /// int m = MAX(1);
    /// ```
    8 MACRO_ARGUMENTS "wrong arguments of a macro";

    /// The operator `##` joins two tokens, and the result must be one token.
    ///
    /// ```c
    /// #define CALL(f) f ## ()
    /// ```
    9 BAD_PASTE "`##` makes no token";

    /// The macros of the program make more tokens than any real program needs, or call each other too deeply in their
    /// arguments. Macros that name each other twice double with each level.
    10 EXPANSION_TOO_LARGE "macro expansion is too large";

    /// The expression of `#if` or `#elif` is not understood. It may have integer and character constants, `defined`, and C's
    /// operators except assignments; names that are no macros count as zero.
    ///
    /// ```c
    /// #if VERSION >= 1.5
    /// #endif
    /// ```
    11 BAD_CONDITION "malformed condition";

    /// Each `#if`, `#ifdef` or `#ifndef` needs one `#endif` in the same file, and `#elif` and `#else` stand between them.
    12 UNBALANCED_CONDITION "unbalanced condition";

    /// Files include each other too deeply, mostly because one includes itself.
    ///
    /// Put `#pragma once` at its top, or an include guard around it.
    13 INCLUDE_TOO_DEEP "files are included too deeply";

    /// After `#include` stands `"name"`, `<name>`, or macros that make one of them.
    14 BAD_INCLUDE "malformed `#include`";

    /// The program itself refuses to be compiled this way. Its message says why; often a macro must be given with `-D`.
    15 ERROR_DIRECTIVE "the program says `#error`";

    /// The program itself warns. Nothing else is wrong.
    16 WARNING_DIRECTIVE "the program says `#warning`";

    /// `#line` takes a line number and, if wanted, the name of a file in quotes.
    ///
    /// ```c
    /// #line 12 "input.y"
    /// ```
    17 BAD_LINE "malformed `#line`";

    /// A pragma of the preprocessor or the operator `_Pragma` is not understood.
    ///
    /// ```c
    /// _Pragma("omp parallel")
    /// ```
    18 BAD_PRAGMA "malformed pragma";

    /// The program with all that it includes is larger than 4 GiB.
    19 TOO_MUCH_TEXT "program is too large";

    /// Something stands on the line of a directive after its end and is passed over.
    ///
    /// ```c
    /// #endif DEBUG
    /// ```
    ///
    /// Make it a comment.
    20 EXTRA_TOKENS "text after the end of a directive";
}
