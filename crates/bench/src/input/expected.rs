//! Expected verdicts: `true`, `false`, `false(valid-deref)`.

use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected {
    pub holds: bool,
    pub subproperty: Option<String>,
}

impl Expected {
    pub fn parse(text: &str) -> Option<Self> {
        let (verdict, rest) = text.split_at(text.find('(').unwrap_or(text.len()));
        let holds = match verdict {
            "true" => true,
            "false" => false,
            _ => return None,
        };
        let subproperty = match rest {
            "" => None,
            _ => Some(rest.strip_prefix('(')?.strip_suffix(')')?.to_string()),
        };
        Some(Self { holds, subproperty })
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.holds { "true" } else { "false" })?;
        self.subproperty.as_ref().map_or(Ok(()), |name| write!(f, "({name})"))
    }
}
