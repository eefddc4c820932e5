//! The machine: a program with its prepared code, a domain, and the outside world. `run_process` is the executor's loop.

use crate::code::{Code, Op, Operand, Pc, Target};
use crate::domain::{Allocation, Domain, ObjectKind, Truth};
use crate::fault::{Fault, Trouble};
use crate::io::Io;
use crate::library::{self, LibraryFunction};
use crate::prepare::prepare;
use crate::scalar::Scalar;
use crate::shared::Shared;
use crate::state::{Process, ProcessId, State, Statics, Status};
use crate::steps::View;
use quod_base::{Id, Span, Symbol};
use quod_model::ir::*;
use quod_verdict::KindSet;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a function is when it is called.
pub enum Callable<D: Domain> {
    Code(Rc<Code<D>>),
    Library(LibraryFunction<D>),
    Missing,
}

impl<D: Domain> Clone for Callable<D> {
    fn clone(&self) -> Self {
        match self {
            Callable::Code(code) => Callable::Code(code.clone()),
            Callable::Library(function) => Callable::Library(*function),
            Callable::Missing => Callable::Missing,
        }
    }
}

/// Limits and switches of an execution.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Checks that are switched off neither report nor assume.
    pub checks: KindSet,
    /// Frames that may be active at once.
    pub maximal_depth: usize,
    /// A request for a larger object gives a null pointer.
    pub maximal_object: u64,
    pub cancel: Option<Arc<AtomicBool>>,
    /// Free choices are those of who drives the executor (`Event::Pick`), not random ones.
    pub is_driven: bool,
    /// What `getpid`, `time` and the like give is fixed, so that runs can be repeated.
    pub arguments: Vec<Vec<u8>>,
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// The arguments of `main` are any, within these limits.
    pub any_arguments: Option<AnyArguments>,
}

/// Arguments of `main` that nobody has given: how many there are, and how long each is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct AnyArguments {
    /// From one on.
    pub most: u32,
    /// Exactly so many.
    pub count: Option<u32>,
    /// Characters of each.
    pub length: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            checks: KindSet::all(),
            maximal_depth: 1 << 20,
            maximal_object: 1 << 31,
            cancel: None,
            is_driven: false,
            arguments: Vec::new(),
            environment: Vec::new(),
            any_arguments: None,
        }
    }
}

/// Where `run_process` comes back, if it is to make one move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stops {
    /// Between the steps of the model: a statement is atomic, as in CIVL-C.
    Locations,
    /// Before each access to memory as well, as in C.
    Accesses,
    /// Wherever ways meet (`Flow::joins`), for programs of one process.
    Joins,
}

impl Stops {
    fn of<D: Domain>(self, code: &Code<D>) -> &[bool] {
        match self {
            Stops::Locations => &code.starts,
            Stops::Accesses => code.access_starts(),
            Stops::Joins => &code.flow().joins,
        }
    }
}

pub struct Machine<'p, D: Domain> {
    pub program: &'p Program,
    pub domain: D,
    pub statics: Statics<D::Value>,
    pub settings: Settings,
    pub io: Box<dyn Io + 'p>,
    pub steps: u64,
    /// The process that runs has been at an interruptible point since its move began: what blocks it now ends the move
    /// there. Who drives the executor clears it before each move.
    pub has_moved: bool,
    /// Something was done since this was last cleared that other processes may notice otherwise than in memory.
    pub is_noticed: bool,
    /// A process has ended since this was last cleared.
    pub has_ended: bool,
    /// The process whose end the call of the library that blocked last waits for.
    pub awaits: Option<ProcessId>,
    /// Atomic sections that were entered.
    pub atomic_entries: u64,
    pub stops: Stops,
    /// Once others were started a process can be interrupted also where none is left: how many moves it makes does not hang
    /// on when they end.
    pub is_even: bool,
    /// The program can tell one scope from another: numbers of scopes are not given out again while someone knows them.
    pub tells_scopes: bool,
    /// Quantifiers over ranges that are not known come back as `Event::Quantify`.
    pub gives_quantifiers: bool,
    /// Functions, by their numbers, before whose first operation a move ends as well.
    pub entry_stops: Vec<bool>,
    /// Messages are handed over, not kept: who sends waits for who receives. For looking at states only.
    pub is_synchronous: bool,
    /// What the call of the library that blocked last waits for, where it is a message.
    pub waits_for: Option<MessageWait>,
    /// The values that functions of the outside gave, where they are recorded.
    pub observed: Option<Vec<Observed>>,
    pub(crate) callables: Vec<OnceCell<Callable<D>>>,
}

/// Which message a process waits to send or to receive.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MessageWait {
    pub is_send: bool,
    /// The communicator.
    pub global: u64,
    /// Nothing for any source.
    pub source: Option<i128>,
    pub destination: i128,
    /// Nothing for any tag.
    pub tag: Option<i128>,
}

impl MessageWait {
    /// What one sends is what the other waits for.
    pub fn meets(&self, other: &MessageWait) -> bool {
        let fits = |a: Option<i128>, b: Option<i128>| a.is_none() || b.is_none() || a == b;
        self.is_send != other.is_send
            && self.global == other.global
            && self.destination == other.destination
            && fits(self.source, other.source)
            && fits(self.tag, other.tag)
    }
}

/// A value that the outside gave: which function gave it, to whom, and where it was called.
#[derive(Clone, Debug)]
pub struct Observed {
    pub function: Symbol,
    pub process: ProcessId,
    /// The call.
    pub span: Span,
    pub scalar: Scalar,
    pub value: crate::InputValue,
}

/// Why `run_process` came back.
#[derive(Debug)]
pub enum Event<D: Domain> {
    /// The moves that were allowed are made.
    Moved,
    /// The process cannot move now. Nothing has changed.
    Blocked,
    /// The process has ended.
    Ended,
    /// The program has ended.
    Exited(i32),
    /// The process asked to let others go first.
    Yielded,
    Fault(Box<Fault>, Span),
    /// The branch depends on the condition: go on at `yes` or `no`.
    Fork {
        condition: D::Condition,
        yes: Pc,
        no: Pc,
    },
    /// To be done again under each of the conditions.
    Split(Vec<D::Condition>),
    /// To be done again for each value that this can have.
    Values(D::Condition),
    /// To be done again with each number below this one in `World::pick`.
    Pick(i128),
    /// The fuel is used up in the middle of a move.
    Paused,
    /// Go on at one of these.
    Choose(Vec<Pc>),
    /// A check that may fail; where it holds, go on at `next`.
    Doubt {
        condition: D::Condition,
        fault: Box<Fault>,
        span: Span,
        next: Pc,
    },
    /// Executions where the condition is false do not exist; go on at `next`.
    Assume {
        condition: D::Condition,
        next: Pc,
    },
    /// This execution does not exist.
    Vanished,
    Cancelled,
    /// A quantifier over a range whose limits are not known; see `Machine::quantifier`. Only where it is asked for.
    Quantify(u32),
}

/// What a step that is no simple operation leads to.
pub(crate) enum Flow<D: Domain> {
    /// On with the frame on top.
    Continue,
    Event(Event<D>),
}

impl<'p, D: Domain> Machine<'p, D> {
    pub fn new(program: &'p Program, domain: D, settings: Settings, io: Box<dyn Io + 'p>) -> (Self, State<D>) {
        let statics = Statics {
            globals: Vec::new(),
            strings: Vec::new(),
            functions: Vec::new(),
            thread_local_globals: Vec::new(),
        };
        let callables = (0..program.functions.len()).map(|_| OnceCell::new()).collect();
        let mut machine = Self {
            program,
            domain,
            statics,
            settings,
            io,
            steps: 0,
            has_moved: false,
            is_noticed: false,
            has_ended: false,
            awaits: None,
            atomic_entries: 0,
            stops: Stops::Locations,
            gives_quantifiers: false,
            tells_scopes: quod_model::passes::scopes::are_observed(program),
            entry_stops: Vec::new(),
            is_even: false,
            is_synchronous: false,
            waits_for: None,
            observed: None,
            callables,
        };
        if crate::prepare::collects_sets(program) {
            machine.domain.record_accesses();
        }
        let memory = machine.domain.new_memory();
        let mut state = State {
            memory,
            processes: vec![Shared::new(Process::new())],
            environments: Shared::default(),
            atomic_owner: None,
            has_strays: false,
            has_started: false,
            world: Shared::default(),
        };
        machine.make_statics(&mut state);
        (machine, state)
    }

    /// Objects for globals, string literals and functions.
    fn make_statics(&mut self, state: &mut State<D>) {
        let program = self.program;
        for function in program.functions.ids() {
            let value = crate::domain::FunctionValue { function, environment: None };
            let name = program.functions[function].name;
            let pointer = self.domain.function_pointer(&mut state.memory, value, name);
            self.statics.functions.push(pointer);
        }
        for (id, global) in program.globals.iter_enumerated() {
            if global.storage == Storage::ThreadLocal {
                self.statics.thread_local_globals.push(id);
            }
            let pointer = self.global_object(state, id).unwrap_or_default();
            self.statics.globals.push(pointer);
        }
        for literal in program.strings.iter() {
            let size = program.types.size_of(literal.ty).unwrap_or(0);
            let width = size.checked_div(literal.elements.len() as u64).unwrap_or(1).clamp(1, 4) as usize;
            let bytes: Vec<u8> =
                literal.elements.iter().flat_map(|element| element.to_le_bytes()[..width].to_vec()).collect();
            let allocation = Allocation {
                alignment: program.types.preferred_alignment(literal.ty).unwrap_or(1),
                kind: ObjectKind::String,
                name: None,
                span: literal.span,
                is_zeroed: true,
            };
            let pointer = self.domain.allocate(&mut state.memory, bytes.len() as u64, &allocation).unwrap_or_default();
            if self.domain.write_bytes(&mut state.memory, &pointer, &bytes).is_ok() {
                self.domain.make_constant(&mut state.memory, &pointer);
            }
            self.statics.strings.push(pointer);
        }
    }

    /// A new object for a variable with static or thread storage.
    pub(crate) fn global_object(&mut self, state: &mut State<D>, id: GlobalId) -> Option<D::Value> {
        let global = &self.program.globals[id];
        let types = &self.program.types;
        let allocation = Allocation {
            alignment: global.alignment.unwrap_or(1).max(types.preferred_alignment(global.ty).unwrap_or(1)),
            kind: if global.storage == Storage::ThreadLocal { ObjectKind::ThreadLocal } else { ObjectKind::Global },
            name: Some(global.name),
            span: global.span,
            // What is defined elsewhere holds anything, where all values are looked at.
            is_zeroed: !(self.settings.is_driven && global.storage == Storage::External),
        };
        let size = types.size_of(global.ty).unwrap_or_else(|| match *types.get(global.ty) {
            // `extern T a[];` that nobody completes has one element.
            Type::Array { element, .. } => types.size_of(element.ty).unwrap_or(1),
            _ => 1,
        });
        self.domain.allocate(&mut state.memory, size, &allocation).ok()
    }

    /// Constant globals may no longer be written: called when they are initialised.
    pub fn seal_constants(&mut self, state: &mut State<D>) {
        for (id, global) in self.program.globals.iter_enumerated() {
            let is_const = global.is_const || self.program.types.is_array_of_constants(global.ty);
            let is_fixed = is_const && global.storage == Storage::Static || global.storage == Storage::Input;
            if is_fixed {
                let pointer = self.statics.globals[id.index()].clone();
                self.domain.make_constant(&mut state.memory, &pointer);
            }
        }
    }

    pub fn callable(&mut self, function: FunctionId) -> Callable<D> {
        if let Some(callable) = self.callables[function.index()].get() {
            return callable.clone();
        }
        let name = self.program.functions[function].name.as_str();
        let is_machine = self.program.arithmetic == Arithmetic::Machine;
        let outside = || {
            let found = || match is_machine {
                true => library::outside::find::<D>(name),
                false => library::outside::input::<D>(name),
            };
            self.settings.is_driven.then(found).flatten()
        };
        let own = || D::own_function(name);
        let known = || library::find::<D>(name).filter(|_| D::has_function(name));
        let callable = match prepare(self.program, function, &mut self.domain, &self.statics) {
            Some(code) => Callable::Code(Rc::new(code)),
            None => {
                let harmless =
                    || self.settings.is_driven.then(|| library::outside::harmless(self.program, function)).flatten();
                let found = outside().or_else(own).or_else(known).or_else(harmless);
                found.map_or(Callable::Missing, Callable::Library)
            }
        };
        self.callables[function.index()].get_or_init(|| callable).clone()
    }

    /// The prepared code of a function that has a body.
    #[inline]
    pub fn code(&mut self, function: FunctionId) -> Option<Rc<Code<D>>> {
        if let Some(Callable::Code(code)) = self.callables[function.index()].get() {
            return Some(code.clone());
        }
        match self.callable(function) {
            Callable::Code(code) => Some(code),
            _ => None,
        }
    }

    pub(crate) fn fault(&self, state: &mut State<D>, process: ProcessId, fault: Fault) -> Event<D> {
        let span = self.span(state, process);
        Event::Fault(Box::new(fault), span)
    }

    /// Where the process is.
    pub fn span(&self, state: &State<D>, process: ProcessId) -> Span {
        let frames = &state.processes[process.index()].frames;
        for (depth, frame) in frames.iter().enumerate().rev() {
            if frame.native.is_some() {
                continue;
            }
            if let Some(Callable::Code(code)) = self.callables[frame.function.index()].get() {
                // A caller stands behind its call.
                let pc = if depth + 1 == frames.len() { frame.pc } else { frame.pc.saturating_sub(1) };
                return code.span(pc);
            }
        }
        Span::NONE
    }

    /// The active calls, innermost first: function and place.
    pub fn backtrace(&self, state: &State<D>, process: ProcessId) -> Vec<(FunctionId, Span)> {
        let frames = &state.processes[process.index()].frames;
        let mut result = Vec::new();
        for (depth, frame) in frames.iter().enumerate().rev() {
            if frame.native.is_none()
                && let Some(Callable::Code(code)) = self.callables[frame.function.index()].get()
            {
                let pc = if depth + 1 == frames.len() { frame.pc } else { frame.pc.saturating_sub(1) };
                result.push((frame.function, code.span(pc)));
            }
        }
        result
    }

    pub(crate) fn trouble(&self, state: &mut State<D>, process: ProcessId, trouble: Trouble<D::Condition>) -> Event<D> {
        match trouble {
            Trouble::Fault(fault) => self.fault(state, process, *fault),
            Trouble::Split(conditions) => Event::Split(conditions),
            Trouble::Values(term) => Event::Values(term),
            Trouble::Pick(count) => Event::Pick(count),
        }
    }

    /// Between moves temporaries hold nothing: empties them, so that states that differ in nothing else are equal.
    pub fn forget_temporaries(&mut self, state: &mut State<D>, id: ProcessId) {
        let process = &mut *state.processes[id.index()];
        let count = process.registers.len();
        let mut end = count;
        for frame in process.frames.iter().rev() {
            let base = frame.base as usize;
            if frame.native.is_none()
                && let Some(Callable::Code(code)) = self.callables[frame.function.index()].get()
                && code.starts.get(frame.pc as usize) == Some(&true)
            {
                let last = (base + code.register_count as usize).min(end);
                for register in base + code.local_count as usize..last {
                    let is_home = || code.memory_locals.iter().any(|local| local.register as usize + base == register);
                    if !self.domain.is_unset(&process.registers[register]) && !is_home() {
                        process.registers[register] = D::Value::default();
                    }
                }
            }
            end = base;
        }
    }

    /// Sets a process that stopped at an open condition on its way again. True where that ends its move: the branch was a
    /// step of its own and the next one begins at `target`.
    pub fn resume_at(&mut self, state: &mut State<D>, id: ProcessId, target: Pc) -> bool {
        let Some(frame) = state.processes[id.index()].frames.last_mut() else { return true };
        let from = std::mem::replace(&mut frame.pc, target);
        let function = frame.function;
        let Some(code) = self.code(function) else { return true };
        let is_joined = matches!(code.ops[from as usize], Op::When { .. } | Op::Choose { .. });
        !is_joined && self.stops.of(&code)[target as usize]
    }

    /// Others may come in where the process is at an interruptible point.
    pub fn can_interrupt(&self, state: &State<D>, id: ProcessId) -> bool {
        state.atomic_owner != Some(id) && (state.has_others(id) || self.is_even && state.has_started)
    }

    /// Lets one process move: until `fuel` operations are used up, or (`is_single`) until its next interruptible point.
    /// Inside `$atomic` and `$atom`, and where no other process is left, there is none (but see `is_even`).
    pub fn run_process(&mut self, state: &mut State<D>, id: ProcessId, fuel: u64, is_single: bool) -> Event<D> {
        if !self.settings.is_driven {
            self.has_moved = false;
        }
        let mut left = fuel;
        let event = if is_single {
            self.run_operations::<true>(state, id, &mut left)
        } else {
            self.run_operations::<false>(state, id, &mut left)
        };
        self.steps += fuel - left;
        if self.domain.has_record() {
            self.keep_record(state, id);
        }
        event
    }

    fn run_operations<const IS_SINGLE: bool>(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        left: &mut u64,
    ) -> Event<D> {
        let int = int_scalar(self.program);
        // A move starts at a boundary; `When` and `Choose` join the following step to the same move.
        let mut is_first = true;
        loop {
            if self.settings.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Event::Cancelled;
            }
            let process = &mut state.processes[id.index()];
            if process.status == Status::Ended {
                return Event::Ended;
            }
            let Some(frame) = process.frames.last_mut() else {
                process.status = Status::Ended;
                return Event::Ended;
            };
            if frame.native.is_some() {
                match self.resume_native(state, id, None) {
                    Flow::Continue => continue,
                    Flow::Event(event) => return event,
                }
            }
            let (function, base) = (frame.function, frame.base as usize);
            let mut pc = frame.pc;
            let Some(code) = self.code(function) else {
                return self.fault(state, id, Fault::unsupported("a frame without code"));
            };
            if IS_SINGLE && !is_first && pc == 0 && self.entry_stops.get(function.index()) == Some(&true) {
                return Event::Moved;
            }
            let is_stopping = IS_SINGLE && (self.stops == Stops::Joins || self.can_interrupt(state, id));
            let stops: &[bool] = self.stops.of(&code);
            let process = &mut state.processes[id.index()];
            let mut view = View {
                domain: &mut self.domain,
                memory: &mut state.memory,
                registers: &mut process.registers[base..],
                constants: &code.constants,
                code: &code,
                int,
            };
            // A result that must fit. Where that is not known the result is made all the same: who drives the machine
            // assumes the condition and goes on behind.
            macro_rules! checked {
                ($op:expr, $scalar:expr, $to:expr, $left:expr, $right:expr, $check:expr) => {{
                    let truth = view.fits($op, $scalar, *$left, *$right);
                    let is_off = || !self.settings.checks.contains(code.checks[*$check as usize].kind);
                    match truth {
                        Truth::Known(true) => view.binary($op, $scalar, *$to, *$left, *$right),
                        _ if is_off() => view.binary($op, $scalar, *$to, *$left, *$right),
                        Truth::Unknown(condition) => match view.binary($op, $scalar, *$to, *$left, *$right) {
                            Ok(()) => break Exit::Check(*$check, Truth::Unknown(condition)),
                            trouble => trouble,
                        },
                        truth => break Exit::Check(*$check, truth),
                    }
                }};
            }
            let mut fuel = *left;
            let outcome: Exit<D> = loop {
                if IS_SINGLE && !is_first && stops[pc as usize] {
                    if is_stopping || (!code.guards.is_empty() && code.guards.contains(&pc)) {
                        break Exit::Moved;
                    }
                    self.has_moved = true;
                }
                if fuel == 0 {
                    break Exit::Event(Event::Paused);
                }
                fuel -= 1;
                let op = &code.ops[pc as usize];
                if IS_SINGLE {
                    is_first &= matches!(op, Op::AtomicBegin { .. } | Op::Enter { .. } | Op::EnterScope { .. });
                }
                let done = match op {
                    Op::Move { to, from } => {
                        let value = view.get(*from).clone();
                        view.set(*to, value);
                        Ok(())
                    }
                    Op::Binary { op, scalar, to, left, right } => view.binary(*op, *scalar, *to, *left, *right),
                    Op::AddInt { to, left, right } => view.binary(BinaryOp::Add, Scalar::I32, *to, *left, *right),
                    Op::SubtractInt { to, left, right } => {
                        view.binary(BinaryOp::Subtract, Scalar::I32, *to, *left, *right)
                    }
                    Op::AndInt { to, left, right } => view.binary(BinaryOp::BitAnd, Scalar::I32, *to, *left, *right),
                    Op::CheckedAddInt { to, left, right, check } => {
                        checked!(BinaryOp::Add, Scalar::I32, to, left, right, check)
                    }
                    Op::CheckedSubtractInt { to, left, right, check } => {
                        checked!(BinaryOp::Subtract, Scalar::I32, to, left, right, check)
                    }
                    Op::CheckedBinary { op, scalar, to, left, right, check } => {
                        checked!(*op, *scalar, to, left, right, check)
                    }
                    Op::CheckBetween { scalar, is_inclusive, value, low, high, check } => {
                        match view.between(*scalar, *is_inclusive, *value, *low, *high) {
                            Ok(Truth::Known(true)) => Ok(()),
                            Ok(truth) => {
                                if self.settings.checks.contains(code.checks[*check as usize].kind) {
                                    break Exit::Check(*check, truth);
                                }
                                Ok(())
                            }
                            Err(trouble) => Err(trouble),
                        }
                    }
                    Op::LoadIndexed { to, pointer, index, scalar, element, cell } => {
                        view.load_indexed(*to, *pointer, *index, *scalar, *element, *cell)
                    }
                    Op::StoreIndexed { pointer, index, scalar, element, cell, value } => {
                        view.store_indexed(*pointer, *index, *scalar, *element, *cell, *value)
                    }
                    Op::CompareBranchInt { op, left, right, otherwise } => {
                        match view.compare_truth(*op, Scalar::I32, *left, *right) {
                            Truth::Known(true) => pc += 1,
                            Truth::Known(false) => pc = *otherwise,
                            Truth::Unknown(condition) => {
                                break Exit::Event(Event::Fork { condition, yes: pc + 1, no: *otherwise });
                            }
                        }
                        continue;
                    }
                    Op::Compare { op, scalar, to, left, right } => view.compare(*op, *scalar, *to, *left, *right),
                    Op::CompareBranch { op, scalar, left, right, otherwise } => {
                        match view.compare_truth(*op, *scalar, *left, *right) {
                            Truth::Known(true) => pc += 1,
                            Truth::Known(false) => pc = *otherwise,
                            Truth::Unknown(condition) => {
                                break Exit::Event(Event::Fork { condition, yes: pc + 1, no: *otherwise });
                            }
                        }
                        continue;
                    }
                    Op::Branch { scalar, condition, otherwise } => {
                        match view.truth(*scalar, *condition) {
                            Truth::Known(true) => pc += 1,
                            Truth::Known(false) => pc = *otherwise,
                            Truth::Unknown(condition) => {
                                break Exit::Event(Event::Fork { condition, yes: pc + 1, no: *otherwise });
                            }
                        }
                        continue;
                    }
                    Op::Jump { target } => {
                        pc = *target;
                        continue;
                    }
                    Op::Nop => Ok(()),
                    Op::Load { to, pointer, offset, cell } => view.load(*to, *pointer, *offset, *cell),
                    Op::Store { pointer, offset, cell, value } => view.store(*pointer, *offset, *cell, *value),
                    Op::Index { to, pointer, index, scalar, element } => {
                        view.index(*to, *pointer, *index, *scalar, *element)
                    }
                    Op::Offset { to, pointer, bytes } => view.offset(*to, *pointer, *bytes),
                    Op::Convert { from, to_scalar, to, operand } => view.convert(*from, *to_scalar, *to, *operand),
                    Op::Unary { op, scalar, to, operand } => view.unary(*op, *scalar, *to, *operand),
                    Op::Shift { op, scalar, count, to, left, right } => {
                        view.shift(*op, *scalar, *count, *to, *left, *right)
                    }
                    Op::Check { question, check } => {
                        if self.settings.checks.contains(code.checks[*check as usize].kind) {
                            match view.check(*question) {
                                Truth::Known(true) => Ok(()),
                                truth => break Exit::Check(*check, truth),
                            }
                        } else {
                            Ok(())
                        }
                    }
                    Op::CheckFailed { check, resume } => {
                        if self.settings.checks.contains(code.checks[*check as usize].kind) {
                            break Exit::Check(*check, Truth::Known(false));
                        }
                        pc = *resume;
                        continue;
                    }
                    Op::ToBool { scalar, to, operand } => view.to_bool(*scalar, *to, *operand),
                    Op::Numeric { call, to } => view.numeric(*call, *to),
                    Op::Difference { to, left, right, element, scalar } => {
                        view.difference(*to, *left, *right, *element, *scalar)
                    }
                    Op::LoadBits { to, pointer, cell } => view.load_bits(*to, *pointer, *cell),
                    Op::StoreBits { pointer, cell, value } => view.store_bits(*pointer, *cell, *value),
                    Op::Copy { to, from, size } => view.copy(*to, *from, *size),
                    Op::CopyDynamic { to, from, size } => view.copy_dynamic(*to, *from, *size),
                    Op::Fill { to, size } => view.fill(*to, *size),
                    Op::FillDynamic { to, size } => view.fill_dynamic(*to, *size),
                    Op::Ask { to, question } => view.ask(*to, *question),
                    Op::Switch { scalar, value, table } => match view.switch(*scalar, *value, *table) {
                        Ok(Ok(target)) => {
                            pc = target;
                            continue;
                        }
                        Ok(Err((condition, yes))) => {
                            break Exit::Event(Event::Fork { condition, yes, no: pc });
                        }
                        Err(trouble) => Err(trouble),
                    },
                    Op::ComputedJump { value } => match view.computed_jump(*value) {
                        Ok(target) => {
                            pc = target;
                            continue;
                        }
                        Err(trouble) => Err(trouble),
                    },
                    Op::Enter { local } if code.memory_locals[*local as usize].captured.is_none() => view.enter(*local),
                    Op::Leave { local } if code.memory_locals[*local as usize].captured.is_none() => {
                        view.leave(*local, pc)
                    }
                    Op::Undefine { local } => view.undefine(*local),
                    Op::Havoc { to, scalar, name } => view.havoc(*to, *scalar, *name),
                    Op::Assume { scalar, condition } => match view.truth(*scalar, *condition) {
                        Truth::Known(true) => Ok(()),
                        Truth::Known(false) => break Exit::Event(Event::Vanished),
                        Truth::Unknown(condition) => break Exit::Event(Event::Assume { condition, next: pc + 1 }),
                    },
                    Op::When { scalar, condition, start } => match view.truth(*scalar, *condition) {
                        Truth::Known(true) => {
                            is_first = true;
                            if let Some(Op::Jump { target }) = code.ops.get(pc as usize + 1) {
                                pc = *target;
                                continue;
                            }
                            Ok(())
                        }
                        Truth::Known(false) => {
                            pc = *start;
                            break Exit::Event(Event::Blocked);
                        }
                        Truth::Unknown(condition) => {
                            break Exit::Event(Event::Fork { condition, yes: pc + 1, no: *start });
                        }
                    },
                    _ => break Exit::Slow,
                };
                match done {
                    Ok(()) => pc += 1,
                    Err(trouble) => break Exit::Trouble(trouble),
                }
            };
            *left = fuel;
            if let Some(frame) = state.processes[id.index()].frames.last_mut() {
                frame.pc = pc;
            }
            match outcome {
                Exit::Moved => return Event::Moved,
                Exit::Event(Event::Blocked) if self.has_moved => return Event::Moved,
                Exit::Event(event) => return event,
                Exit::Trouble(trouble) => return self.trouble(state, id, trouble),
                Exit::Check(check, truth) => return self.failed_check(state, id, &code, check, truth),
                Exit::Slow => {
                    let op = &code.ops[pc as usize];
                    is_first |= match op {
                        Op::Choose { .. } => true,
                        // The guard of what is called is the guard of the call.
                        Op::Call { site } => match code.calls[*site as usize].target {
                            Target::Direct(function) => self.program.functions[function].is_atomic,
                            Target::Indirect(..) => false,
                        },
                        _ => false,
                    };
                    match self.slow(state, id, &code, pc) {
                        Flow::Continue => {}
                        Flow::Event(Event::Blocked) if self.has_moved => return Event::Moved,
                        Flow::Event(event) => return event,
                    }
                }
            }
        }
    }
}

/// How the inner loop ended.
enum Exit<D: Domain> {
    Moved,
    Slow,
    Event(Event<D>),
    Check(u32, Truth<D::Condition>),
    Trouble(Trouble<D::Condition>),
}

fn int_scalar(program: &Program) -> Scalar {
    Scalar::of_int(program.types.data_model, program.arithmetic, IntKind::Int)
}

/// Reads an operand of a frame.
pub(crate) fn operand<'a, D: Domain>(
    process: &'a Process<D::Value>,
    base: u32,
    code: &'a Code<D>,
    operand: Operand,
) -> &'a D::Value {
    if operand.is_constant() {
        &code.constants[(operand.0 & !Operand::CONSTANT) as usize]
    } else {
        &process.registers[(base + operand.0) as usize]
    }
}
