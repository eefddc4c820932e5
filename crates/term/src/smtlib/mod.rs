//! SMT-LIB 2.7 text: printer and parser.

mod apply;
mod command;
mod elaborate;
mod print;
mod sexpr;
mod sorts;
mod value;

pub use command::{Command, Script};
pub use print::{Printer, declarations, script};
pub use sexpr::{ParseError, Position};
pub use value::write_value;

/// A symbol as SMT-LIB writes it: in bars where it is not a simple one.
pub fn quote(name: &str) -> String {
    const RESERVED: [&str; 15] = [
        "let", "forall", "exists", "match", "par", "as", "_", "!", "lambda", "assert", "true", "false", "not", "and",
        "or",
    ];
    let is_simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let simple = !name.is_empty()
        && name.chars().all(is_simple)
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !RESERVED.contains(&name);
    if simple { name.to_owned() } else { format!("|{}|", name.replace(['|', '\\'], "_")) }
}
