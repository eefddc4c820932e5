//! Conditions of witnesses before they are put into the program's text: one C expression without effects, so that a
//! witness can say something about the program but change nothing in it.

/// Names that the text around a condition uses.
const RESERVED: &[&str] = &["__quod_", "__VERIFIER_", "pthread_"];
/// What stands for the earlier value of a variable begins so.
pub(crate) const EARLIER: &str = "__quod_at_";

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The condition with `\result` replaced, or why it is not accepted.
pub fn clean(text: &str, result: Option<&str>) -> Result<String, String> {
    let mut out = String::new();
    let mut open: Vec<char> = Vec::new();
    let mut last_word = String::new();
    let chars: Vec<char> = text.chars().collect();
    let mut index = 0;
    while index < chars.len() {
        let c = chars[index];
        let next = chars.get(index + 1).copied().unwrap_or(' ');
        match c {
            '\\' => {
                let word: String = chars[index + 1..].iter().take_while(|c| c.is_ascii_alphanumeric()).collect();
                match result {
                    Some(name) if word == "result" => out.push_str(name),
                    _ => return Err(format!("`\\{word}` is not supported here")),
                }
                index += word.len() + 1;
                last_word.clear();
                continue;
            }
            '(' | '[' => {
                if c == '(' && !last_word.is_empty() && last_word != "sizeof" && last_word != "_Alignof" {
                    return Err(format!("a call of `{last_word}` is not allowed in a condition"));
                }
                open.push(c);
            }
            ')' | ']' => {
                let matching = if c == ')' { '(' } else { '[' };
                if open.pop() != Some(matching) {
                    return Err("the parentheses do not match".into());
                }
            }
            '=' if next == '=' => {
                out.push_str("==");
                index += 2;
                last_word.clear();
                continue;
            }
            '<' | '>' | '!' if next == '=' => {
                out.extend([c, '=']);
                index += 2;
                last_word.clear();
                continue;
            }
            '<' | '>' if next == c && chars.get(index + 2) == Some(&'=') => {
                return Err("an assignment is not allowed in a condition".into());
            }
            '=' => return Err("an assignment is not allowed in a condition".into()),
            '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' if next == '=' => {
                return Err("an assignment is not allowed in a condition".into());
            }
            '+' | '-' if next == c => return Err(format!("`{c}{c}` is not allowed in a condition")),
            '/' if next == '/' || next == '*' => return Err("a comment is not allowed in a condition".into()),
            '<' if next == '%' || next == ':' => return Err(format!("`<{next}` is not allowed in a condition")),
            '?' if next == '?' => return Err("`??` is not allowed in a condition".into()),
            ';' | '{' | '}' | '"' | '#' | '@' | '`' => return Err(format!("`{c}` is not allowed in a condition")),
            '\'' => {
                let literal: String = chars[index..].iter().take(3).collect();
                if chars.get(index + 2) != Some(&'\'') || next == '\\' || next == '\'' {
                    return Err("only simple character constants are supported".into());
                }
                out.push_str(&literal);
                index += 3;
                last_word.clear();
                continue;
            }
            _ => {}
        }
        if is_part(c) {
            let is_new = index == 0 || !is_part(chars[index - 1]);
            if is_new {
                let word: String = chars[index..].iter().take_while(|c| is_part(**c)).collect();
                if RESERVED.iter().any(|prefix| word.starts_with(prefix)) && !word.starts_with(EARLIER) {
                    return Err(format!("`{word}` is not allowed in a condition"));
                }
                last_word.clear();
            }
            last_word.push(c);
        } else if !c.is_whitespace() {
            last_word.clear();
        }
        out.push(if c.is_whitespace() { ' ' } else { c });
        index += 1;
    }
    if !open.is_empty() {
        return Err("the parentheses do not match".into());
    }
    if out.trim().is_empty() {
        return Err("the condition is empty".into());
    }
    Ok(out.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn conditions_pass_and_effects_do_not() {
        for text in [
            "x == 1",
            "a[i] <= b->c && !(p)",
            "((unsigned int)x >> 2) > 3U",
            "x != -1L",
            "c ? 1 : 'a' < x",
            "sizeof(x) > 2",
        ] {
            assert_eq!(clean(text, None).as_deref(), Ok(text));
        }
        assert_eq!(clean("\\result==5", Some("r")).as_deref(), Ok("r==5"));
        for text in [
            "x = 1",
            "x++ > 0",
            "f(x)",
            "1); x = 2; (1",
            "x /* */",
            "\"a\"",
            "",
            "x += 1",
            "x <<= 1",
            "(x",
            "\\result",
            "__quod_segment == 1",
            "(__VERIFIER_assume)(0)",
        ] {
            assert!(clean(text, None).is_err(), "{text}");
        }
    }
}
