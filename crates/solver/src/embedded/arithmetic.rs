//! Integer and real operators into linear combinations and atoms.

use super::repr::{Linear, Repr};
use super::{Embedded, Unsupported};
use crate::arith::{ArithVar, Delta};
use crate::sat::{Lit, Var};
use quod_base::Rational;
use quod_term::{Op, Payload, Sort, Term};

/// Whether a comparison admits equality.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Strictness {
    Weak,
    Strict,
}

impl Embedded {
    pub(crate) fn arith_hub(&self, var: ArithVar) -> Option<Var> {
        self.arith_hubs.get(&var).copied()
    }
    pub(crate) fn set_arith_hub(&mut self, var: ArithVar, hub: Var) {
        self.arith_hubs.insert(var, hub);
    }

    /// The literal of `linear <= 0` or `linear < 0`.
    pub(crate) fn linear_below_zero(&mut self, linear: &Linear, strictness: Strictness) -> Lit {
        if let Some(value) = linear.as_constant() {
            let holds = value.is_negative() || value.is_zero() && strictness == Strictness::Weak;
            return self.gates.constant(holds);
        }
        let (var, factor) = self.arith.combination(&linear.terms);
        let bound = -(&linear.constant / &factor);
        let literal = match (factor.is_negative(), strictness) {
            (false, Strictness::Weak) => self.arith.atom(&mut self.sat, var, Delta::new(bound, 0)),
            (false, Strictness::Strict) => self.arith.atom(&mut self.sat, var, Delta::new(bound, -1)),
            (true, Strictness::Weak) => !self.arith.atom(&mut self.sat, var, Delta::new(bound, -1)),
            (true, Strictness::Strict) => !self.arith.atom(&mut self.sat, var, Delta::new(bound, 0)),
        };
        let hubs: Vec<Lit> =
            linear.terms.iter().filter_map(|(var, _)| self.arith_hub(*var)).map(|hub| Lit::new(hub, true)).collect();
        if !hubs.is_empty() {
            self.gates.set_dependencies(literal.var(), hubs);
        }
        literal
    }

    pub(crate) fn linear_is_zero(&mut self, linear: &Linear) -> Lit {
        if let Some(value) = linear.as_constant() {
            return self.gates.constant(value.is_zero());
        }
        let (var, factor) = self.arith.combination(&linear.terms);
        if self.arith.simplex.is_integer(var) && !(&linear.constant / &factor).is_integer() {
            return self.gates.constant(false);
        }
        let below = self.linear_below_zero(linear, Strictness::Weak);
        let above = self.linear_below_zero(&linear.scaled(&Rational::MINUS_ONE), Strictness::Weak);
        self.builder().and(below, above)
    }

    /// Clauses for `condition => linear = 0`; returns the two atoms.
    fn equal_if(&mut self, condition: Lit, linear: &Linear) -> [Lit; 2] {
        let below = self.linear_below_zero(linear, Strictness::Weak);
        let above = self.linear_below_zero(&linear.scaled(&Rational::MINUS_ONE), Strictness::Weak);
        self.sat.add_clause(&[!condition, below]);
        self.sat.add_clause(&[!condition, above]);
        [below, above]
    }

    pub(crate) fn linear_ite(&mut self, term: Term, condition: Lit, then: &Linear, other: &Linear) -> Repr {
        if then == other || self.gates.as_constant(condition) == Some(true) {
            return self.table.add_linear(then.clone());
        }
        if self.gates.as_constant(condition) == Some(false) {
            return self.table.add_linear(other.clone());
        }
        let var = self.arith.new_var(self.sort_of(term) == Sort::INT);
        let hub = self.sat.new_var();
        self.set_arith_hub(var, hub);
        let linear = Linear::variable(var);
        let mut dependencies = vec![condition];
        dependencies.extend(self.equal_if(condition, &linear.minus(then)));
        dependencies.extend(self.equal_if(!condition, &linear.minus(other)));
        if let (Some(a), Some(b)) = (then.as_constant(), other.as_constant()) {
            // Both are constants: the value lies between them, whatever the condition.
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            let above = self.linear_below_zero(&Linear::constant(low.clone()).minus(&linear), Strictness::Weak);
            let below = self.linear_below_zero(&linear.minus(&Linear::constant(high.clone())), Strictness::Weak);
            self.sat.add_clause(&[above]);
            self.sat.add_clause(&[below]);
        }
        self.gates.set_dependencies(hub, dependencies);
        self.table.add_linear(linear)
    }

    pub(crate) fn translate_arithmetic(&mut self, term: Term, op: Op, args: &[Term]) -> Result<Repr, Unsupported> {
        self.has_arithmetic = true;
        let linears: Vec<Linear> = args.iter().map(|&arg| self.linear_of(arg)).collect::<Result<_, _>>()?;
        let linear = match op {
            Op::Le | Op::Lt | Op::Ge | Op::Gt => {
                let mut literals = Vec::new();
                for pair in linears.windows(2) {
                    let difference =
                        if matches!(op, Op::Le | Op::Lt) { pair[0].minus(&pair[1]) } else { pair[1].minus(&pair[0]) };
                    let strictness = if matches!(op, Op::Lt | Op::Gt) { Strictness::Strict } else { Strictness::Weak };
                    literals.push(self.linear_below_zero(&difference, strictness));
                }
                return Ok(Repr::Bool(self.builder().and_all(literals)));
            }
            Op::Add => linears.iter().skip(1).fold(linears[0].clone(), |sum, next| sum.plus(next)),
            Op::Sub => linears.iter().skip(1).fold(linears[0].clone(), |sum, next| sum.minus(next)),
            Op::Neg => linears[0].scaled(&Rational::MINUS_ONE),
            Op::ToReal => linears[0].clone(),
            Op::Mul => return self.product(&linears),
            Op::Power => {
                let Payload::Exponent(exponent) = self.pool.payload(term).clone() else {
                    return Err(Unsupported("a power without exponent".into()));
                };
                if !(1..=16).contains(&exponent) {
                    return Err(Unsupported("a reciprocal or a large power".into()));
                }
                let factors = vec![linears[0].clone(); exponent as usize];
                return self.product(&factors);
            }
            Op::Div => {
                let mut result = linears[0].clone();
                for divisor in &linears[1..] {
                    let inverse = divisor.as_constant().and_then(Rational::recip);
                    result = result.scaled(&inverse.ok_or_else(|| Unsupported("division by an unknown".into()))?);
                }
                result
            }
            Op::Abs => {
                let zero = self.pool.number(Rational::ZERO, self.sort_of(args[0]));
                let is_negative = self.pool.lt(args[0], zero);
                let choice = self.pool.ite(is_negative, self.pool.neg(args[0]), args[0]);
                return self.translate(choice);
            }
            Op::IntDiv | Op::IntMod => return self.integer_division(op, &linears),
            Op::ToInt => self.floor(&linears[0]),
            Op::IsInt => {
                let floor = self.floor(&linears[0]);
                let literal = self.linear_is_zero(&linears[0].minus(&floor));
                return Ok(Repr::Bool(literal));
            }
            _ => return Err(Unsupported(format!("the operator {}", op.info().name))),
        };
        Ok(self.table.add_linear(linear))
    }

    fn product(&mut self, factors: &[Linear]) -> Result<Repr, Unsupported> {
        let mut scale = Rational::ONE;
        let mut unknowns: Vec<&Linear> = Vec::new();
        for factor in factors {
            match factor.as_constant() {
                Some(value) => scale *= value,
                None => unknowns.push(factor),
            }
        }
        let linear = match unknowns.as_slice() {
            [] => Linear::constant(scale),
            [one] => one.scaled(&scale),
            _ => {
                let mut result = unknowns[0].clone();
                for next in &unknowns[1..] {
                    result = self.multiply(&result, next);
                }
                result.scaled(&scale)
            }
        };
        Ok(self.table.add_linear(linear))
    }

    /// The floor of a rational combination: an integer variable with `n <= x < n + 1`.
    fn floor(&mut self, linear: &Linear) -> Linear {
        if let Some(value) = linear.as_constant() {
            return Linear::constant(value.floor());
        }
        let is_integral = linear.constant.is_integer()
            && linear.terms.iter().all(|(var, c)| c.is_integer() && self.arith.simplex.is_integer(*var));
        if is_integral {
            return linear.clone();
        }
        if let Some(known) = self.floors.get(&(linear.terms.clone(), linear.constant.clone())) {
            return known.clone();
        }
        let var = self.arith.new_var(true);
        let floor = Linear::variable(var);
        let below = self.linear_below_zero(&floor.minus(linear), Strictness::Weak);
        let one = Linear::constant(Rational::ONE);
        let above = self.linear_below_zero(&linear.minus(&floor).minus(&one), Strictness::Strict);
        self.sat.add_clause(&[below]);
        self.sat.add_clause(&[above]);
        let mut dependencies: Vec<Lit> =
            linear.terms.iter().filter_map(|(var, _)| self.arith_hub(*var)).map(|hub| Lit::new(hub, true)).collect();
        dependencies.extend([below, above]);
        let hub = self.sat.new_var();
        self.gates.set_dependencies(hub, dependencies);
        self.set_arith_hub(var, hub);
        self.floors.insert((linear.terms.clone(), linear.constant.clone()), floor.clone());
        floor
    }

    /// SMT-LIB's Euclidean division by a constant.
    fn integer_division(&mut self, op: Op, linears: &[Linear]) -> Result<Repr, Unsupported> {
        let mut quotient = linears[0].clone();
        for divisor in &linears[1..] {
            let Some(divisor) = divisor.as_constant() else {
                return Err(Unsupported("integer division by an unknown".into()));
            };
            let Some(inverse) = divisor.recip() else {
                // By zero: the quotient is 0, the remainder the dividend, as the evaluator has it.
                let result = if op == Op::IntDiv { Linear::constant(Rational::ZERO) } else { quotient };
                return Ok(self.table.add_linear(result));
            };
            let positive = self.floor(&quotient.scaled(&inverse.abs()));
            let result = if divisor.is_negative() { positive.scaled(&Rational::MINUS_ONE) } else { positive };
            if op == Op::IntMod {
                let remainder = quotient.add_scaled(&-divisor, &result);
                return Ok(self.table.add_linear(remainder));
            }
            quotient = result;
        }
        Ok(self.table.add_linear(quotient))
    }

    /// The integer 0 or 1 that a literal stands for.
    fn bit_value(&mut self, bit: Lit) -> Linear {
        if let Some(value) = self.gates.as_constant(bit) {
            return Linear::constant(if value { Rational::ONE } else { Rational::ZERO });
        }
        if let Some(&var) = self.bit_variables.get(&bit) {
            return Linear::variable(var);
        }
        let var = self.arith.new_var(true);
        let hub = self.sat.new_var();
        self.gates.set_dependencies(hub, vec![bit]);
        self.set_arith_hub(var, hub);
        let at_most_zero = self.arith.atom(&mut self.sat, var, Delta::new(Rational::ZERO, 0));
        let at_most_one = self.arith.atom(&mut self.sat, var, Delta::new(Rational::ONE, 0));
        let negative = self.arith.atom(&mut self.sat, var, Delta::new(Rational::MINUS_ONE, 0));
        self.sat.add_clause(&[at_most_one]);
        self.sat.add_clause(&[!negative]);
        self.sat.add_clause(&[bit, at_most_zero]);
        self.sat.add_clause(&[!bit, !at_most_zero]);
        self.bit_variables.insert(bit, var);
        Linear::variable(var)
    }

    fn weighted_sum(&mut self, word: &[Lit], is_signed: bool) -> Linear {
        let mut sum = Linear::constant(Rational::ZERO);
        let mut weight = Rational::ONE;
        for (at, &bit) in word.iter().enumerate() {
            let value = self.bit_value(bit);
            let factor = if is_signed && at + 1 == word.len() { -&weight } else { weight.clone() };
            sum = sum.add_scaled(&factor, &value);
            weight = &weight + &weight;
        }
        sum
    }

    pub(crate) fn bits_to_integer(&mut self, _term: Term, arg: Term, is_signed: bool) -> Result<Repr, Unsupported> {
        self.has_arithmetic = true;
        let word = self.word_of(arg)?;
        let sum = self.weighted_sum(&word, is_signed);
        Ok(self.table.add_linear(sum))
    }

    /// `x = 2^width * q + sum of bits`.
    pub(crate) fn integer_to_bits(&mut self, term: Term, arg: Term) -> Result<Repr, Unsupported> {
        self.has_arithmetic = true;
        let width = self.sort_of(term).width().unwrap_or(1) as usize;
        let linear = self.linear_of(arg)?;
        let word = self.builder().word_fresh(width);
        let quotient = Linear::variable(self.arith.new_var(true));
        let sum = self.weighted_sum(&word, false);
        let modulus = Rational::from(2).pow(width as u32);
        let difference = linear.add_scaled(&-modulus, &quotient).minus(&sum);
        let mut dependencies = word.clone();
        let truth = self.gates.truth();
        dependencies.extend(self.equal_if(truth, &difference));
        self.depend_on(arg, &mut dependencies)?;
        let hub = self.sat.new_var();
        self.gates.set_dependencies(hub, dependencies);
        for bit in &word {
            self.gates.depend(bit.var(), hub);
        }
        Ok(self.table.add_word(&word))
    }
}
