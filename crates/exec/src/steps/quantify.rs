//! Quantifiers whose ranges are not known: they come back to who drives the executor, who may have the answer without going
//! through the values. Known ranges, and all of them where nobody asks, are loops.

use crate::code::{Code, Pc};
use crate::domain::{Answer, Domain};
use crate::machine::{Event, Flow, Machine, operand};
use crate::scalar::Scalar;
use crate::state::{ProcessId, State};
use quod_base::Id;
use quod_model::ir::FunctionId;
use std::rc::Rc;

/// A quantifier that a process stands at.
#[derive(Clone, Debug)]
pub struct Quantifier<V> {
    pub is_forall: bool,
    /// Nothing for a variable that has all values of its kind.
    pub limits: Option<(V, V)>,
    /// The kind of the variable.
    pub scalar: Scalar,
    /// Which one it is in the program.
    pub place: (FunctionId, Pc),
    pub depth: usize,
    site: u32,
}

/// Where the body of a quantifier has come to for one value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Tried {
    /// It still runs.
    Open,
    /// The value decides nothing: it satisfies `$forall`, or does not satisfy `$exists`.
    Undecided,
    /// The value decides: `$forall` is false, `$exists` true.
    Decided,
}

impl<D: Domain> Machine<'_, D> {
    pub(crate) fn quantify(&mut self, state: &mut State<D>, id: ProcessId, code: &Rc<Code<D>>, site: u32) -> Flow<D> {
        let quantifier = &code.quantifiers[site as usize];
        if quantifier.is_unlimited && self.gives_quantifiers {
            return Flow::Event(Event::Quantify(site));
        }
        if self.gives_quantifiers {
            let process = &state.processes[id.index()];
            let base = process.frames.last().map_or(0, |frame| frame.base);
            let is_known = |limit| {
                let value = operand(process, base, code, limit);
                self.domain.known_integer(value, quantifier.scalar).is_some()
            };
            if !is_known(quantifier.low) || !is_known(quantifier.high) {
                return Flow::Event(Event::Quantify(site));
            }
        }
        self.advance(state, id)
    }

    /// The quantifier of `Event::Quantify`.
    pub fn quantifier(&mut self, state: &State<D>, id: ProcessId, site: u32) -> Option<Quantifier<D::Value>> {
        let process = &state.processes[id.index()];
        let frame = process.frames.last()?;
        let code = self.code(frame.function)?;
        let found = code.quantifiers.get(site as usize)?;
        let limit = |limit| operand(process, frame.base, &code, limit).clone();
        Some(Quantifier {
            is_forall: found.is_forall,
            limits: (!found.is_unlimited).then(|| (limit(found.low), limit(found.high))),
            scalar: found.scalar,
            place: (frame.function, frame.pc),
            depth: process.frames.len(),
            site,
        })
    }

    /// Goes through the values one by one.
    pub fn loop_over(&mut self, state: &mut State<D>, id: ProcessId) {
        self.advance(state, id);
    }

    /// To the body, for one value.
    pub fn try_value(&mut self, state: &mut State<D>, id: ProcessId, of: &Quantifier<D::Value>, value: D::Value) {
        let process = &mut *state.processes[id.index()];
        let Some(frame) = process.frames.last_mut() else { return };
        let (function, base) = (frame.function, frame.base);
        let Some(code) = self.code(function) else { return };
        let Some(site) = code.quantifiers.get(of.site as usize) else { return };
        let process = &mut *state.processes[id.index()];
        process.registers[(base + site.register) as usize] = value;
        if let Some(frame) = process.frames.last_mut() {
            frame.pc = site.body;
        }
    }

    /// Where the process is.
    pub fn tried(&mut self, state: &State<D>, id: ProcessId, of: &Quantifier<D::Value>) -> Tried {
        let frames = &state.processes[id.index()].frames;
        let Some(frame) = frames.last().filter(|_| frames.len() == of.depth) else { return Tried::Open };
        let pc = frame.pc;
        let Some(code) = self.code(frame.function) else { return Tried::Open };
        match code.quantifiers.get(of.site as usize) {
            Some(site) if pc == site.end => Tried::Decided,
            Some(site) if pc == site.next => Tried::Undecided,
            _ => Tried::Open,
        }
    }

    /// On behind the quantifier, whose value is known to be this.
    pub fn conclude(&mut self, state: &mut State<D>, id: ProcessId, of: &Quantifier<D::Value>, truth: Answer<D>) {
        let Some(frame) = state.processes[id.index()].frames.last() else { return };
        let (function, base) = (frame.function, frame.base);
        let Some(code) = self.code(function) else { return };
        let Some(site) = code.quantifiers.get(of.site as usize) else { return };
        let value = self.domain.truth_value(truth, site.result_scalar);
        let process = &mut *state.processes[id.index()];
        process.registers[(base + site.result) as usize] = value;
        if let Some(frame) = process.frames.last_mut() {
            frame.pc = site.end;
        }
    }
}
