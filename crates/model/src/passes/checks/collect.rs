//! Which checks one location needs: a walk over its expressions and places in the order in which C evaluates them.

use super::assigned::Assigned;
use super::{KnownTypes, Rules};
use crate::ir::*;
use quod_base::Span;
use quod_verdict::CheckKind;

pub(super) struct Collector<'b> {
    body: &'b mut Body,
    program: &'b Program,
    rules: Rules,
    known: KnownTypes,
    function: FunctionId,
    pub(super) assigned: Option<(&'b Assigned, LocationId)>,
    /// Under which conditions the operand at hand is evaluated, and for which values.
    guards: Vec<Guard>,
    pub(super) checks: Vec<(Check, Span)>,
}

/// What stands around an operand.
#[derive(Clone)]
enum Guard {
    Condition(ExprId),
    /// Variables that have all these values.
    Binder(Vec<BoundVariable>, Option<ExprId>),
}

impl<'b> Collector<'b> {
    pub(super) fn new(
        body: &'b mut Body,
        program: &'b Program,
        rules: Rules,
        known: KnownTypes,
        function: FunctionId,
    ) -> Self {
        Self { body, program, rules, known, function, assigned: None, guards: Vec::new(), checks: Vec::new() }
    }

    pub(super) fn control(&mut self, control: &Control) {
        match control {
            Control::Step { step, .. } => self.step(step),
            Control::Branch { condition: value, .. }
            | Control::Switch { value, .. }
            | Control::ComputedGoto(value)
            | Control::When { guard: value, .. }
            | Control::Return(Some(value)) => self.expr(*value),
            Control::Goto(_) | Control::Choose { .. } | Control::Return(None) | Control::Unreachable => {}
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Assign { place, value } => {
                self.expr(*value);
                self.access(*place, Access::Write);
            }
            Step::Zero(place) | Step::Havoc { place, .. } => self.access(*place, Access::Write),
            Step::Call(call) => {
                self.callee(&call.callee);
                self.call_parts(&call.arguments, call.result);
            }
            Step::Spawn { callee, arguments, result } => {
                self.callee(callee);
                self.call_parts(arguments, *result);
            }
            Step::Builtin { arguments, result, .. } => self.call_parts(arguments, *result),
            Step::Assembly { outputs, inputs, .. } => {
                inputs.iter().for_each(|&input| self.expr(input));
                outputs.iter().for_each(|&output| self.access(output, Access::Write));
            }
            Step::Check(check) => self.expr(check.condition),
            Step::Assume(condition) => self.expr(*condition),
            Step::Declare(local) => self.array_size(*local),
            Step::DomainNext { domain, .. } => self.expr(*domain),
            Step::Enter(_)
            | Step::Leave(_)
            | Step::AtomicBegin { .. }
            | Step::AtomicEnd { .. }
            | Step::Unsupported(_)
            | Step::Nop => {}
        }
    }

    fn callee(&mut self, callee: &Callee) {
        if let Callee::Indirect(pointer, ty) = *callee {
            self.expr(pointer);
            let span = self.body.exprs[pointer].span;
            self.predicate(CheckKind::InvalidCall, Predicate::Callable { pointer, ty }, span);
        }
    }

    fn call_parts(&mut self, arguments: &[ExprId], result: Option<PlaceId>) {
        arguments.iter().for_each(|&argument| self.expr(argument));
        if let Some(place) = result {
            self.access(place, Access::Write);
        }
    }

    fn expr(&mut self, id: ExprId) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.expr_here(id));
    }

    fn expr_here(&mut self, id: ExprId) {
        let Expr { kind, ty, span } = self.body.exprs[id].clone();
        match kind {
            ExprKind::Int(_)
            | ExprKind::Float { .. }
            | ExprKind::Function(_)
            | ExprKind::Label { .. }
            | ExprKind::SizeOf(_)
            | ExprKind::Predicate(_) => {}
            ExprKind::Load(place) => {
                self.access(place, Access::Read);
                self.initialised(place, ty, span);
            }
            ExprKind::AddressOf(place) => {
                self.place(place, Bound::OnePast);
            }
            ExprKind::Unary(op, operand) => {
                self.expr(operand);
                if op == UnaryOp::Negate && self.is_signed(ty) {
                    self.predicate(CheckKind::SignedOverflow, Predicate::FitsUnary(op, operand), span);
                }
            }
            ExprKind::Binary(op, left, right) => {
                self.expr(left);
                self.expr(right);
                self.binary(op, left, right, ty, span);
            }
            ExprKind::Convert(operand) => {
                self.expr(operand);
                let from = self.body.exprs[operand].ty;
                if matches!(self.program.types[from], Type::Float(_))
                    && matches!(self.program.types[ty], Type::Int(_) | Type::Enum(_))
                    && self.program.arithmetic == Arithmetic::Machine
                {
                    let fits = Predicate::FitsConversion { value: operand, target: ty };
                    self.predicate(CheckKind::InvalidCast, fits, span);
                }
            }
            ExprKind::PointerAdd { pointer, index } => {
                self.expr(pointer);
                self.expr(index);
                self.predicate(CheckKind::PointerArithmetic, Predicate::ValidPointerAdd { pointer, index }, span);
            }
            ExprKind::PointerDifference(left, right) => {
                self.expr(left);
                self.expr(right);
                self.predicate(CheckKind::PointerArithmetic, Predicate::SameObject(left, right), span);
            }
            ExprKind::LogicalAnd(left, right) | ExprKind::Implies(left, right) => {
                self.expr(left);
                self.guarded(left, right);
            }
            ExprKind::LogicalOr(left, right) => {
                self.expr(left);
                let not = self.not(left);
                self.guarded(not, right);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.expr(condition);
                self.guarded(condition, then);
                let not = self.not(condition);
                self.guarded(not, otherwise);
            }
            ExprKind::RealPart(operand) | ExprKind::ImaginaryPart(operand) => self.expr(operand),
            ExprKind::MakeComplex { real, imaginary } => {
                self.expr(real);
                self.expr(imaginary);
            }
            ExprKind::Aggregate(parts) | ExprKind::Builtin { arguments: parts, .. } => {
                parts.into_iter().for_each(|part| self.expr(part));
            }
            ExprKind::Civl(expr) => self.civl(expr, id),
        }
    }

    /// Bodies under a binder are checked for what is computed there, for all values of its variables. What they load is
    /// checked where it is loaded.
    fn civl(&mut self, expr: CivlExpr, id: ExprId) {
        match expr {
            CivlExpr::Quantified { bound, restriction, body, .. } => {
                // Later ranges may speak of variables that have no values here.
                let range = bound.first().and_then(|first| first.range);
                range.into_iter().for_each(|range| self.expr(range));
                if let Some(restriction) = restriction {
                    self.guards.push(Guard::Binder(bound.clone(), None));
                    self.expr(restriction);
                    self.guards.pop();
                }
                self.guards.push(Guard::Binder(bound, restriction));
                self.expr(body);
                self.guards.pop();
            }
            CivlExpr::Lambda { bound, body } => {
                if let Some(restriction) = self.elements(bound, id) {
                    let bound = vec![BoundVariable { variable: bound, range: None }];
                    self.guards.push(Guard::Binder(bound, Some(restriction)));
                    self.expr(body);
                    self.guards.pop();
                }
            }
            CivlExpr::Range { low, high, step } => {
                [Some(low), Some(high), step].into_iter().flatten().for_each(|part| self.expr(part));
            }
            CivlExpr::Domain(parts)
            | CivlExpr::Abstract { arguments: parts, .. }
            | CivlExpr::Derivative { arguments: parts, .. }
            | CivlExpr::Library { arguments: parts, .. } => parts.into_iter().for_each(|part| self.expr(part)),
            CivlExpr::ScopeOf(place) => self.place(place, Bound::OnePast),
            CivlExpr::SelfProcess | CivlExpr::NullProcess | CivlExpr::Here | CivlExpr::Root | CivlExpr::BigO(_) => {}
        }
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, ty: TypeId, span: Span) {
        use BinaryOp::*;
        match op {
            Add | Subtract | Multiply if self.is_signed(ty) => {
                self.predicate(CheckKind::SignedOverflow, Predicate::FitsBinary(op, left, right), span);
            }
            Divide | Remainder if self.divides_by_zero(ty) => {
                if !matches!(self.body.exprs[right].kind, ExprKind::Int(value) if value != 0) {
                    let zero = self.int(0, self.body.exprs[right].ty, span);
                    let nonzero = self.make(ExprKind::Binary(NotEqual, right, zero), self.known.int, span);
                    self.check(CheckKind::DivisionByZero, nonzero, span);
                }
                if self.is_signed(ty) && !matches!(self.body.exprs[right].kind, ExprKind::Int(value) if value != -1) {
                    self.predicate(CheckKind::SignedOverflow, Predicate::FitsBinary(op, left, right), span);
                }
            }
            ShiftLeft | ShiftRight if self.is_integer(ty) => {
                // GNU C defines `<<` on signed values as the machine does it: only the amount can be wrong.
                let asked = if self.rules.is_left_shift_defined { ShiftRight } else { op };
                self.predicate(CheckKind::Shift, Predicate::ValidShift(asked, left, right), span);
                if op == ShiftLeft && self.is_signed(ty) && !self.rules.is_left_shift_defined {
                    self.predicate(CheckKind::SignedOverflow, Predicate::FitsBinary(op, left, right), span);
                }
            }
            Less | LessEqual | Greater | GreaterEqual
                if matches!(self.program.types[self.body.exprs[left].ty], Type::Pointer(_)) =>
            {
                self.predicate(CheckKind::PointerArithmetic, Predicate::SameObject(left, right), span);
            }
            _ => {}
        }
    }

    /// A read or write of a place: its parts, then the access itself.
    fn access(&mut self, id: PlaceId, access: Access) {
        self.place(id, Bound::Inside);
        let base = self.base(id);
        let span = self.body.places[id].span;
        if let PlaceKind::Variable(VariableRef::Global(global)) = self.body.places[base].kind {
            let kind = match (self.program.globals[global].storage, access) {
                (Storage::Input, Access::Write) if self.function != self.program.initialiser => {
                    Some(CheckKind::InputWrite)
                }
                (Storage::Output, Access::Read) => Some(CheckKind::OutputRead),
                _ => None,
            };
            if let Some(kind) = kind {
                let never = self.int(0, self.known.int, span);
                self.check(kind, never, span);
            }
        }
        if self.rules.kinds.contains(CheckKind::InvalidDeref) && self.may_miss(id) {
            let (pointer, size) = self.accessed_bytes(id);
            self.predicate(CheckKind::InvalidDeref, Predicate::ValidAccess { pointer, size, access }, span);
        }
    }

    /// The pointer to the bytes that an access of the place touches, and their number.
    fn accessed_bytes(&mut self, id: PlaceId) -> (ExprId, ExprId) {
        let Place { kind, ty, span } = self.body.places[id].clone();
        let types = &self.program.types;
        if let PlaceKind::Field(record_place, index) = kind
            && let Type::Record(record) = types[self.body.places[record_place].ty]
            && let Some(fields) = &types.records[record].fields
            && let Some(bits) = fields[index as usize].bits
            && let Some(layout) = types.record_layout(record)
        {
            let first = layout.offsets[index as usize];
            let size = (first % 8 + u64::from(bits)).div_ceil(8);
            let start = self.make(ExprKind::AddressOf(record_place), self.known.byte_pointer, span);
            let offset = self.int(i128::from(first / 8), self.known.size, span);
            let pointer =
                self.make(ExprKind::PointerAdd { pointer: start, index: offset }, self.known.byte_pointer, span);
            return (pointer, self.int(i128::from(size), self.known.size, span));
        }
        let pointer = self.make(ExprKind::AddressOf(id), self.known.byte_pointer, span);
        let size = match self.program.types.size_of(ty) {
            Some(size) => self.int(i128::from(size), self.known.size, span),
            None => self.make(ExprKind::SizeOf(ty), self.known.size, span),
        };
        (pointer, size)
    }

    /// The parts of a place: pointers that are followed, and indices.
    fn place(&mut self, id: PlaceId, bound: Bound) {
        let Place { kind, span, .. } = self.body.places[id].clone();
        match kind {
            PlaceKind::Variable(_) | PlaceKind::String(_) | PlaceKind::Temporary(_) => {}
            PlaceKind::Deref(pointer) => self.expr(pointer),
            PlaceKind::Field(base, _) | PlaceKind::RealPart(base) | PlaceKind::ImaginaryPart(base) => {
                self.place(base, Bound::Inside);
            }
            PlaceKind::Index(base, index) => {
                self.place(base, Bound::Inside);
                self.expr(index);
                self.index(base, index, bound, span);
            }
        }
    }

    /// `0 <= index < length`, with `<=` where only the address is taken.
    fn index(&mut self, base: PlaceId, index: ExprId, bound: Bound, span: Span) {
        if !self.rules.kinds.contains(CheckKind::OutOfBounds) {
            return;
        }
        let index_ty = self.body.exprs[index].ty;
        let upper = match self.program.types[self.body.places[base].ty] {
            // Old programs declare a last member `T a[1]` (or `[0]`) and allocate more: that is the object's business.
            Type::Array { length: ArrayLength::Fixed(length), .. } if !self.is_trailing_array(base, length) => {
                if self.constant_within(index, length, bound) {
                    return;
                }
                self.int(i128::from(length), index_ty, span)
            }
            Type::Array { length: ArrayLength::Variable(length), .. } => {
                let Some(length) = self.length(length, span) else { return };
                self.make(ExprKind::Convert(length), index_ty, span)
            }
            _ => return,
        };
        let compare = match bound {
            Bound::Inside => BinaryOp::Less,
            Bound::OnePast => BinaryOp::LessEqual,
        };
        let below = self.make(ExprKind::Binary(compare, index, upper), self.known.int, span);
        let condition = if self.may_be_negative(index_ty) {
            let zero = self.int(0, index_ty, span);
            let above = self.make(ExprKind::Binary(BinaryOp::GreaterEqual, index, zero), self.known.int, span);
            self.make(ExprKind::LogicalAnd(above, below), self.known.int, span)
        } else {
            below
        };
        self.check(CheckKind::OutOfBounds, condition, span);
    }

    fn constant_within(&self, index: ExprId, length: u64, bound: Bound) -> bool {
        let last = match bound {
            Bound::Inside => i128::from(length) - 1,
            Bound::OnePast => i128::from(length),
        };
        matches!(self.body.exprs[index].kind, ExprKind::Int(value) if 0 <= value && value <= last)
    }

    /// `p->a[i]` where `a` is the last member of its struct and has at most one element.
    fn is_trailing_array(&self, array: PlaceId, length: u64) -> bool {
        let PlaceKind::Field(base, index) = self.body.places[array].kind else { return false };
        let Type::Record(record) = self.program.types[self.body.places[base].ty] else { return false };
        let fields = self.program.types.records[record].fields.as_ref();
        length <= 1 && fields.is_some_and(|fields| index as usize + 1 == fields.len())
    }

    /// An access of this place might lie outside its object, for all that the bounds checks say.
    fn may_miss(&self, id: PlaceId) -> bool {
        match &self.body.places[id].kind {
            PlaceKind::Variable(_) | PlaceKind::String(_) | PlaceKind::Temporary(_) => false,
            PlaceKind::Deref(_) => true,
            PlaceKind::Field(base, _) | PlaceKind::RealPart(base) | PlaceKind::ImaginaryPart(base) => {
                self.may_miss(*base)
            }
            PlaceKind::Index(base, index) => {
                let is_within = match self.program.types[self.body.places[*base].ty] {
                    Type::Array { length: ArrayLength::Fixed(length), .. } => {
                        self.constant_within(*index, length, Bound::Inside)
                            || self.rules.kinds.contains(CheckKind::OutOfBounds)
                                && !self.is_trailing_array(*base, length)
                    }
                    Type::Array { length: ArrayLength::Variable(_), .. } => {
                        self.rules.kinds.contains(CheckKind::OutOfBounds)
                    }
                    _ => false,
                };
                !is_within || self.may_miss(*base)
            }
        }
    }

    fn base(&self, mut id: PlaceId) -> PlaceId {
        while let PlaceKind::Field(base, _)
        | PlaceKind::Index(base, _)
        | PlaceKind::RealPart(base)
        | PlaceKind::ImaginaryPart(base) = self.body.places[id].kind
        {
            id = base;
        }
        id
    }

    /// A scalar that is read has been written. Static objects start as zero; bytes may be copied unread.
    fn initialised(&mut self, place: PlaceId, ty: TypeId, span: Span) {
        let is_byte = matches!(self.program.types[ty], Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar));
        let is_scalar = matches!(
            self.program.types[ty],
            Type::Bool | Type::Int(_) | Type::Enum(_) | Type::Float(_) | Type::Pointer(_) | Type::Process | Type::Real
        );
        if !is_scalar {
            return;
        }
        // In CIVL-C the elements of arrays and the members of records begin with any value.
        // Pointers must have been set.
        let is_part = matches!(
            self.body.places[place].kind,
            PlaceKind::Index(..) | PlaceKind::Field(..) | PlaceKind::RealPart(_) | PlaceKind::ImaginaryPart(_)
        );
        let is_pointer = matches!(self.program.types[ty], Type::Pointer(_));
        if self.program.arithmetic == Arithmetic::Ideal && is_part && !is_pointer {
            // What a smaller member left of a union is none of its others.
            if let PlaceKind::Field(owner, _) = self.body.places[place].kind
                && let Type::Record(record) = self.program.types[self.body.places[owner].ty]
                && self.program.types.records[record].kind == RecordKind::Union
            {
                self.predicate(CheckKind::UnionMember, Predicate::Initialised(place), span);
            }
            return;
        }
        match self.body.places[self.base(place)].kind {
            PlaceKind::Variable(VariableRef::Global(_)) | PlaceKind::String(_) | PlaceKind::Temporary(_) => return,
            // A binder gives its variables their values.
            PlaceKind::Variable(VariableRef::Local(local)) if self.is_bound(local) => return,
            PlaceKind::Variable(VariableRef::Local(local))
                if self.assigned.is_some_and(|(assigned, at)| assigned.contains(at, local)) =>
            {
                let is_whole = matches!(self.body.places[place].kind, PlaceKind::Variable(_));
                if is_whole || self.body.locals[local].is_parameter {
                    return;
                }
            }
            PlaceKind::Deref(_) if is_byte => return,
            _ => {}
        }
        self.predicate(CheckKind::Uninitialised, Predicate::Initialised(place), span);
    }

    fn is_bound(&self, local: LocalId) -> bool {
        let binds = |bound: &[BoundVariable]| bound.iter().any(|bound| bound.variable == local);
        self.guards.iter().any(|guard| matches!(guard, Guard::Binder(bound, _) if binds(bound)))
    }

    fn array_size(&mut self, local: LocalId) {
        let Local { ty, span, .. } = self.body.locals[local];
        if let Type::Array { length: ArrayLength::Variable(length), .. } = self.program.types[ty]
            && let Some(length) = self.length(length, span)
        {
            let length_ty = self.body.exprs[length].ty;
            let zero = self.int(0, length_ty, span);
            let positive = self.make(ExprKind::Binary(BinaryOp::Greater, length, zero), self.known.int, span);
            self.check(CheckKind::ArraySize, positive, span);
        }
    }

    /// The value of the hidden variable that holds an array's length.
    fn length(&mut self, length: LengthVariable, span: Span) -> Option<ExprId> {
        let (variable, ty) = match length {
            LengthVariable::Global(global) => (VariableRef::Global(global), self.program.globals[global].ty),
            LengthVariable::Local { function, local } if function == self.function => {
                (VariableRef::Local(local), self.body.locals[local].ty)
            }
            LengthVariable::Local { function, local } => {
                let mut levels = 0;
                let mut at = self.function;
                while at != function {
                    at = self.program.functions[at].parent?.0;
                    levels += 1;
                }
                let ty = self.program.functions[function].body.as_ref()?.locals[local].ty;
                (VariableRef::Enclosing { levels, local }, ty)
            }
        };
        let place = self.body.places.push(Place { kind: PlaceKind::Variable(variable), ty, span });
        Some(self.make(ExprKind::Load(place), ty, span))
    }

    /// The variable of a `$lambda` is an index of the array that it makes.
    fn elements(&mut self, bound: LocalId, lambda: ExprId) -> Option<ExprId> {
        let Expr { ty, span, .. } = self.body.exprs[lambda];
        let Type::Array { length, .. } = self.program.types[ty] else { return None };
        let int = self.body.locals[bound].ty;
        let length = match length {
            ArrayLength::Fixed(length) => self.int(i128::from(length), int, span),
            ArrayLength::Variable(length) => self.length(length, span)?,
            _ => return None,
        };
        let kind = PlaceKind::Variable(VariableRef::Local(bound));
        let place = self.body.places.push(Place { kind, ty: int, span });
        let index = self.make(ExprKind::Load(place), int, span);
        let zero = self.int(0, int, span);
        let low = self.make(ExprKind::Binary(BinaryOp::GreaterEqual, index, zero), self.known.int, span);
        let wide = self.body.exprs[length].ty;
        let index = if wide == int { index } else { self.make(ExprKind::Convert(index), wide, span) };
        let high = self.make(ExprKind::Binary(BinaryOp::Less, index, length), self.known.int, span);
        Some(self.make(ExprKind::LogicalAnd(low, high), self.known.int, span))
    }

    fn guarded(&mut self, guard: ExprId, operand: ExprId) {
        self.guards.push(Guard::Condition(guard));
        self.expr(operand);
        self.guards.pop();
    }

    fn predicate(&mut self, kind: CheckKind, predicate: Predicate, span: Span) {
        if self.rules.kinds.contains(kind) {
            let condition = self.make(ExprKind::Predicate(predicate), self.known.int, span);
            self.check(kind, condition, span);
        }
    }

    fn check(&mut self, kind: CheckKind, mut condition: ExprId, span: Span) {
        if !self.rules.kinds.contains(kind) {
            return;
        }
        let is_bound = self.guards.iter().any(|guard| matches!(guard, Guard::Binder(..)));
        let is_computed = matches!(
            kind,
            CheckKind::DivisionByZero | CheckKind::SignedOverflow | CheckKind::Shift | CheckKind::Uninitialised
        );
        if is_bound && !is_computed {
            return;
        }
        for guard in self.guards.clone().into_iter().rev() {
            let kind = match guard {
                Guard::Condition(guard) => ExprKind::Implies(guard, condition),
                Guard::Binder(bound, restriction) => {
                    let kind = Quantifier::Forall;
                    ExprKind::Civl(CivlExpr::Quantified { kind, bound, restriction, body: condition })
                }
            };
            condition = self.make(kind, self.known.int, span);
        }
        self.checks.push((Check { kind, condition, message: None, values: Vec::new() }, span));
    }

    fn make(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.body.exprs.push(Expr { kind, ty, span })
    }
    fn int(&mut self, value: i128, ty: TypeId, span: Span) -> ExprId {
        self.make(ExprKind::Int(value), ty, span)
    }
    fn not(&mut self, operand: ExprId) -> ExprId {
        let span = self.body.exprs[operand].span;
        self.make(ExprKind::Unary(UnaryOp::Not, operand), self.known.int, span)
    }

    fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.program.types[ty], Type::Int(_) | Type::Enum(_) | Type::Bool)
    }
    /// A machine integer whose results may not fit.
    fn is_signed(&self, ty: TypeId) -> bool {
        self.program.arithmetic == Arithmetic::Machine && self.is_signed_kind(ty)
    }
    fn may_be_negative(&self, ty: TypeId) -> bool {
        self.program.arithmetic == Arithmetic::Ideal || self.is_signed_kind(ty)
    }
    fn is_signed_kind(&self, ty: TypeId) -> bool {
        let types = &self.program.types;
        match types[ty] {
            Type::Int(kind) => kind.is_signed(),
            Type::Enum(id) => types.enums[id].underlying.is_signed(),
            _ => false,
        }
    }
    /// Division by zero is an error on integers, and on reals.
    fn divides_by_zero(&self, ty: TypeId) -> bool {
        let is_ideal = self.program.arithmetic == Arithmetic::Ideal;
        self.is_integer(ty) || is_ideal && matches!(self.program.types[ty], Type::Float(_) | Type::Real)
    }
}

/// How far an index may go.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Bound {
    Inside,
    /// `&a[n]`
    OnePast,
}
