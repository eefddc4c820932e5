//! A state of a program: memory, processes with their frames, scope instances, and what the library keeps.

use crate::domain::Domain;
use crate::library::World;
use crate::library::native::Native;
use crate::shared::Shared;
use quod_base::{Id, define_id};
use quod_model::ir::{FunctionId, GlobalId, LocalId, ScopeId};
use rustc_hash::FxHashMap;

define_id! {
    /// An instance of a captured scope.
    pub struct EnvironmentId = "env";
}
define_id! {
    pub struct ProcessId = "p";
}

impl From<ProcessId> for u64 {
    fn from(id: ProcessId) -> Self {
        id.index() as u64
    }
}

/// An instance of a scope that nested functions and processes share.
#[derive(Clone, Debug)]
pub struct Environment<V> {
    pub function: FunctionId,
    pub scope: ScopeId,
    pub parent: Option<EnvironmentId>,
    pub variables: Vec<(LocalId, V)>,
    /// Processes that were started inside and have not ended.
    pub users: u32,
    pub is_left: bool,
}

impl<V> Environment<V> {
    /// Nobody is inside any more.
    pub fn has_ended(&self) -> bool {
        self.is_left && self.users == 0
    }
}

#[derive(Clone, Debug)]
pub struct Frame<V> {
    pub function: FunctionId,
    pub pc: u32,
    /// The first register of the frame.
    pub base: u32,
    /// The instance of the innermost captured scope around what runs.
    pub environment: Option<EnvironmentId>,
    /// `environment` when the frame began: where a nested function was made.
    pub static_link: Option<EnvironmentId>,
    /// Distinguishes frames for `longjmp`.
    pub serial: u64,
    /// A library function that called back: the function's own frame has no code.
    pub native: Option<Box<Native<V>>>,
    /// What most calls do without.
    pub extra: Option<Box<Extra<V>>>,
}

#[derive(Clone, Debug)]
pub struct Extra<V> {
    /// Where a record or array result goes.
    pub result_address: Option<V>,
    /// The object that holds the variable arguments.
    pub variable_arguments: Option<V>,
    /// Memory from `alloca`, given back on return.
    pub stack_objects: Vec<V>,
}

impl<V> Default for Extra<V> {
    fn default() -> Self {
        Self { result_address: None, variable_arguments: None, stack_objects: Vec::new() }
    }
}

impl<V> Extra<V> {
    /// Nothing where there is nothing to keep.
    pub fn of(result_address: Option<V>, variable_arguments: Option<V>) -> Option<Box<Self>> {
        (result_address.is_some() || variable_arguments.is_some())
            .then(|| Box::new(Self { result_address, variable_arguments, stack_objects: Vec::new() }))
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Status {
    Running,
    Ended,
}

#[derive(Clone, Debug)]
pub struct Process<V> {
    pub frames: Vec<Frame<V>>,
    pub registers: Vec<V>,
    pub status: Status,
    /// Depth of `$atomic` blocks, and of `$atom` blocks.
    pub atomic_depth: u32,
    pub atom_depth: u32,
    pub environment: Option<EnvironmentId>,
    pub thread_locals: FxHashMap<u32, V>,
    /// What the thread's function returned or gave to `pthread_exit`.
    pub result: Option<V>,
    pub is_detached: bool,
    /// Somebody has waited for its end.
    pub is_joined: bool,
    /// Made by `$spawn`: it must end before the program does.
    pub is_spawned: bool,
    /// Its number is known as that of a thread, with which C computes.
    pub is_thread: bool,
    /// Nobody has this number: the next process that starts takes the first that is free.
    pub is_free: bool,
    pub next_serial: u64,
}

impl<V> Process<V> {
    pub fn new() -> Self {
        Self {
            frames: Vec::new(),
            registers: Vec::new(),
            status: Status::Running,
            atomic_depth: 0,
            atom_depth: 0,
            environment: None,
            thread_locals: FxHashMap::default(),
            result: None,
            is_detached: false,
            is_joined: false,
            is_spawned: false,
            is_thread: false,
            is_free: false,
            next_serial: 0,
        }
    }

    /// In the place of one that was forgotten.
    fn free() -> Self {
        Self { status: Status::Ended, is_joined: true, is_free: true, ..Self::new() }
    }
}

impl<V> Default for Process<V> {
    fn default() -> Self {
        Self::new()
    }
}

pub struct State<D: Domain> {
    pub memory: D::Memory,
    pub processes: Vec<Shared<Process<D::Value>>>,
    pub environments: Shared<Vec<Environment<D::Value>>>,
    /// The process that runs an `$atomic` block.
    pub atomic_owner: Option<ProcessId>,
    /// A process was forgotten that nobody had waited for: what it did comes before nothing.
    pub has_strays: bool,
    /// Some process beside the first was started.
    pub has_started: bool,
    pub world: Shared<World<D::Value>>,
}

impl<D: Domain> State<D> {
    /// Some other process has not ended.
    pub fn has_others(&self, id: ProcessId) -> bool {
        let is_other = |index: usize| ProcessId::from_index(index) != id;
        self.processes.iter().enumerate().any(|(index, process)| process.status == Status::Running && is_other(index))
    }
}

impl<D: Domain> State<D> {
    /// Not all that other processes have done, or will do, comes before what this one does next.
    pub fn is_beside_others(&self, id: ProcessId) -> bool {
        let is_other = |index: usize| ProcessId::from_index(index) != id;
        let is_over = |process: &Process<D::Value>| process.status == Status::Ended && process.is_joined;
        self.has_strays
            || self.processes.iter().enumerate().any(|(index, process)| is_other(index) && !is_over(process))
    }
}

impl<D: Domain> State<D> {
    /// The number of the next process, which is put there.
    pub(crate) fn place(&mut self, process: Process<D::Value>) -> ProcessId {
        let process = Shared::new(process);
        match self.processes.iter().position(|process| process.is_free) {
            Some(index) => {
                self.processes[index] = process;
                ProcessId::from_index(index)
            }
            None => {
                self.processes.push(process);
                ProcessId::from_index(self.processes.len() - 1)
            }
        }
    }

    /// Numbers of processes that have ended, and that nothing names any more, become free. False where one of them has not
    /// ended.
    pub fn forget(&mut self, gone: ProcessSet) -> bool {
        for id in gone.iter() {
            match self.processes.get_mut(id.index()) {
                Some(process) if process.status == Status::Ended && id.index() > 0 => {
                    self.has_strays |= !process.is_joined;
                    *process = Shared::new(Process::free());
                }
                _ => return false,
            }
            if self.world.key_values.keys().any(|(process, _)| *process == id.index()) {
                self.world.key_values.retain(|(process, _), _| *process != id.index());
            }
        }
        while self.processes.last().is_some_and(|process| process.is_free) {
            self.processes.pop();
        }
        true
    }
}

/// Some of the first 64 processes.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessSet(pub u64);

impl ProcessSet {
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = ProcessId> {
        (0..64).filter(move |index| self.0 >> index & 1 == 1).map(ProcessId::from_index)
    }
}

/// Processes with greater numbers are left out.
impl FromIterator<usize> for ProcessSet {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        Self(numbers.into_iter().filter(|&number| number < 64).fold(0, |set, number| set | 1 << number))
    }
}

impl<D: Domain> Clone for State<D> {
    fn clone(&self) -> Self {
        Self {
            memory: self.memory.clone(),
            processes: self.processes.clone(),
            environments: self.environments.clone(),
            atomic_owner: self.atomic_owner,
            has_strays: self.has_strays,
            has_started: self.has_started,
            world: self.world.clone(),
        }
    }
}

/// Addresses of what has static storage: made once, the same in all states.
#[derive(Clone, Debug)]
pub struct Statics<V> {
    pub globals: Vec<V>,
    pub strings: Vec<V>,
    pub functions: Vec<V>,
    pub thread_local_globals: Vec<GlobalId>,
}
