//! Values of `$abstract` functions: a program says nothing about them, so a run is given a table.

use super::Concrete;
use super::access::canonical;
use super::value::Value;
use crate::domain::{Domain, Outcome};
use crate::scalar::Scalar;
use quod_base::Rational;
use std::collections::BTreeMap;

use super::InputValue;

/// What an `$abstract` function gives: by its arguments, and elsewhere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interpretation {
    pub entries: Vec<(Vec<InputValue>, InputValue)>,
    pub otherwise: Option<InputValue>,
}

/// By the name of the function.
pub type Interpretations = BTreeMap<String, Interpretation>;

impl InputValue {
    /// The number, exactly; nothing for what is no number.
    pub fn rational(self) -> Option<Rational> {
        match self {
            InputValue::Int(number) => Some(Rational::from_bigint(number.into())),
            InputValue::Float(number) => number.is_finite().then(|| Concrete::real_of_f64(number)),
            InputValue::Fraction(numerator, denominator) => Rational::new(numerator, denominator),
        }
    }
}

impl std::fmt::Display for InputValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InputValue::Int(number) => write!(f, "{number}"),
            InputValue::Float(number) => write!(f, "{number:?}"),
            InputValue::Fraction(numerator, denominator) => write!(f, "{numerator}/{denominator}"),
        }
    }
}

impl Concrete {
    /// A value from outside as one of this kind.
    pub(super) fn given_value(&mut self, given: InputValue, scalar: Scalar) -> Value {
        let is_float = scalar.float_format().is_some();
        match given {
            InputValue::Int(number) if scalar == Scalar::Real => self.integer_real(number),
            InputValue::Int(number) if is_float => self.float_value(number as f64, scalar),
            InputValue::Int(number) => canonical(number, scalar),
            InputValue::Float(number) if is_float || scalar == Scalar::Real => self.float_value(number, scalar),
            InputValue::Float(number) => canonical(number as i128, scalar),
            InputValue::Fraction(numerator, denominator) if scalar == Scalar::Real => {
                let real = Rational::new(numerator, denominator).unwrap_or(Rational::ZERO);
                self.real_value(real)
            }
            InputValue::Fraction(numerator, denominator) if is_float => {
                self.float_value(numerator as f64 / denominator as f64, scalar)
            }
            InputValue::Fraction(numerator, denominator) => {
                canonical(i128::from(numerator.checked_div(denominator).unwrap_or(0)), scalar)
            }
        }
    }

    fn float_value(&mut self, value: f64, scalar: Scalar) -> Value {
        match scalar.float_format() {
            Some(format) => Value::wide(format.from_f64(value)),
            None => {
                let real = Self::real_of_f64(value);
                self.real_value(real)
            }
        }
    }

    /// The value of an `$abstract` function; nothing where the run was given no tables.
    pub(super) fn interpreted(
        &mut self,
        name: &str,
        scalars: &[Scalar],
        operands: &[Value],
        result: Scalar,
    ) -> Option<Outcome<Self>> {
        let functions = self.inputs.functions.as_ref()?;
        let given = functions.get(name).and_then(|function| {
            let is_here = |arguments: &[InputValue]| {
                arguments.len() == operands.len()
                    && (arguments.iter().zip(scalars).zip(operands))
                        .all(|((given, scalar), value)| self.is_given(*given, *scalar, value))
            };
            let entry = function.entries.iter().find(|(arguments, _)| is_here(arguments));
            entry.map(|(_, value)| *value).or(function.otherwise)
        });
        Some(Ok(match given {
            Some(given) => self.given_value(given, result),
            None => self.integer(0, result),
        }))
    }

    fn is_given(&self, given: InputValue, scalar: Scalar, value: &Value) -> bool {
        match scalar {
            Scalar::Real => given.rational().is_some_and(|number| number == self.real(value)),
            _ if scalar.float_format().is_some() => {
                let number = scalar.float_format().zip(self.known_float(value, scalar));
                number.is_some_and(|(format, bits)| given == InputValue::Float(format.to_f64(bits)))
            }
            // Tables of machine numbers count their bits without a sign.
            _ => match (given, self.known_integer(value, scalar)) {
                (InputValue::Int(given), Some(number)) => match scalar.int_format().filter(|it| it.bits < 127) {
                    Some(format) => (given - number).rem_euclid(1 << format.bits) == 0,
                    None => given == number,
                },
                _ => false,
            },
        }
    }
}
