//! Reading S-expressions: one top-level expression at a time into a flat list of nodes, so that nesting costs no stack.

use std::fmt;

/// A place in the text; both count from 1.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// What is wrong with a script, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {message}")]
pub struct ParseError {
    pub position: Position,
    pub message: String,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `(…)`; the children follow by `first` and `next`.
    List,
    Symbol,
    /// `|…|`, without the bars in the text.
    Quoted,
    Keyword,
    Numeral,
    Decimal,
    Hexadecimal,
    Binary,
    Text,
}

/// Index of a node of a [`Tree`].
pub(super) type Node = u32;
const NONE: Node = u32::MAX;

#[derive(Copy, Clone)]
struct Item {
    kind: Kind,
    start: u32,
    end: u32,
    first: Node,
    next: Node,
}

/// One top-level expression.
pub(super) struct Tree<'a> {
    text: &'a str,
    items: Vec<Item>,
}

impl<'a> Tree<'a> {
    pub(super) const ROOT: Node = 0;

    pub(super) fn kind(&self, node: Node) -> Kind {
        self.items[node as usize].kind
    }
    pub(super) fn is_list(&self, node: Node) -> bool {
        self.kind(node) == Kind::List
    }
    /// The text of an atom, without bars or quotes.
    pub(super) fn text(&self, node: Node) -> &'a str {
        let item = &self.items[node as usize];
        &self.text[item.start as usize..item.end as usize]
    }
    /// The name of a symbol, bars or not.
    pub(super) fn symbol(&self, node: Node) -> Option<&'a str> {
        matches!(self.kind(node), Kind::Symbol | Kind::Quoted).then(|| self.text(node))
    }
    /// Whether the node is this word, without bars.
    pub(super) fn is_word(&self, node: Node, word: &str) -> bool {
        self.kind(node) == Kind::Symbol && self.text(node) == word
    }
    /// The text as it stands in the script, parentheses included.
    pub(super) fn source(&self, node: Node) -> &'a str {
        let item = &self.items[node as usize];
        match item.kind {
            Kind::Quoted | Kind::Text => &self.text[item.start as usize - 1..item.end as usize + 1],
            _ => &self.text[item.start as usize..item.end as usize],
        }
    }
    pub(super) fn position(&self, node: Node) -> Position {
        position_at(self.text, self.items[node as usize].start as usize)
    }
    pub(super) fn children(&self, node: Node) -> impl Iterator<Item = Node> + use<'_, 'a> {
        let mut next = self.items[node as usize].first;
        std::iter::from_fn(move || {
            let node = next;
            (node != NONE).then(|| {
                next = self.items[node as usize].next;
                node
            })
        })
    }
    pub(super) fn list(&self, node: Node) -> Vec<Node> {
        if self.is_list(node) { self.children(node).collect() } else { Vec::new() }
    }
    pub(super) fn error<T>(&self, node: Node, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError { position: self.position(node), message: message.into() })
    }
}

/// Reads expressions from a text.
pub(super) struct Reader<'a> {
    text: &'a str,
    offset: usize,
}

/// Line and column of an offset; counted when an error needs it, not for every word.
fn position_at(text: &str, offset: usize) -> Position {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
    let line = before.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1;
    let column = String::from_utf8_lossy(&before[line_start..]).chars().count() as u32 + 1;
    Position { line, column }
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, offset: 0 }
    }

    fn error<T>(&self, offset: usize, message: impl Into<String>) -> Result<T, ParseError> {
        let position = position_at(self.text, offset);
        Err(ParseError { position, message: message.into() })
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    fn bump(&mut self) {
        self.offset += 1;
    }

    fn skip_blank(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.bump(),
                b';' => {
                    while self.peek().is_some_and(|byte| byte != b'\n') {
                        self.bump();
                    }
                }
                _ => break,
            }
        }
    }

    /// The next top-level expression; `None` at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<Tree<'a>>, ParseError> {
        let mut items: Vec<Item> = Vec::new();
        // Open lists, each with its last child.
        let mut open: Vec<(Node, Node)> = Vec::new();
        loop {
            self.skip_blank();
            let position = self.offset;
            let Some(byte) = self.peek() else {
                let Some((node, _)) = open.first() else { return Ok(None) };
                return self.error(items[*node as usize].start as usize, "this parenthesis is not closed");
            };
            let mut closed = None;
            match byte {
                b'(' => {
                    let node = self.push(&mut items, &mut open, Kind::List, self.offset, self.offset)?;
                    open.push((node, NONE));
                    self.bump();
                }
                b')' => {
                    self.bump();
                    let Some((node, _)) = open.pop() else {
                        return self.error(position, "no parenthesis is open here");
                    };
                    items[node as usize].end = self.offset as u32;
                    closed = Some(());
                }
                _ => {
                    let (kind, start, end) = self.atom(byte, position)?;
                    self.push(&mut items, &mut open, kind, start, end)?;
                    closed = Some(());
                }
            }
            if closed.is_some() && open.is_empty() {
                return Ok(Some(Tree { text: self.text, items }));
            }
        }
    }

    fn push(
        &self,
        items: &mut Vec<Item>,
        open: &mut [(Node, Node)],
        kind: Kind,
        start: usize,
        end: usize,
    ) -> Result<Node, ParseError> {
        let node = items.len() as Node;
        if items.len() >= NONE as usize || end > u32::MAX as usize {
            return self.error(start, "the script is too long");
        }
        items.push(Item { kind, start: start as u32, end: end as u32, first: NONE, next: NONE });
        if let Some((parent, last)) = open.last_mut() {
            if *last == NONE {
                items[*parent as usize].first = node;
            } else {
                items[*last as usize].next = node;
            }
            *last = node;
        }
        Ok(node)
    }

    /// Kind and text of an atom; the reader goes behind it.
    fn atom(&mut self, byte: u8, position: usize) -> Result<(Kind, usize, usize), ParseError> {
        let start = self.offset;
        match byte {
            b'|' => {
                self.bump();
                while let Some(byte) = self.peek() {
                    if byte == b'|' {
                        self.bump();
                        return Ok((Kind::Quoted, start + 1, self.offset - 1));
                    }
                    self.bump();
                }
                self.error(position, "this symbol is not closed by `|`")
            }
            b'"' => {
                self.bump();
                while let Some(byte) = self.peek() {
                    self.bump();
                    if byte == b'"' {
                        // Two quotes are one quote inside.
                        if self.peek() != Some(b'"') {
                            return Ok((Kind::Text, start + 1, self.offset - 1));
                        }
                        self.bump();
                    }
                }
                self.error(position, "this string is not closed")
            }
            _ => {
                let is_end = |byte: u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'(' | b')' | b';' | b'"' | b'|');
                while self.peek().is_some_and(|byte| !is_end(byte)) {
                    self.bump();
                }
                let text = &self.text[start..self.offset];
                let kind = classify(text);
                match kind {
                    Some(kind) => Ok((kind, start, self.offset)),
                    None => self.error(position, format!("`{text}` is not a word of SMT-LIB")),
                }
            }
        }
    }
}

fn classify(text: &str) -> Option<Kind> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(rest) = text.strip_prefix("#x") {
        return (!rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(Kind::Hexadecimal);
    }
    if let Some(rest) = text.strip_prefix("#b") {
        return (!rest.is_empty() && rest.bytes().all(|byte| matches!(byte, b'0' | b'1'))).then_some(Kind::Binary);
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        if digits(text) {
            return Some(Kind::Numeral);
        }
        let (whole, part) = text.split_once('.')?;
        return (digits(whole) && digits(part)).then_some(Kind::Decimal);
    }
    if text.starts_with(':') {
        return (text.len() > 1).then_some(Kind::Keyword);
    }
    let is_symbol = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c) || !c.is_ascii();
    text.chars().all(is_symbol).then_some(Kind::Symbol)
}
