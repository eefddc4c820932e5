//! What terms are translated into, and where the translations are kept.

use crate::arith::ArithVar;
use crate::sat::{Lit, Var};
use quod_base::{Id, Rational};
use quod_term::Term;

/// The translation of a term.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Repr {
    Absent,
    Bool(Lit),
    Word(WordRange),
    /// Index of a linear combination.
    Linear(u32),
    /// Arrays have no bits; the variable stands for all that the array is made of when a query's cone is computed.
    Array(Var),
}

/// Bits in the table's store.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct WordRange {
    start: u32,
    len: u32,
}

/// `constant + sum of coefficient * variable`, variables in order and each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Linear {
    pub(crate) constant: Rational,
    pub(crate) terms: Vec<(ArithVar, Rational)>,
}

impl Linear {
    pub(crate) fn constant(constant: Rational) -> Self {
        Self { constant, terms: Vec::new() }
    }
    pub(crate) fn variable(var: ArithVar) -> Self {
        Self { constant: Rational::ZERO, terms: vec![(var, Rational::ONE)] }
    }
    pub(crate) fn scaled(&self, factor: &Rational) -> Self {
        if factor.is_zero() {
            return Self::constant(Rational::ZERO);
        }
        Self {
            constant: &self.constant * factor,
            terms: self.terms.iter().map(|(var, c)| (*var, c * factor)).collect(),
        }
    }
    pub(crate) fn add_scaled(&self, factor: &Rational, other: &Linear) -> Self {
        if factor.is_zero() {
            return self.clone();
        }
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            match (a.peek(), b.peek()) {
                (Some((x, c)), Some((y, d))) if x == y => {
                    let sum = c + &(d * factor);
                    if !sum.is_zero() {
                        terms.push((*x, sum));
                    }
                    a.next();
                    b.next();
                }
                (Some((x, c)), other) if other.is_none_or(|(y, _)| x < y) => {
                    terms.push((*x, c.clone()));
                    a.next();
                }
                (_, Some((y, d))) => {
                    terms.push((*y, d * factor));
                    b.next();
                }
                (_, None) => break,
            }
        }
        Self { constant: &self.constant + &(&other.constant * factor), terms }
    }
    pub(crate) fn minus(&self, other: &Linear) -> Self {
        self.add_scaled(&Rational::MINUS_ONE, other)
    }
    pub(crate) fn plus(&self, other: &Linear) -> Self {
        self.add_scaled(&Rational::ONE, other)
    }
    pub(crate) fn as_constant(&self) -> Option<&Rational> {
        self.terms.is_empty().then_some(&self.constant)
    }
}

/// Translations by term.
#[derive(Default)]
pub(crate) struct Table {
    reprs: Vec<Repr>,
    bits: Vec<Lit>,
    linears: Vec<Linear>,
}

impl Table {
    #[inline]
    pub(crate) fn get(&self, term: Term) -> Repr {
        self.reprs.get(term.index()).copied().unwrap_or(Repr::Absent)
    }
    pub(crate) fn set(&mut self, term: Term, repr: Repr) {
        if self.reprs.len() <= term.index() {
            self.reprs.resize(term.index() + 1 + term.index() / 4, Repr::Absent);
        }
        self.reprs[term.index()] = repr;
    }
    pub(crate) fn word(&self, range: WordRange) -> &[Lit] {
        &self.bits[range.start as usize..(range.start + range.len) as usize]
    }
    pub(crate) fn add_word(&mut self, word: &[Lit]) -> Repr {
        let start = self.bits.len() as u32;
        self.bits.extend_from_slice(word);
        Repr::Word(WordRange { start, len: word.len() as u32 })
    }
    pub(crate) fn linear(&self, index: u32) -> &Linear {
        &self.linears[index as usize]
    }
    pub(crate) fn add_linear(&mut self, linear: Linear) -> Repr {
        self.linears.push(linear);
        Repr::Linear(self.linears.len() as u32 - 1)
    }
}
