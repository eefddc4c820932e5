//! Transition invariants of loops, which carry proofs of termination: `\at(x, AnyPrev) > x` relates the state at any earlier
//! visit of the loop's head with the present one.
//!
//! A relation that contains all pairs of visits and is a union of well-founded ones shows that the loop ends (Podelski and
//! Rybalchenko, Transition Invariants, LICS 2004). Well-founded is what makes an expression smaller, or larger:
//! `\at(e, AnyPrev) > e`, over the finitely many values of a type of C.

use crate::expression::{EARLIER, clean};

/// The variable that keeps an earlier value.
pub(crate) fn copy(number: usize, index: usize) -> String {
    format!("__quod_old_{number}_{index}")
}

/// The relation of a loop as a condition over variables and their copies. `variables` are those that are looked at in the
/// earlier state, of all relations of the loop; the k-th is kept in `copy(number, k)`.
pub(crate) fn relation(text: &str, number: usize, variables: &mut Vec<String>) -> Result<String, String> {
    if !is_well_founded(text) {
        return Err(
            "not every part of the relation makes an expression smaller or larger: `\\at(e, AnyPrev) > e`".into()
        );
    }
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

/// Whether each alternative has a condition `\at(e, AnyPrev) > e` or `\at(e, AnyPrev) < e`.
fn is_well_founded(text: &str) -> bool {
    let Ok((text, _)) = without_at(text) else { return false };
    let text: String = text.split_whitespace().collect();
    // These bind weaker than what the alternatives are made of.
    if text.contains(['?', ',']) {
        return false;
    }
    let alternatives = parts(bare(&text), "||");
    alternatives
        .into_iter()
        .all(|alternative| parts(bare(alternative), "&&").into_iter().any(|it| is_decrease(bare(it))))
}

fn is_decrease(text: &str) -> bool {
    let now = |earlier: &str| earlier.replace(EARLIER, "");
    let is_order = |earlier: &str, later: &str| {
        earlier.contains(EARLIER) && !later.contains(EARLIER) && bare(&now(earlier)) == bare(later)
    };
    match (parts(text, ">").as_slice(), parts(text, "<").as_slice()) {
        ([left, right], [_]) | ([_], [left, right]) => is_order(left, right) || is_order(right, left),
        _ => false,
    }
}

/// Without parentheses around the whole.
fn bare(mut text: &str) -> &str {
    loop {
        let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else { return text };
        let mut depth = 0i32;
        for c in inner.chars() {
            depth += i32::from(c == '(') - i32::from(c == ')');
            if depth < 0 {
                return text;
            }
        }
        text = inner;
    }
}

/// The parts between an operator outside of parentheses.
fn parts<'t>(text: &'t str, operator: &str) -> Vec<&'t str> {
    let (mut found, mut depth, mut start, mut at) = (Vec::new(), 0i32, 0, 0);
    while at < text.len() {
        let rest = &text[at..];
        let c = rest.chars().next().unwrap_or(' ');
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 && rest.starts_with(operator) {
            found.push(&text[start..at]);
            at += operator.len();
            start = at;
        } else {
            at += c.len_utf8();
        }
    }
    found.push(&text[start..]);
    found
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
    fn decreasing_expressions_are_well_founded() {
        for text in [
            "\\at(x, AnyPrev) > x",
            "x < \\at(x,AnyPrev)",
            "(((__int128)\\at(x, AnyPrev)) > ((__int128)x)) && \\at(x, AnyPrev) >= 0",
            "(\\at(x, AnyPrev) > x) || (\\at(x, AnyPrev) >= x && -\\at(y, AnyPrev) > -y)",
            "(__int128)\\at(n, AnyPrev) - (__int128)\\at(i, AnyPrev) > (__int128)n - (__int128)i",
        ] {
            assert!(is_well_founded(text), "{text}");
        }
        for text in [
            "1",
            "\\at(x, AnyPrev) >= x",
            "\\at(x, AnyPrev) > y",
            "\\at(x, AnyPrev) > x || x > 0",
            "x > x",
            "\\at(x, AnyPrev) != x",
            "\\at(x, AnyPrev) > x && 1 ? 1 : 1",
            "\\at(x, AnyPrev) > x && 0, 1",
        ] {
            assert!(!is_well_founded(text), "{text}");
        }
    }

    #[test]
    fn earlier_values_are_copies() {
        let mut variables = Vec::new();
        let found = relation("\\at(x, AnyPrev) > x", 3, &mut variables);
        assert_eq!(found.as_deref(), Ok("(((__typeof__(x))__quod_old_3_0) > x)"));
        assert!(relation("\\at(x, Pre) > x", 0, &mut variables).is_err());
        assert!(relation("\\at(f(x), AnyPrev) > f(x)", 0, &mut variables).is_err());
    }
}
