//! `quod explain CODE`: what a code means, with an example.

use crate::arguments::ExplainArguments;
use crate::console;
use quod_diag::Code;
use quod_diag::codes::entries;
use quod_verdict::exit_code;
use std::fmt::Write;

pub(crate) fn run(arguments: &ExplainArguments) -> i32 {
    let Some(text) = &arguments.code else {
        let mut list = String::new();
        for entry in entries() {
            let _ = writeln!(list, "{}  {}", entry.code, entry.title);
        }
        return console::print(&list);
    };
    if let Some(entry) = Code::find(text) {
        return console::print(&format!("{}: {}\n\n{}", entry.code, entry.title, entry.explanation()));
    }
    console::complain(&format!("error[{}]: there is no code `{text}`", quod_diag::codes::USAGE));
    let near = entries().filter(|entry| is_near(text, entry)).map(|entry| format!("{} ({})", entry.code, entry.title));
    let near: Vec<String> = near.take(3).collect();
    if near.is_empty() {
        console::complain("  = help: `quod explain` lists all codes");
    } else {
        console::complain(&format!("  = help: did you mean {}?", near.join(" or ")));
    }
    exit_code::USAGE
}

/// A word of the title, or a number that differs in one digit.
fn is_near(text: &str, entry: &quod_diag::codes::Entry) -> bool {
    let text = text.to_ascii_lowercase();
    let code = entry.code.to_string().to_ascii_lowercase();
    let differing = code.bytes().zip(text.bytes()).filter(|(a, b)| a != b).count();
    let is_close_number = text.len() == code.len() && differing <= 1;
    is_close_number || (text.len() > 3 && entry.title.to_ascii_lowercase().contains(&text))
}
