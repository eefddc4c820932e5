//! What can be seen while a schedule is followed: one step a statement, with the variables that it changed.

use quod_base::{Id, Span, Symbol};
use quod_exec::Concrete;
use quod_exec::inspect::{self, Variable};
use quod_exec::machine::Machine;
use quod_exec::state::{ProcessId, State};

/// A statement that a process has executed.
#[derive(Clone, Debug)]
pub struct Watched {
    pub process: u32,
    pub function: Option<Symbol>,
    pub span: Span,
    pub changes: Vec<Variable>,
    /// All variables that this process sees, after the step.
    pub variables: Vec<Variable>,
}

pub(crate) struct Watcher {
    process: ProcessId,
    at: (usize, Option<Symbol>, Span),
    before: Vec<Variable>,
}

impl Watcher {
    pub(crate) fn new(machine: &mut Machine<'_, Concrete>, state: &mut State<Concrete>, process: ProcessId) -> Self {
        Self { process, at: place(machine, state, process), before: variables(machine, state, process) }
    }

    /// Reports the statement that has ended, if one has.
    pub(crate) fn look(
        &mut self,
        machine: &mut Machine<'_, Concrete>,
        state: &mut State<Concrete>,
        has_stopped: bool,
        watch: &mut dyn FnMut(Watched),
    ) {
        let now = place(machine, state, self.process);
        if now == self.at && !has_stopped {
            return;
        }
        let (_, function, span) = std::mem::replace(&mut self.at, now);
        let after = variables(machine, state, self.process);
        let is_new = |variable: &&Variable| !self.before.contains(variable);
        let changes: Vec<Variable> = after.iter().filter(is_new).cloned().collect();
        self.before.clone_from(&after);
        if !span.is_none() {
            watch(Watched { process: self.process.index() as u32, function, span, changes, variables: after });
        }
    }
}

fn place(
    machine: &Machine<'_, Concrete>,
    state: &State<Concrete>,
    process: ProcessId,
) -> (usize, Option<Symbol>, Span) {
    let calls = machine.backtrace(state, process);
    let name = calls.first().map(|(function, _)| machine.program.functions[*function].name);
    (calls.len(), name, calls.first().map_or(Span::NONE, |(_, span)| *span))
}

fn variables(machine: &mut Machine<'_, Concrete>, state: &mut State<Concrete>, process: ProcessId) -> Vec<Variable> {
    let mut all = inspect::globals(machine, state);
    all.extend(inspect::locals(machine, state, process));
    all
}
