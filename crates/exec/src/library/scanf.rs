//! The formats of `scanf`.

use super::context::{Context, Reply};
use super::ctype::is_space;
use super::printf::{Length, Source};
use super::{Answered, stdarg, stdio, stdlib};
use crate::code::Passing;
use crate::domain::{Domain, Outcome};
use quod_base::float::FloatFormat;
use quod_model::ir::IntKind;
use quod_verdict::CheckKind;

/// Characters with one that can be put back.
pub(super) enum Input {
    Stream(usize),
    Text(Vec<u8>, usize),
}

struct Scanner<'a, 'b, 'c, D: Domain> {
    context: &'a mut Context<'b, 'c, D>,
    input: Input,
    source: Source<D::Value>,
    consumed: usize,
}

pub(super) fn from_stream<D: Domain>(
    context: &mut Context<'_, '_, D>,
    stream: usize,
    format: usize,
    source: Source<D::Value>,
) -> Answered<D> {
    let format = context.string(format)?;
    scan(context, Input::Stream(stream), &format, source)
}

pub(super) fn from_string<D: Domain>(
    context: &mut Context<'_, '_, D>,
    text: usize,
    format: usize,
    source: Source<D::Value>,
) -> Answered<D> {
    let text = context.string(text)?;
    let format = context.string(format)?;
    scan(context, Input::Text(text, 0), &format, source)
}

pub(super) fn scan<D: Domain>(
    context: &mut Context<'_, '_, D>,
    input: Input,
    format: &[u8],
    source: Source<D::Value>,
) -> Answered<D> {
    Scanner { context, input, source, consumed: 0 }.run(format)
}

impl<D: Domain> Scanner<'_, '_, '_, D> {
    fn get(&mut self) -> Option<u8> {
        let byte = match &mut self.input {
            Input::Stream(stream) => stdio::get(self.context, *stream),
            Input::Text(text, at) => {
                let byte = text.get(*at).copied();
                *at += usize::from(byte.is_some());
                byte
            }
        };
        self.consumed += usize::from(byte.is_some());
        byte
    }

    fn unget(&mut self, byte: u8) {
        self.consumed -= 1;
        match &mut self.input {
            Input::Stream(stream) => self.context.state.world.streams.streams[*stream].pushed_back.push(byte),
            Input::Text(_, at) => *at -= 1,
        }
    }

    fn peek(&mut self) -> Option<u8> {
        let byte = self.get()?;
        self.unget(byte);
        Some(byte)
    }

    fn skip_space(&mut self) {
        while let Some(byte) = self.get() {
            if !is_space(byte) {
                self.unget(byte);
                break;
            }
        }
    }

    fn target(&mut self) -> Outcome<D> {
        match &mut self.source {
            Source::Call(next) => {
                *next += 1;
                let index = *next - 1;
                self.context.pointer(index)
            }
            Source::List(list) => {
                let list = list.clone();
                let scalar = self.context.pointer_scalar();
                let size = self.context.model().pointer_size();
                let address = stdarg::next_argument(self.context, &list, Passing::Scalar(scalar), size)?;
                self.context.load_pointer(&address)
            }
        }
    }

    fn run(mut self, format: &[u8]) -> Answered<D> {
        let mut count: i128 = 0;
        let mut at = 0;
        while at < format.len() {
            let byte = format[at];
            at += 1;
            if is_space(byte) {
                self.skip_space();
                continue;
            }
            if byte != b'%' {
                match self.get() {
                    Some(found) if found == byte => continue,
                    Some(found) => {
                        self.unget(found);
                        return Ok(Reply::Int(count));
                    }
                    None => return Ok(Reply::Int(if count == 0 { -1 } else { count })),
                }
            }
            let is_dropped = format.get(at) == Some(&b'*');
            at += usize::from(is_dropped);
            let digits = format[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let width = std::str::from_utf8(&format[at..at + digits]).ok().and_then(|text| text.parse::<usize>().ok());
            at += digits;
            let length = Length::parse(format, &mut at);
            let Some(&conversion) = format.get(at) else {
                return self.context.fault(CheckKind::Library, "a format ends in the middle of a conversion");
            };
            at += 1;
            let mut set = Vec::new();
            if conversion == b'[' {
                at = parse_set(format, at, &mut set);
            }
            if !matches!(conversion, b'c' | b'[' | b'n' | b'%') {
                self.skip_space();
            }
            if conversion == b'n' {
                if !is_dropped {
                    let target = self.target()?;
                    let kind = length.kind(true, self.context.model());
                    let consumed = self.consumed as i128;
                    self.context.store_int(&target, kind, consumed)?;
                }
                continue;
            }
            if self.peek().is_none() {
                return Ok(Reply::Int(if count == 0 { -1 } else { count }));
            }
            match self.conversion(conversion, length, width, &set, is_dropped)? {
                true => count += i128::from(!is_dropped && conversion != b'%'),
                false => return Ok(Reply::Int(count)),
            }
        }
        Ok(Reply::Int(count))
    }

    /// The longest text whose beginnings satisfy `accepts`.
    fn take(&mut self, limit: usize, mut accepts: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
        let mut text = Vec::new();
        while text.len() < limit {
            let Some(byte) = self.get() else { break };
            text.push(byte);
            if !accepts(&text) {
                text.pop();
                self.unget(byte);
                break;
            }
        }
        text
    }

    fn conversion(
        &mut self,
        conversion: u8,
        length: Length,
        width: Option<usize>,
        set: &[bool],
        is_dropped: bool,
    ) -> Outcome<D, bool> {
        let limit = width.unwrap_or(usize::MAX);
        match conversion {
            b'%' => {
                self.skip_space();
                match self.get() {
                    Some(b'%') => Ok(true),
                    Some(other) => {
                        self.unget(other);
                        Ok(false)
                    }
                    None => Ok(false),
                }
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'p' => {
                let base = match conversion {
                    b'd' | b'u' => 10,
                    b'i' => 0,
                    b'o' => 8,
                    _ => 16,
                };
                let text = self.take(limit, |text| is_integer_start(text, base));
                let (value, used, _) = stdlib::integer(&text, base);
                if used == 0 {
                    return Ok(false);
                }
                if !is_dropped {
                    let target = self.target()?;
                    let model = self.context.model();
                    let kind = if conversion == b'p' { model.size_kind() } else { length.kind(true, model) };
                    let bits = kind.bits(model);
                    let wrapped = quod_base::int::IntFormat { bits, is_signed: kind.is_signed() }.wrap(value);
                    self.context.store_int(&target, kind, wrapped)?;
                }
                Ok(true)
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let text = self.take(limit, is_float_start);
                let format = match length {
                    Length::Long => FloatFormat::Double,
                    Length::LongDouble => FloatFormat::X87,
                    _ => FloatFormat::Single,
                };
                let (bits, used) = stdlib::float(&text, format);
                if used == 0 {
                    return Ok(false);
                }
                if !is_dropped {
                    let target = self.target()?;
                    let bytes = (format.bits() / 8) as usize;
                    self.context.write(&target, &bits.to_le_bytes()[..bytes])?;
                }
                Ok(true)
            }
            b'c' => {
                let wanted = width.unwrap_or(1);
                let text = self.take(wanted, |_| true);
                if text.len() < wanted {
                    return Ok(false);
                }
                if !is_dropped {
                    let target = self.target()?;
                    self.put(&target, &text, length, false)?;
                }
                Ok(true)
            }
            b's' | b'[' => {
                let text = if conversion == b's' {
                    self.take(limit, |text| !is_space(text[text.len() - 1]))
                } else {
                    self.take(limit, |text| set[usize::from(text[text.len() - 1])])
                };
                if text.is_empty() {
                    return Ok(false);
                }
                if !is_dropped {
                    let target = self.target()?;
                    self.put(&target, &text, length, true)?;
                }
                Ok(true)
            }
            other => {
                let message = format!("`%{}` is no conversion of `scanf`", char::from(other));
                self.context.fault(CheckKind::Library, message)
            }
        }
    }

    fn put(&mut self, target: &D::Value, text: &[u8], length: Length, terminates: bool) -> Outcome<D, ()> {
        if length == Length::Long {
            for (index, &byte) in text.iter().chain(terminates.then_some(&0)).enumerate() {
                let slot = self.context.offset(target, index as i64 * 4);
                self.context.store_int(&slot, IntKind::Int, byte.into())?;
            }
            return Ok(());
        }
        let mut bytes = text.to_vec();
        if terminates {
            bytes.push(0);
        }
        self.context.write(target, &bytes)
    }
}

fn is_integer_start(text: &[u8], base: i128) -> bool {
    let digits = match text {
        [b'-' | b'+', rest @ ..] => rest,
        _ => text,
    };
    if digits.is_empty() {
        return true;
    }
    let is_hexadecimal =
        (base == 16 || base == 0) && digits.len() > 1 && digits[0] == b'0' && matches!(digits[1], b'x' | b'X');
    let (digits, base) = if is_hexadecimal {
        (&digits[2..], 16)
    } else if base == 0 {
        (digits, if digits[0] == b'0' { 8 } else { 10 })
    } else {
        (digits, base)
    };
    digits.iter().all(|&byte| char::from(byte).to_digit(36).is_some_and(|digit| i128::from(digit) < base))
}

fn is_float_start(text: &[u8]) -> bool {
    let last = text[text.len() - 1];
    let before = text.len().checked_sub(2).map(|index| text[index].to_ascii_lowercase());
    match last {
        b'-' | b'+' => matches!(before, None | Some(b'e' | b'p')),
        _ => last.is_ascii_alphanumeric() || last == b'.',
    }
}

/// `[a-z^]` from behind the bracket; the position behind it.
fn parse_set(format: &[u8], start: usize, set: &mut Vec<bool>) -> usize {
    let mut at = start;
    let negated = format.get(at) == Some(&b'^');
    at += usize::from(negated);
    set.resize(256, negated);
    let first = at;
    while let Some(&byte) = format.get(at) {
        if byte == b']' && at > first {
            at += 1;
            break;
        }
        match (format.get(at + 1), format.get(at + 2)) {
            (Some(b'-'), Some(&end)) if end != b']' => {
                for member in byte..=end.max(byte) {
                    set[usize::from(member)] = !negated;
                }
                at += 3;
            }
            _ => {
                set[usize::from(byte)] = !negated;
                at += 1;
            }
        }
    }
    at
}
