//! The questions of checks as conditions, constants of floating kind, comparisons of pointers, and pure functions.

use super::memory::Memory;
use super::numbers::{Class, class};
use super::terms::SymbolicDomain;
use super::value::{Offset, Pointer, Target, Value};
use crate::code::ABSTRACT;
use crate::domain::{Ending, ObjectKind, Question};
use crate::scalar::Scalar;
use quod_base::Rational;
use quod_model::ir::{Access, BinaryOp, UnaryOp};
use quod_term::{BitVector, Function, RoundingMode, Sort, Term};
use std::sync::Arc;

impl SymbolicDomain {
    /// The condition under which the answer is yes.
    pub(super) fn question(&mut self, memory: &Memory, question: &Question<Value>) -> Term {
        let no = self.pool.false_();
        match question {
            Question::ValidAccess { pointer, size, access } => {
                let size = match size {
                    Value::Number(term) => self.known(*term, Scalar::U64),
                    _ => None,
                };
                let (Value::Pointer(pointer), Some(size)) = (pointer, size) else { return no };
                let Target::Object(id) = pointer.target else { return no };
                self.touch_shape(id);
                let object = memory.object(id);
                if !object.is_live() || *access == Access::Write && object.is_constant {
                    return no;
                }
                if let Some(open) = &object.open {
                    return self.inside_open(open, self.resolved(memory, pointer.offset), size as u64);
                }
                self.inside(object, self.resolved(memory, pointer.offset), size)
            }
            Question::ValidFree { pointer } => {
                let Value::Pointer(pointer) = pointer else { return no };
                match pointer.target {
                    Target::Null => self.within(pointer.offset, 0),
                    Target::Object(id) => {
                        self.touch_shape(id);
                        let object = memory.object(id);
                        let is_heap = object.kind == ObjectKind::Heap && object.is_live();
                        if is_heap { self.within(pointer.offset, 0) } else { no }
                    }
                    _ => no,
                }
            }
            Question::ValidPointerAdd { pointer, index, index_scalar, element } => {
                let Value::Pointer(pointer) = pointer else { return no };
                let Target::Object(id) = pointer.target else {
                    let is_zero = matches!(index, Value::Number(term) if self.known(*term, *index_scalar) == Some(0));
                    return self.pool.bool(is_zero);
                };
                self.touch_shape(id);
                let object = memory.object(id);
                let size = i128::from(object.size);
                if object.length.is_some() {
                    return no;
                }
                if matches!(object.ending, Some((Ending::Freed | Ending::Left, _))) {
                    return no;
                }
                use crate::domain::Domain;
                if let Some(open) = object.open.clone() {
                    let pointer = Value::Pointer(pointer.clone());
                    return match self.index(&pointer, index, *index_scalar, *element) {
                        Ok(Value::Pointer(moved)) => self.inside_open(&open, moved.offset, 0),
                        _ => no,
                    };
                }
                // An index so large that the product wraps around is outside, wherever that leads.
                let is_small = match index {
                    Value::Number(term) => self.at_most(*term, *index_scalar, size / i128::from((*element).max(1))),
                    _ => self.pool.true_(),
                };
                let pointer = Value::Pointer(pointer.clone());
                match self.index(&pointer, index, *index_scalar, *element) {
                    Ok(Value::Pointer(moved)) => {
                        let is_within = self.within(moved.offset, size);
                        self.pool.and2(is_small, is_within)
                    }
                    _ => no,
                }
            }
            Question::SameObject { left, right } => match (left, right) {
                (Value::Pointer(left), Value::Pointer(right)) => self.pool.bool(left.target == right.target),
                _ => no,
            },
            Question::Initialised { pointer, size } => self.initialised(memory, pointer, *size),
            Question::InitialisedRegister { flag } => match flag {
                Value::Number(flag) => self.pool.not(self.pool.eq(*flag, self.zero_term(Scalar::Bool))),
                _ => no,
            },
            Question::FitsBinary { op, scalar, left, right } => match (left, right) {
                (Value::Number(a), Value::Number(b)) => self.fits_binary(*op, *scalar, *a, *b),
                _ => self.pool.true_(),
            },
            Question::FitsUnary { op, scalar, operand } => match operand {
                Value::Number(a) if *op == UnaryOp::Negate && matches!(class(*scalar), Class::Bits { .. }) => {
                    self.pool.not(self.pool.bv_neg_overflow(*a))
                }
                _ => self.pool.true_(),
            },
            Question::ValidShift { op, scalar, left, right, count } => match (left, right) {
                (Value::Number(a), Value::Number(b)) => {
                    let width = self.integer_term(i128::from(self.bits(*scalar)), *count);
                    let below = self.compare_term(BinaryOp::Less, *count, *b, width);
                    let above = self.compare_term(BinaryOp::GreaterEqual, *count, *b, self.zero_term(*count));
                    let in_range = self.pool.and2(below, above);
                    if *op == BinaryOp::ShiftLeft && scalar.is_signed() {
                        let zero = self.zero_term(*scalar);
                        let positive = self.compare_term(BinaryOp::GreaterEqual, *scalar, *a, zero);
                        self.pool.and2(in_range, positive)
                    } else {
                        in_range
                    }
                }
                _ => self.pool.true_(),
            },
            Question::FitsConversion { value, from, to } => match value {
                Value::Number(term) if matches!(class(*from), Class::Float) => self.float_fits(*from, *to, *term),
                _ => self.pool.true_(),
            },
            Question::Aligned { pointer, alignment } => {
                let Value::Pointer(pointer) = pointer else { return no };
                match pointer.offset {
                    Offset::Known(offset) => self.pool.bool(offset.rem_euclid((*alignment).max(1) as i64) == 0),
                    Offset::Term { stride, residue, .. } => {
                        self.pool.bool(stride % alignment == 0 && residue % alignment == 0)
                    }
                }
            }
            Question::Callable { pointer } => match pointer {
                Value::Pointer(Pointer { target: Target::Function(_), offset: Offset::Known(0) }) => self.pool.true_(),
                _ => no,
            },
        }
    }

    fn resolved(&self, memory: &Memory, offset: Offset) -> Offset {
        match offset {
            Offset::Term { term, .. } => memory.known.get(&term).map_or(offset, |&bytes| Offset::Known(bytes)),
            known => known,
        }
    }

    /// `0 <= offset <= last`
    pub(super) fn within(&self, offset: Offset, last: i128) -> Term {
        match offset {
            Offset::Known(offset) => self.pool.bool(0 <= offset && i128::from(offset) <= last),
            Offset::Term { term, .. } => {
                let kind = self.offset_scalar();
                let above = self.compare_term(BinaryOp::GreaterEqual, kind, term, self.zero_term(kind));
                let below = self.compare_term(BinaryOp::LessEqual, kind, term, self.integer_term(last, kind));
                self.pool.and2(above, below)
            }
        }
    }

    fn initialised(&mut self, memory: &Memory, pointer: &Value, size: u64) -> Term {
        let Value::Pointer(pointer) = pointer else { return self.pool.false_() };
        let Target::Object(id) = pointer.target else { return self.pool.false_() };
        let offset = self.resolved(memory, pointer.offset);
        self.touch_part(id, offset, size, false);
        let object = memory.object(id);
        if let Some(open) = &object.open {
            return self.initialised_open(open, offset, size);
        }
        match offset {
            Offset::Known(offset) => match u64::try_from(offset) {
                Ok(start) => self.pool.bool(self.is_defined(object, start, start + size)),
                Err(_) => self.pool.false_(),
            },
            Offset::Term { term, stride, residue } => {
                if self.is_defined(object, 0, object.size) {
                    return self.pool.true_();
                }
                let last = object.size.saturating_sub(size);
                let places = (residue..=last).step_by(stride.max(1) as usize);
                let defined: Vec<Term> = places
                    .filter(|&start| self.is_defined(object, start, start + size))
                    .map(|start| self.pool.eq(term, self.integer_term(i128::from(start), self.offset_scalar())))
                    .collect();
                self.pool.or(&defined)
            }
        }
    }

    fn fits_binary(&self, op: BinaryOp, scalar: Scalar, a: Term, b: Term) -> Term {
        let pool = &self.pool;
        if let Some(fits) = self.small_fits(op, scalar, a, b) {
            return pool.bool(fits);
        }
        let Class::Bits { is_signed: true } = class(scalar) else { return pool.true_() };
        match op {
            BinaryOp::Add => pool.not(pool.bv_sadd_overflow(a, b)),
            BinaryOp::Subtract => pool.not(pool.bv_ssub_overflow(a, b)),
            BinaryOp::Multiply => pool.not(pool.bv_smul_overflow(a, b)),
            BinaryOp::Divide | BinaryOp::Remainder => pool.not(pool.bv_sdiv_overflow(a, b)),
            BinaryOp::ShiftLeft => {
                // The count may be of another width; one that is out of range is another check's business.
                let (width, count) = (pool.width(a), pool.width(b));
                let b = match count.cmp(&width) {
                    std::cmp::Ordering::Less => pool.zero_extend(width - count, b),
                    std::cmp::Ordering::Equal => b,
                    std::cmp::Ordering::Greater => pool.extract(width - 1, 0, b),
                };
                let shifted = pool.bv_shl(a, b);
                let zero = pool.bv(width, 0);
                pool.and2(pool.eq(pool.bv_ashr(shifted, b), a), pool.bv_sle(zero, shifted))
            }
            _ => pool.true_(),
        }
    }

    pub(super) fn compare_pointers(&self, op: BinaryOp, left: &Pointer, right: &Pointer) -> Term {
        let pool = &self.pool;
        if left.target == right.target {
            let (a, b) = (self.offset_term(left.offset), self.offset_term(right.offset));
            return self.compare_term(op, self.offset_scalar(), a, b);
        }
        // Different objects have different addresses; how they are ordered is not known.
        match op {
            BinaryOp::Equal if self.is_wild(left) || self.is_wild(right) => pool.fresh_symbol("wild", Sort::BOOL),
            BinaryOp::NotEqual if self.is_wild(left) || self.is_wild(right) => pool.fresh_symbol("wild", Sort::BOOL),
            BinaryOp::Equal => pool.false_(),
            BinaryOp::NotEqual => pool.true_(),
            _ if left.target == Target::Null => pool.bool(matches!(op, BinaryOp::Less | BinaryOp::LessEqual)),
            _ if right.target == Target::Null => pool.bool(matches!(op, BinaryOp::Greater | BinaryOp::GreaterEqual)),
            _ => pool.fresh_symbol("order", Sort::BOOL),
        }
    }

    pub(super) fn is_wild(&self, pointer: &Pointer) -> bool {
        matches!(pointer.target, Target::Wild(_))
    }

    /// A number that keeps a pointer against another number: it may be anything but zero.
    pub(super) fn compare_with_address(&self, op: BinaryOp, left: &Value, right: &Value) -> Term {
        let is_zero = |value: &Value| matches!(value, Value::Number(term) if self.known(*term, Scalar::U64) == Some(0));
        match op {
            BinaryOp::Equal if is_zero(left) || is_zero(right) => self.pool.false_(),
            BinaryOp::NotEqual if is_zero(left) || is_zero(right) => self.pool.true_(),
            _ => self.pool.fresh_symbol("address", Sort::BOOL),
        }
    }

    pub(super) fn float_term(&self, bits: u128, text: &str, scalar: Scalar) -> Term {
        let pool = &self.pool;
        if scalar == Scalar::Real {
            return pool.real(exact(text).unwrap_or_else(|| Rational::from(0i64)));
        }
        let (width, bits) = match scalar {
            Scalar::F16 => (16, bits),
            Scalar::F32 => (32, bits),
            Scalar::F64 => (64, bits),
            // x87 writes the leading bit of the significand, the interchange format does not.
            Scalar::F80 => (79, bits & ((1 << 63) - 1) | (bits >> 64 & 0xffff) << 63),
            _ => (128, bits),
        };
        let bits = BitVector::from_biguint(width, &num_bigint::BigUint::from(bits));
        pool.fp_from_bits(self.sort(scalar), pool.bv_value(bits))
    }

    pub(super) fn known_float_bits(&self, term: Term, scalar: Scalar) -> Option<u128> {
        use num_traits::ToPrimitive;
        if let quod_term::Value::Real(number) = self.pool.value(term)? {
            // Where a double is the number itself.
            let (above, below) = number.as_small()?;
            let is_exact = above.unsigned_abs() < 1 << 53 && below > 0 && (below as u64).is_power_of_two();
            return is_exact.then(|| (above as f64 / below as f64).to_bits().into());
        }
        let bits = self.pool.fp_to_bits(term);
        let bits = self.pool.bv_constant(bits)?.to_biguint().to_u128()?;
        if scalar != Scalar::F80 {
            return Some(bits);
        }
        let (fraction, high) = (bits & ((1 << 63) - 1), bits >> 63);
        let leading = u128::from(high & 0x7fff != 0) << 63;
        Some(high << 64 | leading | fraction)
    }

    /// `-limit <= term && term <= limit`; bounds that the type cannot exceed are left out.
    fn at_most(&self, term: Term, scalar: Scalar, limit: i128) -> Term {
        let holds = |value: i128| match scalar.int_format() {
            Some(format) if format.is_signed => value >> (format.bits - 1) == value >> 127,
            Some(format) => value >= 0 && (format.bits >= 127 || value >> format.bits == 0),
            None => true,
        };
        let mut result = self.pool.true_();
        for (op, bound) in [(BinaryOp::LessEqual, limit), (BinaryOp::GreaterEqual, -limit)] {
            if holds(bound) {
                let bound = self.integer_term(bound, scalar);
                result = self.pool.and2(result, self.compare_term(op, scalar, term, bound));
            }
        }
        result
    }

    pub(super) fn numeric_term(&self, name: &str, scalars: &[Scalar], terms: &[Term], result: Scalar) -> Option<Term> {
        let pool = &self.pool;
        if name.starts_with(ABSTRACT) {
            let domain = terms.iter().map(|&term| pool.sort(term)).collect();
            let range = if result == Scalar::Bool { Sort::BOOL } else { self.sort(result) };
            let application = pool.apply(&Arc::new(Function { name: name.into(), domain, range }), terms);
            let is_truth = result == Scalar::Bool;
            return Some(if is_truth { self.from_condition(application, result) } else { application });
        }
        let &[a, ..] = terms else { return None };
        let scalar = *scalars.first()?;
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        let base = name.trim_end_matches(['f', 'l']);
        if name == "fpclassify" {
            // FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, value; or the value alone.
            let (&value, answers) = terms.split_last()?;
            let is_float = matches!(class(*scalars.last()?), Class::Float);
            let answers: Vec<Term> = match answers {
                [] => [0, 1, 4, 3, 2].map(|number| self.integer_term(number, result)).to_vec(),
                given => given.to_vec(),
            };
            let &[nan, infinite, normal, subnormal, zero] = answers.as_slice() else { return None };
            let classes = [
                (pool.fp_is_nan(value), nan),
                (pool.fp_is_infinite(value), infinite),
                (pool.fp_is_normal(value), normal),
                (pool.fp_is_subnormal(value), subnormal),
            ];
            let of = |rest, &(is_it, answer): &(Term, Term)| pool.ite(is_it, answer, rest);
            return is_float.then(|| classes.iter().rev().fold(zero, of));
        }
        let own = self.float_function(name, scalars, terms, result);
        if let Some(term) = own.or_else(|| self.integer_function(name, scalars, terms, result)) {
            return Some(term);
        }
        if matches!(class(scalar), Class::Float) {
            let round = |mode| Some(pool.fp_round_to_integral(pool.rounding_mode(mode), a));
            let truth = |condition| Some(self.from_condition(condition, result));
            return match (name, base) {
                ("fabs" | "fabsf" | "fabsl", _) => Some(pool.fp_abs(a)),
                (_, "sqrt") => Some(pool.fp_sqrt(self.nearest(), a)),
                ("floor" | "floorf" | "floorl", _) => round(RoundingMode::TowardNegative),
                (_, "cei") => round(RoundingMode::TowardPositive),
                (_, "trunc") => round(RoundingMode::TowardZero),
                (_, "rint" | "nearbyint") => round(RoundingMode::NearestEven),
                (_, "round") => round(RoundingMode::NearestAway),
                (_, "isnan") => truth(pool.fp_is_nan(a)),
                (_, "isin") | ("isinf", _) => truth(pool.fp_is_infinite(a)),
                ("isinf_sign", _) => {
                    let (one, minus) = (self.integer_term(1, result), self.integer_term(-1, result));
                    let sign = pool.ite(pool.fp_is_negative(a), minus, one);
                    Some(pool.ite(pool.fp_is_infinite(a), sign, self.zero_term(result)))
                }
                (_, "isfinite" | "finite") => {
                    truth(pool.and(&[pool.not(pool.fp_is_nan(a)), pool.not(pool.fp_is_infinite(a))]))
                }
                ("isnormal", _) => truth(pool.fp_is_normal(a)),
                ("issubnormal", _) => truth(pool.fp_is_subnormal(a)),
                ("iszero", _) => truth(pool.fp_is_zero(a)),
                _ => {
                    let &[_, b] = terms else { return None };
                    if scalars.get(1) != Some(&scalar) {
                        return None;
                    }
                    truth(match name {
                        "isless" => pool.fp_lt(a, b),
                        "islessequal" => pool.fp_le(a, b),
                        "isgreater" => pool.fp_gt(a, b),
                        "isgreaterequal" => pool.fp_ge(a, b),
                        "islessgreater" => pool.or(&[pool.fp_lt(a, b), pool.fp_gt(a, b)]),
                        "isunordered" => pool.or(&[pool.fp_is_nan(a), pool.fp_is_nan(b)]),
                        _ => return None,
                    })
                }
            };
        }
        if scalar == Scalar::Real && result == Scalar::Real {
            let floor = |a: Term| pool.to_real(pool.to_int(a));
            return match (name, base) {
                ("fabs" | "fabsf" | "fabsl", _) => Some(pool.ite(pool.ge(a, self.zero_term(scalar)), a, pool.neg(a))),
                ("floor" | "floorf" | "floorl", _) => Some(floor(a)),
                (_, "cei") => Some(pool.neg(floor(pool.neg(a)))),
                (_, "trunc") => {
                    let is_positive = pool.ge(a, self.zero_term(scalar));
                    Some(pool.ite(is_positive, floor(a), pool.neg(floor(pool.neg(a)))))
                }
                _ => None,
            };
        }
        None
    }
}

/// A decimal constant as written, exactly: digits, a point, an exponent.
fn exact(text: &str) -> Option<Rational> {
    let text = text.trim_end_matches(['f', 'F', 'l', 'L']);
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (is_negative, digits) = match digits.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, digits.strip_prefix('+').unwrap_or(digits)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    let number: num_bigint::BigInt = if all.is_empty() { return None } else { all.parse().ok()? };
    let exponent = exponent - i32::try_from(fraction.len()).ok()?;
    if exponent.unsigned_abs() > 5_000 {
        return None;
    }
    let power = num_bigint::BigInt::from(10).pow(exponent.unsigned_abs());
    let value =
        if exponent >= 0 { Rational::from_big(number * power, 1.into()) } else { Rational::from_big(number, power) }?;
    Some(if is_negative { -value } else { value })
}
