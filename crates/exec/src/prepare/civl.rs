//! Expressions of CIVL-C.

use super::Builder;
use super::place::Spot;
use crate::code::{ABSTRACT, NumericSite, ORDER, Op, Operand, QuantifierSite, Register};
use crate::domain::Domain;
use crate::scalar::Scalar;
use quod_base::Symbol;
use quod_model::ir::*;

/// Of a variable without limits, the values from minus this to this are tried.
const SOME_VALUES: i128 = 64;

impl<D: Domain> Builder<'_, D> {
    pub(super) fn civl(&mut self, civl: &CivlExpr, id: ExprId) -> Operand {
        match civl {
            CivlExpr::SelfProcess => self.builtin_value("$self", &[], Scalar::Handle),
            CivlExpr::NullProcess => self.constant(-1, Scalar::Handle),
            CivlExpr::Here => self.builtin_value("$here", &[], Scalar::Handle),
            CivlExpr::Root => self.constant(0, Scalar::Handle),
            CivlExpr::ScopeOf(place) => {
                let address = self.address(*place);
                let scalar = self.pointer();
                self.builtin_value("$scopeof", &[(address, scalar)], Scalar::Handle)
            }
            CivlExpr::Range { low, high, step } => {
                let mut operands = Vec::new();
                for &part in [Some(low), Some(high), step.as_ref()].into_iter().flatten() {
                    operands.push((self.expr(part), self.expr_scalar(part)));
                }
                self.builtin_value("$range", &operands, Scalar::Handle)
            }
            CivlExpr::Domain(ranges) => {
                let operands: Vec<_> = ranges.iter().map(|&range| (self.expr(range), Scalar::Handle)).collect();
                self.builtin_value("$domain", &operands, Scalar::Handle)
            }
            CivlExpr::Quantified { kind, bound, restriction, body } => {
                self.quantified(*kind, bound, *restriction, *body, id)
            }
            CivlExpr::Library { name, arguments } if name.as_str() == "$region" => self.region_element(id, arguments),
            CivlExpr::Library { name, arguments } => self.stateful_builtin(*name, arguments, id),
            CivlExpr::Lambda { .. } => self.unsupported_value("a `$lambda` that is no array"),
            CivlExpr::Abstract { function, arguments } => self.abstract_call(*function, arguments, id),
            CivlExpr::Derivative { .. } => self.unsupported_value("a derivative in a run"),
            CivlExpr::BigO(_) => self.unsupported_value("`$O` in a run"),
        }
    }

    /// `s < t`, `s == t`, `s + t` of scopes: a scope is less than those around it, and the sum is the innermost around both.
    pub(super) fn scope_operation(&mut self, op: BinaryOp, left: ExprId, right: ExprId, ty: TypeId) -> Operand {
        let (name, is_swapped) = match op {
            BinaryOp::Equal => ("$scope_equal", false),
            BinaryOp::NotEqual => ("$scope_not_equal", false),
            BinaryOp::Less => ("$scope_less", false),
            BinaryOp::LessEqual => ("$scope_less_equal", false),
            BinaryOp::Greater => ("$scope_less", true),
            BinaryOp::GreaterEqual => ("$scope_less_equal", true),
            BinaryOp::Add => ("$scope_join", false),
            _ => return self.unsupported_value("this operation on scopes"),
        };
        let result = self.scalar(ty).unwrap_or(Scalar::Handle);
        let (left, right) = ((self.expr(left), Scalar::Handle), (self.expr(right), Scalar::Handle));
        let operands = if is_swapped { [right, left] } else { [left, right] };
        self.builtin_value(name, &operands, result)
    }

    /// A function about which only its arguments are known: the domain's.
    fn abstract_call(&mut self, function: FunctionId, arguments: &[ExprId], id: ExprId) -> Operand {
        let Function { name, kind, .. } = &self.program.functions[function];
        let types = arguments.iter().map(|&argument| self.body.exprs[argument].ty);
        let is_plain =
            types.chain([self.body.exprs[id].ty]).all(|ty| self.scalar(ty).is_some_and(|it| !it.is_pointer()));
        if !matches!(kind, FunctionKind::Abstract | FunctionKind::Order) || !is_plain {
            let text = format!("the value of the function `{name}` here");
            return self.unsupported_value(&text);
        }
        let order = if *kind == FunctionKind::Order { ORDER } else { "" };
        let name = Symbol::intern(&format!("{ABSTRACT}{order}{name}")).as_str();
        let arguments = arguments.iter().map(|&argument| (self.expr(argument), self.expr_scalar(argument))).collect();
        let result = self.expr_scalar(id);
        self.code.numerics.push(NumericSite { name, arguments, result });
        let call = self.code.numerics.len() as u32 - 1;
        let to = self.temporary();
        self.emit(Op::Numeric { call, to });
        Operand::register(to)
    }

    /// Array values.
    pub(super) fn civl_into(&mut self, civl: &CivlExpr, ty: TypeId, to: Operand) {
        match civl {
            CivlExpr::Lambda { bound, body } => self.array_lambda(*bound, *body, ty, to),
            _ => self.unsupported("this array value"),
        }
    }

    /// `(T[n])$lambda(int i) e`: the elements one after the other.
    fn array_lambda(&mut self, bound: LocalId, body: ExprId, ty: TypeId, to: Operand) {
        let (Type::Array { element, .. }, Spot::Register { register, scalar, .. }) = (self.ty(ty), self.local(bound))
        else {
            self.unsupported("this `$lambda`");
            return;
        };
        let element = element.ty;
        let total = self.size(ty);
        let total = self.size_operand(total);
        let element_size = self.size(element);
        let size_scalar = self.size_scalar();
        let each = self.size_operand(element_size);
        let count = self.temporary();
        self.emit(Op::Binary { op: BinaryOp::Divide, scalar: size_scalar, to: count, left: total, right: each });
        let count = self.converted(Operand::register(count), size_scalar, scalar, None);
        let zero = self.constant(0, scalar);
        self.emit(Op::Move { to: register, from: zero });
        let (head, end) = (self.new_label(), self.new_label());
        let index = Operand::register(register);
        let mark = self.known_order.len();
        self.place_label(head);
        self.emit(Op::CompareBranch { op: BinaryOp::Less, scalar, left: index, right: count, otherwise: end });
        let address = self.index(to, index, scalar, element_size);
        if self.scalar(element).is_some() {
            let value = self.expr(body);
            self.store(Spot::Memory { base: address, offset: 0, bits: None }, element, value);
        } else {
            self.aggregate_into(body, address, 0);
        }
        self.forget_since(mark);
        let one = self.constant(1, scalar);
        self.emit(Op::Binary { op: BinaryOp::Add, scalar, to: register, left: index, right: one });
        self.emit(Op::Jump { target: head });
        self.place_label(end);
    }

    /// The least and the greatest value of the first of some bound variables, from a restriction such as `0 <= i && i < n`;
    /// true where the greatest is the one before. More values than the restriction allows do no harm: it is asked of each.
    fn limits(
        &mut self,
        restriction: Option<ExprId>,
        body: ExprId,
        kind: Quantifier,
        bound: &[BoundVariable],
        scalar: Scalar,
    ) -> Option<(Operand, Operand, bool)> {
        let variable = bound.first()?.variable;
        let mut work: Vec<ExprId> = restriction.into_iter().collect();
        match self.body.exprs[body].kind {
            ExprKind::Implies(premise, _) if kind == Quantifier::Forall => work.push(premise),
            ExprKind::LogicalAnd(..) if kind == Quantifier::Exists => work.push(body),
            _ => {}
        }
        let mut conditions = Vec::new();
        while let Some(condition) = work.pop() {
            match self.body.exprs[self.peeled(condition)].kind {
                ExprKind::LogicalAnd(a, b) => work.extend([b, a]),
                ExprKind::Binary(op, a, b) => conditions.push((op, a, b)),
                _ => {}
            }
        }
        let open: Vec<LocalId> = bound.iter().map(|variable| variable.variable).collect();
        let low = self.nearest(&conditions, variable, &open, false, scalar);
        let high = self.nearest(&conditions, variable, &open, true, scalar);
        if let (None, None) = (low, high) {
            // Other indices are of no element.
            let length = self.indexed(body, variable)?;
            return Some((self.constant(0, scalar), self.constant(i128::from(length) - 1, scalar), false));
        }
        let low = self.limit(low?, scalar);
        match high? {
            // One less may be no number of the type.
            (BinaryOp::Less, limit) if scalar != Scalar::Integer => {
                Some((low, self.limit((BinaryOp::LessEqual, limit), scalar), true))
            }
            high => Some((low, self.limit(high, scalar), false)),
        }
    }

    /// A condition that limits a variable, by what has a value already: `i < n`, or `i < j` where `j < n`.
    fn nearest(
        &self,
        conditions: &[(BinaryOp, ExprId, ExprId)],
        variable: LocalId,
        open: &[LocalId],
        is_high: bool,
        scalar: Scalar,
    ) -> Option<(BinaryOp, ExprId)> {
        let mut waiting = vec![variable];
        let mut seen = Vec::new();
        while let Some(variable) = waiting.pop() {
            if seen.contains(&variable) {
                continue;
            }
            seen.push(variable);
            for &(op, a, b) in conditions {
                let (op, limit) = match () {
                    () if self.is_variable(a, variable) => (op, b),
                    () if self.is_variable(b, variable) => match mirrored(op) {
                        Some(op) => (op, a),
                        None => continue,
                    },
                    () => continue,
                };
                let is_wanted = match op {
                    BinaryOp::GreaterEqual | BinaryOp::Greater => !is_high,
                    BinaryOp::LessEqual | BinaryOp::Less => is_high,
                    _ => false,
                };
                match open.iter().find(|&&other| self.is_variable(limit, other)) {
                    _ if !is_wanted => {}
                    Some(&other) => waiting.push(other),
                    None if self.mentions(limit, open) || !self.keeps_value(limit, scalar) => {}
                    None => return Some((op, limit)),
                }
            }
        }
        None
    }

    /// A number of the expression's type is the same number of another type.
    fn keeps_value(&self, expr: ExprId, to: Scalar) -> bool {
        let from = self.expr_scalar(expr);
        if let (Some(number), Some(to)) = (self.written_integer(expr), to.int_format()) {
            return to.min() <= number && number <= to.max();
        }
        match (from.int_format(), to.int_format()) {
            _ if from == to => true,
            (Some(from), Some(to)) => to.min() <= from.min() && from.max() <= to.max(),
            (from, to) => from.is_some() == to.is_some(),
        }
    }

    /// The number that is written there.
    fn written_integer(&self, expr: ExprId) -> Option<i128> {
        match self.body.exprs[self.peeled(expr)].kind {
            ExprKind::Int(number) => Some(number),
            ExprKind::Unary(UnaryOp::Negate, inner) => self.written_integer(inner).map(|number| -number),
            _ => None,
        }
    }

    fn mentions(&self, root: ExprId, variables: &[LocalId]) -> bool {
        let mut work = vec![Part::Expr(root)];
        while let Some(part) = work.pop() {
            match part {
                Part::Expr(expr) => self.body.exprs[expr].kind.for_each_part(&mut |part| work.push(part)),
                Part::Place(place) => match self.body.places[place].kind {
                    PlaceKind::Variable(VariableRef::Local(local)) if variables.contains(&local) => return true,
                    PlaceKind::Index(array, index) => work.extend([Part::Place(array), Part::Expr(index)]),
                    PlaceKind::Deref(pointer) => work.push(Part::Expr(pointer)),
                    PlaceKind::Field(place, _) | PlaceKind::RealPart(place) | PlaceKind::ImaginaryPart(place) => {
                        work.push(Part::Place(place));
                    }
                    _ => {}
                },
            }
        }
        false
    }

    /// The least length of the arrays that the variable is an index of, where it is nothing else.
    fn indexed(&self, root: ExprId, variable: LocalId) -> Option<u64> {
        let mut least: Option<u64> = None;
        let mut work = vec![Part::Expr(root)];
        while let Some(part) = work.pop() {
            match part {
                Part::Expr(expr) => self.body.exprs[expr].kind.for_each_part(&mut |part| work.push(part)),
                Part::Place(place) => match self.body.places[place].kind {
                    PlaceKind::Index(array, index) if self.is_variable(index, variable) => {
                        work.push(Part::Place(array));
                        let Type::Array { length: ArrayLength::Fixed(length), .. } =
                            *self.ty(self.body.places[array].ty)
                        else {
                            return None;
                        };
                        least = Some(least.map_or(length, |least| least.min(length)));
                    }
                    PlaceKind::Index(array, index) => work.extend([Part::Place(array), Part::Expr(index)]),
                    // What it is matters otherwise, too.
                    PlaceKind::Variable(VariableRef::Local(local)) if local == variable => return None,
                    PlaceKind::Deref(pointer) => work.push(Part::Expr(pointer)),
                    PlaceKind::Field(place, _) | PlaceKind::RealPart(place) | PlaceKind::ImaginaryPart(place) => {
                        work.push(Part::Place(place));
                    }
                    PlaceKind::Variable(_) | PlaceKind::String(_) | PlaceKind::Temporary(_) => {}
                },
            }
        }
        least
    }

    fn is_variable(&self, expr: ExprId, variable: LocalId) -> bool {
        match self.body.exprs[self.peeled(expr)].kind {
            ExprKind::Load(place) => self.body.places[place].kind == PlaceKind::Variable(VariableRef::Local(variable)),
            _ => false,
        }
    }

    /// `x > e` begins at `e + 1`, `x < e` ends at `e - 1`.
    fn limit(&mut self, (op, limit): (BinaryOp, ExprId), scalar: Scalar) -> Operand {
        let from = self.expr_scalar(limit);
        let value = self.expr(limit);
        let value = self.converted(value, from, scalar, None);
        let one = self.constant(1, scalar);
        let op = match op {
            BinaryOp::Greater => BinaryOp::Add,
            BinaryOp::Less => BinaryOp::Subtract,
            _ => return value,
        };
        let to = self.temporary();
        self.emit(Op::Binary { op, scalar, to, left: value, right: one });
        Operand::register(to)
    }

    /// Quantifiers are loops over their ranges, one a variable.
    fn quantified(
        &mut self,
        kind: Quantifier,
        bound: &[BoundVariable],
        restriction: Option<ExprId>,
        body: ExprId,
        id: ExprId,
    ) -> Operand {
        let result_scalar = self.expr_scalar(id);
        let result = self.temporary();
        match self.quantified_over(kind, bound, restriction, body, (result, result_scalar)) {
            Ok(()) => Operand::register(result),
            Err(what) => self.unsupported_value(what),
        }
    }

    fn quantified_over(
        &mut self,
        kind: Quantifier,
        bound: &[BoundVariable],
        restriction: Option<ExprId>,
        body: ExprId,
        (result, result_scalar): (Register, Scalar),
    ) -> Result<(), &'static str> {
        let Some((variable, rest)) = bound.split_first() else { return Err("a quantifier without a variable") };
        let start = match kind {
            Quantifier::Forall | Quantifier::Uniform => self.constant(1, result_scalar),
            Quantifier::Exists => self.constant(0, result_scalar),
            Quantifier::Sum => self.zero(result_scalar),
        };
        self.emit(Op::Move { to: result, from: start });
        let (end, next, inside) = (self.new_label(), self.new_label(), self.new_label());
        let mark = self.known_order.len();
        let Spot::Register { register, scalar, .. } = self.local(variable.variable) else {
            return Err("a quantifier over this variable");
        };
        let mut is_unlimited = false;
        let range = variable.range.map(|range| &self.body.exprs[range].kind);
        // Between two reals there are others.
        let is_counted = scalar == Scalar::Integer || scalar.int_format().is_some();
        let mut is_open = false;
        let (low, high, step) = match range {
            Some(_) if !is_counted => return Err("a quantifier over this range for a variable that is no integer"),
            Some(ExprKind::Civl(CivlExpr::Range { low, high, step })) => {
                let step = match step.map(|step| (step, self.written_integer(step))) {
                    None | Some((_, Some(1))) => None,
                    Some((_, None | Some(0))) => return Err("a quantifier over a range with such a step"),
                    Some((step, Some(number))) => Some((self.expr(step), number > 0)),
                };
                (self.expr(*low), self.expr(*high), step)
            }
            Some(_) => return Err("a quantifier over this range"),
            None => match self.limits(restriction, body, kind, bound, scalar).filter(|_| is_counted) {
                Some((low, high, is_before)) => {
                    is_open = is_before;
                    (low, high, None)
                }
                None if kind != Quantifier::Sum && matches!(scalar, Scalar::Integer | Scalar::Real) => {
                    // Some values, which may decide it.
                    is_unlimited = true;
                    (self.constant(-SOME_VALUES, scalar), self.constant(SOME_VALUES, scalar), None)
                }
                None => return Err("a quantifier whose variable has no limits"),
            },
        };
        if kind != Quantifier::Sum && step.is_none() && (scalar == Scalar::Integer || is_unlimited) {
            let is_forall = kind != Quantifier::Exists;
            let (body, next, end) = (inside, next, end);
            let site = QuantifierSite {
                is_forall,
                register,
                scalar,
                low,
                high,
                is_unlimited,
                body,
                next,
                end,
                result,
                result_scalar,
            };
            self.code.quantifiers.push(site);
            let site = self.code.quantifiers.len() as u32 - 1;
            self.emit(Op::Quantify { site });
        }
        // Downwards a range begins at its upper end.
        let (step, is_upwards) = step.unwrap_or_else(|| (self.constant(1, scalar), true));
        let (first, last) = if is_upwards { (low, high) } else { (high, low) };
        let op = match (is_upwards, is_open) {
            (true, true) => BinaryOp::Less,
            (true, false) => BinaryOp::LessEqual,
            (false, _) => BinaryOp::GreaterEqual,
        };
        self.emit(Op::Move { to: register, from: first });
        let (head, done) = (self.new_label(), self.new_label());
        self.place_label(head);
        let left = Operand::register(register);
        self.emit(Op::CompareBranch { op, scalar, left, right: last, otherwise: done });
        self.forget_since(mark);
        self.place_label(inside);
        // The value of the variables behind this one, or of the body.
        let inner = if rest.is_empty() {
            if let Some(restriction) = restriction {
                self.branch(restriction, next);
            }
            None
        } else {
            let inner = self.temporary();
            self.quantified_over(kind, rest, restriction, body, (inner, result_scalar))?;
            Some(Operand::register(inner))
        };
        let branch = |builder: &mut Self, otherwise| match inner {
            Some(condition) => {
                builder.emit(Op::Branch { scalar: result_scalar, condition, otherwise });
            }
            None => builder.branch(body, otherwise),
        };
        match kind {
            Quantifier::Forall | Quantifier::Uniform => {
                let fails = self.new_label();
                branch(self, fails);
                self.emit(Op::Jump { target: next });
                self.place_label(fails);
                let zero = self.constant(0, result_scalar);
                self.emit(Op::Move { to: result, from: zero });
                self.emit(Op::Jump { target: end });
            }
            Quantifier::Exists => {
                branch(self, next);
                let one = self.constant(1, result_scalar);
                self.emit(Op::Move { to: result, from: one });
                self.emit(Op::Jump { target: end });
            }
            Quantifier::Sum => {
                let right = match inner {
                    Some(inner) => inner,
                    None => {
                        let from = self.expr_scalar(body);
                        let value = self.expr(body);
                        self.converted(value, from, result_scalar, None)
                    }
                };
                let left = Operand::register(result);
                self.emit(Op::Binary { op: BinaryOp::Add, scalar: result_scalar, to: result, left, right });
            }
        }
        self.place_label(next);
        self.forget_since(mark);
        // Behind the greatest number of a type there is none.
        self.emit(Op::CompareBranch { op: BinaryOp::NotEqual, scalar, left, right: last, otherwise: done });
        self.emit(Op::Binary { op: BinaryOp::Add, scalar, to: register, left, right: step });
        self.emit(Op::Jump { target: head });
        self.place_label(done);
        if is_unlimited {
            self.unsupported("a quantifier whose variable has no limits");
        }
        self.place_label(end);
        self.forget_since(mark);
        Ok(())
    }

    /// The next tuple of a domain; the cursor counts tuples.
    pub(super) fn domain_next(&mut self, domain: ExprId, cursor: PlaceId, variables: &[PlaceId], has_next: PlaceId) {
        let cursor_type = self.body.places[cursor].ty;
        let has_next_type = self.body.places[has_next].ty;
        let (Some(cursor_scalar), Some(flag_scalar)) = (self.scalar(cursor_type), self.scalar(has_next_type)) else {
            self.unsupported("this loop over a domain");
            return;
        };
        let domain = self.expr(domain);
        let position = self.load(cursor, None);
        let operands = [(domain, Scalar::Handle), (position, cursor_scalar)];
        let more = self.builtin_value("$domain_has", &operands, flag_scalar);
        let spot = self.place(has_next);
        self.store(spot, has_next_type, more);
        let end = self.new_label();
        let mark = self.known_order.len();
        self.emit(Op::Branch { scalar: flag_scalar, condition: more, otherwise: end });
        for (index, &variable) in variables.iter().enumerate() {
            let ty = self.body.places[variable].ty;
            let Some(scalar) = self.scalar(ty) else { continue };
            let which = self.constant(index as i128, Scalar::Handle);
            let operands = [(domain, Scalar::Handle), (position, cursor_scalar), (which, Scalar::Handle)];
            let value = self.builtin_value("$domain_get", &operands, scalar);
            let spot = self.place(variable);
            self.store(spot, ty, value);
        }
        let one = self.constant(1, cursor_scalar);
        let to = self.temporary();
        self.emit(Op::Binary { op: BinaryOp::Add, scalar: cursor_scalar, to, left: position, right: one });
        let spot = self.place(cursor);
        self.store(spot, cursor_type, Operand::register(to));
        self.forget_since(mark);
        self.place_label(end);
    }
}

/// The comparison with its sides exchanged.
fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        _ => return None,
    })
}
