//! What solvers print, read defensively: nothing that they say can make us panic, loop or run out of stack.

/// An S-expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexpr {
    Atom(String),
    List(Vec<Sexpr>),
}

impl Sexpr {
    pub fn atom(&self) -> Option<&str> {
        match self {
            Self::Atom(text) => Some(text),
            Self::List(_) => None,
        }
    }
    pub fn list(&self) -> Option<&[Sexpr]> {
        match self {
            Self::List(items) => Some(items),
            Self::Atom(_) => None,
        }
    }
}

/// Deeper answers than this are garbage: values nest a few levels, arrays one for each write.
const MAX_DEPTH: usize = 10_000;

/// Collects text until one whole expression is there.
#[derive(Default)]
pub struct Reader {
    open: Vec<Vec<Sexpr>>,
    token: String,
    mode: Mode,
}

#[derive(Default, PartialEq, Eq, Clone, Copy)]
enum Mode {
    #[default]
    Plain,
    Quoted,
    Bars,
    Comment,
}

/// The text is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Garbage(pub String);

impl Reader {
    /// Takes one character; gives the expression that it ends.
    pub fn push(&mut self, character: char) -> Result<Option<Sexpr>, Garbage> {
        match (self.mode, character) {
            (Mode::Comment, '\n') => self.mode = Mode::Plain,
            (Mode::Comment, _) => {}
            (Mode::Quoted, '"') => {
                self.token.push('"');
                self.mode = Mode::Plain;
                return Ok(self.end_token());
            }
            (Mode::Bars, '|') => {
                self.mode = Mode::Plain;
                return Ok(self.end_token());
            }
            (Mode::Quoted | Mode::Bars, other) => self.token.push(other),
            (Mode::Plain, '"') => {
                self.token.push('"');
                self.mode = Mode::Quoted;
            }
            (Mode::Plain, '|') => self.mode = Mode::Bars,
            (Mode::Plain, ';') => self.mode = Mode::Comment,
            (Mode::Plain, '(') => {
                let _ = self.end_token();
                if self.open.len() >= MAX_DEPTH {
                    return Err(Garbage("an answer nests too deep".into()));
                }
                self.open.push(Vec::new());
            }
            (Mode::Plain, ')') => {
                let _ = self.end_token();
                let Some(items) = self.open.pop() else { return Err(Garbage("an unmatched parenthesis".into())) };
                return Ok(self.deliver(Sexpr::List(items)));
            }
            (Mode::Plain, space) if space.is_whitespace() => return Ok(self.end_token()),
            (Mode::Plain, other) => self.token.push(other),
        }
        if self.token.len() > 1 << 24 {
            return Err(Garbage("an answer without end".into()));
        }
        Ok(None)
    }

    fn end_token(&mut self) -> Option<Sexpr> {
        if self.token.is_empty() {
            return None;
        }
        let atom = Sexpr::Atom(std::mem::take(&mut self.token));
        self.deliver(atom)
    }

    fn deliver(&mut self, expression: Sexpr) -> Option<Sexpr> {
        match self.open.last_mut() {
            Some(list) => {
                list.push(expression);
                None
            }
            None => Some(expression),
        }
    }
}

/// Ends without recursion: answers may nest deep.
impl Drop for Sexpr {
    fn drop(&mut self) {
        let Self::List(items) = self else { return };
        let mut work = std::mem::take(items);
        while let Some(mut item) = work.pop() {
            if let Self::List(inner) = &mut item {
                work.append(inner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Sexpr>, Garbage> {
        let mut reader = Reader::default();
        let mut all = Vec::new();
        for character in text.chars() {
            all.extend(reader.push(character)?);
        }
        Ok(all)
    }

    #[test]
    fn reads_answers() {
        let all = read("sat\n((x #x0f) (|a b| (- 3))) ; done\n").expect("fine");
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].atom(), Some("sat"));
        assert_eq!(all[1].list().map(<[_]>::len), Some(2));
    }

    #[test]
    fn garbage_is_an_error_and_depth_is_bounded() {
        assert!(read(")\n").is_err());
        assert!(read(&"(".repeat(20_000)).is_err());
        assert!(read("\u{0}\u{7f}garbage \n").is_ok());
    }
}
