//! Runs one command under limits and measures it: CPU time of everything it started, wall time, memory.
//!
//! The harness forks a *supervisor* for each run. The supervisor is a subreaper, so that processes that detached
//! themselves come back to it, and it kills all of them when the main process ends, when it is told to, or when the
//! harness is gone. With isolation it also makes the namespaces, and an *init* process inside them starts the tool:
//!
//! ```text
//! harness ──fork──► supervisor ──fork──► [init, pid 1 of the namespace] ──fork──► tool ──► whatever it starts
//!    │ control pipe ──►│ result pipe ──► harness                 cgroups hold the tool and below, nothing else
//! ```

pub mod cgroup;
pub mod cores;
pub mod files;
pub mod isolation;
pub mod machine;
pub mod monitor;
pub mod output;
pub mod processes;
pub mod supervisor;

pub use machine::Machine;
pub use monitor::run;

use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// One command and what it may use.
#[derive(Clone, Debug)]
pub struct Request {
    /// The executable as an absolute path, then its arguments.
    pub command: Vec<OsString>,
    pub environment: Vec<(OsString, OsString)>,
    /// `None`: an empty directory of its own.
    pub directory: Option<PathBuf>,
    pub cpu_time_soft: Option<f64>,
    pub cpu_time_hard: Option<f64>,
    pub wall_time: Option<f64>,
    pub memory: Option<u64>,
    /// The processing units it is bound to; empty: any.
    pub cores: Vec<u32>,
    pub memory_nodes: Vec<u32>,
    pub output_bytes: u64,
    /// What it may write to files in all.
    pub files_bytes: Option<u64>,
    pub processes: Option<u32>,
    pub log: Option<PathBuf>,
    /// Files that it wrote, matching these patterns, are copied to the folder.
    pub collect: Option<(Vec<String>, PathBuf)>,
    /// Paths that must stay visible although they lie in the directory for temporary files.
    pub needed_paths: Vec<PathBuf>,
}

impl Request {
    pub fn new(command: Vec<OsString>) -> Self {
        Self {
            command,
            environment: Vec::new(),
            directory: None,
            cpu_time_soft: None,
            cpu_time_hard: None,
            wall_time: None,
            memory: None,
            cores: Vec::new(),
            memory_nodes: Vec::new(),
            output_bytes: 2_000_000,
            files_bytes: None,
            processes: None,
            log: None,
            collect: None,
            needed_paths: Vec::new(),
        }
    }
}

/// Why the harness ended a run. The names are those of BenchExec.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    Cputime,
    CputimeSoft,
    Walltime,
    Memory,
    FilesSize,
    Killed,
    Failed,
}

impl Termination {
    pub fn name(self) -> &'static str {
        match self {
            Termination::Cputime => "cputime",
            Termination::CputimeSoft => "cputime-soft",
            Termination::Walltime => "walltime",
            Termination::Memory => "memory",
            Termination::FilesSize => "files-size",
            Termination::Killed => "killed",
            Termination::Failed => "failed",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Outcome {
    pub exit_code: Option<i32>,
    pub signal: Option<i32>,
    pub cpu_time: f64,
    pub wall_time: f64,
    pub memory: Option<u64>,
    pub termination: Option<Termination>,
    /// Why a run failed to start.
    pub error: Option<String>,
    /// Seconds since 1970.
    pub started: f64,
    pub output_bytes: u64,
    pub is_output_cut: bool,
    /// The time that the harness added: from the request to the return, less the wall time of the command.
    pub overhead: f64,
    /// Processes that were still there when the main one had ended.
    pub left_over: u32,
}

/// What can be watched from outside while a run goes on.
#[derive(Debug, Default)]
pub struct Live {
    pub cpu_milliseconds: AtomicU64,
    pub memory_bytes: AtomicU64,
    /// Set from outside: end the run, it was interrupted.
    pub stop: AtomicBool,
}
