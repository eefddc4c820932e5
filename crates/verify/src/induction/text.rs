//! Invariants as C expressions, for witnesses. Each goes with what it means at its head, and is told only where that is
//! shown; what follows from those before it is left out.

use super::candidates::{Candidates, Column, bv};
use super::hull::Equation;
use super::{Prover, Stop, print};
use crate::abstraction::LoopFact;
use quod_model::ir::{FunctionId, LocationId};
use quod_solver::Answer;
use quod_term::{Term, TermPool};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a loop was found to keep, in one of the ways to it.
pub(super) struct Told {
    pub(super) function: FunctionId,
    pub(super) head: LocationId,
    /// What is known at the head.
    pub(super) known: Vec<Term>,
    pub(super) texts: Vec<(String, Term)>,
    /// Why the loop ends, where that is asked and can be said.
    pub(super) relation: Option<String>,
}

const MOST_TEXTS: usize = 120;
/// What writing them down may cost.
const TEXT_WORK: u64 = 300_000;
/// Bits in which no sum here overflows.
const WIDE: u32 = 100;
/// Larger factors could overflow `long long`.
const MOST_FACTOR: i64 = 1 << 20;

impl Prover<'_, '_> {
    /// What all ways to a head agree on.
    pub(super) fn agreed(&mut self, told: &[Told]) -> Vec<LoopFact> {
        let mut facts = Vec::new();
        // What it costs does not make the proof worse.
        self.work = self.work.saturating_add(TEXT_WORK);
        let _ = self.agree(told, &mut facts);
        facts
    }

    fn agree(&mut self, told: &[Told], facts: &mut Vec<LoopFact>) -> Result<(), Stop> {
        let mut heads: BTreeMap<(FunctionId, LocationId), Vec<&Told>> = BTreeMap::new();
        for told in told {
            heads.entry((told.function, told.head)).or_default().push(told);
        }
        let pool = self.machine.domain.pool.clone();
        for ((function, head), ways) in heads {
            let Some((first, others)) = ways.split_first() else { continue };
            let mut kept: Vec<Term> = Vec::new();
            for (text, meaning) in first.texts.iter().take(MOST_TEXTS) {
                let mut terms = kept.clone();
                terms.push(pool.not(*meaning));
                if matches!(self.check(&terms)?, Answer::Unsat(_)) {
                    continue;
                }
                let mut is_known = self.implies(&first.known, *meaning)?;
                for way in others {
                    let found = way.texts.iter().find(|(other, _)| other == text);
                    is_known = is_known
                        && match found {
                            Some((_, meaning)) => self.implies(&way.known, *meaning)?,
                            None => false,
                        };
                }
                if is_known {
                    kept.push(*meaning);
                    facts.push(LoopFact { function, head, expression: text.clone() });
                }
            }
            if let Some(relation) = ways.iter().find_map(|way| way.relation.as_ref()) {
                facts.push(LoopFact { function, head, expression: relation.clone() });
            }
        }
        Ok(())
    }

    fn implies(&mut self, known: &[Term], meaning: Term) -> Result<bool, Stop> {
        let mut terms = known.to_vec();
        terms.push(self.machine.domain.pool.not(meaning));
        Ok(matches!(self.check(&terms)?, Answer::Unsat(_)))
    }
}

impl Candidates {
    /// The candidates that can be said with the names of variables.
    pub(super) fn texts(&self, pool: &TermPool) -> Vec<(String, Term)> {
        let mut texts = Vec::new();
        for case in self.cases.iter().filter(|case| case.guard.is_none() && !case.is_empty()) {
            for equation in case.equations(self.columns.len()) {
                texts.extend(self.equation_text(pool, &equation));
            }
            for form in &case.forms {
                if let Some(bound) = form.bound {
                    texts.extend(self.form_text(pool, &form.parts, bound));
                }
            }
            for (place, modulus, residue) in case.residues() {
                let column = &self.columns[place];
                let Some(name) = column.name.as_ref().filter(|_| modulus > 1 && !column.is_signed) else { continue };
                let (modulus_text, residue_text) = (literal(modulus, column), literal(residue, column));
                let rest = pool.bv_urem(column.head, bv(pool, column.width, modulus));
                let meaning = pool.eq(rest, bv(pool, column.width, residue));
                texts.push((format!("{name} % {modulus_text} == {residue_text}"), meaning));
            }
        }
        // As they are: modulo the width, and for cases.
        let names = self.columns.iter().filter_map(|column| Some((column.head, column.name.clone()?)));
        let names: FxHashMap<Term, String> = names.collect();
        let values: Vec<Term> = self.columns.iter().map(|column| column.head).collect();
        for (_, term) in self.atoms(pool, &values, &FxHashMap::default()) {
            if let Some(text) = print::condition(pool, term, &names, 0) {
                texts.push((text, term));
            }
        }
        texts
    }

    fn wide(&self, pool: &TermPool, column: &Column) -> Term {
        let more = WIDE - column.width;
        if column.is_signed { pool.sign_extend(more, column.head) } else { pool.zero_extend(more, column.head) }
    }

    fn equation_text(&self, pool: &TermPool, equation: &Equation) -> Option<(String, Term)> {
        let used: Vec<(&Column, i64)> =
            self.columns.iter().zip(equation.coefficients.iter().copied()).filter(|(_, factor)| *factor != 0).collect();
        let mut sum = bv(pool, WIDE, equation.constant.into());
        for (column, factor) in &used {
            let product = pool.bv_mul(bv(pool, WIDE, i128::from(*factor)), self.wide(pool, column));
            sum = pool.bv_add(sum, product);
        }
        let meaning = pool.eq(sum, bv(pool, WIDE, 0));
        let text = match used[..] {
            [(column, factor)] => {
                let value = i128::from(-equation.constant).checked_div(factor.into())?;
                format!("{} == {}", column.name.as_ref()?, literal(value, column))
            }
            [(a, x), (b, y)]
                if x + y == 0 && equation.constant == 0 && (a.width, a.is_signed) == (b.width, b.is_signed) =>
            {
                format!("{} == {}", a.name.as_ref()?, b.name.as_ref()?)
            }
            _ => {
                let is_small = |(column, factor): &(&Column, i64)| column.width <= 32 && factor.abs() < MOST_FACTOR;
                if !used.iter().all(is_small) || used.is_empty() {
                    return None;
                }
                let mut parts = Vec::new();
                for (column, factor) in &used {
                    let name = column.name.as_ref()?;
                    parts.push(match factor {
                        1 => format!("(long long){name}"),
                        _ => format!("{} * (long long){name}", long(*factor)),
                    });
                }
                format!("{} == {}", parts.join(" + "), long(-equation.constant))
            }
        };
        Some((text, meaning))
    }

    fn form_text(&self, pool: &TermPool, parts: &[(usize, i128)], bound: i128) -> Option<(String, Term)> {
        let mut sum = bv(pool, WIDE, 0);
        for &(place, sign) in parts {
            let value = self.wide(pool, &self.columns[place]);
            sum = if sign > 0 { pool.bv_add(sum, value) } else { pool.bv_sub(sum, value) };
        }
        let meaning = pool.bv_sle(sum, bv(pool, WIDE, bound));
        let column = |place: usize| &self.columns[place];
        let text = match *parts {
            [(place, 1)] => format!("{} <= {}", column(place).name.as_ref()?, literal(bound, column(place))),
            [(place, _)] => format!("{} <= {}", literal(-bound, column(place)), column(place).name.as_ref()?),
            [(a, 1), (b, -1)] | [(b, -1), (a, 1)]
                if bound == 0 && (column(a).width, column(a).is_signed) == (column(b).width, column(b).is_signed) =>
            {
                format!("{} <= {}", column(a).name.as_ref()?, column(b).name.as_ref()?)
            }
            _ => {
                if parts.iter().any(|&(place, _)| column(place).width > 32) || bound.abs() > 1 << 40 {
                    return None;
                }
                let mut text = String::new();
                for &(place, sign) in parts {
                    let name = column(place).name.as_ref()?;
                    let sign = match (sign > 0, text.is_empty()) {
                        (true, true) => "",
                        (true, false) => " + ",
                        (false, true) => "-",
                        (false, false) => " - ",
                    };
                    text += &format!("{sign}(long long){name}");
                }
                format!("{text} <= {}", long(bound as i64))
            }
        };
        Some((text, meaning))
    }
}

fn long(value: i64) -> String {
    if value < 0 { format!("({value}LL)") } else { format!("{value}LL") }
}

/// A constant that C reads back as this value of the column's type.
fn literal(value: i128, column: &Column) -> String {
    let suffix = match (column.is_signed, column.width) {
        (true, 64) => "LL",
        (true, _) => "",
        (false, 64) => "ULL",
        (false, _) => "U",
    };
    if value < 0 { format!("(-{}{suffix} - 1)", -(value + 1)) } else { format!("{value}{suffix}") }
}
