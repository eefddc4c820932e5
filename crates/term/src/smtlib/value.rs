//! Values as SMT-LIB writes them.

use super::quote;
use crate::sort::{Sort, SortKind};
use crate::value::{FloatValue, Value};
use quod_base::Rational;
use std::fmt::{self, Write};

/// Writes a value as a term that any solver reads (collections in the words of z3 and cvc5).
pub fn write_value(out: &mut dyn Write, value: &Value) -> fmt::Result {
    // Values nest as their sorts and lists do; the stack grows with them.
    stacker::maybe_grow(1 << 16, 1 << 20, || write_nested(out, value))
}

fn write_nested(out: &mut dyn Write, value: &Value) -> fmt::Result {
    match value {
        Value::Bool(value) => write!(out, "{value}"),
        Value::Int(value) => write_int(out, value),
        Value::Real(value) => write_real(out, value),
        Value::BitVec(bits) => write!(out, "{bits}"),
        Value::Float(float) => write_float(out, float),
        Value::RoundingMode(mode) => out.write_str(mode.symbol()),
        Value::Array(array) => {
            (0..array.entries.len()).try_for_each(|_| out.write_str("(store "))?;
            write!(out, "((as const {}) ", value.sort())?;
            write_value(out, &array.default)?;
            out.write_str(")")?;
            for (index, element) in &array.entries {
                write_list(out, " ", &[index, element], ")")?;
            }
            Ok(())
        }
        Value::FiniteArray(element, cells) => {
            write!(out, "(finite.make {} ", cells.len())?;
            cells.iter().try_for_each(|_| out.write_str("(store "))?;
            write!(out, "((as const (Array Int {})) ", element.0)?;
            match Value::default_of(element.0) {
                Some(default) => write_value(out, &default)?,
                None => out.write_str("_")?,
            }
            out.write_str(")")?;
            for (place, cell) in cells.iter().enumerate() {
                write!(out, " {place} ")?;
                write_value(out, cell)?;
                out.write_str(")")?;
            }
            out.write_str(")")
        }
        Value::Tuple(parts) if parts.is_empty() => out.write_str("tuple.unit"),
        Value::Tuple(parts) => write_list(out, "(tuple ", &parts.iter().collect::<Vec<_>>(), ")"),
        Value::Element(sort, number) => write!(out, "{}", quote(&element_name(sort.0, *number))),
        Value::Datatype(sort, place, fields) => {
            let SortKind::Datatype(id) = sort.0.kind() else { return Err(fmt::Error) };
            let name = id.constructors().get(*place as usize).map_or("?", |constructor| constructor.name.as_str());
            if fields.is_empty() {
                return write!(out, "{}", quote(name));
            }
            write_list(out, &format!("({} ", quote(name)), &fields.iter().collect::<Vec<_>>(), ")")
        }
        Value::Seq(element, items) => {
            write_union(out, "seq.++", "seq.unit", &format!("(as seq.empty (Seq {}))", element.0), items.iter())
        }
        Value::Set(element, items) => {
            let empty = format!("(as set.empty (Set {}))", element.0);
            write_union(out, "set.union", "set.singleton", &empty, items.iter())
        }
        Value::Bag(element, items) => {
            (0..items.len()).try_for_each(|_| out.write_str("(bag.union_disjoint "))?;
            write!(out, "(as bag.empty (Bag {}))", element.0)?;
            for (item, count) in items.iter() {
                out.write_str(" (bag ")?;
                write_value(out, item)?;
                write!(out, " {count}))")?;
            }
            Ok(())
        }
        Value::Map(key, element, items) => {
            (0..items.len()).try_for_each(|_| out.write_str("(map.put "))?;
            write!(out, "(as map.empty (Map {} {}))", key.0, element.0)?;
            for (key, item) in items.iter() {
                write_list(out, " ", &[key, item], ")")?;
            }
            Ok(())
        }
    }
}

/// The name of an element of an uninterpreted sort, as models give it.
pub(crate) fn element_name(sort: Sort, number: u64) -> String {
    format!("{}!val!{number}", sort.to_string().replace(['(', ')', ' ', '|'], "_"))
}

fn write_list(out: &mut dyn Write, head: &str, items: &[&Value], tail: &str) -> fmt::Result {
    out.write_str(head)?;
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            out.write_str(" ")?;
        }
        write_value(out, item)?;
    }
    out.write_str(tail)
}

fn write_union<'a>(
    out: &mut dyn Write,
    union: &str,
    unit: &str,
    empty: &str,
    items: impl ExactSizeIterator<Item = &'a Value>,
) -> fmt::Result {
    let count = items.len();
    if count == 0 {
        return out.write_str(empty);
    }
    // Binary, to the right: (u a (u b c)).
    for (place, item) in items.enumerate() {
        if place + 1 < count {
            write!(out, "({union} ")?;
        }
        write!(out, "({unit} ")?;
        write_value(out, item)?;
        out.write_str(if place + 1 < count { ") " } else { ")" })?;
    }
    (1..count).try_for_each(|_| out.write_str(")"))
}

fn write_int(out: &mut dyn Write, value: &Rational) -> fmt::Result {
    if value.is_negative() { write!(out, "(- {})", -value) } else { write!(out, "{value}") }
}

fn write_real(out: &mut dyn Write, value: &Rational) -> fmt::Result {
    let magnitude = value.abs();
    let text = if magnitude.is_integer() {
        format!("{magnitude}.0")
    } else {
        format!("(/ {}.0 {}.0)", magnitude.numerator(), magnitude.denominator())
    };
    if value.is_negative() { write!(out, "(- {text})") } else { out.write_str(&text) }
}

fn write_float(out: &mut dyn Write, float: &FloatValue) -> fmt::Result {
    let (exponent, significand) = (float.exponent_width, float.significand_width);
    if float.is_nan() {
        return write!(out, "(_ NaN {exponent} {significand})");
    }
    let width = exponent + significand;
    let binary = |high: u32, low: u32| {
        let part = float.bits.extract(high, low);
        format!("#b{:0>width$}", part.to_biguint().to_str_radix(2), width = part.width() as usize)
    };
    write!(
        out,
        "(fp {} {} {})",
        binary(width - 1, width - 1),
        binary(width - 2, significand - 1),
        binary(significand - 2, 0)
    )
}
