//! Checks and the questions that they ask.

use super::place::Spot;
use super::{Builder, Home, size::Size};
use crate::code::{Asking, CheckSite, Op, Operand};
use crate::domain::Domain;
use crate::scalar::Scalar;
use quod_base::Id;
use quod_model::ir::*;
use rustc_hash::FxHashSet;

/// Locals of which some check asks whether they were set.
pub(super) fn asked_locals(body: &Body) -> FxHashSet<LocalId> {
    body.exprs
        .iter()
        .filter_map(|expr| match expr.kind {
            ExprKind::Predicate(Predicate::Initialised(place)) => match body.places[place].kind {
                PlaceKind::Variable(VariableRef::Local(local)) | PlaceKind::Temporary(local) => Some(local),
                _ => None,
            },
            _ => None,
        })
        .collect()
}

impl<'a, D: Domain> Builder<'a, D> {
    pub(super) fn check(&mut self, check: &Check) {
        let span = self.code.spans[self.location as usize];
        if check.values.is_empty() && self.between(check, span) || self.checked_binary(check, span) {
            return;
        }
        let asking = match &self.body.exprs[check.condition].kind {
            ExprKind::Predicate(predicate) => match self.asking(predicate) {
                Some(asking) => Some(asking),
                // Known to hold.
                None => return,
            },
            _ => None,
        };
        let question = asking.map(|asking| {
            self.code.questions.push(asking);
            self.code.questions.len() as u32 - 1
        });
        let place = self.declaration(check.condition);
        let shown = self.shown(check.condition);
        let values = check.values.iter().map(|&value| (self.expr(value), self.expr_scalar(value))).collect();
        let (kind, message) = (check.kind, check.message);
        self.code.checks.push(CheckSite { kind, span, message, values, question, shown, place });
        let site = self.code.checks.len() as u32 - 1;
        match question {
            Some(question) => {
                self.emit(Op::Check { question, check: site });
            }
            None => self.check_value(check.condition, site),
        }
    }

    /// `low <= x && x < high` as one operation, and only once in a run.
    fn between(&mut self, check: &Check, span: quod_base::Span) -> bool {
        let exprs = &self.body.exprs;
        let ExprKind::LogicalAnd(above, below) = exprs[check.condition].kind else { return false };
        let (
            ExprKind::Binary(BinaryOp::GreaterEqual, value, low),
            ExprKind::Binary(op @ (BinaryOp::Less | BinaryOp::LessEqual), other, high),
        ) = (&exprs[above].kind, &exprs[below].kind)
        else {
            return false;
        };
        if value != other && exprs[*value].kind != exprs[*other].kind {
            return false;
        }
        let (value, low, high, is_inclusive) = (*value, *low, *high, *op == BinaryOp::LessEqual);
        // Constants that the narrow type has, too, are compared there.
        let narrow = self.peeled(value);
        let fits = |builder: &Self, bound: ExprId| match builder.body.exprs[bound].kind {
            ExprKind::Int(number) => builder.expr_scalar(narrow).int_format().is_some_and(|f| f.wrap(number) == number),
            _ => false,
        };
        let (scalar, value, low, high) = if narrow != value && fits(self, low) && fits(self, high) {
            let scalar = self.expr_scalar(narrow);
            let bound = |builder: &mut Self, bound: ExprId| match builder.body.exprs[bound].kind {
                ExprKind::Int(number) => builder.constant(number, scalar),
                _ => builder.expr(bound),
            };
            let value = self.expr(narrow);
            (scalar, value, bound(self, low), bound(self, high))
        } else {
            (self.expr_scalar(value), self.expr(value), self.expr(low), self.expr(high))
        };
        if self.done.contains(&(value, low, high, is_inclusive)) {
            return true;
        }
        self.done.push((value, low, high, is_inclusive));
        let shown = Some((value, high, scalar));
        let (kind, message, values) = (check.kind, check.message, Vec::new());
        let site = CheckSite { kind, span, message, values, question: None, shown, place: None };
        self.code.checks.push(site);
        let site = self.code.checks.len() as u32 - 1;
        self.emit(Op::CheckBetween { scalar, is_inclusive, value, low, high, check: site });
        true
    }

    /// `fits(a + b)`: the sum is computed at once and known to the step that follows.
    fn checked_binary(&mut self, check: &Check, span: quod_base::Span) -> bool {
        let ExprKind::Predicate(Predicate::FitsBinary(op, left, right)) = self.body.exprs[check.condition].kind else {
            return false;
        };
        if !matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply) {
            return false;
        }
        let scalar = self.expr_scalar(left);
        let (left, right) = (self.expr(left), self.expr(right));
        let asking = Asking::FitsBinary { op, scalar, left, right };
        self.code.questions.push(asking);
        let question = Some(self.code.questions.len() as u32 - 1);
        let (kind, message, values) = (check.kind, check.message, Vec::new());
        let site = CheckSite { kind, span, message, values, question, shown: None, place: None };
        self.code.checks.push(site);
        let site = self.code.checks.len() as u32 - 1;
        let to = self.temporary();
        self.emit(match (op, scalar) {
            (BinaryOp::Add, Scalar::I32) => Op::CheckedAddInt { to, left, right, check: site },
            (BinaryOp::Subtract, Scalar::I32) => Op::CheckedSubtractInt { to, left, right, check: site },
            _ => Op::CheckedBinary { op, scalar, to, left, right, check: site },
        });
        self.results.push((op, scalar, left, right, to));
        true
    }

    /// Where a local was declared that a check finds unset.
    fn declaration(&self, condition: ExprId) -> Option<(quod_base::Span, &'static str)> {
        let ExprKind::Predicate(Predicate::Initialised(place)) = self.body.exprs[condition].kind else { return None };
        match self.body.places[place].kind {
            PlaceKind::Variable(VariableRef::Local(local)) => {
                matches!(self.homes[local.index()], Home::Register { .. })
                    .then(|| (self.body.locals[local].span, "declared here, never initialised"))
            }
            _ => None,
        }
    }

    /// The sides of a comparison, or of the last one of a conjunction.
    fn shown(&mut self, condition: ExprId) -> Option<(Operand, Operand, Scalar)> {
        let comparison = match self.body.exprs[condition].kind {
            ExprKind::LogicalAnd(_, right) => right,
            _ => condition,
        };
        match self.body.exprs[comparison].kind {
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                let ty = self.body.exprs[left].ty;
                let scalar = self.scalar(ty).filter(|_| !matches!(self.ty(ty), Type::Scope))?;
                Some((self.expr(left), self.expr(right), scalar))
            }
            _ => None,
        }
    }

    /// A condition that is no plain question. `guard => question` keeps the question, for its explanation.
    fn check_value(&mut self, condition: ExprId, site: u32) {
        let (guards, predicate) = self.guarded(condition);
        if let Some(predicate) = predicate
            && !guards.is_empty()
        {
            let end = self.new_label();
            let mark = self.known_order.len();
            for (guard, wanted) in guards {
                if wanted {
                    self.branch(guard, end);
                } else {
                    let next = self.new_label();
                    self.branch(guard, next);
                    self.emit(Op::Jump { target: end });
                    self.place_label(next);
                }
            }
            if let Some(asking) = self.asking(predicate) {
                self.code.questions.push(asking);
                let question = self.code.questions.len() as u32 - 1;
                self.code.checks[site as usize].question = Some(question);
                self.emit(Op::Check { question, check: site });
            }
            self.forget_since(mark);
            self.place_label(end);
            return;
        }
        let (failure, resume) = (self.new_label(), self.new_label());
        let mark = self.known_order.len();
        self.branch(condition, failure);
        self.forget_since(mark);
        self.place_label(resume);
        self.failures.push((failure, resume, site, self.location));
    }

    /// Lays out what failed checks do.
    pub(super) fn lay_out_failures(&mut self) {
        for (failure, resume, check, location) in std::mem::take(&mut self.failures) {
            self.location = location;
            self.is_start = false;
            self.place_label(failure);
            self.emit(Op::CheckFailed { check, resume });
        }
    }

    /// `g1 => g2 => predicate`, `!g || predicate`: the guards (and the truth that leads on) and the predicate.
    fn guarded(&self, mut condition: ExprId) -> (Vec<(ExprId, bool)>, Option<&'a Predicate>) {
        let body: &'a Body = self.body;
        let mut guards = Vec::new();
        loop {
            match &body.exprs[condition].kind {
                ExprKind::Implies(guard, rest) => {
                    guards.push((*guard, true));
                    condition = *rest;
                }
                ExprKind::LogicalOr(guard, rest) => {
                    guards.push((*guard, false));
                    condition = *rest;
                }
                ExprKind::Predicate(predicate) => return (guards, Some(predicate)),
                _ => return (guards, None),
            }
        }
    }

    /// A predicate as an `int`.
    pub(super) fn predicate_value(&mut self, predicate: &Predicate) -> Operand {
        let to = self.temporary();
        match self.asking(predicate) {
            Some(asking) => {
                self.code.questions.push(asking);
                let question = self.code.questions.len() as u32 - 1;
                self.emit(Op::Ask { to, question });
                Operand::register(to)
            }
            None => {
                let int = self.int();
                self.constant(1, int)
            }
        }
    }

    /// The question with its operands evaluated; `None` where the answer is always yes.
    fn asking(&mut self, predicate: &Predicate) -> Option<Asking> {
        Some(match predicate {
            Predicate::ValidAccess { pointer, size, access } => {
                Asking::ValidAccess { pointer: self.expr(*pointer), size: self.size_value(*size), access: *access }
            }
            Predicate::ValidFree(pointer) => Asking::ValidFree { pointer: self.expr(*pointer) },
            Predicate::ValidPointerAdd { pointer, index } => {
                let size = self.stride(*pointer);
                let index = self.peeled(*index);
                let scalar = self.expr_scalar(index);
                let (pointer, index) = (self.expr(*pointer), self.expr(index));
                let Size::Fixed(element) = size else { return None };
                Asking::ValidPointerAdd { pointer, index, scalar, element }
            }
            Predicate::SameObject(left, right) => {
                Asking::SameObject { left: self.expr(*left), right: self.expr(*right) }
            }
            Predicate::Initialised(place) => return self.initialised(*place),
            Predicate::FitsBinary(op, left, right) => Asking::FitsBinary {
                op: *op,
                scalar: self.expr_scalar(*left),
                left: self.expr(*left),
                right: self.expr(*right),
            },
            Predicate::FitsUnary(op, operand) => {
                Asking::FitsUnary { op: *op, scalar: self.expr_scalar(*operand), operand: self.expr(*operand) }
            }
            Predicate::ValidShift(op, left, right) => Asking::ValidShift {
                op: *op,
                scalar: self.expr_scalar(*left),
                left: self.expr(*left),
                right: self.expr(*right),
                count: self.expr_scalar(*right),
            },
            Predicate::FitsConversion { value, target } => {
                let to = self.scalar(*target)?;
                Asking::FitsConversion { value: self.expr(*value), from: self.expr_scalar(*value), to }
            }
            Predicate::Aligned { pointer, ty } => {
                let alignment = self.program.types.alignment_of(*ty).unwrap_or(1);
                if alignment <= 1 {
                    return None;
                }
                Asking::Aligned { pointer: self.expr(*pointer), alignment }
            }
            Predicate::Callable { pointer, ty } => Asking::Callable { pointer: self.expr(*pointer), ty: *ty },
            // Bytes are reinterpreted, as C says.
            Predicate::UnionMember(_) => return None,
        })
    }

    /// A size of any integer type as `size_t`.
    fn size_value(&mut self, size: ExprId) -> Operand {
        let from = self.expr_scalar(size);
        let scalar = self.size_scalar();
        let value = self.expr(size);
        self.converted(value, from, scalar, None)
    }

    fn initialised(&mut self, place: PlaceId) -> Option<Asking> {
        let ty = self.body.places[place].ty;
        match self.memory_place(place) {
            Spot::Element { .. } => None,
            Spot::Register { flag, .. } => Some(Asking::InitialisedRegister { flag: Operand::register(flag?) }),
            Spot::Memory { base, offset, bits } => {
                // Padding need not be set, so whole records are not asked about.
                self.scalar(ty)?;
                let size = match bits {
                    Some(cell) => cell.bytes(),
                    None => match self.scalar(ty) {
                        Some(Scalar::F80) => 10,
                        _ => self.program.types.size_of(ty)?,
                    },
                };
                let pointer = self.offset(base, offset);
                Some(Asking::Initialised { pointer, size })
            }
        }
    }
}
