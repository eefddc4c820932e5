//! Terms over ideal integers: what a bit-vector stands for where nothing wraps. What has no such reading is any number of its
//! width. Nothing rests on this: it only makes questions that Spacer is good at.

use quod_term::{Op, Sort, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) struct Encoder<'a> {
    pool: &'a TermPool,
    /// Symbols that are read without a sign.
    unsigned: FxHashSet<Term>,
    numbers: FxHashMap<(Term, bool), Term>,
    conditions: FxHashMap<Term, Term>,
    /// Integer symbols that stand for something, with bounds.
    bounds: FxHashMap<Term, (Term, Term)>,
    count: usize,
}

/// Narrower parts of a number are taken modulo their width; wider ones are thought to lose nothing.
const NARROW: u32 = 16;

impl<'a> Encoder<'a> {
    /// For terms of which `terms` are all.
    pub(super) fn new(pool: &'a TermPool, terms: &[Term]) -> Self {
        let mut votes: FxHashMap<Term, i64> = FxHashMap::default();
        for term in pool.subterms(terms) {
            let vote = match pool.op(term) {
                Op::BvUlt | Op::BvUdiv | Op::BvUrem | Op::BvLshr | Op::Concat => 1,
                Op::BvSlt | Op::BvSdiv | Op::BvSrem | Op::BvSmod | Op::BvAshr | Op::SignExtend => -1,
                _ => continue,
            };
            for symbol in pool.free_symbols(pool.args(term)) {
                *votes.entry(symbol).or_default() += vote;
            }
        }
        #[allow(clippy::iter_over_hash_type)] // a set is made of a map
        let unsigned = votes.into_iter().filter(|(_, vote)| *vote > 0).map(|(symbol, _)| symbol).collect();
        Self {
            pool,
            unsigned,
            numbers: FxHashMap::default(),
            conditions: FxHashMap::default(),
            bounds: FxHashMap::default(),
            count: 0,
        }
    }

    pub(super) fn is_unsigned(&self, symbol: Term) -> bool {
        self.unsigned.contains(&symbol)
    }

    /// What is known of the integer symbols of some terms by their widths.
    pub(super) fn ranges(&self, symbols: &[Term]) -> Vec<Term> {
        let found = symbols.iter().filter_map(|symbol| Some((*symbol, *self.bounds.get(symbol)?)));
        found.flat_map(|(symbol, (low, high))| [self.pool.le(low, symbol), self.pool.le(symbol, high)]).collect()
    }

    fn variable(&mut self, name: &str, width: u32, is_unsigned: bool) -> Term {
        let symbol = self.pool.symbol(name, Sort::INT);
        let power =
            |bits: u32| self.pool.number(quod_base::Rational::from(num_bigint::BigInt::from(1) << bits), Sort::INT);
        let one = self.pool.int(1);
        let (low, high) = if is_unsigned {
            (self.pool.int(0), self.pool.sub(power(width), one))
        } else {
            (self.pool.neg(power(width - 1)), self.pool.sub(power(width - 1), one))
        };
        self.bounds.insert(symbol, (low, high));
        symbol
    }

    fn any_number(&mut self, width: u32) -> Term {
        self.count += 1;
        self.variable(&format!("any{}", self.count), width, false)
    }

    fn constant(&self, term: Term, is_signed: bool) -> Option<Term> {
        let value = self.pool.bv_constant(term)?;
        let number = if is_signed { value.to_signed() } else { value.to_biguint().into() };
        Some(self.pool.number(quod_base::Rational::from(number), Sort::INT))
    }

    /// A bit-vector as an integer; constants as they are read with a sign, or without.
    pub(super) fn number(&mut self, term: Term, is_signed: bool) -> Term {
        if let Some(&known) = self.numbers.get(&(term, is_signed)) {
            return known;
        }
        let found = stacker::maybe_grow(64 << 10, 1 << 20, || self.number_afresh(term, is_signed));
        self.numbers.insert((term, is_signed), found);
        found
    }

    fn number_afresh(&mut self, term: Term, is_signed: bool) -> Term {
        let pool = self.pool;
        let width = pool.sort(term).width().unwrap_or(32).max(1);
        let args = pool.args(term);
        let divisor = |place: usize| pool.bv_constant(args[place]).and_then(|value| value.to_u64());
        match pool.op(term) {
            Op::Const => self.constant(term, is_signed).unwrap_or_else(|| pool.int(0)),
            Op::Symbol => {
                let name = pool.symbol_name(term).map_or_else(String::new, |name| name.to_string());
                let is_unsigned = self.is_unsigned(term);
                self.variable(&format!("{name}.{width}"), width, is_unsigned)
            }
            Op::BvAdd => {
                let parts: Vec<Term> = args.iter().map(|&arg| self.number(arg, true)).collect();
                pool.add(&parts)
            }
            Op::BvMul => {
                let parts: Vec<Term> = args.iter().map(|&arg| self.number(arg, true)).collect();
                pool.mul(&parts)
            }
            Op::BvNot => {
                let inner = self.number(args[0], true);
                pool.sub(pool.neg(inner), pool.int(1))
            }
            Op::Ite => {
                let condition = self.condition(args[0]);
                let (then, otherwise) = (self.number(args[1], is_signed), self.number(args[2], is_signed));
                pool.ite(condition, then, otherwise)
            }
            Op::SignExtend => self.number(args[0], true),
            Op::Concat => match args {
                [zeros, inner] if pool.bv_constant(*zeros).is_some_and(|value| value.is_zero()) => {
                    self.number(*inner, false)
                }
                [high, zeros] if pool.bv_constant(*zeros).is_some_and(|value| value.is_zero()) => {
                    let more = pool.sort(*zeros).width().unwrap_or(0).min(62);
                    let high = self.number(*high, is_signed);
                    pool.mul(&[pool.int(1 << more), high])
                }
                _ => self.any_number(width),
            },
            Op::Extract => {
                let (high, low) = pool.indices(term);
                let inner = self.number(args[0], true);
                let whole = pool.sort(args[0]).width().unwrap_or(0);
                if high == low && high + 1 == whole {
                    let is_negative = self.sign(inner, whole);
                    return pool.ite(is_negative, pool.int(1), pool.int(0));
                }
                if low > 62 {
                    return self.any_number(width);
                }
                let shifted = if low == 0 { inner } else { pool.int_div(inner, pool.int(1 << low)) };
                if width <= NARROW { pool.int_mod(shifted, pool.int(1 << width)) } else { shifted }
            }
            Op::BvUrem => match divisor(1) {
                Some(by) if by > 0 && by < 1 << 62 => {
                    let value = self.number(args[0], false);
                    pool.int_mod(value, pool.int(by as i64))
                }
                _ => self.any_number(width),
            },
            Op::BvUdiv => match divisor(1) {
                Some(by) if by > 0 && by < 1 << 62 => {
                    let value = self.number(args[0], false);
                    pool.int_div(value, pool.int(by as i64))
                }
                _ => self.any_number(width),
            },
            Op::BvSrem | Op::BvSdiv => match divisor(1) {
                Some(by) if by > 0 && by < 1 << (width - 1).min(62) => {
                    let (value, by) = (self.number(args[0], true), pool.int(by as i64));
                    let positive = pool.le(pool.int(0), value);
                    let of = |value: Term| {
                        if pool.op(term) == Op::BvSrem { pool.int_mod(value, by) } else { pool.int_div(value, by) }
                    };
                    pool.ite(positive, of(value), pool.neg(of(pool.neg(value))))
                }
                _ => self.any_number(width),
            },
            Op::BvShl | Op::BvLshr | Op::BvAshr => match divisor(1) {
                Some(by) if by < 62 => {
                    let factor = pool.int(1 << by);
                    let value = self.number(args[0], pool.op(term) != Op::BvLshr);
                    if pool.op(term) == Op::BvShl { pool.mul(&[factor, value]) } else { pool.int_div(value, factor) }
                }
                _ => self.any_number(width),
            },
            _ => self.any_number(width),
        }
    }

    /// A sum that has wrapped once at most is negative.
    fn sign(&self, value: Term, width: u32) -> Term {
        let pool = self.pool;
        let half = pool.number(quod_base::Rational::from(num_bigint::BigInt::from(1) << (width - 1)), Sort::INT);
        let is_low = pool.and2(pool.lt(value, pool.int(0)), pool.le(pool.neg(half), value));
        pool.or2(pool.le(half, value), is_low)
    }

    pub(super) fn condition(&mut self, term: Term) -> Term {
        if let Some(&known) = self.conditions.get(&term) {
            return known;
        }
        let found = stacker::maybe_grow(64 << 10, 1 << 20, || self.condition_afresh(term));
        self.conditions.insert(term, found);
        found
    }

    fn condition_afresh(&mut self, term: Term) -> Term {
        let pool = self.pool;
        let args = pool.args(term);
        let is_bits = |term: Term| pool.sort(term).is_bit_vec();
        match pool.op(term) {
            Op::Const => term,
            Op::Not => {
                let inner = self.condition(args[0]);
                pool.not(inner)
            }
            Op::And | Op::Or => {
                let parts: Vec<Term> = args.iter().map(|&arg| self.condition(arg)).collect();
                if pool.op(term) == Op::And { pool.and(&parts) } else { pool.or(&parts) }
            }
            Op::Ite => {
                let parts: Vec<Term> = args.iter().map(|&arg| self.condition(arg)).collect();
                pool.ite(parts[0], parts[1], parts[2])
            }
            Op::Eq if args.len() == 2 && is_bits(args[0]) => {
                // Constants mean what the other side is read as.
                let is_unsigned = pool.free_symbols(args).iter().any(|&symbol| self.is_unsigned(symbol));
                let (a, b) = (self.number(args[0], !is_unsigned), self.number(args[1], !is_unsigned));
                pool.eq(a, b)
            }
            Op::Eq if args.len() == 2 && pool.sort(args[0]) == Sort::BOOL => {
                let (a, b) = (self.condition(args[0]), self.condition(args[1]));
                pool.eq(a, b)
            }
            Op::BvUlt | Op::BvSlt => {
                let is_signed = pool.op(term) == Op::BvSlt;
                let (a, b) = (self.number(args[0], is_signed), self.number(args[1], is_signed));
                pool.lt(a, b)
            }
            _ => {
                self.count += 1;
                pool.symbol(format!("either{}", self.count).as_str(), Sort::BOOL)
            }
        }
    }
}
