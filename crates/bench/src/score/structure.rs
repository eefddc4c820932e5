//! The structure of categories (`category-structure.yml` of the competition): which base categories make which meta
//! category, who takes part, and normalised scores.

use super::schema::Counting;
use crate::input::error::{InputError, code};
use crate::input::yaml::{self, Node};
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Structure {
    pub competition: String,
    pub year: Option<u16>,
    pub verifiers: Vec<String>,
    pub validators: Vec<String>,
    pub properties: Vec<String>,
    /// Shown, but not counted towards meta categories.
    pub demo: Vec<String>,
    pub metas: Vec<Meta>,
    pub opt_out: BTreeMap<String, Vec<String>>,
    pub opt_in: BTreeMap<String, Vec<String>>,
    pub order: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Meta {
    pub name: String,
    pub properties: Vec<String>,
    /// Base categories as `<property>.<task set>`, or names of other metas.
    pub members: Vec<String>,
    pub verifiers: Vec<String>,
    pub validators: Vec<String>,
    pub line: u32,
}

/// Score and number of tasks of a base category, by its name and which answers count.
pub type BaseScore<'a> = dyn Fn(&str, Counting) -> Option<(f64, usize)> + 'a;

/// `(sum s_i / n_i) * (sum n_i) / k` over the sub-categories: every one weighs the same, however many tasks it has.
pub fn normalise(parts: &[(f64, usize)]) -> f64 {
    let parts: Vec<&(f64, usize)> = parts.iter().filter(|(_, tasks)| *tasks > 0).collect();
    if parts.is_empty() {
        return 0.0;
    }
    let average: f64 = parts.iter().map(|(score, tasks)| score / *tasks as f64).sum::<f64>() / parts.len() as f64;
    average * parts.iter().map(|(_, tasks)| *tasks as f64).sum::<f64>()
}

/// The Falsification categories of all years ignore proofs; `TrueOverall` ignores alarms.
pub fn counting(meta: &str) -> Counting {
    if meta.contains("Falsification") || meta.contains("FalseOverall") {
        Counting::FalseOnly
    } else if meta.contains("TrueOverall") {
        Counting::TrueOnly
    } else {
        Counting::All
    }
}

impl Structure {
    pub fn read(file: &Path) -> Result<Self, InputError> {
        let text = std::fs::read_to_string(file).map_err(|error| InputError::unreadable(file, &error))?;
        Self::parse(&text, file)
    }

    /// The structure of the C categories of 2027.
    pub fn newest() -> Result<Self, InputError> {
        Self::parse(include_str!("../../data/svcomp27.yml"), Path::new("svcomp27.yml"))
    }

    pub fn parse(text: &str, file: &Path) -> Result<Self, InputError> {
        let whole = |message: &str| InputError::new(code::BAD_STRUCTURE, file, 1, 1, message);
        let root = yaml::parse(text, file)?.ok_or_else(|| whole("the category structure is empty"))?;
        let list = |node: Option<&Node>| -> Vec<String> {
            node.map(Node::items)
                .unwrap_or_default()
                .iter()
                .filter_map(|item| item.as_str())
                .map(str::to_string)
                .collect()
        };
        let by_tool = |node: Option<&Node>| -> BTreeMap<String, Vec<String>> {
            node.map_or(&[][..], Node::entries)
                .iter()
                .filter_map(|(key, value)| Some((key.as_str()?.to_string(), list(Some(value)))))
                .collect()
        };
        let categories = root.get("categories").ok_or_else(|| whole("`categories` is missing"))?;
        if categories.entries().is_empty() {
            let message = "`categories` is a map from names to their `categories`";
            return Err(InputError::new(code::BAD_STRUCTURE, file, categories.line, categories.column, message));
        }
        let mut metas = Vec::new();
        for (key, value) in categories.entries() {
            let name = key.as_str().unwrap_or("").to_string();
            let members = list(value.get("categories"));
            if members.is_empty() {
                let message = format!("the category `{name}` has no `categories`");
                return Err(InputError::new(code::BAD_STRUCTURE, file, key.line, key.column, message));
            }
            metas.push(Meta {
                name,
                properties: list(value.get("properties")),
                members,
                verifiers: list(value.get("verifiers")),
                validators: list(value.get("validators")),
                line: key.line,
            });
        }
        let result = Self {
            competition: root.get("competition").and_then(Node::as_str).unwrap_or("").to_string(),
            year: root.get("year").and_then(Node::as_str).and_then(|year| year.parse().ok()),
            verifiers: list(root.get("verifiers")),
            validators: list(root.get("validators")),
            properties: list(root.get("properties")),
            demo: list(root.get("demo_categories")),
            metas,
            opt_out: by_tool(root.get("opt_out")),
            opt_in: by_tool(root.get("opt_in")),
            order: list(root.get("categories_table_order")),
        };
        result.check_cycles(file)?;
        Ok(result)
    }

    fn check_cycles(&self, file: &Path) -> Result<(), InputError> {
        for meta in &self.metas {
            let mut reached = vec![meta.name.as_str()];
            let mut next = 0;
            while next < reached.len() {
                for member in self.meta(reached[next]).map_or(&[][..], |meta| &meta.members) {
                    if *member == meta.name {
                        let message = format!("the category `{member}` contains itself");
                        return Err(InputError::new(code::BAD_STRUCTURE, file, meta.line, 1, message));
                    }
                    if self.meta(member).is_some() && !reached.contains(&member.as_str()) {
                        reached.push(member);
                    }
                }
                next += 1;
            }
        }
        Ok(())
    }

    pub fn meta(&self, name: &str) -> Option<&Meta> {
        self.metas.iter().find(|meta| meta.name == name)
    }

    /// All base categories below a meta category, in order, each once.
    pub fn bases(&self, meta: &str) -> Vec<String> {
        let mut result = Vec::new();
        for member in self.meta(meta).map_or(&[][..], |meta| &meta.members) {
            let below = if self.meta(member).is_some() { self.bases(member) } else { vec![member.clone()] };
            for base in below {
                if !result.contains(&base) {
                    result.push(base);
                }
            }
        }
        result
    }

    /// The score of a category, from the scores and sizes of base categories; `None` where nothing below it was run.
    pub fn score(&self, name: &str, base: &BaseScore<'_>) -> Option<(f64, usize)> {
        self.score_counting(name, counting(name), base)
    }

    fn score_counting(&self, name: &str, counting: Counting, base: &BaseScore<'_>) -> Option<(f64, usize)> {
        let Some(meta) = self.meta(name) else { return base(name, counting) };
        let parts: Vec<(f64, usize)> = meta
            .members
            .iter()
            .filter(|member| !self.demo.contains(member))
            .filter_map(|member| self.score_counting(member, counting, base))
            .collect();
        let tasks = parts.iter().map(|(_, tasks)| tasks).sum();
        (tasks > 0).then(|| (normalise(&parts), tasks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_rules() {
        assert_eq!(normalise(&[(10.0, 10), (5.0, 10)]), 15.0);
        assert_eq!(normalise(&[]), 0.0);
    }

    #[test]
    fn metas_of_metas() {
        let text = "year: 2025\ncategories:\n  A:\n    categories: [p.x, p.y]\n  B:\n    categories:\n      - q.z\n  \
                    Overall:\n    categories: [A, B]\n";
        let structure = Structure::parse(text, Path::new("s.yml")).unwrap();
        assert_eq!(structure.bases("Overall"), ["p.x", "p.y", "q.z"]);
        let base = |name: &str, _: Counting| Some(if name == "q.z" { (100.0, 100) } else { (5.0, 10) });
        // A: (0.5 + 0.5) * 20 / 2 = 10 of 20 tasks; B: 100 of 100; Overall: (0.5 + 1) * 120 / 2.
        assert_eq!(structure.score("Overall", &base), Some((90.0, 120)));
        assert!(Structure::parse("categories:\n  A:\n    categories: [A]\n", Path::new("s.yml")).is_err());
        assert_eq!(Structure::parse("categories:\n  A: {}\n", Path::new("s.yml")).unwrap_err().line, 2);
    }

    #[test]
    fn the_newest_structure() {
        let structure = Structure::newest().unwrap();
        assert_eq!(structure.year, Some(2027));
        assert_eq!(counting("C.FalseOverall"), Counting::FalseOnly);
        assert!(structure.bases("C.Overall").len() > 40);
    }
}
