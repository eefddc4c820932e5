//! The registry of diagnostic codes: what `quod explain CODE` says, and the constants that other crates use.
//!
//! A code is declared once, in the file of its range below, by a doc comment (the explanation, Markdown), its number, the
//! constant's name and a title. Use it as `codes::ASSERTION`. `cargo xtask tidy` checks that every declared code is used
//! and that nothing else makes a `Code`. A number is never used again for something else.

/// Q6001 to Q6999: benchmarks.
pub mod bench;
/// Q0200 to Q0499: parser.
pub mod parser;
/// Q0001 to Q0199: preprocessor and lexer.
pub mod preprocessor;
/// Q1001 to Q1999: properties of programs.
pub mod program;
/// Q9001 to Q9999: the tool itself and its command line.
pub mod tool;
/// Q0500 to Q0999: names, types, constants, layout, lowering.
pub mod types;
/// Q5001 to Q5999: witnesses.
pub mod witness;

pub use bench::*;
pub use parser::*;
pub use preprocessor::*;
pub use program::*;
pub use tool::*;
pub use types::*;
pub use witness::*;

/// A stable code such as `Q0123`; `quod explain Q0123` says more.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(pub(crate) u16);

impl Code {
    pub const fn number(self) -> u16 {
        self.0
    }
    /// What the registry says of this code.
    pub fn entry(self) -> Option<&'static Entry> {
        entries().find(|entry| entry.code == self)
    }
    /// The entry of `Q0123`, `q123` or `123`, or of a name such as `division-by-zero`.
    pub fn find(text: &str) -> Option<&'static Entry> {
        let digits = text.trim().trim_start_matches(['q', 'Q']);
        if let Ok(number) = digits.parse::<u16>() {
            return Code(number).entry();
        }
        let name = text.trim().replace('-', "_").to_ascii_uppercase();
        entries().find(|entry| entry.name == name)
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Q{:04}", self.0)
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// A line of the registry.
#[derive(Debug)]
pub struct Entry {
    pub code: Code,
    /// The constant's name, `DIVISION_BY_ZERO`.
    pub name: &'static str,
    /// A few words, lower case: `division by zero`.
    pub title: &'static str,
    /// Lines of Markdown, each with the blank of its doc comment in front.
    lines: &'static [&'static str],
}

impl Entry {
    /// Several sentences in Markdown: what it means, an example, what to do.
    pub fn explanation(&self) -> String {
        let mut text = String::new();
        for line in self.lines {
            text.push_str(line.strip_prefix(' ').unwrap_or(line));
            text.push('\n');
        }
        text
    }
}

/// All codes in the order of their numbers.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    let tables =
        [preprocessor::TABLE, parser::TABLE, types::TABLE, program::TABLE, witness::TABLE, bench::TABLE, tool::TABLE];
    tables.into_iter().flatten()
}

/// Declares the codes of one file: `/// explanation`, number, name, title.
macro_rules! declare {
    ($($(#[doc = $line:literal])+ $number:literal $name:ident $title:literal;)*) => {
        $($(#[doc = $line])+ pub const $name: $crate::Code = $crate::Code($number);)*

        pub(super) const TABLE: &[super::Entry] = &[$(super::Entry {
            code: $name,
            name: stringify!($name),
            title: $title,
            lines: &[$($line),+],
        }),*];
    };
}
pub(crate) use declare;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_ascend_within_their_ranges() {
        let ranges = [
            (preprocessor::TABLE, 1..200),
            (parser::TABLE, 200..500),
            (types::TABLE, 500..1000),
            (program::TABLE, 1001..2000),
            (witness::TABLE, 5001..6000),
            (bench::TABLE, 6001..7000),
            (tool::TABLE, 9001..10000),
        ];
        for (table, range) in ranges {
            for pair in table.windows(2) {
                assert!(
                    pair[0].code < pair[1].code,
                    "{} {} stands before {}",
                    pair[0].code,
                    pair[0].name,
                    pair[1].code
                );
            }
            for entry in table {
                assert!(range.contains(&entry.code.number()), "{} {} is outside {range:?}", entry.code, entry.name);
            }
        }
    }

    #[test]
    fn every_code_is_explained() {
        for entry in entries() {
            let explanation = entry.explanation();
            assert!(explanation.trim().len() > 40, "{} {} needs an explanation", entry.code, entry.name);
            assert!(!entry.title.ends_with('.'), "{}: titles have no full stop", entry.code);
        }
    }

    #[test]
    fn codes_are_found_by_number_and_by_name() {
        for text in ["Q1003", "q1003", "1003", "division-by-zero", "DIVISION_BY_ZERO"] {
            assert_eq!(Code::find(text).map(|entry| entry.name), Some("DIVISION_BY_ZERO"), "{text}");
        }
        assert!(Code::find("Q0000").is_none());
    }
}
