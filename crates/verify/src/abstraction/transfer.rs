//! What one location does to one state.

use super::analysis::{Analysis, Facts, Frame, Stop};
use super::evaluate::{Evaluated, Evaluator, Spot};
use super::linear::Linear;
use super::memory::{Object, Rest};
use super::number::{FAR, Number};
use super::state::{CellKey, OFFSET, State};
use super::value::{Kind, ObjectKey, Value};
use super::zone::Bounds;
use quod_base::Span;
use quod_model::ir::*;
use quod_verdict::CheckKind;
use std::sync::Arc;

/// Scalars of one aggregate that are looked at one by one.
const MOST_LEAVES: usize = 400;

/// Where control goes (nowhere: out of the function) in which state.
pub(crate) type Out = (Option<LocationId>, State);

impl<'p> Analysis<'_, 'p> {
    pub(crate) fn step(
        &mut self,
        frame: &Frame<'p>,
        location: LocationId,
        mut state: State,
        facts: &mut Facts,
    ) -> Result<Vec<Out>, Stop> {
        let here = &frame.body.locations[location];
        let evaluator = self.evaluator(frame);
        Ok(match &here.control {
            Control::Step { step, next } => {
                let states = self.simple(frame, location, step, state, facts)?;
                states.into_iter().map(|state| (Some(*next), state)).collect()
            }
            Control::Goto(next) => vec![(Some(*next), state)],
            Control::Branch { condition, then, otherwise, .. } => {
                let mut outs = Vec::new();
                for (truth, next) in [(true, *then), (false, *otherwise)] {
                    outs.extend(evaluator.assume(&state, *condition, truth).map(|state| (Some(next), state)));
                }
                outs
            }
            Control::Switch { value, cases, default, .. } => {
                let evaluated = evaluator.eval(&state, *value);
                let mut outs = Vec::new();
                let Some(number) = evaluated.number() else {
                    outs.extend(cases.iter().map(|case| (Some(case.target), state.clone())));
                    outs.push((Some(*default), state));
                    return Ok(outs);
                };
                let mut left = Some(number);
                for case in cases {
                    if let Some(met) = number.meet(Number::range(case.low, case.high)) {
                        let chosen = match &evaluated.linear {
                            Some(linear) => evaluator.bounded(state.clone(), linear, met),
                            None => Some(state.clone()),
                        };
                        outs.extend(chosen.map(|state| (Some(case.target), state)));
                    }
                    if let (Some(rest), true) = (left, case.low == case.high) {
                        left = rest.without(case.low);
                    }
                }
                if let Some(left) = left {
                    let rest = match &evaluated.linear {
                        Some(linear) => evaluator.bounded(state, linear, left),
                        None => Some(state),
                    };
                    outs.extend(rest.map(|state| (Some(*default), state)));
                }
                outs
            }
            Control::ComputedGoto(_) => frame.body.labels.iter().map(|&label| (Some(label), state.clone())).collect(),
            Control::Return(value) => {
                if let Some(value) = value {
                    let key = ObjectKey::Result(frame.function);
                    let ty = frame.body.exprs[*value].ty;
                    let size = self
                        .world
                        .program
                        .types
                        .size_of(ty)
                        .map_or(Number::range(0, 1 << 62), |size| Number::constant(size.into()));
                    state.objects.insert(key, Arc::new(Object::new(size, Rest::Uninit)));
                    let spot = Spot { targets: vec![(key, Number::ZERO)], ..Spot::default() };
                    if !self.assign(&evaluator, &mut state, &spot, ty, *value, here.span, facts) {
                        return Ok(Vec::new());
                    }
                }
                vec![(None, state)]
            }
            Control::Unreachable => {
                facts.fail("control may get where it must not", here.span);
                Vec::new()
            }
            Control::When { .. } | Control::Choose { .. } => {
                return Err(Stop::Unsupported("a guarded command".into(), here.span));
            }
        })
    }

    fn simple(
        &mut self,
        frame: &Frame<'p>,
        location: LocationId,
        step: &'p Step,
        mut state: State,
        facts: &mut Facts,
    ) -> Result<Vec<State>, Stop> {
        let span = frame.body.locations[location].span;
        let evaluator = self.evaluator(frame);
        let unsupported = |what: &str| Err(Stop::Unsupported(what.into(), span));
        match step {
            Step::Assign { place, value } => {
                let spot = evaluator.spot(&state, *place);
                let ty = frame.body.places[*place].ty;
                let is_alive = self.assign(&evaluator, &mut state, &spot, ty, *value, span, facts);
                Ok(if is_alive { vec![state] } else { Vec::new() })
            }
            Step::Zero(place) => {
                let spot = evaluator.spot(&state, *place);
                self.zero(&evaluator, &mut state, &spot, frame.body.places[*place].ty, span, facts);
                Ok(vec![state])
            }
            Step::Havoc { place, .. } => {
                let spot = evaluator.spot(&state, *place);
                let ty = frame.body.places[*place].ty;
                if evaluator.kind(ty).is_some() {
                    let value = self.any(ty);
                    self.store(&evaluator, &mut state, &spot, ty, &evaluated(value), span, facts);
                } else {
                    self.forget(&evaluator, &mut state, &spot, ty, span, facts);
                }
                Ok(vec![state])
            }
            Step::Call(call) => self.call(frame, location, call, state, facts),
            Step::Enter(scope) => {
                self.end_scope(frame, *scope, &mut state);
                Ok(vec![state])
            }
            Step::Leave(scope) => {
                self.end_scope(frame, *scope, &mut state);
                Ok(vec![state])
            }
            Step::Declare(local) => {
                let key = ObjectKey::Local(frame.function, *local);
                let is_pointed_to = self.may_be_pointed_to(&frame.body.locals[*local]);
                self.world.end_objects(&mut state, &|other| other == key, is_pointed_to);
                if let Type::Array { element, length: ArrayLength::Variable(length) } =
                    self.world.program.types[frame.body.locals[*local].ty]
                {
                    let size = self.array_size(&evaluator, &state, element.ty, length);
                    state.objects.insert(key, Arc::new(Object::new(size.0, Rest::Uninit)));
                    self.count_units(&mut state, key, size.1);
                }
                Ok(vec![state])
            }
            Step::Check(check) => {
                if !self.kinds.contains(check.kind) {
                    return Ok(vec![state]);
                }
                if evaluator.assume(&state, check.condition, false).is_some() {
                    facts.fail(check.kind.word(), span);
                }
                Ok(evaluator.assume(&state, check.condition, true).into_iter().collect())
            }
            Step::Assume(condition) => {
                // Where an assumption fails, an execution waits for ever.
                if self.asks(CheckKind::Termination) && evaluator.assume(&state, *condition, false).is_some() {
                    facts.fail("an assumption that may fail", span);
                }
                Ok(evaluator.assume(&state, *condition, true).into_iter().collect())
            }
            Step::Nop => Ok(vec![state]),
            Step::Builtin { name, arguments, result, .. } => {
                self.builtin(frame, location, name.as_str(), arguments, *result, state, facts)
            }
            Step::AtomicBegin { .. } | Step::AtomicEnd { .. } => Ok(vec![state]),
            Step::Unsupported(diagnostic) => {
                facts.fail(diagnostic.message.clone(), span);
                Ok(Vec::new())
            }
            Step::Assembly { text, outputs, clobbers_memory, .. } => {
                if *clobbers_memory && !text.as_str().trim().is_empty() {
                    return unsupported("inline assembly");
                }
                for &output in outputs {
                    let spot = evaluator.spot(&state, output);
                    let ty = frame.body.places[output].ty;
                    if evaluator.kind(ty).is_some() {
                        let value = self.any(ty);
                        self.store(&evaluator, &mut state, &spot, ty, &evaluated(value), span, facts);
                    } else {
                        self.forget(&evaluator, &mut state, &spot, ty, span, facts);
                    }
                }
                Ok(vec![state])
            }
            Step::Spawn { .. } | Step::DomainNext { .. } => unsupported("processes"),
        }
    }

    fn array_size(
        &self,
        evaluator: &Evaluator<'_, 'p>,
        state: &State,
        element: TypeId,
        length: LengthVariable,
    ) -> (Number, Option<Linear>) {
        let any = Number::range(0, 1 << 62);
        let LengthVariable::Local { function, local } = length else { return (any, None) };
        if function != evaluator.function {
            return (any, None);
        }
        let spot = Spot { targets: vec![(ObjectKey::Local(function, local), Number::ZERO)], ..Spot::default() };
        let count = evaluator.read(state, &spot, evaluator.body.locals[local].ty);
        let size = self.world.program.types.size_of(element);
        match (count.number(), size) {
            (Some(number), Some(size)) => {
                let bytes = number.scale(size.into()).filter(|bytes| bytes.is_within(any));
                let linear = count.linear.and_then(|linear| linear.scale(size.into())).filter(|_| bytes.is_some());
                (bytes.unwrap_or(any), linear)
            }
            _ => (any, None),
        }
    }

    /// Remembers what a new object's size (in bytes) is made of.
    pub(crate) fn count_units(&self, state: &mut State, key: ObjectKey, size: Option<Linear>) {
        let Some(linear) = size.filter(|linear| !linear.terms.is_empty()) else { return };
        let unit = linear.terms.iter().map(|term| term.1.abs()).min().unwrap_or(0);
        let is_multiple = |number: i128| number % unit == 0;
        let Ok(small) = u32::try_from(unit) else { return };
        if small == 0 || !linear.terms.iter().all(|term| is_multiple(term.1)) || !is_multiple(linear.constant) {
            return;
        }
        let terms = linear.terms.iter().map(|term| (term.0, term.1 / unit)).collect();
        let count = Linear { terms, constant: linear.constant / unit };
        let Some(object) = state.objects.get(&key) else { return };
        let mut object = (**object).clone();
        if object.is_summary {
            return;
        }
        object.unit = small;
        state.objects.insert(key, Arc::new(object));
        let variable = self.world.variable(CellKey::count(key, small));
        state.zones.forget(variable);
        for &(other, factor) in &count.terms {
            if factor == 1
                && let Some(rest) = count.without(other).range(self.world, state)
            {
                state.zones.constrain(variable, other, Bounds::new(rest.low, rest.high));
            }
        }
    }

    pub(crate) fn any(&self, ty: TypeId) -> Value {
        let types = &self.world.program.types;
        match (&types[ty], Kind::of(types, ty)) {
            (Type::Bool, _) => Value::Number(Number::range(0, 1)),
            (_, Some(kind)) => Value::top(kind),
            _ => Value::Any,
        }
    }

    fn end_scope(&self, frame: &Frame<'p>, scope: ScopeId, state: &mut State) {
        let locals = &frame.body.locals;
        let is_in = |key: ObjectKey| matches!(key, ObjectKey::Local(function, local) if function == frame.function && locals[local].scope == scope);
        let is_pointed_to = locals.iter().any(|local| local.scope == scope && self.may_be_pointed_to(local));
        self.world.end_objects(state, &is_in, is_pointed_to);
    }

    /// `place = value` of any type; false where the machine traps.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn assign(
        &mut self,
        evaluator: &Evaluator<'_, 'p>,
        state: &mut State,
        spot: &Spot,
        ty: TypeId,
        value: ExprId,
        span: Span,
        facts: &mut Facts,
    ) -> bool {
        if evaluator.kind(ty).is_some() {
            let mut evaluated = evaluator.eval(state, value);
            if matches!(evaluated.value, Value::Any | Value::Uninit) {
                evaluated.value = self.any(ty);
            }
            return self.store(evaluator, state, spot, ty, &evaluated, span, facts);
        }
        if let ExprKind::Load(source) = evaluator.body.exprs[value].kind {
            let source = evaluator.spot(state, source);
            return self.copy(evaluator, state, spot, &source, ty, span, facts);
        }
        self.forget(evaluator, state, spot, ty, span, facts);
        true
    }

    /// Copies an aggregate, scalar by scalar.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn copy(
        &mut self,
        evaluator: &Evaluator<'_, 'p>,
        state: &mut State,
        to: &Spot,
        from: &Spot,
        ty: TypeId,
        span: Span,
        facts: &mut Facts,
    ) -> bool {
        let mut leaves = Vec::new();
        if !self.leaves(ty, 0, None, &mut leaves) {
            self.forget(evaluator, state, to, ty, span, facts);
            return true;
        }
        let values: Vec<Evaluated> = leaves
            .iter()
            .map(|leaf| {
                let spot = leaf.of(from);
                let mut read = evaluator.read(state, &spot, leaf.ty);
                // An aggregate may be copied with parts that were never written.
                let is_unwritten = spot.targets.iter().any(|&(key, start)| {
                    let access = evaluator.access(&spot, leaf.ty, start);
                    access.is_none_or(|access| self.world.object(state, key).read(&access) == Value::Uninit)
                });
                if is_unwritten {
                    read = evaluated(Value::Uninit);
                }
                read
            })
            .collect();
        leaves
            .iter()
            .zip(&values)
            .all(|(leaf, value)| self.store(evaluator, state, &leaf.of(to), leaf.ty, value, span, facts))
    }

    /// The scalars of a type; false where they are too many or not all known.
    fn leaves(&self, ty: TypeId, at: u64, width: Option<u32>, leaves: &mut Vec<Leaf>) -> bool {
        let types = &self.world.program.types;
        if leaves.len() > MOST_LEAVES {
            return false;
        }
        match &types[ty] {
            Type::Array { element, length: ArrayLength::Fixed(length) } => {
                let Some(size) = types.size_of(element.ty) else { return false };
                *length <= MOST_LEAVES as u64
                    && (0..*length).all(|index| self.leaves(element.ty, at + index * size * 8, None, leaves))
            }
            Type::Array { length: ArrayLength::Incomplete, .. } => true,
            Type::Record(record) => {
                let (Some(layout), Some(fields)) = (types.record_layout(*record), &types.records[*record].fields)
                else {
                    return false;
                };
                if types.records[*record].kind == RecordKind::Union && fields.len() > 1 {
                    return false;
                }
                fields.iter().zip(&layout.offsets).all(|(field, offset)| {
                    field.bits == Some(0)
                        || (field.bits.is_some() && field.name.is_none())
                        || self.leaves(field.ty.ty, at + offset, field.bits, leaves)
                })
            }
            _ if Kind::of(types, ty).is_some() => {
                leaves.push(Leaf { at, ty, width });
                true
            }
            _ => false,
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn zero(
        &mut self,
        evaluator: &Evaluator<'_, 'p>,
        state: &mut State,
        spot: &Spot,
        ty: TypeId,
        span: Span,
        facts: &mut Facts,
    ) {
        let size = self.world.program.types.size_of(ty);
        if let (Some((key, 0)), Some(size)) = (spot.exact(), size) {
            let object = self.world.object(state, key);
            if object.size.as_constant() == Some(size.into()) && !object.is_summary {
                self.world.forget_cells(state, key, (-FAR, FAR), None);
                state.objects.insert(key, Arc::new(Object::new(object.size, Rest::Zero)));
                return;
            }
        }
        let mut leaves = Vec::new();
        if self.leaves(ty, 0, None, &mut leaves) {
            for leaf in leaves {
                if let Some(zero) = evaluator.zero(leaf.ty) {
                    self.store(evaluator, state, &leaf.of(spot), leaf.ty, &evaluated(zero), span, facts);
                }
            }
        } else {
            self.forget(evaluator, state, spot, ty, span, facts);
        }
    }

    /// All bytes of the place are unknown.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn forget(
        &mut self,
        _evaluator: &Evaluator<'_, 'p>,
        state: &mut State,
        spot: &Spot,
        ty: TypeId,
        span: Span,
        facts: &mut Facts,
    ) {
        let bits = self.world.program.types.size_of(ty).map(|size| i128::from(size) * 8);
        self.forget_bits(state, spot, bits, span, facts);
    }

    pub(crate) fn forget_bits(
        &mut self,
        state: &mut State,
        spot: &Spot,
        bits: Option<i128>,
        span: Span,
        facts: &mut Facts,
    ) {
        let Some(bits) = bits.filter(|_| !spot.is_unknown) else {
            return facts.lose("a write that may go anywhere", span);
        };
        for &(key, start) in &spot.targets {
            let mut object = (*self.world.object(state, key)).clone();
            if start.low < 0 || start.high + bits > object.size.low * 8 || object.may_be_dead {
                facts.fail("a write that may be outside of its object", span);
            }
            object.forget(start, bits);
            self.world.forget_cells(state, key, (start.low, start.high + bits), None);
            state.objects.insert(key, Arc::new(object));
        }
    }

    /// Writes a scalar; false where the machine traps.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn store(
        &mut self,
        evaluator: &Evaluator<'_, 'p>,
        state: &mut State,
        spot: &Spot,
        ty: TypeId,
        evaluated: &Evaluated,
        span: Span,
        facts: &mut Facts,
    ) -> bool {
        if spot.is_unknown {
            facts.lose("a write that may go anywhere", span);
        }
        if spot.targets.is_empty() {
            return spot.is_unknown;
        }
        let is_certain = spot.targets.len() == 1 && !spot.is_unknown;
        for &(key, start) in &spot.targets {
            let Some(mut access) = evaluator.access(spot, ty, start) else { continue };
            let object = self.world.object(state, key);
            let bits = i128::from(access.bits);
            if !evaluator.is_inside(state, spot, key, start, bits) || object.may_be_dead {
                facts.fail("a write that may be outside of its object", span);
                let Some(clamped) = start.meet(Number::range(0, (object.size.high * 8 - bits).max(0))) else {
                    continue;
                };
                access.start = clamped;
            }
            let value = fitting(evaluated, access.kind);
            let exact = access.start.as_constant().and_then(|at| i64::try_from(at).ok());
            let is_strong = is_certain && !object.is_summary && !object.may_be_dead;
            let variable = match (access.kind, exact) {
                (Kind::Int(format), Some(at)) if is_strong && !spot.is_volatile && format.bits <= 64 => {
                    Some(self.world.variable(CellKey { object: key, at, format }))
                }
                (Kind::Pointer, Some(at)) if is_strong && !spot.is_volatile => {
                    Some(self.world.variable(CellKey { object: key, at, format: OFFSET }))
                }
                _ => None,
            };
            let range = (access.start.low, access.start.high + bits);
            match variable {
                Some(variable) => {
                    // The value is what it was computed as only where it was not cut to the place.
                    let is_whole = match (&value, &evaluated.value) {
                        (Value::Number(new), Value::Number(old)) => new == old,
                        (Value::Pointer(new), Value::Pointer(_)) => {
                            access.kind == Kind::Pointer && !new.may_be_null && !new.is_unknown
                        }
                        _ => false,
                    };
                    self.relate(state, variable, key, range, evaluated, is_whole);
                }
                None => self.world.forget_cells(state, key, range, None),
            }
            let mut object = (*object).clone();
            object.write(&access, &value, is_certain);
            state.objects.insert(key, Arc::new(object));
        }
        true
    }

    /// What an assignment to a cell says of differences.
    fn relate(
        &self,
        state: &mut State,
        variable: u32,
        key: ObjectKey,
        range: (i128, i128),
        evaluated: &Evaluated,
        is_whole: bool,
    ) {
        let world = self.world;
        let linear = evaluated.linear.as_ref().filter(|_| is_whole);
        let upper = evaluated.upper.as_ref().filter(|_| is_whole);
        let bounds_of = |number: Number| Bounds::new(number.low, number.high);
        if let Some(linear) = linear
            && linear.terms.contains(&(variable, 1))
        {
            world.forget_cells(state, key, range, Some(variable));
            match linear.without(variable).range(world, state) {
                Some(by) => state.zones.shift(variable, bounds_of(by)),
                None => state.zones.forget(variable),
            }
            return;
        }
        let mut pairs: Vec<(u32, Bounds)> = Vec::new();
        let mut own = None;
        for &(other, factor) in linear.iter().flat_map(|linear| &linear.terms) {
            let cell = world.cell(other);
            let is_touched = cell.object == key
                && i128::from(cell.at) < range.1
                && i128::from(cell.at) + i128::from(cell.format.bits) > range.0;
            if factor == 1
                && !is_touched
                && let Some(rest) = linear.and_then(|linear| linear.without(other).range(world, state))
            {
                pairs.push((other, bounds_of(rest)));
            }
        }
        if let Some(upper) = upper
            && let [(other, 1)] = upper.terms[..]
        {
            let bounds = Bounds::new(-FAR, upper.constant);
            if other == variable {
                own = Some(bounds);
            } else if world.cell(other).object != key {
                pairs.push((other, bounds));
            }
        }
        match own {
            Some(bounds) => {
                world.forget_cells(state, key, range, Some(variable));
                state.zones.shift(variable, bounds);
            }
            None => world.forget_cells(state, key, range, None),
        }
        // The forms are about values before the assignment; where they name this cell, they are not kept.
        let is_about_itself = linear.is_some_and(|linear| linear.terms.iter().any(|term| term.0 == variable));
        if !is_about_itself {
            for (other, bounds) in pairs {
                state.zones.constrain(variable, other, bounds);
            }
        }
    }
}

/// A scalar of an aggregate: its position in bits.
struct Leaf {
    at: u64,
    ty: TypeId,
    width: Option<u32>,
}

impl Leaf {
    fn of(&self, spot: &Spot) -> Spot {
        let targets = spot
            .targets
            .iter()
            .map(|&(key, start)| (key, start.add(Number::constant(self.at.into())).unwrap_or(start)))
            .collect();
        let by = Linear::constant((self.at / 8).into());
        let linear = spot.linear.as_ref().and_then(|linear| linear.add(&by, 1));
        Spot { targets, linear, width: self.width, ..spot.clone() }
    }
}

pub(crate) fn evaluated(value: Value) -> Evaluated {
    Evaluated::of(value)
}

/// The value as a cell of this kind holds it.
fn fitting(evaluated: &Evaluated, kind: Kind) -> Value {
    match (&evaluated.value, kind) {
        (Value::Number(number), Kind::Int(format)) => Value::Number(number.wrap(format)),
        (Value::Number(Number::ZERO), Kind::Pointer) => Value::pointer(super::value::Pointer::null()),
        (Value::Number(_), _) => Value::top(kind),
        (Value::Float(_), Kind::Float(_)) | (Value::Pointer(_), Kind::Pointer | Kind::Int(_)) => {
            evaluated.value.clone()
        }
        (Value::Uninit, _) => Value::Uninit,
        _ => Value::top(kind),
    }
}
