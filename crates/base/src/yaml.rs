//! YAML as a tree whose nodes know their line and column: enough for task definitions, category structures and witnesses,
//! with errors that point at the place. Aliases copy the anchored node; depth is bounded, so that no input exhausts the
//! stack.

use saphyr_parser::{Event, Parser, ScalarStyle};

const MAX_DEPTH: usize = 64;
const MAX_NODES: usize = 2_000_000;

/// Where reading stopped, and why; lines and columns from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlError {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub line: u32,
    pub column: u32,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Scalar { text: String, is_quoted: bool },
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
}

impl Node {
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.kind {
            Kind::Map(entries) => entries.iter().find(|(k, _)| k.as_str() == Some(key)).map(|(_, value)| value),
            _ => None,
        }
    }
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }
    pub fn as_bool(&self) -> Option<bool> {
        match &self.kind {
            Kind::Scalar { text, is_quoted: false } => match text.as_str() {
                "true" | "True" | "TRUE" | "yes" | "Yes" | "on" => Some(true),
                "false" | "False" | "FALSE" | "no" | "No" | "off" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }
    pub fn is_null(&self) -> bool {
        matches!(&self.kind, Kind::Scalar { text, is_quoted: false } if matches!(text.as_str(), "" | "~" | "null"))
    }
    /// A list's items, or a single value as a list of one.
    pub fn items(&self) -> Vec<&Node> {
        match &self.kind {
            Kind::List(items) => items.iter().collect(),
            _ if self.is_null() => Vec::new(),
            _ => vec![self],
        }
    }
    pub fn entries(&self) -> &[(Node, Node)] {
        match &self.kind {
            Kind::Map(entries) => entries,
            _ => &[],
        }
    }
}

enum Open {
    List(Vec<Node>),
    Map(Vec<(Node, Node)>, Option<Node>),
}

/// The first document of a file; `None` for an empty one.
pub fn parse(text: &str) -> Result<Option<Node>, YamlError> {
    let mut stack: Vec<(Open, u32, u32, usize)> = Vec::new();
    // Each with how many nodes it is: aliases that name aliases could build any number.
    let mut anchors: Vec<(usize, Node, usize)> = Vec::new();
    let mut root = None;
    let mut nodes = 0_usize;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let marker = error.marker();
            let (line, column) = (marker.line() as u32, marker.col() as u32 + 1);
            YamlError { line, column, message: format!("malformed YAML: {}", error.info()) }
        })?;
        let (line, column) = (span.start.line() as u32, span.start.col() as u32 + 1);
        let fault = |message: &str| YamlError { line, column, message: message.to_owned() };
        let (node, anchor) = match event {
            Event::Scalar(text, style, anchor, _) => {
                let is_quoted = style != ScalarStyle::Plain;
                (Node { line, column, kind: Kind::Scalar { text: text.into_owned(), is_quoted } }, anchor)
            }
            Event::Alias(anchor) => {
                let found = anchors.iter().rev().find(|(id, ..)| *id == anchor);
                let (_, node, size) = found.ok_or_else(|| fault("an alias without its anchor"))?;
                nodes += size;
                if nodes > MAX_NODES {
                    return Err(fault("aliases make the document too large"));
                }
                (node.clone(), 0)
            }
            Event::SequenceStart(anchor, _) => {
                stack.push((Open::List(Vec::new()), line, column, anchor));
                continue;
            }
            Event::MappingStart(anchor, _) => {
                stack.push((Open::Map(Vec::new(), None), line, column, anchor));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some((open, line, column, anchor)) = stack.pop() else { continue };
                let kind = match open {
                    Open::List(items) => Kind::List(items),
                    Open::Map(entries, _) => Kind::Map(entries),
                };
                (Node { line, column, kind }, anchor)
            }
            Event::DocumentEnd => break,
            _ => continue,
        };
        nodes += 1;
        if stack.len() > MAX_DEPTH || nodes > MAX_NODES {
            return Err(fault("the document is nested too deeply or too large"));
        }
        if anchor > 0 {
            anchors.push((anchor, node.clone(), size(&node)));
        }
        match stack.last_mut() {
            None => root = Some(node),
            Some((Open::List(items), ..)) => items.push(node),
            Some((Open::Map(entries, key), ..)) => match key.take() {
                None => *key = Some(node),
                Some(key) => {
                    if let Some(name) = key.as_str()
                        && entries.iter().any(|(other, _)| other.as_str() == Some(name))
                    {
                        let message = format!("the key `{name}` is given twice");
                        return Err(YamlError { line: key.line, column: key.column, message });
                    }
                    entries.push((key, node));
                }
            },
        }
    }
    Ok(root.filter(|node: &Node| !node.is_null()))
}

/// How many nodes a node is, with all inside it.
fn size(node: &Node) -> usize {
    let mut count = 0;
    let mut work = vec![node];
    while let Some(node) = work.pop() {
        count += 1;
        match &node.kind {
            Kind::Scalar { .. } => {}
            Kind::List(items) => work.extend(items),
            Kind::Map(entries) => work.extend(entries.iter().flat_map(|(key, value)| [key, value])),
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_know_their_lines() {
        let node = parse("a: 'x'\nb:\n  - 1\n  - true\n").unwrap().unwrap();
        assert_eq!(node.get("a").unwrap().as_str(), Some("x"));
        let list = node.get("b").unwrap();
        assert_eq!(list.items()[1].line, 4);
        assert_eq!(list.items()[1].as_bool(), Some(true));
    }

    #[test]
    fn faults_have_places() {
        let error = parse("a: [1,\nb: }\n").unwrap_err();
        assert!(error.line >= 1, "{error:?}");
        let error = parse("a: 1\na: 2\n").unwrap_err();
        assert_eq!((error.line, error.message.as_str()), (2, "the key `a` is given twice"));
        assert_eq!(parse("# nothing\n"), Ok(None));
        assert!(parse(&"[".repeat(100_000)).is_err());
        let laughs = |at: usize| format!("a{at}: &a{at} [{}]\n", vec![format!("*a{}", at - 1); 9].join(","));
        let text = format!("a0: &a0 x\n{}", (1..20).map(laughs).collect::<String>());
        assert_eq!(parse(&text).unwrap_err().message, "aliases make the document too large");
    }
}
