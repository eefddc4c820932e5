//! Scalar expressions.

use super::{Builder, Label};
use crate::code::{NumericSite, Op, Operand, Register};
use crate::domain::Domain;
use crate::scalar::Scalar;
use quod_base::{Id, Symbol};
use quod_model::ir::*;

/// Labels of a function as addresses: below every object.
pub(crate) const LABEL_BASE: i128 = 0x1000;
pub(crate) const LABEL_STEP: i128 = 16;

impl<D: Domain> Builder<'_, D> {
    pub(super) fn expr_scalar(&self, expr: ExprId) -> Scalar {
        self.scalar(self.body.exprs[expr].ty).unwrap_or_else(|| self.int())
    }

    pub(super) fn expr(&mut self, expr: ExprId) -> Operand {
        self.expr_to(expr, None)
    }

    /// The value of a scalar expression, computed into `want` where that saves a move.
    pub(super) fn expr_to(&mut self, expr: ExprId, want: Option<Register>) -> Operand {
        if let Some(&operand) = self.known.get(&expr) {
            return operand;
        }
        let operand = stacker::maybe_grow(128 << 10, 4 << 20, || self.expr_inner(expr, want));
        if want != Some(operand.0) || operand.is_constant() {
            self.remember(expr, operand);
        }
        operand
    }

    pub(super) fn remember(&mut self, expr: ExprId, operand: Operand) {
        if self.known.insert(expr, operand).is_none() {
            self.known_order.push(expr);
        }
    }

    /// Forgets what was computed since `mark`: it was computed on one branch only.
    pub(super) fn forget_since(&mut self, mark: usize) {
        for expr in self.known_order.drain(mark..) {
            self.known.remove(&expr);
        }
    }

    fn expr_inner(&mut self, id: ExprId, want: Option<Register>) -> Operand {
        let expr = &self.body.exprs[id];
        match &expr.kind {
            ExprKind::Int(value) => {
                let scalar = self.expr_scalar(id);
                self.constant(*value, scalar)
            }
            ExprKind::Float { bits, text } => {
                let scalar = self.expr_scalar(id);
                let value = self.domain.float(*bits, text.as_str(), scalar);
                self.constant_value(value)
            }
            ExprKind::Function(function) => {
                if self.program.functions[*function].parent.is_some() {
                    let to = want.unwrap_or_else(|| self.temporary());
                    self.emit(Op::FunctionAddress { to, function: *function });
                    return Operand::register(to);
                }
                let value = self.statics.functions[function.index()].clone();
                self.constant_value(value)
            }
            ExprKind::Label { label, .. } => {
                let scalar = self.pointer();
                self.constant(LABEL_BASE + LABEL_STEP * label.index() as i128, scalar)
            }
            ExprKind::Load(place) => self.load(*place, want),
            ExprKind::AddressOf(place) => self.address(*place),
            ExprKind::Unary(op, operand) => self.unary(*op, *operand, want),
            ExprKind::Binary(op, left, right) => self.binary(*op, *left, *right, expr.ty, want),
            ExprKind::Convert(operand) if matches!(self.ty(expr.ty), Type::Memory) => self.memory_set(*operand),
            ExprKind::Convert(operand) => self.convert(*operand, expr.ty, want),
            ExprKind::PointerAdd { pointer, index } => {
                let size = self.stride(*pointer);
                let index = self.peeled(*index);
                let scalar = self.expr_scalar(index);
                let base = self.expr(*pointer);
                let index = self.expr(index);
                if let Some(size) = size.fixed()
                    && let Some(known) =
                        self.constant_of(index).and_then(|value| self.domain.known_integer(value, scalar))
                    && let Some(bytes) = i64::try_from(known).ok().and_then(|known| known.checked_mul(size as i64))
                {
                    return self.offset(base, bytes);
                }
                self.index(base, index, scalar, size)
            }
            ExprKind::PointerDifference(left, right) => {
                let scalar = self.expr_scalar(id);
                let size = self.stride(*left);
                let (left, right) = (self.expr(*left), self.expr(*right));
                let to = self.temporary();
                match size.fixed() {
                    Some(size) => {
                        self.emit(Op::Difference { to, left, right, element: size.max(1) as u32, scalar });
                        Operand::register(to)
                    }
                    None => {
                        self.emit(Op::Difference { to, left, right, element: 1, scalar });
                        let unsigned = self.size_scalar();
                        let size = self.size_operand(size);
                        let size = self.converted(size, unsigned, scalar, None);
                        let quotient = self.temporary();
                        let left = Operand::register(to);
                        self.emit(Op::Binary { op: BinaryOp::Divide, scalar, to: quotient, left, right: size });
                        Operand::register(quotient)
                    }
                }
            }
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) | ExprKind::Implies(..) => self.logical(id),
            ExprKind::Conditional { condition, then, otherwise } => self.conditional(*condition, *then, *otherwise),
            ExprKind::RealPart(operand) => self.lanes(*operand).first().copied().unwrap_or(Operand::register(0)),
            ExprKind::ImaginaryPart(operand) => {
                let is_complex = self.lane_type(self.body.exprs[*operand].ty).is_some();
                match self.lanes(*operand).get(1) {
                    Some(&part) if is_complex => part,
                    _ => {
                        let scalar = self.expr_scalar(id);
                        self.zero(scalar)
                    }
                }
            }
            ExprKind::MakeComplex { .. } | ExprKind::Aggregate(_) => {
                self.unsupported_value("an aggregate where a scalar is expected")
            }
            ExprKind::Builtin { name, arguments } => self.numeric(*name, arguments, id),
            ExprKind::SizeOf(ty) => {
                let size = self.size(*ty);
                self.size_operand(size)
            }
            ExprKind::Predicate(predicate) => self.predicate_value(predicate),
            ExprKind::Civl(civl) => self.civl(civl, id),
        }
    }

    pub(super) fn zero(&mut self, scalar: Scalar) -> Operand {
        if scalar.float_format().is_some() || scalar == Scalar::Real {
            let value = self.domain.float(0, "0", scalar);
            return self.constant_value(value);
        }
        self.constant(0, scalar)
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, want: Option<Register>) -> Operand {
        let scalar = self.expr_scalar(operand);
        if op == UnaryOp::Not && self.lane_type(self.body.exprs[operand].ty).is_some() {
            return self.logical_not_of(operand);
        }
        let operand = self.expr(operand);
        if let Some(value) = self.constant_of(operand).cloned()
            && op != UnaryOp::Not
            && let Ok(folded) = self.domain.unary(op, scalar, &value)
        {
            return self.constant_value(folded);
        }
        let to = want.unwrap_or_else(|| self.temporary());
        self.emit(Op::Unary { op, scalar, to, operand });
        Operand::register(to)
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, ty: TypeId, want: Option<Register>) -> Operand {
        if self.lane_type(self.body.exprs[left].ty).is_some() {
            return self.lane_comparison(op, left, right, ty);
        }
        if matches!(self.ty(self.body.exprs[left].ty), Type::Scope) {
            return self.scope_operation(op, left, right, ty);
        }
        if op == BinaryOp::Add && matches!(self.ty(self.body.exprs[left].ty), Type::Memory) {
            let operands = [(self.expr(left), Scalar::Handle), (self.expr(right), Scalar::Handle)];
            return self.builtin_value("$mem_join", &operands, Scalar::Handle);
        }
        let scalar = self.expr_scalar(left);
        let count = self.expr_scalar(right);
        let (left, right) = (self.expr(left), self.expr(right));
        let constants = self.constant_of(left).cloned().zip(self.constant_of(right).cloned());
        if let Some((a, b)) = constants
            && !is_comparison(op)
            && !matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight)
            && let Ok(folded) = self.domain.binary(op, scalar, &a, &b)
        {
            return self.constant_value(folded);
        }
        let computed =
            self.results.iter().find(|found| (found.0, found.1, found.2, found.3) == (op, scalar, left, right));
        if let Some(&(.., to)) = computed {
            return Operand::register(to);
        }
        let to = want.unwrap_or_else(|| self.temporary());
        self.emit(match op {
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => Op::Shift { op, scalar, count, to, left, right },
            _ if is_comparison(op) => Op::Compare { op, scalar, to, left, right },
            BinaryOp::Add if scalar == Scalar::I32 => Op::AddInt { to, left, right },
            BinaryOp::Subtract if scalar == Scalar::I32 => Op::SubtractInt { to, left, right },
            BinaryOp::BitAnd if scalar == Scalar::I32 => Op::AndInt { to, left, right },
            _ => Op::Binary { op, scalar, to, left, right },
        });
        Operand::register(to)
    }

    fn convert(&mut self, operand: ExprId, ty: TypeId, want: Option<Register>) -> Operand {
        let from_type = self.body.exprs[operand].ty;
        let Some(target) = self.scalar(ty) else {
            if self.scalar(from_type).is_some() {
                self.expr(operand);
            }
            let int = self.int();
            return self.constant(0, int);
        };
        match self.scalar(from_type) {
            Some(from) => {
                let value = self.expr(operand);
                self.converted(value, from, target, want)
            }
            None => self.lanes_to_scalar(operand, target, ty),
        }
    }

    /// Where both kinds have the same values nothing is done.
    pub(super) fn converted(
        &mut self,
        value: Operand,
        from: Scalar,
        to_scalar: Scalar,
        want: Option<Register>,
    ) -> Operand {
        if from == to_scalar {
            return value;
        }
        if let Some(known) = self.constant_of(value).cloned()
            && let Ok(folded) = self.domain.convert(from, to_scalar, &known)
        {
            return self.constant_value(folded);
        }
        let to = want.unwrap_or_else(|| self.temporary());
        self.emit(Op::Convert { from, to_scalar, to, operand: value });
        Operand::register(to)
    }

    /// `&&`, `||`, `=>`: 0 or 1 in a register of its own.
    fn logical(&mut self, id: ExprId) -> Operand {
        let int = self.expr_scalar(id);
        let to = self.temporary();
        let (no, end) = (self.new_label(), self.new_label());
        let mark = self.known_order.len();
        self.branch(id, no);
        let one = self.constant(1, int);
        self.emit(Op::Move { to, from: one });
        self.emit(Op::Jump { target: end });
        self.place_label(no);
        let zero = self.constant(0, int);
        self.emit(Op::Move { to, from: zero });
        self.place_label(end);
        self.forget_since(mark);
        Operand::register(to)
    }

    fn conditional(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> Operand {
        let to = self.temporary();
        let (no, end) = (self.new_label(), self.new_label());
        let mark = self.known_order.len();
        self.branch(condition, no);
        let value = self.expr(then);
        self.emit(Op::Move { to, from: value });
        self.emit(Op::Jump { target: end });
        self.forget_since(mark);
        self.place_label(no);
        let value = self.expr(otherwise);
        self.emit(Op::Move { to, from: value });
        self.forget_since(mark);
        self.place_label(end);
        Operand::register(to)
    }

    /// Goes on where the condition holds, else to `otherwise`. What is evaluated after the first jump is forgotten by the
    /// caller or by the end of the run.
    pub(super) fn branch(&mut self, condition: ExprId, otherwise: Label) {
        stacker::maybe_grow(128 << 10, 4 << 20, || self.branch_inner(condition, otherwise));
    }

    fn branch_inner(&mut self, id: ExprId, otherwise: Label) {
        if self.known.contains_key(&id) {
            return self.branch_on_value(id, otherwise);
        }
        match self.body.exprs[id].kind {
            ExprKind::LogicalAnd(left, right) => {
                self.branch(left, otherwise);
                let mark = self.known_order.len();
                self.branch(right, otherwise);
                self.forget_since(mark);
            }
            ExprKind::LogicalOr(left, right) => {
                let (yes, next) = (self.new_label(), self.new_label());
                let mark = self.known_order.len();
                self.branch(left, next);
                self.emit(Op::Jump { target: yes });
                self.place_label(next);
                self.forget_since(mark);
                self.branch(right, otherwise);
                self.forget_since(mark);
                self.place_label(yes);
            }
            ExprKind::Implies(left, right) => {
                let (yes, next) = (self.new_label(), self.new_label());
                let mark = self.known_order.len();
                self.branch(left, yes);
                self.place_label(next);
                self.branch(right, otherwise);
                self.forget_since(mark);
                self.place_label(yes);
            }
            ExprKind::Unary(UnaryOp::Not, operand) if self.scalar(self.body.exprs[operand].ty).is_some() => {
                let next = self.new_label();
                let mark = self.known_order.len();
                self.branch(operand, next);
                self.emit(Op::Jump { target: otherwise });
                self.place_label(next);
                self.forget_since(mark);
            }
            ExprKind::Binary(op, left, right)
                if is_comparison(op)
                    && self.scalar(self.body.exprs[left].ty).is_some()
                    && !matches!(self.ty(self.body.exprs[left].ty), Type::Scope) =>
            {
                let scalar = self.expr_scalar(left);
                let (left, right) = (self.expr(left), self.expr(right));
                self.emit(match scalar {
                    Scalar::I32 => Op::CompareBranchInt { op, left, right, otherwise },
                    _ => Op::CompareBranch { op, scalar, left, right, otherwise },
                });
            }
            // A conversion to `int` or `_Bool` of something that is tested anyway.
            ExprKind::Convert(operand)
                if self.scalar(self.body.exprs[id].ty) == Some(Scalar::Bool)
                    && self.scalar(self.body.exprs[operand].ty).is_some() =>
            {
                self.branch(operand, otherwise);
            }
            _ => self.branch_on_value(id, otherwise),
        }
    }

    fn branch_on_value(&mut self, id: ExprId, otherwise: Label) {
        if self.lane_type(self.body.exprs[id].ty).is_some() {
            let truth = self.lanes_truth(id);
            let scalar = self.int();
            self.emit(Op::Branch { scalar, condition: truth, otherwise });
            return;
        }
        let scalar = self.expr_scalar(id);
        let condition = self.expr(id);
        self.emit(Op::Branch { scalar, condition, otherwise });
    }

    fn numeric(&mut self, name: Symbol, arguments: &[ExprId], id: ExprId) -> Operand {
        let text = name.as_str();
        let short = text.strip_prefix("__builtin_").unwrap_or(text);
        if matches!(short, "expect" | "expect_with_probability" | "assume_aligned")
            && let Some(&first) = arguments.first()
        {
            return self.expr(first);
        }
        let result = self.expr_scalar(id);
        if matches!(short, "shuffle" | "shufflevector" | "convertvector") {
            return self.unsupported_value(text);
        }
        let mut operands = Vec::new();
        for &argument in arguments {
            if self.scalar(self.body.exprs[argument].ty).is_none() {
                return self.stateful_builtin(name, arguments, id);
            }
            operands.push((self.expr(argument), self.expr_scalar(argument)));
        }
        if !crate::concrete::is_numeric(short) {
            return self.stateful_builtin(name, arguments, id);
        }
        self.code.numerics.push(NumericSite { name: short, arguments: operands, result });
        let call = self.code.numerics.len() as u32 - 1;
        let to = self.temporary();
        self.emit(Op::Numeric { call, to });
        Operand::register(to)
    }
}

pub(super) fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}
