//! Bit-vector operators into circuits.

use super::repr::Repr;
use super::{Embedded, Unsupported};
use crate::bits::shift::Direction;
use crate::bits::{Builder, Word};
use crate::sat::Lit;
use quod_term::{Op, Term};

impl Embedded {
    pub(crate) fn translate_bitvec(&mut self, term: Term, op: Op, args: &[Term]) -> Result<Repr, Unsupported> {
        match op {
            Op::UbvToInt => return self.bits_to_integer(term, args[0], false),
            Op::SbvToInt => return self.bits_to_integer(term, args[0], true),
            Op::IntToBv => return self.integer_to_bits(term, args[0]),
            _ => {}
        }
        let words: Vec<Word> = args.iter().map(|&arg| self.word_of(arg)).collect::<Result<_, _>>()?;
        if op == Op::BvAdd {
            let sum = self.sum(args, &words);
            return Ok(self.table.add_word(&sum));
        }
        let (high, low) = self.pool.indices(term);
        let mut builder = self.builder();
        if let Some(literal) = predicate(&mut builder, op, &words) {
            return Ok(Repr::Bool(literal));
        }
        let width = words[0].len();
        let word = match op {
            Op::Concat => words.iter().rev().flatten().copied().collect(),
            Op::Extract => words[0][low as usize..=high as usize].to_vec(),
            Op::ZeroExtend => builder.word_zero_extend(&words[0], width + high as usize),
            Op::SignExtend => builder.word_sign_extend(&words[0], width + high as usize),
            Op::Repeat => (0..high).flat_map(|_| words[0].iter().copied()).collect(),
            Op::RotateLeft => rotate(&words[0], high as usize % width),
            Op::RotateRight => rotate(&words[0], (width - high as usize % width) % width),
            Op::BvNot => builder.word_not(&words[0]),
            Op::BvNeg => builder.word_negate(&words[0]),
            Op::BvAnd => fold(&mut builder, &words, |b, x, y| b.word_map(x, y, |b, x, y| b.and(x, y))),
            Op::BvOr => fold(&mut builder, &words, |b, x, y| b.word_map(x, y, |b, x, y| b.or(x, y))),
            Op::BvXor => fold(&mut builder, &words, |b, x, y| b.word_map(x, y, |b, x, y| b.xor(x, y))),
            Op::BvNand => builder.word_map(&words[0], &words[1], |b, x, y| !b.and(x, y)),
            Op::BvNor => builder.word_map(&words[0], &words[1], |b, x, y| !b.or(x, y)),
            Op::BvXnor => builder.word_map(&words[0], &words[1], |b, x, y| !b.xor(x, y)),
            Op::BvComp => vec![builder.word_eq(&words[0], &words[1])],
            Op::BvSub => fold(&mut builder, &words, |b, x, y| b.word_sub(x, y)),
            Op::BvMul => fold(&mut builder, &words, |b, x, y| b.word_mul(x, y)),
            Op::BvUdiv => builder.word_udiv(&words[0], &words[1]),
            Op::BvUrem => builder.word_urem(&words[0], &words[1]),
            Op::BvSdiv => builder.word_sdiv(&words[0], &words[1]),
            Op::BvSrem => builder.word_srem(&words[0], &words[1]),
            Op::BvSmod => builder.word_smod(&words[0], &words[1]),
            Op::BvShl => {
                let zero = builder.constant(false);
                builder.word_shift(&words[0], &words[1], Direction::Left, zero)
            }
            Op::BvLshr => {
                let zero = builder.constant(false);
                builder.word_shift(&words[0], &words[1], Direction::Right, zero)
            }
            Op::BvAshr => {
                let sign = words[0][width - 1];
                builder.word_shift(&words[0], &words[1], Direction::Right, sign)
            }
            _ => return Err(Unsupported(format!("the operator {}", op.info().name))),
        };
        Ok(self.table.add_word(&word))
    }

    /// A sum. What grows term by term in a program is built from the sum before, so that both share their adders.
    fn sum(&mut self, args: &[Term], words: &[Word]) -> Word {
        let mut shorter = None;
        if (3..=LONGEST_SUM).contains(&args.len()) {
            shorter = (0..args.len()).find_map(|left_out| {
                let rest: Vec<Term> =
                    args.iter().enumerate().filter(|&(at, _)| at != left_out).map(|(_, &t)| t).collect();
                self.sums.get(rest.as_slice()).map(|word| (word.clone(), left_out))
            });
        }
        let mut builder = self.builder();
        let sum = match shorter {
            Some((word, left_out)) => builder.word_add(&word, &words[left_out]),
            None => add_all(&mut builder, words),
        };
        self.sums.insert(args.into(), sum.clone());
        sum
    }
}

/// Sums with more terms are not looked for.
const LONGEST_SUM: usize = 64;

fn fold(
    builder: &mut Builder<'_>,
    words: &[Word],
    mut step: impl FnMut(&mut Builder<'_>, &[Lit], &[Lit]) -> Word,
) -> Word {
    let mut result = words[0].clone();
    for word in &words[1..] {
        result = step(builder, &result, word);
    }
    result
}

/// A sum. The linear form keeps `-x` as `-1 * x`, whose circuit is a negation: `a + -x` is then better a subtraction,
/// which structural hashing cannot see. Constants go last, so that sums of the same variables share their adders.
fn add_all(builder: &mut Builder<'_>, words: &[Word]) -> Word {
    let (constants, others): (Vec<&Word>, Vec<&Word>) =
        words.iter().partition(|word| builder.word_as_constant(word).is_some());
    let mut all = others.into_iter().chain(constants);
    let mut result = all.next().cloned().unwrap_or_default();
    for word in all {
        result = builder.word_add(&result, word);
    }
    result
}

fn rotate(word: &[Lit], amount: usize) -> Word {
    let width = word.len();
    (0..width).map(|at| word[(at + width - amount) % width]).collect()
}

fn predicate(builder: &mut Builder<'_>, op: Op, words: &[Word]) -> Option<Lit> {
    let a = words.first()?;
    let b = words.get(1).unwrap_or(a);
    let width = a.len();
    Some(match op {
        Op::BvUlt => builder.word_ult(a, b),
        Op::BvUle => builder.word_ule(a, b),
        Op::BvUgt => builder.word_ult(b, a),
        Op::BvUge => builder.word_ule(b, a),
        Op::BvSlt => builder.word_slt(a, b),
        Op::BvSle => builder.word_sle(a, b),
        Op::BvSgt => builder.word_slt(b, a),
        Op::BvSge => builder.word_sle(b, a),
        Op::BvNegOverflow => {
            let rest = builder.word_is_zero(&a[..width - 1]);
            builder.and(a[width - 1], rest)
        }
        Op::BvUaddOverflow => {
            let zero = builder.constant(false);
            builder.word_add_carry(a, b, zero).1
        }
        Op::BvUsubOverflow => builder.word_ult(a, b),
        Op::BvSaddOverflow | Op::BvSsubOverflow => {
            let (x, y) = (builder.word_sign_extend(a, width + 1), builder.word_sign_extend(b, width + 1));
            let sum = if op == Op::BvSaddOverflow { builder.word_add(&x, &y) } else { builder.word_sub(&x, &y) };
            builder.xor(sum[width], sum[width - 1])
        }
        Op::BvUmulOverflow => {
            let (x, y) = (builder.word_zero_extend(a, 2 * width), builder.word_zero_extend(b, 2 * width));
            let product = builder.word_mul(&x, &y);
            builder.or_all(product[width..].iter().copied())
        }
        Op::BvSmulOverflow => {
            let (x, y) = (builder.word_sign_extend(a, 2 * width), builder.word_sign_extend(b, 2 * width));
            let product = builder.word_mul(&x, &y);
            let sign = product[width - 1];
            let differ: Vec<Lit> = product[width..].iter().map(|&bit| builder.xor(bit, sign)).collect();
            builder.or_all(differ)
        }
        Op::BvSdivOverflow => {
            let rest = builder.word_is_zero(&a[..width - 1]);
            let minus_one = builder.and_all(b.iter().copied());
            builder.and_all([a[width - 1], rest, minus_one])
        }
        _ => return None,
    })
}
