//! Complex numbers and vectors: several scalars that are computed one by one.

use super::expr::is_comparison;
use super::place::Spot;
use super::{Builder, size::Size};
use crate::code::{NumericSite, Op, Operand};
use crate::domain::Domain;
use crate::scalar::{Cell, Scalar};
use quod_model::ir::*;

/// The parts of a complex number or a vector.
#[derive(Copy, Clone, Debug)]
pub(super) struct Lanes {
    pub scalar: Scalar,
    pub size: u64,
    pub count: u64,
    pub is_complex: bool,
}

impl<D: Domain> Builder<'_, D> {
    pub(super) fn lane_type(&self, ty: TypeId) -> Option<Lanes> {
        let model = self.program.types.data_model;
        let arithmetic = self.program.arithmetic;
        Some(match *self.ty(ty) {
            Type::Complex(kind) => {
                let scalar = if arithmetic == Arithmetic::Ideal { Scalar::Real } else { Scalar::of_float(kind) };
                Lanes { scalar, size: kind.size(model), count: 2, is_complex: true }
            }
            Type::ComplexInt(kind) => Lanes {
                scalar: Scalar::of_int(model, arithmetic, kind),
                size: u64::from(kind.bits(model) / 8),
                count: 2,
                is_complex: true,
            },
            Type::Vector { element, lanes } => Lanes {
                scalar: self.scalar(element)?,
                size: self.program.types.size_of(element)?,
                count: lanes,
                is_complex: false,
            },
            _ => return None,
        })
    }

    /// The parts of a value; one part where it is a scalar.
    pub(super) fn lanes(&mut self, expr: ExprId) -> Vec<Operand> {
        stacker::maybe_grow(128 << 10, 4 << 20, || self.lanes_inner(expr))
    }

    fn lanes_inner(&mut self, id: ExprId) -> Vec<Operand> {
        let expr = &self.body.exprs[id];
        let Some(lanes) = self.lane_type(expr.ty) else {
            return vec![self.expr(id)];
        };
        match &expr.kind {
            ExprKind::Load(place) => match self.memory_place(*place) {
                Spot::Memory { base, offset, .. } => self.load_lanes(base, offset, lanes),
                Spot::Register { register, .. } => vec![Operand::register(register)],
                Spot::Element { .. } => Vec::new(),
            },
            ExprKind::Unary(op, operand) => {
                let parts = self.lanes(*operand);
                let mut results = Vec::new();
                for (index, part) in parts.into_iter().enumerate() {
                    // `~z` is the conjugate.
                    let op = match (*op, lanes.is_complex, index) {
                        (UnaryOp::BitNot, true, 0) => {
                            results.push(part);
                            continue;
                        }
                        (UnaryOp::BitNot, true, _) => UnaryOp::Negate,
                        (op, ..) => op,
                    };
                    let to = self.temporary();
                    self.emit(Op::Unary { op, scalar: lanes.scalar, to, operand: part });
                    results.push(Operand::register(to));
                }
                results
            }
            ExprKind::Binary(op, left, right) => self.lane_binary(*op, *left, *right, lanes),
            ExprKind::Convert(operand) => self.lane_convert(*operand, lanes),
            ExprKind::MakeComplex { real, imaginary } => vec![self.expr(*real), self.expr(*imaginary)],
            ExprKind::Aggregate(parts) => {
                let mut results: Vec<Operand> = parts.iter().map(|&part| self.expr(part)).collect();
                while (results.len() as u64) < lanes.count {
                    results.push(self.zero(lanes.scalar));
                }
                results
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let registers: Vec<u32> = (0..lanes.count).map(|_| self.temporary()).collect();
                let (no, end) = (self.new_label(), self.new_label());
                let mark = self.known_order.len();
                self.branch(*condition, no);
                for (branch, label) in [(*then, Some(no)), (*otherwise, None)] {
                    for (from, &to) in self.lanes(branch).into_iter().zip(&registers) {
                        self.emit(Op::Move { to, from });
                    }
                    self.forget_since(mark);
                    if let Some(label) = label {
                        self.emit(Op::Jump { target: end });
                        self.place_label(label);
                    }
                }
                self.place_label(end);
                registers.into_iter().map(Operand::register).collect()
            }
            ExprKind::Builtin { name, arguments } => {
                let size = self.program.types.size_of(expr.ty).unwrap_or(0);
                let scratch = self.scratch(size, 16);
                let (name, arguments, ty) = (*name, arguments.clone(), expr.ty);
                self.builtin_into(name, &arguments, ty, scratch, size);
                self.load_lanes(scratch, 0, lanes)
            }
            _ => {
                self.unsupported("this operation on vectors or complex numbers");
                let zero = self.zero(lanes.scalar);
                vec![zero; lanes.count as usize]
            }
        }
    }

    fn load_lanes(&mut self, base: Operand, offset: i64, lanes: Lanes) -> Vec<Operand> {
        let cell = Cell { scalar: lanes.scalar, size: lanes.size as u8 };
        (0..lanes.count)
            .map(|index| {
                let (pointer, offset) = self.near(base, offset + (index * lanes.size) as i64);
                let to = self.temporary();
                self.emit(Op::Load { to, pointer, offset, cell });
                Operand::register(to)
            })
            .collect()
    }

    pub(super) fn store_lanes(&mut self, base: Operand, offset: i64, lanes: Lanes, parts: &[Operand]) {
        let cell = Cell { scalar: lanes.scalar, size: lanes.size as u8 };
        for (index, &value) in parts.iter().enumerate() {
            let (pointer, offset) = self.near(base, offset + (index as u64 * lanes.size) as i64);
            self.emit(Op::Store { pointer, offset, cell, value });
        }
    }

    fn lane_binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, lanes: Lanes) -> Vec<Operand> {
        let operand_lanes = self.lane_type(self.body.exprs[left].ty).unwrap_or(lanes);
        let count = self.lane_type(self.body.exprs[right].ty).map_or_else(|| self.expr_scalar(right), |l| l.scalar);
        let (a, mut b) = (self.lanes(left), self.lanes(right));
        if lanes.is_complex && matches!(op, BinaryOp::Multiply | BinaryOp::Divide) {
            let names = if op == BinaryOp::Multiply {
                ["complex_multiply_real", "complex_multiply_imaginary"]
            } else {
                ["complex_divide_real", "complex_divide_imaginary"]
            };
            let arguments: Vec<_> = a.iter().chain(&b).map(|&operand| (operand, lanes.scalar)).collect();
            return names
                .into_iter()
                .map(|name| {
                    let site = NumericSite { name, arguments: arguments.clone(), result: lanes.scalar };
                    self.code.numerics.push(site);
                    let call = self.code.numerics.len() as u32 - 1;
                    let to = self.temporary();
                    self.emit(Op::Numeric { call, to });
                    Operand::register(to)
                })
                .collect();
        }
        // A shift of a vector by a scalar.
        while b.len() < a.len() {
            b.push(b[0]);
        }
        let scalar = operand_lanes.scalar;
        let mut results = Vec::new();
        for (left, right) in a.into_iter().zip(b) {
            let to = self.temporary();
            self.emit(match op {
                BinaryOp::ShiftLeft | BinaryOp::ShiftRight => Op::Shift { op, scalar, count, to, left, right },
                _ if is_comparison(op) => Op::Compare { op, scalar, to, left, right },
                _ => Op::Binary { op, scalar, to, left, right },
            });
            if is_comparison(op) {
                // True is -1 in a vector.
                let int = self.int();
                let negated = self.temporary();
                self.emit(Op::Unary { op: UnaryOp::Negate, scalar: int, to: negated, operand: Operand::register(to) });
                results.push(self.converted(Operand::register(negated), int, lanes.scalar, None));
            } else {
                results.push(Operand::register(to));
            }
        }
        results
    }

    fn lane_convert(&mut self, operand: ExprId, lanes: Lanes) -> Vec<Operand> {
        let from = self.lane_type(self.body.exprs[operand].ty);
        match from {
            Some(from) if from.is_complex && lanes.is_complex => self
                .lanes(operand)
                .into_iter()
                .map(|part| self.converted(part, from.scalar, lanes.scalar, None))
                .collect(),
            Some(from) if from.scalar == lanes.scalar && from.count == lanes.count => self.lanes(operand),
            None if lanes.is_complex => {
                let scalar = self.expr_scalar(operand);
                let value = self.expr(operand);
                vec![self.converted(value, scalar, lanes.scalar, None), self.zero(lanes.scalar)]
            }
            // Vectors convert by their bytes.
            _ => {
                let address = self.bytes_of(operand);
                self.load_lanes(address, 0, lanes)
            }
        }
    }

    /// The value in memory, to look at its bytes.
    fn bytes_of(&mut self, operand: ExprId) -> Operand {
        let ty = self.body.exprs[operand].ty;
        let Some(scalar) = self.scalar(ty) else {
            return self.aggregate_address(operand);
        };
        let size = self.program.types.size_of(ty).unwrap_or(8);
        let value = self.expr(operand);
        let scratch = self.scratch(size, 16);
        let cell = self.cell(scalar, ty);
        self.emit(Op::Store { pointer: scratch, offset: 0, cell, value });
        scratch
    }

    pub(super) fn lanes_to_scalar(&mut self, operand: ExprId, target: Scalar, ty: TypeId) -> Operand {
        match self.lane_type(self.body.exprs[operand].ty) {
            Some(lanes) if lanes.is_complex && target == Scalar::Bool => {
                let truth = self.lanes_truth(operand);
                let int = self.int();
                self.converted(truth, int, Scalar::Bool, None)
            }
            Some(lanes) if lanes.is_complex => {
                let real = self.lanes(operand)[0];
                self.converted(real, lanes.scalar, target, None)
            }
            Some(_) => {
                let address = self.bytes_of(operand);
                let cell = self.cell(target, ty);
                let to = self.temporary();
                self.emit(Op::Load { to, pointer: address, offset: 0, cell });
                Operand::register(to)
            }
            None => self.unsupported_value("this conversion"),
        }
    }

    /// Some part is not zero, as an `int`.
    pub(super) fn lanes_truth(&mut self, expr: ExprId) -> Operand {
        let Some(lanes) = self.lane_type(self.body.exprs[expr].ty) else { return self.expr(expr) };
        let parts = self.lanes(expr);
        let int = self.int();
        let mut result = None;
        for part in parts {
            let to = self.temporary();
            self.emit(Op::ToBool { scalar: lanes.scalar, to, operand: part });
            result = Some(self.combine(BinaryOp::BitOr, int, result, Operand::register(to)));
        }
        result.unwrap_or_else(|| self.constant(0, int))
    }

    fn combine(&mut self, op: BinaryOp, scalar: Scalar, left: Option<Operand>, right: Operand) -> Operand {
        let Some(left) = left else { return right };
        let to = self.temporary();
        self.emit(Op::Binary { op, scalar, to, left, right });
        Operand::register(to)
    }

    pub(super) fn logical_not_of(&mut self, expr: ExprId) -> Operand {
        let truth = self.lanes_truth(expr);
        let to = self.temporary();
        let scalar = self.int();
        self.emit(Op::Unary { op: UnaryOp::Not, scalar, to, operand: truth });
        Operand::register(to)
    }

    /// `==` and `!=` of complex numbers.
    pub(super) fn lane_comparison(&mut self, op: BinaryOp, left: ExprId, right: ExprId, _ty: TypeId) -> Operand {
        let Some(lanes) = self.lane_type(self.body.exprs[left].ty) else {
            return self.unsupported_value("this comparison");
        };
        let (a, b) = (self.lanes(left), self.lanes(right));
        let int = self.int();
        let join = if op == BinaryOp::NotEqual { BinaryOp::BitOr } else { BinaryOp::BitAnd };
        let mut result = None;
        for (left, right) in a.into_iter().zip(b) {
            let to = self.temporary();
            self.emit(Op::Compare { op, scalar: lanes.scalar, to, left, right });
            result = Some(self.combine(join, int, result, Operand::register(to)));
        }
        result.unwrap_or_else(|| self.constant(0, int))
    }

    /// The address of a record, array, complex number or vector.
    pub(super) fn aggregate_address(&mut self, expr: ExprId) -> Operand {
        if let Some(&operand) = self.known.get(&expr) {
            return operand;
        }
        if let ExprKind::Load(place) = self.body.exprs[expr].kind {
            return self.address(place);
        }
        if let ExprKind::Convert(operand) = self.body.exprs[expr].kind
            && self.scalar(self.body.exprs[operand].ty).is_none()
            && self.lane_type(self.body.exprs[expr].ty).is_none()
        {
            return self.aggregate_address(operand);
        }
        let ty = self.body.exprs[expr].ty;
        let Size::Fixed(size) = self.size(ty) else {
            return self.unsupported_value("a value of variable size");
        };
        let alignment = self.program.types.preferred_alignment(ty).unwrap_or(16);
        let scratch = self.scratch(size, alignment);
        self.aggregate_into(expr, scratch, 0);
        scratch
    }
}
