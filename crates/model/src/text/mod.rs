//! The model as text: what `quod show --model` prints, and the way back. `parse(print(model))` is the same model but for
//! source positions, and prints the same text.
//!
//! Ids are written behind names as `name%id`; only the id counts when the text is read. The type of an expression is
//! written (`(e : type)`) only where it does not follow from the parts, by the rules in `derive.rs`.

mod derive;
mod lexer;
mod parse;
mod parse_expr;
mod parse_items;
mod print;
mod print_expr;

pub use parse::{TextError, parse};
pub use print::print;

#[cfg(test)]
mod tests;
