//! Switches, computed jumps and `$choose`.

use super::{View, blocked, get};
use crate::code::{Code, Op, Operand, Pc, Target};
use crate::domain::{Domain, Outcome, Truth};
use crate::fault::Fault;
use crate::machine::{Event, Flow, Machine};
use crate::prepare::{LABEL_BASE, LABEL_STEP};
use crate::scalar::Scalar;
use crate::state::{ProcessId, State};
use quod_base::Id;
use quod_model::ir::BinaryOp;
use quod_verdict::CheckKind;
use std::rc::Rc;

impl<D: Domain> View<'_, D> {
    /// The target, or (where the value is not known) a condition and where it leads to.
    #[allow(clippy::type_complexity)]
    pub(crate) fn switch(
        &mut self,
        scalar: Scalar,
        value: Operand,
        table: u32,
    ) -> Outcome<D, Result<Pc, (D::Condition, Pc)>> {
        self.define(value, scalar);
        let table = &self.code.switches[table as usize];
        let value = get(self.registers, self.constants, value);
        if let Some(known) = self.domain.known_integer(value, scalar) {
            if let Some((low, targets)) = &table.dense {
                let target = usize::try_from(known.wrapping_sub(*low)).ok().and_then(|index| targets.get(index));
                return Ok(Ok(target.copied().unwrap_or(table.default)));
            }
            let index = table.cases.partition_point(|case| case.0 <= known);
            let found = index.checked_sub(1).map(|index| table.cases[index]).filter(|case| known <= case.1);
            return Ok(Ok(found.map_or(table.default, |case| case.2)));
        }
        let value = value.clone();
        for &(low, high, target) in &table.cases {
            let (low, high) = (self.domain.integer(low, scalar), self.domain.integer(high, scalar));
            let above = self.domain.compare(BinaryOp::GreaterEqual, scalar, &value, &low);
            let below = self.domain.compare(BinaryOp::LessEqual, scalar, &value, &high);
            let both = self.domain.both(above, below);
            // What was found out on the way here is asked for as a truth.
            let flag = self.domain.truth_value(both, self.int);
            match self.domain.truth(self.memory, self.int, &flag) {
                Truth::Known(true) => return Ok(Ok(target)),
                Truth::Known(false) => {}
                Truth::Unknown(condition) => return Ok(Err((condition, target))),
            }
        }
        Ok(Ok(table.default))
    }

    pub(crate) fn computed_jump(&mut self, value: Operand) -> Outcome<D, Pc> {
        let value = self.get(value);
        let address = [Scalar::Pointer64, Scalar::Pointer32]
            .into_iter()
            .find_map(|scalar| self.domain.known_integer(value, scalar));
        let label = address
            .map(|address| address - LABEL_BASE)
            .filter(|distance| *distance >= 0 && distance % LABEL_STEP == 0)
            .and_then(|distance| self.code.labels.get((distance / LABEL_STEP) as usize));
        match label {
            Some(&target) => Ok(target),
            None => {
                Err(Fault::new(CheckKind::InvalidCall, "computed goto to something that is no label of the function")
                    .label("this is no label's address")
                    .into())
            }
        }
    }
}

impl<D: Domain> Machine<'_, D> {
    /// `$choose`: which alternatives are enabled; who drives the machine picks.
    pub(crate) fn choose(&mut self, state: &mut State<D>, id: ProcessId, code: &Rc<Code<D>>, table: u32) -> Flow<D> {
        let table = &code.chooses[table as usize];
        let (pc, depth) = {
            let frames = &state.processes[id.index()].frames;
            (frames.last().map_or(0, |frame| frame.pc), frames.len())
        };
        let mut enabled = Vec::new();
        for &alternative in &table.alternatives {
            match self.probe(state, id, code, alternative) {
                Ok(true) => enabled.push(alternative),
                Ok(false) => {}
                Err(event) => {
                    // An open guard: all of them are asked again when it is decided.
                    let process = &mut state.processes[id.index()];
                    process.frames.truncate(depth);
                    if let Some(frame) = process.frames.last_mut() {
                        frame.pc = pc;
                    }
                    return Flow::Event(match event {
                        Event::Fork { condition, .. } => Event::Fork { condition, yes: pc, no: pc },
                        Event::Blocked | Event::Moved | Event::Paused | Event::Ended => {
                            return self.stop(state, id, Fault::unsupported("this guard"));
                        }
                        other => other,
                    });
                }
            }
        }
        if let Some(frame) = state.processes[id.index()].frames.last_mut() {
            frame.pc = table.start;
        }
        match (enabled.len(), table.default) {
            (0, Some(default)) => self.jump(state, id, default),
            (0, None) => blocked(),
            (1, _) => self.jump(state, id, enabled[0]),
            _ => Flow::Event(Event::Choose(enabled)),
        }
    }

    pub(crate) fn jump(&mut self, state: &mut State<D>, id: ProcessId, target: Pc) -> Flow<D> {
        if let Some(frame) = state.processes[id.index()].frames.last_mut() {
            frame.pc = target;
        }
        Flow::Continue
    }

    /// Whether the process could move at `pc`: only guards are evaluated, one behind the other as far as they go.
    fn probe(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        code: &Rc<Code<D>>,
        mut start: Pc,
    ) -> Result<bool, Event<D>> {
        for _ in 0..=code.ops.len() {
            match &code.ops[start as usize] {
                Op::Jump { target } => {
                    start = *target;
                    continue;
                }
                Op::AtomicBegin { .. } if state.atomic_owner.is_some_and(|owner| owner != id) => return Ok(false),
                Op::AtomicBegin { .. } => {
                    start += 1;
                    continue;
                }
                Op::Choose { table } => {
                    let table = &code.chooses[*table as usize];
                    for &alternative in &table.alternatives {
                        if self.probe(state, id, code, alternative)? {
                            return Ok(true);
                        }
                    }
                    return Ok(table.default.is_some());
                }
                _ => {}
            }
            // The guard's operations stand before its `When` in the same location.
            let location = code.locations[start as usize];
            let here = (start as usize..code.ops.len()).take_while(|&pc| code.locations[pc] == location);
            let found = here.into_iter().find(|&pc| matches!(code.ops[pc], Op::When { .. } | Op::Call { .. }));
            let holds = match found.map(|pc| (pc as Pc, &code.ops[pc])) {
                Some((when, Op::When { .. })) => self.evaluate(state, id, code, start, when)?,
                Some((call, Op::Call { site })) => return self.probe_call(state, id, code, start, (call, *site)),
                _ => return Ok(true),
            };
            match found {
                Some(when) if holds => start = when as Pc + 1,
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// A guard whose operations begin at `start`, at its `When`.
    fn evaluate(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        code: &Rc<Code<D>>,
        start: Pc,
        when: Pc,
    ) -> Result<bool, Event<D>> {
        self.run_up_to(state, id, start, when)?;
        let Op::When { scalar, condition, .. } = code.ops[when as usize] else { return Ok(true) };
        let process = &state.processes[id.index()];
        let base = process.frames.last().map_or(0, |frame| frame.base);
        let value = crate::machine::operand(process, base, code, condition).clone();
        match self.domain.truth(&state.memory, scalar, &value) {
            Truth::Known(known) => Ok(known),
            Truth::Unknown(condition) => Err(Event::Fork { condition, yes: start, no: start }),
        }
    }

    /// The guard of a call is that of the atomic function which is called.
    fn probe_call(
        &mut self,
        state: &mut State<D>,
        id: ProcessId,
        code: &Rc<Code<D>>,
        start: Pc,
        (call, site): (Pc, u32),
    ) -> Result<bool, Event<D>> {
        let Target::Direct(function) = code.calls[site as usize].target else { return Ok(true) };
        let Some(callee) = self.code(function).filter(|_| self.program.functions[function].is_atomic) else {
            return Ok(true);
        };
        let mut trial = state.clone();
        self.run_up_to(&mut trial, id, start, call)?;
        match self.call(&mut trial, id, code, site) {
            Flow::Continue => self.probe(&mut trial, id, &callee, 0),
            Flow::Event(event) => Err(event),
        }
    }

    /// Runs the operations from `start` to `end`, which is in the same location.
    fn run_up_to(&mut self, state: &mut State<D>, id: ProcessId, start: Pc, end: Pc) -> Result<(), Event<D>> {
        if let Some(frame) = state.processes[id.index()].frames.last_mut() {
            frame.pc = start;
        }
        let depth = state.processes[id.index()].frames.len();
        let is_there = |state: &State<D>| {
            let frames = &state.processes[id.index()].frames;
            frames.len() == depth && frames.last().is_none_or(|frame| frame.pc == end)
        };
        for _ in 0..1_000_000 {
            if is_there(state) {
                return Ok(());
            }
            match self.run_process(state, id, 1, false) {
                Event::Moved | Event::Paused => {}
                event => return Err(event),
            }
        }
        Err(Event::Blocked)
    }
}
