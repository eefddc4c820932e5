//! Unary and binary operators on numbers, pointers and vectors.

use super::{Lowerer, Operand, OperandKind};
use crate::ir::*;
use quod_base::Span;
use quod_diag::codes;
use quod_syntax::ast;

impl Lowerer<'_> {
    pub(crate) fn unary(&mut self, op: ast::UnaryOp, op_span: Span, expr: ast::ExprId, span: Span) -> Operand {
        use ast::UnaryOp as U;
        match op {
            U::AddressOf => return self.address_of(expr, span),
            U::Dereference => {
                let value = self.value(expr);
                return self.dereference(value, span);
            }
            U::PreIncrement | U::PreDecrement | U::PostIncrement | U::PostDecrement => {
                return self.increment(op, op_span, expr, span);
            }
            U::Real | U::Imaginary => {
                let operand = self.operand(expr);
                return self.complex_component(op == U::Real, operand, span);
            }
            U::Not => {
                let value = self.condition(expr);
                let result = self.not(value, span);
                return self.value_operand(result, span);
            }
            U::Plus | U::Minus | U::BitNot => {}
        }
        let operand = self.operand(expr);
        if self.is_error(operand.ty) {
            return self.error_operand(span);
        }
        let lane = match *self.ty(operand.ty) {
            Type::Vector { element, .. } => element,
            _ => operand.ty,
        };
        let fits = match op {
            U::BitNot => self.is_integer(lane) || self.is_complex(lane),
            _ => self.is_arithmetic(lane),
        };
        if !fits {
            let name = self.type_name(operand.ty);
            self.error(
                codes::INVALID_OPERANDS,
                format!("`{}` does not apply to `{name}`", op.symbol()),
                op_span,
                "wrong type of operand",
            );
            return self.error_operand(span);
        }
        let value = self.promoted(operand);
        let result = match op {
            U::Plus => value,
            U::Minus => self.negate(value, span),
            _ => self.bit_not(value, span),
        };
        let width = self.wide_bit_field(ast::BinaryOp::ShiftLeft, operand, operand);
        self.narrowed(result, width, span)
    }

    fn negate(&mut self, value: ExprId, span: Span) -> ExprId {
        let ty = self.type_of(value);
        match self.b().body.exprs[value].kind {
            ExprKind::Int(number) => {
                if let Some(format) = self.format_of(ty) {
                    let outcome = format.negate(number);
                    if outcome.fits || (!format.is_signed && self.options.arithmetic == Arithmetic::Machine) {
                        return self.int_value(outcome.value, ty, span);
                    }
                }
            }
            ExprKind::Float { bits, text } => {
                if let Type::Float(kind) = *self.ty(ty) {
                    let bits = super::convert::float_format(kind).negate(bits);
                    let text = match text.as_str().strip_prefix('-') {
                        Some(positive) => Self::symbol(positive),
                        None => Self::symbol(&format!("-{text}")),
                    };
                    return self.b().expr(ExprKind::Float { bits, text }, ty, span);
                }
            }
            _ => {}
        }
        self.b().expr(ExprKind::Unary(UnaryOp::Negate, value), ty, span)
    }

    fn bit_not(&mut self, value: ExprId, span: Span) -> ExprId {
        let ty = self.type_of(value);
        if let ExprKind::Int(number) = self.b().body.exprs[value].kind
            && let Some(format) = self.format_of(ty)
        {
            return self.int_value(format.bit_not(number), ty, span);
        }
        self.b().expr(ExprKind::Unary(UnaryOp::BitNot, value), ty, span)
    }

    pub(crate) fn not(&mut self, value: ExprId, span: Span) -> ExprId {
        let int = self.known.int;
        if self.is_error(self.type_of(value)) {
            return self.error_value(span);
        }
        if let ExprKind::Int(number) = self.b().body.exprs[value].kind {
            return self.int_value(i128::from(number == 0), int, span);
        }
        self.b().expr(ExprKind::Unary(UnaryOp::Not, value), int, span)
    }

    fn complex_component(&mut self, is_real: bool, operand: Operand, span: Span) -> Operand {
        if self.is_error(operand.ty) {
            return self.error_operand(span);
        }
        if !self.is_complex(operand.ty) {
            if !self.is_arithmetic(operand.ty) {
                let name = self.type_name(operand.ty);
                self.error(codes::INVALID_OPERANDS, format!("`{name}` has no parts"), span, "not a complex number");
                return self.error_operand(span);
            }
            if is_real {
                return operand;
            }
            let zero = self.int_value(0, self.known.int, span);
            let value = self.convert(zero, operand.ty, span);
            return self.value_operand(value, span);
        }
        let part = self.complex_part(operand.ty);
        match operand.kind {
            OperandKind::Place(place) => {
                let kind = if is_real { PlaceKind::RealPart(place) } else { PlaceKind::ImaginaryPart(place) };
                let place = self.b().place(kind, part, span);
                self.place_operand(place, operand.qualifiers, span)
            }
            _ => {
                let value = self.to_value(operand);
                let kind = if is_real { ExprKind::RealPart(value) } else { ExprKind::ImaginaryPart(value) };
                let value = self.b().expr(kind, part, span);
                self.value_operand(value, span)
            }
        }
    }

    pub(crate) fn binary_operator(
        &mut self,
        op: ast::BinaryOp,
        op_span: Span,
        left: ast::ExprId,
        right: ast::ExprId,
        span: Span,
    ) -> Operand {
        if matches!(op, ast::BinaryOp::LogicalAnd | ast::BinaryOp::LogicalOr | ast::BinaryOp::Implies) {
            return self.logical(op, op_span, left, right, span);
        }
        let mut first = self.operand(left);
        if self.has_effects(right) {
            let value = self.to_value(first);
            let value = self.stabilise(value);
            let bits = first.bits;
            first = self.value_operand(value, first.span);
            first.bits = bits;
        }
        let second = self.operand(right);
        let result = self.binary(op, op_span, first, second, span);
        let width = self.wide_bit_field(op, first, second);
        self.narrowed(result, width, span)
    }

    /// gcc computes with bit-fields wider than `int` in their own width: the width of the result, if it is one of those.
    fn wide_bit_field(&self, op: ast::BinaryOp, left: Operand, right: Operand) -> Option<u32> {
        if is_comparison(op) {
            return None;
        }
        let width = |operand: Operand| {
            let format = self.format_of(operand.ty).filter(|_| self.is_integer(operand.ty))?;
            let bits = operand.bits.unwrap_or(format.bits).max(32);
            Some((bits, operand.bits.is_some_and(|bits| bits > 32 && bits < format.bits)))
        };
        let (left, right) = (width(left)?, width(right)?);
        let is_shift = matches!(op, ast::BinaryOp::ShiftLeft | ast::BinaryOp::ShiftRight);
        let (bits, is_narrow) = if is_shift || left.0 >= right.0 { left } else { right };
        is_narrow.then_some(bits)
    }

    fn narrowed(&mut self, value: ExprId, width: Option<u32>, span: Span) -> Operand {
        let ty = self.type_of(value);
        let Some(width) = width.filter(|_| !self.is_error(ty) && !self.is_signed(ty)) else {
            return self.value_operand(value, span);
        };
        let mask = self.int_value((1i128 << width) - 1, ty, span);
        let value = self.b().expr(ExprKind::Binary(BinaryOp::BitAnd, value, mask), ty, span);
        let mut operand = self.value_operand(value, span);
        operand.bits = Some(width);
        operand
    }

    /// `left op right` for the operators that always evaluate both.
    pub(crate) fn binary(
        &mut self,
        op: ast::BinaryOp,
        op_span: Span,
        left: Operand,
        right: Operand,
        span: Span,
    ) -> ExprId {
        if self.is_error(left.ty) || self.is_error(right.ty) {
            return self.error_value(span);
        }
        let a = self.promoted(left);
        let b = self.promoted(right);
        let (x, y) = (self.type_of(a), self.type_of(b));
        if self.is_vector(x) || self.is_vector(y) {
            return self.vector_binary(op, op_span, a, b, span);
        }
        let result = match op {
            ast::BinaryOp::Add if self.is_pointer(x) && self.is_integer(y) => Some(self.pointer_add(a, b, span)),
            ast::BinaryOp::Add if self.is_integer(x) && self.is_pointer(y) => Some(self.pointer_add(b, a, span)),
            ast::BinaryOp::Subtract if self.is_pointer(x) && self.is_integer(y) => {
                let difference = self.known.difference;
                let index = self.convert(b, difference, span);
                let index = self.negate(index, self.span_of(b));
                Some(self.pointer_add(a, index, span))
            }
            ast::BinaryOp::Subtract if self.is_pointer(x) && self.is_pointer(y) => {
                let ty = self.known.difference;
                Some(self.b().expr(ExprKind::PointerDifference(a, b), ty, span))
            }
            _ if is_comparison(op) => self.comparison(op, a, b, span),
            ast::BinaryOp::ShiftLeft | ast::BinaryOp::ShiftRight if self.is_integer(x) && self.is_integer(y) => {
                Some(self.arithmetic(op, a, b, x, span))
            }
            ast::BinaryOp::Remainder | ast::BinaryOp::BitAnd | ast::BinaryOp::BitOr | ast::BinaryOp::BitXor
                if self.is_integer(x) && self.is_integer(y) =>
            {
                let (a, b, ty) = self.balance(a, b);
                Some(self.arithmetic(op, a, b, ty, span))
            }
            ast::BinaryOp::Add | ast::BinaryOp::Subtract | ast::BinaryOp::Multiply | ast::BinaryOp::Divide
                if self.is_arithmetic(x) && self.is_arithmetic(y) =>
            {
                let (a, b, ty) = self.balance(a, b);
                Some(self.arithmetic(op, a, b, ty, span))
            }
            ast::BinaryOp::Add if self.is_pointer(x) && *self.ty(y) == Type::Range => Some(self.region(a, b, span)),
            // CIVL-C: `s1 + s2` of scopes, `+` on sets of memory.
            ast::BinaryOp::Add if x == y && matches!(self.ty(x), Type::Scope | Type::Memory) => {
                Some(self.arithmetic(op, a, b, x, span))
            }
            _ => None,
        };
        result.unwrap_or_else(|| {
            self.invalid_operands(op, op_span, left, right);
            self.error_value(span)
        })
    }

    fn invalid_operands(&mut self, op: ast::BinaryOp, op_span: Span, left: Operand, right: Operand) {
        let (x, y) = (self.type_name(left.ty), self.type_name(right.ty));
        self.report(
            quod_diag::Diagnostic::error(
                codes::INVALID_OPERANDS,
                format!("`{}` does not apply to `{x}` and `{y}`", op.symbol()),
            )
            .label(op_span, "wrong types of operands")
            .label(left.span, format!("`{x}`"))
            .label(right.span, format!("`{y}`")),
        );
    }

    fn arithmetic(&mut self, op: ast::BinaryOp, a: ExprId, b: ExprId, ty: TypeId, span: Span) -> ExprId {
        if let (Some(x), Some(y)) = (self.int_constant(a), self.int_constant(b))
            && let Some(value) = self.fold(op, x, y, ty)
        {
            return self.int_value(value, ty, span);
        }
        self.b().expr(ExprKind::Binary(model_op(op), a, b), ty, span)
    }

    fn int_constant(&self, value: ExprId) -> Option<i128> {
        match self.b_ref().body.exprs[value].kind {
            ExprKind::Int(number) => Some(number),
            _ => None,
        }
    }

    /// The value of an operation on integer constants, where C defines it.
    fn fold(&self, op: ast::BinaryOp, a: i128, b: i128, ty: TypeId) -> Option<i128> {
        let format = self.format_of(ty)?;
        let outcome = match op {
            ast::BinaryOp::Add => format.add(a, b),
            ast::BinaryOp::Subtract => format.subtract(a, b),
            ast::BinaryOp::Multiply => format.multiply(a, b),
            ast::BinaryOp::Divide => format.divide(a, b)?,
            ast::BinaryOp::Remainder => format.remainder(a, b)?,
            ast::BinaryOp::ShiftLeft => format.shift_left(a, b),
            ast::BinaryOp::ShiftRight => format.shift_right(a, b),
            ast::BinaryOp::BitAnd => return Some(format.wrap(a & b)),
            ast::BinaryOp::BitOr => return Some(format.wrap(a | b)),
            ast::BinaryOp::BitXor => return Some(format.wrap(a ^ b)),
            _ => return None,
        };
        let may_wrap = !format.is_signed
            && self.options.arithmetic == Arithmetic::Machine
            && matches!(op, ast::BinaryOp::Add | ast::BinaryOp::Subtract | ast::BinaryOp::Multiply);
        (outcome.fits || may_wrap).then_some(outcome.value)
    }

    fn comparison(&mut self, op: ast::BinaryOp, a: ExprId, b: ExprId, span: Span) -> Option<ExprId> {
        let (x, y) = (self.type_of(a), self.type_of(b));
        let (a, b) = if self.is_arithmetic(x) && self.is_arithmetic(y) {
            let (a, b, _) = self.balance(a, b);
            (a, b)
        } else if self.is_pointer(x) && self.is_pointer(y) {
            // `void *` takes the other's type; a difference between other types is only worth a warning.
            let (px, py) = (self.pointee(x), self.pointee(y));
            let target = if px.is_some_and(|target| target.ty == self.known.void) && py.is_some() { y } else { x };
            if let (Some(px), Some(py)) = (px, py)
                && px.ty != self.known.void
                && py.ty != self.known.void
                && !self.compatible(px.ty, py.ty)
            {
                let (x, y) = (self.type_name(x), self.type_name(y));
                self.warning(
                    codes::INCOMPATIBLE_TYPES,
                    "comparison of different pointer types",
                    span,
                    format!("`{x}` and `{y}`"),
                );
            }
            let (sa, sb) = (self.span_of(a), self.span_of(b));
            (self.convert(a, target, sa), self.convert(b, target, sb))
        } else if self.is_pointer(x) && self.is_integer(y) {
            let span = self.span_of(b);
            (a, self.convert(b, x, span))
        } else if self.is_integer(x) && self.is_pointer(y) {
            let span = self.span_of(a);
            (self.convert(a, y, span), b)
        } else if x == y && matches!(self.ty(x), Type::Process | Type::Scope | Type::Opaque(_) | Type::Memory) {
            (a, b)
        } else if self.is_civl() && self.compatible(x, y) && matches!(self.ty(x), Type::Record(_) | Type::Array { .. })
        {
            (a, b)
        } else {
            return None;
        };
        let int = self.known.int;
        let ty = self.type_of(a);
        if let (Some(p), Some(q)) = (self.int_constant(a), self.int_constant(b))
            && let Some(format) = self.format_of(ty)
        {
            let holds = compare(op, format.compare(p, q));
            return Some(self.int_value(i128::from(holds), int, span));
        }
        Some(self.b().expr(ExprKind::Binary(model_op(op), a, b), int, span))
    }

    pub(crate) fn pointer_add(&mut self, pointer: ExprId, index: ExprId, span: Span) -> ExprId {
        let ty = self.type_of(pointer);
        if let Some(target) = self.pointee(ty)
            && let Type::Record(id) = *self.ty(target.ty)
            && self.program.types.records[id].fields.is_none()
        {
            let name = self.type_name(target.ty);
            self.error(
                codes::INCOMPLETE_TYPE,
                format!("arithmetic on a pointer to the incomplete type `{name}`"),
                span,
                "the size of an element is not known here",
            );
            return self.error_value(span);
        }
        let index_span = self.span_of(index);
        let difference = self.known.difference;
        let index = self.convert(index, difference, index_span);
        self.b().expr(ExprKind::PointerAdd { pointer, index }, ty, span)
    }

    /// Element by element; a scalar operand stands for a vector of it.
    fn vector_binary(&mut self, op: ast::BinaryOp, op_span: Span, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let (x, y) = (self.type_of(a), self.type_of(b));
        let vector = if self.is_vector(x) { x } else { y };
        let Type::Vector { element, lanes } = *self.ty(vector) else { return self.error_value(span) };
        let a = self.spread(a, vector, element, lanes, span);
        let b = self.spread(b, vector, element, lanes, span);
        let same_lanes = |ty: TypeId| matches!(*self.ty(ty), Type::Vector { lanes: n, .. } if n == lanes);
        if !same_lanes(self.type_of(a)) || !same_lanes(self.type_of(b)) {
            let (left, right) = (self.value_operand(a, self.span_of(a)), self.value_operand(b, self.span_of(b)));
            self.invalid_operands(op, op_span, left, right);
            return self.error_value(span);
        }
        let ty = if is_comparison(op) { self.mask_type(element, lanes) } else { self.type_of(a) };
        self.b().expr(ExprKind::Binary(model_op(op), a, b), ty, span)
    }

    fn spread(&mut self, value: ExprId, vector: TypeId, element: TypeId, lanes: u64, span: Span) -> ExprId {
        if self.is_vector(self.type_of(value)) {
            return value;
        }
        let value = self.convert(value, element, span);
        self.b().expr(ExprKind::Aggregate(vec![value; lanes as usize]), vector, span)
    }

    /// The signed integer vector that a comparison gives.
    fn mask_type(&mut self, element: TypeId, lanes: u64) -> TypeId {
        let kind = match self.program.types.size_of(element) {
            Some(1) => IntKind::SChar,
            Some(2) => IntKind::Short,
            Some(4) => IntKind::Int,
            _ if self.options.data_model == DataModel::Lp64 => IntKind::Long,
            _ => IntKind::LongLong,
        };
        let element = self.types().intern(Type::Int(kind));
        self.types().intern(Type::Vector { element, lanes })
    }
}

pub(crate) fn is_comparison(op: ast::BinaryOp) -> bool {
    use ast::BinaryOp as B;
    matches!(op, B::Less | B::Greater | B::LessEqual | B::GreaterEqual | B::Equal | B::NotEqual)
}

fn compare(op: ast::BinaryOp, order: std::cmp::Ordering) -> bool {
    match op {
        ast::BinaryOp::Less => order.is_lt(),
        ast::BinaryOp::Greater => order.is_gt(),
        ast::BinaryOp::LessEqual => order.is_le(),
        ast::BinaryOp::GreaterEqual => order.is_ge(),
        ast::BinaryOp::NotEqual => order.is_ne(),
        _ => order.is_eq(),
    }
}

pub(crate) fn model_op(op: ast::BinaryOp) -> BinaryOp {
    use ast::BinaryOp as B;
    match op {
        B::Multiply => BinaryOp::Multiply,
        B::Divide => BinaryOp::Divide,
        B::Remainder => BinaryOp::Remainder,
        B::Add => BinaryOp::Add,
        B::Subtract => BinaryOp::Subtract,
        B::ShiftLeft => BinaryOp::ShiftLeft,
        B::ShiftRight => BinaryOp::ShiftRight,
        B::Less => BinaryOp::Less,
        B::Greater => BinaryOp::Greater,
        B::LessEqual => BinaryOp::LessEqual,
        B::GreaterEqual => BinaryOp::GreaterEqual,
        B::Equal => BinaryOp::Equal,
        B::NotEqual => BinaryOp::NotEqual,
        B::BitAnd => BinaryOp::BitAnd,
        B::BitXor => BinaryOp::BitXor,
        B::BitOr | B::LogicalAnd | B::LogicalOr | B::Implies => BinaryOp::BitOr,
    }
}
