//! Interpretations as Spacer prints them, read back as conditions on bit-vectors: each number in as many bits as it needs.

use crate::induction::candidates::bv;
use quod_solver::portfolio::reply::Sexpr;
use quod_term::{Term, TermPool};
use rustc_hash::FxHashMap;

/// An argument of a predicate: what it stands for, and how it is read.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub(super) term: Term,
    pub(super) is_unsigned: bool,
}

/// A number between bounds, read with its sign.
#[derive(Copy, Clone, Debug)]
struct Number {
    term: Term,
    low: i128,
    high: i128,
}

#[derive(Copy, Clone, Debug)]
enum Found {
    Condition(Term),
    Number(Number),
}

struct Parser<'a> {
    pool: &'a TermPool,
    names: FxHashMap<String, Found>,
    left: usize,
}

/// Parts of an interpretation that are read.
const MOST_PARTS: usize = 20_000;
/// No number has more bits.
const MOST_BITS: u32 = 100;

/// The interpretation of a predicate with these arguments; nothing where it says more than we read.
pub(super) fn interpretation(pool: &TermPool, model: &Sexpr, name: &str, arguments: &[Argument]) -> Option<Term> {
    let definition = model.list()?.iter().find_map(|definition| match definition.list()? {
        [keyword, found, parameters, _, body] if keyword.atom() == Some("define-fun") && found.atom() == Some(name) => {
            Some((parameters, body))
        }
        _ => None,
    });
    let (parameters, body) = definition?;
    let mut parser = Parser { pool, names: FxHashMap::default(), left: MOST_PARTS };
    let parameters = parameters.list()?;
    if parameters.len() != arguments.len() {
        return None;
    }
    for (parameter, argument) in parameters.iter().zip(arguments) {
        let name = parameter.list()?.first()?.atom()?;
        let width = pool.sort(argument.term).width()?;
        let number = if argument.is_unsigned {
            let more = bits(0, (1i128 << width) - 1)? - width;
            Number { term: pool.zero_extend(more, argument.term), low: 0, high: (1i128 << width) - 1 }
        } else {
            Number { term: argument.term, low: -(1i128 << (width - 1)), high: (1i128 << (width - 1)) - 1 }
        };
        parser.names.insert(name.to_string(), Found::Number(number));
    }
    match parser.read(body)? {
        Found::Condition(term) => Some(term),
        Found::Number(_) => None,
    }
}

impl Parser<'_> {
    fn read(&mut self, text: &Sexpr) -> Option<Found> {
        self.left = self.left.checked_sub(1)?;
        stacker::maybe_grow(64 << 10, 1 << 20, || match text {
            Sexpr::Atom(atom) => self.atom(atom),
            Sexpr::List(items) => self.list(items),
        })
    }

    fn atom(&mut self, atom: &str) -> Option<Found> {
        match atom {
            "true" => return Some(Found::Condition(self.pool.true_())),
            "false" => return Some(Found::Condition(self.pool.false_())),
            _ => {}
        }
        if let Some(&found) = self.names.get(atom) {
            return Some(found);
        }
        let value: i128 = atom.parse().ok()?;
        self.constant(value)
    }

    fn constant(&self, value: i128) -> Option<Found> {
        let width = bits(value, value)?;
        Some(Found::Number(Number { term: bv(self.pool, width, value), low: value, high: value }))
    }

    fn list(&mut self, items: &[Sexpr]) -> Option<Found> {
        let operator = items.first()?.atom()?;
        if operator == "let" {
            let [_, bindings, body] = items else { return None };
            let mut found = Vec::new();
            for binding in bindings.list()? {
                let [name, value] = binding.list()? else { return None };
                found.push((name.atom()?.to_string(), self.read(value)?));
            }
            let shadowed: Vec<(String, Option<Found>)> =
                found.iter().map(|(name, _)| (name.clone(), self.names.get(name).copied())).collect();
            self.names.extend(found);
            let result = self.read(body);
            for (name, before) in shadowed {
                match before {
                    Some(before) => self.names.insert(name, before),
                    None => self.names.remove(&name),
                };
            }
            return result;
        }
        let mut args = Vec::with_capacity(items.len());
        for item in &items[1..] {
            args.push(self.read(item)?);
        }
        let pool = self.pool;
        let conditions: Option<Vec<Term>> = args.iter().map(|arg| arg.condition()).collect();
        match (operator, conditions) {
            ("and", Some(parts)) => return Some(Found::Condition(pool.and(&parts))),
            ("or", Some(parts)) => return Some(Found::Condition(pool.or(&parts))),
            ("not", Some(parts)) => return Some(Found::Condition(pool.not(*parts.first()?))),
            ("=>", Some(parts)) if parts.len() == 2 => return Some(Found::Condition(pool.implies(parts[0], parts[1]))),
            ("=", Some(parts)) if parts.len() == 2 => return Some(Found::Condition(pool.eq(parts[0], parts[1]))),
            _ => {}
        }
        if operator == "ite" {
            let [when, then, otherwise] = args[..] else { return None };
            let when = when.condition()?;
            return match (then, otherwise) {
                (Found::Condition(a), Found::Condition(b)) => Some(Found::Condition(pool.ite(when, a, b))),
                (Found::Number(a), Found::Number(b)) => {
                    let (low, high) = (a.low.min(b.low), a.high.max(b.high));
                    let width = bits(low, high)?;
                    let term = pool.ite(when, self.in_bits(a, width)?, self.in_bits(b, width)?);
                    Some(Found::Number(Number { term, low, high }))
                }
                _ => None,
            };
        }
        let numbers: Option<Vec<Number>> = args.iter().map(|arg| arg.number()).collect();
        let numbers = numbers?;
        let (&first, rest) = numbers.split_first()?;
        match (operator, rest) {
            ("-", []) => {
                let zero = self.constant(0)?.number()?;
                self.sum(zero, first, -1)
            }
            ("+" | "-", _) => {
                let sign = if operator == "+" { 1 } else { -1 };
                let mut sum = first;
                for &part in rest {
                    sum = self.sum(sum, part, sign)?.number()?;
                }
                Some(Found::Number(sum))
            }
            ("*", _) => {
                let mut product = first;
                for &part in rest {
                    product = self.product(product, part)?;
                }
                Some(Found::Number(product))
            }
            ("mod" | "div", [by]) if by.low == by.high && by.low > 0 => {
                let width = bits(first.low.min(0), first.high.max(by.high))?;
                let (value, divisor) = (self.in_bits(first, width)?, self.in_bits(*by, width)?);
                let rest = pool.bv_smod(value, divisor);
                if operator == "mod" {
                    return Some(Found::Number(Number { term: rest, low: 0, high: by.low - 1 }.fitted(self)?));
                }
                // What is left is a multiple.
                let wider = width + 1;
                let multiple = pool.bv_sub(pool.sign_extend(1, value), pool.sign_extend(1, rest));
                let term = pool.bv_sdiv(multiple, pool.sign_extend(1, divisor));
                let number = Number { term, low: first.low.div_euclid(by.low), high: first.high.div_euclid(by.low) };
                (wider <= MOST_BITS).then_some(())?;
                Some(Found::Number(number.fitted(self)?))
            }
            ("<" | "<=" | ">" | ">=" | "=", [second]) => {
                let second = *second;
                let width = bits(first.low.min(second.low), first.high.max(second.high))?;
                let (a, b) = (self.in_bits(first, width)?, self.in_bits(second, width)?);
                Some(Found::Condition(match operator {
                    "<" => pool.bv_slt(a, b),
                    "<=" => pool.bv_sle(a, b),
                    ">" => pool.bv_slt(b, a),
                    ">=" => pool.bv_sle(b, a),
                    _ => pool.eq(a, b),
                }))
            }
            _ => None,
        }
    }

    fn in_bits(&self, number: Number, width: u32) -> Option<Term> {
        let has = self.pool.sort(number.term).width()?;
        match width.cmp(&has) {
            std::cmp::Ordering::Less => Some(self.pool.extract(width - 1, 0, number.term)),
            std::cmp::Ordering::Equal => Some(number.term),
            std::cmp::Ordering::Greater => Some(self.pool.sign_extend(width - has, number.term)),
        }
    }

    fn sum(&self, a: Number, b: Number, sign: i128) -> Option<Found> {
        let (low, high) = if sign > 0 { (b.low, b.high) } else { (b.high.checked_neg()?, b.low.checked_neg()?) };
        let (low, high) = (a.low.checked_add(low)?, a.high.checked_add(high)?);
        let width = bits(low.min(b.low).min(a.low), high.max(b.high).max(a.high))?;
        let (x, y) = (self.in_bits(a, width)?, self.in_bits(b, width)?);
        let term = if sign > 0 { self.pool.bv_add(x, y) } else { self.pool.bv_sub(x, y) };
        Some(Found::Number(Number { term, low, high }))
    }

    fn product(&self, a: Number, b: Number) -> Option<Number> {
        let mut ends = Vec::new();
        for x in [a.low, a.high] {
            for y in [b.low, b.high] {
                ends.push(x.checked_mul(y)?);
            }
        }
        let (low, high) = (*ends.iter().min()?, *ends.iter().max()?);
        let width = bits(low.min(b.low).min(a.low), high.max(b.high).max(a.high))?;
        let term = self.pool.bv_mul(self.in_bits(a, width)?, self.in_bits(b, width)?);
        Some(Number { term, low, high })
    }
}

impl Number {
    /// In as many bits as its bounds need.
    fn fitted(self, parser: &Parser<'_>) -> Option<Number> {
        let term = parser.in_bits(self, bits(self.low, self.high)?)?;
        Some(Number { term, ..self })
    }
}

impl Found {
    fn condition(&self) -> Option<Term> {
        match self {
            Found::Condition(term) => Some(*term),
            Found::Number(_) => None,
        }
    }

    fn number(&self) -> Option<Number> {
        match self {
            Found::Number(number) => Some(*number),
            Found::Condition(_) => None,
        }
    }
}

/// Bits that numbers between the bounds need, with their sign; as many as a type of C has, where there is one.
fn bits(low: i128, high: i128) -> Option<u32> {
    let of = |value: i128| 129 - if value < 0 { value.leading_ones() } else { value.leading_zeros() };
    let width = of(low).max(of(high));
    let width = [32, 64].into_iter().find(|&wide| width <= wide).unwrap_or(width);
    (width <= MOST_BITS).then_some(width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quod_solver::portfolio::reply::Reader;
    use quod_term::Sort;

    fn read(text: &str) -> Sexpr {
        let mut reader = Reader::default();
        text.chars().find_map(|character| reader.push(character).ok().flatten()).expect("an expression")
    }

    #[test]
    fn what_spacer_prints_is_read_in_as_many_bits_as_needed() {
        let pool = TermPool::new();
        let x = pool.symbol("x", Sort::bit_vec(8));
        let y = pool.symbol("y", Sort::bit_vec(8));
        let model = read(
            "((define-fun inv ((x!0 Int) (x!1 Int)) Bool
               (let ((a!1 (not (<= (+ x!0 (* (- 2) x!1)) 100)))) (or a!1 (= (mod x!0 4) 3)))))",
        );
        let arguments = [Argument { term: x, is_unsigned: false }, Argument { term: y, is_unsigned: true }];
        let condition = interpretation(&pool, &model, "inv", &arguments).expect("it is read");
        for (a, b) in [(0i128, 0i128), (127, 3), (-128, 255), (-5, 0), (101, 0), (127, 13), (127, 14), (7, 200)] {
            let values = [(x, bv(&pool, 8, a)), (y, bv(&pool, 8, b))].into_iter().collect();
            let expected = a - 2 * b > 100 || a.rem_euclid(4) == 3;
            assert_eq!(pool.substitute(condition, &values), pool.bool(expected), "{a} {b}");
        }
        assert!(interpretation(&pool, &model, "other", &arguments).is_none());
        assert!(interpretation(&pool, &read("((define-fun p () Bool (exists ((x Int)) true)))"), "p", &[]).is_none());
    }
}
