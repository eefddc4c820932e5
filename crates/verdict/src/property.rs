//! What is asked of a program: the competition's properties, and sets of check kinds beyond them. `.prp` files are read
//! from their text; finding the file is the caller's business.

use crate::check::{CheckKind, KindSet, Nature};

/// A property of the competition, by its word.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// `G ! call(reach_error())`
    UnreachCall,
    /// `G valid-free`
    ValidFree,
    /// `G valid-deref`
    ValidDeref,
    /// `G valid-memtrack`
    ValidMemtrack,
    /// `G valid-memcleanup`
    ValidMemcleanup,
    /// `G ! overflow`
    NoOverflow,
    /// `G ! data-race`
    NoDataRace,
    /// `F end`
    Termination,
    /// `G def-behavior`
    DefBehavior,
}

use Property::*;

impl Property {
    pub const ALL: &[Property] = &[
        UnreachCall,
        ValidFree,
        ValidDeref,
        ValidMemtrack,
        ValidMemcleanup,
        NoOverflow,
        NoDataRace,
        Termination,
        DefBehavior,
    ];

    /// The word in `Result: FALSE(word)`.
    pub fn word(self) -> &'static str {
        match self {
            UnreachCall => "unreach-call",
            ValidFree => "valid-free",
            ValidDeref => "valid-deref",
            ValidMemtrack => "valid-memtrack",
            ValidMemcleanup => "valid-memcleanup",
            NoOverflow => "no-overflow",
            NoDataRace => "no-data-race",
            Termination => "termination",
            DefBehavior => "def-behavior",
        }
    }

    /// The checks whose failure violates the property.
    pub fn kinds(self) -> KindSet {
        use CheckKind as Kind;
        let kinds: &[CheckKind] = match self {
            UnreachCall => &[Kind::Unreachable],
            ValidFree => &[Kind::InvalidFree],
            // An index outside its array but inside the object is a valid dereference for the competition.
            ValidDeref => &[Kind::InvalidDeref, Kind::NullArgument],
            ValidMemtrack => &[Kind::LostMemory],
            ValidMemcleanup => &[Kind::MemoryLeak, Kind::LostMemory],
            NoOverflow => &[Kind::SignedOverflow],
            NoDataRace => &[Kind::DataRace],
            Termination => &[Kind::Termination],
            DefBehavior => {
                let undefined = CheckKind::ALL.iter().filter(|kind| kind.nature() == Nature::Undefined);
                return undefined.copied().chain([Kind::DataRace]).collect();
            }
        };
        KindSet::of(kinds)
    }

    /// The property's formula inside `LTL( … )` as `.prp` files write it.
    pub fn formula(self, error_function: &str) -> String {
        match self {
            UnreachCall => format!("G ! call({error_function}())"),
            NoOverflow => "G ! overflow".into(),
            NoDataRace => "G ! data-race".into(),
            Termination => "F end".into(),
            other => format!("G {}", other.word()),
        }
    }
}

impl std::fmt::Display for Property {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

/// Everything that is asked about one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    /// The competition's properties, whose words a violation is then reported with; empty for the user's own choice.
    pub properties: Vec<Property>,
    /// The checks that are switched on.
    pub kinds: KindSet,
    /// The function whose call `unreach-call` forbids.
    pub error_function: String,
}

/// Why a `.prp` file or a property's name was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyError {
    /// From one; zero for a name.
    pub line: usize,
    pub message: String,
}

impl std::fmt::Display for PropertyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}

impl std::error::Error for PropertyError {}

impl Specification {
    fn asking(properties: Vec<Property>) -> Self {
        let mut kinds = properties.iter().fold(KindSet::EMPTY, |set, property| set.union(property.kinds()));
        kinds.insert(CheckKind::Unsupported);
        Self { properties, kinds, error_function: "reach_error".into() }
    }

    /// Without a property: every step check, and the state checks that any program should pass.
    pub fn everything() -> Self {
        let mut kinds = KindSet::all();
        kinds.remove(CheckKind::Termination);
        Self { kinds, ..Self::asking(Vec::new()) }
    }

    /// What is looked for unless more is asked: races of single accesses and lost memory are asked for by name.
    pub fn usual() -> Self {
        let mut usual = Self::everything();
        usual.kinds.remove(CheckKind::DataRace);
        usual.kinds.remove(CheckKind::LostMemory);
        usual
    }

    /// A name of the command line: a property's word, `valid-memsafety`, or a check's word.
    pub fn from_name(name: &str) -> Result<Self, PropertyError> {
        if name == "valid-memsafety" {
            return Ok(Self::asking(vec![ValidFree, ValidDeref, ValidMemtrack]));
        }
        if let Some(&property) = Property::ALL.iter().find(|property| property.word() == name) {
            return Ok(Self::asking(vec![property]));
        }
        match CheckKind::from_word(name) {
            Some(kind) => {
                let kinds = KindSet::of(&[kind, CheckKind::Unsupported]);
                Ok(Self { kinds, ..Self::asking(Vec::new()) })
            }
            None => Err(PropertyError { line: 0, message: format!("there is no property called `{name}`") }),
        }
    }

    /// The text of a `.prp` file: `CHECK( init(main()), LTL(G ! overflow) )`, one a line.
    pub fn from_prp(text: &str) -> Result<Self, PropertyError> {
        let mut properties = Vec::new();
        let mut error_function: Option<&str> = None;
        let lines: Vec<String> =
            text.lines().map(|line| line.chars().filter(|c| !c.is_whitespace()).collect()).collect();
        for (index, squeezed) in lines.iter().enumerate() {
            if squeezed.is_empty() {
                continue;
            }
            let error = |message: &str| PropertyError { line: index + 1, message: message.into() };
            if squeezed.starts_with("COVER(") {
                return Err(error("a coverage criterion is not a property to verify"));
            }
            let inside = squeezed
                .strip_prefix("CHECK(init(")
                .and_then(|rest| rest.strip_suffix("))"))
                .ok_or_else(|| error("expected `CHECK( init(main()), LTL(…) )`"))?;
            let (entry, formula) =
                inside.split_once("()),LTL(").ok_or_else(|| error("expected `init(…()), LTL(…)`"))?;
            if entry != "main" {
                return Err(error(&format!("programs start in `main`, not in `{entry}`")));
            }
            if let Some(function) = formula.strip_prefix("G!call(").and_then(|rest| rest.strip_suffix("())")) {
                if error_function.replace(function).is_some_and(|other| other != function) {
                    return Err(error("only the calls of one function can be forbidden at once"));
                }
                properties.push(UnreachCall);
                continue;
            }
            if formula.starts_with("G!label(") {
                return Err(error("labels cannot be forbidden, only calls: `G ! call(reach_error())`"));
            }
            let property = formula_property(formula)
                .ok_or_else(|| error(&format!("the formula `{formula}` is not one of the competition's")))?;
            properties.push(property);
        }
        if properties.is_empty() {
            return Err(PropertyError { line: 1, message: "no line starts with `CHECK`".into() });
        }
        let mut specification = Self::asking(properties);
        if let Some(function) = error_function {
            specification.error_function = function.to_owned();
        }
        Ok(specification)
    }

    /// The word to report a failed check with: the violated property's if one was asked for, else the kind's own.
    pub fn word(&self, kind: CheckKind) -> &'static str {
        let property = self.properties.iter().find(|property| property.kinds().contains(kind));
        property.map_or(kind.word(), |property| property.word())
    }
}

/// The property of a formula without blanks and without names in it.
fn formula_property(formula: &str) -> Option<Property> {
    match formula {
        "Gvalid-free" => Some(ValidFree),
        "Gvalid-deref" => Some(ValidDeref),
        "Gvalid-memtrack" => Some(ValidMemtrack),
        "Gvalid-memcleanup" => Some(ValidMemcleanup),
        "G!overflow" => Some(NoOverflow),
        "G!data-race" => Some(NoDataRace),
        "Fend" => Some(Termination),
        "Gdef-behavior" => Some(DefBehavior),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_competitions_files_are_understood() {
        let cases: &[(&str, &[Property])] = &[
            ("CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n", &[UnreachCall]),
            (
                "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                 CHECK( init(main()), LTL(G valid-memtrack) )\n",
                &[ValidFree, ValidDeref, ValidMemtrack],
            ),
            ("CHECK( init(main()), LTL(G valid-memcleanup) )", &[ValidMemcleanup]),
            ("CHECK( init(main()), LTL(G ! overflow) )", &[NoOverflow]),
            ("CHECK( init(main()), LTL(G ! data-race) )", &[NoDataRace]),
            ("CHECK( init(main()), LTL(F end) )", &[Termination]),
            ("CHECK( init(main()), LTL(G def-behavior) )", &[DefBehavior]),
        ];
        for (text, properties) in cases {
            let specification = Specification::from_prp(text).unwrap();
            assert_eq!(specification.properties, *properties, "{text}");
        }
    }

    #[test]
    fn names_in_formulas_are_kept() {
        let specification = Specification::from_prp("CHECK( init(main()), LTL(G ! call(oops())) )").unwrap();
        assert_eq!(specification.error_function, "oops");
    }

    #[test]
    fn bad_files_say_where() {
        let texts = [
            "",
            "hello",
            "CHECK( init(main()) )",
            "CHECK( init(main()), LTL(G F x) )",
            "COVER( init(main()), FQL(x) )",
            // What would be answered otherwise than it was asked.
            "CHECK( init(start()), LTL(G ! overflow) )",
            "CHECK( init(main()), LTL(G ! label(ERROR)) )",
            "CHECK( init(main()), LTL(G ! call(a())) )\nCHECK( init(main()), LTL(G ! call(b())) )",
        ];
        for text in texts {
            assert!(Specification::from_prp(text).is_err(), "{text}");
        }
        let error = Specification::from_prp("\n\nnonsense").unwrap_err();
        assert_eq!(error.line, 3);
    }

    #[test]
    fn violations_are_named_by_the_question() {
        let memsafety = Specification::from_name("valid-memsafety").unwrap();
        assert_eq!(memsafety.word(CheckKind::InvalidDeref), "valid-deref");
        assert_eq!(Specification::everything().word(CheckKind::InvalidDeref), "pointer");
        assert!(Specification::from_name("valid-nonsense").is_err());
    }
}
