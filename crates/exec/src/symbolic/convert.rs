//! Conversions between kinds of numbers, and between numbers and pointers.

use super::numbers::{Class, class};
use super::terms::SymbolicDomain;
use super::value::{Offset, Pointer, Target, Value};
use crate::fault::Fault;
use crate::scalar::Scalar;
use quod_term::{RoundingMode, Term};

impl SymbolicDomain {
    pub(super) fn convert_value(&mut self, from: Scalar, to: Scalar, value: &Value) -> Result<Value, Fault> {
        match value {
            Value::Unset => Ok(Value::Unset),
            Value::Pointer(pointer) => self.convert_pointer(to, pointer),
            Value::Number(term) if to.is_pointer() => self.pointer_from(from, to, *term),
            Value::Number(term) => Ok(Value::Number(self.convert_term(from, to, *term)?)),
        }
    }

    fn convert_pointer(&mut self, to: Scalar, pointer: &Pointer) -> Result<Value, Fault> {
        if to.is_pointer() {
            return Ok(Value::Pointer(pointer.clone()));
        }
        if to == Scalar::Bool {
            return Ok(Value::Number(self.from_condition(self.is_set(pointer), to)));
        }
        match (pointer.target, pointer.offset) {
            (Target::Null, Offset::Known(address)) => Ok(Value::Number(self.integer_term(i128::from(address), to))),
            // As long as nobody computes with it, the number is the pointer.
            _ if to.int_format().is_some_and(|format| u64::from(format.bits) == self.pointer_bits()) => {
                Ok(Value::Pointer(pointer.clone()))
            }
            _ if to == Scalar::Integer => Ok(Value::Pointer(pointer.clone())),
            _ => {
                let address = self.address_of(pointer)?;
                let same = if self.pointer_bits() == 32 { Scalar::U32 } else { Scalar::U64 };
                Ok(Value::Number(self.convert_term(same, to, address)?))
            }
        }
    }

    fn pointer_from(&mut self, from: Scalar, to: Scalar, term: Term) -> Result<Value, Fault> {
        match self.known(term, from) {
            Some(address) => {
                let offset = Offset::Known(address as i64);
                Ok(Value::Pointer(Pointer { target: Target::Null, offset }))
            }
            None => {
                let address = match from.int_format() {
                    Some(format) if u64::from(format.bits) == self.pointer_bits() => Some(term),
                    Some(_) => {
                        let same = if to == Scalar::Pointer32 { Scalar::U32 } else { Scalar::U64 };
                        self.convert_term(from, same, term).ok()
                    }
                    None => None,
                };
                match address.and_then(|address| self.pointed_to(address)) {
                    Some(pointer) => Ok(Value::Pointer(pointer)),
                    None => Err(Fault::unsupported("a pointer made from a computed number")),
                }
            }
        }
    }

    pub(super) fn convert_term(&self, from: Scalar, to: Scalar, a: Term) -> Result<Term, Fault> {
        let pool = &self.pool;
        if from == to {
            return Ok(a);
        }
        if let Some(term) = self.small_convert(from, to, a) {
            return Ok(term);
        }
        if to == Scalar::Bool {
            let is_zero = self.equal(from, a, self.zero_term(from));
            return Ok(self.from_condition(pool.not(is_zero), to));
        }
        Ok(match (class(from), class(to)) {
            (Class::Bits { is_signed }, Class::Bits { .. }) => {
                let (old, new) = (pool.width(a), self.bits(to));
                match new.cmp(&old) {
                    std::cmp::Ordering::Less => pool.extract(new - 1, 0, a),
                    std::cmp::Ordering::Equal => a,
                    std::cmp::Ordering::Greater if is_signed => pool.sign_extend(new - old, a),
                    std::cmp::Ordering::Greater => pool.zero_extend(new - old, a),
                }
            }
            (Class::Bits { is_signed: true }, Class::Float) => pool.fp_from_signed(self.sort(to), self.nearest(), a),
            (Class::Bits { .. }, Class::Float) => pool.fp_from_unsigned(self.sort(to), self.nearest(), a),
            (Class::Float, Class::Float) => pool.fp_from_fp(self.sort(to), self.nearest(), a),
            (Class::Float, Class::Bits { is_signed }) => {
                let width = self.bits(to);
                let zero = pool.rounding_mode(RoundingMode::TowardZero);
                let result = if is_signed { pool.fp_to_sbv(width, zero, a) } else { pool.fp_to_ubv(width, zero, a) };
                // x86 answers with the smallest signed number where the result does not fit.
                let indefinite = pool.concat(pool.bv(1, 1), pool.bv(width - 1, 0));
                pool.ite(self.float_fits(from, to, a), result, indefinite)
            }
            (Class::Bits { is_signed: true }, Class::Integer) => pool.sbv_to_int(a),
            (Class::Bits { .. }, Class::Integer) => match from {
                Scalar::Bool => pool.ite(pool.eq(a, self.zero_term(from)), pool.int(0), pool.int(1)),
                _ => pool.ubv_to_int(a),
            },
            (Class::Bits { .. }, Class::Real) => {
                let integer = self.convert_term(from, Scalar::Integer, a)?;
                pool.to_real(integer)
            }
            (Class::Integer, Class::Bits { .. }) => pool.int_to_bv(self.bits(to), a),
            (Class::Integer, Class::Real) => pool.to_real(a),
            (Class::Real, Class::Integer) => {
                let zero = self.zero_term(from);
                pool.ite(pool.ge(a, zero), pool.to_int(a), pool.neg(pool.to_int(pool.neg(a))))
            }
            (Class::Integer, Class::Integer) | (Class::Real, Class::Real) => a,
            _ => return Err(Fault::unsupported("this conversion between machine and ideal numbers")),
        })
    }

    /// The float, truncated, is a value of the integer kind.
    pub(super) fn float_fits(&self, from: Scalar, to: Scalar, a: Term) -> Term {
        let pool = &self.pool;
        let Class::Bits { is_signed } = class(to) else { return pool.true_() };
        let width = self.bits(to);
        let sort = self.sort(from);
        let zero = pool.rounding_mode(RoundingMode::TowardZero);
        let whole = pool.fp_round_to_integral(zero, a);
        // Powers of two are exact in every format that has room for them; where not, every finite value is in range.
        let limit = |exponent: u32| {
            let one = quod_base::Rational::from(1i64);
            let power = (0..exponent).fold(one, |power, _| &power + &power);
            pool.fp_from_real(sort, self.nearest(), pool.real(power))
        };
        let upper = limit(if is_signed { width - 1 } else { width });
        let lower = if is_signed {
            pool.fp_neg(limit(width - 1))
        } else {
            pool.fp_from_signed(sort, self.nearest(), pool.bv(8, 0))
        };
        pool.and2(pool.fp_le(lower, whole), pool.fp_lt(whole, upper))
    }

    pub(super) fn bits(&self, scalar: Scalar) -> u32 {
        scalar.int_format().map_or(64, |format| format.bits)
    }
}
