//! `<stdlib.h>`: memory, numbers from text, sorting, random numbers, the end of the program.

use super::context::{Context, Reply};
use super::native::Native;
use super::string::skip_space;
use super::{Answered, LibraryFunction, errno};
use crate::domain::{Domain, Ending, FunctionValue, ObjectKind, Outcome, Question, Truth};
use crate::fault::Fault;
use quod_base::Symbol;
use quod_base::float::FloatFormat;
use quod_model::ir::IntKind;
use quod_verdict::CheckKind;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "malloc" | "__libc_malloc" | "valloc" => |context| allocate_argument(context, 0),
        "calloc" => |context| {
            let (count, size) = (context.size(0)?, context.size(1)?);
            allocate(context, count.saturating_mul(size), true)
        },
        "aligned_alloc" | "memalign" => |context| {
            let size = context.size(1)?;
            allocate(context, size, false)
        },
        "posix_memalign" => |context| {
            let (slot, size) = (context.pointer(0)?, context.size(2)?);
            match allocate(context, size, false)? {
                Reply::Value(memory) => {
                    context.store_pointer(&slot, &memory)?;
                    Ok(Reply::Int(0))
                }
                _ => Ok(Reply::Int(errno::ENOMEM)),
            }
        },
        "realloc" => |context| {
            let size = context.size(1)?;
            reallocate(context, size)
        },
        "reallocarray" => |context| {
            let size = context.size(1)?.saturating_mul(context.size(2)?);
            reallocate(context, size)
        },
        "free" | "cfree" => |context| {
            let pointer = context.value(0)?;
            release(context, &pointer)?;
            Ok(Reply::Nothing)
        },
        "malloc_usable_size" => |context| {
            let pointer = context.value(0)?;
            Ok(Reply::Int(context.machine.domain.extent(&context.state.memory, &pointer).unwrap_or(0).into()))
        },
        "exit" => |context| {
            let code = context.int(0)? as i32;
            begin_exit(context, code)
        },
        "_exit" | "_Exit" | "quick_exit" => |context| Ok(Reply::Exit(context.int(0)? as i32)),
        "abort" => |context| {
            context.machine.io.write_error(b"Aborted\n");
            Ok(Reply::Exit(134))
        },
        "atexit" => |context| {
            let function = context.function(0)?;
            context.state.world.at_exit.push((function, None));
            Ok(Reply::Int(0))
        },
        "on_exit" | "__cxa_atexit" => |context| {
            let function = context.function(0)?;
            let argument = context.value(1)?;
            context.state.world.at_exit.push((function, Some(argument)));
            Ok(Reply::Int(0))
        },
        "abs" | "labs" | "llabs" | "imaxabs" => |context| {
            let (value, format) = (context.int(0)?, context.scalar(0).int_format());
            if format.is_some_and(|format| value == -(1 << (format.bits - 1))) {
                no_negative(context)?;
            }
            Ok(Reply::Int(value.wrapping_abs()))
        },
        "div" | "ldiv" | "lldiv" | "imaxdiv" => div,
        "atoi" | "atol" | "atoll" => |context| {
            let text = context.string(0)?;
            let (value, _, _) = integer(&text, 10);
            let bits = context.result.and_then(|scalar| scalar.int_format()).map_or(64, |format| format.bits);
            // The C library converts to `long` first.
            let long = IntKind::Long.bits(context.model()).max(bits);
            Ok(Reply::Int(value.clamp(-(1 << (long - 1)), (1 << (long - 1)) - 1)))
        },
        "atof" => |context| {
            let text = context.string(0)?;
            let (bits, _) = float(&text, FloatFormat::Double);
            Ok(Reply::Float(f64::from_bits(bits as u64)))
        },
        "strtol" | "strtoll" | "strtoul" | "strtoull" | "strtoimax" | "strtoumax" | "strtoq" | "strtouq"
        | "__isoc23_strtol" | "__isoc23_strtoll" | "__isoc23_strtoul" | "__isoc23_strtoull" => strtol,
        "strtod" | "strtof" | "strtold" => strtod,
        "rand" | "random" | "lrand48" => |context| {
            // Whoever drives the executor says what is random.
            if let Some(scalar) = context.result.filter(|_| context.machine.settings.is_driven) {
                let name = Some(Symbol::intern(context.name));
                return Ok(Reply::Value(context.machine.domain.unknown(&mut context.state.memory, scalar, name)?));
            }
            Ok(Reply::Int(rand(context).into()))
        },
        "srand" | "srandom" | "srand48" => |context| {
            let seed = context.int(0)? as u32;
            seed_rand(&mut context.state.world.rand, seed);
            context.state.world.rand_index = 34 + 310;
            Ok(Reply::Nothing)
        },
        "rand_r" => |context| {
            let slot = context.pointer(0)?;
            let mut next = context.load_int(&slot, IntKind::UInt)? as u32;
            let mut step = |result: u32, bits: u32, mask: u32| {
                next = next.wrapping_mul(1_103_515_245).wrapping_add(12345);
                (result << bits) ^ ((next / 65536) % mask)
            };
            let result = step(0, 0, 2048);
            let result = step(result, 10, 1024);
            let result = step(result, 10, 1024);
            context.store_int(&slot, IntKind::UInt, next.into())?;
            Ok(Reply::Int(result.into()))
        },
        "drand48" => |context| Ok(Reply::Float(f64::from(rand(context)) / 2_147_483_648.0)),
        "qsort" | "qsort_r" => qsort,
        "bsearch" => bsearch,
        "getenv" | "secure_getenv" => getenv,
        "setenv" | "unsetenv" | "putenv" => |_| Ok(Reply::Int(0)),
        "system" => |_| Ok(Reply::Int(-1)),
        "mblen" | "mbtowc" | "wctomb" => |context| context.unsupported("multibyte characters"),
        _ => return None,
    })
}

/// A null pointer where the size is too large.
pub(super) fn allocate<D: Domain>(context: &mut Context<'_, '_, D>, size: u64, is_zeroed: bool) -> Answered<D> {
    if size > context.machine.settings.maximal_object {
        if context.machine.settings.is_driven {
            // For the competition an allocation never fails, and what is so large is not looked at.
            return context.unsupported("an object of more than 2 GiB");
        }
        context.set_errno(errno::ENOMEM)?;
        let null = context.null();
        return Ok(Reply::Value(null));
    }
    context.allocate(size, ObjectKind::Heap, is_zeroed, "").map(Reply::Value)
}

/// Memory of the size that an argument says.
pub(super) fn allocate_argument<D: Domain>(context: &mut Context<'_, '_, D>, index: usize) -> Answered<D> {
    if let Some(object) = context.allocate_argument(index, ObjectKind::Heap, false)? {
        return Ok(Reply::Value(object));
    }
    let size = context.size(index)?;
    allocate(context, size, false)
}

/// `free`
pub(super) fn release<D: Domain>(context: &mut Context<'_, '_, D>, pointer: &D::Value) -> Outcome<D, ()> {
    if context.is_null(pointer) {
        return Ok(());
    }
    let question = Question::ValidFree { pointer: pointer.clone() };
    if let Truth::Known(false) = context.machine.domain.ask(&context.state.memory, &question) {
        let fault = Fault::new(CheckKind::InvalidFree, "invalid free");
        return Err(context.machine.domain.explain(&context.state.memory, &question, fault).into());
    }
    let span = context.span;
    context.machine.domain.release(&mut context.state.memory, pointer, Ending::Freed, span)
}

/// The least number has no negative: an overflow, where overflows are asked about.
pub(crate) fn no_negative<D: Domain>(context: &Context<'_, '_, D>) -> Outcome<D, ()> {
    if context.machine.settings.checks.contains(CheckKind::SignedOverflow) {
        let text = format!("`{}` of the least number, whose negative does not fit", context.name);
        return context.fault(CheckKind::SignedOverflow, text);
    }
    Ok(())
}

fn reallocate<D: Domain>(context: &mut Context<'_, '_, D>, size: u64) -> Answered<D> {
    let old = context.value(0)?;
    if context.is_null(&old) {
        return allocate(context, size, false);
    }
    if size == 0 {
        release(context, &old)?;
        let null = context.null();
        return Ok(Reply::Value(null));
    }
    let question = Question::ValidFree { pointer: old.clone() };
    if let Truth::Known(false) = context.machine.domain.ask(&context.state.memory, &question) {
        let fault = Fault::new(CheckKind::InvalidFree, "invalid realloc");
        return Err(context.machine.domain.explain(&context.state.memory, &question, fault).into());
    }
    let Reply::Value(new) = allocate(context, size, false)? else { return Ok(Reply::Nothing) };
    if context.is_null(&new) {
        return Ok(Reply::Value(new));
    }
    let extent = context.machine.domain.extent(&context.state.memory, &old).unwrap_or(0);
    context.machine.domain.copy(&mut context.state.memory, &new, &old, extent.min(size))?;
    release(context, &old)?;
    Ok(Reply::Value(new))
}

/// Leaves all frames of the process and runs the exit handlers.
pub(super) fn begin_exit<D: Domain>(context: &mut Context<'_, '_, D>, code: i32) -> Answered<D> {
    run_exit_handlers(context, code)
}

pub(super) fn run_exit_handlers<D: Domain>(context: &mut Context<'_, '_, D>, code: i32) -> Answered<D> {
    match context.state.world.at_exit.pop() {
        Some((function, argument)) => {
            let arguments = argument.into_iter().map(|argument| context.passed_pointer(argument)).collect();
            Ok(Reply::Call { function, arguments, native: Native::Exit { code } })
        }
        None => {
            close_files(context);
            Ok(Reply::Exit(code))
        }
    }
}

fn close_files<D: Domain>(context: &mut Context<'_, '_, D>) {
    for stream in &mut context.state.world.streams.streams {
        if stream.is_open && stream.is_changed && !stream.name.is_empty() {
            context.machine.io.write_file(&stream.name, &stream.data);
        }
    }
}

fn div<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (a, b) = (context.int(0)?, context.int(1)?);
    if b == 0 {
        return context.fault(CheckKind::DivisionByZero, "division by zero");
    }
    let kind = match context.name {
        "div" => IntKind::Int,
        "ldiv" => IntKind::Long,
        _ => IntKind::LongLong,
    };
    let size = u64::from(kind.bits(context.model()) / 8);
    let object = context.allocate(2 * size, ObjectKind::Arguments, true, "")?;
    context.store_int(&object, kind, a.wrapping_div(b))?;
    let second = context.offset(&object, size as i64);
    context.store_int(&second, kind, a.wrapping_rem(b))?;
    Ok(Reply::At(object))
}

/// The number at the start of a text, how many bytes it takes, and whether it overflowed 64 bits by far.
pub(super) fn integer(text: &[u8], base: i128) -> (i128, usize, bool) {
    let mut at = skip_space(text);
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let mut base = base;
    let has_prefix = |digits: &[u8]| {
        digits.len() > 2 && digits[0] == b'0' && matches!(digits[1], b'x' | b'X') && digits[2].is_ascii_hexdigit()
    };
    if (base == 0 || base == 16) && has_prefix(&text[at..]) {
        at += 2;
        base = 16;
    } else if base == 0 {
        base = if text.get(at) == Some(&b'0') { 8 } else { 10 };
    }
    let mut value: i128 = 0;
    let mut overflow = false;
    let start = at;
    while let Some(digit) = text.get(at).and_then(|&byte| char::from(byte).to_digit(36))
        && i128::from(digit) < base
    {
        value = value.saturating_mul(base).saturating_add(digit.into());
        if value > 1 << 70 {
            value = 1 << 70;
            overflow = true;
        }
        at += 1;
    }
    if at == start {
        return (0, 0, false);
    }
    (if negative { -value } else { value }, at, overflow)
}

fn strtol<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (start, text) = (context.pointer(0)?, context.string(0)?);
    let base = context.int(2)?;
    if base != 0 && !(2..=36).contains(&base) {
        context.set_errno(errno::EINVAL)?;
        return Ok(Reply::Int(0));
    }
    let (value, used, _) = integer(&text, base);
    let slot = context.value(1)?;
    if !context.is_null(&slot) {
        let end = context.offset(&start, used as i64);
        context.store_pointer(&slot, &end)?;
    }
    let format = context.result.and_then(|scalar| scalar.int_format());
    let Some(format) = format else { return Ok(Reply::Int(value)) };
    let limit = i128::from(u64::MAX >> (64 - format.bits.min(64)));
    let result = if format.is_signed {
        value.clamp(format.min(), format.max())
    } else if value < -limit || value > limit {
        limit
    } else {
        format.wrap(value)
    };
    if (format.is_signed && result != value) || (!format.is_signed && value.abs() > limit) {
        context.set_errno(errno::ERANGE)?;
    }
    Ok(Reply::Int(result))
}

/// The float at the start of a text and how many bytes it takes.
pub(super) fn float(text: &[u8], format: FloatFormat) -> (u128, usize) {
    let start = skip_space(text);
    let mut at = start;
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let rest = text[at..].to_ascii_lowercase();
    let sign = |bits: u128| if negative { format.negate(bits) } else { bits };
    for (word, bits) in [("infinity", format.infinity()), ("inf", format.infinity()), ("nan", format.nan())] {
        if rest.starts_with(word.as_bytes()) {
            let mut used = at + word.len();
            if word == "nan" && rest.get(3) == Some(&b'(') {
                let body = rest[4..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
                if rest.get(4 + body) == Some(&b')') {
                    used += body + 2;
                }
            }
            return (sign(bits), used);
        }
    }
    let is_hexadecimal = rest.starts_with(b"0x")
        && rest.get(2).is_some_and(|byte| {
            byte.is_ascii_hexdigit() || *byte == b'.' && rest.get(3).is_some_and(u8::is_ascii_hexdigit)
        });
    let mut length = if is_hexadecimal { 2 } else { 0 };
    let is_digit = |byte: u8| if is_hexadecimal { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    let mut digits = 0;
    let mut has_point = false;
    while let Some(&byte) = rest.get(length) {
        if is_digit(byte) {
            digits += 1;
        } else if byte == b'.' && !has_point {
            has_point = true;
        } else {
            break;
        }
        length += 1;
    }
    if digits == 0 {
        return (0, 0);
    }
    let marker = if is_hexadecimal { b'p' } else { b'e' };
    if rest.get(length) == Some(&marker) {
        let mut end = length + 1;
        if matches!(rest.get(end), Some(b'-' | b'+')) {
            end += 1;
        }
        let exponent = rest[end..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if exponent > 0 {
            length = end + exponent;
        }
    }
    let number = String::from_utf8_lossy(&rest[..length]).into_owned();
    let number = number.trim_end_matches('.').to_owned();
    let bits = format.parse(&number).unwrap_or(0);
    (sign(bits), at + length)
}

fn strtod<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (start, text) = (context.pointer(0)?, context.string(0)?);
    let format = context.result.and_then(|scalar| scalar.float_format()).unwrap_or(FloatFormat::Double);
    let (bits, used) = float(&text, format);
    let slot = context.value(1)?;
    if !context.is_null(&slot) {
        let end = context.offset(&start, used as i64);
        context.store_pointer(&slot, &end)?;
    }
    Ok(Reply::FloatBits(bits))
}

/// glibc's `random`: an additive generator of 31 words.
fn seed_rand(state: &mut Vec<u32>, seed: u32) {
    let seed = if seed == 0 { 1 } else { seed };
    let mut words: Vec<i64> = vec![i64::from(seed as i32)];
    for index in 1..31 {
        let mut word = (16807 * words[index - 1]) % 2_147_483_647;
        if word < 0 {
            word += 2_147_483_647;
        }
        words.push(word);
    }
    *state = words.into_iter().map(|word| word as u32).collect();
    for index in 31..34 {
        state.push(state[index - 31]);
    }
    for index in 34..344 {
        state.push(state[index - 31].wrapping_add(state[index - 3]));
    }
}

fn rand<D: Domain>(context: &mut Context<'_, '_, D>) -> u32 {
    let world = &mut context.state.world;
    if world.rand.is_empty() {
        seed_rand(&mut world.rand, 1);
    }
    let length = world.rand.len();
    let next = world.rand[length - 31].wrapping_add(world.rand[length - 3]);
    world.rand.push(next);
    if world.rand.len() > 1024 {
        world.rand.drain(..512);
    }
    next >> 1
}

fn getenv<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let name = context.string(0)?;
    if let Some(pointer) = context.state.world.environment.get(&name) {
        return Ok(Reply::Value(pointer.clone()));
    }
    let value =
        context.machine.settings.environment.iter().find(|(key, _)| *key == name).map(|(_, value)| value.clone());
    let Some(mut value) = value else {
        let null = context.null();
        return Ok(Reply::Value(null));
    };
    value.push(0);
    let object = context.allocate(value.len() as u64, ObjectKind::Library, true, "")?;
    context.write(&object, &value)?;
    context.state.world.environment.insert(name, object.clone());
    Ok(Reply::Value(object))
}

/// A merge sort that asks the program's function for each comparison.
#[derive(Clone, Debug)]
pub struct Sort<V> {
    base: V,
    size: u64,
    compare: FunctionValue,
    extra: Option<V>,
    /// Copies of the elements, and the copy of each in its place.
    copy: V,
    order: Vec<u32>,
    merged: Vec<u32>,
    width: usize,
    start: usize,
    left: usize,
    right: usize,
}

fn qsort<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (count, size) = (context.size(1)?, context.size(2)?);
    let compare = context.function(3)?;
    if count <= 1 || size == 0 {
        return Ok(Reply::Nothing);
    }
    let base = context.pointer(0)?;
    let extra = if context.name.ends_with("_r") { Some(context.value(4)?) } else { None };
    let total = count.saturating_mul(size);
    let copy = context.allocate(total, ObjectKind::Arguments, false, "")?;
    context.machine.domain.copy(&mut context.state.memory, &copy, &base, total)?;
    let sort = Sort {
        base,
        size,
        compare,
        extra,
        copy,
        order: (0..count as u32).collect(),
        merged: Vec::new(),
        width: 1,
        start: 0,
        left: 0,
        right: 1,
    };
    sort.next(context)
}

impl<V: Clone> Sort<V> {
    /// Goes on until a comparison is needed or the array is sorted.
    fn next<D: Domain<Value = V>>(mut self, context: &mut Context<'_, '_, D>) -> Answered<D> {
        let count = self.order.len();
        loop {
            let middle = (self.start + self.width).min(count);
            let end = (self.start + 2 * self.width).min(count);
            if self.left < middle && self.right < end {
                let at = |domain: &mut D, index: u32| domain.offset(&self.copy, (u64::from(index) * self.size) as i64);
                let a = at(&mut context.machine.domain, self.order[self.left]);
                let b = at(&mut context.machine.domain, self.order[self.right]);
                let mut arguments = vec![context.passed_pointer(a), context.passed_pointer(b)];
                arguments.extend(self.extra.clone().map(|extra| context.passed_pointer(extra)));
                return Ok(Reply::Call { function: self.compare, arguments, native: Native::Sort(self) });
            }
            self.merged.extend_from_slice(&self.order[self.left.min(middle)..middle]);
            self.merged.extend_from_slice(&self.order[self.right.min(end)..end]);
            self.start = end;
            if self.start >= count {
                self.order = std::mem::take(&mut self.merged);
                self.width *= 2;
                self.start = 0;
                if self.width >= count {
                    return self.finish(context);
                }
            }
            self.left = self.start;
            self.right = self.start + self.width;
        }
    }

    pub(super) fn resume<D: Domain<Value = V>>(
        mut self,
        context: &mut Context<'_, '_, D>,
        value: Option<V>,
    ) -> Answered<D> {
        let order = match value {
            Some(value) => context.known(&value, context.int_kind(IntKind::Int))?,
            None => 0,
        };
        if order <= 0 {
            self.merged.push(self.order[self.left]);
            self.left += 1;
        } else {
            self.merged.push(self.order[self.right]);
            self.right += 1;
        }
        self.next(context)
    }

    fn finish<D: Domain<Value = V>>(self, context: &mut Context<'_, '_, D>) -> Answered<D> {
        for (index, &from) in self.order.iter().enumerate() {
            let source = context.offset(&self.copy, (u64::from(from) * self.size) as i64);
            let target = context.offset(&self.base, (index as u64 * self.size) as i64);
            context.machine.domain.copy(&mut context.state.memory, &target, &source, self.size)?;
        }
        let span = context.span;
        context.machine.domain.release(&mut context.state.memory, &self.copy, Ending::Left, span)?;
        Ok(Reply::Nothing)
    }
}

#[derive(Clone, Debug)]
pub struct Search<V> {
    key: V,
    base: V,
    size: u64,
    compare: FunctionValue,
    low: u64,
    high: u64,
}

fn bsearch<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let search = Search {
        key: context.value(0)?,
        base: context.value(1)?,
        size: context.size(3)?,
        compare: context.function(4)?,
        low: 0,
        high: context.size(2)?,
    };
    search.next(context)
}

impl<V: Clone> Search<V> {
    fn middle(&self) -> u64 {
        self.low + (self.high - self.low) / 2
    }

    fn next<D: Domain<Value = V>>(self, context: &mut Context<'_, '_, D>) -> Answered<D> {
        if self.low >= self.high {
            let null = context.null();
            return Ok(Reply::Value(null));
        }
        let element = context.offset(&self.base, (self.middle() * self.size) as i64);
        let arguments = vec![context.passed_pointer(self.key.clone()), context.passed_pointer(element)];
        Ok(Reply::Call { function: self.compare, arguments, native: Native::Search(self) })
    }

    pub(super) fn resume<D: Domain<Value = V>>(
        mut self,
        context: &mut Context<'_, '_, D>,
        value: Option<V>,
    ) -> Answered<D> {
        let order = match value {
            Some(value) => context.known(&value, context.int_kind(IntKind::Int))?,
            None => 0,
        };
        let middle = self.middle();
        match order.cmp(&0) {
            std::cmp::Ordering::Equal => Ok(Reply::Value(context.offset(&self.base, (middle * self.size) as i64))),
            std::cmp::Ordering::Less => {
                self.high = middle;
                self.next(context)
            }
            std::cmp::Ordering::Greater => {
                self.low = middle + 1;
                self.next(context)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_from_text() {
        assert_eq!(integer(b"  -42x", 10), (-42, 5, false));
        assert_eq!(integer(b"0x1F", 0), (31, 4, false));
        assert_eq!(integer(b"0x", 0), (0, 1, false));
        assert_eq!(integer(b"017", 0), (15, 3, false));
        assert_eq!(integer(b"z", 10), (0, 0, false));
        assert_eq!(integer(b"zz", 36), (35 * 36 + 35, 2, false));
        let parse = |text: &[u8]| {
            let (bits, used) = float(text, FloatFormat::Double);
            (f64::from_bits(bits as u64), used)
        };
        assert_eq!(parse(b" 1.5e2x"), (150.0, 6));
        assert_eq!(parse(b"1e"), (1.0, 1));
        assert_eq!(parse(b"-0x1.8p1"), (-3.0, 8));
        assert_eq!(parse(b".5"), (0.5, 2));
        assert_eq!(parse(b"-inf"), (f64::NEG_INFINITY, 4));
        assert_eq!(parse(b"e5"), (0.0, 0));
    }

    #[test]
    fn rand_is_glibcs() {
        let mut state = Vec::new();
        seed_rand(&mut state, 1);
        let length = state.len();
        let first = state[length - 31].wrapping_add(state[length - 3]) >> 1;
        assert_eq!(first, 1_804_289_383);
    }
}
