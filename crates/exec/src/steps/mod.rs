//! What each operation does: one file a family. All of it is written against `Domain`.

mod arith;
mod builtin;
mod call;
mod check;
mod control;
mod memory;
mod process;
mod quantify;
mod scope;
mod skip;

pub use quantify::{Quantifier, Tried};

pub(crate) use call::Given;

use crate::code::{Code, Op, Operand, Pc, Register};
use crate::domain::Domain;
use crate::fault::Fault;
use crate::machine::{Event, Flow, Machine};
use crate::scalar::Scalar;
use crate::state::{ProcessId, State};
use quod_verdict::CheckKind;
use std::rc::Rc;

/// The registers of the frame that runs, and what its operations work on.
pub(crate) struct View<'a, D: Domain> {
    pub domain: &'a mut D,
    pub memory: &'a mut D::Memory,
    pub registers: &'a mut [D::Value],
    pub constants: &'a [D::Value],
    pub code: &'a Code<D>,
    /// The kind of `int`.
    pub int: Scalar,
}

impl<D: Domain> View<'_, D> {
    #[inline(always)]
    pub(crate) fn get(&self, operand: Operand) -> &D::Value {
        get(self.registers, self.constants, operand)
    }

    /// A variable that was never set holds anything, and from its first use on always the same.
    #[inline(always)]
    pub(crate) fn define(&mut self, operand: Operand, scalar: Scalar) {
        if D::HAS_UNSET && !operand.is_constant() && self.domain.is_unset(&self.registers[operand.0 as usize]) {
            self.registers[operand.0 as usize] = self.domain.undefined(self.memory, scalar);
        }
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, register: Register, value: D::Value) {
        self.registers[register as usize] = value;
    }
}

#[inline(always)]
fn get<'a, V>(registers: &'a [V], constants: &'a [V], operand: Operand) -> &'a V {
    if operand.is_constant() {
        &constants[(operand.0 & !Operand::CONSTANT) as usize]
    } else {
        &registers[operand.0 as usize]
    }
}

impl<D: Domain> Machine<'_, D> {
    /// Operations that change frames, processes or the library's state.
    pub(crate) fn slow(&mut self, state: &mut State<D>, id: ProcessId, code: &Rc<Code<D>>, pc: Pc) -> Flow<D> {
        match &code.ops[pc as usize] {
            Op::Call { site } => self.call(state, id, code, *site),
            Op::Return { value } => self.return_scalar(state, id, code, *value),
            Op::ReturnAggregate { from, size } => self.return_aggregate(state, id, code, *from, *size),
            Op::Builtin { site } => self.builtin(state, id, code, *site),
            Op::Spawn { site } => self.spawn(state, id, code, *site),
            Op::Choose { table } => self.choose(state, id, code, *table),
            Op::Enter { local } => self.enter_captured(state, id, code, *local),
            Op::EnterDynamic { local, size } => self.enter_dynamic(state, id, code, *local, *size),
            Op::Leave { local } => self.leave_captured(state, id, code, *local),
            Op::EnterScope { scope } => self.enter_scope(state, id, code, *scope),
            Op::LeaveScope { scope } => self.leave_scope(state, id, code, *scope),
            Op::Enclosing { to, function, scope, local } => self.enclosing(state, id, *to, *function, *scope, *local),
            Op::FunctionAddress { to, function } => self.nested_function(state, id, *to, *function),
            Op::ThreadLocal { to, index } => self.thread_local(state, id, *to, *index),
            Op::AtomicBegin { is_atom } => self.atomic_begin(state, id, *is_atom),
            Op::AtomicEnd { is_atom } => self.atomic_end(state, id, *is_atom),
            Op::Quantify { site } => self.quantify(state, id, code, *site),
            Op::Unsupported { diagnostic } => {
                let diagnostic = code.unsupported[*diagnostic as usize].clone();
                let span = diagnostic.span();
                let mut fault = Fault::new(CheckKind::Unsupported, diagnostic.message);
                fault.span = (!span.is_none()).then_some(span);
                if let Some(label) = diagnostic.labels.first() {
                    fault.label.clone_from(&label.text);
                }
                fault.notes = diagnostic.notes;
                fault.help = diagnostic.help;
                Flow::Event(self.fault(state, id, fault))
            }
            Op::Unreachable => {
                let fault = Fault::new(CheckKind::UnreachableReached, "execution reaches a place that it must not")
                    .label("control gets here");
                Flow::Event(self.fault(state, id, fault))
            }
            _ => Flow::Event(self.fault(state, id, Fault::unsupported("an operation of the executor"))),
        }
    }

    /// The process goes on behind the operation.
    pub(crate) fn advance(&mut self, state: &mut State<D>, id: ProcessId) -> Flow<D> {
        if let Some(frame) = state.processes[quod_base::Id::index(id)].frames.last_mut() {
            frame.pc += 1;
        }
        Flow::Continue
    }

    pub(crate) fn stop(&self, state: &mut State<D>, id: ProcessId, fault: Fault) -> Flow<D> {
        Flow::Event(self.fault(state, id, fault))
    }
}

/// Turns trouble into the flow that reports it.
macro_rules! attempt {
    ($machine:expr, $state:expr, $id:expr, $result:expr) => {
        match $result {
            Ok(value) => value,
            Err(trouble) => {
                return $crate::machine::Flow::Event($machine.trouble($state, $id, trouble));
            }
        }
    };
}
pub(crate) use attempt;

/// The event where a process must wait.
pub(crate) fn blocked<D: Domain>() -> Flow<D> {
    Flow::Event(Event::Blocked)
}
