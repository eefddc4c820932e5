//! Expressions and places on abstract states. Every result contains what the machine computes, wrapped around where a
//! type ends; what is not understood is any value of its type.

use super::float;
use super::linear::Linear;
use super::memory::{self, Access};
use super::number::Number;
use super::state::{CellKey, OFFSET, State, World};
use super::value::{Float, Kind, ObjectKey, Pointer, Value, offset_range};
use quod_base::int::IntFormat;
use quod_model::ir::*;

/// A function of the program and what it is evaluated in.
#[derive(Copy, Clone)]
pub(crate) struct Evaluator<'a, 'p> {
    pub(crate) world: &'a World<'p>,
    pub(crate) function: FunctionId,
    pub(crate) body: &'p Body,
}

/// A value, and what it is exactly.
#[derive(Clone, Debug)]
pub(crate) struct Evaluated {
    pub(crate) value: Value,
    pub(crate) linear: Option<Linear>,
    /// The result before it was wrapped around.
    pub(crate) exact: Option<Number>,
    /// The value is not above this.
    pub(crate) upper: Option<Linear>,
}

impl Evaluated {
    pub(crate) fn of(value: Value) -> Self {
        Self::plain(value)
    }
    fn plain(value: Value) -> Self {
        let exact = match value {
            Value::Number(number) => Some(number),
            _ => None,
        };
        let linear = exact.and_then(Number::as_constant).map(Linear::constant);
        Self { value, linear, exact, upper: None }
    }
    pub(crate) fn number(&self) -> Option<Number> {
        match self.value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }
    fn boolean(truth: Option<bool>) -> Self {
        Self::plain(Value::Number(match truth {
            Some(truth) => Number::constant(truth.into()),
            None => Number::range(0, 1),
        }))
    }
}

/// Where a place is. Offsets in bits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spot {
    pub(crate) targets: Vec<(ObjectKey, Number)>,
    pub(crate) may_be_null: bool,
    pub(crate) is_unknown: bool,
    /// The offset in bytes, exactly.
    pub(crate) linear: Option<Linear>,
    /// Of a bit-field.
    pub(crate) width: Option<u32>,
    pub(crate) is_volatile: bool,
}

impl Spot {
    /// The one object and position that it is.
    pub(crate) fn exact(&self) -> Option<(ObjectKey, i64)> {
        match &self.targets[..] {
            [(object, at)] if !self.may_be_null && !self.is_unknown => {
                Some((*object, i64::try_from(at.as_constant()?).ok()?))
            }
            _ => None,
        }
    }
    fn offset_by(&mut self, bits: Number) {
        for target in &mut self.targets {
            target.1 = target.1.add(bits).unwrap_or_else(|| Number::range(-(1 << 66), 1 << 66));
        }
        if self.may_be_null && !(0 <= bits.low && bits.high < 4096 * 8) {
            // Not an address that certainly traps.
            (self.may_be_null, self.is_unknown) = (false, true);
        }
    }
}

impl<'a, 'p> Evaluator<'a, 'p> {
    pub(crate) fn types(&self) -> &'p TypeTable {
        &self.world.program.types
    }
    pub(crate) fn kind(&self, ty: TypeId) -> Option<Kind> {
        Kind::of(self.types(), ty)
    }
    fn size(&self, ty: TypeId) -> Option<i128> {
        self.types().size_of(ty).map(i128::from)
    }

    pub(crate) fn spot(&self, state: &State, place: PlaceId) -> Spot {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.spot_here(state, place))
    }

    fn spot_here(&self, state: &State, id: PlaceId) -> Spot {
        let place = &self.body.places[id];
        let program = self.world.program;
        let at = |object| Spot {
            targets: vec![(object, Number::ZERO)],
            linear: Some(Linear::constant(0)),
            ..Spot::default()
        };
        match place.kind {
            PlaceKind::Variable(VariableRef::Global(global)) => {
                let variable = &program.globals[global];
                let is_volatile = variable.is_volatile || variable.is_atomic;
                Spot { is_volatile, ..at(ObjectKey::Global(global)) }
            }
            PlaceKind::Variable(VariableRef::Local(local)) | PlaceKind::Temporary(local) => {
                let is_volatile = self.body.locals[local].is_volatile;
                Spot { is_volatile, ..at(ObjectKey::Local(self.function, local)) }
            }
            PlaceKind::Variable(VariableRef::Enclosing { .. }) => Spot { is_unknown: true, ..Spot::default() },
            PlaceKind::String(string) => at(ObjectKey::String(string)),
            PlaceKind::Deref(pointer) => match self.eval(state, pointer) {
                Evaluated { value: Value::Pointer(pointer), linear, .. } => Spot {
                    linear,
                    targets: pointer
                        .targets
                        .iter()
                        .map(|&(object, offset)| (object, offset.scale(8).unwrap_or(offset_range())))
                        .collect(),
                    may_be_null: pointer.may_be_null,
                    is_unknown: pointer.is_unknown || !pointer.functions.is_empty(),
                    ..Spot::default()
                },
                Evaluated { value: Value::Number(Number::ZERO), .. } => Spot { may_be_null: true, ..Spot::default() },
                _ => Spot { is_unknown: true, ..Spot::default() },
            },
            PlaceKind::Field(base, index) => {
                let mut spot = self.spot(state, base);
                let unknown = Spot { is_unknown: true, ..Spot::default() };
                let Type::Record(record) = self.types()[self.body.places[base].ty] else { return unknown };
                let Some(layout) = self.types().record_layout(record) else { return unknown };
                let Some(fields) = &self.types().records[record].fields else { return unknown };
                let bits = i128::from(layout.offsets[index as usize]);
                spot.offset_by(Number::constant(bits));
                spot.linear = spot.linear.and_then(|linear| linear.add(&Linear::constant(bits / 8), 1));
                spot.width = fields[index as usize].bits;
                spot.is_volatile |= fields[index as usize].ty.qualifiers.is_volatile;
                spot
            }
            PlaceKind::Index(base, index) => {
                let mut spot = self.spot(state, base);
                let index = self.eval(state, index);
                let size = self.size(place.ty);
                match (index.number(), size) {
                    (Some(number), Some(size)) => {
                        spot.linear = spot.linear.and_then(|linear| linear.add(index.linear.as_ref()?, size));
                        spot.offset_by(number.scale(size * 8).unwrap_or(Number::range(-(1 << 66), 1 << 66)));
                    }
                    _ => spot.is_unknown = true,
                }
                spot
            }
            PlaceKind::RealPart(_) | PlaceKind::ImaginaryPart(_) => Spot { is_unknown: true, ..Spot::default() },
        }
    }

    /// What an access of a scalar place touches.
    pub(crate) fn access(&self, spot: &Spot, ty: TypeId, start: Number) -> Option<Access> {
        let kind = self.kind(ty)?;
        let bits = match (spot.width, kind) {
            (Some(width), _) => width,
            (None, Kind::Int(format)) => format.bits,
            (None, _) => u32::try_from(self.size(ty)? * 8).ok()?,
        };
        let kind = match (spot.width, kind) {
            (Some(width), Kind::Int(format)) => Kind::Int(IntFormat { bits: width.max(1), ..format }),
            _ => kind,
        };
        Some(Access { start, bits, kind })
    }

    pub(crate) fn read(&self, state: &State, spot: &Spot, ty: TypeId) -> Evaluated {
        let Some(kind) = self.kind(ty) else { return Evaluated::plain(Value::Any) };
        let top = || Evaluated::plain(Value::top(kind));
        if spot.is_unknown || spot.is_volatile {
            return top();
        }
        let mut value: Option<Value> = None;
        for &(key, start) in &spot.targets {
            let Some(access) = self.access(spot, ty, start) else { return top() };
            let object = self.world.object(state, key);
            if !self.is_inside(state, spot, key, start, access.bits.into()) || object.may_be_dead {
                return top();
            }
            let found = match object.read(&access) {
                Value::Uninit | Value::Any => Value::top(kind),
                // A `_Bool` that was written is 0 or 1; bytes may have come from elsewhere.
                found => found,
            };
            value = Some(value.map_or_else(|| found.clone(), |value| value.join(&found)));
        }
        let value = match value {
            Some(Value::Any | Value::Uninit) | None => Value::top(kind),
            Some(value) => value,
        };
        let mut evaluated = Evaluated::plain(value);
        if let Value::Pointer(pointer) = &evaluated.value {
            let is_plain = !pointer.may_be_null && !pointer.is_unknown && pointer.functions.is_empty();
            evaluated.linear = match (pointer.single().and_then(|target| target.1.as_constant()), spot.exact()) {
                (Some(offset), _) => Some(Linear::constant(offset)),
                (None, Some((object, at))) if is_plain && kind == Kind::Pointer => {
                    let held = self.world.object(state, object);
                    let is_one = !held.is_summary && !held.may_be_dead && !matches!(object, ObjectKey::String(_));
                    is_one.then(|| Linear::variable(self.world.variable(CellKey { object, at, format: OFFSET })))
                }
                _ => None,
            };
        }
        if evaluated.linear.is_none()
            && evaluated.exact.is_some()
            && let Some(key) = self.cell(state, spot, ty)
        {
            let variable = self.world.variable(key);
            if let Some(number) = self.world.tight_number(state, variable).filter(|number| number.fits(key.format)) {
                evaluated = Evaluated::plain(Value::Number(number));
            }
            evaluated.linear = evaluated.linear.or(Some(Linear::variable(variable)));
        }
        evaluated
    }

    /// Bits of an object from a position on lie inside of it, for all positions there may be.
    pub(crate) fn is_inside(&self, state: &State, spot: &Spot, key: ObjectKey, start: Number, bits: i128) -> bool {
        let object = self.world.object(state, key);
        let is_below = |high: i128| high + bits <= object.size.low * 8;
        if start.low >= 0 && is_below(start.high) {
            return true;
        }
        let ([_], Some(linear)) = (&spot.targets[..], &spot.linear) else { return false };
        self.is_within_object(state, key, linear, start, bits)
    }

    /// The same by what is known of the offset (in bytes) and of the object's size together.
    pub(crate) fn is_within_object(
        &self,
        state: &State,
        key: ObjectKey,
        linear: &Linear,
        start: Number,
        bits: i128,
    ) -> bool {
        let object = self.world.object(state, key);
        if object.unit == 0 || object.is_summary {
            return false;
        }
        let count = Linear::variable(self.world.variable(CellKey::count(key, object.unit)));
        let Some(room) = count.scale(object.unit.into()).and_then(|size| size.add(linear, -1)) else { return false };
        let is_below = room.range(self.world, state).is_some_and(|room| room.low * 8 >= bits);
        let is_above = start.low >= 0 || linear.range(self.world, state).is_some_and(|offset| offset.low >= 0);
        is_below && is_above
    }

    /// The integer cell that a place is, where it is one for certain.
    pub(crate) fn cell(&self, state: &State, spot: &Spot, ty: TypeId) -> Option<CellKey> {
        let (object, at) = spot.exact()?;
        let access = self.access(spot, ty, Number::constant(at.into()))?;
        let Kind::Int(format) = access.kind else { return None };
        if spot.is_volatile || format.bits > 64 || matches!(object, ObjectKey::String(_)) {
            return None;
        }
        let held = self.world.object(state, object);
        let is_inside = at >= 0 && i128::from(at) + i128::from(format.bits) <= held.size.low * 8;
        if held.is_summary || held.may_be_dead || !is_inside {
            return None;
        }
        match held.cells.get(&at) {
            Some(cell) if (cell.bits, cell.kind) != (format.bits, access.kind) => None,
            _ => Some(CellKey { object, at, format }),
        }
    }

    pub(crate) fn eval(&self, state: &State, expr: ExprId) -> Evaluated {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.eval_here(state, expr))
    }

    pub(crate) fn number(&self, state: &State, expr: ExprId) -> Option<Number> {
        self.eval(state, expr).number()
    }

    fn eval_here(&self, state: &State, id: ExprId) -> Evaluated {
        let expr = &self.body.exprs[id];
        let Some(kind) = self.kind(expr.ty) else { return Evaluated::plain(Value::Any) };
        let top = || Evaluated::plain(Value::top(kind));
        match &expr.kind {
            ExprKind::Int(value) => match kind {
                Kind::Int(format) if format.bits <= 64 => Evaluated::plain(Value::Number(Number::constant(*value))),
                Kind::Pointer if *value == 0 => Evaluated::plain(Value::pointer(Pointer::null())),
                Kind::Float(_) | Kind::Int(_) | Kind::Pointer => top(),
            },
            ExprKind::Float { bits, .. } => Evaluated::plain(float::constant(*bits, kind)),
            ExprKind::Function(function) => {
                Evaluated::plain(Value::pointer(Pointer { functions: vec![*function], ..Pointer::default() }))
            }
            ExprKind::Load(place) => {
                let spot = self.spot(state, *place);
                self.read(state, &spot, self.body.places[*place].ty)
            }
            ExprKind::AddressOf(place) => {
                let (value, linear) = self.address(state, *place);
                Evaluated { linear, ..Evaluated::plain(value) }
            }
            ExprKind::Unary(op, operand) => self.unary(state, *op, *operand, kind),
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                let _ = (left, right);
                Evaluated::boolean(self.decide(state, id))
            }
            ExprKind::Binary(op, left, right) => self.binary(state, *op, *left, *right, kind),
            ExprKind::Convert(operand) => self.convert(state, *operand, expr.ty, kind),
            ExprKind::PointerAdd { pointer, index } => self.pointer_add(state, *pointer, *index),
            ExprKind::PointerDifference(left, right) => self.pointer_difference(state, *left, *right, kind),
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) | ExprKind::Implies(..) | ExprKind::Predicate(_) => {
                Evaluated::boolean(self.decide(state, id))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let yes = self.assume(state, *condition, true).map(|state| self.eval(&state, *then));
                let no = self.assume(state, *condition, false).map(|state| self.eval(&state, *otherwise));
                match (yes, no) {
                    (Some(yes), Some(no)) => Evaluated::plain(match yes.value.join(&no.value) {
                        Value::Any | Value::Uninit => Value::top(kind),
                        value => value,
                    }),
                    (Some(one), None) | (None, Some(one)) => one,
                    (None, None) => top(),
                }
            }
            ExprKind::Builtin { name, arguments } => self.builtin(state, name.as_str(), arguments, kind),
            _ => top(),
        }
    }

    fn builtin(&self, state: &State, name: &str, arguments: &[ExprId], kind: Kind) -> Evaluated {
        match (name, arguments) {
            ("__builtin_expect" | "__builtin_expect_with_probability", [value, ..]) => {
                let evaluated = self.eval(state, *value);
                match (&evaluated.value, kind) {
                    (Value::Number(number), Kind::Int(format)) if number.fits(format) => evaluated,
                    _ => Evaluated::plain(Value::top(kind)),
                }
            }
            ("__builtin_fabs" | "__builtin_fabsf" | "fabs" | "fabsf", [value]) => {
                match self.eval(state, *value).value {
                    Value::Float(float) => Evaluated::plain(Value::Float(float::absolute(float))),
                    _ => Evaluated::plain(Value::top(kind)),
                }
            }
            (
                "__builtin_isnan"
                | "__builtin_isinf"
                | "__builtin_isinf_sign"
                | "__builtin_isfinite"
                | "__builtin_signbit",
                _,
            ) if matches!(kind, Kind::Int(_)) => Evaluated::plain(Value::top(kind)),
            ("__builtin_popcount" | "__builtin_popcountl" | "__builtin_popcountll", _) => {
                Evaluated::plain(Value::Number(Number::range(0, 64)))
            }
            _ => Evaluated::plain(Value::top(kind)),
        }
    }

    fn unary(&self, state: &State, op: UnaryOp, operand: ExprId, kind: Kind) -> Evaluated {
        if op == UnaryOp::Not {
            return Evaluated::boolean(self.decide(state, operand).map(|truth| !truth));
        }
        let inner = self.eval(state, operand);
        match (inner.value, kind) {
            (Value::Number(number), Kind::Int(format)) => {
                let (exact, linear) = match op {
                    UnaryOp::Negate => (number.negate(), inner.linear.and_then(|linear| linear.scale(-1))),
                    _ => {
                        // ~x = -x - 1, in the type.
                        let exact = number.negate().and_then(|number| number.add(Number::constant(-1)));
                        (exact, None)
                    }
                };
                self.finish(state, exact, linear, format)
            }
            (Value::Float(float), Kind::Float(_)) if op == UnaryOp::Negate => {
                Evaluated::plain(Value::Float(Float { low: -float.high, high: -float.low, has_nan: float.has_nan }))
            }
            _ => Evaluated::plain(Value::top(kind)),
        }
    }

    /// Wraps a result, and keeps what is known exactly where it does not have to be wrapped.
    fn finish(&self, state: &State, exact: Option<Number>, linear: Option<Linear>, format: IntFormat) -> Evaluated {
        let better = linear.as_ref().and_then(|linear| linear.range(self.world, state));
        let exact = match (exact, better) {
            (Some(exact), Some(better)) => Some(exact.meet(better).unwrap_or(exact)),
            (exact, better) => exact.or(better),
        };
        match exact {
            Some(number) if number.fits(format) => {
                let plain = Evaluated::plain(Value::Number(number));
                Evaluated { linear: plain.linear.or(linear), ..plain }
            }
            Some(number) if format.bits <= 64 => {
                let plain = Evaluated::plain(Value::Number(number.wrap(format)));
                Evaluated { exact: Some(number), ..plain }
            }
            _ => Evaluated { exact: None, ..Evaluated::plain(Value::top(Kind::Int(format))) },
        }
    }

    pub(crate) fn binary(&self, state: &State, op: BinaryOp, left: ExprId, right: ExprId, kind: Kind) -> Evaluated {
        let (a, b) = (self.eval(state, left), self.eval(state, right));
        let (x, y, format) = match (&a.value, &b.value, kind) {
            (Value::Number(x), Value::Number(y), Kind::Int(format)) => (*x, *y, format),
            (Value::Float(x), Value::Float(y), Kind::Float(width)) => {
                return Evaluated::plain(Value::Float(float::binary(op, *x, *y, width)));
            }
            _ => return Evaluated { exact: None, ..Evaluated::plain(Value::top(kind)) },
        };
        use BinaryOp::*;
        let combine = |factor: i128| a.linear.as_ref()?.add(b.linear.as_ref()?, factor);
        let (exact, linear) = match op {
            Add => (x.add(y), combine(1)),
            Subtract => (x.subtract(y), combine(-1)),
            Multiply => {
                let linear = match (x.as_constant(), y.as_constant()) {
                    (_, Some(factor)) => a.linear.as_ref().and_then(|linear| linear.scale(factor)),
                    (Some(factor), _) => b.linear.as_ref().and_then(|linear| linear.scale(factor)),
                    _ => None,
                };
                let exact = match x.multiply(y) {
                    // A square is not negative.
                    Some(product) if a.linear.is_some() && a.linear == b.linear => product.at_least(0),
                    product => product,
                };
                (exact, linear)
            }
            Divide => (x.divide(y), None),
            Remainder => (x.remainder(y), None),
            ShiftLeft => (x.shift_left(y, format), None),
            ShiftRight => (x.shift_right(y, format), None),
            BitAnd => (x.bit_and(y), None),
            BitOr => (x.bit_or(y), None),
            BitXor => (x.bit_xor(y), None),
            _ => (None, None),
        };
        let mut evaluated = self.finish(state, exact, linear, format);
        evaluated.upper = upper(op, (x, &a), (y, &b));
        evaluated
    }

    fn convert(&self, state: &State, operand: ExprId, ty: TypeId, kind: Kind) -> Evaluated {
        let from = self.kind(self.body.exprs[operand].ty);
        if matches!(self.types()[ty], Type::Bool) {
            return Evaluated::boolean(self.decide(state, operand));
        }
        let inner = self.eval(state, operand);
        let top = || Evaluated { exact: None, ..Evaluated::plain(Value::top(kind)) };
        match (&inner.value, kind) {
            (Value::Number(number), Kind::Int(format)) if format.bits <= 64 => {
                if number.fits(format) {
                    return inner;
                }
                Evaluated::plain(Value::Number(number.wrap(format)))
            }
            (Value::Number(number), Kind::Pointer) if *number == Number::ZERO => {
                Evaluated::plain(Value::pointer(Pointer::null()))
            }
            (Value::Number(number), Kind::Float(width)) => {
                float::from_number(*number, width).map_or_else(top, Evaluated::plain)
            }
            (Value::Float(value), Kind::Float(width)) => {
                float::narrow(*value, width).map_or_else(top, |value| Evaluated::plain(Value::Float(value)))
            }
            (Value::Float(value), Kind::Int(format)) if format.bits <= 64 => {
                match float::to_number(*value).filter(|number| number.fits(format)) {
                    Some(number) => Evaluated::plain(Value::Number(number)),
                    None => top(),
                }
            }
            (Value::Pointer(_), Kind::Pointer) => inner,
            (Value::Pointer(_), Kind::Int(format)) if format.bits >= self.types().data_model.pointer_bits() => inner,
            _ => {
                let _ = from;
                top()
            }
        }
    }

    pub(crate) fn address(&self, state: &State, place: PlaceId) -> (Value, Option<Linear>) {
        let spot = self.spot(state, place);
        let linear = spot.linear.filter(|_| !spot.may_be_null && !spot.is_unknown && spot.width.is_none());
        let is_moved = matches!(self.body.places[place].kind, PlaceKind::Field(..) | PlaceKind::Index(..));
        let mut pointer = Pointer {
            may_be_null: spot.may_be_null && !is_moved,
            is_unknown: spot.is_unknown || (spot.may_be_null && is_moved),
            ..Pointer::default()
        };
        // `&p->first` of a null pointer is null; of others it is a number that is no object's.
        pointer.may_be_null |= spot.may_be_null && is_moved;
        for (object, bits) in spot.targets {
            let bytes = match (bits.modulus % 8, bits.residue.rem_euclid(8)) {
                (0, 0) => Number::new(bits.low / 8, bits.high / 8, bits.modulus / 8, bits.residue.div_euclid(8)),
                _ => Some(Number::range(bits.low.div_euclid(8), bits.high.div_euclid(8))),
            };
            let offset = bytes.unwrap_or(offset_range());
            match pointer.targets.binary_search_by_key(&object, |target| target.0) {
                Ok(index) => pointer.targets[index].1 = pointer.targets[index].1.join(offset),
                Err(index) => pointer.targets.insert(index, (object, offset)),
            }
        }
        (Value::pointer(pointer), linear)
    }

    fn pointer_add(&self, state: &State, pointer: ExprId, index: ExprId) -> Evaluated {
        let (base, index) = (self.eval(state, pointer), self.eval(state, index));
        let by = index.number();
        let Value::Pointer(pointer_value) = &base.value else {
            return Evaluated::plain(Value::pointer(Pointer::unknown()));
        };
        let size = match self.types()[self.body.exprs[pointer].ty] {
            Type::Pointer(to) => self.size(to.ty),
            _ => None,
        };
        let Some(bytes) = by.and_then(|by| by.scale(size?)) else {
            let mut moved = (**pointer_value).clone();
            moved.targets.iter_mut().for_each(|target| target.1 = offset_range());
            moved.is_unknown = true;
            return Evaluated::plain(Value::pointer(moved));
        };
        if bytes == Number::ZERO {
            return base;
        }
        let mut moved = (**pointer_value).clone();
        let mut is_far = false;
        // Further away, addresses wrap around.
        let reach = self.world.reach;
        let near = Number::range(-reach, reach);
        for target in &mut moved.targets {
            let sum = target.1.add(bytes).filter(|sum| sum.is_within(near));
            is_far |= sum.is_none();
            target.1 = sum.unwrap_or(offset_range());
        }
        if moved.may_be_null || !moved.functions.is_empty() {
            moved.is_unknown = true;
            moved.may_be_null = bytes.contains(0);
            moved.functions.clear();
        }
        moved.is_unknown |= is_far;
        let is_exact = !is_far && !moved.is_unknown && !moved.may_be_null;
        let linear = match (is_exact, &base.linear, &index.linear, size) {
            (true, Some(base), Some(index), Some(size)) => base.add(index, size),
            _ => None,
        };
        let mut evaluated = Evaluated::plain(Value::pointer(moved));
        evaluated.linear = linear;
        evaluated
    }

    fn pointer_difference(&self, state: &State, left: ExprId, right: ExprId, kind: Kind) -> Evaluated {
        let top = || Evaluated { exact: None, ..Evaluated::plain(Value::top(kind)) };
        let (first, second) = (self.eval(state, left), self.eval(state, right));
        let size = match self.types()[self.body.exprs[left].ty] {
            Type::Pointer(to) => self.size(to.ty),
            _ => None,
        };
        let (Value::Pointer(a), Value::Pointer(b), Some(size), Kind::Int(format)) =
            (&first.value, &second.value, size, kind)
        else {
            return top();
        };
        match (a.single(), b.single()) {
            (Some((one, x)), Some((other, y)))
                if one == other && size > 0 && !self.world.object(state, one).is_summary =>
            {
                let linear = match (&first.linear, &second.linear) {
                    (Some(a), Some(b)) => a.add(b, -1),
                    _ => None,
                };
                let exact = linear.as_ref().and_then(|linear| linear.range(self.world, state));
                let bytes = exact.or_else(|| x.subtract(y));
                let elements = bytes.and_then(|bytes| bytes.divide(Number::constant(size)));
                self.finish(state, elements, linear.filter(|_| size == 1), format)
            }
            _ => top(),
        }
    }

    /// The zero of a type.
    pub(crate) fn zero(&self, ty: TypeId) -> Option<Value> {
        Some(memory::zero(self.kind(ty)?))
    }
}

/// A bound of `x op y` by one of its operands: quotients, remainders, shifts and masks of numbers that are not negative.
fn upper(op: BinaryOp, (x, a): (Number, &Evaluated), (y, b): (Number, &Evaluated)) -> Option<Linear> {
    let below = |side: &Evaluated, by: i128| side.linear.as_ref()?.add(&Linear::constant(by), 1);
    match op {
        BinaryOp::Divide if x.low >= 0 && y.low >= 2 => below(a, if x.low >= 1 { -1 } else { 0 }),
        BinaryOp::Divide if x.low >= 0 && y.low >= 1 => below(a, 0),
        BinaryOp::ShiftRight if x.low >= 0 && y.low >= 1 => below(a, if x.low >= 1 { -1 } else { 0 }),
        BinaryOp::Remainder if x.low >= 0 && y.low >= 1 => below(b, -1),
        BinaryOp::BitAnd if x.low >= 0 => below(a, 0),
        BinaryOp::BitAnd if y.low >= 0 => below(b, 0),
        _ => None,
    }
}
