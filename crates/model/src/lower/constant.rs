//! Constant evaluation of pure expressions with the machine's arithmetic: array sizes, case labels, enumerators.

use super::Lowerer;
use super::expressions::float_format;
use crate::ir::*;
use quod_base::FloatOp;
use std::cmp::Ordering;

/// The value of a constant expression.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Constant {
    Int(i128),
    Float(u128, FloatKind),
}

impl Lowerer<'_> {
    /// The value of an expression of integer type, if it is constant.
    pub(crate) fn evaluate_integer(&self, expr: ExprId) -> Option<i128> {
        if !self.is_integer(self.type_of(expr)) {
            return None;
        }
        match self.evaluate(expr)? {
            Constant::Int(value) => Some(value),
            Constant::Float(..) => None,
        }
    }

    pub(crate) fn evaluate(&self, expr: ExprId) -> Option<Constant> {
        stacker::maybe_grow(32 << 10, 1 << 20, || self.evaluate_inner(expr))
    }

    fn evaluate_inner(&self, expr: ExprId) -> Option<Constant> {
        let node = &self.b_ref().body.exprs[expr];
        match node.kind {
            ExprKind::Int(value) => Some(Constant::Int(value)),
            ExprKind::Float { bits, .. } => match *self.ty(node.ty) {
                Type::Float(kind) => Some(Constant::Float(bits, kind)),
                _ => None,
            },
            ExprKind::Convert(inner) => {
                let source = self.type_of(inner);
                let value = self.evaluate(inner)?;
                self.convert_constant(value, source, node.ty)
            }
            ExprKind::Unary(op, inner) => {
                let value = self.evaluate(inner)?;
                match (op, value) {
                    (UnaryOp::Not, value) => Some(Constant::Int(i128::from(!is_true(value)))),
                    (UnaryOp::Negate, Constant::Int(value)) => {
                        Some(Constant::Int(self.format_of(node.ty)?.negate(value).value))
                    }
                    (UnaryOp::BitNot, Constant::Int(value)) => {
                        Some(Constant::Int(self.format_of(node.ty)?.bit_not(value)))
                    }
                    (UnaryOp::Negate, Constant::Float(bits, kind)) => {
                        Some(Constant::Float(float_format(kind).negate(bits), kind))
                    }
                    (UnaryOp::BitNot, Constant::Float(..)) => None,
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.evaluate(a)?, self.evaluate(b)?);
                self.binary_constant(op, left, right, self.type_of(a))
            }
            ExprKind::LogicalAnd(a, b) => {
                let value = is_true(self.evaluate(a)?) && is_true(self.evaluate(b)?);
                Some(Constant::Int(i128::from(value)))
            }
            ExprKind::LogicalOr(a, b) => {
                let value = is_true(self.evaluate(a)?) || is_true(self.evaluate(b)?);
                Some(Constant::Int(i128::from(value)))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                if is_true(self.evaluate(condition)?) {
                    self.evaluate(then)
                } else {
                    self.evaluate(otherwise)
                }
            }
            // `&((T *)0)->member` as old programs write `offsetof`
            ExprKind::AddressOf(place) => self.place_address(place).map(Constant::Int),
            ExprKind::PointerAdd { pointer, index } => {
                let Constant::Int(base) = self.evaluate(pointer)? else { return None };
                let Constant::Int(index) = self.evaluate(index)? else { return None };
                let target = self.pointee(node.ty)?;
                let size = i128::from(self.program.types.size_of(target.ty)?);
                Some(Constant::Int(self.format_of(node.ty)?.wrap(base.wrapping_add(index.wrapping_mul(size)))))
            }
            ExprKind::PointerDifference(a, b) => {
                let (Constant::Int(x), Constant::Int(y)) = (self.evaluate(a)?, self.evaluate(b)?) else { return None };
                let target = self.pointee(self.type_of(a))?;
                let size = i128::from(self.program.types.size_of(target.ty)?).max(1);
                Some(Constant::Int((x - y) / size))
            }
            ExprKind::Builtin { name, ref arguments } => self.builtin_constant(name, arguments),
            ExprKind::Load(place) => self.constant_variable(place),
            _ => None,
        }
    }

    /// `const` globals have no constant value in C; nothing else is loaded in constant expressions.
    fn constant_variable(&self, _place: PlaceId) -> Option<Constant> {
        None
    }

    /// The address of a place that starts from a constant pointer.
    fn place_address(&self, place: PlaceId) -> Option<i128> {
        let body = &self.b_ref().body;
        match body.places[place].kind {
            PlaceKind::Deref(pointer) => match self.evaluate(pointer)? {
                Constant::Int(value) => Some(value),
                Constant::Float(..) => None,
            },
            PlaceKind::Field(base, index) => {
                let Type::Record(record) = *self.ty(body.places[base].ty) else { return None };
                let offset = self.program.types.record_layout(record)?.byte_offset(index);
                Some(self.place_address(base)?.wrapping_add(i128::from(offset)))
            }
            PlaceKind::Index(base, index) => {
                let Constant::Int(index) = self.evaluate(index)? else { return None };
                let size = i128::from(self.program.types.size_of(body.places[place].ty)?);
                Some(self.place_address(base)?.wrapping_add(index.wrapping_mul(size)))
            }
            _ => None,
        }
    }

    pub(crate) fn convert_constant(&self, value: Constant, source: TypeId, target: TypeId) -> Option<Constant> {
        match (value, self.ty(target)) {
            (value, Type::Bool) => Some(Constant::Int(i128::from(is_true(value)))),
            (Constant::Int(value), Type::Float(kind)) => {
                let format = self.format_of(source)?;
                Some(Constant::Float(float_format(*kind).from_int(value, format), *kind))
            }
            (Constant::Float(bits, from), Type::Float(kind)) => {
                Some(Constant::Float(float_format(from).convert(bits, float_format(*kind)), *kind))
            }
            (Constant::Int(value), _) => Some(Constant::Int(self.format_of(target)?.wrap(value))),
            (Constant::Float(bits, from), _) => {
                let format = self.format_of(target)?;
                Some(Constant::Int(float_format(from).to_int_as_x86(bits, format)))
            }
        }
    }

    fn binary_constant(&self, op: BinaryOp, a: Constant, b: Constant, operands: TypeId) -> Option<Constant> {
        match (a, b) {
            (Constant::Int(a), Constant::Int(b)) => {
                let format = self.format_of(operands)?;
                let value = match op {
                    BinaryOp::Add => format.add(a, b).value,
                    BinaryOp::Subtract => format.subtract(a, b).value,
                    BinaryOp::Multiply => format.multiply(a, b).value,
                    BinaryOp::Divide => format.divide(a, b)?.value,
                    BinaryOp::Remainder => format.remainder(a, b)?.value,
                    BinaryOp::ShiftLeft => format.shift_left(a, b).value,
                    BinaryOp::ShiftRight => format.shift_right(a, b).value,
                    BinaryOp::BitAnd => format.wrap(a & b),
                    BinaryOp::BitOr => format.wrap(a | b),
                    BinaryOp::BitXor => format.wrap(a ^ b),
                    _ => i128::from(holds(op, Some(format.compare(a, b)))),
                };
                Some(Constant::Int(value))
            }
            (Constant::Float(x, kind), Constant::Float(y, _)) => {
                let format = float_format(kind);
                let operation = match op {
                    BinaryOp::Add => FloatOp::Add,
                    BinaryOp::Subtract => FloatOp::Subtract,
                    BinaryOp::Multiply => FloatOp::Multiply,
                    BinaryOp::Divide => FloatOp::Divide,
                    _ => return Some(Constant::Int(i128::from(holds(op, format.compare(x, y))))),
                };
                Some(Constant::Float(format.binary(operation, x, y), kind))
            }
            _ => None,
        }
    }
}

fn is_true(value: Constant) -> bool {
    match value {
        Constant::Int(value) => value != 0,
        Constant::Float(bits, kind) => !float_format(kind).is_zero(bits),
    }
}

fn holds(op: BinaryOp, order: Option<Ordering>) -> bool {
    match op {
        BinaryOp::Equal => order == Some(Ordering::Equal),
        BinaryOp::NotEqual => order != Some(Ordering::Equal),
        BinaryOp::Less => order == Some(Ordering::Less),
        BinaryOp::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        BinaryOp::Greater => order == Some(Ordering::Greater),
        BinaryOp::GreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        _ => false,
    }
}
