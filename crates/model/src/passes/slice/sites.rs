//! What each location writes, whose lifetime it begins or ends, and whether it must stay whatever is asked.

use super::calls::{Callees, Known, known, only_prints};
use super::control::Dependence;
use super::points_to::{PointsTo, Values};
use super::{Open, Question};
use crate::ir::*;
use quod_base::Id;

/// One function as slicing sees it.
pub(super) struct Function<'p> {
    pub(super) body: &'p Body,
    pub(super) dependence: Dependence,
    pub(super) sites: Vec<Site>,
    /// The node of each place, and what the value of each expression leads to.
    pub(super) places: Vec<u32>,
    pub(super) targets: Vec<Option<u32>>,
    pub(super) is_kept: Vec<bool>,
    pub(super) is_read: Vec<bool>,
}

/// One location.
#[derive(Clone, Debug, Default)]
pub(super) struct Site {
    /// Nodes that are written.
    pub(super) writes: Vec<u32>,
    /// Nodes whose objects begin or end.
    pub(super) lifetimes: Vec<u32>,
    /// It stays: what is asked, what ends executions, what may do anything.
    pub(super) is_essential: bool,
    /// What it does can be seen outside of the call of its function.
    pub(super) is_outside: bool,
    /// The result of this call must be stored.
    pub(super) is_result_essential: bool,
}

impl<'p> Function<'p> {
    pub(super) fn new(
        program: &'p Program,
        callees: &Callees,
        nodes: &mut PointsTo,
        function: FunctionId,
        body: &'p Body,
        question: &Question<'_>,
    ) -> Self {
        let mut values = Values::new(nodes, body, function);
        let places = body.places.ids().map(|place| values.place(place)).collect();
        let targets = body.exprs.ids().map(|expr| values.value(expr)).collect();
        let mut this = Self {
            body,
            dependence: Dependence::new(body),
            sites: vec![Site::default(); body.locations.len()],
            places,
            targets,
            is_kept: vec![false; body.locations.len()],
            is_read: vec![false; body.exprs.len()],
        };
        for at in body.locations.ids() {
            let mut site = Site::default();
            let is_open = question.open.is_none_or(|open: &Open| open.contains(&(function, at)));
            match &body.locations[at].control {
                Control::Step { step, .. } => {
                    this.step(program, callees, nodes, (function, at), step, question, is_open, &mut site)
                }
                // Where the labels are is not looked at.
                Control::ComputedGoto(_) | Control::Unreachable => site.is_essential = true,
                Control::Return(_) => site.writes.push(nodes.result(function)),
                _ => {}
            }
            site.is_outside |= site.is_essential;
            this.sites[at.index()] = site;
        }
        this
    }

    #[allow(clippy::too_many_arguments)]
    fn step(
        &self,
        program: &Program,
        callees: &Callees,
        nodes: &mut PointsTo,
        (function, at): (FunctionId, LocationId),
        step: &Step,
        question: &Question<'_>,
        is_open: bool,
        site: &mut Site,
    ) {
        match step {
            Step::Assign { place, .. } | Step::Zero(place) | Step::Havoc { place, .. } => {
                site.is_essential = self.write(program, *place, is_open, site);
            }
            Step::Call(call) => {
                if let Some(place) = call.result {
                    site.is_result_essential = self.write(program, place, is_open, site);
                }
                match call.callee {
                    Callee::Direct(callee) if program.functions[callee].body.is_none() => {
                        let name = program.functions[callee].name;
                        self.library(program, nodes, name.as_str(), call, is_open, site);
                    }
                    Callee::Direct(_) => {}
                    Callee::Indirect(..) => {
                        site.is_essential |= callees.is_taken_open || callees.of(function, at).is_empty();
                    }
                }
                site.is_essential |= site.is_result_essential;
            }
            Step::Builtin { name, result, .. } => {
                if let Some(place) = *result {
                    site.is_result_essential = self.write(program, place, is_open, site);
                }
                site.is_essential = known(name.as_str()) != Known::Allocation || site.is_result_essential;
            }
            Step::Assembly { outputs, clobbers_memory, .. } => {
                site.is_essential = *clobbers_memory;
                for &output in outputs {
                    site.is_essential |= self.write(program, output, is_open, site);
                }
            }
            Step::Check(check) => site.is_essential = question.kinds.contains(check.kind) && is_open,
            Step::Declare(local) => site.lifetimes.push(nodes.local(function, *local)),
            Step::Assume(_) | Step::Unsupported(_) => site.is_essential = true,
            Step::Enter(_) | Step::Leave(_) | Step::Nop => {}
            Step::Spawn { .. } | Step::AtomicBegin { .. } | Step::AtomicEnd { .. } | Step::DomainNext { .. } => {
                site.is_essential = true;
            }
        }
    }

    fn library(
        &self,
        program: &Program,
        nodes: &mut PointsTo,
        name: &str,
        call: &Call,
        is_open: bool,
        site: &mut Site,
    ) {
        let target = |index: usize| call.arguments.get(index).and_then(|argument| self.targets[argument.index()]);
        match known(name) {
            Known::Number | Known::Input | Known::Allocation | Known::Read => {}
            Known::Print => site.is_essential |= !only_prints(program, self.body, name, &call.arguments),
            Known::Free => {
                site.is_outside = true;
                site.is_essential |= is_open;
                site.lifetimes.extend(target(0).map(|node| nodes.find(node)));
            }
            Known::Write | Known::Copy => {
                site.is_outside = true;
                site.is_essential |= is_open;
                site.writes.extend(target(0).map(|node| nodes.find(node)));
            }
            Known::End | Known::Assume | Known::Nothing => site.is_essential = true,
        }
    }

    /// Notes a write. Whether it must stay because nobody has shown where it goes.
    fn write(&self, program: &Program, place: PlaceId, is_open: bool, site: &mut Site) -> bool {
        site.writes.push(self.places[place.index()]);
        let mut at = place;
        let mut is_inside = true;
        loop {
            at = match self.body.places[at].kind {
                PlaceKind::Field(base, _) | PlaceKind::RealPart(base) | PlaceKind::ImaginaryPart(base) => base,
                PlaceKind::Index(base, index) => {
                    is_inside &= is_within(program, self.body, base, index);
                    base
                }
                PlaceKind::Variable(VariableRef::Local(_)) | PlaceKind::Temporary(_) => break,
                PlaceKind::Variable(_) => {
                    site.is_outside = true;
                    break;
                }
                PlaceKind::Deref(_) | PlaceKind::String(_) => {
                    site.is_outside = true;
                    is_inside = false;
                    break;
                }
            };
        }
        !is_inside && is_open
    }
}

/// A constant index inside of its array.
fn is_within(program: &Program, body: &Body, base: PlaceId, mut index: ExprId) -> bool {
    let Type::Array { length: ArrayLength::Fixed(length), .. } = program.types[body.places[base].ty] else {
        return false;
    };
    while let ExprKind::Convert(operand) = body.exprs[index].kind {
        index = operand;
    }
    matches!(body.exprs[index].kind, ExprKind::Int(value) if (0..i128::from(length)).contains(&value))
}
