//! Values that solvers print, as values of terms.

use super::reply::Sexpr;
use num_bigint::{BigInt, BigUint};
use quod_base::Rational;
use quod_term::{ArrayValue, BitVector, FloatValue, RoundingMode, Sort, SortKind, SortOrd, Value};
use std::sync::Arc;

/// The value of the sort that the text stands for. Elements of uninterpreted sorts are numbered by `element`.
pub fn parse(text: &Sexpr, sort: Sort, element: &mut dyn FnMut(&str) -> u64) -> Option<Value> {
    match sort.kind() {
        SortKind::Bool => match text.atom()? {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        SortKind::Int => number(text, 0).filter(Rational::is_integer).map(Value::Int),
        SortKind::Real => number(text, 0).map(Value::Real),
        SortKind::BitVec(width) => bits(text, width).map(Value::BitVec),
        SortKind::Float(exponent, significand) => float(text, exponent, significand).map(Value::Float),
        SortKind::RoundingMode => mode(text.atom()?).map(Value::RoundingMode),
        SortKind::Array(index, value) => array(text, index, value, element),
        SortKind::Uninterpreted(..) => {
            let name = match text {
                Sexpr::Atom(name) => name.as_str(),
                // `(as @a0 S)`
                Sexpr::List(items) => items.get(1)?.atom()?,
            };
            Some(Value::Element(SortOrd(sort), element(name)))
        }
        _ => None,
    }
}

fn number(text: &Sexpr, depth: u32) -> Option<Rational> {
    if depth > 8 {
        return None;
    }
    match text {
        Sexpr::Atom(digits) => match digits.split_once('.') {
            None => Some(Rational::from_bigint(digits.trim_end_matches('?').parse::<BigInt>().ok()?)),
            Some((whole, fraction)) => {
                if fraction.ends_with('?') || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
                    return None;
                }
                let numerator: BigInt = format!("{whole}{fraction}").parse().ok()?;
                Rational::from_big(numerator, BigInt::from(10).pow(fraction.len() as u32))
            }
        },
        Sexpr::List(items) => match (items.first()?.atom()?, items.len()) {
            ("-", 2) => Some(-number(&items[1], depth + 1)?),
            ("/", 3) => number(&items[1], depth + 1)?.checked_div(&number(&items[2], depth + 1)?),
            ("to_real", 2) => number(&items[1], depth + 1),
            _ => None,
        },
    }
}

fn bits(text: &Sexpr, width: u32) -> Option<BitVector> {
    let value = match text {
        Sexpr::Atom(digits) => {
            if let Some(binary) = digits.strip_prefix("#b") {
                BigUint::parse_bytes(binary.as_bytes(), 2)?
            } else {
                BigUint::parse_bytes(digits.strip_prefix("#x")?.as_bytes(), 16)?
            }
        }
        Sexpr::List(items) => {
            let decimal = items.get(1)?.atom()?.strip_prefix("bv")?;
            BigUint::parse_bytes(decimal.as_bytes(), 10)?
        }
    };
    (value.bits() <= u64::from(width)).then(|| BitVector::from_biguint(width, &value))
}

fn float(text: &Sexpr, exponent: u32, significand: u32) -> Option<FloatValue> {
    let items = text.list()?;
    let width = exponent + significand;
    let fraction = significand - 1;
    let all = match items.first()?.atom()? {
        "fp" => {
            let sign = bits(items.get(1)?, 1)?;
            let middle = bits(items.get(2)?, exponent)?;
            sign.concat(&middle).concat(&bits(items.get(3)?, fraction)?)
        }
        "_" => {
            let ones = BitVector::all_ones(exponent);
            let sign = |negative: bool| BitVector::new(1, u64::from(negative));
            match items.get(1)?.atom()? {
                "+zero" => BitVector::zero(width),
                "-zero" => sign(true).concat(&BitVector::zero(width - 1)),
                "+oo" => sign(false).concat(&ones).concat(&BitVector::zero(fraction)),
                "-oo" => sign(true).concat(&ones).concat(&BitVector::zero(fraction)),
                "NaN" => sign(false).concat(&ones).concat(&BitVector::all_ones(fraction)),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(FloatValue::from_bits(exponent, significand, all))
}

fn mode(name: &str) -> Option<RoundingMode> {
    let long = match name {
        "roundNearestTiesToEven" => "RNE",
        "roundNearestTiesToAway" => "RNA",
        "roundTowardPositive" => "RTP",
        "roundTowardNegative" => "RTN",
        "roundTowardZero" => "RTZ",
        short => short,
    };
    RoundingMode::ALL.into_iter().find(|mode| mode.symbol() == long)
}

/// A chain of writes over a constant array.
fn array(text: &Sexpr, index: Sort, element: Sort, number: &mut dyn FnMut(&str) -> u64) -> Option<Value> {
    let mut writes = Vec::new();
    let mut rest = text;
    let default = loop {
        let items = rest.list()?;
        match items.first()? {
            Sexpr::Atom(word) if word == "store" && items.len() == 4 => {
                writes.push((parse(&items[2], index, number)?, parse(&items[3], element, number)?));
                rest = &items[1];
            }
            Sexpr::List(head) if items.len() == 2 => {
                let is_constant = head.first()?.atom() == Some("as") && head.get(1)?.atom() == Some("const");
                break if is_constant { parse(&items[1], element, number)? } else { return None };
            }
            _ => return None,
        }
    };
    let mut value = ArrayValue { index: SortOrd(index), default, entries: Default::default() };
    for (place, element) in writes.into_iter().rev() {
        value = value.with(place, element);
    }
    Some(Value::Array(Arc::new(value)))
}
