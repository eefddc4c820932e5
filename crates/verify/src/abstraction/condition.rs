//! States under conditions: `assume` keeps the part of a state in which a condition is true (or false), and says where
//! there is none; `decide` asks both ways.

use super::evaluate::{Evaluated, Evaluator};
use super::float;
use super::linear::Linear;
use super::number::Number;
use super::state::State;
use super::value::{Kind, ObjectKey, Pointer, Value};
use super::zone::Bounds;
use quod_model::ir::*;
use std::sync::Arc;

/// Conditions looked at for one step of one state.
const MOST_EFFORT: u32 = 2000;

impl Evaluator<'_, '_> {
    /// What the condition is in all executions, where that is one answer.
    pub(crate) fn decide(&self, state: &State, condition: ExprId) -> Option<bool> {
        if self.assume(state, condition, true).is_none() {
            return Some(false);
        }
        self.assume(state, condition, false).is_none().then_some(true)
    }

    /// The executions in which the condition has this truth value; none where there are none.
    pub(crate) fn assume(&self, state: &State, condition: ExprId, truth: bool) -> Option<State> {
        // Conditions that are nested and alternate would be asked again and again: then nothing more is learnt.
        let effort = self.world.effort.get();
        if effort > MOST_EFFORT {
            return Some(state.clone());
        }
        self.world.effort.set(effort + 1);
        stacker::maybe_grow(64 << 10, 1 << 20, || self.assume_here(state, condition, truth))
    }

    fn assume_here(&self, state: &State, condition: ExprId, truth: bool) -> Option<State> {
        let expr = &self.body.exprs[condition];
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.assume(state, *operand, !truth),
            ExprKind::LogicalAnd(left, right) => self.both(state, (*left, true), (*right, true), truth),
            ExprKind::LogicalOr(left, right) => self.both(state, (*left, false), (*right, false), !truth),
            ExprKind::Implies(left, right) => self.both(state, (*left, true), (*right, false), !truth),
            ExprKind::Binary(op, left, right) if op.is_comparison() => self.compare(state, *op, *left, *right, truth),
            ExprKind::Predicate(predicate) => {
                let is_proved = self.proves(state, predicate);
                (truth || !is_proved).then(|| state.clone())
            }
            ExprKind::Convert(operand) if self.is_boolean(*operand) => self.assume(state, *operand, truth),
            ExprKind::Convert(operand) if self.keeps_zero(*operand, expr.ty) => self.assume(state, *operand, truth),
            ExprKind::Conditional { condition, then, otherwise } => {
                let yes = self.assume(state, *condition, true).and_then(|state| self.assume(&state, *then, truth));
                let no = self.assume(state, *condition, false).and_then(|state| self.assume(&state, *otherwise, truth));
                self.either(yes, no)
            }
            ExprKind::Builtin { name, arguments } if name.as_str() == "__builtin_expect" && !arguments.is_empty() => {
                self.assume(state, arguments[0], truth)
            }
            _ => {
                let evaluated = self.eval(state, condition);
                match &evaluated.value {
                    Value::Number(_) => {
                        let linear = evaluated.linear.clone();
                        let op = if truth { BinaryOp::NotEqual } else { BinaryOp::Equal };
                        self.related(state, op, &evaluated, &constant(0), linear)
                    }
                    Value::Pointer(pointer) => self.null(state, condition, pointer, !truth),
                    Value::Float(value) => {
                        let zero = super::value::Float::constant(0.0);
                        (float::compare(BinaryOp::NotEqual, *value, zero) != Some(!truth)).then(|| state.clone())
                    }
                    _ => Some(state.clone()),
                }
            }
        }
    }

    /// The expression is 0 or 1.
    pub(crate) fn is_boolean(&self, expr: ExprId) -> bool {
        match &self.body.exprs[expr].kind {
            ExprKind::Unary(UnaryOp::Not, _)
            | ExprKind::LogicalAnd(..)
            | ExprKind::LogicalOr(..)
            | ExprKind::Implies(..)
            | ExprKind::Predicate(_) => true,
            ExprKind::Binary(op, left, _) => {
                op.is_comparison() && !matches!(self.types()[self.body.exprs[*left].ty], Type::Vector { .. })
            }
            ExprKind::Convert(operand) => {
                self.is_boolean(*operand) && matches!(self.kind(self.body.exprs[expr].ty), Some(Kind::Int(_)))
            }
            _ => false,
        }
    }

    /// A conversion that gives zero for zero only.
    fn keeps_zero(&self, operand: ExprId, ty: TypeId) -> bool {
        if matches!(self.types()[ty], Type::Bool) {
            return true;
        }
        match (self.kind(self.body.exprs[operand].ty), self.kind(ty)) {
            (Some(Kind::Int(from)), Some(Kind::Int(to))) => to.bits >= from.bits,
            (Some(Kind::Pointer), Some(Kind::Pointer)) => true,
            _ => false,
        }
    }

    /// `a` and `b` with these truth values, or not both.
    fn both(&self, state: &State, a: (ExprId, bool), b: (ExprId, bool), truth: bool) -> Option<State> {
        let with_a = self.assume(state, a.0, a.1);
        if truth {
            return self.assume(&with_a?, b.0, b.1);
        }
        let without_a = self.assume(state, a.0, !a.1);
        let without_b = with_a.and_then(|state| self.assume(&state, b.0, !b.1));
        self.either(without_a, without_b)
    }

    fn either(&self, a: Option<State>, b: Option<State>) -> Option<State> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.world.join(&a, &b)),
            (a, b) => a.or(b),
        }
    }

    fn compare(&self, state: &State, op: BinaryOp, left: ExprId, right: ExprId, truth: bool) -> Option<State> {
        let is_zero = |expr: ExprId| matches!(self.body.exprs[expr].kind, ExprKind::Int(0));
        if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            let is_same = (op == BinaryOp::Equal) == truth;
            for (one, other) in [(left, right), (right, left)] {
                if is_zero(other) && self.is_boolean(one) {
                    return self.assume(state, one, !is_same);
                }
            }
        }
        let (a, b) = (self.eval(state, left), self.eval(state, right));
        match (&a.value, &b.value) {
            (Value::Number(_), Value::Number(_)) => {
                let op = if truth { op } else { opposite(op) };
                let linear = match (&a.linear, &b.linear) {
                    (Some(a), Some(b)) => a.add(b, -1),
                    _ => None,
                };
                let state = self.related(state, op, &a, &b, linear)?;
                // Operands without a linear form of their own are bounded by the other side.
                self.masked(state, op, left, right, &a, &b)
            }
            (Value::Float(x), Value::Float(y)) => {
                if float::compare(op, *x, *y) == Some(!truth) {
                    return None;
                }
                Some(state.clone())
            }
            (Value::Pointer(x), Value::Pointer(y)) => {
                let state = self.pointers(state, op, (left, x), (right, y), truth)?;
                // Inside one object, pointers are ordered as their offsets are.
                match (x.single(), y.single(), &a.linear, &b.linear) {
                    (Some((one, p)), Some((other, q)), Some(first), Some(second))
                        if one == other && !self.world.object(&state, one).is_summary =>
                    {
                        let op = if truth { op } else { opposite(op) };
                        let side = |number, linear: &Linear| Evaluated {
                            value: Value::Number(number),
                            linear: Some(linear.clone()),
                            exact: None,
                            upper: None,
                        };
                        self.related(&state, op, &side(p, first), &side(q, second), first.add(second, -1))
                    }
                    _ => Some(state),
                }
            }
            (Value::Pointer(x), Value::Number(Number::ZERO)) if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) => {
                self.null(state, left, x, (op == BinaryOp::Equal) == truth)
            }
            _ => Some(state.clone()),
        }
    }

    /// `x % 2 == 0` and the like: what the remainder says of `x`.
    fn masked(
        &self,
        state: State,
        op: BinaryOp,
        left: ExprId,
        _right: ExprId,
        _a: &Evaluated,
        b: &Evaluated,
    ) -> Option<State> {
        let (BinaryOp::Equal, Some(wanted)) = (op, b.number().and_then(Number::as_constant)) else {
            return Some(state);
        };
        let ExprKind::Binary(BinaryOp::Remainder, dividend, divisor) = self.body.exprs[left].kind else {
            return Some(state);
        };
        let inner = self.eval(&state, dividend);
        let divisor = self.number(&state, divisor).and_then(Number::as_constant);
        let (Some(divisor), Some(number), Some(linear)) = (divisor, inner.number(), &inner.linear) else {
            return Some(state);
        };
        let ([(variable, 1)], 0) = (&linear.terms[..], linear.constant) else { return Some(state) };
        if divisor > 1 && (wanted == 0 || (number.low >= 0 && wanted > 0)) {
            let congruent = Number::new(number.low, number.high, divisor, wanted)?;
            let met = number.meet(congruent)?;
            let mut state = state;
            self.world.know(&mut state, *variable, met);
            return Some(state);
        }
        Some(state)
    }

    /// `a op b` on integers; `linear` is their difference.
    fn related(
        &self,
        state: &State,
        op: BinaryOp,
        a: &Evaluated,
        b: &Evaluated,
        linear: Option<Linear>,
    ) -> Option<State> {
        let (x, y) = (a.number()?, b.number()?);
        // Without a linear form, by the numbers alone.
        let plain = x.subtract(y);
        let range = match (&linear, plain) {
            (Some(linear), Some(plain)) => {
                linear.range(self.world, state).and_then(|range| range.meet(plain)).unwrap_or(plain)
            }
            (None, Some(plain)) => plain,
            _ => return Some(state.clone()),
        };
        let range = match op {
            BinaryOp::Less => range.at_most(-1)?,
            BinaryOp::LessEqual => range.at_most(0)?,
            BinaryOp::Greater => range.at_least(1)?,
            BinaryOp::GreaterEqual => range.at_least(0)?,
            BinaryOp::Equal => {
                if !range.contains(0) || x.meet(y).is_none() {
                    return None;
                }
                Number::ZERO
            }
            BinaryOp::NotEqual => range.without(0)?,
            _ => return Some(state.clone()),
        };
        match linear {
            Some(linear) => self.bounded(state.clone(), &linear, range),
            None => {
                // One side has a form, the other only a number.
                let mut state = state.clone();
                for (side, other, sign) in [(a, b, 1), (b, a, -1)] {
                    if let (Some(form), Some(number)) = (&side.linear, other.number()) {
                        let shifted = range.scale(sign).and_then(|range| range.add(number));
                        if let Some(range) = shifted
                            && !form.terms.is_empty()
                        {
                            state = self.bounded(state, form, range)?;
                        }
                    }
                }
                Some(state)
            }
        }
    }

    /// The linear form lies in the range.
    pub(crate) fn bounded(&self, mut state: State, linear: &Linear, range: Number) -> Option<State> {
        if linear.terms.is_empty() {
            return range.contains(linear.constant).then_some(state);
        }
        if let [(a, by), (b, minus)] = linear.terms[..]
            && by == -minus
            && by.abs() == 1
        {
            let (plus, minus) = if by > 0 { (a, b) } else { (b, a) };
            let mut bounds = Bounds::new(range.low - linear.constant, range.high - linear.constant);
            if range.lacks_zero && linear.constant == 0 {
                bounds = bounds.apart();
            }
            if !state.zones.constrain(plus, minus, bounds) {
                return None;
            }
        }
        for &(variable, factor) in &linear.terms {
            let rest = linear.without(variable).range(self.world, &state);
            let (Some(rest), Some(number)) = (rest, self.world.number(&state, variable)) else { continue };
            // factor * x lies in range - rest.
            let Some(product) = range.subtract(rest) else { continue };
            let (low, high) = if factor > 0 {
                (div_ceil(product.low, factor), product.high.div_euclid(factor))
            } else {
                (div_ceil(-product.high, -factor), (-product.low).div_euclid(-factor))
            };
            // `x != 0` says something of `x` also where 0 is between its bounds.
            if range.lacks_zero && factor == 1 && rest == Number::ZERO && number.has_zero() {
                self.world.know(&mut state, variable, number.without(0)?);
                continue;
            }
            if low > number.low || high < number.high {
                let met = number.between(number.low.max(low), number.high.min(high))?;
                self.world.know(&mut state, variable, met);
            }
        }
        Some(state)
    }

    /// The pointer is null, or not.
    fn null(&self, state: &State, expr: ExprId, pointer: &Pointer, is_null: bool) -> Option<State> {
        let mut kept = pointer.clone();
        if is_null {
            if !pointer.may_be_null && !pointer.is_unknown {
                return None;
            }
            kept.targets.clear();
            kept.functions.clear();
            (kept.may_be_null, kept.is_unknown) = (true, false);
        } else {
            kept.may_be_null = false;
            if kept.is_empty() {
                return None;
            }
        }
        Some(self.learn(state, expr, kept))
    }

    /// What was found out about a pointer is kept in the variable that it was read from.
    fn learn(&self, state: &State, mut expr: ExprId, pointer: Pointer) -> State {
        while let ExprKind::Convert(operand) = self.body.exprs[expr].kind
            && self.kind(self.body.exprs[operand].ty) == Some(Kind::Pointer)
        {
            expr = operand;
        }
        let ExprKind::Load(place) = self.body.exprs[expr].kind else { return state.clone() };
        let spot = self.spot(state, place);
        let mut state = state.clone();
        if let Some((key, at)) = spot.exact()
            && let Some(access) = self.access(&spot, self.body.places[place].ty, Number::constant(at.into()))
            && !spot.is_volatile
        {
            let mut object = (*self.world.object(&state, key)).clone();
            let is_inside = at >= 0 && i128::from(at) + i128::from(access.bits) <= object.size.low * 8;
            if !object.is_summary && !object.may_be_dead && is_inside && access.kind == Kind::Pointer {
                object.write(&access, &Value::pointer(pointer), true);
                state.objects.insert(key, Arc::new(object));
            }
        }
        state
    }

    fn pointers(
        &self,
        state: &State,
        op: BinaryOp,
        (left, x): (ExprId, &Arc<Pointer>),
        (right, y): (ExprId, &Arc<Pointer>),
        truth: bool,
    ) -> Option<State> {
        let is_equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        let is_same = (op == BinaryOp::Equal) == truth;
        if is_equality && **y == Pointer::null() {
            return self.null(state, left, x, is_same);
        }
        if is_equality && **x == Pointer::null() {
            return self.null(state, right, y, is_same);
        }
        if x.is_unknown || y.is_unknown {
            return Some(state.clone());
        }
        if is_equality {
            let may_meet = (x.may_be_null && y.may_be_null)
                || x.functions.iter().any(|function| y.functions.contains(function))
                || x.targets.iter().any(|&(object, offset)| {
                    y.targets.iter().any(|&(other, theirs)| self.may_coincide(state, (object, offset), (other, theirs)))
                });
            if is_same && !may_meet {
                return None;
            }
            let is_one = |pointer: &Pointer| match (pointer.single(), &pointer.functions[..]) {
                (Some((object, offset)), []) => {
                    offset.as_constant().is_some() && !self.world.object(state, object).is_summary
                }
                _ => false,
            };
            let is_null = |pointer: &Pointer| *pointer == Pointer::null();
            if !is_same && x == y && (is_one(x) || is_null(x)) {
                return None;
            }
            return Some(state.clone());
        }
        // An order inside one object.
        let (Some((one, a)), Some((other, b))) = (x.single(), y.single()) else { return Some(state.clone()) };
        if one != other || self.world.object(state, one).is_summary {
            return Some(state.clone());
        }
        let op = if truth { op } else { opposite(op) };
        let difference = a.subtract(b)?;
        let is_possible = match op {
            BinaryOp::Less => difference.at_most(-1),
            BinaryOp::LessEqual => difference.at_most(0),
            BinaryOp::Greater => difference.at_least(1),
            _ => difference.at_least(0),
        };
        is_possible?;
        // What the order says of the offsets.
        let (a_kept, b_kept) = match op {
            BinaryOp::Less => (a.at_most(b.high - 1), b.at_least(a.low + 1)),
            BinaryOp::LessEqual => (a.at_most(b.high), b.at_least(a.low)),
            BinaryOp::Greater => (a.at_least(b.low + 1), b.at_most(a.high - 1)),
            _ => (a.at_least(b.low), b.at_most(a.high)),
        };
        let mut state = state.clone();
        for (expr, offset, before) in [(left, a_kept?, a), (right, b_kept?, b)] {
            if offset != before {
                let pointer = Pointer { targets: vec![(one, offset)], ..Pointer::default() };
                state = self.learn(&state, expr, pointer);
            }
        }
        Some(state)
    }

    /// Two pointers may be equal; different objects only where one begins as the other ends.
    fn may_coincide(&self, state: &State, a: (ObjectKey, Number), b: (ObjectKey, Number)) -> bool {
        if a.0 == b.0 {
            return self.world.object(state, a.0).is_summary
                || a.1.subtract(b.1).is_none_or(|difference| difference.contains(0));
        }
        let is_inside = |(key, offset): (ObjectKey, Number)| {
            let object = self.world.object(state, key);
            offset.low >= 0 && offset.high < object.size.low && !object.may_be_dead
        };
        let is_literal = |key: ObjectKey| matches!(key, ObjectKey::String(_));
        // The strings of a program may share their bytes.
        !(is_inside(a) && is_inside(b)) || (is_literal(a.0) && is_literal(b.0))
    }

    /// The answer to a question about the machine is certainly yes.
    pub(crate) fn proves(&self, state: &State, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::ValidAccess { pointer, size, access } => {
                let evaluated = self.eval(state, *pointer);
                let (Value::Pointer(pointer), Some(size)) = (&evaluated.value, self.number(state, *size)) else {
                    return false;
                };
                if self.is_accessible(state, pointer, size.high, *access) {
                    return true;
                }
                // By what is known of the offset and the size together.
                let (Some((key, offset)), Some(linear)) = (pointer.single(), &evaluated.linear) else { return false };
                let is_refused = *access == Access::Write && self.is_constant(key);
                if self.world.object(state, key).may_be_dead || is_refused {
                    return false;
                }
                self.is_within_object(state, key, linear, offset, size.high * 8)
            }
            Predicate::FitsBinary(op, left, right) => {
                let Some(Kind::Int(format)) = self.kind(self.body.exprs[*left].ty) else { return false };
                let fits = self.binary(state, *op, *left, *right, Kind::Int(format));
                match op {
                    BinaryOp::Divide | BinaryOp::Remainder => {
                        match (self.number(state, *left), self.number(state, *right)) {
                            (Some(x), Some(y)) => !(x.contains(format.min()) && y.contains(-1)),
                            _ => false,
                        }
                    }
                    BinaryOp::ShiftLeft => {
                        self.number(state, *left).is_some_and(|x| x.low >= 0)
                            && fits.exact.is_some_and(|exact| exact.fits(format))
                    }
                    _ => fits.exact.is_some_and(|exact| exact.fits(format)),
                }
            }
            Predicate::FitsUnary(UnaryOp::Negate, operand) => {
                let Some(Kind::Int(format)) = self.kind(self.body.exprs[*operand].ty) else { return false };
                self.number(state, *operand).is_some_and(|number| number.low > format.min())
            }
            Predicate::FitsUnary(..) => false,
            Predicate::ValidShift(op, left, right) => {
                let Some(Kind::Int(format)) = self.kind(self.body.exprs[*left].ty) else { return false };
                let (Some(x), Some(amount)) = (self.number(state, *left), self.number(state, *right)) else {
                    return false;
                };
                let is_amount = amount.low >= 0 && amount.high < i128::from(format.bits);
                let is_kept = *op == BinaryOp::ShiftRight
                    || !format.is_signed
                    || (x.low >= 0 && x.shift_left(amount, format).is_some_and(|shifted| shifted.fits(format)));
                is_amount && is_kept
            }
            Predicate::FitsConversion { value, target } => {
                let (Value::Float(value), Some(Kind::Int(format))) =
                    (self.eval(state, *value).value, self.kind(*target))
                else {
                    return false;
                };
                format.bits <= 64 && float::to_number(value).is_some_and(|number| number.fits(format))
            }
            Predicate::ValidPointerAdd { pointer, index } => {
                let size = match self.types()[self.body.exprs[*pointer].ty] {
                    Type::Pointer(to) => self.types().size_of(to.ty),
                    _ => None,
                };
                let (Value::Pointer(pointer), Some(by), Some(size)) =
                    (self.eval(state, *pointer).value, self.number(state, *index), size)
                else {
                    return false;
                };
                !pointer.is_unknown
                    && pointer.functions.is_empty()
                    && (!pointer.may_be_null || by == Number::ZERO)
                    && pointer.targets.iter().all(|&(object, offset)| {
                        let object = self.world.object(state, object);
                        let moved = by.scale(size.into()).and_then(|by| offset.add(by));
                        moved.is_some_and(|moved| moved.low >= 0 && moved.high <= object.size.low)
                            && !object.may_be_dead
                    })
            }
            Predicate::SameObject(left, right) => {
                match (self.eval(state, *left).value, self.eval(state, *right).value) {
                    (Value::Pointer(a), Value::Pointer(b)) => match (a.single(), b.single()) {
                        (Some((one, _)), Some((other, _))) => {
                            let object = self.world.object(state, one);
                            one == other && !object.is_summary && !object.may_be_dead
                        }
                        _ => false,
                    },
                    _ => false,
                }
            }
            Predicate::Initialised(place) => {
                let spot = self.spot(state, *place);
                let ty = self.body.places[*place].ty;
                !spot.is_unknown
                    && !spot.targets.is_empty()
                    && spot.targets.iter().all(|&(key, start)| match self.access(&spot, ty, start) {
                        Some(access) => self.world.object(state, key).read(&access) != Value::Uninit,
                        None => false,
                    })
            }
            Predicate::Callable { .. }
            | Predicate::ValidFree(_)
            | Predicate::Aligned { .. }
            | Predicate::UnionMember(_) => false,
        }
    }

    /// All of these bytes lie in one live object.
    pub(crate) fn is_accessible(&self, state: &State, pointer: &Pointer, size: i128, access: Access) -> bool {
        !pointer.is_unknown
            && !pointer.may_be_null
            && pointer.functions.is_empty()
            && !pointer.targets.is_empty()
            && pointer.targets.iter().all(|&(key, offset)| {
                let object = self.world.object(state, key);
                let is_inside = offset.low >= 0 && offset.high + size <= object.size.low;
                let is_writable = access == Access::Read || !self.is_constant(key);
                is_inside && !object.may_be_dead && is_writable
            })
    }

    pub(crate) fn is_constant(&self, key: ObjectKey) -> bool {
        match key {
            ObjectKey::String(_) => true,
            ObjectKey::Global(global) => {
                let global = &self.world.program.globals[global];
                global.is_const || self.types().is_array_of_constants(global.ty)
            }
            _ => false,
        }
    }
}

fn constant(value: i128) -> Evaluated {
    Evaluated {
        value: Value::Number(Number::constant(value)),
        linear: Some(Linear::constant(value)),
        exact: Some(Number::constant(value)),
        upper: None,
    }
}

fn div_ceil(a: i128, b: i128) -> i128 {
    -((-a).div_euclid(b))
}

pub(crate) fn opposite(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        BinaryOp::Greater => BinaryOp::LessEqual,
        BinaryOp::GreaterEqual => BinaryOp::Less,
        BinaryOp::Equal => BinaryOp::NotEqual,
        _ => BinaryOp::Equal,
    }
}
