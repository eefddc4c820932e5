//! Small changes to a program that may make it wrong: a bound that is off by one, another operator, a check that is gone, a
//! lock that is not taken. On the level of tokens, so every program can be changed, and some results do not compile.

/// A changed program.
pub struct Mutant {
    pub text: String,
    /// `line 7: < becomes <=`
    pub what: String,
}

/// Calls that are removed with their arguments.
const REMOVED: &[&str] = &[
    "__VERIFIER_assume",
    "assume_abort_if_not",
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_join",
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
    "free",
];

const OPERATORS: &[(&str, &str)] = &[
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("==", "!="),
    ("!=", "=="),
    ("+", "-"),
    ("-", "+"),
    ("*", "+"),
    ("++", "--"),
    ("--", "++"),
    ("+=", "-="),
    ("-=", "+="),
    ("&&", "||"),
    ("||", "&&"),
];

/// All mutants of a program, in the order of its text.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    let mut add = |from: usize, to: usize, new: &str| {
        let line = text[..from].matches('\n').count() + 1;
        let old = text[from..to].split_whitespace().collect::<Vec<_>>().join(" ");
        let what = match new {
            "" => format!("line {line}: {old} is removed"),
            new => format!("line {line}: {old} becomes {new}"),
        };
        found.push(Mutant { text: format!("{}{new}{}", &text[..from], &text[to..]), what });
    };
    for (at, token) in tokens.iter().enumerate() {
        let (from, to) = *token;
        let word = &text[from..to];
        if let Some((_, new)) = OPERATORS.iter().find(|(old, _)| *old == word) {
            // `*p` and `-1` are no operations on two sides, and declarations have stars, too.
            let before = at.checked_sub(1).map_or("", |at| &text[tokens[at].0..tokens[at].1]);
            let is_operand = before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ')' || c == ']');
            if is_operand || !matches!(word, "+" | "-" | "*") {
                add(from, to, new);
            }
        } else if let Ok(number) = word.parse::<u64>() {
            add(from, to, &(number + 1).to_string());
            if number > 0 {
                add(from, to, &(number - 1).to_string());
            }
        } else if word == "if" {
            if let Some((open, close)) = parentheses(text, &tokens, at + 1) {
                add(open, close, "(1)");
                add(open, close, "(0)");
            }
        } else if REMOVED.contains(&word)
            && let Some((_, close)) = parentheses(text, &tokens, at + 1)
            && text[close..].trim_start().starts_with(';')
            && at
                .checked_sub(1)
                .is_none_or(|at| [";", "{", "}", ")", "else"].contains(&&text[tokens[at].0..tokens[at].1]))
        {
            add(from, close, "");
        }
    }
    found
}

/// From the parenthesis that opens at this token to behind the one that closes it.
fn parentheses(text: &str, tokens: &[(usize, usize)], at: usize) -> Option<(usize, usize)> {
    let mut depth = 0usize;
    for (from, to) in &tokens[at..] {
        match &text[*from..*to] {
            "(" => depth += 1,
            ")" => depth = depth.checked_sub(1)?,
            _ if depth == 0 => return None,
            _ => {}
        }
        if depth == 0 {
            return Some((tokens[at].0, *to));
        }
    }
    None
}

/// Words, numbers and operators, from where to where; without comments, texts and lines of the preprocessor.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    const LONG: &[&str] = &[
        "<<=", ">>=", "...", "<=", ">=", "==", "!=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "&&",
        "||", "<<", ">>", "->",
    ];
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut is_line_start = true;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let until =
            |end: &str, after: usize| rest[after..].find(end).map_or(rest.len(), |found| after + found + end.len());
        let length = match first {
            '\n' => {
                is_line_start = true;
                at += 1;
                continue;
            }
            _ if first.is_whitespace() => {
                at += first.len_utf8();
                continue;
            }
            '#' if is_line_start => until("\n", 0).max(1) - usize::from(rest.contains('\n')),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => until("*/", 2),
            '"' | '\'' => quoted(rest, first),
            _ if first.is_alphanumeric() || first == '_' => {
                let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
                tokens.push((at, at + length));
                length
            }
            _ => {
                let length =
                    LONG.iter().find(|long| rest.starts_with(**long)).map_or(first.len_utf8(), |long| long.len());
                tokens.push((at, at + length));
                length
            }
        };
        is_line_start = false;
        at += length.max(1);
    }
    tokens
}

/// The length of a text or character with its quotes.
fn quoted(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_made_one_at_a_time() {
        let text = "#include <x.h>\nint main(void) { // a < b\n  if (i < 10) f(\"1 < 2\");\n  free(p);\n}\n";
        let found: Vec<String> = mutants(text).into_iter().map(|mutant| mutant.what).collect();
        let expected = [
            "line 3: (i < 10) becomes (1)",
            "line 3: (i < 10) becomes (0)",
            "line 3: < becomes <=",
            "line 3: 10 becomes 11",
            "line 3: 10 becomes 9",
            "line 4: free(p) is removed",
        ];
        assert_eq!(found, expected);
        assert!(mutants(text)[2].text.contains("if (i <= 10) f(\"1 < 2\");"));
    }

    #[test]
    fn one_sided_operators_are_left_alone() {
        assert!(mutants("p = -*x;").is_empty());
        assert_eq!(mutants("y = a - x;").len(), 1);
    }

    #[test]
    fn any_text_has_tokens() {
        for text in ["\"open", "/* open", "#define X", "é < 'x", "if (", "if", "free("] {
            mutants(text);
        }
    }
}
