//! As much of Java as CIVL's test classes are written in: fields and one-line methods that make strings and paths, and the
//! assertions of test methods.

use std::collections::BTreeMap;

/// A `@Test` method and the commands that it expects to succeed or to fail.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) name: String,
    pub(super) runs: Vec<Run>,
}

/// `assertTrue(ui.run(…))`: the words of the command line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) is_expected: bool,
    pub(super) words: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Text(String),
    Sign(char),
}

/// Names that stand for texts, and functions that make them.
#[derive(Clone, Default)]
pub(super) struct Names {
    fields: BTreeMap<String, Vec<Token>>,
    methods: BTreeMap<(String, usize), (Vec<String>, Vec<Token>)>,
}

impl Names {
    /// Fields `static … NAME = …;` and methods `… static String NAME(T a, T b) { return …; }` of a class.
    pub(super) fn read(&mut self, text: &str) {
        let tokens = tokens(text);
        for at in 0..tokens.len() {
            if !is_word(&tokens, at, "static") {
                continue;
            }
            let Some(sign) = (at..tokens.len()).find(|&at| matches!(tokens[at], Token::Sign('=' | '(' | ';'))) else {
                continue;
            };
            let Some(Token::Word(name)) = tokens.get(sign.wrapping_sub(1)) else { continue };
            if tokens[sign] == Token::Sign('=') {
                let end = find(&tokens, sign, &Token::Sign(';'));
                self.fields.insert(name.clone(), tokens[sign + 1..end].to_vec());
            } else if tokens[sign] == Token::Sign('(') {
                let close = find(&tokens, sign, &Token::Sign(')'));
                let parameters: Vec<String> = arguments(&tokens[sign + 1..close])
                    .into_iter()
                    .filter_map(|part| match part.last() {
                        Some(Token::Word(name)) => Some(name.clone()),
                        _ => None,
                    })
                    .collect();
                let body = find(&tokens, close, &Token::Word("return".into()));
                let end = find(&tokens, body, &Token::Sign(';'));
                if body < tokens.len() {
                    let value = (parameters.clone(), tokens[body + 1..end].to_vec());
                    self.methods.insert((name.clone(), parameters.len()), value);
                }
            }
        }
    }

    /// The text that an expression stands for.
    fn evaluate(&self, tokens: &[Token]) -> Option<String> {
        self.evaluate_within(tokens, 50)
    }

    /// Names that stand for each other are given up at some depth.
    fn evaluate_within(&self, tokens: &[Token], depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let mut text = String::new();
        for part in split(tokens, '+') {
            text += &self.primary(part, depth)?;
        }
        Some(text)
    }

    fn primary(&self, tokens: &[Token], depth: u32) -> Option<String> {
        let tokens = match tokens {
            // `x.getPath()`
            [rest @ .., Token::Sign('.'), Token::Word(get), Token::Sign('('), Token::Sign(')')] if get == "getPath" => {
                rest
            }
            tokens => tokens,
        };
        let tokens = match tokens {
            [Token::Word(class), Token::Sign('.'), rest @ ..] if class == "TestConstants" => rest,
            tokens => tokens,
        };
        match tokens {
            [Token::Text(text)] => Some(text.clone()),
            [Token::Word(number)] if number.starts_with(|c: char| c.is_ascii_digit()) => Some(number.clone()),
            [Token::Word(name)] => self.evaluate_within(self.fields.get(name)?, depth),
            [Token::Word(new), Token::Word(file), Token::Sign('('), inside @ .., Token::Sign(')')]
                if new == "new" && file == "File" =>
            {
                let parts: Option<Vec<String>> =
                    arguments(inside).into_iter().map(|part| self.evaluate_within(part, depth)).collect();
                Some(parts?.join("/"))
            }
            [Token::Word(name), Token::Sign('('), inside @ .., Token::Sign(')')] => {
                let given = arguments(inside);
                let (parameters, body) = self.methods.get(&(name.clone(), given.len()))?;
                let mut names = self.clone();
                for (parameter, value) in parameters.iter().zip(given) {
                    names.fields.insert(parameter.clone(), vec![Token::Text(self.evaluate_within(value, depth)?)]);
                }
                names.evaluate_within(body, depth)
            }
            _ => None,
        }
    }

    /// The tests of a class, with the words of their commands.
    pub(super) fn tests(&self, text: &str) -> Vec<Test> {
        let tokens = tokens(text);
        let starts: Vec<usize> = (1..tokens.len())
            .filter(|&at| is_word(&tokens, at, "Test") && tokens[at - 1] == Token::Sign('@'))
            .collect();
        let mut tests = Vec::new();
        for (index, &start) in starts.iter().enumerate() {
            let end = starts.get(index + 1).copied().unwrap_or(tokens.len());
            let body = &tokens[start..end];
            let name = match body.get(find(body, 0, &Token::Word("void".into())) + 1) {
                Some(Token::Word(name)) => name.clone(),
                _ => continue,
            };
            let asserts = (0..body.len()).filter_map(|at| match &body[at] {
                Token::Word(word) if word == "assertTrue" => Some((at, true)),
                Token::Word(word) if word == "assertFalse" => Some((at, false)),
                _ => None,
            });
            let runs = asserts.filter_map(|(at, is_expected)| {
                let run = (at..body.len()).find(|&at| is_word(body, at, "run"))?;
                let is_negated = body[at..run].contains(&Token::Sign('!'));
                let close = closing(body, run + 1)?;
                let mut words = Vec::new();
                for argument in arguments(&body[run + 2..close]) {
                    let text = self.evaluate(argument)?;
                    words.extend(text.split_whitespace().map(str::to_owned));
                }
                Some(Run { is_expected: is_expected != is_negated, words })
            });
            tests.push(Test { name, runs: runs.collect() });
        }
        tests
    }
}

fn is_word(tokens: &[Token], at: usize, word: &str) -> bool {
    matches!(tokens.get(at), Some(Token::Word(found)) if found == word)
}

/// The first such token from a place on, or the end.
fn find(tokens: &[Token], from: usize, wanted: &Token) -> usize {
    (from..tokens.len()).find(|&at| tokens[at] == *wanted).unwrap_or(tokens.len())
}

/// The parenthesis that closes the one at a place.
fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Sign('(') => depth += 1,
            Token::Sign(')') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

fn arguments(tokens: &[Token]) -> Vec<&[Token]> {
    if tokens.is_empty() { Vec::new() } else { split(tokens, ',') }
}

/// The parts between signs that stand outside of parentheses.
fn split(tokens: &[Token], sign: char) -> Vec<&[Token]> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(') => depth += 1,
            Token::Sign(')') => depth -= 1,
            Token::Sign(found) if *found == sign && depth == 0 => {
                parts.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&tokens[start..]);
    parts
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.split_once('\n').map_or("", |(_, rest)| rest);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, rest)| rest);
        } else if first == '"' {
            let end = rest[1..].find('"').map_or(rest.len(), |end| end + 1);
            tokens.push(Token::Text(rest[1..end].to_owned()));
            rest = rest.get(end + 1..).unwrap_or("");
        } else if first.is_alphanumeric() || first == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..end].to_owned()));
            rest = &rest[end..];
        } else {
            if !first.is_whitespace() {
                tokens.push(Token::Sign(first));
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_understood() {
        let text = r#"
            public class ATest {
              private static File rootDir = new File(new File("examples"), "a"); // "x"
              private static String filename(String name) { return new File(rootDir, name).getPath(); }
              @Test public void one() { assertTrue(ui.run(VERIFY, "-x -y", filename("p.cvl"))); }
              @Test public void two() { assertFalse(ui.run(bound(2), "-I=" + rootDir.getPath())); }
            }"#;
        let mut names = Names::default();
        names.read("static String VERIFY = \"verify\"; static String bound(int n) { return \"-bound=\" + n; }");
        names.read(text);
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let first = Run { is_expected: true, words: words(&["verify", "-x", "-y", "examples/a/p.cvl"]) };
        let second = Run { is_expected: false, words: words(&["-bound=2", "-I=examples/a"]) };
        assert_eq!(
            names.tests(text),
            [Test { name: "one".into(), runs: vec![first] }, Test { name: "two".into(), runs: vec![second] }]
        );
    }
}
