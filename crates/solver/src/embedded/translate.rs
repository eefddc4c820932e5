//! Terms into translations, arguments first, without recursion.

use super::repr::{Linear, Repr};
use super::{Embedded, Unsupported};
use crate::sat::{Lit, Var};
use quod_term::{Op, SortKind, Term, Theory, Value};

/// Elements of uninterpreted sorts are words of this width: more elements than a query can have terms of the sort.
pub(crate) const ELEMENT_WIDTH: usize = 16;

impl Embedded {
    pub(crate) fn translate_bool(&mut self, term: Term) -> Result<Lit, Unsupported> {
        self.bool_of(term)
    }

    pub(crate) fn translate(&mut self, root: Term) -> Result<Repr, Unsupported> {
        let known = self.table.get(root);
        if known != Repr::Absent {
            return Ok(known);
        }
        let pool = self.pool.clone();
        let mut work = vec![(root, false)];
        while let Some((term, is_ready)) = work.pop() {
            if self.table.get(term) != Repr::Absent {
                continue;
            }
            let op = pool.op(term);
            if op.is_binder() || op == Op::Bound {
                return Err(Unsupported("quantifiers and binders".into()));
            }
            let args = pool.args(term);
            if !is_ready && !args.is_empty() {
                work.push((term, true));
                work.extend(
                    args.iter().rev().filter(|&&arg| self.table.get(arg) == Repr::Absent).map(|&arg| (arg, false)),
                );
                continue;
            }
            let repr = self.translate_node(term, op, args)?;
            if self.sat.is_interrupted {
                return Err(Unsupported("more than the budget allows".into()));
            }
            self.table.set(term, repr);
        }
        Ok(self.table.get(root))
    }

    fn translate_node(&mut self, term: Term, op: Op, args: &[Term]) -> Result<Repr, Unsupported> {
        match op {
            Op::Const => self.translate_constant(term),
            Op::Symbol => {
                self.symbols.push(term);
                self.fresh(term, None)
            }
            Op::Apply => self.translate_application(term),
            Op::Select => self.translate_select(term),
            Op::Store | Op::ConstArray => self.translate_array(term),
            Op::Ite => self.translate_ite(term, args),
            Op::Eq => self.translate_eq(args),
            Op::Distinct => self.translate_distinct(args),
            Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies => self.translate_connective(op, args),
            _ => match op.theory() {
                Theory::BitVectors => self.translate_bitvec(term, op, args),
                Theory::Floats => self.translate_float(term, op, args),
                Theory::Arithmetic => self.translate_arithmetic(term, op, args),
                _ => Err(Unsupported(format!("the operator {}", op.info().name))),
            },
        }
    }

    fn translate_connective(&mut self, op: Op, args: &[Term]) -> Result<Repr, Unsupported> {
        let literals: Vec<Lit> = args.iter().map(|&arg| self.bool_of(arg)).collect::<Result<_, _>>()?;
        let mut builder = self.builder();
        let result = match op {
            Op::Not => !literals[0],
            Op::And => builder.and_all(literals),
            Op::Or => builder.or_all(literals),
            Op::Xor => {
                let mut result = builder.constant(false);
                for literal in literals {
                    result = builder.xor(result, literal);
                }
                result
            }
            _ => {
                // `a => b => c`: the last one, or any other false.
                let count = literals.len();
                builder.or_all(literals.into_iter().enumerate().map(|(at, l)| l.flip_if(at + 1 < count)))
            }
        };
        Ok(Repr::Bool(result))
    }

    fn translate_constant(&mut self, term: Term) -> Result<Repr, Unsupported> {
        let pool = self.pool.clone();
        let Some(value) = pool.value(term) else { return Err(Unsupported("a constant without value".into())) };
        Ok(match value {
            Value::Bool(value) => Repr::Bool(self.gates.constant(*value)),
            Value::Int(value) | Value::Real(value) => {
                self.has_arithmetic = true;
                self.table.add_linear(Linear::constant(value.clone()))
            }
            Value::BitVec(bits) => {
                let word: Vec<Lit> = (0..bits.width()).map(|at| self.gates.constant(bits.bit(at))).collect();
                self.table.add_word(&word)
            }
            Value::Float(float) => {
                let bits = float.bits();
                let word: Vec<Lit> = (0..bits.width()).map(|at| self.gates.constant(bits.bit(at))).collect();
                self.table.add_word(&word)
            }
            Value::RoundingMode(mode) => {
                let code = super::floats::mode_code(*mode);
                let word = self.builder().word_u64(code, 3);
                self.table.add_word(&word)
            }
            Value::Element(_, number) => {
                let word = self.builder().word_u64(*number, ELEMENT_WIDTH);
                self.table.add_word(&word)
            }
            Value::Array(_) => return self.translate_array(term),
            _ => return Err(Unsupported(format!("values of sort {:?}", value.sort()))),
        })
    }

    /// A free translation for a term. `hub` stands for what its value depends on.
    pub(crate) fn fresh(&mut self, term: Term, hub: Option<Var>) -> Result<Repr, Unsupported> {
        let width = match self.sort_of(term).kind() {
            SortKind::Bool => {
                let literal = self.builder().fresh();
                if let Some(hub) = hub {
                    self.gates.depend(literal.var(), hub);
                }
                return Ok(Repr::Bool(literal));
            }
            SortKind::Int | SortKind::Real => {
                self.has_arithmetic = true;
                let is_integer = matches!(self.sort_of(term).kind(), SortKind::Int);
                let var = self.arith.new_var(is_integer);
                if let Some(hub) = hub {
                    self.set_arith_hub(var, hub);
                }
                return Ok(self.table.add_linear(Linear::variable(var)));
            }
            SortKind::Array(..) => return self.translate_array(term),
            SortKind::BitVec(width) => width as usize,
            SortKind::Float(exponent, significand) => {
                let raw = self.builder().word_fresh((exponent + significand) as usize);
                if let Some(hub) = hub {
                    raw.iter().for_each(|bit| self.gates.depend(bit.var(), hub));
                }
                let format = super::floats::format(exponent, significand);
                let word = self.builder().float_canonical(format, &raw);
                return Ok(self.table.add_word(&word));
            }
            SortKind::RoundingMode => {
                let raw = self.builder().word_fresh(3);
                if let Some(hub) = hub {
                    raw.iter().for_each(|bit| self.gates.depend(bit.var(), hub));
                }
                let word = self.canonical_mode(&raw);
                return Ok(self.table.add_word(&word));
            }
            SortKind::Uninterpreted(..) => ELEMENT_WIDTH,
            other => return Err(Unsupported(format!("terms of sort {other:?}"))),
        };
        let word = self.builder().word_fresh(width);
        if let Some(hub) = hub {
            word.iter().for_each(|bit| self.gates.depend(bit.var(), hub));
        }
        Ok(self.table.add_word(&word))
    }

    fn translate_ite(&mut self, term: Term, args: &[Term]) -> Result<Repr, Unsupported> {
        let condition = self.bool_of(args[0])?;
        match (self.translate(args[1])?, self.translate(args[2])?) {
            (Repr::Bool(then), Repr::Bool(other)) => Ok(Repr::Bool(self.builder().ite(condition, then, other))),
            (Repr::Word(then), Repr::Word(other)) => {
                let (then, other) = (self.table.word(then).to_vec(), self.table.word(other).to_vec());
                let word = self.builder().word_ite(condition, &then, &other);
                Ok(self.table.add_word(&word))
            }
            (Repr::Linear(then), Repr::Linear(other)) => {
                let (then, other) = (self.table.linear(then).clone(), self.table.linear(other).clone());
                Ok(self.linear_ite(term, condition, &then, &other))
            }
            (Repr::Array(_), Repr::Array(_)) => self.translate_array(term),
            _ => Err(Unsupported("a choice between these sorts".into())),
        }
    }

    fn translate_eq(&mut self, args: &[Term]) -> Result<Repr, Unsupported> {
        let mut literals = Vec::new();
        for pair in args.windows(2) {
            literals.push(self.equality(pair[0], pair[1])?);
        }
        Ok(Repr::Bool(self.builder().and_all(literals)))
    }

    fn translate_distinct(&mut self, args: &[Term]) -> Result<Repr, Unsupported> {
        let mut literals = Vec::new();
        for (at, &a) in args.iter().enumerate() {
            for &b in &args[..at] {
                literals.push(!self.equality(a, b)?);
            }
        }
        Ok(Repr::Bool(self.builder().and_all(literals)))
    }

    /// A variable that stands for all these terms in the computation of cones.
    pub(crate) fn hub(&mut self, terms: &[Term]) -> Result<Var, Unsupported> {
        let mut literals = Vec::new();
        for &term in terms {
            self.depend_on(term, &mut literals)?;
        }
        let hub = self.sat.new_var();
        self.gates.set_dependencies(hub, literals);
        Ok(hub)
    }

    pub(crate) fn depend_on(&mut self, term: Term, into: &mut Vec<Lit>) -> Result<(), Unsupported> {
        match self.translate(term)? {
            Repr::Bool(literal) => into.push(literal),
            Repr::Word(range) => into.extend_from_slice(self.table.word(range)),
            Repr::Array(hub) => into.push(Lit::new(hub, true)),
            Repr::Linear(index) => {
                let vars: Vec<_> = self.table.linear(index).terms.iter().map(|(var, _)| *var).collect();
                into.extend(vars.iter().filter_map(|var| self.arith_hub(*var)).map(|hub| Lit::new(hub, true)));
            }
            Repr::Absent => {}
        }
        Ok(())
    }
}
