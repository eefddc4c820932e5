//! Float operators into circuits.

use super::repr::Repr;
use super::{Embedded, Unsupported};
use crate::bits::float::convert::Signedness;
use crate::bits::float::{Format, Rounding};
use crate::bits::{Builder, Word};
use crate::sat::Lit;
use quod_term::{Op, RoundingMode, Sort, Term};

pub(crate) fn format(exponent: u32, significand: u32) -> Format {
    Format { exponent: exponent as usize, significand: significand as usize }
}

fn format_of(sort: Sort) -> Result<Format, Unsupported> {
    let (exponent, significand) = sort.float_format().ok_or_else(|| Unsupported("a float was expected".into()))?;
    Ok(format(exponent, significand))
}

/// Rounding modes are words of three bits.
pub(crate) fn mode_code(mode: RoundingMode) -> u64 {
    match mode {
        RoundingMode::NearestEven => 0,
        RoundingMode::NearestAway => 1,
        RoundingMode::TowardPositive => 2,
        RoundingMode::TowardNegative => 3,
        RoundingMode::TowardZero => 4,
    }
}

pub(crate) fn mode_of_code(code: u64) -> RoundingMode {
    RoundingMode::ALL.into_iter().find(|&mode| mode_code(mode) == code).unwrap_or(RoundingMode::TowardZero)
}

impl Embedded {
    /// Codes above four mean toward zero, too.
    pub(crate) fn canonical_mode(&mut self, raw: &[Lit]) -> Word {
        let high = raw[2];
        let mut builder = self.builder();
        vec![builder.and(raw[0], !high), builder.and(raw[1], !high), high]
    }

    fn rounding(&mut self, term: Term) -> Result<Rounding, Unsupported> {
        let word = self.word_of(term)?;
        let mut builder = self.builder();
        let mut is =
            |code: u64| builder.and_all((0..3).map(|bit| word[bit].flip_if(code >> bit & 1 == 0)).collect::<Vec<_>>());
        Ok(Rounding {
            nearest_even: is(0),
            nearest_away: is(1),
            toward_positive: is(2),
            toward_negative: is(3),
            toward_zero: is(4),
        })
    }

    pub(crate) fn translate_float(&mut self, term: Term, op: Op, args: &[Term]) -> Result<Repr, Unsupported> {
        match op {
            Op::FpLe | Op::FpLt | Op::FpGe | Op::FpGt | Op::FpEq => return self.float_chain(op, args),
            Op::FpFromReal => return self.float_from_real(term, args),
            Op::FpToReal => return Err(Unsupported("fp.to_real of an unknown".into())),
            _ => {}
        }
        let takes_rounding = matches!(self.sort_of(args[0]).kind(), quod_term::SortKind::RoundingMode);
        let rounding = if takes_rounding { Some(self.rounding(args[0])?) } else { None };
        let operands = if takes_rounding { &args[1..] } else { args };
        let words: Vec<Word> = operands.iter().map(|&arg| self.word_of(arg)).collect::<Result<_, _>>()?;
        let source = self.sort_of(operands[0]);
        let target = self.sort_of(term);
        let word = match (op, rounding) {
            (Op::Fp, _) => {
                let bits: Word = words.iter().rev().flatten().copied().collect();
                self.builder().float_canonical(format_of(target)?, &bits)
            }
            (Op::FpFromBits, _) => self.builder().float_canonical(format_of(target)?, &words[0]),
            (Op::FpToBits, _) => words[0].clone(),
            (Op::FpFromFp, Some(r)) => {
                self.builder().float_to_float(format_of(source)?, format_of(target)?, &r, &words[0])
            }
            (Op::FpFromSigned, Some(r)) => {
                self.builder().float_from_word(format_of(target)?, &r, &words[0], Signedness::Signed)
            }
            (Op::FpFromUnsigned, Some(r)) => {
                self.builder().float_from_word(format_of(target)?, &r, &words[0], Signedness::Unsigned)
            }
            (Op::FpToUbv | Op::FpToSbv, Some(r)) => {
                let width = target.width().unwrap_or(1) as usize;
                let signedness = if op == Op::FpToUbv { Signedness::Unsigned } else { Signedness::Signed };
                let mut builder = self.builder();
                let (word, is_defined) = builder.float_to_word(format_of(source)?, &r, &words[0], width, signedness);
                // Out of range the evaluator says zero.
                word.iter().map(|&bit| builder.and(bit, is_defined)).collect()
            }
            _ => {
                let format = format_of(source)?;
                let mut builder = self.builder();
                if let Some(literal) = classify(&mut builder, op, format, &words[0]) {
                    return Ok(Repr::Bool(literal));
                }
                operate(&mut builder, op, format, rounding.as_ref(), &words)
                    .ok_or_else(|| Unsupported(format!("the operator {} on this format", op.info().name)))?
            }
        };
        Ok(self.table.add_word(&word))
    }

    fn float_chain(&mut self, op: Op, args: &[Term]) -> Result<Repr, Unsupported> {
        let format = format_of(self.sort_of(args[0]))?;
        let words: Vec<Word> = args.iter().map(|&arg| self.word_of(arg)).collect::<Result<_, _>>()?;
        let mut builder = self.builder();
        let literals: Vec<Lit> = words
            .windows(2)
            .map(|pair| match op {
                Op::FpLe => builder.float_le(format, &pair[0], &pair[1]),
                Op::FpLt => builder.float_lt(format, &pair[0], &pair[1]),
                Op::FpGe => builder.float_le(format, &pair[1], &pair[0]),
                Op::FpGt => builder.float_lt(format, &pair[1], &pair[0]),
                _ => builder.float_eq(format, &pair[0], &pair[1]),
            })
            .collect();
        Ok(Repr::Bool(builder.and_all(literals)))
    }

    fn float_from_real(&mut self, term: Term, args: &[Term]) -> Result<Repr, Unsupported> {
        let rounding = self.rounding(args[0])?;
        let linear = self.linear_of(args[1])?;
        let Some(value) = linear.as_constant() else {
            return Err(Unsupported("to_fp of an unknown real".into()));
        };
        let format = format_of(self.sort_of(term))?;
        let (numerator, denominator) = (value.numerator(), value.denominator());
        let word = self.builder().float_from_rational(
            format,
            &rounding,
            value.is_negative(),
            numerator.magnitude(),
            denominator.magnitude(),
        );
        Ok(self.table.add_word(&word))
    }
}

fn classify(builder: &mut Builder<'_>, op: Op, format: Format, a: &[Lit]) -> Option<Lit> {
    Some(match op {
        Op::FpIsNormal => builder.float_is_normal(format, a),
        Op::FpIsSubnormal => builder.float_is_subnormal(format, a),
        Op::FpIsZero => builder.float_is_zero(format, a),
        Op::FpIsInfinite => builder.float_is_infinite(format, a),
        Op::FpIsNan => builder.float_is_nan(format, a),
        Op::FpIsNegative => builder.float_is_negative(format, a),
        Op::FpIsPositive => builder.float_is_positive(format, a),
        _ => return None,
    })
}

fn operate(b: &mut Builder<'_>, op: Op, format: Format, rounding: Option<&Rounding>, words: &[Word]) -> Option<Word> {
    let x = words.first()?;
    let y = words.get(1).unwrap_or(x);
    Some(match op {
        Op::FpAbs => b.float_abs(format, x),
        Op::FpNeg => b.float_negate(format, x),
        Op::FpMin => b.float_min(format, x, y),
        Op::FpMax => b.float_max(format, x, y),
        Op::FpRem if Builder::float_rem_is_feasible(format) => b.float_rem(format, x, y),
        Op::FpAdd => b.float_add(format, rounding?, x, y),
        Op::FpSub => b.float_sub(format, rounding?, x, y),
        Op::FpMul => b.float_mul(format, rounding?, x, y),
        Op::FpDiv => b.float_div(format, rounding?, x, y),
        Op::FpSqrt => b.float_sqrt(format, rounding?, x),
        Op::FpRoundToIntegral => b.float_round_to_integral(format, rounding?, x),
        Op::FpFma => b.float_fma(format, rounding?, x, y, words.get(2)?),
        _ => return None,
    })
}
