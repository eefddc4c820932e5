//! Hash-consed terms, sorts, the standard form, rewriting, evaluation and SMT-LIB text.
