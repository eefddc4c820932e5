//! Differences that people can read: lines with their context.

use similar::{ChangeTag, TextDiff};
use std::fmt::Write;

pub fn lines(expected: &str, actual: &str) -> String {
    let diff = TextDiff::from_lines(expected, actual);
    let mut out = String::new();
    for (index, group) in diff.grouped_ops(3).iter().enumerate() {
        if index > 0 {
            out.push_str("    …\n");
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            let _ = writeln!(out, "  {sign} {}", change.value().trim_end_matches('\n'));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn changed_lines_are_marked() {
        assert_eq!(super::lines("a\nb\n", "a\nc\n"), "    a\n  - b\n  + c\n");
    }
}
