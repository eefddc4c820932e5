//! A witness as data. Lines and columns of the program count from one, as the formats do.

#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    Yaml(Version),
    /// GraphML 1.0
    GraphMl,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    V2_0,
    V2_1,
    V2_2,
}

impl Version {
    pub fn text(self) -> &'static str {
        match self {
            Version::V2_0 => "2.0",
            Version::V2_1 => "2.1",
            Version::V2_2 => "2.2",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub format: Format,
    pub metadata: Metadata,
    pub content: Content,
}

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Metadata {
    pub uuid: String,
    /// ISO 8601
    pub creation_time: String,
    pub producer: String,
    pub producer_version: String,
    pub files: Vec<InputFile>,
    /// `CHECK( init(main()), LTL(…) )`, several on several lines.
    pub specification: String,
    /// Where the specification is written in the witness.
    pub specification_place: (u32, u32),
    /// `ILP32` or `LP64`.
    pub data_model: String,
    pub data_model_place: (u32, u32),
}

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct InputFile {
    pub name: String,
    /// SHA-256 in hexadecimal, if the witness has one.
    pub hash: String,
    /// Where it is written in the witness.
    pub place: (u32, u32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Violation(Vec<Segment>),
    Correctness(Vec<Invariant>),
}

/// Waypoints: some to avoid until the last one, which is to be followed.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Segment {
    pub waypoints: Vec<Waypoint>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waypoint {
    pub kind: WaypointKind,
    pub action: Action,
    pub location: Location,
    /// 0 for the thread that runs `main`; k for the one that the k-th entered creating call made (format 2.2).
    pub thread: u32,
    /// The function that returns, for GraphML.
    pub callee: Option<String>,
    /// Where it is written in the witness.
    pub place: (u32, u32),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Follow,
    Avoid,
    /// Repeated for ever (format 2.1, termination).
    Cycle,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaypointKind {
    /// Before a statement: a C expression.
    Assumption(String),
    /// After a statement: a C expression (GraphML only).
    After(String),
    /// After a controlling expression: `true`, `false`, a case, `default`.
    Branching(String),
    FunctionEnter,
    /// After a call: a condition on `\result`, if there is one.
    FunctionReturn(Option<String>),
    /// What is done here violates the property.
    Target,
}

impl WaypointKind {
    pub fn word(&self) -> &'static str {
        match self {
            WaypointKind::Assumption(_) | WaypointKind::After(_) => "assumption",
            WaypointKind::Branching(_) => "branching",
            WaypointKind::FunctionEnter => "function_enter",
            WaypointKind::FunctionReturn(_) => "function_return",
            WaypointKind::Target => "target",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Location {
    pub file: String,
    /// Zero in GraphML, where a place is not said.
    pub line: u32,
    /// Absent: the leftmost suitable place of the line.
    pub column: Option<u32>,
    pub function: Option<String>,
    /// Where it is written in the witness.
    pub place: (u32, u32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    pub kind: InvariantKind,
    pub location: Location,
    /// A C expression.
    pub value: String,
    pub place: (u32, u32),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum InvariantKind {
    /// Whenever the loop's controlling expression is about to be evaluated.
    Loop,
    /// Whenever the statement is about to be executed.
    Location,
    /// About two visits of a loop's head (format 2.1, termination).
    LoopTransition,
    LocationTransition,
    /// A function contract or ghost code: read, not used.
    Other,
}

impl InvariantKind {
    pub fn word(self) -> &'static str {
        match self {
            InvariantKind::Loop => "loop_invariant",
            InvariantKind::Location => "location_invariant",
            InvariantKind::LoopTransition => "loop_transition_invariant",
            InvariantKind::LocationTransition => "location_transition_invariant",
            InvariantKind::Other => "contract",
        }
    }
}

impl Segment {
    pub fn follow(waypoint: Waypoint) -> Self {
        Self { waypoints: vec![waypoint] }
    }
}

impl Witness {
    pub fn is_violation(&self) -> bool {
        matches!(self.content, Content::Violation(_))
    }
}
