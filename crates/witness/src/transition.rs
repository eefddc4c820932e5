//! Transition invariants of loops, which carry proofs of termination: `\at(x, AnyPrev) > x` relates the state at any earlier
//! visit of the loop's head with the present one.
//!
//! A relation that contains all pairs of visits shows that the loop ends if nothing can go down in it for ever (Podelski and
//! Rybalchenko, Transition Invariants, LICS 2004). The variables of C have finitely many values: it is enough that no
//! state is in the relation with one in which all these variables have the same values, for then none comes back.

use crate::expression::{EARLIER, clean};

/// The variable that keeps an earlier value.
pub(crate) fn copy(number: usize, index: usize) -> String {
    format!("__quod_old_{number}_{index}")
}

/// The relation of a loop as a condition over variables and their copies. `variables` are those that are looked at in the
/// earlier state, of all relations of the loop; the k-th is kept in `copy(number, k)`.
pub(crate) fn relation(text: &str, number: usize, variables: &mut Vec<String>) -> Result<String, String> {
    let (plain, used) = without_at(text)?;
    for name in used {
        if !variables.contains(&name) {
            variables.push(name);
        }
    }
    let mut condition = clean(&plain, None)?;
    for (index, name) in variables.iter().enumerate() {
        let old = format!("((__typeof__({name})){})", copy(number, index));
        condition = replace_word(&condition, &marker(name), &old);
    }
    Ok(format!("({condition})"))
}

fn marker(name: &str) -> String {
    format!("{EARLIER}{name}")
}

/// The text with `\at(x, AnyPrev)` replaced by one word each, and those variables.
fn without_at(text: &str) -> Result<(String, Vec<String>), String> {
    let (mut out, mut names) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let inner = rest[at..].strip_prefix("\\at").map(str::trim_start).and_then(|inner| inner.strip_prefix('('));
        let inner = inner.ok_or("only `\\at(x, AnyPrev)` is supported here")?;
        let (inside, behind) = inner.split_once(')').ok_or("the parentheses do not match")?;
        let (name, label) = inside.split_once(',').ok_or("`\\at` has two arguments")?;
        let (name, label) = (name.trim(), label.trim());
        if label != "AnyPrev" {
            return Err(format!("the label `{label}` is not supported"));
        }
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || !name.chars().all(is_name) || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(format!("only variables are supported in `\\at`, not `{name}`"));
        }
        out.push_str(&marker(name));
        names.push(name.to_owned());
        rest = behind;
    }
    out.push_str(rest);
    Ok((out, names))
}

fn replace_word(text: &str, word: &str, new: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let behind = &rest[at + word.len()..];
        let is_whole = !rest[..at].ends_with(is_part) && !behind.starts_with(is_part);
        out.push_str(&rest[..at]);
        out.push_str(if is_whole { new } else { word });
        rest = behind;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_values_are_copies() {
        let mut variables = Vec::new();
        let found = relation("\\at(x, AnyPrev) > x", 3, &mut variables);
        assert_eq!(found.as_deref(), Ok("(((__typeof__(x))__quod_old_3_0) > x)"));
        assert!(relation("\\at(x, Pre) > x", 0, &mut variables).is_err());
        assert!(relation("\\at(f(x), AnyPrev) > f(x)", 0, &mut variables).is_err());
    }
}
