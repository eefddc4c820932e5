//! The formats of `printf`: parsed once, arguments taken from the call or from a `va_list`.

use super::context::{Context, Passed};
use super::stdarg;
use crate::code::Passing;
use crate::domain::{Domain, Outcome};
use crate::scalar::Scalar;
use num_bigint::BigInt;
use quod_base::float::{FloatClass, FloatFormat};
use quod_base::int::IntFormat;
use quod_model::ir::{FloatKind, IntKind};
use quod_verdict::CheckKind;

/// Where the arguments of a format come from.
pub(super) enum Source<V> {
    /// Those of the call, from this index on.
    Call(usize),
    /// The address of a `va_list`.
    List(V),
}

/// The length modifiers.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) enum Length {
    None,
    Char,
    Short,
    Long,
    LongLong,
    Max,
    Size,
    Difference,
    LongDouble,
}

impl Length {
    pub(super) fn parse(bytes: &[u8], at: &mut usize) -> Self {
        let take = |count: usize, length: Length, at: &mut usize| {
            *at += count;
            length
        };
        match &bytes[*at..] {
            [b'h', b'h', ..] => take(2, Length::Char, at),
            [b'h', ..] => take(1, Length::Short, at),
            [b'l', b'l', ..] => take(2, Length::LongLong, at),
            [b'l', ..] => take(1, Length::Long, at),
            [b'q', ..] => take(1, Length::LongLong, at),
            [b'j', ..] => take(1, Length::Max, at),
            [b'z', ..] | [b'Z', ..] => take(1, Length::Size, at),
            [b't', ..] => take(1, Length::Difference, at),
            [b'L', ..] => take(1, Length::LongDouble, at),
            _ => Length::None,
        }
    }

    pub(super) fn kind(self, is_signed: bool, model: quod_model::ir::DataModel) -> IntKind {
        let kind = match self {
            Length::None => IntKind::Int,
            Length::Char => IntKind::SChar,
            Length::Short => IntKind::Short,
            Length::Long => IntKind::Long,
            Length::LongLong | Length::Max | Length::LongDouble => IntKind::LongLong,
            Length::Size | Length::Difference => model.difference_kind(),
        };
        if is_signed { kind } else { kind.to_unsigned() }
    }
}

#[derive(Clone, Default, Debug)]
struct Flags {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    grouped: bool,
}

struct Formatter<'a, 'b, 'c, D: Domain> {
    context: &'a mut Context<'b, 'c, D>,
    source: Source<D::Value>,
    output: Vec<u8>,
    /// Widths and precisions count characters, not bytes.
    is_wide: bool,
}

/// The text that a format makes.
pub(super) fn format<D: Domain>(
    context: &mut Context<'_, '_, D>,
    format: &[u8],
    source: Source<D::Value>,
) -> Outcome<D, Vec<u8>> {
    let mut formatter = Formatter { context, source, output: Vec::new(), is_wide: false };
    formatter.run(format)?;
    Ok(formatter.output)
}

/// The text, in UTF-8, that a wide format, in UTF-8, makes.
pub(super) fn format_wide<D: Domain>(
    context: &mut Context<'_, '_, D>,
    format: &[u8],
    source: Source<D::Value>,
) -> Outcome<D, Vec<u8>> {
    let mut formatter = Formatter { context, source, output: Vec::new(), is_wide: true };
    formatter.run(format)?;
    Ok(formatter.output)
}

/// Characters of a text in UTF-8.
fn characters(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

impl<D: Domain> Formatter<'_, '_, '_, D> {
    fn run(&mut self, format: &[u8]) -> Outcome<D, ()> {
        let mut at = 0;
        while at < format.len() {
            if format[at] != b'%' {
                let end = format[at..].iter().position(|&byte| byte == b'%').map_or(format.len(), |n| at + n);
                self.output.extend_from_slice(&format[at..end]);
                at = end;
                continue;
            }
            at += 1;
            at = self.conversion(format, at)?;
        }
        Ok(())
    }

    /// `12$` at `at`: the argument's number.
    fn position(format: &[u8], at: usize) -> Option<(usize, usize)> {
        let digits = format[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || format.get(at + digits) != Some(&b'$') {
            return None;
        }
        let number = std::str::from_utf8(&format[at..at + digits]).ok()?.parse().ok()?;
        Some((number, at + digits + 1))
    }

    fn number(&mut self, format: &[u8], at: &mut usize) -> Outcome<D, Option<i64>> {
        if format.get(*at) == Some(&b'*') {
            *at += 1;
            let mut explicit = None;
            if let Some((number, next)) = Self::position(format, *at) {
                explicit = Some(number);
                *at = next;
            }
            return Ok(Some(self.integer(IntKind::Int, explicit)? as i64));
        }
        let digits = format[*at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return Ok(None);
        }
        let text = std::str::from_utf8(&format[*at..*at + digits]).unwrap_or("0");
        *at += digits;
        Ok(Some(text.parse::<i64>().unwrap_or(i64::from(i32::MAX)).min(i64::from(i32::MAX))))
    }

    fn conversion(&mut self, format: &[u8], start: usize) -> Outcome<D, usize> {
        let mut at = start;
        let mut explicit = None;
        if let Some((number, next)) = Self::position(format, at) {
            explicit = Some(number);
            at = next;
        }
        let mut flags = Flags::default();
        while let Some(&byte) = format.get(at) {
            match byte {
                b'-' => flags.left = true,
                b'+' => flags.plus = true,
                b' ' => flags.space = true,
                b'#' => flags.alternate = true,
                b'0' => flags.zero = true,
                b'\'' => flags.grouped = true,
                b'I' => {}
                _ => break,
            }
            at += 1;
        }
        let mut width = self.number(format, &mut at)?.unwrap_or(0);
        if width < 0 {
            flags.left = true;
            width = -width;
        }
        let mut precision = None;
        let has_precision = format.get(at) == Some(&b'.');
        if has_precision {
            at += 1;
            precision = Some(self.number(format, &mut at)?.unwrap_or(0)).filter(|&digits| digits >= 0);
        }
        let precision = precision.map(|digits| digits as usize);
        let length = Length::parse(format, &mut at);
        let Some(&conversion) = format.get(at) else {
            return self.context.fault(CheckKind::Library, "a format ends in the middle of a conversion");
        };
        at += 1;
        if width > 1 << 24 || precision.unwrap_or(0) > 1 << 24 {
            return self.context.unsupported("a width over 16 million");
        }
        let width = width as usize;
        let is_checked = self.context.machine.settings.checks.contains(CheckKind::Library);
        if matches!(conversion, b'c' | b'C') && has_precision && is_checked {
            return self.context.fault(CheckKind::Library, "a precision for a character");
        }
        match conversion {
            b'%' => self.output.push(b'%'),
            b'd' | b'i' => {
                let kind = length.kind(true, self.context.model());
                let value = self.integer(kind, explicit)?;
                self.put_integer(value.unsigned_abs(), value < 0, 10, false, &flags, width, precision, true);
            }
            b'u' | b'x' | b'X' | b'o' | b'b' => {
                let kind = length.kind(false, self.context.model());
                let value = self.integer(kind, explicit)? as u128;
                let base = match conversion {
                    b'u' => 10,
                    b'o' => 8,
                    b'b' => 2,
                    _ => 16,
                };
                self.put_integer(value, false, base, conversion == b'X', &flags, width, precision, false);
            }
            b'c' => {
                let value = self.integer(IntKind::Int, explicit)?;
                let text = if length == Length::Long {
                    char::from_u32(value as u32).map_or(vec![b'?'], |c| c.to_string().into_bytes())
                } else {
                    vec![value as u8]
                };
                self.pad(&text, width, flags.left);
            }
            b'C' => {
                let value = self.integer(IntKind::Int, explicit)?;
                let text = char::from_u32(value as u32).map_or(vec![b'?'], |c| c.to_string().into_bytes());
                self.pad(&text, width, flags.left);
            }
            b's' | b'S' => {
                let size = self.context.model().pointer_size();
                let (pointer, actual) = self.next(explicit, self.context.pointer_scalar(), size)?;
                let is_ideal = self.context.machine.program.arithmetic == quod_model::ir::Arithmetic::Ideal;
                if actual.float_format().is_some() {
                    return self.context.fault(CheckKind::Library, "the format needs a pointer, a float is given");
                }
                let text = if is_ideal && !actual.is_pointer() {
                    // CIVL-C's `%s` prints values of any type.
                    self.context.machine.domain.display(&pointer, actual).into_bytes()
                } else if self.context.is_null(&pointer) {
                    if precision.is_some_and(|digits| digits < 6) { Vec::new() } else { b"(null)".to_vec() }
                } else if length == Length::Long || conversion == b'S' {
                    self.wide_string(&pointer, precision)?
                } else {
                    let limit = precision.map_or(u64::MAX, |digits| digits as u64);
                    if limit == 0 {
                        Vec::new()
                    } else {
                        let context = &mut *self.context;
                        context.machine.domain.read_string(&mut context.state.memory, &pointer, limit)?
                    }
                };
                self.pad(&text, width, flags.left);
            }
            b'p' => {
                let pointer = self.pointer(explicit)?;
                let address = self.context.address(&pointer)?;
                let text = if address == 0 { "(nil)".to_owned() } else { format!("{address:#x}") };
                self.pad(text.as_bytes(), width, flags.left);
            }
            b'n' => {
                let pointer = self.pointer(explicit)?;
                let kind = length.kind(true, self.context.model());
                let written = if self.is_wide { characters(&self.output) } else { self.output.len() } as i128;
                self.context.store_int(&pointer, kind, written)?;
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let (bits, float) = self.float(length, explicit)?;
                self.put_float(bits, float, conversion, &flags, width, precision);
            }
            b'm' => {
                let text = super::errno::message(self.context.current_errno()?);
                self.pad(text.as_bytes(), width, flags.left);
            }
            other => {
                let message = format!("`%{}` is no conversion of `printf`", char::from(other));
                return self.context.fault(CheckKind::Library, message);
            }
        }
        Ok(at)
    }

    fn wide_string(&mut self, pointer: &D::Value, precision: Option<usize>) -> Outcome<D, Vec<u8>> {
        let mut text = Vec::new();
        for index in 0i64.. {
            if precision.is_some_and(|limit| if self.is_wide { index as usize >= limit } else { text.len() >= limit }) {
                break;
            }
            let address = self.context.offset(pointer, index * 4);
            let value = self.context.load_int(&address, IntKind::Int)?;
            if value == 0 {
                break;
            }
            let character = char::from_u32(value as u32).unwrap_or('?').to_string();
            if !self.is_wide && precision.is_some_and(|limit| text.len() + character.len() > limit) {
                break;
            }
            text.extend_from_slice(character.as_bytes());
        }
        Ok(text)
    }

    fn next(&mut self, explicit: Option<usize>, scalar: Scalar, ty_size: u64) -> Outcome<D, (D::Value, Scalar)> {
        match &mut self.source {
            Source::Call(next) => {
                let index = match explicit {
                    // Positions count from the first argument behind the format.
                    Some(number) => *next + number - 1,
                    None => {
                        *next += 1;
                        *next - 1
                    }
                };
                let Some(Passed { value, passing, .. }) = self.context.arguments.get(index) else {
                    return self.context.fault(CheckKind::Library, "the format needs more arguments than were given");
                };
                match passing {
                    Passing::Scalar(scalar) => Ok((value.clone(), *scalar)),
                    Passing::Aggregate { .. } => {
                        self.context.fault(CheckKind::Library, "a record is given where the format needs a number")
                    }
                }
            }
            Source::List(list) => {
                let list = list.clone();
                if explicit.is_some() {
                    return self.context.unsupported("numbered arguments from a `va_list`");
                }
                let address = stdarg::next_argument(self.context, &list, Passing::Scalar(scalar), ty_size)?;
                let cell = crate::scalar::Cell { scalar, size: ty_size as u8 };
                let value = self.context.machine.domain.load(&mut self.context.state.memory, &address, cell)?;
                Ok((value, scalar))
            }
        }
    }

    fn integer(&mut self, kind: IntKind, explicit: Option<usize>) -> Outcome<D, i128> {
        let model = self.context.model();
        let bits = kind.bits(model);
        // Narrow arguments are promoted.
        let promoted = if bits < 32 { IntKind::Int } else { kind };
        let scalar = self.context.int_kind(promoted);
        let (value, actual) = self.next(explicit, scalar, u64::from(promoted.bits(model) / 8))?;
        if actual.float_format().is_some() {
            return self.context.fault(CheckKind::Library, "the format needs an integer, a float is given");
        }
        let value = self.context.known(&value, actual)?;
        if actual == Scalar::Integer {
            return Ok(value);
        }
        Ok(IntFormat { bits, is_signed: kind.is_signed() }.wrap(value))
    }

    fn pointer(&mut self, explicit: Option<usize>) -> Outcome<D> {
        let scalar = self.context.pointer_scalar();
        let size = self.context.model().pointer_size();
        let (value, actual) = self.next(explicit, scalar, size)?;
        if actual.float_format().is_some() {
            return self.context.fault(CheckKind::Library, "the format needs a pointer, a float is given");
        }
        Ok(value)
    }

    fn float(&mut self, length: Length, explicit: Option<usize>) -> Outcome<D, (u128, FloatFormat)> {
        let kind = if length == Length::LongDouble { FloatKind::LongDouble } else { FloatKind::Double };
        let scalar = match self.context.machine.program.arithmetic {
            quod_model::ir::Arithmetic::Ideal => Scalar::Real,
            quod_model::ir::Arithmetic::Machine => Scalar::of_float(kind),
        };
        let size = kind.size(self.context.model());
        let (value, actual) = self.next(explicit, scalar, size)?;
        match actual.float_format() {
            Some(format) => match self.context.machine.domain.known_float(&value, actual) {
                Some(bits) => Ok((bits, format)),
                None => self.context.unsupported("a value that is not known"),
            },
            None if actual == Scalar::Real => {
                let double = self.context.known_double(&value, actual)?;
                Ok((double.to_bits().into(), FloatFormat::Double))
            }
            None => self.context.fault(CheckKind::Library, "the format needs a float, an integer is given"),
        }
    }

    fn pad(&mut self, text: &[u8], width: usize, left: bool) {
        let length = if self.is_wide { characters(text) } else { text.len() };
        let fill = width.saturating_sub(length);
        if !left {
            self.output.extend(std::iter::repeat_n(b' ', fill));
        }
        self.output.extend_from_slice(text);
        if left {
            self.output.extend(std::iter::repeat_n(b' ', fill));
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn put_integer(
        &mut self,
        value: u128,
        negative: bool,
        base: u32,
        upper: bool,
        flags: &Flags,
        width: usize,
        precision: Option<usize>,
        is_signed: bool,
    ) {
        let mut digits = match base {
            16 if upper => format!("{value:X}"),
            16 => format!("{value:x}"),
            8 => format!("{value:o}"),
            2 => format!("{value:b}"),
            _ => value.to_string(),
        };
        if value == 0 && precision == Some(0) {
            digits.clear();
        }
        if let Some(precision) = precision {
            digits = "0".repeat(precision.saturating_sub(digits.len())) + &digits;
        }
        if base == 8 && flags.alternate && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        let prefix = match (base, negative) {
            (16, _) if flags.alternate && value != 0 => {
                if upper {
                    "0X"
                } else {
                    "0x"
                }
            }
            (2, _) if flags.alternate && value != 0 => "0b",
            (_, true) => "-",
            _ if is_signed && flags.plus => "+",
            _ if is_signed && flags.space => " ",
            _ => "",
        };
        if flags.zero && !flags.left && precision.is_none() {
            digits = "0".repeat(width.saturating_sub(prefix.len() + digits.len())) + &digits;
        }
        let text = format!("{prefix}{digits}");
        self.pad(text.as_bytes(), width, flags.left);
    }

    fn put_float(
        &mut self,
        bits: u128,
        format: FloatFormat,
        conversion: u8,
        flags: &Flags,
        width: usize,
        precision: Option<usize>,
    ) {
        let negative = format.is_negative(bits);
        let upper = conversion.is_ascii_uppercase();
        let class = format.classify(bits);
        let sign = match negative {
            true => "-",
            false if flags.plus => "+",
            false if flags.space => " ",
            false => "",
        };
        let magnitude = format.absolute(bits);
        let mut body = match class {
            FloatClass::Nan => "nan".to_owned(),
            FloatClass::Infinite => "inf".to_owned(),
            _ => match conversion.to_ascii_lowercase() {
                b'f' => fixed(format, magnitude, precision.unwrap_or(6), flags.alternate),
                b'e' => exponential(format, magnitude, precision.unwrap_or(6), flags.alternate),
                b'g' => general(format, magnitude, precision.unwrap_or(6), flags.alternate),
                _ => hexadecimal(format, magnitude, precision, flags.alternate),
            },
        };
        if upper {
            body = body.to_ascii_uppercase();
        }
        let is_number = !matches!(class, FloatClass::Nan | FloatClass::Infinite);
        if flags.zero && !flags.left && is_number {
            let fill = "0".repeat(width.saturating_sub(sign.len() + body.len()));
            // The zeros stand behind `0x`.
            body = match body.get(..2) {
                Some(prefix @ ("0x" | "0X")) => format!("{prefix}{fill}{}", &body[2..]),
                _ => fill + &body,
            };
        }
        let text = format!("{sign}{body}");
        self.pad(text.as_bytes(), width, flags.left);
    }
}

/// A float as `mantissa * 2^exponent`.
fn decompose(format: FloatFormat, bits: u128) -> (u128, i32) {
    let (fraction_bits, exponent_bits) = match format {
        FloatFormat::Half => (10, 5),
        FloatFormat::Single => (23, 8),
        FloatFormat::Double => (52, 11),
        FloatFormat::X87 => (64, 15),
        FloatFormat::Quad => (112, 15),
    };
    let exponent = (bits >> fraction_bits) as i32 & ((1 << exponent_bits) - 1);
    let fraction = bits & ((1u128 << fraction_bits) - 1);
    let bias = (1 << (exponent_bits - 1)) - 1;
    if format == FloatFormat::X87 {
        return (fraction, exponent.max(1) - bias - 63);
    }
    if exponent == 0 {
        (fraction, 1 - bias - fraction_bits)
    } else {
        (fraction | (1 << fraction_bits), exponent - bias - fraction_bits)
    }
}

/// The value rounded to `places` decimals, as digits without a point.
fn scaled_digits(format: FloatFormat, bits: u128, places: i64) -> BigInt {
    let (mantissa, exponent) = decompose(format, bits);
    let mut numerator = BigInt::from(mantissa);
    let mut denominator = BigInt::from(1);
    if exponent >= 0 {
        numerator <<= exponent as usize;
    } else {
        denominator <<= (-exponent) as usize;
    }
    if places >= 0 {
        numerator *= BigInt::from(10).pow(places as u32);
    } else {
        denominator *= BigInt::from(10).pow((-places) as u32);
    }
    // To nearest, ties to even.
    let quotient: BigInt = &numerator / &denominator;
    let remainder: BigInt = (&numerator - &quotient * &denominator) * 2;
    let odd = &quotient % 2 != BigInt::from(0);
    if remainder > denominator || (remainder == denominator && odd) { quotient + 1 } else { quotient }
}

fn fixed(format: FloatFormat, bits: u128, precision: usize, alternate: bool) -> String {
    let digits = match format {
        FloatFormat::Double => {
            let text = format!("{:.*}", precision, f64::from_bits(bits as u64));
            return if alternate && precision == 0 { text + "." } else { text };
        }
        _ => scaled_digits(format, bits, precision as i64).to_string(),
    };
    let digits = "0".repeat((precision + 1).saturating_sub(digits.len())) + &digits;
    let (whole, fraction) = digits.split_at(digits.len() - precision);
    if precision == 0 && !alternate { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

/// `precision + 1` significant digits and the decimal exponent.
fn significant(format: FloatFormat, bits: u128, precision: usize) -> (String, i32) {
    if format.is_zero(bits) {
        return ("0".repeat(precision + 1), 0);
    }
    if format == FloatFormat::Double {
        let text = format!("{:.*e}", precision, f64::from_bits(bits as u64));
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return (mantissa.replace('.', ""), exponent.parse().unwrap_or(0));
    }
    let (mantissa, exponent) = decompose(format, bits);
    let magnitude = f64::from(exponent) * std::f64::consts::LOG10_2 + (mantissa as f64).log10();
    let mut decimal = magnitude.floor() as i64;
    loop {
        let digits = scaled_digits(format, bits, precision as i64 - decimal).to_string();
        match digits.len().cmp(&(precision + 1)) {
            std::cmp::Ordering::Equal => return (digits, decimal as i32),
            std::cmp::Ordering::Greater => decimal += 1,
            std::cmp::Ordering::Less => decimal -= 1,
        }
    }
}

fn with_exponent(digits: &str, exponent: i32, alternate: bool) -> String {
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() && !alternate { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{first}{point}{rest}e{sign}{:02}", exponent.abs())
}

fn exponential(format: FloatFormat, bits: u128, precision: usize, alternate: bool) -> String {
    let (digits, exponent) = significant(format, bits, precision);
    with_exponent(&digits, exponent, alternate)
}

fn general(format: FloatFormat, bits: u128, precision: usize, alternate: bool) -> String {
    let precision = precision.max(1);
    let (digits, exponent) = significant(format, bits, precision - 1);
    let trimmed = |text: &str| {
        if alternate || !text.contains('.') {
            text.to_owned()
        } else {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    };
    if exponent < -4 || exponent >= precision as i32 {
        let kept = if alternate { digits.as_str() } else { digits.trim_end_matches('0') };
        return with_exponent(if kept.is_empty() { "0" } else { kept }, exponent, alternate);
    }
    let places = (precision as i32 - 1 - exponent).max(0) as usize;
    trimmed(&fixed(format, bits, places, alternate))
}

fn hexadecimal(format: FloatFormat, bits: u128, precision: Option<usize>, alternate: bool) -> String {
    let (mut mantissa, mut exponent) = decompose(format, bits);
    // The digits before the point: 1 (x87 prints four bits there).
    let lead = match format {
        FloatFormat::X87 => 60,
        FloatFormat::Quad => 112,
        FloatFormat::Double => 52,
        FloatFormat::Single => 23,
        FloatFormat::Half => 10,
    };
    if mantissa == 0 {
        let fraction = "0".repeat(precision.unwrap_or(0));
        let point = if fraction.is_empty() && !alternate { "" } else { "." };
        return format!("0x0{point}{fraction}p+0");
    }
    exponent += lead;
    let mut fraction_bits = lead;
    if format == FloatFormat::Single {
        mantissa <<= 1;
        fraction_bits = 24;
    } else if format == FloatFormat::Half {
        mantissa <<= 2;
        fraction_bits = 12;
    }
    let digits = (fraction_bits / 4) as usize;
    if let Some(precision) = precision
        && precision < digits
    {
        let drop = (digits - precision) * 4;
        let rest = mantissa & ((1 << drop) - 1);
        mantissa >>= drop;
        let half = 1u128 << (drop - 1);
        if rest > half || (rest == half && mantissa & 1 == 1) {
            mantissa += 1;
        }
        mantissa <<= drop;
    }
    let whole = mantissa >> fraction_bits;
    let fraction = format!("{:0digits$x}", mantissa & ((1 << fraction_bits) - 1));
    let fraction = match precision {
        Some(precision) if precision <= digits => fraction[..precision].to_owned(),
        Some(precision) => format!("{fraction}{}", "0".repeat(precision - digits)),
        None => fraction.trim_end_matches('0').to_owned(),
    };
    let point = if fraction.is_empty() && !alternate { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("0x{whole:x}{point}{fraction}p{sign}{}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(value: f64) -> u128 {
        value.to_bits().into()
    }

    #[test]
    fn doubles_as_the_c_library_prints_them() {
        let format = FloatFormat::Double;
        assert_eq!(fixed(format, double(2.5), 0, false), "2");
        assert_eq!(fixed(format, double(0.125), 2, false), "0.12");
        assert_eq!(exponential(format, double(0.0), 6, false), "0.000000e+00");
        assert_eq!(exponential(format, double(12345.678), 2, false), "1.23e+04");
        assert_eq!(general(format, double(100_000.0), 6, false), "100000");
        assert_eq!(general(format, double(1_000_000.0), 6, false), "1e+06");
        assert_eq!(general(format, double(0.0001), 6, false), "0.0001");
        assert_eq!(general(format, double(0.5), 6, true), "0.500000");
        assert_eq!(hexadecimal(format, double(1.0), None, false), "0x1p+0");
        assert_eq!(hexadecimal(format, double(0.1), None, false), "0x1.999999999999ap-4");
        assert_eq!(hexadecimal(format, double(1.999), Some(1), false), "0x2.0p+0");
    }

    #[test]
    fn long_doubles() {
        let format = FloatFormat::X87;
        let third = format.parse("0.333333333333333333342").expect("a number");
        assert_eq!(fixed(format, third, 20, false), "0.33333333333333333334");
        assert_eq!(exponential(format, format.parse("1e4000").expect("a number"), 3, false), "1.000e+4000");
        assert_eq!(general(format, format.parse("2.5").expect("a number"), 6, false), "2.5");
        assert_eq!(hexadecimal(format, format.parse("1").expect("a number"), None, false), "0x8p-3");
    }
}
