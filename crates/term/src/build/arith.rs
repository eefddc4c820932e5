//! Constructors: integers and reals. The results are in the standard form of `standard/`.

use crate::op::Op;
use crate::pool::{Payload, Term, TermPool};
use crate::sort::Sort;
use crate::value::Value;
use quod_base::Rational;

impl TermPool {
    pub fn int(&self, value: i64) -> Term {
        self.constant(Value::Int(value.into()))
    }
    pub fn real(&self, value: Rational) -> Term {
        self.constant(Value::Real(value))
    }
    /// A number as a constant of Int or Real; for Int it must be an integer.
    pub fn number(&self, value: Rational, sort: Sort) -> Term {
        if sort == Sort::INT {
            assert!(value.is_integer(), "{value} is not an Int");
            self.constant(Value::Int(value))
        } else {
            self.constant(Value::Real(value))
        }
    }
    /// The sum of one or more terms.
    pub fn add(&self, args: &[Term]) -> Term {
        self.well_sorted(Op::Add, (0, 0), args)
    }
    pub fn sub(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::Sub, (0, 0), &[a, b])
    }
    pub fn neg(&self, a: Term) -> Term {
        self.well_sorted(Op::Neg, (0, 0), &[a])
    }
    /// The product of one or more terms.
    pub fn mul(&self, args: &[Term]) -> Term {
        self.well_sorted(Op::Mul, (0, 0), args)
    }
    /// `base` to a concrete power; for Int the exponent must not be negative.
    pub fn power(&self, base: Term, exponent: i32) -> Term {
        match exponent {
            0 => self.number(Rational::ONE, self.sort(base)),
            1 => base,
            _ => match self.make_with(Op::Power, Payload::Exponent(exponent), &[base], None) {
                Ok(term) => term,
                Err(error) => panic!("{error}"),
            },
        }
    }
    /// Division of reals; by zero as [`crate::Division`] says.
    pub fn div(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::Div, (0, 0), &[a, b])
    }
    /// SMT-LIB's `div`, rounding so that the remainder is not negative; 0 for divisor 0.
    pub fn int_div(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::IntDiv, (0, 0), &[a, b])
    }
    /// SMT-LIB's `mod`, never negative; the dividend for divisor 0.
    pub fn int_mod(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::IntMod, (0, 0), &[a, b])
    }
    pub fn abs(&self, a: Term) -> Term {
        self.well_sorted(Op::Abs, (0, 0), &[a])
    }
    pub fn le(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::Le, (0, 0), &[a, b])
    }
    pub fn lt(&self, a: Term, b: Term) -> Term {
        self.well_sorted(Op::Lt, (0, 0), &[a, b])
    }
    pub fn ge(&self, a: Term, b: Term) -> Term {
        self.le(b, a)
    }
    pub fn gt(&self, a: Term, b: Term) -> Term {
        self.lt(b, a)
    }
    pub fn to_real(&self, a: Term) -> Term {
        self.well_sorted(Op::ToReal, (0, 0), &[a])
    }
    /// The greatest integer not above.
    pub fn to_int(&self, a: Term) -> Term {
        self.well_sorted(Op::ToInt, (0, 0), &[a])
    }
    pub fn is_int(&self, a: Term) -> Term {
        self.well_sorted(Op::IsInt, (0, 0), &[a])
    }
}
