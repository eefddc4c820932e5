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
}
