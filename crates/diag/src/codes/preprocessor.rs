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
}
