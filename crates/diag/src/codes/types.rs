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
}
