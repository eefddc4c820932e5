//! `<wchar.h>`: strings of wide characters, 32 bits each.

use super::context::{Context, Reply};
use super::{Answered, LibraryFunction, errno};
use crate::domain::{Domain, Outcome, Question, Truth};
use crate::fault::Fault;
use quod_model::ir::IntKind;
use quod_verdict::CheckKind;

pub(super) fn find<D: Domain>(name: &str) -> Option<LibraryFunction<D>> {
    Some(match name {
        "wcslen" => |context| {
            let from = context.pointer(0)?;
            Ok(Reply::Int(wide(context, &from, usize::MAX)?.len() as i128))
        },
        "wcscpy" => |context| {
            let (to, from) = (context.pointer(0)?, context.pointer(1)?);
            let text = wide(context, &from, usize::MAX)?;
            put(context, &to, &text, true)?;
            Ok(Reply::Value(to))
        },
        "wcsncpy" => |context| {
            let (to, from, limit) = (context.pointer(0)?, context.pointer(1)?, context.size(2)?);
            let mut text = wide(context, &from, limit as usize)?;
            text.resize(limit as usize, 0);
            put(context, &to, &text, false)?;
            Ok(Reply::Value(to))
        },
        "wcscat" | "wcsncat" => |context| {
            let (to, from) = (context.pointer(0)?, context.pointer(1)?);
            let limit = if context.name.ends_with("ncat") { context.size(2)? as usize } else { usize::MAX };
            let length = wide(context, &to, usize::MAX)?.len();
            let text = wide(context, &from, limit)?;
            let end = context.offset(&to, length as i64 * 4);
            put(context, &end, &text, true)?;
            Ok(Reply::Value(to))
        },
        "wcscmp" | "wcsncmp" => |context| {
            let (a, b) = (context.pointer(0)?, context.pointer(1)?);
            let limit = if context.name.ends_with("ncmp") { context.size(2)? as usize } else { usize::MAX };
            let (mut a, mut b) = (wide(context, &a, limit)?, wide(context, &b, limit)?);
            a.push(0);
            b.push(0);
            Ok(Reply::Int(a.cmp(&b) as i128))
        },
        "wcschr" => |context| {
            let (from, wanted) = (context.pointer(0)?, context.int(1)? as i32);
            let mut text = wide(context, &from, usize::MAX)?;
            text.push(0);
            Ok(Reply::Value(match text.iter().position(|&other| other == wanted) {
                Some(index) => context.offset(&from, index as i64 * 4),
                None => context.null(),
            }))
        },
        "wcsrchr" => |context| {
            let (from, wanted) = (context.pointer(0)?, context.int(1)? as i32);
            let mut text = wide(context, &from, usize::MAX)?;
            text.push(0);
            Ok(Reply::Value(match text.iter().rposition(|&other| other == wanted) {
                Some(index) => context.offset(&from, index as i64 * 4),
                None => context.null(),
            }))
        },
        "wcsnlen" => |context| {
            let (from, limit) = (context.pointer(0)?, context.size(1)?);
            Ok(Reply::Int(wide(context, &from, limit as usize)?.len() as i128))
        },
        "wcsstr" | "wcswcs" => |context| {
            let (from, wanted) = (context.pointer(0)?, context.pointer(1)?);
            let (text, wanted) = (wide(context, &from, usize::MAX)?, wide(context, &wanted, usize::MAX)?);
            let found = (0..=text.len()).find(|&start| text[start..].starts_with(&wanted));
            Ok(Reply::Value(match found {
                Some(index) => context.offset(&from, index as i64 * 4),
                None => context.null(),
            }))
        },
        "wcsspn" | "wcscspn" => |context| {
            let (from, set) = (context.pointer(0)?, context.pointer(1)?);
            let (text, set) = (wide(context, &from, usize::MAX)?, wide(context, &set, usize::MAX)?);
            let is_in = !context.name.ends_with("cspn");
            Ok(Reply::Int(text.iter().take_while(|value| set.contains(value) == is_in).count() as i128))
        },
        "wcspbrk" => |context| {
            let (from, set) = (context.pointer(0)?, context.pointer(1)?);
            let (text, set) = (wide(context, &from, usize::MAX)?, wide(context, &set, usize::MAX)?);
            Ok(Reply::Value(match text.iter().position(|value| set.contains(value)) {
                Some(index) => context.offset(&from, index as i64 * 4),
                None => context.null(),
            }))
        },
        "wcstombs" => |context| change_width(context, false),
        "mbstowcs" => |context| change_width(context, true),
        "wcstok" => wcstok,
        "wcsdup" => |context| {
            let from = context.pointer(0)?;
            let text = wide(context, &from, usize::MAX)?;
            let memory = context.allocate(text.len() as u64 * 4 + 4, crate::domain::ObjectKind::Heap, false, "")?;
            put(context, &memory, &text, true)?;
            Ok(Reply::Value(memory))
        },
        "wmemcmp" => |context| {
            let (a, b, count) = (context.pointer(0)?, context.pointer(1)?, context.size(2)?);
            for index in 0..count {
                let (left, right) = (context.offset(&a, index as i64 * 4), context.offset(&b, index as i64 * 4));
                let left = context.load_int(&left, IntKind::Int)?;
                let right = context.load_int(&right, IntKind::Int)?;
                if left != right {
                    return Ok(Reply::Int(left.cmp(&right) as i128));
                }
            }
            Ok(Reply::Int(0))
        },
        "wmemchr" => |context| {
            let (from, wanted, count) = (context.pointer(0)?, context.int(1)? as i32, context.size(2)?);
            for index in 0..count {
                let slot = context.offset(&from, index as i64 * 4);
                if context.load_int(&slot, IntKind::Int)? as i32 == wanted {
                    return Ok(Reply::Value(slot));
                }
            }
            let null = context.null();
            Ok(Reply::Value(null))
        },
        "wmemset" => |context| {
            let (to, value, count) = (context.pointer(0)?, context.int(1)? as i32, context.size(2)?);
            put(context, &to, &vec![value; count as usize], false)?;
            Ok(Reply::Value(to))
        },
        "wmemcpy" | "wmemmove" => |context| {
            let (to, from, count) = (context.pointer(0)?, context.pointer(1)?, context.size(2)?);
            context.machine.domain.copy(&mut context.state.memory, &to, &from, count.saturating_mul(4))?;
            Ok(Reply::Value(to))
        },
        _ => return None,
    })
}

pub(super) fn wide<D: Domain>(context: &mut Context<'_, '_, D>, from: &D::Value, limit: usize) -> Outcome<D, Vec<i32>> {
    let mut text = Vec::new();
    while text.len() < limit {
        let slot = context.offset(from, text.len() as i64 * 4);
        let value = context.load_int(&slot, IntKind::Int)? as i32;
        let question = Question::Initialised { pointer: slot, size: 4 };
        if let Truth::Known(false) = context.machine.domain.ask(&context.state.memory, &question) {
            let fault = Fault::new(CheckKind::Uninitialised, "a string is read that was never set");
            return Err(context.machine.domain.explain(&context.state.memory, &question, fault).into());
        }
        match value {
            0 => break,
            value => text.push(value),
        }
    }
    Ok(text)
}

/// The text in the locale "C", which has only ASCII.
pub(super) fn narrow(text: &[i32]) -> Option<Vec<u8>> {
    text.iter().map(|&value| u8::try_from(value).ok().filter(u8::is_ascii)).collect()
}

/// `wcstombs` and `mbstowcs`: the number of characters without the end; written are at most so many.
fn change_width<D: Domain>(context: &mut Context<'_, '_, D>, to_wide: bool) -> Answered<D> {
    let (to, from) = (context.value(0)?, context.pointer(1)?);
    let limit = if context.is_null(&to) { usize::MAX } else { context.size(2)? as usize };
    let text = match to_wide {
        true => Some(context.read_string(&from)?).filter(|text| text.is_ascii()),
        false => narrow(&wide(context, &from, limit)?),
    };
    let Some(mut text) = text else {
        context.set_errno(errno::EILSEQ)?;
        return Ok(Reply::Int(-1));
    };
    text.truncate(limit);
    if !context.is_null(&to) {
        let terminates = text.len() < limit;
        if to_wide {
            let text: Vec<i32> = text.iter().map(|&byte| i32::from(byte)).collect();
            put(context, &to, &text, terminates)?;
        } else {
            let bytes: Vec<u8> = text.iter().copied().chain(terminates.then_some(0)).collect();
            context.write(&to, &bytes)?;
        }
    }
    Ok(Reply::Int(text.len() as i128))
}

pub(super) fn put<D: Domain>(
    context: &mut Context<'_, '_, D>,
    to: &D::Value,
    text: &[i32],
    terminates: bool,
) -> Outcome<D, ()> {
    let mut bytes: Vec<u8> = text.iter().flat_map(|value| value.to_le_bytes()).collect();
    if terminates {
        bytes.extend_from_slice(&[0; 4]);
    }
    context.write(to, &bytes)
}

/// The next word; where to go on is in the third argument.
fn wcstok<D: Domain>(context: &mut Context<'_, '_, D>) -> Answered<D> {
    let (mut from, set, rest) = (context.value(0)?, context.pointer(1)?, context.pointer(2)?);
    if context.is_null(&from) {
        from = context.load_pointer(&rest)?;
    }
    let null = context.null();
    if context.is_null(&from) {
        return Ok(Reply::Value(null));
    }
    let (text, set) = (wide(context, &from, usize::MAX)?, wide(context, &set, usize::MAX)?);
    let Some(start) = text.iter().position(|value| !set.contains(value)) else {
        context.store_pointer(&rest, &null)?;
        return Ok(Reply::Value(null));
    };
    let next = match text[start..].iter().position(|value| set.contains(value)) {
        Some(length) => {
            let end = context.offset(&from, (start + length) as i64 * 4);
            put(context, &end, &[0], false)?;
            context.offset(&end, 4)
        }
        None => null,
    };
    context.store_pointer(&rest, &next)?;
    let word = context.offset(&from, start as i64 * 4);
    Ok(Reply::Value(word))
}
