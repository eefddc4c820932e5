//! What a read says about where its pointer points, for termination alone.
//!
//! A pointer that is read through at ever higher addresses does not come round to lower ones: before the addresses wrap around
//! there are some that are nobody's memory, and the machine ends an execution that reads there. So behind a read, its pointer
//! is not so far from its object that the next steps could wrap around. Nothing else is taken for granted: not that the read
//! lies inside of the object, and nothing of writes. What is taken for granted is told with the answer.

use super::analysis::{Analysis, Frame};
use super::evaluate::Evaluator;
use super::number::Number;
use super::state::State;
use quod_model::ir::*;
use quod_verdict::CheckKind;

/// Reads of one step that are looked at.
const MOST_READS: usize = 16;
/// Bytes that are nobody's memory where addresses wrap around: the page of the null pointer.
const PAGE: i128 = 4096;

impl<'p> Analysis<'_, 'p> {
    /// The state in executions in which what the location reads in any case lies in memory.
    pub(crate) fn reading(&mut self, frame: &Frame<'p>, location: LocationId, state: State) -> State {
        if !self.asks(CheckKind::Termination) {
            return state;
        }
        let body = frame.body;
        let mut places = Vec::new();
        for_control(body, &body.locations[location].control, &mut places);
        let evaluator = self.evaluator(frame);
        let mut state = state;
        for place in places {
            if let Some(next) = evaluator.in_memory(&state, place) {
                self.has_assumed_reads = true;
                state = next;
            }
        }
        state
    }
}

impl Evaluator<'_, '_> {
    /// What the state is where this place lies in memory; nothing where that is known, or says nothing.
    fn in_memory(&self, state: &State, place: PlaceId) -> Option<State> {
        let spot = self.spot(state, place);
        let linear = spot.linear.as_ref().filter(|linear| !linear.terms.is_empty())?;
        if spot.is_unknown || spot.may_be_null {
            return None;
        }
        let reach = self.world.reach - PAGE;
        let range = linear.range(self.world, state)?;
        if -reach <= range.low && range.high <= reach {
            return None;
        }
        self.bounded(state.clone(), linear, Number::range(-reach, reach))
    }
}

/// Places behind pointers that a step reads whatever happens.
fn for_control(body: &Body, control: &Control, places: &mut Vec<PlaceId>) {
    match control {
        Control::Branch { condition, .. } => for_expression(body, *condition, places),
        Control::Switch { value, .. } => for_expression(body, *value, places),
        Control::Return(Some(value)) => for_expression(body, *value, places),
        Control::Step { step: Step::Assign { place, value }, .. } => {
            for_expression(body, *value, places);
            for_place(body, *place, places);
        }
        _ => {}
    }
}

fn for_expression(body: &Body, id: ExprId, places: &mut Vec<PlaceId>) {
    if places.len() >= MOST_READS {
        return;
    }
    stacker::maybe_grow(64 << 10, 1 << 20, || match &body.exprs[id].kind {
        ExprKind::Load(place) => {
            for_place(body, *place, places);
            if is_behind_pointer(body, *place) {
                places.push(*place);
            }
        }
        ExprKind::AddressOf(place) => for_place(body, *place, places),
        ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => for_expression(body, *operand, places),
        ExprKind::Binary(_, left, right) | ExprKind::PointerDifference(left, right) => {
            for_expression(body, *left, places);
            for_expression(body, *right, places);
        }
        ExprKind::PointerAdd { pointer, index } => {
            for_expression(body, *pointer, places);
            for_expression(body, *index, places);
        }
        ExprKind::LogicalAnd(first, _) | ExprKind::LogicalOr(first, _) | ExprKind::Implies(first, _) => {
            for_expression(body, *first, places);
        }
        ExprKind::Conditional { condition, .. } => for_expression(body, *condition, places),
        _ => {}
    });
}

/// What is read to find a place.
fn for_place(body: &Body, place: PlaceId, places: &mut Vec<PlaceId>) {
    let mut next = place;
    loop {
        match body.places[next].kind {
            PlaceKind::Deref(pointer) => return for_expression(body, pointer, places),
            PlaceKind::Field(base, _) => next = base,
            PlaceKind::Index(base, index) => {
                for_expression(body, index, places);
                next = base;
            }
            _ => return,
        }
    }
}

fn is_behind_pointer(body: &Body, mut place: PlaceId) -> bool {
    loop {
        match body.places[place].kind {
            PlaceKind::Deref(_) => return true,
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => place = base,
            _ => return false,
        }
    }
}
