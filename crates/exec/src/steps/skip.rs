//! Calls that are not executed: whoever drives the machine knows what they lead to.

use crate::code::{Op, ResultTo};
use crate::domain::Domain;
use crate::machine::Machine;
use crate::scalar::Scalar;
use crate::state::{ProcessId, State};
use quod_base::Id;

/// What a call that has just begun is waited for with.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Awaited {
    /// The register of the process that the value goes to, and its kind; nothing where the value is not used.
    pub register: Option<(usize, Scalar)>,
}

impl<D: Domain> Machine<'_, D> {
    /// What the caller of the frame on top waits for. Nothing where the frame has done anything yet, or more than a value in
    /// a register is handed over: records, variable arguments, nested functions, calls from the library.
    pub fn awaited(&mut self, state: &State<D>, id: ProcessId) -> Option<Awaited> {
        let frames = &state.processes[id.index()].frames;
        let [.., caller, frame] = &frames[..] else { return None };
        let is_plain = frame.pc == 0
            && frame.native.is_none()
            && frame.extra.is_none()
            && frame.environment.is_none()
            && frame.static_link.is_none()
            && caller.native.is_none();
        if !is_plain {
            return None;
        }
        let (function, base) = (caller.function, caller.base as usize);
        let before = (caller.pc as usize).checked_sub(1)?;
        let code = self.code(function)?;
        let Some(Op::Call { site }) = code.ops.get(before) else { return None };
        match code.calls[*site as usize].result {
            ResultTo::Nothing => Some(Awaited { register: None }),
            ResultTo::Register(register, scalar) => {
                Some(Awaited { register: Some((base + register as usize, scalar)) })
            }
            ResultTo::Memory { .. } => None,
        }
    }

    /// Takes the frame on top away, of which `awaited` has told. The register that waits for its value is empty then.
    pub fn skip_call(&mut self, state: &mut State<D>, id: ProcessId, awaited: Awaited) {
        let process = &mut *state.processes[id.index()];
        if let Some(frame) = process.frames.pop() {
            process.registers.truncate(frame.base as usize);
        }
        if let Some((register, _)) = awaited.register
            && let Some(register) = process.registers.get_mut(register)
        {
            *register = D::Value::default();
        }
    }
}
