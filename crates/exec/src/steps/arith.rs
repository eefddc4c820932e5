//! Arithmetic, comparisons and conversions.

use super::View;
use super::get;
use crate::code::{ABSTRACT, Operand, Register};
use crate::domain::{Answer, Domain, Outcome, Truth};
use crate::fault::Fault;
use crate::scalar::Scalar;
use quod_model::ir::{BinaryOp, UnaryOp};

impl<D: Domain> View<'_, D> {
    #[inline(always)]
    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        scalar: Scalar,
        to: Register,
        left: Operand,
        right: Operand,
    ) -> Outcome<D, ()> {
        self.define(left, scalar);
        self.define(right, scalar);
        let (a, b) = (get(self.registers, self.constants, left), get(self.registers, self.constants, right));
        if scalar == Scalar::Integer
            && matches!(op, BinaryOp::Divide | BinaryOp::Remainder)
            && let Some(divisor) = self.domain.divisor(self.memory, b)?
        {
            let value = self.domain.binary(op, scalar, a, &divisor)?;
            self.set(to, value);
            return Ok(());
        }
        let value = self.domain.binary(op, scalar, a, b)?;
        self.set(to, value);
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn fits(&mut self, op: BinaryOp, scalar: Scalar, left: Operand, right: Operand) -> Answer<D> {
        self.define(left, scalar);
        self.define(right, scalar);
        let (left, right) = (self.get(left).clone(), self.get(right).clone());
        self.domain.ask(self.memory, &crate::domain::Question::FitsBinary { op, scalar, left, right })
    }

    /// `low <= value && value < high`
    #[inline(always)]
    pub(crate) fn between(
        &mut self,
        scalar: Scalar,
        is_inclusive: bool,
        value: Operand,
        low: Operand,
        high: Operand,
    ) -> Outcome<D, Answer<D>> {
        let above = self.compare_truth(BinaryOp::GreaterEqual, scalar, value, low);
        let op = if is_inclusive { BinaryOp::LessEqual } else { BinaryOp::Less };
        let below = self.compare_truth(op, scalar, value, high);
        Ok(match (above, below) {
            (Truth::Known(true), below) => below,
            (Truth::Known(false), _) | (_, Truth::Known(false)) => Truth::Known(false),
            (above, Truth::Known(true)) => above,
            (above, below) => {
                let both = self.domain.both(above, below);
                let both = self.domain.truth_value(both, self.int);
                self.domain.truth(self.memory, self.int, &both)
            }
        })
    }

    #[inline(always)]
    pub(crate) fn compare_truth(&mut self, op: BinaryOp, scalar: Scalar, left: Operand, right: Operand) -> Answer<D> {
        self.define(left, scalar);
        self.define(right, scalar);
        let (a, b) = (get(self.registers, self.constants, left), get(self.registers, self.constants, right));
        if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual)
            && let Some(condition) = self.domain.coincide(self.memory, a, b)
        {
            let is_same = self.domain.truth_value(Truth::Unknown(condition), self.int);
            let zero = self.domain.integer(0, self.int);
            let op = if op == BinaryOp::Equal { BinaryOp::NotEqual } else { BinaryOp::Equal };
            return self.domain.compare(op, self.int, &is_same, &zero);
        }
        self.domain.compare(op, scalar, a, b)
    }

    #[inline(always)]
    pub(crate) fn compare(
        &mut self,
        op: BinaryOp,
        scalar: Scalar,
        to: Register,
        left: Operand,
        right: Operand,
    ) -> Outcome<D, ()> {
        let truth = self.compare_truth(op, scalar, left, right);
        let value = self.domain.truth_value(truth, self.int);
        self.set(to, value);
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn truth(&mut self, scalar: Scalar, operand: Operand) -> Answer<D> {
        self.define(operand, scalar);
        let value = get(self.registers, self.constants, operand);
        self.domain.truth(self.memory, scalar, value)
    }

    #[allow(clippy::wrong_self_convention)]
    pub(crate) fn to_bool(&mut self, scalar: Scalar, to: Register, operand: Operand) -> Outcome<D, ()> {
        let truth = self.truth(scalar, operand);
        let value = self.domain.truth_value(truth, self.int);
        self.set(to, value);
        Ok(())
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, scalar: Scalar, to: Register, operand: Operand) -> Outcome<D, ()> {
        if op == UnaryOp::Not {
            let zero = match self.truth(scalar, operand) {
                Truth::Known(known) => Truth::Known(!known),
                unknown => {
                    let as_int = self.domain.truth_value(unknown, self.int);
                    let zero = self.domain.integer(0, self.int);
                    self.domain.compare(BinaryOp::Equal, self.int, &as_int, &zero)
                }
            };
            let value = self.domain.truth_value(zero, self.int);
            self.set(to, value);
            return Ok(());
        }
        self.define(operand, scalar);
        let value = self.domain.unary(op, scalar, get(self.registers, self.constants, operand))?;
        self.set(to, value);
        Ok(())
    }

    pub(crate) fn shift(
        &mut self,
        op: BinaryOp,
        scalar: Scalar,
        count: Scalar,
        to: Register,
        left: Operand,
        right: Operand,
    ) -> Outcome<D, ()> {
        self.define(left, scalar);
        self.define(right, count);
        let (a, b) = (get(self.registers, self.constants, left), get(self.registers, self.constants, right));
        let value = self.domain.shift(op, scalar, a, b, count)?;
        self.set(to, value);
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn convert(
        &mut self,
        from: Scalar,
        to_scalar: Scalar,
        to: Register,
        operand: Operand,
    ) -> Outcome<D, ()> {
        self.define(operand, from);
        let value = self.domain.convert(from, to_scalar, get(self.registers, self.constants, operand))?;
        self.set(to, value);
        Ok(())
    }

    pub(crate) fn numeric(&mut self, call: u32, to: Register) -> Outcome<D, ()> {
        let site = &self.code.numerics[call as usize];
        let operands: Vec<D::Value> = site.arguments.iter().map(|(operand, _)| self.get(*operand).clone()).collect();
        let scalars: Vec<Scalar> = site.arguments.iter().map(|(_, scalar)| *scalar).collect();
        match self.domain.numeric(site.name, &scalars, &operands, site.result) {
            Some(value) => {
                let value = value?;
                self.set(to, value);
                Ok(())
            }
            None => Err(match site.name.strip_prefix(ABSTRACT) {
                Some(name) => Fault::unsupported(format_args!("the value of the abstract function `{name}` in a run")),
                None => Fault::unsupported(format_args!("the built-in `{}`", site.name)),
            }
            .into()),
        }
    }

    pub(crate) fn havoc(&mut self, to: Register, scalar: Scalar, name: Option<quod_base::Symbol>) -> Outcome<D, ()> {
        let value = self.domain.unknown(self.memory, scalar, name)?;
        self.set(to, value);
        Ok(())
    }
}
