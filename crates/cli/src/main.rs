//! The quod command.
fn main() {}
