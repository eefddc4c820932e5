//! Functions of numbers as terms that C leaves some room: signs of what is no number, zeros of either sign. What the library
//! may choose is a symbol.

use super::numbers::{Class, class};
use super::terms::SymbolicDomain;
use super::value::Value;
use crate::library::{LibraryFunction, Reply};
use crate::scalar::Scalar;
use quod_model::ir::{BinaryOp, UnaryOp};
use quod_term::{RoundingMode, Sort, Term};
use quod_verdict::CheckKind;

pub(super) fn find(name: &str) -> Option<LibraryFunction<SymbolicDomain>> {
    Some(match name.strip_prefix("__builtin_").unwrap_or(name) {
        "abs" | "labs" | "llabs" | "imaxabs" => |context| {
            let (value, scalar) = (context.value(0)?, context.scalar(0));
            let term = context.machine.domain.number(&value)?;
            if let Some(format) = scalar.int_format().filter(|_| !context.machine.domain.is_ideal) {
                let least = context.machine.domain.integer_term(-(1 << (format.bits - 1)), scalar);
                let is_least = context.machine.domain.pool.eq(term, least);
                let is_least = context.machine.domain.answer(is_least);
                if context.machine.settings.checks.contains(CheckKind::SignedOverflow) && context.decide(is_least)? {
                    crate::library::no_negative(context)?;
                }
            }
            let domain = &context.machine.domain;
            let negated = domain.unary_term(UnaryOp::Negate, scalar, term);
            let is_negative = domain.compare_term(BinaryOp::Less, scalar, term, domain.zero_term(scalar));
            Ok(Reply::Value(Value::Number(domain.pool.ite(is_negative, negated, term))))
        },
        _ => return None,
    })
}

impl SymbolicDomain {
    /// `signbit`, `copysign`, `fmax`, `lround` and their like, of floats.
    pub(super) fn float_function(
        &self,
        name: &str,
        scalars: &[Scalar],
        terms: &[Term],
        result: Scalar,
    ) -> Option<Term> {
        let pool = &self.pool;
        let (&a, &scalar) = (terms.first()?, scalars.first()?);
        if !matches!(class(scalar), Class::Float) {
            return None;
        }
        // A NaN has a sign, which terms do not keep.
        let is_negative = |term: Term| {
            let any = || pool.fresh_symbol("sign", Sort::BOOL);
            let is_nan = pool.fp_is_nan(term);
            let sign = pool.fp_is_negative(term);
            if is_nan == pool.false_() { sign } else { pool.ite(is_nan, any(), sign) }
        };
        let short = name.strip_suffix(['f', 'l']).unwrap_or(name);
        if name == "signbit" || short == "signbit" {
            return Some(self.from_condition(is_negative(a), result));
        }
        let to_integer = |mode: RoundingMode| {
            let rounded = pool.fp_round_to_integral(pool.rounding_mode(mode), a);
            let converted = self.convert_term(scalar, result, rounded).ok()?;
            let fits = self.float_fits(scalar, result, rounded);
            if fits == pool.true_() {
                return Some(converted);
            }
            // Where the number does not fit, the result is any.
            Some(pool.ite(fits, converted, pool.fresh_symbol("rounded", pool.sort(converted))))
        };
        match short {
            "lrint" | "llrint" => return to_integer(RoundingMode::NearestEven),
            "lround" | "llround" => return to_integer(RoundingMode::NearestAway),
            _ => {}
        }
        let &[_, b] = terms else { return None };
        if scalars.get(1) != Some(&scalar) || result != scalar {
            return None;
        }
        match short {
            "copysign" => {
                let is_same = pool.eq(is_negative(a), is_negative(b));
                Some(pool.ite(is_same, a, pool.fp_neg(a)))
            }
            "fmax" | "fmin" => {
                let takes_second = if short == "fmax" { pool.fp_lt(a, b) } else { pool.fp_lt(b, a) };
                let chosen = pool.ite(takes_second, b, a);
                let zeros = pool.and2(pool.fp_is_zero(a), pool.fp_is_zero(b));
                let either = pool.ite(pool.fresh_symbol("zero", Sort::BOOL), a, b);
                let chosen = pool.ite(zeros, either, chosen);
                let chosen = pool.ite(pool.fp_is_nan(b), a, chosen);
                Some(pool.ite(pool.fp_is_nan(a), b, chosen))
            }
            "fdim" => {
                let is_nan = pool.or2(pool.fp_is_nan(a), pool.fp_is_nan(b));
                let difference = pool.fp_sub(self.nearest(), a, b);
                let positive = pool.ite(pool.fp_gt(a, b), difference, self.zero_term(scalar));
                Some(pool.ite(is_nan, pool.fp_add(self.nearest(), a, b), positive))
            }
            _ => None,
        }
    }

    /// `popcount`, `clz` and their like, of integers.
    pub(super) fn integer_function(
        &self,
        name: &str,
        scalars: &[Scalar],
        terms: &[Term],
        result: Scalar,
    ) -> Option<Term> {
        let pool = &self.pool;
        let (&[a], &[scalar]) = (terms, scalars) else { return None };
        let (Class::Bits { .. }, Some(_)) = (class(scalar), result.int_format()) else { return None };
        let width = pool.width(a);
        let count = self.bits(result);
        let bit = |at: u32| pool.eq(pool.extract(at, at, a), pool.bv(1, 1));
        let number = |value: u32| self.integer_term(value.into(), result);
        let sum = |bits: u32| {
            let mut sum = pool.bv(count, 0);
            for at in 0..bits {
                sum = pool.bv_add(sum, pool.zero_extend(count - 1, pool.extract(at, at, a)));
            }
            sum
        };
        // The first bit that is set, from the side where the list ends.
        let first = |order: &mut dyn Iterator<Item = u32>, answer: &dyn Fn(u32) -> u32, none: u32| {
            order.fold(number(none), |rest, at| pool.ite(bit(at), number(answer(at)), rest))
        };
        if count < 8 {
            return None;
        }
        Some(match name.trim_end_matches('l') {
            "popcount" => sum(width),
            "parity" => pool.bv_and(sum(width), number(1)),
            // Nothing is said of zero; the processor's answer is one of the compiler's choices.
            "clz" | "ctz" => {
                let zero = pool.eq(a, pool.bv(width, 0));
                let any = pool.fresh_symbol("zeros", self.sort(result));
                let answer = if name.starts_with("clz") {
                    first(&mut (0..width), &|at| width - 1 - at, width)
                } else {
                    first(&mut (0..width).rev(), &|at| at, width)
                };
                pool.ite(zero, any, answer)
            }
            "ff" | "ffs" => first(&mut (0..width).rev(), &|at| at + 1, 0),
            _ => return None,
        })
    }
}
