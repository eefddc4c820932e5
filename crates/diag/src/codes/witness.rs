//! Codes of witnesses (Q5001 to Q5999).

super::declare! {
    /// The witness is neither well-formed YAML nor well-formed XML. The message has the line and column where reading stopped.
    5001 WITNESS_MALFORMED "malformed witness";

    /// The witness can be read, but lacks something that its format demands, or has something that the format does not know:
    /// a segment without a waypoint to follow, a hash that is none, an unknown version.
    5002 WITNESS_WRONG "wrong witness";

    /// The witness names the SHA-256 hash of the program that it is about, and this program has another one. It is a witness
    /// of another program, or of another version of it.
    5003 WITNESS_HASH "the witness is about another program";

    /// The witness names a place of the program where there is nothing of the kind that it needs there: a statement for an
    /// assumption, a controlling expression for a branching, the closing parenthesis of a call for a function's entry or
    /// return, a loop for a loop invariant. Lines and columns count from one, and a tab is one column.
    5004 WITNESS_LOCATION "impossible location";

    /// A condition of the witness is not a C expression without effects over the variables in scope at its place. Assignments,
    /// calls and increments are not allowed in conditions.
    5005 WITNESS_CONDITION "wrong condition in a witness";

    /// The witness was made for another property or another data model than the ones that are asked for.
    5006 WITNESS_TASK "the witness is for another task";

    /// The witness is well-formed, but says something that the validator does not follow. Nothing is known about it.
    5007 WITNESS_UNSUPPORTED "unsupported witness";

    /// A witness that was asked for is not written: our own validator does not confirm it, or the format has none for this
    /// property and answer. The answer itself is not affected.
    5008 WITNESS_NOT_WRITTEN "no witness is written";
}
