//! Codes of the parser (Q0200 to Q0499).
//!
//! Add a code as `/// explanation in Markdown, with an example` above `number NAME "title";`, numbers ascending.

super::declare! {
    /// The text does not follow the grammar of the language: something else was expected at this place.
    ///
    /// ```c
    /// int x = 1
    /// int y; // the semicolon before is missing
    /// ```
    200 SYNTAX "syntax error";
    /// A statement or a declaration does not end with a semicolon.
    ///
    /// ```c
    /// int x = 1 // here
    /// int y = 2;
    /// ```
    ///
    /// The parser goes on as if the semicolon were there.
    201 MISSING_SEMICOLON "missing semicolon";
    /// A parenthesis, bracket or brace is opened and never closed, or closed and never opened. The second label shows
    /// where it was opened.
    202 UNBALANCED "unbalanced delimiter";
    /// A declaration starts with a name that no `typedef` in scope declares.
    ///
    /// ```c
    /// unit x; // did you mean `uint`?
    /// ```
    ///
    /// Check the spelling, or include the header that declares the type.
    203 UNKNOWN_TYPE "unknown type name";
    /// The type specifiers of a declaration do not fit together, as in `short double x;` or `int struct s y;`.
    204 BAD_SPECIFIERS "type specifiers that do not fit together";
    /// A number that is no number of C (`0x`, `089`, `1.2.3`, `10abc`), or an integer that does not fit 128 bits.
    205 BAD_NUMBER "malformed number";
    /// A character constant or string with an escape that C does not have or that does not fit, an empty character
    /// constant, or strings of different kinds side by side such as `L"a" u"b"`.
    206 BAD_TEXT_LITERAL "malformed character or string literal";
    /// Parentheses, braces, statements or declarators nest deeper than the parser follows (20,000 levels). Programs that
    /// people write do not: this protects against generated or broken input.
    207 NESTING "nesting too deep";
    /// So many errors were found that the rest of the file is not read. Mend the first ones: the others often follow from
    /// them.
    208 TOO_MANY_ERRORS "too many errors";
    /// A declaration stands where C allows only a statement, as the body of an `if` or of a loop. Put it into braces.
    209 DECLARATION_AS_BODY "declaration as the body of a statement";
    /// A byte or word that no dialect of C uses at this place, such as `@` or a back quote in C.
    210 STRAY "stray character";
    /// A `#pragma pack` that is not written as gcc expects: `pack(n)`, `pack()`, `pack(push, n)`, `pack(pop)` with `n` one of
    /// 1, 2, 4, 8 or 16. The pragma has no effect.
    211 BAD_PACK "malformed #pragma pack";
    /// `else` without an `if` before it, or `case` and `default` outside of any `switch`.
    212 MISPLACED_KEYWORD "misplaced keyword";
}
